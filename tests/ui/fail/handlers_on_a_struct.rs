use message_core::prelude::*;

#[handlers]
struct Health;

fn main() {
    let _ = Health;
}
