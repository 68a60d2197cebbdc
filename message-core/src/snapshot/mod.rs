//! Snapshots: the state of a manager in memory, to which it can go back.
//!
//! A snapshot has clones of the manager's own tables. A rewind first makes everything that a user's `Clone` makes, and
//! then changes the manager, so that a panic of one leaves the manager as it was.

mod state;

use std::fmt;
use std::panic::Location;

use crate::error::SnapshotError;
use crate::input::Input;
use crate::manager::MessageManager;
use state::State;

/// The state of a manager at one moment, in memory; from [`MessageManager::snapshot`].
///
/// It belongs to its manager. The manager can go back to it any number of times by [`rewind`](MessageManager::rewind).
/// The guide has a page about it: [rollback](crate::guide::rollback).
///
/// ```
/// use message_core::Snapshot;
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message, Clone)]
/// struct Grow;
///
/// #[derive(Clone)]
/// struct Tree { height: u32 }
///
/// #[handlers]
/// impl Tree {
///     #[on_receive]
///     fn grow(&mut self, _: &Grow) { self.height += 1; }
/// }
///
/// let mut manager = MessageManager::new();
/// let tree = manager.spawn((Tree { height: 0 },));
/// manager.post(Header::to(tree).every(Duration::from_millis(10)), Grow)?;
///
/// // The last three frames, in memory that is used again.
/// let mut ring = [const { Snapshot::new() }; 3];
/// for frame in 0..10 {
///     manager.snapshot_into(&mut ring[frame % 3])?;
///     manager.tick(Duration::from_millis(10));
/// }
/// assert_eq!(ring[8 % 3].frame(), Some(8));
/// manager.rewind(&ring[8 % 3])?;
/// assert_eq!(manager.get::<Tree>(tree)?.height, 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Snapshot {
    /// The serial number of the manager and its frame, if the snapshot is complete.
    of: Option<(u64, u64)>,
    state: Option<Box<State>>,
}

impl Snapshot {
    /// Creates an empty snapshot, for [`snapshot_into`](MessageManager::snapshot_into).
    ///
    /// ```
    /// use message_core::Snapshot;
    ///
    /// assert_eq!(Snapshot::new().frame(), None);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self {
            of: None,
            state: None,
        }
    }

    /// Returns the number of frames that the manager had begun, or `None` if the snapshot is empty.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.snapshot()?.frame(), Some(1));
    /// # Ok::<(), message_core::error::SnapshotError>(())
    /// ```
    #[must_use]
    pub fn frame(&self) -> Option<u64> {
        self.of.map(|(_, frame)| frame)
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("frame", &self.frame())
            .finish_non_exhaustive()
    }
}

impl MessageManager {
    /// Clones the state of the manager: its components, and the messages that are posted, published or retained. They
    /// have to be `Clone`, which [`#[handlers]`](macro@crate::handlers), the derive of messages and
    /// [`cloned!`](crate::cloned!) find out.
    ///
    /// Taking a snapshot changes nothing, and is not an input.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Clone)]
    /// struct Position(i32);
    ///
    /// message_core::cloned!(Position); // It has no handlers.
    ///
    /// let mut manager = MessageManager::new();
    /// let crow = manager.spawn((Position(3),));
    /// let snapshot = manager.snapshot()?;
    /// manager.despawn(crow)?;
    /// manager.rewind(&snapshot)?;
    /// assert_eq!(manager.get::<Position>(crow)?.0, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SnapshotError::ComponentNotClone`], [`SnapshotError::MessageNotClone`].
    ///
    /// # Panics
    ///
    /// Panics if a `Clone` panics, and under the same conditions as [`settle`](Self::settle), which is called first.
    pub fn snapshot(&mut self) -> Result<Snapshot, SnapshotError> {
        let mut snapshot = Snapshot::new();
        self.snapshot_into(&mut snapshot)?;
        Ok(snapshot)
    }

