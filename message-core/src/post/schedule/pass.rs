//! A pass of a stage: the runs of all types that are due, merged by due time and posting.

use std::cmp::Ordering;
use std::collections::binary_heap::PeekMut;

use crate::address::{Recipient, Sender};
use crate::message::AnyMessage;
use crate::post::pass::{Due, Then};
use crate::post::schedule::stamp::Stamp;
use crate::post::schedule::{Away, Head, Key, Line, Queue, Schedule, Stamps, posting};
use crate::send::Posted;
use crate::storage::narrow;
use crate::time::Timeline;

/// A run that the pass under way delivers, by its first message. The one whose turn it is is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Next {
    pub(super) key: Key,
    pub(in crate::post) block: u32,
    queue: u32,
    run: u32,
}

impl Next {
    /// Returns a run whose first message is found next.
    pub(super) fn new(queue: usize, run: usize) -> Self {
        Self {
            key: Key::END,
            block: 0,
            queue: narrow(queue),
            run: narrow(run),
        }
    }
}

impl Ord for Next {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        // Without a branch, which could not be predicted: W5-mixed.
        let whole = |Key { due, number }| u128::from(due) << 64 | u128::from(number);
        whole(other.key).cmp(&whole(self.key))
    }
}

impl PartialOrd for Next {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The run whose turn it is, whose first message is the next one of the pass under way.
pub(in crate::post) struct Turn<'s> {
    pub(in crate::post) queue: &'s mut Queue,
    pub(in crate::post) stamps: &'s mut Stamps,
    pub(in crate::post) next: &'s Next,
    /// The other runs: the one whose turn comes after this is among the first two.
    others: &'s [Next],
    lane: usize,
}

/// The invariant of what is asked of a pass between [`next`](Schedule::next) and a delivery.
const TURN: &str = "a pass under way has a next message";

impl Schedule {
    /// A pass of a lane begins, with everything that is due by now.
    pub(crate) fn begin_pass(&mut self, lane: usize, bounds: [u64; 4]) {
        (self.bounds, self.lane) = (bounds, lane);
        for clock in [Timeline::Scaled, Timeline::Unscaled] {
            self.advance(lane, clock, bounds[clock as usize], None);
        }
        for queue in &mut self.queues {
            queue.begin_pass(lane);
        }
        self.line_up();
    }

    /// Finds the next messages of all runs of the pass under way.
    #[cold]
    fn line_up(&mut self) {
        self.is_disturbed = false;
        self.pass.clear();
        for (at, queue) in self.queues.iter_mut().enumerate() {
            for run in 0..queue.runs[self.lane].len() {
                let mut next = Next::new(at, run);
                if queue.find_front((self.lane, run), &self.stamps, &mut next) {
                    self.pass.push(next);
                }
            }
        }
    }

    /// Goes on to the next message of the pass under way, which may still be the same one: of the same run, or of the
    /// one whose turn is next. Returns `false` at the end of the pass.
    #[inline]
    pub(crate) fn next(&mut self) -> bool {
        if self.is_disturbed {
            self.line_up();
        } else if let Some(mut next) = self.pass.peek_mut() {
            let (queue, run) = (&mut self.queues[next.queue as usize], next.run as usize);
            if !queue.find_front((self.lane, run), &self.stamps, &mut next) {
                PeekMut::pop(next);
            }
        }
        if self.pass.is_empty() {
            self.lanes[self.lane].begun.clear();
        }
        !self.pass.is_empty()
    }

