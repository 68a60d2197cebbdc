//! A message that somebody receives later, with the data of its send.

use std::collections::HashMap;
use std::panic::Location;
use std::sync::{Arc, Mutex};

use smallvec::SmallVec;

use crate::address::{MessageeId, Recipient, Sender, SubscriptionId};
use crate::error::{Loss, LostReceiver, Undelivered};
use crate::message::{AnyMessage, Facts, OwnedMessage, Stored};
use crate::mnemonic::Mnemonic;
use crate::send::deferred::lock;
use crate::send::{
    Callee, Delivery, Extras, OnBusy, Overhearing, Posted, ReceiverSlot, Redelivery, Replies,
    ReportGuard, Resumed, Sent, Verdict,
};
use crate::structure::Unborn;
use crate::subscription::tell_later;
use crate::trace::{PassedOver, TraceId};

/// A kept message, shared by those that receive it later.
#[doc(hidden)]
pub type Shared = Arc<Mutex<KeptSend>>;

/// A message that somebody receives later.
pub struct KeptSend {
    pub message: Option<Box<dyn AnyMessage>>,
    pub cover: Cover,
    /// Set if the whole send waits, and nobody has received the message yet: the number of the interceptor
    /// that it continues with.
    pub(super) whole: Option<u64>,
    /// The components that it is kept for and that overhear it. It was sent to others.
    pub(super) overhearing: SmallVec<[Overhearing; 2]>,
    pub open_to: OpenTo,
    /// The lost receivers that a dead letter will report.
    pub(super) lost: Vec<LostReceiver>,
    /// The number of receivers that have the message or will in a stage of their own, without the hidden
    /// ones.
    pub(super) got: usize,
}

/// The receivers that still get a kept message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OpenTo {
    /// Nobody has consumed it.
    Everyone,
    /// A component has consumed it, but for the others of its messagee.
    Messagee(MessageeId),
    /// It was consumed.
    Nobody,
}

impl OpenTo {
    /// Returns whether a component still receives it, by its messagee, or a subscription, which has none.
    fn admits(self, owner: Option<MessageeId>) -> bool {
        match self {
            Self::Everyone => true,
            Self::Messagee(id) => owner == Some(id),
            Self::Nobody => false,
        }
    }
}

/// The data of the send of a kept message. Owns what a [`Sent`] and its `Resumed` borrow, since the message outlives
/// the send.
#[derive(Clone)]
pub struct Cover {
    pub facts: &'static Facts,
    pub sender: Sender,
    pub to: Recipient,
    /// The recipient, with a mnemonic resolved to its messagee.
    pub resolved: Recipient,
    /// The mnemonics that were bound to that messagee.
    pub mnemonics: Box<[Mnemonic]>,
    pub place: &'static Location<'static>,
    pub posted: Posted,
    /// Further reports are suppressed if it was sent while one was delivered.
    pub reporting: ReportGuard,
    pub number: Option<TraceId>,
    /// The messagees that overheard something that led to it, until the outermost send ends.
    pub overhearers: Box<[MessageeId]>,
    /// The one messagee that it was sent to.
    pub addressee: Option<MessageeId>,
}

impl Cover {
    pub(super) fn of(sent: &Sent<'_>) -> Self {
        Self {
            facts: sent.facts,
            sender: sent.sender,
            to: sent.to,
            resolved: sent.meant(),
            mnemonics: sent.mnemonics().into_vec().into(),
            place: sent.place,
            posted: sent.posted(),
            reporting: sent.reporting(),
            number: sent.extras.number,
            overhearers: sent.overhearers().collect(),
            addressee: sent.addressee(),
        }
    }

    /// Calls `deliver` with the send to continue.
    pub(super) fn send_on<T>(
        &self,
        on: Redelivery<'_>,
        resumed: Option<Resumed<'_>>,
        deliver: impl FnOnce(&Sent<'_>) -> T,
    ) -> T {
        let extras = Extras {
            posted: Some(&self.posted),
            number: self.number,
            resumed: resumed.as_ref(),
            ..Extras::NONE
        };
        deliver(&Sent {
            parent: on.parent,
            depth: on.parent.map_or(1, |frame| frame.sent.depth + 1),
            extras: &extras,
            ..Sent::of_type(self.facts, on.world, self.sender, self.to, self.place)
        })
    }

    /// Returns the data for its later delivery.
    fn resumed(&self) -> Resumed<'_> {
        Resumed {
            reporting: self.reporting,
            overhearers: &self.overhearers,
            mnemonics: &self.mnemonics,
            addressee: self.addressee,
            ..Resumed::to(self.resolved)
        }
    }
}

