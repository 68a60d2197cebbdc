//! A world from a file: templates, messagees and wires in a text file.
//!
//! Components and messages that appear in files have `#[derive(Data)]` in addition to serde's derives. A file
//! names their types, gives the fields that differ from the default, and refers to other messagees by name.
//! Wires define reactions to messages, without any code.
//!
//! ```
//! use std::time::Duration;
//!
//! use message_core::prelude::*;
//! use message_data::{self as data, Data, Selection, WorldFile, parse_message};
//! use serde::{Deserialize, Serialize};
//!
//! mnemonic!(PORTER = "tour.Porter");
//!
//! #[derive(Message, Data, Serialize, Deserialize, Clone)]
//! #[data(name = "tour.Cranked")]
//! struct Cranked;
//!
//! #[derive(Message, Data, Serialize, Deserialize, Clone)]
//! #[data(name = "tour.Toll", exact)]
//! struct Toll { times: u32 }
//!
//! #[derive(Data, Serialize, Deserialize, Default)]
//! #[data(name = "tour.Belfry")]
//! #[serde(default)]
//! struct Belfry { tone: String, rung: u32, porter: Option<MessageeId> }
//!
//! #[handlers]
//! impl Belfry {
//!     #[on_receive]
//!     fn toll(&mut self, toll: &Toll) { self.rung += toll.times; }
//! }
//!
//! // This only parses the text and checks it as a whole. `WorldFile::read` reads a file.
//! let file = WorldFile::parse(
//!     r#"World(
//!         version: 1,
//!         templates: {
//!             "bell": Template(components: [Belfry(tone: "deep")]),
//!             "alarm bell": Template(from: ["bell"], overrides: [Belfry(tone: "shrill")]),
//!         },
//!         messagees: [
//!             Messagee(name: "house", mnemonics: ["Porter"], children: [
//!                 Messagee(name: "alarm", from: ["alarm bell"],
//!                     overrides: [Belfry(porter: Some("house"))]),
//!             ]),
//!             Messagee(name: "crank", wires: [
//!                 Wire(on: Cranked, to: "alarm", send: Toll(times: 3), after: 2.5, times: 1),
//!             ]),
//!         ],
//!     )"#,
//! )?;
//!
//! // Makes everything, or nothing.
//! let mut manager = MessageManager::new();
//! let made = file.instantiate(&mut manager)?;
//! let alarm = made.get("alarm").ok_or("the file has an alarm")?;
//! let crank = made.get("crank").ok_or("the file has a crank")?;
//! assert_eq!(manager.get::<Belfry>(alarm)?.tone, "shrill");
//! assert_eq!(manager.get::<Belfry>(alarm)?.porter, manager.bound(PORTER));
//!
//! // The wire posts when the crank receives `Cranked`. It fires only once.
//! let cranked = parse_message("Cranked", &manager)?;
//! manager.send_any(crank, cranked)?;
//! manager.tick(Duration::from_secs(3));
//! assert_eq!(manager.get::<Belfry>(alarm)?.rung, 3);
//! assert!(data::wires(&manager).is_empty());
//!
//! // Back to a text, for a program or a person to read.
//! let text = data::write_world(&manager, &Selection::of([alarm]).without_unwritable());
//! # let error = text.expect_err("the house is not written");
//! // That fails: the bell refers to the house, which is not selected.
//! assert!(error.to_string().contains("is not among the messagees that are written"));
//! assert!(data::write_world(&manager, &Selection::all())?.contains("rung: 3"));
//!
//! // All mistakes are reported at once, each with line, column and the nearest name.
//! let error = WorldFile::parse(r#"World(version: 1, messagees: [(name: "a", components: [Belfri])])"#);
//! assert_eq!(
//!     error.expect_err("a typo").to_string(),
//!     "1:56: no component with data is called `Belfri`; did you mean `Belfry`?"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Doors, traps and relays
//!
//! A name in a wire means the messagee of the same instance, so a file that is instantiated twice has two levers, and
//! each rings its own bell. A wire posts with any header: with a key, a post replaces what its messagee has pending
//! under that key, or `cancel` ends it. `Sender` is whoever sent the message; behind a relay, `Activator` is whoever
//! began the chain. `It` passes on what was received, and `when` looks into it.
//!
//! ```
//! # use message_core::prelude::*;
//! # use message_data::{Data, WorldFile};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(Message, Data, Serialize, Deserialize, Clone)]
//! # #[data(name = "level.Passed", exact)]
//! # struct Passed { weight: f32 }
//! # #[derive(Message, Data, Serialize, Deserialize, Clone)]
//! # #[data(name = "level.Close")]
//! # struct Close;
//! # #[derive(Message, Data, Serialize, Deserialize, Clone)]
//! # #[data(name = "level.Lock")]
//! # struct Lock;
//! # #[derive(Message, Data, Serialize, Deserialize, Clone)]
//! # #[data(name = "level.Ignite")]
//! # struct Ignite;
//! # #[derive(Message, Data, Serialize, Deserialize, Clone)]
//! # #[data(name = "level.Burn", exact)]
//! # struct Burn { damage: u32 }
//! # #[derive(Message, Data, Serialize, Deserialize, Clone)]
//! # #[data(name = "level.Press", exact)]
//! # struct Press { power: u32 }
//! # #[derive(Message, Data, Serialize, Deserialize, Clone)]
//! # #[data(name = "level.Heal", exact)]
//! # struct Heal { amount: u32 }
//! WorldFile::parse(
//!     r#"World(version: 1, messagees: [
//!         // It closes two seconds after the last one has passed, unless it is locked open.
//!         Messagee(name: "door", wires: [
//!             Wire(on: Passed, to: Me, send: Close, after: 2, key: "close"),
//!             Wire(on: Lock, cancel: "close"),
//!         ]),
//!         // It ignites the heavy. Fire burns each second for five seconds, and keeps its beat when it is renewed.
//!         Messagee(name: "trap", wires: [Wire(on: Passed, when: (weight: AtLeast(50)), to: Sender, send: Ignite)]),
//!         Messagee(name: "orc", wires: [
//!             Wire(on: Ignite, to: Me, send: Burn(damage: 1), every: 1, deliveries: 5, key: "fire", keep_phase: true),
//!         ]),
//!         // A relay heals whoever pressed the button, as strongly as they pressed it.
//!         Messagee(name: "button", wires: [Wire(on: Press, to: "relay", send: It, after: 0.5)]),
//!         Messagee(name: "relay", wires: [Wire(on: Press, to: Activator, send: Heal(amount: It("power")))]),
//!     ])"#,
//! )?;
//! # Ok::<(), message_data::WorldError>(())
//! ```
//!
//! # A spawner
//!
//! A handler passes its context instead of the manager to `instantiate` and `instantiate_template`. It gets the ids at
//! once, and can send to them. The messagees come alive when the outermost send returns. `add_wire` takes a context,
//! too.
//!
//! ```
//! use message_core::prelude::*;
//! use message_data::{Data, WorldError, WorldFile};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Message, Data, Serialize, Deserialize, Clone)]
//! #[data(name = "pit.Stepped", exact)]
//! struct Stepped { weight: f32 }
//!
//! #[derive(Message, Data, Serialize, Deserialize, Clone)]
//! #[data(name = "pit.Summon", exact)]
//! struct Summon { template: String, count: u32 }
//!
//! #[derive(Data, Serialize, Deserialize, Default)]
//! #[data(name = "pit.Fangs")]
//! #[serde(default)]
//! struct Fangs { sharp: bool }
//!
//! struct Pit { file: WorldFile }
//!
//! #[handlers]
//! impl Pit {
//!     #[on_receive]
//!     fn summon(&mut self, it: &Summon, cx: &mut Context<'_>) -> Result<(), WorldError> {
//!         for number in 0..it.count {
//!             let name = format!("{} {number}", it.template);
//!             self.file.instantiate_template(cx, &it.template, name)?;
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let file = WorldFile::parse(
//!     r#"World(version: 1,
//!         templates: {"rat": Template(components: [Fangs(sharp: true)])},
//!         messagees: [
//!             Messagee(name: "pit"),
//!             Messagee(name: "plate", wires: [
//!                 Wire(on: Stepped, when: (weight: AtLeast(50)), to: "pit", send: Summon(template: "rat", count: 3), times: 1),
//!             ]),
//!         ],
//!     )"#,
//! )?;
//! let mut manager = MessageManager::new();
//! let made = file.instantiate(&mut manager)?;
//! let (pit, plate) = (made.get("pit").ok_or("no pit")?, made.get("plate").ok_or("no plate")?);
//! manager.hook(pit, Pit { file })?;
//! for weight in [5.0, 80.0, 80.0] {
//!     manager.send(plate, Stepped { weight })?;
//! }
//! manager.tick(std::time::Duration::ZERO);
//! assert_eq!(manager.find("rat *").count(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Components of a messagee that is alive
//!
//! A console or an editor adds components by text, and changes the fields that it names. All of it works from outside
//! and in a handler, which passes its context instead of the manager:
//!
//! ```
//! use message_core::prelude::*;
//! use message_data::{self as data, Data};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Data, Serialize, Deserialize, Default)]
//! #[data(name = "tour.Vane")]
//! #[serde(default)]
//! struct Vane { points: String, rust: u32, over: Option<MessageeId> }
//!
//! let mut manager = MessageManager::new();
//! let barn = manager.spawn_named("barn", ());
//! let vane = data::hook_from_text(&mut manager, barn, "Vane(points: \"N\", over: Some(barn))")?;
//! data::change_from_text(&mut manager, vane, "Vane(rust: 3)")?;
//! assert_eq!(
//!     data::component_to_text(&manager, vane)?,
//!     "Vane(points: \"N\", rust: 3, over: Some(\"barn\"))"
//! );
//! data::unhook_any(&mut manager, vane)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Values
//!
//! The text of each value is RON, in every form that the crate `ron` reads. Structs within a value need no names. See
//! `data::text_format` for the details, and `data::TextOptions` for reading texts with syntax extensions.
//!
//! A component may hold the id of a messagee that has been despawned since. `write_world` writes such an id as `None`
//! if the field is an `Option`. Otherwise it returns an error that lists all such ids.
//!
//! # Untrusted files
//!
//! A file can come from an untrusted source, such as a level that a player shares, or the output of a tool. Reading
//! takes time and memory proportional to the length of the text, and reports at most 100 mistakes. The content of a
//! file can be much larger than its text, since thousands of messagees can be made from one template. `WorldOptions`
//! limits both:
//!
//! ```
//! use message_data::WorldOptions;
//!
//! let options = WorldOptions::new().max_mistakes(20).max_expanded(1 << 20);
//! let error = options.parse("World(version: 1, messagee: [])").expect_err("a typo");
//! assert_eq!((error.errors().len(), error.more()), (1, 0));
//! ```
//!
//! `data::WorldFile` describes the format of the file. The guarantees of wires and files are in the
//! [contract](message_core::contract#world-files).
