//! Sessions over an in-memory network.

mod claims;
mod cost;
mod faults;
mod frames;
mod memory;
mod pace;
mod peers;

use std::time::Duration;

use super::{SessionConfig, SessionEvent, Sessions};
use crate::link::{MemoryLink, MemoryNetwork, MemoryPath, MemorySettings};
use crate::name::NodeName;

/// The duration of a network step for the sessions.
const STEP: Duration = Duration::from_millis(50);

fn name(text: &str) -> NodeName {
    NodeName::new(text).expect("it is a name")
}

/// Returns a configuration with short times, so that tests need few steps: a window of 4 seconds is 80 steps.
fn config() -> SessionConfig {
    SessionConfig {
        resend_window: STEP * 40,
        unreachable_after: STEP * 10,
        heartbeat: STEP * 4,
        ack_delay: STEP,
        min_resend: STEP * 4,
        max_resend: STEP * 10,
        min_hello: STEP * 2,
        max_hello_wait: STEP * 10,
        ..SessionConfig::default()
    }
}

/// A node of a test.
struct Node {
    link: MemoryLink,
    sessions: Sessions,
}

impl Node {
    fn new(network: &MemoryNetwork, text: &str, run: u64, config: SessionConfig) -> Self {
        let hello = format!("hello of {text}").into_bytes();
        Self {
            link: network.link(name(text)),
            sessions: Sessions::new(name(text), run, hello, config),
        }
    }

    fn poll(&mut self, now: Duration) -> Vec<SessionEvent> {
        self.sessions.poll(&mut self.link, now);
        self.events()
    }

    fn events(&mut self) -> Vec<SessionEvent> {
        std::iter::from_fn(|| self.sessions.next_event()).collect()
    }
}

/// Nodes `a` and `b` of runs 1 and 2 with a session.
struct Two {
    network: MemoryNetwork,
    a: Node,
    b: Node,
    at_a: Vec<SessionEvent>,
    at_b: Vec<SessionEvent>,
}

impl Two {
    fn new(seed: u64, path: MemoryPath) -> Self {
        Self::with(seed, path, config())
    }

    fn with(seed: u64, path: MemoryPath, config: SessionConfig) -> Self {
        let settings = MemorySettings {
            path,
            max_frame: 512,
            ..MemorySettings::new()
        };
        let network = MemoryNetwork::new(seed, settings);
        let mut two = Self {
            a: Node::new(&network, "a", 1, config.clone()),
            b: Node::new(&network, "b", 2, config),
            network,
            at_a: Vec::new(),
            at_b: Vec::new(),
        };
        for _ in 0..100 {
            two.step();
            let (a, b) = (&two.a.sessions, &two.b.sessions);
            if a.is_up(&name("b")) && b.is_up(&name("a")) {
                return two;
            }
        }
        panic!("no session: {:?}, {:?}", two.at_a, two.at_b);
    }

    fn now(&self) -> Duration {
        STEP * u32::try_from(self.network.now()).expect("tests are short")
    }

    fn step(&mut self) {
        self.network.advance(1);
        let now = self.now();
        self.at_a.extend(self.a.poll(now));
        self.at_b.extend(self.b.poll(now));
    }

    fn steps(&mut self, steps: u32) {
        for _ in 0..steps {
            self.step();
        }
    }

    fn cut(&self) {
        self.network.cut(&[name("a")], &[name("b")]);
    }

    /// Returns the events on both sides since the last call.
    fn events(&mut self) -> (Vec<SessionEvent>, Vec<SessionEvent>) {
        (
            std::mem::take(&mut self.at_a),
            std::mem::take(&mut self.at_b),
        )
    }
}

/// Returns the batches among events.
fn batches(events: &[SessionEvent]) -> Vec<Vec<u8>> {
    let batches = events.iter().filter_map(|event| match event {
        SessionEvent::Batch { bytes, .. } => Some(bytes.to_vec()),
        _ => None,
    });
    batches.collect()
}
