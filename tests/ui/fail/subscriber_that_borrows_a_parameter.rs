use message_core::prelude::*;

#[derive(Message)]
struct Damage;

fn count(manager: &mut MessageManager, heard: &mut u32) {
    manager.subscribe(Filter::of::<Damage>(), move |_, _| *heard += 1);
}

fn main() {
    count(&mut MessageManager::new(), &mut 0);
}
