//! What an error at a limit says of the storm that led there: the cycle, by its receivers, message
//! types and source places; and what fills the queue.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

mod common;

use std::sync::mpsc::{Receiver as Told, channel};
use std::time::Duration;

use common::{Do, Ear, Log, Note, Tested};
use message_core::lifecycle::HandlerFailed;
use message_core::prelude::*;
use message_core::{Chain, ChainLink, Cycle, Receiver};

#[derive(Message)]
struct Ping;

#[derive(Message)]
struct Pong;

#[derive(Message)]
struct Tick;

/// Answers a `Ping` with a `Pong`, and is busy while it does.
struct Ann {
    to: Recipient,
}

const ANN_PONGS: u32 = line!() + 6;

#[handlers]
impl Ann {
    #[on_receive]
    fn ping(&mut self, _: &Ping, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Pong).map(drop)
    }
}

/// Answers a `Pong` with a `Ping`, and is busy while it does.
struct Bob {
    to: Recipient,
}

const BOB_PINGS: u32 = line!() + 6;

#[handlers]
impl Bob {
    #[on_receive]
    fn pong(&mut self, _: &Pong, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Ping).map(drop)
    }
}

/// As the others, and never busy, so that it is nested in itself.
struct Mirror {
    to: Recipient,
}

const MIRROR_PONGS: u32 = line!() + 6;

#[handlers]
impl Mirror {
    #[on_receive]
    fn ping(&self, _: &Ping, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Pong).map(drop)
    }

    #[on_receive]
    fn pong(&self, _: &Pong, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Ping).map(drop)
    }

    #[on_receive]
    fn tick(&self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Tick).map(drop)
    }
}

/// Writes to itself, so many messages for each one.
struct Clock {
    ticks: usize,
    received: usize,
}

const CLOCK_TICKS: u32 = line!() + 8;

#[handlers]
impl Clock {
    #[on_receive]
    fn tick(&mut self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.received += 1;
        for _ in 0..self.ticks {
            cx.send(Me, Tick)?;
        }
        Ok(())
    }
}

const MAX_KEPT: usize = 500;

/// Few kept deliveries, so that storms end soon.
fn calm() -> ManagerConfig {
    ManagerConfig::new().max_kept(MAX_KEPT)
}

/// The errors of handlers.
fn failures(manager: &mut MessageManager) -> Told<SendError> {
    let (tell, told) = channel();
    manager.subscribe(Filter::of::<HandlerFailed>(), move |failed, _| {
        let error = failed.error.downcast_ref::<SendError>();
        tell.send(error.expect("a send has failed").clone())
            .expect("it is awaited");
    });
    told
}

fn chain(error: &SendError) -> &Chain {
    match error {
        SendError::TooDeep { chain, .. }
        | SendError::TooManyKept { chain, .. }
        | SendError::QueueFull { chain, .. } => chain,
        _ => panic!("{error}"),
    }
}

fn cycle(error: &SendError) -> &Cycle {
    chain(error).cycle().unwrap_or_else(|| panic!("{error}"))
}

/// The hops of the cycle: component, message, and line.
fn hops(error: &SendError) -> Vec<(String, &'static str, u32)> {
    let short = |name: &'static str| name.rsplit("::").next().expect("a name has an end");
    let who = |receiver| match receiver {
        Receiver::Component {
            component,
            messagee,
        } => format!("{} {messagee}", short(component)),
        Receiver::Subscription(_) => "a subscription".to_owned(),
    };
    let hop = |hop: &ChainLink| {
        assert_eq!(hop.place.file(), file!());
        (who(hop.receiver), short(hop.message), hop.place.line())
    };
    cycle(error).hops().iter().map(hop).collect()
}

fn hop(who: &str, message: &'static str, line: u32) -> (String, &'static str, u32) {
    (who.to_owned(), message, line)
}

/// Whether the lists are the same, wherever each begins.
fn assert_same_round<T: PartialEq + std::fmt::Debug + Clone>(found: &[T], expected: &[T]) {
    let mut turned = expected.to_vec();
    let turns = (0..expected.len()).map(|_| {
        turned.rotate_left(1);
        turned.clone()
    });
    let same = turns.into_iter().any(|turned| turned == found);
    assert!(same, "expected {expected:#?}, found {found:#?}");
}

