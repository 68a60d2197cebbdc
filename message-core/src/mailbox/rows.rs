//! The letters that are chosen, frame by frame: in rows, whose messages are stored side by side.
//!
//! Nothing here depends on the message's type.

use std::collections::vec_deque;
use std::ops::Range;
use std::slice;

use super::Mailbox;
use super::choice::Choice;
use super::chosen::{Chosen, Slots};
use super::letters::Letters;

/// Letters that are chosen and whose messages are stored side by side.
pub(super) struct Row<'a> {
    pub(super) letters: &'a Letters,
    /// Never empty; one slot if the messages are in boxes.
    pub(super) slots: Range<u32>,
}

#[derive(Clone)]
pub(super) struct Rows<'a> {
    choice: Choice<'a>,
    /// The ordinal from which on is read.
    since: u64,
    /// Those whose letters are read.
    current: Option<(&'a Letters, Chosen<'a>)>,
    /// The slots of those that come next, if they are not side by side.
    listed: slice::Iter<'a, u32>,
    /// The slots of those that come next, if they are in boxes.
    boxed: Range<u32>,
    rest: vec_deque::Iter<'a, Letters>,
}

impl<'a> Rows<'a> {
    /// Those of the letters that were published in the last frame, or from an ordinal on, over all
    /// frames that are left.
    #[inline(never)]
    pub(super) fn new(
        choice: Choice<'a>,
        mailbox: Option<&'a Mailbox>,
        since: Option<u64>,
    ) -> Self {
        let frame = choice.office.frame();
        let rest = match (mailbox, since) {
            (None, _) => vec_deque::Iter::default(),
            (Some(mailbox), None) => mailbox.last(frame),
            (Some(mailbox), Some(_)) => mailbox.readable.iter(),
        };
        Self {
            choice,
            since: since.unwrap_or(0),
            current: None,
            listed: [].iter(),
            boxed: 0..0,
            rest,
        }
    }

    /// Those of the letters of one frame.
    pub(super) fn of(choice: Choice<'a>, letters: Option<&'a Letters>) -> Self {
        let chosen = |letters: &'a Letters| Chosen::new(choice, letters.metadata(), 0);
        Self {
            current: letters.map(|letters| (letters, chosen(letters))),
            ..Self::new(choice, None, None)
        }
    }

    /// How many letters are left, by walking through them.
    pub(super) fn count_letters(self) -> usize {
        self.map(|row| row.slots.len()).sum()
    }

    /// The slot of the next letter, if it is known already.
    #[inline]
    fn next_slot(&mut self) -> Option<u32> {
        match self.listed.next() {
            Some(&slot) => Some(slot),
            None => self.boxed.next(),
        }
    }

    /// The slots of the next letters of this frame.
    fn next_slots(&mut self) -> Option<Range<u32>> {
        let (letters, chosen) = self.current.as_mut()?;
        match chosen.next_slots()? {
            Slots::Row(slots) if letters.are_boxed() => self.boxed = slots,
            Slots::Row(slots) => return Some(slots),
            Slots::Listed(slots) => self.listed = slots,
        }
        self.next_slot().map(|slot| slot..slot + 1)
    }
}

impl<'a> Iterator for Rows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        loop {
            let slots = match self.next_slot() {
                Some(slot) => Some(slot..slot + 1),
                None => self.next_slots(),
            };
            if let Some(slots) = slots
                && let Some((letters, _)) = &self.current
            {
                return Some(Row { letters, slots });
            }
            let letters = self.rest.next()?;
            let start = letters.position_of(self.since);
            let chosen = Chosen::new(self.choice, letters.metadata(), start);
            self.current = Some((letters, chosen));
        }
    }
}
