//! All components of one type: the [roster](super::roster), which knows their owners and which of them
//! receive messages, and the [values](super::values).
//!
//! This file and the roster do not know the type of the values and are compiled once; the values are
//! compiled for each type. Both keep the same order: the enabled components first, without holes. A
//! broadcast is therefore a walk over a slice, with nothing to check for each element. When a value moves, the
//! [structure](crate::structure) updates the messagee, which knows its slot.

use std::any::TypeId;
use std::cell::Ref;

use crate::address::MessageeId;
use crate::identity::ManagerNumber;
use crate::storage::ComponentType;
use crate::storage::roster::Roster;
use crate::storage::values::{AnyValues, Values};

/// The components of one type.
pub(crate) struct Pool {
    of: TypeId,
    roster: Roster,
    values: Box<dyn AnyValues>,
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
            roster: Roster::new(component, ty.name, manager),
            values: (ty.values)(can_be_busy),
        })
    }

    /// Returns the type of the components.
    pub(crate) fn type_of(&self) -> TypeId {
        self.of
    }

    #[inline]
    pub(crate) fn roster(&self) -> &Roster {
        &self.roster
    }

    /// Returns the values, as their own type.
    #[inline]
    pub(crate) fn values<C: Send + 'static>(&self) -> &Values<C> {
        Values::of(&*self.values)
    }

    pub(crate) fn values_mut<C: Send + 'static>(&mut self) -> &mut Values<C> {
        Values::of_mut(&mut *self.values)
    }

    /// Returns the values without their type.
    #[inline]
    pub(crate) fn any_values(&self) -> &dyn AnyValues {
        &*self.values
    }

    /// Like [`any_values`](Self::any_values), but mutable.
    pub(crate) fn any_values_mut(&mut self) -> &mut dyn AnyValues {
        &mut *self.values
    }

    /// Returns the components with their owners in storage order, the disabled ones last. Skips those that
    /// are borrowed mutably.
    pub(crate) fn iter<C: Send + 'static>(&self) -> impl Iterator<Item = (MessageeId, Ref<'_, C>)> {
        let (owners, values) = (self.roster.owners(), self.values::<C>());
        let owners = owners.enumerate();
        owners.filter_map(|(slot, owner)| Some((owner, values.borrow(slot)?)))
    }

    /// Returns every component with its owner in storage order, the disabled ones last.
    pub(crate) fn iter_mut<C: Send + 'static>(
        &mut self,
    ) -> impl Iterator<Item = (MessageeId, &mut C)> {
        let values = Values::<C>::of_mut(&mut *self.values);
        self.roster.owners().zip(values.iter_mut())
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
        let roster = &self.roster;
        let mut slots = match slot {
            Some(slot) => slot as usize..slot as usize + 1,
            None => 0..roster.len(),
        };
        while let Some(slot) = self.values.first_busy(slots.clone(), shared) {
            if roster.is_enabled(slot)
                && except != Some(roster.owner(slot))
                && !roster.is_leaving(slot)
            {
                return Some(slot);
            }
            slots.start = slot + 1;
        }
        None
    }

    /// Enters an enabled component whose value was just [pushed](Values::push). Returns its slot, and the
    /// slot that the disabled component in its way has moved to, if there was one.
    #[inline]
    pub(crate) fn enter(&mut self, owner: MessageeId, hook: u32) -> [usize; 2] {
        let slots = self.roster.enter(owner, hook);
        self.swap(slots);
        slots
    }

    /// Moves the component to the enabled or the disabled ones. Returns the two slots whose components were
    /// swapped, which are the same if it is there already.
    pub(crate) fn set_enabled(&mut self, slot: usize, enabled: bool) -> [usize; 2] {
        let slots = self.roster.set_enabled(slot, enabled);
        self.swap(slots);
        slots
    }

    /// Removes a component from the roster and makes its value ready to be removed. Returns the place of its
    /// hook and the slot that its value is in now. When it is removed, the last one takes its place.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "its result would go through memory for each component of a despawn: W9"
    )]
    pub(crate) fn leave(&mut self, slot: u32) -> (u32, u32) {
        let (hook, hole) = self.roster.leave(slot);
        self.swap([slot as usize, hole as usize]);
        (hook, hole)
    }

    /// Makes a component free when nothing is running: a borrow that is left is one whose guard was leaked.
    pub(crate) fn free(&mut self, slot: u32) {
        if self.is_busy(slot as usize, false) {
            self.values.free_all();
        }
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.roster.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    fn swap(&mut self, [a, b]: [usize; 2]) {
        if a != b {
            self.values.swap(a, b);
        }
    }
}
