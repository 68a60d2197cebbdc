//! Queries for tools, such as consoles, inspectors and editors.

use std::cell::Ref;

use crate::address::MessageeId;
use crate::error::Unhandled;
use crate::lifecycle::OWN;
use crate::manager::MessageManager;
use crate::message::AnyMessage;
use crate::post::{PendingPost, Ticket};
use crate::registry::MessageInfo;

/// Read-only queries for tools: counts of failures, pending messages, and ids by their text.
///
/// Returned by [`MessageManager::inspect`].
///
/// ```
/// use message_core::prelude::*;
///
/// let manager = MessageManager::new();
/// let inspect = manager.inspect();
/// assert_eq!((inspect.failure_count(), inspect.dead_letter_count(), inspect.pending_len()), (0, 0, 0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Inspect<'m> {
    manager: &'m MessageManager,
}

impl MessageManager {
    /// Returns the queries for tools.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// assert_eq!(MessageManager::new().inspect().pending_len(), 0);
    /// ```
    #[must_use]
    pub fn inspect(&self) -> Inspect<'_> {
        Inspect { manager: self }
    }
}

impl<'m> Inspect<'m> {
    /// Returns a number that no other manager of this process has or had.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let (one, two) = (MessageManager::new(), MessageManager::new());
    /// assert_ne!(one.inspect().serial(), two.inspect().serial());
    /// assert_eq!(one.inspect().serial(), one.inspect().serial());
    /// ```
    #[must_use]
    pub fn serial(&self) -> u64 {
        self.manager.world().common.identity.serial
    }

    /// Returns the messagee whose id is written so, as `{:#}` writes it: `3v1`. `None` if no messagee
    /// that is alive has that id.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn_named("orc", ());
    /// assert_eq!(manager.inspect().parse_messagee(&format!("{orc:#}")), Some(orc));
    /// assert_eq!(manager.inspect().parse_messagee("orc"), None);
    /// manager.despawn(orc)?;
    /// assert_eq!(manager.inspect().parse_messagee(&format!("{orc:#}")), None);
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn parse_messagee(&self, text: &str) -> Option<MessageeId> {
        let manager = self.manager.world().common.identity.number;
        let id = manager.key_in(text).map(MessageeId);
        id.filter(|&id| self.manager.is_alive(id))
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
    /// assert_eq!(manager.inspect().dead_letter_count(), 0);
    /// manager.tick(std::time::Duration::ZERO);
    /// assert_eq!(manager.inspect().dead_letter_count(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn dead_letter_count(&self) -> u64 {
        self.manager.world().waiting.failures.dead_letters.get()
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
    /// assert_eq!(manager.inspect().pending_len(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn pending_len(&self) -> usize {
        self.manager.world().schedule.borrow().pending()
    }

