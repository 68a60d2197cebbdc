//! The carrier of a room: its proxies, and the messages that leave it.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::mem;
use std::panic::Location;

use message_core::carrier::{Carrier, Carrying};
use message_core::error::CarryError;
use message_core::registry::MessageIndex;
use message_core::{AnyMessage, MessageManager, MessageeId};
use message_data::{Logged, MessageeNumber, SavedCarrier};
use serde::{Deserialize, Serialize};

use crate::far::{Far, RoomId, Who};
use crate::input::RoomInput;
use crate::moves::Moved;
use crate::passage::{Letter, Passage};
use crate::row::{Row, place};

/// The carrier of the manager of a room.
#[derive(Debug, Default)]
pub(crate) struct Gateway {
    pub(crate) room: Option<RoomId>,
    /// Whether each message that leaves the room needs data, because a journal has to contain it. Not saved, because a
    /// journal must not change the digest.
    needs_data: bool,
    /// Each proxy and its target, by its destination. The destinations of proxies that have ended are used again.
    targets: Vec<Option<(MessageeId, Far)>>,
    free: Vec<u32>,
    destinations: HashMap<MessageeId, u32>,
    proxies: HashMap<Far, MessageeId>,
    out: RefCell<Outgoing>,
    /// The messagees that have ended since the last barrier, but for proxies.
    ended: Vec<MessageeNumber>,
    /// The proxies that were spawned since the last barrier. Their targets may have ended before.
    fresh: Vec<MessageeId>,
    /// The new addresses of messagees that have moved since the last barrier, in any room.
    pub(crate) moved: HashMap<Far, Far>,
    /// Those that have moved from this room.
    left: Vec<Moved>,
    /// The messages from this room that were not delivered.
    returned: VecDeque<Letter>,
}

/// The messages that leave a room in a frame. In a cell because sends write to it.
#[derive(Debug, Default)]
struct Outgoing {
    /// The passage to each room, also to this one: a messagee that moves here leaves its proxy behind.
    passages: Vec<Passage>,
    /// The number of messages in this frame.
    sent: u32,
    /// Whether a message of a type was ever carried, by the number of the type.
    carried: Vec<bool>,
}

impl Outgoing {
    fn passage(&mut self, to: RoomId) -> &mut Passage {
        if self.passages.len() <= to.at() {
            self.passages.resize_with(to.at() + 1, Passage::default);
        }
        &mut self.passages[to.at()]
    }

    fn note(&mut self, of: MessageIndex) {
        if self.carried.len() <= of.get() {
            self.carried.resize(of.get() + 1, false);
        }
        self.carried[of.get()] = true;
    }
}

