//! Wires: when a messagee receives this, post that to there, after a delay, so many times.
//!
//! A wire is data and no closure: it can be listed, switched, written and saved. For each message type
//! that any wire waits for there is one hidden subscription, which looks for the wires of those who
//! receive the message. So a manager without wires has no such subscription, and one with wires pays for
//! the types that they wait for.
//!
//! The table is behind a cell, for it changes during a dispatch: counts go down, and wires end. It is
//! never borrowed while a message is posted.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::address::{MessageeId, Recipient, Sender, SubscriptionId};
use crate::data::error::DataError;
use crate::data::messages::{copy_of, text_in_scope};
use crate::data::scope::Scope;
use crate::error::{SendError, Undelivered};
use crate::group::Group;
use crate::link::registry;
use crate::message::{AnyMessage, Message, MessageId, MessageIndex};
use crate::mnemonic::Mnemonic;
use crate::post::Header;
use crate::registry::MessageInfo;
use crate::send::call::Frame;
use crate::send::{Sent, Subscribed, Verdict, post_any};
use crate::subscription::{After, Closure};
use crate::tag::TagSet;
use crate::time::Stage;
use crate::world::World;

/// Names a wire of a manager. Wires are numbered in the order in which they were made.
///
/// ```
/// use message_core::data::{Data, Wire};
/// use message_core::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// #[data(name = "docs.wire_id_Knock")]
/// struct DocsWireIdKnock;
///
/// let mut manager = MessageManager::new();
/// let door = manager.spawn(());
/// let first = manager.wire(Wire::on::<DocsWireIdKnock>(door).send("bell", DocsWireIdKnock))?;
/// let second = manager.wire(Wire::on::<DocsWireIdKnock>(door).send("dog", DocsWireIdKnock))?;
/// assert!(first < second);
/// # Ok::<(), message_core::data::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WireId(u64);

impl WireId {
    /// The number, for a log.
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

/// Where a wire posts to.
///
/// ```
/// use message_core::data::WireTarget;
/// use message_core::prelude::*;
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
    /// [`MessageManager::find`](crate::MessageManager::find).
    Name(String),
    /// Who a mnemonic is bound to when the message is delivered.
    Mnemonic(Mnemonic),
    /// Who is in a group when the message is delivered.
    Group(Group),
    /// The messagee whose wire it is.
    Me,
    /// Who sent the message that the wire waits for.
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

/// As it stands in a world file.
impl fmt::Display for WireTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::data::declared::{group_in_files, mnemonic_in_files};
        match self {
            Self::Name(name) => write!(f, "{name:?}"),
            Self::Mnemonic(mnemonic) => write!(f, "Mnemonic({:?})", mnemonic_in_files(*mnemonic)),
            Self::Group(group) => write!(f, "Group({:?})", group_in_files(*group)),
            Self::Me => f.write_str("Me"),
            Self::Activator => f.write_str("Activator"),
        }
    }
}

/// A wire that is to be made, for [`MessageManager::wire`](crate::MessageManager::wire).
///
/// Without more words it posts for the stage `Update`, without a delay, each time.
///
/// ```
/// use std::time::Duration;
///
/// use message_core::data::{Data, Wire};
/// use message_core::prelude::*;
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
/// manager.wire(wire)?;
///
/// manager.send(lever, DocsWirePulled)?;
/// manager.tick(Duration::from_secs(1));
/// assert_eq!(manager.get::<Bell>(bell)?.rung, 0);
/// manager.tick(Duration::from_secs(1));
/// assert_eq!(manager.get::<Bell>(bell)?.rung, 3);
/// assert!(manager.wires().is_empty(), "it was to fire once");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a wire is made by `manager.wire(…)`"]
pub struct Wire {
    from: MessageeId,
    on: (MessageId, &'static str),
    to: WireTarget,
    send: Option<Box<dyn AnyMessage>>,
    after: Duration,
    times: Option<u64>,
    stage: Stage,
    enabled: bool,
}

impl Wire {
    /// Begins a wire that waits until a messagee receives a message of that type.
    ///
    /// ```
    /// use message_core::data::{Data, Wire};
    /// use message_core::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_on_Knock")]
    /// struct DocsWireOnKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// manager.wire(Wire::on::<DocsWireOnKnock>(door).send("dog", DocsWireOnKnock))?;
    /// assert_eq!(manager.wires()[0].from, door);
    /// # Ok::<(), message_core::data::DataError>(())
    /// ```
    pub fn on<M: Message>(from: MessageeId) -> Self {
        Self {
            from,
            on: (M::ID, M::NAME),
            to: WireTarget::Me,
            send: None,
            after: Duration::ZERO,
            times: None,
            stage: Stage::Update,
            enabled: true,
        }
    }

