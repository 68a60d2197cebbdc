//! What a user writes.

use message_core::prelude::*;
use message_core::lifecycle::{Hooked, Despawning, Unhooking};

#[derive(Message, Debug)]
struct Damage { amount: u32 }

#[derive(Message)]
#[message(reply = u32)]
struct GetHp;

#[derive(Message)]
#[message(reply = Result<u32, String>)]
struct Try;

#[derive(Message)]
#[message(reply = bool)]
struct Ask;

#[derive(Message)]
#[message(reply = ())]
struct Ack;

#[derive(Message)]
struct Died { who: MessageeId }

#[derive(Message)]
#[message(reply = Option<T>, types(Get<u32>, Get<String>))]
struct Get<T>(std::marker::PhantomData<T>);

struct Health { hp: u32 }
#[derive(Default)]
struct Position;
#[derive(Default)]
struct World(Vec<MessageeId>);

#[handlers]
impl Health {
    #[on_receive]
    fn take_damage(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.hp = self.hp.saturating_sub(damage.amount);
        if self.hp == 0 {
            cx.send(WORLD, Died { who: cx.me() })?;
        }
        Ok(())
    }

    #[on_receive]
    fn hp(&self, _: &GetHp) -> u32 { self.hp }
    #[on_receive]
    fn tr(&self, _: &Try) -> Result<u32, String> { Ok(self.hp) }
    #[on_receive]
    fn ask(&self, _: &Ask) -> Option<bool> { Some(true) }
    #[on_receive]
    fn ack(&self, _: &Ack) {}
    #[on_receive]
    fn get(&self, _: &Get<u32>) -> Option<u32> { Some(self.hp) }
}

struct Store<T>(T);
#[handlers(types(Store<String>))]
impl<T: Clone> Store<T> where T: Send + 'static {
    #[on_receive]
    fn get(&self, _: &Get<T>) -> Result<Option<Option<T>>, SendError> { Ok(Some(Some(self.0.clone()))) }
    #[on_receive]
    fn hp(&mut self, _: &Damage) {}
}

#[handlers]
impl World {
    #[on_receive]
    fn died(&mut self, died: &Died) { self.0.push(died.who); }
    #[on_receive]
    fn a(&mut self, _: &Hooked) { println!("hooked"); }
    #[on_receive]
    fn b(&mut self, _: &Unhooking) { println!("unhooking"); }
    #[on_receive]
    fn c(&mut self, _: &Despawning) { println!("despawning"); }
}

mnemonic!(pub WORLD);

#[test]
fn first() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let orc = manager.spawn((Health { hp: 10 }, Position));
    let world = manager.spawn((World::default(),));
    manager.bind(WORLD, world)?;
    manager.send(orc, Damage { amount: 3 })?;
    assert_eq!(manager.request(orc, GetHp)?, 7);
    manager.send(orc, Damage { amount: 7 })?;
    assert_eq!(manager.get::<World>(world)?.0, [orc]);
    assert_eq!(manager.request(orc, Try)?, Ok(0));
    assert_eq!(manager.request(orc, Get::<u32>(std::marker::PhantomData))?, Some(0));
    let store = manager.spawn((Store(String::from("x")),));
    assert_eq!(manager.request(store, Get::<String>(std::marker::PhantomData))?, Some("x".into()));
    manager.despawn(world)?;
    for h in message_core::registry().handlers() { println!("{h:?}"); }
    for h in message_core::registry().messages() { println!("{h:?}"); }
    Ok(())
}
