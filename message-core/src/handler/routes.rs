//! The routes of one message type: for each component type that handles it, the function to
//! call.
//!
//! `all` stands in the order of a broadcast. `by_component` finds the route of a component
//! type in one step: it covers only the window of component indices that handle the message, two
//! bytes each, so that even thousands of message and component types stay small.
//!
//! Each message type has a `static` cell that finds its routes in the published registry when they are
//! first asked for. The cell stays as it is when the registry is extended: a table leads to the newer one
//! of its type, and the short way calls the route that was the only one, which stays the same.
//! The cell is typed, so a send on the short way finds a typed function without a search or a downcast.
//! All else is in a table that is not generic, so that little is compiled for each message type: it
//! holds the functions of each route as [`AnyTyped`], from which the long way downcasts.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::handler::Receives;
use crate::handler::run::{Run, Walk, walk};
use crate::hash::HashedMap;
use crate::message::{Dispatch, Dispatcher, Message, MessageIndex};
use crate::post::queue::Held;
use crate::registry::{Latest, Registry};
use crate::send::ErasedMessage;
use crate::sort::sort_by_number;
use crate::storage::HookRef;
use crate::tag::TagSet;

/// Which component type handles one message type, and how.
pub(crate) struct Route {
    pub(crate) component: u32,
    /// Its place in the order of handlers, from 0; the same for those of which none runs before the
    /// other.
    pub(crate) rank: u32,
    /// The name of the handler.
    pub(crate) method: &'static str,
    /// `true` if the handler takes `&self`.
    pub(crate) shared: bool,
    /// `true` if the handler is given a context.
    pub(crate) takes_context: bool,
    /// `true` if a broadcast may run the handler on all cores, and calls every component even if one panics.
    #[cfg(feature = "rayon")]
    pub(crate) parallel: bool,
    /// The functions.
    pub(crate) typed: AnyTyped,
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Route")
            .field("component", &self.component)
            .field("rank", &self.rank)
            .field("method", &self.method)
            .finish_non_exhaustive()
    }
}

/// A route that a send takes.
#[derive(Clone, Copy)]
pub(crate) struct Stop<'r> {
    pub(crate) route: &'r Route,
}

/// The functions of a route: a [`Typed`] of the message type.
pub(crate) type AnyTyped = &'static (dyn Any + Send + Sync);

/// The functions of a route.
pub(crate) struct Typed<M: Message> {
    pub(crate) run: Run<M>,
    pub(crate) walk: Walk<M>,
}

impl<M: Message> Typed<M> {
    pub(crate) const fn of<C: Receives<M>>() -> Self {
        Self {
            run: Run::of::<C>(),
            walk: walk::<C, M>(),
        }
    }
}

/// Who handles a message type: all that does not depend on the type itself.
#[derive(Debug)]
pub(crate) struct RouteTable {
    pub(crate) index: MessageIndex,
    pub(crate) tags: TagSet,
    all: Box<[Route]>,
    /// For the component at `first_component + i`: its route's position plus one, or zero.
    by_component: Box<[u16]>,
    first_component: u32,
    /// `true` if the ranks of routes differ, so that a messagee's components have to be sorted.
    pub(crate) ranked: bool,
    /// The position of the route that is, or in an older table was, the only one.
    single: Option<u16>,
    /// The table that has replaced this one, since the registry was extended. Index and tags are the same.
    newer: OnceLock<&'static RouteTable>,
}

impl RouteTable {
    /// `routes` in the order of a broadcast.
    pub(crate) fn new(index: MessageIndex, tags: TagSet, routes: Vec<Route>) -> Self {
        let (first, by_component) = positions(&routes);
        Self {
            index,
            tags,
            ranked: routes.iter().any(|route| route.rank != 0),
            single: (routes.len() == 1).then_some(0),
            all: routes.into(),
            by_component,
            first_component: first,
            newer: OnceLock::new(),
        }
    }

    /// As [`new`](Self::new), with more routes than `older` has.
    pub(crate) fn extending(older: &Self, routes: Vec<Route>) -> Self {
        let new = Self::new(older.index, older.tags, routes);
        let single = older.single_route().and_then(|route| {
            let position = new.position(route.component)?;
            u16::try_from(position).ok()
        });
        Self {
            single: if older.all.is_empty() {
                new.single
            } else {
                single
            },
            ..new
        }
    }

