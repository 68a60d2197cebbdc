//! Messages that were accepted and not delivered.

use crate::envelope::Envelope;
use crate::error::Undelivered;
use crate::message::{AnyMessage, MessageId};

/// A message that was accepted but not delivered.
///
/// Either it was posted, and could not be delivered or reached fewer receivers than its header requires; or it was
/// kept for a receiver that did not receive it. The dead letter is sent to everyone right after, or, for a kept
/// message, when the outermost send ends. A message that is posted by a subscriber of dead letters can become a dead
/// letter too, but a dead letter itself cannot. If nobody receives it, and the header required receivers or a limit
/// was the reason, it is [reported](crate::ManagerConfig::report_to).
///
/// ```
/// use message_core::lifecycle::DeadLetter;
/// use message_core::prelude::*;
/// use std::sync::mpsc;
/// use std::time::Duration;
///
/// #[derive(Message, Debug)]
/// struct Reload { rounds: u32 }
///
/// let mut manager = MessageManager::new();
/// let (log, lines) = mpsc::channel();
/// manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
///     let _ = log.send(letter.to_string());
/// });
/// let gun = manager.spawn(());
/// manager.post(&Header::to(gun).after_frames(1).build()?, Reload { rounds: 6 })?;
/// manager.despawn(gun)?;
/// manager.tick(Duration::from_millis(16));
/// assert!(lines.recv()?.contains("messagee 0v0 is gone"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct DeadLetter {
    /// The envelope of the message.
    pub envelope: Envelope,
    /// The name of the message's type.
    pub name: &'static str,
    /// The id of the message's type.
    pub id: MessageId,
    /// The message. `None` when it is still wanted: it repeats and is not `Clone`, or somebody
    /// receives it later.
    pub message: Option<Box<dyn AnyMessage>>,
    /// The number of receivers that the header requires.
    pub wanted: usize,
    /// The number of receivers that have received it or will, not counting the hidden ones.
    pub got: usize,
    /// The part of the delivery that failed.
    pub why: Undelivered,
}

/// Prints the message that was not delivered, its recipient, the place where it was sent, and the reason.
impl std::fmt::Display for DeadLetter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let envelope = &self.envelope;
        write!(
            f,
            "`{}` from {} to {}, posted at {}, was not delivered: {}",
            self.name, envelope.sender, envelope.recipient, envelope.place, self.why
        )?;
        if self.wanted > 0 {
            let Self { got, wanted, .. } = self;
            write!(f, " (received by {got}, expected at least {wanted})")?;
        }
        Ok(())
    }
}
