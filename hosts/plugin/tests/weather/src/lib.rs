//! A crate that is shared by mistake: each library and each program has a copy of it.
#![forbid(unsafe_code)]

use message_core::prelude::*;

message_core::shared!();

#[derive(Message)]
#[message(name = "weather.Wind")]
pub struct Wind;
