//! Return values of subscribers, and paused subscriptions.

use std::ops::ControlFlow;
use std::sync::mpsc;
use std::time::Duration;

use crate::common::{Do, Log, Note, Tested, Who, panic_of, stage};
use crate::subscribers::notes;
use message_core::SubscriptionId;
use message_core::prelude::*;

/// Returns a subscriber of notes that takes the given one alone.
fn takes(
    log: &Log,
    word: &'static str,
) -> impl FnMut(&Note, &mut SubscriberContext<'_>) -> bool + Send + 'static {
    let log = log.clone();
    move |note, _| {
        log.add(format!("asked: {}", note.0));
        note.0 == word
    }
}

/// Returns a subscriber of notes that consumes the given one.
fn consumes(
    log: &Log,
    word: &'static str,
) -> impl FnMut(&Note, &mut SubscriberContext<'_>) -> ControlFlow<()> + Send + 'static {
    let log = log.clone();
    move |note, _| {
        log.add(format!("first: {}", note.0));
        if note.0 == word {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

// holds: subscriptions.returns-false, required.not-received
#[test]
fn a_subscriber_that_returns_false_has_not_received() -> Tested {
    let mut manager = MessageManager::new();
    let (log, nobody) = (Log::default(), manager.spawn(()));
    manager.subscribe(Filter::of::<Note>(), takes(&log, "a"));
    manager.subscribe(Filter::of::<Note>(), notes(&log, "behind"));
    assert_eq!(manager.send(nobody, Note("a"))?.received, 2);
    assert_eq!(manager.send(nobody, Note("b"))?.received, 1);
    // A second list of subscribers, so that both are merged.
    manager.subscribe(Filter::of::<Note>().to(nobody), takes(&log, "b"));
    assert_eq!(manager.send(nobody, Note("b"))?.received, 2);
    assert_eq!(manager.send(nobody, Note("c"))?.received, 1);
    let required = Header::to(nobody).require(2).build()?;
    assert!(manager.post(&required, Note("b")).is_ok());
    assert!(manager.post(&required, Note("c")).is_err());
    Ok(())
}

// holds: subscriptions.returns-false
#[test]
fn one_that_is_once_is_not_used_up_by_what_it_declines() -> Tested {
    let (mut manager, log, actor) = stage();
    let id = manager.subscribe(Filter::of::<Note>().once(), takes(&log, "b"));
    for word in ["a", "b", "b"] {
        manager.send(actor, Note(word))?;
    }
    let heard = ["actor: a", "asked: a", "actor: b", "asked: b", "actor: b"];
    assert_eq!(log.take(), heard);
    assert!(!manager.unsubscribe(id));

    let staged = Filter::of::<Note>().once().stage(Stage::Update);
    manager.subscribe(staged, takes(&log, "d"));
    for word in ["c", "d", "d"] {
        manager.send(actor, Note(word))?;
        manager.tick(Duration::ZERO);
    }
    let heard = ["actor: c", "asked: c", "actor: d", "asked: d", "actor: d"];
    assert_eq!(log.take(), heard);
    Ok(())
}

// holds: subscriptions.once-ended-when-called
#[test]
fn one_that_is_unsubscribed_while_it_receives_its_one_message_does_not_come_back_by_declining()
-> Tested {
    let (mut manager, log, actor) = stage();
    let (tell, told) = mpsc::channel::<SubscriptionId>();
    let asked = log.clone();
    let id = manager.subscribe(Filter::of::<Note>().once(), move |_, cx| {
        asked.add("asked");
        let id = told.recv().expect("the id was sent");
        assert!(!cx.unsubscribe(id));
        false
    });
    tell.send(id)?;
    manager.send(actor, Note("a"))?;
    manager.send(actor, Note("b"))?;
    assert_eq!(log.take(), ["actor: a", "asked", "actor: b"]);
    Ok(())
}

// holds: subscriptions.returns-break
#[test]
fn a_subscriber_that_breaks_consumes_the_message_for_those_behind_it() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Note>(), consumes(&log, "b"));
    manager.subscribe(Filter::of::<Note>(), notes(&log, "behind"));
    let receipt = manager.send(actor, Note("a"))?;
    assert_eq!((receipt.received, receipt.consumed), (3, false));
    let receipt = manager.send(actor, Note("b"))?;
    assert_eq!((receipt.received, receipt.consumed), (2, true));
    let heard = ["actor: a", "first: a", "behind: a", "actor: b", "first: b"];
    assert_eq!(log.take(), heard);
    manager.subscribe(Filter::all(), |_, _| ());
    assert_eq!(manager.send(actor, Note("b"))?.received, 2);
    assert_eq!(log.take(), ["actor: b", "first: b"]);
    Ok(())
}

// holds: subscriptions.returns-break
#[test]
fn a_staged_subscriber_that_breaks_keeps_the_message_from_staged_ones_behind_it() -> Tested {
    let (mut manager, log, actor) = stage();
    let staged = Filter::of::<Note>().stage(Stage::Update);
    manager.subscribe(staged.clone(), consumes(&log, "b"));
    manager.subscribe(staged.clone(), notes(&log, "behind"));
    for word in ["a", "b"] {
        manager.send(actor, Note(word))?;
    }
    log.take();
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["first: a", "behind: a", "first: b"]);
    Ok(())
}

// holds: reentrancy.panic-to-caller
#[test]
fn a_subscriber_and_an_interceptor_may_never_return() {
    let (mut manager, _, actor) = stage();
    manager.subscribe(Filter::of::<Note>(), |_, _| panic!("after"));
    manager.subscribe(Filter::of::<Who>().before(), |_, _| panic!("before"));
    assert_eq!(panic_of(|| manager.send(actor, Note(""))), "after");
    assert_eq!(panic_of(|| manager.request(actor, Who)), "before");
}

// holds: subscriptions.returns, subscriptions.before
#[test]
fn an_interceptor_that_returns_nothing_lets_the_message_pass() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Note>().before(), |note, _| note.0 = "changed");
    assert_eq!(manager.send(actor, Note("a"))?.received, 1);
    assert_eq!(log.take(), ["actor: changed"]);
    Ok(())
}

