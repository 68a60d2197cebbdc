//! The long way of every send, [`World::carry_out`]: from a recipient to the components. What a
//! short way could not finish goes on here from its [`Progress`].
#![allow(
    clippy::inline_always,
    reason = "the whole of a plain delivery in one function; measured"
)]

use std::ops::ControlFlow;

use crate::address::{MessageeId, Recipient};
use crate::error::{SendError, SendErrorKind};
use crate::handler::Stop;
use crate::handler::routes::RouteTable;
use crate::message::Request;
use crate::receipt::Receipt;
use crate::send::call::{
    Call, Extras, OnBusy, ReceiverSlot, ReportGuard, Resumed, Sent, Unborn, Waiting,
};
use crate::send::erased::{ErasedMessage, OwnedMessage, Replies, Source};
use crate::send::plain::Progress;
use crate::send::recipients::{Audience, Visit};
use crate::storage::{Pool, Record};
use crate::trace::SentBy;
use crate::world::World;

impl World {
    /// Delivers a message to everybody at the recipient; a busy receiver gets it when it is free.
    #[inline(always)]
    pub(crate) fn send_in_full(
        &self,
        sent: &Sent<'_>,
        message: &mut dyn OwnedMessage,
    ) -> Result<Receipt, SendError> {
        let (by, replies) = (SentBy::Plain, Replies::Ignore);
        self.send_by(
            (sent, sent.facts.table()),
            by,
            replies,
            OnBusy::Keep,
            Source::Owned(message),
        )
    }

    /// That as many have received a message without a header as the manager requires by default.
    pub(super) fn require_by_default(
        &self,
        sent: &Sent<'_>,
        receipt: Receipt,
    ) -> Result<Receipt, SendError> {
        if self.config.require == 0 {
            return Ok(receipt);
        }
        self.shortage(sent, receipt).map_or(Ok(receipt), Err)
    }

    /// As [`send_in_full`](Self::send_in_full), of a message with a header. After an error the
    /// message is still there.
    pub(crate) fn send_posted(
        &self,
        sent: &Sent<'_>,
        message: &mut dyn OwnedMessage,
    ) -> Result<Receipt, SendError> {
        let (by, replies) = (SentBy::Post, Replies::Ignore);
        self.begin_full(sent, by, replies, OnBusy::Keep, Source::Owned(message))
    }

    /// As [`send_posted`](Self::send_posted), with a message that will be needed again.
    pub(crate) fn send_lent(
        &self,
        sent: &Sent<'_>,
        message: &mut dyn ErasedMessage,
    ) -> Result<Receipt, SendError> {
        let (by, replies) = (SentBy::Post, Replies::Ignore);
        self.begin_full(sent, by, replies, OnBusy::Keep, Source::Lent(message))
    }

    /// Delivers an in–out message to everybody at the recipient.
    #[inline]
    pub(crate) fn send_mut_in_full(
        &self,
        sent: &Sent<'_>,
        message: &mut dyn ErasedMessage,
    ) -> Result<Receipt, SendError> {
        let (by, replies) = (SentBy::SendMut, Replies::Ignore);
        self.send_by(
            (sent, sent.facts.table()),
            by,
            replies,
            OnBusy::Refuse,
            Source::Lent(message),
        )
    }

    /// Asks everybody at the recipient in turn until somebody answers.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as for `send_by`")]
    pub(crate) fn request_in_full(
        &self,
        sent: &Sent<'_>,
        message: &mut dyn OwnedMessage,
        replies: Replies<'_>,
    ) -> Result<Receipt, SendError> {
        let by = SentBy::Request;
        self.send_by(
            (sent, sent.facts.table()),
            by,
            replies,
            OnBusy::Refuse,
            Source::Owned(message),
        )
    }

    /// Asks everybody at the recipient and collects the answers.
    pub(crate) fn request_all<M: Request>(
        &self,
        sent: &Sent<'_>,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        let mut all: Vec<(MessageeId, M::Reply)> = Vec::new();
        let (by, replies) = (SentBy::RequestAll, Replies::All(&mut all));
        let mut message = Some(message);
        let source = Source::Owned(&mut message);
        self.begin_full(sent, by, replies, OnBusy::Refuse, source)?;
        Ok(all)
    }

