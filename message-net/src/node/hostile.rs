//! Tests against a hostile node: it has a session and sends arbitrary data.

mod posts;

use crate::proxy;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::{Group, Mnemonic};
use message_data::{Data, message_to_bytes, to_bytes_with_ids};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::link::{MemoryNetwork, MemorySettings};
use crate::name::NodeName;
use message_core::trace::Traced;

use crate::node::entry::{Address, Answer, Cause, Entry, LONGEST_NAME, Say, Target};
use crate::node::incoming::Arrived;
use crate::node::ledger::{Sum, Taken};
use crate::node::{Node, NodeConfig, fuzz_batch};
use crate::pack::{Packer, Unpacker};
use crate::random::Random;
use crate::session::SessionEvent;
use crate::told::NetTrouble;

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "net.hostile.Note", exact)]
struct Note(u32);

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "net.hostile.Names", exact)]
struct Names(Vec<MessageeId>);

#[derive(Default)]
struct Ear {
    heard: Vec<u32>,
}

#[handlers]
impl Ear {
    #[on_receive]
    fn note(&mut self, note: &Note) {
        self.heard.push(note.0);
    }
}

type Lines = Arc<Mutex<Vec<String>>>;

struct World {
    manager: MessageManager,
    node: Node,
    b: NodeName,
    ear: MessageeId,
    dead: Lines,
    trouble: Lines,
}

fn name(name: &str) -> NodeName {
    NodeName::new(name).expect("a name")
}

fn lines<M: Message>(manager: &mut MessageManager, print: fn(&M) -> String) -> Lines {
    let lines = Lines::default();
    let log = Arc::clone(&lines);
    manager.subscribe(Filter::of::<M>(), move |message, _| {
        log.lock().expect("no panic").push(print(message));
    });
    lines
}

/// Creates a node `a` that exports an ear, with a session with `b`.
fn world(config: impl FnOnce(NodeConfig) -> NodeConfig) -> World {
    let mut manager = MessageManager::new();
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let accepts = NodeConfig::new().accept::<Note>().accept::<Names>();
    let link = network.link(name("a"));
    let mut node = Node::attach(&mut manager, link, config(accepts));
    let ear = manager.spawn((Ear::default(),));
    node.export(&mut manager, ear, "ear").expect("free");
    let dead = lines(&mut manager, |letter: &DeadLetter| letter.why.to_string());
    let trouble = lines(&mut manager, |told: &NetTrouble| told.what.clone());
    let mut world = World {
        manager,
        node,
        b: name("b"),
        ear,
        dead,
        trouble,
    };
    world.up("b");
    world
}

impl World {
    fn up(&mut self, peer: &str) {
        let event = SessionEvent::Up {
            peer: name(peer),
            hello: self.node.types.hello(),
            restarted: false,
        };
        self.node.arrived.push_back(Arrived::of(event));
        self.node.hand_in(&mut self.manager);
    }

    fn take_from(&mut self, peer: &str, entries: &[Entry<'_>]) {
        let mut to = Packer::default();
        for entry in entries {
            entry.write(&mut to);
        }
        let (peer, bytes) = (name(peer), to.0);
        let event = SessionEvent::Batch {
            peer,
            bytes: bytes.into(),
        };
        self.node.arrived.push_back(Arrived::of(event));
        self.node.hand_in(&mut self.manager);
    }

    fn take(&mut self, entries: &[Entry<'_>]) {
        self.take_from("b", entries);
    }

    /// Sends a note to the exported ear, with changes.
    fn note<'e>(&mut self, change: impl FnOnce(&mut Say<'e>)) {
        let mut say = Say {
            to: Target::Export("ear"),
            from: None,
            of: self.number(Note::TYPE),
            ids: Vec::new(),
            header: None,
            ask: None,
            message: &[7],
        };
        change(&mut say);
        let mut to = Packer::default();
        Entry::Say(say).write(&mut to);
        let (peer, bytes) = (self.b.clone(), to.0);
        let event = SessionEvent::Batch {
            peer,
            bytes: bytes.into(),
        };
        self.node.arrived.push_back(Arrived::of(event));
        self.node.hand_in(&mut self.manager);
    }

    fn number(&self, of: &message_data::DataType) -> u32 {
        self.node.types.number(of).expect("a message")
    }

    fn heard(&self) -> usize {
        let ear = self.manager.get::<Ear>(self.ear);
        ear.expect("alive").heard.len()
    }

    /// Takes the refusals that are queued for the other node, and returns their reasons.
    fn refused(&mut self) -> Vec<String> {
        let told = std::mem::take(&mut self.node.peers.get_mut(&self.b).expect("known").told);
        let mut whys = Vec::new();
        for batch in told.into_batches() {
            let mut from = Unpacker::new(&batch.bytes);
            while !from.is_at_end() {
                match Entry::read(&mut from).expect("it was written here") {
                    Entry::Refused { why, .. } => whys.push(why.to_owned()),
                    Entry::Answer {
                        answer: Answer::None { text, .. },
                        ..
                    } => whys.push(text.to_owned()),
                    _ => {}
                }
            }
        }
        whys
    }

