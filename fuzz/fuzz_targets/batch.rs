//! Batches of a node with a session: the world of the other node goes on, whatever they contain.
#![no_main]

use libfuzzer_sys::fuzz_target;
use message_core::prelude::*;
use message_core::report::ReportTo;
use message_net::link::{MemoryNetwork, MemorySettings};
use message_net::proxy;
use message_net::{Node, NodeConfig, NodeName, fuzz_batch};
use std::cell::RefCell;
use std::time::Duration;

mod common;

/// The number of inputs that one manager serves: what they have posted stays in it, and a program can have only a
/// limited number of managers.
const INPUTS: u32 = 1000;

struct World {
    manager: MessageManager,
    mind: MessageeId,
    inputs: u32,
}

impl World {
    fn new() -> Self {
        let config = ManagerConfig::new().report_to(ReportTo::Nobody);
        let mut manager = MessageManager::with_config(config);
        let mind = manager.spawn((common::Mind::default(),));
        Self {
            manager,
            mind,
            inputs: 0,
        }
    }
}

thread_local! {
    static WORLD: RefCell<World> = RefCell::new(World::new());
}

fn run(world: &mut World, bytes: &[u8]) {
    if world.inputs == INPUTS {
        *world = World::new();
    }
    world.inputs += 1;
    let (manager, mind) = (&mut world.manager, world.mind);
    let name = |name| NodeName::new(name).expect("letters only");
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let config = NodeConfig::new().accept::<common::Damage>().incarnation(1);
    let mut node = Node::attach(manager, network.link(name("a")), config);
    node.export(manager, mind, "m").expect("it is free");
    node.import(manager, "b/x").expect("a name");
    fuzz_batch(&mut node, manager, &name("b"), bytes);
    // The second batch continues what the first one began.
    fuzz_batch(&mut node, manager, &name("b"), bytes);
    manager.tick(Duration::from_millis(16));
    assert!(manager.is_alive(mind));
    node.detach(manager);
    assert_eq!(proxy::proxies(&manager).count(), 0);
}

fuzz_target!(|bytes: &[u8]| WORLD.with_borrow_mut(|world| run(world, bytes)));
