//! Posting: a message with a header is delivered at once or added to those that are pending.

use std::num::NonZeroU64;
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{SendError, SendErrorKind};
use crate::header::Header;
use crate::message::{Message, MessageIndex};
use crate::post::schedule::{Entered, Held, PostMeta, Record, Schedule, Series};
use crate::post::ticket::Fate;
use crate::post::{PostEachError, Ticket};
use crate::send::erased::OwnedMessage;
use crate::send::origin::Origin;
use crate::send::{Extras, Posted, Sent};
use crate::structure::{Presence, Structure};
use crate::time::Stage;
use crate::trace::TraceId;
use crate::world::World;

/// A message that is being posted, but for the message itself.
#[derive(Clone, Copy)]
pub(crate) struct Posting<'a> {
    /// To the header's own recipient.
    pub(crate) sent: &'a Sent<'a>,
    pub(crate) header: &'a Header,
    /// The number of the message, if it is traced.
    pub(crate) number: Option<TraceId>,
}

/// Posts a message to another recipient than the header's own, or to just that.
#[inline]
pub(crate) fn post<'a, M: Message>(
    from: impl Origin<'a>,
    to: Recipient,
    header: &Header,
    place: &'static Location<'static>,
    message: M,
) -> Result<Ticket, SendError> {
    let sender = from.sender().id();
    match post_again(from.world(), to, header, sender, place, message) {
        Ok(ticket) => Ok(ticket),
        Err(message) => post_anew(from, to, header, place, &mut Some(message)),
    }
}

/// Posts a message to a messagee without conditions if the same call has posted one at the same moment: most are.
/// Others come back. The header's own recipient is not asked. W5.
#[inline]
pub(crate) fn post_again<M: Message>(
    world: &World,
    to: Recipient,
    header: &Header,
    sender: Option<MessageeId>,
    place: &'static Location<'static>,
    message: M,
) -> Result<Ticket, M> {
    if let Recipient::Id(to) = to
        && world.structure.messagees.is_here(to)
        && !world.trace.is_on()
        && let of = M::FACTS.place()
        && let mut schedule = world.schedule.borrow_mut()
        && let entered = schedule.enter_again(of, (to, sender), header, place, &world.common)
        && let Some(Entered {
            stock,
            block,
            ticket,
        }) = entered
    {
        stock.push(block, message);
        return Ok(ticket);
    }
    Err(message)
}

/// Posts a message that is not like the one before it.
#[inline(never)]
pub(crate) fn post_anew<'a>(
    from: impl Origin<'a>,
    to: Recipient,
    header: &Header,
    place: &'static Location<'static>,
    held: &mut dyn Held,
) -> Result<Ticket, SendError> {
    if to == header.to {
        return post_held(from, header, place, held);
    }
    post_held(from, &header.with_recipient(to), place, held)
}

/// Posts a message to the recipient of its header.
pub(crate) fn post_held<'a>(
    from: impl Origin<'a>,
    header: &Header,
    place: &'static Location<'static>,
    held: &mut dyn Held,
) -> Result<Ticket, SendError> {
    let sent = &from.sent_of(held.facts(), &header.to, place);
    let number = None;
    let posting = Posting {
        sent,
        header,
        number,
    };
    if header.stage == Stage::Immediate {
        posting.deliver_now(held)
    } else if sent.world.trace.is_on() {
        posting.enter_traced(held)
    } else {
        posting.enter(held)
    }
}

/// Posts messages one after the other, until one fails. Returns how many were posted.
pub(crate) fn post_each<'a, M: Message>(
    from: impl Origin<'a>,
    header: &Header,
    place: &'static Location<'static>,
    messages: impl IntoIterator<Item = M>,
) -> Result<usize, PostEachError> {
    let mut posted = 0;
    for message in messages {
        let result = post(from, header.to, header, place, message);
        result.map_err(|error| PostEachError { posted, error })?;
        posted += 1;
    }
    Ok(posted)
}