    /// Sets what is posted, and to whom: a name, a mnemonic, a group, or another [`WireTarget`].
    ///
    /// ```
    /// use message_core::data::{Data, Wire, WireTarget};
    /// use message_core::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_send_Knock")]
    /// struct DocsWireSendKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let wire = Wire::on::<DocsWireSendKnock>(door).send(WireTarget::Activator, DocsWireSendKnock);
    /// manager.wire(wire)?;
    /// assert_eq!(manager.wires()[0].to, WireTarget::Activator);
    /// # Ok::<(), message_core::data::DataError>(())
    /// ```
    pub fn send<M: Message>(self, to: impl Into<WireTarget>, message: M) -> Self {
        self.send_any(to, Box::new(message))
    }

    /// Sets what is posted, and to whom, for a message in a box.
    ///
    /// ```
    /// use message_core::data::{self, Data, Wire};
    /// use message_core::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_send_any_Knock", alias = "KnockInABox")]
    /// struct DocsWireSendAnyKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let knock = data::parse_message("KnockInABox", &manager)?;
    /// manager.wire(Wire::on::<DocsWireSendAnyKnock>(door).send_any("dog", knock))?;
    /// assert_eq!(manager.wires().len(), 1);
    /// # Ok::<(), message_core::data::DataError>(())
    /// ```
    pub fn send_any(mut self, to: impl Into<WireTarget>, message: Box<dyn AnyMessage>) -> Self {
        self.to = to.into();
        self.send = Some(message);
        self
    }

    /// Sets how long after the wire fires the message is due.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use message_core::data::{Data, Wire};
    /// use message_core::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_after_Knock")]
    /// struct DocsWireAfterKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let wire = Wire::on::<DocsWireAfterKnock>(door).send("dog", DocsWireAfterKnock);
    /// manager.wire(wire.after(Duration::from_secs(2)))?;
    /// assert_eq!(manager.wires()[0].after, Duration::from_secs(2));
    /// # Ok::<(), message_core::data::DataError>(())
    /// ```
    pub fn after(mut self, delay: Duration) -> Self {
        self.after = delay;
        self
    }

    /// Sets how often the wire fires. Then it ends.
    ///
    /// ```
    /// use message_core::data::{Data, Wire};
    /// use message_core::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_times_Knock")]
    /// struct DocsWireTimesKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn_named("door", ());
    /// let wire = Wire::on::<DocsWireTimesKnock>(door).send("door", DocsWireTimesKnock);
    /// manager.wire(wire.times(2))?;
    /// assert_eq!(manager.wires()[0].left, Some(2));
    /// manager.send(door, DocsWireTimesKnock).expect("it is alive");
    /// assert_eq!(manager.wires()[0].left, Some(1));
    /// # Ok::<(), message_core::data::DataError>(())
    /// ```
    pub fn times(mut self, times: u64) -> Self {
        self.times = Some(times);
        self
    }

    /// Sets the stage that the message is posted for.
    ///
    /// ```
    /// use message_core::data::{Data, Wire};
    /// use message_core::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_stage_Knock")]
    /// struct DocsWireStageKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let wire = Wire::on::<DocsWireStageKnock>(door).send("dog", DocsWireStageKnock);
    /// manager.wire(wire.stage(Stage::EndOfFrame))?;
    /// assert_eq!(manager.wires()[0].stage, Stage::EndOfFrame);
    /// # Ok::<(), message_core::data::DataError>(())
    /// ```
    pub fn stage(mut self, stage: Stage) -> Self {
        self.stage = stage;
        self
    }