// Kept for busy receivers.

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
    assert!(matches!(error, SendError::TooManyKept { .. }));
    assert_eq!(hops(&error), [hop("Clock 0v0", "Tick", CLOCK_TICKS)]);
    assert!(cycle(&error).rounds() > 50, "{error}");
    assert!(!cycle(&error).wanders());
    Ok(())
}

#[test]
fn two_that_answer_each_other_while_they_are_busy_are_named_with_messages_and_places() -> Tested {
    let mut manager = MessageManager::with_config(calm());
    let told = failures(&mut manager);
    let ann = manager.spawn((Ann { to: EveryoneElse },));
    let bob = manager.spawn((Bob { to: EveryoneElse },));
    manager.send(ann, Ping)?;
    let error = told.try_recv()?;
    assert!(matches!(error, SendError::TooManyKept { .. }));
    let expected = [
        hop("Ann 0v0", "Ping", BOB_PINGS),
        hop("Bob 1v0", "Pong", ANN_PONGS),
    ];
    assert_eq!(hops(&error), expected);
    assert!(cycle(&error).rounds() > 30, "{error}");
    let rounds = cycle(&error).rounds();
    let (file, text) = (file!(), error.to_string());
    let column = |at: usize| cycle(&error).hops()[at].place.column();
    let (to_ann, to_bob) = (
        format!("`storms::Ann` of messagee {ann} on `storms::Ping`"),
        format!("`storms::Bob` of messagee {bob} on `storms::Pong`"),
    );
    let cycle = format!(
        "; a cycle: {to_ann} sent at {file}:{BOB_PINGS}:{} → {to_bob} sent at \
         {file}:{ANN_PONGS}:{} → {to_ann} …, {rounds} times round; running: ",
        column(0),
        column(1),
    );
    assert!(text.contains(&cycle), "{cycle} is not in: {text}");
    assert!(text.len() < 700, "{} bytes: {text}", text.len());
    Ok(())
}

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

/// Makes the first of these of a `Tick`: then it is passed round, as one type or the other.
struct Third;

const THIRD_PINGS: u32 = line!() + 6;

#[handlers]
impl Third {
    #[on_receive]
    fn tick(&mut self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(EveryoneElse, Ping).map(drop)
    }
}

/// As [`Bob`], but what it sends is a `Tick`.
struct Bert;

const BERT_TICKS: u32 = line!() + 6;

#[handlers]
impl Bert {
    #[on_receive]
    fn pong(&mut self, _: &Pong, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(EveryoneElse, Tick).map(drop)
    }
}

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

const RELAY_SENDS_PONG: u32 = line!() + 7;
const RELAY_SENDS_TICK: u32 = line!() + 11;

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

const ANSWERING_SENDS_SECOND: u32 = line!() + 7;
const ANSWERING_SENDS_PING: u32 = line!() + 11;

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

#[test]
fn a_relay_whose_messages_differ_from_round_to_round_is_named_in_whole() -> Tested {
    let mut manager = MessageManager::with_config(calm());
    let told = failures(&mut manager);
    let relay = manager.spawn(());
    let answering = manager.spawn((Answering { to: relay },));
    manager.hook(relay, Relay { to: answering })?;
    manager.send(relay, Ping)?;
    let expected = [
        hop("Relay 0v0", "Ping", ANSWERING_SENDS_PING),
        hop("Answering 1v0", "Pong", RELAY_SENDS_PONG),
        hop("Relay 0v0", "Second", ANSWERING_SENDS_SECOND),
        hop("Answering 1v0", "Tick", RELAY_SENDS_TICK),
    ];
    assert_same_round(&hops(&told.try_recv()?), &expected);
    Ok(())
}

/// Sends itself a `Tick` from one place, again from that place, then from another.
#[derive(Default)]
struct Waltz {
    step: usize,
}

const WALTZ_ONE: u32 = line!() + 9;
const WALTZ_TWO: u32 = line!() + 10;

#[handlers]
impl Waltz {
    #[on_receive]
    fn tick(&mut self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.step += 1;
        if self.step.is_multiple_of(3) {
            return cx.send(Me, Tick).map(drop);
        }
        cx.send(Me, Tick).map(drop)
    }
}

