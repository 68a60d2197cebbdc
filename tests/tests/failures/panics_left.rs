//! The work that a panic reaching the caller cuts short, and the order in which the rest is carried out.

use std::time::Duration;

use crate::common::{Actor, Do, Note, Tested, panic_of, stage};
use message_core::prelude::*;

group!(WATCH);

/// Panics at every note.
struct Nervous;

#[handlers]
impl Nervous {
    #[on_receive]
    fn note(&mut self, note: &Note) {
        panic!("nervous at {}", note.0);
    }
}

// holds: reentrancy.panic-under-way
#[test]
fn nobody_else_receives_a_message_whose_send_a_panic_has_ended() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log), Nervous));
    for filter in [
        Filter::of::<Note>(),
        Filter::of::<Note>().stage(Stage::Update),
    ] {
        let told = log.clone();
        manager.subscribe(filter, move |note, _| told.add(note.0));
    }
    manager.join(WATCH, actor)?;
    manager.join(WATCH, other)?;
    // The first member is busy; of the second, the first component receives it and the other one panics.
    let script = Do::new(move |cx| {
        let header = Header::to(WATCH).retain();
        cx.post(header, Note("bad")).expect("it panics");
    });
    panic_of(|| manager.send(actor, script));
    manager.settle();
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["other: bad"]);
    assert!(!manager.forget_retained::<Note>(WATCH));
    Ok(())
}

// holds: reentrancy.panic-left-order
#[test]
fn what_a_panic_has_left_comes_to_who_has_waited_longest_first() {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let told = log.clone();
    let nested = Do::new(move |cx| {
        let later = Do::new(move |cx| {
            // The messages kept for the other one come before this.
            cx.send(other, Note("4")).expect("sent");
            told.add("sent");
        });
        cx.send(actor, later).expect("kept");
        cx.send(other, Note("1")).expect("kept");
        cx.send(actor, Note("3")).expect("kept");
        cx.send(other, Note("2")).expect("kept");
        panic!("oops");
    });
    let script = Do::new(move |cx| {
        cx.send(other, nested).expect("it panics");
    });
    panic_of(|| manager.send(actor, script));
    manager.settle();
    let seen = ["other: 1", "other: 2", "other: 4", "sent", "actor: 3"];
    assert_eq!(log.take(), seen);
}
