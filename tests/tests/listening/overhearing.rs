//! Overhearing: a messagee's own handlers receive messages sent to others.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::common::Tested;
use message_core::Recipient::EveryoneElse;
use message_core::post::HeaderBuilder;
use message_core::prelude::*;
use message_core::{PanicPolicy, SubscriptionId};
use message_trace::Recorder;

mnemonic!(BARON);
group!(SQUADRON);

#[derive(Message, Clone, Debug, PartialEq)]
struct Attack(u32);

#[derive(Message)]
#[message(reply = u32)]
struct GetFuel;

#[derive(Message)]
struct Strike(MessageeId);

/// A message that an [`Ear`] has heard.
#[derive(Clone, Debug, PartialEq)]
struct Heard {
    attack: u32,
    sender: Sender,
    recipient: Recipient,
    overheard: bool,
}

#[derive(Default)]
struct Ear {
    heard: Vec<Heard>,
    returns: Option<ControlFlow<()>>,
    fails: bool,
}

#[handlers]
impl Ear {
    #[on_receive]
    fn attack(
        &mut self,
        attack: &mut Attack,
        cx: &mut Context<'_>,
    ) -> Result<ControlFlow<()>, HandlerError> {
        self.heard.push(Heard {
            attack: attack.0,
            sender: cx.sender(),
            recipient: cx.recipient(),
            overheard: cx.is_overheard(),
        });
        attack.0 += 100;
        if self.fails {
            return Err("deaf".into());
        }
        Ok(self.returns.unwrap_or(ControlFlow::Continue(())))
    }

    #[on_receive]
    fn fuel(&mut self, _: &GetFuel, cx: &mut Context<'_>) -> u32 {
        self.heard.push(Heard {
            attack: 0,
            sender: cx.sender(),
            recipient: cx.recipient(),
            overheard: cx.is_overheard(),
        });
        7
    }

    /// Attacks another messagee while it is running.
    #[on_receive]
    fn strike(&mut self, strike: &Strike, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(strike.0, Attack(1)).map(|_| ())
    }
}

/// Answers requests for fuel; a messagee without a tank gives no answer.
struct Tank(u32);

#[handlers]
impl Tank {
    #[on_receive]
    fn fuel(&self, _: &GetFuel) -> u32 {
        self.0
    }
}

fn spy(manager: &mut MessageManager) -> MessageeId {
    manager.spawn((Ear::default(),))
}

fn attacks(manager: &MessageManager, id: MessageeId) -> Vec<u32> {
    let ear = manager.get::<Ear>(id).expect("it is alive");
    ear.heard.iter().map(|heard| heard.attack).collect()
}

fn last(manager: &MessageManager, id: MessageeId) -> Option<Heard> {
    let ear = manager.get::<Ear>(id).expect("it is alive");
    ear.heard.last().cloned()
}

/// A manager with a spy that overhears through `filter`, and two other messagees.
fn with_spy<F: message_core::subscription::Overhear>(
    filter: F,
) -> Result<(MessageManager, [MessageeId; 3], SubscriptionId), MessageeError> {
    let mut manager = MessageManager::new();
    let spy = spy(&mut manager);
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    let subscription = manager.overhear(spy, filter)?;
    Ok((manager, [spy, one, two], subscription))
}

// holds: overhearing.own-handlers, overhearing.is-overheard
#[test]
fn what_passes_the_filter_reaches_the_own_handlers_with_sender_recipient_and_envelope() -> Tested {
    let filter = Filter::of::<Attack>();
    let (mut manager, [spy, one, two], _) = with_spy(filter)?;
    assert_eq!(manager.speak_for(one)?.send(two, Attack(7))?.received, 1);
    let heard = Heard {
        attack: 7,
        sender: one.into(),
        recipient: two.into(),
        overheard: true,
    };
    assert_eq!(last(&manager, spy), Some(heard));
    Ok(())
}

