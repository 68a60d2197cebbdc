//! The inlet: messages that other threads post are drained when a frame begins. Here one thread does both;
//! `inlet_threads.rs` uses several, and `inlet_failures.rs` tests failures.

use std::time::Duration;

use crate::common::{Do, Ear, Note, Peek, Tested};
use crate::inlets::{Clerk, HERE, RADIO, STEP, at, framed, framed_with, to};
use crate::letters::{Offer, Picky};
use message_core::PostKey;
use message_core::lifecycle::HandlerFailed;
use message_core::prelude::*;

// Properties of an inlet.

// holds: threads.inlet
#[test]
fn an_inlet_is_clone_and_send_and_sync_and_its_manager_stays_send() {
    fn is_inlet<T: Clone + Send + Sync + 'static>(_: &T) {}
    fn is_send<T: Send>(_: &T) {}
    let manager = MessageManager::new();
    is_inlet(&manager.inlet());
    is_send(&manager);
}

// holds: threads.same-place
#[test]
fn all_inlets_of_a_manager_lead_to_the_same_place_and_those_of_another_do_not() -> Tested {
    let (mut manager, log, _, ear) = framed();
    let (mut other, other_log, ..) = framed();
    let (one, two) = (manager.inlet(), manager.inlet());
    let outer = other.inlet();
    one.try_post(&to(ear), Note("1"))?;
    two.try_post(&to(ear), Note("2"))?;
    one.clone().try_post(&to(ear), Note("3"))?;
    assert_eq!((one.len(), two.len(), outer.len()), (3, 3, 0));
    assert_eq!(other.tick(STEP).drained, 0);
    assert_eq!(manager.tick(STEP).drained, 3);
    assert_eq!(log.take(), ["ear: 1", "ear: 2", "ear: 3"]);
    assert!(other_log.take().is_empty());
    assert!(one.is_empty());
    Ok(())
}

// holds: threads.capacity
#[test]
fn an_inlet_says_how_much_it_holds_and_whether_it_is_closed() -> Tested {
    assert_eq!(MessageManager::new().inlet().capacity(), 65_536);
    let config = ManagerConfig::new().inlet_capacity(3);
    let (manager, _, _, ear) = framed_with(config);
    let inlet = manager.inlet();
    inlet.try_post(&to(ear), Note("n"))?;
    assert_eq!((inlet.capacity(), inlet.len()), (3, 1));
    assert_eq!(
        format!("{inlet:?}"),
        "Inlet { capacity: 3, len: 1, is_closed: false }"
    );
    drop(manager);
    assert_eq!((inlet.capacity(), inlet.len()), (3, 0));
    assert!(inlet.is_closed() && inlet.is_empty());
    Ok(())
}

// When it is drained.

// holds: threads.delivered-when
#[test]
fn what_is_posted_is_delivered_when_the_next_frame_begins_before_fixed_update() -> Tested {
    let (mut manager, log, _, ear) = framed();
    manager.post(&at(Stage::FixedUpdate, ear), Note("fixed"))?;
    manager.post(&at(Stage::Update, ear), Note("update"))?;
    manager.inlet().try_post(&to(ear), Note("inlet"))?;
    manager.send(ear, Note("sent"))?;
    assert_eq!(log.take(), ["ear: sent"]);
    let report = manager.tick(STEP);
    assert_eq!(log.take(), ["ear: inlet", "ear: fixed", "ear: update"]);
    assert_eq!((report.drained, report.delivered), (1, 2));
    assert_eq!(manager.tick(STEP).drained, 0);
    assert!(log.take().is_empty());
    Ok(())
}

// holds: threads.delivered-when
#[test]
fn it_is_drained_when_the_frame_number_and_the_clock_have_advanced() -> Tested {
    let (mut manager, ..) = framed();
    let clerk = manager.spawn((Clerk::default(),));
    manager.inlet().try_post(&to(clerk), Note("n"))?;
    manager.tick(STEP);
    let clerk = manager.get::<Clerk>(clerk)?;
    let posted = clerk.0[0].posted;
    assert_eq!((posted.time, posted.frame), (STEP, 1));
    assert_eq!(clerk.0[0].due, posted);
    Ok(())
}

// holds: threads.delivered-when
#[test]
fn begin_frame_drains_it_for_a_host_with_a_loop_of_its_own() -> Tested {
    let (mut manager, log, _, ear) = framed();
    manager.inlet().try_post(&to(ear), Note("now"))?;
    let update = at(Stage::Update, ear);
    manager.inlet().try_post(&update, Note("update"))?;
    let report = manager.begin_frame(STEP);
    assert_eq!((report.drained, report.delivered), (2, 0));
    assert_eq!(log.take(), ["ear: now"]);
    assert_eq!(manager.run_stage(Stage::FixedUpdate), 0);
    assert_eq!(manager.run_stage(Stage::Update), 1);
    assert_eq!(log.take(), ["ear: update"]);
    Ok(())
}

