//! Messages that are published in boxes, where their type is not known.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::{Actor, Do, Ear, Tested, slot, stage};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::error::Limit;
use message_core::mailbox::{AnyCursor, AnyMail, Cursor};
use message_core::prelude::*;
use message_core::{AnyMessage, NoReply};
use message_trace::Recorder;

mnemonic!(LEADER, NOBODY);
group!(SQUAD);

const FRAME: Duration = Duration::from_millis(10);

#[derive(Message, Debug, PartialEq)]
struct Hit(u32);

#[derive(Message, Debug, PartialEq)]
struct Heal(u32);

fn boxed(message: impl Message) -> Box<dyn AnyMessage> {
    Box::new(message)
}

/// The numbers of the hits that a selection finds.
macro_rules! hits {
    ($inbox:expr) => {
        $inbox.iter().map(|hit| hit.0).collect::<Vec<u32>>()
    };
}

/// Returns the number of a hit or of a heal.
#[allow(clippy::needless_pass_by_value, reason = "it is mapped over")]
fn number(mail: AnyMail<'_>) -> Option<u32> {
    let hit = mail.downcast_ref::<Hit>().map(|hit| hit.0);
    hit.or_else(|| mail.downcast_ref::<Heal>().map(|heal| heal.0))
}

/// Runs `run` with two managers: in one, the message types have been used before.
fn known_and_unknown(run: impl Fn(&mut MessageManager) -> Tested) -> Tested {
    run(&mut MessageManager::new())?;
    let mut known = MessageManager::new();
    known.set_mail_retention::<Hit>(1);
    known.set_mail_retention::<Heal>(1);
    run(&mut known)
}

// Finding mail.

// holds: mail.boxed, mail.next-frame
#[test]
fn a_message_that_is_published_in_a_box_is_found_in_the_next_frame_and_not_in_the_one_after()
-> Tested {
    known_and_unknown(|manager| {
        let orc = manager.spawn(());
        for frame in 0..4 {
            manager.publish_any(orc, boxed(Hit(frame)))?;
            manager.tick(FRAME);
            assert_eq!(hits!(manager.inbox::<Hit>().to(orc)), [frame]);
        }
        manager.tick(FRAME);
        assert!(manager.inbox::<Hit>().is_empty() && manager.inbox_any().is_empty());
        Ok(())
    })
}

// holds: mail.boxed
#[test]
fn messages_by_type_and_in_boxes_come_in_the_order_published_in_one_frame() -> Tested {
    known_and_unknown(|manager| {
        let (orc, elf) = (manager.spawn(()), manager.spawn(()));
        manager.publish_any(orc, boxed(Hit(1)))?;
        manager.publish_any(elf, boxed(Heal(2)))?;
        manager.speak_for(elf)?.publish(Me, Hit(3))?;
        manager.speak_for(elf)?.publish_any(orc, boxed(Hit(4)))?;
        manager.publish(orc, Hit(5))?;
        manager.desk().publish_any(orc, boxed(Hit(6)))?;
        assert_eq!(hits!(manager.published::<Hit>()), [1, 3, 4, 5, 6]);
        assert_eq!(hits!(manager.published::<Hit>().to(orc)), [1, 4, 5, 6]);

        manager.tick(FRAME);
        let inbox = manager.inbox::<Hit>();
        assert_eq!(hits!(inbox), [1, 3, 4, 5, 6]);
        assert_eq!(hits!(inbox.to(orc)), [1, 4, 5, 6]);
        assert_eq!(hits!(inbox.reaching(elf)), [3]);
        assert_eq!(hits!(inbox.from(elf)), [3, 4]);
        assert_eq!(
            inbox.iter().last().map(|hit| hit.recipient()),
            Some(orc.into())
        );
        let all = manager.inbox_any();
        assert!(all.iter().filter_map(number).eq(1..=6));
        assert_eq!(all.to(elf).iter().filter_map(number).count(), 2);
        Ok(())
    })
}

