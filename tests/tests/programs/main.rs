//! The contract checked against a model written from its text: random programs, run by the manager
//! and by the model, must do the same.
//!
//! `MODEL_CASES=1000000 cargo test --release -p message-tests --test programs` runs more of them, and
//! `MODEL_CASE=17` one. A program on which they differ is shrunk, and printed as a test.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]
#![allow(
    clippy::struct_excessive_bools,
    clippy::too_many_lines,
    reason = "a model says everything in one place, line by line as the contract does"
)]

mod far;
mod found;
mod generate;
mod naive;
mod program;
mod real;
mod shrink;

use std::panic::AssertUnwindSafe;

use program::{Line, Program, Step};

/// How many lines handlers run for one step from outside.
const BUDGET: u32 = 60;

/// How deep the messages nest that make handlers run scripts.
const FUEL: u32 = 3;

/// The step of `FixedUpdate` in milliseconds, and the maximum number of steps in a frame.
const FIXED_STEP: u64 = 10;
const MOST_FIXED_STEPS: u32 = 3;

/// How many frames pass, without time, until two worlds have met.
const MEETING: u64 = 10;

/// Added to the number of a message in the answer of another world.
const ANSWER: u32 = 100_000;

/// The observations of a program: for each step, what happened in order, and what was reported after it.
#[derive(Debug)]
struct Run {
    steps: Vec<(Vec<String>, Vec<String>)>,
    /// Whether a panic has left something, which may be reported before or after the cause of a later panic.
    is_unsettled: bool,
}

impl Run {
    fn new() -> Self {
        Self {
            steps: Vec::new(),
            is_unsettled: false,
        }
    }

    /// Records a step that has ended with `ended`, and the reports in `aside` once they are complete.
    fn push(&mut self, step: &Step, ended: &str, log: Vec<String>, aside: &mut Vec<String>) {
        // A header that contradicts itself is refused before anything is done.
        let is_refused = ended == "nothing" || ended.ends_with(": Header");
        let only_reads = matches!(
            step,
            Step::Do(Line::Find(_) | Line::Read(..) | Line::Letter(..))
        );
        if ended.starts_with("caught") {
            self.is_unsettled = true;
        } else if !only_reads && !is_refused {
            self.is_unsettled = false;
        }
        let mut told = Vec::new();
        if !self.is_unsettled {
            told.append(aside);
            told.sort();
        }
        self.steps.push((log, told));
    }
}

/// Returns the first step in which the two differ, with what each did.
fn difference(program: &Program) -> Option<String> {
    let real = std::panic::catch_unwind(|| real::run(program));
    let naive = naive::run(program);
    let Ok(real) = real else {
        return Some("the manager has panicked".into());
    };
    first_difference(program, [("the manager", &real), ("the model", &naive)])
}

/// Returns the first step in which two runs differ, with what each did.
fn first_difference(program: &Program, runs: [(&str, &Run); 2]) -> Option<String> {
    let [(one, real), (other, naive)] = runs;
    let both = real.steps.iter().zip(&naive.steps);
    let at = both.into_iter().position(|(real, naive)| real != naive)?;
    let ((real, real_aside), (naive, naive_aside)) = (&real.steps[at], &naive.steps[at]);
    let same = real.iter().zip(naive).take_while(|(a, b)| a == b).count();
    // The steps that both have taken, as far as a reader needs them, and a few that follow.
    let before = real[same.saturating_sub(40)..same].join("\n  ");
    let then = |log: &[String]| log[same..log.len().min(same + 4)].join("\n  ");
    Some(format!(
        "step {at}, {:?}\n\nboth:\n  {before}\n{one}:\n  {}\n  and told: {real_aside:?}\n{other}:\n  {}\n  and \
         told: {naive_aside:?}\n",
        program.steps[at],
        then(real),
        then(naive),
    ))
}

/// Asserts that the manager does the same with this program as the model.
fn holds(program: &Program) {
    if let Some(difference) = difference(program) {
        panic!("{difference}");
    }
}

fn number(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("{name} is {value}: expected a number")),
    )
}

fn check(case: u64) {
    let program = generate::program(case);
    if difference(&program).is_none() {
        return;
    }
    let smallest = shrink::shrink(program, |program| difference(program).is_some());
    let difference = difference(&smallest).expect("it fails still");
    panic!("case {case}: the manager and the model differ\n\n{smallest}\n{difference}");
}

