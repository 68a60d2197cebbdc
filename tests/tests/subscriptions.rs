//! Subscriptions from outside: which messages they receive, when, in what order, and what is told
//! of them.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

mod common;

use std::ops::ControlFlow;
use std::sync::Arc;

use common::{Ear, Log, Note, Peek, Tested, Tour, Who, panic_of, slot, stage};
use message_core::AnyMessage;
use message_core::lifecycle::{Despawning, HandlerFailed, Hooked, Unhooking};
use message_core::prelude::*;

mnemonic!(LEADER, NOBODY);
group!(SQUAD);
tag!(LOUD, RED, COLD);

/// Has a tag by its type.
#[derive(Message, Debug)]
#[message(tags(RED))]
struct Rose;

/// What is eaten by the first who gets it, or fails, or is declined.
#[derive(Message)]
enum Bread {
    Eaten,
    Burnt,
    Declined,
}

struct Eater;

#[handlers]
impl Eater {
    #[on_receive]
    fn eat(&self, bread: &Bread) -> Result<ControlFlow<()>, std::fmt::Error> {
        match bread {
            Bread::Eaten => Ok(ControlFlow::Break(())),
            Bread::Burnt => Err(std::fmt::Error),
            Bread::Declined => Ok(ControlFlow::Continue(())),
        }
    }

    #[on_receive]
    fn peek(&self, _: &Peek) -> bool {
        false
    }
}

/// A subscriber of notes that logs them.
fn notes(
    log: &Log,
    name: &'static str,
) -> impl FnMut(&Note, &mut SubscriberContext<'_>) + Send + 'static {
    let log = log.clone();
    move |note, _| log.add(format!("{name}: {}", note.0))
}

/// A subscriber of everything that logs it.
fn all(
    log: &Log,
    name: &'static str,
) -> impl FnMut(&dyn AnyMessage, &mut SubscriberContext<'_>) + Send + 'static {
    let log = log.clone();
    move |message, _| log.add(format!("{name}: {message:?}"))
}

// What is received, and when.

#[test]
fn a_subscription_receives_every_message_whoever_it_was_sent_to() -> Tested {
    let (mut manager, log, _) = stage();
    let parent = manager.spawn(());
    let child = manager.spawn(());
    manager.set_parent(child, Some(parent))?;
    manager.bind(LEADER, child)?;
    manager.join(SQUAD, child)?;
    manager.subscribe(Filter::of::<Rose>(), {
        let log = log.clone();
        move |_, cx| log.add(cx.recipient().to_string())
    });
    let recipients: [Recipient; 8] = [
        child.into(),
        Me,
        Everyone,
        EveryoneElse,
        LEADER.into(),
        SQUAD.into(),
        Up(child),
        Down(parent),
    ];
    for to in recipients {
        let receipt = manager.as_messagee(child)?.send(to, Rose)?;
        assert_eq!((receipt.received, receipt.pending), (1, 0), "{to}");
        assert_eq!(log.take(), [to.to_string()]);
    }
    Ok(())
}

#[test]
fn a_typed_subscription_receives_its_type_alone_and_one_to_any_all_of_them() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Note>(), notes(&log, "typed"));
    manager.subscribe(Filter::any(), {
        let log = log.clone();
        move |message, _| {
            let note = message.downcast_ref::<Note>().map(|note| note.0);
            assert_eq!(message.id() == Note::ID, note.is_some());
            log.add(format!("any: {}", message.name()));
        }
    });
    assert_eq!(manager.send(actor, Rose)?.received, 1);
    assert_eq!(log.take(), [format!("any: {}", Rose::NAME)]);
    assert_eq!(manager.send(actor, Note("hello"))?.received, 3);
    let name = format!("any: {}", Note::NAME);
    assert_eq!(log.take(), ["actor: hello", "typed: hello", &name]);
    Ok(())
}

#[test]
fn a_subscription_receives_after_the_addressed_components() -> Tested {
    let (mut manager, log, _) = stage();
    manager.subscribe(Filter::of::<Note>(), notes(&log, "subscriber"));
    let two = manager.spawn((Ear::new("first", &log), Ear::new("second", &log)));
    manager.send(two, Note("a"))?;
    assert_eq!(log.take(), ["first: a", "second: a", "subscriber: a"]);
    manager.send(Everyone, Note("b"))?;
    assert_eq!(log.take().last().map(String::as_str), Some("subscriber: b"));
    Ok(())
}

