//! Wires, which post a message when a messagee receives another, after a delay and for a number of times.
//!
//! A wire is data, not a closure: it can be listed, enabled, disabled, written and saved. This file defines the
//! content of a wire, and how wires are made and listed. [`live`] holds the wires of a manager and fires them;
//! [`saved`] defines what logs and saves keep of them.

mod live;
mod saved;
mod whole;

use std::fmt;
use std::time::Duration;

use message_core::registry::MessageInfo;
use message_core::{AnyMessage, Group, Message, MessageId, MessageeId, Mnemonic, Stage};
use serde::{Deserialize, Serialize};

pub(crate) use live::{MessageCell, Wires, connect};
pub(crate) use saved::{SavedWire, WireRow};
pub use whole::{add_wire, remove_wire, set_wire_enabled, wires};

/// Names a wire of a manager. Wires are numbered in the order in which they were made.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data, Wire};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// #[data(name = "docs.wire_id_Knock")]
/// struct DocsWireIdKnock;
///
/// let mut manager = MessageManager::new();
/// let door = manager.spawn(());
/// let first = data::add_wire(&mut manager, Wire::on::<DocsWireIdKnock>(door).send("bell", DocsWireIdKnock))?;
/// let second = data::add_wire(&mut manager, Wire::on::<DocsWireIdKnock>(door).send("dog", DocsWireIdKnock))?;
/// assert!(first < second);
/// # Ok::<(), message_data::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WireId(u64);

impl WireId {
    /// Returns the number, for a log.
    pub(crate) fn number(self) -> u64 {
        self.0
    }

    pub(crate) fn of_log(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for WireId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The target that a wire posts to.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::WireTarget;
///
/// mnemonic!(DOCS_WIRE_TARGET_PLAYER = "docs.WireTargetPlayer");
///
/// assert_eq!(WireTarget::from("bell*").to_string(), "\"bell*\"");
/// let player = WireTarget::from(DOCS_WIRE_TARGET_PLAYER);
/// assert_eq!(player.to_string(), "Mnemonic(\"WireTargetPlayer\")");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WireTarget {
    /// All messagees whose name matches when the wire fires, as for
    /// [`find`](message_core::Structure::find).
    Name(String),
    /// The messagee that a mnemonic is bound to when the message is delivered.
    Mnemonic(Mnemonic),
    /// The members of a group when the message is delivered.
    Group(Group),
    /// The messagee that the wire belongs to.
    Me,
    /// The sender of the message that the wire waits for.
    Activator,
}

impl From<&str> for WireTarget {
    fn from(name: &str) -> Self {
        Self::Name(name.into())
    }
}

impl From<Mnemonic> for WireTarget {
    fn from(mnemonic: Mnemonic) -> Self {
        Self::Mnemonic(mnemonic)
    }
}

impl From<Group> for WireTarget {
    fn from(group: Group) -> Self {
        Self::Group(group)
    }
}

/// Formats the target as in a world file.
impl fmt::Display for WireTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::declared::group_in_files;
        use crate::declared::mnemonic_in_files;
        match self {
            Self::Name(name) => write!(f, "{name:?}"),
            Self::Mnemonic(mnemonic) => write!(f, "Mnemonic({:?})", mnemonic_in_files(*mnemonic)),
            Self::Group(group) => write!(f, "Group({:?})", group_in_files(*group)),
            Self::Me => f.write_str("Me"),
            Self::Activator => f.write_str("Activator"),
        }
    }
}

