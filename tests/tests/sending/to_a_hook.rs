//! A hook as a recipient: one known component.

use std::sync::mpsc;
use std::time::Duration;

use crate::common::{Actor, Do, Ear, Note, Peek, Tested, Tour, Who, first_hook, slot, stage};
use crate::watchers::Clerk;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::{AnyMessage, error::Undelivered};

/// Returns a manager, its log, a messagee of three ears, and the hook of the second.
fn ears() -> (MessageManager, crate::common::Log, MessageeId, [HookId; 3]) {
    let (mut manager, log, _) = stage();
    let names = ["first", "second", "third"];
    let id = manager.spawn(());
    let hooks = names.map(|name| manager.hook(id, Ear::new(name, &log)).expect("it is alive"));
    (manager, log, id, hooks)
}

// holds: send.to-hook
#[test]
fn to_a_hook_one_known_component_receives_it() -> Tested {
    let (mut manager, log, id, [_, second, third]) = ears();
    assert_eq!(manager.send(second, Note("one"))?.received, 1);
    assert_eq!(log.take(), ["second: one"]);
    assert_eq!(manager.request(third, Who)?, "third");
    let mut tour = Tour::default();
    manager.send_mut(second, &mut tour)?;
    assert_eq!(tour.0, ["second"]);
    assert_eq!(manager.request_all(third, Who)?, [(id, "third")]);
    manager.speak_for(id)?.send(third, Note("own"))?;
    manager.post(&Header::to(second).build()?, Note("now"))?;
    manager.post(&Header::to(third).after_frames(1).build()?, Note("later"))?;
    manager.send_any(second, Box::new(Note("in a box")))?;
    manager.tick(Duration::ZERO);
    let expected = [
        "third: own",
        "second: now",
        "second: in a box",
        "third: later",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: send.to-hook
#[test]
fn a_component_that_is_disabled_or_leaving_or_has_no_handler_receives_nothing_by_its_hook() -> Tested
{
    let (mut manager, log, id, [first, second, _]) = ears();
    manager.set_enabled(second, false)?;
    assert_eq!(manager.send(second, Note("!"))?.received, 0);
    let plain = manager.hook(id, 5_u8)?;
    assert_eq!(manager.send(plain, Note("!"))?.received, 0);
    let unanswered = manager.request(plain, Who);
    assert!(matches!(
        unanswered,
        Err(error) if matches!(error.kind(), SendErrorKind::NoAnswer { .. }) && error.to() == Some(plain.into())
    ));
    let actor = manager.spawn((Actor::new("actor", &log),));
    let script = Do::new(move |cx| {
        cx.unhook(first).expect("it is hooked");
        let refused = cx.send(first, Note("!"));
        assert!(matches!(
            refused,
            Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Leaving) && error.to() == Some(first.into())
        ));
    });
    manager.send(actor, script)?;
    assert!(log.take().is_empty());
    Ok(())
}

// holds: send.hook-gone, send.hook-of-other-manager
#[test]
fn a_hook_that_is_gone_or_of_another_manager_is_an_error_that_names_it() -> Tested {
    let (mut manager, _, id, [first, second, third]) = ears();
    drop(manager.unhook::<Ear>(first)?);
    let gone = manager.send(first, Note("!"));
    assert!(matches!(
        &gone,
        Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Gone) && error.to() == Some(first.into())
    ));
    let text = gone.expect_err("it is gone").to_string();
    assert!(
        text.contains("Note") && text.contains(&first.to_string()),
        "{text}"
    );
    let stays = manager.spawn(());
    manager.despawn(id)?;
    let soon = Header::to(second).after_frames(1).build()?;
    let gone = manager.post(&soon, Note("!"));
    assert!(matches!(
        gone,
        Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Gone) && error.to() == Some(second.into())
    ));
    let gone = manager.request(third, Who);
    assert!(matches!(
        gone,
        Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Gone) && error.to() == Some(third.into())
    ));
    let gone = manager.publish(third, Note("!"));
    assert!(matches!(
        gone,
        Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Gone) && error.to() == Some(third.into())
    ));
    // A newcomer in its place has a hook of its own.
    let newcomer = manager.hook(stays, Clerk::new("clerk", &crate::common::Log::default()))?;
    assert_ne!(newcomer, first);
    assert!(manager.send(first, Note("!")).is_err());

    let mut other = MessageManager::new();
    let foreign = other.send(newcomer, Note("!"));
    assert!(matches!(
        foreign,
        Err(error) if *error.kind() == SendErrorKind::Absent(Absence::OtherManager) && error.to() == Some(newcomer.into())
    ));
    let foreign = other.post(&soon.with_recipient(newcomer), Note("!"));
    assert!(matches!(
        foreign.map_err(SendError::into_kind),
        Err(SendErrorKind::Absent(Absence::OtherManager))
    ));
    Ok(())
}

