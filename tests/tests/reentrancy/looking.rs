//! Inspection in a handler: hooks, messagees, and several components side by side.

use std::ops::Deref;

use crate::common::{Actor, Do, Ear, Note, Tested, first_hook, slot, stage};
use message_core::prelude::*;
use message_core::{Desk, SpeakingFor, Structure, SubscriberContext};

struct Armour(u32);
struct Health(u32);

// holds: messagees.hooks-of-order
#[test]
fn the_hooks_of_a_type_are_found_in_the_order_of_hooking() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Armour(1), Health(2)));
    let second = manager.hook(id, Armour(3))?;
    let first = manager.hook_of::<Armour>(id)?;
    assert_eq!(first, first_hook(&manager, id));
    assert_eq!(
        manager.hooks_of::<Armour>(id).collect::<Vec<_>>(),
        [first, second]
    );
    assert_eq!(manager.hooks_of::<Health>(id).count(), 1);
    assert_eq!(manager.unhook::<Armour>(first)?.0, 1);
    assert_eq!(manager.hook_of::<Armour>(id), Ok(second));
    assert_eq!(manager.hooks_of::<Armour>(id).collect::<Vec<_>>(), [second]);
    Ok(())
}

// holds: messagees.other-manager
#[test]
fn a_hook_that_cannot_be_found_is_an_error_that_says_why() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Health(2),));
    let missing = manager.hook_of::<Armour>(id);
    assert!(matches!(missing, Err(MessageeError::NoComponent { id: it, .. }) if it == id));
    assert_eq!(manager.hooks_of::<Armour>(id).count(), 0);
    manager.despawn(id)?;
    assert_eq!(
        manager.hook_of::<Health>(id),
        Err(MessageeError::Absent {
            id,
            why: Absence::Gone
        })
    );
    assert_eq!(manager.hooks_of::<Health>(id).count(), 0);
    let id = MessageManager::new().spawn((Health(2),));
    assert_eq!(
        manager.hook_of::<Health>(id),
        Err(MessageeError::Absent {
            id,
            why: Absence::OtherManager
        })
    );
    assert_eq!(manager.hooks_of::<Health>(id).count(), 0);
    Ok(())
}

// holds: messagees.as-messagee-offers, reentrancy.looks-as-before
#[test]
fn from_outside_at_a_desk_and_in_a_handler_the_same_can_be_read() {
    fn reads<Reader: Deref<Target = What>, What>() {}
    reads::<MessageManager, Structure>();
    reads::<Desk<'_>, Structure>();
    reads::<Context<'_>, Structure>();
    reads::<SubscriberContext<'_>, Structure>();
    reads::<SpeakingFor<'_>, MessageManager>();
}

// holds: messagees.hooks-of-order, reentrancy.looks-as-before
#[test]
fn a_handler_finds_the_same_hooks_and_messagees_as_the_manager() -> Tested {
    let (mut manager, log, actor) = stage();
    let tank = manager.spawn((Armour(1), Health(2), Armour(3)));
    let (armour, health) = (Armour(4), Health(5));
    let (put, seen) = slot();
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((armour,));
        let reserved = cx.hook(tank, health).expect("it is alive");
        assert_eq!(
            cx.owner(reserved),
            Err(MessageeError::NotHooked {
                hook: reserved,
                why: Absence::NotYetThere
            })
        );
        let unborn = cx.hook_of::<Armour>(newborn);
        assert_eq!(
            unborn,
            Err(MessageeError::Absent {
                id: newborn,
                why: Absence::NotYetThere
            })
        );
        let hooks: Vec<HookId> = cx.hooks(tank).collect();
        let armours: Vec<HookId> = cx.hooks_of::<Armour>(tank).collect();
        assert_eq!(cx.owner(armours[1]), Ok(tank));
        assert_eq!((cx.len(), cx.is_empty()), (2, false));
        let messagees: Vec<MessageeId> = cx.messagees().collect();
        put((hooks, armours, cx.hook_of::<Health>(tank), messagees));
    });
    let before = (
        manager.hooks(tank).collect::<Vec<_>>(),
        manager.hooks_of::<Armour>(tank).collect::<Vec<_>>(),
        manager.hook_of::<Health>(tank),
        manager.messagees().collect::<Vec<_>>(),
    );
    manager.send(actor, script)?;
    assert_eq!(seen(), before);
    assert_eq!(manager.len(), 3);
    assert_eq!(manager.hooks_of::<Health>(tank).count(), 2);
    assert!(log.take().is_empty());
    Ok(())
}

// holds: reentrancy.read-others
#[test]
fn a_handler_can_read_several_components_side_by_side() -> Tested {
    let (mut manager, log, actor) = stage();
    let orc = manager.spawn((Health(4), Armour(1)));
    let elf = manager.spawn((Health(9), Ear::new("elf", &log), Actor::new("elf", &log)));
    let script = Do::new(move |cx| {
        let (one, other) = (cx.get::<Health>(orc), cx.get::<Health>(elf));
        let (one, other) = (one.expect("it has one"), other.expect("it has one"));
        // The same component can be read twice, and others be walked over meanwhile.
        let again = cx.get::<Health>(orc).expect("it is only read");
        let (ear, armour) = (cx.get::<Ear>(elf), cx.get::<Armour>(orc));
        assert_eq!((one.0, other.0, again.0), (4, 9, 4));
        assert_eq!(
            (ear.expect("it has one").name, armour.expect("it has one").0),
            ("elf", 1)
        );
        let sum: u32 = cx
            .iter::<Health>()
            .map(|(_, health)| health.0 + one.0)
            .sum();
        assert_eq!(sum, 21);
        assert!(cx.get::<Actor>(cx.me()).is_err(), "it is running");
        drop((one, other, again));
        cx.get_mut::<Health>(orc).expect("nobody reads it").0 += 1;
        cx.send(elf, Note("done")).expect("sent");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["elf: done", "elf: done"]);
    assert_eq!(manager.get::<Health>(orc)?.0, 5);
    Ok(())
}
