//! A panic in a handler: it propagates, nothing stays borrowed, and nothing queued is lost.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{Actor, Consider, Do, Ear, Log, Note, Tested, Who, panic_of, stage};
use message_core::Recipient::EveryoneElse;
use message_core::lifecycle::{Despawning, HandlerFailed, Hooked, Unhooking};
use message_core::prelude::*;

mnemonic!(WORLD);

/// Panics once, at a message from the manager.
#[derive(Default)]
struct Nervous {
    at: &'static str,
}

impl Nervous {
    fn at(at: &'static str) -> Self {
        Self { at }
    }

    fn maybe(&mut self, now: &str) {
        if self.at == now {
            self.at = "";
            panic!("nervous at {now}");
        }
    }
}

#[handlers]
impl Nervous {
    #[on_receive(priority = 1)]
    fn hooked(&mut self, _: &Hooked) {
        self.maybe("hooked");
    }

    #[on_receive(priority = 1)]
    fn unhooking(&mut self, _: &Unhooking) {
        self.maybe("unhooking");
    }

    #[on_receive(priority = 1)]
    fn despawning(&mut self, _: &Despawning) {
        self.maybe("despawning");
    }

    #[on_receive(priority = 1)]
    fn failed(&mut self, _: &HandlerFailed) {
        self.maybe("failed");
    }

    #[on_receive(priority = 1)]
    fn note(&mut self, note: &Note) -> Result<(), &'static str> {
        self.maybe(note.0);
        if note.0 == "fail" {
            Err("failed")
        } else {
            Ok(())
        }
    }
}

/// Logs the messages from the manager.
struct Clerk(Log);

#[handlers]
impl Clerk {
    #[on_receive]
    fn hooked(&mut self, _: &Hooked) {
        self.0.add("hooked");
    }

    #[on_receive]
    fn unhooking(&mut self, _: &Unhooking) {
        self.0.add("unhooking");
    }

    #[on_receive]
    fn despawning(&mut self, _: &Despawning) {
        self.0.add("despawning");
    }

    #[on_receive]
    fn failed(&mut self, failed: &HandlerFailed) {
        self.0.add(failed.error.to_string());
    }
}

fn oops() -> Do {
    Do::new(|_| panic!("oops"))
}

// holds: reentrancy.panic-to-caller
#[test]
fn a_panic_propagates_to_the_caller() {
    let (mut manager, _, actor) = stage();
    assert_eq!(panic_of(|| manager.send(actor, oops())), "oops");
}

