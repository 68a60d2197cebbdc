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
// them (`Metadata`: `Runs` of what the publishing calls put on them, and `Recipients`). Only what stores
// the messages of a frame (`Messages`, which its mailbox sees as `Payloads`) has a type parameter: so one
// code writes all letters and selects among those of one type, of all types, and of the frame that is
// being written, and a mailbox can be made for a type that is not known.
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
mod letter;
mod letters;
mod mail;
mod mails;
mod metadata;
mod payloads;
mod pending;
mod recipients;
mod rows;
mod runs;
#[cfg(feature = "data")]
mod saved;
mod table;

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::collections::{VecDeque, vec_deque};

pub use any::{AnyInbox, AnyMails};
pub(crate) use choice::{Choice, Office};
pub use cursor::{AnyCursor, Cursor};
pub use inbox::Inbox;
pub(crate) use letter::{Letter, Mark};
pub(crate) use letters::Letters;
pub use mail::{AnyMail, Mail};
pub use mails::Mails;
pub(crate) use payloads::{AnyBox, Messages, NewPayloads, Payloads};
pub use pending::Pending;
#[cfg(feature = "data")]
pub(crate) use saved::{OpenMailbox, SavedBox, SavedCounts, SavedFrame, SavedLetter};
pub(crate) use table::Mailboxes;

use crate::caught::FirstPanic;

/// So few letters are looked through without an index.
const FEW: usize = 32;

/// The letters of one message type.
pub(crate) struct Mailbox {
    /// Those of the frame that is under way.
    writing: RefCell<Letters>,
    /// Those published while somebody looked at the frame being written: the next to be written.
    /// In boxes, since that is rare.
    aside: RefCell<Vec<(Letter, AnyBox)>>,
    /// The frame in which they were published.
    frame_aside: Cell<u64>,
    /// Those of earlier frames, the oldest first. Frames in which nothing was published are not
    /// here.
    readable: VecDeque<Letters>,
    /// The ordinal of the first letter that cannot be read yet.
    end: u64,
    /// Those that nobody can read any more, still to be dropped.
    expired: VecDeque<Letters>,
    /// For how many frames letters can be read.
    retention: u64,
    /// `true` if the letters of the last frame are still to be sorted by address, because those of
    /// the frame before were asked for by address.
    sorts: bool,
    /// `true` if the table has it among those to be visited when a frame begins.
    listed: Cell<bool>,
    /// Makes what the messages of the next frame are stored in.
    new_payloads: Cell<NewPayloads>,
    /// What messages that were dropped were stored in.
    spare: Option<Box<dyn Payloads>>,
}

impl Mailbox {
    /// One that stores messages so.
    fn new(new_payloads: NewPayloads) -> Self {
        Self {
            writing: Letters::beginning_with(0, new_payloads()).into(),
            aside: RefCell::default(),
            frame_aside: Cell::new(0),
            readable: VecDeque::new(),
            end: 0,
            expired: VecDeque::new(),
            retention: 1,
            sorts: false,
            listed: Cell::new(false),
            new_payloads: Cell::new(new_payloads),
            spare: None,
        }
    }

    /// Stores the messages so from the next frame on: somebody knows their type.
    #[inline]
    fn learn(&self, new_payloads: NewPayloads) {
        self.new_payloads.set(new_payloads);
    }

