//! Mnemonics: well-known addresses, bound at run time.

use std::collections::HashSet;
use std::error::Error;

use message_core::Mnemonic;
use message_core::prelude::*;

type Tested = Result<(), Box<dyn Error>>;

mnemonic! {
    /// The rules of the game.
    WORLD,
    PLAYER,
}

mod elsewhere {
    use message_core::prelude::*;

    mnemonic!(pub(super) WORLD);

    mnemonic! {
        /// For what two crates that do not know each other have to agree on.
        pub(super) SHARED = "game.shared"
    }
}

#[derive(Message)]
struct Ping;

#[derive(Message)]
#[message(reply = u32)]
struct Count;

#[derive(Default)]
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
    fn count(&self, _: &Count) -> u32 {
        self.heard
    }
}

#[test]
fn a_mnemonic_is_declared_where_it_is_used_and_named_by_its_path() {
    assert_eq!(WORLD.name(), "messagees::mnemonics::WORLD");
    assert_eq!(PLAYER.name(), "messagees::mnemonics::PLAYER");
    assert_eq!(
        elsewhere::WORLD.name(),
        "messagees::mnemonics::elsewhere::WORLD"
    );
}

#[test]
fn mnemonics_that_differ_by_path_are_two_addresses() -> Tested {
    assert_ne!(WORLD, elsewhere::WORLD);
    let mut manager = MessageManager::new();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    manager.bind(WORLD, one)?;
    manager.bind(elsewhere::WORLD, two)?;
    assert_eq!(manager.bound(WORLD), Some(one));
    assert_eq!(manager.bound(elsewhere::WORLD), Some(two));
    Ok(())
}

#[test]
fn mnemonics_with_one_name_are_one_address() -> Tested {
    mnemonic! {
        SHARED = "game.shared",
        SAME = "messagees::mnemonics::WORLD",
    }
    let shared = SHARED;
    assert_eq!(shared, elsewhere::SHARED);
    assert_eq!(WORLD, SAME);
    let set: HashSet<Mnemonic> = [shared, elsewhere::SHARED, WORLD].into_iter().collect();
    assert_eq!(set.len(), 2);
    let mut manager = MessageManager::new();
    let id = manager.spawn((Ears::default(),));
    manager.bind(shared, id)?;
    assert_eq!(manager.send(elsewhere::SHARED, Ping)?.received, 1);
    Ok(())
}

#[test]
fn a_bound_mnemonic_is_the_address_of_its_messagee() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Ears::default(),));
    manager.spawn((Ears::default(),));
    assert_eq!(manager.bound(WORLD), None);
    manager.bind(WORLD, id)?;
    assert_eq!(manager.bound(WORLD), Some(id));
    assert_eq!(manager.send(WORLD, Ping)?.received, 1);
    assert_eq!(manager.send_mut(WORLD, &mut Ping)?.received, 1);
    assert_eq!(manager.request(WORLD, Count)?, 2);
    assert_eq!(manager.request_all(WORLD, Count)?, [(id, 2)]);
    assert_eq!(manager.get::<Ears>(id)?.heard, 2);
    Ok(())
}

#[test]
fn a_messagee_can_have_several_mnemonics() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Ears::default(),));
    manager.bind(WORLD, id)?;
    manager.bind(PLAYER, id)?;
    manager.send(WORLD, Ping)?;
    manager.send(PLAYER, Ping)?;
    assert_eq!(manager.get::<Ears>(id)?.heard, 2);
    manager.unbind(WORLD, id)?;
    assert_eq!(manager.bound(PLAYER), Some(id));
    Ok(())
}

// holds: messagees.mnemonic-bound-once, messagees.errors-change-nothing
#[test]
fn binding_a_bound_mnemonic_is_an_error_and_changes_nothing() -> Tested {
    let mut manager = MessageManager::new();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    manager.bind(WORLD, one)?;
    let bound = MessageeError::AlreadyBound {
        mnemonic: "messagees::mnemonics::WORLD",
        to: one,
    };
    assert_eq!(manager.bind(WORLD, two), Err(bound.clone()));
    assert_eq!(manager.bind(WORLD, one), Err(bound));
    assert_eq!(manager.bound(WORLD), Some(one));
    Ok(())
}