#[test]
fn subscriptions_receive_in_the_order_subscribed_whether_to_one_type_or_to_all() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    manager.subscribe(Filter::of::<Note>(), notes(&log, "1"));
    manager.subscribe(Filter::any(), all(&log, "2"));
    let third = manager.subscribe(Filter::of::<Note>(), notes(&log, "3"));
    manager.subscribe(Filter::any(), all(&log, "4"));
    manager.subscribe(Filter::of::<Note>(), notes(&log, "5"));
    assert!(manager.unsubscribe(third));
    // Takes the place of the third, and its turn behind the fifth.
    manager.subscribe(Filter::of::<Note>(), notes(&log, "6"));
    assert_eq!(manager.send(nobody, Note("x"))?.received, 5);
    let expected = ["1: x", "2: Note(\"x\")", "4: Note(\"x\")", "5: x", "6: x"];
    assert_eq!(log.take(), expected);
    Ok(())
}

#[test]
fn a_subscriber_sees_the_sender_the_recipient_and_the_place() -> Tested {
    let (mut manager, log, actor) = stage();
    let nobody = manager.spawn(());
    manager.subscribe(Filter::of::<Rose>(), {
        let log = log.clone();
        move |_, cx| {
            let line = cx.place().line();
            log.add(format!("{} to {} in {line}", cx.sender(), cx.recipient()));
        }
    });
    let line = line!() + 1;
    manager.as_messagee(actor)?.send(nobody, Rose)?;
    let expected = format!("messagee {actor} to messagee {nobody} in {line}");
    assert_eq!(log.take(), [expected]);
    Ok(())
}

