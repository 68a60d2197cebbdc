//! Gathers what entries tell, and makes registry and routes of it.
//!
//! Drafts are kept by type, so that it does not matter in which order entries come and whether
//! one comes twice. What is told of a message type or a handler is a row of constants, which is entered
//! by functions that are not generic: so little is compiled for each of them. Publishing sorts
//! message types and component types by (name, file, line) and numbers them, so that every build of a
//! program numbers alike whatever the linker did.

use std::any::{Any, TypeId, type_name};
use std::collections::hash_map::Entry as Slot;

use crate::handler::{Access, AnyTyped, HandlerSpec, Offers, Receives, Route, RouteTable, Typed};
use crate::hash::HashedMap;
use crate::lifecycle;
use crate::link::backend;
use crate::link::order::{self, Ordered};
use crate::message::{Facts, Message, MessageId, MessageIndex};
use crate::registry::Place;
use crate::registry::{ComponentInfo, Declared, HandlerInfo, MessageInfo, Registry, RegistryError};
use crate::tag::TagSet;

/// What the macros tell of message types and handlers.
#[doc(hidden)]
#[derive(Default)]
pub struct Collector {
    messages: HashedMap<TypeId, MessageDraft>,
    components: HashedMap<TypeId, ComponentDraft>,
    handlers: HashedMap<(TypeId, TypeId), HandlerDraft>,
}

struct MessageDraft {
    info: MessageInfo,
    facts: &'static Facts,
    /// The type's [`Offers`], if the type itself was told of, not only a handler of it.
    offers: Option<Box<dyn Any>>,
}

/// What a message type has besides being a message.
#[derive(Clone, Copy)]
struct Has {
    tags: TagSet,
    debug: bool,
    clone: bool,
}

struct ComponentDraft {
    name: &'static str,
    place: Place,
    can_be_busy: bool,
}

/// What is known of a handler when compiling.
struct HandlerRow {
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
        lifecycle::register(&mut collector);
        for entry in backend::entries() {
            (entry.0)(&mut collector);
        }
        collector
    }

    /// Tells of a message type.
    pub fn message<M: Message>(&mut self, place: Place, offers: Offers<M>) {
        let has = Has {
            tags: offers.tags,
            debug: offers.debug.is_some(),
            clone: offers.clone.is_some(),
        };
        self.declare(TypeId::of::<M>(), M::FACTS, place, has, Box::new(offers));
    }

    /// Tells of a handler.
    pub fn handler<C: Receives<M>, M: Message>(&mut self) {
        let row = const {
            &HandlerRow {
                message: M::FACTS,
                spec: C::HANDLER,
                shared: C::Access::SHARED,
                takes_context: !C::ALONE,
                #[cfg(feature = "rayon")]
                parallel: C::PARALLEL.is_some(),
                typed: &Typed::<M>::of::<C>(),
            }
        };
        self.enter(HandlerDraft {
            message: TypeId::of::<M>(),
            component: TypeId::of::<C>(),
            component_name: type_name::<C>(),
            row,
        });
    }

    fn declare(
        &mut self,
        message: TypeId,
        facts: &'static Facts,
        place: Place,
        has: Has,
        offers: Box<dyn Any>,
    ) {
        let draft = self.draft(message, facts, place);
        if draft.offers.is_none() {
            draft.info.place = place;
            draft.info.tags = has.tags;
            draft.info.has_debug = has.debug;
            draft.info.has_clone = has.clone;
            draft.offers = Some(offers);
        }
    }

    fn enter(&mut self, handler: HandlerDraft) {
        let (component, row) = (handler.component, handler.row);
        let spec = &row.spec;
        self.draft(handler.message, row.message, spec.place);
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

    fn draft(&mut self, message: TypeId, facts: &'static Facts, place: Place) -> &mut MessageDraft {
        self.messages
            .entry(message)
            .or_insert_with(|| MessageDraft {
                info: MessageInfo {
                    name: facts.name,
                    id: facts.id,
                    index: MessageIndex(u32::MAX),
                    place,
                    tags: TagSet::EMPTY,
                    has_debug: false,
                    has_clone: false,
                    handlers: 0..0,
                },
                facts,
                offers: None,
            })
    }

    /// Sorts, checks, numbers, fills every message type's cell, and returns the registry.
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
        let mut tables = Vec::with_capacity(drafts.len());
        let mut handlers = Vec::with_capacity(by_message.len());
        let mut own = Vec::new();
        for (index, (_, draft)) in (0..).zip(&drafts) {
            while let Some((_, handler)) = by_message.next_if(|((message, _), _)| *message == index)
            {
                own.push(handler);
            }
            let ranks = order::sort(draft.info.name, &mut own)?;
            let first = handlers.len();
            let mut routes = Vec::with_capacity(own.len());
            let mut typed = Vec::with_capacity(own.len());
            for (handler, rank) in own.drain(..).zip(ranks) {
                let component_index = component_types[&handler.component];
                let HandlerRow {
                    spec,
                    shared,
                    takes_context,
                    ..
                } = *handler.row;
                typed.push(handler.row.typed);
                routes.push(Route {
                    component: component_index,
                    rank,
                    method: spec.method,
                    shared,
                    takes_context,
                    #[cfg(feature = "rayon")]
                    parallel: handler.row.parallel,
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
            tables.push(RouteTable::new(index, draft.info.tags, routes, typed));
            messages.push(MessageInfo {
                index,
                handlers: first..handlers.len(),
                ..draft.info
            });
        }
        // For as long as the process, as the cells are.
        for ((_, draft), table) in drafts.iter().zip(tables.leak()) {
            (draft.facts.fill)(table, draft.offers.as_deref());
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
