//! The parts of the world that a save reads and restores.

use std::panic::Location;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::group::Group;
use crate::lifecycle::Restored;
use crate::message::{Message, MessageIndex};
use crate::mnemonic::Mnemonic;
use crate::registry::{MessageInfo, Registry};
use crate::send::Sent;
use crate::world::{Addresses, World};

impl Addresses {
    pub(crate) fn saved_bindings(&self) -> Vec<(Mnemonic, MessageeId)> {
        self.bindings.borrow().saved()
    }

    pub(crate) fn saved_groups(&self) -> Vec<(Group, Vec<MessageeId>)> {
        self.groups.borrow().saved()
    }

    /// The messagees among them that have children, with the children in their order.
    pub(crate) fn saved_families(
        &self,
        messagees: impl Iterator<Item = MessageeId>,
    ) -> Vec<(MessageeId, Vec<MessageeId>)> {
        let families = self.families.borrow();
        let parents = families.parents(messagees);
        parents
            .map(|parent| (parent, families.children(parent).collect()))
            .collect()
    }
}

impl World {
    pub(crate) fn message_info(&self, of: MessageIndex) -> &'static MessageInfo {
        let known = self.common.registry.messages.get(of.get());
        // The manager may not have taken up the type yet.
        let newest = || Registry::published()?.messages.get(of.get());
        known
            .or_else(newest)
            .expect("a type with an index is in the registry")
    }

    /// Tells every component that has a handler for it, messagee by messagee in the order of hooking.
    pub(crate) fn announce_restored(&mut self, place: &'static Location<'static>) {
        let Some(table) = Restored::FACTS.table() else {
            return;
        };
        if table.len() == 0 {
            return;
        }
        let messagees: Vec<MessageeId> = self.structure.messagees.iter().collect();
        for messagee in messagees {
            for hook in self.hooks_of(messagee) {
                let at = self.find_hook(hook);
                if at.is_some_and(|at| table.route_to(at.component).is_some()) {
                    self.next(Box::new(move |world| {
                        world.tell_restored(messagee, hook, place);
                    }));
                }
            }
        }
    }

    fn tell_restored(&self, messagee: MessageeId, hook: HookId, place: &'static Location<'static>) {
        if let Some(component) = self.component_name(hook) {
            let message = Restored {
                messagee,
                hook,
                component,
            };
            let to = Recipient::Hook(hook);
            let sent = Sent::outside::<Restored>(self, Sender::Manager, &to, place);
            let _ = sent.send(&mut Some(message));
        }
    }
}
