//! Panics under the policy to unhook together with the inlet, mailboxes, interceptors, repeats, the
//! manager's own messages, and limits.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::brittle::{Butler, Cup, Dropped, Fall, Plate, panics, unhooking_stage};
use crate::chrome::chrome_of;
use crate::common::{Actor, Do, Ear, Log, Note, Peek, Tested, Tour, first_hook};
use crate::inlets::{STEP, at, to};
use crate::letters::letters;
use crate::traces::told;
use message_core::InletError;
use message_core::PanicPolicy;
use message_core::Recipient::Me;
use message_core::lifecycle::{Despawning, HandlerPanicked, Hooked, Unhooking};
use message_core::prelude::*;
use message_core::trace::{TraceOutcome, Traced};
use message_trace::{Recorder, TraceFilter};

/// Panics at every message from the manager.
struct Shy(&'static str);

#[handlers]
impl Shy {
    #[on_receive]
    fn hooked(&mut self, _: &Hooked) {
        assert!(self.0 != "hooked", "shy of hooked");
    }

    #[on_receive]
    fn unhooking(&mut self, _: &Unhooking, _: &mut Context<'_>) {
        assert!(self.0 != "unhooking", "shy of unhooking");
    }

    #[on_receive]
    fn despawning(&mut self, _: &Despawning) {
        assert!(self.0 != "despawning", "shy of despawning");
    }

    #[on_receive]
    fn panicked(&mut self, _: &HandlerPanicked) {
        assert!(self.0 != "panicked", "shy of panicked");
    }
}

// With the inlet.

// holds: reentrancy.unhook-goes-on
#[test]
fn a_panic_while_the_inlet_is_drained_holds_nothing_up() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let cup = manager.spawn((
        Cup::new("cup", &log),
        Ear::new("ear", &log),
        Butler(log.clone()),
    ));
    let inlet = manager.inlet();
    inlet.try_post(&to(cup), Note("before"))?;
    inlet.try_post(&to(cup), Fall("oops"))?;
    inlet.try_post(&to(cup), Note("behind"))?;
    inlet.try_post(&at(Stage::Update, cup), Note("staged"))?;
    assert_eq!(manager.begin_frame(STEP).drained, 4);
    assert_eq!(
        log.take(),
        [
            "cup: before",
            "ear: before",
            "unhooking Cup",
            "panicked: oops",
            "ear: behind"
        ]
    );
    assert_eq!(manager.run_stage(Stage::Update), 1);
    assert_eq!(log.take(), ["ear: staged"]);
    Ok(())
}

// holds: reentrancy.panicked-counts, threads.dead-letter
#[test]
fn a_required_receiver_of_the_inlet_that_panics_has_received_it() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let said = letters(&mut manager);
    let cup = manager.spawn((Cup::new("cup", &log),));
    let inlet = manager.inlet();
    let header = Header::to(cup).require(1).build()?;
    inlet.try_post(&header, Fall("oops"))?;
    inlet.try_post(&header, Fall("again"))?;
    assert_eq!(manager.begin_frame(STEP).dead_letters, 1);
    let said: Vec<_> = said.try_iter().map(|said| said.counts).collect();
    assert_eq!(said, [(1, 0)]);
    Ok(())
}

// holds: threads.closed
#[test]
fn a_message_that_panics_when_it_is_dropped_with_its_manager_leaves_the_inlet_closed() -> Tested {
    let (manager, _, actor) = unhooking_stage();
    let inlet = manager.inlet();
    for dropped in [Dropped::default(), Dropped::that_hurts()] {
        inlet.try_post(&to(actor), Glass(dropped))?;
    }
    assert!(catch_unwind(AssertUnwindSafe(|| drop(manager))).is_err());
    assert!(inlet.is_closed());
    let posted = inlet.post(&to(actor), Note("late"), Duration::MAX);
    assert!(matches!(posted, Err(InletError::Closed { .. })));
    Ok(())
}

