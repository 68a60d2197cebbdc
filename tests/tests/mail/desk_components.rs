//! The desk: borrowing and changing components from outside.

use std::time::Duration;

use crate::common::{Actor, Do, Ear, Note, Tested, Who, first_hook, stage};
use message_core::Recipient::Me;
use message_core::prelude::*;

const FRAME: Duration = Duration::from_millis(10);

#[derive(Message, Debug)]
struct Hit(u32);

#[derive(Message, Debug)]
struct Ouch(u32);

/// No handler receives anything for it.
#[derive(Debug, PartialEq, Eq)]
struct Hp(u32);

/// The numbers of the hits that a selection finds.
macro_rules! hits {
    ($inbox:expr) => {
        $inbox.iter().map(|hit| hit.0).collect::<Vec<u32>>()
    };
}

/// Returns a manager with two messagees that have an [`Hp`].
fn two() -> (MessageManager, MessageeId, MessageeId) {
    let mut manager = MessageManager::new();
    let (orc, elf) = (manager.spawn((Hp(10),)), manager.spawn((Hp(20),)));
    (manager, orc, elf)
}

// Changing components.

// holds: mail.desk
#[test]
fn a_reader_can_change_components() -> Tested {
    let (mut manager, orc, elf) = two();
    manager.publish(orc, Hit(3))?;
    manager.publish(elf, Hit(4))?;
    manager.publish(orc, Hit(5))?;
    manager.tick(FRAME);
    let desk = manager.desk();
    for hit in desk.inbox::<Hit>() {
        let Recipient::Id(id) = hit.recipient() else {
            panic!("it is for one");
        };
        desk.get_mut::<Hp>(id)?.0 -= hit.0;
    }
    for (id, mut hp) in desk.iter_mut::<Hp>() {
        for hit in desk.inbox::<Hit>().reaching(id) {
            hp.0 -= 1;
            desk.speak_for(id)?.publish(Me, Ouch(hit.0))?;
        }
    }
    assert_eq!((desk.get::<Hp>(orc)?.0, desk.get::<Hp>(elf)?.0), (0, 15));
    assert_eq!(hits!(desk.published::<Ouch>().to(orc)), [3, 5]);
    Ok(())
}

// holds: mail.desk-borrows
#[test]
fn two_components_of_a_type_without_handlers_can_be_changed_at_once() -> Tested {
    let (mut manager, orc, elf) = two();
    let desk = manager.desk();
    let (mut one, mut other) = (desk.get_mut::<Hp>(orc)?, desk.get_mut::<Hp>(elf)?);
    std::mem::swap(&mut *one, &mut *other);
    drop((one, other));
    let all: Vec<_> = desk.iter_mut::<Hp>().collect();
    assert_eq!(all.len(), 2);
    drop(all);
    assert_eq!(*manager.get::<Hp>(orc)?, Hp(20));
    Ok(())
}

// holds: mail.desk-borrows
#[test]
fn two_components_of_a_type_whose_handlers_have_a_context_can_be_changed_at_once() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let desk = manager.desk();
    let (mut one, mut two) = (desk.get_mut::<Actor>(actor)?, desk.get_mut::<Actor>(other)?);
    std::mem::swap(&mut one.name, &mut two.name);
    drop((one, two));
    manager.send(Everyone, Note("swapped"))?;
    assert_eq!(log.take(), ["other: swapped", "actor: swapped"]);
    Ok(())
}

// holds: mail.desk-borrows
#[test]
fn one_that_is_borrowed_is_busy() -> Tested {
    let (mut manager, orc, elf) = two();
    let desk = manager.desk();
    let busy = |id| MessageeError::Busy {
        id,
        component: std::any::type_name::<Hp>(),
    };
    let changed = desk.get_mut::<Hp>(orc)?;
    assert_eq!(desk.get::<Hp>(orc).err(), Some(busy(orc)));
    assert_eq!(desk.get_mut::<Hp>(orc).err(), Some(busy(orc)));
    assert!(desk.get_mut::<Hp>(elf).is_ok());
    drop(changed);
    let read = (desk.get::<Hp>(orc)?, desk.get::<Hp>(orc)?);
    assert_eq!(desk.get_mut::<Hp>(orc).err(), Some(busy(orc)));
    assert_eq!(desk.iter::<Hp>().count(), 2);
    drop(read);
    assert!(desk.get_mut::<Hp>(orc).is_ok());
    Ok(())
}

