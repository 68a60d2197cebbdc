//! Runs one function of message-core a fixed number of times, so that `.ci/instructions` can count its instructions.
//!
//! `instructions` lists the functions, with the operations of a round; `instructions NAME` runs two rounds, of which
//! the second one is counted.

/// Declares component types with one field, each of which adds up the numbers of a message type.
macro_rules! sums {
    ($($name:ident of $message:ident),*) => {
        $(
            struct $name(u64);

            #[handlers]
            impl $name {
                #[on_receive]
                fn add(&mut self, message: &$message) {
                    self.0 = self.0.wrapping_add(message.0);
                }
            }
        )*
    };
}

mod addressing;
mod listening;
mod living;
mod posting;
mod sending;

use std::hint::black_box;
use std::process::ExitCode;

/// The number of operations in a round.
const OPERATIONS: usize = 1_000;

/// The number of objects over which the operations of a round are spread.
const OBJECTS: usize = 100;

/// Work that is repeated, with everything that it needs.
type Round = Box<dyn FnMut()>;

/// A function whose instructions are counted.
struct Function {
    name: &'static str,
    /// Prepares everything that is not counted, and returns the [`OPERATIONS`] that are.
    prepare: fn() -> Round,
}

impl Function {
    const fn new(name: &'static str, prepare: fn() -> Round) -> Self {
        Self { name, prepare }
    }
}

const FUNCTIONS: [&[Function]; 5] = [
    &sending::FUNCTIONS,
    &addressing::FUNCTIONS,
    &posting::FUNCTIONS,
    &listening::FUNCTIONS,
    &living::FUNCTIONS,
];

fn main() -> ExitCode {
    let mut functions = FUNCTIONS.into_iter().flatten();
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
