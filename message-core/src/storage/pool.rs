//! All components of one type: the [roster](super::roster), which knows whose each is and which receive
//! messages, and the [values](super::values).
//!
//! All that can be done without knowing the values' type is done here and in the roster, compiled once;
//! what is in the values is compiled once for each type. Both keep the same order: the enabled ones
//! first, without holes. So a broadcast is a walk over a slice, with nothing to ask of each element.
//! The table that knows the slot of a value that moves is told ([`Hooks::relink`](super::Hooks::relink)).

use std::any::Any;
use std::cell::Ref;

use crate::address::MessageeId;
use crate::storage::roster::Roster;
use crate::storage::values::{AnyValues, Values};

/// The components of one type.
pub(crate) struct Pool {
    roster: Roster,
    values: Box<dyn AnyValues>,
}

impl Pool {
    pub(crate) fn boxed(roster: Roster, values: Box<dyn AnyValues>) -> Box<Self> {
        Box::new(Self { roster, values })
    }

    #[inline]
    pub(crate) fn roster(&self) -> &Roster {
        &self.roster
    }

    pub(crate) fn roster_mut(&mut self) -> &mut Roster {
        &mut self.roster
    }

    /// The values, whose type is known.
    #[inline]
    pub(crate) fn values<C: Send + 'static>(&self) -> &Values<C> {
        Values::of(&*self.values)
    }

    pub(crate) fn values_mut<C: Send + 'static>(&mut self) -> &mut Values<C> {
        Values::of_mut(&mut *self.values)
    }

    /// The values, whose type is not known.
    #[inline]
    pub(crate) fn any_values(&self) -> &dyn AnyValues {
        &*self.values
    }

    /// As [`any_values`](Self::any_values), to change them.
    pub(crate) fn any_values_mut(&mut self) -> &mut dyn AnyValues {
        &mut *self.values
    }

    /// The components with their owners, in storage order, the disabled ones last; without those that are
    /// borrowed to be changed.
    pub(crate) fn iter<C: Send + 'static>(&self) -> impl Iterator<Item = (MessageeId, Ref<'_, C>)> {
        let (roster, values) = (&self.roster, self.values::<C>());
        (0..roster.len()).filter_map(|slot| Some((roster.owner(slot), values.borrow(slot)?)))
    }

    /// Every component with its owner, in storage order, the disabled ones last.
    pub(crate) fn iter_mut<C: Send + 'static>(
        &mut self,
    ) -> impl Iterator<Item = (MessageeId, &mut C)> {
        let values = Values::<C>::of_mut(&mut *self.values);
        self.roster.owners().zip(values.iter_mut())
    }

    /// Returns `true` if a borrow stands in the way of calling the component.
    pub(crate) fn is_busy(&self, slot: usize, shared: bool) -> bool {
        self.values.first_busy(slot..slot + 1, shared).is_some()
    }

    /// The component in that slot if it would be called and is busy, or without a slot the first that
    /// would and is.
    pub(crate) fn find_busy(
        &self,
        slot: Option<u32>,
        shared: bool,
        except: Option<MessageeId>,
    ) -> Option<usize> {
        let roster = &self.roster;
        let mut slots = roster.candidates(slot);
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

    /// Enters an enabled component, whose value was just [pushed](Values::push). Its slot and the
    /// slot of the disabled component that had to make way, if one had to.
    #[inline]
    pub(crate) fn enter(&mut self, owner: MessageeId, hook: u32) -> [usize; 2] {
        let slots = self.roster.enter(owner, hook);
        self.swap(slots)
    }

    /// Moves the component to the other side of the border. Both slots that may now hold another
    /// component than before are returned.
    pub(crate) fn set_enabled(&mut self, slot: usize, enabled: bool) -> [usize; 2] {
        let slots = self.roster.set_enabled(slot, enabled);
        self.swap(slots)
    }

    /// Forgets a component, and makes its value ready to be removed: it is in the second of the slots
    /// that are returned. When it is removed, both may hold another component.
    #[inline]
    pub(crate) fn leave(&mut self, slot: usize) -> [usize; 2] {
        let slots = self.roster.leave(slot);
        self.swap(slots)
    }

    /// Removes the component. If dropping it does anything it is returned, for the caller to drop,
    /// with both slots that may now hold another component.
    pub(crate) fn remove(&mut self, slot: usize) -> (Option<Box<dyn Any + Send>>, [usize; 2]) {
        let slots @ [_, hole] = self.leave(slot);
        (self.values.remove(hole), slots)
    }

    /// Makes every component free again, whatever borrows were leaked.
    pub(crate) fn free_all(&mut self) {
        let Some(last) = self.roster.len().checked_sub(1) else {
            return;
        };
        while let Some(slot) = self.values.first_busy(0..last + 1, false) {
            self.swap([slot, last]);
            self.values.renew_last();
            self.swap([slot, last]);
        }
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.roster.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    #[inline]
    fn swap(&mut self, slots: [usize; 2]) -> [usize; 2] {
        let [a, b] = slots;
        if a != b {
            self.values.swap(a, b);
        }
        slots
    }
}
