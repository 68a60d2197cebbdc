//! Mailboxes from outside: what is published, who can publish to whom, and what a reader finds.

use std::time::Duration;

use crate::common::{Ear, Log, Note, Tested, stage};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;
use message_core::{AnyMessage, TagSet, time::Moment};
use message_trace::Recorder;

mnemonic!(LEADER, NOBODY);
group!(SQUAD);

const FRAME: Duration = Duration::from_millis(10);

#[derive(Message, Debug)]
struct Hit(u32);

tag!(LOUD, BRIGHT);

#[derive(Message)]
#[message(tags(LOUD))]
struct Shot(u32);

/// A message without `Debug`.
#[derive(Message)]
struct Heal(u32);

/// The hits that a selection finds.
macro_rules! hits {
    ($inbox:expr) => {
        $inbox.iter().map(|hit| hit.0).collect::<Vec<u32>>()
    };
}

// Frames.

// holds: mail.next-frame, mail.before-first-frame
#[test]
fn what_is_published_in_one_frame_is_found_in_the_next_and_not_in_the_one_after() -> Tested {
    let mut manager = MessageManager::new();
    let orc = manager.spawn(());
    for frame in 0..4 {
        manager.publish(orc, Hit(frame))?;
        let last: Vec<u32> = frame.checked_sub(1).into_iter().collect();
        assert_eq!(hits!(manager.inbox::<Hit>()), last);
        manager.tick(FRAME);
        assert_eq!(hits!(manager.inbox::<Hit>().to(orc)), [frame]);
    }
    manager.tick(FRAME);
    assert!(manager.inbox::<Hit>().is_empty());
    manager.publish(orc, Hit(9))?;
    manager.tick(FRAME);
    assert_eq!(hits!(manager.inbox::<Hit>()), [9]);
    Ok(())
}

/// Publishes a hit as a messagee or from outside, in any case in the place of the caller.
#[track_caller]
fn publish_from(manager: &mut MessageManager, sender: Option<MessageeId>) -> Result<(), SendError> {
    match sender {
        Some(id) => manager
            .speak_for(id)
            .expect("it is alive")
            .publish(Everyone, Hit(0)),
        None => manager.publish(Everyone, Hit(0)),
    }
}

// holds: mail.chosen
#[test]
fn what_is_published_in_one_place_has_the_sender_that_published_it() -> Tested {
    let mut manager = MessageManager::new();
    let id = Some(manager.spawn(()));
    let senders = [None, id, None, id, id, None];
    for sender in senders {
        publish_from(&mut manager, sender)?;
    }
    manager.tick(FRAME);
    let inbox = manager.inbox::<Hit>();
    assert!(inbox.iter().map(|hit| hit.sender().id()).eq(senders));
    Ok(())
}

// holds: mail.no-receiver
#[test]
fn no_handler_subscriber_or_interceptor_receives_what_is_published() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.spawn((Ear::new("ear", &log),));
    manager.subscribe(Filter::all(), common_line(&log));
    manager.subscribe(Filter::of::<Note>().before(), {
        let log = log.clone();
        move |_: &mut Note, _: &mut SubscriberContext<'_>| {
            log.add("intercepted");
            std::ops::ControlFlow::Break(())
        }
    });
    for to in [actor.into(), Everyone] {
        manager.publish(to, Note("psst"))?;
    }
    let report = manager.tick(FRAME);
    assert_eq!((report.delivered, report.dead_letters), (0, 0));
    assert!(log.take().is_empty());
    assert_eq!(manager.inbox::<Note>().count(), 2);
    Ok(())
}

/// Returns a subscriber that logs the name of everything.
fn common_line(log: &Log) -> impl FnMut(&dyn AnyMessage, &mut SubscriberContext<'_>) + use<> {
    let log = log.clone();
    move |message, _| log.add(message.name())
}

// holds: mail.next-frame
#[test]
fn pending_finds_what_is_published_in_this_frame_and_inbox_what_was_in_the_last() -> Tested {
    let mut manager = MessageManager::new();
    let (orc, elf) = (manager.spawn(()), manager.spawn(()));
    assert!(manager.published::<Hit>().is_empty());
    for number in 0..100 {
        let to = if number % 2 == 0 { orc } else { elf };
        manager.publish(to, Hit(number))?;
    }
    let pending = manager.published::<Hit>();
    assert_eq!((pending.count(), manager.inbox::<Hit>().count()), (100, 0));
    assert_eq!(pending.first().map(|hit| hit.0), Some(0));
    assert_eq!(pending.iter().last().map(|hit| hit.0), Some(99));
    let mut odd = 0;
    for hit in &pending.to(elf).from(Sender::Outside) {
        odd += hit.0 % 2;
    }
    assert_eq!(odd, 50);
    manager.publish(orc, Hit(100))?;
    assert_eq!(manager.published::<Hit>().reaching(orc).count(), 51);
    manager.tick(FRAME);
    assert!(manager.published::<Hit>().is_empty());
    assert_eq!(manager.inbox::<Hit>().count(), 101);
    Ok(())
}

