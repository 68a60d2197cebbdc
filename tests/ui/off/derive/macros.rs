use message_core::prelude::*;

#[derive(Message)]
struct Advance;

struct Rocket;

#[handlers]
impl Rocket {
    #[on_receive(priority = 2)]
    fn advance(&mut self, _: &Advance) {}
}

fn main() {
    MessageManager::new().spawn((Rocket,));
}
