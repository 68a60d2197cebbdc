use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

#[handlers]
impl Health {
    #[on_receive]
    fn any<M: Message>(&mut self, _: &M) {}

    #[on_receive]
    fn some(&mut self, _: &impl Message) {}
}

fn main() {}
