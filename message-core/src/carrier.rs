//! Messagees that live elsewhere: in another manager, another process or on another machine.
//!
//! A *proxy* is a messagee that represents one of those. It has no components. Its record has a *destination*, a number
//! that only the carrier understands. A send finds the proxies among its receivers and passes its message to the
//! [`Carrier`] once for each of them. How the message is written, where it waits and who transports it is not known
//! here. The module `proxy` of the crate `message-net` has a carrier that writes messages to outboxes as bytes.

use std::any::Any;
use std::fmt;
use std::panic::Location;

use crate::address::{MessageeId, Sender};
use crate::error::CarryError;
use crate::header::Header;
use crate::message::{AnyMessage, MessageIndex};
use crate::storage::Record;
use crate::trace::{TraceContext, TraceId};

/// The data that is carried with a message.
///
/// ```
/// use message_core::carrier::Carrying;
///
/// /// A line for a log of what leaves the manager.
/// fn line(name: &str, Carrying { proxy, sender, place, .. }: Carrying<'_>) -> String {
///     format!("{name} from {sender:?} to {proxy}, sent at {place}")
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Carrying<'a> {
    /// The proxy that the message was sent to.
    pub proxy: MessageeId,
    /// The sender of the message.
    pub sender: Sender,
    /// The header that applies on the other side; `None` if it would be empty.
    pub header: Option<&'a Header>,
    /// The line that sent the message.
    pub place: &'static Location<'static>,
    /// The number of the send, while the manager is traced.
    pub send: Option<TraceId>,
    /// The ids by which other programs know the send: see [`TraceSink::context`](crate::trace::TraceSink::context).
    pub context: Option<TraceContext>,
}

/// Carries messages to messagees that live elsewhere.
///
/// A manager has at most one carrier. Its methods are called during sends and despawns, and must not use the manager.
///
/// ```
/// use message_core::carrier::{Carrier, Carrying};
/// use message_core::error::CarryError;
/// use message_core::input::ForeignInput;
/// use message_core::prelude::*;
/// use message_core::registry::MessageIndex;
/// use message_core::AnyMessage;
/// use std::cell::RefCell;
///
/// #[derive(Message, Debug)]
/// #[message(name = "docs.carrier.ping")]
/// struct Ping;
///
/// /// Counts the messages for one other manager.
/// #[derive(Debug, Default)]
/// struct Counts { carried: RefCell<Vec<(u32, &'static str)>> }
///
/// impl Carrier for Counts {
///     fn carry(&self, to: u32, _: Carrying<'_>, message: &dyn AnyMessage) -> Result<(), CarryError> {
///         self.carried.borrow_mut().push((to, message.name()));
///         Ok(())
///     }
///     fn has_carried(&self, _: MessageIndex) -> bool { true }
///     fn note_end(&mut self, _: MessageeId) {}
/// }
///
/// /// The input of a call of this crate: a log that knows it can repeat the call.
/// #[derive(Debug)]
/// struct SpawnProxy(u32);
///
/// impl ForeignInput for SpawnProxy {
///     fn pass_to(&self, _: &mut dyn std::any::Any) {}
/// }
///
/// let mut manager = MessageManager::new();
/// manager.carrier_mut::<Counts>();
/// let proxy = manager.spawn_proxy(7, &SpawnProxy(7));
/// assert_eq!(manager.send(proxy, Ping)?.received, 1);
/// let carried = manager.carrier::<Counts>().map(|it| it.carried.borrow().clone());
/// assert_eq!(carried, Some(vec![(7, "docs.carrier.ping")]));
/// # Ok::<(), message_core::SendError>(())
/// ```
pub trait Carrier: Any + Send + fmt::Debug {
    /// Takes over a message for the destination of its proxy.
    ///
    /// The message stays with its sender, so the carrier copies or writes it.
    ///
    /// # Errors
    ///
    /// Returns an error if the message cannot be carried. The carrier has kept nothing of it then.
    fn carry(
        &self,
        destination: u32,
        carrying: Carrying<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(), CarryError>;

    /// Returns `true` if a message of that type was ever carried.
    fn has_carried(&self, of: MessageIndex) -> bool;

    /// Notes that a messagee of the manager has ended.
    fn note_end(&mut self, id: MessageeId);
}

/// The carrier of a manager, installed on first use.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Proxies(Option<Box<dyn Carrier>>);

impl Proxies {
    /// Returns `true` if there can be proxies.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the carrier, if it has this type.
    #[must_use]
    pub fn carrier<C: Carrier>(&self) -> Option<&C> {
        let carrier: &dyn Any = self.0.as_deref()?;
        carrier.downcast_ref()
    }

    /// Returns the carrier. Installs it if there is none.
    ///
    /// # Panics
    ///
    /// Panics if the carrier has another type.
    pub fn install<C: Carrier + Default>(&mut self) -> &mut C {
        let carrier = self.0.get_or_insert_with(|| Box::<C>::default());
        let carrier: &mut dyn Any = &mut **carrier;
        carrier.downcast_mut().expect("a manager has one carrier")
    }

    /// Returns `true` if a message of that type was carried.
    pub(crate) fn have_carried(&self, of: MessageIndex) -> bool {
        self.0.as_deref().is_some_and(|it| it.has_carried(of))
    }

    /// Notes that a messagee has ended.
    #[inline]
    pub(crate) fn note_end(&mut self, id: MessageeId) {
        if let Some(carrier) = &mut self.0 {
            carrier.note_end(id);
        }
    }

    /// Passes a message to the carrier, given the record of its proxy.
    #[inline]
    pub(crate) fn carry(
        &self,
        proxy: Option<&Record>,
        carrying: Carrying<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(), CarryError> {
        let destination = proxy.and_then(Record::destination);
        let (Some(destination), Some(carrier)) = (destination, &self.0) else {
            return Err(CarryError::Unreachable);
        };
        carrier.carry(destination, carrying, message)
    }
}
