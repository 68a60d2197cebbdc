//! An accepted message that is not delivered becomes a dead letter.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::common::{Actor, Do, Ear, Log, Note, Peek, Tested, stage};
use crate::letters::letters;
use message_core::Recipient::Me;
use message_core::error::{Loss, Undelivered};
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::{PanicPolicy, SubscriptionId};

group!(CROWD);

/// Returns the messagees of the lost receivers, and why they were lost.
fn lost(why: &Undelivered) -> Vec<(Option<MessageeId>, Loss)> {
    let Undelivered::Lost { receivers } = why else {
        panic!("{why:?}");
    };
    let lost = receivers.iter();
    lost.map(|lost| (lost.receiver.messagee(), lost.why))
        .collect()
}

/// Keeps a message for the handler's own component.
fn keep(cx: &mut Context<'_>) {
    let receipt = cx.send(Me, Note("kept")).expect("it is kept");
    assert_eq!((receipt.received, receipt.pending), (0, 1));
}

// holds: required.lost
#[test]
fn what_was_kept_for_one_that_leaves_is_disabled_or_panics_is_a_dead_letter() -> Tested {
    type End = fn(&mut Context<'_>);
    let ends: [(End, Loss); 4] = [
        (|cx| cx.despawn(cx.me()).expect("it is alive"), Loss::Left),
        (
            |cx| cx.unhook(cx.my_hook()).expect("it is hooked"),
            Loss::Left,
        ),
        (
            |cx| {
                cx.set_enabled(cx.my_hook(), false).expect("it is hooked");
            },
            Loss::Disabled,
        ),
        (|_| panic!("it breaks"), Loss::Panicked),
    ];
    for (end, why) in ends {
        let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
        let (mut manager, log) = (MessageManager::with_config(config), Log::default());
        let actor = manager.spawn((Actor::new("actor", &log),));
        let said = letters(&mut manager);
        let script = Do::new(move |cx| {
            keep(cx);
            end(cx);
        });
        manager.send(actor, script)?;
        assert!(log.take().is_empty());
        let letter = said.try_recv()?;
        assert_eq!(lost(&letter.why), [(Some(actor), why)]);
        assert_eq!(letter.counts, (0, 0));
        let note = letter.copy.as_deref();
        let note = note.and_then(|message| message.downcast_ref::<Note>());
        assert_eq!(note.map(|note| note.0), Some("kept"));
        let envelope = letter.envelope;
        assert_eq!(
            (envelope.sender, envelope.recipient, envelope.stage),
            (actor.into(), Me, Stage::Immediate)
        );
        assert!(said.try_recv().is_err(), "there is one for each message");
        assert_eq!(manager.inspect().dead_letter_count(), 1);
    }
    Ok(())
}

// holds: required.lost
#[test]
fn a_dead_letter_of_a_kept_message_says_who_was_lost_and_why() -> Tested {
    let (mut manager, _, actor) = stage();
    let said = letters(&mut manager);
    let script = Do::new(move |cx| {
        keep(cx);
        cx.despawn(actor).expect("it is alive");
    });
    manager.send(actor, script)?;
    let text = said.try_recv()?.text;
    let expected = format!(
        "was not delivered: it was kept for `failures::common::Actor` of messagee {actor}, which was removed"
    );
    assert!(text.ends_with(&expected), "{text}");
    Ok(())
}

// holds: required.lost
#[test]
fn a_message_that_requires_receivers_and_loses_them_later_is_a_dead_letter_with_both_counts()
-> Tested {
    let (mut manager, _, actor) = stage();
    let said = letters(&mut manager);
    let required = Header::to(Me).require(1).build()?;
    let script = Do::new(move |cx| {
        let ticket = cx
            .post(&required, Note("kept"))
            .expect("one will receive it");
        assert_eq!(ticket.receipt().map(|receipt| receipt.pending), Some(1));
        cx.despawn(actor).expect("it is alive");
    });
    manager.send(actor, script)?;
    let letter = said.try_recv()?;
    assert_eq!(lost(&letter.why), [(Some(actor), Loss::Left)]);
    assert_eq!(letter.counts, (1, 0));

    // Those that the manager requires by default count, too.
    let mut manager = MessageManager::with_config(ManagerConfig::new().require(1));
    let actor = manager.spawn((Actor::new("actor", &Log::default()),));
    let said = letters(&mut manager);
    let script = Do::new(move |cx| {
        keep(cx);
        cx.despawn(actor).expect("it is alive");
    });
    manager.send(actor, script)?;
    assert_eq!(said.try_recv()?.counts, (1, 0));
    Ok(())
}

// holds: required.lost
#[test]
fn one_dead_letter_names_all_whom_a_message_has_lost_and_counts_the_others() -> Tested {
    let (mut manager, log, first) = stage();
    let second = manager.spawn((Actor::new("second", &log),));
    let ear = manager.spawn((Ear::new("ear", &log),));
    for member in [first, second, ear] {
        manager.join(CROWD, member)?;
    }
    let said = letters(&mut manager);
    let script = Do::new(move |cx| {
        let inner = Do::new(move |cx| {
            let receipt = cx.send(CROWD, Note("all")).expect("some are free");
            assert_eq!((receipt.received, receipt.pending), (1, 2));
            cx.set_enabled(cx.my_hook(), false).expect("it is hooked");
        });
        cx.send(second, inner).expect("it is free");
        cx.despawn(first).expect("it is alive");
    });
    manager.send(first, script)?;
    assert_eq!(log.take(), ["ear: all"]);
    let letter = said.try_recv()?;
    let expected = [(Some(second), Loss::Disabled), (Some(first), Loss::Left)];
    assert_eq!(lost(&letter.why), expected);
    assert_eq!(letter.counts, (0, 1));
    assert!(said.try_recv().is_err());
    Ok(())
}

// holds: required.lost
#[test]
fn each_of_several_kept_messages_has_its_own_dead_letter_when_the_outermost_send_ends() -> Tested {
    let (mut manager, log, first) = stage();
    let second = manager.spawn((Actor::new("second", &log),));
    let told = log.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        let note = letter.message.as_ref();
        let note = note.and_then(|message| message.downcast_ref::<Note>());
        told.add(note.map_or("another", |note| note.0));
    });
    let told = log.clone();
    let script = Do::new(move |cx| {
        let inner = Do::new(move |cx| {
            for word in ["one", "two"] {
                cx.send(Me, Note(word)).expect("it is kept");
            }
            cx.unhook(cx.my_hook()).expect("it is hooked");
        });
        cx.send(second, inner).expect("it is free");
        told.add("still running");
    });
    manager.send(first, script)?;
    assert_eq!(log.take(), ["still running", "one", "two"]);
    Ok(())
}

