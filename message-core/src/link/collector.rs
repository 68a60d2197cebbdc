//! Gathers what entries tell, and makes registry and routes of it.
//!
//! Drafts are kept by type, so that it does not matter in which order entries come and whether
//! one comes twice. What is kept of any type is entered by functions that are not generic: what is
//! compiled for each message type and each handler, in every program, is little. Publishing sorts
//! message types and component types by (name, file, line) and numbers them, so that every build of a
//! program numbers alike whatever the linker did.

use std::any::TypeId;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use crate::dispatch::{
    Access, HandlerSpec, Offers, Receives, Route, Routes, RunSingle, Typed, run_all, run_due,
    run_one,
};
use crate::lifecycle;
use crate::link::backend;
use crate::link::order::{self, Ordered};
use crate::message::{Message, MessageId, MessageIndex};
use crate::registry::Place;
use crate::registry::{ComponentInfo, Declared, HandlerInfo, MessageInfo, Registry, RegistryError};
use crate::tag::TagSet;

/// What the macros tell of message types and handlers.
#[doc(hidden)]
#[derive(Default)]
pub struct Collector {
    messages: HashMap<TypeId, MessageDraft>,
    components: HashMap<TypeId, ComponentDraft>,
    handlers: HashMap<(TypeId, TypeId), HandlerDraft>,
}

struct MessageDraft {
    info: MessageInfo,
    /// `true` if the type itself was told of, not only a handler of it.
    declared: bool,
    /// The number of handlers that are known, which is how many routes there are.
    handlers: usize,
    routes: Box<dyn RoutesDraft>,
}

struct ComponentDraft {
    name: &'static str,
    place: Place,
    can_be_busy: bool,
}

struct HandlerDraft {
    message: TypeId,
    component: TypeId,
    component_name: &'static str,
    spec: HandlerSpec,
    /// `true` if it takes `&self`.
    shared: bool,
    /// The place of its route among those of the message type.
    route: usize,
}

impl Ordered for HandlerDraft {
    fn spec(&self) -> &HandlerSpec {
        &self.spec
    }

    fn component(&self) -> TypeId {
        self.component
    }

    fn component_name(&self) -> &'static str {
        self.component_name
    }
}

/// The typed routes of a message type that is not known here.
trait RoutesDraft {
    fn as_any(&mut self) -> &mut dyn std::any::Any;

    /// Puts the routes into the type's cell, with the functions at these places.
    fn publish(self: Box<Self>, index: MessageIndex, routes: Vec<Route>, places: &[usize]);
}

struct TypedRoutes<M: Message> {
    offers: Offers<M>,
    typed: Vec<Typed<M>>,
}

impl<M: Message> TypedRoutes<M> {
    fn draft() -> Box<dyn RoutesDraft> {
        Box::new(Self {
            offers: Offers {
                debug: None,
                clone: None,
                tags: TagSet::EMPTY,
            },
            typed: Vec::new(),
        })
    }
}

impl<M: Message> RoutesDraft for TypedRoutes<M> {
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn publish(self: Box<Self>, index: MessageIndex, routes: Vec<Route>, places: &[usize]) {
        let mut typed = Vec::with_capacity(places.len());
        for &place in places {
            typed.push(self.typed[place]);
        }
        M::cell().fill(Routes::new(index, self.offers, routes, typed));
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
        let draft = self.draft::<M>(place);
        if draft.declared {
            return;
        }
        draft.declared = true;
        draft.info.place = place;
        draft.info.tags = offers.tags;
        draft.info.has_debug = offers.debug.is_some();
        draft.info.has_clone = offers.clone.is_some();
        typed::<M>(draft).offers = offers;
    }

    /// Tells of a handler.
    pub fn handler<C: Receives<M>, M: Message>(&mut self) {
        let spec = C::HANDLER;
        let component = (TypeId::of::<C>(), std::any::type_name::<C>());
        self.draft::<M>(spec.place);
        if let Some(draft) = self.enter(TypeId::of::<M>(), component, spec, C::Access::SHARED) {
            typed::<M>(draft).typed.push(Typed {
                one: run_one::<C, M>,
                all: run_all::<C, M>,
                single: RunSingle::of::<C>(),
                due: (!spec.takes_context).then_some(run_due::<C, M>),
            });
        }
    }

