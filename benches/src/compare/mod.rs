//! Runs every workload for every contender, in turns, each in a process of its own.
//!
//! The program is its own child: the parent starts it once per contender and round, so that heaps do
//! not mix, and reads a line from it. A temporary disturbance of the machine affects a whole round,
//! and a round includes all contenders; therefore the reported ratio is the median of the ratios of
//! the rounds.
//!
//! A row that departs from another one has a goal relative to it. Therefore message-core also runs that
//! other row in each round. This makes the figure a ratio within rounds as well, and a row can be selected
//! without the row that it departs from.
//!
//! With `--against`, another build of the program also runs each line of message-core, right after this
//! build.

mod arguments;
mod child;
mod contender;
mod failure;
mod figures;
mod parent;
mod peak;
mod picture;
mod rows;
mod size;
mod table;
mod tsv;
mod workload;

pub use contender::{Contender, Prepare, Trial};
pub use size::{HOPS, Size};
pub use workload::{Departure, Workload};

use std::ffi::OsString;
use std::process::ExitCode;

use arguments::{Arguments, Command};
use failure::Failure;

/// Runs the whole program, given its arguments and the contenders.
#[must_use]
pub fn main(arguments: impl IntoIterator<Item = OsString>, contenders: &[Contender]) -> ExitCode {
    let arguments = arguments
        .into_iter()
        .map(text)
        .collect::<Result<Vec<_>, _>>();
    let command = arguments.and_then(Arguments::parse);
    let done = command.and_then(|command| match command {
        Command::Help => {
            println!("{}", arguments::HELP);
            Ok(())
        }
        Command::List => {
            list(contenders);
            Ok(())
        }
        Command::Child { workload, name } => child::run(workload, &name, contenders),
        Command::Compare(arguments) => parent::run(&arguments, contenders),
        Command::Draw {
            from,
            svg,
            workloads,
        } => picture::draw_file(&from, &svg, &workloads),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("compare: {failure}");
            failure.code()
        }
    }
}

fn text(argument: OsString) -> Result<String, Failure> {
    let text = argument.into_string();
    text.map_err(|argument| {
        Failure::Asked(format!(
            "argument `{}`: expected Unicode",
            argument.display()
        ))
    })
}

fn list(contenders: &[Contender]) {
    for workload in Workload::ALL {
        println!("{workload:<12} {}", workload.title());
        for contender in contenders.iter().filter(|it| it.workload == workload) {
            println!("             {}", contender.name);
        }
    }
}
