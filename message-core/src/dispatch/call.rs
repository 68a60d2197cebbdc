//! One send under way: what all of its deliveries share, what they add up to, and the links by
//! which a nested send knows what is running around it.
//!
//! Header and frame live on the stack of the send that made them and point outwards. So the
//! chain of running handlers is always at hand for an error, and costs nothing to keep.

use std::panic::Location;

use smallvec::SmallVec;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::error::{Chain, ChainLink};
use crate::world::World;

/// From where a message is sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'a> {
    pub(crate) sender: Sender,
    /// The handler that sends it, if one does.
    pub(crate) parent: Option<&'a Frame<'a>>,
    pub(crate) place: &'static Location<'static>,
}

impl<'a> Origin<'a> {
    pub(crate) fn outside(place: &'static Location<'static>) -> Self {
        Self {
            sender: Sender::Outside,
            parent: None,
            place,
        }
    }

    pub(crate) fn chain(&self, world: &World) -> Chain {
        let frames = std::iter::successors(self.parent, |frame| frame.header.origin.parent);
        let mut links: Vec<ChainLink> = frames.map(|frame| frame.link(world)).collect();
        links.reverse();
        Chain(links.into())
    }

    pub(crate) fn depth(&self) -> usize {
        self.parent.map_or(1, |frame| frame.header.depth + 1)
    }
}

/// What all deliveries of one send share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header<'a> {
    pub(crate) world: &'a World,
    pub(crate) origin: Origin<'a>,
    pub(crate) to: Recipient,
    pub(crate) message: &'static str,
    pub(crate) depth: usize,
    /// Who is called although it is about to be removed.
    pub(crate) farewell: Farewell,
}

/// Who receives a message although it is about to be removed: the manager's own last words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Farewell {
    None,
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
    fn link(&self, world: &World) -> ChainLink {
        ChainLink {
            messagee: self.me,
            component: world.pool(self.component).component_name(),
            message: self.header.message,
            place: self.header.origin.place,
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

/// The deliveries of one send, and what they add up to.
pub(crate) struct Call<'a, R> {
    pub(crate) header: &'a Header<'a>,
    pub(crate) replies: Replies<'a, R>,
    pub(crate) on_busy: OnBusy,
    /// The sender's messagee, where the send leaves it out.
    pub(crate) except: Option<MessageeId>,
    pub(crate) received: usize,
    pub(crate) failed: usize,
    pub(crate) consumed: bool,
    /// The busy receivers: those to keep the message for, or the one that refused it.
    pub(crate) busy: SmallVec<[Spot; 2]>,
    /// Set when the message is for a messagee that is not yet alive; nothing was delivered.
    pub(crate) unborn: Option<MessageeId>,
}

impl<'a, R> Call<'a, R> {
    #[inline]
    pub(crate) fn new(header: &'a Header<'a>, replies: Replies<'a, R>, on_busy: OnBusy) -> Self {
        Self {
            header,
            replies,
            on_busy,
            except: None,
            received: 0,
            failed: 0,
            consumed: false,
            busy: SmallVec::new(),
            unborn: None,
        }
    }
}
