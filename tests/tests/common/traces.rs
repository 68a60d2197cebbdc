//! Helpers with which the tests of tracing search a recording.
#![allow(dead_code, reason = "each program uses its own part of this")]

use message_core::TraceId;
use message_core::prelude::*;
use message_core::trace::{SentBy, TraceEvent, Traced};
use message_trace::{Explanation, Recorder, TraceFilter, describe};

use crate::common::{Log, stage};

/// Like [`stage`], but recorded from the beginning.
pub(crate) fn recorded() -> (MessageManager, Log, MessageeId) {
    let (mut manager, log, actor) = stage();
    Recorder::new(10_000).with_contents().start(&mut manager);
    (manager, log, actor)
}

/// A send, as it was recorded.
#[derive(Clone, Debug)]
pub(crate) struct Sending {
    pub(crate) number: TraceId,
    pub(crate) cause: Option<TraceId>,
    pub(crate) by: SentBy,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) stage: Stage,
    pub(crate) sender: Sender,
}

/// The events recorded so far.
#[derive(Debug)]
pub(crate) struct Told(pub(crate) Vec<TraceEvent>);

pub(crate) fn explain(manager: &MessageManager, id: TraceId) -> Option<Explanation> {
    Recorder::of(manager)?.explain(id)
}

pub(crate) fn told(manager: &MessageManager) -> Told {
    let recorder = Recorder::of(manager).expect("it records");
    Told(recorder.events().cloned().collect())
}

impl Told {
    fn about<M: Message>(&self) -> impl Iterator<Item = &TraceEvent> {
        self.0.iter().filter(|event| event.message_id == M::ID)
    }

    /// Returns all sends of a type of message.
    pub(crate) fn sends<M: Message>(&self) -> Vec<Sending> {
        let sends = self.about::<M>().filter_map(|event| match event.what {
            Traced::Sent {
                cause,
                by,
                ref place,
                stage,
                ..
            } => Some(Sending {
                number: event.send.expect("a send has a number"),
                cause,
                by,
                file: place.file.to_string(),
                line: place.line,
                stage,
                sender: event.sender,
            }),
            _ => None,
        });
        sends.collect()
    }

    /// Returns the one send of a type of message.
    pub(crate) fn send<M: Message>(&self) -> Sending {
        only(self.sends::<M>())
    }

    /// Returns all deliveries of a type of message.
    pub(crate) fn deliveries<M: Message>(&self) -> Vec<TraceId> {
        self.calls::<M>().into_iter().map(|(it, _)| it).collect()
    }

    /// Returns all deliveries of a type of message, and the sends that they are of.
    pub(crate) fn calls<M: Message>(&self) -> Vec<(TraceId, Option<TraceId>)> {
        let calls = self.about::<M>().filter_map(|event| match event.what {
            Traced::Called { delivery, .. } => Some((delivery, event.send)),
            _ => None,
        });
        calls.collect()
    }

    /// Returns the one delivery of a type of message.
    pub(crate) fn delivery<M: Message>(&self) -> TraceId {
        only(self.deliveries::<M>())
    }

    /// Returns the causes of all sends of a type of message.
    pub(crate) fn causes<M: Message>(&self) -> Vec<Option<TraceId>> {
        self.sends::<M>().iter().map(|send| send.cause).collect()
    }

    /// Returns the cause of the one send of a type of message.
    pub(crate) fn cause<M: Message>(&self) -> Option<TraceId> {
        self.send::<M>().cause
    }

    /// Describes in words what happened to a type of message, leaving out its sends.
    pub(crate) fn words<M: Message>(&self) -> Vec<String> {
        let others = |event: &&TraceEvent| !matches!(event.what, Traced::Sent { .. });
        let events = self.about::<M>().filter(others);
        events.map(describe).collect()
    }
}

fn only<T: std::fmt::Debug>(mut all: Vec<T>) -> T {
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

/// Returns everything recorded, as lines of text.
pub(crate) fn lines(recorder: &Recorder) -> Vec<String> {
    let everything = TraceFilter::all();
    let events = recorder.select(&everything);
    events.map(describe).collect()
}
