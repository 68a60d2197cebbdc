//! The manager: the outermost call, which alone may change the structure.
//!
//! Every method that takes `&mut self` first settles what a panic may have left, then acts, then
//! settles what its handlers asked for. So between calls nothing is pending and nothing is
//! borrowed.

mod addresses;
mod as_messagee;
mod cause;
mod components;
mod desk;
mod dynamic;
mod frame;
mod hooks;
mod inlet;
mod mail;
mod messagees;
mod naming;
mod posting;
mod send;
mod subscribing;
#[cfg(feature = "trace")]
mod tracing;

pub use as_messagee::AsMessagee;
pub use desk::Desk;
pub use frame::FrameReport;

use crate::address::MessageeId;
use crate::caught::keeping;
use crate::config::ManagerConfig;
use crate::dispatch::Outside;
use crate::error::{MessageeError, SendError};
use crate::identity::Identity;
use crate::link::try_registry;
use crate::receipt::Receipt;
use crate::registry::{RegistryError, TOO_MANY_MANAGERS};
use crate::room::Shrink;
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
    world: World,
}

impl MessageManager {
    /// Creates an empty manager with the default limits.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let manager = MessageManager::new();
    /// assert!(manager.is_empty());
    /// assert_eq!(manager.clock().frame(), 0); // No frame has begun.
    /// ```
    ///
    /// # Panics
    ///
    /// When the [registry](crate::registry()) is not valid, or 65 535 managers are alive already;
    /// [`try_new`](Self::try_new) returns both as errors.
    #[must_use]
    pub fn new() -> Self {
        Self::with_config(ManagerConfig::new())
    }

    /// Creates an empty manager with these limits.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let config = ManagerConfig::new().fixed_step(Duration::from_millis(10));
    /// let mut manager = MessageManager::with_config(config);
    /// assert_eq!(manager.tick(Duration::from_millis(35)).fixed_steps, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// When the [registry](crate::registry()) is not valid, or 65 535 managers are alive already;
    /// [`try_new`](Self::try_new) returns both as errors.
    #[must_use]
    pub fn with_config(config: ManagerConfig) -> Self {
        match Self::try_new(config) {
            Ok(manager) => manager,
            Err(error) => panic!("{error}"),
        }
    }

    /// Creates an empty manager with these limits, or returns why it cannot be created.
    ///
    /// ```
    /// use message_core::RegistryError;
    /// use message_core::prelude::*;
    ///
    /// let manager = MessageManager::try_new(ManagerConfig::new().max_depth(16))?;
    /// assert!(manager.is_empty());
    /// # Ok::<(), &'static RegistryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RegistryError::DuplicateIds`] when two message types of the program have one id,
    /// [`RegistryError::TooManyManagers`] when 65 535 managers are alive already.
    pub fn try_new(config: ManagerConfig) -> Result<Self, &'static RegistryError> {
        let registry = try_registry()?;
        let identity = Identity::new().ok_or(&TOO_MANY_MANAGERS)?;
        Ok(Self {
            world: World::new(identity, registry, config),
        })
    }

    /// Speaks for a messagee: what is sent through the returned handle has that messagee as its
    /// sender, and may go to `Me` and `EveryoneElse`. Needs the manager itself, so no handler can
    /// do it.
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
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn as_messagee(&mut self, id: MessageeId) -> Result<AsMessagee<'_>, MessageeError> {
        self.settle();
        self.world.check_alive(id)?;
        Ok(AsMessagee::new(self, id))
    }

    /// Delivers and changes what a panic in a handler has left pending. Every call that may
    /// change the manager begins with this; it does nothing when nothing is left.
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
    /// When a handler panics.
    #[inline]
    pub fn settle(&mut self) {
        if self.world.pending.is_unsettled() {
            self.world.kept.restart_count();
            self.world.settle_outermost();
        }
    }

    /// Gives back all memory that is not in use, as [`Vec::shrink_to_fit`] does: the room that lists
    /// and tables have for more messagees, components, messages and changes than there are.
    ///
    /// Nothing else changes: what is delivered and in which order, which id the next spawn returns,
    /// the storage order. What stays is a few bytes for each place that messagees, components and
    /// subscriptions have taken, so that stale ids stay stale. The [names](Self::set_name) of messagees
    /// that are gone are forgotten.
    ///
    /// A manager does much of this by itself: in every 64th frame it gives back memory of which less
    /// than a quarter was needed since the last such frame. Call this to free memory at once, or where
    /// no frames run.
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
    /// As [`settle`](Self::settle), which comes first.
    pub fn shrink_to_fit(&mut self) {
        self.settle();
        self.world.shrink(Shrink::ToFit);
    }

    fn outside(&self) -> Outside<'_> {
        Outside::of(&self.world)
    }

    /// Makes a change from outside: after what a panic left, before what follows from it.
    fn change<T>(&mut self, change: impl FnOnce(&mut World) -> T) -> T {
        self.settle();
        let mut result = Some(change(&mut self.world));
        if self.world.pending.is_unsettled() {
            keeping(&mut result, None, || self.world.settle_outermost());
        }
        result.expect("it is taken away by a panic alone")
    }

    /// Makes the changes that the handlers of a send have asked for, when nothing else is left of it.
    /// Returns how many handlers and subscribers have failed, of all that it led to.
    #[cold]
    fn settle_failures(&mut self) -> usize {
        self.world.settle_outermost();
        self.world.failures.take_settled()
    }

    /// As [`outermost`](Self::outermost), of a send, whose receipt counts all failures.
    #[inline]
    fn outermost_send(
        &mut self,
        run: impl FnOnce(&World) -> Result<Receipt, SendError>,
    ) -> Result<Receipt, SendError> {
        self.settle();
        let mut result = run(&self.world);
        if self.world.pending.is_unsettled() {
            self.settle_with(&mut result);
            if let Ok(receipt) = &mut result {
                receipt.failed = self.world.failures.take_settled();
            }
        }
        result
    }

    /// Runs an outermost call: what a panic left before it, what its handlers asked for after.
    #[inline]
    fn outermost<T>(
        &mut self,
        run: impl FnOnce(&World) -> Result<T, SendError>,
    ) -> Result<T, SendError> {
        self.settle();
        let mut result = run(&self.world);
        if self.world.pending.is_unsettled() {
            self.settle_with(&mut result);
        }
        result
    }

    /// As [`settle_with`](Self::settle_with), of what the only component that was asked has answered.
    #[cold]
    #[inline(never)]
    fn settle_answer<T>(
        &mut self,
        answer: impl FnOnce(&World) -> Result<T, SendError>,
    ) -> Result<T, SendError> {
        let mut answer = answer(&self.world);
        self.settle_with(&mut answer);
        answer
    }

    /// Makes the changes that a call has asked for. If a handler panics meanwhile, the result of the
    /// call is dropped: nobody will have it.
    #[cold]
    #[inline(never)]
    fn settle_with<T>(&mut self, result: &mut Result<T, SendError>) {
        let nothing = Err(SendError::Unregistered { message: "" });
        keeping(result, nothing, || self.world.settle_outermost());
    }
}

impl Default for MessageManager {
    fn default() -> Self {
        Self::new()
    }
}
