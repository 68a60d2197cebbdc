//! Messages and components for rooms.

use std::time::Duration;

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_data::Data;
use message_rooms::{RoomId, Rooms};
use serde::{Deserialize, Serialize};

pub(crate) const FRAME: Duration = Duration::from_millis(10);

/// A message without ids, which is cloned.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[message(name = "rooms.Say")]
#[data(name = "rooms.Say", exact)]
pub(crate) struct Say(pub(crate) u32);

message_rooms::carried!(Say);

/// A message with an id, which is written.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "rooms.Point")]
#[data(name = "rooms.Point", exact)]
pub(crate) struct Point {
    pub(crate) at: MessageeId,
}

/// Asks for an answer.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "rooms.Echo")]
#[data(name = "rooms.Echo", exact)]
pub(crate) struct Echo(pub(crate) u32);

/// Notes what it receives.
#[derive(Data, Serialize, Deserialize, Debug, Default, PartialEq)]
#[data(name = "rooms.Ear", exact)]
pub(crate) struct Ear {
    pub(crate) heard: Vec<u32>,
    pub(crate) from: Vec<Option<MessageeId>>,
    pub(crate) pointed: Vec<MessageeId>,
}

#[handlers]
impl Ear {
    #[on_receive]
    fn say(&mut self, say: &Say, cx: &mut Context<'_>) {
        self.heard.push(say.0);
        self.from.push(cx.sender().id());
    }

    #[on_receive]
    fn point(&mut self, point: &Point) {
        self.pointed.push(point.at);
    }

    #[on_receive]
    fn echo(&mut self, echo: &Echo, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.reply(Say(echo.0)).map(drop)
    }
}

/// The dead letters of a room, as text.
#[derive(Default)]
pub(crate) struct Undertaker(pub(crate) Vec<String>);

#[handlers]
impl Undertaker {
    #[on_receive]
    fn bury(&mut self, letter: &DeadLetter) {
        self.0.push(format!("{}: {}", letter.name, letter.why));
    }
}

/// Rooms called 0, 1 and so on, each with a messagee that has an [`Ear`].
pub(crate) struct House {
    pub(crate) rooms: Rooms,
    pub(crate) ids: Vec<RoomId>,
    pub(crate) ears: Vec<MessageeId>,
}

impl House {
    pub(crate) fn new(len: usize) -> Self {
        let mut rooms = Rooms::new();
        let add = |number: usize| rooms.add(number.to_string(), MessageManager::new());
        let ids: Vec<RoomId> = (0..len).map(add).map(Result::unwrap).collect();
        let ears = ids
            .iter()
            .map(|&id| rooms.manager_mut(id).spawn((Ear::default(),)));
        let ears = ears.collect();
        Self { rooms, ids, ears }
    }

    /// Returns the id of the ear of one room in another.
    pub(crate) fn proxy(&mut self, here: usize, there: usize) -> MessageeId {
        let (here, room) = (self.ids[here], self.ids[there]);
        self.rooms.proxy(here, room, self.ears[there]).unwrap()
    }

    pub(crate) fn manager(&mut self, room: usize) -> &mut MessageManager {
        self.rooms.manager_mut(self.ids[room])
    }

    pub(crate) fn ear(&self, room: usize) -> impl std::ops::Deref<Target = Ear> + '_ {
        let manager = self.rooms.manager(self.ids[room]);
        manager.get::<Ear>(self.ears[room]).unwrap()
    }

    pub(crate) fn heard(&self, room: usize) -> Vec<u32> {
        self.ear(room).heard.clone()
    }

    pub(crate) fn frame(&mut self) {
        self.rooms.frame(FRAME).unwrap();
    }

    /// Sends in the name of the ear of a room.
    pub(crate) fn send(&mut self, room: usize, to: MessageeId, say: u32) {
        let ear = self.ears[room];
        let mut ear = self.manager(room).speak_for(ear).unwrap();
        ear.send(to, Say(say)).unwrap();
    }

    /// Begins to note the dead letters of a room. Returns who does.
    pub(crate) fn undertaker(&mut self, room: usize) -> MessageeId {
        self.manager(room).spawn((Undertaker::default(),))
    }

    pub(crate) fn buried(&self, room: usize, undertaker: MessageeId) -> Vec<String> {
        let manager = self.rooms.manager(self.ids[room]);
        manager.get::<Undertaker>(undertaker).unwrap().0.clone()
    }
}