// The recipient.

// holds: mail.to-id, mail.to-many
#[test]
fn to_an_id_is_what_was_published_to_that_messagee_alone_by_id_by_me_or_by_a_mnemonic() -> Tested {
    let mut manager = MessageManager::new();
    let (orc, elf) = (manager.spawn(()), manager.spawn(()));
    manager.bind(LEADER, orc)?;
    manager.join(SQUAD, orc)?;
    manager.publish(orc, Hit(1))?;
    manager.publish(elf, Hit(2))?;
    manager.speak_for(orc)?.publish(Me, Hit(3))?;
    manager.publish(LEADER, Hit(4))?;
    let shared = [Everyone, SQUAD.into(), Up(orc), Down(orc)];
    for to in shared {
        manager.publish(to, Hit(5))?;
    }
    manager.speak_for(elf)?.publish(EveryoneElse, Hit(6))?;
    manager.tick(FRAME);
    let inbox = manager.inbox::<Hit>();
    assert_eq!(hits!(inbox.to(orc)), [1, 3, 4]);
    assert_eq!(hits!(inbox.to(LEADER)), [1, 3, 4]);
    assert_eq!(hits!(inbox.to(elf)), [2]);
    assert!(inbox.to(Me).is_empty());
    assert!(inbox.to(NOBODY).is_empty());
    for to in shared {
        assert_eq!(hits!(inbox.to(to)), [5]);
    }
    assert_eq!(hits!(inbox.to(EveryoneElse)), [6]);
    assert!(inbox.to(Up(elf)).is_empty());
    Ok(())
}

// holds: mail.to-id, mail.to-mnemonic
#[test]
fn a_mnemonic_is_looked_up_when_it_is_published_to_and_when_it_is_asked_for() -> Tested {
    let mut manager = MessageManager::new();
    let (orc, elf) = (manager.spawn(()), manager.spawn(()));
    manager.bind(LEADER, orc)?;
    manager.publish(LEADER, Hit(1))?;
    manager.unbind(LEADER, orc)?;
    manager.bind(LEADER, elf)?;
    manager.publish(elf, Hit(2))?;
    manager.tick(FRAME);
    assert_eq!(hits!(manager.inbox::<Hit>().to(orc)), [1]);
    assert_eq!(hits!(manager.inbox::<Hit>().to(LEADER)), [2]);
    manager.unbind(LEADER, elf)?;
    assert!(manager.inbox::<Hit>().to(LEADER).is_empty());
    Ok(())
}

// holds: mail.family-of-mnemonic
#[test]
fn up_and_down_of_a_mnemonic_mean_the_family_of_whom_it_is_bound_to() -> Tested {
    let mut manager = MessageManager::new();
    let (orc, elf) = (manager.spawn(()), manager.spawn(()));
    manager.bind(LEADER, orc)?;
    manager.publish(Up(LEADER), Hit(1))?;
    manager.publish(Down(LEADER), Hit(2))?;
    assert_eq!(hits!(manager.published::<Hit>().to(Up(LEADER))), [1]);
    manager.tick(FRAME);
    assert_eq!(hits!(manager.inbox::<Hit>().to(Up(LEADER))), [1]);
    assert_eq!(hits!(manager.inbox::<Hit>().to(Down(LEADER))), [2]);
    assert_eq!(manager.inbox_any().to(Down(orc)).count(), 1);
    // When it is asked for, too.
    manager.unbind(LEADER, orc)?;
    assert!(manager.inbox::<Hit>().to(Up(LEADER)).is_empty());
    manager.bind(LEADER, elf)?;
    assert!(manager.inbox::<Hit>().to(Up(LEADER)).is_empty());
    assert_eq!(hits!(manager.inbox::<Hit>().to(Up(orc))), [1]);
    Ok(())
}

