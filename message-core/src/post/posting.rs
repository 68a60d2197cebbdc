//! Posting: a message with a header is delivered at once or added to those that are pending.

use std::num::NonZeroU64;
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{Absence, Limit, SendError, SendErrorKind};
use crate::header::{Header, Renewal};
use crate::message::{OwnedMessage, Stored};
use crate::post::Ticket;
use crate::post::schedule::{Held, PostMeta, Record, Schedule, Series, slab_of};
use crate::post::ticket::Fate;
use crate::send::origin::Origin;
use crate::send::{Posted, Sent};
use crate::structure::Structure;
use crate::time::Stage;
use crate::trace::{TraceId, Traced};
use crate::world::World;

/// A message that is being posted, but for the message itself.
#[derive(Clone, Copy)]
pub(crate) struct Posting<'a> {
    /// The message, sent to the recipient of the header.
    pub(crate) sent: &'a Sent<'a>,
    pub(crate) header: &'a Header,
    /// The number of the message, if it is traced.
    pub(crate) number: Option<TraceId>,
}

/// A call that posts. Passed by reference, because its fields do not fit in registers: W5.
pub struct PostCall<'a> {
    /// Instead of the header's own recipient.
    pub to: Recipient,
    pub header: &'a Header,
    pub place: &'static Location<'static>,
    /// The number of the queue in which the message belongs.
    pub slab: u32,
    pub held: &'a mut dyn Held,
}

impl<'a> PostCall<'a> {
    #[inline]
    #[track_caller]
    pub fn new<S: Stored>(to: Recipient, header: &'a Header, held: &'a mut Option<S>) -> Self {
        Self {
            to,
            header,
            place: Location::caller(),
            slab: slab_of(S::facts(held.as_ref()).place(), S::IS_BOXED),
            held,
        }
    }

    /// Posts a message to a messagee without conditions if the same line has posted one at the same moment: most are.
    /// Inlined, since a ticket that was written in pieces is not copied without a delay.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "part of a post: W5")]
    pub(crate) fn post_again(
        &mut self,
        world: &World,
        sender: Option<MessageeId>,
    ) -> Option<Ticket> {
        let Recipient::Id(to) = self.to else {
            return None;
        };
        if !world.structure.messagees.is_here(to) || world.trace.is_on() {
            return None;
        }
        let mut schedule = world.schedule.borrow_mut();
        schedule.enter_again(to, sender, self, &world.common)
    }

    /// Posts a message that is not like the one before it.
    #[inline(never)]
    pub fn post_anew<'w>(&mut self, from: impl Origin<'w>) -> Result<Ticket, SendError> {
        let header = &self.header.with_recipient(self.to);
        let sent = &from.sent_of(self.held.facts(), self.to, self.place);
        let posting = Posting {
            sent,
            header,
            number: None,
        };
        if header.stage == Stage::Immediate {
            posting.deliver_now(self.held)
        } else if sent.world.trace.is_on() {
            posting.enter_traced(self.held)
        } else {
            posting.enter(self.held)
        }
    }
}

impl Posting<'_> {
    /// Delivers the message at once.
    fn deliver_now(&self, message: &mut dyn OwnedMessage) -> Result<Ticket, SendError> {
        let Self { sent, header, .. } = *self;
        let mut posted = Posted::now(sent);
        posted.mark.tags = header.tags;
        posted.mark.require = header.required_in(&sent.world.common.config);
        posted.mark.retain = header.retain;
        let extras = sent.extras.posted(&posted);
        let sent = sent.with(&extras);
        let result = sent.send(message);
        match sent.shortage(&result) {
            Some(error) => Err(error),
            None => Ok(Ticket(Fate::Delivered(result?))),
        }
    }

    /// Returns the data of a message that is posted now, with that number.
    pub(crate) fn record(&self, number: NonZeroU64) -> Record {
        let (header, common) = (self.header, &self.sent.world.common);
        let (time, sender) = (&common.time, self.sent.sender.id());
        let (timeline, delay) = header.delay.on();
        let clocks = &time.clocks;
        Record {
            number,
            to: header.to,
            sender,
            due: timeline.after(clocks[timeline as usize], delay),
            ready: (delay == 0).then(|| timeline.since(clocks)),
            meta: PostMeta {
                place: self.sent.place,
                time: time.now(),
                frame: time.reading().frame,
                tags: header.tags,
                require: header.required_in(&common.config),
                stage: header.stage,
                timeline,
                retain: header.retain,
                if_alive: header.if_alive,
                activator: header.activator,
            },
            bound: header.bound,
            until: header.until,
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
        self.accept(&mut schedule)?;
        let mut record = self.record(schedule.next_number);
        if header.renewal != Renewal::Restart
            && let Some(pending) = schedule.would_replace(record.key)
        {
            if header.renewal == Renewal::UnlessPending {
                if self.number.is_some() {
                    sent.world.trace.tell(self.subject(), Traced::Cancelled);
                }
                return Ok(pending.ticket);
            }
            record.keep_phase(&pending.record, schedule.is_away(pending.ticket));
        }
        if let Some(number) = self.number {
            self.trace_entry(&mut schedule, record.number, number);
        }
        let time = &sent.world.common.time;
        Ok(schedule.insert(&record, header.wait, time, held))
    }

    /// Checks that the message can be posted.
    fn accept(&self, schedule: &mut Schedule) -> Result<(), SendError> {
        let Self { sent, header, .. } = *self;
        let (message, world, sender) = (sent.message(), sent.world, sent.sender.id());
        if sent.facts.index().is_none() {
            return Err(sent.error(SendErrorKind::Unregistered));
        }
        if sender.is_none() {
            header.check_outside(message)?;
        }
        check_recipient(&world.structure, header.to, sent.sender, message)?;
        if let Some(hook) = header.until {
            world.structure.owner_to_write_to(hook, message)?;
        }
        let limit = world.common.config.max_pending;
        if schedule.pending() < limit || schedule.would_replace(header.key_for(sender)).is_some() {
            return Ok(());
        }
        let bulk = schedule.bulk();
        Err(sent.at_limit(Limit::Pending { most: limit, bulk }))
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
            return Err(SendError::new(message, to, SendErrorKind::NoSender));
        }
        (Recipient::Hook(hook), _) => {
            return structure.owner_to_write_to(hook, message).map(|_| ());
        }
        (Recipient::Me, Some(id)) | (Recipient::Id(id), _) => (id, true),
        (Recipient::Up(id) | Recipient::Down(id), _) => (id, false),
        _ => return Ok(()),
    };
    match structure.absence_for(id, message)? {
        Some(why @ Absence::Leaving) if is_alone => Err(SendError::absent(message, id, why)),
        _ => Ok(()),
    }
}
