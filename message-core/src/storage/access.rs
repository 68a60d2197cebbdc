//! The borrow of a component: shared or exclusive.

use std::cell::{Ref, RefCell, RefMut};
use std::ops::Range;
use std::slice;

/// The kind of borrow that a handler takes of its component: [`Shared`] or [`Exclusive`].
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
    type Borrow<'a, T: 'a>;

    #[doc(hidden)]
    const SHARED: bool;

    /// A borrow of what is in a cell: a component, or all of a type.
    #[doc(hidden)]
    type Guard<'a, T: 'a>;

    /// Borrows what is in a cell, if it is free.
    #[doc(hidden)]
    fn guard<T>(cell: &RefCell<T>) -> Option<Self::Guard<'_, T>>;

    /// Borrows one component, if none is borrowed.
    #[doc(hidden)]
    fn element<C>(all: &RefCell<Vec<C>>, slot: usize) -> Option<Self::Guard<'_, C>>;

    #[doc(hidden)]
    fn borrow<'a, T>(guard: &'a mut Self::Guard<'_, T>) -> Self::Borrow<'a, T>;

    /// The borrows of several components, one by one.
    #[doc(hidden)]
    type Each<'a, C: 'a>: Iterator<Item = Self::Borrow<'a, C>>;

    /// Returns the components in these slots.
    #[doc(hidden)]
    fn each<'a, C>(all: &'a mut Self::Guard<'_, Vec<C>>, slots: Range<usize>) -> Self::Each<'a, C>;
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
    type Borrow<'a, T: 'a> = &'a T;
    type Guard<'a, T: 'a> = Ref<'a, T>;
    type Each<'a, C: 'a> = slice::Iter<'a, C>;
    const SHARED: bool = true;

    fn guard<T>(cell: &RefCell<T>) -> Option<Ref<'_, T>> {
        cell.try_borrow().ok()
    }

    fn element<C>(all: &RefCell<Vec<C>>, slot: usize) -> Option<Ref<'_, C>> {
        Some(Ref::map(Self::guard(all)?, |all| &all[slot]))
    }

    fn borrow<'a, T>(guard: &'a mut Ref<'_, T>) -> &'a T {
        guard
    }

    fn each<'a, C>(all: &'a mut Ref<'_, Vec<C>>, slots: Range<usize>) -> slice::Iter<'a, C> {
        all[slots].iter()
    }
}

impl Access for Exclusive {
    type Borrow<'a, T: 'a> = &'a mut T;
    type Guard<'a, T: 'a> = RefMut<'a, T>;
    type Each<'a, C: 'a> = slice::IterMut<'a, C>;
    const SHARED: bool = false;

    fn guard<T>(cell: &RefCell<T>) -> Option<RefMut<'_, T>> {
        cell.try_borrow_mut().ok()
    }

    fn element<C>(all: &RefCell<Vec<C>>, slot: usize) -> Option<RefMut<'_, C>> {
        Some(RefMut::map(Self::guard(all)?, |all| &mut all[slot]))
    }

    fn borrow<'a, T>(guard: &'a mut RefMut<'_, T>) -> &'a mut T {
        guard
    }

    fn each<'a, C>(all: &'a mut RefMut<'_, Vec<C>>, slots: Range<usize>) -> slice::IterMut<'a, C> {
        all[slots].iter_mut()
    }
}