// holds: reentrancy.panic-to-caller
#[test]
fn a_panic_propagates_through_the_handlers_that_led_to_it() {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let told = log.clone();
    let script = Do::new(move |cx| {
        cx.send(other, oops()).expect("it panics");
        told.add("never");
    });
    assert_eq!(panic_of(|| manager.send(actor, script)), "oops");
    assert!(log.take().is_empty());
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn after_a_panic_nothing_stays_borrowed_and_the_manager_is_usable() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log), Nervous::at("now")));
    let script = Consider::new(move |cx| {
        cx.send(other, Note("now")).expect("it panics");
    });
    assert_eq!(panic_of(|| manager.send(actor, script)), "nervous at now");
    for id in [actor, other] {
        assert_eq!(manager.send(id, Note("again"))?.pending, 0);
        assert!(manager.request(id, Who).is_ok());
        manager.get_mut::<Actor>(id)?.name = "renamed";
    }
    assert_eq!(log.take(), ["actor: again", "other: again"]);
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn messages_kept_before_a_panic_are_delivered_at_the_next_call() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let script = || {
        Do::new(move |cx| {
            let nested = Do::new(move |cx| {
                cx.send(other, Note("1")).expect("kept");
                cx.send(actor, Note("2")).expect("kept");
                cx.send(other, Note("3")).expect("kept");
                panic!("oops");
            });
            cx.send(other, nested).expect("it panics");
        })
    };
    panic_of(|| manager.send(actor, script()));
    assert!(log.take().is_empty());
    manager.send(other, Note("next"))?;
    let expected = ["other: 1", "other: 3", "actor: 2", "other: next"];
    assert_eq!(log.take(), expected);

    panic_of(|| manager.send(actor, script()));
    manager.settle();
    assert_eq!(log.take(), ["other: 1", "other: 3", "actor: 2"]);
    manager.settle();
    assert!(log.take().is_empty());
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn changes_asked_for_before_a_panic_are_made_at_the_next_call() {
    let (mut manager, log, actor) = stage();
    let (gone, stays) = (manager.spawn(()), manager.spawn(()));
    let ear = Ear::new("newborn", &log);
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((ear,));
        cx.send(newborn, Note("welcome")).expect("kept");
        cx.despawn(gone).expect("alive");
        cx.set_parent(stays, Some(actor)).expect("no cycle");
        cx.bind(WORLD, stays).expect("free");
        panic!("oops");
    });
    panic_of(|| manager.send(actor, script));
    assert!(manager.is_alive(gone));
    manager.settle();
    assert!(!manager.is_alive(gone));
    assert_eq!(manager.len(), 3);
    assert_eq!(manager.parent(stays), Some(actor));
    assert_eq!(manager.bound(WORLD), Some(stays));
    assert_eq!(log.take(), ["newborn: welcome"]);
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn every_call_that_may_change_the_manager_settles_first() {
    let (mut manager, _, actor) = stage();
    let calls: [fn(&mut MessageManager, MessageeId); 12] = [
        |manager, _| {
            manager.spawn(());
        },
        |manager, id| drop(manager.speak_for(id)),
        |manager, id| drop(manager.get_mut::<Actor>(id)),
        |manager, _| drop(manager.iter_mut::<Actor>()),
        |manager, id| drop(manager.set_parent(id, None)),
        |manager, id| drop(manager.request(id, Who)),
        |manager, id| assert_eq!(manager.cancel(Posts::all().to(id)), 0),
        |manager, id| assert!(!manager.forget_retained::<Note>(id)),
        |manager, id| drop(manager.publish(id, Note("published"))),
        |manager, _| manager.set_paused(false),
        |manager, _| manager.set_time_scale(1.0).expect("it is a scale"),
        |manager, _| manager.set_mail_retention::<Note>(2),
    ];
    for call in calls {
        let gone = manager.spawn(());
        let script = Do::new(move |cx| {
            cx.despawn(gone).expect("alive");
            panic!("oops");
        });
        panic_of(|| manager.send(actor, script));
        assert!(manager.is_alive(gone));
        call(&mut manager, actor);
        assert!(!manager.is_alive(gone));
    }
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn a_message_kept_for_several_is_delivered_to_all_of_them_after_a_panic() {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let nested = Do::new(|cx| {
        assert_eq!(cx.send(Everyone, Note("all")).expect("kept").pending, 2);
        panic!("oops");
    });
    let script = Do::new(move |cx| {
        cx.send(other, nested).expect("it panics");
    });
    panic_of(|| manager.send(actor, script));
    manager.settle();
    assert_eq!(log.take(), ["actor: all", "other: all"]);
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn after_a_panic_a_kept_message_can_lead_to_others_for_those_who_wait_for_it_too() {
    /// Passes each word on to the others, once.
    struct Gossip(Log, &'static str);
    #[handlers]
    impl Gossip {
        #[on_receive]
        fn act(&mut self, _: &Do, cx: &mut Context<'_>) {
            let from_outside = cx.sender() == Sender::Outside;
            if from_outside {
                cx.send(EveryoneElse, oops()).expect("it panics");
            }
            cx.send(Everyone, Note("news")).expect("kept");
            panic!("oops");
        }
        #[on_receive]
        fn note(&mut self, note: &Note, cx: &mut Context<'_>) {
            self.0.add(format!("{}: {}", self.1, note.0));
            if note.0 == "news" {
                cx.send(EveryoneElse, Note("gossip")).expect("sent");
            }
        }
    }
    let (mut manager, log) = (MessageManager::new(), Log::default());
    let first = manager.spawn((Gossip(log.clone(), "first"),));
    manager.spawn((Gossip(log.clone(), "second"),));
    panic_of(|| manager.send(first, oops()));
    manager.settle();
    let mut heard = log.take();
    heard.sort_unstable();
    let expected = [
        "first: gossip",
        "first: news",
        "second: gossip",
        "second: news",
    ];
    assert_eq!(heard, expected);
}

// holds: reentrancy.panic-loses-nothing, reentrancy.waits-behind-kept
#[test]
fn after_a_panic_what_was_kept_still_comes_before_what_is_sent_later() {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let nested = Do::new(move |cx| {
        let later = Do::new(move |cx| {
            cx.send(other, Note("2")).expect("sent");
        });
        cx.send(actor, later).expect("kept");
        cx.send(other, Note("1")).expect("kept");
        panic!("oops");
    });
    let script = Do::new(move |cx| {
        cx.send(other, nested).expect("it panics");
    });
    panic_of(|| manager.send(actor, script));
    manager.settle();
    assert_eq!(log.take(), ["other: 1", "other: 2"]);
}

// holds: reentrancy.panic-loses-nothing, reentrancy.waits-behind-kept
#[test]
fn a_handler_that_catches_the_panic_of_another_can_go_on() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let told = log.clone();
    let script = Do::new(move |cx| {
        let nested = Do::new(move |cx| {
            cx.send(other, Note("1")).expect("kept");
            cx.spawn(());
            panic!("oops");
        });
        let caught = catch_unwind(AssertUnwindSafe(|| cx.send(other, nested)));
        assert!(caught.is_err());
        assert_eq!(cx.send(other, Note("2")).expect("free").received, 1);
        told.add("goes on");
    });
    assert_eq!(manager.send(actor, script)?.received, 1);
    assert_eq!(log.take(), ["other: 1", "other: 2", "goes on"]);
    assert_eq!(manager.len(), 3);
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn what_is_kept_for_one_whose_panic_was_caught_is_delivered_at_the_latest_at_the_end() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let script = Do::new(move |cx| {
        let nested = Do::new(move |cx| {
            cx.send(other, Note("kept")).expect("kept");
            panic!("oops");
        });
        let caught = catch_unwind(AssertUnwindSafe(|| cx.send(other, nested)));
        assert!(caught.is_err());
    });
    assert_eq!(manager.send(actor, script)?.received, 1);
    assert_eq!(log.take(), ["other: kept"]);
    Ok(())
}

// Panics while changes are made.

// holds: reentrancy.panic-loses-nothing
#[test]
fn a_panic_in_a_handler_of_hooked_loses_none_of_the_other_changes() {
    let (mut manager, log, actor) = stage();
    let (clerk, nervous) = (Clerk(log.clone()), Nervous::at("hooked"));
    let ear = Ear::new("ear", &log);
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((nervous, clerk, ear));
        cx.send(newborn, Note("welcome")).expect("kept");
        cx.bind(WORLD, newborn).expect("free");
    });
    panic_of(|| manager.send(actor, script));
    assert!(log.take().is_empty());
    // It was bound at once, and comes alive.
    let newborn = manager.bound(WORLD);
    manager.settle();
    // The first of three announcements ended at the panic.
    assert_eq!(log.take(), ["hooked", "hooked", "ear: welcome"]);
    assert!(newborn.is_some_and(|id| manager.is_alive(id)));
}

