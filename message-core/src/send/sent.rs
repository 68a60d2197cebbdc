//! One send under way: the data that all of its deliveries share.

use std::panic::Location;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::envelope::Envelope;
use crate::error::{Chain, ChainLink};
use crate::lifecycle::{DeadLetter, HandlerFailed};
use crate::message::{Facts, Message};
use crate::mnemonic::Mnemonic;
use crate::post::schedule::{PostMeta, Timeline};
use crate::send::{Audience, Frame};
use crate::structure::Mnemonics;
use crate::tag::TagSet;
use crate::time::{Moment, Stage};
use crate::trace::TraceId;
use crate::world::World;

/// The data that all deliveries of one send share. Made in place by the sending call, and passed by
/// reference from there on.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    pub world: &'a World,
    /// The delivery whose handler sends the message, if one does.
    pub parent: Option<&'a Frame<'a>>,
    pub sender: Sender,
    pub place: &'static Location<'static>,
    /// The recipient as the sender wrote it. `meant` replaces a mnemonic by its messagee, `resolved_to` also replaces `Me`,
    /// and `addressee` is the one messagee that the message is for, if there is just one.
    pub to: Recipient,
    /// The facts about the message's type.
    pub facts: &'static Facts,
    /// The depth of the send; one from outside is the first.
    pub depth: usize,
    /// The data that only some sends have. A separate struct, so that the others are written in few words.
    pub extras: &'a Extras<'a>,
}

/// The data that only some sends have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extras<'a> {
    /// The data that only a message with a header has.
    pub(crate) posted: Option<&'a Posted>,
    /// The receiver that is called although it is about to be removed.
    pub(crate) farewell: Option<LeavingTarget>,
    /// The data of the send as it was begun, if it goes on later or is overheard.
    pub(crate) resumed: Option<&'a Resumed<'a>>,
    /// The number of the message, if it is traced.
    pub(crate) number: Option<TraceId>,
}

impl<'a> Extras<'a> {
    /// The extras of a plain send.
    pub(crate) const NONE: Self = Self {
        posted: None,
        farewell: None,
        resumed: None,
        number: None,
    };

    /// Adds the data of a posted message.
    #[inline]
    pub(crate) fn posted(self, posted: &'a Posted) -> Self {
        let posted = Some(posted);
        Self { posted, ..self }
    }

    /// Replaces the number in the trace.
    #[inline]
    pub(crate) fn numbered(self, number: Option<TraceId>) -> Self {
        Self { number, ..self }
    }
}

/// The data of a send as it was begun. A send has this if it goes on after its message was kept or retained, if a
/// messagee overhears it, or if its audience is recorded. The data of a kept message is owned by its
/// [`Cover`](crate::send::deferred::send::Cover).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resumed<'a> {
    /// The number of the first interceptor that still has to receive the message. Those before it already
    /// have, if the message had to wait for one.
    pub(crate) intercepted: u64,
    /// Whether a failure or a dead letter was being reported when it was sent.
    pub(crate) reporting: ReportGuard,
    /// The recipient, with a mnemonic resolved to its messagee. The mnemonic may have been bound to another
    /// messagee since.
    pub(crate) to: Recipient,
    /// The messagee that overhears it, if it was sent to others.
    pub(crate) overhearer: Option<MessageeId>,
    /// The other messagees that overheard something that led to the message, before it was kept.
    pub(crate) overhearers: &'a [MessageeId],
    /// The mnemonics of the messagee in `to` at the time of the send.
    pub(crate) mnemonics: &'a [Mnemonic],
    /// The audience when the delivery began, if it may be asked for after the delivery.
    pub(crate) audience: Option<&'a Audience<'a>>,
    /// The one messagee that it was sent to. A hook no longer leads to its messagee when the component is
    /// gone.
    pub(crate) addressee: Option<MessageeId>,
}

impl Resumed<'_> {
    /// Returns the data of a send that begins now.
    pub(super) fn to(to: Recipient) -> Self {
        Self {
            intercepted: 0,
            reporting: ReportGuard::default(),
            to,
            overhearer: None,
            overhearers: &[],
            mnemonics: &[],
            audience: None,
            addressee: None,
        }
    }
}

/// Set if a message reports a failure or a dead letter, or is sent while one is reported.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportGuard {
    pub failure: bool,
    pub death: bool,
}

