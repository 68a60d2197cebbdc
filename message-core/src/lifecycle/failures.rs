//! Messages about failures: handlers that have failed or panicked, and messages that were not delivered.

use std::panic::Location;

use crate::address::{HookId, MessageeId, Sender};
use crate::envelope::Envelope;
use crate::error::{Chain, Receiver, SharedError, Undelivered, write_with_sources};
use crate::message::{AnyMessage, MessageId};

/// A handler has returned an error. Sent to everyone when the outermost send returns. If nobody
/// receives it, the failure is [reported](crate::ManagerConfig::report_to). A failure of a handler of
/// this message, or of one it has sent to, is counted and reported, but not sent.
///
/// ```
/// use message_core::lifecycle::HandlerFailed;
/// use message_core::prelude::*;
/// use std::sync::mpsc;
///
/// #[derive(Message)]
/// struct Load;
///
/// struct Gun;
///
/// #[handlers]
/// impl Gun {
///     #[on_receive]
///     fn load(&mut self, _: &Load) -> Result<(), HandlerError> { Err("it jams".into()) }
/// }
///
/// let mut manager = MessageManager::new();
/// let (log, lines) = mpsc::channel();
/// manager.subscribe(Filter::of::<HandlerFailed>(), move |failed, _| {
///     let _ = log.send(failed.to_string());
/// });
/// let gun = manager.spawn((Gun,));
/// assert_eq!(manager.send(gun, Load)?.failed, 1);
/// let line = lines.recv()?;
/// assert!(line.contains("of messagee 0v0 failed in `load`"));
/// assert!(line.ends_with(": it jams"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HandlerFailed {
    /// The messagee whose component failed.
    pub messagee: MessageeId,
    /// The component that failed.
    pub hook: HookId,
    /// The type of the component.
    pub component: &'static str,
    /// The method.
    pub handler: &'static str,
    /// The type of the message that it was handling.
    pub message: &'static str,
    /// The sender of that message.
    pub sender: Sender,
    /// The place where that message was sent.
    pub place: &'static Location<'static>,
    /// The handlers that were running around it.
    pub chain: Chain,
    /// The error.
    pub error: SharedError,
}

/// Prints who failed, in which handler, on which message, from whom, where that was sent, and the error
/// with its sources.
impl std::fmt::Display for HandlerFailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "`{}` of messagee {} failed in `{}` on `{}` from {}, sent at {}: ",
            self.component, self.messagee, self.handler, self.message, self.sender, self.place
        )?;
        write_with_sources(f, &*self.error)
    }
}

/// A handler or a subscriber has panicked, under [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook).
/// Sent to the messagee of the component, or to the owner of the subscription, or to everyone if it has
/// none, when the outermost send returns and the component or subscription is gone. If nobody receives
/// it, the panic is [reported](crate::ManagerConfig::report_to). It is the source of the
/// [`NoAnswer`](crate::SendErrorKind::NoAnswer) of a request.
///
/// ```
/// use message_core::lifecycle::HandlerPanicked;
/// use message_core::prelude::*;
/// use message_core::PanicPolicy;
///
/// #[derive(Message)]
/// struct Load;
///
/// struct Gun;
///
/// #[handlers]
/// impl Gun {
///     #[on_receive]
///     fn load(&mut self, _: &Load) { panic!("it jams") }
/// }
///
/// #[derive(Default)]
/// struct Crew { report: String }
///
/// #[handlers]
/// impl Crew {
///     #[on_receive]
///     fn note(&mut self, panicked: &HandlerPanicked) { self.report = panicked.to_string(); }
/// }
///
/// let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
/// let mut manager = MessageManager::with_config(config);
/// let tank = manager.spawn((Gun, Crew::default()));
/// assert_eq!(manager.send(tank, Load)?.failed, 1);
/// assert!(manager.get::<Gun>(tank).is_err());
/// assert!(manager.get::<Crew>(tank)?.report.contains("it jams"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[error("{receiver} panicked on `{message}` sent at {place}: {panic}")]
#[non_exhaustive]
pub struct HandlerPanicked {
    /// The receiver that panicked.
    pub receiver: Receiver,
    /// The component, if it was one.
    pub hook: Option<HookId>,
    /// The method, if it was a component's.
    pub handler: Option<&'static str>,
    /// The type of the message that it was handling.
    pub message: &'static str,
    /// The place where that message was sent.
    pub place: &'static Location<'static>,
    /// The handlers that were running around it.
    pub chain: Chain,
    /// The text of the panic.
    pub panic: String,
}

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

/// The clone has no message if that is not `Clone`.
impl Clone for DeadLetter {
    fn clone(&self) -> Self {
        Self {
            message: self.message.as_ref().and_then(|it| it.try_clone()),
            why: self.why.clone(),
            ..*self
        }
    }
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
