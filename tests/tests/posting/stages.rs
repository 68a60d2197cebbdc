//! Stages: the order of a frame, which pass each post waits for, and that each delivery is an outermost
//! send.

use std::time::Duration;

use crate::common::{Actor, Do, Ear, Log, Note, Tested};
use message_core::Recipient::Me;
use message_core::lifecycle::HandlerFailed;
use message_core::prelude::*;

const STEP: Duration = Duration::from_millis(10);

/// Returns a header for the next pass of a stage.
fn at(stage: Stage, to: impl Into<Recipient>) -> Header {
    let header = Header::to(to).stage(stage).build();
    header.expect("nothing contradicts itself")
}

/// Like [`stage`], but with fixed steps of 10 ms and an [`Ear`] named `ear`.
fn framed() -> (MessageManager, Log, MessageeId, MessageeId) {
    let mut manager = MessageManager::with_config(ManagerConfig::new().fixed_step(STEP));
    let log = Log::default();
    let actor = manager.spawn((Actor::new("actor", &log),));
    let ear = manager.spawn((Ear::new("ear", &log),));
    (manager, log, actor, ear)
}

/// Posts to the ear from a handler of the actor.
fn post_from(stage: Stage, ear: MessageeId, word: &'static str) -> Do {
    Do::new(move |cx| {
        cx.post(&at(stage, ear), Note(word)).expect("posted");
    })
}

/// A word, and the stages for which it is posted on when it is received.
#[derive(Message)]
struct Chain(&'static str, Vec<Stage>);

struct Link(Log);

#[handlers]
impl Link {
    #[on_receive]
    fn receive(&mut self, chain: &mut Chain, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let (frame, now) = (cx.clock().frame(), cx.clock().now().as_millis());
        let stage = cx.envelope().stage;
        self.0.add(format!("{} {frame} {now} {stage}", chain.0));
        if !chain.1.is_empty() {
            let next = at(chain.1.remove(0), Me);
            cx.post(&next, Chain(chain.0, std::mem::take(&mut chain.1)))?;
        }
        Ok(())
    }

    #[on_receive]
    fn failed(&mut self, failed: &HandlerFailed) {
        self.0.add(format!("failed: {}", failed.error));
    }

    #[on_receive]
    fn note(&mut self, note: &Note) -> Result<(), &'static str> {
        Err(note.0)
    }
}

fn linked() -> (MessageManager, Log, MessageeId) {
    let mut manager = MessageManager::with_config(ManagerConfig::new().fixed_step(STEP));
    let log = Log::default();
    let link = manager.spawn((Link(log.clone()),));
    (manager, log, link)
}

// The order of a frame.

// holds: time.tick
#[test]
fn a_tick_runs_fixed_update_then_update_then_late_update_then_end_of_frame() -> Tested {
    let (mut manager, log, link) = linked();
    for stage in Stage::WAITING.into_iter().rev() {
        manager.post(&at(stage, link), Chain("m", Vec::new()))?;
    }
    let report = manager.tick(STEP);
    assert_eq!((report.delivered, report.fixed_steps), (4, 1));
    let seen = ["FixedUpdate", "Update", "LateUpdate", "EndOfFrame"];
    assert_eq!(log.take(), seen.map(|stage| format!("m 1 10 {stage}")));
    assert_eq!(manager.tick(STEP).delivered, 0);
    Ok(())
}

// holds: time.frame-in-pieces
#[test]
fn begin_frame_and_run_stage_are_the_pieces_of_a_tick() -> Tested {
    let (mut manager, log, _, ear) = framed();
    manager.post(&at(Stage::EndOfFrame, ear), Note("end"))?;
    manager.post(&at(Stage::Update, ear), Note("update"))?;
    manager.post(&at(Stage::FixedUpdate, ear), Note("fixed"))?;
    let report = manager.begin_frame(STEP);
    assert_eq!((report.frame, report.fixed_steps), (1, 1));
    assert_eq!((report.delivered, report.dead_letters), (0, 0));
    assert!(log.take().is_empty());
    assert_eq!(manager.run_stage(Stage::Update), 1);
    assert_eq!(log.take(), ["ear: update"]);
    assert_eq!(manager.run_stage(Stage::LateUpdate), 0);
    assert_eq!(manager.run_stage(Stage::FixedUpdate), 1);
    assert_eq!(manager.run_stage(Stage::EndOfFrame), 1);
    assert_eq!(log.take(), ["ear: fixed", "ear: end"]);
    Ok(())
}

