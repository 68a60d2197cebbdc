//! One send under way: what all of its deliveries share, what they add up to, and the links by
//! which a nested send knows what is running around it.
//!
//! Both live on the stack of the send that made them and point outwards. So the
//! chain of running handlers is always at hand for an error, and costs nothing to keep.

use std::panic::Location;
use std::time::Duration;

use smallvec::SmallVec;

use crate::address::{HookId, MessageeId, Recipient, Sender, SubscriptionId};
use crate::config::PanicPolicy;
use crate::envelope::Envelope;
use crate::error::{Chain, ChainLink, Receiver, SendError};
use crate::lifecycle::{DeadLetter, HandlerFailed};
use crate::message::{Facts, Message};
use crate::mnemonic::Mnemonic;
use crate::post::queue::{PostMeta, Timeline};
use crate::receipt::Receipt;
use crate::send::audience::Audience;
use crate::send::erased::Replies;
use crate::storage::{Pool, Roster};
use crate::tag::TagSet;
use crate::time::{Moment, Stage};
use crate::trace::TraceId;
use crate::world::{Hooking, Mnemonics, World};

/// What all deliveries of one send share. Made in place by the sending call, and only referred to
/// from there on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent<'a> {
    pub(crate) world: &'a World,
    /// The delivery whose handler sends the message, if one does.
    pub(crate) parent: Option<&'a Frame<'a>>,
    pub(crate) sender: Sender,
    pub(crate) place: &'static Location<'static>,
    pub(crate) to: &'a Recipient,
    /// What is known of the message's type.
    pub(crate) facts: &'static Facts,
    /// How deep the send is nested; one from outside is the first.
    pub(crate) depth: usize,
    /// What only some sends have. Apart, so that the others are written in few words.
    pub(crate) extras: &'a Extras<'a>,
}

/// What only some sends have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extras<'a> {
    /// What only a message with a header has.
    pub(crate) posted: Option<&'a Posted>,
    /// Who is called although it is about to be removed.
    pub(crate) farewell: Option<LeavingTarget>,
    /// What is known of its first part, if the message was kept.
    pub(crate) resumed: Option<&'a Resumed<'a>>,
    /// Its number, if it is traced.
    pub(crate) number: Option<TraceId>,
}

impl Extras<'_> {
    /// Those of a plain send.
    pub(crate) const NONE: Self = Self {
        posted: None,
        farewell: None,
        resumed: None,
        number: None,
    };
}

/// What has to be known of a send that goes on after its message was kept, or by being overheard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resumed<'a> {
    /// The number of the subscription from which on interceptors receive it: those before it have,
    /// if the message had to wait for one.
    pub(crate) intercepted: u64,
    /// What was being reported when it was sent.
    pub(crate) reporting: ReportGuard,
    /// Whom it is for, with the messagee in the place of a mnemonic, which may have been bound to
    /// another since it was kept.
    pub(crate) to: Recipient,
    /// The messagee that overhears it, if it was sent to others.
    pub(crate) overhearer: Option<MessageeId>,
    /// The other messagees that overheard something that led to it, before it was kept.
    pub(crate) overhearers: &'a [MessageeId],
    /// The mnemonics by which the messagee in `to` could be written to when it was sent.
    pub(crate) mnemonics: &'a [Mnemonic],
    /// The messagees it was addressed to when its delivery began, if that is asked for after it has reached them.
    pub(crate) audience: Option<&'a Audience>,
    /// The one messagee that it was sent to. A hook does not tell when its component is gone.
    pub(crate) addressee: Option<MessageeId>,
}

/// Set if a message reports a failure or a dead letter, or is sent while one is reported.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReportGuard {
    pub(crate) failure: bool,
    pub(crate) death: bool,
}

/// What a header adds to a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posted {
    pub(crate) mark: PostMeta,
    /// When it was due, on the clock of its timeline.
    pub(crate) due: u64,
    /// The scaled time at which it fell due, if it was due by frames.
    pub(crate) since: u64,
}

