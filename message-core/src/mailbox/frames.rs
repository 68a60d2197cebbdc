//! The letters of one message type, by frame.

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::collections::{VecDeque, vec_deque};

use crate::address::Recipient;
use crate::by_field::clone_by_field;
use crate::caught::FirstPanic;
use crate::mailbox::{Letters, Mailboxes, NewColumn, Postmark, Postmarks};
use crate::message::{AnyBox, Facts};

pub struct Mailbox {
    /// The letters of the current frame.
    pub writing: RefCell<Letters>,
    /// Letters published while a reader looked at `writing`. They are added to it later. Boxed, because this is rare.
    aside: RefCell<Vec<(Postmark, AnyBox)>>,
    /// The letters of earlier frames, oldest first. Frames without letters are left out.
    pub readable: VecDeque<Letters>,
    /// `true` if the next frame has to visit the mailbox.
    pub is_listed: Cell<bool>,
    /// The ordinal of the first letter that cannot be read yet, which is the number of those before.
    pub end: u64,
    /// The number of frames in which letters can be read.
    pub retention: u64,
    /// The number of the oldest frames that are kept only for the next pass of `FixedUpdate`.
    pub waiting: usize,
    /// The frame of the last pass of `FixedUpdate` in which a handler has read the mail.
    pub read_in: Cell<u64>,
    /// Makes the column of the next frame.
    pub(super) new_column: Cell<NewColumn>,
}

clone_by_field!(Mailbox {
    writing, is_listed, end, retention, waiting, read_in, new_column
} each { readable } new { aside });

impl Mailbox {
    pub fn new(new_column: NewColumn) -> Self {
        Self {
            writing: Letters::new(0, new_column()).into(),
            aside: RefCell::default(),
            readable: VecDeque::new(),
            is_listed: Cell::new(false),
            end: 0,
            retention: 1,
            waiting: 0,
            read_in: Cell::default(),
            new_column: Cell::new(new_column),
        }
    }

    /// Returns the letters of the current frame, including those put aside. Returns `None` while a reader looks at
    /// them.
    pub(crate) fn try_write(&self) -> Option<RefMut<'_, Letters>> {
        let mut letters = self.writing.try_borrow_mut().ok()?;
        if !self.aside.borrow().is_empty() {
            letters.push_all(&mut self.aside.borrow_mut());
        }
        Some(letters)
    }

    /// Puts a letter aside. Returns `true` if it is the first, so that [`write_aside`](Self::write_aside) has to be
    /// called in the end.
    #[cold]
    pub(crate) fn put_aside(&self, postmark: Postmark, message: AnyBox) -> bool {
        let mut aside = self.aside.borrow_mut();
        aside.push((postmark, message));
        aside.len() == 1
    }

    /// Adds what was put aside, even if the guard of a reader was leaked.
    pub(super) fn write_aside(&mut self) -> &mut Letters {
        let letters = self.writing.get_mut();
        letters.push_all(self.aside.get_mut());
        letters
    }

    /// Returns the letters of the current frame, which has that number.
    pub fn pending(&self, frame: u64) -> Ref<'_, Letters> {
        if let Some(mut letters) = self.try_write() {
            letters.postmarks.frame = frame;
        }
        self.writing.borrow()
    }

    /// Returns the type and the recipient of any letter that can still be read.
    pub(super) fn first(&self) -> Option<(&'static Facts, Recipient)> {
        let writing = self.writing.borrow();
        let mut all = self.readable.iter().chain([&*writing]);
        let letters = all.find(|letters| !letters.is_empty())?;
        Some((letters.message(0).facts(), letters.postmarks.get(0).to))
    }

    /// Returns the ordinal of the first letter that has not expired.
    pub(super) fn oldest(&self, mail: &Mailboxes) -> u64 {
        let oldest = self.frames(mail, Some(0)).next();
        oldest.map_or(self.end, |letters| letters.first)
    }

    /// Returns the letters of the frames in which there are any from an ordinal on, or else of those that an inbox
    /// contains: of the frame before this one or, in a pass of `FixedUpdate`, since the last pass.
    #[inline(never)]
    pub(super) fn frames(
        &self,
        mail: &Mailboxes,
        since: Option<u64>,
    ) -> vec_deque::Iter<'_, Letters> {
        let readable = &self.readable;
        let is_older = |letters: &Letters| letters.postmarks.frame < mail.window();
        let mut from = readable.len();
        if mail.is_in_pass() {
            from = readable.partition_point(is_older);
        } else if !readable.back().is_none_or(is_older) {
            // Asked first and alone: W6-pass.
            from -= 1;
        }
        if let Some(ordinal) = since {
            let unread = readable.partition_point(|letters| letters.end() <= ordinal);
            from = self.waiting.min(from).max(unread);
        }
        readable.range(from..)
    }

    /// Begins a frame: the letters written in the one before can be read, and those that were readable for long enough
    /// and do not wait for a pass of `FixedUpdate` are returned. Drops no message.
    pub(super) fn turn(
        &mut self,
        frame: u64,
        waits: impl Fn(&Postmarks) -> bool,
    ) -> impl Iterator<Item = Letters> {
        self.end = self.write_aside().end();
        let next = Letters::new(self.end, self.new_column.get()());
        // With its cell: a reader may have leaked its guard.
        let mut written = std::mem::replace(&mut self.writing, next.into()).into_inner();
        if written.is_empty() {
            self.reuse(written);
        } else {
            written.postmarks.frame = frame - 1;
            written.postmarks.is_closed = true;
            self.readable.push_back(written);
        }
        let retention = self.retention;
        let is_over = |it: &&Letters| it.postmarks.frame.saturating_add(retention) < frame;
        let over = self.readable.iter().take_while(is_over).count();
        // A longer retention does not bring back those that only wait.
        let over = over.max(self.waiting);
        let is_dropped = |it: &&Letters| retention == 0 || !waits(&it.postmarks);
        let dropped = self.readable.iter().take(over);
        let dropped = dropped.take_while(is_dropped).count();
        self.waiting = over - dropped;
        self.readable.drain(..dropped)
    }

    /// Reuses the memory of letters that were dropped, if it is larger than what is there and for messages like those.
    pub(super) fn reuse(&mut self, letters: Letters) {
        let writing = self.writing.get_mut();
        let is_alike = (*writing.messages).type_id() == (*letters.messages).type_id();
        let is_larger = writing.messages.capacity() < letters.messages.capacity();
        if writing.is_empty() && is_alike && is_larger {
            *writing = Letters {
                first: self.end,
                ..letters
            };
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.writing.get_mut().shrink_to_fit();
        self.readable.iter_mut().for_each(Letters::shrink_to_fit);
        self.aside.get_mut().shrink_to_fit();
        self.readable.shrink_to_fit();
    }

    /// Drops all letters, one by one.
    pub(super) fn drop_all(&mut self, panics: &mut FirstPanic) {
        panics.drop_each(self.aside.get_mut().drain(..));
        let letters = self.readable.iter_mut();
        for letters in letters.chain([self.writing.get_mut()]) {
            letters.clear(panics);
        }
    }
}
