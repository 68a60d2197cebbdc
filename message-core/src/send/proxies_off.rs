//! Proxies without the feature `data`: there are none.

#![allow(
    clippy::unused_self,
    reason = "the same methods as with the feature, which look at what is there"
)]

use crate::address::{MessageeId, Sender};
use crate::error::SendError;
use crate::header::Header;
use crate::message::{AnyMessage, MessageIndex};
use crate::post::Ticket;
use crate::send::call::Delivery;
use crate::storage::Messagees;
use crate::world::World;
use std::panic::Location;

pub(crate) struct Proxies;

impl Proxies {
    pub(crate) fn new() -> Self {
        Self
    }

    #[inline]
    pub(crate) fn any(&self) -> bool {
        false
    }

    #[inline]
    pub(crate) fn note_end(&mut self, _: MessageeId) {}

    pub(crate) fn have_carried(&self, _: MessageIndex) -> bool {
        false
    }

    pub(crate) fn posted_to(&self, _: &Header, _: &Messagees) -> Option<MessageeId> {
        None
    }
}

impl Delivery<'_> {
    #[inline]
    pub(crate) fn carry_met(&mut self, _: &dyn AnyMessage) {}
}

impl World {
    pub(crate) fn carry_post(
        &self,
        _: &Header,
        _: Sender,
        _: &'static Location<'static>,
        _: &dyn AnyMessage,
    ) -> Option<Result<Ticket, SendError>> {
        None
    }
}