impl Posted {
    /// What a header without anything in it would add to a message that is sent now.
    pub(crate) fn now(sent: &Sent<'_>) -> Self {
        let time = sent.world.time.now();
        Self {
            mark: PostMeta {
                place: sent.place,
                time,
                frame: sent.world.time.frame,
                tags: TagSet::EMPTY,
                require: 0,
                stage: Stage::Immediate,
                timeline: Timeline::Scaled,
                retain: false,
                if_alive: false,
            },
            due: time,
            since: time,
        }
    }

    /// `frame` is that of the delivery.
    pub(crate) fn due(&self, frame: u64) -> Moment {
        let (time, frame) = match self.mark.timeline {
            Timeline::Scaled if self.due == self.mark.time => (self.due, self.mark.frame),
            Timeline::Scaled | Timeline::Unscaled => (self.due, frame),
            Timeline::Frames => (self.since, self.due),
        };
        Moment {
            time: Duration::from_nanos(time),
            frame,
        }
    }
}

impl<'a> Sent<'a> {
    /// The envelope, as receivers see it.
    pub(crate) fn envelope(&self) -> Envelope {
        let posted = self.extras.posted.copied();
        let posted = posted.unwrap_or_else(|| Posted::now(self));
        Envelope {
            sender: self.sender,
            recipient: *self.to,
            posted: posted.mark.posted(),
            due: posted.due(self.world.time.frame),
            tags: self.facts.tags() | posted.mark.tags,
            stage: posted.mark.stage,
            place: self.place,
            trace: self.extras.number,
        }
    }

    /// A message that no handler sends.
    #[inline]
    pub(crate) fn outside<M: Message>(
        world: &'a World,
        sender: Sender,
        to: &'a Recipient,
        place: &'static Location<'static>,
    ) -> Self {
        Self::of_type(M::FACTS, world, sender, to, place)
    }

    /// As [`outside`](Self::outside), of a type of which that is known.
    #[inline]
    pub(crate) fn of_type(
        facts: &'static Facts,
        world: &'a World,
        sender: Sender,
        to: &'a Recipient,
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

    /// Whom it is for, with the messagee in the place of a mnemonic that is bound to it, or was when
    /// it was kept.
    pub(crate) fn meant(&self) -> Recipient {
        let resolve = || self.world.addresses.resolve(*self.to);
        self.extras
            .resumed
            .map_or_else(resolve, |resumed| resumed.to)
    }

    /// The recipient, with the messagee in the place of `Me` and of a mnemonic that is bound to it, or
    /// was when the message was kept.
    pub(crate) fn resolved_to(&self) -> Recipient {
        // What is kept for a newborn alone is for that one, whatever its recipient is.
        let to = match *self.to {
            Recipient::Mnemonic(_) => self.meant(),
            Recipient::UpFrom(_) => match self.meant() {
                Recipient::Id(id) => Recipient::Up(id),
                family => family,
            },
            Recipient::DownFrom(_) => match self.meant() {
                Recipient::Id(id) => Recipient::Down(id),
                family => family,
            },
            to => to,
        };
        to.own(self.sender)
    }

    /// The messagee in the place of a mnemonic or of `Me`, in whom it is for: by itself or with its kin.
    fn meant_messagee(&self) -> Option<MessageeId> {
        self.meant().own(self.sender).messagee()
    }

    /// The mnemonics of whom it is for, as they were bound when it was sent.
    pub(crate) fn mnemonics(&self) -> Mnemonics {
        let now = || {
            let id = self.meant_messagee();
            id.map_or_else(Mnemonics::new, |id| self.world.addresses.mnemonics_of(id))
        };
        let mnemonics = self.extras.resumed.map(|resumed| resumed.mnemonics);
        mnemonics.map_or_else(now, Mnemonics::from_slice)
    }

    /// Returns `true` if it was sent to that recipient, as mnemonics were bound then.
    pub(crate) fn was_sent_to(&self, to: Recipient) -> bool {
        if to == *self.to {
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
            _ => self.world.addresses.resolve(to).own(self.sender),
        };
        self.resolved_to() == to
    }

    /// Returns the messagees it was addressed to when its delivery began, if they were recorded.
    pub(crate) fn audience(&self) -> Option<&'a Audience> {
        self.extras.resumed.and_then(|resumed| resumed.audience)
    }

