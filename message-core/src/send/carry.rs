//! Writes messages for proxies into their outboxes.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{SendError, SendErrorKind, Undelivered};
use crate::header::Header;
use crate::message::AnyMessage;
use crate::post::Ticket;
use crate::receipt::Receipt;
use crate::send::call::{Delivery, Sent};
use crate::send::proxies::{Carrying, Proxies};
use crate::storage::{Messagees, Record};
use crate::structure::Presence;
use crate::time::Stage;
use crate::world::World;

impl Proxies {
    /// Returns the proxy that a post with this header is addressed to by its id.
    pub(crate) fn posted_to(&self, header: &Header, messagees: &Messagees) -> Option<MessageeId> {
        match header.recipient() {
            Recipient::Id(id) if self.any() && messagees.is_proxy(id) => Some(id),
            _ => None,
        }
    }

    /// Writes a message into the outbox of a proxy.
    fn carry(
        &self,
        messagees: &Messagees,
        carrying: Carrying<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(), SendError> {
        let unreachable = SendErrorKind::Unreachable {
            id: carrying.proxy,
            message: message.name(),
        };
        let record = messagees.get(carrying.proxy);
        let Some(outbox) = record.and_then(Record::outbox) else {
            return Err(unreachable.into());
        };
        let mut outboxes = self.outboxes.borrow_mut();
        let outbox = outboxes.get_mut(&outbox).ok_or(unreachable)?;
        outbox.carry(carrying, message)?;
        if let Some(table) = message.facts().table() {
            self.note_carried(table.index);
        }
        Ok(())
    }
}

/// Returns `true` if messages of a sender are not carried: those of the manager itself, and those of a
/// proxy, which have been carried once.
fn stays_here(messagees: &Messagees, sender: Sender) -> bool {
    match sender {
        Sender::Manager => true,
        Sender::Outside => false,
        Sender::Messagee(id) => messagees.is_proxy(id),
    }
}

impl World {
    /// Writes a post to a proxy into its outbox. The header is for the other side. Returns `None` if the
    /// post is not addressed to a proxy.
    pub(crate) fn carry_post(
        &self,
        header: &Header,
        sender: Sender,
        place: &'static Location<'static>,
        message: &dyn AnyMessage,
    ) -> Option<Result<Ticket, SendError>> {
        let proxy = self
            .outside
            .proxies
            .posted_to(header, &self.structure.messagees)?;
        debug_assert!(header.stage() != Stage::Immediate);
        if self.structure.presence(proxy) == Presence::Leaving {
            let message = message.name();
            return Some(Err(SendErrorKind::Leaving { id: proxy, message }.into()));
        }
        if stays_here(&self.structure.messagees, sender) {
            let message = message.name();
            return Some(Err(SendErrorKind::NotRelayed { id: proxy, message }.into()));
        }
        let carrying = Carrying {
            proxy,
            sender,
            header: Some(header),
            place,
        };
        Some(
            self.outside
                .proxies
                .carry(&self.structure.messagees, carrying, message)
                .map(|()| {
                    Ticket::spent(Receipt {
                        received: 1,
                        ..Receipt::default()
                    })
                }),
        )
    }
}

impl Sent<'_> {
    /// Writes a message into the outboxes of these proxies. Returns the number that were reached and the
    /// number that were not; each of the latter is reported by a dead letter. Returns an error if the
    /// message was self to a single proxy.
    #[cold]
    pub(crate) fn carry_to(
        &self,
        proxies: &[MessageeId],
        message: &dyn AnyMessage,
    ) -> Result<(usize, u32), SendError> {
        let is_alone = matches!(self.resolved_to(), Recipient::Id(_));
        if stays_here(&self.world.structure.messagees, self.sender) {
            if is_alone && self.sender != Sender::Manager {
                return Err(SendErrorKind::NotRelayed {
                    id: proxies[0],
                    message: self.message(),
                }
                .into());
            }
            return Ok((0, 0));
        }
        let header = self.extras.posted.and_then(|posted| {
            let mark = &posted.mark;
            let header = Header::to(Recipient::Everyone).tags(mark.tags);
            let header = if mark.retain { header.retain() } else { header };
            let header = match mark.require {
                0 => header,
                required => header.require(required),
            };
            let says = mark.retain || mark.require > 0 || !mark.tags.is_empty();
            says.then(|| header.build().ok()).flatten()
        });
        let (mut received, mut unreached) = (0, 0);
        for &proxy in proxies {
            let header = header.map(|header| header.with_recipient(proxy));
            let carrying = Carrying {
                proxy,
                sender: self.sender,
                header: header.as_ref(),
                place: self.place,
            };
            match self.world.outside.proxies.carry(
                &self.world.structure.messagees,
                carrying,
                message,
            ) {
                Ok(()) => {
                    received += 1;
                    if self.world.trace.is_on() {
                        self.world.trace.carried(self.subject(), proxy);
                    }
                }
                Err(error) if is_alone => return Err(error),
                Err(error) => {
                    unreached += 1;
                    let to = Recipient::Id(proxy);
                    let sent = Sent { to: &to, ..*self };
                    let why = Undelivered::Refused { error };
                    sent.bury(why, 0, message.try_clone());
                }
            }
        }
        Ok((received, unreached))
    }
}

impl Delivery<'_> {
    /// Writes the message of a send for the proxies that its deliveries have met.
    #[inline]
    pub(crate) fn carry_met(&mut self, message: &dyn AnyMessage) {
        let sent = self.sent;
        let Some(waiting) = &mut self.waiting else {
            return;
        };
        let proxies = std::mem::take(&mut waiting.proxies);
        if proxies.is_empty() {
            return;
        }
        match sent.carry_to(&proxies, message) {
            Ok((received, unreached)) => {
                self.tally.received += received;
                waiting.unreached += unreached;
            }
            Err(error) => waiting.not_carried = Some(error),
        }
    }
}
