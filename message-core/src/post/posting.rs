//! Posting: a message with a header is delivered at once or added to those that are pending.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::config::ManagerConfig;
use crate::error::{Bulk, SendError, SendErrorKind};
use crate::header::Header;
use crate::message::{Facts, Message, MessageIndex, place_of};
use crate::post::queue::{DelayHeap, Held, Plain, PostMeta, Rows, Stamped, When};
use crate::post::{PostEachError, Posts, Ticket};
use crate::receipt::Receipt;
use crate::send::call::{Extras, Frame, Posted, Sent};
use crate::send::erased::OwnedMessage;
use crate::send::origin::Origin;
use crate::structure::Presence;
use crate::time::{Stage, Time};
use crate::world::World;

/// What is said of a message when it is posted.
#[derive(Clone, Copy)]
pub(crate) struct Posting<'a> {
    pub(crate) header: &'a Header,
    pub(crate) sender: Sender,
    pub(crate) place: &'static Location<'static>,
    /// The delivery whose handler posts it, if one does.
    pub(crate) running: Option<&'a Frame<'a>>,
}

/// Posts a message to another recipient than the header's own, or to just that.
#[inline]
pub(crate) fn post<M: Message>(
    from: impl Origin,
    to: Recipient,
    header: &Header,
    place: &'static Location<'static>,
    message: M,
) -> Result<Ticket, SendError> {
    let sender = from.sender().id();
    match from.world().post_again(to, header, sender, place, message) {
        Ok(ticket) => Ok(ticket),
        Err(message) => post_anew_to(from, to, header, place, message),
    }
}

/// As [`post_anew`], to another recipient than the header's own, or to just that.
#[inline]
pub(crate) fn post_anew_to<M: Message>(
    from: impl Origin,
    to: Recipient,
    header: &Header,
    place: &'static Location<'static>,
    message: M,
) -> Result<Ticket, SendError> {
    if to == header.to {
        return post_anew(from, header, place, message);
    }
    post_anew(from, &header.with_recipient(to), place, message)
}

/// Posts a message that is not like the one before it.
#[inline(never)]
pub(crate) fn post_anew<M: Message>(
    from: impl Origin,
    header: &Header,
    place: &'static Location<'static>,
    message: M,
) -> Result<Ticket, SendError> {
    post_held(from, header, place, &mut Some(message))
}

/// As [`post_anew`], of a message whose type is not known here.
pub(crate) fn post_held(
    from: impl Origin,
    header: &Header,
    place: &'static Location<'static>,
    held: &mut dyn Held,
) -> Result<Ticket, SendError> {
    let world = from.world();
    if header.stage == Stage::Immediate {
        let sent = from.sent_of(held.facts(), &header.to, place);
        return world.post_now(header, &sent, held);
    }
    let posting = Posting::of(&from, header, place);
    if world.trace.is_on() {
        world.post_traced(posting, held)
    } else {
        world.enter_post(posting, held)
    }
}

/// Posts messages one after the other, until one fails. How many were posted.
pub(crate) fn post_each<M: Message>(
    from: impl Origin,
    header: &Header,
    place: &'static Location<'static>,
    messages: impl IntoIterator<Item = M>,
) -> Result<usize, PostEachError> {
    let (world, sender) = (from.world(), from.sender().id());
    let mut messages = messages.into_iter();
    let mut posted = 0;
    loop {
        posted += world.post_run(header, sender, place, &mut messages);
        let Some(message) = messages.next() else {
            return Ok(posted);
        };
        post_anew(from, header, place, message).map_err(|error| PostEachError { posted, error })?;
        posted += 1;
    }
}

impl<'a> Posting<'a> {
    pub(crate) fn of(
        from: &'a impl Origin,
        header: &'a Header,
        place: &'static Location<'static>,
    ) -> Self {
        Self {
            header,
            sender: from.sender(),
            place,
            running: from.running(),
        }
    }

