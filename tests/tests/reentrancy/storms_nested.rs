//! Storms of nested sends, sends that are not storms, and the state afterwards.

use crate::common::{Do, Ear, Log, Note, Tested};
use crate::storming::{
    ANN_PONGS, Ann, BOB_PINGS, Bob, Clock, MAX_KEPT, MIRROR_PONGS, Mirror, Ping, Tick, calm, chain,
    cycle, failures, hop, hops,
};
use message_core::Recipient::Me;
use message_core::error::Limit;
use message_core::prelude::*;

// Nested.

// holds: reentrancy.cycle-named
#[test]
fn two_that_answer_each_other_nested_are_named_with_messages_and_places() -> Tested {
    let mut manager = MessageManager::new();
    let told = failures(&mut manager);
    let one = manager.spawn(());
    let two = manager.spawn((Mirror { to: one.into() },));
    manager.hook(one, Mirror { to: two.into() })?;
    manager.send(one, Ping)?;
    let error = told.try_recv()?;
    assert!(matches!(
        error.kind(),
        SendErrorKind::AtLimit {
            limit: Limit::Depth(_),
            ..
        }
    ));
    let expected = [
        hop("Mirror 0v0", "Ping", MIRROR_PONGS + 5),
        hop("Mirror 1v0", "Pong", MIRROR_PONGS),
    ];
    assert_eq!(hops(&error), expected);
    let text = error.to_string();
    assert!(text.contains("` …; running: "), "{text}");
    assert!(text.contains(", … 78 more …, then "), "{text}");
    assert_eq!(chain(&error).links().len(), 80);
    Ok(())
}

/// Mirrors in a row, each reflecting to the next. The first one's id.
fn row(manager: &mut MessageManager, length: usize) -> Vec<MessageeId> {
    let mut ids = vec![manager.spawn(())];
    for _ in 1..length {
        let to = Recipient::Id(ids[ids.len() - 1]);
        ids.push(manager.spawn((Mirror { to },)));
    }
    ids.reverse();
    ids
}

// holds: reentrancy.chain-is-no-cycle
#[test]
fn a_walk_along_a_list_is_no_cycle() -> Tested {
    let mut manager = MessageManager::new();
    let told = failures(&mut manager);
    let ids = row(&mut manager, 100);
    manager.send(ids[0], Ping)?;
    let error = told.try_recv()?;
    assert_eq!(chain(&error).cycle(), None);
    let text = error.to_string();
    assert!(!text.contains("cycle"), "{text}");
    assert!(text.contains(", … 72 more …, then "), "{text}");
    Ok(())
}

// holds: reentrancy.chain-is-no-cycle
#[test]
fn a_walk_down_a_tree_is_no_return_to_the_same_messagee() -> Tested {
    struct Branch;
    #[handlers]
    impl Branch {
        #[on_receive]
        fn tick(&self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
            let child = cx.children(cx.me()).next();
            match child {
                Some(child) => cx.send(Down(child), Tick).map(drop),
                None => Ok(()),
            }
        }
    }
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(10));
    let told = failures(&mut manager);
    let ids: Vec<_> = (0..12).map(|_| manager.spawn((Branch,))).collect();
    for pair in ids.windows(2) {
        manager.set_parent(pair[1], Some(pair[0]))?;
    }
    manager.send(ids[0], Tick)?;
    assert_eq!(chain(&told.try_recv()?).cycle(), None);
    Ok(())
}

// holds: reentrancy.cycle-named
#[test]
fn a_ring_is_named_in_whole_and_printed_by_its_ends() -> Tested {
    let mut manager = MessageManager::new();
    let told = failures(&mut manager);
    let ids = row(&mut manager, 20);
    let to = Recipient::Id(ids[0]);
    manager.hook(ids[19], Mirror { to })?;
    manager.send(ids[0], Tick)?;
    let error = told.try_recv()?;
    assert_eq!(cycle(&error).len(), 20);
    let text = error.to_string();
    assert!(text.contains(" → … 12 more … → "), "{text}");
    Ok(())
}

// holds: reentrancy.cycle-named
#[test]
fn a_cycle_is_found_behind_a_chain_that_leads_to_it() -> Tested {
    let mut manager = MessageManager::new();
    let told = failures(&mut manager);
    let ids = row(&mut manager, 40);
    manager.hook(ids[39], Mirror { to: Me })?;
    manager.send(ids[0], Tick)?;
    let error = told.try_recv()?;
    let last = format!("Mirror {}", ids[39]);
    assert_eq!(hops(&error), [hop(&last, "Tick", MIRROR_PONGS + 10)]);
    assert_eq!(chain(&error).links().len(), 80);
    Ok(())
}

// Sends that are not cycles.

