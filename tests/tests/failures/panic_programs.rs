//! Random little programs whose handlers panic, with everything that they did in a recording.

use std::collections::{HashMap, HashSet};

use crate::programs::{check_rest, play};
use message_core::PanicPolicy::{self, Propagate, Unhook};
use message_core::lifecycle::HandlerPanicked;
use message_core::prelude::*;
use message_core::trace::{SentBy, TraceEvent, TraceOutcome, Traced};
use message_trace::Recorder;

/// Runs a program with everything recorded. Returns what its components wrote, and the recorded events.
fn recording_of(dice: u64, policy: PanicPolicy) -> (Vec<String>, Vec<TraceEvent>) {
    let config = ManagerConfig::new().panic_policy(policy).max_depth(12);
    let begin = |manager: &mut MessageManager| {
        Recorder::new(1 << 20).start(manager);
    };
    let (log, mut manager) = play(dice, config, true, begin, |_| {});
    let recorder = Recorder::stop(&mut manager).expect("it was started");
    assert_eq!(recorder.overwritten(), 0);
    (log, recorder.events().cloned().collect())
}

fn has_panicked(event: &TraceEvent) -> bool {
    matches!(
        event.what,
        Traced::Returned {
            outcome: TraceOutcome::Panicked,
            ..
        }
    )
}

// holds: reentrancy.panic-to-caller, reentrancy.unhook-policy
#[test]
fn under_unhook_no_panic_of_any_program_escapes_and_many_do_propagate() {
    let (mut propagated, mut caught) = (0, 0);
    for dice in 0..200 {
        let escapes = |log: &[String]| {
            let lines = log.iter();
            lines.filter(|line| *line == "(\"escaped\", true)").count()
        };
        let (log, events) = recording_of(dice, Unhook);
        assert_eq!(escapes(&log), 0, "program {dice}");
        caught += events.iter().filter(|event| has_panicked(event)).count();
        propagated += escapes(&recording_of(dice, Propagate).0);
    }
    assert!(propagated > 200 && caught > 200, "{propagated}, {caught}");
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn after_each_step_of_any_program_everybody_can_be_reached() {
    for dice in 0..200 {
        for policy in [Propagate, Unhook] {
            let config = ManagerConfig::new().panic_policy(policy).max_depth(12);
            play(dice, config, true, |_| {}, check_rest);
        }
    }
}

// holds: reentrancy.panicked-not-called
#[test]
fn under_unhook_who_has_panicked_is_never_called_again() {
    for dice in 0..200 {
        let (_, events) = recording_of(dice, Unhook);
        let mut hooks = HashMap::new();
        let mut gone: HashSet<HookId> = HashSet::new();
        for event in &events {
            match &event.what {
                Traced::Called {
                    delivery,
                    hook: Some(hook),
                    ..
                } => {
                    assert!(!gone.contains(hook), "program {dice}: {event:?}");
                    hooks.insert(*delivery, *hook);
                }
                Traced::Returned { delivery, .. } if has_panicked(event) => {
                    gone.extend(hooks.get(delivery));
                }
                _ => {}
            }
        }
    }
}

// holds: reentrancy.unhook-policy, seeing.cause-of-change
#[test]
fn under_unhook_each_panic_is_told_once_and_because_of_it() {
    for dice in 0..200 {
        let (_, events) = recording_of(dice, Unhook);
        let panicked = events.iter().filter(|event| has_panicked(event));
        let panicked: HashSet<_> = panicked.filter_map(|it| it.what.delivery()).collect();
        let told = events.iter().filter_map(|event| match event.what {
            Traced::Sent { cause, .. } if event.message_id == HandlerPanicked::ID => cause,
            _ => None,
        });
        let mut told: Vec<_> = told.collect();
        told.sort_unstable();
        assert!(told.windows(2).all(|two| two[0] < two[1]), "program {dice}");
        assert_eq!(panicked, told.into_iter().collect(), "program {dice}");
    }
}

// holds: seeing.numbers
#[test]
fn under_either_policy_deliveries_nest_and_each_returns_once() {
    for dice in 0..200 {
        for policy in [Propagate, Unhook] {
            let (_, events) = recording_of(dice, policy);
            let (mut sent, mut open) = (HashSet::new(), Vec::new());
            let mut published = HashSet::new();
            for event in &events {
                match &event.what {
                    Traced::Sent { cause, by, .. } => {
                        assert!(sent.insert(event.send), "program {dice}: {event:?}");
                        // The running delivery has caused it, unless it is the end of the send.
                        let running = open.last().copied();
                        let is_nested = running.is_some() && cause.is_some();
                        let is_outermost = running.is_none();
                        assert!(is_nested || is_outermost, "{dice} {by:?} {event:?}");
                        // Whatever is done about a letter is caused by it.
                        let is_caused = *cause == running || published.contains(cause);
                        assert!(!is_nested || is_caused, "{dice}: {event:?}");
                        if *by == SentBy::Publish {
                            published.insert(event.send);
                        }
                    }
                    Traced::Called { delivery, .. } => {
                        assert!(sent.contains(&event.send), "program {dice}: {event:?}");
                        open.push(*delivery);
                    }
                    Traced::Returned { delivery, .. } => {
                        assert_eq!(open.pop(), Some(*delivery), "program {dice}");
                    }
                    _ => {}
                }
            }
            assert!(open.is_empty(), "program {dice}");
        }
    }
}
