//! Delays: when a posted message is due, in what order, and the contents of its envelope.

use std::time::Duration;

use crate::common::{Actor, Do, Ear, Log, Note, Peek, Tested, panic_of, stage};
use message_core::prelude::*;
use message_core::{Envelope, post::Due, time::Moment};

tag!(POST, PRIVATE);
mnemonic!(WORLD);

/// 292 years: the last moment there is.
const LAST: Duration = Duration::from_nanos(LAST_NANOS);
const LAST_NANOS: u64 = u64::MAX >> 1;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn moment(milliseconds: u64, frame: u64) -> Moment {
    Moment {
        time: ms(milliseconds),
        frame,
    }
}

/// Returns a manager with an unnamed [`Ear`], and the log of what it hears.
fn heard() -> (MessageManager, MessageeId, impl Fn() -> Vec<String>) {
    let (mut manager, log) = (MessageManager::new(), Log::default());
    let ear = manager.spawn((Ear::new("", &log),));
    let words = move || {
        let entries = log.take();
        entries.iter().map(|entry| entry[2..].to_owned()).collect()
    };
    (manager, ear, words)
}

fn after(to: impl Into<Recipient>, delay: Duration) -> Header {
    let header = Header::to(to).after(delay).build();
    header.expect("nothing contradicts itself")
}

fn after_frames(to: impl Into<Recipient>, frames: u64) -> Header {
    let header = Header::to(to).after_frames(frames).build();
    header.expect("nothing contradicts itself")
}

/// A letter with tags of its type; a [`Desk`] keeps its envelopes.
#[derive(Message, Debug)]
#[message(tags(POST))]
struct Letter;

#[derive(Default)]
struct Desk(Vec<Envelope>);

#[handlers]
impl Desk {
    #[on_receive]
    fn letter(&mut self, _: &Letter, cx: &mut Context<'_>) {
        self.0.push(cx.envelope());
    }
}

// When.

// holds: time.due-order
#[test]
fn nothing_is_early() -> Tested {
    let (mut manager, ear, words) = heard();
    manager.post(&after(ear, ms(30)), Note("30 ms"))?;
    manager.tick(Duration::from_nanos(29_999_999));
    assert!(words().is_empty());
    manager.tick(Duration::from_nanos(1));
    assert_eq!(words(), ["30 ms"]);
    manager.post(&after(ear, ms(25)), Note("25 ms"))?;
    let delivered = [10, 10, 10, 10].map(|dt| manager.tick(ms(dt)).delivered);
    assert_eq!(delivered, [0, 0, 1, 0]);
    Ok(())
}

// holds: time.frame-delay
#[test]
fn a_delay_of_one_frame_is_the_next_frame() -> Tested {
    let (mut manager, ear, words) = heard();
    manager.post(&after_frames(ear, 3), Note("three"))?;
    manager.post(&after_frames(ear, 1), Note("one"))?;
    manager.tick(Duration::ZERO);
    assert_eq!(words(), ["one"]);
    manager.tick(ms(1_000));
    assert!(words().is_empty());
    manager.tick(Duration::ZERO);
    assert_eq!(words(), ["three"]);
    Ok(())
}

// holds: time.frame-delay
#[test]
fn a_delay_by_frames_that_is_posted_in_a_frame_is_not_due_in_it() -> Tested {
    let (mut manager, log, actor) = stage();
    let header = Header::to(Me).stage(Stage::EndOfFrame).after_frames(1);
    let header = header.build()?;
    let script = Do::new(move |cx| {
        cx.post(&header, Note("next frame")).expect("posted");
    });
    manager.post(&Header::to(actor).stage(Stage::Update).build()?, script)?;
    assert_eq!(manager.tick(ms(10)).delivered, 1);
    assert_eq!(manager.tick(ms(10)).delivered, 1);
    assert_eq!(log.take(), ["actor: next frame"]);
    Ok(())
}

// The order.

// holds: time.due-order
#[test]
fn what_is_late_by_a_long_frame_is_delivered_in_the_order_of_due_time() -> Tested {
    let (mut manager, ear, words) = heard();
    for (delay, word) in [(50, "50"), (10, "10"), (40, "40"), (20, "20"), (30, "30")] {
        manager.post(&after(ear, ms(delay)), Note(word))?;
    }
    assert_eq!(manager.tick(ms(45)).delivered, 4);
    assert_eq!(words(), ["10", "20", "30", "40"]);
    manager.tick(ms(5));
    assert_eq!(words(), ["50"]);
    Ok(())
}

