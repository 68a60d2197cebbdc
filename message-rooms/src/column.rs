//! The messages of one type on their way to another room.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;

use message_core::registry::{Collected, Declared, MessageIndex, Place, RegistryRow};
use message_core::{
    AnyMessage, Header, Message, MessageId, MessageManager, MessageeId, Recipient, SpeakingFor,
    registry, registry_rows,
};
use message_data::ask::{ASKS, Asked, FirstPanic, Told};
use message_data::{DataError, DataType, find, message_to_bytes, type_of};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::far::{Far, redirect};
use crate::gateway::local;
use crate::row::{CarriedHeader, Row, place};

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
    clone: fn(&dyn AnyMessage) -> Box<dyn AnyMessage>,
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
            clone: clone::<M>,
        }
    }
}

fn clone<M: Message + Clone>(message: &dyn AnyMessage) -> Box<dyn AnyMessage> {
    let message: &M = message.downcast_ref().expect(OF_ITS_TYPE);
    Box::new(message.clone())
}

impl RegistryRow for CarriedRow {
    fn subject(&self) -> TypeId {
        (self.subject)()
    }

    fn declared(&self) -> Declared {
        self.declared
    }
}

/// Returns the row of a type, if its messages are carried typed.
fn row(id: MessageId) -> Option<&'static CarriedRow> {
    static TYPES: Collected<HashMap<MessageId, &'static CarriedRow>> = Collected::empty();
    TYPES.get(collected).get(&id).copied()
}

/// Returns an empty column for messages of a type, if they are carried typed.
fn typed(id: MessageId) -> Option<Box<dyn Column>> {
    row(id).map(|row| (row.column)())
}

fn collected() -> HashMap<MessageId, &'static CarriedRow> {
    let rows = registry_rows::<CarriedRow>().filter(|row| {
        let data = message_data::types().find(|ty| ty.message_id() == Some(row.id));
        data.is_none_or(|ty| !ty.shape().may_have_ids())
    });
    rows.map(|row| (row.id, row)).collect()
}

/// Checks that a message can leave its room.
///
/// # Errors
///
/// Returns an error if it is not carried typed and cannot be written.
pub(crate) fn check(message: &dyn AnyMessage) -> Result<(), DataError> {
    match row(message.id()) {
        Some(_) => Ok(()),
        None => message_to_bytes(message, &mut Vec::new()).map(drop),
    }
}

/// Returns an empty column for messages of the type of this one.
///
/// # Errors
///
/// Returns an error if the type has no data, and is not carried typed or needs data nevertheless.
pub(crate) fn column_for(
    message: &dyn AnyMessage,
    needs_data: bool,
) -> Result<Box<dyn Column>, DataError> {
    let typed = typed(message.id());
    if needs_data || typed.is_none() {
        type_of(message)?;
    }
    Ok(typed.unwrap_or_else(|| Box::new(Messages::<Written>(Vec::new()))))
}

/// The messages of one type in a passage.
pub(crate) trait Column: Any + fmt::Debug + Send {
    /// Adds a message that leaves its room, and returns its place. `far_of` returns the address of a messagee of that
    /// room.
    ///
    /// # Errors
    ///
    /// Returns an error if the message or its header cannot be written.
    fn push(
        &mut self,
        message: &dyn AnyMessage,
        header: Option<&Header>,
        far_of: &dyn Fn(MessageeId) -> Far,
    ) -> Result<u32, DataError>;

    /// Moves a message to another column for its type, which is opened if need be, and returns its place there.
    fn move_to(&mut self, other: &mut Option<Box<dyn Column>>, at: u32) -> u32;

    /// Sends or posts the first messages of these rows that have the same type and sender, until one cannot be delivered
    /// or the sender ends. Counts each in `delivered` first, so that a panic repeats none.
    ///
    /// # Errors
    ///
    /// Returns the content of the last one that was counted, and why it was not delivered.
    fn send(
        &mut self,
        rows: &[Row],
        delivered: &mut usize,
        from: &mut SpeakingFor<'_>,
    ) -> Result<(), (String, Content)>;

