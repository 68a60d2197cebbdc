//! The filters of subscriptions: which messages each lets through, and what else it says.

use crate::common::{Do, Log, Note, Tested, stage};
use crate::subscribers::{all, notes};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;
use message_core::trace::Traced;
use message_core::{AnyMessage, MessageId, SubscriberContext, TagSet};
use message_trace::{Recorder, TraceFilter};

mnemonic!(LEADER);
group!(SQUAD);
tag!(LOUD, RED, COLD);

/// Has a tag by its type.
#[derive(Message, Debug)]
#[message(tags(RED))]
struct Rose;

// holds: subscriptions.filter-all
#[test]
fn from_is_who_the_sender_was() -> Tested {
    let (mut manager, log, actor) = stage();
    let nobody = manager.spawn(());
    manager.subscribe(Filter::of::<Note>().from(actor), notes(&log, "actor's"));
    let outside = Filter::of::<Note>().from(Sender::Outside);
    manager.subscribe(outside, notes(&log, "outside's"));
    manager.speak_for(actor)?.send(nobody, Note("a"))?;
    manager.speak_for(nobody)?.send(nobody, Note("b"))?;
    manager.send(nobody, Note("c"))?;
    assert_eq!(log.take(), ["actor's: a", "outside's: c"]);
    Ok(())
}

/// Logs any message that is a [`Note`].
fn any_note(
    log: &Log,
    name: &'static str,
) -> impl FnMut(&dyn AnyMessage, &mut SubscriberContext<'_>) + use<> {
    let log = log.clone();
    move |message, _| {
        let Note(text) = message.downcast_ref().expect("it is a note");
        log.add(format!("{name}: {text}"));
    }
}

// holds: subscriptions.of-id, subscriptions.order
#[test]
fn a_type_that_is_given_by_its_id_is_listened_to_like_any_other() -> Tested {
    let (mut manager, log, actor) = stage();
    let of_id = || Filter::of_id(Note::ID).expect("it is known");
    assert!(Filter::of_id(MessageId::of_name("no such message")).is_none());
    assert!(format!("{:?}", of_id()).contains(Note::NAME));
    manager.subscribe(of_id(), any_note(&log, "1"));
    manager.subscribe(Filter::of::<Note>(), notes(&log, "2"));
    let third = manager.subscribe(
        of_id().when(<dyn AnyMessage>::is::<Note>),
        any_note(&log, "3"),
    );
    manager.subscribe(of_id().to(actor).once(), any_note(&log, "4"));
    manager.subscribe(Filter::all(), all(&log, "5"));
    manager.subscribe(Filter::of::<Note>().from(actor), notes(&log, "6"));
    manager.subscribe(of_id().stage(Stage::Update), any_note(&log, "late"));
    let order = log.clone();
    manager.subscribe(of_id().before(), move |message, _| {
        let Note(text) = message.downcast_mut().expect("it is a note");
        order.add("before 1");
        *text = "b";
    });
    let order = log.clone();
    manager.subscribe(Filter::of::<Note>().before(), move |_, _| {
        order.add("before 2");
    });
    manager.send(Everyone, Rose)?;
    log.take();

    assert_eq!(manager.send(actor, Note("a"))?.received, 6);
    let of_note = [
        "before 1", "before 2", "actor: b", "1: b", "2: b", "3: b", "4: b",
    ];
    let heard = log.take();
    assert_eq!(heard[..7], of_note);
    assert_eq!(heard.len(), 8, "{heard:?}");

    assert!(manager.unsubscribe(third));
    manager.speak_for(actor)?.send(Everyone, Note("a"))?;
    let heard = log.take();
    assert_eq!(
        (&heard[3..5], &*heard[6]),
        (&["1: b".to_owned(), "2: b".to_owned()][..], "6: b")
    );
    manager.tick(std::time::Duration::ZERO);
    assert_eq!(log.take(), ["late: b", "late: b"]);

    // It overhears, too.
    let spy = manager.spawn((crate::common::Actor::new("spy", &log),));
    let overhears = manager.overhear(spy, of_id().to(actor))?;
    manager.send(actor, Note("a"))?;
    assert!(log.take().contains(&"spy: b".to_owned()));
    assert!(manager.unsubscribe(overhears));

    // One alone is all that hears a message.
    let mut manager = MessageManager::new();
    let only = manager.subscribe(of_id().with_retained(), any_note(&log, "only"));
    manager.post(Header::to(Everyone).retain(), Note("kept"))?;
    manager.subscribe(of_id().with_retained(), any_note(&log, "new"));
    assert_eq!(log.take(), ["only: kept", "new: kept"]);
    assert_eq!(manager.send(Everyone, Rose)?.received, 0);
    assert!(manager.unsubscribe(only));
    Ok(())
}

