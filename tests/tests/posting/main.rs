//! Posting: headers, the clock, stages, delays and repeats.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/inlets.rs"]
mod inlets;
#[path = "../common/letters.rs"]
mod letters;
#[path = "../common/pending.rs"]
mod pending;

mod bound;
mod cancelling;
mod cancelling_several;
mod catching_up;
mod clock;
mod delays;
mod due_together;
mod frames_together;
mod headers;
mod interleaved;
mod listing;
mod post_each;
mod posting;
mod repeats;
mod stages;
mod taking;
