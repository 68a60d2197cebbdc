//! Every workload by every contender, in turns, each in a process of its own.
//!
//! The program is its own child: the parent starts it once for each contender and round, so that
//! heaps do not mix, and reads a line from it. What disturbs the machine for a while disturbs a
//! round, and a round holds all contenders; so the ratio that is told is the median over the ratios
//! of the rounds.
//!
//! A row that departs from another has a goal beside that one. For this the other row is done by
//! message-core in each round too, so that the figure is a ratio within rounds as well, and no row
//! has to be asked for with the row that it departs from.
//!
//! With `--against` each line of message-core is also done by another build of the program, right after
//! this one has done it.

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

/// The whole program, given its arguments and those that can be compared.
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
