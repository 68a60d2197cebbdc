//! The parameters of handlers, and the order in which priorities put them.

use std::error::Error;

type Tested = Result<(), Box<dyn Error>>;

mod parameters {
    //! The parameters of handlers.

    use std::panic::Location;

    use message_core::prelude::*;

    use super::Tested;

    #[derive(Message, Debug, PartialEq)]
    struct Price {
        coins: u32,
        asked: Vec<&'static str>,
    }

    impl Price {
        fn new() -> Self {
            Self {
                coins: 100,
                asked: Vec::new(),
            }
        }
    }

    struct Tax {
        collected: u32,
    }

    #[handlers]
    impl Tax {
        #[on_receive]
        fn add(&mut self, price: &mut Price) {
            price.coins += 10;
            price.asked.push("tax");
            self.collected += 10;
        }
    }

    struct Discount {
        percent: u32,
    }

    #[handlers]
    impl Discount {
        #[on_receive]
        fn subtract(&self, price: &mut Price) {
            price.coins -= price.coins * self.percent / 100;
            price.asked.push("discount");
        }
    }

    #[derive(Default)]
    struct Till {
        seen: u32,
    }

    #[handlers]
    impl Till {
        #[on_receive]
        fn look(&mut self, price: &Price) {
            self.seen = price.coins;
        }
    }

    // holds: send.mut-in-out
    #[test]
    fn what_a_handler_writes_later_handlers_and_the_sender_of_send_mut_see() -> Tested {
        let mut manager = MessageManager::new();
        let shop = manager.spawn((
            Tax { collected: 0 },
            Discount { percent: 50 },
            Till::default(),
        ));
        let mut price = Price::new();
        assert_eq!(manager.send_mut(shop, &mut price)?.received, 3);
        assert_eq!(price.coins, 55);
        assert_eq!(price.asked, ["tax", "discount"]);
        assert_eq!(manager.get::<Till>(shop)?.seen, 55);
        assert_eq!(manager.get::<Tax>(shop)?.collected, 10);
        Ok(())
    }

    #[test]
    fn what_a_handler_writes_earlier_handlers_do_not_see() -> Tested {
        let mut manager = MessageManager::new();
        let shop = manager.spawn((Till::default(), Tax { collected: 0 }));
        manager.send_mut(shop, &mut Price::new())?;
        assert_eq!(manager.get::<Till>(shop)?.seen, 100);
        Ok(())
    }

    #[test]
    fn what_a_handler_writes_later_handlers_of_a_plain_send_see_too() -> Tested {
        let mut manager = MessageManager::new();
        let shop = manager.spawn((Tax { collected: 0 }, Till::default()));
        manager.send(shop, Price::new())?;
        assert_eq!(manager.get::<Till>(shop)?.seen, 110);
        Ok(())
    }

    #[derive(Message)]
    struct Look;

    #[derive(Default)]
    struct Witness {
        saw: Option<Sight>,
    }

    #[derive(Debug, PartialEq)]
    struct Sight {
        me: MessageeId,
        hook: HookId,
        sender: Sender,
        from_me: bool,
        to: Recipient,
        place: &'static Location<'static>,
    }

    #[handlers]
    impl Witness {
        #[on_receive]
        fn look(&mut self, _: &Look, cx: &mut Context<'_>) {
            self.saw = Some(Sight {
                me: cx.me(),
                hook: cx.my_hook(),
                sender: cx.sender(),
                from_me: cx.is_from_me(),
                to: cx.recipient(),
                place: cx.place(),
            });
        }
    }

    // holds: headers.envelope
    #[test]
    fn the_third_parameter_if_there_is_one_tells_of_the_delivery() -> Tested {
        let mut manager = MessageManager::new();
        let witness = manager.spawn((Till::default(),));
        let hook = manager.hook(witness, Witness::default())?;
        let line = line!() + 1;
        manager.send(Everyone, Look)?;
        let saw = manager.get_mut::<Witness>(witness)?.saw.take();
        let place = saw.as_ref().expect("it looked").place;
        assert_eq!((place.file(), place.line()), (file!(), line));
        let expected = Sight {
            me: witness,
            hook,
            sender: Sender::Outside,
            from_me: false,
            to: Everyone,
            place,
        };
        assert_eq!(saw, Some(expected));

        manager.speak_for(witness)?.send(Me, Look)?;
        let saw = manager.get_mut::<Witness>(witness)?.saw.take();
        let saw = saw.expect("it looked");
        assert_eq!(saw.sender, Sender::Messagee(witness));
        assert!(saw.from_me);
        assert_eq!(saw.to, Me);
        Ok(())
    }
}

mod priority {
    //! `#[on_receive(priority = N)]`.

    use message_core::prelude::*;

    use super::Tested;

    #[derive(Message, Default)]
    struct Roll {
        call: Vec<String>,
    }

    #[derive(Message, Default)]
    struct Ranked {
        call: Vec<String>,
    }

    struct Low(u32);
    struct Plain(u32);
    struct High(u32);

    #[handlers]
    impl Low {
        #[on_receive(priority = -5)]
        fn ranked(&self, ranked: &mut Ranked) {
            ranked.call.push(format!("low {}", self.0));
        }

        #[on_receive]
        fn roll(&self, roll: &mut Roll) {
            roll.call.push(format!("low {}", self.0));
        }
    }

    #[handlers]
    impl Plain {
        #[on_receive]
        fn ranked(&self, ranked: &mut Ranked) {
            ranked.call.push(format!("plain {}", self.0));
        }

        #[on_receive]
        fn roll(&self, roll: &mut Roll) {
            roll.call.push(format!("plain {}", self.0));
        }
    }

    #[handlers]
    impl High {
        #[on_receive(priority = 10)]
        fn ranked(&self, ranked: &mut Ranked) {
            ranked.call.push(format!("high {}", self.0));
        }

        #[on_receive]
        fn roll(&self, roll: &mut Roll) {
            roll.call.push(format!("high {}", self.0));
        }
    }

    // holds: send.to-id-order
    #[test]
    fn priority_orders_the_components_of_one_messagee_with_ties_in_hook_order() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Low(1), Plain(2), High(3), Low(4), Plain(5), High(6)));
        let mut ranked = Ranked::default();
        manager.send_mut(id, &mut ranked)?;
        assert_eq!(
            ranked.call,
            ["high 3", "high 6", "plain 2", "plain 5", "low 1", "low 4"]
        );
        Ok(())
    }

    // holds: send.to-id-order
    #[test]
    fn priority_is_that_of_the_handler_not_of_the_component() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Low(1), Plain(2), High(3)));
        let mut roll = Roll::default();
        manager.send_mut(id, &mut roll)?;
        assert_eq!(roll.call, ["low 1", "plain 2", "high 3"]);
        Ok(())
    }

    // holds: send.everyone-order
    #[test]
    fn everyone_goes_by_priority_then_by_type_name_then_by_storage_order() -> Tested {
        let mut manager = MessageManager::new();
        manager.spawn((Plain(1), Low(2), High(3)));
        manager.spawn((Low(4), High(5), Plain(6)));
        let mut ranked = Ranked::default();
        manager.send_mut(Everyone, &mut ranked)?;
        assert_eq!(
            ranked.call,
            ["high 3", "high 5", "plain 1", "plain 6", "low 2", "low 4"]
        );
        let mut roll = Roll::default();
        manager.send_mut(Everyone, &mut roll)?;
        assert_eq!(
            roll.call,
            ["high 3", "high 5", "low 2", "low 4", "plain 1", "plain 6"]
        );
        Ok(())
    }
}
