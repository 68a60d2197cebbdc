//! The consequences of a panic in a handler under each panic policy, and the state afterwards.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::brittle::{Cup, Dropped, Fall, Plate, panics, stage_under, unhooking_stage};
use crate::common::{Actor, Consider, Do, Ear, Note, Tested, Tour, Who, first_hook};
use crate::pending::soon;
use message_core::PanicPolicy::{Propagate, Unhook};
use message_core::Recipient::Me;
use message_core::prelude::*;
use message_core::trace::{TraceOutcome, Traced};
use message_trace::Recorder;

/// A message that each writer adds to; what is added before a panic is kept.
#[derive(Message, Default)]
struct Letter(Vec<&'static str>);

struct Writer(&'static str);

#[handlers]
impl Writer {
    #[on_receive]
    fn write(&mut self, letter: &mut Letter) {
        letter.0.push(self.0);
        assert!(self.0 != "panics", "out of ink");
    }
}

// holds: reentrancy.panic-to-caller
#[test]
fn by_default_a_panic_goes_to_the_caller_and_the_component_stays() -> Tested {
    let mut manager = MessageManager::new();
    let log = crate::common::Log::default();
    let cup = manager.spawn((Cup::new("cup", &log),));
    assert!(panics(&mut manager, |it| drop(it.send(cup, Fall("oops")))));
    assert_eq!(manager.send(cup, Note("whole"))?.received, 1);
    assert_eq!(log.take(), ["cup: whole"]);
    Ok(())
}

// holds: reentrancy.unhook-policy, reentrancy.panicked-counts
#[test]
fn under_unhook_the_send_returns_and_the_component_is_gone() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let cup = manager.spawn((Cup::new("cup", &log), Plate::new("plate", &log)));
    let hook = first_hook(&manager, cup);
    let receipt = manager.send(cup, Fall("cup"))?;
    assert_eq!(
        (receipt.received, receipt.failed, receipt.pending),
        (2, 1, 0)
    );
    assert!(!receipt.consumed);
    assert_eq!(
        manager.owner(hook),
        Err(MessageeError::NotHooked {
            hook,
            why: Absence::Gone
        })
    );
    assert!(manager.get::<Cup>(cup).is_err());
    assert_eq!(manager.hooks(cup).count(), 1);
    assert_eq!(manager.send(cup, Note("left"))?.received, 1);
    assert_eq!(log.take(), ["plate: stands", "plate: left"]);
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn under_either_policy_nothing_stays_borrowed() -> Tested {
    for policy in [Propagate, Unhook] {
        let (mut manager, log, actor) = stage_under(policy);
        let cup = manager.spawn((Cup::new("cup", &log), Actor::new("other", &log)));
        let script = Do::new(move |cx| {
            cx.send(cup, Fall("oops")).expect("it panics");
        });
        let panicked = panics(&mut manager, |it| drop(it.send(actor, script)));
        assert_eq!(panicked, policy == Propagate);
        for id in [actor, cup] {
            assert_eq!(manager.send(id, Note("free"))?.pending, 0);
            manager.get_mut::<Actor>(id)?.name = "renamed";
        }
        assert_eq!(manager.request(actor, Who)?, "renamed");
        assert_eq!(manager.iter_mut::<Cup>().count(), usize::from(panicked));
    }
    Ok(())
}

// holds: reentrancy.panic-loses-nothing, reentrancy.unhook-goes-on
#[test]
fn under_either_policy_nothing_that_was_queued_is_lost() {
    for policy in [Propagate, Unhook] {
        let (mut manager, log, actor) = stage_under(policy);
        let other = manager.spawn((Actor::new("other", &log), Ear::new("ear", &log)));
        let ear = Ear::new("newborn", &log);
        let script = Do::new(move |cx| {
            let nested = Do::new(move |cx| {
                cx.send(actor, Note("kept")).expect("it is kept");
                cx.post(&soon(actor), Note("posted")).expect("it waits");
                let newborn = cx.spawn((ear,));
                cx.send(newborn, Note("kept too")).expect("it is kept");
                cx.set_parent(newborn, Some(actor)).expect("no cycle");
                panic!("oops");
            });
            cx.send(other, nested).expect("it panics");
        });
        let panicked = panics(&mut manager, |it| drop(it.send(actor, script)));
        assert_eq!(panicked, policy == Propagate);
        assert_eq!(log.take(), ["actor: kept", "newborn: kept too"]);
        assert_eq!(manager.children(actor).count(), 1);
        assert_eq!(manager.hooks(other).count(), if panicked { 2 } else { 1 });
        manager.tick(crate::pending::ms(10));
        assert_eq!(log.take(), ["actor: posted"]);
        assert!(!manager.has_pending(Posts::all()));
    }
}

// holds: reentrancy.unhook-goes-on
#[test]
fn what_was_kept_for_the_component_itself_goes_with_it() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let id = manager.spawn((Actor::new("one", &log), Ear::new("ear", &log)));
    let script = Do::new(|cx| {
        assert_eq!(cx.send(Me, Note("late")).expect("it is kept").pending, 1);
        panic!("oops");
    });
    assert_eq!(manager.send(id, script)?.failed, 1);
    // The ear was free.
    assert_eq!(log.take(), ["ear: late"]);
    Ok(())
}

// holds: reentrancy.unhook-goes-on
#[test]
fn one_that_panics_on_what_was_kept_for_it_does_not_receive_what_is_behind() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let id = manager.spawn((Actor::new("one", &log),));
    let script = Do::new(|cx| {
        cx.send(Me, Note("first")).expect("it is kept");
        cx.send(Me, Do::new(|_| panic!("oops")))
            .expect("it is kept");
        cx.send(Me, Note("second")).expect("it is kept");
    });
    let receipt = manager.send(id, script)?;
    assert_eq!((receipt.received, receipt.failed), (1, 1));
    assert_eq!(log.take(), ["one: first"]);
    assert_eq!(manager.hooks(id).count(), 0);
    Ok(())
}

