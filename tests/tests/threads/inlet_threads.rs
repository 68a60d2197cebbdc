//! The inlet with several threads. Nothing here waits for a clock to be right: a test that would
//! hang fails after [`PATIENCE`].

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::common::{Log, Tested};
use message_core::prelude::*;
use message_core::{Inlet, InletError};

const FRAME: Duration = Duration::from_millis(16);

/// Time limit for anything that must not block.
const PATIENCE: Duration = Duration::from_secs(100);

/// Runs a test on a thread of its own, and fails if that hangs.
fn in_time(test: impl FnOnce() + Send + 'static) {
    let (done, ended) = channel();
    let test = thread::spawn(move || {
        test();
        done.send(()).expect("it is awaited");
    });
    let ended = ended.recv_timeout(PATIENCE);
    assert_ne!(ended, Err(RecvTimeoutError::Timeout), "the test hangs");
    join(test);
}

fn join<T>(thread: JoinHandle<T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

fn join_all<T>(threads: impl IntoIterator<Item = JoinHandle<T>>) -> Vec<T> {
    threads.into_iter().map(join).collect()
}

fn to(recipient: impl Into<Recipient>) -> Header {
    let header = Header::to(recipient).build();
    header.expect("nothing contradicts itself")
}

/// A message from a thread, with its place in that thread's sequence.
#[derive(Message)]
struct Word {
    thread: usize,
    number: u64,
}

/// Asserts that each thread's words arrive in order, none twice and none left out.
struct Listener {
    next: Vec<u64>,
    heard: u64,
}

impl Listener {
    fn new(threads: usize) -> Self {
        Self {
            next: vec![0; threads],
            heard: 0,
        }
    }
}

#[handlers]
impl Listener {
    #[on_receive]
    fn hear(&mut self, word: &Word, cx: &mut Context<'_>) {
        assert_eq!(word.number, self.next[word.thread]);
        assert_eq!(cx.sender(), Sender::Outside);
        self.next[word.thread] += 1;
        self.heard += 1;
    }
}

/// Threads that post words with those headers in turns, waiting for room, until they have posted
/// all of them or the manager is gone. How many each has posted.
fn talkers(inlet: &Inlet, threads: usize, words: u64, headers: &[Header]) -> Vec<JoinHandle<u64>> {
    let talk = |thread| {
        let (inlet, headers) = (inlet.clone(), headers.to_vec());
        thread::spawn(move || {
            for (number, header) in (0..words).zip(headers.iter().cycle()) {
                match inlet.post(header, Word { thread, number }, PATIENCE) {
                    Ok(()) => {}
                    Err(InletError::Closed { message }) => return message.number,
                    Err(error) => panic!("{error}"),
                }
            }
            words
        })
    };
    (0..threads).map(talk).collect()
}

fn small(capacity: u32) -> MessageManager {
    MessageManager::with_config(ManagerConfig::new().inlet_capacity(capacity))
}

// Order.

// holds: threads.order
#[test]
fn what_each_thread_posts_is_delivered_in_the_order_posted_and_none_is_lost() {
    const THREADS: usize = 8;
    const WORDS: u64 = 10_000;
    in_time(|| {
        let mut manager = small(64);
        let listener = manager.spawn((Listener::new(THREADS),));
        let threads = talkers(&manager.inlet(), THREADS, WORDS, &[to(listener)]);
        let mut drained = 0;
        while drained < THREADS * 10_000 {
            let report = manager.tick(FRAME);
            assert!(report.drained <= 64, "no more than there is room for");
            drained += report.drained;
            thread::yield_now();
        }
        assert_eq!(join_all(threads), [WORDS; THREADS]);
        assert_eq!(manager.tick(FRAME).drained, 0);
        let listener = manager.get::<Listener>(listener).expect("it is alive");
        assert_eq!(listener.next, [WORDS; THREADS]);
    });
}

// holds: threads.order
#[test]
fn the_order_of_each_thread_holds_for_those_with_a_stage_too() {
    in_time(|| {
        let mut manager = small(16);
        let listener = manager.spawn((Listener::new(4),));
        let header = Header::to(listener).stage(Stage::LateUpdate).build();
        let header = header.expect("nothing contradicts itself");
        let threads = talkers(&manager.inlet(), 4, 1000, &[header]);
        let mut delivered = 0;
        while delivered < 4000 {
            let report = manager.tick(FRAME);
            assert_eq!(report.drained, report.delivered);
            delivered += report.delivered;
            thread::yield_now();
        }
        assert_eq!(join_all(threads), [1000; 4]);
    });
}

// holds: threads.full, threads.error-gives-back
#[test]
fn threads_that_try_again_when_it_is_full_lose_nothing() {
    in_time(|| {
        let mut manager = small(8);
        let listener = manager.spawn((Listener::new(3),));
        let header = to(listener);
        let talk = |thread| {
            let inlet = manager.inlet();
            thread::spawn(move || {
                for number in 0..500 {
                    let mut word = Word { thread, number };
                    while let Err(error) = inlet.try_post(&header, word) {
                        assert!(matches!(error, InletError::Full { .. }), "{error}");
                        word = error.into_message();
                        thread::yield_now();
                    }
                }
            })
        };
        let threads: Vec<_> = (0..3).map(talk).collect();
        while manager.get::<Listener>(listener).expect("alive").heard < 1500 {
            manager.tick(FRAME);
            thread::yield_now();
        }
        join_all(threads);
    });
}

// Waiting.

// holds: threads.full
#[test]
fn a_post_that_waits_goes_on_when_a_frame_has_made_room() {
    in_time(|| {
        let mut manager = small(1);
        let listener = manager.spawn((Listener::new(1),));
        let threads = talkers(&manager.inlet(), 1, 3, &[to(listener)]);
        while manager.get::<Listener>(listener).expect("alive").heard < 3 {
            assert!(manager.tick(FRAME).drained <= 1);
            thread::yield_now();
        }
        assert_eq!(join_all(threads), [3]);
    });
}

// holds: threads.drain-ends
#[test]
fn a_thread_that_keeps_posting_cannot_hold_a_frame_up() {
    in_time(|| {
        let mut manager = small(4);
        let listener = manager.spawn((Listener::new(2),));
        let threads = talkers(&manager.inlet(), 2, u64::MAX, &[to(listener)]);
        for _ in 0..200 {
            assert!(manager.tick(FRAME).drained <= 4);
        }
        drop(manager);
        join_all(threads);
    });
}

// holds: threads.closed, threads.error-gives-back
#[test]
fn a_manager_that_is_dropped_ends_the_wait_of_all_who_wait_for_room() {
    in_time(|| {
        for round in 0..20 {
            let manager = small(1);
            let inlet = manager.inlet();
            let header = to(Everyone);
            let word = |thread| Word { thread, number: 0 };
            inlet.try_post(&header, word(0)).expect("there is room");
            let (ready, waiting) = channel();
            let wait = |thread| {
                let (inlet, ready) = (inlet.clone(), ready.clone());
                thread::spawn(move || {
                    ready.send(()).expect("it is awaited");
                    // Without end, so that nothing but the manager can end it.
                    inlet.post(&header, word(thread), Duration::MAX)
                })
            };
            let threads: Vec<_> = (1..4).map(wait).collect();
            for _ in &threads {
                waiting.recv().expect("they all begin");
            }
            // In most rounds they do wait by now.
            let timed_out = inlet.post(&header, word(9), Duration::from_millis(round));
            assert!(matches!(timed_out, Err(InletError::TimedOut { .. })));
            drop(manager);
            for (thread, number) in threads.into_iter().zip(1..) {
                match join(thread) {
                    Err(InletError::Closed { message }) => assert_eq!(message.thread, number),
                    other => panic!("{other:?}"),
                }
            }
        }
    });
}

// Moving and dropping.

// holds: threads.same-place
#[test]
fn a_manager_that_is_moved_to_another_thread_keeps_its_inlet() {
    in_time(|| {
        let mut manager = small(8);
        let listener = manager.spawn((Listener::new(2),));
        let threads = talkers(&manager.inlet(), 2, 300, &[to(listener)]);
        for _ in 0..10 {
            let here = thread::spawn(move || {
                for _ in 0..5 {
                    manager.tick(FRAME);
                }
                manager
            });
            manager = join(here);
        }
        let end = thread::spawn(move || {
            while manager.get::<Listener>(listener).expect("alive").heard < 600 {
                manager.tick(FRAME);
                thread::yield_now();
            }
            drop(manager);
        });
        assert_eq!(join_all(threads), [300; 2]);
        join(end);
    });
}

/// Counts the drops of its values.
#[derive(Message)]
struct Parcel(Arc<AtomicUsize>);

impl Drop for Parcel {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

// holds: threads.dropped-once
#[test]
fn every_message_is_dropped_once_when_the_manager_goes_while_threads_post() {
    in_time(|| {
        for round in 0..30 {
            let mut manager = small(3);
            let dropped = Arc::new(AtomicUsize::new(0));
            let header = to(Everyone);
            let post = |_| {
                let (inlet, dropped) = (manager.inlet(), Arc::clone(&dropped));
                thread::spawn(move || {
                    let mut made = 0;
                    loop {
                        made += 1;
                        let parcel = Parcel(Arc::clone(&dropped));
                        if let Err(error) = inlet.post(&header, parcel, PATIENCE) {
                            assert!(matches!(error, InletError::Closed { .. }), "{error}");
                            return (made, inlet);
                        }
                    }
                })
            };
            let threads: Vec<_> = (0..3).map(post).collect();
            for _ in 0..round {
                manager.tick(FRAME);
            }
            drop(manager);
            // The inlets are still there: the contents of the channel were dropped with the manager.
            let (made, inlets): (Vec<_>, Vec<_>) = join_all(threads).into_iter().unzip();
            assert_eq!(dropped.load(Ordering::Relaxed), made.iter().sum::<usize>());
            assert!(inlets.iter().all(Inlet::is_closed));
        }
    });
}

/// Posts another message when it is dropped.
#[derive(Message)]
struct Last {
    inlet: Inlet,
    is_closed: Arc<AtomicUsize>,
}

impl Drop for Last {
    fn drop(&mut self) {
        let number = 0;
        let posted = self
            .inlet
            .post(&to(Everyone), Word { thread: 0, number }, PATIENCE);
        if matches!(posted, Err(InletError::Closed { .. })) && self.inlet.is_closed() {
            self.is_closed.fetch_add(1, Ordering::Relaxed);
        }
    }
}

// holds: threads.closed
#[test]
fn what_is_posted_by_a_message_that_goes_with_its_manager_is_given_back() {
    in_time(|| {
        let manager = small(4);
        let inlet = manager.inlet();
        let is_closed = Arc::new(AtomicUsize::new(0));
        for _ in 0..4 {
            let last = Last {
                inlet: manager.inlet(),
                is_closed: Arc::clone(&is_closed),
            };
            inlet.try_post(&to(Everyone), last).expect("there is room");
        }
        drop(manager);
        assert_eq!(is_closed.load(Ordering::Relaxed), 4);
    });
}

// holds: threads.inlet
#[test]
fn one_thread_asks_for_the_inlet_while_others_use_theirs() {
    in_time(|| {
        let mut manager = small(2);
        let listener = manager.spawn((Listener::new(6),));
        let mut threads = Vec::new();
        for thread in 0..6 {
            let (inlet, header) = (manager.inlet(), to(listener));
            threads.push(thread::spawn(move || {
                for number in 0..50 {
                    let word = Word { thread, number };
                    inlet.post(&header, word, PATIENCE).expect("there is room");
                    assert!(inlet.len() <= inlet.capacity());
                }
            }));
            manager.tick(FRAME);
        }
        while manager.get::<Listener>(listener).expect("alive").heard < 300 {
            manager.tick(FRAME);
            thread::yield_now();
        }
        join_all(threads);
    });
}

// Two managers.

/// A ball between two managers, each on a thread of its own.
#[derive(Message)]
struct Ball {
    hits: u32,
}

struct Player {
    other: Option<(Inlet, Header)>,
    over: Arc<AtomicBool>,
    log: Log,
}

#[handlers]
impl Player {
    #[on_receive]
    fn play(&mut self, ball: &Ball) -> Result<(), InletError<Ball>> {
        self.log.add(ball.hits.to_string());
        if ball.hits == 0 {
            self.over.store(true, Ordering::Release);
        } else if let Some((inlet, header)) = &self.other {
            let hits = ball.hits - 1;
            inlet.try_post(header, Ball { hits })?;
        }
        Ok(())
    }
}

// holds: threads.inlet
#[test]
fn two_managers_on_two_threads_post_to_each_other_from_their_handlers() -> Tested {
    let (log, over) = (Log::default(), Arc::new(AtomicBool::new(false)));
    let side = || {
        let mut manager = small(1);
        let player = manager.spawn((Player {
            other: None,
            over: Arc::clone(&over),
            log: log.clone(),
        },));
        (manager, player)
    };
    let ((mut left, one), (mut right, two)) = (side(), side());
    left.get_mut::<Player>(one)?.other = Some((right.inlet(), to(two)));
    right.get_mut::<Player>(two)?.other = Some((left.inlet(), to(one)));
    left.inlet().try_post(&to(one), Ball { hits: 100 })?;
    in_time(move || {
        let play = |mut manager: MessageManager| {
            let over = Arc::clone(&over);
            thread::spawn(move || {
                while !over.load(Ordering::Acquire) {
                    manager.tick(FRAME);
                    thread::yield_now();
                }
            })
        };
        join_all([left, right].map(play));
    });
    let hits: Vec<String> = (0..=100).rev().map(|hit: u32| hit.to_string()).collect();
    assert_eq!(log.take(), hits);
    Ok(())
}