// holds: mail.reaching
#[test]
fn reaching_finds_everything_by_which_a_messagee_is_meant_now() -> Tested {
    let mut manager = MessageManager::new();
    let (root, orc, elf) = (manager.spawn(()), manager.spawn(()), manager.spawn(()));
    manager.set_parent(orc, Some(root))?;
    manager.join(SQUAD, orc)?;
    let recipients = [
        orc.into(),
        elf.into(),
        Everyone,
        SQUAD.into(),
        Up(orc),
        Down(root),
    ];
    for (number, to) in (0..).zip(recipients) {
        manager.publish(to, Hit(number))?;
    }
    manager.speak_for(orc)?.publish(EveryoneElse, Hit(6))?;
    manager.tick(FRAME);
    let inbox = manager.inbox::<Hit>();
    assert_eq!(hits!(inbox.reaching(orc)), [0, 2, 3, 4, 5]);
    assert_eq!(hits!(inbox.reaching(root)), [2, 4, 5, 6]);
    assert_eq!(hits!(inbox.reaching(elf)), [1, 2, 6]);
    let stranger = MessageManager::new().spawn(());
    assert!(inbox.reaching(stranger).is_empty());
    manager.leave(SQUAD, orc)?;
    manager.set_parent(orc, None)?;
    let inbox = manager.inbox::<Hit>();
    assert_eq!(hits!(inbox.reaching(orc)), [0, 2, 4]);
    assert_eq!(hits!(inbox.reaching(root)), [2, 5, 6]);
    Ok(())
}

// holds: mail.chosen, subscriptions.same-words
#[test]
fn letters_are_chosen_by_the_tags_of_their_type() -> Tested {
    let mut manager = MessageManager::new();
    let orc = manager.spawn(());
    for number in 0..3 {
        manager.publish(orc, Hit(number))?;
        manager.publish(orc, Shot(number))?;
    }
    assert_eq!(manager.published::<Shot>().tagged(LOUD).count(), 3);
    assert_eq!(manager.published::<Hit>().tagged(LOUD).count(), 0);
    assert!(manager.published::<Heal>().tagged(LOUD).is_empty());
    manager.tick(FRAME);
    let none: TagSet = [].into_iter().collect();
    assert_eq!(
        hits!(manager.inbox::<Shot>().tagged(LOUD | BRIGHT).to(orc)),
        [0, 1, 2]
    );
    assert!(manager.inbox::<Hit>().tagged(LOUD).to(orc).is_empty());
    let any = manager.inbox_any();
    assert!(any.tagged(LOUD).iter().all(|mail| mail.is::<Shot>()));
    assert_eq!(any.tagged(LOUD).count(), 3);
    assert_eq!(any.tagged(BRIGHT).count(), 0);
    assert_eq!(any.tagged(BRIGHT).tagged(none).count(), 6);
    Ok(())
}

// holds: mail.last-choice-counts
#[test]
fn of_to_and_reaching_the_last_one_counts() -> Tested {
    let mut manager = MessageManager::new();
    let (orc, elf) = (manager.spawn(()), manager.spawn(()));
    for (number, to) in [(1, orc.into()), (2, elf.into()), (3, Everyone)] {
        manager.publish(to, Hit(number))?;
    }
    manager.tick(FRAME);
    let inbox = manager.inbox::<Hit>();
    assert_eq!(hits!(inbox.to(orc).to(elf)), [2]);
    assert_eq!(hits!(inbox.reaching(orc).reaching(elf)), [2, 3]);
    assert_eq!(hits!(inbox.to(orc).reaching(elf)), [2, 3]);
    assert_eq!(hits!(inbox.reaching(orc).to(elf)), [2]);
    assert_eq!(hits!(inbox.reaching(elf).to(Everyone)), [3]);
    Ok(())
}

// holds: mail.stays
#[test]
fn what_was_published_to_a_messagee_stays_when_it_is_despawned_and_is_not_for_a_newcomer() -> Tested
{
    let mut manager = MessageManager::new();
    let old = manager.spawn(());
    manager.publish(old, Hit(1))?;
    manager.publish(Up(old), Hit(2))?;
    manager.despawn(old)?;
    let new = manager.spawn(());
    for number in 3..50 {
        manager.publish(new, Hit(number))?;
    }
    manager.tick(FRAME);
    let inbox = manager.inbox::<Hit>();
    assert_eq!(hits!(inbox.to(old)), [1]);
    assert_eq!(hits!(inbox.reaching(old)), [1, 2]);
    assert_eq!(inbox.to(new).count(), 47);
    assert_eq!(inbox.reaching(new).count(), 47);
    Ok(())
}

// Selecting mail.

