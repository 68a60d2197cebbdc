//! The contents of a frame, mailboxes and the inlet, together with despawning, mnemonics, groups, keys,
//! limits, and the end of the manager.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender as Put, channel};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use crate::common::{Do, Note, Tested, stage};
use crate::inlets::{STEP, at, framed, framed_with, to};
use crate::letters::letters;
use message_core::prelude::*;
use message_core::{Inlet, InletError, PostKey, mailbox::Cursor};
use message_core::{error::Undelivered, mailbox::AnyCursor};

mnemonic!(BOSS);
group!(CREW);

#[derive(Message, Debug)]
struct Empty;

#[derive(Message)]
struct Numbered(u32);

/// Puts its number down when it is dropped.
#[derive(Message)]
struct Marked(u32, Put<u32>);

impl Drop for Marked {
    fn drop(&mut self) {
        let _ = self.1.send(self.0);
    }
}

fn numbers<'m>(
    mail: impl IntoIterator<Item = message_core::mailbox::Mail<'m, Numbered>>,
) -> Vec<u32> {
    mail.into_iter().map(|mail| mail.0).collect()
}

// Mailboxes.

// holds: mail.stays
#[test]
fn the_mail_of_one_that_is_gone_is_never_found_for_a_newcomer_in_its_place() -> Tested {
    for many in [1, 50] {
        let mut manager = MessageManager::new();
        let old = manager.spawn(());
        for frame in 0..3 {
            let old = if frame == 0 { old } else { manager.spawn(()) };
            for at in 0..many {
                manager.publish(old, Numbered(at))?;
            }
            manager.despawn(old)?;
            let new = manager.spawn(());
            assert_eq!(
                new.to_string().split('v').next(),
                old.to_string().split('v').next()
            );
            for at in 0..many {
                manager.publish(new, Numbered(100 + at))?;
            }
            manager.tick(STEP);
            let expected: Vec<u32> = (0..many).collect();
            assert_eq!(numbers(manager.inbox().to(old)), expected);
            assert_eq!(numbers(manager.inbox().reaching(old)), expected);
            let expected: Vec<u32> = (100..100 + many).collect();
            assert_eq!(numbers(manager.inbox().to(new)), expected);
            assert_eq!(numbers(manager.inbox().reaching(new)), expected);
            assert!(manager.publish(old, Numbered(0)).is_err());
            manager.despawn(new)?;
        }
    }
    Ok(())
}

// holds: mail.to-id, mail.to-mnemonic
#[test]
fn mail_to_a_mnemonic_stays_with_who_was_bound_and_the_mnemonic_finds_who_is() -> Tested {
    let mut manager = MessageManager::new();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    manager.bind(BOSS, one)?;
    manager.publish(BOSS, Numbered(1))?;
    manager.publish(two, Numbered(2))?;
    manager.unbind(BOSS, one)?;
    assert!(manager.publish(BOSS, Numbered(0)).is_err());
    manager.bind(BOSS, two)?;
    manager.tick(STEP);
    assert_eq!(numbers(manager.inbox().to(BOSS)), [2]);
    assert_eq!(numbers(manager.inbox().to(one)), [1]);
    assert_eq!(
        manager
            .inbox::<Numbered>()
            .to(one)
            .first()
            .map(|mail| mail.recipient()),
        Some(BOSS.into())
    );
    manager.despawn(two)?;
    assert!(manager.inbox::<Numbered>().to(BOSS).is_empty());
    Ok(())
}

// holds: mail.reaching, mail.to-many
#[test]
fn mail_to_a_group_is_for_who_belongs_to_it_when_it_is_read() -> Tested {
    let mut manager = MessageManager::new();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    manager.join(CREW, one)?;
    manager.publish(CREW, Numbered(1))?;
    manager.speak_for(one)?.publish(EveryoneElse, Numbered(2))?;
    manager.publish(Everyone, Numbered(3))?;
    manager.speak_for(one)?.publish(Me, Numbered(4))?;
    manager.leave(CREW, one)?;
    manager.join(CREW, two)?;
    manager.tick(STEP);
    assert_eq!(numbers(manager.inbox().to(CREW)), [1]);
    assert_eq!(numbers(manager.inbox().reaching(one)), [3, 4]);
    assert_eq!(numbers(manager.inbox().reaching(two)), [1, 2, 3]);
    assert!(manager.inbox::<Numbered>().to(Me).is_empty());
    assert_eq!(numbers(manager.inbox().to(one)), [4]);
    assert_eq!(numbers(manager.inbox().from(one)), [2, 4]);
    Ok(())
}

