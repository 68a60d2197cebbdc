//! Messages whose type is not known where they are sent.

use std::ops::ControlFlow;
use std::sync::mpsc;
use std::time::Duration;

use crate::common::{Actor, Do, Ear, Glance, Log, Note, Peek, Tested, Who, stage};
use crate::random_programs::{assert_same, limits, run_by};
use message_core::Recipient::Me;
use message_core::error::Limit;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::{AnyMessage, NoReply, PanicPolicy};
use message_trace::Recorder;

fn boxed(message: impl Message) -> Box<dyn AnyMessage> {
    Box::new(message)
}

// holds: send.boxed
#[test]
fn a_message_in_a_box_is_received_as_if_it_was_sent_by_its_type() {
    let mut lines = 0;
    for dice in 0..60 {
        let kinds = [dice % 2 == 1, dice % 3 == 2];
        let run = |dynamic, prepare: fn(&mut MessageManager)| {
            run_by(dice, kinds, dynamic, limits(), prepare)
        };
        let typed = run(false, |_| {});
        lines += typed.len();
        assert_same(dice, &run(true, |_| {}), &typed, "in boxes");
        let record = |manager: &mut MessageManager| {
            Recorder::new(16).start(manager);
        };
        assert_same(dice, &run(true, record), &run(false, record), "traced");
        let guard = |dynamic| {
            let config = limits().panic_policy(PanicPolicy::Unhook);
            run_by(dice, kinds, dynamic, config, |_| {})
        };
        assert_same(dice, &guard(true), &guard(false), "guarded");
    }
    assert!(lines > 40_000, "{lines}");
}

// holds: send.boxed
#[test]
fn a_list_of_mixed_messages_is_delivered_in_a_loop() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let mixed: [(Recipient, Box<dyn AnyMessage>); 3] = [
        (actor.into(), boxed(Note("one"))),
        (Everyone, boxed(Peek("two"))),
        (ear.into(), boxed(Note("three"))),
    ];
    for (to, message) in mixed {
        manager.send_any(to, message)?;
    }
    let expected = ["actor: one", "actor: two", "ear: two", "ear: three"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: send.boxed-answer
#[test]
fn the_answer_to_a_request_in_a_box_is_of_the_reply_type() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let answer = manager.request_any(ear, boxed(Who))?;
    assert_eq!(answer.downcast_ref::<&str>(), Some(&"ear"));
    // These are not over where they begin.
    let answer = manager.request_any(Everyone, boxed(Glance))?;
    assert_eq!(answer.downcast_ref::<&str>(), Some(&"actor"));
    let answer = manager.speak_for(ear)?.request_any(Me, boxed(Who))?;
    assert_eq!(answer.downcast_ref::<&str>(), Some(&"ear"));
    let script = Do::new(move |cx| {
        let answer = cx.request_any(ear, boxed(Who)).expect("it answers");
        assert!(answer.is::<&str>());
        let busy = cx.request_any(actor, boxed(Who)).map(|_| ());
        assert!(
            matches!(
                busy.as_ref().map_err(SendError::kind),
                Err(SendErrorKind::Busy { .. })
            ),
            "{busy:?}"
        );
    });
    manager.send(actor, script)?;
    Ok(())
}

// holds: send.boxed
#[test]
fn a_request_in_a_box_fails_as_one_by_its_type() -> Tested {
    let (mut manager, _, actor) = stage();
    let nobody = manager.spawn(());
    let typed = manager.request(nobody, Who).map(|_| ());
    let dynamic = manager.request_any(nobody, boxed(Who)).map(|_| ());
    assert!(matches!(
        typed.as_ref().map_err(SendError::kind),
        Err(SendErrorKind::NoAnswer { .. })
    ));
    assert_eq!(dynamic, typed);
    manager.despawn(nobody)?;
    let dynamic = manager.request_any(nobody, boxed(Who)).map(|_| ());
    assert!(matches!(
        dynamic,
        Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Gone) && error.to() == Some(nobody.into())
    ));
    assert_eq!(manager.request_all(actor, Who)?.len(), 1);
    Ok(())
}

