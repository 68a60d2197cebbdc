//! Messages that repeat: when they are due again, how they end, and that each is one value.

use std::sync::Arc;
use std::time::Duration;

use crate::common::{Ear, Log, Note, Tested, panic_of};
use message_core::PostKey;
use message_core::lifecycle::DeadLetter;
use message_core::post::{Due, HeaderBuilder};
use message_core::prelude::*;

mnemonic!(WORLD);

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Counts its deliveries, and holds on to something; not `Clone`.
#[derive(Message, Default)]
struct Beat(
    u32,
    #[allow(dead_code, reason = "it is dropped with the message")] Option<Arc<()>>,
);

type Reaction = Box<dyn FnMut(u32, &mut Context<'_>) + Send>;

/// Logs each beat with its due time, and does something about it.
struct Drum(Log, Reaction);

#[handlers]
impl Drum {
    #[on_receive]
    fn beat(&mut self, beat: &mut Beat, cx: &mut Context<'_>) {
        beat.0 += 1;
        let due = cx.envelope().due;
        let (due, frame) = (due.time.as_millis(), due.frame);
        self.0.add(format!("{} at {due} in {frame}", beat.0));
        (self.1)(beat.0, cx);
    }

    #[on_receive]
    fn note(&mut self, note: &Note) {
        self.0.add(note.0);
    }
}

fn reacting(
    reaction: impl FnMut(u32, &mut Context<'_>) + Send + 'static,
) -> (MessageManager, Log, MessageeId) {
    let config = ManagerConfig::new().fixed_step(ms(10));
    let (mut manager, log) = (MessageManager::with_config(config), Log::default());
    let drum = manager.spawn((Drum(log.clone(), Box::new(reaction)),));
    (manager, log, drum)
}

fn drumming() -> (MessageManager, Log, MessageeId) {
    reacting(|_, _| ())
}

fn post(
    manager: &mut MessageManager,
    header: HeaderBuilder,
) -> Result<Ticket, Box<dyn std::error::Error>> {
    Ok(manager.post(&header.build()?, Beat::default())?)
}

fn ticks(manager: &mut MessageManager, frames: u32, milliseconds: u64) {
    for _ in 0..frames {
        manager.tick(ms(milliseconds));
    }
}

// When.

// holds: time.repeat-period
#[test]
fn a_message_that_repeats_is_due_one_period_after_it_was_posted_and_then_after_each_period()
-> Tested {
    let (mut manager, log, drum) = drumming();
    manager.tick(ms(3));
    post(&mut manager, Header::to(drum).every(ms(10)))?;
    let delivered = [9, 1, 5, 5, 10].map(|dt| manager.tick(ms(dt)).delivered);
    assert_eq!(delivered, [0, 1, 0, 1, 1]);
    assert_eq!(log.take(), ["1 at 13 in 3", "2 at 23 in 5", "3 at 33 in 6"]);
    Ok(())
}

// holds: time.repeat-period
#[test]
fn with_a_delay_the_first_delivery_comes_after_the_delay() -> Tested {
    let (mut manager, log, drum) = drumming();
    post(&mut manager, Header::to(drum).after(ms(5)).every(ms(10)))?;
    ticks(&mut manager, 5, 5);
    assert_eq!(log.take(), ["1 at 5 in 1", "2 at 15 in 3", "3 at 25 in 5"]);
    manager.cancel(Posts::all());
    let zero = Header::to(drum).after(Duration::ZERO).every(ms(10));
    post(&mut manager, zero)?;
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["1 at 25 in 5"]);
    manager.tick(ms(10));
    assert_eq!(log.take(), ["2 at 35 in 7"]);
    Ok(())
}

// holds: time.repeat-period, time.frame-delay
#[test]
fn a_period_by_frames_counts_frames() -> Tested {
    let (mut manager, log, drum) = drumming();
    post(&mut manager, Header::to(drum).every_frames(3).times(2))?;
    ticks(&mut manager, 7, 10);
    assert_eq!(log.take(), ["1 at 30 in 3", "2 at 60 in 6"]);
    let header = Header::to(drum).after_frames(0).every_frames(2).times(3);
    post(&mut manager, header)?;
    ticks(&mut manager, 9, 10);
    assert_eq!(
        log.take(),
        ["1 at 70 in 7", "2 at 90 in 9", "3 at 110 in 11"]
    );
    Ok(())
}

#[test]
fn it_is_delivered_as_many_times_in_all_as_its_header_says() -> Tested {
    let (mut manager, log, drum) = drumming();
    let alive = Arc::new(());
    let header = Header::to(drum).after(ms(1)).every(ms(10)).times(3);
    let beat = Beat(0, Some(Arc::clone(&alive)));
    let ticket = manager.post(&header.build()?, beat)?;
    for left in [3, 2, 1] {
        assert_eq!(manager.pending_posts(ticket)[0].deliveries, Some(left));
        manager.tick(ms(10));
    }
    assert!(!manager.has_pending(ticket) && !manager.has_pending(Posts::all()));
    assert_eq!(Arc::strong_count(&alive), 1);
    manager.tick(ms(100));
    assert_eq!(log.take().len(), 3);
    let once = post(&mut manager, Header::to(drum).every_frames(1).times(1))?;
    manager.tick(ms(1));
    assert!(!manager.has_pending(once));
    assert_eq!(manager.tick(ms(1)).delivered, 0);
    Ok(())
}

// holds: time.pending-listed
#[test]
fn a_list_of_what_is_pending_tells_the_period_and_its_clock() -> Tested {
    let (mut manager, _, drum) = drumming();
    for (header, period) in [
        (Header::to(drum).every(ms(10)), Some("10ms")),
        (
            Header::to(drum).after(ms(5)).every(ms(10)).unscaled(),
            Some("10ms unscaled"),
        ),
        (Header::to(drum).every_frames(3), Some("3 frames")),
        (
            Header::to(drum).stage(Stage::Update).every_pass(),
            Some("pass"),
        ),
        (Header::to(drum).after(ms(5)), None),
    ] {
        let expected = header.build()?.period();
        let ticket = post(&mut manager, header)?;
        let listed = manager.pending_posts(ticket)[0].period;
        assert_eq!(listed, expected);
        assert_eq!(listed.map(|period| period.to_string()).as_deref(), period);
    }
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn without_times_it_repeats_until_it_is_cancelled() -> Tested {
    let (mut manager, log, drum) = drumming();
    let ticket = post(&mut manager, Header::to(drum).every_frames(1))?;
    for _ in 0..1_000 {
        assert_eq!(manager.tick(ms(10)).delivered, 1);
    }
    assert_eq!(manager.pending_posts(ticket)[0].deliveries, None);
    assert_eq!(log.take().len(), 1_000);
    assert_eq!(manager.cancel(ticket), 1);
    assert_eq!(manager.tick(ms(10)).delivered, 0);
    Ok(())
}

// holds: time.repeat-period
#[test]
fn it_is_due_again_one_period_after_it_was_due_however_late_it_was_delivered() -> Tested {
    let (mut manager, log, drum) = drumming();
    post(&mut manager, Header::to(drum).every(ms(10)))?;
    for _ in 0..10_000 {
        manager.tick(Duration::from_micros(6_700));
    }
    let beats = log.take();
    assert_eq!(beats.len(), 6_700);
    for (beat, nth) in beats.iter().zip(1..) {
        let expected = format!("{nth} at {} in", nth * 10);
        assert!(beat.starts_with(&expected), "{beat} is not {expected}");
    }
    Ok(())
}

// holds: time.repeat-period, time.due-order
#[test]
fn after_a_long_frame_each_of_its_deliveries_comes_in_order_with_the_others() -> Tested {
    let (mut manager, log, drum) = drumming();
    let after = |delay| Header::to(drum).after(ms(delay)).build();
    manager.post(&after(20)?, Note("20 before"))?;
    post(&mut manager, Header::to(drum).every(ms(10)))?;
    manager.post(&after(20)?, Note("20 behind"))?;
    manager.post(&after(15)?, Note("15"))?;
    manager.post(&after(31)?, Note("31"))?;
    manager.post(&Header::to(drum).after_frames(1).build()?, Note("35"))?;
    assert_eq!(manager.tick(ms(35)).delivered, 8);
    let expected = [
        "1 at 10 in 1",
        "15",
        "20 before",
        "2 at 20 in 1",
        "20 behind",
        "3 at 30 in 1",
        "31",
        "35",
    ];
    assert_eq!(log.take(), expected);
    assert_eq!(manager.tick(ms(5)).delivered, 1);
    Ok(())
}

// holds: time.repeat-period, time.due-order
#[test]
fn two_that_repeat_catch_up_side_by_side() -> Tested {
    let (mut manager, log, drum) = drumming();
    post(&mut manager, Header::to(drum).every(ms(20)))?;
    post(&mut manager, Header::to(drum).every(ms(10)))?;
    manager.tick(ms(40));
    let expected = [
        "1 at 10", "1 at 20", "2 at 20", "3 at 30", "2 at 40", "4 at 40",
    ];
    assert_eq!(log.take(), expected.map(|beat| format!("{beat} in 1")));
    Ok(())
}

// holds: time.repeat-period, time.fixed-time-in-pass
#[test]
fn in_fixed_update_it_keeps_to_the_fixed_time() -> Tested {
    let (mut manager, log, drum) = reacting(|_, cx| {
        assert_eq!(cx.clock().now(), cx.envelope().due.time);
    });
    let header = Header::to(drum).stage(Stage::FixedUpdate).every(ms(10));
    post(&mut manager, header)?;
    assert_eq!(manager.tick(ms(35)).delivered, 3);
    assert_eq!(manager.tick(ms(5)).delivered, 1);
    assert_eq!(log.take().len(), 4);
    Ok(())
}

// holds: time.frame-delay
#[test]
fn by_frames_in_fixed_update_it_is_due_when_its_frames_began_though_they_had_no_fixed_pass()
-> Tested {
    let (_, log, _) = drumming();
    let config = ManagerConfig::new().fixed_step(ms(40));
    let mut manager = MessageManager::with_config(config);
    let drum = manager.spawn((Drum(log.clone(), Box::new(|_, _| ())),));
    let fixed = Header::to(drum).stage(Stage::FixedUpdate);
    for frames in 1..=5 {
        let beat = Beat(frames - 1, None);
        manager.post(fixed.after_frames(u64::from(frames)), beat)?;
    }
    let other = manager.post(&fixed.after(ms(25)).build()?, Beat(100, None))?;
    let delivered = [10, 10, 10].map(|dt| manager.tick(ms(dt)).delivered);
    assert_eq!(delivered, [0, 0, 0]);
    assert_eq!(manager.tick(ms(10)).delivered, 5);
    let expected = [
        "1 at 10 in 1",
        "2 at 20 in 2",
        "101 at 25 in 4",
        "3 at 30 in 3",
        "4 at 40 in 4",
    ];
    assert_eq!(log.take(), expected);
    assert!(!manager.has_pending(other));
    assert_eq!(manager.tick(ms(40)).delivered, 1);
    assert_eq!(log.take(), ["5 at 80 in 5"]);
    Ok(())
}

// holds: time.paused
#[test]
fn a_period_is_on_the_clock_of_the_delay() -> Tested {
    let (mut manager, log, drum) = drumming();
    post(&mut manager, Header::to(drum).every(ms(10)))?;
    manager.set_paused(true);
    assert_eq!(manager.tick(ms(100)).delivered, 0);
    manager.cancel(Posts::all());
    post(&mut manager, Header::to(drum).every(ms(10)).unscaled())?;
    assert_eq!(manager.tick(ms(20)).delivered, 2);
    assert_eq!(log.take(), ["1 at 110 in 2", "2 at 120 in 2"]);
    Ok(())
}

// holds: time.paused
#[test]
fn an_unscaled_period_with_a_delay_of_zero_is_unscaled_too() -> Tested {
    let (mut manager, log, drum) = drumming();
    let header = Header::to(drum).after(Duration::ZERO).every(ms(10));
    post(&mut manager, header.unscaled())?;
    manager.set_paused(true);
    let delivered = [10, 10, 10].map(|dt| manager.tick(ms(dt)).delivered);
    assert_eq!(delivered.iter().sum::<usize>(), 4, "{:?}", log.take());
    Ok(())
}

// holds: time.saturates
#[test]
fn a_period_past_the_end_of_time_saturates() -> Tested {
    let (mut manager, log, drum) = drumming();
    manager.tick(ms(10));
    let longest = Header::to(drum).every(Duration::MAX);
    let ticket = post(&mut manager, longest)?;
    let frames = Header::to(drum).every_frames(u64::MAX);
    let frames = post(&mut manager, frames)?;
    let last = Duration::from_nanos(u64::MAX >> 1);
    assert_eq!(manager.pending_posts(ticket)[0].due, Due::At(last));
    assert_eq!(manager.pending_posts(frames)[0].due, Due::Frame(u64::MAX));
    assert_eq!(manager.tick(Duration::MAX).delivered, 1);
    assert_eq!(manager.tick(Duration::MAX).delivered, 0);
    // There is no later time for it to be due.
    assert!(!manager.has_pending(ticket));
    assert_eq!(log.take().len(), 1);
    Ok(())
}

// How repeats end, and their state meanwhile.

// holds: time.repeat-one-value
#[test]
fn it_is_one_value_what_a_receiver_writes_into_it_is_there_the_next_time() -> Tested {
    let (mut manager, log, _) = drumming();
    let other = manager.spawn((Drum(log.clone(), Box::new(|_, _| ())),));
    manager.post(
        &Header::to(Everyone).every_frames(1).build()?,
        Beat::default(),
    )?;
    manager.tick(ms(1));
    assert_eq!(log.take(), ["1 at 1 in 1", "2 at 1 in 1"]);
    manager.despawn(other)?;
    manager.tick(ms(1));
    assert_eq!(log.take(), ["3 at 2 in 2"]);
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn its_own_handler_can_cancel_it_even_while_it_catches_up() -> Tested {
    let key = PostKey::from("beat").shared();
    let (mut manager, log, drum) = reacting(move |nth, cx| {
        if nth == 2 {
            assert!(cx.has_pending(key));
            assert_eq!(cx.cancel(key), 1);
            assert!(!cx.has_pending(key));
            assert_eq!(cx.cancel(key), 0);
        }
    });
    let alive = Arc::new(());
    let header = Header::to(drum).every(ms(10)).key(key).build()?;
    let ticket = manager.post(&header, Beat(0, Some(Arc::clone(&alive))))?;
    assert_eq!(manager.tick(ms(55)).delivered, 2);
    assert_eq!(log.take(), ["1 at 10 in 1", "2 at 20 in 1"]);
    assert!(!manager.has_pending(ticket));
    assert_eq!(Arc::strong_count(&alive), 1);
    assert_eq!(manager.tick(ms(100)).delivered, 0);
    Ok(())
}

// holds: headers.envelope
#[test]
fn cancelled_by_its_own_handler_its_envelope_stays_what_it_was_to_the_end_of_the_delivery() -> Tested
{
    let (mut manager, log, drum) = reacting(|_, cx| {
        let before = cx.envelope();
        cx.cancel(Posts::of::<Beat>());
        assert_eq!(cx.envelope(), before);
        let other = Header::to(Me).stage(Stage::EndOfFrame).build();
        cx.post(&other.expect("built"), Note("other"))
            .expect("posted");
        assert_eq!(cx.envelope(), before);
    });
    let header = Header::to(drum).stage(Stage::LateUpdate).every(ms(10));
    post(&mut manager, header)?;
    assert_eq!(manager.tick(ms(50)).delivered, 2);
    assert_eq!(log.take(), ["1 at 10 in 1", "other"]);
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn another_delivery_of_the_pass_can_cancel_it_while_it_catches_up() -> Tested {
    let (mut manager, log, drum) = drumming();
    let ticket = post(&mut manager, Header::to(drum).every(ms(10)))?;
    let actor = manager.spawn((crate::common::Actor::new("actor", &log),));
    let script = crate::common::Do::new(move |cx| assert_eq!(cx.cancel(ticket), 1));
    manager.post(&Header::to(actor).after(ms(25)).build()?, script)?;
    manager.tick(ms(100));
    assert_eq!(log.take(), ["1 at 10 in 1", "2 at 20 in 1"]);
    Ok(())
}

// holds: time.key-replaces
#[test]
fn a_message_that_repeats_is_replaced_under_its_key_even_while_it_is_delivered() -> Tested {
    let (mut manager, log, drum) = reacting(|_, cx| {
        let anew = Header::to(Me).after(ms(10)).shared_key("key").build();
        cx.post(&anew.expect("built"), Beat::default())
            .expect("posted");
    });
    let header = Header::to(drum).every(ms(1)).shared_key("key");
    let ticket = post(&mut manager, header)?;
    assert_eq!(manager.tick(ms(5)).delivered, 1);
    assert!(!manager.has_pending(ticket));
    let pending = manager.pending_posts(PostKey::from("key").shared());
    assert_eq!((pending.len(), pending[0].deliveries), (1, Some(1)));
    assert_eq!(pending[0].due, Due::At(ms(15)));
    assert_eq!(manager.tick(ms(10)).delivered, 1);
    assert_eq!(manager.pending_posts(Posts::all()).len(), 1);
    assert_eq!(log.take(), ["1 at 1 in 1", "1 at 15 in 2"]);
    Ok(())
}

// holds: messagees.despawn-bound-messages
#[test]
fn bound_to_a_sender_that_its_own_handler_despawns_it_ends_as_a_dead_letter() -> Tested {
    let (mut manager, log, drum) = reacting(|nth, cx| {
        if nth == 2 {
            let sender = cx.sender().id().expect("a messagee");
            cx.despawn(sender).expect("it is there");
        }
    });
    let sender = manager.spawn(());
    let header = Header::to(drum).every(ms(10)).tied_to_sender().build()?;
    manager.speak_for(sender)?.post(&header, Beat::default())?;
    let report = manager.tick(ms(50));
    assert_eq!((report.delivered, report.dead_letters), (2, 1));
    assert_eq!(log.take().len(), 2);
    assert!(!manager.has_pending(Posts::all()));
    Ok(())
}

// holds: time.panic-in-pass
#[test]
fn it_goes_on_after_a_handler_has_panicked() -> Tested {
    let (mut manager, log, drum) = reacting(|nth, _| assert!(nth != 2, "on purpose"));
    let ear = manager.spawn((Ear::new("ear", &log),));
    let header = Header::to(drum).every(ms(10)).times(4);
    let ticket = post(&mut manager, header)?;
    manager.post(&Header::to(ear).after(ms(15)).build()?, Note("15"))?;
    manager.post(&Header::to(ear).after(ms(25)).build()?, Note("25"))?;
    assert_eq!(panic_of(|| manager.tick(ms(35))), "on purpose");
    assert_eq!(log.take(), ["1 at 10 in 1", "ear: 15", "2 at 20 in 1"]);
    assert_eq!(manager.pending_posts(ticket)[0].deliveries, Some(2));
    assert_eq!(manager.tick(ms(10)).delivered, 3);
    let seen = log.take();
    assert_eq!(seen[0], "ear: 25");
    assert!(
        seen[1].starts_with("3 at 30") && seen[2].starts_with("4 at 40"),
        "{seen:?}"
    );
    assert!(!manager.has_pending(ticket));
    Ok(())
}

#[test]
fn a_panic_in_its_last_delivery_ends_it_too() -> Tested {
    let (mut manager, _, drum) = reacting(|_, _| panic!("on purpose"));
    let ticket = post(&mut manager, Header::to(drum).every(ms(10)).times(1))?;
    panic_of(|| manager.tick(ms(10)));
    assert!(!manager.has_pending(ticket));
    assert_eq!(manager.tick(ms(10)).delivered, 0);
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn cancelled_by_a_handler_that_then_panics_it_does_not_come_back() -> Tested {
    let (mut manager, _, drum) = reacting(|_, cx| {
        cx.cancel(Posts::of::<Beat>());
        panic!("on purpose");
    });
    post(&mut manager, Header::to(drum).every(ms(10)))?;
    panic_of(|| manager.tick(ms(50)));
    assert!(!manager.has_pending(Posts::all()));
    assert_eq!(manager.tick(ms(50)).delivered, 0);
    Ok(())
}

/// Logs dead letters: whether they have their message, and why.
fn log_dead_letters(manager: &mut MessageManager, log: &Log) {
    let told = log.clone();
    manager.subscribe(Filter::of::<DeadLetter>().hidden(), move |letter, _| {
        let stage = letter.envelope.stage;
        told.add(format!(
            "{} {stage} {}",
            letter.message.is_some(),
            letter.why
        ));
    });
}

// holds: time.repeat-ends, headers.recipient-goes-later
#[test]
fn it_ends_with_its_first_delivery_to_a_messagee_that_is_gone() -> Tested {
    let (mut manager, log, drum) = drumming();
    log_dead_letters(&mut manager, &log);
    let ticket = post(&mut manager, Header::to(drum).every(ms(10)).key("key"))?;
    manager.despawn(drum)?;
    assert!(manager.has_pending(ticket));
    let report = manager.tick(ms(50));
    assert_eq!((report.delivered, report.dead_letters), (1, 1));
    assert_eq!(log.take(), [format!("true Update messagee {drum} is gone")]);
    assert!(!manager.has_pending(ticket) && !manager.has_pending(PostKey::from("key")));
    assert_eq!(manager.tick(ms(50)).delivered, 0);
    Ok(())
}

// holds: time.repeat-ends
#[test]
fn its_dead_letters_have_the_message_when_it_is_not_wanted_any_more() -> Tested {
    let (mut manager, log, _) = drumming();
    log_dead_letters(&mut manager, &log);
    post(&mut manager, Header::to(WORLD).every(ms(10)).times(3))?;
    assert_eq!(manager.tick(ms(50)).dead_letters, 3);
    let unbound = format!("no messagee is bound to `{}`", WORLD.name());
    let expected = ["false", "false", "true"];
    assert_eq!(
        log.take(),
        expected.map(|has| format!("{has} Update {unbound}"))
    );
    Ok(())
}
