//! How a handler borrows its component.

use std::cell::{Ref, RefCell, RefMut};
use std::ops::{ControlFlow, Range};

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

    /// All components of a type that lie packed, borrowed.
    #[doc(hidden)]
    type Packed<'a, C: 'a>;

    /// Borrows all components, if none is borrowed.
    #[doc(hidden)]
    fn packed<C>(values: &RefCell<Vec<C>>) -> Option<Self::Packed<'_, C>>;

    /// Calls with each component in these slots until told to break.
    #[doc(hidden)]
    fn walk<C>(
        packed: &mut Self::Packed<'_, C>,
        slots: Range<usize>,
        call: impl FnMut(usize, Self::Borrow<'_, C>) -> ControlFlow<()>,
    );

    /// The component in a slot.
    #[doc(hidden)]
    fn slot<'a, C>(packed: &'a mut Self::Packed<'_, C>, slot: u32) -> Option<Self::Borrow<'a, C>>;
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
    type Packed<'a, C: 'a> = Ref<'a, Vec<C>>;
    const SHARED: bool = true;

    #[inline]
    fn cell<C>(cell: &RefCell<C>) -> Option<Ref<'_, C>> {
        cell.try_borrow().ok()
    }

    #[inline]
    fn element<C>(values: &RefCell<Vec<C>>, slot: usize) -> Option<Ref<'_, C>> {
        let values = values.try_borrow().ok()?;
        Some(Ref::map(values, |values| &values[slot]))
    }

    #[inline]
    fn borrow<'a, C>(guard: &'a mut Ref<'_, C>) -> &'a C {
        guard
    }

    #[inline]
    fn packed<C>(values: &RefCell<Vec<C>>) -> Option<Ref<'_, Vec<C>>> {
        values.try_borrow().ok()
    }

    #[inline]
    fn walk<C>(
        packed: &mut Ref<'_, Vec<C>>,
        slots: Range<usize>,
        mut call: impl FnMut(usize, &C) -> ControlFlow<()>,
    ) {
        let from = slots.start;
        let mut values = packed[slots].iter().enumerate();
        // What made it break, the call knows.
        let _ = values.try_for_each(|(at, component)| call(from + at, component));
    }

    #[inline]
    fn slot<'a, C>(packed: &'a mut Ref<'_, Vec<C>>, slot: u32) -> Option<&'a C> {
        packed.get(slot as usize)
    }
}

impl Access for Exclusive {
    type Borrow<'a, C: 'a> = &'a mut C;
    type Guard<'a, C: 'a> = RefMut<'a, C>;
    type Packed<'a, C: 'a> = RefMut<'a, Vec<C>>;
    const SHARED: bool = false;

    #[inline]
    fn cell<C>(cell: &RefCell<C>) -> Option<RefMut<'_, C>> {
        cell.try_borrow_mut().ok()
    }

    #[inline]
    fn element<C>(values: &RefCell<Vec<C>>, slot: usize) -> Option<RefMut<'_, C>> {
        let values = values.try_borrow_mut().ok()?;
        Some(RefMut::map(values, |values| &mut values[slot]))
    }

    #[inline]
    fn borrow<'a, C>(guard: &'a mut RefMut<'_, C>) -> &'a mut C {
        guard
    }

    #[inline]
    fn packed<C>(values: &RefCell<Vec<C>>) -> Option<RefMut<'_, Vec<C>>> {
        values.try_borrow_mut().ok()
    }

    #[inline]
    fn walk<C>(
        packed: &mut RefMut<'_, Vec<C>>,
        slots: Range<usize>,
        mut call: impl FnMut(usize, &mut C) -> ControlFlow<()>,
    ) {
        let from = slots.start;
        let mut values = packed[slots].iter_mut().enumerate();
        // What made it break, the call knows.
        let _ = values.try_for_each(|(at, component)| call(from + at, component));
    }

    #[inline]
    fn slot<'a, C>(packed: &'a mut RefMut<'_, Vec<C>>, slot: u32) -> Option<&'a mut C> {
        packed.get_mut(slot as usize)
    }
}
