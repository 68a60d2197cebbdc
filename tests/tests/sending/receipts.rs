//! Receivers that must be there: of a receipt, by default, and the receipt of a ticket.

use std::time::Duration;

use crate::common::{Actor, Do, Log, Note, Tested, Tour, Who, stage};
use crate::subscribers::notes;
use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;
use message_core::report::ReportTo;
use message_core::{Receipt, error::Undelivered};

mnemonic!(BOSS);
group!(SQUAD);
group!(CROWD);

fn strict(receivers: u32) -> (MessageManager, Log, MessageeId) {
    let config = ManagerConfig::new().require(receivers);
    let (mut manager, log) = (MessageManager::with_config(config), Log::default());
    let actor = manager.spawn((Actor::new("actor", &log),));
    (manager, log, actor)
}

// holds: required.at-least, subscriptions.hidden
#[test]
fn at_least_is_an_error_with_both_numbers_if_there_are_fewer() -> Tested {
    let (mut manager, log, actor) = stage();
    let receipt = manager.send(actor, Note("a"))?;
    assert_eq!(receipt.at_least(1), Ok(receipt));
    let error = receipt.at_least(2).expect_err("there is one");
    assert_eq!((error.message(), error.to()), (None, None));
    let few = SendErrorKind::NotReceived {
        wanted: 2,
        got: 1,
        why: Undelivered::TooFew,
    };
    assert_eq!(*error.kind(), few);
    // A busy receiver counts.
    manager.send(
        actor,
        Do::new(move |cx| {
            let receipt = cx.send(actor, Note("kept")).expect("kept");
            assert!(receipt.at_least(1).is_ok() && receipt.at_least(2).is_err());
        }),
    )?;
    manager.subscribe(Filter::of::<Note>().hidden(), notes(&log, "hidden"));
    assert!(manager.send(actor, Note("b"))?.at_least(2).is_err());
    Ok(())
}

// holds: required.by-default, required.not-received
#[test]
fn the_default_holds_for_sends_and_posts_to_one_messagee_whose_header_does_not_say() -> Tested {
    let (mut manager, log, actor) = strict(1);
    let deaf = manager.spawn(());
    manager.bind(BOSS, deaf)?;
    for to in [Recipient::Id(deaf), BOSS.into()] {
        let refused = manager.send(to, Note("a"));
        let Err(SendErrorKind::NotReceived {
            wanted: 1,
            got: 0,
            why,
            ..
        }) = refused.as_ref().map_err(SendError::kind)
        else {
            panic!("{refused:?}");
        };
        assert_eq!(*why, Undelivered::NoHandler);
        assert!(matches!(
            manager
                .send_mut(to, &mut Tour::default())
                .map_err(SendError::into_kind),
            Err(SendErrorKind::NotReceived { .. })
        ));
        assert!(manager.post(Header::to(to), Note("b")).is_err());
        assert!(manager.post(Header::to(to).require(0), Note("b")).is_ok());
    }
    assert!(manager.speak_for(deaf)?.send(Me, Note("c")).is_err());
    assert!(manager.send(actor, Note("d")).is_ok());
    assert!(
        manager
            .post(Header::to(actor).require(2), Note("e"))
            .is_err()
    );
    manager.post(Header::to(deaf).after_frames(1), Note("f"))?;
    manager.post(Header::to(deaf).after_frames(1).require(0), Note("g"))?;
    manager.post(Header::to(actor).after_frames(1), Note("h"))?;
    for _ in 0..3 {
        manager.post(Header::to(deaf).after_frames(1), Note("in a batch"))?;
    }
    manager.inlet().try_post(Header::to(deaf), Note("i"))?;
    assert_eq!(manager.tick(Duration::ZERO).dead_letters, 5);
    assert_eq!(log.take(), ["actor: d", "actor: e", "actor: h"]);
    manager.subscribe(Filter::of::<Note>(), notes(&log, "subscriber"));
    assert!(manager.send(deaf, Note("j")).is_ok());
    Ok(())
}

