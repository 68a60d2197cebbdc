// holds: reentrancy.no-borrow-across-send
use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

struct Armour {
    strength: u32,
}

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, _: &Damage, cx: &mut Context<'_>) -> Result<(), SendError> {
        let id = cx.me();
        if let Ok(armour) = cx.get::<Armour>(id) {
            cx.send(id, Damage)?;
            println!("{}", armour.strength);
        }
        Ok(())
    }
}

fn main() {}