    /// Begins the long way.
    #[inline(never)]
    pub(super) fn begin_full(
        &self,
        sent: &Sent<'_>,
        by: SentBy,
        replies: Replies<'_>,
        on_busy: OnBusy,
        source: Source<'_>,
    ) -> Result<Receipt, SendError> {
        let table = self.begin(sent, by)?;
        self.carry_out(table, Call::new(sent, replies, on_busy), source)
    }

    /// The long way of every send: interceptors, the addressed, subscribers; then the message is
    /// kept for those who receive it later. What cannot wait is delivered to nobody at all if one
    /// of several receivers is busy, since otherwise the message would have been half sent.
    #[inline]
    pub(crate) fn carry_out(
        &self,
        table: &RouteTable,
        call: Call<'_>,
        source: Source<'_>,
    ) -> Result<Receipt, SendError> {
        if self.trace.is_on() && call.sent.extras.number.is_none() {
            return self.carry_out_traced(table, call, source);
        }
        self.carry_out_numbered(table, call, source)
    }

    /// As [`carry_out`](Self::carry_out), of a message that has its number if it is traced. Apart, so
    /// that a traced send has this only once on the stack.
    #[inline]
    pub(crate) fn carry_out_numbered(
        &self,
        table: &RouteTable,
        call: Call<'_>,
        source: Source<'_>,
    ) -> Result<Receipt, SendError> {
        if call.on_busy == OnBusy::Refuse && (call.sent.parent.is_some() || self.proxies.any()) {
            self.refuse_if_busy(table, call.sent)?;
        }
        self.carry_on(call, source, &self.no_progress())
    }

    /// As [`carry_out`](Self::carry_out), from where the send has come already.
    #[inline(never)]
    pub(super) fn carry_on(
        &self,
        mut call: Call<'_>,
        mut source: Source<'_>,
        progress: &Progress,
    ) -> Result<Receipt, SendError> {
        let table = call.sent.facts.table();
        let table = table.expect("what is carried out has routes");
        (call.tally, call.begun) = (progress.tally, progress.switches);
        let passed = progress.passed;
        let (is_heard, is_retained) = (
            self.subscriptions.may_hear(table.index, call.sent),
            call.sent.is_retained(),
        );
        if (is_retained || is_heard && self.looks_back(call.sent)) && call.sent.audience().is_none()
        {
            return self.carry_on_as_sent(call, source, progress);
        }
        let intercepted = if is_heard {
            self.deliver_heard(table, &mut call, source.get(), passed)?
        } else {
            self.deliver(table, &mut call, source.get(), passed)?;
            false
        };
        let retains = is_retained && !intercepted;
        if call.waiting.is_none() && !retains {
            return Ok(call.receipt());
        }
        self.end(call, source, progress.kept, retains)
    }

    /// Returns `true` if a subscription that hears a message asks whom it was sent to.
    #[inline]
    fn looks_back(&self, sent: &Sent<'_>) -> bool {
        sent.to.is_by_mnemonic() || self.subscriptions.any_looks_back()
    }

    /// Like [`carry_on`](Self::carry_on), but records at the beginning whom the message is for. Subscribers then
    /// see the messagees that it was sent to, even if a receiver rebinds a mnemonic, leaves a group or moves to
    /// another family.
    #[cold]
    fn carry_on_as_sent(
        &self,
        call: Call<'_>,
        source: Source<'_>,
        progress: &Progress,
    ) -> Result<Receipt, SendError> {
        let audience = self.audience(call.sent)?;
        let mnemonics = call.sent.mnemonics();
        let before = call.sent.extras.resumed;
        let fresh = || Resumed {
            intercepted: 0,
            reporting: ReportGuard::default(),
            to: call.sent.meant(),
            overhearer: None,
            overhearers: &[],
            mnemonics: &[],
            audience: None,
            addressee: None,
        };
        let resumed = Resumed {
            mnemonics: &mnemonics,
            audience: Some(&audience),
            ..before.copied().unwrap_or_else(fresh)
        };
        let extras = Extras {
            resumed: Some(&resumed),
            ..*call.sent.extras
        };
        let sent = Sent {
            extras: &extras,
            ..*call.sent
        };
        let call = Call {
            sent: &sent,
            ..call
        };
        self.carry_on(call, source, progress)
    }

