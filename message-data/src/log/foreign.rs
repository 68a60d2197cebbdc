//! Inputs that other crates add to those of a manager.

use std::any::{Any, TypeId};
use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use message_core::input::ForeignInput;
use message_core::registry::{Declared, Place, RegistryRow};
use message_core::{AnyMessage, MessageManager, Recipient, Sender};
use message_format::{DataError, Reader, Unknown, pack};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::log::input::Packed;
use crate::log::writing::Log;
use crate::messages;

/// An input that a crate adds to those of a manager, for what it does with one. Logs contain it, and a replay repeats
/// it.
///
/// [`logged_input!`](crate::logged_input!) makes it known to replays, and [`Logged`] passes it on before it runs.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Log, LogOptions, Logged, LoggedInput, Replay};
/// use serde::{Deserialize, Serialize};
/// use std::sync::atomic::{AtomicU32, Ordering};
///
/// static WIND: AtomicU32 = AtomicU32::new(0);
///
/// #[derive(Debug, Serialize, Deserialize)]
/// struct SetWind(u32);
///
/// impl LoggedInput for SetWind {
///     const NAME: &'static str = "docs.set_wind";
///     fn repeat(self, manager: &mut MessageManager) { set_wind(manager, self.0); }
/// }
///
/// message_data::logged_input!(SetWind);
///
/// fn set_wind(manager: &mut MessageManager, force: u32) {
///     manager.foreign_input(&Logged::new(&SetWind(force)));
///     WIND.store(force, Ordering::Relaxed);
/// }
///
/// let path = std::env::temp_dir().join(format!("docs-logged-{}.log", std::process::id()));
/// let mut manager = MessageManager::new();
/// Log::start(&mut manager, std::fs::File::create(&path)?, LogOptions::new())?;
/// set_wind(&mut manager, 7);
/// Log::stop(&mut manager)?;
///
/// WIND.store(0, Ordering::Relaxed);
/// Replay::open(&path)?.run()?;
/// assert_eq!(WIND.load(Ordering::Relaxed), 7);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait LoggedInput: Serialize + DeserializeOwned + fmt::Debug + 'static {
    /// The name of the input in logs. It begins with that of its crate.
    const NAME: &'static str;

    /// Repeats the input.
    fn repeat(self, manager: &mut MessageManager);
}

/// An input on its way to the sink of a manager.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Log, LogOptions, Logged, LoggedInput};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, Serialize, Deserialize)]
/// struct SetTide(u32);
///
/// impl LoggedInput for SetTide {
///     const NAME: &'static str = "docs.set_tide";
///     fn repeat(self, _: &mut MessageManager) { /* … */ }
/// }
///
/// let mut manager = MessageManager::new();
/// Log::start(&mut manager, std::io::sink(), LogOptions::new())?;
/// manager.foreign_input(&Logged::new(&SetTide(3)));
/// let report = Log::stop(&mut manager)?.expect("a log is being written");
/// assert_eq!(report.inputs, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Logged<'a, I> {
    input: &'a I,
    place: &'static Location<'static>,
}

impl<'a, I: LoggedInput> Logged<'a, I> {
    /// Returns an input to pass to [`foreign_input`](MessageManager::foreign_input). If it cannot be written, the log
    /// names the place of this call.
    #[track_caller]
    pub fn new(input: &'a I) -> Self {
        let place = Location::caller();
        Self { input, place }
    }
}

impl<I: LoggedInput> ForeignInput for Logged<'_, I> {
    fn pass_to(&self, sink: &mut dyn Any) {
        if let Some(log) = sink.downcast_mut::<Log>() {
            log.write_foreign(self.input, self.place);
        }
    }
}

/// Makes an input known to replays.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::LoggedInput;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, Serialize, Deserialize)]
/// struct Ebb;
///
/// impl LoggedInput for Ebb {
///     const NAME: &'static str = "docs.ebb";
///     fn repeat(self, _: &mut MessageManager) { /* … */ }
/// }
///
/// message_data::logged_input!(Ebb);
/// ```
#[macro_export]
macro_rules! logged_input {
    ($input:ty) => {
        $crate::__private::registry_row!(&$crate::InputRow::of::<$input>(
            $crate::__private::Place {
                file: $crate::__private::file!(),
                line: $crate::__private::line!(),
            }
        ));
    };
}

/// Repeats an input that was read.
pub(super) type Repeat = Box<dyn FnOnce(&mut MessageManager)>;

