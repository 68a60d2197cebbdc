//! The lifecycle messages of components: who receives which, and when it is too late for that.

use crate::address::{HookId, Recipient, Sender};
use crate::lifecycle::{AboutComponent, Restored};
use crate::message::Message;
use crate::report::Report;
use crate::send::{Extras, LeavingTarget, Sent};
use crate::world::{Place, World};

/// The receiver of a message from the manager itself. Its absence is not an error.
#[derive(Clone, Copy)]
pub(crate) struct Notice {
    to: Recipient,
    /// The leaving components that receive it nevertheless.
    farewell: Option<LeavingTarget>,
    place: Place,
}

impl Notice {
    pub(crate) fn new(to: impl Into<Recipient>, place: Place) -> Self {
        Self {
            to: to.into(),
            farewell: None,
            place,
        }
    }

    /// Lets leaving components receive the message nevertheless.
    pub(super) fn farewell(self, farewell: Option<LeavingTarget>) -> Self {
        Self { farewell, ..self }
    }

    /// Sends a message.
    pub(crate) fn tell<M: Message>(self, world: &World, message: M) {
        let extras = Extras {
            farewell: self.farewell,
            ..Extras::NONE
        };
        let sent = Sent::of_type(M::FACTS, world, Sender::Manager, self.to, self.place);
        let _ = sent.with(&extras).send(&mut Some(message));
    }

    /// Sends a message about a failure, or reports it if nobody hears the message.
    pub(crate) fn tell_or_report<M: Message>(
        self,
        world: &World,
        message: M,
        report: fn(M) -> Report,
    ) {
        if !world.listen.is_heard::<M>() {
            return world.report(&report(message));
        }
        let sent = Sent::of_type(M::FACTS, world, Sender::Manager, self.to, self.place);
        let listens = sent.has_any_listener();
        let mut message = Some(message);
        let receipt = sent.send(&mut message);
        let received = receipt.is_ok_and(|receipt| receipt.receivers() > 0);
        if let Some(message) = message.filter(|_| !listens && !received) {
            world.report(&report(message));
        }
    }

    /// Sends a message about an attached component to its messagee. `farewell` names the leaving components
    /// that receive it nevertheless.
    pub(crate) fn about<M: AboutComponent>(
        world: &World,
        hook: HookId,
        farewell: Option<LeavingTarget>,
        place: Place,
    ) {
        if let Some((messagee, component)) = world.structure.owner_and_name(hook) {
            let notice = Self::new(messagee, place).farewell(farewell);
            notice.tell(world, M::new(messagee, hook, component));
        }
    }
}

/// Sends [`Restored`] to every component that has a handler for it, messagee by messagee in hook order.
pub fn announce_restored(world: &mut World, place: Place) {
    let Some(table) = Restored::FACTS.table().filter(|table| table.len() > 0) else {
        return;
    };
    let structure = &world.structure;
    let components = structure.messagees.iter();
    let components = components.flat_map(|id| structure.messagees.components_of(id));
    let handling = components.filter(|at| table.route_to(at.component).is_some());
    let hooks: Vec<HookId> = handling.map(|at| structure.hook_at(at)).collect();
    for hook in hooks {
        world.changes().next(move |world| {
            if let Some((messagee, component)) = world.structure.owner_and_name(hook) {
                let message = Restored::new(messagee, hook, component);
                Notice::new(hook, place).tell(world, message);
            }
        });
    }
}
