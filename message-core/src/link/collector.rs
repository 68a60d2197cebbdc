//! Gathers the declarations in the entries, and makes the registry and the routes from them.
//!
//! Drafts are kept by type, so that the order of the entries does not matter, nor that one comes twice. A
//! message type or a handler is described by a row of constants: no code is compiled for each of them.
//! Publishing sorts message types and component types by (name, file, line) and numbers them, so that
//! every build of a program numbers alike whatever the linker did.

use std::any::TypeId;
use std::collections::hash_map::Entry as Slot;

use crate::handler::{HandlerRow, HandlerSpec, Route, RouteTable, Tables};
use crate::hash::HashedMap;
use crate::lifecycle;
use crate::link::order::{self, Ordered};
use crate::link::{Entry, backend, extension};
use crate::message::{Facts, MessageId, MessageIndex};
use crate::registry::{
    ComponentInfo, Declared, HandlerInfo, Latest, MessageInfo, Place, Registry, RegistryError,
};
use crate::sort::sort_by_number;
use crate::tag::{Tag, TagSet};

/// The message types and handlers that the macros declare.
#[derive(Default)]
pub(super) struct Collector {
    messages: HashedMap<TypeId, MessageDraft>,
    components: HashedMap<TypeId, ComponentDraft>,
    handlers: HashedMap<(TypeId, TypeId), HandlerDraft>,
    by_hand: ByHand,
}

static BY_HAND: Latest<ByHand> = Latest::new();

/// The entries that were not linked in. They are added again when the registry is extended.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByHand {
    messages: Vec<(&'static Facts, Place)>,
    handlers: Vec<&'static HandlerRow>,
}

struct MessageDraft {
    info: MessageInfo,
    /// `true` if the type itself was added, not only a handler of it.
    is_told: bool,
}

pub(super) struct ComponentDraft {
    pub(super) name: &'static str,
    pub(super) place: Place,
    pub(super) can_be_busy: bool,
}

struct HandlerDraft {
    message: TypeId,
    component: TypeId,
    component_name: &'static str,
    row: &'static HandlerRow,
}

impl Ordered for HandlerDraft {
    fn spec(&self) -> &HandlerSpec {
        &self.row.spec
    }

    fn component(&self) -> TypeId {
        self.component
    }

    fn component_name(&self) -> &'static str {
        self.component_name
    }
}

impl Collector {
    /// Returns everything that was linked in, and the manager's own messages.
    pub(super) fn linked() -> Self {
        let mut collector = Self::default();
        for row in lifecycle::OWN {
            collector.message(row.facts, row.place, row.tags);
            collector.draft(row.facts, row.place).info.is_own = true;
        }
        for entry in backend::entries() {
            match *entry {
                Entry::Message(row) => collector.message(row.facts, row.place, row.tags),
                Entry::Handlers(rows) => {
                    for row in rows.iter().flatten() {
                        collector.handler(row);
                    }
                }
            }
        }
        collector
    }

    /// Adds a message type by hand.
    pub(super) fn message_by_hand(&mut self, facts: &'static Facts, place: Place) {
        self.by_hand.messages.push((facts, place));
        self.message(facts, place, &[]);
    }

    /// Adds a handler by hand.
    pub(super) fn handler_by_hand(&mut self, row: &'static HandlerRow) {
        self.by_hand.handlers.push(row);
        self.handler(row);
    }

    /// Returns the entries that were added by hand.
    pub(super) fn by_hand(&self) -> &ByHand {
        &self.by_hand
    }

    /// Adds the entries that were added by hand before.
    pub(super) fn again(&mut self, by_hand: &ByHand) {
        for (facts, place) in &by_hand.messages {
            self.message_by_hand(facts, *place);
        }
        for row in &by_hand.handlers {
            self.handler_by_hand(row);
        }
    }

    /// Adds a message type.
    pub(super) fn message(&mut self, facts: &'static Facts, place: Place, tags: &[Tag]) {
        let draft = self.draft(facts, place);
        if !draft.is_told {
            draft.is_told = true;
            draft.info.place = place;
            draft.info.tags = tags.iter().copied().collect();
            draft.info.has_debug = facts.has_debug;
            draft.info.has_clone = facts.has_clone;
        }
    }

