//! The fate of posted messages that are not delivered.

use std::ops::ControlFlow;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use crate::common::{Ear, Note, Peek, Tested, Tour, first_hook, stage};
use crate::letters::{Offer, Picky, Said, Unheard, letters};
use message_core::HeaderError;
use message_core::Recipient::Me;
use message_core::error::{Limit, Undelivered};
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;

mnemonic!(NOBODY, HERE);
group!(CROWD);
tag!(URGENT);

/// Buries the dead letters that it receives as a component.
#[derive(Default)]
struct Undertaker {
    buried: Vec<Undelivered>,
}

#[handlers]
impl Undertaker {
    #[on_receive]
    fn bury(&mut self, letter: &DeadLetter) {
        self.buried.push(letter.why.clone());
    }
}

/// Runs a frame, and returns why its messages were not delivered.
fn frame(manager: &mut MessageManager, said: &Receiver<Said>) -> Vec<Undelivered> {
    let report = manager.tick(Duration::ZERO);
    let why: Vec<Undelivered> = said.try_iter().map(|said| said.why).collect();
    assert_eq!(report.dead_letters, why.len() as u64);
    why
}

fn soon(to: impl Into<Recipient>) -> Result<Header, HeaderError> {
    Header::to(to).stage(Stage::Update).build()
}

fn required(to: impl Into<Recipient>, receivers: u32) -> Result<Header, HeaderError> {
    let header = Header::to(to).stage(Stage::Update);
    header.require(receivers).build()
}

// Which part failed.

// holds: headers.recipient-goes-later, headers.post-to-gone
#[test]
fn gone_is_a_messagee_that_was_there_when_the_message_was_posted() -> Tested {
    let (mut manager, _, actor) = stage();
    let said = letters(&mut manager);
    for to in [actor.into(), Up(actor), Down(actor)] {
        manager.post(&soon(to)?, Note(""))?;
    }
    manager.speak_for(actor)?.post(&soon(Me)?, Note(""))?;
    manager.bind(HERE, actor)?;
    manager.post(&soon(HERE)?, Note(""))?;
    manager.despawn(actor)?;
    let refused = manager.post(&soon(actor)?, Note(""));
    assert!(matches!(
        refused.map_err(SendError::into_kind),
        Err(SendErrorKind::Absent(Absence::Gone))
    ));
    assert!(said.try_recv().is_err(), "an error at once is no letter");
    let mut why = vec![Undelivered::Gone { to: actor.into() }; 4];
    let mnemonic = HERE.name();
    why.push(Undelivered::Unbound { mnemonic });
    assert_eq!(frame(&mut manager, &said), why);
    Ok(())
}

// holds: headers.mnemonic-when-delivered
#[test]
fn unbound_is_a_mnemonic_that_nobody_is_bound_to_when_it_is_delivered() -> Tested {
    let (mut manager, log, actor) = stage();
    let said = letters(&mut manager);
    manager.post(&soon(NOBODY)?, Note(""))?;
    manager.post(&soon(HERE)?, Note("in time"))?;
    manager.bind(HERE, actor)?;
    let mnemonic = NOBODY.name();
    assert_eq!(
        frame(&mut manager, &said),
        [Undelivered::Unbound { mnemonic }]
    );
    assert_eq!(log.take(), ["actor: in time"]);
    Ok(())
}

