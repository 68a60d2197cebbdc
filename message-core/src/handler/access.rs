//! The borrow of a component by its handler.
#![allow(
    clippy::manual_ok_err,
    reason = "in a debug build each combinator is one more function for each type"
)]

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
    type Borrow<'a, C: 'a>;

    #[doc(hidden)]
    const SHARED: bool;

    /// A component that is borrowed.
    #[doc(hidden)]
    type Guard<'a, C: 'a>;

    /// Borrows the component in a cell, if it is free.
    #[doc(hidden)]
    fn cell<C>(cell: &RefCell<C>) -> Option<Self::Guard<'_, C>>;

    /// Borrows one component, if none is borrowed.
    #[doc(hidden)]
    fn element<C>(values: &RefCell<Vec<C>>, slot: usize) -> Option<Self::Guard<'_, C>>;

    #[doc(hidden)]
    fn borrow<'a, C>(guard: &'a mut Self::Guard<'_, C>) -> Self::Borrow<'a, C>;

    /// All components of a type that are borrowed together.
    #[doc(hidden)]
    type All<'a, C: 'a>;

    /// Borrows all components, if they are free.
    #[doc(hidden)]
    fn all<C>(values: &RefCell<Vec<C>>) -> Option<Self::All<'_, C>>;

    /// The borrows of several components, one by one.
    #[doc(hidden)]
    type Each<'a, C: 'a>: Iterator<Item = Self::Borrow<'a, C>>;

    /// Returns the components in these slots.
    #[doc(hidden)]
    fn each<'a, C>(all: &'a mut Self::All<'_, C>, slots: Range<usize>) -> Self::Each<'a, C>;

    /// Returns the component in a slot.
    #[doc(hidden)]
    fn slot<'a, C>(all: &'a mut Self::All<'_, C>, slot: u32) -> Option<Self::Borrow<'a, C>>;
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
    type Guard<'a, C: 'a> = Ref<'a, C>;
    const SHARED: bool = true;

    #[inline]
    fn cell<C>(cell: &RefCell<C>) -> Option<Ref<'_, C>> {
        match cell.try_borrow() {
            Ok(component) => Some(component),
            Err(_) => None,
        }
    }

    #[inline]
    fn element<C>(values: &RefCell<Vec<C>>, slot: usize) -> Option<Ref<'_, C>> {
        match values.try_borrow() {
            Ok(values) => Some(Ref::map(values, |values| &values[slot])),
            Err(_) => None,
        }
    }

    #[inline]
    fn borrow<'a, C>(guard: &'a mut Ref<'_, C>) -> &'a C {
        guard
    }

    type All<'a, C: 'a> = Ref<'a, Vec<C>>;
    type Each<'a, C: 'a> = slice::Iter<'a, C>;

    #[inline]
    fn all<C>(values: &RefCell<Vec<C>>) -> Option<Ref<'_, Vec<C>>> {
        match values.try_borrow() {
            Ok(values) => Some(values),
            Err(_) => None,
        }
    }

    #[inline]
    fn each<'a, C>(all: &'a mut Ref<'_, Vec<C>>, slots: Range<usize>) -> slice::Iter<'a, C> {
        all[slots].iter()
    }

    #[inline]
    fn slot<'a, C>(all: &'a mut Ref<'_, Vec<C>>, slot: u32) -> Option<&'a C> {
        all.get(slot as usize)
    }
}

impl Access for Exclusive {
    type Borrow<'a, C: 'a> = &'a mut C;
    type Guard<'a, C: 'a> = RefMut<'a, C>;
    const SHARED: bool = false;

    #[inline]
    fn cell<C>(cell: &RefCell<C>) -> Option<RefMut<'_, C>> {
        match cell.try_borrow_mut() {
            Ok(component) => Some(component),
            Err(_) => None,
        }
    }

    #[inline]
    fn element<C>(values: &RefCell<Vec<C>>, slot: usize) -> Option<RefMut<'_, C>> {
        match values.try_borrow_mut() {
            Ok(values) => Some(RefMut::map(values, |values| &mut values[slot])),
            Err(_) => None,
        }
    }

    #[inline]
    fn borrow<'a, C>(guard: &'a mut RefMut<'_, C>) -> &'a mut C {
        guard
    }

    type All<'a, C: 'a> = RefMut<'a, Vec<C>>;
    type Each<'a, C: 'a> = slice::IterMut<'a, C>;

    #[inline]
    fn all<C>(values: &RefCell<Vec<C>>) -> Option<RefMut<'_, Vec<C>>> {
        match values.try_borrow_mut() {
            Ok(values) => Some(values),
            Err(_) => None,
        }
    }

    #[inline]
    fn each<'a, C>(all: &'a mut RefMut<'_, Vec<C>>, slots: Range<usize>) -> slice::IterMut<'a, C> {
        all[slots].iter_mut()
    }

    #[inline]
    fn slot<'a, C>(all: &'a mut RefMut<'_, Vec<C>>, slot: u32) -> Option<&'a mut C> {
        all.get_mut(slot as usize)
    }
}