    /// Replaces the addresses of messagees that have moved to another room.
    fn redirect(&mut self, moved: &HashMap<Far, Far>);

    /// Returns a copy of a message.
    fn get(&self, at: u32) -> (Content, Option<CarriedHeader>);

    /// Adds a message that was saved, and returns its place.
    fn put(&mut self, content: Content, header: Option<CarriedHeader>) -> u32;

    /// Forgets all messages, and keeps the memory.
    fn clear(&mut self);
}

/// The content of a message that is in no column.
#[derive(Debug)]
pub(crate) enum Content {
    Typed(Box<dyn AnyMessage>),
    Written(Written),
}

/// A message as bytes.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    of: &'static DataType,
    bytes: Vec<u8>,
    ids: Vec<Far>,
}

impl Clone for Content {
    fn clone(&self) -> Self {
        match self {
            Self::Typed(message) => {
                let row = row(message.id()).expect("only such messages are typed");
                Self::Typed((row.clone)(&**message))
            }
            Self::Written(written) => Self::Written(written.clone()),
        }
    }
}

impl Content {
    /// Takes a message that leaves its room. `far_of` returns the address of a messagee of that room.
    ///
    /// # Errors
    ///
    /// Returns an error if the message is not carried typed and cannot be written.
    pub(crate) fn of(
        message: Box<dyn AnyMessage>,
        far_of: &dyn Fn(MessageeId) -> Far,
    ) -> Result<Self, DataError> {
        match row(message.id()) {
            Some(_) => Ok(Self::Typed(message)),
            None => Written::of(&*message, far_of).map(Self::Written),
        }
    }

    /// Returns the message with the ids of a room. `local` returns them.
    ///
    /// # Errors
    ///
    /// Returns an error if the message cannot be read.
    pub(crate) fn read(
        self,
        local: impl FnMut(Far) -> MessageeId,
    ) -> Result<Box<dyn AnyMessage>, DataError> {
        match self {
            Self::Typed(message) => Ok(message),
            Self::Written(Written { of, bytes, ids }) => {
                let ids: Vec<MessageeId> = ids.into_iter().map(local).collect();
                of.read_message(&bytes, &ids)
            }
        }
    }

    /// Returns the addresses of the ids in the message.
    pub(crate) fn ids(&self) -> &[Far] {
        match self {
            Self::Typed(_) => &[],
            Self::Written(written) => &written.ids,
        }
    }

    /// Replaces the addresses of messagees that have moved to another room.
    pub(crate) fn redirect(&mut self, moved: &HashMap<Far, Far>) {
        if let Self::Written(written) = self {
            written.redirect(moved);
        }
    }

    /// Returns the number of the type of the message in this process, and an empty column for it.
    pub(crate) fn column(&self) -> Option<(MessageIndex, Box<dyn Column>)> {
        let (id, column): (_, Box<dyn Column>) = match self {
            Self::Typed(message) => (message.id(), typed(message.id())?),
            Self::Written(written) => (
                written.of.message_id()?,
                Box::new(Messages::<Written>(Vec::new())),
            ),
        };
        Some((registry().message(id)?.index, column))
    }
}

/// The full name of the type, and the message as bytes with the addresses in it. A message without data has its name only,
/// and cannot be read again.
type Saved = (String, Option<Vec<u8>>, Vec<Far>);

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Typed(message) => match type_of(&**message) {
                Ok(of) => {
                    let bytes = message_to_bytes(&**message, &mut Vec::new());
                    let bytes = bytes.map_err(S::Error::custom)?;
                    (of.name(), Some(bytes), [(); 0]).serialize(serializer)
                }
                Err(_) => (message.name(), None::<Vec<u8>>, [(); 0]).serialize(serializer),
            },
            Self::Written(Written { of, bytes, ids }) => {
                (of.name(), Some(bytes), ids).serialize(serializer)
            }
        }
    }
}

