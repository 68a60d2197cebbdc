//! The parts of a manager that go back.

use message_core::Recipient::Me;
use message_core::lifecycle::{Despawning, Hooked, Unhooking};
use message_core::prelude::*;
use message_core::{Snapshot, SubscriptionId};
use message_data::{self as data, Digest, SaveOptions, Wire};

use crate::common::{Log, Tested};
use crate::{Add, Counter, FRAME, Packed, Place, sum};

mnemonic!(HERE = "snapshots.here");
group!(ALL = "snapshots.all");

/// Returns all of a manager that is data.
fn bytes(manager: &mut MessageManager) -> Vec<u8> {
    data::save(manager, &SaveOptions::new()).expect("all is data")
}

// holds: snapshots.goes-back, snapshots.ids, snapshots.clone
#[test]
fn everything_is_as_it_was() -> Tested {
    let mut manager = MessageManager::new();
    let tree = manager.spawn_named("tree", (Counter::default(), Place { x: 1 }));
    let leaf = manager.spawn((Packed { sum: 7 }, Place { x: 2 }));
    let gone = manager.spawn(());
    let place = manager.hook_of::<Place>(leaf)?;
    manager.set_enabled(place, false)?;
    manager.set_parent(leaf, Some(tree))?;
    manager.bind(HERE, leaf)?;
    manager.join(ALL, tree)?;
    manager.join(ALL, leaf)?;
    manager.despawn(gone)?;
    let key = message_core::PostKey::from("beat");
    manager.post(Header::to(tree).every(FRAME).key(key), Add(1))?;
    let later = manager.post(Header::to(ALL).after(5 * FRAME), Add(10))?;
    let cancelled = manager.post(Header::to(tree).after(5 * FRAME), Add(1_000))?;
    manager.cancel(cancelled);
    manager.post(Header::to(HERE).stage(Stage::Immediate).retain(), Add(3))?;
    manager.overhear(tree, Filter::of::<Add>().to(leaf))?;
    data::add_wire(
        &mut manager,
        Wire::on::<Add>(leaf).send("tree", Add(100)).times(3),
    )?;
    manager.set_mail_retention::<Add>(2);
    manager.tick(FRAME);
    manager.publish(leaf, Add(8))?;
    manager.publish(Everyone, Add(9))?;
    manager.tick(FRAME);
    manager.publish(leaf, Add(10))?;
    let was = bytes(&mut manager);
    let snapshot = manager.snapshot()?;
    assert_eq!(snapshot.frame(), Some(2));

    for _ in 0..3 {
        for id in [tree, leaf] {
            manager.send(id, Add(2))?;
        }
        manager.tick(2 * FRAME);
        manager.publish(tree, Add(4))?;
    }
    let other = manager.spawn_named("other", (Counter::default(), Packed::default()));
    manager.unbind(HERE, leaf)?;
    manager.bind(HERE, other)?;
    manager.leave(ALL, tree)?;
    manager.set_name(tree, "stump")?;
    manager.set_parent(other, Some(tree))?;
    manager.set_enabled(place, true)?;
    manager.cancel(key);
    manager.post(Header::to(other).after(FRAME), Add(5))?;
    manager.post(Header::to(HERE).stage(Stage::Immediate).retain(), Add(6))?;
    manager.set_paused(true);
    manager.set_fixed_step(FRAME);
    manager.set_mail_retention::<Add>(5);
    manager.unhook::<Place>(place)?;
    manager.despawn(leaf)?;
    assert!(!manager.has_pending(later));
    assert_ne!(bytes(&mut manager), was);

    manager.rewind(&snapshot)?;
    assert_eq!(bytes(&mut manager), was);
    assert!(!manager.is_alive(other) && manager.is_alive(leaf) && !manager.is_alive(gone));
    assert_eq!(manager.get::<Packed>(leaf)?.sum, 7 + 1 + 3 - 1);
    assert_eq!(
        (manager.owner(place)?, manager.is_enabled(place)?),
        (leaf, false)
    );
    assert_eq!(manager.bound(HERE), Some(leaf));
    assert!(manager.members(ALL).eq([tree, leaf]));
    assert_eq!(manager.parent(leaf), Some(tree));
    assert_eq!(tree.name().as_deref(), Some("tree"));
    assert!(manager.find("tree").eq([tree]));
    assert_eq!(other.name(), None);
    assert!(manager.has_pending(later) && manager.has_pending(key));
    assert!(!manager.has_pending(cancelled));
    assert_eq!(manager.inbox::<Add>().iter().count(), 2);
    assert!(!manager.clock().is_paused());
    Ok(())
}

// holds: snapshots.same-again, snapshots.any-order
#[test]
fn the_same_calls_give_out_the_same_ids_and_tickets() -> Tested {
    let mut manager = MessageManager::new();
    let tree = manager.spawn((Counter::default(), Place { x: 1 }));
    manager.post(Header::to(tree).every(FRAME), Add(1))?;
    let play = |manager: &mut MessageManager| -> Result<_, Box<dyn std::error::Error>> {
        manager.tick(FRAME);
        let leaf = manager.spawn((Packed { sum: 1 },));
        let hook = manager.hook(leaf, Counter::default())?;
        let ticket = manager.post(Header::to(leaf).after(FRAME), Add(2))?;
        let subscription = manager.overhear(leaf, Filter::of::<Add>())?;
        manager.tick(FRAME);
        Ok((leaf, hook, ticket, subscription, Digest::of(manager)))
    };
    let mut ring = [const { Snapshot::new() }; 3];
    manager.snapshot_into(&mut ring[0])?;
    let first = play(&mut manager)?;
    manager.snapshot_into(&mut ring[1])?;
    let second = play(&mut manager)?;
    manager.snapshot_into(&mut ring[2])?;
    for at in [0, 1, 0, 2, 1] {
        manager.rewind(&ring[at])?;
        match at {
            0 => assert_eq!(play(&mut manager)?, first),
            1 => assert_eq!(play(&mut manager)?, second),
            _ => assert_eq!(Digest::of(&manager), second.4),
        }
    }
    Ok(())
}

