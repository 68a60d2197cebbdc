//! Running subscribers: messages kept for them, failures, and endings.

use crate::common::{Actor, Do, Log, Note, Peek, Tested, Tour, Who, panic_of, slot, stage};
use crate::subscribers::notes;
use message_core::error::Receiver;
use message_core::prelude::*;

// holds: subscriptions.busy-kept
#[test]
fn a_send_is_kept_for_a_running_subscriber_and_delivered_in_order_when_it_is_free() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>(), move |note, cx| {
        told.add(format!("subscriber: {}", note.0));
        if note.0 == "go" {
            for text in ["1", "2", "3"] {
                let receipt = cx.send(actor, Note(text)).expect("sent");
                assert_eq!((receipt.received, receipt.pending), (1, 1));
            }
            told.add("subscriber is done");
        }
    });
    let filter = Filter::of::<Note>().to(Everyone);
    manager.subscribe(filter, notes(&log, "behind"));
    manager.send(Everyone, Note("go"))?;
    let expected = [
        "actor: go",
        "subscriber: go",
        "actor: 1",
        "actor: 2",
        "actor: 3",
        "subscriber is done",
        "subscriber: 1",
        "subscriber: 2",
        "subscriber: 3",
        "behind: go",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: headers.envelope
#[test]
fn what_is_kept_for_a_subscriber_keeps_its_sender_its_recipient_and_its_place() -> Tested {
    let (mut manager, log, actor) = stage();
    let (told, line) = (log.clone(), line!() + 6);
    manager.subscribe_for(actor, Filter::of::<Note>().from(actor), move |note, cx| {
        let (from, to, line) = (cx.sender(), cx.recipient(), cx.place().line());
        told.add(format!("{} from {from} to {to} in {line}", note.0));
        if note.0 == "go" {
            let up = Up(actor);
            cx.send(up, Note("kept")).expect("sent");
        }
    })?;
    manager.speak_for(actor)?.send(actor, Note("go"))?;
    let kept =
        format!("kept from messagee {actor} to messagee {actor} and its ancestors in {line}");
    assert_eq!(log.take().last(), Some(&kept));
    Ok(())
}

// holds: subscriptions.busy-kept, subscriptions.busy-request
#[test]
fn what_a_running_subscriber_would_not_receive_goes_its_way() -> Tested {
    let (mut manager, log, actor) = stage();
    let filter = Filter::of::<Note>().to(Everyone);
    manager.subscribe(filter, move |_, cx| {
        let receipt = cx.send(actor, Note("passed")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (1, 0));
        assert_eq!(cx.request(actor, Who), Ok("actor"));
        cx.send_mut(actor, &mut Tour::default()).expect("sent");
    });
    manager.send(Everyone, Note("go"))?;
    assert_eq!(log.take(), ["actor: go", "actor: passed"]);
    Ok(())
}

// holds: subscriptions.busy-kept, subscriptions.hidden
#[test]
fn a_hidden_subscriber_that_is_running_is_kept_for_and_not_counted() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>().hidden(), move |note, cx| {
        told.add(format!("hidden: {}", note.0));
        if note.0 == "go" {
            let receipt = cx.send(actor, Note("kept")).expect("sent");
            assert_eq!((receipt.received, receipt.pending), (1, 0));
        }
    });
    manager.send(actor, Note("go"))?;
    let expected = ["actor: go", "hidden: go", "actor: kept", "hidden: kept"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: subscriptions.busy-request
#[test]
fn what_cannot_wait_for_a_running_subscriber_fails_and_names_it_and_the_chain() -> Tested {
    let (mut manager, log, actor) = stage();
    let inner = manager.spawn((Actor::new("inner", &log),));
    let (put, get) = slot();
    let nested = Do::new(move |cx| {
        let mut tour = Tour::default();
        let errors = [
            cx.send_mut(actor, &mut tour).expect_err("it is busy"),
            cx.request(actor, Who).expect_err("it is busy"),
            cx.request_all(actor, Who).expect_err("it is busy"),
        ];
        assert!(tour.0.is_empty(), "nobody has received it");
        put(errors);
    });
    let mut nested = Some(nested);
    let filter = Filter::all().to(actor);
    let id = manager.subscribe(filter, move |_, cx| {
        let nested = nested.take().expect("it is called once");
        cx.send(inner, nested).expect("it is there");
    });
    manager.send(actor, Note("go"))?;
    let component = std::any::type_name::<Actor>();
    for error in get() {
        let text = error.to_string();
        assert!(text.contains(&format!("subscription {id} would receive it and is busy")));
        let SendErrorKind::Busy { receiver, chain } = error.kind() else {
            panic!("{error}");
        };
        assert_eq!(error.to(), Some(actor.into()));
        assert_eq!(*receiver, Receiver::Subscription { id, owner: None });
        let receivers: Vec<Receiver> = chain.links().iter().map(|link| link.receiver).collect();
        let messagee = inner;
        let inner = Receiver::Component {
            messagee,
            component,
        };
        assert_eq!(receivers, [*receiver, inner]);
        assert_eq!(chain.links()[0].message, Note::NAME);
    }
    Ok(())
}

// holds: subscriptions.busy-kept
#[test]
fn different_subscribers_nest_and_what_one_keeps_waits_for_that_one_alone() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>(), move |note, cx| {
        told.add(format!("{} begins", note.0));
        if note.0 == "go" {
            let receipt = cx.send(actor, Peek("nested")).expect("sent");
            assert_eq!((receipt.received, receipt.pending), (2, 0));
        }
        told.add(format!("{} ends", note.0));
    });
    let told = log.clone();
    manager.subscribe(Filter::of::<Peek>(), move |_, cx| {
        let receipt = cx.send(actor, Note("kept")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (1, 1));
        told.add("peek ends");
    });
    manager.send(actor, Note("go"))?;
    let expected = [
        "actor: go",
        "go begins",
        "actor: nested",
        "actor: kept",
        "peek ends",
        "go ends",
        "kept begins",
        "kept ends",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: subscriptions.once-ended-when-called
#[test]
fn one_that_is_once_and_running_receives_nothing_more() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>().once(), move |note, cx| {
        told.add(format!("once: {}", note.0));
        let receipt = cx.send(actor, Note("nested")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (1, 0));
    });
    manager.send(actor, Note("go"))?;
    assert_eq!(log.take(), ["actor: go", "once: go", "actor: nested"]);
    Ok(())
}