// holds: time.due-order
#[test]
fn equal_ones_are_delivered_in_the_order_posted_whatever_their_types() -> Tested {
    let (mut manager, ear, words) = heard();
    manager.post(&after(ear, ms(20)), Note("1"))?;
    manager.post(&after(ear, ms(20)), Peek("2"))?;
    manager.tick(ms(5));
    manager.post(&after(ear, ms(15)), Peek("3"))?;
    manager.post(&after(ear, ms(15)), Note("4"))?;
    manager.post(&after(ear, ms(14)), Note("0"))?;
    manager.tick(ms(100));
    assert_eq!(words(), ["0", "1", "2", "3", "4"]);
    Ok(())
}

// holds: time.frame-delay, time.due-order
#[test]
fn a_delay_by_frames_falls_due_when_its_frame_begins_at_the_time_of_that() -> Tested {
    let (mut manager, ear, words) = heard();
    manager.post(&after_frames(ear, 1), Note("1 at 10"))?;
    manager.post(&after(ear, ms(10)), Note("2 at 10"))?;
    manager.post(&after_frames(ear, 1), Peek("3 at 10"))?;
    manager.post(&after(ear, ms(9)), Note("0 at 9"))?;
    manager.post(&after(ear, ms(10)), Peek("4 at 10"))?;
    manager.begin_frame(ms(10));
    let ready = Header::to(ear).stage(Stage::Update).build()?;
    manager.post(&ready, Note("5 at 10"))?;
    manager.run_stage(Stage::Update);
    let expected = [
        "0 at 9", "1 at 10", "2 at 10", "3 at 10", "4 at 10", "5 at 10",
    ];
    assert_eq!(words(), expected);
    Ok(())
}

// holds: time.due-order
#[test]
fn a_delay_that_has_run_out_comes_before_what_was_posted_later_without_one() -> Tested {
    let (mut manager, ear, words) = heard();
    manager.post(&after(ear, ms(5)), Note("due at 5"))?;
    manager.begin_frame(ms(10));
    let ready = Header::to(ear).stage(Stage::Update).build()?;
    manager.post(&ready, Note("posted at 10"))?;
    manager.run_stage(Stage::Update);
    assert_eq!(words(), ["due at 5", "posted at 10"]);
    Ok(())
}

// holds: time.unscaled-behind
#[test]
fn what_waits_on_the_unscaled_clock_comes_behind_the_rest_in_its_own_order() -> Tested {
    let (mut manager, ear, words) = heard();
    let unscaled = |delay| Header::to(ear).after(ms(delay)).unscaled().build();
    manager.post(&unscaled(8)?, Note("u8"))?;
    manager.post(&unscaled(2)?, Note("u2"))?;
    manager.post(&unscaled(8)?, Peek("u8 again"))?;
    manager.post(&after(ear, ms(9)), Note("9"))?;
    manager.post(&after_frames(ear, 1), Note("frame"))?;
    manager.tick(ms(10));
    assert_eq!(words(), ["9", "frame", "u2", "u8", "u8 again"]);
    Ok(())
}

// holds: time.due-order
#[test]
fn delays_of_every_magnitude_come_in_order() -> Tested {
    #[derive(Message)]
    struct Nth(u64);

    #[derive(Default)]
    struct Heard(Vec<(u64, Duration)>);

    #[handlers]
    impl Heard {
        #[on_receive]
        fn nth(&mut self, nth: &Nth, cx: &mut Context<'_>) {
            self.0.push((nth.0, cx.clock().now()));
        }
    }

    let mut manager = MessageManager::new();
    let heard = manager.spawn((Heard::default(),));
    let mut delays: Vec<u64> = (0..63).flat_map(|bit| [(1 << bit) - 1, 1 << bit]).collect();
    delays.extend([65, 4_097, 1_000_000_007, LAST_NANOS]);
    for &delay in delays.iter().rev() {
        manager.post(&after(heard, Duration::from_nanos(delay)), Nth(delay))?;
    }
    delays.sort_unstable();
    for to in [0, 1, 63, 64, 65, 4_095, 4_096, 1 << 30, 1 << 47, LAST_NANOS] {
        let to = Duration::from_nanos(to);
        manager.tick(to.saturating_sub(manager.clock().now()));
        let received = std::mem::take(&mut manager.get_mut::<Heard>(heard)?.0);
        assert!(received.iter().all(|&(_, now)| now == to));
        let due = delays.extract_if(.., |delay| Duration::from_nanos(*delay) <= to);
        assert!(received.iter().map(|&(nth, _)| nth).eq(due));
    }
    assert!(delays.is_empty());
    Ok(())
}

