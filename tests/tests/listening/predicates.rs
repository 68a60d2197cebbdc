//! Predicates of filters, and filters that are printed.

use std::ops::ControlFlow;

use crate::common::{Actor, Do, Log, Note, Tested, Tour, panic_of, stage};
use crate::subscribers::{all, notes};
use message_core::lifecycle::HandlerPanicked;
use message_core::prelude::*;
use message_core::{AnyMessage, PanicPolicy};

tag!(RADIO = "radio", ALARM = "alarm");

fn is_short(note: &Note) -> bool {
    note.0.len() < 3
}

// holds: subscriptions.when-asked-last, subscriptions.filter-all
#[test]
fn a_predicate_sees_what_passes_the_other_conditions_alone_and_what_it_refuses_is_not_received()
-> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn(());
    let asked = log.clone();
    let filter = Filter::of::<Note>().to(other).when(move |note| {
        asked.add(format!("asked: {}", note.0));
        note.0 == "yes"
    });
    manager.subscribe(filter, notes(&log, "sub"));
    let any =
        Filter::all().when(|message: &dyn AnyMessage| message.downcast_ref::<Tour>().is_some());
    manager.subscribe(any, all(&log, "tours"));
    manager.send(actor, Note("elsewhere"))?;
    assert_eq!(log.take(), ["actor: elsewhere"]);
    assert_eq!(manager.send(other, Note("no"))?.received, 0);
    assert_eq!(manager.send(other, Note("yes"))?.received, 1);
    assert_eq!(log.take(), ["asked: no", "asked: yes", "sub: yes"]);
    manager.send(other, Tour::default())?;
    assert_eq!(log.take(), ["tours: Tour([])"]);
    Ok(())
}

// holds: subscriptions.when-asked-last
#[test]
fn a_predicate_sees_the_message_after_the_components_and_before_an_interceptor_as_it_was_sent()
-> Tested {
    let (mut manager, log, actor) = stage();
    let (after, before) = (log.clone(), log.clone());
    let intercepts = Filter::of::<Tour>().before().when(|tour| tour.0.is_empty());
    manager.subscribe(intercepts, move |_, _| before.add("before"));
    let hears = Filter::of::<Tour>().when(|tour| tour.0 == ["actor"]);
    manager.subscribe(hears, move |_, _| after.add("after"));
    manager.send(actor, Tour::default())?;
    assert_eq!(log.take(), ["before", "after"]);
    manager.send(actor, Tour(vec!["somebody"]))?;
    assert!(log.take().is_empty());
    Ok(())
}

// holds: subscriptions.filter-all
#[test]
fn two_predicates_must_both_hold() -> Tested {
    let (mut manager, log, actor) = stage();
    let short = Filter::of::<Note>().when(is_short);
    let of_two = short.clone().when(|note| note.0.starts_with('a'));
    manager.subscribe(short, notes(&log, "short"));
    manager.subscribe(of_two.clone(), notes(&log, "both"));
    manager.subscribe(of_two, notes(&log, "again"));
    for word in ["b", "a", "abc"] {
        manager.send(actor, Note(word))?;
    }
    let heard = [
        "actor: b",
        "short: b",
        "actor: a",
        "short: a",
        "both: a",
        "again: a",
        "actor: abc",
    ];
    assert_eq!(log.take(), heard);
    Ok(())
}

// holds: subscriptions.filter-all
#[test]
fn a_message_that_the_predicate_refuses_uses_nothing_up_and_waits_for_nothing() -> Tested {
    let (mut manager, log, actor) = stage();
    let once = Filter::of::<Note>().when(is_short).once();
    manager.subscribe(once, notes(&log, "once"));
    let staged = Filter::of::<Note>().when(is_short).stage(Stage::Update);
    manager.subscribe(staged, notes(&log, "staged"));
    assert_eq!(manager.send(actor, Note("long"))?.pending, 0);
    assert_eq!(manager.send(actor, Note("a"))?.pending, 1);
    manager.send(actor, Note("b"))?;
    manager.tick(std::time::Duration::ZERO);
    let heard = [
        "actor: long",
        "actor: a",
        "once: a",
        "actor: b",
        "staged: a",
        "staged: b",
    ];
    assert_eq!(log.take(), heard);
    Ok(())
}

// holds: subscriptions.with-retained
#[test]
fn retained_messages_are_asked_about_too() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.post(Header::to(actor).retain(), Note("long"))?;
    manager.post(Header::to(Everyone).retain(), Note("a"))?;
    log.take();
    let filter = Filter::of::<Note>().with_retained().when(is_short);
    manager.subscribe(filter, notes(&log, "late"));
    assert_eq!(log.take(), ["late: a"]);
    Ok(())
}

