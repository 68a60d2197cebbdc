//! Subscribing and ending subscriptions while messages are in transit, and subscriptions that belong
//! to a messagee.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::channel;

use crate::common::{Actor, Do, Ear, Log, Note, Peek, Tested, Who, panic_of, slot, stage};
use crate::subscribers::notes;
use message_core::Recipient::{EveryoneElse, Me};
use message_core::SubscriptionId;
use message_core::lifecycle::Hooked;
use message_core::prelude::*;

// When it takes effect.

// holds: subscriptions.made-in-handler
#[test]
fn a_subscription_made_in_a_handler_takes_effect_when_the_outermost_send_returns() -> Tested {
    let (mut manager, log, actor) = stage();
    let inner = manager.spawn((Actor::new("inner", &log),));
    let nobody = manager.spawn(());
    let (subscriber, (put, get)) = (notes(&log, "subscriber"), slot());
    let nested = Do::new(move |cx| {
        put(cx.subscribe(Filter::of::<Note>(), subscriber));
        cx.send(nobody, Note("in the handler"))
            .expect("it is there");
    });
    let script = Do::new(move |cx| {
        cx.send(inner, nested).expect("it is there");
        let receipt = cx.send(nobody, Note("in the outer one")).expect("sent");
        assert_eq!(receipt, Receipt::default());
    });
    manager.send(actor, script)?;
    assert!(log.take().is_empty());
    assert_eq!(manager.send(nobody, Note("after"))?.received, 1);
    assert_eq!(log.take(), ["subscriber: after"]);
    assert!(manager.unsubscribe(get()));
    Ok(())
}

// holds: subscriptions.made-in-handler
#[test]
fn a_subscription_made_in_a_subscriber_takes_effect_when_the_outermost_send_returns() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    let mut late = Some(notes(&log, "late"));
    manager.subscribe(Filter::of::<Note>(), move |_, cx| {
        if let Some(late) = late.take() {
            cx.subscribe(Filter::of::<Note>(), late);
        }
    });
    assert_eq!(manager.send(nobody, Note("first"))?.received, 1);
    assert_eq!(manager.send(nobody, Note("second"))?.received, 2);
    assert_eq!(log.take(), ["late: second"]);
    Ok(())
}

// holds: reentrancy.existence-waits
#[test]
fn it_takes_effect_in_the_order_in_which_changes_were_asked_for() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    let script = Do::new(move |cx| {
        cx.spawn((Ear::new("before", &told),));
        let hooked = told.clone();
        cx.subscribe(Filter::of::<Hooked>(), move |_, _| hooked.add("hooked"));
        cx.spawn((Ear::new("after", &told),));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["hooked"]);
    Ok(())
}

// holds: time.delivery-is-outermost
#[test]
fn in_a_pass_it_takes_effect_before_the_next_delivery() -> Tested {
    let (mut manager, log, actor) = stage();
    let header = Header::to(actor).stage(Stage::Update).build()?;
    let subscriber = notes(&log, "subscriber");
    let script = Do::new(move |cx| {
        cx.subscribe(Filter::of::<Note>(), subscriber);
    });
    manager.post(&header, script)?;
    manager.post(&header, Note("next"))?;
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["actor: next", "subscriber: next"]);
    Ok(())
}

// holds: subscriptions.ended-in-handler
#[test]
fn a_subscription_that_is_ended_in_a_handler_receives_nothing_more_at_once() -> Tested {
    let (mut manager, log, actor) = stage();
    let captured = Arc::new(());
    let (held, mut heard) = (Arc::clone(&captured), notes(&log, "subscriber"));
    let id = manager.subscribe(Filter::of::<Note>(), move |note, cx| {
        let _ = &held;
        heard(note, cx);
    });
    let script = Do::new(move |cx| {
        cx.send(Everyone, Note("before")).expect("sent");
        assert!(cx.unsubscribe(id));
        assert!(!cx.unsubscribe(id));
        cx.send(Everyone, Note("after")).expect("sent");
    });
    manager.send(actor, script)?;
    let expected = ["subscriber: before", "actor: before", "actor: after"];
    assert_eq!(log.take(), expected);
    assert_eq!(Arc::strong_count(&captured), 1, "its closure is dropped");
    assert!(!manager.unsubscribe(id));
    Ok(())
}