macro_rules! steps {
    ($($from:ident -> $to:ident),*) => {
        $(
            #[derive(Message)]
            struct $from;

            #[handlers]
            impl $from {
                #[on_receive]
                fn step(&mut self, _: &$from, cx: &mut Context<'_>) -> Result<(), SendError> {
                    cx.send(Everyone, $to).map(drop)
                }
            }
        )*
    };
}

mod long {
    use super::*;

    steps!(One -> Two, Two -> Three, Three -> Four, Four -> Five, Five -> Six, Six -> Seven,
           Seven -> Eight, Eight -> Nine, Nine -> Ten, Ten -> Note2);

    #[derive(Message)]
    pub(super) struct Note2;

    // holds: reentrancy.chain-is-no-cycle
    #[test]
    fn a_long_chain_of_different_messages_is_no_cycle() -> Tested {
        let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(10));
        let told = failures(&mut manager);
        manager.spawn((One, Two, Three, Four, Five));
        manager.spawn((Six, Seven, Eight, Nine, Ten));
        manager.send(Everyone, One)?;
        let error = told.try_recv()?;
        assert_eq!(chain(&error).links().len(), 10);
        assert_eq!(chain(&error).cycle(), None);
        let text = error.to_string();
        assert!(!text.contains("a cycle"), "{text}");
        assert!(
            text.contains("already nested 10 deep, the limit "),
            "{text}"
        );
        Ok(())
    }
}

// holds: reentrancy.bounds
#[test]
fn many_messages_of_one_handler_are_no_cycle() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(3));
    let actor = manager.spawn((crate::common::Actor::new("actor", &log),));
    let (put, get) = crate::common::slot();
    let script = Do::new(move |cx| {
        let kept = (0..4).map(|_| cx.send(Me, Note("kept")));
        put(kept.last().expect("there are four"));
    });
    manager.send(actor, script)?;
    let error = get().expect_err("one too many");
    assert!(matches!(
        error.kind(),
        SendErrorKind::AtLimit {
            limit: Limit::Kept(_),
            ..
        }
    ));
    assert_eq!(chain(&error).cycle(), None);
    assert_eq!(log.take(), ["actor: kept"; 3]);
    Ok(())
}

// The smallest limits.

// holds: reentrancy.cycle-named
#[test]
fn the_first_return_is_a_cycle_at_the_smallest_depth() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(1));
    let told = failures(&mut manager);
    let mirror = manager.spawn((Mirror { to: Me },));
    manager.send(mirror, Tick)?;
    let error = told.try_recv()?;
    assert_eq!(hops(&error), [hop("Mirror 0v0", "Tick", MIRROR_PONGS + 10)]);
    assert!(error.to_string().contains("` …; running: "));

    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(2));
    let told = failures(&mut manager);
    let ann = manager.spawn((Ann { to: Everyone },));
    manager.spawn((Bob { to: ann.into() },));
    manager.send(ann, Ping)?;
    let expected = [
        hop("Ann 0v0", "Ping", BOB_PINGS),
        hop("Bob 1v0", "Pong", ANN_PONGS),
    ];
    assert_eq!(hops(&told.try_recv()?), expected);
    Ok(())
}

// holds: reentrancy.cycle-named, reentrancy.cycle-through-busy
#[test]
fn the_first_return_is_a_cycle_when_next_to_nothing_may_be_kept() -> Tested {
    for max_kept in [0, 1, 2] {
        let config = ManagerConfig::new().max_kept(max_kept);
        let mut manager = MessageManager::with_config(config);
        let told = failures(&mut manager);
        let ann = manager.spawn((Ann { to: Everyone },));
        manager.spawn((Bob { to: ann.into() },));
        manager.send(ann, Ping)?;
        let expected = [
            hop("Ann 0v0", "Ping", BOB_PINGS),
            hop("Bob 1v0", "Pong", ANN_PONGS),
        ];
        assert_eq!(hops(&told.try_recv()?), expected);
    }
    Ok(())
}

// Afterwards.

// holds: reentrancy.bounds
#[test]
fn after_a_storm_what_was_accepted_is_delivered_and_the_manager_is_as_before() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::with_config(calm());
    let told = failures(&mut manager);
    let clock = Clock {
        ticks: 1,
        received: 0,
    };
    let clock = manager.spawn((clock, Ear::new("ear", &log)));
    for round in 1..=3 {
        assert_eq!(manager.send(clock, Tick)?.received, 1);
        assert_eq!(cycle(&told.try_recv()?).len(), 1);
        let received = manager.get::<Clock>(clock)?.received;
        assert_eq!(received, round * (MAX_KEPT + 1));
        manager.send(clock, Note("still here"))?;
        assert_eq!(log.take(), ["ear: still here"]);
    }
    Ok(())
}
