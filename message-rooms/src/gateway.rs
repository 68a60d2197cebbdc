//! The carrier of a room: its proxies, and the messages that leave it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::panic::Location;
use std::sync::Arc;

use message_core::carrier::{Carrier, Carrying};
use message_core::error::CarryError;
use message_core::post::TakenPost;
use message_core::registry::MessageIndex;
use message_core::{AnyMessage, HookId, MessageManager, MessageeId};
use message_data::Logged;
use serde::{Deserialize, Serialize, Serializer};

use crate::far::{Far, RoomId, Who};
use crate::moves::MoveTo;
use crate::passage::{Passage, Taken};
use crate::room::Letter;

/// The carrier of the manager of a room.
#[derive(Debug, Default)]
pub(crate) struct Gateway {
    pub(crate) room: Option<RoomId>,
    /// The target of each proxy, by its destination. The destinations of proxies that have ended are used again.
    targets: Vec<Option<Far>>,
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
        _: u32,
        carrying: Carrying<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(), CarryError> {
        // Not by its destination: a proxy that is there again after a rewind may have that of another one.
        let (Some(target), Some(room)) = (self.target_of(carrying.proxy), self.room) else {
            return Err(CarryError::Unreachable);
        };
        let index = message.facts().index().map(MessageIndex::get);
        let index = index.ok_or_else(|| not_written(&"its type is not registered"))?;
        let out = &mut *self.out.borrow_mut();
        match target.who {
            Who::Outside => return Err(not_written(&"nobody is outside of all messagees there")),
            Who::Rooms => match message.downcast_ref::<MoveTo>() {
                Some(wanted) => out.requests.push(Letter {
                    proxy: carrying.proxy,
                    sender: carrying.sender,
                    content: Taken::Typed(Box::new(*wanted)),
                    why: Arc::default(),
                }),
                None => return Err(not_written(&"the rooms receive `MoveTo` only")),
            },
            to => {
                let who = carrying.sender.id().map_or(Who::Outside, Who::Messagee);
                let from = Far { room, who };
                let passage = &mut out.passages[target.room.at()];
                let row = (out.sent, to, from);
                let pushed = passage.push(row, carrying, (index, message), &|id| self.far_of(id));
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
        if let Some(target) = self.targets[destination as usize].take() {
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
        let room = self.room.expect("only an open gateway has messages");
        self.target_of(id).unwrap_or(Far::messagee(room, id))
    }

    /// Returns the target of a proxy.
    pub(crate) fn target_of(&self, proxy: MessageeId) -> Option<Far> {
        let destination = self.destinations.get(&proxy)?;
        self.targets[*destination as usize]
    }

    /// Returns the proxy for a target. Unlike [`local`], returns the proxy that a messagee which has moved here has
    /// left behind.
    pub(crate) fn proxy_for(&self, target: Far) -> Option<MessageeId> {
        self.proxies.get(&target).copied()
    }

    /// Sends a message that was pending here after the messagee that it was posted to, or after a component of it. It
    /// ends with the component `until` there.
    ///
    /// # Errors
    ///
    /// Returns an error if the message cannot leave the room.
    pub(crate) fn forward(
        &mut self,
        proxy: MessageeId,
        post: &TakenPost,
        component: Option<HookId>,
        until: Option<HookId>,
    ) -> Result<(), CarryError> {
        let header = post.header.with_end(None);
        let carrying = Carrying {
            proxy,
            sender: post.sender,
            header: Some(&header),
            place: Location::caller(),
            send: None,
            context: None,
        };
        self.carry(0, carrying, &*post.message)?;
        // The sender may be in another room.
        let from = post.sender.id().map(|id| self.far_of(id));
        let room = self.target_of(proxy).expect("it has a destination").room;
        let row = self.outgoing().passages[room.at()].rows.last_mut();
        let row = row.expect("the message was carried");
        row.from = from.unwrap_or(row.from);
        row.to = component.map_or(row.to, Who::Component);
        row.until = until;
        Ok(())
    }

    /// Takes note that a messagee has another address: its proxy follows it.
    pub(crate) fn follow(&mut self, old: Far, new: Far) {
        if let Some(proxy) = self.proxies.remove(&old) {
            self.targets[self.destinations[&proxy] as usize] = Some(new);
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
    gateway.targets[destination as usize] = Some(target);
    let proxy = manager.spawn_proxy(destination, &Logged::new(&RoomInput));
    let gateway = Gateway::of(manager);
    gateway.destinations.insert(proxy, destination);
    gateway.proxies.insert(target, proxy);
    gateway.fresh.push(proxy);
    proxy
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
