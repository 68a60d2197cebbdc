//! Interceptors: subscriptions that receive a message before the addressed do, may change it, and
//! may consume it.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{Actor, Do, Ear, Log, Note, Tested, Tour, Who, panic_of, slot, stage};
use message_core::Recipient::Me;
use message_core::error::{Receiver, Undelivered};
use message_core::prelude::*;

tag!(SECRET);

const GO_ON: ControlFlow<()> = ControlFlow::Continue(());
const CONSUME: ControlFlow<()> = ControlFlow::Break(());

type Verdict = ControlFlow<()>;

/// Returns an interceptor that adds its name to a tour.
fn adds(
    name: &'static str,
) -> impl FnMut(&mut Tour, &mut SubscriberContext<'_>) -> Verdict + Send + 'static {
    move |tour, _| {
        tour.0.push(name);
        GO_ON
    }
}

/// Returns an interceptor that logs notes, and consumes them if configured to.
fn logs(
    log: &Log,
    name: &'static str,
    verdict: Verdict,
) -> impl FnMut(&mut Note, &mut SubscriberContext<'_>) -> Verdict + Send + 'static {
    let log = log.clone();
    move |note, _| {
        log.add(format!("{name}: {}", note.0));
        verdict
    }
}

/// Returns a subscriber of notes that logs them.
fn hears(
    log: &Log,
    name: &'static str,
) -> impl FnMut(&Note, &mut SubscriberContext<'_>) + Send + 'static {
    let log = log.clone();
    move |note, _| log.add(format!("{name}: {}", note.0))
}

// holds: subscriptions.before
#[test]
fn an_interceptor_runs_before_everybody_else() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Note>(), hears(&log, "subscriber"));
    let filter = Filter::of::<Note>().before();
    manager.subscribe(filter, logs(&log, "interceptor", GO_ON));
    let expected = ["interceptor: a", "actor: a", "subscriber: a"];
    // An interceptor that lets the message pass does not count as a receiver.
    assert_eq!(manager.send(actor, Note("a"))?.received, 2);
    assert_eq!(log.take(), expected);
    manager.send(Everyone, Note("a"))?;
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: subscriptions.before, subscriptions.order
#[test]
fn several_run_in_the_order_subscribed_and_what_they_change_everybody_sees() -> Tested {
    let (mut manager, log, _) = stage();
    let id = manager.spawn((Ear::new("ear", &log),));
    manager.subscribe(Filter::of::<Tour>().before(), adds("1"));
    manager.subscribe(Filter::all().before(), |message, _| {
        if let Some(tour) = message.downcast_mut::<Tour>() {
            tour.0.push("2");
        }
        ControlFlow::Continue(())
    });
    manager.subscribe(Filter::of::<Tour>().before(), adds("3"));
    manager.subscribe(Filter::of::<Tour>(), {
        let log = log.clone();
        move |tour, _| log.add(tour.0.join(" "))
    });
    let mut tour = Tour::default();
    manager.send_mut(id, &mut tour)?;
    assert_eq!(tour.0, ["1", "2", "3", "ear"]);
    manager.send(id, Tour::default())?;
    assert_eq!(log.take(), ["1 2 3 ear", "1 2 3 ear"]);
    Ok(())
}

// holds: subscriptions.before, subscriptions.before-counts
#[test]
fn what_an_interceptor_consumes_nobody_receives_and_it_counts_as_its_receiver() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Note>(), hears(&log, "subscriber"));
    let filter = Filter::of::<Note>().before();
    manager.subscribe(filter.clone(), logs(&log, "first", GO_ON));
    manager.subscribe(filter.clone(), logs(&log, "second", CONSUME));
    manager.subscribe(filter.clone(), logs(&log, "third", GO_ON));
    for to in [Recipient::from(actor), Everyone] {
        let receipt = manager.send(to, Note("a"))?;
        assert_eq!((receipt.received, receipt.pending), (1, 0));
        assert!(receipt.consumed);
        assert_eq!(log.take(), ["first: a", "second: a"]);
    }
    Ok(())
}

