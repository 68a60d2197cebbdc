//! Headers: how they are built, which contradictions they refuse, and how they are used.

use std::time::Duration;

use crate::common::{Actor, Do, Ear, Log, Note, Tested, stage};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::error::Limit;
use message_core::prelude::*;
use message_core::{Envelope, post::HeaderBuilder};
use message_core::{HeaderError, PostKey, TagSet};

tag!(RADIO, ALARM);
mnemonic!(WORLD);

const SECOND: Duration = Duration::from_secs(1);

fn header() -> HeaderBuilder {
    Header::to(Everyone)
}

/// Holds that it does not build, for that reason, and that the text of the error names the parts.
#[track_caller]
fn refused(builder: HeaderBuilder, expected: HeaderError, parts: &[&str]) {
    let error = builder.build().expect_err("it contradicts itself");
    assert_eq!(error, expected);
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
}

// A contradiction is an error when the header is built, and never ignored.

// holds: headers.contradiction
#[test]
fn a_delay_or_a_period_with_immediate_is_an_error_when_it_is_built() {
    let parts = ["`Immediate`", "a delay or a period", "expected another"];
    let at_once = header().stage(Stage::Immediate);
    for waiting in [
        at_once.after(SECOND),
        at_once.after_frames(1),
        at_once.every(SECOND),
        at_once.every_frames(1),
        at_once.after(Duration::ZERO),
        at_once.after_frames(0),
    ] {
        refused(waiting, HeaderError::DelayedImmediate, &parts);
    }
}

// holds: headers.contradiction
#[test]
fn two_delays_are_an_error_when_it_is_built() {
    let parts = ["two delays", "expected one of `after` and `after_frames`"];
    let two = header().after(SECOND).after_frames(1);
    refused(two, HeaderError::TwoDelays, &parts);
    let zero = header().after_frames(0).after(Duration::ZERO);
    refused(zero, HeaderError::TwoDelays, &parts);
}

#[test]
fn a_delay_or_a_period_that_is_set_twice_is_the_last_one() {
    let twice = header().after(SECOND).after(2 * SECOND);
    assert_eq!(twice.build(), header().after(2 * SECOND).build());
    let twice = header().after_frames(1).after_frames(2);
    assert_eq!(twice.build(), header().after_frames(2).build());
    let twice = header().every_frames(1).every_frames(2);
    assert_eq!(twice.build(), header().every_frames(2).build());
}

// holds: headers.contradiction
#[test]
fn two_periods_are_an_error_when_it_is_built() {
    let parts = [
        "two periods",
        "expected one of `every`, `every_frames` and `every_pass`",
    ];
    let two = header().every(SECOND).every_frames(1);
    refused(two, HeaderError::TwoPeriods, &parts);
}

// holds: headers.contradiction
#[test]
fn a_delay_in_time_with_a_period_in_frames_is_an_error_when_it_is_built() {
    let parts = ["different units", "`after` with `every`", "`every_frames`"];
    for mixed in [
        header().after(SECOND).every_frames(1),
        header().after_frames(1).every(SECOND),
        header().after(Duration::ZERO).every_frames(1),
        header().after_frames(0).every(SECOND),
    ] {
        refused(mixed, HeaderError::MixedUnits, &parts);
    }
}

// holds: headers.contradiction
#[test]
fn a_period_of_zero_is_an_error_when_it_is_built() {
    let parts = [
        "a period of zero",
        "expected at least one nanosecond or one frame",
    ];
    for zero in [
        header().every(Duration::ZERO),
        header().every_frames(0),
        header().after(SECOND).every(Duration::ZERO),
    ] {
        refused(zero, HeaderError::ZeroPeriod, &parts);
    }
    assert!(header().every(Duration::from_nanos(1)).build().is_ok());
}

// holds: headers.contradiction
#[test]
fn zero_times_are_an_error_when_it_is_built() {
    let parts = ["zero times", "expected at least one time"];
    let none = header().every(SECOND).times(0);
    refused(none, HeaderError::ZeroTimes, &parts);
    assert!(header().every(SECOND).times(1).build().is_ok());
}

