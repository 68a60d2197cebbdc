//! Panics in subscribers and interceptors, and in what receives posted messages, under the policy to
//! unhook.

use std::ops::ControlFlow;

use crate::brittle::{Butler, Cup, Dropped, Fall, Plate, unhooking_stage};
use crate::common::{Ear, Note, Tested, Who, slot};
use crate::pending::{ms, soon};
use message_core::error::Receiver;
use message_core::lifecycle::HandlerPanicked;
use message_core::prelude::*;

/// Panics on that note.
fn panics_on(text: &'static str) -> impl FnMut(&Note, &mut SubscriberContext<'_>) + Send + 'static {
    move |note, _| assert!(note.0 != text, "{text}")
}

// Subscribers.

// holds: reentrancy.unhook-subscriber, reentrancy.panicked-counts
#[test]
fn a_subscription_of_nobody_ends_and_everyone_is_told() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    manager.spawn((Butler(log.clone()),));
    manager.spawn((Butler(log.clone()),));
    let id = manager.subscribe(Filter::of::<Note>(), panics_on("oops"));
    manager.send(actor, Note("fine"))?;
    let receipt = manager.send(actor, Note("oops"))?;
    assert_eq!(receipt.received, 2);
    let told = ["panicked: oops", "panicked: oops"];
    assert_eq!(log.take(), ["actor: fine", "actor: oops", told[0], told[1]]);
    assert!(!manager.unsubscribe(id));
    assert_eq!(manager.send(actor, Note("oops"))?.received, 1);
    Ok(())
}

// holds: reentrancy.unhook-subscriber
#[test]
fn a_subscription_of_a_messagee_ends_and_its_owner_is_told() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    let owner = manager.spawn((Butler(log.clone()),));
    manager.spawn((Butler(crate::common::Log::default()),));
    let (put, get) = slot();
    let mut put = Some(put);
    manager.subscribe(Filter::of::<HandlerPanicked>(), move |it, cx| {
        if let Some(put) = put.take() {
            put((it.clone(), cx.recipient()));
        }
    });
    let id = manager.subscribe_for(owner, Filter::of::<Note>(), panics_on("oops"))?;
    manager.send(actor, Note("oops"))?;
    let line = line!() - 1;
    let (told, to) = get();
    assert_eq!(to, Recipient::Id(owner));
    let owner = Some(owner);
    assert_eq!(told.receiver, Receiver::Subscription { id, owner });
    assert_eq!((told.hook, told.handler), (None, None));
    assert_eq!((told.message, told.place.line()), (Note::NAME, line));
    assert_eq!(told.panic, "oops");
    assert!(!manager.unsubscribe(id));
    Ok(())
}

// holds: reentrancy.panicked-counts, reentrancy.unhook-subscriber
#[test]
fn an_interceptor_that_panics_lets_the_message_pass() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    manager.spawn((Butler(log.clone()),));
    let id = manager.subscribe(Filter::of::<Note>().before(), |_, _| panic!("oops"));
    let other = log.clone();
    manager.subscribe(Filter::of::<Note>().before(), move |_, _| {
        other.add("the next");
        ControlFlow::Continue(())
    });
    let receipt = manager.send(actor, Note("heard"))?;
    assert_eq!((receipt.received, receipt.consumed), (1, false));
    assert_eq!(log.take(), ["the next", "actor: heard", "panicked: oops"]);
    assert!(!manager.unsubscribe(id));
    Ok(())
}

// holds: reentrancy.unhook-goes-on
#[test]
fn those_behind_a_subscriber_that_panics_hear_the_message() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    manager.subscribe(Filter::all(), |message, _| {
        assert!(message.name() != Note::NAME, "oops");
    });
    let other = log.clone();
    manager.subscribe(Filter::of::<Note>(), move |note, _| other.add(note.0));
    manager.send(actor, Note("heard"))?;
    assert_eq!(log.take(), ["actor: heard", "heard"]);
    Ok(())
}

// holds: reentrancy.unhook-subscriber
#[test]
fn a_subscriber_to_panics_that_panics_ends_too() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    manager.spawn((Butler(log.clone()),));
    let id = manager.subscribe(Filter::of::<HandlerPanicked>(), |_, _| panic!("me too"));
    manager.subscribe(Filter::of::<Note>(), panics_on("oops"));
    manager.send(actor, Note("oops"))?;
    let expected = ["actor: oops", "panicked: oops", "panicked: me too"];
    assert_eq!(log.take(), expected);
    assert!(!manager.unsubscribe(id));
    Ok(())
}

// holds: reentrancy.unhook-goes-on
#[test]
fn a_busy_subscriber_that_panics_receives_nothing_of_what_was_kept_for_it() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    manager.subscribe(Filter::of::<Note>(), move |note, cx| {
        if note.0 == "first" {
            let receipt = cx.send(actor, Note("second")).expect("it is there");
            assert_eq!((receipt.received, receipt.pending), (1, 1));
        }
        panic!("{}", note.0);
    });
    manager.spawn((Butler(log.clone()),));
    manager.send(actor, Note("first"))?;
    let expected = ["actor: first", "actor: second", "panicked: first"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: reentrancy.unhook-goes-on, reentrancy.unhook-subscriber
#[test]
fn a_staged_subscriber_that_panics_does_not_end_the_pass() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    manager.spawn((Butler(log.clone()),));
    manager.subscribe(Filter::of::<Note>().stage(Stage::Update), panics_on("1"));
    let other = log.clone();
    manager.subscribe(Filter::of::<Note>().stage(Stage::Update), move |note, _| {
        other.add(note.0);
    });
    for text in ["1", "2"] {
        manager.send(actor, Note(text))?;
    }
    log.take();
    manager.tick(ms(10));
    assert_eq!(log.take(), ["panicked: 1", "1", "2"]);
    Ok(())
}

