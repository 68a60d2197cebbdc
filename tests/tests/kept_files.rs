//! Files that were written before are read: the save and the world file, of version 1, on 2026-11-23, the log, of
//! version 3, on 2026-11-30. A later version has to read them, too. The fuzz targets begin from them, and the types are
//! theirs; no other type of this program may be called like them.
//!
//! When the format of logs gets a new version, `WRITE_CORPUS=1 cargo test -p message-tests --test kept_files` writes the
//! log again.
#![allow(
    clippy::cast_possible_truncation,
    reason = "a checksum is the low half, and a length that of a small file"
)]

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use message_core::ManagerConfig;
use message_core::prelude::*;
use message_data::{self as data, Log, LogOptions, Replay, WorldFile};
use xxhash_rust::xxh3::xxh3_64;

use common::{Damage, Mind, Mood};

#[allow(
    unreachable_pub,
    missing_docs,
    reason = "they are the types of other programs"
)]
#[path = "../../fuzz/fuzz_targets/common.rs"]
mod common;

const SAVE: &[u8] = include_bytes!("../../fuzz/corpus/save/world.sav");
const LOG: &[u8] = include_bytes!("../../fuzz/corpus/log/world.log");
const WORLD: &str = include_str!("../../fuzz/corpus/world_file/world.ron");

// holds: saves.goes-on
#[test]
fn a_save_that_was_written_earlier_is_restored() {
    let restored = data::restore(SAVE, ManagerConfig::new()).expect("it is read");
    assert_eq!(restored.notes.len(), 0, "{:?}", restored.notes);
    let mut manager = restored.manager;
    assert_eq!(manager.len(), 2);
    // A wire is pending.
    manager.tick(Duration::from_secs(1));
    let angry = manager
        .iter::<Mind>()
        .filter(|(_, mind)| matches!(mind.mood, Mood::Angry(_)));
    assert!(angry.count() > 0);
}

/// A file in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics with it").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

mnemonic!(HEAD = "fuzz.head");
group!(CROWD = "fuzz.crowd");

/// Returns a few inputs of each kind.
fn log() -> Vec<u8> {
    let file = WorldFile::parse(WORLD).expect("it is read");
    let mut manager = MessageManager::new();
    let memory = Memory::default();
    let options = LogOptions::new();
    Log::start(&mut manager, memory.clone(), options).expect("it can be saved");
    let made = file.instantiate(&mut manager).expect("all types are there");
    let [a, b] = ["a", "b"].map(|name| made.get(name).expect("it is in the file"));
    let c = manager.spawn_named("c", (Mind::default(),));
    let damage = |amount| Damage { amount };
    manager.bind(HEAD, c).expect("it is alive");
    manager.join(CROWD, a).expect("it is alive");
    manager.send(a, damage(1)).expect("it is alive");
    manager.send(CROWD, damage(2)).expect("it has members");
    manager
        .post(Header::to(HEAD).after_frames(1), damage(3))
        .expect("there is room");
    let every = Header::to(Everyone)
        .every(Duration::from_millis(20))
        .times(3);
    manager.post(every, damage(4)).expect("there is room");
    let ticket = manager.post(Header::to(b).after_frames(9), damage(5));
    manager.cancel(ticket.expect("there is room"));
    let mut from = manager.speak_for(a).expect("it is alive");
    from.publish(b, damage(6)).expect("there is room");
    from.send(b, damage(7)).expect("it is alive");
    manager.tick(Duration::from_millis(16));
    manager.get_mut::<Mind>(c).expect("it has one").sight = 3.5;
    manager.set_time_scale(2.0).expect("it is right");
    let hook = manager.hook_of::<Mind>(b).expect("it has one");
    manager.set_enabled(hook, false).expect("it is alive");
    manager.tick(Duration::from_millis(16));
    manager.unhook::<Mind>(hook).expect("it is there");
    manager.despawn(c).expect("it is alive");
    manager.tick(Duration::from_millis(500));
    Log::stop(&mut manager).expect("memory takes it");
    let bytes = memory.0.lock().expect("nobody panics with it");
    bytes.clone()
}

