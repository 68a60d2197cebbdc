//! Who is told of a panic under the policy to unhook, what they are told, and panics in handlers of
//! what the manager tells.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "common/brittle.rs"]
mod brittle;
mod common;

use brittle::{Butler, Cup, Dropped, Fall, Plate, unhooking_stage};
use common::{Actor, Consider, Do, Ear, Log, Note, Tested, first_hook, slot};
use message_core::Receiver;
use message_core::lifecycle::{
    DeadLetter, Despawning, HandlerFailed, HandlerPanicked, Hooked, Unhooking,
};
use message_core::prelude::*;

/// Panics with something that is no text.
#[derive(Message)]
struct Strange;

/// Panics with a text that was made up at run time.
#[derive(Message)]
struct Wordy(u32);

struct Jug;

#[handlers]
impl Jug {
    #[on_receive]
    fn strange(&mut self, _: &Strange) {
        std::panic::panic_any(7);
    }

    #[on_receive]
    fn wordy(&mut self, wordy: &Wordy) {
        panic!("{} pieces", wordy.0);
    }
}

/// Panics at what the manager tells, if it is that.
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

// Who is told what.

#[test]
fn the_messagee_is_told_who_panicked_on_what_from_where_and_with_which_words() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let (put, get) = slot();
    let mut put = Some(put);
    let cup = manager.spawn((Cup::new("cup", &log), Butler(log.clone())));
    let hook = first_hook(&manager, cup);
    manager.subscribe(Filter::of::<HandlerPanicked>().to(cup), move |it, _| {
        if let Some(put) = put.take() {
            put(it.clone());
        }
    });
    manager.send(cup, Fall("in pieces"))?;
    let line = line!() - 1;
    let told = get();
    let component = std::any::type_name::<Cup>();
    let expected = Receiver::Component {
        messagee: cup,
        component,
    };
    assert_eq!(told.receiver, expected);
    assert_eq!((told.hook, told.handler), (Some(hook), Some("fall")));
    assert_eq!(
        (told.message, told.panic.as_str()),
        (Fall::NAME, "in pieces")
    );
    assert_eq!(told.place.line(), line);
    assert!(told.place.file().ends_with("panic_told.rs"));
    let text = format!(
        "`{component}` of messagee {cup} panicked on `{}` sent at {}: in pieces",
        Fall::NAME,
        told.place
    );
    assert_eq!(told.to_string(), text);
    assert_eq!(log.take(), ["unhooking Cup", "panicked: in pieces"]);
    Ok(())
}

#[test]
fn the_words_are_told_whatever_the_panic_was_made_with() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let jug = manager.spawn((Jug, Jug, Butler(log.clone())));
    let first = first_hook(&manager, jug);
    manager.set_enabled(first, false)?;
    manager.send(jug, Wordy(12))?;
    manager.set_enabled(first, true)?;
    manager.send(jug, Strange)?;
    let expected = [
        "unhooking Jug",
        "panicked: 12 pieces",
        "unhooking Jug",
        "panicked: a panic that is no text",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

#[test]
fn unhooking_is_told_to_the_others_but_not_to_the_one_that_panicked() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let bundle = (
        Cup::new("one", &log),
        Cup::new("two", &log),
        Butler(log.clone()),
    );
    let id = manager.spawn(bundle);
    let second = manager.hooks(id).nth(1).ok_or("it has three")?;
    manager.set_enabled(second, false)?;
    manager.send(id, Fall("oops"))?;
    assert_eq!(log.take(), ["unhooking Cup", "panicked: oops"]);
    manager.set_enabled(second, true)?;
    manager.hook(id, Cup::new("three", &log))?;
    manager.set_enabled(second, false)?;
    manager.send(id, Fall("again"))?;
    manager.set_enabled(second, true)?;
    log.take();
    manager.hook(id, Plate::new("plate", &log))?;
    manager.send(id, Fall("plate"))?;
    // Two panicked at once: neither is told of the other.
    let expected = [
        "unhooking Cup",
        "panicked: plate",
        "unhooking Plate",
        "panicked: plate",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

#[test]
fn a_stranger_is_not_told() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let cup = manager.spawn((Cup::new("cup", &log),));
    manager.spawn((Butler(log.clone()),));
    manager.send(cup, Fall("oops"))?;
    assert!(log.take().is_empty());
    Ok(())
}

#[test]
fn two_panics_of_nested_shared_handlers_are_told_one_after_the_other() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let id = manager.spawn((Actor::new("one", &log), Butler(log.clone())));
    let script = Consider::new(|cx| {
        let nested = Consider::new(|_| panic!("inner"));
        cx.send(Me, nested).expect("it panics");
        panic!("outer");
    });
    assert_eq!(manager.send(id, script)?.failed, 1);
    let expected = ["unhooking Actor", "panicked: inner", "panicked: outer"];
    assert_eq!(log.take(), expected);
    assert_eq!(manager.hooks(id).count(), 1);
    Ok(())
}

