//! The messages that the manager itself sends.
//!
//! Any component may handle them. Their sender is [`Sender::Manager`].
//!
//! ```
//! use message_core::lifecycle::Hooked;
//! use message_core::prelude::*;
//!
//! #[derive(Default)]
//! struct Greeter { seen: usize }
//!
//! #[handlers]
//! impl Greeter {
//!     #[on_receive]
//!     fn welcome(&mut self, _: &Hooked) { self.seen += 1; }
//! }
//!
//! struct Hat;
//!
//! let mut manager = MessageManager::new();
//! let id = manager.spawn((Greeter::default(),));
//! manager.hook(id, Hat)?;
//! assert_eq!(manager.get::<Greeter>(id)?.seen, 2);
//! # Ok::<(), MessageeError>(())
//! ```

use std::panic::Location;

use crate::address::{HookId, MessageeId, Sender};
use crate::dispatch::{Envelope, Offers, RouteCell};
use crate::error::{Chain, Receiver, SharedError, Undelivered, write_with_sources};
use crate::link::Collector;
use crate::message::{AnyMessage, Message, MessageId, NoReply};
use crate::registry::Place;
use crate::tag::TagSet;

/// A component has been attached to the messagee. Sent to the messagee, the new component
/// included, right after.
///
/// ```
/// use message_core::lifecycle::Hooked;
/// use message_core::prelude::*;
///
/// #[derive(Default)]
/// struct Body { hooked: Vec<HookId> }
///
/// #[handlers]
/// impl Body {
///     #[on_receive]
///     fn note(&mut self, hooked: &Hooked) { self.hooked.push(hooked.hook); }
/// }
///
/// struct Hat;
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn((Body::default(),));
/// let hat = manager.hook(orc, Hat)?;
/// assert_eq!(manager.get::<Body>(orc)?.hooked.last(), Some(&hat));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hooked {
    /// The messagee.
    pub messagee: MessageeId,
    /// The component.
    pub hook: HookId,
    /// The type of the component.
    pub component: &'static str,
}

/// A component is about to be taken from the messagee. Sent to the messagee, that component
/// included, right before; when the whole messagee goes, after [`Despawning`], once for each
/// component.
///
/// ```
/// use message_core::lifecycle::Unhooking;
/// use message_core::prelude::*;
///
/// #[derive(Default)]
/// struct Body { lost: Vec<HookId> }
///
/// #[handlers]
/// impl Body {
///     #[on_receive]
///     fn note(&mut self, unhooking: &Unhooking) { self.lost.push(unhooking.hook); }
/// }
///
/// struct Hat;
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn((Body::default(),));
/// let hat = manager.hook(orc, Hat)?;
/// manager.unhook::<Hat>(hat)?;
/// assert_eq!(manager.get::<Body>(orc)?.lost, [hat]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Unhooking {
    /// The messagee.
    pub messagee: MessageeId,
    /// The component.
    pub hook: HookId,
    /// The type of the component.
    pub component: &'static str,
}

/// A component was disabled and is enabled again. Sent to the messagee, that component included, when
/// the outermost send returns.
///
/// ```
/// use message_core::lifecycle::{Disabled, Enabled};
/// use message_core::prelude::*;
///
/// #[derive(Default)]
/// struct Radio { switched: Vec<bool> }
///
/// #[handlers]
/// impl Radio {
///     #[on_receive]
///     fn on(&mut self, _: &Enabled) { self.switched.push(true); }
///
///     #[on_receive]
///     fn off(&mut self, _: &Disabled) { self.switched.push(false); }
/// }
///
/// let mut manager = MessageManager::new();
/// let id = manager.spawn((Radio::default(),));
/// let Some(radio) = manager.hooks(id).next() else { unreachable!() };
/// manager.set_enabled(radio, false)?;
/// manager.set_enabled(radio, true)?;
/// assert_eq!(manager.get::<Radio>(id)?.switched, [false, true]);
/// # Ok::<(), MessageeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Enabled {
    /// The messagee.
    pub messagee: MessageeId,
    /// The component.
    pub hook: HookId,
    /// The type of the component.
    pub component: &'static str,
}

/// A component was disabled. Sent to the messagee, that component included, when the outermost send
/// returns: it is the only message that a disabled component receives. See [`Enabled`].
///
/// ```
/// use message_core::lifecycle::Disabled;
/// use message_core::prelude::*;
///
/// #[derive(Default)]
/// struct Radio { silenced: u32 }
///
/// #[handlers]
/// impl Radio {
///     #[on_receive]
///     fn off(&mut self, _: &Disabled) { self.silenced += 1; }
/// }
///
/// let mut manager = MessageManager::new();
/// let id = manager.spawn(());
/// let radio = manager.hook(id, Radio::default())?;
/// manager.set_enabled(radio, false)?;
/// assert_eq!(manager.get::<Radio>(id)?.silenced, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Disabled {
    /// The messagee.
    pub messagee: MessageeId,
    /// The component.
    pub hook: HookId,
    /// The type of the component.
    pub component: &'static str,
}

/// The messagee is about to be removed. Sent to the messagee while all who go with it are still
/// there.
///
/// ```
/// use message_core::lifecycle::Despawning;
/// use message_core::prelude::*;
/// use std::sync::mpsc;
///
/// struct Will(mpsc::Sender<&'static str>);
///
/// #[handlers]
/// impl Will {
///     #[on_receive]
///     fn read(&mut self, _: &Despawning) {
///         let _ = self.0.send("my axe goes to my son");
///     }
/// }
///
/// let mut manager = MessageManager::new();
/// let (log, wills) = mpsc::channel();
/// let orc = manager.spawn((Will(log),));
/// manager.despawn(orc)?;
/// assert_eq!(wills.recv()?, "my axe goes to my son");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Despawning {
    /// The messagee.
    pub messagee: MessageeId,
}