// holds: mail.desk-borrows
#[test]
fn a_walk_that_comes_to_one_that_is_borrowed_panics_and_passes_nobody_over() -> Tested {
    let (mut manager, orc, elf) = two();
    let desk = manager.desk();
    let said = |walk: &mut dyn FnMut() -> usize| {
        let text = crate::common::panic_of(std::panic::AssertUnwindSafe(|| {
            walk();
        }));
        assert!(
            text.contains(&format!("of messagee {elf} is busy")),
            "{text}"
        );
        assert!(text.contains("drop that borrow first"), "{text}");
    };
    let changed = desk.get_mut::<Hp>(elf)?;
    said(&mut || desk.iter::<Hp>().count());
    said(&mut || desk.iter_mut::<Hp>().count());
    drop(changed);
    let read = desk.get::<Hp>(elf)?;
    assert_eq!(desk.iter::<Hp>().count(), 2);
    said(&mut || desk.iter_mut::<Hp>().count());
    drop(read);
    let all: Vec<_> = desk.iter_mut::<Hp>().collect();
    assert_eq!(all.len(), 2);
    assert!(desk.get::<Hp>(orc).is_err());
    Ok(())
}

// holds: mail.desk-borrows
#[test]
fn what_a_desk_can_do_does_not_depend_on_the_handlers_of_a_type() -> Tested {
    let (mut manager, log, _) = stage();
    // None of its handlers takes a context.
    let (left, right) = (
        manager.spawn((Ear::new("left", &log),)),
        manager.spawn((Ear::new("right", &log),)),
    );
    let desk = manager.desk();
    let (mut one, mut other) = (desk.get_mut::<Ear>(left)?, desk.get_mut::<Ear>(right)?);
    std::mem::swap(&mut one.name, &mut other.name);
    drop((one, other));
    let (read, changed) = (desk.get::<Ear>(left)?, desk.get_mut::<Ear>(right)?);
    assert_eq!((read.name, changed.name), ("right", "left"));
    drop((read, changed));
    assert_eq!(desk.iter_mut::<Ear>().collect::<Vec<_>>().len(), 2);
    // Afterwards they are called, found, disabled, taken out and dropped as before.
    assert_eq!(manager.get::<Ear>(left)?.name, "right");
    assert_eq!(manager.iter::<Ear>().count(), 2);
    manager.desk().get_mut::<Ear>(left)?.name = "renamed";
    manager.send(Everyone, Note("1"))?;
    assert!(log.take().contains(&"renamed: 1".to_owned()));
    assert_eq!(manager.request(right, Who)?, "left");
    let newcomer = manager.spawn((Ear::new("newcomer", &log),));
    manager.send(newcomer, Note("2"))?;
    let hook = first_hook(&manager, left);
    manager.set_enabled(hook, false)?;
    assert_eq!(manager.unhook::<Ear>(hook)?.name, "renamed");
    assert_eq!(manager.desk().iter::<Ear>().count(), 2);
    Ok(())
}

// holds: memory.dropped-once
#[test]
fn components_that_were_borrowed_at_a_desk_are_dropped_once() -> Tested {
    use std::sync::Arc;

    struct Held(Arc<()>);

    #[handlers]
    impl Held {
        #[on_receive]
        fn note(&mut self, _: &Note) {
            assert!(Arc::strong_count(&self.0) > 1);
        }
    }

    let counter = Arc::new(());
    for settles in [false, true] {
        let mut manager = MessageManager::new();
        for _ in 0..3 {
            manager.spawn((Held(Arc::clone(&counter)),));
        }
        assert_eq!(manager.desk().iter_mut::<Held>().count(), 3);
        if settles {
            manager.send(Everyone, Note("1"))?;
        }
        drop(manager);
        assert_eq!(Arc::strong_count(&counter), 1);
    }
    Ok(())
}

