//! The pending messages of one type: where each of them waits.
//!
//! For each stage and each clock there is a [wheel](super::wheel). What has fallen due, or was posted for
//! the next pass of its stage, is in runs. A run is in order of due time and posting, and the pass merges
//! all of them.

use crate::message::{AnyMessage, Facts, MessageIndex};
use crate::post::schedule::run::Run;
use crate::post::schedule::stock::Place;
use crate::post::schedule::wheel::{BlockList, Wheel};
use crate::post::schedule::{Head, Held, Key, Line, Next, Stamps, Stock};
use crate::time::{LANES, TRACKS, Track};

/// The list that a message is in.
#[derive(Clone, Copy, Debug)]
enum List {
    /// A slot of the wheel of a track: that of a due time, when the clock had come so far.
    Wheel(Track, u64, u64),
    /// A run of a lane.
    Run(usize, usize),
}

/// The place of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    list: List,
    nth: usize,
    pub(super) block: u32,
    pub(super) at: usize,
    /// The time since which the message has waited for the next pass of its stage, if it does.
    pub(super) ready: Option<u64>,
    /// It is due in the pass under way.
    pub(super) is_due: bool,
}

pub(in crate::post) struct Queue {
    /// Its number.
    pub(super) slab: u32,
    pub(in crate::post) facts: &'static Facts,
    pub(in crate::post) stock: Stock,
    /// The stamp of the last post.
    pub(super) recent: u32,
    pub(super) wheels: [Option<Box<Wheel>>; TRACKS],
    /// The runs, by lane. A pass delivers those that are due. The others are ready behind them.
    pub(super) runs: [Vec<Run>; LANES],
}

impl Clone for Queue {
    fn clone(&self) -> Self {
        Self {
            slab: self.slab,
            facts: self.facts,
            stock: self.stock.clone(),
            recent: self.recent,
            wheels: self.wheels.clone(),
            runs: self.runs.clone(),
        }
    }

    fn clone_from(&mut self, from: &Self) {
        if self.slab != from.slab {
            *self = from.clone();
            return;
        }
        self.stock.clone_from(&from.stock);
        self.recent = from.recent;
        self.wheels.clone_from(&from.wheels);
        self.runs.clone_from(&from.runs);
    }
}

/// Returns the number of the queue of a message type. The numbers for boxed and for other messages alternate, so that
/// types can be added.
#[inline]
pub(in crate::post) fn slab_of(of: MessageIndex, is_boxed: bool) -> u32 {
    of.0 << 1 | u32::from(is_boxed)
}

impl Queue {
    pub(super) fn new(slab: u32, held: &mut dyn Held) -> Self {
        Self {
            slab,
            facts: held.facts(),
            stock: Stock::new(held.column()),
            recent: u32::MAX,
            wheels: [const { None }; TRACKS],
            runs: [const { Vec::new() }; LANES],
        }
    }

    /// Returns `true` if its messages are in boxes.
    #[inline]
    pub(in crate::post) fn is_boxed(&self) -> bool {
        self.slab % 2 == 1
    }

    /// Returns the block of the last message that is due in the same slot.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "part of a post: W5")]
    pub(super) fn tail(&self, track: Track, due: u64, reached: u64) -> Option<u32> {
        let wheel = self.wheels[track.number()].as_deref()?;
        wheel.peek(due, reached)?.last().copied()
    }

    /// Like [`tail`](Self::tail), of those that are ready since the same time.
    #[inline]
    pub(super) fn ready_tail(&self, track: Track, since: u64) -> Option<u32> {
        let run = self.runs[track.lane()].last()?;
        if run.is_due || run.line.track != track || run.line.since != Some(since) {
            return None;
        }
        run.list.last().copied()
    }

    /// Makes room for a message that waits until it is due. Returns the block, and the place in it: a message that is
    /// due again was posted before others.
    pub(super) fn wait(
        &mut self,
        track: Track,
        key: Key,
        reached: u64,
        stamps: &Stamps,
    ) -> (u32, usize) {
        let wheel = self.wheels[track.number()].get_or_insert_default();
        let slot = wheel.slot(key.due, reached);
        let last = self.stock.last_head(slot);
        if last.is_none_or(|last| stamps.number(last) < key.number) {
            let block = self.stock.make_room(slot);
            return (block, self.stock.len(block));
        }
        let key = Key { due: 0, ..key };
        let Place { nth, at } = self.stock.search(slot, false, key, stamps);
        (slot[nth], at)
    }

    /// Makes room for a message that is delivered in the next pass, or comes in the pass under way. Returns the number
    /// of its run, and the block.
    pub(super) fn ready(
        &mut self,
        line: Line,
        key: Key,
        comes: bool,
        stamps: &Stamps,
    ) -> (usize, (u32, usize)) {
        let (runs, stock) = (&mut self.runs[line.track.lane()], &mut self.stock);
        let key = line.key_at(key.due, key.number);
        let goes_on = runs.last().is_some_and(|run| {
            let last = stock.last_head(&run.list);
            let is_before = |last: &Head| line.key(last, stamps.get(last.stamp)) < key;
            !run.is_due && !comes && run.line == line && last.is_none_or(is_before)
        });
        if !goes_on {
            runs.push(Run {
                line,
                list: BlockList::new(),
                is_due: comes,
            });
        }
        let run = runs.len() - 1;
        let block = stock.make_room(&mut runs[run].list);
        (run, (block, stock.len(block)))
    }

