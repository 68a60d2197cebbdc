//! Where a send comes from: from outside, from a delivery that is running, or from a post that is due. A
//! send to one component asks the origin for a [`Sent`] only if the handler takes a context or fails.

use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::message::Facts;
use crate::send::{Extras, Frame, Sent};
use crate::world::World;

/// Where a send comes from: from outside, or from a delivery that is running ([`Frame`]).
pub(crate) trait Origin: Copy {
    fn world(&self) -> &World;

    /// Returns the sender of messages from here.
    fn sender(&self) -> Sender;

    /// Returns the delivery whose handler sends, if there is one.
    #[inline]
    fn running(&self) -> Option<&Frame<'_>> {
        None
    }

    /// Returns `true` if the header of the message has tags.
    #[inline]
    fn has_own_tags(&self) -> bool {
        false
    }

    /// Returns `true` if a send from here needs no checks: sends are not nested too deep, and no message is
    /// kept whose receiver a panic has freed meanwhile.
    fn is_clear(&self) -> bool;

    /// Makes the data that all deliveries of a send from here share.
    fn sent_of<'s>(
        self,
        facts: &'static Facts,
        to: &'s Recipient,
        place: &'static Location<'static>,
    ) -> Sent<'s>
    where
        Self: 's;
}

/// The program, which sends without a messagee. One word, since a sender that was just written to memory in
/// pieces cannot be copied as a whole before it has left the store buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program<'a>(pub(crate) &'a World);

impl Origin for Program<'_> {
    #[inline]
    fn world(&self) -> &World {
        self.0
    }

    #[inline]
    fn sender(&self) -> Sender {
        Sender::Outside
    }

    #[inline]
    fn is_clear(&self) -> bool {
        // Kept messages are settled before a call from outside. A depth limit of zero needs no check, since
        // then no single stop is found.
        true
    }

    #[inline]
    fn sent_of<'s>(
        self,
        facts: &'static Facts,
        to: &'s Recipient,
        place: &'static Location<'static>,
    ) -> Sent<'s>
    where
        Self: 's,
    {
        Sent::of_type(facts, self.0, Sender::Outside, to, place)
    }
}

/// Outside every delivery: a call on behalf of a messagee, or with [`Extras`] a post that is due.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outside<'a> {
    pub(crate) world: &'a World,
    pub(crate) sender: Sender,
    pub(crate) extras: &'a Extras<'a>,
}

impl<'a> Outside<'a> {
    /// Makes the origin of sends by that sender.
    #[inline]
    pub(crate) fn by(world: &'a World, sender: Sender) -> Self {
        Self {
            world,
            sender,
            extras: &Extras::NONE,
        }
    }
}

impl Origin for Outside<'_> {
    #[inline]
    fn world(&self) -> &World {
        self.world
    }

    #[inline]
    fn sender(&self) -> Sender {
        self.sender
    }

    #[inline]
    fn has_own_tags(&self) -> bool {
        let posted = self.extras.posted;
        posted.is_some_and(|posted| !posted.mark.tags.is_empty())
    }

    #[inline]
    fn is_clear(&self) -> bool {
        // Kept messages are not settled before a post is delivered.
        !self.world.waiting.kept.any()
    }

    #[inline]
    fn sent_of<'s>(
        self,
        facts: &'static Facts,
        to: &'s Recipient,
        place: &'static Location<'static>,
    ) -> Sent<'s>
    where
        Self: 's,
    {
        Sent {
            extras: self.extras,
            ..Sent::of_type(facts, self.world, self.sender, to, place)
        }
    }
}

impl Origin for &Frame<'_> {
    #[inline]
    fn world(&self) -> &World {
        self.sent.world
    }

    #[inline]
    fn sender(&self) -> Sender {
        Frame::sender(self)
    }

    #[inline]
    fn running(&self) -> Option<&Frame<'_>> {
        Some(self)
    }

    #[inline]
    fn is_clear(&self) -> bool {
        let world = self.sent.world;
        self.sent.depth < world.common.config.max_depth && !world.waiting.kept.any()
    }

    #[inline]
    fn sent_of<'s>(
        self,
        facts: &'static Facts,
        to: &'s Recipient,
        place: &'static Location<'static>,
    ) -> Sent<'s>
    where
        Self: 's,
    {
        Sent {
            parent: Some(self),
            depth: self.sent.depth + 1,
            ..Sent::of_type(facts, self.sent.world, Frame::sender(self), to, place)
        }
    }
}