/// The messages and the news that leave a room at a barrier.
#[derive(Debug)]
pub(crate) struct Departure {
    pub(crate) passages: Vec<Passage>,
    pub(crate) ended: Vec<MessageeNumber>,
    /// The targets of the proxies that were spawned.
    pub(crate) fresh: Vec<Far>,
    pub(crate) moved: HashMap<Far, Far>,
    pub(crate) left: Vec<Moved>,
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
        let index = message.facts().index();
        let index = index.ok_or_else(|| not_written(&"its type is not registered"))?;
        let out = &mut *self.out.borrow_mut();
        let sender = carrying.sender.id();
        let row = Row {
            number: out.sent,
            column: place(index.get()),
            at: 0,
            to: target.who,
            from: self.own(sender.map_or(Who::Outside, |id| Who::Messagee(MessageeNumber::of(id)))),
            proxy,
        };
        if let Who::Outside = target.who {
            return Err(not_written(
                &"it represents the outside of its room, which receives no messages",
            ));
        }
        let (header, far_of) = (carrying.header, |id| self.far_of(id));
        let passage = out.passage(target.room);
        let pushed = passage.push(row, header, message, &far_of, self.needs_data);
        pushed.map_err(|error| not_written(&error))?;
        out.sent += 1;
        out.note(index);
        Ok(())
    }

    fn has_carried(&self, of: MessageIndex) -> bool {
        let out = self.out.borrow();
        out.carried.get(of.get()).is_some_and(|carried| *carried)
    }

    fn note_end(&mut self, id: MessageeId) {
        let Some(destination) = self.destinations.remove(&id) else {
            return self.ended.push(MessageeNumber::of(id));
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

    /// Returns the address of a messagee that this room knows by an id.
    pub(crate) fn far_of(&self, id: MessageeId) -> Far {
        let target = self.target_of(id);
        target.unwrap_or_else(|| self.own(Who::Messagee(MessageeNumber::of(id))))
    }

    /// Returns the address to which a messagee has moved that this room knows by an id.
    pub(crate) fn moved_far_of(&self, id: MessageeId) -> Far {
        let far = self.far_of(id);
        self.moved.get(&far).copied().unwrap_or(far)
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
}

/// Makes a manager that of a room. With a journal, each message that leaves the room needs data.
pub(crate) fn enter(manager: &mut MessageManager, room: RoomId, needs_data: bool) {
    manager.foreign_input(&Logged::new(&RoomInput::Enter(room, needs_data)));
    let gateway = Gateway::of(manager);
    (gateway.room, gateway.needs_data) = (Some(room), needs_data);
}

/// Takes note that a messagee has another address: its proxy follows it. In the room that it leaves, returns its proxy.
pub(crate) fn follow(manager: &mut MessageManager, old: Far, new: Far) -> Option<MessageeId> {
    manager.foreign_input(&Logged::new(&RoomInput::Follow(old, new)));
    let gateway = Gateway::of(manager);
    if let Some(proxy) = gateway.proxies.remove(&old) {
        gateway.targets[gateway.destinations[&proxy] as usize] = Some((proxy, new));
        gateway.proxies.insert(new, proxy);
    }
    for moved in gateway.moved.values_mut().filter(|moved| **moved == old) {
        *moved = new;
    }
    gateway.moved.insert(old, new);
    let (Far { room, who }, here) = (old, gateway.room);
    let Who::Messagee(number) = who else {
        return None;
    };
    if Some(room) != here {
        return None;
    }
    let (from, to) = (number.id_in(manager), local(manager, new));
    Gateway::of(manager).left.push(Moved { from, to });
    Some(to)
}

/// The barrier: takes what has to leave the room.
pub(crate) fn depart(manager: &mut MessageManager, needs_data: bool) -> Departure {
    manager.foreign_input(&Logged::new(&RoomInput::Depart(needs_data)));
    let gateway = Gateway::of(manager);
    gateway.needs_data = needs_data;
    let moved = mem::take(&mut gateway.moved);
    for letter in &mut gateway.returned {
        letter.content.redirect(&moved);
    }
    let fresh = mem::take(&mut gateway.fresh).into_iter();
    let fresh = fresh.filter_map(|proxy| gateway.target_of(proxy)).collect();
    let out = gateway.out.get_mut();
    out.sent = 0;
    Departure {
        passages: mem::take(&mut out.passages),
        ended: mem::take(&mut gateway.ended),
        fresh,
        moved,
        left: mem::take(&mut gateway.left),
    }
}

/// Gives an empty passage back, for the next messages.
pub(crate) fn give_back(manager: &mut MessageManager, passages: Vec<Passage>) {
    Gateway::of(manager).out.get_mut().passages = passages;
}

/// Returns a message that was not delivered to the room of its sender, which [reports](report) it in the next frame.
pub(crate) fn take_back(manager: &mut MessageManager, letter: Letter) {
    let input = RoomInput::Return(letter.into());
    manager.foreign_input(&Logged::new(&input));
    if let RoomInput::Return(letter) = input {
        Gateway::of(manager).returned.push_back(*letter);
    }
}

/// Turns the first message that was not delivered into a dead letter. Returns `false` if there is none.
pub(crate) fn report(manager: &mut MessageManager) -> bool {
    let Some(letter) = Gateway::seen(manager).returned.front() else {
        return false;
    };
    // A proxy is an input of its own. It comes first, because a handler that receives the dead letter may end it.
    for far in letter.content.ids().to_vec() {
        local(manager, far);
    }
    manager.foreign_input(&Logged::new(&RoomInput::Report));
    if let Some(letter) = Gateway::of(manager).returned.pop_front() {
        letter.report(manager);
    }
    true
}

/// Returns the id by which a room knows a target. Spawns a proxy if there is none.
pub(crate) fn local(manager: &mut MessageManager, target: Far) -> MessageeId {
    let gateway = Gateway::of(manager);
    match target.who {
        Who::Messagee(number) if Some(target.room) == gateway.room => return number.id_in(manager),
        _ => {}
    }
    if let Some(known) = gateway.proxy_for(target) {
        return known;
    }
    let destination = gateway.free.pop().unwrap_or_else(|| {
        gateway.targets.push(None);
        u32::try_from(gateway.targets.len() - 1).expect("there are fewer than 2^32 messagees")
    });
    let proxy = manager.spawn_proxy(destination, &Logged::new(&RoomInput::Proxy(target)));
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

message_data::saved_carrier!(Gateway);

/// A gateway in a save.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedGateway {
    room: RoomId,
    targets: Vec<Option<(MessageeId, Far)>>,
    free: Vec<u32>,
    ended: Vec<MessageeNumber>,
    fresh: Vec<MessageeId>,
    moved: Vec<(Far, Far)>,
    left: Vec<Moved>,
    returned: VecDeque<Letter>,
    passages: Vec<Vec<Letter>>,
    sent: u32,
}

impl SavedCarrier for Gateway {
    const NAME: &'static str = "message_rooms.gateway";

    type State = SavedGateway;

    fn state(&self) -> Option<SavedGateway> {
        let out = self.out.borrow();
        let mut passages: Vec<_> = out.passages.iter().map(Passage::letters).collect();
        // A room may have been added that nothing was sent to.
        while passages.pop_if(|letters| letters.is_empty()).is_some() {}
        let mut moved: Vec<_> = self.moved.iter().map(|(&old, &new)| (old, new)).collect();
        moved.sort_by_key(|(old, _)| (old.room, old.who.number()));
        Some(SavedGateway {
            room: self.room?,
            targets: self.targets.clone(),
            free: self.free.clone(),
            ended: self.ended.clone(),
            fresh: self.fresh.clone(),
            moved,
            left: self.left.clone(),
            returned: self.returned.clone(),
            passages,
            sent: out.sent,
        })
    }

    fn restored(
        saved: SavedGateway,
        destinations: &[u32],
        _: &'static Location<'static>,
    ) -> Result<Self, String> {
        let is_there = |at: &u32| matches!(saved.targets.get(*at as usize), Some(Some(_)));
        if let Some(at) = destinations.iter().find(|at| !is_there(at)) {
            return Err(format!(
                "a proxy leads to destination {at}, which has no target"
            ));
        }
        let is_free = |at: &u32| matches!(saved.targets.get(*at as usize), Some(None));
        if let Some(at) = saved.free.iter().find(|at| !is_free(at)) {
            return Err(format!("destination {at} is not free"));
        }
        let mut out = Outgoing {
            sent: saved.sent,
            ..Outgoing::default()
        };
        for (to, letters) in saved.passages.into_iter().enumerate() {
            for letter in letters {
                let of = out.passage(RoomId::of_place(to)).put(letter)?;
                out.note(of);
            }
        }
        let all = saved.targets.iter().zip(0..);
        let all: Vec<_> = all.filter_map(|(it, at)| Some(((*it)?, at))).collect();
        Ok(Self {
            room: Some(saved.room),
            // A journal needs data. In a log, the next barrier sets it.
            needs_data: true,
            free: saved.free,
            destinations: all.iter().map(|&((proxy, _), at)| (proxy, at)).collect(),
            proxies: all.iter().map(|&((proxy, far), _)| (far, proxy)).collect(),
            targets: saved.targets,
            out: out.into(),
            ended: saved.ended,
            fresh: saved.fresh,
            moved: saved.moved.into_iter().collect(),
            left: saved.left,
            returned: saved.returned,
        })
    }
}