// holds: subscriptions.ended-in-handler
#[test]
fn a_subscription_that_is_ended_on_a_message_does_not_receive_that_message() -> Tested {
    let (mut manager, log, actor) = stage();
    let (put, get) = channel();
    manager.subscribe(Filter::of::<Note>().once(), move |_, cx| {
        assert!(cx.unsubscribe(get.recv().expect("the id of the next")));
    });
    put.send(manager.subscribe(Filter::of::<Note>(), notes(&log, "ended")))?;
    assert_eq!(manager.send(actor, Note("a"))?.received, 2);
    assert_eq!(log.take(), ["actor: a"]);
    Ok(())
}

// holds: subscriptions.ended-in-handler
#[test]
fn a_subscription_that_ends_itself_does_not_receive_what_was_kept_for_it() -> Tested {
    let (mut manager, log, _) = stage();
    let nobody = manager.spawn(());
    let (put, get) = channel();
    let told = log.clone();
    let id = manager.subscribe(Filter::of::<Note>(), move |note, cx| {
        told.add(note.0);
        assert_eq!(cx.send(nobody, Note("kept")).map(|it| it.pending), Ok(1));
        assert!(cx.unsubscribe(get.recv().expect("its own id")));
        assert_eq!(cx.send(nobody, Note("late")).map(|it| it.pending), Ok(0));
    });
    put.send(id)?;
    manager.send(nobody, Note("first"))?;
    manager.send(nobody, Note("second"))?;
    assert_eq!(log.take(), ["first"]);
    Ok(())
}

// holds: subscriptions.ended-in-handler
#[test]
fn a_subscription_that_is_made_and_ended_in_one_dispatch_never_receives() -> Tested {
    let (mut manager, log, actor) = stage();
    let (subscriber, (put, get)) = (notes(&log, "never"), slot());
    let script = Do::new(move |cx| {
        let id = cx.subscribe(Filter::of::<Note>(), subscriber);
        assert!(cx.unsubscribe(id));
        assert!(!cx.unsubscribe(id));
        put(id);
    });
    manager.send(actor, script)?;
    assert_eq!(manager.send(actor, Note("a"))?.received, 1);
    let ended = get();
    let newcomer = manager.subscribe(Filter::of::<Note>(), notes(&log, "newcomer"));
    assert_ne!(newcomer, ended);
    assert!(!manager.unsubscribe(ended));
    Ok(())
}

// holds: messagees.leaving-subscriptions
#[test]
fn one_that_was_made_in_the_same_dispatch_ends_when_its_owner_is_despawned() -> Tested {
    let (mut manager, log, actor) = stage();
    let (own, other) = (notes(&log, "own"), notes(&log, "other"));
    let script = Do::new(move |cx| {
        let newborn = cx.spawn(());
        for (owner, subscriber) in [(actor, own), (newborn, other)] {
            let made = cx.subscribe_for(owner, Filter::of::<Note>(), subscriber);
            let id = made.expect("it is oneself, or was just spawned");
            cx.despawn(owner).expect("it stays so far");
            assert!(!cx.set_listening(id, false));
            assert!(!cx.unsubscribe(id));
        }
    });
    manager.send(actor, script)?;
    assert_eq!(manager.send(Everyone, Note("a"))?, Receipt::default());
    assert!(log.take().is_empty());
    Ok(())
}

// One message.

// holds: subscriptions.once-ended-when-called
#[test]
fn one_that_is_once_has_ended_as_soon_as_it_is_called() -> Tested {
    let (mut manager, log, actor) = stage();
    let nobody = manager.spawn(());
    let captured = Arc::new(());
    let (put, get) = channel();
    let (held, told) = (Arc::clone(&captured), log.clone());
    let filter = Filter::of::<Note>().once();
    let first = manager.subscribe(filter.clone(), move |_, cx| {
        let _ = &held;
        let own = get.recv().expect("its own id");
        told.add(format!("running: {}", cx.unsubscribe(own)));
    });
    put.send(first)?;
    let held = Arc::clone(&captured);
    let before = filter.before();
    let second = manager.subscribe(before, move |_, _| {
        let _ = &held;
        ControlFlow::Continue(())
    });
    let told = log.clone();
    let script = Do::new(move |cx| {
        cx.send(nobody, Note("a")).expect("it is there");
        for id in [first, second] {
            told.add(format!("run: {}", cx.unsubscribe(id)));
        }
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["running: false", "run: false", "run: false"]);
    assert_eq!(
        Arc::strong_count(&captured),
        1,
        "their closures are dropped"
    );
    Ok(())
}

// holds: subscriptions.once-kept
#[test]
fn one_that_is_once_has_not_ended_while_its_message_is_kept() -> Tested {
    let (mut manager, log, actor) = stage();
    let nobody = manager.spawn(());
    let filter = Filter::of::<Note>().once().stage(Stage::Update);
    let ended = manager.subscribe(filter.clone(), notes(&log, "ended"));
    let (put, get) = channel();
    let told = log.clone();
    let stays = manager.subscribe(filter.clone(), move |note, cx| {
        let own = get.recv().expect("its own id");
        told.add(format!("{}: {}", note.0, cx.unsubscribe(own)));
    });
    put.send(stays)?;
    let script = Do::new(move |cx| {
        let sent = cx.send(nobody, Note("kept")).expect("it is there");
        assert_eq!(sent.pending, 2);
        assert!(cx.unsubscribe(ended));
        assert!(!cx.unsubscribe(ended));
    });
    manager.send(actor, script)?;
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["kept: false"]);
    Ok(())
}