// holds: messagees.unhook-panic
#[test]
fn a_panic_in_a_handler_of_unhooking_does_not_keep_the_component() {
    let (mut manager, log, actor) = stage();
    let id = manager.spawn((Nervous::at("unhooking"), Ear::new("ear", &log)));
    let hook = manager.hooks(id).next().expect("it has two");
    let script = Do::new(move |cx| cx.unhook(hook).expect("hooked"));
    panic_of(|| manager.send(actor, script));
    manager.settle();
    assert_eq!(manager.hooks(id).count(), 1);
    assert_eq!(
        manager.owner(hook),
        Err(MessageeError::NotHooked {
            hook,
            why: Absence::Gone
        })
    );
}

// holds: messagees.unhook-panic
#[test]
fn a_panic_while_a_component_is_unhooked_from_outside_does_not_keep_it() -> Tested {
    let (mut manager, log, _) = stage();
    let id = manager.spawn((Nervous::at("unhooking"), Ear::new("ear", &log)));
    let ear = manager.hooks(id).nth(1).expect("it has two");
    panic_of(|| manager.unhook::<Ear>(ear));
    assert_eq!(manager.send(id, Note("to the other"))?.received, 1);
    assert!(log.take().is_empty());
    let gone = manager.unhook::<Ear>(ear).map(drop);
    assert_eq!(
        gone,
        Err(MessageeError::NotHooked {
            hook: ear,
            why: Absence::Gone
        })
    );
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn a_panic_in_a_handler_of_despawning_does_not_keep_the_messagee() -> Tested {
    let (mut manager, log, actor) = stage();
    for (at, from_outside) in [
        ("despawning", true),
        ("despawning", false),
        ("unhooking", true),
        ("unhooking", false),
    ] {
        let parent = manager.spawn((Nervous::at(at),));
        let child = manager.spawn((Clerk(log.clone()),));
        manager.set_parent(child, Some(parent))?;
        log.take();
        if from_outside {
            panic_of(|| manager.despawn(parent));
        } else {
            let script = Do::new(move |cx| cx.despawn(parent).expect("alive"));
            panic_of(|| manager.send(actor, script));
        }
        manager.settle();
        assert_eq!(log.take(), ["despawning", "unhooking"]);
        assert!(!manager.is_alive(parent) && !manager.is_alive(child));
    }
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn a_panic_in_a_handler_of_handler_failed_does_not_keep_the_next_failure_from_being_told() {
    let (mut manager, log, actor) = stage();
    let nervous = manager.spawn((Nervous::at("failed"),));
    manager.spawn((Clerk(log.clone()),));
    log.take();
    let script = Do::new(move |cx| {
        cx.send(nervous, Note("fail")).expect("sent");
        cx.send(nervous, Note("fail")).expect("sent");
    });
    assert_eq!(
        panic_of(|| manager.send(actor, script)),
        "nervous at failed"
    );
    assert!(log.take().is_empty());
    manager.settle();
    assert_eq!(log.take(), ["failed"]);
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn a_panic_while_what_a_panic_left_is_settled_loses_nothing_either() {
    let (mut manager, log, actor) = stage();
    let script = Do::new(move |cx| {
        cx.send(actor, oops()).expect("kept");
        cx.send(actor, Note("1")).expect("kept");
        cx.send(actor, oops()).expect("kept");
        cx.send(actor, Note("2")).expect("kept");
        cx.spawn(());
        panic!("oops");
    });
    panic_of(|| manager.send(actor, script));
    panic_of(|| manager.settle());
    assert!(log.take().is_empty());
    panic_of(|| manager.settle());
    assert_eq!(log.take(), ["actor: 1"]);
    manager.settle();
    assert_eq!(log.take(), ["actor: 2"]);
    assert_eq!(manager.len(), 2);
}

#[test]
fn a_manager_can_be_dropped_with_what_a_panic_has_left() {
    let (mut manager, log, actor) = stage();
    let ear = Ear::new("ear", &log);
    let script = Do::new(move |cx| {
        cx.send(actor, Note("kept")).expect("kept");
        let newborn = cx.spawn((ear,));
        cx.send(newborn, Note("kept")).expect("kept");
        panic!("oops");
    });
    panic_of(|| manager.send(actor, script));
    drop(manager);
    assert!(log.take().is_empty());
}

/// Asks for a new messagee.
#[derive(Message)]
struct Multiply;

#[derive(Default)]
struct Cell {
    divided: usize,
}

#[handlers]
impl Cell {
    #[on_receive]
    fn divide(&mut self, _: &Multiply, cx: &mut Context<'_>) {
        self.divided += 1;
        cx.spawn((Self::default(),));
    }
}

/// Sends when it is dropped.
struct SendsAtTheEnd<'m>(&'m mut MessageManager);

impl Drop for SendsAtTheEnd<'_> {
    fn drop(&mut self) {
        let sent = self.0.send(Everyone, Multiply);
        assert_eq!(sent.map(|receipt| receipt.received), Ok(1));
    }
}

// holds: reentrancy.existence-waits
#[test]
fn a_send_that_comes_to_its_end_while_the_stack_is_unwound_is_settled() {
    let mut manager = MessageManager::new();
    manager.spawn((Cell::default(),));
    let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _at_the_end = SendsAtTheEnd(&mut manager);
        panic!("somewhere else");
    }));
    assert!(unwound.is_err());
    assert_eq!(manager.len(), 2);
}