    /// From now on `newer` is asked in the place of this table.
    pub(crate) fn replace(&self, newer: &'static Self) {
        let replaced = self.newer.set(newer);
        debug_assert!(replaced.is_ok(), "the registry is extended in turn");
    }

    /// Returns `true` if no other table has replaced this one.
    #[inline]
    fn is_newest(&self) -> bool {
        self.newer.get().is_none()
    }

    /// The newest table of the message type.
    #[inline]
    pub(crate) fn newest(&'static self) -> &'static Self {
        let mut table = self;
        while let Some(newer) = table.newer.get() {
            table = newer;
        }
        table
    }

    /// The route that is the only one in the registry of some managers: of those that were made, or took
    /// up what is new, while there was no other.
    #[inline]
    pub(crate) fn single_route(&self) -> Option<&Route> {
        self.all.get(usize::from(self.single?))
    }

    /// The position of the route to components of that type, if they handle the message.
    #[inline]
    pub(crate) fn position(&self, component: u32) -> Option<usize> {
        let at = component.wrapping_sub(self.first_component) as usize;
        match self.by_component.get(at) {
            None | Some(0) => None,
            Some(&position) => Some(usize::from(position) - 1),
        }
    }

    /// The route to components of that type, if they handle the message.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "asked for each component of a messagee; measured"
    )]
    pub(crate) fn stop(&self, component: u32) -> Option<Stop<'_>> {
        let at = self.position(component)?;
        let route = &self.all[at];
        Some(Stop { route })
    }

    /// The components among these that handle the message, each with its slot, in order of priority,
    /// then of hooking.
    pub(crate) fn in_order(
        &self,
        hooks: impl Iterator<Item = HookRef>,
    ) -> impl Iterator<Item = (Stop<'_>, u32)> {
        let receivers = hooks.filter_map(|hook| Some((self.stop(hook.component)?, hook.slot)));
        let mut receivers: SmallVec<[_; 8]> = receivers.collect();
        if self.ranked {
            sort_by_rank(&mut receivers);
        }
        receivers.into_iter()
    }

    /// All routes, in the order of a broadcast.
    #[inline]
    pub(crate) fn all(&self) -> &[Route] {
        &self.all
    }
}

