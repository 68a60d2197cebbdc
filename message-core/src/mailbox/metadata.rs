//! What is written on the letters of one type and frame: to whom, from whom, when and where.
//!
//! Most letters are for one messagee, and many in a row come from one call: so the addresses are a
//! plain list, only what was not written as an id is kept in full, and what a call puts on its
//! letters stands once for a whole run of them. Nothing is sorted when letters are put in. Who asks
//! for one recipient or one sender among many letters gets an index that is made then, once.

use std::cell::{Cell, OnceCell};
use std::ops::Range;
use std::panic::Location;
use std::time::Duration;

use super::Letter;
use super::index::Index;
use super::letters::take_room;
use crate::address::{MessageeId, Recipient, Sender};
use crate::room::Shrink;
use crate::time::Moment;
use crate::trace::TraceId;

/// So few letters are looked through without an index.
const FEW: usize = 32;

/// What the publishing call puts on a letter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) sender: Sender,
    pub(crate) place: &'static Location<'static>,
    /// The scaled time, in nanoseconds.
    pub(crate) time: u64,
    /// The letter's number in the order sent, over all types.
    pub(crate) number: u64,
    /// Its number in the trace, if it is traced.
    pub(crate) trace: Option<TraceId>,
}

/// Letters in a row that bear the same marks, with numbers that follow on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) first: u32,
    /// That of the first of them.
    pub(super) mark: Mark,
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
    #[inline]
    fn goes_on_with(&self, at: u32, mark: &Mark) -> bool {
        let next = self.mark_at(at);
        next.number == mark.number
            && next.sender == mark.sender
            && std::ptr::eq(next.place, mark.place)
            && next.time == mark.time
            && next.trace == mark.trace
    }
}

#[derive(Default)]
pub(super) struct Metadata {
    /// The messagee that a letter is for, if it is for one alone.
    addresses: Vec<Option<MessageeId>>,
    /// The recipients that were not written as ids, with their positions, in order.
    written: Vec<(u32, Recipient)>,
    runs: Vec<Run>,
    frame: u64,
    closed: bool,
    by_address: Lazy,
    /// Of the runs.
    by_sender: Lazy,
    /// `true` if the messages are stored in the order of their ranks in the index by address.
    sorted: bool,
    /// In which order they are stored, when somebody has asked for it.
    order: OnceCell<Order>,
    /// `true` if somebody has asked for the letters for one messagee.
    sought: Cell<bool>,
}

/// How much room some letters need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needed {
    pub(super) letters: usize,
    written: usize,
    runs: usize,
}

impl Needed {
    pub(super) fn max(self, other: Self) -> Self {
        Self {
            letters: self.letters.max(other.letters),
            written: self.written.max(other.written),
            runs: self.runs.max(other.runs),
        }
    }
}

/// From the positions of letters in the order published to the slots in which their messages are
/// stored, and back.
struct Order {
    slots: Vec<u32>,
    positions: Vec<u32>,
}

