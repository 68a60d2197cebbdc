//! Where a send comes from: from outside, from a delivery that is running, or from a post that is due. A
//! send to one component asks the origin for a [`Sent`] only if the handler takes a context or fails.

use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::message::Facts;
use crate::send::{Extras, Frame, Sent};
use crate::world::World;

/// Where a send comes from: from outside, or from a delivery that is running ([`Frame`]).
pub(crate) trait Origin<'a>: Copy {
    fn world(self) -> &'a World;

    /// Returns the sender of messages from here.
    fn sender(self) -> Sender;

    /// Returns the delivery whose handler sends, if there is one.
    fn running(self) -> Option<&'a Frame<'a>> {
        None
    }

    fn extras(self) -> &'a Extras<'a> {
        &Extras::NONE
    }

    /// Returns `true` if a send from here needs no checks: sends are not nested too deep, and no message is
    /// kept whose receiver a panic has freed meanwhile.
    #[inline]
    fn needs_no_checks(self) -> bool {
        let world = self.world();
        let is_too_deep = |frame: &Frame<'_>| frame.sent.depth >= world.common.config.max_depth;
        !self.running().is_some_and(is_too_deep) && !world.waiting.kept.any()
    }

    /// Makes the data that all deliveries of a send from here share, without extras: a send that is already under way has
    /// its own.
    #[inline]
    fn sent_of<'s>(
        self,
        facts: &'static Facts,
        to: Recipient,
        place: &'static Location<'static>,
    ) -> Sent<'s>
    where
        'a: 's,
    {
        let parent = self.running();
        Sent {
            parent,
            depth: parent.map_or(1, |frame| frame.sent.depth + 1),
            ..Sent::of_type(facts, self.world(), self.sender(), to, place)
        }
    }
}

/// The program, which sends without a messagee. One word, since a sender that was just written to memory in
/// pieces cannot be copied as a whole before it has left the store buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program<'a>(pub(crate) &'a World);

impl<'a> Origin<'a> for Program<'a> {
    fn world(self) -> &'a World {
        self.0
    }

    fn sender(self) -> Sender {
        Sender::Outside
    }

    #[inline]
    fn needs_no_checks(self) -> bool {
        // Otherwise the call is begun first: its input is passed on, and kept messages are settled. A depth limit of
        // zero needs no check, since then no single stop is found.
        self.0.waiting.pending.is_quiet()
    }
}

/// A messagee, on whose behalf a message is sent outside every delivery.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outside<'a> {
    pub(crate) world: &'a World,
    pub(crate) sender: Sender,
}

impl<'a> Origin<'a> for Outside<'a> {
    fn world(self) -> &'a World {
        self.world
    }

    fn sender(self) -> Sender {
        self.sender
    }
}

impl<'a> Origin<'a> for &'a Frame<'a> {
    fn world(self) -> &'a World {
        self.sent.world
    }

    #[inline]
    fn sender(self) -> Sender {
        Frame::sender(self)
    }

    fn running(self) -> Option<&'a Frame<'a>> {
        Some(self)
    }
}

/// The origin of a send that is already under way.
impl<'a> Origin<'a> for &Sent<'a> {
    fn world(self) -> &'a World {
        self.world
    }

    fn sender(self) -> Sender {
        self.sender
    }

    fn running(self) -> Option<&'a Frame<'a>> {
        self.parent
    }

    fn extras(self) -> &'a Extras<'a> {
        self.extras
    }
}