// holds: required.lost-whole
#[test]
fn what_waited_for_a_newborn_or_a_new_component_that_leaves_at_once_is_a_dead_letter() -> Tested {
    let (mut manager, log, actor) = stage();
    let said = letters(&mut manager);
    let ears = [(); 3].map(|()| Ear::new("ear", &log));
    let (put, get) = crate::common::slot();
    let script = Do::new(move |cx| {
        let [alone, among, hooked] = ears;
        let [alone, among] = [alone, among].map(|ear| cx.spawn((ear,)));
        let hook = cx.hook(actor, hooked).expect("it is alive");
        for member in [actor, among] {
            cx.join(CROWD, member).expect("it will be alive");
        }
        let pending = [alone.into(), hook.into(), CROWD.into()]
            .map(|to: Recipient| cx.send(to, Note("waits")).expect("it is kept").pending);
        assert_eq!(pending, [1, 1, 2]);
        for id in [alone, among] {
            cx.despawn(id).expect("it will be alive");
        }
        cx.unhook(hook).expect("it will be hooked");
        put((alone, hook, among));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["actor: waits"]);
    let (alone, hook, among) = get();
    let why: Vec<Undelivered> = said.try_iter().map(|said| said.why).collect();
    let [gone, hook_gone, of_many] = &why[..] else {
        panic!("{why:?}");
    };
    assert_eq!(*gone, Undelivered::Gone { to: alone.into() });
    assert_eq!(*hook_gone, Undelivered::Gone { to: hook.into() });
    assert_eq!(lost(of_many), [(Some(among), Loss::Left)]);
    Ok(())
}

// holds: required.lost-whole
#[test]
fn what_waits_for_an_interceptor_is_a_dead_letter_if_its_recipient_leaves_meanwhile() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let said = letters(&mut manager);
    let mut is_first = true;
    manager.subscribe(Filter::of::<Note>().before(), move |_, cx| {
        if std::mem::take(&mut is_first) {
            assert_eq!(cx.send(ear, Note("again")).map(|it| it.pending), Ok(1));
            cx.despawn(ear).expect("it is alive");
        }
    });
    manager.send(actor, Note("first"))?;
    assert_eq!(log.take(), ["actor: first"]);
    assert_eq!(said.try_recv()?.why, Undelivered::Gone { to: ear.into() });
    assert!(said.try_recv().is_err());
    Ok(())
}

