//! Tests against a program with different types on the other side.

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};

use crate::link::{MemoryNetwork, MemorySettings};
use crate::name::NodeName;
use crate::node::entry::Entry;
use crate::node::{Node, NodeConfig, entry};
use crate::pack::{Packer, Unpacker};

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "net.Differs", exact)]
struct Differs {
    hp: u32,
    shield: u32,
}

#[derive(Message, Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "net.Grows")]
struct Grows {
    hp: u32,
    shield: u32,
}

/// Returns the hello of a program whose types have these versions and shapes, and read no lists.
fn hello(told: &[(&str, u64, &str)]) -> Vec<u8> {
    hello_with_lists(told, false)
}

fn hello_with_lists(told: &[(&str, u64, &str)], takes_lists: bool) -> Vec<u8> {
    let mut to = Packer::default();
    to.uint(entry::VERSION);
    to.array(told.len());
    for (name, version, shape) in told {
        to.array(4);
        to.str(name);
        to.uint(*version);
        to.str(shape);
        to.bool(takes_lists);
    }
    to.0
}

fn node() -> (MessageManager, Node, NodeName) {
    let mut manager = MessageManager::new();
    let name = |name| NodeName::new(name).expect("a name");
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let node = Node::attach(&mut manager, network.link(name("a")), NodeConfig::new());
    (manager, node, name("b"))
}

// holds: net.shapes-compared
#[test]
fn a_type_that_differs_is_refused_with_both_shapes_and_the_others_work() {
    let (mut manager, mut node, b) = node();
    let told = hello(&[
        ("net.Differs", 1, "Differs(hp: str, shield: u32)"),
        ("net.Grows", 1, "Grows(hp?: u32, armor?: u8)"),
    ]);
    node.compare_types(&mut manager, &b, &told)
        .expect("well formed");
    let peer = &node.peers[&b];
    let why = peer.types.theirs[0].as_ref().expect_err("it differs");
    assert_eq!(
        &**why,
        "node `a` cannot read the other's `net.Differs`, because `Differs.hp` differs: node `a` has \
         `Differs(hp: u32, shield: u32)`, and node `b` `Differs(hp: str, shield: u32)`"
    );
    assert!(
        peer.types.theirs[1].is_ok(),
        "fields may be added on either side"
    );
    assert_eq!(peer.types.unreadable.len(), 1);
}

// holds: net.shapes-compared
#[test]
fn a_version_that_differs_is_refused_with_both_named() {
    let (mut manager, mut node, b) = node();
    let told = hello(&[("net.Grows", 2, "Grows(hp?: u32, shield?: u32)")]);
    node.compare_types(&mut manager, &b, &told)
        .expect("well formed");
    let why = node.peers[&b].types.theirs[0]
        .as_ref()
        .expect_err("it differs");
    assert!(
        why.contains("node `a` has version 1") && why.contains("node `b` version 2"),
        "{why}"
    );
}

// holds: net.shapes-compared
#[test]
fn what_the_other_cannot_read_is_a_dead_letter_here() {
    let (mut manager, mut node, b) = node();
    let gate = node.import(&mut manager, "b/gate").expect("a name");
    let told = hello(&[
        ("net.Differs", 1, "Differs(hp: u32)"),
        ("net.Grows", 1, "Grows(hp: u16)"),
    ]);
    node.compare_types(&mut manager, &b, &told)
        .expect("well formed");
    node.peer(&b, &mut manager).state = crate::node::peer::State::Up;
    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&lines);
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        log.lock().expect("no panic").push(letter.why.to_string());
    });
    manager
        .send(gate, Differs { hp: 1, shield: 2 })
        .expect("it waits");
    manager
        .send(gate, Grows { hp: 1, shield: 2 })
        .expect("it waits");
    node.flush(&mut manager);
    let lines = lines.lock().expect("no panic");
    assert_eq!(
        lines.len(),
        1,
        "a field that only the writer has is passed over: {lines:?}"
    );
    assert!(
        lines[0].contains("node `b` cannot read the other's `net.Grows`"),
        "{lines:?}"
    );
}

/// Returns the messages that a node sends to another node with this hello.
fn sent_to(hello: &[u8]) -> Vec<Vec<u8>> {
    let (mut manager, mut node, b) = node();
    let gate = node.import(&mut manager, "b/gate").expect("a name");
    node.compare_types(&mut manager, &b, hello)
        .expect("well formed");
    node.peer(&b, &mut manager).state = crate::node::peer::State::Up;
    for hp in [1, 2] {
        manager
            .send(gate, Differs { hp, shield: 7 })
            .expect("it waits");
    }
    let soon = Header::to(gate).after_frames(1).build().expect("a header");
    manager
        .post(&soon, Differs { hp: 3, shield: 7 })
        .expect("it waits");
    node.flush(&mut manager);
    let mut messages = Vec::new();
    for batch in &node.peers[&b].ready {
        let (mut from, mut said) = (Unpacker::new(&batch.bytes), None);
        while !from.is_at_end() {
            let entry = Entry::next(&mut from, &mut said);
            if let Entry::Say(say) = entry.expect("it was written here") {
                messages.push(say.message.to_vec());
            }
        }
    }
    messages
}

