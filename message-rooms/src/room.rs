//! One room: its manager, and what arrives in it.

use std::mem;
use std::sync::Arc;

use message_core::prelude::Everyone;
use message_core::{Children, MessageManager, MessageeId};

use crate::caught::FirstPanic;
use crate::error::RoomPanic;
use crate::far::{Far, RoomId};
use crate::gateway::Gateway;
use crate::moves::Moved;
use crate::passage::Passage;

/// A manager, and what arrives in it in its next frame.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) id: RoomId,
    pub(crate) name: Arc<str>,
    pub(crate) manager: MessageManager,
    /// The messages that arrive, by the room they come from.
    pub(crate) incoming: Vec<Passage>,
    /// The messagees that have left for another room.
    pub(crate) moved: Vec<Moved>,
}

impl Room {
    /// Delivers what has arrived, ends the proxies of messagees that have ended, and calls the program's function.
    ///
    /// # Errors
    ///
    /// Returns the first panic. Everything was delivered nevertheless, and the function was called.
    pub(crate) fn run<T>(
        &mut self,
        ended: &[Vec<MessageeId>],
        step: impl FnOnce(RoomId, &mut MessageManager) -> T,
    ) -> Result<T, RoomPanic> {
        let mut panic = FirstPanic::default();
        let manager = &mut self.manager;
        for moved in self.moved.drain(..) {
            panic.catch(|| drop(manager.send(Everyone, moved)));
        }
        let passages = &mut Gateway::of(manager).outgoing().passages;
        let returned = passages.iter_mut().map(|it| mem::take(&mut it.returned));
        for letter in returned.flatten().collect::<Vec<_>>() {
            panic.catch(|| letter.report(manager));
        }
        for passage in &mut self.incoming {
            while passage.delivered < passage.rows.len() {
                panic.catch(|| passage.deliver(manager));
            }
            passage.clear();
        }
        for (room, ended) in ended.iter().enumerate() {
            let room = RoomId::of_place(room);
            for &id in ended {
                let proxy = Gateway::seen(manager).proxy_for(Far::messagee(room, id));
                if let Some(proxy) = proxy {
                    panic.catch(|| drop(manager.despawn_with(proxy, Children::Reparent)));
                }
            }
        }
        let done = panic.catch(|| step(self.id, manager));
        match (done, panic.text()) {
            (Some(done), None) => Ok(done),
            (_, text) => Err(RoomPanic {
                room: self.id,
                name: Arc::clone(&self.name),
                text: text.unwrap_or_default(),
            }),
        }
    }
}
