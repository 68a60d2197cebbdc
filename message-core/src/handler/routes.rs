//! The routes of one message type: for each component type that handles it, the function to
//! call.
//!
//! `all` stands in the order of a broadcast. `by_component` finds the route of a component
//! type in one step: it covers only the window of component indices that handle the message, two
//! bytes each, so that even thousands of message and component types stay small.
//!
//! Each message type has a `static` cell that holds its routes once the registry is published.
//! The cell is typed, so a send on the short way finds a typed function without a search or a downcast.
//! All else is in a table that is not generic, so that little is compiled for each message type: it
//! holds the functions of each route as [`AnyTyped`], from which the long way downcasts.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{OnceLock, PoisonError, RwLock};

use smallvec::SmallVec;

use crate::handler::Receives;
use crate::handler::run::{Run, Walk, walk};
use crate::message::{Message, MessageIndex};
use crate::storage::HookRef;
use crate::tag::TagSet;

/// Which component type handles one message type, and how.
#[derive(Debug)]
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
}

/// A route that a send takes, and its position.
#[derive(Clone, Copy)]
pub(crate) struct Stop<'r> {
    pub(crate) at: usize,
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

/// Who handles a message type: all of its routes that does not depend on the type itself.
#[derive(Debug)]
pub(crate) struct RouteTable {
    pub(crate) index: MessageIndex,
    pub(crate) tags: TagSet,
    all: Box<[Route]>,
    /// The functions of each route.
    typed: Box<[AnyTyped]>,
    /// For the component at `first_component + i`: its route's position plus one, or zero.
    by_component: Box<[u16]>,
    first_component: u32,
    /// Whether the ranks of routes differ, so that a messagee's components have to be sorted.
    pub(crate) ranked: bool,
}

impl RouteTable {
    /// `routes` in the order of a broadcast, and the functions of each.
    pub(crate) fn new(
        index: MessageIndex,
        tags: TagSet,
        routes: Vec<Route>,
        typed: Vec<AnyTyped>,
    ) -> Self {
        let (first, by_component) = positions(&routes);
        Self {
            index,
            tags,
            ranked: routes.iter().any(|route| route.rank != 0),
            all: routes.into(),
            typed: typed.into(),
            by_component,
            first_component: first,
        }
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
        Some(Stop { at, route })
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
            receivers.sort_by_key(|(stop, _)| stop.route.rank);
        }
        receivers.into_iter()
    }

    /// All routes, in the order of a broadcast.
    #[inline]
    pub(crate) fn all(&self) -> &[Route] {
        &self.all
    }
}

/// What a message type offers besides being a message.
#[doc(hidden)]
pub struct Offers<M> {
    pub debug: Option<fn(&M, &mut fmt::Formatter<'_>) -> fmt::Result>,
    pub clone: Option<fn(&M) -> M>,
    pub tags: TagSet,
}

impl<M> Offers<M> {
    pub(crate) const NONE: Self = Self {
        debug: None,
        clone: None,
        tags: TagSet::EMPTY,
    };
}

impl<M> Clone for Offers<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Offers<M> {}

impl<M> fmt::Debug for Offers<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offers")
            .field("debug", &self.debug.is_some())
            .field("clone", &self.clone.is_some())
            .field("tags", &self.tags)
            .finish()
    }
}

/// What a message type's cell holds.
pub(crate) struct Routes<M: Message> {
    /// The function of the first route, if there is one: most message types are handled by one type of
    /// component.
    first: Option<Run<M>>,
    /// That of the table, in reach of the short way.
    pub(crate) index: MessageIndex,
    pub(crate) table: &'static RouteTable,
    pub(crate) offers: Offers<M>,
}

impl<M: Message> Routes<M> {
    /// The functions of the route at that position.
    #[inline]
    pub(crate) fn typed(&self, position: usize) -> Option<&'static Typed<M>> {
        self.table.typed.get(position)?.downcast_ref()
    }

    /// The function of the route at that position, if there is one.
    #[inline]
    pub(crate) fn run(&self, position: usize) -> Option<Run<M>> {
        match position {
            0 => self.first,
            _ => self.typed(position).map(|typed| typed.run),
        }
    }

    /// The function of the only route, if there is just one.
    pub(crate) fn single(&self) -> Option<Run<M>> {
        self.first.filter(|_| self.table.all().len() == 1)
    }

    /// The function of the first route: of the only one, where that is known.
    #[inline]
    pub(crate) fn first(&self) -> Option<Run<M>> {
        self.first
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

/// Where a message type keeps its routes: one `static` for each type, empty until the registry
/// is published.
#[doc(hidden)]
pub struct RouteCell<M: Message>(OnceLock<Routes<M>>);

impl<M: Message> RouteCell<M> {
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    #[inline]
    pub(crate) fn get(&self) -> Option<&Routes<M>> {
        self.0.get()
    }

    /// `offers` are the type's own, if it was told of.
    pub(crate) fn fill(&self, table: &'static RouteTable, offers: Option<&dyn Any>) {
        let offers = offers.and_then(<dyn Any>::downcast_ref);
        let mut routes = Routes {
            first: None,
            index: table.index,
            table,
            offers: offers.copied().unwrap_or(Offers::NONE),
        };
        if let Some(typed) = routes.typed(0) {
            routes.first = Some(typed.run);
        }
        // Only the publication of the registry fills cells, and that happens once.
        let _ = self.0.set(routes);
    }

    /// The cell of a message type that has no `static` of its own because it is generic.
    pub(crate) fn by_type() -> &'static Self {
        type Cells = HashMap<TypeId, &'static (dyn Any + Send + Sync)>;
        static CELLS: OnceLock<RwLock<Cells>> = OnceLock::new();

        let cells = CELLS.get_or_init(RwLock::default);
        let known = cells.read().unwrap_or_else(PoisonError::into_inner);
        let cell = known.get(&TypeId::of::<M>()).copied();
        drop(known);
        let cell = cell.unwrap_or_else(|| {
            let mut cells = cells.write().unwrap_or_else(PoisonError::into_inner);
            *cells
                .entry(TypeId::of::<M>())
                .or_insert_with(|| Box::leak(Box::new(Self::new())))
        });
        cell.downcast_ref()
            .expect("the cell of a type is entered under that type")
    }
}

impl<M: Message> Default for RouteCell<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Message> fmt::Debug for RouteCell<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RouteCell")
            .field("routes", &self.get().map(|routes| routes.table.all().len()))
            .finish()
    }
}
