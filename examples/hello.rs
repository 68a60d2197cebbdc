//! A first example: one message, one request, one component.
//!
//! Run it with `cargo run --example hello`.

#[path = "common/arguments.rs"]
mod arguments;

use message_core::prelude::*;

#[derive(Message)]
struct Damage {
    amount: u32,
}

#[derive(Message)]
#[message(reply = u32)]
struct GetHp;

struct Health {
    hp: u32,
}

#[handlers]
impl Health {
    #[on_receive]
    fn take_damage(&mut self, damage: &Damage) {
        self.hp = self.hp.saturating_sub(damage.amount);
    }

    #[on_receive]
    fn hp(&self, _: &GetHp) -> u32 {
        self.hp
    }
}

const USAGE: arguments::Usage = arguments::Usage {
    name: "hello",
    about: "One message, one request, one component.",
    options: &[],
    look: &[(
        "hello.rs",
        "`#[on_receive]` makes a method a handler; `Damage` is sent, `GetHp` is asked; nothing is registered",
    )],
};

fn main() -> Result<(), SendError> {
    USAGE.read();
    let mut manager = MessageManager::new();
    let orc = manager.spawn((Health { hp: 10 },));
    println!("spawned an orc with 10 hit points: messagee {orc}");
    let receipt = manager.send(orc, Damage { amount: 3 })?;
    println!("sent Damage of 3: {} received it", receipt.received);
    println!("asked GetHp: {} hit points", manager.request(orc, GetHp)?);
    Ok(())
}
