//! The selected letters of a frame, in the order published. This does not depend on the type of the messages, so it is
//! compiled once.
//!
//! Equal postmarks in a row are judged once. The letters for one messagee come from an index where there is one, and
//! otherwise from a look at each id.

use std::iter::Flatten;
use std::ops::Range;
use std::{slice, vec};

use super::choice::{Choice, To};
use super::letters::Letters;
use crate::address::Recipient;
use crate::sort::sort_by_number;

/// The positions of letters, or the numbers of runs.
#[derive(Clone)]
pub(super) enum Numbers<'a> {
    All(Range<u32>),
    Listed(slice::Iter<'a, u32>),
    /// In a box, so that the others are told apart at once: W6.
    Rows(Box<Flatten<vec::IntoIter<Range<u32>>>>),
}

impl Iterator for Numbers<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match self {
            Self::All(numbers) => numbers.next(),
            Self::Listed(numbers) => numbers.next().copied(),
            Self::Rows(rows) => next_in(rows),
        }
    }
}

/// Returns the next number. Not compiled into every loop over letters: W6-pass.
#[inline(never)]
fn next_in(rows: &mut Flatten<vec::IntoIter<Range<u32>>>) -> Option<u32> {
    rows.next()
}

impl Choice<'_> {
    /// Returns the positions of the selected letters of a frame.
    #[inline(never)]
    pub(super) fn select<'l>(&self, letters: &'l Letters) -> Numbers<'l> {
        let (postmarks, none) = (&letters.postmarks, Numbers::All(0..0));
        let Choice {
            whose, from, tags, ..
        } = *self;
        let is_tagged = || letters.message(0).facts().tags().intersects(tags);
        if postmarks.count == 0 || !(tags.is_empty() || is_tagged()) {
            return none;
        }
        let id = match whose {
            To::Own(id) | To::Reaching(id) => Some(id),
            _ => None,
        };
        let found = id.and_then(|id| postmarks.for_one(id));
        let runs = match (whose, from) {
            (To::None, _) => return none,
            (To::Any, None) => return Numbers::All(0..postmarks.count),
            (To::Own(_), _) if found.is_some() => none,
            (To::Reaching(_), _) if found.is_some() => Numbers::Listed(postmarks.shared.iter()),
            (To::Written(_), _) => Numbers::Listed(postmarks.shared.iter()),
            (_, Some(sender)) => postmarks.runs_from(sender),
            _ => postmarks.all_runs(),
        };
        let mut rows = Vec::new();
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
                return Numbers::Listed(found.candidates.iter());
            }
            let own = found.candidates.iter().copied().filter(|&at| {
                let letter = postmarks.get(at);
                let is_own = letter.to == Recipient::Id(id) || letter.address == Some(id);
                is_own && from.is_none_or(|sender| sender == letter.sender)
            });
            rows.extend(own.map(|at| at..at + 1));
            sort_by_number(&mut rows, |row| row.start.into());
        }
        match &rows[..] {
            [row] => Numbers::All(row.clone()),
            _ => Numbers::Rows(Box::new(rows.into_iter().flatten())),
        }
    }
}
