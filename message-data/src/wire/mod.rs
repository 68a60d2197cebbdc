//! Wires, which post a message when a messagee receives another, after a delay and for a number of times.
//!
//! A wire is data, not a closure: it can be listed, enabled, disabled, written and saved. This file defines the
//! content of a wire, and how wires are made and listed. [`live`] holds the wires of a manager, [`fire`] lets them post,
//! [`values`] looks into the messages that they receive and post, and [`saved`] defines what logs and saves keep.

mod fire;
mod info;
mod live;
mod saved;
mod test;
mod values;
mod whole;

use std::fmt;

use message_core::post::HeaderBuilder;
use message_core::{
    AnyMessage, Group, Header, HeaderError, Message, MessageId, MessageeId, Mnemonic, PostKey,
    Recipient, Stage,
};
use serde::{Deserialize, Serialize};

pub use info::WireInfo;
pub(crate) use live::{Live, MessageCell, Wires, connect, enter, remove};
pub(crate) use saved::{SavedWire, WireRow};
pub use test::WireTest;
pub(crate) use test::{Op, TESTS};
pub(crate) use values::{It, Known, fields_from_it, it_of, shown_tape};
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
/// assert_eq!(WireTarget::from("bell*").to_string(), "Named(\"bell*\")");
/// let player = WireTarget::from(DOCS_WIRE_TARGET_PLAYER);
/// assert_eq!(player.to_string(), "Mnemonic(\"WireTargetPlayer\")");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WireTarget {
    /// These messagees. A world file names them, and means its own.
    Messagees(Vec<MessageeId>),
    /// All messagees of the manager whose name matches when the wire fires, as for
    /// [`find`](message_core::Structure::find).
    Named(String),
    /// The messagee that a mnemonic is bound to when the message is delivered.
    Mnemonic(Mnemonic),
    /// The members of a group when the message is delivered.
    Group(Group),
    /// The messagee that the wire belongs to.
    Me,
    /// The sender of the message that the wire has received.
    Sender,
    /// The sender of the message that began the chain of wires which leads here: if another wire has posted what this
    /// one has received, its activator, and otherwise the sender.
    Activator,
    /// The parent of the messagee that the wire belongs to.
    Parent,
    /// The children of the messagee that the wire belongs to.
    Children,
    /// The other children of its parent.
    Siblings,
}

impl From<MessageeId> for WireTarget {
    fn from(id: MessageeId) -> Self {
        Self::Messagees(vec![id])
    }
}

impl From<&str> for WireTarget {
    fn from(name: &str) -> Self {
        Self::Named(name.into())
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

impl WireTarget {
    /// The targets that are a word in files.
    pub(crate) const WORDS: [Self; 6] = [
        Self::Me,
        Self::Sender,
        Self::Activator,
        Self::Parent,
        Self::Children,
        Self::Siblings,
    ];

    /// Returns the text in parentheses behind a word in files, if there is one: see [`word`](Self::word).
    pub(crate) fn text(&self) -> Option<&str> {
        use crate::declared::name_in_files;
        use message_core::internals::NameKind;
        match self {
            Self::Named(name) => Some(name),
            Self::Mnemonic(mnemonic) => Some(name_in_files(NameKind::Mnemonic, mnemonic.name())),
            Self::Group(group) => Some(name_in_files(NameKind::Group, group.name())),
            _ => None,
        }
    }

    /// Returns the word in files.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Messagees(_) => "Messagees",
            Self::Named(_) => "Named",
            Self::Mnemonic(_) => "Mnemonic",
            Self::Group(_) => "Group",
            Self::Me => "Me",
            Self::Sender => "Sender",
            Self::Activator => "Activator",
            Self::Parent => "Parent",
            Self::Children => "Children",
            Self::Siblings => "Siblings",
        }
    }
}

/// Formats the target as in a world file, and messagees by their ids and names.
impl fmt::Display for WireTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Messagees(ids) = self {
            for (at, id) in ids.iter().enumerate() {
                f.write_str(if at == 0 { "" } else { ", " })?;
                fmt::Display::fmt(id, f)?;
            }
            return Ok(());
        }
        f.write_str(self.word())?;
        match self.text() {
            Some(text) => write!(f, "({text:?})"),
            None => Ok(()),
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
///     .send(bell, DocsWireRing { times: 3 })
///     .header(|header| header.after(Duration::from_secs(2)))
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
    /// The message that it posts. `None` if it does something else.
    send: Option<Box<dyn AnyMessage>>,
    /// The header that is being built, if it is not that of the terms.
    header: Option<HeaderBuilder>,
    terms: WireTerms,
    left: Option<u64>,
    enabled: bool,
}

/// The terms on which a wire fires, without the message of its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct WireTerms {
    pub(crate) to: WireTarget,
    pub(crate) action: Action,
    /// Its recipient has no meaning.
    pub(crate) header: Header,
    /// The conditions on fields of the received message.
    pub(crate) when: Vec<(String, WireTest)>,
    /// The fields of the posted message that are taken from the received one, and from where.
    pub(crate) fields: Vec<(String, String)>,
}