    fn refuses(&mut self, part: &str) {
        let whys = self.refused();
        assert!(whys.len() == 1 && whys[0].contains(part), "{whys:?}");
        assert_eq!(self.heard(), 0, "{whys:?}");
    }

    /// Takes the reasons of the dead letters.
    fn dead(&self) -> Vec<String> {
        std::mem::take(&mut *self.dead.lock().expect("no panic"))
    }

    fn trouble(&self) -> Vec<String> {
        std::mem::take(&mut *self.trouble.lock().expect("no panic"))
    }
}

fn header(header: &Header) -> Vec<u8> {
    to_bytes_with_ids(header, &mut Vec::new()).expect("it has no ids")
}

// holds: net.reachable-by
#[test]
fn a_handle_that_was_not_given_to_the_node_reaches_nobody() {
    let mut world = world(|it| it);
    // Another node was given this handle.
    world.up("c");
    world.take_from("c", &[Entry::Wants { name: "ear" }]);
    world.note(|say| say.to = Target::Handle(0));
    world.refuses("node `a` has told nobody by handle 0");
    world.take(&[Entry::Wants { name: "ear" }]);
    world.note(|say| say.to = Target::Handle(0));
    assert_eq!(world.heard(), 1);
    world.take(&[Entry::Released { handle: 0 }]);
    world.note(|say| say.to = Target::Handle(0));
    assert_eq!((world.heard(), world.refused().len()), (1, 1));
}

// holds: net.malformed
#[test]
fn a_sender_is_of_the_node_that_sends() {
    let mut world = world(|it| it);
    world.take(&[Entry::Wants { name: "ear" }]);
    for from in [
        Address::Yours(Target::Handle(0)),
        Address::Yours(Target::Export("ear")),
        Address::Export("c/king"),
    ] {
        world.note(|say| say.from = Some(from));
        world.refuses("the sender of a message is not of the node that sent it");
    }
}

// holds: net.accepts, net.malformed
#[test]
fn what_is_not_there_is_refused_with_what_is_missing() {
    let mut world = world(|it| it.max_message(8));
    world.note(|say| say.of = 60_000);
    world.refuses("there is no message type 60000");
    world.note(|say| say.to = Target::Mnemonic("message_net::NET"));
    world.refuses("does not export the mnemonic");
    world.note(|say| say.to = Target::Group("everyone"));
    world.refuses("does not export the group");
    world.note(|say| say.to = Target::Outside);
    world.refuses("nobody can be sent to outside");
    world.note(|say| say.message = &[0; 9]);
    world.refuses("has 9 bytes: at most 8 are taken");
    world.note(|say| say.message = &[0xC1]);
    world.refuses("`net.hostile.Note`");
    world.note(|say| say.ids = vec![Address::Yours(Target::Handle(7))]);
    world.refuses("has told nobody by handle 7");
    world.note(|say| say.ask = Some(3));
    world.refuses("node `a` does not accept `net.hostile.Note`");
}

// holds: net.accepts
#[test]
fn what_the_network_itself_sends_in_a_world_is_not_taken_from_another() {
    let mut world = world(|it| it);
    let of = |name| message_data::find(name).expect("it is there");
    for name in [
        "message_data.Asked",
        "message_data.AnswerCame",
        "message_net.ReachFound",
    ] {
        let number = world.number(of(name));
        world.note(|say| say.of = number);
        world.refuses("does not accept");
    }
}

// holds: net.malformed, data.nesting-limit
#[test]
fn data_that_is_nested_too_deep_is_refused() {
    let mut world = world(|it| it);
    let number = world.number(Names::TYPE);
    for deep in [1_000, 1_000_000] {
        let deep = vec![0x91; deep];
        let mut to = Packer::default();
        Entry::Say(Say {
            to: Target::Export("ear"),
            from: None,
            of: number,
            ids: Vec::new(),
            header: None,
            ask: None,
            message: &deep,
        })
        .write(&mut to);
        let (b, bytes) = (world.b.clone(), to.0);
        fuzz_batch(&mut world.node, &mut world.manager, &b, &bytes);
        world.refuses("`net.hostile.Names`");
    }
}

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
    assert!(world.refused()[0].contains("is of a node that is not known here"));
}

