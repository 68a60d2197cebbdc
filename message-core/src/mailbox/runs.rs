//! Runs: letters in a row that one call has published.
//!
//! Their marks are the same but for the number, and the numbers follow on. So what a call puts on its
//! letters stands once for all of them, and to put one more letter in is a comparison.

use std::ops::Range;

use super::FEW;
use super::index::Lazy;
use super::letter::Mark;
use super::letters::take_room;
use crate::address::{MessageeId, Sender};

/// Letters in a row that bear the same marks, with numbers that follow on.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: u32,
    /// That of the first of them.
    mark: Mark,
}

impl Run {
    /// The mark of the letter at that position, if it belongs to the run.
    #[inline]
    fn mark_at(&self, at: u32) -> Mark {
        Mark {
            number: self.mark.number + u64::from(at - self.first),
            trace: self.mark.trace.map(|first| first.plus(at - self.first)),
            ..self.mark
        }
    }

    /// Returns `true` if a letter at that position with that mark belongs to the run.
    fn goes_on_with(&self, at: u32, mark: &Mark) -> bool {
        let further = at - self.first;
        let traces_follow_on = match (self.mark.trace, mark.trace) {
            (None, None) => true,
            (Some(first), Some(trace)) => first.plus(further) == trace,
            _ => false,
        };
        self.mark.number + u64::from(further) == mark.number
            && self.mark.sender == mark.sender
            && std::ptr::eq(self.mark.place, mark.place)
            && self.mark.time == mark.time
            && traces_follow_on
    }
}

/// The runs of the letters of one type and frame.
#[derive(Default)]
pub(super) struct Runs {
    runs: Vec<Run>,
    by_sender: Lazy,
}

impl Runs {
    /// Puts a letter in, at the position behind the last. Returns `true` if a run begins with it.
    pub(super) fn push(&mut self, at: u32, mark: Mark) -> bool {
        match self.runs.last() {
            Some(run) if run.goes_on_with(at, &mark) => false,
            _ => {
                self.runs.push(Run { first: at, mark });
                true
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    /// The mark of the letter at that position.
    #[inline]
    pub(super) fn mark(&self, at: u32) -> Mark {
        let behind = match self.runs.len() {
            1 => 1,
            _ => self.runs.partition_point(|run| run.first <= at),
        };
        self.runs[behind - 1].mark_at(at)
    }

    /// Who has sent a run of letters, and their positions, when there are so many letters.
    pub(super) fn run(&self, at: usize, count: u32) -> (Sender, Range<u32>) {
        let run = &self.runs[at];
        (run.mark.sender, run.first..self.start(at + 1, count))
    }

    /// Where that run begins, or the letters end.
    fn start(&self, at: usize, count: u32) -> u32 {
        self.runs.get(at).map_or(count, |run| run.first)
    }

    /// The runs of letters from one messagee, if there are so many that they have an index. Nothing
    /// may be added after that.
    pub(super) fn of(&self, id: MessageeId) -> Option<&[u32]> {
        (self.runs.len() > FEW).then(|| {
            let senders = self.runs.iter().map(|run| run.mark.sender.id());
            let index = self.by_sender.get(|| senders);
            let Range { start, end } = index.of(id);
            &index.positions()[start as usize..end as usize]
        })
    }

    /// The position of the first letter whose number is this one or a later one, when there are so many
    /// letters.
    pub(super) fn position_of_number(&self, number: u64, count: u32) -> u32 {
        let behind = self.runs.partition_point(|run| run.mark.number <= number);
        let Some(run) = behind.checked_sub(1).map(|at| &self.runs[at]) else {
            return 0;
        };
        let into = u32::try_from(number - run.mark.number).unwrap_or(u32::MAX);
        let at = run.first.saturating_add(into);
        at.min(self.start(behind, count))
    }

    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.by_sender.clear();
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.runs.shrink_to_fit();
        self.by_sender.shrink_to_fit();
    }

    /// Takes over the room of runs that were cleared, where there is none yet.
    pub(super) fn take_room_of(&mut self, cleared: &mut Self) {
        take_room(&mut self.runs, &mut cleared.runs);
    }

    /// As [`take_room_of`](Self::take_room_of), for the index.
    pub(super) fn take_index_of(&mut self, cleared: &mut Self) {
        self.by_sender.take_room_of(&mut cleared.by_sender);
    }
}
