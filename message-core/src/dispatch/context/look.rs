//! What a handler or a subscriber can look at: messagees, hooks, components, families, addresses.
//!
//! What comes and goes in this dispatch is seen as it was before; addresses, and what is enabled, as
//! they are.

use std::cell::{Ref, RefMut};

use crate::address::{HookId, MessageeId};
use crate::component::Component;
use crate::dispatch::Context;
use crate::error::MessageeError;
use crate::group::Group;
use crate::mnemonic::Mnemonic;
use crate::world::Presence;

impl<R> Context<'_, R> {
    /// Returns `true` if a component is enabled.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`],
    /// [`MessageeError::NotYetHooked`].
    pub fn is_enabled(&self, hook: HookId) -> Result<bool, MessageeError> {
        self.world().is_enabled(hook)
    }

    /// The members of a group, in the order in which they joined.
    pub fn members(&self, group: Group) -> impl Iterator<Item = MessageeId> + use<R> {
        self.world().addresses.members(group).into_iter()
    }

    /// The messagee that is bound to a mnemonic.
    #[must_use]
    pub fn bound(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        self.world().addresses.bound(mnemonic)
    }

    /// The messagee's parent; `None` when it has none or is not alive.
    #[must_use]
    pub fn parent(&self, id: MessageeId) -> Option<MessageeId> {
        self.world().parent(id)
    }

    /// The messagee's children in the order in which they came; none when it is not alive.
    pub fn children(&self, id: MessageeId) -> impl Iterator<Item = MessageeId> + use<R> {
        self.world().children(id)
    }

    /// Returns `true` if the messagee is alive now. One that is going to be despawned at the end of the
    /// outermost send still is; one that was spawned in this dispatch is not yet.
    #[must_use]
    pub fn is_alive(&self, id: MessageeId) -> bool {
        matches!(
            self.world().presence(id),
            Presence::Alive | Presence::Leaving
        )
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
        self.world().hooks_of(id).into_iter()
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
        self.world().hook_of::<C>(id)
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
        self.world().hooks_of_type::<C>(id).into_iter()
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
        self.world().owner(hook)
    }

    /// Returns how many messagees are alive. One that is going to be despawned at the end of the
    /// outermost send still is; one that was spawned in this dispatch is not yet.
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
    ///         self.counted = cx.len();
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Crew::default(), Gun, Gun));
    /// manager.send(tank, Count)?;
    /// assert_eq!(manager.get::<Crew>(tank)?.counted, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.world().messagees.len()
    }

    /// Returns `true` if no messagee is alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Roll;
    ///
    /// let mut manager = MessageManager::new();
    /// let (tell, told) = mpsc::channel();
    /// manager.subscribe(Filter::of::<Roll>(), move |_, cx| {
    ///     let _ = tell.send(cx.is_empty());
    /// });
    /// manager.send(Everyone, Roll)?;
    /// assert!(told.recv()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the messagees that are alive, in no order that means anything.
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
    ///         self.counted = cx.messagees().filter(|&id| id == cx.me()).count();
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Crew::default(), Gun, Gun));
    /// manager.send(tank, Count)?;
    /// assert_eq!(manager.get::<Crew>(tank)?.counted, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn messagees(&self) -> impl Iterator<Item = MessageeId> {
        self.world().messagees.iter()
    }

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

    /// Every component of type `C` with its messagee, in storage order, the disabled ones last.
    /// Those that are running with `&mut self` are left out. It borrows the context shared, as
    /// [`get`](Self::get) does.
    pub fn iter<C: Component>(&self) -> impl Iterator<Item = (MessageeId, Ref<'_, C>)> {
        self.world().iter()
    }
}
