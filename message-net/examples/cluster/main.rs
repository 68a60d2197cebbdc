//! A hub and two zones, as three processes on this machine, or in one.
//!
//! Walkers walk back and forth. A walker that reaches the border of a zone crosses to the other zone, with its
//! component and its pending posts. The hub shouts to a group across both zones, asks them how many walkers
//! they have, and sends each a beat in every frame. Then one zone is killed and restarted.
//!
//! ```sh
//! message-net/examples/certificates.sh certificates hub zone-1 zone-2
//! cargo run --release -p message-net --features tls --example cluster -- --certificates certificates
//! cargo run --release -p message-net --features zenoh --example cluster
//! cargo run --release -p message-net --example cluster -- --memory
//! ```
//!
//! With certificates, the connections are encrypted, and each process can be no other node than the one that its
//! certificate names. A hub that listens to other machines needs them.
//!
//! `hub` and `zone` contain the programs; `memory` runs them in one process, `processes` in three.

mod hub;
mod memory;
mod messages;
#[cfg(feature = "zenoh")]
mod processes;
mod zone;

use std::process::ExitCode;
use std::time::Duration;

/// The length of a frame.
const FRAME: Duration = Duration::from_millis(20);

/// The frame in which the second zone is killed.
const KILLED: u64 = 200;

/// The frame in which the second zone is started again.
const AGAIN: u64 = 300;

/// The frame in which the hub checks the results.
const END: u64 = 500;

const HELP: &str = "\
A hub and two zones: walkers that cross, a shout, questions, and a zone that is killed.

    cargo run --release -p message-net [--features zenoh] --example cluster [-- OPTIONS]

  --certificates DIRECTORY   encrypts the connections, with the files of `certificates.sh`; needs the feature `tls`
  --memory                   runs everything in one process, over a network in memory; the default without the
                             feature `zenoh`
  --help                     prints this text
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
        [] => processes::run(None),
        #[cfg(feature = "tls")]
        ["--certificates", directory] => processes::run(Some(directory)),
        #[cfg(not(feature = "zenoh"))]
        [] => memory::run(),
        #[cfg(feature = "zenoh")]
        ["--zone", name, router] => processes::run_zone(name, router, None),
        #[cfg(feature = "tls")]
        ["--zone", name, router, directory] => processes::run_zone(name, router, Some(directory)),
        _ => {
            eprintln!("cluster: unknown arguments {args:?}: expected those of `--help`");
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
