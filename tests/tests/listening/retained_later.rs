//! Retained messages whose mnemonic has been rebound since, and those overheard by new listeners.

use crate::common::{Actor, Do, Ear, Log, Note, Tested, stage};
use crate::subscribers::notes;
use message_core::Recipient::EveryoneElse;
use message_core::SubscriptionId;
use message_core::prelude::*;

mnemonic!(LEAD);
group!(SQUAD);

pub(crate) fn retain(manager: &mut MessageManager, to: impl Into<Recipient>, text: &'static str) {
    let posted = manager.post(Header::to(to).retain(), Note(text));
    posted.expect("it is received at once");
}

// The recipient.

// holds: subscriptions.retained-holder
#[test]
fn what_is_retained_under_a_mnemonic_is_for_its_holder_when_the_subscription_is_made() -> Tested {
    let (mut manager, log, old) = stage();
    let new = manager.spawn(());
    manager.bind(LEAD, old)?;
    retain(&mut manager, LEAD, "1");
    retain(&mut manager, old, "2");
    manager.unbind(LEAD, old)?;
    manager.bind(LEAD, new)?;
    log.take();
    let filter = Filter::of::<Note>().with_retained();
    manager.subscribe(filter.clone().to(old), notes(&log, "old"));
    manager.subscribe(filter.clone().to(new), notes(&log, "new"));
    // A message sent to the one now bound to the name also counts as sent to the name.
    retain(&mut manager, new, "3");
    log.take();
    manager.subscribe(filter.to(LEAD), notes(&log, "lead"));
    assert_eq!(log.take(), ["lead: 1", "lead: 3"]);
    Ok(())
}

// holds: subscriptions.retained-holder
#[test]
fn one_who_hands_the_mnemonic_on_at_the_first_message_receives_the_others() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn(());
    manager.bind(LEAD, actor)?;
    retain(&mut manager, actor, "1");
    retain(&mut manager, LEAD, "2");
    log.take();
    let told = log.clone();
    let filter = Filter::of::<Note>().to(actor).with_retained();
    manager.subscribe(filter, move |note, cx| {
        told.add(note.0);
        if note.0 == "1" {
            cx.unbind(LEAD, actor).expect("it is bound");
            cx.bind(LEAD, other).expect("it is free");
        }
    });
    assert_eq!(log.take(), ["1", "2"]);
    Ok(())
}

// holds: send.addressee-same-for-all
#[test]
fn the_addressee_of_a_retained_message_is_whom_the_mnemonic_was_bound_to_when_it_was_sent() -> Tested
{
    let (mut manager, log, old) = stage();
    let new = manager.spawn((Actor::new("new", &log),));
    manager.bind(LEAD, old)?;
    retain(&mut manager, LEAD, "1");
    manager.unbind(LEAD, old)?;
    manager.bind(LEAD, new)?;
    let told = log.clone();
    log.take();
    let filter = Filter::of::<Note>().to(LEAD).with_retained();
    manager.subscribe(filter, move |_, cx| {
        assert_eq!(cx.recipient(), LEAD.into());
        told.add(format!("{:?}", cx.addressee()));
    });
    assert_eq!(log.take(), [format!("{:?}", Some(old))]);
    Ok(())
}

/// Hands its mnemonic on.
struct Retiring(MessageeId);

#[handlers]
impl Retiring {
    #[on_receive]
    fn note(&mut self, _: &Note, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        cx.unbind(LEAD, cx.me())?;
        cx.bind(LEAD, self.0)
    }
}

// holds: send.addressee-same-for-all, overhearing.retained
#[test]
fn a_receiver_that_hands_the_mnemonic_on_stays_the_addressee_of_what_is_retained() -> Tested {
    let (mut manager, log, heir) = stage();
    let old = manager.spawn((Retiring(heir),));
    manager.bind(LEAD, old)?;
    retain(&mut manager, LEAD, "1");
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>().with_retained(), move |_, cx| {
        told.add(format!("{:?}", cx.addressee()));
    });
    assert_eq!(log.take(), [format!("{:?}", Some(old))]);
    // The heir has not received it.
    manager.overhear(heir, Filter::of::<Note>().with_retained())?;
    assert_eq!(log.take(), ["actor: 1"]);
    Ok(())
}

// Overhearing.

pub(crate) fn overhears(
    manager: &mut MessageManager,
    id: MessageeId,
) -> Result<SubscriptionId, MessageeError> {
    manager.overhear(id, Filter::of::<Note>().with_retained())
}

