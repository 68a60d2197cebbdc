//! From a recipient to the components: `send`, `send_mut`, `request` and `request_all` take the
//! short way to one component, or the long one, [`World::carry_out`].

use std::ops::ControlFlow;

use crate::address::{MessageeId, Recipient};
use crate::dispatch::audience::{Audience, Visit};
use crate::dispatch::call::{Call, OnBusy, Replies, Sent, Spot, Waiting};
use crate::dispatch::routes::Routes;
use crate::dispatch::run::RunOne;
use crate::error::SendError;
use crate::message::{Message, Request};
use crate::receipt::Receipt;
use crate::trace::SentBy;
use crate::world::World;

/// The message of a send that takes the long way, and whether it may be kept.
pub(super) enum Source<'a, M> {
    /// It is the send's own, and is taken when somebody receives it later.
    Given(&'a mut Option<M>),
    /// It goes back to who lent it; for later it has to be copied.
    Lent(&'a mut M),
}

impl<M: Message> Source<'_, M> {
    pub(super) fn get(&mut self) -> &mut M {
        match self {
            Self::Given(message) => message
                .as_mut()
                .expect("a message is there until its send keeps it"),
            Self::Lent(message) => message,
        }
    }

    /// The message itself, or a copy, to be kept.
    pub(super) fn keep(self) -> Option<M> {
        match self {
            Self::Given(message) => message.take(),
            Self::Lent(message) => {
                let clone = M::cell().get()?.offers.clone?;
                Some(clone(message))
            }
        }
    }
}

impl World {
    /// Delivers a message to everybody at the recipient; a busy receiver gets it when it is free.
    pub(crate) fn send_in_full<M: Message>(
        &self,
        sent: &Sent<'_>,
        message: M,
    ) -> Result<Receipt, SendError> {
        let routes = self.begin::<M>(sent, SentBy::Plain)?;
        let call = Call::new(sent, Replies::Ignore, OnBusy::Keep);
        self.carry_out(routes, call, Source::Given(&mut Some(message)))
    }

    /// As [`send_in_full`](Self::send_in_full), which knows of headers. After an error the message
    /// is still there.
    pub(crate) fn send_posted<M: Message>(
        &self,
        sent: &Sent<'_>,
        message: &mut Option<M>,
    ) -> Result<Receipt, SendError> {
        let routes = self.begin::<M>(sent, SentBy::Post)?;
        let call = Call::new(sent, Replies::Ignore, OnBusy::Keep);
        self.carry_out(routes, call, Source::Given(message))
    }

    /// As [`send_posted`](Self::send_posted), with a message that will be needed again.
    pub(crate) fn send_lent<M: Message>(
        &self,
        sent: &Sent<'_>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        let routes = self.begin::<M>(sent, SentBy::Post)?;
        let call = Call::new(sent, Replies::Ignore, OnBusy::Keep);
        self.carry_out(routes, call, Source::Lent(message))
    }

    /// Delivers an in–out message to everybody at the recipient.
    pub(super) fn send_mut_in_full<M: Message>(
        &self,
        sent: &Sent<'_>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        let routes = self.begin::<M>(sent, SentBy::SendMut)?;
        let call = Call::new(sent, Replies::Ignore, OnBusy::Refuse);
        self.carry_out(routes, call, Source::Lent(message))
    }

    /// Asks everybody at the recipient in turn until somebody answers.
    pub(super) fn request_in_full<M: Request>(
        &self,
        sent: &Sent<'_>,
        message: M,
    ) -> Result<M::Reply, SendError> {
        let routes = self.begin::<M>(sent, SentBy::Request)?;
        let mut first = None;
        let call = Call::new(sent, Replies::First(&mut first), OnBusy::Refuse);
        self.carry_out(routes, call, Source::Given(&mut Some(message)))?;
        first.ok_or_else(|| sent.unanswered())
    }

