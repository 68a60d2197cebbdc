#[derive(message_core::Message)] //~ needs the feature `derive` of message-core
struct Damage;

struct Health;

#[message_core::handlers] //~ needs the feature `derive` of message-core
impl Health {
    #[message_core::on_receive]
    fn hurt(&mut self, _: &Damage) {}
}

struct Armor;

impl Armor {
    #[message_core::on_receive] //~ needs the feature `derive` of message-core
    fn hurt(&mut self, _: &Damage) {}
}

fn main() {}
