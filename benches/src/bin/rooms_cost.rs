//! The cost of a message between rooms, compared with a send inside one, and the speedup of several threads.
//!
//! ```sh
//! cargo run --release -p message-benches --features rooms --bin rooms_cost
//! valgrind --tool=callgrind target/release/rooms_cost between 1000 100   # instructions of 1 000 frames with 100 messages
//! ```
//!
//! In the first table, a handler sends a message to each of some messagees, once to messagees of its own room and once
//! to those of another one. The time between rooms includes the frame that delivers the messages. In the second table,
//! eight rooms do the same work in a frame on one thread and on several, and a hundredth of their messages leaves the
//! room. The times are those of the fastest of interleaved rounds.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the numbers are small, and only printed"
)]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use message_core::prelude::*;
use message_rooms::{RoomId, Rooms};

/// The time for which each row is measured.
const BUDGET: Duration = Duration::from_secs(3);
const FRAME: Duration = Duration::from_millis(10);

#[derive(Message, Clone)]
struct Ping {
    amount: u32,
}

message_rooms::carried!(Ping);

/// Sends a ping to each of the targets.
#[derive(Message)]
struct Go;

/// Does some work.
#[derive(Message)]
struct Work {
    turns: u32,
}

#[derive(Default)]
struct Target {
    sum: u32,
}

#[handlers]
impl Target {
    #[on_receive]
    fn ping(&mut self, ping: &Ping) {
        self.sum = self.sum.wrapping_add(ping.amount);
    }
}

#[derive(Default)]
struct Sender {
    targets: Vec<MessageeId>,
    thought: u32,
}

#[handlers]
impl Sender {
    #[on_receive]
    fn go(&mut self, _: &Go, cx: &mut Context<'_>) -> Result<(), SendError> {
        for (amount, &target) in (0..).zip(&self.targets) {
            cx.send(target, Ping { amount })?;
        }
        Ok(())
    }

    #[on_receive]
    fn work(&mut self, work: &Work) {
        for _ in 0..work.turns {
            self.thought = black_box(self.thought.rotate_left(7).wrapping_mul(0x9E37_79B9));
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [way, rounds, len] = &arguments[..] {
        let (rounds, len) = (rounds.parse()?, len.parse()?);
        let room = usize::from(way == "between");
        return run(&mut pair(len, room)?, rounds);
    }
    println!(
        "{:>9} | {:>12} | {:>13} | {:>5}",
        "messages", "inside, ns", "between, ns", "ratio"
    );
    for len in [100, 1_000, 10_000] {
        messages(len)?;
    }
    println!(
        "\n{:>14} | {:>15} | {:>7}",
        "one thread, ms", "two threads, ms", "speedup"
    );
    for turns in [30, 100, 300, 1_000, 3_000] {
        speedup(turns)?;
    }
    Ok(())
}

/// Two rooms, and a sender in the first one.
type Pair = (Rooms, [RoomId; 2], MessageeId);

/// Sends a message to each target, and steps the rooms.
fn run((rooms, ids, sender): &mut Pair, rounds: usize) -> Result<(), Box<dyn Error>> {
    for _ in 0..rounds {
        rooms.manager_mut(ids[0]).send(*sender, Go)?;
        rooms.frame_with(|_, _| ())?;
    }
    Ok(())
}

/// Returns two rooms, a sender in the first one, and this number of targets in one of them.
fn pair(len: usize, room: usize) -> Result<Pair, Box<dyn Error>> {
    let mut rooms = Rooms::new();
    let ids = [
        rooms.add("here", MessageManager::new())?,
        rooms.add("there", MessageManager::new())?,
    ];
    let mut targets: Vec<_> = (0..len)
        .map(|_| rooms.manager_mut(ids[room]).spawn((Target::default(),)))
        .collect();
    // In another order than in memory.
    let mut seed = 1_u64;
    for at in (1..len).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        targets.swap(at, (seed >> 33) as usize % (at + 1));
    }
    let targets = targets
        .into_iter()
        .map(|id| rooms.proxy(ids[0], ids[room], id));
    let targets = targets.collect::<Result<_, _>>()?;
    let thought = 1;
    let sender = rooms
        .manager_mut(ids[0])
        .spawn((Sender { targets, thought },));
    Ok((rooms, ids, sender))
}

fn messages(len: usize) -> Result<(), Box<dyn Error>> {
    let mut both = [pair(len, 0)?, pair(len, 1)?];
    let mut times = [f64::INFINITY; 2];
    let rounds = 1.max(10_000 / len);
    let start = Instant::now();
    while start.elapsed() < BUDGET {
        for (pair, time) in both.iter_mut().zip(&mut times) {
            let start = Instant::now();
            run(pair, rounds)?;
            let each = start.elapsed().as_nanos() as f64 / (rounds * len) as f64;
            *time = time.min(each);
        }
    }
    let sums = both.each_ref().map(|(rooms, ids, _)| {
        ids.iter()
            .flat_map(|&id| rooms.manager(id).iter::<Target>())
            .fold(0_u32, |sum, (_, target)| sum.wrapping_add(target.sum))
    });
    assert_eq!(sums[0], sums[1], "every message was received");
    let [inside, between] = times;
    println!(
        "{len:>9} | {inside:>12.1} | {between:>13.1} | {:>5.2}",
        between / inside
    );
    Ok(())
}

/// The number of rooms, and of the senders and targets in each.
const ROOMS: usize = 8;
const SENDERS: usize = 100;

/// Returns rooms whose senders each know a hundred targets, one of them in another room.
fn zones(threads: usize) -> Result<Rooms, Box<dyn Error>> {
    let mut rooms = Rooms::with_threads(threads);
    for number in 0..ROOMS {
        rooms.add(number.to_string(), MessageManager::new())?;
    }
    let ids: Vec<RoomId> = rooms.ids().collect();
    let targets: Vec<Vec<MessageeId>> = ids
        .iter()
        .map(|&id| {
            (0..100)
                .map(|_| rooms.manager_mut(id).spawn((Target::default(),)))
                .collect()
        })
        .collect();
    for (room, &id) in ids.iter().enumerate() {
        for number in 0..SENDERS {
            let mut known = targets[room].clone();
            let other = (room + 1 + number) % ROOMS;
            known[number] = rooms.proxy(id, ids[other], targets[other][number])?;
            let sender = Sender {
                targets: known,
                thought: 1,
            };
            rooms.manager_mut(id).spawn((sender,));
        }
    }
    Ok(rooms)
}

fn speedup(turns: u32) -> Result<(), Box<dyn Error>> {
    let mut both = [zones(1)?, zones(2)?];
    let mut times = [f64::INFINITY; 2];
    let start = Instant::now();
    while start.elapsed() < BUDGET {
        for (rooms, time) in both.iter_mut().zip(&mut times) {
            let start = Instant::now();
            rooms.frame_with(|_, manager| {
                let sent = manager.send(Everyone, Work { turns });
                let sent = sent.and_then(|_| manager.send(Everyone, Go));
                manager.tick(FRAME);
                sent
            })?;
            *time = time.min(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    let [one, two] = times;
    println!("{one:>14.3} | {two:>15.3} | {:>7.2}", one / two);
    Ok(())
}