#[test]
fn requests_and_in_out_messages_are_heard_with_what_became_of_them() -> Tested {
    let (mut manager, log, _) = stage();
    let id = manager.spawn((Ear::new("left", &log), Ear::new("right", &log)));
    manager.subscribe(Filter::of::<Tour>(), {
        let log = log.clone();
        move |tour, _| log.add(format!("{:?}", tour.0))
    });
    manager.subscribe(Filter::of::<Who>(), {
        let log = log.clone();
        move |_, _| log.add("who")
    });
    let mut tour = Tour(vec!["begin"]);
    assert_eq!(manager.send_mut(id, &mut tour)?.received, 3);
    assert_eq!(log.take(), [r#"["begin", "left", "right"]"#]);
    assert_eq!(manager.request(id, Who)?, "left");
    assert_eq!(log.take(), ["who"]);
    assert_eq!(manager.request_all(id, Who)?.len(), 2);
    assert_eq!(log.take(), ["who"]);
    let nobody = manager.spawn(());
    let unanswered = manager.request(nobody, Who);
    assert!(matches!(unanswered, Err(SendError::NoAnswer { .. })));
    assert_eq!(log.take(), ["who"]);
    Ok(())
}

#[test]
fn a_message_that_a_component_consumes_does_not_reach_the_subscribers() -> Tested {
    let (mut manager, log, _) = stage();
    let eater = manager.spawn((Eater,));
    manager.subscribe(Filter::of::<Bread>(), {
        let log = log.clone();
        move |_, _| log.add("heard")
    });
    let receipt = manager.send(eater, Bread::Eaten)?;
    assert_eq!((receipt.received, receipt.consumed), (1, true));
    assert!(log.take().is_empty());
    let receipt = manager.send(eater, Bread::Declined)?;
    assert_eq!((receipt.received, receipt.consumed), (2, false));
    let receipt = manager.send(eater, Bread::Burnt)?;
    assert_eq!((receipt.received, receipt.failed), (2, 1));
    assert_eq!(log.take(), ["heard", "heard"]);
    Ok(())
}

#[test]
fn what_nobody_there_has_received_is_heard() -> Tested {
    let (mut manager, log, _) = stage();
    let (nobody, eater) = (manager.spawn(()), manager.spawn((Eater,)));
    manager.subscribe(Filter::of::<Peek>(), {
        let log = log.clone();
        move |peek, _| log.add(peek.0)
    });
    assert_eq!(manager.send(nobody, Peek("none there"))?.received, 1);
    assert_eq!(manager.send(eater, Peek("declined"))?.received, 1);
    assert_eq!(manager.send(SQUAD, Peek("no member"))?.received, 1);
    assert_eq!(log.take(), ["none there", "declined", "no member"]);
    Ok(())
}

#[test]
fn a_send_that_fails_is_not_heard() -> Tested {
    let (mut manager, log, _) = stage();
    let gone = manager.spawn(());
    manager.despawn(gone)?;
    manager.subscribe(Filter::of::<Tour>(), {
        let log = log.clone();
        move |_, _| log.add("heard")
    });
    for to in [gone.into(), NOBODY.into(), Me, EveryoneElse, Up(gone)] {
        assert!(manager.send(to, Tour::default()).is_err(), "{to}");
        assert!(manager.send_mut(to, &mut Tour::default()).is_err(), "{to}");
    }
    assert!(log.take().is_empty());
    Ok(())
}

#[test]
fn the_messages_of_the_manager_itself_are_heard() -> Tested {
    let (mut manager, log, _) = stage();
    let eater = manager.spawn(());
    manager.subscribe(Filter::any().from(Sender::Manager), {
        let log = log.clone();
        move |message, _| {
            let name = message.name().rsplit("::").next();
            log.add(name.unwrap_or_default());
        }
    });
    manager.subscribe(Filter::of::<HandlerFailed>(), {
        let log = log.clone();
        move |failed, cx| log.add(format!("{} to {}", failed.handler, cx.recipient()))
    });
    manager.subscribe(Filter::of::<Hooked>().to(eater), {
        let log = log.clone();
        move |hooked, _| log.add(hooked.component.rsplit("::").next().unwrap_or_default())
    });
    manager.subscribe(Filter::of::<Unhooking>(), notes_of_going(&log));
    manager.subscribe(Filter::of::<Despawning>(), notes_of_going(&log));
    manager.hook(eater, Eater)?;
    assert_eq!(log.take(), ["Hooked", "Eater"]);
    manager.send(eater, Bread::Burnt)?;
    assert_eq!(log.take(), ["HandlerFailed", "eat to everyone"]);
    manager.despawn(eater)?;
    assert_eq!(log.take(), ["Despawning", "going", "Unhooking", "going"]);
    Ok(())
}

fn notes_of_going<M>(log: &Log) -> impl FnMut(&M, &mut SubscriberContext<'_>) + Send + 'static {
    let log = log.clone();
    move |_, _| log.add("going")
}

// Filters.

#[test]
fn from_is_who_the_sender_was() -> Tested {
    let (mut manager, log, actor) = stage();
    let nobody = manager.spawn(());
    manager.subscribe(Filter::of::<Note>().from(actor), notes(&log, "actor's"));
    let outside = Filter::of::<Note>().from(Sender::Outside);
    manager.subscribe(outside, notes(&log, "outside's"));
    manager.as_messagee(actor)?.send(nobody, Note("a"))?;
    manager.as_messagee(nobody)?.send(nobody, Note("b"))?;
    manager.send(nobody, Note("c"))?;
    assert_eq!(log.take(), ["actor's: a", "outside's: c"]);
    Ok(())
}

#[test]
fn to_an_id_is_what_is_sent_to_that_messagee_alone() -> Tested {
    let mut manager = MessageManager::new();
    let (log, it) = (Log::default(), manager.spawn(()));
    let other = manager.spawn(());
    manager.bind(LEADER, it)?;
    manager.join(SQUAD, it)?;
    manager.subscribe(Filter::of::<Note>().to(it), notes(&log, "it"));
    manager.send(it, Note("by id"))?;
    manager.as_messagee(it)?.send(Me, Note("by Me"))?;
    manager.send(LEADER, Note("by a mnemonic"))?;
    assert_eq!(log.take(), ["it: by id", "it: by Me", "it: by a mnemonic"]);

    manager.as_messagee(other)?.send(Me, Note("other's Me"))?;
    let shared: [Recipient; 6] = [
        other.into(),
        Everyone,
        EveryoneElse,
        SQUAD.into(),
        Up(it),
        Down(it),
    ];
    for to in shared {
        manager.as_messagee(other)?.send(to, Note("not alone"))?;
    }
    manager.unbind(LEADER, it)?;
    manager.bind(LEADER, other)?;
    manager.send(LEADER, Note("no more"))?;
    assert!(log.take().is_empty());
    Ok(())
}

#[test]
fn to_a_mnemonic_a_group_a_family_and_everyone_is_what_is_sent_to_that() -> Tested {
    let mut manager = MessageManager::new();
    let (log, it) = (Log::default(), manager.spawn(()));
    let other = manager.spawn(());
    manager.join(SQUAD, it)?;
    // Not bound yet: it is looked up when a message is sent.
    manager.subscribe(Filter::of::<Note>().to(LEADER), notes(&log, "leader"));
    manager.subscribe(Filter::of::<Note>().to(SQUAD), notes(&log, "squad"));
    manager.subscribe(Filter::of::<Note>().to(Up(it)), notes(&log, "up"));
    manager.subscribe(Filter::of::<Note>().to(Everyone), notes(&log, "everyone"));
    manager.subscribe(Filter::of::<Note>().to(Me), notes(&log, "me"));
    manager.send(it, Note("0"))?;
    assert!(log.take().is_empty());
    manager.bind(LEADER, it)?;
    let alone: [Recipient; 4] = [LEADER.into(), it.into(), other.into(), SQUAD.into()];
    for to in alone {
        manager.send(to, Note("1"))?;
    }
    assert_eq!(log.take(), ["leader: 1", "leader: 1", "squad: 1"]);
    for to in [Up(it), Up(other), Down(it), Everyone] {
        manager.send(to, Note("2"))?;
    }
    assert_eq!(log.take(), ["up: 2", "everyone: 2"]);
    manager.as_messagee(other)?.send(Me, Note("3"))?;
    manager.as_messagee(other)?.send(other, Note("4"))?;
    manager.as_messagee(it)?.send(other, Note("5"))?;
    assert_eq!(log.take(), ["me: 3", "me: 4"]);
    Ok(())
}

#[test]
fn tags_are_any_of_them_by_the_type_or_by_the_header() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    manager.subscribe(Filter::any().tags(RED | LOUD), all(&log, "either"));
    manager.subscribe(Filter::any().tags(COLD), all(&log, "cold"));
    manager.subscribe(Filter::any().tags(TagSet::EMPTY), all(&log, "none"));
    let plain = Header::to(nobody).build()?;
    let loud = Header::to(nobody).tags(LOUD).build()?;
    let cold = Header::to(nobody).tags(COLD).build()?;
    manager.send(nobody, Rose)?;
    assert_eq!(log.take(), ["either: Rose"]);
    manager.post(&plain, Note(""))?;
    assert!(log.take().is_empty());
    manager.post(&loud, Note(""))?;
    assert_eq!(log.take(), ["either: Note(\"\")"]);
    manager.post(&cold, Rose)?;
    assert_eq!(log.take(), ["either: Rose", "cold: Rose"]);
    Ok(())
}

#[test]
fn from_to_and_tags_must_all_hold_and_of_one_that_is_set_twice_the_last() -> Tested {
    let mut manager = MessageManager::new();
    let log = Log::default();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    let filter = Filter::of::<Note>().from(one).to(two).tags(LOUD);
    manager.subscribe(filter, notes(&log, "all three"));
    let twice = Filter::of::<Note>().to(two).to(one).from(two).from(one);
    manager.subscribe(twice, notes(&log, "the last"));
    for from in [one, two] {
        for to in [one, two] {
            for tags in [TagSet::EMPTY, LOUD.into()] {
                let header = Header::to(to).tags(tags).build()?;
                manager.as_messagee(from)?.post(&header, Note(""))?;
            }
        }
    }
    let mut heard = log.take();
    heard.sort();
    assert_eq!(heard, ["all three: ", "the last: ", "the last: "]);
    Ok(())
}

#[test]
fn a_filter_can_be_used_for_several_subscriptions() -> Tested {
    let mut manager = MessageManager::new();
    let (log, it) = (Log::default(), manager.spawn(()));
    let filter = Filter::of::<Note>().to(it);
    manager.subscribe(filter, notes(&log, "1"));
    manager.subscribe(filter.once(), notes(&log, "2"));
    for _ in 0..2 {
        manager.send(it, Note(""))?;
    }
    assert_eq!(log.take(), ["1: ", "2: ", "1: "]);
    Ok(())
}

#[test]
fn a_hidden_subscription_does_not_count_as_a_receiver() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Note>().hidden(), notes(&log, "hidden"));
    manager.subscribe(Filter::any().hidden(), all(&log, "hidden too"));
    assert_eq!(manager.send(actor, Note("a"))?.received, 1);
    assert_eq!(log.take().len(), 3);
    let nobody = manager.spawn(());
    assert_eq!(manager.send(nobody, Note("b"))?, Receipt::default());
    assert_eq!(log.take().len(), 2);
    manager.subscribe(Filter::of::<Note>(), notes(&log, "seen"));
    assert_eq!(manager.send(nobody, Note("c"))?.received, 1);
    Ok(())
}

