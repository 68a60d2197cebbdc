//! A pass of a stage: the runs of all types that are due, merged by due time and posting.

use std::cmp::Reverse;
use std::num::NonZeroU64;

use crate::address::{Recipient, Sender};
use crate::handler::RouteTable;
use crate::message::Facts;
use crate::post::pass::{Due, Then};
use crate::post::schedule::head::{Head, posting};
use crate::post::schedule::held::DeliverFirst;
use crate::post::schedule::repeat::Series;
use crate::post::schedule::run::{Front, Key, Line, Track};
use crate::post::schedule::stamp::{Stamp, Stamps, Timeline};
use crate::post::schedule::stock::Stock;
use crate::post::schedule::{Away, Bounds, QUEUE, Schedule};
use crate::send::{ErasedMessage, Posted};

/// A run by its next message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) front: Front,
    pub(super) slab: u32,
    pub(super) run: usize,
}

/// The run whose turn it is, as far as its messages come before those of all others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    lane: usize,
    next: Next,
    until: Key,
}

/// The queue of a turn before the first.
const NO_QUEUE: u32 = u32::MAX;

/// The messages of a run that come before those of all others.
#[derive(Clone, Copy, Debug)]
pub(in crate::post) struct Ahead {
    line: Line,
    until: Key,
}

impl Ahead {
    /// Returns `true` if a message is one of them.
    #[inline]
    pub(in crate::post) fn has(&self, head: &Head, stamp: &Stamp) -> bool {
        self.until == Key::END || self.line.key(head, stamp) < self.until
    }
}

/// How many messages with one stamp were walked over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passed {
    pub(crate) stamp: u32,
    pub(crate) delivered: usize,
    pub(crate) cancelled: usize,
}

impl Turn {
    /// Returns what comes before the first run of a pass.
    pub(crate) fn first(lane: usize) -> Self {
        Self {
            lane,
            next: Next {
                front: Front::none(),
                slab: NO_QUEUE,
                run: 0,
            },
            until: Key::END,
        }
    }

    /// Returns the head of the next message.
    #[inline]
    pub(in crate::post) fn head(&self) -> &Head {
        &self.next.front.head
    }

    /// Returns the block of the next message.
    #[inline]
    pub(crate) fn block(&self) -> u32 {
        self.next.front.block
    }
}

impl Schedule {
    /// A pass of a lane begins, with everything that is due by now.
    pub(crate) fn begin_pass(&mut self, lane: usize, bounds: Bounds) {
        self.bounds = bounds;
        self.pass.clear();
        let reached = &mut self.lanes[lane].reached;
        let moves = [Timeline::Scaled, Timeline::Unscaled].map(|clock| {
            let to = bounds.reached(clock);
            let reached = &mut reached[clock as usize];
            (clock, std::mem::replace(reached, to.max(*reached)), to)
        });
        if !self.lanes[lane].is_used {
            return;
        }
        for &slab in &self.used {
            let queue = self.queues[slab as usize].as_deref_mut().expect(QUEUE);
            if queue.items == 0 {
                continue;
            }
            for (clock, from, to) in moves {
                let track = Track::new(lane, clock as usize);
                queue.advance(track, from, to, None, &self.stamps);
            }
            queue.begin_pass(lane);
        }
        self.line_up(lane);
    }

    /// Puts the runs of the pass under way in the order of their next messages.
    fn line_up(&mut self, lane: usize) {
        self.is_disturbed = false;
        self.pass.clear();
        for &slab in &self.used {
            let queue = self.queues[slab as usize].as_deref_mut().expect(QUEUE);
            for run in 0..queue.due_runs(lane) {
                let mut front = Front::none();
                if queue.find_front((lane, run), &mut self.stamps, &mut front) {
                    self.pass.push(Next { front, slab, run });
                }
            }
        }
        self.pass
            .sort_unstable_by_key(|next| Reverse(next.front.key));
    }

    /// Goes on to the next messages of the pass under way: of the same run, or of the one whose turn is next.
    /// Returns `false` at the end of the pass.
    #[inline]
    pub(crate) fn next(&mut self, turn: &mut Turn) -> bool {
        if self.is_disturbed {
            self.line_up(turn.lane);
        } else if turn.next.slab != NO_QUEUE {
            let Next { front, slab, run } = &mut turn.next;
            let queue = self.queues[*slab as usize].as_deref_mut().expect(QUEUE);
            if queue.find_front((turn.lane, *run), &mut self.stamps, front) {
                turn.until = self.until();
                if front.key < turn.until {
                    return true;
                }
                self.comes(turn.next);
            }
        }
        let Some(next) = self.pass.pop() else {
            self.lanes[turn.lane].begun.clear();
            return false;
        };
        (turn.next, turn.until) = (next, self.until());
        true
    }