// holds: send.depth-first, send.receipt, send.mut-in-out, send.request-first-answer, send.request-none,
// send.request-all, send.to-id-order, send.everyone-order, send.everyone-else, send.everyone-else-dead-sender,
// send.up-down-order, send.up-down-mnemonic, send.break-consumes, send.break-at-messagee, send.break-at-messagee-everyone,
// send.break-at-messagee-hook, send.handler-error, send.to-hook, send.hook-gone,
// send.to-group, send.me-from-outside, reentrancy.busy-kept, reentrancy.busy-request, reentrancy.shared-nests,
// reentrancy.waits-behind-kept, reentrancy.request-ignores-kept, reentrancy.addresses-at-once,
// reentrancy.existence-waits, reentrancy.leaving-mnemonic-rebound, reentrancy.leaving-unchangeable,
// reentrancy.receivers-at-begin, reentrancy.leaving-skipped, reentrancy.newborn-send,
// reentrancy.newborn-by-other-address, reentrancy.newborn-order, reentrancy.newborn-request,
// reentrancy.new-hook-send, reentrancy.new-hook-disabled, reentrancy.new-hook-request,
// reentrancy.mnemonic-when-sent, reentrancy.unhook-policy, reentrancy.unhook-goes-on, reentrancy.unhook-subscriber,
// messagees.stale-id, messagees.despawn-takes-along, messagees.disabled, messagees.parent-cycle,
// messagees.mnemonic-bound-once, messagees.mnemonic-freed, messagees.mnemonic-unbound,
// messagees.leaving-subscriptions, messagees.despawn-ends, messagees.despawn-bound-messages, headers.post-to-gone,
// headers.recipient-goes-later, headers.mnemonic-when-delivered, headers.if-alive, headers.sender-from-outside,
// time.due-order, time.frame-delay, time.unscaled-behind, time.delivery-is-outermost, time.own-stage-next-pass,
// time.fixed-follows, time.max-fixed-steps, time.scale-from-next-frame, time.paused, time.repeat-period,
// time.repeat-ends, time.cancelled-never-delivered, time.key-replaces, time.key-is-senders, time.key-cancels,
// subscriptions.order, subscriptions.unreceived-heard, subscriptions.filter-all, subscriptions.returns-false,
// subscriptions.returns-break, subscriptions.paused, subscriptions.pause-at-once, subscriptions.pause-under-way,
// subscriptions.pause-kept, subscriptions.hidden, subscriptions.once, subscriptions.once-ended-when-called,
// subscriptions.before, subscriptions.before-counts, subscriptions.consumed-unheard, subscriptions.made-in-handler,
// subscriptions.ended-in-handler, subscriptions.busy-kept, subscriptions.sender, subscriptions.owner,
// overhearing.own-handlers, overhearing.is-overheard, overhearing.not-twice, overhearing.not-own,
// overhearing.no-loop, overhearing.ended-while-waiting, overhearing.once, overhearing.counts, overhearing.busy,
// overhearing.owner, wires.fires, wires.not-a-receiver, wires.mnemonic-when-sent, wires.post-in-order, wires.sender,
// wires.name-when-fired, wires.name-of-several, wires.times, wires.dead-letter, saves.goes-on, saves.not-saved,
// proxies.written-to-outbox, proxies.counts, proxies.consumed-before, proxies.everyone-is-here,
// proxies.post-to-many, proxies.elsewhere, proxies.mail-to-many, required.not-received, mail.next-frame, mail.to-id,
// mail.reaching, send.addressee, send.addressee-same-for-all, send.addressee-of-many, reentrancy.switched-meanwhile,
// reentrancy.panic-to-caller, reentrancy.panic-loses-nothing, reentrancy.panic-under-way,
// reentrancy.panic-left-order, time.panic-in-pass, subscriptions.to-id, subscriptions.to-hook,
// subscriptions.to-mnemonic-when-sent, subscriptions.stage, subscriptions.stage-waits-from-end,
// subscriptions.stage-consumed, subscriptions.stage-ended, subscriptions.stage-once, subscriptions.once-kept,
// subscriptions.retain, subscriptions.retained-by-name, subscriptions.retained-for-hook,
// subscriptions.with-retained, subscriptions.retained-holder, subscriptions.retained-while-paused,
// overhearing.decided-when-sent, overhearing.retained, overhearing.anew, threads.delivered-when,
// threads.without-stage, threads.with-stage, threads.sender, threads.drain-ends, threads.refused-at-once,
// threads.dead-letter, threads.panic-while-drained
#[test]
fn random_programs_do_what_the_contract_says() {
    if let Some(case) = number("MODEL_CASE") {
        return check(case);
    }
    each_case(4_000, check);
}

fn each_case(cases: u64, check: fn(u64)) {
    let cases = number("MODEL_CASES").unwrap_or(cases);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                let mut case = thread;
                while case < cases {
                    check(case);
                    case += threads;
                }
            });
        }
    });
}

/// Checks that a program does the same whether or not the manager goes back on the way. A carrier does not go back, so
/// there are no proxies.
fn check_rewound(case: u64) {
    let mut program = generate::program(case);
    program.far = 0;
    let mut lots = generate::Lots::new(case);
    let rewound = std::panic::catch_unwind(AssertUnwindSafe(|| real::rewound(&program, &mut lots)));
    let rewound = rewound.unwrap_or_else(|_| panic!("case {case}: see above\n\n{program}"));
    let Some(rewound) = rewound else { return };
    let straight = real::run(&program);
    let runs = [("back and forth", &rewound), ("straight on", &straight)];
    let difference = first_difference(&program, runs);
    if let Some(difference) = difference {
        panic!("case {case}\n\n{program}\n{difference}");
    }
}

// holds: snapshots.same-again, snapshots.subscriptions-back, snapshots.closures-kept
#[test]
fn a_program_whose_manager_goes_back_does_the_same_again() {
    if let Some(case) = number("MODEL_CASE") {
        return check_rewound(case);
    }
    each_case(2_000, check_rewound);
}
