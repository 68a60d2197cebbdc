//! Many messages due at the same time: the order of their delivery, and that whatever happens to one
//! of them does not affect the others.
//!
//! Each test uses a component whose handlers take no context, so that many messages can be delivered in
//! one go, and one whose handler acts on them.
#![allow(
    clippy::unnecessary_wraps,
    reason = "one of the handlers fails for some messages"
)]

use std::time::Duration;

use crate::common::{Log, Tested, panic_of};
use message_core::lifecycle::{DeadLetter, HandlerFailed};
use message_core::prelude::*;

const FRAME: Duration = Duration::from_millis(10);
/// More than are delivered in one go.
const MANY: u32 = 5_000;

#[derive(Message)]
struct Hit(u32);

#[derive(Message)]
struct Heal(u32);

/// Makes its receiver log its number and then run an action.
#[derive(Message)]
struct Deed(u32);

/// Logs everything; its handlers take no context.
struct Quiet(Log);

#[handlers]
impl Quiet {
    #[on_receive]
    fn hit(&mut self, hit: &Hit) -> Result<(), String> {
        assert!(hit.0 % 1_000 != 999, "hit {}", hit.0);
        self.0.add(format!("hit {}", hit.0));
        if hit.0 % 100 == 98 {
            return Err(format!("failed {}", hit.0));
        }
        Ok(())
    }

    #[on_receive]
    fn heal(&mut self, heal: &Heal) {
        self.0.add(format!("heal {}", heal.0));
    }
}

