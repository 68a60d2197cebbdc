//! Cancelling: how to find a pending message, keys, and counts.

use std::sync::Arc;

use crate::common::{Do, Note, Peek, Tested};
use crate::pending::{ALARM, Cargo, heard, ms, soon};
use message_core::Recipient::Me;
use message_core::post::Due;
use message_core::prelude::*;
use message_core::{PostKey, TagSet};

tag!(RADIO);

fn keyed(to: impl Into<Recipient>, key: impl Into<PostKey>) -> Header {
    let header = Header::to(to).after(ms(10)).key(key).build();
    header.expect("nothing contradicts itself")
}

// Selecting the posts to cancel.

// holds: time.cancel-by, required.cancelled
#[test]
fn a_ticket_cancels_its_message_and_no_other() -> Tested {
    let (mut manager, log, _, ear) = heard();
    let header = soon(ear);
    let first = manager.post(&header, Note("first"))?;
    manager.post(&header, Note("second"))?;
    assert!(manager.has_pending(first));
    assert_eq!(manager.cancel(first), 1);
    assert!(!manager.has_pending(first));
    assert_eq!(manager.cancel(first), 0);
    let report = manager.tick(ms(10));
    assert_eq!((report.delivered, report.dead_letters), (1, 0));
    assert_eq!(log.take(), ["ear: second"]);
    Ok(())
}

// holds: time.cancel-by, time.cancelled-never-delivered
#[test]
fn a_ticket_cancels_its_message_once_however_many_were_posted_and_cancelled_since() -> Tested {
    let (mut manager, log, _, ear) = heard();
    let header = Header::to(ear).after_frames(2).build()?;
    let mut old = Vec::new();
    for _ in 0..40 {
        old.push(manager.post(&header, Note("old"))?);
    }
    assert_eq!(manager.cancel(old[0]), 1);
    let mut taken = manager.take_posts(old[1]);
    assert_eq!(taken.len(), 1);
    // More than the numbers that are remembered of cancelled messages while few are pending.
    for at in 0..150_000 {
        let ticket = manager.post(&header, Note("new"))?;
        assert_eq!(manager.cancel(ticket), 1);
        if at % 1_000 == 0 {
            assert_eq!(manager.cancel(ticket), 0);
            assert!(!manager.has_pending(ticket));
            assert_eq!(manager.pending_posts(Posts::all()).len(), 38);
        }
    }
    assert_eq!((manager.cancel(old[0]), manager.cancel(old[1])), (0, 0));
    for ticket in old.drain(2..20) {
        assert_eq!((manager.cancel(ticket), manager.cancel(ticket)), (1, 0));
    }
    manager.shrink_to_fit();
    for ticket in old.drain(2..10) {
        assert_eq!((manager.cancel(ticket), manager.cancel(ticket)), (1, 0));
    }
    taken.clear();
    manager.tick(ms(1));
    manager.tick(ms(1));
    assert_eq!(log.take().len(), 12);
    assert_eq!(manager.cancel(old[11]), 0);
    Ok(())
}

// holds: time.cancel-by
#[test]
fn posts_from_a_ticket_or_a_key_are_the_one_message_that_it_names() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    let key = PostKey::from("key");
    let ticket = manager.speak_for(actor)?.post(&soon(ear), Note("ticket"))?;
    manager.post(&keyed(ear, key), Note("key"))?;
    manager.post(&soon(ear), Note("other"))?;
    let [by_ticket, by_key]: [Posts; 2] = [ticket.into(), key.into()];
    assert_eq!(manager.pending_posts(by_ticket).len(), 1);
    assert_eq!(manager.pending_posts(by_key).len(), 1);
    assert!(!manager.has_pending(by_ticket.from(ear)));
    assert_eq!(manager.cancel(by_ticket.from(actor)), 1);
    assert_eq!(manager.cancel(by_key.from(Sender::Outside)), 1);
    manager.tick(ms(10));
    assert_eq!(log.take(), ["ear: other"]);
    Ok(())
}