    /// Asks everybody at the recipient and collects the answers.
    pub(crate) fn request_all<M: Request>(
        &self,
        sent: &Sent<'_>,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        let routes = self.begin::<M>(sent, SentBy::RequestAll)?;
        let mut all = Vec::new();
        let call = Call::new(sent, Replies::All(&mut all), OnBusy::Refuse);
        self.carry_out(routes, call, Source::Given(&mut Some(message)))?;
        Ok(all)
    }

    /// The long way of every send: interceptors, the addressed, subscribers; then the message is
    /// kept for those who receive it later. What cannot wait is delivered to nobody at all if one
    /// of several receivers is busy, since otherwise the message would have been half sent.
    #[inline(never)]
    pub(super) fn carry_out<M: Message>(
        &self,
        routes: &Routes<M>,
        mut call: Call<'_, M::Reply>,
        mut source: Source<'_, M>,
    ) -> Result<Receipt, SendError> {
        if self.trace.is_on() && call.sent.number.is_none() {
            return self.carry_out_traced(routes, call, source);
        }
        let begun = self.kept.count();
        let refuses = call.on_busy == OnBusy::Refuse;
        if refuses && call.sent.parent.is_some() {
            self.refuse_if_busy(routes, call.sent)?;
        }
        let intercepted = if self.subscriptions.hears(routes.index) {
            self.deliver_heard(routes, &mut call, source.get())?
        } else {
            self.deliver(routes, &mut call, source.get(), None)?;
            false
        };
        let retains = call.sent.posted.is_some_and(|posted| posted.mark.retain) && !intercepted;
        if call.waiting.is_none() && !retains {
            return Ok(call.receipt());
        }
        match call.waiting.as_deref() {
            Some(waiting) if refuses && !waiting.is_for_later() => {
                Err(self.refusal(call.sent, waiting))
            }
            _ => self.keep(begun, call, source, retains),
        }
    }

    /// As [`deliver`](Self::deliver), where somebody listens to the message. Whether an
    /// interceptor has consumed it.
    #[inline(never)]
    fn deliver_heard<M: Message>(
        &self,
        routes: &Routes<M>,
        call: &mut Call<'_, M::Reply>,
        message: &mut M,
    ) -> Result<bool, SendError> {
        let audience = self.audience(call.sent)?;
        if let Audience::Unborn(id) = audience {
            call.waiting().unborn = Some(id);
            return Ok(false);
        }
        if self.intercept(routes.index, call, message).is_break() {
            return Ok(call.tally.consumed);
        }
        self.deliver(routes, call, message, Some(&audience))?;
        if !call.tally.consumed {
            self.tell_listeners(routes.index, call, message);
        }
        Ok(false)
    }

