//! Panics in a pass: the rest of the pass is not lost, and is delivered in order.

use std::time::Duration;

use crate::common::{Actor, Do, Ear, Log, Note, Tested, panic_of, stage};
use message_core::PostKey;
use message_core::Recipient::Me;
use message_core::prelude::*;

const STEP: Duration = Duration::from_millis(10);

/// Returns a header for the next pass of a stage.
fn at(stage: Stage, to: impl Into<Recipient>) -> Header {
    let header = Header::to(to).stage(stage).build();
    header.expect("nothing contradicts itself")
}

/// Like [`stage`], but with fixed steps of 10 ms and an [`Ear`] named `ear`.
fn framed() -> (MessageManager, Log, MessageeId, MessageeId) {
    let mut manager = MessageManager::with_config(ManagerConfig::new().fixed_step(STEP));
    let log = Log::default();
    let actor = manager.spawn((Actor::new("actor", &log),));
    let ear = manager.spawn((Ear::new("ear", &log),));
    (manager, log, actor, ear)
}

/// Delivered in batches: nothing else handles it, and that takes no context.
#[derive(Message)]
struct Coin(u32);

/// Logs coins, and panics once, at the one with that number.
struct Tray(Log, Option<u32>);

#[handlers]
impl Tray {
    #[on_receive]
    fn coin(&mut self, coin: &Coin) {
        if self.1 == Some(coin.0) {
            self.1 = None;
            panic!("on purpose");
        }
        self.0.add(format!("coin {}", coin.0));
    }
}

// holds: time.panic-in-pass
#[test]
fn after_a_panic_in_a_pass_the_next_pass_of_that_stage_delivers_what_was_left_of_it() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    let delayed = Header::to(ear).after(2 * STEP).build()?;
    manager.post(&delayed, Note("new: delayed"))?;
    manager.post(&at(Stage::Update, ear), Note("before the panic"))?;
    manager.post(&at(Stage::Update, actor), Do::new(|_| panic!("on purpose")))?;
    manager.post(&at(Stage::Update, ear), Note("left"))?;
    manager.post(&at(Stage::LateUpdate, ear), Note("late"))?;
    assert_eq!(panic_of(|| manager.tick(STEP)), "on purpose");
    assert_eq!(log.take(), ["ear: before the panic"]);
    manager.post(&at(Stage::Update, ear), Note("new: ready"))?;
    assert_eq!(manager.tick(STEP).delivered, 4);
    let seen = ["left", "new: ready", "new: delayed", "late"];
    assert_eq!(log.take(), seen.map(|word| format!("ear: {word}")));
    Ok(())
}

// holds: time.panic-in-pass, time.unscaled-behind
#[test]
fn what_a_panic_has_left_on_the_unscaled_clock_comes_behind_the_new_ones_on_the_scaled_clock()
-> Tested {
    let (mut manager, log, actor, ear) = framed();
    let unscaled = Header::to(ear).after(STEP).unscaled().build()?;
    manager.post(&unscaled, Note("left"))?;
    let later = Header::to(ear).after(2 * STEP).unscaled().build()?;
    manager.post(&later, Note("new, unscaled"))?;
    manager.post(&at(Stage::Update, actor), Do::new(|_| panic!("on purpose")))?;
    panic_of(|| manager.tick(STEP));
    manager.post(&at(Stage::Update, ear), Note("new"))?;
    manager.tick(STEP);
    assert_eq!(log.take(), ["ear: new", "ear: left", "ear: new, unscaled"]);
    Ok(())
}