// holds: headers.contradiction
#[test]
fn times_without_a_period_are_an_error_when_it_is_built() {
    let parts = ["`times` and no period", "expected `every`"];
    for often in [
        header().times(3),
        header().times(0),
        header().after(SECOND).times(3),
    ] {
        refused(often, HeaderError::TimesWithoutPeriod, &parts);
    }
}

// holds: headers.contradiction
#[test]
fn unscaled_with_nothing_to_measure_is_an_error_when_it_is_built() {
    let parts = ["`unscaled`", "expected `after` or `every`"];
    for unscaled in [
        header().unscaled(),
        header().stage(Stage::Update).unscaled(),
        header().after_frames(1).unscaled(),
        header().every_frames(1).unscaled(),
    ] {
        refused(unscaled, HeaderError::NothingUnscaled, &parts);
    }
    assert!(header().after(SECOND).unscaled().build().is_ok());
    assert!(header().every(SECOND).unscaled().build().is_ok());
}

// holds: headers.contradiction
#[test]
fn a_key_or_bound_with_immediate_is_an_error_when_it_is_built() {
    let (key, bound) = (HeaderError::ImmediateKey, HeaderError::ImmediateTied);
    let at_once = header().stage(Stage::Immediate);
    for keyed in [
        header().key("k"),
        at_once.key("k"),
        header().shared_key("k"),
    ] {
        refused(keyed, key, &["`Immediate`", "a key", "no key"]);
    }
    for tied in [header().tied_to_sender(), at_once.tied_to_sender()] {
        refused(
            tied,
            bound,
            &["`Immediate`", "`tied_to_sender`", "neither of them"],
        );
    }
    assert!(
        header()
            .after(SECOND)
            .key("k")
            .tied_to_sender()
            .build()
            .is_ok()
    );
}

// holds: headers.contradiction
#[test]
fn retain_with_a_period_is_an_error_when_it_is_built() {
    let parts = [
        "repeats",
        "retained",
        "expected one of `every` and `retain`",
    ];
    for kept in [
        header().every(SECOND).retain(),
        header().every_frames(1).retain(),
    ] {
        refused(kept, HeaderError::RetainedRepeat, &parts);
    }
}

// The built header.

// holds: headers.default-stage
#[test]
fn a_header_without_a_stage_is_immediate_and_one_with_a_delay_or_a_period_is_for_update() -> Tested
{
    assert_eq!(header().build()?.stage(), Stage::Immediate);
    assert_eq!(Stage::default(), Stage::Immediate);
    for waiting in [
        header().after(SECOND),
        header().after(Duration::ZERO),
        header().after_frames(1),
        header().every(SECOND),
        header().every_pass(),
    ] {
        assert_eq!(waiting.build()?.stage(), Stage::Update);
        for stage in Stage::WAITING {
            assert_eq!(waiting.stage(stage).build()?.stage(), stage);
        }
    }
    let by_frames = header().every_frames(1);
    assert_eq!(by_frames.build()?.stage(), Stage::Update);
    for stage in [Stage::Update, Stage::LateUpdate, Stage::EndOfFrame] {
        assert_eq!(by_frames.stage(stage).build()?.stage(), stage);
    }
    Ok(())
}

// holds: headers.read-back
#[test]
fn a_header_can_be_read() -> Tested {
    let key = PostKey::from(("alarm", 7));
    let builder = header().after(SECOND).tags(RADIO | ALARM).key(key);
    let header = builder.build()?;
    assert_eq!(header.recipient(), Everyone);
    assert_eq!(header.tags(), ALARM | RADIO);
    assert_eq!(header.key(), Some(key));
    assert_eq!(Header::to(WORLD).build()?.recipient(), WORLD.into());
    assert_eq!(Header::to(WORLD).build()?.tags(), TagSet::EMPTY);
    assert_eq!(Header::to(WORLD).build()?.key(), None);
    Ok(())
}