// holds: logs.replay
#[test]
fn a_log_that_is_written_now_is_repeated() {
    let log = log();
    if std::env::var_os("WRITE_CORPUS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/log/world.log");
        std::fs::write(path, &log).expect("the disk has room");
    }
    Replay::of_bytes(log).run().expect("it was written here");
}

// holds: logs.replay
#[test]
fn a_log_that_was_written_earlier_is_repeated() {
    let replayed = Replay::of_bytes(LOG.to_vec()).run();
    let replayed =
        replayed.expect("a log of version 3 is read, also if it was written by an earlier program");
    assert!(replayed.inputs > 0 && replayed.digests > 0, "{replayed:?}");
}

#[test]
fn a_world_file_that_was_written_earlier_is_instanced() {
    let file = WorldFile::parse(WORLD).expect("it is read");
    let mut manager = MessageManager::new();
    file.instantiate(&mut manager).expect("all types are there");
    assert_eq!((manager.len(), data::wires(&manager).len()), (2, 1));
}

/// Returns the position of each input of the log, without its length and its checksum.
fn inputs_of(log: &[u8]) -> Vec<std::ops::Range<usize>> {
    let length = u64::from_le_bytes(log[12..20].try_into().expect("eight bytes")) as usize;
    let mut at = 28 + length;
    let mut inputs = Vec::new();
    while at < log.len() {
        let mut length = 0;
        for shift in (0..).step_by(7) {
            length |= usize::from(log[at] & 0x7f) << shift;
            at += 1;
            if log[at - 1] < 0x80 {
                break;
            }
        }
        inputs.push(at..at + length);
        at += length + 4;
    }
    inputs
}

// holds: data.readers-are-safe
#[test]
fn a_log_with_a_changed_byte_and_a_right_checksum_is_refused_or_repeated_and_never_panics() {
    let mut changed = 0_u8;
    let (mut refused, mut repeated) = (0, 0);
    for input in inputs_of(LOG) {
        for at in input.clone() {
            let mut log = LOG.to_vec();
            // Each byte becomes another one, by steps that have no pattern in common with lengths.
            changed = changed.wrapping_add(167);
            log[at] ^= changed.max(1);
            let sum = xxh3_64(&log[input.clone()]) as u32;
            log[input.end..input.end + 4].copy_from_slice(&sum.to_le_bytes());
            match Replay::of_bytes(log).run() {
                Ok(replayed) => {
                    assert_eq!(replayed.panicked, None, "byte {at} is {changed}");
                    repeated += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(
        refused > 100 && repeated > 0,
        "{refused} refused, {repeated} repeated"
    );
}

#[test]
fn the_other_files_from_which_the_fuzz_targets_begin_are_read() {
    let frames: [&[u8]; 6] = [
        include_bytes!("../../fuzz/corpus/frame/bye.msgpack"),
        include_bytes!("../../fuzz/corpus/frame/challenge.msgpack"),
        include_bytes!("../../fuzz/corpus/frame/data.msgpack"),
        include_bytes!("../../fuzz/corpus/frame/hello.msgpack"),
        include_bytes!("../../fuzz/corpus/frame/refuse.msgpack"),
        include_bytes!("../../fuzz/corpus/frame/welcome.msgpack"),
    ];
    for frame in frames {
        message_net::rewrite_frame(frame).expect("it is a frame");
    }
    let mut manager = MessageManager::new();
    manager.spawn_named("grib", (Mind::default(),));
    let messages = [
        include_str!("../../fuzz/corpus/console/damage.ron"),
        include_str!("../../fuzz/corpus/console/full.ron"),
    ];
    for text in messages {
        let message = data::parse_message(text, &manager).expect(text);
        assert!(message.is::<Damage>());
    }
    let text = include_str!("../../fuzz/corpus/text/moods.ron");
    let moods: Vec<Mood> = data::from_text(text).expect(text);
    assert!(!moods.is_empty());
    let bytes = include_bytes!("../../fuzz/corpus/bytes/moods.msgpack");
    let moods: Vec<Mood> = data::from_bytes(bytes).expect("they are moods");
    assert!(!moods.is_empty());
}
