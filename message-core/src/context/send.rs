//! Sending from a handler or a subscriber, and the inlet for threads that it starts.

use std::any::Any;
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::context::Context;
use crate::error::{SendError, SendErrorKind, SharedError};
use crate::inlet::Inlet;
use crate::message::{AnyMessage, Facts, Message, Request};
use crate::receipt::Receipt;
use crate::send::erased::{OwnedMessage, Replies};
use crate::send::{Deliver, Delivered, OnBusy, Verdict, call_single, entry};

impl<R> Deliver for Context<'_, R> {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "the usual case of a sending line: W1, W3, W8"
    )]
    fn call_single<M: Message>(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut M,
        reply: &mut Option<M::Reply>,
    ) -> Verdict {
        call_single(&self.frame, to, place, message, reply)
    }

    fn last_failure(&self) -> Option<SharedError> {
        self.frame.sent.world.waiting.failures.last()
    }

    #[inline(never)]
    fn deliver(
        &mut self,
        facts: &'static Facts,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn OwnedMessage,
        replies: &mut Replies<'_>,
        on_busy: OnBusy,
    ) -> Delivered {
        entry::deliver(&self.frame, facts, to, place, message, replies, on_busy)
    }
}

impl<R> Context<'_, R> {
    /// Sends a message, like [`MessageManager::send`](crate::MessageManager::send), with the receiving
    /// messagee as its sender. The sender of a message from a subscriber is its owner, or
    /// [`Outside`](Sender::Outside) if it has none. A receiver that is already running gets the message as
    /// soon as it is free.
    ///
    /// ```
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
    /// manager.send(guard, Shot)?;
    /// assert_eq!(manager.get::<Gate>(gate)?.alarmed_by, Some(guard));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`MessageManager::send`](crate::MessageManager::send), and
    /// [`TooDeep`](crate::SendErrorKind::TooDeep) and [`TooManyKept`](crate::SendErrorKind::TooManyKept)
    /// beyond the manager's limits.
    #[track_caller]
    pub fn send<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Receipt, SendError> {
        self.send_one(to.into(), Location::caller(), message)
    }

    /// Sends an in–out message: what the receivers write into it is there when the call returns.
    ///
    /// ```
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
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send). Since the message cannot be kept, also returns
    /// [`Busy`](crate::SendErrorKind::Busy) if a receiver is already running,
    /// [`NotYetThere`](crate::SendErrorKind::NotYetThere) and, for a proxy,
    /// [`Elsewhere`](crate::SendErrorKind::Elsewhere). Nobody has received the message then.
    #[track_caller]
    pub fn send_mut<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        self.send_lent(to.into(), Location::caller(), message)
    }

    /// Sends a request and returns the first answer in the order of delivery.
    ///
    /// ```
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
    /// let tank = manager.spawn((Gun { shots: 0 }, Magazine { rounds: 1 }));
    /// manager.send(tank, Fire)?;
    /// manager.send(tank, Fire)?;
    /// assert_eq!(manager.get::<Gun>(tank)?.shots, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send_mut`](Self::send_mut), and
    /// [`NoAnswer`](crate::SendErrorKind::NoAnswer).
    #[track_caller]
    pub fn request<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<M::Reply, SendError> {
        self.ask_one(to.into(), Location::caller(), message)
    }

    /// Sends a request and returns every answer in the order of delivery, each with who gave it.
    ///
    /// ```
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
    /// let [_troll, orc] = [30, 10].map(|hp| manager.spawn((Health { hp },)));
    /// manager.send(healer, Choose)?;
    /// assert_eq!(manager.get::<Healer>(healer)?.patient, Some(orc));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send_mut`](Self::send_mut). It is not an error if nobody answers.
    #[track_caller]
    pub fn request_all<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        self.ask_all(to.into(), Location::caller(), message)
    }

    /// Sends a message whose type is not known here, like
    /// [`MessageManager::send_any`](crate::MessageManager::send_any). It does the same as
    /// [`send`](Self::send) with the message itself.
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
    /// manager.send(button, Press)?;
    /// assert!(manager.get::<Program>(program)?.over);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send). The message is dropped then, as it is there.
    #[track_caller]
    pub fn send_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<Receipt, SendError> {
        self.send_boxed(to.into(), Location::caller(), message)
    }

    /// Asks with a message whose type is not known here, as
    /// [`MessageManager::request_any`](crate::MessageManager::request_any) does. The answer comes in a
    /// box; it is of the message's reply type.
    ///
    /// ```
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
    /// let (probe, orc) = (manager.spawn((Probe,)), manager.spawn((Health { hp: 1 },)));
    /// assert!(manager.request(probe, IsAnsweredBy(orc))?);
    /// assert!(!manager.request(probe, IsAnsweredBy(probe))?);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NoReplyType`](crate::SendErrorKind::NoReplyType) when the message's type has no reply, otherwise
    /// those of [`request`](Self::request).
    #[track_caller]
    pub fn request_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<Box<dyn Any>, SendError> {
        self.ask_boxed(to.into(), Location::caller(), message)
    }

    /// Sends a message back to the sender of the message that is being received.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Knock;
    ///
    /// #[derive(Message)]
    /// struct ComeIn;
    ///
    /// struct Host;
    ///
    /// #[handlers]
    /// impl Host {
    ///     #[on_receive]
    ///     fn knock(&mut self, _: &Knock, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         cx.reply(ComeIn)?;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// #[derive(Default)]
    /// struct Guest { is_inside: bool }
    ///
    /// #[handlers]
    /// impl Guest {
    ///     #[on_receive]
    ///     fn come_in(&mut self, _: &ComeIn) { self.is_inside = true; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (host, guest) = (manager.spawn((Host,)), manager.spawn((Guest::default(),)));
    /// manager.as_messagee(guest)?.send(host, Knock)?;
    /// assert!(manager.get::<Guest>(guest)?.is_inside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send), and
    /// [`NobodyToReplyTo`](crate::SendErrorKind::NobodyToReplyTo) if the sender is
    /// [`Outside`](Sender::Outside) or the [`Manager`](Sender::Manager).
    #[track_caller]
    pub fn reply<M: Message>(&mut self, message: M) -> Result<Receipt, SendError> {
        match self.sender() {
            Sender::Messagee(id) => self.send(id, message),
            sender @ (Sender::Outside | Sender::Manager) => Err(SendErrorKind::NobodyToReplyTo {
                sender,
                message: M::NAME,
            }
            .into()),
        }
    }

    /// Returns the inlet for other threads, as
    /// [`MessageManager::inlet`](crate::MessageManager::inlet) gives it: for a thread that is
    /// started here. What is posted through it has this delivery for its cause in the trace.
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    /// use std::thread::{self, JoinHandle};
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct FindPath { goal: u32 }
    ///
    /// #[derive(Message)]
    /// struct PathFound { steps: u32 }
    ///
    /// #[derive(Default)]
    /// struct Legs { search: Option<JoinHandle<bool>>, steps: u32 }
    ///
    /// #[handlers]
    /// impl Legs {
    ///     #[on_receive]
    ///     fn find(&mut self, find: &FindPath, cx: &mut Context<'_>) -> Result<(), HeaderError> {
    ///         let (inlet, home, goal) = (cx.inlet(), Header::to(cx.me()).build()?, find.goal);
    ///         self.search = Some(thread::spawn(move || {
    ///             let steps = (0..=goal).sum(); // It takes its time.
    ///             inlet.try_post(&home, PathFound { steps }).is_ok()
    ///         }));
    ///         Ok(())
    ///     }
    ///
    ///     #[on_receive]
    ///     fn found(&mut self, found: &PathFound) { self.steps = found.steps; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Legs::default(),));
    /// manager.send(orc, FindPath { goal: 4 })?;
    /// let search = manager.get_mut::<Legs>(orc)?.search.take().expect("it was started");
    /// assert!(search.join().expect("no panic"));
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.get::<Legs>(orc)?.steps, 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn inlet(&self) -> Inlet {
        let world = self.world();
        let inlet = world.outside.inlet(&world.common.config);
        inlet.with_cause(self.trace_id())
    }
}
