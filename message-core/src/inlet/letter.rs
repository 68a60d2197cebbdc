//! The items in the channel: messages with everything that was given when they were posted.

use std::any::Any;
use std::panic::Location;

use crate::header::Header;
#[cfg(feature = "data")]
use crate::message::AnyMessage;
use crate::message::{Dispatch, Dispatcher, Held, Message};
use crate::trace::TraceId;

/// A message on its way in.
pub(crate) struct Letter<M> {
    pub(crate) header: Header,
    pub(crate) message: M,
    pub(crate) place: &'static Location<'static>,
    /// Its cause, if the posting thread named one.
    pub(crate) cause: Option<TraceId>,
}

/// A letter of any type.
pub(crate) type Sealed = Box<dyn AnyLetter>;

/// Takes in a message with its header, the place where it was posted, and its cause.
pub(crate) type TakeIn<'a> =
    dyn FnMut(&Header, &mut Held, &'static Location<'static>, Option<TraceId>) + 'a;

pub(crate) trait AnyLetter: Any + Send {
    /// Hands over the message, to be delivered or posted.
    fn open(self: Box<Self>, take_in: &mut TakeIn<'_>);

    /// Returns the contents that the log writes.
    #[cfg(feature = "data")]
    fn contents(&self) -> (&Header, &dyn AnyMessage, &'static Location<'static>);
}

impl<M: Message> AnyLetter for Letter<M> {
    fn open(self: Box<Self>, take_in: &mut TakeIn<'_>) {
        let Self {
            header,
            message,
            place,
            cause,
        } = *self;
        take_in(&header, Dispatcher::held(&mut Some(message)), place, cause);
    }

    #[cfg(feature = "data")]
    fn contents(&self) -> (&Header, &dyn AnyMessage, &'static Location<'static>) {
        (&self.header, &self.message, self.place)
    }
}

impl dyn AnyLetter {
    /// Returns the message of a letter that was not sent.
    pub(super) fn into_message<M: Message>(self: Box<Self>) -> M {
        let letter: Box<dyn Any> = self;
        let letter = letter.downcast::<Letter<M>>();
        letter
            .expect("a letter comes back as it was handed in")
            .message
    }
}
