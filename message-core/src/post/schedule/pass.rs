//! A pass of a stage: the runs of all types that are due, merged by due time and posting.

use std::num::NonZeroU64;

use crate::address::{MessageeId, Recipient, Sender};
use crate::message::Facts;
use crate::post::pass::{Due, Then};
use crate::post::schedule::head::{Head, posting};
use crate::post::schedule::queue::{Front, Key, Track};
use crate::post::schedule::repeat::Series;
use crate::post::schedule::stamp::{Stamps, Timeline};
use crate::post::schedule::stock::{DeliverFirst, Stock};
use crate::post::schedule::{Away, Bounds, QUEUE, Schedule};
use crate::send::Posted;

/// A run by its next message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Next {
    pub(super) key: Key,
    pub(super) slab: u32,
    pub(super) run: usize,
}

/// The run whose turn it is, as far as its messages come before those of all others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    lane: usize,
    slab: u32,
    run: usize,
    front: Front,
    until: Key,
}

/// How many messages with one stamp were walked over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passed {
    pub(crate) stamp: u32,
    pub(crate) delivered: u32,
    pub(crate) cancelled: u32,
}

/// The queue of a turn before the first.
const NO_RUN: u32 = u32::MAX;

impl Turn {
    /// Returns what comes before the first run of a pass.
    pub(crate) fn first(lane: usize) -> Self {
        Self {
            lane,
            slab: NO_RUN,
            run: 0,
            front: Front {
                key: Key::END,
                head: Head::new(None, None, 0),
                block: 0,
            },
            until: Key::END,
        }
    }

    /// Returns the messagee that the next message is for, if it is for one.
    #[inline]
    pub(crate) fn to(&self) -> Option<MessageeId> {
        self.front.head.to()
    }

    /// Returns the block of the next message.
    pub(crate) fn block(&self) -> u32 {
        self.front.block
    }
}

impl Schedule {
    /// A pass of a lane begins, with everything that is due by now.
    pub(crate) fn begin_pass(&mut self, lane: usize, bounds: Bounds) {
        self.bounds = bounds;
        self.pass.clear();
        for clock in [Timeline::Scaled, Timeline::Unscaled] {
            let to = bounds.reached(clock);
            let reached = &mut self.lanes[lane].reached[clock as usize];
            let from = std::mem::replace(reached, to.max(*reached));
            let track = Track::new(lane, clock as usize);
            for &slab in &self.used {
                let queue = self.queues[slab as usize].as_deref_mut().expect(QUEUE);
                if queue.items > 0 {
                    queue.advance(track, from, to, None, &self.stamps);
                }
            }
        }
        for &slab in &self.used {
            let queue = self.queues[slab as usize].as_deref_mut().expect(QUEUE);
            if queue.items == 0 {
                continue;
            }
            for run in 0..queue.begin_pass(lane) {
                let front = queue.front(lane, run, &mut self.stamps, &mut self.cancelled);
                let next = front.map(|Front { key, .. }| Next { key, slab, run });
                self.pass.extend(next);
            }
        }
        self.pass.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Goes on to the next messages of the pass under way: of the same run, or of the one whose turn is next.
    /// Returns `false` at the end of the pass.
    #[inline]
    pub(crate) fn next(&mut self, turn: &mut Turn) -> bool {
        if turn.slab == NO_RUN && !self.take_next(turn) {
            return false;
        }
        loop {
            let queue = self.queues[turn.slab as usize].as_deref_mut().expect(QUEUE);
            let (stamps, cancelled) = (&mut self.stamps, &mut self.cancelled);
            if let Some(front) = queue.front(turn.lane, turn.run, stamps, cancelled) {
                turn.front = front;
                turn.until = self.pass.last().map_or(Key::END, |next| next.key);
                if front.key < turn.until {
                    return true;
                }
                self.comes(Next {
                    key: front.key,
                    slab: turn.slab,
                    run: turn.run,
                });
            }
            if !self.take_next(turn) {
                return false;
            }
        }
    }

    fn take_next(&mut self, turn: &mut Turn) -> bool {
        let Some(Next { slab, run, .. }) = self.pass.pop() else {
            self.lanes[turn.lane].begun.clear();
            return false;
        };
        (turn.slab, turn.run) = (slab, run);
        true
    }

    /// A run has a message that comes in the pass under way.
    pub(super) fn comes(&mut self, next: Next) {
        let at = self.pass.partition_point(|other| *other > next);
        self.pass.insert(at, next);
    }

    /// Returns what is known of the type of the messages of a run.
    pub(crate) fn facts(&self, turn: &Turn) -> &'static Facts {
        self.queue(turn.slab).facts
    }