#[test]
fn a_hop_that_comes_twice_in_a_round_does_not_make_the_cycle_shorter() -> Tested {
    for kept in [MAX_KEPT, MAX_KEPT + 1, MAX_KEPT + 2] {
        let config = calm().max_kept(kept);
        let mut manager = MessageManager::with_config(config);
        let told = failures(&mut manager);
        let waltz = manager.spawn((Waltz::default(),));
        manager.send(waltz, Tick)?;
        let expected = [WALTZ_ONE, WALTZ_TWO, WALTZ_TWO].map(|at| hop("Waltz 0v0", "Tick", at));
        assert_same_round(&hops(&told.try_recv()?), &expected);
    }
    Ok(())
}

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
    let subscription = format!("subscription {subscription} on `storms::Pong` sent at ");
    assert!(error.to_string().contains(&subscription), "{error}");
    Ok(())
}

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
        assert!(cycle(&error).rounds() > 50, "{error}");
    }
    Ok(())
}

#[test]
fn messagees_that_spawn_one_another_are_a_cycle_from_messagee_to_messagee() -> Tested {
    struct Parent;
    const PARENT_TICKS: u32 = line!() + 6;
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
    assert!(matches!(error, SendError::TooManyKept { .. }));
    let last = format!("Parent {MAX_KEPT}v0");
    assert_eq!(hops(&error), [hop(&last, "Tick", PARENT_TICKS)]);
    assert!(cycle(&error).wanders());
    let text = error.to_string();
    let on = "` of another messagee on `storms::Tick` …, ";
    assert!(text.contains(on), "{on} is not in: {text}");
    assert!(text.contains(" times round, from messagee to messagee; running: "));
    Ok(())
}

// Nested.

#[test]
fn two_that_answer_each_other_nested_are_named_with_messages_and_places() -> Tested {
    let mut manager = MessageManager::new();
    let told = failures(&mut manager);
    let one = manager.spawn(());
    let two = manager.spawn((Mirror { to: one.into() },));
    manager.hook(one, Mirror { to: two.into() })?;
    manager.send(one, Ping)?;
    let error = told.try_recv()?;
    assert!(matches!(error, SendError::TooDeep { .. }));
    let expected = [
        hop("Mirror 0v0", "Ping", MIRROR_PONGS + 5),
        hop("Mirror 1v0", "Pong", MIRROR_PONGS),
    ];
    assert_eq!(hops(&error), expected);
    assert_eq!(cycle(&error).rounds(), 31);
    let text = error.to_string();
    assert!(text.contains("…, 31 times round; running: "), "{text}");
    assert!(text.contains(", … 62 more …, then "), "{text}");
    assert_eq!(chain(&error).links().len(), 64);
    Ok(())
}

/// Mirrors in a row, each reflecting to the next. The first one's id.
fn row(manager: &mut MessageManager, length: usize) -> Vec<MessageeId> {
    let mut ids = vec![manager.spawn(())];
    for _ in 1..length {
        let to = Recipient::Id(ids[ids.len() - 1]);
        ids.push(manager.spawn((Mirror { to },)));
    }
    ids.reverse();
    ids
}

#[test]
fn a_walk_along_a_list_is_a_cycle_from_messagee_to_messagee() -> Tested {
    let mut manager = MessageManager::new();
    let told = failures(&mut manager);
    let ids = row(&mut manager, 100);
    manager.send(ids[0], Ping)?;
    let error = told.try_recv()?;
    assert!(cycle(&error).wanders());
    let expected = [
        hop(&format!("Mirror {}", ids[62]), "Ping", MIRROR_PONGS + 5),
        hop(&format!("Mirror {}", ids[63]), "Pong", MIRROR_PONGS),
    ];
    assert_eq!(hops(&error), expected);
    let text = error.to_string();
    let on = " → `storms::Mirror` of another messagee on `storms::Ping` …, 31 times round, from \
              messagee to messagee; running: ";
    assert!(text.contains(on), "{on} is not in: {text}");
    Ok(())
}

#[test]
fn a_walk_down_a_tree_is_no_return_to_the_same_messagee() -> Tested {
    struct Branch;
    #[handlers]
    impl Branch {
        #[on_receive]
        fn tick(&self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
            let child = cx.children(cx.me()).next();
            match child {
                Some(child) => cx.send(Down(child), Tick).map(drop),
                None => Ok(()),
            }
        }
    }
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(10));
    let told = failures(&mut manager);
    let ids: Vec<_> = (0..12).map(|_| manager.spawn((Branch,))).collect();
    for pair in ids.windows(2) {
        manager.set_parent(pair[1], Some(pair[0]))?;
    }
    manager.send(ids[0], Tick)?;
    let error = told.try_recv()?;
    assert!(cycle(&error).wanders(), "{error}");
    assert_eq!(hops(&error).len(), 1);
    Ok(())
}

