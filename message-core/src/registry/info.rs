//! The rows of the registry.

use std::fmt;
use std::ops::Range;

use crate::message::{MessageId, MessageIndex};
use crate::tag::TagSet;

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

/// What the registry knows of a message type.
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
/// assert!(info.has_debug() && !info.has_clone());
/// assert!(info.tags().contains(RADIO));
/// ```
#[derive(Clone, Debug)]
pub struct MessageInfo {
    pub(crate) name: &'static str,
    pub(crate) id: MessageId,
    pub(crate) index: MessageIndex,
    pub(crate) place: Place,
    pub(crate) tags: TagSet,
    pub(crate) has_debug: bool,
    pub(crate) has_clone: bool,
    pub(crate) handlers: Range<usize>,
}

impl MessageInfo {
    /// Returns the name of the type.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the id of the type, the same in every build and on every machine.
    #[must_use]
    pub fn id(&self) -> MessageId {
        self.id
    }

    /// Returns the dense index of the type in this process.
    #[must_use]
    pub fn index(&self) -> MessageIndex {
        self.index
    }

    /// Where the type is declared.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// Returns the tags in `#[message(tags(…))]`: those that every message of the type has.
    #[must_use]
    pub fn tags(&self) -> TagSet {
        self.tags
    }

    /// Returns `true` if the type is `Debug`, as far as the derive could see.
    #[must_use]
    pub fn has_debug(&self) -> bool {
        self.has_debug
    }

    /// Returns `true` if the type is `Clone`, as far as the derive could see.
    #[must_use]
    pub fn has_clone(&self) -> bool {
        self.has_clone
    }
}

/// What the registry knows of a component type that has handlers.
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
/// let ears = components.find(|component| component.name().ends_with("Ears"));
/// assert!(ears.is_some_and(|ears| !ears.can_be_busy())); // No handler takes a context.
/// ```
#[derive(Clone, Debug)]
pub struct ComponentInfo {
    pub(crate) name: &'static str,
    pub(crate) index: u32,
    pub(crate) place: Place,
    /// `true` if a handler of this type takes a `Context`, so that the component can be busy.
    pub(crate) can_be_busy: bool,
}

impl ComponentInfo {
    /// Returns the name of the type: its path.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Where the first of its handlers stands.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// Returns `true` if a handler of this type takes a [`Context`](crate::Context). If none does,
    /// no component of the type can be running while another message is sent, so it is never busy,
    /// and all of them are stored as one plain slice.
    #[must_use]
    pub fn can_be_busy(&self) -> bool {
        self.can_be_busy
    }
}

/// What the registry knows of one handler: one message type received by one component type.
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
/// assert_eq!((hear.method(), hear.priority()), ("hear", 5));
/// ```
#[derive(Clone, Debug)]
pub struct HandlerInfo {
    pub(crate) component: &'static str,
    pub(crate) component_index: u32,
    pub(crate) message: &'static str,
    pub(crate) method: &'static str,
    pub(crate) priority: i32,
    pub(crate) place: Place,
}

impl HandlerInfo {
    /// Returns the name of the component type.
    #[must_use]
    pub fn component(&self) -> &'static str {
        self.component
    }

    /// Returns the name of the message type.
    #[must_use]
    pub fn message(&self) -> &'static str {
        self.message
    }

    /// Returns the name of the method.
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// Returns the priority: `N` in `#[on_receive(priority = N)]`, else 0. Higher runs first.
    #[must_use]
    pub fn priority(&self) -> i32 {
        self.priority
    }

    /// Where the method stands.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }
}