    /// Sets whether the wire fires before somebody enables it.
    ///
    /// ```
    /// use message_core::data::{Data, Wire};
    /// use message_core::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.wire_enabled_Knock")]
    /// struct DocsWireEnabledKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let wire = Wire::on::<DocsWireEnabledKnock>(door).send("dog", DocsWireEnabledKnock);
    /// let id = manager.wire(wire.enabled(false))?;
    /// assert!(manager.set_wire_enabled(id, true));
    /// # Ok::<(), message_core::data::DataError>(())
    /// ```
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// The same as what a file says.
    pub(crate) fn of_file(from: MessageeId, on: &'static MessageInfo, spec: &WireTerms) -> Self {
        Self {
            from,
            on: (on.id(), on.name()),
            to: spec.to.clone(),
            send: None,
            after: spec.after,
            times: spec.times,
            stage: spec.stage,
            enabled: spec.enabled,
        }
    }

    pub(crate) fn with_message(mut self, message: Box<dyn AnyMessage>) -> Self {
        self.send = Some(message);
        self
    }
}

/// What a wire says besides who and what.
#[derive(Clone, Debug)]
pub(crate) struct WireTerms {
    pub(crate) to: WireTarget,
    pub(crate) after: Duration,
    pub(crate) times: Option<u64>,
    pub(crate) stage: Stage,
    pub(crate) enabled: bool,
}

/// A wire as [`MessageManager::wires`](crate::MessageManager::wires) lists it.
///
/// ```
/// use message_core::data::{Data, Wire};
/// use message_core::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// #[data(exact, name = "docs.wire_info_Knock")]
/// struct DocsWireInfoKnock { loud: bool }
///
/// let mut manager = MessageManager::new();
/// let door = manager.spawn_named("door", ());
/// let wire = Wire::on::<DocsWireInfoKnock>(door);
/// manager.wire(wire.send("dog", DocsWireInfoKnock { loud: true }).times(2))?;
/// let wires = manager.wires();
/// assert_eq!((wires[0].message.as_str(), wires[0].left), ("wire_info_Knock(loud: true)", Some(2)));
/// assert!(wires[0].to_string().ends_with("-> \"dog\": wire_info_Knock(loud: true), 2 times"));
/// # Ok::<(), message_core::data::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WireInfo {
    /// The wire.
    pub id: WireId,
    /// Whose wire it is: who has to receive the message that it waits for.
    pub from: MessageeId,
    /// The name of the message type that it waits for.
    pub on: &'static str,
    /// Where it posts to.
    pub to: WireTarget,
    /// What it posts, as it stands in a world file; of a message without data its name.
    pub message: String,
    /// How long after the wire fires the message is due.
    pub after: Duration,
    /// How often it still fires; `None` if it does not end.
    pub left: Option<u64>,
    /// The stage that it posts for.
    pub stage: Stage,
    /// It fires. See [`set_wire_enabled`](crate::MessageManager::set_wire_enabled).
    pub enabled: bool,
}

/// As `#0: 3v0 "lever" on game::Opened -> "bell": Ring(times: 3), after 2.5s, 1 times, disabled`.
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

/// What is kept of a wire in a log.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedWire {
    pub(crate) id: u64,
    pub(crate) from: MessageeId,
    /// The number of the message type that it waits for.
    pub(crate) on: u64,
    pub(crate) to: WireTarget,
    /// The full name of the type that it posts.
    pub(crate) send: String,
    /// Its fields, as `MessagePack`.
    pub(crate) fields: Vec<u8>,
    pub(crate) after: Duration,
    pub(crate) left: Option<u64>,
    pub(crate) stage: Stage,
    pub(crate) enabled: bool,
}

