//! Rows of other crates and statements, found among all that was linked in or loaded.

use std::any::Any;

use crate::link::refused::address;
use crate::link::{Entry, backend};
use crate::registry::{RegistryError, RegistryRow, pairs_of_same};

/// Leaves a [row](crate::registry::RegistryRow) in the program: a reference to a constant.
///
/// ```
/// use message_core::registry::{Declared, Place, RegistryRow};
/// use std::any::TypeId;
///
/// #[derive(Debug)]
/// struct Icon(&'static str);
///
/// impl RegistryRow for Icon {
///     fn subject(&self) -> TypeId { TypeId::of::<Self>() }
///     fn declared(&self) -> Declared {
///         Declared { name: self.0, place: Place { file: file!(), line: line!() } }
///     }
/// }
///
/// message_core::registry_row!(&Icon("orc.png"));
///
/// assert_eq!(message_core::registry_rows::<Icon>().count(), 1);
/// ```
#[macro_export]
macro_rules! registry_row {
    ($row:expr) => {
        const _: () = {
            $crate::__submit! { $crate::__private::Entry::Row($row) }
        };
    };
}

/// Returns all rows of a type that were linked in or loaded, in no particular order.
///
/// If a crate was linked in twice, its rows are returned twice.
///
/// ```
/// use message_core::registry::{Declared, RegistryRow};
/// use std::any::TypeId;
///
/// #[derive(Debug)]
/// struct Sound;
///
/// impl RegistryRow for Sound {
///     fn subject(&self) -> TypeId { TypeId::of::<Self>() }
///     fn declared(&self) -> Declared { unreachable!("there is no row") }
/// }
///
/// assert!(message_core::registry_rows::<Sound>().next().is_none());
/// ```
pub fn registry_rows<R: RegistryRow>() -> impl Iterator<Item = &'static R> {
    backend::entries().filter_map(|entry| match *entry {
        Entry::Row(row) => {
            let row: &dyn Any = row;
            row.downcast_ref()
        }
        _ => None,
    })
}

/// Returns the statements of plugins and shared crates.
pub(crate) fn stated() -> impl Iterator<Item = &'static [u8]> {
    backend::entries().filter_map(|entry| match *entry {
        Entry::Statement(text) => Some(text),
        _ => None,
    })
}

/// Checks that no two rows of a type have the same name. Those at known addresses come first in an error.
pub(super) fn check_names(is_known: impl Fn(usize) -> bool) -> Result<(), RegistryError> {
    let rows = backend::entries().filter_map(|entry| match *entry {
        Entry::Row(row) => Some((row, row.declared(), !is_known(address(entry)))),
        _ => None,
    });
    let mut rows: Vec<_> = rows.collect();
    // The order of linking must not show.
    rows.sort_by_key(|(_, declared, is_new)| (declared.name, *is_new, declared.place));
    let keys = rows.iter().map(|(row, declared, _)| {
        let any: &dyn Any = *row;
        (any.type_id(), declared.name)
    });
    let same: Vec<_> = pairs_of_same(keys)
        .filter(|&(first, second)| rows[first].0.subject() != rows[second].0.subject())
        .map(|(first, second)| (rows[first].1, rows[second].1))
        .collect();
    if same.is_empty() {
        Ok(())
    } else {
        Err(RegistryError::DuplicateNames(same))
    }
}
