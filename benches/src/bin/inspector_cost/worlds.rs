//! Four kinds of frames with 100 000 deliveries each.

use std::time::Duration;

use message_core::prelude::*;

use crate::Failure;

/// The number of deliveries in a frame.
const DELIVERIES: u32 = 100_000;
const FRAME: Duration = Duration::from_millis(16);
/// The number of receivers of single sends.
const FEW: u32 = 10_000;
/// The number of messages that each sender sends in a frame.
const NESTED: u32 = 100;

pub(crate) struct Workload {
    pub(crate) name: &'static str,
    pub(crate) world: fn() -> Result<MessageManager, Failure>,
    pub(crate) frame: fn(&mut MessageManager),
}

pub(crate) const WORKLOADS: &[Workload] = &[
    Workload {
        name: "broadcast",
        world: crowd,
        frame: broadcast,
    },
    Workload {
        name: "sends",
        world: few,
        frame: sends,
    },
    Workload {
        name: "posts",
        world: few,
        frame: posts,
    },
    Workload {
        name: "handlers",
        world: senders,
        frame: handlers,
    },
];

#[derive(Message, Clone, Debug)]
struct Push {
    by: u32,
}

#[derive(Message, Clone, Debug)]
struct Think;

/// About as large as a component in a game: one cache line.
struct Body {
    pushed: u32,
    at: [f32; 15],
}

#[handlers]
impl Body {
    #[on_receive]
    fn push(&mut self, push: &Push) {
        self.pushed = self.pushed.wrapping_add(push.by);
        for at in &mut self.at {
            *at = *at * 0.5 + 1.0;
        }
    }
}

/// Sends to many receivers in each frame.
struct Mind {
    next: u32,
    others: std::sync::Arc<[MessageeId]>,
}

#[handlers]
impl Mind {
    #[on_receive]
    fn think(&mut self, _: &Think, cx: &mut Context<'_>) {
        for _ in 0..NESTED - 1 {
            self.next = next(self.next);
            let to = self.others[self.next as usize % self.others.len()];
            // The receivers live as long as the manager.
            let _ = cx.send(to, Push { by: 1 });
        }
    }
}

fn next(seed: u32) -> u32 {
    seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)
}

fn bodies(manager: &mut MessageManager, count: u32) -> Vec<MessageeId> {
    let body = || Body {
        pushed: 0,
        at: [0.0; 15],
    };
    (0..count).map(|_| manager.spawn((body(),))).collect()
}

fn crowd() -> Result<MessageManager, Failure> {
    let mut manager = MessageManager::new();
    bodies(&mut manager, DELIVERIES);
    Ok(manager)
}

fn few() -> Result<MessageManager, Failure> {
    let mut manager = MessageManager::new();
    bodies(&mut manager, FEW);
    Ok(manager)
}

fn senders() -> Result<MessageManager, Failure> {
    let mut manager = MessageManager::new();
    let others: std::sync::Arc<[MessageeId]> = bodies(&mut manager, FEW).into();
    for seed in 0..DELIVERIES / NESTED {
        let (next, others) = (next(seed), std::sync::Arc::clone(&others));
        manager.spawn((Mind { next, others },));
    }
    Ok(manager)
}

fn broadcast(manager: &mut MessageManager) {
    manager.tick(FRAME);
    let _ = manager.send(Everyone, Push { by: 1 });
}

/// Sends to everyone in shuffled order, ten times.
fn sends(manager: &mut MessageManager) {
    manager.tick(FRAME);
    let all: Vec<MessageeId> = manager.messagees().collect();
    let mut seed = 1;
    for _ in 0..DELIVERIES {
        seed = next(seed);
        let _ = manager.send(all[seed as usize % all.len()], Push { by: 1 });
    }
}

fn posts(manager: &mut MessageManager) {
    let all: Vec<MessageeId> = manager.messagees().collect();
    let mut seed = 1;
    for _ in 0..DELIVERIES {
        seed = next(seed);
        let to = all[seed as usize % all.len()];
        let _ = manager.post(Header::to(to).stage(Stage::Update), Push { by: 1 });
    }
    manager.tick(FRAME);
}

fn handlers(manager: &mut MessageManager) {
    manager.tick(FRAME);
    let _ = manager.send(Everyone, Think);
}
