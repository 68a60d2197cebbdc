use message_core::prelude::*;

#[derive(Message)]
struct Damage;

fn main() {
    let mut manager = MessageManager::new();
    let mut heard = 0;
    let count = &mut heard;
    manager.subscribe(Filter::of::<Damage>(), move |_, _| *count += 1);
}
