//! How a network grows: bytes and time per tick, by the number of nodes and of exported messagees.
//! `cargo run --release -p message-tests --example growth`
//!
//! All worlds are in one process and one thread, on a network in memory: the time is that of all nodes
//! together. Each node is connected to each other one. In the busy ticks each node sends 100 messages to
//! messagees that it has imported, one after the other.

#![allow(clippy::cast_precision_loss, reason = "the table has four digits")]

use std::time::{Duration, Instant};

use message_core::prelude::*;
use message_data::Data;
use message_net::link::{MemoryNetwork, MemorySettings};
use message_net::{Node, NodeConfig, NodeName};
use serde::{Deserialize, Serialize};

const TICK: Duration = Duration::from_millis(16);
const TICKS: u32 = 200;
const MESSAGES: usize = 100;

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "growth.Step", exact)]
struct Step {
    x: f32,
    y: f32,
}

#[derive(Default)]
struct Walker {
    steps: u64,
}

#[handlers]
impl Walker {
    #[on_receive]
    fn step(&mut self, step: &Step) {
        self.steps += u64::from(step.x <= step.y);
    }
}

struct World {
    manager: MessageManager,
    node: Node,
    imported: Vec<MessageeId>,
    next: usize,
}

struct Run {
    network: MemoryNetwork,
    worlds: Vec<World>,
}

/// The cost of a number of ticks.
struct Cost {
    bytes: u64,
    frames: u64,
    time: Duration,
}

impl Run {
    fn new(nodes: usize) -> Self {
        let network = MemoryNetwork::new(1, MemorySettings::new());
        let worlds = (0..nodes).map(|index| {
            let name = NodeName::new(&format!("n{index}")).expect("a name");
            let mut manager = MessageManager::new();
            let config = NodeConfig::new().accept::<Step>().incarnation(1);
            let link = network.link(name);
            let node = Node::attach(&mut manager, link, config);
            World {
                manager,
                node,
                imported: Vec::new(),
                next: 0,
            }
        });
        let worlds = worlds.collect();
        Self { network, worlds }
    }

    /// Each node exports this many messagees, and imports all of the node before it.
    fn export(&mut self, each: usize) {
        let nodes = self.worlds.len();
        for (index, world) in self.worlds.iter_mut().enumerate() {
            for number in 0..each {
                let id = world.manager.spawn((Walker::default(),));
                world
                    .node
                    .export(&mut world.manager, id, &format!("walker-{number}"))
                    .expect("the name is free");
                let name = format!("n{}/walker-{number}", (index + nodes - 1) % nodes);
                let proxy = world.node.import(&mut world.manager, &name);
                world.imported.push(proxy.expect("a name"));
            }
        }
    }

    fn ticks(&mut self, ticks: u32, messages: usize) -> Cost {
        let before = self.network.counters();
        let begin = Instant::now();
        for _ in 0..ticks {
            self.network.advance(1);
            for world in &mut self.worlds {
                for _ in 0..messages {
                    let to = world.imported[world.next % world.imported.len()];
                    world.next += 1;
                    world
                        .manager
                        .send(to, Step { x: 1.0, y: 2.0 })
                        .expect("there is room");
                }
                world.node.tick(&mut world.manager, TICK);
            }
        }
        let time = begin.elapsed();
        let after = self.network.counters();
        Cost {
            bytes: after.bytes - before.bytes,
            frames: after.sent - before.sent,
            time,
        }
    }
}

fn line(nodes: usize, each: usize) {
    let mut run = Run::new(nodes);
    run.ticks(60, 0);
    run.export(each);
    let import = run.ticks(60, 0);
    let idle = run.ticks(TICKS, 0);
    let busy = run.ticks(TICKS, MESSAGES);
    run.ticks(20, 0);
    let heard: u64 = run
        .worlds
        .iter()
        .flat_map(|world| {
            world
                .manager
                .iter::<Walker>()
                .map(|(_, walker)| walker.steps)
        })
        .sum();
    assert_eq!(heard, nodes as u64 * MESSAGES as u64 * u64::from(TICKS));
    let per = |number: u64| number as f64 / f64::from(TICKS);
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(TICKS);
    println!(
        "{nodes:>5} {each:>8} {:>12} {:>11.1} {:>11.0} {:>10.1} {:>11.1} {:>11.0} {:>10.1} {:>10.2}",
        import.bytes,
        per(idle.frames),
        per(idle.bytes),
        micros(idle.time),
        per(busy.frames),
        per(busy.bytes),
        micros(busy.time),
        micros(busy.time) / (nodes * MESSAGES) as f64,
    );
}

fn main() {
    println!(
        "{:>5} {:>8} {:>12} {:>11} {:>11} {:>10} {:>11} {:>11} {:>10} {:>10}",
        "", "exports", "bytes to", "idle:", "", "", "busy:", "", "", ""
    );
    println!(
        "{:>5} {:>8} {:>12} {:>11} {:>11} {:>10} {:>11} {:>11} {:>10} {:>10}",
        "nodes",
        "of each",
        "import all",
        "frames/tick",
        "bytes/tick",
        "us/tick",
        "frames/tick",
        "bytes/tick",
        "us/tick",
        "us/message"
    );
    for nodes in [2, 4, 8, 16, 32, 64] {
        line(nodes, 100);
    }
    for each in [1, 10, 100, 1000, 10_000, 50_000] {
        line(2, each);
    }
    // Beyond what one node exports and imports: a hundred thousand in all, over 64 nodes.
    line(64, 1563);
}
