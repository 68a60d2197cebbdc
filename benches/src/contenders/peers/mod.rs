//! Peers: other ways in which Rust programs pass messages, each as its own documentation advises.
//!
//! One file for each peer, with a `prepare` for every workload that it can do:
//!
//! ```text
//! struct Sends { world: World, order: Vec<(Entity, Kind)>, passes: usize }
//!
//! fn prepare(size: Size) -> Box<dyn Trial> {
//!     // Everything that is not timed: objects by number, `work::errands(size.objects)` turned
//!     // into addresses of this peer.
//! }
//!
//! impl Trial for Sends {
//!     fn run(&mut self) { /* `passes` times the order, each message to its handler */ }
//!     fn checksum(&mut self) -> u64 { /* `Checksum::add(number, state)` for every component */ }
//! }
//! ```
//!
//! Handlers end in the methods of [`work`](crate::work). `with_kinds!` gives the table of the
//! fifteen kinds to a macro that makes message types and handlers of them.

use crate::compare::Contender;

pub(super) fn contenders() -> Vec<Contender> {
    Vec::new()
}
