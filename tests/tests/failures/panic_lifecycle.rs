//! Panics in handlers of lifecycle messages, under `PanicPolicy::Unhook`.

use crate::brittle::{Butler, Cup, Fall, unhooking_stage};
use crate::common::{Do, Log, Note, Tested};
use message_core::PanicPolicy;
use message_core::lifecycle::{
    DeadLetter, Despawning, HandlerFailed, HandlerPanicked, Hooked, Unhooking,
};
use message_core::prelude::*;

/// A message without a handler.
#[derive(Message)]
struct Unheard;

/// Panics at one kind of message from the manager.
struct Jumpy {
    at: &'static str,
    log: Log,
}

impl Jumpy {
    fn at(at: &'static str, log: &Log) -> Self {
        let log = log.clone();
        Self { at, log }
    }

    fn hear(&self, what: &str) {
        assert!(self.at != what, "jumpy at {what}");
        self.log.add(format!("heard {what}"));
    }
}

#[handlers]
impl Jumpy {
    #[on_receive]
    fn hooked(&mut self, _: &Hooked) {
        self.hear("hooked");
    }
    #[on_receive]
    fn unhooking(&mut self, _: &Unhooking) {
        self.hear("unhooking");
    }
    #[on_receive]
    fn despawning(&mut self, _: &Despawning) {
        self.hear("despawning");
    }
    #[on_receive]
    fn failed(&mut self, _: &HandlerFailed) {
        self.hear("failed");
    }
    #[on_receive]
    fn panicked(&mut self, _: &HandlerPanicked) {
        self.hear("panicked");
    }
    #[on_receive]
    fn letter(&mut self, _: &DeadLetter) {
        self.hear("letter");
    }
    #[on_receive]
    fn fail(&mut self, note: &Note) -> Result<(), &'static str> {
        Err(note.0)
    }
}

// holds: reentrancy.unhook-policy
#[test]
fn a_panic_in_a_handler_of_hooked_takes_the_newcomer_away_again() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let id = manager.spawn((Jumpy::at("hooked", &log), Butler(log.clone())));
    assert_eq!(manager.hooks(id).count(), 1);
    assert_eq!(log.take(), ["unhooking Jumpy", "panicked: jumpy at hooked"]);
    let hook = manager.hook(id, Jumpy::at("hooked", &log))?;
    assert_eq!(
        manager.owner(hook),
        Err(MessageeError::NotHooked {
            hook,
            why: Absence::Gone
        })
    );
    assert_eq!(log.take(), ["unhooking Jumpy", "panicked: jumpy at hooked"]);
    Ok(())
}

// holds: messagees.unhook-gives-back, reentrancy.unhook-policy
#[test]
fn a_panic_at_its_own_unhooking_from_outside_leaves_the_component_to_the_caller() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let id = manager.spawn((Butler(log.clone()), Jumpy::at("unhooking", &log)));
    let hook = manager.hooks(id).nth(1).ok_or("it has two")?;
    log.take();
    let jumpy = manager.unhook::<Jumpy>(hook)?;
    assert_eq!(jumpy.at, "unhooking");
    assert_eq!(
        log.take(),
        ["unhooking Jumpy", "panicked: jumpy at unhooking"]
    );
    assert_eq!(manager.hooks(id).count(), 1);
    Ok(())
}

// holds: reentrancy.panicked-not-called
#[test]
fn a_panic_at_its_own_unhooking_from_a_handler_is_told_once_it_is_gone() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    let id = manager.spawn((Butler(log.clone()), Jumpy::at("unhooking", &log)));
    let hook = manager.hooks(id).nth(1).ok_or("it has two")?;
    log.take();
    let script = Do::new(move |cx| cx.unhook(hook).expect("it is hooked"));
    manager.send(actor, script)?;
    assert_eq!(
        log.take(),
        ["unhooking Jumpy", "panicked: jumpy at unhooking"]
    );
    assert_eq!(manager.hooks(id).count(), 1);
    Ok(())
}

