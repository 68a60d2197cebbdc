//! The cost of reading a world file: memory is proportional to the text, and each value is read a bounded number
//! of times, whatever the text contains.
//!
//! Measured with a custom allocator, so the tests take turns.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use message_core::prelude::*;
use message_data::{Data, WorldFile, WorldOptions};
use peak_alloc::PeakAlloc;
use serde::{Deserialize, Deserializer, Serialize};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// How many bytes of memory reading may take for each byte of the text.
const BYTES_FOR_EACH: usize = 40;
/// And how many for everything else.
const SLACK: usize = 256 << 10;

/// How many items of lists were read.
static ITEMS: AtomicUsize = AtomicUsize::new(0);

/// A number that counts how often one is read.
#[derive(Serialize, Clone, Copy, Default, Debug)]
#[serde(transparent)]
struct Item(u32);

impl<'d> Deserialize<'d> for Item {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        ITEMS.fetch_add(1, Ordering::Relaxed);
        u32::deserialize(deserializer).map(Self)
    }
}

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(name = "growth.Body")]
struct Body {
    hp: u32,
    max: u32,
    foe: Option<MessageeId>,
    path: Vec<Item>,
}

#[derive(Message, Data, Serialize, Deserialize, Default, Debug, Clone)]
#[serde(default)]
#[data(name = "growth.Ring")]
struct Ring {
    times: u32,
}

group!(CROWD = "growth.Crowd");

fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the text of a world with `parts` parts.
fn world(begin: &str, parts: usize, end: &str, part: impl Fn(usize) -> String) -> String {
    let mut text = format!("World(version: 1, {begin}");
    for number in 0..parts {
        text += &part(number);
    }
    text + end + ")"
}

fn long_body(items: usize) -> String {
    format!("Body(hp: 1, path: [{}])", "7, ".repeat(items))
}

