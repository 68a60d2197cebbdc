//! The desk: reading mail, publishing and changing components side by side, from outside.

use std::time::Duration;

use crate::common::{Do, Tested, stage};
use crate::traces::{recorded, told};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::error::Limit;
use message_core::mailbox::{AnyCursor, Cursor};
use message_core::prelude::*;

mnemonic!(LEADER, NOBODY);

const FRAME: Duration = Duration::from_millis(10);

#[derive(Message, Debug)]
struct Hit(u32);

#[derive(Message, Debug)]
struct Ouch(u32);

/// No handler receives anything for it.
#[derive(Debug, PartialEq, Eq)]
struct Hp(u32);

/// The numbers of the hits that a selection finds.
macro_rules! hits {
    ($inbox:expr) => {
        $inbox.iter().map(|hit| hit.0).collect::<Vec<u32>>()
    };
}

/// Returns a manager with two messagees that have an [`Hp`].
fn two() -> (MessageManager, MessageeId, MessageeId) {
    let mut manager = MessageManager::new();
    let (orc, elf) = (manager.spawn((Hp(10),)), manager.spawn((Hp(20),)));
    (manager, orc, elf)
}

// Publishing while reading.

// holds: mail.desk, mail.next-frame
#[test]
fn a_reader_can_publish_what_is_found_in_the_next_frame() -> Tested {
    let (mut manager, orc, elf) = two();
    manager.publish(orc, Hit(1))?;
    manager.publish(elf, Hit(2))?;
    manager.tick(FRAME);
    let desk = manager.desk();
    for hit in desk.inbox::<Hit>() {
        desk.publish(hit.recipient(), Hit(hit.0 + 10))?;
        desk.publish(Everyone, Ouch(hit.0))?;
    }
    for mail in desk.inbox_any() {
        desk.publish(mail.recipient(), Hit(20))?;
    }
    assert_eq!(hits!(desk.inbox::<Hit>()), [1, 2]);
    assert!(desk.inbox::<Ouch>().is_empty());
    assert_eq!(hits!(desk.published::<Hit>()), [11, 12, 20, 20]);
    manager.tick(FRAME);
    assert_eq!(hits!(manager.inbox::<Hit>().to(elf)), [12, 20]);
    assert_eq!(hits!(manager.inbox::<Ouch>()), [1, 2]);
    Ok(())
}

// holds: mail.desk-order
#[test]
fn what_is_published_with_the_pending_ones_in_hand_is_among_them_when_they_are_put_away() -> Tested
{
    let (mut manager, orc, elf) = two();
    let desk = manager.desk();
    desk.publish(orc, Hit(1))?;
    let pending = desk.published::<Hit>();
    for hit in &pending {
        desk.publish(elf, Hit(hit.0 + 1))?;
        desk.publish(elf, Ouch(hit.0))?;
    }
    assert_eq!(hits!(pending), [1]);
    assert_eq!(hits!(desk.published::<Hit>()), [1]);
    // Another type is not in hand.
    assert_eq!(hits!(desk.published::<Ouch>()), [1]);
    drop(pending);
    assert_eq!(hits!(desk.published::<Hit>()), [1, 2]);
    assert_eq!(hits!(desk.published::<Hit>().to(elf)), [2]);
    manager.tick(FRAME);
    assert_eq!(hits!(manager.inbox::<Hit>()), [1, 2]);
    Ok(())
}

// holds: mail.desk-order
#[test]
fn what_is_published_with_the_pending_ones_in_hand_comes_in_the_order_sent() -> Tested {
    for looks_again in [false, true] {
        let (mut manager, orc, _) = two();
        let desk = manager.desk();
        desk.publish(orc, Hit(0))?;
        let pending = desk.published::<Hit>();
        desk.publish(orc, Hit(1))?;
        desk.publish(orc, Ouch(2))?;
        desk.publish(Everyone, Hit(3))?;
        drop(pending);
        if looks_again {
            assert_eq!(desk.published::<Hit>().count(), 3);
        }
        desk.publish(orc, Hit(4))?;
        let pending = desk.published::<Hit>();
        desk.publish(orc, Hit(5))?;
        drop(pending);
        manager.publish(orc, Hit(6))?;
        assert_eq!(hits!(manager.published::<Hit>()), [0, 1, 3, 4, 5, 6]);
        manager.tick(FRAME);
        assert_eq!(hits!(manager.inbox::<Hit>()), [0, 1, 3, 4, 5, 6]);
        let names = manager.inbox_any().into_iter().map(|mail| mail.name());
        let (hit, ouch) = (Hit::NAME, Ouch::NAME);
        let expected = [hit, hit, ouch, hit, hit, hit, hit];
        assert_eq!(names.collect::<Vec<_>>(), expected);
    }
    Ok(())
}