// Owners.

// holds: subscriptions.sender
#[test]
fn what_a_subscriber_sends_comes_from_its_owner() -> Tested {
    let (mut manager, log, actor) = stage();
    let owner = manager.spawn((Ear::new("owner", &log),));
    manager.subscribe_for(owner, Filter::of::<Peek>(), move |_, cx| {
        cx.send(Me, Note("to myself")).expect("it is there");
        cx.send(EveryoneElse, Note("to others")).expect("sent");
        let update = Header::to(Me).stage(Stage::Update);
        let header = update.build().expect("it is whole");
        cx.post(&header, Note("later")).expect("it has a sender");
    })?;
    manager.subscribe(Filter::of::<Note>(), {
        let log = log.clone();
        move |_, cx| log.add(format!("from {}", cx.sender()))
    });
    let from = format!("from messagee {owner}");
    manager.send(actor, Peek("go"))?;
    let to_myself = ["actor: go", "owner: to myself", &from];
    let to_others = ["actor: to others", &from];
    assert_eq!(log.take(), [&to_myself[..], &to_others[..]].concat());
    manager.run_stage(Stage::Update);
    assert_eq!(log.take(), ["owner: later", &from]);
    Ok(())
}

// holds: messagees.despawn-ends
#[test]
fn a_subscription_ends_with_its_owner_and_with_what_takes_that_along() -> Tested {
    let (mut manager, log, actor) = stage();
    let (parent, child) = (manager.spawn(()), manager.spawn(()));
    manager.set_parent(child, Some(parent))?;
    let filter = Filter::of::<Note>();
    let one = manager.subscribe_for(parent, filter.clone(), notes(&log, "parent's"))?;
    let two = manager.subscribe_for(child, filter.clone(), notes(&log, "child's"))?;
    manager.subscribe(filter.clone(), notes(&log, "nobody's"));
    manager.despawn(parent)?;
    assert_eq!(manager.send(actor, Note("a"))?.received, 2);
    assert_eq!(log.take(), ["actor: a", "nobody's: a"]);
    assert!(!manager.unsubscribe(one) && !manager.unsubscribe(two));
    Ok(())
}

// holds: messagees.leaving-subscriptions
#[test]
fn a_subscription_ends_at_once_when_its_owner_is_going_to_be_despawned() -> Tested {
    let (mut manager, log, actor) = stage();
    let owner = manager.spawn(());
    let id = manager.subscribe_for(owner, Filter::of::<Note>(), notes(&log, "owned"))?;
    let script = Do::new(move |cx| {
        cx.send(owner, Note("before")).expect("it is there");
        cx.despawn(owner).expect("it is there");
        cx.send(Everyone, Note("after")).expect("sent");
        assert!(!cx.unsubscribe(id));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["owned: before", "actor: after"]);
    Ok(())
}

// holds: messagees.leaving-subscriptions
#[test]
fn a_subscription_does_not_begin_when_its_owner_is_going_to_be_despawned() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    let script = Do::new(move |cx| {
        let hooked = told.clone();
        let (filter, owner) = (Filter::of::<Hooked>(), cx.me());
        let made = cx.subscribe_for(owner, filter, move |_, _| hooked.add("heard"));
        made.expect("it is there");
        cx.spawn((Ear::new("newcomer", &told),));
        cx.despawn(owner).expect("it is there");
    });
    manager.send(actor, script)?;
    assert!(log.take().is_empty());
    Ok(())
}

