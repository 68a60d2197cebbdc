//! Subscriptions with a stage of their own: they receive their messages in the next pass of that
//! stage, after the posted ones.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::common::{Do, Ear, Log, Note, Tested, Tour, Who, panic_of, stage};
use message_core::Recipient::Me;
use message_core::error::Undelivered;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;

/// Returns a subscriber of notes that logs them.
fn notes(
    log: &Log,
    name: &'static str,
) -> impl FnMut(&Note, &mut SubscriberContext<'_>) + Send + 'static {
    let log = log.clone();
    move |note, _| log.add(format!("{name}: {}", note.0))
}

/// Returns a subscriber of tours that logs them.
fn tours(
    log: &Log,
    name: &'static str,
) -> impl FnMut(&Tour, &mut SubscriberContext<'_>) + Send + 'static {
    let log = log.clone();
    move |tour, _| log.add(format!("{name}: {}", tour.0.join(" ")))
}

/// Logs the dead letters of the manager.
fn log_dead_letters(manager: &mut MessageManager, log: &Log) {
    let log = log.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        assert_eq!(letter.why, Undelivered::NotCloned);
        assert!(letter.message.is_none(), "it stayed with its sender");
        log.add(format!("not cloned: {}", letter.name));
    });
}

fn update() -> Filter<Note> {
    Filter::of::<Note>().stage(Stage::Update)
}

// When it receives.

// holds: subscriptions.stage
#[test]
fn one_with_a_stage_receives_its_messages_in_the_next_pass_of_that_stage() -> Tested {
    let (mut manager, log, actor) = stage();
    for stage in Stage::WAITING {
        let filter = Filter::of::<Note>().stage(stage);
        let log = log.clone();
        manager.subscribe(filter, move |note, _| {
            log.add(format!("{stage}: {}", note.0));
        });
    }
    let receipt = manager.send(actor, Note("a"))?;
    assert_eq!((receipt.received, receipt.pending), (1, 4));
    assert_eq!(log.take(), ["actor: a"]);
    manager.begin_frame(Duration::ZERO);
    for stage in Stage::WAITING {
        manager.run_stage(stage);
        assert_eq!(log.take(), [format!("{stage}: a")]);
        manager.run_stage(stage);
    }
    assert!(log.take().is_empty());
    Ok(())
}

// holds: subscriptions.order
#[test]
fn immediate_is_when_the_message_is_sent() -> Tested {
    let (mut manager, log, actor) = stage();
    let filter = update().stage(Stage::Immediate);
    manager.subscribe(filter, notes(&log, "now"));
    manager.send(actor, Note("a"))?;
    assert_eq!(log.take(), ["actor: a", "now: a"]);
    Ok(())
}

// holds: subscriptions.stage
#[test]
fn it_receives_behind_the_posted_ones_in_the_order_in_which_they_were_sent() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(update(), notes(&log, "1"));
    manager.subscribe(update(), notes(&log, "2"));
    manager.send(actor, Note("a"))?;
    manager.send(actor, Note("b"))?;
    let header = Header::to(actor).stage(Stage::Update).build()?;
    let note = Do::new({
        let log = log.clone();
        move |_| log.add("posted")
    });
    manager.post(&header, note)?;
    log.take();
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["posted", "1: a", "2: a", "1: b", "2: b"]);
    Ok(())
}

// holds: subscriptions.stage, time.own-stage-next-pass
#[test]
fn what_it_receives_by_a_pass_of_its_own_stage_waits_for_the_next() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(update(), notes(&log, "update"));
    let filter = Filter::of::<Note>().stage(Stage::LateUpdate);
    manager.subscribe(filter, notes(&log, "late"));
    let header = Header::to(actor).stage(Stage::Update).build()?;
    manager.post(&header, Note("posted"))?;
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["actor: posted", "late: posted"]);
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["update: posted"]);
    Ok(())
}

