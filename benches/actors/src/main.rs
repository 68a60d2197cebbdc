//! One end of a run of `net_compare` with remote actors of ractor: two processes over loopback TCP, without
//! discovery.
//!
//! ```sh
//! cargo build --release --manifest-path benches/actors/Cargo.toml
//! cargo run --release -p message-benches --features zenoh --bin net_compare -- \
//!     5 benches/actors/target/release/message-benches-actors
//! ```
//!
//! `net_compare` starts this program like its own ends, with the role and the numbers of the work. Every message
//! is a cast to a remote actor. A mailbox of ractor is unbounded, so the sender awaits one call per frame of
//! messages, at most [`UNDER_WAY`] frames later.
//!
//! The remote actors of kameo are not included. The setup that kameo 0.22.2 provides (`remote::bootstrap`) finds
//! other processes by mDNS, which needs a network with multicast. Two processes that know each other's port
//! would need a hand-assembled libp2p swarm, whose lock file has 346 packages. Kameo's connections are always
//! encrypted, so its numbers would not be comparable to these.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use ractor::{Actor, ActorProcessingErr, ActorRef, RpcReplyPort, concurrency, pg};
use ractor_cluster::{NodeServer, RactorClusterMessage, client_connect};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The group in which the receiver is found.
const GROUP: &str = "receiver";
/// The maximum number of frames of messages in flight.
const UNDER_WAY: usize = 32;
const TICK: Duration = Duration::from_millis(5);
/// The number of initial ticks that do not count.
const WARM_UP: u32 = 40;
/// The time after which a run counts as failed.
const TOO_LONG: Duration = Duration::from_secs(90);

#[derive(RactorClusterMessage)]
enum ToReceiver {
    Parcel(Vec<u8>),
    /// A request that is answered with the number it carries.
    #[rpc]
    Answer(u32, Vec<u8>, RpcReplyPort<u32>),
}

struct Receiver {
    all: usize,
}

#[derive(Default)]
struct Received {
    messages: usize,
    first: Option<Instant>,
}

impl Actor for Receiver {
    type Msg = ToReceiver;
    type State = Received;
    type Arguments = ();

    async fn pre_start(
        &self,
        myself: ActorRef<ToReceiver>,
        (): (),
    ) -> Result<Received, ActorProcessingErr> {
        pg::join(GROUP.to_owned(), vec![myself.get_cell()]);
        Ok(Received::default())
    }

    async fn handle(
        &self,
        _: ActorRef<ToReceiver>,
        message: ToReceiver,
        state: &mut Received,
    ) -> Result<(), ActorProcessingErr> {
        let content = match message {
            ToReceiver::Parcel(content) => {
                state.messages += 1;
                content
            }
            ToReceiver::Answer(number, content, reply) => {
                reply.send(number)?;
                content
            }
        };
        std::hint::black_box(&content);
        let first = *state.first.get_or_insert_with(Instant::now);
        if state.messages == self.all {
            let seconds = first.elapsed().as_secs_f64();
            #[expect(clippy::cast_precision_loss, reason = "small counts")]
            let rate = self.all as f64 / seconds;
            println!("{rate} 0");
            state.messages = 0;
        }
        Ok(())
    }
}

/// The work to do: the numbers that `net_compare` passes.
#[derive(Clone, Copy)]
struct Work {
    is_latency: bool,
    port: u16,
    len: usize,
    messages: usize,
    frames: usize,
}

impl Work {
    fn from_args(args: &[String]) -> Result<Self, Failure> {
        let numbers = args.iter().map(|arg| arg.parse());
        let numbers: Vec<usize> = numbers.collect::<Result<_, _>>()?;
        let [_, measure, port, len, messages, frames, _] = numbers[..] else {
            return Err("expected seven numbers".into());
        };
        Ok(Self {
            is_latency: measure == 1,
            port: u16::try_from(port)?,
            len,
            messages,
            frames,
        })
    }
}