#[test]
fn a_ring_is_named_in_whole_and_printed_by_its_ends() -> Tested {
    let mut manager = MessageManager::new();
    let told = failures(&mut manager);
    let ids = row(&mut manager, 20);
    let to = Recipient::Id(ids[0]);
    manager.hook(ids[19], Mirror { to })?;
    manager.send(ids[0], Tick)?;
    let error = told.try_recv()?;
    assert_eq!(cycle(&error).hops().len(), 20);
    assert_eq!(cycle(&error).rounds(), 2);
    assert!(!cycle(&error).wanders());
    let text = error.to_string();
    assert!(text.contains(" → … 12 more … → "), "{text}");
    Ok(())
}

#[test]
fn a_cycle_is_found_behind_a_chain_that_leads_to_it() -> Tested {
    let mut manager = MessageManager::new();
    let told = failures(&mut manager);
    let ids = row(&mut manager, 40);
    manager.hook(ids[39], Mirror { to: Me })?;
    manager.send(ids[0], Tick)?;
    let error = told.try_recv()?;
    let last = format!("Mirror {}", ids[39]);
    assert_eq!(hops(&error), [hop(&last, "Tick", MIRROR_PONGS + 10)]);
    assert_eq!(
        (cycle(&error).rounds(), cycle(&error).wanders()),
        (25, false)
    );
    Ok(())
}

// What is no cycle.

macro_rules! steps {
    ($($from:ident -> $to:ident),*) => {
        $(
            #[derive(Message)]
            struct $from;

            #[handlers]
            impl $from {
                #[on_receive]
                fn step(&mut self, _: &$from, cx: &mut Context<'_>) -> Result<(), SendError> {
                    cx.send(Everyone, $to).map(drop)
                }
            }
        )*
    };
}

mod long {
    use super::*;

    steps!(One -> Two, Two -> Three, Three -> Four, Four -> Five, Five -> Six, Six -> Seven,
           Seven -> Eight, Eight -> Nine, Nine -> Ten, Ten -> Note2);

    #[derive(Message)]
    pub(super) struct Note2;

    #[test]
    fn a_long_chain_of_different_messages_is_no_cycle() -> Tested {
        let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(10));
        let told = failures(&mut manager);
        manager.spawn((One, Two, Three, Four, Five));
        manager.spawn((Six, Seven, Eight, Nine, Ten));
        manager.send(Everyone, One)?;
        let error = told.try_recv()?;
        assert_eq!(chain(&error).links().len(), 10);
        assert_eq!(chain(&error).cycle(), None);
        let text = error.to_string();
        assert!(!text.contains("a cycle"), "{text}");
        assert!(text.contains("more than 10 deep; running: "), "{text}");
        Ok(())
    }
}

#[test]
fn two_kinds_of_component_that_send_by_one_function_are_no_cycle() -> Tested {
    fn pass_on(to: MessageeId, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(to, Tick).map(drop)
    }
    struct Left(MessageeId);
    struct Right(MessageeId);
    #[handlers]
    impl Left {
        #[on_receive]
        fn tick(&mut self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
            pass_on(self.0, cx)
        }
    }
    #[handlers]
    impl Right {
        #[on_receive]
        fn tick(&mut self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
            pass_on(self.0, cx)
        }
    }
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(2));
    let told = failures(&mut manager);
    let end = manager.spawn(());
    let right = manager.spawn((Right(end),));
    let left = manager.spawn((Left(right),));
    manager.send(left, Tick)?;
    assert_eq!(chain(&told.try_recv()?).cycle(), None);
    Ok(())
}

#[test]
fn many_messages_of_one_handler_are_no_cycle() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(3));
    let actor = manager.spawn((common::Actor::new("actor", &log),));
    let (put, get) = common::slot();
    let script = Do::new(move |cx| {
        let kept = (0..4).map(|_| cx.send(Me, Note("kept")));
        put(kept.last().expect("there are four"));
    });
    manager.send(actor, script)?;
    let error = get().expect_err("one too many");
    assert!(matches!(error, SendError::TooManyKept { .. }));
    assert_eq!(chain(&error).cycle(), None);
    assert_eq!(log.take(), ["actor: kept"; 3]);
    Ok(())
}

