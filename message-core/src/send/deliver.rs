//! A send as a whole, from its recipient to its receipt: interceptors, the components of the audience,
//! subscribers. Then the message is kept for those that receive it later.
//!
//! Compiled once, over an [erased](super::erased) message. Sends, requests, posts that are due and kept
//! messages all go through it. Only a send to one component can be over before it gets here (see
//! [`entry`](super::entry)).

use std::ops::ControlFlow;

use crate::address::{MessageeId, Recipient};
use crate::caught::catch;
use crate::error::{SendError, SendErrorKind};
use crate::handler::{Route, RouteTable};
use crate::message::Request;
use crate::receipt::Receipt;
use crate::send::audience::{Audience, Met};
use crate::send::call::{
    Delivery, Extras, OnBusy, ReceiverSlot, ReportGuard, Resumed, Sent, Unborn, Waiting,
};
use crate::send::erased::{ErasedMessage, OwnedMessage, Replies, Source};
use crate::send::plan::Stops;
use crate::send::verdict::{Ended, FALL_BACK, Verdict};
use crate::storage::{Pool, Record};
use crate::subscription::Part;
use crate::trace::SentBy;

/// The receivers of a send.
#[derive(Clone, Copy)]
enum Whom<'a> {
    /// One messagee that is there.
    One(&'a Record),
    All(&'a Audience),
}

impl Sent<'_> {
    /// Delivers a message to everybody at the recipient. Busy receivers get it when they are free.
    #[inline]
    pub(crate) fn send(&self, message: &mut dyn OwnedMessage) -> Result<Receipt, SendError> {
        let source = Source::Owned(message);
        self.carry_out(SentBy::Plain, Replies::Ignore, OnBusy::Keep, source)
    }

    /// Delivers an in–out message to everybody at the recipient.
    #[inline]
    pub(crate) fn send_mut(&self, message: &mut dyn ErasedMessage) -> Result<Receipt, SendError> {
        let source = Source::Lent(message);
        self.carry_out(SentBy::SendMut, Replies::Ignore, OnBusy::Refuse, source)
    }

    /// Delivers a message with a header. After an error, the message is still there.
    #[inline]
    pub(crate) fn send_posted(&self, message: &mut dyn OwnedMessage) -> Result<Receipt, SendError> {
        let source = Source::Owned(message);
        self.carry_out(SentBy::Post, Replies::Ignore, OnBusy::Keep, source)
    }

    /// Like [`send_posted`](Self::send_posted), for a message that will be needed again.
    #[inline]
    pub(crate) fn send_lent(&self, message: &mut dyn ErasedMessage) -> Result<Receipt, SendError> {
        let source = Source::Lent(message);
        self.carry_out(SentBy::Post, Replies::Ignore, OnBusy::Keep, source)
    }

    /// Asks everybody at the recipient in turn until somebody answers.
    #[inline]
    pub(crate) fn request(
        &self,
        message: &mut dyn OwnedMessage,
        replies: Replies<'_>,
    ) -> Result<Receipt, SendError> {
        self.carry_out(
            SentBy::Request,
            replies,
            OnBusy::Refuse,
            Source::Owned(message),
        )
    }

    /// Asks everybody at the recipient and collects the answers.
    pub(crate) fn request_all<M: Request>(
        &self,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        let mut all: Vec<(MessageeId, M::Reply)> = Vec::new();
        let replies = Replies::All(&mut all);
        let mut message = Some(message);
        let source = Source::Owned(&mut message);
        self.carry_out(SentBy::RequestAll, replies, OnBusy::Refuse, source)?;
        Ok(all)
    }

    /// Delivers a message. `by` is the call that sends it.
    #[inline(never)]
    fn carry_out(
        &self,
        by: SentBy,
        replies: Replies<'_>,
        on_busy: OnBusy,
        source: Source<'_>,
    ) -> Result<Receipt, SendError> {
        let receipt = Delivery::new(self, replies, on_busy).carry_out(by, source)?;
        if self.world.common.config.require > 0 && matches!(by, SentBy::Plain | SentBy::SendMut) {
            // As many as the manager requires of a message without a header.
            return self.shortage(receipt).map_or(Ok(receipt), Err);
        }
        Ok(receipt)
    }

    /// Returns `true` if a subscription that hears the message checks its recipient.
    #[inline]
    fn looks_back(&self, table: &RouteTable) -> bool {
        self.to.is_by_mnemonic() || self.world.listen.subscriptions.look_back(table.index)
    }
}

