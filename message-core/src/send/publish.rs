//! Publishing: puts a message into the mailbox of its type, where it can be read from the next frame on.
//!
//! A run of messages is published by [`go_on`](crate::mailbox::Mailboxes::go_on) or as a batch. For any
//! other message, the recipient is resolved and a run begins: that part does not depend on the message's
//! type and is compiled once.

use std::cell::RefMut;
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{SendError, SendErrorKind};
use crate::mailbox::{AnyBox, Envelope, Letters, NewColumn, by_value};
use crate::message::{AnyMessage, Facts, Message, MessageIndex};
use crate::post::check_recipient;
use crate::tag::TagSet;
use crate::time::Stage;
use crate::trace::{SentBy, Subject};
use crate::world::World;

/// A call that publishes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Publisher<'w> {
    world: &'w World,
    to: Recipient,
    sender: Sender,
    place: &'static Location<'static>,
    /// `true` if the call comes from outside.
    is_outside: bool,
}

/// An envelope that needs its message.
struct Opened<'w> {
    of: MessageIndex,
    envelope: Envelope,
    /// The letters to which it is added, unless a reader is looking at them.
    letters: Option<RefMut<'w, Letters>>,
}

impl<'w> Publisher<'w> {
    /// Publishes from a handler or a subscriber.
    pub(crate) fn inside(
        world: &'w World,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
    ) -> Self {
        Self {
            world,
            to,
            sender,
            place,
            is_outside: false,
        }
    }

    /// Publishes from outside. What is published is logged.
    #[inline]
    pub(crate) fn outside(
        world: &'w World,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
    ) -> Self {
        Self {
            is_outside: true,
            ..Self::inside(world, to, sender, place)
        }
    }

    #[inline(never)]
    pub(crate) fn publish<M: Message>(&self, message: M) -> Result<(), SendError> {
        let mut opened = self.open(&message, Some(by_value::<M>))?;
        match &mut opened.letters {
            Some(letters) => letters.push(opened.envelope, message),
            None => self.put_aside(&opened, Box::new(message)),
        }
        Ok(())
    }

    /// Publishes a message whose type is not known.
    pub(crate) fn publish_any(&self, message: AnyBox) -> Result<(), SendError> {
        let mut opened = self.open(&*message, None)?;
        match &mut opened.letters {
            Some(letters) => letters.push_boxed(opened.envelope, message),
            None => self.put_aside(&opened, message),
        }
        Ok(())
    }

    /// Publishes messages until one cannot be published.
    pub(crate) fn publish_each<M: Message>(
        self,
        messages: impl IntoIterator<Item = M>,
    ) -> Result<(), SendError> {
        let mut messages = messages.into_iter();
        let Some(first) = messages.next() else {
            return Ok(());
        };
        self.publish(first)?;
        if !self.is_told() {
            let mail = &self.world.mail;
            match mail.go_on_with(M::FACTS.place(), self.to, messages) {
                None => return Ok(()),
                Some(left) => messages = left,
            }
        }
        // Each is traced or logged, or the next one finds the mailboxes full.
        messages.try_for_each(|message| self.publish(message))
    }

    /// Returns `true` if each message is traced or logged.
    pub(super) fn is_told(&self) -> bool {
        #[cfg(feature = "data")]
        if self.is_outside && self.world.outside.log.is_on() {
            return true;
        }
        self.world.trace.is_on()
    }

