//! The mailboxes of a manager, by message type.

use std::cell::{Cell, OnceCell, RefCell};

use super::letters::Letters;
use super::messages::{AnyBox, Content, Messages};
use super::{Letter, Mailbox};
use crate::caught::FirstPanic;
use crate::message::{AnyMessage, Message, MessageIndex};
use crate::room::Shrink;

pub(crate) struct Mailboxes {
    /// By message index; empty where nothing was ever published. A cell, since a handler may be the
    /// first who publishes.
    cells: Box<[OnceCell<Box<Mailbox>>]>,
    /// By message index: somebody has looked into it.
    looked: Box<[Cell<bool>]>,
    /// Those in which something is, to be visited when a frame begins.
    listed: RefCell<Vec<MessageIndex>>,
    /// The number of the next letter, in the order sent over all types.
    next: Cell<u64>,
    /// The number of the first letter of the frame that is being written.
    begun: u64,
}

impl Mailboxes {
    /// For so many message types.
    pub(crate) fn new(messages: usize) -> Self {
        let mut cells = Vec::new();
        cells.resize_with(messages, OnceCell::new);
        Self {
            cells: cells.into(),
            looked: vec![Cell::new(false); messages].into(),
            listed: RefCell::default(),
            next: Cell::new(0),
            begun: 0,
        }
    }

    /// Returns the number of letters that have been published in this frame.
    #[inline]
    pub(crate) fn published(&self) -> u64 {
        self.next.get() - self.begun
    }

    /// The number of the next letter.
    #[inline]
    pub(crate) fn number_next(&self) -> u64 {
        let number = self.next.get();
        self.next.set(number + 1);
        number
    }

    /// The number of the first letter that cannot be read yet.
    pub(super) fn end(&self) -> u64 {
        self.begun
    }

    /// Returns `true` if anything was published in the mailbox of a type, or somebody has looked into
    /// it.
    pub(crate) fn was_used(&self, of: MessageIndex) -> bool {
        self.cells[of.get()].get().is_some() || self.looked[of.get()].get()
    }

    /// The mailbox of a type, if anything was ever published in it.
    pub(super) fn find<M: Message>(&self) -> Option<&Mailbox> {
        let of = M::index()?.get();
        self.looked[of].set(true);
        let mailbox = self.cells[of].get()?;
        mailbox.learn::<M>();
        Some(mailbox)
    }

    /// Puts a letter into the mailbox of its type. Returns `true` if what was put aside has to be
    /// [written](Self::write_aside) in the end.
    #[inline]
    pub(crate) fn put<M: Message>(&self, of: MessageIndex, letter: Letter<M>) -> bool {
        self.open::<M>(of).put(letter)
    }

    /// As [`put`](Self::put), of a message in a box, whose type has that index.
    pub(crate) fn put_boxed(&self, of: MessageIndex, letter: Letter<Box<dyn AnyMessage>>) -> bool {
        self.open::<AnyBox>(of).put_boxed(letter)
    }

    /// Writes what was put aside in the mailbox of a type.
    pub(crate) fn write_aside(&mut self, of: MessageIndex) {
        mailbox_at(&mut self.cells, of).write();
    }

    /// The mailbox of a type, to publish in it.
    #[inline]
    fn open<S: Content>(&self, of: MessageIndex) -> &Mailbox {
        let mailbox = self.cells[of.get()].get_or_init(new::<S>);
        if !mailbox.listed.replace(true) {
            self.listed.borrow_mut().push(of);
        }
        mailbox
    }

    /// As [`open`](Self::open), when nobody else looks at it.
    #[inline]
    pub(crate) fn open_mut<M: Message>(&mut self, of: MessageIndex) -> &mut Mailbox {
        let mailbox = made::<M>(&mut self.cells[of.get()]);
        if !mailbox.listed.replace(true) {
            self.listed.get_mut().push(of);
        }
        mailbox
    }

    /// The letters of a type can be read for so many frames, from the next one on.
    pub(crate) fn set_retention<M: Message>(&mut self, of: MessageIndex, frames: u64) {
        let mailbox = made::<M>(&mut self.cells[of.get()]);
        mailbox.learn::<M>();
        mailbox.retention = frames;
    }

    /// A frame has begun. Nothing is dropped before everything has its place: the `Drop` of a
    /// message may panic. Then all others are dropped, too, and the first panic goes on.
    pub(crate) fn turn(&mut self, frame: u64) {
        self.begun = self.next.get();
        let (cells, listed) = (&mut self.cells, self.listed.get_mut());
        for of in &*listed {
            mailbox_at(cells, *of).turn(frame);
        }
        let mut panics = FirstPanic::default();
        for of in &*listed {
            mailbox_at(cells, *of).discard(&mut panics);
        }
        listed.retain(|of| mailbox_at(cells, *of).stays_listed());
        panics.resume();
    }

    /// Gives back memory.
    pub(crate) fn shrink(&mut self, how: Shrink) {
        for mailbox in self.cells.iter_mut().filter_map(OnceCell::get_mut) {
            mailbox.shrink(how);
        }
    }

    /// Drops every letter, one by one.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        for mailbox in self.cells.iter_mut().filter_map(OnceCell::get_mut) {
            mailbox.drop_all(panics);
        }
    }

    /// The letters that can be read, by type and frame.
    pub(super) fn readable(&self) -> impl Iterator<Item = &Letters> {
        let listed = self.listed.borrow().clone();
        listed.into_iter().flat_map(|of| {
            let mailbox = self.cells[of.get()].get();
            let mailbox = mailbox.expect("a listed mailbox was opened");
            mailbox.readable()
        })
    }
}

fn mailbox_at(cells: &mut [OnceCell<Box<Mailbox>>], of: MessageIndex) -> &mut Mailbox {
    let mailbox = cells[of.get()].get_mut();
    mailbox.expect("a listed mailbox was opened")
}

/// The mailbox in a cell, which is made if it is not there.
#[inline]
fn made<M: Message>(cell: &mut OnceCell<Box<Mailbox>>) -> &mut Mailbox {
    if cell.get().is_none() {
        cell.get_or_init(new::<M>);
    }
    cell.get_mut().expect("it was made if it was not there")
}

#[cold]
fn new<S: Content>() -> Box<Mailbox> {
    Box::new(Mailbox::new(Messages::<S>::new_store))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::{Recipient, Sender};
    use crate::mailbox::{Letter, Mark};
    use crate::message::NoReply;

    struct Note;

    impl Message for Note {
        type Reply = NoReply;
        const NAME: &'static str = "note";
    }

    #[test]
    fn only_the_mailboxes_in_which_something_is_are_visited_when_a_frame_begins() {
        let mut mailboxes = Mailboxes::new(1_000);
        let of = MessageIndex(7);
        mailboxes.set_retention::<Note>(of, 2);
        mailboxes.turn(1);
        assert!(mailboxes.listed.get_mut().is_empty());
        let mark = Mark {
            sender: Sender::Outside,
            place: std::panic::Location::caller(),
            time: 0,
            number: mailboxes.number_next(),
            trace: None,
        };
        let letter = Letter {
            message: Note,
            to: Recipient::Everyone,
            address: None,
            mark,
            frame: 1,
        };
        mailboxes.open_mut::<Note>(of).push(letter);
        for (frame, visited) in [(2, 1), (3, 1), (4, 0), (5, 0)] {
            mailboxes.turn(frame);
            assert_eq!(mailboxes.listed.get_mut().len(), visited, "frame {frame}");
        }
        let opened = mailboxes.cells.iter().filter(|cell| cell.get().is_some());
        assert_eq!(opened.count(), 1);
    }
}
