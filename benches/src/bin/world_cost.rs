//! The cost of reading a world file, from 10 KB to 10 MB: nanoseconds and heap bytes per byte of text. A constant
//! column shows that the cost is linear in the length of the text.
//!
//! ```sh
//! cargo run --release -p message-benches --features data --bin world_cost
//! ```
//!
//! The allocator counts heap bytes, which makes the times slightly longer. `world_cost --once CASE SIZE`
//! reads one text once, to count its instructions; `--once none CASE SIZE` only makes the text.

use std::fmt::Write;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use message_core::prelude::*;
use message_data::{Data, WorldFile};
use peak_alloc::PeakAlloc;
use serde::{Deserialize, Serialize};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

const SIZES: [usize; 4] = [10_000, 100_000, 1_000_000, 10_000_000];

/// The total time in nanoseconds for which a text is read repeatedly; the fastest reading counts.
const ENOUGH: u128 = 300_000_000;

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "world_cost.Body")]
struct Body {
    hp: u32,
    max: u32,
    foe: Option<MessageeId>,
    note: String,
    path: Vec<u32>,
}

/// A kind of file, with a function that makes a text of about a given number of bytes.
struct Case {
    name: &'static str,
    about: &'static str,
    text: fn(usize) -> String,
}

const CASES: [Case; 9] = [
    Case {
        name: "plain",
        about: "messagees with a component of three fields",
        text: plain,
    },
    Case {
        name: "overrides",
        about: "a template that is half of the text, and messagees that override one field",
        text: overrides,
    },
    Case {
        name: "chains",
        about: "templates made from each other, 50 deep, each overrides one field",
        text: chains,
    },
    Case {
        name: "shared",
        about: "half of the text are components of a template, the rest messagees made from it",
        text: shared,
    },
    Case {
        name: "mistakes",
        about: "every messagee has an unknown field, an unknown type and a wrong value",
        text: mistakes,
    },
    Case {
        name: "renamed",
        about: "one parent was renamed above all the others",
        text: renamed,
    },
    Case {
        name: "strangers",
        about: "every component names somebody else who is not there",
        text: strangers,
    },
    Case {
        name: "one-line",
        about: "a wrong value in every messagee, all in one line",
        text: one_line,
    },
    Case {
        name: "long-names",
        about: "two names that are half of the text each, one of them misspelled",
        text: long_names,
    },
];

/// Returns a world with messagees, up to a given size.
fn world(begin: &str, size: usize, end: &str, each: impl Fn(usize) -> String) -> String {
    let mut text = format!("World(version: 1, {begin}");
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text += &each(number);
    }
    text + end + ")"
}

fn plain(size: usize) -> String {
    world("messagees: [\n", size, "]", |number| {
        format!(
            "(name: \"guard {number}\", components: [Body(hp: {number}, max: 8, note: \"on duty\")]),\n"
        )
    })
}

/// Returns a component of the given size.
fn long_body(size: usize) -> String {
    format!("Body(hp: 1, path: [{}])", "7, ".repeat(size / 3))
}

fn overrides(size: usize) -> String {
    let begin = format!(
        "templates: {{\"guard\": (components: [{}])}}, messagees: [\n",
        long_body(size / 2)
    );
    world(&begin, size, "]", |number| {
        format!("(name: \"guard {number}\", from: [\"guard\"], overrides: [Body(hp: {number})]),\n")
    })
}

fn chains(size: usize) -> String {
    let body = long_body(size / 4);
    world("templates: {\n", size, "}", |number| match number {
        0 => format!("\"t0\": (components: [{body}]),\n"),
        _ if number % 50 == 0 => format!("\"t{number}\": (components: [Body(max: 3)]),\n"),
        _ => format!(
            "\"t{number}\": (from: [\"t{}\"], overrides: [Body(hp: {number})]),\n",
            number - 1
        ),
    })
}

