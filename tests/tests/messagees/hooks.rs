//! Hooks: attaching components to a messagee, and taking them off again.

use std::error::Error;

use message_core::prelude::*;

type Tested = Result<(), Box<dyn Error>>;

#[derive(Message)]
struct Ping;

#[derive(Message)]
#[message(reply = &'static str)]
struct WhoIsThere;

#[derive(Debug, PartialEq)]
struct Ears {
    name: &'static str,
    heard: u32,
}

#[handlers]
impl Ears {
    #[on_receive]
    fn hear(&mut self, _: &Ping) {
        self.heard += 1;
    }

    #[on_receive]
    fn answer(&self, _: &WhoIsThere) -> &'static str {
        self.name
    }
}

fn ears(name: &'static str) -> Ears {
    Ears { name, heard: 0 }
}

/// Hears as well, through handlers that take a context.
struct Nose {
    heard: u32,
}

#[handlers]
impl Nose {
    #[on_receive]
    fn hear(&mut self, _: &Ping, cx: &mut Context<'_>) {
        self.heard += u32::from(!cx.is_from_me());
    }
}

/// A component without handlers.
#[derive(Debug, PartialEq)]
struct Label(&'static str);

/// Returns the names of a messagee's ears, in the order of delivery.
fn roll(
    manager: &mut MessageManager,
    to: impl Into<Recipient>,
) -> Result<Vec<&'static str>, SendError> {
    let answers = manager.request_all(to, WhoIsThere)?;
    Ok(answers.into_iter().map(|(_, name)| name).collect())
}

#[test]
fn all_components_of_a_messagee_share_one_address() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((ears("first"),));
    manager.hook(id, Nose { heard: 0 })?;
    manager.hook(id, Label("left"))?;
    assert_eq!(manager.send(id, Ping)?.received, 2);
    assert_eq!(manager.get::<Ears>(id)?.heard, 1);
    assert_eq!(manager.get::<Nose>(id)?.heard, 1);
    Ok(())
}

// holds: messagees.unhook-gives-back
#[test]
fn a_hook_removed_alone_leaves_the_others_reachable() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((ears("first"),));
    let middle = manager.hook(id, ears("middle"))?;
    let nose = manager.hook(id, Nose { heard: 0 })?;
    manager.hook(id, ears("last"))?;
    assert_eq!(manager.send(id, Ping)?.received, 4);
    manager.unhook::<Ears>(middle)?;
    assert_eq!(roll(&mut manager, id)?, ["first", "last"]);
    assert_eq!(manager.send(id, Ping)?.received, 3);
    manager.unhook::<Nose>(nose)?;
    assert_eq!(manager.send(id, Ping)?.received, 2);
    assert_eq!(roll(&mut manager, Everyone)?, ["first", "last"]);
    Ok(())
}

// holds: messagees.unhook-gives-back
#[test]
fn unhook_gives_the_component_back_as_it_is() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let hook = manager.hook(id, ears("only"))?;
    manager.send(id, Ping)?;
    let given_back: Ears = manager.unhook(hook)?;
    let expected = Ears {
        name: "only",
        heard: 1,
    };
    assert_eq!(given_back, expected);
    assert_eq!(manager.send(id, Ping)?.received, 0);
    assert_eq!(manager.hooks(id).count(), 0);
    assert!(manager.is_alive(id));
    Ok(())
}

// holds: messagees.unhook-gives-back
#[test]
fn a_component_that_was_given_back_can_be_hooked_to_another() -> Tested {
    let mut manager = MessageManager::new();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    let hook = manager.hook(one, ears("moved"))?;
    let component: Ears = manager.unhook(hook)?;
    let again = manager.hook(two, component)?;
    assert_ne!(hook, again);
    assert_eq!(roll(&mut manager, one)?, [""; 0]);
    assert_eq!(roll(&mut manager, two)?, ["moved"]);
    Ok(())
}