    /// Adds a handler.
    pub(super) fn handler(&mut self, row: &'static HandlerRow) {
        self.enter(HandlerDraft {
            message: row.message.message(),
            component: (row.component)(),
            component_name: (row.component_name)(),
            row,
        });
    }

    fn enter(&mut self, handler: HandlerDraft) {
        let (component, row) = (handler.component, handler.row);
        let spec = &row.spec;
        self.draft(row.message, spec.place);
        let Slot::Vacant(slot) = self.handlers.entry((handler.message, component)) else {
            return;
        };
        let name = handler.component_name;
        slot.insert(handler);
        let known = self.components.entry(component).or_insert(ComponentDraft {
            name,
            place: spec.place,
            can_be_busy: false,
        });
        known.place = known.place.min(spec.place);
        known.can_be_busy |= row.takes_context;
    }

    fn draft(&mut self, facts: &'static Facts, place: Place) -> &mut MessageDraft {
        self.messages
            .entry(facts.message())
            .or_insert_with(|| MessageDraft {
                info: MessageInfo {
                    name: facts.name,
                    id: facts.id,
                    index: MessageIndex::UNKNOWN,
                    place,
                    tags: TagSet::EMPTY,
                    has_debug: false,
                    has_clone: false,
                    is_own: false,
                    handlers: 0..0,
                },
                is_told: false,
            })
    }

    /// Sorts, checks, numbers, and returns the registry.
    pub(super) fn publish(self) -> Result<Registry, RegistryError> {
        let numbered = self.number(None)?;
        #[cfg(feature = "data")]
        crate::data::check_linked()?;
        Ok(numbered.publish())
    }

    /// Like [`publish`](Self::publish), but the types of the older registry keep their numbers, and new
    /// types come behind them, component types from `first_component` on.
    pub(super) fn extend(
        mut self,
        older: &'static Registry,
        first_component: u32,
    ) -> Result<Numbered, RegistryError> {
        if let Some(by_hand) = BY_HAND.get() {
            self.again(by_hand);
        }
        self.number(Some((older, first_component)))
    }

    fn number(self, older: Option<(&'static Registry, u32)>) -> Result<Numbered, RegistryError> {
        let (older, first_component) = match older {
            Some((older, first)) => (Some(older), first),
            None => (None, 0),
        };
        let mut drafts = sorted(self.messages, |draft| (draft.info.name, draft.info.place));
        let mut components = sorted(self.components, |draft| (draft.name, draft.place));
        // By name, whenever they came.
        let ranks = indices(&components, 0);
        let mut component_types = ranks.clone();
        if let Some(older) = older {
            // The sort is stable: what is new stays in the order of the names.
            let end = MessageIndex::UNKNOWN;
            sort_by_number(&mut drafts, |(of, _)| {
                let index = Tables::published(*of).map_or(end, |table| table.index);
                index.get() as u64
            });
            sort_by_number(&mut components, |(of, _)| {
                older.component_index(*of).unwrap_or(u32::MAX).into()
            });
            check_ids(&drafts)?;
            component_types = extension::check(&components, older, first_component)?;
        } else {
            check_ids(&drafts)?;
        }
        let message_types = indices(&drafts, 0);

        let by_message = by_message(self.handlers.into_values(), &message_types, &ranks);
        let mut by_message = by_message.into_iter().peekable();

        let mut messages = Vec::with_capacity(drafts.len());
        let mut tables = HashedMap::default();
        tables.reserve(drafts.len());
        let mut handlers = Vec::with_capacity(by_message.len());
        let mut own = Vec::new();
        for (index, (message, draft)) in (0..).zip(drafts) {
            while let Some((_, handler)) = by_message.next_if(|(message, _)| *message == index) {
                own.push(handler);
            }
            let ranks = order::sort(draft.info.name, &mut own)?;
            let first = handlers.len();
            let mut routes = Vec::with_capacity(own.len());
            for (handler, rank) in own.drain(..).zip(ranks) {
                let component_index = component_types[&handler.component];
                let (row, spec) = (handler.row, &handler.row.spec);
                routes.push(Route {
                    component: component_index,
                    // Given out by the table.
                    number: 0,
                    rank,
                    row,
                });
                handlers.push(HandlerInfo {
                    component: handler.component_name,
                    component_index,
                    message: draft.info.name,
                    method: spec.method,
                    priority: spec.priority,
                    place: spec.place,
                });
            }
            let index = MessageIndex(index);
            let known = older.and_then(|_| Tables::published(message));
            if let Some(table) = table(known, index, draft.info.tags, routes) {
                tables.insert(message, table);
            }
            messages.push(MessageInfo {
                index,
                handlers: first..handlers.len(),
                ..draft.info
            });
        }
        let registry = Registry {
            by_id: messages.iter().map(|info| info.id).zip(0..).collect(),
            messages,
            components: components
                .into_iter()
                .map(|(of, draft)| ComponentInfo {
                    name: draft.name,
                    index: component_types[&of],
                    place: draft.place,
                    can_be_busy: draft.can_be_busy,
                })
                .collect(),
            handlers,
            component_types,
        };
        Ok(Numbered {
            registry,
            tables,
            by_hand: self.by_hand,
        })
    }
}

/// A registry that is about to be published, with the routes of its message types.
pub(super) struct Numbered {
    pub(super) registry: Registry,
    /// The tables that differ from those before.
    tables: HashedMap<TypeId, RouteTable>,
    by_hand: ByHand,
}

impl Numbered {
    /// Publishes everything except the registry, which the caller publishes last.
    pub(super) fn publish(self) -> Registry {
        BY_HAND.replace(self.by_hand);
        Tables::publish(self.tables);
        self.registry
    }
}

impl std::fmt::Debug for Collector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Collector")
            .field("messages", &self.messages.len())
            .field("components", &self.components.len())
            .field("handlers", &self.handlers.len())
            .finish_non_exhaustive()
    }
}

