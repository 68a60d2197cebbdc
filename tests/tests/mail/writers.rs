//! A writer publishes in a loop.

use std::time::Duration;

use crate::common::{Tested, stage};
use crate::traces::{recorded, told};
use message_core::MailWriter;
use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;
use message_core::trace::SentBy;

mnemonic!(LEADER, NOBODY);
group!(SQUAD);

const FRAME: Duration = Duration::from_millis(10);

#[derive(Message, Debug)]
struct Hit(u32);

#[derive(Message)]
struct Heal;

fn write(writer: Result<MailWriter<'_, Hit>, SendError>, hits: std::ops::Range<u32>) -> Tested {
    let mut writer = writer?;
    for hit in hits {
        writer.publish(Hit(hit))?;
    }
    Ok(())
}

/// Returns the hits that can be read, with their place in the order over all types.
fn read(manager: &MessageManager) -> Vec<String> {
    let all = manager.inbox_any();
    let numbered = all.iter().enumerate();
    let hits = numbered.filter_map(|(number, mail)| {
        let hit = mail.downcast_ref::<Hit>()?;
        let (sender, to, when) = (mail.sender(), mail.recipient(), mail.published());
        Some(format!("{number}: {hit:?} {sender:?} {to:?} {when:?}"))
    });
    hits.collect()
}

// holds: mail.writer
#[test]
fn what_a_writer_publishes_is_read_like_what_is_published_one_by_one() -> Tested {
    let mut managers = [MessageManager::new(), MessageManager::new()];
    let mut all = Vec::new();
    for (manager, by_writer) in managers.iter_mut().zip([true, false]) {
        let [orc, elf] = [(); 2].map(|()| manager.spawn(()));
        manager.bind(LEADER, elf)?;
        manager.join(SQUAD, orc)?;
        manager.tick(FRAME);
        let recipients: [Recipient; 7] = [
            orc.into(),
            Everyone,
            LEADER.into(),
            SQUAD.into(),
            Recipient::UpFrom(LEADER),
            Down(orc),
            orc.into(),
        ];
        for (to, first) in recipients.into_iter().zip((0..).step_by(100)) {
            manager.publish(Everyone, Heal)?;
            if by_writer {
                write(manager.writer(to), first..first + 40)?;
                write(manager.speak_for(elf)?.writer(to), first + 40..first + 45)?;
                write(manager.speak_for(elf)?.writer(Me), first + 45..first + 46)?;
            } else {
                for hit in first..first + 40 {
                    manager.publish(to, Hit(hit))?;
                }
                for hit in first + 40..first + 45 {
                    manager.speak_for(elf)?.publish(to, Hit(hit))?;
                }
                manager.speak_for(elf)?.publish(Me, Hit(first + 45))?;
            }
            manager.publish(orc, Hit(first + 50))?;
        }
        assert_eq!(manager.published::<Hit>().count(), 7 * 47);
        let pending = manager.published::<Hit>().from(elf).to(orc).count();
        manager.tick(FRAME);
        let inbox = manager.inbox::<Hit>();
        let counts = [
            pending,
            inbox.to(orc).count(),
            inbox.to(elf).count(),
            inbox.to(SQUAD).count(),
            inbox.reaching(orc).count(),
            inbox.reaching(elf).from(elf).count(),
        ];
        all.push((counts, read(manager)));
    }
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0].1.len(), 7 * 47);
    Ok(())
}

// holds: mail.writer
#[test]
fn the_place_of_its_letters_is_where_it_was_made() -> Tested {
    let mut manager = MessageManager::new();
    let line = line!() + 1;
    let mut writer = manager.writer::<Hit>(Everyone)?;
    writer.publish(Hit(1))?;
    writer.publish(Hit(2))?;
    manager.tick(FRAME);
    let lines = manager
        .inbox::<Hit>()
        .into_iter()
        .map(|hit| hit.place().line());
    assert!(lines.eq([line; 2]));
    Ok(())
}

