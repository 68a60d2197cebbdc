//! How sessions begin and end, with one rule per test.

use super::{Node, STEP, Two, batches, config, name};
use crate::link::{Link, LinkEvent, MemoryNetwork, MemoryPath, MemorySettings};
use crate::session::frame::{Body, Frame, Tags};
use crate::session::{Backlog, DownReason, Refusal, SessionConfig, SessionEvent};

fn up(peer: &str, restarted: bool) -> SessionEvent {
    SessionEvent::Up {
        peer: name(peer),
        hello: format!("hello of {peer}").into_bytes(),
        restarted,
    }
}

fn down(peer: &str, why: DownReason) -> SessionEvent {
    let peer = name(peer);
    SessionEvent::Down { peer, why }
}

fn lost(peer: &str, messages: u64, exact: bool) -> SessionEvent {
    SessionEvent::Lost {
        peer: name(peer),
        messages,
        exact,
    }
}

/// Returns the kinds of the refusals, each with the last description.
fn refused(events: &[SessionEvent]) -> Vec<(Refusal, String)> {
    let refused = events.iter().filter_map(|event| match event {
        SessionEvent::Refused { kind, what, .. } => Some((*kind, what.clone())),
        _ => None,
    });
    refused.collect()
}

#[test]
fn both_sides_are_told_of_a_session_and_of_the_hello_of_the_other() {
    let mut two = Two::new(1, MemoryPath::new());
    let told = two.events();
    assert_eq!(told, (vec![up("b", false)], vec![up("a", false)]));
}

#[test]
fn a_hello_can_be_longer_than_a_frame() {
    let mut two = Two::new(1, MemoryPath::new());
    let config = config();
    let long = vec![7; 10_000];
    two.network.crash(&name("b"));
    two.b = Node::new(&two.network, "b", 3, config.clone());
    two.b.sessions = super::Sessions::new(name("b"), 3, long.clone(), config);
    two.events();
    two.steps(40);
    let hello = two.at_a.iter().find_map(|event| match event {
        SessionEvent::Up { hello, .. } => Some(hello),
        _ => None,
    });
    assert_eq!(hello, Some(&long));
}

// holds: net.in-order-once
#[test]
fn batches_arrive_in_order_whatever_their_length() {
    let mut two = Two::new(1, MemoryPath::new());
    let sent: Vec<Vec<u8>> = [0, 1, 300, 511, 512, 513, 5_000, 3]
        .iter()
        .map(|len| vec![u8::try_from(len % 251).expect("it is small"); *len])
        .collect();
    for batch in &sent {
        let queued = two.a.sessions.queue(&name("b"), batch.clone(), 1);
        assert_eq!(queued, Ok(()));
    }
    two.steps(10);
    assert_eq!(batches(&two.at_b), sent);
}

#[test]
fn a_batch_takes_one_frame_and_its_acknowledgement_rides_on_the_next_one() {
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(2);
    let before = two.a.sessions.counters();
    for _ in 0..10 {
        for (from, to) in [(&mut two.a, "b"), (&mut two.b, "a")] {
            let queued = from.sessions.queue(&name(to), vec![1], 1);
            assert_eq!(queued, Ok(()));
        }
        two.step();
    }
    let after = two.a.sessions.counters();
    assert_eq!(after.frames_sent - before.frames_sent, 10);
    assert_eq!(after.resent, before.resent);
}

#[test]
fn several_batches_share_a_frame() {
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(2);
    let before = two.a.sessions.counters().frames_sent;
    for _ in 0..10 {
        assert_eq!(two.a.sessions.queue(&name("b"), vec![1], 1), Ok(()));
    }
    two.step();
    assert_eq!(two.a.sessions.counters().frames_sent - before, 1);
    two.step();
    assert_eq!(batches(&two.at_b).len(), 10);
}