// holds: required.lost
#[test]
fn a_component_that_overhears_is_lost_unless_it_is_hidden() -> Tested {
    for hidden in [false, true] {
        let (mut manager, log, spy) = stage();
        let ear = manager.spawn((Ear::new("ear", &log),));
        let filter = Filter::of::<Note>();
        manager.overhear(spy, if hidden { filter.hidden() } else { filter })?;
        let said = letters(&mut manager);
        let hook = crate::common::first_hook(&manager, spy);
        let outside = manager.spawn((Actor::new("outside", &log),));
        let script = Do::new(move |cx| {
            let inner = Do::new(move |cx| {
                let receipt = cx.send(ear, Note("secret")).expect("sent");
                assert_eq!(receipt.pending, u16::from(!hidden));
            });
            cx.send(outside, inner).expect("sent");
            cx.set_enabled(hook, false).expect("it is hooked");
        });
        manager.send(spy, script)?;
        assert_eq!(log.take(), ["ear: secret"]);
        let letters: Vec<_> = said.try_iter().collect();
        if hidden {
            assert!(letters.is_empty());
            continue;
        }
        assert_eq!(lost(&letters[0].why), [(Some(spy), Loss::Disabled)]);
        assert_eq!(letters[0].counts, (0, 1));
    }
    Ok(())
}

// holds: required.lost
#[test]
fn the_dead_letter_has_a_copy_of_what_others_still_want() -> Tested {
    let (mut manager, log, actor) = stage();
    let said = letters(&mut manager);
    let told = log.clone();
    let staged = Filter::of::<Note>().stage(Stage::Update);
    manager.subscribe(staged, move |note, _| told.add(note.0));
    let script = Do::new(move |cx| {
        let receipt = cx.send(Me, Note("both")).expect("it is kept");
        assert_eq!(receipt.pending, 2);
        cx.despawn(actor).expect("it is alive");
    });
    manager.send(actor, script)?;
    let letter = said.try_recv()?;
    assert_eq!(letter.counts, (0, 1), "the subscriber will receive it");
    assert!(letter.has_message);
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["both"]);
    Ok(())
}

// holds: required.lost
#[test]
fn a_panic_that_goes_to_the_caller_loses_no_dead_letter() -> Tested {
    let (mut manager, log, first) = stage();
    let second = manager.spawn((Actor::new("second", &log),));
    let said = letters(&mut manager);
    let script = Do::new(move |cx| {
        let inner = Do::new(move |cx| {
            keep(cx);
            cx.unhook(cx.my_hook()).expect("it is hooked");
        });
        cx.send(second, inner).expect("it is free");
        panic!("late");
    });
    crate::common::panic_of(|| manager.send(first, script));
    manager.settle();
    assert_eq!(lost(&said.try_recv()?.why), [(Some(second), Loss::Left)]);
    Ok(())
}

// Messages that do not become dead letters.

// holds: required.not-lost
#[test]
fn what_somebody_has_consumed_is_no_dead_letter() -> Tested {
    let (mut manager, log, actor) = stage();
    let said = letters(&mut manager);
    manager.subscribe(Filter::of::<Note>(), |_, _| ControlFlow::Break(()));
    let script = Do::new(move |cx| {
        let receipt = cx.send(Me, Note("consumed")).expect("sent");
        assert_eq!((receipt.consumed, receipt.pending), (true, 0));
        cx.despawn(actor).expect("it is alive");
    });
    manager.send(actor, script)?;
    assert!(log.take().is_empty() && said.try_recv().is_err());
    Ok(())
}

