//! Messages and components of a crate that has `message-core` under another name, and through
//! another crate.

use std::error::Error;

use message_core::MessageId;
use message_core::prelude::*;
use message_tests_polite::renamed_crate::{
    Armour, COMBAT, Damage, Died, GRAVEYARD, GetAge, GetHp, Graveyard, Health, PHYSICAL, Store,
    Stored,
};
use message_tests_polite::through_engine::{Bell, Ring, Rung, TOWER};

#[test]
fn the_crate_may_have_another_name() -> Result<(), Box<dyn Error>> {
    let mut manager = MessageManager::new();
    let graveyard = manager.spawn((Graveyard::default(),));
    manager.bind(GRAVEYARD, graveyard)?;
    let knight = manager.spawn((Health { hp: 3 }, Armour { strength: 2 }));

    assert!(manager.send(knight, Damage { amount: 2 })?.consumed);
    assert_eq!(manager.request(knight, GetHp)?, 3);
    assert_eq!(manager.send(knight, Damage { amount: 5 })?.received, 2);
    assert_eq!(manager.request(knight, GetHp)?, 0);
    manager.send(GRAVEYARD, Died::OfAge(80))?;
    assert_eq!(manager.get::<Graveyard>(graveyard)?.dead, 2);
    assert_eq!(manager.request(GRAVEYARD, GetAge)?, Graveyard::OLDEST);
    Ok(())
}

#[test]
fn generic_messages_and_components_of_a_renamed_crate_arrive() -> Result<(), Box<dyn Error>> {
    let mut manager = MessageManager::new();
    let bytes = manager.spawn((Store {
        things: vec![1_u8, 2],
    },));
    let chars = manager.spawn((Store { things: vec!['a'] },));
    assert_eq!(manager.request(bytes, Stored { but: 1_u8 })?, [2]);
    assert!(manager.request(chars, Stored { but: 'a' }).is_err());
    assert!(manager.request(chars, Stored { but: 1_u8 }).is_err());
    Ok(())
}

#[test]
fn the_crate_may_be_reached_through_another() -> Result<(), Box<dyn Error>> {
    let mut manager = MessageManager::new();
    let bell = manager.spawn((Bell::default(),));
    manager.bind(TOWER, bell)?;
    assert_eq!(manager.send(TOWER, Ring)?.received, 1);
    assert_eq!(manager.request(bell, Rung(10))?, 11);
    Ok(())
}

// holds: identity.from-path-or-name
#[test]
fn names_and_tags_of_a_renamed_crate_are_those_that_its_attributes_say() {
    assert_eq!(Damage::NAME, "polite.damage");
    assert_eq!(Damage::ID, MessageId::of_name("polite.damage"));
    assert_eq!(GetHp::NAME, "message_tests_polite::renamed_crate::GetHp");
    assert_eq!(
        Stored::<char>::NAME,
        "message_tests_polite::renamed_crate::Stored<char>"
    );
    let registry = message_core::registry();
    let damage = registry.message(Damage::ID).expect("it is linked in");
    assert_eq!(damage.tags, COMBAT | PHYSICAL);
}
