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
use crate::send::{Extras, Sent};
use crate::trace::{BackFrom, SentElsewhere, TraceId, Traced};

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
            world.listen.retained.get_mut().note_birth(id);
            id
        })
    }

    /// Traces that a message has arrived because of a send in another manager. Returns the number of that event, or
    /// `None` while nothing is traced. A carrier makes it the [cause](Self::with_cause) of the send or post that delivers
    /// the message.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::trace::SentElsewhere;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// Recorder::new(100).start(&mut manager);
    /// let of = SentElsewhere {
    ///     manager: "zone-3".into(),
    ///     send: 7,
    ///     place: "src/zone.rs:12:9".into(),
    ///     context: None,
    /// };
    /// let cause = manager.trace_arrival(&Ping, Sender::Outside, orc, of);
    /// manager.with_cause(cause, |manager| manager.send(orc, Ping))?;
    ///
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let sent = recorder.events().nth(1).and_then(|event| event.send).expect("it was sent");
    /// let why = recorder.explain(sent).expect("it was recorded").to_string();
    /// assert!(why.contains("has arrived: #7 of `zone-3`, sent at src/zone.rs:12:9"), "{why}");
    /// # Ok::<(), SendError>(())
    /// ```
    #[track_caller]
    pub fn trace_arrival(
        &self,
        message: &dyn AnyMessage,
        sender: Sender,
        to: impl Into<Recipient>,
        of: SentElsewhere,
    ) -> Option<TraceId> {
        self.trace_coming(message, sender, to.into(), || Traced::Arrived { of })
    }

    /// Traces that another manager has answered or refused a send of this one. Returns the number of that event, or `None`
    /// while nothing is traced. A carrier makes it the [cause](Self::with_cause) of the send that delivers the answer, or
    /// of [`report_undelivered`](Self::report_undelivered). The message is the answer, or the message that was refused.
    ///
    /// ```
    /// use message_core::lifecycle::DeadLetter;
    /// use message_core::input::ForeignInput;
    /// use message_core::prelude::*;
    /// use message_core::trace::BackFrom;
    /// use message_trace::{Recorder, TraceFilter};
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
    /// manager.subscribe(Filter::of::<DeadLetter>(), |_, _| {});
    /// let far = manager.spawn_proxy(3, &Far);
    /// Recorder::new(100).start(&mut manager);
    /// assert!(manager.send(far, Ping).is_err()); // There is no carrier.
    ///
    /// let sent = Recorder::of(&manager).and_then(|it| it.events().next()?.send).expect("it was sent");
    /// let (number, place, why) = (None, None, Some("it is full".into()));
    /// let from = BackFrom { manager: "zone-3".into(), sent, frame: 80, number, place, why };
    /// let cause = manager.trace_return(&Ping, Sender::Outside, far, from);
    /// manager.with_cause(cause, |manager| {
    ///     manager.report_undelivered(far, Sender::Outside, Box::new(Ping), "it is full".into());
    /// });
    ///
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let letters = TraceFilter::of::<DeadLetter>();
    /// let letter = recorder.select(&letters).find_map(|event| event.send).expect("there is one");
    /// let why = recorder.explain(letter).expect("it was recorded").to_string();
    /// assert!(why.contains("Ping` sent by outside"), "{why}");
    /// assert!(why.contains("has come back from `zone-3`, in frame 80 there: it is full"), "{why}");
    /// ```
    #[track_caller]
    pub fn trace_return(
        &self,
        message: &dyn AnyMessage,
        sender: Sender,
        to: impl Into<Recipient>,
        from: BackFrom,
    ) -> Option<TraceId> {
        self.trace_coming(message, sender, to.into(), || Traced::CameBack { from })
    }

    #[track_caller]
    fn trace_coming(
        &self,
        message: &dyn AnyMessage,
        sender: Sender,
        to: Recipient,
        what: impl FnOnce() -> Traced,
    ) -> Option<TraceId> {
        let world = self.world();
        if !world.trace.is_on() {
            return None;
        }
        let sent = Sent::of_type(message.facts(), world, sender, to, Location::caller());
        Some(world.trace.came(sent.subject(), what()))
    }

    /// Reports that a message to a proxy was not delivered where the proxy leads to, or that one from elsewhere was not
    /// delivered here. It becomes a [`DeadLetter`](crate::lifecycle::DeadLetter) with this reason. A carrier that calls this passes an input of its
    /// own first, by [`foreign_input`](Self::foreign_input). Inside [`with_cause`](Self::with_cause), the dead letter is in
    /// the trace one of the send with that number.
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
            let extras = Extras::NONE.numbered(world.trace.cause());
            let sent = Sent::of_type(message.facts(), world, sender, to, place).with(&extras);
            sent.bury(Undelivered::Elsewhere { why }, 0, Some(message));
        });
    }
}