// Other receivers of the message.

// holds: reentrancy.unhook-goes-on, reentrancy.panicked-counts
#[test]
fn all_others_of_a_broadcast_receive_it_packed_or_in_cells() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let plates = ["a", "b", "c", "d"].map(|name| manager.spawn((Plate::new(name, &log),)));
    let receipt = manager.send(Everyone, Fall("b"))?;
    assert_eq!((receipt.received, receipt.failed), (4, 1));
    assert_eq!(log.take(), ["a: stands", "c: stands", "d: stands"]);
    assert_eq!(manager.hooks(plates[1]).count(), 0);
    let cups = ["e", "f"].map(|name| manager.spawn((Cup::new(name, &log),)));
    let receipt = manager.send(Everyone, Fall("all"))?;
    assert_eq!((receipt.received, receipt.failed), (5, 5));
    assert_eq!(
        manager.iter::<Plate>().count() + manager.iter::<Cup>().count(),
        0
    );
    assert!(cups.iter().all(|&cup| manager.is_alive(cup)));
    assert_eq!(manager.send(Everyone, Fall("all"))?.received, 0);
    Ok(())
}

// holds: reentrancy.unhook-goes-on
#[test]
fn a_request_goes_on_to_the_next_who_answers() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let id = manager.spawn((Cup::new("cup", &log), Ear::new("ear", &log)));
    assert_eq!(manager.request(id, Who)?, "ear");
    assert!(manager.get::<Cup>(id).is_err());
    let alone = manager.spawn((Cup::new("cup", &log),));
    let error = manager.request(alone, Who).expect_err("it panics");
    assert!(
        matches!(error.kind(), SendErrorKind::NoAnswer { .. }),
        "{error}"
    );
    assert!(manager.get::<Cup>(alone).is_err());
    Ok(())
}

// holds: reentrancy.unhook-goes-on
#[test]
fn a_request_to_all_has_the_answers_of_the_others() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let one = manager.spawn((Cup::new("cup", &log), Ear::new("one", &log)));
    let two = manager.spawn((Ear::new("two", &log),));
    let mut answers = manager.request_all(Everyone, Who)?;
    answers.retain(|(id, _)| *id == one || *id == two);
    assert_eq!(answers, [(one, "one"), (two, "two")]);
    Ok(())
}

// holds: reentrancy.unhook-goes-on, send.mut-in-out
#[test]
fn what_it_wrote_into_the_message_before_is_seen_by_those_behind() -> Tested {
    let (mut manager, ..) = unhooking_stage();
    let id = manager.spawn((Writer("first"), Writer("panics"), Writer("last")));
    let mut letter = Letter::default();
    let receipt = manager.send_mut(id, &mut letter)?;
    assert_eq!((receipt.received, receipt.failed), (3, 1));
    assert_eq!(letter.0, ["first", "panics", "last"]);
    // The second of three of one type is gone.
    let mut letter = Letter::default();
    manager.send_mut(id, &mut letter)?;
    assert_eq!(letter.0, ["first", "last"]);
    Ok(())
}

// holds: reentrancy.unhook-policy
#[test]
fn the_sender_goes_on_after_a_panic_of_a_receiver() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    let cup = manager.spawn((Cup::new("cup", &log),));
    let said = log.clone();
    let script = Do::new(move |cx| {
        let receipt = cx.send(cup, Fall("oops")).expect("it is there");
        said.add(format!("failed: {}", receipt.failed));
        // From then on it receives nothing, although it is there until the send from outside
        // returns.
        let again = cx.send(cup, Note("again")).expect("it is there");
        said.add(format!("received: {}", again.received));
        said.add(format!("hooked: {}", cx.iter::<Cup>().count()));
    });
    assert_eq!(manager.send(actor, script)?.failed, 1);
    assert_eq!(log.take(), ["failed: 1", "received: 0", "hooked: 1"]);
    assert_eq!(manager.iter::<Cup>().count(), 0);
    Ok(())
}

