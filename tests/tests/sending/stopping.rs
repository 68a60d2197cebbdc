//! Stopping a message at a messagee: the rest of its components receive it, and nobody else.

use std::ops::ControlFlow;

use crate::common::{Actor, Do, Ear, Log, Note, Tested, stage};
use message_core::Recipient::EveryoneElse;
use message_core::prelude::*;

group!(ALL);

/// Stops each `Note` at its messagee.
struct Fence;

#[handlers]
impl Fence {
    #[on_receive(before(Ear, Actor))]
    fn note(&self, _: &Note) -> ControlFlow<StopAt> {
        ControlFlow::Break(StopAt::Messagee)
    }
}

/// Stops each `Note` for everybody.
struct Wall;

#[handlers]
impl Wall {
    #[on_receive(before(Ear, Actor))]
    fn note(&self, _: &Note) -> ControlFlow<StopAt> {
        ControlFlow::Break(StopAt::Component)
    }
}

fn ear(name: &'static str, log: &Log) -> Ear {
    Ear::new(name, log)
}

// holds: send.break-at-messagee
#[test]
fn the_other_components_of_the_messagee_receive_it_and_no_ancestor_descendant_or_subscriber()
-> Tested {
    let (mut manager, log, _) = stage();
    let parent = manager.spawn((ear("parent", &log),));
    let child = manager.spawn((ear("one", &log), Fence, ear("two", &log)));
    let grandchild = manager.spawn((ear("grandchild", &log),));
    manager.set_parent(child, Some(parent))?;
    manager.set_parent(grandchild, Some(child))?;
    let heard = log.clone();
    manager.subscribe(Filter::of::<Note>(), move |_: &Note, _| heard.add("heard"));
    for to in [Recipient::from(child), Up(child), Down(child)] {
        let receipt = manager.send(to, Note("fenced"))?;
        assert_eq!((receipt.received, receipt.consumed), (3, true), "{to}");
        assert_eq!(log.take(), ["one: fenced", "two: fenced"], "{to}");
    }
    let receipt = manager.send(Down(parent), Note("fenced"))?;
    assert_eq!((receipt.received, receipt.consumed), (4, true));
    assert_eq!(log.take(), ["parent: fenced", "one: fenced", "two: fenced"]);
    Ok(())
}

// holds: send.break-at-messagee
#[test]
fn another_component_of_the_messagee_may_still_stop_it_for_everybody() -> Tested {
    let (mut manager, log, _) = stage();
    let id = manager.spawn((Fence, Wall, ear("behind", &log)));
    let receipt = manager.send(id, Note("stopped"))?;
    assert_eq!((receipt.received, receipt.consumed), (2, true));
    assert!(log.take().is_empty());
    Ok(())
}

// holds: send.break-at-messagee
#[test]
fn of_those_that_are_busy_only_components_of_the_messagee_receive_it_later() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    manager.join(ALL, other)?;
    manager.join(ALL, actor)?;
    manager.hook(actor, Fence)?;
    let script = Do::new(move |cx| {
        let script = Do::new(move |cx| {
            let receipt = cx.send(ALL, Note("fenced")).expect("it is sent");
            assert_eq!((receipt.received, receipt.pending), (1, 1));
        });
        cx.send(other, script).expect("it is sent");
    });
    manager.send(actor, script)?;
    let notes = log.take();
    let of = |name: &str| {
        let notes = notes.iter().filter(|note| note.ends_with("fenced"));
        notes.filter(|note| note.starts_with(name)).count()
    };
    assert_eq!((of("actor"), of("other")), (1, 0), "{notes:?}");
    Ok(())
}

// holds: send.break-at-messagee-everyone
#[test]
fn of_a_message_to_everyone_the_rest_of_the_messagee_receives_it_at_once() -> Tested {
    let (mut manager, log, _) = stage();
    let before = manager.spawn((ear("before", &log),));
    let fenced = (
        ear("one", &log),
        Actor::new("actor", &log),
        Fence,
        ear("two", &log),
    );
    manager.spawn(fenced);
    manager.spawn((ear("after", &log), Fence));
    for to in [Everyone, EveryoneElse] {
        let receipt = manager.speak_for(before)?.send(to, Note("fenced"))?;
        assert_eq!((receipt.received, receipt.consumed), (4, true), "{to}");
        let mut notes = log.take();
        notes.sort_unstable();
        assert_eq!(
            notes,
            ["actor: fenced", "one: fenced", "two: fenced"],
            "{to}"
        );
    }
    Ok(())
}

// holds: send.break-at-messagee-hook
#[test]
fn of_a_message_to_a_hook_no_other_component_receives_it() -> Tested {
    let (mut manager, log, _) = stage();
    let id = manager.spawn((ear("beside", &log),));
    let fence = manager.hook(id, Fence)?;
    let receipt = manager.send(fence, Note("fenced"))?;
    assert_eq!((receipt.received, receipt.consumed), (1, true));
    assert!(log.take().is_empty());
    Ok(())
}

// holds: send.break-at-messagee
#[test]
fn a_message_that_a_messagee_overhears_can_be_stopped_at_it() -> Tested {
    let (mut manager, log, actor) = stage();
    let spy = manager.spawn((Fence, ear("spy", &log)));
    let second = manager.spawn((ear("second", &log),));
    manager.overhear(spy, Filter::of::<Note>())?;
    manager.overhear(second, Filter::of::<Note>())?;
    let receipt = manager.send(actor, Note("word"))?;
    assert_eq!((receipt.received, receipt.consumed), (3, true));
    assert_eq!(log.take(), ["actor: word", "spy: word"]);
    Ok(())
}
