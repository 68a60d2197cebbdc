//! Publishing: puts a message into the mailbox of its type, where it can be read from the next frame on.
//!
//! A run of messages is published by [`go_on`](crate::mailbox::Mailboxes::go_on) or as a batch. For any
//! other message, the recipient is resolved and a run begins: that part does not depend on the message's
//! type and is compiled once.

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{Absence, Chain, Limit, SendError, SendErrorKind};
use crate::mailbox::{Current, Postmark, Unpublished};
use crate::message::{AnyMessage, Message, MessageIndex};
use crate::post::check_recipient;
use crate::send::Sent;
use crate::trace::SentBy;
use crate::world::World;

impl Sent<'_> {
    /// Publishes messages, which are neither traced nor inputs, until one cannot be published.
    pub(crate) fn publish_each<M: Message>(
        &self,
        messages: impl IntoIterator<Item = M>,
    ) -> Result<(), SendError> {
        let mut messages = messages.into_iter().fuse();
        if let Some(first) = messages.next() {
            self.publish(&mut Some(first))?;
            let mail = &self.world.mail;
            mail.go_on_with(M::FACTS.place(), self.to, &mut messages);
        }
        // If any are left, they are published one by one, or there is no more room.
        messages.try_for_each(|message| self.publish(&mut Some(message)))
    }

    /// Returns `true` if each message that is published is traced or an input.
    pub(crate) fn publishes_singly(&self) -> bool {
        self.world.waiting.pending.is_observed() || self.world.trace.is_on()
    }

    /// Publishes a message and begins a run. A run goes on only while messages are neither traced nor logged.
    pub(crate) fn publish(&self, message: &mut dyn Unpublished) -> Result<(), SendError> {
        let World { mail, trace, .. } = self.world;
        mail.current.set(None);
        let subject = trace.is_on().then(|| {
            let message = Some(message.get() as &dyn AnyMessage);
            trace.sent(self.subject(), SentBy::Publish, trace.cause(), message)
        });
        let (of, mut postmark) = self.accept_letter().inspect_err(|error| {
            if let Some(subject) = subject {
                trace.refused(subject, error);
            }
        })?;
        postmark.trace = subject.and_then(|subject| subject.send);
        let mailbox = mail.open(of, message.new_column());
        mail.next.set(mail.next.get() + 1);
        let Some(mut letters) = mailbox.try_write() else {
            // A reader is looking at the pending letters, from a desk or by a guard that was leaked. This one is added
            // at the latest when nobody can be reading any more.
            let message = message.take().expect("a message is published once");
            if mailbox.put_aside(postmark, message) {
                self.world.later(move |world| world.mail.write_aside(of));
            }
            return Ok(());
        };
        letters.push(postmark, message);
        if self.sender == Sender::Outside && !self.publishes_singly() {
            let (to, place) = (self.to, self.place);
            mail.current.set(Some(Current { place, of, to }));
        }
        Ok(())
    }

    /// Returns the type and the postmark of the message, if there is room for it.
    fn accept_letter(&self) -> Result<(MessageIndex, Postmark), SendError> {
        let letter = self.letter()?;
        if self.world.mail.room() == 0 {
            let limit = self.world.common.config.max_published;
            return Err(full(letter.1.to, self.message(), limit, self.chain()));
        }
        Ok(letter)
    }

    /// Returns the type and the postmark of the message.
    pub(crate) fn letter(&self) -> Result<(MessageIndex, Postmark), SendError> {
        let facts = self.facts;
        let boxes = self.world.mail.cells.len();
        let of = facts.index().filter(|of| of.get() < boxes);
        let unregistered = || self.error(SendErrorKind::Unregistered);
        let of = of.ok_or_else(unregistered)?;
        let (to, address) = self.letter_address()?;
        let postmark = Postmark {
            to,
            address,
            sender: self.sender,
            place: self.place,
            time: self.world.common.time.now(),
            number: self.world.mail.next.get(),
            trace: None,
        };
        Ok((of, postmark))
    }

    /// Returns the recipient with the mnemonic of a family resolved, and the messagee that mail to it is for, if it
    /// is just one.
    fn letter_address(&self) -> Result<(Recipient, Option<MessageeId>), SendError> {
        let (to, sender, message) = (self.to, self.sender, self.message());
        let structure = &self.world.structure;
        // A mnemonic of a messagee that is leaving names it until it is bound to another.
        let resolved = structure.addresses.resolve(to);
        check_recipient(structure, resolved, sender, message)?;
        let address = match resolved {
            Recipient::Id(id) if structure.messagees.is_proxy(id) => {
                return Err(SendError::absent(message, id, Absence::Elsewhere));
            }
            Recipient::Id(id) => (to != resolved).then_some(id),
            family @ (Recipient::Up(_) | Recipient::Down(_)) => return Ok((family, None)),
            Recipient::Me => sender.id(),
            Recipient::Hook(hook) => Some(structure.owner_to_write_to(hook, message)?),
            Recipient::Mnemonic(mnemonic)
            | Recipient::UpFrom(mnemonic)
            | Recipient::DownFrom(mnemonic) => {
                return Err(SendError::absent(message, mnemonic, Absence::Unbound));
            }
            _ => None,
        };
        Ok((to, address))
    }
}

/// Returns the error if there is no room for a message.
#[cold]
pub(crate) fn full(to: Recipient, message: &'static str, limit: u32, chain: Chain) -> SendError {
    let limit = Limit::Published(limit);
    SendError::new(message, to, SendErrorKind::AtLimit { limit, chain })
}
