//! What lies in the channel: a message, and all that was said when it was posted.

use std::any::Any;
use std::panic::Location;
use std::sync::{Arc, Mutex, PoisonError};

use crate::caught::FirstPanic;
use crate::message::Message;
use crate::post::Header;
use crate::trace::TraceId;
use crate::world::World;

/// A message on its way in.
pub(crate) struct Letter<M> {
    pub(crate) header: Header,
    pub(crate) message: M,
    pub(crate) place: &'static Location<'static>,
    /// What led to it, if whoever posted it has said so.
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

/// What a panic says of letters that are dropped where they lie.
pub(super) type Dropping = Arc<Mutex<FirstPanic>>;

/// A letter in the channel. If it is dropped there, a panic of its message is caught, since the channel
/// would forget all that lies behind it.
pub(super) struct Lying {
    letter: Option<Sealed>,
    dropping: Dropping,
}

impl Lying {
    pub(super) fn new(letter: Sealed, dropping: &Dropping) -> Self {
        Self {
            letter: Some(letter),
            dropping: Arc::clone(dropping),
        }
    }

    pub(super) fn take(mut self) -> Sealed {
        let letter = self.letter.take();
        letter.expect("a letter is taken out once")
    }
}

impl Drop for Lying {
    fn drop(&mut self) {
        if let Some(letter) = self.letter.take() {
            let mut panics = FirstPanic::default();
            panics.catch(|| drop(letter));
            let dropping = self.dropping.lock();
            dropping.unwrap_or_else(PoisonError::into_inner).add(panics);
        }
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
