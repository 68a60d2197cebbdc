//! A duel of two ships, played over UDP. The crate `ggrs` exchanges the inputs and decides when to go back; a manager
//! does that with snapshots.
//!
//! - [`game`] is the game, which knows nothing of networks.
//! - [`rollback`] carries out what `ggrs` asks for, and finds the field in which two players' worlds differ.
//! - [`lossy`] is a UDP socket that delays, loses and repeats packets.
//! - [`duel`] has two players in one process, each with a socket.

pub mod duel;
pub mod game;
pub mod lossy;
pub mod rollback;
