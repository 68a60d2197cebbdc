//! Logs altered by someone who knows the format: lengths and checksums are correct.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use message_core::prelude::*;
use message_data::{Data, Log, LogOptions, Replay, ReplayError};
use serde::{Deserialize, Serialize};

use crate::logs::Shared;
use crate::values::Lottery;

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "hostile.Pull", exact)]
struct Pull {
    by: u32,
    whom: Option<MessageeId>,
}

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(name = "hostile.Rope")]
struct Rope {
    pulls: u32,
    last: Option<MessageeId>,
}

#[handlers]
impl Rope {
    #[on_receive]
    fn pull(&mut self, pull: &Pull) {
        self.pulls = self.pulls.wrapping_add(pull.by);
        self.last = pull.whom;
    }
}

/// Written as a rope is.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(name = "hostile.Cord")]
struct Cord {
    pulls: u32,
    last: Option<MessageeId>,
}

group!(CREW = "hostile.crew");
mnemonic!(CAPTAIN = "hostile.captain");

/// Returns a log as its head and its inputs.
fn inputs_of(log: &[u8]) -> (Vec<u8>, Vec<Vec<u8>>) {
    let length = u64::from_le_bytes(log[12..20].try_into().expect("8 bytes"));
    let (head, mut rest) = log.split_at(28 + usize::try_from(length).expect("it is in memory"));
    let mut inputs = Vec::new();
    while !rest.is_empty() {
        let mut length = 0;
        for shift in (0..).step_by(7) {
            let byte = rest[0];
            rest = &rest[1..];
            length |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        inputs.push(rest[..length].to_vec());
        rest = &rest[length + 4..];
    }
    (head.to_vec(), inputs)
}

fn log_of(head: &[u8], inputs: &[Vec<u8>]) -> Vec<u8> {
    let mut log = head.to_vec();
    for input in inputs {
        let mut length = input.len();
        while length > 0x7f {
            log.push(u8::try_from(length & 0x7f).expect("7 bits") | 0x80);
            length >>= 7;
        }
        log.push(u8::try_from(length).expect("7 bits"));
        log.extend(input);
        log.extend(&xxhash_rust::xxh3::xxh3_64(input).to_le_bytes()[..4]);
    }
    log
}

fn act(manager: &mut MessageManager) {
    let a = manager.spawn_named("a", (Rope::default(), Cord::default()));
    let b = manager.spawn((Rope::default(),));
    let pull = |by, whom| Pull { by, whom };
    manager.bind(CAPTAIN, a).expect("it is alive");
    manager.join(CREW, b).expect("it is alive");
    manager.send(a, pull(1, Some(b))).expect("it is alive");
    manager.send(CREW, pull(2, None)).expect("it has members");
    let header = Header::to(CAPTAIN).after_frames(2);
    let ticket = manager
        .post(header, pull(3, Some(a)))
        .expect("there is room");
    manager
        .publish(Everyone, pull(4, Some(a)))
        .expect("there is room");
    manager.get_mut::<Rope>(a).expect("it is hooked").pulls = 9;
    manager.tick(Duration::from_millis(16));
    manager.get_mut::<Cord>(a).expect("it is hooked").pulls = 8;
    let hook = manager.hook(b, Cord::default()).expect("it is alive");
    manager.set_enabled(hook, false).expect("it is hooked");
    manager.set_parent(b, Some(a)).expect("it is alive");
    manager.cancel(ticket);
    manager.set_mail_retention::<Pull>(3);
    manager.unhook::<Cord>(hook).expect("it is hooked");
    manager.tick(Duration::from_millis(16));
    manager.despawn(b).expect("it is alive");
    manager.tick(Duration::from_millis(16));
}

fn logged() -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut manager = MessageManager::new();
    let file = Shared::default();
    let options = LogOptions::new().digest_every(0);
    Log::start(&mut manager, file.clone(), options).expect("it is empty");
    act(&mut manager);
    Log::stop(&mut manager).expect("memory takes it");
    let log = file.bytes();
    let (head, inputs) = inputs_of(&log);
    assert!(log_of(&head, &inputs) == log);
    (head, inputs)
}

