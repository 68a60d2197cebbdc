//! A message that somebody receives later, with the data of its send.

use std::panic::Location;

use smallvec::SmallVec;

use crate::address::{MessageeId, Recipient, Sender, SubscriptionId};
use crate::error::{Loss, LostReceiver, Undelivered};
use crate::message::{AnyMessage, Facts};
use crate::mnemonic::Mnemonic;
use crate::send::call::{
    Delivery, Extras, Frame, OnBusy, Overhearing, Posted, ReceiverSlot, ReportGuard, Resumed, Sent,
    receiver_at,
};
use crate::send::deferred::Deliver;
use crate::send::erased::{BoxedMessage, ErasedMessage, OwnedMessage, Replies};
use crate::send::step::why_passed_over;
use crate::send::verdict::Verdict;
use crate::storage::Pool;
use crate::subscription::tell_later;
use crate::trace::{PassedOver, TraceId};
use crate::world::World;

/// A message that somebody receives later.
pub(crate) struct KeptSend {
    pub(super) message: BoxedMessage,
    pub(super) cover: Cover,
    /// The components that it is kept for and that overhear it. It was sent to others.
    pub(super) overhearing: SmallVec<[Overhearing; 2]>,
    pub(super) consumed: bool,
    pub(super) losses: Losses,
}

/// The receivers that missed a message that was kept for them.
#[derive(Default)]
pub(super) struct Losses {
    lost: Vec<LostReceiver>,
    /// `true` if a dead letter reports them, or will.
    has_letter: bool,
    /// The number of receivers that have the message or will in a stage of their own, without the hidden
    /// ones.
    got: usize,
}

/// The data of a kept message.
pub(super) struct Cover {
    pub(super) facts: &'static Facts,
    pub(super) sender: Sender,
    pub(super) to: Recipient,
    /// The recipient, with a mnemonic resolved to its messagee.
    pub(super) resolved: Recipient,
    /// The mnemonics that were bound to that messagee.
    pub(super) mnemonics: Box<[Mnemonic]>,
    pub(super) place: &'static Location<'static>,
    pub(super) posted: Posted,
    pub(super) reporting: ReportGuard,
    pub(super) number: Option<TraceId>,
    /// The messagees that overheard something that led to it, until the outermost send ends.
    pub(super) overhearers: Box<[MessageeId]>,
    pub(super) addressee: Option<MessageeId>,
}

impl Cover {
    fn new(sent: &Sent<'_>) -> Self {
        Self {
            facts: sent.facts,
            sender: sent.sender,
            to: *sent.to,
            resolved: sent.meant(),
            mnemonics: sent.mnemonics().into_vec().into(),
            place: sent.place,
            posted: sent.extras.posted.copied().unwrap_or_else(|| {
                let mut posted = Posted::now(sent);
                posted.mark.require = sent.wanted().try_into().unwrap_or(u32::MAX);
                posted
            }),
            reporting: sent.reporting(),
            number: sent.extras.number,
            overhearers: sent.overhearers().collect(),
            addressee: sent.addressee(),
        }
    }

    fn extras<'s>(&'s self, resumed: Option<&'s Resumed<'s>>) -> Extras<'s> {
        Extras {
            posted: Some(&self.posted),
            number: self.number,
            resumed,
            ..Extras::NONE
        }
    }

    /// Returns the send to continue.
    fn sent<'s>(
        &'s self,
        world: &'s World,
        parent: Option<&'s Frame<'s>>,
        extras: &'s Extras<'s>,
    ) -> Sent<'s> {
        Sent {
            parent,
            depth: parent.map_or(1, |frame| frame.sent.depth + 1),
            extras,
            ..Sent::of_type(self.facts, world, self.sender, &self.to, self.place)
        }
    }

    /// Returns the data for its later delivery.
    fn resumed(&self) -> Resumed<'_> {
        Resumed {
            intercepted: 0,
            reporting: self.reporting,
            to: self.resolved,
            overhearer: None,
            overhearers: &self.overhearers,
            mnemonics: &self.mnemonics,
            audience: None,
            addressee: self.addressee,
        }
    }
}

impl KeptSend {
    pub(crate) fn new(sent: &Sent<'_>, message: Box<dyn ErasedMessage>) -> Self {
        Self {
            message: BoxedMessage(Some(message)),
            cover: Cover::new(sent),
            overhearing: SmallVec::new(),
            consumed: false,
            losses: Losses::default(),
        }
    }

