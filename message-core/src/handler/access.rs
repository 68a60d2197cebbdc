//! How a handler borrows its component.

use std::cell::RefCell;
use std::ops::ControlFlow;

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
