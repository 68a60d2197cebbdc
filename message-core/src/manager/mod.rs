//! The manager: the outermost call, which alone may change the structure.
//!
//! Every method that takes `&mut self` first passes its input to the log, then settles what a panic may have
//! left, then acts, then settles what its handlers asked for. So between calls nothing is pending and nothing
//! is borrowed. The log comes first, so that an input is also logged if settling panics; only frames begin
//! with settling, since their digests are those of a settled manager.

/// Passes an input to the log before it runs: `log_input!(self.world => impure("a closure", place))` calls a method
/// of `InputLog`. If no log is written, nothing is evaluated. A macro, because without the feature `data` neither
/// the log nor the types of the inputs exist.
macro_rules! log_input {
    ($world:expr => $($call:tt)+) => {
        #[cfg(feature = "data")]
        if let Some(log) = $world.input_log() {
            #[allow(unused_imports, reason = "each call uses at most one of them")]
            use crate::data::{How, Input};
            log.$($call)+;
        }
    };
}
pub(crate) use log_input;

mod actor;
mod as_messagee;
mod components;
mod creation;
mod desk;
mod frame;
mod inlet;
mod mail;
mod send;
mod tools;
#[cfg(feature = "trace")]
mod tracing;

use std::ops::Deref;

pub use as_messagee::AsMessagee;
pub use desk::Desk;
pub use frame::FrameReport;

use crate::address::{MessageeId, Sender};
use crate::caught::Unclaimed;
use crate::error::MessageeError;
#[cfg(feature = "data")]
use crate::inlet::Letter;
use crate::send::Delivered;
use crate::structure::Structure;
use crate::world::World;

/// One closed messaging system: messagees, their components, and the messages between them.
///
/// Several can live side by side (a world, its user interface, the hardware); they share nothing
/// but the types. A manager can be built on one thread and moved to another.
///
/// A manager that is dropped drops each component, message and closure that it holds. If some of these
/// panic when they are dropped, the others are dropped all the same, and the first panic goes on.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Damage { amount: u32 }
///
/// #[derive(Message)]
/// #[message(reply = u32)]
/// struct GetHp;
///
/// struct Health { hp: u32 }
///
/// #[handlers]
/// impl Health {
///     #[on_receive]
///     fn take_damage(&mut self, damage: &Damage) {
///         self.hp = self.hp.saturating_sub(damage.amount);
///     }
///
///     #[on_receive]
///     fn hp(&self, _: &GetHp) -> u32 { self.hp }
/// }
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn((Health { hp: 10 },));
/// manager.send(orc, Damage { amount: 3 })?;
/// assert_eq!(manager.request(orc, GetHp)?, 7);
/// # Ok::<(), SendError>(())
/// ```
#[derive(Debug)]
pub struct MessageManager {
    pub(crate) world: World,
    /// The letters of this frame while a log is replayed. They replace those from other threads.
    #[cfg(feature = "data")]
    pub(crate) replayed: Option<Vec<Letter>>,
}

impl From<World> for MessageManager {
    fn from(world: World) -> Self {
        Self {
            world,
            #[cfg(feature = "data")]
            replayed: None,
        }
    }
}

impl Deref for MessageManager {
    type Target = Structure;

    fn deref(&self) -> &Structure {
        &self.world.structure
    }
}

