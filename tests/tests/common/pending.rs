//! Helpers shared by the tests of pending messages.
#![allow(dead_code, reason = "each program uses its own part of this")]

use std::sync::Arc;
use std::time::Duration;

use message_core::prelude::*;

use crate::common::{Ear, Log, stage};

tag!(pub(crate) ALARM);

pub(crate) fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Something that is dropped when its message is.
#[derive(Message)]
#[message(tags(ALARM))]
pub(crate) struct Cargo(pub(crate) Arc<()>);

/// Like [`stage`], but with an additional [`Ear`] named `ear`.
pub(crate) fn heard() -> (MessageManager, Log, MessageeId, MessageeId) {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    (manager, log, actor, ear)
}

pub(crate) fn soon(to: impl Into<Recipient>) -> Header {
    let header = Header::to(to).after(ms(10)).build();
    header.expect("nothing contradicts itself")
}
