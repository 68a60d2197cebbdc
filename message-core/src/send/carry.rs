//! Writes messages for proxies into their outboxes.

use crate::address::{Recipient, Sender};
use crate::error::{SendError, SendErrorKind, Undelivered};
use crate::header::Header;
use crate::message::AnyMessage;
use crate::outbox::Carrying;
use crate::post::{Fate, Posting, Ticket, check_recipient};
use crate::receipt::Receipt;
use crate::send::{Delivery, Sent};
use crate::storage::Messagees;
use crate::time::Stage;
use crate::trace::Traced;

/// Returns `true` if messages of a sender are not carried: those of the manager itself, and those of a
/// proxy, which have been carried once.
fn stays_here(messagees: &Messagees, sender: Sender) -> bool {
    match sender {
        Sender::Manager => true,
        Sender::Outside => false,
        Sender::Messagee(id) => messagees.is_proxy(id),
    }
}

impl Posting<'_> {
    /// Writes a post to a proxy into its outbox. The header is for the other side. Returns `None` if the
    /// post is not addressed to a proxy.
    pub(crate) fn carry(&self, message: &dyn AnyMessage) -> Option<Result<Ticket, SendError>> {
        let structure = &self.sent.world.structure;
        let proxies = &self.sent.world.outside.proxies;
        let proxy = proxies.posted_to(self.header, &structure.messagees)?;
        debug_assert!(self.header.stage() != Stage::Immediate);
        let (id, name) = (proxy, message.name());
        if let Err(error) = check_recipient(structure, self.header.to, self.sent.sender, name) {
            return Some(Err(error));
        }
        if stays_here(&structure.messagees, self.sent.sender) {
            return Some(Err(SendErrorKind::NotRelayed { id, message: name }.into()));
        }
        let carrying = Carrying {
            proxy,
            sender: self.sent.sender,
            header: Some(self.header),
            place: self.sent.place,
        };
        let carried = proxies.carry(&structure.messagees, carrying, message);
        if self.number.is_some() && carried.is_ok() {
            let subject = self.subject();
            self.sent
                .world
                .trace
                .tell(subject, Traced::Carried { proxy });
        }
        let receipt = Receipt {
            received: 1,
            ..Receipt::default()
        };
        Some(carried.map(|()| Ticket(Fate::Delivered(receipt))))
    }
}

impl Delivery<'_> {
    /// Writes the message into the outboxes of the proxies that the deliveries have met. Each that is not reached is
    /// reported by a dead letter, or by an error if the message was sent to it alone.
    pub(crate) fn carry_met(&mut self, message: &dyn AnyMessage) {
        let waiting = self.waiting.as_mut();
        let proxies = waiting.map(|waiting| std::mem::take(&mut waiting.proxies));
        let proxies = proxies.unwrap_or_default();
        if proxies.is_empty() {
            return;
        }
        let (sent, world) = (self.sent, self.sent.world);
        let is_alone = matches!(sent.resolved_to(), Recipient::Id(_));
        if stays_here(&world.structure.messagees, sent.sender) {
            if is_alone && sent.sender != Sender::Manager {
                let (id, message) = (proxies[0], sent.message());
                let error = SendErrorKind::NotRelayed { id, message }.into();
                self.waiting().not_carried = Some(error);
            }
            return;
        }
        let header = sent.carried_header();
        for proxy in proxies {
            let header = header.map(|header| header.with_recipient(proxy));
            let carrying = Carrying {
                proxy,
                sender: sent.sender,
                header: header.as_ref(),
                place: sent.place,
            };
            let outboxes = &world.outside.proxies;
            match outboxes.carry(&world.structure.messagees, carrying, message) {
                Ok(()) => {
                    self.tally.received += 1;
                    sent.tell(|| Traced::Carried { proxy });
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