#[test]
fn of_a_part_that_is_set_twice_the_last_counts() -> Tested {
    let builder = header().tags(RADIO).tags(ALARM).key("a").key("b");
    let builder = builder.stage(Stage::Update).stage(Stage::EndOfFrame);
    let header = builder.build()?;
    assert_eq!(header.tags(), ALARM.into());
    assert_eq!(header.key(), Some("b".into()));
    assert_eq!(header.stage(), Stage::EndOfFrame);
    Ok(())
}

// holds: headers.reusable
#[test]
fn a_header_is_built_once_and_used_for_any_number_of_messages() -> Tested {
    let (mut manager, log, _) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let soon = Header::to(ear).after_frames(1).build()?;
    for word in ["1", "2", "3"] {
        manager.post(&soon, Note(word))?;
    }
    manager.tick(SECOND);
    manager.post(&soon, Note("4"))?;
    assert_eq!(log.take(), ["ear: 1", "ear: 2", "ear: 3"]);
    manager.tick(SECOND);
    assert_eq!(log.take(), ["ear: 4"]);
    Ok(())
}

// holds: headers.reusable
#[test]
fn a_header_is_copy_and_can_be_shared_between_threads() -> Tested {
    fn shared<T: Copy + Send + Sync + 'static>(value: T) -> T {
        value
    }
    let header = shared(header().after(SECOND).build()?);
    let copy = header;
    assert_eq!(copy, header);
    Ok(())
}

// holds: headers.reusable
#[test]
fn a_header_can_be_readdressed() -> Tested {
    let (mut manager, log, _) = stage();
    let a = manager.spawn((Ear::new("a", &log),));
    let b = manager.spawn((Ear::new("b", &log),));
    let to_a = Header::to(a).after(SECOND).tags(RADIO).build()?;
    let to_b = to_a.with_recipient(b);
    assert_eq!(to_a.recipient(), a.into());
    assert_eq!(to_b.recipient(), b.into());
    assert_eq!(to_b.with_recipient(a), to_a);
    manager.post(&to_b, Note("first"))?;
    manager.post(&to_a, Note("second"))?;
    assert_eq!(manager.tick(SECOND / 2).delivered, 0);
    manager.tick(SECOND / 2);
    assert_eq!(log.take(), ["b: first", "a: second"]);
    Ok(())
}

#[test]
fn the_longest_times_build() -> Tested {
    let longest = header().after(Duration::MAX).every(Duration::MAX);
    longest.times(u64::MAX).build()?;
    let longest = header().after_frames(u64::MAX).every_frames(u64::MAX);
    longest.require(u32::MAX).build()?;
    Ok(())
}

// Requirements that posting makes of a header.

// holds: headers.immediate-is-send
#[test]
fn posting_with_stage_immediate_is_a_send() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let now = Header::to(ear).build()?;
    manager.post(&now, Note("at once"))?;
    assert_eq!(log.take(), ["ear: at once"]);
    let told = log.clone();
    let script = Do::new(move |cx| {
        cx.post(&now, Note("depth first")).expect("posted");
        told.add("behind");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["ear: depth first", "behind"]);
    assert_eq!(manager.tick(SECOND).delivered, 0);
    Ok(())
}

// holds: headers.envelope
#[test]
fn the_envelope_of_an_immediate_post_stays_with_it_while_it_is_kept() -> Tested {
    #[derive(Message)]
    struct Echo(u32);

    #[derive(Default)]
    struct Echoing(Vec<Envelope>);

    #[handlers]
    impl Echoing {
        #[on_receive]
        fn echo(&mut self, echo: &Echo, cx: &mut Context<'_>) -> Result<(), HandlerError> {
            self.0.push(cx.envelope());
            if echo.0 > 0 {
                cx.post(&Header::to(Me).tags(RADIO).build()?, Echo(0))?;
            }
            Ok(())
        }
    }

    let mut manager = MessageManager::new();
    let echoing = manager.spawn((Echoing::default(),));
    manager.send(echoing, Echo(1))?;
    let envelopes = &manager.get::<Echoing>(echoing)?.0;
    assert_eq!(envelopes.len(), 2);
    assert_eq!(
        (envelopes[0].tags, envelopes[0].sender),
        (TagSet::EMPTY, Sender::Outside)
    );
    assert_eq!(envelopes[1].tags, RADIO.into());
    assert_eq!(envelopes[1].sender, Sender::Messagee(echoing));
    Ok(())
}

