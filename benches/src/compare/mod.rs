//! Every workload by every contender, in turns, each in a process of its own.
//!
//! The program is its own child: the parent starts it once for each contender and round, so that
//! heaps do not mix, and reads a line from it. What disturbs the machine for a while disturbs a
//! round, and a round holds all contenders; so the ratio that is told is the median over the ratios
//! of the rounds.

mod arguments;
mod child;
mod contender;
mod failure;
mod figures;
mod parent;
mod peak;
mod table;
mod tsv;
mod workload;

pub use contender::{Contender, Prepare, Trial};
pub use workload::{HOPS, Size, Workload};

use std::process::ExitCode;

use arguments::{Arguments, Command};

/// The whole program, given its arguments and those that can be compared.
#[must_use]
pub fn main(arguments: impl IntoIterator<Item = String>, contenders: &[Contender]) -> ExitCode {
    let done = Arguments::parse(arguments).and_then(|command| match command {
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
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("compare: {failure}");
            failure.code()
        }
    }
}

fn list(contenders: &[Contender]) {
    for workload in Workload::ALL {
        println!("{workload:<10} {}", workload.title());
        for contender in contenders.iter().filter(|it| it.workload == workload) {
            println!("           {}", contender.name);
        }
    }
}
