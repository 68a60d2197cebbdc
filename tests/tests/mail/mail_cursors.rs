//! How long mail can be found, what a reader has missed, and when mail is dropped.

use std::sync::Arc;
use std::time::Duration;

use crate::common::{Tested, panic_of};
use message_core::mailbox::AnyCursor;
use message_core::mailbox::Cursor;
use message_core::prelude::*;

const FRAME: Duration = Duration::from_millis(10);

#[derive(Message)]
struct Hit(u32);

#[derive(Message)]
struct Heal;

/// Publishes these, a frame for each.
fn publish_in_frames(manager: &mut MessageManager, hits: std::ops::Range<u32>) -> Tested {
    for hit in hits {
        manager.publish(Everyone, Hit(hit))?;
        manager.tick(FRAME);
    }
    Ok(())
}

/// Returns a manager that keeps no mail for a pass of `FixedUpdate`.
fn without_fixed_passes() -> MessageManager {
    MessageManager::with_config(ManagerConfig::new().fixed_step(Duration::ZERO))
}

fn read(manager: &MessageManager, cursor: &mut Cursor<Hit>) -> Vec<u32> {
    let inbox = manager.inbox().since(cursor);
    inbox.into_iter().map(|hit| hit.0).collect()
}

// Retention.

// holds: mail.retention, mail.inbox-is-last-frame
#[test]
fn mail_can_be_found_for_as_many_frames_as_its_type_is_retained() -> Tested {
    for frames in 0..4 {
        let mut manager = MessageManager::new();
        manager.set_mail_retention::<Hit>(frames);
        manager.publish(Everyone, Hit(1))?;
        manager.publish(Everyone, Heal)?;
        for frame in 1..6 {
            manager.tick(FRAME);
            let found = manager.inbox().since(&mut Cursor::<Hit>::new()).count();
            assert_eq!(found, usize::from(frame <= frames), "{frame} of {frames}");
            let last = manager.inbox::<Hit>().count();
            assert_eq!(last, usize::from(frame == 1 && frames > 0));
            let heals = manager.inbox().since(&mut Cursor::<Heal>::new()).count();
            assert_eq!(heals, usize::from(frame == 1));
        }
    }
    Ok(())
}

// holds: mail.retention
#[test]
fn another_retention_holds_from_the_next_frame_on() -> Tested {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Hit>(5);
    publish_in_frames(&mut manager, 0..4)?;
    manager.set_mail_retention::<Hit>(2);
    assert_eq!(read(&manager, &mut Cursor::new()), [0, 1, 2, 3]);
    publish_in_frames(&mut manager, 4..5)?;
    assert_eq!(read(&manager, &mut Cursor::new()), [3, 4]);
    Ok(())
}

// Cursors.

// holds: mail.cursor
#[test]
fn a_cursor_reads_what_it_has_not_read_and_counts_what_was_dropped_unread() -> Tested {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Hit>(3);
    let mut cursor = Cursor::new();
    assert!(read(&manager, &mut cursor).is_empty());
    publish_in_frames(&mut manager, 0..2)?;
    assert_eq!(read(&manager, &mut cursor), [0, 1]);
    assert!(read(&manager, &mut cursor).is_empty());
    assert_eq!(cursor.missed(), 0);
    publish_in_frames(&mut manager, 2..9)?;
    assert_eq!(read(&manager, &mut cursor), [6, 7, 8]);
    assert_eq!(cursor.missed(), 4);
    for _ in 0..9 {
        manager.tick(FRAME);
    }
    assert!(read(&manager, &mut cursor).is_empty());
    assert_eq!(cursor.missed(), 0);
    publish_in_frames(&mut manager, 9..10)?;
    for _ in 0..9 {
        manager.tick(FRAME);
    }
    assert!(read(&manager, &mut cursor).is_empty());
    assert_eq!(cursor.missed(), 1);
    Ok(())
}

// holds: mail.cursor-new
#[test]
fn a_new_cursor_begins_with_the_oldest_that_is_left_and_has_missed_nothing() -> Tested {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Hit>(2);
    publish_in_frames(&mut manager, 0..5)?;
    let mut cursor = Cursor::new();
    assert_eq!(read(&manager, &mut cursor), [3, 4]);
    assert_eq!(cursor.missed(), 0);
    Ok(())
}

