//! Tests against a hostile node: it has a session and sends arbitrary data.

mod bounds;
mod causes;
mod posts;
mod runs;

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_data::{Data, message_to_bytes, to_bytes_with_ids};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::link::{MemoryNetwork, MemorySettings};
use crate::name::NodeName;
use crate::node::entry::{Address, Answer, Entry, Say, Target};
use crate::node::incoming::Arrived;
use crate::node::ledger::{Sum, Taken};
use crate::node::origin::Back;
use crate::node::{Node, NodeConfig, fuzz_batch};
use crate::pack::{Packer, Unpacker};
use crate::proxy;
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

/// Returns a message to the ear, from outside of all messagees.
fn say(of: u32, message: &[u8]) -> Say<'_> {
    Say {
        to: Target::Export("ear"),
        from: None,
        of,
        ids: Vec::new(),
        header: None,
        ask: None,
        message,
    }
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
    fn down(&mut self, why: crate::session::DownReason) {
        let peer = self.b.clone();
        let event = SessionEvent::Down { peer, why };
        self.node.arrived.push_back(Arrived::of(event));
        self.node.hand_in(&mut self.manager);
    }

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
        let mut say = say(self.number(Note::TYPE), &[7]);
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
    world.refuses("node `a` has not announced handle 0");
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
        world.refuses("the sender of a message does not belong to the node that sent it");
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
    world.refuses("the outside of another manager receives no messages");
    world.note(|say| say.message = &[0; 9]);
    world.refuses("has 9 bytes: at most 8 are accepted");
    world.note(|say| say.message = &[0xC1]);
    world.refuses("`net.hostile.Note`");
    world.note(|say| say.ids = vec![Address::Yours(Target::Handle(7))]);
    world.refuses("has not announced handle 7");
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
        Entry::Say(say(number, &deep)).write(&mut to);
        let (b, bytes) = (world.b.clone(), to.0);
        fuzz_batch(&mut world.node, &mut world.manager, &b, &bytes);
        world.refuses("`net.hostile.Names`");
    }
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

fn entries_of_all_kinds(world: &World) -> Vec<u8> {
    let bytes = message_to_bytes(&Note(7), &mut Vec::new()).expect("it has data");
    let posted = header(
        &Header::to(Everyone)
            .after_frames(1)
            .key("k")
            .build()
            .expect("one"),
    );
    let back = Back {
        sent: 3,
        frame: 9,
        number: Some(7),
        line: Some("x.rs:1"),
    };
    let mut whole = Packer::default();
    let say = Say {
        from: Some(Address::Mine(3)),
        ids: vec![
            Address::Mine(1),
            Address::Yours(Target::Handle(0)),
            Address::Export("c/x"),
        ],
        header: Some(&posted),
        ..say(world.number(Note::TYPE), &bytes)
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
            back: Some(back),
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
            back: Some(back),
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
    whole.0
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
    let whole = entries_of_all_kinds(&world);
    for round in 0..1500 {
        let bytes: Vec<u8> = if round % 3 == 0 {
            (0..below(60))
                .map(|_| u8::try_from(below(256)).expect("a byte"))
                .collect()
        } else {
            let mut bytes = whole.clone();
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
