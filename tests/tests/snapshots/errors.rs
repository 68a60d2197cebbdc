//! Snapshots that cannot be taken, and values that panic.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use message_core::Snapshot;
use message_core::error::SnapshotError;
use message_core::prelude::*;
use message_data::Digest;

use crate::common::{Tested, panic_of};
use crate::{Add, Counter, FRAME, Packed, Place};

#[derive(Message, Debug)]
#[message(name = "snapshots.Heavy")]
struct Heavy;

struct Engine;

#[handlers]
impl Engine {
    #[on_receive]
    fn heavy(&mut self, _: &Heavy) {}
}

/// It is `Clone`, but nobody has said so.
#[derive(Clone)]
struct Undeclared;

fn text(error: &SnapshotError) -> String {
    error.to_string()
}

// holds: snapshots.not-cloned, snapshots.clone
#[test]
fn a_component_that_is_not_clone_is_named_with_its_messagee() -> Tested {
    let mut manager = MessageManager::new();
    let tree = manager.spawn((Counter::default(),));
    let mut last = manager.snapshot()?;
    manager.send(tree, Add(1))?;
    let car = manager.spawn_named("car", (Place { x: 1 }, Engine));
    let before = Digest::of(&manager);
    let error = manager
        .snapshot_into(&mut last)
        .expect_err("an engine is there");
    let component = std::any::type_name::<Engine>();
    assert_eq!(
        error,
        SnapshotError::ComponentNotClone {
            component,
            owner: car
        }
    );
    assert_eq!(
        text(&error),
        format!(
            "cannot clone component `{component}` of messagee {car}: derive `Clone` for it; if it has no \
             `#[handlers]`, also declare it with `cloned!`"
        )
    );
    assert_eq!(Digest::of(&manager), before);
    // The one from before is still there.
    manager.despawn(car)?;
    manager.rewind(&last)?;
    assert_eq!(crate::sum(&manager, tree), 0);
    manager.spawn((Undeclared,));
    assert!(matches!(
        manager.snapshot(),
        Err(SnapshotError::ComponentNotClone { .. })
    ));
    Ok(())
}

// holds: snapshots.not-cloned
#[test]
fn a_pending_message_that_is_not_clone_is_named_with_its_recipient() -> Tested {
    let mut manager = MessageManager::new();
    let car = manager.spawn(());
    let named = |manager: &mut MessageManager, to: Recipient| {
        let error = manager.snapshot().expect_err("a heavy one is there");
        let message = Heavy::NAME;
        assert_eq!(error, SnapshotError::MessageNotClone { message, to });
        text(&error)
    };
    let ticket = manager.post(Header::to(car).after(FRAME), Heavy)?;
    assert_eq!(
        named(&mut manager, car.into()),
        format!(
            "cannot clone a `snapshots.Heavy` to {}, which has yet to be delivered or read: derive `Clone` for it",
            Recipient::Id(car)
        )
    );
    manager.cancel(ticket);
    manager.snapshot()?;
    // In a box.
    let ticket = manager.post_any(Header::to(car).after(FRAME), Box::new(Heavy))?;
    named(&mut manager, car.into());
    manager.cancel(ticket);
    manager.snapshot()?;
    manager.publish(Everyone, Heavy)?;
    named(&mut manager, Everyone);
    manager.tick(FRAME);
    named(&mut manager, Everyone);
    // It waits for a pass of `FixedUpdate`.
    for _ in 0..4 {
        manager.tick(FRAME);
    }
    manager.snapshot()?;
    manager.post(Header::to(Everyone).stage(Stage::Immediate).retain(), Heavy)?;
    named(&mut manager, Everyone);
    manager.forget_retained::<Heavy>(Everyone);
    manager.snapshot()?;
    let late = Filter::of::<Heavy>().stage(Stage::Update);
    manager.subscribe(late, |_, _| {});
    manager.send(Everyone, Heavy)?;
    named(&mut manager, Everyone);
    manager.tick(FRAME);
    manager.snapshot()?;
    Ok(())
}

// holds: snapshots.clone
#[test]
fn messages_in_boxes_are_cloned() -> Tested {
    let mut manager = MessageManager::new();
    let (tree, leaf) = (
        manager.spawn((Counter::default(),)),
        manager.spawn((Packed::default(),)),
    );
    manager.post_any(Header::to(tree).after(FRAME), Box::new(Add(3)))?;
    manager.publish_any(leaf, Box::new(Add(4)))?;
    let snapshot = manager.snapshot()?;
    for _ in 0..2 {
        manager.tick(FRAME);
        assert_eq!(crate::sum(&manager, tree), 3);
        assert_eq!(manager.inbox::<Add>().first().map(|add| add.0), Some(4));
        manager.rewind(&snapshot)?;
    }
    Ok(())
}