// holds: mail.cursor
#[test]
fn a_cursor_moves_to_the_end_past_what_the_selection_leaves_out() -> Tested {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Hit>(2);
    let orc = manager.spawn(());
    manager.publish(orc, Hit(0))?;
    publish_in_frames(&mut manager, 1..3)?;
    let mut cursor = Cursor::new();
    let own = manager.inbox::<Hit>().to(orc).since(&mut cursor);
    assert_eq!(own.iter().filter(|hit| hit.0 == 0).count(), 1);
    assert!(read(&manager, &mut cursor).is_empty());
    Ok(())
}

// holds: mail.cursor-new
#[test]
fn a_cursor_of_another_manager_begins_anew() -> Tested {
    let (mut one, mut two) = (MessageManager::new(), MessageManager::new());
    publish_in_frames(&mut one, 0..9)?;
    publish_in_frames(&mut two, 20..23)?;
    let mut cursor = Cursor::new();
    assert_eq!(read(&one, &mut cursor), [8]);
    assert_eq!(read(&two, &mut cursor), [22]);
    assert_eq!(cursor.missed(), 0);
    Ok(())
}

// holds: mail.cursor, mail.cursor-new
#[test]
fn a_cursor_of_all_types_counts_what_was_dropped_of_any() -> Tested {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Hit>(3);
    let mut cursor = AnyCursor::new();
    assert!(manager.inbox_any().since(&mut cursor).is_empty());
    for hit in 0..5 {
        manager.publish(Everyone, Hit(hit))?;
        manager.publish(Everyone, Heal)?;
        manager.tick(FRAME);
    }
    let found: Vec<&str> = manager
        .inbox_any()
        .since(&mut cursor)
        .iter()
        .map(|mail| mail.name())
        .collect();
    assert_eq!(found, [Hit::NAME, Hit::NAME, Hit::NAME, Heal::NAME]);
    assert_eq!(cursor.missed(), 6);
    assert_eq!(manager.inbox_any().since(&mut cursor).count(), 0);
    assert_eq!(cursor.missed(), 0);
    let mut fresh = AnyCursor::new();
    assert_eq!(manager.inbox_any().since(&mut fresh).count(), 4);
    assert_eq!(fresh.missed(), 0);
    Ok(())
}

// Cursors from now on.

// holds: mail.cursor
#[test]
fn a_cursor_from_now_on_has_read_all_that_can_be_found_and_counts_what_it_misses() -> Tested {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Hit>(2);
    publish_in_frames(&mut manager, 0..3)?;
    let mut cursor = manager.inbox::<Hit>().cursor();
    assert_eq!(cursor.missed(), 0);
    assert!(read(&manager, &mut cursor).is_empty());
    publish_in_frames(&mut manager, 3..4)?;
    assert_eq!(read(&manager, &mut cursor), [3]);
    publish_in_frames(&mut manager, 4..9)?;
    assert_eq!(read(&manager, &mut cursor), [7, 8]);
    assert_eq!(cursor.missed(), 3);
    Ok(())
}

// holds: mail.cursor
#[test]
fn a_cursor_from_now_on_finds_what_is_still_pending_when_it_is_made() -> Tested {
    let mut manager = MessageManager::new();
    publish_in_frames(&mut manager, 0..1)?;
    manager.publish(Everyone, Hit(1))?;
    let mut cursor = manager.inbox::<Hit>().cursor();
    let mut any = manager.inbox_any().cursor();
    manager.publish(Everyone, Hit(2))?;
    manager.tick(FRAME);
    assert_eq!(read(&manager, &mut cursor), [1, 2]);
    assert_eq!(manager.inbox_any().since(&mut any).count(), 2);
    Ok(())
}

// holds: mail.cursor, mail.cursor-new
#[test]
fn a_cursor_from_now_on_can_be_made_before_anything_was_published() -> Tested {
    let mut manager = MessageManager::new();
    let mut cursor = manager.inbox::<Hit>().cursor();
    let mut any = manager.inbox_any().cursor();
    let mut new = Cursor::new();
    publish_in_frames(&mut manager, 0..3)?;
    assert_eq!(read(&manager, &mut cursor), [2]);
    assert_eq!(cursor.missed(), 2);
    assert_eq!(manager.inbox_any().since(&mut any).count(), 1);
    assert_eq!(any.missed(), 2);
    // One that has never been used does not know.
    assert_eq!(read(&manager, &mut new), [2]);
    assert_eq!(new.missed(), 0);
    Ok(())
}

