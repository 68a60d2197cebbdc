//! Publishing: a message is put into its type's mailbox, where it is found from the next frame on.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::SendError;
use crate::mailbox::{Letter, Mark};
use crate::message::{Message, MessageIndex};
use crate::trace::TraceId;
use crate::world::World;

impl World {
    /// Publishes a message while others may be looking at mail.
    pub(crate) fn publish<M: Message>(
        &self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(), SendError> {
        let (of, letter) = self.letter(to, sender, place, message)?;
        if self.mailboxes.open(of).put(letter) {
            // Somebody looks at the pending ones, from a desk or by a guard that was leaked. At the
            // latest it is written when nobody can look any more.
            self.later(move |world| {
                world.mailboxes.open_mut::<M>(of).write();
            });
        }
        Ok(())
    }

    /// Publishes a message, from outside.
    #[inline]
    pub(crate) fn publish_outside<M: Message>(
        &mut self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(), SendError> {
        if self.trace.is_on() {
            let (of, letter) = self.traced_letter(to, sender, place, message)?;
            self.mailboxes.open_mut(of).write().push(letter);
            return Ok(());
        }
        let (of, address) = self.accept_mail::<M>(to, sender)?;
        let mark = self.mark(sender, place, None);
        let frame = self.time.frame;
        // The letter is made where it is put, and never lies anywhere else.
        self.mailboxes.open_mut(of).write().push(Letter {
            message,
            to,
            address,
            mark,
            frame,
        });
        Ok(())
    }

    /// The letter that a message becomes, and the index of its type. It has its number then.
    #[inline]
    fn letter<M: Message>(
        &self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(MessageIndex, Letter<M>), SendError> {
        if self.trace.is_on() {
            return self.traced_letter(to, sender, place, message);
        }
        let (of, address) = self.accept_mail::<M>(to, sender)?;
        let mark = self.mark(sender, place, None);
        Ok((of, self.sealed(to, address, mark, message)))
    }

    /// As [`letter`](Self::letter), while the manager is traced.
    #[cold]
    #[inline(never)]
    fn traced_letter<M: Message>(
        &self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(MessageIndex, Letter<M>), SendError> {
        let trace = self.trace_publishing(to, sender, place, &message);
        match self.accept_mail::<M>(to, sender) {
            Ok((of, address)) => {
                let mark = self.mark(sender, place, trace);
                Ok((of, self.sealed(to, address, mark, message)))
            }
            Err(error) => {
                self.trace_unpublished::<M>(to, sender, trace, &error);
                Err(error)
            }
        }
    }

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

    #[inline]
    fn sealed<M>(
        &self,
        to: Recipient,
        address: Option<MessageeId>,
        mark: Mark,
        message: M,
    ) -> Letter<M> {
        Letter {
            message,
            to,
            address,
            mark,
            frame: self.time.frame,
        }
    }

    /// Whether a message can be published. The index of its type, and the messagee that it is for, if
    /// it is for one alone.
    #[inline]
    fn accept_mail<M: Message>(
        &self,
        to: Recipient,
        sender: Sender,
    ) -> Result<(MessageIndex, Option<MessageeId>), SendError> {
        let Some(of) = M::index() else {
            return Err(SendError::Unregistered { message: M::NAME });
        };
        let address = match to {
            Recipient::Id(id) if self.messagees.is_alive(id) => Some(id),
            _ => self.mail_address(to, sender, M::NAME)?,
        };
        let limit = self.config.max_published;
        if self.mailboxes.published() >= u64::from(limit) {
            return Err(SendError::MailboxFull {
                to,
                message: M::NAME,
                limit,
            });
        }
        Ok((of, address))
    }

    /// The messagee that mail to a recipient is for, if it is for one alone.
    #[cold]
    fn mail_address(
        &self,
        to: Recipient,
        sender: Sender,
        message: &'static str,
    ) -> Result<Option<MessageeId>, SendError> {
        self.check_recipient(to, sender, message)?;
        match self.resolve_mnemonic(to) {
            Recipient::Id(id) => Ok(Some(id)),
            Recipient::Me => Ok(sender.id()),
            Recipient::Mnemonic(mnemonic) => Err(SendError::Unbound {
                mnemonic: mnemonic.name(),
                message,
            }),
            _ => Ok(None),
        }
    }
}
