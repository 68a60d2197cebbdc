use message_core::prelude::*;

#[derive(Message)]
#[message(name = "", reply = u32)]
struct GetHp;

struct Health;

#[handlers]
impl Health {
    #[on_receive]
    fn hp(&self, _: &GetHp) -> u32 {
        7
    }
}

fn main() {
    let mut manager = MessageManager::new();
    let _ = manager.request(Everyone, GetHp);
}
