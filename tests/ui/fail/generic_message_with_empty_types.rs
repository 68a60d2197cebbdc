use message_core::prelude::*;

#[derive(Message)]
#[message(types())]
struct Get<T>(T);

fn main() {}
