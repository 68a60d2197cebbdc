//! Values for another manager, as bytes and a list of the ids that occur in them.
//!
//! An id is meaningful only in its own manager. In the bytes, an id is therefore an index into the list, and whoever
//! carries the bytes translates the list.

use std::cell::RefCell;
use std::panic::Location;

use message_core::{AnyMessage, HookId, MessageeError, MessageeId, Structure};
use message_format::names::at_most;
use message_format::tape::Tape;
use message_format::{DataError, Packer, Reader, Unknown, pack};
use serde::de::DeserializeOwned;
use serde::ser::Serialize;

use crate::actor::Actor;
use crate::components::{Part, component_type, hook_part, pool_of};
use crate::data_type::{DataType, MessageData};
use crate::messages::{component_of, message_of, type_of};
use crate::scope::abroad as scope;

/// Writes a value for another manager, like [`to_bytes`](super::to_bytes). An id in it is written as its index in the
/// list. Ids that are not in the list yet are appended to it.
///
/// # Errors
///
/// Returns the errors of [`to_bytes`](super::to_bytes), except that ids of messagees can be written.
///
/// ```
/// use message_core::prelude::*;
/// use message_data as data;
///
/// let [mut here, mut there] = [MessageManager::new(), MessageManager::new()];
/// let [orc, proxy] = [here.spawn(()), there.spawn(())];
/// let mut ids = Vec::new();
/// let bytes = data::to_bytes_with_ids(&("by", orc), &mut ids)?;
/// assert_eq!(ids, [orc]);
/// let read: (String, MessageeId) = data::from_bytes_with_ids(&bytes, &[proxy])?;
/// assert_eq!(read, ("by".to_owned(), proxy));
/// # Ok::<(), data::DataError>(())
/// ```
pub fn to_bytes_with_ids<T: Serialize + ?Sized>(
    value: &T,
    ids: &mut Vec<MessageeId>,
) -> Result<Vec<u8>, DataError> {
    scope::listing(ids, || super::to_bytes(value))
}

/// Reads a value that [`to_bytes_with_ids`] has written, with these ids in place of those in its list.
///
/// # Errors
///
/// Returns the errors of [`from_bytes`](super::from_bytes), and an error if an index is not in the list.
///
/// ```
/// use message_core::prelude::*;
/// use message_data as data;
///
/// let error = data::from_bytes_with_ids::<MessageeId>(&[3], &[]).expect_err("there is none");
/// assert_eq!(error.to_string(), "byte 0: there is no id 3: 0 came with the value");
/// ```
pub fn from_bytes_with_ids<T: DeserializeOwned>(
    bytes: &[u8],
    ids: &[MessageeId],
) -> Result<T, DataError> {
    from_bytes_within(bytes, ids, &mut { usize::MAX })
}

/// Like [`from_bytes_with_ids`], but takes at most `memory` bytes of memory. What the value keeps of them is subtracted:
/// [`pack::read_within`](message_format::pack::read_within) says what is counted.
///
/// # Errors
///
/// Returns the errors of [`from_bytes_with_ids`], and an error with the place if the value takes more memory.
///
/// ```
/// use message_data as data;
///
/// let mut memory = 1000;
/// let read: [u64; 4] = data::from_bytes_within(&[0x94, 1, 2, 3, 4], &[], &mut memory)?;
/// assert_eq!((read, memory), ([1, 2, 3, 4], 1000 - 32));
/// # Ok::<(), data::DataError>(())
/// ```
pub fn from_bytes_within<T: DeserializeOwned>(
    bytes: &[u8],
    ids: &[MessageeId],
    memory: &mut usize,
) -> Result<T, DataError> {
    #[allow(
        clippy::redundant_closure_for_method_calls,
        reason = "the method by itself is of one lifetime"
    )]
    read_within(bytes, ids, memory, |reader| reader.read())
}

/// The largest tape that is kept for the next message, in bytes.
const SPARE: usize = 1 << 16;

