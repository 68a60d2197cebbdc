//! Receivers that missed a message that was kept for them.

use std::fmt;

use crate::error::Receiver;

/// A receiver that missed a message that was kept for it.
///
/// [`Undelivered::Lost`](crate::error::Undelivered::Lost) lists these receivers.
///
/// ```
/// use message_core::error::{Loss, Undelivered};
/// use message_core::lifecycle::DeadLetter;
/// use message_core::prelude::*;
/// use std::sync::mpsc;
///
/// #[derive(Message)]
/// struct Hit;
///
/// #[derive(Message)]
/// struct Loot;
///
/// struct Orc;
///
/// #[handlers]
/// impl Orc {
///     #[on_receive]
///     fn hit(&mut self, _: &Hit, cx: &mut Context<'_>) -> Result<(), HandlerError> {
///         cx.send(Me, Loot)?; // Kept: the orc is busy until this method returns.
///         cx.despawn(cx.me())?;
///         Ok(())
///     }
///
///     #[on_receive]
///     fn loot(&mut self, _: &Loot) {}
/// }
///
/// let mut manager = MessageManager::new();
/// let (log, letters) = mpsc::channel();
/// manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
///     let _ = log.send(letter.why.clone());
/// });
/// let orc = manager.spawn((Orc,));
/// manager.send(orc, Hit)?;
/// let Undelivered::Lost { receivers } = letters.recv()? else { unreachable!() };
/// assert_eq!(receivers[0].receiver.messagee(), Some(orc));
/// assert_eq!(receivers[0].why, Loss::Left);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LostReceiver {
    /// The component or subscription that did not receive the message.
    pub receiver: Receiver,
    /// The reason.
    pub why: Loss,
}

/// The reason that a [`LostReceiver`] did not receive a message that was kept for it.
///
/// ```
/// use message_core::error::{Loss, Undelivered};
///
/// fn may_come_back(why: &Undelivered) -> bool {
///     let Undelivered::Lost { receivers } = why else { return false };
///     receivers.iter().any(|lost| lost.why == Loss::Disabled)
/// }
///
/// assert!(!may_come_back(&Undelivered::NoHandler));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Loss {
    /// It was unhooked, or its messagee was despawned.
    Left,
    /// It was disabled when its turn came.
    Disabled,
    /// It panicked under [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook).
    Panicked,
}

impl fmt::Display for LostReceiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.why {
            Loss::Left => "which has left",
            Loss::Disabled => "which was disabled",
            Loss::Panicked => "which has panicked",
        };
        write!(f, "{}, {why}", self.receiver)
    }
}

/// Describes the lost receivers.
pub(super) fn lost(receivers: &[LostReceiver]) -> String {
    let texts: Vec<String> = receivers.iter().map(LostReceiver::to_string).collect();
    texts.join("; for ")
}