type Case = (&'static str, fn(usize) -> String);

const CASES: &[Case] = &[
    ("messagees", |parts| {
        world("messagees: [", parts, "]", |it| format!("(name:\"{it}\"),"))
    }),
    ("components", |parts| {
        world(
            "messagees: [(name: \"a\", components: [",
            parts,
            "])]",
            |_| "Body,".to_owned(),
        )
    }),
    ("overrides", |parts| {
        let body = long_body(20 * parts);
        let begin = format!("templates: {{\"a\": (components: [{body}])}}, messagees: [");
        world(&begin, parts, "]", |it| {
            format!("(name: \"{it}\", from: [\"a\"], overrides: [Body(hp: {it})]),")
        })
    }),
    ("overrides of one component", |parts| {
        let body = long_body(20 * parts);
        let begin = format!("messagees: [(name: \"a\", components: [{body}], overrides: [");
        world(&begin, parts, "])]", |it| format!("Body(hp: {it}),"))
    }),
    ("chains of templates", |parts| {
        let body = long_body(20 * parts);
        world("templates: {", parts, "}", |it| match it % 90 {
            0 => format!(
                "\"{it}\": (components: [{body}]),",
                body = if it == 0 { &body } else { "Body" }
            ),
            _ => format!(
                "\"{it}\": (from: [\"{}\"], overrides: [Body(hp: {it})]),",
                it - 1
            ),
        })
    }),
    ("templates of many messagees", |parts| {
        let body = "Body(hp: 2), ".repeat(parts.min(300));
        let wires = "(on: Ring, to: Me, send: Ring), ".repeat(parts.min(300));
        let begin = format!(
            "templates: {{\"a\": (components: [{body}], wires: [{wires}], groups: [\"Crowd\"])}}, \
             messagees: ["
        );
        world(&begin, parts, "]", |it| {
            format!("(name: \"{it}\", from: [\"a\"]),")
        })
    }),
    ("overrides by a template with many overrides", |parts| {
        let over = "Body(hp: 2),".repeat(parts);
        let begin = format!(
            "templates: {{\"a\": (components: [Body], overrides: [{over}])}}, messagees: ["
        );
        world(&begin, parts, "]", |it| {
            format!("(name: \"{it}\", from: [\"a\"], overrides: [Body(max: 1)]),")
        })
    }),
    ("unknown fields of one component", |parts| {
        world(
            "messagees: [(name: \"a\", components: [Body(",
            parts,
            ")])]",
            |it| format!("x{it}: 1,"),
        )
    }),
    ("unknown fields that many override", |parts| {
        let unknown: Vec<String> = (0..parts).map(|it| format!("x{it}: 1,")).collect();
        let unknown = unknown.concat();
        let begin = format!("templates: {{\"a\": (components: [Body({unknown})])}}, messagees: [");
        world(&begin, parts, "]", |it| {
            format!("(name: \"{it}\", from: [\"a\"], overrides: [Body(hp: {it})]),")
        })
    }),
    ("wrong values", |parts| {
        world("messagees: [", parts, "]", |it| {
            format!(
                "(name: \"{it}\", components: [Body(hp: \"x\", max: -1, foe: Some(\"y{it}\"))]),"
            )
        })
    }),
    ("messagees without names", |parts| {
        world("messagees: [", parts, "]", |_| "(),".to_owned())
    }),
    ("two long names", |parts| {
        let name = "n".repeat(parts * 20);
        let text = format!("(name: \"{name}\"), (name: \"x\", parent: \"m{name}\")");
        world("messagees: [", 1, "]", |_| text.clone())
    }),
    ("wires", |parts| {
        world("messagees: [(name: \"a\", wires: [", parts, "])]", |_| {
            "(on: Ring, to: Me, send: Ring),".to_owned()
        })
    }),
];

// holds: world-files.linear
#[test]
fn the_memory_of_reading_is_in_proportion_to_the_text() {
    let _alone = alone();
    // One-time initialization is not counted.
    drop(WorldFile::parse(
        "World(version: 1, messagees: [(name: \"a\", components: [Bodi])])",
    ));
    let mut wrong = String::new();
    for (name, text) in CASES {
        for parts in [500, 2_000] {
            let text = text(parts);
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            drop(WorldFile::parse(&text));
            let peak = ALLOCATOR.peak_usage() - before;
            if peak > BYTES_FOR_EACH * text.len() + SLACK {
                let bytes = text.len();
                writeln!(wrong, "{name}: {bytes} bytes of text take {peak}")
                    .expect("it is a string");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

// holds: world-files.read-again
#[test]
fn a_value_that_many_override_is_read_again_a_bounded_number_of_times() {
    let _alone = alone();
    let read = |parts: usize| {
        let text = (CASES[2].1)(parts);
        ITEMS.store(0, Ordering::Relaxed);
        assert!(WorldFile::parse(&text).is_ok());
        let items = 20 * parts;
        (
            ITEMS.load(Ordering::Relaxed) / items,
            text.len() / (3 * items),
        )
    };
    for parts in [10, 100, 1_000] {
        let (times, part_of_text) = read(parts);
        assert!(
            times > 1 && times <= 17 * (part_of_text + 1),
            "{parts}: {times}"
        );
    }
    // Checks that were skipped while reading the file are made when it is instantiated.
    let mut text = (CASES[2].1)(1_000);
    text.truncate(text.len() - "])".len());
    text += "(name: \"late\", from: [\"a\"], overrides: [Body(hp: -1)])])";
    let file = WorldFile::parse(&text).expect("too much was read before");
    let mut manager = MessageManager::new();
    let error = file.instantiate(&mut manager).expect_err("it is wrong");
    assert!(error.to_string().contains("integer `-1`"), "{error}");
    assert_eq!((error.errors().len(), manager.len()), (1, 0));
}

// holds: world-files.expanded
#[test]
fn a_file_that_comes_to_too_much_is_refused_before_anything_is_made() {
    let _alone = alone();
    let text = world(
        "templates: {\"a\": (components: [Body(hp: 1), Body(hp: 2)])}, messagees: [",
        100,
        "]",
        |it| format!("(name: \"{it}\", from: [\"a\"]), "),
    );
    let error = WorldOptions::new()
        .max_expanded(2_399)
        .parse(&text)
        .expect_err("it comes to more");
    let expected = "take 2400 bytes with those of their templates: expected at most 2399 bytes";
    assert!(error.to_string().contains(expected), "{error}");
    assert!(WorldOptions::new().max_expanded(2_400).parse(&text).is_ok());
    // An unused template is not made.
    let unused = text.replace("from: [\"a\"]", "from: []");
    assert!(WorldOptions::new().max_expanded(0).parse(&unused).is_ok());
}
