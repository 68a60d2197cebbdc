//! Subscriptions from outside: which messages they receive, when and in what order, and how they are
//! reported.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::common::{Do, Ear, Log, Note, Peek, Tested, Tour, Who, panic_of, slot, stage};
use crate::subscribers::{all, notes};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::lifecycle::{Despawning, HandlerFailed, Hooked, Unhooking};
use message_core::prelude::*;

mnemonic!(LEADER, NOBODY);
group!(SQUAD);

/// A message without a handler.
#[derive(Message)]
struct Rose;

/// Food that is eaten by its first receiver, burnt, or declined.
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

// Which messages are received, and when.

// holds: subscriptions.every-message
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
        let receipt = manager.speak_for(child)?.send(to, Rose)?;
        assert_eq!((receipt.received, receipt.pending), (1, 0), "{to}");
        assert_eq!(log.take(), [to.to_string()]);
    }
    Ok(())
}

// holds: subscriptions.every-message
#[test]
fn a_typed_subscription_receives_its_type_alone_and_one_to_any_all_of_them() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Note>(), notes(&log, "typed"));
    manager.subscribe(Filter::all(), {
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

// holds: subscriptions.order
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

// holds: subscriptions.order
#[test]
fn subscriptions_receive_in_the_order_subscribed_whether_to_one_type_or_to_all() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    manager.subscribe(Filter::of::<Note>(), notes(&log, "1"));
    manager.subscribe(Filter::all(), all(&log, "2"));
    let third = manager.subscribe(Filter::of::<Note>(), notes(&log, "3"));
    manager.subscribe(Filter::all(), all(&log, "4"));
    manager.subscribe(Filter::of::<Note>(), notes(&log, "5"));
    assert!(manager.unsubscribe(third));
    // Takes the place of the third, and its turn behind the fifth.
    manager.subscribe(Filter::of::<Note>(), notes(&log, "6"));
    assert_eq!(manager.send(nobody, Note("x"))?.received, 5);
    let expected = ["1: x", "2: Note(\"x\")", "4: Note(\"x\")", "5: x", "6: x"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: headers.envelope
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
    manager.speak_for(actor)?.send(nobody, Rose)?;
    let expected = format!("messagee {actor} to messagee {nobody} in {line}");
    assert_eq!(log.take(), [expected]);
    Ok(())
}

// holds: subscriptions.every-message, subscriptions.order
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
    assert!(matches!(
        unanswered.map_err(SendError::into_kind),
        Err(SendErrorKind::NoAnswer { .. })
    ));
    assert_eq!(log.take(), ["who"]);
    Ok(())
}

// holds: subscriptions.consumed-unheard
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

// holds: subscriptions.unreceived-heard
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

// holds: subscriptions.failed-unheard
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

// holds: messagees.lifecycle-told
#[test]
fn the_messages_of_the_manager_itself_are_heard() -> Tested {
    let (mut manager, log, _) = stage();
    let eater = manager.spawn(());
    manager.subscribe(Filter::all().from(Sender::Manager), {
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

// Sending, ending, panicking.

// holds: subscriptions.sender
#[test]
fn what_a_subscriber_sends_comes_from_outside() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Rose>(), move |_, cx| {
        cx.send(actor, Note("from a rose")).expect("it is there");
        let header = Header::to(actor).build().expect("it is whole");
        cx.post(&header, Note("posted")).expect("it is there");
        for to in [Me, EveryoneElse] {
            let refused = cx.send(to, Note(""));
            assert!(matches!(
                refused.map_err(SendError::into_kind),
                Err(SendErrorKind::NoSender)
            ));
        }
    });
    let outside = Filter::of::<Note>().from(Sender::Outside);
    manager.subscribe(outside, notes(&log, "from outside"));
    manager.speak_for(actor)?.send(Everyone, Rose)?;
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
    manager.speak_for(actor)?.send(Everyone, Rose)?;
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

// holds: subscriptions.unsubscribe-all
#[test]
fn all_subscriptions_of_a_messagee_end_together_and_it_stays() -> Tested {
    let (mut manager, log, actor) = stage();
    let owner = manager.spawn((Ear::new("owner", &log),));
    manager.subscribe_for(owner, Filter::of::<Note>(), notes(&log, "1"))?;
    manager.subscribe_for(actor, Filter::of::<Note>(), notes(&log, "actor's"))?;
    manager.subscribe(Filter::of::<Note>(), notes(&log, "nobody's"));
    let paused = manager.subscribe_for(owner, Filter::of::<Note>(), notes(&log, "2"))?;
    manager.set_listening(paused, false);
    let late = Filter::of::<Note>().stage(Stage::Update);
    manager.subscribe_for(owner, late, notes(&log, "late"))?;
    manager.overhear(owner, Filter::of::<Note>().to(actor))?;
    manager.send(actor, Note("a"))?;
    log.take();
    assert_eq!(manager.unsubscribe_all(owner), 4);
    assert_eq!(manager.unsubscribe_all(owner), 0);
    manager.send(actor, Note("b"))?;
    manager.tick(std::time::Duration::ZERO);
    assert_eq!(log.take(), ["actor: b", "actor's: b", "nobody's: b"]);
    assert!(manager.is_alive(owner));
    manager.subscribe_for(owner, Filter::of::<Note>(), notes(&log, "new"))?;
    manager.send(owner, Note("c"))?;
    assert_eq!(log.take().last().map(String::as_str), Some("new: c"));
    manager.despawn(owner)?;
    assert_eq!(manager.unsubscribe_all(owner), 0);
    Ok(())
}

// holds: subscriptions.unsubscribe-all
#[test]
fn a_handler_ends_all_of_its_subscriptions_also_those_that_it_has_just_made() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe_for(actor, Filter::of::<Note>(), notes(&log, "old"))?;
    let new = notes(&log, "new");
    let script = Do::new(move |cx| {
        let me = cx.me();
        cx.subscribe_for(me, Filter::of::<Note>(), new)
            .expect("it is alive");
        assert_eq!(cx.unsubscribe_all(me), 2);
        assert_eq!(cx.unsubscribe_all(me), 0);
        cx.send(Everyone, Note("in the handler"))
            .expect("it is sent");
    });
    manager.send(actor, script)?;
    manager.send(Everyone, Note("later"))?;
    assert_eq!(log.take(), ["actor: in the handler", "actor: later"]);
    Ok(())
}

// holds: subscriptions.unsubscribe-all
#[test]
fn all_subscriptions_end_even_if_closures_panic_when_dropped() -> Tested {
    struct Fragile(u32);

    impl Drop for Fragile {
        fn drop(&mut self) {
            panic!("{} broke", self.0);
        }
    }

    let (mut manager, log, actor) = stage();
    for at in 0..3 {
        let fragile = Fragile(at);
        manager.subscribe_for(actor, Filter::of::<Note>(), move |_, _| {
            let _ = &fragile;
        })?;
    }
    assert_eq!(panic_of(|| manager.unsubscribe_all(actor)), "0 broke");
    assert_eq!(manager.unsubscribe_all(actor), 0);
    assert_eq!(manager.send(actor, Note("a"))?.received, 1);
    assert_eq!(log.take(), ["actor: a"]);
    Ok(())
}

// holds: reentrancy.panic-to-caller, reentrancy.panic-loses-nothing
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

// holds: subscriptions.priority, subscriptions.order, subscriptions.cost-of-change
#[test]
fn subscriptions_with_a_larger_priority_come_first_in_every_list_and_after_others_have_ended()
-> Tested {
    let (mut manager, log, _) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let priorities: Vec<i16> = (0..60_i16).map(|at| at * 7 % 5 - 2).collect();
    let mut expected = Vec::new();
    let mut ids = Vec::new();
    for (at, &priority) in priorities.iter().enumerate() {
        let told = log.clone();
        let hear = move |told: &Log| told.add(at.to_string());
        let filter = Filter::of::<Note>().priority(priority);
        let filter = if at % 4 == 1 { filter.to(ear) } else { filter };
        ids.push(match at % 4 {
            0 => manager.subscribe(Filter::all().priority(priority), move |_, _| hear(&told)),
            _ => manager.subscribe(filter, move |_, _| hear(&told)),
        });
        expected.push((std::cmp::Reverse(priority), at));
    }
    let told = log.clone();
    let before = Filter::of::<Note>().priority(-9).before();
    manager.subscribe(before, move |_, _| told.add("last before"));
    let told = log.clone();
    let before = Filter::all().priority(i16::MAX).before();
    manager.subscribe(before, move |_, _| told.add("first before"));
    expected.sort_unstable();
    for ended in [1, 2, 3] {
        manager.send(ear, Note("n"))?;
        let heard = log.take();
        let others = expected.iter().map(|(_, at)| at.to_string());
        let all = ["first before", "last before", "ear: n"].map(str::to_owned);
        assert!(
            heard.iter().cloned().eq(all.into_iter().chain(others)),
            "{heard:?}"
        );
        // Lists close their gaps, and later ones are put in between.
        for at in (0..60).filter(|at| at % 4 == ended) {
            manager.unsubscribe(ids[at]);
        }
        expected.retain(|(_, at)| at % 4 != ended);
        let told = log.clone();
        let number = 100 + ended;
        let filter = Filter::of::<Note>().priority(1);
        manager.subscribe(filter, move |_, _| told.add(number.to_string()));
        expected.push((std::cmp::Reverse(1), number));
        expected.sort_unstable();
    }
    Ok(())
}

// holds: subscriptions.priority
#[test]
fn one_that_is_put_in_between_leaves_those_of_other_types_that_have_the_place_of_an_ended_one()
-> Tested {
    let (mut manager, log, actor) = stage();
    let others: Vec<_> = (0..8)
        .map(|_| manager.subscribe(Filter::of::<Rose>(), |_, _| {}))
        .collect();
    // It leaves an empty place in its list, and its id to the next one.
    manager.unsubscribe(others[6]);
    let told = log.clone();
    let ended = manager.subscribe(Filter::of::<Note>(), move |_, _| told.add("ended"));
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>(), move |_, _| told.add("stays"));
    manager.subscribe(Filter::of::<Rose>().priority(1), |_, _| {});
    assert!(manager.unsubscribe(ended));
    manager.send(actor, Note("n"))?;
    assert_eq!(log.take(), ["actor: n", "stays"]);
    Ok(())
}