thread_local! {
    /// The tape of the last message. Most messages are short, so a new tape would cost more than what is read onto it.
    static TAPE: RefCell<Tape> = RefCell::default();
}

/// Reads bytes of another manager with these ids and at most this memory.
pub(crate) fn read_within<T>(
    bytes: &[u8],
    ids: &[MessageeId],
    memory: &mut usize,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, DataError>,
) -> Result<T, DataError> {
    let read_onto = |tape: &mut Tape| {
        pack::read_within(bytes, tape, *memory)?;
        let mut reader = Reader::new(tape, 0, Unknown::Passed);
        let value = read(&mut reader)?;
        *memory -= reader.memory_taken();
        Ok(value)
    };
    // An error in what a peer has written costs no search for a name that may have been meant.
    at_most(0, || {
        scope::reading(ids, || {
            TAPE.with(|tape| {
                // It is in use if the code of a type that is being read reads another value.
                let Ok(mut tape) = tape.try_borrow_mut() else {
                    return read_onto(&mut Tape::default());
                };
                let value = read_onto(&mut tape);
                if tape.allocated() > SPARE {
                    *tape = Tape::default();
                }
                value
            })
        })
    })
}

/// Writes a message for another manager: see [`to_bytes_with_ids`]. [`DataType::read_message`] reads it.
///
/// # Errors
///
/// Returns an error if the type has no data, or the error of its `Serialize`.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Shove", exact)]
/// struct Shove { by: MessageeId }
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// let mut ids = Vec::new();
/// let bytes = data::message_to_bytes(&Shove { by: orc }, &mut ids)?;
/// let read = Shove::TYPE.read_message(&bytes, &ids)?;
/// assert_eq!(read.downcast_ref::<Shove>().map(|shove| shove.by), Some(orc));
/// # Ok::<(), data::DataError>(())
/// ```
pub fn message_to_bytes(
    message: &dyn AnyMessage,
    ids: &mut Vec<MessageeId>,
) -> Result<Vec<u8>, DataError> {
    let mut packer = Packer::default();
    pack_message(type_of(message)?, &[], message, ids, &mut packer)?;
    Ok(packer.into_bytes())
}

/// Writes a component for another manager: see [`to_bytes_with_ids`]. [`DataType::read_component`] reads it.
///
/// # Errors
///
/// Returns an error if the hook is gone or belongs to another manager, if the component is running, if the type has no
/// data, or the error of its `Serialize`.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize)]
/// #[data(name = "docs.Leash", exact)]
/// struct Leash { held_by: MessageeId }
///
/// let [mut here, mut there] = [MessageManager::new(), MessageManager::new()];
/// let owner = here.spawn(());
/// let dog = here.spawn((Leash { held_by: owner },));
/// let mut ids = Vec::new();
/// let hook = here.hook_of::<Leash>(dog)?;
/// let bytes = data::component_to_bytes(&here, hook, &mut ids)?;
/// assert_eq!(ids, [owner]);
///
/// let [owner, dog] = [there.spawn(()), there.spawn(())];
/// Leash::TYPE.read_component(&bytes, &[owner])?.hook(&mut there, dog)?;
/// assert_eq!(there.get::<Leash>(dog)?.held_by, owner);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn component_to_bytes(
    structure: &Structure,
    hook: HookId,
    ids: &mut Vec<MessageeId>,
) -> Result<Vec<u8>, DataError> {
    let (pool, slot) = pool_of(structure, hook)?;
    let write = component_of(component_type(structure, hook)?).write;
    let mut packer = Packer::default();
    scope::listing(ids, || {
        packer.write(|writer| write(pool.any_values(), slot, writer))
    })?;
    Ok(packer.into_bytes())
}