    /// Like [`snapshot`](Self::snapshot), but uses the memory of an earlier snapshot, which it replaces. If it fails, the
    /// earlier one stays.
    ///
    /// ```
    /// use message_core::Snapshot;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// let mut last = Snapshot::new();
    /// for _ in 0..3 {
    ///     manager.snapshot_into(&mut last)?;
    ///     manager.tick(Duration::from_millis(16));
    /// }
    /// assert_eq!(last.frame(), Some(2));
    /// # Ok::<(), message_core::error::SnapshotError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SnapshotError::ComponentNotClone`], [`SnapshotError::MessageNotClone`].
    ///
    /// # Panics
    ///
    /// Panics if a `Clone` panics, or the `Drop` of one clone or of a closure that no snapshot needs any more; the snapshot is
    /// empty then. Also panics under the same conditions as [`settle`](Self::settle), which is called first.
    pub fn snapshot_into(&mut self, snapshot: &mut Snapshot) -> Result<(), SnapshotError> {
        self.settle();
        let of = (self.inspect().serial(), self.clock().frame());
        let world = self.no_input();
        world.changes().take_up();
        state::check(world)?;
        snapshot.of = None;
        snapshot.state.get_or_insert_default().save(world);
        snapshot.of = Some(of);
        Ok(())
    }

    /// Goes back to a snapshot of this manager, in place: ids, handles, tickets and subscriptions mean the same as then.
    /// If the same calls follow, the same happens, and the same ids are given out.
    ///
    /// Subscriptions that were made since have ended, and those that have ended since are back, also if a panic has
    /// ended them. What their closures captured is not rewound. Neither are other threads and their messages in the
    /// [inlet](Self::inlet), the [carrier](Self::carrier), trace sinks, and cursors outside the manager.
    ///
    /// A log cannot repeat a rewind, and reports that it [cannot be logged](crate::report::Report::NotLogged).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let snapshot = manager.snapshot()?;
    /// let first = manager.spawn(());
    /// manager.rewind(&snapshot)?;
    /// assert!(!manager.is_alive(first));
    /// assert_eq!(manager.spawn(()), first); // The same call gives out the same id.
    /// # Ok::<(), message_core::error::SnapshotError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SnapshotError::OtherManager`], [`SnapshotError::Empty`].
    ///
    /// # Panics
    ///
    /// Panics if a `Clone` panics: the manager has not gone back then. Panics if a value that was replaced panics when
    /// it is dropped: then the manager has gone back, and all others are dropped too. Also panics under the same
    /// conditions as [`settle`](Self::settle), which is called first.
    #[track_caller]
    pub fn rewind(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let (Some((of, _)), Some(state)) = (snapshot.of, &snapshot.state) else {
            return Err(SnapshotError::Empty);
        };
        if of != self.inspect().serial() {
            return Err(SnapshotError::OtherManager);
        }
        let place = Location::caller();
        self.settle();
        // Before the input is noted, since a `Clone` may panic.
        let parts = state.parts(self.world()).ok_or(SnapshotError::Empty)?;
        let world = self.input(|| Input::Rewind(place)).0;
        state.rewind(parts, world).ok_or(SnapshotError::Empty)
    }
}

/// Declares that components are `Clone`, so that [snapshots](crate::Snapshot) can clone them. Components with
/// [`#[handlers]`](macro@crate::handlers) need no declaration.
///
/// ```
/// #[derive(Clone, Copy)]
/// struct Position(f32, f32);
///
/// #[derive(Clone)]
/// struct Name(String);
///
/// message_core::cloned!(Position, Name);
/// ```
#[macro_export]
macro_rules! cloned {
    ($($component:ty),+ $(,)?) => {
        $(
            const _: () = {
                $crate::__submit! {
                    $crate::__private::Entry::Cloned(
                        $crate::__private::Cloning::of::<$component>(),
                    )
                }
            };
        )+
    };
}