impl MessageManager {
    /// Acts on behalf of a messagee: messages that are sent through the returned handle have that messagee as
    /// their sender, and may be addressed to `Me` and `EveryoneElse`. This needs the manager itself, so no
    /// handler can do it.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Scream;
    ///
    /// #[derive(Default)]
    /// struct Ears { heard: Vec<MessageeId> }
    ///
    /// #[handlers]
    /// impl Ears {
    ///     #[on_receive]
    ///     fn hear(&mut self, _: &Scream, cx: &mut Context<'_>) {
    ///         self.heard.extend(cx.sender().id());
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Ears::default(),));
    /// let elf = manager.spawn((Ears::default(),));
    /// manager.as_messagee(orc)?.send(EveryoneElse, Scream)?;
    /// assert_eq!(manager.get::<Ears>(elf)?.heard, [orc]);
    /// assert!(manager.get::<Ears>(orc)?.heard.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    #[inline]
    pub fn as_messagee(&mut self, id: MessageeId) -> Result<AsMessagee<'_>, MessageeError> {
        self.settle();
        if !self.world.structure.messagees.is_here(id) {
            self.world.structure.check_alive(id)?;
        }
        Ok(AsMessagee::new(self, Sender::Messagee(id)))
    }

    /// Delivers the messages and makes the changes that a panic in a handler has left pending. Every call
    /// that may change the manager begins with this. It does nothing if nothing is pending.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::panic::{AssertUnwindSafe, catch_unwind};
    ///
    /// #[derive(Message)]
    /// struct Ignite;
    ///
    /// struct Bomb;
    ///
    /// #[handlers]
    /// impl Bomb {
    ///     #[on_receive]
    ///     fn ignite(&mut self, _: &Ignite, cx: &mut Context<'_>) {
    ///         cx.spawn_named("crater", ());
    ///         panic!("the fuse is broken");
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let bomb = manager.spawn((Bomb,));
    /// assert!(catch_unwind(AssertUnwindSafe(|| manager.send(bomb, Ignite))).is_err());
    /// assert_eq!(manager.find("crater").count(), 0);
    /// manager.settle();
    /// assert_eq!(manager.find("crater").count(), 1);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics.
    #[inline]
    pub fn settle(&mut self) {
        if self.world.waiting.pending.is_unsettled() {
            self.settle_left();
        }
    }

    #[cold]
    fn settle_left(&mut self) {
        self.world.waiting.kept.restart_count();
        self.world.settle_outermost();
    }

    /// Frees all memory that is not in use, like [`Vec::shrink_to_fit`]: the spare capacity of lists and
    /// tables for messagees, components, messages and changes.
    ///
    /// A manager frees little memory on its own: after a spike, it keeps the capacity for the next one. Call
    /// this when much less is needed from now on, such as after a level has been unloaded.
    ///
    /// Nothing else changes: deliveries and their order, the id that the next spawn returns, and the storage
    /// order stay the same. A few bytes remain for each place that messagees, components and subscriptions
    /// have taken, so that stale ids stay stale. The [names](Self::set_name) of messagees that are gone are
    /// forgotten.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let crowd: Vec<MessageeId> = (0..10_000).map(|_| manager.spawn(())).collect();
    /// for id in crowd {
    ///     manager.despawn(id)?;
    /// }
    /// manager.shrink_to_fit();
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`settle`](Self::settle), which is called first.
    pub fn shrink_to_fit(&mut self) {
        self.settle();
        self.world.shrink_to_fit();
    }

    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// Runs an outermost call: after what a panic left, before what its handlers have asked for.
    #[inline]
    pub(crate) fn change<T>(&mut self, change: impl FnOnce(&mut World) -> T) -> T {
        self.settle();
        let result = change(&mut self.world);
        if self.world.waiting.pending.is_unsettled() {
            return self.settle_after(result);
        }
        result
    }

    /// Makes the changes that a call has asked for. If a handler panics meanwhile, the result of the call is
    /// dropped: nobody will have it.
    #[cold]
    fn settle_after<T>(&mut self, result: T) -> T {
        let mut result = Unclaimed(Some(result));
        self.world.settle_outermost();
        result.0.take().expect("only a panic takes it away")
    }

    /// Runs an outermost send, whose receipt counts all failures.
    #[inline]
    fn outermost_send(&mut self, run: impl FnOnce(&World) -> Delivered) -> Delivered {
        self.settle();
        let result = run(&self.world);
        if self.world.waiting.pending.is_unsettled() {
            return self.settle_send(result);
        }
        result
    }

    /// Settles what a send has asked for, and counts all failures.
    #[cold]
    fn settle_send(&mut self, result: Delivered) -> Delivered {
        let mut result = self.settle_after(result).result();
        if let Ok(receipt) = &mut result {
            receipt.set_failed(self.world.waiting.failures.settled.take());
        }
        Delivered::of(result)
    }
}
