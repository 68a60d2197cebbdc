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
//! What belongs to a value but is not needed to call it (owner, hook) stands in a second vector,
//! out of the way of the walk. A send to one messagee finds its component by a sparse set.

use std::any::Any;
use std::cell::{Cell, OnceCell, Ref, RefCell, RefMut};
use std::mem::needs_drop;

use crate::address::{HookId, MessageeId};
use crate::caught::FirstPanic;
use crate::hash::{HashedMap, HashedSet};
use crate::room::{Peak, Shrink};
use crate::storage::narrow;
use crate::storage::sparse::Sparse;

/// Who a component belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meta {
    pub(crate) owner: MessageeId,
    pub(crate) hook: HookId,
}

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
    meta: Vec<Meta>,
    sparse: Sparse,
    active: usize,
    /// How many components, from the front, can be called without a further question: the enabled
    /// ones, or none while there are exceptions.
    at_hand: Cell<usize>,
    component: u32,
    /// What is to be removed at the end of the outermost send.
    leaving: RefCell<HashedSet<HookId>>,
    /// The number of messages that are kept for components of the type.
    kept: Cell<usize>,
    /// What was enabled or disabled in this dispatch, and is not yet on its side of the border.
    switched: RefCell<HashedMap<HookId, Switch>>,
    /// `true` if any component is leaving, has a message kept for it, or was switched.
    has_exceptions: Cell<bool>,
    /// How many components there were at most.
    most: Peak,
}

/// A component was enabled or disabled, and which change of this kind that was.
#[derive(Clone, Copy, Debug)]
struct Switch {
    enabled: bool,
    number: u64,
}