// holds: reentrancy.new-hook-send, reentrancy.new-hook-request
#[test]
fn a_message_to_a_hook_of_this_dispatch_is_delivered_right_after_it_is_attached() -> Tested {
    let (mut manager, log, actor) = stage();
    let (clerk, later) = (Clerk::new("clerk", &log), Clerk::new("later", &log));
    let (put, hooked) = slot();
    let script = Do::new(move |cx| {
        let newborn = cx.spawn(());
        let hook = cx.hook(newborn, clerk).expect("it will be alive");
        let last = cx.hook(newborn, later).expect("it will be alive");
        let plain = cx.hook(newborn, 5_u8).expect("it will be alive");
        assert_eq!(cx.send(plain, Note("!")).expect("kept").pending, 0);
        let receipt = cx.send(hook, Note("early")).expect("kept");
        assert_eq!((receipt.received, receipt.pending), (0, 1));
        let refused = cx.request(hook, Who);
        assert!(matches!(
            refused,
            Err(error) if *error.kind() == SendErrorKind::Absent(Absence::NotYetThere) && error.to() == Some(hook.into())
        ));
        let refused = cx.send_mut(hook, &mut Tour::default());
        assert!(matches!(
            refused.map_err(SendError::into_kind),
            Err(SendErrorKind::Absent(Absence::NotYetThere))
        ));
        let required = Header::to(plain)
            .require(1)
            .build()
            .expect("it is complete");
        let refused = cx.post(&required, Note("!"));
        assert!(
            matches!(
                refused.as_ref().map_err(SendError::kind),
                Err(SendErrorKind::NotReceived { .. })
            ),
            "{refused:?}"
        );
        put([hook, last]);
    });
    manager.send(actor, script)?;
    let expected = ["clerk: hooked Clerk", "clerk: early"];
    let took = log.take();
    let at = took
        .iter()
        .position(|line| line == "clerk: early")
        .expect("it came");
    assert_eq!(took[..=at][at - 1..], expected);
    assert!(
        took[at..]
            .iter()
            .any(|line| line.starts_with("later: hooked")),
        "{took:?}"
    );
    for hook in hooked() {
        assert_eq!(manager.send(hook, Note("late"))?.received, 1);
    }
    assert_eq!(log.take(), ["clerk: late", "later: late"]);
    Ok(())
}

// holds: reentrancy.new-hook-unhooked
#[test]
fn a_component_that_is_given_up_before_it_is_attached_receives_nothing() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = Ear::new("ear", &log);
    let script = Do::new(move |cx| {
        let hook = cx.hook(actor, ear).expect("it is alive");
        assert_eq!(cx.send(hook, Note("kept")).expect("kept").pending, 1);
        cx.unhook(hook).expect("it was hooked");
        let refused = cx.send(hook, Note("!"));
        assert!(matches!(
            refused,
            Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Leaving) && error.to() == Some(hook.into())
        ));
    });
    manager.send(actor, script)?;
    assert!(log.take().is_empty());
    Ok(())
}

// holds: reentrancy.busy-kept, reentrancy.busy-request
#[test]
fn a_component_that_is_busy_gets_a_message_to_its_hook_when_it_is_free() -> Tested {
    let (mut manager, log, actor) = stage();
    let hook = first_hook(&manager, actor);
    let told = log.clone();
    let script = Do::new(move |cx| {
        assert_eq!(cx.my_hook(), hook);
        assert_eq!(cx.send(hook, Note("later")).expect("kept").pending, 1);
        let busy = cx.request(hook, Who);
        assert!(
            matches!(
                busy.as_ref().map_err(SendError::kind),
                Err(SendErrorKind::Busy { .. })
            ),
            "{busy:?}"
        );
        told.add("done");
    });
    manager.send(hook, script)?;
    assert_eq!(log.take(), ["done", "actor: later"]);
    Ok(())
}

// holds: headers.recipient-goes-later, time.repeat-ends, required.dead-letter-told
#[test]
fn what_was_posted_to_a_hook_that_goes_is_a_dead_letter() -> Tested {
    let (mut manager, _, _, [first, second, _]) = ears();
    let (tell, told) = mpsc::channel();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        let note = letter
            .message
            .as_ref()
            .and_then(|it| it.downcast_ref::<Note>());
        tell.send((letter.why.clone(), note.map(|note| note.0)))
            .expect("it is awaited");
    });
    let often = Header::to(first).every_frames(1).build()?;
    manager.post(&often, Note("often"))?;
    manager.post(&Header::to(second).after_frames(1).build()?, Note("once"))?;
    for hook in [first, second] {
        drop(manager.unhook::<Ear>(hook)?);
    }
    for _ in 0..3 {
        manager.tick(Duration::ZERO);
    }
    let told: Vec<_> = told.try_iter().collect();
    let expected = [(first, "often"), (second, "once")];
    let gone = |(hook, note): (HookId, _)| (Undelivered::Gone { to: hook.into() }, Some(note));
    assert_eq!(told, expected.map(gone));
    assert!(!manager.has_pending(Posts::all()));
    Ok(())
}

