//! Functions that run a fixed number of times, so that `.ci/instructions` can count their instructions.
//!
//! A program with such functions lists them, with the operations of a round; with the name of one, it runs two rounds,
//! of which the second one is counted.

use std::hint::black_box;
use std::process::ExitCode;

/// The number of operations in a round.
pub(crate) const OPERATIONS: usize = 1_000;

/// The number of objects over which the operations of a round are spread.
pub(crate) const OBJECTS: usize = 100;

/// Work that is repeated, with everything that it needs.
pub(crate) type Round = Box<dyn FnMut()>;

/// A function whose instructions are counted.
pub(crate) struct Function {
    name: &'static str,
    /// Prepares everything that is not counted, and returns the [`OPERATIONS`] that are.
    prepare: fn() -> Round,
}

impl Function {
    /// Returns a function with the name under which its count is recorded.
    pub(crate) const fn new(name: &'static str, prepare: fn() -> Round) -> Self {
        Self { name, prepare }
    }
}

/// Lists the functions, or runs the one that the first argument names.
pub(crate) fn run(functions: &[&[Function]]) -> ExitCode {
    let mut functions = functions.iter().copied().flatten();
    let Some(asked) = std::env::args().nth(1) else {
        for function in functions {
            println!("{} {OPERATIONS}", function.name);
        }
        return ExitCode::SUCCESS;
    };
    let Some(function) = functions.find(|function| function.name == asked) else {
        eprintln!("there is no function `{asked}`: without an argument, all are listed");
        return ExitCode::from(2);
    };
    let mut round = (function.prepare)();
    // The first round lets tables grow and caches what is looked up once.
    round();
    counted_round(&mut *round);
    ExitCode::SUCCESS
}

/// Runs a round. Callgrind counts only in this function: `.ci/instructions` knows its name.
#[inline(never)]
fn counted_round(round: &mut dyn FnMut()) {
    round();
    // Prevents a tail call, which would end the function.
    black_box(());
}