    /// Restricts it to one messagee, whatever its recipient will mean.
    pub(crate) fn for_one(mut self, id: MessageeId) -> Self {
        self.cover.resolved = Recipient::Id(id);
        self
    }

    /// Sets the components that overhear it.
    pub(crate) fn overheard_at(self, overhearing: SmallVec<[Overhearing; 2]>) -> Self {
        Self {
            overhearing,
            ..self
        }
    }

    /// Sets the number of receivers that have it already, or will in any case.
    pub(crate) fn received_by(mut self, got: usize) -> Self {
        self.losses.got = got;
        self
    }

    /// Delivers it to its whole audience. `intercepted` is the number of the interceptor that it continues
    /// with.
    pub(crate) fn deliver_whole(self, world: &World, parent: Option<&Frame<'_>>, intercepted: u64) {
        let Self {
            mut message, cover, ..
        } = self;
        let resumed = Resumed {
            intercepted,
            ..cover.resumed()
        };
        let extras = cover.extras(Some(&resumed));
        let sent = cover.sent(world, parent, &extras);
        sent.deliver_in_full(&mut message);
    }
}

impl KeptSend {
    /// Delivers it to a component. `overhearer` is its messagee if that overhears the message. If the
    /// component `counts` and is passed over, it is a lost receiver.
    fn hand_to(
        &mut self,
        world: &World,
        parent: Option<&Frame<'_>>,
        spot: ReceiverSlot,
        overhearer: Option<MessageeId>,
        counts: bool,
    ) -> Verdict {
        let resumed = Resumed {
            overhearer,
            ..self.cover.resumed()
        };
        let extras = self.cover.extras(Some(&resumed));
        let sent = self.cover.sent(world, parent, &extras);
        let table = sent.facts.table();
        let Some(route) = table.and_then(|table| table.route_to(spot.component)) else {
            return Verdict::NotReceived;
        };
        let pool = world.structure.pools.at(spot.component);
        // Evaluated before a handler can change the result.
        let lost = counts.then(|| why_lost(pool, spot.slot as usize, &sent));
        let mut delivery = Delivery::new(&sent, Replies::Ignore, OnBusy::Keep);
        let verdict = delivery.hand_to(route, pool, spot.slot, self.message.get());
        self.consumed = verdict == Verdict::Consumed;
        self.losses.lost.extend(lost.flatten());
        self.losses.got += if counts {
            verdict.receipt().receivers()
        } else {
            0
        };
        verdict
    }

    /// Delivers it to a component that overhears it, if the subscription still wants that.
    fn deliver_overheard(
        &mut self,
        world: &World,
        parent: Option<&Frame<'_>>,
        Overhearing {
            spot,
            by,
            has_used_up,
        }: Overhearing,
    ) {
        let by_it = world.listen.subscriptions.find(by);
        let Some(it) = by_it.filter(|it| it.still_overhears(has_used_up)) else {
            return;
        };
        if it.use_up(world) {
            self.mark_used_up(by, true);
        }
        let (overhearer, counts) = (it.overhearer(), !it.is_hidden());
        let verdict = self.hand_to(world, parent, spot, overhearer, counts);
        if verdict == Verdict::NotReceived && !has_used_up {
            it.give_back();
            self.mark_used_up(by, false);
        }
    }

    /// Notes whether it is the one message that a subscription wanted.
    fn mark_used_up(&mut self, by: SubscriptionId, has_used_up: bool) {
        for other in self.overhearing.iter_mut().filter(|other| other.by == by) {
            other.has_used_up = has_used_up;
        }
    }
}

impl Deliver for KeptSend {
    #[cfg(feature = "data")]
    fn kept_send(&self) -> Option<&KeptSend> {
        Some(self)
    }

    fn deliver(&mut self, world: &World, parent: Option<&Frame<'_>>, spot: ReceiverSlot) {
        let mut overhearing = self.overhearing.iter();
        let overhearing = overhearing.position(|overhearing| overhearing.spot == spot);
        let overhearing = overhearing.map(|at| self.overhearing.remove(at));
        let subscription = spot.as_subscription();
        if self.consumed {
            if let Some(it) = subscription.and_then(|at| world.listen.subscriptions.at(at)) {
                it.give_up();
            }
            return;
        }
        if let Some(overhearing) = overhearing {
            return self.deliver_overheard(world, parent, overhearing);
        }
        let Some(at) = subscription else {
            self.hand_to(world, parent, spot, None, true);
            return;
        };
        let resumed = self.cover.resumed();
        let extras = self.cover.extras(Some(&resumed));
        let sent = self.cover.sent(world, parent, &extras);
        let told = tell_later(&sent, at, self.message.get(), false);
        self.consumed = told.consumed;
        self.losses.got += told.received;
    }