// holds: overhearing.retained
#[test]
fn a_newcomer_overhears_what_was_retained_for_everyone_before_it_was_alive() -> Tested {
    let (mut manager, log, actor) = stage();
    let gone = manager.spawn(());
    retain(&mut manager, Everyone, "1");
    manager.despawn(gone)?;
    log.take();
    // In the place of the one that is gone.
    let newcomer = manager.spawn((Ear::new("newcomer", &log),));
    manager
        .speak_for(actor)?
        .post(Header::to(EveryoneElse).retain(), Note("2"))?;
    assert_eq!(log.take(), ["newcomer: 2"]);
    overhears(&mut manager, newcomer)?;
    assert_eq!(log.take(), ["newcomer: 1"]);
    overhears(&mut manager, actor)?;
    assert!(
        log.take().is_empty(),
        "it has received the one and sent the other"
    );
    let last = manager.spawn((Ear::new("last", &log),));
    overhears(&mut manager, last)?;
    assert_eq!(log.take(), ["last: 1", "last: 2"]);
    Ok(())
}

// holds: overhearing.retained
#[test]
fn who_was_spawned_in_the_dispatch_in_which_a_message_was_retained_for_everyone_overhears_it()
-> Tested {
    let (mut manager, log, actor) = stage();
    let newborn = Ear::new("newborn", &log);
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((newborn,));
        cx.post(Header::to(EveryoneElse).retain(), Note("1"))
            .expect("it is sent");
        cx.overhear(newborn, Filter::of::<Note>().with_retained())
            .expect("it will be alive");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["newborn: 1"]);
    Ok(())
}

// holds: overhearing.retained
#[test]
fn what_is_retained_for_everyone_is_judged_anew_after_all_of_it_was_forgotten() -> Tested {
    let (mut manager, log, _) = stage();
    retain(&mut manager, Everyone, "1");
    let ear = manager.spawn((Ear::new("ear", &log),));
    assert!(manager.forget_retained::<Note>(Everyone));
    retain(&mut manager, Everyone, "2");
    log.take();
    overhears(&mut manager, ear)?;
    assert!(
        log.take().is_empty(),
        "it was alive when the second was sent"
    );
    Ok(())
}

// holds: overhearing.retained
#[test]
fn a_newcomer_overhears_a_message_to_everyone_after_another_such_message_was_forgotten() -> Tested {
    #[derive(Message, Clone)]
    struct Other;

    let (mut manager, log, _) = stage();
    retain(&mut manager, Everyone, "1");
    manager.post(Header::to(Everyone).retain(), Other)?;
    let newcomer = manager.spawn((Ear::new("newcomer", &log),));
    assert!(manager.forget_retained::<Other>(Everyone));
    log.take();
    overhears(&mut manager, newcomer)?;
    assert_eq!(log.take(), ["newcomer: 1"]);
    Ok(())
}

// holds: overhearing.retained
#[test]
fn who_received_a_message_by_a_mnemonic_and_handed_that_on_does_not_overhear_it_again() -> Tested {
    let (mut manager, log, old) = stage();
    let new = manager.spawn((Ear::new("new", &log),));
    manager.bind(LEAD, old)?;
    retain(&mut manager, LEAD, "1");
    manager.unbind(LEAD, old)?;
    manager.bind(LEAD, new)?;
    log.take();
    overhears(&mut manager, old)?;
    assert!(log.take().is_empty());
    overhears(&mut manager, new)?;
    assert_eq!(log.take(), ["new: 1"]);
    Ok(())
}

// holds: overhearing.retained
#[test]
fn whom_a_message_reached_by_a_group_a_family_or_a_hook_is_judged_as_these_were_then() -> Tested {
    let (mut manager, log, _) = stage();
    let [then, now] = [(); 2].map(|()| manager.spawn((Ear::new("ear", &log),)));
    let parent = manager.spawn(());
    let other = manager.hook(parent, ())?;
    let move_to = |manager: &mut MessageManager, from: MessageeId, to: MessageeId| {
        manager.leave(SQUAD, from)?;
        manager.join(SQUAD, to)?;
        manager.set_parent(from, None)?;
        manager.set_parent(to, Some(parent))
    };
    move_to(&mut manager, now, then)?;
    for to in [Recipient::Group(SQUAD), Down(parent), other.into()] {
        retain(&mut manager, to, "1");
    }
    move_to(&mut manager, then, now)?;
    log.take();
    overhears(&mut manager, then)?;
    assert_eq!(log.take(), ["ear: 1"], "the one to the hook");
    overhears(&mut manager, now)?;
    assert_eq!(log.take(), ["ear: 1"; 3]);
    Ok(())
}

// holds: overhearing.retained
#[test]
fn who_left_the_group_at_a_message_does_not_overhear_it_from_what_is_retained() -> Tested {
    struct Deserter(Log);

    #[handlers]
    impl Deserter {
        #[on_receive]
        fn note(&mut self, note: &Note, cx: &mut Context<'_>) -> Result<(), MessageeError> {
            self.0.add(format!("deserter: {}", note.0));
            cx.leave(SQUAD, cx.me()).map(|_| ())
        }
    }

    let (mut manager, log, _) = stage();
    let deserter = manager.spawn((Deserter(log.clone()),));
    manager.join(SQUAD, deserter)?;
    retain(&mut manager, SQUAD, "1");
    assert_eq!(log.take(), ["deserter: 1"]);
    overhears(&mut manager, deserter)?;
    assert!(log.take().is_empty());
    Ok(())
}
