//! The wires of a manager.
//!
//! There is one hidden subscription for each message type that any wire waits for. It looks for the wires of the
//! messagees that receive the message. So a manager without wires has no such subscription, and one with wires pays
//! only for the types that they wait for.
//!
//! The table is in a cell because it changes during a dispatch: counts go down, and wires end. It is never borrowed
//! while a message is posted.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::Location;
use std::sync::{Arc, Mutex, PoisonError};

use message_core::internals::{
    Attached, Attachment, Hear, Part, Sent, Subscribed, Subscriptions, Terms, Verdict, World,
};
use message_core::registry::MessageInfo;
use message_core::{AnyMessage, MessageeId, Stage, SubscriptionId, registry};
use message_format::{DataError, text};

use crate::messages::copy_of;
use crate::scope::Scope;
use crate::wire::fire::fire_wires;
use crate::wire::values::{self, IT, shown_tape};
use crate::wire::{Action, NEVER, POSTS, Wire, WireId, WireInfo, WireTarget, WireTerms};

/// A wire of a manager.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    pub(crate) from: MessageeId,
    pub(crate) on: &'static MessageInfo,
    /// The message that the wire posts, if it has one of its own. It is copied each time.
    pub(crate) message: Option<Arc<MessageCell>>,
    pub(crate) terms: Arc<WireTerms>,
    /// How many more times it fires, if that is limited.
    pub(crate) left: Option<u64>,
    pub(crate) enabled: bool,
    pub(crate) place: &'static Location<'static>,
}

/// A message that is only read, and by one thread at a time, like the manager.
#[derive(Debug)]
pub(crate) struct MessageCell(Mutex<Box<dyn AnyMessage>>);

impl MessageCell {
    pub(crate) fn new(message: Box<dyn AnyMessage>) -> Arc<Self> {
        Arc::new(Self(Mutex::new(message)))
    }

    pub(crate) fn with<T>(&self, look: impl FnOnce(&dyn AnyMessage) -> T) -> T {
        let message = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        look(&**message)
    }
}

const ALONE: &str = "wires alone are attached to messagees";

/// The wires of a manager.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wires {
    live: RefCell<BTreeMap<WireId, Live>>,
    /// The wires of each messagee.
    owned: RefCell<BTreeSet<(MessageeId, WireId)>>,
    /// For each message type that wires wait for: the subscription, and the wires.
    pub(super) by_type: RefCell<BTreeMap<usize, Listening>>,
    pub(super) made: Cell<u64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Listening {
    pub(super) by: SubscriptionId,
    /// The wires, in the order made, each with its messagee: few of them belong to one that receives a message.
    wires: BTreeMap<WireId, MessageeId>,
}

impl Attached for Wires {
    fn copied(&self) -> Box<dyn Attached> {
        Box::new(self.clone())
    }

    fn take_all(&mut self) -> Vec<Box<dyn Any + Send>> {
        self.by_type.get_mut().clear();
        self.owned.get_mut().clear();
        let live = std::mem::take(self.live.get_mut()).into_values();
        live.map(|live| Box::new(live) as _).collect()
    }

    fn take_all_of(
        &mut self,
        from: MessageeId,
        subscriptions: &mut Subscriptions,
    ) -> Vec<Box<dyn Any + Send>> {
        let all = (from, WireId(0))..=(from, WireId(u64::MAX));
        let owned: Vec<_> = self.owned.get_mut().range(all).copied().collect();
        if owned.is_empty() {
            return Vec::new();
        }
        let ended = owned.into_iter().filter_map(|(_, id)| self.end(id));
        let ended = ended.map(|live| Box::new(live) as _).collect();
        self.drop_unused_listeners(subscriptions);
        ended
    }
}

impl Wires {
    /// Returns the wires of a manager.
    pub(crate) fn of(attached: &Attachment) -> &Self {
        let any: &dyn Any = &**attached.get_or_init(|| Box::<Self>::default());
        any.downcast_ref().expect(ALONE)
    }

    /// Returns the wires of a manager, to be changed.
    pub(crate) fn of_mut(attached: &mut Attachment) -> &mut Self {
        attached.get_or_init(|| Box::<Self>::default());
        let any: &mut dyn Any = &mut **attached.get_mut().expect(ALONE);
        any.downcast_mut().expect(ALONE)
    }

    /// Calls a function with each wire, in the order made.
    pub(crate) fn each(&self, mut see: impl FnMut(WireId, &Live)) {
        for (&id, live) in &*self.live.borrow() {
            see(id, live);
        }
    }

