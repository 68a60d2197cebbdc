#![no_implicit_prelude]

::message_core::tag!(COMBAT);
::message_core::group!(FIGHTERS);

#[derive(::message_core::Message)]
#[message(tags(COMBAT))]
struct Damage {
    amount: u32,
}

#[derive(::message_core::Message)]
#[message(reply = u32)]
struct GetHp;

#[derive(::message_core::Message)]
#[message(reply = T, types(Get<u8>))]
struct Get<T>(T);

struct Health {
    hp: u32,
}

#[::message_core::handlers]
impl Health {
    #[::message_core::on_receive(priority = -3)]
    fn hurt(&mut self, damage: &Damage, _cx: &mut ::message_core::Context<'_>) {
        self.hp -= damage.amount;
    }

    #[::message_core::on_receive]
    fn hp(&self, _: &GetHp) -> ::std::option::Option<u32> {
        ::std::option::Option::Some(self.hp)
    }
}

struct Store<T>(T);

#[::message_core::handlers(types(Store<u8>))]
impl<T: ::std::clone::Clone> Store<T> {
    #[::message_core::on_receive]
    fn get(&self, get: &Get<T>) -> T {
        let _ = &self.0;
        ::std::clone::Clone::clone(&get.0)
    }
}

::message_core::mnemonic!(WORLD);

fn main() {
    let mut manager = ::message_core::MessageManager::new();
    let orc = manager.spawn((Health { hp: 10 }, Store(1_u8)));
    manager.bind(WORLD, orc).unwrap();
    manager.send(WORLD, Damage { amount: 3 }).unwrap();
    ::std::assert_eq!(manager.request(orc, GetHp).unwrap(), 7);
    ::std::assert_eq!(manager.request(orc, Get(5_u8)).unwrap(), 5);
}
