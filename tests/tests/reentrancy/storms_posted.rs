//! Storms of posted messages: the error of a full queue.

use std::sync::mpsc::Receiver as Told;
use std::time::Duration;

use crate::common::{Do, Log, Note, Tested};
use crate::storming::{Ping, Pong, Tick, chain, failures, hop, hops};
use message_core::Recipient::Me;
use message_core::error::Limit;
use message_core::prelude::*;

/// Posts two sparks for each.
struct Fire {
    to: Option<MessageeId>,
}

#[derive(Message)]
struct Spark;

const FIRE_SPARKS: u32 = line!() + 9;

#[handlers]
impl Fire {
    #[on_receive]
    fn spark(&mut self, _: &Spark, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let to = self.to.map_or(Me, Recipient::Id);
        let header = Header::to(to).stage(Stage::Update).build()?;
        for _ in 0..2 {
            cx.post(&header, Spark)?;
        }
        Ok(())
    }
}

/// Lights fires until the queue is full, and returns the first error.
fn burn(manager: &mut MessageManager, told: &Told<SendError>) -> SendError {
    (0..20)
        .find_map(|_| {
            manager.tick(Duration::ZERO);
            told.try_recv().ok()
        })
        .expect("the queue is full by then")
}

// holds: time.full-names-cycle, time.full-names-most
#[test]
fn a_handler_that_posts_what_it_handles_is_named_as_a_cycle() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_pending(1000));
    let told = failures(&mut manager);
    let fire = manager.spawn((Fire { to: None },));
    let later = Header::to(fire).after_frames(900).build()?;
    for _ in 0..30 {
        manager.post(&later, Note("later"))?;
    }
    let soon = Header::to(fire).stage(Stage::Update).build()?;
    manager.post(&soon, Spark)?;
    let error = burn(&mut manager, &told);
    assert_eq!(hops(&error), [hop("Fire 0v0", "Spark", FIRE_SPARKS)]);
    let SendErrorKind::AtLimit {
        limit: Limit::Pending {
            most: 1000,
            bulk: Some(bulk),
        },
        ..
    } = error.kind()
    else {
        panic!("{error}");
    };
    assert_eq!(
        (bulk.message, bulk.place.line()),
        (Spark::NAME, FIRE_SPARKS)
    );
    assert_eq!((bulk.messages, bulk.from_place), (970, 970));
    let text = error.to_string();
    for part in [
        "1000 messages are pending, the limit set by `ManagerConfig::max_pending`: 970 of them are \
         `reentrancy::storms_posted::Spark`, all posted at ",
        "; a cycle: `reentrancy::storms_posted::Fire` of messagee 0v0 on \
         `reentrancy::storms_posted::Spark` sent at ",
    ] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    Ok(())
}

// holds: time.full-names-cycle
#[test]
fn fires_that_light_each_other_are_no_cycle() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_pending(1000));
    let told = failures(&mut manager);
    let one = manager.spawn(());
    let two = manager.spawn((Fire { to: Some(one) },));
    manager.hook(one, Fire { to: Some(two) })?;
    manager.post(&Header::to(one).stage(Stage::Update).build()?, Spark)?;
    let error = burn(&mut manager, &told);
    assert_eq!(chain(&error).cycle(), None);
    Ok(())
}

// holds: time.full-names-most
#[test]
fn many_posts_of_one_handler_are_no_cycle_and_their_place_is_named() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_pending(10));
    let actor = manager.spawn((crate::common::Actor::new("actor", &log),));
    let later = Header::to(actor).after_frames(1).build()?;
    let line = line!() + 4;
    manager.post(&later, Note("first"))?;
    let (put, get) = crate::common::slot();
    let script = Do::new(move |cx| {
        let posts = (0..).map(|_| cx.post(&later, Note("again")));
        put(posts.take(10).last().expect("there are ten"));
    });
    manager.send(actor, script)?;
    let error = get().expect_err("the queue is full");
    let SendErrorKind::AtLimit {
        limit: Limit::Pending { bulk, .. },
        chain,
    } = error.kind()
    else {
        panic!("{error}");
    };
    assert_eq!(chain.links().len(), 1);
    assert_eq!(chain.cycle(), None);
    let bulk = bulk.as_ref().expect("messages are pending");
    assert_eq!((bulk.messages, bulk.from_place), (10, 9));
    let said = format!(
        "10 of them are `{}`, of which 9 were posted at {}",
        Note::NAME,
        bulk.place
    );
    assert_eq!(bulk.to_string(), said);
    assert_eq!(bulk.place.line(), line);
    Ok(())
}

// holds: time.full-names-most, reentrancy.limit-names-remedy
#[test]
fn a_queue_that_is_full_says_to_those_outside_what_fills_it() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_pending(5));
    let nobody = manager.spawn(());
    let later = Header::to(nobody).after_frames(1).build()?;
    let ticket = manager.post(&later, Ping)?;
    for _ in 0..2 {
        manager.post(&later, Tick)?;
    }
    for _ in 0..2 {
        manager.post(&later, Ping)?;
    }
    let said = |error: SendError| match error.into_kind() {
        SendErrorKind::AtLimit {
            limit: Limit::Pending { bulk, .. },
            chain,
        } => {
            assert!(chain.links().is_empty());
            let bulk = bulk.expect("messages are pending");
            (bulk.message, bulk.messages, bulk.from_place)
        }
        error => panic!("{error}"),
    };
    let refused = manager.post(&later, Pong).expect_err("the queue is full");
    assert_eq!(said(refused), (Ping::NAME, 3, 2));
    assert!(manager.cancel(ticket) == 1);
    manager.post(&later, Tick)?;
    let refused = manager.post(&later, Pong).expect_err("the queue is full");
    assert_eq!(said(refused), (Tick::NAME, 3, 2));
    let config = ManagerConfig::new().max_pending(0);
    let mut manager = MessageManager::with_config(config);
    let refused = manager.post(&Header::to(Everyone).after_frames(1).build()?, Ping);
    let text = refused.expect_err("nothing may be pending").to_string();
    assert!(
        text.ends_with(
            "0 messages are pending, the limit set by `ManagerConfig::max_pending`; cancel some, post fewer, \
             or raise the limit; nothing is running"
        ),
        "{text}"
    );
    Ok(())
}