#[test]
fn the_ticket_of_what_was_delivered_at_once_names_nothing() -> Tested {
    let (mut manager, log, _) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    manager.post(&Header::to(ear).after(SECOND).build()?, Note("pending"))?;
    let spent = manager.post(&Header::to(ear).build()?, Note("at once"))?;
    assert!(!manager.has_pending(spent));
    assert!(manager.pending_posts(spent).is_empty());
    assert_eq!(manager.cancel(spent), 0);
    manager.tick(SECOND);
    assert_eq!(log.take(), ["ear: at once", "ear: pending"]);
    Ok(())
}

// holds: headers.post-to-gone
#[test]
fn posting_to_a_messagee_that_is_gone_is_an_error_at_once() -> Tested {
    let (mut manager, log, _) = stage();
    let gone = manager.spawn((Ear::new("gone", &log),));
    manager.despawn(gone)?;
    let expected = SendError::new(Note::NAME, gone, SendErrorKind::Absent(Absence::Gone));
    for to in [gone.into(), Up(gone), Down(gone)] {
        for builder in [Header::to(to), Header::to(to).after(SECOND)] {
            let refused = manager.post(&builder.build()?, Note(""));
            assert_eq!(refused, Err(expected.clone()));
        }
    }
    assert!(!manager.has_pending(Posts::all()));
    Ok(())
}

// holds: messagees.other-manager
#[test]
fn posting_to_a_messagee_of_another_manager_is_an_error_at_once() -> Tested {
    let (mut manager, _, _) = stage();
    let stranger = MessageManager::new().spawn(());
    for to in [stranger.into(), Up(stranger), Down(stranger)] {
        let header = Header::to(to).after(SECOND).build()?;
        let refused = manager.post(&header, Note(""));
        assert!(matches!(
            refused,
            Err(error) if *error.kind() == SendErrorKind::Absent(Absence::OtherManager) && error.to() == Some(stranger.into())
        ));
    }
    assert!(!manager.has_pending(Posts::all()));
    Ok(())
}

// holds: headers.sender-from-outside
#[test]
fn me_and_everyone_else_from_outside_are_errors_at_once() -> Tested {
    let (mut manager, ..) = stage();
    for builder in [Header::to(Me), Header::to(EveryoneElse)] {
        for builder in [builder, builder.after(SECOND), builder.after_frames(1)] {
            let refused = manager.post(&builder.build()?, Note(""));
            assert!(matches!(
                refused.map_err(SendError::into_kind),
                Err(SendErrorKind::NoSender)
            ));
        }
    }
    assert!(!manager.has_pending(Posts::all()));
    Ok(())
}

// holds: headers.sender-from-outside
#[test]
fn headers_that_tie_a_message_to_its_sender_are_errors_at_once_from_outside() -> Tested {
    let (mut manager, _, actor) = stage();
    for builder in [
        Header::to(actor).after(SECOND).tied_to_sender(),
        Header::to(actor).stage(Stage::Update).tied_to_sender(),
    ] {
        let refused = manager
            .post(&builder.build()?, Note(""))
            .expect_err("outside");
        let no_sender = SendError::new(Note::NAME, actor, SendErrorKind::NoSender);
        assert_eq!(refused, no_sender);
        assert!(
            refused
                .to_string()
                .contains("its header has `tied_to_sender`")
        );
    }
    assert!(!manager.has_pending(Posts::all()));
    Ok(())
}

