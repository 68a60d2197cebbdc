//! Newborns: what a handler may do with what it has spawned or hooked while that is not there yet,
//! and what happens to messages to it.

use crate::common::{Actor, Do, Ear, Note, Tested, Tour, Who, slot, stage};
use crate::watchers::{Clerk, Reacting};
use message_core::prelude::*;

mnemonic!(WORLD);
group!(CROWD);

// holds: reentrancy.newborn-send
#[test]
fn a_message_to_a_newborn_is_delivered_right_after_it_comes_alive() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("old", &log),));
    let (first, second) = (Clerk::new("first", &log), Clerk::new("second", &log));
    let told = log.clone();
    let script = Do::new(move |cx| {
        let first = cx.spawn((first,));
        let second = cx.spawn((second,));
        let receipt = cx.send(second, Note("b")).expect("kept");
        assert_eq!((receipt.received, receipt.pending), (0, 1));
        cx.send(first, Note("a1")).expect("kept");
        cx.send(Down(first), Note("a2")).expect("kept");
        cx.send(ear, Note("at once")).expect("sent");
        told.add("done");
    });
    manager.send(actor, script)?;
    let expected = [
        "old: at once",
        "done",
        "first: hooked Clerk",
        "first: a1",
        "first: a2",
        "second: hooked Clerk",
        "second: b",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: reentrancy.newborn-send
#[test]
fn a_newborn_knows_who_wrote_to_it() -> Tested {
    let (mut manager, log, actor) = stage();
    let newborn = Actor::new("newborn", &log);
    let told = log.clone();
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((newborn,));
        let question = Do::new(move |cx| {
            assert_eq!(cx.sender(), Sender::Messagee(actor));
            assert_eq!(cx.recipient(), newborn.into());
            assert!(cx.is_alive(newborn));
            cx.send(actor, Note("hello")).expect("it is free again");
            told.add("asked");
        });
        cx.send(newborn, question).expect("kept");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["actor: hello", "asked"]);
    Ok(())
}

// holds: send.receipt
#[test]
fn a_receipt_counts_the_components_of_a_newborn_that_will_receive_it() -> Tested {
    let (mut manager, log, actor) = stage();
    let bundle = (
        Ear::new("one", &log),
        Reacting::default(),
        Ear::new("two", &log),
    );
    let script = Do::new(move |cx| {
        let newborn = cx.spawn(bundle);
        assert_eq!(cx.send(newborn, Note("!")).expect("kept").pending, 2);
        let empty = cx.spawn(());
        assert_eq!(cx.send(empty, Note("!")), Ok(Receipt::default()));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["one: !", "two: !"]);
    Ok(())
}

// holds: reentrancy.newborn-request
#[test]
fn a_request_or_in_out_message_to_a_newborn_is_not_yet_spawned() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = Ear::new("ear", &log);
    let script = Do::new(move |cx| {
        let id = cx.spawn((ear,));
        let message = Who::NAME;
        let expected = SendError::new(message, id, SendErrorKind::Absent(Absence::NotYetThere));
        assert_eq!(cx.request(id, Who), Err(expected.clone()));
        assert_eq!(cx.request_all(Up(id), Who), Err(expected));
        let refused = cx.send_mut(id, &mut Tour::default());
        assert!(matches!(
            refused.map_err(SendError::into_kind),
            Err(SendErrorKind::Absent(Absence::NotYetThere))
        ));
        let refused = cx.get::<Ear>(id).err();
        assert_eq!(
            refused,
            Some(MessageeError::Absent {
                id,
                why: Absence::NotYetThere
            })
        );
    });
    assert_eq!(manager.send(actor, script)?.received, 1);
    Ok(())
}

