//! The costs of message-core apart from the time of a send: memory, spawning, size, start-up, and build time
//! for users. All are measured on the current machine and compared with plain Rust.
//!
//! ```sh
//! cargo run --release -p message-benches --bin figures
//! ```
//!
//! Each part has a module of its own. Run times are measured in child processes, so that no contender
//! reuses another's heap. Builds use a generated program with a target folder of its own, which is
//! removed at the end.

mod building;
mod code;
mod cpu;
mod crates;
mod figure;
mod floor;
mod generated;
mod growth;
mod listeners;
mod memory;
mod options;
mod picture;
mod spawning;
mod startup;
mod turns;

use std::error::Error;
use std::process::ExitCode;

use figure::{Figure, Sheet};
use options::{Options, Task};

/// Any error ends the measurement.
type Failure = Box<dyn Error>;

/// One part of the figures: its name, a description, and how it is measured.
struct Part {
    name: &'static str,
    about: &'static str,
    measure: fn(&Options) -> Result<Vec<Figure>, Failure>,
}

const PARTS: [Part; 7] = [
    Part {
        name: "memory",
        about: "heap that a messagee with four empty components takes",
        measure: memory::measure,
    },
    Part {
        name: "spawning",
        about: "spawn and despawn of 100 000 messagees with four components",
        measure: spawning::measure,
    },
    Part {
        name: "growth",
        about: "a delivery, with more and more messagees",
        measure: growth::measure,
    },
    Part {
        name: "listeners",
        about: "subscriptions made and ended, each; and a send past filters for others",
        measure: listeners::measure,
    },
    Part {
        name: "startup",
        about: "start of a program with 2 000 message types and 2 000 handlers",
        measure: startup::measure,
    },
    Part {
        name: "building",
        about: "clean builds: the library, and a crate of 500 message types and 1 000 handlers",
        measure: building::measure,
    },
    Part {
        name: "code",
        about: "the same crate, its code and its program; bytes for each handler and message type",
        measure: code::measure,
    },
];

fn main() -> ExitCode {
    let parts = PARTS.map(|part| part.name);
    let done = match Task::read(std::env::args().skip(1), &parts) {
        Ok(Task::Child { work, size }) => turns::run_child(&work, size),
        Ok(Task::Measure(options)) => measure(&options),
        Ok(Task::Draw { from, svg }) => picture::draw_file(&from, &svg),
        Ok(Task::Help) => {
            println!("{}", options::USAGE);
            for part in PARTS {
                println!("  {:<9} {}", part.name, part.about);
            }
            return ExitCode::SUCCESS;
        }
        Err(mistake) => {
            eprintln!("{mistake}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn measure(options: &Options) -> Result<(), Failure> {
    if options.svg.is_some() {
        picture::ready()?;
    }
    let mut sheet = Sheet::default();
    for part in PARTS {
        if options.wants(part.name) {
            println!("{}: {}", part.name, part.about);
            let figures = (part.measure)(options)?;
            print!("{}", figure::table(&figures));
            println!();
            sheet.add(figures);
        }
    }
    if let Some(file) = &options.tsv {
        std::fs::write(file, sheet.tsv())?;
    }
    if let Some(file) = &options.svg {
        std::fs::write(file, picture::svg(&sheet)?)?;
    }
    Ok(())
}
