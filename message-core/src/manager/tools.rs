//! Queries for tools, such as consoles, inspectors and editors.
//!
//! All of them only read. None is called while messages are delivered.

use crate::address::MessageeId;
use crate::key::ManagerBits;
use crate::manager::MessageManager;
use crate::post::PendingPost;

impl MessageManager {
    /// Returns a number that no other manager of this process has or had.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let (one, two) = (MessageManager::new(), MessageManager::new());
    /// assert_ne!(one.serial(), two.serial());
    /// assert_eq!(one.serial(), one.serial());
    /// ```
    #[must_use]
    pub fn serial(&self) -> u64 {
        self.world.common.identity.serial
    }

    /// Returns the messagee whose id is written so, as `{:#}` writes it: `3v1`. `None` if no messagee
    /// that is alive has that id.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn_named("orc", ());
    /// assert_eq!(manager.messagee_written(&format!("{orc:#}")), Some(orc));
    /// assert_eq!(manager.messagee_written("orc"), None);
    /// manager.despawn(orc)?;
    /// assert_eq!(manager.messagee_written(&format!("{orc:#}")), None);
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn messagee_written(&self, text: &str) -> Option<MessageeId> {
        let (place, generation) = text.split_once('v')?;
        let (place, generation) = (place.parse().ok()?, generation.parse().ok()?);
        let manager = self.world.common.identity.number();
        let id = MessageeId(ManagerBits::new(manager).key(generation, place));
        // `+3v1` is another text.
        (self.is_alive(id) && format!("{id:#}") == text).then_some(id)
    }

    /// Returns how many dead letters there have been.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// manager.post(Header::to(orc).stage(Stage::Update).require(1), Ping)?;
    /// assert_eq!(manager.dead_letters(), 0);
    /// manager.tick(std::time::Duration::ZERO);
    /// assert_eq!(manager.dead_letters(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn dead_letters(&self) -> u64 {
        self.world.waiting.failures.dead_letters.get()
    }

    /// Returns how many messages are pending, without looking at them.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).after(Duration::from_secs(1)), Ping)?;
    /// assert_eq!(manager.pending_len(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn pending_len(&self) -> usize {
        self.world.schedule.borrow().pending()
    }

    /// Returns the pending messages that are due first, at most `most` of them, in the order of
    /// [`pending_posts`](Self::pending_posts). If several are due at the same time and not all of them fit,
    /// it is unspecified which of them are left out.
    ///
    /// This does not visit every pending message: it finds the first hundred of a million posts in a fraction
    /// of the time that `pending_posts` takes.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// let mut tickets = Vec::new();
    /// for seconds in [3, 1, 2] {
    ///     let later = Header::to(Everyone).after(Duration::from_secs(seconds));
    ///     tickets.push(manager.post(later, Ping)?);
    /// }
    /// let soonest: Vec<Ticket> = manager.soonest_posts(2).iter().map(|post| post.ticket).collect();
    /// assert_eq!(soonest, [tickets[1], tickets[2]]);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn soonest_posts(&self, most: usize) -> Vec<PendingPost> {
        self.world.schedule.borrow().soonest(most)
    }
}
