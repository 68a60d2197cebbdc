//! The pending messages of one type: where each of them waits.
//!
//! For each stage and each clock there is a [wheel](super::wheel). What has fallen due, or was posted for
//! the next pass of its stage, is in runs. A run is in order of due time and posting, and the pass merges
//! all of them.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::handler::RouteTable;
use crate::message::{Facts, MessageIndex};
use crate::post::schedule::head::Head;
use crate::post::schedule::held::{DeliverFirst, Held};
use crate::post::schedule::run::{Front, Key, LANES, Line, Run, Since, TRACKS, Track};
use crate::post::schedule::stamp::Stamps;
use crate::post::schedule::stock::{Place, Stock};
use crate::post::schedule::wheel::{Slot, Wheel};

/// The list that a message is in.
#[derive(Clone, Copy, Debug)]
enum List {
    /// A slot of the wheel of a track: that of a due time.
    Wheel(Track, u64),
    /// A run of a lane, for the next pass.
    Ready(usize, usize),
    /// A run of a lane that the pass under way delivers, or that a panic has left of one.
    Due(usize, usize),
}

/// Where a message is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    list: List,
    nth: usize,
    pub(super) block: u32,
    pub(super) at: usize,
}

/// A message that is visited.
pub(super) struct Visited<'q> {
    pub(super) head: &'q Head,
    /// If it waits for the next pass of its stage: since when.
    pub(super) ready: Option<u64>,
    #[cfg_attr(
        not(feature = "data"),
        expect(dead_code, reason = "saves ask for messages")
    )]
    pub(super) block: u32,
    #[cfg_attr(
        not(feature = "data"),
        expect(dead_code, reason = "saves ask for messages")
    )]
    pub(super) at: usize,
}

