//! Posting without building, headers that are read back, every pass, and quiet ends.

use std::time::Duration;

use crate::common::{Do, Ear, Log, Note, Tested, stage};
use message_core::Recipient::Me;
use message_core::post::{HeaderBuilder, Interval};
use message_core::prelude::*;
use message_core::{HeaderError, InletError, PostKey};

mnemonic!(BOSS = "boss");
tag!(RADIO = "radio", ALARM = "alarm");

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn wrong(to: impl Into<Recipient>) -> HeaderBuilder {
    Header::to(to).after(ms(1)).after_frames(1)
}

// holds: headers.post-takes, headers.post-to
#[test]
fn whatever_turns_into_a_header_can_be_posted_with() -> Tested {
    let (mut manager, log, actor) = stage();
    let built = Header::to(actor).build()?;
    manager.post(&built, Note("reference"))?;
    manager.post(built, Note("value"))?;
    manager.post(Header::to(actor), Note("builder"))?;
    manager.post_to(actor, Header::to(Everyone).tags(RADIO), Note("post_to"))?;
    manager.speak_for(actor)?.post(Header::to(Me), Note("as"))?;
    manager
        .speak_for(actor)?
        .post_to(Me, Header::to(Everyone), Note("as to"))?;
    let script = Do::new(|cx| {
        cx.post(Header::to(Me), Note("context")).expect("kept");
        cx.post_to(Me, Header::to(Everyone), Note("context to"))
            .expect("kept");
    });
    manager.send(actor, script)?;
    manager.inlet().try_post(Header::to(actor), Note("inlet"))?;
    manager
        .inlet()
        .post(Header::to(actor), Note("waits"), ms(1))?;
    manager.tick(Duration::ZERO);
    let heard = [
        "reference",
        "value",
        "builder",
        "post_to",
        "as",
        "as to",
        "context",
        "context to",
        "inlet",
        "waits",
    ];
    assert_eq!(log.take(), heard.map(|word| format!("actor: {word}")));
    Ok(())
}

// holds: headers.post-contradiction, threads.refused-at-once
#[test]
fn a_header_that_contradicts_itself_is_an_error_of_the_post_that_names_the_message() -> Tested {
    let (mut manager, _, actor) = stage();
    let contradiction = |to: Recipient| {
        let kind = SendErrorKind::Header(HeaderError::TwoDelays);
        SendError::new(Note::NAME, to, kind)
    };
    let error = contradiction(actor.into());
    assert_eq!(manager.post(wrong(actor), Note("")), Err(error.clone()));
    assert_eq!(
        manager.post_to(actor, wrong(actor), Note("")),
        Err(error.clone())
    );
    assert_eq!(
        manager.speak_for(actor)?.post(wrong(actor), Note("")),
        Err(error.clone())
    );
    assert_eq!(
        manager
            .speak_for(actor)?
            .post_to(Me, wrong(actor), Note("")),
        Err(error.clone())
    );
    let expected = contradiction(Me);
    let script = Do::new(move |cx| {
        assert_eq!(cx.post(wrong(Me), Note("")), Err(expected.clone()));
        assert_eq!(cx.post_to(Me, wrong(Me), Note("")), Err(expected));
    });
    manager.send(actor, script)?;
    let refused = manager.inlet().try_post(wrong(actor), Note("back"));
    let Err(InletError::Refused {
        error: told,
        message: Note("back"),
    }) = refused
    else {
        panic!("{refused:?}");
    };
    assert_eq!(told, error);
    let text = error.to_string();
    assert!(
        text.contains(Note::NAME) && text.contains("two delays"),
        "{text}"
    );
    assert!(!manager.has_pending(Posts::all()));
    Ok(())
}