/// Panics when it is dropped.
#[derive(Debug)]
struct Fragile(Log);

impl Drop for Fragile {
    fn drop(&mut self) {
        self.0.add("dropped".to_owned());
        panic!("fragile");
    }
}

#[derive(Message)]
#[message(reply = Fragile)]
struct Fetch;

/// Answers, and spawns a messagee that panics after the call has produced its result.
struct Porter(Log);

/// Is asked too, and declines.
struct Idler;

#[handlers]
impl Porter {
    #[on_receive]
    fn fetch(&mut self, _: &Fetch, cx: &mut Context<'_>) -> Fragile {
        cx.spawn((Nervous::at("hooked"),));
        Fragile(self.0.clone())
    }
}

#[handlers]
impl Idler {
    #[on_receive]
    fn fetch(&mut self, _: &Fetch) -> Option<Fragile> {
        None
    }
}

// holds: reentrancy.panic-after-result
#[test]
fn a_result_that_nobody_will_have_is_dropped_once_also_if_its_drop_panics() {
    let log = Log::default();
    let mut manager = MessageManager::new();
    let one = manager.spawn((Porter(log.clone()),));
    let two = manager.spawn((Idler, Porter(log.clone())));
    for to in [one.into(), two.into(), Everyone] {
        let panicked = panic_of(|| manager.request(to, Fetch));
        assert_eq!(panicked, "nervous at hooked", "{to}");
        assert_eq!(log.take(), ["dropped"], "{to}");
        manager.settle();
    }
}