/// Visits a message.
type Visit<'a, 'q> = dyn FnMut(Visited<'q>) -> ControlFlow<()> + 'a;

pub(super) struct Queue {
    pub(super) facts: &'static Facts,
    /// The routes of the type, as of the last pass.
    pub(super) table: Option<&'static RouteTable>,
    pub(super) stock: Box<dyn Stock>,
    pub(super) deliver: DeliverFirst,
    /// Dropping one of its messages does something.
    pub(super) needs_drop: bool,
    /// The number of messages in stock, with those that were cancelled and are still there.
    pub(super) items: usize,
    /// The stamp of the last post.
    pub(super) recent: u32,
    wheels: [Option<Box<Wheel>>; TRACKS],
    ready: [Vec<Run>; LANES],
    due: [Vec<Run>; LANES],
}

/// Returns the number of the queue of a message type. The numbers for boxed and for other messages alternate, so that
/// types can be added.
#[inline]
pub(super) fn slab_of(of: MessageIndex, is_boxed: bool) -> u32 {
    of.0 << 1 | u32::from(is_boxed)
}

impl Spot {
    /// Returns the track of the wheel that the message is in.
    pub(super) fn track(&self) -> Option<Track> {
        match self.list {
            List::Wheel(track, _) => Some(track),
            _ => None,
        }
    }
}

impl Queue {
    pub(super) fn new(held: &mut dyn Held) -> Self {
        let (stock, deliver) = held.stock();
        Self {
            facts: held.facts(),
            table: None,
            stock,
            deliver,
            needs_drop: held.needs_drop(),
            items: 0,
            recent: u32::MAX,
            wheels: [const { None }; TRACKS],
            ready: [const { Vec::new() }; LANES],
            due: [const { Vec::new() }; LANES],
        }
    }

    /// Makes room behind those that are due in the same slot, if one is open, and returns the block.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "part of a post: W5")]
    pub(super) fn open_tail(&mut self, track: Track, due: u64, reached: u64) -> Option<u32> {
        let wheel = self.wheels[track.number()].as_deref_mut()?;
        wheel.open_slot(due, reached)?.last()
    }

    /// Like [`open_tail`](Self::open_tail), behind those that are ready since the same time.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "part of a post")]
    pub(super) fn open_ready(&mut self, track: Track, since: u64) -> Option<u32> {
        let run = self.ready[track.lane()].last_mut()?;
        if run.track != track || run.line.since != Some(since) {
            return None;
        }
        run.list.last()
    }

    /// Makes room for a message that waits until it is due, behind all others, and returns the block.
    pub(super) fn wait(&mut self, track: Track, due: u64, reached: u64) -> u32 {
        let wheel = self.wheels[track.number()].get_or_insert_default();
        self.items += 1;
        wheel.slot(due, reached).make_room(&mut *self.stock)
    }

    /// Like [`wait`](Self::wait), for a message that was posted before others. Returns the block, and the place in it
    /// unless that is the end.
    pub(super) fn wait_again(
        &mut self,
        track: Track,
        key: Key,
        reached: u64,
        stamps: &Stamps,
    ) -> (u32, Option<usize>) {
        let wheel = self.wheels[track.number()].get_or_insert_default();
        let slot = wheel.slot(key.due, reached);
        self.items += 1;
        let place = self.stock.search(&slot.blocks, None, key.number, stamps);
        match slot.blocks.get(place.nth) {
            Some(&block) if place.at < self.stock.len(block) => {
                if place.nth + 1 == slot.blocks.len() {
                    slot.room = slot.room.saturating_sub(1);
                }
                (block, Some(place.at))
            }
            _ => (slot.make_room(&mut *self.stock), None),
        }
    }

    /// Makes room for a message that is delivered in the next pass, and returns the block.
    pub(super) fn ready(&mut self, track: Track, since: Since, key: Key, stamps: &Stamps) -> u32 {
        let (runs, stock) = (&mut self.ready[track.lane()], &mut *self.stock);
        let since = match since {
            Since::At(since) => Some(since),
            Since::Due => None,
        };
        let goes_on = runs.last().is_some_and(|run| {
            run.track == track && run.line.since == since && run.ends_before(key, stock, stamps)
        });
        if !goes_on {
            runs.push(Run {
                track,
                line: Line::new(track, since),
                list: Slot::default(),
            });
        }
        self.items += 1;
        let run = runs.last_mut().expect("it was pushed a moment ago");
        run.list.make_room(stock)
    }

    /// Makes room for a message that falls due again in the pass under way. Returns the number of its run
    /// and the block.
    pub(super) fn again(&mut self, track: Track, since: Since) -> (usize, u32) {
        let runs = &mut self.due[track.lane()];
        let mut list = Slot::default();
        let block = list.make_room(&mut *self.stock);
        self.items += 1;
        let since = match since {
            Since::At(since) => Some(since),
            Since::Due => None,
        };
        let line = Line::new(track, since);
        runs.push(Run { track, line, list });
        (runs.len() - 1, block)
    }

    /// Moves on the clock of a track. What falls due is ready for the next pass: since `since`, if its due
    /// time does not tell that.
    pub(super) fn advance(
        &mut self,
        track: Track,
        from: u64,
        to: u64,
        since: Option<u64>,
        stamps: &Stamps,
    ) {
        let Some(wheel) = &mut self.wheels[track.number()] else {
            return;
        };
        let stock = &mut *self.stock;
        let mut drained = wheel.advance(from, to, stock, stamps);
        if drained.blocks.is_empty() {
            return;
        }
        if !drained.at_once {
            sort(&mut drained.blocks, since.is_none(), stock, stamps);
        }
        self.ready[track.lane()].push(Run {
            track,
            line: Line::new(track, since),
            list: Slot {
                blocks: drained.blocks,
                ..Slot::default()
            },
        });
    }

    /// Begins a pass with everything that is ready for its stage, behind the rest that a panic has left of the last
    /// one.
    pub(super) fn begin_pass(&mut self, lane: usize) {
        self.table = self.facts.table();
        let due = &mut self.due[lane];
        due.retain(|run| !run.list.blocks.is_empty());
        due.append(&mut self.ready[lane]);
    }

    /// Returns the number of runs that the pass under way delivers.
    pub(super) fn due_runs(&self, lane: usize) -> usize {
        self.due[lane].len()
    }

    /// Finds the first message of a run that is due, and returns `true` if there is one. Those before it that were
    /// cancelled are left out.
    #[inline]
    pub(super) fn find_front(
        &mut self,
        (lane, run): (usize, usize),
        stamps: &mut Stamps,
        front: &mut Front,
    ) -> bool {
        let Some(run) = self.due[lane].get_mut(run) else {
            return false;
        };
        while let Some(&block) = run.list.blocks.first() {
            let Some(head) = self.stock.head(block, 0) else {
                run.list.close(0, &mut *self.stock);
                continue;
            };
            let key = run.line.key(head, stamps.get(head.stamp));
            if !stamps.cancelled.has(key.number) {
                // Written where it stays: what was just written in pieces is not read as a whole without a
                // delay. W5-context.
                (front.key, front.head, front.block) = (key, *head, block);
                return true;
            }
            stamps.leave_out(head.stamp, 1);
            self.items -= 1;
            self.stock.pass_by(block, 1);
        }
        false
    }

    /// Returns what the order of the messages of a run that is due depends on.
    pub(super) fn line(&self, lane: usize, run: usize) -> Line {
        self.due[lane][run].line
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
        let spot = |list, blocks: &[u32], place: Place| {
            let &block = blocks.get(place.nth)?;
            let head = self.stock.head(block, place.at)?;
            let is_it = stamps.number(head) == number && !stamps.is_cancelled(head);
            is_it.then_some(Spot {
                list,
                nth: place.nth,
                block,
                at: place.at,
            })
        };
        if due > reached
            && let Some(wheel) = &self.wheels[track.number()]
            && let Some(slot) = wheel.peek(due, reached)
        {
            let place = self.stock.search(&slot.blocks, None, number, stamps);
            let found = spot(List::Wheel(track, due), &slot.blocks, place);
            if found.is_some() {
                return found;
            }
        }
        let lane = track.lane();
        let ready = (0..).zip(&self.ready[lane]);
        let ready = ready.map(|(at, run)| (List::Ready(lane, at), run));
        let pass = (0..).zip(&self.due[lane]);
        let pass = pass.map(|(at, run)| (List::Due(lane, at), run));
        let mut runs = ready.chain(pass).filter(|(_, run)| run.track == track);
        runs.find_map(|(list, run)| {
            let place = run.search(&*self.stock, due, number, stamps);
            spot(list, &run.list.blocks, place)
        })
    }

    /// A message was taken from a spot: the block is freed if it was the last one. Returns `true` if it was due in
    /// the pass under way.
    pub(super) fn was_taken(&mut self, spot: Spot, reached: u64) -> bool {
        self.items -= 1;
        let was_due = matches!(spot.list, List::Due(..));
        if self.stock.len(spot.block) > 0 {
            return was_due;
        }
        let list = match spot.list {
            List::Wheel(track, due) => {
                let wheel = self.wheels[track.number()].as_mut();
                wheel.map(|wheel| wheel.slot(due, reached))
            }
            List::Ready(lane, run) => self.ready[lane].get_mut(run).map(|run| &mut run.list),
            List::Due(lane, run) => self.due[lane].get_mut(run).map(|run| &mut run.list),
        };
        if let Some(list) = list {
            list.close(spot.nth, &mut *self.stock);
        }
        was_due
    }

    /// Returns since when the message at a spot is ready, if it waits for the next pass of its stage.
    pub(super) fn ready_since(&self, spot: Spot, stamps: &Stamps) -> Option<u64> {
        let run = match spot.list {
            List::Wheel(..) => return None,
            List::Ready(lane, run) => &self.ready[lane][run],
            List::Due(lane, run) => &self.due[lane][run],
        };
        let head = self.stock.head(spot.block, spot.at)?;
        Some(run.since(head, stamps))
    }

    /// Visits every message: those that are ready first, and then each wheel in the order of its slots,
    /// until `most` of that run or wheel were visited.
    pub(super) fn visit<'q>(
        &'q self,
        most: usize,
        stamps: &Stamps,
        visit: &mut Visit<'_, 'q>,
    ) -> ControlFlow<()> {
        let items = move |block: u32| {
            let at = 0..self.stock.len(block);
            at.filter_map(move |at| Some((at, self.stock.head(block, at)?)))
                .filter(|(_, head)| !stamps.is_cancelled(head))
        };
        for run in self.ready.iter().chain(&self.due).flatten() {
            let blocks = run.list.blocks.iter().copied();
            let all = blocks.flat_map(|block| items(block).map(move |item| (block, item)));
            for (block, (at, head)) in all.take(most) {
                let ready = Some(run.since(head, stamps));
                visit(Visited {
                    head,
                    ready,
                    block,
                    at,
                })?;
            }
        }
        for wheel in self.wheels.iter().flatten() {
            let mut visited = 0;
            for slot in wheel.slots().filter(|slot| !slot.blocks.is_empty()) {
                if visited >= most {
                    break;
                }
                for &block in &slot.blocks {
                    for (at, head) in items(block) {
                        visited += 1;
                        visit(Visited {
                            head,
                            ready: None,
                            block,
                            at,
                        })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn slots_mut<'q>(
        wheels: &'q mut [Option<Box<Wheel>>; TRACKS],
        runs: [&'q mut [Vec<Run>; LANES]; 2],
    ) -> impl Iterator<Item = &'q mut Slot> {
        let runs = runs.into_iter().flatten().flatten();
        let runs = runs.map(|run| &mut run.list);
        let wheels = wheels.iter_mut().flatten();
        wheels.flat_map(|wheel| wheel.slots_mut()).chain(runs)
    }

    /// Drops the messages that were cancelled. They still count.
    pub(super) fn sweep(&mut self, stamps: &mut Stamps) {
        let runs = [&mut self.ready, &mut self.due];
        for slot in Self::slots_mut(&mut self.wheels, runs) {
            for nth in (0..slot.blocks.len()).rev() {
                let block = slot.blocks[nth];
                let heads = (0..self.stock.len(block)).filter_map(|at| self.stock.head(block, at));
                let cancelled = heads.filter(|head| stamps.is_cancelled(head));
                let cancelled: Vec<u32> = cancelled.map(|head| head.stamp).collect();
                if !cancelled.is_empty() {
                    self.stock.sweep(block, stamps);
                }
                self.items -= cancelled.len();
                for stamp in cancelled {
                    stamps.leave(stamp, 1);
                }
                if self.stock.len(block) == 0 {
                    slot.close(nth, &mut *self.stock);
                }
            }
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        let runs = [&mut self.ready, &mut self.due];
        for slot in Self::slots_mut(&mut self.wheels, runs) {
            slot.blocks.shrink_to_fit();
            slot.room = 0;
        }
        for wheel in self.wheels.iter_mut().flatten() {
            wheel.shrink_to_fit();
        }
        for runs in self.ready.iter_mut().chain(&mut self.due) {
            runs.shrink_to_fit();
        }
        self.stock.shrink_to_fit();
    }
}

/// Puts all items of a list of blocks in order.
fn sort(blocks: &mut SmallVec<[u32; 4]>, by_due: bool, stock: &mut dyn Stock, stamps: &Stamps) {
    let key = |head: &Head| Key {
        due: if by_due { stamps.due(head) } else { 0 },
        number: stamps.number(head),
    };
    let mut keys = Vec::new();
    for &block in &*blocks {
        let heads = (0..stock.len(block)).filter_map(|at| stock.head(block, at));
        keys.extend(heads.map(key).zip(keys.len()..));
    }
    if keys.is_sorted() {
        return;
    }
    keys.sort_unstable();
    let mut places = vec![0; keys.len()];
    for (place, (_, from)) in (0..).zip(keys) {
        places[from] = place;
    }
    stock.arrange(blocks, &mut places);
    for block in blocks.drain(1..) {
        stock.close(block);
    }
}