/// The action of a wire when it fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Action {
    /// It posts a message of its own.
    Post,
    /// It posts what it has received.
    PassOn,
    /// It cancels what is pending under a key of its messagee.
    Cancel(PostKey),
}

/// Begins the header of a wire's messages. They are posted for `Update` unless it says otherwise.
pub(crate) fn header() -> HeaderBuilder {
    Header::to(Recipient::Me).stage(Stage::Update)
}

fn plain_header() -> Header {
    header().build().expect("nothing in it contradicts itself")
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
                action: Action::Post,
                header: plain_header(),
                when: Vec::new(),
                fields: Vec::new(),
            },
            header: None,
            left: None,
            enabled: true,
        }
    }

    /// Sets the message that is posted, and its target: a messagee, a name, a mnemonic, a group, or another
    /// [`WireTarget`].
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
        self.terms.action = Action::Post;
        self.send = Some(message);
        self
    }

    /// Lets the wire post a copy of the message that it receives. If it can neither be cloned nor written, it becomes
    /// a dead letter.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, Wire, WireTarget};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_pass_on_Knock")]
    /// struct DocsWirePassOnKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// data::add_wire(&mut manager, Wire::on::<DocsWirePassOnKnock>(door).pass_on(WireTarget::Parent))?;
    /// assert_eq!(data::wires(&manager)[0].message, "It");
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn pass_on(mut self, to: impl Into<WireTarget>) -> Self {
        self.terms.to = to.into();
        self.terms.action = Action::PassOn;
        self.send = None;
        self
    }

    /// Lets the wire cancel the message that is pending under a key of its messagee, from a wire or from a handler.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, Wire};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_cancel_Opened")]
    /// struct DocsWireCancelOpened;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// data::add_wire(&mut manager, Wire::on::<DocsWireCancelOpened>(door).cancel("close"))?;
    /// assert_eq!(data::wires(&manager)[0].message, "cancel: \"close\"");
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn cancel(mut self, key: impl Into<PostKey>) -> Self {
        self.terms.to = WireTarget::Me;
        self.terms.action = Action::Cancel(key.into());
        self.send = None;
        self
    }

    /// Sets a field of the posted message to the value that a field of the received message has when the wire fires.
    /// A field without a name is its number, and a dot in the second path leads to a field of a field.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, Wire, WireTarget};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_fill_Hit", exact)]
    /// struct DocsWireFillHit { damage: u32 }
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_fill_Pain", exact)]
    /// struct DocsWireFillPain(u32);
    ///
    /// let mut manager = MessageManager::new();
    /// let knight = manager.spawn(());
    /// let wire = Wire::on::<DocsWireFillHit>(knight).send(WireTarget::Me, DocsWireFillPain(0));
    /// data::add_wire(&mut manager, wire.fill("0", "damage"))?;
    /// assert_eq!(data::wires(&manager)[0].message, "wire_fill_Pain(It(\"damage\"))");
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn fill(mut self, field: impl Into<String>, from: impl Into<String>) -> Self {
        self.terms.fields.push((field.into(), from.into()));
        self
    }

    /// Adds a condition on a field of the received message. The wire fires only if all of its conditions hold.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, Wire, WireTarget, WireTest};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_when_Hit", exact)]
    /// struct DocsWireWhenHit { damage: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let knight = manager.spawn(());
    /// let wire = Wire::on::<DocsWireWhenHit>(knight).pass_on("healer");
    /// data::add_wire(&mut manager, wire.when("damage", WireTest::at_least("10")).times(1))?;
    /// manager.send(knight, DocsWireWhenHit { damage: 9 }).expect("it is alive");
    /// assert_eq!(data::wires(&manager)[0].left, Some(1));
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn when(mut self, field: impl Into<String>, test: WireTest) -> Self {
        self.terms.when.push((field.into(), test));
        self
    }

    /// Changes the header of the posted message: its stage, delay, period, key and whatever else a header says. The
    /// recipient remains the target of the wire.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, Wire};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_header_Knock")]
    /// struct DocsWireHeaderKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let wire = Wire::on::<DocsWireHeaderKnock>(door).send("dog", DocsWireHeaderKnock);
    /// let wire = wire.header(|header| header.after(Duration::from_secs(2)).key("bark"));
    /// data::add_wire(&mut manager, wire)?;
    /// assert_eq!(data::wires(&manager)[0].header.stage(), Stage::Update);
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    pub fn header(mut self, change: impl FnOnce(HeaderBuilder) -> HeaderBuilder) -> Self {
        self.header = Some(change(self.header.unwrap_or_else(header)));
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
        self.left = Some(times);
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
        self.enabled = enabled;
        self
    }

    /// Returns the terms with the header.
    fn terms(&self) -> Result<WireTerms, HeaderError> {
        let mut terms = self.terms.clone();
        if let Some(header) = self.header {
            terms.header = header.build()?;
        }
        Ok(terms)
    }
}

/// The error for a wire with `times: 0`.
pub(crate) const NEVER: &str =
    "a wire that fires zero times does nothing: expected `times: 1` or more";

/// The error for a wire with `stage: Immediate`.
pub(crate) const POSTS: &str = "a wire cannot post at once: expected one of `FixedUpdate`, `Update`, \
                                `LateUpdate`, `EndOfFrame`";