impl<'d> Deserialize<'d> for Content {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let (name, bytes, ids) = Saved::deserialize(deserializer)?;
        let of = find(&name).map_err(D::Error::custom)?;
        let no_data = || D::Error::custom(format_args!("`{name}` was saved without its data"));
        let bytes = bytes.ok_or_else(no_data)?;
        if of.message_id().and_then(row).is_none() {
            return Ok(Self::Written(Written { of, bytes, ids }));
        }
        let message = of.read_message(&bytes, &[]);
        message.map(Self::Typed).map_err(D::Error::custom)
    }
}

/// Why a message is not delivered.
pub(crate) type Refusal = Box<dyn std::error::Error>;

/// A message in a column: by value, or [`Written`].
trait Carried: Clone + Send + 'static {
    fn of(message: &dyn AnyMessage, far_of: &dyn Fn(MessageeId) -> Far) -> Result<Self, DataError>;

    fn into_content(self) -> Content;

    fn of_content(content: Content) -> Self;

    fn send(
        self,
        from: &mut SpeakingFor<'_>,
        to: Recipient,
        header: Option<&Header>,
    ) -> Result<(), Refusal>;

    fn redirect(&mut self, _: &HashMap<Far, Far>) {}
}

/// Why a message is of the type of its column.
const OF_ITS_TYPE: &str = "a column is found by the type of the message";

impl<M: Message + Clone> Carried for M {
    fn of(message: &dyn AnyMessage, _: &dyn Fn(MessageeId) -> Far) -> Result<Self, DataError> {
        let message: &M = message.downcast_ref().expect(OF_ITS_TYPE);
        Ok(message.clone())
    }

    fn into_content(self) -> Content {
        Content::Typed(Box::new(self))
    }

    fn of_content(content: Content) -> Self {
        match content {
            Content::Typed(message) => *message
                .downcast()
                .unwrap_or_else(|_| unreachable!("{OF_ITS_TYPE}")),
            Content::Written(_) => unreachable!("{OF_ITS_TYPE}"),
        }
    }

    fn send(
        self,
        from: &mut SpeakingFor<'_>,
        to: Recipient,
        header: Option<&Header>,
    ) -> Result<(), Refusal> {
        match header {
            None => drop(from.send(to, self)?),
            Some(header) => drop(from.post(header, self)?),
        }
        Ok(())
    }
}

impl Carried for Written {
    fn of(message: &dyn AnyMessage, far_of: &dyn Fn(MessageeId) -> Far) -> Result<Self, DataError> {
        let (of, mut ids) = (type_of(message)?, Vec::new());
        let bytes = message_to_bytes(message, &mut ids)?;
        let ids = ids.into_iter().map(far_of).collect();
        Ok(Self { of, bytes, ids })
    }

    fn into_content(self) -> Content {
        Content::Written(self)
    }

    fn of_content(content: Content) -> Self {
        match content {
            Content::Written(message) => message,
            Content::Typed(_) => unreachable!("{OF_ITS_TYPE}"),
        }
    }

    fn send(
        self,
        from: &mut SpeakingFor<'_>,
        to: Recipient,
        header: Option<&Header>,
    ) -> Result<(), Refusal> {
        let message = self.into_content().read(|far| local(from, far))?;
        let message = match message.downcast::<Asked>() {
            Ok(asked) => {
                answer(&asked, to, from);
                return Ok(());
            }
            Err(message) => message,
        };
        // Those who know that the messagee has asked tell it.
        let to = if message.is::<Told>() {
            ASKS.into()
        } else {
            to
        };
        match header {
            None => drop(from.send_any(to, message)?),
            Some(header) => drop(from.post_any(*header, message)?),
        }
        Ok(())
    }

