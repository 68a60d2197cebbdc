//! Overhearing in nested sends: it leads to no loop, and waits for components that are running.

use std::time::Duration;

use crate::common::Tested;
use message_core::prelude::*;

#[derive(Message, Clone, Debug, PartialEq)]
struct Attack(u32);

#[derive(Message)]
#[message(reply = u32)]
struct GetFuel;

/// Makes its receiver attack somebody.
#[derive(Message)]
struct Strike(MessageeId);

struct Ear;

#[handlers]
impl Ear {
    #[on_receive]
    fn strike(&mut self, strike: &Strike, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(strike.0, Attack(1)).map(|_| ())
    }
}

struct Tank(u32);

#[handlers]
impl Tank {
    #[on_receive]
    fn fuel(&self, _: &GetFuel) -> u32 {
        self.0
    }
}

/// Passes on every attack it hears.
struct Relay {
    to: MessageeId,
    heard: u32,
}

#[handlers]
impl Relay {
    #[on_receive]
    fn attack(&mut self, _: &Attack, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.heard += 1;
        cx.send(self.to, Attack(0))?;
        Ok(())
    }
}

fn relayed(manager: &MessageManager, id: MessageeId) -> u32 {
    manager.get::<Relay>(id).expect("it is alive").heard
}

// holds: overhearing.no-loop
#[test]
fn what_its_own_overhearing_leads_to_is_not_overheard() -> Tested {
    let mut manager = MessageManager::new();
    let nobody = manager.spawn(());
    let end = manager.spawn((Relay {
        to: nobody,
        heard: 0,
    },));
    // These two would overhear each other forever, if they could.
    let spies = [0, 1].map(|_| manager.spawn((Relay { to: end, heard: 0 },)));
    for spy in spies {
        manager.overhear(spy, Filter::of::<Attack>())?;
    }
    let receipt = manager.send(nobody, Attack(0))?;
    assert_eq!(receipt.failed, 0);
    for spy in spies {
        let heard = relayed(&manager, spy);
        assert!((1..20).contains(&heard), "{heard}");
    }
    Ok(())
}

// holds: overhearing.no-loop
#[test]
fn nor_is_what_it_leads_to_through_a_busy_receiver() -> Tested {
    /// Answers each question with an attack on itself, and is asked while it is busy.
    struct Post {
        other: MessageeId,
        rounds: u32,
    }

    #[derive(Message)]
    struct Ask;

    #[handlers]
    impl Post {
        #[on_receive]
        fn ask(&mut self, _: &Ask, cx: &mut Context<'_>) -> Result<(), SendError> {
            self.rounds += 1;
            cx.send(self.other, Attack(0))?;
            Ok(())
        }
    }

    /// Asks the post whenever it overhears an attack.
    struct Spy {
        post: MessageeId,
    }

    #[handlers]
    impl Spy {
        #[on_receive]
        fn attack(&self, _: &Attack, cx: &mut Context<'_>) -> Result<(), SendError> {
            cx.send(self.post, Ask)?;
            Ok(())
        }
    }

    let mut manager = MessageManager::new();
    let other = manager.spawn(());
    let post = manager.spawn((Post { other, rounds: 0 },));
    let spy = manager.spawn((Spy { post },));
    manager.overhear(spy, Filter::of::<Attack>())?;
    assert_eq!(manager.send(post, Ask)?.failed, 0);
    // The first one is overheard, and leads to the second, which is kept, as the post is busy.
    assert_eq!(manager.get::<Post>(post)?.rounds, 2);
    Ok(())
}

// holds: overhearing.busy
#[test]
fn a_component_that_is_running_overhears_as_soon_as_it_is_free() -> Tested {
    /// Makes another messagee attack while it is running.
    #[derive(Default)]
    struct Boss {
        log: Vec<(u32, bool)>,
    }

    #[derive(Message)]
    struct Command(MessageeId, MessageeId);

    #[handlers]
    impl Boss {
        #[on_receive]
        fn command(&mut self, command: &Command, cx: &mut Context<'_>) -> Result<(), SendError> {
            cx.send(command.0, Strike(command.1))?;
            self.log.push((0, false));
            Ok(())
        }

        #[on_receive]
        fn attack(&mut self, attack: &Attack, cx: &mut Context<'_>) {
            self.log.push((attack.0, cx.is_overheard()));
        }
    }

    let mut manager = MessageManager::new();
    let boss = manager.spawn((Boss::default(),));
    let soldier = manager.spawn((Ear,));
    let enemy = manager.spawn(());
    manager.overhear(boss, Filter::of::<Attack>())?;
    manager.send(boss, Command(soldier, enemy))?;
    assert_eq!(manager.get::<Boss>(boss)?.log, [(0, false), (1, true)]);
    Ok(())
}