// holds: mail.cursor
#[test]
fn messages_without_size_are_counted_like_all_others() -> Tested {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..3).map(|_| manager.spawn(())).collect();
    let mut cursor = Cursor::<Empty>::new();
    for frame in 0..6 {
        for &id in ids.iter().cycle().take(200) {
            manager.publish(id, Empty)?;
        }
        assert_eq!(manager.published::<Empty>().count(), 200);
        manager.tick(STEP);
        if frame % 2 == 0 {
            assert_eq!(manager.inbox::<Empty>().to(ids[0]).count(), 67);
            assert_eq!(manager.inbox::<Empty>().since(&mut cursor).count(), 200);
            assert_eq!(cursor.missed(), if frame == 0 { 0 } else { 200 });
        }
    }
    Ok(())
}

// holds: mail.retention, mail.cursor
#[test]
fn a_retention_that_goes_up_and_down_loses_only_what_is_over_and_cursors_count_it() -> Tested {
    let mut manager = MessageManager::new();
    let reader = manager.spawn(());
    let (mut one, mut any) = (Cursor::<Numbered>::new(), AnyCursor::new());
    let mut last = 0;
    let mut publish = |manager: &mut MessageManager| {
        for _ in 0..40 {
            last += 1;
            manager.publish(reader, Numbered(last))?;
        }
        manager.tick(STEP);
        // Asked for by recipient, so that they are sorted.
        Ok::<_, SendError>(manager.inbox::<Numbered>().to(reader).count())
    };
    let mut read = |manager: &MessageManager| {
        let found = numbers(manager.inbox().since(&mut one).to(reader));
        let any = manager.inbox_any().since(&mut any).count();
        assert_eq!(found.len(), any);
        let ends = (found.first().copied(), found.last().copied());
        (ends, one.missed())
    };
    assert_eq!(publish(&mut manager)?, 40);
    manager.set_mail_retention::<Numbered>(3);
    publish(&mut manager)?;
    publish(&mut manager)?;
    assert_eq!(read(&manager), ((Some(1), Some(120)), 0));
    publish(&mut manager)?;
    manager.set_mail_retention::<Numbered>(1);
    assert_eq!(read(&manager), ((Some(121), Some(160)), 0));
    publish(&mut manager)?;
    publish(&mut manager)?;
    assert_eq!(read(&manager), ((Some(201), Some(240)), 40));
    manager.set_mail_retention::<Numbered>(0);
    assert_eq!(publish(&mut manager)?, 0);
    assert_eq!(read(&manager), ((None, None), 40));
    manager.set_mail_retention::<Numbered>(u64::MAX);
    for _ in 0..5 {
        publish(&mut manager)?;
    }
    assert_eq!(read(&manager), ((Some(281), Some(480)), 0));
    Ok(())
}

// holds: mail.dropped-once, mail.retention
#[test]
fn each_message_is_dropped_once_in_the_frame_in_which_it_is_over_sorted_or_not() -> Tested {
    let (put, dropped) = channel();
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..4).map(|_| manager.spawn(())).collect();
    manager.set_mail_retention::<Marked>(2);
    let mut next = 0;
    for frame in 0..12_u32 {
        for &id in ids.iter().cycle().take(50) {
            manager.publish(id, Marked(next, put.clone()))?;
            next += 1;
        }
        manager.tick(STEP);
        if frame % 3 != 0 {
            let found = manager.inbox::<Marked>().to(ids[1]);
            assert!(found.iter().all(|mail| mail.0 % 50 % 4 == 1));
            assert_eq!(found.count(), 13);
        }
        let mut gone: Vec<u32> = dropped.try_iter().collect();
        gone.sort_unstable();
        let before = frame.saturating_sub(1) * 50..frame.max(1).saturating_sub(1) * 50;
        let over = if frame < 2 {
            0..0
        } else {
            before.start - 50..before.start
        };
        assert_eq!(gone, over.collect::<Vec<_>>(), "frame {frame}");
    }
    drop(manager);
    assert_eq!(dropped.try_iter().count(), 100);
    Ok(())
}

