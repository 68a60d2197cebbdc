//! Publishing: a message is put into its type's mailbox, where it is found from the next frame on.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::SendError;
use crate::mailbox::{Letter, Mark};
use crate::message::{AnyMessage, Message, MessageIndex};
use crate::trace::TraceId;
use crate::world::World;

/// Mail that can be published.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accepted {
    /// The index of the message's type.
    of: MessageIndex,
    /// The recipient, with the messagee in the place of a mnemonic whose family is meant.
    to: Recipient,
    /// The messagee that it is for, if it is for one alone.
    address: Option<MessageeId>,
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
        let (accepted, trace) = if self.trace.is_on() {
            self.accept_traced_mail(to, sender, place, &message)
        } else {
            (self.accept_mail::<M>(to, sender), None)
        };
        let Accepted { of, to, address } = accepted?;
        let letter = Letter {
            message,
            to,
            address,
            mark: self.mark(sender, place, trace),
            frame: self.time.frame,
        };
        if self.mailboxes.put(of, letter) {
            self.write_aside_later(of);
        }
        Ok(())
    }

    /// As [`publish`](Self::publish), of a message whose type is not known.
    pub(crate) fn publish_any(
        &self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        message: Box<dyn AnyMessage>,
    ) -> Result<(), SendError> {
        let (accepted, trace) = if self.trace.is_on() {
            self.accept_traced_mail(to, sender, place, &*message)
        } else {
            (self.accept_any_mail(to, sender, &*message), None)
        };
        let Accepted { of, to, address } = accepted?;
        let letter = Letter {
            message: message.into_erased().0 as Box<dyn AnyMessage>,
            to,
            address,
            mark: self.mark(sender, place, trace),
            frame: self.time.frame,
        };
        if self.mailboxes.put_boxed(of, letter) {
            self.write_aside_later(of);
        }
        Ok(())
    }

    /// Somebody looks at the pending ones, from a desk or by a guard that was leaked. At the latest it
    /// is written when nobody can look any more.
    #[cold]
    fn write_aside_later(&self, of: MessageIndex) {
        self.later(move |world| world.mailboxes.write_aside(of));
    }

    /// As [`publish`](Self::publish), when nobody else looks: by the short way.
    #[inline]
    pub(crate) fn publish_outside<M: Message>(
        &mut self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(), SendError> {
        if self.trace.is_on() {
            return self.publish(to, sender, place, message);
        }
        let Accepted { of, to, address } = self.accept_mail::<M>(to, sender)?;
        let mark = self.mark(sender, place, None);
        let frame = self.time.frame;
        // The letter is made where it is put, and never lies anywhere else.
        self.mailboxes.open_mut::<M>(of).push(Letter {
            message,
            to,
            address,
            mark,
            frame,
        });
        Ok(())
    }

    /// What the publishing call puts on a letter. It has its number then.
    #[inline]
    fn mark(
        &self,
        sender: Sender,
        place: &'static Location<'static>,
        trace: Option<TraceId>,
    ) -> Mark {
        Mark {
            sender,
            place,
            time: self.time.now(),
            number: self.mailboxes.number_next(),
            trace,
        }
    }

    /// Returns `true` if a message can be published.
    #[inline]
    pub(crate) fn accept_mail<M: Message>(
        &self,
        to: Recipient,
        sender: Sender,
    ) -> Result<Accepted, SendError> {
        self.accept_mail_at(M::index(), to, sender, M::NAME)
    }

    /// As [`accept_mail`](Self::accept_mail), of a message whose type is not known.
    pub(crate) fn accept_any_mail(
        &self,
        to: Recipient,
        sender: Sender,
        message: &dyn AnyMessage,
    ) -> Result<Accepted, SendError> {
        let facts = message.facts();
        let of = facts.table().map(|table| table.index);
        self.accept_mail_at(of, to, sender, facts.name)
    }

    #[inline]
    fn accept_mail_at(
        &self,
        of: Option<MessageIndex>,
        mut to: Recipient,
        sender: Sender,
        message: &'static str,
    ) -> Result<Accepted, SendError> {
        let Some(of) = of else {
            return Err(SendError::Unregistered { message });
        };
        let address = match to {
            Recipient::Id(id) if self.messagees.is_alive(id) => Some(id),
            _ => self.mail_address(&mut to, sender, message)?,
        };
        let limit = self.config.max_published;
        if self.mailboxes.published() >= u64::from(limit) {
            return Err(SendError::MailboxFull { to, message, limit });
        }
        Ok(Accepted { of, to, address })
    }

    /// The messagee that mail to a recipient is for, if it is for one alone. Puts the messagee in the
    /// place of a mnemonic whose family is meant.
    #[cold]
    fn mail_address(
        &self,
        to: &mut Recipient,
        sender: Sender,
        message: &'static str,
    ) -> Result<Option<MessageeId>, SendError> {
        self.check_recipient(*to, sender, message)?;
        match self.resolve_mnemonic(*to) {
            Recipient::Id(id) => Ok(Some(id)),
            family @ (Recipient::Up(_) | Recipient::Down(_)) => {
                *to = family;
                Ok(None)
            }
            Recipient::Me => Ok(sender.id()),
            Recipient::Hook(hook) => self.owner_to_write_to(hook, message).map(Some),
            Recipient::Mnemonic(mnemonic)
            | Recipient::UpFrom(mnemonic)
            | Recipient::DownFrom(mnemonic) => Err(SendError::Unbound {
                mnemonic: mnemonic.name(),
                message,
            }),
            _ => Ok(None),
        }
    }
}
