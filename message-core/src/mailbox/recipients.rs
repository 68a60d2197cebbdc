//! Whom the letters of one type and frame are for.
//!
//! Most letters are for one messagee: so the addresses are a plain list, and only what was not written
//! as an id is kept as it was written, once for all letters in a row. As long as no letter is for one
//! messagee alone, the list of addresses is empty: a stream to everyone writes nothing for each letter.
//!
//! Mail for one messagee is found by an index, made when it is first asked for.

use std::iter::Copied;
use std::ops::Range;
use std::slice;

use super::FEW;
use super::index::{Index, Lazy, Ranks};
use super::letters::take_room;
use crate::address::{MessageeId, Recipient};

/// Where each letter goes when they are sorted by address.
pub(super) type AddressRanks<'a> = Ranks<'a, Copied<slice::Iter<'a, Option<MessageeId>>>>;

/// Letters in a row with the same recipient, which is no id.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) to: Recipient,
}

#[derive(Default)]
pub(super) struct Recipients {
    /// The messagee that a letter is for, if it is for one alone. Where the list has ended, none is.
    addresses: Vec<Option<MessageeId>>,
    /// The recipients that were not written as ids, in order.
    written: Vec<Written>,
    by_address: Lazy,
    /// `true` if the messages are stored in the order of their ranks in the index by address.
    sorted: bool,
}

impl Recipients {
    /// Puts the letters from one position up to another in, behind the last.
    pub(super) fn push_each(&mut self, at: Range<u32>, to: Recipient, address: Option<MessageeId>) {
        if address.is_some() {
            self.pad(at.start);
            self.addresses.resize(at.end as usize, address);
        }
        if !matches!(to, Recipient::Id(_)) {
            self.write(at.start, at.end, to);
        }
    }

    /// Returns `true` if there is room to [put](Self::push_for_one) a letter in.
    #[inline]
    pub(super) fn has_room_for_one(&self) -> bool {
        self.addresses.len() < self.addresses.capacity()
    }

    /// Puts a letter to one messagee in, behind one that is for one, too.
    #[inline]
    pub(super) fn push_for_one(&mut self, id: MessageeId) {
        self.addresses.push(Some(id));
    }

    /// Puts a letter to everyone in, behind such a one.
    #[inline]
    pub(super) fn push_for_everyone(&mut self) {
        if let Some(last) = self.written.last_mut() {
            last.end += 1;
        }
    }

    /// Makes the list of addresses that long.
    fn pad(&mut self, count: u32) {
        if self.addresses.len() < count as usize {
            self.addresses.resize(count as usize, None);
        }
    }

    fn write(&mut self, first: u32, end: u32, to: Recipient) {
        match self.written.last_mut() {
            Some(last) if last.end == first && last.to == to => last.end = end,
            _ => self.written.push(Written { first, end, to }),
        }
    }

    /// Nothing is added to so many letters from now on.
    pub(super) fn close(&mut self, count: u32) {
        if !self.addresses.is_empty() {
            self.pad(count);
        }
    }

    /// The messagee that a letter is for, if it is for one alone.
    pub(super) fn address(&self, at: u32) -> Option<MessageeId> {
        self.addresses.get(at as usize).copied().flatten()
    }

    /// Returns `true` if a letter is for one messagee alone.
    pub(super) fn is_for_one(&self, at: u32) -> bool {
        self.address(at).is_some()
    }

    /// As the sender wrote it.
    pub(super) fn recipient(&self, at: u32) -> Recipient {
        let written = &self.written[self.written_from(at)..];
        match (written.first(), self.address(at)) {
            (Some(written), _) if written.first <= at => written.to,
            (_, Some(id)) => Recipient::Id(id),
            (_, None) => unreachable!("what is not for one messagee is kept as written"),
        }
    }

    /// The recipients that are no ids, of the letters from that position on.
    pub(super) fn written(&self, start: u32) -> &[Written] {
        &self.written[self.written_from(start)..]
    }

    fn written_from(&self, start: u32) -> usize {
        self.written.partition_point(|written| written.end <= start)
    }

    /// The first of some letters that is for one messagee alone, and takes the positions up to it off.
    #[inline]
    pub(super) fn next_for(&self, id: MessageeId, among: &mut Range<u32>) -> Option<u32> {
        let addresses = self.addresses.get(among.start as usize..)?;
        let mut addresses = among.clone().zip(addresses);
        let found = addresses.find(|&(_, address)| *address == Some(id));
        among.start = found.map_or(among.end, |(at, _)| at + 1);
        found.map(|(at, _)| at)
    }

    /// Returns `true` if there are so few letters for one messagee alone that each can be looked at.
    pub(super) fn are_few(&self) -> bool {
        self.addresses.len() <= FEW
    }

    /// The index by address, and `true` if the letters are sorted by it. Nothing may be added after
    /// that.
    #[inline]
    pub(super) fn by_address(&self) -> (&Index, bool) {
        let addresses = self.addresses.iter().copied();
        (self.by_address.get(|| addresses), self.sorted)
    }

    /// The slots of all letters, in the order published, when they are sorted.
    pub(super) fn ranks(&self) -> Vec<u32> {
        let index = self.by_address.made();
        let index = index.expect("what is sorted has an index");
        index.ranks(self.addresses.iter().copied())
    }

    /// Returns `true` if the letters are sorted by address.
    #[inline]
    pub(super) fn are_sorted(&self) -> bool {
        self.sorted
    }

    /// Sorts the letters by address, if there are many and that can be done: `sort` is told where each
    /// goes.
    pub(super) fn sort(&mut self, sort: impl FnOnce(AddressRanks<'_>)) {
        if self.are_few() {
            return;
        }
        let addresses = self.addresses.iter().copied();
        let index = self.by_address.room();
        if index.count(addresses.clone()) {
            sort(index.rank(addresses));
            self.by_address.make();
            self.sorted = true;
        }
    }

    pub(super) fn clear(&mut self) {
        self.addresses.clear();
        self.written.clear();
        self.by_address.clear();
        self.sorted = false;
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.addresses.shrink_to_fit();
        self.written.shrink_to_fit();
        self.by_address.shrink_to_fit();
    }

    /// Takes over the room of letters that were cleared, where there is none yet.
    pub(super) fn take_room_of(&mut self, cleared: &mut Self) {
        take_room(&mut self.addresses, &mut cleared.addresses);
        take_room(&mut self.written, &mut cleared.written);
    }

    /// As [`take_room_of`](Self::take_room_of), for the index.
    pub(super) fn take_index_of(&mut self, cleared: &mut Self) {
        self.by_address.take_room_of(&mut cleared.by_address);
    }
}
