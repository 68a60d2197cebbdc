use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Local(*const u8);

fn main() {
    let mut manager = MessageManager::new();
    let local = Local(std::ptr::null());
    manager.subscribe(Filter::of::<Damage>(), move |_, _| {
        let _ = &local;
    });
}