    /// Enters a handler, and returns its message type's draft, which is to be given the route. `None`
    /// when the handler is known already.
    fn enter(
        &mut self,
        message: TypeId,
        (component, component_name): (TypeId, &'static str),
        spec: HandlerSpec,
        shared: bool,
    ) -> Option<&mut MessageDraft> {
        let Slot::Vacant(slot) = self.handlers.entry((message, component)) else {
            return None;
        };
        let draft = self.messages.get_mut(&message)?;
        slot.insert(HandlerDraft {
            message,
            component,
            component_name,
            spec,
            shared,
            route: draft.handlers,
        });
        draft.handlers += 1;
        let known = self.components.entry(component).or_insert(ComponentDraft {
            name: component_name,
            place: spec.place,
            can_be_busy: false,
        });
        known.place = known.place.min(spec.place);
        known.can_be_busy |= spec.takes_context;
        Some(draft)
    }

    fn draft<M: Message>(&mut self, place: Place) -> &mut MessageDraft {
        let empty = TypedRoutes::<M>::draft;
        self.draft_of(TypeId::of::<M>(), (M::NAME, M::ID), place, empty)
    }

    fn draft_of(
        &mut self,
        message: TypeId,
        (name, id): (&'static str, MessageId),
        place: Place,
        empty: fn() -> Box<dyn RoutesDraft>,
    ) -> &mut MessageDraft {
        self.messages
            .entry(message)
            .or_insert_with(|| MessageDraft {
                info: MessageInfo {
                    name,
                    id,
                    index: MessageIndex(u32::MAX),
                    place,
                    tags: TagSet::EMPTY,
                    has_debug: false,
                    has_clone: false,
                    handlers: 0..0,
                },
                declared: false,
                handlers: 0,
                routes: empty(),
            })
    }

    /// Sorts, checks, numbers, fills every message type's cell, and returns the registry.
    pub(super) fn publish(self) -> Result<Registry, RegistryError> {
        let mut drafts: Vec<(TypeId, MessageDraft)> = self.messages.into_iter().collect();
        drafts.sort_by_key(|(_, draft)| (draft.info.name, draft.info.place));
        check_ids(&drafts)?;

        let mut components: Vec<(TypeId, ComponentDraft)> = self.components.into_iter().collect();
        components.sort_by_key(|(_, draft)| (draft.name, draft.place));
        let component_types: HashMap<TypeId, u32> = (0..)
            .zip(&components)
            .map(|(index, (component, _))| (*component, index))
            .collect();

        let mut by_message: HashMap<TypeId, Vec<HandlerDraft>> = HashMap::new();
        for handler in self.handlers.into_values() {
            by_message.entry(handler.message).or_default().push(handler);
        }

        let mut messages = Vec::with_capacity(drafts.len());
        let mut handlers = Vec::new();
        for (index, (message, draft)) in (0..).zip(drafts) {
            let mut own = by_message.remove(&message).unwrap_or_default();
            own.sort_by_key(|handler| component_types[&handler.component]);
            let ranks = order::sort(draft.info.name, &mut own)?;
            let first = handlers.len();
            let mut routes = Vec::with_capacity(own.len());
            let mut places = Vec::with_capacity(own.len());
            for (handler, rank) in own.into_iter().zip(ranks) {
                let component_index = component_types[&handler.component];
                places.push(handler.route);
                routes.push(Route {
                    component: component_index,
                    rank,
                    method: handler.spec.method,
                    shared: handler.shared,
                });
                handlers.push(HandlerInfo {
                    component: handler.component_name,
                    component_index,
                    message: draft.info.name,
                    method: handler.spec.method,
                    priority: handler.spec.priority,
                    place: handler.spec.place,
                });
            }
            let index = MessageIndex(index);
            draft.routes.publish(index, routes, &places);
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

fn typed<M: Message>(draft: &mut MessageDraft) -> &mut TypedRoutes<M> {
    draft
        .routes
        .as_any()
        .downcast_mut()
        .expect("a message type's draft is entered under that type")
}

/// Every pair of message types that share an id, in the order of the sorted list.
fn check_ids(drafts: &[(TypeId, MessageDraft)]) -> Result<(), RegistryError> {
    let mut first_of: HashMap<MessageId, Declared> = HashMap::new();
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