// holds: mail.desk-order
#[test]
fn a_frame_finds_what_was_published_with_pending_ones_in_hand_though_nobody_looks_before() -> Tested
{
    let (mut manager, orc, _) = two();
    let desk = manager.desk();
    desk.publish(orc, Hit(0))?;
    let pending = desk.published::<Hit>();
    desk.publish(orc, Hit(1))?;
    drop(pending);
    let report = manager.tick(FRAME);
    assert_eq!(hits!(manager.inbox::<Hit>().to(orc)), [0, 1]);
    let mail = manager
        .inbox::<Hit>()
        .iter()
        .last()
        .ok_or("there are two")?;
    assert_eq!(mail.published().frame + 1, report.frame);
    Ok(())
}

// holds: mail.full
#[test]
fn what_is_published_with_the_pending_ones_in_hand_counts_for_the_limit() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_published(2));
    let desk = manager.desk();
    desk.publish(Everyone, Hit(1))?;
    let pending = desk.published::<Hit>();
    desk.publish(Everyone, Hit(2))?;
    let full = desk.publish(Everyone, Hit(3)).map_err(SendError::into_kind);
    assert!(matches!(
        full,
        Err(SendErrorKind::AtLimit {
            limit: Limit::Published(2),
            ..
        })
    ));
    drop(pending);
    manager.tick(FRAME);
    assert_eq!(hits!(manager.inbox::<Hit>()), [1, 2]);
    Ok(())
}

// holds: seeing.numbers
#[test]
fn each_is_traced_once_whether_pending_ones_are_in_hand_or_not() -> Tested {
    let (mut manager, _, actor) = recorded();
    let desk = manager.desk().speak_for(actor)?;
    desk.publish(Me, Hit(1))?;
    let pending = desk.published::<Hit>();
    let line = line!() + 1;
    desk.publish(Me, Hit(2))?;
    drop(pending);
    desk.publish(Me, Hit(3))?;
    manager.tick(FRAME);
    let sends = told(&manager).sends::<Hit>();
    assert_eq!((sends.len(), sends[1].line), (3, line));
    let inbox = manager.inbox::<Hit>();
    for (mail, send) in inbox.iter().zip(&sends) {
        assert_eq!(mail.trace_id(), Some(send.number));
        assert_eq!((send.cause, send.sender), (None, actor.into()));
    }
    Ok(())
}

// holds: seeing.cause-of-letter
#[test]
fn what_is_published_at_the_desk_has_the_cause_that_the_manager_was_given() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.desk().publish(actor, Hit(1))?;
    manager.tick(FRAME);
    let cause = manager.inbox::<Hit>().first().map(|mail| mail.trace_id());
    let cause = cause.flatten().ok_or("it is traced")?;
    manager.with_cause(cause, |manager| {
        let desk = manager.desk();
        let pending = desk.published::<Ouch>();
        desk.publish(actor, Ouch(2))?;
        drop(pending);
        desk.publish(actor, Ouch(3))
    })?;
    for send in told(&manager).sends::<Ouch>() {
        assert_eq!(send.cause, Some(cause));
    }
    Ok(())
}

// The recipient.

