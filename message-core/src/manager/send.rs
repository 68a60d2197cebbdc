//! How a manager carries out the verbs, also on behalf of a messagee.

use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::error::{Absence, SendError};
use crate::input::{Input, Way};
use crate::mailbox::Unpublished;
use crate::manager::MessageManager;
use crate::manager::entrance::settle_sent;
use crate::message::{Facts, Message, OwnedMessage};
use crate::post::{PostCall, Ticket};
use crate::send::{
    Delivered, OnBusy, Origin, Outside, Program, Replies, Sent, Speaker, carry_or_deliver,
};
use crate::structure::Structure;
use crate::world::World;

/// A manager, or one that speaks for a messagee: its calls come from outside every delivery.
pub(crate) trait FromOutside {
    /// `true` if it always speaks for the program itself.
    const IS_PROGRAM: bool;

    /// The origin of the sends that are over at once.
    type From<'s>: Origin<'s>
    where
        Self: 's;

    /// Returns the origin, unless each send is delivered in full.
    fn from(&self) -> Option<Self::From<'_>>;

    fn sender(&self) -> Sender;

    fn manager(&self) -> &MessageManager;

    fn manager_mut(&mut self) -> &mut MessageManager;
}

impl FromOutside for MessageManager {
    const IS_PROGRAM: bool = true;

    type From<'s> = Program<'s>;

    #[inline]
    fn from(&self) -> Option<Program<'_>> {
        Some(Program(self.world()))
    }

    #[inline]
    fn sender(&self) -> Sender {
        Sender::Outside
    }

    #[inline]
    fn manager(&self) -> &MessageManager {
        self
    }

    #[inline]
    fn manager_mut(&mut self) -> &mut MessageManager {
        self
    }
}

impl<T: FromOutside> Speaker for T {
    #[inline]
    fn speaks_for(&self) -> Sender {
        self.sender()
    }

    #[inline]
    fn world(&self) -> &World {
        self.manager().world()
    }

    type Origin<'s>
        = T::From<'s>
    where
        T: 's;

    #[inline]
    fn origin(&self) -> Option<T::From<'_>> {
        self.from()
    }

    #[inline]
    fn settle_call(&mut self) -> Option<usize> {
        let is_unsettled = self.world().waiting.pending.is_unsettled();
        is_unsettled.then(|| settle_sent(self.manager_mut().no_input()))
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
        let sender = self.sender();
        let outermost = self.manager_mut().input(|| {
            let way = Way::of_send(to, replies, on_busy);
            Input::Arrived(way, sender, message.get(), place)
        });
        outermost.send(|world| {
            if let Err(error) = check_sender(&world.structure, sender, facts.name) {
                return Delivered::Refused(error);
            }
            if world.outside.proxies.any() {
                let from = Outside { world, sender };
                return carry_or_deliver(from, facts, to, place, message, replies, on_busy);
            }
            let sent = Sent::of_type(facts, world, sender, to, place);
            sent.deliver(replies, on_busy, message)
        })
    }

    fn post_held(&mut self, call: &mut PostCall<'_>) -> Result<Ticket, SendError> {
        let (sender, manager) = (self.sender(), self.manager_mut());
        let (id, world) = (sender.id(), manager.world());
        let is_here = |id| world.structure.messagees.is_here(id);
        if !world.waiting.pending.is_quiet() || !id.is_none_or(is_here) {
            return manager.post_anew(sender, call);
        }
        // Nothing is wrapped around this, since a result that is copied waits for the stores of the post: W5.
        match call.post_again(world, id) {
            Some(ticket) => Ok(ticket),
            None => manager.post_anew(sender, call),
        }
    }

    fn publication(
        &mut self,
        facts: &'static Facts,
        to: Recipient,
        place: &'static Location<'static>,
    ) -> Result<Sent<'_>, SendError> {
        let (sender, manager) = (self.sender(), self.manager_mut());
        // Takes up the mailboxes of types that were registered meanwhile.
        manager.no_input().changes().take_up();
        manager.settle();
        check_sender(&manager.world().structure, sender, facts.name)?;
        Ok(Sent::of_type(facts, manager.world(), sender, to, place))
    }

    #[cold]
    #[inline(never)]
    fn publish_held(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn Unpublished,
    ) -> Result<(), SendError> {
        self.publication(message.get().facts(), to, place)?;
        self.manager().publish_as(self.sender(), to, place, message)
    }

    #[inline(always)] // Each message of a loop: W6-pass.
    fn publish_one<M: Message>(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(), SendError> {
        if !T::IS_PROGRAM {
            return self.publish_held(to, place, &mut Some(message));
        }
        let manager = self.manager_mut();
        manager.settle();
        let world = manager.no_input();
        let is_here = |id| world.structure.messagees.is_here(id);
        match world.mail.go_on(to, place, is_here, message) {
            // It belongs to the run of the last one.
            Ok(()) => Ok(()),
            Err(message) => self.publish_held(to, place, &mut Some(message)),
        }
    }
}

impl MessageManager {
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
}

/// Checks that the sender is still alive. `message` is the name of the message type.
#[inline(always)] // Nothing is left of it if the sender is known to be the program: W1-two.
fn check_sender(
    structure: &Structure,
    sender: Sender,
    message: &'static str,
) -> Result<(), SendError> {
    match sender.id() {
        Some(id) if !structure.messagees.is_alive(id) => {
            Err(SendError::absent(message, id, Absence::Gone))
        }
        _ => Ok(()),
    }
}