// holds: overhearing.own-handlers
#[test]
fn the_envelope_of_a_post_is_that_of_the_post() -> Tested {
    #[derive(Default)]
    struct Clerk(Option<(message_core::Envelope, bool)>);

    #[handlers]
    impl Clerk {
        #[on_receive]
        fn attack(&mut self, _: &Attack, cx: &mut Context<'_>) {
            self.0 = Some((cx.envelope(), cx.is_overheard()));
        }
    }

    let mut manager = MessageManager::new();
    let (clerk, other) = (manager.spawn((Clerk::default(),)), manager.spawn(()));
    manager.overhear(clerk, Filter::of::<Attack>())?;
    manager.post(Header::to(other).after(Duration::from_secs(1)), Attack(1))?;
    manager.tick(Duration::from_secs(1));
    let clerk = manager.get::<Clerk>(clerk)?;
    let (envelope, overheard) = clerk.0.ok_or("nothing was overheard")?;
    assert!(overheard);
    assert_eq!(envelope.recipient, Recipient::Id(other));
    assert_eq!(envelope.stage, Stage::Update);
    assert_eq!(envelope.due.time, Duration::from_secs(1));
    Ok(())
}

// holds: overhearing.own-handlers
#[test]
fn a_filter_chooses_what_is_overheard() -> Tested {
    let mut manager = MessageManager::new();
    let spy = spy(&mut manager);
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    manager.bind(BARON, one)?;
    let filter = Filter::of::<Attack>().from(one).to(two);
    manager.overhear(spy, filter.when(|attack| attack.0 % 2 == 0))?;
    manager.speak_for(one)?.send(two, Attack(2))?;
    manager.speak_for(one)?.send(two, Attack(3))?;
    manager.speak_for(one)?.send(Everyone, Attack(4))?; // It is addressed.
    manager.send(two, Attack(6))?;
    manager.speak_for(two)?.send(one, Attack(8))?;
    let heard = &manager.get::<Ear>(spy)?.heard;
    let heard: Vec<_> = heard.iter().map(|it| (it.attack, it.overheard)).collect();
    assert_eq!(heard, [(2, true), (4, false)]);
    Ok(())
}

// holds: overhearing.not-twice
#[test]
fn what_reaches_it_anyway_is_not_overheard() -> Tested {
    let filter = Filter::of::<Attack>();
    let (mut manager, [spy, one, _], _) = with_spy(filter)?;
    manager.join(SQUADRON, spy)?;
    manager.set_parent(spy, Some(one))?;
    manager.bind(BARON, spy)?;
    let hook = manager.hook_of::<Ear>(spy)?;
    let everybody: [Recipient; 7] = [
        spy.into(),
        Everyone,
        SQUADRON.into(),
        BARON.into(),
        Down(one),
        Up(BARON),
        hook.into(),
    ];
    for (number, to) in everybody.into_iter().enumerate() {
        assert_eq!(manager.send(to, Attack(0))?.received, 1, "{to}");
        let heard = &manager.get::<Ear>(spy)?.heard;
        assert_eq!(heard.len(), number + 1, "{to}");
        assert!(!heard[number].overheard, "{to}");
    }
    Ok(())
}

// holds: overhearing.not-own
#[test]
fn what_it_sends_itself_is_not_overheard() -> Tested {
    let filter = Filter::of::<Attack>();
    let (mut manager, [spy, one, _], _) = with_spy(filter)?;
    assert_eq!(manager.speak_for(spy)?.send(one, Attack(1))?.received, 0);
    assert_eq!(
        manager
            .speak_for(spy)?
            .send(EveryoneElse, Attack(1))?
            .received,
        0
    );
    manager.send(spy, Strike(one))?;
    assert!(attacks(&manager, spy).is_empty());
    Ok(())
}

// holds: overhearing.counts
#[test]
fn a_component_that_overhears_counts_as_a_receiver_unless_the_filter_is_hidden() -> Tested {
    let filter = Filter::of::<Attack>();
    let (mut manager, [spy, one, _], subscription) = with_spy(filter.clone())?;
    manager.hook(spy, Ear::default())?;
    assert_eq!(manager.send(one, Attack(0))?.received, 2);
    let required = |to: MessageeId| -> HeaderBuilder { Header::to(to).require(2) };
    assert!(manager.post(required(one), Attack(0)).is_ok());
    manager.unsubscribe(subscription);
    manager.overhear(spy, filter.hidden())?;
    assert_eq!(manager.send(one, Attack(0))?.received, 0);
    assert_eq!(attacks(&manager, spy).len(), 3);
    Ok(())
}

