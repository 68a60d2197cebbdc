//! One room: its manager, and what arrives in it.

use std::sync::Arc;

use message_core::prelude::Everyone;
use message_core::{
    Children, MessageManager, MessageeId, Recipient, SendError, Sender, SpeakingFor,
};
use message_data::Logged;

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
            };
            while delivery.passage.delivered < delivery.passage.rows.len() {
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

impl Row {
    /// Returns the message to its sender's room.
    fn returned(&self, source: RoomId, why: Arc<str>, content: Taken) -> Letter {
        let sender = match self.from.who {
            Who::Messagee(id) if self.from.room == source => Sender::Messagee(id),
            _ => Sender::Outside,
        };
        Letter {
            proxy: self.proxy,
            sender,
            content,
            why,
        }
    }
}

impl Letter {
    /// Turns the message into a dead letter in the room of its sender.
    pub(crate) fn report(self, manager: &mut MessageManager) {
        let Ok(message) = self.content.read(|far| local(manager, far)) else {
            return;
        };
        manager.foreign_input(&Logged::new(&RoomInput));
        manager.report_undelivered(self.proxy, self.sender, message, self.why);
    }
}

/// The delivery of the messages from one room.
struct Delivery<'r> {
    manager: &'r mut MessageManager,
    source: RoomId,
    passage: &'r mut Passage,
    undelivered: &'r mut Vec<(RoomId, Letter)>,
}

/// Why a message was not delivered, and its content.
type Undelivered = (Arc<str>, Taken);

impl Delivery<'_> {
    /// Delivers the messages. If a handler panics, the next call continues with the next message.
    fn run(&mut self) {
        while let Some(first) = self.passage.rows.get(self.passage.delivered) {
            let far = first.from;
            let sender = self.sender(far);
            let from = self.manager.speak_for(sender);
            let mut from = from.expect("it was alive a moment ago");
            // A handler may despawn the sender.
            while from.is_alive(sender)
                && let Some(row) = self.passage.rows.get(self.passage.delivered).copied()
                && row.from == far
            {
                self.passage.delivered += 1;
                if let Err((why, content)) = deliver(self.passage, &row, &mut from) {
                    let letter = row.returned(self.source, why, content);
                    self.undelivered.push((self.source, letter));
                }
            }
        }
    }

    /// Returns the id of a sender that is alive.
    fn sender(&mut self, from: Far) -> MessageeId {
        let mut id = local(self.manager, from);
        if !self.manager.is_alive(id) {
            // It has moved here, and has ended.
            let who = Who::Outside;
            id = local(self.manager, Far { who, ..from });
        }
        id
    }
}

/// Delivers a message.
fn deliver(
    passage: &mut Passage,
    row: &Row,
    from: &mut SpeakingFor<'_>,
) -> Result<(), Undelivered> {
    let to = match row.to {
        Who::Messagee(id) => Recipient::Id(id),
        Who::Component(hook) => Recipient::Hook(hook),
        Who::Group(group) => Recipient::Group(group),
        Who::Outside | Who::Rooms => unreachable!("the gateway refuses messages to them"),
    };
    if let Some((column, at)) = passage.plain(row) {
        let sent = column.send(at, from, to);
        return sent.map_err(|(error, message)| {
            let why = why_undelivered(from, to, &error);
            (why, Taken::Typed(message))
        });
    }
    let header = passage.header(row);
    let header = header.map(|header| {
        let header = header.read(to, |id| local(from, id))?;
        Ok(header.with_end(row.until))
    });
    let (spare, content) = (passage.copy(row), passage.take(row));
    let message = content.read(|far| local(from, far));
    let sent = message.and_then(|message| match header.transpose()? {
        None => Ok(from.send_any(to, message).map(drop)),
        Some(header) => Ok(from.post_any(header, message).map(drop)),
    });
    match sent {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err((why_undelivered(from, to, &error), spare)),
        Err(error) => Err((error.to_string().into(), spare)),
    }
}

/// Returns why a message was not delivered.
fn why_undelivered(manager: &MessageManager, to: Recipient, error: &SendError) -> Arc<str> {
    match to {
        Recipient::Id(id) if !manager.is_alive(id) => "the messagee has ended".into(),
        _ => error.to_string().into(),
    }
}