async fn node(
    name: &str,
    port: u16,
) -> Result<ActorRef<ractor_cluster::NodeServerMessage>, Failure> {
    let server = NodeServer::new(
        port,
        "a cookie".to_owned(),
        name.to_owned(),
        "localhost".to_owned(),
        None,
        None,
    );
    let server = server.with_listen_addr([127, 0, 0, 1].into());
    let (server, _) = Actor::spawn(None, server, ()).await?;
    Ok(server)
}

async fn receive(work: Work) -> Result<(), Failure> {
    let _server = node("receiver", work.port).await?;
    let all = if work.is_latency {
        usize::MAX
    } else {
        work.messages * work.frames
    };
    let (_receiver, _) = Actor::spawn(None, Receiver { all }, ()).await?;
    println!("ready");
    concurrency::sleep(TOO_LONG).await;
    Ok(())
}

async fn send(work: Work) -> Result<(), Failure> {
    let server = node("sender", 0).await?;
    client_connect(&server, ("127.0.0.1", work.port)).await?;
    let receiver: ActorRef<ToReceiver> = loop {
        if let Some(found) = pg::get_members(&GROUP.to_owned()).pop() {
            break found.into();
        }
        concurrency::sleep(TICK).await;
    };
    let content = vec![7_u8; work.len];
    if work.is_latency {
        return latency(work, receiver, &content).await;
    }
    let mut under_way = VecDeque::new();
    for _ in 0..work.frames {
        for _ in 0..work.messages {
            receiver.cast(ToReceiver::Parcel(content.clone()))?;
        }
        let receiver = receiver.clone();
        under_way.push_back(tokio::spawn(async move {
            let answer = |reply| ToReceiver::Answer(0, Vec::new(), reply);
            receiver.call(answer, Some(TOO_LONG)).await
        }));
        if under_way.len() >= UNDER_WAY
            && let Some(oldest) = under_way.pop_front()
        {
            oldest.await?.map_err(|error| error.to_string())?;
        }
    }
    concurrency::sleep(TOO_LONG).await;
    Ok(())
}

/// Sends a frame of messages in each tick, has the first one answered, and prints how many ticks that took.
async fn latency(
    work: Work,
    receiver: ActorRef<ToReceiver>,
    content: &[u8],
) -> Result<(), Failure> {
    let ticks = u32::try_from(work.frames)?;
    let clock = Arc::new(AtomicU32::new(0));
    let mut answers = Vec::new();
    let mut next = tokio::time::interval(TICK);
    for now in 1..=ticks + 40 {
        clock.store(now, Relaxed);
        if now <= ticks {
            let (to, clock, content) = (receiver.clone(), Arc::clone(&clock), content.to_vec());
            answers.push(tokio::spawn(async move {
                let ask = |reply| ToReceiver::Answer(now, content, reply);
                let answer = to.call(ask, Some(TOO_LONG)).await;
                answer.is_ok_and(|it| it.is_success()).then(|| {
                    // A world sees incoming messages in its next tick.
                    (now, clock.load(Relaxed) + 1)
                })
            }));
            for _ in 1..work.messages {
                receiver.cast(ToReceiver::Parcel(vec![7; work.len]))?;
            }
        }
        next.tick().await;
    }
    let mut took = Vec::new();
    for answer in answers {
        if answer.is_finished()
            && let Some((sent, came)) = answer.await?
            && sent > WARM_UP
        {
            took.push(came - sent);
        }
    }
    took.sort_unstable();
    let missing = work.frames - WARM_UP as usize - took.len();
    let at = |part: usize| {
        let place = (took.len() * part / 100).min(took.len().saturating_sub(1));
        took.get(place).map_or(f64::NAN, |&ticks| f64::from(ticks))
    };
    println!("{} {} {missing}", at(50), at(99));
    concurrency::sleep(TOO_LONG).await;
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((role, numbers)) = args.split_first() else {
        return Err("expected a role and seven numbers: `net_compare` gives them".into());
    };
    let work = Work::from_args(numbers)?;
    if role == "receive" {
        receive(work).await
    } else {
        send(work).await
    }
}