// The inlet.

// holds: threads.delivered-when
#[test]
fn a_frame_that_begins_twice_without_stages_drains_each_time_and_delivers_what_waits_once() -> Tested
{
    let (mut manager, log, _, ear) = framed();
    let inlet = manager.inlet();
    inlet.try_post(&at(Stage::Update, ear), Note("staged"))?;
    inlet.try_post(&to(ear), Note("first"))?;
    assert_eq!(manager.begin_frame(STEP).drained, 2);
    inlet.try_post(&to(ear), Note("second"))?;
    assert_eq!(manager.begin_frame(STEP).drained, 1);
    assert_eq!(log.take(), ["ear: first", "ear: second"]);
    assert_eq!(manager.run_stage(Stage::Update), 1);
    assert_eq!(manager.run_stage(Stage::Update), 0);
    assert_eq!(log.take(), ["ear: staged"]);
    Ok(())
}

// holds: threads.without-stage, threads.with-stage
#[test]
fn a_handler_that_cancels_while_the_inlet_is_drained_reaches_what_was_drained_before_it() -> Tested
{
    let (mut manager, log, actor, ear) = framed();
    let inlet = manager.inlet();
    let keyed = |key| Header::to(ear).stage(Stage::Update).shared_key(key).build();
    inlet.try_post(&keyed("one")?, Note("one"))?;
    inlet.try_post(&keyed("two")?, Note("two"))?;
    let cancel = Do::new(|cx| assert_eq!(cx.cancel(PostKey::from("one").shared()), 1));
    inlet.try_post(&to(actor), cancel)?;
    inlet.try_post(&keyed("one")?, Note("one again"))?;
    let report = manager.tick(STEP);
    assert_eq!((report.drained, report.delivered), (4, 2));
    assert_eq!(log.take(), ["ear: two", "ear: one again"]);
    Ok(())
}

// holds: headers.replace-is-not-more, threads.dead-letter
#[test]
fn where_there_is_no_room_left_a_key_still_replaces() -> Tested {
    let (mut manager, log, _, ear) = framed_with(ManagerConfig::new().max_pending(1));
    let said = letters(&mut manager);
    let inlet = manager.inlet();
    let header = Header::to(ear).stage(Stage::Update).key("key").build()?;
    for text in ["one", "two", "three"] {
        inlet.try_post(&header, Note(text))?;
    }
    inlet.try_post(&at(Stage::Update, ear), Note("too much"))?;
    assert_eq!(manager.tick(STEP).dead_letters, 1);
    assert_eq!(log.take(), ["ear: three"]);
    let why = said.recv()?.why;
    assert!(matches!(why, Undelivered::Refused { .. }), "{why}");
    Ok(())
}

// holds: threads.drain-ends
#[test]
fn a_handler_can_fill_the_inlet_of_its_own_manager_without_holding_the_frame_up() -> Tested {
    let (mut manager, log, actor, ear) = framed_with(ManagerConfig::new().inlet_capacity(2));
    let inlet = manager.inlet();
    let again = inlet.clone();
    let refill = Do::new(move |_| {
        let mut posted = 0;
        while again.try_post(&to(ear), Note("refilled")).is_ok() {
            posted += 1;
        }
        assert_eq!(posted, 1);
    });
    inlet.try_post(&to(actor), refill)?;
    inlet.try_post(&to(ear), Note("behind"))?;
    assert_eq!(manager.tick(STEP).drained, 2);
    assert_eq!(log.take(), ["ear: behind"]);
    assert_eq!(manager.tick(STEP).drained, 1);
    assert_eq!(log.take(), ["ear: refilled"]);
    Ok(())
}

/// Posts when it is dropped, and reports whether the inlet was closed because the manager is gone.
struct Farewell {
    inlet: Inlet,
    closed: Put<bool>,
}

