//! Posting: a message with a header is delivered at once or added to those that are pending.

use std::num::NonZeroU64;
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{Bulk, SendError, SendErrorKind};
use crate::header::{Delay, Header};
use crate::message::{Facts, Message, MessageIndex, place_of};
use crate::post::schedule::{Blocks, Entered, Held, PostMeta, Record, Schedule, Series, Timeline};
use crate::post::{PostEachError, Ticket};
use crate::send::erased::OwnedMessage;
use crate::send::origin::Origin;
use crate::send::{Extras, Frame, Posted, Sent};
use crate::structure::Presence;
use crate::time::Stage;
use crate::trace::TraceId;
use crate::world::World;

/// A message that is being posted, but for the message itself.
#[derive(Clone, Copy)]
pub(crate) struct Posting<'a> {
    pub(crate) world: &'a World,
    pub(crate) header: &'a Header,
    pub(crate) sender: Sender,
    pub(crate) place: &'static Location<'static>,
    /// The delivery whose handler posts it, if one does.
    pub(crate) running: Option<&'a Frame<'a>>,
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
        Err(message) => post_anew(from, to, header, place, message),
    }
}

/// Posts a message for a messagee without conditions if the same call has posted one at the same moment:
/// most are. Others come back. The header's own recipient is not asked. W5.
#[inline]
pub(crate) fn post_again<M: Message>(
    world: &World,
    to: Recipient,
    header: &Header,
    sender: Option<MessageeId>,
    place: &'static Location<'static>,
    message: M,
) -> Result<Ticket, M> {
    if let (Recipient::Id(to), Some(wait)) = (to, header.wait)
        && world.structure.messagees.is_here(to)
        && !world.trace.is_on()
        && let mut schedule = world.schedule.borrow_mut()
        && let (ends, when) = ((to, sender), (wait, header.tags))
        && let of = place_of::<M>()
        && let Some(Entered {
            stock,
            block,
            head,
            ticket,
        }) = schedule.enter_again(of, ends, when, place, &world.common)
    {
        Blocks::of(stock).push(block, head, message);
        return Ok(ticket);
    }
    Err(message)
}

/// Posts a message that is not like the one before it.
#[inline(never)]
pub(crate) fn post_anew<'a, M: Message>(
    from: impl Origin<'a>,
    to: Recipient,
    header: &Header,
    place: &'static Location<'static>,
    message: M,
) -> Result<Ticket, SendError> {
    let held = &mut Some(message);
    if to == header.to {
        return post_held(from, header, place, held);
    }
    post_held(from, &header.with_recipient(to), place, held)
}

/// Like [`post_anew`], for a message whose type is not known here.
pub(crate) fn post_held<'a>(
    from: impl Origin<'a>,
    header: &Header,
    place: &'static Location<'static>,
    held: &mut dyn Held,
) -> Result<Ticket, SendError> {
    if header.stage == Stage::Immediate {
        let sent = from.sent_of(held.facts(), &header.to, place);
        return post_now(header, &sent, held);
    }
    let posting = Posting::of(&from, header, place);
    if posting.world.trace.is_on() {
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

/// Delivers a message with a header at once.
fn post_now(
    header: &Header,
    sent: &Sent<'_>,
    message: &mut dyn OwnedMessage,
) -> Result<Ticket, SendError> {
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
        None => Ok(Ticket::spent(receipt)),
    }
}

impl<'a> Posting<'a> {
    pub(crate) fn of<'o: 'a>(
        from: &impl Origin<'o>,
        header: &'a Header,
        place: &'static Location<'static>,
    ) -> Self {
        Self {
            world: from.world(),
            header,
            sender: from.sender(),
            place,
            running: from.running(),
            number: None,
        }
    }

    /// Returns the data of a message that is posted now, with that number.
    pub(crate) fn record(&self, number: NonZeroU64) -> Record {
        let (header, common) = (self.header, &self.world.common);
        let (time, sender) = (&common.time, self.sender.id());
        let (timeline, delay) = match header.delay {
            Delay::None => (Timeline::Scaled, 0),
            Delay::Time(delay) => (Timeline::Scaled, delay),
            Delay::Unscaled(delay) => (Timeline::Unscaled, delay),
            Delay::Frames(frames) => (Timeline::Frames, frames),
        };
        let clocks = time.clocks();
        Record {
            number,
            to: header.to,
            sender,
            due: timeline.after(clocks[timeline as usize], delay),
            ready: (delay == 0).then(|| timeline.since(clocks)),
            meta: PostMeta {
                place: self.place,
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
        let Self { world, header, .. } = *self;
        if world.outside.proxies.any()
            && let Some(carried) = self.carry(held.get())
        {
            return carried;
        }
        let mut schedule = world.schedule.borrow_mut();
        let of = self.accept(held.facts(), &mut schedule)?;
        let record = self.record(schedule.next_number());
        if let Some(number) = self.number {
            self.trace_entry(&mut schedule, record.number, number);
        }
        Ok(schedule.insert(of, &record, header.wait, &world.common.time, held))
    }

    /// Checks that a message can be posted. Returns the index of its type.
    fn accept(
        &self,
        facts: &'static Facts,
        schedule: &mut Schedule,
    ) -> Result<MessageIndex, SendError> {
        let (header, message) = (self.header, facts.name);
        let Some(table) = facts.table() else {
            return Err(SendErrorKind::Unregistered { message }.into());
        };
        match self.sender.id() {
            Some(id) if header.bound && !self.world.structure.exists(id) => {
                let to = id.into();
                return Err(SendErrorKind::Gone { to, message }.into());
            }
            Some(_) => {}
            None => header.check_outside(message)?,
        }
        check_recipient(self.world, header.to, self.sender, message)?;
        if schedule.pending() >= self.world.common.config.max_pending
            && schedule
                .would_replace(header.key_for(self.sender.id()))
                .is_none()
        {
            return Err(self.queue_full(facts, schedule.bulk()));
        }
        Ok(table.index)
    }

    #[cold]
    fn queue_full(&self, facts: &'static Facts, bulk: Option<Bulk>) -> SendError {
        let to = self.header.to;
        let sent = Sent {
            parent: self.running,
            ..Sent::of_type(facts, self.world, self.sender, &to, self.place)
        };
        SendErrorKind::QueueFull {
            to,
            message: facts.name,
            limit: self.world.common.config.max_pending,
            bulk,
            chain: sent.chain_at_limit(),
        }
        .into()
    }
}

/// Checks that somebody is there to whom a message can be delivered later. A mnemonic may be unbound until
/// then.
pub(crate) fn check_recipient(
    world: &World,
    to: Recipient,
    sender: Sender,
    message: &'static str,
) -> Result<(), SendError> {
    let (id, is_alone) = match (to, sender.id()) {
        (Recipient::Me | Recipient::EveryoneElse, None) => {
            return Err(SendErrorKind::NoSender { to, message }.into());
        }
        (Recipient::Hook(hook), _) => {
            return world.structure.owner_to_write_to(hook, message).map(|_| ());
        }
        (Recipient::Me, Some(id)) | (Recipient::Id(id), _) => (id, true),
        (Recipient::Up(id) | Recipient::Down(id), _) => (id, false),
        _ => return Ok(()),
    };
    match world.structure.presence_for(id, message)? {
        Presence::Leaving if is_alone => {
            let to = id.into();
            Err(SendErrorKind::Leaving { to, message }.into())
        }
        _ => Ok(()),
    }
}
