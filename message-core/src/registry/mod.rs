//! Information in the [`Registry`]: message types, component types, and their handlers.

// Plain sorted tables without type parameters, made by `link` from what was linked in and never changed
// after. An extended registry is another one, with the same indices and more of them. Everything typed about a message (its route to each
// component) lives in the message's own cell; here is only what can be asked.

mod error;
pub(crate) mod info;
mod latest;
pub(crate) mod linked;
pub(crate) mod row;

use std::any::TypeId;

pub use error::{Declared, OrderStep, RegistryError};
pub(crate) use error::{MOST_COMPONENTS, pairs_of_same};
pub(crate) use info::MessageRow;
pub use info::{ComponentInfo, HandlerInfo, MessageInfo, Place};
pub(crate) use latest::Latest;
pub(crate) use linked::{
    Collect, HIGHEST, Linker, PUBLISHED, index_without_handlers, try_registry,
};
pub use row::{Collected, RegistryRow};

use crate::hash::HashedMap;
use crate::message::MessageId;
pub use crate::message::MessageIndex;
use crate::storage::Cloning;

/// The message types, component types and handlers of this process.
///
/// Get it with [`registry()`](crate::registry()). It is collected once, from every crate that is
/// linked in, and sorted by name, file and line. It never changes after, but
/// [`extend_registry()`](crate::extend_registry()) puts a longer one in its place.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// #[message(name = "game.damage")]
/// struct Damage;
///
/// #[derive(Message)]
/// #[message(name = "game.heal")]
/// struct Heal;
///
/// struct Health;
///
/// #[handlers]
/// impl Health {
///     #[on_receive]
///     fn hurt(&mut self, _: &Damage) {}
/// }
///
/// let registry = message_core::registry();
/// let damage = registry.message_named("game.damage").expect("it is linked in");
/// assert_eq!(damage.id, Damage::ID);
/// assert!(registry.handlers_of(Damage::ID).any(|handler| handler.method == "hurt"));
/// assert_eq!(registry.handlers_of(Heal::ID).count(), 0);
/// ```
#[derive(Debug, Default)]
pub struct Registry {
    pub(crate) messages: Vec<MessageInfo>,
    pub(crate) components: Vec<ComponentInfo>,
    /// Sorted by message, then in the order in which a broadcast runs them.
    pub(crate) handlers: Vec<HandlerInfo>,
    pub(crate) by_id: HashedMap<MessageId, usize>,
    pub(crate) component_types: HashedMap<TypeId, u32>,
    /// The component types that are known to be `Clone`.
    pub(crate) clonings: HashedMap<TypeId, &'static Cloning>,
}

impl Registry {
    /// Returns the index of a component type that has handlers.
    pub(crate) fn component_index(&self, component: TypeId) -> Option<u32> {
        self.component_types.get(&component).copied()
    }

    /// Returns the component type with that index, if it has handlers.
    pub(crate) fn component_at(&self, index: u32) -> Option<&ComponentInfo> {
        // Between those of two extensions there may be indices of others.
        let components = &self.components;
        let at = components.binary_search_by_key(&index, |info| info.index);
        components.get(at.ok()?)
    }

    /// Returns the index behind those of all component types that have handlers.
    pub(crate) fn end_of_components(&self) -> u32 {
        self.components.last().map_or(0, |last| last.index + 1)
    }

    /// Returns all message types, sorted by name; the position of each is its
    /// [`index`](crate::registry::MessageIndex). Those of an
    /// [extension](crate::extend_registry()) come behind the others, sorted among themselves.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Wave;
    ///
    /// let registry = message_core::registry();
    /// assert!(registry.messages().is_sorted_by_key(|info| info.name));
    /// assert!(registry.messages().any(|info| info.id == Wave::ID));
    /// ```
    #[must_use]
    pub fn messages(&self) -> impl ExactSizeIterator<Item = &MessageInfo> {
        self.messages.iter()
    }

    /// Returns the message type with that id, or `None`.
    ///
    /// ```
    /// use message_core::MessageId;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Wave;
    ///
    /// let registry = message_core::registry();
    /// assert_eq!(registry.message(Wave::ID).map(|info| info.name), Some(Wave::NAME));
    /// assert!(registry.message(MessageId::UNKNOWN).is_none());
    /// ```
    #[must_use]
    pub fn message(&self, id: MessageId) -> Option<&MessageInfo> {
        self.by_id.get(&id).map(|&at| &self.messages[at])
    }