// holds: mail.boxed, mail.cursor
#[test]
fn so_they_do_over_several_frames_by_cursor() -> Tested {
    let mut manager = MessageManager::new();
    let (mut cursor, mut all) = (Cursor::<Hit>::new(), AnyCursor::new());
    manager.publish_any(Everyone, boxed(Hit(0)))?;
    manager.publish_any(Everyone, boxed(Hit(1)))?;
    manager.set_mail_retention::<Hit>(3);
    for frame in 1..6 {
        manager.tick(FRAME);
        manager.publish_any(Everyone, boxed(Hit(2 * frame)))?;
        manager.publish(Everyone, Hit(2 * frame + 1))?;
    }
    manager.tick(FRAME);
    let found = hits!(manager.inbox().since(&mut cursor));
    assert_eq!(found, [6, 7, 8, 9, 10, 11]);
    let mails = manager.inbox_any().since(&mut all);
    assert!(mails.iter().filter_map(number).eq(6..12));

    for frame in 0..4 {
        manager.publish_any(Everyone, boxed(Hit(20 + frame)))?;
        manager.tick(FRAME);
    }
    assert_eq!(hits!(manager.inbox().since(&mut cursor)), [21, 22, 23]);
    assert_eq!(cursor.missed(), 1);
    assert_eq!(manager.inbox_any().since(&mut all).count(), 3);
    assert_eq!(all.missed(), 1);
    Ok(())
}

// holds: mail.boxed, mail.cursor
#[test]
fn a_cursor_counts_what_was_missed_before_anything_used_the_type() -> Tested {
    let mut manager = MessageManager::new();
    let mut cursor = manager.inbox::<Hit>().cursor();
    let mut all = manager.inbox_any().cursor();
    for frame in 0..4 {
        manager.publish_any(Everyone, boxed(Hit(frame)))?;
        manager.tick(FRAME);
    }
    assert_eq!(hits!(manager.inbox().since(&mut cursor)), [3]);
    assert_eq!(cursor.missed(), 3);
    assert_eq!(manager.inbox_any().since(&mut all).count(), 1);
    assert_eq!(all.missed(), 3);
    Ok(())
}

// holds: mail.boxed, mail.retention
#[test]
fn retention_of_a_type_holds_for_its_messages_in_boxes() -> Tested {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Hit>(2);
    manager.publish_any(Everyone, boxed(Hit(1)))?;
    manager.publish_any(Everyone, boxed(Heal(1)))?;
    manager.tick(FRAME);
    manager.tick(FRAME);
    assert_eq!(hits!(manager.inbox().since(&mut Cursor::<Hit>::new())), [1]);
    let inbox = manager.inbox::<Heal>();
    assert_eq!(inbox.since(&mut Cursor::new()).count(), 0);
    manager.tick(FRAME);
    assert!(hits!(manager.inbox().since(&mut Cursor::<Hit>::new())).is_empty());
    Ok(())
}

// holds: mail.boxed
#[test]
fn many_messages_in_boxes_are_found_by_recipient_in_each_frame() -> Tested {
    let mut manager = MessageManager::new();
    let ids: Vec<MessageeId> = (0..7).map(|_| manager.spawn(())).collect();
    let publish = |manager: &mut MessageManager| {
        (0..).zip(&ids).cycle().take(200).try_for_each(|(at, &id)| {
            let message: Box<dyn AnyMessage> = Box::new(Hit(at));
            manager.publish_any(id, message)
        })
    };
    // At first nothing knows the type; it is read by recipient, so that the next frame is sorted.
    for _ in 0..3 {
        publish(&mut manager)?;
        manager.tick(FRAME);
        for (at, &id) in (0..).zip(&ids) {
            let found = manager.inbox_any().to(id);
            assert!(found.count() >= 28);
            assert!(found.iter().all(|mail| number(mail) == Some(at)));
        }
    }
    for _ in 0..4 {
        for (at, &id) in (0..).zip(&ids) {
            let inbox = manager.inbox::<Hit>();
            assert!(inbox.to(id).count() >= 28);
            assert!(inbox.to(id).iter().all(|hit| *hit == Hit(at)));
        }
        assert_eq!(manager.inbox::<Hit>().count(), 200);
        publish(&mut manager)?;
        manager.tick(FRAME);
    }
    Ok(())
}

// holds: mail.boxed
#[test]
fn what_is_written_on_a_letter_is_the_same_for_a_message_in_a_box() -> Tested {
    let mut manager = MessageManager::new();
    Recorder::new(16).start(&mut manager);
    let orc = manager.spawn(());
    manager.bind(LEADER, orc)?;
    let mut speaker = manager.speak_for(orc)?;
    speaker.publish(LEADER, Hit(1))?;
    let line = line!() + 1;
    speaker.publish_any(LEADER, boxed(Hit(2)))?;
    manager.tick(FRAME);
    let inbox = manager.inbox::<Hit>().to(orc);
    let [one, two] = [inbox.first(), inbox.iter().last()].map(|mail| mail.expect("there are two"));
    assert_eq!((two.0, two.sender()), (2, one.sender()));
    assert_eq!(two.recipient(), LEADER.into());
    assert_eq!(two.published(), one.published());
    assert_eq!((two.place().file(), two.place().line()), (file!(), line));
    assert_eq!(
        format!("{two:?}"),
        format!("{one:?}").replace("Hit(1)", "Hit(2)")
    );
    let ids = [one, two].map(|mail| mail.trace_id().expect("it is traced"));
    assert_ne!(ids[0], ids[1]);
    let [one, two] = ids.map(|id| {
        Recorder::of(&manager)
            .and_then(|it| it.explain(id))
            .expect("it is recorded")
            .to_string()
    });
    assert!(one.contains("Hit") && two.contains("Hit"), "{one}{two}");
    assert_eq!(one.lines().count(), two.lines().count());
    Ok(())
}