// holds: messagees.as-messagee-alive
#[test]
fn posting_in_the_name_of_a_messagee_that_is_gone_to_itself_is_an_error_at_once() -> Tested {
    let (mut manager, _, actor) = stage();
    let script = || Do::new(move |cx| cx.despawn(actor).expect("it is there"));
    let to_me = Header::to(Me).after(SECOND).build()?;
    let mut gone = manager.speak_for(actor)?;
    gone.send(Me, script())?;
    assert!(matches!(
        gone.send(Me, Note("")),
        Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Gone) && error.to() == Some(actor.into())
    ));
    let refused = gone.post(&to_me, Note(""));
    assert!(matches!(
        refused,
        Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Gone) && error.to() == Some(actor.into())
    ));
    Ok(())
}

// holds: headers.max-pending, headers.replace-is-not-more, time.full-names-most
#[test]
fn one_more_than_may_be_pending_is_an_error_and_nothing_that_was_accepted_is_lost() -> Tested {
    let config = ManagerConfig::new().max_pending(3);
    let (mut manager, log) = (MessageManager::with_config(config), Log::default());
    let ear = manager.spawn((Ear::new("ear", &log),));
    let soon = Header::to(ear).after(SECOND).build()?;
    let keyed = Header::to(ear).after(SECOND).key("key").build()?;
    let another = Header::to(ear).after_frames(1).key("another").build()?;
    manager.post(&Header::to(ear).every(SECOND).build()?, Note("repeats"))?;
    manager.post(&keyed, Note("replaced"))?;
    let third = manager.post(&soon, Note("third"))?;
    for header in [soon, another] {
        let refused = manager
            .post(&header, crate::common::Peek("refused"))
            .expect_err("full");
        let SendErrorKind::AtLimit {
            limit: Limit::Pending { most: limit, bulk },
            chain,
        } = refused.kind()
        else {
            panic!("{refused}");
        };
        assert_eq!((refused.to(), *limit), (Some(ear.into()), 3));
        assert_eq!(refused.message(), Some(crate::common::Peek::NAME));
        let bulk = bulk.as_ref().expect("messages are pending");
        assert_eq!((bulk.message, bulk.messages), (Note::NAME, 3));
        assert!(chain.links().is_empty());
        assert!(
            refused
                .to_string()
                .contains("3 messages are pending, the limit set by `ManagerConfig::max_pending`")
        );
    }
    manager.post(&Header::to(ear).build()?, Note("at once"))?;
    for word in ["replaced again", "replacing"] {
        manager.post(&keyed, Note(word))?;
    }
    manager.cancel(third);
    manager.post(&soon, Note("in its place"))?;
    assert!(manager.post(&soon, Note("refused")).is_err());
    assert_eq!(manager.tick(SECOND).delivered, 3);
    let expected = ["at once", "repeats", "replacing", "in its place"];
    assert_eq!(log.take(), expected.map(|word| format!("ear: {word}")));
    manager.post(&soon, Note(""))?;
    manager.post(&soon, Note(""))?;
    assert!(manager.post(&soon, Note("refused")).is_err());
    Ok(())
}

// holds: headers.mnemonic-when-delivered
#[test]
fn a_mnemonic_is_looked_up_when_the_message_is_delivered() -> Tested {
    let (mut manager, log, first) = stage();
    let second = manager.spawn((Actor::new("second", &log),));
    let header = Header::to(WORLD).after_frames(1).build()?;
    manager.post(&header, Note("unbound when posted"))?;
    manager.bind(WORLD, first)?;
    manager.tick(SECOND);
    assert_eq!(log.take(), ["actor: unbound when posted"]);
    manager.post(&header, Note("bound anew"))?;
    manager.unbind(WORLD, first)?;
    manager.bind(WORLD, second)?;
    manager.tick(SECOND);
    assert_eq!(log.take(), ["second: bound anew"]);
    manager.post(&header, Note("nobody"))?;
    manager.unbind(WORLD, second)?;
    assert_eq!(manager.tick(SECOND).dead_letters, 1);
    assert!(log.take().is_empty());
    Ok(())
}
