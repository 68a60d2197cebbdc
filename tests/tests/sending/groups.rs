//! Groups: well-known addresses of many messagees that join and leave.

use std::time::Duration;

use crate::common::{Actor, Do, Ear, Log, Note, Tested, Tour, Who, slot, stage};
use message_core::Group;
use message_core::prelude::*;
use message_tests_polite::renamed_crate::{FIGHTERS, GetHp, Health};

group! {
    /// The members that fight together.
    SQUAD,
    CROWD,
    NAMED = "groups.named",
}

mod elsewhere {
    message_core::group!(pub(crate) SQUAD, pub(crate) RENAMED = "groups.named");
}

/// Three ears that have joined the squad in the order `c`, `a`, `b`.
fn squad() -> Result<(MessageManager, Log, [MessageeId; 3]), MessageeError> {
    let (mut manager, log) = (MessageManager::new(), Log::default());
    let ids = ["a", "b", "c"].map(|name| manager.spawn((Ear::new(name, &log),)));
    for id in [ids[2], ids[0], ids[1]] {
        assert!(manager.join(SQUAD, id)?);
    }
    Ok((manager, log, ids))
}

fn members(manager: &MessageManager, group: Group) -> Vec<MessageeId> {
    manager.members(group).collect()
}

// Membership.

#[test]
fn a_group_is_its_name() -> Tested {
    assert_eq!(SQUAD.name(), "sending::groups::SQUAD");
    assert_eq!(elsewhere::SQUAD.name(), "sending::groups::elsewhere::SQUAD");
    assert_ne!(SQUAD, elsewhere::SQUAD);
    assert_eq!(NAMED, elsewhere::RENAMED);
    let (mut manager, log, id) = stage();
    manager.join(NAMED, id)?;
    manager.send(elsewhere::RENAMED, Note("a"))?;
    manager.send(elsewhere::SQUAD, Note("b"))?;
    assert_eq!(log.take(), ["actor: a"]);
    Ok(())
}

#[test]
fn the_members_are_in_the_order_in_which_they_joined() -> Tested {
    let (mut manager, _, [a, b, c]) = squad()?;
    assert_eq!(members(&manager, SQUAD), [c, a, b]);
    assert!(members(&manager, CROWD).is_empty());
    assert!(manager.leave(SQUAD, c)?);
    assert!(manager.join(SQUAD, c)?);
    assert_eq!(members(&manager, SQUAD), [a, b, c]);
    Ok(())
}

// holds: send.to-group
#[test]
fn who_joins_twice_is_a_member_once_and_keeps_the_place() -> Tested {
    let (mut manager, log, [a, b, c]) = squad()?;
    assert!(!manager.join(SQUAD, c)?);
    assert_eq!(members(&manager, SQUAD), [c, a, b]);
    assert_eq!(manager.send(SQUAD, Note("x"))?.received, 3);
    assert_eq!(log.take(), ["c: x", "a: x", "b: x"]);
    assert!(manager.leave(SQUAD, c)?);
    assert!(!manager.leave(SQUAD, c)?);
    assert_eq!(members(&manager, SQUAD), [a, b]);
    Ok(())
}

// holds: messagees.other-manager
#[test]
fn a_messagee_may_be_in_several_groups_of_several_managers() -> Tested {
    let (mut manager, _, [a, _, _]) = squad()?;
    let (mut other, _, [x, y, z]) = squad()?;
    assert!(manager.join(CROWD, a)?);
    manager.leave(SQUAD, a)?;
    assert_eq!(members(&manager, CROWD), [a]);
    assert!(members(&other, CROWD).is_empty());
    assert_eq!(members(&other, SQUAD), [z, x, y]);
    let foreign = Err(MessageeError::Absent {
        id: a,
        why: Absence::OtherManager,
    });
    assert_eq!(other.join(SQUAD, a), foreign);
    assert_eq!(other.leave(SQUAD, a), foreign);
    Ok(())
}

// holds: messagees.errors-change-nothing
#[test]
fn who_is_gone_neither_joins_nor_leaves() -> Tested {
    let (mut manager, _, [a, b, c]) = squad()?;
    manager.despawn(a)?;
    let gone = Err(MessageeError::Absent {
        id: a,
        why: Absence::Gone,
    });
    assert_eq!(manager.join(CROWD, a), gone);
    assert_eq!(manager.leave(SQUAD, a), gone);
    assert_eq!(members(&manager, SQUAD), [c, b]);
    Ok(())
}

