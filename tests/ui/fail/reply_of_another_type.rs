use message_core::prelude::*;

#[derive(Message)]
#[message(reply = u32)]
struct GetHp;

struct Health;

#[handlers]
impl Health {
    #[on_receive]
    fn hp(&self, _: &GetHp) -> u64 {
        7
    }
}

fn main() {}