#[test]
fn one_that_is_once_ends_with_the_first_message_it_receives() -> Tested {
    let mut manager = MessageManager::new();
    let log = Log::default();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    let id = manager.subscribe(Filter::of::<Note>().to(two).once(), notes(&log, "once"));
    let any = manager.subscribe(Filter::any().once().hidden(), all(&log, "any"));
    manager.send(one, Note("a"))?;
    assert_eq!(log.take(), ["any: Note(\"a\")"]);
    assert!(!manager.unsubscribe(any));
    let received = [manager.send(two, Note("b"))?, manager.send(two, Note("c"))?];
    assert_eq!(received.map(|receipt| receipt.received), [1, 0]);
    assert_eq!(log.take(), ["once: b"]);
    assert!(!manager.unsubscribe(id));
    Ok(())
}

// Sending, ending, panicking.

#[test]
fn what_a_subscriber_sends_comes_from_outside() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Rose>(), move |_, cx| {
        cx.send(actor, Note("from a rose")).expect("it is there");
        let header = Header::to(actor).build().expect("it is whole");
        cx.post(&header, Note("posted")).expect("it is there");
        for to in [Me, EveryoneElse] {
            let refused = cx.send(to, Note(""));
            assert!(matches!(refused, Err(SendError::NoSender { .. })));
        }
    });
    let outside = Filter::of::<Note>().from(Sender::Outside);
    manager.subscribe(outside, notes(&log, "from outside"));
    manager.as_messagee(actor)?.send(Everyone, Rose)?;
    let expected = [
        "actor: from a rose",
        "from outside: from a rose",
        "actor: posted",
        "from outside: posted",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

#[test]
fn a_subscriber_can_reply() -> Tested {
    let (mut manager, log, actor) = stage();
    let (put, get) = slot();
    let mut put = Some(put);
    manager.subscribe(Filter::of::<Rose>().once(), move |_, cx| {
        let put = put.take().expect("it is called once");
        put(cx.reply(Note("thanks")));
    });
    manager.as_messagee(actor)?.send(Everyone, Rose)?;
    assert_eq!(get()?.received, 1);
    assert_eq!(log.take(), ["actor: thanks"]);
    Ok(())
}

#[test]
fn a_subscription_ends_once_and_its_closure_is_dropped() -> Tested {
    let mut manager = MessageManager::new();
    let (log, it) = (Log::default(), manager.spawn(()));
    let captured = Arc::new(());
    let held = Arc::clone(&captured);
    let id = manager.subscribe(Filter::of::<Note>(), move |_, _| {
        let _ = &held;
    });
    assert_eq!(manager.send(it, Note(""))?.received, 1);
    assert!(manager.unsubscribe(id));
    assert_eq!(Arc::strong_count(&captured), 1);
    assert_eq!(manager.send(it, Note(""))?.received, 0);
    assert!(!manager.unsubscribe(id));

    let newcomer = manager.subscribe(Filter::of::<Note>(), notes(&log, "newcomer"));
    assert_ne!(newcomer, id);
    assert!(!manager.unsubscribe(id), "a stale id reaches no newcomer");
    assert!(!MessageManager::new().unsubscribe(newcomer));
    assert_eq!(manager.send(it, Note("a"))?.received, 1);
    assert_eq!(log.take(), ["newcomer: a"]);
    Ok(())
}

#[test]
fn a_panic_in_a_subscriber_goes_to_the_sender_and_leaves_the_manager_usable() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Note>(), |note, _| assert_ne!(note.0, "bad"));
    manager.subscribe(Filter::of::<Note>(), notes(&log, "behind"));
    let panic = panic_of(|| manager.send(actor, Note("bad")));
    assert!(panic.contains("bad"));
    assert_eq!(log.take(), ["actor: bad"]);
    assert_eq!(manager.send(actor, Note("good"))?.received, 3);
    assert_eq!(log.take(), ["actor: good", "behind: good"]);
    Ok(())
}

#[test]
fn a_manager_with_subscriptions_can_be_moved_to_another_thread() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Note>(), notes(&log, "there"));
    let there = std::thread::spawn(move || manager.send(actor, Note("moved")));
    assert_eq!(there.join().expect("it ends")?.received, 2);
    assert_eq!(log.take(), ["actor: moved", "there: moved"]);
    Ok(())
}
