//! What is sent to a proxy goes into its outbox.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{SendError, SendErrorKind, Undelivered};
use crate::message::AnyMessage;
use crate::post::{Header, Ticket};
use crate::proxy::{Proxies, Row};
use crate::receipt::Receipt;
use crate::send::call::{Call, Sent};
use crate::storage::{Messagees, Record};
use crate::time::Stage;
use crate::world::{Presence, World};

/// What is to be carried, besides the message.
#[derive(Clone, Copy)]
struct Carrying<'a> {
    proxy: MessageeId,
    sender: Sender,
    header: Option<&'a Header>,
    place: &'static Location<'static>,
}

impl Proxies {
    /// The proxy that a post with this header goes to, if it goes to one by its id.
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
        Carrying {
            proxy,
            sender,
            header,
            place,
        }: Carrying<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(), SendError> {
        let name = message.name();
        let unreachable = SendErrorKind::Unreachable {
            id: proxy,
            message: name,
        }
        .into();
        let record = messagees.get(proxy);
        let Some(outbox) = record.and_then(Record::outbox) else {
            return Err(unreachable);
        };
        let mut outboxes = self.outboxes.borrow_mut();
        let Some(outbox) = outboxes.get_mut(&outbox).filter(|it| !it.is_blocked) else {
            return Err(unreachable);
        };
        // Places in an outbox have 32 bits.
        let capacity = outbox.capacity.min(u32::MAX as usize);
        let written = outbox.begin(message);
        let (of, by_position) = written.map_err(|error| SendErrorKind::NotWritten {
            id: proxy,
            message: name,
            error: error.to_string().into(),
        })?;
        if outbox.letters.used_with_begun() > capacity {
            return Err(SendErrorKind::Backlog {
                id: proxy,
                message: name,
                capacity,
            }
            .into());
        }
        outbox.letters.end(|bytes, ids| Row {
            proxy,
            sender,
            header: header.map(|header| Box::new(*header)),
            of,
            by_position,
            bytes,
            ids,
            place,
        });
        if let Some(table) = message.facts().table() {
            self.note_carried(table.index);
        }
        Ok(())
    }
}

/// Returns `true` if nothing of that sender is carried: the manager itself, or one who stands for
/// somebody elsewhere, whose messages have been carried once.
fn stays_here(messagees: &Messagees, sender: Sender) -> bool {
    match sender {
        Sender::Manager => true,
        Sender::Outside => false,
        Sender::Messagee(id) => messagees.is_proxy(id),
    }
}

impl World {
    /// Writes a message for these proxies, which a send has reached. Returns how many have it and how many
    /// were not reached; of each of these a dead letter tells. An error if it was sent to one proxy alone.
    #[cold]
    pub(crate) fn carry_to(
        &self,
        proxies: &[MessageeId],
        sent: &Sent<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(usize, u32), SendError> {
        let is_alone = matches!(sent.resolved_to(), Recipient::Id(_));
        if stays_here(&self.messagees, sent.sender) {
            if is_alone && sent.sender != Sender::Manager {
                return Err(SendErrorKind::NotRelayed {
                    id: proxies[0],
                    message: sent.message(),
                }
                .into());
            }
            return Ok((0, 0));
        }
        let header = sent.extras.posted.and_then(|posted| {
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
                sender: sent.sender,
                header: header.as_ref(),
                place: sent.place,
            };
            match self.proxies.carry(&self.messagees, carrying, message) {
                Ok(()) => {
                    received += 1;
                    if self.trace.is_on() {
                        self.trace.carried(sent.subject(), proxy);
                    }
                }
                Err(error) if is_alone => return Err(error),
                Err(error) => {
                    unreached += 1;
                    let to = Recipient::Id(proxy);
                    let sent = Sent { to: &to, ..*sent };
                    let why = Undelivered::Refused { error };
                    self.bury(&sent, why, 0, message.try_clone());
                }
            }
        }
        Ok((received, unreached))
    }

    /// Writes the message of a send for the proxies that it has come to.
    #[inline]
    pub(crate) fn carry_met(&self, call: &mut Call<'_>, message: &dyn AnyMessage) {
        let sent = call.sent;
        let Some(waiting) = &mut call.waiting else {
            return;
        };
        let proxies = std::mem::take(&mut waiting.proxies);
        if proxies.is_empty() {
            return;
        }
        match self.carry_to(&proxies, sent, message) {
            Ok((received, unreached)) => {
                call.tally.received += received;
                waiting.unreached += unreached;
            }
            Err(error) => waiting.not_carried = Some(error),
        }
    }

    /// Writes a message for a proxy to which alone it is sent, without a header and while nobody hears or
    /// traces it.
    pub(crate) fn carry_alone(
        &self,
        proxy: MessageeId,
        sent: &Sent<'_>,
        message: &dyn AnyMessage,
    ) -> Result<Receipt, SendError> {
        if stays_here(&self.messagees, sent.sender) {
            return self
                .carry_to(&[proxy], sent, message)
                .map(|_| Receipt::default());
        }
        let carrying = Carrying {
            proxy,
            sender: sent.sender,
            header: None,
            place: sent.place,
        };
        self.proxies
            .carry(&self.messagees, carrying, message)
            .map(|()| Receipt {
                received: 1,
                ..Receipt::default()
            })
    }

    /// A message is posted to a proxy: what its header says is for the other side. `None` if it is not
    /// posted to one.
    pub(crate) fn carry_post(
        &self,
        header: &Header,
        sender: Sender,
        place: &'static Location<'static>,
        message: &dyn AnyMessage,
    ) -> Option<Result<Ticket, SendError>> {
        let proxy = self.proxies.posted_to(header, &self.messagees)?;
        debug_assert!(header.stage() != Stage::Immediate);
        if self.presence(proxy) == Presence::Leaving {
            let message = message.name();
            return Some(Err(SendErrorKind::Leaving { id: proxy, message }.into()));
        }
        if stays_here(&self.messagees, sender) {
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
            self.proxies
                .carry(&self.messagees, carrying, message)
                .map(|()| {
                    Ticket::spent(Receipt {
                        received: 1,
                        ..Receipt::default()
                    })
                }),
        )
    }
}