// holds: subscriptions.to-id
#[test]
fn to_an_id_is_what_is_sent_to_that_messagee_alone() -> Tested {
    let mut manager = MessageManager::new();
    let (log, it) = (Log::default(), manager.spawn(()));
    let other = manager.spawn(());
    manager.bind(LEADER, it)?;
    manager.join(SQUAD, it)?;
    manager.subscribe(Filter::of::<Note>().to(it), notes(&log, "it"));
    manager.send(it, Note("by id"))?;
    manager.speak_for(it)?.send(Me, Note("by Me"))?;
    manager.send(LEADER, Note("by a mnemonic"))?;
    assert_eq!(log.take(), ["it: by id", "it: by Me", "it: by a mnemonic"]);

    manager.speak_for(other)?.send(Me, Note("other's Me"))?;
    let shared: [Recipient; 6] = [
        other.into(),
        Everyone,
        EveryoneElse,
        SQUAD.into(),
        Up(it),
        Down(it),
    ];
    for to in shared {
        manager.speak_for(other)?.send(to, Note("not alone"))?;
    }
    manager.unbind(LEADER, it)?;
    manager.bind(LEADER, other)?;
    manager.send(LEADER, Note("no more"))?;
    assert!(log.take().is_empty());
    Ok(())
}

// holds: subscriptions.to-mnemonic-when-sent
#[test]
fn what_waits_was_sent_to_whom_its_mnemonic_was_bound_to_then() -> Tested {
    let (mut manager, log, actor) = stage();
    let (old, new) = (manager.spawn(()), manager.spawn(()));
    manager.bind(LEADER, old)?;
    let filters: [(Recipient, &'static str); 6] = [
        (old.into(), "old"),
        (new.into(), "new"),
        (LEADER.into(), "leader"),
        (Up(old), "up from old"),
        (Up(new), "up from new"),
        (Up(LEADER), "up from leader"),
    ];
    for (to, name) in filters {
        manager.subscribe(Filter::of::<Note>().to(to), notes(&log, name));
    }
    let interceptor = move |note: &mut Note, cx: &mut SubscriberContext<'_>| {
        if note.0 == "first" {
            let script = Do::new(move |cx| {
                // Both wait for the interceptor.
                cx.send(LEADER, Note("1")).expect("it is bound");
                cx.send(Up(LEADER), Note("2")).expect("it is bound");
                cx.unbind(LEADER, old).expect("it is bound");
                cx.bind(LEADER, new).expect("it is free");
            });
            cx.send(actor, script).expect("it is alive");
        }
    };
    manager.subscribe(Filter::of::<Note>().before(), interceptor);
    manager.send(Everyone, Note("first"))?;
    let heard = ["old: 1", "leader: 1", "up from old: 2", "up from leader: 2"];
    assert_eq!(log.take()[..4], heard);
    Ok(())
}

// holds: subscriptions.to-mnemonic-when-sent
#[test]
fn what_waits_for_a_newborn_was_sent_to_its_recipient() -> Tested {
    let (mut manager, log, actor) = stage();
    let filters: [(Recipient, &'static str); 3] = [
        (SQUAD.into(), "squad"),
        (LEADER.into(), "leader"),
        (Down(LEADER), "down"),
    ];
    for (to, name) in filters {
        manager.subscribe(Filter::of::<Note>().to(to), notes(&log, name));
    }
    let script = |cx: &mut Context<'_>| {
        let newborn = cx.spawn(());
        cx.join(SQUAD, newborn).expect("it will be alive");
        cx.bind(LEADER, newborn).expect("it is free");
        let recipients: [Recipient; 3] = [SQUAD.into(), LEADER.into(), Down(LEADER)];
        for to in recipients {
            cx.send(to, Note("1")).expect("it will be alive");
        }
    };
    manager.send(actor, Do::new(script))?;
    assert_eq!(log.take(), ["squad: 1", "leader: 1", "down: 1"]);
    Ok(())
}