// holds: messagees.despawn-ends
#[test]
fn a_despawned_messagee_leaves_its_groups() -> Tested {
    let (mut manager, log, [a, b, c]) = squad()?;
    manager.join(CROWD, a)?;
    manager.set_parent(b, Some(a))?;
    manager.despawn(a)?;
    assert_eq!(members(&manager, SQUAD), [c]);
    assert!(members(&manager, CROWD).is_empty());
    // A newcomer in its place is in none.
    let newcomer = manager.spawn((Ear::new("newcomer", &log),));
    manager.send(SQUAD, Note("x"))?;
    assert_eq!(log.take(), ["c: x"]);
    assert!(manager.join(SQUAD, newcomer)?);
    assert_eq!(members(&manager, SQUAD), [c, newcomer]);
    Ok(())
}

// holds: send.to-group
#[test]
fn a_group_of_another_crate_can_be_joined_and_written_to() -> Tested {
    let mut manager = MessageManager::new();
    let fighters = [3, 5].map(|hp| manager.spawn((Health { hp },)));
    for id in fighters {
        manager.join(FIGHTERS, id)?;
    }
    let answers = manager.request_all(FIGHTERS, GetHp)?;
    assert_eq!(answers, [(fighters[0], 3), (fighters[1], 5)]);
    Ok(())
}

// Sending.

// holds: send.to-group
#[test]
fn a_send_to_a_group_reaches_its_members_in_the_order_in_which_they_joined() -> Tested {
    let (mut manager, log, [_, _, c]) = squad()?;
    manager.spawn((Ear::new("no member", &log),));
    manager.hook(c, Ear::new("second c", &log))?;
    assert_eq!(manager.send(SQUAD, Note("x"))?.received, 4);
    assert_eq!(log.take(), ["c: x", "second c: x", "a: x", "b: x"]);
    let mut tour = Tour::default();
    manager.send_mut(SQUAD, &mut tour)?;
    assert_eq!(tour.0, ["c", "second c", "a", "b"]);
    Ok(())
}

// holds: send.to-group, send.request-first-answer
#[test]
fn a_request_to_a_group_is_answered_by_its_first_member() -> Tested {
    let (mut manager, _, [a, b, c]) = squad()?;
    assert_eq!(manager.request(SQUAD, Who)?, "c");
    let answers = manager.request_all(SQUAD, Who)?;
    assert_eq!(answers, [(c, "c"), (a, "a"), (b, "b")]);
    Ok(())
}

#[test]
fn a_message_that_is_posted_to_a_group_reaches_who_is_a_member_when_it_is_delivered() -> Tested {
    let (mut manager, log, [a, b, c]) = squad()?;
    let header = Header::to(SQUAD).after_frames(1).build()?;
    manager.post(&header, Note("x"))?;
    manager.leave(SQUAD, c)?;
    manager.despawn(a)?;
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["b: x"]);
    assert_eq!(members(&manager, SQUAD), [b]);
    Ok(())
}

// holds: send.empty-group
#[test]
fn a_group_without_members_is_no_error() -> Tested {
    let (mut manager, _, _) = stage();
    assert_eq!(manager.send(CROWD, Note(""))?, Receipt::default());
    assert_eq!(manager.send_mut(CROWD, &mut Tour::default())?.received, 0);
    assert_eq!(manager.request_all(CROWD, Who)?, []);
    let refused = manager.request(CROWD, Who);
    assert!(matches!(
        refused.map_err(SendError::into_kind),
        Err(SendErrorKind::NoAnswer { .. })
    ));
    manager.post(&Header::to(CROWD).build()?, Note(""))?;
    let later = Header::to(CROWD).stage(Stage::Update).build()?;
    manager.post(&later, Note(""))?;
    assert_eq!(manager.tick(Duration::ZERO).dead_letters, 0);
    Ok(())
}

