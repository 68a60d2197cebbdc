//! Messagees: their ids, their components, and their end.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use message_core::Children;
use message_core::prelude::*;

type Tested = Result<(), Box<dyn Error>>;

#[derive(Message)]
struct Ping;

#[derive(Message)]
#[message(reply = u32)]
struct Ask;

#[derive(Debug, Default, PartialEq)]
struct Ears {
    heard: u32,
}

#[handlers]
impl Ears {
    #[on_receive]
    fn hear(&mut self, _: &Ping) {
        self.heard += 1;
    }

    #[on_receive]
    fn ask(&self, _: &Ask) -> u32 {
        self.heard
    }
}

/// A component without handlers.
#[derive(Debug, PartialEq)]
struct Label(&'static str);

mnemonic!(CHIEF);

fn gone(id: MessageeId) -> SendError {
    SendError::new(Ping::NAME, id, SendErrorKind::Absent(Absence::Gone))
}

// holds: messagees.stale-id
#[test]
fn a_stale_id_never_reaches_a_newcomer() -> Tested {
    let mut manager = MessageManager::new();
    let old = manager.spawn((Ears::default(),));
    manager.despawn(old)?;
    let new = manager.spawn((Ears::default(),));
    assert_eq!(
        (old.to_string(), new.to_string()),
        ("0v0".into(), "0v1".into())
    );
    assert_ne!(old, new);
    assert_eq!(manager.send(old, Ping), Err(gone(old)));
    assert_eq!(manager.send(Up(old), Ping), Err(gone(old)));
    assert_eq!(manager.send(Down(old), Ping), Err(gone(old)));
    assert_eq!(manager.send_mut(old, &mut Ping), Err(gone(old)));
    let asked = manager.request(old, Ask);
    let unanswered = SendError::new(Ask::NAME, old, SendErrorKind::Absent(Absence::Gone));
    assert_eq!(asked, Err(unanswered.clone()));
    assert_eq!(manager.request_all(old, Ask), Err(unanswered));
    assert_eq!(manager.get::<Ears>(new)?.heard, 0);
    assert!(manager.is_alive(new) && !manager.is_alive(old));
    Ok(())
}

// holds: messagees.stale-id
#[test]
fn a_place_can_be_used_many_times_and_each_id_is_another() -> Tested {
    let mut manager = MessageManager::new();
    let mut ids = Vec::new();
    for _ in 0..100 {
        let id = manager.spawn((Ears::default(),));
        manager.despawn(id)?;
        ids.push(id);
    }
    let last = manager.spawn((Ears::default(),));
    for &id in &ids {
        assert_eq!(manager.send(id, Ping), Err(gone(id)));
    }
    ids.push(last);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 101);
    assert_eq!(manager.get::<Ears>(last)?.heard, 0);
    Ok(())
}

// holds: messagees.stale-id, messagees.errors-change-nothing
#[test]
fn a_stale_id_is_refused_wherever_a_messagee_is_named() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Ears::default(),));
    let other = manager.spawn(());
    manager.despawn(id)?;
    let new = manager.spawn((Ears::default(),));
    let gone = MessageeError::Absent {
        id,
        why: Absence::Gone,
    };
    assert_eq!(manager.despawn(id), Err(gone.clone()));
    let reparent = Children::Reparent;
    assert_eq!(manager.despawn_with(id, reparent), Err(gone.clone()));
    assert_eq!(manager.hook(id, Label("late")).err(), Some(gone.clone()));
    assert_eq!(manager.get::<Ears>(id).err(), Some(gone.clone()));
    assert_eq!(manager.get_mut::<Ears>(id).err(), Some(gone.clone()));
    assert_eq!(manager.set_parent(id, None), Err(gone.clone()));
    assert_eq!(manager.set_parent(other, Some(id)), Err(gone.clone()));
    assert_eq!(manager.bind(CHIEF, id), Err(gone.clone()));
    assert_eq!(manager.unbind(CHIEF, id), Err(gone.clone()));
    assert_eq!(manager.speak_for(id).err(), Some(gone));
    assert_eq!(manager.hooks(id).count(), 0);
    assert_eq!(manager.children(id).count(), 0);
    assert_eq!(manager.parent(id), None);

    assert_eq!(manager.len(), 2);
    assert_eq!(manager.hooks(new).count(), 1);
    assert_eq!(manager.parent(other), None);
    assert_eq!(manager.bound(CHIEF), None);
    Ok(())
}

mod bundles {
    use super::{Ears, Ping, Tested};
    use message_core::Bundle;
    use message_core::prelude::*;

    /// A component type for each number.
    struct Nth<const N: usize>;

