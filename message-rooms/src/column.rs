//! The messages of one type on their way to another room, if their type is carried by value.

use std::any::TypeId;
use std::collections::HashMap;

use message_core::registry::{Collected, Declared, Place, RegistryRow};
use message_core::{AnyMessage, Message, MessageId, SpeakingFor, registry_rows};

use message_data::ask::FirstPanic;

use crate::passage::{Refusal, Row, deliver_run};

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
    clone: fn(&dyn AnyMessage) -> Option<Box<dyn AnyMessage>>,
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
            column: || Box::new(Vec::<M>::new()),
            clone: |message| Some(Box::new(message.downcast_ref::<M>()?.clone())),
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

/// Returns the row of a type, if its messages are carried by value.
fn row(id: MessageId) -> Option<&'static CarriedRow> {
    static TYPES: Collected<HashMap<MessageId, &'static CarriedRow>> = Collected::empty();
    TYPES.get(collected).get(&id).copied()
}

fn collected() -> HashMap<MessageId, &'static CarriedRow> {
    let rows = registry_rows::<CarriedRow>().filter(|row| {
        let data = message_data::types().find(|ty| ty.message_id() == Some(row.id));
        data.is_none_or(|ty| !ty.shape().may_have_ids())
    });
    rows.map(|row| (row.id, row)).collect()
}

/// Returns a clone of a message, if its type is carried by value.
pub(crate) fn cloned(message: &dyn AnyMessage) -> Option<Box<dyn AnyMessage>> {
    (row(message.id())?.clone)(message)
}

/// Returns an empty column for messages of a type, if it is carried by value.
pub(crate) fn column_of(id: MessageId) -> Option<Box<dyn Column>> {
    row(id).map(|row| (row.column)())
}

/// The messages of one type in a passage.
pub(crate) trait Column: Send {
    /// Adds a clone of a message and returns its place. Returns `None` if the message has another type.
    fn push(&mut self, message: &dyn AnyMessage) -> Option<usize>;

    /// Returns a clone of a message.
    fn get(&self, at: usize) -> Box<dyn AnyMessage>;

    /// Delivers the messages of a run: see [`deliver_run`].
    fn deliver(
        &self,
        rows: &[Row],
        delivered: &mut usize,
        from: &mut SpeakingFor<'_>,
    ) -> Result<(), Refusal>;

    /// Drops all messages, and keeps the memory.
    fn clear(&mut self, panic: &mut FirstPanic);
}

impl<M: Message + Clone> Column for Vec<M> {
    fn push(&mut self, message: &dyn AnyMessage) -> Option<usize> {
        let message: &M = message.downcast_ref()?;
        self.push(message.clone());
        Some(self.len() - 1)
    }

    fn get(&self, at: usize) -> Box<dyn AnyMessage> {
        Box::new(self[at].clone())
    }

    fn deliver(
        &self,
        rows: &[Row],
        delivered: &mut usize,
        from: &mut SpeakingFor<'_>,
    ) -> Result<(), Refusal> {
        deliver_run(rows, delivered, from, |from, at, to, header| {
            let message = self[at].clone();
            match header {
                None => drop(from.send(to, message)?),
                Some(header) => drop(from.post(&header, message)?),
            }
            Ok(())
        })
    }

    fn clear(&mut self, panic: &mut FirstPanic) {
        panic.drop_each(self.drain(..));
    }
}