    /// Returns `true` if its header says that it is to be retained.
    #[inline]
    pub(crate) fn is_retained(&self) -> bool {
        self.extras.posted.is_some_and(|posted| posted.mark.retain)
    }

    /// The one messagee that it is for.
    pub(crate) fn addressee(&self) -> Option<MessageeId> {
        match self.resolved_to() {
            Recipient::Id(id) => Some(id),
            Recipient::Hook(hook) => match self.world.hooking(hook) {
                Hooking::Attached(at) => Some(at.owner),
                Hooking::Awaited(owner) => Some(owner),
                Hooking::Gone | Hooking::Foreign => self.extras.resumed?.addressee,
            },
            _ => None,
        }
    }

    /// The sender's messagee, where the send leaves it out.
    pub(crate) fn except(&self) -> Option<MessageeId> {
        match self.to {
            Recipient::EveryoneElse => self.sender.id(),
            _ => None,
        }
    }

    /// The name of the message type.
    #[inline]
    pub(crate) fn message(&self) -> &'static str {
        self.facts.name
    }

    /// The tags of the message by its header, in addition to those of its type.
    pub(crate) fn own_tags(&self) -> TagSet {
        self.extras
            .posted
            .map_or(TagSet::EMPTY, |posted| posted.mark.tags)
    }

    /// How many receivers the header requires, or for what has none the manager's default.
    pub(crate) fn wanted(&self) -> usize {
        let require = match self.extras.posted {
            Some(posted) => posted.mark.require,
            None if self.sender == Sender::Manager => 0,
            None => self.world.config.required_by_default(*self.to),
        };
        require as usize
    }

    /// What is being reported while the message is sent: by the message itself, or by one that a handler around it
    /// is handling.
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

    /// Who has overheard something that led to this message, or overhears itself.
    #[cold]
    pub(crate) fn overhearers(&self) -> impl Iterator<Item = MessageeId> {
        let around = std::iter::successors(Some(self), |sent| sent.parent.map(|frame| frame.sent));
        around
            .filter_map(|sent| sent.extras.resumed)
            .flat_map(|resumed| {
                resumed
                    .overhearer
                    .into_iter()
                    .chain(resumed.overhearers.iter().copied())
            })
    }

    /// The handlers that are running.
    #[cold]
    pub(crate) fn chain(&self) -> Chain {
        Chain::new(self.running())
    }

    /// Like [`chain`](Self::chain), but names the cycle if one of the handlers would receive the message type again.
    #[cold]
    pub(crate) fn chain_at_limit(&self) -> Chain {
        Chain::at_limit(self.running(), self.place, |link| {
            self.message() == link.message
                && match link.receiver.messagee() {
                    Some(id) => self.world.is_meant(id, *self.to, self.sender),
                    // A subscriber may listen to the messages of one sender.
                    None => self.place == link.place,
                }
        })
    }

    /// The handlers that are running, the outermost first.
    pub(crate) fn running(&self) -> Vec<ChainLink> {
        let frames = std::iter::successors(self.parent, |frame| frame.sent.parent);
        let mut links: Vec<ChainLink> = frames.map(Frame::link).collect();
        links.reverse();
        links
    }
}

/// Who receives a message although it is about to be removed: the manager's own last words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeavingTarget {
    Hook(HookId),
    Messagee(MessageeId),
    /// It is disabled, and hears of that.
    Disabled(HookId),
}

/// One delivery that is running.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) sent: &'a Sent<'a>,
    /// The messagee that the receiver sends as: its own, or for a subscription its owner.
    pub(crate) me: Option<MessageeId>,
    /// Who is running.
    pub(crate) spot: ReceiverSlot,
}

