//! Messages that end with their sender. No component here handles dead letters: some tests require
//! that there is none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::{Do, Ear, Log, Note, Tested, panic_of};
use crate::pending::{ALARM, heard, ms, soon};
use message_core::Recipient::Me;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;

mnemonic!(HEIR);
group!(KIN);

/// Returns a manager in which the actor has posted to the ear, one bound and one not, and dead letters
/// are logged.
fn bound() -> Result<(MessageManager, Log, MessageeId), Box<dyn std::error::Error>> {
    let (mut manager, log, actor, ear) = heard();
    let told = log.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        let note = letter.message.as_ref().and_then(|it| it.downcast_ref());
        let Note(word) = note.expect("a note");
        told.add(format!("{word}: {}", letter.why));
    });
    let bound = Header::to(ear).after(ms(10)).tied_to_sender().build()?;
    let mut speaker = manager.speak_for(actor)?;
    speaker.post(&bound, Note("bound"))?;
    speaker.post(&soon(ear), Note("unbound"))?;
    manager.speak_for(ear)?.post(&bound, Note("another's"))?;
    Ok((manager, log, actor))
}

// holds: messagees.despawn-bound-messages, required.dead-letter-told
#[test]
fn a_bound_message_becomes_a_dead_letter_when_its_sender_is_despawned() -> Tested {
    let (mut manager, log, actor) = bound()?;
    manager.despawn(actor)?;
    let letter = format!("bound: its sender, messagee {actor}, was despawned");
    assert_eq!(log.take(), [letter]);
    assert!(!manager.has_pending(Posts::all().from(actor).tagged(ALARM)));
    let report = manager.tick(ms(10));
    assert_eq!((report.delivered, report.dead_letters), (2, 0));
    assert_eq!(log.take(), ["ear: unbound", "ear: another's"]);
    Ok(())
}

// holds: required.cancelled
#[test]
fn a_bound_message_is_delivered_while_its_sender_lives_and_cancelled_it_is_no_dead_letter() -> Tested
{
    let (mut manager, log, actor) = bound()?;
    manager.tick(ms(10));
    assert_eq!(log.take(), ["ear: bound", "ear: unbound", "ear: another's"]);
    let frames = Header::to(actor).after_frames(9).tied_to_sender().build()?;
    let ticket = manager.speak_for(actor)?.post(&frames, Note("cancelled"))?;
    manager.cancel(ticket);
    manager.despawn(actor)?;
    assert!(log.take().is_empty());
    Ok(())
}

// holds: messagees.despawn-bound-messages
#[test]
fn bound_to_a_sender_that_is_despawned_by_its_own_pass_it_is_a_dead_letter_in_it() -> Tested {
    let (mut manager, log, actor) = bound()?;
    let header = Header::to(actor).after(ms(5)).build()?;
    let script = Do::new(move |cx| cx.despawn(actor).expect("it is there"));
    manager.post(&header, script)?;
    let report = manager.tick(ms(10));
    assert_eq!((report.delivered, report.dead_letters), (3, 1));
    assert_eq!(log.take().len(), 3);
    Ok(())
}

// holds: messagees.despawn-bound-messages, headers.envelope
#[test]
fn the_envelope_of_a_bound_dead_letter_is_not_due_before_it_was_posted() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    let told = log.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        let (posted, due) = (letter.envelope.posted, letter.envelope.due);
        told.add(format!("{} {}", due.time >= posted.time, due.frame));
    });
    manager.tick(ms(10));
    let header = Header::to(ear).after_frames(3).tied_to_sender().build()?;
    manager.speak_for(actor)?.post(&header, Note("bound"))?;
    manager.despawn(actor)?;
    assert_eq!(log.take(), ["true 4"]);
    Ok(())
}

#[test]
fn a_bound_message_of_a_sender_that_is_gone_is_never_delivered() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    let header = Header::to(ear).after(ms(10)).tied_to_sender().build()?;
    let mut gone = manager.speak_for(actor)?;
    gone.send(
        Me,
        Do::new(move |cx| cx.despawn(actor).expect("it is there")),
    )?;
    drop(gone.post(&header, Note("bound to nobody")));
    manager.tick(ms(10));
    assert!(log.take().is_empty());
    Ok(())
}

/// The first of those that share a fuse to be dropped panics.
#[derive(Message)]
struct Fragile(Arc<AtomicBool>);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(!self.0.swap(false, Ordering::Relaxed), "on purpose");
    }
}

// holds: reentrancy.drop-panic-family, messagees.despawn-takes-along
#[test]
fn a_panic_in_the_drop_of_a_bound_message_leaves_the_family_of_its_sender_gone_as_a_whole() -> Tested
{
    for fragile in 0..3 {
        let (mut manager, log, _, ear) = heard();
        let family = ["parent", "child", "grandchild"].map(|name| {
            let member = manager.spawn((Ear::new(name, &log),));
            manager.join(KIN, member).expect("it is alive");
            member
        });
        let [parent, child, grandchild] = family;
        manager.set_parent(child, Some(parent))?;
        manager.set_parent(grandchild, Some(child))?;
        manager.bind(HEIR, grandchild)?;
        let bound = Header::to(ear).after(ms(10)).tied_to_sender().build()?;
        for member in family {
            let mut speaker = manager.speak_for(member)?;
            speaker.post(&bound, Note("bound"))?;
            if member == family[fragile] {
                let fuse = Arc::new(AtomicBool::new(true));
                speaker.post(&bound, Fragile(Arc::clone(&fuse)))?;
                speaker.post(&bound, Fragile(fuse))?;
            }
        }
        manager.post(&soon(ear), Note("another's"))?;
        assert_eq!(panic_of(|| manager.despawn(parent)), "on purpose");
        for member in family {
            assert!(!manager.is_alive(member));
            assert!(manager.get::<Ear>(member).is_err());
            assert!(!manager.has_pending(Posts::all().from(member)));
        }
        assert_eq!(manager.iter::<Ear>().count(), 1);
        assert_eq!(manager.bound(HEIR), None);
        assert_eq!(manager.members(KIN).count(), 0);
        assert_eq!(manager.send(Everyone, Note("after"))?.received, 2);
        assert_eq!(manager.tick(ms(10)).delivered, 1);
        assert_eq!(log.take(), ["actor: after", "ear: after", "ear: another's"]);
    }
    Ok(())
}

