use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Store<T>(T);
struct Shelf<T>(T);

#[handlers(types(Store<u32>, Shelf<u32>))]
impl<T: Send + 'static> Store<T> {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}
}

fn main() {}