    /// Returns how many items at the beginning of a run's first block can be walked over.
    pub(crate) fn ahead(&self, turn: &Turn) -> usize {
        let queue = self.queue(turn.slab);
        queue.ahead(turn.lane, turn.run, turn.until, &self.stamps)
    }

    /// Returns the stock and the block of a run's messages, with the stamps of all.
    pub(crate) fn stock(&mut self, turn: &Turn) -> (&mut dyn Stock, u32, &Stamps) {
        let queue = self.queues[turn.slab as usize].as_deref_mut().expect(QUEUE);
        (&mut *queue.stock, turn.front.block, &self.stamps)
    }

    /// Drops the first items of a run, which were walked over. Returns how many of them were delivered.
    pub(crate) fn pass_by(&mut self, turn: &Turn, passed: &[Passed]) -> usize {
        let (mut delivered, mut cancelled) = (0, 0);
        for it in passed.iter().filter(|it| it.delivered + it.cancelled > 0) {
            delivered += it.delivered as usize;
            cancelled += it.cancelled as usize;
            self.bound -= self.stamps.get(it.stamp).bound_of(it.delivered);
            self.stamps.leave(it.stamp, it.delivered + it.cancelled);
        }
        self.pending -= delivered;
        self.cancelled -= cancelled;
        let queue = self.queue_mut(turn.slab);
        queue.items -= delivered + cancelled;
        // Last, since a `Drop` may panic.
        queue.stock.pass_by(turn.front.block, delivered + cancelled);
        delivered
    }

    /// The first message of a run comes out. It has to be taken from the stock next.
    pub(crate) fn come_out(&mut self, turn: &Turn) -> (Due, DeliverFirst) {
        let Turn { slab, front, .. } = *turn;
        let head = front.head;
        let mut due = self.due(&front);
        if head.to().is_none() {
            due.then = self.then(due.number);
        }
        let queue = self.queue_mut(slab);
        queue.items -= 1;
        let deliver = queue.deliver;
        if due.then == Then::Ends {
            self.leave(&head);
        } else {
            self.away = Some(Away { slab, head });
        }
        (due, deliver)
    }

    /// The first message of a run was delivered in a walk, and its handler has failed.
    #[cold]
    pub(crate) fn fail_first(&mut self, turn: &Turn) -> Due {
        let queue = self.queues[turn.slab as usize].as_deref_mut().expect(QUEUE);
        let first = queue.front(turn.lane, turn.run, &mut self.stamps, &mut self.cancelled);
        let first =
            first.expect("a message that was called with is there until its failure is reported");
        if let Some(head) = queue.stock.head_mut(first.block, 0) {
            head.cancel();
        }
        self.cancelled += 1;
        self.left(&first.head);
        self.due(&first)
    }

    /// Returns what is known of a message that is due.
    #[inline]
    fn due(&self, front: &Front) -> Due {
        let head = &front.head;
        let stamp = self.stamps.get(head.stamp);
        let number = posting(stamp.number + u64::from(head.number));
        let to = head.to().map(Recipient::Id);
        Due {
            posted: Posted {
                mark: stamp.meta,
                due: stamp.due + u64::from(head.due),
                since: front.key.due,
            },
            to: to.unwrap_or_else(|| self.rare[&number].to),
            sender: head.sender().map_or(Sender::Outside, Sender::Messagee),
            number,
            traced: self.number(number),
            then: Then::Ends,
        }
    }

    /// A message that bears its stamp is not pending any more.
    pub(super) fn leave(&mut self, head: &Head) {
        self.left(head);
        self.stamps.leave(head.stamp, 1);
    }

    /// Returns what becomes of a rare message when its turn has come, and counts its delivery.
    #[cold]
    fn then(&mut self, number: NonZeroU64) -> Then {
        let (frame, most) = (self.bounds.frame, self.max_repeats);
        let series = self.series_mut(number);
        series.map_or(Then::Ends, |series| series.then(frame, most))
    }

    pub(super) fn series_mut(&mut self, number: NonZeroU64) -> Option<&mut Series> {
        self.rare.get_mut(&number)?.series.as_mut()
    }
}
