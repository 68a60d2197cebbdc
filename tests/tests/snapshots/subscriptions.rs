//! Subscriptions and their closures.

use std::sync::Arc;

use message_core::prelude::*;

use crate::common::{Log, Tested};
use crate::{Add, Counter, FRAME};

/// Subscribes a closure that logs what it hears. Returns its subscription, and what tells whether it was dropped.
fn listen(
    manager: &mut MessageManager,
    filter: Filter<Add>,
    name: &'static str,
    log: &Log,
) -> (message_core::SubscriptionId, std::sync::Weak<()>) {
    let (log, held) = (log.clone(), Arc::new(()));
    let weak = Arc::downgrade(&held);
    let id = manager.subscribe(filter, move |add: &Add, _| {
        let _ = &held;
        log.add(format!("{name} {}", add.0));
    });
    (id, weak)
}

// holds: snapshots.subscriptions-back
#[test]
fn those_that_have_ended_are_back_and_those_that_were_made_have_ended() -> Tested {
    let (log, mut manager) = (Log::default(), MessageManager::new());
    let owner = manager.spawn((Counter::default(),));
    let all = || Filter::of::<Add>();
    let (ends, _) = listen(&mut manager, all(), "ends", &log);
    listen(&mut manager, all().once(), "once", &log);
    let (paused, _) = listen(&mut manager, all().priority(3), "paused", &log);
    let (resumed, _) = listen(&mut manager, all(), "resumed", &log);
    manager.set_listening(resumed, false);
    let heard = log.clone();
    let closure =
        move |add: &Add, _: &mut SubscriberContext<'_>| heard.add(format!("owned {}", add.0));
    manager.subscribe_for(
        owner,
        Filter::all().to(owner).from(Sender::Outside),
        |_, _| {},
    )?;
    manager.subscribe_for(owner, all(), closure)?;
    let snapshot = manager.snapshot()?;

    for _ in 0..3 {
        manager.send(owner, Add(1))?;
        assert_eq!(log.take(), ["paused 1", "ends 1", "once 1", "owned 1"]);
        assert!(manager.unsubscribe(ends));
        manager.set_listening(paused, false);
        manager.set_listening(resumed, true);
        let (made, _) = listen(&mut manager, all().priority(9), "made", &log);
        manager.send(owner, Add(2))?;
        assert_eq!(log.take(), ["made 2", "resumed 2", "owned 2"]);
        manager.despawn(owner)?;
        manager.send(Everyone, Add(3))?;
        assert_eq!(log.take(), ["made 3", "resumed 3"]);
        manager.rewind(&snapshot)?;
        assert!(!manager.unsubscribe(made));
    }
    Ok(())
}

// holds: snapshots.subscriptions-back
#[test]
fn a_new_subscription_with_an_id_that_was_given_out_before_hears_once() -> Tested {
    let (log, mut manager) = (Log::default(), MessageManager::new());
    for name in ["a", "b", "c", "d", "e", "f"] {
        listen(&mut manager, Filter::of::<Add>(), name, &log);
    }
    let snapshot = manager.snapshot()?;
    let (first, _) = listen(&mut manager, Filter::of::<Add>(), "first", &log);
    manager.rewind(&snapshot)?;
    let (again, _) = listen(&mut manager, Filter::of::<Add>(), "again", &log);
    assert_eq!(again, first);
    assert_eq!(manager.send(Everyone, Add(1))?.received, 7);
    assert_eq!(
        log.take(),
        ["a 1", "b 1", "c 1", "d 1", "e 1", "f 1", "again 1"]
    );
    Ok(())
}

// holds: snapshots.closures-kept
#[test]
fn a_closure_is_kept_as_long_as_a_snapshot_has_its_subscription() -> Tested {
    let (log, mut manager) = (Log::default(), MessageManager::new());
    let (before, is_before) = listen(&mut manager, Filter::of::<Add>(), "before", &log);
    let first = manager.snapshot()?;
    let (since, is_since) = listen(&mut manager, Filter::of::<Add>(), "since", &log);
    // No snapshot has it.
    manager.unsubscribe(since);
    assert_eq!(is_since.strong_count(), 0);
    manager.unsubscribe(before);
    assert_eq!(is_before.strong_count(), 1);
    let second = manager.snapshot()?;
    assert_eq!(is_before.strong_count(), 1);
    manager.rewind(&first)?;
    manager.send(Everyone, Add(1))?;
    assert_eq!(log.take(), ["before 1"]);
    manager.rewind(&second)?;
    assert_eq!(manager.send(Everyone, Add(1))?.received, 0);
    drop(first);
    assert_eq!(is_before.strong_count(), 1);
    drop(manager.snapshot()?);
    assert_eq!(is_before.strong_count(), 0, "only a later snapshot lives");
    Ok(())
}

