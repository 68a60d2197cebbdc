use message_core::prelude::*;

#[derive(Message)]
#[message(name = "game.damage", name = "game.hurt")]
struct Damage;

#[derive(Message)]
#[message(name = "game.heal")]
#[message(name = "game.mend")]
struct Heal;

fn main() {}
