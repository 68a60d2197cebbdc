//! All components of one type: their owners, their hooks, which of them receive messages, and their
//! [values](super::values).
//!
//! This file does not know the type of the values and is compiled once; the values are compiled for each type.
//! Both keep the same order: the first `active` components are enabled, without holes. A broadcast is therefore a
//! walk over a slice of values, with nothing to check for each element. When a value moves, the
//! [structure](crate::structure) updates the messagee, which knows its slot.

use std::any::TypeId;
use std::cell::{Cell, Ref, RefCell};
use std::collections::BTreeMap;

use smallvec::SmallVec;

use crate::address::MessageeId;
use crate::caught::FirstPanic;
use crate::identity::ManagerNumber;
use crate::storage::{
    AnyValues, Clones, Cloning, ComponentType, Shared, Values, make_room, narrow,
};

/// The component in a slot, without its value. Packed, since there is one for each component.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed)]
struct Occupant {
    /// The place of its messagee, whose id has the generation, too.
    owner: u32,
    /// The place of its hook. The whole id is looked up when it is needed.
    hook: u32,
    generation: u16,
}

impl Occupant {
    fn owner(&self, manager: ManagerNumber) -> MessageeId {
        MessageeId(manager.key(self.generation, self.owner))
    }
}

/// The components of one type.
#[allow(missing_debug_implementations, reason = "components may lack it")]
pub struct Pool {
    of: TypeId,
    component: u32,
    component_name: &'static str,
    /// The bits that the ids of all owners share.
    manager: ManagerNumber,
    occupants: Vec<Occupant>,
    active: usize,
    /// The number of components, from the front, that can be called without a further check: the enabled
    /// ones, or none while there are exceptions.
    at_hand: Cell<usize>,
    /// The number of messages that are kept for components of the type.
    kept: Cell<usize>,
    /// The components that are leaving, or were enabled or disabled in this dispatch and have not moved yet, by slot.
    marked: RefCell<BTreeMap<usize, Mark>>,
    /// The number of these components.
    marks: Cell<usize>,
    values: Box<dyn AnyValues>,
}

/// The components of one type in a snapshot.
#[derive(Default)]
pub(crate) struct SavedPool {
    occupants: Vec<Occupant>,
    active: usize,
    clones: Clones,
}

impl SavedPool {
    /// The components of a type of which none had been hooked.
    pub(crate) const NONE: Self = Self {
        occupants: Vec::new(),
        active: 0,
        clones: None,
    };
}

/// The changes that wait for a component.
#[derive(Debug, Default)]
struct Mark {
    /// `true` if it is removed at the end of the outermost send.
    leaving: bool,
    /// The numbers of the changes that alternately enabled and disabled it.
    switches: SmallVec<[u64; 1]>,
}

impl Mark {
    /// Returns `true` if the component is enabled now and was after the change with the number `count`, or
    /// neither.
    fn is_as_at(&self, count: u64) -> bool {
        let switches = &self.switches;
        let until = switches.partition_point(|number| *number <= count);
        (switches.len() - until).is_multiple_of(2)
    }
}

impl Pool {
    /// Makes the pool of a component type that has this index.
    pub(crate) fn boxed(
        component: u32,
        ty: ComponentType,
        can_be_busy: bool,
        manager: ManagerNumber,
    ) -> Box<Self> {
        Box::new(Self {
            of: ty.of,
            component,
            component_name: ty.name,
            manager,
            occupants: Vec::new(),
            active: 0,
            at_hand: Cell::new(0),
            kept: Cell::new(0),
            marked: RefCell::default(),
            marks: Cell::new(0),
            values: (ty.values)(can_be_busy),
        })
    }

    /// Returns the type of the components.
    pub fn type_of(&self) -> TypeId {
        self.of
    }

    /// Returns the index of the components' type.
    pub fn component(&self) -> u32 {
        self.component
    }

