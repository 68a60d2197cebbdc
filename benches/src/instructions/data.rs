//! The functions of message-data and message-net whose instructions are counted: a messagee of a world file and of a
//! save, a send that is logged, and a message to another node.

mod counted;

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use counted::{Function, OBJECTS, OPERATIONS, Round};
use message_core::prelude::*;
use message_data::{self as data, Data, Log, LogOptions, SaveOptions, WorldFile};
use message_net::link::{MemoryLink, MemoryNetwork, MemorySettings};
use message_net::{Node, NodeConfig, NodeName};
use serde::{Deserialize, Serialize};

const FUNCTIONS: [Function; 5] = [
    Function::new("world-file", world_file),
    Function::new("save", save),
    Function::new("restore", restore),
    Function::new("log", log),
    Function::new("net-batch", net_batch),
];

const FRAME: Duration = Duration::from_millis(16);

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(exact, name = "instructions.Push")]
struct Push {
    by: u32,
}

#[derive(Data, Serialize, Deserialize, Clone, Default)]
#[data(name = "instructions.Body")]
#[serde(default)]
struct Body {
    x: f32,
    y: f32,
    hp: u32,
    note: String,
}

#[handlers]
impl Body {
    #[on_receive]
    fn push(&mut self, push: &Push) {
        self.hp = self.hp.wrapping_add(push.by);
    }
}

/// Returns a manager with [`OBJECTS`] messagees.
fn world() -> (MessageManager, Vec<MessageeId>) {
    let mut manager = MessageManager::new();
    let body = || Body {
        note: "on duty".to_owned(),
        ..Body::default()
    };
    let ids = (0..OBJECTS).map(|_| manager.spawn((body(),))).collect();
    (manager, ids)
}

/// Reads a world file and instantiates it in a new manager. An operation is a messagee of it.
fn world_file() -> Round {
    let guard =
        |at| format!("(name: \"guard {at}\", components: [Body(hp: {at}, note: \"on duty\")]),\n");
    let guards: Vec<_> = (0..OBJECTS).map(guard).collect();
    let guards = guards.concat();
    let text = format!("World(version: 1, messagees: [\n{guards}])");
    Box::new(move || {
        for _ in 0..OPERATIONS / OBJECTS {
            let file = WorldFile::parse(&text).expect("it is well-formed");
            let made = file.instantiate(&mut MessageManager::new());
            assert_eq!(made.expect("it fits").len(), OBJECTS);
        }
    })
}

fn save() -> Round {
    let (mut manager, _) = world();
    Box::new(move || {
        for _ in 0..OPERATIONS / OBJECTS {
            assert!(data::save(&mut manager, &SaveOptions::new()).is_ok());
        }
    })
}

fn restore() -> Round {
    let (mut manager, _) = world();
    let bytes = data::save(&mut manager, &SaveOptions::new()).expect("all of it is data");
    Box::new(move || {
        for _ in 0..OPERATIONS / OBJECTS {
            assert!(data::restore(&bytes, ManagerConfig::new()).is_ok());
        }
    })
}

/// Sends messages that are inputs of a log.
fn log() -> Round {
    let (mut manager, ids) = world();
    let options = LogOptions::new().digest_every(0);
    Log::start(&mut manager, io::sink(), options).expect("there is no other log");
    Box::new(move || {
        for &id in ids.iter().cycle().take(OPERATIONS) {
            assert!(manager.send(id, Push { by: 1 }).is_ok());
        }
    })
}

/// Sends messages to another node, where they are delivered in one frame.
fn net_batch() -> Round {
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let link = |name| network.link(NodeName::new(name).expect("it is a name"));
    let ((mut here, _), (mut there, ids)) = (world(), world());
    let mut sender = attach(&mut here, link("here"));
    let mut receiver = attach(&mut there, link("there"));
    let exported = receiver.export(&mut there, ids[0], "body");
    exported.expect("it has no other name");
    let proxy = sender
        .import(&mut here, "there/body")
        .expect("it is a path");
    let mut frame = move |messages| {
        for _ in 0..messages {
            assert!(here.send(proxy, Push { by: 1 }).is_ok());
        }
        sender.flush(&mut here);
        network.advance(1);
        receiver.receive(&mut there, FRAME);
        there.tick(FRAME);
        receiver.flush(&mut there);
        network.advance(1);
        sender.receive(&mut here, FRAME);
        here.tick(FRAME);
        there.get::<Body>(ids[0]).map(|body| body.hp)
    };
    // The nodes get to know each other.
    for _ in 0..10 {
        assert!(frame(0).is_ok());
    }
    let mut sent = 0;
    Box::new(move || {
        let hp = frame(OPERATIONS).expect("it is alive");
        sent += OPERATIONS;
        assert_eq!(hp as usize, sent);
    })
}

fn attach(manager: &mut MessageManager, link: MemoryLink) -> Node {
    let config = NodeConfig::new().accept::<Push>().incarnation(1);
    Node::attach(manager, link, config)
}

fn main() -> ExitCode {
    counted::run(&[&FUNCTIONS])
}