// holds: subscriptions.before
#[test]
fn a_request_that_is_consumed_has_no_answer() -> Tested {
    let (mut manager, _, actor) = stage();
    manager.subscribe(Filter::all().before(), |_, _| CONSUME);
    let refused = manager.request(actor, Who);
    assert!(matches!(
        refused.map_err(SendError::into_kind),
        Err(SendErrorKind::NoAnswer { .. })
    ));
    assert_eq!(manager.request_all(actor, Who)?, []);
    assert!(manager.send_mut(actor, &mut Tour::default())?.consumed);
    Ok(())
}

// holds: subscriptions.hidden, required.not-received
#[test]
fn a_hidden_interceptor_does_not_count_as_a_receiver_of_what_it_consumes() -> Tested {
    let (mut manager, log, actor) = stage();
    let filter = Filter::of::<Note>().hidden().before();
    manager.subscribe(filter.clone(), logs(&log, "hidden", CONSUME));
    let receipt = manager.send(actor, Note("a"))?;
    assert_eq!((receipt.received, receipt.consumed), (0, true));
    assert_eq!(log.take(), ["hidden: a"]);
    let required = Header::to(actor).require(1).build()?;
    let refused = manager.post(&required, Note("b"));
    let Err(SendErrorKind::NotReceived { got: 0, why, .. }) =
        refused.as_ref().map_err(SendError::kind)
    else {
        panic!("{refused:?}");
    };
    assert_eq!(*why, Undelivered::Filtered);
    Ok(())
}

// holds: subscriptions.filter-all
#[test]
fn an_interceptor_receives_only_what_passes_its_filter() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Ear::new("other", &log),));
    let filter = Filter::of::<Note>().to(actor).tagged(SECRET).before();
    manager.subscribe(filter.clone(), logs(&log, "censor", CONSUME));
    let secret = Header::to(actor).tags(SECRET).build()?;
    manager.post(&secret, Note("1"))?;
    manager.post(&secret.with_recipient(other), Note("2"))?;
    manager.send(actor, Note("3"))?;
    assert_eq!(log.take(), ["censor: 1", "other: 2", "actor: 3"]);
    Ok(())
}

// holds: subscriptions.once
#[test]
fn an_interceptor_that_is_once_ends_with_the_first_message() -> Tested {
    let (mut manager, log, actor) = stage();
    let filter = Filter::of::<Note>().once().before();
    let id = manager.subscribe(filter.clone(), logs(&log, "once", CONSUME));
    manager.send(actor, Note("a"))?;
    manager.send(actor, Note("b"))?;
    assert_eq!(log.take(), ["once: a", "actor: b"]);
    assert!(!manager.unsubscribe(id));
    Ok(())
}

// holds: subscriptions.failed-unheard
#[test]
fn an_interceptor_is_not_called_for_a_send_that_fails() -> Tested {
    let (mut manager, log, _) = stage();
    let gone = manager.spawn(());
    manager.despawn(gone)?;
    let filter = Filter::of::<Note>().before();
    manager.subscribe(filter.clone(), logs(&log, "interceptor", CONSUME));
    let failed = manager.send(gone, Note("a"));
    assert!(matches!(
        failed.map_err(SendError::into_kind),
        Err(SendErrorKind::Absent(Absence::Gone))
    ));
    assert!(log.take().is_empty());
    Ok(())
}

// Running interceptors.