// holds: snapshots.goes-back
#[test]
fn layouts_that_were_made_since_are_made_again() -> Tested {
    let mut manager = MessageManager::new();
    let tree = manager.spawn((Counter::default(),));
    manager.send(tree, Add(1))?;
    let snapshot = manager.snapshot()?;
    // The same numbers of layouts, for others.
    let one = manager.spawn((Place { x: 1 }, Counter::default()));
    manager.send(one, Add(2))?;
    manager.rewind(&snapshot)?;
    let other = manager.spawn((Packed::default(), Place { x: 1 }));
    assert_eq!(other, one);
    let receipt = manager.send(other, Add(4))?;
    assert_eq!(
        (receipt.received, manager.get::<Packed>(other)?.sum),
        (1, 4)
    );
    manager.send(tree, Add(1))?;
    assert_eq!(sum(&manager, tree), 2);
    Ok(())
}

// holds: snapshots.goes-back
#[test]
fn a_bundle_of_sixteen_components_and_more_goes_back() -> Tested {
    let mut manager = MessageManager::new();
    let tree = manager.spawn(());
    for _ in 0..20 {
        manager.hook(tree, Counter::default())?;
    }
    let snapshot = manager.snapshot()?;
    let hooks: Vec<_> = manager.hooks(tree).collect();
    for &hook in &hooks[3..] {
        manager.unhook::<Counter>(hook)?;
    }
    manager.rewind(&snapshot)?;
    assert!(manager.hooks(tree).eq(hooks));
    assert_eq!(manager.send(tree, Add(1))?.received, 20);
    Ok(())
}

// holds: snapshots.unannounced
#[test]
fn nobody_hears_of_it() -> Tested {
    let (log, mut manager) = (Log::default(), MessageManager::new());
    let heard = log.clone();
    manager.subscribe(Filter::all(), move |message, _| heard.add(message.name()));
    let tree = manager.spawn((Counter::default(),));
    let snapshot = manager.snapshot()?;
    manager.spawn((Counter::default(),));
    manager.despawn(tree)?;
    let expected = [
        Hooked::NAME,
        Hooked::NAME,
        Despawning::NAME,
        Unhooking::NAME,
    ];
    assert_eq!(log.take(), expected);
    manager.rewind(&snapshot)?;
    assert!(log.take().is_empty());
    manager.despawn(tree)?;
    assert_eq!(log.take(), expected[2..]);
    Ok(())
}

/// Borrows itself at once, and what it sends is kept.
#[derive(Clone, Default)]
struct Echo {
    heard: Vec<u32>,
}

#[handlers]
impl Echo {
    #[on_receive]
    fn add(&mut self, add: &Add, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.heard.push(add.0);
        if add.0 > 0 {
            cx.send(Me, Add(add.0 - 1))?;
        }
        Ok(())
    }
}

// holds: snapshots.same-again
#[test]
fn messages_that_were_kept_are_kept_again() -> Tested {
    let mut manager = MessageManager::new();
    let echo = manager.spawn((Echo::default(),));
    let snapshot = manager.snapshot()?;
    for _ in 0..2 {
        manager.rewind(&snapshot)?;
        manager.send(echo, Add(3))?;
        assert_eq!(manager.get::<Echo>(echo)?.heard, [3, 2, 1, 0]);
    }
    Ok(())
}

// holds: snapshots.goes-back
#[test]
fn a_component_that_was_borrowed_at_a_desk_goes_back() -> Tested {
    let mut manager = MessageManager::new();
    let leaf = manager.spawn((Packed { sum: 1 },));
    let snapshot = manager.snapshot()?;
    let desk = manager.desk();
    desk.get_mut::<Packed>(leaf)?.sum = 2;
    // A guard that is never given back.
    std::mem::forget(desk.get_mut::<Packed>(leaf)?);
    let later = manager.snapshot()?;
    manager.rewind(&snapshot)?;
    assert_eq!(manager.get::<Packed>(leaf)?.sum, 1);
    manager.rewind(&later)?;
    assert_eq!(manager.get::<Packed>(leaf)?.sum, 2);
    Ok(())
}

// holds: snapshots.same-again
#[test]
fn a_subscriber_with_a_stage_shares_a_message_with_others_as_before() -> Tested {
    let (log, mut manager) = (Log::default(), MessageManager::new());
    for name in ["one", "two"] {
        let heard = log.clone();
        let filter = Filter::of::<Add>().stage(Stage::LateUpdate);
        let _: SubscriptionId = manager.subscribe(filter, move |add: &Add, _| {
            heard.add(format!("{name} {}", add.0));
            // The second one does not get it.
            std::ops::ControlFlow::<()>::Break(())
        });
    }
    manager.send(Everyone, Add(1))?;
    let snapshot = manager.snapshot()?;
    for _ in 0..3 {
        manager.tick(FRAME);
        assert_eq!(log.take(), ["one 1"]);
        manager.rewind(&snapshot)?;
    }
    Ok(())
}