/// What can be done with a pool without knowing its type.
pub(crate) trait AnyPool: Any + Send {
    fn component(&self) -> u32;
    fn component_name(&self) -> &'static str;
    fn len(&self) -> usize;
    /// Returns how many components, from the front, are enabled.
    fn active(&self) -> usize;
    fn meta(&self, slot: usize) -> Meta;
    fn is_enabled(&self, slot: usize) -> bool;
    /// Returns `true` if a borrow stands in the way of calling the component.
    fn is_busy(&self, slot: usize, shared: bool) -> bool;
    /// Returns `true` if the component in that slot would be called and is busy, or without a slot
    /// the first that would and is.
    fn find_busy(&self, slot: Option<u32>, shared: bool, except: Option<MessageeId>)
    -> Option<u32>;
    fn mark_leaving(&self, slot: usize);
    /// A message is kept for a component, or is not any more.
    fn count_kept(&self, one_more: bool);
    fn is_leaving(&self, slot: usize) -> bool;
    /// Enables or disables a component at once; it stays on its side of the border. `number` counts
    /// these changes. Returns `true` if it is the first of this component since it was
    /// [settled](Self::settle_switch).
    fn switch(&self, slot: usize, enabled: bool, number: u64) -> bool;
    /// Returns `true` if the component was enabled by a change with a higher number.
    fn was_enabled_since(&self, slot: usize, number: u64) -> bool;
    /// Forgets that the component was switched, and tells whether it was enabled or disabled.
    fn settle_switch(&mut self, slot: usize) -> Option<bool>;
    /// Returns `true` if a component may have to be left out, or a message for it may have to wait.
    fn has_exceptions(&self) -> bool;
    /// Moves the component to the other side of the border. Both slots that may now hold another
    /// component than before are returned.
    fn set_enabled(&mut self, slot: usize, enabled: bool) -> [usize; 2];
    /// Removes the component. If dropping it does anything it is returned, for the caller to drop,
    /// with both slots that may now hold another component.
    fn remove(&mut self, slot: usize) -> (Option<Box<dyn Any + Send>>, [usize; 2]);
    /// Makes every component free again, whatever borrows were leaked.
    fn free_all(&mut self);
    /// Gives back memory. How many components there were at once since the last time.
    fn shrink(&mut self, how: Shrink) -> usize;
    /// Drops every component, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

impl<C: Send + 'static> Pool<C> {
    pub(crate) fn new(component: u32, can_be_busy: bool) -> Self {
        Self {
            store: if can_be_busy {
                Store::Celled(Vec::new())
            } else {
                Store::Packed(RefCell::default())
            },
            parted: OnceCell::new(),
            meta: Vec::new(),
            sparse: Sparse::default(),
            active: 0,
            at_hand: Cell::new(0),
            component,
            leaving: RefCell::default(),
            kept: Cell::new(0),
            switched: RefCell::default(),
            has_exceptions: Cell::new(false),
            most: Peak::default(),
        }
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

    /// Who the component in that slot belongs to, and the slot as it is written down.
    #[inline]
    pub(crate) fn who(&self, slot: usize) -> (MessageeId, u32) {
        (self.meta[slot].owner, narrow(slot))
    }

    /// The slot of the messagee's only component, if it is enabled and there are no exceptions.
    #[inline]
    pub(crate) fn at_hand(&self, id: MessageeId) -> Option<u32> {
        let slot = self.sparse.get(id)?;
        ((slot as usize) < self.at_hand.get()).then_some(slot)
    }

    /// After every change of who is enabled, who is leaving, and what is kept.
    fn recount(&self) {
        let has_exceptions = self.kept.get() > 0
            || !self.leaving.borrow().is_empty()
            || !self.switched.borrow().is_empty();
        self.has_exceptions.set(has_exceptions);
        self.at_hand
            .set(if has_exceptions { 0 } else { self.active });
    }

    /// Adds an enabled component. Its slot and the slot of the disabled component that had to
    /// make way, if one had to.
    pub(crate) fn push(&mut self, value: C, meta: Meta) -> [usize; 2] {
        match &mut self.store {
            Store::Packed(values) => values.get_mut().push(value),
            Store::Celled(cells) => cells.push(RefCell::new(value)),
        }
        self.meta.push(meta);
        let (slot, last) = (self.active, self.meta.len() - 1);
        self.sparse.insert(meta.owner, last);
        if slot != last {
            self.swap(slot, last);
        }
        self.active += 1;
        self.recount();
        [slot, last]
    }

    /// Removes a component and gives it back, with both slots that may now hold another.
    pub(crate) fn take(&mut self, slot: usize) -> (C, [usize; 2]) {
        self.most.note(self.meta.len());
        let mut hole = slot;
        if slot < self.active {
            self.active -= 1;
            // With disabled ones behind, the last enabled one closes the gap, and they stay together.
            if self.active + 1 < self.meta.len() {
                hole = self.active;
                self.swap(slot, hole);
            }
        }
        let meta = self.meta.swap_remove(hole);
        self.sparse.remove(meta.owner);
        if let Some(moved) = self.meta.get(hole) {
            self.sparse.relocate(moved.owner, hole);
        }
        if self.has_exceptions.get() {
            self.leaving.get_mut().remove(&meta.hook);
            self.switched.get_mut().remove(&meta.hook);
        }
        let value = match &mut self.store {
            Store::Packed(values) => values.get_mut().swap_remove(hole),
            Store::Celled(cells) => cells.swap_remove(hole).into_inner(),
        };
        self.recount();
        (value, [slot, hole])
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
        self.meta.iter().map(|meta| meta.owner).zip(values)
    }

    fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            self.meta.swap(a, b);
            for slot in [a, b] {
                self.sparse.relocate(self.meta[slot].owner, slot);
            }
            match &mut self.store {
                Store::Packed(values) => values.get_mut().swap(a, b),
                Store::Celled(cells) => cells.swap(a, b),
            }
        }
    }
}

