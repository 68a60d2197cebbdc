//! Frames as bytes: valid ones, damaged ones, and arbitrary bytes.

use super::{Two, batches, name};
use crate::link::{Link, LinkEvent, MemoryPath};
use crate::random::Random;
use crate::session::frame::{self, Body, Data, Frame, FrameError, HEADER, Hello, PIECE_HEADER};
use crate::session::frame::{FLIGHT, Part, Piece, Tags};

/// Returns a frame of each kind, with small and large numbers.
fn examples() -> Vec<Frame<'static>> {
    let hello = Hello {
        tag: 3,
        seen: Some((u64::MAX, u64::MAX)),
        accepted: Some((2, 70_000)),
        max_batch: 4 << 20,
    };
    let shy = Hello {
        tag: 1,
        seen: None,
        accepted: None,
        max_batch: 0,
    };
    let parts = [Part::First, Part::Middle, Part::Last, Part::Whole];
    let pieces = parts.iter().zip(1..).map(|(part, number)| Piece {
        number: number << 14,
        part: *part,
        bytes: &[1, 2, 3],
    });
    let data = Data {
        to_run: 7,
        tags: Tags { from: 300, to: 1 },
        ack: 9,
        held: u64::MAX,
        pieces: pieces.collect(),
    };
    let bodies = [
        Body::Hello(hello),
        Body::Welcome(shy),
        Body::Data(data),
        Body::Bye {
            to_run: 1,
            tags: Tags { from: 2, to: 9 },
            accepted: 3,
        },
        Body::Refuse {
            to_run: 1,
            tags: None,
            why: "zu voll – später",
        },
        Body::Refuse {
            to_run: 1,
            tags: Some(Tags { from: 1, to: 300 }),
            why: "",
        },
        Body::Challenge {
            to_run: 1,
            tags: Tags {
                from: u64::MAX,
                to: 2,
            },
        },
    ];
    let frames = bodies.into_iter().map(|body| Frame {
        from: "zone-3",
        run: 0xFFFF_FFFF_FFFF,
        body,
    });
    frames.collect()
}

fn written(frame: &Frame<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    frame.write(&mut bytes);
    bytes
}

#[test]
fn what_is_written_is_read() {
    for frame in examples() {
        assert_eq!(frame::read(&written(&frame)), Ok(frame));
    }
}

#[test]
fn a_frame_is_the_bytes_that_the_format_says() {
    let body = Body::Bye {
        to_run: 5,
        tags: Tags { from: 7, to: 200 },
        accepted: 300,
    };
    let (from, run) = ("ab", 1);
    let bytes = written(&Frame { from, run, body });
    let expected = b"\x98\xCE\x4D\x4E\x00\x03\x03\xA2ab\x01\x05\x07\xCC\xC8\xCD\x01\x2C";
    assert_eq!(bytes, expected);
}

// holds: net.malformed
#[test]
fn a_frame_that_ends_early_or_late_is_refused() {
    for frame in examples() {
        let mut bytes = written(&frame);
        for end in 0..bytes.len() {
            let read = frame::read(&bytes[..end]);
            assert!(
                matches!(read, Err(FrameError::Malformed { .. })),
                "{read:?}"
            );
        }
        bytes.push(0);
        let (at, expected) = (bytes.len() - 1, "the end of the frame");
        let late = Err(FrameError::Malformed { at, expected });
        assert_eq!(frame::read(&bytes), late);
    }
}

// holds: net.malformed
#[test]
fn a_length_that_is_claimed_allocates_nothing() {
    let claims: [&[u8]; 3] = [
        b"\x9A\xCE\x4D\x4E\x00\x03\x02\xDB\xFF\xFF\xFF\xFF",
        b"\x9A\xCE\x4D\x4E\x00\x03\x02\xA1b\x02\x01\x01\x01\x00\x00\xDD\xFF\xFF\xFF\xFF",
        b"\x9A\xCE\x4D\x4E\x00\x03\x02\xA1b\x02\x01\x01\x01\x00\x00\x91\x93\x01\x00\xC6\xFF\xFF\xFF\xFF",
    ];
    for claim in claims {
        let read = frame::read(claim);
        assert!(
            matches!(read, Err(FrameError::Malformed { .. })),
            "{read:?}"
        );
    }
}