    /// Moves on the clock of a track. See [`Schedule::advance`](super::Schedule::advance).
    pub(super) fn advance(
        &mut self,
        track: Track,
        from: u64,
        to: u64,
        since: Option<u64>,
        stamps: &mut Stamps,
    ) {
        let Some(wheel) = &mut self.wheels[track.number()] else {
            return;
        };
        let stock = &mut self.stock;
        let mut drained = wheel.advance(from, to, stock, stamps);
        stock.sweep(&mut drained.blocks, stamps);
        if drained.blocks.is_empty() {
            return;
        }
        if !drained.at_once {
            stock.sort(&mut drained.blocks, since.is_none(), stamps);
        }
        self.runs[track.lane()].push(Run {
            line: Line::new(track, since),
            list: drained.blocks,
            is_due: false,
        });
    }

    /// Begins a pass with everything that is ready for its stage, behind the rest that a panic has left of the last
    /// one.
    pub(super) fn begin_pass(&mut self, lane: usize) {
        let runs = &mut self.runs[lane];
        runs.retain(|run| !run.list.is_empty());
        for run in runs {
            run.is_due = true;
        }
    }

    /// Finds the first message of a run, and returns `true` if there is one and the pass under way delivers it.
    #[inline]
    pub(super) fn find_front(
        &mut self,
        (lane, run): (usize, usize),
        stamps: &Stamps,
        next: &mut Next,
    ) -> bool {
        let Some(run) = self.runs[lane].get_mut(run).filter(|run| run.is_due) else {
            return false;
        };
        while let Some(&block) = run.list.first() {
            if let Some(head) = self.stock.head(block, 0) {
                next.key = run.line.key(head, stamps.get(head.stamp));
                next.block = block;
                return true;
            }
            self.stock.close_in(&mut run.list, 0);
        }
        false
    }

    /// Finds a message that is due, or will be, at a time of the clock of its track.
    pub(super) fn find(
        &self,
        track: Track,
        due: u64,
        number: u64,
        reached: u64,
        stamps: &Stamps,
    ) -> Option<Spot> {
        let spot = |list, blocks: &[u32], by_due: bool| {
            let due = if by_due { due } else { 0 };
            let key = Key { due, number };
            let Place { nth, at } = self.stock.search(blocks, by_due, key, stamps);
            let &block = blocks.get(nth)?;
            let head = self.stock.head(block, at)?;
            let is_it = stamps.number(head) == number && !stamps.is_cancelled(head);
            let run = match list {
                List::Wheel(..) => None,
                List::Run(lane, run) => Some(&self.runs[lane][run]),
            };
            is_it.then_some(Spot {
                list,
                nth,
                block,
                at,
                ready: run.map(|run| run.since(head, stamps)),
                is_due: run.is_some_and(|run| run.is_due),
            })
        };
        if due > reached
            && let Some(wheel) = &self.wheels[track.number()]
            && let Some(slot) = wheel.peek(due, reached)
        {
            let found = spot(List::Wheel(track, due, reached), slot, false);
            if found.is_some() {
                return found;
            }
        }
        let lane = track.lane();
        let runs = (0..).zip(&self.runs[lane]);
        let mut runs = runs.filter(|(_, run)| run.line.track == track);
        runs.find_map(|(at, run)| {
            let by_due = run.line.since.is_none();
            spot(List::Run(lane, at), &run.list, by_due)
        })
    }

    /// Takes the message out that is at a spot, and frees its block if it was the last one.
    pub(super) fn take(&mut self, spot: Spot) -> Option<(Head, Box<dyn AnyMessage>)> {
        let taken = self.stock.take(spot.block, spot.at);
        if self.stock.len(spot.block) == 0 {
            let list = match spot.list {
                List::Wheel(track, due, reached) => {
                    let wheel = self.wheels[track.number()].get_or_insert_default();
                    wheel.slot(due, reached)
                }
                List::Run(lane, run) => &mut self.runs[lane][run].list,
            };
            self.stock.close_in(list, spot.nth);
        }
        taken
    }

    /// Iterates over the heads of all messages: those that are ready first, with since when, and then each wheel in the
    /// order of its slots.
    pub(super) fn heads<'q>(
        &'q self,
        stamps: &'q Stamps,
    ) -> impl Iterator<Item = (&'q Head, Option<u64>)> {
        let ready = self.runs.iter().flatten().flat_map(move |run| {
            let heads = self.heads_in(&run.list, stamps);
            heads.map(|head| (head, Some(run.since(head, stamps))))
        });
        let slots = self.wheels.iter().flatten().flat_map(|wheel| wheel.slots());
        let waiting = slots.flat_map(move |slot| self.heads_in(slot, stamps));
        ready.chain(waiting.map(|head| (head, None)))
    }

    /// Iterates over the heads of a list, without those of cancelled messages.
    pub(super) fn heads_in<'q>(
        &'q self,
        list: &'q BlockList,
        stamps: &'q Stamps,
    ) -> impl Iterator<Item = &'q Head> {
        let heads = list.iter().flat_map(|&block| self.stock.heads(block));
        heads.filter(|head| !stamps.is_cancelled(head))
    }

    /// Drops the messages that were cancelled.
    pub(super) fn sweep(&mut self, stamps: &mut Stamps) {
        let wheels = self.wheels.iter_mut().flatten();
        for slot in wheels.flat_map(|wheel| wheel.slots_mut()) {
            self.stock.sweep(slot, stamps);
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        for wheel in self.wheels.iter_mut().flatten() {
            wheel.shrink_to_fit();
        }
        for runs in &mut self.runs {
            for run in &mut *runs {
                run.list.shrink_to_fit();
            }
            runs.shrink_to_fit();
        }
        self.stock.shrink_to_fit();
    }
}