// holds: send.boxed-no-reply-type
#[test]
fn a_request_in_a_box_needs_a_message_with_a_reply() {
    let (mut manager, log, actor) = stage();
    let error = manager.request_any(actor, boxed(Note("!"))).map(|_| ());
    let text = error.expect_err("it has no reply").to_string();
    assert!(
        text.contains("Note") && text.contains("has no reply"),
        "{text}"
    );
    assert!(log.take().is_empty(), "nobody has received it");
}

// holds: send.boxed
#[test]
fn a_post_in_a_box_is_delivered_cancelled_listed_and_replaced_as_one_by_its_type() -> Tested {
    let (mut manager, log, actor) = stage();
    let soon = Header::to(actor).after_frames(1).build()?;
    let keyed = Header::to(actor).after_frames(1).key("key").build()?;
    manager.post(&soon, Note("1"))?;
    manager.post_any(&soon, boxed(Note("2")))?;
    let third = manager.post(&soon, Note("3"))?;
    let fourth = manager.post_any(&soon, boxed(Note("4")))?;
    manager.post_any(&keyed, boxed(Note("5")))?;
    manager.post_any(&keyed, boxed(Peek("6")))?;
    manager.post(&soon, Note("7"))?;
    let names = |posts: Posts, manager: &MessageManager| {
        let posts = manager.pending_posts(posts).into_iter();
        posts
            .map(|post| post.message.rsplit("::").next().unwrap_or_default())
            .collect::<Vec<_>>()
    };
    let all = ["Note", "Note", "Note", "Note", "Peek", "Note"];
    assert_eq!(names(Posts::all(), &manager), all);
    assert_eq!(names(Posts::of::<Peek>(), &manager), ["Peek"]);
    assert!(manager.has_pending(fourth));
    assert_eq!((manager.cancel(third), manager.cancel(fourth)), (1, 1));
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["actor: 1", "actor: 2", "actor: 6", "actor: 7"]);
    assert_eq!(manager.pending_posts(Posts::all()).len(), 0);
    Ok(())
}

// holds: send.boxed, time.repeat-one-value
#[test]
fn a_post_in_a_box_that_repeats_is_one_value() -> Tested {
    #[derive(Message)]
    struct Beat(u32);

    #[derive(Default)]
    struct Heart(Vec<u32>);

    #[handlers]
    impl Heart {
        #[on_receive]
        fn beat(&mut self, beat: &mut Beat) {
            self.0.push(beat.0);
            beat.0 += 1;
        }
    }

    let mut manager = MessageManager::new();
    let heart = manager.spawn((Heart::default(),));
    let often = Header::to(heart).every_frames(1).times(3).build()?;
    manager.post_any(&often, boxed(Beat(7)))?;
    for _ in 0..5 {
        manager.tick(Duration::ZERO);
    }
    assert_eq!(manager.get::<Heart>(heart)?.0, [7, 8, 9]);
    Ok(())
}

// holds: send.boxed, time.full-names-most
#[test]
fn the_error_of_too_many_posts_counts_those_in_boxes_with_those_of_their_type() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_pending(5));
    let id = manager.spawn(());
    let soon = Header::to(id).after_frames(1).build()?;
    for _ in 0..2 {
        manager.post(&soon, Note("by type"))?;
        manager.post_any(&soon, boxed(Note("in a box")))?;
    }
    manager.post(&soon, Peek("another"))?;
    let refused = manager.post_any(&soon, boxed(Note("one more")));
    let Err(SendErrorKind::AtLimit {
        limit: Limit::Pending {
            bulk: Some(bulk), ..
        },
        ..
    }) = refused.as_ref().map_err(SendError::kind)
    else {
        panic!("expected `Limit::Pending`, found {refused:?}");
    };
    assert!(bulk.message.ends_with("Note"));
    assert_eq!(bulk.messages, 4);
    Ok(())
}

