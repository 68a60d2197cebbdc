//! Storms of messages that are kept for busy receivers: the error at the limit.

use std::sync::mpsc::channel;

use crate::common::Tested;
use crate::storming::{
    ANN_PONGS, Ann, BOB_PINGS, Bob, CLOCK_TICKS, Clock, FILE, MAX_KEPT, Ping, Pong, Tick,
    assert_same_round, calm, chain, cycle, failures, hop, hops,
};
use message_core::Recipient::EveryoneElse;
use message_core::error::{ChainLink, Limit};
use message_core::prelude::*;

// holds: reentrancy.cycle-named, reentrancy.cycle-through-busy
#[test]
fn a_component_that_writes_to_itself_for_ever_is_named_as_a_cycle_of_one() -> Tested {
    let mut manager = MessageManager::with_config(calm());
    let told = failures(&mut manager);
    let clock = Clock {
        ticks: 1,
        received: 0,
    };
    let clock = manager.spawn((clock,));
    manager.send(clock, Tick)?;
    let error = told.try_recv()?;
    assert!(matches!(
        error.kind(),
        SendErrorKind::AtLimit {
            limit: Limit::Kept(_),
            ..
        }
    ));
    assert_eq!(hops(&error), [hop("Clock 0v0", "Tick", CLOCK_TICKS)]);
    assert_eq!(chain(&error).links().len(), 1);
    Ok(())
}

// holds: reentrancy.cycle-named, reentrancy.cycle-through-busy
#[test]
fn two_that_answer_each_other_while_they_are_busy_are_named_with_messages_and_places() -> Tested {
    let mut manager = MessageManager::with_config(calm());
    let told = failures(&mut manager);
    let ann = manager.spawn((Ann { to: EveryoneElse },));
    let bob = manager.spawn((Bob { to: EveryoneElse },));
    manager.send(ann, Ping)?;
    let error = told.try_recv()?;
    assert!(matches!(
        error.kind(),
        SendErrorKind::AtLimit {
            limit: Limit::Kept(_),
            ..
        }
    ));
    let expected = [
        hop("Ann 0v0", "Ping", BOB_PINGS),
        hop("Bob 1v0", "Pong", ANN_PONGS),
    ];
    assert_eq!(hops(&error), expected);
    let (file, text) = (FILE, error.to_string());
    let column = |at: usize| cycle(&error)[at].place.column();
    let (to_ann, to_bob) = (
        format!("`reentrancy::storming::Ann` of messagee {ann} on `reentrancy::storming::Ping`"),
        format!("`reentrancy::storming::Bob` of messagee {bob} on `reentrancy::storming::Pong`"),
    );
    let cycle = format!(
        "; a cycle: {to_ann} sent at {file}:{BOB_PINGS}:{} → {to_bob} sent at \
         {file}:{ANN_PONGS}:{} → {to_ann} …; running: ",
        column(0),
        column(1),
    );
    assert!(text.contains(&cycle), "{cycle} is not in: {text}");
    assert!(text.len() < 900, "{} bytes: {text}", text.len());
    Ok(())
}

// holds: reentrancy.cycle-named
#[test]
fn a_storm_that_doubles_is_named_too() -> Tested {
    let mut manager = MessageManager::with_config(calm());
    let told = failures(&mut manager);
    let clock = Clock {
        ticks: 2,
        received: 0,
    };
    let clock = manager.spawn((clock,));
    manager.send(clock, Tick)?;
    for error in told.try_iter() {
        assert_eq!(hops(&error), [hop("Clock 0v0", "Tick", CLOCK_TICKS)]);
    }
    assert_eq!(manager.get::<Clock>(clock)?.received, MAX_KEPT + 1);
    Ok(())
}

/// Turns a `Tick` into a `Ping`; it is then passed round as one type or the other.
struct Third;

const THIRD_PINGS: u32 = line!() + 6;

#[handlers]
impl Third {
    #[on_receive]
    fn tick(&mut self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(EveryoneElse, Ping).map(drop)
    }
}

/// Like [`Bob`], but it sends a `Tick`.
struct Bert;

const BERT_TICKS: u32 = line!() + 6;

#[handlers]
impl Bert {
    #[on_receive]
    fn pong(&mut self, _: &Pong, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(EveryoneElse, Tick).map(drop)
    }
}

// holds: reentrancy.cycle-named, reentrancy.cycle-through-busy
#[test]
fn a_cycle_of_three_is_named_whoever_of_them_is_busy() -> Tested {
    let mut manager = MessageManager::with_config(calm());
    let told = failures(&mut manager);
    let ann = manager.spawn((Ann { to: EveryoneElse },));
    let bert = manager.spawn((Bert,));
    let third = manager.spawn((Third,));
    let expected = [
        hop("Ann 0v0", "Ping", THIRD_PINGS),
        hop("Bert 1v0", "Pong", ANN_PONGS),
        hop("Third 2v0", "Tick", BERT_TICKS),
    ];
    manager.send(ann, Ping)?;
    assert_same_round(&hops(&told.try_recv()?), &expected);
    manager.send(bert, Pong)?;
    assert_same_round(&hops(&told.try_recv()?), &expected);
    manager.send(third, Tick)?;
    assert_same_round(&hops(&told.try_recv()?), &expected);
    Ok(())
}