// holds: required.not-received, required.dead-letter-told
#[test]
fn empty_group_no_handler_filtered_and_too_few_are_told_apart() -> Tested {
    let (mut manager, log, actor) = stage();
    let said = letters(&mut manager);
    let picky = manager.spawn((Picky,));
    let (off, empty) = (manager.spawn((Ear::new("off", &log),)), manager.spawn(()));
    manager.set_enabled(first_hook(&manager, off), false)?;

    manager.post(&required(CROWD, 1)?, Note(""))?;
    let group = CROWD.name();
    assert_eq!(
        frame(&mut manager, &said),
        [Undelivered::EmptyGroup { group }]
    );

    manager.join(CROWD, empty)?;
    manager.post(&required(CROWD, 1)?, Note(""))?;
    for to in [Recipient::from(actor), Everyone] {
        manager.post(&required(to, 1)?, Unheard)?;
    }
    manager.post(&required(picky, 1)?, Note(""))?;
    assert_eq!(frame(&mut manager, &said), vec![Undelivered::NoHandler; 4]);

    manager.post(&required(picky, 1)?, Offer::Decline)?;
    manager.post(&required(off, 1)?, Note(""))?;
    assert_eq!(frame(&mut manager, &said), vec![Undelivered::Filtered; 2]);

    manager.post(&required(picky, 2)?, Offer::Swallow)?;
    assert_eq!(frame(&mut manager, &said), [Undelivered::TooFew]);
    manager.post(&required(picky, 1)?, Offer::Swallow)?;
    manager.post(&required(picky, 1)?, Offer::Fail)?;
    assert!(frame(&mut manager, &said).is_empty(), "both have received");
    Ok(())
}

// holds: required.not-received
#[test]
fn filtered_is_also_who_was_passed_over_by_a_filter_or_was_cut_off_but_not_who_is_hidden() -> Tested
{
    let (mut manager, log, actor) = stage();
    let said = letters(&mut manager);
    let elsewhere = manager.spawn(());
    let passed_over = Filter::of::<Unheard>().to(elsewhere);
    let hidden = Filter::of().hidden();
    for (filter, why) in [
        (passed_over, Undelivered::Filtered),
        (hidden, Undelivered::NoHandler),
    ] {
        let id = manager.subscribe(filter, |_, _| ());
        manager.post(&required(actor, 1)?, Unheard)?;
        assert_eq!(frame(&mut manager, &said), [why]);
        manager.unsubscribe(id);
    }
    let hidden = Filter::of::<Note>().hidden().before();
    manager.subscribe(hidden, |_, _| ControlFlow::Break(()));
    manager.post(&required(actor, 1)?, Note(""))?;
    assert_eq!(frame(&mut manager, &said), [Undelivered::Filtered]);
    assert!(log.take().is_empty());
    Ok(())
}

// holds: messagees.despawn-bound-messages, required.dead-letter-told
#[test]
fn sender_despawned_is_what_was_bound_to_its_sender() -> Tested {
    let (mut manager, log, actor) = stage();
    let said = letters(&mut manager);
    let sender = manager.spawn(());
    let bound = Header::to(actor)
        .after_frames(3)
        .tags(URGENT)
        .tied_to_sender();
    let bound = bound.build()?;
    manager.speak_for(sender)?.post(&bound, Note("bound"))?;
    manager.speak_for(actor)?.post(&bound, Note("of another"))?;
    manager.despawn(sender)?;
    let letter = said.try_recv()?;
    let why = Undelivered::SenderDespawned { id: sender };
    assert_eq!((letter.why, letter.counts), (why, (0, 0)));
    let envelope = letter.envelope;
    assert_eq!(envelope.sender, Sender::Messagee(sender));
    assert_eq!(envelope.recipient, actor.into());
    assert_eq!((envelope.stage, envelope.due.frame), (Stage::Update, 3));
    assert_eq!(envelope.tags, URGENT.into());
    for _ in 0..4 {
        manager.tick(Duration::ZERO);
    }
    assert_eq!(log.take(), ["actor: of another"]);
    assert!(said.try_recv().is_err());
    Ok(())
}