impl Metadata {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "a letter that is made where it is put is never in memory as a whole; measured"
    )]
    pub(super) fn push<M>(&mut self, letter: &Letter<M>) {
        let at = self.count();
        if at == 0 {
            self.frame = letter.frame;
        }
        self.addresses.push(letter.address);
        if !matches!(letter.to, Recipient::Id(_)) {
            self.written.push((at, letter.to));
        }
        let mark = letter.mark;
        match self.runs.last() {
            Some(run) if run.goes_on_with(at, &mark) => {}
            _ => self.runs.push(Run { first: at, mark }),
        }
    }

    pub(super) fn close(&mut self) {
        self.closed = true;
    }

    pub(super) fn clear(&mut self) {
        self.addresses.clear();
        self.written.clear();
        self.runs.clear();
        self.by_address.clear();
        self.by_sender.clear();
        self.closed = false;
        self.sorted = false;
        self.order.take();
        self.sought.set(false);
    }

    pub(super) fn needed(&self) -> Needed {
        Needed {
            letters: self.addresses.len(),
            written: self.written.len(),
            runs: self.runs.len(),
        }
    }

    pub(super) fn shrink(&mut self, how: Shrink, needed: Needed) {
        how.room(&mut self.addresses, needed.letters);
        how.room(&mut self.written, needed.written);
        how.room(&mut self.runs, needed.runs);
        self.by_address.shrink(how);
        self.by_sender.shrink(how);
    }

    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "fewer than 2^32 messages are published in a frame"
    )]
    pub(super) fn count(&self) -> u32 {
        self.addresses.len() as u32
    }

    /// Returns `true` if they were published in the frame before that one.
    pub(super) fn was_before(&self, frame: u64) -> bool {
        self.frame + 1 == frame
    }

    /// Returns `true` if they have been readable for so many frames when that one begins.
    pub(super) fn is_over(&self, retention: u64, frame: u64) -> bool {
        self.frame.saturating_add(retention) < frame
    }

    pub(super) fn written(&self) -> &[(u32, Recipient)] {
        &self.written
    }

    #[inline]
    pub(super) fn is_for(&self, at: u32, id: MessageeId) -> bool {
        self.addresses[at as usize] == Some(id)
    }

    /// Returns `true` if a letter is for one messagee alone.
    pub(super) fn is_for_one(&self, at: u32) -> bool {
        self.addresses[at as usize].is_some()
    }

    /// The slots of the letters for one messagee.
    #[inline]
    pub(super) fn slots_of(&self, id: MessageeId) -> Slots<'_> {
        if !self.closed || self.addresses.len() <= FEW {
            return Slots::AmongAll;
        }
        self.sought.set(true);
        let addresses = self.addresses.iter().copied();
        let index = self.by_address.get(|| addresses);
        let ranks = index.of(id);
        if self.sorted {
            Slots::InARow(ranks)
        } else {
            Slots::Listed(&index.positions()[ranks.start as usize..ranks.end as usize])
        }
    }

    /// Returns `true` if somebody has asked for the letters for one messagee, of many.
    pub(super) fn were_sought(&self) -> bool {
        self.sought.get()
    }

    /// Returns `true` if the messages are stored by address.
    pub(super) fn are_sorted(&self) -> bool {
        self.sorted
    }

    /// Returns `true` if there are many letters, and they can be sorted by address.
    pub(super) fn can_be_sorted(&mut self) -> bool {
        let addresses = self.addresses.iter().copied();
        self.addresses.len() > FEW && self.by_address.room.get_mut().count(addresses)
    }

    /// Sorts the letters by address, if they can be; `put` is told where the message of each goes,
    /// in the order published.
    pub(super) fn sort(&mut self, mut put: impl FnMut(usize)) {
        let mut index = self.by_address.room.take();
        index.rank(self.addresses.iter().copied(), |_, rank| put(rank));
        self.by_address.index = index.into();
        self.sorted = true;
    }

    /// Takes over the room of letters that were cleared, where there is none yet.
    pub(super) fn take_room_of(&mut self, cleared: &mut Self) {
        take_room(&mut self.addresses, &mut cleared.addresses);
        take_room(&mut self.written, &mut cleared.written);
        take_room(&mut self.runs, &mut cleared.runs);
    }

    /// As [`take_room_of`](Self::take_room_of), for what is needed when the letters are closed.
    pub(super) fn take_indices_of(&mut self, cleared: &mut Self) {
        self.by_address.take_room_of(&mut cleared.by_address);
        self.by_sender.take_room_of(&mut cleared.by_sender);
    }

    /// Where the message of the letter at that position is stored.
    #[inline]
    pub(super) fn slot(&self, at: u32) -> u32 {
        if self.sorted {
            self.order().slots[at as usize]
        } else {
            at
        }
    }

    /// The position of the letter whose message is stored there.
    #[inline]
    pub(super) fn position(&self, slot: u32) -> u32 {
        if self.sorted {
            self.order().positions[slot as usize]
        } else {
            slot
        }
    }

    fn order(&self) -> &Order {
        self.order.get_or_init(|| {
            let index = self.by_address.index.get();
            let index = index.expect("what is sorted has an index");
            let slots = index.ranks(self.addresses.iter().copied());
            let mut positions = vec![0; slots.len()];
            for (at, &slot) in (0..).zip(&slots) {
                positions[slot as usize] = at;
            }
            Order { slots, positions }
        })
    }

    /// The runs of letters from one messagee, if there are so many that they have an index.
    pub(super) fn runs_of(&self, id: MessageeId) -> Option<&[u32]> {
        let indexed = self.closed && self.runs.len() > FEW;
        indexed.then(|| {
            let senders = self.runs.iter().map(|run| run.mark.sender.id());
            let index = self.by_sender.get(|| senders);
            let Range { start, end } = index.of(id);
            &index.positions()[start as usize..end as usize]
        })
    }

    pub(super) fn run_count(&self) -> usize {
        self.runs.len()
    }

    /// Who has sent a run of letters, and their positions.
    pub(super) fn run(&self, at: usize) -> (Sender, Range<u32>) {
        let run = &self.runs[at];
        (run.mark.sender, run.first..self.start_of_run(at + 1))
    }

    /// Where that run begins, or the letters end.
    fn start_of_run(&self, at: usize) -> u32 {
        self.runs.get(at).map_or(self.count(), |run| run.first)
    }

    #[inline]
    pub(super) fn mark(&self, at: u32) -> Mark {
        let behind = match self.runs.len() {
            1 => 1,
            _ => self.runs.partition_point(|run| run.first <= at),
        };
        self.runs[behind - 1].mark_at(at)
    }

    /// The mark of the letter whose message is stored there.
    #[inline]
    pub(super) fn mark_of_slot(&self, slot: u32) -> Mark {
        self.mark(self.position(slot))
    }

    /// As the sender wrote it.
    pub(super) fn recipient(&self, at: u32) -> Recipient {
        let written = self.written.binary_search_by_key(&at, |&(at, _)| at);
        match (written, self.addresses[at as usize]) {
            (Ok(written), _) => self.written[written].1,
            (Err(_), Some(id)) => Recipient::Id(id),
            (Err(_), None) => unreachable!("what is not for one messagee is kept as written"),
        }
    }

    pub(super) fn published(&self, at: u32) -> Moment {
        Moment {
            time: Duration::from_nanos(self.mark(at).time),
            frame: self.frame,
        }
    }

    /// The position of the first letter whose number is this one or a later one.
    pub(super) fn position_of_number(&self, number: u64) -> u32 {
        let behind = self.runs.partition_point(|run| run.mark.number <= number);
        let Some(run) = behind.checked_sub(1).map(|at| &self.runs[at]) else {
            return 0;
        };
        let into = u32::try_from(number - run.mark.number).unwrap_or(u32::MAX);
        let at = run.first.saturating_add(into);
        at.min(self.start_of_run(behind))
    }
}

/// Where the messages of some letters are stored, in the order published.
pub(super) enum Slots<'a> {
    /// The letters are so few, or so new, that each has to be looked at.
    AmongAll,
    Listed(&'a [u32]),
    InARow(Range<u32>),
}

/// An index that is made when it is first asked for, in the room of an earlier one.
#[derive(Default)]
struct Lazy {
    index: OnceCell<Index>,
    room: Cell<Index>,
}

impl Lazy {
    #[inline]
    fn get<K>(&self, keys: impl FnOnce() -> K) -> &Index
    where
        K: ExactSizeIterator<Item = Option<MessageeId>> + Clone,
    {
        self.index.get_or_init(|| {
            let mut index = self.room.take();
            index.fill(keys());
            index
        })
    }

    fn clear(&mut self) {
        if let Some(mut index) = self.index.take() {
            index.clear();
            self.room.set(index);
        }
    }

    fn take_room_of(&mut self, cleared: &mut Self) {
        self.room.set(cleared.room.take());
    }

    fn shrink(&mut self, how: Shrink) {
        if let Some(index) = self.index.get_mut() {
            index.shrink(how);
        }
        self.room.get_mut().shrink(how);
    }
}
