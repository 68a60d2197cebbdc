//! Descriptions of types that can be written and read by name.

use std::any::{Any, TypeId};
use std::fmt;
use std::marker::PhantomData;

use message_core::internals::{AnyValues, Changes, Facts, Values};
use message_core::registry::{Declared, Place, RegistryRow};
use message_core::{AnyMessage, HookId, Message, MessageId, MessageeId, handler};
use message_format::tape::Tape;
use message_format::{DataError, Reader, Shape, Unknown, Upgrade, Writer, Written};
use serde::de::DeserializeOwned;
use serde::ser::Serialize;

use crate::buffer::Held;
use crate::declared::last_part;
use crate::scope::Scope;

/// A component or a message that can be written and read by name, by
/// [`#[derive(Data)]`](macro@crate::Data).
///
/// A type that is a [`Message`](trait@message_core::Message) is a message in files and saves, and any other type is a
/// component. serde's derives say how its fields are written:
///
/// ```
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[serde(default)] // A file gives the fields that differ from the default.
/// struct Mind { sight: u32, courage: u32 }
///
/// let mind: Mind = data::from_text("Mind(sight: 3)")?;
/// assert_eq!((mind.sight, mind.courage), (3, 0));
/// assert_eq!(data::find("Mind")?.name(), Mind::TYPE.name());
/// # Ok::<(), data::DataError>(())
/// ```
///
/// # Attributes
///
/// All in `#[data(…)]`:
///
/// | key | meaning |
/// |---|---|
/// | `name = "…"` | the full name, for saves; without it the type's path. The last part is the name in files |
/// | `alias = "…"` | another name that is read, such as an earlier one; as often as needed |
/// | `version = N` | the version of the fields, from 1; 1 without it |
/// | `upgrade = f` | what makes fields of an earlier version those of this one: `fn(&mut Upgrade) -> Result<(), DataError>` |
/// | `exact` | every field has to be given; without it, a struct with named fields has `#[serde(default)]` |
/// | `crate = path` | where to find this crate, when it is renamed or re-exported |
///
/// # Maps and sets
///
/// Hash maps and hash sets are written sorted. A set of another crate needs [`#[serde(serialize_with =
/// "data::sorted")]`](crate::sorted), because serde treats it as a list.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written and read by name",
    label = "has no data",
    note = "add `#[derive(Data, Serialize, Deserialize)]` to `{Self}`"
)]
pub trait Data: Serialize + DeserializeOwned + Send + 'static {
    /// The description of the type.
    const TYPE: &'static DataType;
}

/// The bound of a derived implementation of [`Data`]. Because of its lifetime, which has no other meaning, the compiler
/// checks it where the type is used, and reports one error of ours instead of several of serde's.
#[doc(hidden)]
pub trait Serde<'a>: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Serde<'_> for T {}

/// The description of a type that can be written and read by name.
///
/// ```
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[data(name = "zoo.Zebra", alias = "Horse", version = 3)]
/// #[serde(default)]
/// struct Zebra { stripes: u32 }
///
/// let zebra = data::find("Horse")?;
/// assert_eq!((zebra.name(), zebra.short_name(), zebra.version()), ("zoo.Zebra", "Zebra", 3));
/// assert!(!zebra.is_message());
/// # Ok::<(), data::DataError>(())
/// ```
#[derive(Debug)]
pub struct DataType {
    facts: DataFacts,
    type_id: fn() -> TypeId,
    pub(crate) kind: DataKind,
}

/// Converts the fields of an earlier version to those of the current version.
#[doc(hidden)]
pub type UpgradeFn = fn(&mut Upgrade) -> Result<(), DataError>;

/// The facts about a type that its derive provides.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct DataFacts {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub version: u32,
    pub upgrade: Option<UpgradeFn>,
    pub place: Place,
}

/// The kind of a type, with the functions that read and write its values.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub enum DataKind {
    Message(MessageData),
    Component(ComponentData),
}

impl fmt::Debug for DataKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Message(_) => "Message",
            Self::Component(_) => "Component",
        })
    }
}

