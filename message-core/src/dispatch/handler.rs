//! What a handler is: the trait that `#[handlers]` implements, how a handler borrows its
//! component, and what it may return.
#![allow(
    clippy::inline_always,
    reason = "a return that is known when compiling leaves no trace of `Outcome`; measured"
)]

use std::any::TypeId;
use std::cell::RefCell;
use std::error::Error;
use std::ops::ControlFlow;

use crate::component::Component;
use crate::dispatch::Context;
use crate::message::{Message, NoReply};
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
    /// How the handler borrows its component: [`Shared`] for `&self`, [`Exclusive`] for
    /// `&mut self`.
    type Access: Access;

    /// The properties of the handler, apart from its types.
    const HANDLER: HandlerSpec;

    /// Returns the type of the component: what `before` and `after` name.
    #[doc(hidden)]
    #[must_use]
    fn component_type() -> TypeId {
        TypeId::of::<Self>()
    }

    /// Calls the handler. This is for the manager; to test a handler alone, call the method.
    fn receive(
        this: <Self::Access as Access>::Borrow<'_, Self>,
        message: &mut M,
        context: &mut Context<'_>,
    ) -> Outcome<M::Reply>;

    /// As [`receive`](Self::receive), without a context; the component back, with nothing called,
    /// when the handler takes one.
    #[doc(hidden)]
    #[inline]
    fn receive_alone<'a>(
        this: <Self::Access as Access>::Borrow<'a, Self>,
        _message: &mut M,
    ) -> Result<Outcome<M::Reply>, <Self::Access as Access>::Borrow<'a, Self>> {
        Err(this)
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
    /// Where the method stands.
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

/// How a handler borrows its component: [`Shared`] or [`Exclusive`].
///
/// ```
/// use message_core::Receives;
/// use message_core::prelude::*;
/// use message_core::handler::{Access, Exclusive, Shared};
///
/// #[derive(Message)]
/// struct Peek;
///
/// #[derive(Message)]
/// struct Poke;
///
/// struct Eye;
///
/// #[handlers]
/// impl Eye {
///     #[on_receive]
///     fn peek(&self, _: &Peek) {}
///
///     #[on_receive]
///     fn poke(&mut self, _: &Poke) {}
/// }
///
/// fn assert_access<C: Receives<M, Access = A>, M: Message, A: Access>() {}
///
/// assert_access::<Eye, Peek, Shared>();
/// assert_access::<Eye, Poke, Exclusive>();
/// ```
pub trait Access: sealed::Sealed {
    /// The borrow itself.
    type Borrow<'a, C: 'a>;

    #[doc(hidden)]
    const SHARED: bool;