// holds: net.by-position
#[test]
fn between_equal_shapes_a_message_goes_without_the_names_of_its_fields() {
    let same = "Differs(hp: u32, shield: u32)";
    let sent = sent_to(&hello_with_lists(&[("net.Differs", 1, same)], true));
    assert_eq!(sent, [[0x92, 1, 7], [0x92, 2, 7], [0x92, 3, 7]]);
    // It works as before if the other one has more fields, or reads no lists.
    let more = "Differs(hp: u32, shield: u32, armor?: u8)";
    for hello in [
        hello_with_lists(&[("net.Differs", 1, more)], true),
        hello(&[("net.Differs", 1, same)]),
    ] {
        let sent = sent_to(&hello);
        assert_eq!(sent.len(), 3);
        assert_eq!(sent[0], b"\x82\xa2hp\x01\xa6shield\x07");
        assert_eq!(sent[2], b"\x82\xa2hp\x03\xa6shield\x07");
    }
}

/// A message that cannot be read if its number is 13.
#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "net.Unlucky", exact)]
struct Unlucky {
    #[serde(deserialize_with = "no_thirteen")]
    number: u32,
}

fn no_thirteen<'d, D: serde::Deserializer<'d>>(deserializer: D) -> Result<u32, D::Error> {
    let number = u32::deserialize(deserializer)?;
    assert!(number != 13, "it is thirteen");
    Ok(number)
}

#[test]
fn a_message_that_panics_when_it_is_given_its_names_does_not_harm_the_others() {
    let (mut manager, mut node, b) = node();
    let gate = node.import(&mut manager, "b/gate").expect("a name");
    let told = hello(&[("net.Unlucky", 1, "Unlucky(number: u32, lucky?: bool)")]);
    node.compare_types(&mut manager, &b, &told)
        .expect("well formed");
    node.peer(&b, &mut manager).state = crate::node::peer::State::Up;
    for number in [12, 13, 14] {
        let sent = manager.send(gate, Unlucky { number });
        sent.expect("it waits");
    }
    let flush = std::panic::AssertUnwindSafe(|| node.flush(&mut manager));
    let panic = std::panic::catch_unwind(flush).expect_err("it goes on");
    assert!(
        panic
            .downcast_ref::<&str>()
            .is_some_and(|it| it.contains("thirteen"))
    );
    let ready: Vec<_> = node.peers[&b]
        .ready
        .iter()
        .map(|batch| batch.messages.all())
        .collect();
    assert_eq!(ready, [2]);
    // It cannot be shown in a dead letter.
    assert_eq!(node.peers[&b].counts.lost, 1);
    node.flush(&mut manager);
}

// holds: net.malformed
#[test]
fn a_hello_that_cannot_be_read_is_an_error_with_its_place() {
    let (mut manager, mut node, b) = node();
    let mut other = Packer::default();
    other.uint(entry::VERSION + 1);
    let newer = node
        .compare_types(&mut manager, &b, &other.0)
        .expect_err("newer");
    let versions = format!("version {} of the format of messages", entry::VERSION + 1);
    assert!(newer.contains(&versions), "{newer}");
    let whole = node.types.hello();
    for len in 0..whole.len() {
        let cut = node.compare_types(&mut manager, &b, &whole[..len]);
        assert!(cut.is_err(), "cut to {len}");
    }
    let bad = hello(&[("net.Grows", 1, "Grows(hp")]);
    let error = node
        .compare_types(&mut manager, &b, &bad)
        .expect_err("no shape");
    assert!(error.contains("the shape of a type"), "{error}");
}

/// Returns the hello of a program with `count` types that this one does not have, though their names are similar.
fn unknown_types(count: usize) -> Vec<u8> {
    let mut names: Vec<String> = (0..count).map(|at| format!("net.Differ{at:05}")).collect();
    names.sort_unstable();
    let told: Vec<_> = names.iter().map(|name| (&**name, 1, "u32")).collect();
    hello(&told)
}