// holds: subscriptions.when-running
#[test]
fn a_running_subscriber_with_a_predicate_refuses_a_request_without_asking_it() -> Tested {
    let (mut manager, _, actor) = stage();
    let filter = Filter::of::<Tour>().when(|tour| !tour.0.contains(&"again"));
    let (put, get) = crate::common::slot();
    let mut put = Some(put);
    manager.subscribe(filter, move |_, cx| {
        if let Some(put) = put.take() {
            put(cx.send_mut(actor, &mut Tour(vec!["again"])));
        }
    });
    manager.send(actor, Tour::default())?;
    assert!(matches!(
        get().map_err(SendError::into_kind),
        Err(SendErrorKind::Busy { .. })
    ));
    Ok(())
}

// holds: subscriptions.when-panics
#[test]
fn a_panic_in_a_predicate_is_one_of_the_subscriber() -> Tested {
    let bad = |note: &Note| -> bool { panic!("no answer to {}", note.0) };
    let (mut manager, log, actor) = stage();
    let id = manager.subscribe(Filter::of::<Note>().when(bad), notes(&log, "never"));
    assert_eq!(
        panic_of(|| manager.send(actor, Note("a"))),
        "no answer to a"
    );
    assert!(manager.unsubscribe(id));

    let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
    let mut manager = MessageManager::with_config(config);
    let actor = manager.spawn((Actor::new("actor", &log),));
    let id = manager.subscribe(Filter::of::<Note>().when(bad), notes(&log, "never"));
    let told = log.clone();
    manager.subscribe(Filter::of::<HandlerPanicked>(), move |it, _| {
        told.add(it.panic.as_str());
    });
    manager.subscribe(Filter::of::<Note>(), notes(&log, "behind"));
    log.take();
    manager.send(actor, Note("b"))?;
    assert_eq!(log.take(), ["actor: b", "behind: b", "no answer to b"]);
    assert!(!manager.unsubscribe(id));
    Ok(())
}

// holds: subscriptions.filter-all
#[test]
fn an_interceptor_takes_its_conditions_before_and_after_before() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let filter = Filter::of::<Note>()
        .before()
        .to(actor)
        .from(Sender::Outside)
        .hidden()
        .once();
    manager.subscribe(filter, |_, _| ControlFlow::Break(()));
    let tagged = Filter::of::<Note>().before().tagged(ALARM);
    manager.subscribe(tagged, |_, _| ControlFlow::Break(()));
    manager.send(other, Note("to other"))?;
    manager.speak_for(other)?.send(actor, Note("from other"))?;
    assert_eq!(manager.send(actor, Note("consumed"))?.received, 0);
    manager.send(actor, Note("after"))?;
    manager.post(Header::to(actor).tags(ALARM), Note("alarm"))?;
    assert_eq!(
        log.take(),
        ["other: to other", "actor: from other", "actor: after"]
    );
    Ok(())
}

// holds: subscriptions.printed
#[test]
fn a_filter_prints_its_settings() {
    let mut manager = MessageManager::new();
    let it = manager.spawn(());
    let full = Filter::all()
        .from(it)
        .to(Everyone)
        .tagged(RADIO | ALARM)
        .when(|_| true)
        .once()
        .stage(Stage::Update)
        .with_retained()
        .hidden();
    let full = format!("{full:?}");
    let settings = [
        "dyn message_core::message::any::AnyMessage",
        &format!("from: Some({:?})", Sender::Messagee(it)),
        "to: Some(Everyone)",
        "alarm",
        "radio",
        "hidden: true",
        "once: true",
        "stage: Update",
        "retained: true",
        "asks: true",
        "part: After",
    ];
    for setting in settings {
        assert!(full.contains(setting), "{setting} in {full}");
    }
    let before = format!("{:?}", Filter::of::<Note>().before());
    for setting in ["Note", "from: None", "hidden: false", "part: Before"] {
        assert!(before.contains(setting), "{setting} in {before}");
    }
}

#[test]
fn a_predicate_is_dropped_with_its_subscription() {
    let mut manager = MessageManager::new();
    let alive = std::sync::Arc::new(());
    let kept = alive.clone();
    let filter = Filter::of::<Note>().when(move |_| std::sync::Arc::strong_count(&kept) > 0);
    let id = manager.subscribe(filter, |_, _| ());
    assert_eq!(std::sync::Arc::strong_count(&alive), 2);
    manager.unsubscribe(id);
    assert_eq!(std::sync::Arc::strong_count(&alive), 1);
    let _ = (Do::new(|_| ()), Log::default());
}