// holds: mail.desk, mail.errors
#[test]
fn the_desk_of_a_messagee_has_that_as_its_sender_and_as_me() -> Tested {
    let (mut manager, orc, elf) = two();
    manager.publish(orc, Hit(1))?;
    manager.publish(elf, Hit(2))?;
    manager.tick(FRAME);
    let desk = manager.desk();
    let own = desk.speak_for(orc)?;
    assert_eq!(hits!(own.inbox::<Hit>().to(Me)), [1]);
    assert_eq!(own.inbox_any().to(Me).count(), 1);
    own.publish(Me, Hit(3))?;
    own.publish(EveryoneElse, Hit(4))?;
    own.speak_for(elf)?.publish(Me, Hit(5))?;
    desk.publish(orc, Hit(6))?;
    assert_eq!(hits!(own.published::<Hit>().to(Me)), [3, 6]);
    // From outside there is no such thing.
    assert!(desk.inbox::<Hit>().to(Me).is_empty());
    let no_sender = |to| SendError::new(Hit::NAME, to, SendErrorKind::NoSender);
    for to in [Me, EveryoneElse] {
        assert_eq!(desk.publish(to, Hit(7)), Err(no_sender(to)));
    }
    manager.tick(FRAME);
    let inbox = manager.inbox::<Hit>();
    assert_eq!(hits!(inbox.from(orc)), [3, 4]);
    assert_eq!(hits!(inbox.from(elf)), [5]);
    assert_eq!(hits!(inbox.from(Sender::Outside)), [6]);
    assert_eq!(hits!(inbox.reaching(elf)), [4, 5]);
    assert_eq!(hits!(inbox.reaching(orc)), [3, 6]);
    Ok(())
}

// holds: messagees.other-manager
#[test]
fn who_is_gone_or_of_another_manager_has_no_desk() -> Tested {
    let (mut manager, orc, elf) = two();
    let other = MessageManager::new().spawn(());
    manager.despawn(orc)?;
    let desk = manager.desk();
    let gone = MessageeError::Absent {
        id: orc,
        why: Absence::Gone,
    };
    assert_eq!(desk.speak_for(orc).err(), Some(gone.clone()));
    assert_eq!(desk.get::<Hp>(orc).err(), Some(gone.clone()));
    assert_eq!(desk.get_mut::<Hp>(orc).err(), Some(gone));
    let foreign = MessageeError::Absent {
        id: other,
        why: Absence::OtherManager,
    };
    assert_eq!(desk.speak_for(other).err(), Some(foreign.clone()));
    assert_eq!(desk.get_mut::<Hp>(other).err(), Some(foreign));
    assert_eq!(
        (desk.is_alive(orc), desk.is_alive(elf), desk.is_alive(other)),
        (false, true, false)
    );
    Ok(())
}

// holds: mail.errors
#[test]
fn what_the_manager_does_not_publish_the_desk_does_not_either() -> Tested {
    let (mut manager, orc, _) = two();
    let other = MessageManager::new().spawn(());
    manager.despawn(orc)?;
    for to in [orc.into(), other.into(), NOBODY.into(), Me, EveryoneElse] {
        let expected = manager.publish(to, Hit(1));
        assert!(expected.is_err());
        assert_eq!(manager.desk().publish(to, Hit(1)), expected);
    }
    Ok(())
}

// holds: mail.to-mnemonic
#[test]
fn a_mnemonic_is_looked_up_as_the_manager_does() -> Tested {
    let (mut manager, orc, elf) = two();
    manager.bind(LEADER, orc)?;
    let desk = manager.desk();
    assert_eq!((desk.bound(LEADER), desk.bound(NOBODY)), (Some(orc), None));
    desk.publish(LEADER, Hit(1))?;
    manager.unbind(LEADER, orc)?;
    manager.bind(LEADER, elf)?;
    let desk = manager.desk();
    assert_eq!(desk.bound(LEADER), Some(elf));
    desk.publish(LEADER, Hit(2))?;
    assert_eq!(hits!(desk.published::<Hit>().to(LEADER)), [2]);
    manager.tick(FRAME);
    assert_eq!(hits!(manager.desk().inbox::<Hit>().to(orc)), [1]);
    Ok(())
}