// The smallest limits.

#[test]
fn the_first_return_is_a_cycle_at_the_smallest_depth() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(1));
    let told = failures(&mut manager);
    let mirror = manager.spawn((Mirror { to: Me },));
    manager.send(mirror, Tick)?;
    let error = told.try_recv()?;
    assert_eq!(hops(&error), [hop("Mirror 0v0", "Tick", MIRROR_PONGS + 10)]);
    assert!(error.to_string().contains("…, once round; running: "));

    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(2));
    let told = failures(&mut manager);
    let ann = manager.spawn((Ann { to: Everyone },));
    manager.spawn((Bob { to: ann.into() },));
    manager.send(ann, Ping)?;
    let expected = [
        hop("Ann 0v0", "Ping", BOB_PINGS),
        hop("Bob 1v0", "Pong", ANN_PONGS),
    ];
    assert_eq!(hops(&told.try_recv()?), expected);
    Ok(())
}

#[test]
fn the_first_return_is_a_cycle_when_next_to_nothing_may_be_kept() -> Tested {
    for max_kept in [0, 1, 2] {
        let config = ManagerConfig::new().max_kept(max_kept);
        let mut manager = MessageManager::with_config(config);
        let told = failures(&mut manager);
        let ann = manager.spawn((Ann { to: Everyone },));
        manager.spawn((Bob { to: ann.into() },));
        manager.send(ann, Ping)?;
        let expected = [
            hop("Ann 0v0", "Ping", BOB_PINGS),
            hop("Bob 1v0", "Pong", ANN_PONGS),
        ];
        let error = told.try_recv()?;
        assert_eq!(hops(&error), expected);
        assert_eq!(cycle(&error).rounds(), max_kept.max(1));
    }
    Ok(())
}

// Afterwards.

#[test]
fn after_a_storm_what_was_accepted_is_delivered_and_the_manager_is_as_before() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(calm());
    let told = failures(&mut manager);
    let clock = Clock {
        ticks: 1,
        received: 0,
    };
    let clock = manager.spawn((clock, Ear::new("ear", &log)));
    for round in 1..=3 {
        assert_eq!(manager.send(clock, Tick)?.received, 1);
        assert_eq!(cycle(&told.try_recv()?).hops().len(), 1);
        let received = manager.get::<Clock>(clock)?.received;
        assert_eq!(received, round * (MAX_KEPT + 1));
        manager.send(clock, Note("still here"))?;
        assert_eq!(log.take(), ["ear: still here"]);
    }
    Ok(())
}

#[test]
fn an_earlier_storm_is_no_part_of_a_later_one() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(1));
    let told = failures(&mut manager);
    let clock = Clock {
        ticks: 1,
        received: 0,
    };
    let clock = manager.spawn((clock,));
    for _ in 0..3 {
        manager.send(clock, Tick)?;
        let error = told.try_recv()?;
        assert_eq!(hops(&error), [hop("Clock 0v0", "Tick", CLOCK_TICKS)]);
        assert_eq!(cycle(&error).rounds(), 1);
    }
    Ok(())
}

// Posts.

/// Posts two sparks for each.
struct Fire {
    to: Option<MessageeId>,
}

#[derive(Message)]
struct Spark;

const FIRE_SPARKS: u32 = line!() + 9;

#[handlers]
impl Fire {
    #[on_receive]
    fn spark(&mut self, _: &Spark, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let to = self.to.map_or(Me, Recipient::Id);
        let header = Header::to(to).stage(Stage::Update).build()?;
        for _ in 0..2 {
            cx.post(&header, Spark)?;
        }
        Ok(())
    }
}

/// The first error of fires that are lit until the queue is full.
fn burn(manager: &mut MessageManager, told: &Told<SendError>) -> SendError {
    (0..20)
        .find_map(|_| {
            manager.tick(Duration::ZERO);
            told.try_recv().ok()
        })
        .expect("the queue is full by then")
}

