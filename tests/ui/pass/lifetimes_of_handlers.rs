use message_core::prelude::*;

#[derive(Message)]
struct Damage(u32);

#[derive(Message)]
#[message(reply = u32)]
struct GetHp;

#[derive(Message)]
struct Heal;

struct Health {
    hp: u32,
}

#[handlers]
impl Health {
    #[on_receive]
    fn hurt<'a, 'c: 'a>(&'a mut self, damage: &'a Damage, cx: &'a mut Context<'c>) {
        let _ = cx;
        self.hp -= damage.0;
    }

    #[on_receive]
    fn hp<'a>(&'a self, _: &'a GetHp) -> u32
    where
        Self: 'a,
    {
        self.hp
    }

    #[on_receive]
    fn heal(self: &mut Self, _: &Heal) {
        self.hp += 1;
    }
}

fn main() {
    let mut manager = MessageManager::new();
    let orc = manager.spawn((Health { hp: 10 },));
    manager.send(orc, Damage(3)).unwrap();
    manager.send(orc, Heal).unwrap();
    assert_eq!(manager.request(orc, GetHp).unwrap(), 8);
}