// holds: subscriptions.filter-all
#[test]
fn to_a_mnemonic_a_group_a_family_and_everyone_is_what_is_sent_to_that() -> Tested {
    let mut manager = MessageManager::new();
    let (log, it) = (Log::default(), manager.spawn(()));
    let other = manager.spawn(());
    manager.join(SQUAD, it)?;
    // Not bound yet: it is looked up when a message is sent.
    manager.subscribe(Filter::of::<Note>().to(LEADER), notes(&log, "leader"));
    manager.subscribe(Filter::of::<Note>().to(SQUAD), notes(&log, "squad"));
    manager.subscribe(Filter::of::<Note>().to(Up(it)), notes(&log, "up"));
    manager.subscribe(Filter::of::<Note>().to(Everyone), notes(&log, "everyone"));
    manager.subscribe(Filter::of::<Note>().to(Me), notes(&log, "me"));
    manager.send(it, Note("0"))?;
    assert!(log.take().is_empty());
    manager.bind(LEADER, it)?;
    let alone: [Recipient; 4] = [LEADER.into(), it.into(), other.into(), SQUAD.into()];
    for to in alone {
        manager.send(to, Note("1"))?;
    }
    assert_eq!(log.take(), ["leader: 1", "leader: 1", "squad: 1"]);
    for to in [Up(it), Up(other), Down(it), Everyone] {
        manager.send(to, Note("2"))?;
    }
    assert_eq!(log.take(), ["up: 2", "everyone: 2"]);
    manager.speak_for(other)?.send(Me, Note("3"))?;
    manager.speak_for(other)?.send(other, Note("4"))?;
    manager.speak_for(it)?.send(other, Note("5"))?;
    assert_eq!(log.take(), ["me: 3", "me: 4"]);
    Ok(())
}

// holds: subscriptions.filter-all
#[test]
fn tags_are_any_of_them_by_the_type_or_by_the_header() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    manager.subscribe(Filter::all().tagged(RED | LOUD), all(&log, "either"));
    manager.subscribe(Filter::all().tagged(COLD), all(&log, "cold"));
    let plain = Header::to(nobody).build()?;
    let loud = Header::to(nobody).tags(LOUD).build()?;
    let cold = Header::to(nobody).tags(COLD).build()?;
    manager.send(nobody, Rose)?;
    assert_eq!(log.take(), ["either: Rose"]);
    manager.post(&plain, Note(""))?;
    assert!(log.take().is_empty());
    manager.post(&loud, Note(""))?;
    assert_eq!(log.take(), ["either: Note(\"\")"]);
    manager.post(&cold, Rose)?;
    assert_eq!(log.take(), ["either: Rose", "cold: Rose"]);
    Ok(())
}

tag!(
    HARM = "filters.harm",
    BURN = "filters.harm.burn",
    LAVA = "filters.harm.burn.lava",
    HARMONY = "filters.harmony",
    /// Nobody declares what it is below.
    WARM = "filters.lost.warm",
    LOST = "filters.lost",
);

/// Has a tag below `filters.harm`, which nothing but this declares.
#[derive(Message, Debug)]
#[message(tags(frost::FROST))]
struct Freeze;

mod frost {
    message_core::tag!(pub(super) FROST = "filters.harm.frost");
}

// holds: subscriptions.tags-below
#[test]
fn a_tag_and_those_below_it_are_a_set_of_all_that_are_declared() {
    assert_eq!(HARM.and_below(), HARM | BURN | LAVA | frost::FROST);
    assert_eq!(BURN.and_below(), BURN | LAVA);
    assert_eq!(LAVA.and_below(), LAVA.into());
    assert_eq!(LOST.and_below(), LOST | WARM);
    assert_eq!(RED.and_below(), RED.into());
}

// holds: subscriptions.tags-below
#[test]
fn a_filter_posts_and_a_trace_filter_take_the_tags_below() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    manager.subscribe(Filter::all().tagged(HARM.and_below()), all(&log, "harm"));
    manager.subscribe(
        Filter::all().tagged(BURN.and_below() | COLD),
        all(&log, "burn or cold"),
    );
    Recorder::new(100).start(&mut manager);
    for tag in [HARM, BURN, LAVA, HARMONY, COLD] {
        manager.post(Header::to(nobody).tags(tag), Note(tag.name()))?;
    }
    manager.send(nobody, Freeze)?;
    assert_eq!(
        log.take(),
        [
            "harm: Note(\"filters.harm\")",
            "harm: Note(\"filters.harm.burn\")",
            "burn or cold: Note(\"filters.harm.burn\")",
            "harm: Note(\"filters.harm.burn.lava\")",
            "burn or cold: Note(\"filters.harm.burn.lava\")",
            "burn or cold: Note(\"listening::filters::COLD\")",
            "harm: Freeze",
        ]
    );
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    let burning = TraceFilter::all().tagged(BURN.and_below());
    let traced = recorder.select(&burning);
    let sent = traced.filter(|event| matches!(event.what, Traced::Sent { .. }));
    assert_eq!(sent.count(), 2);

    manager.post(Header::to(nobody).after_frames(1).tags(LAVA), Note("later"))?;
    assert!(!manager.has_pending(Posts::all().tagged(HARM)));
    assert!(manager.has_pending(Posts::all().tagged(HARM.and_below())));
    Ok(())
}

