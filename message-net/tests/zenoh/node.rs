//! Nodes of managers over the real engine.

use std::thread::sleep;
use std::time::{Duration, Instant};

use message_core::prelude::*;
use message_data::Data;
use message_net::link::zenoh::{ZenohConfig, ZenohLink};
use message_net::{Node, NodeConfig};
use serde::{Deserialize, Serialize};

use crate::common::{DEADLINE, endpoint, free_port, name};

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "zenoh.Knock", exact)]
struct Knock {
    number: u32,
}

#[derive(Default)]
struct Gate {
    knocks: Vec<u32>,
}

#[handlers]
impl Gate {
    #[on_receive]
    fn knock(&mut self, knock: &Knock) {
        self.knocks.push(knock.number);
    }
}

// holds: net.in-order-once
#[test]
fn messages_between_nodes_over_zenoh_arrive_once_and_in_order() {
    let at = endpoint(free_port());
    let open = |node, config| ZenohLink::open(name(node), config).expect("a valid configuration");
    let (mut here, mut there) = (MessageManager::new(), MessageManager::new());
    let hub = open("hub", ZenohConfig::hub(&at));
    let zone = open("zone", ZenohConfig::client(&at));
    let config = NodeConfig::new();
    let mut hub = Node::attach(&mut here, hub, config);
    let config = NodeConfig::new().accept::<Knock>();
    let mut zone = Node::attach(&mut there, zone, config);
    let gate = there.spawn((Gate::default(),));
    zone.export(&mut there, gate, "zone/gate")
        .expect("a free name");
    let proxy = hub.import(&mut here, "zone/gate").expect("a name");

    let (start, mut last) = (Instant::now(), Instant::now());
    let mut sent = 0;
    let knocks = |there: &MessageManager| there.get::<Gate>(gate).expect("a gate").knocks.clone();
    while knocks(&there).len() < 1_000 {
        for _ in 0..10 {
            // A backlog is tried again later.
            let knock = Knock { number: sent };
            if sent < 1_000 && here.send(proxy, knock).is_ok() {
                sent += 1;
            }
        }
        let dt = std::mem::replace(&mut last, Instant::now()).elapsed();
        hub.tick(&mut here, dt);
        zone.tick(&mut there, dt);
        assert!(
            start.elapsed() < DEADLINE,
            "{sent} sent, {:?}",
            knocks(&there)
        );
        sleep(Duration::from_millis(1));
    }
    assert!(knocks(&there).iter().copied().eq(0..1_000));
}
