//! The list of pending messages: its contents and its order.

use std::sync::Arc;
use std::time::Duration;

use crate::common::{Ear, Log, Note, Peek, Tested};
use crate::pending::{ALARM, Cargo, heard, ms};
use message_core::PostKey;
use message_core::post::{Due, Interval};
use message_core::prelude::*;
use message_core::time::Moment;

tag!(RADIO);

// holds: time.pending-listed
#[test]
fn pending_messages_can_be_listed_with_all_that_is_known_of_them() -> Tested {
    let (mut manager, _, actor, ear) = heard();
    manager.tick(ms(7));
    let header = Header::to(ear)
        .stage(Stage::LateUpdate)
        .after(ms(3))
        .every(ms(1));
    let header = header.times(4).tags(RADIO).key(("n", 1)).build()?;
    let ticket = manager
        .speak_for(actor)?
        .post(&header, Cargo(Arc::default()))?;
    let listed = manager.pending_posts(Posts::all());
    let [post] = &listed[..] else {
        panic!("{listed:?}");
    };
    assert_eq!(
        (post.ticket, post.message, post.id),
        (ticket, Cargo::NAME, Cargo::ID)
    );
    assert_eq!((post.sender, post.recipient), (actor.into(), ear.into()));
    assert_eq!((post.stage, post.due), (Stage::LateUpdate, Due::At(ms(10))));
    let posted = Moment {
        time: ms(7),
        frame: 1,
    };
    assert_eq!((post.posted, post.tags), (posted, RADIO | ALARM));
    assert_eq!(
        (post.key, post.deliveries),
        (Some(PostKey::from(("n", 1)).of(actor)), Some(4))
    );
    assert_eq!(post.period, Some(Interval::Time(ms(1))));
    Ok(())
}

// holds: time.pending-listed
#[test]
fn pending_messages_can_be_listed_in_the_order_in_which_they_are_due() -> Tested {
    let (mut manager, _, _, ear) = heard();
    let mut tickets = Vec::new();
    for header in [
        Header::to(ear).after(ms(30)).unscaled(),
        Header::to(ear).after_frames(5),
        Header::to(ear).after(ms(20)),
        Header::to(ear).after_frames(2),
        Header::to(ear).after(ms(5)),
        Header::to(ear).stage(Stage::EndOfFrame),
        Header::to(ear).after(ms(20)),
        Header::to(ear).stage(Stage::Update),
    ] {
        tickets.push(manager.post(&header.build()?, Note(""))?);
    }
    let listed = manager.pending_posts(Posts::all());
    let order: Vec<_> = listed.iter().map(|post| post.ticket).collect();
    assert_eq!(order, [5, 7, 4, 2, 6, 3, 1, 0].map(|at: usize| tickets[at]));
    assert_eq!(listed[0].due, Due::Now(Duration::ZERO));
    assert_eq!(listed[2].due, Due::At(ms(5)));
    assert_eq!(listed[5].due, Due::Frame(2));
    assert_eq!(listed[7].due, Due::Unscaled(ms(30)));
    Ok(())
}

