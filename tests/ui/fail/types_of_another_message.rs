use message_core::prelude::*;

#[derive(Message)]
#[message(types(Get<u32>, Set<u32>))]
struct Get<T>(T);

#[derive(Message)]
#[message(types(Set<u32>))]
struct Set<T>(T);

fn main() {}