/// A wire to be made by [`add_wire`](crate::add_wire).
///
/// By default, it posts for the stage `Update`, without a delay, each time.
///
/// ```
/// use std::time::Duration;
///
/// use message_core::prelude::*;
/// use message_data::{self as data, Data, Wire};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// #[data(name = "docs.wire_Pulled")]
/// struct DocsWirePulled;
///
/// #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// #[data(name = "docs.wire_Ring", exact)]
/// struct DocsWireRing { times: u32 }
///
/// #[derive(Default)]
/// struct Bell { rung: u32 }
///
/// #[handlers]
/// impl Bell {
///     #[on_receive]
///     fn ring(&mut self, ring: &DocsWireRing) { self.rung += ring.times; }
/// }
///
/// let mut manager = MessageManager::new();
/// let lever = manager.spawn_named("lever", ());
/// let bell = manager.spawn_named("bell", (Bell::default(),));
/// let wire = Wire::on::<DocsWirePulled>(lever)
///     .send("bell", DocsWireRing { times: 3 })
///     .after(Duration::from_secs(2))
///     .times(1);
/// data::add_wire(&mut manager, wire)?;
///
/// manager.send(lever, DocsWirePulled)?;
/// manager.tick(Duration::from_secs(1));
/// assert_eq!(manager.get::<Bell>(bell)?.rung, 0);
/// manager.tick(Duration::from_secs(1));
/// assert_eq!(manager.get::<Bell>(bell)?.rung, 3);
/// assert!(data::wires(&manager).is_empty(), "it was to fire once");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a wire is made by `data::add_wire(&mut manager, …)`"]
pub struct Wire {
    from: MessageeId,
    on: (MessageId, &'static str),
    send: Option<Box<dyn AnyMessage>>,
    terms: WireTerms,
}

impl Wire {
    /// Begins a wire that waits until a messagee receives a message of that type.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, Wire};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_on_Knock")]
    /// struct DocsWireOnKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// data::add_wire(&mut manager, Wire::on::<DocsWireOnKnock>(door).send("dog", DocsWireOnKnock))?;
    /// assert_eq!(data::wires(&manager)[0].from, door);
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn on<M: Message>(from: MessageeId) -> Self {
        Self {
            from,
            on: (M::ID, M::NAME),
            send: None,
            terms: WireTerms {
                to: WireTarget::Me,
                after: Duration::ZERO,
                times: None,
                stage: Stage::Update,
                enabled: true,
            },
        }
    }

    /// Sets the message that is posted, and its target: a name, a mnemonic, a group, or another [`WireTarget`].
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, Wire, WireTarget};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_send_Knock")]
    /// struct DocsWireSendKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let wire = Wire::on::<DocsWireSendKnock>(door).send(WireTarget::Activator, DocsWireSendKnock);
    /// data::add_wire(&mut manager, wire)?;
    /// assert_eq!(data::wires(&manager)[0].to, WireTarget::Activator);
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn send<M: Message>(self, to: impl Into<WireTarget>, message: M) -> Self {
        self.send_any(to, Box::new(message))
    }

    /// Sets the message that is posted, and its target, for a message in a box.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, Wire};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_send_any_Knock", alias = "KnockInABox")]
    /// struct DocsWireSendAnyKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let knock = data::parse_message("KnockInABox", &manager)?;
    /// data::add_wire(&mut manager, Wire::on::<DocsWireSendAnyKnock>(door).send_any("dog", knock))?;
    /// assert_eq!(data::wires(&manager).len(), 1);
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn send_any(mut self, to: impl Into<WireTarget>, message: Box<dyn AnyMessage>) -> Self {
        self.terms.to = to.into();
        self.send = Some(message);
        self
    }

    /// Sets how long after the wire fires the message is due.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, Wire};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_after_Knock")]
    /// struct DocsWireAfterKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let wire = Wire::on::<DocsWireAfterKnock>(door).send("dog", DocsWireAfterKnock);
    /// data::add_wire(&mut manager, wire.after(Duration::from_secs(2)))?;
    /// assert_eq!(data::wires(&manager)[0].after, Duration::from_secs(2));
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn after(mut self, delay: Duration) -> Self {
        self.terms.after = delay;
        self
    }

    /// Sets how many times the wire fires before it ends.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, Wire};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_times_Knock")]
    /// struct DocsWireTimesKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn_named("door", ());
    /// let wire = Wire::on::<DocsWireTimesKnock>(door).send("door", DocsWireTimesKnock);
    /// data::add_wire(&mut manager, wire.times(2))?;
    /// assert_eq!(data::wires(&manager)[0].left, Some(2));
    /// manager.send(door, DocsWireTimesKnock).expect("it is alive");
    /// assert_eq!(data::wires(&manager)[0].left, Some(1));
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn times(mut self, times: u64) -> Self {
        self.terms.times = Some(times);
        self
    }

