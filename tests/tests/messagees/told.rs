//! The messages that the manager itself sends to a messagee, their order, and who does not get them.

use std::error::Error;
use std::sync::{Arc, Mutex};

use message_core::lifecycle::{Despawning, Hooked, Unhooking};
use message_core::prelude::*;

type Tested = Result<(), Box<dyn Error>>;

#[derive(Message)]
struct Ping;

/// A component without handlers.
struct Label;

type Lines = Arc<Mutex<Vec<String>>>;

/// Records every message that it receives from the manager.
struct Scribe {
    name: &'static str,
    lines: Lines,
}

impl Scribe {
    fn write(&self, what: &str, component: &str, cx: &Context<'_>) {
        let component = component.rsplit("::").next().unwrap_or_default();
        let line = format!("{} of {}: {what} {component}", self.name, cx.me());
        assert_eq!(cx.sender(), Sender::Manager);
        let mut lines = self.lines.lock().expect("nobody panics");
        lines.push(line.trim_end().to_owned());
    }
}

#[handlers]
impl Scribe {
    #[on_receive]
    fn hooked(&mut self, hooked: &Hooked, cx: &mut Context<'_>) {
        assert_eq!(hooked.messagee, cx.me());
        self.write("hooked", hooked.component, cx);
    }

    #[on_receive]
    fn unhooking(&mut self, unhooking: &Unhooking, cx: &mut Context<'_>) {
        assert_eq!(unhooking.messagee, cx.me());
        self.write("unhooking", unhooking.component, cx);
    }

    #[on_receive]
    fn despawning(&mut self, despawning: &Despawning, cx: &mut Context<'_>) {
        assert_eq!(despawning.messagee, cx.me());
        assert!(cx.is_alive(cx.me()));
        self.write("despawning", "", cx);
    }
}

fn scribe(name: &'static str, lines: &Lines) -> Scribe {
    Scribe {
        name,
        lines: Arc::clone(lines),
    }
}

fn read(lines: &Lines) -> Vec<String> {
    std::mem::take(&mut lines.lock().expect("nobody panics"))
}

// holds: messagees.lifecycle-told
#[test]
fn hooked_is_told_to_the_messagee_right_after_the_new_component_included() -> Tested {
    let lines = Lines::default();
    let mut manager = MessageManager::new();
    let id = manager.spawn((scribe("a", &lines), Label));
    assert_eq!(
        read(&lines),
        ["a of 0v0: hooked Scribe", "a of 0v0: hooked Label"]
    );
    manager.hook(id, scribe("b", &lines))?;
    assert_eq!(
        read(&lines),
        ["a of 0v0: hooked Scribe", "b of 0v0: hooked Scribe"]
    );
    manager.spawn((Label,));
    assert_eq!(read(&lines), [""; 0]);
    Ok(())
}

// holds: messagees.lifecycle-told
#[test]
fn unhooking_is_told_to_the_messagee_right_before_the_component_included() -> Tested {
    let lines = Lines::default();
    let mut manager = MessageManager::new();
    let id = manager.spawn((scribe("a", &lines),));
    let label = manager.hook(id, Label)?;
    let second = manager.hook(id, scribe("b", &lines))?;
    read(&lines);
    manager.unhook::<Label>(label)?;
    assert_eq!(
        read(&lines),
        ["a of 0v0: unhooking Label", "b of 0v0: unhooking Label"]
    );
    manager.unhook::<Scribe>(second)?;
    assert_eq!(
        read(&lines),
        ["a of 0v0: unhooking Scribe", "b of 0v0: unhooking Scribe"]
    );
    assert_eq!(manager.send(id, Ping)?.received, 0);
    assert_eq!(read(&lines), [""; 0]);
    Ok(())
}

// holds: messagees.errors-change-nothing
#[test]
fn an_unhook_that_is_refused_is_not_announced() {
    let lines = Lines::default();
    let mut manager = MessageManager::new();
    let id = manager.spawn((scribe("a", &lines),));
    let hook = manager.hooks(id).next().expect("it has a component");
    read(&lines);
    assert!(manager.unhook::<Label>(hook).is_err());
    assert_eq!(read(&lines), [""; 0]);
}

// holds: messagees.lifecycle-told
#[test]
fn despawning_is_told_first_then_unhooking_for_each_component() -> Tested {
    let lines = Lines::default();
    let mut manager = MessageManager::new();
    let id = manager.spawn((scribe("a", &lines), Label));
    read(&lines);
    manager.despawn(id)?;
    assert_eq!(
        read(&lines),
        [
            "a of 0v0: despawning",
            "a of 0v0: unhooking Scribe",
            "a of 0v0: unhooking Label",
        ]
    );
    Ok(())
}

// holds: messagees.lifecycle-told
#[test]
fn those_who_go_along_are_told_too_each_before_its_own_children() -> Tested {
    let lines = Lines::default();
    let mut manager = MessageManager::new();
    let grandparent = manager.spawn((scribe("a", &lines),));
    let parent = manager.spawn((scribe("b", &lines),));
    let child = manager.spawn((scribe("c", &lines),));
    manager.set_parent(parent, Some(grandparent))?;
    manager.set_parent(child, Some(parent))?;
    read(&lines);
    manager.despawn(grandparent)?;
    let mut told = read(&lines);
    told.retain(|line| line.ends_with("despawning"));
    assert_eq!(
        told,
        [
            "a of 0v0: despawning",
            "b of 1v0: despawning",
            "c of 2v0: despawning",
        ]
    );
    Ok(())
}

// holds: messagees.disabled
#[test]
fn a_disabled_component_is_told_nothing() -> Tested {
    let lines = Lines::default();
    let mut manager = MessageManager::new();
    let id = manager.spawn((scribe("a", &lines), scribe("b", &lines)));
    let first = manager.hooks(id).next().expect("it has two components");
    manager.set_enabled(first, false)?;
    read(&lines);
    manager.hook(id, Label)?;
    manager.despawn(id)?;
    let told = read(&lines);
    assert_eq!(told.len(), 5);
    assert!(told.iter().all(|line| line.starts_with("b of")));
    Ok(())
}
