//! Bevy in ten minutes. This module contains no code.
//!
//! # What goes where
//!
//! A game with this plugin consists of two worlds. Bevy's has entities with components and systems that run over all of
//! them at once: sprites, transforms, input, sound. The manager's has messagees with components that receive messages:
//! health, minds, doors, quests. An entity with the component [`Messagee`](crate::Messagee) is in both.
//!
//! | you want to | do |
//! |---|---|
//! | react to something that happens to one entity | a handler of a component of its messagee |
//! | change many entities each frame | a system |
//! | change a sprite in a handler | [`cx.queue_for`](crate::ReachWorld::queue_for) |
//! | send from a system | [`Messaging`](crate::Messaging) |
//! | send from systems that run in parallel | [`MessageInlet`](crate::MessageInlet), delivered in the next frame |
//! | read in a system what was sent | [`hear`](crate::MessagingApp::hear), [`trigger_on`](crate::MessagingApp::trigger_on) |
//! | send for each key press | [`relay`](crate::MessagingApp::relay) |
//! | read a component of a messagee in a system | a request, or `messaging.manager().get::<Health>(id)` |
//! | draw a component in many entities | a Bevy component that a handler writes by `queue_for`, as below |
//!
//! The last row is how to mirror a value for queries: the component that owns it writes the Bevy component whenever it
//! changes, so that it exists twice but is written once.
//!
//! ```
//! use bevy_app::{App, Update};
//! use bevy_ecs::prelude::*;
//! use bevy_ecs::world::EntityWorldMut;
//! use bevy_time::TimePlugin;
//! use message_bevy::Message;
//! use message_bevy::prelude::*;
//!
//! #[derive(Message)]
//! struct Damage { amount: u32 }
//!
//! struct Health { hp: u32 }
//!
//! /// What the systems see of `Health`.
//! #[derive(Component, PartialEq, Debug)]
//! struct HealthBar(u32);
//!
//! #[handlers]
//! impl Health {
//!     #[on_receive]
//!     fn damage(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), SendError> {
//!         self.hp -= damage.amount;
//!         let (me, hp) = (cx.me(), self.hp);
//!         cx.queue_for(me, move |mut entity: EntityWorldMut<'_>| { entity.insert(HealthBar(hp)); })
//!     }
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((TimePlugin, MessagePlugin::default()));
//! let orc = app.world_mut().spawn((HealthBar(8), Messagee::new((Health { hp: 8 },)))).id();
//! app.world_mut().send(orc, Damage { amount: 3 })?;
//! app.update();
//! assert_eq!(app.world().get::<HealthBar>(orc), Some(&HealthBar(5)));
//! # Ok::<(), MessagingError>(())
//! ```
//!
//! # Order
//!
//! A stage of the manager is delivered after the schedule of Bevy with its name: see [`Delivery`](crate::Delivery). A send
//! by a system takes effect at once, so two systems that use `Messaging` run one after the other, in the order that
//! `before`, `after` and `chain` give them. What handlers queue is applied after the stage. A system that has to see it in
//! the same frame runs in the next schedule, or in the schedule of the delivery itself:
//!
//! ```
//! # use bevy_app::App;
//! # use bevy_ecs::schedule::IntoScheduleConfigs;
//! # use bevy_time::TimePlugin;
//! # use message_bevy::prelude::*;
//! # fn draw_health_bars() {}
//! # let mut app = App::new();
//! # app.add_plugins((TimePlugin, MessagePlugin::default()));
//! app.add_systems(Delivery::Update, draw_health_bars.after(MessageSystems::Deliver));
//! ```
//!
//! # States and pause
//!
//! The manager has no states: the systems that send have run conditions, and the scaled clock is Bevy's. A game that is
//! paused by `Time<Virtual>` gets no scaled time, so posts with delays wait; posts with the header `unscaled`, of menus,
//! do not. Components that are to rest in a state are disabled by a message to their group:
//!
//! ```
//! # use bevy_app::{App, Update};
//! # use bevy_ecs::prelude::*;
//! # use bevy_time::TimePlugin;
//! # use message_bevy::Message;
//! # use message_bevy::prelude::*;
//! group!(MONSTERS);
//!
//! #[derive(Message)]
//! struct Sleep(bool);
//!
//! struct Mind;
//! struct Sleeper;
//!
//! #[handlers]
//! impl Sleeper {
//!     #[on_receive]
//!     fn sleep(&mut self, sleep: &Sleep, cx: &mut Context<'_>) -> Result<(), MessageeError> {
//!         let mind = cx.hook_of::<Mind>(cx.me())?;
//!         cx.set_enabled(mind, !sleep.0)
//!     }
//! }
//!
//! #[derive(Resource)]
//! struct Cutscene;
//!
//! fn rest(mut messaging: Messaging) -> Result {
//!     messaging.send(MONSTERS, Sleep(true))?;
//!     Ok(())
//! }
//!
//! # let mut app = App::new();
//! # app.add_plugins((TimePlugin, MessagePlugin::default()));
//! // With `bevy_state`: `OnEnter(GameState::Cutscene)`.
//! app.add_systems(Update, rest.run_if(resource_added::<Cutscene>));
//! # app.update();
//! ```
//!
//! # Scenes and world files
//!
//! A scene has no values of components with handlers, because Bevy cannot reflect them. It has a Bevy component that
//! requires a `Messagee`, and each entity that is spawned from the scene gets a messagee of its own:
//!
//! ```
//! # use bevy_app::App;
//! # use bevy_ecs::prelude::*;
//! # use bevy_time::TimePlugin;
//! # use message_bevy::prelude::*;
//! # struct Health { hp: u32 }
//! #[derive(Component, Default, Clone)] // And `Reflect`, for scenes in files.
//! #[require(Messagee = Messagee::new((Health { hp: 8 },)))]
//! struct Goblin { sight: u32 }
//!
//! # let mut app = App::new();
//! # app.add_plugins((TimePlugin, MessagePlugin::default()));
//! let goblin = app.world_mut().spawn(Goblin { sight: 3 }).id();
//! let id = app.world().resource::<Messenger>().id_of(goblin).expect("it was required");
//! assert_eq!(app.world_mut().resource_mut::<Messenger>().manager().get::<Health>(id)?.hp, 8);
//! # Ok::<(), MessageeError>(())
//! ```
//!
//! In `bsn!`, write `template(|_| Ok(Messagee::new((Health { hp: 8 },))))` for an entity without such a component. With the
//! feature `reflect`, inspectors show the id of each messagee. A scene that is written from a world has it too, as text for
//! its readers; it has no effect when the scene is loaded.
//!
//! For values that differ from one messagee to the next, spawn them from a world file of the crate `message-data`, and give
//! them entities: [`Messenger::adopt_all`](crate::Messenger::adopt_all) spawns one for each, with `Name` and `ChildOf`. An
//! observer of `Insert<Messagee>` decides what an entity looks like, or a component that is named in the file and queues it.
//!
//! ```
//! use bevy_app::App;
//! use bevy_ecs::name::Name;
//! use bevy_time::TimePlugin;
//! use message_bevy::prelude::*;
//! use message_data::{Data, WorldFile};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Data, Serialize, Deserialize)]
//! #[data(name = "docs.bevy.Lamp", exact)]
//! struct Lamp { watts: u32 }
//!
//! let mut app = App::new();
//! app.add_plugins((TimePlugin, MessagePlugin::default()));
//! let file = WorldFile::parse(
//!     r#"World(version: 1, messagees: [Messagee(name: "hall", components: [Lamp(watts: 60)])])"#,
//! )?;
//! file.instantiate(app.world_mut().resource_mut::<Messenger>().manager())?;
//! let lamps = Messenger::adopt_all(app.world_mut());
//! assert_eq!(app.world().get::<Name>(lamps[0]).map(Name::as_str), Some("hall"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Saves
//!
//! `message_data::save` writes the manager. [`Messenger::replace`](crate::Messenger::replace) puts a restored one in its
//! place, and despawns the entities of the old one; `adopt_all` makes new ones. Bevy's side of an entity is not in the save:
//! what cannot be derived from the messagee belongs into a component of the messagee.
//!
//! # Removal
//!
//! Despawn either side, and the other one follows: the messagee at once, the entity after the stage. To take an entity
//! out of the manager only, remove its `Messagee`. Children follow their parent on both sides.
