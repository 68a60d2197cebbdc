//! The inlet: what other threads post is drained when a frame begins. Here one thread does both;
//! `inlet_threads.rs` has several.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

mod common;
#[path = "common/letters.rs"]
mod letters;

use std::sync::Arc;
use std::time::Duration;

use common::{Actor, Do, Ear, Log, Note, Peek, Tested, panic_of};
use letters::{Offer, Picky, Unheard, letters};
use message_core::lifecycle::HandlerFailed;
use message_core::prelude::*;
use message_core::{Envelope, NoReply, Undelivered};

const STEP: Duration = Duration::from_millis(10);

mnemonic!(NOBODY, HERE);
tag!(RADIO);

fn to(recipient: impl Into<Recipient>) -> Header {
    let header = Header::to(recipient).build();
    header.expect("nothing contradicts itself")
}

fn at(stage: Stage, recipient: impl Into<Recipient>) -> Header {
    let header = Header::to(recipient).stage(stage).build();
    header.expect("nothing contradicts itself")
}

/// A manager with fixed steps of 10 ms, its log, and the messagees of an [`Actor`] and an [`Ear`].
fn framed() -> (MessageManager, Log, MessageeId, MessageeId) {
    framed_with(ManagerConfig::new())
}

fn framed_with(config: ManagerConfig) -> (MessageManager, Log, MessageeId, MessageeId) {
    let mut manager = MessageManager::with_config(config.fixed_step(STEP));
    let log = Log::default();
    let actor = manager.spawn((Actor::new("actor", &log),));
    let ear = manager.spawn((Ear::new("ear", &log),));
    (manager, log, actor, ear)
}