impl Delivery<'_> {
    /// Delivers the message. `by` is the call that sends it, for the trace.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "the whole of its only caller")]
    fn carry_out(&mut self, by: SentBy, source: Source<'_>) -> Result<Receipt, SendError> {
        let (sent, world) = (self.sent, self.sent.world);
        if sent.depth > world.common.config.max_depth {
            return Err(refused(sent, by, too_deep(sent)));
        }
        if world.waiting.kept.any() {
            // These messages were sent earlier. A panic has freed their receivers.
            world.deliver_overdue(sent.parent);
            self.kept = world.waiting.kept.count();
        }
        let Some(table) = sent.facts.table() else {
            let message = sent.message();
            return Err(refused(
                sent,
                by,
                SendErrorKind::Unregistered { message }.into(),
            ));
        };
        if world.trace.is_on() && sent.extras.number.is_none() {
            return self.carry_out_traced(table, source);
        }
        self.carry_out_numbered(table, source)
    }

    /// Like [`carry_out`](Self::carry_out), for a message that already has its number if it is traced. A
    /// message that cannot wait is delivered to nobody if any receiver is busy. Otherwise it would be half
    /// sent.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "apart only for traced sends: W1-two, W8-two"
    )]
    pub(super) fn carry_out_numbered(
        &mut self,
        table: &RouteTable,
        mut source: Source<'_>,
    ) -> Result<Receipt, SendError> {
        let (sent, world) = (self.sent, self.sent.world);
        if self.on_busy == OnBusy::Refuse && (sent.parent.is_some() || world.outside.proxies.any())
        {
            refuse_if_busy(table, sent)?;
        }
        let subscriptions = &world.listen.subscriptions;
        let one = match *sent.to {
            Recipient::Id(id) if !sent.is_retained() => world.structure.messagees.here(id),
            _ => None,
        };
        let is_heard = subscriptions.may_hear(table, sent);
        match one {
            Some(record) if !is_heard => {
                let _ = self.deliver_to_messagee(table, record, source.get());
            }
            Some(record) if !sent.looks_back(table) => {
                self.deliver_heard(Whom::One(record), table, source.get());
            }
            _ => return self.run(table, source, is_heard),
        }
        self.finish(source, false)
    }

    /// Ends a send when all that could receive the message now have received it. Returns its receipt.
    #[inline]
    pub(super) fn finish(
        &mut self,
        source: Source<'_>,
        retains: bool,
    ) -> Result<Receipt, SendError> {
        if self.is_over() && !retains {
            return Ok(self.tally.receipt());
        }
        self.end(source, retains)
    }

    /// Delivers the message to its audience.
    #[inline(never)]
    fn run(
        &mut self,
        table: &RouteTable,
        mut source: Source<'_>,
        is_heard: bool,
    ) -> Result<Receipt, SendError> {
        let sent = self.sent;
        let found;
        let audience = if let Some(audience) = sent.audience() {
            audience
        } else {
            found = sent.find_audience()?;
            if sent.is_retained() || is_heard && sent.looks_back(table) {
                return self.run_as_sent(&found, table, source, is_heard);
            }
            &found
        };
        let mut retains = sent.is_retained();
        if let Audience::Unborn(unborn) = *audience {
            self.waiting().unborn = Some(unborn);
        } else if is_heard {
            let intercepted = self.deliver_heard(Whom::All(audience), table, source.get());
            retains &= !intercepted;
        } else {
            let _ = self.deliver_to_audience(audience, table, source.get());
        }
        self.finish(source, retains)
    }

    /// Like [`run`](Self::run), but records the audience. Subscribers then see the messagees that the
    /// message was sent to, even if a receiver rebinds a mnemonic, leaves a group or moves to another
    /// family.
    #[cold]
    fn run_as_sent(
        &mut self,
        audience: &Audience,
        table: &RouteTable,
        source: Source<'_>,
        is_heard: bool,
    ) -> Result<Receipt, SendError> {
        let mnemonics = self.sent.mnemonics();
        let before = self.sent.extras.resumed;
        let fresh = || Resumed {
            intercepted: 0,
            reporting: ReportGuard::default(),
            to: self.sent.meant(),
            overhearer: None,
            overhearers: &[],
            mnemonics: &[],
            audience: None,
            addressee: None,
        };
        let resumed = Resumed {
            mnemonics: &mnemonics,
            audience: Some(audience),
            ..before.copied().unwrap_or_else(fresh)
        };
        let extras = Extras {
            resumed: Some(&resumed),
            ..*self.sent.extras
        };
        let sent = Sent {
            extras: &extras,
            ..*self.sent
        };
        self.with_sent(&sent).run(table, source, is_heard)
    }

    /// Delivers a message that somebody listens to. Returns `true` if an interceptor has consumed it.
    #[inline(never)]
    fn deliver_heard(
        &mut self,
        whom: Whom<'_>,
        table: &RouteTable,
        message: &mut dyn ErasedMessage,
    ) -> bool {
        let world = self.sent.world;
        let subscriptions = &world.listen.subscriptions;
        let found = subscriptions.found(Some(table.index), self.sent);
        if self.tell(Part::Before, &found, message).is_break() {
            return self.tally.consumed;
        }
        let _ = match whom {
            Whom::One(record) => self.deliver_to_messagee(table, record, message),
            Whom::All(audience) => self.deliver_to_audience(audience, table, message),
        };
        // Before a subscriber can send to the same proxy.
        self.carry_met(message);
        self.tell_after(table, &found, message);
        false
    }

    /// Delivers the message to the components of a messagee. Breaks when nobody else shall receive it.
    #[inline]
    fn deliver_to_messagee(
        &mut self,
        table: &RouteTable,
        record: &Record,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let world = self.sent.world;
        let plans = &world.listen.subscriptions.plans;
        let stops = plans.stops(table, record, &world.structure.messagees);
        self.deliver_to_stops(Stops::new(table, record, &stops), message)
    }

    /// Delivers the message to the components at the stops of a messagee. Breaks when nobody else shall receive it.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "the loop over the receivers of a group, a family or a send to several components: W1-two, W1-group"
    )]
    pub(super) fn deliver_to_stops(
        &mut self,
        mut stops: Stops<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        if stops.all.is_empty() {
            self.meet_no_handler(stops.table);
        }
        if self.traced || self.catches {
            return self.deliver_with_care(stops, message);
        }
        // All that most sends do: W1-two, W8-two.
        while let Some(ended) = message.to_stops(self, &mut stops) {
            if matches!(ended, (Some(Verdict::Answered), None)) && self.has_its_answer() {
                self.tally.received += 1;
                return ControlFlow::Break(());
            }
            self.follow_up_stop(&stops, ended, message)?;
        }
        ControlFlow::Continue(())
    }

    /// Returns `true` if a receiver that has just answered was the last.
    #[inline]
    fn has_its_answer(&self) -> bool {
        matches!(self.replies, Replies::First(..)) && !self.sent.world.waiting.kept.any()
    }

    /// Like [`deliver_to_stops`](Self::deliver_to_stops), where deliveries are traced or panics are caught.
    #[inline(never)]
    fn deliver_with_care(
        &mut self,
        mut stops: Stops<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        loop {
            let called = if self.traced {
                // Each takes a closer look, which traces it.
                Ok(stops.next().map(|_| FALL_BACK))
            } else {
                catch(|| message.to_stops(self, &mut stops))
            };
            let ended = match called {
                Ok(None) => return ControlFlow::Continue(()),
                Ok(Some(ended)) => ended,
                Err(panic) => {
                    let stop = stops.last();
                    let (pool, slot) = stop.at(stops.record, &self.sent.world.structure);
                    let route = stops.table.route(stop.route);
                    self.sent.panicked(pool, slot, route, panic);
                    (Some(Verdict::Failed), None)
                }
            };
            self.follow_up_stop(&stops, ended, message)?;
        }
    }

    /// Does what follows from the last call at a stop, or takes a closer look if it was not called.
    #[cold]
    #[inline(never)]
    fn follow_up_stop(
        &mut self,
        stops: &Stops<'_>,
        ended: Ended,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let stop = stops.last();
        let (pool, slot) = stop.at(stops.record, &self.sent.world.structure);
        let route = stops.table.route(stop.route);
        match ended {
            (None, _) => self.step_closely(route, pool, slot, message),
            ended => self.follow_up(route, pool, slot, ended),
        }
    }

    /// Delivers the message to its audience. Notes those that cannot receive it now.
    fn deliver_to_audience(
        &mut self,
        audience: &Audience,
        table: &RouteTable,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let world = self.sent.world;
        audience.visit(&world.structure, table, |met| {
            match met {
                Met::Messagee(record) => return self.deliver_to_messagee(table, record, message),
                Met::Component { route, pool, slot } => {
                    return self.step(route, pool, slot, message);
                }
                Met::Pool { route, pool } => return self.deliver_to_pool(route, pool, message),
                Met::Proxy(id) => self.waiting().proxies.push(id),
                Met::Newborn(id) => self.waiting().newborns.push(id),
            }
            ControlFlow::Continue(())
        })
    }

    /// Ends a send that not everybody has received: keeps the message for those that receive it later, or
    /// refuses it.
    #[cold]
    #[inline(never)]
    pub(super) fn end(&mut self, source: Source<'_>, retains: bool) -> Result<Receipt, SendError> {
        match self.waiting.as_deref() {
            Some(waiting) if self.on_busy == OnBusy::Refuse && !waiting.is_for_later() => {
                Err(refusal(self.sent, waiting))
            }
            _ => self.keep(source, retains),
        }
    }
}

