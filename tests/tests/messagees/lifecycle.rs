//! Lifecycle messages from the manager: for hooked and unhooked components, and for a despawned
//! messagee.

use crate::common::{Do, Ear, Note, Tested, first_hook, stage};
use crate::watchers::{Clerk, Reacting};
use message_core::lifecycle::{Disabled, Enabled};
use message_core::prelude::*;

mnemonic!(WORLD);

// holds: messagees.lifecycle-told
#[test]
fn hooked_is_told_to_the_messagee_the_new_component_included_right_after() -> Tested {
    let (mut manager, log, actor) = stage();
    let id = manager.spawn((Clerk::new("clerk", &log), Ear::new("ear", &log)));
    assert_eq!(log.take(), ["clerk: hooked Clerk", "clerk: hooked Ear"]);
    manager.hook(id, Clerk::new("second", &log))?;
    assert_eq!(log.take(), ["clerk: hooked Clerk", "second: hooked Clerk"]);
    let ear = Ear::new("ear", &log);
    let script = Do::new(move |cx| {
        cx.hook(id, ear).expect("alive");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["clerk: hooked Ear", "second: hooked Ear"]);
    Ok(())
}

// holds: messagees.lifecycle-told
#[test]
fn unhooking_is_told_to_the_messagee_that_component_included_right_before() -> Tested {
    let (mut manager, log, actor) = stage();
    let id = manager.spawn((Clerk::new("one", &log), Clerk::new("two", &log)));
    let second = manager.hooks(id).nth(1).expect("it has two");
    log.take();
    let script = Do::new(move |cx| cx.unhook(second).expect("hooked"));
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["one: unhooking Clerk", "two: unhooking Clerk"]);
    let first = manager.unhook::<Clerk>(first_hook(&manager, id))?;
    assert_eq!(first.name, "one");
    assert_eq!(log.take(), ["one: unhooking Clerk"]);
    Ok(())
}

// holds: messagees.lifecycle-told
#[test]
fn despawning_is_told_while_all_who_go_are_there_then_each_unhooking() -> Tested {
    let (mut manager, log, actor) = stage();
    for from_outside in [true, false] {
        let parent = manager.spawn((Clerk::new("parent", &log), Ear::new("", &log)));
        let child = manager.spawn((Clerk::new("child", &log),));
        let all_there = Reacting::to_despawning(move |cx| {
            assert!(cx.is_alive(parent) && cx.is_alive(child));
            assert_eq!(cx.get::<Clerk>(child).expect("there").name, "child");
            let refused = cx.send(child, Note("lost"));
            assert!(matches!(
                refused,
                Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Leaving) && error.to() == Some(child.into())
            ));
        });
        manager.hook(parent, all_there)?;
        manager.set_parent(child, Some(parent))?;
        log.take();
        if from_outside {
            manager.despawn(parent)?;
        } else {
            manager.send(actor, Do::new(move |cx| cx.despawn(parent).expect("alive")))?;
        }
        let expected = [
            "parent: despawning",
            "parent: unhooking Clerk",
            "parent: unhooking Ear",
            "parent: unhooking Reacting",
            "child: despawning",
            "child: unhooking Clerk",
        ];
        assert_eq!(log.take(), expected);
        assert_eq!(manager.len(), 1);
    }
    Ok(())
}

#[test]
fn lifecycle_handlers_may_change_the_structure_themselves() {
    let (mut manager, log, _) = stage();
    let told = log.clone();
    let mut generations = 3;
    let id = manager.spawn((Reacting::to_hooked(move |cx| {
        if generations > 0 {
            generations -= 1;
            cx.hook(cx.me(), Ear::new("ear", &told)).expect("alive");
            cx.spawn((Clerk::new("clerk", &told),));
        }
    }),));
    assert_eq!(manager.hooks(id).count(), 4);
    assert_eq!(manager.iter::<Clerk>().count(), 3);
    assert_eq!(log.take(), ["clerk: hooked Clerk"; 3]);
}

#[test]
fn a_component_can_unhook_itself_or_its_messagee_as_soon_as_it_is_hooked() {
    let (mut manager, log, _) = stage();
    let id = manager.spawn((
        Reacting::to_hooked(|cx| {
            let me = cx.my_hook();
            let _ = cx.unhook(me);
        }),
        Ear::new("ear", &log),
    ));
    assert_eq!(manager.hooks(id).count(), 1);
    let id = manager.spawn((Reacting::to_hooked(|cx| {
        let me = cx.me();
        let _ = cx.despawn(me);
    }),));
    assert!(!manager.is_alive(id));
}