// holds: messagees.errors-change-nothing
#[test]
fn unhooking_as_the_wrong_type_leaves_the_component_hooked() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let hook = manager.hook(id, ears("only"))?;
    let wrong = |expected| MessageeError::WrongComponent {
        hook,
        expected,
        found: std::any::type_name::<Ears>(),
    };
    // A type with handlers, one that is hooked elsewhere, and one that this manager never saw.
    manager.spawn((Label("other"),));
    let refused = manager.unhook::<Nose>(hook).err();
    assert_eq!(refused, Some(wrong(std::any::type_name::<Nose>())));
    let refused = manager.unhook::<Label>(hook).err();
    assert_eq!(refused, Some(wrong(std::any::type_name::<Label>())));
    let refused = manager.unhook::<u8>(hook).err();
    assert_eq!(refused, Some(wrong("u8")));
    assert_eq!(manager.send(id, Ping)?.received, 1);
    assert_eq!(manager.unhook::<Ears>(hook)?.heard, 1);
    Ok(())
}

// holds: messagees.stale-id
#[test]
fn a_stale_hook_never_reaches_a_newcomer() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let hook = manager.hook(id, ears("old"))?;
    manager.unhook::<Ears>(hook)?;
    let new = manager.hook(id, ears("new"))?;
    assert_eq!(
        (hook.to_string(), new.to_string()),
        ("0v0".into(), "0v1".into())
    );
    let stale = MessageeError::NotHooked {
        hook,
        why: Absence::Gone,
    };
    assert_eq!(manager.unhook::<Ears>(hook).err(), Some(stale.clone()));
    assert_eq!(
        manager.component_mut::<Ears>(hook).err(),
        Some(stale.clone())
    );
    assert_eq!(manager.owner(hook), Err(stale.clone()));
    assert_eq!(manager.set_enabled(hook, false), Err(stale.clone()));
    assert_eq!(manager.is_enabled(hook), Err(stale));
    assert_eq!(manager.is_enabled(new), Ok(true));
    assert_eq!(roll(&mut manager, id)?, ["new"]);
    Ok(())
}

// holds: messagees.despawn-takes-along
#[test]
fn a_hook_is_stale_when_its_messagee_is_gone() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let hook = manager.hook(id, ears("only"))?;
    manager.despawn(id)?;
    let stale = MessageeError::NotHooked {
        hook,
        why: Absence::Gone,
    };
    assert_eq!(manager.unhook::<Ears>(hook).err(), Some(stale.clone()));
    assert_eq!(manager.owner(hook), Err(stale));
    Ok(())
}

// holds: messagees.same-type-twice
#[test]
fn components_of_one_type_may_be_hooked_more_than_once_to_one_messagee() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((ears("left"), ears("right")));
    let third = manager.hook(id, ears("third"))?;
    assert_eq!(manager.send(id, Ping)?.received, 3);
    assert_eq!(roll(&mut manager, id)?, ["left", "right", "third"]);
    manager.component_mut::<Ears>(third)?.heard += 10;
    let heard = manager.iter::<Ears>().map(|(_, ears)| ears.heard);
    assert_eq!(heard.collect::<Vec<_>>(), [1, 1, 11]);
    Ok(())
}

#[test]
fn get_reaches_the_first_of_several_in_the_order_of_hooking() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let first = manager.hook(id, ears("first"))?;
    manager.hook(id, ears("second"))?;
    assert_eq!(manager.get::<Ears>(id)?.name, "first");
    manager.get_mut::<Ears>(id)?.heard = 7;
    let first = manager.unhook::<Ears>(first)?;
    assert_eq!(first.heard, 7);
    assert_eq!(manager.get::<Ears>(id)?.name, "second");
    manager.hook(id, first)?;
    assert_eq!(manager.get::<Ears>(id)?.name, "second");
    Ok(())
}

