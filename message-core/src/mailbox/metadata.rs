//! What is written on the letters of one type and frame: to whom, from whom, when and where.
//!
//! Nothing is sorted when letters are put in. Who asks for one recipient or one sender among many
//! letters gets an index that is made then, once.

use std::cell::{Cell, OnceCell};
use std::ops::Range;
use std::time::Duration;

use super::letter::{Letter, Mark};
use super::recipients::{AddressRanks, Recipients, Written};
use super::runs::Runs;
use crate::address::{MessageeId, Recipient, Sender};
use crate::time::Moment;

#[derive(Default)]
pub(super) struct Metadata {
    count: u32,
    frame: u64,
    /// `true` if nothing is added any more.
    closed: bool,
    recipients: Recipients,
    runs: Runs,
    /// In which order the messages are stored, when somebody has asked for it.
    order: OnceCell<Order>,
    /// `true` if somebody has asked for the letters for one messagee.
    sought: Cell<bool>,
}

/// From the positions of letters in the order published to the slots in which their messages are
/// stored, and back.
struct Order {
    slots: Vec<u32>,
    positions: Vec<u32>,
}

impl Metadata {
    /// Puts a letter in that is published in that frame.
    pub(super) fn push(&mut self, letter: Letter, frame: u64) {
        self.push_each(letter, frame, 1);
    }

    /// Returns `true` if there is room for the address of one more letter.
    #[inline]
    pub(super) fn has_room_for_one(&self) -> bool {
        self.recipients.has_room_for_one()
    }

    /// As [`push`](Self::push), of a letter to one messagee that is of the same run as the last one, if
    /// there is [room](Self::has_room_for_one).
    #[inline]
    pub(super) fn push_for_one(&mut self, id: MessageeId) {
        self.recipients.push_for_one(id);
        self.count += 1;
    }

    /// As [`push_for_one`](Self::push_for_one), of a letter to everyone.
    #[inline]
    pub(super) fn push_for_everyone(&mut self) {
        self.recipients.push_for_everyone();
        self.count += 1;
    }

    /// As [`push`](Self::push), so many times, with numbers that follow on.
    pub(super) fn push_each(&mut self, letter: Letter, frame: u64, count: u32) {
        let (at, end) = (self.count, self.count + count);
        if count > 0 {
            if self.runs.push(at, letter.mark) {
                self.frame = frame;
            }
            self.recipients
                .push_each(at..end, letter.to, letter.address);
            self.count = end;
        }
    }

    /// From now on nothing is added.
    pub(super) fn close(&mut self) {
        self.recipients.close(self.count);
        self.closed = true;
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.recipients.clear();
        self.runs.clear();
        self.closed = false;
        self.order.take();
        self.sought.set(false);
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.recipients.shrink_to_fit();
        self.runs.shrink_to_fit();
    }

    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Returns `true` if they were published in the frame before that one.
    #[inline]
    pub(super) fn was_before(&self, frame: u64) -> bool {
        self.frame + 1 == frame
    }

    /// Returns `true` if they have been readable for so many frames when that one begins.
    pub(super) fn is_over(&self, retention: u64, frame: u64) -> bool {
        self.frame.saturating_add(retention) < frame
    }

    /// The messagee that a letter is for, if it is for one alone.
    #[cfg(feature = "data")]
    pub(super) fn address(&self, at: u32) -> Option<MessageeId> {
        self.recipients.address(at)
    }

    /// The frame in which they were published.
    #[cfg(feature = "data")]
    pub(super) fn frame(&self) -> u64 {
        self.frame
    }

    /// The recipients that are no ids, of the letters from that position on.
    pub(super) fn written(&self, start: u32) -> &[Written] {
        self.recipients.written(start)
    }

    /// The first of some letters that is for one messagee alone, and takes the positions up to it off.
    pub(super) fn next_for(&self, id: MessageeId, among: &mut Range<u32>) -> Option<u32> {
        self.recipients.next_for(id, among)
    }

    /// Returns `true` if a letter is for one messagee alone.
    pub(super) fn is_for_one(&self, at: u32) -> bool {
        self.recipients.is_for_one(at)
    }

