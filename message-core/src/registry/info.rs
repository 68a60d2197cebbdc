//! The rows of the registry.

use std::fmt;
use std::ops::Range;

use crate::message::{Facts, MessageId, MessageIndex};
use crate::registry::error::Declared;
use crate::tag::{Tag, TagSet};

/// A place in the source: where something was declared.
///
/// ```
/// use message_core::registry::Place;
///
/// let place = Place { file: "ping.rs", line: 3 };
/// assert_eq!(place.to_string(), "ping.rs:3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file, as the compiler was given it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The facts about a message type that are known at compile time.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct MessageRow {
    pub facts: &'static Facts,
    pub place: Place,
    pub tags: &'static [Tag],
}

impl MessageRow {
    /// Returns the row of a message type whose tags are not known here.
    pub(crate) fn untagged(facts: &'static Facts, place: Place) -> Self {
        let tags = &[];
        Self { facts, place, tags }
    }

    pub(crate) fn declared(&self) -> Declared {
        let (name, place) = (self.facts.name, self.place);
        Declared { name, place }
    }
}

/// Information about a message type in the registry.
///
/// ```
/// use message_core::prelude::*;
///
/// tag!(RADIO);
///
/// #[derive(Message, Debug)]
/// #[message(name = "radio.shout", tags(RADIO))]
/// struct Shout;
///
/// let registry = message_core::registry();
/// let info = registry.message_named("radio.shout").expect("it was linked in");
/// assert_eq!((info.name, info.id), (Shout::NAME, Shout::ID));
/// assert_eq!(info.place.file, file!());
/// assert!(info.tags.contains(RADIO));
///
/// let found = registry.messages().nth(info.index.get());
/// assert_eq!(found.map(|info| info.id), Some(Shout::ID));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MessageInfo {
    /// The name of the type: its path, or the name in `#[message(name = "…")]`.
    pub name: &'static str,
    /// The id of the type, the same in every build and on every machine.
    pub id: MessageId,
    /// The dense index of the type in this process: its position among
    /// [`Registry::messages`](crate::Registry::messages).
    pub index: MessageIndex,
    /// The place where the type is declared. For one that was added by hand, this is the place of the call of
    /// [`RegistryBuilder::message`](crate::RegistryBuilder::message), or that of one of its handlers.
    pub place: Place,
    /// The tags in `#[message(tags(…))]`: those that every message of the type has.
    pub tags: TagSet,
    pub(crate) handlers: Range<usize>,
}

/// Information about a component type that has handlers.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// struct Ears;
///
/// #[handlers]
/// impl Ears {
///     #[on_receive(priority = 5)]
///     fn hear(&self, _: &Ping) {}
/// }
///
/// let mut components = message_core::registry().components();
/// let ears = components.find(|component| component.name.ends_with("Ears"));
/// assert!(ears.is_some_and(|ears| !ears.can_be_busy)); // No handler takes a context.
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComponentInfo {
    /// The name of the type: its path.
    pub name: &'static str,
    /// The place of the first of its handlers, by file and line.
    pub place: Place,
    pub(crate) index: u32,
    /// `true` if a handler of this type takes a [`Context`](crate::Context). If none does, no component of the
    /// type can be running while another message is sent, so it is never busy, and all of them are stored as
    /// one plain slice.
    pub can_be_busy: bool,
}

impl ComponentInfo {
    pub(crate) fn declared(&self) -> Declared {
        let (name, place) = (self.name, self.place);
        Declared { name, place }
    }
}

/// Information about one handler: one message type received by one component type.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// struct Ears;
///
/// #[handlers]
/// impl Ears {
///     #[on_receive(priority = 5)]
///     fn hear(&self, _: &Ping) {}
/// }
///
/// let mut handlers = message_core::registry().handlers_of(Ping::ID);
/// let hear = handlers.next().expect("it was linked in");
/// assert_eq!((hear.method, hear.priority), ("hear", 5));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HandlerInfo {
    /// The name of the component type.
    pub component: &'static str,
    pub(crate) component_index: u32,
    /// The name of the message type.
    pub message: &'static str,
    /// The name of the method.
    pub method: &'static str,
    /// The priority: `N` in `#[on_receive(priority = N)]`, else 0. Higher runs first.
    pub priority: i32,
    /// The place of the method in the source.
    pub place: Place,
}
