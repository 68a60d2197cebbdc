//! The messagee of a room that takes requests to the rooms, and the answers to questions.

use std::mem;

use message_core::{Context, MessageManager, MessageeId, handlers, mnemonic};
use message_data::Data;
use message_data::ask::{ASKS, Asks};
use serde::{Deserialize, Serialize};

use crate::far::RoomId;
use crate::moves::MoveTo;

mnemonic! {
    /// The rooms, in each room: handlers send [`MoveTo`] to it.
    pub ROOMS
}

/// The requests of a frame.
#[derive(Data, Serialize, Deserialize, Clone, Debug, Default)]
#[data(name = "message_rooms.Desk", exact)]
pub(crate) struct Desk {
    requests: Vec<Request>,
}

/// A request, and who has made it.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(crate) struct Request {
    pub(crate) sender: Option<MessageeId>,
    pub(crate) wanted: MoveTo,
}

#[handlers]
impl Desk {
    #[on_receive]
    fn move_to(&mut self, wanted: &MoveTo, cx: &mut Context<'_>) {
        let (sender, wanted) = (cx.sender().id(), *wanted);
        self.requests.push(Request { sender, wanted });
    }
}

impl Desk {
    /// Spawns the messagee in a room.
    pub(crate) fn open(room: RoomId, manager: &mut MessageManager) {
        // A messagee keeps its tickets when it moves, so the rooms give out different ones.
        let asks = Asks::numbered_from(u64::from(room.number()) << 40);
        let desk = manager.spawn((Self::default(), asks));
        for mnemonic in [ROOMS, ASKS] {
            let bound = manager.bind(mnemonic, desk);
            bound.expect("nobody is bound to the mnemonics of rooms outside of them");
        }
    }

    /// Takes the requests of a room.
    pub(crate) fn requests(manager: &mut MessageManager) -> Vec<Request> {
        let desk = manager.bound(ROOMS);
        let desk = desk.filter(|&desk| {
            manager
                .get::<Self>(desk)
                .is_ok_and(|it| !it.requests.is_empty())
        });
        let desk = desk.and_then(|desk| manager.get_mut::<Self>(desk).ok());
        desk.map_or_else(Vec::new, |desk| mem::take(&mut desk.requests))
    }
}