// holds: mail.no-receiver
#[test]
fn no_handler_or_subscriber_receives_a_message_that_is_published_in_a_box() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.spawn((Ear::new("ear", &log),));
    let heard = log.clone();
    manager.subscribe(Filter::all(), move |_, _| heard.add("heard"));
    manager.publish_any(actor, boxed(crate::common::Note("note")))?;
    let script = Do::new(move |cx| {
        cx.publish_any(Me, boxed(crate::common::Note("too")))
            .expect("it is alive");
        assert_eq!(cx.published::<crate::common::Note>().to(Me).count(), 2);
    });
    manager.send(actor, script)?;
    log.take();
    manager.tick(FRAME);
    assert_eq!(manager.inbox::<crate::common::Note>().to(actor).count(), 2);
    assert_eq!(
        manager.inbox::<crate::common::Note>().from(actor).count(),
        1
    );
    assert!(log.take().is_empty());
    Ok(())
}

// holds: mail.desk-order
#[test]
fn a_message_in_a_box_that_is_published_while_pending_ones_are_looked_at_comes_in_order() -> Tested
{
    known_and_unknown(|manager| {
        let desk = manager.desk();
        desk.publish_any(Everyone, boxed(Hit(1)))?;
        {
            let pending = desk.published::<Hit>();
            desk.publish_any(Everyone, boxed(Hit(2)))?;
            desk.publish(Everyone, Hit(3))?;
            desk.publish_any(Everyone, boxed(Hit(4)))?;
            assert_eq!(hits!(pending), [1]);
        }
        assert_eq!(hits!(desk.published::<Hit>()), [1, 2, 3, 4]);
        std::mem::forget(desk.published::<Hit>());
        desk.publish_any(Everyone, boxed(Hit(5)))?;
        manager.publish(Everyone, Hit(6))?;
        manager.tick(FRAME);
        assert_eq!(hits!(manager.inbox::<Hit>()), [1, 2, 3, 4, 5, 6]);
        manager.publish_any(Everyone, boxed(Hit(7)))?;
        assert_eq!(
            hits!(manager.published::<Hit>()),
            [7],
            "what was leaked is forgotten"
        );
        let desk = manager.desk();
        std::mem::forget(desk.published::<Hit>());
        desk.publish_any(Everyone, boxed(Hit(8)))?;
        manager.tick(FRAME);
        assert_eq!(hits!(manager.inbox::<Hit>()), [7, 8]);
        Ok(())
    })
}

#[test]
fn when_the_type_is_used_its_messages_are_stored_by_value_from_the_next_frame_on() -> Tested {
    let mut manager = MessageManager::new();
    for number in 0..3 {
        manager.publish_any(Everyone, boxed(Hit(number)))?;
    }
    manager.tick(FRAME);
    let any = manager.inbox_any().first().expect("there are three");
    let typed = manager.inbox::<Hit>().first().expect("there are three");
    assert_eq!(any.downcast_ref(), Some(typed.message()));
    manager.tick(FRAME);
    for number in 0..3 {
        manager.publish_any(Everyone, boxed(Hit(number)))?;
    }
    manager.tick(FRAME);
    let mails: Vec<&Hit> = manager
        .inbox::<Hit>()
        .iter()
        .map(|mail| mail.message())
        .collect();
    assert_eq!(mails, [&Hit(0), &Hit(1), &Hit(2)]);
    for pair in mails.windows(2) {
        assert!(std::ptr::eq(
            std::ptr::from_ref(pair[0]).wrapping_add(1),
            pair[1]
        ));
    }
    Ok(())
}

// holds: failures.unused-messages
#[test]
fn a_type_whose_messages_were_published_in_boxes_is_in_use() -> Tested {
    #[derive(Message)]
    struct Rumour;

    let mut manager = MessageManager::new();
    let is_unused = |manager: &MessageManager| {
        let unused = manager.inspect().unused_messages();
        let mut names = unused.iter().map(|message| message.name);
        names.any(|name| name == Rumour::NAME)
    };
    assert!(is_unused(&manager));
    manager.publish_any(Everyone, boxed(Rumour))?;
    assert!(!is_unused(&manager));
    Ok(())
}

