//! Gathers the declarations in the entries, and makes the registry and the routes from them.
//!
//! Drafts are kept by type, so that the order of the entries does not matter, nor that one comes twice. A
//! message type or a handler is described by a row of constants: no code is compiled for each of them.
//! Publishing sorts message types and component types by (name, file, line) and numbers them, so that
//! every build of a program numbers alike whatever the linker did.

use std::any::TypeId;

use crate::handler::{HandlerRow, Route, RouteTable, Tables};
use crate::hash::HashedMap;
use crate::lifecycle;
use crate::link::{Entry, backend, order};
use crate::message::MessageIndex;
use crate::registry::{
    ComponentInfo, HandlerInfo, MOST_COMPONENTS, MessageInfo, MessageRow, Registry, RegistryError,
    pairs_of_same,
};
use crate::sort::sort_by_number;
use crate::storage::Cloning;

/// The message types and handlers that the macros declare.
#[derive(Default)]
pub(super) struct Collector {
    messages: HashedMap<TypeId, MessageRow>,
    components: HashedMap<TypeId, ComponentInfo>,
    /// The handlers, by message type.
    handlers: HashedMap<TypeId, Vec<&'static HandlerRow>>,
    clonings: HashedMap<TypeId, &'static Cloning>,
}

impl Collector {
    /// Collects the manager's own messages, everything that was linked in or loaded, and what was added by
    /// hand.
    pub(super) fn collect(by_hand: &[Entry]) -> Self {
        let mut collector = Self::default();
        for row in lifecycle::OWN {
            collector.message(*row);
        }
        let mut handlers = Vec::new();
        for entry in backend::entries().copied().chain(by_hand.iter().copied()) {
            match entry {
                Entry::Message(row) => collector.message(row),
                Entry::Handlers(rows, cloning) => {
                    handlers.extend(rows.iter().flatten());
                    collector
                        .clonings
                        .extend(cloning.map(|it| (it.component(), it)));
                }
                Entry::Cloned(cloning) => {
                    collector.clonings.insert(cloning.component(), cloning);
                }
                _ => {}
            }
        }
        // After the messages: a handler knows neither the place nor the tags of its own.
        for row in handlers {
            collector.handler(row);
        }
        collector
    }

    fn message(&mut self, row: MessageRow) {
        self.messages.entry(row.facts.message()).or_insert(row);
    }

    fn handler(&mut self, row: &'static HandlerRow) {
        let place = row.spec.place;
        self.message(MessageRow::untagged(row.message, place));
        self.handlers.entry(row.message()).or_default().push(row);
        let known = self.components.entry(row.component());
        let known = known.or_insert_with(|| ComponentInfo {
            name: (row.component_name)(),
            place,
            index: 0,
            can_be_busy: false,
        });
        known.place = known.place.min(place);
        known.can_be_busy |= row.takes_context;
    }

