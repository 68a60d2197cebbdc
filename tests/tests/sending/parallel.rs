//! Parallel handlers: on any number of threads the same as in one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use message_core::Recipient::EveryoneElse;
use message_core::lifecycle::HandlerFailed;
use message_core::prelude::*;
use message_core::{ManagerConfig, PanicPolicy};
use message_trace::Recorder;
use rayon::ThreadPoolBuilder;

/// More than the number of components from which on a broadcast runs in parallel by itself.
const MANY: usize = 140_000;
const FEW: usize = 1_000;

/// Makes each component do as its number and the message say.
#[derive(Message, Clone, Copy)]
struct Step {
    decline: u64,
    fail: u64,
    panic: u64,
}

impl Step {
    const PLAIN: Self = Self {
        decline: u64::MAX,
        fail: u64::MAX,
        panic: u64::MAX,
    };
}

#[derive(Message)]
struct Count;

/// Handles a step: the same for all implementations.
fn step(number: u64, sum: &mut u64, step: &Step) -> Result<bool, String> {
    let each = |every: u64| number % every == every - 1;
    *sum = sum.wrapping_mul(31).wrapping_add(number);
    assert!(!each(step.panic), "panic of {number}");
    if each(step.fail) {
        return Err(format!("error of {number}"));
    }
    Ok(!each(step.decline))
}