// holds: overhearing.own-handlers
#[test]
fn it_comes_among_the_subscribers_in_the_order_subscribed_and_sees_what_was_written_before()
-> Tested {
    let mut manager = MessageManager::new();
    let (sender, seen) = std::sync::mpsc::channel();
    let subscriber = |name: &'static str, sender: std::sync::mpsc::Sender<_>| {
        move |attack: &Attack, _: &mut SubscriberContext<'_>| {
            let _ = sender.send((name, attack.0));
        }
    };
    let (spy, one) = (spy(&mut manager), manager.spawn((Ear::default(),)));
    manager.subscribe(Filter::of::<Attack>(), subscriber("first", sender.clone()));
    manager.overhear(spy, Filter::of::<Attack>())?;
    manager.subscribe(Filter::of::<Attack>(), subscriber("last", sender));
    let mut attack = Attack(1);
    manager.send_mut(one, &mut attack)?;
    assert_eq!(attack, Attack(201));
    assert_eq!(
        seen.try_iter().collect::<Vec<_>>(),
        [("first", 101), ("last", 201)]
    );
    assert_eq!(attacks(&manager, spy), [101]);
    Ok(())
}

// holds: overhearing.consumes-and-fails
#[test]
fn one_that_consumes_keeps_it_from_the_subscribers_behind() -> Tested {
    let mut manager = MessageManager::new();
    let (spy, one) = (spy(&mut manager), manager.spawn(()));
    manager.overhear(spy, Filter::of::<Attack>())?;
    manager.subscribe(Filter::of::<Attack>(), |_, _| {});
    manager.get_mut::<Ear>(spy)?.returns = Some(ControlFlow::Break(()));
    let receipt = manager.send(one, Attack(0))?;
    assert_eq!((receipt.received, receipt.consumed), (1, true));
    Ok(())
}

// holds: overhearing.consumes-and-fails
#[test]
fn its_answers_are_dropped_and_its_failures_counted() -> Tested {
    let filter = Filter::of::<GetFuel>();
    let (mut manager, [spy, one, _], _) = with_spy(filter.clone())?;
    assert!(matches!(
        manager.request(one, GetFuel).map_err(SendError::into_kind),
        Err(SendErrorKind::NoAnswer { .. })
    ));
    manager.hook(one, Tank(9))?;
    assert_eq!(manager.request(one, GetFuel)?, 9);
    assert_eq!(manager.request_all(one, GetFuel)?, [(one, 9)]);
    manager.overhear(spy, Filter::of::<Attack>())?;
    manager.get_mut::<Ear>(spy)?.fails = true;
    manager.subscribe(
        Filter::of::<message_core::lifecycle::HandlerFailed>(),
        |_, _| {},
    );
    assert_eq!(manager.send(one, Attack(0))?.failed, 1);
    Ok(())
}

// holds: overhearing.disabled, overhearing.ends
#[test]
fn it_is_silent_while_the_component_is_disabled_or_the_subscription_paused() -> Tested {
    let filter = Filter::of::<Attack>();
    let (mut manager, [spy, one, _], subscription) = with_spy(filter.clone())?;
    let hook = manager.hook_of::<Ear>(spy)?;
    manager.set_enabled(hook, false)?;
    assert_eq!(manager.send(one, Attack(1))?.received, 0);
    manager.set_enabled(hook, true)?;
    assert!(manager.set_listening(subscription, false));
    assert_eq!(manager.send(one, Attack(2))?.received, 0);
    manager.set_listening(subscription, true);
    assert_eq!(manager.send(one, Attack(3))?.received, 1);
    assert_eq!(attacks(&manager, spy), [3]);
    Ok(())
}

// holds: overhearing.ends, overhearing.once
#[test]
fn it_ends_with_its_messagee_by_once_or_when_it_is_ended() -> Tested {
    let filter = Filter::of::<Attack>();
    let (mut manager, [spy, one, _], subscription) = with_spy(filter.clone())?;
    assert!(manager.unsubscribe(subscription));
    assert_eq!(manager.send(one, Attack(1))?.received, 0);
    manager.overhear(spy, filter.clone().once())?;
    assert_eq!(manager.send(spy, Attack(2))?.received, 1); // Addressed: not used up.
    assert_eq!(manager.send(one, Attack(3))?.received, 1);
    assert_eq!(manager.send(one, Attack(4))?.received, 0);
    let subscription = manager.overhear(spy, filter.clone())?;
    manager.despawn(spy)?;
    assert_eq!(manager.send(one, Attack(5))?.received, 0);
    assert!(!manager.is_listening(subscription));
    assert!(matches!(
        manager.overhear(spy, filter),
        Err(MessageeError::Absent {
            why: Absence::Gone,
            ..
        })
    ));
    Ok(())
}

