//! Tests for pauses: compares the worst of a thousand frames with the median, with a million messagees.
//!
//! ```sh
//! cargo run --release -p message-benches --bin load
//! ```
//!
//! Each row is a world of its own in this process. A frame of `mixed` has targeted sends, posts with delays, spawns
//! and despawns, mail, a group and one broadcast; that of `crowded` adds 10 000 subscriptions, and 100 000 posts that
//! are made and cancelled in each frame. The first frames are not counted, because a growing world must allocate; the
//! worst of them is reported separately. On Linux the processor time is reported as well: on a busy machine the
//! wall-clock time includes other programs.

use std::fmt::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use message_benches::work::Lottery;
use message_core::prelude::*;

const USAGE: &str =
    "usage: load [--only mixed,crowded,plain] [--messagees N] [--frames N] [--tsv FILE]";

const STEP: Duration = Duration::from_millis(16);
/// The number of frames that are not counted.
const WARM: usize = 100;
/// The operations of one frame.
const SENDS: usize = 20_000;
const POSTS: usize = 10_000;
const COMERS: usize = 1_000;
const MAILS: usize = 5_000;
const LISTENERS: usize = 10_000;
const CANCELLED: usize = 100_000;
/// The number of frames within which posted messages are due.
const AHEAD: usize = 100;

group!(WATCH);

#[derive(Message)]
struct Damage(u64);

#[derive(Message)]
struct Fuse(u64);

#[derive(Message)]
struct Wind(u64);

#[derive(Message)]
struct Alarm(u64);

#[derive(Message)]
struct Letter(u64);

struct Health(u64);

struct Body {
    at: [u64; 3],
}

#[handlers]
impl Health {
    #[on_receive]
    fn damage(&mut self, damage: &Damage) {
        self.0 = self.0.wrapping_sub(damage.0);
    }

    #[on_receive]
    fn fuse(&mut self, fuse: &Fuse) {
        self.0 ^= fuse.0;
    }

    #[on_receive]
    fn alarm(&mut self, alarm: &Alarm) {
        self.0 = self.0.rotate_left(1) ^ alarm.0;
    }
}

#[handlers]
impl Body {
    #[on_receive]
    fn wind(&mut self, wind: &Wind) {
        self.at[0] = self.at[0].wrapping_add(wind.0);
    }
}

/// The rows that can be measured, by name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    /// The traffic without spawns and despawns: the rest of its worst frame is due to the machine.
    Plain,
    Mixed,
    Crowded,
}

const ROWS: [(&str, Row); 3] = [
    ("plain", Row::Plain),
    ("mixed", Row::Mixed),
    ("crowded", Row::Crowded),
];

struct Options {
    only: Vec<Row>,
    messagees: usize,
    frames: usize,
    tsv: Option<String>,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        only: ROWS.map(|(_, row)| row).to_vec(),
        messagees: 1_000_000,
        frames: 1_000,
        tsv: None,
    };
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        let value = given
            .next()
            .ok_or(format!("{word} needs a value\n{USAGE}"))?;
        let number = || {
            let number = value.parse().ok().filter(|number| *number > 0);
            number.ok_or(format!("{word} {value}: expected a number from 1"))
        };
        match word.as_str() {
            "--only" => {
                let row = |name: &str| {
                    let row = ROWS.iter().find(|(known, _)| *known == name);
                    row.map(|(_, row)| *row)
                        .ok_or(format!("{name} is no row\n{USAGE}"))
                };
                options.only = value.split(',').map(row).collect::<Result<_, _>>()?;
            }
            "--messagees" => options.messagees = number()?,
            "--frames" => options.frames = number()?,
            "--tsv" => options.tsv = Some(value),
            _ => return Err(format!("{word} is not known\n{USAGE}")),
        }
    }
    Ok(options)
}

struct World {
    manager: MessageManager,
    ids: Vec<MessageeId>,
    lottery: Lottery,
    row: Row,
}

impl World {
    fn new(row: Row, messagees: usize) -> Self {
        let mut manager = MessageManager::new();
        let spawn = |number| manager.spawn((Health(number as u64), Body { at: [0; 3] }));
        let ids: Vec<MessageeId> = (0..messagees).map(spawn).collect();
        for id in ids.iter().step_by(messagees.div_ceil(1_000)) {
            manager.join(WATCH, *id).expect("it is alive");
        }
        if row == Row::Crowded {
            for number in 0..LISTENERS {
                let to = ids[number % ids.len()];
                manager.subscribe(Filter::of::<Damage>().to(to), |_, _| ());
            }
        }
        Self {
            manager,
            ids,
            lottery: Lottery::new(1),
            row,
        }
    }

    fn somebody(&mut self) -> MessageeId {
        self.ids[self.lottery.draw(self.ids.len())]
    }

