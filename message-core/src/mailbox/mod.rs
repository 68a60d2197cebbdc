//! The pull side: what is published in one frame is found in the next.
//!
//! [`MessageManager::publish`](crate::MessageManager::publish) writes, an [`Inbox`] reads what was
//! published in the last frame, a [`Cursor`] reads on where it stopped, and [`Pending`] is what has
//! been published in this frame so far. The guide has a page about it: [pull](crate::guide::pull).

// For each message type there is one `Mailbox`: the letters of the frame that is being written,
// behind a `RefCell`, since handlers write too; and those of the frames that can be read, which
// stand still until the next frame begins, so that a reader holds plain references and may send
// meanwhile. When a frame begins, what was written becomes readable as a whole, for every type
// before anything is dropped; only the mailboxes in which something is are visited.
//
// The letters of a frame are a struct of arrays. Next to the messages stands what is written on
// them (`Metadata`), which has no type parameter, so that one code selects among
// the letters of one type, of all types, and of the frame that is being written.
//
// Mail for one recipient is found by an index, made when it is first asked for. If somebody has
// asked so in one frame, the messages of the next are themselves sorted by recipient when it has
// ended: to read a million messages where they were published, recipient by recipient, takes longer
// than to move them. What nobody reads by recipient is never sorted.

mod any;
mod choice;
mod chosen;
mod cursor;
mod inbox;
mod index;
mod letters;
mod mail;
mod metadata;
mod pending;
mod table;

use std::any::Any;
use std::cell::{Cell, Ref, RefCell, RefMut};
use std::collections::{VecDeque, vec_deque};

pub use any::{AnyInbox, AnyMails};
pub(crate) use choice::Choice;
pub use cursor::{AnyCursor, Cursor};
pub use inbox::{Inbox, Mails};
use letters::{AnyLetters, Letters};
pub use mail::{AnyMail, Mail};
pub(crate) use metadata::Mark;
use metadata::Needed;
pub use pending::Pending;
pub(crate) use table::Mailboxes;

use crate::address::{MessageeId, Recipient};
use crate::caught::FirstPanic;
use crate::message::Message;
use crate::room::Shrink;

/// The letters of one message type.
pub(crate) struct Mailbox<M> {
    /// Those of the frame that is under way.
    writing: RefCell<Letters<M>>,
    /// Those published while somebody looked at the frame being written: the next to be written.
    aside: RefCell<Vec<Letter<M>>>,
    /// Those of earlier frames, the oldest first. Frames in which nothing was published are not
    /// here.
    readable: VecDeque<Letters<M>>,
    /// Those that nobody can read any more, still to be dropped.
    expired: VecDeque<Letters<M>>,
    /// For how many frames letters can be read.
    retention: u64,
    /// `true` if the letters of the last frame are still to be sorted by address, because those of
    /// the frame before were asked for by address.
    sorts: bool,
    /// `true` if the table has it among those to be visited when a frame begins.
    listed: Cell<bool>,
    /// How much room the letters of a frame needed, of those that were dropped since memory was given
    /// back.
    needed: Needed,
}

/// A letter that is about to be put into a mailbox.
pub(crate) struct Letter<M> {
    pub(crate) message: M,
    /// As the sender wrote it.
    pub(crate) to: Recipient,
    /// The messagee that it is for, if it is for one alone.
    pub(crate) address: Option<MessageeId>,
    pub(crate) mark: Mark,
    /// The frame in which it is published.
    pub(crate) frame: u64,
}

impl<M: Message> Mailbox<M> {
    /// Puts a letter in, or aside while somebody looks at the frame being written. Returns `true`
    /// if it is the first of those put aside, so that they have to be [written](Self::write) in the
    /// end.
    #[inline]
    pub(crate) fn put(&self, letter: Letter<M>) -> bool {
        match self.try_write() {
            Some(mut letters) => {
                letters.push(letter);
                false
            }
            None => self.put_aside(letter),
        }
    }

    #[cold]
    fn put_aside(&self, letter: Letter<M>) -> bool {
        let mut aside = self.aside.borrow_mut();
        aside.push(letter);
        aside.len() == 1
    }