/// A type of inputs.
#[doc(hidden)]
#[derive(Debug)]
pub struct InputRow {
    subject: fn() -> TypeId,
    declared: Declared,
    read: fn(&mut Reader<'_>) -> Result<Repeat, DataError>,
}

impl InputRow {
    /// Describes a type.
    #[must_use]
    pub const fn of<I: LoggedInput>(place: Place) -> Self {
        Self {
            subject: TypeId::of::<I>,
            declared: Declared {
                name: I::NAME,
                place,
            },
            read: |reader| {
                let input: I = reader.read()?;
                Ok(Box::new(|manager| input.repeat(manager)))
            },
        }
    }

    /// Finds a type by its name.
    pub(super) fn find(name: &str) -> Result<&'static Self, DataError> {
        let row = message_core::registry_rows::<Self>().find(|row| row.declared.name == name);
        row.ok_or_else(|| DataError::new(format_args!("no input is called `{name}`")))
    }

    /// Reads an input of the type.
    pub(super) fn read(&self, bytes: &Packed) -> Result<Repeat, DataError> {
        let tape = pack::read_all(&bytes.0)?;
        (self.read)(&mut Reader::new(&tape, 0, Unknown::Refused))
    }
}

impl RegistryRow for InputRow {
    fn subject(&self) -> TypeId {
        (self.subject)()
    }

    fn declared(&self) -> Declared {
        self.declared
    }
}

/// A message in an input: the full name of its type, and its value.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{LoggedInput, LoggedMessage};
/// use serde::{Deserialize, Serialize};
///
/// /// A message comes in through a door of the crate.
/// #[derive(Debug, Serialize, Deserialize)]
/// struct Enter(LoggedMessage);
///
/// impl LoggedInput for Enter {
///     const NAME: &'static str = "docs.enter";
///     fn repeat(self, manager: &mut MessageManager) { drop(manager.send_any(Everyone, self.0.0)); }
/// }
/// ```
#[derive(Debug)]
pub struct LoggedMessage(pub Box<dyn AnyMessage>);

impl Serialize for LoggedMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (name, value) = messages::packed(&*self.0).map_err(S::Error::custom)?;
        (name, Packed(value)).serialize(serializer)
    }
}

impl<'d> Deserialize<'d> for LoggedMessage {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let (name, value) = <(String, Packed)>::deserialize(deserializer)?;
        let message = messages::unpacked(&name, &value.0);
        message.map(Self).map_err(D::Error::custom)
    }
}

/// Reports that a message to or from a messagee of another manager was not delivered. It becomes a
/// [`DeadLetter`](message_core::lifecycle::DeadLetter) with this reason, and a log repeats that.
///
/// ```
/// use message_core::lifecycle::DeadLetter;
/// use message_core::prelude::*;
/// use message_data::Data;
/// use serde::{Deserialize, Serialize};
/// use std::sync::mpsc;
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Postcard", exact)]
/// struct Postcard { words: u32 }
///
/// let mut manager = MessageManager::new();
/// let (log, lines) = mpsc::channel();
/// manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
///     let _ = log.send(letter.why.to_string());
/// });
/// let (island, postcard) = (manager.spawn(()), Box::new(Postcard { words: 9 }));
/// message_data::tell_undelivered(&mut manager, island, Sender::Outside, postcard, "no ship today");
/// assert_eq!(lines.recv()?, "no ship today");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics if a handler that is notified of the change panics, or if a handler panics while this call
/// settles what an earlier panic left pending; see [`settle`](MessageManager::settle).
#[track_caller]
pub fn tell_undelivered(
    manager: &mut MessageManager,
    to: impl Into<Recipient>,
    sender: Sender,
    message: Box<dyn AnyMessage>,
    why: impl Into<Arc<str>>,
) {
    let (to, why): (Recipient, Arc<str>) = (to.into(), why.into());
    let input = Undelivered {
        to,
        sender,
        message: LoggedMessage(message),
        why: why.to_string(),
    };
    manager.foreign_input(&Logged::new(&input));
    manager.report_undelivered(to, sender, input.message.0, why);
}

/// The input of [`tell_undelivered`].
#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct Undelivered {
    to: Recipient,
    sender: Sender,
    message: LoggedMessage,
    why: String,
}

crate::logged_input!(Undelivered);

impl LoggedInput for Undelivered {
    const NAME: &'static str = "message_data.undelivered";

    fn repeat(self, manager: &mut MessageManager) {
        tell_undelivered(manager, self.to, self.sender, self.message.0, self.why);
    }
}
