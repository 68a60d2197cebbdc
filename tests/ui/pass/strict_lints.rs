//! Nothing that the macros write is anything that a careful crate forbids.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unused, future_incompatible, nonstandard_style)]
#![deny(missing_debug_implementations, rust_2018_idioms, unreachable_pub, trivial_casts)]
#![deny(unused_qualifications, unused_lifetimes, single_use_lifetimes, unused_results)]
#![deny(elided_lifetimes_in_paths, private_bounds, private_interfaces, non_local_definitions)]

use message_core::prelude::*;

tag!(
    /// Messages that hurt.
    pub COMBAT
);

/// A message.
#[derive(Debug, Clone, Message)]
pub struct Damage {
    /// How much.
    pub amount: u32,
}

/// A message with a reply.
#[derive(Debug, Message)]
#[message(name = "strict.get_hp", reply = u32, tags(COMBAT))]
pub struct GetHp;

/// A generic message.
#[derive(Debug, Message)]
#[message(reply = Option<T>, types(Get<u8>, Get<u16>))]
pub struct Get<T>(pub T);

/// A component.
#[derive(Debug)]
pub struct Health {
    hp: u32,
}

#[handlers]
impl Health {
    /// Is a handler.
    #[on_receive]
    pub fn hurt(&mut self, damage: &Damage, _cx: &mut Context<'_>) {
        self.hp -= damage.amount;
    }

    #[on_receive(priority = 4)]
    fn hp(&self, _: &GetHp) -> u32 {
        self.hp
    }
}

/// A generic component.
#[derive(Debug)]
pub struct Store<T> {
    held: T,
}

#[handlers(types(Store<u8>, Store<u16>))]
impl<T: Clone> Store<T> {
    #[on_receive]
    fn get(&self, _: &Get<T>) -> Option<T> {
        Some(self.held.clone())
    }
}

mnemonic! {
    /// An address.
    pub WORLD
}

fn main() -> Result<(), SendError> {
    let mut manager = MessageManager::new();
    let orc = manager.spawn((Health { hp: 10 }, Store { held: 1_u8 }));
    let _ = manager.send(orc, Damage { amount: 3 })?;
    assert_eq!(manager.request(orc, GetHp)?, 7);
    assert_eq!(manager.request(orc, Get(9_u8))?, Some(1));
    Ok(())
}