#[doc(hidden)]
#[derive(Clone, Copy)]
#[allow(
    missing_debug_implementations,
    reason = "functions have nothing to show"
)]
pub struct MessageData {
    pub(crate) id: MessageId,
    pub(crate) facts: &'static Facts,
    pub(crate) read: fn(&mut Reader<'_>) -> Result<Box<dyn AnyMessage>, DataError>,
    /// Writes a message of the type.
    pub(crate) write: fn(&dyn AnyMessage, &mut Writer) -> Result<(), DataError>,
    pub(crate) hold: fn() -> Box<dyn Held>,
}

#[doc(hidden)]
#[derive(Clone, Copy)]
#[allow(
    missing_debug_implementations,
    reason = "functions have nothing to show"
)]
pub struct ComponentData {
    pub(crate) read: fn(&mut Reader<'_>) -> Result<Box<dyn Any + Send>, DataError>,
    pub(crate) attach: fn(&mut Changes<'_>, HookId, MessageeId, Box<dyn Any + Send>),
    /// Writes the component in a slot of the type's pool. An error if it is borrowed.
    pub(crate) write: fn(&dyn AnyValues, usize, &mut Writer) -> Result<(), DataError>,
    /// Writes a component.
    pub(crate) write_any: fn(&dyn Any, &mut Writer) -> Result<(), DataError>,
    /// Replaces the component in a slot. An error if it is borrowed.
    pub(crate) replace: fn(&dyn AnyValues, usize, Box<dyn Any + Send>) -> Written,
}

/// Distinguishes a message from a component for a type that is not generic: the constant of the type itself takes
/// precedence over that of the trait.
#[doc(hidden)]
#[derive(Debug)]
pub struct KindOf<T>(PhantomData<T>);

#[doc(hidden)]
pub trait OfComponent {
    type Type: Data;
    const KIND: DataKind = DataKind::Component(ComponentData {
        read: |reader| {
            let value: Self::Type = reader.read()?;
            Ok(Box::new(value))
        },
        attach: attach::<Self::Type>,
        write: write_component::<Self::Type>,
        write_any: |component, writer| {
            let component: &Self::Type = component.downcast_ref().expect(OF_ITS_TYPE);
            write_value(component, writer)
        },
        replace: |values, slot, component| {
            if let Ok(component) = component.downcast::<Self::Type>() {
                let place = Values::of(values).borrow::<handler::Exclusive>(slot);
                *place.ok_or_else(borrowed::<Self::Type>)? = *component;
            }
            Ok(())
        },
    });
}

impl<T: Data> OfComponent for KindOf<T> {
    type Type = T;
}

impl<M: Data + Message> KindOf<M> {
    pub const KIND: DataKind = DataKind::Message(MessageData {
        id: M::ID,
        facts: M::FACTS,
        read: |reader| {
            let message: M = reader.read()?;
            Ok(Box::new(message))
        },
        write: |message, writer| {
            let message: &M = message.downcast_ref().expect(OF_ITS_TYPE);
            message.serialize(writer)
        },
        hold: || Box::new(None::<M>),
    });
}

fn attach<C: Data>(
    changes: &mut Changes<'_>,
    hook: HookId,
    owner: MessageeId,
    component: Box<dyn Any + Send>,
) {
    let component: Box<C> = component
        .downcast()
        .unwrap_or_else(|_| unreachable!("{OF_ITS_TYPE}"));
    changes.attach(hook, owner, *component);
}

fn write_component<C: Data>(
    values: &dyn AnyValues,
    slot: usize,
    writer: &mut Writer,
) -> Result<(), DataError> {
    match Values::<C>::of(values).borrow::<handler::Shared>(slot) {
        Some(component) => write_value(&*component, writer),
        None => Err(borrowed::<C>()),
    }
}

fn borrowed<C: Data>() -> DataError {
    let name = C::TYPE.name();
    DataError::new(format_args!("a component of type `{name}` is borrowed"))
}

/// Compiled once for each type, although it is called from two places.
#[inline(never)]
fn write_value<C: Data>(component: &C, writer: &mut Writer) -> Result<(), DataError> {
    component.serialize(writer)
}

const OF_ITS_TYPE: &str = "a value is written and read by its own type's functions";

impl RegistryRow for DataType {
    fn subject(&self) -> TypeId {
        self.type_id()
    }

    fn declared(&self) -> Declared {
        Declared {
            name: self.name(),
            place: self.place(),
        }
    }
}

impl DataType {
    #[doc(hidden)]
    #[must_use]
    pub const fn of<T: Data>(facts: DataFacts, kind: DataKind) -> Self {
        Self {
            facts,
            type_id: TypeId::of::<T>,
            kind,
        }
    }

    /// Returns the description of a type. Unlike [`Data::TYPE`], it does not make the compiler report once more that
    /// the type lacks what [`Data`] requires.
    #[doc(hidden)]
    #[must_use]
    pub const fn described<T: Data>() -> &'static Self {
        T::TYPE
    }

    /// Returns the full name: the type's path, or what `#[data(name = "…")]` says.
    ///
    /// ```
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// #[data(name = "zoo.Lion")]
    /// struct Lion;
    ///
    /// assert_eq!(Lion::TYPE.name(), "zoo.Lion");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.facts.name
    }

