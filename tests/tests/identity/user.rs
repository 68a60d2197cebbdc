//! Code as users write it: the contract's sample, handlers in several `impl` blocks, and the crate under
//! another path.

use std::error::Error;

use message_core::prelude::*;

type Tested = Result<(), Box<dyn Error>>;

#[derive(Message, Debug)]
struct Damage {
    amount: u32,
}

#[derive(Message)]
#[message(reply = u32)]
struct GetHp;

struct Health {
    hp: u32,
}

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
    fn hp(&self, _: &GetHp) -> u32 {
        self.hp
    }
}

mnemonic!(
    /// The rules of the game.
    pub WORLD
);

#[derive(Message)]
struct Died {
    who: MessageeId,
}

#[derive(Debug, Default, PartialEq)]
struct Position {
    x: i32,
    y: i32,
}

#[derive(Default)]
struct Obituary {
    dead: Vec<MessageeId>,
}

#[handlers]
impl Obituary {
    #[on_receive]
    fn write(&mut self, died: &Died) {
        self.dead.push(died.who);
    }
}

#[test]
fn the_sample_of_the_contract_runs_as_it_is_written() -> Result<(), SendError> {
    let mut manager = MessageManager::new();
    let orc = manager.spawn((Health { hp: 10 }, Position::default()));
    manager.send(orc, Damage { amount: 3 })?;
    assert_eq!(manager.request(orc, GetHp)?, 7);
    Ok(())
}

#[test]
fn the_handler_of_the_sample_reports_a_death_to_whoever_is_the_world() -> Tested {
    let mut manager = MessageManager::new();
    let orc = manager.spawn((Health { hp: 10 }, Position::default()));
    let world = manager.spawn((Obituary::default(),));
    manager.bind(WORLD, world)?;
    manager.send(orc, Damage { amount: 9 })?;
    assert_eq!(manager.get::<Obituary>(world)?.dead, []);
    manager.send(orc, Damage { amount: 9 })?;
    assert_eq!(manager.get::<Obituary>(world)?.dead, [orc]);
    assert_eq!(*manager.get::<Position>(orc)?, Position { x: 0, y: 0 });
    Ok(())
}

// holds: identity.linked-entries
#[test]
fn nothing_is_registered_by_hand_linking_the_crate_is_enough() {
    let registry = message_core::registry();
    assert!(registry.message(Damage::ID).is_some());
    let mut handlers = registry.handlers_of(Damage::ID);
    assert_eq!(
        handlers.next().map(|handler| handler.method),
        Some("take_damage")
    );
    assert!(handlers.next().is_none());
}

mod blocks {
    //! More of `Health`, in a module of its own.

    use message_core::prelude::*;

    use super::{Health, Tested};

    #[derive(Message)]
    struct Heal {
        amount: u32,
    }

    #[derive(Message)]
    struct Kill;

    #[handlers]
    impl Health {
        #[on_receive]
        fn heal(&mut self, heal: &Heal) {
            self.hp += self.allowed(heal.amount);
        }

        fn allowed(&self, amount: u32) -> u32 {
            amount.min(100 - self.hp)
        }

        const fn full() -> Self {
            Self { hp: 100 }
        }
    }

    mod deeper {
        use message_core::prelude::*;

        use super::{Health, Kill};

        #[handlers]
        impl Health {
            #[on_receive]
            pub(super) fn kill(&mut self, _: &Kill) {
                self.hp = 0;
            }
        }
    }

    #[test]
    fn a_handler_stays_callable_directly_without_a_manager() {
        let mut health = Health { hp: 10 };
        health.heal(&Heal { amount: 5 });
        assert_eq!(health.hp(&super::GetHp), 15);
        health.kill(&Kill);
        assert_eq!(health.hp(&super::GetHp), 0);
    }

    #[test]
    fn unmarked_methods_in_the_block_are_left_alone() {
        let health = Health::full();
        assert_eq!(health.allowed(1), 0);
        let handled = message_core::registry().handled_by::<Health>();
        let mut methods: Vec<&str> = handled.map(|handler| handler.method).collect();
        methods.sort_unstable();
        assert_eq!(methods, ["heal", "hp", "kill", "take_damage"]);
    }

    #[test]
    fn any_number_of_blocks_for_one_type_in_any_module() -> Tested {
        let mut manager = MessageManager::new();
        let orc = manager.spawn((Health { hp: 98 },));
        assert_eq!(manager.send(orc, Heal { amount: 5 })?.received, 1);
        assert_eq!(manager.request(orc, super::GetHp)?, 100);
        assert_eq!(manager.send(orc, Kill)?.received, 1);
        assert_eq!(manager.request(orc, super::GetHp)?, 0);
        Ok(())
    }
}

mod renamed {
    //! The crate under another path.

    use super::Tested;

    mod engine {
        pub(super) use message_core as messages;
    }

    use engine::messages::MessageManager;

    #[derive(engine::messages::Message)]
    #[message(crate = engine::messages)]
    #[message(reply = u32)]
    struct Count {
        from: u32,
    }

    struct Counter;

    #[engine::messages::handlers(crate = engine::messages)]
    impl Counter {
        const STEP: u32 = 1;

        #[on_receive]
        fn count(&self, count: &Count) -> u32 {
            let Self = self;
            count.from + Self::STEP
        }
    }

    #[test]
    fn the_macros_find_the_crate_where_they_are_told() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Counter,));
        assert_eq!(manager.request(id, Count { from: 41 })?, 42);
        Ok(())
    }
}
