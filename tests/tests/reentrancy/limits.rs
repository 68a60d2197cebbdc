//! The bounds: how deep sends may be nested, and how many deliveries may be kept.

use std::time::Duration;

use crate::common::{Actor, Do, Ear, Log, Note, Tested, stage};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::error::Limit;
use message_core::prelude::*;

/// Is passed on to the next in line, for as long as that works.
#[derive(Message)]
struct Baton;

#[derive(Default)]
struct Runner {
    next: Option<MessageeId>,
    received: usize,
    refused: Option<SendError>,
}

#[handlers]
impl Runner {
    #[on_receive]
    fn run(&mut self, _: &Baton, cx: &mut Context<'_>) {
        self.received += 1;
        if let Some(next) = self.next {
            self.refused = cx.send(next, Baton).err();
        }
    }
}

/// Runners in a row, each with the next one to run to.
fn row(manager: &mut MessageManager, length: usize) -> Result<Vec<MessageeId>, MessageeError> {
    let spawned = (0..length).map(|_| manager.spawn((Runner::default(),)));
    let ids: Vec<MessageeId> = spawned.collect();
    for pair in ids.windows(2) {
        manager.get_mut::<Runner>(pair[0])?.next = Some(pair[1]);
    }
    Ok(ids)
}

fn has_received(manager: &MessageManager) -> Vec<usize> {
    manager
        .iter::<Runner>()
        .map(|(_, it)| it.received)
        .collect()
}

// holds: reentrancy.default-depth
#[test]
fn the_nesting_depth_is_80_and_the_kept_deliveries_are_1_048_576_unless_told() -> Tested {
    let mut manager = MessageManager::new();
    let ids = row(&mut manager, 82)?;
    manager.send(ids[0], Baton)?;
    let received = has_received(&manager);
    assert_eq!(received.iter().sum::<usize>(), 80);
    let last = manager.get::<Runner>(ids[79])?;
    assert!(matches!(
        last.refused.as_ref().map(SendError::kind),
        Some(SendErrorKind::AtLimit {
            limit: Limit::Depth(80),
            ..
        })
    ));
    assert_eq!(
        ManagerConfig::default(),
        ManagerConfig::new().max_kept(1_048_576)
    );
    Ok(())
}

// holds: reentrancy.bounds
#[test]
fn a_send_past_the_depth_fails_and_names_message_recipient_and_chain() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(3));
    let ids = row(&mut manager, 5)?;
    manager.send(ids[0], Baton)?;
    assert_eq!(has_received(&manager), [1, 1, 1, 0, 0]);
    let third = manager.get::<Runner>(ids[2])?;
    let refused = third.refused.as_ref().expect("the third was refused");
    let SendErrorKind::AtLimit {
        limit: Limit::Depth(limit),
        chain,
    } = refused.kind()
    else {
        panic!("{refused}");
    };
    let about = (refused.to(), refused.message(), *limit);
    assert_eq!(about, (Some(ids[3].into()), Some(Baton::NAME), 3));
    let links: Vec<_> = chain
        .links()
        .iter()
        .filter_map(|link| link.receiver.messagee())
        .collect();
    assert_eq!(links, ids[..3]);
    let text = refused.to_string();
    for part in [Baton::NAME, "messagee 3v0", "Runner", "limits.rs"] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    Ok(())
}

// holds: reentrancy.bounds
#[test]
fn every_kind_of_send_is_held_to_the_depth() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(1));
    let actor = manager.spawn((Actor::new("actor", &log),));
    let ear = manager.spawn((Ear::new("ear", &log),));
    let script = Do::new(move |cx| {
        let too_deep = |refused: Option<SendError>| {
            matches!(
                refused.map(SendError::into_kind),
                Some(SendErrorKind::AtLimit {
                    limit: Limit::Depth(_),
                    ..
                })
            )
        };
        assert!(too_deep(cx.send(ear, Note("")).err()));
        assert!(too_deep(cx.send(Me, Note("")).err()));
        assert!(too_deep(cx.send_mut(ear, &mut Note("")).err()));
        assert!(too_deep(cx.request(ear, crate::common::Who).err()));
        assert!(too_deep(
            cx.request_all(EveryoneElse, crate::common::Who).err()
        ));
        assert!(too_deep(cx.send(ear, Note("")).err()));
    });
    assert_eq!(manager.send(actor, script)?.received, 1);
    assert!(log.take().is_empty());
    Ok(())
}

// holds: reentrancy.bounds
#[test]
fn what_was_accepted_before_the_depth_was_reached_is_still_delivered() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(2));
    let actor = manager.spawn((Actor::new("actor", &log),));
    let other = manager.spawn((Actor::new("other", &log),));
    let script = Do::new(move |cx| {
        let newborn = cx.spawn(());
        cx.send(actor, Note("kept")).expect("kept");
        let nested = Do::new(move |cx| {
            cx.send(actor, Note("too deep")).expect_err("too deep");
        });
        cx.send(other, nested).expect("sent");
        cx.set_parent(newborn, Some(actor)).expect("it will be");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["actor: kept"]);
    assert_eq!(manager.children(actor).count(), 1);
    Ok(())
}

#[test]
fn a_kept_message_is_delivered_at_the_depth_of_the_one_it_waited_for() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(2));
    let actor = manager.spawn((Actor::new("actor", &log),));
    let ear = manager.spawn((Ear::new("ear", &log),));
    let script = Do::new(move |cx| {
        let kept = Do::new(move |cx| {
            cx.send(ear, Note("two deep")).expect("not too deep");
        });
        cx.send(Me, kept).expect("kept");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["ear: two deep"]);
    Ok(())
}

