//! Claims of a stranger under the name of another node: they neither end a session, nor keep the real node out,
//! nor hide a loss.

use super::{Node, STEP, Two, batches, config, name};
use crate::link::{Frame as Sent, Link, MemoryLink, MemoryNetwork, MemoryPath, MemorySettings};
use crate::session::frame::{Body, Data, Frame, Hello, Part, Piece, Tags};
use crate::session::{DownReason, SessionEvent};

/// Numbers that no run has issued.
const CLAIMS: [u64; 4] = [2, 1 << 48, u64::MAX - 1, u64::MAX];

fn frame(from: &str, run: u64, body: Body<'_>) -> Sent {
    let mut bytes = Vec::new();
    Frame { from, run, body }.write(&mut bytes);
    bytes.into()
}

fn hello(tag: u64, seen: Option<(u64, u64)>) -> Hello {
    Hello {
        tag,
        seen,
        accepted: Some((tag, tag)),
        max_batch: 1 << 20,
    }
}

/// Returns frames of each kind that claim this number, as from a run to run 1.
fn claims(run: u64, number: u64) -> Vec<Sent> {
    let mut bodies = Vec::new();
    let seen = [
        None,
        Some((1, number)),
        Some((1, 1)),
        Some((number, number)),
    ];
    for seen in seen {
        for tag in [1, number] {
            bodies.push(Body::Hello(hello(tag, seen)));
            bodies.push(Body::Welcome(hello(tag, seen)));
        }
    }
    let tags = [(number, number), (1, number), (number, 1)].map(|(from, to)| Tags { from, to });
    for tags in tags {
        bodies.push(Body::Data(data(tags)));
        bodies.push(Body::Bye {
            to_run: 1,
            tags,
            accepted: number,
        });
        bodies.push(Body::Challenge { to_run: 1, tags });
    }
    let frames = bodies.into_iter().map(|body| frame("b", run, body));
    frames.collect()
}

fn data(tags: Tags) -> Data<'static> {
    let piece = Piece {
        number: 1,
        part: Part::Whole,
        bytes: b"false",
    };
    Data {
        to_run: 1,
        tags,
        ack: 1,
        held: 0,
        pieces: vec![piece],
    }
}

fn is_up(event: &SessionEvent) -> bool {
    matches!(event, SessionEvent::Up { .. })
}

/// Returns node `a` of run 1, and a stranger who has the name `b`.
fn with_impostor() -> (MemoryNetwork, Node, MemoryLink) {
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let node = Node::new(&network, "a", 1, config());
    let stranger = network.link(name("b"));
    network.advance(1);
    (network, node, stranger)
}

/// Starts the real node `b`, and returns how many steps pass until both have a session.
fn steps_until_up(network: &MemoryNetwork, a: &mut Node, run: u64) -> u32 {
    let mut b = Node::new(network, "b", run, config());
    for steps in 0..300 {
        network.advance(1);
        let now = STEP * u32::try_from(network.now()).expect("short");
        a.poll(now);
        b.poll(now);
        if a.sessions.is_settled(1) && b.sessions.is_settled(1) {
            assert_eq!(b.sessions.queue(&name("a"), vec![7], 1), Ok(()));
            network.advance(1);
            b.poll(now + STEP);
            network.advance(1);
            assert_eq!(batches(&a.poll(now + STEP * 2)), [[7]]);
            return steps;
        }
    }
    panic!("no session");
}

// holds: net.identity
#[test]
fn numbers_that_a_stranger_claims_keep_nobody_out() {
    for number in CLAIMS {
        // The stranger may know the run of the real node, or not.
        for run in [2, 9] {
            let (network, mut a, mut stranger) = with_impostor();
            for step in 1..=4 {
                for frame in claims(run, number) {
                    stranger.send(&name("a"), frame).expect("it is taken");
                }
                network.advance(1);
                a.poll(STEP * step);
            }
            drop(stranger);
            let steps = steps_until_up(&network, &mut a, 2);
            // A stranger who has guessed the number of a session is silent first.
            assert!(steps <= 20, "{number:#x} of run {run}: {steps} steps");
        }
    }
}