// holds: mail.cursor
#[test]
fn for_a_cursor_from_now_on_the_selection_does_not_matter() -> Tested {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Hit>(2);
    let orc = manager.spawn(());
    publish_in_frames(&mut manager, 0..2)?;
    let inbox = manager.inbox::<Hit>().to(orc).from(orc);
    let mut one = inbox.cursor();
    let mut old = Cursor::new();
    let mut other = inbox.since(&mut old).cursor();
    let mut any = manager.inbox_any().to(orc).from(orc).cursor();
    assert!(read(&manager, &mut one).is_empty());
    assert!(read(&manager, &mut other).is_empty());
    assert!(manager.inbox_any().since(&mut any).is_empty());
    publish_in_frames(&mut manager, 2..3)?;
    assert_eq!(read(&manager, &mut one), [2]);
    assert_eq!(read(&manager, &mut other), [2]);
    assert_eq!(manager.inbox_any().since(&mut any).count(), 1);
    Ok(())
}

// holds: mail.cursor
#[test]
fn a_cursor_of_all_types_from_now_on_counts_what_it_misses_of_any() -> Tested {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Hit>(3);
    publish_in_frames(&mut manager, 0..3)?;
    let mut cursor = manager.inbox_any().cursor();
    assert_eq!(cursor.missed(), 0);
    assert!(manager.inbox_any().since(&mut cursor).is_empty());
    for hit in 3..8 {
        manager.publish(Everyone, Heal)?;
        manager.publish(Everyone, Hit(hit))?;
        manager.tick(FRAME);
    }
    let inbox = manager.inbox_any().since(&mut cursor);
    let found: Vec<&str> = inbox.iter().map(|mail| mail.name()).collect();
    assert_eq!(found, [Hit::NAME, Hit::NAME, Heal::NAME, Hit::NAME]);
    assert_eq!(cursor.missed(), 6);
    Ok(())
}

// Dropping.

// Up to now.

fn numbers<'a>(mail: impl IntoIterator<Item = message_core::mailbox::Mail<'a, Hit>>) -> Vec<u32> {
    mail.into_iter().map(|hit| hit.0).collect()
}

// holds: mail.published-too
#[test]
fn the_last_frame_and_the_one_under_way_are_read_together() -> Tested {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Hit>(3);
    let [orc, elf] = [(); 2].map(|()| manager.spawn(()));
    assert!(manager.published::<Hit>().with_inbox().is_empty());
    for round in 0..4 {
        manager.publish_any(elf, Box::new(Hit(round)))?;
        manager.publish(orc, Hit(10 + round))?;
        manager.tick(FRAME);
        assert_eq!(
            numbers(&manager.published().with_inbox()),
            [round, 10 + round]
        );
        manager.publish(elf, Hit(20))?;
        manager.publish(orc, Hit(30))?;
        let both = manager.published().with_inbox();
        assert_eq!(numbers(&both), [round, 10 + round, 20, 30]);
        assert_eq!(numbers(&both.to(orc)), [10 + round, 30]);
        manager.tick(FRAME);
        assert_eq!(numbers(&manager.published().with_inbox()), [20, 30]);
    }
    let desk = manager.desk();
    let both = desk.published::<Hit>().with_inbox();
    desk.publish(orc, Hit(1))?;
    assert_eq!(numbers(&both), [20, 30]);
    Ok(())
}

