//! Compares message-core, the floor and, with the feature `peers`, the peers on every workload, side by
//! side.
//!
//! ```sh
//! cargo run --release -p message-benches --features peers --bin compare -- --only W1,W5
//! ```

use std::process::ExitCode;

use message_benches::{compare, contenders};

fn main() -> ExitCode {
    compare::main(std::env::args_os().skip(1), &contenders::all())
}
