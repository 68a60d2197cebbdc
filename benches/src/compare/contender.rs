//! Implementations of a workload.

use std::time::{Duration, Instant};

use super::size::Size;
use super::workload::Workload;

/// An implementation of a workload: a row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// The workload.
    pub workload: Workload,
    /// The name: `message-core: …`, `floor: …`, or `peer NAME: …`.
    pub name: &'static str,
    /// Creates everything that is not timed: the objects, the order, the addresses.
    pub prepare: Prepare,
}

impl Contender {
    /// Returns a contender with that name.
    #[must_use]
    pub fn new(workload: Workload, name: &'static str, prepare: Prepare) -> Self {
        Self {
            workload,
            name,
            prepare,
        }
    }

    /// Returns whether this is the plain Rust that the others are measured against.
    #[must_use]
    pub fn is_floor(&self) -> bool {
        self.name.starts_with("floor: ")
    }

    /// Returns whether this is message-core.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.name.starts_with("message-core: ")
    }
}

/// A function that prepares a workload.
pub type Prepare = fn(Size) -> Box<dyn Trial>;

/// A prepared workload.
pub trait Trial {
    /// Runs one repetition: all the work, and nothing else. It may be called again; the states continue from
    /// where they are.
    fn run(&mut self);

    /// Returns the part of the last repetition that is subtracted from its time: the work that brings the
    /// states back to where a pass can begin again.
    fn apart(&self) -> Duration {
        Duration::ZERO
    }

    /// Runs one repetition and returns its duration, without the time that [`apart`](Self::apart) returns.
    fn timed(&mut self) -> Duration {
        let start = Instant::now();
        self.run();
        start.elapsed().saturating_sub(self.apart())
    }

    /// Returns the checksum of the states. It is called once, after the last repetition, and may consume
    /// whatever it needs.
    fn checksum(&mut self) -> u64;
}
