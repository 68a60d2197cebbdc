use message_core::prelude::*;

#[derive(Message)]
#[message(reply = u32)]
struct GetFuel;

struct Rocket {
    fuel: u32,
}

#[handlers]
impl Rocket {
    #[on_receive(parallel)]
    fn fuel(&self, _: &GetFuel) -> u32 {
        self.fuel
    }
}

fn main() {}