    /// To put letters in. What was put aside is in. `None` while somebody looks at them.
    #[inline]
    pub(crate) fn try_write(&self) -> Option<RefMut<'_, Letters>> {
        let mut letters = self.writing.try_borrow_mut().ok()?;
        if !self.aside.borrow().is_empty() {
            letters.append(&mut self.aside.borrow_mut(), self.frame_aside.get());
        }
        Some(letters)
    }

    /// Puts a letter aside that is published in that frame. Returns `true` if it is the first, so that
    /// they have to be [written](Self::write) in the end.
    #[cold]
    pub(crate) fn put_aside(&self, letter: Letter, message: AnyBox, frame: u64) -> bool {
        self.frame_aside.set(frame);
        let mut aside = self.aside.borrow_mut();
        aside.push((letter, message));
        aside.len() == 1
    }

    /// To put letters in, whatever was leaked. What was put aside is in.
    #[inline]
    fn write(&mut self) -> &mut Letters {
        let (letters, aside) = (self.writing.get_mut(), self.aside.get_mut());
        if !aside.is_empty() {
            letters.append(aside, self.frame_aside.get());
        }
        letters
    }

    fn pending(&self) -> Ref<'_, Letters> {
        drop(self.try_write());
        self.writing.borrow()
    }

    /// The ordinal of the first letter that can still be read, or will be.
    fn oldest(&self) -> u64 {
        match self.readable.front() {
            Some(letters) => letters.first(),
            None => self.end,
        }
    }

    /// The letters that were published in the frame before this one.
    #[inline]
    fn last(&self, frame: u64) -> vec_deque::Iter<'_, Letters> {
        let count = self.readable.len();
        match self.readable.back() {
            Some(letters) if letters.metadata().was_before(frame) => {
                self.readable.range(count - 1..)
            }
            _ => vec_deque::Iter::default(),
        }
    }

    /// A frame has begun: what was written can be read, and what has been readable for long enough
    /// cannot be read any more. Drops nothing.
    fn turn(&mut self, frame: u64) {
        let new_payloads = self.new_payloads.get();
        if self.writing.try_borrow_mut().is_err() {
            // By a guard that was leaked, which is forgotten with its cell.
            let nothing = Letters::beginning_with(0, new_payloads());
            self.writing = std::mem::replace(self.writing.get_mut(), nothing).into();
        }
        let writing = self.writing.get_mut();
        if writing.is_empty() {
            writing.renew(new_payloads);
        } else {
            self.end = writing.end();
            let payloads = self.spare.take().unwrap_or_else(new_payloads);
            let next = Letters::beginning_with(self.end, payloads);
            let written = std::mem::replace(writing, next);
            let last = self.readable.back();
            self.sorts = last.is_some_and(|last| last.metadata().were_sought());
            self.readable.push_back(written.close());
        }
        let retention = self.retention;
        let is_over = |letters: &mut Letters| letters.metadata().is_over(retention, frame);
        while self.readable.front_mut().is_some_and(is_over) {
            self.expired.extend(self.readable.pop_front());
        }
    }

    /// Drops what nobody can read any more, letter by letter, and sorts what can be read in its room.
    fn discard(&mut self, panics: &mut FirstPanic) {
        while let Some(mut letters) = self.expired.pop_front() {
            letters.clear(panics);
            self.writing.get_mut().take_room_of(&mut letters);
            if let Some(last) = self.readable.back_mut() {
                last.take_sorting_room_of(&mut letters);
            }
            self.spare = letters.into_payloads();
        }
        if std::mem::take(&mut self.sorts)
            && let Some(last) = self.readable.back_mut()
        {
            last.sort();
            self.writing.get_mut().take_sorted_room_of(last);
        }
    }

    /// Returns `true` if it has to be visited when the next frame begins.
    fn stays_listed(&self) -> bool {
        let stays = !(self.readable.is_empty() && self.expired.is_empty());
        self.listed.set(stays);
        stays
    }

    /// The letters that can be read, by frame, the oldest first.
    fn readable(&self) -> vec_deque::Iter<'_, Letters> {
        self.readable.iter()
    }

    fn shrink_to_fit(&mut self) {
        self.writing.get_mut().shrink_to_fit();
        self.readable.iter_mut().for_each(Letters::shrink_to_fit);
        self.aside.get_mut().shrink_to_fit();
        self.readable.shrink_to_fit();
        self.expired.shrink_to_fit();
        self.spare = None;
    }

    /// Drops every letter, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic) {
        panics.drop_each(self.aside.get_mut().drain(..));
        let letters = self.expired.iter_mut().chain(&mut self.readable);
        for letters in letters.chain([self.writing.get_mut()]) {
            letters.clear(panics);
        }
    }
}
