//! How a manager carries out the verbs, also on behalf of a messagee.

use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::error::{SendError, SendErrorKind};
use crate::mailbox::Unpublished;
use crate::manager::MessageManager;
use crate::message::{Facts, Message};
use crate::post::{PostCall, Posts, Ticket};
use crate::send::erased::{OwnedMessage, Replies};
use crate::send::{
    Delivered, OnBusy, Outside, Program, Publisher, Speaker, Verdict, call_single, entry,
};
use crate::world::World;

impl Speaker for MessageManager {
    #[inline]
    fn speaks_for(&self) -> Sender {
        Sender::Outside
    }

    #[inline]
    fn world(&self) -> &World {
        &self.world
    }

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
        #[cfg(feature = "data")]
        if self.world.outside.log.is_on() {
            return Verdict::Busy;
        }
        self.settle();
        call_single(Program(&self.world), to, place, message, reply)
    }

    #[inline]
    fn settle_call(&mut self) -> Option<usize> {
        let is_unsettled = self.world.waiting.pending.is_unsettled();
        is_unsettled.then(|| {
            self.world.settle_outermost();
            self.world.waiting.failures.settled.take()
        })
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
        log_input!(self.world => send(How::from(&*replies), to, Sender::Outside, message.get(), place));
        self.outermost_send(|world| {
            entry::deliver(Program(world), facts, to, place, message, replies, on_busy)
        })
    }

    #[inline]
    fn own(&self, posts: impl Into<Posts>) -> Posts {
        // There is nothing to resolve from outside.
        posts.into()
    }

    #[inline]
    fn post_held(&mut self, call: &mut PostCall<'_>) -> Result<Ticket, SendError> {
        self.post_for(Sender::Outside, call)
    }

    fn publisher(
        &mut self,
        to: Recipient,
        message: &'static str,
        place: &'static Location<'static>,
    ) -> Result<Publisher<'_>, SendError> {
        let sender = Sender::Outside;
        let world = self.begin_mail(sender, message)?;
        Ok(Publisher::outside(world, to, sender, place))
    }

    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "each message of a loop that publishes comes this way; W6-pass"
    )]
    fn publish_one<M: Message>(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(), SendError> {
        self.settle();
        let World {
            mail, structure, ..
        } = &mut self.world;
        let is_here = |id| structure.messagees.is_here(id);
        match mail.go_on(to, place, is_here, message) {
            // It belongs to the run of the last one.
            Ok(()) => Ok(()),
            Err(message) => self.publish_anew(to, place, &mut Some(message)),
        }
    }
}

impl MessageManager {
    /// Posts a message: compiled once.
    pub(super) fn post_for(
        &mut self,
        sender: Sender,
        call: &mut PostCall<'_>,
    ) -> Result<Ticket, SendError> {
        #[cfg(feature = "data")]
        if self.world.outside.log.is_on() {
            return self.post_anew(sender, call);
        }
        self.settle();
        let (id, world) = (sender.id(), &self.world);
        if id.is_some_and(|id| !world.structure.messagees.is_here(id)) {
            return self.post_anew(sender, call);
        }
        // Nothing is wrapped around this, since a result that is copied waits for the stores of the post: W5.
        match call.post_again(world, id) {
            Some(ticket) => Ok(ticket),
            None => self.post_anew(sender, call),
        }
    }

    #[inline(never)]
    fn post_anew(&mut self, sender: Sender, call: &mut PostCall<'_>) -> Result<Ticket, SendError> {
        log_input!(self.world => post(
            &call.header.with_recipient(call.to), sender, &*call.held.get(), call.place,
        ));
        self.check_sender(sender, call.held.facts().name)?;
        self.change(|world| call.post_anew(Outside { world, sender }))
    }

    /// Publishes a message that begins a run.
    #[cold]
    #[inline(never)]
    fn publish_anew(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn Unpublished,
    ) -> Result<(), SendError> {
        let name = message.get().name();
        self.publisher(to, name, place)?.publish(message)
    }

    /// Takes up the mailboxes of types that were registered meanwhile, and checks the sender.
    pub(crate) fn begin_mail(
        &mut self,
        sender: Sender,
        message: &'static str,
    ) -> Result<&mut World, SendError> {
        self.world.changes().take_up();
        self.check_sender(sender, message)?;
        Ok(&mut self.world)
    }

    /// Checks that the sender is still alive, after what a panic left. `message` is the name of the message type.
    pub(super) fn check_sender(
        &mut self,
        sender: Sender,
        message: &'static str,
    ) -> Result<(), SendError> {
        self.settle();
        let messagees = &self.world.structure.messagees;
        match sender.id() {
            // The second one finds proxies, too.
            Some(id) if !messagees.is_here(id) && !messagees.is_alive(id) => {
                let to = id.into();
                Err(SendErrorKind::Gone { to, message }.into())
            }
            _ => Ok(()),
        }
    }
}
