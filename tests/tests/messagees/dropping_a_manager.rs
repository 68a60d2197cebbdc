//! Dropping a manager: each value is dropped exactly once, even if several `Drop`s panic.
#![allow(
    clippy::unnecessary_wraps,
    reason = "what a manager can be laden with has one signature"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::{Do, Tested, panic_of};
use message_core::Recipient::Me;
use message_core::prelude::*;

const STEP: Duration = Duration::from_millis(16);

/// The numbers of values that were made and dropped.
#[derive(Clone, Default)]
struct Count(Arc<[AtomicUsize; 2]>);

impl Count {
    /// Returns a value that panics with that text when it is dropped.
    fn value(&self, text: &'static str) -> Brittle {
        self.0[0].fetch_add(1, Ordering::Relaxed);
        Brittle {
            text,
            count: self.clone(),
        }
    }

    fn made(&self) -> usize {
        self.0[0].load(Ordering::Relaxed)
    }

    fn dropped(&self) -> usize {
        self.0[1].load(Ordering::Relaxed)
    }
}

struct Brittle {
    text: &'static str,
    count: Count,
}

impl Brittle {
    /// Never called; used in a closure, which then captures the whole value.
    fn is_never_asked(&self) {
        unreachable!("{} is asked", self.text);
    }
}

impl Drop for Brittle {
    fn drop(&mut self) {
        self.count.0[1].fetch_add(1, Ordering::Relaxed);
        panic!("{}", self.text);
    }
}

#[derive(Message)]
struct One(Brittle);

