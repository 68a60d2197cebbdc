//! Retained messages: the last one of its type and recipient is kept for subscriptions that are
//! made later.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::common::{Do, Log, Note, Peek, Tested, Tour, panic_of, slot, stage};
use message_core::Recipient::Me;
use message_core::lifecycle::Hooked;
use message_core::prelude::*;

mnemonic!(HERE);
group!(CROWD);
tag!(NEWS);

/// Returns a subscriber of notes that logs them.
fn notes(
    log: &Log,
    name: &'static str,
) -> impl FnMut(&Note, &mut SubscriberContext<'_>) + Send + 'static {
    let log = log.clone();
    move |note, _| log.add(format!("{name}: {}", note.0))
}

/// Subscribes to the retained notes, and returns those received at once.
fn late(manager: &mut MessageManager, filter: Filter<Note>) -> Vec<String> {
    let log = Log::default();
    let told = log.clone();
    let id = manager.subscribe(filter.with_retained(), move |note, _| told.add(note.0));
    let heard = log.take();
    manager.unsubscribe(id);
    heard
}

/// Returns all retained notes.
fn all(manager: &mut MessageManager) -> Vec<String> {
    late(manager, Filter::of())
}

// holds: subscriptions.with-retained, subscriptions.retain
#[test]
fn a_subscription_that_asks_for_it_receives_what_was_retained_at_once() -> Tested {
    let (mut manager, log, actor) = stage();
    let header = Header::to(actor).retain().build()?;
    manager.post(&header, Note("early"))?;
    assert_eq!(log.take(), ["actor: early"]);
    manager.subscribe(Filter::of::<Note>(), notes(&log, "does not ask"));
    let asks = Filter::of::<Note>().with_retained();
    manager.subscribe(asks.clone(), notes(&log, "asks"));
    assert_eq!(log.take(), ["asks: early"]);
    manager.send(actor, Note("late"))?;
    let expected = ["actor: late", "does not ask: late", "asks: late"];
    assert_eq!(log.take(), expected);
    // A message sent without a retaining header has not replaced it.
    manager.subscribe(asks.clone(), notes(&log, "second"));
    assert_eq!(log.take(), ["second: early"]);
    Ok(())
}

// holds: subscriptions.retain, subscriptions.with-retained
#[test]
fn the_last_one_of_each_type_and_recipient_is_kept_in_the_order_retained() -> Tested {
    let (mut manager, _, actor) = stage();
    let other = manager.spawn(());
    manager.bind(HERE, actor)?;
    let header = Header::to(actor).retain().build()?;
    let posts: [(Recipient, _); 8] = [
        (actor.into(), "actor's first"),
        (other.into(), "other's"),
        (HERE.into(), "here"),
        (CROWD.into(), "crowd"),
        (Everyone, "everyone"),
        (Up(actor), "up"),
        (Down(actor), "down"),
        (actor.into(), "actor's second"),
    ];
    for (to, text) in posts {
        manager.post(&header.with_recipient(to), Note(text))?;
        manager.post(&header.with_recipient(to), Peek(text))?;
    }
    let expected = posts[1..].iter().map(|(_, text)| *text);
    assert!(all(&mut manager).into_iter().eq(expected));
    assert_eq!(late(&mut manager, Filter::of().to(other)), ["other's"]);
    Ok(())
}

// holds: subscriptions.retain
#[test]
fn what_was_retained_for_me_is_retained_for_the_messagee() -> Tested {
    let (mut manager, _, actor) = stage();
    let header = Header::to(Me).retain().build()?;
    manager.speak_for(actor)?.post(&header, Note("1"))?;
    manager.post(&header.with_recipient(actor), Note("2"))?;
    assert_eq!(all(&mut manager), ["2"]);
    manager.speak_for(actor)?.post(&header, Note("3"))?;
    assert_eq!(late(&mut manager, Filter::of().to(actor)), ["3"]);
    assert!(manager.forget_retained::<Note>(actor));
    Ok(())
}

// holds: subscriptions.with-retained
#[test]
fn a_subscription_to_all_receives_what_was_retained_of_every_type() -> Tested {
    let (mut manager, log, actor) = stage();
    let header = Header::to(actor).retain().build()?;
    manager.post(&header, Note("1"))?;
    manager.post(&header, Peek("2"))?;
    manager.post(&header, Tour(vec!["3"]))?;
    log.take();
    let told = log.clone();
    manager.subscribe(Filter::all().with_retained(), move |message, _| {
        told.add(format!("{message:?}"));
    });
    let expected = [r#"Note("1")"#, r#"Peek("2")"#, r#"Tour(["3", "actor"])"#];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: subscriptions.with-retained
#[test]
fn only_what_passes_its_filter() -> Tested {
    let (mut manager, _, actor) = stage();
    let other = manager.spawn(());
    let header = Header::to(actor).retain().build()?;
    let tagged = Header::to(other).retain().tags(NEWS).build()?;
    manager.post(&header, Note("plain"))?;
    manager.speak_for(other)?.post(&tagged, Note("tagged"))?;
    assert_eq!(late(&mut manager, Filter::of().tagged(NEWS)), ["tagged"]);
    assert_eq!(late(&mut manager, Filter::of().from(other)), ["tagged"]);
    let from_outside = Filter::of().from(Sender::Outside);
    assert_eq!(late(&mut manager, from_outside), ["plain"]);
    assert_eq!(late(&mut manager, Filter::of().once()), ["plain"]);
    assert!(late(&mut manager, Filter::of().to(Everyone)).is_empty());
    Ok(())
}

// holds: subscriptions.once, subscriptions.with-retained
#[test]
fn one_that_is_once_ends_with_what_was_retained() -> Tested {
    let (mut manager, log, actor) = stage();
    let header = Header::to(actor).retain().build()?;
    manager.post(&header, Note("1"))?;
    let once = Filter::of::<Note>().once().with_retained();
    let id = manager.subscribe(once.clone(), notes(&log, "once"));
    manager.send(actor, Note("2"))?;
    assert_eq!(log.take(), ["actor: 1", "once: 1", "actor: 2"]);
    assert!(!manager.unsubscribe(id));
    manager.forget_retained::<Note>(actor);
    manager.subscribe(once.clone(), notes(&log, "waits"));
    manager.send(actor, Note("3"))?;
    assert_eq!(log.take(), ["actor: 3", "waits: 3"]);
    Ok(())
}

// holds: headers.envelope
#[test]
fn it_is_received_in_the_envelope_in_which_it_was_posted() -> Tested {
    let (mut manager, log, actor) = stage();
    let header = Header::to(Me).retain().tags(NEWS).build()?;
    manager.tick(Duration::from_millis(5));
    manager.speak_for(actor)?.post(&header, Note("a"))?;
    manager.tick(Duration::from_millis(5));
    log.take();
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>().with_retained(), move |_, cx| {
        let envelope = cx.envelope();
        assert_eq!(envelope.posted.time, Duration::from_millis(5));
        assert_eq!(envelope.tags, NEWS.into());
        told.add(format!("{} to {}", envelope.sender, envelope.recipient));
    });
    assert_eq!(
        log.take(),
        [format!("messagee {actor} to the sender itself")]
    );
    Ok(())
}

// holds: subscriptions.retain
#[test]
fn a_message_that_an_interceptor_consumes_is_not_retained() -> Tested {
    let (mut manager, _, actor) = stage();
    let header = Header::to(actor).retain().build()?;
    manager.post(&header, Note("first"))?;
    let consumes = Filter::of::<Note>().once().before();
    manager.subscribe(consumes, |_, _| ControlFlow::Break(()));
    manager.post(&header, Note("second"))?;
    assert_eq!(all(&mut manager), ["first"]);
    Ok(())
}

// holds: subscriptions.retain
#[test]
fn it_is_retained_as_interceptors_and_handlers_have_left_it() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Tour>().before(), |tour, _| {
        tour.0.push("interceptor");
        ControlFlow::Continue(())
    });
    manager.post(&Header::to(actor).retain().build()?, Tour::default())?;
    let told = log.clone();
    manager.subscribe(Filter::of::<Tour>().with_retained(), move |tour, _| {
        told.add(tour.0.join(" "));
    });
    assert_eq!(log.take(), ["interceptor actor"]);
    Ok(())
}

