//! The structure of a world: its messagees, their components, and where they are found. Nothing here knows
//! of messages.
//!
//! Each component knows its messagee and its hook, and each messagee the slots of its components in their
//! [`Pools`]. The methods of [`Structure`] keep both consistent.

mod access;
mod addresses;
mod check;
pub(crate) mod expected;
pub(crate) mod keys;
mod messagees;
mod switch;
mod together;

use std::any::{Any, TypeId};
use std::cell::Cell;

pub(crate) use addresses::{Addresses, Ids, Mnemonics};
pub(crate) use expected::{Awaited, Expected, Unborn};
pub(crate) use keys::IdKeys;

use crate::address::{HookId, MessageeId};
use crate::component::{Attach, Bundle, Component};
use crate::hash::HashedMap;
use crate::identity::Identity;
use crate::names::Names;
use crate::registry::{Registry, index_without_handlers};
use crate::storage::{
    ComponentType, Hook, HookRef, LayoutId, MOST, Messagees, Pool, Pools, Removed, narrow,
    narrow_component,
};

/// The messagees of a manager, their components and their addresses, to read.
///
/// A [`MessageManager`](crate::MessageManager), a [`Context`](crate::Context) and a [`Desk`](crate::Desk)
/// dereference to it, so each of them has these methods. In a handler, a messagee or a component that was
/// spawned or hooked in this dispatch is not seen before the outermost send returns; one that is going to be
/// despawned or unhooked is seen until then. Families, mnemonics, groups and names are seen as they are now.
///
/// Iterators over ids do not borrow it, except [`messagees`](Self::messagees), so a handler can send while it
/// walks over them.
///
/// ```
/// use message_core::Structure;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// #[message(reply = usize)]
/// struct CountCrew;
///
/// struct Ship;
///
/// fn crew(structure: &Structure, ship: MessageeId) -> usize {
///     structure.children(ship).filter(|&sailor| structure.is_alive(sailor)).count()
/// }
///
/// #[handlers]
/// impl Ship {
///     #[on_receive]
///     fn count(&self, _: &CountCrew, cx: &mut Context<'_>) -> usize { crew(cx, cx.me()) }
/// }
///
/// let mut manager = MessageManager::new();
/// let (ship, sailor) = (manager.spawn((Ship,)), manager.spawn(()));
/// manager.set_parent(sailor, Some(ship))?;
/// assert_eq!(crew(&manager, ship), 1);
/// assert_eq!(manager.request(ship, CountCrew)?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Structure {
    #[doc(hidden)]
    pub messagees: Messagees,
    #[doc(hidden)]
    pub names: Names,
    #[doc(hidden)]
    pub addresses: Addresses,
    pub(crate) switches: Cell<u64>,
    #[doc(hidden)]
    pub pools: Pools,
    #[doc(hidden)]
    pub keys: IdKeys,
    #[doc(hidden)]
    pub expected: Expected,
    /// The layout of the messagees that are spawned with a bundle, by the type of the bundle.
    pub(crate) bundles: HashedMap<TypeId, LayoutId>,
}

impl std::fmt::Debug for Structure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut fields = f.debug_struct("Structure");
        fields.field("messagees", &self.len());
        fields.finish_non_exhaustive()
    }
}

impl Structure {
    pub(crate) fn new(manager: &Identity, registry: &Registry) -> Self {
        let mut pools = Pools::default();
        pools.take_up(&registry.component_types, registry.end_of_components());
        Self {
            messagees: Messagees::default(),
            names: Names::new(manager),
            addresses: Addresses::default(),
            switches: Cell::default(),
            pools,
            keys: IdKeys::new(manager.number),
            expected: Expected::default(),
            bundles: HashedMap::default(),
        }
    }

    /// Finds the layout of a bundle, given its type and those of its components. It is kept for the next messagee, even
    /// if there is none now.
    #[cold]
    pub(crate) fn learn_bundle(
        &mut self,
        bundle: TypeId,
        types: fn(&mut dyn FnMut(ComponentType)),
        registry: &Registry,
    ) -> LayoutId {
        let mut components = Vec::new();
        types(&mut |ty| {
            let component = self.pools.index_with_pool(ty.of);
            let component = component.unwrap_or_else(|| self.make_pool(ty, registry));
            components.push(narrow_component(component));
        });
        let layout = self.messagees.layouts.intern(components.into_iter());
        self.bundles.insert(bundle, layout);
        layout
    }

    /// Takes the components of a bundle that has this layout. [`enter`](Self::enter) comes next.
    pub(crate) fn take<B: Bundle>(&mut self, bundle: B, layout: LayoutId) {
        bundle.attach(&mut Values {
            pools: &mut self.pools,
            components: self.messagees.layouts.components(layout).iter(),
        });
    }

