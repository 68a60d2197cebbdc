//! Worlds across machines, over a network in memory.

mod accounts;
mod asking;
mod common;
mod frames;
mod interception;
mod memory_link;
mod nodes;
mod panics;
mod refusals;
mod runs;
mod security;
mod senders;
mod simulated;
mod simulation;
mod telling;
