use message_core::prelude::*;

#[derive(Message)]
struct Get<T>(T);

struct Store(u32);

#[handlers]
impl Store {
    #[on_receive]
    fn get(&mut self, _: &Get<u32>) {}
}

fn main() {}