// With mailboxes.

// holds: reentrancy.unhook-goes-on, mail.unchanged-in-frame
#[test]
fn what_a_handler_published_before_it_panicked_is_found_and_the_others_read_on() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    manager.publish(actor, Peek("mail"))?;
    manager.tick(STEP);
    let read = |log: &Log| {
        let log = log.clone();
        move |cx: &mut Context<'_>| {
            for mail in cx.inbox::<Peek>().to(Me) {
                log.add(mail.0);
                cx.publish(Me, Peek("answer")).expect("it is alive");
                assert!(cx.is_from_me(), "reads no further");
            }
        }
    };
    let hook = manager.hook(actor, Actor::new("second", &log))?;
    assert_eq!(manager.send(actor, Do::new(read(&log)))?.failed, 1);
    assert!(
        manager
            .get::<Actor>(actor)
            .is_ok_and(|actor| actor.name == "second")
    );
    assert_eq!(first_hook(&manager, actor), hook);
    assert_eq!(manager.send(actor, Do::new(read(&log)))?.failed, 1);
    assert_eq!(manager.hooks(actor).count(), 0);
    assert_eq!(manager.inbox::<Peek>().to(actor).count(), 1);
    manager.tick(STEP);
    assert_eq!(manager.inbox::<Peek>().from(actor).to(actor).count(), 2);
    assert_eq!(log.take(), ["mail", "mail"]);
    Ok(())
}

#[derive(Message)]
struct Glass(#[allow(dead_code, reason = "only dropped")] Dropped);

// holds: mail.dropped-once, reentrancy.unhook-panic-outside
#[test]
fn mail_that_panics_when_it_is_dropped_goes_to_the_caller_and_the_next_frame_is_whole() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    // No mail is kept for a pass of `FixedUpdate`.
    manager.set_fixed_step(std::time::Duration::ZERO);
    let ear = manager.spawn((Ear::new("ear", &log),));
    let inlet = manager.inlet();
    let whole = Dropped::default();
    let count = whole.counter();
    for dropped in [Dropped::default(), Dropped::that_hurts(), whole] {
        manager.publish(actor, Glass(dropped))?;
    }
    manager.publish(actor, Note("first"))?;
    manager.tick(STEP);
    manager.publish(actor, Note("second"))?;
    inlet.try_post(&to(ear), Note("drained"))?;
    assert!(panics(&mut manager, |it| _ = it.begin_frame(STEP)));
    assert_eq!(count(), 1);
    assert_eq!(manager.clock().frame(), 2);
    assert!(manager.inbox::<Glass>().is_empty());
    let found: Vec<_> = manager.inbox::<Note>().iter().map(|note| note.0).collect();
    assert_eq!(found, ["second"]);
    assert_eq!(inlet.len(), 1);
    assert_eq!(manager.begin_frame(STEP).drained, 1);
    assert_eq!(log.take(), ["ear: drained"]);
    Ok(())
}

// With subscribers.

// holds: reentrancy.panicked-counts, reentrancy.unhook-subscriber
#[test]
fn an_interceptor_that_panics_lets_the_message_pass_and_is_gone() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    manager.subscribe(Filter::of::<HandlerPanicked>(), {
        let log = log.clone();
        move |panicked, _| log.add(panicked.panic.clone())
    });
    let before = Filter::of::<Note>().before();
    let id = manager.subscribe(before, |_: &mut Note, _| -> ControlFlow<()> {
        panic!("no entry");
    });
    let header = Header::to(ear).require(1).build()?;
    manager.inlet().try_post(&header, Note("one"))?;
    manager.tick(STEP);
    assert_eq!(log.take(), ["ear: one", "no entry"]);
    assert!(!manager.unsubscribe(id));
    manager.send(ear, Note("two"))?;
    assert_eq!(log.take(), ["ear: two"]);
    Ok(())
}