/// A component that was read and is not hooked yet. [`DataType::read_component`] returns it.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize)]
/// #[data(name = "docs.Bridle", exact)]
/// struct Bridle(u32);
///
/// let mut manager = MessageManager::new();
/// let horse = manager.spawn(());
/// let bridle = Bridle::TYPE.read_component(&[3], &[])?;
/// bridle.hook(&mut manager, horse)?;
/// assert_eq!(manager.get::<Bridle>(horse)?.0, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(missing_debug_implementations, reason = "its value need not have one")]
pub struct AnyComponent(Part);

impl AnyComponent {
    /// Hooks the component to a messagee.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Stirrup", exact)]
    /// struct Stirrup(u32);
    ///
    /// let mut manager = MessageManager::new();
    /// let horse = manager.spawn(());
    /// manager.despawn(horse)?;
    /// let stirrup = Stirrup::TYPE.read_component(&[1], &[])?;
    /// assert!(stirrup.hook(&mut manager, horse).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// In a handler, it is hooked when the outermost send returns, as by
    /// [`Context::hook`](message_core::Context::hook).
    ///
    /// # Errors
    ///
    /// Returns an error if the messagee is gone, is leaving, or is a proxy.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`settle`](message_core::MessageManager::settle), which is called first.
    #[track_caller]
    pub fn hook(self, actor: &mut impl Actor, id: MessageeId) -> Result<HookId, MessageeError> {
        hook_part(actor, id, self.0, Location::caller())
    }
}

/// The beginning of serde's error for a type that is not read from a list.
const NO_LIST: &str = "invalid type: sequence";

/// Like [`message_to_bytes`], but appends to a packer, and writes the message as a list of these fields if it is a
/// struct that writes exactly them. Returns `true` if it is written as a list.
///
/// # Errors
///
/// Returns the error of its `Serialize`. Nothing is appended then.
///
/// # Panics
///
/// Panics if the type is not that of a message.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data, Packer};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Tug", exact)]
/// struct Tug { by: u32 }
///
/// let (ty, mut ids, mut packer) = (Tug::TYPE, Vec::new(), Packer::default());
/// let fields = ty.fields_by_position();
/// assert!(data::pack_message(ty, fields, &Tug { by: 2 }, &mut ids, &mut packer)?);
/// assert_eq!(packer.bytes(), [0x91, 2]);
/// # Ok::<(), data::DataError>(())
/// ```
pub fn pack_message(
    ty: &'static DataType,
    fields: &'static [&'static str],
    message: &dyn AnyMessage,
    ids: &mut Vec<MessageeId>,
    packer: &mut Packer,
) -> Result<bool, DataError> {
    let write = message_of(ty).write;
    scope::listing(ids, || {
        packer.write_by_position(fields, |writer| write(message, writer))
    })
}

impl DataType {
    /// Reads a message of this type that [`message_to_bytes`] has written, with these ids in place of those in its
    /// list. Fields that the type does not have are passed over.
    ///
    /// # Errors
    ///
    /// Returns an error with the place if the bytes do not fit the type, and an error if the type is not a message.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Pull", exact)]
    /// struct Pull { force: u32 }
    ///
    /// let error = Pull::TYPE.read_message(&[0x80], &[]).expect_err("a map without entries");
    /// assert!(error.to_string().contains("force"), "{error}");
    /// ```
    pub fn read_message(
        &self,
        bytes: &[u8],
        ids: &[MessageeId],
    ) -> Result<Box<dyn AnyMessage>, DataError> {
        self.read_message_within(bytes, ids, &mut { usize::MAX })
    }