// holds: overhearing.busy
#[test]
fn a_request_that_a_running_component_would_overhear_is_busy() -> Tested {
    #[derive(Message)]
    struct Refuel(MessageeId);

    #[derive(Default)]
    struct Pilot {
        error: Option<SendError>,
    }

    #[handlers]
    impl Pilot {
        #[on_receive]
        fn refuel(&mut self, refuel: &Refuel, cx: &mut Context<'_>) {
            self.error = cx.send(refuel.0, Question).err();
        }

        #[on_receive]
        fn fuel(&mut self, _: &GetFuel) -> u32 {
            0
        }
    }

    /// Makes another messagee ask.
    #[derive(Message)]
    struct Question;

    #[derive(Default)]
    struct Mechanic {
        error: Option<SendError>,
        tank: Option<MessageeId>,
    }

    #[handlers]
    impl Mechanic {
        #[on_receive]
        fn ask(&mut self, _: &Question, cx: &mut Context<'_>) {
            if let Some(tank) = self.tank {
                self.error = cx.request(tank, GetFuel).err();
            }
        }
    }

    let mut manager = MessageManager::new();
    let tank = Some(manager.spawn((Tank(3),)));
    let pilot = manager.spawn((Pilot::default(),));
    let mechanic = manager.spawn((Mechanic { tank, error: None },));
    manager.overhear(pilot, Filter::of::<GetFuel>())?;
    manager.send(pilot, Refuel(mechanic))?;
    let error = manager.get::<Mechanic>(mechanic)?.error.clone();
    assert!(
        matches!(
            error.as_ref().map(SendError::kind),
            Some(SendErrorKind::Busy { receiver, .. }) if receiver.messagee() == Some(pilot)
        ),
        "{error:?}"
    );
    Ok(())
}

// holds: overhearing.busy
#[test]
fn a_request_that_a_running_component_would_overhear_is_received_by_nobody() -> Tested {
    /// Asks a tank for its fuel on behalf of another messagee.
    #[derive(Message)]
    struct Inquiry(MessageeId);

    #[derive(Message)]
    struct AskFor(MessageeId, MessageeId);

    #[derive(Default)]
    struct Captain;

    #[handlers]
    impl Captain {
        #[on_receive]
        fn ask(&mut self, ask: &AskFor, cx: &mut Context<'_>) -> Result<(), SendError> {
            cx.send(ask.0, Inquiry(ask.1)).map(|_| ())
        }

        #[on_receive]
        fn fuel(&mut self, _: &GetFuel) -> u32 {
            0
        }
    }

    #[derive(Default)]
    struct Stoker(Option<SendError>);

    #[handlers]
    impl Stoker {
        #[on_receive]
        fn ask(&mut self, question: &Inquiry, cx: &mut Context<'_>) {
            self.0 = cx.request(question.0, GetFuel).err();
        }
    }

    #[derive(Default)]
    struct Dial(u32);

    #[handlers]
    impl Dial {
        #[on_receive]
        fn fuel(&mut self, _: &GetFuel) -> u32 {
            self.0 += 1;
            self.0
        }
    }

    let mut manager = MessageManager::new();
    let counter = manager.spawn((Dial::default(),));
    let mechanic = manager.spawn((Stoker::default(),));
    let pilot = manager.spawn((Captain,));
    manager.overhear(pilot, Filter::of::<GetFuel>())?;
    manager.send(pilot, AskFor(mechanic, counter))?;
    let error = &manager.get::<Stoker>(mechanic)?.0;
    assert!(
        matches!(
            error.as_ref().map(SendError::kind),
            Some(SendErrorKind::Busy { .. })
        ),
        "{error:?}"
    );
    assert_eq!(manager.get::<Dial>(counter)?.0, 0);
    Ok(())
}

// holds: overhearing.anew
#[test]
fn what_waited_for_a_stage_leads_to_what_is_overheard() -> Tested {
    let mut manager = MessageManager::new();
    let nobody = manager.spawn(());
    let spy = manager.spawn((Relay {
        to: nobody,
        heard: 0,
    },));
    manager.overhear(spy, Filter::of::<Attack>().from(Sender::Outside))?;
    // It hears what the spy has passed on, and attacks in another dispatch.
    let later = Filter::of::<Attack>().from(spy).stage(Stage::Update);
    manager.subscribe(later.once(), move |_, cx| {
        cx.send(nobody, Attack(2)).expect("it is alive");
    });
    manager.send(nobody, Attack(1))?;
    assert_eq!(relayed(&manager, spy), 1);
    manager.tick(Duration::ZERO);
    assert_eq!(relayed(&manager, spy), 2);
    Ok(())
}