/// What is kept of a wire in a save, besides the message that it posts.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireRow {
    /// The number of the type of that message in the save.
    pub(crate) of: u32,
    pub(crate) id: u64,
    pub(crate) from: MessageeId,
    /// The number of the message type that it waits for.
    pub(crate) on: u64,
    pub(crate) to: WireTarget,
    pub(crate) after: Duration,
    pub(crate) left: Option<u64>,
    pub(crate) stage: Stage,
    pub(crate) enabled: bool,
}

impl Wire {
    /// What a log keeps of it. Called where ids are numbers.
    pub(crate) fn saved(&self) -> Result<SavedWire, DataError> {
        let message = self.send.as_deref();
        let message = message.ok_or_else(|| DataError::new("a wire that posts nothing"))?;
        let (send, fields) = crate::data::messages::packed(message)?;
        Ok(SavedWire {
            id: 0,
            from: self.from,
            on: self.on.0.to_bits(),
            to: self.to.clone(),
            send,
            fields,
            after: self.after,
            left: self.times,
            stage: self.stage,
            enabled: self.enabled,
        })
    }

    /// The wire that a log has kept. Called where ids are numbers.
    pub(crate) fn of_saved(saved: &SavedWire) -> Result<Self, DataError> {
        let on = registry().message(MessageId::from_bits(saved.on));
        let on = on.ok_or_else(|| {
            DataError::new("a wire waits for a message type that is not there any more")
        })?;
        let send = crate::data::messages::unpacked(&saved.send, &saved.fields)?;
        Ok(Self {
            from: saved.from,
            on: (on.id(), on.name()),
            to: saved.to.clone(),
            send: Some(send),
            after: saved.after,
            times: saved.left,
            stage: saved.stage,
            enabled: saved.enabled,
        })
    }
}

/// A wire of a manager.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) from: MessageeId,
    pub(crate) on: &'static MessageInfo,
    /// What it posts; copied each time.
    pub(crate) message: Arc<MessageCell>,
    pub(crate) terms: WireTerms,
    place: &'static Location<'static>,
}

/// A message that is only looked at, and by one thread at a time, as the manager is.
#[derive(Debug)]
pub(crate) struct MessageCell(std::sync::Mutex<Box<dyn AnyMessage>>);

impl MessageCell {
    pub(crate) fn with<T>(&self, look: impl FnOnce(&dyn AnyMessage) -> T) -> T {
        let message = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        look(&**message)
    }
}

/// The wires of a manager.
#[derive(Debug, Default)]
pub(crate) struct Wires {
    live: RefCell<BTreeMap<WireId, Live>>,
    /// For each message type that wires wait for: the subscription, and the wires.
    by_type: RefCell<BTreeMap<usize, Listening>>,
    made: Cell<u64>,
}

#[derive(Debug)]
struct Listening {
    by: SubscriptionId,
    wires: Vec<WireId>,
}

impl Wires {
    /// Calls a function with each wire, in the order made.
    pub(crate) fn each(&self, mut see: impl FnMut(WireId, &Live)) {
        for (&id, live) in &*self.live.borrow() {
            see(id, live);
        }
    }

    pub(crate) fn set_enabled(&self, id: WireId, enabled: bool) -> bool {
        let mut live = self.live.borrow_mut();
        let wire = live.get_mut(&id);
        wire.is_some_and(|wire| {
            wire.terms.enabled = enabled;
            true
        })
    }

    /// Takes all wires, to be dropped one by one.
    pub(crate) fn take_all(&mut self) -> Vec<Live> {
        self.by_type.get_mut().clear();
        std::mem::take(self.live.get_mut()).into_values().collect()
    }

    /// Ends a wire. Returns it, to be dropped where nothing is borrowed.
    fn end(&self, id: WireId) -> Option<Live> {
        let live = self.live.borrow_mut().remove(&id)?;
        if let Some(listening) = self.by_type.borrow_mut().get_mut(&live.on.index().get()) {
            listening.wires.retain(|other| *other != id);
        }
        Some(live)
    }
}

/// What hears for the wires of one message type.
struct Hearer(usize);

impl Closure for Hearer {
    fn is_running(&self) -> bool {
        // It only posts, so no delivery is inside of another one of it.
        false
    }
}

