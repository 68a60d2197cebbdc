//! The selected letters, frame by frame, in the order published. This does not depend on the type of the messages, so it
//! is compiled once.
//!
//! Equal postmarks in a row are judged once. The letters for one messagee come from an index where there is one, and
//! otherwise from a look at each id.

use std::collections::vec_deque;
use std::ops::Range;
use std::{slice, vec};

use super::Mailbox;
use super::choice::{Choice, To};
use super::letters::Letters;
use crate::address::Recipient;
use crate::sort::sort_by_number;

#[derive(Clone)]
pub(super) struct Selected<'a> {
    choice: Choice<'a>,
    /// The frames that are still to be searched.
    frames: vec_deque::Iter<'a, Letters>,
    /// The frame that was searched last.
    letters: Option<&'a Letters>,
    /// The selected letters that are left of it: those side by side, or those that an index has found.
    rows: vec::IntoIter<Range<u32>>,
    listed: slice::Iter<'a, u32>,
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
    /// Selects among the letters of the last frame, or among all from an ordinal on, with which a frame begins.
    #[inline(never)]
    pub(super) fn new(
        choice: Choice<'a>,
        mailbox: Option<&'a Mailbox>,
        since: Option<u64>,
    ) -> Self {
        let frames = match (mailbox, since) {
            (None, _) => vec_deque::Iter::default(),
            (Some(mailbox), None) => mailbox.last(choice.mail.frame),
            (Some(mailbox), Some(since)) => mailbox.since(since),
        };
        Self {
            choice,
            frames,
            letters: None,
            rows: Vec::new().into_iter(),
            listed: [].iter(),
        }
    }

    /// Selects among the letters of one frame.
    pub(super) fn of(choice: Choice<'a>, letters: &'a Letters) -> Self {
        let mut it = Self::new(choice, None, None);
        it.search(letters);
        it
    }

    fn search(&mut self, letters: &'a Letters) {
        self.letters = Some(letters);
        let postmarks = &letters.postmarks;
        let Choice {
            whose, from, tags, ..
        } = self.choice;
        let is_tagged = || letters.message(0).facts().tags().intersects(tags);
        if postmarks.count == 0 || !(tags.is_empty() || is_tagged()) {
            return;
        }
        let mut rows = Vec::new();
        let id = match whose {
            To::Own(id) | To::Reaching(id) => Some(id),
            _ => None,
        };
        let found = id.and_then(|id| postmarks.for_one(id));
        let runs = match (whose, from) {
            (To::None, _) => return,
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
                _ if self.choice.includes(&run.postmark, found.is_some()) => rows.push(positions),
                _ => {}
            }
        }
        if let (Some(id), Some(found)) = (id, found) {
            if found.is_exact && from.is_none() && rows.is_empty() {
                self.listed = found.candidates.iter();
            } else {
                let own = found.candidates.iter().copied().filter(|&at| {
                    let letter = postmarks.get(at);
                    let is_own = letter.to == Recipient::Id(id) || letter.address == Some(id);
                    is_own && from.is_none_or(|sender| sender == letter.sender)
                });
                rows.extend(own.map(|at| at..at + 1));
                sort_by_number(&mut rows, |row| row.start.into());
            }
        }
        self.rows = rows.into_iter();
    }
}

/// The letters whose messages lie side by side or are listed, as many at once as are known.
impl<'a> Iterator for Selected<'a> {
    type Item = (&'a Letters, Numbers<'a>);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(letters) = self.letters {
                if self.listed.len() > 0 {
                    let listed = std::mem::take(&mut self.listed);
                    return Some((letters, Numbers::Listed(listed)));
                }
                if let Some(row) = self.rows.next() {
                    return Some((letters, Numbers::All(row)));
                }
            }
            let letters = self.frames.next()?;
            self.search(letters);
        }
    }
}