macro_rules! walker {
    ($name:ident, $($argument:tt)*) => {
        struct $name {
            number: u64,
            sum: u64,
            counted: AtomicUsize,
        }

        impl From<u64> for $name {
            fn from(number: u64) -> Self {
                Self { number, sum: 0, counted: AtomicUsize::new(0) }
            }
        }

        impl Walker for $name {
            fn state(&self) -> (u64, u64, usize) {
                (self.number, self.sum, self.counted.load(Ordering::Relaxed))
            }
        }

        #[handlers]
        impl $name {
            #[on_receive($($argument)*)]
            fn step(&mut self, message: &Step) -> Result<bool, String> {
                step(self.number, &mut self.sum, message)
            }

            #[on_receive($($argument)*)]
            fn count(&self, _: &Count) {
                self.counted.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
}

trait Walker: message_core::Component + From<u64> {
    /// Its number, what it has done, and how often it was counted.
    fn state(&self) -> (u64, u64, usize);
}

walker!(InTurn, priority = 1);
walker!(AtOnce, priority = 1, parallel);
walker!(AtOnceFromFew, parallel = 100, priority = 1);

/// Comes last in a broadcast, and records what the components before it have done.
#[derive(Default)]
struct Behind {
    steps: usize,
    failures: Vec<(String, &'static str, MessageeId)>,
}

#[handlers]
impl Behind {
    #[on_receive]
    fn step(&mut self, _: &Step) {
        self.steps += 1;
    }

    #[on_receive]
    fn failed(&mut self, failed: &HandlerFailed) {
        self.failures
            .push((failed.error.to_string(), failed.handler, failed.messagee));
    }
}

/// All that can be seen of some broadcasts.
#[derive(Debug, PartialEq)]
struct Seen {
    /// The receipt of each step, or the message of its panic.
    results: Vec<Result<Receipt, String>>,
    states: Vec<(u64, u64, usize)>,
    behind: usize,
    /// The number of the messagee instead of its id, which differs between managers.
    failures: Vec<(String, &'static str, usize)>,
}

/// Broadcasts `steps` to `number` components.
fn run<C: Walker>(number: usize, steps: &[Step], prepare: &Prepare) -> Seen {
    let mut manager = MessageManager::new();
    let behind = manager.spawn((Behind::default(),));
    let ids: Vec<MessageeId> = (0..number as u64)
        .map(|number| manager.spawn((C::from(number),)))
        .collect();
    prepare(&mut manager, &ids);
    let mut results = Vec::new();
    for &step in steps {
        let sent = catch_unwind(AssertUnwindSafe(|| manager.send(Everyone, step)));
        results.push(match sent {
            Ok(receipt) => Ok(receipt.expect("everyone is there")),
            Err(panic) => Err(*panic.downcast::<String>().expect("a text")),
        });
        manager.settle();
    }
    results.push(Ok(manager
        .send(Everyone, Count)
        .expect("everyone is there")));
    let states = ids
        .iter()
        .filter_map(|&id| Some(manager.get::<C>(id).ok()?.state()));
    let states = states.collect();
    let behind = manager.get::<Behind>(behind).expect("it is there");
    let place = |id| {
        ids.iter()
            .position(|&other| other == id)
            .expect("one of them")
    };
    Seen {
        results,
        states,
        behind: behind.steps,
        failures: behind
            .failures
            .iter()
            .map(|(error, handler, id)| (error.clone(), *handler, place(*id)))
            .collect(),
    }
}

/// Like [`run`], but also in pools of several sizes. Checks that all results are the same.
fn run_parallel<C: Walker>(number: usize, steps: &[Step], prepare: &Prepare) -> Seen {
    let outside = run::<C>(number, steps, prepare);
    for threads in [1, 2, 8] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("there can be threads");
        let inside = pool.install(|| run::<C>(number, steps, prepare));
        assert!(inside == outside, "the same on {threads} threads");
    }
    outside
}

type Prepare = dyn Fn(&mut MessageManager, &[MessageeId]) + Sync;

fn nothing(_: &mut MessageManager, _: &[MessageeId]) {}

/// Steps that do not panic.
const CALM: [Step; 4] = [
    Step::PLAIN,
    Step {
        decline: 7,
        ..Step::PLAIN
    },
    Step {
        fail: 97,
        decline: 5,
        ..Step::PLAIN
    },
    Step::PLAIN,
];

/// Steps at which some panic, too.
const WILD: [Step; 3] = [
    Step {
        panic: 331,
        ..Step::PLAIN
    },
    Step {
        panic: 331,
        fail: 211,
        decline: 3,
    },
    Step::PLAIN,
];

// holds: send.parallel-same-results
#[test]
fn on_any_number_of_threads_it_is_as_in_turn() {
    let in_turn = run::<InTurn>(MANY, &CALM, &nothing);
    assert_eq!(in_turn.failures.len(), MANY / 97);
    assert!(in_turn == run_parallel::<AtOnce>(MANY, &CALM, &nothing));
    let in_turn = run::<InTurn>(FEW, &CALM, &nothing);
    assert!(in_turn == run_parallel::<AtOnce>(FEW, &CALM, &nothing));
    assert!(in_turn == run_parallel::<AtOnceFromFew>(FEW, &CALM, &nothing));
}

// holds: send.parallel-same-results
#[test]
fn components_that_were_disabled_or_moved_are_as_in_turn() {
    let prepare: &Prepare = &|manager, ids| {
        for &id in ids.iter().step_by(3) {
            manager.despawn(id).expect("it is there");
        }
        for &id in ids.iter().skip(1).step_by(6) {
            let hook = manager.hooks(id).next().expect("it has one");
            manager.set_enabled(hook, false).expect("it is there");
        }
    };
    let in_turn = run::<InTurn>(FEW, &CALM, prepare);
    assert!(in_turn == run_parallel::<AtOnceFromFew>(FEW, &CALM, prepare));
}

// holds: send.everyone-panic, send.parallel-same-results
#[test]
fn every_component_is_called_though_some_panic_and_the_first_panic_goes_to_the_caller() {
    let few = run_parallel::<AtOnce>(FEW, &WILD, &nothing);
    let split = run_parallel::<AtOnceFromFew>(FEW, &WILD, &nothing);
    assert!(
        few == split,
        "the same below the number from which on it is parallel"
    );

    let first = Err("panic of 330".to_owned());
    assert_eq!(split.results[0], first);
    assert_eq!(split.results[1], first);
    // Later receivers of a broadcast are called as usual if nobody panics.
    assert_eq!(split.behind, 1);
    let failed: Vec<usize> = split.failures.iter().map(|failure| failure.2).collect();
    let expected: Vec<usize> = (0..FEW).filter(|n| n % 211 == 210).collect();
    assert_eq!(failed, expected, "each is reported, in storage order");
    for (number, sum, counted) in split.states {
        let after = |sum: u64| sum.wrapping_mul(31).wrapping_add(number);
        assert_eq!((sum, counted), (after(after(after(0))), 1), "of {number}");
    }
}

// holds: send.everyone-panic
#[test]
fn every_component_is_called_though_some_panic_also_where_it_cannot_be_parallel() {
    let in_parallel = run_parallel::<AtOnceFromFew>(FEW, &WILD, &nothing);
    let traced: &Prepare = &|manager, _| {
        Recorder::new(16).start(manager);
    };
    assert!(in_parallel == run_parallel::<AtOnceFromFew>(FEW, &WILD, traced));
    let parted: &Prepare = &|manager, ids| {
        let desk = manager.desk();
        assert!(desk.get_mut::<AtOnceFromFew>(ids[0]).is_ok());
    };
    assert!(in_parallel == run_parallel::<AtOnceFromFew>(FEW, &WILD, parted));
}

// holds: reentrancy.unhook-policy, reentrancy.unhook-goes-on, reentrancy.panicked-counts
#[test]
fn a_panic_that_ends_with_the_component_ends_with_it_alone() {
    let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
    let mut manager = MessageManager::with_config(config);
    for number in 0..FEW as u64 {
        manager.spawn((AtOnceFromFew::from(number),));
    }
    let step = Step {
        panic: 331,
        ..Step::PLAIN
    };
    let receipt = manager.send(Everyone, step).expect("everyone is there");
    assert_eq!(
        (receipt.received as usize, usize::from(receipt.failed)),
        (FEW, FEW / 331)
    );
    assert_eq!(manager.iter::<AtOnceFromFew>().count(), FEW - FEW / 331);
}

// holds: send.everyone-else
#[test]
fn a_send_to_one_or_to_everyone_else_calls_a_parallel_handler_as_any_other() {
    let mut manager = MessageManager::new();
    let ids: Vec<MessageeId> = (0..FEW as u64)
        .map(|number| manager.spawn((AtOnceFromFew::from(number),)))
        .collect();
    let receipt = manager.send(ids[3], Count).expect("it is there");
    assert_eq!(receipt.received, 1);
    let mut speaker = manager.speak_for(ids[3]).expect("it is there");
    let receipt = speaker.send(EveryoneElse, Count).expect("they are there");
    assert_eq!(receipt.received as usize, FEW - 1);
    for id in ids {
        let walker = manager.get::<AtOnceFromFew>(id).expect("it is there");
        assert_eq!(walker.state().2, 1);
    }
}

/// Where handlers were called.
#[derive(Message)]
struct WhoRuns {
    most_at_once: AtomicUsize,
    at_once: AtomicUsize,
}

struct Waits;

#[handlers]
impl Waits {
    #[on_receive(parallel = 0)]
    fn wait(&self, who: &WhoRuns) {
        let now = who.at_once.fetch_add(1, Ordering::SeqCst) + 1;
        who.most_at_once.fetch_max(now, Ordering::SeqCst);
        // Until another one is called, or for as long as a slow machine may need for that.
        for _ in 0..5_000 {
            if who.most_at_once.load(Ordering::SeqCst) > 1 {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        who.at_once.fetch_sub(1, Ordering::SeqCst);
    }
}

// holds: send.parallel-same-results
#[test]
fn components_are_called_at_once_by_several_threads() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build();
    pool.expect("there can be threads").install(|| {
        let mut manager = MessageManager::new();
        for _ in 0..FEW {
            manager.spawn((Waits,));
        }
        let mut who = WhoRuns {
            most_at_once: AtomicUsize::new(0),
            at_once: AtomicUsize::new(0),
        };
        let receipt = manager
            .send_mut(Everyone, &mut who)
            .expect("everyone is there");
        assert_eq!(receipt.received as usize, FEW);
        assert_eq!(who.most_at_once.into_inner(), 2);
    });
}
