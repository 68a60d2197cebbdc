//! A hierarchical timing wheel, whose unit of time is a frame.

use std::rc::Rc;
use std::time::Duration;

use hierarchical_hash_wheel_timer::wheels::cancellable::{self, CancellableTimerEntry};
use hierarchical_hash_wheel_timer::wheels::quad_wheel::{self, no_prune};

use super::harness::{Aimed, Queue, QueueWithCancel};

pub(super) struct Wheel {
    wheel: quad_wheel::QuadWheelWithOverflow<Aimed>,
    now: u32,
}

impl Default for Wheel {
    fn default() -> Self {
        let wheel = quad_wheel::QuadWheelWithOverflow::new(no_prune);
        Self { wheel, now: 0 }
    }
}

impl Queue for Wheel {
    fn post(&mut self, frame: u32, _: u32, shot: Aimed) {
        let inserted = self.wheel.insert_with_delay(shot, delay(self.now, frame));
        inserted.expect("it is not due yet");
    }

    fn deliver(&mut self, frame: u32, hit: impl FnMut(Aimed)) {
        self.now = frame;
        self.wheel.tick().into_iter().for_each(hit);
    }
}

/// An entry that can be found by its number.
#[derive(Debug)]
struct Numbered {
    number: u32,
    shot: Aimed,
}

impl CancellableTimerEntry for Numbered {
    type Id = u32;

    fn id(&self) -> &u32 {
        &self.number
    }
}

pub(super) struct WheelWithCancel {
    wheel: cancellable::QuadWheelWithOverflow<Numbered>,
    now: u32,
}

impl Default for WheelWithCancel {
    fn default() -> Self {
        let wheel = cancellable::QuadWheelWithOverflow::new();
        Self { wheel, now: 0 }
    }
}

impl QueueWithCancel for WheelWithCancel {
    /// The number of the message.
    type Ticket = u32;

    fn post(&mut self, frame: u32, number: u32, shot: Aimed) -> u32 {
        let entry = Rc::new(Numbered { number, shot });
        let inserted = self
            .wheel
            .insert_ref_with_delay(entry, delay(self.now, frame));
        inserted.expect("it is not due yet");
        number
    }

    fn cancel(&mut self, number: u32) {
        self.wheel.cancel(&number).expect("it is not delivered yet");
    }

    fn deliver(&mut self, frame: u32, mut hit: impl FnMut(Aimed)) {
        self.now = frame;
        for entry in self.wheel.tick() {
            hit(entry.shot);
        }
    }
}

fn delay(now: u32, frame: u32) -> Duration {
    Duration::from_millis(u64::from(frame - now))
}
