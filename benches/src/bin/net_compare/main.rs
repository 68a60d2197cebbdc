//! The cost of a message to another process over loopback TCP, compared with raw zenoh with the same frames.
//!
//! ```sh
//! cargo run --release -p message-benches --features zenoh --bin net_compare
//! ```
//!
//! Two processes take part: the receiver hosts a zenoh router, and the sender is its client. In each round every
//! contender runs once, in processes of its own. The report shows medians over the rounds; the ratio to raw
//! zenoh is computed within each round.
//!
//! There are two measurements. For **throughput**, the sender ticks without a pause and the receiver
//! counts. For **latency**, both tick every 5 ms, a frame of messages leaves in each tick, and the
//! first message of each is answered. The contender `zenoh, same frames` publishes frames of the same length and
//! number of messages as the node's, and decodes nothing. It may block until zenoh has room.
//!
//! If the path of the program that `benches/actors` builds follows the number of rounds, remote actors of
//! ractor take part, with one cast per message.

mod latency;
mod node;
mod raw;
mod report;
mod work;

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use report::Report;
use work::{Contender, Measure, Work};

type Failure = Box<dyn std::error::Error>;

const ROUNDS: usize = 5;
/// The time after which a run counts as failed.
const TOO_LONG: Duration = Duration::from_secs(90);

/// A process of this program that is one end of a run.
struct End {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl End {
    fn start(role: &str, work: &Work, actors: Option<&Path>) -> Result<Self, Failure> {
        let program = match (work.contender, actors) {
            (Contender::Actors, Some(actors)) => actors.to_owned(),
            _ => std::env::current_exe()?,
        };
        let mut child = Command::new(program)
            .arg(role)
            .args(work.to_args())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let output = child.stdout.take().ok_or("no output of a child")?;
        Ok(Self {
            child,
            output: BufReader::new(output),
        })
    }

    fn line(&mut self) -> Result<String, Failure> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        if line.is_empty() {
            return Err("a child has ended without a result".into());
        }
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for End {
    fn drop(&mut self) {
        // The process has ended already or is no longer needed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> Result<u16, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

/// Runs one contender once. Returns the output of the measuring end.
fn run(work: &Work, actors: Option<&Path>) -> Result<Vec<f64>, Failure> {
    let work = Work {
        port: free_port()?,
        ..*work
    };
    let mut receiver = End::start("receive", &work, actors)?;
    if receiver.line()? != "ready" {
        return Err("the receiver is not ready".into());
    }
    let mut sender = End::start("send", &work, actors)?;
    let result = match work.measure {
        Measure::Throughput => receiver.line()?,
        Measure::Latency => sender.line()?,
    };
    let numbers = result.split_whitespace().map(str::parse);
    Ok(numbers.collect::<Result<_, _>>()?)
}

/// Ends the process if it takes too long, so that a parent waiting for a line notices.
fn guard() {
    thread::spawn(|| {
        thread::sleep(TOO_LONG);
        eprintln!("net_compare: a run takes too long");
        std::process::exit(1);
    });
}

fn child(role: &str, work: &Work) -> Result<(), Failure> {
    guard();
    let begin = Instant::now();
    let result = match (role, work.contender) {
        ("receive", Contender::Node) => node::receive(work)?,
        ("send", Contender::Node) => node::send(work)?,
        ("receive", _) => raw::receive(work)?,
        (_, _) => raw::send(work)?,
    };
    let texts: Vec<String> = result.iter().map(f64::to_string).collect();
    println!("{}", texts.join(" "));
    std::io::stdout().flush()?;
    // The other end may still need the router.
    while begin.elapsed() < TOO_LONG {
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

fn measure(rounds: usize, actors: Option<&Path>) -> Result<(), Failure> {
    for (len, messages) in [(64, 1_000), (1_024, 100)] {
        let mut report = Report::new(len, messages);
        let frame = work::frame_len(len, messages)?;
        for round in 0..rounds {
            for contender in Contender::all(round, actors.is_some()) {
                for measure in [Measure::Throughput, Measure::Latency] {
                    let work = Work::new(contender, measure, len, messages, frame);
                    report.add(&work, &run(&work, actors)?);
                }
            }
        }
        report.tell();
    }
    Ok(())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.first().map(String::as_str) {
        Some(role @ ("send" | "receive")) => {
            Work::from_args(&args[1..]).and_then(|work| child(role, &work))
        }
        Some(rounds) => rounds.parse().map_err(Failure::from).and_then(|rounds| {
            let actors = args.get(1).map(Path::new);
            measure(rounds, actors)
        }),
        None => measure(ROUNDS, None),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("net_compare: {error}");
            ExitCode::FAILURE
        }
    }
}