// holds: subscriptions.owner
#[test]
fn no_handler_subscribes_for_another_messagee_and_so_speaks_as_it() -> Tested {
    let (mut manager, log, actor) = stage();
    let victim = manager.spawn((Ear::new("victim", &log),));
    let filter = Filter::of::<Note>;
    let script = Do::new(move |cx| {
        let refused = cx.subscribe_for(victim, filter(), |_, cx| {
            let _ = cx.send(Everyone, Peek("forged"));
        });
        let me = Some(cx.me());
        assert_eq!(refused, Err(MessageeError::NotOneself { id: victim, me }));
        assert!(cx.subscribe_for(cx.me(), filter(), |_, _| ()).is_ok());
    });
    manager.send(actor, script)?;
    // A subscriber without an owner speaks for nobody, and one with an owner for that one.
    let told = log.clone();
    manager.subscribe(filter().once(), move |_, cx| {
        let refused = cx.subscribe_for(victim, filter(), |_, _| ());
        told.add(refused.map_or_else(|error| error.to_string(), |_| "made".to_owned()));
    });
    let told = log.clone();
    manager.subscribe_for(victim, filter().once(), move |_, cx| {
        let own = cx.subscribe_for(victim, filter(), |_, _| ());
        told.add(own.map_or_else(|error| error.to_string(), |_| "made".to_owned()));
    })?;
    manager.send(actor, Note("go"))?;
    let expected = [
        "actor: go".to_owned(),
        format!(
            "a subscriber without an owner cannot subscribe for messagee {victim}: expected its own \
             messagee, or one spawned in this dispatch"
        ),
        "made".to_owned(),
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: messagees.speaks-for-messagee
#[test]
fn a_component_that_is_hooked_to_another_messagee_speaks_for_that_one() -> Tested {
    let (mut manager, log, actor) = stage();
    let host = manager.spawn(());
    let guest = Actor::new("guest", &log);
    let script = Do::new(move |cx| {
        cx.hook(host, guest).expect("it is there");
    });
    manager.send(actor, script)?;
    let told = log.clone();
    manager.subscribe(Filter::of::<Peek>(), move |_, cx| {
        told.add(cx.sender().to_string());
    });
    let script = Do::new(|cx| {
        cx.send(Everyone, Peek("as the host")).expect("sent");
    });
    manager.send(host, script)?;
    let heard = log.take();
    let last = heard.iter().find(|line| line.starts_with("messagee"));
    assert_eq!(last, Some(&format!("messagee {host}")), "{heard:?}");
    Ok(())
}

// holds: reentrancy.leaving-unchangeable, messagees.other-manager
#[test]
fn nobody_subscribes_for_a_messagee_that_is_gone_or_going_or_of_another_manager() -> Tested {
    let (mut manager, _, actor) = stage();
    let gone = manager.spawn(());
    manager.despawn(gone)?;
    let foreign = MessageManager::new().spawn(());
    let filter = Filter::of::<Note>();
    for (id, error) in [
        (
            gone,
            MessageeError::Absent {
                id: gone,
                why: Absence::Gone,
            },
        ),
        (
            foreign,
            MessageeError::Absent {
                id: foreign,
                why: Absence::OtherManager,
            },
        ),
    ] {
        assert_eq!(
            manager.subscribe_for(id, filter.clone(), |_, _| ()),
            Err(error)
        );
    }
    let going = manager.spawn(());
    let script = Do::new(move |cx| {
        cx.despawn(going).expect("it is there");
        for (id, error) in [
            (
                gone,
                MessageeError::Absent {
                    id: gone,
                    why: Absence::Gone,
                },
            ),
            (
                going,
                MessageeError::Absent {
                    id: going,
                    why: Absence::Leaving,
                },
            ),
        ] {
            assert_eq!(cx.subscribe_for(id, filter.clone(), |_, _| ()), Err(error));
        }
    });
    manager.send(actor, script)?;
    assert_eq!(manager.send(actor, Note(""))?.received, 1);
    Ok(())
}

// holds: subscriptions.owner, messagees.despawn-ends
#[test]
fn a_newborn_can_own_a_subscription() -> Tested {
    let (mut manager, log, actor) = stage();
    let (subscriber, (put, get)) = (notes(&log, "newborn's"), slot());
    let script = Do::new(move |cx| {
        let newborn = cx.spawn(());
        let made = cx.subscribe_for(newborn, Filter::of::<Note>(), subscriber);
        made.expect("it comes alive");
        put(newborn);
    });
    manager.send(actor, script)?;
    manager.send(actor, Note("a"))?;
    manager.despawn(get())?;
    manager.send(actor, Note("b"))?;
    assert_eq!(log.take(), ["actor: a", "newborn's: a", "actor: b"]);
    Ok(())
}

/// Logs when it is dropped.
struct Told(Log, usize);

impl Drop for Told {
    fn drop(&mut self) {
        self.0.add(self.1.to_string());
        assert_ne!(self.1, 13, "it hurts");
    }
}

/// Returns twenty subscriptions of all kinds, made by `enter`, whose closures report when they are dropped.
fn make_all_kinds(
    log: &Log,
    manager: &mut MessageManager,
    mut enter: impl FnMut(&mut MessageManager, Filter<Note>, Told) -> SubscriptionId,
) -> Vec<SubscriptionId> {
    let ids: Vec<MessageeId> = (0..10).map(|_| manager.spawn(())).collect();
    let filters = (0..20).map(|at| match at % 4 {
        0 => Filter::of(),
        1 => Filter::of().once(),
        2 => Filter::of().to(ids[at / 2]),
        _ => Filter::of().to(Everyone).hidden(),
    });
    let entered = filters.zip([0, 3, -2].into_iter().cycle()).enumerate();
    entered
        .map(|(at, (filter, priority))| (at, filter.priority(priority)))
        .map(|(at, filter)| enter(manager, filter, Told(log.clone(), at)))
        .collect()
}

// holds: subscriptions.drop-order
#[test]
fn the_closures_of_an_owner_that_goes_are_dropped_in_the_order_subscribed() -> Tested {
    let (mut manager, log, _) = stage();
    let owner = manager.spawn(());
    let made = make_all_kinds(&log, &mut manager, |manager, filter, told| {
        let made = manager.subscribe_for(owner, filter, move |_, _| drop(told.0.take()));
        made.expect("it is there")
    });
    for at in [13, 0, 2, 4, 1, 19] {
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            manager.unsubscribe(made[at])
        }));
        assert_eq!(ended.is_err(), at == 13);
    }
    log.take();
    manager.despawn(owner)?;
    let left = (0..20).filter(|at| ![13, 0, 2, 4, 1, 19].contains(at));
    assert!(log.take().into_iter().eq(left.map(|at| at.to_string())));
    Ok(())
}

