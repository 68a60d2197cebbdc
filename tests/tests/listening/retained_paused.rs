//! A message retained while a subscription is paused is delivered to it when it is resumed.

use std::ops::ControlFlow;

use crate::common::{Do, Log, Note, Tested, panic_of, stage};
use crate::retained_later::{overhears, retain};
use crate::subscribers::notes;
use message_core::SubscriptionId;
use message_core::prelude::*;

mnemonic!(LEAD);
group!(SQUAD);

/// Returns a manager with a subscription that is paused.
fn paused(filter: Filter<Note>) -> (MessageManager, Log, MessageeId, SubscriptionId) {
    let (mut manager, log, actor) = stage();
    let id = manager.subscribe(filter.with_retained(), notes(&log, "subscriber"));
    assert!(manager.set_listening(id, false));
    (manager, log, actor, id)
}

// holds: subscriptions.retained-while-paused
#[test]
fn one_that_is_resumed_receives_what_was_retained_while_it_was_paused() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn(());
    retain(&mut manager, Everyone, "before");
    let filter = Filter::of::<Note>().from(Sender::Outside).with_retained();
    let id = manager.subscribe(filter, notes(&log, "subscriber"));
    retain(&mut manager, Down(other), "heard");
    assert_eq!(
        log.take(),
        ["actor: before", "subscriber: before", "subscriber: heard"]
    );
    manager.set_listening(id, false);
    retain(&mut manager, other, "replaced");
    retain(&mut manager, Up(other), "1");
    retain(&mut manager, other, "2");
    manager.send(other, Note("not retained"))?;
    manager
        .speak_for(actor)?
        .post(Header::to(SQUAD).retain(), Note("filtered"))?;
    assert!(log.take().is_empty());
    manager.set_listening(id, true);
    assert_eq!(log.take(), ["subscriber: 1", "subscriber: 2"]);
    // Each once.
    manager.set_listening(id, false);
    manager.set_listening(id, true);
    retain(&mut manager, other, "3");
    assert_eq!(log.take(), ["subscriber: 3"]);
    Ok(())
}

// holds: subscriptions.retained-while-paused
#[test]
fn what_was_forgotten_while_it_was_paused_is_not_received() {
    let (mut manager, log, actor, id) = paused(Filter::of());
    retain(&mut manager, Everyone, "1");
    retain(&mut manager, actor, "2");
    manager.forget_retained::<Note>(Everyone);
    log.take();
    manager.set_listening(id, true);
    assert_eq!(log.take(), ["subscriber: 2"]);
}

// holds: subscriptions.retained-while-paused
#[test]
fn one_with_a_stage_receives_it_at_once_and_one_that_is_once_ends_with_it() -> Tested {
    let (mut manager, log, actor, id) = paused(Filter::of().stage(Stage::Update));
    retain(&mut manager, actor, "1");
    log.take();
    manager.set_listening(id, true);
    assert_eq!(log.take(), ["subscriber: 1"]);
    manager.tick(std::time::Duration::ZERO);
    assert!(log.take().is_empty());

    let (mut manager, log, actor, id) = paused(Filter::of().once());
    retain(&mut manager, actor, "1");
    retain(&mut manager, Everyone, "2");
    log.take();
    manager.set_listening(id, true);
    manager.send(actor, Note("3"))?;
    assert_eq!(log.take(), ["subscriber: 1", "actor: 3"]);
    assert!(!manager.is_listening(id));
    Ok(())
}

// holds: subscriptions.retained-while-paused
#[test]
fn one_that_pauses_itself_receives_the_rest_when_it_is_resumed() -> Tested {
    let (mut manager, log, _) = stage();
    let other = manager.spawn(());
    for (to, text) in [(Up(other), "1"), (other.into(), "2"), (Down(other), "3")] {
        retain(&mut manager, to, text);
    }
    let told = log.clone();
    let (put, get) = std::sync::mpsc::channel::<SubscriptionId>();
    let id = manager.subscribe(Filter::of::<Note>().with_retained(), move |note, cx| {
        told.add(note.0);
        if let Ok(me) = get.try_recv() {
            cx.set_listening(me, false);
        }
    });
    assert_eq!(log.take(), ["1", "2", "3"]);
    manager.set_listening(id, false);
    for (to, text) in [(Up(other), "4"), (other.into(), "5")] {
        retain(&mut manager, to, text);
    }
    put.send(id)?;
    manager.set_listening(id, true);
    assert_eq!(log.take(), ["4"]);
    retain(&mut manager, Everyone, "6");
    log.take();
    manager.set_listening(id, true);
    assert_eq!(log.take(), ["5", "6"]);
    Ok(())
}

// holds: subscriptions.retained-while-paused
#[test]
fn a_panic_at_one_loses_none_of_the_others() {
    let (mut manager, log, _) = stage();
    let told = log.clone();
    let filter = Filter::of::<Note>().with_retained();
    let id = manager.subscribe(filter, move |note, _| {
        assert_ne!(note.0, "bad");
        told.add(note.0);
    });
    manager.set_listening(id, false);
    let other = manager.spawn(());
    retain(&mut manager, other, "bad");
    retain(&mut manager, Up(other), "good");
    panic_of(|| manager.set_listening(id, true));
    manager.settle();
    assert_eq!(log.take(), ["good"]);
}

