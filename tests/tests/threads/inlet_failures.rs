//! The inlet when something goes wrong: in the thread that posts, when it is drained, and when the
//! manager goes.

use std::sync::Arc;
use std::time::Duration;

use crate::common::{Do, Note, Tested, panic_of};
use crate::inlets::{Clerk, HERE, NOBODY, Parcel, RADIO, STEP, at, framed, framed_with, to};
use crate::letters::{Unheard, letters};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::error::Limit;
use message_core::prelude::*;
use message_core::{Inlet, InletError};
use message_core::{NoReply, error::Undelivered};

// Failures in the posting thread.

// holds: threads.full, threads.error-gives-back
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

// holds: threads.capacity
#[test]
fn there_is_room_for_one_message_at_least() -> Tested {
    let (manager, _, _, ear) = framed_with(ManagerConfig::new().inlet_capacity(0));
    let inlet = manager.inlet();
    assert_eq!(inlet.capacity(), 1);
    inlet.try_post(&to(ear), Note("1"))?;
    assert!(inlet.try_post(&to(ear), Note("2")).is_err());
    Ok(())
}

// holds: threads.capacity
#[test]
fn the_capacity_takes_no_memory() -> Tested {
    let (mut manager, log, _, ear) = framed_with(ManagerConfig::new().inlet_capacity(u32::MAX));
    let inlet = manager.inlet();
    assert_eq!(inlet.capacity(), u32::MAX as usize);
    inlet.try_post(&to(ear), Note("1"))?;
    inlet.post(&to(ear), Note("2"), STEP)?;
    manager.tick(STEP);
    assert_eq!(log.take(), ["ear: 1", "ear: 2"]);
    Ok(())
}

// holds: threads.full, threads.error-gives-back
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

// holds: threads.closed, threads.error-gives-back
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

// holds: threads.refused-at-once, threads.error-gives-back
#[test]
fn headers_that_need_a_sender_are_refused_at_once() {
    let (manager, _, _, ear) = framed();
    let inlet = manager.inlet();
    let message = Note::NAME;
    for recipient in [Me, EveryoneElse] {
        for header in [to(recipient), at(Stage::Update, recipient)] {
            let refused = inlet.try_post(&header, Note("n"));
            let Err(InletError::Refused { error, message: it }) = refused else {
                panic!("{refused:?}");
            };
            let no_sender = SendError::new(message, recipient, SendErrorKind::NoSender);
            assert_eq!(error, no_sender);
            assert_eq!(it.0, "n");
        }
    }
    let builder = Header::to(ear).after(STEP);
    let refused = inlet.post(builder.tied_to_sender(), Note("n"), STEP);
    let Err(InletError::Refused { error, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(error, SendError::new(message, ear, SendErrorKind::NoSender));
    assert!(inlet.is_empty());
}

// holds: threads.refused-at-once
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
    let unregistered = SendError::new("secret", ear, SendErrorKind::Unregistered);
    assert_eq!(error, unregistered);
}

// holds: reentrancy.limit-names-remedy
#[test]
fn an_inlet_error_names_the_message_type_and_prints_without_its_debug() -> Tested {
    let (manager, _, _, ear) = framed_with(ManagerConfig::new().inlet_capacity(1));
    let (inlet, header) = (manager.inlet(), to(ear));
    let parcel = || Parcel(Arc::default());
    inlet.try_post(&header, parcel())?;
    let name = Parcel::NAME;
    let told = |variant: &str, result: Result<(), InletError<Parcel>>| {
        let error = result.expect_err("there is no room");
        assert_eq!(format!("{error:?}"), format!("{variant}({error})"));
        error.to_string()
    };
    let text = told("Full", inlet.try_post(&header, parcel()));
    assert_eq!(
        text,
        format!(
            "`{name}` was not posted: 1 messages, the limit set by `ManagerConfig::inlet_capacity`, are \
             waiting in the inlet for the manager's next frame; post again later, wait with `post`, or raise the limit"
        )
    );
    let text = told("TimedOut", inlet.post(&header, parcel(), STEP));
    assert_eq!(
        text,
        format!(
            "`{name}` was not posted: the inlet was full for 10ms, and no frame of its manager made room"
        )
    );
    let text = told("Refused", inlet.try_post(&to(Me), parcel()));
    let error = SendError::new(name, Me, SendErrorKind::NoSender);
    assert_eq!(text, error.to_string());
    drop(manager);
    let text = told("Closed", inlet.try_post(&header, parcel()));
    assert_eq!(
        text,
        format!("`{name}` was not posted: its manager was dropped")
    );
    Ok(())
}

// Failures during draining.

// holds: threads.dead-letter
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
            Recipient::Id(id) if id == gone => Undelivered::Gone { to: id.into() },
            Recipient::Id(id) if id == stranger => Undelivered::Refused {
                error: SendError::new(message, id, SendErrorKind::Absent(Absence::OtherManager)),
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

// holds: threads.dead-letter, headers.max-pending
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
        matches!(
            error.kind(),
            SendErrorKind::AtLimit {
                limit: Limit::Pending { most: 1, .. },
                ..
            }
        ),
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

// holds: threads.dead-letter
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

// holds: send.nobody-is-no-error
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

// holds: threads.panic-while-drained
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

// holds: threads.panic-while-drained
#[test]
fn what_a_panic_left_in_the_inlet_takes_room_until_it_is_drained() -> Tested {
    let (mut manager, log, actor, ear) = framed_with(ManagerConfig::new().inlet_capacity(3));
    let inlet = manager.inlet();
    inlet.try_post(&to(actor), Do::new(|_| panic!("while draining")))?;
    inlet.try_post(&to(ear), Note("1"))?;
    inlet.try_post(&to(ear), Note("2"))?;
    assert_eq!(panic_of(|| manager.tick(STEP)), "while draining");
    assert_eq!(inlet.len(), 2);
    inlet.try_post(&to(ear), Note("3"))?;
    let full = inlet.try_post(&to(ear), Note("4"));
    assert!(matches!(full, Err(InletError::Full { capacity: 3, .. })));
    assert_eq!(manager.tick(STEP).drained, 3);
    assert_eq!(log.take(), ["ear: 1", "ear: 2", "ear: 3"]);
    Ok(())
}

// holds: threads.dropped-once, memory.drop-panics
#[test]
fn several_drops_that_panic_when_the_inlet_goes_with_its_manager_end_in_the_first() -> Tested {
    #[derive(Message)]
    struct Brittle(
        #[allow(dead_code, reason = "it is only dropped")] Parcel,
        u32,
    );

    impl Drop for Brittle {
        fn drop(&mut self) {
            panic!("{}", self.1);
        }
    }

    let (manager, .., ear) = framed();
    let inlet = manager.inlet();
    let counted = Arc::new(());
    for number in 1..=3 {
        let parcel = Parcel(Arc::clone(&counted));
        inlet.try_post(&to(ear), Brittle(parcel, number))?;
    }
    assert_eq!(panic_of(move || drop(manager)), "1");
    assert_eq!(Arc::strong_count(&counted), 1);
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
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

// holds: threads.dropped-once
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

// holds: threads.dropped-once
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
