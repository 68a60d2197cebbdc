//! Overhearing messages that wait for a running component or for a stage; how they are counted and
//! reported.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::{Actor, Do, Ear, Log, Note, Peek, Tested, Tour, first_hook, stage};
use message_core::PanicPolicy;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::report::{Report, ReportTo};

mnemonic!(LEADER);
group!(SQUAD);

/// Declines every other note.
struct Picky(Log);

#[handlers]
impl Picky {
    #[on_receive]
    fn note(&mut self, note: &Note) -> bool {
        self.0.add(format!("picky: {}", note.0));
        note.0 != "no"
    }

    #[on_receive]
    fn act(&mut self, script: &mut Do, cx: &mut Context<'_>) {
        script.run(cx);
    }
}

/// Has the runner act while the receiver is running.
fn meanwhile(
    runner: MessageeId,
    script: impl FnOnce(&mut Context<'_>) -> Result<(), SendError> + Send + 'static,
) -> Do {
    Do::new(move |cx| {
        let script = Do::new(move |cx| script(cx).expect("they are alive"));
        cx.send(runner, script).expect("it is alive");
    })
}

/// Returns a manager with a messagee that overhears, one that runs, and one that nobody listens to.
fn cast() -> (MessageManager, Log, [MessageeId; 3]) {
    let (mut manager, log, spy) = stage();
    let runner = manager.spawn((Actor::new("runner", &log),));
    let one = manager.spawn(());
    (manager, log, [spy, runner, one])
}

// holds: overhearing.ended-while-waiting
#[test]
fn what_is_kept_is_not_overheard_if_the_subscription_has_ended_or_is_paused_then() -> Tested {
    for pauses in [false, true] {
        for once in [false, true] {
            let (mut manager, log, [spy, runner, one]) = cast();
            let filter = Filter::of::<Note>();
            let filter = if once { filter.once() } else { filter };
            let subscription = manager.overhear(spy, filter)?;
            let script = meanwhile(runner, move |cx| {
                assert_eq!(cx.send(one, Note("kept"))?.pending, 1);
                // Also one that is once: nobody has received anything.
                assert!(cx.is_listening(subscription));
                if pauses {
                    assert!(cx.set_listening(subscription, false));
                } else {
                    assert!(cx.unsubscribe(subscription));
                }
                Ok(())
            });
            manager.send(spy, script)?;
            assert!(log.take().is_empty());
        }
    }
    Ok(())
}

// holds: overhearing.once
#[test]
fn one_that_is_once_goes_on_if_what_was_kept_is_declined() -> Tested {
    let (mut manager, log, [_, runner, one]) = cast();
    let picky = manager.spawn((Picky(log.clone()),));
    let subscription = manager.overhear(picky, Filter::of::<Note>().once())?;
    let send = |note| meanwhile(runner, move |cx| cx.send(one, Note(note)).map(|_| ()));
    manager.send(picky, send("no"))?;
    assert!(manager.is_listening(subscription));
    manager.send(picky, send("yes"))?;
    assert!(!manager.is_listening(subscription));
    assert_eq!(log.take(), ["picky: no", "picky: yes"]);
    Ok(())
}

// holds: overhearing.once
#[test]
fn by_one_that_is_once_all_components_overhear_the_one_message() -> Tested {
    let (mut manager, log, [spy, runner, one]) = cast();
    manager.hook(spy, Ear::new("ear", &log))?;
    manager.hook(spy, Actor::new("other", &log))?;
    let subscription = manager.overhear(spy, Filter::of::<Note>().once())?;
    let actors: Vec<HookId> = manager.hooks_of::<Actor>(spy).collect();
    let script = meanwhile(runner, move |cx| {
        // Both actors are running, the ear is not.
        let receipt = cx.send(one, Note("1"))?;
        assert_eq!((receipt.received, receipt.pending), (1, 2));
        assert_eq!(cx.send(one, Note("2"))?.pending, 0);
        Ok(())
    });
    let other = actors[1];
    let script = Do::new(move |cx| drop(cx.send(other, script)));
    manager.send(actors[0], script)?;
    assert_eq!(log.take(), ["ear: 1", "other: 1", "actor: 1"]);
    assert!(!manager.is_listening(subscription));
    Ok(())
}

// holds: overhearing.counts
#[test]
fn a_component_that_overhears_later_does_not_count_as_pending_if_the_filter_is_hidden() -> Tested {
    let (mut manager, log, [spy, runner, one]) = cast();
    manager.overhear(spy, Filter::of::<Note>().hidden())?;
    let script = meanwhile(runner, move |cx| {
        assert_eq!(cx.send(one, Note("1"))?.pending, 0);
        Ok(())
    });
    manager.send(spy, script)?;
    assert_eq!(log.take(), ["actor: 1"]);
    Ok(())
}

// holds: overhearing.is-overheard
#[test]
fn a_newborn_in_the_place_of_one_that_has_overheard_is_addressed() -> Tested {
    /// Notes whether it has overheard.
    struct Spy(Log, &'static str);

    #[handlers]
    impl Spy {
        #[on_receive]
        fn note(&mut self, _: &Note, cx: &mut Context<'_>) {
            self.0.add(format!("{}: {}", self.1, cx.is_overheard()));
        }

        #[on_receive]
        fn act(&mut self, script: &mut Do, cx: &mut Context<'_>) {
            script.run(cx);
        }
    }

    let (mut manager, log, [actor, runner, _]) = cast();
    let spy = manager.spawn((Spy(log.clone(), "spy"),));
    manager.overhear(spy, Filter::of::<Note>())?;
    let hook = first_hook(&manager, spy);
    manager.set_enabled(hook, false)?;
    let newborn = Spy(log.clone(), "newborn");
    let script = Do::new(move |cx| {
        let born = cx.spawn((newborn,));
        for id in [cx.me(), born] {
            cx.join(SQUAD, id).expect("it will be alive");
        }
        // It makes room for the newborn, which comes before those that are enabled change sides.
        cx.set_enabled(hook, true).expect("it is there");
        let script = meanwhile(runner, |cx| cx.send(SQUAD, Note("1")).map(|_| ()));
        cx.send(spy, script).expect("it is alive");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["spy: true", "actor: 1", "newborn: false"]);
    Ok(())
}

// holds: subscriptions.to-mnemonic-when-sent, overhearing.decided-when-sent
#[test]
fn what_was_sent_to_a_mnemonic_is_overheard_as_it_was_bound_then() -> Tested {
    let (mut manager, log, [spy, runner, one]) = cast();
    manager.bind(LEADER, one)?;
    manager.overhear(spy, Filter::of::<Note>().to(one))?;
    let interceptor = move |note: &mut Note, cx: &mut SubscriberContext<'_>| {
        if note.0 == "first" {
            let script = Do::new(move |cx| {
                // It waits for the interceptor.
                cx.send(LEADER, Note("second")).expect("it is bound");
                cx.unbind(LEADER, one).expect("it is bound");
                cx.bind(LEADER, spy).expect("it is free");
            });
            cx.send(runner, script).expect("it is alive");
        }
    };
    manager.subscribe(Filter::of::<Note>().before(), interceptor);
    manager.send(runner, Note("first"))?;
    assert_eq!(log.take(), ["actor: second", "runner: first"]);
    Ok(())
}

// Stages.

// holds: overhearing.not-twice
#[test]
fn what_reaches_it_anyway_does_not_wait_for_its_stage() -> Tested {
    let (mut manager, log, [spy, _, one]) = cast();
    let filter = Filter::of::<Note>().stage(Stage::LateUpdate).once();
    manager.overhear(spy, filter)?;
    let receipt = manager.send(spy, Note("addressed"))?;
    assert_eq!((receipt.received, receipt.pending), (1, 0));
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["actor: addressed"]);
    // It has not had its one message.
    assert_eq!(manager.send(one, Note("overheard"))?.pending, 1);
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["actor: overheard"]);

    manager.overhear(spy, Filter::of::<Tour>().stage(Stage::LateUpdate))?;
    let dead = log.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        dead.add(letter.name);
    });
    // Nobody needs a copy of it.
    manager.send_mut(spy, &mut Tour::default())?;
    assert!(log.take().is_empty());
    Ok(())
}