// holds: failures.receipt-in-handler, failures.receipt-outside
#[test]
fn a_panic_deep_down_is_caught_where_it_happened() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    let others = ["b", "c"].map(|name| manager.spawn((Actor::new(name, &log),)));
    let cup = manager.spawn((Cup::new("cup", &log),));
    let script = Do::new(move |cx| {
        let deeper = Do::new(move |cx| {
            let deepest = Do::new(move |cx| {
                assert_eq!(cx.send(cup, Fall("oops")).map(|it| it.failed), Ok(1));
            });
            assert_eq!(cx.send(others[1], deepest).map(|it| it.failed), Ok(0));
        });
        assert_eq!(cx.send(others[0], deeper).map(|it| it.failed), Ok(0));
    });
    assert_eq!(manager.send(actor, script)?.failed, 1);
    assert_eq!(manager.iter::<Actor>().count(), 3);
    Ok(())
}

// The component.

// holds: reentrancy.unhook-policy
#[test]
fn the_component_is_dropped_once_when_the_outermost_send_returns() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    let (cup, plate) = (Dropped::default(), Dropped::default());
    let (cups, plates, meanwhile) = (cup.counter(), plate.counter(), cup.counter());
    let bundle = (
        Cup::with("cup", &log, cup),
        Plate::with("plate", &log, plate),
    );
    let id = manager.spawn(bundle);
    let script = Do::new(move |cx| {
        cx.send(id, Fall("all")).expect("it is there");
        assert_eq!(meanwhile(), 0);
    });
    manager.send(actor, script)?;
    assert_eq!((cups(), plates()), (1, 1));
    drop(manager);
    assert_eq!((cups(), plates()), (1, 1));
    Ok(())
}

// holds: reentrancy.unhook-policy, messagees.same-type-twice
#[test]
fn of_a_type_that_is_hooked_twice_only_the_one_that_panicked_goes() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let id = manager.spawn((Plate::new("one", &log), Plate::new("two", &log)));
    let hooks: Vec<_> = manager.hooks(id).collect();
    assert_eq!(manager.send(id, Fall("one"))?.failed, 1);
    assert_eq!(manager.hooks(id).collect::<Vec<_>>(), hooks[1..]);
    assert_eq!(manager.send(id, Note("left"))?.received, 1);
    assert_eq!(log.take(), ["two: stands", "two: left"]);
    Ok(())
}

// holds: reentrancy.unhook-policy, reentrancy.shared-nests
#[test]
fn of_nested_shared_handlers_the_outer_one_goes_on_and_the_component_goes_at_the_end() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    let said = log.clone();
    let script = Consider::new(move |cx| {
        let nested = Consider::new(|_| panic!("oops"));
        assert_eq!(cx.send(Me, nested).map(|it| it.failed), Ok(1));
        said.add("goes on");
        assert_eq!(
            cx.send(Me, Consider::new(|_| {})).map(|it| it.received),
            Ok(0)
        );
    });
    assert_eq!(manager.send(actor, script)?.failed, 1);
    assert_eq!(log.take(), ["goes on"]);
    assert_eq!(manager.hooks(actor).count(), 0);
    Ok(())
}

// holds: reentrancy.unhook-policy
#[test]
fn its_slot_goes_to_another_and_its_hook_to_nobody() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let cup = manager.spawn((Cup::new("cup", &log),));
    let hook = first_hook(&manager, cup);
    manager.send(cup, Fall("oops"))?;
    let next = manager.hook(cup, Cup::new("next", &log))?;
    assert_ne!(hook, next);
    assert_eq!(
        manager.owner(hook),
        Err(MessageeError::NotHooked {
            hook,
            why: Absence::Gone
        })
    );
    assert_eq!(manager.send(cup, Note("new"))?.received, 1);
    assert_eq!(log.take(), ["next: new"]);
    Ok(())
}

#[test]
fn a_handler_that_catches_panics_itself_is_not_concerned() -> Tested {
    let (mut manager, _, actor) = unhooking_stage();
    let script = Do::new(|_| {
        assert!(catch_unwind(AssertUnwindSafe(|| panic!("mine"))).is_err());
    });
    assert_eq!(manager.send(actor, script)?.failed, 0);
    assert_eq!(manager.hooks(actor).count(), 1);
    Ok(())
}

#[test]
fn under_either_policy_the_trace_tells_of_the_panic() {
    for policy in [Propagate, Unhook] {
        let (mut manager, log, _) = stage_under(policy);
        let cup = manager.spawn((Cup::new("cup", &log),));
        Recorder::new(100).start(&mut manager);
        panics(&mut manager, |it| drop(it.send(cup, Fall("oops"))));
        let events = crate::traces::told(&manager).0;
        let returned = events.into_iter().find_map(|event| match event.what {
            Traced::Returned { outcome, .. } => Some(outcome),
            _ => None,
        });
        assert_eq!(returned, Some(TraceOutcome::Panicked));
    }
}

// holds: reentrancy.unhook-policy
#[test]
fn a_tour_reaches_all_who_are_left() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    manager.spawn((Ear::new("ear", &log), Cup::new("cup", &log)));
    manager.send(Everyone, Fall("oops"))?;
    let mut tour = Tour::default();
    manager.send_mut(Everyone, &mut tour)?;
    assert_eq!(tour.0, ["actor", "ear"]);
    assert!(manager.is_alive(actor));
    Ok(())
}