// holds: mail.writer-checks
#[test]
fn what_is_wrong_with_the_recipient_is_an_error_of_the_call_that_makes_it() -> Tested {
    let mut manager = MessageManager::new();
    let (orc, elf) = (manager.spawn(()), manager.spawn(()));
    manager.despawn(orc)?;
    for to in [orc.into(), Recipient::from(NOBODY), Me, EveryoneElse] {
        let refused = manager.publish(to, Hit(0)).expect_err("it is for nobody");
        let error = manager.writer::<Hit>(to).expect_err("it is for nobody");
        assert_eq!(error, refused);
    }
    let mut speaks = manager.speak_for(elf)?;
    speaks.despawn(elf)?;
    let refused = speaks.publish(Everyone, Hit(0)).expect_err("it is gone");
    let error = speaks.writer::<Hit>(Everyone).expect_err("it is gone");
    assert_eq!(error, refused);
    // Making one publishes nothing.
    drop(manager.writer::<Hit>(Everyone)?);
    manager.tick(FRAME);
    assert!(manager.inbox_any().is_empty());
    Ok(())
}

// holds: mail.writer-checks, mail.full
#[test]
fn the_message_that_finds_no_room_is_refused() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_published(5));
    for _ in 0..2 {
        manager.publish(Everyone, Heal)?;
        let mut writer = manager.writer(Everyone)?;
        let published = (0..9).map(|hit| writer.publish(Hit(hit)));
        let published: Vec<Result<(), SendError>> = published.collect();
        let full = manager.publish(Everyone, Hit(9));
        assert!(full.is_err() && manager.writer::<Hit>(Everyone).is_ok());
        for (number, published) in published.into_iter().enumerate() {
            assert_eq!(published, if number < 4 { Ok(()) } else { full.clone() });
        }
        manager.tick(FRAME);
        let hits = manager.inbox::<Hit>().into_iter().map(|hit| hit.0);
        assert!(hits.eq(0..4));
    }
    Ok(())
}

// holds: mail.writer
#[test]
fn what_was_published_stays_when_the_writer_is_gone() -> Tested {
    let (mut manager, _, actor) = stage();
    let mut writer = manager.writer(actor)?;
    writer.publish(Hit(1))?;
    writer.publish(Hit(2))?;
    manager.publish(actor, Hit(3))?;
    let _unused = manager.writer::<Hit>(Everyone)?;
    write(manager.writer(actor), 4..6)?;
    assert_eq!(manager.published::<Hit>().count(), 5);
    manager.tick(FRAME);
    let hits = manager
        .inbox::<Hit>()
        .to(actor)
        .into_iter()
        .map(|hit| hit.0);
    assert!(hits.eq(1..6));
    Ok(())
}

// holds: mail.writer, mail.boxed
#[test]
fn it_writes_behind_messages_in_boxes_and_behind_those_put_aside() -> Tested {
    let mut manager = MessageManager::new();
    manager.publish_any(Everyone, Box::new(Hit(0)))?;
    write(manager.writer(Everyone), 1..3)?;
    manager.tick(FRAME);
    let hits = manager.inbox::<Hit>().into_iter().map(|hit| hit.0);
    assert!(hits.eq(0..3));
    {
        let desk = manager.desk();
        desk.publish(Everyone, Hit(3))?;
        let pending = desk.published::<Hit>();
        desk.publish(Everyone, Hit(4))?;
        assert_eq!(pending.count(), 1);
    }
    write(manager.writer(Everyone), 5..7)?;
    manager.tick(FRAME);
    let hits = manager.inbox::<Hit>().into_iter().map(|hit| hit.0);
    assert!(hits.eq(3..7));
    Ok(())
}

// holds: mail.writer
#[test]
fn each_message_of_a_writer_is_traced() -> Tested {
    let (mut manager, _, actor) = recorded();
    write(manager.writer(actor), 0..3)?;
    manager.tick(FRAME);
    let sends = told(&manager).sends::<Hit>();
    assert!(sends.iter().all(|send| send.by == SentBy::Publish));
    let hits = manager.inbox::<Hit>().into_iter();
    let traced: Vec<_> = hits.filter_map(|hit| hit.trace_id()).collect();
    assert!(
        sends
            .iter()
            .map(|send| send.number)
            .eq(traced.iter().copied())
    );
    assert_eq!(traced.len(), 3);
    Ok(())
}
