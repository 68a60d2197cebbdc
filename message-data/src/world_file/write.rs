//! Writes a manager as a text that people can read, and that can be read back.

use message_core::MessageeId;

/// The messagees that [`write_world`](crate::write_world) writes.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Selection};
///
/// let mut manager = MessageManager::new();
/// let camp = manager.spawn_named("camp", ());
/// manager.spawn_named("road", ());
/// let text = data::write_world(&manager, &Selection::of([camp]))?;
/// assert!(text.contains("camp") && !text.contains("road"), "{text}");
/// # Ok::<(), message_data::WorldError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub(super) only: Option<Vec<MessageeId>>,
    pub(super) leaves_out: bool,
}

impl Selection {
    /// Selects all messagees.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Selection, WorldFile};
    ///
    /// let mut manager = MessageManager::new();
    /// manager.spawn_named("road", ());
    /// let text = data::write_world(&manager, &Selection::all())?;
    /// assert!(WorldFile::parse(&text)?.messagees().eq(["road"]));
    /// # Ok::<(), message_data::WorldError>(())
    /// ```
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Selects these messagees, and their descendants.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Selection, WorldFile};
    ///
    /// let mut manager = MessageManager::new();
    /// let camp = manager.spawn_named("camp", ());
    /// let grib = manager.spawn_named("grib", ());
    /// manager.set_parent(grib, Some(camp)).expect("both are alive");
    /// let text = data::write_world(&manager, &Selection::of([camp]))?;
    /// assert!(WorldFile::parse(&text)?.messagees().eq(["camp", "grib"]));
    /// # Ok::<(), message_data::WorldError>(())
    /// ```
    #[must_use]
    pub fn of(ids: impl IntoIterator<Item = MessageeId>) -> Self {
        Self {
            only: Some(ids.into_iter().collect()),
            leaves_out: false,
        }
    }

    /// Leaves out everything that cannot be written: components and wires whose types have no data. Without this, an
    /// error lists all of them.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Selection};
    ///
    /// struct Secret;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.spawn_named("spy", (Secret,));
    /// assert!(data::write_world(&manager, &Selection::all()).is_err());
    /// assert!(data::write_world(&manager, &Selection::all().without_unwritable()).is_ok());
    /// ```
    #[must_use]
    pub fn without_unwritable(mut self) -> Self {
        self.leaves_out = true;
        self
    }
}
