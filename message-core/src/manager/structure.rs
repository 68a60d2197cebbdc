//! The manager's messagees: spawning and despawning, hooks, families and mnemonics.

use std::panic::Location;

use crate::address::{HookId, MessageeId};
use crate::caught::keeping;
use crate::component::{Bundle, Component};
use crate::dispatch::Farewell;
use crate::error::MessageeError;
use crate::group::Group;
use crate::lifecycle::{Hooked, Unhooking};
use crate::manager::MessageManager;
use crate::mnemonic::Mnemonic;
use crate::world::{Children, World};

impl MessageManager {
    /// Spawns a messagee with these components, hooked in the order of the tuple.
    ///
    /// # Panics
    ///
    /// When more than 2^32 messagees or components are alive at once, or a handler of [`Hooked`]
    /// panics. Also when a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    #[track_caller]
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId {
        let place = Location::caller();
        self.change(|world| {
            let id = world.reserve_messagee();
            world.insert(id, bundle, place);
            id
        })
    }

    /// Despawns a messagee and its descendants, with all of their components. Its mnemonics are
    /// free again.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics that is told of the change, or while what an earlier panic left is
    /// settled; see [`settle`](Self::settle).
    #[track_caller]
    pub fn despawn(&mut self, id: MessageeId) -> Result<(), MessageeError> {
        self.despawn_with(id, Children::Follow)
    }

    /// Despawns a messagee with all of its components, and does with its children as told.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics that is told of the change, or while what an earlier panic left is
    /// settled; see [`settle`](Self::settle).
    #[track_caller]
    pub fn despawn_with(
        &mut self,
        id: MessageeId,
        children: Children,
    ) -> Result<(), MessageeError> {
        let place = Location::caller();
        self.change(|world| {
            world.check_stays(id)?;
            world.despawn(id, children, place);
            Ok(())
        })
    }

    /// Hooks a component to a messagee, behind those it has.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics that is told of the change, or while what an earlier panic left is
    /// settled; see [`settle`](Self::settle).
    #[track_caller]
    pub fn hook<C: Component>(
        &mut self,
        id: MessageeId,
        component: C,
    ) -> Result<HookId, MessageeError> {
        let place = Location::caller();
        self.change(|world| {
            world.check_stays(id)?;
            let hook = world.reserve_hook();
            world.attach(hook, id, component);
            if world.is_heard::<Hooked>() {
                world.announce_hooked(id, hook, place);
            }
            Ok(hook)
        })
    }

    /// Unhooks a component and gives it back. The other components of its messagee stay.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`], and
    /// [`MessageeError::WrongComponent`] when it is not a `C`; then it stays hooked.
    ///
    /// # Panics
    ///
    /// When a handler panics that is told of the change, or while what an earlier panic left is
    /// settled; see [`settle`](Self::settle).
    #[track_caller]
    pub fn unhook<C: Component>(&mut self, hook: HookId) -> Result<C, MessageeError> {
        let place = Location::caller();
        self.change(|world| {
            world.check_hooked_as::<C>(hook)?;
            if world.is_heard::<Unhooking>()
                && let Some(at) = world.find_hook(hook)
            {
                world.mark_unhooking(hook);
                // If a handler panics, the component is still unhooked, by the next call.
                world.next(Box::new(move |world| drop(world.detach(hook))));
                let farewell = Some(Farewell::Hook(hook));
                world.announce_unhooking(at.owner, hook, farewell, place);
                world.settle_kept();
            }
            world.detach_as(hook)
        })
    }

    /// Returns the components of a messagee, in the order of hooking; none when it is not alive.
    pub fn hooks(&self, id: MessageeId) -> impl Iterator<Item = HookId> + use<> {
        self.world.hooks_of(id).into_iter()
    }