// holds: net.short-cut
#[test]
fn a_cut_shorter_than_the_window_loses_nothing() {
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(3);
    two.events();
    two.cut();
    for number in 0..39 {
        assert_eq!(two.a.sessions.queue(&name("b"), vec![number], 1), Ok(()));
        two.step();
    }
    let unreachable = |peer: &str| SessionEvent::Unreachable { peer: name(peer) };
    let told = two.events();
    assert_eq!(told, (vec![unreachable("b")], vec![unreachable("a")]));
    two.network.heal();
    two.steps(20);
    let (at_a, at_b) = two.events();
    assert_eq!(at_a, [SessionEvent::Back { peer: name("b") }]);
    assert_eq!(at_b[0], SessionEvent::Back { peer: name("a") });
    let arrived: Vec<u8> = batches(&at_b).concat();
    assert_eq!(arrived, (0..39).collect::<Vec<u8>>());
}

// holds: net.long-cut
#[test]
fn a_longer_cut_is_told_with_the_exact_number_of_lost_messages() {
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(3);
    // The other side accepts these, and its acknowledgement is lost.
    assert_eq!(two.a.sessions.queue(&name("b"), vec![1], 5), Ok(()));
    two.step();
    two.network.cut_one_way(&name("b"), &name("a"));
    two.step();
    assert_eq!(batches(&two.at_b), [[1]]);
    two.events();
    two.cut();
    assert_eq!(two.a.sessions.queue(&name("b"), vec![2], 7), Ok(()));
    two.steps(60);
    assert_eq!(two.at_a.last(), Some(&down("b", DownReason::Silent)));
    assert_eq!(two.at_b.last(), Some(&down("a", DownReason::Silent)));
    let refused = two.a.sessions.queue(&name("b"), vec![3], 1);
    assert_eq!(refused, Err(Backlog::NotUp(name("b"))));
    two.events();
    two.network.heal();
    two.steps(30);
    let (at_a, at_b) = two.events();
    assert_eq!(at_a, [lost("b", 7, true), up("b", false)]);
    assert_eq!(at_b, [up("a", false)]);
}

#[test]
fn a_side_that_gave_up_ends_the_session_of_the_other() {
    let mut two = Two::new(1, MemoryPath::new());
    let settings = MemorySettings {
        lease: 1_000,
        ..MemorySettings::new()
    };
    two.network.set(settings);
    two.steps(3);
    two.events();
    two.network.cut_one_way(&name("b"), &name("a"));
    two.steps(60);
    assert_eq!(two.at_a.last(), Some(&down("b", DownReason::Silent)));
    // Until it has been challenged, what `a` says could be said by anybody.
    assert!(two.b.sessions.is_up(&name("a")));
    two.events();
    two.network.heal();
    two.steps(30);
    let (at_a, at_b) = two.events();
    assert_eq!(at_a, [up("b", false)]);
    assert_eq!(at_b, [down("a", DownReason::GivenUp), up("a", false)]);
}

// holds: net.refused-hello
#[test]
fn a_peer_whose_hello_is_refused_learns_why_and_is_called_again_only_as_another_run() {
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(3);
    two.events();
    assert_eq!(two.b.sessions.queue(&name("a"), vec![2], 7), Ok(()));
    two.a.sessions.refuse_run(&name("b"), "no");
    // The first notice is lost.
    two.network.cut_one_way(&name("a"), &name("b"));
    two.steps(2);
    two.network.heal();
    two.steps(10);
    let (at_a, at_b) = two.events();
    let told =
        |why: &str| DownReason::Refused(format!("node `a` does not accept this node: {why}"));
    assert_eq!(at_a, [down("b", DownReason::Stopped)]);
    assert_eq!(at_b, [down("a", told("no")), lost("a", 7, true)]);

    let frames = |two: &Two| {
        let nodes = [&two.a, &two.b].map(|node| node.sessions.counters().frames_sent);
        nodes.iter().sum::<u64>()
    };
    let before = frames(&two);
    two.steps(100);
    assert_eq!(
        frames(&two),
        before,
        "neither side calls, and none says that it is there"
    );

    two.network.crash(&name("b"));
    two.b = Node::new(&two.network, "b", 9, config());
    two.events();
    two.steps(40);
    let (at_a, at_b) = two.events();
    assert_eq!(at_a, [up("b", true)]);
    assert_eq!(at_b, [up("a", false)]);
}