// holds: messagees.disabled
#[test]
fn get_reaches_a_disabled_component_as_well() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let first = manager.hook(id, ears("first"))?;
    manager.hook(id, ears("second"))?;
    manager.set_enabled(first, false)?;
    assert_eq!(manager.get::<Ears>(id)?.name, "first");
    Ok(())
}

#[test]
fn hooks_lists_the_components_in_the_order_of_hooking() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((ears("first"), Label("x")));
    let other = manager.spawn((ears("another's"),));
    let third = manager.hook(id, Nose { heard: 0 })?;
    let hooks: Vec<HookId> = manager.hooks(id).collect();
    assert_eq!(hooks.len(), 3);
    assert_eq!(hooks[2], third);
    assert_eq!(manager.component_mut::<Ears>(hooks[0])?.name, "first");
    assert_eq!(*manager.component_mut::<Label>(hooks[1])?, Label("x"));
    for &hook in &hooks {
        assert_eq!(manager.owner(hook), Ok(id));
    }
    manager.unhook::<Label>(hooks[1])?;
    let left: Vec<HookId> = manager.hooks(id).collect();
    assert_eq!(left, [hooks[0], hooks[2]]);
    assert_eq!(manager.hooks(other).count(), 1);
    Ok(())
}

#[test]
fn component_mut_reaches_the_component_of_a_hook_of_its_own_type_only() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((ears("first"),));
    let hook = manager.hook(id, ears("second"))?;
    manager.component_mut::<Ears>(hook)?.name = "renamed";
    assert_eq!(roll(&mut manager, id)?, ["first", "renamed"]);
    let wrong = MessageeError::WrongComponent {
        hook,
        expected: std::any::type_name::<Label>(),
        found: std::any::type_name::<Ears>(),
    };
    assert_eq!(manager.component_mut::<Label>(hook).err(), Some(wrong));
    Ok(())
}

// holds: messagees.disabled
#[test]
fn a_disabled_component_stays_and_receives_nothing_until_it_is_enabled_again() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let hook = manager.hook(id, ears("first"))?;
    manager.hook(id, ears("second"))?;
    manager.hook(id, ears("third"))?;
    assert_eq!(manager.is_enabled(hook), Ok(true));
    manager.set_enabled(hook, false)?;
    assert_eq!(manager.is_enabled(hook), Ok(false));
    assert_eq!(manager.owner(hook), Ok(id));
    assert_eq!(manager.hooks(id).count(), 3);
    for to in [Recipient::Id(id), Everyone, Up(id), Down(id)] {
        assert_eq!(manager.send(to, Ping)?.received, 2, "{to}");
    }
    assert_eq!(roll(&mut manager, id)?, ["second", "third"]);
    assert_eq!(manager.component_mut::<Ears>(hook)?.heard, 0);
    manager.set_enabled(hook, true)?;
    assert_eq!(manager.is_enabled(hook), Ok(true));
    assert_eq!(manager.send(id, Ping)?.received, 3);
    Ok(())
}

// holds: messagees.disabled, send.to-id-order
#[test]
fn enabling_again_keeps_the_order_of_hooking_within_the_messagee() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((ears("first"), ears("second"), ears("third")));
    let hooks: Vec<HookId> = manager.hooks(id).collect();
    for &hook in &hooks {
        manager.set_enabled(hook, false)?;
    }
    assert_eq!(roll(&mut manager, id)?, [""; 0]);
    for &hook in hooks.iter().rev() {
        manager.set_enabled(hook, true)?;
    }
    assert_eq!(roll(&mut manager, id)?, ["first", "second", "third"]);
    assert_eq!(manager.hooks(id).collect::<Vec<_>>(), hooks);
    Ok(())
}

#[test]
fn enabling_the_enabled_and_disabling_the_disabled_changes_nothing() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((ears("first"), ears("second"), ears("third")));
    let hooks: Vec<HookId> = manager.hooks(id).collect();
    manager.set_enabled(hooks[1], true)?;
    assert_eq!(roll(&mut manager, Everyone)?, ["first", "second", "third"]);
    manager.set_enabled(hooks[2], false)?;
    manager.set_enabled(hooks[2], false)?;
    assert_eq!(roll(&mut manager, Everyone)?, ["first", "second"]);
    assert_eq!(manager.is_enabled(hooks[2]), Ok(false));
    Ok(())
}

