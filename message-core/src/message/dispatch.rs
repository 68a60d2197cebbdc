//! What delivers messages stands above this module, and keeps something for each message type. Here is
//! what that is, as far as a message type has to know it.

use crate::message::{Message, MessageIndex};
use crate::tag::TagSet;

/// The dispatcher of messages. Its [`Dispatch`] is in [`handler`](mod@crate::handler).
pub(crate) enum Dispatcher {}

/// The routes of a message type.
pub(crate) type Routes<M> = <Dispatcher as Dispatch>::Routes<M>;

/// Who handles a message type, whatever the type is.
pub(crate) type Table = <Dispatcher as Dispatch>::Table;

/// A message by value that can be posted, whatever its type is.
pub(crate) type Held = <Dispatcher as Dispatch>::Held;

/// What a dispatcher keeps for each message type. There is one implementation, so each type and each
/// function here is known when compiling.
pub(crate) trait Dispatch {
    type Routes<M: Message>: Send + Sync + 'static;
    type Table: 'static;
    /// A message that can be delivered, whatever its type is.
    type Erased: ?Sized + 'static;

    /// A message by value that can be posted, whatever its type is.
    type Held: ?Sized + 'static;

    /// Returns `true` if the registry is published.
    fn is_published() -> bool;

    /// The routes of a type in the published registry.
    fn routes<M: Message>() -> Self::Routes<M>;

    /// The index of the type, if it is in the registry.
    fn index<M: Message>(routes: &Self::Routes<M>) -> Option<MessageIndex>;

    /// The index of the type, for tables by message type: past the end of all if it was not in the
    /// registry when the routes were found.
    fn place<M: Message>(routes: &Self::Routes<M>) -> MessageIndex;

    /// Who handles the type, if it is in the registry.
    fn table<M: Message>(routes: &Self::Routes<M>) -> Option<&'static Self::Table>;

    /// The tags of the type.
    fn tags(table: &Self::Table) -> TagSet;

    fn erase<M: Message>(message: Box<M>) -> Box<Self::Erased>;

    fn held<M: Message>(message: &mut Option<M>) -> &mut Self::Held;
}
