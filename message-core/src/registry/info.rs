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
/// assert!(info.has_debug() && !info.has_clone());
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

    /// Returns `true` if the type is `Debug`, as far as the derive could see: then traces and a `dyn`
    /// [`AnyMessage`](crate::AnyMessage) print what a message says.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message, Debug)]
    /// struct Wave;
    ///
    /// #[derive(Message)]
    /// struct Foam;
    ///
    /// let has_debug = |id| message_core::registry().message(id).map(|info| info.has_debug());
    /// assert_eq!(has_debug(Wave::ID), Some(true));
    /// assert_eq!(has_debug(Foam::ID), Some(false));
    /// ```
    #[must_use]
    pub fn has_debug(&self) -> bool {
        self.row.facts.has_debug
    }

    /// Returns `true` if the type is `Clone`, as far as the derive could see: then
    /// [`try_clone`](crate::AnyMessage::try_clone) returns a copy.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message, Clone)]
    /// struct Wave;
    ///
    /// #[derive(Message)]
    /// struct Foam;
    ///
    /// let has_clone = |id| message_core::registry().message(id).map(|info| info.has_clone());
    /// assert_eq!(has_clone(Wave::ID), Some(true));
    /// assert_eq!(has_clone(Foam::ID), Some(false));
    /// ```
    #[must_use]
    pub fn has_clone(&self) -> bool {
        self.row.facts.has_clone
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
/// let ears = components.find(|component| component.name().ends_with("Ears"));
/// assert!(ears.is_some_and(|ears| !ears.can_be_busy())); // No handler takes a context.
/// ```
#[derive(Clone, Debug)]
pub struct ComponentInfo {
    /// The name of the type, and the place of the first of its handlers.
    pub(crate) declared: Declared,
    pub(crate) index: u32,
    /// `true` if a handler of this type takes a `Context`, so that the component can be busy.
    pub(crate) can_be_busy: bool,
}

impl ComponentInfo {
    /// Returns the name of the type: its path.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Sonar;
    ///
    /// #[handlers]
    /// impl Sonar {
    ///     #[on_receive]
    ///     fn ping(&self, _: &Ping) {}
    /// }
    ///
    /// let sonar = message_core::registry().component::<Sonar>().expect("it has a handler");
    /// assert_eq!(sonar.name(), std::any::type_name::<Sonar>());
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.declared.name
    }

    /// Returns the place of the first of its handlers, by file and line.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Sonar;
    ///
    /// #[handlers]
    /// impl Sonar {
    ///     #[on_receive]
    ///     fn ping(&self, _: &Ping) {}
    /// }
    ///
    /// let registry = message_core::registry();
    /// let sonar = registry.component::<Sonar>().expect("it has a handler");
    /// let ping = registry.handled_by::<Sonar>().next().expect("it has a handler");
    /// assert_eq!(sonar.place(), ping.place());
    /// ```
    #[must_use]
    pub fn place(&self) -> Place {
        self.declared.place
    }

    /// Returns `true` if a handler of this type takes a [`Context`](crate::Context). If none does,
    /// no component of the type can be running while another message is sent, so it is never busy,
    /// and all of them are stored as one plain slice.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Sonar;
    ///
    /// #[handlers]
    /// impl Sonar {
    ///     #[on_receive]
    ///     fn ping(&self, _: &Ping) {}
    /// }
    ///
    /// struct Relay;
    ///
    /// #[handlers]
    /// impl Relay {
    ///     #[on_receive]
    ///     fn ping(&self, _: &Ping, cx: &mut Context<'_>) { let _ = cx.send(Up(cx.me()), Ping); }
    /// }
    ///
    /// let registry = message_core::registry();
    /// assert!(registry.component::<Sonar>().is_some_and(|sonar| !sonar.can_be_busy()));
    /// assert!(registry.component::<Relay>().is_some_and(|relay| relay.can_be_busy()));
    /// ```
    #[must_use]
    pub fn can_be_busy(&self) -> bool {
        self.can_be_busy
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
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Sonar;
    ///
    /// #[handlers]
    /// impl Sonar {
    ///     #[on_receive]
    ///     fn ping(&self, _: &Ping) {}
    /// }
    ///
    /// let handler = message_core::registry().handlers_of(Ping::ID).next();
    /// assert_eq!(handler.map(|it| it.component()), Some(std::any::type_name::<Sonar>()));
    /// ```
    #[must_use]
    pub fn component(&self) -> &'static str {
        self.component
    }

    /// Returns the name of the message type.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Sonar;
    ///
    /// #[handlers]
    /// impl Sonar {
    ///     #[on_receive]
    ///     fn ping(&self, _: &Ping) {}
    /// }
    ///
    /// let handler = message_core::registry().handled_by::<Sonar>().next();
    /// assert_eq!(handler.map(|it| it.message()), Some(Ping::NAME));
    /// ```
    #[must_use]
    pub fn message(&self) -> &'static str {
        self.message
    }

    /// Returns the name of the method.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Sonar;
    ///
    /// #[handlers]
    /// impl Sonar {
    ///     #[on_receive]
    ///     fn answer(&self, _: &Ping) {}
    /// }
    ///
    /// let handler = message_core::registry().handlers_of(Ping::ID).next();
    /// assert_eq!(handler.map(|it| it.method()), Some("answer"));
    /// ```
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// Returns the priority: `N` in `#[on_receive(priority = N)]`, else 0. Higher runs first.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Sonar;
    ///
    /// #[handlers]
    /// impl Sonar {
    ///     #[on_receive]
    ///     fn ping(&self, _: &Ping) {}
    /// }
    ///
    /// struct Jammer;
    ///
    /// #[handlers]
    /// impl Jammer {
    ///     #[on_receive(priority = 10)]
    ///     fn ping(&self, _: &Ping) {}
    /// }
    ///
    /// let handlers = message_core::registry().handlers_of(Ping::ID);
    /// assert!(handlers.map(|it| it.priority()).eq([10, 0])); // The jammer comes first.
    /// ```
    #[must_use]
    pub fn priority(&self) -> i32 {
        self.priority
    }

    /// Returns the place of the method in the source.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Sonar;
    ///
    /// #[handlers]
    /// impl Sonar {
    ///     #[on_receive]
    ///     fn ping(&self, _: &Ping) {}
    /// }
    ///
    /// let handler = message_core::registry().handlers_of(Ping::ID).next();
    /// assert_eq!(handler.map(|it| it.place().file), Some(file!()));
    /// ```
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }
}
