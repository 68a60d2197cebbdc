//! Acting on behalf of a messagee, from outside its handlers.
//!
//! This module has the methods that use the messagee as the sender or that resolve `Me` to it. The manager
//! sends, posts and publishes through them, too, with the outside as the sender. All other methods are the
//! manager's own, through `Deref`.

mod mail;
mod posting;
mod send;
mod writer;

use std::ops::{Deref, DerefMut};

pub use writer::MailWriter;

use crate::address::{MessageeId, Sender};
use crate::error::{SendError, SendErrorKind};
use crate::manager::MessageManager;
use crate::structure::Structure;
use crate::trace::{TraceId, because_of};

/// A manager that acts on behalf of a messagee, from
/// [`MessageManager::as_messagee`](crate::MessageManager::as_messagee).
///
/// Messages that are sent, posted or published through it have the messagee as their sender, and `Me` and
/// `EveryoneElse` mean the same as in its handlers. It dereferences to the manager, so all other methods are
/// available too: a function that takes `&mut AsMessagee<'_>` can do everything that a handler can. Its calls
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
/// manager.as_messagee(guest)?.send(door, Knock)?;
/// assert_eq!(manager.get::<Door>(door)?.knocked, Some(guest));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AsMessagee<'m> {
    manager: &'m mut MessageManager,
    /// `Outside` for the manager itself, whose sends are those of a messagee but for the sender.
    sender: Sender,
}

impl<'m> AsMessagee<'m> {
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
    /// let as_orc = manager.as_messagee(orc)?;
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

    /// Names the cause of what is sent meanwhile, as [`MessageManager::with_cause`] does.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Scream;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// let cause = None; // The `trace_id` of some mail, say.
    /// let mut as_orc = manager.as_messagee(orc)?;
    /// let sent = as_orc.with_cause(cause, |as_orc| as_orc.send(Everyone, Scream))?;
    /// assert_eq!(sent.received, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_cause<T>(
        &mut self,
        cause: impl Into<Option<TraceId>>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let cause = cause.into().or(self.manager.world.trace.cause());
        because_of(self, |this| &this.manager.world.trace, cause, run)
    }
}

/// Checks that the sender is still alive. `message` is the name of the message type.
fn check_sender(
    structure: &Structure,
    sender: Sender,
    message: &'static str,
) -> Result<(), SendError> {
    let messagees = &structure.messagees;
    match sender.id() {
        // The second one finds proxies, too.
        Some(id) if !messagees.is_here(id) && !messagees.is_alive(id) => {
            let to = id.into();
            Err(SendErrorKind::Gone { to, message }.into())
        }
        _ => Ok(()),
    }
}

impl Deref for AsMessagee<'_> {
    type Target = MessageManager;

    fn deref(&self) -> &MessageManager {
        self.manager
    }
}

impl DerefMut for AsMessagee<'_> {
    fn deref_mut(&mut self) -> &mut MessageManager {
        self.manager
    }
}