// holds: net.identity
#[test]
fn a_stranger_who_had_the_session_keeps_nobody_out_when_it_has_gone() {
    for number in CLAIMS {
        for run in [2, 9] {
            let (network, mut a, mut stranger) = with_impostor();
            // It sees the frames for `b`, and so completes the handshake.
            let tags = Tags {
                from: number,
                to: 1,
            };
            let seen = hello(number, Some((1, 1)));
            for body in [Body::Hello(seen), Body::Data(data(tags))] {
                let sent = stranger.send(&name("a"), frame("b", run, body));
                sent.expect("it is taken");
            }
            network.advance(1);
            // It acknowledges what was not sent, which ends its session; then it begins again.
            let told = a.poll(STEP);
            assert!(!told.iter().any(is_up), "{told:?}");
            let seen = hello(number, Some((1, 2)));
            let mut data = data(Tags {
                from: number,
                to: 2,
            });
            data.ack = 0;
            for body in [Body::Hello(seen), Body::Data(data)] {
                let sent = stranger.send(&name("a"), frame("b", run, body));
                sent.expect("it is taken");
            }
            network.advance(1);
            assert!(a.poll(STEP * 2).iter().any(is_up));
            drop(stranger);
            let steps = steps_until_up(&network, &mut a, 2);
            assert!(steps <= 20, "{number:#x} of run {run}: {steps} steps");
        }
    }
}

// holds: net.identity
#[test]
fn no_claim_ends_a_session_or_loses_a_message() {
    // A node that guesses the next tag, or reads it on the way, can answer a challenge: this holds for numbers that
    // were not issued.
    for number in CLAIMS.into_iter().skip(1) {
        for run in [2, 9] {
            let mut two = Two::new(1, MemoryPath::new());
            two.steps(3);
            two.events();
            for step in 0..30 {
                // The name of `b` is used by a stranger, who does not know the numbers of the session.
                for frame in claims(run, number) {
                    if step % 3 == 0 {
                        let sent = two.b.link.send(&name("a"), frame);
                        sent.expect("it is taken");
                    }
                }
                assert_eq!(two.a.sessions.queue(&name("b"), vec![step], 1), Ok(()));
                assert_eq!(two.b.sessions.queue(&name("a"), vec![step], 1), Ok(()));
                two.step();
            }
            two.steps(3);
            let expected: Vec<u8> = (0..30).collect();
            let (at_a, at_b) = two.events();
            for events in [&at_a, &at_b] {
                assert_eq!(batches(events).concat(), expected);
                let is_quiet = |event: &SessionEvent| {
                    matches!(
                        event,
                        SessionEvent::Batch { .. } | SessionEvent::Refused { .. }
                    )
                };
                assert!(events.iter().all(is_quiet), "{number:#x}: {events:?}");
            }
        }
    }
}

// holds: net.identity
#[test]
fn a_session_ends_when_the_peer_itself_answers_that_it_has_another() {
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(3);
    two.events();
    // The peer has forgotten the session: its run is the same, and its tags are larger.
    two.b.sessions.peers.clear();
    two.steps(10);
    let (at_a, at_b) = two.events();
    let down = SessionEvent::Down {
        peer: name("b"),
        why: DownReason::GivenUp,
    };
    assert_eq!(at_a.first(), Some(&down), "{at_a:?}");
    assert!(is_up(&at_a[1]) && is_up(&at_b[0]), "{at_a:?} {at_b:?}");
}

/// Returns the reported losses.
fn losses(events: &[SessionEvent]) -> Vec<(u64, bool)> {
    let lost = events.iter().filter_map(|event| match event {
        SessionEvent::Lost {
            messages, exact, ..
        } => Some((*messages, *exact)),
        _ => None,
    });
    lost.collect()
}

// holds: net.identity, net.long-cut
#[test]
fn a_goodbye_cannot_accept_what_was_not_sent() {
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(3);
    two.events();
    let bye = Body::Bye {
        to_run: 1,
        tags: Tags { from: 1, to: 1 },
        accepted: u64::MAX,
    };
    let sent = two.b.link.send(&name("a"), frame("b", 2, bye));
    sent.expect("it is taken");
    two.network.advance(1);
    assert_eq!(two.a.sessions.queue(&name("b"), vec![1], 5), Ok(()));
    let now = two.now();
    assert_eq!(losses(&two.a.poll(now)), [(5, true)]);
}

// holds: net.identity, net.long-cut
#[test]
fn another_run_cannot_have_accepted_what_the_one_before_was_sent() {
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(3);
    two.events();
    two.network.crash(&name("b"));
    assert_eq!(two.a.sessions.queue(&name("b"), vec![1], 5), Ok(()));
    two.steps(100);
    let mut stranger = two.network.link(name("b"));
    let mut hello = hello(1, None);
    let mut told = Vec::new();
    for _ in 0..5 {
        two.network.advance(1);
        let now = two.now();
        told.extend(two.a.poll(now));
        // It is the next tag of `a`, and the one of the session that ended.
        hello.seen = Some((1, 2));
        hello.accepted = Some((1, 1 << 40));
        let sent = stranger.send(&name("a"), frame("b", 9, Body::Hello(hello)));
        sent.expect("it is taken");
    }
    assert_eq!(losses(&told), [(5, false)]);
}
