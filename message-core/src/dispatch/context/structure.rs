//! What a handler or a subscriber can change: messagees, hooks, families, addresses.
//!
//! Addresses, and what is enabled, change at once. For what comes and goes, ids and errors come at
//! once; the change is queued for the end of the outermost send, together with what has to be known
//! of it before.

use std::any::TypeId;
use std::panic::Location;

use crate::address::{HookId, MessageeId};
use crate::component::{Bundle, Component, Waiting};
use crate::dispatch::Context;
use crate::dispatch::call::Farewell;
use crate::error::MessageeError;
use crate::group::Group;
use crate::mnemonic::Mnemonic;
use crate::world::{Children, drop_removed};

impl<R> Context<'_, R> {
    /// Spawns a messagee with these components. It comes alive when the outermost send returns.
    ///
    /// Its id can be written to at once, and so can a mnemonic, a group or a parent that it is given:
    /// it receives what was sent to it right after it comes alive, before any later change is made.
    /// What is [hooked](Self::hook) to it separately does not receive that yet.
    #[track_caller]
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId {
        let (world, place) = (self.world(), Location::caller());
        let id = world.reserve_messagee();
        let mut types = Vec::new();
        B::types(&mut |component| types.push(component));
        world.announce(id, types);
        let bundle = Waiting::new(bundle);
        world.later(move |world| world.insert(id, bundle.take(), place));
        id
    }

    /// Hooks a component to a messagee. It is attached when the outermost send returns.
    ///
    /// Its hook can be written to at once: it receives what was sent to the hook right after it is
    /// attached, before any later change is made.
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
        world.pending.reserve_hook(hook, id, TypeId::of::<C>());
        world.later(move |world| {
            let stays = world.check_hook(hook).is_ok();
            world.attach(hook, id, component);
            if !stays {
                world.mark_unhooking(hook);
            }
            world.announce_hooked(id, hook, place);
            for waiting in world.pending.receive_hook(hook) {
                world.next(waiting);
            }
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
        world.pending.give_up_hook(hook);
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
    /// [`MessageeError::Gone`], also for one that is going to be despawned already, though
    /// [`is_alive`](Self::is_alive) still finds it; [`MessageeError::OtherManager`].
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

    /// Enables or disables a component, at once. A disabled one stays, and receives nothing. A send
    /// that is under way passes over one that was enabled since it began. When the outermost send
    /// returns, the messagee is told by [`Enabled`](crate::lifecycle::Enabled) or
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

    /// Binds a mnemonic to a messagee, at once. One that is bound to a messagee that is leaving is
    /// free.
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
}