// holds: subscriptions.stage, time.own-stage-next-pass
#[test]
fn what_it_sends_in_its_own_stage_it_receives_in_the_next_pass() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    let told = log.clone();
    manager.subscribe(update(), move |note, cx| {
        told.add(note.0);
        let receipt = cx.send(nobody, Note("again")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (0, 1));
    });
    manager.send(nobody, Note("first"))?;
    for _ in 0..3 {
        manager.run_stage(Stage::Update);
    }
    assert_eq!(log.take(), ["first", "again", "again"]);
    Ok(())
}

// holds: headers.envelope
#[test]
fn it_sees_the_envelope_of_the_message() -> Tested {
    let (mut manager, log, actor) = stage();
    let filter = Filter::of::<Note>().stage(Stage::EndOfFrame);
    manager.subscribe(filter, {
        let log = log.clone();
        move |note, cx| {
            let envelope = cx.envelope();
            let (from, to, posted) = (cx.sender(), cx.recipient(), envelope.posted.frame);
            log.add(format!("{}: {from} to {to} in {posted}", note.0));
        }
    });
    let header = Header::to(Me).stage(Stage::Update).build()?;
    manager.speak_for(actor)?.post(&header, Note("posted"))?;
    manager.speak_for(actor)?.send(actor, Note("sent"))?;
    log.take();
    manager.tick(Duration::ZERO);
    let posted = format!("posted: messagee {actor} to the sender itself in 0");
    let sent = format!("sent: messagee {actor} to messagee {actor} in 0");
    assert_eq!(log.take(), ["actor: posted".to_owned(), sent, posted]);
    Ok(())
}

// holds: subscriptions.to-mnemonic-when-sent
#[test]
fn the_filter_is_asked_when_the_message_is_sent() -> Tested {
    mnemonic!(HERE);
    let (mut manager, log, actor) = stage();
    manager.bind(HERE, actor)?;
    manager.subscribe(update().to(HERE), notes(&log, "here"));
    manager.send(actor, Note("a"))?;
    manager.unbind(HERE, actor)?;
    manager.send(actor, Note("b"))?;
    manager.despawn(actor)?;
    log.take();
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["here: a"]);
    Ok(())
}

// holds: subscriptions.before
#[test]
fn what_an_interceptor_or_a_component_consumes_it_does_not_receive() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(update(), notes(&log, "update"));
    let once = Filter::of::<Note>().once().before();
    manager.subscribe(once, |_, _| ControlFlow::Break(()));
    let receipt = manager.send(actor, Note("consumed"))?;
    assert_eq!((receipt.received, receipt.pending), (1, 0));
    manager.run_stage(Stage::Update);
    assert!(log.take().is_empty());
    Ok(())
}

// Together with other terms.

// holds: subscriptions.once
#[test]
fn one_that_is_once_receives_one_message_in_its_stage() -> Tested {
    let (mut manager, log, actor) = stage();
    let id = manager.subscribe(update().once(), notes(&log, "once"));
    let pending = [
        manager.send(actor, Note("a"))?.pending,
        manager.send(actor, Note("b"))?.pending,
    ];
    assert_eq!(pending, [1, 0]);
    log.take();
    manager.run_stage(Stage::Update);
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["once: a"]);
    assert!(!manager.unsubscribe(id));
    Ok(())
}

// holds: subscriptions.hidden
#[test]
fn a_hidden_one_is_not_counted_among_those_who_will_receive() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    manager.subscribe(update().hidden(), notes(&log, "hidden"));
    assert_eq!(manager.send(nobody, Note("a"))?, Receipt::default());
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["hidden: a"]);
    Ok(())
}

