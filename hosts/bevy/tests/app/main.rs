//! The claims of the guide *Bevy in ten minutes*, in apps with `DefaultPlugins` and both preludes.
#![allow(
    clippy::needless_pass_by_value,
    reason = "the parameters of a system are its own"
)]

mod order;
mod removal;
mod saves;
mod scenes;
mod states;

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use message_bevy::Message;
use message_bevy::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

type Tested = Result<(), Box<dyn std::error::Error>>;

#[derive(Message, Clone, Debug, Data, Serialize, Deserialize)]
#[data(name = "bevy.Damage", exact)]
struct Damage {
    amount: u32,
}

#[derive(Data, Serialize, Deserialize, PartialEq, Debug)]
#[data(name = "bevy.Health", exact)]
struct Health {
    hp: u32,
}

#[handlers]
impl Health {
    #[on_receive]
    fn damage(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.hp = self.hp.saturating_sub(damage.amount);
        if self.hp == 0 {
            cx.despawn(cx.me())?;
        }
        Ok(())
    }
}

const FRAME: Duration = Duration::from_millis(10);

/// Returns an app whose frames are 10 ms long, except for the first, which has no length.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins((DefaultPlugins, MessagePlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    app
}

fn orc(app: &mut App, hp: u32) -> Entity {
    app.world_mut().spawn(Messagee::new((Health { hp },))).id()
}

/// Calls a closure with the manager.
fn with<R>(app: &mut App, f: impl FnOnce(&mut MessageManager) -> R) -> R {
    f(app.world_mut().resource_mut::<Messenger>().manager())
}

fn id_of(app: &App, entity: Entity) -> MessageeId {
    let id = app.world().resource::<Messenger>().id_of(entity);
    id.expect("it has a messagee")
}

fn hp(app: &mut App, entity: Entity) -> Result<u32, MessageeError> {
    let id = id_of(app, entity);
    with(app, |manager| manager.get::<Health>(id).map(|it| it.hp))
}

fn is_there(app: &App, entity: Entity) -> bool {
    app.world().get_entity(entity).is_ok()
}
