//! Errors of saving and restoring, and notes on what was passed over.

use std::fmt;
use std::time::Duration;

use message_core::RegistryError;
use message_format::DataError;

/// Why a manager was not [saved](crate::save).
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, SaveError, SaveOptions};
///
/// struct Handle;
///
/// let mut manager = MessageManager::new();
/// manager.spawn((Handle,));
/// let Err(SaveError::NoData { types }) = data::save(&mut manager, &SaveOptions::new()) else {
///     panic!("a type without data is an error");
/// };
/// assert_eq!(types[0].components, 1);
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// There is something whose type cannot be written.
    #[error(
        "{}; add `#[derive(Data, Serialize, Deserialize)]`, or leave them out by `SaveOptions::leave_out`",
        listed(types)
    )]
    NoData {
        /// All of these types.
        types: Vec<Unsaved>,
    },
    /// A messagee overhears by a filter with a predicate, which is a closure.
    #[error(
        "{count} messagees overhear by a filter with a predicate, which cannot be saved: end these subscriptions first"
    )]
    Predicates {
        /// The number of these subscriptions.
        count: usize,
    },
    /// A value could not be written: it is borrowed, or contains an id of another manager.
    #[error("`{name}` cannot be saved: {error}")]
    Value {
        /// The type of the value.
        name: String,
        /// The error.
        error: DataError,
    },
}

impl SaveError {
    /// Returns the function that makes the error of a value with this name.
    pub(super) fn of(name: &str) -> impl Fn(DataError) -> Self {
        move |error| Self::Value {
            name: name.to_owned(),
            error,
        }
    }
}

/// How much was found of a type without data.
///
/// ```
/// use message_data::Unsaved;
///
/// let mut unsaved = Unsaved::default();
/// (unsaved.name, unsaved.components, unsaved.posts) = ("Socket", 2, 1);
/// assert_eq!(unsaved.to_string(), "`Socket` (2 components, 1 pending)");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unsaved {
    /// The name of the type.
    pub name: &'static str,
    /// The number of components of the type.
    pub components: usize,
    /// The number of pending messages of the type.
    pub posts: usize,
    /// The number of retained messages of the type.
    pub retained: usize,
    /// The number of messages of the type in mailboxes.
    pub published: usize,
}

impl fmt::Display for Unsaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` (", self.name)?;
        let counts = [
            (self.components, "components"),
            (self.posts, "pending"),
            (self.retained, "retained"),
            (self.published, "published"),
        ];
        let there = counts.iter().filter(|(count, _)| *count > 0);
        for (at, (count, what)) in there.enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            let what = match count {
                1 => what.strip_suffix('s').unwrap_or(what),
                _ => what,
            };
            write!(f, "{comma}{count} {what}")?;
        }
        f.write_str(")")
    }
}

fn listed(types: &[Unsaved]) -> String {
    let all: Vec<String> = types.iter().map(Unsaved::to_string).collect();
    let how_many = match types.len() {
        1 => "a type has no data".to_owned(),
        count => format!("{count} types have no data"),
    };
    format!("{how_many}: {}", all.join(", "))
}

/// Why a save was not [restored](crate::restore). Nothing was created.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, RestoreError};
///
/// let error = data::restore(b"something else", ManagerConfig::new());
/// assert!(matches!(error, Err(RestoreError::NotASave)));
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The bytes do not begin like a save.
    #[error("this is not a save: it does not begin like one")]
    NotASave,
    /// The save was written in a newer format.
    #[error(
        "the save has format {found}, but this program knows formats up to {known}: use a newer program"
    )]
    NewerFormat {
        /// The format of the save.
        found: u32,
        /// The newest known format.
        known: u32,
    },
    /// The save has a newer version of a type than the program.
    #[error("the save has version {found} of `{name}`, but this program has version {known}")]
    NewerType {
        /// The name of the type.
        name: String,
        /// The version in the save.
        found: u32,
        /// The version in the program.
        known: u32,
    },
    /// Something in the save is wrong.
    #[error("byte {offset}: {what}")]
    Wrong {
        /// The place: the number of bytes before it.
        offset: usize,
        /// A description of the error.
        what: String,
    },
    /// No manager can be created.
    #[error(transparent)]
    Registry(#[from] &'static RegistryError),
}

impl RestoreError {
    #[cold]
    pub(super) fn at(offset: usize, what: impl Into<String>) -> Self {
        let what = what.into();
        Self::Wrong { offset, what }
    }
}

/// Something in a save that was passed over, or that is no longer as it was saved.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data, RestoreNote, SaveOptions};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[data(name = "notes.Clockwork")]
/// #[serde(default)]
/// struct Clockwork { ticks: u32 }
///
/// let mut manager = MessageManager::new();
/// manager.spawn((Clockwork { ticks: 1 },));
/// let bytes = data::save(&mut manager, &SaveOptions::new())?;
/// let other = ManagerConfig::new().fixed_step(std::time::Duration::from_millis(5));
/// let restored = data::restore(&bytes, other)?;
/// assert!(matches!(restored.notes[..], [RestoreNote::OtherFixedStep { .. }]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RestoreNote {
    /// The program has no type with data of that name. Its components, with their hooks, and its messages are
    /// missing.
    UnknownType {
        /// The name in the save.
        name: String,
        /// The number of components passed over.
        components: usize,
        /// The number of messages passed over.
        messages: usize,
    },
    /// A type lacks a field that the save has.
    UnknownField {
        /// The name of the type.
        name: &'static str,
        /// The field.
        what: String,
        /// How often it was passed over.
        times: usize,
    },
    /// A part of the save is unknown.
    UnknownChunk {
        /// Its tag.
        tag: String,
    },
    /// The configuration has another fixed step than the manager that was saved.
    OtherFixedStep {
        /// The fixed step of the save.
        saved: Duration,
        /// The fixed step of the configuration, which is used.
        configured: Duration,
    },
}

impl fmt::Display for RestoreNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownType {
                name,
                components,
                messages,
            } => write!(
                f,
                "`{name}` is unknown: {components} components and {messages} messages were left out"
            ),
            Self::UnknownField { name, what, times } => {
                write!(f, "`{name}`: {what}; skipped {times} times")
            }
            Self::UnknownChunk { tag } => write!(f, "the chunk `{tag}` is unknown"),
            Self::OtherFixedStep { saved, configured } => {
                write!(f, "the fixed step was {saved:?} and is now {configured:?}")
            }
        }
    }
}
