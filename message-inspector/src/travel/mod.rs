//! Logs that pages have opened: each is a world of its own, which is replayed on its own thread and can be looked at in
//! any frame.
//!
//! A request changes the goal, and the thread goes there in slices, between which it answers pages. So no request takes
//! longer than one frame of the log, and neither the program nor the server waits for a replay.

mod change;
mod delivery;
mod traveller;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::shared::{Refusal, Shared, lock};

pub(crate) use traveller::open;

/// The maximum number of logs that are open at the same time.
pub(crate) const MOST: usize = 4;
/// How many orders can wait for a replay.
const ORDERS: usize = 16;

/// A request to a replay.
#[derive(Debug)]
pub(crate) enum Order {
    /// Goes to a frame.
    Go(u64),
    /// Goes to the last change of a component, or of its field.
    Who {
        messagee: String,
        component: String,
        field: String,
    },
    /// Reads the value of a component before and after a delivery.
    Delivery(u64),
    /// Leaves the log, and goes on from this frame.
    RunOn,
}

/// The state of a replay, as pages see it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    first: u64,
    last: u64,
    frame: u64,
    goal: Option<u64>,
    /// The frame in which the log was left.
    forked_at: Option<u64>,
    trouble: Option<String>,
    change: Option<Value>,
    /// Whether the server has the events of this state.
    is_known: bool,
    /// How many orders wait or are carried out.
    orders: usize,
}

/// The replay of a world, as the server sees it.
#[derive(Debug)]
pub(crate) struct Travel {
    orders: SyncSender<Order>,
    told: Mutex<Told>,
}

impl Travel {
    /// Queues an order, and returns the state.
    pub(crate) fn order(&self, order: Order) -> Result<Value, Refusal> {
        lock(&self.told).orders += 1;
        if let Err(error) = self.orders.try_send(order) {
            lock(&self.told).orders -= 1;
            return Err(match error {
                TrySendError::Full(_) => busy("too many requests wait for this replay"),
                TrySendError::Disconnected(_) => crate::shared::detached(),
            });
        }
        Ok(self.told())
    }

    pub(crate) fn told(&self) -> Value {
        let told = lock(&self.told).clone();
        json!({
            "first": told.first,
            "last": told.last,
            "frame": told.frame,
            "goal": told.goal,
            "working": told.goal.is_some() || told.orders > 0 || !told.is_known,
            "forked_at": told.forked_at,
            "trouble": told.trouble,
            "change": told.change,
        })
    }
}

/// The room of an open log.
#[derive(Debug)]
pub(crate) struct Room(Arc<AtomicUsize>);

impl Room {
    /// Takes the room of one log.
    pub(crate) fn take(shared: &Shared) -> Result<Self, Refusal> {
        let open = &shared.open_logs;
        let taken = open.fetch_update(Ordering::AcqRel, Ordering::Acquire, |open| {
            (open < MOST).then_some(open + 1)
        });
        match taken {
            Ok(_) => Ok(Self(Arc::clone(open))),
            Err(_) => Err(busy(format!("{MOST} logs are open: close one first"))),
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn busy(text: impl Into<String>) -> Refusal {
    Refusal::new(429, "busy", text)
}
