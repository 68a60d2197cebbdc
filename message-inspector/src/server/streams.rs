//! Streams of events: each has its own queue, and a reader that is too slow loses events.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use futures_core::Stream;
use serde_json::{Value, json};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::shared::{Slot, lock};

/// How many events can wait for a reader.
const QUEUE: usize = 32;
/// The number of ticks without events after which a comment is sent.
const QUIET: u32 = 50;
/// The maximum number of trace events that are sent at once.
const TRACED: usize = 500;

/// The receiving half.
struct Reading(Receiver<Bytes>);

impl Stream for Reading {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx).map(|next| next.map(Ok))
    }
}

/// The sending half.
struct Client {
    world: Arc<Slot>,
    wants_trace: bool,
    queue: Sender<Bytes>,
    /// The number of the newest event that was sent.
    told: u64,
    lost: u64,
    quiet: u32,
    ends: bool,
}

impl Client {
    fn send(&mut self, event: &str, data: &str) {
        let text = format!("event: {event}\ndata: {data}\n\n");
        self.push(text.into());
    }

    fn push(&mut self, text: Bytes) {
        if self.lost > 0 && self.queue.capacity() > 1 {
            let lost = json!({ "count": self.lost });
            let text = format!("event: lost\ndata: {lost}\n\n");
            if self.queue.try_send(text.into()).is_ok() {
                self.lost = 0;
            }
        }
        match self.queue.try_send(text) {
            Ok(()) => self.quiet = 0,
            Err(TrySendError::Full(_)) => self.lost += 1,
            Err(TrySendError::Closed(_)) => self.ends = true,
        }
    }
}

/// All streams.
#[derive(Default)]
pub(super) struct Streams {
    clients: Vec<Client>,
}

impl Streams {
    pub(super) fn len(&mut self) -> usize {
        self.clients.retain(|client| !client.queue.is_closed());
        self.clients.len()
    }

    pub(super) fn open(&mut self, world: Arc<Slot>, wants_trace: bool) -> Body {
        let (queue, reading) = channel(QUEUE);
        let history = lock(&world.history);
        let (told, now) = (history.newest(), history.now(&world));
        drop(history);
        let mut client = Client {
            world,
            wants_trace,
            queue,
            told,
            lost: 0,
            quiet: 0,
            ends: false,
        };
        client.send("now", &now.to_string());
        self.clients.push(client);
        Body::from_stream(Reading(reading))
    }

    pub(super) fn watch(&mut self, world: &Slot) -> bool {
        let mut clients = self.clients.iter();
        clients.any(|client| client.world.id == world.id && !client.queue.is_closed())
    }

    /// Sends the new events of a world to its streams.
    pub(super) fn feed(&mut self, world: &Slot) {
        let mut history = lock(&world.history);
        let is_new = std::mem::take(&mut history.is_new);
        let is_over = !world.is_attached();
        let now = is_new.then(|| history.now(world).to_string());
        for client in &mut self.clients {
            if client.world.id != world.id {
                continue;
            }
            client.quiet += 1;
            if let Some(now) = &now {
                client.send("now", now);
                if client.wants_trace {
                    let events = history.since(client.told, TRACED);
                    client.told = history.newest();
                    if !events.is_empty() {
                        let events = json!({ "events": events });
                        client.send("trace", &events.to_string());
                    }
                }
            }
            if is_over {
                client.send("end", "{}");
                client.ends = true;
            } else if client.quiet >= QUIET {
                client.push(Bytes::from_static(b": nothing new\n\n"));
            }
        }
        drop(history);
        self.clients
            .retain(|client| !client.ends && !client.queue.is_closed());
    }

    /// Sends one event to the streams of a world.
    pub(super) fn tell(&mut self, world: &Slot, event: &str, data: &Value) {
        let data = data.to_string();
        for client in &mut self.clients {
            if client.world.id == world.id {
                client.send(event, &data);
            }
        }
    }
}