    fn redirect(&mut self, moved: &HashMap<Far, Far>) {
        redirect(&mut self.ids, moved);
    }
}

/// Asks on behalf of a proxy, and sends the answer back, even if a handler panics.
fn answer(asked: &Asked, to: Recipient, from: &mut SpeakingFor<'_>) {
    let mut panic = FirstPanic::default();
    let answer = asked.answer(|message| panic.catch(|| from.request_any(to, message)));
    let here: &mut MessageManager = from;
    panic.catch(|| here.send(asked.answer_to, answer).map(drop));
    panic.resume();
}

/// A message, and its header if it has one.
struct Parcel<T>(T, Option<Box<CarriedHeader>>);

/// Why a message is there.
const TAKEN_ONCE: &str = "each message of a passage is taken once";

/// The messages, each until it is taken.
struct Messages<T>(Vec<Option<Parcel<T>>>);

impl<T> Messages<T> {
    fn add(&mut self, parcel: Parcel<T>) -> u32 {
        self.0.push(Some(parcel));
        place(self.0.len() - 1)
    }

    fn take(&mut self, at: u32) -> Parcel<T> {
        let parcel = self.0[at as usize].take();
        parcel.expect(TAKEN_ONCE)
    }
}

impl<T: Carried> Column for Messages<T> {
    fn push(
        &mut self,
        message: &dyn AnyMessage,
        header: Option<&Header>,
        far_of: &dyn Fn(MessageeId) -> Far,
    ) -> Result<u32, DataError> {
        let header = match header {
            Some(header) => Some(Box::new(CarriedHeader::of(header, far_of)?)),
            None => None,
        };
        Ok(self.add(Parcel(T::of(message, far_of)?, header)))
    }

    fn move_to(&mut self, other: &mut Option<Box<dyn Column>>, at: u32) -> u32 {
        let other = other.get_or_insert_with(|| Box::new(Self(Vec::new())));
        let other: &mut dyn Any = &mut **other;
        let other = other.downcast_mut::<Self>().expect(OF_ITS_TYPE);
        other.add(self.take(at))
    }

    fn send(
        &mut self,
        rows: &[Row],
        delivered: &mut usize,
        from: &mut SpeakingFor<'_>,
    ) -> Result<(), (String, Content)> {
        let sender = from.me();
        let alike = rows.iter().take_while(|row| row.continues(&rows[0]));
        for row in alike {
            // A handler may despawn the sender.
            if !from.is_alive(sender) {
                break;
            }
            *delivered += 1;
            let (Parcel(message, header), to) = (self.take(row.at), row.to.recipient(from));
            let spare = message.clone();
            let sent = match header {
                None => message.send(from, to, None),
                Some(header) => match header.read(to, from) {
                    Ok(header) => message.send(from, to, Some(&header)),
                    Err(error) => Err(error.into()),
                },
            };
            if let Err(error) = sent {
                let why = match to {
                    Recipient::Id(id) if !from.is_alive(id) => "the messagee has ended".to_owned(),
                    _ => error.to_string(),
                };
                return Err((why, spare.into_content()));
            }
        }
        Ok(())
    }

    fn redirect(&mut self, moved: &HashMap<Far, Far>) {
        for Parcel(message, header) in self.0.iter_mut().flatten() {
            message.redirect(moved);
            if let Some(header) = header {
                header.redirect(moved);
            }
        }
    }

    fn get(&self, at: u32) -> (Content, Option<CarriedHeader>) {
        let Parcel(message, header) = self.0[at as usize].as_ref().expect(TAKEN_ONCE);
        (message.clone().into_content(), header.as_deref().cloned())
    }

    fn put(&mut self, content: Content, header: Option<CarriedHeader>) -> u32 {
        self.add(Parcel(T::of_content(content), header.map(Box::new)))
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

impl<T> fmt::Debug for Messages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} messages", self.0.len())
    }
}
