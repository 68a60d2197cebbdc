//! The mailboxes of a manager, by message type.

use std::cell::{Cell, OnceCell, RefCell};
use std::panic::Location;

use crate::address::{MessageeId, Recipient};
use crate::by_field::clone_by_field;
use crate::caught::FirstPanic;
use crate::mailbox::{Batch, Letters, Mailbox, NewColumn, Postmarks, column_of};
use crate::message::{AnyBox, Facts, Message, MessageIndex};

#[derive(Default)]
pub struct Mailboxes {
    /// The serial number of the manager.
    pub(super) serial: u64,
    /// The current frame.
    pub frame: u64,
    /// The mailboxes, by message index. Each is made on first use: hence cells, since that can be in a handler.
    pub cells: Vec<OnceCell<Box<Mailbox>>>,
    /// The mailboxes to be visited when a frame begins.
    pub listed: RefCell<Vec<MessageIndex>>,
    /// The number of the next letter, over all types.
    pub next: Cell<u64>,
    /// The number of the first letter of the current frame.
    pub begun: u64,
    /// The number of letters that can be published in a frame.
    pub limit: u32,
    /// The number of the first letter that cannot be published in the current frame.
    pub full: u64,
    /// The frame of the last pass of `FixedUpdate`. Such a pass finds the letters from this frame on.
    pub passed: u64,
    /// The first frame whose letters an inbox contains in the pass of `FixedUpdate` that is under way, if one is.
    window: Option<u64>,
    /// Like [`read_in`](Mailbox::read_in), for reads of the mail of all types.
    pub read_in: Cell<u64>,
    /// The call from outside whose next letter belongs to the same run as its last one.
    pub(crate) current: Cell<Option<Current>>,
}

#[derive(Clone, Copy)]
pub(crate) struct Current {
    pub(crate) place: &'static Location<'static>,
    pub(crate) of: MessageIndex,
    /// For ids, each letter of the run is for its own messagee.
    pub(crate) to: Recipient,
}

clone_by_field!(Mailboxes {
    serial, frame, listed, next, begun, limit, full, passed, window, read_in
} each { cells } new { current });

impl Mailboxes {
    /// Makes mailboxes for a number of message types and letters in a frame. `serial` is that of the manager.
    pub(crate) fn new(messages: usize, limit: u32, serial: u64) -> Self {
        let mut new = Self {
            serial,
            limit,
            full: limit.into(),
            ..Self::default()
        };
        new.grow(messages);
        new
    }

    /// Makes room for a number of message types.
    pub(crate) fn grow(&mut self, messages: usize) {
        self.cells.resize_with(messages, OnceCell::new);
    }

    /// Returns how many letters can still be published in this frame.
    #[inline]
    pub(crate) fn room(&self) -> u64 {
        self.full.saturating_sub(self.next.get())
    }

    /// Returns the mailbox of a type, if there is room for the type. If its type is known where it is used, messages are
    /// stored in such columns from the next frame on.
    #[inline(never)]
    pub(super) fn find(&self, of: MessageIndex, known: Option<NewColumn>) -> Option<&Mailbox> {
        let cell = self.cells.get(of.get())?;
        let mailbox =
            cell.get_or_init(|| Box::new(Mailbox::new(known.unwrap_or(column_of::<AnyBox>))));
        if let Some(new_column) = known {
            mailbox.new_column.set(new_column);
        }
        Some(mailbox)
    }

    /// Returns the mailbox of a type, for which there has to be room, to publish in it.
    pub(crate) fn open(&self, of: MessageIndex, known: Option<NewColumn>) -> &Mailbox {
        let mailbox = self.find(of, known).expect("there is room for the type");
        if !mailbox.is_listed.replace(true) {
            self.listed.borrow_mut().push(of);
        }
        mailbox
    }

    /// Adds the letters that were put aside in the mailbox of a type.
    pub(crate) fn write_aside(&mut self, of: MessageIndex) {
        mailbox_at(&mut self.cells, of).write_aside();
    }

    /// Publishes one more message of a call from outside. Returns it if it does not belong to the run of the last
    /// letter, or if its recipient has to be checked.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "each message of a loop: W6-pass")]
    pub(crate) fn go_on<M: Message>(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        is_here: impl FnOnce(MessageeId) -> bool,
        message: M,
    ) -> Result<(), M> {
        let Some(current) = self.current.get() else {
            return Err(message);
        };
        let stands = match (to, current.to) {
            (Recipient::Id(id), Recipient::Id(_)) => is_here(id),
            (Recipient::Everyone, Recipient::Everyone) => true,
            _ => false,
        };
        if !stands || !std::ptr::eq(current.place, place) || self.next.get() >= self.full {
            return Err(message);
        }
        let cell = self.cells.get_mut(current.of.get());
        let mailbox = cell.and_then(OnceCell::get_mut);
        let letters = mailbox.map(|mailbox| mailbox.writing.get_mut());
        let batch = letters.and_then(|letters| Batch::of(letters, to, &self.next));
        let Some(mut batch) = batch else {
            return Err(message);
        };
        batch.push(message, None);
        Ok(())
    }

    /// Sets for how many frames the letters of a type can be read, from the next one on.
    pub fn set_retention(&mut self, of: MessageIndex, frames: u64) {
        self.find(of, None);
        mailbox_at(&mut self.cells, of).retention = frames;
    }

