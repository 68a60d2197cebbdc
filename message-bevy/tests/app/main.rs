//! The plugin in a real app.
#![allow(
    clippy::needless_pass_by_value,
    reason = "the parameters of a system are its own"
)]

mod adoption;
mod bridges;
mod clocks;
mod commands;
mod entities;
mod errors;
#[cfg(feature = "hierarchy")]
mod families;
mod inlets;
mod logs;
mod names;
mod order;

use std::time::Duration;

use bevy_app::App;
use bevy_ecs::entity::Entity;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use message_bevy::Message;
use message_bevy::prelude::*;

pub(crate) type Tested = Result<(), Box<dyn std::error::Error>>;

#[derive(Message, Clone, Debug)]
pub(crate) struct Damage {
    pub(crate) amount: u32,
}

#[derive(Message, Clone, Debug)]
pub(crate) struct Died;

#[derive(Message)]
#[message(reply = u32)]
pub(crate) struct GetHp;

pub(crate) struct Health {
    pub(crate) hp: u32,
}

#[handlers]
impl Health {
    #[on_receive]
    fn damage(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.hp = self.hp.saturating_sub(damage.amount);
        if self.hp == 0 {
            cx.send(Me, Died)?;
            cx.despawn(cx.me())?;
        }
        Ok(())
    }

    #[on_receive]
    fn hp(&self, _: &GetHp) -> u32 {
        self.hp
    }
}

pub(crate) const FRAME: Duration = Duration::from_millis(10);

/// Returns an app whose frames are 10 ms long, except for the first, which has no length.
pub(crate) fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, MessagePlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    app
}

pub(crate) fn orc(app: &mut App, hp: u32) -> Entity {
    app.world_mut().spawn(Messagee::new((Health { hp },))).id()
}

pub(crate) fn id_of(app: &App, entity: Entity) -> MessageeId {
    let id = app.world().resource::<Messenger>().id_of(entity);
    id.expect("it has a messagee")
}

/// Calls a closure with the manager.
pub(crate) fn with<R>(app: &mut App, f: impl FnOnce(&mut MessageManager) -> R) -> R {
    f(app.world_mut().resource_mut::<Messenger>().manager())
}

pub(crate) fn is_alive(app: &mut App, id: MessageeId) -> bool {
    with(app, |manager| manager.is_alive(id))
}
