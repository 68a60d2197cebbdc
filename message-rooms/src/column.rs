//! The messages of one type on their way to another room.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;

use message_core::registry::{Collected, Declared, Place, RegistryRow};
use message_core::{
    AnyMessage, Message, MessageId, Recipient, SendError, SpeakingFor, registry_rows,
};

/// Declares that messages of these types are cloned into other rooms, instead of being written as bytes and read
/// again.
///
/// A type must not contain ids, because ids mean nothing in another room. If the type has data and may contain ids, the
/// declaration has no effect: the message is written, and its ids are translated.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message, Clone)]
/// struct Thunder { loud: u32 }
///
/// message_rooms::carried!(Thunder);
/// ```
#[macro_export]
macro_rules! carried {
    ($($message:ty),+ $(,)?) => {$(
        $crate::__private::registry_row!(&$crate::CarriedRow::of::<$message>(
            $crate::__private::Place {
                file: $crate::__private::file!(),
                line: $crate::__private::line!(),
            }
        ));
    )+};
}

/// A type of messages that are cloned into other rooms.
#[doc(hidden)]
#[derive(Debug)]
pub struct CarriedRow {
    subject: fn() -> TypeId,
    declared: Declared,
    id: MessageId,
    column: fn() -> Box<dyn Column>,
}

impl CarriedRow {
    /// Describes a type.
    #[must_use]
    pub const fn of<M: Message + Clone>(place: Place) -> Self {
        Self {
            subject: TypeId::of::<M>,
            declared: Declared {
                name: M::NAME,
                place,
            },
            id: M::ID,
            column: || Box::new(Messages::<M>(Vec::new())),
        }
    }
}

impl RegistryRow for CarriedRow {
    fn subject(&self) -> TypeId {
        (self.subject)()
    }

    fn declared(&self) -> Declared {
        self.declared
    }
}

/// Returns an empty column for messages of a type, if they are carried typed.
pub(crate) fn column_for(id: MessageId) -> Option<Box<dyn Column>> {
    static TYPES: Collected<HashMap<MessageId, &'static CarriedRow>> = Collected::empty();
    let row = TYPES.get(collected).get(&id)?;
    Some((row.column)())
}

fn collected() -> HashMap<MessageId, &'static CarriedRow> {
    let rows = registry_rows::<CarriedRow>().filter(|row| {
        let data = message_data::types().find(|ty| ty.message_id() == Some(row.id));
        data.is_none_or(|ty| !ty.shape().may_have_ids())
    });
    rows.map(|row| (row.id, row)).collect()
}

/// The messages of one type in a passage.
pub(crate) trait Column: fmt::Debug + Send {
    /// Adds a clone of a message, and returns its place.
    fn push(&mut self, message: &dyn AnyMessage) -> u32;

    /// Adds a message, and returns its place.
    fn adopt(&mut self, message: Box<dyn AnyMessage>) -> u32;

    /// Takes a message out.
    fn take(&mut self, at: u32) -> Box<dyn AnyMessage>;

    /// Returns a clone of a message.
    fn copy(&self, at: u32) -> Box<dyn AnyMessage>;

    /// Takes a message out, and sends it. Returns a clone of it with the error.
    fn send(&mut self, at: u32, from: &mut SpeakingFor<'_>, to: Recipient) -> Result<(), Unsent>;

    /// Forgets all messages, and keeps the memory.
    fn clear(&mut self);
}

/// A message that was not sent, and why.
pub(crate) type Unsent = (SendError, Box<dyn AnyMessage>);

/// The messages, each until it is taken.
struct Messages<M>(Vec<Option<M>>);

/// Why a message is of the type of its column.
const OF_ITS_TYPE: &str = "a column is found by the type of the message";

/// Why a message is in its place.
const TAKEN_ONCE: &str = "each message of a passage is taken once";

impl<M: Message + Clone> Messages<M> {
    fn add(&mut self, message: M) -> u32 {
        let at = u32::try_from(self.0.len()).expect("fewer than 2^32 messages fit into memory");
        self.0.push(Some(message));
        at
    }

    fn remove(&mut self, at: u32) -> M {
        let message = self.0[at as usize].take();
        message.expect(TAKEN_ONCE)
    }
}

impl<M: Message + Clone> Column for Messages<M> {
    fn push(&mut self, message: &dyn AnyMessage) -> u32 {
        let message: &M = message.downcast_ref().expect(OF_ITS_TYPE);
        self.add(message.clone())
    }

    fn adopt(&mut self, message: Box<dyn AnyMessage>) -> u32 {
        let message = message.downcast::<M>().expect(OF_ITS_TYPE);
        self.add(*message)
    }

    fn take(&mut self, at: u32) -> Box<dyn AnyMessage> {
        Box::new(self.remove(at))
    }

    fn copy(&self, at: u32) -> Box<dyn AnyMessage> {
        let message = self.0[at as usize].as_ref();
        Box::new(message.expect(TAKEN_ONCE).clone())
    }

    fn send(&mut self, at: u32, from: &mut SpeakingFor<'_>, to: Recipient) -> Result<(), Unsent> {
        let message = self.remove(at);
        let spare = message.clone();
        match from.send(to, message) {
            Ok(_) => Ok(()),
            Err(error) => Err((error, Box::new(spare))),
        }
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

impl<M: Message> fmt::Debug for Messages<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.0.len(), M::NAME)
    }
}