// holds: net.identity, net.refused-hello
#[test]
fn a_stranger_that_refuses_a_node_in_the_name_of_its_peer_ends_no_session() {
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(3);
    two.events();
    for tags in [None, Some(Tags { from: 1, to: 77 })] {
        let (from, run) = ("a", 1);
        let body = Body::Refuse {
            to_run: 2,
            tags,
            why: "go away",
        };
        let mut bytes = Vec::new();
        Frame { from, run, body }.write(&mut bytes);
        two.a
            .link
            .send(&name("b"), bytes.into())
            .expect("it has room");
        two.steps(3);
    }
    let (_, at_b) = two.events();
    let what = "node `a` does not accept this node: go away".to_owned();
    assert_eq!(refused(&at_b), [(Refusal::ByPeer, what)]);
    assert!(two.b.sessions.is_up(&name("a")));
}

// holds: net.long-cut
#[test]
fn a_restart_is_told_before_the_next_session() {
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(3);
    two.events();
    two.network.crash(&name("b"));
    assert_eq!(two.a.sessions.queue(&name("b"), vec![2], 7), Ok(()));
    two.step();
    two.b = Node::new(&two.network, "b", 9, config());
    two.events();
    two.steps(40);
    let (at_a, at_b) = two.events();
    let unreachable = SessionEvent::Unreachable { peer: name("b") };
    let restarted = down("b", DownReason::Restarted);
    let told = [unreachable, restarted, lost("b", 7, false), up("b", true)];
    assert_eq!(at_a, told);
    assert_eq!(at_b, [up("a", false)]);
}

#[test]
fn a_goodbye_is_told_at_once_with_what_was_lost() {
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(3);
    two.events();
    assert_eq!(two.a.sessions.queue(&name("b"), vec![1], 3), Ok(()));
    assert_eq!(two.b.sessions.queue(&name("a"), vec![4], 1), Ok(()));
    two.b.sessions.stop(&mut two.b.link);
    let at_b = two.b.events();
    let stopped = [down("a", DownReason::Stopped), lost("a", 1, false)];
    assert_eq!(at_b, stopped);
    two.step();
    let (at_a, _) = two.events();
    assert_eq!(batches(&at_a), [[4]]);
    let told = [down("b", DownReason::Goodbye), lost("b", 3, true)];
    assert_eq!(at_a[1..], told);
    two.steps(100);
    assert_eq!(two.events(), (vec![], vec![]));
}

// holds: net.bounded
#[test]
fn a_full_window_refuses_and_empties_again() {
    let config = SessionConfig {
        window_batches: 3,
        window_bytes: 1_000,
        ..config()
    };
    let mut two = Two::with(1, MemoryPath::new(), config);
    let (b, sessions) = (name("b"), &mut two.a.sessions);
    let long = sessions.queue(&b, vec![0; 1_001], 1);
    let (peer, len, most) = (b.clone(), 1_001, 1_000);
    assert_eq!(long, Err(Backlog::TooLong { peer, len, most }));
    two.steps(4);
    let sessions = &mut two.a.sessions;
    assert_eq!(sessions.room(&b), 1_000);
    assert_eq!(sessions.queue(&b, vec![0; 600], 1), Ok(()));
    assert_eq!(sessions.room(&b), 400);
    let full = Backlog::Full {
        peer: b.clone(),
        batches: 1,
        bytes: 600,
    };
    assert_eq!(sessions.queue(&b, vec![0; 401], 1), Err(full));
    assert_eq!(sessions.queue(&b, vec![0; 1], 1), Ok(()));
    assert_eq!(sessions.queue(&b, vec![0; 1], 1), Ok(()));
    assert_eq!(sessions.room(&b), 0);
    assert!(sessions.queue(&b, vec![], 1).is_err());
    two.steps(10);
    assert_eq!(two.a.sessions.room(&b), 1_000);
    assert_eq!(batches(&two.at_b).len(), 3);
}

// holds: net.bounded
#[test]
fn who_does_not_read_its_events_stops_the_peer_and_not_itself() {
    let limits = SessionConfig {
        inbox_bytes: 300,
        window_bytes: 1_000,
        ..config()
    };
    let mut two = Two::with(1, MemoryPath::new(), limits);
    let mut queued = 0;
    for _ in 0..50 {
        queued += usize::from(two.a.sessions.queue(&name("b"), vec![0; 50], 1).is_ok());
        two.network.advance(1);
        let now = two.now();
        two.a.poll(now);
        two.b.sessions.poll(&mut two.b.link, now);
    }
    let unread = two.b.events();
    assert!(batches(&unread).len() <= 3, "{unread:?}");
    assert!(queued < 30, "{queued}");
    two.steps(60);
    assert_eq!(batches(&unread).len() + batches(&two.at_b).len(), queued);
}

