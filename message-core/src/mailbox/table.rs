//! The mailboxes of a manager, by message type.

use std::cell::{Cell, OnceCell, RefCell};
use std::panic::Location;

use super::Mailbox;
use super::letter::Letter;
use super::letters::Letters;
use super::payloads::{AnyBox, Messages, NewPayloads, Payloads};
use crate::address::{MessageeId, Recipient};
use crate::caught::FirstPanic;
use crate::message::{Message, MessageIndex};

pub(crate) struct Mailboxes {
    /// By message index; empty where nothing was ever published. A cell, since a handler may be the
    /// first who publishes.
    pub(super) cells: Box<[OnceCell<Box<Mailbox>>]>,
    /// By message index: somebody has looked into it.
    looked: Box<[Cell<bool>]>,
    /// Those in which something is, to be visited when a frame begins.
    pub(super) listed: RefCell<Vec<MessageIndex>>,
    /// The number of the next letter, in the order sent over all types.
    pub(super) next: Cell<u64>,
    /// The number of the first letter of the frame that is being written.
    pub(super) begun: u64,
    /// So many letters can be published in a frame.
    pub(super) limit: u32,
    /// The number of the first letter that cannot be published in the frame.
    pub(super) full: u64,
    /// The call that has published the last letter, if that came from outside, since the frame has begun and
    /// nothing is traced: one more letter of it belongs to the same run.
    current: Cell<OutsideCall>,
}

/// A call that publishes from outside: what its letters have in common. The time, too, is the same from one
/// frame to the next.
#[derive(Clone, Copy)]
struct OutsideCall {
    /// The message type.
    of: MessageIndex,
    place: &'static Location<'static>,
    whose: Whose,
}

/// Whose the letters of a call are. As long as it goes on, nothing has to be looked up to put one more in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// Each is for one messagee, by its id.
    One,
    Everyone,
    /// They are for others, or there is no such call.
    Others,
}

impl OutsideCall {
    /// None: no letter goes on with it.
    fn none() -> Self {
        Self {
            of: MessageIndex::UNKNOWN,
            place: Location::caller(),
            whose: Whose::Others,
        }
    }
}

impl Mailboxes {
    /// For so many message types, and letters in a frame.
    pub(crate) fn new(messages: usize, limit: u32) -> Self {
        let mut cells = Vec::new();
        cells.resize_with(messages, OnceCell::new);
        Self {
            cells: cells.into(),
            looked: vec![Cell::new(false); messages].into(),
            listed: RefCell::default(),
            next: Cell::new(0),
            begun: 0,
            limit,
            full: limit.into(),
            current: Cell::new(OutsideCall::none()),
        }
    }

    /// Makes room for so many message types.
    pub(crate) fn grow(&mut self, messages: usize) {
        let mut cells = std::mem::take(&mut self.cells).into_vec();
        cells.resize_with(messages, OnceCell::new);
        self.cells = cells.into();
        let mut looked = std::mem::take(&mut self.looked).into_vec();
        looked.resize(messages, Cell::new(false));
        self.looked = looked.into();
    }

    /// Returns `true` if there is room for that message type.
    #[inline]
    pub(crate) fn have(&self, of: MessageIndex) -> bool {
        of.get() < self.cells.len()
    }

    /// Returns how many letters can still be published in this frame.
    #[inline]
    pub(crate) fn room(&self) -> u64 {
        self.full - self.next.get()
    }

    /// The numbers of so many letters that come next. Returns the first.
    #[inline]
    pub(crate) fn number(&self, count: u32) -> u64 {
        self.end_run();
        let number = self.next.get();
        self.next.set(number + u64::from(count));
        number
    }

    /// The next letter is not of the same run as the last one.
    pub(crate) fn end_run(&self) {
        let whose = Whose::Others;
        self.current.set(OutsideCall {
            whose,
            ..self.current.get()
        });
    }

