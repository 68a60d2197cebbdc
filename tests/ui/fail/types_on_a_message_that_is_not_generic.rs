use message_core::prelude::*;

#[derive(Message)]
#[message(types(Damage))]
struct Damage;

fn main() {}