    /// The end of a send: the message is kept for those who receive it later. `begun` is how many had
    /// been kept when it began.
    pub(super) fn end(
        &self,
        call: Call<'_>,
        source: Source<'_>,
        begun: u64,
        retains: bool,
    ) -> Result<Receipt, SendError> {
        match call.waiting.as_deref() {
            Some(waiting) if call.on_busy == OnBusy::Refuse && !waiting.is_for_later() => {
                Err(self.refusal(call.sent, waiting))
            }
            _ => self.keep(begun, call, source, retains),
        }
    }

    /// As [`deliver`](Self::deliver), where somebody listens to the message. Returns `true` if an
    /// interceptor has consumed it.
    fn deliver_heard(
        &self,
        table: &RouteTable,
        call: &mut Call<'_>,
        message: &mut dyn ErasedMessage,
        passed: usize,
    ) -> Result<bool, SendError> {
        let one = self.messagees.one_recipient(call.sent.to);
        let one = one.filter(|record| passed > 0 || !record.is_leaving());
        let found;
        let audience = match (one, call.sent.audience()) {
            (Some(_), _) => None,
            (None, Some(audience)) => Some(audience),
            (None, None) => {
                found = self.audience(call.sent)?;
                Some(&found)
            }
        };
        if let Some(&Audience::Unborn(unborn)) = audience {
            call.waiting().unborn = Some(unborn);
            return Ok(false);
        }
        let listening = self.subscriptions.listening(Some(table.index), call.sent);
        if passed == 0 && self.intercept(&listening, call, message).is_break() {
            return Ok(call.tally.consumed);
        }
        match (one, audience) {
            (Some(record), _) => self.deliver_to(table, record, call, message, passed),
            (None, Some(audience)) => self.deliver_in(audience, table, call, message),
            (None, None) => {}
        }
        // Before a subscriber can send to the same proxy.
        self.carry_met(call, message);
        if !call.tally.consumed {
            self.tell_listeners(&listening, call, message);
        }
        Ok(false)
    }

