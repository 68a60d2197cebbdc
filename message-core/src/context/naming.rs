//! Operations on the names of messagees for handlers and subscribers.

use std::sync::Arc;

use crate::address::MessageeId;
use crate::component::Bundle;
use crate::context::Context;
use crate::error::MessageeError;

impl<R> Context<'_, R> {
    /// Names a messagee, at once, as [`MessageManager::set_name`](crate::MessageManager::set_name)
    /// does. One that was spawned in this dispatch can be named, too.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Promote;
    ///
    /// struct Soldier;
    ///
    /// #[handlers]
    /// impl Soldier {
    ///     #[on_receive]
    ///     fn promote(&mut self, _: &Promote, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.set_name(cx.me(), "Sergeant")
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let soldier = manager.spawn_named("Private", (Soldier,));
    /// manager.send(soldier, Promote)?;
    /// assert_eq!(manager.name(soldier).as_deref(), Some("Sergeant"));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::Leaving`], [`MessageeError::OtherManager`].
    pub fn set_name(
        &mut self,
        id: MessageeId,
        name: impl Into<Arc<str>>,
    ) -> Result<(), MessageeError> {
        let world = self.world();
        world.structure.check_stays(id)?;
        world.common.names.set(id, name.into());
        Ok(())
    }

    /// Returns the name of a messagee, as [`MessageManager::name`](crate::MessageManager::name) does:
    /// also of one that was spawned in this dispatch, or is gone.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Introduce;
    ///
    /// #[derive(Default)]
    /// struct Voice { said: String }
    ///
    /// #[handlers]
    /// impl Voice {
    ///     #[on_receive]
    ///     fn introduce(&mut self, _: &Introduce, cx: &mut Context<'_>) {
    ///         let name = cx.name(cx.me());
    ///         self.said = format!("I am {}", name.as_deref().unwrap_or("nobody"));
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let guest = manager.spawn_named("Ada", (Voice::default(),));
    /// manager.send(guest, Introduce)?;
    /// assert_eq!(manager.get::<Voice>(guest)?.said, "I am Ada");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn name(&self, id: MessageeId) -> Option<Arc<str>> {
        self.world().common.names.get(id)
    }

    /// Spawns a messagee with a name, as [`spawn`](Self::spawn) does. It has the name at once, and
    /// comes alive when the outermost send returns.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// struct Shell;
    /// struct Gun;
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) {
    ///         cx.spawn_named("shell", (Shell,));
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let gun = manager.spawn((Gun,));
    /// manager.send(gun, Fire)?;
    /// assert_eq!(manager.find("shell").count(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    #[track_caller]
    pub fn spawn_named<B: Bundle>(&mut self, name: impl Into<Arc<str>>, bundle: B) -> MessageeId {
        let name = name.into();
        let id = self.spawn(bundle);
        self.world().common.names.set(id, name);
        id
    }

    /// Returns the messagees that are alive now and whose whole name matches a pattern, as
    /// [`MessageManager::find`](crate::MessageManager::find) does. One that is going to be despawned
    /// at the end of the outermost send still is; one that was spawned in this dispatch is not yet.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Count;
    ///
    /// #[derive(Default)]
    /// struct King { subjects: usize }
    ///
    /// #[handlers]
    /// impl King {
    ///     #[on_receive]
    ///     fn count(&mut self, _: &Count, cx: &mut Context<'_>) {
    ///         self.subjects = cx.find("goblin ?").count();
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let king = manager.spawn_named("goblin king", (King::default(),));
    /// manager.spawn_named("goblin 1", ());
    /// manager.send(king, Count)?;
    /// assert_eq!(manager.get::<King>(king)?.subjects, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, pattern: &str) -> impl Iterator<Item = MessageeId> + use<R> {
        let world = self.world();
        let found = world.structure.find_named(&world.common.names, pattern);
        found.into_iter()
    }
}