// holds: headers.max-pending, required.dead-letter-told
#[test]
fn refused_is_what_could_not_be_sent_when_it_was_due() -> Tested {
    let config = ManagerConfig::new().max_pending(1);
    let mut manager = MessageManager::with_config(config);
    let said = letters(&mut manager);
    let nobody = manager.spawn(());
    let late = Filter::of::<Unheard>().stage(Stage::LateUpdate);
    manager.subscribe(late.clone(), |_, _| ());
    manager.subscribe(late.clone(), |_, _| unreachable!("there is room for one"));
    manager.post(&soon(nobody)?, Unheard)?;
    let [Undelivered::Refused { error }] = &frame(&mut manager, &said)[..] else {
        panic!("expected one message to be refused");
    };
    assert!(matches!(
        error.kind(),
        SendErrorKind::AtLimit {
            limit: Limit::Pending { most: 1, .. },
            ..
        }
    ));
    Ok(())
}

// holds: required.dead-letter-told
#[test]
fn not_cloned_is_what_a_subscriber_was_to_receive_later() -> Tested {
    let (mut manager, _, actor) = stage();
    let said = letters(&mut manager);
    let update = Filter::of::<Tour>().stage(Stage::Update);
    manager.subscribe(update, |_, _| ());
    manager.send_mut(actor, &mut Tour::default())?;
    let letter = said.try_recv()?;
    assert_eq!(letter.why, Undelivered::NotCloned);
    assert!(!letter.has_message);
    assert!(letter.text.contains("because its type is not `Clone`"));
    Ok(())
}

// Messages that do not become dead letters.

// holds: required.cancelled
#[test]
fn what_requires_nobody_and_what_was_cancelled_or_replaced_is_no_dead_letter() -> Tested {
    let (mut manager, _, actor) = stage();
    let said = letters(&mut manager);
    manager.post(&soon(actor)?, Unheard)?;
    let ticket = manager.post(&required(actor, 9)?, Unheard)?;
    assert_eq!(manager.cancel(ticket), 1);
    let under_key = Header::to(actor).stage(Stage::Update).key("last").build()?;
    for _ in 0..3 {
        manager.post(&under_key, Unheard)?;
    }
    assert!(frame(&mut manager, &said).is_empty());
    Ok(())
}

// The letter.

// holds: required.dead-letter-told
#[test]
fn a_dead_letter_is_told_to_everyone_right_after() -> Tested {
    let (mut manager, log, actor) = stage();
    let undertaker = manager.spawn((Undertaker::default(),));
    let told = log.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        assert_eq!((letter.name, letter.id), (Unheard::NAME, Unheard::ID));
        told.add("dead letter");
    });
    let gone = manager.spawn(());
    manager.post(&soon(gone)?, Unheard)?;
    manager.post(&soon(actor)?, Note("next"))?;
    manager.post(&required(actor, 1)?, Unheard)?;
    manager.despawn(gone)?;
    assert_eq!(manager.tick(Duration::ZERO).dead_letters, 2);
    assert_eq!(log.take(), ["dead letter", "actor: next", "dead letter"]);
    let buried = &manager.get::<Undertaker>(undertaker)?.buried;
    let expected = [
        Undelivered::Gone { to: gone.into() },
        Undelivered::NoHandler,
    ];
    assert_eq!(*buried, expected);
    Ok(())
}

// holds: required.dead-letter-told
#[test]
fn a_dead_letter_has_the_message_and_its_envelope_and_prints_what_went_wrong() -> Tested {
    let (mut manager, _, actor) = stage();
    let said = letters(&mut manager);
    let header = Header::to(Me)
        .after_frames(2)
        .tags(URGENT)
        .require(3)
        .build()?;
    let line = line!() + 1;
    manager.speak_for(actor)?.post(&header, Note("a"))?;
    manager.tick(Duration::from_millis(1));
    manager.tick(Duration::from_millis(1));
    let letter = said.try_recv()?;
    let note = letter.copy.as_deref();
    let note = note.and_then(|message| message.downcast_ref::<Note>());
    assert_eq!(note.map(|note| note.0), Some("a"));
    let envelope = letter.envelope;
    assert_eq!(envelope.sender, Sender::Messagee(actor));
    assert_eq!((envelope.recipient, envelope.stage), (Me, Stage::Update));
    assert_eq!((envelope.posted.frame, envelope.due.frame), (0, 2));
    assert_eq!(envelope.place.line(), line);
    assert_eq!(envelope.tags, URGENT.into());
    assert_eq!(letter.counts, (3, 1));
    let expected = format!(
        "`{}` from messagee {actor} to the sender itself, posted at {}, was not delivered: there \
         were not enough receivers (received by 1, expected at least 3)",
        Note::NAME,
        envelope.place
    );
    assert_eq!(letter.text, expected);

    manager.post(&soon(NOBODY)?, Peek("b"))?;
    manager.tick(Duration::ZERO);
    let text = said.try_recv()?.text;
    let expected = format!(
        "was not delivered: no messagee is bound to `{}`",
        NOBODY.name()
    );
    assert!(text.ends_with(&expected), "{text}");
    Ok(())
}

