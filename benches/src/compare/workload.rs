//! The workloads and their sizes.

use std::fmt;

use super::rows::{ROWS, Row};
use super::size::Size;

/// A row of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "`title` says what each is")]
pub enum Workload {
    W1,
    W1Two,
    W1Second,
    W1Watched,
    W1PastType,
    W1PastTo,
    W1PastFrom,
    W1PastMany,
    W1PastTag,
    W1Unhook,
    W1Mnemonic,
    W1Group,
    W1Up,
    W1Traced,
    W2Of1k,
    W2Of100k,
    W2Of1M,
    W2Layouts,
    W2Context,
    W2Dying,
    W3Out,
    W3In,
    W3Two,
    W3Watched,
    W3Unhook,
    W4,
    W5,
    W5Cancel,
    W5Context,
    W5Word,
    W5Mixed,
    W5Batch,
    W5Heard,
    W5Header,
    W5Two,
    W5Ten,
    W5One,
    W6,
    W6Pass,
    W6Batch,
    W7,
    W8,
    W8Two,
    W8Watched,
    W8Unhook,
    W9,
    W9Fifth,
    W9Many,
    #[cfg(feature = "rooms")]
    W10,
    #[cfg(feature = "rooms")]
    W10Frame,
}

/// A row that another row departs from, and the goal for the ratio of the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    /// The row that this one is compared with, both by message-core. If it is the row itself, message-core's first
    /// line is compared with its second line, which does the same with plain sends.
    pub from: Workload,
    /// The goal: the maximum ratio of this row to that one, both by message-core.
    pub goal: f64,
}

impl Workload {
    /// All workloads, in the order of the table.
    pub const ALL: [Self; ROWS.len()] = {
        let mut all = [Self::W1; ROWS.len()];
        let mut at = 0;
        while at < ROWS.len() {
            all[at] = ROWS[at].workload;
            at += 1;
        }
        all
    };

    /// The broadcasts, which differ only in size.
    pub const W2: [Self; 3] = [Self::W2Of1k, Self::W2Of100k, Self::W2Of1M];

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns the name used in the table and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns a description of the work.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Returns the goal: the maximum ratio of message-core to the floor, if there is one.
    #[must_use]
    pub fn target(self) -> Option<f64> {
        self.row().target
    }

    /// Returns the row that this one departs from, and the maximum ratio to it.
    #[must_use]
    pub fn departure(self) -> Option<Departure> {
        self.row().departure
    }

    /// Returns the size of one repetition in the comparison.
    #[must_use]
    pub fn size(self) -> Size {
        self.row().size
    }

    /// Returns a size that is small enough for a quick test.
    #[must_use]
    pub fn small_size(self) -> Size {
        let size = self.size();
        Size {
            objects: size.objects.min(100),
            messages: size.messages.min(1_000),
            frames: size.frames.min(10),
            passes: size.passes.min(3),
        }
    }

    /// Returns the number of sends, deliveries, requests, messages or hops for a size.
    #[must_use]
    pub fn operations(self, size: Size) -> usize {
        self.row().unit.count(size)
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::{Departure, ROWS, Workload};

    #[test]
    fn every_workload_has_its_row_in_its_place() {
        for (at, row) in ROWS.iter().enumerate() {
            assert_eq!(row.workload as usize, at, "{}", row.name);
            assert_eq!(row.workload.name(), row.name);
        }
    }

    #[test]
    fn what_a_row_departs_from_departs_from_nothing() {
        for workload in Workload::ALL {
            let Some(Departure { from, goal }) = workload.departure() else {
                continue;
            };
            assert!(from == workload || from.departure().is_none(), "{from}");
            assert!(goal > 1.0);
        }
    }
}