// Errors.

// holds: send.boxed, mail.errors
#[test]
fn publishing_in_a_box_fails_as_publishing_by_type_does() -> Tested {
    known_and_unknown(|manager| {
        let other = MessageManager::new().spawn(());
        let (gone, lives) = (manager.spawn(()), manager.spawn(()));
        manager.despawn(gone)?;
        let wrong: [Recipient; 8] = [
            gone.into(),
            other.into(),
            Up(gone),
            Down(other),
            NOBODY.into(),
            Me,
            EveryoneElse,
            Everyone,
        ];
        for traced in [false, true] {
            if traced {
                Recorder::new(64).start(manager);
            }
            for to in wrong {
                let expected = manager.publish(to, Hit(1));
                assert_eq!(expected.is_ok(), to == Everyone);
                assert_eq!(manager.publish_any(to, boxed(Hit(1))), expected);
                assert_eq!(manager.desk().publish_any(to, boxed(Hit(1))), expected);
            }
        }
        let mut lives = manager.speak_for(lives)?;
        assert_eq!(lives.publish_any(Me, boxed(Hit(2))), Ok(()));
        assert_eq!(
            lives.publish_any(NOBODY, boxed(Hit(2))),
            lives.publish(NOBODY, Hit(2))
        );
        Ok(())
    })
}

// holds: messagees.as-messagee-alive
#[test]
fn publishing_in_a_box_in_the_name_of_one_who_has_gone_is_an_error() -> Tested {
    let (mut manager, _, actor) = stage();
    let mut speaker = manager.speak_for(actor)?;
    speaker.send(
        Me,
        Do::new(move |cx| cx.despawn(actor).expect("it is alive")),
    )?;
    let gone = speaker.publish_any(Everyone, boxed(Hit(1)));
    assert!(
        matches!(
            &gone,
            Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Gone) && error.to() == Some(actor.into())
        ),
        "{gone:?}"
    );
    Ok(())
}

// holds: send.boxed
#[test]
fn a_message_in_a_box_whose_type_is_unknown_is_not_published() {
    struct Stray;

    impl Message for Stray {
        type Reply = NoReply;
        const NAME: &'static str = "stray";
    }

    let mut manager = MessageManager::new();
    let expected = Err(SendError::new(
        "stray",
        Everyone,
        SendErrorKind::Unregistered,
    ));
    assert_eq!(manager.publish(Everyone, Stray), expected);
    assert_eq!(manager.publish_any(Everyone, boxed(Stray)), expected);
    assert!(manager.published::<Stray>().is_empty());
}

// holds: mail.full
#[test]
fn messages_in_boxes_count_towards_the_limit_of_a_frame() -> Tested {
    let config = ManagerConfig::new().max_published(3);
    let mut manager = MessageManager::with_config(config);
    manager.publish_any(Everyone, boxed(Hit(1)))?;
    manager.publish(Everyone, Hit(2))?;
    manager.publish_any(Everyone, boxed(Heal(3)))?;
    let full = manager.publish(Everyone, Hit(4));
    assert!(
        matches!(
            full.as_ref().map_err(SendError::kind),
            Err(SendErrorKind::AtLimit {
                limit: Limit::Published(3),
                ..
            })
        ),
        "{full:?}"
    );
    assert_eq!(manager.publish_any(Everyone, boxed(Hit(4))), full);
    manager.tick(FRAME);
    assert!(manager.inbox_any().iter().filter_map(number).eq(1..=3));
    manager.publish_any(Everyone, boxed(Hit(5)))?;
    Ok(())
}

// Dropping.