#[test]
fn immediate_has_no_passes() {
    let (mut manager, ..) = framed();
    manager.begin_frame(STEP);
    assert_eq!(manager.run_stage(Stage::Immediate), 0);
}

// holds: time.due-order
#[test]
fn equal_ones_of_a_pass_are_delivered_in_the_order_posted() -> Tested {
    let (mut manager, log, _, ear) = framed();
    for word in ["1", "2", "3"] {
        manager.post(&at(Stage::LateUpdate, ear), Note(word))?;
        manager.post(&at(Stage::LateUpdate, ear), crate::common::Peek(word))?;
    }
    manager.tick(STEP);
    assert_eq!(
        log.take(),
        ["1", "1", "2", "2", "3", "3"].map(|word| format!("ear: {word}"))
    );
    Ok(())
}

// Posting during a frame.

// holds: time.stage-to-come
#[test]
fn posted_for_a_stage_that_is_still_to_come_it_is_delivered_in_this_frame() -> Tested {
    let (mut manager, log, link) = linked();
    let rest = vec![Stage::Update, Stage::LateUpdate, Stage::EndOfFrame];
    manager.post(&at(Stage::FixedUpdate, link), Chain("m", rest))?;
    assert_eq!(manager.tick(STEP).delivered, 4);
    let seen = ["FixedUpdate", "Update", "LateUpdate", "EndOfFrame"];
    assert_eq!(log.take(), seen.map(|stage| format!("m 1 10 {stage}")));
    Ok(())
}

#[test]
fn posted_for_a_stage_that_is_over_it_waits_for_the_next_frame() -> Tested {
    let (mut manager, log, link) = linked();
    let rest = vec![Stage::LateUpdate, Stage::Update, Stage::FixedUpdate];
    manager.post(&at(Stage::EndOfFrame, link), Chain("m", rest))?;
    for _ in 0..4 {
        assert_eq!(manager.tick(STEP).delivered, 1);
    }
    let seen = [
        "m 1 10 EndOfFrame",
        "m 2 20 LateUpdate",
        "m 3 30 Update",
        "m 4 40 FixedUpdate",
    ];
    assert_eq!(log.take(), seen);
    Ok(())
}

// holds: time.own-stage-next-pass
#[test]
fn posted_during_the_pass_of_its_own_stage_it_waits_for_the_next_pass_of_it() -> Tested {
    for own in [Stage::Update, Stage::LateUpdate, Stage::EndOfFrame] {
        let (mut manager, log, link) = linked();
        manager.post(&at(own, link), Chain("a", vec![own]))?;
        manager.post(&at(own, link), Chain("b", vec![own]))?;
        assert_eq!(manager.tick(STEP).delivered, 2);
        let seen = [format!("a 1 10 {own}"), format!("b 1 10 {own}")];
        assert_eq!(log.take(), seen);
        assert_eq!(manager.tick(STEP).delivered, 2);
        let seen = [format!("a 2 20 {own}"), format!("b 2 20 {own}")];
        assert_eq!(log.take(), seen);
    }
    Ok(())
}

// holds: time.own-stage-next-pass
#[test]
fn posted_with_a_delay_of_zero_during_its_own_pass_it_waits_for_the_next_too() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    let script = Do::new(move |cx| {
        for builder in [
            Header::to(ear).after(Duration::ZERO),
            Header::to(ear).after_frames(0),
            Header::to(ear).after(Duration::ZERO).unscaled(),
        ] {
            let header = builder.build().expect("nothing contradicts itself");
            cx.post(&header, Note("zero")).expect("posted");
        }
    });
    manager.post(&at(Stage::Update, actor), script)?;
    assert_eq!(manager.tick(STEP).delivered, 1);
    assert!(log.take().is_empty());
    assert_eq!(manager.tick(STEP).delivered, 3);
    assert_eq!(log.take(), ["ear: zero"; 3]);
    Ok(())
}

// holds: time.own-stage-next-pass, time.fixed-time-in-pass
#[test]
fn posted_during_a_fixed_step_for_fixed_update_it_is_delivered_in_the_next_step() -> Tested {
    let (mut manager, log, link) = linked();
    let rest = vec![Stage::FixedUpdate; 3];
    manager.post(&at(Stage::FixedUpdate, link), Chain("m", rest))?;
    let report = manager.tick(3 * STEP);
    assert_eq!((report.fixed_steps, report.delivered), (3, 3));
    let seen = ["10", "20", "30"];
    assert_eq!(log.take(), seen.map(|now| format!("m 1 {now} FixedUpdate")));
    manager.tick(STEP);
    assert_eq!(log.take(), ["m 2 40 FixedUpdate"]);
    Ok(())
}

