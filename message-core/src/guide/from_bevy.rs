//! Coming from Bevy: events, observers and messages, and what corresponds to them here.
//!
//! | Bevy | here |
//! |---|---|
//! | entity | messagee |
//! | component, with systems that query it | component, with its own handlers |
//! | `EntityEvent`, `world.trigger`, an observer | a message, `send`, a handler |
//! | `Event`, `world.trigger` | `send` to `Everyone` |
//! | a global observer | a subscriber |
//! | `Message`, `MessageWriter`, `MessageReader` | `publish`, `inbox`, `Cursor` |
//! | `ChildOf`, propagation of events | `set_parent`, `Up(id)` |
//! | `Resource` | a messagee that is bound to a mnemonic |
//! | `Commands` | changes requested through a [`Context`](crate::Context) |
//!
//! An example with this crate: an orc is hurt and dies, and a score counts it.
//!
//! ```
//! use message_core::prelude::*;
//!
//! mnemonic!(SCORE);
//!
//! #[derive(Message)]
//! struct Damage { amount: u32 }
//!
//! #[derive(Message)]
//! struct Died;
//!
//! struct Health { hp: u32 }
//!
//! #[handlers]
//! impl Health {
//!     #[on_receive]
//!     fn take_damage(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), HandlerError> {
//!         self.hp = self.hp.saturating_sub(damage.amount);
//!         if self.hp == 0 {
//!             cx.send(SCORE, Died)?;
//!             cx.despawn(cx.me())?;
//!         }
//!         Ok(())
//!     }
//! }
//!
//! #[derive(Default)]
//! struct Score { deaths: u32 }
//!
//! #[handlers]
//! impl Score {
//!     #[on_receive]
//!     fn count(&mut self, _: &Died) { self.deaths += 1; }
//! }
//!
//! let mut manager = MessageManager::new();
//! let score = manager.spawn((Score::default(),));
//! manager.bind(SCORE, score)?;
//! let orc = manager.spawn((Health { hp: 10 },));
//!
//! manager.send(orc, Damage { amount: 10 })?;
//! assert_eq!(manager.get::<Score>(score)?.deaths, 1);
//! assert!(!manager.is_alive(orc));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same with `bevy_ecs` (not compiled here):
//!
//! ```ignore
//! use bevy_ecs::prelude::*;
//!
//! #[derive(EntityEvent)]
//! struct Damage { entity: Entity, amount: u32 }
//!
//! #[derive(Event)]
//! struct Died;
//!
//! #[derive(Component)]
//! struct Health { hp: u32 }
//!
//! #[derive(Resource, Default)]
//! struct Score { deaths: u32 }
//!
//! fn take_damage(damage: On<Damage>, mut healths: Query<&mut Health>, mut commands: Commands) {
//!     let Ok(mut health) = healths.get_mut(damage.entity) else { return };
//!     health.hp = health.hp.saturating_sub(damage.amount);
//!     if health.hp == 0 {
//!         commands.trigger(Died);
//!         commands.entity(damage.entity).despawn();
//!     }
//! }
//!
//! fn count(_: On<Died>, mut score: ResMut<Score>) { score.deaths += 1; }
//!
//! let mut world = World::new();
//! world.init_resource::<Score>();
//! world.add_observer(take_damage);
//! world.add_observer(count);
//! let orc = world.spawn(Health { hp: 10 }).id();
//!
//! world.trigger(Damage { entity: orc, amount: 10 });
//! world.flush(); // Applies the observer's `Commands`.
//! assert_eq!(world.resource::<Score>().deaths, 1);
//! assert!(world.get_entity(orc).is_err());
//! ```
//!
//! # Both together
//!
//! The crate `message-bevy` is a plugin for Bevy: a component makes an entity a messagee, the manager's frame
//! is Bevy's frame, and one-line bridges carry messages between the two. Bevy does what it does best, and
//! messages do the rest (not compiled here):
//!
//! ```ignore
//! use bevy::prelude::*;
//! use message_bevy::Message; // Bevy's prelude has another one.
//! use message_bevy::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((DefaultPlugins, MessagePlugin::default()))
//!         .trigger_on::<Died>() // An entity event in Bevy: `On<Received<Died>>`.
//!         .relay(|key: &KeyInput| Some((PLAYER, Jump))) // Turns a Bevy message into one of this crate.
//!         .add_systems(Startup, |mut commands: Commands| {
//!             commands.spawn((Sprite::default(), Messagee::new((Health { hp: 10 },))));
//!         })
//!         .add_systems(Update, |orcs: Query<Entity, With<InLava>>, mut messaging: Messaging| {
//!             for orc in &orcs {
//!                 let _ = messaging.send(orc, Damage { amount: 1 });
//!             }
//!         })
//!         .run();
//! }
//! ```
//!
//! `message-bevy/examples/tower.rs` is a runnable example; the crate's docs describe the guarantees.
//!
//! # What is better there
//!
//! - Queries over several component types, and a scheduler that runs systems on all cores. Here, a manager
//!   runs on one thread at a time, only broadcasts to handlers marked `parallel` use all cores, and there are
//!   no such queries.
//! - Publishing a million messages to many readers is about half as expensive there.
//! - A whole engine: rendering, assets, input, and a large community.
//!
//! # What is better here
//!
//! - A send is complete when it returns. In Bevy, an event that an observer triggers runs after the observer
//!   has returned, so the observer gets no answer while it runs. Here, a handler can call
//!   [`request`](crate::MessageManager::request) and use the answer.
//! - Receivers are found by the type of the component, without `add_observer`, and their order is
//!   documented: priority, then the order of hooking.
//! - Senders cannot be forged, receipts count receivers, delays and cancelling are built in, and `explain`
//!   shows why something happened.
