//! The verbs of sending. All of them are one [delivery](super::entry::deliver), with or without answers.
//!
//! The manager, the handle of a messagee and a context each implement [`Deliver`]. The message is erased here, so that little
//! is compiled for each message type.

use std::any::Any;
use std::panic::Location;

use crate::address::{MessageeId, Recipient};
use crate::caught::Unclaimed;
use crate::error::{SendError, SendErrorKind, SharedError};
use crate::message::{AnyMessage, Facts, Message, Request};
use crate::receipt::Receipt;
use crate::send::OnBusy;
use crate::send::erased::{AnyReply, Lent, OwnedMessage, Replies};

/// The place of a call.
pub(crate) type Place = &'static Location<'static>;

/// A place that messages are sent from.
pub(crate) trait Deliver {
    /// Calls the only component that a send goes to. Returns `None`, with nobody called, if there is none or another, or if
    /// anything is unusual.
    #[inline]
    fn call_single(
        &mut self,
        _facts: &'static Facts,
        _to: Recipient,
        _place: Place,
        _message: &mut dyn AnyMessage,
        _replies: &mut Replies<'_>,
    ) -> Option<Receipt> {
        None
    }

    /// Delivers a message that [`call_single`](Self::call_single) could not deliver. Puts the answers where `replies` asks
    /// for them.
    fn deliver(
        &mut self,
        facts: &'static Facts,
        to: Recipient,
        place: Place,
        message: &mut dyn OwnedMessage,
        replies: Replies<'_>,
        on_busy: OnBusy,
    ) -> Result<Receipt, SendError>;

    #[inline]
    fn send_one<M: Message>(
        &mut self,
        to: Recipient,
        place: Place,
        message: M,
    ) -> Result<Receipt, SendError> {
        // In an `Option` from the beginning, so that it is not moved when it is passed on.
        let mut message = Some(message);
        if let Some(message) = &mut message
            && let Some(receipt) =
                self.call_single(M::FACTS, to, place, message, &mut Replies::Ignore)
        {
            return Ok(receipt);
        }
        self.deliver(
            M::FACTS,
            to,
            place,
            &mut message,
            Replies::Ignore,
            OnBusy::Keep,
        )
    }

    fn send_boxed(
        &mut self,
        to: Recipient,
        place: Place,
        message: Box<dyn AnyMessage>,
    ) -> Result<Receipt, SendError> {
        let (facts, message) = (message.facts(), &mut Some(message));
        self.deliver(facts, to, place, message, Replies::Ignore, OnBusy::Keep)
    }

    #[inline]
    fn send_lent<M: Message>(
        &mut self,
        to: Recipient,
        place: Place,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        if let Some(receipt) = self.call_single(M::FACTS, to, place, message, &mut Replies::Ignore)
        {
            return Ok(receipt);
        }
        let message = &mut Lent(message);
        self.deliver(
            M::FACTS,
            to,
            place,
            message,
            Replies::Ignore,
            OnBusy::Refuse,
        )
    }

    #[inline]
    fn ask_one<M: Request>(
        &mut self,
        to: Recipient,
        place: Place,
        message: M,
    ) -> Result<M::Reply, SendError> {
        let (mut message, mut first, mut error) = (Some(message), Unclaimed(None), None);
        let mut replies = Replies::First(&mut first.0, &mut error);
        let called = message
            .as_mut()
            .and_then(|message| self.call_single(M::FACTS, to, place, message, &mut replies));
        if called.is_none() {
            self.deliver(M::FACTS, to, place, &mut message, replies, OnBusy::Refuse)?;
        }
        let answer = first.0.take();
        answer.ok_or_else(|| unanswered(M::FACTS, to, error))
    }

    fn ask_boxed(
        &mut self,
        to: Recipient,
        place: Place,
        message: Box<dyn AnyMessage>,
    ) -> Result<Box<dyn Any>, SendError> {
        let (facts, to) = (message.facts(), to);
        if !facts.is_request() {
            let message = facts.name;
            return Err(SendErrorKind::NoReplyType { to, message }.into());
        }
        let (mut first, mut error) = (Unclaimed(AnyReply(None)), None);
        let replies = Replies::First(&mut first.0, &mut error);
        self.deliver(
            facts,
            to,
            place,
            &mut Some(message),
            replies,
            OnBusy::Refuse,
        )?;
        let answer = first.0.0.take();
        answer.ok_or_else(|| unanswered(facts, to, error))
    }

    fn ask_all<M: Request>(
        &mut self,
        to: Recipient,
        place: Place,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        let mut all: Unclaimed<Vec<(MessageeId, M::Reply)>> = Unclaimed::default();
        let (message, replies) = (&mut Some(message), Replies::All(&mut all.0));
        self.deliver(M::FACTS, to, place, message, replies, OnBusy::Refuse)?;
        Ok(std::mem::take(&mut all.0))
    }
}

/// Returns the error of a request that nobody has answered.
#[cold]
fn unanswered(facts: &'static Facts, to: Recipient, error: Option<SharedError>) -> SendError {
    let message = facts.name;
    SendErrorKind::NoAnswer { to, message, error }.into()
}
