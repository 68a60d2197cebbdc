//! The values of all components of one type. This is the code that is compiled for each component type.
//!
//! The values are stored side by side, the enabled ones first. There are no holes: a removed value is
//! replaced by the last one. The [pool](super::pool) knows the owner of each and whether it receives
//! messages, and decides what moves.
//!
//! How values are borrowed depends on the type's handlers. If none takes a `Context`, no handler of the
//! type can lead to another send, so two borrows never meet. One `RefCell` around the whole vector is then
//! enough, and the components are packed. If one does, or the type has no handlers and is only reached
//! directly, each value needs a `RefCell` of its own, because components of one type may be in each other's
//! call chain, or be borrowed at the same time.
//!
//! At a [desk](crate::Desk), components of any type may be borrowed at the same time. Packed values that are
//! borrowed from there are first moved to cells of their own, for good.

use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::mem::needs_drop;
use std::ops::Range;

use crate::caught::FirstPanic;
use crate::storage::Access;

/// The storage of the values. The module docs say which is chosen when.
pub(crate) enum Store<'v, C> {
    /// None of them can be in use while another message is sent.
    Packed(&'v RefCell<Vec<C>>),
    /// Each can be in use on its own.
    Celled(&'v [RefCell<C>]),
}

/// The values of type `C`.
#[derive(Debug)]
pub struct Values<C> {
    /// Empty if there are cells.
    pub(super) packed: RefCell<Vec<C>>,
    /// The values, if each has a cell of its own.
    pub(super) cells: OnceCell<Vec<RefCell<C>>>,
}

/// A component that was removed, unless dropping it does nothing. It is dropped when all tables are
/// consistent again.
pub(crate) type Removed = Option<Box<dyn Any + Send>>;

/// The functions that are compiled for each component type and can be called without knowing it.
pub trait AnyValues: Any + Send {
    /// Returns the first of these slots whose value cannot be called because it is borrowed.
    fn first_busy(&self, slots: Range<usize>, shared: bool) -> Option<usize>;
    fn swap(&mut self, a: usize, b: usize);
    /// Removes a value; the last one takes its place. Returns it for the caller to drop, unless dropping it
    /// does nothing.
    fn remove(&mut self, slot: usize) -> Removed;
    fn shrink_to_fit(&mut self);
    /// Makes every value free again, even if borrows were leaked.
    fn free_all(&mut self);
    /// Drops every value, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

const OF_THIS_TYPE: &str = "a component index belongs to one component type";

impl<C: Send + 'static> Values<C> {
    /// Makes an empty store.
    pub(crate) fn boxed(can_be_busy: bool) -> Box<dyn AnyValues> {
        Box::new(Self {
            packed: RefCell::default(),
            cells: if can_be_busy {
                OnceCell::from(Vec::new())
            } else {
                OnceCell::new()
            },
        })
    }

    /// Returns the values as their own type.
    pub fn of(values: &dyn AnyValues) -> &Self {
        let any: &dyn Any = values;
        any.downcast_ref().expect(OF_THIS_TYPE)
    }

    pub fn of_mut(values: &mut dyn AnyValues) -> &mut Self {
        let any: &mut dyn Any = values;
        any.downcast_mut().expect(OF_THIS_TYPE)
    }

    pub(crate) fn store(&self) -> Store<'_, C> {
        match self.cells.get() {
            Some(cells) => Store::Celled(cells),
            None => Store::Packed(&self.packed),
        }
    }

    /// Adds the value of a component that is [entered](super::pool::Pool::enter) next.
    pub(crate) fn push(&mut self, value: C) {
        match self.cells.get_mut() {
            Some(cells) => cells.push(RefCell::new(value)),
            None => self.packed.get_mut().push(value),
        }
    }

    pub(crate) fn reserve(&mut self, additional: usize) {
        match self.cells.get_mut() {
            Some(cells) => cells.reserve(additional),
            None => self.packed.get_mut().reserve(additional),
        }
    }

    /// Removes and returns the value of a component that has [left](super::pool::Pool::leave). The last one
    /// takes its place.
    pub(crate) fn take(&mut self, slot: usize) -> C {
        match self.cells.get_mut() {
            Some(cells) => cells.swap_remove(slot).into_inner(),
            None => self.packed.get_mut().swap_remove(slot),
        }
    }

    /// Gives each value a cell of its own, unless a borrow of all of them was leaked.
    pub(crate) fn part(&self) {
        if self.cells.get().is_none()
            && let Ok(mut values) = self.packed.try_borrow_mut()
        {
            let cells = std::mem::take(&mut *values).into_iter().map(RefCell::new);
            let _ = self.cells.set(cells.collect());
        }
    }

    /// Borrows the value in a slot, unless it is in use.
    pub fn borrow<A: Access>(&self, slot: usize) -> Option<A::Guard<'_, C>> {
        match self.store() {
            Store::Packed(values) => A::element(values, slot),
            Store::Celled(cells) => A::guard(&cells[slot]),
        }
    }

    pub fn get_mut(&mut self, slot: usize) -> &mut C {
        match self.cells.get_mut() {
            Some(cells) => cells[slot].get_mut(),
            None => &mut self.packed.get_mut()[slot],
        }
    }

    /// Returns every value, in storage order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut C> {
        let cells = self.cells.get_mut().into_iter().flatten();
        let packed = self.packed.get_mut().iter_mut();
        packed.chain(cells.map(RefCell::get_mut))
    }
}

impl<C: Send + 'static> AnyValues for Values<C> {
    fn first_busy(&self, mut slots: Range<usize>, shared: bool) -> Option<usize> {
        match self.store() {
            // There is one borrow for all of them.
            Store::Packed(values) => slots.next().filter(|_| is_busy(values, shared)),
            Store::Celled(cells) => slots.find(|&slot| is_busy(&cells[slot], shared)),
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        match self.cells.get_mut() {
            Some(cells) => cells.swap(a, b),
            None => self.packed.get_mut().swap(a, b),
        }
    }

    fn remove(&mut self, slot: usize) -> Removed {
        let value = self.take(slot);
        needs_drop::<C>().then(|| Box::new(value) as Box<dyn Any + Send>)
    }

    fn shrink_to_fit(&mut self) {
        self.packed.get_mut().shrink_to_fit();
        if let Some(cells) = self.cells.get_mut() {
            cells.shrink_to_fit();
        }
    }

    fn free_all(&mut self) {
        self.packed = std::mem::take(self.packed.get_mut()).into();
        if let Some(cells) = self.cells.take() {
            let cells = cells.into_iter().map(|cell| cell.into_inner().into());
            self.cells = OnceCell::from(cells.collect::<Vec<_>>());
        }
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        if const { needs_drop::<C>() } {
            panics.drop_each(std::mem::take(self.packed.get_mut()));
            panics.drop_each(self.cells.take().unwrap_or_default());
        }
    }
}

/// Returns `true` if another borrow is impossible.
fn is_busy<T>(cell: &RefCell<T>, shared: bool) -> bool {
    if shared {
        cell.try_borrow().is_err()
    } else {
        cell.try_borrow_mut().is_err()
    }
}
