//! The carrier of a room: its proxies, and the messages that leave it.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::mem;
use std::panic::Location;

use message_core::carrier::{Carrier, Carrying};
use message_core::error::CarryError;
use message_core::registry::MessageIndex;
use message_core::{AnyMessage, MessageManager, MessageeId};
use message_data::{DataError, Logged, MessageeNumber, SavedCarrier, type_of};
use serde::{Deserialize, Serialize};

use crate::content::CarriedHeader;
use crate::far::{Far, RoomId, Who};
use crate::input::RoomInput;
use crate::moves::Moved;
use crate::passage::{Letter, Passage, Row, Spot};

/// The carrier of the manager of a room.
#[derive(Debug, Default)]
pub(crate) struct Gateway {
    pub(crate) state: State,
    /// Whether each message that leaves the room needs data, because a journal has to contain it. Not saved, because a
    /// journal must not change the digest.
    needs_data: bool,
    /// The destinations of proxies that have ended. They are used again, the first one first.
    free: BTreeSet<u32>,
    /// The destination of each proxy, and the proxy for each target.
    destinations: HashMap<MessageeId, u32>,
    proxies: HashMap<Far, MessageeId>,
    /// The passage to each room, also to this one: a messagee that moves here leaves its proxy behind. In a cell because
    /// sends write to it.
    out: RefCell<Vec<Passage>>,
    /// The types of messages that were carried.
    carried: RefCell<BTreeSet<MessageIndex>>,
}

/// The part of a gateway that is saved as it is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    room: Option<RoomId>,
    /// Each proxy and its target, by its destination.
    targets: Vec<Option<(MessageeId, Far)>>,
    news: News,
    /// The messages from this room that were not delivered.
    returned: VecDeque<Letter>,
    /// The number of messages that were sent since the last barrier.
    sent: Cell<u32>,
}

/// The changes in a room since the last barrier that other rooms have to know.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct News {
    /// The messagees that have ended, but for proxies.
    pub(crate) ended: Vec<MessageeNumber>,
    /// The targets of the proxies that were spawned. They may have ended before.
    pub(crate) fresh: Vec<Far>,
    /// The new addresses of messagees that have moved, in any room.
    pub(crate) moved: HashMap<Far, Far>,
    /// Those that have moved from this room.
    pub(crate) left: Vec<Moved>,
}

fn passage_to(passages: &mut Vec<Passage>, room: RoomId) -> &mut Passage {
    if passages.len() <= room.at() {
        passages.resize_with(room.at() + 1, Passage::default);
    }
    &mut passages[room.at()]
}

