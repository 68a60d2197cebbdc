//! All components of one type.
//!
//! Values stand side by side, the enabled ones first: `values[..active]` receive messages, what
//! is behind them does not. There are no holes: a removed value is replaced by the last one, and
//! the table that knows the moved value's slot is told (`Hooks::relink`). So a broadcast is a walk over
//! a slice, with nothing to ask of each element.
//!
//! How a value can be borrowed while others are in use depends on the type's handlers. If none
//! takes a `Context`, no handler of the type can lead to another send, so two borrows never
//! meet: one `RefCell` around the whole vector is enough, and the components lie packed. If one
//! does, or the type has no handlers and is only reached directly, each value needs a `RefCell` of
//! its own, for the components of one type may well be in each other's call chain, or wanted side by
//! side.
//!
//! At a [desk](crate::Desk) components of any type are wanted side by side. So the values of a packed
//! store that are borrowed there get cells of their own, once and for good: first beside the store, as
//! nothing may move then, and in its place when the manager is settled.
//!
//! What belongs to a value but is not needed to call it (owner, hook) stands in the
//! [roster](super::roster). All that can be done without knowing the values' type is done there, and
//! in the methods of `dyn AnyPool`: they are compiled once, what is here once for each type.

use std::any::{Any, type_name};
use std::cell::{OnceCell, Ref, RefCell, RefMut};
use std::mem::needs_drop;
use std::ops::Range;

use crate::address::MessageeId;
use crate::caught::FirstPanic;
use crate::room::Shrink;
use crate::storage::roster::{Meta, Roster};

/// The values of a pool; see the module's head for which is chosen when.
#[derive(Debug)]
pub(crate) enum Store<C> {
    /// None of them can be in use while another message is sent.
    Packed(RefCell<Vec<C>>),
    /// Each can be in use on its own.
    Celled(Vec<RefCell<C>>),
}

/// The components of type `C`.
#[derive(Debug)]
pub(crate) struct Pool<C> {
    store: Store<C>,
    /// The values of a packed store, since they were first borrowed at a desk.
    parted: OnceCell<Vec<RefCell<C>>>,
    roster: Roster,
}

/// What has to be compiled for each type of component, to be called without knowing it.
pub(crate) trait AnyPool: Any + Send {
    fn roster(&self) -> &Roster;
    fn roster_mut(&mut self) -> &mut Roster;
    /// The first of these slots whose value cannot be called because it is borrowed.
    fn first_busy(&self, slots: Range<usize>, shared: bool) -> Option<usize>;
    fn swap_values(&mut self, a: usize, b: usize);
    /// Removes a value; the last one takes its place. If dropping it does anything it is returned, for
    /// the caller to drop.
    fn remove_value(&mut self, slot: usize) -> Option<Box<dyn Any + Send>>;
    fn shrink_values(&mut self, how: Shrink, needed: usize);
    /// Makes every component free again, whatever borrows were leaked.
    fn free_all(&mut self);
    /// Drops every component, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

impl dyn AnyPool {
    /// Returns `true` if a borrow stands in the way of calling the component.
    pub(crate) fn is_busy(&self, slot: usize, shared: bool) -> bool {
        self.first_busy(slot..slot + 1, shared).is_some()
    }

    /// The component in that slot if it would be called and is busy, or without a slot the first that
    /// would and is.
    pub(crate) fn find_busy(
        &self,
        slot: Option<u32>,
        shared: bool,
        except: Option<MessageeId>,
    ) -> Option<usize> {
        let roster = self.roster();
        let mut slots = roster.candidates(slot);
        while let Some(slot) = self.first_busy(slots.clone(), shared) {
            if roster.is_enabled(slot)
                && except != Some(roster.meta(slot).owner)
                && !roster.is_leaving(slot)
            {
                return Some(slot);
            }
            slots.start = slot + 1;
        }
        None
    }

    /// Enters an enabled component, whose value was just [pushed](Pool::push_value). Its slot and the
    /// slot of the disabled component that had to make way, if one had to.
    #[inline]
    pub(crate) fn enter(&mut self, meta: Meta) -> [usize; 2] {
        let slots = self.roster_mut().enter(meta);
        self.swap(slots)
    }

    /// Moves the component to the other side of the border. Both slots that may now hold another
    /// component than before are returned.
    pub(crate) fn set_enabled(&mut self, slot: usize, enabled: bool) -> [usize; 2] {
        let slots = self.roster_mut().set_enabled(slot, enabled);
        self.swap(slots)
    }

    /// Forgets a component, and makes its value ready to be removed: it is in the second of the slots
    /// that are returned. When it is removed, both may hold another component.
    #[inline]
    pub(crate) fn leave(&mut self, slot: usize) -> [usize; 2] {
        let slots = self.roster_mut().leave(slot);
        self.swap(slots)
    }

    /// Removes the component. If dropping it does anything it is returned, for the caller to drop,
    /// with both slots that may now hold another component.
    pub(crate) fn remove(&mut self, slot: usize) -> (Option<Box<dyn Any + Send>>, [usize; 2]) {
        let slots @ [_, hole] = self.leave(slot);
        (self.remove_value(hole), slots)
    }