#[test]
fn two_nodes_of_one_name_are_told_and_the_first_one_stays() {
    let mut two = Two::new(1, MemoryPath::new());
    two.events();
    let mut other = Node::new(&two.network, "b", 0x77, config());
    let mut at_other = Vec::new();
    for number in 0..60 {
        assert_eq!(two.a.sessions.queue(&name("b"), vec![number], 1), Ok(()));
        two.step();
        at_other.extend(other.poll(two.now()));
    }
    let both = "run 0x2, which has a session, and run 0x77, which is refused";
    let told = refused(&two.at_a);
    let kinds = told.iter().all(|(kind, _)| *kind == Refusal::TwoOfOneName);
    assert!(!told.is_empty() && kinds, "{told:?}");
    assert!(told[0].1.contains(both), "{told:?}");
    assert_eq!(batches(&two.at_a).len() + two.at_a.len(), told.len());
    assert_eq!(batches(&two.at_b).len(), 59);
    assert_eq!(refused(&two.at_b)[0].0, Refusal::TwoOfOneName);
    assert!(batches(&at_other).is_empty());
    let told = refused(&at_other);
    assert_eq!(told[0].0, Refusal::TwoOfOneName);
    let by_peer = told.iter().find(|(kind, _)| *kind == Refusal::ByPeer);
    assert!(
        by_peer.is_some_and(|(_, what)| what.contains(both)),
        "{told:?}"
    );
}

#[test]
fn of_two_nodes_of_one_name_that_start_together_one_gets_the_session() {
    for seed in 0..20 {
        let network = MemoryNetwork::new(seed, MemorySettings::new());
        let path = MemoryPath::new().delayed(0, 3);
        network.set_path(&name("b"), &name("a"), Some(path));
        let mut a = Node::new(&network, "a", 1, config());
        let mut others = [2, 3].map(|run| Node::new(&network, "b", run, config()));
        let (mut at_a, mut at_others) = (Vec::new(), [Vec::new(), Vec::new()]);
        for step in 0..100 {
            network.advance(1);
            at_a.extend(a.poll(STEP * step));
            let _ = a.sessions.queue(&name("b"), vec![1], 1);
            for (other, events) in others.iter_mut().zip(&mut at_others) {
                events.extend(other.poll(STEP * step));
            }
        }
        let ups = |events: &[SessionEvent]| {
            let up = |event: &&SessionEvent| matches!(event, SessionEvent::Up { .. });
            events.iter().filter(up).count()
        };
        assert_eq!(ups(&at_a), 1, "{at_a:?}");
        assert_eq!(ups(&at_others[0]) + ups(&at_others[1]), 1, "{at_others:?}");
        let kinds: Vec<Refusal> = refused(&at_a).iter().map(|(kind, _)| *kind).collect();
        assert!(kinds.contains(&Refusal::TwoOfOneName), "{at_a:?}");
    }
}

#[test]
fn a_hello_longer_than_the_window_delays_the_first_batch() {
    let narrow = SessionConfig {
        window_bytes: 5,
        ..config()
    };
    let mut two = Two::with(1, MemoryPath::new(), narrow);
    two.steps(5);
    assert_eq!(two.a.sessions.room(&name("b")), 5);
    assert_eq!(two.a.sessions.queue(&name("b"), vec![1; 5], 1), Ok(()));
    two.steps(2);
    assert_eq!(batches(&two.at_b).len(), 1);
}

/// Returns a link called `c` without sessions, and a node to which it can send anything.
fn with_stranger(config: SessionConfig) -> (MemoryNetwork, Node, crate::link::MemoryLink) {
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let node = Node::new(&network, "a", 1, config);
    let stranger = network.link(name("c"));
    network.advance(1);
    (network, node, stranger)
}