// holds: net.bounded
#[test]
fn a_hello_of_unknown_types_costs_no_search_for_similar_names() {
    let (mut manager, mut node, b) = node();
    let told = unknown_types(4000);
    let steps = message_format::steps::count(|| {
        let compared = node.compare_types(&mut manager, &b, &told);
        compared.expect("well formed");
    });
    assert!(
        steps <= told.len(),
        "{steps} steps for {} bytes",
        told.len()
    );
    let theirs = &node.peers[&b].types.theirs;
    assert_eq!(theirs.len(), 4000);
    let why = theirs[0].as_ref().expect_err("nobody knows it");
    assert_eq!(&**why, "node `a` has no message type `net.Differ00000`");
}

/// Returns how many bytes of reasons are kept of a node.
fn kept(node: &Node, b: &NodeName) -> usize {
    let types = &node.peers[b].types;
    let theirs = types.theirs.iter().filter_map(|it| it.as_ref().err());
    theirs
        .chain(types.unreadable.values())
        .map(|it| it.len())
        .sum()
}

// holds: net.bounded
#[test]
fn what_is_kept_of_a_hello_is_bounded_also_if_every_type_differs() {
    let (mut manager, mut node, b) = node();
    let long = format!("Differs({}hp: u32)", "much_more: u32, ".repeat(3000));
    let all: Vec<&str> = message_data::types()
        .filter(|ty| ty.is_message())
        .map(message_data::DataType::name)
        .collect();
    let told: Vec<_> = all.iter().map(|&name| (name, 1, &*long)).collect();
    let steps = message_format::steps::count(|| {
        let compared = node.compare_types(&mut manager, &b, &hello(&told));
        compared.expect("well formed");
    });
    // The texts are read once, and the comparisons have a limit for all types.
    assert!(steps < all.len() * long.len() * 2 + 500_000, "{steps}");
    assert!(kept(&node, &b) <= all.len() * 2000);
    let compared = node.compare_types(&mut manager, &b, &unknown_types(4096));
    compared.expect("as many as are accepted");
    assert!(kept(&node, &b) <= 64 << 10, "{}", kept(&node, &b));
    let last = node.peers[&b].types.theirs.last().expect("many");
    let why = last.as_ref().expect_err("nobody knows it");
    let why = node.differs(why, &b);
    assert!(why.contains("too many others"), "{why}");
    let error = node
        .compare_types(&mut manager, &b, &unknown_types(4097))
        .expect_err("too many");
    assert!(
        error.contains("4097 message types: expected at most 4096"),
        "{error}"
    );
}

// holds: net.bounded
#[test]
fn a_shape_that_is_too_long_is_refused_without_being_parsed() {
    let (mut manager, mut node, b) = node();
    let long = format!("Differs({}hp: u32)", "a: u8, ".repeat(20_000));
    let told = hello(&[("net.Differs", 1, &long)]);
    let steps = message_format::steps::count(|| {
        let compared = node.compare_types(&mut manager, &b, &told);
        compared.expect("well formed");
    });
    assert_eq!(steps, 0);
    let why = node.peers[&b].types.theirs[0]
        .as_ref()
        .expect_err("it differs");
    assert!(why.contains("at most 65536 are compared"), "{why}");
}

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "net.Words", exact)]
struct Words {
    text: String,
}

#[test]
fn messages_that_differ_only_in_their_contents_follow_each_other_in_each_batch() {
    let (mut manager, mut node, b) = node();
    let gate = node.import(&mut manager, "b/gate").expect("a name");
    let hello = hello_with_lists(&[("net.Words", 1, "Words(text: str)")], true);
    let compared = node.compare_types(&mut manager, &b, &hello);
    compared.expect("well formed");
    node.peer(&b, &mut manager).state = crate::node::peer::State::Up;
    // Around the lengths from which on the length of a message takes more bytes.
    let lens = [0, 20, 251, 252, 253, 254, 65_530, 65_532, 65_533, 70_000];
    let lens: Vec<usize> = [&[20; 500][..], &lens[..]].concat();
    for &len in &lens {
        let text = "x".repeat(len);
        manager.send(gate, Words { text }).expect("it waits");
    }
    node.flush(&mut manager);
    let (mut read, mut entries) = (Vec::new(), 0);
    let batches = &node.peers[&b].ready;
    for batch in batches {
        let (mut from, mut said) = (Unpacker::new(&batch.bytes), None);
        while !from.is_at_end() {
            entries += usize::from(!from.is_at_bin());
            let entry = Entry::next(&mut from, &mut said);
            if let Entry::Say(say) = entry.expect("it was written here") {
                let message = Words::TYPE.read_message(say.message, &[]);
                let message = message.expect("it was written here");
                read.extend(
                    message
                        .downcast_ref::<Words>()
                        .map(|words| words.text.len()),
                );
            }
        }
    }
    assert_eq!(read, lens);
    assert!(
        batches.len() > 10 && entries <= batches.len() + 1,
        "{entries}"
    );
}
