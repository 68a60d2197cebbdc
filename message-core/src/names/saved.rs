//! The names of a manager's messagees in a save.

use std::sync::Arc;

use crate::key::MessageeId;
use crate::names::{Names, read};

impl Names {
    /// Returns all names that are known, including those of messagees that are gone, in the order of their
    /// places.
    pub(crate) fn saved(&self) -> Vec<(MessageeId, Arc<str>)> {
        let table = self.table.get();
        table.map_or_else(Vec::new, |table| {
            read(table).by_place.values().cloned().collect()
        })
    }
}
