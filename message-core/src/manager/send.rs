//! How a manager carries out the verbs, also on behalf of a messagee.

use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::error::{SendError, SendErrorKind};
use crate::input::{Input, Way};
use crate::mailbox::Unpublished;
use crate::manager::MessageManager;
use crate::manager::entrance::settle_sent;
use crate::message::{Facts, Message, OwnedMessage};
use crate::post::{PostCall, Posts, Ticket};
use crate::send::{
    Delivered, OnBusy, Outside, Program, Publisher, Replies, Speaker, Verdict, call_single, entry,
};
use crate::structure::Structure;
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
        call_single(Program(&self.world), to, place, message, reply)
    }

    #[inline]
    fn settle_call(&mut self) -> Option<usize> {
        let is_unsettled = self.world.waiting.pending.is_unsettled();
        is_unsettled.then(|| settle_sent(self.no_input()))
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
        let sender = Sender::Outside;
        let outermost =
            self.input(|| Input::Arrived(Way::of_send(to, replies), sender, message.get(), place));
        outermost.send(|world| {
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
        self.publisher_for(Sender::Outside, to, message, place)
    }

    #[cold]
    #[inline(never)]
    fn publish_held(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn Unpublished,
    ) -> Result<(), SendError> {
        self.publish_for(Sender::Outside, to, place, message)
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
        } = self.no_input();
        let is_here = |id| structure.messagees.is_here(id);
        match mail.go_on(to, place, is_here, message) {
            // It belongs to the run of the last one.
            Ok(()) => Ok(()),
            Err(message) => self.publish_held(to, place, &mut Some(message)),
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
        if !self.world.waiting.pending.is_quiet() {
            return self.post_anew(sender, call);
        }
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
        let outermost = self.input(|| {
            let way = Way::Posted(call.header.with_recipient(call.to));
            Input::Arrived(way, sender, call.held.get(), call.place)
        });
        outermost.change(|world| {
            check_sender(&world.structure, sender, call.held.facts().name)?;
            call.post_anew(Outside { world, sender })
        })
    }

    /// Makes a publisher, whose messages are no inputs yet.
    pub(super) fn publisher_for(
        &mut self,
        sender: Sender,
        to: Recipient,
        message: &'static str,
        place: &'static Location<'static>,
    ) -> Result<Publisher<'_>, SendError> {
        // Takes up the mailboxes of types that were registered meanwhile.
        self.no_input().changes().take_up();
        self.settle();
        check_sender(&self.world.structure, sender, message)?;
        Ok(Publisher::new(&self.world, to, sender, place))
    }

    /// Publishes a message that begins a run.
    pub(super) fn publish_for(
        &mut self,
        sender: Sender,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn Unpublished,
    ) -> Result<(), SendError> {
        self.publisher_for(sender, to, message.get().name(), place)?;
        self.publish_as(sender, to, place, message)
    }
}

/// Checks that the sender is still alive. `message` is the name of the message type.
pub(super) fn check_sender(
    structure: &Structure,
    sender: Sender,
    message: &'static str,
) -> Result<(), SendError> {
    let messagees = &structure.messagees;
    match sender.id() {
        // The second one finds proxies, too.
        Some(id) if !messagees.is_here(id) && !messagees.is_alive(id) => {
            let to = id.into();
            Err(SendErrorKind::Gone { to, message }.into())
        }
        _ => Ok(()),
    }
}