// holds: time.every-pass
#[test]
fn every_pass_is_once_in_each_pass_of_the_stage() -> Tested {
    let config = ManagerConfig::new().fixed_step(ms(10)).max_fixed_steps(3);
    let (mut manager, log) = (MessageManager::with_config(config), Log::default());
    let ear = manager.spawn((Ear::new("ear", &log),));
    let fixed = Header::to(ear).stage(Stage::FixedUpdate);
    let ticket = manager.post(fixed.every_pass(), Note("step"))?;
    let delivered = [5, 5, 30, 500, 10].map(|dt| manager.tick(ms(dt)).delivered);
    // After the long frame three steps are taken, and the rest is left out.
    assert_eq!(delivered, [0, 1, 3, 3, 1]);
    assert_eq!(manager.cancel(ticket), 1);
    manager.post(fixed.every_pass().times(2), Note("twice"))?;
    assert_eq!(manager.tick(ms(30)).delivered, 2);
    manager.post(fixed.after(ms(15)).every_pass(), Note("delayed"))?;
    assert_eq!(
        [10, 10, 10].map(|dt| manager.tick(ms(dt)).delivered),
        [0, 1, 1]
    );
    manager.cancel(Posts::all());
    manager.post(Header::to(ear).every_pass(), Note("update"))?;
    manager.post(
        Header::to(ear).after_frames(2).every_pass(),
        Note("by frames"),
    )?;
    manager.post(
        Header::to(ear).after(ms(1)).unscaled().every_pass(),
        Note("unscaled"),
    )?;
    log.take();
    let delivered = [0, 50, 0].map(|dt| manager.tick(ms(dt)).delivered);
    assert_eq!(delivered, [1, 3, 3]);
    Ok(())
}

// holds: headers.contradiction
#[test]
fn a_period_in_frames_in_fixed_update_and_two_periods_are_errors_when_built() {
    let fixed = Header::to(Everyone).stage(Stage::FixedUpdate);
    assert_eq!(
        fixed.every_frames(1).build(),
        Err(HeaderError::FixedByFrames)
    );
    assert!(
        HeaderError::FixedByFrames
            .to_string()
            .contains("`every_pass`")
    );
    assert!(fixed.every(ms(1)).build().is_ok() && fixed.every_pass().build().is_ok());
    for both in [
        fixed.every_pass().every(ms(1)),
        fixed.every_pass().every_frames(1),
    ] {
        assert_eq!(both.build(), Err(HeaderError::TwoPeriods));
    }
    let at_once = Header::to(Everyone).stage(Stage::Immediate);
    assert_eq!(
        at_once.every_pass().build(),
        Err(HeaderError::DelayedImmediate)
    );
    assert_eq!(
        at_once.if_alive().build(),
        Err(HeaderError::ImmediateIfAlive)
    );
    assert_eq!(
        Header::to(Everyone).if_alive().build(),
        Err(HeaderError::ImmediateIfAlive)
    );
    assert_eq!(
        fixed.every_pass().times(0).build(),
        Err(HeaderError::ZeroTimes)
    );
    assert_eq!(
        fixed.every_pass().retain().build(),
        Err(HeaderError::RetainedRepeat)
    );
}

// holds: headers.if-alive, headers.post-to-gone, time.repeat-ends
#[test]
fn with_if_alive_a_post_whose_recipient_has_gone_ends_quietly() -> Tested {
    let (mut manager, log, actor) = stage();
    let mortal = manager.spawn((Ear::new("mortal", &log),));
    manager.bind(BOSS, mortal)?;
    let later = |to: Recipient| Header::to(to).after_frames(1);
    for to in [mortal.into(), BOSS.into(), Up(mortal), actor.into()] {
        manager.post(later(to).if_alive(), Note("quiet"))?;
        manager.post(later(to).every_frames(1).if_alive(), Note("quiet again"))?;
    }
    manager.post(later(mortal.into()), Note("loud"))?;
    manager.despawn(mortal)?;
    assert_eq!(manager.tick(Duration::ZERO).dead_letters, 1);
    assert_eq!(log.take(), ["actor: quiet", "actor: quiet again"]);
    // Repeating posts have ended, except for the mnemonic's, which may be bound again.
    assert_eq!(manager.pending_posts(Posts::all()).len(), 2);
    assert!(matches!(
        manager
            .post(later(mortal.into()).if_alive(), Note(""))
            .map_err(SendError::into_kind),
        Err(SendErrorKind::Absent(Absence::Gone))
    ));
    Ok(())
}