// holds: required.not-lost
#[test]
fn what_a_subscription_misses_that_ended_or_was_paused_or_wanted_one_is_no_dead_letter() -> Tested {
    type Ends = fn(&mut SubscriberContext<'_>, SubscriptionId);
    let ways: [(Filter<Note>, Ends); 4] = [
        (Filter::of(), |cx, me| assert!(cx.unsubscribe(me))),
        (Filter::of(), |cx, me| assert!(cx.set_listening(me, false))),
        (Filter::of().once(), |_, _| ()),
        (Filter::of(), |_, _| panic!("it breaks")),
    ];
    for (filter, end) in ways {
        let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
        let mut manager = MessageManager::with_config(config);
        let said = letters(&mut manager);
        let nobody = manager.spawn(());
        let mut is_first = true;
        let me = Arc::new(OnceLock::new());
        let known = Arc::clone(&me);
        let id = manager.subscribe(filter, move |_, cx| {
            assert!(std::mem::take(&mut is_first), "it hears of one");
            cx.send(nobody, Note("missed")).expect("sent");
            end(cx, *known.get().expect("it has subscribed"));
        });
        me.set(id).expect("it is set once");
        manager.send(nobody, Note("heard"))?;
        assert!(said.try_recv().is_err());
    }
    Ok(())
}

// holds: required.not-lost
#[test]
fn what_is_lost_with_its_manager_or_no_longer_retained_is_no_dead_letter() -> Tested {
    let (mut manager, _, actor) = stage();
    let said = letters(&mut manager);
    let ear = manager.spawn(());
    let retained = Header::to(ear).retain().build()?;
    manager.post(&retained, Note("kept for later"))?;
    manager.despawn(ear)?;
    // A panic has left messages kept for a component.
    let script = Do::new(|cx| {
        keep(cx);
        panic!("late");
    });
    crate::common::panic_of(|| manager.send(actor, script));
    drop(manager);
    assert!(said.try_recv().is_err());
    Ok(())
}

// A message sent to a messagee that was leaving was never accepted.

// holds: reentrancy.leaving
#[test]
fn a_message_to_oneself_while_leaving_is_an_error_whatever_way_it_is_sent() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Ear::new("other", &log),));
    manager.set_parent(actor, Some(other))?;
    let said = letters(&mut manager);
    let later = Header::to(Me).stage(Stage::Update).build()?;
    let script = Do::new(move |cx| {
        let hook = cx.my_hook();
        cx.despawn(actor).expect("it is alive");
        let refused = [
            cx.send(Me, Note("")).err(),
            cx.send(actor, Note("")).err(),
            cx.send_mut(Me, &mut Note("")).err(),
            cx.request(actor, crate::common::Who).err(),
            cx.request_all(Me, crate::common::Who).err(),
            cx.post(&later, Note("")).err(),
            cx.post(&Header::to(actor).build().expect("plain"), Note(""))
                .err(),
            cx.publish(Me, Note("")).err(),
            cx.send_any(Me, Box::new(Note(""))).err(),
        ];
        for (at, error) in refused.into_iter().enumerate() {
            let leaving = matches!(
                &error,
                Some(error) if *error.kind() == SendErrorKind::Absent(Absence::Leaving) && error.to() == Some(actor.into())
            );
            assert!(leaving, "{at}: {error:?}");
        }
        for error in [
            cx.send(hook, Note("")).err(),
            cx.request(hook, crate::common::Who).err(),
            cx.post_to(hook, &later, Note("")).err(),
            cx.publish(hook, Note("")).err(),
        ] {
            let leaving = matches!(
                &error,
                Some(error) if *error.kind() == SendErrorKind::Absent(Absence::Leaving) && error.to() == Some(hook.into())
            );
            assert!(leaving, "{error:?}");
        }
        // Among others it is passed over.
        assert_eq!(
            cx.send(Up(actor), Note("family")).map(|it| it.received),
            Ok(1)
        );
        let error = cx.send(Me, Note("")).expect_err("it is leaving");
        assert_eq!(
            error.to_string(),
            format!(
                "`failures::common::Note` was not delivered to messagee {actor}: it was \
                 despawned or unhooked in this dispatch"
            )
        );
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["other: family"]);
    assert!(
        said.try_recv().is_err(),
        "an error at once is no dead letter"
    );
    Ok(())
}

// holds: reentrancy.leaving
#[test]
fn a_send_goes_on_that_began_before_its_recipient_was_leaving() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.hook(actor, Ear::new("ear", &log))?;
    let told = log.clone();
    manager.subscribe(Filter::of::<Peek>(), move |_, _| told.add("heard"));
    let script = Do::new(move |cx| {
        cx.send(Me, Peek("before")).expect("sent");
        cx.despawn(actor).expect("it is alive");
        cx.send(Me, Peek("after")).expect_err("it is leaving");
    });
    let receipt = manager.send(actor, script)?;
    assert_eq!(receipt.received, 1);
    let heard = log.take();
    assert_eq!(
        heard.iter().filter(|it| *it == "heard").count(),
        1,
        "{heard:?}"
    );
    Ok(())
}