// holds: snapshots.own
#[test]
fn a_snapshot_of_another_manager_is_refused() -> Tested {
    let [mut one, mut two] = [(); 2].map(|()| MessageManager::new());
    let snapshot = one.snapshot()?;
    assert_eq!(two.rewind(&snapshot), Err(SnapshotError::OtherManager));
    assert_eq!(two.rewind(&Snapshot::new()), Err(SnapshotError::Empty));
    assert_eq!(Snapshot::default().frame(), None);
    Ok(())
}

thread_local! {
    /// How many clones of a bomb are made before one panics.
    static FUSE: Cell<Option<usize>> = const { Cell::new(None) };
}

fn burn() {
    if let Some(left) = FUSE.get() {
        FUSE.set(Some(left.wrapping_sub(1)));
        assert!(left > 0, "the fuse is burnt");
    }
}

#[derive(Default)]
struct Bomb(u32);

impl Clone for Bomb {
    fn clone(&self) -> Self {
        burn();
        Self(self.0)
    }
}

message_core::cloned!(Bomb);

#[derive(Message)]
struct Letter(Bomb);

impl Clone for Letter {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

// holds: snapshots.clone-panics
#[test]
fn a_clone_that_panics_changes_nothing() -> Tested {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..3)
        .map(|at| manager.spawn((Bomb(at), Place { x: 0 })))
        .collect();
    manager.post(Header::to(Everyone).after(FRAME), Letter(Bomb(0)))?;
    manager.publish(Everyone, Letter(Bomb(0)))?;
    manager.post(
        Header::to(Everyone).stage(Stage::Immediate).retain(),
        Letter(Bomb(0)),
    )?;
    let snapshot = manager.snapshot()?;
    for (&id, at) in ids.iter().zip(10..) {
        manager.get_mut::<Bomb>(id)?.0 = at;
        manager.get_mut::<Place>(id)?.x = 1;
    }
    let late = manager.spawn((Bomb(13),));
    let values = |manager: &mut MessageManager| -> Vec<u32> {
        manager.iter::<Bomb>().map(|(_, bomb)| bomb.0).collect()
    };
    // Three components, and three messages.
    for clones in 0..6 {
        FUSE.set(Some(clones));
        assert_eq!(panic_of(|| manager.rewind(&snapshot)), "the fuse is burnt");
        FUSE.set(None);
        assert!(manager.is_alive(late));
        assert_eq!(values(&mut manager), [10, 11, 12, 13]);
        assert_eq!(manager.get::<Place>(ids[0])?.x, 1);
        let mut other = manager.snapshot()?;
        FUSE.set(Some(clones));
        assert_eq!(
            panic_of(|| manager.snapshot_into(&mut other)),
            "the fuse is burnt"
        );
        FUSE.set(None);
        assert_eq!(manager.rewind(&other), Err(SnapshotError::Empty));
        manager.snapshot_into(&mut other)?;
        manager.rewind(&other)?;
        assert_eq!(values(&mut manager), [10, 11, 12, 13]);
    }
    manager.rewind(&snapshot)?;
    assert_eq!(values(&mut manager), [0, 1, 2]);
    Ok(())
}

/// Counts how many were dropped, and panics each time.
#[derive(Clone)]
struct Thorn(Arc<AtomicUsize>);

impl Drop for Thorn {
    fn drop(&mut self) {
        let before = self.0.fetch_add(1, Ordering::Relaxed);
        assert!(before >= 100, "a thorn pricks");
    }
}

message_core::cloned!(Thorn);

// holds: snapshots.drop-panics
#[test]
fn values_are_dropped_one_by_one_when_the_manager_goes_back() -> Tested {
    let (mut manager, dropped) = (MessageManager::new(), Arc::new(AtomicUsize::new(0)));
    let rose = manager.spawn((Thorn(Arc::clone(&dropped)), Packed { sum: 1 }));
    let snapshot = manager.snapshot()?;
    for _ in 0..3 {
        manager.spawn((Thorn(Arc::clone(&dropped)),));
    }
    let held = Arc::clone(&dropped);
    let thorn = Thorn(held);
    manager.subscribe(Filter::of::<Add>(), move |_, _| {
        let _ = &thorn;
    });
    manager.get_mut::<Packed>(rose)?.sum = 2;
    assert_eq!(panic_of(|| manager.rewind(&snapshot)), "a thorn pricks");
    assert_eq!(dropped.load(Ordering::Relaxed), 5);
    assert_eq!(manager.get::<Packed>(rose)?.sum, 1);
    assert_eq!(manager.iter::<Thorn>().count(), 1);
    // The rest is dropped without a word.
    dropped.store(100, Ordering::Relaxed);
    drop((manager, snapshot));
    assert_eq!(dropped.load(Ordering::Relaxed), 102);
    Ok(())
}