/// Copies of messages that several may share, and whose copies they share too.
#[derive(Default)]
pub(crate) struct Copies(HashMap<*const Mutex<KeptSend>, Shared>);

impl Copies {
    /// Replaces a message by its copy.
    pub(crate) fn replace(&mut self, shared: &mut Shared) {
        let copy = self.0.entry(Arc::as_ptr(shared));
        let copy = copy.or_insert_with(|| {
            let copied = lock(shared).map(|message| message.copied());
            Arc::new(Mutex::new(
                copied.expect("nothing is delivered between calls"),
            ))
        });
        *shared = Arc::clone(copy);
    }
}

/// Returns the type of a message and its recipient, if it cannot be copied.
pub(crate) fn not_cloned(shared: &Shared) -> Option<(&'static Facts, Recipient)> {
    let message = lock(shared)?;
    let Cover { facts, to, .. } = message.cover;
    (!facts.is_cloned).then_some((facts, to))
}

impl KeptSend {
    pub fn new(cover: Cover, message: Box<dyn AnyMessage>) -> Self {
        Self {
            message: Some(message),
            cover,
            whole: None,
            overhearing: SmallVec::new(),
            open_to: OpenTo::Everyone,
            lost: Vec::new(),
            got: 0,
        }
    }

    /// Returns a copy. The message has to be cloneable.
    fn copied(&self) -> Self {
        Self {
            message: self.message.as_ref().map(Stored::copied),
            cover: self.cover.clone(),
            whole: self.whole,
            overhearing: self.overhearing.clone(),
            open_to: self.open_to,
            lost: self.lost.clone(),
            got: self.got,
        }
    }

    /// Delivers it to one component or subscriber that is free.
    pub(super) fn deliver(&mut self, on: Redelivery<'_>, spot: ReceiverSlot) {
        if let Some(interceptor) = self.whole.take() {
            return self.deliver_whole(on, interceptor);
        }
        let mut overhearing = self.overhearing.iter();
        let overhearing = overhearing.position(|overhearing| overhearing.spot == spot);
        let overhearing = overhearing.map(|at| self.overhearing.remove(at));
        let subscription = spot.as_subscription();
        if !self.open_to.admits(spot.owner(&on.world.structure.pools)) {
            if let Some(it) = subscription.and_then(|at| on.world.listen.subscriptions.at(at)) {
                it.give_up();
            }
            return;
        }
        if let Some(overhearing) = overhearing {
            return self.deliver_overheard(on, overhearing);
        }
        let Some(at) = subscription else {
            self.hand_to(on, spot, None, true);
            return;
        };
        let resumed = self.cover.resumed();
        let told = self.cover.send_on(on, Some(resumed), |sent| {
            tell_later(sent, at, self.message.get(), false)
        });
        if told.consumed {
            self.open_to = OpenTo::Nobody;
        }
        self.got += told.received;
    }

    /// Returns the components of a messagee that receive it, which was not there when it was sent. If the whole send has
    /// waited for the receiver, delivers it instead.
    pub(super) fn receivers_in(
        &mut self,
        on: Redelivery<'_>,
        unborn: Unborn,
    ) -> SmallVec<[ReceiverSlot; 4]> {
        match (self.whole.take(), unborn) {
            (Some(interceptor), _) => self.deliver_whole(on, interceptor),
            (None, Unborn::Messagee(id)) => {
                return self.cover.send_on(on, None, |sent| sent.receivers_at(id));
            }
            (None, Unborn::Component(_)) => {}
        }
        SmallVec::new()
    }

    /// Delivers it to its whole audience. `intercepted` is the number of the interceptor that it continues
    /// with.
    fn deliver_whole(&mut self, on: Redelivery<'_>, intercepted: u64) {
        let resumed = Resumed {
            intercepted,
            ..self.cover.resumed()
        };
        self.cover.send_on(on, Some(resumed), |sent| {
            sent.deliver_in_full(&mut self.message);
        });
    }

