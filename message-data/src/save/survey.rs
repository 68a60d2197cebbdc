//! Surveys the content of a save before anything is written, so that everything that cannot be saved is reported at
//! once.

use message_core::internals::{Found, Pool, Record, Schedule};
use message_core::{AnyMessage, Structure};
use message_format::Packer;

use crate::data_type::{ComponentData, MessageData};
use crate::save::catalog::Catalog;
use crate::save::error::{SaveError, Unsaved};

/// A message that is saved, with its metadata.
pub(super) struct SavedMessage<'w, T> {
    /// The number of its type.
    pub(super) of: u32,
    data: MessageData,
    message: &'w dyn AnyMessage,
    pub(super) told: T,
}

impl<T> SavedMessage<'_, T> {
    pub(super) fn write(&self, packer: &mut Packer) -> Result<(), SaveError> {
        let written = packer.write(|writer| (self.data.write)(self.message, writer));
        written.map_err(SaveError::of(self.message.name()))
    }
}

/// Returns the messages that are not left out.
pub(super) fn messages<'w, T>(
    all: Vec<(T, &'w dyn AnyMessage)>,
    catalog: &mut Catalog<'_>,
    count: fn(&mut Unsaved),
) -> Vec<SavedMessage<'w, T>> {
    let saved = all.into_iter().filter_map(|(told, message)| {
        let (of, data) = catalog.message(message, count)?;
        Some(SavedMessage {
            of,
            data,
            message,
            told,
        })
    });
    saved.collect()
}

/// The components that are saved, by type, and the hooks of those that are left out.
pub(super) struct Components<'w> {
    pub(super) saved: Vec<(&'w Pool, (u32, ComponentData))>,
    pub(super) left_out: Vec<u32>,
}

impl<'w> Components<'w> {
    pub(super) fn of(structure: &'w Structure, catalog: &mut Catalog<'_>) -> Self {
        let (mut saved, mut left_out) = (Vec::new(), Vec::new());
        for pool in structure.pools.iter().filter(|pool| pool.len() > 0) {
            match catalog.component(pool.type_of(), pool.component_name(), pool.len()) {
                Some(known) => saved.push((pool, known)),
                None => left_out.extend(pool.hooks()),
            }
        }
        Self { saved, left_out }
    }
}

/// Returns the pending messages that are saved.
pub(super) fn posts<'h>(
    schedule: &'h Schedule,
    catalog: &mut Catalog<'_>,
) -> Vec<SavedMessage<'h, Record>> {
    let message = |found: Found| Some((found.record, schedule.message(found.ticket)?));
    let mut all: Vec<_> = schedule.all(None).filter_map(message).collect();
    // In the order in which they were posted.
    all.sort_unstable_by_key(|(post, _)| post.number);
    messages(all, catalog, |unsaved| unsaved.posts += 1)
}