#[test]
fn components_come_in_storage_order_the_disabled_ones_last() -> Tested {
    let (mut manager, orc, elf) = two();
    let troll = manager.spawn((Hp(30), Hp(31)));
    let hook = first_hook(&manager, orc);
    manager.set_enabled(hook, false)?;
    let desk = manager.desk();
    let shared: Vec<_> = desk.iter::<Hp>().map(|(id, hp)| (id, hp.0)).collect();
    let changed: Vec<_> = desk.iter_mut::<Hp>().map(|(id, hp)| (id, hp.0)).collect();
    assert_eq!(shared, changed);
    assert_eq!(shared.len(), 4);
    assert_eq!(shared[3], (orc, 10));
    assert!(shared[..3].contains(&(elf, 20)));
    // The first of several components of one messagee is meant.
    assert_eq!(desk.get::<Hp>(troll)?.0, 30);
    assert_eq!(desk.get_mut::<Hp>(orc)?.0, 10);
    let exclusive: Vec<_> = manager
        .iter_mut::<Hp>()
        .map(|(id, hp)| (id, hp.0))
        .collect();
    assert_eq!(exclusive, changed);
    Ok(())
}

#[test]
fn of_a_type_that_nobody_has_there_is_none() {
    /// No messagee has it.
    struct Unknown;
    let (mut manager, orc, _) = two();
    let desk = manager.desk();
    assert_eq!(desk.iter::<Unknown>().count(), 0);
    assert_eq!(desk.iter_mut::<Unknown>().count(), 0);
    let missing = Some(MessageeError::NoComponent {
        id: orc,
        component: std::any::type_name::<Unknown>(),
    });
    assert_eq!(desk.get::<Unknown>(orc).err(), missing);
    assert_eq!(desk.get_mut::<Unknown>(orc).err(), missing);
}

// Guards that were leaked.

#[test]
fn a_component_whose_guard_was_leaked_at_the_desk_loses_no_message() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let desk = manager.desk();
    std::mem::forget(desk.get_mut::<Actor>(actor)?);
    std::mem::forget(desk.get_mut::<Ear>(ear)?);
    manager.send(Everyone, Note("1"))?;
    assert_eq!(log.take(), ["actor: 1", "ear: 1"]);
    // It is free again.
    assert_eq!(manager.desk().get_mut::<Actor>(actor)?.name, "actor");
    manager.desk().get_mut::<Ear>(ear)?.name = "renamed";
    assert_eq!(manager.request(ear, Who)?, "renamed");
    std::mem::forget(manager.desk().iter::<Ear>().next());
    std::mem::forget(manager.desk().get::<Actor>(actor)?);
    let script = move |cx: &mut Context<'_>| {
        cx.send(ear, Note("2")).expect("it is alive");
    };
    manager.send(actor, Do::new(script))?;
    assert_eq!(log.take(), ["renamed: 2"]);
    let hook = first_hook(&manager, ear);
    assert_eq!(manager.unhook::<Ear>(hook)?.name, "renamed");
    Ok(())
}

#[test]
fn a_component_without_handlers_whose_guard_was_leaked_is_still_the_managers() -> Tested {
    let (mut manager, orc, elf) = two();
    let desk = manager.desk();
    std::mem::forget(desk.get_mut::<Hp>(orc)?);
    std::mem::forget(desk.get::<Hp>(elf)?);
    manager.get_mut::<Hp>(orc)?.0 += 1;
    for (_, hp) in manager.iter_mut::<Hp>() {
        hp.0 += 1;
    }
    assert!(manager.get::<Hp>(orc).is_err());
    assert_eq!(manager.get::<Hp>(elf)?.0, 21);
    let troll = manager.spawn((Hp(30),));
    manager.desk().get_mut::<Hp>(troll)?.0 += 1;
    let hook = first_hook(&manager, orc);
    assert_eq!(manager.unhook::<Hp>(hook)?, Hp(12));
    manager.despawn(elf)?;
    assert_eq!(manager.get::<Hp>(troll)?.0, 31);
    Ok(())
}
