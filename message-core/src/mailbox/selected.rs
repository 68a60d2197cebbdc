//! The selected letters of one frame, in the order published.
//!
//! Equal envelopes in a row are judged once. The letters for one messagee come from an index where there is one, and
//! otherwise from a look at each id.

use std::ops::Range;
use std::slice;

use super::choice::{Choice, To};
use super::envelopes::{Envelopes, Run};
use super::index::Found;
use crate::address::MessageeId;

/// The positions of the selected letters.
#[derive(Clone)]
pub(super) struct Selected<'a> {
    choice: Choice<'a>,
    envelopes: &'a Envelopes,
    /// Letters before this position are left out.
    start: u32,
    /// The letters for one messagee that an index has found.
    found: slice::Iter<'a, u32>,
    /// `true` if each of them is for the messagee.
    is_exact: bool,
    /// The runs still to be judged.
    runs: Numbers<'a>,
    /// The rest of the run that was judged last.
    row: Range<u32>,
    /// The messagees of the letters in `row`, if each has to be compared.
    ids: slice::Iter<'a, MessageeId>,
}

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

impl<'a> Selected<'a> {
    /// Selects among the letters from a position on.
    pub(super) fn new(choice: Choice<'a>, envelopes: &'a Envelopes, start: u32) -> Self {
        let (mut row, mut found) = (0..0, None);
        let all = Numbers::All(0..envelopes.run_count());
        let shared = || Numbers::Listed(envelopes.shared().iter());
        let none = Numbers::All(0..0);
        let runs = match (choice.whose, choice.from) {
            (To::None, _) => none,
            (To::Any, None) => {
                row = start..envelopes.count;
                none
            }
            (To::Any, Some(sender)) => envelopes.runs_from(sender).map_or(all, Numbers::Listed),
            (To::Written(_), _) => shared(),
            (To::Own(id), _) => {
                found = envelopes.for_one(id);
                if found.is_some() { none } else { all }
            }
            (To::Reaching(id), _) => {
                found = envelopes.for_one(id);
                if found.is_some() { shared() } else { all }
            }
        };
        let is_indexed = found.is_some();
        let Found {
            mut candidates,
            is_exact,
        } = found.unwrap_or_default();
        if start > 0 && is_indexed {
            candidates = &candidates[candidates.partition_point(|&at| at < start)..];
        }
        Self {
            choice,
            envelopes,
            start,
            found: candidates.iter(),
            is_exact,
            runs,
            row,
            ids: [].iter(),
        }
    }

    /// Goes on to the next run in which something may be selected, once the last is read.
    fn has_run(&mut self) -> bool {
        while self.row.is_empty() {
            let Some(number) = self.runs.next() else {
                return false;
            };
            let (run, positions) = self.envelopes.run(number);
            let positions = positions.start.max(self.start)..positions.end;
            if positions.is_empty()
                || self
                    .choice
                    .from
                    .is_some_and(|sender| sender != run.envelope.sender)
            {
                continue;
            }
            if self.is_for_its_ids(run) {
                self.ids = self.envelopes.ids_of(run, &positions).iter();
                self.row = positions;
            } else if self.includes(run) {
                self.row = positions;
            }
        }
        true
    }

    /// Returns `true` if the letters of a run have to be compared one by one.
    fn is_for_its_ids(&self, run: &Run) -> bool {
        run.is_to_ids() && matches!(self.choice.whose, To::Own(_) | To::Reaching(_))
    }

    /// Judges all letters of a run.
    fn includes(&self, run: &Run) -> bool {
        let Choice {
            structure, whose, ..
        } = self.choice;
        let envelope = &run.envelope;
        match (whose, envelope.address) {
            (To::Any, _) => true,
            (To::None, _) => false,
            (To::Written(to), _) => envelope.to == to,
            (To::Own(id), address) => address == Some(id),
            // An index has found the letters for one messagee.
            (To::Reaching(id), Some(address)) => {
                matches!(self.runs, Numbers::All(_)) && address == id
            }
            (To::Reaching(id), None) => structure.is_meant(id, envelope.to, envelope.sender),
        }
    }

    /// Judges a letter that an index has found.
    fn is_meant(&self, at: u32) -> bool {
        if self.is_exact && self.choice.from.is_none() {
            return true;
        }
        let envelope = self.envelopes.get(at);
        self.choice.is_for(envelope.address)
            && self
                .choice
                .from
                .is_none_or(|sender| sender == envelope.sender)
    }
}

/// The letters whose messages lie side by side or are listed, as many at once as are known.
impl<'a> Iterator for Selected<'a> {
    type Item = Numbers<'a>;

    fn next(&mut self) -> Option<Numbers<'a>> {
        loop {
            let has_run = self.has_run();
            if has_run && self.found.len() == 0 && self.ids.len() == 0 {
                return Some(Numbers::All(std::mem::take(&mut self.row)));
            }
            if !has_run && self.is_exact && self.choice.from.is_none() && self.found.len() > 0 {
                return Some(Numbers::Listed(std::mem::take(&mut self.found)));
            }
            let found = self.found.as_slice().first().copied();
            let (at, is_meant) = match found.filter(|&at| !has_run || at < self.row.start) {
                Some(at) => {
                    self.found.next();
                    (at, self.is_meant(at))
                }
                None => {
                    let at = self.row.next()?;
                    let id = self.ids.next();
                    (at, id.is_none_or(|&id| self.choice.is_for(Some(id))))
                }
            };
            if is_meant {
                return Some(Numbers::All(at..at + 1));
            }
        }
    }
}
