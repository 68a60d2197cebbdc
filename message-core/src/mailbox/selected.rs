//! The selected letters of a frame, in the order published. This does not depend on the type of the messages, so it is
//! compiled once.
//!
//! Equal postmarks in a row are judged once. The letters for one messagee come from an index where there is one, and
//! otherwise from a look at each id.

use std::ops::Range;
use std::slice;

use crate::address::Recipient;
use crate::mailbox::choice::To;
use crate::mailbox::{Choice, Letters};
use crate::sort::sort_by_number;

/// The positions of letters, or the numbers of runs.
#[derive(Clone)]
pub(super) enum Numbers<'a> {
    All(Range<u32>),
    Listed(slice::Iter<'a, u32>),
}

impl Iterator for Numbers<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match self {
            Self::All(numbers) => numbers.next(),
            Self::Listed(numbers) => numbers.next().copied(),
        }
    }
}

/// The positions of the selected letters of a frame: of those side by side, or of those that an index has found.
#[derive(Default)]
pub(super) struct Selected<'a> {
    pub(super) rows: Vec<Range<u32>>,
    pub(super) listed: &'a [u32],
}

impl Choice<'_> {
    /// Selects among the letters of a frame behind the first ones, which were read.
    #[cold]
    pub(super) fn select_behind<'l>(&self, letters: &'l Letters, read: u64) -> Selected<'l> {
        let read = u32::try_from(read).unwrap_or(u32::MAX);
        let Selected {
            mut rows,
            mut listed,
        } = self.select(letters);
        for row in &mut rows {
            row.start = read.clamp(row.start, row.end);
        }
        listed = &listed[listed.partition_point(|at| *at < read)..];
        Selected { rows, listed }
    }

    /// Selects among the letters of a frame.
    #[inline(never)]
    pub(super) fn select<'l>(&self, letters: &'l Letters) -> Selected<'l> {
        let (postmarks, mut rows) = (&letters.postmarks, Vec::new());
        let (whose, from, tags) = (self.whose, self.from, self.tags);
        let is_tagged = || letters.message(0).facts().tags().intersects(tags);
        if postmarks.count == 0 || !(tags.is_empty() || is_tagged()) {
            return Selected::default();
        }
        let id = match whose {
            To::Own(id) | To::Reaching(id) => Some(id),
            _ => None,
        };
        let found = id.and_then(|id| postmarks.for_one(id));
        let runs = match (whose, from) {
            (To::None, _) => return Selected::default(),
            (To::Any, None) => {
                rows.push(0..postmarks.count);
                Numbers::All(0..0)
            }
            (To::Own(_), _) if found.is_some() => Numbers::All(0..0),
            (To::Reaching(_), _) if found.is_some() => Numbers::Listed(postmarks.shared.iter()),
            (To::Written(_), _) => Numbers::Listed(postmarks.shared.iter()),
            (_, Some(sender)) => postmarks.runs_from(sender),
            _ => postmarks.all_runs(),
        };
        for number in runs {
            let (run, positions) = postmarks.run(number);
            if from.is_some_and(|sender| sender != run.postmark.sender) {
                continue;
            }
            match id {
                Some(id) if run.is_to_ids() => {
                    let ids = postmarks.ids_of(run, positions.len());
                    let own = positions.zip(ids).filter(|(_, other)| **other == id);
                    rows.extend(own.map(|(at, _)| at..at + 1));
                }
                _ if self.includes(&run.postmark, found.is_some()) => rows.push(positions),
                _ => {}
            }
        }
        if let (Some(id), Some(found)) = (id, found) {
            if found.is_exact && from.is_none() && rows.is_empty() {
                let listed = found.candidates;
                return Selected { rows, listed };
            }
            let own = found.candidates.iter().copied().filter(|&at| {
                let letter = postmarks.get(at);
                let is_own = letter.to == Recipient::Id(id) || letter.address == Some(id);
                is_own && from.is_none_or(|sender| sender == letter.sender)
            });
            rows.extend(own.map(|at| at..at + 1));
            sort_by_number(&mut rows, |row| row.start.into());
        }
        Selected { rows, listed: &[] }
    }
}