// holds: subscriptions.once-kept, messagees.despawn-ends
#[test]
fn one_that_ends_before_its_stage_receives_nothing() -> Tested {
    let (mut manager, log, actor) = stage();
    let owner = manager.spawn(());
    let id = manager.subscribe(update(), notes(&log, "ended"));
    let once = manager.subscribe(update().once(), notes(&log, "ended"));
    manager.subscribe_for(owner, update(), notes(&log, "ended"))?;
    manager.send(actor, Note("a"))?;
    assert_eq!(log.take(), ["actor: a"]);
    assert!(manager.unsubscribe(id));
    assert!(manager.unsubscribe(once), "it has not received yet");
    manager.despawn(owner)?;
    manager.run_stage(Stage::Update);
    assert!(log.take().is_empty());
    Ok(())
}

#[test]
fn what_waits_for_one_that_has_ended_reaches_no_newcomer() -> Tested {
    let (mut manager, log, actor) = stage();
    let id = manager.subscribe(update(), notes(&log, "ended"));
    manager.send(actor, Note("a"))?;
    log.take();
    assert!(manager.unsubscribe(id));
    manager.subscribe(update(), notes(&log, "newcomer"));
    manager.subscribe(Filter::all(), {
        let log = log.clone();
        move |message, _| log.add(format!("newcomer to all: {message:?}"))
    });
    manager.run_stage(Stage::Update);
    assert!(log.take().is_empty());
    Ok(())
}

// holds: time.panic-in-pass
#[test]
fn a_panic_of_one_leaves_the_rest_for_the_next_pass() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(update(), |note, _| assert_ne!(note.0, "bad"));
    manager.subscribe(update(), notes(&log, "behind"));
    manager.send(actor, Note("bad"))?;
    manager.send(actor, Note("good"))?;
    log.take();
    panic_of(|| manager.run_stage(Stage::Update));
    assert!(log.take().is_empty());
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["behind: bad", "behind: good"]);
    Ok(())
}

// Messages kept for it.

// holds: subscriptions.stage, identity.debug-clone-optional
#[test]
fn a_message_of_its_own_need_not_be_clone_to_be_kept() -> Tested {
    let (mut manager, log, _) = stage();
    log_dead_letters(&mut manager, &log);
    let ear = manager.spawn((Ear::new("ear", &log),));
    let filter = Filter::of::<Tour>().stage(Stage::Update);
    manager.subscribe(filter.clone(), tours(&log, "1"));
    manager.subscribe(filter.clone(), tours(&log, "2"));
    let receipt = manager.send(ear, Tour(vec!["begin"]))?;
    assert_eq!((receipt.received, receipt.pending), (1, 2));
    let header = Header::to(ear).after_frames(1).build()?;
    manager.post(&header, Tour(vec!["posted"]))?;
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["1: begin ear", "2: begin ear"]);
    manager.tick(Duration::ZERO);
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["1: posted ear", "2: posted ear"]);
    Ok(())
}

// holds: subscriptions.stage
#[test]
fn a_request_is_kept_for_it_and_need_not_be_clone() -> Tested {
    let (mut manager, log, actor) = stage();
    log_dead_letters(&mut manager, &log);
    let filter = Filter::of::<Who>().stage(Stage::Update);
    manager.subscribe(filter.clone(), {
        let log = log.clone();
        move |_, _| log.add("who")
    });
    assert_eq!(manager.request(actor, Who)?, "actor");
    assert_eq!(manager.request_all(actor, Who)?.len(), 1);
    assert!(log.take().is_empty());
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["who", "who"]);
    Ok(())
}

// holds: subscriptions.stage
#[test]
fn an_in_out_message_is_copied_for_it_as_it_was_when_it_was_heard() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    log_dead_letters(&mut manager, &log);
    manager.subscribe(update(), notes(&log, "update"));
    let mut note = Note("as sent");
    let receipt = manager.send_mut(nobody, &mut note)?;
    assert_eq!((receipt.received, receipt.pending), (0, 1));
    note.0 = "changed behind its back";
    assert_eq!(note.0.len(), 23);
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["update: as sent"]);
    Ok(())
}