// holds: required.default-exempt
#[test]
fn the_default_does_not_hold_for_what_is_sent_to_many_for_requests_and_for_the_managers_own()
-> Tested {
    let (mut manager, _, actor) = strict(2);
    let deaf = manager.spawn(());
    manager.join(SQUAD, deaf)?;
    for to in [Everyone, SQUAD.into(), Up(deaf), Down(deaf)] {
        assert!(manager.send(to, Note("a")).is_ok());
        manager.post(Header::to(to).stage(Stage::Update), Note("b"))?;
    }
    assert!(
        manager
            .speak_for(actor)?
            .send(EveryoneElse, Note("c"))
            .is_ok()
    );
    assert_eq!(manager.request(actor, Who)?, "actor");
    assert!(matches!(
        manager.request(deaf, Who).map_err(SendError::into_kind),
        Err(SendErrorKind::NoAnswer { .. })
    ));
    assert_eq!(manager.request_all(actor, Who)?.len(), 1);
    assert!(manager.publish(deaf, Note("d")).is_ok());
    assert_eq!(manager.tick(Duration::ZERO).dead_letters, 0);
    // Nobody handles the manager's messages about this.
    assert!(manager.despawn(deaf).is_ok());
    Ok(())
}

// holds: required.busy-count, required.by-default
#[test]
fn who_is_busy_or_newborn_counts_for_the_default() -> Tested {
    let (mut manager, log, actor) = strict(1);
    let ear = log.clone();
    let script = Do::new(move |cx| {
        assert_eq!(cx.send(Me, Note("kept")).map(|it| it.pending), Ok(1));
        let newborn = cx.spawn((crate::common::Ear::new("ear", &ear),));
        assert_eq!(cx.send(newborn, Note("born")).map(|it| it.pending), Ok(1));
        let deaf = cx.spawn(());
        assert!(cx.send(deaf, Note("deaf")).is_err());
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["actor: kept", "ear: born"]);
    Ok(())
}

// holds: headers.immediate-is-send, subscriptions.before-counts
#[test]
fn the_ticket_of_a_message_that_was_delivered_at_once_tells_its_receipt() -> Tested {
    let (mut manager, _, actor) = stage();
    let ticket = manager.post(Header::to(actor), Note("a"))?;
    let sent = manager.send(actor, Note("a"))?;
    assert_eq!(ticket.receipt(), Some(sent));
    assert_eq!(sent.received, 1);
    assert!(!manager.has_pending(ticket) && manager.cancel(ticket) == 0);
    let script = Do::new(move |cx| {
        let ticket = cx.post(Header::to(Me), Note("kept")).expect("kept");
        assert_eq!(
            ticket.receipt().map(|it| (it.received, it.pending)),
            Some((0, 1))
        );
    });
    manager.send(actor, script)?;
    manager.subscribe(Filter::of::<Note>().before(), |_, _| {
        std::ops::ControlFlow::Break(())
    });
    let consumed = manager.post(Header::to(actor), Note("b"))?.receipt();
    assert_eq!(
        consumed.map(|it: Receipt| (it.received, it.consumed)),
        Some((1, true))
    );
    assert_eq!(
        manager
            .post(Header::to(actor).after_frames(1), Note("c"))?
            .receipt(),
        None
    );
    Ok(())
}

#[derive(Message)]
struct Knock;

/// Fails at every knock.
struct Deaf;

#[handlers]
impl Deaf {
    #[on_receive]
    fn knock(&mut self, _: &Knock) -> Result<(), HandlerError> {
        Err("deaf".into())
    }
}

// holds: send.receipt-saturates
#[test]
fn a_count_of_a_receipt_stays_at_its_maximum() -> Tested {
    const CROWDED: u32 = 70_000;
    let config = ManagerConfig::new().max_kept(100_000);
    let mut manager = MessageManager::with_config(config.report_to(ReportTo::Nobody));
    let log = Log::default();
    let actor = manager.spawn((Actor::new("actor", &log),));
    let script = Do::new(|cx| {
        for _ in 0..CROWDED {
            let newborn = cx.spawn((Deaf,));
            cx.join(CROWD, newborn).expect("it is new");
        }
        let receipt = cx.send(CROWD, Knock).expect("it is kept");
        assert_eq!((receipt.received, receipt.pending), (0, u16::MAX));
        assert!(receipt.at_least(65_535).is_ok() && receipt.at_least(65_536).is_err());
    });
    let receipt = manager.send(actor, script)?;
    assert_eq!((receipt.received, receipt.failed), (1, u16::MAX));
    let receipt = manager.send(CROWD, Knock)?;
    assert_eq!((receipt.received, receipt.failed), (CROWDED, u16::MAX));
    Ok(())
}
