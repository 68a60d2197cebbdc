//! Rollback: going back some frames, and simulating them again.
//!
//! With rollback netcode, a game does not wait for the inputs of the other players. It guesses them, and goes on. When
//! an input arrives that was guessed wrong, the game goes back to the frame of that input, and simulates the frames since
//! then again. A manager does its part with two calls: [`snapshot_into`](crate::MessageManager::snapshot_into)
//! before each frame, and [`rewind`](crate::MessageManager::rewind).
//!
//! ```
//! use message_core::Snapshot;
//! use message_core::prelude::*;
//! use std::time::Duration;
//!
//! const FRAME: Duration = Duration::from_millis(16);
//!
//! /// How many frames the game can go back.
//! const DEPTH: u64 = 8;
//!
//! #[derive(Message, Clone)]
//! struct Steer(i32);
//!
//! #[derive(Message, Clone)]
//! struct Explode;
//!
//! #[derive(Clone)]
//! struct Ship { at: i32, exploded: bool }
//!
//! #[handlers]
//! impl Ship {
//!     #[on_receive]
//!     fn steer(&mut self, steer: &Steer) { self.at += steer.0; }
//!
//!     #[on_receive]
//!     fn explode(&mut self, _: &Explode) { self.exploded = true; }
//! }
//!
//! struct Game {
//!     manager: MessageManager,
//!     ship: MessageeId,
//!     /// The inputs of all frames, as far as they are known or guessed.
//!     inputs: Vec<i32>,
//!     ring: [Snapshot; DEPTH as usize],
//! }
//!
//! impl Game {
//!     /// Runs the next frame. Everything that a frame depends on is in the manager or among the inputs.
//!     fn advance(&mut self) -> Result<(), Box<dyn std::error::Error>> {
//!         let frame = self.manager.clock().frame();
//!         self.manager.snapshot_into(&mut self.ring[(frame % DEPTH) as usize])?;
//!         self.manager.send(self.ship, Steer(self.inputs[frame as usize]))?;
//!         self.manager.tick(FRAME);
//!         Ok(())
//!     }
//!
//!     /// An input has arrived: if it was guessed wrong, goes back to its frame, and again up to now.
//!     fn correct(&mut self, frame: u64, input: i32) -> Result<(), Box<dyn std::error::Error>> {
//!         let now = self.manager.clock().frame();
//!         let is_new = std::mem::replace(&mut self.inputs[frame as usize], input) != input;
//!         if is_new && frame < now {
//!             let snapshot = &self.ring[(frame % DEPTH) as usize];
//!             if snapshot.frame() != Some(frame) {
//!                 return Err("the input is too late".into());
//!             }
//!             self.manager.rewind(snapshot)?;
//!             (frame..now).try_for_each(|_| self.advance())?;
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let mut manager = MessageManager::new();
//! let ship = manager.spawn((Ship { at: 0, exploded: false },));
//! manager.post(Header::to(ship).after(5 * FRAME), Explode)?;
//! let ring = [const { Snapshot::new() }; DEPTH as usize];
//! let mut game = Game { manager, ship, inputs: vec![1; 10], ring };
//!
//! (0..6).try_for_each(|_| game.advance())?;
//! game.correct(2, -5)?; // It goes back over the explosion.
//! let ship = game.manager.get::<Ship>(ship)?;
//! assert_eq!((ship.at, ship.exploded), (5 - 5, true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - **Everything in the manager goes back**: components, families, names, the clock, the messages that are pending,
//!   published or retained, wires and subscriptions. Ids stay valid, and the same frames give out the same ids again. So an
//!   id can be kept anywhere.
//! - **Derive `Clone`** for components and messages. A component without `#[handlers]` is declared by
//!   [`cloned!`](crate::cloned!). Anything that is not `Clone` is an [error](crate::error::SnapshotError) that names it.
//! - **Subscribe before the first snapshot**, or in a handler. A subscription that was made after the snapshot has ended
//!   when the manager is back. What a closure has captured does not go back: draw and play sounds in
//!   closures, and keep the state of the game in components.
//! - **Effects happen again** with the frames that are simulated again. Read them off after the last one, from
//!   components or [published](super::pull) messages.
//! - **Other threads** do not go back. Their messages in an [inlet](crate::Inlet) enter a frame once, so send the inputs of
//!   the players by [`send`](crate::MessageManager::send), from a list as above.
//! - **Nodes and rooms** do not go back either. The manager of a node of `message-net` has components that cannot be cloned,
//!   so it takes no snapshots. A log or a journal ends at a rewind, until its next segment begins.
//! - **The same inputs have to lead to the same state** on every machine. The [contract](crate::contract) holds that for
//!   the manager. Handlers must not ask the clock of the machine, or iterate over a `HashMap`.
//! - Components of plain values are copied as a slice. A component that is large and seldom changes is cheaper
//!   in an [`Arc`](std::sync::Arc).
//!
//! The package `hosts/rollback` runs a game with the crate `ggrs`: a session that checks each frame by going back, and two
//! players over UDP whose packets get lost. If the players' states ever differ, `message-data` names the field.
//!
//! Next: [what it does not do](super::limits).
