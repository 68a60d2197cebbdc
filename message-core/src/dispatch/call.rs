//! One send under way: what all of its deliveries share, what they add up to, and the links by
//! which a nested send knows what is running around it.
//!
//! Header and frame live on the stack of the send that made them and point outwards. So the
//! chain of running handlers is always at hand for an error, and costs nothing to keep.

use std::panic::Location;

use smallvec::SmallVec;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::error::{Chain, ChainLink};
use crate::message::Message;
use crate::receipt::Receipt;
use crate::storage::AnyPool;
use crate::world::World;

/// What all deliveries of one send share. Made in place by whoever sends, and only referred to
/// from there on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header<'a> {
    pub(crate) world: &'a World,
    /// The delivery whose handler sends the message, if one does.
    pub(crate) parent: Option<&'a Frame<'a>>,
    pub(crate) sender: Sender,
    pub(crate) place: &'static Location<'static>,
    pub(crate) to: &'a Recipient,
    /// The name of the message type.
    pub(crate) message: &'static &'static str,
    /// How deep the send is nested; one from outside is the first.
    pub(crate) depth: usize,
    /// Who is called although it is about to be removed.
    pub(crate) farewell: Option<Farewell>,
    /// Whether this is the delivery of a kept message. Whoever delivers it goes on with the next,
    /// so that a long queue takes no more of the stack than a short one.
    pub(crate) kept: bool,
}

impl<'a> Header<'a> {
    /// A message that no handler sends.
    #[inline]
    pub(crate) fn outside<M: Message>(
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
            message: &M::NAME,
            depth: 1,
            farewell: None,
            kept: false,
        }
    }

    /// The sender's messagee, where the send leaves it out.
    pub(crate) fn except(&self) -> Option<MessageeId> {
        match self.to {
            Recipient::EveryoneElse => self.sender.id(),
            _ => None,
        }
    }

    /// Whether the message, or one that a handler around it is handling, is of that type.
    #[cold]
    pub(crate) fn is_within(&self, message: &str) -> bool {
        *self.message == message
            || self
                .parent
                .is_some_and(|frame| frame.header.is_within(message))
    }

    /// The handlers that are running.
    #[cold]
    pub(crate) fn chain(&self) -> Chain {
        let frames = std::iter::successors(self.parent, |frame| frame.header.parent);
        let mut links: Vec<ChainLink> = frames.map(Frame::link).collect();
        links.reverse();
        Chain(links.into())
    }
}

/// Who receives a message although it is about to be removed: the manager's own last words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Farewell {
    Hook(HookId),
    Messagee(MessageeId),
}

/// One delivery that is running.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) header: &'a Header<'a>,
    pub(crate) me: MessageeId,
    pub(crate) hook: HookId,
    pub(crate) component: u32,
}

impl Frame<'_> {
    fn link(&self) -> ChainLink {
        ChainLink {
            messagee: self.me,
            component: self.header.world.pool(self.component).component_name(),
            message: self.header.message,
            place: self.header.place,
        }
    }
}

/// What to do with the answers.
pub(crate) enum Replies<'a, R> {
    Ignore,
    /// Keep the first, and stop there.
    First(&'a mut Option<R>),
    All(&'a mut Vec<(MessageeId, R)>),
}

/// What to do when a receiver is busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnBusy {
    Keep,
    Refuse,
}

/// A component by type and slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Spot {
    pub(crate) component: u32,
    pub(crate) slot: u32,
}

impl Spot {
    pub(crate) fn new(pool: &dyn AnyPool, slot: usize) -> Self {
        Self {
            component: pool.component(),
            slot: u32::try_from(slot).expect("slots are counted in 32 bits"),
        }
    }
}

/// The deliveries of one send, and what they add up to.
pub(crate) struct Call<'a, R> {
    pub(crate) header: &'a Header<'a>,
    pub(crate) replies: Replies<'a, R>,
    pub(crate) tally: Tally,
    /// What only a send to someone who cannot receive it now needs.
    pub(crate) waiting: Option<Box<Waiting>>,
    pub(crate) on_busy: OnBusy,
}

/// How many deliveries came to what.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) received: usize,
    pub(crate) failed: u32,
    pub(crate) consumed: bool,
}

impl Tally {
    #[inline]
    pub(crate) fn add(&mut self, other: Self) {
        self.received += other.received;
        self.failed += other.failed;
        self.consumed |= other.consumed;
    }
}

/// Who cannot receive a message now.
#[derive(Default)]
pub(crate) struct Waiting {
    /// The busy receivers: those to keep the message for, or the one that refused it.
    pub(crate) busy: SmallVec<[Spot; 4]>,
    /// The messagee the whole send is for and that is not yet alive; nothing was delivered.
    pub(crate) unborn: Option<MessageeId>,
}

impl<'a, R> Call<'a, R> {
    #[inline]
    pub(crate) fn new(header: &'a Header<'a>, replies: Replies<'a, R>, on_busy: OnBusy) -> Self {
        Self {
            header,
            replies,
            tally: Tally::default(),
            waiting: None,
            on_busy,
        }
    }

    #[cold]
    pub(crate) fn waiting(&mut self) -> &mut Waiting {
        self.waiting.get_or_insert_default()
    }

    #[inline]
    pub(crate) fn receipt(&self) -> Receipt {
        Receipt {
            received: self.tally.received,
            pending: 0,
            failed: self.tally.failed as usize,
            consumed: self.tally.consumed,
        }
    }
}
