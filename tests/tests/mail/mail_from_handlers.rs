//! Mailboxes as handlers and subscribers see them.

use std::time::Duration;

use crate::common::{Actor, Do, Note, Tested, slot, stage};
use message_core::Recipient::Me;
use message_core::prelude::*;

const FRAME: Duration = Duration::from_millis(10);

#[derive(Message)]
struct Hit(u32);

fn hits(manager: &MessageManager) -> Vec<(u32, Sender)> {
    let inbox = manager.inbox::<Hit>();
    inbox.iter().map(|hit| (hit.0, hit.sender())).collect()
}

// holds: mail.next-frame
#[test]
fn what_a_handler_publishes_comes_from_its_messagee_and_is_found_in_the_next_frame() -> Tested {
    let (mut manager, _, actor) = stage();
    let line = line!() + 2;
    let script = |cx: &mut Context<'_>| {
        cx.publish(Me, Hit(1)).expect("it is alive");
        assert_eq!(cx.published::<Hit>().to(Me).count(), 1);
        assert!(cx.inbox::<Hit>().is_empty());
    };
    manager.send(actor, Do::new(script))?;
    manager.tick(FRAME);
    assert_eq!(hits(&manager), [(1, actor.into())]);
    let mail = manager.inbox::<Hit>().to(actor).first();
    assert_eq!(mail.map(|mail| mail.place().line()), Some(line));
    Ok(())
}

// holds: mail.next-frame, mail.unchanged-in-frame
#[test]
fn what_is_published_in_a_pass_is_not_found_in_a_later_one_of_the_same_frame() -> Tested {
    let (mut manager, log, actor) = stage();
    let update = Header::to(actor).stage(Stage::Update).build()?;
    let late = Header::to(actor).stage(Stage::LateUpdate).build()?;
    manager.publish(actor, Hit(0))?;
    manager.post(
        &update,
        Do::new(|cx| {
            cx.publish(Me, Hit(1)).expect("it is alive");
        }),
    )?;
    manager.post(
        &late,
        Do::new({
            let log = log.clone();
            move |cx| {
                for hit in cx.inbox::<Hit>() {
                    log.add(hit.0.to_string());
                }
            }
        }),
    )?;
    manager.tick(FRAME);
    assert_eq!(log.take(), ["0"]);
    manager.tick(FRAME);
    assert_eq!(hits(&manager), [(1, actor.into())]);
    Ok(())
}

// holds: mail.unchanged-in-frame, mail.read-alike
#[test]
fn me_is_who_reads_and_a_handler_can_send_and_publish_while_it_reads() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    for number in 0..3 {
        manager.publish(actor, Hit(number))?;
        manager.publish(other, Hit(number + 10))?;
    }
    manager.tick(FRAME);
    let script = move |cx: &mut Context<'_>| {
        for hit in cx.inbox::<Hit>().to(Me) {
            cx.send(other, Note("ouch")).expect("it is alive");
            cx.publish(other, Hit(hit.0 + 20)).expect("it is alive");
        }
        for mail in cx.inbox_any().to(Me) {
            assert!(mail.is::<Hit>());
            cx.send(other, Note("again")).expect("it is alive");
        }
    };
    manager.send(actor, Do::new(script))?;
    let ouch = "other: ouch";
    let again = "other: again";
    assert_eq!(log.take(), [ouch, ouch, ouch, again, again, again]);
    manager.tick(FRAME);
    let sender = Sender::from(actor);
    assert_eq!(hits(&manager), [(20, sender), (21, sender), (22, sender)]);
    Ok(())
}