    fn deliver_staged(&mut self, world: &World, spot: ReceiverSlot) {
        // The send in which messagees overheard something has ended.
        self.cover.overhearers = Box::default();
        self.deliver(world, None, spot);
    }

    fn deliver_to_newborn(&mut self, world: &World, id: MessageeId) {
        for spot in world.receivers_of(id, self.cover.facts) {
            self.deliver(world, None, spot);
        }
    }

    fn is_wanted(&self, world: &World, wants: &dyn Fn(&Sent<'_>) -> bool) -> bool {
        let extras = self.cover.extras(None);
        wants(&self.cover.sent(world, None, &extras))
    }

    fn deliver_retained(&mut self, world: &World, at: usize) {
        // This is a new delivery, so the messages that led to it no longer count.
        let resumed = Resumed {
            reporting: ReportGuard::default(),
            overhearers: &[],
            ..self.cover.resumed()
        };
        let extras = self.cover.extras(Some(&resumed));
        let sent = self.cover.sent(world, None, &extras);
        tell_later(&sent, at, self.message.get(), true);
    }

    fn owes_letter(&mut self) -> bool {
        let owes = !self.losses.lost.is_empty() && !self.losses.has_letter;
        self.losses.has_letter |= owes;
        owes
    }

    fn bury(&mut self, world: &World, is_last: bool) {
        let Losses { lost, got, .. } = std::mem::take(&mut self.losses);
        let message: Option<Box<dyn AnyMessage>> = if is_last {
            self.message.take().map(|message| message as _)
        } else {
            self.message.get().try_clone()
        };
        let resumed = self.cover.resumed();
        let extras = self.cover.extras(Some(&resumed));
        let sent = self.cover.sent(world, None, &extras);
        let receivers = lost.into();
        sent.bury(Undelivered::Lost { receivers }, got, message);
    }
}

/// A whole send that waits for an interceptor to be free.
pub(crate) struct KeptWhole {
    pub(crate) send: Option<KeptSend>,
    /// The number of the interceptor.
    pub(crate) interceptor: u64,
}

impl Deliver for KeptWhole {
    #[cfg(feature = "data")]
    fn kept_send(&self) -> Option<&KeptSend> {
        self.send.as_ref()
    }

    fn deliver(&mut self, world: &World, parent: Option<&Frame<'_>>, _: ReceiverSlot) {
        if let Some(kept) = self.send.take() {
            kept.deliver_whole(world, parent, self.interceptor);
        }
    }

    // Nobody has received it yet, and it waits as a whole.
    fn deliver_staged(&mut self, _: &World, _: ReceiverSlot) {}

    fn deliver_to_newborn(&mut self, _: &World, _: MessageeId) {}

    fn is_wanted(&self, _: &World, _: &dyn Fn(&Sent<'_>) -> bool) -> bool {
        false
    }

    fn deliver_retained(&mut self, _: &World, _: usize) {}

    // If it could not be delivered, it has already become a dead letter.
    fn owes_letter(&mut self) -> bool {
        false
    }

    fn bury(&mut self, _: &World, _: bool) {}
}

/// Returns the component in a slot as a lost receiver if it is passed over now, since it was not when the
/// message was kept for it. Losses of the manager's own messages and of messages posted with `if_alive` are
/// not reported.
fn why_lost(pool: &Pool, slot: usize, sent: &Sent<'_>) -> Option<LostReceiver> {
    let posted = sent.extras.posted;
    if sent.sender == Sender::Manager || posted.is_some_and(|posted| posted.mark.if_alive) {
        return None;
    }
    let why = match why_passed_over(pool, slot, sent)? {
        PassedOver::Disabled => Loss::Disabled,
        PassedOver::Leaving => {
            let hook = sent.world.structure.keys.hook_in(pool, slot);
            if sent.world.structure.expected.has_panicked(hook) {
                Loss::Panicked
            } else {
                Loss::Left
            }
        }
        PassedOver::Sender => return None,
    };
    let receiver = receiver_at(pool, slot);
    Some(LostReceiver { receiver, why })
}
