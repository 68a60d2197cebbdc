//! The messagee a message was addressed to, as its receivers and listeners see it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::Tested;
use message_core::lifecycle::Despawning;
use message_core::prelude::*;

mnemonic!(CHIEF);
group!(CREW);

#[derive(Message, Clone)]
struct Order;

/// Makes another the chief.
#[derive(Message, Clone)]
struct Resign(MessageeId);

type Seen = Arc<Mutex<Vec<(&'static str, Option<MessageeId>)>>>;

#[derive(Clone, Default)]
struct Log(Seen);

impl Log {
    fn add(&self, who: &'static str, addressee: Option<MessageeId>) {
        self.0.lock().expect("no panic").push((who, addressee));
    }

    fn take(&self) -> Vec<(&'static str, Option<MessageeId>)> {
        std::mem::take(&mut *self.0.lock().expect("no panic"))
    }
}

struct Sailor(Log);

#[handlers]
impl Sailor {
    #[on_receive]
    fn order(&mut self, _: &Order, cx: &mut Context<'_>) {
        self.0.add("sailor", cx.addressee());
    }

    #[on_receive]
    fn resign(&mut self, resign: &Resign, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if cx.is_overheard() {
            self.0.add("spy", cx.addressee());
            return Ok(());
        }
        cx.unbind(CHIEF, cx.me())?;
        cx.bind(CHIEF, resign.0)?;
        self.0.add("sailor", cx.addressee());
        Ok(())
    }
}

fn crew() -> (MessageManager, Log, [MessageeId; 2]) {
    let (mut manager, log) = (MessageManager::new(), Log::default());
    let ids = [0; 2].map(|_| manager.spawn((Sailor(log.clone()),)));
    (manager, log, ids)
}

// holds: send.addressee
#[test]
fn an_id_me_a_mnemonic_and_a_hook_come_to_one_messagee() -> Tested {
    let (mut manager, log, [a, b]) = crew();
    manager.bind(CHIEF, a)?;
    let hook = manager.hook_of::<Sailor>(b).expect("it has one");
    let by = log.clone();
    manager.subscribe(Filter::of::<Order>(), move |_, cx| {
        by.add("subscriber", cx.addressee());
    });
    let both = |id| vec![("sailor", Some(id)), ("subscriber", Some(id))];
    manager.send(a, Order)?;
    assert_eq!(log.take(), both(a));
    manager.send(CHIEF, Order)?;
    assert_eq!(log.take(), both(a));
    manager.send(hook, Order)?;
    assert_eq!(log.take(), both(b));
    manager.speak_for(b)?.send(Me, Order)?;
    assert_eq!(log.take(), both(b));
    // From the heap, and in a box.
    manager.post(Header::to(CHIEF).after_frames(1), Order)?;
    manager
        .speak_for(b)?
        .post(Header::to(Me).after_frames(1), Order)?;
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), [both(a), both(b)].concat());
    manager.send_any(CHIEF, Box::new(Order))?;
    assert_eq!(log.take(), both(a));
    Ok(())
}

// holds: send.addressee-of-many
#[test]
fn what_is_sent_to_many_has_no_addressee() -> Tested {
    let (mut manager, log, [a, b]) = crew();
    manager.bind(CHIEF, a)?;
    manager.join(CREW, a)?;
    let by = log.clone();
    manager.subscribe(Filter::of::<Order>(), move |_, cx| {
        by.add("subscriber", cx.addressee());
    });
    manager.send(Everyone, Order)?;
    manager.speak_for(b)?.send(EveryoneElse, Order)?;
    manager.send(CREW, Order)?;
    manager.send(Up(a), Order)?;
    manager.send(Down(CHIEF), Order)?;
    let seen = log.take();
    // Five sends, which the subscriber heard and six times a sailor.
    assert_eq!(seen.len(), 11);
    assert!(
        seen.iter().all(|(_, addressee)| addressee.is_none()),
        "{seen:?}"
    );
    Ok(())
}

// holds: send.addressee, send.addressee-same-for-all
#[test]
fn a_mnemonic_came_to_whom_it_was_bound_to_when_the_message_was_sent() -> Tested {
    let (mut manager, log, [a, b]) = crew();
    let spy = manager.spawn((Sailor(log.clone()),));
    manager.bind(CHIEF, a)?;
    for (filter, who) in [
        (Filter::of::<Resign>(), "subscriber"),
        (Filter::of::<Resign>().stage(Stage::Update), "later"),
    ] {
        let by = log.clone();
        manager.subscribe(filter, move |_, cx| by.add(who, cx.addressee()));
    }
    manager.overhear(spy, Filter::of::<Resign>())?;
    manager.send(CHIEF, Resign(b))?;
    assert_eq!(manager.bound(CHIEF), Some(b));
    let seen = [
        ("sailor", Some(a)),
        ("subscriber", Some(a)),
        ("spy", Some(a)),
    ];
    assert_eq!(log.take(), seen);
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), [("later", Some(a))]);
    Ok(())
}

// holds: send.addressee
#[test]
fn a_message_that_the_manager_sends_has_an_addressee_too() -> Tested {
    let (mut manager, log, [a, b]) = crew();
    manager.set_parent(b, Some(a))?;
    let by = log.clone();
    manager.subscribe(Filter::of::<Despawning>(), move |_, cx| {
        by.add("leaves", cx.addressee());
    });
    manager.despawn(a)?;
    let mut seen = log.take();
    seen.sort_by_key(|seen| seen.1 != Some(a));
    assert_eq!(seen, [("leaves", Some(a)), ("leaves", Some(b))]);
    Ok(())
}

// holds: send.addressee, send.addressee-same-for-all
#[test]
fn a_message_to_a_hook_keeps_its_addressee_when_the_component_is_gone() -> Tested {
    let (mut manager, log, [a, _]) = crew();
    let hook = manager.hook_of::<Sailor>(a).expect("it has one");
    let by = log.clone();
    let filter = Filter::of::<Order>().stage(Stage::Update);
    manager.subscribe(filter, move |_, cx| by.add("later", cx.addressee()));
    manager.send(hook, Order)?;
    manager.unhook::<Sailor>(hook)?;
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), [("sailor", Some(a)), ("later", Some(a))]);
    Ok(())
}
