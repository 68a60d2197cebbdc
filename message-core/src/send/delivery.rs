//! The deliveries of one send: their totals, the settings that they share, and the receivers that cannot receive the
//! message now.

use smallvec::SmallVec;

use crate::address::{MessageeId, SubscriptionId};
use crate::error::SendError;
use crate::receipt::Receipt;
use crate::send::{Callee, ReceiverSlot, Replies, Sent, Verdict};
use crate::structure::Unborn;
use crate::time::Stage;
use crate::world::World;

/// The policy for busy receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnBusy {
    /// The message is kept until the receiver is free.
    Keep,
    /// The send fails: its message or its answers are lent by a caller that does not wait.
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
    /// The number of components that had been enabled or disabled, and of subscriptions that had been paused or resumed,
    /// when it began. Those that were disabled or paused then do not receive the message.
    pub(crate) switches: u64,
    /// The number of messages kept before it began. If this message is kept, it goes before those kept later.
    pub(crate) kept_before: u64,
}

/// The counted verdicts of the deliveries of one send.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) received: usize,
    pub(crate) failed: u32,
    pub(crate) consumed: bool,
}

impl Tally {
    /// Counts a verdict. A component that is busy is counted when it has received the message.
    pub(crate) fn count(&mut self, verdict: Verdict) {
        self.received += usize::from(!matches!(
            verdict,
            Verdict::NotReceived | Verdict::NotCalled
        ));
        self.failed += u32::from(matches!(verdict, Verdict::Failed(())));
        self.consumed |= matches!(verdict, Verdict::Consumed | Verdict::ConsumedByMessagee);
    }

    pub(crate) fn receipt(self) -> Receipt {
        Receipt::counted(self.received, self.failed as usize, self.consumed)
    }
}

/// The result of a delivery in full, in two registers. A receipt in memory would be written count by count and read as a
/// whole, which the processor has to wait for: W1-two, W8-two.
pub(crate) enum Delivered {
    /// The packed counts of a receipt with no unreached receivers. From the lowest bit: those who received the message (32
    /// bits), those who failed (16 bits), `consumed` (a bit), and those who will receive it (15 bits).
    Counts(u64),
    Rare(Box<Receipt>),
    Refused(SendError),
}

impl Delivered {
    /// One has received the message.
    pub(crate) const ONE: Self = Self::Counts(1);

    /// The most pending receivers of a receipt that is in `Counts`.
    const MOST_PENDING: u16 = u16::MAX >> 1;

    pub(crate) fn of(result: Result<Receipt, SendError>) -> Self {
        match result {
            Ok(receipt) => Self::with(receipt),
            Err(error) => Self::Refused(error),
        }
    }

    #[inline]
    pub(super) fn with(receipt: Receipt) -> Self {
        if receipt.unreached > 0 || receipt.pending > Self::MOST_PENDING {
            return Self::Rare(Box::new(receipt));
        }
        let counts = u64::from(receipt.pending) << 1 | u64::from(receipt.consumed);
        let counts = counts << 16 | u64::from(receipt.failed);
        Self::Counts(counts << 32 | u64::from(receipt.received))
    }

