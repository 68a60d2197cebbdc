//! Times targeted sends and prints the nanoseconds per send. `trace_cost` runs it in two builds.
//!
//! `send_probe ROUNDS` prints the fastest of that many rounds: a disturbance can only slow a round down.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use message_benches::work::Lottery;
use message_core::prelude::*;

const MESSAGEES: usize = 1_000;
const SENDS: usize = 100_000;

#[derive(Message)]
struct Damage(u64);

#[derive(Message)]
struct Push(u64);

struct Health {
    hp: u64,
}

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, damage: &Damage) {
        self.hp = self.hp.wrapping_sub(damage.0);
    }
}

struct Body {
    x: u64,
}

#[handlers]
impl Body {
    #[on_receive]
    fn push(&mut self, push: &Push, cx: &mut Context<'_>) {
        self.x = self.x.wrapping_add(push.0 ^ u64::from(cx.is_from_me()));
    }
}

fn main() -> ExitCode {
    let rounds = std::env::args().nth(1).and_then(|it| it.parse().ok());
    let Some(rounds @ 1..) = rounds else {
        eprintln!("expected a number of rounds, at least one: send_probe ROUNDS");
        return ExitCode::from(2);
    };
    let mut manager = MessageManager::new();
    let spawned = (0..MESSAGEES).map(|_| manager.spawn((Health { hp: 0 }, Body { x: 0 })));
    let ids: Vec<MessageeId> = spawned.collect();
    let mut lottery = Lottery::new(7);
    let order: Vec<MessageeId> = (0..SENDS).map(|_| ids[lottery.draw(MESSAGEES)]).collect();
    let fastest = (0..rounds).map(|_: u32| round(&mut manager, &order));
    let fastest = fastest.fold(f64::INFINITY, f64::min);
    println!("{fastest}");
    ExitCode::SUCCESS
}

/// Returns the nanoseconds per send.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn round(manager: &mut MessageManager, order: &[MessageeId]) -> f64 {
    let start = Instant::now();
    for (number, &id) in (0..).zip(order) {
        let sent = if number % 2 == 0 {
            manager.send(id, Damage(black_box(number)))
        } else {
            manager.send(id, Push(black_box(number)))
        };
        black_box(sent.is_ok());
    }
    start.elapsed().as_nanos() as f64 / order.len() as f64
}
