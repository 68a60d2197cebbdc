use message_core::Receives;
use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

fn strike<C: Receives<Damage>>(_: &C) {}

fn main() {
    strike(&Health);
}