// holds: overhearing.decided-when-sent
#[test]
fn that_it_overhears_in_a_stage_is_settled_when_the_message_is_sent() -> Tested {
    let (mut manager, log, [spy, ..]) = cast();
    manager.overhear(spy, Filter::of::<Note>().stage(Stage::LateUpdate))?;
    manager.send(SQUAD, Note("1"))?;
    manager.join(SQUAD, spy)?;
    manager.send(SQUAD, Note("2"))?;
    manager.leave(SQUAD, spy)?;
    manager.send(SQUAD, Note("3"))?;
    manager.join(SQUAD, spy)?;
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["actor: 2", "actor: 1", "actor: 3"]);
    Ok(())
}

#[test]
fn a_component_whose_guard_was_leaked_overhears_in_its_stage() -> Tested {
    let (mut manager, log, [spy, _, one]) = cast();
    manager.overhear(spy, Filter::of::<Note>().stage(Stage::LateUpdate))?;
    manager.post(Header::to(one).retain(), Note("1"))?;
    std::mem::forget(manager.get::<Actor>(spy)?);
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["actor: 1"]);
    let late = manager.spawn((Actor::new("late", &log),));
    std::mem::forget(manager.get::<Actor>(late)?);
    manager.overhear(late, Filter::of::<Note>().with_retained())?;
    assert_eq!(log.take(), ["late: 1"]);
    Ok(())
}

