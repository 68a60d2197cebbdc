//! What a user writes, as the contract has it.

use std::error::Error;

use message_core::HandlerInfo;
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

#[test]
fn nothing_is_registered_by_hand_linking_the_crate_is_enough() {
    let registry = message_core::registry();
    assert!(registry.message(Damage::ID).is_some());
    let mut handlers = registry.handlers_of(Damage::ID);
    assert_eq!(
        handlers.next().map(HandlerInfo::method),
        Some("take_damage")
    );
    assert!(handlers.next().is_none());
}

mod blocks {
    //! More of `Health`, in a module of its own.

    use message_core::HandlerInfo;
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
        let mut methods: Vec<&str> = handled.map(HandlerInfo::method).collect();
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

mod parameters {
    //! What a handler takes.

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

        manager.as_messagee(witness)?.send(Me, Look)?;
        let saw = manager.get_mut::<Witness>(witness)?.saw.take();
        let saw = saw.expect("it looked");
        assert_eq!(saw.sender, Sender::Messagee(witness));
        assert!(saw.from_me);
        assert_eq!(saw.to, Me);
        Ok(())
    }
}

mod returns {
    //! What a handler gives back.

    use std::fmt;
    use std::ops::ControlFlow;

    use message_core::lifecycle::HandlerFailed;
    use message_core::prelude::*;

    use super::Tested;

    /// How a handler is to end.
    #[derive(Clone, Copy, Default)]
    enum End {
        #[default]
        Well,
        Otherwise,
        Badly,
    }

    #[derive(Debug)]
    struct Broken;