// holds: time.panic-in-pass, time.frame-delay
#[test]
fn what_a_panic_has_left_and_what_has_fallen_due_since_come_in_order_of_due_time() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    let fixed = |to| Header::to(to).stage(Stage::FixedUpdate);
    // Its frame begins at 15, where the fixed time is 10.
    let left = fixed(ear).after_frames(1).build()?;
    let panicking = fixed(actor).after(STEP / 2).build()?;
    manager.post(&left, Note("15, left"))?;
    manager.post(&panicking, Do::new(|_| panic!("on purpose")))?;
    for (due, word) in [(16, "16"), (12, "12"), (15, "15")] {
        let header = fixed(ear).after(Duration::from_millis(due)).build()?;
        manager.post(&header, Note(word))?;
    }
    panic_of(|| manager.tick(STEP + STEP / 2));
    assert!(log.take().is_empty());
    let report = manager.tick(STEP);
    assert_eq!((report.fixed_steps, report.delivered), (1, 4));
    let words = ["12", "15, left", "15", "16"];
    assert_eq!(log.take(), words.map(|word| format!("ear: {word}")));
    Ok(())
}

// holds: time.panic-in-pass
#[test]
fn what_had_fallen_due_again_before_a_panic_comes_in_order_with_the_rest() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    let ms = Duration::from_millis;
    manager.post(&Header::to(ear).every(ms(4)).build()?, Note("every 4"))?;
    let panicking = Header::to(actor).after(ms(5)).build()?;
    manager.post(&panicking, Do::new(|_| panic!("on purpose")))?;
    let unscaled = Header::to(ear).after(ms(1)).unscaled().build()?;
    manager.post(&unscaled, Note("unscaled"))?;
    for (due, word) in [(10, "10"), (7, "7"), (13, "13"), (17, "17")] {
        manager.post(&Header::to(ear).after(ms(due)).build()?, Note(word))?;
    }
    panic_of(|| manager.tick(STEP));
    assert_eq!(log.take(), ["ear: every 4"]);
    manager.tick(ms(8));
    let words = [
        "7", "every 4", "10", "every 4", "13", "every 4", "17", "unscaled",
    ];
    assert_eq!(log.take(), words.map(|word| format!("ear: {word}")));
    Ok(())
}

// holds: time.panic-in-pass, time.cancelled-never-delivered
#[test]
fn a_batch_that_a_panic_has_cut_off_keeps_its_place_among_what_is_due_with_it() -> Tested {
    // The panic comes at each of them in turn; with others of another type between them, or not.
    for (panics_at, mixed) in (0..40).flat_map(|at| [(at, false), (at, true)]) {
        let config = ManagerConfig::new().fixed_step(STEP);
        let (mut manager, log) = (MessageManager::with_config(config), Log::default());
        let tray = manager.spawn((Tray(log.clone(), Some(panics_at)),));
        let ear = manager.spawn((Ear::new("ear", &log),));
        let soon = Header::to(tray)
            .stage(Stage::FixedUpdate)
            .after(STEP)
            .build()?;
        let mut expected = Vec::new();
        for number in 0..40 {
            manager.post(&soon, Coin(number))?;
            expected.push(format!("coin {number}"));
            if mixed && number % 3 == 0 {
                manager.post(&soon.with_recipient(ear), Note("between"))?;
                expected.push("ear: between".to_owned());
            }
        }
        // Due in frame 1, which begins at 15: after those that fall due in the next step.
        let fixed = Header::to(ear).stage(Stage::FixedUpdate);
        manager.post(&fixed.after_frames(1).build()?, Note("15"))?;
        manager.post(&fixed.after(Duration::from_millis(12)).build()?, Note("12"))?;
        assert_eq!(panic_of(|| manager.tick(STEP + STEP / 2)), "on purpose");
        expected.retain(|entry| *entry != format!("coin {panics_at}"));
        let mut seen = log.take();
        // Some of the rest are cancelled before the next pass.
        let pending = manager.pending_posts(Posts::of::<Coin>());
        for post in pending.iter().skip(1).step_by(2) {
            assert_eq!(manager.cancel(post.ticket), 1);
        }
        manager.tick(STEP);
        seen.append(&mut log.take());
        expected.extend(["ear: 12", "ear: 15"].map(str::to_owned));
        let mut left = 0;
        expected.retain(|entry| {
            let number = entry.strip_prefix("coin ").map(str::parse::<u32>);
            match number {
                Some(Ok(number)) if number > panics_at => {
                    left += 1;
                    left % 2 == 1
                }
                _ => true,
            }
        });
        assert_eq!(seen, expected, "at {panics_at}, mixed: {mixed}");
        assert!(!manager.has_pending(Posts::all()));
        assert_eq!(manager.tick(STEP).delivered, 0);
    }
    Ok(())
}