type Action = Box<dyn FnMut(u32, &mut Context<'_>) + Send>;

struct Busy(Log, Action);

tag!(LOUD);

#[handlers]
impl Busy {
    #[on_receive]
    fn deed(&mut self, deed: &Deed, cx: &mut Context<'_>) {
        self.0.add(format!("deed {}", deed.0));
        (self.1)(deed.0, cx);
    }
}

/// Returns a manager, and two messagees that log to one list.
fn quiet() -> (MessageManager, Log, [MessageeId; 2]) {
    let (mut manager, log) = (MessageManager::new(), Log::default());
    let ids = [(); 2].map(|()| manager.spawn((Quiet(log.clone()),)));
    (manager, log, ids)
}

fn busy(
    action: impl FnMut(u32, &mut Context<'_>) + Send + 'static,
) -> (MessageManager, Log, MessageeId) {
    let (mut manager, log) = (MessageManager::new(), Log::default());
    let id = manager.spawn((Busy(log.clone(), Box::new(action)),));
    (manager, log, id)
}

fn numbered(name: &str, numbers: impl IntoIterator<Item = u32>) -> Vec<String> {
    let numbers = numbers.into_iter();
    numbers.map(|number| format!("{name} {number}")).collect()
}

/// Numbers whose hits neither fail nor panic.
fn harmless() -> impl Iterator<Item = u32> {
    (0..MANY).filter(|number| number % 100 < 98)
}

// holds: time.due-order
#[test]
fn what_is_due_in_one_frame_comes_in_the_order_posted() -> Tested {
    let (mut manager, log, ids) = quiet();
    for number in harmless() {
        for frame in [3, 1, 2] {
            let to = ids[number as usize % 2];
            let header = Header::to(to).after_frames(frame).build()?;
            manager.post(&header, Hit(number))?;
        }
    }
    for _ in 0..3 {
        let report = manager.tick(FRAME);
        assert_eq!(report.delivered, harmless().count());
        assert_eq!(log.take(), numbered("hit", harmless()));
    }
    assert_eq!(manager.tick(FRAME).delivered, 0);
    Ok(())
}

// holds: time.due-order
#[test]
fn messages_of_two_types_that_are_due_together_come_in_the_order_posted() -> Tested {
    let (mut manager, log, ids) = quiet();
    let mut expected = Vec::new();
    for number in harmless() {
        let header = Header::to(ids[0]).after_frames(2).build()?;
        manager.post(&header, Hit(number))?;
        expected.push(format!("hit {number}"));
        if number % 3 == 0 {
            manager.post(&header, Heal(number))?;
            expected.push(format!("heal {number}"));
        }
        if number % 7 == 0 {
            // With a condition it is delivered in another way.
            let header = Header::to(ids[1]).after_frames(2).require(1).build()?;
            manager.post(&header, Hit(number))?;
            expected.push(format!("hit {number}"));
        }
    }
    manager.tick(FRAME);
    assert_eq!(manager.tick(FRAME).delivered, expected.len());
    assert_eq!(log.take(), expected);
    Ok(())
}

/// Logs when it is dropped.
#[derive(Message)]
struct Burst(u32, Log);

impl Drop for Burst {
    fn drop(&mut self) {
        self.1.add(format!("dropped {}", self.0));
    }
}

#[handlers]
impl Quiet {
    #[on_receive]
    fn burst(&mut self, burst: &Burst) {
        self.0.add(format!("burst {}", burst.0));
    }
}

// holds: time.due-order, headers.recipient-goes-later, messagees.disabled, send.handler-error
#[test]
fn messages_of_types_that_alternate_come_in_the_order_posted_whatever_becomes_of_some() -> Tested {
    let (mut manager, log, [a, b]) = quiet();
    let failures = log.clone();
    manager.subscribe(
        Filter::of::<HandlerFailed>(),
        move |failed: &HandlerFailed, _| {
            failures.add(format!("told {}", failed.error));
        },
    );
    let letters = log.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |_: &DeadLetter, _| {
        letters.add("dead letter".to_owned());
    });
    let goes = manager.spawn((Quiet(log.clone()),));
    let off = manager.spawn((Quiet(log.clone()),));
    let hook = manager.hooks(off).next().expect("it has one component");
    manager.set_enabled(hook, false)?;
    let (mut expected, mut tickets) = (Vec::new(), Vec::new());
    for number in 0..1_500 {
        let to = match number % 50 {
            17 => goes,
            33 => off,
            _ => [a, b][number as usize % 2],
        };
        let header = Header::to(to).after_frames(1).build()?;
        let ticket = match number % 4 {
            0 | 2 => manager.post(&header, Hit(number))?,
            1 => manager.post(&header, Heal(number))?,
            _ => manager.post(&header, Burst(number, log.clone()))?,
        };
        let is_cancelled = number % 13 == 5;
        if is_cancelled {
            tickets.push(ticket);
        }
        let received = to != goes && to != off;
        if !is_cancelled && received {
            match number % 4 {
                0 | 2 => expected.push(format!("hit {number}")),
                1 => expected.push(format!("heal {number}")),
                _ => expected.push(format!("burst {number}")),
            }
            if number % 100 == 98 {
                expected.push(format!("told failed {number}"));
            }
        }
        if !is_cancelled && to == goes {
            expected.push("dead letter".to_owned());
        }
        if !is_cancelled && number % 4 == 3 {
            expected.push(format!("dropped {number}"));
        }
    }
    assert!(
        tickets
            .into_iter()
            .all(|ticket| manager.cancel(ticket) == 1)
    );
    manager.despawn(goes)?;
    log.take();
    manager.tick(FRAME);
    assert_eq!(log.take(), expected);
    assert_eq!(manager.tick(FRAME).delivered, 0);
    Ok(())
}

// holds: time.panic-in-pass
#[test]
fn what_a_panic_leaves_of_types_that_alternate_comes_in_the_next_pass_in_the_order_posted() -> Tested
{
    let (mut manager, log, [a, b]) = quiet();
    let mut expected = Vec::new();
    for number in 900..1_100 {
        let header = Header::to([a, b][number as usize % 2]).after_frames(1);
        manager.post(header, Burst(number, log.clone()))?;
        expected.extend(["burst", "dropped"].map(|what| format!("{what} {number}")));
        manager.post(header, Hit(number))?;
        if number != 999 {
            expected.push(format!("hit {number}"));
        }
        manager.post(header, Heal(number))?;
        expected.push(format!("heal {number}"));
    }
    assert_eq!(panic_of(|| manager.tick(FRAME)), "hit 999");
    let mut heard = log.take();
    assert_eq!(heard.last().map(String::as_str), Some("dropped 999"));
    assert!(manager.tick(FRAME).delivered > 0);
    heard.extend(log.take());
    assert_eq!(heard, expected);
    Ok(())
}

// holds: time.due-order, time.frame-delay
#[test]
fn delays_by_frames_and_by_time_that_end_together_keep_the_order_posted() -> Tested {
    let (mut manager, log, ids) = quiet();
    let by_frames = Header::to(ids[0]).after_frames(1).build()?;
    let by_time = Header::to(ids[0]).after(FRAME).build()?;
    for number in harmless() {
        let header = if number % 2 == 0 { by_frames } else { by_time };
        manager.post(&header, Hit(number))?;
    }
    manager.tick(FRAME);
    assert_eq!(log.take(), numbered("hit", harmless()));
    Ok(())
}

// holds: time.panic-in-pass
#[test]
fn what_a_panic_leaves_of_them_is_delivered_in_the_next_pass() -> Tested {
    let (mut manager, log, ids) = quiet();
    let header = Header::to(ids[0]).after_frames(1).build()?;
    for number in 900..1_100 {
        manager.post(&header, Hit(number))?;
    }
    assert_eq!(panic_of(|| manager.tick(FRAME)), "hit 999");
    assert_eq!(log.take(), numbered("hit", 900..999));
    assert_eq!(manager.pending_posts(Posts::all()).len(), 100);
    // After the remaining ones, though it was posted for the same moment.
    let now = Header::to(ids[0]).stage(Stage::Update).build()?;
    manager.post(&now, Heal(1))?;
    assert_eq!(manager.run_stage(Stage::Update), 101);
    let mut expected = numbered("hit", 1_000..1_100);
    expected.push(String::from("heal 1"));
    assert_eq!(log.take(), expected);
    assert!(manager.pending_posts(Posts::all()).is_empty());
    Ok(())
}

// holds: time.delivery-is-outermost, send.handler-error
#[test]
fn a_failure_among_them_is_told_before_the_next_is_delivered() -> Tested {
    let (mut manager, log, ids) = quiet();
    let told = log.clone();
    manager.subscribe(Filter::of::<HandlerFailed>(), move |failed, _| {
        told.add(failed.error.to_string());
    });
    let header = Header::to(ids[0]).after_frames(1).build()?;
    for number in 0..300 {
        if number % 100 != 99 {
            manager.post(&header, Hit(number))?;
        }
    }
    manager.tick(FRAME);
    let mut expected = Vec::new();
    for number in (0..300).filter(|number| number % 100 != 99) {
        expected.push(format!("hit {number}"));
        if number % 100 == 98 {
            expected.push(format!("failed {number}"));
        }
    }
    assert_eq!(log.take(), expected);
    Ok(())
}

/// Its handler fails, and it panics when it is dropped.
#[derive(Message)]
struct Sore;

impl Drop for Sore {
    fn drop(&mut self) {
        panic!("it hurts");
    }
}

#[handlers]
impl Quiet {
    #[on_receive]
    fn sore(&mut self, _: &Sore) -> Result<(), String> {
        self.0.add("sore");
        Err("told".to_owned())
    }
}

// holds: reentrancy.panic-loses-nothing, send.handler-error
#[test]
fn a_failure_among_them_is_told_also_when_the_message_panics_as_it_is_dropped() -> Tested {
    let (mut manager, log, [id, _]) = quiet();
    let told = log.clone();
    manager.subscribe(
        Filter::of::<HandlerFailed>(),
        move |failed: &HandlerFailed, _| {
            told.add(failed.error.to_string());
        },
    );
    let soon = Header::to(id).after_frames(1).build()?;
    for _ in 0..3 {
        manager.post(&soon, Sore)?;
    }
    for _ in 0..3 {
        assert_eq!(panic_of(|| manager.tick(FRAME)), "it hurts");
        manager.settle();
        assert_eq!(log.take(), ["sore", "told"]);
    }
    manager.tick(FRAME);
    assert_eq!(log.take().len(), 0);
    Ok(())
}

// holds: time.due-order, headers.recipient-goes-later, messagees.disabled
#[test]
fn those_for_who_is_gone_disabled_or_without_the_component_leave_the_others_as_they_were() -> Tested
{
    let (mut manager, log, ids) = quiet();
    let bare = manager.spawn(());
    let gone = manager.spawn((Quiet(log.clone()),));
    let twice = manager.spawn((Quiet(log.clone()), Quiet(log.clone())));
    let disabled = manager.spawn(());
    let hook = manager.hook(disabled, Quiet(log.clone()))?;
    let told = log.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        told.add(format!("dead: {}", letter.why));
    });
    let mut expected = Vec::new();
    for number in harmless() {
        let to = match number % 60 {
            10 => bare,
            20 => gone,
            30 => disabled,
            40 => twice,
            _ => ids[0],
        };
        let header = Header::to(to).after_frames(1).build()?;
        manager.post(&header, Hit(number))?;
        match number % 60 {
            10 | 30 => {}
            20 => expected.push(format!("dead: messagee {gone} is gone")),
            40 => expected.extend([(); 2].map(|()| format!("hit {number}"))),
            _ => expected.push(format!("hit {number}")),
        }
    }
    manager.despawn(gone)?;
    manager.set_enabled(hook, false)?;
    let report = manager.tick(FRAME);
    assert_eq!(report.delivered, harmless().count());
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: required.not-received, subscriptions.retain
#[test]
fn those_that_require_more_receivers_or_are_retained_are_not_treated_like_the_others() -> Tested {
    let (mut manager, log, [id, _]) = quiet();
    let told = log.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        told.add(format!("dead: {}", letter.why));
    });
    let header = || Header::to(id).after_frames(1);
    manager.post(header(), Hit(0))?;
    manager.post(header().require(2), Hit(1))?;
    manager.post(header().retain(), Hit(2))?;
    manager.post(header(), Hit(3))?;
    manager.tick(FRAME);
    let dead = "dead: there were not enough receivers";
    assert_eq!(log.take(), ["hit 0", "hit 1", dead, "hit 2", "hit 3"]);
    let told = log.clone();
    manager.subscribe(Filter::of::<Hit>().with_retained(), move |hit, _| {
        told.add(format!("retained {}", hit.0));
    });
    assert_eq!(log.take(), ["retained 2"]);
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn one_of_them_that_was_cancelled_before_is_never_delivered() -> Tested {
    let (mut manager, log, ids) = quiet();
    let header = Header::to(ids[0]).after_frames(1).build()?;
    let mut tickets = Vec::new();
    for number in harmless() {
        tickets.push((number, manager.post(&header, Hit(number))?));
    }
    let (gone, left): (Vec<_>, Vec<_>) =
        tickets.into_iter().partition(|(number, _)| number % 3 != 0);
    for &(_, ticket) in &gone {
        assert!(manager.has_pending(ticket));
        assert_eq!(manager.cancel(ticket), 1);
        assert!(!manager.has_pending(ticket));
        assert_eq!(manager.cancel(ticket), 0);
    }
    assert_eq!(manager.pending_posts(Posts::all()).len(), left.len());
    assert_eq!(manager.tick(FRAME).delivered, left.len());
    assert_eq!(log.take(), numbered("hit", left.iter().map(|left| left.0)));
    assert!(left.iter().all(|left| !manager.has_pending(left.1)));
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn when_all_of_them_were_cancelled_new_ones_for_the_same_frame_are_delivered() -> Tested {
    let (mut manager, log, ids) = quiet();
    let header = Header::to(ids[0]).after_frames(1).build()?;
    for round in 0..5 {
        for number in 0..90 {
            manager.post(&header, Heal(round * 100 + number))?;
        }
        assert_eq!(manager.cancel(Posts::of::<Heal>().to(ids[0])), 90);
    }
    manager.post(&header, Heal(1))?;
    manager.post(&header, Heal(2))?;
    assert_eq!(manager.tick(FRAME).delivered, 2);
    assert_eq!(log.take(), ["heal 1", "heal 2"]);
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn a_handler_that_cancels_the_next_of_them_is_obeyed_in_the_pass_under_way() -> Tested {
    let (mut manager, log, id) = busy(|number, cx| {
        if number % 2 == 0 {
            let listed = cx.pending_posts(Posts::of::<Deed>());
            assert_eq!(cx.cancel(listed[0].ticket), 1);
        }
    });
    let header = Header::to(id).after_frames(1).build()?;
    for number in 0..200 {
        manager.post(&header, Deed(number))?;
    }
    assert_eq!(manager.tick(FRAME).delivered, 100);
    assert_eq!(log.take(), numbered("deed", (0..200).step_by(2)));
    Ok(())
}

// holds: time.delivery-is-outermost, messagees.disabled
#[test]
fn what_a_handler_does_to_another_receiver_holds_for_the_next_of_them() -> Tested {
    let (mut manager, log) = (MessageManager::new(), Log::default());
    let idle = || -> Action { Box::new(|_, _| ()) };
    let goes = manager.spawn((Busy(log.clone(), idle()),));
    let rests = manager.spawn((Busy(log.clone(), idle()),));
    let hook = manager.hooks(rests).next().expect("it has one component");
    let action: Action = Box::new(move |number, cx| match number {
        30 => assert!(cx.despawn(goes).is_ok()),
        60 => assert!(cx.set_enabled(hook, false).is_ok()),
        120 => assert!(cx.set_enabled(hook, true).is_ok()),
        _ => {}
    });
    let acts = manager.spawn((Busy(log.clone(), action),));
    let mut expected = Vec::new();
    for number in 0..200 {
        let to = [acts, goes, rests][number as usize % 3];
        manager.post(Header::to(to).after_frames(1), Deed(number))?;
        let is_received = match number % 3 {
            0 => true,
            1 => number < 30,
            _ => !(60..120).contains(&number),
        };
        expected.extend(is_received.then(|| format!("deed {number}")));
    }
    manager.tick(FRAME);
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: reentrancy.busy-kept
#[test]
fn what_is_kept_for_a_receiver_comes_before_the_next_of_them() -> Tested {
    let (mut manager, log, id) = busy(|number, cx| {
        if number.is_multiple_of(10) {
            assert!(cx.send(cx.me(), Deed(1_001 + number)).is_ok());
        }
    });
    let mut expected = Vec::new();
    for number in 0..100 {
        manager.post(Header::to(id).after_frames(1), Deed(number))?;
        expected.push(number);
        expected.extend(number.is_multiple_of(10).then_some(1_001 + number));
    }
    manager.tick(FRAME);
    assert_eq!(log.take(), numbered("deed", expected));
    Ok(())
}

// holds: time.panic-in-pass
#[test]
fn a_panic_of_a_handler_with_a_context_leaves_the_rest_for_the_next_pass() -> Tested {
    let (mut manager, log, id) = busy(|number, _| assert!(number != 50, "it is fifty"));
    for number in 0..100 {
        manager.post(Header::to(id).after_frames(1), Deed(number))?;
    }
    assert_eq!(panic_of(|| manager.tick(FRAME)), "it is fifty");
    assert_eq!(manager.pending_posts(Posts::all()).len(), 49);
    assert_eq!(manager.tick(FRAME).delivered, 49);
    assert_eq!(log.take(), numbered("deed", 0..100));
    Ok(())
}

// holds: headers.envelope
#[test]
fn a_handler_sees_the_envelope_of_each_of_them() -> Tested {
    let (seen, told) = (Log::default(), Log::default());
    let tell = told.clone();
    let action: Action = Box::new(move |_, cx| {
        let envelope = cx.envelope();
        let (posted, due) = (envelope.posted.frame, envelope.due.frame);
        let tags = !envelope.tags.is_empty();
        tell.add(format!("{} at {posted} for {due} {tags}", envelope.sender));
    });
    let mut manager = MessageManager::new();
    let id = manager.spawn((Busy(seen, action),));
    let sender = manager.spawn(());
    let mut expected = Vec::new();
    for frame in 0..3 {
        for number in 0..60 {
            let header = Header::to(id).after_frames(3 - frame);
            let is_loud = number % 4 == 3;
            let header = if is_loud { header.tags(LOUD) } else { header };
            if number % 3 == 0 {
                manager.post(header, Deed(number))?;
                expected.push(format!("outside at {frame} for 3 {is_loud}"));
            } else {
                manager.speak_for(sender)?.post(header, Deed(number))?;
                expected.push(format!("messagee {sender} at {frame} for 3 {is_loud}"));
            }
        }
        manager.tick(FRAME);
    }
    assert_eq!(told.take(), expected);
    Ok(())
}

// holds: time.own-stage-next-pass
#[test]
fn what_is_posted_for_the_stage_of_the_pass_under_way_waits_for_the_next() -> Tested {
    let (mut manager, log, id) = busy(|number, cx| {
        let me = Header::to(cx.me()).stage(Stage::Update).build();
        if number < 100
            && let Ok(header) = me
        {
            assert!(cx.post(&header, Deed(number + 100)).is_ok());
        }
    });
    let header = Header::to(id).stage(Stage::Update).build()?;
    for number in 0..50 {
        manager.post(&header, Deed(number))?;
    }
    assert_eq!(manager.run_stage(Stage::Update), 50);
    assert_eq!(log.take(), numbered("deed", 0..50));
    assert_eq!(manager.run_stage(Stage::Update), 50);
    assert_eq!(log.take(), numbered("deed", 100..150));
    assert_eq!(manager.run_stage(Stage::Update), 0);
    Ok(())
}

// holds: time.repeat-period, time.due-order
#[test]
fn one_that_repeats_comes_between_them_when_it_falls_due() -> Tested {
    let (mut manager, log, id) = busy(|_, _| ());
    let every = Header::to(id).every(Duration::from_millis(2)).times(3);
    manager.post(&every.build()?, Deed(1_000))?;
    for after in [1, 3, 5] {
        let header = Header::to(id).after(Duration::from_millis(after)).build()?;
        for number in 0..3 {
            manager.post(&header, Deed(10 * u32::try_from(after)? + number))?;
        }
    }
    assert_eq!(manager.tick(FRAME).delivered, 12);
    let expected = [10, 11, 12, 1_000, 30, 31, 32, 1_000, 50, 51, 52, 1_000];
    assert_eq!(log.take(), numbered("deed", expected));
    Ok(())
}

// holds: subscriptions.order
#[test]
fn a_subscriber_hears_each_of_them_right_after_its_receiver() -> Tested {
    let (mut manager, log, ids) = quiet();
    let header = Header::to(ids[0]).after_frames(1).build()?;
    let mut expected = Vec::new();
    for number in 0..90 {
        manager.post(&header, Heal(number))?;
        expected.push(format!("heal {number}"));
        expected.push(format!("heard {number}"));
    }
    let heard = log.clone();
    manager.subscribe(Filter::of::<Heal>(), move |heal, _| {
        heard.add(format!("heard {}", heal.0));
    });
    manager.tick(FRAME);
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: headers.envelope
#[test]
fn the_envelope_of_each_tells_who_posted_it_and_when() -> Tested {
    let (mut manager, log) = (MessageManager::new(), Log::default());
    let seen = log.clone();
    manager.subscribe(Filter::of::<Heal>(), move |_, cx| {
        let envelope = cx.envelope();
        let (posted, due) = (envelope.posted.frame, envelope.due.frame);
        seen.add(format!("{} at {posted} for {due}", envelope.sender));
    });
    let senders = [(); 3].map(|()| manager.spawn(()));
    let id = manager.spawn(());
    let mut expected = Vec::new();
    for frame in 0..3 {
        let header = Header::to(id).after_frames(3 - frame).build()?;
        for round in 0..60 {
            let sender = senders[round % 3];
            if round < 20 {
                manager.post(&header, Heal(0))?;
                expected.push(format!("outside at {frame} for 3"));
            } else {
                manager.speak_for(sender)?.post(&header, Heal(0))?;
                expected.push(format!("messagee {sender} at {frame} for 3"));
            }
        }
        assert!(log.take().is_empty());
        manager.tick(FRAME);
    }
    assert_eq!(log.take(), expected);
    Ok(())
}
