//! What a handler or a subscriber can change and look at: messagees, hooks, families, addresses.
//!
//! Addresses, and what is enabled, change at once. For what comes and goes, ids and errors come at once;
//! the change is queued for the end of the outermost send, together with what has to be known of it
//! before.

use std::cell::{Ref, RefMut};
use std::panic::Location;

use crate::address::{HookId, MessageeId};
use crate::component::{Bundle, Component};
use crate::dispatch::Context;
use crate::dispatch::call::Farewell;
use crate::error::MessageeError;
use crate::group::Group;
use crate::mnemonic::Mnemonic;
use crate::world::{Children, Presence, drop_removed};

impl<R> Context<'_, R> {
    /// Spawns a messagee with these components. It comes alive when the outermost send returns.
    ///
    /// Its id can be written to at once, and so can a mnemonic, a group or a parent that it is given: it
    /// receives what was sent to it right after it comes alive, before any later change is made. What
    /// is [hooked](Self::hook) to it separately does not receive that yet.
    #[track_caller]
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId {
        let (world, place) = (self.world(), Location::caller());
        let id = world.reserve_messagee();
        let mut types = Vec::new();
        B::types(&mut |component| types.push(component));
        world.announce(id, types);
        world.later(move |world| world.insert(id, bundle, place));
        id
    }

    /// Hooks a component to a messagee. It is attached when the outermost send returns.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    #[track_caller]
    pub fn hook<C: Component>(
        &mut self,
        id: MessageeId,
        component: C,
    ) -> Result<HookId, MessageeError> {
        let (world, place) = (self.world(), Location::caller());
        world.check_stays(id)?;
        let hook = world.reserve_hook();
        world.pending.reserve_hook(hook, id);
        world.later(move |world| {
            let stays = world.check_hook(hook).is_ok();
            world.attach(hook, id, component);
            if !stays {
                world.mark_unhooking(hook);
            }
            world.announce_hooked(id, hook, place);
        });
        Ok(hook)
    }

    /// Unhooks a component, which is dropped when the outermost send returns. From now on it receives
    /// nothing but its [`Unhooking`](crate::lifecycle::Unhooking).
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    #[track_caller]
    pub fn unhook(&mut self, hook: HookId) -> Result<(), MessageeError> {
        let (world, place) = (self.world(), Location::caller());
        world.check_hook(hook)?;
        world.pending.forget_hook(hook);
        world.mark_unhooking(hook);
        world.later(move |world| {
            if let Some(at) = world.find_hook(hook) {
                world.next(Box::new(move |world| {
                    let has_panicked = world.pending.has_panicked(hook);
                    drop_removed(world.detach(hook), has_panicked);
                }));
                world.announce_unhooking(at.owner, hook, Some(Farewell::Hook(hook)), place);
            }
        });
        Ok(())
    }

    /// Despawns a messagee and its descendants: they are gone when the outermost send returns. From now
    /// on they receive nothing but their [`Despawning`](crate::lifecycle::Despawning) and
    /// [`Unhooking`](crate::lifecycle::Unhooking).
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    #[track_caller]
    pub fn despawn(&mut self, id: MessageeId) -> Result<(), MessageeError> {
        self.despawn_with(id, Children::Follow)
    }

    /// Despawns a messagee, and does with its children as told.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    #[track_caller]
    pub fn despawn_with(
        &mut self,
        id: MessageeId,
        children: Children,
    ) -> Result<(), MessageeError> {
        let (world, place) = (self.world(), Location::caller());
        world.check_stays(id)?;
        world.mark_despawning(id, children);
        world.later(move |world| world.despawn(id, children, place));
        Ok(())
    }

    /// Enables or disables a component, at once. A disabled one stays, and receives nothing. A send that
    /// is under way passes over one that was enabled since it began. When the outermost send returns,
    /// the messagee is told by [`Enabled`](crate::lifecycle::Enabled) or
    /// [`Disabled`](crate::lifecycle::Disabled).
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    #[track_caller]
    pub fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Result<(), MessageeError> {
        let (world, place) = (self.world(), Location::caller());
        world.check_hook(hook)?;
        world.switch(hook, enabled, place);
        Ok(())
    }

    /// Returns `true` if a component is enabled.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`],
    /// [`MessageeError::NotYetHooked`].
    pub fn is_enabled(&self, hook: HookId) -> Result<bool, MessageeError> {
        self.world().is_enabled(hook)
    }

    /// Makes one messagee the last child of another, or nobody's, at once.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Cycle`], [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    pub fn set_parent(
        &mut self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError> {
        let world = self.world();
        world.check_parent(child, parent)?;
        world.addresses.set_parent(child, parent);
        Ok(())
    }

    /// Binds a mnemonic to a messagee, at once. One that is bound to a messagee that is leaving is free.
    ///
    /// # Errors
    ///
    /// [`MessageeError::AlreadyBound`], [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    pub fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        let world = self.world();
        world.check_bind(mnemonic, id)?;
        world.addresses.bind(mnemonic, id);
        Ok(())
    }

    /// Frees a mnemonic that is bound to that messagee, at once.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotBound`], [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    pub fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        let world = self.world();
        world.check_unbind(mnemonic, id)?;
        world.addresses.unbind(mnemonic);
        Ok(())
    }

    /// Makes a messagee a member of a group, at once. Returns `true` if it was not one before.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    pub fn join(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.set_membership(group, id, true)
    }

    /// Ends a messagee's membership of a group, at once. Returns `true` if it was a member.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    pub fn leave(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.set_membership(group, id, false)
    }

    fn set_membership(
        &mut self,
        group: Group,
        id: MessageeId,
        member: bool,
    ) -> Result<bool, MessageeError> {
        let world = self.world();
        world.check_stays(id)?;
        Ok(world.addresses.set_membership(group, id, member))
    }

    /// Returns the members of a group, in the order in which they joined.
    pub fn members(&self, group: Group) -> impl Iterator<Item = MessageeId> + use<R> {
        self.world().addresses.members(group).into_iter()
    }

    /// Returns the messagee that is bound to a mnemonic.
    #[must_use]
    pub fn bound(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        self.world().addresses.bound(mnemonic)
    }

    /// Returns the messagee's parent; `None` when it has none or is not alive.
    #[must_use]
    pub fn parent(&self, id: MessageeId) -> Option<MessageeId> {
        self.world().parent(id)
    }

    /// Returns the messagee's children in the order in which they came; none when it is not alive.
    pub fn children(&self, id: MessageeId) -> impl Iterator<Item = MessageeId> + use<R> {
        self.world().children(id)
    }

    /// Returns `true` if the messagee is alive now. One that is going to be despawned at the end of
    /// the outermost send still is; one that was spawned in this dispatch is not yet.
    #[must_use]
    pub fn is_alive(&self, id: MessageeId) -> bool {
        matches!(
            self.world().presence(id),
            Presence::Alive | Presence::Leaving
        )
    }

    /// Borrows the first component of type `C` of a messagee.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Busy`] when it is running with `&mut self`, this handler's own component
    /// included; [`MessageeError::NoComponent`], [`MessageeError::Gone`],
    /// [`MessageeError::NotYetSpawned`], [`MessageeError::OtherManager`].
    pub fn get<C: Component>(&mut self, id: MessageeId) -> Result<Ref<'_, C>, MessageeError> {
        self.world().get(id)
    }

    /// Borrows the first component of type `C` of a messagee, to change it.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Busy`] when it is running, this handler's own component included;
    /// otherwise those of [`get`](Self::get).
    pub fn get_mut<C: Component>(
        &mut self,
        id: MessageeId,
    ) -> Result<RefMut<'_, C>, MessageeError> {
        self.world().get_mut(id)
    }

    /// Returns every component of type `C` with its messagee, in storage order, the disabled ones
    /// last. Those that are running with `&mut self` are left out.
    pub fn iter<C: Component>(&mut self) -> impl Iterator<Item = (MessageeId, Ref<'_, C>)> {
        self.world().iter()
    }
}