    /// Adds a messagee whose components were just [taken](Self::take).
    #[doc(hidden)]
    pub fn enter(&mut self, id: MessageeId, layout: LayoutId) {
        let mut slots = [0; MOST];
        let len = self.messagees.layouts.components(layout).len();
        for (order, slot) in (0..len).zip(&mut slots) {
            let component = self.messagees.layouts.components(layout)[order].into();
            let hook = self.keys.hooks.get_mut().allocate().place();
            self.keys.set_owner(hook, id);
            *slot = self.enter_component(component, id, hook).slot;
        }
        self.messagees.insert(id, layout, &slots);
    }

    /// Attaches a component to a messagee that is alive.
    pub(crate) fn attach<C: Component>(
        &mut self,
        component: u32,
        hook: HookId,
        owner: MessageeId,
        value: C,
    ) {
        self.pools.at_mut(component).values_mut().push(value);
        self.keys.set_owner(hook.0.place(), owner);
        let at = self.enter_component(component, owner, hook.0.place());
        self.messagees.push(owner, at);
    }

    /// Enters a component whose value was just pushed into its pool. Its messagee does not know it yet.
    #[inline]
    fn enter_component(&mut self, component: u32, owner: MessageeId, hook: u32) -> HookRef {
        let [slot, last] = self.pools.at_mut(component).enter(owner, hook);
        if slot != last {
            // A disabled component has made way.
            self.note_move(component, narrow(slot), narrow(last));
        }
        let slot = narrow(slot);
        HookRef { component, slot }
    }

    /// Makes the pool of a component type, and gives it an index if it has none. Returns the index.
    #[cold]
    pub(crate) fn make_pool(&mut self, ty: ComponentType, registry: &Registry) -> u32 {
        let known = self.pools.index_of(ty.of);
        let index = known.unwrap_or_else(|| index_without_handlers(self.pools.count()));
        let info = registry.component_at(index);
        // Components without handlers are never walked, and a caller may borrow several of them at once.
        let can_be_busy = info.is_none_or(|info| info.can_be_busy);
        let manager = self.keys.manager();
        self.pools.put(Pool::boxed(index, ty, can_be_busy, manager));
        index
    }

    /// Removes a messagee with its components, the last one first, so that none has to move up. `removed` is
    /// called for each one that has to be dropped, and for whether it has panicked.
    pub(crate) fn remove(
        &mut self,
        id: MessageeId,
        mut removed: impl FnMut(bool, Box<dyn Any + Send>),
    ) {
        for place in (0..self.messagees.count(id)).rev() {
            // Looked up in each turn: when a component is removed, another one of this messagee can move.
            let at = self.messagees.at(id, place);
            let pool = self.pools.at_mut(at.component);
            let (hook, hole) = pool.leave(at.slot);
            let value = pool.any_values_mut().remove(hole as usize);
            self.close_gap(at.component, at.slot, hole);
            let hook = self.keys.release_hook(hook);
            if let Some(value) = value {
                removed(self.expected.has_panicked(hook), value);
            }
        }
        self.messagees.remove(id);
        self.addresses.forget(id);
        self.keys.messagees.get_mut().release(id.0.place());
    }

    /// Removes a component.
    pub(crate) fn detach(&mut self, at: Hook) -> Removed {
        let hole = self.unlink(at);
        let pool = self.pools.at_mut(at.component);
        pool.any_values_mut().remove(hole)
    }

    /// Removes a component of type `C` and returns it.
    pub(crate) fn detach_as<C: Component>(&mut self, at: Hook) -> C {
        let hole = self.unlink(at);
        self.pools.at_mut(at.component).values_mut().take(hole)
    }

    /// Removes a component, but for its value. Returns the slot of the value.
    fn unlink(&mut self, at: Hook) -> usize {
        let pool = self.pools.at_mut(at.component);
        let (hook, hole) = pool.leave(at.slot);
        self.keys.release_hook(hook);
        self.messagees.remove_component(at.owner, at.order);
        self.close_gap(at.component, at.slot, hole);
        hole as usize
    }

    /// Updates the slots of the components that have moved when one was removed: another one may have moved to
    /// its slot, and the last one to the hole that this has left.
    #[inline]
    fn close_gap(&mut self, component: u32, slot: u32, hole: u32) {
        if hole != slot {
            self.note_move(component, hole, slot);
        }
        let pool = self.pools.at(component);
        let last = pool.len();
        if hole as usize != last {
            let (owner, slot) = (pool.owner(hole as usize), narrow(last));
            let from = HookRef { component, slot };
            self.messagees.move_component(owner, from, hole);
        }
    }

