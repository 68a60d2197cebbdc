//! The carrier of the messages for other managers.

use crate::carrier::Carrier;

verbs_without_sender! {
    /// Returns the carrier, or `None` if the manager has none of this type. See [`Carrier`] for one that has
    /// carried something.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::carrier::{Carrier, Carrying};
    /// use message_core::error::CarryError;
    /// use message_core::prelude::*;
    /// use message_core::registry::MessageIndex;
    ///
    /// #[derive(Debug, Default)]
    /// struct Closed;
    ///
    /// impl Carrier for Closed {
    ///     fn carry(&self, _: u32, _: Carrying<'_>, _: &dyn AnyMessage) -> Result<(), CarryError> {
    ///         Err(CarryError::Unreachable)
    ///     }
    ///     fn has_carried(&self, _: MessageIndex) -> bool { false }
    ///     fn note_end(&mut self, _: MessageeId) {}
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// assert!(manager.carrier::<Closed>().is_none());
    /// manager.carrier_mut::<Closed>();
    /// assert!(manager.carrier::<Closed>().is_some());
    /// ```
    #[must_use]
    pub fn carrier<C: Carrier>(&self) -> Option<&C> {
        self.world().outside.proxies.carrier()
    }
}
