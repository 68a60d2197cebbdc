//! The names, messagees and answers that are kept of a hostile node.

use message_core::prelude::*;
use message_core::{Group, Mnemonic};
use message_data::{Data, message_to_bytes};
use serde::{Deserialize, Serialize};
use std::time::Duration;

use super::{Names, name, say, world};
use crate::node::NodeConfig;
use crate::node::entry::{Address, Entry, LONGEST_NAME, Say, Target};
use crate::node::incoming::Arrived;
use crate::node::ledger::{Sum, Taken};
use crate::proxy;
use crate::session::SessionEvent;

// holds: net.bounded
#[test]
fn proxies_of_a_node_are_bounded() {
    let mut world = world(|it| it.max_proxies(3));
    for handle in 0..5 {
        world.note(|say| say.from = Some(Address::Mine(handle)));
    }
    assert_eq!((world.heard(), world.refused().len()), (3, 2));
    assert_eq!(proxy::proxies(&world.manager).count(), 3);
}

// holds: net.bounded
#[test]
fn names_that_a_node_wants_to_know_of_are_bounded_in_number_and_length() {
    let mut world = world(|it| it.max_names(3));
    let names: Vec<String> = (0..9).map(|n| format!("x{n}")).collect();
    let long = "x".repeat(LONGEST_NAME + 1);
    let names = || names.iter().map(String::as_str).chain([&*long]);
    let wants: Vec<_> = names().map(|name| Entry::Wants { name }).collect();
    world.take(&wants);
    let groups: Vec<_> = names()
        .map(|name| Entry::Group { name, open: true })
        .collect();
    world.take(&groups);
    let peer = &world.node.peers[&world.b];
    assert_eq!((peer.wanted.len(), peer.groups.len()), (3, 3));
    // Each kind is reported at most once a second.
    assert_eq!(world.trouble().len(), 1);
}

// holds: net.bounded
#[test]
fn messagees_of_third_nodes_that_a_node_names_are_bounded() {
    let mut world = world(|it| it.max_names(2).max_nodes(3));
    let number = world.number(Names::TYPE);
    for n in 0..5 {
        let name = format!("c/x{n}");
        world.note(|say| {
            say.of = number;
            say.ids = vec![Address::Export(&name)];
            say.message = &[0x91, 0];
        });
    }
    assert_eq!(
        (
            proxy::proxies(&world.manager).count(),
            world.refused().len()
        ),
        (3, 3)
    );
    world.up("d");
    for node in ["e", "f"] {
        let name = format!("{node}/x");
        world.note(|say| say.ids = vec![Address::Export(&name)]);
    }
    assert_eq!(world.node.peers.len(), 3);
    assert!(world.refused()[0].contains("belongs to a node that is not known here"));
}

// holds: net.bounded, net.forgotten
#[test]
fn messagees_of_third_nodes_end_with_those_who_named_them() {
    let mut world = world(|it| it);
    let number = world.number(Names::TYPE);
    let own = world.node.import(&mut world.manager, "c/own");
    let own = own.expect("a name");
    let mut entries = Vec::new();
    for name in ["c/own", "c/x", "c/y", "e/z"] {
        entries.push(vec![Address::Export(name)]);
    }
    world.up("d");
    for (from, names) in [("b", &entries[..]), ("d", &entries[2..3])] {
        for ids in names {
            let ids = ids.clone();
            let say = say(number, &[0x91, 0]);
            world.take_from(from, &[Entry::Say(Say { ids, ..say })]);
        }
    }
    // Four names, and the outside of two nodes.
    assert_eq!(proxy::proxies(&world.manager).count(), 6);
    assert_eq!(world.node.peers.len(), 4);
    world.down(crate::session::DownReason::Goodbye);
    world.node.flush(&mut world.manager);
    let left: Vec<_> = proxy::proxies(&world.manager).collect();
    assert_eq!(left.len(), 3, "`c/own`, `c/y`, and the outside of `d`");
    assert!(left.contains(&own));
    let peers: Vec<_> = world
        .node
        .peers()
        .map(|peer| peer.name.to_string())
        .collect();
    assert_eq!(peers, ["c", "d"]);
}

// holds: net.bounded, net.forgotten
#[test]
fn a_node_that_makes_many_proxies_and_vanishes_leaves_none() {
    let mut world = world(|it| it.forget_after(Duration::from_secs(60)));
    for handle in 0..20_000 {
        world.note(|say| say.from = Some(Address::Mine(handle)));
    }
    assert_eq!(proxy::proxies(&world.manager).count(), 1 << 14);
    world.down(crate::session::DownReason::Silent);
    world.node.now += Duration::from_secs(59);
    world.node.flush(&mut world.manager);
    assert_eq!(
        proxy::proxies(&world.manager).count(),
        1 << 14,
        "it may come back"
    );
    world.node.now += Duration::from_secs(1);
    world.node.flush(&mut world.manager);
    assert_eq!(proxy::proxies(&world.manager).count(), 0);
    assert_eq!(world.node.peers.proxy_count(), 0);
    assert_eq!(proxy::outboxes(&world.manager).count(), 0);
    assert_eq!(world.node.peers.len(), 0);
}

