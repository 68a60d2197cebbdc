//! A component that is unhooked from outside is leaving from then on, as one that a handler unhooks.

use crate::common::{Actor, Log, Note, Peek, Tested, Who, panic_of};
use message_core::Recipient::Me;
use message_core::lifecycle::Unhooking;
use message_core::prelude::*;

/// A script that runs when a component is unhooked.
type Farewell = Box<dyn FnMut(&Unhooking, &mut Context<'_>) + Send>;

/// Does that.
struct Witness(Farewell);

impl Witness {
    fn new(farewell: impl FnMut(&Unhooking, &mut Context<'_>) + Send + 'static) -> Self {
        Self(Box::new(farewell))
    }
}

#[handlers]
impl Witness {
    #[on_receive]
    fn unhooking(&mut self, unhooking: &Unhooking, cx: &mut Context<'_>) {
        (self.0)(unhooking, cx);
    }
}

/// Returns a messagee with an actor and a witness, and the hook of the actor.
fn scene(log: &Log, witness: Witness) -> (MessageManager, MessageeId, HookId) {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Actor::new("leaving", log), witness));
    let hook = manager.hooks(id).next().expect("it has two");
    (manager, id, hook)
}

// holds: messagees.unhook-leaving
#[test]
fn while_its_unhooking_is_told_no_send_reaches_it() -> Tested {
    let log = Log::default();
    let told = log.clone();
    let witness = Witness::new(move |_, cx| {
        let sent = cx.send(Me, Note("too late"));
        told.add(format!("{:?}", sent.map(|receipt| receipt.received)));
        let sent = cx.send(Everyone, Peek("too late"));
        told.add(format!("{:?}", sent.map(|receipt| receipt.received)));
        told.add(format!("{}", cx.request(Me, Who).is_err()));
    });
    let (mut manager, id, hook) = scene(&log, witness);
    let actor: Actor = manager.unhook(hook)?;
    assert_eq!(actor.name, "leaving");
    assert_eq!(log.take(), ["Ok(0)", "Ok(0)", "true"]);
    assert_eq!(manager.hooks(id).count(), 1);
    Ok(())
}

// holds: messagees.unhook-leaving
#[test]
fn while_its_unhooking_is_told_it_cannot_be_unhooked_or_disabled() -> Tested {
    let log = Log::default();
    let told = log.clone();
    let witness = Witness::new(move |unhooking, cx| {
        let hook = unhooking.hook;
        let expected = Err(MessageeError::NotHooked {
            hook,
            why: Absence::Leaving,
        });
        assert_eq!(cx.unhook(hook), expected);
        assert_eq!(cx.set_enabled(hook, false), expected);
        told.add("refused");
    });
    let (mut manager, id, hook) = scene(&log, witness);
    let _: Actor = manager.unhook(hook)?;
    assert_eq!(log.take(), ["refused"]);
    let gone = manager.unhook::<Actor>(hook).map(drop);
    assert_eq!(
        gone,
        Err(MessageeError::NotHooked {
            hook,
            why: Absence::Gone
        })
    );
    assert!(manager.is_alive(id));
    Ok(())
}

// holds: messagees.lifecycle-told
#[test]
fn it_hears_of_its_own_unhooking() -> Tested {
    struct Polite(Log);

    #[handlers]
    impl Polite {
        #[on_receive]
        fn unhooking(&mut self, _: &Unhooking) {
            self.0.add("goodbye");
        }
    }

    let (mut manager, log) = (MessageManager::new(), Log::default());
    let id = manager.spawn((Polite(log.clone()),));
    let hook = manager.hooks(id).next().ok_or("it has one")?;
    let _: Polite = manager.unhook(hook)?;
    assert_eq!(log.take(), ["goodbye"]);
    Ok(())
}

// holds: messagees.unhook-panic
#[test]
fn an_unhook_whose_announcement_panics_is_carried_out_by_the_next_call() -> Tested {
    let log = Log::default();
    let witness = Witness::new(|_, _| panic!("not him"));
    let (mut manager, id, hook) = scene(&log, witness);
    assert_eq!(panic_of(|| manager.unhook::<Actor>(hook)), "not him");
    manager.settle();
    assert!(manager.get::<Actor>(id).is_err());
    assert_eq!(
        manager.owner(hook),
        Err(MessageeError::NotHooked {
            hook,
            why: Absence::Gone
        })
    );
    assert_eq!(manager.send(id, Note("nobody"))?.received, 0);
    assert_eq!(manager.hooks(id).count(), 1);
    Ok(())
}

// holds: messagees.unhook-gives-back
#[test]
fn despawning_its_messagee_meanwhile_still_gives_the_component_back() -> Tested {
    let log = Log::default();
    let witness = Witness::new(|_, cx| {
        // It hears of more when all of them go.
        let _ = cx.despawn(cx.me());
    });
    let (mut manager, id, hook) = scene(&log, witness);
    let actor: Actor = manager.unhook(hook)?;
    assert_eq!(actor.name, "leaving");
    assert!(!manager.is_alive(id));
    Ok(())
}