    /// Begins a run with the envelope of a message. A run goes on only while messages are neither traced nor logged.
    fn open(
        &self,
        message: &dyn AnyMessage,
        new_column: Option<NewColumn>,
    ) -> Result<Opened<'w>, SendError> {
        let World { mail, trace, .. } = self.world;
        mail.end_run();
        #[cfg(feature = "data")]
        if self.is_outside
            && let Some(log) = self.world.input_log()
        {
            log.publish(self.to, self.sender, message, self.place);
        }
        let subject = trace.is_on().then(|| self.trace(message));
        let (of, mut envelope) = self.accept(message.facts()).inspect_err(|error| {
            if let Some(subject) = subject {
                trace.refused(subject, error);
            }
        })?;
        envelope.trace = subject.and_then(|subject| subject.send);
        let mailbox = mail.open(of, new_column);
        mail.next.set(mail.next.get() + 1);
        let letters = mailbox.try_write();
        let is_program = self.is_outside && self.sender == Sender::Outside;
        if letters.is_some() && is_program && !self.is_told() {
            mail.begin_run(of, self.to, self.place);
        }
        Ok(Opened {
            of,
            envelope,
            letters,
        })
    }

    /// Returns the type and the envelope of the next message, if there is room for it.
    fn accept(&self, facts: &Facts) -> Result<(MessageIndex, Envelope), SendError> {
        let next = self.next_of(facts)?;
        if self.world.mail.room() == 0 {
            let limit = self.world.common.config.max_published;
            return Err(full(next.1.to, facts.name, limit));
        }
        Ok(next)
    }

    /// Returns the type and the envelope of the next message.
    pub(super) fn next_of(&self, facts: &Facts) -> Result<(MessageIndex, Envelope), SendError> {
        let message = facts.name;
        let of = facts.table().map(|table| table.index);
        let of = of.filter(|of| self.world.mail.have(*of));
        let of = of.ok_or(SendErrorKind::Unregistered { message })?;
        let (to, address) = self.address(message)?;
        let envelope = Envelope {
            to,
            address,
            sender: self.sender,
            place: self.place,
            time: self.world.common.time.now(),
            number: self.world.mail.next.get(),
            trace: None,
        };
        Ok((of, envelope))
    }

    /// Traces a message that is about to be published.
    #[cold]
    fn trace(&self, message: &dyn AnyMessage) -> Subject {
        let trace = &self.world.trace;
        let subject = Subject {
            send: None,
            facts: message.facts(),
            own_tags: TagSet::EMPTY,
            sender: self.sender,
            recipient: self.to,
            moment: self.world.common.time.moment(),
            place: self.place,
            stage: Stage::Immediate,
        };
        trace.sent(subject, SentBy::Publish, trace.cause(), Some(message))
    }

    /// Returns the recipient with the mnemonic of a family resolved, and the messagee that mail to it is for, if it
    /// is just one.
    fn address(&self, message: &'static str) -> Result<(Recipient, Option<MessageeId>), SendError> {
        let Self {
            world, to, sender, ..
        } = *self;
        let structure = &world.structure;
        // A mnemonic of a messagee that is leaving names it until it is bound to another.
        let resolved = structure.addresses.resolve(to);
        check_recipient(structure, resolved, sender, message)?;
        let address = match resolved {
            Recipient::Id(id) if structure.messagees.is_proxy(id) => {
                return Err(SendErrorKind::Elsewhere { id, message }.into());
            }
            Recipient::Id(id) => Some(id),
            family @ (Recipient::Up(_) | Recipient::Down(_)) => return Ok((family, None)),
            Recipient::Me => sender.id(),
            Recipient::Hook(hook) => Some(structure.owner_to_write_to(hook, message)?),
            Recipient::Mnemonic(mnemonic)
            | Recipient::UpFrom(mnemonic)
            | Recipient::DownFrom(mnemonic) => {
                let mnemonic = mnemonic.name();
                return Err(SendErrorKind::Unbound { mnemonic, message }.into());
            }
            _ => None,
        };
        Ok((to, address))
    }

    /// Puts a letter aside while a reader is looking at the pending ones, from a desk or by a guard that was leaked.
    /// It is added at the latest when nobody can be reading any more.
    #[cold]
    fn put_aside(&self, opened: &Opened<'_>, message: AnyBox) {
        let of = opened.of;
        let mailbox = self.world.mail.open(of, None);
        if mailbox.put_aside(opened.envelope, message) {
            self.world.later(move |world| world.mail.write_aside(of));
        }
    }
}

#[cold]
pub(super) fn full(to: Recipient, message: &'static str, limit: u32) -> SendError {
    SendErrorKind::MailboxFull { to, message, limit }.into()
}