    /// Returns the name of the components' type.
    pub fn component_name(&self) -> &'static str {
        self.component_name
    }

    pub fn len(&self) -> usize {
        self.occupants.len()
    }

    /// Returns the number of enabled components, which are at the front.
    pub fn active(&self) -> usize {
        self.active
    }

    /// Returns the messagee of the component in a slot.
    pub fn owner(&self, slot: usize) -> MessageeId {
        self.occupants[slot].owner(self.manager)
    }

    /// Returns the place of the hook of the component in a slot.
    pub(crate) fn hook(&self, slot: usize) -> u32 {
        self.occupants[slot].hook
    }

    /// Returns the places of the hooks of all components, in storage order.
    pub fn hooks(&self) -> impl Iterator<Item = u32> {
        self.occupants.iter().map(|occupant| occupant.hook)
    }

    /// Returns the owner of each component, in storage order.
    pub(crate) fn owners(&self) -> impl Iterator<Item = MessageeId> {
        self.occupants.iter().map(|it| it.owner(self.manager))
    }

    /// Returns `true` if a component is enabled and there are no exceptions.
    pub(crate) fn is_at_hand(&self, slot: u32) -> bool {
        (slot as usize) < self.at_hand.get()
    }

    /// Returns `true` if a component may have to be passed over, or a message for it may have to wait.
    pub(crate) fn has_exceptions(&self) -> bool {
        self.kept.get() > 0 || self.marks.get() > 0
    }

    /// Returns the number of components that are leaving or were switched.
    pub(crate) fn marks(&self) -> usize {
        self.marks.get()
    }

    /// Returns the end of the components from a slot on that are called without a check: they are enabled, neither leaving
    /// nor switched in this dispatch, and no message is kept for any.
    #[inline(never)]
    pub(crate) fn ordinary_until(&self, from: usize) -> usize {
        if self.kept.get() > 0 {
            return from;
        }
        let marked = self.marked.borrow();
        let next = marked.range(from..).next();
        next.map_or(self.active, |(&slot, _)| slot.min(self.active))
    }

    /// Returns what a component's mark says, if it is leaving or was switched.
    fn mark<T>(&self, slot: usize, say: impl FnOnce(&Mark) -> T) -> Option<T> {
        if self.marks.get() == 0 {
            return None;
        }
        self.marked.borrow().get(&slot).map(say)
    }

    /// Marks a component.
    fn set_mark<T>(&self, slot: usize, set: impl FnOnce(&mut Mark) -> T) -> T {
        let result = set(self.marked.borrow_mut().entry(slot).or_default());
        self.count_marks();
        result
    }

    pub(crate) fn is_enabled(&self, slot: usize) -> bool {
        let is_switched = self.mark(slot, |mark| !mark.is_as_at(0)) == Some(true);
        (slot < self.active) != is_switched
    }

    /// Enables or disables a component at once, without moving it. `number` counts these changes. Returns
    /// `true` if it is the first change of this component since it was [settled](Self::settle_switch).
    pub(crate) fn switch(&self, slot: usize, number: u64) -> bool {
        self.set_mark(slot, |mark| {
            mark.switches.push(number);
            mark.switches.len() == 1
        })
    }

    /// Returns `true` if the component was switched in this dispatch, and was disabled after the change with the
    /// number `count`.
    pub(crate) fn was_disabled_at(&self, slot: usize, count: u64) -> bool {
        let was_disabled = self.mark(slot, |mark| {
            !mark.switches.is_empty() && self.is_enabled(slot) != mark.is_as_at(count)
        });
        was_disabled == Some(true)
    }

    /// Forgets that the component was switched. Returns whether it is enabled now, or `None` if it was not
    /// switched.
    pub(crate) fn settle_switch(&self, slot: usize) -> Option<bool> {
        let enabled = self.is_enabled(slot);
        let mut marked = self.marked.borrow_mut();
        let mark = marked.get_mut(&slot)?;
        let was_switched = !std::mem::take(&mut mark.switches).is_empty();
        if !mark.leaving {
            marked.remove(&slot);
        }
        drop(marked);
        self.count_marks();
        was_switched.then_some(enabled)
    }

    pub(crate) fn mark_leaving(&self, slot: usize) {
        self.set_mark(slot, |mark| mark.leaving = true);
    }

    pub(crate) fn is_leaving(&self, slot: usize) -> bool {
        self.mark(slot, |mark| mark.leaving) == Some(true)
    }

    /// Counts a message that is kept for a component, or no longer is.
    pub(crate) fn count_kept(&self, one_more: bool) {
        let kept = self.kept.get();
        self.kept.set(if one_more { kept + 1 } else { kept - 1 });
        self.recount();
    }

    /// Returns the values, as their own type.
    pub(crate) fn values<C: Send + 'static>(&self) -> &Values<C> {
        Values::of(&*self.values)
    }

    pub(crate) fn values_mut<C: Send + 'static>(&mut self) -> &mut Values<C> {
        Values::of_mut(&mut *self.values)
    }

    /// Returns the values without their type.
    pub fn any_values(&self) -> &dyn AnyValues {
        &*self.values
    }

    /// Like `any_values`, but mutable.
    pub fn any_values_mut(&mut self) -> &mut dyn AnyValues {
        &mut *self.values
    }

    /// Returns the components with their owners in storage order, the disabled ones last. Skips those that
    /// are borrowed mutably.
    pub(crate) fn iter<C: Send + 'static>(&self) -> impl Iterator<Item = (MessageeId, Ref<'_, C>)> {
        let (owners, values) = (self.owners(), self.values::<C>());
        let owners = owners.enumerate();
        owners.filter_map(|(slot, owner)| Some((owner, values.borrow::<Shared>(slot)?)))
    }

    /// Returns every component with its owner in storage order, the disabled ones last.
    pub(crate) fn iter_mut<C: Send + 'static>(
        &mut self,
    ) -> impl Iterator<Item = (MessageeId, &mut C)> {
        let owners = self.occupants.iter().map(|it| it.owner(self.manager));
        owners.zip(Values::<C>::of_mut(&mut *self.values).iter_mut())
    }

    /// Returns `true` if the component cannot be called because it is borrowed.
    pub(crate) fn is_busy(&self, slot: usize, shared: bool) -> bool {
        self.values.first_busy(slot..slot + 1, shared).is_some()
    }

    /// Returns the slot of a busy component that would be called: the one in a slot, or without a slot the
    /// first.
    pub(crate) fn find_busy(
        &self,
        slot: Option<u32>,
        shared: bool,
        except: Option<MessageeId>,
    ) -> Option<usize> {
        let mut slots = match slot {
            Some(slot) => slot as usize..slot as usize + 1,
            None => 0..self.len(),
        };
        while let Some(slot) = self.values.first_busy(slots.clone(), shared) {
            if self.is_enabled(slot) && except != Some(self.owner(slot)) && !self.is_leaving(slot) {
                return Some(slot);
            }
            slots.start = slot + 1;
        }
        None
    }

    /// Makes a component free when nothing is running: a borrow that is left is one whose guard was leaked.
    pub(crate) fn free(&mut self, slot: u32) {
        if self.is_busy(slot as usize, false) {
            self.values.free_all();
        }
    }

    /// Enters an enabled component whose value was just [pushed](Values::push). Returns its slot, and the
    /// slot that the disabled component in its way has moved to, if there was one.
    #[inline]
    pub(crate) fn enter(&mut self, owner: MessageeId, hook: u32) -> [usize; 2] {
        let len = self.occupants.len() + 1;
        make_room(&mut self.occupants, len);
        self.occupants.push(Occupant {
            owner: owner.0.place(),
            hook,
            generation: owner.0.short_generation(),
        });
        let (slot, last) = (self.active, self.occupants.len() - 1);
        if slot != last {
            self.swap(slot, last);
        }
        self.active += 1;
        self.recount();
        [slot, last]
    }

    /// Moves the component to the enabled or the disabled ones. Returns the two slots whose components were
    /// swapped, which are the same if it is there already.
    pub fn set_enabled(&mut self, slot: usize, enabled: bool) -> [usize; 2] {
        if enabled == (slot < self.active) {
            return [slot, slot];
        }
        let border = self.active - usize::from(!enabled);
        self.swap(slot, border);
        self.active = border + usize::from(enabled);
        self.recount();
        [slot, border]
    }

    /// Removes a component, but for its value. Returns the place of its hook and the slot that its value is in
    /// now. When it is removed, the last one takes its place.
    #[inline(always)] // Its result stays in registers: W9.
    pub(crate) fn leave(&mut self, slot: u32) -> (u32, u32) {
        let mut hole = slot;
        if (slot as usize) < self.active {
            self.active -= 1;
            // If there are disabled components, the last enabled one closes the gap, so that the enabled
            // ones stay together.
            if self.active + 1 < self.occupants.len() {
                hole = narrow(self.active);
                self.swap(slot as usize, self.active);
            }
        }
        let hook = self.occupants.swap_remove(hole as usize).hook;
        if self.marks.get() > 0 {
            let marked = self.marked.get_mut();
            marked.remove(&(hole as usize));
            if let Some(mark) = marked.remove(&self.occupants.len()) {
                marked.insert(hole as usize, mark);
            }
            self.count_marks();
        }
        self.recount();
        (hook, hole)
    }

    /// Reserves room for that many more components.
    pub(crate) fn reserve<C: Send + 'static>(&mut self, additional: usize) {
        self.occupants.reserve(additional);
        self.values_mut::<C>().reserve(additional);
    }

    /// Clones the components, if there are any, into the memory of an earlier snapshot. Nothing may be running.
    pub(crate) fn save(&mut self, cloning: Option<&Cloning>, into: &mut SavedPool) {
        into.occupants.clone_from(&self.occupants);
        into.active = self.active;
        if let Some(cloning) = cloning {
            (cloning.save)(&mut *self.values, &mut into.clones);
        }
    }

    /// Makes the values of a snapshot. They are to be [put](Self::put_back) here, if no clone panics.
    pub(crate) fn load(&self, cloning: &Cloning, saved: &SavedPool) -> Box<dyn AnyValues> {
        (cloning.load)(&*self.values, &saved.clones)
    }

    /// Puts the components of a snapshot back. Drops those that are here, one by one.
    pub(crate) fn put_back(
        &mut self,
        saved: &SavedPool,
        values: Option<Box<dyn AnyValues>>,
        panics: &mut FirstPanic,
    ) {
        if let Some(values) = values {
            std::mem::replace(&mut self.values, values).drop_all(panics);
        } else {
            // They cannot be cloned, so the snapshot has none.
            let slots = (0..self.occupants.len()).rev();
            panics.drop_each(slots.map(|slot| self.values.remove(slot)));
        }
        self.occupants.clone_from(&saved.occupants);
        self.active = saved.active;
        self.marked.get_mut().clear();
        self.count_marks();
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.occupants.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    /// Called after every change of `marked`.
    fn count_marks(&self) {
        self.marks.set(self.marked.borrow().len());
        self.recount();
    }

    /// Called after every change of `active`, `marks` and `kept`.
    fn recount(&self) {
        let active = self.active;
        let at_hand = if self.has_exceptions() { 0 } else { active };
        self.at_hand.set(at_hand);
    }

    #[cold]
    fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            self.values.swap(a, b);
            self.occupants.swap(a, b);
            if self.marks.get() > 0 {
                let marked = self.marked.get_mut();
                let [at_a, at_b] = [a, b].map(|slot| marked.remove(&slot));
                marked.extend(at_a.map(|mark| (b, mark)));
                marked.extend(at_b.map(|mark| (a, mark)));
            }
        }
    }
}