#[derive(Message)]
struct Other(#[expect(dead_code, reason = "it is dropped")] Brittle);

/// In a cell of its own.
struct Busy(Brittle);

#[handlers]
impl Busy {
    #[on_receive]
    fn act(&mut self, script: &mut Do, cx: &mut Context<'_>) {
        script.run(cx);
        panic!("{} leaves everything", self.0.text);
    }

    #[on_receive]
    fn one(&mut self, _: &One) {}
}

/// Packed, since its handler has no context.
struct Packed(Brittle);

#[handlers]
impl Packed {
    #[on_receive]
    fn one(&self, one: &One) {
        assert_ne!(self.0.text, one.0.text);
    }
}

// Letters.

fn publish(manager: &mut MessageManager, count: &Count, texts: [&'static str; 2]) -> Tested {
    for text in texts {
        manager.publish(Everyone, One(count.value(text)))?;
        manager.publish(Everyone, Other(count.value("other")))?;
    }
    Ok(())
}

// holds: mail.drop-panics, mail.dropped-once
#[test]
fn letters_are_dropped_one_by_one_and_the_first_panic_goes_on() -> Tested {
    let (mut manager, count) = (MessageManager::new(), Count::default());
    publish(&mut manager, &count, ["first", "second"])?;
    manager.tick(STEP);
    manager.publish(Everyone, One(count.value("third")))?;
    assert_eq!(count.dropped(), 0);
    assert_eq!(panic_of(|| manager.tick(STEP)), "first");
    assert_eq!(count.dropped(), 4);
    // Every mailbox is as the new frame has it.
    let texts = manager
        .inbox::<One>()
        .into_iter()
        .map(|mail| mail.message().0.text);
    assert_eq!(texts.collect::<Vec<_>>(), ["third"]);
    assert!(manager.inbox::<Other>().is_empty());
    assert_eq!(manager.inbox_any().count(), 1);
    assert_eq!(panic_of(|| manager.tick(STEP)), "third");
    manager.tick(STEP);
    assert_eq!((count.dropped(), manager.inbox_any().count()), (5, 0));
    Ok(())
}

// holds: mail.drop-panics
#[test]
fn so_are_letters_that_were_sorted_for_a_reader() -> Tested {
    let (mut manager, count) = (MessageManager::new(), Count::default());
    let ids = [manager.spawn(()), manager.spawn(())];
    for frame in 0..3 {
        for number in 0..100 {
            manager.publish(ids[number % 2], One(count.value("letter")))?;
        }
        let panicked = catch_unwind(AssertUnwindSafe(|| manager.tick(STEP))).is_err();
        assert_eq!(panicked, frame > 0);
        assert_eq!(manager.inbox::<One>().to(ids[1]).count(), 50);
    }
    assert_eq!(count.dropped(), 200);
    assert_eq!(panic_of(|| manager.tick(STEP)), "letter");
    assert_eq!(count.dropped(), 300);
    Ok(())
}

// A manager.

/// Puts something into a manager that it still holds when it is dropped.
type Load = fn(&mut MessageManager, MessageeId, &Count) -> Tested;

const LOADS: [(&str, Load); 9] = [
    ("components", components),
    ("what is kept", kept),
    ("what waits to be changed", changes),
    ("what is posted", posts),
    ("letters", letters),
    ("what is retained", retained),
    ("what is staged", staged),
    ("closures", closures),
    ("the inlet", inlet),
];

fn components(manager: &mut MessageManager, _: MessageeId, count: &Count) -> Tested {
    for _ in 0..2 {
        let id = manager.spawn((Packed(count.value("packed")), Busy(count.value("busy"))));
        manager.hook(id, count.value("no handlers"))?;
    }
    Ok(())
}

fn leave(manager: &mut MessageManager, busy: MessageeId, script: Do) {
    assert_eq!(
        panic_of(|| manager.send(busy, script)),
        "busy leaves everything"
    );
}

fn kept(manager: &mut MessageManager, busy: MessageeId, count: &Count) -> Tested {
    let kept = [count.value("kept"), count.value("kept")];
    let script = Do::new(move |cx| {
        for one in kept {
            assert_eq!(cx.send(Me, One(one)).map(|receipt| receipt.pending), Ok(1));
        }
    });
    leave(manager, busy, script);
    Ok(())
}

fn changes(manager: &mut MessageManager, busy: MessageeId, count: &Count) -> Tested {
    let [one, two, three, four] = std::array::from_fn(|_| count.value("change"));
    let waiting = [count.value("waits"), count.value("waits")];
    let script = Do::new(move |cx| {
        cx.hook(busy, one).expect("it is alive");
        let newborn = cx.spawn((two, Packed(three)));
        for one in waiting {
            let sent = cx.send(newborn, One(one));
            assert_eq!(sent.map(|receipt| receipt.pending), Ok(1));
        }
        cx.subscribe(Filter::of::<Other>(), move |_: &Other, _| {
            four.is_never_asked();
        });
    });
    leave(manager, busy, script);
    Ok(())
}

fn posts(manager: &mut MessageManager, busy: MessageeId, count: &Count) -> Tested {
    for number in 0..5 {
        // In a batch, and single.
        let batched = Header::to(busy).after_frames(3).build()?;
        manager.post(&batched, One(count.value("batched")))?;
        let single = Header::to(busy)
            .after_frames(number + 1)
            .require(1)
            .build()?;
        manager.post(&single, Other(count.value("single")))?;
    }
    Ok(())
}

fn letters(manager: &mut MessageManager, _: MessageeId, count: &Count) -> Tested {
    manager.set_mail_retention::<One>(3);
    manager.set_mail_retention::<Other>(3);
    publish(manager, count, ["read", "read"])?;
    manager.tick(STEP);
    publish(manager, count, ["written", "written"])
}

fn retained(manager: &mut MessageManager, _: MessageeId, count: &Count) -> Tested {
    for _ in 0..2 {
        let id = manager.spawn(());
        let header = Header::to(id).retain().build()?;
        manager.post(&header, Other(count.value("retained")))?;
    }
    Ok(())
}

fn staged(manager: &mut MessageManager, _: MessageeId, count: &Count) -> Tested {
    let filter = Filter::of::<Other>().stage(Stage::LateUpdate);
    manager.subscribe(filter, |_: &Other, _| {});
    for _ in 0..2 {
        manager.send(Everyone, Other(count.value("staged")))?;
    }
    Ok(())
}

fn closures(manager: &mut MessageManager, busy: MessageeId, count: &Count) -> Tested {
    for _ in 0..2 {
        let value = count.value("subscriber");
        manager.subscribe(Filter::of::<Other>(), move |_: &Other, _| {
            value.is_never_asked();
        });
        let value = count.value("subscriber to all");
        manager.subscribe_for(busy, Filter::all(), move |_, _| {
            value.is_never_asked();
        })?;
        let value = count.value("interceptor");
        manager.subscribe(Filter::of::<Other>().before(), move |_: &mut Other, _| {
            value.is_never_asked();
            std::ops::ControlFlow::Continue(())
        });
    }
    Ok(())
}

fn inlet(manager: &mut MessageManager, busy: MessageeId, count: &Count) -> Tested {
    let (inlet, header) = (manager.inlet(), Header::to(busy).build()?);
    for _ in 0..3 {
        inlet
            .try_post(&header, One(count.value("inlet")))
            .map_err(|_| "no room")?;
    }
    Ok(())
}

fn laden(load: Load) -> Result<(MessageManager, Count), Box<dyn std::error::Error>> {
    let (mut manager, count) = (MessageManager::new(), Count::default());
    let busy = manager.spawn((Busy(count.value("busy")),));
    load(&mut manager, busy, &count)?;
    assert_eq!(count.dropped(), 0);
    Ok((manager, count))
}

// holds: memory.dropped-once, memory.drop-panics, threads.dropped-once, subscriptions.drop-panics
#[test]
fn a_manager_drops_each_value_once_and_lets_the_first_panic_go_on() -> Tested {
    for (what, load) in LOADS {
        let (manager, count) = laden(load)?;
        let panic = panic_of(|| drop(manager));
        let first = if what == "the inlet" { "inlet" } else { "busy" };
        assert_eq!(panic, first, "{what}");
        assert!(count.made() > 1, "{what}");
        assert_eq!(count.dropped(), count.made(), "{what}");
    }
    Ok(())
}

// holds: memory.drop-panics
#[test]
fn a_manager_that_is_dropped_while_a_thread_is_unwinding_lets_none_go_on() -> Tested {
    for (what, load) in LOADS {
        let (manager, count) = laden(load)?;
        let panic = panic_of(|| {
            let _manager = manager;
            panic!("before");
        });
        assert_eq!(panic, "before");
        assert_eq!(count.dropped(), count.made(), "{what}");
    }
    Ok(())
}

// holds: memory.dropped-once, memory.drop-panics
#[test]
fn a_manager_that_a_message_of_another_holds_is_dropped_with_it() -> Tested {
    /// Holds a manager whose inlet holds values.
    #[derive(Message)]
    struct Nested(#[expect(dead_code, reason = "it is dropped")] MessageManager);

    let (outer, counts) = (MessageManager::new(), [laden(inlet)?, laden(inlet)?]);
    let (inlet, header) = (outer.inlet(), Header::to(Everyone).build()?);
    let mut totals = Vec::new();
    for (nested, count) in counts {
        inlet
            .try_post(&header, Nested(nested))
            .map_err(|_| "no room")?;
        totals.push(count);
    }
    assert_eq!(panic_of(|| drop(outer)), "inlet");
    for count in totals {
        assert_eq!(count.dropped(), count.made());
    }
    Ok(())
}