// holds: required.dead-letter-told
#[test]
fn a_dead_letter_has_no_message_when_that_is_still_wanted() -> Tested {
    let (mut manager, _, actor) = stage();
    let said = letters(&mut manager);
    let has_message = |manager: &mut MessageManager| -> Vec<bool> {
        manager.tick(Duration::ZERO);
        let letters = said.try_iter();
        letters.map(|letter| letter.has_message).collect()
    };
    let late = Filter::of::<Peek>().stage(Stage::EndOfFrame);
    manager.subscribe(late, |_, _| ());
    manager.post(&required(actor, 3)?, Peek("received later"))?;
    manager.post(&required(actor, 3)?, Note("its own"))?;
    assert_eq!(has_message(&mut manager), [false, true]);
    let again = Header::to(actor)
        .every_frames(1)
        .times(3)
        .require(2)
        .build()?;
    manager.post(&again, Note("a copy"))?;
    manager.post(&again, Tour::default())?;
    for _ in 0..2 {
        assert_eq!(has_message(&mut manager), [true, false]);
    }
    // The last time it is not wanted again.
    assert_eq!(has_message(&mut manager), [true, true]);
    Ok(())
}

// holds: time.repeat-ends
#[test]
fn a_message_that_repeats_ends_with_one_dead_letter_when_its_recipient_is_gone() -> Tested {
    let (mut manager, _, actor) = stage();
    let said = letters(&mut manager);
    let again = Header::to(actor).every_frames(1).tags(URGENT).build()?;
    let ticket = manager.post(&again, Tour::default())?;
    manager.tick(Duration::ZERO);
    manager.despawn(actor)?;
    assert_eq!(
        frame(&mut manager, &said),
        [Undelivered::Gone { to: actor.into() }]
    );
    assert!(!manager.has_pending(ticket));
    assert!(frame(&mut manager, &said).is_empty());
    Ok(())
}

// holds: send.failure-while-telling, time.own-stage-next-pass
#[test]
fn who_hears_of_dead_letters_may_cause_others_and_every_frame_ends() -> Tested {
    let (mut manager, log, _) = stage();
    let gone = manager.spawn(());
    manager.despawn(gone)?;
    let told = log.clone();
    let update = Filter::of::<Tour>().stage(Stage::Update);
    manager.subscribe(update, |_, _| ());
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, cx| {
        told.add(letter.name.rsplit("::").next().unwrap_or_default());
        assert!(cx.send(gone, Note("")).is_err());
        let header = soon(gone).expect("it is whole");
        assert!(cx.post(&header, Note("")).is_err());
        cx.post(&header.with_recipient(NOBODY), Peek("again"))
            .expect("it is looked up later");
        // Not cloned: a dead letter on the way of telling one is not told.
        cx.send_mut(Everyone, &mut Tour::default()).expect("sent");
    });
    manager.post(&soon(NOBODY)?, Note("first"))?;
    for expected in ["Note", "Peek", "Peek"] {
        manager.tick(Duration::ZERO);
        assert_eq!(log.take(), [expected]);
    }
    Ok(())
}