impl After<dyn AnyMessage> for Hearer {
    fn hear(&self, _: &dyn AnyMessage, sent: &Sent<'_>, subscribed: &Subscribed) -> Verdict {
        sent.world.fire_wires(self.0, sent, subscribed.id);
        Verdict::NotReceived
    }

    fn passes(&self, _: &dyn AnyMessage) -> bool {
        true
    }
}

impl World {
    /// Makes a wire.
    ///
    /// # Errors
    ///
    /// If it cannot be: then nothing has changed.
    pub(crate) fn add_wire(
        &mut self,
        wire: Wire,
        place: &'static Location<'static>,
    ) -> Result<WireId, DataError> {
        self.check_stays(wire.from).map_err(DataError::new)?;
        let (id, name) = wire.on;
        let on = registry().message(id).ok_or_else(|| {
            DataError::new(format_args!(
                "the message type `{name}` is not in the registry"
            ))
        })?;
        let message = wire
            .send
            .ok_or_else(|| DataError::new("a wire posts a message: expected one by `send`"))?;
        if wire.times == Some(0) {
            return Err(DataError::new(NEVER));
        }
        if wire.stage == Stage::Immediate {
            return Err(DataError::new(POSTS));
        }
        if matches!(&wire.to, WireTarget::Name(name) if name.is_empty()) {
            let what = "nobody is called \"\": expected a name, with wildcards or without";
            return Err(DataError::new(what));
        }
        // Otherwise it could not fire.
        copy_of(&*message, self)?;
        let terms = WireTerms {
            to: wire.to,
            after: wire.after,
            times: wire.times,
            stage: wire.stage,
            enabled: wire.enabled,
        };
        let message = Arc::new(MessageCell(std::sync::Mutex::new(message)));
        let live = Live {
            from: wire.from,
            on,
            message,
            terms,
            place,
        };
        Ok(self.enter_wire(live))
    }

    fn enter_wire(&mut self, live: Live) -> WireId {
        let made = self.wires.made.get();
        self.wires.made.set(made + 1);
        let id = WireId(made);
        let (of, tags) = (live.on.index(), live.on.tags());
        self.wires.live.get_mut().insert(id, live);
        let listening = self.listen_for_wires(of, tags);
        listening.wires.push(id);
        id
    }

    /// The wires that wait for a message type, with the subscription that looks for them.
    fn listen_for_wires(&mut self, of: MessageIndex, tags: TagSet) -> &mut Listening {
        let at = of.get();
        let subscriptions = &mut self.subscriptions;
        let by_type = self.wires.by_type.get_mut();
        by_type.entry(at).or_insert_with(|| Listening {
            by: subscriptions.enter_untyped(of, tags, Box::new(Hearer(at))),
            wires: Vec::new(),
        })
    }

    /// Ends a wire. Returns `true` if there was one.
    pub(crate) fn remove_wire(&mut self, id: WireId) -> bool {
        let ended = self.wires.end(id);
        self.drop_unused_listeners();
        ended.is_some()
    }

    /// Ends the wires of one who goes.
    pub(crate) fn take_wires_of(&mut self, from: MessageeId) -> Vec<Box<dyn std::any::Any + Send>> {
        if self.wires.live.get_mut().is_empty() {
            return Vec::new();
        }
        let live = self.wires.live.get_mut();
        let ids: Vec<WireId> = live
            .iter()
            .filter(|(_, wire)| wire.from == from)
            .map(|(&id, _)| id)
            .collect();
        let ended = ids.into_iter().filter_map(|id| self.wires.end(id));
        let ended = ended.map(|live| Box::new(live) as _).collect();
        self.drop_unused_listeners();
        ended
    }

    fn drop_unused_listeners(&mut self) {
        let by_type = self.wires.by_type.get_mut();
        let mut unused = Vec::new();
        by_type.retain(|_, listening| {
            let is_used = !listening.wires.is_empty();
            if !is_used {
                unused.push(listening.by);
            }
            is_used
        });
        for by in unused {
            drop(self.subscriptions.remove(by));
        }
    }