    impl fmt::Display for Broken {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("broken")
        }
    }

    impl std::error::Error for Broken {}

    #[derive(Message)]
    struct Nothing;
    #[derive(Message)]
    struct OrNothing;
    #[derive(Message)]
    struct Truth;
    #[derive(Message)]
    struct OrTruth;
    #[derive(Message)]
    struct Flow;
    #[derive(Message)]
    struct OrFlow;
    #[derive(Message)]
    #[message(reply = String)]
    struct Answer;
    #[derive(Message)]
    #[message(reply = String)]
    struct OrAnswer;
    #[derive(Message)]
    #[message(reply = String)]
    struct Perhaps;
    #[derive(Message)]
    #[message(reply = String)]
    struct OrPerhaps;

    #[derive(Default)]
    struct Actor {
        end: End,
        called: u32,
    }

    impl Actor {
        fn new(end: End) -> Self {
            Self { end, called: 0 }
        }

        fn end(&mut self) -> Result<bool, Broken> {
            self.called += 1;
            match self.end {
                End::Well => Ok(true),
                End::Otherwise => Ok(false),
                End::Badly => Err(Broken),
            }
        }

        fn flow(&mut self) -> Result<ControlFlow<()>, Broken> {
            Ok(if self.end()? {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            })
        }

        fn answer(&mut self) -> Result<Option<String>, Broken> {
            Ok(self.end()?.then(|| String::from("yes")))
        }
    }

    #[handlers]
    impl Actor {
        #[on_receive]
        fn nothing(&mut self, _: &Nothing) {
            self.called += 1;
        }

        #[on_receive]
        fn or_nothing(&mut self, _: &OrNothing) -> Result<(), Broken> {
            self.end().map(|_| ())
        }

        #[on_receive]
        fn truth(&mut self, _: &Truth) -> bool {
            self.end().unwrap_or_default()
        }

        #[on_receive]
        fn or_truth(&mut self, _: &OrTruth) -> Result<bool, Broken> {
            self.end()
        }

        #[on_receive]
        fn or_flow(&mut self, _: &OrFlow) -> Result<ControlFlow<()>, Broken> {
            self.flow()
        }

        #[on_receive]
        fn flow_only(&mut self, _: &Flow) -> ControlFlow<()> {
            self.flow().unwrap_or(ControlFlow::Continue(()))
        }

        #[on_receive]
        fn certainly(&mut self, _: &Answer) -> String {
            self.called += 1;
            String::from("certainly")
        }

        #[on_receive]
        fn or_certainly(&mut self, _: &OrAnswer) -> Result<String, Broken> {
            self.end().map(|_| String::from("certainly"))
        }

        #[on_receive]
        fn perhaps(&mut self, _: &Perhaps) -> Option<String> {
            self.answer().unwrap_or_default()
        }

        #[on_receive]
        fn or_perhaps(&mut self, _: &OrPerhaps) -> Result<Option<String>, Broken> {
            self.answer()
        }
    }

    /// Received, failed, consumed, and how many of two actors were called.
    type Became = (usize, usize, bool, u32);

    /// What becomes of a message to two actors, of which the first ends in this way.
    fn became<M: Message>(end: End, message: M) -> Result<Became, Box<dyn std::error::Error>> {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Actor::new(end), Actor::default()));
        let receipt = manager.send(id, message)?;
        assert_eq!(receipt.pending, 0);
        let called = manager.iter::<Actor>().map(|(_, actor)| actor.called).sum();
        Ok((receipt.received, receipt.failed, receipt.consumed, called))
    }

    #[test]
    fn nothing_means_received() -> Tested {
        assert_eq!(became(End::Well, Nothing)?, (2, 0, false, 2));
        Ok(())
    }

    #[test]
    fn a_truth_value_means_received_or_not() -> Tested {
        assert_eq!(became(End::Well, Truth)?, (2, 0, false, 2));
        assert_eq!(became(End::Otherwise, Truth)?, (1, 0, false, 2));
        Ok(())
    }

    #[test]
    fn break_means_consumed_and_no_further_receiver_gets_it() -> Tested {
        assert_eq!(became(End::Well, Flow)?, (2, 0, false, 2));
        assert_eq!(became(End::Otherwise, Flow)?, (1, 0, true, 1));
        Ok(())
    }

    #[test]
    fn break_stops_the_send_whatever_its_recipient_was() -> Tested {
        let mut manager = MessageManager::new();
        let old = manager.spawn((Actor::new(End::Otherwise),));
        let young = manager.spawn((Actor::new(End::Otherwise),));
        manager.set_parent(young, Some(old))?;
        manager.bind(super::WORLD, young)?;
        let recipients = [
            Recipient::Id(old),
            Everyone,
            super::WORLD.into(),
            Up(young),
            Down(old),
        ];
        for to in recipients {
            let receipt = manager.send(to, Flow)?;
            assert_eq!((receipt.received, receipt.consumed), (1, true), "{to}");
        }
        let receipt = manager.as_messagee(old)?.send(EveryoneElse, Flow)?;
        assert_eq!((receipt.received, receipt.consumed), (1, true));
        let mut called = manager.iter::<Actor>().map(|(_, actor)| actor.called);
        assert_eq!(called.by_ref().sum::<u32>(), 6);
        Ok(())
    }

    #[test]
    fn a_reply_is_what_the_request_returns() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Actor::default(),));
        assert_eq!(manager.request(id, Answer)?, "certainly");
        Ok(())
    }

    #[test]
    fn a_reply_to_a_plain_send_counts_as_received() -> Tested {
        assert_eq!(became(End::Well, Answer)?, (2, 0, false, 2));
        assert_eq!(became(End::Well, Perhaps)?, (2, 0, false, 2));
        Ok(())
    }

    #[test]
    fn none_means_that_it_did_not_answer() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Actor::new(End::Otherwise),));
        let no_answer = SendError::NoAnswer {
            to: id.into(),
            message: Perhaps::NAME,
        };
        assert_eq!(manager.request(id, Perhaps), Err(no_answer));
        manager.hook(id, Actor::default())?;
        assert_eq!(manager.request(id, Perhaps)?, "yes");
        assert_eq!(became(End::Otherwise, Perhaps)?, (1, 0, false, 2));
        Ok(())
    }

    #[test]
    fn a_result_of_any_of_these_means_what_its_ok_means() -> Tested {
        assert_eq!(became(End::Well, OrNothing)?, (2, 0, false, 2));
        assert_eq!(became(End::Well, OrTruth)?, (2, 0, false, 2));
        assert_eq!(became(End::Otherwise, OrTruth)?, (1, 0, false, 2));
        assert_eq!(became(End::Well, OrFlow)?, (2, 0, false, 2));
        assert_eq!(became(End::Otherwise, OrFlow)?, (1, 0, true, 1));
        let mut manager = MessageManager::new();
        let id = manager.spawn((Actor::new(End::Otherwise), Actor::default()));
        assert_eq!(manager.request(id, OrAnswer)?, "certainly");
        assert_eq!(manager.request(id, OrPerhaps)?, "yes");
        assert_eq!(
            manager.request_all(id, OrPerhaps)?,
            [(id, String::from("yes"))]
        );
        Ok(())
    }

    #[test]
    fn an_error_counts_as_received_and_stops_nobody_else() -> Tested {
        assert_eq!(became(End::Badly, OrNothing)?, (2, 1, false, 2));
        assert_eq!(became(End::Badly, OrTruth)?, (2, 1, false, 2));
        assert_eq!(became(End::Badly, OrFlow)?, (2, 1, false, 2));
        assert_eq!(became(End::Badly, OrAnswer)?, (2, 1, false, 2));
        assert_eq!(became(End::Badly, OrPerhaps)?, (2, 1, false, 2));
        let mut manager = MessageManager::new();
        let id = manager.spawn((Actor::new(End::Badly), Actor::default()));
        assert_eq!(manager.request(id, OrAnswer)?, "certainly");
        Ok(())
    }

    #[derive(Default)]
    struct Doctor {
        told: Vec<String>,
        hooks: Vec<HookId>,
    }

    #[handlers]
    impl Doctor {
        #[on_receive]
        fn note(&mut self, failed: &HandlerFailed) {
            self.told.push(format!(
                "{} of {} on {}: {}",
                failed.handler, failed.component, failed.message, failed.error
            ));
            self.hooks.push(failed.hook);
        }
    }

    #[test]
    fn an_error_is_reported_as_handler_failed_to_whoever_handles_that() -> Tested {
        let mut manager = MessageManager::new();
        let doctor = manager.spawn((Doctor::default(),));
        let patient = manager.spawn(());
        let hook = manager.hook(patient, Actor::new(End::Badly))?;
        manager.send(patient, OrTruth)?;
        let doctor = manager.get::<Doctor>(doctor)?;
        let actor = std::any::type_name::<Actor>();
        let message = OrTruth::NAME;
        assert_eq!(
            doctor.told,
            [format!("or_truth of {actor} on {message}: broken")]
        );
        assert_eq!(doctor.hooks, [hook]);
        Ok(())
    }

    #[derive(Message)]
    struct PassOn {
        to: MessageeId,
    }

    struct Relay {
        passed: u32,
    }

    #[handlers]
    impl Relay {
        #[on_receive]
        fn pass_on(&mut self, message: &PassOn, cx: &mut Context<'_>) -> Result<(), SendError> {
            cx.send(message.to, Nothing)?;
            self.passed += 1;
            Ok(())
        }
    }

    #[test]
    fn the_question_mark_is_usable_in_handlers() -> Tested {
        let mut manager = MessageManager::new();
        let relay = manager.spawn((Relay { passed: 0 },));
        let target = manager.spawn((Actor::default(),));
        assert_eq!(manager.send(relay, PassOn { to: target })?.failed, 0);
        assert_eq!(manager.get::<Relay>(relay)?.passed, 1);
        assert_eq!(manager.get::<Actor>(target)?.called, 1);
        manager.despawn(target)?;
        assert_eq!(manager.send(relay, PassOn { to: target })?.failed, 1);
        assert_eq!(manager.get::<Relay>(relay)?.passed, 1);
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

    #[test]
    fn priority_is_that_of_the_handler_not_of_the_component() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Low(1), Plain(2), High(3)));
        let mut roll = Roll::default();
        manager.send_mut(id, &mut roll)?;
        assert_eq!(roll.call, ["low 1", "plain 2", "high 3"]);
        Ok(())
    }

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

    #[test]
    fn each_instantiation_of_a_generic_message_is_a_message_of_its_own() -> Tested {
        assert_eq!(Ready::<Fire>::NAME, "user::generics::Ready<Fire>");
        assert_eq!(Ready::<Ice>::NAME, "user::generics::Ready<Ice>");
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

mod shapes {
    //! What a message may be.

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
