//! Bounds of the memory that all peers together can make a node use, whatever they send.

use super::{Node, STEP, batches, config, name};
use crate::link::{Link, LinkEvent, MemoryLink, MemoryNetwork, MemorySettings};
use crate::session::frame::{self, Body, Data, Frame, Hello, Part, Piece, Tags};
use crate::session::{Backlog, Refusal, SessionConfig, SessionEvent, Sessions};

const MAX_FRAME: usize = 4 << 10;
/// The length of the pieces of a hostile batch.
const PIECE: usize = 3 << 10;
/// How much memory more than its limit is used while one frame is taken.
const ONE_FRAME: usize = 2 * MAX_FRAME;

/// A name that is used by hand.
struct Hostile {
    link: MemoryLink,
    name: String,
    /// The tag of the node that it attacks.
    tag: Option<u64>,
    /// The number of the next piece.
    next: u64,
}

impl Hostile {
    fn new(network: &MemoryNetwork, number: usize) -> Self {
        let text = format!("hostile-{number:04}");
        Self {
            link: network.link(name(&text)),
            name: text,
            tag: None,
            next: 1,
        }
    }

    fn say(&mut self, body: Body<'_>) {
        let mut bytes = Vec::new();
        let from = &*self.name;
        Frame { from, run: 9, body }.write(&mut bytes);
        // The queue may be full.
        let _ = self.link.send(&name("a"), bytes.into());
    }

    /// Begins each session that it is offered.
    fn greet(&mut self) {
        while let Some(event) = self.link.poll() {
            let LinkEvent::Frame { from, frame } = event else {
                continue;
            };
            let Ok(Frame {
                body: Body::Hello(hello),
                ..
            }) = frame::read(&frame)
            else {
                continue;
            };
            if from != name("a") || self.tag == Some(hello.tag) {
                continue;
            }
            (self.tag, self.next) = (Some(hello.tag), 1);
            self.say(Body::Hello(Hello {
                tag: 1,
                seen: Some((1, hello.tag)),
                accepted: None,
                max_batch: 1 << 20,
            }));
        }
    }

    /// Sends a piece of the session.
    fn piece(&mut self, number: u64, part: Part, bytes: &[u8]) {
        let piece = Piece {
            number,
            part,
            bytes,
        };
        self.pieces(vec![piece]);
    }

    fn pieces(&mut self, pieces: Vec<Piece<'_>>) {
        let Some(to) = self.tag else { return };
        self.say(Body::Data(Data {
            to_run: 1,
            tags: Tags { from: 1, to },
            ack: 0,
            held: 0,
            pieces,
        }));
    }

    /// Sends the next piece of a batch that never ends, and one that is early.
    fn endless(&mut self, begin: u64) {
        let number = self.next;
        let part = if number == begin {
            Part::First
        } else {
            Part::Middle
        };
        self.piece(number, part, &[7; PIECE]);
        self.piece(number + 40, Part::Middle, &[7; PIECE]);
        self.next += 1;
    }
}

/// The limits of these tests: 256 KiB for peers without a session, 1792 KiB for incomplete batches, and 4 MiB
/// for what is not acknowledged.
fn limits() -> SessionConfig {
    SessionConfig {
        memory: 8 << 20,
        max_hello: 64 << 10,
        max_batch: 256 << 10,
        held_bytes: 128 << 10,
        ..config()
    }
}

fn network() -> MemoryNetwork {
    let settings = MemorySettings {
        max_frame: MAX_FRAME,
        ..MemorySettings::new()
    };
    MemoryNetwork::new(1, settings)
}

/// Returns the memory of everything that is not complete.
fn incomplete(sessions: &Sessions) -> usize {
    sessions
        .peers
        .values()
        .map(super::super::Peer::memory)
        .sum()
}

