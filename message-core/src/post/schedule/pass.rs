//! A pass of a stage: the runs of all types that are due, merged by due time and posting.

use std::cmp::Reverse;

use crate::address::{Recipient, Sender};
use crate::message::AnyMessage;
use crate::post::pass::{Due, Then};
use crate::post::schedule::head::{Head, posting};
use crate::post::schedule::queue::Queue;
use crate::post::schedule::run::{Key, Line};
use crate::post::schedule::stamp::{Stamp, Stamps};
use crate::post::schedule::stock::Stock;
use crate::post::schedule::{Away, Schedule};
use crate::send::Posted;
use crate::time::Timeline;

/// A run that the pass under way delivers, by its first message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    pub(super) key: Key,
    pub(in crate::post) block: u32,
    queue: usize,
    run: usize,
}

impl Next {
    /// Returns a run whose first message is found next.
    pub(super) fn new(queue: usize, run: usize) -> Self {
        Self {
            key: Key::END,
            block: 0,
            queue,
            run,
        }
    }
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

    /// Puts the runs of the pass under way in the order of their next messages.
    fn line_up(&mut self) {
        self.is_disturbed = false;
        self.pass.clear();
        for (at, queue) in self.queues.iter_mut().enumerate() {
            for run in 0..queue.runs[self.lane].len() {
                let mut next = Next::new(at, run);
                if queue.find_front((self.lane, run), &mut self.stamps, &mut next) {
                    self.pass.push(next);
                }
            }
        }
        self.pass.sort_unstable_by_key(|next| Reverse(next.key));
    }

    /// Goes on to the next message of the pass under way, which may still be the same one: of the same run, or of the
    /// one whose turn is next. Returns `false` at the end of the pass.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "part of the loop of a pass: W5-context, W5-mixed"
    )]
    pub(crate) fn next(&mut self) -> bool {
        let mut is_there = false;
        if !self.is_disturbed
            && let [others @ .., next] = &mut *self.pass
        {
            let (run, queue) = ((self.lane, next.run), &mut self.queues[next.queue]);
            is_there = queue.find_front(run, &mut self.stamps, next);
            if is_there && others.last().is_none_or(|other| next.key < other.key) {
                return true;
            }
        }
        self.change_runs(is_there)
    }

    /// Goes on to the first message of another run. `is_there` tells that the one whose turn it was has more.
    fn change_runs(&mut self, is_there: bool) -> bool {
        if self.is_disturbed {
            self.line_up();
        } else if let Some(next) = self.pass.pop()
            && is_there
        {
            self.comes(next);
        }
        if self.pass.is_empty() {
            self.lanes[self.lane].begun.clear();
        }
        !self.pass.is_empty()
    }

    /// A run has a message that comes in the pass under way.
    pub(super) fn comes(&mut self, next: Next) {
        let is_later = |other: &Next| other.key > next.key;
        let at = self.pass.partition_point(is_later);
        self.pass.insert(at, next);
    }

    /// Returns the run whose turn it is, by the next message of the pass under way.
    #[inline]
    pub(in crate::post) fn turn(&self) -> &Next {
        self.pass.last().expect(TURN)
    }

    /// Returns the head of the next message.
    #[inline]
    pub(in crate::post) fn first(&self) -> &Head {
        let Next { queue, block, .. } = *self.turn();
        self.queues[queue].stock.head(block, 0).expect(TURN)
    }

    /// Returns the part of the order that the messages of the run whose turn it is have in common, and the key of the
    /// first message of all other runs.
    #[inline]
    pub(in crate::post) fn line_until(&self) -> (Line, Key) {
        let Next { queue, run, .. } = *self.turn();
        let others = &self.pass[..self.pass.len() - 1];
        let until = others.last().map_or(Key::END, |next| next.key);
        (self.queues[queue].runs[self.lane][run].line, until)
    }

    /// Returns the queue of the next message.
    #[inline]
    pub(in crate::post) fn queue(&self) -> &Queue {
        &self.queues[self.turn().queue]
    }

    /// Returns the stock that the next message is in, with the stamps of all.
    #[inline]
    pub(in crate::post) fn stock(&mut self) -> (&mut Stock, &mut Stamps) {
        let queue = self.turn().queue;
        (&mut self.queues[queue].stock, &mut self.stamps)
    }

    /// Drops the first items of the run whose turn it is, which were walked over. Some of them were cancelled.
    pub(in crate::post) fn pass_by(&mut self, items: usize, cancelled: usize) {
        let Next { queue, block, .. } = *self.turn();
        self.stamps.cancelled.waiting -= cancelled;
        // Last, since a `Drop` may panic.
        let stock = &mut self.queues[queue].stock;
        stock.pass_by(block, items, &mut self.stamps);
    }

    /// The head of the next message comes out. The message has to be taken from the stock next.
    pub(in crate::post) fn come_out(&mut self) -> Due {
        let (key, head) = (self.turn().key, *self.first());
        let mut due = self.due();
        self.come_out_as(&mut due, &head, key);
        due
    }

    /// Like [`come_out`](Self::come_out), given the data of the message before it in the same run, if there was one.
    #[inline]
    pub(in crate::post) fn come_out_as(&mut self, due: &mut Due, head: &Head, key: Key) {
        let Next { queue, block, .. } = *self.turn();
        due.go_on(head, self.stamps.get(head.stamp), key);
        self.queues[queue].stock.pop_head(block);
        if head.to().is_none() || !self.traced.is_empty() {
            self.complete(due, head);
        }
        if due.then == Then::Ends {
            self.stamps.leave(head.stamp, 1);
        } else {
            self.away = Some(Away { queue, head: *head });
        }
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
        let block = self.turn().block;
        (due, self.stock().0.pop(block))
    }

    /// Returns the data of the next message that all messages with the same stamp have in common.
    pub(in crate::post) fn due(&self) -> Due {
        let (Next { key, queue, .. }, stamp) = (self.turn(), self.first().stamp);
        Due {
            facts: self.queues[*queue].facts,
            stamp,
            posted: Posted {
                mark: self.stamps.get(stamp).meta,
                due: 0,
                since: 0,
            },
            to: Recipient::Everyone,
            sender: Sender::Outside,
            number: posting(key.number),
            traced: None,
            then: Then::Ends,
        }
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