    /// What every send begins with: the bound on nesting, what a panic has freed receivers for,
    /// and the routes of the message. `by` is the call that sends it, for the trace.
    #[inline]
    pub(super) fn begin<M: Message>(
        &self,
        sent: &Sent<'_>,
        by: SentBy,
    ) -> Result<&'static Routes<M>, SendError> {
        if sent.depth <= self.config.max_depth
            && !self.kept.any()
            && let Some(routes) = M::cell().get()
        {
            return Ok(routes);
        }
        self.begin_slowly(sent, by)
    }

    #[cold]
    #[inline(never)]
    fn begin_slowly<M: Message>(
        &self,
        sent: &Sent<'_>,
        by: SentBy,
    ) -> Result<&'static Routes<M>, SendError> {
        let error = if sent.depth > self.config.max_depth {
            self.too_deep(sent)
        } else {
            self.deliver_overdue(sent.parent);
            match routes::<M>() {
                Ok(routes) => return Ok(routes),
                Err(error) => error,
            }
        };
        if self.trace.is_on() {
            self.trace_refused(sent, by, &error);
        }
        Err(error)
    }

    /// The component and the function of the most common send of all: to one messagee, with a
    /// message that one component type handles and nobody listens to, and one component of it at
    /// the most. `None` when it is another kind of send, or nobody is there.
    #[inline]
    pub(super) fn sole_receiver<M: Message>(
        &self,
        routes: &Routes<M>,
        sent: &Sent<'_>,
    ) -> Option<(RunOne<M>, Spot)> {
        let Recipient::Id(id) = *sent.to else {
            return None;
        };
        if self.subscriptions.hears(routes.index) {
            return None;
        }
        let sole = routes.sole()?;
        let component = sole.component;
        let record = self.messagees.get(id)?;
        if record.repeats {
            return None;
        }
        let mut hooks = record.hooks.iter();
        let hook = hooks.find(|hook| hook.component == component)?;
        let slot = hook.slot;
        Some((sole.one, Spot { component, slot }))
    }

    #[cold]
    fn refusal(&self, sent: &Sent<'_>, waiting: &Waiting) -> SendError {
        let intercepting = waiting.intercepting.map(|(spot, _)| spot);
        let busy = intercepting.or(waiting.busy.first().copied());
        match (waiting.unborn, busy) {
            (None, Some(busy)) => self.busy(sent, busy),
            (unborn, _) => SendError::NotYetSpawned {
                id: unborn.expect("who cannot receive is busy or not yet alive"),
                message: sent.message(),
            },
        }
    }

    /// That no receiver is busy, asked before any of them is called.
    fn refuse_if_busy<M: Message>(
        &self,
        routes: &Routes<M>,
        sent: &Sent<'_>,
    ) -> Result<(), SendError> {
        let mut busy = None;
        let mut probe = Call::new(sent, Replies::Ignore, OnBusy::Refuse);
        self.targets(routes, &mut probe, &mut |route, pool, slot, _| {
            let found = pool.find_busy(slot, route.shared, sent.except());
            busy = found.map(|slot| Spot {
                component: route.component,
                slot,
            });
            match found {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        })?;
        if busy.is_none() && self.subscriptions.hears(routes.index) {
            busy = self.find_busy_listener::<M>(routes.index, sent);
        }
        match busy {
            Some(busy) => Err(self.busy(sent, busy)),
            None => Ok(()),
        }
    }

    #[cold]
    fn busy(&self, sent: &Sent<'_>, spot: Spot) -> SendError {
        if let Some(at) = spot.as_subscription() {
            let listed = self.subscriptions.listed(at);
            return SendError::SubscriberBusy {
                to: *sent.to,
                message: sent.message(),
                subscription: listed.expect("who is running is listed").id(),
                chain: sent.chain(),
            };
        }
        let pool = self.pool(spot.component);
        SendError::Busy {
            to: *sent.to,
            message: sent.message(),
            id: pool.meta(spot.slot as usize).owner,
            component: pool.component_name(),
            chain: sent.chain(),
        }
    }

    /// Runs every handler that a send reaches, in the order of the contract. `audience` is who is
    /// meant, if that is known already.
    fn deliver<M: Message>(
        &self,
        routes: &Routes<M>,
        call: &mut Call<'_, M::Reply>,
        message: &mut M,
        audience: Option<&Audience>,
    ) -> Result<(), SendError> {
        let visit: &mut Visit<'_, M> = &mut |route, pool, slot, call| match slot {
            Some(slot) => {
                let mut reply = None;
                let verdict = self.run_route(route, (pool, slot), message, call.sent, &mut reply);
                call.take(verdict, reply, pool, slot as usize)
            }
            None => (route.all)(pool, message, call),
        };
        match audience {
            Some(audience) => {
                self.targets_in(audience, routes, call, visit);
                Ok(())
            }
            None => self.targets(routes, call, visit),
        }
    }

    #[cold]
    fn too_deep(&self, sent: &Sent<'_>) -> SendError {
        SendError::TooDeep {
            to: *sent.to,
            message: sent.message(),
            limit: self.config.max_depth,
            chain: self.chain_at_limit(sent),
        }
    }
}

#[inline]
pub(crate) fn routes<M: Message>() -> Result<&'static Routes<M>, SendError> {
    match M::cell().get() {
        Some(routes) => Ok(routes),
        None => Err(SendError::Unregistered { message: M::NAME }),
    }
}