// holds: snapshots.closures-kept
#[test]
fn a_ring_of_snapshots_keeps_few_closures() -> Tested {
    let (log, mut manager) = (Log::default(), MessageManager::new());
    let mut ring = [const { message_core::Snapshot::new() }; 4];
    let mut held = Vec::new();
    for frame in 0..100 {
        let (id, weak) = listen(&mut manager, Filter::of::<Add>(), "it", &log);
        manager.snapshot_into(&mut ring[frame % 4])?;
        manager.unsubscribe(id);
        held.push(weak);
        let alive = held.iter().filter(|it| it.strong_count() > 0).count();
        assert!(alive <= 5, "{alive} in frame {frame}");
    }
    drop(manager);
    assert!(held.iter().all(|it| it.strong_count() == 0));
    Ok(())
}

// holds: snapshots.captures-stay
#[test]
fn what_a_closure_has_counted_stays() -> Tested {
    let (log, mut manager) = (Log::default(), MessageManager::new());
    let (told, mut count) = (log.clone(), 0);
    manager.subscribe(Filter::of::<Add>(), move |_, _| {
        count += 1;
        told.add(count.to_string());
    });
    manager.post(Header::to(Everyone).after(FRAME), Add(1))?;
    let snapshot = manager.snapshot()?;
    manager.tick(FRAME);
    manager.rewind(&snapshot)?;
    manager.tick(FRAME);
    assert_eq!(log.take(), ["1", "2"]);
    Ok(())
}

// holds: snapshots.subscriptions-back
#[test]
fn what_a_paused_subscription_has_missed_it_has_missed_again() -> Tested {
    let (log, mut manager) = (Log::default(), MessageManager::new());
    let (id, _) = listen(
        &mut manager,
        Filter::of::<Add>().with_retained(),
        "it",
        &log,
    );
    let retain = |manager: &mut MessageManager, add| {
        let header = Header::to(Everyone).stage(Stage::Immediate).retain();
        manager.post(header, add)
    };
    manager.set_listening(id, false);
    retain(&mut manager, Add(1))?;
    let snapshot = manager.snapshot()?;
    for add in [2, 3] {
        retain(&mut manager, Add(add))?;
        manager.set_listening(id, true);
        assert_eq!(log.take(), [format!("it {add}")]);
        manager.rewind(&snapshot)?;
    }
    manager.set_listening(id, true);
    assert_eq!(log.take(), ["it 1"]);
    Ok(())
}

// holds: snapshots.subscriptions-back
#[test]
fn many_that_have_ended_are_back_in_the_order_in_which_they_were_called() -> Tested {
    let (log, mut manager) = (Log::default(), MessageManager::new());
    let listen = |manager: &mut MessageManager, number: i16| {
        let log = log.clone();
        let filter = Filter::of::<Add>().priority(number % 7);
        manager.subscribe(filter, move |_, _| log.add(number.to_string()))
    };
    let ids: Vec<_> = (0..200)
        .map(|number| listen(&mut manager, number))
        .collect();
    manager.send(Everyone, Add(1))?;
    let order = log.take();
    let snapshot = manager.snapshot()?;
    for step in [2, 3, 1] {
        for &id in ids.iter().step_by(step) {
            assert!(manager.unsubscribe(id));
        }
        listen(&mut manager, 300);
        manager.rewind(&snapshot)?;
        manager.send(Everyone, Add(2))?;
        assert_eq!(log.take(), order, "every {step}. one had ended");
    }
    // One with a priority is still put before those that were brought back.
    listen(&mut manager, 6);
    manager.send(Everyone, Add(3))?;
    let later = log.take();
    assert_eq!(later.len(), order.len() + 1);
    let at = later
        .iter()
        .rposition(|number| number == "6")
        .expect("it hears");
    assert_eq!(
        (later[at - 1].as_str(), later[at + 1].as_str()),
        (order[at - 1].as_str(), order[at].as_str())
    );
    Ok(())
}