/// Sends these notes to the messagee while it handles the note "go", and logs every note.
fn sends(
    log: &Log,
    to: MessageeId,
    notes: &'static [&'static str],
) -> impl FnMut(&mut Note, &mut SubscriberContext<'_>) -> Verdict + Send + 'static {
    let log = log.clone();
    move |note, cx| {
        log.add(format!("interceptor: {}", note.0));
        if note.0 == "go" {
            for text in notes {
                let receipt = cx.send(to, Note(text)).expect("it waits");
                assert_eq!((receipt.received, receipt.pending), (0, 1));
            }
            log.add("interceptor is done");
        }
        GO_ON
    }
}

// holds: subscriptions.busy-before
#[test]
fn while_an_interceptor_is_running_a_message_that_it_would_receive_waits_for_everybody() -> Tested {
    let (mut manager, log, actor) = stage();
    let filter = Filter::of::<Note>().before();
    manager.subscribe(filter.clone(), sends(&log, actor, &["kept"]));
    manager.subscribe(Filter::of::<Note>(), hears(&log, "subscriber"));
    manager.send(actor, Note("go"))?;
    let expected = [
        "interceptor: go",
        "interceptor is done",
        // As soon as it is free.
        "interceptor: kept",
        "actor: kept",
        "subscriber: kept",
        "actor: go",
        "subscriber: go",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: subscriptions.busy-before
#[test]
fn messages_that_wait_for_an_interceptor_are_delivered_in_the_order_sent() -> Tested {
    let (mut manager, log, actor) = stage();
    let filter = Filter::of::<Note>().before();
    manager.subscribe(filter.clone(), sends(&log, actor, &["1", "2", "3"]));
    manager.send(actor, Note("go"))?;
    let expected = [
        "interceptor: go",
        "interceptor is done",
        "interceptor: 1",
        "actor: 1",
        "interceptor: 2",
        "actor: 2",
        "interceptor: 3",
        "actor: 3",
        "actor: go",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: subscriptions.busy-before
#[test]
fn a_message_that_waits_for_an_interceptor_passes_each_interceptor_once() -> Tested {
    let (mut manager, log, actor) = stage();
    let filter = Filter::of::<Tour>().before();
    manager.subscribe(filter.clone(), adds("first"));
    manager.subscribe(filter.clone(), move |tour, cx| {
        if tour.0.first() == Some(&"go") {
            cx.send(actor, Tour::default()).expect("it waits");
        }
        tour.0.push("second");
        GO_ON
    });
    manager.subscribe(filter.clone(), adds("third"));
    manager.subscribe(Filter::of::<Tour>(), {
        let log = log.clone();
        move |tour, _| log.add(tour.0.join(" "))
    });
    manager.send(actor, Tour(vec!["go"]))?;
    let expected = ["first second third actor", "go first second third actor"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: subscriptions.busy-before, subscriptions.before
#[test]
fn a_message_that_waits_for_an_interceptor_can_be_consumed_by_it() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>().before(), move |note, cx| {
        if note.0 == "go" {
            cx.send(actor, Note("kept")).expect("it waits");
            return GO_ON;
        }
        told.add(format!("consumed: {}", note.0));
        CONSUME
    });
    manager.send(actor, Note("go"))?;
    assert_eq!(log.take(), ["consumed: kept", "actor: go"]);
    Ok(())
}

// holds: subscriptions.busy-before
#[test]
fn a_message_that_waits_for_an_interceptor_that_ends_meanwhile_is_delivered() -> Tested {
    let (mut manager, log, actor) = stage();
    let (put, get) = std::sync::mpsc::channel();
    let id = manager.subscribe(Filter::of::<Note>().before(), move |_, cx| {
        let receipt = cx.send(actor, Note("kept")).expect("it waits");
        assert_eq!(receipt.pending, 1);
        assert!(cx.unsubscribe(get.recv().expect("its own id")));
        GO_ON
    });
    put.send(id)?;
    manager.send(actor, Note("go"))?;
    assert_eq!(log.take(), ["actor: kept", "actor: go"]);
    Ok(())
}

// holds: subscriptions.busy-before
#[test]
fn what_a_running_interceptor_would_not_receive_does_not_wait() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Ear::new("other", &log),));
    let told = log.clone();
    let filter = Filter::of::<Note>().to(actor).before();
    manager.subscribe(filter, move |_, cx| {
        let receipt = cx.send(other, Note("at once")).expect("it is free");
        assert_eq!((receipt.received, receipt.pending), (1, 0));
        told.add("done");
        GO_ON
    });
    manager.send(actor, Note("go"))?;
    assert_eq!(log.take(), ["other: at once", "done", "actor: go"]);
    Ok(())
}

// holds: subscriptions.busy-request
#[test]
fn what_cannot_wait_for_a_running_interceptor_fails_and_names_it_and_the_chain() -> Tested {
    let (mut manager, _, actor) = stage();
    let (put, get) = slot();
    let mut put = Some(put);
    let filter = Filter::all().before();
    let id = manager.subscribe(filter, move |_, cx| {
        if let Some(put) = put.take() {
            let mut tour = Tour::default();
            let errors = [
                cx.send_mut(actor, &mut tour).expect_err("it is busy"),
                cx.request(actor, Who).expect_err("it is busy"),
                cx.request_all(Everyone, Who).expect_err("it is busy"),
            ];
            assert!(tour.0.is_empty(), "nobody has received it");
            put(errors);
        }
        GO_ON
    });
    manager.send(actor, Note("go"))?;
    for error in get() {
        let text = error.to_string();
        let SendErrorKind::Busy {
            receiver, chain, ..
        } = error.kind()
        else {
            panic!("{error}");
        };
        assert_eq!(*receiver, Receiver::Subscription { id, owner: None });
        let running = chain.links().iter().map(|link| link.receiver);
        assert!(running.eq([*receiver]));
        assert!(text.contains(&format!("subscription {id} would receive it and is busy")));
    }
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn a_panic_in_an_interceptor_leaves_nothing_borrowed_and_loses_nothing_that_waits() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Note>().before(), move |note, cx| {
        if note.0 == "bad" {
            cx.send(actor, Note("kept")).expect("it waits");
            panic!("a bad note");
        }
        note.0 = "seen";
        GO_ON
    });
    let panic = panic_of(|| manager.send(actor, Note("bad")));
    assert_eq!(panic, "a bad note");
    assert!(log.take().is_empty());
    manager.settle();
    assert_eq!(log.take(), ["actor: seen"]);
    manager.send(actor, Note("good"))?;
    assert_eq!(log.take(), ["actor: seen"]);
    Ok(())
}

// Posted and kept messages.

// holds: subscriptions.before
#[test]
fn a_posted_message_is_intercepted_when_it_is_delivered() -> Tested {
    let (mut manager, log, actor) = stage();
    let header = Header::to(actor).stage(Stage::Update).build()?;
    manager.post(&header, Note("a"))?;
    let filter = Filter::of::<Note>().before();
    manager.subscribe(filter, logs(&log, "interceptor", CONSUME));
    assert!(log.take().is_empty());
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["interceptor: a"]);
    Ok(())
}

