use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Store<T>(T);

#[handlers]
impl<T: Send + 'static> Store<T> {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}
}

fn main() {}
