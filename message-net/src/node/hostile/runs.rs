//! Messages of a hostile node that follow each other on one way.

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use super::{World, world};
use crate::node::NodeConfig;
use crate::node::entry::{Address, Entry, Say, Target};
use crate::node::incoming::Arrived;
use crate::pack::Packer;
use crate::session::SessionEvent;

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "net.hostile.Pair", exact)]
struct Pair {
    first: u32,
    second: u32,
}

#[derive(Default)]
struct Fragile {
    heard: Vec<u32>,
}

#[handlers]
impl Fragile {
    #[on_receive]
    fn pair(&mut self, pair: &Pair, cx: &mut Context<'_>) {
        self.heard.push(pair.first);
        if pair.second == 1 {
            let own = cx.me();
            let _ = cx.despawn(own);
        }
        assert!(pair.second != 2, "it is asked to");
    }
}

impl World {
    /// Exports a messagee that accepts pairs, and takes these entries for it, as bytes.
    fn take_pairs(&mut self, entries: &[Vec<u8>]) -> MessageeId {
        let fragile = self.manager.spawn((Fragile::default(),));
        let export = self.node.export(&mut self.manager, fragile, "fragile");
        export.expect("free");
        let (peer, bytes) = (self.b.clone(), entries.concat().into());
        let event = SessionEvent::Batch { peer, bytes };
        self.node.arrived.push_back(Arrived::of(event));
        while !self.node.arrived.is_empty() {
            let (node, manager) = (&mut self.node, &mut self.manager);
            let hand_in = std::panic::AssertUnwindSafe(|| node.hand_in(manager));
            let _ = std::panic::catch_unwind(hand_in);
        }
        fragile
    }

    /// Returns an entry with the first of these pairs, which the others follow.
    fn run(&self, messages: &[&[u8]]) -> Vec<Vec<u8>> {
        let [first, more @ ..] = messages else {
            return Vec::new();
        };
        let more = more.iter().map(|message| {
            let mut to = Packer::default();
            to.bin(message);
            to.0
        });
        [self.pair(first)].into_iter().chain(more).collect()
    }

    /// Returns an entry with a pair that has the given content.
    fn pair(&self, message: &[u8]) -> Vec<u8> {
        let mut to = Packer::default();
        let say = Say {
            to: Target::Export("fragile"),
            from: Some(Address::Mine(3)),
            of: self.number(Pair::TYPE),
            ids: Vec::new(),
            header: None,
            ask: None,
            message,
        };
        Entry::Say(say).write(&mut to);
        to.0
    }

    fn heard_by(&self, fragile: MessageeId) -> Vec<u32> {
        let fragile = self.manager.get::<Fragile>(fragile);
        fragile.expect("alive").heard.clone()
    }

    fn counts(&self) -> (u64, u64) {
        let counts = self.node.peers[&self.b].counts;
        (counts.received, counts.refused_here)
    }
}

// holds: net.malformed
#[test]
fn of_messages_that_follow_each_other_each_one_is_checked() {
    let mut world = world(|it| it.accept::<Pair>().max_message(20));
    let entries = world.run(&[
        &[0x92, 1, 0],
        &[0x92, 2, 0],
        // These cannot be read, are too long, and have names.
        &[0x91, 3],
        &[0; 21],
        b"\x82\xa5first\x04\xa6second\x00",
        &[0x92, 5, 0],
    ]);
    let fragile = world.take_pairs(&entries);
    assert_eq!(world.heard_by(fragile), [1, 2, 4, 5]);
    assert_eq!(world.counts(), (4, 2));
    let whys = world.refused();
    assert!(whys[0].contains("net.hostile.Pair"), "{whys:?}");
    assert!(whys[1].contains("at most 20 are accepted"), "{whys:?}");
}

#[test]
fn a_message_in_another_form_among_others_is_read_as_it_is() {
    let mut world = world(NodeConfig::accept::<Pair>);
    let plain = world.pair(&[0x92, 1, 0]);
    // An empty list of ids after the content, and a list of five in a longer form.
    let mut with_ids = plain.clone();
    with_ids[0] = 0x96;
    with_ids.push(0x90);
    let longer = [&[0xdc, 0, 5], &plain[1..]].concat();
    let entries = [
        with_ids.clone(),
        with_ids,
        plain.clone(),
        longer.clone(),
        longer,
        plain,
    ];
    let fragile = world.take_pairs(&entries);
    assert_eq!(world.heard_by(fragile), [1; 6]);
    assert_eq!(world.counts(), (6, 0));
    assert!(world.trouble().is_empty());
}

