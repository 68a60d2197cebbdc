//! Ten pages look at a world in which 1 000 messagees come and go in each frame, while a million posts are
//! pending: memory does not grow, and no frame waits.
//!
//! Memory is measured twice: as allocated bytes that are not yet freed, using a counting allocator, and as
//! the memory that the process has from the operating system. Answers in progress cause fluctuations, so the
//! minimum of each tenth of the frames is used for the first measurement. It must not grow.
//!
//! By default, this runs a few hundred frames. To run an hour of frames at full speed, with figures:
//!
//! ```sh
//! INSPECTOR_LOAD_FRAMES=216000 cargo test --release -p message-inspector --test load -- --nocapture
//! ```

#![allow(
    unreachable_pub,
    reason = "nothing of a test can be reached from outside"
)]

#[path = "../server/client.rs"]
#[allow(dead_code, reason = "the tests of the server use the rest of it")]
mod client;

use std::env;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use client::{Client, Tested};
use message_core::prelude::*;
use message_data::Data;
use message_inspector::Inspector;
use peak_alloc::PeakAlloc;
use serde::{Deserialize, Serialize};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const PAGES: usize = 10;
/// How many messagees come and go in each frame.
const COMING: usize = 1_000;
/// How many frames each of them lives.
const STAY: usize = 3;
const PENDING: u64 = 1_000_000;
const FRAMES: usize = 400;
/// How many KiB more may be allocated at the end. Some short runs grow late by one step of a megabyte; in a long
/// run, the allocated memory stays below that of the first third.
const GROWTH: usize = 1_024;
const SHORT_GROWTH: usize = 4_096;
const STEP: Duration = Duration::from_micros(16_667);
/// The requests of a page, one view after the other.
const QUESTIONS: &[&str] = &[
    "now",
    "messagees?limit=200",
    "messagees?search=guest%201*&limit=200",
    "flow",
    "timeline?frames=60&limit=3000",
    "later",
    "later?search=bell",
    "letters",
    "startup",
    "console/complete?line=send%20gu",
];

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
struct Greet;

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
struct Bell;

#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
struct Guest {
    greeted: u64,
}

#[handlers]
impl Guest {
    #[on_receive]
    fn greet(&mut self, _: &Greet) {
        self.greeted += 1;
    }

    #[on_receive]
    fn ring(&mut self, _: &Bell) {}
}

/// Returns how much memory the process has, in KiB, or `None` if that is unavailable.
fn resident() -> Option<usize> {
    let told = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = told.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4)
}

/// The memory in use, for each tenth of the frames, in KiB.
#[derive(Default)]
struct Sizes {
    least: Option<usize>,
    allocated: Vec<usize>,
    resident: Vec<usize>,
}

impl Sizes {
    fn look(&mut self) {
        let now = ALLOCATOR.current_usage() >> 10;
        self.least = Some(self.least.map_or(now, |least| least.min(now)));
    }

    /// Begins the next tenth.
    fn next(&mut self) {
        self.allocated.extend(self.least.take());
        self.resident.extend(resident());
    }

    /// Fails if more is allocated at the end than after a third of the frames, when all buffers are full.
    fn stay(&self, growth: usize) -> Tested {
        let third = self.allocated.len() / 3;
        let [first, .., last] = self.allocated[third..] else {
            return Err("too few frames to tell".into());
        };
        assert!(last < first + growth, "{:?} KiB", self.allocated);
        Ok(())
    }
}

/// Sends the requests of a page four times per second while reading its stream.
fn look(
    client: &Client,
    first: usize,
    over: &AtomicBool,
    answers: &AtomicU64,
) -> Result<(), String> {
    let wrong = |error: std::io::Error| error.to_string();
    let mut events = client
        .events("/api/v1/worlds/0/events?trace=1")
        .map_err(wrong)?;
    thread::scope(|scope| {
        // Until the world is detached.
        let reads = scope.spawn(move || events.until("end", |_| true).map(|_| ()));
        for at in first.. {
            if over.load(Ordering::Acquire) {
                break;
            }
            let question = QUESTIONS[at % QUESTIONS.len()];
            let answer = client.get(&format!("/api/v1/worlds/0/{question}"));
            let status = answer.map_err(wrong)?.status;
            // A world that has been detached meanwhile does not answer.
            if status != 200 && !over.load(Ordering::Acquire) {
                return Err(format!("{question}: {status}"));
            }
            answers.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(250));
        }
        reads
            .join()
            .map_err(|_| "the stream has panicked")?
            .map_err(wrong)
    })
}

struct Crowd {
    manager: MessageManager,
    there: std::collections::VecDeque<MessageeId>,
    came: usize,
}