// holds: subscriptions.drop-order, subscriptions.drop-panics
#[test]
fn the_closures_of_a_manager_that_goes_are_dropped_in_the_order_subscribed_also_if_one_panics() {
    let (mut manager, log, _) = stage();
    make_all_kinds(&log, &mut manager, |manager, filter, told| {
        if told.1 % 3 == 0 {
            return manager.subscribe(Filter::all(), move |_, _| drop(told.0.take()));
        }
        manager.subscribe(filter, move |_, _| drop(told.0.take()))
    });
    assert!(panic_of(|| drop(manager)).contains("it hurts"));
    let all = (0..20).map(|at: usize| at.to_string());
    assert!(log.take().into_iter().eq(all));
}

// The available operations.

// holds: reentrancy.existence-waits, reentrancy.looks-as-before
#[test]
fn a_subscriber_changes_and_looks_at_everything_as_a_handler_does() -> Tested {
    mnemonic!(FOUND);
    group!(FOUND_TOO);
    let (mut manager, log, actor) = stage();
    let (put, get) = slot();
    let mut put = Some(put);
    let told = log.clone();
    manager.subscribe(Filter::of::<Peek>().once(), move |_, cx| {
        let child = cx.spawn((Ear::new("child", &told),));
        let hook = cx.hook(child, Ear::new("twin", &told)).expect("it comes");
        cx.set_parent(child, Some(actor)).expect("it comes");
        cx.bind(FOUND, child).expect("it is free");
        assert_eq!(cx.join(FOUND_TOO, child), Ok(true));
        assert!(cx.is_alive(actor) && !cx.is_alive(child));
        assert_eq!(cx.get::<Actor>(actor).map(|it| it.name), Ok("actor"));
        assert_eq!(cx.request(actor, Who), Ok("actor"));
        let put = put.take().expect("it is called once");
        put((child, hook));
    });
    manager.send(actor, Peek("go"))?;
    let (child, hook) = get();
    assert_eq!(manager.bound(FOUND), Some(child));
    assert!(manager.members(FOUND_TOO).eq([child]));
    assert_eq!(manager.parent(child), Some(actor));
    assert_eq!(manager.unhook::<Ear>(hook)?.name, "twin");
    Ok(())
}
