//! The wires of a manager, and the code that fires them.
//!
//! There is one hidden subscription for each message type that any wire waits for. It looks for the wires of the
//! messagees that receive the message. So a manager without wires has no such subscription, and one with wires pays
//! only for the types that they wait for.
//!
//! The table is in a cell because it changes during a dispatch: counts go down, and wires end. It is never borrowed
//! while a message is posted.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::{Arc, Mutex, PoisonError};

use message_core::error::Undelivered;
use message_core::internals::{
    Attached, Attachment, Conditions, Frame, Hear, Options, Part, PostCall, Sent, Subscribed,
    Subscriptions, Verdict, World,
};
use message_core::registry::{MessageIndex, MessageInfo};
use message_core::{
    AnyMessage, Header, MessageeId, Recipient, SendError, SendErrorKind, Sender, Stage,
    SubscriptionId, TagSet, registry,
};
use message_format::DataError;

use crate::messages::{copy_of, text_in_scope};
use crate::scope::Scope;
use crate::wire::{NEVER, POSTS, Wire, WireId, WireInfo, WireTarget, WireTerms};

/// A wire of a manager.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) from: MessageeId,
    pub(crate) on: &'static MessageInfo,
    /// The message that the wire posts. It is copied each time.
    pub(crate) message: Arc<MessageCell>,
    pub(crate) terms: WireTerms,
    pub(super) place: &'static Location<'static>,
}

/// A message that is only read, and by one thread at a time, like the manager.
#[derive(Debug)]
pub(crate) struct MessageCell(Mutex<Box<dyn AnyMessage>>);

impl MessageCell {
    pub(super) fn new(message: Box<dyn AnyMessage>) -> Arc<Self> {
        Arc::new(Self(Mutex::new(message)))
    }

    pub(crate) fn with<T>(&self, look: impl FnOnce(&dyn AnyMessage) -> T) -> T {
        let message = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        look(&**message)
    }
}

const ALONE: &str = "wires alone are attached to messagees";

/// The wires of a manager.
#[derive(Debug, Default)]
pub(crate) struct Wires {
    live: RefCell<BTreeMap<WireId, Live>>,
    /// For each message type that wires wait for: the subscription, and the wires.
    pub(super) by_type: RefCell<BTreeMap<usize, Listening>>,
    pub(super) made: Cell<u64>,
}

#[derive(Debug)]
pub(super) struct Listening {
    pub(super) by: SubscriptionId,
    wires: Vec<WireId>,
}

impl Attached for Wires {
    fn take_all(&mut self) -> Vec<Box<dyn Any + Send>> {
        self.by_type.get_mut().clear();
        let live = std::mem::take(self.live.get_mut()).into_values();
        live.map(|live| Box::new(live) as _).collect()
    }

    fn take_all_of(
        &mut self,
        from: MessageeId,
        subscriptions: &mut Subscriptions,
    ) -> Vec<Box<dyn Any + Send>> {
        let live = self.live.get_mut();
        if live.is_empty() {
            return Vec::new();
        }
        let ids: Vec<WireId> = live
            .iter()
            .filter(|(_, wire)| wire.from == from)
            .map(|(&id, _)| id)
            .collect();
        let ended = ids.into_iter().filter_map(|id| self.end(id));
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
        wire.is_some_and(|wire| {
            wire.terms.enabled = enabled;
            true
        })
    }

    /// Ends a wire. Returns it, so that it can be dropped where nothing is borrowed.
    fn end(&self, id: WireId) -> Option<Live> {
        let live = self.live.borrow_mut().remove(&id)?;
        if let Some(listening) = self.by_type.borrow_mut().get_mut(&live.on.index.get()) {
            listening.wires.retain(|other| *other != id);
        }
        Some(live)
    }

    /// Adds a wire, which waits for its message type from now on.
    pub(super) fn enter(&mut self, live: Live, subscriptions: &mut Subscriptions) -> WireId {
        let made = self.made.get();
        self.made.set(made + 1);
        let id = WireId(made);
        let (of, tags) = (live.on.index, live.on.tags);
        self.live.get_mut().insert(id, live);
        let listening = self.listen(of, tags, subscriptions);
        listening.wires.push(id);
        id
    }