    /// Returns the name in files: the last part of the full name.
    ///
    /// ```
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// struct Tiger;
    ///
    /// assert_eq!(Tiger::TYPE.short_name(), "Tiger");
    /// ```
    #[must_use]
    pub fn short_name(&self) -> &'static str {
        last_part(self.facts.name)
    }

    /// Returns the other names under which the type is read.
    ///
    /// ```
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// #[data(alias = "Cat", alias = "Kitten")]
    /// struct Panther;
    ///
    /// assert_eq!(Panther::TYPE.aliases(), ["Cat", "Kitten"]);
    /// ```
    #[must_use]
    pub fn aliases(&self) -> &'static [&'static str] {
        self.facts.aliases
    }

    /// Returns the version of the fields, from 1.
    ///
    /// ```
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// struct Owl;
    ///
    /// assert_eq!(Owl::TYPE.version(), 1);
    /// ```
    #[must_use]
    pub fn version(&self) -> u32 {
        self.facts.version
    }

    /// Returns the names of the fields, if the type is a struct with fields. Useful for a console or an editor.
    ///
    /// ```
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// #[data(name = "zoo.Otter", exact)]
    /// struct Otter { length: f32, fish: u32 }
    ///
    /// assert_eq!(Otter::TYPE.fields(), ["length", "fish"]);
    /// ```
    #[must_use]
    pub fn fields(&self) -> &'static [&'static str] {
        Scope::Asking.during(|| Shape::fields_of(&|reader| self.try_read(reader)))
    }

    /// Returns what the type reads from bytes: its fields and their types. Two programs can use it to find out
    /// whether one reads what the other writes.
    ///
    /// The shape is determined by reading, on each call: keep it if it is needed often. Values are made for that, and
    /// dropped.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(exact)]
    /// struct Bite { amount: u32, by: MessageeId, tags: Vec<String> }
    ///
    /// let shape = Bite::TYPE.shape();
    /// assert_eq!(shape.to_string(), "Bite(amount: u32, by: MessageeId, tags: [str])");
    /// ```
    #[must_use]
    pub fn shape(&self) -> Shape {
        Scope::Asking.during(|| Shape::of(&|reader| self.try_read(reader)))
    }

    /// Returns the place where the type is declared.
    ///
    /// ```
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// struct Raven;
    ///
    /// assert_eq!(Raven::TYPE.place().file, file!());
    /// ```
    #[must_use]
    pub fn place(&self) -> Place {
        self.facts.place
    }

    /// Returns `true` if the type is a message, and `false` if it is a component.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// struct Roar;
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// struct Mane;
    ///
    /// assert!(Roar::TYPE.is_message() && !Mane::TYPE.is_message());
    /// ```
    #[must_use]
    pub fn is_message(&self) -> bool {
        matches!(self.kind, DataKind::Message(_))
    }

    /// Returns how messages of the type are read and written, if it is a message type.
    pub(crate) fn message(&self) -> Option<MessageData> {
        match self.kind {
            DataKind::Message(data) => Some(data),
            DataKind::Component(_) => None,
        }
    }

    /// Returns how components of the type are read and written, if it is a component type.
    pub(crate) fn component(&self) -> Option<ComponentData> {
        match self.kind {
            DataKind::Component(data) => Some(data),
            DataKind::Message(_) => None,
        }
    }

    pub(crate) fn type_id(&self) -> TypeId {
        (self.type_id)()
    }

    /// Reads a value, and drops it.
    pub(crate) fn try_read(&self, reader: &mut Reader<'_>) -> Result<(), DataError> {
        match self.kind {
            DataKind::Message(data) => (data.read)(reader).map(drop),
            DataKind::Component(data) => (data.read)(reader).map(drop),
        }
    }

    #[cfg(feature = "files")]
    pub(crate) fn has_upgrade(&self) -> bool {
        self.facts.upgrade.is_some()
    }

    /// Converts the value of an earlier version to that of this one. Returns `None` if it is read as it is.
    pub(crate) fn upgraded_tape(
        &self,
        version: u32,
        tape: &Tape,
    ) -> Result<Option<Tape>, DataError> {
        let is_earlier = version < self.version();
        let Some(upgrade) = self.facts.upgrade.filter(|_| is_earlier) else {
            return Ok(None);
        };
        let mut fields = Upgrade::of_tape(version, tape, 0)?;
        upgrade(&mut fields)?;
        fields.into_tape().map(Some)
    }

    /// Reads a value that an earlier version of the type has written. Intended for tests of an upgrade.
    ///
    /// # Errors
    ///
    /// Returns the error of the upgrade, or an error if a field cannot be read.
    ///
    /// # Panics
    ///
    /// Panics if `T` is not this type.
    ///
    /// ```
    /// use message_data::{self as data, Data, Upgrade};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize, Default)]
    /// #[data(version = 2, upgrade = rename)]
    /// #[serde(default)]
    /// struct Hawk { height: u32 }
    ///
    /// fn rename(fields: &mut Upgrade) -> Result<(), data::DataError> {
    ///     fields.rename("altitude", "height");
    ///     Ok(())
    /// }
    ///
    /// let old = Upgrade::of_text(1, "(altitude: 300)")?;
    /// let hawk: Hawk = Hawk::TYPE.upgraded(old)?;
    /// assert_eq!(hawk.height, 300);
    /// # Ok::<(), data::DataError>(())
    /// ```
    pub fn upgraded<T: Data>(&self, mut fields: Upgrade) -> Result<T, DataError> {
        assert!(
            self.type_id() == TypeId::of::<T>(),
            "`{}` is not the type of `{}`",
            self.name(),
            T::TYPE.name()
        );
        if let Some(upgrade) = self.facts.upgrade {
            upgrade(&mut fields)?;
        }
        let tape = fields.into_tape()?;
        Reader::new(&tape, 0, Unknown::Noted).read()
    }
}
