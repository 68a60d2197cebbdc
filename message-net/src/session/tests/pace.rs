//! How much is read at once, and what counts as silence.

use std::time::Duration;

use super::{Node, STEP, Two, batches, config, name};
use crate::link::{Link, MemoryNetwork, MemoryPath, MemorySettings};
use crate::session::{DownReason, SessionConfig, SessionEvent};

/// Returns `true` if a node has been reported as unreachable, or a session as ended.
fn is_loss(event: &SessionEvent) -> bool {
    matches!(
        event,
        SessionEvent::Unreachable { .. } | SessionEvent::Down { .. } | SessionEvent::Lost { .. }
    )
}

// holds: net.per-receive
#[test]
fn one_poll_reads_no_more_than_its_share_and_the_rest_comes_later() {
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let limits = SessionConfig {
        events_per_poll: 20,
        bytes_per_poll: 50_000,
        ..config()
    };
    let mut a = Node::new(&network, "a", 1, limits.clone());
    let mut b = Node::new(&network, "b", 2, limits);
    let mut stranger = network.link(name("c"));
    for step in 0..5 {
        network.advance(1);
        a.poll(STEP * step);
        b.poll(STEP * step);
    }
    for _ in 0..300 {
        stranger.send(&name("a"), vec![0].into()).expect("taken");
    }
    for number in 0..60 {
        let queued = b.sessions.queue(&name("a"), vec![number; 10_000], 1);
        queued.expect("there is room");
    }
    let mut arrived = Vec::new();
    for step in 5..60 {
        network.advance(1);
        b.poll(STEP * step);
        let before = a.sessions.counters();
        arrived.extend(batches(&a.poll(STEP * step)));
        let after = a.sessions.counters();
        assert!(after.frames_received - before.frames_received <= 20);
        // The last frame exceeds them.
        assert!(after.bytes_received - before.bytes_received <= 50_000 + 40_000);
    }
    assert_eq!(arrived.len(), 60);
}

// holds: net.per-receive
#[test]
fn a_node_whose_frames_wait_unread_is_not_silent() {
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let limits = SessionConfig {
        events_per_poll: 10,
        ..config()
    };
    let mut a = Node::new(&network, "a", 1, limits);
    let mut b = Node::new(&network, "b", 2, config());
    let mut stranger = network.link(name("c"));
    let (mut told, mut arrived, mut queued) = (Vec::new(), 0, 0);
    for step in 0..600 {
        network.advance(1);
        told.extend(a.poll(STEP * step));
        b.poll(STEP * step);
        if (10..110).contains(&step) {
            // Five times as many as are read: what `b` sends waits for more than twenty seconds.
            for _ in 0..50 {
                let _ = stranger.send(&name("a"), vec![0].into());
            }
        }
        if step > 10 && step % 20 == 0 {
            queued += usize::from(b.sessions.queue(&name("a"), vec![1], 1).is_ok());
        }
        arrived += batches(&told).len();
        told.retain(is_loss);
        assert!(told.is_empty(), "step {step}: {told:?}");
    }
    assert!(queued > 5 && arrived >= queued - 1, "{arrived} of {queued}");
}

// holds: net.per-receive
#[test]
fn a_program_that_stood_still_reads_what_waits_before_it_calls_anybody_silent() {
    let hour = Duration::from_secs(3600);
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(5);
    two.events();
    // Nothing of `b` waits: neither of them has run.
    let now = two.now() + hour;
    for step in 0..30 {
        two.network.advance(1);
        let told = two.a.poll(now + STEP * step);
        assert!(!told.iter().any(is_loss), "step {step}: {told:?}");
        let told = two.b.poll(now + STEP * step);
        assert!(!told.iter().any(is_loss), "step {step}: {told:?}");
    }
    // It is silent from here on.
    let begin = now + STEP * 30 + hour;
    let silent: Vec<_> = (0..20)
        .map(|step| {
            two.network.advance(1);
            two.a.poll(begin + STEP * step).iter().any(is_loss)
        })
        .collect();
    let first = silent.iter().position(|is_loss| *is_loss);
    // The silence after which a node is unreachable has ten steps.
    assert!(
        first.is_some_and(|first| (8..=11).contains(&first)),
        "{silent:?}"
    );
}

// holds: net.per-receive
#[test]
fn a_program_that_is_always_slow_finds_out_who_has_gone() {
    let mut two = Two::new(1, MemoryPath::new());
    two.steps(3);
    two.events();
    two.network.crash(&name("b"));
    let second = Duration::from_secs(1);
    let mut told = Vec::new();
    for step in 1..10 {
        told.extend(two.a.poll(two.now() + second * step));
        // As a node does after its frame.
        told.extend(two.a.poll(two.now() + second * step));
    }
    let silent = |event: &SessionEvent| {
        matches!(
            event,
            SessionEvent::Down {
                why: DownReason::Silent,
                ..
            }
        )
    };
    assert!(told.iter().any(silent), "{told:?}");
}