    /// Gives back memory. How many components there were at once since the last time.
    pub(crate) fn shrink(&mut self, how: Shrink) -> usize {
        let needed = self.roster_mut().shrink(how);
        self.shrink_values(how, needed);
        needed
    }

    #[inline]
    fn swap(&mut self, slots: [usize; 2]) -> [usize; 2] {
        let [a, b] = slots;
        if a != b {
            self.swap_values(a, b);
        }
        slots
    }
}

impl<C: Send + 'static> Pool<C> {
    pub(crate) fn boxed(component: u32, can_be_busy: bool) -> Box<dyn AnyPool> {
        Box::new(Self {
            store: if can_be_busy {
                Store::Celled(Vec::new())
            } else {
                Store::Packed(RefCell::default())
            },
            parted: OnceCell::new(),
            roster: Roster::new(component, type_name::<C>()),
        })
    }

    /// The pool behind an entry of the component table, as its own type.
    #[inline]
    pub(crate) fn of(pool: &dyn AnyPool) -> &Self {
        let any: &dyn Any = pool;
        any.downcast_ref()
            .expect("a component index belongs to one component type")
    }

    pub(crate) fn of_mut(pool: &mut dyn AnyPool) -> &mut Self {
        let any: &mut dyn Any = pool;
        any.downcast_mut()
            .expect("a component index belongs to one component type")
    }

    #[inline]
    pub(crate) fn store(&self) -> &Store<C> {
        &self.store
    }

    /// Adds the value of a component that is [entered](AnyPool::enter) next.
    pub(crate) fn push_value(&mut self, value: C) {
        match &mut self.store {
            Store::Packed(values) => values.get_mut().push(value),
            Store::Celled(cells) => cells.push(RefCell::new(value)),
        }
    }

    /// Removes the value of a component that has [left](AnyPool::leave), and gives it back; the last
    /// one takes its place.
    pub(crate) fn take_value(&mut self, slot: usize) -> C {
        match &mut self.store {
            Store::Packed(values) => values.get_mut().swap_remove(slot),
            Store::Celled(cells) => cells.swap_remove(slot).into_inner(),
        }
    }

    /// The values in cells of their own: those of a packed store get them now. `None` if a borrow of
    /// that was leaked.
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

    /// Keeps the cells that the values were given at a desk.
    pub(crate) fn keep_parted(&mut self) {
        if let Some(cells) = self.parted.take() {
            self.store = Store::Celled(cells);
        }
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

    /// Every component with its owner, in storage order, the disabled ones last.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (MessageeId, &mut C)> {
        let (packed, celled) = match &mut self.store {
            Store::Packed(values) => (Some(values.get_mut().iter_mut()), None),
            Store::Celled(cells) => (None, Some(cells.iter_mut().map(RefCell::get_mut))),
        };
        let values = packed.into_iter().flatten();
        let values = values.chain(celled.into_iter().flatten());
        self.roster.owners().zip(values)
    }
}

impl<C: Send + 'static> AnyPool for Pool<C> {
    #[inline]
    fn roster(&self) -> &Roster {
        &self.roster
    }

    fn roster_mut(&mut self) -> &mut Roster {
        &mut self.roster
    }

    fn first_busy(&self, mut slots: Range<usize>, shared: bool) -> Option<usize> {
        match (self.parted.get(), &self.store) {
            // One borrow for all of them.
            (None, Store::Packed(values)) => slots.next().filter(|_| is_busy(values, shared)),
            (Some(cells), _) | (None, Store::Celled(cells)) => {
                slots.find(|&slot| is_busy(&cells[slot], shared))
            }
        }
    }

    fn swap_values(&mut self, a: usize, b: usize) {
        match &mut self.store {
            Store::Packed(values) => values.get_mut().swap(a, b),
            Store::Celled(cells) => cells.swap(a, b),
        }
    }

    fn remove_value(&mut self, slot: usize) -> Option<Box<dyn Any + Send>> {
        let value = self.take_value(slot);
        if needs_drop::<C>() {
            Some(Box::new(value))
        } else {
            None
        }
    }

    fn shrink_values(&mut self, how: Shrink, needed: usize) {
        match &mut self.store {
            Store::Packed(values) => how.room(values.get_mut(), needed),
            Store::Celled(cells) => how.room(cells, needed),
        }
    }

    fn free_all(&mut self) {
        match &mut self.store {
            Store::Packed(values) => {
                let inner = std::mem::take(values.get_mut());
                *values = RefCell::new(inner);
            }
            Store::Celled(cells) => {
                let inner = std::mem::take(cells);
                *cells = inner
                    .into_iter()
                    .map(|cell| RefCell::new(cell.into_inner()))
                    .collect();
            }
        }
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        self.keep_parted();
        if needs_drop::<C>() {
            match &mut self.store {
                Store::Packed(values) => panics.drop_each(std::mem::take(values.get_mut())),
                Store::Celled(cells) => panics.drop_each(std::mem::take(cells)),
            }
        }
    }
}

/// Returns `true` if a borrow stands in the way of another.
fn is_busy<T>(cell: &RefCell<T>, shared: bool) -> bool {
    if shared {
        cell.try_borrow().is_err()
    } else {
        cell.try_borrow_mut().is_err()
    }
}
