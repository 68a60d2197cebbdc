//! The carrier of a room: its proxies, and the messages that leave it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use message_core::carrier::{Carrier, Carrying};
use message_core::error::CarryError;
use message_core::registry::MessageIndex;
use message_core::{AnyMessage, MessageManager, MessageeId};
use message_data::Logged;
use serde::{Deserialize, Serialize, Serializer};

use crate::column::Content;
use crate::far::{Far, RoomId, Who};
use crate::moves::MoveTo;
use crate::passage::{Letter, Passage};
use crate::row::{Row, place};

/// The carrier of the manager of a room.
#[derive(Debug, Default)]
pub(crate) struct Gateway {
    pub(crate) room: Option<RoomId>,
    /// Each proxy and its target, by its destination. The destinations of proxies that have ended are used again.
    targets: Vec<Option<(MessageeId, Far)>>,
    free: Vec<u32>,
    destinations: HashMap<MessageeId, u32>,
    proxies: HashMap<Far, MessageeId>,
    out: RefCell<Outgoing>,
    /// The messagees that have ended since the last barrier, but for proxies.
    pub(crate) ended: Vec<MessageeId>,
    /// The proxies that were spawned since the last barrier. Their targets may have ended before.
    pub(crate) fresh: Vec<MessageeId>,
}

/// The messages that leave a room in a frame. In a cell because sends write to it.
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    /// The passage to each room, also to this one: a messagee that moves here leaves its proxy behind.
    pub(crate) passages: Vec<Passage>,
    /// The number of messages in this frame.
    pub(crate) sent: u32,
    /// Requests to the rooms: each is a [`MoveTo`].
    pub(crate) requests: Vec<Letter>,
    /// Whether a message of a type was ever carried, by the number of the type.
    carried: Vec<bool>,
}

impl Carrier for Gateway {
    fn carry(
        &self,
        destination: u32,
        carrying: Carrying<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(), CarryError> {
        let proxy = carrying.proxy;
        // A proxy that is there again after a rewind may have the destination of another one.
        let target = match self.targets.get(destination as usize) {
            Some(&Some((at, target))) if at == proxy => target,
            _ => return Err(CarryError::Unreachable),
        };
        let index = message.facts().index().map(MessageIndex::get);
        let index = index.ok_or_else(|| not_written(&"its type is not registered"))?;
        let out = &mut *self.out.borrow_mut();
        let who = carrying.sender.id().map_or(Who::Outside, Who::Messagee);
        let row = Row {
            number: out.sent,
            column: place(index),
            at: 0,
            to: target.who,
            from: self.own(who),
            proxy,
        };
        match target.who {
            Who::Outside => {
                return Err(not_written(
                    &"it represents the outside of its room, which receives no messages",
                ));
            }
            Who::Rooms => match message.downcast_ref::<MoveTo>() {
                Some(wanted) => out.requests.push(Letter {
                    row,
                    content: Content::Typed(Box::new(*wanted)),
                    why: Arc::default(),
                }),
                None => return Err(not_written(&"the rooms only receive `MoveTo`")),
            },
            _ => {
                let passage = &mut out.passages[target.room.at()];
                let pushed = passage.push(row, carrying.header, message, &|id| self.far_of(id));
                pushed.map_err(|error| not_written(&error))?;
                out.sent += 1;
            }
        }
        if out.carried.len() <= index {
            out.carried.resize(index + 1, false);
        }
        out.carried[index] = true;
        Ok(())
    }

    fn has_carried(&self, of: MessageIndex) -> bool {
        let out = self.out.borrow();
        out.carried.get(of.get()).is_some_and(|carried| *carried)
    }

    fn note_end(&mut self, id: MessageeId) {
        let Some(destination) = self.destinations.remove(&id) else {
            return self.ended.push(id);
        };
        if let Some((_, target)) = self.targets[destination as usize].take() {
            self.proxies.remove(&target);
        }
        self.free.push(destination);
    }
}

fn not_written(error: &impl ToString) -> CarryError {
    let error = error.to_string().into();
    CarryError::NotWritten { error }
}

impl Gateway {
    /// Returns the gateway of a manager. Installs it if there is none.
    ///
    /// # Panics
    ///
    /// Panics if the manager has a carrier of another type.
    pub(crate) fn of(manager: &mut MessageManager) -> &mut Self {
        manager.carrier_mut()
    }