// holds: time.soonest-posts
#[test]
fn the_first_pending_messages_are_the_beginning_of_the_list_of_all() -> Tested {
    let (mut manager, _, actor, ear) = heard();
    let mut dice = 1_u64;
    let mut throw = |sides: u64| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (dice >> 33) % sides
    };
    for round in 0..30 {
        for _ in 0..throw(40) {
            let header = match throw(5) {
                0 => Header::to(ear).after_frames(1 + throw(200)),
                1 => Header::to(ear).after(ms(throw(100_000))).unscaled(),
                2 => Header::to(ear).after(ms(1 + throw(50))).every(ms(400)),
                3 => Header::to(ear).stage(Stage::LateUpdate),
                _ => Header::to(ear).after(ms(throw(100_000))),
            };
            let header = header.build()?;
            let ticket = match throw(2) {
                0 => manager.post(&header, Note(""))?,
                _ => manager.speak_for(actor)?.post(&header, Peek(""))?,
            };
            if throw(3) == 0 {
                assert_eq!(manager.cancel(ticket), 1);
            }
        }
        // Many that are due together, and with none of the others.
        let together = Header::to(ear).after(ms(200_000 + round)).build()?;
        manager.post_each(&together, (0..throw(60)).map(|_| Note("")))?;
        if round % 3 == 0 {
            manager.begin_frame(ms(throw(5_000)));
        }
        let all = manager.pending_posts(Posts::all());
        for most in [0, 1, 2, 7, all.len() / 2, all.len(), all.len() + 9] {
            let soonest = manager.soonest_posts(most);
            assert_eq!(soonest.len(), most.min(all.len()));
            let dues = |posts: &[message_core::post::PendingPost]| -> Vec<Due> {
                posts.iter().map(|post| post.due).collect()
            };
            assert_eq!(dues(&soonest), dues(&all[..soonest.len()]), "{most}");
            let known = |ticket| all.iter().any(|post| post.ticket == ticket);
            assert!(soonest.iter().all(|post| known(post.ticket)));
            let mut tickets: Vec<_> = soonest.iter().map(|post| post.ticket).collect();
            tickets.dedup();
            assert_eq!(tickets.len(), soonest.len());
            if soonest.len() == all.len() {
                assert!(
                    soonest
                        .iter()
                        .map(|post| post.ticket)
                        .eq(all.iter().map(|post| post.ticket))
                );
            }
        }
    }
    Ok(())
}

// holds: time.pending-listed
#[test]
fn between_the_beginning_of_a_frame_and_its_passes_the_list_has_their_order_too() -> Tested {
    let (mut manager, log, _, ear) = heard();
    manager.post(
        &Header::to(ear).after_frames(1).build()?,
        Note("10, by frames"),
    )?;
    manager.post(&Header::to(ear).after(ms(5)).build()?, Peek("5"))?;
    manager.begin_frame(ms(10));
    let listed = manager.pending_posts(Posts::all());
    let names: Vec<_> = listed.iter().map(|post| post.message).collect();
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["ear: 5", "ear: 10, by frames"]);
    assert_eq!(names, [Peek::NAME, Note::NAME]);
    Ok(())
}

// holds: headers.max-pending, asking.pending-len
#[test]
fn a_batch_that_was_delivered_makes_room_for_the_next() -> Tested {
    let config = ManagerConfig::new().max_pending(100);
    let mut manager = MessageManager::with_config(config);
    let log = Log::default();
    let id = manager.spawn((Ear::new("ear", &log),));
    let header = Header::to(id).stage(Stage::Update).build()?;
    for _ in 0..3 {
        manager.post_each(header, (0..100).map(|_| Note("again")))?;
        assert_eq!(manager.pending_len(), 100);
        assert_eq!(manager.tick(ms(10)).delivered, 100);
        assert_eq!(manager.pending_len(), 0);
    }
    Ok(())
}

#[derive(Message)]
struct Left;

#[derive(Message)]
struct Right;

/// The only type that handles these two messages, without a context, so that they are delivered in batches.
struct Feet(u32);

#[handlers]
impl Feet {
    #[on_receive]
    fn left(&mut self, _: &Left) {
        self.0 += 1;
    }

    #[on_receive]
    fn right(&mut self, _: &Right) {
        self.0 += 1;
    }
}

// holds: headers.max-pending, asking.pending-len
#[test]
fn batches_that_alternate_make_room_for_the_next() -> Tested {
    let config = ManagerConfig::new().max_pending(1_000);
    let mut manager = MessageManager::with_config(config);
    let id = manager.spawn((Feet(0),));
    let header = Header::to(id).after(ms(10)).build()?;
    for round in 1..=3 {
        for _ in 0..500 {
            manager.post(header, Left)?;
            manager.post(header, Right)?;
        }
        assert_eq!(manager.pending_len(), 1_000);
        assert_eq!(manager.tick(ms(10)).delivered, 1_000);
        assert_eq!(manager.pending_len(), 0);
        assert_eq!(manager.get::<Feet>(id)?.0, 1_000 * round);
    }
    Ok(())
}
