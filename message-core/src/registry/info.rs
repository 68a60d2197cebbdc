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

/// Information about a message type in the registry.
///
/// ```
/// use message_core::prelude::*;
///
/// tag!(RADIO);
///
/// #[derive(Message, Debug)]
/// #[message(tags(RADIO))]
/// struct Shout;
///
/// let info = message_core::registry().message(Shout::ID).expect("it was linked in");
/// assert_eq!(info.name(), Shout::NAME);
/// assert!(info.tags().contains(RADIO));
/// ```
#[derive(Clone, Debug)]
pub struct MessageInfo {
    pub(crate) row: MessageRow,
    pub(crate) index: MessageIndex,
    /// `true` if the manager itself sends it.
    pub(crate) is_own: bool,
    pub(crate) handlers: Range<usize>,
}

impl MessageInfo {
    pub(crate) fn declared(&self) -> Declared {
        Declared {
            name: self.name(),
            place: self.row.place,
        }
    }

    /// Returns the name of the type: its path, or the name in `#[message(name = "…")]`.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(name = "sea.wave")]
    /// struct Wave;
    ///
    /// let wave = message_core::registry().message(Wave::ID).expect("it was linked in");
    /// assert_eq!(wave.name(), "sea.wave");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.row.facts.name
    }

    /// Returns the id of the type, the same in every build and on every machine.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(name = "sea.tide")]
    /// struct Tide;
    ///
    /// let tide = message_core::registry().message_named("sea.tide").expect("it was linked in");
    /// assert_eq!(tide.id(), Tide::ID);
    /// ```
    #[must_use]
    pub fn id(&self) -> MessageId {
        self.row.facts.id
    }

    /// Returns the dense index of the type in this process: its position among
    /// [`Registry::messages`](crate::Registry::messages).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Wave;
    ///
    /// let registry = message_core::registry();
    /// let wave = registry.message(Wave::ID).expect("it was linked in");
    /// let found = registry.messages().nth(wave.index().get());
    /// assert_eq!(found.map(|info| info.id()), Some(Wave::ID));
    /// ```
    #[must_use]
    pub fn index(&self) -> MessageIndex {
        self.index
    }

    /// Returns the place where the type is declared. For one that was added by hand, this is the place
    /// of the call of [`RegistryBuilder::message`](crate::RegistryBuilder::message), or that of one of
    /// its handlers.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Wave;
    ///
    /// let wave = message_core::registry().message(Wave::ID).expect("it was linked in");
    /// assert_eq!(wave.place().file, file!());
    /// ```
    #[must_use]
    pub fn place(&self) -> Place {
        self.row.place
    }

    /// Returns the tags in `#[message(tags(…))]`: those that every message of the type has.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// tag!(SEA, WEATHER);
    ///
    /// #[derive(Message)]
    /// #[message(tags(SEA, WEATHER))]
    /// struct Storm;
    ///
    /// let storm = message_core::registry().message(Storm::ID).expect("it was linked in");
    /// assert_eq!(storm.tags(), SEA | WEATHER);
    /// ```
    #[must_use]
    pub fn tags(&self) -> TagSet {
        self.row.tags.iter().copied().collect()
    }
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
        Declared {
            name: self.name,
            place: self.place,
        }
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
