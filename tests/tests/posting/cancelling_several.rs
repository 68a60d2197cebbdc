//! Cancelling several messages at once, some of which panic when they are dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::common::{Do, Note, Tested, panic_of};
use crate::pending::{heard, ms, soon};
use message_core::PostKey;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;

/// Counts how often it is dropped; its `Drop` panics with its number if `hurts` is set.
struct Fragile {
    number: u32,
    dropped: Arc<AtomicUsize>,
    hurts: bool,
}

impl Drop for Fragile {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
        assert!(!self.hurts, "{} hurts", self.number);
    }
}

#[derive(Message)]
struct Cup(Fragile);

#[derive(Message)]
struct Plate(#[allow(dead_code, reason = "it is dropped with the message")] Fragile);

type Step = Box<dyn FnOnce(&mut Context<'_>) + Send>;

/// Receives a cup, and runs its script once.
struct Shelf(Option<Step>);

#[handlers]
impl Shelf {
    #[on_receive]
    fn cup(&mut self, _: &Cup, cx: &mut Context<'_>) {
        if let Some(script) = self.0.take() {
            script(cx);
        }
    }
}

/// Makes fragile things, some of which hurt.
#[derive(Default)]
struct Kiln {
    made: u32,
    dropped: Arc<AtomicUsize>,
}

impl Kiln {
    fn make(&mut self, hurts: bool) -> Fragile {
        self.made += 1;
        Fragile {
            number: self.made,
            dropped: Arc::clone(&self.dropped),
            hurts,
        }
    }

    fn dropped(&self) -> usize {
        self.dropped.load(Ordering::Relaxed)
    }
}

// holds: time.cancel-drop-panics
#[test]
fn cancelling_several_cancels_all_of_them_also_when_the_drop_of_one_panics() -> Tested {
    // Single ones and batches, of two types; every one of them hurts, or one.
    for (hurting, expected) in [(None, "1 hurts"), (Some(17), "17 hurts")] {
        let (mut manager, log, _, ear) = heard();
        let mut kiln = Kiln::default();
        for _ in 0..20 {
            let hurts = |kiln: &Kiln| hurting.is_none_or(|number| number == kiln.made + 1);
            let it = hurts(&kiln);
            manager.post(&soon(ear), Cup(kiln.make(it)))?;
            let it = hurts(&kiln);
            manager.post(&soon(ear), Plate(kiln.make(it)))?;
            manager.post(&soon(Everyone), Note("stays"))?;
        }
        let fragile = |manager: &MessageManager| {
            manager.has_pending(Posts::of::<Cup>()) || manager.has_pending(Posts::of::<Plate>())
        };
        let all = Posts::all().to(ear);
        assert_eq!(panic_of(|| manager.cancel(all)), expected);
        assert_eq!(kiln.dropped(), 40);
        assert!(!fragile(&manager));
        assert_eq!(manager.cancel(all), 0);
        assert_eq!(manager.pending_posts(Posts::all()).len(), 20);
        let report = manager.tick(ms(10));
        assert_eq!((report.delivered, report.dead_letters), (20, 0));
        assert_eq!(log.take().len(), 40);
        assert_eq!(kiln.dropped(), 40);
    }
    Ok(())
}

// holds: time.cancel-drop-panics, time.cancelled-never-delivered
#[test]
fn so_does_a_handler_in_the_midst_of_a_pass() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    let mut kiln = Kiln::default();
    manager.post(
        &soon(actor),
        Do::new(|cx| {
            let text = panic_of(|| cx.cancel(Posts::of::<Cup>()));
            assert_eq!(text, "1 hurts");
            assert!(!cx.has_pending(Posts::of::<Cup>()));
        }),
    )?;
    for _ in 0..5 {
        manager.post(&soon(ear), Cup(kiln.make(true)))?;
        manager.post(&soon(ear), Note("stays"))?;
    }
    assert_eq!(manager.tick(ms(10)).delivered, 6);
    assert_eq!(kiln.dropped(), 5);
    assert_eq!(log.take().len(), 5);
    Ok(())
}

// holds: time.key-drop-panics
#[test]
fn when_the_drop_of_a_replaced_message_panics_the_new_one_is_pending() -> Tested {
    let (mut manager, log, _, ear) = heard();
    let mut kiln = Kiln::default();
    let header = Header::to(ear).after(ms(10)).key("key").build()?;
    let replaced = manager.post(&header, Cup(kiln.make(true)))?;
    let post = || manager.post(&header, Note("new"));
    assert_eq!(panic_of(post), "1 hurts");
    assert!(!manager.has_pending(replaced));
    assert_eq!(manager.pending_posts(PostKey::from("key")).len(), 1);
    assert_eq!(manager.pending_posts(Posts::all()).len(), 1);
    assert_eq!(manager.tick(ms(10)).delivered, 1);
    assert_eq!(log.take(), ["ear: new"]);
    Ok(())
}

// holds: reentrancy.drop-panic-family
#[test]
fn each_bound_message_of_a_sender_that_is_despawned_is_dropped_also_when_another_panics() -> Tested
{
    // Nobody listens for dead letters.
    let (mut manager, _, actor, ear) = heard();
    let mut kiln = Kiln::default();
    let bound = Header::to(ear).after(ms(10)).tied_to_sender().build()?;
    for _ in 0..4 {
        let mut speaker = manager.speak_for(actor)?;
        speaker.post(&bound, Cup(kiln.make(true)))?;
        speaker.post(&bound, Plate(kiln.make(true)))?;
    }
    assert_eq!(panic_of(|| manager.despawn(actor)), "1 hurts");
    assert_eq!(kiln.dropped(), 8);
    assert!(!manager.is_alive(actor) && !manager.has_pending(Posts::all()));
    Ok(())
}

// holds: messagees.despawn-bound-messages
#[test]
fn each_bound_message_of_a_sender_that_is_despawned_is_a_dead_letter_also_when_another_panics()
-> Tested {
    let (mut manager, log, actor, ear) = heard();
    let mut kiln = Kiln::default();
    let told = log.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        let cup = letter.message.as_ref().and_then(|it| it.downcast_ref());
        let Cup(fragile) = cup.expect("a cup");
        told.add(fragile.number.to_string());
    });
    let bound = Header::to(ear).after(ms(10)).tied_to_sender().build()?;
    for _ in 0..4 {
        let mut speaker = manager.speak_for(actor)?;
        speaker.post(&bound, Cup(kiln.make(true)))?;
    }
    assert_eq!(panic_of(|| manager.despawn(actor)), "1 hurts");
    for text in ["2 hurts", "3 hurts", "4 hurts"] {
        assert_eq!(panic_of(|| manager.settle()), text);
    }
    assert_eq!(log.take(), ["1", "2", "3", "4"]);
    assert_eq!(kiln.dropped(), 4);
    Ok(())
}

