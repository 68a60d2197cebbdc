#![deny(warnings)]

use message_core::prelude::*;

#[derive(Message)]
struct Damage(u32);

/// A component with documentation.
pub struct Health {
    hp: u32,
}

#[handlers]
impl Health {
    pub const FULL: u32 = 10;

    pub fn new() -> Self {
        Self { hp: Self::FULL }
    }

    #[on_receive]
    #[must_use]
    fn hurt(&mut self, damage: &Damage) -> bool {
        self.hp -= damage.0;
        self.hp > 0
    }

    #[inline]
    #[on_receive(priority = 3)]
    pub(crate) fn of_itself(&self, _: &Self) {}
}

// A component may be a message too.
#[allow(clippy::all)]
impl Message for Health {
    type Reply = message_core::NoReply;
    const NAME: &'static str = "health itself";
}

fn main() {
    let mut health = Health::new();
    assert!(health.hurt(&Damage(9)));
    assert!(!Health::hurt(&mut health, &Damage(1)));
    Health::new().of_itself(&health);
}