    fn frame(&mut self, number: usize) -> Result<(), SendError> {
        let seed = number as u64;
        for _ in 0..SENDS {
            let to = self.somebody();
            self.manager.send(to, Damage(seed))?;
        }
        for _ in 0..POSTS {
            let to = self.somebody();
            let frames = self.lottery.draw(AHEAD) as u64;
            self.manager
                .post(Header::to(to).after_frames(frames).if_alive(), Fuse(seed))?;
        }
        for _ in 0..MAILS {
            let to = self.somebody();
            self.manager.publish(to, Letter(seed))?;
        }
        if self.row != Row::Plain {
            self.come_and_go(seed);
        }
        if self.row == Row::Crowded {
            self.cancel(seed);
        }
        self.manager.send(WATCH, Alarm(seed))?;
        self.manager.send(Everyone, Wind(seed))?;
        self.manager.tick(STEP);
        let read: u64 = self
            .manager
            .inbox::<Letter>()
            .iter()
            .map(|mail| mail.0)
            .sum();
        assert!(read == seed * MAILS as u64, "each letter is found");
        Ok(())
    }

    fn come_and_go(&mut self, seed: u64) {
        for _ in 0..COMERS {
            let at = self.lottery.draw(self.ids.len());
            // This messagee may be one that has listeners; then the subscription ends.
            self.manager.despawn(self.ids[at]).expect("it is alive");
            self.ids[at] = self.manager.spawn((Health(seed), Body { at: [seed; 3] }));
        }
    }

    fn cancel(&mut self, seed: u64) {
        let later = Header::to(Everyone).after_frames(50);
        let posted = self
            .manager
            .post_each(later, (0..CANCELLED).map(|_| Alarm(seed)));
        posted.expect("there is room");
        assert!(
            self.manager.cancel(Posts::of::<Alarm>()) == CANCELLED,
            "all are pending"
        );
    }
}

/// Times in milliseconds, by one clock.
struct Times {
    /// The worst of the uncounted frames.
    warm: f64,
    median: f64,
    p99: f64,
    worst: f64,
    /// The index of that frame.
    at: usize,
}

impl Times {
    fn of(all: &[f64]) -> Self {
        let warm = all.iter().take(WARM).copied().fold(0.0, f64::max);
        let mut counted: Vec<(f64, usize)> = all.iter().copied().zip(0..).skip(WARM).collect();
        counted.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (worst, at) = counted[counted.len() - 1];
        Self {
            warm,
            median: counted[counted.len() / 2].0,
            p99: counted[counted.len() * 99 / 100].0,
            worst,
            at,
        }
    }
}

/// Returns the processor time of this thread in milliseconds, or `None` if the system does not report it.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e6)
}

/// Measures the frames of a row with each available clock.
fn measure(row: Row, options: &Options) -> Result<Vec<(&'static str, Times)>, SendError> {
    let mut world = World::new(row, options.messagees);
    let (mut wall, mut processor) = (Vec::new(), Vec::new());
    for number in 0..WARM + options.frames {
        let (begin, used) = (Instant::now(), processor_time());
        world.frame(number)?;
        wall.push(begin.elapsed().as_secs_f64() * 1e3);
        if let (Some(before), Some(now)) = (used, processor_time()) {
            processor.push(now - before);
        }
    }
    let mut times = vec![("wall", Times::of(&wall))];
    if processor.len() == wall.len() {
        times.push(("cpu", Times::of(&processor)));
    }
    Ok(times)
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(mistake) => {
            eprintln!("{mistake}");
            return ExitCode::from(2);
        }
    };
    let mut tsv = String::from("figure\tcontender\tvalue\tunit\n");
    println!(
        "row      clock  median ms     99 % ms    worst ms  worst:median  (frame)  worst while warming up"
    );
    for (name, row) in ROWS {
        if !options.only.contains(&row) {
            continue;
        }
        let times = match measure(row, &options) {
            Ok(times) => times,
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::FAILURE;
            }
        };
        for (clock, it) in times {
            println!(
                "{name:<8} {clock:<5} {:>10.2} {:>11.2} {:>11.2} {:>13.2}  {:>7} {:>10.2}",
                it.median,
                it.p99,
                it.worst,
                it.worst / it.median,
                it.at,
                it.warm
            );
            let figures = [
                ("median", it.median),
                ("p99", it.p99),
                ("worst", it.worst),
                ("warm", it.warm),
            ];
            for (figure, value) in figures {
                // Writing to a string cannot fail.
                let _ = writeln!(
                    tsv,
                    "load-{name}-{figure}\tmessage-core: {clock}\t{value:.3}\tms"
                );
            }
        }
    }
    if let Some(file) = options.tsv
        && let Err(error) = std::fs::write(&file, tsv)
    {
        eprintln!("{file}: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