    /// Sorts, checks and numbers the types, and publishes the routes. Returns the registry, which the caller
    /// publishes, or `None` if nothing is new.
    ///
    /// The types of the older registry keep their numbers. New ones come behind them, component types from
    /// `first_component` on.
    pub(super) fn publish_behind(
        mut self,
        older: &Registry,
        first_component: u32,
    ) -> Result<Option<Registry>, RegistryError> {
        let mut rows = sorted(self.messages, MessageRow::declared);
        let mut components = sorted(self.components, ComponentInfo::declared);
        // Sorted by name, whenever they came.
        let ranks = indices(&components, 0);
        // The sort is stable: what is new stays in the order of the names.
        sort_by_number(&mut rows, |(of, _)| {
            let index = Tables::published(*of).map_or(MessageIndex::UNKNOWN, |table| table.index);
            index.get() as u64
        });
        sort_by_number(&mut components, |(of, _)| {
            older.component_index(*of).unwrap_or(u32::MAX).into()
        });
        check_ids(&rows)?;
        let component_types = number_components(&mut components, older, first_component)?;
        let mut messages = Vec::with_capacity(rows.len());
        let mut tables = HashedMap::default();
        tables.reserve(rows.len());
        let mut handlers = Vec::new();
        for (index, (message, row)) in (0..).zip(rows) {
            let MessageRow { facts, place, tags } = row;
            let tags = tags.iter().copied().collect();
            let mut receivers = self.handlers.remove(&message).unwrap_or_default();
            sort_by_number(&mut receivers, |row| ranks[&row.component()].into());
            receivers.dedup_by_key(|row| row.component());
            let first = handlers.len();
            let mut routes = Vec::with_capacity(receivers.len());
            for (rank, row) in order::sort(facts.name, receivers)? {
                let component = component_types[&row.component()];
                let spec = &row.spec;
                routes.push(Route {
                    component,
                    // Given out by the table.
                    number: 0,
                    rank,
                    row,
                });
                handlers.push(HandlerInfo {
                    component: (row.component_name)(),
                    component_index: component,
                    message: facts.name,
                    method: spec.method,
                    priority: spec.priority,
                    place: spec.place,
                });
            }
            let index = MessageIndex(index);
            let known = Tables::published(message);
            // Otherwise nobody handles it who did not before.
            if known.is_none_or(|known| known.len() != routes.len()) {
                tables.insert(message, RouteTable::new(index, tags, routes, known));
            }
            messages.push(MessageInfo {
                name: facts.name,
                id: facts.id,
                index,
                place,
                tags,
                handlers: first..handlers.len(),
            });
        }
        if tables.is_empty() && self.clonings.len() == older.clonings.len() {
            return Ok(None);
        }
        Tables::publish(tables);
        Ok(Some(Registry {
            by_id: messages.iter().map(|info| info.id).zip(0..).collect(),
            messages,
            components: components.into_iter().map(|(_, info)| info).collect(),
            handlers,
            component_types,
            clonings: self.clonings,
        }))
    }
}

/// Returns the drafts of all types, sorted. The drafts are moved once, however many there are.
fn sorted<D, K: Ord>(drafts: HashedMap<TypeId, D>, key: impl Fn(&D) -> K) -> Vec<(TypeId, D)> {
    let mut drafts: Vec<_> = drafts.into_iter().collect();
    drafts.sort_by_cached_key(|(_, draft)| key(draft));
    drafts
}

/// Returns the place of each type in a sorted list, counted from `first`.
fn indices<D>(sorted: &[(TypeId, D)], first: u32) -> HashedMap<TypeId, u32> {
    let types = sorted.iter().map(|(known, _)| *known);
    types.zip(first..).collect()
}

/// Reports every pair of message types that share an id, in the order of the sorted list.
fn check_ids(rows: &[(TypeId, MessageRow)]) -> Result<(), RegistryError> {
    let id = |at: usize| rows[at].1.facts.id;
    let declared = |at: usize| rows[at].1.declared();
    let duplicates: Vec<_> = pairs_of_same((0..rows.len()).map(id))
        .map(|(first, second)| (id(first), declared(first), declared(second)))
        .collect();
    if duplicates.is_empty() {
        Ok(())
    } else {
        Err(RegistryError::DuplicateIds(duplicates))
    }
}

/// Checks and numbers the component types, and returns the index of each. The types of the older registry come first.
fn number_components(
    components: &mut [(TypeId, ComponentInfo)],
    older: &Registry,
    first_component: u32,
) -> Result<HashedMap<TypeId, u32>, RegistryError> {
    let known = older.components.len();
    for ((_, info), older) in components.iter().zip(&older.components) {
        if info.can_be_busy != older.can_be_busy {
            return Err(RegistryError::ContextTooLate(info.declared()));
        }
    }
    // Types that are linked in may share a name: two versions of a crate have the same ones.
    if !older.messages.is_empty() {
        let declared = |at: usize| components[at].1.declared();
        let same: Vec<_> = pairs_of_same(components.iter().map(|(_, info)| info.name))
            .filter(|(_, second)| *second >= known)
            .map(|(first, second)| (declared(first), declared(second)))
            .collect();
        if !same.is_empty() {
            return Err(RegistryError::DuplicateNames(same));
        }
    }
    let mut types = older.component_types.clone();
    types.extend(indices(&components[known..], first_component));
    if first_component as usize + components.len() - known > MOST_COMPONENTS {
        return Err(RegistryError::TooManyComponents);
    }
    for (of, info) in components {
        info.index = types[of];
    }
    Ok(types)
}