/// Something that is dropped when its message is.
#[derive(Message)]
struct Parcel(#[expect(dead_code, reason = "it is only counted")] Arc<()>);

/// Remembers the envelopes of the notes it receives.
#[derive(Default)]
struct Clerk(Vec<Envelope>);

#[handlers]
impl Clerk {
    #[on_receive]
    fn note(&mut self, _: &Note, cx: &mut Context<'_>) {
        self.0.push(cx.envelope());
    }

    #[on_receive]
    fn parcel(&mut self, _: &Parcel, cx: &mut Context<'_>) {
        self.0.push(cx.envelope());
    }
}

// What an inlet is.

#[test]
fn an_inlet_is_clone_and_send_and_sync_and_its_manager_stays_send() {
    fn is_inlet<T: Clone + Send + Sync + 'static>(_: &T) {}
    fn is_send<T: Send>(_: &T) {}
    let manager = MessageManager::new();
    is_inlet(&manager.inlet());
    is_send(&manager);
}

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

// What receivers see.

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

#[test]
fn the_envelope_has_what_the_header_says() -> Tested {
    let (mut manager, log, actor, _) = framed();
    let clerk = manager.spawn((Clerk::default(),));
    manager.bind(HERE, clerk)?;
    let radio = log.clone();
    manager.subscribe(Filter::any().tags(RADIO), move |message, _| {
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

// What goes wrong in the posting thread.

#[test]
fn a_full_inlet_gives_the_message_back_until_a_frame_has_made_room() -> Tested {
    let (mut manager, log, _, ear) = framed_with(ManagerConfig::new().inlet_capacity(2));
    let (inlet, header) = (manager.inlet(), to(ear));
    inlet.try_post(&header, Note("1"))?;
    inlet.try_post(&header, Note("2"))?;
    let full = inlet.try_post(&header, Note("3"));
    let error = full.expect_err("there was room for two");
    assert!(matches!(
        error,
        InletError::Full {
            message: Note("3"),
            capacity: 2,
            ..
        }
    ));
    assert_eq!(error.into_message().0, "3");
    manager.tick(STEP);
    assert_eq!(log.take(), ["ear: 1", "ear: 2"]);
    inlet.try_post(&header, Note("3"))?;
    manager.tick(STEP);
    assert_eq!(log.take(), ["ear: 3"]);
    Ok(())
}

#[test]
fn there_is_room_for_one_message_at_least() -> Tested {
    let (manager, _, _, ear) = framed_with(ManagerConfig::new().inlet_capacity(0));
    let inlet = manager.inlet();
    assert_eq!(inlet.capacity(), 1);
    inlet.try_post(&to(ear), Note("1"))?;
    assert!(inlet.try_post(&to(ear), Note("2")).is_err());
    Ok(())
}

#[test]
fn a_post_that_finds_no_room_in_time_gives_the_message_back() -> Tested {
    let (manager, _, _, ear) = framed_with(ManagerConfig::new().inlet_capacity(1));
    let (inlet, header) = (manager.inlet(), to(ear));
    inlet.post(&header, Note("1"), Duration::ZERO)?;
    for timeout in [Duration::ZERO, STEP] {
        let late = inlet.post(&header, Note("2"), timeout);
        let error = late.expect_err("no frame has begun");
        let InletError::TimedOut {
            message,
            timeout: waited,
            ..
        } = error
        else {
            panic!("{error}");
        };
        assert_eq!((message.0, waited), ("2", timeout));
    }
    assert_eq!(inlet.len(), 1);
    Ok(())
}

#[test]
fn after_the_manager_was_dropped_every_post_gives_its_message_back() {
    let (manager, _, _, ear) = framed();
    let (inlet, header) = (manager.inlet(), to(ear));
    let other = inlet.clone();
    drop(manager);
    let closed = inlet.try_post(&header, Note("1"));
    assert!(matches!(
        closed,
        Err(InletError::Closed { message: Note("1") })
    ));
    let closed = other.post(&header, Note("2"), Duration::MAX);
    assert!(matches!(
        closed,
        Err(InletError::Closed { message: Note("2") })
    ));
}

#[test]
fn headers_that_need_a_sender_are_refused_at_once() -> Tested {
    let (manager, _, _, ear) = framed();
    let inlet = manager.inlet();
    let message = Note::NAME;
    for recipient in [Me, EveryoneElse] {
        for header in [to(recipient), at(Stage::Update, recipient)] {
            let refused = inlet.try_post(&header, Note("n"));
            let Err(InletError::Refused { error, message: it }) = refused else {
                panic!("{refused:?}");
            };
            let to = recipient;
            assert_eq!(error, SendError::NoSender { to, message });
            assert_eq!(it.0, "n");
        }
    }
    let builder = Header::to(ear).after(STEP);
    for header in [
        builder.bound().build()?,
        builder.key_of_sender("k").build()?,
    ] {
        let refused = inlet.post(&header, Note("n"), STEP);
        let Err(InletError::Refused { error, .. }) = refused else {
            panic!("{refused:?}");
        };
        let to = ear.into();
        assert_eq!(error, SendError::NobodyToBind { to, message });
    }
    assert!(inlet.is_empty());
    Ok(())
}

#[test]
fn a_message_that_is_not_in_the_registry_is_refused_at_once() {
    struct Secret;

    impl Message for Secret {
        type Reply = NoReply;
        const NAME: &'static str = "secret";
    }

    let (manager, _, _, ear) = framed();
    let refused = manager.inlet().try_post(&to(ear), Secret);
    let Err(InletError::Refused { error, .. }) = refused else {
        panic!("{refused:?}");
    };
    let message = "secret";
    assert_eq!(error, SendError::Unregistered { message });
}

#[test]
fn an_inlet_error_names_the_message_type_and_prints_without_its_debug() -> Tested {
    let (manager, _, _, ear) = framed_with(ManagerConfig::new().inlet_capacity(1));
    let (inlet, header) = (manager.inlet(), to(ear));
    let parcel = || Parcel(Arc::default());
    inlet.try_post(&header, parcel())?;
    let name = Parcel::NAME;
    let told = |result: Result<(), InletError<Parcel>>| {
        let error = result.expect_err("there is no room");
        (error.to_string(), format!("{error:?}"))
    };
    let (text, debug) = told(inlet.try_post(&header, parcel()));
    assert_eq!(
        text,
        format!(
            "`{name}` was not posted: 1 messages wait in the inlet, which is its limit, until the \
             manager's next frame"
        )
    );
    assert_eq!(debug, format!("Full {{ message: {name}, capacity: 1 }}"));
    let (text, debug) = told(inlet.post(&header, parcel(), STEP));
    assert_eq!(
        text,
        format!(
            "`{name}` was not posted: the inlet was full for 10ms, and no frame of its manager \
             has made room"
        )
    );
    assert_eq!(
        debug,
        format!("TimedOut {{ message: {name}, timeout: 10ms }}")
    );
    let (text, debug) = told(inlet.try_post(&to(Me), parcel()));
    let error = SendError::NoSender {
        to: Me,
        message: name,
    };
    assert_eq!(text, error.to_string());
    assert_eq!(
        debug,
        format!("Refused {{ message: {name}, error: {error:?} }}")
    );
    drop(manager);
    let (text, debug) = told(inlet.try_post(&header, parcel()));
    assert_eq!(
        text,
        format!("`{name}` was not posted: its manager was dropped")
    );
    assert_eq!(debug, format!("Closed {{ message: {name} }}"));
    Ok(())
}

// What goes wrong when it is drained.

#[test]
fn what_goes_wrong_when_it_is_drained_is_a_dead_letter_that_has_the_message() -> Tested {
    let (mut manager, _, _, ear) = framed();
    let (_other, _, _, stranger) = framed();
    let said = letters(&mut manager);
    let gone = manager.spawn(());
    manager.despawn(gone)?;
    let why = |recipient: Recipient| {
        let message = Unheard::NAME;
        match recipient {
            Recipient::Id(id) if id == gone => Undelivered::Gone { id },
            Recipient::Id(id) if id == stranger => Undelivered::Refused {
                error: Box::new(SendError::OtherManager { id, message }),
            },
            Recipient::Mnemonic(mnemonic) => Undelivered::Unbound {
                mnemonic: mnemonic.name(),
            },
            _ => Undelivered::NoHandler,
        }
    };
    let recipients: [Recipient; 4] = [gone.into(), stranger.into(), NOBODY.into(), ear.into()];
    for stage in [Stage::Immediate, Stage::Update] {
        for recipient in recipients {
            let header = Header::to(recipient).stage(stage).tags(RADIO);
            let header = header.require(1).build()?;
            let line = line!() + 1;
            manager.inlet().try_post(&header, Unheard)?;
            let report = manager.tick(STEP);
            let letter = said.try_recv()?;
            assert_eq!((report.drained, report.dead_letters), (1, 1));
            assert_eq!(letter.why, why(recipient), "{recipient} at {stage}");
            assert_eq!(letter.counts, (1, 0));
            assert!(letter.copy.is_some_and(|copy| copy.name() == Unheard::NAME));
            assert_eq!(letter.envelope.sender, Sender::Outside);
            assert_eq!(letter.envelope.recipient, recipient);
            assert_eq!(letter.envelope.stage, stage);
            assert_eq!(letter.envelope.tags, RADIO.into());
            assert_eq!(letter.envelope.place.line(), line);
            assert_eq!(letter.envelope.posted.frame, report.frame);
            assert!(said.try_recv().is_err());
        }
    }
    Ok(())
}

#[test]
fn one_for_which_the_delay_heap_has_no_room_is_a_dead_letter_that_has_the_message() -> Tested {
    let (mut manager, log, _, ear) = framed_with(ManagerConfig::new().max_pending(1));
    let said = letters(&mut manager);
    let later = Header::to(ear).after(STEP * 3).build()?;
    manager.inlet().try_post(&later, Note("1"))?;
    manager.inlet().try_post(&later, Note("2"))?;
    manager.inlet().try_post(&to(ear), Note("now"))?;
    let report = manager.tick(STEP);
    assert_eq!((report.drained, report.dead_letters), (3, 1));
    let letter = said.try_recv()?;
    let Undelivered::Refused { error } = letter.why else {
        return Err(format!("expected a refusal, found {}", letter.why).into());
    };
    assert!(
        matches!(*error, SendError::QueueFull { limit: 1, .. }),
        "{error}"
    );
    let copy = letter.copy.ok_or("the message is there")?;
    assert_eq!(copy.downcast_ref::<Note>().map(|note| note.0), Some("2"));
    assert_eq!(letter.envelope.due.time, STEP * 4);
    assert_eq!(log.take(), ["ear: now"]);
    manager.tick(STEP * 3);
    assert_eq!(log.take(), ["ear: 1"]);
    Ok(())
}

#[test]
fn the_dead_letters_of_draining_are_in_the_report_of_begin_frame_too() -> Tested {
    let (mut manager, ..) = framed();
    let (now, later) = (to(NOBODY), at(Stage::Update, NOBODY));
    manager.inlet().try_post(&now, Unheard)?;
    manager.inlet().try_post(&later, Unheard)?;
    let report = manager.begin_frame(STEP);
    assert_eq!((report.drained, report.dead_letters), (2, 1));
    manager.inlet().try_post(&now, Unheard)?;
    let report = manager.tick(STEP);
    assert_eq!((report.drained, report.dead_letters), (1, 2));
    Ok(())
}

#[test]
fn that_nobody_is_there_to_hear_it_is_nothing_wrong() -> Tested {
    let (mut manager, _, _, ear) = framed();
    manager.inlet().try_post(&to(ear), Unheard)?;
    manager.inlet().try_post(&to(Everyone), Unheard)?;
    let report = manager.tick(STEP);
    assert_eq!((report.drained, report.dead_letters), (2, 0));
    Ok(())
}

// Panics and drops.

#[test]
fn a_panic_while_it_is_drained_leaves_the_rest_for_the_next_frame_in_order() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    let inlet = manager.inlet();
    inlet.try_post(&to(ear), Note("1"))?;
    inlet.try_post(&to(actor), Do::new(|_| panic!("while draining")))?;
    inlet.try_post(&to(ear), Note("2"))?;
    inlet.try_post(&at(Stage::Update, ear), Note("3"))?;
    assert_eq!(panic_of(|| manager.tick(STEP)), "while draining");
    assert_eq!(log.take(), ["ear: 1"]);
    assert_eq!((manager.clock().frame(), inlet.len()), (1, 2));
    inlet.try_post(&to(ear), Note("4"))?;
    let report = manager.tick(STEP);
    assert_eq!((report.frame, report.drained), (2, 3));
    assert_eq!(log.take(), ["ear: 2", "ear: 4", "ear: 3"]);
    Ok(())
}

#[test]
fn what_a_handler_asked_for_before_it_panicked_is_settled_before_the_rest_is_drained() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    let inlet = manager.inlet();
    let script = Do::new(move |cx| {
        cx.send(Me, Note("to a busy one")).expect("sent");
        cx.bind(HERE, ear).expect("nobody is bound to it");
        panic!("while draining");
    });
    inlet.try_post(&to(actor), script)?;
    inlet.try_post(&to(HERE), Note("bound"))?;
    assert_eq!(panic_of(|| manager.begin_frame(STEP)), "while draining");
    assert_eq!(manager.begin_frame(STEP).dead_letters, 0);
    assert_eq!(log.take(), ["actor: to a busy one", "ear: bound"]);
    Ok(())
}

#[test]
fn every_message_is_dropped_once_whatever_becomes_of_it() -> Tested {
    let (mut manager, ..) = framed_with(ManagerConfig::new().inlet_capacity(4));
    let clerk = manager.spawn((Clerk::default(),));
    let inlet = manager.inlet();
    let counted = Arc::new(());
    let parcel = || Parcel(Arc::clone(&counted));
    let left = || Arc::strong_count(&counted) - 1;

    inlet.try_post(&to(clerk), parcel())?;
    inlet.try_post(&to(NOBODY), parcel())?;
    inlet.try_post(&at(Stage::Update, clerk), parcel())?;
    inlet.try_post(&Header::to(clerk).after(STEP * 9).build()?, parcel())?;
    assert_eq!(left(), 4);
    drop(inlet.try_post(&to(clerk), parcel()));
    drop(inlet.post(&to(clerk), parcel(), Duration::ZERO));
    assert_eq!(left(), 4);
    manager.tick(STEP);
    assert_eq!(left(), 1, "the one that is pending");
    assert_eq!(manager.get::<Clerk>(clerk)?.0.len(), 2);

    inlet.try_post(&to(clerk), parcel())?;
    inlet.try_post(&at(Stage::Update, clerk), parcel())?;
    assert_eq!(left(), 3);
    drop(manager);
    assert_eq!(left(), 0, "also while there are inlets");
    assert!(inlet.try_post(&to(clerk), parcel()).is_err());
    assert_eq!(left(), 0);
    Ok(())
}

#[test]
fn a_message_that_carries_an_inlet_does_not_keep_itself_alive() -> Tested {
    #[derive(Message)]
    struct Answer {
        to: Inlet,
        _parcel: Parcel,
    }

    let manager = MessageManager::new();
    let inlet = manager.inlet();
    let counted = Arc::new(());
    for _ in 0..3 {
        let message = Answer {
            to: manager.inlet(),
            _parcel: Parcel(Arc::clone(&counted)),
        };
        assert!(!message.to.is_closed());
        inlet.try_post(&to(Everyone), message)?;
    }
    drop(inlet);
    drop(manager);
    assert_eq!(Arc::strong_count(&counted), 1);
    Ok(())
}