#[test]
fn what_is_cancelled_is_dropped_at_once() -> Tested {
    let (mut manager, _, _, ear) = heard();
    let alive = Arc::new(());
    let ticket = manager.post(&soon(ear), Cargo(Arc::clone(&alive)))?;
    assert_eq!(Arc::strong_count(&alive), 2);
    manager.cancel(ticket);
    assert_eq!(Arc::strong_count(&alive), 1);
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn a_stale_ticket_never_means_a_newcomer() -> Tested {
    let (mut manager, log, _, ear) = heard();
    let header = soon(ear);
    let cancelled = manager.post(&header, Note("cancelled"))?;
    manager.cancel(cancelled);
    let delivered = manager.post(&header, Note("delivered"))?;
    manager.tick(ms(10));
    assert_eq!(log.take(), ["ear: delivered"]);
    for _ in 0..1_000 {
        let newcomer = manager.post(&header, Note("newcomer"))?;
        for stale in [cancelled, delivered] {
            assert!(stale != newcomer && !manager.has_pending(stale));
            assert_eq!(manager.cancel(stale), 0);
            assert!(manager.pending_posts(stale).is_empty());
        }
    }
    assert_eq!(manager.tick(ms(10)).delivered, 1_000);
    Ok(())
}

#[test]
fn a_ticket_of_another_manager_cancels_nothing() -> Tested {
    let (mut manager, log, _, ear) = heard();
    let (mut other, other_log, _, other_ear) = heard();
    let ticket = manager.post(&soon(ear), Note("mine"))?;
    let foreign = other.post(&soon(other_ear), Note("theirs"))?;
    assert_ne!(ticket, foreign);
    assert!(!manager.has_pending(foreign) && !other.has_pending(ticket));
    assert_eq!((manager.cancel(foreign), other.cancel(ticket)), (0, 0));
    manager.tick(ms(10));
    other.tick(ms(10));
    assert_eq!(
        (log.take(), other_log.take()),
        (vec!["ear: mine".into()], vec!["ear: theirs".into()])
    );
    Ok(())
}

// holds: time.cancel-by
#[test]
fn a_sender_cancels_what_it_has_posted() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    manager.post(&soon(ear), Note("from outside"))?;
    let script = Do::new(move |cx| {
        cx.post(&soon(ear), Note("from the actor")).expect("posted");
        cx.post(&soon(Me), Peek("from the actor")).expect("posted");
    });
    manager.send(actor, script)?;
    assert!(manager.has_pending(Posts::all().from(actor)));
    assert!(!manager.has_pending(Posts::all().from(ear)));
    assert_eq!(manager.cancel(Posts::all().from(actor)), 2);
    manager.tick(ms(10));
    assert_eq!(log.take(), ["ear: from outside"]);
    manager.post(&soon(ear), Note("again"))?;
    assert_eq!(manager.cancel(Posts::all().from(Sender::Outside)), 1);
    Ok(())
}

// holds: time.cancel-by
#[test]
fn a_recipient_with_a_message_type_cancels() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    for to in [ear.into(), actor.into(), Everyone, Up(ear)] {
        manager.post(&soon(to), Note("note"))?;
        manager.post(&soon(to), Peek("peek"))?;
    }
    assert_eq!(manager.cancel(Posts::of::<Note>().to(ear)), 1);
    assert_eq!(manager.cancel(Posts::of::<Note>().to(ear)), 0);
    assert_eq!(manager.cancel(Posts::of::<Note>().to(Everyone)), 1);
    assert_eq!(manager.cancel(Posts::of::<Peek>()), 4);
    manager.tick(ms(10));
    assert_eq!(log.take(), ["actor: note", "ear: note"]);
    Ok(())
}

// holds: time.cancel-by
#[test]
fn what_a_messagee_has_posted_to_me_is_to_that_messagee() -> Tested {
    let (mut manager, _, actor, ear) = heard();
    manager.speak_for(actor)?.post(&soon(Me), Note("mine"))?;
    manager
        .speak_for(ear)?
        .post(&soon(Me), Note("the other's"))?;
    manager.post(&soon(actor), Note("from outside"))?;
    assert_eq!(manager.cancel(Posts::all().to(actor)), 2);
    assert_eq!(manager.cancel(Posts::all().to(ear)), 1);
    Ok(())
}

