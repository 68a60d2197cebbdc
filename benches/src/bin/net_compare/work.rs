//! The work of a run, and the message that is sent.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use message_core::prelude::*;
use message_data::Data;
use message_net::link::{Frame, Link, LinkError, LinkEvent, MemoryNetwork, MemorySettings};
use message_net::{Node, NodeConfig, NodeName};
use serde::{Deserialize, Serialize};

use crate::Failure;

/// The number of frames sent for throughput, and of ticks for latency.
const FRAMES: usize = 3_000;
const TICKS: usize = 400;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contender {
    /// A node over a `ZenohLink`.
    Node,
    /// Zenoh alone, one put for each frame.
    Frames,
    /// Zenoh alone, one put for each message.
    Messages,
    /// Remote actors of ractor: another program, if it has been built.
    Actors,
}

impl Contender {
    pub(crate) const ALL: [Self; 4] = [Self::Node, Self::Frames, Self::Messages, Self::Actors];

    /// Returns all of them, starting with a different one in each round.
    pub(crate) fn all(round: usize, with_actors: bool) -> impl Iterator<Item = Self> {
        let mut all = Self::ALL;
        all.rotate_left(round % Self::ALL.len());
        let runs = move |it: &Self| with_actors || *it != Self::Actors;
        all.into_iter().filter(runs)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Node => "Node over ZenohLink",
            Self::Frames => "zenoh, same frames",
            Self::Messages => "zenoh, a put a message",
            Self::Actors => "ractor, remote actors",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    Throughput,
    Latency,
}

#[derive(Clone, Copy)]
pub(crate) struct Work {
    pub(crate) contender: Contender,
    pub(crate) measure: Measure,
    pub(crate) port: u16,
    /// The number of bytes in a message.
    pub(crate) len: usize,
    /// The number of messages in a frame.
    pub(crate) messages: usize,
    /// The number of frames, or of ticks.
    pub(crate) frames: usize,
    /// The number of bytes in a frame.
    pub(crate) frame: usize,
}

impl Work {
    pub(crate) fn new(
        contender: Contender,
        measure: Measure,
        len: usize,
        messages: usize,
        frame: usize,
    ) -> Self {
        let frames = match measure {
            Measure::Throughput => FRAMES,
            Measure::Latency => TICKS,
        };
        Self {
            contender,
            measure,
            port: 0,
            len,
            messages,
            frames,
            frame,
        }
    }

    pub(crate) fn all_messages(&self) -> usize {
        self.messages * self.frames
    }

    pub(crate) fn to_args(self) -> [String; 7] {
        [
            Contender::ALL
                .iter()
                .position(|it| *it == self.contender)
                .unwrap_or_default(),
            usize::from(self.measure == Measure::Latency),
            self.port.into(),
            self.len,
            self.messages,
            self.frames,
            self.frame,
        ]
        .map(|number| number.to_string())
    }

    pub(crate) fn from_args(args: &[String]) -> Result<Self, Failure> {
        let numbers = args
            .iter()
            .map(|arg| arg.parse())
            .collect::<Result<Vec<usize>, _>>()?;
        let [contender, measure, port, len, messages, frames, frame] = numbers[..] else {
            return Err("expected seven numbers".into());
        };
        Ok(Self {
            contender: *Contender::ALL.get(contender).ok_or("no such contender")?,
            measure: if measure == 0 {
                Measure::Throughput
            } else {
                Measure::Latency
            },
            port: u16::try_from(port)?,
            len,
            messages,
            frames,
            frame,
        })
    }
}

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(exact, name = "net_compare.Parcel")]
pub(crate) struct Parcel {
    /// The tick in which the message must be answered, or 0.
    pub(crate) tick: u32,
    pub(crate) content: Bytes,
}

impl Parcel {
    pub(crate) fn new(tick: u32, len: usize) -> Self {
        Self {
            tick,
            content: Bytes(vec![7; len.saturating_sub(4)]),
        }
    }
}

/// The answer to a parcel.
#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(exact, name = "net_compare.Came")]
pub(crate) struct Came {
    pub(crate) tick: u32,
}

/// Bytes that are written in one piece.
#[derive(Clone, Default)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'d> Deserialize<'d> for Bytes {
    fn deserialize<D: serde::Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Bytes;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Visitor)
    }
}

pub(crate) fn config() -> NodeConfig {
    NodeConfig::new()
        .accept::<Parcel>()
        .accept::<Came>()
        .max_traffic(1 << 40, 1 << 40)
}

/// A link that records the length of its longest frame.
struct Gauged<L>(L, Arc<AtomicUsize>);

impl<L: Link> Link for Gauged<L> {
    fn name(&self) -> &NodeName {
        self.0.name()
    }

    fn send(&mut self, to: &NodeName, frame: Frame) -> Result<(), LinkError> {
        self.1.fetch_max(frame.len(), Relaxed);
        self.0.send(to, frame)
    }

    fn poll(&mut self) -> Option<LinkEvent> {
        self.0.poll()
    }

    fn max_frame(&self) -> usize {
        self.0.max_frame()
    }
}

/// Returns the length of a node's frame with the given number of messages.
pub(crate) fn frame_len(len: usize, messages: usize) -> Result<usize, Failure> {
    let settings = MemorySettings {
        max_frame: 256 << 10,
        ..MemorySettings::new()
    };
    let network = MemoryNetwork::new(1, settings);
    let names = (NodeName::new("sender")?, NodeName::new("receiver")?);
    let [mut here, mut there] = [MessageManager::new(), MessageManager::new()];
    let longest = Arc::new(AtomicUsize::new(0));
    let link = Gauged(network.link(names.0), Arc::clone(&longest));
    let mut own_node = Node::attach(&mut here, link, config());
    let link = network.link(names.1);
    let mut other_node = Node::attach(&mut there, link, config());
    let receiver = there.spawn(());
    other_node.export(&mut there, receiver, "receiver")?;
    let proxy = own_node.import(&mut here, "receiver/receiver")?;
    for tick in 0..30 {
        if tick == 20 {
            longest.store(0, Relaxed);
            for _ in 0..messages {
                here.send(proxy, Parcel::new(1, len))?;
            }
        }
        network.advance(1);
        own_node.tick(&mut here, Duration::from_millis(5));
        other_node.tick(&mut there, Duration::from_millis(5));
    }
    Ok(longest.load(Relaxed))
}
