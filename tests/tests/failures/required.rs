//! Required receivers: which receivers count, and the error when there are too few.

use std::ops::ControlFlow;

use crate::common::{Do, Ear, Note, Tested, stage};
use crate::letters::{Offer, Picky, Unheard, letters};
use message_core::HeaderError;
use message_core::Recipient::Me;
use message_core::error::Undelivered;
use message_core::prelude::*;

mnemonic!(NOBODY);
group!(CROWD);

// holds: required.not-received
#[test]
fn at_once_too_few_receivers_are_an_error_that_says_why() -> Tested {
    let (mut manager, log, actor) = stage();
    let said = letters(&mut manager);
    let picky = manager.spawn((Picky,));
    let now = |to: Recipient| Header::to(to).require(2).build();
    let refused = |result: Result<Ticket, SendError>, expected: (usize, Undelivered)| {
        let Err(SendErrorKind::NotReceived {
            wanted: 2,
            got,
            why,
            ..
        }) = result.as_ref().map_err(SendError::kind)
        else {
            panic!("{result:?}");
        };
        assert_eq!((*got, why.clone()), expected);
    };
    let few = manager.post(&now(actor.into())?, Note("received"));
    assert_eq!(
        few.clone().expect_err("one is too few").to_string(),
        format!(
            "`{}` to messagee {actor} was received by 1, expected at least 2: there were not \
             enough receivers",
            Note::NAME
        )
    );
    refused(few, (1, Undelivered::TooFew));
    assert_eq!(log.take(), ["actor: received"]);
    let none = manager.post(&now(actor.into())?, Unheard);
    refused(none, (0, Undelivered::NoHandler));
    let declined = manager.post(&now(picky.into())?, Offer::Decline);
    refused(declined, (0, Undelivered::Filtered));
    let empty = manager.post(&now(CROWD.into())?, Note(""));
    let group = CROWD.name();
    refused(empty, (0, Undelivered::EmptyGroup { group }));
    let unbound = manager.post(&now(NOBODY.into())?, Note(""));
    assert!(matches!(
        unbound.map_err(SendError::into_kind),
        Err(SendErrorKind::Absent(Absence::Unbound))
    ));
    assert!(said.try_recv().is_err(), "an error is no letter");

    manager.spawn((Ear::new("ear", &log),));
    assert!(manager.post(&now(Everyone)?, Note("enough")).is_ok());
    Ok(())
}

// holds: required.not-received, subscriptions.hidden, subscriptions.before-counts
#[test]
fn subscribers_count_unless_they_are_hidden_now_or_in_their_stage() -> Tested {
    let (mut manager, _, actor) = stage();
    let filter = Filter::of::<Unheard>();
    let got = |manager: &mut MessageManager| -> Result<usize, HeaderError> {
        let header = Header::to(actor).require(9).build()?;
        let posted = manager.post(&header, Unheard);
        match posted.map_err(SendError::into_kind) {
            Err(SendErrorKind::NotReceived { wanted: 9, got, .. }) => Ok(got),
            other => panic!("{other:?}"),
        }
    };
    let hidden = filter.clone().hidden();
    for hidden in [hidden.clone(), hidden.stage(Stage::Update)] {
        manager.subscribe(hidden, |_, _| ());
        assert_eq!(got(&mut manager)?, 0);
    }
    manager.subscribe(filter.clone(), |_, _| ());
    assert_eq!(got(&mut manager)?, 1);
    manager.subscribe(Filter::all().stage(Stage::Update), |_, _| ());
    assert_eq!(got(&mut manager)?, 2);
    let consumes = filter.before();
    manager.subscribe(consumes, |_, _| ControlFlow::Break(()));
    assert_eq!(got(&mut manager)?, 1);
    Ok(())
}

// holds: required.busy-count
#[test]
fn receivers_that_are_busy_or_not_yet_alive_count() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    let script = Do::new(move |cx| {
        let me = Header::to(Me).require(1).build().expect("it is whole");
        assert!(cx.post(&me, Note("busy")).is_ok());
        let newborn = cx.spawn((Ear::new("newborn", &told), Ear::new("twin", &told)));
        let two = Header::to(newborn).require(2).build();
        let two = two.expect("it is whole");
        assert!(cx.post(&two, Note("kept")).is_ok());
        let refused = cx.post(&two, Unheard);
        assert!(matches!(
            refused.map_err(SendError::into_kind),
            Err(SendErrorKind::NotReceived { got: 0, .. })
        ));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["actor: busy", "newborn: kept", "twin: kept"]);
    Ok(())
}

// holds: required.busy-count
#[test]
fn who_hears_of_a_message_that_waits_for_a_newborn_counts() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    manager.subscribe(Filter::of::<Unheard>(), move |_, _| told.add("heard"));
    let told = log.clone();
    let script = Do::new(move |cx| {
        let newborn = cx.spawn(());
        let header = Header::to(newborn).require(1).build();
        let posted = cx.post(&header.expect("it is whole"), Unheard);
        told.add(format!("accepted: {}", posted.is_ok()));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["accepted: true", "heard"]);
    Ok(())
}

// holds: required.not-received
#[test]
fn a_hidden_subscription_to_all_types_is_no_receiver_that_a_filter_kept_away() -> Tested {
    let (mut manager, _, actor) = stage();
    manager.subscribe(Filter::all().hidden(), |_, _| ());
    let required = Header::to(actor).require(1).build()?;
    let refused = manager.post(&required, Unheard);
    let Err(SendErrorKind::NotReceived { why, .. }) = refused.as_ref().map_err(SendError::kind)
    else {
        panic!("{refused:?}");
    };
    assert_eq!(*why, Undelivered::NoHandler);
    Ok(())
}
