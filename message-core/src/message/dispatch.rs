//! The interface to the dispatcher, which is in a module above.

use crate::message::Message;

/// The dispatcher. [`handler`](mod@crate::handler) implements [`Dispatch`] for it.
pub(crate) enum Dispatcher {}

/// The routes of a message type, with the function of the first one.
pub(crate) type Known<M> = <Dispatcher as Dispatch>::Known<M>;

/// The routes of a message type.
pub(crate) type Routes = <Dispatcher as Dispatch>::Routes;

/// The table of the handlers of a message type.
pub(crate) type Table = <Dispatcher as Dispatch>::Table;

/// Types and functions that the dispatcher provides for each message type. There is only one implementation, so all of
/// it is resolved at compile time, and the fields of the types are at hand.
pub(crate) trait Dispatch {
    type Known<M: Message>: Send + Sync + 'static;
    type Routes: Send + Sync + 'static;
    type Table: 'static;

    /// Returns `true` if the registry is published.
    fn is_published() -> bool;

    /// Looks up the routes of a type in the published registry.
    fn known<M: Message>() -> Self::Known<M>;
}