/// Traces a send that failed before it could be carried out.
#[cold]
fn refused(sent: &Sent<'_>, by: SentBy, error: SendError) -> SendError {
    if sent.world.trace.is_on() {
        sent.world.trace.refused_at_once(sent, by, &error);
    }
    error
}

#[cold]
fn too_deep(sent: &Sent<'_>) -> SendError {
    SendErrorKind::TooDeep {
        to: *sent.to,
        message: sent.message(),
        limit: sent.world.common.config.max_depth,
        chain: sent.chain_at_limit(),
    }
    .into()
}

#[cold]
fn refusal(sent: &Sent<'_>, waiting: &Waiting<'_>) -> SendError {
    let message = sent.message();
    if let Some(&id) = waiting.proxies.first() {
        return SendErrorKind::Elsewhere { id, message }.into();
    }
    let intercepting = waiting.intercepting.map(|(spot, _)| spot);
    let busy = intercepting.or(waiting.busy().first().copied());
    match (waiting.unborn, busy) {
        (None, Some(spot)) => busy_error(sent, spot),
        (unborn, _) => match unborn.expect("who cannot receive is busy or not yet alive") {
            Unborn::Messagee(id) => SendErrorKind::NotYetSpawned { id, message }.into(),
            Unborn::Component(hook) => SendErrorKind::NotYetHooked { hook, message }.into(),
        },
    }
}