#[test]
fn who_ends_among_messages_that_follow_each_other_receives_no_more() {
    let mut world = world(NodeConfig::accept::<Pair>);
    let entries = world.run(&[&[0x92, 1, 0], &[0x92, 2, 1], &[0x92, 3, 0]]);
    let fragile = world.take_pairs(&entries);
    assert!(!world.manager.is_alive(fragile));
    assert_eq!(world.counts(), (2, 1));
    let whys = world.refused();
    assert!(whys[0].contains("exports no `fragile`"), "{whys:?}");
}

#[test]
fn behind_a_panic_the_messages_that_follow_are_taken() {
    let mut world = world(NodeConfig::accept::<Pair>);
    let pairs: [&[u8]; 4] = [&[0x92, 1, 2], &[0x92, 2, 0], &[0x92, 3, 2], &[0x92, 4, 0]];
    let fragile = world.take_pairs(&world.run(&pairs));
    assert_eq!(world.counts(), (4, 0));
    assert!(world.manager.is_alive(fragile));
}

// holds: net.by-position
#[test]
fn a_list_of_fields_of_another_shape_is_refused_with_the_shape_named() {
    let mut world = world(NodeConfig::accept::<Pair>);
    let mut hello = Packer::default();
    hello.uint(crate::node::entry::VERSION);
    hello.array(1);
    hello.array(4);
    hello.str("net.hostile.Pair");
    hello.uint(1);
    hello.str("Pair(second: u32, first: u32)");
    hello.bool(true);
    let b = world.b.clone();
    let compared = world.node.compare_types(&mut world.manager, &b, &hello.0);
    compared.expect("well formed");
    let named = b"\x82\xa5first\x04\xa6second\x00";
    let mut entries = world.run(&[&[0x92, 1, 2], named, &[0x92, 1, 2]]);
    let number = world.number(Pair::TYPE);
    // The other node has one type.
    let at = 1 + 1 + 1 + "fragile".len() + 1;
    assert_eq!(u32::from(entries[0][at]), number, "its numbers are small");
    entries[0][at] = 0;
    let fragile = world.take_pairs(&entries);
    assert_eq!(world.heard_by(fragile), [4]);
    assert_eq!(world.counts(), (1, 2));
    let whys = world.refused();
    let named = whys[0].contains("without the names of its fields")
        && whys[0].contains("`Pair(first: u32, second: u32)`");
    assert!(named, "{whys:?}");
}

// holds: net.malformed, net.bounded
#[test]
fn a_message_without_an_entry_follows_one_with_a_short_receiver() {
    let mut world = world(NodeConfig::accept::<Pair>);
    let again = [0xc4, 3, 0x92, 1, 0].to_vec();
    world.take_pairs(std::slice::from_ref(&again));
    // Each refusal of one that follows repeats the name of the receiver.
    let long = "x".repeat(65);
    let number = world.number(Pair::TYPE);
    let mut to = Packer::default();
    let say = Say {
        to: Target::Export(&long),
        ..super::say(number, &[0x92, 1, 0])
    };
    Entry::Say(say).write(&mut to);
    let (peer, bytes) = (world.b.clone(), [to.0, again].concat().into());
    let event = SessionEvent::Batch { peer, bytes };
    world.node.arrived.push_back(Arrived::of(event));
    world.node.hand_in(&mut world.manager);
    assert_eq!(world.counts(), (0, 1));
    let trouble = world.trouble();
    assert!(trouble[0].contains("follows none"), "{trouble:?}");
}

// holds: net.bounded
#[test]
fn refusals_of_short_messages_that_follow_each_other_are_short() {
    let mut world = world(NodeConfig::accept::<Pair>);
    let messages = [&[][..]; 1000];
    world.take_pairs(&world.run(&messages));
    assert_eq!(world.counts(), (0, 1000));
    let told = world.node.peers[&world.b].told.len();
    assert!(told <= 1000 * 160, "{told} bytes");
}