/// Counts how often it is dropped, and panics then.
#[derive(Message)]
struct Thorn(&'static str, Arc<AtomicUsize>);

impl Drop for Thorn {
    fn drop(&mut self) {
        self.1.fetch_add(1, Ordering::Relaxed);
        panic!("{} pricks", self.0);
    }
}

// holds: mail.drop-panics
#[test]
fn several_messages_in_boxes_that_panic_when_dropped_are_all_dropped_and_the_first_panic_goes_on()
-> Tested {
    for known in [false, true] {
        // No mail is kept for a pass of `FixedUpdate`.
        let config = ManagerConfig::new().fixed_step(Duration::ZERO);
        let mut manager = MessageManager::with_config(config);
        if known {
            manager.set_mail_retention::<Thorn>(1);
        }
        let dropped = Arc::default();
        for name in ["one", "two", "three"] {
            manager.publish_any(Everyone, boxed(Thorn(name, Arc::clone(&dropped))))?;
        }
        manager.publish(Everyone, Thorn("four", Arc::clone(&dropped)))?;
        manager.publish_any(Everyone, boxed(Hit(1)))?;
        manager.tick(FRAME);
        assert_eq!(manager.inbox::<Thorn>().count(), 4);
        let panic = crate::common::panic_of(|| manager.tick(FRAME));
        assert_eq!(panic, "one pricks");
        assert_eq!(dropped.load(Ordering::Relaxed), 4);
        assert!(manager.inbox_any().is_empty());
        manager.publish_any(Everyone, boxed(Hit(2)))?;
        manager.tick(FRAME);
        assert_eq!(hits!(manager.inbox::<Hit>()), [2]);
    }
    Ok(())
}

// holds: memory.dropped-once, memory.drop-panics
#[test]
fn a_manager_that_is_dropped_drops_each_message_in_a_box_once() -> Tested {
    let dropped = Arc::default();
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Thorn>(3);
    for name in ["one", "two", "three"] {
        manager.publish_any(Everyone, boxed(Thorn(name, Arc::clone(&dropped))))?;
        manager.publish(Everyone, Thorn("by type", Arc::clone(&dropped)))?;
        manager.tick(FRAME);
    }
    manager.publish_any(Everyone, boxed(Thorn("four", Arc::clone(&dropped))))?;
    let panic = crate::common::panic_of(|| drop(manager));
    assert_eq!(panic, "one pricks");
    assert_eq!(dropped.load(Ordering::Relaxed), 7);
    // The same before anything uses the type.
    let mut manager = MessageManager::new();
    manager.publish_any(Everyone, boxed(Thorn("five", Arc::clone(&dropped))))?;
    manager.tick(FRAME);
    manager.publish_any(Everyone, boxed(Thorn("six", Arc::clone(&dropped))))?;
    assert_eq!(crate::common::panic_of(|| drop(manager)), "five pricks");
    assert_eq!(dropped.load(Ordering::Relaxed), 9);
    Ok(())
}

#[test]
fn a_message_in_a_box_that_is_not_accepted_is_dropped() {
    let dropped = Arc::default();
    let mut manager = MessageManager::new();
    let thorn = boxed(Thorn("refused", Arc::clone(&dropped)));
    let panic = catch_unwind(AssertUnwindSafe(|| manager.publish_any(Me, thorn)));
    assert!(panic.is_err());
    assert_eq!(dropped.load(Ordering::Relaxed), 1);
}

// holds: memory.changes-nothing
#[test]
fn giving_back_memory_changes_nothing_of_what_was_published_in_boxes() -> Tested {
    let mut manager = MessageManager::new();
    manager.publish_any(Everyone, boxed(Hit(1)))?;
    manager.shrink_to_fit();
    manager.tick(FRAME);
    manager.publish_any(Everyone, boxed(Hit(2)))?;
    manager.shrink_to_fit();
    assert!(manager.inbox_any().iter().filter_map(number).eq([1]));
    assert_eq!(hits!(manager.inbox::<Hit>()), [1]);
    manager.shrink_to_fit();
    for number in 3..200 {
        manager.tick(FRAME);
        assert_eq!(hits!(manager.inbox::<Hit>()), [number - 1]);
        manager.publish_any(Everyone, boxed(Hit(number)))?;
    }
    Ok(())
}

// holds: mail.boxed
#[test]
fn a_handler_publishes_and_reads_messages_in_boxes() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    manager.publish_any(actor, boxed(Hit(1)))?;
    manager.tick(FRAME);
    let (put, get) = slot();
    let script = Do::new(move |cx| {
        let mut seen = Vec::new();
        for hit in cx.inbox::<Hit>().to(Me) {
            seen.push(hit.0);
            cx.publish_any(other, boxed(Hit(2))).expect("it is alive");
            cx.publish(other, Hit(3)).expect("it is alive");
        }
        assert!(cx.publish_any(NOBODY, boxed(Hit(4))).is_err());
        cx.publish_any(SQUAD, boxed(Heal(5)))
            .expect("a group is there");
        put(seen);
    });
    manager.send(actor, script)?;
    assert_eq!(get(), [1]);
    manager.tick(FRAME);
    assert_eq!(hits!(manager.inbox::<Hit>().to(other).from(actor)), [2, 3]);
    assert_eq!(manager.inbox::<Heal>().to(SQUAD).count(), 1);
    Ok(())
}
