//! Sending from a handler or a subscriber, and the inlet for threads that it starts.

use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::context::Context;
use crate::error::{SendError, SendErrorKind};
use crate::inlet::Inlet;
use crate::message::{Facts, Message, OwnedMessage};
use crate::post::{PostCall, Ticket};
use crate::receipt::Receipt;
use crate::send::{Delivered, Frame, OnBusy, Origin, Replies, Sent, Speaker, carry_or_deliver};
use crate::world::World;

impl<R> Speaker for Context<'_, R> {
    #[inline]
    fn speaks_for(&self) -> Sender {
        self.frame.sender()
    }

    #[inline]
    fn world(&self) -> &World {
        self.frame.sent.world
    }

    type Origin<'s>
        = &'s Frame<'s>
    where
        Self: 's;

    #[inline]
    fn origin(&self) -> Option<&Frame<'_>> {
        Some(&self.frame)
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
        let from = &self.frame;
        if from.world().outside.proxies.any() {
            return carry_or_deliver(from, facts, to, place, message, replies, on_busy);
        }
        let sent = from.sent_of(facts, to, place);
        sent.deliver(replies, on_busy, message)
    }

    #[inline]
    fn post_held(&mut self, call: &mut PostCall<'_>) -> Result<Ticket, SendError> {
        post(&self.frame, call)
    }

    #[inline]
    fn publication(
        &mut self,
        facts: &'static Facts,
        to: Recipient,
        place: &'static Location<'static>,
    ) -> Result<Sent<'_>, SendError> {
        Ok((&self.frame).sent_of(facts, to, place))
    }
}

/// Posts a message: compiled once.
fn post(frame: &Frame<'_>, call: &mut PostCall<'_>) -> Result<Ticket, SendError> {
    match call.post_again(frame.sent.world, frame.sender().id()) {
        Some(ticket) => Ok(ticket),
        None => call.post_anew(frame),
    }
}

impl<R> Context<'_, R> {
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
    /// manager.speak_for(guest)?.send(host, Knock)?;
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
            sender @ (Sender::Outside | Sender::Manager) => {
                let kind = SendErrorKind::NobodyToReplyTo { sender };
                Err(SendError::of(Some(M::NAME), None, kind))
            }
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