// holds: time.due-order, time.frame-delay
#[test]
fn a_message_due_in_an_hour_comes_after_an_hour() -> Tested {
    let (mut manager, ear, words) = heard();
    manager.tick(ms(7));
    manager.post(&after(ear, Duration::from_hours(1)), Note("an hour"))?;
    manager.post(&after_frames(ear, 3_600), Note("as many frames"))?;
    for _ in 0..3_599 {
        manager.post(&after_frames(ear, 1), Note("now"))?;
        manager.tick(Duration::from_secs(1));
        assert_eq!(words(), ["now"]);
    }
    manager.tick(Duration::from_secs(1));
    assert_eq!(words(), ["an hour", "as many frames"]);
    Ok(())
}

// holds: time.due-order
#[test]
fn what_is_spread_over_an_hour_is_delivered_in_order_each_at_the_first_tick_that_is_not_early()
-> Tested {
    #[derive(Message)]
    struct Spread(usize);

    /// When each was due, which it was, and when it was delivered.
    #[derive(Default)]
    struct Heard(Vec<(Duration, usize, Duration)>);

    #[handlers]
    impl Heard {
        #[on_receive]
        fn spread(&mut self, spread: &Spread, cx: &mut Context<'_>) {
            let due = cx.envelope().due.time;
            self.0.push((due, spread.0, cx.clock().now()));
        }
    }

    // The milliseconds that are left of an hour.
    let left = |now: Duration| 3_600_000 - now.as_secs() * 1_000 - u64::from(now.subsec_millis());
    let mut manager = MessageManager::new();
    let heard = manager.spawn((Heard::default(),));
    let mut state = 88_172_645_463_325_253_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005);
        (state >> 31) % below
    };
    let (mut posted, mut before) = (Vec::new(), Duration::ZERO);
    while left(before) > 0 {
        // Half of them before the first tick, the rest on the way.
        let posts = if posted.is_empty() { 25_000 } else { 10 };
        for nth in posted.len()..(posted.len() + posts).min(50_000) {
            let delay = ms(1 + random(left(before)));
            manager.post(&after(heard, delay), Spread(nth))?;
            posted.push((before + delay, nth));
        }
        manager.tick(ms((1 + random(1_000)).min(left(before))));
        let now = manager.clock().now();
        let heard = &manager.get::<Heard>(heard)?.0;
        let of_this_tick = heard.iter().rev().take_while(|heard| heard.2 == now);
        for (due, ..) in of_this_tick {
            assert!(before < *due && *due <= now);
        }
        before = now;
    }
    assert_eq!(posted.len(), 50_000);
    posted.sort_unstable();
    let heard = &manager.get::<Heard>(heard)?.0;
    let heard = heard.iter().map(|(due, nth, _)| (*due, *nth));
    assert!(heard.eq(posted), "in order of due time, then of posting");
    Ok(())
}

// The end of time.

// holds: time.saturates
#[test]
fn a_delay_past_the_end_of_time_is_due_then() -> Tested {
    let (mut manager, ear, words) = heard();
    manager.tick(ms(10));
    let longest = Header::to(ear).after(Duration::MAX);
    let unscaled = manager.post(&longest.unscaled().build()?, Note("unscaled"))?;
    let scaled = manager.post(&longest.build()?, Note("scaled"))?;
    let due = |manager: &MessageManager, ticket| manager.pending_posts(ticket)[0].due;
    assert_eq!(due(&manager, scaled), Due::At(LAST));
    assert_eq!(due(&manager, unscaled), Due::Unscaled(LAST));
    manager.tick(LAST.saturating_sub(ms(11)));
    assert!(words().is_empty());
    manager.tick(Duration::MAX);
    assert_eq!(words(), ["scaled", "unscaled"]);
    manager.post(&longest.build()?, Note("at the end"))?;
    manager.tick(ms(10));
    assert_eq!(words(), ["at the end"]);
    Ok(())
}

