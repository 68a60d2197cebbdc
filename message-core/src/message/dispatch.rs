//! The interface to the dispatcher, which is in a module above.

use std::any::TypeId;

use crate::message::{Message, MessageIndex};
use crate::tag::TagSet;

/// The dispatcher. [`handler`](mod@crate::handler) implements [`Dispatch`] for it.
pub(crate) enum Dispatcher {}

/// The routes of a message type, with the function of the first one.
pub(crate) type Known<M> = <Dispatcher as Dispatch>::Known<M>;

/// The routes of a message type.
pub(crate) type Routes = <Dispatcher as Dispatch>::Routes;

/// The table of the handlers of a message type.
pub(crate) type Table = <Dispatcher as Dispatch>::Table;

/// Types and functions that the dispatcher provides for each message type. There is only one implementation, so all of
/// it is resolved at compile time.
pub(crate) trait Dispatch {
    type Known<M: Message>: Send + Sync + 'static;
    type Routes: Send + Sync + 'static;
    type Table: 'static;

    /// Returns `true` if the registry is published.
    fn is_published() -> bool;

    /// Looks up the routes of a type in the published registry.
    fn known<M: Message>() -> Self::Known<M>;

    /// Returns the part of the routes that is the same for all types.
    fn routes<M: Message>(known: &Self::Known<M>) -> &Self::Routes;

    /// Returns the table of the type, if it is in the registry.
    fn table(routes: &Self::Routes, message: fn() -> TypeId) -> Option<&'static Self::Table>;

    /// Returns the index of the type.
    fn index(table: &Self::Table) -> MessageIndex;

    /// Returns the tags of the type.
    fn tags(table: &Self::Table) -> TagSet;
}
