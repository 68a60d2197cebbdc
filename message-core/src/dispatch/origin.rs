//! Where a send comes from: from outside, from a delivery that is running, or from a post that is due.
//! The short way asks it what stands in the way, and for what the deliveries share only when a handler
//! wants to know.

use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::dispatch::call::{Frame, Sent};
use crate::message::Message;
use crate::world::World;

/// Where a send comes from: from outside, or from a delivery that is running ([`Frame`]).
pub(crate) trait Origin: Copy {
    fn world(&self) -> &World;

    /// Returns `true` if nothing stands in the way of a send from here: sends are not nested too
    /// deep, and no message is kept whose receiver a panic has freed meanwhile.
    fn is_clear(&self) -> bool;

    /// What all deliveries of a send from here share.
    fn sent_from<'s, M: Message>(
        &'s self,
        to: &'s Recipient,
        place: &'static Location<'static>,
    ) -> Sent<'s>;
}

/// Outside every delivery.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outside<'a> {
    pub(crate) world: &'a World,
    pub(crate) sender: Sender,
}

impl Origin for Outside<'_> {
    #[inline]
    fn world(&self) -> &World {
        self.world
    }

    #[inline]
    fn is_clear(&self) -> bool {
        // Whatever was kept is settled before an outermost call; and a manager whose limit is zero
        // has nobody who can be sent to directly.
        true
    }

    #[inline]
    fn sent_from<'s, M: Message>(
        &'s self,
        to: &'s Recipient,
        place: &'static Location<'static>,
    ) -> Sent<'s> {
        Sent::outside::<M>(self.world, self.sender, to, place)
    }
}

impl Frame<'_> {
    /// A message that is sent from this delivery.
    #[inline]
    pub(super) fn sent_from<'s, M: Message>(
        &'s self,
        to: &'s Recipient,
        place: &'static Location<'static>,
    ) -> Sent<'s> {
        Sent {
            parent: Some(self),
            depth: self.sent.depth + 1,
            ..Sent::outside::<M>(self.sent.world, self.sender(), to, place)
        }
    }
}

impl Origin for &Frame<'_> {
    #[inline]
    fn world(&self) -> &World {
        self.sent.world
    }

    #[inline]
    fn is_clear(&self) -> bool {
        let world = self.sent.world;
        self.sent.depth < world.config.max_depth && !world.kept.any()
    }

    #[inline]
    fn sent_from<'s, M: Message>(
        &'s self,
        to: &'s Recipient,
        place: &'static Location<'static>,
    ) -> Sent<'s> {
        Frame::sent_from::<M>(self, to, place)
    }
}

/// Outside every delivery, with a send that is made already.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prepared<'a>(pub(crate) Sent<'a>);

impl Origin for Prepared<'_> {
    #[inline]
    fn world(&self) -> &World {
        self.0.world
    }

    #[inline]
    fn is_clear(&self) -> bool {
        !self.0.world.kept.any()
    }

    #[inline]
    fn sent_from<'s, M: Message>(
        &'s self,
        _: &'s Recipient,
        _: &'static Location<'static>,
    ) -> Sent<'s> {
        self.0
    }
}
