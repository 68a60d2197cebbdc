//! Gathers what entries tell, and makes registry and routes of it.
//!
//! Drafts are kept by type, so that it does not matter in which order entries come and whether
//! one comes twice. What is told of a message type or a handler is a row of constants: no code is compiled
//! for each of them. Publishing sorts
//! message types and component types by (name, file, line) and numbers them, so that every build of a
//! program numbers alike whatever the linker did.

use std::any::{TypeId, type_name};
use std::collections::hash_map::Entry as Slot;

use crate::handler::{Access, AnyTyped, HandlerSpec, Receives, Route, RouteTable, Typed};
use crate::hash::HashedMap;
use crate::lifecycle;
use crate::link::order::{self, Ordered};
use crate::link::{Entry, backend};
use crate::message::{Facts, Message, MessageId, MessageIndex};
use crate::registry::Place;
use crate::registry::{ComponentInfo, Declared, HandlerInfo, MessageInfo, Registry, RegistryError};
use crate::tag::{Tag, TagSet};

/// What the macros tell of message types and handlers.
#[derive(Default)]
pub(super) struct Collector {
    messages: HashedMap<TypeId, MessageDraft>,
    components: HashedMap<TypeId, ComponentDraft>,
    handlers: HashedMap<(TypeId, TypeId), HandlerDraft>,
}

struct MessageDraft {
    info: MessageInfo,
    /// `true` if the type itself was told of, not only a handler of it.
    is_told: bool,
}

struct ComponentDraft {
    name: &'static str,
    place: Place,
    can_be_busy: bool,
}

/// What is known of a message type when compiling.
#[doc(hidden)]
#[derive(Debug)]
pub struct MessageRow {
    pub facts: &'static Facts,
    pub place: Place,
    pub tags: &'static [Tag],
}

/// What is known of a handler when compiling.
#[doc(hidden)]
pub struct HandlerRow {
    component: fn() -> TypeId,
    component_name: fn() -> &'static str,
    message: &'static Facts,
    spec: HandlerSpec,
    /// `true` if it takes `&self`.
    shared: bool,
    /// `true` if it is given a context.
    takes_context: bool,
    #[cfg(feature = "rayon")]
    parallel: bool,
    typed: AnyTyped,
}

impl HandlerRow {
    #[must_use]
    pub const fn of<C: Receives<M>, M: Message>() -> &'static Self {
        const {
            &Self {
                component: TypeId::of::<C>,
                component_name: type_name::<C>,
                message: M::FACTS,
                spec: C::HANDLER,
                shared: C::Access::SHARED,
                takes_context: !C::ALONE,
                #[cfg(feature = "rayon")]
                parallel: C::PARALLEL.is_some(),
                typed: &Typed::<M>::of::<C>(),
            }
        }
    }
}

impl std::fmt::Debug for HandlerRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HandlerRow")
            .field("message", &self.message)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
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
    /// All that was linked in, and the manager's own messages.
    pub(super) fn linked() -> Self {
        let mut collector = Self::default();
        for row in lifecycle::OWN {
            collector.message(row.facts, row.place, row.tags);
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

    /// Tells of a message type.
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

    /// Tells of a handler.
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
                    handlers: 0..0,
                },
                is_told: false,
            })
    }

    /// Sorts, checks, numbers, and returns the registry.
    pub(super) fn publish(self) -> Result<Registry, RegistryError> {
        let drafts = sorted(self.messages, |draft| (draft.info.name, draft.info.place));
        check_ids(&drafts)?;
        let components = sorted(self.components, |draft| (draft.name, draft.place));
        let message_types = indices(&drafts);
        let component_types = indices(&components);

        // Those of each message type together, in the order of the names of their components.
        let handlers = self.handlers.into_values();
        let handlers = handlers.map(|handler| {
            let message = message_types[&handler.message];
            ((message, component_types[&handler.component]), handler)
        });
        let mut by_message: Vec<((u32, u32), HandlerDraft)> = handlers.collect();
        by_message.sort_unstable_by_key(|(key, _)| *key);
        let mut by_message = by_message.into_iter().peekable();

        let mut messages = Vec::with_capacity(drafts.len());
        let mut tables = HashedMap::default();
        tables.reserve(drafts.len());
        let mut handlers = Vec::with_capacity(by_message.len());
        let mut own = Vec::new();
        for (index, (message, draft)) in (0..).zip(drafts) {
            while let Some((_, handler)) = by_message.next_if(|((message, _), _)| *message == index)
            {
                own.push(handler);
            }
            let ranks = order::sort(draft.info.name, &mut own)?;
            let first = handlers.len();
            let mut routes = Vec::with_capacity(own.len());
            for (handler, rank) in own.drain(..).zip(ranks) {
                let component_index = component_types[&handler.component];
                let HandlerRow {
                    spec,
                    shared,
                    takes_context,
                    ..
                } = *handler.row;
                routes.push(Route {
                    component: component_index,
                    rank,
                    method: spec.method,
                    shared,
                    takes_context,
                    #[cfg(feature = "rayon")]
                    parallel: handler.row.parallel,
                    typed: handler.row.typed,
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
            let table = RouteTable::new(index, draft.info.tags, routes);
            tables.insert(message, table);
            messages.push(MessageInfo {
                index,
                handlers: first..handlers.len(),
                ..draft.info
            });
        }
        Ok(Registry {
            by_id: messages.iter().map(|info| info.id).zip(0..).collect(),
            messages,
            components: (0..)
                .zip(components)
                .map(|(index, (_, draft))| ComponentInfo {
                    name: draft.name,
                    index,
                    place: draft.place,
                    can_be_busy: draft.can_be_busy,
                })
                .collect(),
            handlers,
            component_types,
            tables,
        })
    }
}

impl std::fmt::Debug for Collector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Collector")
            .field("messages", &self.messages.len())
            .field("components", &self.components.len())
            .field("handlers", &self.handlers.len())
            .finish()
    }
}

/// What was told of each type, sorted. The drafts are moved once, however many there are.
fn sorted<D, K: Ord>(drafts: HashedMap<TypeId, D>, key: impl Fn(&D) -> K) -> Vec<(TypeId, D)> {
    let mut drafts: Vec<_> = drafts.into_iter().collect();
    drafts.sort_by_cached_key(|(_, draft)| key(draft));
    drafts
}

/// The place of each type in a sorted list.
fn indices<D>(sorted: &[(TypeId, D)]) -> HashedMap<TypeId, u32> {
    let types = sorted.iter().map(|(known, _)| *known);
    types.zip(0..).collect()
}

/// Every pair of message types that share an id, in the order of the sorted list.
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
