//! The errors of publishing a registry, or of making a manager.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;

use crate::identity::Identity;
use crate::message::MessageId;
use crate::registry::info::Place;

/// A type in an error: its name and where it is declared.
///
/// ```
/// use message_core::registry::{Declared, Place};
///
/// let declared = Declared { name: "game.ping", place: Place { file: "ping.rs", line: 3 } };
/// assert_eq!(declared.to_string(), "`game.ping` at ping.rs:3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Declared {
    /// The name of the type.
    pub name: &'static str,
    /// The place of its declaration.
    pub place: Place,
}

impl fmt::Display for Declared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` at {}", self.name, self.place)
    }
}

/// The reason why the registry of this process could not be published, or a manager could not be made.
/// Found before any message is sent.
///
/// ```
/// use message_core::{Registry, RegistryError};
/// use message_core::prelude::*;
///
/// // The registry is published by its first use; what comes later is an error.
/// message_core::registry();
/// let late = Registry::builder().publish();
/// assert!(matches!(late, Err(RegistryError::AlreadyPublished)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// Message types share an id; every pair is listed.
    #[error("{}", lines(.0, duplicate))]
    DuplicateIds(Vec<(MessageId, Declared, Declared)>),
    /// [`RegistryBuilder::publish`](crate::RegistryBuilder::publish) came after the registry was
    /// already published, by an earlier call or by the first use of it.
    #[error(
        "the registry is already published: register by hand before the first manager is made \
         and before the first call of `registry()`"
    )]
    AlreadyPublished,
    /// The handlers of a message type cannot be ordered: what `#[on_receive]` says of them by
    /// `before`, `after` and `priority` is a circle.
    #[error("{}", contradiction(.message, .circle))]
    ContradictoryOrder {
        /// The name of the message type.
        message: &'static str,
        /// The handlers of the circle: each is declared to run before the next, and the last before the
        /// first.
        circle: Vec<OrderStep>,
    },
    /// Two [rows](crate::registry::RegistryRow) of a type, such as two types with data, have one name, or a component type that would [extend](crate::extend_registry())
    /// the registry has the name of another. Every pair is listed, the one that was there first.
    #[error("{}", lines(.0, same_name))]
    DuplicateNames(Vec<(Declared, Declared)>),
    /// A handler that would [extend](crate::extend_registry()) the registry takes a context, and the
    /// other handlers of its component type take none: components of it may be stored as such already.
    #[error(
        "a handler that takes a context was added to {0}, whose other handlers take none; register \
         it with `Registry::builder()` before the first manager is made"
    )]
    ContextTooLate(Declared),
    /// There would be more component types than a process can have.
    #[error(
        "the registry cannot be extended: {MOST_COMPONENTS} component types are the limit of a process"
    )]
    TooManyComponents,
    /// The process has reached its limit of managers that are alive. Only
    /// [`MessageManager::try_new`](crate::MessageManager::try_new) returns this; it succeeds again when
    /// a manager is dropped.
    #[error(
        "no manager can be made: {} managers are alive, which is the limit of a process; drop \
         one first",
        Identity::MOST
    )]
    TooManyManagers,
}

/// Component types are counted in 16 bits.
pub(crate) const MOST_COMPONENTS: usize = 1 << 16;

/// A handler in a circle of handlers that cannot be ordered.
///
/// ```
/// use message_core::RegistryError;
///
/// /// The places to look at, for an editor.
/// fn places(error: &RegistryError) -> Vec<String> {
///     match error {
///         RegistryError::ContradictoryOrder { circle, .. } => {
///             circle.iter().map(|step| format!("{}: {}", step.place, step.component)).collect()
///         }
///         _ => Vec::new(),
///     }
/// }
/// # assert!(message_core::try_registry().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderStep {
    /// The name of its component type.
    pub component: &'static str,
    /// Its priority.
    pub priority: i32,
    /// Its place in the source.
    pub place: Place,
}

fn contradiction(message: &str, circle: &[OrderStep]) -> String {
    let step = |step: &OrderStep| format!("`{}` at {}", step.component, step.place);
    let mut steps = circle.iter().map(step);
    let first = steps.next().unwrap_or_default();
    let mut later: Vec<String> = steps.collect();
    let why = match circle {
        [low, high] if low.priority < high.priority => format!(
            ", which runs first because its priority is higher ({} and {}); give them the same priority, or \
             remove the `before` or `after`",
            high.priority, low.priority
        ),
        _ => {
            later.extend(circle.first().map(|step| format!("`{}`", step.component)));
            "; remove one `before` or `after`".to_owned()
        }
    };
    let later = later.join(", which is declared to run before ");
    format!(
        "the handlers of `{message}` cannot be ordered: {first} is declared to run before {later}{why}"
    )
}

fn lines<T>(all: &[T], line: fn(&T) -> String) -> String {
    let lines: Vec<String> = all.iter().map(line).collect();
    lines.join("\n")
}

fn same_name((first, second): &(Declared, Declared)) -> String {
    format!(
        "two types are called `{}`: at {}, and at {}; rename one of them, or its crate",
        first.name, first.place, second.place
    )
}

fn duplicate((id, first, second): &(MessageId, Declared, Declared)) -> String {
    format!(
        "two message types have the id {id}: {first}, and {second}; \
         give one of them a name of its own with `#[message(name = \"…\")]`"
    )
}

/// Returns the pairs of places with the same key: the first place, and one behind it.
pub(crate) fn pairs_of_same<K: Eq + Hash>(
    keys: impl Iterator<Item = K>,
) -> impl Iterator<Item = (usize, usize)> {
    let mut first_of = HashMap::new();
    keys.enumerate().filter_map(move |(at, key)| {
        let first = *first_of.entry(key).or_insert(at);
        (first != at).then_some((first, at))
    })
}
