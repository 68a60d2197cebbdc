//! The seam to messagees that live elsewhere: in another manager, another process or on another machine.
//!
//! A *proxy* is a messagee that represents one of those. It has no components. Its record has a *destination*, a number
//! that only the carrier understands. A send finds the proxies among its receivers and passes its message to the
//! [`Carrier`] once for each of them. How the message is written, where it waits and who transports it is not known
//! here.

use std::any::Any;
use std::cell::OnceCell;
use std::fmt;
use std::panic::Location;

use crate::address::{MessageeId, Sender};
use crate::error::CarryError;
use crate::header::Header;
use crate::message::{AnyMessage, MessageIndex};
use crate::storage::{Messagees, Record};

/// The data that is carried with a message.
#[derive(Clone, Copy)]
pub(crate) struct Carrying<'a> {
    pub(crate) proxy: MessageeId,
    pub(crate) sender: Sender,
    /// The header that applies on the other side; `None` if it would be empty.
    pub(crate) header: Option<&'a Header>,
    pub(crate) place: &'static Location<'static>,
}

/// Carries messages to messagees that live elsewhere.
///
/// A manager has at most one carrier. Its methods are called during sends and despawns, and must not use the manager.
pub(crate) trait Carrier: Any + Send + fmt::Debug {
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
pub(crate) struct Proxies(OnceCell<Box<dyn Carrier>>);

impl Proxies {
    /// Returns `true` if there can be proxies.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.0.get().is_some()
    }

    /// Returns the carrier, if it has this type.
    pub(crate) fn carrier<C: Carrier>(&self) -> Option<&C> {
        let carrier: &dyn Any = &**self.0.get()?;
        carrier.downcast_ref()
    }

    /// Like [`carrier`](Self::carrier), to change it.
    pub(crate) fn carrier_mut<C: Carrier>(&mut self) -> Option<&mut C> {
        let carrier: &mut dyn Any = &mut **self.0.get_mut()?;
        carrier.downcast_mut()
    }

    /// Returns the carrier. Installs it if there is none.
    ///
    /// # Panics
    ///
    /// Panics if the carrier has another type.
    pub(crate) fn install<C: Carrier + Default>(&mut self) -> &mut C {
        self.0.get_or_init(|| Box::<C>::default());
        self.carrier_mut().expect("a manager has one carrier")
    }

    /// Returns `true` if a message of that type was carried.
    pub(crate) fn have_carried(&self, of: MessageIndex) -> bool {
        self.0.get().is_some_and(|carrier| carrier.has_carried(of))
    }

    /// Notes that a messagee has ended.
    #[inline]
    pub(crate) fn note_end(&mut self, id: MessageeId) {
        if let Some(carrier) = self.0.get_mut() {
            carrier.note_end(id);
        }
    }

    /// Passes a message to the carrier.
    pub(crate) fn carry(
        &self,
        messagees: &Messagees,
        carrying: Carrying<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(), CarryError> {
        let record = messagees.get(carrying.proxy);
        let destination = record.and_then(Record::destination);
        let (Some(destination), Some(carrier)) = (destination, self.0.get()) else {
            return Err(CarryError::Unreachable);
        };
        carrier.carry(destination, carrying, message)
    }
}
