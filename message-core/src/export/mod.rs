//! Recordings in formats of other programs: Chrome trace JSON and JSON lines.
//!
//! Each writer is a method of [`Recorder`](crate::trace::Recorder) and asks it only what every program
//! can ask. The feature `json` adds this room; nothing else depends on it.

mod chrome;
mod lines;
