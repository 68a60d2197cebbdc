use message_core::prelude::*;

#[derive(Message)]
#[message]
struct Damage;

fn main() {}
