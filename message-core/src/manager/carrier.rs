//! Proxies, and the carrier of the messages that are sent to them.

use std::panic::Location;
use std::sync::Arc;

use crate::address::{MessageeId, Recipient, Sender};
use crate::carrier::Carrier;
use crate::error::Undelivered;
use crate::input::{ForeignInput, Input};
use crate::manager::MessageManager;
use crate::manager::entrance::Outermost;
use crate::message::AnyMessage;
use crate::send::Sent;

impl MessageManager {
    /// Like [`carrier`](Self::carrier), to change it. Installs the carrier if the manager has none.
    ///
    /// The change is not an input. Pass one to [`foreign_input`](Self::foreign_input) first if a log has to repeat it.
    ///
    /// # Panics
    ///
    /// Panics if the manager has a carrier of another type.
    ///
    /// ```
    /// use message_core::carrier::{Carrier, Carrying};
    /// use message_core::error::CarryError;
    /// use message_core::prelude::*;
    /// use message_core::registry::MessageIndex;
    ///
    /// #[derive(Debug, Default)]
    /// struct Closed { ended: usize }
    ///
    /// impl Carrier for Closed {
    ///     fn carry(&self, _: u32, _: Carrying<'_>, _: &dyn message_core::AnyMessage) -> Result<(), CarryError> {
    ///         Err(CarryError::Unreachable)
    ///     }
    ///     fn has_carried(&self, _: MessageIndex) -> bool { false }
    ///     fn note_end(&mut self, _: MessageeId) { self.ended += 1; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// assert_eq!(manager.carrier_mut::<Closed>().ended, 0);
    /// let orc = manager.spawn(());
    /// manager.despawn(orc)?;
    /// assert_eq!(manager.carrier_mut::<Closed>().ended, 1);
    /// # Ok::<(), MessageeError>(())
    /// ```
    pub fn carrier_mut<C: Carrier + Default>(&mut self) -> &mut C {
        self.no_input().outside.proxies.install()
    }

    /// Spawns a messagee that represents one elsewhere. Messages to it are passed to the carrier with this
    /// destination. The input is passed to the sink first. See [`Carrier`] for one that carries them.
    ///
    /// ```
    /// use message_core::error::CarryError;
    /// use message_core::input::ForeignInput;
    /// use message_core::prelude::*;
    /// use message_core::SendErrorKind;
    ///
    /// #[derive(Message, Debug)]
    /// struct Ping;
    ///
    /// #[derive(Debug)]
    /// struct SpawnProxy(u32);
    ///
    /// impl ForeignInput for SpawnProxy {
    ///     fn pass_to(&self, _: &mut dyn std::any::Any) {}
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let far = manager.spawn_proxy(3, &SpawnProxy(3));
    /// assert!(manager.is_proxy(far));
    ///
    /// // There is no carrier.
    /// let error = manager.send(far, Ping).expect_err("nobody carries it");
    /// let SendErrorKind::NotCarried { why } = error.kind() else { unreachable!() };
    /// assert_eq!(*why, CarryError::Unreachable);
    /// ```
    pub fn spawn_proxy(&mut self, destination: u32, input: &dyn ForeignInput) -> MessageeId {
        self.input(|| Input::Foreign(input)).change(|world| {
            let id = world.structure.keys.reserve_messagee();
            world.structure.messagees.insert_proxy(id, destination);
            id
        })
    }

    /// Reports that a message to a proxy was not delivered where the proxy leads to, or that one from elsewhere was not
    /// delivered here. It becomes a [`DeadLetter`](crate::lifecycle::DeadLetter) with this reason. A carrier that calls this passes an input of its
    /// own first, by [`foreign_input`](Self::foreign_input).
    ///
    /// ```
    /// use message_core::input::ForeignInput;
    /// use message_core::lifecycle::DeadLetter;
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// #[derive(Debug)]
    /// struct Far;
    ///
    /// impl ForeignInput for Far {
    ///     fn pass_to(&self, _: &mut dyn std::any::Any) {}
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (log, lines) = mpsc::channel();
    /// manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
    ///     let _ = log.send(letter.why.to_string());
    /// });
    /// let far = manager.spawn_proxy(3, &Far);
    /// manager.report_undelivered(far, Sender::Outside, Box::new(Ping), "node down".into());
    /// assert_eq!(lines.recv()?, "node down");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler that is notified panics, and under the same conditions as [`settle`](Self::settle), which is
    /// called first.
    #[track_caller]
    pub fn report_undelivered(
        &mut self,
        to: impl Into<Recipient>,
        sender: Sender,
        message: Box<dyn AnyMessage>,
        why: Arc<str>,
    ) {
        let (to, place) = (to.into(), Location::caller());
        self.settle();
        Outermost(self.no_input()).change(|world| {
            let sent = Sent::of_type(message.facts(), world, sender, to, place);
            sent.bury(Undelivered::Elsewhere { why }, 0, Some(message));
        });
    }
}
