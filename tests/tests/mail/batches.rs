//! Many messages to one recipient at once.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use crate::common::{Do, Tested, panic_of, stage};
use crate::traces::{recorded, told};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::error::Limit;
use message_core::mailbox::{Cursor, Inbox, Mail};
use message_core::prelude::*;
use message_core::trace::SentBy;

mnemonic!(LEADER, NOBODY);
group!(SQUAD);

const FRAME: Duration = Duration::from_millis(10);

#[derive(Message, Debug)]
struct Hit(u32);

#[derive(Message)]
struct Heal(u32);

fn hits(inbox: Inbox<'_, Hit>) -> Vec<u32> {
    inbox.iter().map(|hit| hit.0).collect()
}

/// Returns all hits of the first frame with their recipients, senders and lines, in order.
fn written(manager: &MessageManager) -> Vec<(u32, Recipient, Sender, u32)> {
    let seen = |mail: Mail<'_, Hit>| {
        assert_eq!(mail.published().frame, 1);
        (mail.0, mail.recipient(), mail.sender(), mail.place().line())
    };
    manager.inbox::<Hit>().iter().map(seen).collect()
}

// holds: mail.publish-each
#[test]
fn each_is_published_as_publish_would_in_the_order_of_the_iterator() -> Tested {
    let mut managers = [MessageManager::new(), MessageManager::new()];
    let mut all = Vec::new();
    for (manager, at_once) in managers.iter_mut().zip([true, false]) {
        let (orc, elf) = (manager.spawn(()), manager.spawn(()));
        manager.bind(LEADER, elf)?;
        manager.join(SQUAD, orc)?;
        let recipients: [Recipient; 7] = [
            orc.into(),
            elf.into(),
            LEADER.into(),
            Everyone,
            SQUAD.into(),
            Up(orc),
            orc.into(),
        ];
        manager.tick(FRAME);
        for (to, first) in recipients.into_iter().zip((0..).step_by(50)) {
            // More than few, and in the midst of other mail.
            manager.publish(Everyone, Heal(first))?;
            let mut messages = (first..first + 40).map(Hit);
            if at_once {
                manager.publish_each(to, messages)?;
                manager
                    .speak_for(elf)?
                    .publish_each(to, [Hit(first + 40)])?;
            } else {
                messages.try_for_each(|message| manager.publish(to, message))?;
                manager.speak_for(elf)?.publish(to, Hit(first + 40))?;
            }
        }
        manager.tick(FRAME);
        let inbox = manager.inbox::<Hit>();
        let found = [
            inbox.to(orc),
            inbox.to(elf),
            inbox.reaching(orc),
            inbox.from(elf),
        ]
        .map(hits);
        let order = manager.inbox_any();
        let order = order.iter().map(|mail| match mail.downcast_ref::<Hit>() {
            Some(hit) => (false, hit.0),
            None => (true, mail.downcast_ref::<Heal>().map_or(0, |heal| heal.0)),
        });
        let senders = [Sender::Outside, elf.into()];
        let marks = written(manager).into_iter().map(|(hit, to, sender, _)| {
            let to = recipients.iter().position(|known| *known == to);
            (hit, to, senders.iter().position(|known| *known == sender))
        });
        all.push((found, order.collect::<Vec<_>>(), marks.collect::<Vec<_>>()));
    }
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0].0[0].len(), 82);
    assert_eq!(all[0].2.len(), 7 * 41);
    Ok(())
}

// holds: mail.publish-each
#[test]
fn its_place_is_that_of_the_call() -> Tested {
    let mut manager = MessageManager::new();
    let orc = manager.spawn(());
    manager.tick(FRAME);
    let line = line!() + 1;
    manager.publish_each(orc, [Hit(1), Hit(2)])?;
    manager.tick(FRAME);
    let outside = |hit| (hit, Recipient::Id(orc), Sender::Outside, line);
    assert_eq!(written(&manager), [1, 2].map(outside));
    Ok(())
}

// holds: mail.publish-each, mail.errors
#[test]
fn an_error_comes_with_the_first_message_and_nothing_is_no_error() -> Tested {
    let mut manager = MessageManager::new();
    let orc = manager.spawn(());
    manager.despawn(orc)?;
    for to in [orc.into(), Recipient::from(NOBODY), Me, EveryoneElse] {
        let refused = manager.publish(to, Hit(0));
        assert!(refused.is_err());
        assert_eq!(manager.publish_each(to, [Hit(1), Hit(2)]), refused);
        assert_eq!(manager.publish_each(to, [(); 0].map(|()| Hit(3))), Ok(()));
    }
    manager.tick(FRAME);
    assert!(manager.inbox::<Hit>().is_empty());
    Ok(())
}

// holds: mail.publish-each-stops, mail.full
#[test]
fn what_was_published_before_the_limit_is_found_and_no_more_is_taken() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_published(5));
    let orc = manager.spawn(());
    for _ in 0..2 {
        manager.publish(Everyone, Heal(0))?;
        let mut messages = (0..10).map(Hit);
        let full = manager.publish_each(orc, &mut messages);
        assert!(
            matches!(
                full.as_ref().map_err(SendError::kind),
                Err(SendErrorKind::AtLimit {
                    limit: Limit::Published(5),
                    ..
                })
            ),
            "{full:?}"
        );
        // The one that was refused is gone, as with `publish`.
        assert_eq!(messages.next().map(|hit| hit.0), Some(5));
        assert_eq!(manager.publish_each(orc, messages), full);
        manager.tick(FRAME);
        assert_eq!(hits(manager.inbox().to(orc)), [0, 1, 2, 3]);
        // As many as there is room for.
        manager.publish_each(orc, (0..5).map(Hit))?;
        manager.tick(FRAME);
        assert_eq!(manager.inbox::<Hit>().to(orc).count(), 5);
    }
    Ok(())
}