// Counting and telling.

// holds: overhearing.counts, overhearing.not-own
#[test]
fn each_component_that_will_overhear_counts_as_one_that_will_receive() -> Tested {
    let (mut manager, log, [spy, runner, one]) = cast();
    manager.hook(spy, Ear::new("ear", &log))?;
    manager.overhear(spy, Filter::of::<Note>())?;
    // It has no handler for it, or has sent it.
    manager.overhear(one, Filter::of::<Note>())?;
    manager.overhear(runner, Filter::of::<Note>())?;
    let script = Do::new(|cx| {
        let newborn = cx.spawn(());
        let receipt = cx.send(newborn, Note("1")).expect("it will be alive");
        assert_eq!(receipt.pending, 2);
        let required = Header::to(newborn).require(2);
        assert!(cx.post(required, Note("2")).is_ok());
        let required = Header::to(newborn).require(3);
        assert!(cx.post(required, Note("3")).is_err());
    });
    manager.send(runner, script)?;
    assert_eq!(log.take().len(), 4);
    manager.overhear(spy, Filter::of::<Peek>().stage(Stage::LateUpdate))?;
    assert_eq!(manager.send(one, Peek("4"))?.pending, 2);
    Ok(())
}

// holds: failures.told
#[test]
fn a_failure_that_nobody_receives_is_reported_though_somebody_overhears_all_types() -> Tested {
    static REPORTS: AtomicUsize = AtomicUsize::new(0);

    struct Brittle;

    #[handlers]
    impl Brittle {
        #[on_receive]
        fn note(&mut self, _: &Note) -> Result<(), &'static str> {
            Err("brittle")
        }

        #[on_receive]
        fn peek(&mut self, _: &Peek) {
            panic!("brittle");
        }
    }

    fn report(_: &Report) {
        REPORTS.fetch_add(1, Ordering::Relaxed);
    }

    let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
    let mut manager = MessageManager::with_config(config.report_to(ReportTo::Function(report)));
    let brittle = manager.spawn((Brittle,));
    let spy = manager.spawn((Ear::new("spy", &Log::default()),));
    manager.overhear(spy, Filter::all())?;
    manager.overhear(spy, Filter::all().hidden())?;
    manager.send(brittle, Note("fails"))?;
    assert_eq!(REPORTS.swap(0, Ordering::Relaxed), 1);
    let header = Header::to(spy).stage(Stage::Update).require(9);
    manager.post(header, Note("too few"))?;
    manager.tick(Duration::ZERO);
    assert_eq!(REPORTS.swap(0, Ordering::Relaxed), 1);
    manager.send(brittle, Peek("panics"))?;
    assert_eq!(REPORTS.swap(0, Ordering::Relaxed), 1);
    Ok(())
}
