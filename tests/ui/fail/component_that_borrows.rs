use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health<'a>(&'a str);
struct Armour<'a>(&'a str);

#[handlers]
impl<'a> Health<'a> {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}
}

#[handlers]
impl Armour<'_> {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}
}

fn main() {}