// holds: reentrancy.bounds
#[test]
fn a_delivery_past_the_kept_ones_fails_and_names_message_recipient_and_chain() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(2));
    let actor = manager.spawn((Actor::new("actor", &log),));
    let told = log.clone();
    let script = Do::new(move |cx| {
        cx.send(actor, Note("1")).expect("kept");
        cx.send(actor, Note("2")).expect("kept");
        let refused = cx.send(actor, Note("3")).expect_err("one too many");
        let text = refused.to_string();
        for part in [
            Note::NAME,
            &format!("messagee {actor}"),
            "Actor",
            "limits.rs",
        ] {
            assert!(text.contains(part), "{part} is not in: {text}");
        }
        let SendErrorKind::AtLimit {
            limit: Limit::Kept(limit),
            chain,
        } = refused.kind()
        else {
            panic!("{refused}");
        };
        let about = (refused.to(), refused.message(), *limit);
        assert_eq!(about, (Some(actor.into()), Some(Note::NAME), 2));
        assert_eq!(chain.links().len(), 1);
        assert_eq!(chain.links()[0].receiver.messagee(), Some(actor));
        told.add("refused");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["refused", "actor: 1", "actor: 2"]);
    Ok(())
}

// holds: reentrancy.kept-full-lost-for-one
#[test]
fn receivers_that_were_free_have_received_what_could_not_be_kept() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(0));
    let actor = manager.spawn((Actor::new("actor", &log), Ear::new("ear", &log)));
    let script = Do::new(move |cx| {
        let refused = cx.send(Me, Note("!"));
        assert!(matches!(
            refused.map_err(SendError::into_kind),
            Err(SendErrorKind::AtLimit {
                limit: Limit::Kept(_),
                ..
            })
        ));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["ear: !"]);
    Ok(())
}

// holds: reentrancy.kept-full-lost-for-one
#[test]
fn what_cannot_be_kept_takes_nothing_from_staged_subscribers_and_retention() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(0));
    let actor = manager.spawn((Actor::new("actor", &log),));
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>(), move |note, _| {
        told.add(format!("at once: {}", note.0));
    });
    let told = log.clone();
    let staged = Filter::of::<Note>().stage(Stage::Update);
    manager.subscribe(staged, move |note, _| {
        told.add(format!("staged: {}", note.0));
    });
    let retains = Header::to(actor).retain().build()?;
    let script = Do::new(move |cx| {
        let refused = cx.post(&retains, Note("!"));
        assert!(matches!(
            refused.map_err(SendError::into_kind),
            Err(SendErrorKind::AtLimit {
                limit: Limit::Kept(_),
                ..
            })
        ));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["at once: !"]);
    manager.tick(Duration::from_millis(1));
    assert_eq!(log.take(), ["staged: !"]);
    let told = log.clone();
    let retained = Filter::of::<Note>().with_retained();
    manager.subscribe(retained, move |note, _| {
        told.add(format!("late: {}", note.0));
    });
    assert_eq!(log.take(), ["late: !"]);
    Ok(())
}

// holds: reentrancy.bounds
#[test]
fn a_component_that_writes_to_itself_for_ever_ends_with_too_many_kept() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(1000));
    let runner = manager.spawn((Runner::default(),));
    manager.get_mut::<Runner>(runner)?.next = Some(runner);
    manager.send(runner, Baton)?;
    let it = manager.get::<Runner>(runner)?;
    assert_eq!(it.received, 1001);
    assert!(matches!(
        it.refused.as_ref().map(SendError::kind),
        Some(SendErrorKind::AtLimit {
            limit: Limit::Kept(1000),
            ..
        })
    ));
    Ok(())
}

// holds: reentrancy.bounds
#[test]
fn two_components_that_write_to_each_other_for_ever_end_too() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(100));
    let ids = row(&mut manager, 2)?;
    manager.get_mut::<Runner>(ids[1])?.next = Some(ids[0]);
    manager.send(ids[0], Baton)?;
    assert_eq!(has_received(&manager), [101, 101]);
    Ok(())
}

// holds: reentrancy.bounds
#[test]
fn messagees_that_spawn_one_another_and_write_to_it_for_ever_end_too() -> Tested {
    #[derive(Default)]
    struct Parent(bool);
    #[handlers]
    impl Parent {
        #[on_receive]
        fn bear(&mut self, _: &Baton, cx: &mut Context<'_>) {
            let child = cx.spawn((Self::default(),));
            self.0 = cx.send(child, Baton).is_err();
        }
    }
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(50));
    let first = manager.spawn((Parent::default(),));
    manager.send(first, Baton)?;
    assert_eq!(manager.len(), 52);
    let refused = manager.iter::<Parent>().filter(|(_, parent)| parent.0);
    assert_eq!(refused.count(), 1);
    Ok(())
}

// holds: reentrancy.bounds
#[test]
fn the_kept_deliveries_are_counted_anew_for_each_outermost_send() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(1));
    let actor = manager.spawn((Actor::new("actor", &log),));
    for _ in 0..5 {
        let script = Do::new(move |cx| {
            cx.send(actor, Note("kept"))
                .expect("the first of this send");
            cx.send(actor, Note("kept")).expect_err("the second");
        });
        manager.send(actor, script)?;
        assert_eq!(log.take(), ["actor: kept"]);
    }
    Ok(())
}

// holds: reentrancy.bounds
#[test]
fn a_manager_at_its_limits_stays_usable() -> Tested {
    let (mut manager, log, actor) = stage();
    let ids = row(&mut manager, 100)?;
    manager.send(ids[0], Baton)?;
    manager.send(ids[0], Baton)?;
    assert_eq!(has_received(&manager).iter().sum::<usize>(), 160);
    manager.send(actor, Note("still here"))?;
    assert_eq!(log.take(), ["actor: still here"]);
    Ok(())
}