    /// What the long way begins with: the bound on nesting, what a panic has freed receivers for, and
    /// the routes of the message. `by` is the call that sends it, for the trace.
    #[inline]
    fn begin(&self, sent: &Sent<'_>, by: SentBy) -> Result<&'static RouteTable, SendError> {
        let error = if sent.depth > self.config.max_depth {
            self.too_deep(sent)
        } else {
            if self.kept.any() {
                self.deliver_overdue(sent.parent);
            }
            match sent.facts.table() {
                Some(table) => return Ok(table),
                None => SendErrorKind::Unregistered {
                    message: sent.message(),
                }
                .into(),
            }
        };
        if self.trace.is_on() {
            self.trace.refused_at_once(sent, by, &error);
        }
        Err(error)
    }

    #[cold]
    fn refusal(&self, sent: &Sent<'_>, waiting: &Waiting<'_>) -> SendError {
        if let Some(&id) = waiting.proxies.first() {
            let message = sent.message();
            return SendErrorKind::Elsewhere { id, message }.into();
        }
        let intercepting = waiting.intercepting.map(|(spot, _)| spot);
        let busy = intercepting.or(waiting.busy().first().copied());
        let message = sent.message();
        match (waiting.unborn, busy) {
            (None, Some(busy)) => self.busy(sent, busy),
            (unborn, _) => match unborn.expect("who cannot receive is busy or not yet alive") {
                Unborn::Messagee(id) => SendErrorKind::NotYetSpawned { id, message }.into(),
                Unborn::Component(hook) => SendErrorKind::NotYetHooked { hook, message }.into(),
            },
        }
    }

    /// That no receiver is busy, asked before any of them is called.
    fn refuse_if_busy(&self, table: &RouteTable, sent: &Sent<'_>) -> Result<(), SendError> {
        let mut busy = None;
        let mut probe = Call::new(sent, Replies::Ignore, OnBusy::Refuse);
        self.targets(
            table,
            &mut probe,
            &mut |Stop { route, .. }, pool, slot, _| {
                let found = pool.find_busy(slot, route.shared, sent.except());
                busy = found.map(|slot| ReceiverSlot::new(pool, slot));
                match found {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                }
            },
        )?;
        if let Some(&id) = probe.waiting.iter().flat_map(|it| &it.proxies).next() {
            let message = sent.message();
            return Err(SendErrorKind::Elsewhere { id, message }.into());
        }
        if let Some(&id) = probe.waiting.iter().flat_map(|it| &it.newborns).next() {
            let message = sent.message();
            return Err(SendErrorKind::NotYetSpawned { id, message }.into());
        }
        if busy.is_none() && self.subscriptions.hears(table.index) {
            busy = self.find_busy_listener(table.index, sent);
        }
        match busy {
            Some(busy) => Err(self.busy(sent, busy)),
            None => Ok(()),
        }
    }

    #[cold]
    fn busy(&self, sent: &Sent<'_>, spot: ReceiverSlot) -> SendError {
        if let Some(at) = spot.as_subscription() {
            let listed = self.subscriptions.listed(at);
            return SendErrorKind::SubscriberBusy {
                to: *sent.to,
                message: sent.message(),
                subscription: listed.expect("who is running is listed").id(),
                chain: sent.chain(),
            }
            .into();
        }
        let pool = self.pools.at(spot.component);
        SendErrorKind::Busy {
            to: *sent.to,
            message: sent.message(),
            id: pool.roster().owner(spot.slot as usize),
            component: pool.roster().component_name(),
            chain: sent.chain(),
        }
        .into()
    }

    /// As [`deliver`](Self::deliver), to one messagee: its components in order of priority, then of
    /// hooking, without those that are passed already.
    fn deliver_to(
        &self,
        table: &RouteTable,
        record: &Record,
        call: &mut Call<'_>,
        message: &mut dyn ErasedMessage,
        passed: usize,
    ) {
        if record.outbox().is_some() {
            return leave_to_proxy(call);
        }
        let hooks = self.components_of(record).skip(passed);
        let _ = table.in_order(hooks).try_for_each(|(stop, slot)| {
            let pool = self.pools.at(stop.route.component);
            self.deliver_at(stop, (pool, slot), call, message)
        });
    }

    /// Delivers a message to one component. Breaks when nobody behind it shall receive it.
    #[inline(always)]
    fn deliver_at(
        &self,
        stop: Stop<'_>,
        (pool, slot): (&Pool, u32),
        call: &mut Call<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        if (self.kept.any() || self.switches.any())
            && let Some(flow) = call.except(pool, slot as usize)
        {
            return flow;
        }
        let (sent, replies) = (call.sent, &mut call.replies);
        let verdict = self.hand_to_one(stop, (pool, slot), message, sent, replies);
        call.take(verdict, pool, slot as usize)
    }

    /// Runs every handler that a send reaches, in the order of the contract.
    fn deliver(
        &self,
        table: &RouteTable,
        call: &mut Call<'_>,
        message: &mut dyn ErasedMessage,
        passed: usize,
    ) -> Result<(), SendError> {
        let one = self.messagees.one_recipient(call.sent.to);
        // A messagee that is leaving when a send begins is refused when the audience is determined.
        let one = one.filter(|record| passed > 0 || !record.is_leaving());
        if let Some(record) = one {
            self.deliver_to(table, record, call, message, passed);
        } else {
            let audience = self.audience(call.sent)?;
            self.deliver_in(&audience, table, call, message);
        }
        Ok(())
    }

    /// As [`deliver`](Self::deliver), when it is known who is meant.
    fn deliver_in(
        &self,
        audience: &Audience,
        table: &RouteTable,
        call: &mut Call<'_>,
        message: &mut dyn ErasedMessage,
    ) {
        let visit: &mut Visit<'_> = &mut |stop, pool, slot, call| match slot {
            Some(slot) => self.deliver_at(stop, (pool, slot), call, message),
            None => self.hand_to_all(stop, pool, message, call),
        };
        self.targets_in(audience, table, call, visit);
    }

    #[cold]
    fn too_deep(&self, sent: &Sent<'_>) -> SendError {
        SendErrorKind::TooDeep {
            to: *sent.to,
            message: sent.message(),
            limit: self.config.max_depth,
            chain: sent.chain_at_limit(),
        }
        .into()
    }
}

/// The message is for a proxy alone: it is carried when the send ends.
#[cold]
fn leave_to_proxy(call: &mut Call<'_>) {
    if let Recipient::Id(id) = *call.sent.to {
        call.waiting().proxies.push(id);
    }
}
