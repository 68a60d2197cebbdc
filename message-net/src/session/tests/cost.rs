//! The cost of a frame. The results are printed, not asserted:
//! `cargo test --release -p message-net cost -- --ignored --nocapture`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::name;
use crate::link::{self, Link, LinkError, LinkEvent};
use crate::name::NodeName;
use crate::session::frame::{self, Body, Data, Frame, Part, Piece, Tags};
use crate::session::{SessionConfig, SessionEvent, Sessions};

type Queue = Arc<Mutex<VecDeque<Vec<u8>>>>;

/// A link that consists of two queues.
struct Pipe {
    name: NodeName,
    peer: NodeName,
    told: bool,
    out: Queue,
    back: Queue,
}

impl Link for Pipe {
    fn name(&self) -> &NodeName {
        &self.name
    }

    fn send(&mut self, _: &NodeName, frame: link::Frame) -> Result<(), LinkError> {
        self.out
            .lock()
            .expect("no panic")
            .push_back(frame.into_vec());
        Ok(())
    }

    fn poll(&mut self) -> Option<LinkEvent> {
        let from = self.peer.clone();
        if !std::mem::replace(&mut self.told, true) {
            return Some(LinkEvent::Came(from));
        }
        let frame = self.back.lock().expect("no panic").pop_front()?;
        Some(LinkEvent::Frame { from, frame })
    }

    fn max_frame(&self) -> usize {
        64 * 1024
    }
}

fn pipes() -> (Pipe, Pipe) {
    let (one, other) = (Queue::default(), Queue::default());
    let pipe = |own, peer, out: &Queue, back: &Queue| Pipe {
        name: name(own),
        peer: name(peer),
        told: false,
        out: Arc::clone(out),
        back: Arc::clone(back),
    };
    (
        pipe("zone-1", "zone-2", &one, &other),
        pipe("zone-2", "zone-1", &other, &one),
    )
}

#[test]
#[ignore = "it measures"]
fn cost_of_frames() {
    let run = 0x1234_5678_9ABC_DEF0;
    for content in [64, 1_000, 10_000] {
        let bytes = vec![1; content];
        let piece = Piece {
            number: 100_000,
            part: Part::Whole,
            bytes: &bytes,
        };
        let data = Data {
            to_run: run,
            tags: Tags { from: 1, to: 1 },
            ack: 100_000,
            held: 0,
            pieces: vec![piece],
        };
        let (from, body) = ("zone-1", Body::Data(data));
        let frame = Frame { from, run, body };
        let mut written = Vec::new();
        let rounds = 200_000;
        let begin = Instant::now();
        for _ in 0..rounds {
            written.clear();
            frame.write(&mut written);
        }
        let write = begin.elapsed() / rounds;
        let begin = Instant::now();
        for _ in 0..rounds {
            assert!(frame::read(std::hint::black_box(&written)).is_ok());
        }
        let read = begin.elapsed() / rounds;
        let over = written.len() - content;
        println!("{content} bytes: {over} bytes over, written in {write:?}, read in {read:?}");
    }
    for content in [64, 1_000, 10_000] {
        let config = SessionConfig {
            frames_per_second: u64::MAX,
            bytes_per_second: u64::MAX,
            ..SessionConfig::default()
        };
        let (mut at_one, mut at_two) = pipes();
        let mut one = Sessions::new(name("zone-1"), run, Vec::new(), config.clone());
        let mut two = Sessions::new(name("zone-2"), !run, Vec::new(), config);
        let mut now = Duration::ZERO;
        let mut arrived = 0_u32;
        let mut poll = |one: &mut Sessions, two: &mut Sessions| {
            now += Duration::from_millis(16);
            one.poll(&mut at_one, now);
            two.poll(&mut at_two, now);
            while let Some(event) = two.next_event() {
                arrived += u32::from(matches!(event, SessionEvent::Batch { .. }));
            }
            while one.next_event().is_some() {}
        };
        for _ in 0..20 {
            poll(&mut one, &mut two);
        }
        let rounds = 100_000;
        let (frames, bytes) = (one.counters().frames_sent, one.counters().bytes_sent);
        let begin = Instant::now();
        for _ in 0..rounds {
            let queued = one.queue(&name("zone-2"), vec![1; content], 1);
            queued.expect("there is room");
            poll(&mut one, &mut two);
        }
        let each = begin.elapsed() / rounds;
        let frames = one.counters().frames_sent - frames;
        let over = (one.counters().bytes_sent - bytes) / u64::from(rounds) - content as u64;
        println!(
            "{content} bytes: queued, sent, received in {each:?}; {arrived} batches in {frames} frames, {over} bytes over, acknowledged in {} frames",
            two.counters().frames_sent
        );
    }
}
