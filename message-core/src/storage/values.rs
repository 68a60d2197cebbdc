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
//! At a [desk](crate::Desk), components of any type may be borrowed at the same time. The values of a
//! packed store that is borrowed from there get cells of their own for good. Nothing else may move at that
//! moment, so the cells are first kept in a separate field, and replace the store when the manager is
//! settled.

use std::any::Any;
use std::cell::{OnceCell, Ref, RefCell, RefMut};
use std::mem::needs_drop;
use std::ops::Range;

use crate::caught::FirstPanic;

/// The storage of the values. The module docs say which is chosen when.
#[derive(Debug)]
pub(crate) enum Store<C> {
    /// None of them can be in use while another message is sent.
    Packed(RefCell<Vec<C>>),
    /// Each can be in use on its own.
    Celled(Vec<RefCell<C>>),
}

/// The values of type `C`.
#[derive(Debug)]
pub(crate) struct Values<C> {
    store: Store<C>,
    /// The values of a packed store that were borrowed at a desk.
    parted: OnceCell<Vec<RefCell<C>>>,
}

/// A component that was removed, unless dropping it does nothing. It is dropped when all tables are
/// consistent again.
pub(crate) type Removed = Option<Box<dyn Any + Send>>;

/// The functions that are compiled for each component type and can be called without knowing it.
pub(crate) trait AnyValues: Any + Send {
    /// Returns the first of these slots whose value cannot be called because it is borrowed.
    fn first_busy(&self, slots: Range<usize>, shared: bool) -> Option<usize>;
    fn swap(&mut self, a: usize, b: usize);
    /// Removes a value; the last one takes its place. Returns it for the caller to drop, unless dropping it
    /// does nothing.
    fn remove(&mut self, slot: usize) -> Removed;
    /// Keeps the cells that the values were given at a desk.
    fn keep_parted(&mut self);
    fn shrink_to_fit(&mut self);
    /// Frees the last value, or all values of a packed store, from borrows that were leaked.
    fn renew_last(&mut self);
    /// Drops every value, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

/// Compiled once, since many types call it.
#[cold]
#[inline(never)]
fn is_of_another_type() -> ! {
    unreachable!("a component index belongs to one component type")
}

impl<C: Send + 'static> Values<C> {
    /// Makes an empty store.
    pub(crate) fn boxed(can_be_busy: bool) -> Box<dyn AnyValues> {
        Box::new(Self {
            store: if can_be_busy {
                Store::Celled(Vec::new())
            } else {
                Store::Packed(RefCell::default())
            },
            parted: OnceCell::new(),
        })
    }

    /// Returns the values as their own type.
    #[inline]
    pub(crate) fn of(values: &dyn AnyValues) -> &Self {
        let any: &dyn Any = values;
        match any.downcast_ref() {
            Some(values) => values,
            None => is_of_another_type(),
        }
    }

    #[inline]
    pub(crate) fn of_mut(values: &mut dyn AnyValues) -> &mut Self {
        let any: &mut dyn Any = values;
        match any.downcast_mut() {
            Some(values) => values,
            None => is_of_another_type(),
        }
    }

    #[inline]
    pub(crate) fn store(&self) -> &Store<C> {
        &self.store
    }

    /// Adds the value of a component that is [entered](super::pool::Pool::enter) next.
    #[inline]
    pub(crate) fn push(&mut self, value: C) {
        match &mut self.store {
            Store::Packed(values) => values.get_mut().push(value),
            Store::Celled(cells) => cells.push(RefCell::new(value)),
        }
    }

    /// Removes and returns the value of a component that has [left](super::pool::Pool::leave). The last one
    /// takes its place.
    #[inline]
    pub(crate) fn take(&mut self, slot: usize) -> C {
        match &mut self.store {
            Store::Packed(values) => values.get_mut().swap_remove(slot),
            Store::Celled(cells) => cells.swap_remove(slot).into_inner(),
        }
    }

    /// Returns the values in cells of their own. The values of a packed store get theirs now. Returns
    /// `None` if a borrow of the packed store was leaked.
    pub(crate) fn part(&self) -> Option<&[RefCell<C>]> {
        match &self.store {
            Store::Celled(cells) => Some(cells),
            Store::Packed(values) => {
                if self.parted.get().is_none() {
                    let values = std::mem::take(&mut *values.try_borrow_mut().ok()?);
                    let cells = values.into_iter().map(RefCell::new).collect();
                    let _ = self.parted.set(cells);
                }
                self.parted.get().map(Vec::as_slice)
            }
        }
    }

