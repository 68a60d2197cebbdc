//! The measurements behind `message_net::deployment`.

use std::time::Duration;

use message_core::prelude::*;
use message_net::link::{MemoryNetwork, MemorySettings};
use message_net::{Node, NodeConfig, NodeName, PeerState};

const TICK: Duration = Duration::from_millis(50);

/// Creates nodes with the given numbers on one network.
fn nodes(
    network: &MemoryNetwork,
    numbers: std::ops::Range<usize>,
    heartbeat: u64,
) -> Vec<(MessageManager, Node)> {
    let heartbeat = Duration::from_millis(heartbeat);
    let node = |number: usize| {
        let name = NodeName::new(&format!("zone-{number:04}")).expect("a name");
        let mut manager = MessageManager::new();
        let config = NodeConfig::new()
            .incarnation(1 << 63)
            .heartbeat(heartbeat)
            .unreachable_after(heartbeat * 4);
        let node = Node::attach(&mut manager, network.link(name), config);
        (manager, node)
    };
    numbers.map(node).collect()
}

/// Returns the bytes and frames a second that idle nodes send to each other. `heartbeat` is in milliseconds.
fn idle(nodes: usize, heartbeat: u64) -> (f64, f64) {
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let mut worlds = self::nodes(&network, 0..nodes, heartbeat);
    let mut pass = |ticks: u32| {
        for _ in 0..ticks {
            network.advance(1);
            for (manager, node) in &mut worlds {
                node.tick(manager, TICK);
            }
        }
    };
    pass(60);
    let before = network.counters();
    pass(100);
    let after = network.counters();
    let up = |node: &Node| {
        node.peers()
            .filter(|peer| peer.state == PeerState::Up)
            .count()
    };
    assert!(worlds.iter().all(|(_, node)| up(node) == nodes - 1));
    let seconds = (TICK * 100).as_secs_f64();
    let bytes = u32::try_from(after.bytes - before.bytes).expect("few");
    let frames = u32::try_from(after.sent - before.sent).expect("few");
    (f64::from(bytes) / seconds, f64::from(frames) / seconds)
}

#[test]
fn each_pair_of_idle_nodes_exchanges_eight_frames_and_less_than_half_a_kilobyte_in_a_second() {
    for nodes in [2, 16, 64] {
        let (bytes, frames) = idle(nodes, 250);
        let pairs = f64::from(u32::try_from(nodes * (nodes - 1) / 2).expect("few"));
        let (bytes, frames) = (bytes / pairs, frames / pairs);
        println!("{nodes} nodes: {frames:.1} frames and {bytes:.0} bytes a second for each pair");
        assert!((7.0..=9.0).contains(&frames), "{frames}");
        assert!(bytes < 512.0, "{bytes}");
    }
}

#[test]
fn with_a_hub_there_are_as_many_sessions_as_zones() {
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let node = |number: usize| {
        let name = if number == 0 {
            "hub".to_owned()
        } else {
            format!("zone-{number:04}")
        };
        let name = NodeName::new(&name).expect("a name");
        let mut manager = MessageManager::new();
        let with = if number == 0 { "zone-*" } else { "hub" };
        let config = NodeConfig::new().incarnation(1 << 63).sessions_with([with]);
        let node = Node::attach(&mut manager, network.link(name), config);
        (manager, node)
    };
    let mut worlds: Vec<_> = (0..64).map(node).collect();
    let mut pass = |ticks: u32| {
        for _ in 0..ticks {
            network.advance(1);
            for (manager, node) in &mut worlds {
                node.tick(manager, TICK);
            }
        }
        network.counters()
    };
    let (before, after) = (pass(60), pass(100));
    let up = |node: &Node| {
        let up = node.peers().filter(|peer| peer.state == PeerState::Up);
        up.count()
    };
    assert_eq!(up(&worlds[0].1), 63);
    assert!(worlds[1..].iter().all(|(_, node)| up(node) == 1));
    let frames = u32::try_from(after.sent - before.sent).expect("few");
    let of_session = f64::from(frames) / (TICK * 100).as_secs_f64() / 63.0;
    println!("{of_session:.1} frames a second for each session");
    assert!((7.0..=9.0).contains(&of_session), "{of_session}");
}

#[test]
fn heartbeats_can_be_fewer_and_are_never_so_few_that_a_node_seems_gone() {
    let (_, frames) = idle(4, 1_000);
    assert!((1.7..=2.3).contains(&(frames / 6.0)), "{frames}");

    let network = MemoryNetwork::new(1, MemorySettings::new());
    let mut worlds = ["a", "b"].map(|name| {
        let name = NodeName::new(name).expect("a name");
        let mut manager = MessageManager::new();
        // The two settings contradict each other: the maximum heartbeat is a quarter of the silence.
        let config = NodeConfig::new()
            .unreachable_after(Duration::from_millis(800))
            .heartbeat(Duration::from_secs(60));
        let node = Node::attach(&mut manager, network.link(name), config);
        (manager, node)
    });
    for tick in 0..200 {
        network.advance(1);
        for (manager, node) in &mut worlds {
            node.tick(manager, TICK);
            let up = node.peers().filter(|peer| peer.state == PeerState::Up);
            assert!(tick < 20 || up.count() == 1, "tick {tick}");
        }
    }
}

/// Returns the resident memory of this process in bytes, if the system reports it.
#[cfg(target_os = "linux")]
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("it is there");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().nth(1));
    kibibytes
        .and_then(|it| it.parse::<usize>().ok())
        .expect("a number")
        << 10
}

/// `cargo test --release -p message-net --test deployment -- --ignored --exact --nocapture \
/// what_a_session_takes_in_memory`: run it alone, because other tests in the process use memory, too.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "it measures the process, and has to be alone in it"]
fn what_a_session_takes_in_memory() {
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let mut worlds = Vec::new();
    let mut measured = Vec::new();
    let begin = resident();
    for (from, to) in [(0, 32), (32, 64), (64, 128)] {
        worlds.extend(nodes(&network, from..to, 250));
        for _ in 0..100 {
            network.advance(1);
            for (manager, node) in &mut worlds {
                node.tick(manager, TICK);
            }
        }
        measured.push((to, resident() - begin));
        println!("{to} nodes: {} KiB", (resident() - begin) >> 10);
    }
    // a × n + b × n × (n − 1), from the last two.
    let [_, (n, of_n), (m, of_m)] = measured[..] else {
        unreachable!("three were measured")
    };
    let [n, m, of_n, of_m] =
        [n, m, of_n, of_m].map(|it| f64::from(u32::try_from(it).expect("less than 4 GiB")));
    let of_side = (of_m / m - of_n / n) / (m - n);
    println!("{of_side:.0} bytes for each side of a session");
    assert!(of_side < 20_000.0);
}
