//! A hub and two zones, as three processes on this machine, or in one.
//!
//! Walkers go to and fro. Who comes to the border of a zone crosses to the other one: with its component and
//! with what is pending for it. The hub shouts to a group over both zones, asks them how many walkers they
//! have, and sends each a beat in every frame. Then one zone is killed and started again.
//!
//! ```sh
//! cargo run --release -p message-net --features zenoh --example cluster
//! cargo run --release -p message-net --example cluster -- --memory
//! ```
//!
//! `hub` and `zone` are what each of the programs does; `memory` runs them in one process, `processes` in
//! three.

mod hub;
mod memory;
mod messages;
#[cfg(feature = "zenoh")]
mod processes;
mod zone;

use std::process::ExitCode;
use std::time::Duration;

/// How long a frame is.
const FRAME: Duration = Duration::from_millis(20);

/// After so many frames the second zone is killed.
const KILLED: u64 = 200;

/// After so many frames it is started again.
const AGAIN: u64 = 300;

/// After so many frames the hub looks back.
const END: u64 = 500;

const HELP: &str = "\
A hub and two zones: walkers that cross, a shout, questions, and a zone that is killed.

    cargo run --release -p message-net [--features zenoh] --example cluster [-- OPTIONS]

  --memory   all in one process, over a network in memory; so it is without the feature `zenoh`
  --help     this text
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["--help"] => {
            print!("{HELP}");
            Ok(true)
        }
        ["--memory"] => memory::run(),
        #[cfg(feature = "zenoh")]
        [] => processes::run(),
        #[cfg(not(feature = "zenoh"))]
        [] => memory::run(),
        #[cfg(feature = "zenoh")]
        ["--zone", name, router] => processes::run_zone(name, router),
        _ => {
            eprintln!("cluster: unknown arguments {args:?}; expected `--memory` or `--help`");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cluster: {error}");
            ExitCode::FAILURE
        }
    }
}
