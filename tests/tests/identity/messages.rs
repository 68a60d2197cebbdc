//! The types that can be messages: any shape, with or without parameters, and likewise for components.

use std::error::Error;

type Tested = Result<(), Box<dyn Error>>;

mod shapes {
    //! The types that can be messages.

    use message_core::prelude::*;

    use super::Tested;

    #[derive(Message)]
    enum Order {
        Halt,
        March { steps: u32 },
        Turn(i32),
    }

    #[derive(Message)]
    struct Unit;

    #[derive(Message)]
    struct Tuple(u32, String);

    #[derive(Default)]
    struct Soldier {
        log: Vec<String>,
    }

    #[handlers]
    impl Soldier {
        #[on_receive]
        fn obey(&mut self, order: &Order) {
            self.log.push(match order {
                Order::Halt => String::from("halt"),
                Order::March { steps } => format!("march {steps}"),
                Order::Turn(degrees) => format!("turn {degrees}"),
            });
        }

        #[on_receive]
        fn unit(&mut self, Unit: &Unit) {
            self.log.push(String::from("unit"));
        }

        #[on_receive]
        fn tuple(&mut self, Tuple(number, text): &Tuple) {
            self.log.push(format!("{number} {text}"));
        }
    }

    #[test]
    fn a_message_is_a_struct_or_an_enum_of_any_shape() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Soldier::default(),));
        manager.send(id, Order::March { steps: 2 })?;
        manager.send(id, Order::Turn(-90))?;
        manager.send(id, Order::Halt)?;
        manager.send(id, Unit)?;
        manager.send(id, Tuple(3, String::from("men")))?;
        assert_eq!(
            manager.get::<Soldier>(id)?.log,
            ["march 2", "turn -90", "halt", "unit", "3 men"]
        );
        Ok(())
    }
}

mod generics {
    //! Components and messages with parameters.

    use message_core::prelude::*;

    use super::Tested;

    #[derive(Default)]
    struct Fire;
    #[derive(Default)]
    struct Ice;

    #[derive(Message)]
    #[message(types(Ready<Fire>, Ready<Ice>))]
    struct Ready<K: Send + 'static> {
        kind: K,
    }

    #[derive(Message)]
    struct Elapsed {
        seconds: u32,
    }

    #[derive(Message)]
    #[message(reply = Option<T>, types(Latest<u8>, Latest<String>))]
    struct Latest<T: Send + 'static> {
        other_than: Option<T>,
    }

    #[derive(Default)]
    struct Cooldown<K> {
        seconds: u32,
        kinds: Vec<K>,
    }

    #[handlers(types(Cooldown<Fire>, Cooldown<Ice>))]
    impl<K: Default + Send + 'static> Cooldown<K> {
        #[on_receive]
        fn elapse(&mut self, elapsed: &Elapsed) {
            self.seconds += elapsed.seconds;
        }

        #[on_receive]
        fn ready(&mut self, ready: &mut Ready<K>) {
            self.kinds.push(std::mem::take(&mut ready.kind));
        }
    }

    struct Memory<T>(T);

    #[handlers(types(Memory<u8>, Memory<String>))]
    impl<T: Clone + PartialEq + Send + 'static> Memory<T> {
        #[on_receive]
        fn latest(&self, ask: &Latest<T>) -> Option<T> {
            let same = ask.other_than.as_ref() == Some(&self.0);
            (!same).then(|| self.0.clone())
        }
    }

    #[test]
    fn a_generic_component_receives_with_each_instantiation_it_lists() -> Tested {
        let mut manager = MessageManager::new();
        let mage = manager.spawn((Cooldown::<Fire>::default(), Cooldown::<Ice>::default()));
        assert_eq!(manager.send(mage, Elapsed { seconds: 3 })?.received, 2);
        assert_eq!(manager.get::<Cooldown<Fire>>(mage)?.seconds, 3);
        assert_eq!(manager.get::<Cooldown<Ice>>(mage)?.seconds, 3);
        Ok(())
    }

    // holds: identity.exact-type
    #[test]
    fn each_instantiation_of_a_generic_message_is_a_message_of_its_own() -> Tested {
        assert_eq!(
            Ready::<Fire>::NAME,
            "identity::messages::generics::Ready<Fire>"
        );
        assert_eq!(
            Ready::<Ice>::NAME,
            "identity::messages::generics::Ready<Ice>"
        );
        let mut manager = MessageManager::new();
        let mage = manager.spawn((Cooldown::<Fire>::default(), Cooldown::<Ice>::default()));
        assert_eq!(manager.send(mage, Ready { kind: Ice })?.received, 1);
        assert_eq!(manager.get::<Cooldown<Fire>>(mage)?.kinds.len(), 0);
        assert_eq!(manager.get::<Cooldown<Ice>>(mage)?.kinds.len(), 1);
        Ok(())
    }

    #[test]
    fn the_reply_of_a_generic_message_may_depend_on_its_parameters() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Memory(7_u8), Memory(String::from("seven"))));
        let number = Latest::<u8> { other_than: None };
        assert_eq!(manager.request(id, number)?, Some(7));
        let other_than = Some(String::from("seven"));
        assert_eq!(manager.request(id, Latest { other_than })?, None);
        Ok(())
    }
}

mod sizes {
    //! Messages that are large by value.

    use std::time::Duration;

    use message_core::prelude::*;

    use super::Tested;

    const SIZE: usize = 4096;

    /// Its bytes are all the same.
    #[derive(Message)]
    struct Page([u8; SIZE]);

    #[derive(Default)]
    struct Reader(Vec<u8>);

    #[handlers]
    impl Reader {
        #[on_receive]
        fn read(&mut self, page: &Page) {
            let first = page.0[0];
            assert!(page.0.iter().all(|byte| *byte == first));
            self.0.push(first);
        }
    }

    // holds: time.due-order, time.cancelled-never-delivered
    #[test]
    fn a_message_of_four_kibibytes_can_be_pending_and_cancelled_and_delivered() -> Tested {
        let mut manager = MessageManager::new();
        let reader = manager.spawn((Reader::default(),));
        let soon = Header::to(reader).after_frames(1).build()?;
        let mut read = Vec::new();
        for round in 0..3 {
            let mut tickets = Vec::new();
            // More than lie together in one piece of memory.
            for nth in 0..=u8::MAX {
                for byte in [nth, nth.wrapping_add(round)] {
                    tickets.push((byte, manager.post(&soon, Page([byte; SIZE]))?));
                }
            }
            assert_eq!(manager.pending_posts(Posts::of::<Page>()).len(), 512);
            for (at, (byte, ticket)) in tickets.into_iter().enumerate() {
                if at % 3 == 0 {
                    assert_eq!(manager.cancel(ticket), 1);
                } else {
                    read.push(byte);
                }
            }
            assert_eq!(manager.tick(Duration::ZERO).delivered, 341);
        }
        assert_eq!(manager.get::<Reader>(reader)?.0, read);
        assert!(!manager.has_pending(Posts::all()));
        Ok(())
    }

    // holds: time.key-replaces
    #[test]
    fn a_message_of_four_kibibytes_can_replace_another_and_repeat() -> Tested {
        let mut manager = MessageManager::new();
        let reader = manager.spawn((Reader::default(),));
        let again = Header::to(reader).every_frames(1).times(2).key("page");
        let again = again.build()?;
        for byte in [1, 2] {
            manager.post(&again, Page([byte; SIZE]))?;
        }
        for _ in 0..3 {
            manager.tick(Duration::ZERO);
        }
        assert_eq!(manager.get::<Reader>(reader)?.0, [2, 2]);
        Ok(())
    }
}
