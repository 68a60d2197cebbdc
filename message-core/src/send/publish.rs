//! Publishing: puts a message into its type's mailbox, where it can be read from the next frame on.

// The code that writes a letter does not depend on the message's type and is compiled once. It returns the
// place for the message; only putting the message there is compiled for each type.

use std::any::Any;
use std::cell::RefMut;
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{SendError, SendErrorKind};
use crate::mailbox::{
    AnyBox, Letter, Letters, Mailboxes, Mark, Messages, NewPayloads, Office, Payloads,
};
use crate::message::{AnyMessage, Message, MessageIndex, index_of, place_of};
use crate::post::check_recipient;
use crate::storage::Record;
use crate::trace::TraceId;
use crate::world::{Presence, World};

/// The sender, recipient and place of a publication.
#[derive(Clone, Copy)]
struct Publishing {
    to: Recipient,
    sender: Sender,
    place: &'static Location<'static>,
}

/// Mail that can be published.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accepted {
    /// The index of the message's type.
    of: MessageIndex,
    /// The recipient, with the mnemonic of a family resolved to its messagee.
    to: Recipient,
    /// The messagee that it is for, if there is just one.
    address: Option<MessageeId>,
}

/// The place for the message of a letter.
enum Opened<'w> {
    /// The letter is in the mailbox, without its message.
    Here(RefMut<'w, Letters>),
    /// Somebody is reading the mailbox.
    Aside(MessageIndex, Letter),
}

/// Equal letters in a row. When the batch is dropped, it adds one letter for each message that was put in
/// meanwhile, also after a panic.
struct Batch<'w> {
    world: &'w World,
    letters: RefMut<'w, Letters>,
    /// The first letter.
    letter: Letter,
    /// The number of letters that still fit.
    room: usize,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        let frame = self.world.common.time.frame;
        let count = self.letters.include(self.letter, frame);
        self.world.mail.number(count);
    }
}

#[inline]
fn downcast<M: Message>(payloads: &mut dyn Payloads) -> Option<&mut Messages<M>> {
    let payloads: &mut dyn Any = payloads;
    payloads.downcast_mut()
}

impl Office for World {
    fn mailboxes(&self) -> &Mailboxes {
        &self.mail
    }

    fn serial(&self) -> u64 {
        self.common.identity.serial()
    }

    fn frame(&self) -> u64 {
        self.common.time.frame
    }

    fn resolve(&self, to: Recipient) -> Recipient {
        self.structure.addresses.resolve(to)
    }

    fn is_foreign(&self, id: MessageeId) -> bool {
        self.presence(id) == Presence::Foreign
    }

    fn is_meant(&self, id: MessageeId, to: Recipient, sender: Sender) -> bool {
        World::is_meant(self, id, to, sender)
    }
}