/// Sorts the receivers of a messagee by rank. Those of one rank stay in their order.
fn sort_by_rank(receivers: &mut SmallVec<[(Stop<'_>, u32); 8]>) {
    const FEW: usize = 32;
    let rank = |(stop, _): &(Stop<'_>, u32)| u64::from(stop.route.rank);
    if receivers.len() > FEW {
        let mut many = std::mem::take(receivers).into_vec();
        sort_by_number(&mut many, rank);
        *receivers = many.into();
        return;
    }
    for at in 1..receivers.len() {
        let mut to = at;
        while to > 0 && rank(&receivers[to - 1]) > rank(&receivers[to]) {
            receivers.swap(to - 1, to);
            to -= 1;
        }
    }
}

/// The tables of all message types in the published registry.
pub(crate) struct Tables {
    /// Only the tables that differ from those of `older`.
    by_type: HashedMap<TypeId, RouteTable>,
    older: Option<&'static Self>,
}

static TABLES: Latest<Tables> = Latest::new();

impl Tables {
    /// Publishes the tables that differ from those before. Called before the registry itself is published.
    pub(crate) fn publish(by_type: HashedMap<TypeId, RouteTable>) {
        let older = TABLES.get();
        let new = TABLES.replace(Self { by_type, older });
        for (of, table) in &new.by_type {
            if let Some(older) = older.and_then(|older| older.get(*of)) {
                older.replace(table);
            }
        }
    }

    /// Returns the table of a message type, if it is in the published registry.
    pub(crate) fn published(message: TypeId) -> Option<&'static RouteTable> {
        let tables = TABLES.get();
        debug_assert!(tables.is_some(), "routes are asked for by managers alone");
        tables?.get(message)
    }

    fn get(&self, message: TypeId) -> Option<&RouteTable> {
        let mut tables = self;
        loop {
            if let Some(table) = tables.by_type.get(&message) {
                return Some(table);
            }
            tables = tables.older?;
        }
    }
}

impl Dispatch for Dispatcher {
    type Routes<M: Message> = Routes<M>;
    type Table = RouteTable;
    type Erased = dyn ErasedMessage;
    type Held = dyn Held;

    fn is_published() -> bool {
        Registry::published().is_some()
    }

    fn routes<M: Message>() -> Routes<M> {
        Routes::of_published()
    }

    #[inline]
    fn index<M: Message>(routes: &Routes<M>) -> Option<MessageIndex> {
        routes.index()
    }

    #[inline]
    fn place<M: Message>(routes: &Routes<M>) -> MessageIndex {
        routes.place()
    }

    #[inline]
    fn table<M: Message>(routes: &Routes<M>) -> Option<&'static RouteTable> {
        routes.table()
    }

    fn tags(table: &RouteTable) -> TagSet {
        table.tags
    }

    fn erase<M: Message>(message: Box<M>) -> Box<dyn ErasedMessage> {
        message
    }

    fn held<M: Message>(message: &mut Option<M>) -> &mut (dyn Held + 'static) {
        message
    }
}

/// What a message type's cell holds.
pub(crate) struct Routes<M: Message> {
    /// The function of the [single route](RouteTable::single_route): most message types are handled by one
    /// type of component.
    single: Option<Run<M>>,
    /// That of the table, or [`UNKNOWN`](MessageIndex::UNKNOWN): in reach of the short way.
    index: MessageIndex,
    /// `None` if the type is not in the registry.
    table: Option<&'static RouteTable>,
}

impl<M: Message> Routes<M> {
    /// What the published registry knows of the type.
    #[allow(
        clippy::manual_map,
        reason = "in a debug build each combinator is one more function for each type"
    )]
    fn of_published() -> Self {
        let Published {
            index,
            table,
            single,
        } = published(TypeId::of::<M>());
        let single = match single {
            Some(typed) => match (typed as &dyn Any).downcast_ref::<Typed<M>>() {
                Some(typed) => Some(typed.run),
                None => None,
            },
            None => None,
        };
        Self {
            single,
            index,
            table,
        }
    }

    /// The function of the [single route](RouteTable::single_route). `None` also if the route came after
    /// the cell was filled: then the message takes the long way.
    #[inline]
    pub(crate) fn run_single(&self) -> Option<Run<M>> {
        self.single
    }

    /// The index of the type, for tables by message type: past the end of all if it was not in the registry
    /// when the cell was filled.
    #[inline]
    pub(crate) fn place(&self) -> MessageIndex {
        self.index
    }

    /// The index of the type, if it is in the registry.
    #[inline]
    pub(crate) fn index(&self) -> Option<MessageIndex> {
        match self.index.known() {
            Some(index) => Some(index),
            None => newer_index(TypeId::of::<M>()),
        }
    }

    /// Who handles the type, if it is in the registry.
    #[inline]
    pub(crate) fn table(&self) -> Option<&'static RouteTable> {
        match self.table {
            Some(table) if table.is_newest() => Some(table),
            table => newer_table(table, TypeId::of::<M>()),
        }
    }

    /// As [`table`](Self::table), for index and tags alone: it may be an older table.
    #[inline]
    pub(crate) fn any_table(&self) -> Option<&'static RouteTable> {
        self.table
    }
}

/// The routes of a message type for which there are newer ones than when its cell was filled, or which was not
/// in the registry then.
#[cold]
#[inline(never)]
fn newer_table(older: Option<&'static RouteTable>, message: TypeId) -> Option<&'static RouteTable> {
    match older {
        Some(table) => Some(table.newest()),
        None => Tables::published(message),
    }
}

#[cold]
#[inline(never)]
fn newer_index(message: TypeId) -> Option<MessageIndex> {
    Some(Tables::published(message)?.index)
}

/// What the published registry knows of a message type.
struct Published {
    index: MessageIndex,
    table: Option<&'static RouteTable>,
    /// The functions of the [single route](RouteTable::single_route).
    single: Option<AnyTyped>,
}

#[inline(never)]
fn published(message: TypeId) -> Published {
    let table = Tables::published(message);
    let single = table.and_then(RouteTable::single_route);
    Published {
        index: table.map_or(MessageIndex::UNKNOWN, |table| table.index),
        table,
        single: single.map(|route| route.typed),
    }
}

/// The lowest of the component types, and for each from that on its position plus one, or zero.
fn positions(routes: &[Route]) -> (u32, Box<[u16]>) {
    let components = routes.iter().map(|route| route.component);
    let first = components.clone().min().unwrap_or(0);
    let end = components.max().map_or(first, |last| last + 1);
    let mut positions = vec![0; (end - first) as usize];
    for (position, route) in routes.iter().enumerate() {
        positions[(route.component - first) as usize] = u16::try_from(position + 1)
            .expect("fewer than 65 535 component types handle one message type");
    }
    (first, positions.into())
}