// holds: net.malformed
#[test]
fn garbage_other_versions_and_pretenders_are_refused_and_named() {
    let (network, mut node, mut stranger) = with_stranger(config());
    let frames: [(&[u8], Refusal, &str); 5] = [
        (
            b"",
            Refusal::Malformed,
            "a frame of 0 bytes: byte 0: expected an array",
        ),
        (b"garbage", Refusal::Malformed, "byte 0: expected an array"),
        (
            b"\x9A\xCE\x4D\x4E\x00\x07\x00",
            Refusal::Version,
            "the peer speaks version 7 of the protocol, this node version 3",
        ),
        (
            b"\x98\xCE\x4D\x4E\x00\x03\x04\xA1b\x01\x01\x00\x00\xA1x",
            Refusal::Pretender,
            "a frame that claims to be from `b`",
        ),
        (
            b"\x98\xCE\x4D\x4E\x00\x03\x04\xA1c\x01\x01\x00\x00\xA1x",
            Refusal::ByPeer,
            "node `c` does not accept this node: x",
        ),
    ];
    for (number, (frame, kind, what)) in (1..).zip(frames) {
        stranger
            .send(&name("a"), frame.to_vec().into())
            .expect("it is taken");
        network.advance(1);
        let told = refused(&node.poll(STEP * 100 * number));
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(told[0].0, kind, "{told:?}");
        assert!(told[0].1.contains(what), "{told:?}");
    }
}