    fn hooked<B: Bundle>(bundle: B) -> usize {
        let mut manager = MessageManager::new();
        let id = manager.spawn(bundle);
        manager.hooks(id).count()
    }

    #[test]
    fn a_messagee_is_spawned_with_up_to_twelve_components() {
        let n = || Nth::<0>;
        assert_eq!(hooked(()), 0);
        assert_eq!(hooked((n(),)), 1);
        assert_eq!(hooked((n(), n())), 2);
        assert_eq!(hooked((n(), n(), n())), 3);
        assert_eq!(hooked((n(), n(), n(), n())), 4);
        assert_eq!(hooked((n(), n(), n(), n(), n())), 5);
        assert_eq!(hooked((n(), n(), n(), n(), n(), n())), 6);
        assert_eq!(hooked((n(), n(), n(), n(), n(), n(), n())), 7);
        assert_eq!(hooked((n(), n(), n(), n(), n(), n(), n(), n())), 8);
        assert_eq!(hooked((n(), n(), n(), n(), n(), n(), n(), n(), n())), 9);
        assert_eq!(
            hooked((n(), n(), n(), n(), n(), n(), n(), n(), n(), n())),
            10
        );
        assert_eq!(
            hooked((n(), n(), n(), n(), n(), n(), n(), n(), n(), n(), n())),
            11
        );
        assert_eq!(
            hooked((n(), n(), n(), n(), n(), n(), n(), n(), n(), n(), n(), n())),
            12
        );
    }

    #[test]
    fn twelve_components_of_twelve_types_are_all_reached() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((
            Nth::<0>,
            Nth::<1>,
            Nth::<2>,
            Nth::<3>,
            Nth::<4>,
            Nth::<5>,
            Nth::<6>,
            Nth::<7>,
            Nth::<8>,
            Nth::<9>,
            Nth::<10>,
            Ears::default(),
        ));
        manager.get::<Nth<0>>(id)?;
        manager.get::<Nth<5>>(id)?;
        manager.get::<Nth<10>>(id)?;
        assert_eq!(manager.send(id, Ping)?.received, 1);
        assert_eq!(manager.get::<Ears>(id)?.heard, 1);
        Ok(())
    }
}

// holds: send.nobody-is-no-error
#[test]
fn a_messagee_without_components_can_be_addressed() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    assert_eq!(manager.send(id, Ping)?, Receipt::default());
    assert!(manager.is_alive(id));
    Ok(())
}

#[test]
fn the_manager_counts_and_lists_those_who_are_alive() -> Tested {
    let mut manager = MessageManager::new();
    assert!(manager.is_empty());
    let one = manager.spawn(());
    let two = manager.spawn((Ears::default(),));
    let three = manager.spawn(());
    manager.despawn(two)?;
    assert_eq!(manager.len(), 2);
    let mut alive: Vec<MessageeId> = manager.messagees().collect();
    alive.sort_unstable();
    assert_eq!(alive, [one, three]);
    manager.despawn(one)?;
    manager.despawn(three)?;
    assert!(manager.is_empty());
    Ok(())
}

#[test]
fn get_reaches_a_component_directly_also_one_without_handlers() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Ears::default(), Label("left")));
    assert_eq!(*manager.get::<Label>(id)?, Label("left"));
    assert_eq!(*manager.get::<Ears>(id)?, Ears { heard: 0 });
    Ok(())
}

#[test]
fn get_mut_reaches_a_component_to_change_it() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Ears::default(), Label("left")));
    manager.get_mut::<Ears>(id)?.heard = 5;
    manager.get_mut::<Label>(id)?.0 = "right";
    assert_eq!(manager.request(id, Ask)?, 5);
    assert_eq!(manager.get::<Label>(id)?.0, "right");
    Ok(())
}

#[test]
fn get_of_a_component_that_is_not_there_is_an_error() {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Ears::default(),));
    let missing = MessageeError::NoComponent {
        id,
        component: std::any::type_name::<Label>(),
    };
    assert_eq!(manager.get::<Label>(id).err(), Some(missing.clone()));
    manager.spawn((Label("another's"),));
    assert_eq!(manager.get::<Label>(id).err(), Some(missing.clone()));
    assert_eq!(manager.get_mut::<Label>(id).err(), Some(missing));
}

#[test]
fn two_components_can_be_looked_at_together() -> Tested {
    let mut manager = MessageManager::new();
    let one = manager.spawn((Ears { heard: 1 },));
    let two = manager.spawn((Ears { heard: 2 },));
    let (one, two) = (manager.get::<Ears>(one)?, manager.get::<Ears>(two)?);
    assert_eq!(one.heard + two.heard, 3);
    Ok(())
}