// holds: time.saturates
#[test]
fn a_frame_past_the_last_one_is_the_last_one() -> Tested {
    let (mut manager, ear, words) = heard();
    for _ in 0..5 {
        manager.tick(ms(10));
    }
    let ticket = manager.post(&after_frames(ear, u64::MAX), Note("never"))?;
    manager.post(&after_frames(ear, 2), Note("soon"))?;
    let pending = manager.pending_posts(ticket);
    assert_eq!(pending[0].due, Due::Frame(u64::MAX));
    for _ in 0..1_000 {
        manager.tick(ms(10));
    }
    assert_eq!(words(), ["soon"]);
    assert!(manager.has_pending(ticket));
    Ok(())
}

// The contents of the envelope.

// holds: headers.envelope
#[test]
fn the_envelope_tells_sender_recipient_posted_due_tags_stage_and_place() -> Tested {
    let mut manager = MessageManager::new();
    let desk = manager.spawn((Desk::default(),));
    let header = Header::to(desk).stage(Stage::LateUpdate).after(ms(15));
    let header = header.tags(PRIVATE).build()?;
    manager.tick(ms(10));
    let line = line!() + 1;
    manager.post(&header, Letter)?;
    manager.tick(ms(10));
    manager.tick(ms(10));
    let envelope = manager.get::<Desk>(desk)?.0[0];
    assert_eq!(envelope.sender, Sender::Outside);
    assert_eq!(envelope.recipient, desk.into());
    assert_eq!(envelope.posted, moment(10, 1));
    assert_eq!(envelope.due, moment(25, 3));
    assert_eq!(envelope.tags, POST | PRIVATE);
    assert_eq!(envelope.stage, Stage::LateUpdate);
    assert!(envelope.place.file().ends_with("delays.rs"));
    assert_eq!(envelope.place.line(), line);
    Ok(())
}

// holds: headers.envelope
#[test]
fn the_envelope_tells_when_it_was_due_by_frames_on_the_unscaled_clock_and_at_once() -> Tested {
    let mut manager = MessageManager::new();
    let desk = manager.spawn((Desk::default(),));
    manager.tick(ms(10));
    manager.set_time_scale(0.5)?;
    manager.tick(ms(10));
    manager.post(&after_frames(desk, 1), Letter)?;
    manager.post(&Header::to(desk).stage(Stage::Update).build()?, Letter)?;
    let unscaled = Header::to(desk).after(ms(1)).unscaled().build()?;
    manager.post(&unscaled, Letter)?;
    manager.post(&Header::to(desk).build()?, Letter)?;
    manager.send(desk, Letter)?;
    manager.tick(ms(10));
    let desk = manager.get::<Desk>(desk)?;
    let due: Vec<_> = desk.0.iter().map(|envelope| envelope.due).collect();
    let now = moment(15, 2);
    assert_eq!(due, [now, now, now, moment(20, 3), moment(21, 3)]);
    assert!(desk.0.iter().all(|envelope| envelope.posted == now));
    let stages: Vec<_> = desk.0.iter().map(|envelope| envelope.stage).collect();
    assert_eq!(stages[..2], [Stage::Immediate; 2]);
    assert_eq!(stages[2..], [Stage::Update; 3]);
    Ok(())
}

// holds: headers.envelope
#[test]
fn the_envelope_tells_the_frame_of_the_delivery_or_the_one_in_which_it_was_due() -> Tested {
    let mut manager = MessageManager::new();
    let desk = manager.spawn((Desk::default(),));
    manager.post(&after(desk, ms(5)), Letter)?;
    manager.post(&after_frames(desk, 1), Letter)?;
    manager.begin_frame(ms(10));
    manager.begin_frame(ms(10));
    assert_eq!(manager.run_stage(Stage::Update), 2);
    let due = manager
        .get::<Desk>(desk)?
        .0
        .iter()
        .map(|envelope| envelope.due)
        .collect::<Vec<_>>();
    assert_eq!(due, [moment(5, 2), moment(10, 1)]);
    Ok(())
}

// Senders, and receivers that are gone meanwhile.

