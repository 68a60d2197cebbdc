//! The letters of one message type, by frame.

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::collections::{VecDeque, vec_deque};

use super::column::{AnyBox, NewColumn};
use super::envelopes::Envelope;
use super::letters::Letters;
use crate::caught::FirstPanic;

pub(crate) struct Mailbox {
    /// The letters of the current frame.
    pub(super) writing: RefCell<Letters>,
    /// Letters published while a reader looked at `writing`. They are added to it later. Boxed, because this is rare.
    aside: RefCell<Vec<(Envelope, AnyBox)>>,
    /// The letters of earlier frames, oldest first. Frames without letters are left out.
    pub(super) readable: VecDeque<Letters>,
    /// The ordinal of the first letter that cannot be read yet.
    pub(super) end: u64,
    /// Letters that can no longer be read, still to be dropped.
    expired: VecDeque<Letters>,
    /// The number of frames in which letters can be read.
    pub(super) retention: u64,
    /// `true` if the next frame has to visit the mailbox.
    pub(super) listed: Cell<bool>,
    /// Makes the column of the next frame.
    pub(super) new_column: Cell<NewColumn>,
    /// Letters that were dropped, for their memory.
    spare: Option<Letters>,
}

impl Mailbox {
    pub(super) fn new(new_column: NewColumn) -> Self {
        Self {
            writing: Letters::new(0, new_column()).into(),
            aside: RefCell::default(),
            readable: VecDeque::new(),
            end: 0,
            expired: VecDeque::new(),
            retention: 1,
            listed: Cell::new(false),
            new_column: Cell::new(new_column),
            spare: None,
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
    pub(crate) fn put_aside(&self, envelope: Envelope, message: AnyBox) -> bool {
        let mut aside = self.aside.borrow_mut();
        aside.push((envelope, message));
        aside.len() == 1
    }

    /// Adds what was put aside, even if the guard of a reader was leaked.
    pub(super) fn write_aside(&mut self) -> &mut Letters {
        let letters = self.writing.get_mut();
        letters.push_all(self.aside.get_mut());
        letters
    }

    /// Returns the letters of the current frame, which has that number.
    pub(super) fn pending(&self, frame: u64) -> Ref<'_, Letters> {
        if let Some(mut letters) = self.try_write() {
            letters.envelopes.frame = frame;
        }
        self.writing.borrow()
    }

    /// Returns the ordinal of the first letter that has not expired.
    pub(super) fn oldest(&self) -> u64 {
        self.readable
            .front()
            .map_or(self.end, |letters| letters.first)
    }

    /// Returns the letters published in the frame before this one, if there are any.
    #[inline]
    pub(super) fn last(&self, frame: u64) -> vec_deque::Iter<'_, Letters> {
        let count = self.readable.len();
        match self.readable.back() {
            Some(letters) if letters.envelopes.frame + 1 == frame => {
                self.readable.range(count - 1..)
            }
            _ => vec_deque::Iter::default(),
        }
    }

    /// Begins a frame: the letters written in the one before can be read, and those that were readable for long enough
    /// expire. Drops nothing.
    pub(super) fn turn(&mut self, frame: u64) {
        self.write_aside();
        let new_column = self.new_column.get();
        if self.writing.try_borrow_mut().is_err() {
            // A reader leaked its guard. It is forgotten with its cell.
            let nothing = Letters::new(self.end, new_column());
            self.writing = std::mem::replace(self.writing.get_mut(), nothing).into();
        }
        let writing = self.writing.get_mut();
        if !writing.is_empty() || writing.messages.is_boxed() {
            self.end = writing.end();
            let mut next = self
                .spare
                .take()
                .unwrap_or_else(|| Letters::new(0, new_column()));
            next.first = self.end;
            let mut written = std::mem::replace(writing, next);
            if !written.is_empty() {
                written.envelopes.frame = frame - 1;
                written.envelopes.is_closed = true;
                self.readable.push_back(written);
            }
        }
        let retention = self.retention;
        let is_over =
            |letters: &mut Letters| letters.envelopes.frame.saturating_add(retention) < frame;
        while self.readable.front_mut().is_some_and(is_over) {
            self.expired.extend(self.readable.pop_front());
        }
    }

    /// Drops the letters that can no longer be read, one by one. Keeps the memory of the largest frame.
    pub(super) fn discard(&mut self, panics: &mut FirstPanic) {
        for mut letters in self.expired.drain(..) {
            letters.clear(panics);
            letters.first = self.end;
            let writing = self.writing.get_mut();
            let room = letters.messages.capacity();
            if letters.messages.is_boxed() {
                continue;
            }
            if writing.is_empty() && writing.messages.capacity() < room {
                std::mem::swap(writing, &mut letters);
            }
            if !letters.messages.is_boxed() {
                letters.shrink_to_fit();
                self.spare = Some(letters);
            }
        }
    }

    /// Returns `true` if the next frame has to visit the mailbox.
    pub(super) fn stays_listed(&self) -> bool {
        let stays = !(self.readable.is_empty() && self.expired.is_empty());
        self.listed.set(stays);
        stays
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.writing.get_mut().shrink_to_fit();
        self.readable.iter_mut().for_each(Letters::shrink_to_fit);
        self.aside.get_mut().shrink_to_fit();
        self.readable.shrink_to_fit();
        self.expired.shrink_to_fit();
        self.spare = None;
    }

    /// Drops all letters, one by one.
    pub(super) fn drop_all(&mut self, panics: &mut FirstPanic) {
        panics.drop_each(self.aside.get_mut().drain(..));
        let letters = self.expired.iter_mut().chain(&mut self.readable);
        for letters in letters.chain([self.writing.get_mut()]) {
            letters.clear(panics);
        }
    }
}