// holds: net.bounded-together
#[test]
fn names_without_a_session_share_little_memory_and_keep_nobody_out() {
    let (network, limits) = (network(), limits());
    let most = 256 << 10;
    let mut a = Node::new(&network, "a", 1, limits.clone());
    let mut hostile: Vec<_> = (0..40).map(|it| Hostile::new(&network, it)).collect();
    let mut b = None;
    let (mut peak, mut told) = (0, Vec::new());
    let mut up_in = None;
    for step in 0..120 {
        network.advance(1);
        told.extend(a.poll(STEP * step));
        peak = peak.max(incomplete(&a.sessions));
        for hostile in &mut hostile {
            hostile.greet();
            // Its hello never ends.
            hostile.endless(1);
        }
        if step == 60 {
            // Its hello takes several frames.
            let mut node = Node::new(&network, "b", 2, limits.clone());
            node.sessions = Sessions::new(name("b"), 2, vec![1; 20_000], limits.clone());
            b = Some(node);
        }
        if let Some(b) = &mut b {
            b.poll(STEP * step);
            if a.sessions.is_up(&name("b")) && b.sessions.is_up(&name("a")) {
                up_in.get_or_insert(step - 60);
            }
        }
    }
    assert!(peak > most / 2, "{peak}: nothing was attacked");
    assert!(peak <= most + ONE_FRAME, "{peak}");
    assert!(up_in.is_some_and(|steps| steps < 40), "{up_in:?}");
    let refused = told.iter().filter_map(|event| match event {
        SessionEvent::Refused { kind, count, .. } => Some((*kind, *count)),
        _ => None,
    });
    let memory: Vec<_> = refused.filter(|it| it.0 == Refusal::Memory).collect();
    // Six seconds have passed: each has one report, with their number.
    assert!(!memory.is_empty() && memory.len() <= 7, "{memory:?}");
    assert!(memory.iter().any(|it| it.1 > 1), "{memory:?}");
}

// holds: net.bounded-together
#[test]
fn incomplete_batches_of_all_sessions_share_the_memory_and_others_arrive() {
    let (network, limits) = (network(), limits());
    let most = (2 << 20) - (256 << 10);
    let mut a = Node::new(&network, "a", 1, limits.clone());
    let mut b = Node::new(&network, "b", 2, limits.clone());
    let mut hostile: Vec<_> = (0..40).map(|it| Hostile::new(&network, it)).collect();
    let (mut peak, mut arrived, mut queued) = (0, 0, 0);
    for step in 0..200 {
        network.advance(1);
        let told = a.poll(STEP * step);
        let from_b = |event: &&SessionEvent| matches!(event, SessionEvent::Batch { peer, .. } if *peer == name("b"));
        arrived += told.iter().filter(from_b).count();
        peak = peak.max(incomplete(&a.sessions));
        for hostile in &mut hostile {
            hostile.greet();
            if hostile.next == 1 {
                hostile.piece(1, Part::Whole, b"hello");
                hostile.next = 2;
            } else {
                hostile.endless(2);
            }
        }
        if step % 20 == 10 {
            // It takes many frames.
            let batch = vec![1; 100_000];
            queued += usize::from(b.sessions.queue(&name("a"), batch, 1).is_ok());
        }
        b.poll(STEP * step);
    }
    assert!(peak > most / 2, "{peak}: nothing was attacked");
    // The memory of a batch grows by as much as it has.
    assert!(peak <= most + limits.max_batch + ONE_FRAME, "{peak}");
    assert!(
        queued >= 9 && arrived >= queued - 1,
        "{arrived} of {queued}"
    );
}

// holds: net.bounded-together
#[test]
fn names_without_a_session_take_no_place_from_a_node_that_says_hello() {
    let network = network();
    let limits = SessionConfig {
        max_peers: 20,
        ..limits()
    };
    let mut a = Node::new(&network, "a", 1, limits.clone());
    let mut hostile: Vec<_> = (0..60).map(|it| Hostile::new(&network, it)).collect();
    let mut b = None;
    for step in 0..80 {
        network.advance(1);
        a.poll(STEP * step);
        assert!(a.sessions.peers.len() <= 20);
        for hostile in &mut hostile {
            hostile.greet();
        }
        if step == 30 {
            b = Some(Node::new(&network, "b", 2, limits.clone()));
        }
        if let Some(b) = &mut b {
            b.poll(STEP * step);
        }
    }
    assert!(a.sessions.is_up(&name("b")));
    // It keeps its place, though all others want it.
    assert!(b.is_some_and(|b| b.sessions.is_up(&name("a"))));
}

