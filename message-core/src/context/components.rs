//! Borrowing components in a handler or a subscriber.
//!
//! Components that come or go in this dispatch are seen as they were before it.

use std::cell::{Ref, RefMut};

use crate::address::MessageeId;
use crate::component::Component;
use crate::context::Context;
use crate::error::MessageeError;

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
}
