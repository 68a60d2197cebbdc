use message_core::prelude::*;

#[derive(Message)] //~ needs the feature `derive` of message-core
struct Damage;

#[derive(Message)] //~ needs the feature `derive` of message-core
#[message(name = "hp", reply = Result<u32, u8>, tags())]
pub(crate) struct GetHp {
    _of: u32,
}

#[derive(Message)] //~ needs the feature `derive` of message-core
enum Heal<T> {
    Full(T),
}

struct Health;

#[handlers] //~ needs the feature `derive` of message-core
impl Health {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}

    #[must_use]
    #[message_core::on_receive(priority = 3)]
    fn hp(&self, _: &GetHp) -> Result<u32, u8> {
        Ok(3)
    }
}

fn main() {
    let mut manager = MessageManager::new();
    let orc = manager.spawn((Health,));
    let _ = manager.send(orc, Damage);
    let _: Result<Result<u32, u8>, _> = manager.request(orc, GetHp { _of: 3 });
    manager.subscribe(Filter::of::<Damage>(), |_, _| ());
    let _ = Health.hp(&GetHp { _of: 3 });
    Health.hurt(&Damage);
    let _ = Heal::Full(3);
}