// holds: net.bounded
#[test]
fn names_that_are_remembered_for_refusals_are_bounded_and_forgotten() {
    let mut world = world(|it| it.max_proxies(50));
    let peer = world.node.peer(&world.b, &mut world.manager);
    let sent = |messages| Sum {
        messages,
        questions: 0,
    };
    peer.ledger.send(sent(3));
    for handle in 0..200 {
        world.note(|say| say.from = Some(Address::Mine(handle)));
        world.take(&[Entry::Ended { handle }]);
        world.node.tell_ends(&mut world.manager);
    }
    let peer = &world.node.peers[&world.b];
    assert_eq!((peer.past.len(), peer.proxies.len()), (50, 0));
    let taken = |messages| {
        Entry::Taken(Taken {
            messages,
            refused: Sum::default(),
        })
    };
    world.take(&[taken(0), taken(3)]);
    assert_eq!(world.node.peers[&world.b].past.len(), 0);
}

// holds: net.bounded, net.import-renamed
#[test]
fn an_export_that_is_told_over_and_over_takes_no_memory() {
    let mut world = world(|it| it);
    let proxy = world
        .node
        .import(&mut world.manager, "b/x")
        .expect("a name");
    let told = |handle| Entry::Exported { name: "x", handle };
    let all: Vec<_> = (0..50).map(|handle| told(Some(handle))).collect();
    world.take(&all);
    let peer = &world.node.peers[&world.b];
    assert_eq!(peer.proxies.target_of(proxy), Some(Target::Handle(0)));
    assert_eq!(peer.proxies.held().count(), 1);
    // The name belongs to another messagee now, which a new import refers to.
    let other = world
        .node
        .import(&mut world.manager, "b/x")
        .expect("a name");
    assert_ne!(other, proxy);
    world.take(&[told(Some(1))]);
    let peer = &world.node.peers[&world.b];
    assert_eq!(peer.proxies.target_of(other), Some(Target::Handle(1)));
    world.take(&[Entry::Ended { handle: 0 }, Entry::Ended { handle: 77 }]);
    assert!(!world.manager.is_alive(proxy) && world.manager.is_alive(other));
}

// holds: net.bounded
#[test]
fn a_node_that_sends_and_does_not_read_gets_no_more_answers_than_fit() {
    let mut world = world(|it| it.backlog(1000).max_message(1 << 20));
    let most = world.node.config.session.window_bytes;
    let long = vec![0xC1; 1 << 20];
    for _ in 0..40 {
        world.note(|say| say.message = &long);
    }
    let peer = &world.node.peers[&world.b];
    assert!(peer.told_len() < most + (2 << 20), "{}", peer.told_len());
    assert_eq!(peer.counts.refused_here, 40);
    assert!(world.trouble()[0].contains("of answers wait for it"));
}

// holds: net.bounded
#[test]
fn nodes_that_have_gone_are_forgotten_when_there_are_too_many() {
    let mut world = world(|it| it.max_nodes(3));
    for n in 0..9 {
        let peer = name(&format!("n{n}"));
        world.up(peer.as_str());
        let why = crate::session::DownReason::Silent;
        let event = SessionEvent::Down { peer, why };
        world.node.arrived.push_back(Arrived::of(event));
        world.node.hand_in(&mut world.manager);
    }
    assert!(world.node.peers.len() <= 3 && world.node.peers.contains_key(&world.b));
    world.up("c");
    world.up("d");
    world.take_from("d", &[Entry::Wants { name: "ear" }]);
    assert!(!world.node.peers.contains_key(&name("e")));
}

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "net.hostile.Named", exact)]
enum Named {
    Keeper(Mnemonic),
    Crowd(Group),
}

// holds: net.bounded
#[test]
fn names_in_messages_that_nobody_has_cost_no_search_for_similar_ones() {
    mnemonic!(SMITH = "net.hostile.smith");
    let mut world = world(NodeConfig::accept::<Named>);
    let of = world.number(Named::TYPE);
    let mut ids = Vec::new();
    let full = message_to_bytes(&Named::Keeper(SMITH), &mut ids).expect("it has data");
    assert!(
        full.ends_with(b"net.hostile.smith"),
        "the name is a full one"
    );
    let steps = message_format::steps::count(|| {
        for message in [
            b"\x81\xa6Keeper\xb1net.hostile.smitt".as_slice(),
            // A short name, which only people use.
            b"\x81\xa6Keeper\xa5smith",
            b"\x81\xa5Crowd\xa4gulp",
            b"\x81\xa6Keepre\xa5smith",
        ] {
            world.note(|say| (say.of, say.message) = (of, message));
        }
    });
    let whys = world.refused();
    assert_eq!(whys.len(), 4, "{whys:?}");
    assert!(whys[0].contains("no mnemonic is declared as `net.hostile.smitt`"));
    assert!(steps < 100, "{steps} steps: {whys:?}");
}