// holds: reentrancy.bounds
#[test]
fn a_subscriber_that_always_writes_to_itself_comes_to_the_limit_of_kept_deliveries() -> Tested {
    let config = ManagerConfig::new().max_kept(5);
    let (mut manager, log) = (MessageManager::with_config(config), Log::default());
    let nobody = manager.spawn(());
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>(), move |_, cx| {
        match cx.send(nobody, Note("again")) {
            Ok(receipt) => assert_eq!(receipt.pending, 1),
            Err(error) => told.add(error.to_string()),
        }
    });
    manager.send(nobody, Note("go"))?;
    let [error] = &log.take()[..] else {
        panic!("expected one error");
    };
    assert!(error.contains("5 deliveries have been kept in this dispatch"));
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn a_panic_in_a_subscriber_loses_nothing_that_was_kept_for_it() {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>(), move |note, cx| {
        told.add(format!("subscriber: {}", note.0));
        if note.0 == "bad" {
            cx.send(actor, Note("kept")).expect("sent");
            panic!("a bad note");
        }
    });
    let panic = panic_of(|| manager.send(actor, Note("bad")));
    assert_eq!(panic, "a bad note");
    assert_eq!(log.take(), ["actor: bad", "subscriber: bad", "actor: kept"]);
    manager.settle();
    assert_eq!(log.take(), ["subscriber: kept"]);
}
