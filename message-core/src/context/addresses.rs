//! Operations on addresses for handlers and subscribers: families, mnemonics and groups. Changes take effect
//! at once.

use crate::address::MessageeId;
use crate::context::Context;
use crate::error::MessageeError;
use crate::group::Group;
use crate::mnemonic::Mnemonic;

impl<R> Context<'_, R> {
    /// Makes one messagee the last child of another, or with `None` nobody's, at once.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Board { ship: MessageeId }
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn board(&mut self, board: &Board, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.set_parent(cx.me(), Some(board.ship))
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (ship, sailor) = (manager.spawn(()), manager.spawn((Sailor,)));
    /// manager.send(sailor, Board { ship })?;
    /// assert_eq!(manager.parent(sailor), Some(ship));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Cycle`], [`MessageeError::Gone`], [`MessageeError::Leaving`],
    /// [`MessageeError::OtherManager`].
    pub fn set_parent(
        &mut self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError> {
        self.world().structure.set_parent(child, parent)
    }

    /// Binds a mnemonic to a messagee, at once. One that is bound to a messagee that is leaving is
    /// free.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// mnemonic!(CAPTAIN);
    ///
    /// #[derive(Message)]
    /// struct Promote;
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn promote(&mut self, _: &Promote, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.bind(CAPTAIN, cx.me())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let [first, second] = [(); 2].map(|()| manager.spawn((Sailor,)));
    /// assert_eq!(manager.send(first, Promote)?.failed, 0);
    /// assert_eq!(manager.send(second, Promote)?.failed, 1); // There is a captain already.
    /// assert_eq!(manager.bound(CAPTAIN), Some(first));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::AlreadyBound`], [`MessageeError::Gone`], [`MessageeError::Leaving`],
    /// [`MessageeError::OtherManager`].
    pub fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.world().structure.bind(mnemonic, id)
    }

    /// Frees a mnemonic that is bound to that messagee, at once.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// mnemonic!(CAPTAIN);
    ///
    /// #[derive(Message)]
    /// struct StepDown { successor: MessageeId }
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn step_down(&mut self, it: &StepDown, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.unbind(CAPTAIN, cx.me())?;
    ///         cx.bind(CAPTAIN, it.successor)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let [first, second] = [(); 2].map(|()| manager.spawn((Sailor,)));
    /// manager.bind(CAPTAIN, first)?;
    /// manager.send(CAPTAIN, StepDown { successor: second })?;
    /// assert_eq!(manager.bound(CAPTAIN), Some(second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotBound`], [`MessageeError::Gone`], [`MessageeError::Leaving`],
    /// [`MessageeError::OtherManager`].
    pub fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.world().structure.unbind(mnemonic, id)
    }

    /// Makes a messagee a member of a group, at once. Returns `true` if it was not one before.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// group!(CREW);
    ///
    /// #[derive(Message)]
    /// struct Enlist;
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn enlist(&mut self, _: &Enlist, cx: &mut Context<'_>) -> Result<bool, MessageeError> {
    ///         cx.join(CREW, cx.me())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let sailor = manager.spawn((Sailor,));
    /// assert_eq!(manager.send(sailor, Enlist)?.received, 1);
    /// assert_eq!(manager.send(sailor, Enlist)?.received, 0); // It is a member already.
    /// assert!(manager.members(CREW).eq([sailor]));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::Leaving`], [`MessageeError::OtherManager`].
    pub fn join(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.world().structure.set_membership(group, id, true)
    }

    /// Ends a messagee's membership of a group, at once. Returns `true` if it was a member.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// group!(CREW);
    ///
    /// #[derive(Message)]
    /// struct Desert;
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn desert(&mut self, _: &Desert, cx: &mut Context<'_>) -> Result<bool, MessageeError> {
    ///         cx.leave(CREW, cx.me())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let sailor = manager.spawn((Sailor,));
    /// manager.join(CREW, sailor)?;
    /// manager.send(sailor, Desert)?;
    /// assert_eq!(manager.members(CREW).count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::Leaving`], [`MessageeError::OtherManager`].
    pub fn leave(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.world().structure.set_membership(group, id, false)
    }
}
