//! The message of a send and the place for its answers, whose types are not known.
//!
//! A [delivery](super::deliver) is compiled once for all message types: audience, interceptors,
//! subscribers, keeping, tracing. Only the [functions of a handler](crate::handler::run) know the types.

use std::any::Any;

use crate::address::MessageeId;
use crate::error::SharedError;
use crate::message::{AnyMessage, OwnedMessage};

/// A message that goes back to its lender. A clone of it is kept.
pub(crate) struct Lent<'a>(pub(crate) &'a mut dyn AnyMessage);

impl OwnedMessage for Lent<'_> {
    fn get(&mut self) -> &mut dyn AnyMessage {
        self.0
    }

    fn take(&mut self) -> Option<Box<dyn AnyMessage>> {
        self.0.try_clone()
    }
}

/// An answer whose type is not known.
pub(crate) struct AnyReply(pub(crate) Box<dyn Any>);

/// The policy for answers. `R` is the reply type of the message.
pub(crate) enum Replies<'a> {
    Ignore,
    /// Keep the first answer in an `Option<R>` or an `Option<AnyReply>` and stop there. Keep the error of the
    /// first handler that fails.
    First(&'a mut dyn Any, &'a mut Option<SharedError>),
    /// Keep all in a `Vec<(MessageeId, R)>`.
    All(&'a mut dyn Any),
}

impl Replies<'_> {
    /// Returns the same policy for a shorter time. Copies field by field: a load of the whole would wait for the stores
    /// of its parts.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Replies<'_> {
        match self {
            Self::Ignore => Replies::Ignore,
            Self::First(first, error) => Replies::First(*first, error),
            Self::All(all) => Replies::All(*all),
        }
    }

    /// Stores an answer.
    #[inline]
    pub(crate) fn take<R: 'static>(&mut self, owner: MessageeId, reply: R) {
        match self {
            Self::Ignore => {}
            Self::First(first, _) => {
                if let Some(first) = first.downcast_mut::<Option<R>>() {
                    *first = Some(reply);
                } else if let Some(first) = first.downcast_mut() {
                    *first = Some(AnyReply(Box::new(reply)));
                }
            }
            Self::All(all) => {
                if let Some(all) = all.downcast_mut::<Vec<(MessageeId, R)>>() {
                    all.push((owner, reply));
                }
            }
        }
    }
}