// Paused.

// holds: subscriptions.paused
#[test]
fn a_paused_subscription_receives_nothing_and_keeps_its_place() -> Tested {
    let (mut manager, log, actor) = stage();
    let first = manager.subscribe(Filter::of::<Note>(), notes(&log, "first"));
    manager.subscribe(Filter::of::<Note>(), notes(&log, "second"));
    assert!(manager.is_listening(first));
    assert!(manager.set_listening(first, false));
    assert!(manager.set_listening(first, false));
    assert!(!manager.is_listening(first));
    assert_eq!(manager.send(actor, Note("a"))?.received, 2);
    assert!(manager.set_listening(first, true) && manager.is_listening(first));
    manager.send(actor, Note("b"))?;
    let heard = ["actor: a", "second: a", "actor: b", "first: b", "second: b"];
    assert_eq!(log.take(), heard);
    manager.unsubscribe(first);
    assert!(!manager.set_listening(first, true) && !manager.is_listening(first));
    Ok(())
}

// holds: subscriptions.paused
#[test]
fn a_paused_interceptor_lets_everything_pass() -> Tested {
    let (mut manager, log, actor) = stage();
    let filter = Filter::of::<Note>().before();
    let id = manager.subscribe(filter, |_, _| ControlFlow::Break(()));
    manager.set_listening(id, false);
    manager.send(actor, Note("a"))?;
    manager.set_listening(id, true);
    manager.send(actor, Note("b"))?;
    assert_eq!(log.take(), ["actor: a"]);
    Ok(())
}

// holds: subscriptions.pause-at-once, subscriptions.pause-under-way
#[test]
fn pausing_and_resuming_in_a_handler_take_effect_at_once_and_a_message_under_way_keeps_its_receivers()
-> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((crate::common::Ear::new("ear", &log),));
    let on = manager.subscribe(Filter::all(), {
        let log = log.clone();
        move |_, _| log.add("on")
    });
    let off = manager.subscribe(Filter::all(), {
        let log = log.clone();
        move |_, _| log.add("off")
    });
    manager.set_listening(off, false);
    let script = Do::new(move |cx| {
        assert!(cx.set_listening(on, false) && cx.set_listening(off, true));
        assert!(!cx.is_listening(on) && cx.is_listening(off));
        cx.send(other, Note("sent since")).expect("sent");
    });
    // The script itself is heard by neither: one is paused, the other was when it began.
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["ear: sent since", "off"]);
    manager.send(other, Note("later"))?;
    assert_eq!(log.take(), ["ear: later", "off"]);
    Ok(())
}

// holds: subscriptions.pause-at-once
#[test]
fn one_that_is_made_and_paused_in_the_same_handler_begins_paused() -> Tested {
    let (mut manager, log, actor) = stage();
    let (put, get) = crate::common::slot();
    let heard = notes(&log, "late");
    let script = Do::new(move |cx| {
        let id = cx.subscribe(Filter::of::<Note>(), heard);
        assert!(!cx.is_listening(id) && cx.set_listening(id, false));
        put(id);
    });
    manager.send(actor, script)?;
    let id = get();
    manager.send(actor, Note("a"))?;
    manager.set_listening(id, true);
    manager.send(actor, Note("b"))?;
    assert_eq!(log.take(), ["actor: a", "actor: b", "late: b"]);
    Ok(())
}

// holds: subscriptions.pause-kept
#[test]
fn what_waits_for_one_that_is_paused_when_its_turn_comes_is_not_delivered() -> Tested {
    let (mut manager, log, actor) = stage();
    let staged = Filter::of::<Note>().stage(Stage::Update).once();
    let id = manager.subscribe(staged, notes(&log, "staged"));
    manager.send(actor, Note("a"))?;
    manager.set_listening(id, false);
    manager.tick(Duration::ZERO);
    manager.set_listening(id, true);
    // It was once, and has received nothing.
    manager.send(actor, Note("b"))?;
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["actor: a", "actor: b", "staged: b"]);

    let heard = log.clone();
    let (tell, told) = mpsc::channel::<SubscriptionId>();
    let busy = manager.subscribe(Filter::of::<Note>(), move |note, cx| {
        heard.add(format!("busy: {}", note.0));
        if note.0 == "c" {
            cx.send(actor, Note("kept")).expect("kept");
            let id = told.recv().expect("the id was sent");
            cx.set_listening(id, false);
        }
    });
    tell.send(busy)?;
    manager.send(actor, Note("c"))?;
    assert_eq!(log.take(), ["actor: c", "busy: c", "actor: kept"]);
    Ok(())
}
