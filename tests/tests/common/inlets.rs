//! Helpers shared by the tests of the inlet.
#![allow(dead_code, reason = "each program uses its own part of this")]

use std::sync::Arc;
use std::time::Duration;

use message_core::Envelope;
use message_core::prelude::*;

use crate::common::{Actor, Ear, Log, Note};

pub(crate) const STEP: Duration = Duration::from_millis(10);

mnemonic!(pub(crate) NOBODY, pub(crate) HERE);
tag!(pub(crate) RADIO);

pub(crate) fn to(recipient: impl Into<Recipient>) -> Header {
    let header = Header::to(recipient).build();
    header.expect("nothing contradicts itself")
}

pub(crate) fn at(stage: Stage, recipient: impl Into<Recipient>) -> Header {
    let header = Header::to(recipient).stage(stage).build();
    header.expect("nothing contradicts itself")
}

/// Returns a manager with fixed steps of 10 ms, its log, and the messagees of an [`Actor`] and an [`Ear`].
pub(crate) fn framed() -> (MessageManager, Log, MessageeId, MessageeId) {
    framed_with(ManagerConfig::new())
}

pub(crate) fn framed_with(config: ManagerConfig) -> (MessageManager, Log, MessageeId, MessageeId) {
    let mut manager = MessageManager::with_config(config.fixed_step(STEP));
    let log = Log::default();
    let actor = manager.spawn((Actor::new("actor", &log),));
    let ear = manager.spawn((Ear::new("ear", &log),));
    (manager, log, actor, ear)
}

/// Something that is dropped when its message is.
#[derive(Message)]
pub(crate) struct Parcel(pub(crate) Arc<()>);

/// Remembers the envelopes of the notes it receives.
#[derive(Default)]
pub(crate) struct Clerk(pub(crate) Vec<Envelope>);

#[handlers]
impl Clerk {
    #[on_receive]
    fn note(&mut self, _: &Note, cx: &mut Context<'_>) {
        self.0.push(cx.envelope());
    }

    #[on_receive]
    fn parcel(&mut self, _: &Parcel, cx: &mut Context<'_>) {
        self.0.push(cx.envelope());
    }
}