    #[inline]
    fn try_write(&self) -> Option<RefMut<'_, Letters<M>>> {
        let mut letters = self.writing.try_borrow_mut().ok()?;
        if !self.aside.borrow().is_empty() {
            letters.append(&mut self.aside.borrow_mut());
        }
        Some(letters)
    }

    /// To put letters in, whatever was leaked. What was put aside is in.
    #[inline]
    pub(crate) fn write(&mut self) -> &mut Letters<M> {
        let (letters, aside) = (self.writing.get_mut(), self.aside.get_mut());
        if !aside.is_empty() {
            letters.append(aside);
        }
        letters
    }

    fn pending(&self) -> Ref<'_, Letters<M>> {
        drop(self.try_write());
        self.writing.borrow()
    }

    /// The ordinal of the first letter that cannot be read yet.
    fn end(&self) -> u64 {
        self.writing.borrow().first()
    }

    /// The ordinal of the first letter that can still be read, or will be.
    fn oldest(&self) -> u64 {
        match self.readable.front() {
            Some(letters) => letters.first(),
            None => self.end(),
        }
    }

    /// The letters that were published in the frame before this one.
    fn last(&self, frame: u64) -> vec_deque::Iter<'_, Letters<M>> {
        let count = self.readable.len();
        match self.readable.back() {
            Some(letters) if letters.covers().was_before(frame) => self.readable.range(count - 1..),
            _ => vec_deque::Iter::default(),
        }
    }
}

impl<M> Default for Mailbox<M> {
    fn default() -> Self {
        Self {
            writing: RefCell::default(),
            aside: RefCell::default(),
            readable: VecDeque::new(),
            expired: VecDeque::new(),
            retention: 1,
            sorts: false,
            listed: Cell::new(false),
            needed: Needed::default(),
        }
    }
}

/// A mailbox whose message type is not known.
trait AnyMailbox: Any + Send {
    /// A frame has begun: what was written can be read, and what has been readable for long enough
    /// cannot be read any more. Drops nothing.
    fn turn(&mut self, frame: u64);

    /// Drops what nobody can read any more, letter by letter, and sorts what can be read in its room.
    fn discard(&mut self, panics: &mut FirstPanic);

    /// Returns `true` if it has to be visited when the next frame begins.
    fn stays_listed(&self) -> bool;

    /// The letters of a frame that can be read; 0 is the oldest such frame.
    fn readable(&self, at: usize) -> Option<&dyn AnyLetters>;

    /// Gives back memory.
    fn shrink(&mut self, how: Shrink);

    /// Drops every letter, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

impl<M: Message> AnyMailbox for Mailbox<M> {
    fn turn(&mut self, frame: u64) {
        // Taken with its cell, so that a guard that was leaked is forgotten.
        let written = std::mem::take(&mut self.writing).into_inner();
        if written.is_empty() {
            self.writing = written.into();
        } else {
            self.writing = Letters::beginning_with(written.end()).into();
            let last = self.readable.back();
            self.sorts = last.is_some_and(|last| last.covers().were_sought());
            self.readable.push_back(written.close());
        }
        let retention = self.retention;
        let is_over = |letters: &mut Letters<M>| letters.covers().is_over(retention, frame);
        while self.readable.front_mut().is_some_and(is_over) {
            self.expired.extend(self.readable.pop_front());
        }
    }

    fn discard(&mut self, panics: &mut FirstPanic) {
        while let Some(mut letters) = self.expired.pop_front() {
            self.needed = self.needed.max(letters.needed());
            letters.clear(panics);
            self.writing.get_mut().take_room_of(&mut letters);
            if let Some(last) = self.readable.back_mut() {
                last.take_sorting_room_of(&mut letters);
            }
        }
        if std::mem::take(&mut self.sorts)
            && let Some(last) = self.readable.back_mut()
        {
            last.sort();
            self.writing.get_mut().take_sorted_room_of(last);
        }
    }

    fn stays_listed(&self) -> bool {
        let stays = !(self.readable.is_empty() && self.expired.is_empty());
        self.listed.set(stays);
        stays
    }

    fn readable(&self, at: usize) -> Option<&dyn AnyLetters> {
        let letters = self.readable.get(at)?;
        Some(letters)
    }

    fn shrink(&mut self, how: Shrink) {
        let writing = self.writing.get_mut();
        let in_use = self.readable.iter().map(Letters::needed);
        let in_use = in_use.fold(writing.needed(), Needed::max);
        let needed = std::mem::take(&mut self.needed).max(in_use);
        writing.shrink(how, needed);
        for letters in &mut self.readable {
            letters.shrink(how, needed);
        }
        how.room(self.aside.get_mut(), 0);
        how.room(&mut self.readable, 0);
        how.room(&mut self.expired, 0);
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        panics.drop_each(self.aside.get_mut().drain(..));
        let letters = self.expired.iter_mut().chain(&mut self.readable);
        for letters in letters.chain([self.writing.get_mut()]) {
            letters.clear(panics);
        }
    }
}