// holds: time.panic-in-pass
#[test]
fn when_a_handler_cancels_its_own_repeating_message_and_panics_a_second_panic_in_its_drop_is_caught()
-> Tested {
    let (mut manager, _, _, ear) = heard();
    let mut kiln = Kiln::default();
    let shelf = manager.spawn((Shelf(Some(Box::new(|cx| {
        assert_eq!(cx.cancel(Posts::of::<Cup>()), 1);
        panic!("on purpose");
    }))),));
    let header = Header::to(shelf).every(ms(10)).build()?;
    manager.post(&header, Cup(kiln.make(true)))?;
    let left = manager.post(&soon(ear), Note("left"))?;
    assert_eq!(panic_of(|| manager.tick(ms(50))), "on purpose");
    assert_eq!(kiln.dropped(), 1);
    assert!(!manager.has_pending(Posts::of::<Cup>()));
    assert!(manager.has_pending(left));
    assert_eq!(manager.tick(ms(10)).delivered, 1);
    Ok(())
}

// holds: time.panic-in-pass, required.cancelled
#[test]
fn cancelled_by_its_own_handler_a_repeating_message_may_panic_as_it_is_dropped() -> Tested {
    let (mut manager, log, _, ear) = heard();
    let mut kiln = Kiln::default();
    let heard = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&heard);
    manager.subscribe(Filter::of::<DeadLetter>(), move |_, _| {
        told.store(true, Ordering::Relaxed);
    });
    let shelf = manager.spawn((Shelf(Some(Box::new(|cx| {
        assert_eq!(cx.cancel(Posts::of::<Cup>()), 1);
    }))),));
    let header = Header::to(shelf).every(ms(10)).build()?;
    manager.post(&header, Cup(kiln.make(true)))?;
    manager.post(&soon(ear), Note("left"))?;
    assert_eq!(panic_of(|| manager.tick(ms(50))), "1 hurts");
    assert_eq!(kiln.dropped(), 1);
    assert_eq!(manager.tick(ms(10)).delivered, 1);
    assert_eq!(log.take(), ["ear: left"]);
    assert!(!heard.load(Ordering::Relaxed));
    Ok(())
}