    /// Returns the pending messages that are due first, at most `most` of them, in the order of
    /// [`pending_posts`](MessageManager::pending_posts). If several are due at the same time and not all of them fit,
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
    /// let soonest: Vec<Ticket> = manager.inspect().soonest_posts(2).iter().map(|post| post.ticket).collect();
    /// assert_eq!(soonest, [tickets[1], tickets[2]]);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn soonest_posts(&self, most: usize) -> Vec<PendingPost> {
        self.manager.world().schedule.borrow().soonest(most)
    }

    /// Returns how many failures there were since the manager was made: handlers that returned an error
    /// or panicked under [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook), subscribers that
    /// panicked, and outermost sends in which messages could not be kept and nothing else has failed.
    /// A host that runs the stages itself compares it before and after a frame.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Load(&'static str);
    ///
    /// struct Level;
    ///
    /// #[handlers]
    /// impl Level {
    ///     #[on_receive]
    ///     fn load(&mut self, load: &Load) -> Result<(), HandlerError> {
    ///         let _size: u32 = load.0.parse()?;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let level = manager.spawn((Level,));
    /// manager.send(level, Load("40"))?;
    /// assert_eq!(manager.inspect().failure_count(), 0);
    /// manager.send(level, Load("forty"))?;
    /// assert_eq!(manager.inspect().failure_count(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn failure_count(&self) -> u64 {
        self.manager.world().waiting.failures.total.get()
    }

    /// Returns how many deliveries of repeating messages were skipped since the manager was made,
    /// beyond [`max_repeats_per_frame`](crate::ManagerConfig::max_repeats_per_frame). A host that runs
    /// the stages itself compares it before and after a frame;
    /// [`FrameReport::skipped_repeats`](crate::FrameReport::skipped_repeats) is that difference.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Regenerate;
    ///
    /// let config = ManagerConfig::new().max_repeats_per_frame(3);
    /// let mut manager = MessageManager::with_config(config);
    /// manager.post(Header::to(Everyone).every(Duration::from_millis(10)), Regenerate)?;
    /// let report = manager.tick(Duration::from_millis(50));
    /// assert_eq!((report.delivered, manager.inspect().skipped_repeats()), (3, 2));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn skipped_repeats(&self) -> u64 {
        self.manager.world().schedule.borrow().skipped_repeats
    }

    /// Returns the message types of the program that this manager does not use so far, sorted by name: no component
    /// type handles them, nobody subscribes to them, and nobody has published them or read their
    /// mailbox. The [manager's own](crate::lifecycle) are left out. A subscription to all types does
    /// not count, and neither does what other managers do.
    ///
    /// Handlers are known when the program is linked, everything else only while it runs: ask when all
    /// subscriptions are made and a frame has run.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(name = "demo.forgotten")]
    /// struct Forgotten;
    ///
    /// let mut manager = MessageManager::new();
    /// let unused = manager.inspect().unused_messages();
    /// let forgotten = unused.iter().find(|it| it.name == "demo.forgotten");
    /// assert_eq!(forgotten.map(|it| it.place.file), Some(file!()));
    ///
    /// manager.subscribe(Filter::of::<Forgotten>(), |_, _| {});
    /// let unused = manager.inspect().unused_messages();
    /// assert!(unused.iter().all(|it| it.name != "demo.forgotten"));
    /// ```
    #[must_use]
    pub fn unused_messages(&self) -> Vec<&'static MessageInfo> {
        let world = self.manager.world();
        let all = world.common.registry.messages.iter();
        let unused = all.filter(|message| {
            let of = message.index;
            !OWN.iter().any(|row| row.facts.id == message.id)
                && message.handlers.is_empty()
                && !world.listen.subscriptions.any_asks_for(of)
                && world.mail.cells[of.get()].get().is_none()
                && !world.outside.proxies.have_carried(of)
        });
        unused.collect()
    }

    /// Returns the message types that were sent to messagees that do not handle them, sorted by message, then
    /// by components. Each entry covers all messagees whose components have the same types in the same order.
    ///
    /// Counts sends, requests and posts that are due, if they are for one messagee by its id, by `Me` or by a
    /// mnemonic, and no listener has received the message either. Each entry takes memory, which
    /// [`reset_unhandled`](MessageManager::reset_unhandled) frees.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Open;
    ///
    /// struct Frame;
    ///
    /// let mut manager = MessageManager::new();
    /// let doors = [manager.spawn((Frame,)), manager.spawn((Frame,)), manager.spawn(())];
    /// for door in doors {
    ///     manager.send(door, Open)?;
    /// }
    /// manager.send(Everyone, Open)?; // Does not count.
    /// let unhandled = manager.inspect().unhandled();
    /// let counts: Vec<_> = unhandled.iter().map(|it| (it.components.len(), it.count)).collect();
    /// assert_eq!(counts, [(0, 1), (1, 2)]);
    /// assert_eq!(unhandled[0].place.file(), file!());
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn unhandled(&self) -> Vec<Unhandled> {
        self.manager.world().waiting.failures.unhandled.sorted()
    }

    /// Returns a message that is pending, or `None` if it is not pending any more.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message, Debug)]
    /// struct Ping(u32);
    ///
    /// let mut manager = MessageManager::new();
    /// let ping = manager.post(Header::to(Everyone).after(Duration::from_secs(1)), Ping(3))?;
    /// let said = manager.inspect().pending_message(ping).map(|message| format!("{:?}", &*message));
    /// assert_eq!(said.as_deref(), Some("Ping(3)"));
    /// manager.cancel(ping);
    /// assert!(manager.inspect().pending_message(ping).is_none());
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn pending_message(&self, ticket: Ticket) -> Option<Ref<'m, dyn AnyMessage>> {
        let schedule = self.manager.world().schedule.borrow();
        Ref::filter_map(schedule, |schedule| schedule.message(ticket)).ok()
    }
}