// holds: headers.envelope
#[test]
fn a_message_is_delivered_although_its_sender_is_gone_and_still_tells_who_it_was() -> Tested {
    let mut manager = MessageManager::new();
    let (log, desk) = (Log::default(), manager.spawn((Desk::default(),)));
    let sender = manager.spawn((Actor::new("sender", &log),));
    let line = line!() + 1;
    let script = Do::new(move |cx| drop(cx.post(&after(desk, ms(10)), Letter)));
    manager.send(sender, script)?;
    manager.despawn(sender)?;
    manager.spawn((Actor::new("newcomer", &log),));
    manager.tick(ms(10));
    let envelope = manager.get::<Desk>(desk)?.0[0];
    assert_eq!(envelope.sender, Sender::Messagee(sender));
    assert_eq!(envelope.place.line(), line);
    assert!(!manager.is_alive(sender));
    Ok(())
}

// holds: headers.recipient-goes-later, messagees.stale-id
#[test]
fn a_message_to_a_messagee_that_goes_later_is_a_dead_letter_and_never_reaches_a_newcomer() -> Tested
{
    let (mut manager, ear, words) = heard();
    manager.post(&after(ear, ms(10)), Note("lost"))?;
    manager.despawn(ear)?;
    let log = Log::default();
    let newcomer = manager.spawn((Ear::new("newcomer", &log),));
    assert_ne!(newcomer, ear);
    let report = manager.tick(ms(10));
    assert_eq!((report.delivered, report.dead_letters), (1, 1));
    assert!(words().is_empty() && log.take().is_empty());
    Ok(())
}

// holds: send.everyone-else
#[test]
fn me_and_everyone_else_mean_those_of_the_sender_when_the_message_is_delivered() -> Tested {
    let (mut manager, log, actor) = stage();
    let script = Do::new(|cx| {
        cx.post(&after(Me, ms(10)), Note("me")).expect("posted");
        cx.post(&after_frames(EveryoneElse, 1), Note("else"))
            .expect("posted");
    });
    manager.send(actor, script)?;
    manager.spawn((Ear::new("late comer", &log),));
    manager.tick(ms(10));
    assert_eq!(log.take(), ["actor: me", "late comer: else"]);
    let me = after(Me, ms(10));
    manager.speak_for(actor)?.post(&me, Note("speaker"))?;
    manager.tick(ms(10));
    assert_eq!(log.take(), ["actor: speaker"]);
    Ok(())
}

// holds: headers.recipient-goes-later
#[test]
fn a_message_to_me_is_a_dead_letter_when_the_sender_is_gone() -> Tested {
    let (mut manager, log, actor) = stage();
    let script = Do::new(|cx| drop(cx.post(&after(Me, ms(10)), Note("me"))));
    manager.send(actor, script)?;
    manager.despawn(actor)?;
    manager.spawn((Actor::new("newcomer", &log),));
    assert_eq!(manager.tick(ms(10)).dead_letters, 1);
    assert!(log.take().is_empty());
    Ok(())
}

// holds: reentrancy.newborn-named
#[test]
fn a_post_to_a_messagee_that_was_spawned_in_the_same_dispatch_is_delivered() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((Ear::new("newborn", &told),));
        cx.post(&after_frames(newborn, 1), Note("welcome"))
            .expect("posted");
    });
    manager.send(actor, script)?;
    manager.tick(ms(10));
    assert_eq!(log.take(), ["newborn: welcome"]);
    Ok(())
}

// holds: time.panic-in-pass, headers.envelope
#[test]
fn the_due_time_of_what_a_panic_has_left_is_what_it_was() -> Tested {
    let mut manager = MessageManager::new();
    let (log, desk) = (Log::default(), manager.spawn((Desk::default(),)));
    let actor = manager.spawn((Actor::new("actor", &log),));
    manager.post(&after(actor, ms(4)), Do::new(|_| panic!("on purpose")))?;
    manager.post(&after(desk, ms(5)), Letter)?;
    manager.post(&after_frames(desk, 1), Letter)?;
    panic_of(|| manager.tick(ms(10)));
    manager.tick(ms(10));
    let desk = manager.get::<Desk>(desk)?;
    let due: Vec<_> = desk.0.iter().map(|envelope| envelope.due.time).collect();
    assert_eq!(due, [ms(5), ms(10)]);
    Ok(())
}