impl Posting<'_> {
    /// Delivers the message at once.
    fn deliver_now(&self, message: &mut dyn OwnedMessage) -> Result<Ticket, SendError> {
        let Self { sent, header, .. } = *self;
        let mut posted = Posted::now(sent);
        posted.mark.tags = header.tags;
        posted.mark.require = header.required_in(&sent.world.common.config);
        posted.mark.retain = header.retain;
        let extras = Extras {
            posted: Some(&posted),
            ..*sent.extras
        };
        let sent = sent.with(&extras);
        let receipt = sent.send(message)?;
        match sent.shortage(receipt) {
            Some(error) => Err(error),
            None => Ok(Ticket(Fate::Delivered(receipt))),
        }
    }

    /// Returns the data of a message that is posted now, with that number.
    pub(crate) fn record(&self, number: NonZeroU64) -> Record {
        let (header, common) = (self.header, &self.sent.world.common);
        let (time, sender) = (&common.time, self.sent.sender.id());
        let (timeline, delay) = header.delay.on();
        let clocks = time.clocks();
        Record {
            number,
            to: header.to,
            sender,
            due: timeline.after(clocks[timeline as usize], delay),
            ready: (delay == 0).then(|| timeline.since(clocks)),
            meta: PostMeta {
                place: self.sent.place,
                time: time.now(),
                frame: time.frame,
                tags: header.tags,
                require: header.required_in(&common.config),
                stage: header.stage,
                timeline,
                retain: header.retain,
                if_alive: header.if_alive,
            },
            bound: header.bound,
            key: header.key_for(sender),
            series: header.repeat.map(Series::new),
        }
    }

    /// Puts a message into the schedule. What is not accepted stays with the caller.
    pub(crate) fn enter(&self, held: &mut dyn Held) -> Result<Ticket, SendError> {
        let Self { sent, header, .. } = *self;
        if sent.world.outside.proxies.any()
            && let Some(carried) = self.carry(held.get())
        {
            return carried;
        }
        let mut schedule = sent.world.schedule.borrow_mut();
        let of = self.accept(&mut schedule)?;
        let record = self.record(schedule.next_number);
        if let Some(number) = self.number {
            self.trace_entry(&mut schedule, record.number, number);
        }
        let time = &sent.world.common.time;
        Ok(schedule.insert(of, &record, header.wait, time, held))
    }

    /// Checks that the message can be posted. Returns the index of its type.
    fn accept(&self, schedule: &mut Schedule) -> Result<MessageIndex, SendError> {
        let Self { sent, header, .. } = *self;
        let (message, world, sender) = (sent.message(), sent.world, sent.sender.id());
        let Some(table) = sent.facts.table() else {
            return Err(SendErrorKind::Unregistered { message }.into());
        };
        match sender {
            Some(id) if header.bound && !world.structure.exists(id) => {
                let to = id.into();
                return Err(SendErrorKind::Gone { to, message }.into());
            }
            Some(_) => {}
            None => header.check_outside(message)?,
        }
        check_recipient(&world.structure, header.to, sent.sender, message)?;
        let limit = world.common.config.max_pending;
        if schedule.pending() < limit || schedule.would_replace(header.key_for(sender)).is_some() {
            return Ok(table.index);
        }
        Err(SendErrorKind::QueueFull {
            to: header.to,
            message,
            limit,
            bulk: schedule.bulk(),
            chain: sent.chain_at_limit(),
        }
        .into())
    }
}

/// Checks that somebody is there to whom a message can be delivered later. A mnemonic may be unbound until
/// then.
pub(crate) fn check_recipient(
    structure: &Structure,
    to: Recipient,
    sender: Sender,
    message: &'static str,
) -> Result<(), SendError> {
    let (id, is_alone) = match (to, sender.id()) {
        (Recipient::Me | Recipient::EveryoneElse, None) => {
            return Err(SendErrorKind::NoSender { to, message }.into());
        }
        (Recipient::Hook(hook), _) => {
            return structure.owner_to_write_to(hook, message).map(|_| ());
        }
        (Recipient::Me, Some(id)) | (Recipient::Id(id), _) => (id, true),
        (Recipient::Up(id) | Recipient::Down(id), _) => (id, false),
        _ => return Ok(()),
    };
    match structure.presence_for(id, message)? {
        Presence::Leaving if is_alone => {
            let to = id.into();
            Err(SendErrorKind::Leaving { to, message }.into())
        }
        _ => Ok(()),
    }
}