// holds: subscriptions.to-hook, subscriptions.to-id, time.cancel-by
#[test]
fn posts_and_subscriptions_are_chosen_by_a_hook_as_it_was_written() -> Tested {
    let (mut manager, log, id, [first, second, _]) = ears();
    let hear = |name: &'static str| {
        let log = log.clone();
        move |note: &Note, _: &mut SubscriberContext<'_>| log.add(format!("{name} {}", note.0))
    };
    manager.subscribe(Filter::of::<Note>().to(first), hear("hook"));
    manager.subscribe(Filter::of::<Note>().to(id), hear("id"));
    manager.send(first, Note("a"))?;
    manager.send(second, Note("b"))?;
    manager.send(id, Note("c"))?;
    let expected = [
        "first: a",
        "hook a",
        "second: b",
        "first: c",
        "second: c",
        "third: c",
        "id c",
    ];
    assert_eq!(log.take(), expected);
    let soon = Header::to(first).after_frames(1).build()?;
    manager.post(&soon, Note("d"))?;
    assert!(
        !manager.has_pending(Posts::all().to(id)) && !manager.has_pending(Posts::all().to(second))
    );
    assert_eq!(manager.cancel(Posts::all().to(first)), 1);
    Ok(())
}

// holds: subscriptions.retained-for-hook
#[test]
fn what_is_retained_for_a_hook_is_forgotten_with_its_component() -> Tested {
    let (mut manager, log, id, [first, second, third]) = ears();
    for hook in [first, second, third] {
        let header = Header::to(hook).retain().build()?;
        manager.post(&header, Peek("kept"))?;
    }
    log.take();
    drop(manager.unhook::<Ear>(second)?);
    let hear = |log: &crate::common::Log| {
        let log = log.clone();
        move |_: &Peek, cx: &mut SubscriberContext<'_>| log.add(cx.recipient().to_string())
    };
    let all = Filter::of::<Peek>().with_retained();
    let subscription = manager.subscribe(all.clone(), hear(&log));
    assert_eq!(
        log.take(),
        [format!("hook {first}"), format!("hook {third}")]
    );
    manager.unsubscribe(subscription);
    manager.subscribe(all.clone().to(third), hear(&log));
    assert_eq!(log.take(), [format!("hook {third}")]);
    manager.despawn(id)?;
    manager.subscribe(all.clone(), hear(&log));
    assert!(log.take().is_empty());
    Ok(())
}

// holds: mail.to-hook
#[test]
fn what_is_published_to_a_hook_is_for_its_messagee() -> Tested {
    let (mut manager, _, id, [first, second, _]) = ears();
    manager.publish(first, Note("a"))?;
    manager.publish(second, Note("b"))?;
    manager.publish(id, Note("c"))?;
    for number in 0..40 {
        // Forty are found by an index, and sorted.
        manager.publish(Everyone, Note(if number % 2 == 0 { "x" } else { "y" }))?;
    }
    manager.tick(Duration::ZERO);
    let inbox = manager.inbox::<Note>();
    let notes = |mail: message_core::mailbox::Inbox<'_, Note>| {
        let notes = mail.iter().map(|note| note.0).collect::<Vec<_>>();
        notes.concat()
    };
    assert_eq!(notes(inbox.to(id)), "abc");
    assert_eq!(notes(inbox.to(second)), "b");
    assert!(notes(inbox.reaching(id)).starts_with("abcxy"));
    let first_mail = inbox.to(id).first().expect("three are for it");
    assert_eq!(first_mail.recipient(), first.into());
    Ok(())
}

// holds: mail.to-hook
#[test]
fn a_handler_can_publish_to_a_hook_of_this_dispatch() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = Ear::new("ear", &log);
    let script = Do::new(move |cx| {
        let hook = cx.hook(actor, ear).expect("it is alive");
        cx.publish(hook, Note("mail")).expect("it will be there");
    });
    manager.send(actor, script)?;
    manager.tick(Duration::ZERO);
    assert_eq!(manager.inbox::<Note>().to(actor).count(), 1);
    Ok(())
}

// holds: subscriptions.every-message
#[test]
fn who_listens_to_everything_hears_what_is_sent_to_a_hook() -> Tested {
    let (mut manager, log, _, [first, ..]) = ears();
    let told = log.clone();
    manager.subscribe(
        Filter::all(),
        move |message: &dyn AnyMessage, cx: &mut SubscriberContext<'_>| {
            told.add(format!("{message:?} to {}", cx.recipient()));
        },
    );
    assert_eq!(manager.send(first, Note("a"))?.received, 2);
    let expected = [
        "first: a".to_owned(),
        format!("Note(\"a\") to hook {first}"),
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}
