//! Passes messages for proxies to the carrier.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::carrier::Carrying;
use crate::error::{CarryError, SendError, SendErrorKind, Undelivered};
use crate::header::Header;
use crate::message::{AnyMessage, Facts, MessageIndex, OwnedMessage};
use crate::post::{Fate, Posting, Ticket, check_recipient};
use crate::receipt::Receipt;
use crate::send::{Delivered, Delivery, OnBusy, Origin, Replies, Sent};
use crate::time::Stage;
use crate::trace::{TraceId, Traced};

impl Posting<'_> {
    /// Passes a post to a proxy to the carrier. The header is for the other side. Returns `None` if the post is not
    /// addressed to a proxy by its id.
    pub(crate) fn carry(&self, message: &dyn AnyMessage) -> Option<Result<Ticket, SendError>> {
        let Self { sent, header, .. } = *self;
        let structure = &sent.world.structure;
        let Recipient::Id(proxy) = header.to else {
            return None;
        };
        if !structure.messagees.is_proxy(proxy) {
            return None;
        }
        debug_assert!(header.stage() != Stage::Immediate);
        // The messagee that began a chain of wires here may not exist there.
        let activator = None;
        let header = &Header {
            activator,
            ..*header
        };
        let there = check_recipient(structure, header.to, sent.sender, message.name());
        let carried = there.and_then(|()| sent.carry(proxy, Some(header), self.number, message));
        if self.number.is_some() && carried.is_ok() {
            let carried = Traced::Carried { proxy };
            sent.world.trace.tell(self.subject(), carried);
        }
        let receipt = Receipt::counted(1, 0, false);
        Some(carried.map(|()| Ticket(Fate::Delivered(receipt))))
    }
}

impl Delivery<'_> {
    /// Passes the message to the carrier for each proxy that the deliveries have met. A proxy that is not reached is
    /// reported by a dead letter, or by an error if the message was sent to it alone.
    pub(crate) fn carry_met(&mut self, message: &dyn AnyMessage) {
        let waiting = self.waiting.as_mut();
        let proxies = waiting.map(|waiting| std::mem::take(&mut waiting.proxies));
        let proxies = proxies.unwrap_or_default();
        if proxies.is_empty() {
            return;
        }
        let sent = self.sent;
        let is_alone = matches!(sent.resolved_to(), Recipient::Id(_));
        if sent.sender == Sender::Manager || (!is_alone && sent.is_by_proxy()) {
            return;
        }
        let header = sent.carried_header();
        for proxy in proxies {
            let header = header.map(|header| header.with_recipient(proxy));
            match sent.carry(proxy, header.as_ref(), sent.extras.number, message) {
                Ok(()) => {
                    self.tally.received += 1;
                    sent.trace(|| Traced::Carried { proxy });
                }
                Err(error) if is_alone => self.waiting().not_carried = Some(error),
                Err(error) => {
                    self.waiting().unreached += 1;
                    let to = Recipient::Id(proxy);
                    let sent = Sent { to, ..*sent };
                    let why = Undelivered::Refused { error };
                    sent.bury(why, 0, message.try_clone());
                }
            }
        }
    }
}

/// Passes a message to the carrier if its only receiver is a proxy, nobody hears it, and nothing is unusual. Otherwise, or if
/// the carrier refuses the message, [delivers](Sent::deliver) it in full, which takes four times the instructions:
/// `net_cost`, W10.
#[inline(never)] // Apart, so that little is saved where there are no proxies: W1-two, W3-two.
pub(crate) fn carry_or_deliver<'a>(
    from: impl Origin<'a>,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn OwnedMessage,
    replies: &mut Replies<'_>,
    on_busy: OnBusy,
) -> Delivered {
    if on_busy == OnBusy::Keep && carry_alone(from, facts, to, place, message) {
        return Delivered::ONE;
    }
    let sent = from.sent_of(facts, to, place);
    sent.deliver(replies, on_busy, message)
}

/// Returns `false`, with nothing done, if the message has to be delivered in full.
#[inline]
fn carry_alone<'a>(
    from: impl Origin<'a>,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn OwnedMessage,
) -> bool {
    let (world, sender) = (from.world(), from.sender());
    let messagees = &world.structure.messagees;
    let Recipient::Id(proxy) = to else {
        return false;
    };
    let Some(record) = messagees.proxy(proxy) else {
        return false;
    };
    let of = facts.place();
    let is_plain = of != MessageIndex::UNKNOWN
        && world.listen.subscriptions.is_unheard(of)
        && from.needs_no_checks()
        && messagees.all_stay()
        && sender != Sender::Manager
        && !messagees.is_by_proxy(sender);
    if !is_plain {
        return false;
    }
    let carrying = Carrying {
        proxy,
        sender,
        header: None,
        place,
        send: None,
        context: None,
    };
    let proxies = &world.outside.proxies;
    match proxies.carry(Some(record), carrying, message.get()) {
        Ok(()) => true,
        // Dropped here alone: with `is_ok`, the usual way would ask whether there is one to drop.
        Err(error) => {
            drop(error);
            false
        }
    }
}

impl Sent<'_> {
    /// Returns `true` if the sender is a proxy. Its messages have been carried once and are not carried again.
    fn is_by_proxy(&self) -> bool {
        self.world.structure.messagees.is_by_proxy(self.sender)
    }

    /// Passes the message to the carrier.
    fn carry(
        &self,
        proxy: MessageeId,
        header: Option<&Header>,
        send: Option<TraceId>,
        message: &dyn AnyMessage,
    ) -> Result<(), SendError> {
        let world = self.world;
        let carrying = Carrying {
            proxy,
            sender: self.sender,
            header,
            place: self.place,
            send,
            context: send.and_then(|send| world.trace.context(send)),
        };
        let carried = if self.is_by_proxy() {
            Err(CarryError::NotRelayed)
        } else {
            let record = world.structure.messagees.proxy(proxy);
            world.outside.proxies.carry(record, carrying, message)
        };
        carried
            .map_err(|why| SendError::new(message.name(), proxy, SendErrorKind::NotCarried { why }))
    }

    /// Returns the header that the other side receives, unless it would be empty.
    fn carried_header(&self) -> Option<Header> {
        let mark = &self.extras.posted?.mark;
        if !mark.retain && mark.require == 0 && mark.tags.is_empty() {
            return None;
        }
        let mut header = Header::to(Recipient::Everyone).tags(mark.tags);
        if mark.retain {
            header = header.retain();
        }
        if mark.require > 0 {
            header = header.require(mark.require);
        }
        header.build().ok()
    }
}