    /// Updates the messagee of a component that has moved within its pool because others are disabled.
    #[cold]
    fn note_move(&mut self, component: u32, slot: u32, to: u32) {
        let owner = self.pools.at(component).owner(to as usize);
        let from = HookRef { component, slot };
        self.messagees.move_component(owner, from, to);
    }

    /// Returns the owner and the slot of a hook's component, if it is attached.
    #[doc(hidden)]
    #[inline]
    pub fn find_hook(&self, hook: HookId) -> Option<Hook> {
        let record = self.messagees.record_at(self.keys.owner_of(hook)?)?;
        // From the last one on, since those that were hooked later are more often asked for.
        let mut components = self.messagees.components(record).enumerate().rev();
        components.find_map(|(order, HookRef { component, slot })| {
            let pool = self.pools.at(component);
            let is_it = pool.hook(slot as usize) == hook.0.place();
            is_it.then(|| Hook {
                owner: pool.owner(slot as usize),
                component,
                slot,
                order,
            })
        })
    }

    /// Returns the pool and the slot of a hook's component, if it is attached.
    #[doc(hidden)]
    pub fn pool_of(&self, hook: HookId) -> Option<(&Pool, usize)> {
        let at = self.find_hook(hook)?;
        Some((self.pools.at(at.component), at.slot as usize))
    }

    /// Returns the hook of an attached component.
    pub(crate) fn hook_at(&self, at: HookRef) -> HookId {
        let pool = self.pools.at(at.component);
        self.keys.hook_in(pool, at.slot as usize)
    }

    /// Returns the messagee of an attached component and the name of its type.
    pub(crate) fn owner_and_name(&self, hook: HookId) -> Option<(MessageeId, &'static str)> {
        let hook = self.find_hook(hook)?;
        Some((hook.owner, self.pools.at(hook.component).component_name()))
    }

    /// Marks a component that will be removed, also if it is not attached yet. It receives only the
    /// manager's farewell from now on.
    pub(crate) fn mark_unhooking(&self, hook: HookId) {
        match self.find_hook(hook) {
            Some(at) => self.pools.at(at.component).mark_leaving(at.slot as usize),
            None => self.expected.give_up(Unborn::Component(hook)),
        }
    }

    /// Marks a messagee that will be removed, also if it is not alive yet. It and its components receive
    /// only the manager's farewell from now on.
    pub(crate) fn mark_leaving(&self, id: MessageeId) {
        match self.messagees.mark_leaving(id) {
            Some(record) => {
                for at in self.messagees.components(record) {
                    self.pools.at(at.component).mark_leaving(at.slot as usize);
                }
            }
            None => self.expected.give_up(Unborn::Messagee(id)),
        }
    }

    /// Frees the memory that is not used. Runs no code of a user.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.pools.iter_mut().for_each(Pool::shrink_to_fit);
        self.messagees.shrink_to_fit();
        let messagees = &self.messagees;
        self.names.forget_gone(|id| messagees.is_alive(id));
        self.addresses.shrink_to_fit();
        self.keys.shrink_to_fit(&self.pools);
    }
}

/// Takes the values of a bundle into the pools of its layout.
struct Values<'s> {
    pools: &'s mut Pools,
    components: std::slice::Iter<'s, u16>,
}

impl Attach for Values<'_> {
    fn attach(&mut self, component: impl Component) {
        let index = self.components.next();
        let index = *index.expect("the layout was made of the types of the bundle");
        self.pools.at_mut(index.into()).values_mut().push(component);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::identity::Identity;
    use crate::registry;

    struct Last;
    struct OneTooMany;

    #[test]
    fn there_are_at_most_2_to_the_16_component_types_and_one_more_changes_nothing() {
        let identity = Identity::new().expect("few managers are alive");
        let mut structure = Structure::new(&identity, registry());
        // Makes the structure look as if all but one were hooked already.
        structure
            .pools
            .take_up(&HashedMap::default(), u16::MAX.into());
        let last = structure.make_pool(ComponentType::of::<Last>(), registry());
        assert_eq!(last, u32::from(u16::MAX));

        let more =
            AssertUnwindSafe(|| structure.make_pool(ComponentType::of::<OneTooMany>(), registry()));
        let panic = catch_unwind(more).expect_err("there is no index left");
        let text = panic.downcast_ref::<String>().map(String::as_str);
        assert!(text.is_some_and(|text| text.starts_with("more than 2^16 component types")));
        assert_eq!(structure.pools.index_of(TypeId::of::<OneTooMany>()), None);
        assert_eq!(structure.pools.count(), 1 << 16);
        let again = structure.pools.index_with_pool(TypeId::of::<Last>());
        assert_eq!(again, Some(last));
    }
}