// holds: threads.delivered-when
#[test]
fn nothing_but_the_beginning_of_a_frame_drains_it() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    manager.begin_frame(STEP);
    manager.inlet().try_post(&to(ear), Note("n"))?;
    manager.settle();
    manager.send(actor, Do::new(|_| ()))?;
    for stage in Stage::WAITING {
        manager.run_stage(stage);
    }
    assert!(log.take().is_empty());
    assert_eq!(manager.begin_frame(STEP).drained, 1);
    assert_eq!(log.take(), ["ear: n"]);
    Ok(())
}

// holds: threads.without-stage
#[test]
fn each_message_without_a_stage_is_an_outermost_send_that_is_settled_before_the_next() -> Tested {
    let (mut manager, log, actor, _) = framed();
    let inlet = manager.inlet();
    let late = log.clone();
    let spawn = Do::new(move |cx| {
        let ear = cx.spawn((Ear::new("newborn", &late),));
        cx.bind(HERE, ear).expect("nobody is bound to it");
    });
    inlet.try_post(&to(actor), spawn)?;
    inlet.try_post(&to(HERE), Note("welcome"))?;
    let report = manager.tick(STEP);
    assert_eq!(log.take(), ["newborn: welcome"]);
    assert_eq!((report.drained, report.dead_letters), (2, 0));
    Ok(())
}

// holds: threads.drain-ends
#[test]
fn what_is_posted_while_it_is_drained_waits_for_the_next_frame() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    let inlet = manager.inlet();
    let again = inlet.clone();
    let post = Do::new(move |_| again.try_post(&to(ear), Note("again")).expect("room"));
    inlet.try_post(&to(actor), post)?;
    assert_eq!(manager.tick(STEP).drained, 1);
    assert!(log.take().is_empty());
    assert_eq!(manager.tick(STEP).drained, 1);
    assert_eq!(log.take(), ["ear: again"]);
    Ok(())
}

// With a stage or a delay.

// holds: threads.with-stage
#[test]
fn one_with_a_stage_is_delivered_in_that_stage_of_the_frame_that_drains_it() -> Tested {
    let (mut manager, log, _, ear) = framed();
    let stages = Stage::WAITING.into_iter().rev();
    for (stage, word) in stages.zip(["end", "late", "update", "fixed"]) {
        manager.inlet().try_post(&at(stage, ear), Note(word))?;
    }
    let report = manager.tick(STEP);
    let words = ["ear: fixed", "ear: update", "ear: late", "ear: end"];
    assert_eq!(log.take(), words);
    assert_eq!((report.drained, report.delivered), (4, 4));
    Ok(())
}

// holds: threads.with-stage
#[test]
fn a_delay_counts_from_the_frame_that_drains_it() -> Tested {
    let (mut manager, log, _, ear) = framed();
    manager.tick(STEP);
    let time = Header::to(ear).after(STEP * 2).build()?;
    let frames = Header::to(ear).after_frames(1).build()?;
    manager.inlet().try_post(&time, Note("time"))?;
    manager.inlet().try_post(&frames, Note("frames"))?;
    manager.tick(STEP * 50);
    assert!(log.take().is_empty());
    manager.tick(STEP);
    assert_eq!(log.take(), ["ear: frames"]);
    manager.tick(STEP);
    assert_eq!(log.take(), ["ear: time"]);
    Ok(())
}

// holds: threads.with-stage
#[test]
fn the_unscaled_clock_and_repeats_count_from_there_too() -> Tested {
    let (mut manager, log, _, ear) = framed();
    let unscaled = Header::to(ear).after(STEP).unscaled().build()?;
    let repeat = Header::to(ear).every_frames(1).times(2).build()?;
    manager.set_paused(true);
    manager.inlet().try_post(&unscaled, Note("unscaled"))?;
    manager.inlet().try_post(&repeat, Note("repeat"))?;
    let seen = [0; 4].map(|_| {
        manager.tick(STEP);
        log.take().join(", ")
    });
    let both = "ear: repeat, ear: unscaled";
    assert_eq!(seen, ["", both, "ear: repeat", ""]);
    Ok(())
}

// holds: time.key-replaces, time.cancel-by
#[test]
fn once_drained_it_is_pending_and_can_be_cancelled_and_replaced_by_its_key() -> Tested {
    let (mut manager, log, _, ear) = framed();
    let header = Header::to(ear).after(STEP).key("alarm").build()?;
    let inlet = manager.inlet();
    inlet.try_post(&header, Note("1"))?;
    assert_eq!(manager.cancel(PostKey::from("alarm")), 0, "not yet drained");
    inlet.try_post(&header, Note("2"))?;
    manager.tick(STEP);
    assert_eq!(manager.pending_posts(PostKey::from("alarm")).len(), 1);
    manager.tick(STEP);
    assert_eq!(log.take(), ["ear: 2"]);
    inlet.try_post(&header, Note("3"))?;
    manager.tick(STEP);
    assert_eq!(manager.cancel(PostKey::from("alarm")), 1);
    assert_eq!(manager.tick(STEP).dead_letters, 0);
    assert!(log.take().is_empty());
    Ok(())
}