    /// Calls with the component in the cell, or not at all when it is busy.
    #[doc(hidden)]
    fn with<C, T>(cell: &RefCell<C>, call: impl FnOnce(Self::Borrow<'_, C>) -> T) -> Option<T>;

    /// Calls with one component, or not at all when the whole vector is busy.
    #[doc(hidden)]
    fn at<C, T>(
        values: &RefCell<Vec<C>>,
        slot: usize,
        call: impl FnOnce(Self::Borrow<'_, C>) -> T,
    ) -> Option<T>;

    /// The borrow of a component that nobody else has.
    #[doc(hidden)]
    fn of<C>(component: &mut C) -> Self::Borrow<'_, C>;

    /// Calls with each of the first components until told to break, or with none when the whole
    /// vector is busy.
    #[doc(hidden)]
    fn walk<C>(
        values: &RefCell<Vec<C>>,
        count: usize,
        call: impl FnMut(usize, Self::Borrow<'_, C>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>>;
}

/// A `&self` handler: it can run while other `&self` handlers of the same component do.
///
/// ```
/// use message_core::handler::Shared;
/// use message_core::Receives;
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
/// fn only_looks<C: Receives<GetHp, Access = Shared>>(_: &C) -> bool { true }
/// assert!(only_looks(&Health { hp: 10 }));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Shared {}

/// A `&mut self` handler: while it runs, its component is busy.
///
/// ```
/// use message_core::handler::Exclusive;
/// use message_core::Receives;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Heal;
///
/// struct Health { hp: u32 }
///
/// #[handlers]
/// impl Health {
///     #[on_receive]
///     fn heal(&mut self, _: &Heal) { self.hp = 10; }
/// }
///
/// fn may_change<C: Receives<Heal, Access = Exclusive>>(_: &C) -> bool { true }
/// assert!(may_change(&Health { hp: 3 }));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Exclusive {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Shared {}
    impl Sealed for super::Exclusive {}
}

impl Access for Shared {
    type Borrow<'a, C: 'a> = &'a C;
    const SHARED: bool = true;

    #[inline]
    fn of<C>(component: &mut C) -> &C {
        component
    }

    #[inline]
    fn with<C, T>(cell: &RefCell<C>, invoke: impl FnOnce(&C) -> T) -> Option<T> {
        let component = cell.try_borrow().ok()?;
        Some(invoke(&component))
    }

    #[inline]
    fn at<C, T>(values: &RefCell<Vec<C>>, slot: usize, call: impl FnOnce(&C) -> T) -> Option<T> {
        let values = values.try_borrow().ok()?;
        Some(call(&values[slot]))
    }

    #[inline]
    fn walk<C>(
        values: &RefCell<Vec<C>>,
        count: usize,
        mut call: impl FnMut(usize, &C) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        let values = values.try_borrow().ok()?;
        let mut slots = values[..count].iter().enumerate();
        Some(slots.try_for_each(|(slot, component)| call(slot, component)))
    }
}

impl Access for Exclusive {
    type Borrow<'a, C: 'a> = &'a mut C;
    const SHARED: bool = false;

    #[inline]
    fn of<C>(component: &mut C) -> &mut C {
        component
    }

    #[inline]
    fn with<C, T>(cell: &RefCell<C>, invoke: impl FnOnce(&mut C) -> T) -> Option<T> {
        let mut component = cell.try_borrow_mut().ok()?;
        Some(invoke(&mut component))
    }

    #[inline]
    fn at<C, T>(
        values: &RefCell<Vec<C>>,
        slot: usize,
        call: impl FnOnce(&mut C) -> T,
    ) -> Option<T> {
        let mut values = values.try_borrow_mut().ok()?;
        Some(call(&mut values[slot]))
    }

    #[inline]
    fn walk<C>(
        values: &RefCell<Vec<C>>,
        count: usize,
        mut call: impl FnMut(usize, &mut C) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        let mut values = values.try_borrow_mut().ok()?;
        let mut slots = values[..count].iter_mut().enumerate();
        Some(slots.try_for_each(|(slot, component)| call(slot, component)))
    }
}

/// The error type of handlers: a boxed error, into which `?` converts every other error.
///
/// ```
/// use message_core::HandlerError;
///
/// fn parse(text: &str) -> Result<u32, HandlerError> {
///     if text.is_empty() {
///         return Err("expected a number".into());
///     }
///     Ok(text.parse()?)
/// }
///
/// assert_eq!(parse("7").ok(), Some(7));
/// assert_eq!(parse("").expect_err("it is empty").to_string(), "expected a number");
/// ```
pub type HandlerError = Box<dyn Error + Send + Sync>;

/// The result of delivering one message to one component.
///
/// ```
/// use message_core::handler::Outcome;
///
/// // What the macro makes of a return. Rarely needed by hand.
/// let answered = Outcome::Answered(7_u32);
/// assert!(matches!(answered, Outcome::Answered(7)));
/// assert!(!matches!(answered, Outcome::NotReceived));
/// ```
#[derive(Debug)]
pub enum Outcome<R> {
    /// The component has not taken it: `false`, or `None`.
    NotReceived,
    /// The component has received it.
    Received,
    /// The component has received it, and consumed it: nobody behind it receives it.
    Consumed,
    /// The component has received it and answers.
    Answered(R),
    /// The component has received it and failed.
    Failed(HandlerError),
}

/// What a handler of `M` may return.
///
/// | returned | means |
/// |---|---|
/// | nothing | received |
/// | `bool` | received, or not |
/// | `ControlFlow<()>` | received; `Break`: and consumed, nobody behind receives it |
/// | the reply `R`, for a message with `#[message(reply = R)]` | received, and the answer |
/// | `Option<R>`, for such a message | the answer, or not received |
/// | `Result` of one of the above; `?` converts every error into [`HandlerError`] | as its `Ok`; an `Err` counts as received and is reported as [`HandlerFailed`](crate::lifecycle::HandlerFailed) |
///
/// ```
/// use message_core::prelude::*;
/// use std::ops::ControlFlow;
///
/// #[derive(Message)]
/// struct Hit { power: u32 }
///
/// #[derive(Message)]
/// #[message(reply = u32)]
/// struct GetCharge;
///
/// struct Shield { charge: u32 }
///
/// #[handlers]
/// impl Shield {
///     #[on_receive(priority = 1)]
///     fn absorb(&mut self, hit: &Hit) -> ControlFlow<()> {
///         if hit.power > self.charge {
///             return ControlFlow::Continue(());
///         }
///         self.charge -= hit.power;
///         ControlFlow::Break(())
///     }
///
///     #[on_receive]
///     fn charge(&self, _: &GetCharge) -> Option<u32> { (self.charge > 0).then_some(self.charge) }
/// }
///
/// let mut manager = MessageManager::new();
/// let tank = manager.spawn((Shield { charge: 5 },));
/// assert!(manager.send(tank, Hit { power: 5 })?.consumed);
/// assert!(!manager.send(tank, Hit { power: 5 })?.consumed);
/// assert!(manager.request(tank, GetCharge).is_err()); // `None` is no answer.
/// # Ok::<(), SendError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a handler of `{M}` cannot return `{Self}`",
    label = "not what a handler of `{M}` returns",
    note = "without a reply type: nothing, `bool` or `ControlFlow<()>`",
    note = "with `#[message(reply = R)]`: `R` or `Option<R>`",
    note = "or a `Result` of these, whose error converts into `Box<dyn Error + Send + Sync>`"
)]
pub trait HandlerReturn<M: Message> {
    #[doc(hidden)]
    fn into_outcome(self) -> Outcome<M::Reply>;
}

#[diagnostic::do_not_recommend]
impl<M: Message<Reply = NoReply>> HandlerReturn<M> for () {
    #[inline(always)]
    fn into_outcome(self) -> Outcome<NoReply> {
        Outcome::Received
    }
}

#[diagnostic::do_not_recommend]
impl<M: Message<Reply = NoReply>> HandlerReturn<M> for bool {
    #[inline(always)]
    fn into_outcome(self) -> Outcome<NoReply> {
        if self {
            Outcome::Received
        } else {
            Outcome::NotReceived
        }
    }
}

#[diagnostic::do_not_recommend]
impl<M: Message<Reply = NoReply>> HandlerReturn<M> for ControlFlow<()> {
    #[inline(always)]
    fn into_outcome(self) -> Outcome<NoReply> {
        match self {
            Self::Continue(()) => Outcome::Received,
            Self::Break(()) => Outcome::Consumed,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<M, T, E> HandlerReturn<M> for Result<T, E>
where
    M: Message,
    T: HandlerReturn<M>,
    E: Into<HandlerError>,
{
    #[inline(always)]
    fn into_outcome(self) -> Outcome<M::Reply> {
        match self {
            Ok(returned) => returned.into_outcome(),
            Err(error) => Outcome::Failed(error.into()),
        }
    }
}