// holds: net.bounded-together
#[test]
fn names_without_a_session_do_not_make_a_node_forget_which_run_it_met() {
    let network = network();
    let limits = SessionConfig {
        max_peers: 20,
        ..limits()
    };
    let mut a = Node::new(&network, "a", 1, limits.clone());
    let mut b = Node::new(&network, "b", 2, limits.clone());
    for step in 0..10 {
        network.advance(1);
        a.poll(STEP * step);
        b.poll(STEP * step);
    }
    network.crash(&name("b"));
    let mut hostile: Vec<_> = (0..60).map(|it| Hostile::new(&network, it)).collect();
    let mut told = Vec::new();
    for step in 10..200 {
        network.advance(1);
        told.extend(a.poll(STEP * step));
        for hostile in &mut hostile {
            hostile.greet();
        }
        if step == 150 {
            b = Node::new(&network, "b", 3, limits.clone());
        }
        b.poll(STEP * step);
    }
    let restarted = told.iter().any(
        |it| matches!(it, SessionEvent::Up { peer, restarted: true, .. } if *peer == name("b")),
    );
    assert!(restarted, "{told:?}");
}

// holds: net.bounded-together
#[test]
fn nodes_without_a_session_share_the_frames_of_one() {
    let network = network();
    let limits = SessionConfig {
        frames_per_second: 100,
        ..limits()
    };
    let mut a = Node::new(&network, "a", 1, limits.clone());
    let mut b = Node::new(&network, "b", 2, limits);
    let mut hostile: Vec<_> = (0..20).map(|it| Hostile::new(&network, it)).collect();
    for step in 0..40 {
        network.advance(1);
        for node in [&mut a, &mut b] {
            node.poll(STEP * step);
        }
        if step > 10 {
            for hostile in &mut hostile {
                hostile.say(Body::Refuse {
                    to_run: 9,
                    tags: None,
                    why: "",
                });
            }
        }
        if a.sessions.is_up(&name("b")) {
            let _ = b.sessions.queue(&name("a"), vec![1], 1);
        }
    }
    // 20 come in each step, so five times as many as are read.
    let counters = a.sessions.counters();
    assert!(counters.late <= 300, "{counters:?}");
    assert!(counters.refused > 250, "{counters:?}");
    assert!(a.sessions.is_settled(1) && b.sessions.is_up(&name("a")));
}

// holds: net.bounded
#[test]
fn empty_batches_that_nobody_reads_are_bounded_too() {
    let network = network();
    let limits = SessionConfig {
        inbox_bytes: 64 << 10,
        ..limits()
    };
    let mut a = Node::new(&network, "a", 1, limits);
    let mut hostile = Hostile::new(&network, 0);
    for step in 0..100 {
        network.advance(1);
        a.sessions.poll(&mut a.link, STEP * step);
        hostile.greet();
        for _ in 0..10 {
            let first = hostile.next;
            let pieces = (first..first + 50).map(|number| Piece {
                number,
                part: Part::Whole,
                bytes: &[],
            });
            hostile.pieces(pieces.collect());
            hostile.next += u64::from(hostile.tag.is_some()) * 50;
        }
    }
    assert!(a.sessions.counters().dropped > 10_000);
    let events = a.events().len();
    assert!((400..600).contains(&events), "{events}");
}

// holds: net.bounded-together
#[test]
fn what_nobody_acknowledges_is_bounded_for_all_and_leaves_room_for_others() {
    let network = network();
    let limits = SessionConfig {
        max_peers: 64,
        ..limits()
    };
    let reserved = (8 << 20) / 4 / 64;
    let mut a = Node::new(&network, "a", 1, limits.clone());
    let mut b = Node::new(&network, "b", 2, limits);
    let mut hostile: Vec<_> = (0..40).map(|it| Hostile::new(&network, it)).collect();
    let (mut arrived, mut peak) = (0, 0);
    for step in 0..100 {
        network.advance(1);
        a.poll(STEP * step);
        for hostile in &mut hostile {
            hostile.greet();
            // It says a hello, and is heard from then on.
            hostile.piece(1, Part::Whole, b"hello");
            let to = name(&hostile.name);
            while a.sessions.queue(&to, vec![0; 10_000], 1).is_ok() {}
            let room = a.sessions.room(&to);
            assert!(room < 10_000, "{room}");
        }
        let held = a.sessions.peers.values().map(super::super::Peer::outgoing);
        peak = peak.max(held.sum());
        if step > 50 {
            let sent = a.sessions.queue(&name("b"), vec![1; reserved / 2], 1);
            assert!(
                matches!(sent, Ok(()) | Err(Backlog::Full { .. })),
                "{sent:?}"
            );
        }
        arrived += batches(&b.poll(STEP * step)).len();
    }
    assert!(peak >= 4 << 20, "{peak}: nothing was attacked");
    assert!(peak <= (4 << 20) + 41 * reserved, "{peak}");
    assert!(arrived > 20, "{arrived}");
}