// holds: required.not-received
#[test]
fn with_if_alive_everything_else_that_goes_wrong_is_a_dead_letter() -> Tested {
    let (mut manager, _, _) = stage();
    let deaf = manager.spawn(());
    manager.post(
        Header::to(deaf).after_frames(1).if_alive().require(1),
        Note(""),
    )?;
    assert_eq!(manager.tick(Duration::ZERO).dead_letters, 1);
    Ok(())
}

// holds: time.key-is-senders, time.key-cancels
#[test]
fn a_key_is_the_senders_own_and_a_shared_key_is_for_all() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn(());
    let own = Header::to(actor).after(ms(10)).key("doors").build()?;
    let shared = Header::to(actor)
        .after(ms(10))
        .shared_key("doors")
        .build()?;
    for (own_word, shared_word) in [("o1", "s1"), ("o2", "s2")] {
        manager.post(&own, Note(own_word))?;
        manager.post(&shared, Note(shared_word))?;
    }
    manager.speak_for(other)?.post(&own, Note("other"))?;
    manager.speak_for(other)?.post(&shared, Note("s3"))?;
    let script = Do::new(move |cx| {
        assert!(!cx.has_pending("doors"));
        cx.post(&own, Note("actor's")).expect("posted");
        assert_eq!(cx.pending_posts("doors").len(), 1);
        assert_eq!(cx.cancel("doors"), 1);
        assert_eq!(cx.cancel(PostKey::from("doors").of(other)), 1);
    });
    manager.send(actor, script)?;
    let keys = manager.pending_posts(Posts::all());
    let keys: Vec<String> = keys
        .iter()
        .filter_map(|it| Some(it.key?.to_string()))
        .collect();
    assert_eq!(keys, ["doors", "doors (shared)"]);
    assert!(manager.has_pending("doors") && manager.has_pending(PostKey::from("doors").shared()));
    manager.tick(ms(10));
    assert_eq!(log.take(), ["actor: o2", "actor: s3"]);
    Ok(())
}

// holds: headers.read-back
#[test]
fn what_a_header_says_can_be_read_back_and_is_printed_in_words() -> Tested {
    let mut manager = MessageManager::new();
    let it = manager.spawn(());
    let plain = Header::to(it).build()?;
    assert_eq!(
        (plain.delay(), plain.period(), plain.times()),
        (None, None, Some(1))
    );
    assert_eq!((plain.required(), plain.key()), (None, None));
    assert!(!plain.is_tied_to_sender() && !plain.is_retained() && !plain.is_if_alive());
    let full = Header::to(BOSS)
        .after(ms(2000))
        .every(ms(500))
        .times(3)
        .unscaled()
        .tags(RADIO | ALARM)
        .require(2)
        .key(("reload", 1))
        .tied_to_sender()
        .if_alive()
        .build()?;
    assert_eq!(full.delay(), Some(Interval::Unscaled(ms(2000))));
    assert_eq!(
        (full.period(), full.times()),
        (Some(Interval::Unscaled(ms(500))), Some(3))
    );
    assert_eq!(
        (full.required(), full.key()),
        (Some(2), Some(("reload", 1).into()))
    );
    assert!(full.is_tied_to_sender() && full.is_if_alive() && !full.is_retained());
    let frames = Header::to(it).after_frames(1).every_frames(2).build()?;
    assert_eq!(frames.period(), Some(Interval::Frames(2)));
    let pass = Header::to(it)
        .stage(Stage::FixedUpdate)
        .every_pass()
        .build()?;
    assert_eq!(
        (pass.delay(), pass.period(), pass.times()),
        (None, Some(Interval::Pass), None)
    );
    let retained = Header::to(it).retain().require(1).build()?;
    assert!(retained.is_retained());
    Ok(())
}