#[test]
fn iter_reaches_every_component_of_a_type_with_its_messagee_in_storage_order() {
    let mut manager = MessageManager::new();
    let one = manager.spawn((Ears { heard: 1 }, Label("a")));
    manager.spawn((Label("b"),));
    let two = manager.spawn((Ears { heard: 2 }, Ears { heard: 3 }));
    let ears = manager.iter::<Ears>();
    let ears: Vec<_> = ears.map(|(id, ears)| (id, ears.heard)).collect();
    assert_eq!(ears, [(one, 1), (two, 2), (two, 3)]);
    assert_eq!(manager.iter::<Label>().count(), 2);
    assert_eq!(manager.iter::<String>().count(), 0);
}

#[test]
fn iter_mut_reaches_every_component_of_a_type_to_change_it() -> Tested {
    let mut manager = MessageManager::new();
    let one = manager.spawn((Ears { heard: 1 },));
    let two = manager.spawn((Ears { heard: 2 },));
    for (id, ears) in manager.iter_mut::<Ears>() {
        ears.heard *= if id == one { 10 } else { 100 };
    }
    assert_eq!(manager.get::<Ears>(one)?.heard, 10);
    assert_eq!(manager.get::<Ears>(two)?.heard, 200);
    assert_eq!(manager.iter_mut::<String>().count(), 0);
    Ok(())
}

/// Counts how many of its kind were dropped.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

// holds: messagees.despawn-takes-along
#[test]
fn a_despawned_messagee_takes_its_components_with_it() -> Tested {
    let drops = Arc::new(AtomicUsize::new(0));
    let dropped = || Dropped(Arc::clone(&drops));
    let mut manager = MessageManager::new();
    let id = manager.spawn((dropped(), Ears::default(), dropped()));
    let other = manager.spawn((dropped(), Ears::default()));
    let hooks: Vec<HookId> = manager.hooks(id).collect();
    manager.despawn(id)?;
    assert_eq!(drops.load(Ordering::Relaxed), 2);
    assert_eq!(manager.iter::<Ears>().count(), 1);
    assert_eq!(manager.iter::<Dropped>().count(), 1);
    for hook in hooks {
        assert_eq!(
            manager.owner(hook),
            Err(MessageeError::NotHooked {
                hook,
                why: Absence::Gone
            })
        );
    }
    assert_eq!(manager.send(Everyone, Ping)?.received, 1);
    assert_eq!(manager.get::<Ears>(other)?.heard, 1);
    Ok(())
}

// holds: memory.dropped-once, messagees.unhook-gives-back
#[test]
fn components_are_dropped_exactly_once_with_the_manager_or_before() -> Tested {
    let drops = Arc::new(AtomicUsize::new(0));
    let dropped = || Dropped(Arc::clone(&drops));
    let mut manager = MessageManager::new();
    let kept = manager.spawn((dropped(), dropped()));
    let despawned = manager.spawn((dropped(),));
    let disabled = manager.hook(kept, dropped())?;
    let unhooked = manager.hook(kept, dropped())?;
    manager.set_enabled(disabled, false)?;
    manager.despawn(despawned)?;
    assert_eq!(drops.load(Ordering::Relaxed), 1);
    let given_back: Dropped = manager.unhook(unhooked)?;
    assert_eq!(drops.load(Ordering::Relaxed), 1);
    drop(given_back);
    assert_eq!(drops.load(Ordering::Relaxed), 2);
    drop(manager);
    assert_eq!(drops.load(Ordering::Relaxed), 5);
    Ok(())
}

#[test]
fn despawning_one_leaves_the_storage_of_the_others_consistent() -> Tested {
    let mut manager = MessageManager::new();
    let mut ids: Vec<MessageeId> = (0..20)
        .map(|heard| manager.spawn((Ears { heard }, Label("one"), Ears { heard: 100 })))
        .collect();
    let mut expected: Vec<u32> = (0..20).collect();
    for at in [19, 0, 7, 3, 11, 0] {
        manager.despawn(ids.remove(at))?;
        expected.remove(at);
        for (&id, &heard) in ids.iter().zip(&expected) {
            assert_eq!(manager.get::<Ears>(id)?.heard, heard);
            assert_eq!(manager.hooks(id).count(), 3);
        }
        let mut owners: Vec<_> = manager.iter::<Label>().map(|(id, _)| id).collect();
        owners.sort_unstable();
        let mut alive = ids.clone();
        alive.sort_unstable();
        assert_eq!(owners, alive);
    }
    assert_eq!(manager.send(Everyone, Ping)?.received, 28);
    Ok(())
}