// holds: time.panic-in-pass, time.frame-in-pieces
#[test]
fn after_a_panic_the_host_may_run_the_same_stage_again_and_go_on_with_the_frame() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    let script = Do::new(move |cx| {
        let now = at(Stage::Update, ear);
        cx.post(&now, Note("posted before the panic"))
            .expect("posted");
        panic!("on purpose");
    });
    manager.post(&at(Stage::Update, actor), script)?;
    manager.post(&at(Stage::Update, ear), Note("left"))?;
    manager.begin_frame(STEP);
    assert_eq!(panic_of(|| manager.run_stage(Stage::Update)), "on purpose");
    assert!(manager.has_pending(Posts::all().to(ear)));
    assert_eq!(manager.run_stage(Stage::Update), 2);
    assert_eq!(log.take(), ["ear: left", "ear: posted before the panic"]);
    assert_eq!(manager.run_stage(Stage::Update), 0);
    assert!(!manager.has_pending(Posts::all()));
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn a_message_left_by_a_panic_can_still_be_cancelled() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    manager.post(&at(Stage::Update, actor), Do::new(|_| panic!("on purpose")))?;
    let left = manager.post(&at(Stage::Update, ear), Note("left"))?;
    manager.post(&at(Stage::Update, ear), Note("right"))?;
    panic_of(|| manager.tick(STEP));
    assert_eq!(manager.cancel(left), 1);
    assert_eq!(manager.tick(STEP).delivered, 1);
    assert_eq!(log.take(), ["ear: right"]);
    Ok(())
}

// holds: time.cancel-drop-panics
#[test]
fn after_a_panic_in_the_drop_of_a_cancelled_message_the_others_are_delivered() -> Tested {
    #[derive(Message)]
    struct Fragile;

    impl Drop for Fragile {
        fn drop(&mut self) {
            panic!("on purpose");
        }
    }

    let (mut manager, log, _, ear) = framed();
    let fragile = Header::to(ear)
        .stage(Stage::Update)
        .key("fragile")
        .build()?;
    let ticket = manager.post(&fragile, Fragile)?;
    manager.post(&at(Stage::Update, ear), Note("next"))?;
    assert_eq!(panic_of(|| manager.cancel(ticket)), "on purpose");
    assert!(!manager.has_pending(ticket));
    assert!(!manager.has_pending(PostKey::from("fragile")));
    assert_eq!(manager.tick(STEP).delivered, 1);
    assert_eq!(log.take(), ["ear: next"]);
    Ok(())
}

// holds: time.panic-in-pass, time.fixed-follows
#[test]
fn fixed_steps_that_a_panic_has_cut_off_are_taken_in_the_next_frame() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    let panicking = Do::new(|_| panic!("on purpose"));
    manager.post(&at(Stage::FixedUpdate, actor), panicking)?;
    manager.post(&at(Stage::FixedUpdate, ear), Note("left"))?;
    panic_of(|| manager.tick(3 * STEP));
    let report = manager.tick(STEP);
    assert_eq!((report.fixed_steps, report.delivered), (3, 1));
    assert_eq!(log.take(), ["ear: left"]);
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn what_a_panic_left_to_settle_is_settled_before_the_next_frame() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    let script = Do::new(move |cx| {
        cx.spawn((Ear::new("newborn", &told),));
        cx.send(Me, Note("kept")).expect("kept");
        panic!("on purpose");
    });
    manager.post(&at(Stage::Update, actor), script)?;
    panic_of(|| manager.tick(STEP));
    manager.post(&at(Stage::Update, Everyone), Note("next"))?;
    manager.tick(STEP);
    assert_eq!(log.take(), ["actor: kept", "actor: next", "newborn: next"]);
    Ok(())
}
