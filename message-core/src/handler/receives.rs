//! The trait that `#[handlers]` implements for each handler.

use std::any::TypeId;

use crate::component::Component;
use crate::context::Context;
#[cfg(feature = "rayon")]
use crate::error::HandlerError;
#[cfg(feature = "rayon")]
use crate::handler::parallel::Parallel;
use crate::handler::{Access, Outcome};
use crate::message::Message;
use crate::registry::Place;

/// A component that handles messages of type `M`.
///
/// Implemented by [`#[handlers]`](macro@crate::handlers), once for each method that is marked
/// `#[on_receive]`; so two handlers for one message on one component are a compile error, and
/// generic code can ask for `C: Receives<Damage>`.
///
/// ```
/// use message_core::Receives;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Damage { amount: u32 }
///
/// struct Health { hp: u32 }
///
/// #[handlers]
/// impl Health {
///     #[on_receive]
///     fn hurt(&mut self, damage: &Damage) { self.hp -= damage.amount; }
/// }
///
/// fn spawn_target<C: Receives<Damage>>(manager: &mut MessageManager, target: C) -> MessageeId {
///     manager.spawn((target,))
/// }
///
/// let mut manager = MessageManager::new();
/// let orc = spawn_target(&mut manager, Health { hp: 10 });
/// assert_eq!(manager.send(orc, Damage { amount: 3 })?.received, 1);
/// assert_eq!(<Health as Receives<Damage>>::HANDLER.method, "hurt");
/// # Ok::<(), SendError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not handle `{M}`",
    label = "no handler for `{M}`",
    note = "write a method that takes `&{M}`, mark it `#[on_receive]`, and put it in a \
            `#[handlers]` block of `{Self}`"
)]
pub trait Receives<M: Message>: Component + Sized {
    /// The handler's borrow of its component: [`Shared`](crate::handler::Shared) for `&self`,
    /// [`Exclusive`](crate::handler::Exclusive) for `&mut self`.
    type Access: Access;

    /// The properties of the handler, apart from its types.
    const HANDLER: HandlerSpec;

    /// Returns the type of the component, which `before` and `after` name.
    #[doc(hidden)]
    #[must_use]
    fn component_type() -> TypeId {
        TypeId::of::<Self>()
    }

    /// Calls the handler and returns its outcome: whether the component received the message, its reply, or its error.
    /// This is for the manager; to test a handler alone, call the method.
    fn receive(
        this: <Self::Access as Access>::Borrow<'_, Self>,
        message: &mut M,
        context: &mut Context<'_>,
    ) -> Outcome<M::Reply>;

    /// `true` if the handler can be called by [`receive_alone`](Self::receive_alone).
    #[doc(hidden)]
    const ALONE: bool = false;

    /// Like [`receive`](Self::receive), but for a handler that takes no context.
    #[doc(hidden)]
    #[allow(
        clippy::elidable_lifetime_names,
        reason = "so that the macro's code has it by name, and reports no mistake twice"
    )]
    fn receive_alone<'a>(
        _this: <Self::Access as Access>::Borrow<'a, Self>,
        _message: &mut M,
    ) -> Outcome<M::Reply> {
        unreachable!("only a handler that can be called without a context is")
    }

    /// The function with which a broadcast runs the handler on all cores, if it does.
    #[cfg(feature = "rayon")]
    #[doc(hidden)]
    const PARALLEL: Option<Parallel<Self, M>> = None;

    /// Like [`receive_alone`](Self::receive_alone), but for a handler that other threads may run at the
    /// same time. Returns `true` if the component has received the message.
    #[cfg(feature = "rayon")]
    #[doc(hidden)]
    fn receive_parallel(
        _this: <Self::Access as Access>::Borrow<'_, Self>,
        _message: &M,
    ) -> Result<bool, HandlerError> {
        unreachable!("only a handler that is marked `parallel` is")
    }
}

/// The properties of a handler, apart from its types.
///
/// ```
/// use message_core::Receives;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// struct Ears;
///
/// #[handlers]
/// impl Ears {
///     #[on_receive(priority = 5)]
///     fn hear(&self, _: &Ping) {}
/// }
///
/// let spec = <Ears as Receives<Ping>>::HANDLER;
/// assert_eq!((spec.method, spec.priority, spec.takes_context), ("hear", 5, false));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HandlerSpec {
    /// The name of the method.
    pub method: &'static str,
    /// `N` in `#[on_receive(priority = N)]`, else 0.
    pub priority: i32,
    /// `true` if the method takes a [`Context`].
    pub takes_context: bool,
    /// The place of the method in the source.
    pub place: Place,
    /// The component types in `#[on_receive(before(…))]`, whose handlers of the message run later.
    pub before: &'static [fn() -> TypeId],
    /// The component types in `#[on_receive(after(…))]`, whose handlers of the message run earlier.
    pub after: &'static [fn() -> TypeId],
}

impl HandlerSpec {
    /// Returns a spec with all of its parts but the order among handlers, which
    /// [`ordered`](Self::ordered) sets.
    ///
    /// ```
    /// use message_core::handler::HandlerSpec;
    /// use message_core::registry::Place;
    ///
    /// let place = Place { file: "ears.rs", line: 3 };
    /// let spec = HandlerSpec::new("hear", 5, false, place);
    /// assert_eq!((spec.method, spec.priority, spec.place), ("hear", 5, place));
    /// assert!(spec.before.is_empty() && spec.after.is_empty());
    /// ```
    #[must_use]
    pub const fn new(
        method: &'static str,
        priority: i32,
        takes_context: bool,
        place: Place,
    ) -> Self {
        Self {
            method,
            priority,
            takes_context,
            place,
            before: &[],
            after: &[],
        }
    }

    /// Returns the same spec, for a handler that runs before those of some component types and after
    /// those of others.
    ///
    /// ```
    /// use message_core::handler::HandlerSpec;
    /// use message_core::registry::Place;
    /// use std::any::TypeId;
    ///
    /// struct Armor;
    /// struct Health;
    ///
    /// // The handler of a `Shield`: what the armor leaves, it softens for the health.
    /// const SOFTEN: HandlerSpec =
    ///     HandlerSpec::new("soften", 0, false, Place { file: "shield.rs", line: 9 })
    ///         .ordered(&[TypeId::of::<Health>], &[TypeId::of::<Armor>]);
    /// assert_eq!(SOFTEN.before[0](), TypeId::of::<Health>());
    /// assert_eq!(SOFTEN.after[0](), TypeId::of::<Armor>());
    /// ```
    #[must_use]
    pub const fn ordered(
        mut self,
        before: &'static [fn() -> TypeId],
        after: &'static [fn() -> TypeId],
    ) -> Self {
        self.before = before;
        self.after = after;
        self
    }
}