// holds: subscriptions.retained-while-paused
#[test]
fn one_that_is_resumed_in_a_handler_receives_it_when_the_outermost_send_returns() -> Tested {
    let (mut manager, log, actor, id) = paused(Filter::of());
    let other = manager.spawn(());
    retain(&mut manager, other, "1");
    let told = log.clone();
    let script = Do::new(move |cx| {
        let retain = |cx: &mut Context<'_>, to: Recipient, text| {
            cx.post(Header::to(to).retain(), Note(text))
                .expect("it is sent");
        };
        retain(cx, Up(other), "2");
        cx.set_listening(id, true);
        retain(cx, Down(other), "heard");
        cx.set_listening(id, false);
        retain(cx, SQUAD.into(), "3");
        cx.set_listening(id, true);
        told.add("done");
    });
    manager.send(actor, script)?;
    assert_eq!(
        log.take(),
        [
            "subscriber: heard",
            "done",
            "subscriber: 1",
            "subscriber: 2",
            "subscriber: 3"
        ]
    );
    Ok(())
}

/// Pauses or resumes a subscription when it hears a word.
struct Switch(SubscriptionId, bool);

#[handlers]
impl Switch {
    #[on_receive]
    fn note(&mut self, _: &Note, cx: &mut Context<'_>) {
        cx.set_listening(self.0, self.1);
    }
}

// holds: subscriptions.retained-while-paused
#[test]
fn a_message_under_way_when_it_is_paused_or_resumed_comes_once() {
    // Paused before its turn, then resumed.
    let (mut manager, log, actor) = stage();
    let filter = Filter::of::<Note>().with_retained();
    let id = manager.subscribe(filter, notes(&log, "subscriber"));
    let off = manager.spawn((Switch(id, false),));
    retain(&mut manager, off, "1");
    assert!(log.take().is_empty());
    manager.set_listening(id, true);
    assert_eq!(log.take(), ["subscriber: 1"]);

    // Resumed before its turn: it was paused when the message was sent.
    manager.set_listening(id, false);
    let on = manager.spawn((Switch(id, true),));
    retain(&mut manager, on, "2");
    assert_eq!(log.take(), ["subscriber: 2"]);

    // Paused behind its turn: it has it.
    manager.subscribe(Filter::of::<Note>().hidden(), move |_, cx| {
        cx.set_listening(id, false);
    });
    retain(&mut manager, actor, "3");
    assert_eq!(log.take().last().map(String::as_str), Some("subscriber: 3"));
    manager.set_listening(id, true);
    assert!(log.take().is_empty());
}

// holds: subscriptions.retained-while-paused
#[test]
fn what_somebody_before_it_consumes_is_received_only_if_it_was_paused() -> Tested {
    struct Eater;

    #[handlers]
    impl Eater {
        #[on_receive]
        fn note(&mut self, _: &Note) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }

    let (mut manager, log, actor, id) = paused(Filter::of());
    let eater = manager.spawn((Eater,));
    let script = Do::new(move |cx| {
        let post = cx.post(Header::to(eater).retain(), Note("paused"));
        post.expect("it is sent");
        cx.set_listening(id, true);
        let post = cx.post(Header::to(Up(eater)).retain(), Note("listening"));
        post.expect("it is sent");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["subscriber: paused"]);
    Ok(())
}

// holds: subscriptions.retained-while-paused
#[test]
fn one_that_is_made_and_paused_in_a_handler_receives_all_when_it_is_resumed() -> Tested {
    let (mut manager, log, actor) = stage();
    retain(&mut manager, actor, "1");
    log.take();
    let told = log.clone();
    let (put, get) = crate::common::slot();
    let script = Do::new(move |cx| {
        let filter = Filter::of::<Note>().with_retained();
        let id = cx.subscribe(filter, notes(&told, "subscriber"));
        cx.set_listening(id, false);
        put(id);
    });
    manager.send(actor, script)?;
    retain(&mut manager, Everyone, "2");
    assert_eq!(log.take(), ["actor: 2"]);
    manager.set_listening(get(), true);
    assert_eq!(log.take(), ["subscriber: 1", "subscriber: 2"]);
    Ok(())
}

// holds: subscriptions.retained-while-paused, overhearing.retained
#[test]
fn who_overhears_receives_what_was_retained_for_others_while_it_was_paused() -> Tested {
    let (mut manager, log, spy) = stage();
    let one = manager.spawn(());
    let id = overhears(&mut manager, spy)?;
    manager.set_listening(id, false);
    retain(&mut manager, one, "1");
    retain(&mut manager, Everyone, "reached");
    assert_eq!(log.take(), ["actor: reached"]);
    manager.set_listening(id, true);
    assert_eq!(log.take(), ["actor: 1"]);
    Ok(())
}

// holds: subscriptions.retained-while-paused, subscriptions.retained-holder
#[test]
fn a_mnemonic_stands_for_its_holder_when_the_subscription_is_resumed() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn(());
    manager.bind(LEAD, other)?;
    let filter = Filter::of::<Note>().to(actor).with_retained();
    let id = manager.subscribe(filter, notes(&log, "subscriber"));
    manager.set_listening(id, false);
    retain(&mut manager, LEAD, "1");
    manager.unbind(LEAD, other)?;
    manager.bind(LEAD, actor)?;
    manager.set_listening(id, true);
    assert_eq!(log.take(), ["subscriber: 1"]);
    Ok(())
}
