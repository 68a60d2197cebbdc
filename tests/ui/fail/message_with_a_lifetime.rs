use message_core::prelude::*;

#[derive(Message)]
struct Said<'a> {
    text: &'a str,
}

fn main() {}