// holds: reentrancy.unhook-subscriber
#[test]
fn a_subscriber_with_a_stage_of_its_own_that_panics_hears_nothing_of_what_waits_for_it() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    Recorder::new(1_000).start(&mut manager);
    let staged = Filter::of::<Note>().stage(Stage::Update);
    let shared = log.clone();
    manager.subscribe(staged, move |note, _| {
        shared.add(note.0);
        panic!("{}", note.0);
    });
    for text in ["one", "two"] {
        let receipt = manager.send(actor, Note(text))?;
        assert_eq!((receipt.received, receipt.pending), (1, 1));
    }
    manager.run_stage(Stage::Update);
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["actor: one", "actor: two", "one"]);
    assert_eq!(told(&manager).deliveries::<HandlerPanicked>().len(), 0);
    assert_eq!(told(&manager).sends::<HandlerPanicked>().len(), 1);
    Ok(())
}

// holds: reentrancy.unhook-subscriber, subscriptions.with-retained
#[test]
fn retained_messages_that_a_new_subscriber_panics_at_stay_for_the_next() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    let other = manager.spawn((Ear::new("ear", &log),));
    for who in [actor, other] {
        manager.post(&Header::to(who).retain().build()?, Note("kept"))?;
    }
    log.take();
    let filter = || Filter::of::<Note>().with_retained();
    let shared = log.clone();
    manager.subscribe(
        filter(),
        move |note: &Note, _: &mut SubscriberContext<'_>| {
            shared.add(note.0);
            panic!("first");
        },
    );
    assert_eq!(log.take(), ["kept"]);
    let shared = log.clone();
    manager.subscribe(
        filter(),
        move |note: &Note, _: &mut SubscriberContext<'_>| {
            shared.add(note.0);
        },
    );
    assert_eq!(log.take(), ["kept", "kept"]);
    Ok(())
}

// With repeats.

// holds: reentrancy.unhook-goes-on
#[test]
fn what_repeats_goes_on_to_those_who_are_left() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let all = manager.spawn((Plate::new("one", &log), Plate::new("two", &log)));
    let header = Header::to(all).every_frames(1).times(3).build()?;
    let ticket = manager.post(&header, Fall("one"))?;
    manager.tick(STEP);
    assert_eq!(log.take(), ["two: stands"]);
    assert!(manager.has_pending(ticket));
    manager.tick(STEP);
    manager.tick(STEP);
    manager.tick(STEP);
    assert_eq!(log.take(), ["two: stands", "two: stands"]);
    assert!(!manager.has_pending(ticket));
    Ok(())
}

// With the manager's own messages.

// holds: reentrancy.unhook-policy
#[test]
fn a_component_that_panics_at_its_own_hooking_is_gone_when_the_call_returns() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let shy = manager.spawn((Shy("hooked"), Butler(log.clone())));
    assert!(manager.get::<Shy>(shy).is_err());
    let hook = manager.hook(shy, Shy("hooked"))?;
    assert_eq!(
        manager.set_enabled(hook, false),
        Err(MessageeError::NotHooked {
            hook,
            why: Absence::Gone
        })
    );
    assert_eq!(
        log.take(),
        [
            "unhooking Shy",
            "panicked: shy of hooked",
            "unhooking Shy",
            "panicked: shy of hooked"
        ]
    );
    Ok(())
}

// holds: messagees.unhook-gives-back, reentrancy.unhook-policy
#[test]
fn a_component_that_panics_at_its_own_unhooking_is_given_back_all_the_same() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let shy = manager.spawn((Shy("unhooking"), Butler(log.clone())));
    let hook = first_hook(&manager, shy);
    let back = manager.unhook::<Shy>(hook)?;
    assert_eq!(back.0, "unhooking");
    assert_eq!(log.take(), ["unhooking Shy", "panicked: shy of unhooking"]);
    assert!(manager.get::<Shy>(shy).is_err());
    Ok(())
}

