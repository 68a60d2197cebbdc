//! The names of a manager's messagees in a save.

use std::sync::Arc;

use crate::key::{Key, MessageeId};
use crate::names::Names;

impl Names {
    /// Returns all names that are known, including those of messagees that are gone, in the order of their
    /// places.
    pub(crate) fn saved(&self) -> Vec<(MessageeId, Arc<str>)> {
        let Some(table) = self.table.get() else {
            return Vec::new();
        };
        let names = table.read();
        let known = names.by_place.iter().map(|(&place, named)| {
            let id = MessageeId(Key::from_parts(place, named.life));
            (id, Arc::clone(&named.name))
        });
        known.collect()
    }
}