    #[inline]
    pub(crate) fn result(self) -> Result<Receipt, SendError> {
        match self {
            Self::Counts(counts) => {
                let received = counts & u64::from(u32::MAX);
                let short = |shift: u32| {
                    u16::try_from(counts >> shift & u64::from(u16::MAX)).unwrap_or(u16::MAX)
                };
                let rest = short(48);
                Ok(Receipt {
                    received: u32::try_from(received).unwrap_or(u32::MAX),
                    failed: short(32),
                    consumed: rest & 1 == 1,
                    pending: rest >> 1,
                    unreached: 0,
                })
            }
            Self::Rare(receipt) => Ok(*receipt),
            Self::Refused(error) => Err(error),
        }
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
            switches: sent.world.structure.switches.get(),
            kept_before: sent.world.waiting.kept.count(),
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

    /// Returns `true` if no receiver is waiting.
    pub(crate) fn is_over(&self) -> bool {
        self.waiting.is_none()
    }

    /// Takes note that the message was consumed. If a component has stopped it at its messagee, the other components
    /// there still receive it, also those that are busy; nobody else does.
    #[cold]
    pub(crate) fn close(&mut self, stopped_by: Option<&Callee<'_>>) {
        self.tally.consumed = true;
        if let Some(callee) = stopped_by {
            self.waiting().stopped_by = Some(callee.spot());
        }
        let pools = &self.sent.world.structure.pools;
        let stays_with = stopped_by.map(|callee| callee.pool.owner(callee.at()));
        if let Some(waiting) = &mut self.waiting {
            waiting.keep_only(|spot| stays_with.is_some_and(|id| spot.owner(pools) == Some(id)));
            // Those are components that were addressed, before any that overhear.
            waiting.overhearing.clear();
            waiting.hidden = 0;
            waiting.staged.clear();
        }
    }

    /// Takes the component that has stopped the message at its messagee, if one has.
    pub(crate) fn take_stopped(&mut self) -> Option<ReceiverSlot> {
        self.waiting.as_mut()?.stopped_by.take()
    }

    /// Notes a busy receiver.
    #[cold]
    pub(crate) fn add_busy(&mut self, spot: ReceiverSlot) {
        let world = self.sent.world;
        world.waiting.kept.promise(spot, &world.structure.pools);
        let waiting = self.waiting();
        waiting.promised_in = Some(world);
        waiting.busy.push(spot);
    }
}

/// The receivers that cannot receive a message now.
#[derive(Default)]
pub(crate) struct Waiting<'a> {
    /// The busy receivers that the message is kept for, or the one that refused it.
    pub(crate) busy: SmallVec<[ReceiverSlot; 4]>,
    /// The world that counts the busy receivers until the send ends. Messages sent to them meanwhile were
    /// sent later.
    promised_in: Option<&'a World>,
    /// The busy receivers that overhear the message.
    pub(crate) overhearing: SmallVec<[Overhearing; 2]>,
    /// The subscriptions that ask for retained messages and have received this one, or will.
    pub(crate) told: SmallVec<[SubscriptionId; 2]>,
    /// The subscriptions that receive it in a stage of their own.
    pub(crate) staged: SmallVec<[Staging; 4]>,
    /// The number of busy receivers that do not count as receivers.
    pub(crate) hidden: usize,
    /// The receiver that the whole send is for and that is not yet there. Nothing was delivered.
    pub(crate) unborn: Option<Unborn>,
    /// The messagees of a larger audience that are not yet alive.
    pub(crate) newborns: SmallVec<[MessageeId; 2]>,
    /// The proxies in the audience whose outboxes do not have the message yet.
    pub(crate) proxies: SmallVec<[MessageeId; 2]>,
    /// The number of proxies that could not be reached.
    pub(crate) unreached: u32,
    /// The error of a send to a single proxy that could not be reached.
    pub(crate) not_carried: Option<SendError>,
    /// The component that has stopped the message at its messagee, whose other components do not have it yet.
    stopped_by: Option<ReceiverSlot>,
    /// The number of the interceptor that is busy. Nothing was delivered, and nobody else is busy.
    pub(crate) intercepting: Option<u64>,
}

/// A busy component that overhears a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overhearing {
    pub(crate) spot: ReceiverSlot,
    /// The subscription that makes it overhear.
    pub(crate) by: SubscriptionId,
    /// `true` if this is the one message that the subscription wanted, and others have received it.
    pub(crate) has_used_up: bool,
}

/// A subscription that receives a message in a stage of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Staging {
    pub(crate) spot: ReceiverSlot,
    pub(crate) stage: Stage,
    /// The number of receivers that it counts for.
    pub(crate) counts: usize,
}

impl Waiting<'_> {
    /// Returns `true` if nobody waits except those that asked to receive it later.
    pub(crate) fn is_for_later(&self) -> bool {
        self.busy.is_empty()
            && self.unborn.is_none()
            && self.newborns.is_empty()
            && self.proxies.is_empty()
    }

    /// Returns `true` if the message is kept for nobody.
    pub(crate) fn is_empty(&self) -> bool {
        self.busy.is_empty() && self.newborns.is_empty() && self.staged.is_empty()
    }

    /// Removes the newborns and the busy receivers that `stays` does not accept.
    pub(crate) fn keep_only(&mut self, stays: impl Fn(ReceiverSlot) -> bool) {
        if let Some(world) = self.promised_in {
            self.busy.retain(|&mut spot| {
                let stays = stays(spot);
                if !stays {
                    world.waiting.kept.withdraw(spot, &world.structure.pools);
                }
                stays
            });
        }
        self.newborns.clear();
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.keep_only(|_| false);
    }
}