/// The data that a header adds to a message.
#[derive(Clone, Copy, Debug)]
pub struct Posted {
    pub mark: PostMeta,
    /// The time at which it was due, on the clock of its timeline.
    pub due: u64,
    /// The scaled time at which it became due, if it was due by frames.
    pub since: u64,
}

impl Posted {
    /// Returns the data that an empty header adds to a message that is sent now.
    pub(crate) fn now(sent: &Sent<'_>) -> Self {
        let time = sent.world.common.time.now();
        Self {
            mark: PostMeta {
                place: sent.place,
                time,
                frame: sent.world.common.time.reading().frame,
                tags: TagSet::EMPTY,
                require: sent.wanted().try_into().unwrap_or(u32::MAX),
                stage: Stage::Immediate,
                timeline: Timeline::Scaled,
                retain: false,
                if_alive: false,
                activator: None,
            },
            due: time,
            since: time,
        }
    }

    /// Returns the moment at which it was due. `frame` is the frame of the delivery.
    pub(crate) fn due(&self, frame: u64) -> Moment {
        let (time, frame) = match self.mark.timeline {
            Timeline::Scaled if self.due == self.mark.time => (self.due, self.mark.frame),
            Timeline::Scaled | Timeline::Unscaled => (self.due, frame),
            Timeline::Frames => (self.since, self.due),
        };
        Moment::at(time, frame)
    }
}

impl<'a> Sent<'a> {
    /// Returns the envelope that receivers see.
    pub(crate) fn envelope(&self) -> Envelope {
        let posted = self.posted();
        Envelope {
            sender: self.sender,
            recipient: self.to,
            posted: posted.mark.posted(),
            due: posted.due(self.world.common.time.reading().frame),
            tags: self.facts.tags() | posted.mark.tags,
            stage: posted.mark.stage,
            place: self.place,
            trace: self.extras.number,
        }
    }

    /// Returns the data of its header, or that of an empty one.
    pub(super) fn posted(&self) -> Posted {
        let posted = self.extras.posted.copied();
        posted.unwrap_or_else(|| Posted::now(self))
    }

    /// Makes the data of a send that no handler makes.
    #[inline]
    pub fn of_type(
        facts: &'static Facts,
        world: &'a World,
        sender: Sender,
        to: Recipient,
        place: &'static Location<'static>,
    ) -> Self {
        Self {
            world,
            parent: None,
            sender,
            place,
            to,
            facts,
            depth: 1,
            extras: &Extras::NONE,
        }
    }

    /// Returns the same send with other extras.
    pub(crate) fn with<'s>(&self, extras: &'s Extras<'s>) -> Sent<'s>
    where
        'a: 's,
    {
        Sent { extras, ..*self }
    }

    /// Returns the recipient, with a mnemonic resolved as it is bound now, or was when the message was
    /// kept.
    pub(crate) fn meant(&self) -> Recipient {
        let resolve = || self.world.structure.addresses.resolve(self.to);
        self.extras.resumed.map_or_else(resolve, |it| it.to)
    }

    /// Like `meant`, with `Me` resolved, too.
    pub(crate) fn resolved_to(&self) -> Recipient {
        if self.to.mnemonic().is_none() {
            return self.to.own(self.sender);
        }
        match self.meant() {
            // A message that is kept for a newborn alone is for that one, whatever its recipient is.
            Recipient::Id(id) => self.to.held_by(id),
            meant => meant,
        }
    }

    /// Returns the messagee that a mnemonic or `Me` in the recipient means, alone or with its family.
    fn meant_messagee(&self) -> Option<MessageeId> {
        self.meant().own(self.sender).messagee()
    }

    /// Returns the mnemonics of the messagee that it is for, as they were bound when it was sent.
    pub(crate) fn mnemonics(&self) -> Mnemonics {
        let now = || {
            let id = self.meant_messagee();
            id.map_or_else(Mnemonics::new, |id| {
                self.world.structure.addresses.mnemonics_of(id)
            })
        };
        let mnemonics = self.extras.resumed.map(|resumed| resumed.mnemonics);
        mnemonics.map_or_else(now, Mnemonics::from_slice)
    }

