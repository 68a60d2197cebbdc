//! What a save asks of the world, and how the world comes back.
//!
//! Places of messagees and hooks are counted from where the manager began.

use std::any::TypeId;
use std::panic::Location;
use std::sync::Arc;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::group::Group;
use crate::identity::KeyKind;
use crate::lifecycle::Restored;
use crate::link::registry;
use crate::message::{Message, MessageIndex};
use crate::mnemonic::Mnemonic;
use crate::registry::MessageInfo;
use crate::send::Sent;
use crate::storage::Pool;
use crate::world::World;

impl World {
    pub(crate) fn message_info(&self, of: MessageIndex) -> &'static MessageInfo {
        let known = self.registry.messages.get(of.get());
        // The manager may not have taken up the type yet.
        known.unwrap_or_else(|| &registry().messages[of.get()])
    }

    /// The place of a messagee or a hook, counted from where the manager began.
    pub(crate) fn place_since_start(&self, place: u32, kind: KeyKind) -> u32 {
        place - self.identity.begin(kind).place
    }

    /// The places of a messagee's hooks, in their order.
    pub(crate) fn hook_places_of(&self, id: MessageeId) -> impl Iterator<Item = u32> {
        let record = self.messagees.get(id);
        let hooks = record.map(|record| self.messagees.hooks(record));
        hooks.into_iter().flatten()
    }

    /// The type of the components with that index.
    pub(crate) fn component_type(&self, component: u32) -> Option<TypeId> {
        let found = self.pools.types().find(|(_, index)| *index == component);
        found.map(|(of, _)| of)
    }

    /// The pools that are not empty, with the types of their components.
    pub(crate) fn pools_by_type(&self) -> Vec<(TypeId, &Pool)> {
        let mut types: Vec<_> = self.pools.types().collect();
        types.sort_unstable_by_key(|(_, index)| *index);
        let pools = types.into_iter().filter_map(|(of, index)| {
            let pool = self.pools.get(index)?;
            (pool.roster().len() > 0).then_some((of, pool))
        });
        pools.collect()
    }

    pub(crate) fn restore_messagee(&mut self, id: MessageeId) {
        self.messagees.insert(id);
    }

    /// The components of a type are all there, enabled: only the first so many stay so.
    pub(crate) fn restore_enabled(&mut self, of: TypeId, enabled: usize) {
        if let Some(index) = self.pools.index_of(of) {
            self.pool_mut(index).restore_enabled(enabled);
        }
    }

    pub(crate) fn saved_names(&self) -> Vec<(MessageeId, Arc<str>)> {
        self.names.saved()
    }

    pub(crate) fn restore_name(&self, id: MessageeId, name: Arc<str>) {
        self.names.set(id, name);
    }

    pub(crate) fn saved_bindings(&self) -> Vec<(Mnemonic, MessageeId)> {
        self.addresses.bindings.borrow().saved()
    }

    pub(crate) fn saved_groups(&self) -> Vec<(Group, Vec<MessageeId>)> {
        self.addresses.groups.borrow().saved()
    }

    /// The messagees that have children, with these in their order.
    pub(crate) fn saved_families(&self) -> Vec<(MessageeId, Vec<MessageeId>)> {
        let families = self.addresses.families.borrow();
        let parents = families.parents(self.messagees.iter());
        parents
            .map(|parent| (parent, families.children(parent).collect()))
            .collect()
    }

    /// Tells every component that has a handler for it, messagee by messagee in the order of hooking.
    pub(crate) fn announce_restored(&mut self, place: &'static Location<'static>) {
        let Some(table) = Restored::FACTS.table() else {
            return;
        };
        if table.all().is_empty() {
            return;
        }
        let messagees: Vec<MessageeId> = self.messagees.iter().collect();
        for messagee in messagees {
            for hook in self.hooks_of(messagee) {
                let at = self.find_hook(hook);
                if at.is_some_and(|at| table.stop(at.component).is_some()) {
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
            let _ = self.send_in_full(&sent, &mut Some(message));
        }
    }
}
