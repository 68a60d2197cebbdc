//! A program whose handlers cannot be put in order.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

use message_core::prelude::*;
use message_core::{RegistryError, try_registry};

#[derive(Message)]
#[message(name = "game.hit")]
struct Hit;

struct Armour;
struct Health;
struct Shield;

const ARMOUR_AT: u32 = line!() + 4;
#[handlers]
impl Armour {
    #[on_receive(before(Health))]
    fn hit(&self, _: &Hit) {}
}

const HEALTH_AT: u32 = line!() + 4;
#[handlers]
impl Health {
    #[on_receive(before(Shield))]
    fn hit(&self, _: &Hit) {}
}

const SHIELD_AT: u32 = line!() + 4;
#[handlers]
impl Shield {
    #[on_receive(before(Armour))]
    fn hit(&self, _: &Hit) {}
}

// holds: send.contradictory-order
#[test]
fn a_circle_of_handlers_is_an_error_that_names_it() {
    let error = try_registry().map(|_| ()).expect_err("it is a circle");
    let RegistryError::ContradictoryOrder { message, circle } = error else {
        panic!("{error:?}");
    };
    assert_eq!(*message, "game.hit");
    let lines: Vec<u32> = circle.iter().map(|step| step.place.line).collect();
    assert_eq!(lines, [ARMOUR_AT, HEALTH_AT, SHIELD_AT]);
    let file = file!();
    let expected = format!(
        "the handlers of `game.hit` cannot be ordered: `contradictory_order::Armour` at \
         {file}:{ARMOUR_AT} is declared to run before `contradictory_order::Health` at \
         {file}:{HEALTH_AT}, which is declared to run before `contradictory_order::Shield` at \
         {file}:{SHIELD_AT}, which is declared to run before `contradictory_order::Armour`; remove one `before` \
         or `after`"
    );
    assert_eq!(error.to_string(), expected);
    assert!(MessageManager::try_new(ManagerConfig::new()).is_err());
}