impl World {
    /// Publishes a message while others may be looking at mail.
    pub(crate) fn publish<M: Message>(
        &self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(), SendError> {
        let publishing = Publishing { to, sender, place };
        let new_payloads = Messages::<M>::new_payloads;
        match self.open_mail(publishing, &message, Some(new_payloads))? {
            Opened::Here(mut letters) => match letters.messages_mut::<M>() {
                Some(messages) => messages.push(message),
                None => letters.push_boxed(Box::new(message)),
            },
            Opened::Aside(of, letter) => self.put_aside(of, letter, Box::new(message)),
        }
        Ok(())
    }

    /// Like [`publish`](Self::publish), for a message whose type is not known.
    pub(crate) fn publish_any(
        &self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        message: Box<dyn AnyMessage>,
    ) -> Result<(), SendError> {
        let publishing = Publishing { to, sender, place };
        self.publish_box(publishing, message, None)
    }

    /// Like [`publish`](Self::publish), from outside: nobody is reading, and everything is settled.
    #[inline]
    pub(crate) fn publish_outside<M: Message>(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(), SendError> {
        // The message is not passed by reference, so that it need not be in memory before it is put in.
        if let Some(payloads) = self.push_again(place_of::<M>(), to, place)
            && let Some(messages) = downcast(payloads)
        {
            messages.push(message);
            return Ok(());
        }
        self.publish_anew(to, place, message)
    }

    /// Like [`publish_outside`](Self::publish_outside), for a message that differs from the one before in
    /// type, recipient or place.
    #[cold]
    #[inline(never)]
    fn publish_anew<M: Message>(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(), SendError> {
        let new_payloads = Messages::<M>::new_payloads;
        if let Some(payloads) = self.push_letter(place_of::<M>(), to, place, new_payloads)
            && let Some(messages) = downcast(payloads)
        {
            messages.push(message);
            return Ok(());
        }
        self.publish_outside_in_box(to, place, Box::new(message), new_payloads)
    }

    #[cold]
    #[inline(never)]
    fn publish_outside_in_box(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: AnyBox,
        new_payloads: NewPayloads,
    ) -> Result<(), SendError> {
        self.take_up();
        let sender = Sender::Outside;
        let publishing = Publishing { to, sender, place };
        self.publish_box(publishing, message, Some(new_payloads))
    }

    /// Publishes messages while others may be looking at mail, until one cannot be published.
    pub(crate) fn publish_each<M: Message>(
        &self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        messages: impl IntoIterator<Item = M>,
    ) -> Result<(), SendError> {
        let publishing = Publishing { to, sender, place };
        let mut messages = messages.into_iter();
        let of = index_of::<M>();
        if let Some(mut batch) = self.begin_batch(of, publishing, Messages::<M>::new_payloads) {
            let room = batch.room;
            if let Some(stored) = batch.letters.messages_mut() {
                stored.extend(messages.by_ref().take(room));
            }
        }
        // The rest, one by one: this also finds the error.
        messages.try_for_each(|message| self.publish(to, sender, place, message))
    }

    /// Writes the next letter of a run from outside. The caller has to put the message by value into the
    /// payloads that are returned. Returns `None` if the letter does not continue a run.
    ///
    /// It calls nothing and has few arguments, so that few registers have to be saved.
    #[inline(never)]
    fn push_again(
        &mut self,
        of: MessageIndex,
        to: Recipient,
        place: &'static Location<'static>,
    ) -> Option<&mut dyn Payloads> {
        match to {
            Recipient::Id(id)
                if self.mail.has_room_for_one(of, place)
                    && self.structure.messagees.is_here(id) =>
            {
                Some(self.mail.push_for_one(of, id))
            }
            Recipient::Everyone if self.mail.has_room_for_everyone(of, place) => {
                Some(self.mail.push_for_everyone(of))
            }
            _ => None,
        }
    }

    /// Writes a letter from outside. The caller has to put the message by value into the payloads that are
    /// returned. Returns `None` if it cannot be published, if it is traced, or if the messages of this
    /// frame are boxed.
    #[inline(never)]
    fn push_letter(
        &mut self,
        of: MessageIndex,
        to: Recipient,
        place: &'static Location<'static>,
        new_payloads: NewPayloads,
    ) -> Option<&mut dyn Payloads> {
        if self.trace.is_on() {
            return None;
        }
        let sender = Sender::Outside;
        // The caller then publishes by the general function, which returns the error.
        let accepted = self.accept_mail(of.known(), to, sender, "").ok()?;
        let letter = self.letter(accepted, sender, place, None);
        self.mail
            .push(of, new_payloads, letter, self.common.time.frame)
    }

    /// Publishes a message in a box, while others may be looking at mail.
    #[cold]
    #[inline(never)]
    fn publish_box(
        &self,
        publishing: Publishing,
        message: AnyBox,
        new_payloads: Option<NewPayloads>,
    ) -> Result<(), SendError> {
        match self.open_mail(publishing, &*message, new_payloads)? {
            Opened::Here(mut letters) => letters.push_boxed(message),
            Opened::Aside(of, letter) => self.put_aside(of, letter, message),
        }
        Ok(())
    }

    /// Writes a letter, unless somebody is reading the mailbox of its message's type.
    fn open_mail(
        &self,
        publishing: Publishing,
        message: &dyn AnyMessage,
        new_payloads: Option<NewPayloads>,
    ) -> Result<Opened<'_>, SendError> {
        let (of, letter) = self.accept_letter(publishing, message)?;
        self.mail.number(1);
        let mailbox = self.mail.open(of, new_payloads);
        let Some(mut letters) = mailbox.try_write() else {
            return Ok(Opened::Aside(of, letter));
        };
        letters.push(letter, self.common.time.frame);
        Ok(Opened::Here(letters))
    }

    /// Returns the next letter, if a message can be published.
    fn accept_letter(
        &self,
        Publishing { to, sender, place }: Publishing,
        message: &dyn AnyMessage,
    ) -> Result<(MessageIndex, Letter), SendError> {
        let (accepted, trace) = if self.trace.is_on() {
            self.accept_traced_mail(to, sender, place, message)
        } else {
            (self.accept_any_mail(to, sender, message), None)
        };
        let accepted = accepted?;
        Ok((accepted.of, self.letter(accepted, sender, place, trace)))
    }

    /// Begins a batch of letters to one recipient. Returns `None` if somebody is reading the mailbox, if
    /// messages are traced, or if they are not stored by value.
    fn begin_batch(
        &self,
        of: Option<MessageIndex>,
        Publishing { to, sender, place }: Publishing,
        new_payloads: NewPayloads,
    ) -> Option<Batch<'_>> {
        if self.trace.is_on() {
            return None;
        }
        // The caller then publishes by the general function, which returns the error.
        let accepted = self.accept_mail(of, to, sender, "").ok()?;
        let mailbox = self.mail.open(accepted.of, Some(new_payloads));
        let room = self.mail.room();
        Some(Batch {
            world: self,
            letters: mailbox.try_write()?,
            letter: self.letter(accepted, sender, place, None),
            room: usize::try_from(room).unwrap_or(usize::MAX),
        })
    }

    /// Puts a letter aside while somebody is reading the pending ones, from a desk or by a guard that was
    /// leaked. It is written at the latest when nobody can be reading any more.
    #[cold]
    #[inline(never)]
    fn put_aside(&self, of: MessageIndex, letter: Letter, message: AnyBox) {
        let mailbox = self.mail.open(of, None);
        if mailbox.put_aside(letter, message, self.common.time.frame) {
            self.later(move |world| world.mail.write_aside(of));
        }
    }

    /// Returns the next letter.
    fn letter(
        &self,
        Accepted { to, address, .. }: Accepted,
        sender: Sender,
        place: &'static Location<'static>,
        trace: Option<TraceId>,
    ) -> Letter {
        let mark = Mark {
            sender,
            place,
            time: self.common.time.now(),
            number: self.mail.next_number(),
            trace,
        };
        Letter { to, address, mark }
    }

    /// Checks whether a message can be published.
    pub(crate) fn accept_any_mail(
        &self,
        to: Recipient,
        sender: Sender,
        message: &dyn AnyMessage,
    ) -> Result<Accepted, SendError> {
        let facts = message.facts();
        let of = facts.table().map(|table| table.index);
        self.accept_mail(of, to, sender, facts.name)
    }

    /// Like [`accept_any_mail`](Self::accept_any_mail), but takes the index and the name of the type.
    #[inline]
    fn accept_mail(
        &self,
        of: Option<MessageIndex>,
        mut to: Recipient,
        sender: Sender,
        message: &'static str,
    ) -> Result<Accepted, SendError> {
        let Some(of) = of.filter(|of| self.mail.have(*of)) else {
            return Err(SendErrorKind::Unregistered { message }.into());
        };
        let address = match to {
            Recipient::Id(id) if self.structure.messagees.is_here(id) => Some(id),
            _ => self.mail_address(&mut to, sender, message)?,
        };
        if self.mail.room() == 0 {
            let limit = self.common.config.max_published;
            return Err(SendErrorKind::MailboxFull { to, message, limit }.into());
        }
        Ok(Accepted { of, to, address })
    }

    /// Returns the messagee that mail to a recipient is for, if there is just one. Resolves the mnemonic of
    /// a family in `to`.
    #[cold]
    fn mail_address(
        &self,
        to: &mut Recipient,
        sender: Sender,
        message: &'static str,
    ) -> Result<Option<MessageeId>, SendError> {
        // A mnemonic of a messagee that is leaving names it until it is bound to another.
        let resolved = self.structure.addresses.resolve(*to);
        check_recipient(self, resolved, sender, message)?;
        match resolved {
            Recipient::Id(id) => match self.structure.messagees.get(id).and_then(Record::outbox) {
                Some(_) => Err(SendErrorKind::Elsewhere { id, message }.into()),
                None => Ok(Some(id)),
            },
            family @ (Recipient::Up(_) | Recipient::Down(_)) => {
                *to = family;
                Ok(None)
            }
            Recipient::Me => Ok(sender.id()),
            Recipient::Hook(hook) => self.owner_to_write_to(hook, message).map(Some),
            Recipient::Mnemonic(mnemonic)
            | Recipient::UpFrom(mnemonic)
            | Recipient::DownFrom(mnemonic) => Err(SendErrorKind::Unbound {
                mnemonic: mnemonic.name(),
                message,
            }
            .into()),
            _ => Ok(None),
        }
    }
}
