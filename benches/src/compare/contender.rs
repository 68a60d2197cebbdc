//! One way to do a workload.

use std::time::{Duration, Instant};

use super::size::Size;
use super::workload::Workload;

/// One way to do a workload: a row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// What it does.
    pub workload: Workload,
    /// Its name: `message-core: …`, `floor: …`, or `peer NAME: …`.
    pub name: &'static str,
    /// Makes everything that is not timed: the objects, the order, the addresses.
    pub prepare: Prepare,
}

impl Contender {
    /// One of that name.
    #[must_use]
    pub fn new(workload: Workload, name: &'static str, prepare: Prepare) -> Self {
        Self {
            workload,
            name,
            prepare,
        }
    }

    /// Whether it is the plain Rust that the others are measured against.
    #[must_use]
    pub fn is_floor(&self) -> bool {
        self.name.starts_with("floor: ")
    }

    /// Whether it is message-core.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.name.starts_with("message-core: ")
    }
}

/// What makes a workload ready.
pub type Prepare = fn(Size) -> Box<dyn Trial>;

/// A workload that is prepared.
pub trait Trial {
    /// One repetition: all the work, and only that. It may be called again; the states go on from
    /// where they are.
    fn run(&mut self);

    /// Returns how much of the last repetition is counted apart, and taken off its time: what brings
    /// the states back to where a pass can begin again.
    fn apart(&self) -> Duration {
        Duration::ZERO
    }

    /// Runs one repetition, and returns what it has taken, less what is counted apart.
    fn timed(&mut self) -> Duration {
        let start = Instant::now();
        self.run();
        start.elapsed().saturating_sub(self.apart())
    }

    /// The checksum of the states, called once after the last repetition. It may use up what it
    /// needs.
    fn checksum(&mut self) -> u64;
}