    pub(crate) fn set_enabled(&self, id: WireId, enabled: bool) -> bool {
        let mut live = self.live.borrow_mut();
        let wire = live.get_mut(&id);
        wire.map(|wire| wire.enabled = enabled).is_some()
    }

    /// Ends a wire. Returns it, so that it can be dropped where nothing is borrowed.
    fn end(&self, id: WireId) -> Option<Live> {
        let live = self.live.borrow_mut().remove(&id)?;
        self.owned.borrow_mut().remove(&(live.from, id));
        if let Some(listening) = self.by_type.borrow_mut().get_mut(&live.on.index.get()) {
            listening.wires.remove(&id);
        }
        Some(live)
    }

    /// Adds a wire, which does not wait for its message type yet.
    pub(super) fn add(&self, live: Live) -> WireId {
        let made = self.made.get();
        self.made.set(made + 1);
        let id = WireId(made);
        self.owned.borrow_mut().insert((live.from, id));
        self.live.borrow_mut().insert(id, live);
        id
    }

    /// Lets a wire wait for its message type from now on, if it has not ended.
    pub(super) fn begin(&mut self, id: WireId, subscriptions: &mut Subscriptions) {
        if let Some(live) = self.live.get_mut().get(&id) {
            let (on, from) = (live.on, live.from);
            let listening = self.listen(on, |all| all.reserve(), subscriptions);
            listening.wires.insert(id, from);
        }
    }

    /// Returns the wires that wait for a message type, with the subscription that looks for them. `new` returns the id
    /// of a new subscription: a hidden one, which asks for recipients as of the time of the send.
    pub(crate) fn listen(
        &mut self,
        on: &MessageInfo,
        new: impl FnOnce(&mut Subscriptions) -> SubscriptionId,
        subscriptions: &mut Subscriptions,
    ) -> &mut Listening {
        let at = on.index.get();
        self.by_type.get_mut().entry(at).or_insert_with(|| {
            let terms = Terms {
                hidden: true,
                part: Part::Apart,
                ..Terms::default()
            };
            let id = new(subscriptions);
            let hearer: Box<dyn Hear<dyn AnyMessage>> = Box::new(Hearer(at));
            let subscribed = Subscribed { id, owner: None };
            subscriptions.enter(subscribed, Some((on.index, on.tags)), terms, hearer);
            let wires = BTreeMap::new();
            Listening { by: id, wires }
        })
    }

    /// Ends the subscriptions of message types that no wire waits for any more.
    pub(super) fn drop_unused_listeners(&mut self, subscriptions: &mut Subscriptions) {
        let by_type = self.by_type.get_mut();
        let mut unused = Vec::new();
        by_type.retain(|_, listening| {
            let is_used = !listening.wires.is_empty();
            if !is_used {
                unused.push(listening.by);
            }
            is_used
        });
        for by in unused {
            drop(subscriptions.remove(by));
        }
    }

    /// Returns the wires of certain messagees that wait for a message type, in the order made.
    pub(super) fn waiting_for(
        &self,
        of: usize,
        are_of: impl Fn(MessageeId) -> bool,
    ) -> Vec<WireId> {
        let by_type = self.by_type.borrow();
        let all = by_type.get(&of).into_iter().flat_map(|it| &it.wires);
        let wanted = all.filter(|&(_, &from)| are_of(from));
        wanted.map(|(&id, _)| id).collect()
    }

    /// Returns the messagee that the wire belongs to, and what it does, if it has not ended and is enabled.
    pub(super) fn ready(&self, id: WireId) -> Option<(MessageeId, Arc<WireTerms>)> {
        let live = self.live.borrow();
        let wire = live.get(&id).filter(|wire| wire.enabled)?;
        Some((wire.from, Arc::clone(&wire.terms)))
    }

    /// Fires a wire that is ready: counts down, and ends the wire after its last time. Returns the message that it
    /// posts, if it has one, and where it was made.
    pub(super) fn fire(&self, id: WireId) -> Option<Fired> {
        let mut live = self.live.borrow_mut();
        let wire = live.get_mut(&id)?;
        let mut fired = Fired {
            message: wire.message.clone(),
            place: wire.place,
            is_last: false,
        };
        if let Some(left) = &mut wire.left {
            *left -= 1;
            fired.is_last = *left == 0;
        }
        drop(live);
        if fired.is_last {
            drop(self.end(id));
        }
        Some(fired)
    }