// holds: logs.wrong-value
#[test]
fn a_value_of_another_type_is_refused_with_both_types() {
    let (head, mut inputs) = logged();
    // `{"=": [hook, [type, value]]}`: the rope and the cord are the first types that the log names.
    let left = |input: &&mut Vec<u8>| input.starts_with(&[0x81, 0xa1, b'=']);
    let mut changed = 0;
    for input in inputs.iter_mut().filter(left) {
        let bytes = input.windows(3).position(|it| it == [0x92, 0, 0xc4]);
        if let Some(at) = bytes {
            input[at + 1] = 1;
            changed += 1;
        }
    }
    assert_eq!(changed, 1, "the rope was left once");
    let replayed = Replay::of_bytes(log_of(&head, &inputs)).run();
    let error = replayed.expect_err("a cord is no rope");
    assert!(matches!(error, ReplayError::Read(_)), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("a component of type `hostile.Cord` cannot replace that of hook")
            && text.contains("`hostile.Rope`"),
        "{text}"
    );
}

// holds: logs.wrong-value
#[test]
fn an_error_in_a_value_has_the_place_of_its_input_and_names_the_field() {
    let (head, mut inputs) = logged();
    let is_send = |input: &Vec<u8>| input.starts_with(&[0x81, 0xa1, b's']);
    let at = inputs.iter().position(is_send).expect("it was sent");
    let by = inputs[at]
        .windows(3)
        .position(|it| it == [0xa2, b'b', b'y']);
    inputs[at][by.expect("it is a field") + 3] = 0xc3;
    let place = log_of(&head, &inputs[..at]).len();
    let error = Replay::of_bytes(log_of(&head, &inputs)).run();
    let error = error.expect_err("it is no number").to_string();
    let expected = format!(
        "byte {place}: `hostile.Pull`, field `by`: invalid type: boolean `true`, expected u32"
    );
    assert_eq!(error, expected);
}

// holds: logs.wrong-value, logs.until
#[test]
fn what_is_made_up_never_panics() {
    let (head, inputs) = logged();
    let mut lottery = Lottery(2611);
    let mut below = |end: usize| usize::try_from(lottery.below(end as u64)).expect("it is below");
    let (mut read, mut refused) = (0, 0);
    for _ in 0..4_000 {
        // The changed input is the last one: the replay says if it panics.
        let last = below(inputs.len());
        let mut hostile = inputs[..=last].to_vec();
        for _ in 0..=below(3) {
            let at = below(hostile[last].len());
            let other = below(inputs.len());
            let byte = inputs[other][below(inputs[other].len())];
            hostile[last][at] = match below(5) {
                0 => 0xff,
                1 => 0,
                2 => hostile[last][at] ^ (1 << below(8)),
                3 => hostile[last][at].wrapping_add(1),
                _ => byte,
            };
        }
        let log = log_of(&head, &hostile);
        let run = catch_unwind(AssertUnwindSafe(|| {
            let there = Replay::of_bytes(log.clone()).run();
            if last.is_multiple_of(4) {
                let mut travel = Replay::of_bytes(log).key_frames(1, 1 << 20);
                for frame in [9, 1, 9, 0, 2] {
                    let _ = travel.until(frame).map(drop);
                }
                let back = travel.run();
                assert_eq!(there.is_ok(), back.is_ok(), "{there:?} {back:?}");
            }
            there
        }));
        let (changed, before) = (&hostile[last], &inputs[last]);
        let is_read = run.ok().and_then(|run| match run {
            Ok(replayed) => replayed.panicked.is_none().then_some(true),
            Err(_) => Some(false),
        });
        let is_read = is_read
            .unwrap_or_else(|| panic!("{changed:02x?} in the place of {before:02x?} panics"));
        *(if is_read { &mut read } else { &mut refused }) += 1;
    }
    assert!(read > 100 && refused > 100, "{read} {refused}");
}
