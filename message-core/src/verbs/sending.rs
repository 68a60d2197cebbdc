//! Sending and asking.

use std::any::Any;
use std::panic::Location;

use crate::address::{MessageeId, Recipient};
use crate::caught::Unclaimed;
use crate::error::{SendError, SendErrorKind};
use crate::message::{AnyMessage, Message, Request};
use crate::receipt::Receipt;
use crate::send::{AnyReply, Lent, OnBusy, Replies, Speaker, Verdict, call_single, unanswered};

verbs! {
    /// Sends a message to every receiver at the recipient, depth first: when it returns, every receiver has
    /// run, and everything they sent has been received too. A receiver that is already running gets the message
    /// as soon as it is free.
    ///
    /// Returns a receipt that counts the receivers. It is not an error if nobody receives the message.
    ///
    /// The sender is [`Outside`](crate::Sender::Outside) for a manager, and the messagee for
    /// [`speak_for`](crate::MessageManager::speak_for). In a handler, it is the receiving messagee; in a
    /// subscriber, its owner, or `Outside` if it has none.
    ///
    /// ```
    /// use message_core::Recipient::EveryoneElse;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Shot;
    ///
    /// #[derive(Message)]
    /// struct Alarm;
    ///
    /// struct Guard;
    ///
    /// #[handlers]
    /// impl Guard {
    ///     #[on_receive]
    ///     fn shot(&mut self, _: &Shot, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         cx.send(EveryoneElse, Alarm)?;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// #[derive(Default)]
    /// struct Gate { alarmed_by: Option<MessageeId> }
    ///
    /// #[handlers]
    /// impl Gate {
    ///     #[on_receive]
    ///     fn alarm(&mut self, _: &Alarm, cx: &mut Context<'_>) { self.alarmed_by = cx.sender().id(); }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (guard, gate) = (manager.spawn((Guard,)), manager.spawn((Gate::default(),)));
    /// let receipt = manager.send(guard, Shot)?;
    /// assert_eq!((receipt.received, receipt.failed), (1, 0));
    /// assert_eq!(manager.get::<Gate>(gate)?.alarmed_by, Some(guard));
    ///
    /// let passer_by = manager.spawn(());
    /// manager.speak_for(passer_by)?.send(gate, Alarm)?;
    /// assert_eq!(manager.get::<Gate>(gate)?.alarmed_by, Some(passer_by));
    ///
    /// manager.despawn(guard)?;
    /// let gone = manager.send(guard, Shot).unwrap_err();
    /// assert!(matches!(gone.kind(), SendErrorKind::Absent(Absence::Gone)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// With these errors, nobody has received the message: [`Gone`](crate::Absence::Gone), also if
    /// `speak_for` speaks for a messagee that has been despawned, [`OtherManager`](crate::Absence::OtherManager),
    /// [`Unbound`](crate::Absence::Unbound), [`NoSender`](crate::SendErrorKind::NoSender) for `Me` and
    /// `EveryoneElse` from outside, [`Unregistered`](crate::SendErrorKind::Unregistered), and
    /// [`AtLimit`](crate::SendErrorKind::AtLimit) beyond the depth and the kept messages that the manager's
    /// configuration allows.
    ///
    /// With these errors, others may have received it: [`NotReceived`](crate::SendErrorKind::NotReceived) if
    /// [`ManagerConfig::require`](crate::ManagerConfig::require) asks for more receivers; to a proxy,
    /// [`NotCarried`](crate::SendErrorKind::NotCarried).
    ///
    /// # Panics
    ///
    /// Panics if a handler panics. The manager stays consistent and usable. What was kept or queued is delivered at
    /// the start of the next call that may change the manager, or by
    /// [`settle`](crate::MessageManager::settle).
    #[track_caller]
    #[inline]
    pub fn send<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Receipt, SendError> {
        let (to, place) = (to.into(), Location::caller());
        // In an `Option` from the beginning, so that it is not moved when it is passed on.
        let mut message = Some(message);
        if let Some(message) = &mut message {
            let verdict = call_single(self.origin(), to, place, message, &mut None);
            if verdict != Verdict::NotCalled {
                return Ok(self.receipt_of(verdict));
            }
        }
        let (message, replies) = (&mut message, &mut Replies::Ignore);
        self.deliver(M::FACTS, to, place, message, replies, OnBusy::Keep)
            .result()
    }

    /// Sends an in–out message: later receivers see what earlier ones wrote into it, and so does the caller
    /// when the call returns. The message is lent, so it cannot be kept for a receiver that is already running.
    ///
    /// ```
    /// use message_core::Recipient::Me;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Fall { height: u32 }
    ///
    /// #[derive(Message)]
    /// struct Soften { damage: u32 }
    ///
    /// struct Body { hp: u32 }
    ///
    /// #[handlers]
    /// impl Body {
    ///     #[on_receive]
    ///     fn fall(&mut self, fall: &Fall, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         let mut blow = Soften { damage: fall.height };
    ///         cx.send_mut(Me, &mut blow)?;
    ///         self.hp -= blow.damage;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// struct Boots;
    ///
    /// #[handlers]
    /// impl Boots {
    ///     #[on_receive]
    ///     fn soften(&self, blow: &mut Soften) { blow.damage /= 2; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Body { hp: 10 }, Boots));
    /// manager.send(orc, Fall { height: 8 })?;
    /// assert_eq!(manager.get::<Body>(orc)?.hp, 6);
    ///
    /// let mut blow = Soften { damage: 8 };
    /// assert_eq!(manager.send_mut(orc, &mut blow)?.received, 1);
    /// assert_eq!(blow.damage, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send). Also returns [`Busy`](crate::SendErrorKind::Busy) if a
    /// receiver is already running, [`NotYetThere`](crate::Absence::NotYetThere) for a messagee that is not
    /// yet alive, and [`Elsewhere`](crate::Absence::Elsewhere) for a proxy. Nobody has received the message
    /// then.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`send`](Self::send).
    #[track_caller]
    pub fn send_mut<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        let (to, place) = (to.into(), Location::caller());
        let verdict = call_single(self.origin(), to, place, message, &mut None);
        if verdict != Verdict::NotCalled {
            return Ok(self.receipt_of(verdict));
        }
        let (message, replies) = (&mut Lent(message), &mut Replies::Ignore);
        self.deliver(M::FACTS, to, place, message, replies, OnBusy::Refuse)
            .result()
    }

    /// Asks every receiver at the recipient in the order of delivery until one answers, and returns that
    /// answer. Those after it are not asked.
    ///
    /// ```
    /// use message_core::Recipient::Me;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(reply = bool)]
    /// struct TakeRound;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// struct Magazine { rounds: u32 }
    ///
    /// #[handlers]
    /// impl Magazine {
    ///     #[on_receive]
    ///     fn take(&mut self, _: &TakeRound) -> bool {
    ///         let is_loaded = self.rounds > 0;
    ///         self.rounds -= u32::from(is_loaded);
    ///         is_loaded
    ///     }
    /// }
    ///
    /// struct Gun { shots: u32 }
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         self.shots += u32::from(cx.request(Me, TakeRound)?);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Gun { shots: 0 }, Magazine { rounds: 2 }));
    /// assert!(manager.request(tank, TakeRound)?);
    /// manager.send(tank, Fire)?;
    /// manager.send(tank, Fire)?;
    /// assert_eq!(manager.get::<Gun>(tank)?.shots, 1);
    ///
    /// let stone = manager.spawn(());
    /// let unanswered = manager.request(stone, TakeRound).unwrap_err();
    /// assert!(matches!(unanswered.kind(), SendErrorKind::NoAnswer { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send_mut`](Self::send_mut) except
    /// [`NotReceived`](crate::SendErrorKind::NotReceived), and [`NoAnswer`](crate::SendErrorKind::NoAnswer) if nobody
    /// answers.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`send`](Self::send).
    #[track_caller]
    #[inline]
    pub fn request<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        mut message: M,
    ) -> Result<M::Reply, SendError> {
        let (to, place) = (to.into(), Location::caller());
        let mut reply = Unclaimed(None);
        let verdict = call_single(self.origin(), to, place, &mut message, &mut reply.0);
        if verdict != Verdict::Answered {
            return self.ask_in_full(verdict, to, place, message);
        }
        self.settle_call();
        let reply = reply.0.take();
        reply.ok_or_else(|| unanswered(M::FACTS, to, None))
    }

    /// Asks every receiver at the recipient and returns every answer in the order of delivery, each with who
    /// gave it. If nobody answers, the list is empty.
    ///
    /// ```
    /// use message_core::Recipient::EveryoneElse;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(reply = u32)]
    /// struct GetHp;
    ///
    /// #[derive(Message)]
    /// struct Choose;
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn hp(&self, _: &GetHp) -> u32 { self.hp }
    /// }
    ///
    /// #[derive(Default)]
    /// struct Healer { patient: Option<MessageeId> }
    ///
    /// #[handlers]
    /// impl Healer {
    ///     #[on_receive]
    ///     fn choose(&mut self, _: &Choose, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         let answers = cx.request_all(EveryoneElse, GetHp)?;
    ///         self.patient = answers.into_iter().min_by_key(|&(_, hp)| hp).map(|(id, _)| id);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let healer = manager.spawn((Healer::default(),));
    /// let [troll, orc] = [30, 10].map(|hp| manager.spawn((Health { hp },)));
    /// manager.send(healer, Choose)?;
    /// assert_eq!(manager.get::<Healer>(healer)?.patient, Some(orc));
    /// assert_eq!(manager.request_all(Everyone, GetHp)?, [(troll, 30), (orc, 10)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`request`](Self::request) except [`NoAnswer`](crate::SendErrorKind::NoAnswer).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`send`](Self::send).
    #[track_caller]
    pub fn request_all<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        let (to, place) = (to.into(), Location::caller());
        let mut all: Unclaimed<Vec<(MessageeId, M::Reply)>> = Unclaimed::default();
        let (message, replies) = (&mut Some(message), &mut Replies::All(&mut all.0));
        self.deliver(M::FACTS, to, place, message, replies, OnBusy::Refuse)
            .result()?;
        Ok(std::mem::take(&mut all.0))
    }

    /// Sends a message whose type is not known here. It does the same as [`send`](Self::send) with the
    /// message itself.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Press;
    ///
    /// #[derive(Message)]
    /// struct Quit;
    ///
    /// struct Button { action: Option<Box<dyn AnyMessage>> }
    ///
    /// #[handlers]
    /// impl Button {
    ///     #[on_receive]
    ///     fn press(&mut self, _: &Press, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         if let Some(action) = self.action.take() {
    ///             cx.send_any(Everyone, action)?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// #[derive(Default)]
    /// struct Program { over: bool }
    ///
    /// #[handlers]
    /// impl Program {
    ///     #[on_receive]
    ///     fn quit(&mut self, _: &Quit) { self.over = true; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let program = manager.spawn((Program::default(),));
    /// let button = manager.spawn((Button { action: Some(Box::new(Quit)) },));
    /// manager.send_any(button, Box::new(Press))?;
    /// assert!(manager.get::<Program>(program)?.over);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send). The message is dropped then, as it is there.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`send`](Self::send).
    #[track_caller]
    pub fn send_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<Receipt, SendError> {
        let (to, place, facts) = (to.into(), Location::caller(), message.facts());
        let (message, replies) = (&mut Some(message), &mut Replies::Ignore);
        self.deliver(facts, to, place, message, replies, OnBusy::Keep)
            .result()
    }

    /// Sends a request whose type is not known here, like [`request`](Self::request). The answer is in a box;
    /// its type is the reply type of the message.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(reply = u32)]
    /// struct GetHp;
    ///
    /// #[derive(Message)]
    /// #[message(reply = bool)]
    /// struct IsAnsweredBy(MessageeId);
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn hp(&self, _: &GetHp) -> u32 { self.hp }
    /// }
    ///
    /// struct Probe;
    ///
    /// #[handlers]
    /// impl Probe {
    ///     #[on_receive]
    ///     fn probe(&mut self, probe: &IsAnsweredBy, cx: &mut Context<'_>) -> bool {
    ///         let answer = cx.request_any(probe.0, Box::new(GetHp));
    ///         answer.is_ok_and(|answer| answer.is::<u32>())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (probe, orc) = (manager.spawn((Probe,)), manager.spawn((Health { hp: 10 },)));
    /// assert!(manager.request(probe, IsAnsweredBy(orc))?);
    /// assert!(!manager.request(probe, IsAnsweredBy(probe))?);
    ///
    /// let question: Box<dyn AnyMessage> = Box::new(GetHp);
    /// let answer = manager.request_any(orc, question)?;
    /// assert_eq!(answer.downcast_ref::<u32>(), Some(&10));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`NoReplyType`](crate::SendErrorKind::NoReplyType) if the type of the message has no reply,
    /// and otherwise the same errors as [`request`](Self::request).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`send`](Self::send).
    #[track_caller]
    pub fn request_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<Box<dyn Any>, SendError> {
        let (to, place, facts) = (to.into(), Location::caller(), message.facts());
        if !facts.is_request() {
            return Err(SendError::new(facts.name, to, SendErrorKind::NoReplyType));
        }
        self.ask(facts, to, place, &mut Some(message))
            .map(|AnyReply(answer)| answer)
    }
}