// holds: subscriptions.filter-all
#[test]
fn an_empty_set_of_tags_is_no_condition() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    let no_tags: TagSet = [].into_iter().collect();
    let filter = Filter::of::<Note>().tagged(no_tags);
    manager.subscribe(filter, notes(&log, "all"));
    manager.subscribe(
        Filter::of::<Note>().tagged(RED).tagged(no_tags),
        notes(&log, "unset"),
    );
    manager.send(nobody, Note("plain"))?;
    manager.post(Header::to(nobody).tags(LOUD), Note("loud"))?;
    assert_eq!(
        log.take(),
        ["all: plain", "unset: plain", "all: loud", "unset: loud"]
    );
    manager.post(Header::to(nobody).after_frames(1), Note("pending"))?;
    assert!(manager.has_pending(Posts::all().tagged(no_tags)));
    assert_eq!(manager.cancel(Posts::all().tagged(LOUD).tagged(no_tags)), 1);
    Ok(())
}

// holds: subscriptions.filter-all
#[test]
fn from_to_and_tags_must_all_hold_and_of_one_that_is_set_twice_the_last() -> Tested {
    let mut manager = MessageManager::new();
    let log = Log::default();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    let filter = Filter::of::<Note>().from(one).to(two).tagged(LOUD);
    manager.subscribe(filter, notes(&log, "all three"));
    let twice = Filter::of::<Note>().to(two).to(one).from(two).from(one);
    manager.subscribe(twice, notes(&log, "the last"));
    for from in [one, two] {
        for to in [one, two] {
            for tags in [TagSet::EMPTY, LOUD.into()] {
                let header = Header::to(to).tags(tags).build()?;
                manager.speak_for(from)?.post(&header, Note(""))?;
            }
        }
    }
    let mut heard = log.take();
    heard.sort();
    assert_eq!(heard, ["all three: ", "the last: ", "the last: "]);
    Ok(())
}

#[test]
fn a_filter_can_be_used_for_several_subscriptions() -> Tested {
    let mut manager = MessageManager::new();
    let (log, it) = (Log::default(), manager.spawn(()));
    let filter = Filter::of::<Note>().to(it);
    manager.subscribe(filter.clone(), notes(&log, "1"));
    manager.subscribe(filter.once(), notes(&log, "2"));
    for _ in 0..2 {
        manager.send(it, Note(""))?;
    }
    assert_eq!(log.take(), ["1: ", "2: ", "1: "]);
    Ok(())
}

// holds: subscriptions.hidden
#[test]
fn a_hidden_subscription_does_not_count_as_a_receiver() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Note>().hidden(), notes(&log, "hidden"));
    manager.subscribe(Filter::all().hidden(), all(&log, "hidden too"));
    assert_eq!(manager.send(actor, Note("a"))?.received, 1);
    assert_eq!(log.take().len(), 3);
    let nobody = manager.spawn(());
    assert_eq!(manager.send(nobody, Note("b"))?, Receipt::default());
    assert_eq!(log.take().len(), 2);
    manager.subscribe(Filter::of::<Note>(), notes(&log, "seen"));
    assert_eq!(manager.send(nobody, Note("c"))?.received, 1);
    Ok(())
}

// holds: subscriptions.once
#[test]
fn one_that_is_once_ends_with_the_first_message_it_receives() -> Tested {
    let mut manager = MessageManager::new();
    let log = Log::default();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    let id = manager.subscribe(Filter::of::<Note>().to(two).once(), notes(&log, "once"));
    let any = manager.subscribe(Filter::all().once().hidden(), all(&log, "any"));
    manager.send(one, Note("a"))?;
    assert_eq!(log.take(), ["any: Note(\"a\")"]);
    assert!(!manager.unsubscribe(any));
    let received = [manager.send(two, Note("b"))?, manager.send(two, Note("c"))?];
    assert_eq!(received.map(|receipt| receipt.received), [1, 0]);
    assert_eq!(log.take(), ["once: b"]);
    assert!(!manager.unsubscribe(id));
    Ok(())
}

/// Counts the roses and notes that it receives.
struct Vase(u32);

#[handlers]
impl Vase {
    #[on_receive]
    fn rose(&mut self, _: &Rose) {
        self.0 += 1;
    }
}

// holds: subscriptions.filter-all
#[test]
fn a_filter_by_tag_hears_every_message_to_a_component_that_has_received_some() -> Tested {
    let (mut manager, log, _) = stage();
    let vase = manager.spawn((Vase(0),));
    // Before anybody listens, so that it is known which component receives it.
    manager.send(vase, Rose)?;
    manager.subscribe(Filter::all().tagged(RED), all(&log, "red"));
    manager.subscribe(Filter::all().tagged(COLD), all(&log, "cold"));
    for times in 2..5 {
        manager.send(vase, Rose)?;
        assert_eq!(log.take(), ["red: Rose"]);
        assert_eq!(manager.get::<Vase>(vase)?.0, times);
    }
    Ok(())
}