#[test]
fn a_disabled_component_is_listed_last_by_iter() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((ears("first"), ears("second"), ears("third")));
    let first = manager.hooks(id).next().expect("it has three components");
    manager.set_enabled(first, false)?;
    manager.hook(id, ears("fourth"))?;
    let names = manager.iter::<Ears>().map(|(_, ears)| ears.name);
    let names: Vec<_> = names.collect();
    assert_eq!(names.len(), 4);
    assert_eq!(names.last(), Some(&"first"));
    Ok(())
}

// holds: messagees.disabled
#[test]
fn a_component_hooked_behind_disabled_ones_is_enabled() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Nose { heard: 0 }, Nose { heard: 0 }));
    let old: Vec<HookId> = manager.hooks(id).collect();
    for &hook in &old {
        manager.set_enabled(hook, false)?;
    }
    let new = manager.hook(id, Nose { heard: 0 })?;
    assert_eq!(manager.is_enabled(new), Ok(true));
    assert_eq!(manager.send(id, Ping)?.received, 1);
    assert_eq!(manager.component_mut::<Nose>(new)?.heard, 1);
    for &hook in &old {
        assert_eq!(manager.component_mut::<Nose>(hook)?.heard, 0);
    }
    Ok(())
}

// holds: messagees.unhook-gives-back
#[test]
fn a_disabled_component_can_be_unhooked() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((ears("first"), ears("second"), ears("third")));
    let hooks: Vec<HookId> = manager.hooks(id).collect();
    manager.set_enabled(hooks[0], false)?;
    manager.set_enabled(hooks[1], false)?;
    assert_eq!(manager.unhook::<Ears>(hooks[0])?.name, "first");
    assert_eq!(manager.is_enabled(hooks[1]), Ok(false));
    manager.set_enabled(hooks[1], true)?;
    assert_eq!(roll(&mut manager, id)?, ["second", "third"]);
    Ok(())
}

// holds: messagees.disabled, messagees.unhook-gives-back, send.to-id-order
#[test]
fn any_order_of_hooking_enabling_and_unhooking_leaves_every_hook_at_its_component() -> Tested {
    const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let mut manager = MessageManager::new();
    let owners = [manager.spawn(()), manager.spawn(()), manager.spawn(())];
    let mut hooked: Vec<(HookId, MessageeId, &str, bool)> = Vec::new();
    let mut random: u32 = 1;
    let mut next = |below: usize| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) as usize % below
    };
    for _ in 0..2000 {
        match next(3) {
            0 => {
                let (owner, name) = (owners[next(3)], NAMES[next(8)]);
                let hook = manager.hook(owner, ears(name))?;
                hooked.push((hook, owner, name, true));
            }
            1 if !hooked.is_empty() => {
                let at = next(hooked.len());
                hooked[at].3 = next(2) == 0;
                manager.set_enabled(hooked[at].0, hooked[at].3)?;
            }
            2 if !hooked.is_empty() => {
                let (hook, _, name, _) = hooked.remove(next(hooked.len()));
                assert_eq!(manager.unhook::<Ears>(hook)?.name, name);
            }
            _ => {}
        }
        for &(hook, owner, name, enabled) in &hooked {
            assert_eq!(manager.owner(hook), Ok(owner));
            assert_eq!(manager.component_mut::<Ears>(hook)?.name, name);
            assert_eq!(manager.is_enabled(hook), Ok(enabled));
        }
        for owner in owners {
            let enabled = hooked.iter().filter(|it| it.1 == owner && it.3);
            let names: Vec<&str> = enabled.map(|it| it.2).collect();
            assert_eq!(roll(&mut manager, owner)?, names);
        }
    }
    Ok(())
}
