//! Running a manager in any main loop.
//!
//! A manager has no loop, thread or clock of its own. The program that owns the loop calls it: once per frame
//! with the elapsed time, and whenever there is input. A host needs to do nothing else.
//!
//! ```
//! use message_core::Recipient::Me;
//! use message_core::prelude::*;
//! use std::time::Duration;
//!
//! group! { PLAYERS = "guide.hosts.Players" }
//!
//! #[derive(Message)]
//! struct Pressed { key: char }
//!
//! #[derive(Message, Clone, Copy, PartialEq, Debug)]
//! struct Flash { at: i32 }
//!
//! #[derive(Message)]
//! struct Explode;
//!
//! struct Ship { at: i32 }
//!
//! #[handlers]
//! impl Ship {
//!     #[on_receive]
//!     fn pressed(&mut self, pressed: &Pressed, cx: &mut Context<'_>) -> Result<bool, SendError> {
//!         match pressed.key {
//!             'd' => self.at += 1,
//!             'b' => { cx.post(Header::to(Me).after(Duration::from_millis(30)), Explode)?; }
//!             _ => return Ok(false), // The key is for somebody else.
//!         }
//!         Ok(true)
//!     }
//!
//!     #[on_receive]
//!     fn explode(&mut self, _: &Explode, cx: &mut Context<'_>) -> Result<(), SendError> {
//!         cx.publish(Everyone, Flash { at: self.at })
//!     }
//! }
//!
//! let mut manager = MessageManager::new();
//! let ship = manager.spawn((Ship { at: 0 },));
//! manager.join(PLAYERS, ship)?;
//!
//! // A window calls this about sixty times a second.
//! let mut frame = |keys: &str| -> Result<Vec<Flash>, SendError> {
//!     for key in keys.chars() {
//!         manager.send(PLAYERS, Pressed { key })?; // Keys go in as messages.
//!     }
//!     manager.tick(Duration::from_millis(16)); // Time goes in as a tick.
//!     Ok(manager.inbox::<Flash>().iter().map(|flash| *flash).collect()) // The things to draw come out.
//! };
//!
//! assert_eq!(frame("ddb")?, []);
//! assert_eq!(frame("d")?, []); // The bomb goes off now.
//! assert_eq!(frame("")?, [Flash { at: 3 }]); // Published in the last frame.
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - **In**: keys, packets and clicks as sends to a group or a mnemonic, so that the host knows no
//!   components. From another thread: an [`Inlet`](crate::Inlet).
//! - **Time**: [`tick`](crate::MessageManager::tick) with the duration of the frame. The
//!   [fixed step](crate::ManagerConfig::fixed_step) turns uneven frames into even steps. If the host does
//!   something in between, it calls [`begin_frame`](crate::MessageManager::begin_frame) and
//!   [`run_stage`](crate::MessageManager::run_stage) instead.
//! - **Out**: read the components, or the [published](super::pull) messages. The host decides what it draws
//!   and when; publishers do not know whether there is a host.
//! - A log needs no other inputs than these, so a game in a window can be replayed without a
//!   window.
//!
//! # Available hosts
//!
//! | host | where | command |
//! |---|---|---|
//! | your own loop | this page, and every program in `examples` | `cargo run --release --example dogfight` |
//! | a window | `hosts/arena`, with macroquad | `cd hosts/arena && cargo run --release` |
//! | a terminal | `hosts/dialog`, with ratatui | `cd hosts/dialog && cargo run --release` |
//! | a web page | the same program as WebAssembly | `hosts/arena/web/play` |
//! | Bevy | the crate `message-bevy` | `cargo run --release -p message-bevy --example tower` |
//! | [rollback](super::rollback) netcode | `hosts/rollback`, with ggrs | `cd hosts/rollback && cargo run --release` |
//! | components from dynamic libraries | the crate `message-plugin` | `hosts/plugin/run` |
//!
//! The file `hosts/README.md` in the repository has screenshots, and the cost of each host.
//!
//! # In a browser
//!
//! `wasm32-unknown-unknown` has no threads and no clock. A manager needs neither: the program passes the
//! time to it. To record events with wall times, set a clock with
//! [`wall_clock`](crate::ManagerConfig::wall_clock). The handlers of all linked crates are registered, in
//! debug and release builds, with and without LTO.
//!
//! Next: [rollback](super::rollback).