// holds: subscriptions.retain
#[test]
fn a_message_that_waits_for_an_interceptor_is_retained_when_it_passes() -> Tested {
    let (mut manager, _, actor) = stage();
    let header = Header::to(actor).retain().build()?;
    manager.subscribe(Filter::of::<Note>().before(), move |note, cx| {
        if note.0 == "go" {
            cx.post(&header, Note("kept")).expect("it waits");
        }
        ControlFlow::Continue(())
    });
    manager.send(actor, Note("go"))?;
    assert_eq!(all(&mut manager), ["kept"]);
    Ok(())
}

// holds: subscriptions.retain
#[test]
fn a_message_that_a_component_consumes_is_retained() -> Tested {
    struct Eater;
    #[handlers]
    impl Eater {
        #[on_receive]
        fn eat(&mut self, _: &Note) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    let mut manager = MessageManager::new();
    let eater = manager.spawn((Eater,));
    let header = Header::to(eater).retain().require(1).build()?;
    manager.post(&header, Note("eaten"))?;
    assert_eq!(all(&mut manager), ["eaten"]);
    Ok(())
}

// holds: subscriptions.retain
#[test]
fn a_message_that_is_posted_for_later_is_retained_when_it_is_delivered() -> Tested {
    let (mut manager, _, actor) = stage();
    let header = Header::to(actor).after_frames(1).retain().build()?;
    manager.post(&header, Note("later"))?;
    let cancelled = manager.post(&header, Note("cancelled"))?;
    assert!(all(&mut manager).is_empty());
    assert_eq!(manager.cancel(cancelled), 1);
    manager.tick(Duration::ZERO);
    assert_eq!(all(&mut manager), ["later"]);
    Ok(())
}

// holds: subscriptions.retain
#[test]
fn a_message_kept_for_a_newborn_or_a_busy_component_is_retained() -> Tested {
    let (mut manager, log, actor) = stage();
    let (put, get) = slot();
    let header = Header::to(actor).retain().build()?;
    let script = Do::new(move |cx| {
        cx.post(&header, Note("busy")).expect("it is kept");
        let newborn = cx.spawn(());
        let header = header.with_recipient(newborn);
        cx.post(&header, Note("newborn")).expect("it is kept");
        put(newborn);
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["actor: busy"]);
    assert_eq!(all(&mut manager), ["busy", "newborn"]);
    assert!(manager.forget_retained::<Note>(get()));
    Ok(())
}

// holds: subscriptions.retain
#[test]
fn what_could_not_be_sent_is_not_retained() -> Tested {
    let (mut manager, _, actor) = stage();
    let header = Header::to(HERE).retain().build()?;
    assert!(manager.post(&header, Note("unbound")).is_err());
    let me = header.with_recipient(Me);
    assert!(manager.post(&me, Note("no sender")).is_err());
    manager.despawn(actor)?;
    let gone = header.with_recipient(actor);
    assert!(manager.post(&gone, Note("gone")).is_err());
    assert!(all(&mut manager).is_empty());
    Ok(())
}

#[test]
fn what_is_forgotten_is_not_received() -> Tested {
    let (mut manager, _, actor) = stage();
    let header = Header::to(actor).retain().build()?;
    assert!(!manager.forget_retained::<Note>(actor));
    manager.post(&header, Note("a"))?;
    manager.post(&header.with_recipient(Everyone), Note("b"))?;
    assert!(!manager.forget_retained::<Peek>(actor));
    assert!(manager.forget_retained::<Note>(actor));
    assert!(!manager.forget_retained::<Note>(actor));
    assert_eq!(all(&mut manager), ["b"]);
    Ok(())
}

// holds: messagees.despawn-ends
#[test]
fn what_was_retained_for_a_messagee_that_is_despawned_is_forgotten() -> Tested {
    let (mut manager, _, actor) = stage();
    let stays = manager.spawn(());
    let header = Header::to(actor).retain().build()?;
    for to in [actor.into(), Up(actor), Down(actor)] {
        manager.post(&header.with_recipient(to), Note("goes"))?;
    }
    for to in [stays.into(), Everyone, Recipient::Group(CROWD)] {
        manager.post(&header.with_recipient(to), Note("stays"))?;
    }
    manager.despawn(actor)?;
    manager.spawn(());
    assert_eq!(all(&mut manager), ["stays"; 3]);
    Ok(())
}

/// Logs when it is dropped.
#[derive(Message)]
struct Parting(Log, usize);

/// Like [`Parting`], but of another type.
#[derive(Message)]
struct Leaving(#[allow(dead_code, reason = "it is dropped")] Parting);

impl Drop for Parting {
    fn drop(&mut self) {
        self.0.add(self.1.to_string());
    }
}

// holds: subscriptions.retained-drop-order
#[test]
fn what_is_forgotten_with_a_messagee_is_dropped_in_the_order_retained() -> Tested {
    let (mut manager, log, actor) = stage();
    let header = Header::to(actor).retain().build()?;
    let to: [Recipient; 5] = [Up(actor), Everyone, actor.into(), Down(actor), Up(actor)];
    for (at, to) in to.into_iter().enumerate() {
        let header = header.with_recipient(to);
        manager.post(&header, Parting(log.clone(), 10 * at))?;
        let parting = Parting(log.clone(), 10 * at + 1);
        manager.post(&header, Leaving(parting))?;
    }
    assert_eq!(log.take(), ["0", "1"], "what was replaced");
    manager.despawn(actor)?;
    assert_eq!(log.take(), ["20", "21", "30", "31", "40", "41"]);
    assert!(manager.forget_retained::<Leaving>(Everyone));
    assert!(!manager.forget_retained::<Parting>(Down(actor)));
    assert_eq!(log.take(), ["11"]);
    drop(manager);
    assert_eq!(log.take(), ["10"]);
    Ok(())
}

// holds: subscriptions.made-in-handler, subscriptions.with-retained
#[test]
fn a_subscription_made_in_a_handler_receives_it_when_the_outermost_send_returns() -> Tested {
    let (mut manager, log, actor) = stage();
    let header = Header::to(actor).retain().build()?;
    manager.post(&header, Note("before"))?;
    log.take();
    let told = log.clone();
    let script = Do::new(move |cx| {
        let filter = Filter::of::<Note>().with_retained();
        cx.subscribe(filter, notes(&told, "subscriber"));
        let told_hooked = told.clone();
        cx.subscribe(Filter::of::<Hooked>(), move |_, _| {
            told_hooked.add("hooked");
        });
        cx.spawn((crate::common::Ear::new("ear", &told),));
        cx.post(&header, Note("meanwhile")).expect("it is kept");
        told.add("done");
    });
    manager.send(actor, script)?;
    // At once: before the next change, and with what was retained last.
    let expected = [
        "done",
        "actor: meanwhile",
        "subscriber: meanwhile",
        "hooked",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: subscriptions.with-retained
#[test]
fn what_it_does_on_a_retained_message_is_done_when_subscribe_returns() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.post(&Header::to(actor).retain().build()?, Note("a"))?;
    log.take();
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>().with_retained(), move |note, cx| {
        told.add(format!("subscriber: {}", note.0));
        if note.0 == "a" {
            cx.send(actor, Note("b")).expect("it is there");
            cx.despawn(actor).expect("it is there");
        }
    });
    assert_eq!(log.take(), ["subscriber: a", "actor: b", "subscriber: b"]);
    assert!(!manager.is_alive(actor));
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn a_panic_on_a_retained_message_loses_none_of_the_others() -> Tested {
    let (mut manager, log, actor) = stage();
    let header = Header::to(actor).retain().build()?;
    for (to, text) in [
        (Everyone, "bad"),
        (actor.into(), "good"),
        (Up(actor), "too"),
    ] {
        manager.post(&header.with_recipient(to), Note(text))?;
    }
    log.take();
    let told = log.clone();
    let subscribe = |manager: &mut MessageManager| {
        manager.subscribe(Filter::of::<Note>().with_retained(), move |note, _| {
            assert_ne!(note.0, "bad");
            told.add(note.0);
        });
    };
    panic_of(|| subscribe(&mut manager));
    manager.settle();
    assert_eq!(log.take(), ["good", "too"]);
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn what_a_panic_has_left_is_retained_before_it_can_be_forgotten() -> Tested {
    let (mut manager, log, actor) = stage();
    let header = Header::to(actor).retain().build()?;
    manager.subscribe(Filter::of::<Note>().before(), move |note, cx| {
        if note.0 == "bad" {
            cx.post(&header, Note("kept")).expect("it waits");
            panic!("a bad note");
        }
        ControlFlow::Continue(())
    });
    panic_of(|| manager.send(actor, Note("bad")));
    assert!(manager.forget_retained::<Note>(actor));
    assert_eq!(log.take(), ["actor: kept"]);
    assert!(all(&mut manager).is_empty());
    Ok(())
}

// holds: subscriptions.retained-by-name
#[test]
fn what_is_retained_under_a_name_belongs_to_the_name_and_outlives_who_bore_it() -> Tested {
    let (mut manager, _, actor) = stage();
    let heir = manager.spawn(());
    manager.bind(HERE, actor)?;
    manager.join(CROWD, actor)?;
    manager.post(&Header::to(HERE).retain().build()?, Note("to the mnemonic"))?;
    manager.post(&Header::to(CROWD).retain().build()?, Note("to the group"))?;
    manager.post(
        &Header::to(actor).retain().build()?,
        Note("to the messagee"),
    )?;
    manager.despawn(actor)?;
    assert_eq!(all(&mut manager), ["to the mnemonic", "to the group"]);
    // It goes to whoever the mnemonic is bound to now.
    manager.bind(HERE, heir)?;
    let to_heir = late(&mut manager, Filter::of().to(heir));
    assert_eq!(to_heir, ["to the mnemonic"]);
    Ok(())
}