// holds: time.cancel-by
#[test]
fn in_a_handler_to_me_is_what_was_posted_to_the_messagee_that_is_receiving() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    let (put, get) = crate::common::slot();
    manager.speak_for(actor)?.post(&soon(Me), Note("mine"))?;
    manager.speak_for(ear)?.post(&soon(actor), Peek("mine"))?;
    manager.post(&soon(actor), Note("mine"))?;
    manager.speak_for(ear)?.post(&soon(Me), Note("the ear's"))?;
    manager.post(&soon(Everyone), Note("everyone's"))?;
    let script = Do::new(move |cx| {
        let mine = Posts::all().to(Me);
        assert!(cx.has_pending(mine));
        let listed = cx.pending_posts(mine).len();
        let of_one_type = cx.cancel(Posts::of::<Peek>().to(Me));
        let rest = cx.cancel(mine);
        assert!(!cx.has_pending(mine));
        put((listed, of_one_type, rest));
    });
    // From another messagee: the sender is not meant.
    manager.speak_for(ear)?.send(actor, script)?;
    assert_eq!(get(), (3, 1, 2));
    manager.tick(ms(10));
    let expected = ["ear: the ear's", "actor: everyone's", "ear: everyone's"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: time.cancel-by
#[test]
fn tags_of_the_header_or_the_type_cancel_and_any_of_them_is_enough() -> Tested {
    let (mut manager, _, _, ear) = heard();
    let tagged = Header::to(ear).after(ms(10)).tags(RADIO).build()?;
    manager.post(&tagged, Note("by header"))?;
    manager.post(&soon(ear), Note("untagged"))?;
    manager.post(&soon(ear), Cargo(Arc::default()))?;
    assert!(!manager.has_pending(Posts::of::<Note>().tagged(ALARM)));
    assert!(manager.has_pending(Posts::all().tagged(ALARM)));
    assert_eq!(manager.cancel(Posts::of::<Peek>().tagged(TagSet::EMPTY)), 0);
    assert_eq!(manager.cancel(Posts::all().tagged(RADIO | ALARM)), 2);
    assert_eq!(manager.tick(ms(10)).delivered, 1);
    Ok(())
}

// holds: time.cancel-by
#[test]
fn a_stage_cancels_what_waits_for_it_and_the_parts_of_a_choice_must_all_hold() -> Tested {
    let (mut manager, _, actor, ear) = heard();
    for stage in Stage::WAITING {
        let header = Header::to(ear).stage(stage).build()?;
        manager.post(&header, Note("next pass"))?;
        let header = Header::to(actor).stage(stage).after(ms(10)).build()?;
        manager.post(&header, Note("delayed"))?;
    }
    let late = Posts::all().stage(Stage::LateUpdate);
    assert_eq!(manager.cancel(late.to(actor)), 1);
    assert_eq!(manager.cancel(late), 1);
    assert_eq!(manager.cancel(Posts::all().stage(Stage::Immediate)), 0);
    assert_eq!(manager.cancel(Posts::of::<Peek>().stage(Stage::Update)), 0);
    let ticket = manager.post(&soon(ear), Note("one"))?;
    let one: Posts = ticket.into();
    assert_eq!(manager.cancel(one.from(actor)), 0);
    assert_eq!(manager.cancel(one.from(Sender::Outside).to(ear)), 1);
    assert_eq!(manager.cancel(Posts::all()), 6);
    Ok(())
}

// holds: time.cancelled-never-delivered, time.cancel-by
#[test]
fn what_was_cancelled_is_not_delivered_in_the_pass_that_is_under_way() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    let due = Header::to(ear).after(ms(6)).build()?;
    let first = Header::to(actor).after(ms(5)).build()?;
    let by_ticket = manager.post(&due, Note("by ticket"))?;
    let key = PostKey::from("key").shared();
    let script = Do::new(move |cx| {
        assert_eq!(cx.cancel(by_ticket), 1);
        assert_eq!(cx.cancel(key), 1);
        assert_eq!(cx.cancel(Posts::of::<Peek>().to(ear)), 1);
        assert!(!cx.has_pending(by_ticket));
    });
    manager.post(&first, script)?;
    manager.post(&keyed(ear, key), Note("by key"))?;
    manager.post(&due, Peek("by type"))?;
    manager.post(&due, Note("delivered"))?;
    assert_eq!(manager.tick(ms(20)).delivered, 2);
    assert_eq!(log.take(), ["ear: delivered"]);
    Ok(())
}

#[test]
fn a_message_is_not_pending_while_it_is_delivered_for_the_last_time() -> Tested {
    let (mut manager, _, actor, _) = heard();
    let (put, get) = crate::common::slot();
    let script = Do::new(move |cx| {
        let pending = cx.has_pending(Posts::all()) || cx.has_pending(PostKey::from("key"));
        put((pending, cx.cancel(Posts::all())));
    });
    manager.post(&keyed(actor, "key"), script)?;
    manager.tick(ms(10));
    assert_eq!(get(), (false, 0));
    Ok(())
}