// holds: mail.cursor-published, mail.cursor
#[test]
fn a_cursor_reads_up_to_now_and_continues_within_the_frame() -> Tested {
    for retention in [1, 2] {
        let mut manager = MessageManager::new();
        manager.set_mail_retention::<Hit>(retention);
        let ids: Vec<MessageeId> = (0..3).map(|_| manager.spawn(())).collect();
        let (mut all, mut some, mut late) = (Cursor::new(), Cursor::new(), Cursor::new());
        let mut next = 0..;
        for round in 0..20_usize {
            // Many at once are indexed when the frame is over.
            let counts = if round % 3 == 0 { [40, 25] } else { [2, 0] };
            let mut published = Vec::new();
            for count in counts {
                let hits: Vec<u32> = next.by_ref().take(count).collect();
                for &hit in &hits {
                    manager.publish(ids[hit as usize % 3], Hit(hit))?;
                }
                assert_eq!(numbers(&manager.published().since(&mut all)), hits);
                assert!(manager.published().since(&mut all).is_empty());
                assert_eq!(all.missed(), 0);
                published.extend(hits);
            }
            // A reader that stops within the frame, and reads the rest of it in the next.
            let first = next.next().expect("it has no end");
            manager.publish(ids[1], Hit(first))?;
            let _ = manager.published().since(&mut some);
            manager.publish(ids[2], Hit(first + 1_000))?;
            manager.publish(ids[1], Hit(first + 2_000))?;
            manager.tick(FRAME);
            let mut copy = some;
            assert_eq!(
                numbers(manager.inbox().since(&mut copy)),
                [first + 1_000, first + 2_000]
            );
            assert_eq!(copy.missed(), 0);
            let to_one = manager.inbox().since(&mut some.clone()).to(ids[1]);
            assert_eq!(numbers(to_one), [first + 2_000]);
            let rest = [first, first + 1_000, first + 2_000];
            assert_eq!(numbers(&manager.published().since(&mut all)), rest);
            if round > 4 && round % 5 == 0 {
                let found = manager.published::<Hit>().since(&mut late).count() as u64;
                let total = found + late.missed();
                let there = manager.inbox().since(&mut Cursor::<Hit>::new()).count() as u64;
                assert!(
                    total >= found && found == there,
                    "{found} of {total}, {there}"
                );
            }
        }
    }
    Ok(())
}

/// Panics when it is dropped, if it shall.
#[derive(Message)]
struct Fragile {
    breaks: bool,
    _alive: Arc<()>,
}

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(!self.breaks, "it broke");
    }
}

/// Like [`Fragile`], but of another type, and it never panics.
#[derive(Message)]
struct Solid {
    _alive: Arc<()>,
}

// holds: mail.dropped-once, memory.dropped-once
#[test]
fn every_message_is_dropped_once_when_it_can_no_longer_be_found() -> Tested {
    let mut manager = without_fixed_passes();
    let alive = Arc::new(());
    let solid = || Solid {
        _alive: Arc::clone(&alive),
    };
    let ids: Vec<MessageeId> = (0..50).map(|_| manager.spawn(())).collect();
    for _ in 0..4 {
        for &id in ids.iter().rev() {
            manager.publish(id, solid())?;
        }
        manager.tick(FRAME);
        // Read by recipient, so that the next frame is sorted.
        for &id in &ids {
            assert_eq!(manager.inbox::<Solid>().to(id).count(), 1);
        }
        assert_eq!(Arc::strong_count(&alive), 51);
    }
    manager.tick(FRAME);
    assert_eq!(Arc::strong_count(&alive), 1);
    manager.publish(Everyone, solid())?;
    drop(manager);
    assert_eq!(Arc::strong_count(&alive), 1);
    Ok(())
}

// holds: mail.dropped-once
#[test]
fn a_panic_when_mail_is_dropped_leaves_every_mailbox_as_the_new_frame_has_it() -> Tested {
    let mut manager = without_fixed_passes();
    let alive = Arc::new(());
    let fragile = |breaks| Fragile {
        breaks,
        _alive: Arc::clone(&alive),
    };
    let solid = || Solid {
        _alive: Arc::clone(&alive),
    };
    for breaks in [false, true, false] {
        manager.publish(Everyone, fragile(breaks))?;
    }
    manager.publish(Everyone, solid())?;
    manager.tick(FRAME);
    manager.publish(Everyone, fragile(false))?;
    manager.publish(Everyone, solid())?;
    assert_eq!(panic_of(|| manager.tick(FRAME)), "it broke");
    assert_eq!(manager.clock().frame(), 2);
    let counts = |manager: &MessageManager| {
        let fragile = manager.inbox::<Fragile>().count();
        (fragile, manager.inbox::<Solid>().count())
    };
    assert_eq!(counts(&manager), (1, 1));
    assert_eq!(manager.inbox_any().since(&mut AnyCursor::new()).count(), 2);
    manager.tick(FRAME);
    assert_eq!(counts(&manager), (0, 0));
    assert_eq!(Arc::strong_count(&alive), 1);
    Ok(())
}