// holds: reentrancy.unhook-subscriber, subscriptions.with-retained
#[test]
fn a_retained_message_that_makes_a_subscriber_panic_reaches_the_next() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    let header = Header::to(actor).retain().build()?;
    manager.post(&header, Note("kept"))?;
    let id = manager.subscribe(Filter::of::<Note>().with_retained(), panics_on("kept"));
    assert!(!manager.unsubscribe(id));
    let other = log.clone();
    let filter = Filter::of::<Note>().with_retained();
    manager.subscribe(filter, move |note, _| other.add(note.0));
    assert_eq!(log.take(), ["actor: kept", "kept"]);
    Ok(())
}

// holds: reentrancy.unhook-subscriber
#[test]
fn the_closure_is_dropped_once_also_if_that_panics_too() -> Tested {
    for (once, hurts) in [(false, false), (true, false), (false, true), (true, true)] {
        let (mut manager, log, actor) = unhooking_stage();
        manager.spawn((Butler(log.clone()),));
        let dropped = if hurts {
            Dropped::that_hurts()
        } else {
            Dropped::default()
        };
        let times = dropped.counter();
        let listen = move |_: &Note, _: &mut SubscriberContext<'_>| {
            let _held = &dropped;
            panic!("oops");
        };
        let filter = Filter::of::<Note>();
        manager.subscribe(if once { filter.once() } else { filter }, listen);
        manager.send(actor, Note("1"))?;
        assert_eq!(times(), 1, "once: {once}, hurts: {hurts}");
        let told = log.take().pop().ok_or("it was reported")?;
        let expected = if hurts {
            "panicked: oops; and when it was dropped: it hurts"
        } else {
            "panicked: oops"
        };
        assert_eq!(told, expected, "once: {once}");
    }
    Ok(())
}

#[test]
fn an_owner_that_goes_in_the_same_send_is_told_nothing() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    let owner = manager.spawn((Butler(log.clone()),));
    manager.subscribe_for(owner, Filter::of::<Note>(), move |_: &Note, cx| {
        cx.despawn(owner).expect("it is there");
        panic!("oops");
    })?;
    manager.send(actor, Note("1"))?;
    assert!(!manager.is_alive(owner));
    let told = log.take();
    assert!(
        !told.iter().any(|line| line.starts_with("panicked")),
        "{told:?}"
    );
    Ok(())
}

// Posted messages.

// holds: reentrancy.unhook-goes-on
#[test]
fn a_pass_goes_on_behind_a_message_that_makes_its_receiver_panic() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    let cup = manager.spawn((Cup::new("cup", &log), Butler(log.clone())));
    manager.post(&soon(cup), Fall("oops"))?;
    manager.post(&soon(cup), Note("to nobody"))?;
    manager.post(&soon(actor), Note("next"))?;
    manager.tick(ms(10));
    assert_eq!(
        log.take(),
        ["unhooking Cup", "panicked: oops", "actor: next"]
    );
    assert!(!manager.has_pending(Posts::all()));
    Ok(())
}

// holds: reentrancy.unhook-goes-on
#[test]
fn a_message_that_repeats_goes_on_for_those_who_are_left() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let one = manager.spawn((Plate::new("one", &log),));
    manager.spawn((Plate::new("two", &log),));
    let header = Header::to(Everyone).every(ms(10)).times(3).build()?;
    manager.post(&header, Fall("one"))?;
    for _ in 0..4 {
        manager.tick(ms(10));
    }
    assert_eq!(log.take(), ["two: stands"; 3]);
    assert_eq!(manager.hooks(one).count(), 0);
    assert!(!manager.has_pending(Posts::all()));
    Ok(())
}

// holds: reentrancy.panicked-counts, required.not-received
#[test]
fn a_post_that_requires_receivers_counts_those_that_panicked_as_those_that_failed() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let cup = manager.spawn((Cup::new("cup", &log),));
    let header = Header::to(cup).require(1).build()?;
    manager.post(&header, Fall("oops"))?;
    let error = manager
        .post(&header, Fall("again"))
        .expect_err("it is gone");
    assert!(
        matches!(error.kind(), SendErrorKind::NotReceived { got: 0, .. }),
        "{error}"
    );
    Ok(())
}

// holds: reentrancy.unhook-goes-on
#[test]
fn what_a_subscriber_sends_before_it_panics_is_delivered() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    manager.subscribe(Filter::of::<Who>(), move |_, cx| {
        cx.send(ear, Note("asked")).expect("it is there");
        let newborn = cx.spawn(());
        cx.set_parent(newborn, Some(ear)).expect("no cycle");
        panic!("oops");
    });
    // The component that answers is asked; the subscriber only hears of it.
    assert_eq!(manager.request_all(actor, Who)?.len(), 1);
    assert_eq!(log.take(), ["ear: asked"]);
    assert_eq!(manager.children(ear).count(), 1);
    Ok(())
}
