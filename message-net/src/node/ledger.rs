//! The messages of this node to another one whose fate is not known yet.
//!
//! A session reports which batches the other node has accepted. Whether it has received or refused the messages in
//! them, its node says later: it sends the numbers of those that it has taken, in order. What was neither taken nor
//! lost when a run ends is reported as lost.

use std::collections::VecDeque;
use std::ops::AddAssign;

/// The maximum number of batches that are kept apart. Only a node that never says what it has taken exceeds it.
const MOST_BATCHES: usize = 1 << 14;

/// A number of messages, and of questions, which are counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) messages: u64,
    pub(crate) questions: u64,
}

impl Sum {
    pub(crate) fn all(self) -> u64 {
        self.messages.saturating_add(self.questions)
    }

    /// Counts one.
    pub(crate) fn count(&mut self, is_question: bool) {
        *self += Self::one(is_question);
    }

    fn one(is_question: bool) -> Self {
        Self {
            messages: u64::from(!is_question),
            questions: u64::from(is_question),
        }
    }

    /// Takes up to `most` of them away, messages first, and returns those.
    pub(crate) fn take(&mut self, most: u64) -> Self {
        let messages = self.messages.min(most);
        let taken = Self {
            messages,
            questions: self.questions.min(most - messages),
        };
        self.messages -= taken.messages;
        self.questions -= taken.questions;
        taken
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.messages = self.messages.saturating_add(other.messages);
        self.questions = self.questions.saturating_add(other.questions);
    }
}

/// The number of messages that a node has taken from another one, in this run of the other one, and how many of them
/// it has refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) messages: u64,
    pub(crate) refused: Sum,
}

/// The messages to one run of another node. They are numbered in the order sent; those that are lost at the end of a
/// session leave their numbers to the next ones.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// The number of messages before the first open one.
    front: u64,
    /// The batches that were neither taken nor lost, in the order sent.
    open: VecDeque<Sum>,
    /// The number of messages in them.
    len: u64,
    /// The number of refusals that have arrived.
    pub(crate) refused: Sum,
    /// The number of messages that the other node has counted.
    counted: u64,
    /// Whether the other node has sent a report in this session.
    has_report: bool,
    /// The number of messages that were open when the session began.
    before: u64,
    /// The number of messages that were reported as lost when a run ended, while the session has yet to report them.
    told: u64,
}

impl Ledger {
    /// Returns the number of the next message.
    pub(crate) fn next(&self) -> u64 {
        self.front + self.len
    }

    /// Returns the number of the first message that was neither taken nor lost.
    pub(crate) fn front(&self) -> u64 {
        self.front
    }

    /// Takes note of a batch that was handed over.
    pub(crate) fn send(&mut self, batch: Sum) {
        if batch == Sum::default() {
            return;
        }
        self.len += batch.all();
        self.open.push_back(batch);
        if self.open.len() > MOST_BATCHES
            && let Some(first) = self.open.pop_front()
            && let Some(second) = self.open.front_mut()
        {
            *second += first;
        }
    }

    /// Takes note that the session has lost the last messages. Returns those that were not reported yet.
    pub(crate) fn lose(&mut self, messages: u64) -> Sum {
        let known = messages.min(self.told);
        self.told -= known;
        let lost = take_out(self.open.iter_mut().rev(), messages - known);
        while self.open.back() == Some(&Sum::default()) {
            self.open.pop_back();
        }
        self.len -= lost.all();
        lost
    }

    /// Takes note that a session begins. Before the first report of the other node in it, that node has taken everything
    /// from earlier sessions. If the numbers differ, one of the two nodes has forgotten the other one in the meantime.
    pub(crate) fn begin_session(&mut self) {
        self.has_report = false;
        self.before = self.len;
        self.told = 0;
    }

    /// Takes a report of the other node. Returns the messages that it may not have received, or has refused without a
    /// notice that has arrived.
    pub(crate) fn take(&mut self, taken: Taken) -> Sum {
        let is_first = !std::mem::replace(&mut self.has_report, true);
        let new = if is_first {
            self.before
        } else {
            taken.messages.saturating_sub(self.counted)
        };
        let expected = self.counted.saturating_add(self.before);
        let is_forgotten = is_first && taken.messages != expected;
        self.counted = taken.messages;
        let known = std::mem::replace(&mut self.refused, taken.refused);
        let settled = self.settle(new);
        if is_forgotten {
            // The peer no longer knows which of these it has received.
            return settled;
        }
        Sum {
            messages: taken.refused.messages.saturating_sub(known.messages),
            questions: taken.refused.questions.saturating_sub(known.questions),
        }
    }