// holds: required.dead-letter-told
#[test]
fn an_in_out_message_that_is_not_clone_becomes_a_dead_letter_for_it() -> Tested {
    let (mut manager, log, _) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    log_dead_letters(&mut manager, &log);
    let filter = Filter::of::<Tour>();
    manager.subscribe(filter.clone(), tours(&log, "now"));
    manager.subscribe(filter.stage(Stage::Update), tours(&log, "update"));
    let mut tour = Tour::default();
    let receipt = manager.send_mut(ear, &mut tour)?;
    assert_eq!((receipt.received, receipt.pending), (2, 0));
    assert_eq!(tour.0, ["ear"]);
    let dead = format!("not cloned: {}", Tour::NAME);
    assert_eq!(log.take(), ["now: ear", &dead]);
    manager.run_stage(Stage::Update);
    assert!(log.take().is_empty());
    Ok(())
}

// holds: required.dead-letter-told
#[test]
fn a_message_that_repeats_is_copied_for_it_while_it_is_to_come_again() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    log_dead_letters(&mut manager, &log);
    let filter = Filter::of::<Note>().stage(Stage::LateUpdate);
    manager.subscribe(filter, notes(&log, "late"));
    let filter = Filter::of::<Tour>().stage(Stage::LateUpdate);
    manager.subscribe(filter, tours(&log, "late"));
    let header = Header::to(nobody).every_frames(1).times(3).build()?;
    manager.post(&header, Note("again"))?;
    manager.post(&header, Tour(vec!["not cloned"]))?;
    let dead = format!("not cloned: {}", Tour::NAME);
    for _ in 0..2 {
        manager.tick(Duration::ZERO);
        assert_eq!(log.take(), [&dead, "late: again"]);
    }
    // The last time it is not wanted again.
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["late: again", "late: not cloned"]);
    manager.tick(Duration::ZERO);
    assert!(log.take().is_empty());
    Ok(())
}

/// Consumes every note.
struct Eater;

#[handlers]
impl Eater {
    #[on_receive]
    fn act(&mut self, script: &mut Do, cx: &mut Context<'_>) {
        script.run(cx);
    }

    #[on_receive]
    fn note(&mut self, _: &Note) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

// holds: subscriptions.stage-consumed
#[test]
fn what_is_consumed_before_its_stage_it_does_not_receive() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(update(), notes(&log, "update"));
    let consumes = Filter::of::<Note>().once();
    manager.subscribe(consumes, |_, _| ControlFlow::Break(()));
    // A subscriber behind it consumes the message.
    let receipt = manager.send(actor, Note("a"))?;
    assert_eq!((receipt.received, receipt.pending), (2, 0));
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["actor: a"]);
    // A component that was busy when it was sent consumes it.
    let eater = manager.spawn((Eater,));
    manager.send(eater, Do::new(move |cx| drop(cx.send(eater, Note("b")))))?;
    manager.run_stage(Stage::Update);
    assert!(log.take().is_empty());
    Ok(())
}

// holds: subscriptions.stage-waits-from-end, subscriptions.stage-once
#[test]
fn a_message_waits_from_the_end_of_its_send_on() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    manager.subscribe(update(), notes(&log, "all"));
    manager.subscribe(update().once(), notes(&log, "once"));
    let relay = Filter::of::<Note>().once();
    manager.subscribe(relay, move |_, cx| {
        assert_eq!(cx.send(nobody, Note("inner")).expect("sent").pending, 2);
    });
    let receipt = manager.send(nobody, Note("outer"))?;
    assert_eq!((receipt.received, receipt.pending), (1, 1));
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["all: inner", "once: inner", "all: outer"]);
    Ok(())
}

// holds: subscriptions.stage-ended
#[test]
fn one_that_ends_before_the_send_does_is_not_counted() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    let id = manager.subscribe(update(), notes(&log, "update"));
    manager.subscribe(Filter::of::<Note>(), move |_, cx| {
        assert!(cx.unsubscribe(id));
    });
    let receipt = manager.send(nobody, Note("a"))?;
    assert_eq!((receipt.received, receipt.pending), (1, 0));
    Ok(())
}
