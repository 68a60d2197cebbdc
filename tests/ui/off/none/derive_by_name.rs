use message_core::{Message, handlers};

#[derive(Message)] //~ needs the feature `derive` of message-core
struct Damage;

struct Health;

#[handlers] //~ needs the feature `derive` of message-core
impl Health {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}
}

fn main() {}
