//! Acting on behalf of a messagee, from outside its handlers.
//!
//! The [verbs](crate::verbs) use the messagee as the sender and resolve `Me` to it. All other methods are the
//! manager's own, through `Deref`.

use std::ops::{Deref, DerefMut};

use crate::address::{MessageeId, Sender};
use crate::error::MessageeError;
use crate::manager::send::FromOutside;
use crate::manager::{Desk, MessageManager};
use crate::send::Outside;

/// A manager that acts on behalf of a messagee, from
/// [`MessageManager::speak_for`](crate::MessageManager::speak_for).
///
/// Messages that are sent, posted or published through it have the messagee as their sender, and `Me` and
/// `EveryoneElse` mean the same as in its handlers. It dereferences to the manager, so all other methods are
/// available too: a function that takes `&mut SpeakingFor<'_>` can do everything that a handler can. Its calls
/// take effect at once, like calls from outside.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Knock;
///
/// #[derive(Default)]
/// struct Door { knocked: Option<MessageeId> }
///
/// #[handlers]
/// impl Door {
///     #[on_receive]
///     fn knock(&mut self, _: &Knock, cx: &mut Context<'_>) {
///         self.knocked = cx.sender().id();
///     }
/// }
///
/// let mut manager = MessageManager::new();
/// let door = manager.spawn((Door::default(),));
/// let guest = manager.spawn(());
/// manager.speak_for(guest)?.send(door, Knock)?;
/// assert_eq!(manager.get::<Door>(door)?.knocked, Some(guest));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SpeakingFor<'m> {
    pub(super) manager: &'m mut MessageManager,
    /// `Outside` for an input that is replayed from a log, and for a writer of the manager.
    sender: Sender,
}

impl<'m> SpeakingFor<'m> {
    pub(crate) fn new(manager: &'m mut MessageManager, sender: Sender) -> Self {
        Self { manager, sender }
    }

    /// Returns the messagee that this speaks for, alive or not.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// let as_orc = manager.speak_for(orc)?;
    /// assert_eq!(as_orc.me(), orc);
    /// assert!(as_orc.is_alive(as_orc.me()));
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn me(&self) -> MessageeId {
        match self.sender.id() {
            Some(me) => me,
            None => unreachable!("users are only given those of messagees"),
        }
    }

    /// Returns the messagee's desk. This is [`MessageManager::desk`](crate::MessageManager::desk) followed by
    /// [`Desk::speak_for`](crate::Desk::speak_for).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Wish;
    ///
    /// let mut manager = MessageManager::new();
    /// let (santa, child) = (manager.spawn(()), manager.spawn(()));
    /// manager.speak_for(child)?.desk()?.publish(santa, Wish)?;
    /// assert_eq!(manager.published::<Wish>().from(child).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::Absence::Gone) if the messagee has gone meanwhile.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`MessageManager::desk`](crate::MessageManager::desk).
    pub fn desk(&mut self) -> Result<Desk<'_>, MessageeError> {
        let me = self.me();
        self.manager.desk().speak_for(me)
    }
}

impl FromOutside for SpeakingFor<'_> {
    const IS_PROGRAM: bool = false;

    type From<'s>
        = Outside<'s>
    where
        Self: 's;

    /// Returns the messagee as the origin, if it is still alive and nothing has to be done before a send.
    #[inline]
    fn from(&self) -> Option<Outside<'_>> {
        let (world, sender) = (self.manager.world(), self.sender);
        let is_alive = |id| world.structure.messagees.is_alive(id);
        let is_short = world.waiting.pending.is_quiet() && sender.id().is_none_or(is_alive);
        is_short.then_some(Outside { world, sender })
    }

    #[inline]
    fn sender(&self) -> Sender {
        self.sender
    }

    fn manager(&self) -> &MessageManager {
        self.manager
    }

    fn manager_mut(&mut self) -> &mut MessageManager {
        self.manager
    }
}

impl Deref for SpeakingFor<'_> {
    type Target = MessageManager;

    fn deref(&self) -> &MessageManager {
        self.manager
    }
}

impl DerefMut for SpeakingFor<'_> {
    fn deref_mut(&mut self) -> &mut MessageManager {
        self.manager
    }
}