    /// Returns the wires that wait for a message type, with the subscription that looks for them.
    pub(super) fn listen(
        &mut self,
        of: MessageIndex,
        tags: TagSet,
        subscriptions: &mut Subscriptions,
    ) -> &mut Listening {
        let at = of.get();
        let by_type = self.by_type.get_mut();
        by_type.entry(at).or_insert_with(|| Listening {
            by: enter_hearer((of, tags), Hearer(at), subscriptions),
            wires: Vec::new(),
        })
    }

    /// Ends a wire. Returns `true` if there was one.
    pub(crate) fn remove(&mut self, id: WireId, subscriptions: &mut Subscriptions) -> bool {
        let ended = self.end(id);
        self.drop_unused_listeners(subscriptions);
        ended.is_some()
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

    /// Returns the wires that wait for a message type, in the order made.
    fn waiting_for(&self, of: usize) -> Vec<WireId> {
        let by_type = self.by_type.borrow();
        let listening = by_type.get(&of);
        listening.map_or_else(Vec::new, |listening| listening.wires.clone())
    }

    /// Returns the messagee that the wire belongs to, if the wire has not ended.
    fn from(&self, id: WireId) -> Option<MessageeId> {
        self.live.borrow().get(&id).map(|wire| wire.from)
    }

    /// Fires a wire, if it is enabled: counts down, and ends the wire after its last time.
    fn fire(&self, id: WireId) -> Option<Fired> {
        let mut live = self.live.borrow_mut();
        let wire = live.get_mut(&id).filter(|wire| wire.terms.enabled)?;
        let mut fired = Fired {
            message: Arc::clone(&wire.message),
            terms: wire.terms.clone(),
            place: wire.place,
            is_last: false,
        };
        if let Some(left) = &mut wire.terms.times {
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
            let message = wire.message.with(|message| {
                let text = Scope::Shown.during(|| text_in_scope(message));
                text.unwrap_or_else(|_| message.name().to_owned())
            });
            listed.push(WireInfo {
                id,
                from: wire.from,
                on: wire.on.name,
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

/// The post of a wire that has fired.
struct Fired {
    message: Arc<MessageCell>,
    terms: WireTerms,
    place: &'static Location<'static>,
    /// `true` if it does not fire again.
    is_last: bool,
}

/// The listener for the wires of one message type.
struct Hearer(usize);

/// Subscribes a hidden listener that asks for recipients as of the time of the send.
fn enter_hearer(
    of: (MessageIndex, TagSet),
    hearer: Hearer,
    subscriptions: &mut Subscriptions,
) -> SubscriptionId {
    let id = subscriptions.reserve();
    let options = Options {
        hidden: true,
        part: Part::Apart,
        ..Options::default()
    };
    let terms = (options, Conditions::default());
    let subscribed = Subscribed { id, owner: None };
    let hearer: Box<dyn Hear<dyn AnyMessage>> = Box::new(hearer);
    subscriptions.enter(subscribed, Some(of), terms, hearer);
    id
}

impl Hear<dyn AnyMessage> for Hearer {
    fn call(&self, _: &mut dyn AnyMessage, sent: &Sent<'_>, subscribed: &Subscribed) -> Verdict {
        fire_wires(self.0, sent, subscribed.id);
        Verdict::NotReceived
    }
}

/// Makes a wire.
///
/// # Errors
///
/// Returns an error if the wire cannot be made. Nothing is changed then.
pub(crate) fn connect(
    world: &mut World,
    wire: Wire,
    place: &'static Location<'static>,
) -> Result<WireId, DataError> {
    world
        .structure
        .check_stays(wire.from)
        .map_err(DataError::new)?;
    let (id, name) = wire.on;
    let on = registry().message(id).ok_or_else(|| {
        DataError::new(format_args!(
            "the message type `{name}` is not in the registry"
        ))
    })?;
    let message = wire
        .send
        .ok_or_else(|| DataError::new("a wire posts a message: expected one by `send`"))?;
    let terms = wire.terms;
    if terms.times == Some(0) {
        return Err(DataError::new(NEVER));
    }
    if terms.stage == Stage::Immediate {
        return Err(DataError::new(POSTS));
    }
    if matches!(&terms.to, WireTarget::Name(name) if name.is_empty()) {
        let what = "nobody is called \"\": expected a name, with wildcards or without";
        return Err(DataError::new(what));
    }
    // Otherwise it could not fire.
    copy_of(&*message, world)?;
    let live = Live {
        from: wire.from,
        on,
        message: MessageCell::new(message),
        terms,
        place,
    };
    let wires = Wires::of_mut(&mut world.outside.wires);
    Ok(wires.enter(live, &mut world.listen.subscriptions))
}

/// Fires the wires of the messagees that receive this message.
fn fire_wires(of: usize, sent: &Sent<'_>, by: SubscriptionId) {
    let world = sent.world;
    let wires = Wires::of(&world.outside.wires);
    for id in wires.waiting_for(of) {
        let Some(from) = wires.from(id) else {
            continue;
        };
        let stays =
            world.structure.messagees.is_alive(from) && !world.structure.messagees.is_leaving(from);
        if !stays || !sent.was_meant(from) {
            continue;
        }
        let Some(fired) = wires.fire(id) else {
            continue;
        };
        if fired.is_last {
            world.later(|world| {
                let wires = Wires::of_mut(&mut world.outside.wires);
                wires.drop_unused_listeners(&mut world.listen.subscriptions);
            });
        }
        let subscribed = Subscribed {
            id: by,
            owner: Some(from),
        };
        let frame = Frame::of_subscription(sent, subscribed);
        post_by_wire(&frame, from, &fired);
    }
}

fn post_by_wire(frame: &Frame<'_>, from: MessageeId, fired: &Fired) {
    let world = frame.sent.world;
    let Fired {
        message,
        terms,
        place,
        ..
    } = fired;
    let place = *place;
    let refuse = |why: Undelivered| bury_of_wire(frame, from, message, why, place);
    let to: Vec<Recipient> = match &terms.to {
        WireTarget::Name(pattern) => {
            let found = world.structure.find(pattern);
            let stays = found.filter(|&id| world.structure.check_stays(id).is_ok());
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
                let error = SendError::of(
                    Some(message),
                    None,
                    SendErrorKind::NobodyToReplyTo { sender },
                );
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
        let copied = message.with(|message| copy_of(message, world));
        let posted = match (header.build(), copied) {
            (Ok(header), Ok(copy)) => {
                let held = &mut Some(copy);
                let call = PostCall::new(header.recipient(), &header, held);
                let posted = PostCall { place, ..call }.post_anew(frame);
                posted.map(|_| ())
            }
            (Err(error), _) => {
                let message = message.with(AnyMessage::name);
                Err(SendError::new(message, to, SendErrorKind::Header(error)))
            }
            // It was copied when the wire was made.
            (_, Err(_)) => {
                refuse(Undelivered::NotCloned);
                continue;
            }
        };
        if let Err(error) = posted {
            refuse(Undelivered::Refused { error });
        }
    }
}

/// Reports a message that a wire could not post as a dead letter, as if it were addressed to the wire's own
/// messagee.
#[cold]
fn bury_of_wire(
    frame: &Frame<'_>,
    from: MessageeId,
    message: &MessageCell,
    why: Undelivered,
    place: &'static Location<'static>,
) {
    let (world, to) = (frame.sent.world, Recipient::Id(from));
    let copy = message.with(|message| copy_of(message, world).ok());
    let facts = message.with(AnyMessage::facts);
    let sent = Sent {
        parent: Some(frame),
        ..Sent::of_type(facts, world, Sender::Messagee(from), to, place)
    };
    sent.bury(why, 0, copy);
}