// holds: reentrancy.unhook-goes-on
#[test]
fn a_component_that_panics_at_its_own_despawning_holds_nothing_up() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    Recorder::new(1_000).start(&mut manager);
    for from_a_handler in [false, true] {
        let shy = manager.spawn((Shy("despawning"), Shy("unhooking"), Butler(log.clone())));
        let child = manager.spawn((Shy("despawning"), Ear::new("ear", &log)));
        manager.set_parent(child, Some(shy))?;
        if from_a_handler {
            manager.send(
                actor,
                Do::new(move |cx| cx.despawn(shy).expect("it is alive")),
            )?;
        } else {
            manager.despawn(shy)?;
        }
        assert!(!manager.is_alive(shy) && !manager.is_alive(child));
        assert_eq!(manager.iter::<Shy>().count(), 0);
    }
    chrome_of(
        &*Recorder::of(&manager).ok_or("it records")?,
        &TraceFilter::all(),
    );
    log.take();
    manager.send(actor, Note("goes on"))?;
    assert_eq!(log.take(), ["actor: goes on"]);
    Ok(())
}

// holds: reentrancy.unhook-policy, reentrancy.unhook-subscriber
#[test]
fn panics_at_being_told_of_a_panic_come_to_an_end() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let cup = manager.spawn((
        Shy("panicked"),
        Shy("panicked"),
        Cup::new("cup", &log),
        Butler(log.clone()),
    ));
    let id = manager.subscribe(Filter::of::<HandlerPanicked>(), |_, _| panic!("I, too"));
    manager.send(cup, Fall("oops"))?;
    assert_eq!(manager.hooks(cup).count(), 1);
    assert!(!manager.unsubscribe(id));
    let panicked = log
        .take()
        .into_iter()
        .filter(|line| line.starts_with("panicked"));
    assert_eq!(
        panicked.collect::<Vec<_>>(),
        [
            "panicked: oops",
            "panicked: shy of panicked",
            "panicked: shy of panicked",
            "panicked: I, too"
        ]
    );
    Ok(())
}

// With limits.

/// Sends itself two for each that it receives, and panics at the tenth.
struct Swarm {
    received: u32,
    refused: u32,
}

#[derive(Message, Clone, Debug)]
struct Bee;

#[handlers]
impl Swarm {
    #[on_receive]
    fn bee(&mut self, _: &Bee, cx: &mut Context<'_>) {
        self.received += 1;
        for _ in 0..2 {
            self.refused += u32::from(cx.send(Everyone, Bee).is_err());
        }
        assert!(self.received < 10, "stung");
    }
}

// holds: reentrancy.panicked-not-called
#[test]
fn a_storm_ends_when_those_who_make_it_panic_and_the_limits_are_as_before() -> Tested {
    let config = ManagerConfig::new()
        .panic_policy(PanicPolicy::Unhook)
        .max_kept(30);
    let mut manager = MessageManager::with_config(config);
    let swarm = || Swarm {
        received: 0,
        refused: 0,
    };
    let (one, two) = (manager.spawn((swarm(),)), manager.spawn((swarm(),)));
    Recorder::new(10_000).start(&mut manager);
    for _ in 0..20 {
        manager.send(Everyone, Bee)?;
    }
    assert_eq!(manager.hooks(one).count() + manager.hooks(two).count(), 0);
    let told = told(&manager);
    let panicked = told.0.iter().filter(|event| {
        matches!(&event.what, Traced::Returned { outcome, .. } if *outcome == TraceOutcome::Panicked)
    });
    assert_eq!(panicked.count(), 2);
    chrome_of(
        &*Recorder::of(&manager).ok_or("it records")?,
        &TraceFilter::all(),
    );
    let mut tour = Tour::default();
    assert_eq!(manager.send_mut(Everyone, &mut tour)?.received, 0);
    Ok(())
}
