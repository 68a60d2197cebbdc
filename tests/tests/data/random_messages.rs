//! Messages by name from random and mutated texts: a text is either refused, or is a message that is sent, written
//! and read again. Bounded, so that it can be in the test command; the target `console` of `fuzz` has no bound.

use std::collections::BTreeMap;

use message_core::prelude::*;
use message_data::{self as data, Data};
use serde::{Deserialize, Serialize};

use crate::values::Lottery;

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "random.Tell", exact)]
struct Tell {
    #[serde(default)]
    count: u32,
    #[serde(default)]
    by: Option<MessageeId>,
    #[serde(default)]
    what: Vec<(String, f32, char)>,
    #[serde(default)]
    notes: BTreeMap<String, Option<i64>>,
}

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "random.Mood")]
enum Mood {
    Calm,
    Angry(u8),
    Afraid { of: MessageeId, since: Option<i64> },
}

#[derive(Default)]
struct Listener;

#[handlers]
impl Listener {
    #[on_receive]
    fn tell(&self, _: &Tell) {}

    #[on_receive]
    fn mood(&self, _: &Mood) {}
}

const PARTS: &[&str] = &[
    "Tell",
    "random.Tell",
    "Mood",
    "\"random.Mood\"",
    "Calm",
    "Angry",
    "Afraid",
    "count",
    "by",
    "what",
    "notes",
    "of",
    "since",
    "grib",
    "\"grib\"",
    "\"two words\"",
    "\"#0v0\"",
    "\"#1v9\"",
    "rat",
    "Some",
    "None",
    "(",
    ")",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ",",
    ":",
    "0",
    "3",
    "-1",
    "255",
    "256",
    "0x10",
    "1e400",
    "1.5",
    "inf",
    "NaN",
    "'x'",
    "'",
    "\"",
    "\\",
    "\\u{",
    "r#\"",
    "\"#",
    "b\"",
    "//",
    "/*",
    "*/",
    "#![enable(",
    " ",
    "\n",
    "é",
    "\u{0}",
    "()",
];

const RIGHT: &[&str] = &[
    "Tell",
    "Tell(count: 0x10, by: Some(grib), what: [(\"a\", 1.5, 'b')], notes: {\"c\": Some(-1)}) // said",
    "Mood(Calm)",
    "Mood(Angry(7))",
    "Mood(Afraid(of: \"two words\", since: None))",
    "(\"random.Tell\", (by: Some(\"#1v0\")))",
];

/// Sends the message that a text describes; returns whether it could be read.
fn try_it(text: &str, manager: &mut MessageManager, to: MessageeId) -> bool {
    let Ok(message) = data::parse_message(text, manager) else {
        return false;
    };
    let written = data::message_to_text(&*message).expect("what was read can be written");
    let again = data::parse_message(&written, manager)
        .unwrap_or_else(|error| panic!("{text}: {written}: {error}"));
    let twice = data::message_to_text(&*again).expect("it was written before");
    assert_eq!(twice, written, "{text}");
    manager.send_any(to, message).expect("it is alive");
    true
}

// holds: data.readers-are-safe, world-files.print-and-read
#[test]
fn no_text_makes_the_reader_of_messages_panic() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn_named("grib", (Listener,));
    manager.spawn_named("two words", ());
    for _ in 0..2 {
        manager.spawn_named("rat", ());
    }
    for text in RIGHT {
        assert!(try_it(text, &mut manager, grib), "{text}");
    }
    let mut lottery = Lottery(21);
    let part = |lottery: &mut Lottery| PARTS[lottery.below(PARTS.len() as u64) as usize];
    for _ in 0..20_000 {
        let text: String = (0..lottery.below(14)).map(|_| part(&mut lottery)).collect();
        try_it(&text, &mut manager, grib);
    }
    // Right texts with a few changes: a part put in, letters taken out, a byte changed.
    let (mut read, mut refused) = (0, 0);
    for case in 0..20_000 {
        let mut bytes = RIGHT[case % RIGHT.len()].as_bytes().to_vec();
        for _ in 0..=lottery.below(2) {
            let at = lottery.below(bytes.len() as u64) as usize;
            match lottery.below(4) {
                0 => drop(bytes.splice(at..at, part(&mut lottery).bytes())),
                1 => bytes.truncate(at + 1),
                2 => drop(bytes.drain(at..(at + 4).min(bytes.len() - 1).max(at))),
                _ => bytes[at] = lottery.draw() as u8,
            }
        }
        if let Ok(text) = String::from_utf8(bytes) {
            if try_it(&text, &mut manager, grib) {
                read += 1;
            } else {
                refused += 1;
            }
        }
    }
    // Both happen often.
    assert!(
        read > 500 && refused > 5_000,
        "{read} read, {refused} refused"
    );
}

// holds: data.nesting-limit
#[test]
fn a_message_that_is_nested_deeply_is_refused() {
    let manager = MessageManager::new();
    for deep in ["Tell(", "[", "(", "{1:", "Some("] {
        let text = format!("Tell(what: {}", deep.repeat(10_000));
        let error = data::parse_message(&text, &manager).expect_err("it is too deep");
        assert!(error.to_string().contains("nested"), "{error}");
    }
}