    /// What a message bears that is posted now, and when it is due.
    #[inline]
    pub(crate) fn stamp(self, time: &Time, config: &ManagerConfig) -> Stamped {
        let Posting {
            header,
            sender,
            place,
            ..
        } = self;
        let (timeline, when) = When::of(header.delay, time);
        let post_meta = PostMeta {
            place,
            time: time.now(),
            frame: time.frame,
            tags: header.tags,
            require: header.required_in(config),
            stage: header.stage,
            timeline,
            retain: header.retain,
            if_alive: header.if_alive,
        };
        Stamped {
            sender: sender.id(),
            post_meta,
            when,
        }
    }
}

impl World {
    /// Posts a message that has no conditions and is due together with one that the same call has
    /// posted: most are. Others come back. The header's own recipient is not asked.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as for `DelayHeap::enter_again`")]
    pub(crate) fn post_again<M: Message>(
        &self,
        to: Recipient,
        header: &Header,
        sender: Option<MessageeId>,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<Ticket, M> {
        if let Some(plain) = Plain::of(to, header)
            && self.structure.messagees.is_here(plain.to())
            && let of = place_of::<M>()
            && let mut heap = self.schedule.borrow_mut()
            && let from = (sender, place)
            && let Some((rows, ticket, head)) =
                heap.enter_again(of, plain, header, from, &self.common.time)
        {
            Rows::of(rows).push(ticket.slot(), head, message);
            return Ok(ticket);
        }
        Err(message)
    }

    /// As [`post_again`](Self::post_again), of as many messages as there is room for behind one that the
    /// same call has posted. How many these were.
    fn post_run<M: Message>(
        &self,
        header: &Header,
        sender: Option<MessageeId>,
        place: &'static Location<'static>,
        messages: &mut impl Iterator<Item = M>,
    ) -> usize {
        let mut posted = 0;
        if let Some(plain) = Plain::of(header.to, header)
            && self.structure.messagees.is_here(plain.to())
            && let of = place_of::<M>()
            && let mut heap = self.schedule.borrow_mut()
            && let Some(run) = heap.run(of, plain, header, (sender, place), &self.common.time)
        {
            while heap.has_room(&run) {
                let Some(message) = messages.next() else {
                    break;
                };
                let (rows, ticket, head) = heap.add(&run);
                Rows::of(rows).push(ticket.slot(), head, message);
                posted += 1;
            }
        }
        posted
    }

    /// Puts a message into the heap. What is not accepted stays with the caller.
    pub(crate) fn enter_post(
        &self,
        posting: Posting<'_>,
        held: &mut dyn Held,
    ) -> Result<Ticket, SendError> {
        if self.outside.proxies.any() {
            let Posting {
                header,
                sender,
                place,
                ..
            } = posting;
            if let Some(carried) = self.carry_post(header, sender, place, held.get()) {
                return carried;
            }
        }
        let mut heap = self.schedule.borrow_mut();
        let of = self.accept_later(held.facts(), &mut heap, posting)?;
        let stamped = posting.stamp(&self.common.time, &self.common.config);
        Ok(heap.insert(of, posting.header, &stamped, &self.common.time, held))
    }

    /// Returns `true` if a message can be posted. The index of its type.
    #[inline]
    fn accept_later(
        &self,
        facts: &'static Facts,
        heap: &mut DelayHeap,
        posting: Posting<'_>,
    ) -> Result<MessageIndex, SendError> {
        let message = facts.name;
        let Some(table) = facts.table() else {
            return Err(SendErrorKind::Unregistered { message }.into());
        };
        let Posting { header, sender, .. } = posting;
        self.check_postable(header, sender, message)?;
        if heap.pending() >= self.common.config.max_pending && heap.would_grow(header, sender.id())
        {
            return Err(self.queue_full(facts, posting, heap.bulk()));
        }
        Ok(table.index)
    }

    #[cold]
    fn queue_full(
        &self,
        facts: &'static Facts,
        posting: Posting<'_>,
        bulk: Option<Bulk>,
    ) -> SendError {
        let to = posting.header.to;
        let sent = Sent {
            parent: posting.running,
            ..Sent::of_type(facts, self, posting.sender, &to, posting.place)
        };
        SendErrorKind::QueueFull {
            to,
            message: facts.name,
            limit: self.common.config.max_pending,
            bulk,
            chain: sent.chain_at_limit(),
        }
        .into()
    }

    /// What is wrong with a post already when it is made.
    #[inline]
    fn check_postable(
        &self,
        header: &Header,
        sender: Sender,
        message: &'static str,
    ) -> Result<(), SendError> {
        if let Recipient::Id(id) = header.to
            && !header.bound
            && self.structure.messagees.is_here(id)
        {
            return Ok(());
        }
        self.check_postable_slowly(header, sender, message)
    }

    fn check_postable_slowly(
        &self,
        header: &Header,
        sender: Sender,
        message: &'static str,
    ) -> Result<(), SendError> {
        match sender.id() {
            Some(id) if header.bound && self.structure.is_gone(id) => {
                return Err(SendErrorKind::Gone { id, message }.into());
            }
            Some(_) => {}
            None => header.check_outside(message)?,
        }
        self.check_recipient(header.to, sender, message)
    }

    /// That somebody is there to whom a message can be delivered later. A mnemonic may be unbound
    /// until then.
    pub(crate) fn check_recipient(
        &self,
        to: Recipient,
        sender: Sender,
        message: &'static str,
    ) -> Result<(), SendError> {
        let (id, is_alone) = match (to, sender.id()) {
            (Recipient::Me | Recipient::EveryoneElse, None) => {
                return Err(SendErrorKind::NoSender { to, message }.into());
            }
            (Recipient::Hook(hook), _) => {
                return self.structure.owner_to_write_to(hook, message).map(|_| ());
            }
            (Recipient::Me, Some(id)) | (Recipient::Id(id), _) => (id, true),
            (Recipient::Up(id) | Recipient::Down(id), _) => (id, false),
            _ => return Ok(()),
        };
        match self.structure.presence(id) {
            Presence::Leaving if is_alone => Err(SendErrorKind::Leaving { id, message }.into()),
            Presence::Alive | Presence::Leaving | Presence::Unborn => Ok(()),
            Presence::Gone => Err(SendErrorKind::Gone { id, message }.into()),
            Presence::Foreign => Err(SendErrorKind::OtherManager { id, message }.into()),
        }
    }

    /// Delivers a message with a header at once.
    pub(crate) fn post_now(
        &self,
        header: &Header,
        sent: &Sent<'_>,
        message: &mut dyn OwnedMessage,
    ) -> Result<Ticket, SendError> {
        let mut posted = Posted::now(sent);
        posted.mark.tags = header.tags;
        posted.mark.require = header.required_in(&self.common.config);
        posted.mark.retain = header.retain;
        let extras = Extras {
            posted: Some(&posted),
            ..*sent.extras
        };
        let sent = Sent {
            extras: &extras,
            ..*sent
        };
        let receipt = sent.send_posted(message)?;
        match self.shortage(&sent, receipt) {
            Some(error) => Err(error),
            None => Ok(Ticket::spent(receipt)),
        }
    }

    /// That fewer have received a message than its header requires, if so.
    pub(crate) fn shortage(&self, sent: &Sent<'_>, receipt: Receipt) -> Option<SendError> {
        let (wanted, got) = (sent.wanted(), receipt.receivers());
        let error = || SendErrorKind::NotReceived {
            to: *sent.to,
            message: sent.message(),
            wanted,
            got,
            why: self.why_unreceived(sent, got),
        };
        (got < wanted).then(|| error().into())
    }
}

impl World {
    #[inline]
    pub(crate) fn cancel(&self, posts: &Posts) -> usize {
        match posts.single_ticket() {
            Some(ticket) if !self.trace.is_on() => {
                usize::from(self.schedule.borrow_mut().discard(ticket))
            }
            _ => self.cancel_selected(posts),
        }
    }

    fn cancel_selected(&self, posts: &Posts) -> usize {
        let mut heap = self.schedule.borrow_mut();
        let tickets = heap.select(posts);
        if self.trace.is_on() {
            self.trace
                .cancelled_posts(&heap, &tickets, self.common.time.moment());
        }
        heap.discard_all(&tickets)
    }
}