// holds: reentrancy.newborn-named
#[test]
fn a_newborn_can_be_hooked_to_bound_and_given_a_parent_in_the_same_dispatch() -> Tested {
    let (mut manager, log, actor) = stage();
    let (put, get) = slot();
    let ears = [Ear::new("first", &log), Ear::new("second", &log)];
    let script = Do::new(move |cx| {
        let [first, second] = ears;
        let newborn = cx.spawn((first,));
        let child = cx.spawn(());
        let hook = cx.hook(newborn, second).expect("it will be alive");
        cx.bind(WORLD, newborn).expect("free");
        cx.set_parent(newborn, Some(actor)).expect("no cycle");
        cx.set_parent(child, Some(newborn)).expect("no cycle");
        let refused = cx.set_parent(actor, Some(child));
        assert!(matches!(refused, Err(MessageeError::Cycle { .. })));
        put((newborn, child, hook));
    });
    manager.send(actor, script)?;
    let (newborn, child, hook) = get();
    assert_eq!(manager.hooks(newborn).nth(1), Some(hook));
    assert_eq!(manager.bound(WORLD), Some(newborn));
    assert_eq!(manager.parent(newborn), Some(actor));
    assert_eq!(manager.parent(child), Some(newborn));
    assert_eq!(manager.parent(actor), None);
    manager.send(WORLD, Note("!"))?;
    assert_eq!(log.take(), ["first: !", "second: !"]);
    Ok(())
}

// holds: reentrancy.newborn-send
#[test]
fn a_message_to_a_newborn_comes_before_what_is_hooked_to_it_and_is_not_promised_to_that() -> Tested
{
    let (mut manager, log, actor) = stage();
    let (clerk, ear) = (Clerk::new("clerk", &log), Ear::new("ear", &log));
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((clerk,));
        cx.hook(newborn, ear).expect("it will be alive");
        let receipt = cx.send(newborn, Note("welcome")).expect("kept");
        assert_eq!(receipt.pending, 1);
    });
    manager.send(actor, script)?;
    let expected = ["clerk: hooked Clerk", "clerk: welcome", "clerk: hooked Ear"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: reentrancy.leaving-unchangeable, reentrancy.leaving-skipped
#[test]
fn a_newborn_can_be_despawned_in_the_same_dispatch_and_receives_the_farewell_alone() -> Tested {
    let (mut manager, log, actor) = stage();
    let (put, get) = slot();
    let clerk = Clerk::new("clerk", &log);
    let ear = Ear::new("ear", &log);
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((clerk,));
        cx.send(newborn, Note("lost")).expect("kept");
        cx.despawn(newborn).expect("it will be alive");
        let gone = MessageeError::Absent {
            id: newborn,
            why: Absence::Leaving,
        };
        assert_eq!(cx.despawn(newborn), Err(gone.clone()));
        assert_eq!(cx.hook(newborn, ear), Err(gone.clone()));
        assert_eq!(cx.bind(WORLD, newborn), Err(gone.clone()));
        assert_eq!(cx.set_parent(newborn, None), Err(gone.clone()));
        assert_eq!(cx.set_parent(actor, Some(newborn)), Err(gone));
        let refused = cx.send(newborn, Note("lost too"));
        assert!(matches!(
            refused,
            Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Leaving) && error.to() == Some(newborn.into())
        ));
        put(newborn);
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["clerk: despawning", "clerk: unhooking Clerk"]);
    assert!(!manager.is_alive(get()));
    assert_eq!(manager.len(), 1);
    Ok(())
}

// holds: reentrancy.leaving-skipped
#[test]
fn what_is_hooked_and_unhooked_in_the_same_dispatch_receives_its_farewell_alone() -> Tested {
    let (mut manager, log, actor) = stage();
    let clerk = Clerk::new("clerk", &log);
    let script = Do::new(move |cx| {
        let hook = cx.hook(actor, clerk).expect("alive");
        cx.unhook(hook).expect("it will be hooked");
        assert_eq!(
            cx.unhook(hook),
            Err(MessageeError::NotHooked {
                hook,
                why: Absence::Leaving
            })
        );
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["clerk: unhooking Clerk"]);
    assert_eq!(manager.hooks(actor).count(), 1);
    Ok(())
}

// holds: reentrancy.leaving
#[test]
fn a_hook_ends_with_the_messagee_it_was_to_be_attached_to() -> Tested {
    let (mut manager, log, actor) = stage();
    let ears = [Ear::new("ear", &log), Ear::new("ear", &log)];
    let other = manager.spawn(());
    let script = Do::new(move |cx| {
        let [first, second] = ears;
        let newborn = cx.spawn(());
        for (id, ear) in [(other, first), (newborn, second)] {
            let hook = cx.hook(id, ear).expect("alive");
            cx.despawn(id).expect("alive");
            let not_hooked = MessageeError::NotHooked {
                hook,
                why: Absence::Leaving,
            };
            assert_eq!(cx.unhook(hook), Err(not_hooked.clone()));
            assert_eq!(cx.set_enabled(hook, true), Err(not_hooked));
            let refused = cx.send(hook, Note("a"));
            assert!(matches!(
                refused,
                Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Leaving) && error.to() == Some(hook.into())
            ));
        }
    });
    manager.send(actor, script)?;
    assert_eq!(manager.len(), 1);
    assert_eq!(manager.iter::<Ear>().count(), 0);
    Ok(())
}