// The receivers' view.

// holds: threads.sender
#[test]
fn the_sender_is_outside_and_the_place_is_that_of_the_call() -> Tested {
    let (mut manager, ..) = framed();
    let clerk = manager.spawn((Clerk::default(),));
    let (inlet, wait) = (manager.inlet(), Duration::from_secs(1));
    let first = line!() + 1;
    inlet.try_post(&to(clerk), Note("try"))?;
    inlet.post(&to(clerk), Note("wait"), wait)?;
    inlet.try_post(&at(Stage::Update, clerk), Note("later"))?;
    manager.tick(STEP);
    let clerk = manager.get::<Clerk>(clerk)?;
    for (envelope, line) in clerk.0.iter().zip(first..) {
        assert_eq!(envelope.sender, Sender::Outside);
        assert_eq!(envelope.place.file(), file!());
        assert_eq!(envelope.place.line(), line);
    }
    assert_eq!(clerk.0.len(), 3);
    Ok(())
}

// holds: headers.envelope
#[test]
fn the_envelope_has_what_the_header_says() -> Tested {
    let (mut manager, log, actor, _) = framed();
    let clerk = manager.spawn((Clerk::default(),));
    manager.bind(HERE, clerk)?;
    let radio = log.clone();
    manager.subscribe(Filter::all().tagged(RADIO), move |message, _| {
        radio.add(message.name());
    });
    let now = Header::to(HERE).tags(RADIO).build()?;
    let later = Header::to(clerk).after(STEP).tags(RADIO).build()?;
    manager.inlet().try_post(&now, Note("now"))?;
    manager.inlet().try_post(&later, Note("later"))?;
    manager.inlet().try_post(&to(actor), Note("untagged"))?;
    manager.tick(STEP);
    manager.tick(STEP);
    let clerk_ref = manager.get::<Clerk>(clerk)?;
    let [now, later] = &clerk_ref.0[..] else {
        panic!("two were posted");
    };
    assert_eq!((now.recipient, now.stage), (HERE.into(), Stage::Immediate));
    assert_eq!(
        (later.recipient, later.stage),
        (clerk.into(), Stage::Update)
    );
    assert_eq!((now.tags, later.tags), (RADIO.into(), RADIO.into()));
    let moments = (later.posted.time, later.due.time, later.due.frame);
    assert_eq!(moments, (STEP, STEP * 2, 2));
    assert_eq!(log.take(), [Note::NAME, "actor: untagged", Note::NAME]);
    Ok(())
}

// holds: subscriptions.retain
#[test]
fn retain_keeps_it_for_later_subscribers() -> Tested {
    let (mut manager, log, ..) = framed();
    let header = Header::to(Everyone).retain().build()?;
    manager.inlet().try_post(&header, Peek("kept"))?;
    manager.tick(STEP);
    log.take();
    let heard = log.clone();
    let filter = Filter::of::<Peek>().with_retained();
    manager.subscribe(filter, move |peek, _| heard.add(peek.0));
    assert_eq!(log.take(), ["kept"]);
    Ok(())
}

// holds: send.handler-error
#[test]
fn a_handler_that_fails_is_told_as_for_any_send() -> Tested {
    let (mut manager, log, ..) = framed();
    let picky = manager.spawn((Picky,));
    let heard = log.clone();
    manager.subscribe(Filter::of::<HandlerFailed>(), move |failed, _| {
        heard.add(failed.message);
    });
    manager.inlet().try_post(&to(picky), Offer::Fail)?;
    let report = manager.tick(STEP);
    assert_eq!(log.take(), [Offer::NAME]);
    assert_eq!(report.dead_letters, 0);
    Ok(())
}

#[test]
fn a_whole_manager_can_be_posted_as_a_message() -> Tested {
    #[derive(Message)]
    struct Loaded(Option<MessageManager>);

    #[derive(Default)]
    struct Game(Option<MessageManager>);

    #[handlers]
    impl Game {
        #[on_receive]
        fn loaded(&mut self, loaded: &mut Loaded) {
            self.0 = loaded.0.take();
        }
    }

    let (mut ui, ..) = framed();
    let game = ui.spawn((Game::default(),));
    let (world, _, _, ear) = framed();
    ui.inlet().try_post(&to(game), Loaded(Some(world)))?;
    ui.tick(STEP);
    let world = ui.get_mut::<Game>(game)?.0.as_mut();
    let world = world.expect("it was handed over");
    assert_eq!(world.send(ear, Note("n"))?.received, 1);
    Ok(())
}