impl Crowd {
    fn new() -> Result<Self, Box<dyn std::error::Error>> {
        let mut manager = MessageManager::new();
        let door = manager.spawn_named("door", (Guest::default(),));
        // The due times begin an hour from now, so that none is due.
        for second in 0..PENDING / 1_000 {
            let later = Header::to(door)
                .after(Duration::from_secs(7_200 + second))
                .build()?;
            let posted = manager.post_each(&later, (0..1_000).map(|_| Bell));
            posted.map_err(|error| error.error)?;
        }
        let there = std::collections::VecDeque::new();
        Ok(Self {
            manager,
            there,
            came: 0,
        })
    }

    fn frame(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        for _ in 0..COMING {
            self.came += 1;
            let name = format!("guest {}", self.came % 5_000);
            let guest = self.manager.spawn_named(name, (Guest::default(),));
            self.there.push_back(guest);
            self.manager.post(Header::to(guest).after(STEP), Greet)?;
        }
        self.manager.tick(STEP);
        self.manager.send(Everyone, Greet)?;
        while self.there.len() > COMING * STAY {
            if let Some(guest) = self.there.pop_front() {
                self.manager.despawn(guest)?;
            }
        }
        Ok(())
    }
}

/// Returns the time that a part of the frames does not exceed, in milliseconds.
fn part(times: &[Duration], part: f64) -> f64 {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a place in a list"
    )]
    let at = ((times.len() - 1) as f64 * part) as usize;
    times[at].as_secs_f64() * 1000.0
}

#[test]
fn ten_pages_at_a_world_that_comes_and_goes_take_no_more_memory_and_hold_no_frame_up() -> Tested {
    let frames = match env::var("INSPECTOR_LOAD_FRAMES") {
        Ok(frames) => frames.parse()?,
        Err(_) => FRAMES,
    };
    let mut crowd = Crowd::new()?;
    // A short run keeps less, so that all buffers are full soon.
    let kept = if frames == FRAMES { 1_000 } else { 20_000 };
    let inspector = Inspector::builder().history(kept).budget(kept / 10);
    let mut inspector = inspector.serve("127.0.0.1:0")?;
    inspector.attach(&mut crowd.manager, "crowd");
    let client = Client::new(&inspector);
    let (over, answers) = (AtomicBool::new(false), AtomicU64::new(0));
    // Written before the first frame: otherwise the process would get this memory little by little.
    let mut all = vec![Duration::MAX; frames];
    let mut updates = all.clone();
    let mut sizes = Sizes::default();
    let looked = thread::scope(|scope| -> Result<(), Box<dyn std::error::Error>> {
        let pages: Vec<_> = (0..PAGES)
            .map(|page| {
                let (client, over, answers) = (&client, &over, &answers);
                scope.spawn(move || look(client, page, over, answers))
            })
            .collect();
        let begun = Instant::now();
        let mut ran = Ok(());
        for frame in 0..frames {
            let frame_begun = Instant::now();
            ran = crowd.frame();
            let update_begun = Instant::now();
            inspector.update(&mut crowd.manager);
            updates[frame] = update_begun.elapsed();
            all[frame] = frame_begun.elapsed();
            if ran.is_err() {
                break;
            }
            sizes.look();
            if frame % (frames / 10).max(1) == frames / 10 - 1 {
                sizes.next();
            }
            // Make even a short run long enough for all requests.
            if frames == FRAMES {
                thread::sleep(Duration::from_millis(5));
            }
        }
        println!(
            "{frames} frames took {:.1} s",
            begun.elapsed().as_secs_f64()
        );
        over.store(true, Ordering::Release);
        inspector.detach(&mut crowd.manager);
        for page in pages {
            page.join().map_err(|_| "a page has panicked")??;
        }
        ran
    });
    looked?;
    all.sort_unstable();
    updates.sort_unstable();
    println!(
        "a frame: median {:.2} ms, 99 % below {:.2} ms, longest {:.2} ms",
        part(&all, 0.5),
        part(&all, 0.99),
        part(&all, 1.0),
    );
    println!(
        "of it the update: median {:.3} ms, 99 % below {:.2} ms, longest {:.2} ms",
        part(&updates, 0.5),
        part(&updates, 0.99),
        part(&updates, 1.0),
    );
    println!(
        "{} answers to {PAGES} pages",
        answers.load(Ordering::Relaxed)
    );
    println!("allocated, ten times: {:?} KiB", sizes.allocated);
    println!("memory, ten times: {:?} KiB", sizes.resident);
    assert!(answers.load(Ordering::Relaxed) >= PAGES as u64);
    // On a busy machine, a single frame can be late, but not half of them.
    let half = part(&all, 0.5);
    assert!(cfg!(debug_assertions) || half < 16.0, "{half} ms");
    sizes.stay(if frames == FRAMES {
        SHORT_GROWTH
    } else {
        GROWTH
    })
}