#[test]
fn a_letter_says_where_at_the_desk_it_was_published_and_when() -> Tested {
    let (mut manager, orc, _) = two();
    manager.tick(FRAME);
    let desk = manager.desk();
    let line = line!() + 1;
    desk.publish(orc, Hit(1))?;
    desk.speak_for(orc)?.publish(Me, Hit(2))?;
    assert_eq!(desk.clock().frame(), 1);
    manager.tick(FRAME);
    let desk = manager.desk();
    assert_eq!((desk.clock().frame(), desk.clock()), (2, manager.clock()));
    let inbox = manager.inbox::<Hit>();
    let places: Vec<_> = inbox.iter().map(|mail| mail.place().line()).collect();
    assert_eq!(places, [line, line + 1]);
    for mail in inbox {
        assert_eq!(mail.place().file(), file!());
        assert_eq!(mail.published().frame, 1);
    }
    Ok(())
}

// Cursors in their place.

/// A component that remembers how far it has read.
struct Reader {
    cursor: Cursor<Hit>,
    any: AnyCursor,
    read: Vec<u32>,
}

// holds: mail.desk, mail.cursor
#[test]
fn a_cursor_can_live_in_a_component_that_is_changed_while_it_reads() -> Tested {
    let mut manager = MessageManager::new();
    let desk = manager.desk();
    let (cursor, any) = (desk.inbox::<Hit>().cursor(), desk.inbox_any().cursor());
    let read = Vec::new();
    let reader = manager.spawn((Reader { cursor, any, read },));
    for number in 0..4 {
        manager.publish(Everyone, Hit(number))?;
        manager.tick(FRAME);
        if number % 2 == 1 {
            let desk = manager.desk();
            for (id, mut reader) in desk.iter_mut::<Reader>() {
                let inbox = desk.inbox::<Hit>().since(&mut reader.cursor);
                for hit in inbox {
                    reader.read.push(hit.0);
                    desk.speak_for(id)?.publish(Everyone, Ouch(hit.0))?;
                }
                assert_eq!(reader.cursor.missed(), 1);
                let any = desk.inbox_any().since(&mut reader.any);
                assert_eq!(any.count(), 1);
            }
        }
    }
    assert_eq!(manager.get::<Reader>(reader)?.read, [1, 3]);
    // One hit and one answer to the hit before.
    assert_eq!(manager.get::<Reader>(reader)?.any.missed(), 2);
    Ok(())
}

// Guards that were leaked.

// holds: mail.desk-order
#[test]
fn nothing_is_lost_when_pending_ones_from_the_desk_were_leaked() -> Tested {
    let (mut manager, orc, _) = two();
    let desk = manager.desk();
    desk.publish(orc, Hit(1))?;
    std::mem::forget(desk.published::<Hit>());
    desk.publish(orc, Hit(2))?;
    desk.publish(orc, Ouch(3))?;
    desk.publish(orc, Hit(4))?;
    manager.publish(orc, Hit(5))?;
    let desk = manager.desk();
    desk.publish(orc, Hit(6))?;
    assert_eq!(hits!(desk.published::<Hit>()), [1, 2, 4, 5]);
    assert_eq!(hits!(manager.desk().published::<Hit>()), [1, 2, 4, 5, 6]);
    manager.tick(FRAME);
    assert_eq!(hits!(manager.inbox::<Hit>()), [1, 2, 4, 5, 6]);
    assert_eq!(
        manager.inbox_any().iter().last().map(|mail| mail.name()),
        Some(Hit::NAME)
    );
    // The guard is forgotten with its frame.
    let desk = manager.desk();
    desk.publish(orc, Hit(7))?;
    assert_eq!(hits!(desk.published::<Hit>()), [7]);
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn the_desk_finds_settled_what_a_panic_has_left() {
    let (mut manager, _, actor) = stage();
    let script = |cx: &mut Context<'_>| {
        cx.spawn((Hp(1),));
        std::mem::forget(cx.published::<Hit>());
        cx.publish(Me, Hit(1)).expect("it is alive");
        panic!("oh");
    };
    let panic = crate::common::panic_of(|| manager.send(actor, Do::new(script)));
    assert_eq!(panic, "oh");
    let desk = manager.desk();
    assert_eq!(desk.iter::<Hp>().count(), 1);
    assert_eq!(hits!(desk.published::<Hit>().from(actor)), [1]);
}
