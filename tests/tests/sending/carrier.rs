//! A carrier of another crate than message-core, for messagees that live elsewhere.

use std::any::Any;
use std::cell::RefCell;

use message_core::carrier::{Carrier, Carrying};
use message_core::error::CarryError;
use message_core::input::{ForeignInput, Input, InputSink};
use message_core::prelude::*;
use message_core::registry::MessageIndex;
use message_core::{AnyMessage, SendErrorKind};

#[derive(Message, Debug)]
#[message(name = "carrier.ping")]
struct Ping;

/// Notes what it is asked to carry. It cannot reach the destination 0.
#[derive(Debug, Default)]
struct Post {
    carried: RefCell<Vec<(u32, MessageeId, Sender, &'static str)>>,
    ended: Vec<MessageeId>,
}

impl Carrier for Post {
    fn carry(
        &self,
        destination: u32,
        carrying: Carrying<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(), CarryError> {
        if destination == 0 {
            return Err(CarryError::Unreachable);
        }
        let Carrying { proxy, sender, .. } = carrying;
        let mut carried = self.carried.borrow_mut();
        carried.push((destination, proxy, sender, message.name()));
        Ok(())
    }

    fn has_carried(&self, _: MessageIndex) -> bool {
        !self.carried.borrow().is_empty()
    }

    fn note_end(&mut self, id: MessageeId) {
        self.ended.push(id);
    }
}

/// A carrier that no manager here has.
#[derive(Debug, Default)]
struct Courier;

impl Carrier for Courier {
    fn carry(&self, _: u32, _: Carrying<'_>, _: &dyn AnyMessage) -> Result<(), CarryError> {
        Err(CarryError::Unreachable)
    }

    fn has_carried(&self, _: MessageIndex) -> bool {
        false
    }

    fn note_end(&mut self, _: MessageeId) {}
}

#[derive(Debug)]
struct SpawnProxy(u32);

impl ForeignInput for SpawnProxy {
    fn pass_to(&self, sink: &mut dyn Any) {
        if let Some(Spawned(spawned)) = sink.downcast_mut() {
            spawned.push(self.0);
        }
    }
}

#[derive(Default)]
struct Spawned(Vec<u32>);

impl InputSink for Spawned {
    fn input(&mut self, input: &Input<'_>, _: &MessageManager) {
        if let Input::Foreign(input) = input {
            input.pass_to(self);
        }
    }
}

// holds: proxies.carrier
#[test]
fn a_carrier_is_passed_the_messages_to_proxies_and_the_ends_of_messagees() {
    let mut manager = MessageManager::new();
    assert!(manager.carrier::<Post>().is_none());
    manager.carrier_mut::<Post>();
    assert!(manager.carrier::<Courier>().is_none());

    let (near, far) = (manager.spawn(()), manager.spawn_proxy(7, &SpawnProxy(7)));
    assert_eq!(manager.send(far, Ping).map(|it| it.received), Ok(1));
    let mut speaking = manager.speak_for(near).expect("it is alive");
    speaking.send(far, Ping).expect("it is carried");
    let carried = |manager: &MessageManager| manager.carrier::<Post>().map(|it| it.carried.take());
    let expected = [Sender::Outside, Sender::Messagee(near)];
    let expected = expected.map(|sender| (7, far, sender, "carrier.ping"));
    assert_eq!(carried(&manager).as_deref(), Some(&expected[..]));

    let nowhere = manager.spawn_proxy(0, &SpawnProxy(0));
    let error = manager.send(nowhere, Ping).expect_err("it is not reached");
    let is_unreachable = |kind: &SendErrorKind| matches!(kind, SendErrorKind::NotCarried { why, .. } if *why == CarryError::Unreachable);
    assert!(is_unreachable(error.kind()), "{error}");

    for id in [far, near] {
        manager.despawn(id).expect("it is alive");
    }
    assert_eq!(manager.carrier_mut::<Post>().ended, [far, near]);
}

#[test]
#[should_panic = "a manager has one carrier"]
fn a_manager_has_one_carrier() {
    let mut manager = MessageManager::new();
    manager.carrier_mut::<Post>();
    manager.carrier_mut::<Courier>();
}

#[test]
fn the_input_of_a_proxy_is_passed_to_the_sink() {
    let mut manager = MessageManager::new();
    manager.set_input_sink(Some(Box::<Spawned>::default()));
    manager.spawn_proxy(3, &SpawnProxy(3));
    let sink: Box<dyn Any> = manager.set_input_sink(None).expect("it was set");
    let spawned = sink.downcast::<Spawned>().expect("it is of this type");
    assert_eq!(spawned.0, [3]);
}