#[test]
fn it_is_told_before_the_changes_that_were_asked_for_later() -> Tested {
    let (mut manager, log, actor) = unhooking_stage();
    let cup = manager.spawn((Cup::new("cup", &log), Butler(log.clone())));
    let (ear, later) = (Ear::new("newborn", &log), Ear::new("later", &log));
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((ear,));
        cx.send(newborn, Note("before")).expect("it is kept");
        cx.send(cup, Fall("oops")).expect("it is there");
        let newborn = cx.spawn((later,));
        cx.send(newborn, Note("after")).expect("it is kept");
    });
    manager.send(actor, script)?;
    let expected = [
        "newborn: before",
        "unhooking Cup",
        "panicked: oops",
        "later: after",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

#[test]
fn a_messagee_that_goes_in_the_same_send_is_told_nothing_of_it() -> Tested {
    for before in [false, true] {
        let (mut manager, log, actor) = unhooking_stage();
        let cup = manager.spawn((Cup::new("cup", &log), Butler(log.clone())));
        let script = Do::new(move |cx| {
            let fall = |cx: &mut Context<'_>| cx.send(cup, Fall("oops")).map(|it| it.failed);
            if before {
                assert_eq!(fall(cx), Ok(1));
            }
            cx.despawn(cup).expect("it is there");
            if !before {
                assert_eq!(fall(cx), Ok(0));
            }
        });
        manager.send(actor, script)?;
        assert!(!manager.is_alive(cup));
        let log = log.take();
        // It cannot be told before the component is gone, and then it is.
        assert!(
            !log.iter().any(|line| line.starts_with("panicked")),
            "{log:?}"
        );
    }
    Ok(())
}

#[test]
fn a_drop_that_panics_too_is_told_with_it_and_goes_no_further() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let (cup, plate) = (Dropped::that_hurts(), Dropped::that_hurts());
    let (cups, plates) = (cup.counter(), plate.counter());
    let cup = Cup::with("cup", &log, cup);
    let plate = Plate::with("plate", &log, plate);
    let id = manager.spawn((cup, plate, Butler(log.clone())));
    assert_eq!(manager.send(id, Fall("plate"))?.failed, 2);
    let expected = [
        "unhooking Cup",
        "panicked: plate; and when it was dropped: it hurts",
        "unhooking Plate",
        "panicked: plate; and when it was dropped: it hurts",
    ];
    assert_eq!(log.take(), expected);
    assert_eq!((cups(), plates()), (1, 1));
    assert_eq!(manager.hooks(id).count(), 1);
    Ok(())
}

// Panics in handlers of what the manager tells.

#[test]
fn a_panic_in_a_handler_of_hooked_takes_the_newcomer_away_again() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let id = manager.spawn((Jumpy::at("hooked", &log), Butler(log.clone())));
    assert_eq!(manager.hooks(id).count(), 1);
    assert_eq!(log.take(), ["unhooking Jumpy", "panicked: jumpy at hooked"]);
    let hook = manager.hook(id, Jumpy::at("hooked", &log))?;
    assert_eq!(manager.owner(hook), Err(MessageeError::NotHooked { hook }));
    assert_eq!(log.take(), ["unhooking Jumpy", "panicked: jumpy at hooked"]);
    Ok(())
}

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

#[test]
fn a_panic_at_a_failure_or_a_dead_letter_is_a_panic_as_any_other() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let id = manager.spawn((
        Jumpy::at("failed", &log),
        Jumpy::at("letter", &log),
        Butler(log.clone()),
    ));
    log.take();
    assert_eq!(manager.send(id, Note("fails"))?.failed, 2);
    assert!(log.take().contains(&"panicked: jumpy at failed".to_owned()));
    assert_eq!(manager.hooks(id).count(), 2);
    let nobody = Header::to(Everyone)
        .stage(Stage::Update)
        .require(9)
        .build()?;
    manager.post(&nobody, Wordy(1))?;
    manager.tick(std::time::Duration::ZERO);
    assert!(log.take().contains(&"panicked: jumpy at letter".to_owned()));
    assert_eq!(manager.hooks(id).count(), 1);
    Ok(())
}
