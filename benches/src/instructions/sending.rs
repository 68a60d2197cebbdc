//! Sends, requests and broadcasts.

use std::hint::black_box;

use message_core::prelude::*;

use crate::{Function, OBJECTS, OPERATIONS, Round};

pub(crate) const FUNCTIONS: [Function; 9] = [
    Function::new("send", send),
    Function::new("send-two", send_two),
    Function::new("send-second-type", send_second_type),
    Function::new("request", request),
    Function::new("request-two", request_two),
    Function::new("nested", nested),
    Function::new("broadcast", broadcast),
    Function::new("broadcast-context", broadcast_context),
    Function::new("broadcast-layouts", broadcast_layouts),
];

#[derive(Message)]
struct Hit(u64);

#[derive(Message)]
struct Shake(u64);

#[derive(Message)]
struct Poke(u64);

#[derive(Message)]
#[message(reply = u64)]
struct Ask;

#[derive(Message)]
#[message(reply = u64)]
struct Find;

#[derive(Message)]
struct Pass(u64);

#[derive(Message)]
struct Step(u64);

#[derive(Message)]
struct Call(u64);

#[derive(Message)]
struct Tick(u64);

sums!(Target of Hit, Body of Shake, Mind of Shake, Walker of Step, Clock of Tick);
sums!(Owned of Poke, Unowned of Poke);

struct Gauge(u64);

#[handlers]
impl Gauge {
    #[on_receive]
    fn read(&self, _: &Ask) -> u64 {
        self.0
    }
}

/// A component that declines, so that the other component is asked.
struct Cover;

#[handlers]
impl Cover {
    #[on_receive]
    fn find(&self, _: &Find) -> Option<u64> {
        None
    }
}

struct Core(u64);

#[handlers]
impl Core {
    #[on_receive]
    fn find(&self, _: &Find) -> u64 {
        self.0
    }
}

/// One of five component types that handle nothing.
struct Bystander<const N: usize>;

/// A link of a chain.
struct Relay {
    sum: u64,
    next: Option<MessageeId>,
}

#[handlers]
impl Relay {
    #[on_receive]
    fn pass(&mut self, pass: &Pass, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.sum = self.sum.wrapping_add(pass.0);
        if let Some(next) = self.next {
            cx.send(next, Pass(pass.0 + 1))?;
        }
        Ok(())
    }
}

struct Listener(u64);

#[handlers]
impl Listener {
    #[on_receive]
    fn call(&mut self, call: &Call, cx: &mut Context<'_>) {
        self.0 = self.0.wrapping_add(call.0 ^ u64::from(cx.is_from_me()));
    }
}

/// Returns a send to each of the objects in turn.
fn each(ids: &[MessageeId]) -> impl Iterator<Item = (MessageeId, u64)> {
    ids.iter().copied().cycle().zip(0..OPERATIONS as u64)
}

fn send() -> Round {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..OBJECTS).map(|_| manager.spawn((Target(0),))).collect();
    Box::new(move || {
        for (id, number) in each(&ids) {
            let sent = manager.send(id, Hit(black_box(number)));
            assert!(sent.is_ok());
        }
    })
}

fn send_two() -> Round {
    let mut manager = MessageManager::new();
    let spawned = (0..OBJECTS).map(|_| manager.spawn((Body(0), Mind(0))));
    let ids: Vec<_> = spawned.collect();
    Box::new(move || {
        for (id, number) in each(&ids) {
            let sent = manager.send(id, Shake(black_box(number)));
            assert!(sent.is_ok());
        }
    })
}

/// Sends messages of a type that is also handled by a component type that nobody has.
fn send_second_type() -> Round {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..OBJECTS).map(|_| manager.spawn((Owned(0),))).collect();
    Box::new(move || {
        for (id, number) in each(&ids) {
            let sent = manager.send(id, Poke(black_box(number)));
            assert!(sent.is_ok());
        }
    })
}

fn request() -> Round {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..OBJECTS).map(|_| manager.spawn((Gauge(3),))).collect();
    Box::new(move || {
        for (id, _) in each(&ids) {
            let answer = manager.request(id, Ask);
            assert_eq!(answer.ok(), Some(3));
        }
    })
}

/// Sends requests that the first of two components declines.
fn request_two() -> Round {
    let mut manager = MessageManager::new();
    let spawned = (0..OBJECTS).map(|_| manager.spawn((Cover, Core(3))));
    let ids: Vec<_> = spawned.collect();
    Box::new(move || {
        for (id, _) in each(&ids) {
            let answer = manager.request(id, Find);
            assert_eq!(answer.ok(), Some(3));
        }
    })
}

/// Sends from handlers: a chain through all objects, of which only the first send comes from outside.
fn nested() -> Round {
    const HOPS: usize = 50;
    let mut manager = MessageManager::new();
    let link = |next, _| Some(manager.spawn((Relay { sum: 0, next },)));
    let head = (0..HOPS).fold(None, link);
    let head = head.expect("a chain has links");
    Box::new(move || {
        for number in 0..OPERATIONS / HOPS {
            let sent = manager.send(head, Pass(black_box(number as u64)));
            assert!(sent.is_ok());
        }
    })
}

/// Broadcasts, with a delivery to each of the objects.
fn broadcast() -> Round {
    let mut manager = MessageManager::new();
    for _ in 0..OBJECTS {
        manager.spawn((Walker(0),));
    }
    Box::new(move || {
        for number in 0..OPERATIONS / OBJECTS {
            let sent = manager.send(Everyone, Step(black_box(number as u64)));
            assert!(sent.is_ok());
        }
    })
}

fn broadcast_context() -> Round {
    let mut manager = MessageManager::new();
    for _ in 0..OBJECTS {
        manager.spawn((Listener(0),));
    }
    Box::new(move || {
        for number in 0..OPERATIONS / OBJECTS {
            let sent = manager.send(Everyone, Call(black_box(number as u64)));
            assert!(sent.is_ok());
        }
    })
}

/// Like [`broadcast`], but with as many other messagees that do not react, all with different lists of components.
fn broadcast_layouts() -> Round {
    let mut manager = MessageManager::new();
    for list in 0..OBJECTS {
        manager.spawn((Clock(0),));
        let id = manager.spawn(());
        let (mut types, mut rest) = (vec![0, 1, 2, 3, 4], list);
        while !types.is_empty() {
            let kind = types.remove(rest % types.len());
            rest /= types.len() + 1;
            let hooked = match kind {
                0 => manager.hook(id, Bystander::<0>),
                1 => manager.hook(id, Bystander::<1>),
                2 => manager.hook(id, Bystander::<2>),
                3 => manager.hook(id, Bystander::<3>),
                _ => manager.hook(id, Bystander::<4>),
            };
            hooked.expect("it is alive");
        }
    }
    Box::new(move || {
        for number in 0..OPERATIONS / OBJECTS {
            let sent = manager.send(Everyone, Tick(black_box(number as u64)));
            assert!(sent.is_ok());
        }
    })
}