// holds: mail.chosen
#[test]
fn from_a_sender_and_matching_conditions_narrow_down_together() -> Tested {
    let mut manager = MessageManager::new();
    let (orc, elf) = (manager.spawn(()), manager.spawn(()));
    for number in 0..50 {
        manager.publish(elf, Hit(number))?;
        manager.speak_for(orc)?.publish(elf, Hit(number + 100))?;
        manager.speak_for(elf)?.publish(orc, Hit(number + 200))?;
    }
    manager.tick(FRAME);
    let inbox = manager.inbox::<Hit>();
    assert_eq!(inbox.from(Sender::Outside).count(), 50);
    assert!(inbox.from(Sender::Manager).is_empty());
    assert_eq!(inbox.to(orc).from(orc).count(), 0);
    let of_orc = inbox.from(orc).to(elf);
    assert_eq!(of_orc.iter().last().map(|hit| hit.0), Some(149));
    let even = of_orc.iter().filter(|hit| hit.0 % 2 == 0);
    let most = even.filter(|hit| hit.0 > 143);
    assert!(most.clone().map(|hit| hit.0).eq([144, 146, 148]));
    assert_eq!(most.count(), 3);
    assert_eq!((&of_orc).into_iter().count(), of_orc.into_iter().count());
    Ok(())
}

#[test]
fn mail_tells_its_message_sender_recipient_place_and_moment() -> Tested {
    let mut manager = MessageManager::new();
    let orc = manager.spawn(());
    manager.bind(LEADER, orc)?;
    manager.tick(FRAME);
    let line = line!() + 1;
    manager.speak_for(orc)?.publish(LEADER, Hit(7))?;
    manager.tick(FRAME);
    let mail = manager.inbox::<Hit>().first().ok_or("it was published")?;
    assert_eq!((mail.0, mail.message().0), (7, 7));
    assert_eq!(mail.sender(), Sender::Messagee(orc));
    assert_eq!(mail.recipient(), Recipient::Mnemonic(LEADER));
    assert_eq!((mail.place().file(), mail.place().line()), (file!(), line));
    let published = Moment {
        time: FRAME,
        frame: 1,
    };
    assert_eq!(mail.published(), published);
    assert!(format!("{mail:?}").starts_with("Mail { message: Hit(7), sender: "));
    let any = manager.inbox_any().first().ok_or("it was published")?;
    assert_eq!((any.name(), any.id()), (Hit::NAME, Hit::ID));
    assert_eq!(
        (any.sender(), any.recipient()),
        (mail.sender(), mail.recipient())
    );
    assert_eq!((any.place(), any.published()), (mail.place(), published));
    Ok(())
}

// holds: mail.inbox-any
#[test]
fn the_mail_of_all_types_is_found_in_the_order_sent() -> Tested {
    let mut manager = MessageManager::new();
    let (orc, elf) = (manager.spawn(()), manager.spawn(()));
    for number in 0..6 {
        let to = if number < 3 { orc } else { elf };
        if number % 3 == 1 {
            manager.publish(to, Heal(number))?;
        } else {
            manager.publish(to, Hit(number))?;
        }
    }
    manager.tick(FRAME);
    let number = |message: &dyn AnyMessage| {
        let hit = message.downcast_ref::<Hit>().map(|hit| hit.0);
        hit.or(message.downcast_ref::<Heal>().map(|heal| heal.0))
    };
    let inbox = manager.inbox_any();
    let all = inbox.into_iter().map(|mail| number(mail.message()));
    assert_eq!(
        all.collect::<Vec<_>>(),
        (0..6).map(Some).collect::<Vec<_>>()
    );
    let heals = inbox.iter().filter(|mail| mail.id() == Heal::ID);
    assert_eq!(heals.count(), 2);
    let texts: Vec<String> = inbox
        .to(orc)
        .iter()
        .map(|mail| format!("{:?}", &*mail))
        .collect();
    assert_eq!(
        texts,
        ["Hit(0)", &format!("{} {{ .. }}", Heal::NAME), "Hit(2)"]
    );
    Ok(())
}

// Errors of publishing.

