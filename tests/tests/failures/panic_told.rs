//! The messagees that are notified of a panic under `PanicPolicy::Unhook`, and what they learn.

use crate::brittle::{Butler, Cup, Dropped, Fall, Plate, unhooking_stage};
use crate::common::{Actor, Consider, Do, Ear, Note, Tested, first_hook, slot};
use message_core::Recipient::Me;
use message_core::error::Receiver;
use message_core::lifecycle::HandlerPanicked;
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

// holds: reentrancy.unhook-policy
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

// holds: reentrancy.unhook-policy
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
        "panicked: non-string panic payload",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: reentrancy.panicked-not-called
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
    // Two panicked at once: neither is notified of the other.
    let expected = [
        "unhooking Cup",
        "panicked: plate",
        "unhooking Plate",
        "panicked: plate",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: reentrancy.unhook-policy
#[test]
fn a_stranger_is_not_told() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let cup = manager.spawn((Cup::new("cup", &log),));
    manager.spawn((Butler(log.clone()),));
    manager.send(cup, Fall("oops"))?;
    assert!(log.take().is_empty());
    Ok(())
}

// holds: reentrancy.unhook-policy
#[test]
fn two_panics_of_nested_shared_handlers_are_told_one_after_the_other() -> Tested {
    let (mut manager, log, _) = unhooking_stage();
    let id = manager.spawn((Actor::new("one", &log), Butler(log.clone())));
    let script = Consider::new(|cx| {
        let nested = Consider::new(|_| panic!("inner"));
        cx.send(Me, nested).expect("it panics");
        panic!("outer");
    });
    assert_eq!(manager.send(id, script)?.failed, 2);
    let expected = ["unhooking Actor", "panicked: inner", "panicked: outer"];
    assert_eq!(log.take(), expected);
    assert_eq!(manager.hooks(id).count(), 1);
    Ok(())
}

// holds: reentrancy.panicked-not-called
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
        // It cannot be reported before the component is gone; afterwards it is.
        assert!(
            !log.iter().any(|line| line.starts_with("panicked")),
            "{log:?}"
        );
    }
    Ok(())
}

// holds: reentrancy.panicked-drop-panics
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
