use message_core::prelude::*;

#[derive(Message)]
union Damage {
    amount: u32,
    fraction: f32,
}

fn main() {}