// holds: mail.errors
#[test]
fn publishing_to_nobody_is_an_error_at_once() -> Tested {
    let mut manager = MessageManager::new();
    let (orc, gone) = (manager.spawn(()), manager.spawn(()));
    manager.despawn(gone)?;
    let stranger = MessageManager::new().spawn(());
    let message = Hit::NAME;
    for to in [Recipient::Id(gone), Up(gone), Down(gone)] {
        let error = SendError::new(message, gone, SendErrorKind::Absent(Absence::Gone));
        assert_eq!(manager.publish(to, Hit(0)), Err(error));
    }
    for to in [Recipient::Id(stranger), Up(stranger), Down(stranger)] {
        let id = stranger;
        let error = SendError::new(message, id, SendErrorKind::Absent(Absence::OtherManager));
        assert_eq!(manager.publish(to, Hit(0)), Err(error));
    }
    for to in [Me, EveryoneElse] {
        let error = SendError::new(message, to, SendErrorKind::NoSender);
        assert_eq!(manager.publish(to, Hit(0)), Err(error));
    }
    let unbound = SendError::new(message, NOBODY, SendErrorKind::Absent(Absence::Unbound));
    assert_eq!(manager.publish(NOBODY, Hit(0)), Err(unbound));
    manager.publish(SQUAD, Hit(1))?;
    let mut speaker = manager.speak_for(orc)?;
    speaker.publish(EveryoneElse, Hit(2))?;
    manager.tick(FRAME);
    assert_eq!(hits!(manager.inbox::<Hit>()), [1, 2]);
    Ok(())
}

// holds: mail.full, reentrancy.limit-names-remedy
#[test]
fn more_than_the_limit_of_a_frame_is_an_error_and_what_was_accepted_stays() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_published(3));
    let orc = manager.spawn(());
    for frame in 0..3 {
        manager.publish(orc, Hit(frame))?;
        manager.publish(orc, Heal(frame))?;
        manager.publish(Everyone, Hit(frame))?;
        let full = manager
            .publish(orc, Heal(9))
            .expect_err("three are published");
        let text = format!(
            "`{}` was not published to messagee {orc}: 3 messages have been published in this \
             frame, the limit set by `ManagerConfig::max_published`; publish fewer, or raise the limit; \
             nothing is running",
            Heal::NAME
        );
        assert_eq!(full.to_string(), text);
        manager.tick(FRAME);
        assert_eq!(manager.inbox_any().count(), 3);
    }
    Ok(())
}

#[test]
fn an_inbox_and_what_is_pending_say_what_they_are() -> Tested {
    let mut manager = MessageManager::new();
    manager.publish(Everyone, Note("one"))?;
    let pending = format!("{:?}", manager.published::<Note>());
    assert!(pending.contains("Published"), "{pending}");
    manager.tick(FRAME);
    let inbox = format!("{:?}", manager.inbox::<Note>());
    assert!(inbox.contains("Inbox"), "{inbox}");
    let any = format!("{:?}", manager.inbox_any());
    assert!(any.contains("AnyMessage"), "{any}");
    Ok(())
}

// One line that publishes again and again.

/// Always the same line.
fn publish(manager: &mut MessageManager, to: impl Into<Recipient>, number: u32) -> Tested {
    manager.publish(to, Hit(number))?;
    Ok(())
}

// holds: mail.chosen
#[test]
fn one_line_may_publish_to_others_each_time() -> Tested {
    let mut manager = MessageManager::new();
    let [orc, elf] = [(); 2].map(|()| manager.spawn(()));
    manager.bind(LEADER, elf)?;
    manager.join(SQUAD, orc)?;
    let to: [Recipient; 12] = [
        orc.into(),
        orc.into(),
        Everyone,
        Everyone,
        elf.into(),
        LEADER.into(),
        LEADER.into(),
        elf.into(),
        SQUAD.into(),
        Everyone,
        orc.into(),
        Everyone,
    ];
    for (number, to) in (0..).zip(to) {
        publish(&mut manager, to, number)?;
    }
    manager.tick(FRAME);
    let inbox = manager.inbox::<Hit>();
    assert_eq!(hits!(inbox), (0..12).collect::<Vec<_>>());
    let written: Vec<Recipient> = inbox.iter().map(|hit| hit.recipient()).collect();
    assert_eq!(written, to);
    assert_eq!(hits!(inbox.to(orc)), [0, 1, 10]);
    assert_eq!(hits!(inbox.to(elf)), [4, 5, 6, 7]);
    Ok(())
}

#[test]
fn what_a_line_publishes_is_recorded_as_soon_as_somebody_records() -> Tested {
    let mut manager = MessageManager::new();
    let mut number = 0;
    for recorded in [0, 2, 0, 1] {
        for _ in 0..2 {
            publish(&mut manager, Everyone, number)?;
            number += 1;
        }
        if recorded > 0 {
            Recorder::new(100).start(&mut manager);
            for _ in 0..recorded {
                publish(&mut manager, Everyone, number)?;
                number += 1;
            }
            let recorder = Recorder::stop(&mut manager).expect("it was put in");
            assert_eq!(recorder.events().count(), recorded);
        }
    }
    manager.tick(FRAME);
    assert_eq!(hits!(manager.inbox::<Hit>()).len(), number as usize);
    Ok(())
}
