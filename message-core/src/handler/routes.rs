//! The routes of one message type: for each component type that handles it, the function to call.
//!
//! Each route has a number, which it keeps when the registry is extended.
//!
//! Each message type has a `static` cell that finds its routes in the published registry when they are
//! first needed. The cell does not change when the registry is extended: a table leads to the newer one of
//! its type, in which known routes keep their numbers. The cell holds the function of the first route, so a send
//! finds it without a downcast. Everything else is in a table that is not generic, so that little is compiled for
//! each message type. The table holds the functions of each route as [`AnyTyped`].

use std::any::{Any, TypeId};
use std::sync::OnceLock;

use crate::handler::run::{Batch, Run, batch};
use crate::handler::{HandlerRow, Receives};
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

/// The functions of a route: a [`Typed`] of the message type.
pub(crate) type AnyTyped = &'static (dyn Any + Send + Sync);

/// The functions of a route.
pub(crate) struct Typed<M: Message> {
    pub(crate) run: Run<M>,
    /// For a handler that takes no context.
    pub(crate) batch: Option<Batch<M>>,
}

impl<M: Message> Typed<M> {
    /// Returns the functions of a route, if it is one of the message type.
    pub(crate) fn of_route(route: &Route) -> Option<&'static Self> {
        (route.row.typed as &dyn Any).downcast_ref()
    }

    pub(crate) const fn of<C: Receives<M>>() -> Self {
        Self {
            run: Run::of::<C>(),
            batch: if C::ALONE { Some(batch::<C, M>) } else { None },
        }
    }
}

/// The routes of a message type, as far as they do not depend on the type itself.
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
    /// `true` if one of the handlers takes a context.
    pub(crate) takes_context: bool,
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
            takes_context: routes.iter().any(|route| route.row.takes_context),
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
    type Routes<M: Message> = Routes<M>;
    type Table = RouteTable;

    fn is_published() -> bool {
        Registry::published().is_some()
    }

    fn routes<M: Message>() -> Routes<M> {
        let table = Tables::published(TypeId::of::<M>());
        Routes {
            first: table.and_then(|table| CellRoute::of(table.routes.first()?)),
            index: table.map_or(MessageIndex::UNKNOWN, |table| table.index),
            table,
        }
    }

    #[inline]
    fn index<M: Message>(routes: &Routes<M>) -> Option<MessageIndex> {
        if routes.index != MessageIndex::UNKNOWN {
            return Some(routes.index);
        }
        Some(newer_table(None, TypeId::of::<M>())?.index)
    }

    fn place<M: Message>(routes: &Routes<M>) -> MessageIndex {
        routes.index
    }

    #[inline]
    fn table<M: Message>(routes: &Routes<M>) -> Option<&'static RouteTable> {
        match routes.table {
            Some(table) if table.newer.get().is_none() => Some(table),
            table => newer_table(table, TypeId::of::<M>()),
        }
    }

    fn tags(table: &RouteTable) -> TagSet {
        table.tags
    }
}

/// A route in the cell of its message type.
pub(crate) struct CellRoute<M: Message> {
    pub(crate) run: Run<M>,
    pub(crate) component: u32,
}

impl<M: Message> CellRoute<M> {
    fn of(route: &Route) -> Option<Self> {
        let Typed { run, .. } = *Typed::of_route(route)?;
        let component = route.component;
        Some(Self { run, component })
    }
}

impl<M: Message> Clone for CellRoute<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Message> Copy for CellRoute<M> {}

/// The content of a message type's cell.
pub(crate) struct Routes<M: Message> {
    /// The first route. Apart from the others, so that the processor predicts that it is this one, and has its pool
    /// before the messagee is read: W3-in.
    first: Option<CellRoute<M>>,
    /// The index of the type, or [`UNKNOWN`](MessageIndex::UNKNOWN) if it was not in the registry when the cell was filled.
    pub(crate) index: MessageIndex,
    /// The table of the type then, which has the same index and tags as newer ones.
    pub(crate) table: Option<&'static RouteTable>,
}

impl<M: Message> Routes<M> {
    /// Returns the route with a number, or `None` for routes added after the cell was filled.
    #[inline]
    pub(crate) fn route(&self, number: u16) -> Option<CellRoute<M>> {
        match number {
            0 => self.first,
            _ => CellRoute::of(self.table?.routes.get(usize::from(number))?),
        }
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