    /// Fires the wires of those who receive this message.
    fn fire_wires(&self, of: usize, sent: &Sent<'_>, by: SubscriptionId) {
        let (to, sender) = (sent.meant(), sent.sender);
        let ids = self
            .wires
            .by_type
            .borrow()
            .get(&of)
            .map(|it| it.wires.clone());
        for id in ids.unwrap_or_default() {
            let from = self.wires.live.borrow().get(&id).map(|wire| wire.from);
            let Some(from) = from else { continue };
            let record = self.messagees.get(from);
            let stays = record.is_some_and(|record| !record.is_leaving());
            if !stays || !self.is_meant(from, to, sender) {
                continue;
            }
            let Some((message, terms, place)) = self.count_firing(id) else {
                continue;
            };
            let subscribed = Subscribed {
                id: by,
                owner: Some(from),
            };
            let frame = Frame::of_subscription(sent, subscribed);
            self.post_by_wire(&frame, from, &message, &terms, place);
        }
    }

    /// What a wire posts, if it fires; counts that it does.
    fn count_firing(
        &self,
        id: WireId,
    ) -> Option<(Arc<MessageCell>, WireTerms, &'static Location<'static>)> {
        let mut live = self.wires.live.borrow_mut();
        let wire = live.get_mut(&id).filter(|wire| wire.terms.enabled)?;
        let fired = (Arc::clone(&wire.message), wire.terms.clone(), wire.place);
        if let Some(left) = &mut wire.terms.times {
            *left -= 1;
            if *left == 0 {
                drop(live);
                drop(self.wires.end(id));
                self.later(World::drop_unused_listeners);
            }
        }
        Some(fired)
    }

    fn post_by_wire(
        &self,
        frame: &Frame<'_>,
        from: MessageeId,
        message: &MessageCell,
        terms: &WireTerms,
        place: &'static Location<'static>,
    ) {
        let refuse = |why: Undelivered| self.bury_of_wire(frame, from, message, why, place);
        let to: Vec<Recipient> = match &terms.to {
            WireTarget::Name(pattern) => {
                let found = self.find_named(pattern).into_iter();
                let stays = found.filter(|&id| self.check_stays(id).is_ok());
                let found: Vec<_> = stays.map(Recipient::Id).collect();
                if found.is_empty() {
                    let name = pattern.as_str().into();
                    return refuse(Undelivered::Unnamed { name });
                }
                found
            }
            WireTarget::Mnemonic(mnemonic) => vec![Recipient::Mnemonic(*mnemonic)],
            WireTarget::Group(group) => vec![Recipient::Group(*group)],
            WireTarget::Me => vec![Recipient::Id(from)],
            WireTarget::Activator => match frame.sent.sender {
                Sender::Messagee(id) => vec![Recipient::Id(id)],
                sender => {
                    let message = message.with(AnyMessage::name);
                    let error = SendError::NobodyToReplyTo { sender, message };
                    let error = Box::new(error);
                    return refuse(Undelivered::Refused { error });
                }
            },
        };
        for to in to {
            let header = Header::to(to).stage(terms.stage);
            let header = if terms.after.is_zero() {
                header
            } else {
                header.after(terms.after)
            };
            let copied = message.with(|message| copy_of(message, self));
            let posted = match (header.build(), copied) {
                (Ok(header), Ok(copy)) => post_any(frame, &header, place, copy).map(|_| ()),
                (Err(error), _) => {
                    let message = message.with(AnyMessage::name);
                    Err(SendError::Header { error, message })
                }
                // It was copied when the wire was made.
                (_, Err(_)) => {
                    refuse(Undelivered::NotCloned);
                    continue;
                }
            };
            if let Err(error) = posted {
                let error = Box::new(error);
                refuse(Undelivered::Refused { error });
            }
        }
    }