    /// Returns the hook of the first component of type `C` of a messagee: the one that
    /// [`get`](Self::get) borrows.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Gun;
    /// struct Radio;
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Gun, Radio));
    /// let radio = manager.hook_of::<Radio>(tank)?;
    /// manager.set_enabled(radio, false)?;
    /// assert_eq!(manager.owner(radio)?, tank);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NoComponent`], [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    pub fn hook_of<C: Component>(&self, id: MessageeId) -> Result<HookId, MessageeError> {
        self.world.hook_of::<C>(id)
    }

    /// Returns the hooks of the components of type `C` of a messagee, in the order of hooking; none
    /// when it is not alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Gun { rounds: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Gun { rounds: 3 },));
    /// let second = manager.hook(tank, Gun { rounds: 5 })?;
    /// let guns: Vec<HookId> = manager.hooks_of::<Gun>(tank).collect();
    /// assert_eq!(guns, [manager.hook_of::<Gun>(tank)?, second]);
    /// assert_eq!(manager.hooked_mut::<Gun>(guns[1])?.rounds, 5);
    /// # Ok::<(), MessageeError>(())
    /// ```
    pub fn hooks_of<C: Component>(&self, id: MessageeId) -> impl Iterator<Item = HookId> + use<C> {
        self.world.hooks_of_type::<C>(id).into_iter()
    }

    /// The messagee that a component is hooked to.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    pub fn owner(&self, hook: HookId) -> Result<MessageeId, MessageeError> {
        self.world.owner(hook)
    }

    /// Borrows the component of a hook, to change it.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`],
    /// [`MessageeError::WrongComponent`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn hooked_mut<C: Component>(&mut self, hook: HookId) -> Result<&mut C, MessageeError> {
        self.settle();
        self.world.hooked_exclusive(hook)
    }

    /// Enables or disables a component. A disabled one stays, and receives nothing until it is enabled
    /// again. Its messagee is told by [`Enabled`](crate::lifecycle::Enabled) and
    /// [`Disabled`](crate::lifecycle::Disabled), if that is a change.
    ///
    /// Enabling and disabling changes the storage order of the components of that type.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    #[track_caller]
    pub fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Result<(), MessageeError> {
        let place = Location::caller();
        self.change(|world| {
            world.check_hook(hook)?;
            world.switch(hook, enabled, place);
            Ok(())
        })
    }

    /// Returns `true` if a component is enabled.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    pub fn is_enabled(&self, hook: HookId) -> Result<bool, MessageeError> {
        self.world.is_enabled(hook)
    }

    /// Makes one messagee the last child of another, or nobody's child.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Cycle`] when it would become its own ancestor, [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn set_parent(
        &mut self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError> {
        self.change(|world| {
            world.check_parent(child, parent)?;
            world.addresses.set_parent(child, parent);
            Ok(())
        })
    }

    /// Returns the messagee's parent; `None` when it has none or is not alive.
    #[must_use]
    pub fn parent(&self, id: MessageeId) -> Option<MessageeId> {
        self.world.parent(id)
    }

    /// Returns the messagee's children in the order in which they came; none when it is not alive.
    pub fn children(&self, id: MessageeId) -> impl Iterator<Item = MessageeId> + use<> {
        self.world.children(id)
    }

    /// Binds a mnemonic to a messagee.
    ///
    /// # Errors
    ///
    /// [`MessageeError::AlreadyBound`], [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.change(|world| {
            world.check_bind(mnemonic, id)?;
            world.addresses.bind(mnemonic, id);
            Ok(())
        })
    }

    /// Frees a mnemonic that is bound to that messagee.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotBound`] when it is bound to another or to none,
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.change(|world| {
            world.check_unbind(mnemonic, id)?;
            world.addresses.unbind(mnemonic);
            Ok(())
        })
    }

    /// Adds a messagee to a group, behind the members that it has. Returns `true` if it was not a
    /// member before.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn join(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.set_membership(group, id, true)
    }

    /// Removes a messagee from a group. Returns `true` if it was a member.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn leave(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.set_membership(group, id, false)
    }

    fn set_membership(
        &mut self,
        group: Group,
        id: MessageeId,
        member: bool,
    ) -> Result<bool, MessageeError> {
        self.change(|world| {
            world.check_stays(id)?;
            Ok(world.addresses.set_membership(group, id, member))
        })
    }

    /// Returns the members of a group, in the order in which they joined.
    pub fn members(&self, group: Group) -> impl Iterator<Item = MessageeId> + use<> {
        self.world.addresses.members(group).into_iter()
    }

    /// Returns the messagee that is bound to a mnemonic.
    #[must_use]
    pub fn bound(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        self.world.addresses.bound(mnemonic)
    }

    /// Returns `true` if the messagee is alive.
    #[must_use]
    pub fn is_alive(&self, id: MessageeId) -> bool {
        self.world.messagees.get(id).is_some()
    }

    /// Returns the number of messagees that are alive.
    #[must_use]
    pub fn len(&self) -> usize {
        self.world.messagees.len()
    }

    /// Returns `true` if no messagee is alive.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the messagees that are alive, in no order that means anything.
    pub fn messagees(&self) -> impl Iterator<Item = MessageeId> {
        self.world.messagees.iter()
    }

    /// Makes a change from outside: after what a panic left, before what follows from it.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut World) -> T) -> T {
        self.settle();
        let mut result = Some(change(&mut self.world));
        if self.world.pending.is_unsettled() {
            keeping(&mut result, None, || self.world.settle_outermost());
        }
        result.expect("it is taken away by a panic alone")
    }
}