/// Passes on what it has to, one after the other and from the beginning again.
struct Relay {
    to: MessageeId,
}

#[handlers]
impl Relay {
    #[on_receive]
    fn first(&mut self, _: &Ping, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Pong).map(drop)
    }

    #[on_receive]
    fn second(&mut self, _: &Second, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Tick).map(drop)
    }
}

#[derive(Message)]
struct Second;

struct Answering {
    to: MessageeId,
}

#[handlers]
impl Answering {
    #[on_receive]
    fn pong(&mut self, _: &Pong, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Second).map(drop)
    }

    #[on_receive]
    fn tick(&mut self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Ping).map(drop)
    }
}

// holds: reentrancy.cycle-through-busy
#[test]
fn what_led_to_a_message_before_it_was_delivered_is_not_remembered() -> Tested {
    let mut manager = MessageManager::with_config(calm());
    let told = failures(&mut manager);
    let relay = manager.spawn(());
    let answering = manager.spawn((Answering { to: relay },));
    manager.hook(relay, Relay { to: answering })?;
    manager.send(relay, Ping)?;
    let error = told.try_recv()?;
    assert_eq!(chain(&error).cycle(), None);
    let running = |link: &ChainLink| link.receiver.messagee();
    let running: Vec<_> = chain(&error).links().iter().filter_map(running).collect();
    assert_eq!(running, [relay, answering]);
    Ok(())
}

// holds: reentrancy.cycle-named, reentrancy.cycle-through-busy
#[test]
fn a_cycle_through_a_busy_subscriber_names_the_subscription() -> Tested {
    let mut manager = MessageManager::with_config(calm());
    let ann = manager.spawn((Ann { to: Everyone },));
    let (tell, told) = channel();
    let line = line!() + 2;
    let subscription = manager.subscribe(Filter::of::<Pong>(), move |_, cx| {
        if let Err(error) = cx.send(ann, Ping) {
            tell.send(error).expect("it is awaited");
        }
    });
    let failed = failures(&mut manager);
    manager.send(ann, Ping)?;
    let error = told.try_recv().or_else(|_| failed.try_recv())?;
    let expected = [
        hop("Ann 0v0", "Ping", line),
        hop("a subscription", "Pong", ANN_PONGS),
    ];
    assert_same_round(&hops(&error), &expected);
    let subscription =
        format!("subscription {subscription} on `reentrancy::storming::Pong` sent at ");
    assert!(error.to_string().contains(&subscription), "{error}");
    Ok(())
}

// holds: reentrancy.cycle-named
#[test]
fn a_subscriber_that_sends_what_it_listens_to_is_named_as_a_cycle_of_one() -> Tested {
    for before in [false, true] {
        let mut manager = MessageManager::with_config(calm());
        let nobody = manager.spawn(());
        let (tell, told) = channel();
        let line = line!() + 2;
        let again = move |cx: &mut message_core::SubscriberContext<'_>| {
            if let Err(error) = cx.send(nobody, Ping) {
                tell.send(error).expect("it is awaited");
            }
        };
        if before {
            manager.subscribe(Filter::of::<Ping>().before(), move |_, cx| {
                again(cx);
                std::ops::ControlFlow::Continue(())
            });
        } else {
            manager.subscribe(Filter::of::<Ping>(), move |_, cx| again(cx));
        }
        manager.send(nobody, Ping)?;
        let error = told.try_recv()?;
        assert_eq!(hops(&error), [hop("a subscription", "Ping", line)]);
    }
    Ok(())
}

// holds: reentrancy.chain-is-no-cycle
#[test]
fn messagees_that_spawn_one_another_are_no_cycle() -> Tested {
    struct Parent;
    #[handlers]
    impl Parent {
        #[on_receive]
        fn bear(&mut self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
            let child = cx.spawn((Self,));
            cx.send(child, Tick).map(drop)
        }
    }
    let mut manager = MessageManager::with_config(calm());
    let told = failures(&mut manager);
    let first = manager.spawn((Parent,));
    manager.send(first, Tick)?;
    let error = told.try_recv()?;
    assert!(matches!(
        error.kind(),
        SendErrorKind::AtLimit {
            limit: Limit::Kept(_),
            ..
        }
    ));
    let last = chain(&error).links()[0].receiver;
    assert!(
        last.to_string().ends_with(&format!(" {MAX_KEPT}v0")),
        "{last}"
    );
    assert_eq!(chain(&error).cycle(), None);
    Ok(())
}