// Reached by addresses that it has before it is alive.

// holds: reentrancy.newborn-by-other-address, reentrancy.newborn-request, reentrancy.mnemonic-when-sent
#[test]
fn what_is_sent_to_a_mnemonic_of_a_newborn_reaches_it_as_if_sent_to_its_id() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Ear::new("other", &log),));
    let (newborn, told) = (Ear::new("newborn", &log), log.clone());
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((newborn,));
        cx.bind(WORLD, newborn).expect("it is free");
        assert_eq!(cx.bound(WORLD), Some(newborn));
        let sent = cx.send(WORLD, Note("to the newborn"));
        assert_eq!(sent.map(|it| (it.received, it.pending)), Ok((0, 1)));
        let refused = cx.request(WORLD, Who);
        assert!(matches!(
            refused,
            Err(error) if *error.kind() == SendErrorKind::Absent(Absence::NotYetThere) && error.to() == Some(newborn.into())
        ));
        // The recipient does not change any more.
        cx.unbind(WORLD, newborn).expect("it is bound to it");
        cx.bind(WORLD, other).expect("it is free");
        cx.send(WORLD, Note("to the other")).expect("it is there");
        told.add("done");
    });
    manager.send(actor, script)?;
    let expected = ["other: to the other", "done", "newborn: to the newborn"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: reentrancy.newborn-by-other-address, reentrancy.newborn-request
#[test]
fn what_is_sent_to_a_group_reaches_its_newborn_members_when_they_come_alive() -> Tested {
    let (mut manager, log, actor) = stage();
    let old = manager.spawn((Ear::new("old", &log),));
    manager.join(CROWD, old)?;
    let told = log.clone();
    let newborns = ["first", "second"].map(|name| (Ear::new(name, &log), Ear::new(name, &log)));
    let script = Do::new(move |cx| {
        for newborn in newborns {
            let id = cx.spawn(newborn);
            assert_eq!(cx.join(CROWD, id), Ok(true));
        }
        let sent = cx.send(CROWD, Note("hello"));
        assert_eq!(sent.map(|it| (it.received, it.pending)), Ok((1, 4)));
        assert_eq!(cx.members(CROWD).count(), 3);
        told.add("done");
        // Nobody has received what cannot wait.
        let refused = cx.request_all(CROWD, Who);
        assert!(matches!(
            refused.map_err(SendError::into_kind),
            Err(SendErrorKind::Absent(Absence::NotYetThere))
        ));
        let refused = cx.send_mut(CROWD, &mut Tour::default());
        assert!(matches!(
            refused.map_err(SendError::into_kind),
            Err(SendErrorKind::Absent(Absence::NotYetThere))
        ));
    });
    manager.send(actor, script)?;
    let expected = [
        "old: hello",
        "done",
        "first: hello",
        "first: hello",
        "second: hello",
        "second: hello",
    ];
    assert_eq!(log.take(), expected);
    assert_eq!(manager.send(CROWD, Note("again"))?.received, 5);
    Ok(())
}

/// The first message is still in transit, and so not kept yet, when a subscriber sends the second.
// holds: reentrancy.newborn-order
#[test]
fn what_waits_for_a_newborn_is_delivered_in_the_order_sent() -> Tested {
    let (mut manager, log, actor) = stage();
    let old = manager.spawn(());
    manager.join(CROWD, old)?;
    let newborn = Ear::new("newborn", &log);
    manager.subscribe(Filter::of::<Note>(), |note: &Note, cx| {
        if note.0 == "first" {
            let sent = cx.send(CROWD, Note("second"));
            assert_eq!(sent.map(|receipt| receipt.pending), Ok(2));
        }
    });
    let script = Do::new(move |cx| {
        let id = cx.spawn((newborn,));
        assert_eq!(cx.join(CROWD, id), Ok(true));
        cx.send(CROWD, Note("first")).expect("there are members");
        cx.send(id, Note("third")).expect("it was just spawned");
    });
    manager.send(actor, script)?;
    let expected = ["newborn: first", "newborn: second", "newborn: third"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: reentrancy.newborn-by-other-address
#[test]
fn a_newborn_that_is_alone_in_its_group_is_meant_as_if_by_its_id() -> Tested {
    let (mut manager, log, actor) = stage();
    let (newborn, heard) = (Ear::new("newborn", &log), log.clone());
    manager.subscribe(Filter::of::<Note>(), move |note, _| {
        heard.add(format!("heard: {}", note.0));
    });
    let told = log.clone();
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((newborn,));
        assert_eq!(cx.join(CROWD, newborn), Ok(true));
        cx.send(CROWD, Note("hello")).expect("kept");
        told.add("done");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["done", "newborn: hello", "heard: hello"]);
    Ok(())
}

// holds: reentrancy.newborn-by-other-address
#[test]
fn a_family_of_newborns_is_reached_up_and_down() -> Tested {
    let (mut manager, log, actor) = stage();
    let root = manager.spawn((Ear::new("root", &log),));
    let parts = ["child", "grandchild"].map(|name| Ear::new(name, &log));
    let told = log.clone();
    let script = Do::new(move |cx| {
        let [child, grandchild] = parts.map(|part| cx.spawn((part,)));
        cx.set_parent(child, Some(root)).expect("no cycle");
        cx.set_parent(grandchild, Some(child)).expect("no cycle");
        let cycle = cx.set_parent(root, Some(grandchild));
        assert!(matches!(cycle, Err(MessageeError::Cycle { .. })));
        assert!(cx.children(root).eq([child]));
        assert_eq!(cx.parent(grandchild), Some(child));
        let sent = cx.send(Down(root), Note("down"));
        assert_eq!(sent.map(|it| (it.received, it.pending)), Ok((1, 2)));
        let sent = cx.send(Up(grandchild), Note("up"));
        assert_eq!(sent.map(|it| (it.received, it.pending)), Ok((1, 2)));
        told.add("done");
    });
    manager.send(actor, script)?;
    let expected = [
        "root: down",
        "root: up",
        "done",
        "child: down",
        "child: up",
        "grandchild: down",
        "grandchild: up",
    ];
    assert_eq!(log.take(), expected);
    assert_eq!(manager.send(Down(root), Note(""))?.received, 3);
    Ok(())
}

// holds: messagees.despawn-ends, reentrancy.leaving-mnemonic-rebound, reentrancy.leaving-skipped
#[test]
fn a_newborn_with_addresses_that_is_despawned_in_the_same_dispatch_leaves_none_behind() -> Tested {
    let (mut manager, log, actor) = stage();
    let newborn = Ear::new("newborn", &log);
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((newborn,));
        cx.bind(WORLD, newborn).expect("it is free");
        cx.join(CROWD, newborn).expect("it comes alive");
        cx.set_parent(newborn, Some(actor)).expect("no cycle");
        cx.send(CROWD, Note("too early")).expect("kept");
        cx.despawn(newborn).expect("it comes alive");
        let sent = cx.send(CROWD, Note("too late"));
        assert_eq!(sent.map(|it| (it.received, it.pending)), Ok((0, 0)));
        // A mnemonic of one that leaves is free for another.
        cx.bind(WORLD, actor).expect("it is free");
    });
    manager.send(actor, script)?;
    assert!(log.take().is_empty());
    assert_eq!(manager.bound(WORLD), Some(actor));
    assert_eq!(manager.members(CROWD).count(), 0);
    assert_eq!(manager.children(actor).count(), 0);
    Ok(())
}
