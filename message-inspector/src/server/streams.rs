//! Streams of events: each has its own queue, bounded in events and bytes, and a reader that is too slow loses events.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use futures_core::Stream;
use serde_json::{Value, json};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::shared::{Slot, lock};

/// How many events can wait for a reader.
const QUEUE: usize = 32;
/// How many bytes wait for a reader before further events are lost.
const QUEUED_BYTES: usize = 1 << 20;
/// The number of ticks without events after which a comment is sent.
const QUIET: u32 = 50;
/// The maximum number of trace events that are sent at once.
const TRACED: usize = 500;

/// The events that wait for a reader, on the side of the server.
struct Queue {
    events: Sender<Bytes>,
    bytes: Arc<AtomicUsize>,
}

impl Queue {
    fn new() -> (Self, Reading) {
        let (sender, receiver) = channel(QUEUE);
        let bytes = Arc::new(AtomicUsize::new(0));
        let queue = Self {
            events: sender,
            bytes: Arc::clone(&bytes),
        };
        let reading = Reading {
            events: receiver,
            bytes,
        };
        (queue, reading)
    }

    fn try_send(&self, event: Bytes) -> Result<(), TrySendError<Bytes>> {
        if self.bytes.load(Ordering::Relaxed) >= QUEUED_BYTES {
            return Err(TrySendError::Full(event));
        }
        let length = event.len();
        self.events.try_send(event)?;
        self.bytes.fetch_add(length, Ordering::Relaxed);
        Ok(())
    }
}

/// The same events, on the side of the reader.
struct Reading {
    events: Receiver<Bytes>,
    bytes: Arc<AtomicUsize>,
}

impl Stream for Reading {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.events.poll_recv(cx);
        if let Poll::Ready(Some(event)) = &next {
            self.bytes.fetch_sub(event.len(), Ordering::Relaxed);
        }
        next.map(|next| next.map(Ok))
    }
}

/// The sending half.
struct Client {
    world: Arc<Slot>,
    wants_trace: bool,
    queue: Queue,
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
        if self.lost > 0 && self.queue.events.capacity() > 1 {
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
        self.clients
            .retain(|client| !client.queue.events.is_closed());
        self.clients.len()
    }

    pub(super) fn open(&mut self, world: Arc<Slot>, wants_trace: bool) -> Body {
        let (queue, reading) = Queue::new();
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
        Body::from_stream(reading)
    }

    pub(super) fn watch(&mut self, world: &Slot) -> bool {
        let mut clients = self.clients.iter();
        clients.any(|client| client.world.id == world.id && !client.queue.events.is_closed())
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
            .retain(|client| !client.ends && !client.queue.events.is_closed());
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

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::Waker;

    use super::*;

    #[test]
    fn events_that_wait_for_a_reader_are_bounded_in_bytes() {
        let event = || Bytes::from(vec![0; QUEUED_BYTES / 4]);
        let (queue, reading) = Queue::new();
        let mut reading = pin!(reading);
        let mut cx = Context::from_waker(Waker::noop());
        for _ in 0..3 {
            let sent = (0..QUEUE).take_while(|_| queue.try_send(event()).is_ok());
            assert_eq!(sent.count(), 4);
            let mut read = || reading.as_mut().poll_next(&mut cx).is_ready();
            assert_eq!((0..QUEUE).take_while(|_| read()).count(), 4);
        }
    }
}