    /// The slots of the letters for one messagee.
    #[inline]
    pub(super) fn slots_of(&self, id: MessageeId) -> SlotsOf<'_> {
        if !self.closed || self.recipients.are_few() {
            return SlotsOf::AmongAll;
        }
        self.sought.set(true);
        let (index, sorted) = self.recipients.by_address();
        let ranks = index.of(id);
        if sorted {
            SlotsOf::InARow(ranks)
        } else {
            SlotsOf::Listed(&index.positions()[ranks.start as usize..ranks.end as usize])
        }
    }

    /// Returns `true` if somebody has asked for the letters for one messagee, of many.
    pub(super) fn were_sought(&self) -> bool {
        self.sought.get()
    }

    /// Returns `true` if the messages are stored by address.
    #[inline]
    pub(super) fn are_sorted(&self) -> bool {
        self.recipients.are_sorted()
    }

    /// Sorts the letters by address, if there are many and that can be done: `sort` is told where the
    /// message of each goes, in the order published.
    pub(super) fn sort(&mut self, sort: impl FnOnce(AddressRanks<'_>)) {
        self.recipients.sort(sort);
    }

    /// Takes over the room of letters that were cleared, where there is none yet.
    pub(super) fn take_room_of(&mut self, cleared: &mut Self) {
        self.recipients.take_room_of(&mut cleared.recipients);
        self.runs.take_room_of(&mut cleared.runs);
    }

    /// As [`take_room_of`](Self::take_room_of), for what is needed when the letters are closed.
    pub(super) fn take_indices_of(&mut self, cleared: &mut Self) {
        self.recipients.take_index_of(&mut cleared.recipients);
        self.runs.take_index_of(&mut cleared.runs);
    }

    /// Where the message of the letter at that position is stored.
    #[inline]
    pub(super) fn slot(&self, at: u32) -> u32 {
        self.order().map_or(at, |order| order.slots[at as usize])
    }

    /// The position of the letter whose message is stored there.
    #[inline]
    pub(super) fn position(&self, slot: u32) -> u32 {
        self.order()
            .map_or(slot, |order| order.positions[slot as usize])
    }

    /// The order in which the messages are stored, if it is not that in which they were published.
    fn order(&self) -> Option<&Order> {
        self.are_sorted().then(|| {
            self.order.get_or_init(|| {
                let slots = self.recipients.ranks();
                let mut positions = vec![0; slots.len()];
                for (at, &slot) in (0..).zip(&slots) {
                    positions[slot as usize] = at;
                }
                Order { slots, positions }
            })
        })
    }

    /// The runs of letters from one messagee, if there are so many that they have an index.
    pub(super) fn runs_of(&self, id: MessageeId) -> Option<&[u32]> {
        self.closed.then(|| self.runs.of(id)).flatten()
    }

    pub(super) fn run_count(&self) -> usize {
        self.runs.len()
    }

    /// Who has sent a run of letters, and their positions.
    pub(super) fn run(&self, at: usize) -> (Sender, Range<u32>) {
        self.runs.run(at, self.count)
    }

    #[inline]
    pub(super) fn mark(&self, at: u32) -> Mark {
        self.runs.mark(at)
    }

    /// The mark of the letter whose message is stored there.
    #[inline]
    pub(super) fn mark_of_slot(&self, slot: u32) -> Mark {
        self.mark(self.position(slot))
    }

    /// As the sender wrote it.
    pub(super) fn recipient(&self, at: u32) -> Recipient {
        self.recipients.recipient(at)
    }

    pub(super) fn published(&self, at: u32) -> Moment {
        Moment {
            time: Duration::from_nanos(self.mark(at).time),
            frame: self.frame,
        }
    }

    /// The position of the first letter whose number is this one or a later one.
    pub(super) fn position_of_number(&self, number: u64) -> u32 {
        self.runs.position_of_number(number, self.count)
    }
}

/// Where the messages of the letters for one messagee are stored, in the order published.
pub(super) enum SlotsOf<'a> {
    /// The letters are so few, or so new, that each has to be looked at.
    AmongAll,
    Listed(&'a [u32]),
    InARow(Range<u32>),
}
