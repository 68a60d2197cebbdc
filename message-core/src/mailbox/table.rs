//! The mailboxes of a manager, by message type.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};

use super::boxed::{self, AnyBox, Content, Found};
use super::letters::AnyLetters;
use super::{AnyMailbox, Letter, Mailbox};
use crate::caught::FirstPanic;
use crate::message::{AnyMessage, Message, MessageIndex};
use crate::room::Shrink;

pub(crate) struct Mailboxes {
    /// By message index; empty where nothing was ever published. A cell, since a handler may be the
    /// first who publishes.
    cells: Box<[OnceCell<Box<dyn AnyMailbox>>]>,
    /// By message index: somebody has looked into it.
    looked: Box<[Cell<bool>]>,
    /// Those in which something is, to be visited when a frame begins.
    listed: RefCell<Vec<MessageIndex>>,
    /// The mailboxes of boxes that somebody who knows the type has come to, to be converted when a frame
    /// begins.
    conversions: RefCell<Vec<(MessageIndex, Convert)>>,
    /// The number of the next letter, in the order sent over all types.
    next: Cell<u64>,
    /// The number of the first letter of the frame that is being written.
    begun: u64,
}

/// Converts a mailbox of boxes into one of a type.
type Convert = fn(&mut Box<dyn AnyMailbox>);

impl Mailboxes {
    /// For so many message types.
    pub(crate) fn new(messages: usize) -> Self {
        let mut cells = Vec::new();
        cells.resize_with(messages, OnceCell::new);
        Self {
            cells: cells.into(),
            looked: vec![Cell::new(false); messages].into(),
            listed: RefCell::default(),
            conversions: RefCell::default(),
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
    pub(super) fn find<M: Message>(&self) -> Option<Found<'_, M>> {
        let of = M::index()?;
        self.looked[of.get()].set(true);
        let mailbox = &**self.cells[of.get()].get()?;
        Some(match typed(mailbox) {
            Some(mailbox) => Found::Typed(mailbox),
            None => Found::Boxed(self.boxed::<M>(of, mailbox)),
        })
    }

    /// A mailbox of boxes, that is to be converted soon.
    #[cold]
    fn boxed<'a, M: Message>(
        &self,
        of: MessageIndex,
        mailbox: &'a dyn AnyMailbox,
    ) -> &'a Mailbox<AnyBox> {
        let mut conversions = self.conversions.borrow_mut();
        if !conversions.iter().any(|&(noted, _)| noted == of) {
            conversions.push((of, boxed::convert::<M>));
        }
        boxed::boxed(mailbox)
    }

    /// Puts a letter into the mailbox of its type, as [`Mailbox::put`] does.
    #[inline]
    pub(crate) fn put<M: Message>(&self, of: MessageIndex, letter: Letter<M>) -> bool {
        let mailbox = &**self.cells[of.get()].get_or_init(new::<M>);
        let Some(mailbox) = typed::<M>(mailbox) else {
            self.boxed::<M>(of, mailbox);
            return self.put_boxed(of, letter.boxed());
        };
        if !mailbox.listed.replace(true) {
            self.listed.borrow_mut().push(of);
        }
        mailbox.put(letter)
    }

    /// As [`put`](Self::put), of a message in a box, whose type has that index.
    pub(crate) fn put_boxed(&self, of: MessageIndex, letter: Letter<Box<dyn AnyMessage>>) -> bool {
        let mailbox = self.cells[of.get()].get_or_init(new::<AnyBox>);
        if mailbox.list() {
            self.listed.borrow_mut().push(of);
        }
        mailbox.put_boxed(letter)
    }

    /// Writes what was put aside in the mailbox of a type.
    pub(crate) fn write_aside(&mut self, of: MessageIndex) {
        mailbox_at(&mut self.cells, of).write_aside();
    }

    /// The mailbox of a type, to publish in it when nobody else looks at it; or `None` if it is one of
    /// boxes, until it is [converted](Self::convert_and_put).
    #[inline]
    pub(crate) fn open_mut<M: Message>(&mut self, of: MessageIndex) -> Option<&mut Mailbox<M>> {
        let mailbox = made::<M>(&mut self.cells[of.get()])?;
        if !mailbox.listed.replace(true) {
            self.listed.get_mut().push(of);
        }
        Some(mailbox)
    }

    /// Puts a letter into a mailbox of boxes, which is converted before.
    #[cold]
    pub(crate) fn convert_and_put<M: Message>(&mut self, of: MessageIndex, letter: Letter<M>) {
        self.convert::<M>(of);
        if let Some(mailbox) = self.open_mut(of) {
            mailbox.write().push(letter);
        }
    }

    /// Converts the mailbox of a type, if it is one of boxes.
    #[cold]
    fn convert<M: Message>(&mut self, of: MessageIndex) {
        if let Some(mailbox) = self.cells[of.get()].get_mut() {
            boxed::convert::<M>(mailbox);
        }
    }

    /// The letters of a type can be read for so many frames, from the next one on.
    pub(crate) fn set_retention<M: Message>(&mut self, of: MessageIndex, frames: u64) {
        self.convert::<M>(of);
        if let Some(mailbox) = made::<M>(&mut self.cells[of.get()]) {
            mailbox.retention = frames;
        }
    }

    /// A frame has begun. Nothing is dropped before everything has its place: the `Drop` of a
    /// message may panic. Then all others are dropped, too, and the first panic goes on.
    pub(crate) fn turn(&mut self, frame: u64) {
        self.begun = self.next.get();
        for (of, convert) in self.conversions.get_mut().drain(..) {
            self.cells[of.get()].get_mut().into_iter().for_each(convert);
        }
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
        how.room(self.conversions.get_mut(), 0);
    }

    /// Drops every letter, one by one.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        for mailbox in self.cells.iter_mut().filter_map(OnceCell::get_mut) {
            mailbox.drop_all(panics);
        }
    }

    /// The letters that can be read, by type and frame.
    pub(super) fn readable(&self) -> impl Iterator<Item = &dyn AnyLetters> {
        let listed = self.listed.borrow().clone();
        listed.into_iter().flat_map(|of| {
            let mailbox = self.cells[of.get()].get();
            let mailbox = mailbox.expect("a listed mailbox was opened");
            (0..).map_while(|at| mailbox.readable(at))
        })
    }
}

