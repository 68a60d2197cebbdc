//! What lies in the channel: a message, and all that was said when it was posted.

use std::any::Any;
use std::panic::Location;

use crate::header::Header;
#[cfg(feature = "data")]
use crate::message::AnyMessage;
use crate::message::Message;
use crate::trace::TraceId;
use crate::world::World;

/// A message on its way in.
pub(crate) struct Letter<M> {
    pub(crate) header: Header,
    pub(crate) message: M,
    pub(crate) place: &'static Location<'static>,
    /// Its cause, if the posting thread named one.
    pub(crate) cause: Option<TraceId>,
}

/// A letter of whatever type.
pub(crate) type Sealed = Box<dyn AnyLetter>;

pub(crate) trait AnyLetter: Any + Send {
    /// Delivers or posts the message.
    fn open(self: Box<Self>, world: &World);

    /// What the log writes of it.
    #[cfg(feature = "data")]
    fn contents(&self) -> (&Header, &dyn AnyMessage, &'static Location<'static>);
}

impl<M: Message> AnyLetter for Letter<M> {
    fn open(self: Box<Self>, world: &World) {
        let Self {
            header,
            message,
            place,
            cause,
        } = *self;
        world.take_in(&header, &mut Some(message), place, cause);
    }

    #[cfg(feature = "data")]
    fn contents(&self) -> (&Header, &dyn AnyMessage, &'static Location<'static>) {
        (&self.header, &self.message, self.place)
    }
}

impl dyn AnyLetter {
    /// The message of a letter that was not sent.
    pub(super) fn into_message<M: Message>(self: Box<Self>) -> M {
        let letter: Box<dyn Any> = self;
        let letter = letter.downcast::<Letter<M>>();
        letter
            .expect("a letter comes back as it was handed in")
            .message
    }
}
