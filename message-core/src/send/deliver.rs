//! A send as a whole, from its recipient to its receipt: interceptors, the components of the audience,
//! subscribers. Then the message is kept for those that receive it later.
//!
//! Compiled once, over an [erased](super::erased) message. Sends, requests, posts that are due and kept
//! messages all go through it, except those for one component that are over before (see [`entry`](super::entry) and
//! [`walk`](crate::post)).

use std::ops::ControlFlow;

use crate::address::Recipient;
use crate::error::{Limit, SendError, SendErrorKind};
use crate::handler::RouteTable;
use crate::message::AnyMessage;
use crate::message::OwnedMessage;
use crate::receipt::Receipt;
use crate::send::{
    Audience, Delivered, Delivery, Extras, Met, OnBusy, Redelivery, Replies, Resumed, Sent, Stop,
};
use crate::storage::Record;
use crate::subscription::Part;

impl Sent<'_> {
    /// Delivers a message to everybody at the recipient. Busy receivers get it when they are free. After an
    /// error, the message is still there.
    pub(crate) fn send(&self, message: &mut dyn OwnedMessage) -> Result<Receipt, SendError> {
        self.deliver(&mut Replies::Ignore, OnBusy::Keep, message)
            .result()
    }

    /// Delivers a message to everybody at the recipient, with answers or without. First checks the depth, delivers what a
    /// panic has left behind, and numbers the message if it is traced.
    #[inline(never)]
    pub(crate) fn deliver(
        &self,
        replies: &mut Replies<'_>,
        on_busy: OnBusy,
        message: &mut dyn OwnedMessage,
    ) -> Delivered {
        let (world, is_asked) = (self.world, !matches!(replies, Replies::Ignore));
        let mut delivery = Delivery::new(self, replies.reborrow(), on_busy);
        if self.depth > world.common.config.max_depth {
            let limit = Limit::Depth(world.common.config.max_depth);
            return Delivered::Refused(delivery.refused(self.at_limit(limit)));
        }
        if world.waiting.kept.any() {
            // These messages were sent earlier. A panic has freed their receivers.
            for spot in world.waiting.kept.spots() {
                Redelivery::of(self).deliver_kept(spot);
            }
            delivery.kept_before = world.waiting.kept.count();
        }
        let Some(table) = self.facts.table() else {
            return Delivered::Refused(delivery.refused(self.error(SendErrorKind::Unregistered)));
        };
        if delivery.deliver_here(table, message) {
            return delivery.finish(message, false);
        }
        let result = if world.trace.is_on() && self.extras.number.is_none() {
            delivery.deliver_traced(table, message)
        } else {
            delivery.deliver(table, message)
        };
        if world.common.config.require > 0 && self.extras.posted.is_none() && !is_asked {
            return self.or_shortage(result);
        }
        result
    }

    /// Returns the result of a message without a header, or an error if fewer have received it than the manager requires.
    #[cold]
    fn or_shortage(&self, result: Delivered) -> Delivered {
        let result = result.result();
        let shortage = self.shortage(&result);
        shortage.map_or_else(|| Delivered::of(result), Delivered::Refused)
    }
}