    /// Returns the message type with that name, or `None`. For names that come from a file or a
    /// console.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(name = "sea.ebb")]
    /// struct Ebb;
    ///
    /// let registry = message_core::registry();
    /// assert_eq!(registry.message_named("sea.ebb").map(|info| info.id), Some(Ebb::ID));
    /// assert!(registry.message_named("sea.ebbb").is_none());
    /// ```
    #[must_use]
    pub fn message_named(&self, name: &str) -> Option<&MessageInfo> {
        let message = self.message(MessageId::of_name(name));
        message.filter(|message| message.name == name)
    }

    /// Returns the handlers of one message type, in the order in which
    /// [`Everyone`](crate::Recipient::Everyone) runs them. Empty for an unknown id.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage;
    ///
    /// struct Health;
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn hurt(&mut self, _: &Damage) {}
    /// }
    ///
    /// struct Armor;
    ///
    /// #[handlers]
    /// impl Armor {
    ///     #[on_receive(before(Health))]
    ///     fn soften(&mut self, _: &mut Damage) {}
    /// }
    ///
    /// let handlers = message_core::registry().handlers_of(Damage::ID);
    /// assert!(handlers.map(|it| it.method).eq(["soften", "hurt"]));
    /// ```
    pub fn handlers_of(&self, message: MessageId) -> impl Iterator<Item = &HandlerInfo> {
        let range = self.message(message).map(|info| info.handlers.clone());
        self.handlers[range.unwrap_or(0..0)].iter()
    }

    /// Returns every handler of the program, in the order of [`messages`](Self::messages); those of one
    /// message in the order in which [`Everyone`](crate::Recipient::Everyone) runs them.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Sonar;
    ///
    /// #[handlers]
    /// impl Sonar {
    ///     #[on_receive]
    ///     fn ping(&self, _: &Ping) {}
    /// }
    ///
    /// let registry = message_core::registry();
    /// assert!(registry.handlers().is_sorted_by_key(|handler| handler.message));
    /// let of_ping = registry.handlers().filter(|handler| handler.message == Ping::NAME);
    /// assert_eq!(of_ping.count(), 1);
    /// ```
    #[must_use]
    pub fn handlers(&self) -> impl ExactSizeIterator<Item = &HandlerInfo> {
        self.handlers.iter()
    }

    /// Returns the component types that have handlers, sorted by name; those of an
    /// [extension](crate::extend_registry()) behind the others.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Sonar;
    ///
    /// #[handlers]
    /// impl Sonar {
    ///     #[on_receive]
    ///     fn ping(&self, _: &Ping) {}
    /// }
    ///
    /// let mut components = message_core::registry().components();
    /// assert!(components.any(|component| component.name == std::any::type_name::<Sonar>()));
    /// ```
    #[must_use]
    pub fn components(&self) -> impl ExactSizeIterator<Item = &ComponentInfo> {
        self.components.iter()
    }

    /// Returns the component type `C`, or `None` when it has no handlers.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Sonar;
    ///
    /// #[handlers]
    /// impl Sonar {
    ///     #[on_receive]
    ///     fn ping(&self, _: &Ping) {}
    /// }
    ///
    /// struct Hull;
    ///
    /// let registry = message_core::registry();
    /// assert!(registry.component::<Sonar>().is_some());
    /// assert!(registry.component::<Hull>().is_none());
    /// ```
    #[must_use]
    pub fn component<C: 'static>(&self) -> Option<&ComponentInfo> {
        self.component_at(self.component_index(TypeId::of::<C>())?)
    }

    /// Returns the handlers of one component type, in the order of [`messages`](Self::messages). Empty when it has none.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(name = "crane.lift")]
    /// struct Lift;
    ///
    /// #[derive(Message)]
    /// #[message(name = "crane.drop")]
    /// struct Release;
    ///
    /// struct Crane;
    ///
    /// #[handlers]
    /// impl Crane {
    ///     #[on_receive]
    ///     fn lift(&mut self, _: &Lift) {}
    ///
    ///     #[on_receive]
    ///     fn release(&mut self, _: &Release) {}
    /// }
    ///
    /// let handled = message_core::registry().handled_by::<Crane>();
    /// assert!(handled.map(|handler| handler.message).eq(["crane.drop", "crane.lift"]));
    /// ```
    pub fn handled_by<C: 'static>(&self) -> impl Iterator<Item = &HandlerInfo> {
        let component = self.component::<C>().map(|info| info.index);
        let handlers = self.handlers.iter();
        handlers.filter(move |handler| Some(handler.component_index) == component)
    }
}
