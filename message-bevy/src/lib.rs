//! A [Bevy](https://bevy.org) plugin for [message-core](message_core): entities are messagees, the manager's
//! frame is Bevy's frame, and messages cross between the two worlds by bridges of one line.
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
//! # What holds
//!
//! - **Clocks.** In each frame of Bevy the manager has one frame. Its scaled, unscaled and fixed time are
//!   `Time<Virtual>`, `Time<Real>` and `Time<Fixed>`, to the nanosecond, from when the plugin was added on:
//!   through speed, pause, `max_delta` and a fixed step that changes, also in the middle of a frame. The
//!   manager's own scale and pause do not act; its clock tells those of Bevy. Who changes the overstep of
//!   `Time<Fixed>` by hand takes the fixed clocks apart.
//! - **Order.** The frame begins in `First`, after Bevy's clocks. The stages are delivered in schedules of
//!   their own behind `FixedUpdate`, `Update`, `PostUpdate` and `Last` ([`Delivery`]), so no system of the
//!   program runs in parallel with them, and the order is never ambiguous. The time in a pass of `FixedUpdate` is the
//!   fixed time; a system of `FixedUpdate` that looks at the manager's clock comes before the pass.
//! - **Entities.** A [`Messagee`] spawns and despawns with its entity, and the entity with its messagee.
//!   With the feature `hierarchy` (default) the messagee of the `ChildOf` parent is its parent, if it has
//!   one; the name of the entity is its name.
//! - **Sends.** [`Messaging`] sends by `Entity` and by id, at once. An error names the entity and its
//!   `Name`, the message type and what was expected.
//! - **Bridges.** [`hear`](MessagingApp::hear), [`trigger_on`](MessagingApp::trigger_on),
//!   [`relay`](MessagingApp::relay). What is relayed comes before the next stage, what is heard or
//!   triggered after the stage, in the order delivered.
//! - **Commands.** Handlers reach Bevy's world by [`queue`](ReachWorld::queue): what they queue is applied
//!   after the stage, in order with what is heard and triggered.
//! - **Threads.** Systems that run in parallel post through [`MessageInlet`].
//! - **Logs.** All of this enters the manager as sends, posts, spawns and frames from outside, so a log has
//!   it, and a replay needs no Bevy. Add bridges before the log begins: they are closures.
//!
//! What it does not do: put message-core's components into Bevy's tables, run handlers on several threads
//! in parallel with systems, or follow a manager that is restored from a save.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![allow(
    clippy::needless_pass_by_value,
    reason = "the parameters of a system are its own"
)]

mod bridge;
mod context;
mod error;
#[cfg(feature = "hierarchy")]
mod hierarchy;
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
