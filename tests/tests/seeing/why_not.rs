//! Why a message was not received: the explanation of a send that was not delivered, or
//! not to all.

use std::ops::ControlFlow;

use crate::common::{Actor, Consider, Do, Ear, Note, Peek, Tested, Tour, Who, first_hook};
use crate::pending::{heard, ms, soon};
use crate::traces::{explain, told};
use message_core::PostKey;
use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;
use message_core::trace::{PassedOver, Traced};
use message_core::{error::Undelivered, group};
use message_trace::Recorder;

mnemonic!(NOBODY = "NOBODY");

group!(FEW);

/// A message without a handler.
#[derive(Message, Debug, Clone)]
struct Unheard;

/// Returns a recorded manager with an actor and an ear.
fn recorded() -> (MessageManager, MessageeId, MessageeId) {
    let (mut manager, _, actor, ear) = heard();
    Recorder::new(1_000).start(&mut manager);
    (manager, actor, ear)
}

/// Returns the explanation of the last send of a type of message.
fn why<M: Message>(manager: &MessageManager) -> String {
    let last = told(manager).sends::<M>().pop();
    let why = last.and_then(|last| explain(manager, last.number));
    why.expect("it was recorded").to_string()
}

/// Returns why components were passed over for a type of message.
fn passed_over<M: Message>(manager: &MessageManager) -> Vec<PassedOver> {
    let events = told(manager).0.into_iter();
    let of_type = events.filter(|event| event.message_id == M::ID);
    let passed = of_type.filter_map(|event| match event.what {
        Traced::PassedOver { why, .. } => Some(why),
        _ => None,
    });
    passed.collect()
}

#[track_caller]
fn tells(text: &str, part: &str) {
    assert!(text.contains(part), "{part}\nis not in\n{text}");
}

// Passed over, declined, consumed.