    /// Returns the key of the first message of all runs but that whose turn it is.
    #[inline]
    fn until(&self) -> Key {
        self.pass.last().map_or(Key::END, |next| next.front.key)
    }

    /// A run has a message that comes in the pass under way.
    pub(super) fn comes(&mut self, next: Next) {
        let is_later = |other: &Next| other.front.key > next.front.key;
        let at = self.pass.partition_point(is_later);
        self.pass.insert(at, next);
    }

    /// Returns the routes of the messages of a run.
    #[inline]
    pub(crate) fn table(&self, turn: &Turn) -> Option<&'static RouteTable> {
        self.queue(turn.next.slab).table
    }

    /// Returns what is known of the type of the messages of a run.
    pub(crate) fn facts(&self, turn: &Turn) -> &'static Facts {
        self.queue(turn.next.slab).facts
    }

    /// Returns the messages of a run that come before those of all others.
    #[inline]
    pub(in crate::post) fn ahead(&self, turn: &Turn) -> Ahead {
        let Next { slab, run, .. } = turn.next;
        Ahead {
            line: self.queue(slab).line(turn.lane, run),
            until: turn.until,
        }
    }

    /// Returns the stock of a run's messages, with the stamps of all.
    #[inline]
    pub(crate) fn stock(&mut self, turn: &Turn) -> (&mut dyn Stock, &Stamps) {
        let queue = self.queues[turn.next.slab as usize].as_deref_mut();
        (&mut *queue.expect(QUEUE).stock, &self.stamps)
    }

    /// Messages with one stamp were walked over.
    #[inline]
    pub(crate) fn passed(&mut self, it: Passed) {
        self.bound -= self.stamps.get(it.stamp).bound_of(it.delivered);
        self.stamps.cancelled.left_out(it.cancelled);
        self.stamps.leave(it.stamp, it.delivered + it.cancelled);
        self.pending -= it.delivered;
    }

    /// Drops the first items of a run, which were walked over.
    pub(crate) fn pass_by(&mut self, turn: &Turn, items: usize) {
        let queue = self.queue_mut(turn.next.slab);
        queue.items -= items;
        // Last, since a `Drop` may panic.
        queue.stock.pass_by(turn.block(), items);
    }

    /// The first message of a run comes out. It has to be taken from the stock next.
    pub(crate) fn come_out(&mut self, turn: &Turn) -> Due {
        let Next { front, slab, .. } = &turn.next;
        let mut due = self.due(front);
        if front.head.to().is_none() {
            due.then = self.then(due.number);
        }
        self.queue_mut(*slab).items -= 1;
        if due.then == Then::Ends {
            self.leave(&front.head);
        } else {
            let (slab, head) = (*slab, front.head);
            self.away = Some(Away { slab, head });
        }
        due
    }

    /// Returns what delivers the first message of a run.
    #[inline]
    pub(crate) fn deliver_first(&self, turn: &Turn) -> DeliverFirst {
        self.queue(turn.next.slab).deliver
    }

    /// Takes out the first message of a run, whose handler has failed in a walk.
    #[cold]
    pub(crate) fn take_first(&mut self, turn: &Turn) -> (Due, Option<Box<dyn ErasedMessage>>) {
        let mut turn = *turn;
        let Next { front, slab, run } = &mut turn.next;
        let queue = self.queues[*slab as usize].as_deref_mut().expect(QUEUE);
        let is_there = queue.find_front((turn.lane, *run), &mut self.stamps, front);
        debug_assert!(is_there, "a walk has not passed by what has failed");
        let due = self.come_out(&turn);
        (due, self.stock(&turn).0.take(turn.block(), 0))
    }

    /// Returns what is known of a message that is due.
    #[inline]
    fn due(&self, front: &Front) -> Due {
        let Front { key, head, .. } = front;
        let stamp = self.stamps.get(head.stamp);
        let number = posting(key.number);
        let to = head.to().map(Recipient::Id);
        Due {
            posted: Posted {
                mark: stamp.meta,
                due: stamp.due + u64::from(head.due),
                since: key.due,
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