impl Carrier for Gateway {
    fn carry(
        &self,
        destination: u32,
        carrying: Carrying<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(), CarryError> {
        let State { targets, sent, .. } = &self.state;
        // A proxy that is there again after a rewind may have the destination of another one.
        let target = match targets.get(destination as usize) {
            Some(Some((at, target))) if *at == carrying.proxy => target,
            _ => return Err(CarryError::Unreachable),
        };
        let out = &mut *self.out.borrow_mut();
        let passage = passage_to(out, target.room);
        let is_plain = carrying.header.is_none() && target.who != Who::Outside;
        let again = is_plain.then(|| passage.again(carrying.sender, message));
        let (spot, header) = if let Some(spot) = again.flatten() {
            (spot, None)
        } else {
            let first = self.first(passage, target.who, &carrying, message);
            first.map_err(|error| {
                let error = error.to_string().into();
                CarryError::NotWritten { error }
            })?
        };
        passage.rows.push(Row {
            number: sent.get(),
            spot,
            to: target.who,
            proxy: carrying.proxy,
            header,
        });
        sent.set(sent.get() + 1);
        Ok(())
    }

    fn has_carried(&self, of: MessageIndex) -> bool {
        self.carried.borrow().contains(&of)
    }

    fn note_end(&mut self, id: MessageeId) {
        let Some(destination) = self.destinations.remove(&id) else {
            return self.state.news.ended.push(MessageeNumber::of(id));
        };
        if let Some((_, target)) = self.state.targets[destination as usize].take() {
            self.proxies.remove(&target);
        }
        self.free.insert(destination);
    }
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

    /// Adds the content of a message that is not like the last one. Returns its place, and the header.
    #[cold] // So that little is saved around the usual case: W10.
    fn first(
        &self,
        passage: &mut Passage,
        to: Who,
        carrying: &Carrying<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(Spot, Option<Box<CarriedHeader>>), DataError> {
        if to == Who::Outside {
            let why = "it represents the outside of its room, which receives no messages";
            return Err(DataError::new(why));
        }
        if self.needs_data {
            type_of(message)?;
        }
        let of = message.facts().index();
        let of = of.ok_or_else(|| DataError::new("its type is not registered"))?;
        let header = carrying
            .header
            .map(|header| CarriedHeader::of(header, self));
        let header = header.transpose()?.map(Box::new);
        let spot = passage.first(carrying.sender, message, self)?;
        self.carried.borrow_mut().insert(of);
        Ok((spot, header))
    }

    /// Returns the room, if the manager is that of a room.
    pub(crate) fn room(&self) -> Option<RoomId> {
        self.state.room
    }

    /// Returns the address of a messagee that this room knows by an id, or has known until it moved.
    pub(crate) fn far_of(&self, id: MessageeId) -> Far {
        let target = self.target_of(id);
        let far = target.unwrap_or_else(|| self.own(Who::Messagee(MessageeNumber::of(id))));
        self.state.news.moved.get(&far).copied().unwrap_or(far)
    }

    /// Returns an address in this room.
    pub(crate) fn own(&self, who: Who) -> Far {
        let room = self.room().expect("only an open gateway has messages");
        Far { room, who }
    }

    /// Returns the target of a proxy.
    pub(crate) fn target_of(&self, proxy: MessageeId) -> Option<Far> {
        let destination = self.destinations.get(&proxy)?;
        self.state.targets[*destination as usize].map(|(_, target)| target)
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
    (gateway.state.room, gateway.needs_data) = (Some(room), needs_data);
}

/// Takes note that a messagee has another address: its proxy follows it. In the room that it leaves, returns its proxy.
pub(crate) fn follow(manager: &mut MessageManager, old: Far, new: Far) -> Option<MessageeId> {
    manager.foreign_input(&Logged::new(&RoomInput::Follow(old, new)));
    let gateway = Gateway::of(manager);
    let state = &mut gateway.state;
    if let Some(proxy) = gateway.proxies.remove(&old) {
        state.targets[gateway.destinations[&proxy] as usize] = Some((proxy, new));
        gateway.proxies.insert(new, proxy);
    }
    let moved = &mut state.news.moved;
    for moved in moved.values_mut().filter(|moved| **moved == old) {
        *moved = new;
    }
    moved.insert(old, new);
    let number = old.who.number().filter(|_| state.room == Some(old.room))?;
    let (from, to) = (number.id_in(manager), local(manager, new));
    Gateway::of(manager)
        .state
        .news
        .left
        .push(Moved { from, to });
    Some(to)
}

/// The barrier: takes the messages and the news that leave the room.
pub(crate) fn depart(manager: &mut MessageManager, needs_data: bool) -> (Vec<Passage>, News) {
    manager.foreign_input(&Logged::new(&RoomInput::Depart(needs_data)));
    let gateway = Gateway::of(manager);
    gateway.needs_data = needs_data;
    let State {
        news,
        returned,
        sent,
        ..
    } = &mut gateway.state;
    for letter in returned {
        letter.content.redirect(&news.moved);
    }
    sent.set(0);
    (gateway.out.take(), mem::take(news))
}

/// Gives an empty passage back, for the next messages.
pub(crate) fn give_back(manager: &mut MessageManager, passages: Vec<Passage>) {
    *Gateway::of(manager).out.get_mut() = passages;
}

/// Returns a message that was not delivered to the room of its sender, which [reports](report) it in the next frame.
pub(crate) fn take_back(manager: &mut MessageManager, letter: Letter) {
    let input = RoomInput::Return(letter.into());
    manager.foreign_input(&Logged::new(&input));
    if let RoomInput::Return(letter) = input {
        Gateway::of(manager).state.returned.push_back(*letter);
    }
}

/// Turns the first message that was not delivered into a dead letter. Returns `false` if there is none.
pub(crate) fn report(manager: &mut MessageManager) -> bool {
    let Some(letter) = Gateway::seen(manager).state.returned.front() else {
        return false;
    };
    // A proxy is an input of its own. It comes first, because a handler that receives the dead letter may end it.
    for far in letter.content.ids().to_vec() {
        local(manager, far);
    }
    manager.foreign_input(&Logged::new(&RoomInput::Report));
    if let Some(letter) = Gateway::of(manager).state.returned.pop_front() {
        letter.report(manager);
    }
    true
}

/// Returns the id by which a room knows a target. Spawns a proxy if there is none.
pub(crate) fn local(manager: &mut MessageManager, target: Far) -> MessageeId {
    let gateway = Gateway::of(manager);
    match target.who {
        Who::Messagee(number) if Some(target.room) == gateway.room() => {
            return number.id_in(manager);
        }
        _ => {}
    }
    if let Some(known) = gateway.proxy_for(target) {
        return known;
    }
    let destination = gateway.free.pop_first().unwrap_or_else(|| {
        let targets = &mut gateway.state.targets;
        targets.push(None);
        u32::try_from(targets.len() - 1).expect("there are fewer than 2^32 messagees")
    });
    let proxy = manager.spawn_proxy(destination, &Logged::new(&RoomInput::Proxy(target)));
    let gateway = Gateway::of(manager);
    gateway.state.targets[destination as usize] = Some((proxy, target));
    gateway.state.news.fresh.push(target);
    gateway.destinations.insert(proxy, destination);
    gateway.proxies.insert(target, proxy);
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

impl SavedCarrier for Gateway {
    const NAME: &'static str = "message_rooms.gateway";

    type State = (State, Vec<Vec<Letter>>);

    fn state(&self) -> Option<Self::State> {
        self.room()?;
        let mut passages: Vec<_> = self.out.borrow().iter().map(Passage::letters).collect();
        // A room may have been added that nothing was sent to.
        while passages.pop_if(|letters| letters.is_empty()).is_some() {}
        Some((self.state.clone(), passages))
    }

    fn restored(
        (state, passages): Self::State,
        destinations: &[u32],
        _: &'static Location<'static>,
    ) -> Result<Self, String> {
        let is_there = |at: &u32| matches!(state.targets.get(*at as usize), Some(Some(_)));
        if let Some(at) = destinations.iter().find(|at| !is_there(at)) {
            return Err(format!(
                "a proxy leads to destination {at}, which has no target"
            ));
        }
        // A journal needs data. In a log, the next barrier sets it.
        let mut gateway = Self {
            needs_data: true,
            ..Self::default()
        };
        for (target, at) in state.targets.iter().zip(0..) {
            if let &Some((proxy, far)) = target {
                gateway.destinations.insert(proxy, at);
                gateway.proxies.insert(far, proxy);
            } else {
                gateway.free.insert(at);
            }
        }
        let out = gateway.out.get_mut();
        for (to, letters) in passages.into_iter().enumerate() {
            let passage = passage_to(out, RoomId::of_place(to));
            for letter in letters {
                passage.put(letter);
            }
        }
        gateway.state = state;
        Ok(gateway)
    }
}