// holds: reentrancy.leaving-unchangeable, reentrancy.leaving-mnemonic-rebound
#[test]
fn a_farewell_can_lead_to_heirs_but_not_to_a_rescue() -> Tested {
    let (mut manager, log, _) = stage();
    let child = manager.spawn((Ear::new("child", &log),));
    let told = log.clone();
    let parent = manager.spawn((Reacting::to_despawning(move |cx| {
        let me = cx.me();
        let leaving = MessageeError::Absent {
            id: child,
            why: Absence::Leaving,
        };
        assert_eq!(cx.set_parent(child, None), Err(leaving.clone()));
        assert_eq!(cx.despawn(child), Err(leaving));
        assert_eq!(
            cx.despawn(me),
            Err(MessageeError::Absent {
                id: me,
                why: Absence::Leaving
            })
        );
        let heir = cx.spawn((Ear::new("heir", &told),));
        cx.bind(WORLD, heir).expect("it will be free");
        cx.send(heir, Note("yours")).expect("kept");
        assert!(cx.set_parent(heir, Some(me)).is_err());
    }),));
    manager.set_parent(child, Some(parent))?;
    manager.bind(WORLD, parent)?;
    manager.despawn(parent)?;
    assert!(!manager.is_alive(parent) && !manager.is_alive(child));
    assert_eq!(log.take(), ["heir: yours"]);
    manager.send(WORLD, Note("!"))?;
    assert_eq!(log.take(), ["heir: !"]);
    Ok(())
}

// holds: messagees.lifecycle-told
#[test]
fn an_unhooking_that_leads_to_the_same_unhooking_happens_once() -> Tested {
    let (mut manager, log, _) = stage();
    let id = manager.spawn((
        Clerk::new("clerk", &log),
        Reacting::to_unhooking(|cx| {
            let (me, mine) = (cx.me(), cx.my_hook());
            let _ = cx.unhook(mine);
            let _ = cx.despawn(me);
        }),
    ));
    let hook = manager.hooks(id).nth(1).expect("it has two");
    log.take();
    manager.unhook::<Reacting>(hook)?;
    let expected = [
        "clerk: unhooking Reacting",
        "clerk: despawning",
        "clerk: unhooking Clerk",
    ];
    assert_eq!(log.take(), expected);
    assert!(!manager.is_alive(id));
    assert_eq!(manager.iter::<Reacting>().count(), 0);
    Ok(())
}

// Enabled and disabled.

/// Logs when it or another component is enabled or disabled.
struct Lamp {
    name: &'static str,
    log: crate::common::Log,
}

#[handlers]
impl Lamp {
    #[on_receive]
    fn on(&mut self, enabled: &Enabled, cx: &mut Context<'_>) {
        assert_eq!((cx.sender(), cx.me()), (Sender::Manager, enabled.messagee));
        let own = if enabled.hook == cx.my_hook() {
            "own"
        } else {
            "other"
        };
        self.log.add(format!("{}: {own} on", self.name));
    }

    #[on_receive]
    fn off(&mut self, disabled: &Disabled, cx: &mut Context<'_>) {
        let own = if disabled.hook == cx.my_hook() {
            "own"
        } else {
            "other"
        };
        self.log.add(format!("{}: {own} off", self.name));
    }

    #[on_receive]
    fn note(&mut self, note: &Note) {
        self.log.add(format!("{}: {}", self.name, note.0));
    }
}

fn lamp(name: &'static str, log: &crate::common::Log) -> Lamp {
    let log = log.clone();
    Lamp { name, log }
}

// holds: messagees.disabled-told
#[test]
fn enabled_and_disabled_are_told_to_the_messagee_that_component_included() -> Tested {
    let (mut manager, log, actor) = stage();
    let id = manager.spawn((lamp("a", &log), lamp("b", &log)));
    let hook = first_hook(&manager, id);
    manager.set_enabled(hook, false)?;
    assert_eq!(log.take(), ["a: own off", "b: other off"]);
    manager.set_enabled(hook, false)?;
    manager.send(id, Note("dark"))?;
    assert_eq!(log.take(), ["b: dark"], "that was no change");
    manager.set_enabled(hook, true)?;
    assert_eq!(log.take(), ["a: own on", "b: other on"]);
    let told = log.clone();
    let script = Do::new(move |cx| {
        cx.set_enabled(hook, false).expect("it is hooked");
        cx.send(id, Note("dark")).expect("sent");
        told.add("done");
    });
    manager.send(actor, script)?;
    let expected = ["b: dark", "done", "a: own off", "b: other off"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: messagees.disabled-told
#[test]
fn one_that_ends_a_dispatch_as_it_began_it_is_not_told_to_have_changed() -> Tested {
    let (mut manager, log, actor) = stage();
    let id = manager.spawn((lamp("a", &log),));
    let hook = first_hook(&manager, id);
    let script = Do::new(move |cx| {
        cx.set_enabled(hook, false).expect("it is hooked");
        cx.set_enabled(hook, true).expect("it is hooked");
    });
    manager.send(actor, script)?;
    assert!(log.take().is_empty());
    Ok(())
}

// holds: messagees.disabled-told
#[test]
fn one_that_is_enabled_again_while_it_is_told_of_being_disabled_is_enabled() -> Tested {
    /// Will not be put out.
    struct Stubborn(crate::common::Log);
    #[handlers]
    impl Stubborn {
        #[on_receive]
        fn off(&mut self, _: &Disabled, cx: &mut Context<'_>) {
            self.0.add("off");
            cx.set_enabled(cx.my_hook(), true).expect("it is hooked");
        }

        #[on_receive]
        fn on(&mut self, _: &Enabled) {
            self.0.add("on");
        }
    }
    let (mut manager, log, _) = stage();
    let id = manager.spawn((Stubborn(log.clone()),));
    let hook = first_hook(&manager, id);
    manager.set_enabled(hook, false)?;
    assert_eq!(log.take(), ["off", "on"]);
    assert!(manager.is_enabled(hook)?);
    Ok(())
}