// holds: net.malformed
#[test]
fn refusals_are_counted_and_told_once_in_a_while() {
    let (network, mut node, mut stranger) = with_stranger(config());
    let mut told = Vec::new();
    for step in 0..50 {
        stranger
            .send(&name("a"), vec![0].into())
            .expect("it is taken");
        network.advance(1);
        told.extend(node.poll(STEP * step));
    }
    let counts: Vec<u64> = told
        .iter()
        .map(|event| match event {
            SessionEvent::Refused { count, .. } => *count,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(counts, [1, 20, 20]);
    assert_eq!(node.sessions.counters().refused, 50);
}

// holds: net.malformed
#[test]
fn a_flood_is_refused_and_the_session_goes_on() {
    let limits = SessionConfig {
        frames_per_second: 40,
        ..config()
    };
    let mut two = Two::with(1, MemoryPath::new(), limits);
    let mut flood = two.network.link(name("c"));
    two.step();
    two.events();
    for number in 0..50 {
        for _ in 0..20 {
            flood.send(&name("b"), vec![0].into()).expect("it is taken");
        }
        assert_eq!(two.a.sessions.queue(&name("b"), vec![number], 1), Ok(()));
        two.step();
    }
    two.step();
    let kinds: Vec<Refusal> = refused(&two.at_b).iter().map(|(kind, _)| *kind).collect();
    assert!(kinds.contains(&Refusal::Flood), "{kinds:?}");
    assert_eq!(batches(&two.at_b).len(), 50);
}

// holds: net.bounded
#[test]
fn names_that_flood_are_refused() {
    let limits = SessionConfig {
        max_peers: 3,
        ..config()
    };
    let mut two = Two::with(1, MemoryPath::new(), limits);
    let others = ["c", "d", "e", "f"].map(|other| two.network.link(name(other)));
    two.step();
    let told = refused(&two.at_a);
    assert_eq!(told.len(), 1, "{told:?}");
    let what = "node `e`: expected at most 3 peers";
    assert_eq!(told[0], (Refusal::TooManyPeers, what.to_owned()));
    drop(others);
    two.steps(2);
    let last = two.network.link(name("g"));
    two.events();
    two.steps(2);
    assert_eq!(refused(&two.at_a), []);
    drop(last);
}

// holds: net.in-order-once
#[test]
fn frames_of_other_runs_and_sessions_are_dropped() {
    let frames: [&[u8]; 4] = [
        // These are from run 9, to run 9, and of the tags 5 and 1, and 1 and 5; each has a batch with the expected
        // number.
        b"\x9A\xCE\x4D\x4E\x00\x03\x02\xA1b\x09\x01\x01\x01\x00\x00\x91\x93\x02\x00\xC4\x01x",
        b"\x9A\xCE\x4D\x4E\x00\x03\x02\xA1b\x02\x09\x01\x01\x00\x00\x91\x93\x02\x00\xC4\x01x",
        b"\x9A\xCE\x4D\x4E\x00\x03\x02\xA1b\x02\x01\x05\x01\x00\x00\x91\x93\x02\x00\xC4\x01x",
        b"\x9A\xCE\x4D\x4E\x00\x03\x02\xA1b\x02\x01\x01\x05\x00\x00\x91\x93\x02\x00\xC4\x01x",
    ];
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(3);
    two.events();
    let before = two.a.sessions.counters().late;
    for frame in frames {
        two.b
            .link
            .send(&name("a"), frame.to_vec().into())
            .expect("it is taken");
    }
    two.steps(3);
    assert_eq!(two.events(), (vec![], vec![]));
    assert_eq!(two.a.sessions.counters().late, before + 4);
    assert_eq!(two.b.sessions.queue(&name("a"), vec![5], 1), Ok(()));
    two.steps(2);
    assert_eq!(batches(&two.at_a), [[5]]);
}

// holds: net.malformed
#[test]
fn what_no_session_contains_ends_it_and_another_one_begins() {
    let acknowledges_too_much: &[u8] =
        b"\x9A\xCE\x4D\x4E\x00\x03\x02\xA1b\x02\x01\x01\x01\x09\x00\x90";
    let begins_in_the_middle: &[u8] =
        b"\x9A\xCE\x4D\x4E\x00\x03\x02\xA1b\x02\x01\x01\x01\x00\x00\x91\x93\x02\x02\xC4\x01x";
    for frame in [acknowledges_too_much, begins_in_the_middle] {
        let mut two = Two::new(1, MemoryPath::new());
        two.steps(3);
        two.events();
        two.b
            .link
            .send(&name("a"), frame.to_vec().into())
            .expect("it is taken");
        two.steps(20);
        let (at_a, at_b) = two.events();
        let broken = |event: &SessionEvent| {
            let SessionEvent::Down { why, .. } = event else {
                return false;
            };
            matches!(why, DownReason::Broken(_))
        };
        assert!(broken(&at_a[0]), "{at_a:?}");
        assert_eq!(at_a[1..], [up("b", false)]);
        assert_eq!(at_b, [down("a", DownReason::GivenUp), up("a", false)]);
    }
}

// holds: net.short-cut
#[test]
fn a_full_link_delays_and_loses_nothing() {
    let mut two = Two::new(1, MemoryPath::new());
    let settings = MemorySettings {
        queue: 1,
        max_frame: 512,
        ..MemorySettings::new()
    };
    two.network.set(settings);
    two.network.slow(&name("b"), Some(1));
    for number in 0..30 {
        let batch = vec![number; 300];
        assert_eq!(two.a.sessions.queue(&name("b"), batch, 1), Ok(()));
    }
    two.steps(80);
    assert!(two.a.sessions.counters().not_taken > 0);
    let firsts: Vec<u8> = batches(&two.at_b).iter().map(|batch| batch[0]).collect();
    assert_eq!(firsts, (0..30).collect::<Vec<u8>>());
}

// holds: net.long-cut
#[test]
fn a_peer_that_never_comes_back_is_told_as_lost_in_the_end() {
    let forgets = SessionConfig {
        forget_after: STEP * 200,
        ..config()
    };
    let mut two = Two::with(1, MemoryPath::new(), forgets);
    two.network.crash(&name("b"));
    assert_eq!(two.a.sessions.queue(&name("b"), vec![1], 4), Ok(()));
    two.steps(100);
    assert_eq!(two.at_a.last(), Some(&down("b", DownReason::Silent)));
    two.steps(150);
    let peer = name("b");
    let told = [lost("b", 4, false), SessionEvent::Forgotten { peer }];
    assert!(two.at_a.ends_with(&told), "{:?}", two.at_a);
    assert_eq!(two.a.sessions.peer_count(), 0);
}

#[test]
fn a_link_that_does_not_know_a_peer_is_no_error() {
    let (network, mut node, mut stranger) = with_stranger(config());
    network.cut_one_way(&name("c"), &name("a"));
    network.advance(30);
    while let Some(event) = stranger.poll() {
        assert!(matches!(event, LinkEvent::Came(_)), "{event:?}");
    }
    for step in 0..10 {
        assert_eq!(node.poll(STEP * step), []);
    }
}