    /// The number of the next letter.
    pub(crate) fn next_number(&self) -> u64 {
        self.next.get()
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

    /// The mailbox of a type, whose messages are stored so from now on, if anything was ever published in
    /// it.
    #[inline(never)]
    pub(super) fn find(
        &self,
        of: Option<MessageIndex>,
        new_payloads: NewPayloads,
    ) -> Option<&Mailbox> {
        let of = of?.get();
        self.looked.get(of)?.set(true);
        let mailbox = self.cells[of].get()?;
        mailbox.learn(new_payloads);
        Some(mailbox)
    }

    /// Writes what was put aside in the mailbox of a type.
    pub(crate) fn write_aside(&mut self, of: MessageIndex) {
        mailbox_at(&mut self.cells, of).write();
    }

    /// The mailbox of a type, to publish in it. If the type is known, messages are stored so from now
    /// on.
    pub(crate) fn open(&self, of: MessageIndex, new_payloads: Option<NewPayloads>) -> &Mailbox {
        let boxes = Messages::<AnyBox>::new_payloads;
        let new = || Box::new(Mailbox::new(new_payloads.unwrap_or(boxes)));
        let mailbox = self.cells[of.get()].get_or_init(new);
        if let Some(new_payloads) = new_payloads {
            mailbox.learn(new_payloads);
        }
        if !mailbox.listed.replace(true) {
            self.listed.borrow_mut().push(of);
        }
        mailbox
    }

    /// Puts in what is written on a letter, with the number of the next one. Its message has to be put by
    /// value into what is returned. `None` if messages are in boxes.
    pub(crate) fn push(
        &mut self,
        of: MessageIndex,
        new_payloads: NewPayloads,
        letter: Letter,
        frame: u64,
    ) -> Option<&mut dyn Payloads> {
        self.open(of, Some(new_payloads));
        let letters = mailbox_at(&mut self.cells, of).write();
        if letters.are_boxed() {
            return None;
        }
        *self.next.get_mut() += 1;
        let place = letter.mark.place;
        let whose = match letter.to {
            Recipient::Id(_) => Whose::One,
            Recipient::Everyone => Whose::Everyone,
            _ => Whose::Others,
        };
        *self.current.get_mut() = OutsideCall { of, place, whose };
        Some(letters.push(letter, frame))
    }

    /// Returns `true` if one more letter of that call to one messagee can be [put](Self::push_for_one)
    /// in, and is of the same run as the last one.
    #[inline]
    pub(crate) fn has_room_for_one(
        &mut self,
        of: MessageIndex,
        place: &'static Location<'static>,
    ) -> bool {
        let whose = Whose::One;
        self.goes_on(OutsideCall { of, place, whose })
            && self.writing(of).metadata().has_room_for_one()
    }

    /// As [`has_room_for_one`](Self::has_room_for_one), of a letter to everyone.
    #[inline]
    pub(crate) fn has_room_for_everyone(
        &mut self,
        of: MessageIndex,
        place: &'static Location<'static>,
    ) -> bool {
        let whose = Whose::Everyone;
        self.goes_on(OutsideCall { of, place, whose })
    }

    /// Puts in what is written on one more letter of a call, as [`push`](Self::push) does.
    #[inline]
    pub(crate) fn push_for_one(&mut self, of: MessageIndex, id: MessageeId) -> &mut dyn Payloads {
        let letters = mailbox_at(&mut self.cells, of).writing.get_mut();
        let payloads = letters.push_for_one(id);
        *self.next.get_mut() += 1;
        payloads
    }

    /// As [`push_for_one`](Self::push_for_one), of a letter to everyone.
    #[inline]
    pub(crate) fn push_for_everyone(&mut self, of: MessageIndex) -> &mut dyn Payloads {
        let letters = mailbox_at(&mut self.cells, of).writing.get_mut();
        let payloads = letters.push_for_everyone();
        *self.next.get_mut() += 1;
        payloads
    }

    /// Returns `true` if a letter of that call would be of the same run as the last one, and there is
    /// room.
    #[inline]
    fn goes_on(&mut self, call: OutsideCall) -> bool {
        let current = self.current.get_mut();
        current.whose == call.whose
            && std::ptr::eq(current.place, call.place)
            && current.of == call.of
            && self.next.get() < self.full
    }

    #[inline]
    fn writing(&mut self, of: MessageIndex) -> &mut Letters {
        mailbox_at(&mut self.cells, of).writing.get_mut()
    }

    /// The letters of a type can be read for so many frames, from the next one on.
    pub(crate) fn set_retention<M: Message>(&mut self, of: MessageIndex, frames: u64) {
        let new_payloads = Messages::<M>::new_payloads;
        let cell = &self.cells[of.get()];
        let mailbox = cell.get_or_init(|| Box::new(Mailbox::new(new_payloads)));
        mailbox.learn(new_payloads);
        mailbox_at(&mut self.cells, of).retention = frames;
    }

    /// As [`set_retention`](Self::set_retention), of a type that is not known here.
    #[cfg(feature = "data")]
    pub(crate) fn set_any_retention(&mut self, of: MessageIndex, frames: u64) {
        let boxes = Messages::<AnyBox>::new_payloads;
        let cell = &self.cells[of.get()];
        cell.get_or_init(|| Box::new(Mailbox::new(boxes)));
        mailbox_at(&mut self.cells, of).retention = frames;
    }

    /// A frame has begun. Nothing is dropped before everything has its place: the `Drop` of a
    /// message may panic. Then all others are dropped, too, and the first panic goes on.
    pub(crate) fn turn(&mut self, frame: u64) {
        self.begun = self.next.get();
        self.full = self.begun + u64::from(self.limit);
        self.end_run();
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

    pub(crate) fn shrink_to_fit(&mut self) {
        for mailbox in self.cells.iter_mut().filter_map(OnceCell::get_mut) {
            mailbox.shrink_to_fit();
        }
        self.listed.get_mut().shrink_to_fit();
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

#[inline]
fn mailbox_at(cells: &mut [OnceCell<Box<Mailbox>>], of: MessageIndex) -> &mut Mailbox {
    let mailbox = cells[of.get()].get_mut();
    mailbox.expect("a listed mailbox was opened")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Sender;
    use crate::mailbox::letter::Mark;
    use crate::message::{Message, NoReply};

    struct Note;

    impl Message for Note {
        type Reply = NoReply;
        const NAME: &'static str = "note";
    }

    // holds: mail.swap-cost
    #[test]
    fn only_the_mailboxes_in_which_something_is_are_visited_when_a_frame_begins() {
        let mut mailboxes = Mailboxes::new(1_000, 10);
        let of = MessageIndex(7);
        let new_payloads = Messages::<Note>::new_payloads;
        mailboxes.set_retention::<Note>(of, 2);
        mailboxes.turn(1);
        assert!(mailboxes.listed.get_mut().is_empty());
        let letter = Letter {
            to: Recipient::Everyone,
            address: None,
            mark: Mark {
                sender: Sender::Outside,
                place: std::panic::Location::caller(),
                time: 0,
                number: 0,
                trace: None,
            },
        };
        let payloads = mailboxes.push(of, new_payloads, letter, 1);
        payloads
            .expect("it knows its type")
            .push_boxed(Box::new(Note));
        for (frame, visited) in [(2, 1), (3, 1), (4, 0), (5, 0)] {
            mailboxes.turn(frame);
            assert_eq!(mailboxes.listed.get_mut().len(), visited, "frame {frame}");
        }
        let opened = mailboxes.cells.iter().filter(|cell| cell.get().is_some());
        assert_eq!(opened.count(), 1);
    }
}
