//! The interface to the dispatcher, which is in a module above. Through it, the cell of a message type holds the
//! dispatcher's routes without a downcast.

use crate::message::{Message, MessageIndex};
use crate::tag::TagSet;

/// The dispatcher. [`handler`](mod@crate::handler) implements [`Dispatch`] for it.
pub(crate) enum Dispatcher {}

/// The routes of a message type.
pub(crate) type Routes<M> = <Dispatcher as Dispatch>::Routes<M>;

/// The table of the handlers of a message type. Not generic.
pub(crate) type Table = <Dispatcher as Dispatch>::Table;

/// Types and functions that the dispatcher provides for each message type. There is only one implementation, so all of
/// it is resolved at compile time.
pub(crate) trait Dispatch {
    type Routes<M: Message>: Send + Sync + 'static;
    type Table: 'static;

    /// Returns `true` if the registry is published.
    fn is_published() -> bool;

    /// Looks up the routes of a type in the published registry.
    fn routes<M: Message>() -> Self::Routes<M>;

    /// Returns the index of the type, if it is in the registry.
    fn index<M: Message>(routes: &Self::Routes<M>) -> Option<MessageIndex>;

    /// Returns the index of the type, for tables by message type. It is past the end of every table if the type was not
    /// in the registry when the routes were looked up.
    fn place<M: Message>(routes: &Self::Routes<M>) -> MessageIndex;

    /// Returns the table of the type, if it is in the registry.
    fn table<M: Message>(routes: &Self::Routes<M>) -> Option<&'static Self::Table>;

    /// Returns the tags of the type.
    fn tags(table: &Self::Table) -> TagSet;
}