    /// Returns `true` if it was sent to a recipient, with mnemonics as they were bound then.
    pub(crate) fn was_sent_to(&self, to: Recipient) -> bool {
        if to == self.to {
            return true;
        }
        let to = match (to.mnemonic(), self.extras.resumed) {
            (Some(mnemonic), Some(resumed)) => {
                let id = self.meant_messagee();
                match id.filter(|_| resumed.mnemonics.contains(&mnemonic)) {
                    Some(id) => to.held_by(id),
                    None => return false,
                }
            }
            _ => self.world.structure.addresses.resolve(to).own(self.sender),
        };
        self.resolved_to() == to
    }

    /// Returns the data of the send as it was begun, which may be now.
    #[cold]
    pub(crate) fn resumed(&self) -> Resumed<'a> {
        let fresh = || Resumed::to(self.meant());
        self.extras.resumed.copied().unwrap_or_else(fresh)
    }

    /// Returns the audience when its delivery began, if that was recorded.
    pub(crate) fn audience(&self) -> Option<&'a Audience<'a>> {
        self.extras.resumed.and_then(|resumed| resumed.audience)
    }

    /// Returns `true` if its deliveries are traced.
    pub(super) fn is_traced(&self) -> bool {
        self.world.listen.subscriptions.are_traced()
    }

    /// Returns `true` if its header says that it is to be retained.
    pub(crate) fn is_retained(&self) -> bool {
        self.extras.posted.is_some_and(|posted| posted.mark.retain)
    }

    /// Returns the one messagee that it is for.
    pub(crate) fn addressee(&self) -> Option<MessageeId> {
        match self.resolved_to() {
            Recipient::Id(id) => Some(id),
            Recipient::Hook(hook) => {
                let owner = self.world.structure.owner_soon(hook);
                owner.or_else(|| self.extras.resumed?.addressee)
            }
            _ => None,
        }
    }

    /// Returns the sender's messagee, if the send excludes it.
    pub(crate) fn except(&self) -> Option<MessageeId> {
        match self.to {
            Recipient::EveryoneElse => self.sender.id(),
            _ => None,
        }
    }

    /// Returns the name of the message type.
    pub(crate) fn message(&self) -> &'static str {
        self.facts.name
    }

    /// Returns the tags of the message's header, which add to those of its type.
    pub(crate) fn own_tags(&self) -> TagSet {
        self.extras.posted.map_or(TagSet::EMPTY, |it| it.mark.tags)
    }

    /// Returns the sender of the message that began the chain of wires which leads to this one: its own sender if no wire
    /// has posted it.
    pub fn activator(&self) -> Sender {
        let wired = self.extras.posted.and_then(|posted| posted.mark.activator);
        wired.unwrap_or(self.sender)
    }

    /// Returns the number of receivers that the header requires, or without a header the manager's default.
    pub(crate) fn wanted(&self) -> usize {
        let require = match self.extras.posted {
            Some(posted) => posted.mark.require,
            None if self.sender == Sender::Manager => 0,
            None => self.world.common.config.required_by_default(self.to),
        };
        require as usize
    }

    /// Returns whether a failure or a dead letter is being reported, by the message itself or by one that a
    /// handler around it is handling.
    #[cold]
    pub(crate) fn reporting(&self) -> ReportGuard {
        let outer = self.parent.map(|frame| frame.sent.reporting());
        let outer = outer.unwrap_or_default();
        let before = self.extras.resumed.map(|resumed| resumed.reporting);
        let before = before.unwrap_or_default();
        let is = |name| self.message() == name;
        ReportGuard {
            failure: before.failure || is(HandlerFailed::NAME) || outer.failure,
            death: before.death || is(DeadLetter::NAME) || outer.death,
        }
    }

    /// Returns the messagees that overhear this message or something that led to it.
    #[cold]
    pub(crate) fn overhearers(&self) -> impl Iterator<Item = MessageeId> {
        let around = std::iter::successors(Some(self), |sent| sent.parent.map(|frame| frame.sent));
        let resumed = around.filter_map(|sent| sent.extras.resumed);
        resumed.flat_map(|it| it.overhearers.iter().copied().chain(it.overhearer))
    }

    /// Returns the handlers that are running.
    #[cold]
    pub(crate) fn chain(&self) -> Chain {
        let frames = std::iter::successors(self.parent, |frame| frame.sent.parent);
        let mut links: Vec<ChainLink> = frames.map(Frame::link).collect();
        links.reverse();
        Chain::new(links)
    }
}

/// The receiver of a message from the manager itself that is about to be removed or disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeavingTarget {
    Hook(HookId),
    Messagee(MessageeId),
    /// A component that is being disabled.
    Disabled(HookId),
}