    /// Returns the run whose turn it is.
    #[inline]
    pub(in crate::post) fn turn(&mut self) -> Turn<'_> {
        let (next, others) = self.pass.as_slice().split_first().expect(TURN);
        Turn {
            queue: &mut self.queues[next.queue as usize],
            stamps: &mut self.stamps,
            next,
            others,
            lane: self.lane,
        }
    }

    /// The head of the next message comes out. The message has to be taken from the stock next.
    pub(in crate::post) fn come_out(&mut self) -> Due {
        let turn = self.turn();
        let (Next { queue, block, .. }, head, mut due) = (*turn.next, *turn.first(), turn.due());
        turn.queue.stock.pop_head(block);
        if head.to().is_none() || !self.traced.is_empty() {
            self.complete(&mut due, &head);
        }
        if due.then == Then::Ends {
            self.stamps.leave(head.stamp, 1);
        } else {
            let queue = queue as usize;
            self.away = Some(Away { queue, head });
        }
        due
    }

    /// Completes the data of a message that is traced, or whose recipient is no messagee, has a key or repeats. Forgets
    /// these data if it is delivered for the last time.
    #[cold]
    fn complete(&mut self, due: &mut Due, head: &Head) {
        due.traced = self.traced.get(&due.number).copied();
        if let Some(rare) = self.rare.get_mut(&due.number) {
            due.to = rare.to;
            if let Some(series) = &mut rare.series {
                due.then = series.then(self.bounds[Timeline::Frames as usize], self.max_repeats);
            }
        }
        if due.then == Then::Ends {
            self.forget(head);
        }
    }

    /// Takes the next message out, whose handler has failed in a walk.
    #[cold]
    pub(in crate::post) fn take_first(&mut self) -> (Due, Box<dyn AnyMessage>) {
        let is_there = self.next();
        debug_assert!(is_there, "a walk has not passed by what has failed");
        let due = self.come_out();
        let turn = self.turn();
        (due, turn.queue.stock.column().remove_first(turn.next.block))
    }
}

impl Turn<'_> {
    /// Returns the head of the next message.
    #[inline]
    pub(in crate::post) fn first(&self) -> &Head {
        self.queue.stock.head(self.next.block, 0).expect(TURN)
    }

    /// Returns the part of the order that the messages of the run have in common.
    #[inline]
    pub(in crate::post) fn line(&self) -> Line {
        self.queue.runs[self.lane][self.next.run as usize].line
    }

    /// Returns the key of the first message of all other runs.
    #[inline]
    pub(in crate::post) fn until(&self) -> Key {
        match self.others {
            [] => Key::END,
            [other] => other.key,
            [one, other, ..] => one.key.min(other.key),
        }
    }

    /// Returns the data of the next message, without what [`complete`](Schedule::complete) adds.
    #[inline]
    pub(in crate::post) fn due(&self) -> Due {
        let head = self.first();
        let stamp = self.stamps.get(head.stamp);
        let mut due = Due {
            facts: self.queue.facts,
            stamp: head.stamp,
            posted: Posted {
                mark: stamp.meta,
                due: 0,
                since: 0,
            },
            to: Recipient::Everyone,
            sender: Sender::Outside,
            number: posting(self.next.key.number),
            traced: None,
            then: Then::Ends,
        };
        due.go_on(head, stamp, self.next.key);
        due
    }

    /// The head of the first message comes out in a walk. `due` has the data of a message before it in the run.
    #[inline]
    pub(in crate::post) fn come_out(&mut self, head: &Head, line: Line, due: &mut Due) {
        let stamp = self.stamps.get(head.stamp);
        due.go_on(head, stamp, line.key(head, stamp));
        self.queue.stock.pop_head(self.next.block);
        self.stamps.leave(head.stamp, 1);
    }
}

impl Due {
    /// Becomes the data of another message of the same run, without what [`complete`](Schedule::complete) adds.
    #[inline]
    fn go_on(&mut self, head: &Head, stamp: &Stamp, key: Key) {
        if head.stamp != self.stamp {
            (self.stamp, self.posted.mark) = (head.stamp, stamp.meta);
        }
        self.posted.due = stamp.due + u64::from(head.due);
        self.posted.since = key.due;
        self.number = posting(key.number);
        // The recipient of a rare message is not known yet.
        self.to = head.to().map_or(Recipient::Everyone, Recipient::Id);
        self.sender = head.sender().map_or(Sender::Outside, Sender::Messagee);
    }
}
