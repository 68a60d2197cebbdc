use message_core::prelude::*;

#[derive(Message)]
struct Shared {
    text: *const str,
}

fn main() {}