/// Checks that no receiver is busy, before any of them is called.
fn refuse_if_busy(table: &RouteTable, sent: &Sent<'_>) -> Result<(), SendError> {
    let (world, message) = (sent.world, sent.message());
    let (mut busy, mut proxy, mut newborn) = (None, None, None);
    let audience = sent.find_audience()?;
    let mut find_busy = |route: &Route, pool: &Pool, slot| {
        let found = pool.find_busy(slot, route.shared, sent.except());
        busy = found.map(|slot| ReceiverSlot::new(pool, slot));
        match busy {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        }
    };
    let _ = audience.visit(&world.structure, table, |met| {
        match met {
            Met::Messagee(record) => {
                for stop in &*world.listen.subscriptions.plans.stops(
                    table,
                    record,
                    &world.structure.messagees,
                ) {
                    let (pool, slot) = stop.at(record, &world.structure);
                    find_busy(table.route(stop.route), pool, Some(slot))?;
                }
            }
            Met::Component { route, pool, slot } => find_busy(route, pool, Some(slot))?,
            Met::Pool { route, pool } => find_busy(route, pool, None)?,
            Met::Proxy(id) => {
                proxy.get_or_insert(id);
            }
            Met::Newborn(id) => {
                newborn.get_or_insert(id);
            }
        }
        ControlFlow::Continue(())
    });
    if let Some(id) = proxy {
        return Err(SendErrorKind::Elsewhere { id, message }.into());
    }
    if let Some(id) = newborn {
        return Err(SendErrorKind::NotYetSpawned { id, message }.into());
    }
    if busy.is_none() && world.listen.subscriptions.any_listens(table.index) {
        busy = sent.find_busy_listener();
    }
    busy.map_or(Ok(()), |spot| Err(busy_error(sent, spot)))
}

#[cold]
fn busy_error(sent: &Sent<'_>, spot: ReceiverSlot) -> SendError {
    let (to, message, chain) = (*sent.to, sent.message(), sent.chain());
    if let Some(at) = spot.as_subscription() {
        let it = sent.world.listen.subscriptions.at(at);
        return SendErrorKind::SubscriberBusy {
            to,
            message,
            subscription: it.expect("who is running is there").id(),
            chain,
        }
        .into();
    }
    let roster = sent.world.structure.pools.at(spot.component).roster();
    SendErrorKind::Busy {
        to,
        message,
        id: roster.owner(spot.slot as usize),
        component: roster.component_name(),
        chain,
    }
    .into()
}

impl Sent<'_> {
    /// Returns `true` if anybody at the recipient has a handler for the message, whatever it does there.
    #[cold]
    pub(crate) fn has_handler(&self, table: &RouteTable) -> bool {
        let Ok(audience) = self.find_audience() else {
            return false;
        };
        let found = audience.visit(&self.world.structure, table, |met| match met {
            Met::Component { .. } => ControlFlow::Break(()),
            Met::Messagee(record)
                if !self
                    .world
                    .listen
                    .subscriptions
                    .plans
                    .stops(table, record, &self.world.structure.messagees)
                    .is_empty() =>
            {
                ControlFlow::Break(())
            }
            Met::Pool { pool, .. } if pool.roster().len() > 0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        found.is_break()
    }
}
