//! A [Bevy](https://bevy.org) plugin for [message-core](message_core): entities are messagees, the manager's
//! frame is Bevy's frame, and one-line bridges carry messages between the two worlds.
//!
//! They remain two worlds: the components with handlers are stored in the manager, not in Bevy's tables, so a
//! `Query<&Health>` does not find them. A system asks for them by message, or reads them with
//! [`Messaging::manager`]; [the guide](guide) shows how the two live together.
//!
//! ```
//! use bevy_app::{App, Update};
//! use bevy_ecs::prelude::*;
//! use bevy_time::TimePlugin;
//! use message_bevy::Message; // Bevy's prelude has another one.
//! use message_bevy::prelude::*;
//!
//! #[derive(Message, Clone)]
//! struct Damage { amount: u32 }
//!
//! #[derive(Message, Clone)]
//! struct Died;
//!
//! // A component of message-core: its handlers find it by its type.
//! struct Health { hp: u32 }
//!
//! #[handlers]
//! impl Health {
//!     #[on_receive]
//!     fn damage(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), HandlerError> {
//!         self.hp = self.hp.saturating_sub(damage.amount);
//!         if self.hp == 0 {
//!             cx.send(Me, Died)?;
//!             cx.despawn(cx.me())?; // The entity follows.
//!         }
//!         Ok(())
//!     }
//! }
//!
//! #[derive(Component)] // Bevy's.
//! struct Sprite;
//!
//! #[derive(Resource, Default)]
//! struct Graves(u32);
//!
//! fn fight(orcs: Query<Entity, With<Sprite>>, mut messaging: Messaging) -> Result {
//!     for orc in &orcs {
//!         messaging.send(orc, Damage { amount: 4 })?;
//!     }
//!     Ok(())
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((TimePlugin, MessagePlugin::default()))
//!     .trigger_on::<Died>()
//!     .init_resource::<Graves>()
//!     .add_observer(|_: On<Received<Died>>, mut graves: ResMut<Graves>| graves.0 += 1)
//!     .add_systems(Update, fight);
//! let orc = app.world_mut().spawn((Sprite, Messagee::new((Health { hp: 8 },)))).id();
//! app.update();
//! assert!(app.world().get_entity(orc).is_ok());
//! app.update();
//! assert!(app.world().get_entity(orc).is_err());
//! assert_eq!(app.world().resource::<Graves>().0, 1);
//! ```
//!
//! # Guarantees
//!
//! - **Clocks.** The manager has one frame for each frame of Bevy. Its scaled, unscaled and fixed time are
//!   `Time<Virtual>`, `Time<Real>` and `Time<Fixed>`, counted from when the plugin was added and equal to the
//!   nanosecond. This holds through changes of speed, pause, `max_delta` and the fixed step, even in the middle
//!   of a frame. The manager's own scale and pause have no effect; its clock reports Bevy's. Changing the
//!   overstep of `Time<Fixed>` by hand makes the fixed clocks diverge.
//! - **Order.** The frame begins in `First`, after Bevy's clocks. The stages are delivered in schedules of
//!   their own after `FixedUpdate`, `Update`, `PostUpdate` and `Last` ([`Delivery`]), so no system of the
//!   program runs in parallel with them, and the order is never ambiguous. During `FixedUpdate` the time is the
//!   fixed time; a system of `FixedUpdate` that reads the manager's clock runs before the manager's step.
//! - **Entities.** A [`Messagee`] spawns and despawns with its entity, and the entity with its messagee.
//!   With the feature `hierarchy` (default) the messagee of the `ChildOf` parent is its parent, if there is
//!   one. The entity's name is its name.
//!   A messagee that is already there gets an entity by [`Messagee::adopt`] or [`Messenger::adopt_all`].
//! - **Sends.** [`Messaging`] sends immediately, by `Entity` or by id, and posts, asks and publishes. An error names the
//!   entity and its `Name`, the message type and what was expected.
//! - **Bridges.** [`hear`](MessagingApp::hear), [`trigger_on`](MessagingApp::trigger_on) and
//!   [`relay`](MessagingApp::relay). Relays run before the next stage; messages are heard and events
//!   triggered after the stage, in order of delivery.
//! - **Commands.** Handlers reach Bevy's world through [`queue`](ReachWorld::queue). Queued commands are
//!   applied after the stage, in order with the messages heard and the events triggered.
//! - **Threads.** Systems that run in parallel post through [`MessageInlet`].
//! - **Logs.** All of this enters the manager as sends, posts, spawns and frames from outside, so a log
//!   records it, and a replay needs no Bevy. Add bridges before the log begins: they are closures.
//!
//! - **Saves.** [`Messenger::replace`] puts a restored manager in the place of the old one, with all bridges.
//!
//! It does not store message-core's components in Bevy's tables, or run handlers on several threads in parallel
//! with systems.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![allow(
    clippy::needless_pass_by_value,
    reason = "the parameters of a system are its own"
)]

mod bridge;
mod context;
mod error;
pub mod guide;
#[cfg(feature = "hierarchy")]
mod hierarchy;
mod identity;
mod inlet;
mod messagee;
mod messaging;
mod messenger;
mod plugin;
pub mod prelude;
mod relay;
mod schedules;
mod target;

pub use message_core;
pub use message_core::Message;

pub use bridge::{Heard, MessagingApp, Received};
pub use context::ReachWorld;
pub use error::MessagingError;
pub use inlet::MessageInlet;
pub use messagee::Messagee;
pub use messaging::{Messaging, SendFromWorld};
pub use messenger::Messenger;
pub use plugin::MessagePlugin;
pub use schedules::{Delivery, MessageSystems};
pub use target::Target;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