impl Drop for Farewell {
    fn drop(&mut self) {
        let posted = self
            .inlet
            .post(&to(Everyone), Empty, Duration::from_secs(5));
        let closed = matches!(posted, Err(InletError::Closed { .. }));
        let _ = self.closed.send(closed);
    }
}

#[derive(Message)]
struct Bearing(#[allow(dead_code, reason = "only dropped")] Farewell);

// holds: threads.closed
#[test]
fn what_goes_with_its_manager_and_posts_then_is_told_so_and_does_not_wait() -> Tested {
    let (put, closed) = channel();
    let config = ManagerConfig::new().inlet_capacity(1);
    let (mut manager, _, _, ear) = framed_with(config);
    let inlet = manager.inlet();
    let farewell = || Farewell {
        inlet: inlet.clone(),
        closed: put.clone(),
    };
    manager.spawn((farewell(),));
    manager.post(&at(Stage::Update, ear), Bearing(farewell()))?;
    manager.publish(ear, Bearing(farewell()))?;
    let kept = farewell();
    manager.subscribe(Filter::of::<Empty>(), move |_, _| {
        assert!(!kept.inlet.is_closed());
    });
    inlet.try_post(&to(ear), Bearing(farewell()))?;
    drop(manager);
    assert_eq!(closed.try_iter().collect::<Vec<_>>(), [true; 5]);
    Ok(())
}

// holds: threads.closed
#[test]
fn a_manager_that_goes_on_a_thread_of_its_own_leaves_no_poster_waiting() {
    for _ in 0..20 {
        let (manager, _, _, ear) = framed_with(ManagerConfig::new().inlet_capacity(4));
        let inlet = manager.inlet();
        let begin = Arc::new(Barrier::new(5));
        let closed = Arc::new(AtomicUsize::new(0));
        let posters = (0..4).map(|_| {
            let (inlet, begin, closed) = (inlet.clone(), Arc::clone(&begin), Arc::clone(&closed));
            thread::spawn(move || {
                begin.wait();
                loop {
                    match inlet.post(&to(ear), Note("note"), Duration::MAX) {
                        Ok(()) => {}
                        Err(InletError::Closed { .. }) => break,
                        Err(error) => panic!("{error}"),
                    }
                }
                closed.fetch_add(1, Ordering::Relaxed);
            })
        });
        let posters: Vec<_> = posters.collect();
        let owner = thread::spawn(move || {
            let mut manager = manager;
            begin.wait();
            manager.tick(STEP);
            drop(manager);
        });
        owner.join().expect("no panic");
        for poster in posters {
            poster.join().expect("no panic");
        }
        assert_eq!(closed.load(Ordering::Relaxed), 4);
        assert!(inlet.is_closed() && inlet.is_empty());
    }
}

// Both.

// holds: threads.delivered-when
#[test]
fn what_is_drained_reads_the_mail_of_the_frame_that_has_just_begun() -> Tested {
    let (mut manager, log, actor, ear) = framed();
    let inlet = manager.inlet();
    let shared = log.clone();
    let read = Do::new(move |cx| {
        for mail in cx.inbox::<Note>().to(Me) {
            shared.add(format!("{} of frame {}", mail.0, mail.published().frame));
            cx.publish(ear, Note("answer")).expect("it is alive");
        }
        assert_eq!(cx.published::<Note>().count(), 1);
    });
    manager.publish(actor, Note("mail"))?;
    inlet.try_post(&to(actor), read)?;
    manager.tick(STEP);
    assert_eq!(log.take(), ["mail of frame 0"]);
    manager.tick(STEP);
    let answers = manager.inbox::<Note>().from(actor).to(ear);
    assert_eq!(
        answers.iter().map(|mail| mail.0).collect::<Vec<_>>(),
        ["answer"]
    );
    Ok(())
}

#[test]
fn a_type_that_nobody_ever_published_has_no_mail_anywhere() {
    #[derive(Message)]
    struct Never;

    let (manager, _, actor) = stage();
    assert!(manager.inbox::<Never>().to(actor).is_empty());
    assert!(manager.published::<Never>().is_empty());
    let mut cursor = Cursor::<Never>::new();
    assert_eq!(manager.inbox().since(&mut cursor).count(), 0);
    assert_eq!(cursor.missed(), 0);
}
