//! Operations on components for handlers and subscribers: borrow them, hook and unhook, enable and disable.
//!
//! Enabling and disabling take effect at once. Hooking and unhooking return hooks and errors at once, but the
//! change is queued until the end of the outermost send. Until then, components and hooks are seen as they were.

use std::cell::{Ref, RefMut};
use std::panic::Location;

use crate::address::{HookId, MessageeId};
use crate::component::Component;
use crate::context::Context;
use crate::error::MessageeError;
use crate::world::later;

impl<R> Context<'_, R> {
    /// Borrows the first component of type `C` of a messagee.
    ///
    /// It borrows the context shared, so that several components can be read side by side. None can be
    /// held across a send.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Compare { with: MessageeId }
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[derive(Default)]
    /// struct Mind { is_weaker: bool }
    ///
    /// #[handlers]
    /// impl Mind {
    ///     #[on_receive]
    ///     fn compare(&mut self, compare: &Compare, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         let (own, other) = (cx.get::<Health>(cx.me())?, cx.get::<Health>(compare.with)?);
    ///         self.is_weaker = own.hp < other.hp;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Health { hp: 4 }, Mind::default()));
    /// let troll = manager.spawn((Health { hp: 9 },));
    /// manager.send(orc, Compare { with: troll })?;
    /// assert!(manager.get::<Mind>(orc)?.is_weaker);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Busy`] when it is running with `&mut self`, this handler's own component
    /// included; [`MessageeError::NoComponent`], [`MessageeError::Gone`],
    /// [`MessageeError::NotYetSpawned`], [`MessageeError::OtherManager`].
    pub fn get<C: Component>(&self, id: MessageeId) -> Result<Ref<'_, C>, MessageeError> {
        self.world().structure.get(id)
    }

    /// Borrows the first component of type `C` of a messagee, to change it. While it is borrowed, the
    /// context is too.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Steal { from: MessageeId }
    ///
    /// struct Purse { gold: u32 }
    ///
    /// struct Thief { gold: u32 }
    ///
    /// #[handlers]
    /// impl Thief {
    ///     #[on_receive]
    ///     fn steal(&mut self, steal: &Steal, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         let mut purse = cx.get_mut::<Purse>(steal.from)?;
    ///         self.gold += std::mem::take(&mut purse.gold);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let merchant = manager.spawn((Purse { gold: 9 },));
    /// let thief = manager.spawn((Thief { gold: 0 },));
    /// manager.send(thief, Steal { from: merchant })?;
    /// assert_eq!(manager.get::<Purse>(merchant)?.gold, 0);
    /// assert_eq!(manager.get::<Thief>(thief)?.gold, 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Busy`] when it is running, this handler's own component included;
    /// otherwise those of [`get`](Self::get).
    pub fn get_mut<C: Component>(
        &mut self,
        id: MessageeId,
    ) -> Result<RefMut<'_, C>, MessageeError> {
        self.world().structure.get_mut(id)
    }

    /// Returns every component of type `C` with its messagee, in storage order, the disabled ones last.
    /// Those that are running with `&mut self` are left out. It borrows the context shared, as
    /// [`get`](Self::get) does.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Search;
    ///
    /// struct Purse { gold: u32 }
    ///
    /// #[derive(Default)]
    /// struct Thief { victim: Option<MessageeId> }
    ///
    /// #[handlers]
    /// impl Thief {
    ///     #[on_receive]
    ///     fn search(&mut self, _: &Search, cx: &mut Context<'_>) {
    ///         let richest = cx.iter::<Purse>().max_by_key(|(_, purse)| purse.gold);
    ///         self.victim = richest.map(|(id, _)| id);
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let [merchant, _peasant] = [9, 2].map(|gold| manager.spawn((Purse { gold },)));
    /// let thief = manager.spawn((Thief::default(),));
    /// manager.send(thief, Search)?;
    /// assert_eq!(manager.get::<Thief>(thief)?.victim, Some(merchant));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter<C: Component>(&self) -> impl Iterator<Item = (MessageeId, Ref<'_, C>)> {
        self.world().structure.pools.iter_of()
    }

    /// Hooks a component to a messagee. It is attached when the outermost send returns.
    ///
    /// Its hook can be written to at once: it receives what was sent to the hook right after it is
    /// attached, before any later change is made.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct PickUp { damage: u32 }
    ///
    /// struct Sword { damage: u32 }
    ///
    /// struct Hands;
    ///
    /// #[handlers]
    /// impl Hands {
    ///     #[on_receive]
    ///     fn pick_up(&mut self, it: &PickUp, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.hook(cx.me(), Sword { damage: it.damage })?;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Hands,));
    /// manager.send(orc, PickUp { damage: 7 })?;
    /// assert_eq!(manager.get::<Sword>(orc)?.damage, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::Leaving`], [`MessageeError::OtherManager`];
    /// [`MessageeError::Elsewhere`] for a proxy, which has no components here.
    #[track_caller]
    pub fn hook<C: Component>(
        &mut self,
        id: MessageeId,
        component: C,
    ) -> Result<HookId, MessageeError> {
        later::hook(self.world(), id, component, Location::caller())
    }

    /// Unhooks a component, which is dropped when the outermost send returns. From now on it receives
    /// nothing but its [`Unhooking`](crate::lifecycle::Unhooking).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Drop;
    ///
    /// struct Sword;
    /// struct Hands;
    ///
    /// #[handlers]
    /// impl Hands {
    ///     #[on_receive]
    ///     fn drop(&mut self, _: &Drop, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.unhook(cx.hook_of::<Sword>(cx.me())?)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Hands, Sword));
    /// manager.send(orc, Drop)?;
    /// assert!(manager.get::<Sword>(orc).is_err());
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    #[track_caller]
    pub fn unhook(&mut self, hook: HookId) -> Result<(), MessageeError> {
        later::unhook(self.world(), hook, Location::caller())
    }

    /// Returns the components of a messagee, in the order of hooking; none when it is not alive. What
    /// is hooked in this dispatch is not among them yet, what is going to be unhooked still is.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Count;
    ///
    /// struct Gun;
    ///
    /// #[derive(Default)]
    /// struct Crew { counted: usize }
    ///
    /// #[handlers]
    /// impl Crew {
    ///     #[on_receive]
    ///     fn count(&mut self, _: &Count, cx: &mut Context<'_>) {
    ///         self.counted = cx.hooks(cx.me()).count();
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Crew::default(), Gun, Gun));
    /// manager.send(tank, Count)?;
    /// assert_eq!(manager.get::<Crew>(tank)?.counted, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hooks(&self, id: MessageeId) -> impl Iterator<Item = HookId> + use<R> {
        self.world().structure.hooks_of(id).into_iter()
    }

    /// Returns the hook of the first component of type `C` of a messagee: the one that
    /// [`get`](Self::get) borrows.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Silence;
    ///
    /// struct Gun;
    /// struct Crew;
    ///
    /// #[handlers]
    /// impl Crew {
    ///     #[on_receive]
    ///     fn silence(&mut self, _: &Silence, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         let gun = cx.hook_of::<Gun>(cx.me())?;
    ///         cx.set_enabled(gun, false)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Crew, Gun));
    /// manager.send(tank, Silence)?;
    /// assert!(!manager.is_enabled(manager.hook_of::<Gun>(tank)?)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NoComponent`], [`MessageeError::Gone`],
    /// [`MessageeError::NotYetSpawned`], [`MessageeError::OtherManager`].
    pub fn hook_of<C: Component>(&self, id: MessageeId) -> Result<HookId, MessageeError> {
        self.world().structure.hook_of::<C>(id)
    }

    /// Returns the hooks of the components of type `C` of a messagee, in the order of hooking; none
    /// when it is not alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Count;
    ///
    /// struct Gun;
    ///
    /// #[derive(Default)]
    /// struct Crew { counted: usize }
    ///
    /// #[handlers]
    /// impl Crew {
    ///     #[on_receive]
    ///     fn count(&mut self, _: &Count, cx: &mut Context<'_>) {
    ///         self.counted = cx.hooks_of::<Gun>(cx.me()).count();
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Crew::default(), Gun, Gun));
    /// manager.send(tank, Count)?;
    /// assert_eq!(manager.get::<Crew>(tank)?.counted, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hooks_of<C: Component>(
        &self,
        id: MessageeId,
    ) -> impl Iterator<Item = HookId> + use<C, R> {
        self.world().structure.hooks_of_type::<C>(id).into_iter()
    }

    /// Returns the messagee that a component is hooked to.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Count;
    ///
    /// struct Gun;
    ///
    /// #[derive(Default)]
    /// struct Crew { counted: usize }
    ///
    /// #[handlers]
    /// impl Crew {
    ///     #[on_receive]
    ///     fn count(&mut self, _: &Count, cx: &mut Context<'_>) {
    ///         self.counted = usize::from(cx.owner(cx.my_hook()) == Ok(cx.me()));
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Crew::default(), Gun, Gun));
    /// manager.send(tank, Count)?;
    /// assert_eq!(manager.get::<Crew>(tank)?.counted, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`],
    /// [`MessageeError::NotYetHooked`].
    pub fn owner(&self, hook: HookId) -> Result<MessageeId, MessageeError> {
        self.world().structure.owner(hook)
    }

    /// Enables or disables a component at once. A disabled component stays hooked, but receives nothing. A
    /// send that is under way reaches a component only if it was enabled when the send began and is enabled
    /// when its turn comes. When the outermost send returns, the messagee receives
    /// [`Enabled`](crate::lifecycle::Enabled) or [`Disabled`](crate::lifecycle::Disabled).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// #[derive(Message)]
    /// struct Emp; // An electromagnetic pulse.
    ///
    /// struct Gun;
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire) {}
    ///
    ///     #[on_receive]
    ///     fn emp(&mut self, _: &Emp, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.set_enabled(cx.my_hook(), false)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Gun,));
    /// assert_eq!(manager.send(tank, Fire)?.received, 1);
    /// manager.send(Everyone, Emp)?;
    /// assert_eq!(manager.send(tank, Fire)?.received, 0);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    #[track_caller]
    pub fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Result<(), MessageeError> {
        let (world, place) = (self.world(), Location::caller());
        world.structure.check_hook(hook)?;
        later::switch(world, hook, enabled, place);
        Ok(())
    }

    /// Returns `true` if a component is enabled.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Toggle;
    ///
    /// struct Lamp;
    /// struct Switch { lamp: HookId }
    ///
    /// #[handlers]
    /// impl Switch {
    ///     #[on_receive]
    ///     fn toggle(&mut self, _: &Toggle, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         let is_on = cx.is_enabled(self.lamp)?;
    ///         cx.set_enabled(self.lamp, !is_on)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let ceiling = manager.spawn((Lamp,));
    /// let lamp = manager.hook_of::<Lamp>(ceiling)?;
    /// let switch = manager.spawn((Switch { lamp },));
    /// manager.send(switch, Toggle)?;
    /// assert!(!manager.is_enabled(lamp)?);
    /// manager.send(switch, Toggle)?;
    /// assert!(manager.is_enabled(lamp)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`],
    /// [`MessageeError::NotYetHooked`].
    pub fn is_enabled(&self, hook: HookId) -> Result<bool, MessageeError> {
        self.world().structure.is_enabled(hook)
    }
}