#[test]
fn a_handler_that_posts_what_it_handles_is_named_as_a_cycle() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_pending(1000));
    let told = failures(&mut manager);
    let fire = manager.spawn((Fire { to: None },));
    let later = Header::to(fire).after_frames(900).build()?;
    for _ in 0..30 {
        manager.post(&later, Note("later"))?;
    }
    let soon = Header::to(fire).stage(Stage::Update).build()?;
    manager.post(&soon, Spark)?;
    let error = burn(&mut manager, &told);
    assert_eq!(hops(&error), [hop("Fire 0v0", "Spark", FIRE_SPARKS)]);
    let SendError::QueueFull {
        limit: 1000,
        bulk: Some(bulk),
        ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!(
        (bulk.message, bulk.place.line()),
        (Spark::NAME, FIRE_SPARKS)
    );
    assert_eq!((bulk.messages, bulk.from_place), (970, 970));
    let text = error.to_string();
    for part in [
        "1000 messages are pending, which is the limit: 970 of them are `storms::Spark`, all \
         posted at ",
        "; a cycle: `storms::Fire` of messagee 0v0 on `storms::Spark` sent at ",
    ] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    Ok(())
}

#[test]
fn fires_that_light_each_other_are_a_cycle_from_messagee_to_messagee() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_pending(1000));
    let told = failures(&mut manager);
    let one = manager.spawn(());
    let two = manager.spawn((Fire { to: Some(one) },));
    manager.hook(one, Fire { to: Some(two) })?;
    manager.post(&Header::to(one).stage(Stage::Update).build()?, Spark)?;
    let error = burn(&mut manager, &told);
    assert!(cycle(&error).wanders(), "{error}");
    assert_eq!(hops(&error)[0].1, "Spark");
    Ok(())
}

#[test]
fn many_posts_of_one_handler_are_no_cycle_and_their_place_is_named() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_pending(10));
    let actor = manager.spawn((common::Actor::new("actor", &log),));
    let later = Header::to(actor).after_frames(1).build()?;
    let line = line!() + 4;
    manager.post(&later, Note("first"))?;
    let (put, get) = common::slot();
    let script = Do::new(move |cx| {
        let posts = (0..).map(|_| cx.post(&later, Note("again")));
        put(posts.take(10).last().expect("there are ten"));
    });
    manager.send(actor, script)?;
    let error = get().expect_err("the queue is full");
    let SendError::QueueFull { bulk, chain, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(chain.links().len(), 1);
    assert_eq!(chain.cycle(), None);
    let bulk = bulk.as_ref().expect("messages are pending");
    assert_eq!((bulk.messages, bulk.from_place), (10, 9));
    let said = format!(
        "10 of them are `{}`, of which 9 were posted at {}",
        Note::NAME,
        bulk.place
    );
    assert_eq!(bulk.to_string(), said);
    assert_eq!(bulk.place.line(), line);
    Ok(())
}

#[test]
fn a_queue_that_is_full_says_to_those_outside_what_fills_it() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_pending(5));
    let nobody = manager.spawn(());
    let later = Header::to(nobody).after_frames(1).build()?;
    let ticket = manager.post(&later, Ping)?;
    for _ in 0..2 {
        manager.post(&later, Tick)?;
    }
    for _ in 0..2 {
        manager.post(&later, Ping)?;
    }
    let said = |error: SendError| match error {
        SendError::QueueFull { bulk, chain, .. } => {
            assert!(chain.links().is_empty());
            let bulk = bulk.expect("messages are pending");
            (bulk.message, bulk.messages, bulk.from_place)
        }
        error => panic!("{error}"),
    };
    let refused = manager.post(&later, Pong).expect_err("the queue is full");
    assert_eq!(said(refused), (Ping::NAME, 3, 2));
    assert!(manager.cancel(ticket) == 1);
    manager.post(&later, Tick)?;
    let refused = manager.post(&later, Pong).expect_err("the queue is full");
    assert_eq!(said(refused), (Tick::NAME, 3, 2));
    let config = ManagerConfig::new().max_pending(0);
    let mut manager = MessageManager::with_config(config);
    let refused = manager.post(&Header::to(Everyone).after_frames(1).build()?, Ping);
    let text = refused.expect_err("nothing may be pending").to_string();
    assert!(text.ends_with("0 messages are pending, which is the limit; nothing is running"));
    Ok(())
}

#[test]
fn what_an_error_knows_of_a_storm_takes_no_more_room_in_it_than_a_pointer() {
    assert_eq!(size_of::<Chain>(), size_of::<usize>());
}