    /// Looks into the gateway of a room.
    pub(crate) fn seen(manager: &MessageManager) -> &Self {
        manager.carrier().expect("each room has a gateway")
    }

    pub(crate) fn outgoing(&mut self) -> &mut Outgoing {
        self.out.get_mut()
    }

    /// Returns the address of a messagee that this room knows by an id.
    pub(crate) fn far_of(&self, id: MessageeId) -> Far {
        let target = self.target_of(id);
        target.unwrap_or_else(|| self.own(Who::Messagee(id)))
    }

    /// Returns an address in this room.
    pub(crate) fn own(&self, who: Who) -> Far {
        let room = self.room.expect("only an open gateway has messages");
        Far { room, who }
    }

    /// Returns the target of a proxy.
    pub(crate) fn target_of(&self, proxy: MessageeId) -> Option<Far> {
        let destination = self.destinations.get(&proxy)?;
        self.targets[*destination as usize].map(|(_, target)| target)
    }

    /// Returns the proxy for a target. Unlike [`local`], returns the proxy that a messagee which has moved here has
    /// left behind.
    pub(crate) fn proxy_for(&self, target: Far) -> Option<MessageeId> {
        self.proxies.get(&target).copied()
    }

    /// Takes note that a messagee has another address: its proxy follows it.
    pub(crate) fn follow(&mut self, old: Far, new: Far) {
        if let Some(proxy) = self.proxies.remove(&old) {
            self.targets[self.destinations[&proxy] as usize] = Some((proxy, new));
            self.proxies.insert(new, proxy);
        }
    }

    /// Hashes the targets of the proxies, and the messages that leave the room.
    pub(crate) fn hash(&self, to: &mut impl Hasher) {
        self.targets.hash(to);
        for passage in &self.out.borrow().passages {
            passage.hash(to);
        }
    }
}

/// Returns the id by which a room knows a target. Spawns a proxy if there is none.
pub(crate) fn local(manager: &mut MessageManager, target: Far) -> MessageeId {
    let gateway = Gateway::of(manager);
    let known = match target.who {
        Who::Messagee(id) if Some(target.room) == gateway.room => Some(id),
        _ => gateway.proxy_for(target),
    };
    if let Some(known) = known {
        return known;
    }
    let destination = gateway.free.pop().unwrap_or_else(|| {
        gateway.targets.push(None);
        u32::try_from(gateway.targets.len() - 1).expect("there are fewer than 2^32 messagees")
    });
    let proxy = manager.spawn_proxy(destination, &Logged::new(&RoomInput));
    let gateway = Gateway::of(manager);
    gateway.targets[destination as usize] = Some((proxy, target));
    gateway.destinations.insert(proxy, destination);
    gateway.proxies.insert(target, proxy);
    gateway.fresh.push(proxy);
    proxy
}

/// Returns the id by which a room knows a sender, or the outside of its room if it has moved here and has ended.
pub(crate) fn sender(manager: &mut MessageManager, from: Far) -> MessageeId {
    let id = local(manager, from);
    if manager.is_alive(id) {
        return id;
    }
    let who = Who::Outside;
    local(manager, Far { who, ..from })
}

/// The input of a room that depends on other rooms. A log cannot contain it, because a replay has this room only.
#[derive(Debug, Deserialize)]
pub(crate) struct RoomInput;

impl Serialize for RoomInput {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom(
            "the log of one room cannot repeat what depends on other rooms",
        ))
    }
}

impl message_data::LoggedInput for RoomInput {
    const NAME: &'static str = "message_rooms.input";

    fn repeat(self, _: &mut MessageManager) {
        unreachable!("it is never written");
    }
}