    /// Lists the wires.
    pub(crate) fn list(&self) -> Vec<WireInfo> {
        let mut listed = Vec::new();
        self.each(|id, wire| {
            let terms = &wire.terms;
            listed.push(WireInfo {
                id,
                from: wire.from,
                on: wire.on.name,
                to: terms.to.clone(),
                message: wire.shown(),
                header: terms.header,
                when: terms.when.clone(),
                left: wire.left,
                enabled: wire.enabled,
            });
        });
        listed
    }
}

impl Live {
    /// Returns what the wire does, as in a world file.
    fn shown(&self) -> String {
        match (self.terms.action, &self.message) {
            (Action::Cancel(key), _) => format!("cancel: {:?}", key.to_string()),
            (_, None) => IT.to_owned(),
            (_, Some(message)) => message.with(|message| {
                let text = Scope::Shown.during(|| shown_tape(message, &self.terms.fields));
                text.map_or_else(|_| message.name().to_owned(), |tape| text::print(&tape, 0))
            }),
        }
    }
}

/// A wire that has fired.
pub(super) struct Fired {
    pub(super) message: Option<Arc<MessageCell>>,
    pub(super) place: &'static Location<'static>,
    /// `true` if it does not fire again.
    pub(super) is_last: bool,
}

/// The listener for the wires of one message type.
struct Hearer(usize);

impl Hear<dyn AnyMessage> for Hearer {
    fn call(
        &self,
        message: &mut dyn AnyMessage,
        sent: &Sent<'_>,
        subscribed: &Subscribed,
    ) -> Verdict {
        fire_wires(self.0, message, sent, subscribed.id);
        Verdict::NotReceived
    }
}

/// Makes a wire.
///
/// # Errors
///
/// Returns an error if the wire cannot be made. Nothing is changed then.
pub(crate) fn connect(
    world: &World,
    wire: Wire,
    place: &'static Location<'static>,
) -> Result<WireId, DataError> {
    world
        .structure
        .check_stays(wire.from)
        .map_err(DataError::new)?;
    let mut live = wire.live(place)?;
    let terms = Arc::make_mut(&mut live.terms);
    if live.left == Some(0) {
        return Err(DataError::new(NEVER));
    }
    if terms.header.stage() == Stage::Immediate {
        return Err(DataError::new(POSTS));
    }
    if matches!(&terms.to, WireTarget::Named(name) if name.is_empty()) {
        let what = "nobody is called \"\": expected a name, with wildcards or without";
        return Err(DataError::new(what));
    }
    if let Some(message) = &live.message {
        message.with(|message| {
            values::check(live.on, Some(message), terms)?;
            // Otherwise it could not fire.
            copy_of(message, world).map(drop)
        })?;
    } else {
        values::check(live.on, None, terms)?;
    }
    let id = Wires::of(&world.outside.wires).add(live);
    world.later(move |world| {
        let wires = Wires::of_mut(&mut world.outside.wires);
        wires.begin(id, &mut world.listen.subscriptions);
    });
    Ok(id)
}

/// Adds a wire that was checked.
pub(crate) fn enter(world: &mut World, live: Live) {
    let wires = Wires::of_mut(&mut world.outside.wires);
    let id = wires.add(live);
    wires.begin(id, &mut world.listen.subscriptions);
}

/// Ends a wire. Returns `true` if there was one.
pub(crate) fn remove(world: &World, id: WireId) -> bool {
    let ended = Wires::of(&world.outside.wires).end(id);
    if ended.is_some() {
        drop_unused(world);
    }
    ended.is_some()
}

/// Ends the subscriptions that no wire needs any more when the outermost send returns.
pub(super) fn drop_unused(world: &World) {
    world.later(|world| {
        let wires = Wires::of_mut(&mut world.outside.wires);
        wires.drop_unused_listeners(&mut world.listen.subscriptions);
    });
}

impl Wire {
    /// Returns the wire as a manager has it.
    fn live(self, place: &'static Location<'static>) -> Result<Live, DataError> {
        let terms = self.terms().map_err(DataError::new)?;
        let (id, name) = self.on;
        let on = registry().message(id).ok_or_else(|| {
            DataError::new(format_args!(
                "the message type `{name}` is not in the registry"
            ))
        })?;
        if terms.action == Action::Post && self.send.is_none() {
            let what = "this wire does nothing: expected `send`, `pass_on` or `cancel`";
            return Err(DataError::new(what));
        }
        Ok(Live {
            from: self.from,
            on,
            message: self.send.map(MessageCell::new),
            terms: terms.into(),
            left: self.left,
            enabled: self.enabled,
            place,
        })
    }
}