impl<'a> Frame<'a> {
    /// A component is running, which a messagee has in a slot.
    #[inline]
    pub(crate) fn at(roster: &Roster, slot: u32, me: MessageeId, sent: &'a Sent<'a>) -> Self {
        let component = roster.component();
        Self {
            sent,
            me: Some(me),
            spot: ReceiverSlot { component, slot },
        }
    }
}

/// Which subscription it is, and whose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subscribed {
    pub(crate) id: SubscriptionId,
    pub(crate) owner: Option<MessageeId>,
}

impl<'a> Frame<'a> {
    /// The delivery to a subscription.
    #[inline]
    pub(crate) fn of_subscription(sent: &'a Sent<'a>, subscribed: Subscribed) -> Self {
        Self {
            sent,
            me: subscribed.owner,
            spot: ReceiverSlot::subscription(subscribed.id),
        }
    }

    /// The sender of what is sent from here.
    #[inline]
    pub(crate) fn sender(&self) -> Sender {
        self.me.map_or(Sender::Outside, Sender::Messagee)
    }

    /// Who is running.
    pub(crate) fn receiver(&self) -> Receiver {
        self.sent.world.receiver(self.spot)
    }

    pub(crate) fn link(&self) -> ChainLink {
        ChainLink {
            receiver: self.receiver(),
            message: self.sent.message(),
            place: self.sent.place,
        }
    }
}

impl World {
    /// Who is in a spot, and running.
    pub(crate) fn receiver(&self, spot: ReceiverSlot) -> Receiver {
        if let Some(at) = spot.as_subscription() {
            let listed = self.subscriptions.listed(at);
            return Receiver::Subscription(listed.expect("who is running is listed").id());
        }
        receiver_at(self.pools.at(spot.component), spot.slot as usize)
    }
}

/// The component in a slot.
pub(crate) fn receiver_at(pool: &Pool, slot: usize) -> Receiver {
    Receiver::Component {
        messagee: pool.roster().owner(slot),
        component: pool.roster().component_name(),
    }
}

/// What to do when a receiver is busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnBusy {
    Keep,
    Refuse,
}

/// Who can be busy: a component by type and slot, or a subscription by its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReceiverSlot {
    pub(crate) component: u32,
    pub(crate) slot: u32,
}

impl ReceiverSlot {
    /// Stands where a component type would.
    const SUBSCRIPTION: u32 = u32::MAX;

    pub(crate) fn new(pool: &Pool, slot: usize) -> Self {
        Self {
            component: pool.roster().component(),
            slot: u32::try_from(slot).expect("slots are counted in 32 bits"),
        }
    }

    #[inline]
    pub(crate) fn subscription(id: SubscriptionId) -> Self {
        Self {
            component: Self::SUBSCRIPTION,
            slot: id.0.place(),
        }
    }

    /// The place in the table, if it is a subscription's.
    pub(crate) fn as_subscription(self) -> Option<usize> {
        (self.component == Self::SUBSCRIPTION).then_some(self.slot as usize)
    }
}

/// The deliveries of one send, and what they add up to.
pub(crate) struct Delivery<'a> {
    pub(crate) sent: &'a Sent<'a>,
    pub(crate) replies: Replies<'a>,
    pub(crate) tally: Tally,
    /// Deferred receivers; allocated on demand.
    pub(crate) waiting: Option<Box<Waiting<'a>>>,
    pub(crate) on_busy: OnBusy,
    /// How often components had been enabled or disabled in this dispatch when it began.
    pub(crate) begun: u64,
    /// `true` if deliveries are traced.
    pub(crate) traced: bool,
    /// `true` if a panic ends with the component.
    pub(crate) catches: bool,
}

/// The outcomes of the deliveries of one send, counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) received: usize,
    pub(crate) failed: u32,
    pub(crate) consumed: bool,
}

impl Tally {
    #[inline]
    pub(crate) fn receipt(self) -> Receipt {
        Receipt::counted(self.received, self.failed as usize, self.consumed)
    }
}

/// Who can be written to and is not yet there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unborn {
    Messagee(MessageeId),
    Component(HookId),
}

