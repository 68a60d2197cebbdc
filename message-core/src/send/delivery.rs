//! The deliveries of one send: their totals, and the settings that they share.

use crate::receipt::Receipt;
use crate::send::erased::Replies;
use crate::send::{Sent, Waiting};

/// The policy for busy receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnBusy {
    Keep,
    Refuse,
}

/// The deliveries of one send, and their totals.
pub(crate) struct Delivery<'a> {
    pub(crate) sent: &'a Sent<'a>,
    pub(crate) replies: Replies<'a>,
    pub(crate) tally: Tally,
    /// Deferred receivers; allocated on demand.
    pub(crate) waiting: Option<Box<Waiting<'a>>>,
    pub(crate) on_busy: OnBusy,
    /// The number of [switches](crate::structure::Switches) before it began.
    pub(crate) begun: u64,
    /// The number of messages kept before it began. It is kept in front of those kept since, if it waits.
    pub(crate) kept: u64,
}

/// The counted verdicts of the deliveries of one send.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) received: usize,
    pub(crate) failed: u32,
    pub(crate) consumed: bool,
}

impl Tally {
    #[inline]
    pub(crate) fn receipt(self) -> Receipt {
        Receipt::counted(self.received, self.failed as usize, self.consumed)
    }
}

impl<'a> Delivery<'a> {
    #[inline]
    pub(crate) fn new(sent: &'a Sent<'a>, replies: Replies<'a>, on_busy: OnBusy) -> Self {
        Self {
            sent,
            replies,
            tally: Tally::default(),
            waiting: None,
            on_busy,
            begun: sent.world.structure.switches.count(),
            kept: sent.world.waiting.kept.count(),
        }
    }

    /// Continues this delivery with a send that has more data.
    pub(crate) fn with_sent<'s>(&mut self, sent: &'s Sent<'s>) -> Delivery<'s>
    where
        'a: 's,
    {
        Delivery {
            sent,
            replies: std::mem::replace(&mut self.replies, Replies::Ignore),
            waiting: self.waiting.take(),
            ..*self
        }
    }

    #[cold]
    pub(crate) fn waiting(&mut self) -> &mut Waiting<'a> {
        self.waiting.get_or_insert_default()
    }

    /// Returns `true` if all that shall receive the message have received it.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.waiting.is_none()
    }
}
