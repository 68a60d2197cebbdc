//! Rows of other crates, and what is collected from them.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::registry::{Declared, Latest};

/// The number of times that the registry was extended.
static EXTENSIONS: AtomicUsize = AtomicUsize::new(0);

/// A value that a crate has each program collect at link time, such as a description of a type.
///
/// [`registry_row!`](crate::registry_row!) leaves one, and [`registry_rows`](crate::registry_rows) returns all of a
/// type. Names are compared only with those of the same type of row.
///
/// ```
/// use message_core::registry::{Declared, Place, RegistryRow};
/// use std::any::TypeId;
///
/// /// A type with an icon.
/// #[derive(Debug)]
/// struct Icon { of: fn() -> TypeId, name: &'static str, picture: &'static str, place: Place }
///
/// impl RegistryRow for Icon {
///     fn subject(&self) -> TypeId { (self.of)() }
///     fn declared(&self) -> Declared { Declared { name: self.name, place: self.place } }
/// }
///
/// struct Orc;
///
/// message_core::registry_row!(&Icon {
///     of: TypeId::of::<Orc>,
///     name: "orc",
///     picture: "orc.png",
///     place: Place { file: file!(), line: line!() },
/// });
///
/// let icons: Vec<&Icon> = message_core::registry_rows().collect();
/// assert_eq!(icons[0].picture, "orc.png");
/// ```
pub trait RegistryRow: Any + fmt::Debug + Sync {
    /// Returns what the row describes. Two rows with the same subject are the same row, linked in twice.
    fn subject(&self) -> TypeId;

    /// Returns the name and the place of the declaration. The registry is not published or extended if two subjects
    /// have the same name.
    fn declared(&self) -> Declared;
}

/// A value that is made from rows when it is first used, and made again after the registry was
/// [extended](crate::extend_registry()).
///
/// Earlier values are not dropped, so references to them stay valid.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::registry::Collected;
///
/// #[derive(Message)]
/// #[message(name = "docs.collected.wave")]
/// struct Wave;
///
/// static NAMES: Collected<Vec<&str>> = Collected::empty();
///
/// fn names() -> &'static [&'static str] {
///     NAMES.get(|| message_core::registry().messages().map(|message| message.name).collect())
/// }
///
/// assert!(names().contains(&"docs.collected.wave"));
/// ```
#[derive(Debug)]
pub struct Collected<T: 'static> {
    /// Each with the number of extensions that it knows.
    latest: Latest<(usize, T)>,
    /// Held by the thread that collects.
    turn: Mutex<()>,
}

impl<T> Collected<T> {
    /// Returns a place for a value that has not been made.
    ///
    /// ```
    /// use message_core::registry::Collected;
    ///
    /// static TYPES: Collected<usize> = Collected::empty();
    ///
    /// assert_eq!(*TYPES.get(|| message_core::registry().messages().len()), message_core::registry().messages().len());
    /// ```
    #[must_use]
    pub const fn empty() -> Self {
        let latest = Latest::new();
        let turn = Mutex::new(());
        Self { latest, turn }
    }

    /// Returns the value. Makes it first if there is none, or if the registry has been extended since.
    ///
    /// ```
    /// use message_core::registry::Collected;
    ///
    /// static ICONS: Collected<Vec<&str>> = Collected::empty();
    ///
    /// let icons = ICONS.get(|| vec!["orc.png"]);
    /// assert!(std::ptr::eq(icons, ICONS.get(Vec::new))); // It is made once.
    /// ```
    pub fn get(&'static self, collect: impl FnOnce() -> T) -> &'static T {
        self.current().unwrap_or_else(|| {
            let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            self.current().unwrap_or_else(|| {
                let extensions = EXTENSIONS.load(Ordering::Acquire);
                &self.latest.replace((extensions, collect())).1
            })
        })
    }

    fn current(&'static self) -> Option<&'static T> {
        let (extensions, value) = self.latest.get()?;
        (*extensions == EXTENSIONS.load(Ordering::Acquire)).then_some(value)
    }
}

/// Has each [`Collected`] value made again when it is next used.
pub(crate) fn collect_again() {
    EXTENSIONS.fetch_add(1, Ordering::Release);
}