// holds: seeing.explain-outcome
#[test]
fn a_component_that_is_disabled_is_passed_over() -> Tested {
    for to_all in [false, true] {
        let (mut manager, _, ear) = recorded();
        let hook = first_hook(&manager, ear);
        manager.set_enabled(hook, false)?;
        if to_all {
            manager.send(Everyone, Note("all"))?;
        } else {
            manager.send(ear, Note("one"))?;
        }
        assert_eq!(passed_over::<Note>(&manager), [PassedOver::Disabled]);
        tells(&why::<Note>(&manager), "of messagee 1v0: it is disabled");
    }
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn a_component_that_is_going_to_be_removed_is_passed_over() -> Tested {
    for to in [Everyone, Recipient::from(FEW)] {
        let (mut manager, actor, ear) = recorded();
        manager.join(FEW, ear)?;
        manager.send(
            actor,
            Consider::new(move |cx| {
                cx.despawn(ear).expect("it is there");
                cx.send(to, Peek("too late"))
                    .expect("nobody has to hear it");
            }),
        )?;
        assert_eq!(passed_over::<Peek>(&manager), [PassedOver::Leaving]);
        tells(&why::<Peek>(&manager), "1v0: it is leaving");
    }
    Ok(())
}

// holds: reentrancy.leaving
#[test]
fn a_send_to_one_that_is_going_to_be_removed_is_refused_and_says_why() -> Tested {
    let (mut manager, actor, ear) = recorded();
    manager.send(
        actor,
        Consider::new(move |cx| {
            cx.despawn(ear).expect("it is there");
            cx.send(ear, Peek("too late")).expect_err("it is leaving");
        }),
    )?;
    tells(
        &why::<Peek>(&manager),
        "it was despawned or unhooked in this dispatch",
    );
    Ok(())
}

// holds: required.lost
#[test]
fn what_was_kept_for_one_that_has_left_since_says_so() -> Tested {
    let (mut manager, actor, _) = recorded();
    manager.send(
        actor,
        Do::new(move |cx| {
            cx.send(Me, Note("kept")).expect("it is kept");
            cx.despawn(actor).expect("it is alive");
        }),
    )?;
    let why = why::<Note>(&manager);
    tells(&why, "it is leaving");
    tells(&why, "it was kept for");
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn the_sender_to_everyone_else_is_passed_over() -> Tested {
    let (mut manager, actor, _) = recorded();
    manager.speak_for(actor)?.send(EveryoneElse, Note("you"))?;
    assert_eq!(passed_over::<Note>(&manager), [PassedOver::Sender]);
    tells(&why::<Note>(&manager), "0v0: its messagee is the sender");
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn who_has_declined_was_called() -> Tested {
    struct Picky;
    #[handlers]
    impl Picky {
        #[on_receive]
        fn unheard(&mut self, _: &Unheard) -> bool {
            false
        }
    }
    let mut manager = MessageManager::new();
    let picky = manager.spawn((Picky,));
    Recorder::new(10).start(&mut manager);
    manager.send(picky, Unheard)?;
    let why = why::<Unheard>(&manager);
    tells(&why, "#2 received by");
    tells(&why, "#2 declined");
    tells(&why, "settled: received by 0");
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn what_an_interceptor_consumes_reaches_nobody_behind_it() -> Tested {
    let (mut manager, _, ear) = recorded();
    let id = manager.subscribe(Filter::of::<Note>().before(), |_, _| ControlFlow::Break(()));
    manager.send(ear, Note("swallowed"))?;
    let why = why::<Note>(&manager);
    tells(&why, &format!("#2 received by subscription {id}"));
    tells(&why, "#2 consumed it");
    assert_eq!(told(&manager).deliveries::<Note>().len(), 1);
    Ok(())
}

// Messages without a handler.

// holds: seeing.explain-unhandled
#[test]
fn a_messagee_without_a_handler_is_told_with_those_that_would_handle_it() -> Tested {
    struct Frame;
    struct Lock;
    struct Hinge;
    #[handlers]
    impl Hinge {
        #[on_receive]
        fn open(&self, _: &Open) {}
    }
    #[derive(Message)]
    #[message(name = "Open")]
    struct Open;
    #[derive(Message)]
    #[message(name = "Unknown")]
    struct Unknown;

    mnemonic!(DOOR = "why_not.DOOR");
    let mut manager = MessageManager::new();
    let door = manager.spawn(());
    manager.set_name(door, "Door")?;
    manager.bind(DOOR, door)?;
    Recorder::new(100).start(&mut manager);
    let name = std::any::type_name::<Hinge>;
    let told =
        |manager: &MessageManager| why::<Open>(manager).replace(&name().replace("Hinge", ""), "");
    manager.send(door, Open)?;
    tells(
        &told(&manager),
        "#1 not handled: messagee 0v0 \"Door\" has no components; `Hinge` would handle `Open`",
    );
    manager.hook(door, Frame)?;
    manager.send(DOOR, Open)?;
    tells(
        &told(&manager),
        "has `Frame`, which does not handle `Open`; `Hinge` would",
    );
    manager.hook(door, Lock)?;
    manager.send(door, Open)?;
    tells(
        &told(&manager),
        "has `Frame` and `Lock`; neither handles `Open`; `Hinge` would",
    );
    manager.hook(door, Frame)?;
    manager.send(door, Open)?;
    tells(
        &told(&manager),
        "has `Frame`, `Lock` and `Frame`; none of them handles `Open`; `Hinge` would",
    );
    manager.send(door, Unknown)?;
    tells(
        &why::<Unknown>(&manager),
        "; no component in the program handles `Unknown`",
    );
    let of_door = message_trace::TraceFilter::of::<Open>().involving(door);
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    let unhandled = recorder
        .select(&of_door)
        .filter(|event| matches!(event.what, Traced::Unhandled { .. }));
    assert_eq!(unhandled.count(), 4);

    Recorder::new(100).start(&mut manager);
    manager.send(Everyone, Open)?;
    assert!(!why::<Open>(&manager).contains("not handled"));
    Ok(())
}

// Dead letters, and cancelled messages.

// holds: seeing.explain-outcome
#[test]
fn a_dead_letter_tells_why_it_died() -> Tested {
    let letters: [(Header, &str); 3] = [
        (Header::to(NOBODY).after(ms(10)).build()?, "`NOBODY`"),
        (
            Header::to(FEW).after(ms(10)).require(1).build()?,
            "nobody is in the group",
        ),
        (
            Header::to(Everyone).after(ms(10)).require(1).build()?,
            "nobody there has a handler for it",
        ),
    ];
    for (header, expected) in &letters {
        let (mut manager, ..) = recorded();
        manager.post(header, Unheard)?;
        manager.tick(ms(10));
        let why = why::<Unheard>(&manager);
        tells(&why, "dead letter: ");
        tells(&why, expected);
    }
    let (mut manager, _, ear) = recorded();
    manager.post(&soon(ear), Note("late"))?;
    manager.despawn(ear)?;
    manager.tick(ms(10));
    tells(&why::<Note>(&manager), "dead letter: messagee 1v0 is gone");
    let died = told(&manager).0.into_iter().find_map(|it| match it.what {
        Traced::Died { why } => Some(why),
        _ => None,
    });
    assert_eq!(died, Some(Undelivered::Gone { to: ear.into() }));
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn what_was_bound_dies_with_its_sender() -> Tested {
    let (mut manager, actor, ear) = recorded();
    let header = Header::to(ear).after(ms(10)).tied_to_sender().build()?;
    manager.speak_for(actor)?.post(&header, Note("bound"))?;
    manager.despawn(actor)?;
    tells(&why::<Note>(&manager), "dead letter: ");
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn what_was_cancelled_says_so_however_it_was_cancelled() -> Tested {
    for way in 0..4 {
        let (mut manager, actor, ear) = recorded();
        let header = Header::to(ear).after(ms(10)).shared_key("key").build()?;
        let ticket = manager.speak_for(actor)?.post(&header, Note("never"))?;
        let cancelled = match way {
            0 => manager.cancel(ticket),
            1 => manager.cancel(PostKey::from("key").shared()),
            2 => manager.cancel(Posts::all().from(actor)),
            _ => manager.cancel(Posts::of::<Note>().to(ear)),
        };
        assert_eq!(cancelled, 1);
        manager.tick(ms(10));
        let why = why::<Note>(&manager);
        assert_eq!(
            why.lines().last().map(str::trim),
            Some("#1 cancelled"),
            "{why}"
        );
    }
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn what_was_replaced_under_its_key_says_so() -> Tested {
    let (mut manager, _, ear) = recorded();
    let header = Header::to(ear).after(ms(10)).key("key").build()?;
    manager.post(&header, Note("first"))?;
    let first = told(&manager).send::<Note>().number;
    manager.post(&header, Peek("second"))?;
    let why = explain(&manager, first).ok_or("it was recorded")?;
    tells(&why.to_string(), "replaced by another under its key");
    Ok(())
}

// Refused: the call has failed.

// holds: seeing.explain-outcome
#[test]
fn a_send_that_is_refused_says_why() -> Tested {
    let (mut manager, _, ear) = recorded();
    assert!(manager.send(NOBODY, Note("1")).is_err());
    tells(&why::<Note>(&manager), "refused: ");
    tells(&why::<Note>(&manager), "`NOBODY`");
    for to in [Me, EveryoneElse] {
        let error = manager.send(to, Note("2")).expect_err("nobody sends it");
        tells(&why::<Note>(&manager), &format!("refused: {error}"));
    }
    let (_, _, stranger) = recorded();
    let error = manager.send(stranger, Note("3")).expect_err("a stranger");
    tells(&why::<Note>(&manager), &format!("refused: {error}"));
    let twice = Header::to(ear).require(2).build()?;
    let error = manager.post(&twice, Note("4")).expect_err("there is one");
    tells(&why::<Note>(&manager), &format!("refused: {error}"));
    tells(&why::<Note>(&manager), "received by");
    manager.despawn(ear)?;
    let error = manager.send(ear, Note("5")).expect_err("it is gone");
    tells(&why::<Note>(&manager), &format!("refused: {error}"));
    let error = manager.post(&soon(ear), Note("6")).expect_err("it is gone");
    tells(&why::<Note>(&manager), &format!("refused: {error}"));
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn what_cannot_wait_and_is_refused_says_who_is_busy_or_not_yet_there() -> Tested {
    let (mut manager, actor, _) = recorded();
    manager.send(
        actor,
        Do::new(move |cx| {
            assert!(cx.request(actor, Who).is_err());
            let newborn = cx.spawn((Actor::new("newborn", &crate::common::Log::default()),));
            assert!(cx.send_mut(newborn, &mut Tour::default()).is_err());
        }),
    )?;
    tells(&why::<Who>(&manager), "refused: ");
    tells(&why::<Who>(&manager), "is busy");
    tells(&why::<Tour>(&manager), "refused: ");
    manager.subscribe(Filter::of::<Tour>(), |_, cx| {
        let _ = cx.send_mut(Everyone, &mut Tour::default());
    });
    manager.send(Everyone, Tour::default())?;
    tells(&why::<Tour>(&manager), "refused: ");
    tells(&why::<Tour>(&manager), "subscription");
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn what_is_past_a_limit_is_refused_and_says_which() -> Tested {
    let config = ManagerConfig::new().max_depth(1).max_kept(1).max_pending(1);
    let mut manager = MessageManager::with_config(config);
    let log = crate::common::Log::default();
    let actor = manager.spawn((Actor::new("actor", &log), Ear::new("ear", &log)));
    Recorder::new(100).start(&mut manager);
    let script = Do::new(|cx| {
        assert!(cx.send(Everyone, Note("deep")).is_err());
    });
    manager.send(actor, script)?;
    tells(&why::<Note>(&manager), "refused: ");
    tells(&why::<Note>(&manager), "already nested 1 deep");

    manager.post(&soon(actor), Peek("first"))?;
    assert!(manager.post(&soon(actor), Peek("second")).is_err());
    tells(&why::<Peek>(&manager), "refused: ");
    tells(&why::<Peek>(&manager), "1 messages are pending");

    let config = ManagerConfig::new().max_kept(1);
    let mut manager = MessageManager::with_config(config);
    let actor = manager.spawn((Actor::new("actor", &log),));
    Recorder::new(100).start(&mut manager);
    let script = Do::new(move |cx| {
        cx.send(actor, Note("kept")).expect("one can be kept");
        assert!(cx.send(actor, Note("not kept")).is_err());
    });
    manager.send(actor, script)?;
    tells(&why::<Note>(&manager), "refused: ");
    tells(&why::<Note>(&manager), "was not kept");
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn what_nobody_is_there_to_hear_settles_with_nobody() -> Tested {
    let (mut manager, ..) = recorded();
    manager.send(Everyone, Unheard)?;
    assert_eq!(why::<Unheard>(&manager).lines().count(), 2);
    tells(&why::<Unheard>(&manager), "settled: received by 0");
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn what_nobody_answers_settles_with_nobody_too() -> Tested {
    let (mut manager, _, ear) = recorded();
    manager.set_enabled(first_hook(&manager, ear), false)?;
    assert!(manager.request(ear, Who).is_err());
    tells(&why::<Who>(&manager), "it is disabled");
    tells(&why::<Who>(&manager), "settled: received by 0");
    Ok(())
}
