//! The part of the [verbs](crate::verbs) that differs between a manager, one that acts on behalf of a messagee, and a
//! context: each implements [`Speaker`]. A request is a send with a place for the answer, so both take one path.
//!
//! The methods erase the message, so that little is compiled for each message type.

use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::caught::Unclaimed;
use crate::error::{SendError, SendErrorKind, SharedError};
use crate::mailbox::{Choice, Unpublished};
use crate::message::{Facts, Message, OwnedMessage, Request};
use crate::post::{PostCall, Posts, Ticket};
use crate::receipt::Receipt;
use crate::send::{Delivered, OnBusy, Origin, Replies, Sent, Verdict};
use crate::world::World;

/// A place that messages are sent, posted and published from.
pub(crate) trait Speaker {
    /// Returns the sender of the messages.
    fn speaks_for(&self) -> Sender;

    fn world(&self) -> &World;

    /// The origin of the sends that are over at once.
    type Origin<'s>: Origin<'s>
    where
        Self: 's;

    /// Returns the origin, unless each send is delivered in full.
    fn origin(&self) -> Option<Self::Origin<'_>>;

    /// Settles what the handlers of an outermost call have asked for. Returns the number of those that have failed, if there
    /// was anything to settle.
    #[inline]
    fn settle_call(&mut self) -> Option<usize> {
        None
    }

    /// Delivers a message that [`call_single`](crate::send::entry::call_single) could not deliver. Puts the answers where `replies` asks
    /// for them.
    fn deliver(
        &mut self,
        facts: &'static Facts,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn OwnedMessage,
        replies: &mut Replies<'_>,
        on_busy: OnBusy,
    ) -> Delivered;

    /// Posts a message: compiled once.
    fn post_held(&mut self, call: &mut PostCall<'_>) -> Result<Ticket, SendError>;

    /// Begins a call that publishes.
    fn publication(
        &mut self,
        facts: &'static Facts,
        to: Recipient,
        place: &'static Location<'static>,
    ) -> Result<Sent<'_>, SendError>;

    /// Publishes a message.
    #[inline]
    fn publish_one<M: Message>(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(), SendError> {
        self.publish_held(to, place, &mut Some(message))
    }

    /// Publishes a message whose type is not known.
    fn publish_held(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn Unpublished,
    ) -> Result<(), SendError> {
        self.publication(message.get().facts(), to, place)?
            .publish(message)
    }

    /// Returns all mail to choose from.
    fn mail(&self) -> Choice<'_> {
        let world = self.world();
        Choice::all(&world.mail, &world.structure, self.speaks_for().id())
    }

    /// Resolves `Me` and the names of keys to the sender.
    #[inline]
    fn own(&self, posts: impl Into<Posts>) -> Posts {
        posts.into().seen_from(self.speaks_for())
    }

    /// Settles an outermost call that is over, and returns its receipt.
    #[inline]
    fn receipt_of(&mut self, verdict: Verdict) -> Receipt {
        let mut receipt = verdict.receipt();
        if let Some(failed) = self.settle_call() {
            receipt.set_failed(failed);
        }
        receipt
    }

    /// Ends a request that [`call_single`](crate::send::entry::call_single) has not got an answer to. If it has called nobody, asks
    /// everybody at the recipient in turn until somebody answers.
    #[inline(never)]
    fn ask_in_full<M: Request>(
        &mut self,
        verdict: Verdict,
        to: Recipient,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<M::Reply, SendError> {
        if verdict != Verdict::NotCalled {
            let failure = || self.world().waiting.failures.last();
            let error = (verdict == Verdict::Failed(())).then(failure).flatten();
            self.settle_call();
            return Err(unanswered(M::FACTS, to, error));
        }
        self.ask(M::FACTS, to, place, &mut Some(message))
    }

    /// Asks everybody at the recipient in turn until somebody answers. `R` is the reply type, or
    /// [`AnyReply`](crate::send::erased::AnyReply).
    #[inline(always)] // A part of each request in full: W3-two.
    fn ask<R: 'static>(
        &mut self,
        facts: &'static Facts,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn OwnedMessage,
    ) -> Result<R, SendError> {
        first_answer(facts, to, |replies| {
            self.deliver(facts, to, place, message, replies, OnBusy::Refuse)
        })
    }
}

/// Returns the first answer to a request, given the function that delivers it. `R` is the reply type, or
/// [`AnyReply`](crate::send::erased::AnyReply).
#[inline(always)] // A part of each request in full: W3-two.
pub(crate) fn first_answer<R: 'static>(
    facts: &'static Facts,
    to: Recipient,
    deliver: impl FnOnce(&mut Replies<'_>) -> Delivered,
) -> Result<R, SendError> {
    let (mut first, mut error) = (Unclaimed(None), None);
    deliver(&mut Replies::First(&mut first.0, &mut error)).result()?;
    let answer = first.0.take();
    answer.ok_or_else(|| unanswered(facts, to, error))
}

/// Returns the error of a request that nobody has answered.
#[cold]
pub(crate) fn unanswered(
    facts: &'static Facts,
    to: Recipient,
    error: Option<SharedError>,
) -> SendError {
    SendError::new(facts.name, to, SendErrorKind::NoAnswer { error })
}
