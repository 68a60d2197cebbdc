// holds: identity.exact-type
use message_core::prelude::*;

pub struct Health {
    hp: u32,
}

mod damage {
    use super::Health;
    use message_core::{Message, handlers};

    #[derive(Message)]
    pub struct Change(pub u32);

    #[handlers]
    impl Health {
        #[on_receive]
        fn damage(&mut self, change: &Change) {
            self.hp -= change.0;
        }
    }
}

mod healing {
    #[derive(message_core::Message)]
    pub struct Change(pub u32);

    #[message_core::handlers]
    impl super::Health {
        #[message_core::on_receive]
        fn heal(&mut self, change: &Change) {
            self.hp += change.0;
        }
    }

    #[message_core::handlers]
    impl crate::Health {
        #[message_core::on_receive]
        fn both(&mut self, _: &super::Both) {
            self.hp = 1;
        }
    }
}

#[derive(Message)]
pub struct Both;

fn main() {
    let mut manager = MessageManager::new();
    let orc = manager.spawn((Health { hp: 10 },));
    manager.send(orc, damage::Change(3)).unwrap();
    manager.send(orc, healing::Change(1)).unwrap();
    assert_eq!(manager.get::<Health>(orc).unwrap().hp, 8);
    manager.send(orc, Both).unwrap();
    assert_eq!(message_core::registry().handled_by::<Health>().count(), 3);
}
