//! Passes messages for proxies to the carrier.

use crate::address::{MessageeId, Recipient, Sender};
use crate::carrier::Carrying;
use crate::error::{CarryError, SendError, SendErrorKind, Undelivered};
use crate::header::Header;
use crate::message::AnyMessage;
use crate::post::{Fate, Posting, Ticket, check_recipient};
use crate::receipt::Receipt;
use crate::send::{Delivery, Sent};
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

impl Sent<'_> {
    /// Passes the message to the carrier if its only receiver is a proxy, nobody hears it, and nothing is unusual.
    /// Returns `false`, with nothing done, if that is not so, or if the carrier refuses the message. A specialisation
    /// under [`deliver`](Self::deliver), which takes four times the instructions: `net_cost`, W10.
    #[inline(never)]
    pub(super) fn carry_alone(&self, message: &dyn AnyMessage) -> bool {
        let (world, extras) = (self.world, self.extras);
        let messagees = &world.structure.messagees;
        let (Recipient::Id(proxy), Some(table)) = (self.to, self.facts.table()) else {
            return false;
        };
        let record = messagees.proxy(proxy);
        let is_plain = record.is_some()
            && messagees.all_stay()
            && self.sender != Sender::Manager
            && !self.is_by_proxy()
            && extras.posted.is_none()
            && extras.resumed.is_none()
            && extras.number.is_none()
            && self.depth <= world.common.config.max_depth
            && !world.waiting.kept.any()
            && world.listen.subscriptions.is_unheard(table.index);
        let carrying = Carrying {
            proxy,
            sender: self.sender,
            header: None,
            place: self.place,
            send: None,
            context: None,
        };
        let proxies = &world.outside.proxies;
        is_plain && proxies.carry(record, carrying, message).is_ok()
    }

    /// Returns `true` if the sender is a proxy. Its messages have been carried once and are not carried again.
    fn is_by_proxy(&self) -> bool {
        let messagees = &self.world.structure.messagees;
        self.sender.id().is_some_and(|id| messagees.is_proxy(id))
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
