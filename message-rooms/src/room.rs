//! One room: its manager, and what arrives in it.

use std::sync::Arc;

use message_core::prelude::Everyone;
use message_core::{Children, MessageManager};

use crate::error::RoomPanic;
use crate::far::{Far, RoomId, Who};
use crate::gateway::{Gateway, report};
use crate::moves::Moved;
use crate::passage::Passage;
use message_data::MessageeNumber;
use message_data::ask::FirstPanic;

/// A manager, and what arrives in it in its next frame.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) id: RoomId,
    pub(crate) name: Arc<str>,
    pub(crate) manager: MessageManager,
    /// The messages that arrive, by the room they come from.
    pub(crate) incoming: Vec<Passage>,
    /// The messagees that have left for another room.
    pub(crate) left: Vec<Moved>,
}

impl Room {
    /// Delivers what has arrived, ends the proxies of messagees that have ended, and calls the program's function.
    ///
    /// # Errors
    ///
    /// Returns the first panic. Everything was delivered nevertheless, and the function was called.
    pub(crate) fn run<T>(
        &mut self,
        ended: &[Vec<MessageeNumber>],
        step: impl FnOnce(RoomId, &mut MessageManager) -> T,
    ) -> Result<T, RoomPanic> {
        let mut panic = FirstPanic::default();
        let manager = &mut self.manager;
        for moved in self.left.drain(..) {
            panic.catch(|| drop(manager.send(Everyone, moved)));
        }
        while panic.catch(|| report(manager)) != Some(false) {}
        for passage in &mut self.incoming {
            while panic.catch(|| passage.deliver(manager)).is_none() {}
            passage.clear(&mut panic);
        }
        for (room, ended) in ended.iter().enumerate() {
            let room = RoomId::of_place(room);
            for &number in ended {
                let who = Who::Messagee(number);
                let proxy = Gateway::seen(manager).proxy_for(Far { room, who });
                if let Some(proxy) = proxy {
                    panic.catch(|| drop(manager.despawn_with(proxy, Children::Reparent)));
                }
            }
        }
        let done = panic.catch(|| step(self.id, manager));
        match self.panic(panic) {
            Some(panic) => Err(panic),
            None => Ok(done.expect("it has not panicked")),
        }
    }

    /// Returns a panic as that of the room.
    pub(crate) fn panic(&self, panic: FirstPanic) -> Option<RoomPanic> {
        let (room, name) = (self.id, Arc::clone(&self.name));
        let text = panic.text()?;
        Some(RoomPanic { room, name, text })
    }
}

/// The number of panics after which a room is left as it is: each may lead to the next one.
const MOST_PANICS: usize = 100;

/// Carries out the changes that a panic has left pending, and those that panics leave meanwhile.
pub(crate) fn settle(manager: &mut MessageManager, panic: &mut FirstPanic) {
    let _ = (0..MOST_PANICS).find(|_| panic.catch(|| manager.settle()).is_some());
}
