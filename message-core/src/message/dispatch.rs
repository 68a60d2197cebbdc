//! The interface to the dispatcher, which is in a module above.

use std::any::TypeId;

use crate::message::{Message, MessageIndex};
use crate::tag::TagSet;

/// The dispatcher. [`handler`](mod@crate::handler) implements [`Dispatch`] for it.
pub(crate) enum Dispatcher {}

/// The first route of a message type.
pub(crate) type First<M> = <Dispatcher as Dispatch>::First<M>;

/// The table of the handlers of a message type.
pub(crate) type Table = <Dispatcher as Dispatch>::Table;

/// The part of a message type's cell that does not depend on the type.
pub(crate) struct Routes {
    /// The index of the type, or [`UNKNOWN`](MessageIndex::UNKNOWN) if it was not in the registry when the cell was filled.
    pub(crate) index: MessageIndex,
    /// The table of the type then, which has the same index and tags as newer ones.
    pub(crate) table: Option<&'static Table>,
}

/// Types and functions that the dispatcher provides for each message type. There is only one implementation, so all of
/// it is resolved at compile time.
pub(crate) trait Dispatch {
    type First<M: Message>: Send + Sync + 'static;
    type Table: Sync + 'static;

    /// Returns `true` if the registry is published.
    fn is_published() -> bool;

    /// Returns the first route of a type.
    fn first<M: Message>() -> Self::First<M>;

    /// Looks up the routes of a type in the published registry.
    fn routes(message: TypeId) -> Routes;

    /// Returns the table of the type, if it is in the registry.
    fn table(routes: &Routes, message: fn() -> TypeId) -> Option<&'static Self::Table>;

    /// Returns the index of the type.
    fn index(table: &Self::Table) -> MessageIndex;

    /// Returns the tags of the type.
    fn tags(table: &Self::Table) -> TagSet;
}