// holds: time.cancel-by, required.cancelled
#[test]
fn thousands_of_bound_messages_of_one_sender_can_be_posted_and_cancelled_one_by_one() -> Tested {
    let (mut manager, log, actor, ear) = heard();
    let told = log.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        told.add(letter.to_string());
    });
    let bound = Header::to(ear).after(ms(10)).tied_to_sender().build()?;
    let mut speaker = manager.speak_for(actor)?;
    let tickets: Vec<Ticket> = (0..16_000)
        .map(|_| speaker.post(&bound, Note("bound")))
        .collect::<Result<_, _>>()?;
    assert_eq!(manager.pending_posts(Posts::all()).len(), 16_000);
    let cancelled = tickets.iter().map(|&ticket| manager.cancel(ticket));
    assert_eq!(cancelled.sum::<usize>(), 16_000);
    for _ in 0..16_000 {
        let ticket = manager.speak_for(actor)?.post(&bound, Note("bound"))?;
        assert_eq!(manager.cancel(ticket), 1);
    }
    assert!(!manager.has_pending(Posts::all()));
    manager.despawn(actor)?;
    assert_eq!(manager.tick(ms(10)).delivered, 0);
    assert!(log.take().is_empty());
    Ok(())
}

/// Posts to itself until it is unhooked, and unhooks itself on request.
#[derive(Default)]
struct Timed {
    heard: Vec<&'static str>,
}

#[handlers]
impl Timed {
    #[on_receive]
    fn note(&mut self, note: &Note, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        self.heard.push(note.0);
        if note.0 == "go" {
            cx.unhook(cx.my_hook())?;
            let header = Header::to(cx.me()).after_frames(1);
            let refused = cx.post(header.until_unhooked(cx.my_hook()), Note("late"));
            let error = refused.expect_err("it is leaving");
            assert_eq!(*error.kind(), SendErrorKind::Absent(Absence::Leaving));
        }
        Ok(())
    }
}

// holds: time.until-unhooked
#[test]
fn what_is_posted_until_a_component_is_unhooked_ends_with_the_component_and_not_with_another()
-> Tested {
    let mut manager = MessageManager::new();
    let dead = Log::default();
    let told = dead.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        told.add(letter.why.to_string());
    });
    let id = manager.spawn((Timed::default(),));
    let first = manager.hook_of::<Timed>(id)?;
    let second = manager.hook(id, Timed::default())?;
    let each_frame = Header::to(second).every_frames(1);
    for (until, name) in [(first, "first"), (second, "second")] {
        let key = (name, 1_u64);
        manager.post(each_frame.until_unhooked(until).key(key), Note(name))?;
        manager.post(
            Header::to(id).after(ms(100)).until_unhooked(until),
            Note(name),
        )?;
    }
    manager.tick(ms(1));
    let heard = manager.component_mut::<Timed>(second)?.heard.clone();
    assert_eq!(heard, ["first", "second"]);
    // Taken out and posted again, it still ends with the component.
    for taken in manager.take_posts(Posts::of::<Note>()) {
        assert!(taken.header.ends_with().is_some());
        manager.post_any(taken.header, taken.message)?;
    }
    assert_eq!(manager.pending_posts(Posts::all()).len(), 4);
    manager.send(first, Note("go"))?;
    assert_eq!(manager.pending_posts(Posts::all()).len(), 2);
    let third = manager.hook(id, Timed::default())?;
    manager.post(each_frame.until_unhooked(third), Note("third"))?;
    assert!(
        manager
            .post(each_frame.until_unhooked(first), Note(""))
            .is_err()
    );
    manager.despawn(id)?;
    assert!(!manager.has_pending(Posts::all()));
    assert!(dead.take().is_empty());
    Ok(())
}

/// Counts when it is dropped, and panics then.
#[derive(Message)]
struct Bursting(Arc<AtomicBool>);

impl Drop for Bursting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        panic!("dropped");
    }
}

// holds: time.until-unhooked, time.key-drop-panics
#[test]
fn a_message_whose_drop_panics_when_its_component_is_unhooked_is_gone() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Timed::default(),));
    let hook = manager.hook_of::<Timed>(id)?;
    let dropped = Arc::new(AtomicBool::new(false));
    let header = Header::to(id).after_frames(1).until_unhooked(hook);
    manager.post(header, Bursting(Arc::clone(&dropped)))?;
    let text = panic_of(|| manager.unhook::<Timed>(hook).map(drop));
    assert_eq!(text, "dropped");
    assert!(dropped.load(Ordering::Relaxed) && !manager.has_pending(Posts::all()));
    assert!(manager.hook_of::<Timed>(id).is_err());
    Ok(())
}
