use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) -> Result<(), Box<dyn std::error::Error>> {
        Ok(())
    }
}

fn main() {}
