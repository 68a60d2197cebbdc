use message_core::prelude::*;

struct Damage;

fn main() {
    let _ = Filter::of::<Damage>().hidden();
}