fn shared(size: usize) -> String {
    let begin = format!(
        "templates: {{\"crowd\": (components: [{}])}}, messagees: [\n",
        "Body(hp: 3), ".repeat(size / 26)
    );
    // The result would exceed the instancing limit, so fewer are made from it.
    let most = 200_000_000 / (size / 2);
    world(&begin, size, "]", |number| {
        if number < most {
            format!("(name: \"guard {number}\", from: [\"crowd\"]),\n")
        } else {
            format!("(name: \"guard {number}\"),\n")
        }
    })
}

fn mistakes(size: usize) -> String {
    world("messagees: [\n", size, "]", |number| {
        format!(
            "(name: \"guard {number}\", components: [Body(hp: \"many\", mx: {number}), Bodi{number}]),\n"
        )
    })
}

fn renamed(size: usize) -> String {
    world(
        "messagees: [(name: \"barracks of the guard\"),\n",
        size,
        "]",
        |number| format!("(name: \"guard {number}\", parent: \"baracks of the guard\"),\n"),
    )
}

fn strangers(size: usize) -> String {
    world("messagees: [\n", size, "]", |number| {
        format!("(name: \"guard {number}\", components: [Body(foe: Some(\"gaurd {number}\"))]),\n")
    })
}

fn one_line(size: usize) -> String {
    world("messagees: [", size, "]", |number| {
        format!("(name: \"guard {number}\", components: [Body(hp: -1)]), ")
    })
}

fn long_names(size: usize) -> String {
    let mut text = String::from("World(version: 1, messagees: [");
    let name = "n".repeat(size / 2);
    write!(
        text,
        "(name: \"{name}\"), (name: \"x\", parent: \"m{name}\")])"
    )
    .expect("writing to a string does not fail");
    text
}

/// Returns the nanoseconds and heap bytes per byte of a text.
#[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
fn cost(text: &str) -> [f64; 2] {
    let bytes = text.len() as f64;
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    drop(black_box(WorldFile::parse(text)));
    let heap = (HEAP.peak_usage() - before) as f64;
    let (mut least, mut all) = (u128::MAX, 0);
    while all < ENOUGH {
        let begun = Instant::now();
        drop(black_box(WorldFile::parse(text)));
        let took = begun.elapsed().as_nanos();
        least = least.min(took);
        all += took;
    }
    [least as f64 / bytes, heap / bytes]
}

fn case(name: &str) -> Option<&'static Case> {
    static ALL: &[Case] = &CASES;
    ALL.iter().find(|case| case.name == name)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let once = |name: &str, size: &str, reads: bool| {
        let Some((case, size)) = case(name).zip(size.parse().ok()) else {
            eprintln!("expected the name of a case and a size");
            return ExitCode::from(2);
        };
        let text = black_box((case.text)(size));
        if reads {
            drop(black_box(WorldFile::parse(&text)));
        }
        ExitCode::SUCCESS
    };
    match *arguments {
        [] => {}
        ["--once", "none", name, size] => return once(name, size, false),
        ["--once", name, size] => return once(name, size, true),
        _ => {
            eprintln!("expected world_cost [--once [none] CASE SIZE]");
            return ExitCode::from(2);
        }
    }
    let columns = SIZES.map(|size| match size {
        1_000_000.. => format!("{} MB", size / 1_000_000),
        _ => format!("{} KB", size / 1_000),
    });
    println!("nanoseconds a byte | bytes of heap a byte");
    let columns = columns.map(|column| format!("{column:>7}")).concat();
    println!("{:<12}{columns}  ratio |{columns}", "");
    for case in &CASES {
        let costs = SIZES.map(|size| cost(&(case.text)(size)));
        let [times, heaps] = [0, 1].map(|at| costs.map(|cost| cost[at]));
        let row = |numbers: [f64; 4]| numbers.map(|number| format!("{number:>7.1}")).concat();
        let ratio = times[3] / times[0];
        println!(
            "{:<12}{}  {ratio:>5.1} |{}",
            case.name,
            row(times),
            row(heaps)
        );
    }
    println!();
    for case in &CASES {
        println!("{:<12}{}", case.name, case.about);
    }
    ExitCode::SUCCESS
}
