//! Posts: each is posted and delivered, or cancelled.

use std::hint::black_box;
use std::time::Duration;

use message_core::Component;
use message_core::prelude::*;

use crate::{Function, OBJECTS, OPERATIONS, Round};

pub(crate) const FUNCTIONS: [Function; 4] = [
    Function::new("post", || post::<Health, _>(together(), |_| SHOT)),
    Function::new("post-word", || post::<Clock, _>(apart(), Tick)),
    Function::new("post-context", || post::<Shield, _>(together(), |_| ARROW)),
    Function::new("cancel", cancel),
];

/// The number of frames in which the posts are due.
const FRAMES: u32 = 8;

/// The duration of a frame.
const FRAME: Duration = Duration::from_millis(16);

#[derive(Message)]
struct Shot([f32; 4]);

/// LLVM can split a message of one integer field into bits.
#[derive(Message)]
struct Tick(u64);

#[derive(Message)]
struct Arrow([f32; 4]);

const SHOT: Shot = Shot([0.5; 4]);
const ARROW: Arrow = Arrow([0.5; 4]);

#[derive(Default)]
struct Health(f32);

#[handlers]
impl Health {
    #[on_receive]
    fn on_shot(&mut self, shot: &Shot) {
        self.0 -= shot.0[1];
    }
}

#[derive(Default)]
struct Clock(u64);

#[handlers]
impl Clock {
    #[on_receive]
    fn on_tick(&mut self, tick: &Tick) {
        self.0 = self.0.wrapping_add(tick.0);
    }
}

#[derive(Default)]
struct Shield(f32);

#[handlers]
impl Shield {
    #[on_receive]
    fn on_arrow(&mut self, arrow: &Arrow, _: &mut Context<'_>) {
        self.0 -= arrow.0[1];
    }
}

/// A schedule that posts to each of the objects in turn.
struct Schedule {
    manager: MessageManager,
    ids: Vec<MessageeId>,
    /// The headers of the posts, which are used in turn.
    headers: Vec<Header>,
}

impl Schedule {
    fn of<C: Component + Default>(headers: Vec<Header>) -> Self {
        let mut manager = MessageManager::new();
        let ids = (0..OBJECTS).map(|_| manager.spawn((C::default(),)));
        Self {
            ids: ids.collect(),
            headers,
            manager,
        }
    }

    fn post<M: Message>(&mut self, number: usize, message: M) -> Ticket {
        let to = self.ids[number % self.ids.len()];
        let header = &self.headers[number % self.headers.len()];
        let posted = self.manager.post_to(to, header, message);
        posted.expect("everyone is alive")
    }

    /// Runs the frames and returns the number of messages that were delivered.
    fn deliver(&mut self) -> usize {
        let frame = |_| self.manager.tick(FRAME).delivered;
        (0..FRAMES).map(frame).sum()
    }
}

/// Returns headers that are due in each of the frames in turn: many posts are in one batch.
fn together() -> Vec<Header> {
    let header = |delay| Header::to(Everyone).after_frames(u64::from(delay)).build();
    let headers = (1..=FRAMES).map(header).collect::<Result<_, _>>();
    headers.expect("they are complete")
}

/// Returns headers that are each due at a time of their own: no two posts are in one batch.
fn apart() -> Vec<Header> {
    let all = u32::try_from(OPERATIONS).expect("a round is small");
    let header = |number| {
        Header::to(Everyone)
            .after(FRAME * FRAMES * number / all)
            .build()
    };
    let headers = (1..=all).map(header).collect::<Result<_, _>>();
    headers.expect("they are complete")
}

fn post<C: Component + Default, M: Message>(headers: Vec<Header>, message: fn(u64) -> M) -> Round {
    let mut schedule = Schedule::of::<C>(headers);
    Box::new(move || {
        for number in 0..OPERATIONS {
            schedule.post(number, message(black_box(number as u64)));
        }
        assert_eq!(schedule.deliver(), OPERATIONS);
    })
}

/// Posts messages, cancels all of them, and runs the frames in which they would have been due.
fn cancel() -> Round {
    let mut schedule = Schedule::of::<Health>(together());
    let mut tickets = Vec::with_capacity(OPERATIONS);
    Box::new(move || {
        for number in 0..OPERATIONS {
            tickets.push(schedule.post(number, SHOT));
        }
        for ticket in tickets.drain(..) {
            assert_eq!(schedule.manager.cancel(ticket), 1);
        }
        assert_eq!(schedule.deliver(), 0);
    })
}
