//! What lies in the channel: a message, and all that was said when it was posted.

use std::any::Any;
use std::panic::Location;

use crate::message::Message;
use crate::post::Header;
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
}

impl<M: Message> AnyLetter for Letter<M> {
    fn open(self: Box<Self>, world: &World) {
        world.take_in(*self);
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