// holds: reentrancy.leaving, mail.stays, reentrancy.newborn-named
#[test]
fn who_is_not_yet_alive_can_be_published_to_and_who_is_leaving_only_among_its_kin() -> Tested {
    let (mut manager, _, actor) = stage();
    let leaving = manager.spawn(());
    let (put, get) = slot();
    let script = move |cx: &mut Context<'_>| {
        let unborn = cx.spawn(());
        cx.despawn(leaving).expect("it is alive");
        for to in [Recipient::Id(unborn), Up(unborn), Down(leaving)] {
            cx.publish(to, Hit(1)).expect("it will be or was alive");
        }
        let refused = cx.publish(leaving, Hit(1));
        assert!(matches!(
            refused,
            Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Leaving) && error.to() == Some(leaving.into())
        ));
        put(unborn);
    };
    manager.send(actor, Do::new(script))?;
    manager.tick(FRAME);
    let inbox = manager.inbox::<Hit>();
    assert_eq!(inbox.reaching(get()).count(), 2);
    assert_eq!(inbox.reaching(leaving).count(), 1);
    assert_eq!(inbox.to(leaving).count(), 0);
    Ok(())
}

// holds: mail.read-alike, subscriptions.sender
#[test]
fn a_subscriber_publishes_and_reads_as_its_owner_or_from_outside() -> Tested {
    let (mut manager, log, actor) = stage();
    let owner = manager.spawn(());
    let subscriber = |note: &Note, cx: &mut SubscriberContext<'_>| {
        let published = cx.publish(Me, Hit(1));
        let inbox = cx.inbox::<Note>().to(Me);
        assert_eq!(inbox.count(), usize::from(published.is_ok()));
        cx.publish(Everyone, Hit(2)).expect("there is everyone");
        assert_eq!(note.0, "now");
    };
    manager.subscribe_for(owner, Filter::of::<Note>(), subscriber)?;
    manager.subscribe(Filter::of::<Note>(), subscriber);
    manager.publish(owner, Note("then"))?;
    manager.tick(FRAME);
    manager.send(actor, Note("now"))?;
    assert_eq!(log.take(), ["actor: now"]);
    manager.tick(FRAME);
    let sender = Sender::from(owner);
    let expected = [(1, sender), (2, sender), (2, Sender::Outside)];
    assert_eq!(hits(&manager), expected);
    Ok(())
}

// holds: mail.desk-order
#[test]
fn nothing_is_lost_when_the_guard_of_a_look_at_the_pending_ones_is_leaked() -> Tested {
    let (mut manager, _, actor) = stage();
    manager.publish(actor, Hit(1))?;
    std::mem::forget(manager.published::<Hit>());
    manager.publish(actor, Hit(2))?;
    let script = |cx: &mut Context<'_>| {
        cx.publish(Me, Hit(3)).expect("it is alive");
        cx.publish(Me, Note("between")).expect("it is alive");
        cx.publish(Me, Hit(4)).expect("it is alive");
    };
    manager.send(actor, Do::new(script))?;
    assert_eq!(manager.published::<Hit>().count(), 4);
    manager.publish(actor, Hit(5))?;
    manager.tick(FRAME);
    let found: Vec<u32> = manager.inbox::<Hit>().iter().map(|hit| hit.0).collect();
    assert_eq!(found, [1, 2, 3, 4, 5]);
    let names: Vec<&str> = manager.inbox_any().iter().map(|mail| mail.name()).collect();
    let (hit, note) = (Hit::NAME, Note::NAME);
    assert_eq!(names, [hit, hit, hit, note, hit, hit]);
    // The guard is forgotten with its frame.
    manager.send(
        actor,
        Do::new(|cx| {
            cx.publish(Me, Hit(6)).expect("it is alive");
            assert_eq!(cx.published::<Hit>().count(), 1);
        }),
    )?;
    Ok(())
}

// holds: reentrancy.panic-loses-nothing
#[test]
fn what_was_published_before_a_panic_is_found() {
    let (mut manager, _, actor) = stage();
    let script = |cx: &mut Context<'_>| {
        cx.publish(Me, Hit(1)).expect("it is alive");
        panic!("oh");
    };
    let panic = crate::common::panic_of(|| manager.send(actor, Do::new(script)));
    assert_eq!(panic, "oh");
    manager.tick(FRAME);
    assert_eq!(hits(&manager), [(1, actor.into())]);
}