impl<C: Send + 'static> AnyPool for Pool<C> {
    fn component(&self) -> u32 {
        self.component
    }

    fn component_name(&self) -> &'static str {
        std::any::type_name::<C>()
    }

    fn len(&self) -> usize {
        self.meta.len()
    }

    fn active(&self) -> usize {
        self.active
    }

    fn meta(&self, slot: usize) -> Meta {
        self.meta[slot]
    }

    fn is_enabled(&self, slot: usize) -> bool {
        if self.has_exceptions.get()
            && let Some(switch) = self.switched.borrow().get(&self.meta[slot].hook)
        {
            return switch.enabled;
        }
        slot < self.active
    }

    fn switch(&self, slot: usize, enabled: bool, number: u64) -> bool {
        let switch = Switch { enabled, number };
        let before = self
            .switched
            .borrow_mut()
            .insert(self.meta[slot].hook, switch);
        self.recount();
        before.is_none()
    }

    fn was_enabled_since(&self, slot: usize, number: u64) -> bool {
        let switched = self.switched.borrow();
        let switch = switched.get(&self.meta[slot].hook);
        switch.is_some_and(|switch| switch.enabled && switch.number > number)
    }

    fn settle_switch(&mut self, slot: usize) -> Option<bool> {
        let switch = self.switched.get_mut().remove(&self.meta[slot].hook)?;
        self.recount();
        Some(switch.enabled)
    }

    #[inline]
    fn has_exceptions(&self) -> bool {
        self.has_exceptions.get()
    }

    fn is_busy(&self, slot: usize, shared: bool) -> bool {
        if shared {
            self.borrow(slot).is_none()
        } else {
            self.borrow_mut(slot).is_none()
        }
    }

    fn find_busy(
        &self,
        slot: Option<u32>,
        shared: bool,
        except: Option<MessageeId>,
    ) -> Option<u32> {
        let end = if self.has_exceptions() {
            self.meta.len()
        } else {
            self.active
        };
        let end = u32::try_from(end).unwrap_or(u32::MAX);
        let slots = match slot {
            Some(slot) => slot..end.min(slot + 1),
            None => 0..end,
        };
        slots.into_iter().find(|&slot| {
            let slot = slot as usize;
            self.is_enabled(slot)
                && self.is_busy(slot, shared)
                && except != Some(self.meta[slot].owner)
                && !self.is_leaving(slot)
        })
    }

    fn mark_leaving(&self, slot: usize) {
        self.leaving.borrow_mut().insert(self.meta[slot].hook);
        self.recount();
    }

    fn count_kept(&self, one_more: bool) {
        let kept = self.kept.get();
        self.kept.set(if one_more { kept + 1 } else { kept - 1 });
        self.recount();
    }

    fn is_leaving(&self, slot: usize) -> bool {
        self.has_exceptions.get() && self.leaving.borrow().contains(&self.meta[slot].hook)
    }

    fn set_enabled(&mut self, slot: usize, enabled: bool) -> [usize; 2] {
        if enabled == (slot < self.active) {
            return [slot, slot];
        }
        if !enabled {
            self.active -= 1;
        }
        let border = self.active;
        self.swap(slot, border);
        if enabled {
            self.active += 1;
        }
        self.recount();
        [slot, border]
    }

    fn remove(&mut self, slot: usize) -> (Option<Box<dyn Any + Send>>, [usize; 2]) {
        let (value, moved) = self.take(slot);
        let removed: Option<Box<dyn Any + Send>> = if needs_drop::<C>() {
            Some(Box::new(value))
        } else {
            None
        };
        (removed, moved)
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

    fn shrink(&mut self, how: Shrink) -> usize {
        let needed = self.most.take().max(self.meta.len());
        match &mut self.store {
            Store::Packed(values) => how.room(values.get_mut(), needed),
            Store::Celled(cells) => how.room(cells, needed),
        }
        shrink_beside(
            how,
            needed,
            &mut self.meta,
            &mut self.sparse,
            self.leaving.get_mut(),
        );
        needed
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        self.keep_parted();
        if needs_drop::<C>() {
            match &mut self.store {
                Store::Packed(values) => panics.drop_each(values.get_mut().drain(..)),
                Store::Celled(cells) => panics.drop_each(cells.drain(..)),
            }
        }
    }
}

/// Gives back memory of what stands beside the values of a pool, of whatever type they are.
fn shrink_beside(
    how: Shrink,
    needed: usize,
    meta: &mut Vec<Meta>,
    sparse: &mut Sparse,
    leaving: &mut HashedSet<HookId>,
) {
    how.room(meta, needed);
    how.room(leaving, needed);
    sparse.shrink(how, needed, meta.iter().map(|meta| meta.owner));
}