/// Who cannot receive a message now.
#[derive(Default)]
pub(crate) struct Waiting<'a> {
    /// The busy receivers: those to keep the message for, or the one that refused it.
    busy: SmallVec<[ReceiverSlot; 4]>,
    /// Where that is known, until the send ends: what is sent to the busy ones meanwhile was sent later.
    promised_in: Option<&'a World>,
    /// Those among the busy ones that overhear it.
    pub(crate) overhearing: SmallVec<[Overhearing; 2]>,
    /// The subscriptions that ask for retained messages and have received this one, or for which it waits.
    pub(crate) told: SmallVec<[SubscriptionId; 2]>,
    /// The subscriptions that receive it in a stage of their own.
    pub(crate) staged: SmallVec<[Staging; 4]>,
    /// The number of the busy ones that do not count as receivers.
    pub(crate) hidden: usize,
    /// Who the whole send is for and is not yet there; nothing was delivered.
    pub(crate) unborn: Option<Unborn>,
    /// Some of those the send is for, who are not yet alive.
    pub(crate) newborns: SmallVec<[MessageeId; 2]>,
    /// Some of those the send is for, who stand for messagees of other managers: it is not written for them yet.
    pub(crate) proxies: SmallVec<[MessageeId; 2]>,
    /// The number of proxies that it could not be written for.
    pub(crate) unreached: u32,
    /// The reason that it could not be written for a proxy that it was sent to alone.
    pub(crate) not_carried: Option<SendError>,
    /// The interceptor that is busy, and its number; nothing was delivered.
    pub(crate) intercepting: Option<(ReceiverSlot, u64)>,
}

/// A busy component that overhears a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overhearing {
    pub(crate) spot: ReceiverSlot,
    /// The subscription by which it does.
    pub(crate) by: SubscriptionId,
    /// The message is the one that the subscription wanted, and others have received it.
    pub(crate) has_used_up: bool,
}

/// A subscription that receives a message in a stage of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Staging {
    pub(crate) spot: ReceiverSlot,
    pub(crate) stage: Stage,
    /// For how many receivers it counts.
    pub(crate) counts: usize,
}

impl<'a> Waiting<'a> {
    pub(crate) fn busy(&self) -> &[ReceiverSlot] {
        &self.busy
    }

    /// Remembers a receiver that is busy.
    #[cold]
    pub(crate) fn add_busy(&mut self, world: &'a World, spot: ReceiverSlot) {
        world.promise(spot);
        self.promised_in = Some(world);
        self.busy.push(spot);
    }

    /// Returns `true` if there are only such receivers who want it later.
    pub(crate) fn is_for_later(&self) -> bool {
        self.busy.is_empty()
            && self.unborn.is_none()
            && self.newborns.is_empty()
            && self.proxies.is_empty()
            && self.intercepting.is_none()
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(world) = self.promised_in {
            for &spot in &self.busy {
                world.withdraw(spot);
            }
        }
    }
}

impl<'a> Delivery<'a> {
    #[inline]
    pub(crate) fn new(sent: &'a Sent<'a>, replies: Replies<'a>, on_busy: OnBusy) -> Self {
        Self {
            sent,
            replies,
            tally: Tally::default(),
            waiting: None,
            on_busy,
            begun: sent.world.switches.count(),
            traced: sent.world.subscriptions.are_traced(),
            catches: sent.world.config.panic_policy != PanicPolicy::Propagate,
        }
    }

    /// Goes on with a send of which more is known.
    pub(crate) fn with_sent<'s>(&mut self, sent: &'s Sent<'s>) -> Delivery<'s>
    where
        'a: 's,
    {
        Delivery {
            sent,
            replies: std::mem::replace(&mut self.replies, Replies::Ignore),
            waiting: self.waiting.take(),
            ..*self
        }
    }

    #[cold]
    pub(crate) fn waiting(&mut self) -> &mut Waiting<'a> {
        self.waiting.get_or_insert_default()
    }

    #[inline]
    pub(crate) fn receipt(&self) -> Receipt {
        self.tally.receipt()
    }
}
