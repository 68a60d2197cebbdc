use message_core::prelude::*;

#[derive(Message)]
#[message(name = damage)]
struct Damage;

fn main() {}