// holds: reentrancy.send-to-anyone, reentrancy.busy-kept, reentrancy.busy-request
#[test]
fn a_member_may_write_to_its_group_itself_included() -> Tested {
    let (mut manager, log, [..]) = squad()?;
    let actor = manager.spawn((Actor::new("actor", &log),));
    manager.join(SQUAD, actor)?;
    let told = log.clone();
    let script = Do::new(move |cx| {
        let receipt = cx.send(SQUAD, Note("x")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (3, 1));
        let refused = cx.request_all(SQUAD, Who);
        assert!(matches!(
            refused.map_err(SendError::into_kind),
            Err(SendErrorKind::Busy { .. })
        ));
        told.add("done");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["c: x", "a: x", "b: x", "done", "actor: x"]);
    Ok(())
}

// In handlers.

// holds: reentrancy.addresses-at-once
#[test]
fn in_a_handler_a_group_changes_at_once() -> Tested {
    let (mut manager, log, [a, b, c]) = squad()?;
    let actor = manager.spawn((Actor::new("actor", &log),));
    let script = Do::new(move |cx| {
        assert_eq!(cx.join(SQUAD, actor), Ok(true));
        assert_eq!(cx.join(SQUAD, actor), Ok(false), "it is one");
        assert_eq!(cx.leave(SQUAD, c), Ok(true));
        assert_eq!(cx.leave(SQUAD, c), Ok(false), "it is none");
        assert_eq!(cx.leave(CROWD, c), Ok(false));
        assert_eq!(cx.join(SQUAD, a), Ok(false), "it is one");
        assert!(cx.members(SQUAD).eq([a, b, actor]));
        let sent = cx.send(SQUAD, Note("x"));
        assert_eq!(sent.map(|it| (it.received, it.pending)), Ok((2, 1)));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["a: x", "b: x", "actor: x"]);
    assert_eq!(members(&manager, SQUAD), [a, b, actor]);
    Ok(())
}

// holds: reentrancy.receivers-at-begin
#[test]
fn who_joins_while_a_message_to_the_group_is_under_way_does_not_receive_it() -> Tested {
    /// Adds a messagee to the squad when it receives a note.
    struct Recruiter(MessageeId);
    #[handlers]
    impl Recruiter {
        #[on_receive]
        fn note(&mut self, _: &Note, cx: &mut Context<'_>) {
            let _ = cx.join(SQUAD, self.0);
        }
    }
    let (mut manager, log, [_, _, c]) = squad()?;
    let recruit = manager.spawn((Ear::new("recruit", &log),));
    manager.hook(c, Recruiter(recruit))?;
    assert_eq!(manager.send(SQUAD, Note("now"))?.received, 4);
    assert_eq!(log.take(), ["c: now", "a: now", "b: now"]);
    assert_eq!(manager.send(SQUAD, Note("then"))?.received, 5);
    Ok(())
}

// holds: reentrancy.addresses-at-once
#[test]
fn in_a_handler_changes_are_made_in_the_order_asked_for() -> Tested {
    let (mut manager, log, [a, b, c]) = squad()?;
    let actor = manager.spawn((Actor::new("actor", &log),));
    let script = Do::new(move |cx| {
        assert_eq!(cx.leave(SQUAD, c), Ok(true));
        assert_eq!(cx.join(SQUAD, actor), Ok(true));
        assert_eq!(cx.join(SQUAD, c), Ok(true));
        assert_eq!(cx.join(CROWD, a), Ok(true));
        assert_eq!(cx.leave(CROWD, a), Ok(true));
    });
    manager.send(actor, script)?;
    assert_eq!(members(&manager, SQUAD), [a, b, actor, c]);
    assert!(members(&manager, CROWD).is_empty());
    Ok(())
}

// holds: reentrancy.leaving-unchangeable, reentrancy.leaving-keeps-addresses, reentrancy.leaving-skipped
#[test]
fn in_a_handler_who_is_gone_or_going_is_an_error_at_once() -> Tested {
    let (mut manager, log, [a, b, c]) = squad()?;
    let actor = manager.spawn((Actor::new("actor", &log),));
    manager.despawn(a)?;
    let script = Do::new(move |cx| {
        assert_eq!(cx.join(CROWD, b), Ok(true));
        cx.despawn(b).expect("it is there");
        let gone = MessageeError::Absent {
            id: a,
            why: Absence::Gone,
        };
        let leaving = MessageeError::Absent {
            id: b,
            why: Absence::Leaving,
        };
        for (id, error) in [(a, gone), (b, leaving)] {
            assert_eq!(cx.join(CROWD, id), Err(error.clone()));
            assert_eq!(cx.leave(SQUAD, id), Err(error));
        }
        assert!(cx.members(SQUAD).eq([c, b]), "it is one until then");
        assert_eq!(cx.send(SQUAD, Note("x")).map(|it| it.received), Ok(1));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["c: x"]);
    assert_eq!(members(&manager, SQUAD), [c]);
    assert!(members(&manager, CROWD).is_empty());
    Ok(())
}

// holds: reentrancy.newborn-named
#[test]
fn a_newborn_can_join() -> Tested {
    let (mut manager, log, actor) = stage();
    let (put, get) = slot();
    let told = log.clone();
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((Ear::new("newborn", &told),));
        assert_eq!(cx.join(SQUAD, newborn), Ok(true));
        let stillborn = cx.spawn((Ear::new("stillborn", &told),));
        assert_eq!(cx.join(SQUAD, stillborn), Ok(true));
        cx.despawn(stillborn).expect("it would come alive");
        put(newborn);
    });
    manager.send(actor, script)?;
    assert_eq!(members(&manager, SQUAD), [get()]);
    manager.send(SQUAD, Note("x"))?;
    assert_eq!(log.take(), ["newborn: x"]);
    Ok(())
}

// holds: messagees.disabled
#[test]
fn disabled_components_of_members_receive_nothing() -> Tested {
    let (mut manager, log, [a, _, _]) = squad()?;
    let hook = crate::common::first_hook(&manager, a);
    manager.set_enabled(hook, false)?;
    assert_eq!(manager.send(SQUAD, Note("x"))?.received, 2);
    assert_eq!(log.take(), ["c: x", "b: x"]);
    Ok(())
}
