//! Another world, some of whose messagees the program reaches by proxies: two managers with nodes, on a link in
//! memory that loses nothing.

use std::time::Duration;

use message_core::prelude::*;
use message_core::report::ReportTo;
use message_data::Data;
use message_net::link::{MemoryNetwork, MemorySettings};
use message_net::{Node, NodeConfig, NodeName};
use serde::{Deserialize, Serialize};

use crate::real::{Act, Note, say};
use crate::{ANSWER, MEETING};

pub(crate) struct Far {
    network: MemoryNetwork,
    manager: MessageManager,
    /// The node of the program's own world.
    near: Node,
    node: Node,
}

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
struct Ear {
    label: usize,
}

#[handlers]
impl Ear {
    #[on_receive]
    fn act(&mut self, act: &Act, cx: &mut Context<'_>) {
        say(format!("f{} has {}", self.label, act.number));
        if act.fuel > 0 {
            // There is nobody to reply to if it came from outside or if its sender has been despawned since.
            let number = act.number + ANSWER;
            let _ = cx.reply(Note { number });
        }
    }

    #[on_receive]
    fn note(&mut self, note: &Note) {
        say(format!("f{} has {}", self.label, note.number));
    }
}

fn attach(manager: &mut MessageManager, network: &mut MemoryNetwork, name: &str) -> Node {
    let name = NodeName::new(name).expect("it is a name");
    let config = NodeConfig::new().incarnation(1);
    let config = config.accept::<Act>().accept::<Note>();
    Node::attach(manager, network.link(name), config)
}

impl Far {
    /// Creates a world with `count` messagees, and their proxies in `manager`.
    pub(crate) fn meet(manager: &mut MessageManager, count: usize) -> (Self, Vec<MessageeId>) {
        let mut network = MemoryNetwork::new(1, MemorySettings::new());
        let near = attach(manager, &mut network, "near");
        let config = ManagerConfig::new().report_to(ReportTo::Nobody);
        let mut there = MessageManager::with_config(config);
        let node = attach(&mut there, &mut network, "far");
        let mut far = Self {
            network,
            manager: there,
            near,
            node,
        };
        let mut proxies = Vec::new();
        for label in 0..count {
            let name = format!("far/f{label}");
            let id = far.manager.spawn((Ear { label },));
            let exported = far.node.export(&mut far.manager, id, &name);
            exported.expect("the name is free");
            proxies.push(far.near.import(manager, &name).expect("it is a name"));
        }
        for _ in 0..MEETING {
            far.tick(manager, Duration::ZERO);
        }
        (far, proxies)
    }

    /// Runs one frame of both worlds.
    pub(crate) fn tick(&mut self, manager: &mut MessageManager, dt: Duration) {
        self.network.advance(1);
        self.near.tick(manager, dt);
        self.node.tick(&mut self.manager, dt);
    }
}