impl World {
    fn down(&mut self, why: crate::session::DownReason) {
        let peer = self.b.clone();
        let event = SessionEvent::Down { peer, why };
        self.node.arrived.push_back(Arrived::of(event));
        self.node.hand_in(&mut self.manager);
    }
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
            let say = Say {
                to: Target::Export("ear"),
                from: None,
                of: number,
                ids: ids.clone(),
                header: None,
                ask: None,
                message: &[0x91, 0],
            };
            world.take_from(from, &[Entry::Say(say)]);
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

// holds: net.no-false-refusal
#[test]
fn a_refusal_of_what_was_not_sent_is_no_dead_letter() {
    let mut world = world(|it| it);
    let proxy = world
        .node
        .import(&mut world.manager, "b/x")
        .expect("a name");
    let bytes = message_to_bytes(&Note(7), &mut Vec::new()).expect("it has data");
    let of = world.number(Note::TYPE);
    let mut say = Packer::default();
    let entry = Entry::Say(Say {
        to: Target::Export("x"),
        from: None,
        of,
        ids: Vec::new(),
        header: None,
        ask: None,
        message: &bytes,
    });
    entry.write(&mut say);
    let why = "I do not like it";
    world.take(&[Entry::Refused { say: &say.0, why }]);
    assert!(world.dead.lock().expect("no panic").is_empty());
    assert_eq!(
        world.trouble(),
        ["it refuses a message that was not sent to it"]
    );
    // As many as were sent to it, with one entry each.
    world.node.peer(&world.b, &mut world.manager).counts.sent = 2;
    let two = [&say.0[..], &say.0[..]].concat();
    world.take(&[Entry::Refused { say: &two, why }]);
    for _ in 0..3 {
        world.take(&[Entry::Refused { say: &say.0, why }]);
    }
    assert_eq!(*world.dead.lock().expect("no panic"), [why, why]);
    assert!(world.manager.is_alive(proxy));
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

// holds: net.malformed
#[test]
fn types_out_of_order_are_no_hello() {
    let mut world = world(|it| it);
    let mut to = Packer::default();
    to.uint(super::entry::VERSION);
    to.array(2);
    for _ in 0..2 {
        to.array(4);
        to.str("net.hostile.Note");
        to.uint(1);
        to.str("Note(u32)");
        to.bool(false);
    }
    let b = world.b.clone();
    let error = world.node.compare_types(&mut world.manager, &b, &to.0);
    assert!(error.is_err_and(|error| error.contains("expected them in order")));
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
    let pair = |world: &World, message: &[u8]| world.pair(message);
    let entries = [
        pair(&world, &[0x92, 1, 0]),
        pair(&world, &[0x92, 2, 0]),
        // These cannot be read, are too long, and have names.
        pair(&world, &[0x91, 3]),
        pair(&world, &[0; 21]),
        pair(&world, b"\x82\xa5first\x04\xa6second\x00"),
        pair(&world, &[0x92, 5, 0]),
    ];
    let fragile = world.take_pairs(&entries);
    assert_eq!(world.heard_by(fragile), [1, 2, 4, 5]);
    assert_eq!(world.counts(), (4, 2));
    let whys = world.refused();
    assert!(whys[0].contains("net.hostile.Pair"), "{whys:?}");
    assert!(whys[1].contains("at most 20 are taken"), "{whys:?}");
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
    let entries = [[0x92, 1, 0], [0x92, 2, 1], [0x92, 3, 0]];
    let entries = entries.map(|message| world.pair(&message));
    let fragile = world.take_pairs(&entries);
    assert!(!world.manager.is_alive(fragile));
    assert_eq!(world.counts(), (2, 1));
    let whys = world.refused();
    assert!(whys[0].contains("exports no `fragile`"), "{whys:?}");
}

#[test]
fn behind_a_panic_the_messages_that_follow_are_taken() {
    let mut world = world(NodeConfig::accept::<Pair>);
    let entries = [[0x92, 1, 0], [0x92, 2, 2], [0x92, 3, 2], [0x92, 4, 0]];
    let entries = entries.map(|message| world.pair(&message));
    let fragile = world.take_pairs(&entries);
    assert_eq!(world.counts(), (4, 0));
    assert!(world.manager.is_alive(fragile));
}

// holds: net.by-position
#[test]
fn a_list_of_fields_of_another_shape_is_refused_with_the_shape_named() {
    let mut world = world(NodeConfig::accept::<Pair>);
    let mut hello = Packer::default();
    hello.uint(super::entry::VERSION);
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
    let mut entries = [
        world.pair(&[0x92, 1, 2]),
        world.pair(named),
        world.pair(&[0x92, 1, 2]),
    ];
    let number = world.number(Pair::TYPE);
    for entry in &mut entries {
        // The other node has one type.
        let at = 1 + 1 + 1 + "fragile".len() + 1;
        assert_eq!(u32::from(entry[at]), number, "its numbers are small");
        entry[at] = 0;
    }
    let fragile = world.take_pairs(&entries);
    assert_eq!(world.heard_by(fragile), [4]);
    assert_eq!(world.counts(), (1, 2));
    let whys = world.refused();
    let named = whys[0].contains("without the names of its fields")
        && whys[0].contains("`Pair(first: u32, second: u32)`");
    assert!(named, "{whys:?}");
}

// holds: net.bounded, net.malformed
#[test]
fn what_is_kept_of_causes_is_bounded_and_one_that_is_made_up_harms_nobody() {
    let mut world = world(|it| it);
    message_trace::Recorder::new(100_000).start(&mut world.manager);
    let long = "l".repeat(10_000);
    let cause = |place, named| Cause {
        send: u64::MAX,
        place,
        named,
        context: None,
    };
    for place in (0..10_000).chain([u32::MAX]) {
        world.take(&[Entry::Cause(cause(Some(place), Some(&long)))]);
    }
    let kept = world.node.peers[&world.b].lines.kept();
    assert!(kept <= 256 * 256, "{kept} bytes");
    // The last cause precedes nothing in its batch.
    world.note(|_| {});
    for (place, named) in [(None, None), (Some(u32::MAX), None), (Some(3), None)] {
        let number = world.number(Note::TYPE);
        let say = Say {
            to: Target::Export("ear"),
            from: None,
            of: number,
            ids: Vec::new(),
            header: None,
            ask: None,
            message: &[7],
        };
        world.take(&[Entry::Cause(cause(place, named)), Entry::Say(say)]);
    }
    assert_eq!(world.heard(), 4);
    let recorder = message_trace::Recorder::stop(&mut world.manager).expect("it was started");
    let arrived = recorder.events().filter_map(|event| match &event.what {
        Traced::Arrived { of } => Some(of.place.len()),
        _ => None,
    });
    let unknown = "an unknown line".len();
    assert!(arrived.eq([unknown, unknown, 256]));
}

// holds: net.malformed, net.bounded
#[test]
fn whatever_bytes_come_the_world_goes_on() {
    let mut world = world(|it| it.max_proxies(100));
    let b = world.b.clone();
    let far = world
        .node
        .import(&mut world.manager, "b/x")
        .expect("a name");
    let mut random = Random::new(5);
    let mut below = |most: usize| usize::try_from(random.next() % most as u64).expect("small");
    // Entries of all kinds, in which some bytes will be changed.
    let bytes = message_to_bytes(&Note(7), &mut Vec::new()).expect("it has data");
    let posted = header(
        &Header::to(Everyone)
            .after_frames(1)
            .key("k")
            .build()
            .expect("one"),
    );
    let mut whole = Packer::default();
    let say = Say {
        to: Target::Export("ear"),
        from: Some(Address::Mine(3)),
        of: world.number(Note::TYPE),
        ids: vec![
            Address::Mine(1),
            Address::Yours(Target::Handle(0)),
            Address::Export("c/x"),
        ],
        header: Some(&posted),
        ask: None,
        message: &bytes,
    };
    for entry in [
        Entry::Wants { name: "ear" },
        Entry::Say(say.clone()),
        Entry::Say(Say {
            ask: Some(1),
            ..say
        }),
        Entry::Refused {
            say: &bytes,
            why: "no",
        },
        Entry::Exported {
            name: "x",
            handle: Some(4),
        },
        Entry::Group {
            name: "g",
            open: true,
        },
        Entry::Answer {
            ticket: 0,
            answer: Answer::None { why: 1, text: "" },
        },
        Entry::Holds { handle: 9 },
        Entry::Released { handle: 0 },
        Entry::Ended { handle: 3 },
        Entry::HoldsNoOther,
        Entry::Taken(Taken {
            messages: 9,
            refused: Sum {
                messages: 2,
                questions: 1,
            },
        }),
    ] {
        entry.write(&mut whole);
    }
    for round in 0..1500 {
        let bytes: Vec<u8> = if round % 3 == 0 {
            (0..below(60))
                .map(|_| u8::try_from(below(256)).expect("a byte"))
                .collect()
        } else {
            let mut bytes = whole.0.clone();
            for _ in 0..=below(4) {
                let at = below(bytes.len());
                bytes[at] = u8::try_from(below(256)).expect("a byte");
            }
            bytes
        };
        fuzz_batch(&mut world.node, &mut world.manager, &b, &bytes);
        let _ = world.node.compare_types(&mut world.manager, &b, &bytes);
        if round % 50 == 0 {
            let hello = world.node.types.hello();
            let own = world.node.compare_types(&mut world.manager, &b, &hello);
            own.expect("its own");
        }
        if round % 10 == 0 {
            world.manager.tick(Duration::from_millis(16));
        }
    }
    assert!(proxy::proxies(&world.manager).count() <= 300);
    let heard = world.heard();
    world.note(|_| {});
    assert_eq!(world.heard(), heard + 1);
    let _ = world.manager.send(far, Note(1));
}