// holds: reentrancy.unhook-policy
#[test]
fn a_panic_at_the_unhooking_of_another_ends_with_both_gone() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let bundle = (
        Jumpy::at("unhooking", &log),
        Cup::new("cup", &log),
        Butler(log.clone()),
    );
    let id = manager.spawn(bundle);
    log.take();
    manager.send(id, Fall("oops"))?;
    let expected = [
        "unhooking Cup",
        "panicked: oops",
        "unhooking Jumpy",
        "panicked: jumpy at unhooking",
    ];
    assert_eq!(log.take(), expected);
    assert_eq!(manager.hooks(id).count(), 1);
    Ok(())
}

// holds: reentrancy.unhook-goes-on
#[test]
fn a_panic_at_the_farewell_does_not_keep_the_messagee() -> Tested {
    for at in ["despawning", "unhooking"] {
        for from_outside in [false, true] {
            let (mut manager, log, actor) = unhooking_stage();
            let id = manager.spawn((Jumpy::at(at, &log), Jumpy::at("nothing", &log)));
            log.take();
            if from_outside {
                manager.despawn(id)?;
            } else {
                let script = Do::new(move |cx| cx.despawn(id).expect("it is there"));
                manager.send(actor, script)?;
            }
            assert!(!manager.is_alive(id));
            let expected = ["heard despawning", "heard unhooking", "heard unhooking"];
            let mut heard = log.take();
            heard.retain(|line| line != "heard panicked");
            if at == "unhooking" {
                assert_eq!(heard[0], "heard despawning");
                heard.remove(0);
            }
            assert_eq!(heard, expected);
        }
    }
    Ok(())
}

// holds: reentrancy.unhook-policy
#[test]
fn a_panic_in_a_handler_of_handler_panicked_is_told_to_those_who_are_left() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let bundle = (
        Cup::new("cup", &log),
        Jumpy::at("panicked", &log),
        Jumpy::at("panicked", &log),
        Butler(log.clone()),
    );
    let id = manager.spawn(bundle);
    log.take();
    manager.send(id, Fall("oops"))?;
    let mut told = log.take();
    told.retain(|line| line.starts_with("panicked"));
    let expected = [
        "panicked: oops",
        "panicked: jumpy at panicked",
        "panicked: jumpy at panicked",
    ];
    assert_eq!(told, expected);
    assert_eq!(manager.hooks(id).count(), 1);
    Ok(())
}

// holds: reentrancy.unhook-policy, failures.receipt-outside
#[test]
fn a_panic_at_a_failure_or_a_dead_letter_is_a_panic_as_any_other() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let id = manager.spawn((
        Jumpy::at("failed", &log),
        Jumpy::at("letter", &log),
        Butler(log.clone()),
    ));
    log.take();
    assert_eq!(manager.send(id, Note("fails"))?.failed, 3);
    assert!(log.take().contains(&"panicked: jumpy at failed".to_owned()));
    assert_eq!(manager.hooks(id).count(), 2);
    let nobody = Header::to(Everyone)
        .stage(Stage::Update)
        .require(9)
        .build()?;
    manager.post(&nobody, Unheard)?;
    manager.tick(std::time::Duration::ZERO);
    assert!(log.take().contains(&"panicked: jumpy at letter".to_owned()));
    assert_eq!(manager.hooks(id).count(), 1);
    Ok(())
}

/// Leaves, panics, and panics once more when it is dropped.
struct Glass {
    log: Log,
}

#[derive(Message)]
enum Shatter {
    Unhooked,
    Despawned,
}

#[handlers]
impl Glass {
    #[on_receive]
    fn shatter(&mut self, how: &Shatter, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        match how {
            Shatter::Unhooked => cx.unhook(cx.my_hook())?,
            Shatter::Despawned => cx.despawn(cx.me())?,
        }
        panic!("it shatters");
    }
}

impl Drop for Glass {
    fn drop(&mut self) {
        self.log.add("dropped");
        panic!("splinters");
    }
}

// holds: reentrancy.panicked-drop-panics
#[test]
fn who_leaves_and_panics_and_panics_when_it_is_dropped_is_no_panic_to_the_caller() -> Tested {
    for how in [Shatter::Unhooked, Shatter::Despawned] {
        let log = Log::default();
        let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
        let mut manager = MessageManager::with_config(config);
        let shelf = manager.spawn((Glass { log: log.clone() },));
        assert_eq!(manager.send(shelf, how)?.failed, 1);
        assert_eq!(log.take(), ["dropped"]);
        assert_eq!(manager.iter::<Glass>().count(), 0);
    }
    Ok(())
}