#[test]
fn no_frame_is_longer_than_its_headers_are_said_to_be() {
    let name = "n".repeat(64);
    let content = vec![0; 70_000];
    let pieces = vec![
        Piece {
            number: u64::MAX - 1,
            part: Part::Whole,
            bytes: &content,
        };
        FLIGHT
    ];
    let data = Data {
        to_run: u64::MAX,
        tags: Tags {
            from: u64::MAX,
            to: u64::MAX,
        },
        ack: u64::MAX,
        held: u64::MAX,
        pieces,
    };
    let (from, run, body) = (&*name, u64::MAX, Body::Data(data));
    let len = written(&Frame { from, run, body }).len();
    assert!(len <= HEADER + FLIGHT * (PIECE_HEADER + 70_000), "{len}");
}

/// Returns random bytes, or a frame in which some bits, bytes or ranges were changed.
fn damaged(random: &mut Random, examples: &[Vec<u8>]) -> Vec<u8> {
    let index = |random: &mut Random, len: usize| {
        usize::try_from(random.below(len as u64)).expect("it is an index")
    };
    let byte = |random: &mut Random| u8::try_from(random.below(256)).expect("it is a byte");
    if random.chance(0.2) {
        let len = random.below(80);
        return (0..len).map(|_| byte(random)).collect();
    }
    let mut bytes = examples[index(random, examples.len())].clone();
    for _ in 0..=random.below(4) {
        let at = index(random, bytes.len().max(1));
        match random.below(5) {
            _ if bytes.is_empty() => bytes.push(byte(random)),
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = byte(random),
            2 => drop(bytes.remove(at)),
            3 => bytes.insert(at, byte(random)),
            _ => {
                let other = &examples[index(random, examples.len())];
                let from = index(random, other.len());
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
        }
    }
    bytes
}

// holds: net.malformed
#[test]
fn damaged_frames_are_read_or_refused() {
    let examples: Vec<Vec<u8>> = examples().iter().map(written).collect();
    let mut random = Random::new(5);
    let mut read = 0;
    for _ in 0..50_000 {
        let bytes = damaged(&mut random, &examples);
        if let Ok(frame) = frame::read(&bytes) {
            read += 1;
            // The same frame has exactly one short form.
            let again = written(&frame);
            assert_eq!(frame::read(&again).as_ref(), Ok(&frame));
        }
    }
    assert!(read > 1_000, "{read}");
}

// holds: net.malformed
#[test]
fn a_peer_that_damages_frames_takes_no_one_down() {
    let mut two = Two::new(1, MemoryPath::new());
    let mut random = Random::new(9);
    let mut stranger = two.network.link(name("c"));
    two.step();
    let mut seen: Vec<Vec<u8>> = examples().iter().map(written).collect();
    for number in 0..200_u8 {
        // It damages everything that it receives, and sends it to all.
        while let Some(event) = stranger.poll() {
            if let LinkEvent::Frame { frame, .. } = event
                && seen.len() < 100
            {
                seen.push(frame);
            }
        }
        for to in ["a", "b"] {
            for _ in 0..4 {
                let mut bytes = damaged(&mut random, &seen);
                bytes.truncate(512);
                stranger.send(&name(to), bytes.into()).expect("it is taken");
            }
        }
        assert_eq!(two.a.sessions.queue(&name("b"), vec![number], 1), Ok(()));
        two.step();
    }
    two.steps(2);
    let numbers: Vec<u8> = batches(&two.at_b).concat();
    assert_eq!(numbers, (0..200).collect::<Vec<u8>>());
}

#[test]
fn a_peer_whose_frames_are_damaged_on_their_way_is_heard_again() {
    for seed in 0..20 {
        let mut two = Two::new(seed, MemoryPath::new());
        let mut random = Random::new(seed);
        let seen: Vec<Vec<u8>> = examples().iter().map(written).collect();
        let mut own = seen.clone();
        for example in &mut own {
            // From `b`, run 2, to run 1.
            *example = example.iter().copied().map(|byte| byte & 0x7F).collect();
        }
        for _ in 0..50 {
            let mut bytes = b"\x9A\xCE\x4D\x4E\x00\x03\x02\xA1b\x02\x01\x01\x01".to_vec();
            bytes.extend(damaged(&mut random, &own));
            bytes.truncate(512);
            two.b
                .link
                .send(&name("a"), bytes.into())
                .expect("it is taken");
            two.step();
        }
        two.steps(100);
        assert!(two.a.sessions.is_settled(1), "seed {seed}");
        assert!(two.b.sessions.is_settled(1), "seed {seed}");
    }
}