// holds: time.cancelled-never-delivered, time.due-order
#[test]
fn what_was_cancelled_in_bulk_leaves_the_rest_of_the_pass_and_of_the_heap_as_it_was() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    let script = Do::new(|cx| assert_eq!(cx.cancel(Posts::of::<Note>()), 9_000));
    manager.post(&Header::to(actor).after(ms(1)).build()?, script)?;
    for word in ["0", "1", "2"] {
        for delay in 1..=3_000 {
            let header = Header::to(ear).after(ms(delay)).build()?;
            manager.post(&header, Note("cancelled"))?;
            if delay % 1_000 == 0 {
                manager.post(&header, Peek(word))?;
            }
        }
    }
    assert_eq!(manager.tick(ms(2_000)).delivered, 7);
    let expected = ["ear: 0", "ear: 1", "ear: 2"];
    assert_eq!(log.take(), expected.repeat(2));
    assert_eq!(manager.pending_posts(Posts::all()).len(), 3);
    assert_eq!(manager.tick(ms(1_000)).delivered, 3);
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn each_of_thousands_in_a_pass_can_cancel_another_of_them_and_one_that_is_far_away() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    let far = Header::to(ear).after_frames(1_000_000).build()?;
    let script = Header::to(actor).after(ms(1)).build()?;
    for _ in 0..4_000 {
        let near = manager.post(&soon(ear), Note("near"))?;
        let far = manager.post(&far, Note("far"))?;
        let cancel = Do::new(move |cx| {
            assert_eq!((cx.cancel(near), cx.cancel(far)), (1, 1));
            assert_eq!((cx.cancel(near), cx.cancel(far)), (0, 0));
        });
        manager.post(&script, cancel)?;
        manager.post(&soon(ear), Peek("stays"))?;
    }
    assert_eq!(manager.pending_posts(Posts::all()).len(), 16_000);
    assert_eq!(manager.tick(ms(10)).delivered, 8_000);
    assert_eq!(log.take(), vec!["ear: stays"; 4_000]);
    assert!(!manager.has_pending(Posts::all()));
    Ok(())
}

// Keys.

// holds: time.key-replaces
#[test]
fn posting_under_a_key_replaces_the_message_pending_under_it_whatever_type_and_recipient() -> Tested
{
    let (mut manager, log, actor, ear) = heard();
    let first = manager.post(&keyed(ear, "key"), Note("first"))?;
    manager.post(&keyed(ear, ("key", 1)), Note("another number"))?;
    manager.post(&keyed(ear, ("key", ear)), Note("another messagee"))?;
    let second = manager.post(&keyed(actor, "key"), Peek("second"))?;
    assert!(!manager.has_pending(first) && manager.has_pending(second));
    let report = manager.tick(ms(10));
    assert_eq!((report.delivered, report.dead_letters), (3, 0));
    let expected = [
        "ear: another number",
        "ear: another messagee",
        "actor: second",
    ];
    assert_eq!(log.take(), expected);
    assert!(!manager.has_pending(PostKey::from("key")));
    Ok(())
}

// holds: time.key-is-senders
#[test]
fn a_key_of_the_sender_is_one_of_its_own_for_each_messagee_that_posts_with_the_header() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    let header = Header::to(Everyone).after(ms(10)).key("key").build()?;
    assert_eq!(header.key(), Some("key".into()));
    manager.post(&keyed(Everyone, "key"), Note("from outside"))?;
    for word in ["replaced", "last"] {
        manager.speak_for(actor)?.post(&header, Note(word))?;
    }
    manager.speak_for(ear)?.post(&header, Note("the ear's"))?;
    assert_eq!(manager.pending_posts(Posts::all()).len(), 3);
    assert!(manager.has_pending(PostKey::from(("key", actor))));
    assert_eq!(manager.cancel(PostKey::from(("key", ear))), 1);
    manager.tick(ms(10));
    let expected = [
        "actor: from outside",
        "ear: from outside",
        "actor: last",
        "ear: last",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: time.key-is-senders, time.key-cancels
#[test]
fn with_a_key_of_the_sender_a_post_replaces_that_of_the_same_sender_alone() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    let other = manager.spawn(());
    let header = Header::to(ear).after(ms(10)).key("key").build()?;
    let post = |manager: &mut MessageManager, id, word| {
        let mut speaker = manager.speak_for(id).expect("it is alive");
        speaker.post(&header, Note(word)).expect("posted")
    };
    let replaced = post(&mut manager, actor, "replaced");
    let others = post(&mut manager, other, "the other's");
    assert!(manager.has_pending(replaced) && manager.has_pending(others));
    let script = Do::new(move |cx| {
        cx.post(&header, Note("anew")).expect("posted");
        assert!(!cx.has_pending(replaced) && cx.has_pending(others));
    });
    manager.send(actor, script)?;
    assert_eq!(manager.pending_posts(Posts::all()).len(), 2);
    // The bare name is the key of neither.
    assert_eq!(manager.cancel(PostKey::from("key")), 0);
    let listed = manager.pending_posts(others);
    assert_eq!(listed[0].key, Some(PostKey::from(("key", other))));
    assert_eq!(manager.cancel(PostKey::from(("key", other))), 1);
    assert_eq!(manager.cancel(PostKey::from(("key", other))), 0);
    assert_eq!(manager.tick(ms(10)).delivered, 1);
    assert_eq!(log.take(), ["ear: anew"]);
    Ok(())
}

