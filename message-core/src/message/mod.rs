//! Messages: the trait, its id, and the view of a message whose type is not known.
//!
//! A message type has three identifiers with three uses: its name (for people and files), its id (the
//! name's hash, the same on every machine), and its dense index (for tables of this process). The
//! trait's hidden `cell` is where the process keeps what the registry found out about the type, one
//! `static` for each type, so that a send finds its routes by one load instead of a search.

mod any;
mod cell;
mod dispatch;
mod id;
pub(crate) mod owned;
#[allow(missing_docs, reason = "for the expansions of the derive alone")]
pub(crate) mod probe;

pub use any::AnyMessage;
pub use cell::RouteCell;
use dispatch::Table;
pub(crate) use dispatch::{Dispatch, Dispatcher, Routes};
pub use id::{MessageId, MessageIndex};
pub(crate) use owned::{AnyBox, OwnedMessage, Stored};

use std::any::TypeId;
use std::fmt;

use crate::tag::TagSet;

/// A typed message, by `#[derive(Message)]`.
///
/// Messages are `Send + 'static` structs and enums. Nothing else is required of them; where the
/// type is `Debug` or `Clone` this is picked up, without an attribute, for
/// [`AnyMessage`].
///
/// # Attributes
///
/// All in `#[message(…)]`:
///
/// | key | meaning |
/// |---|---|
/// | `name = "…"` | the name to use instead of the type's path: what the id is made from |
/// | `reply = T` | handlers answer with a `T`, and [`request`](crate::MessageManager::request) returns it |
/// | `tags(A, B)` | the type's own [tags](crate::tag!), which every message of it has |
/// | `types(M<A>, M<B>)` | for a generic message: the instantiations that exist |
/// | `crate = path` | where to find this crate, when it is renamed or re-exported |
///
/// # By hand
///
/// A generic message whose instantiations cannot be listed is implemented by hand and added to
/// [`Registry::builder`](crate::Registry::builder). Only `Reply` and `NAME` are needed; the name has to
/// differ from instantiation to instantiation. Finding such a message's routes costs a look-up by type
/// on each send.
///
/// ```
/// use message_core::MessageId;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// #[message(name = "game.harm", reply = u32)]
/// struct Damage { amount: u32 }
///
/// assert_eq!(Damage::NAME, "game.harm");
/// assert_eq!(Damage::ID, MessageId::of_name("game.harm"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a message",
    label = "not a message",
    note = "add `#[derive(Message)]` to `{Self}`"
)]
pub trait Message: Sized + Send + 'static {
    /// The type of a handler's answer: the type in `#[message(reply = …)]`, or [`NoReply`].
    type Reply: 'static;

    /// The name: the type's path, or the name in `#[message(name = "…")]`.
    const NAME: &'static str;

    /// The id: the same in every build and on every machine, since it depends on the name alone.
    const ID: MessageId = MessageId::of_name(Self::NAME);

    /// Returns the dense index of this type in this process, or `None` before the
    /// [registry](crate::registry()) is published, or when the type is not in it.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let registry = message_core::registry();
    /// let index = registry.message(Ping::ID).map(|info| info.index);
    /// assert_eq!(Ping::index(), index);
    /// assert!(index.is_some());
    /// ```
    #[must_use]
    fn index() -> Option<MessageIndex> {
        let index = || Self::FACTS.index();
        Dispatcher::is_published().then(index).flatten()
    }

    #[doc(hidden)]
    const OFFERS: Offers<Self> = Offers {
        debug: None,
        clone: None,
    };

    #[doc(hidden)]
    const FACTS: &'static Facts = &Facts {
        name: Self::NAME,
        id: Self::ID,
        message: TypeId::of::<Self>,
        is_cloned: Self::OFFERS.clone.is_some(),
        reply: TypeId::of::<Self::Reply>,
        routes: RouteCell::<Self>::of_type,
    };

    #[doc(hidden)]
    #[must_use]
    fn cell() -> &'static RouteCell<Self> {
        RouteCell::by_type()
    }
}

/// The facts about a message's type that every delivery carries.
#[doc(hidden)]
#[derive(Debug)]
pub struct Facts {
    pub(crate) name: &'static str,
    pub id: MessageId,
    message: fn() -> TypeId,
    /// `true` if the type is known to be `Clone`.
    pub(crate) is_cloned: bool,
    reply: fn() -> TypeId,
    routes: fn() -> &'static Routes,
}

impl Facts {
    /// Returns the tags of the type.
    pub(crate) fn tags(&self) -> TagSet {
        self.table().map_or(TagSet::EMPTY, |table| table.tags)
    }

    /// Returns the routes of the type, which are looked up on first use. May be called only when the registry is published,
    /// as it is wherever there is a manager.
    #[inline]
    pub(crate) fn routes(&self) -> &'static Routes {
        (self.routes)()
    }

    /// Returns the table of the type's handlers, if it is in the registry.
    #[inline]
    pub(crate) fn table(&self) -> Option<&'static Table> {
        self.routes().newest(self.message)
    }

    /// Returns the dense index of the type, if it is in the registry.
    pub fn index(&self) -> Option<MessageIndex> {
        self.table().map(|table| table.index)
    }

    /// Like [`index`](Self::index), but the index of a type that is unknown is past the end of every table.
    #[inline]
    pub(crate) fn place(&self) -> MessageIndex {
        self.routes().index
    }

    /// Returns the type itself.
    pub(crate) fn message(&self) -> TypeId {
        (self.message)()
    }

    /// Returns `true` if the type has a reply.
    pub(crate) fn is_request(&self) -> bool {
        (self.reply)() != TypeId::of::<NoReply>()
    }
}

/// The optional capabilities of a message type.
#[doc(hidden)]
#[derive(Debug)]
pub struct Offers<M> {
    pub debug: Option<fn(&M, &mut fmt::Formatter<'_>) -> fmt::Result>,
    pub clone: Option<fn(&M) -> M>,
}

/// A message that is answered: implemented by the derive for every message with
/// `#[message(reply = …)]`.
///
/// ```
/// use message_core::Request;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// #[message(reply = u32)]
/// struct GetHp;
///
/// struct Health { hp: u32 }
///
/// #[handlers]
/// impl Health {
///     #[on_receive]
///     fn hp(&self, _: &GetHp) -> u32 { self.hp }
/// }
///
/// fn ask<M: Request>(manager: &mut MessageManager, id: MessageeId, message: M) -> Option<M::Reply> {
///     manager.request(id, message).ok()
/// }
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn((Health { hp: 10 },));
/// assert_eq!(ask(&mut manager, orc, GetHp), Some(10));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no reply to wait for",
    label = "this message has no reply type",
    note = "add `#[message(reply = …)]` to `{Self}`, or `send` it"
)]
pub trait Request: Message {}

/// The reply type of a message that has none. It has no values.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::NoReply;
///
/// #[derive(Message)]
/// struct Ping;
///
/// fn has_no_reply<M: Message<Reply = NoReply>>() -> bool { true }
/// assert!(has_no_reply::<Ping>());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// With serde's traits, the compiler reports only the missing reply, and not also that serde cannot write it.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NoReply {}
