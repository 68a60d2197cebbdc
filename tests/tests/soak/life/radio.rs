//! Other threads, which post while the manager is at work.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use message_core::Inlet;
use message_core::prelude::*;

use super::account::{self, RADIO, count};
use super::cast::{Radio, Token};
use super::lottery::Lottery;

const THREADS: usize = 2;
const MESSAGES: usize = 6;

struct Job {
    inlet: Inlet,
    ids: Vec<MessageeId>,
    seed: u64,
}

/// Threads that post on request.
pub(crate) struct Station {
    jobs: Vec<Sender<Job>>,
    done: Receiver<()>,
    busy: usize,
    threads: Vec<JoinHandle<()>>,
}

impl Station {
    pub(crate) fn new() -> Self {
        let (tell, done) = channel();
        let mut station = Self {
            jobs: Vec::new(),
            done,
            busy: 0,
            threads: Vec::new(),
        };
        for _ in 0..THREADS {
            let (jobs, told) = channel::<Job>();
            let tell = tell.clone();
            station.jobs.push(jobs);
            station.threads.push(std::thread::spawn(move || {
                for job in told {
                    post(&job);
                    if tell.send(()).is_err() {
                        return;
                    }
                }
            }));
        }
        station
    }

    /// Makes each thread post something to some of these.
    pub(crate) fn begin(&mut self, manager: &MessageManager, ids: &[MessageeId], seed: u64) {
        self.end();
        for (jobs, seed) in self.jobs.iter().zip(seed..) {
            let job = Job {
                inlet: manager.inlet(),
                ids: ids.iter().copied().take(20).collect(),
                seed,
            };
            jobs.send(job).expect("the thread waits");
            self.busy += 1;
        }
    }

    /// Waits until all threads have posted.
    pub(crate) fn end(&mut self) {
        while self.busy > 0 {
            self.done.recv().expect("the thread answers");
            self.busy -= 1;
        }
    }
}

impl Drop for Station {
    fn drop(&mut self) {
        self.jobs.clear();
        for thread in self.threads.drain(..) {
            // A thread that has panicked has said so.
            let _ = thread.join();
        }
    }
}

fn post(job: &Job) {
    let mut lottery = Lottery::new(job.seed);
    for _ in 0..MESSAGES {
        let Some(to) = lottery.of(&job.ids) else {
            return;
        };
        let radio = Radio {
            token: Token::new(),
            noise: vec![7; lottery.below(100)],
        };
        let header = Header::to(to).require(1);
        let header = match lottery.below(3) {
            0 => header,
            1 => header.stage(Stage::Update),
            _ => header.after_frames(lottery.below(10) as u64),
        };
        // Counted before: it can be delivered at once.
        count(RADIO, |it| &it.posted, 1);
        if job.inlet.try_post(header, radio).is_err() {
            count(RADIO, |it| &it.posted, -1);
            account::refused(RADIO, true);
        }
    }
}