    /// Like [`read_message`](Self::read_message), but takes at most `memory` bytes of memory. What the message keeps of
    /// them is subtracted: [`pack::read_within`](message_format::pack::read_within) says what is counted.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`read_message`](Self::read_message), and an error with the place if the message takes more
    /// memory.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Waves", exact)]
    /// struct Waves { all: Vec<Wave> }
    ///
    /// #[derive(Serialize, Deserialize, Default)]
    /// #[serde(default)]
    /// struct Wave { heights: [u64; 32] }
    ///
    /// // Three empty maps, each of which becomes a wave.
    /// let bytes = [0x81, 0xa3, b'a', b'l', b'l', 0x93, 0x80, 0x80, 0x80];
    /// assert!(Waves::TYPE.read_message_within(&bytes, &[], &mut 2000).is_ok());
    /// let error = Waves::TYPE.read_message_within(&bytes, &[], &mut 1000);
    /// let error = error.expect_err("each of them counts 512 bytes");
    /// assert_eq!(
    ///     error.to_string(),
    ///     "byte 7: the value takes too much memory: expected at most 1000 bytes"
    /// );
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn read_message_within(
        &self,
        bytes: &[u8],
        ids: &[MessageeId],
        memory: &mut usize,
    ) -> Result<Box<dyn AnyMessage>, DataError> {
        let data = self.message_or_error()?;
        read_within(bytes, ids, memory, data.read)
    }

    pub(crate) fn message_or_error(&self) -> Result<MessageData, DataError> {
        self.message().ok_or_else(|| {
            let name = self.name();
            DataError::new(format_args!("`{name}` is a component: expected a message"))
        })
    }

    /// Reads a component of this type that [`component_to_bytes`] has written, with these ids in place of those in its
    /// list. Fields that the type does not have are passed over.
    ///
    /// # Errors
    ///
    /// Returns an error with the place if the bytes do not fit the type, and an error if the type is not a component.
    ///
    /// ```
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Collar", exact)]
    /// struct Collar { size: u32 }
    ///
    /// assert!(Collar::TYPE.read_component(&[0x81, 0xa4, b's', b'i', b'z', b'e', 3], &[]).is_ok());
    /// let error = Collar::TYPE.read_component(&[0x80], &[]).err().expect("a map without entries");
    /// assert!(error.to_string().contains("size"), "{error}");
    /// ```
    pub fn read_component(
        &self,
        bytes: &[u8],
        ids: &[MessageeId],
    ) -> Result<AnyComponent, DataError> {
        let Some(data) = self.component() else {
            return Err(DataError::new(format_args!(
                "`{}` is a message: expected a component",
                self.name()
            )));
        };
        let value = read_within(bytes, ids, &mut { usize::MAX }, data.read)?;
        Ok(AnyComponent(Part { data, value }))
    }

    /// Returns the names of the fields in the order in which a list of their values is read. Returns none if the type
    /// is not a struct with named fields, or is not read from a list.
    ///
    /// [`read_message`](Self::read_message) accepts such a list in place of fields with names. It means the same to
    /// two programs only if the [shapes](Self::shape) of their types are equal. A field with an alias appears here
    /// once for each name.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Haul", exact)]
    /// struct Haul { force: u32, steps: u32 }
    ///
    /// assert_eq!(Haul::TYPE.fields_by_position(), ["force", "steps"]);
    /// let haul = Haul::TYPE.read_message(&[0x92, 7, 2], &[])?;
    /// assert_eq!(haul.downcast_ref::<Haul>().map(|haul| haul.steps), Some(2));
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    #[must_use]
    pub fn fields_by_position(&self) -> &'static [&'static str] {
        if self.takes_a_list() {
            self.fields()
        } else {
            &[]
        }
    }

    /// Returns `true` if the type is read from a list. An empty list is then an error only if it is too short.
    fn takes_a_list(&self) -> bool {
        scope::reading(&[], || {
            let read = pack::read_all(&[0x90])
                .and_then(|tape| self.try_read(&mut Reader::new(&tape, 0, Unknown::Passed)));
            read.err()
                .is_none_or(|error| !error.what().starts_with(NO_LIST))
        })
    }

    /// Returns the id of the message type, or `None` for a component.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// struct Push;
    ///
    /// assert_eq!(Push::TYPE.message_id(), Some(Push::ID));
    /// ```
    #[must_use]
    pub fn message_id(&self) -> Option<message_core::MessageId> {
        self.message().map(|data| data.id)
    }
}