impl Delivery<'_> {
    /// Delivers the message to a messagee whose stops are known, if all who hear it are in one list, and nothing has to
    /// be checked before: W1-two, W1-watched, W5-heard. Otherwise returns `false`, and nobody was called.
    #[inline(always)] // Part of its only caller: W1-two.
    fn deliver_here(&mut self, table: &RouteTable, message: &mut dyn OwnedMessage) -> bool {
        let (sent, subscriptions) = (self.sent, &self.sent.world.listen.subscriptions);
        let Recipient::Id(id) = sent.to else {
            return false;
        };
        let list = if subscriptions.is_unheard(table.index) {
            None
        } else if subscriptions.is_clear()
            && let Some(list) = subscriptions.only_list(table.index)
        {
            Some(list)
        } else {
            return false;
        };
        // Asked in a handler, all receivers have to be free before the first is asked.
        let is_checked = self.on_busy == OnBusy::Refuse && sent.parent.is_some();
        // A send that goes on later may be for others than its recipient says, and may begin behind an interceptor.
        if is_checked || sent.is_retained() || sent.extras.resumed.is_some() {
            return false;
        }
        let Some(record) = sent.world.structure.messagees.here(id) else {
            return false;
        };
        let Some(stops) = subscriptions.plans.known(table.index, record.layout()) else {
            return false;
        };
        let message = message.get();
        let _ = self.deliver_to_stops(table, record, stops, message);
        if let Some(list) = list
            && !self.tally.consumed
        {
            let _ = list.tell(0..usize::MAX, self, message);
            if self.tally.received == 0 && self.is_over() {
                self.note_unhandled(table);
            }
        }
        true
    }

    /// Delivers a message that already has its number if it is traced. One that cannot wait is delivered to nobody if
    /// any receiver is busy. Otherwise it would be half sent.
    #[inline(always)] // Apart only for traced sends: W1-two, W8-two.
    pub(super) fn deliver(
        &mut self,
        table: &RouteTable,
        message: &mut dyn OwnedMessage,
    ) -> Delivered {
        let (sent, world) = (self.sent, self.sent.world);
        if self.on_busy == OnBusy::Refuse
            && (sent.parent.is_some() || world.outside.proxies.any())
            && let Err(error) = sent.check_free(table)
        {
            return Delivered::Refused(error);
        }
        let is_heard = world.listen.subscriptions.may_hear(table, sent);
        if let Some(audience) = sent.audience() {
            return self.deliver_and_keep(audience, table, message, is_heard);
        }
        let audience = match sent.find_audience() {
            Ok(audience) => audience,
            Err(error) => return Delivered::Refused(error),
        };
        // Subscriptions that check its recipient see it as it was.
        let looks_back =
            || sent.to.is_by_mnemonic() || world.listen.subscriptions.look_back(table.index);
        if sent.is_retained() || is_heard && looks_back() {
            return self.deliver_as_sent(&audience, table, message, is_heard);
        }
        self.deliver_and_keep(&audience, table, message, is_heard)
    }

    /// Ends a send when all that could receive the message now have received it. Returns its receipt.
    #[inline(always)] // A few moves: W1-two, W8-two.
    pub(super) fn finish(&mut self, message: &mut dyn OwnedMessage, retains: bool) -> Delivered {
        if self.is_over() && !retains {
            return Delivered::with(self.tally.receipt());
        }
        Delivered::of(self.keep(message, retains))
    }

    /// Delivers the message to its audience and the listeners, and keeps it for those that receive it later.
    fn deliver_and_keep(
        &mut self,
        audience: &Audience<'_>,
        table: &RouteTable,
        message: &mut dyn OwnedMessage,
        is_heard: bool,
    ) -> Delivered {
        let mut retains = self.sent.is_retained();
        if let Audience::Unborn(unborn) = *audience {
            self.waiting().unborn = Some(unborn);
        } else if is_heard {
            let intercepted = self.deliver_heard(audience, table, message.get());
            retains &= !intercepted;
        } else {
            let _ = self.deliver_to_audience(audience, table, message.get());
        }
        self.finish(message, retains)
    }

    /// Like [`deliver_and_keep`](Self::deliver_and_keep), but records the audience. Subscribers then see the messagees that the
    /// message was sent to, even if a receiver rebinds a mnemonic, leaves a group or moves to another
    /// family.
    #[cold]
    fn deliver_as_sent(
        &mut self,
        audience: &Audience<'_>,
        table: &RouteTable,
        message: &mut dyn OwnedMessage,
        is_heard: bool,
    ) -> Delivered {
        let mnemonics = self.sent.mnemonics();
        let resumed = Resumed {
            mnemonics: &mnemonics,
            audience: Some(audience),
            ..self.sent.resumed()
        };
        let extras = Extras {
            resumed: Some(&resumed),
            ..*self.sent.extras
        };
        let sent = self.sent.with(&extras);
        self.with_sent(&sent)
            .deliver_and_keep(audience, table, message, is_heard)
    }

    /// Delivers a message that somebody listens to. Returns `true` if an interceptor has consumed it.
    #[inline(never)]
    fn deliver_heard(
        &mut self,
        audience: &Audience<'_>,
        table: &RouteTable,
        message: &mut dyn AnyMessage,
    ) -> bool {
        let world = self.sent.world;
        let subscriptions = &world.listen.subscriptions;
        let found = subscriptions.found(Some(table.index), self.sent);
        if self.tell(Part::Before, &found, message).is_break() {
            return self.tally.consumed;
        }
        let _ = self.deliver_to_audience(audience, table, message);
        // Before a subscriber can send to the same proxy.
        self.carry_met(message);
        self.tell_after(table, &found, message);
        false
    }

    /// Delivers the message to the components at the stops of a messagee. Breaks if the message must not go any further.
    // The loop over the receivers of a group, a family or a send to several components: W1-two, W1-group.
    #[inline(always)]
    pub(super) fn deliver_to_stops(
        &mut self,
        table: &RouteTable,
        record: &Record,
        stops: &[Stop],
        message: &mut dyn AnyMessage,
    ) -> ControlFlow<()> {
        if stops.is_empty() {
            self.meet_no_handler(table);
        }
        for stop in stops {
            let callee = stop.callee(table, record, &self.sent.world.structure);
            self.step(&callee, message)?;
        }
        ControlFlow::Continue(())
    }

    /// Delivers the message to its audience. Notes those that cannot receive it now.
    fn deliver_to_audience(
        &mut self,
        audience: &Audience<'_>,
        table: &RouteTable,
        message: &mut dyn AnyMessage,
    ) -> ControlFlow<()> {
        let world = self.sent.world;
        audience.visit(&world.structure, table, |met| {
            match met {
                Met::Messagee(record) => {
                    let stops = self.sent.stops(table, record);
                    return self.deliver_to_stops(table, record, &stops, message);
                }
                Met::Component(callee) => return self.step(&callee, message),
                Met::Pool { route, pool } => return self.deliver_to_pool(route, pool, message),
                Met::Proxy(id) => self.waiting().proxies.push(id),
                Met::Newborn(id) => self.waiting().newborns.push(id),
            }
            ControlFlow::Continue(())
        })
    }
}
