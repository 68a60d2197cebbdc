//! What is said of a send that fails at a limit: what is running, and the cycle that led there.

use crate::error::{Chain, ChainLink, Closing, Cycle, Receiver};
use crate::send::call::{ReceiverSlot, Sent, receiver_at};
use crate::send::deferred::{Kept, StepNumber};
use crate::world::World;

/// A cycle is looked for in so many of the last links. So a flood of failing sends stays bearable.
const MOST_KNOWN: usize = 256;

impl Sent<'_> {
    /// What is running since the last delivery of a kept message, that one included; the innermost
    /// first. With it comes the step of that kept message, if it has left one.
    #[cold]
    fn since_kept(&self) -> (Vec<ChainLink>, Option<StepNumber>) {
        let mut links = Vec::new();
        let mut step = None;
        let mut next = self.parent;
        while let Some(frame) = next {
            links.push(frame.link());
            next = frame.sent.parent;
            // What is around the delivery of a kept message has not led to it.
            if let Some(resumed) = frame.sent.extras.resumed.filter(|it| !it.is_fresh) {
                (step, next) = (resumed.step, None);
            }
        }
        (links, step)
    }
}

impl Kept {
    /// Remembers how a message came about that is kept near the limit.
    #[cold]
    pub(crate) fn leave_step(&self, sent: &Sent<'_>) -> Option<StepNumber> {
        let (links, before) = sent.since_kept();
        self.trail.add(links, before)
    }

    /// The chain of a send, with the cycle that closes if a receiver that it `reaches` is called again.
    fn chain_with_cycle(
        &self,
        sent: &Sent<'_>,
        is_posted: bool,
        reaches: &dyn Fn(Receiver) -> bool,
    ) -> Chain {
        let (mut known, step) = sent.since_kept();
        self.trail.trace(&mut known, step, MOST_KNOWN);
        known.truncate(MOST_KNOWN);
        known.reverse();
        let closing = Closing {
            message: sent.message(),
            place: sent.place,
            reaches,
            is_posted,
        };
        Chain::new(sent.running(), Cycle::find(&known, &closing))
    }
}

impl World {
    /// The chain of a send that failed at a limit, whatever receivers the recipient stands for, or of
    /// a post.
    #[cold]
    pub(crate) fn chain_at_limit(&self, sent: &Sent<'_>, is_posted: bool) -> Chain {
        self.kept
            .chain_with_cycle(sent, is_posted, &|receiver| self.may_reach(sent, receiver))
    }

    /// The chain of a send that could not be kept for busy receivers, or for none that is alive.
    #[cold]
    pub(crate) fn chain_unkept(&self, sent: &Sent<'_>, busy: &[ReceiverSlot]) -> Chain {
        let receivers: Vec<Receiver> = busy.iter().map(|&spot| self.receiver(spot)).collect();
        self.kept
            .chain_with_cycle(sent, false, &|receiver| receivers.contains(&receiver))
    }

    /// Who is in a spot, and running.
    pub(crate) fn receiver(&self, spot: ReceiverSlot) -> Receiver {
        if let Some(at) = spot.as_subscription() {
            let listed = self.subscriptions.listed(at);
            return Receiver::Subscription(listed.expect("who is running is listed").id());
        }
        receiver_at(self.pools.at(spot.component), spot.slot as usize)
    }

    /// Returns `true` if a receiver of the message's type may be one of those that a send is for. A
    /// subscriber may always.
    fn may_reach(&self, sent: &Sent<'_>, receiver: Receiver) -> bool {
        let id = receiver.messagee();
        id.is_none_or(|id| self.is_meant(id, *sent.to, sent.sender))
    }
}