fn mailbox_at(
    cells: &mut [OnceCell<Box<dyn AnyMailbox>>],
    of: MessageIndex,
) -> &mut dyn AnyMailbox {
    let mailbox = cells[of.get()].get_mut();
    &mut **mailbox.expect("a listed mailbox was opened")
}

/// The mailbox in a cell, which is made if it is not there; or `None` if it is one of boxes.
#[inline]
fn made<M: Message>(cell: &mut OnceCell<Box<dyn AnyMailbox>>) -> Option<&mut Mailbox<M>> {
    if cell.get().is_none() {
        cell.get_or_init(new::<M>);
    }
    let mailbox = cell.get_mut().expect("it was made if it was not there");
    let mailbox: &mut dyn Any = &mut **mailbox;
    mailbox.downcast_mut()
}

#[cold]
fn new<M: Content>() -> Box<dyn AnyMailbox> {
    Box::new(Mailbox::<M>::default())
}

#[inline]
fn typed<M: Message>(mailbox: &dyn AnyMailbox) -> Option<&Mailbox<M>> {
    (mailbox as &dyn Any).downcast_ref()
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
        assert!(!mailboxes.put(of, letter));
        for (frame, visited) in [(2, 1), (3, 1), (4, 0), (5, 0)] {
            mailboxes.turn(frame);
            assert_eq!(mailboxes.listed.get_mut().len(), visited, "frame {frame}");
        }
        let opened = mailboxes.cells.iter().filter(|cell| cell.get().is_some());
        assert_eq!(opened.count(), 1);
    }
}