// holds: subscriptions.before
#[test]
fn a_message_kept_for_a_newborn_is_intercepted_when_it_comes_alive() -> Tested {
    let (mut manager, log, actor) = stage();
    let filter = Filter::of::<Note>().before();
    manager.subscribe(filter, logs(&log, "interceptor", GO_ON));
    let told = log.clone();
    let script = Do::new(move |cx| {
        let child = cx.spawn((Actor::new("child", &told),));
        let receipt = cx.send(child, Note("welcome")).expect("it is kept");
        assert_eq!((receipt.received, receipt.pending), (0, 1));
        told.add("done");
    });
    manager.send(actor, script)?;
    let expected = ["done", "interceptor: welcome", "child: welcome"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: subscriptions.before
#[test]
fn a_message_kept_for_a_busy_component_was_intercepted_when_it_was_sent() -> Tested {
    let (mut manager, log, actor) = stage();
    let filter = Filter::of::<Note>().before();
    manager.subscribe(filter, logs(&log, "interceptor", GO_ON));
    let told = log.clone();
    let script = Do::new(move |cx| {
        cx.send(Me, Note("kept")).expect("it is kept");
        told.add("done");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["interceptor: kept", "done", "actor: kept"]);
    Ok(())
}

#[test]
fn an_interceptor_has_no_stage_and_no_retained_messages() {
    let staged = panic_of(|| Filter::of::<Note>().stage(Stage::Update).before());
    let retained = panic_of(|| Filter::all().with_retained().before());
    for text in [staged, retained] {
        assert!(text.contains("expected `before()` without `stage()`"));
    }
    let immediate = Filter::of::<Note>().stage(Stage::Immediate);
    let made = catch_unwind(AssertUnwindSafe(|| immediate.before()));
    assert!(made.is_ok());
}

#[test]
fn an_interceptor_that_is_built_says_what_it_is() {
    let interceptor = format!("{:?}", Filter::all().before());
    assert!(interceptor.contains("part: Before"), "{interceptor}");
}