    /// What a wire could not post: a dead letter, as if it were for the wire's own messagee.
    #[cold]
    fn bury_of_wire(
        &self,
        frame: &Frame<'_>,
        from: MessageeId,
        message: &MessageCell,
        why: Undelivered,
        place: &'static Location<'static>,
    ) {
        let to = Recipient::Id(from);
        let copy = message.with(|message| copy_of(message, self).ok());
        let facts = message.with(AnyMessage::facts);
        let sent = Sent {
            parent: Some(frame),
            ..Sent::of_type(facts, self, Sender::Messagee(from), &to, place)
        };
        self.bury(&sent, why, 0, copy);
    }

    /// How the wires are listed.
    pub(crate) fn list_wires(&self) -> Vec<WireInfo> {
        let mut listed = Vec::new();
        self.wires.each(|id, wire| {
            let message = wire.message.with(|message| {
                let text = Scope::Shown.during(|| text_in_scope(message));
                text.unwrap_or_else(|_| message.name().to_owned())
            });
            listed.push(WireInfo {
                id,
                from: wire.from,
                on: wire.on.name(),
                to: wire.terms.to.clone(),
                message,
                after: wire.terms.after,
                left: wire.terms.times,
                stage: wire.terms.stage,
                enabled: wire.terms.enabled,
            });
        });
        listed
    }
}

impl World {
    /// How many wires were made.
    pub(crate) fn wires_made(&self) -> u64 {
        self.wires.made.get()
    }

    /// What has to be kept of the wires, in the order made, each with its message. Those whose message
    /// has no number are left out.
    pub(crate) fn saved_wires(
        &self,
        mut number: impl FnMut(&dyn AnyMessage) -> Option<u32>,
    ) -> Vec<(WireRow, Arc<MessageCell>)> {
        let mut saved = Vec::new();
        self.wires.each(|id, wire| {
            if let Some(of) = wire.message.with(&mut number) {
                let kept = WireRow {
                    of,
                    id: id.0,
                    from: wire.from,
                    on: wire.on.id().to_bits(),
                    to: wire.terms.to.clone(),
                    after: wire.terms.after,
                    left: wire.terms.times,
                    stage: wire.terms.stage,
                    enabled: wire.terms.enabled,
                };
                saved.push((kept, Arc::clone(&wire.message)));
            }
        });
        saved
    }

    /// For how many message types wires wait: which, and by which subscription.
    pub(crate) fn wire_listeners(&self) -> Vec<(MessageIndex, SubscriptionId)> {
        let by_type = self.wires.by_type.borrow();
        let listeners = by_type.iter().filter_map(|(&at, listening)| {
            let of = u32::try_from(at).ok()?;
            Some((MessageIndex(of), listening.by))
        });
        listeners.collect()
    }

    /// Lets the wires that wait for a message type, and come back next, look for it from here on.
    pub(crate) fn restore_wire_listener(&mut self, of: MessageIndex, tags: TagSet) {
        self.listen_for_wires(of, tags);
    }

    /// Makes a wire as it was. It was checked.
    pub(crate) fn restore_wire(
        &mut self,
        wire: WireRow,
        on: &'static MessageInfo,
        message: Box<dyn AnyMessage>,
        place: &'static Location<'static>,
    ) {
        let live = Live {
            from: wire.from,
            on,
            message: Arc::new(MessageCell(std::sync::Mutex::new(message))),
            terms: WireTerms {
                to: wire.to,
                after: wire.after,
                times: wire.left,
                stage: wire.stage,
                enabled: wire.enabled,
            },
            place,
        };
        self.wires.made.set(wire.id);
        self.enter_wire(live);
    }

    /// All wires are back: so many were made.
    pub(crate) fn end_restoring_wires(&mut self, made: u64) {
        self.wires.made.set(made);
        self.drop_unused_listeners();
    }
}

/// What is said of a wire with `times: 0`.
pub(crate) const NEVER: &str =
    "a wire that fires zero times does nothing: expected `times: 1` or more";

/// What is said of a wire with `stage: Immediate`.
pub(crate) const POSTS: &str =
    "a wire posts: expected one of `FixedUpdate`, `Update`, `LateUpdate`, `EndOfFrame`";