    /// Settles the first open messages, and returns them.
    fn settle(&mut self, messages: u64) -> Sum {
        let settled = take_out(self.open.iter_mut(), messages);
        while self.open.front() == Some(&Sum::default()) {
            self.open.pop_front();
        }
        (self.front, self.len) = (self.front + settled.all(), self.len - settled.all());
        settled
    }

    /// Ends the run of the other node. Returns the messages that it may not have taken.
    pub(crate) fn end(&mut self) -> Sum {
        let mut lost = Sum::default();
        for batch in self.open.drain(..) {
            lost += batch;
        }
        *self = Self {
            told: lost.all(),
            ..Self::default()
        };
        lost
    }
}

/// Takes messages out of batches, in this order, and returns them.
fn take_out<'a>(batches: impl Iterator<Item = &'a mut Sum>, mut most: u64) -> Sum {
    let mut all = Sum::default();
    for batch in batches {
        if most == 0 {
            break;
        }
        let taken = batch.take(most);
        most -= taken.all();
        all += taken;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(messages: u64, questions: u64) -> Sum {
        Sum {
            messages,
            questions,
        }
    }

    fn taken(messages: u64, refused: u64) -> Taken {
        let refused = sum(refused, 0);
        Taken { messages, refused }
    }

    #[test]
    fn what_was_neither_taken_nor_lost_is_lost_at_the_end() {
        let mut ledger = Ledger::default();
        ledger.begin_session();
        for batch in [sum(3, 1), sum(2, 0), sum(0, 5)] {
            ledger.send(batch);
        }
        // The other node lists nothing from before.
        assert_eq!(ledger.take(taken(0, 0)), sum(0, 0));
        assert_eq!(ledger.take(taken(5, 1)), sum(1, 0));
        assert_eq!((ledger.front(), ledger.next()), (5, 11));
        assert_eq!(ledger.lose(2), sum(0, 2));
        assert_eq!(ledger.end(), sum(1, 3));
        // The session reports them, too.
        assert_eq!(ledger.lose(4), sum(0, 0));
    }

    #[test]
    fn a_new_session_settles_what_the_earlier_ones_have_transferred() {
        let mut ledger = Ledger::default();
        ledger.begin_session();
        ledger.send(sum(8, 0));
        assert_eq!(ledger.take(taken(0, 0)), sum(0, 0));
        assert_eq!(ledger.take(taken(1, 0)), sum(0, 0));
        assert_eq!(ledger.lose(3), sum(3, 0));
        ledger.begin_session();
        ledger.send(sum(2, 0));
        assert_eq!(ledger.take(taken(5, 2)), sum(2, 0));
        assert_eq!((ledger.front(), ledger.next()), (5, 7));
        assert_eq!(ledger.take(taken(7, 2)), sum(0, 0));
        assert_eq!(ledger.end(), sum(0, 0));
    }

    #[test]
    fn what_a_node_has_forgotten_is_lost() {
        let mut ledger = Ledger::default();
        ledger.begin_session();
        ledger.send(sum(8, 1));
        assert_eq!(ledger.take(taken(0, 0)), sum(0, 0));
        assert_eq!(ledger.take(taken(5, 1)), sum(1, 0));
        ledger.begin_session();
        ledger.send(sum(2, 0));
        assert_eq!(ledger.take(taken(0, 0)), sum(3, 1));
        assert_eq!(ledger.take(taken(2, 1)), sum(1, 0));
        assert_eq!(ledger.end(), sum(0, 0));
    }

    #[test]
    fn a_node_that_never_says_what_it_has_taken_costs_bounded_memory() {
        let mut ledger = Ledger::default();
        for _ in 0..3 * MOST_BATCHES {
            ledger.send(sum(1, 0));
        }
        assert_eq!(ledger.open.len(), MOST_BATCHES);
        for messages in [u64::MAX, 0, u64::MAX] {
            ledger.begin_session();
            assert!(ledger.take(taken(messages, messages)).all() > 0);
            ledger.send(sum(1, 0));
        }
        for _ in 1..3 * MOST_BATCHES {
            ledger.send(sum(1, 0));
        }
        assert_eq!(ledger.end(), sum(3 * MOST_BATCHES as u64, 0));
    }
}