// holds: subscriptions.stage, subscriptions.with-retained
#[test]
fn a_stage_and_retained_messages_are_as_for_a_subscription() -> Tested {
    let filter = Filter::of::<Attack>();
    let (mut manager, [spy, one, _], _) = with_spy(filter.clone().stage(Stage::LateUpdate))?;
    assert_eq!(manager.send(one, Attack(1))?.pending, 1);
    assert!(attacks(&manager, spy).is_empty());
    manager.tick(Duration::ZERO);
    assert_eq!(attacks(&manager, spy), [1]);
    assert!(last(&manager, spy).is_some_and(|heard| heard.overheard));

    manager.post(Header::to(one).retain(), Attack(2))?;
    let late = manager.spawn((Ear::default(),));
    manager.overhear(late, filter.with_retained())?;
    assert_eq!(attacks(&manager, late), [2]);
    Ok(())
}

// holds: overhearing.own-handlers
#[test]
fn a_messagee_can_overhear_messages_of_all_types() -> Tested {
    let (mut manager, [spy, one, _], _) = with_spy(Filter::all().from(Sender::Outside))?;
    manager.send(one, Attack(1))?;
    let _ = manager.request(one, GetFuel);
    manager.send(one, Strike(one))?; // Its own attack is not overheard.
    assert_eq!(attacks(&manager, spy), [1, 0]);
    Ok(())
}

// holds: overhearing.owner
#[test]
fn a_handler_lets_itself_and_newborns_overhear_but_nobody_else() -> Tested {
    #[derive(Message)]
    struct Begin(MessageeId);

    #[derive(Default)]
    struct Chief {
        born: Option<MessageeId>,
    }

    #[handlers]
    impl Chief {
        #[on_receive]
        fn begin(&mut self, begin: &Begin, cx: &mut Context<'_>) -> Result<(), MessageeError> {
            let filter = Filter::of::<Attack>();
            let other = cx.overhear(begin.0, filter.clone());
            assert!(matches!(other, Err(MessageeError::NotOneself { .. })));
            cx.overhear(cx.me(), filter.clone())?;
            let born = cx.spawn((Ear::default(),));
            cx.overhear(born, filter.clone())?;
            self.born = Some(born);
            Ok(())
        }
    }

    let mut manager = MessageManager::new();
    let one = manager.spawn(());
    let chief = manager.spawn((Chief::default(), Ear::default()));
    assert_eq!(manager.send(chief, Begin(one))?.failed, 0);
    let born = manager
        .get::<Chief>(chief)?
        .born
        .ok_or("nobody was spawned")?;
    assert_eq!(manager.send(one, Attack(1))?.received, 2);
    assert_eq!(attacks(&manager, chief), [1]);
    assert_eq!(attacks(&manager, born), [101]);
    Ok(())
}

// holds: reentrancy.unhook-policy
#[test]
fn a_panic_of_one_that_overhears_ends_with_the_component() -> Tested {
    struct Coward;

    #[handlers]
    impl Coward {
        #[on_receive]
        fn attack(&mut self, _: &Attack) {
            panic!("help");
        }
    }

    let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
    let mut manager =
        MessageManager::with_config(config.report_to(message_core::report::ReportTo::Nobody));
    let (coward, one) = (manager.spawn((Coward,)), manager.spawn(()));
    manager.overhear(coward, Filter::of::<Attack>())?;
    assert_eq!(manager.send(one, Attack(0))?.failed, 1);
    assert_eq!(manager.hooks(coward).count(), 0);
    assert_eq!(manager.send(one, Attack(0))?.received, 0);
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn what_was_overheard_is_explained() -> Tested {
    let filter = Filter::of::<Attack>();
    let (mut manager, [spy, one, _], _) = with_spy(filter)?;
    message_trace::Recorder::new(100).start(&mut manager);
    manager.send(one, Attack(0))?;
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    let send = recorder
        .events()
        .find_map(|event| event.send)
        .ok_or("there is a send")?;
    let explained = Recorder::of(&manager)
        .and_then(|it| it.explain(send))
        .ok_or("it is known")?
        .to_string();
    assert!(explained.contains(&format!("{spy}")), "{explained}");
    Ok(())
}
