//! Bevy's messages on their way into the manager.
//!
//! A relay keeps one cursor for all stages, so each message is relayed once. Relays run in the order in which
//! they were added. Each one gets the whole world, so relays are shared with the resource that holds them. A
//! relay's lock is held while it runs.

use std::panic::Location;
use std::sync::{Arc, Mutex, PoisonError};

use bevy_app::App;
use bevy_ecs::error::{BevyError, ErrorContext, Severity};
use bevy_ecs::message::{Message as BevyMessage, MessageCursor, Messages};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::world::World;
use message_core::Message;

use crate::messaging::SendFromWorld;
use crate::schedules::{Delivery, MessageSystems};
use crate::target::Target;

type Relay = Mutex<dyn FnMut(&mut World) + Send>;

/// The relays of an app.
#[derive(Resource, Default)]
pub(crate) struct Relays(Vec<Arc<Relay>>);

impl Relays {
    /// Relays the messages written since the last run.
    pub(crate) fn run(world: &mut World) {
        let mut number = 0;
        while let Some(relay) = world.resource::<Self>().0.get(number).cloned() {
            number += 1;
            // A relay that has panicked continues after the message that made it panic.
            let mut relay = relay.lock().unwrap_or_else(PoisonError::into_inner);
            relay(world);
        }
    }
}

#[track_caller]
pub(crate) fn add<E, F, I, T, M>(app: &mut App, mut relay: F)
where
    E: BevyMessage,
    F: FnMut(&E) -> I + Send + Sync + 'static,
    I: IntoIterator<Item = (T, M)>,
    T: Target,
    M: Message,
{
    let mut cursor = MessageCursor::<E>::default();
    let place = Location::caller();
    let run = move |world: &mut World| {
        let Some(messages) = world.get_resource::<Messages<E>>() else {
            return;
        };
        if cursor.is_empty(messages) {
            return;
        }
        let sends: Vec<(T, M)> = cursor.read(messages).flat_map(&mut relay).collect();
        for (to, message) in sends {
            if let Err(error) = world.send(to, message) {
                let error =
                    BevyError::new(Severity::Error, format!("{error}, by the relay at {place}"));
                let name = bevy_ecs::utils::prelude::DebugName::type_name::<F>();
                world.fallback_error_handler()(error, ErrorContext::Command { name });
            }
        }
    };
    if !app.world().contains_resource::<Relays>() {
        // An app without relays has no systems for them.
        app.init_resource::<Relays>();
        for delivery in Delivery::ALL {
            app.add_systems(delivery, Relays::run.in_set(MessageSystems::Bridge));
        }
    }
    let mut relays = app.world_mut().resource_mut::<Relays>();
    relays.0.push(Arc::new(Mutex::new(run)));
}
