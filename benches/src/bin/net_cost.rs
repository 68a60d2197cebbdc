//! The cost of a message to another world, without a real network: two worlds over a network in memory.
//!
//! ```sh
//! cargo run --release -p message-benches --features net --bin net_cost
//! ```
//!
//! With the argument `alone` or `attached` it only sends within one world, without a node or with one that has a
//! hundred proxies. Run under callgrind, this shows the cost of a node to a world that does not use it.
//!
//! In each frame one world sends a number of messages to an imported messagee of the other. The report shows the
//! nanoseconds per message for each step (medians over the frames), compared with a send within one world, and the
//! bytes per message on the link.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use message_core::prelude::*;
use message_data::Data;
use message_net::link::{MemoryNetwork, MemorySettings};
use message_net::{Node, NodeConfig, NodeName};
use serde::{Deserialize, Serialize};

const FRAME: Duration = Duration::from_millis(16);
const WARM_UP: usize = 20;
const FRAMES: usize = 200;

type Failure = Box<dyn std::error::Error>;

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(exact, name = "net_cost.Parcel")]
struct Parcel {
    number: u64,
    content: Bytes,
}

/// Bytes that are written in one piece.
#[derive(Clone, Default)]
struct Bytes(Vec<u8>);

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

#[derive(Default)]
struct Receiver {
    received: u64,
}

#[handlers]
impl Receiver {
    #[on_receive]
    fn parcel(&mut self, parcel: &Parcel) {
        std::hint::black_box(&parcel.content.0);
        self.received += 1;
    }
}

struct World {
    manager: MessageManager,
    node: Node,
}

fn world(network: &MemoryNetwork, name: &str) -> Result<World, Failure> {
    let name = NodeName::new(name)?;
    let mut manager = MessageManager::new();
    let config = NodeConfig::new()
        .accept::<Parcel>()
        .backlog(256 << 20)
        .max_traffic(1 << 40, 1 << 40)
        .incarnation(1);
    let node = Node::attach(&mut manager, network.link(name), config);
    Ok(World { manager, node })
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn measure(messages: u64, len: usize) -> Result<(), Failure> {
    let settings = MemorySettings {
        max_frame: 1 << 30,
        ..MemorySettings::new()
    };
    let network = MemoryNetwork::new(1, settings);
    let (mut here, mut there) = (world(&network, "here")?, world(&network, "there")?);
    let receiver = there.manager.spawn((Receiver::default(),));
    there
        .node
        .export(&mut there.manager, receiver, "receiver")?;
    let proxy = here.node.import(&mut here.manager, "there/receiver")?;
    let content = Bytes(vec![7; len.saturating_sub(8)]);
    let local = here.manager.spawn((Receiver::default(),));
    let [mut in_one, mut sending, mut flushing, mut receiving] = [const { Vec::new() }; 4];
    for frame in 0..WARM_UP + FRAMES {
        let parcel = |number| Parcel {
            number,
            content: content.clone(),
        };
        let begin = Instant::now();
        for number in 0..messages {
            here.manager.send(local, parcel(number))?;
        }
        let sent_here = Instant::now();
        if frame >= WARM_UP / 2 {
            for number in 0..messages {
                here.manager.send(proxy, parcel(number))?;
            }
        }
        let sent = Instant::now();
        here.node.flush(&mut here.manager);
        let flushed = Instant::now();
        network.advance(1);
        let arriving = Instant::now();
        there.node.receive(&mut there.manager, FRAME);
        let handed_in = Instant::now();
        there.manager.tick(FRAME);
        there.node.flush(&mut there.manager);
        network.advance(1);
        here.node.receive(&mut here.manager, FRAME);
        here.manager.tick(FRAME);
        if frame >= WARM_UP {
            in_one.push(sent_here - begin);
            sending.push(sent - sent_here);
            flushing.push(flushed - sent);
            receiving.push(handed_in - arriving);
        }
    }
    let count = there.manager.get::<Receiver>(receiver)?.received;
    let expected = messages * (FRAMES + WARM_UP / 2) as u64;
    if count != expected {
        return Err(format!("{count} messages have arrived, and {expected} were sent").into());
    }
    let each = |times| median(times).as_nanos() / u128::from(messages);
    let [in_one, sending, flushing, receiving] = [in_one, sending, flushing, receiving].map(each);
    let all = sending + flushing + receiving;
    println!(
        "{messages:>7} × {len:>5} B   in one world {in_one:>4} ns   send {sending:>4}   flush {flushing:>4}   \
         receive {receiving:>4}   together {all:>5} ns"
    );
    Ok(())
}

/// Makes a million sends and a thousand posts per frame in one world, with or without an attached node.
fn send_in_one_world(is_attached: bool) -> Result<(), Failure> {
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let mut manager = MessageManager::new();
    let mut node = None;
    if is_attached {
        let name = NodeName::new("here")?;
        let config = NodeConfig::new().incarnation(1);
        let mut attached = Node::attach(&mut manager, network.link(name), config);
        for number in 0..100 {
            attached.import(&mut manager, &format!("there/{number}"))?;
        }
        node = Some(attached);
    }
    let receiver = manager.spawn((Receiver::default(),));
    for _ in 0..10 {
        for number in 0..100_000 {
            let content = Bytes::default();
            manager.send(receiver, Parcel { number, content })?;
        }
        let soon = Header::to(receiver).stage(Stage::Update).build()?;
        for number in 0..1_000 {
            let content = Bytes::default();
            manager.post(&soon, Parcel { number, content })?;
        }
        manager.tick(FRAME);
    }
    drop(node);
    println!("{} received", manager.get::<Receiver>(receiver)?.received);
    Ok(())
}

fn run() -> Result<(), Failure> {
    match std::env::args().nth(1).as_deref() {
        Some("alone") => return send_in_one_world(false),
        Some("attached") => return send_in_one_world(true),
        _ => {}
    }
    // With arguments, measures a single row: the number of messages and their size in bytes.
    let mut args = std::env::args().skip(1);
    if let (Some(messages), Some(len)) = (args.next(), args.next()) {
        return measure(messages.parse()?, len.parse()?);
    }
    for (messages, len) in [
        (100, 64),
        (10_000, 64),
        (100_000, 64),
        (100, 1024),
        (10_000, 1024),
    ] {
        measure(messages, len)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("net_cost: {error}");
            ExitCode::FAILURE
        }
    }
}