// holds: send.unbox
#[test]
fn the_message_of_a_dead_letter_can_be_sent_again() -> Tested {
    let (mut manager, log, actor) = stage();
    let gone = manager.spawn(());
    let (undelivered, dead) = mpsc::channel();
    let take = move |letter: &mut DeadLetter, _: &mut SubscriberContext<'_>| {
        undelivered
            .send(letter.message.take())
            .expect("it is awaited");
        ControlFlow::Continue(())
    };
    manager.subscribe(Filter::of::<DeadLetter>().before(), take);
    let soon = Header::to(gone).after_frames(1).build()?;
    manager.post(&soon, Note("by type"))?;
    manager.post_any(&soon, boxed(Note("in a box")))?;
    manager.despawn(gone)?;
    manager.tick(Duration::ZERO);
    for message in dead.try_iter().flatten() {
        manager.send_any(actor, message)?;
    }
    assert_eq!(log.take(), ["actor: by type", "actor: in a box"]);
    Ok(())
}

// holds: send.boxed
#[test]
fn a_message_in_a_box_whose_type_is_unknown_is_an_error() -> Tested {
    struct Stray;

    impl Message for Stray {
        type Reply = NoReply;
        const NAME: &'static str = "stray";
    }

    let (mut manager, _, actor) = stage();
    let soon = Header::to(actor).after_frames(1).build()?;
    let message = "stray";
    let expected = SendError::new(message, actor, SendErrorKind::Unregistered);
    assert_eq!(manager.send(actor, Stray), Err(expected.clone()));
    assert_eq!(manager.send_any(actor, boxed(Stray)), Err(expected.clone()));
    assert_eq!(
        manager.post_any(&soon, boxed(Stray)).map(|_| ()),
        Err(expected)
    );
    Ok(())
}

// holds: send.unbox
#[test]
fn a_message_in_a_box_can_be_taken_out_as_its_type() {
    let mut message = boxed(Note("a"));
    assert!(message.is::<Note>() && !message.is::<Peek>());
    assert!(message.downcast_mut::<Peek>().is_none());
    if let Some(note) = message.downcast_mut::<Note>() {
        note.0 = "b";
    }
    let message = message.downcast::<Peek>().expect_err("it is a note");
    assert_eq!(message.downcast_ref::<Note>().map(|note| note.0), Some("b"));
    let note = message.downcast::<Note>().expect("it is a note");
    assert_eq!(note.0, "b");
}

// holds: send.boxed, required.busy-count
#[test]
fn a_message_in_a_box_that_is_posted_for_now_is_required_to_be_received() -> Tested {
    let (mut manager, log, actor) = stage();
    let now = Header::to(actor).require(1).build()?;
    manager.post_any(&now, boxed(Note("now")))?;
    assert_eq!(log.take(), ["actor: now"]);
    let script = Do::new(move |cx| {
        let (busy, _) = (cx.send_any(actor, boxed(Note("later"))), Log::default());
        assert_eq!(busy.expect("it is kept").pending, 1);
        cx.post_any(&now, boxed(Note("too"))).expect("it is kept");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["actor: later", "actor: too"]);
    let nobody = manager.spawn((Actor::new("nobody", &log),));
    manager.despawn(nobody)?;
    let gone = manager.post_any(&now.with_recipient(nobody), boxed(Note("!")));
    assert!(matches!(
        gone,
        Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Gone) && error.to() == Some(nobody.into())
    ));
    Ok(())
}

// holds: send.boxed, headers.post-contradiction
#[test]
fn a_message_in_a_box_is_posted_with_a_builder_as_it_is_and_its_error_is_that_of_the_post() -> Tested
{
    let mut manager = MessageManager::new();
    let boxed = || -> Box<dyn AnyMessage> { Box::new(Note("later")) };
    manager.post_any(Header::to(Everyone).after_frames(1), boxed())?;
    let id = manager.spawn(());
    manager
        .speak_for(id)?
        .post_any(Header::to(Me).after_frames(1), boxed())?;
    assert_eq!(manager.cancel(Posts::of::<Note>()), 2);
    let wrong = manager.post_any(Header::to(Everyone).times(2), boxed());
    assert!(
        matches!(
            wrong.as_ref().map_err(SendError::kind),
            Err(SendErrorKind::Header { .. })
        ),
        "{wrong:?}"
    );
    Ok(())
}