/// Returns the table of a message type, unless it has the routes that are known.
fn table(
    known: Option<&RouteTable>,
    index: MessageIndex,
    tags: TagSet,
    routes: Vec<Route>,
) -> Option<RouteTable> {
    match known {
        // Nobody handles it who did not before.
        Some(known) if known.len() == routes.len() => None,
        known => Some(RouteTable::new(index, tags, routes, known)),
    }
}

/// Returns the drafts of all types, sorted. The drafts are moved once, however many there are.
fn sorted<D, K: Ord>(drafts: HashedMap<TypeId, D>, key: impl Fn(&D) -> K) -> Vec<(TypeId, D)> {
    let mut drafts: Vec<_> = drafts.into_iter().collect();
    drafts.sort_by_cached_key(|(_, draft)| key(draft));
    drafts
}

/// Returns the place of each type in a sorted list, counted from `first`.
pub(super) fn indices<D>(sorted: &[(TypeId, D)], first: u32) -> HashedMap<TypeId, u32> {
    let types = sorted.iter().map(|(known, _)| *known);
    types.zip(first..).collect()
}

/// Sorts the handlers by message type, then by the name of their component, and adds the index of the message type.
/// The components' ranks are their places by name.
fn by_message(
    handlers: impl Iterator<Item = HandlerDraft>,
    message_types: &HashedMap<TypeId, u32>,
    ranks: &HashedMap<TypeId, u32>,
) -> Vec<(u32, HandlerDraft)> {
    let handlers = handlers.map(|handler| (message_types[&handler.message], handler));
    let mut handlers: Vec<_> = handlers.collect();
    sort_by_number(&mut handlers, |(message, handler)| {
        u64::from(*message) << u32::BITS | u64::from(ranks[&handler.component])
    });
    handlers
}

/// Reports every pair of message types that share an id, in the order of the sorted list.
fn check_ids(drafts: &[(TypeId, MessageDraft)]) -> Result<(), RegistryError> {
    let mut first_of: HashedMap<MessageId, Declared> = HashedMap::default();
    let mut duplicates = Vec::new();
    for (_, draft) in drafts {
        let info = &draft.info;
        let declared = Declared {
            name: info.name,
            place: info.place,
        };
        match first_of.entry(info.id) {
            Slot::Vacant(slot) => {
                slot.insert(declared);
            }
            Slot::Occupied(first) => duplicates.push((info.id, *first.get(), declared)),
        }
    }
    if duplicates.is_empty() {
        Ok(())
    } else {
        Err(RegistryError::DuplicateIds(duplicates))
    }
}
