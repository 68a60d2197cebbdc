//! One room: its manager, and what arrives in it.

use std::sync::Arc;

use message_core::prelude::Everyone;
use message_core::{AnyMessage, Children, MessageManager, MessageeId, Recipient, Sender};
use message_data::{DataError, Logged};

use crate::caught::FirstPanic;
use crate::error::RoomPanic;
use crate::far::{Far, RoomId, Who};
use crate::gateway::{Gateway, RoomInput, local};
use crate::moves::Moved;
use crate::passage::{Passage, Row, Taken};

/// A manager, and what arrives in it in its next frame.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) id: RoomId,
    pub(crate) name: Arc<str>,
    pub(crate) manager: MessageManager,
    /// The messages that arrive, by the room they come from.
    pub(crate) incoming: Vec<Passage>,
    /// The messages from this room that were not delivered elsewhere.
    pub(crate) returned: Vec<Letter>,
    /// The messages for this room that were not delivered, with the room that they came from.
    pub(crate) undelivered: Vec<(RoomId, Letter)>,
    /// The messagees that have left for another room.
    pub(crate) moved: Vec<Moved>,
}

/// A message that was not delivered.
#[derive(Debug)]
pub(crate) struct Letter {
    pub(crate) proxy: MessageeId,
    pub(crate) sender: Sender,
    pub(crate) content: Taken,
    pub(crate) why: Arc<str>,
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
        for letter in self.returned.drain(..) {
            panic.catch(|| letter.report(manager));
        }
        for (source, passage) in self.incoming.iter_mut().enumerate() {
            let mut delivery = Delivery {
                manager,
                source: RoomId::of_place(source),
                passage,
                undelivered: &mut self.undelivered,
                last: None,
            };
            while !delivery.is_done() {
                panic.catch(|| delivery.run());
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

impl Letter {
    /// Turns the message into a dead letter in the room of its sender.
    pub(crate) fn report(self, manager: &mut MessageManager) {
        let Ok(message) = read(self.content, manager) else {
            return;
        };
        manager.foreign_input(&Logged::new(&RoomInput));
        manager.report_undelivered(self.proxy, self.sender, message, self.why);
    }
}

/// Returns a message with the ids of this room.
///
/// # Errors
///
/// Returns an error if the message cannot be read.
pub(crate) fn read(
    content: Taken,
    manager: &mut MessageManager,
) -> Result<Box<dyn AnyMessage>, DataError> {
    match content {
        Taken::Typed(message) => Ok(message),
        Taken::Written(of, bytes, ids) => {
            let ids: Vec<MessageeId> = ids.into_iter().map(|id| local(manager, id)).collect();
            of.read_message(&bytes, &ids)
        }
    }
}

/// The delivery of the messages from one room.
struct Delivery<'r> {
    manager: &'r mut MessageManager,
    source: RoomId,
    passage: &'r mut Passage,
    undelivered: &'r mut Vec<(RoomId, Letter)>,
    /// The sender of the message before, and its id here.
    last: Option<(Far, MessageeId)>,
}

/// Why a message was not delivered, and its content.
type Undelivered = (Arc<str>, Taken);

impl Delivery<'_> {
    fn is_done(&self) -> bool {
        self.passage.delivered == self.passage.rows.len()
    }

    /// Delivers the messages. If a handler panics, the next call goes on with the next message.
    fn run(&mut self) {
        while let Some(row) = self.passage.rows.get(self.passage.delivered).copied() {
            self.passage.delivered += 1;
            if let Err((why, content)) = self.deliver(&row) {
                let sender = match row.from.who {
                    Who::Messagee(id) if row.from.room == self.source => Sender::Messagee(id),
                    _ => Sender::Outside,
                };
                let proxy = row.proxy;
                let letter = Letter {
                    proxy,
                    sender,
                    content,
                    why,
                };
                self.undelivered.push((self.source, letter));
            }
        }
    }

    fn deliver(&mut self, row: &Row) -> Result<(), Undelivered> {
        let to = match row.to {
            Who::Messagee(id) if self.manager.is_alive(id) => Recipient::Id(id),
            Who::Group(group) => Recipient::Group(group),
            _ => return Err(("the messagee has ended".into(), self.passage.take(row))),
        };
        let from = self.sender(row.from);
        let Ok(mut from) = self.manager.speak_for(from) else {
            unreachable!("it was alive a moment ago");
        };
        if let Some((column, at)) = self.passage.plain(row) {
            let sent = column.send(at, &mut from, to);
            return sent
                .map_err(|(error, message)| (error.to_string().into(), Taken::Typed(message)));
        }
        let header = self.passage.header(row);
        let header = header.map(|header| header.read(to, |id| local(&mut from, id)));
        let (spare, content) = (self.passage.copy(row), self.passage.take(row));
        let undelivered = |why: String| (why.into(), spare);
        let message = match read(content, &mut from) {
            Ok(message) => message,
            Err(error) => return Err(undelivered(error.to_string())),
        };
        let sent = match header {
            None => from.send_any(to, message).map(drop),
            Some(Ok(header)) => from.post_any(header, message).map(drop),
            Some(Err(error)) => return Err(undelivered(error.to_string())),
        };
        sent.map_err(|error| undelivered(error.to_string()))
    }

    /// Returns the id of a sender that is alive.
    fn sender(&mut self, from: Far) -> MessageeId {
        if let Some((last, id)) = self.last
            && last == from
            && self.manager.is_alive(id)
        {
            return id;
        }
        let mut id = local(self.manager, from);
        if !self.manager.is_alive(id) {
            // It has moved here, and has ended.
            let who = Who::Outside;
            id = local(self.manager, Far { who, ..from });
        }
        self.last = Some((from, id));
        id
    }
}