    /// Delivers it to a component. `overhearer` is its messagee if that overhears the message. If the
    /// component `counts` and is passed over, it is a lost receiver.
    fn hand_to(
        &mut self,
        on: Redelivery<'_>,
        spot: ReceiverSlot,
        overhearer: Option<MessageeId>,
        counts: bool,
    ) -> Verdict {
        let resumed = Resumed {
            overhearer,
            ..self.cover.resumed()
        };
        let (verdict, lost) = self.cover.send_on(on, Some(resumed), |sent| {
            let Some(callee) = sent.callee(spot) else {
                return (Verdict::NotReceived, None);
            };
            // Evaluated before a handler can change the result.
            let lost = counts.then(|| why_lost(&callee, sent));
            let mut delivery = Delivery::new(sent, Replies::Ignore, OnBusy::Keep);
            let verdict = delivery.hand_to(&callee, self.message.get());
            (verdict, lost.flatten())
        });
        match verdict {
            Verdict::Consumed => self.open_to = OpenTo::Nobody,
            Verdict::ConsumedByMessagee => {
                let owner = spot.owner(&on.world.structure.pools);
                self.open_to = owner.map_or(OpenTo::Nobody, OpenTo::Messagee);
            }
            _ => {}
        }
        self.lost.extend(lost);
        if counts {
            self.got += verdict.receipt().receivers();
        }
        verdict
    }

    /// Delivers it to a component that overhears it, if the subscription still wants that.
    fn deliver_overheard(&mut self, on: Redelivery<'_>, overhearing: Overhearing) {
        let (by, has_used_up) = (overhearing.by, overhearing.has_used_up);
        let by_it = on.world.listen.subscriptions.find(by);
        let Some(it) = by_it.filter(|it| it.still_overhears(has_used_up)) else {
            return;
        };
        if it.use_up(on.world) {
            self.mark_used_up(by, true);
        }
        let verdict = self.hand_to(on, overhearing.spot, it.overhearer(), !it.terms.hidden);
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

    /// Delivers it to a subscriber that asked for retained messages, if that still wants it.
    pub(super) fn deliver_retained(&mut self, on: Redelivery<'_>, at: usize) {
        // This is a new delivery, so the messages that led to it no longer count.
        let resumed = Resumed {
            reporting: ReportGuard::default(),
            overhearers: &[],
            ..self.cover.resumed()
        };
        self.cover.send_on(on, Some(resumed), |sent| {
            tell_later(sent, at, self.message.get(), true)
        });
    }

    /// Turns it into a dead letter that names the lost receivers. `is_last` is `true` if nobody else needs the
    /// message.
    pub(super) fn bury(&mut self, on: Redelivery<'_>, is_last: bool) {
        let receivers = std::mem::take(&mut self.lost).into();
        let got = std::mem::take(&mut self.got);
        let message = if is_last {
            self.message.take()
        } else {
            self.message.get().try_clone()
        };
        self.cover.send_on(on, Some(self.cover.resumed()), |sent| {
            sent.bury(Undelivered::Lost { receivers }, got, message);
        });
    }
}

/// Returns a component as a lost receiver if it is passed over now, since it was not when the
/// message was kept for it. Losses of the manager's own messages and of messages posted with `if_alive` are
/// not reported.
fn why_lost(callee: &Callee<'_>, sent: &Sent<'_>) -> Option<LostReceiver> {
    let posted = sent.extras.posted;
    if sent.sender == Sender::Manager || posted.is_some_and(|posted| posted.mark.if_alive) {
        return None;
    }
    let expected = &sent.world.structure.expected;
    let why = match sent.why_passed_over(callee)? {
        PassedOver::Disabled => Loss::Disabled,
        PassedOver::Leaving if expected.has_panicked(sent.hook_of(callee)) => Loss::Panicked,
        PassedOver::Leaving => Loss::Left,
        PassedOver::Sender => return None,
    };
    let receiver = callee.receiver();
    Some(LostReceiver { receiver, why })
}