// holds: messagees.mnemonic-bound-once, messagees.errors-change-nothing
#[test]
fn unbinding_one_that_is_bound_to_another_is_an_error_and_changes_nothing() -> Tested {
    let mut manager = MessageManager::new();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    manager.bind(WORLD, one)?;
    let refused = MessageeError::NotBound {
        mnemonic: "messagees::mnemonics::WORLD",
        id: two,
        to: Some(one),
    };
    assert_eq!(manager.unbind(WORLD, two), Err(refused));
    assert_eq!(manager.bound(WORLD), Some(one));
    Ok(())
}

#[test]
fn unbinding_one_that_is_not_bound_is_an_error() {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let refused = MessageeError::NotBound {
        mnemonic: "messagees::mnemonics::WORLD",
        id,
        to: None,
    };
    assert_eq!(manager.unbind(WORLD, id), Err(refused));
}

#[test]
fn an_unbound_mnemonic_can_be_bound_to_another() -> Tested {
    let mut manager = MessageManager::new();
    let (one, two) = (manager.spawn((Ears::default(),)), manager.spawn(()));
    manager.bind(WORLD, one)?;
    manager.unbind(WORLD, one)?;
    assert_eq!(manager.bound(WORLD), None);
    manager.bind(WORLD, two)?;
    assert_eq!(manager.send(WORLD, Ping)?.received, 0);
    assert_eq!(manager.get::<Ears>(one)?.heard, 0);
    Ok(())
}

// holds: messagees.mnemonic-freed, messagees.despawn-takes-along
#[test]
fn the_mnemonics_of_a_despawned_messagee_are_free_again() -> Tested {
    let mut manager = MessageManager::new();
    let (parent, child) = (manager.spawn(()), manager.spawn(()));
    let other = manager.spawn((Ears::default(),));
    manager.set_parent(child, Some(parent))?;
    manager.bind(WORLD, parent)?;
    manager.bind(PLAYER, child)?;
    manager.bind(elsewhere::WORLD, other)?;
    manager.despawn(parent)?;
    assert_eq!(manager.bound(WORLD), None);
    assert_eq!(manager.bound(PLAYER), None);
    assert_eq!(manager.bound(elsewhere::WORLD), Some(other));
    manager.bind(WORLD, other)?;
    assert_eq!(manager.send(WORLD, Ping)?.received, 1);
    Ok(())
}

// holds: messagees.mnemonic-freed
#[test]
fn a_newcomer_in_the_place_of_a_despawned_one_has_not_its_mnemonic() -> Tested {
    let mut manager = MessageManager::new();
    let old = manager.spawn(());
    manager.bind(WORLD, old)?;
    manager.despawn(old)?;
    let new = manager.spawn((Ears::default(),));
    assert!(manager.send(WORLD, Ping).is_err());
    assert_eq!(manager.get::<Ears>(new)?.heard, 0);
    Ok(())
}

// holds: messagees.mnemonic-unbound
#[test]
fn sending_to_an_unbound_mnemonic_is_an_error_that_names_it() {
    let mut manager = MessageManager::new();
    let unbound = |message| SendError::new(message, WORLD, SendErrorKind::Absent(Absence::Unbound));
    assert_eq!(manager.send(WORLD, Ping), Err(unbound(Ping::NAME)));
    let sent = manager.send_mut(WORLD, &mut Ping);
    assert_eq!(sent, Err(unbound(Ping::NAME)));
    assert_eq!(manager.request(WORLD, Count), Err(unbound(Count::NAME)));
    let asked = manager.request_all(WORLD, Count);
    assert_eq!(asked, Err(unbound(Count::NAME)));
}

#[test]
fn each_manager_binds_for_itself() -> Tested {
    let mut one = MessageManager::new();
    let mut two = MessageManager::new();
    let id = one.spawn(());
    one.bind(WORLD, id)?;
    assert_eq!(two.bound(WORLD), None);
    let other = two.spawn(());
    two.bind(WORLD, other)?;
    assert_eq!(one.bound(WORLD), Some(id));
    Ok(())
}