// holds: mail.publish-each-stops
#[test]
fn what_was_published_before_the_iterator_panics_is_found() -> Tested {
    let mut manager = MessageManager::new();
    let orc = manager.spawn(());
    let messages = (0..5).map(|number| {
        assert!(number < 3, "enough");
        Hit(number)
    });
    let publish = AssertUnwindSafe(|| manager.publish_each(orc, messages));
    assert_eq!(panic_of(publish), "enough");
    manager.publish(orc, Hit(7))?;
    manager.publish(Everyone, Heal(8))?;
    assert_eq!(manager.published::<Hit>().count(), 4);
    manager.tick(FRAME);
    assert_eq!(hits(manager.inbox().to(orc)), [0, 1, 2, 7]);
    assert_eq!(manager.inbox_any().count(), 5);
    Ok(())
}

// holds: mail.publish-each, mail.unchanged-in-frame
#[test]
fn a_handler_publishes_about_the_mail_that_it_reads() -> Tested {
    let (mut manager, _, actor) = stage();
    manager.publish_each(actor, (0..4).map(Hit))?;
    manager.tick(FRAME);
    manager.send(
        actor,
        Do::new(|cx| {
            let inbox = cx.inbox::<Hit>();
            let mut cursor = Cursor::new();
            let mut echoes = inbox.to(Me).into_iter().map(|hit| Hit(hit.0 + 10));
            let messages = std::iter::from_fn(|| {
                // The messages found do not change, nor does the place where they end.
                assert_eq!(inbox.since(&mut cursor).count() % 4, 0);
                echoes.next()
            });
            cx.publish_each(Me, messages).expect("it is alive");
            assert_eq!(cx.published::<Hit>().to(Me).count(), 4);
        }),
    )?;
    manager.tick(FRAME);
    assert_eq!(
        hits(manager.inbox().to(actor).from(actor)),
        [10, 11, 12, 13]
    );
    Ok(())
}

// holds: mail.publish-each, mail.desk-order
#[test]
fn so_it_is_while_a_guard_that_was_leaked_looks_at_what_is_pending() -> Tested {
    let (mut manager, _, actor) = stage();
    manager.publish(actor, Hit(0))?;
    manager.send(
        actor,
        Do::new(|cx| {
            std::mem::forget(cx.published::<Hit>());
            cx.publish_each(Me, [Hit(1), Hit(2)]).expect("it is alive");
        }),
    )?;
    manager.publish_each(actor, [Hit(3), Hit(4)])?;
    manager.publish(actor, Hit(5))?;
    manager.tick(FRAME);
    assert_eq!(hits(manager.inbox().to(actor)), [0, 1, 2, 3, 4, 5]);
    Ok(())
}

// holds: mail.publish-each, mail.boxed
#[test]
fn so_it_is_where_messages_are_in_boxes_already() -> Tested {
    let mut manager = MessageManager::new();
    manager.publish_any(Everyone, Box::new(Hit(0)))?;
    manager.publish_each(Everyone, [Hit(1), Hit(2)])?;
    manager.publish(Everyone, Hit(3))?;
    manager.tick(FRAME);
    assert_eq!(hits(manager.inbox()), [0, 1, 2, 3]);
    manager.publish_each(Everyone, [Hit(4)])?;
    manager.tick(FRAME);
    assert_eq!(hits(manager.inbox()), [4]);
    Ok(())
}

// holds: seeing.numbers
#[test]
fn each_has_a_number_of_its_own_while_the_manager_is_traced() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.publish_each(actor, (0..3).map(Hit))?;
    let sends = told(&manager).sends::<Hit>();
    assert_eq!(sends.len(), 3);
    assert!(sends.iter().all(|send| send.by == SentBy::Publish));
    manager.tick(FRAME);
    let numbers = manager.inbox::<Hit>().iter().map(|mail| mail.trace_id());
    assert!(numbers.eq(sends.iter().map(|send| Some(send.number))));
    Ok(())
}

/// One call after the other, so that runs of letters begin and end.
// holds: mail.next-frame, mail.chosen
#[test]
fn what_calls_in_turns_publish_bears_what_each_has_written() -> Tested {
    let mut manager = MessageManager::new();
    let ids = [(); 3].map(|()| manager.spawn(()));
    for frame in 0..3 {
        let mut expected = Vec::new();
        for number in 0..100_u32 {
            let id = ids[number as usize % 3];
            let to = match (number / 10 % 4, number % 2) {
                (1, _) | (2, 0) => Everyone,
                (3, _) => Recipient::Up(id),
                _ => Recipient::Id(id),
            };
            expected.push((number, to));
            manager.publish(to, Hit(number))?;
            if number % 7 == 0 {
                manager.publish(to, Heal(number))?;
            }
        }
        assert_eq!(manager.published::<Hit>().count(), 100);
        manager.tick(FRAME);
        let inbox = manager.inbox::<Hit>();
        let found = inbox.iter().map(|mail| (mail.0, mail.recipient()));
        assert_eq!(found.collect::<Vec<_>>(), expected, "frame {frame}");
        // Asked for by recipient, which builds an index.
        for id in ids {
            let own = expected.iter().filter(|(_, to)| *to == Recipient::Id(id));
            assert_eq!(
                hits(inbox.to(id)),
                own.map(|(hit, _)| *hit).collect::<Vec<_>>()
            );
        }
        let all = expected.iter().filter(|(_, to)| *to == Recipient::Everyone);
        assert_eq!(
            hits(inbox.to(Everyone)),
            all.map(|(hit, _)| *hit).collect::<Vec<_>>()
        );
        assert_eq!(manager.inbox_any().count(), 115);
    }
    Ok(())
}