    /// Begins a pass of `FixedUpdate`. It finds what was published since the frame of the last one.
    pub(crate) fn begin_fixed_pass(&mut self) {
        self.window = Some(std::mem::replace(&mut self.passed, self.frame));
    }

    pub(crate) fn end_pass(&mut self) {
        self.window = None;
    }

    /// Returns the first frame whose letters an inbox contains.
    pub(super) fn window(&self) -> u64 {
        self.window.unwrap_or(self.frame.saturating_sub(1))
    }

    pub(crate) fn is_in_pass(&self) -> bool {
        self.window.is_some()
    }

    /// Begins a frame. Nothing is dropped before everything has its place: the `Drop` of a message may panic. Then
    /// all others are dropped too, and the first panic goes on.
    ///
    /// Letters are kept for the next pass of `FixedUpdate` if the last one has read their type. Before the first pass, they
    /// are kept while time advances towards it. At most as many letters are kept as can be published in a frame.
    pub(crate) fn turn(&mut self, frame: u64, is_first_to_come: bool) {
        self.frame = frame;
        self.begun = self.next.get();
        self.full = self.begun + u64::from(self.limit);
        self.current.set(None);
        let (cells, listed) = (&mut self.cells, self.listed.get_mut());
        let mut expired = Vec::new();
        for of in &*listed {
            let mailbox = mailbox_at(cells, *of);
            let read_in = mailbox.read_in.get().max(self.read_in.get());
            let waits = is_first_to_come || read_in >= self.passed.max(1);
            let (since, oldest) = (self.passed, self.begun.saturating_sub(self.limit.into()));
            let waiting = |postmarks: &Postmarks| {
                waits && postmarks.frame >= since && postmarks.get(0).number >= oldest
            };
            let letters = mailbox.turn(frame, waiting);
            expired.extend(letters.map(|letters| (*of, letters)));
        }
        let mut panics = FirstPanic::default();
        for (of, mut letters) in expired {
            letters.clear(&mut panics);
            mailbox_at(cells, of).reuse(letters);
        }
        listed.retain(|of| {
            let mailbox = mailbox_at(cells, *of);
            mailbox.is_listed = Cell::new(!mailbox.readable.is_empty());
            mailbox.is_listed.get()
        });
        panics.resume();
    }

    /// Adds what was put aside, even if the guard of a reader was leaked.
    pub(crate) fn write_all_aside(&mut self) {
        for mailbox in self.cells.iter_mut().filter_map(OnceCell::get_mut) {
            mailbox.write_aside();
        }
    }

    /// Returns the first type of which a message can still be read that cannot be cloned.
    pub(crate) fn first_not_cloned(&self) -> Option<(&'static Facts, Recipient)> {
        let mailboxes = self.cells.iter().filter_map(OnceCell::get);
        let mut letters = mailboxes.filter_map(|mailbox| mailbox.first());
        letters.find(|(facts, _)| !facts.is_cloned)
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        for mailbox in self.cells.iter_mut().filter_map(OnceCell::get_mut) {
            mailbox.shrink_to_fit();
        }
        self.listed.get_mut().shrink_to_fit();
    }

    /// Drops all letters, one by one.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        for mailbox in self.cells.iter_mut().filter_map(OnceCell::get_mut) {
            mailbox.drop_all(panics);
        }
    }

    /// Returns the letters that an inbox contains, or a cursor finds, by type and frame.
    pub(super) fn readable(&self, by_cursor: bool) -> impl Iterator<Item = &Letters> {
        let listed = self.listed.borrow().clone().into_iter();
        let mailboxes = listed.filter_map(|of| self.cells[of.get()].get());
        mailboxes.flat_map(move |mailbox| mailbox.frames(self, by_cursor.then_some(0)))
    }
}

#[inline]
pub(super) fn mailbox_at(cells: &mut [OnceCell<Box<Mailbox>>], of: MessageIndex) -> &mut Mailbox {
    let mailbox = cells[of.get()].get_mut();
    mailbox.expect("a listed mailbox was opened")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Sender;
    use crate::mailbox::postmarks::Postmark;
    use crate::message::NoReply;

    struct Note;

    impl Message for Note {
        type Reply = NoReply;
        const NAME: &'static str = "note";
    }

    // holds: mail.swap-cost
    #[test]
    fn only_the_mailboxes_in_which_something_is_are_visited_when_a_frame_begins() {
        let mut mailboxes = Mailboxes::new(1_000, 10, 0);
        let of = MessageIndex(7);
        mailboxes.set_retention(of, 2);
        mailboxes.turn(1, false);
        assert!(mailboxes.listed.get_mut().is_empty());
        let postmark = Postmark {
            to: Recipient::Everyone,
            address: None,
            sender: Sender::Outside,
            place: Location::caller(),
            time: 0,
            number: 0,
            trace: None,
        };
        let letters = mailboxes.open(of, Some(column_of::<Note>)).try_write();
        letters
            .expect("nobody reads")
            .push(postmark, &mut Some(Note));
        for (frame, visited) in [(2, 1), (3, 1), (4, 0), (5, 0)] {
            mailboxes.turn(frame, false);
            assert_eq!(mailboxes.listed.get_mut().len(), visited, "frame {frame}");
        }
        let opened = mailboxes.cells.iter().filter(|cell| cell.get().is_some());
        assert_eq!(opened.count(), 1);
    }
}