/// A handler has returned an error. Sent to everyone when the outermost send returns. If nobody
/// receives it, the failure is [reported](crate::ManagerConfig::report_to). A failure of a handler of
/// this message, or of one it has sent to, is counted and reported, and not told.
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
#[derive(Debug)]
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
    /// Who sent that message.
    pub sender: Sender,
    /// Where that message was sent.
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
        let Self {
            messagee,
            component,
            handler,
            message,
            sender,
            place,
            error,
            ..
        } = self;
        write!(
            f,
            "`{component}` of messagee {messagee} failed in `{handler}` on `{message}` from \
             {sender}, sent at {place}: "
        )?;
        write_with_sources(f, &**error)
    }
}

/// A handler or a subscriber has panicked, under
/// [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook). Sent to the messagee of the component, or to
/// the owner of the subscription, or to everyone if it has none, when the outermost send returns and
/// what has panicked is gone. If nobody receives it, the panic is
/// [reported](crate::ManagerConfig::report_to).
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
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HandlerPanicked {
    /// Who panicked.
    pub receiver: Receiver,
    /// The component, if it was one.
    pub hook: Option<HookId>,
    /// The method, if it was a component's.
    pub handler: Option<&'static str>,
    /// The type of the message that it was handling.
    pub message: &'static str,
    /// Where that message was sent.
    pub place: &'static Location<'static>,
    /// The handlers that were running around it.
    pub chain: Chain,
    /// What the panic said.
    pub panic: String,
}

/// So that the [`NoAnswer`](crate::SendError::NoAnswer) of a request has it as its source.
impl std::error::Error for HandlerPanicked {}

/// Prints who panicked on what, and what the panic said.
impl std::fmt::Display for HandlerPanicked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            receiver,
            message,
            place,
            panic,
            ..
        } = self;
        write!(
            f,
            "{receiver} panicked on `{message}` sent at {place}: {panic}"
        )
    }
}

/// A posted message was not delivered, or not to as many as its header requires. Sent to everyone
/// right after. A message that a subscriber of dead letters posts becomes one too if need be; a
/// dead letter itself does not. If nobody receives it, and the header required receivers or a limit was
/// the reason, it is [reported](crate::ManagerConfig::report_to).
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
    /// How many receivers the header requires.
    pub wanted: usize,
    /// How many have received it or will, without the hidden ones.
    pub got: usize,
    /// Which part of the delivery failed.
    pub why: Undelivered,
}

/// Prints what was not delivered, to whom, from where, and why.
impl std::fmt::Display for DeadLetter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            envelope,
            name,
            wanted,
            got,
            why,
            ..
        } = self;
        write!(
            f,
            "`{name}` from {} to {}, posted at {}, was not delivered: {why}",
            envelope.sender, envelope.recipient, envelope.place
        )?;
        if *wanted > 0 {
            write!(f, " (received by {got}, expected {wanted} at least)")?;
        }
        Ok(())
    }
}

macro_rules! lifecycle_message {
    ($message:ident, $name:literal, clone = $clone:expr) => {
        #[diagnostic::do_not_recommend]
        impl Message for $message {
            type Reply = NoReply;
            const NAME: &'static str = $name;

            fn cell() -> &'static RouteCell<Self> {
                static CELL: RouteCell<$message> = RouteCell::new();
                &CELL
            }
        }

        impl $message {
            fn register(collector: &mut Collector) {
                let offers = Offers {
                    debug: Some(<Self as std::fmt::Debug>::fmt),
                    clone: $clone,
                    tags: TagSet::EMPTY,
                };
                let place = Place {
                    file: file!(),
                    line: line!(),
                };
                collector.message::<Self>(place, offers);
            }
        }
    };
}

lifecycle_message!(
    Hooked,
    "message_core::lifecycle::Hooked",
    clone = Some(Clone::clone)
);
lifecycle_message!(
    Unhooking,
    "message_core::lifecycle::Unhooking",
    clone = Some(Clone::clone)
);
lifecycle_message!(
    Enabled,
    "message_core::lifecycle::Enabled",
    clone = Some(Clone::clone)
);
lifecycle_message!(
    Disabled,
    "message_core::lifecycle::Disabled",
    clone = Some(Clone::clone)
);
lifecycle_message!(
    Despawning,
    "message_core::lifecycle::Despawning",
    clone = Some(Clone::clone)
);
lifecycle_message!(
    HandlerFailed,
    "message_core::lifecycle::HandlerFailed",
    clone = None
);

lifecycle_message!(
    HandlerPanicked,
    "message_core::lifecycle::HandlerPanicked",
    clone = Some(Clone::clone)
);

lifecycle_message!(
    DeadLetter,
    "message_core::lifecycle::DeadLetter",
    clone = None
);

/// Returns `true` if it is the id of a message that the manager itself sends.
pub(crate) fn is_own(id: MessageId) -> bool {
    [
        Hooked::ID,
        Unhooking::ID,
        Enabled::ID,
        Disabled::ID,
        Despawning::ID,
        HandlerFailed::ID,
        HandlerPanicked::ID,
        DeadLetter::ID,
    ]
    .contains(&id)
}

/// Tells the collector of the manager's own messages, which need no linking.
pub(crate) fn register(collector: &mut Collector) {
    Hooked::register(collector);
    Unhooking::register(collector);
    Enabled::register(collector);
    Disabled::register(collector);
    Despawning::register(collector);
    HandlerFailed::register(collector);
    HandlerPanicked::register(collector);
    DeadLetter::register(collector);
}
