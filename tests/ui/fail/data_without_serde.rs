use message_data::Data;
use message_core::prelude::*;

#[derive(Data)]
struct Health(u32);

#[derive(Message, Data)]
struct Damage(u32);

fn main() {}
