//! Side by side: every workload by message-core, by the floor, and with the feature `peers` by the
//! peers.
//!
//! ```sh
//! cargo run --release -p message-benches --features peers --bin compare -- --only W1,W5
//! ```

use std::process::ExitCode;

use message_benches::{compare, contenders};

fn main() -> ExitCode {
    compare::main(std::env::args_os().skip(1), &contenders::all())
}