    /// Sets the stage that the message is posted for.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, Wire};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_stage_Knock")]
    /// struct DocsWireStageKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let wire = Wire::on::<DocsWireStageKnock>(door).send("dog", DocsWireStageKnock);
    /// data::add_wire(&mut manager, wire.stage(Stage::EndOfFrame))?;
    /// assert_eq!(data::wires(&manager)[0].stage, Stage::EndOfFrame);
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn stage(mut self, stage: Stage) -> Self {
        self.terms.stage = stage;
        self
    }

    /// Sets whether the wire is enabled when it is made.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, Wire};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_enabled_Knock")]
    /// struct DocsWireEnabledKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let wire = Wire::on::<DocsWireEnabledKnock>(door).send("dog", DocsWireEnabledKnock);
    /// let id = data::add_wire(&mut manager, wire.enabled(false))?;
    /// assert!(data::set_wire_enabled(&mut manager, id, true));
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.terms.enabled = enabled;
        self
    }

    /// Creates a wire from what a file or a log says.
    pub(crate) fn of_file(
        from: MessageeId,
        on: &'static MessageInfo,
        terms: WireTerms,
        message: Box<dyn AnyMessage>,
    ) -> Self {
        Self {
            from,
            on: (on.id, on.name),
            send: Some(message),
            terms,
        }
    }
}

/// The terms of a wire: everything except its messagee and its two messages.
#[derive(Clone, Debug)]
pub(crate) struct WireTerms {
    pub(crate) to: WireTarget,
    pub(crate) after: Duration,
    pub(crate) times: Option<u64>,
    pub(crate) stage: Stage,
    pub(crate) enabled: bool,
}

/// A wire as [`wires`](crate::wires) lists it.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data, Wire};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// #[data(exact, name = "docs.wire_info_Knock")]
/// struct DocsWireInfoKnock { loud: bool }
///
/// let mut manager = MessageManager::new();
/// let door = manager.spawn_named("door", ());
/// let wire = Wire::on::<DocsWireInfoKnock>(door);
/// data::add_wire(&mut manager, wire.send("dog", DocsWireInfoKnock { loud: true }).times(2))?;
/// let wires = data::wires(&manager);
/// assert_eq!((wires[0].message.as_str(), wires[0].left), ("wire_info_Knock(loud: true)", Some(2)));
/// assert!(wires[0].to_string().ends_with("-> \"dog\": wire_info_Knock(loud: true), 2 times"));
/// # Ok::<(), message_data::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WireInfo {
    /// The wire.
    pub id: WireId,
    /// The messagee that the wire belongs to. It has to receive the message that the wire waits for.
    pub from: MessageeId,
    /// The name of the message type that it waits for.
    pub on: &'static str,
    /// The recipient that it posts to.
    pub to: WireTarget,
    /// The message that it posts, as in a world file. For a message without data, its name.
    pub message: String,
    /// How long after the wire fires the message is due.
    pub after: Duration,
    /// How many more times it fires; `None` if there is no limit.
    pub left: Option<u64>,
    /// The stage that it posts for.
    pub stage: Stage,
    /// `true` if it fires. See [`set_wire_enabled`](crate::set_wire_enabled).
    pub enabled: bool,
}

/// Formats the wire as `#0: 3v0 "lever" on game::Opened -> "bell": Ring(times: 3), after 2.5s, 1 times, disabled`.
impl fmt::Display for WireInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            id,
            from,
            on,
            to,
            message,
            ..
        } = self;
        write!(f, "#{id}: {from} on {on} -> {to}: {message}")?;
        if !self.after.is_zero() {
            write!(f, ", after {:?}", self.after)?;
        }
        if let Some(left) = self.left {
            write!(f, ", {left} times")?;
        }
        if self.stage != Stage::Update {
            write!(f, ", in {}", self.stage)?;
        }
        f.write_str(if self.enabled { "" } else { ", disabled" })
    }
}

/// The error for a wire with `times: 0`.
pub(crate) const NEVER: &str =
    "a wire that fires zero times does nothing: expected `times: 1` or more";

/// The error for a wire with `stage: Immediate`.
pub(crate) const POSTS: &str =
    "a wire posts: expected one of `FixedUpdate`, `Update`, `LateUpdate`, `EndOfFrame`";