    /// Returns `true` if the values have no cells of their own yet.
    pub(crate) fn is_packed(&self) -> bool {
        matches!(self.store, Store::Packed(_)) && self.parted.get().is_none()
    }

    pub(crate) fn borrow(&self, slot: usize) -> Option<Ref<'_, C>> {
        if let Some(cells) = self.parted.get() {
            return cells[slot].try_borrow().ok();
        }
        match &self.store {
            Store::Packed(values) => {
                let values = values.try_borrow().ok()?;
                Some(Ref::map(values, |values| &values[slot]))
            }
            Store::Celled(cells) => cells[slot].try_borrow().ok(),
        }
    }

    pub(crate) fn borrow_mut(&self, slot: usize) -> Option<RefMut<'_, C>> {
        match &self.store {
            Store::Packed(values) => {
                let values = values.try_borrow_mut().ok()?;
                Some(RefMut::map(values, |values| &mut values[slot]))
            }
            Store::Celled(cells) => cells[slot].try_borrow_mut().ok(),
        }
    }

    pub(crate) fn get_mut(&mut self, slot: usize) -> &mut C {
        match &mut self.store {
            Store::Packed(values) => &mut values.get_mut()[slot],
            Store::Celled(cells) => cells[slot].get_mut(),
        }
    }

    /// Returns every value, in storage order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut C> {
        let (packed, celled) = match &mut self.store {
            Store::Packed(values) => (Some(values.get_mut().iter_mut()), None),
            Store::Celled(cells) => (None, Some(cells.iter_mut().map(RefCell::get_mut))),
        };
        let values = packed.into_iter().flatten();
        values.chain(celled.into_iter().flatten())
    }
}

impl<C: Send + 'static> AnyValues for Values<C> {
    fn first_busy(&self, slots: Range<usize>, shared: bool) -> Option<usize> {
        for slot in slots {
            let is_busy = match (self.parted.get(), &self.store) {
                (None, Store::Packed(values)) => {
                    // There is one borrow for all of them.
                    return if is_busy(values, shared) {
                        Some(slot)
                    } else {
                        None
                    };
                }
                (Some(cells), _) | (None, Store::Celled(cells)) => is_busy(&cells[slot], shared),
            };
            if is_busy {
                return Some(slot);
            }
        }
        None
    }

    fn swap(&mut self, a: usize, b: usize) {
        match &mut self.store {
            Store::Packed(values) => values.get_mut().swap(a, b),
            Store::Celled(cells) => cells.swap(a, b),
        }
    }

    fn remove(&mut self, slot: usize) -> Removed {
        let value = self.take(slot);
        if const { needs_drop::<C>() } {
            Some(Box::new(value))
        } else {
            None
        }
    }

    fn keep_parted(&mut self) {
        if let Some(cells) = self.parted.take() {
            self.store = Store::Celled(cells);
        }
    }

    fn shrink_to_fit(&mut self) {
        self.keep_parted();
        match &mut self.store {
            Store::Packed(values) => values.get_mut().shrink_to_fit(),
            Store::Celled(cells) => cells.shrink_to_fit(),
        }
    }

    fn renew_last(&mut self) {
        self.keep_parted();
        match &mut self.store {
            Store::Packed(values) => {
                let inner = std::mem::take(values.get_mut());
                *values = RefCell::new(inner);
            }
            Store::Celled(cells) => {
                if let Some(cell) = cells.pop() {
                    cells.push(RefCell::new(cell.into_inner()));
                }
            }
        }
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        self.keep_parted();
        if const { needs_drop::<C>() } {
            match &mut self.store {
                Store::Packed(values) => panics.drop_each(std::mem::take(values.get_mut())),
                Store::Celled(cells) => panics.drop_each(std::mem::take(cells)),
            }
        }
    }
}

/// Implemented by every type, so that one function can check the borrows of all of them.
trait Anything {}

impl<T> Anything for T {}

/// Returns `true` if another borrow is impossible.
fn is_busy(cell: &RefCell<dyn Anything + '_>, shared: bool) -> bool {
    if shared {
        cell.try_borrow().is_err()
    } else {
        cell.try_borrow_mut().is_err()
    }
}
