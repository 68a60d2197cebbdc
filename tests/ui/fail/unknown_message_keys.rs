use message_core::prelude::*;

#[derive(Message)]
#[message(nmae = "game.damage", replies(u32, u64), tags(Combat))]
struct Damage;

fn main() {}
