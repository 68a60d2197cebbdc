//! The start-up work of a program with many message types and handlers, before it delivers its first message.
//!
//! Before `main`, the entries of all handlers are put into a list; the first manager builds the registry from them. A
//! whole process that starts, spawns one of each component, delivers one message and ends is timed as well,
//! because the time before `main` cannot be measured from within.

use std::time::Instant;

use crate::Failure;
use crate::figure::Figure;
use crate::generated::workshop::{Profile, Workshop};
use crate::generated::{Contexts, Program, Style};
use crate::options::Options;
use crate::turns;

const MANY: usize = 2_000;

/// A process starts quickly, so there is time for more runs than requested.
const RUNS_FOR_EACH_REP: usize = 7;

const CONTENDERS: [(&str, &str, Program); 3] = [
    (
        "message-core: 2 000 messages, 2 000 handlers",
        "many",
        program(Style::Macros, MANY),
    ),
    (
        "message-core: 10 messages, 10 handlers",
        "few",
        program(Style::Macros, 10),
    ),
    (
        "floor: 2 000 plain methods behind a trait",
        "plain",
        program(Style::Plain, MANY),
    ),
];

/// The columns that a program prints, in nanoseconds.
const COLUMNS: [&str; 3] = [
    "startup-manager",
    "startup-first-send",
    "startup-second-manager",
];

const fn program(style: Style, count: usize) -> Program {
    Program {
        style,
        messages: count,
        components: count / 10,
        handlers: count,
        contexts: Contexts::Half,
        sends: false,
        posted: 0,
        published: 0,
    }
}

pub(crate) fn measure(options: &Options) -> Result<Vec<Figure>, Failure> {
    let workshop = Workshop::open(options.keep)?;
    let mut binaries = Vec::new();
    for (_, name, program) in &CONTENDERS {
        let package = workshop.write(name, program)?;
        package.fetch()?;
        package.build(Profile::Release)?;
        binaries.push(package.binary());
    }
    let mut runs = vec![Vec::new(); binaries.len()];
    for _ in 0..RUNS_FOR_EACH_REP * options.reps {
        for (binary, runs) in binaries.iter().zip(&mut runs) {
            let start = Instant::now();
            let mut columns = turns::numbers(binary, &[])?;
            columns.push(start.elapsed().as_secs_f64() * 1e9);
            runs.push(columns);
        }
    }
    let medians: Vec<Vec<f64>> = runs.iter().map(|runs| turns::medians(runs)).collect();
    let mut figures = Vec::new();
    for (at, figure) in COLUMNS.iter().chain(&["startup-process"]).enumerate() {
        for ((contender, ..), columns) in CONTENDERS.iter().zip(&medians) {
            let microseconds = columns[at] / 1e3;
            figures.push(Figure::new(*figure, *contender, microseconds, "µs"));
        }
    }
    Ok(figures)
}