// holds: time.tick
#[test]
fn without_a_fixed_step_in_the_frame_what_waits_for_fixed_update_waits_on() -> Tested {
    let (mut manager, log, _, ear) = framed();
    manager.post(&at(Stage::FixedUpdate, ear), Note("fixed"))?;
    assert_eq!(manager.tick(STEP / 2).delivered, 0);
    assert_eq!(manager.tick(STEP / 2).delivered, 1);
    assert_eq!(log.take(), ["ear: fixed"]);
    Ok(())
}

// holds: time.paused
#[test]
fn during_a_pause_messages_without_a_delay_are_delivered_and_fixed_update_waits() -> Tested {
    let (mut manager, log, _, ear) = framed();
    manager.set_paused(true);
    for (stage, word) in Stage::WAITING.into_iter().zip(["fixed", "1", "2", "3"]) {
        manager.post(&at(stage, ear), Note(word))?;
    }
    let frames = Header::to(ear).after_frames(2).build()?;
    manager.post(&frames, Note("two frames"))?;
    manager.post(&Header::to(ear).after(STEP).build()?, Note("ten ms"))?;
    manager.tick(STEP);
    assert_eq!(log.take(), ["ear: 1", "ear: 2", "ear: 3"]);
    manager.tick(STEP);
    assert_eq!(log.take(), ["ear: two frames"]);
    manager.set_paused(false);
    manager.tick(STEP);
    assert_eq!(log.take(), ["ear: fixed", "ear: ten ms"]);
    Ok(())
}

// Each delivery is an outermost send.

// holds: time.delivery-is-outermost
#[test]
fn what_a_delivery_changes_is_settled_before_the_next_one() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    let told = log.clone();
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((Ear::new("newborn", &told),));
        cx.despawn(ear).expect("it is there");
        cx.send(Everyone, Note("before")).expect("sent");
        cx.send(newborn, Note("kept")).expect("kept");
    });
    manager.post(&at(Stage::Update, actor), script)?;
    manager.post(&at(Stage::Update, Everyone), Note("next"))?;
    manager.post(&at(Stage::Update, ear), Note("gone"))?;
    let report = manager.tick(STEP);
    assert_eq!((report.delivered, report.dead_letters), (3, 1));
    // The actor is busy with its script when the first note is sent to it.
    let seen = [
        "actor: before",
        "newborn: kept",
        "actor: next",
        "newborn: next",
    ];
    assert_eq!(log.take(), seen);
    Ok(())
}

// holds: time.delivery-is-outermost, send.handler-error
#[test]
fn what_fails_in_a_delivery_is_told_before_the_next_one() -> Tested {
    let (mut manager, log, link) = linked();
    manager.post(&at(Stage::Update, link), Note("first"))?;
    manager.post(&at(Stage::Update, link), Chain("m", Vec::new()))?;
    manager.tick(STEP);
    assert_eq!(log.take(), ["failed: first", "m 1 10 Update"]);
    Ok(())
}

// holds: time.delivery-is-outermost
#[test]
fn each_delivery_has_the_whole_depth_and_may_keep_as_much_as_any_outermost_send() -> Tested {
    let config = ManagerConfig::new().max_kept(2).max_depth(2);
    let mut manager = MessageManager::with_config(config);
    let log = Log::default();
    let actor = manager.spawn((Actor::new("actor", &log),));
    for _ in 0..3 {
        let script = Do::new(|cx| {
            cx.send(Me, Note("1")).expect("kept");
            cx.send(Me, Note("2")).expect("kept");
        });
        manager.post(&at(Stage::Update, actor), script)?;
    }
    manager.tick(STEP);
    assert_eq!(log.take(), ["actor: 1", "actor: 2"].repeat(3));
    Ok(())
}

// holds: messagees.speaks-for-messagee
#[test]
fn what_was_posted_from_a_handler_comes_from_its_messagee() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    manager.post(
        &at(Stage::Update, actor),
        post_from(Stage::LateUpdate, ear, "late"),
    )?;
    manager.begin_frame(STEP);
    manager.run_stage(Stage::Update);
    let pending = manager.pending_posts(Posts::all());
    assert_eq!(pending.len(), 1);
    assert_eq!(pending[0].sender, Sender::Messagee(actor));
    manager.run_stage(Stage::LateUpdate);
    assert_eq!(log.take(), ["ear: late"]);
    Ok(())
}
