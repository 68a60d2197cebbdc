//! The routes of one message type: for each component type that handles it, the function to call.
//!
//! Each route has a number, which it keeps when the registry is extended.
//!
//! Each message type has a `static` cell that finds its routes in the published registry when they are
//! first needed. The cell does not change when the registry is extended: a table leads to the newer one of
//! its type, in which known routes keep their numbers. The cell also holds the function of the first route, so that a send
//! finds it early.

use std::any::TypeId;
use std::sync::OnceLock;

use crate::handler::HandlerRow;
use crate::handler::run::Run;
use crate::hash::HashedMap;
use crate::message::{Dispatch, Dispatcher, Message, MessageIndex};
use crate::registry::{Latest, Registry};
use crate::tag::TagSet;

/// A component type that handles a message type, and how it does.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) component: u32,
    /// The number among the routes of the message type.
    pub(crate) number: u16,
    /// The place in the order of handlers, from 0. Equal for handlers of which none has to run before the
    /// other.
    pub(crate) rank: u32,
    pub(crate) row: &'static HandlerRow,
}

/// The routes of a message type.
#[derive(Debug)]
pub(crate) struct RouteTable {
    pub(crate) index: MessageIndex,
    pub(crate) tags: TagSet,
    /// The routes, by number.
    routes: Box<[Route]>,
    /// The numbers of all routes, in the order of a broadcast.
    order: Box<[u16]>,
    /// The numbers of all routes, sorted by component type.
    by_component: Box<[u16]>,
    /// `true` if the ranks of routes differ, so that stops have to be sorted.
    pub(crate) ranked: bool,
    /// The table that has replaced this one when the registry was extended. Index and tags are the same.
    newer: OnceLock<&'static RouteTable>,
}

impl RouteTable {
    /// Makes a table of routes in the order of a broadcast. They keep the numbers that they have in `older`.
    pub(crate) fn new(
        index: MessageIndex,
        tags: TagSet,
        mut routes: Vec<Route>,
        older: Option<&Self>,
    ) -> Self {
        let mut next = older.map_or(0, |older| older.routes.len());
        for route in &mut routes {
            let known = older.and_then(|older| older.route_to(route.component));
            route.number = known.map_or_else(
                || {
                    next += 1;
                    u16::try_from(next - 1)
                        .expect("fewer than 65 535 component types handle one message type")
                },
                |known| known.number,
            );
        }
        let in_order = routes.iter().map(|route| route.number).collect();
        routes.sort_unstable_by_key(|route| route.component);
        let by_component = routes.iter().map(|route| route.number).collect();
        routes.sort_unstable_by_key(|route| route.number);
        Self {
            index,
            tags,
            ranked: routes.iter().any(|route| route.rank != 0),
            routes: routes.into(),
            order: in_order,
            by_component,
            newer: OnceLock::new(),
        }
    }

    /// Returns the newest table of the message type.
    fn newest(&'static self) -> &'static Self {
        let mut table = self;
        while let Some(newer) = table.newer.get() {
            table = newer;
        }
        table
    }

    /// Returns the route with a number.
    pub(crate) fn route(&self, number: u16) -> &Route {
        &self.routes[usize::from(number)]
    }

    /// Returns the route to components of a type, if they handle the message.
    #[inline]
    pub(crate) fn route_to(&self, component: u32) -> Option<&Route> {
        let of = |&number: &u16| self.route(number).component;
        let at = self
            .by_component
            .binary_search_by_key(&component, of)
            .ok()?;
        Some(self.route(self.by_component[at]))
    }

    /// Returns all routes, in the order of a broadcast.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = &Route> {
        self.order.iter().map(|&number| self.route(number))
    }

    /// Returns the number of routes.
    pub(crate) fn len(&self) -> usize {
        self.routes.len()
    }
}

/// The tables of all message types in the published registry.
pub(crate) struct Tables(HashedMap<TypeId, &'static RouteTable>);

static TABLES: Latest<Tables> = Latest::new();

impl Tables {
    /// Publishes the tables that are new or differ from the previous ones. Called before the registry itself is
    /// published.
    pub(crate) fn publish(changed: HashedMap<TypeId, RouteTable>) {
        let mut tables = TABLES
            .get()
            .map_or_else(HashedMap::default, |tables| tables.0.clone());
        for (of, table) in changed {
            let table = Box::leak(Box::new(table));
            if let Some(older) = tables.insert(of, table) {
                let replaced = older.newer.set(table);
                debug_assert!(replaced.is_ok(), "the registry is extended in turn");
            }
        }
        TABLES.replace(Self(tables));
    }

    /// Returns the table of a message type, if it is in the published registry.
    pub(crate) fn published(message: TypeId) -> Option<&'static RouteTable> {
        TABLES.get()?.0.get(&message).copied()
    }
}

impl Dispatch for Dispatcher {
    type Known<M: Message> = Known<M>;
    type Routes = Routes;
    type Table = RouteTable;

    fn is_published() -> bool {
        Registry::published().is_some()
    }

    fn known<M: Message>() -> Known<M> {
        let routes = Routes::published(TypeId::of::<M>());
        let (component, &run) = routes.typed(0).unwrap_or((u32::MAX, &Run::Unknown));
        Known {
            component,
            run,
            routes,
        }
    }
}

/// The routes of a message type, looked up once, and the first of them with its type. That one is apart from the others, so
/// that the processor predicts that it is this one, and has its pool before the messagee is read: W3-in.
pub(crate) struct Known<M: Message> {
    /// The component type of the first route. If there is none, no component type has this index.
    pub(crate) component: u32,
    /// The function of the first route.
    pub(crate) run: Run<M>,
    pub(crate) routes: Routes,
}

/// The part of a message type's routes that does not depend on the type.
#[derive(Clone, Copy)]
pub(crate) struct Routes {
    /// The index of the type, or [`UNKNOWN`](MessageIndex::UNKNOWN) if it was not in the registry when the cell was filled.
    pub(crate) index: MessageIndex,
    /// The table of the type then, which has the same index and tags as newer ones.
    pub(crate) table: Option<&'static RouteTable>,
}

impl Routes {
    #[inline(never)]
    fn published(message: TypeId) -> Self {
        let table = Tables::published(message);
        Self {
            index: table.map_or(MessageIndex::UNKNOWN, |table| table.index),
            table,
        }
    }

    /// Returns the newest table of the type, if it is in the registry.
    #[inline]
    pub(crate) fn newest(&self, message: fn() -> TypeId) -> Option<&'static RouteTable> {
        match self.table {
            Some(table) if table.newer.get().is_none() => Some(table),
            table => newer_table(table, message()),
        }
    }

    /// Returns the component type and the function of a route by its number, or `None` for routes added after these were
    /// looked up.
    #[inline(never)]
    pub(crate) fn typed<M: Message>(&self, number: u16) -> Option<(u32, &'static Run<M>)> {
        let route = self.route(number)?;
        Some((route.component, route.row.run()?))
    }

    #[inline(never)]
    fn route(&self, number: u16) -> Option<&'static Route> {
        self.table?.routes.get(usize::from(number))
    }
}

/// Returns the newest table of a message type whose cell has an older one or none.
#[cold]
fn newer_table(older: Option<&'static RouteTable>, message: TypeId) -> Option<&'static RouteTable> {
    match older {
        Some(table) => Some(table.newest()),
        None => Tables::published(message),
    }
}