// holds: time.key-replaces, time.due-order
#[test]
fn what_replaces_another_is_due_by_its_own_header_behind_those_posted_before_it() -> Tested {
    let (mut manager, log, _, ear) = heard();
    manager.post(&keyed(ear, "key"), Note("replaced"))?;
    manager.post(&soon(ear), Note("between"))?;
    manager.post(&keyed(ear, "key"), Note("anew"))?;
    manager.tick(ms(10));
    assert_eq!(log.take(), ["ear: between", "ear: anew"]);
    let late = Header::to(ear).after_frames(3).key("key").build()?;
    manager.post(&keyed(ear, "key"), Note("by time"))?;
    manager.post(&late, Note("by frames"))?;
    let delivered = [10, 10, 10].map(|dt| manager.tick(ms(dt)).delivered);
    assert_eq!(delivered, [0, 0, 1]);
    Ok(())
}

#[test]
fn a_message_may_be_posted_anew_under_its_key_while_it_is_delivered() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    let script = Do::new(move |cx| {
        cx.post(&keyed(ear, "key"), Note("anew")).expect("posted");
        assert!(cx.has_pending(PostKey::from("key")));
    });
    manager.post(&keyed(actor, "key"), script)?;
    assert_eq!(manager.tick(ms(10)).delivered, 1);
    assert_eq!(manager.tick(ms(10)).delivered, 1);
    assert_eq!(log.take(), ["ear: anew"]);
    Ok(())
}

// holds: time.key-post-fails
#[test]
fn if_the_post_fails_the_message_pending_under_its_key_stays() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    manager.post(&keyed(ear, "key"), Note("stays"))?;
    manager.despawn(actor)?;
    assert!(manager.post(&keyed(actor, "key"), Note("gone")).is_err());
    assert!(manager.post(&keyed(Me, "key"), Note("no sender")).is_err());
    let bound = Header::to(ear)
        .after_frames(1)
        .tied_to_sender()
        .key("key")
        .build()?;
    assert!(manager.post(&bound, Note("no sender")).is_err());
    manager.tick(ms(10));
    assert_eq!(log.take(), ["ear: stays"]);
    Ok(())
}

// How often.

// holds: time.key-replaces, time.key-cancels
#[test]
fn a_message_far_away_may_be_replaced_and_cancelled_any_number_of_times() -> Tested {
    let (mut manager, log, _, ear) = heard();
    let alive = Arc::new(());
    let far = |frames| Header::to(ear).after_frames(frames).key("far").build();
    manager.post(&Header::to(ear).after(ms(20)).build()?, Note("stays"))?;
    for round in 0..100_000 {
        manager.post(&far(1_000_000 + round)?, Cargo(Arc::clone(&alive)))?;
        if round % 10 == 0 {
            assert_eq!(manager.cancel(PostKey::from("far")), 1);
        }
    }
    assert_eq!(Arc::strong_count(&alive), 2);
    let listed = manager.pending_posts(Posts::all());
    assert_eq!(listed[1].due, Due::Frame(1_099_999));
    assert_eq!(listed.len(), 2);
    manager.post(&far(2)?, Note("near"))?;
    assert_eq!(manager.tick(ms(10)).delivered, 0);
    assert_eq!(manager.tick(ms(10)).delivered, 2);
    assert_eq!(log.take(), ["ear: stays", "ear: near"]);
    assert_eq!(Arc::strong_count(&alive), 1);
    Ok(())
}
