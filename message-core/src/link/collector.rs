//! Gathers what entries tell, and makes registry and routes of it.
//!
//! Drafts are kept by type, so that it does not matter in which order entries come and whether
//! one comes twice. Publishing sorts message types and component types by (name, file, line) and
//! numbers them, so that every build of a program numbers alike whatever the linker did.

use std::any::TypeId;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use crate::dispatch::{
    Access, HandlerSpec, Offers, Receives, Route, Routes, run_all, run_due, run_one,
};
use crate::lifecycle;
use crate::link::backend;
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
    /// Whether the type itself was told of, not only a handler of it.
    declared: bool,
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
}

/// The typed routes of a message type that is not known here.
trait RoutesDraft {
    fn as_any(&mut self) -> &mut dyn std::any::Any;

    /// Puts the routes into the type's cell: to these components, in this order.
    fn publish(self: Box<Self>, index: MessageIndex, order: &[(TypeId, u32)]);
}

struct TypedRoutes<M: Message> {
    offers: Offers<M>,
    routes: HashMap<TypeId, Route<M>>,
}

impl<M: Message> RoutesDraft for TypedRoutes<M> {
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn publish(mut self: Box<Self>, index: MessageIndex, order: &[(TypeId, u32)]) {
        let routes = order.iter().filter_map(|&(component, index)| {
            let mut route = self.routes.remove(&component)?;
            route.component = index;
            Some(route)
        });
        let routes = routes.collect();
        M::cell().fill(Routes::new(index, self.offers, routes));
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
        let (message, component) = (TypeId::of::<M>(), TypeId::of::<C>());
        let component_name = std::any::type_name::<C>();
        let Slot::Vacant(slot) = self.handlers.entry((message, component)) else {
            return;
        };
        slot.insert(HandlerDraft {
            message,
            component,
            component_name,
            spec,
        });
        let draft = self.components.entry(component).or_insert(ComponentDraft {
            name: component_name,
            place: spec.place,
            can_be_busy: false,
        });
        draft.place = draft.place.min(spec.place);
        draft.can_be_busy |= spec.takes_context;
        let route = Route {
            component: u32::MAX,
            priority: spec.priority,
            method: spec.method,
            shared: C::Access::SHARED,
            one: run_one::<C, M>,
            all: run_all::<C, M>,
            due: if C::HANDLER.takes_context {
                None
            } else {
                Some(run_due::<C, M>)
            },
        };
        typed::<M>(self.draft::<M>(spec.place))
            .routes
            .insert(component, route);
    }

    fn draft<M: Message>(&mut self, place: Place) -> &mut MessageDraft {
        self.messages
            .entry(TypeId::of::<M>())
            .or_insert_with(|| MessageDraft {
                info: MessageInfo {
                    name: M::NAME,
                    id: M::ID,
                    index: MessageIndex(u32::MAX),
                    place,
                    tags: TagSet::EMPTY,
                    has_debug: false,
                    has_clone: false,
                    handlers: 0..0,
                },
                declared: false,
                routes: Box::new(TypedRoutes::<M> {
                    offers: Offers {
                        debug: None,
                        clone: None,
                        tags: TagSet::EMPTY,
                    },
                    routes: HashMap::new(),
                }),
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
            own.sort_by_key(|handler| {
                let component = component_types[&handler.component];
                (std::cmp::Reverse(handler.spec.priority), component)
            });
            let first = handlers.len();
            let mut order = Vec::with_capacity(own.len());
            for handler in own {
                let component_index = component_types[&handler.component];
                order.push((handler.component, component_index));
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
            draft.routes.publish(index, &order);
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
