//! The components of a pool without their values: their owners, their hooks, and which of them receive
//! messages.
//!
//! None of this depends on the components' type, so it is compiled once. The [pool](super::pool) keeps the
//! values in the same order, and moves them when this table tells it to.
//!
//! The first `active` components are enabled. Hooks are stored by their place, and the whole id is looked
//! up when it is needed. Calling a component needs nothing from here, so a walk reads only the values.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use smallvec::SmallVec;

use crate::address::MessageeId;
use crate::hash::{HashedMap, HashedSet};
use crate::identity::ManagerNumber;
use crate::key::ManagerBits;
use crate::storage::layouts::MOST;
use crate::storage::narrow;

/// The table of occupants grows by at least this number.
const OCCUPANTS_AT_ONCE: usize = 64;

/// The table of occupants grows by at least this fraction of its length, which limits the unused part.
const PARTS_OF_OCCUPANTS: usize = 8;

/// The number of words of marks that are searched for the next mark.
const WORDS_AT_ONCE: usize = 16;

/// The component in a slot, without its value. Packed, since there is one for each component.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed)]
pub(crate) struct Occupant {
    /// The place of its messagee, whose id has the generation, too.
    pub(super) owner: u32,
    /// The place of its hook.
    pub(crate) hook: u32,
    generation: u16,
    /// The number of components in front of it in the hook order of its messagee, up to [`MOST`].
    order: u8,
}

impl Occupant {
    #[inline]
    fn owner(self, manager: ManagerBits) -> MessageeId {
        MessageeId(manager.key(self.generation, self.owner))
    }

    /// Returns the number of components in front of it in the hook order of its messagee, unless there are
    /// at least [`MOST`].
    #[inline]
    pub(super) fn order(self) -> Option<usize> {
        let order = usize::from(self.order);
        (order < MOST).then_some(order)
    }
}

/// Returns a place in a hook order as an occupant stores it.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "it is at most `MOST`")]
fn bounded(order: usize) -> u8 {
    order.min(MOST) as u8
}

/// The components of one type, without their values.
#[derive(Debug)]
pub(crate) struct Roster {
    component: u32,
    component_name: &'static str,
    /// The bits that the ids of all owners share.
    manager: ManagerBits,
    occupants: Vec<Occupant>,
    active: usize,
    /// The number of components, from the front, that can be called without a further check: the enabled
    /// ones, or none while there are exceptions.
    at_hand: Cell<usize>,
    /// The hooks of components that are removed at the end of the outermost send.
    leaving: RefCell<HashedSet<u32>>,
    /// The number of messages that are kept for components of the type.
    kept: Cell<usize>,
    /// The hooks of components that were enabled or disabled in this dispatch and have not moved yet.
    switched: RefCell<HashedMap<u32, Switch>>,
    /// `true` if any component is leaving, has a message kept for it, or was switched.
    has_exceptions: Cell<bool>,
    /// Finds components that are neither leaving nor switched, mostly without a look at the tables.
    marks: Marks,
}

/// A bit for each slot. It is set while the component there is leaving or was switched. It may also be set
/// for others.
#[derive(Debug, Default)]
struct Marks {
    words: RefCell<Vec<u64>>,
    /// The words that are not zero.
    set: RefCell<Vec<u32>>,
    /// The number of times that a bit was set.
    count: Cell<usize>,
}

impl Marks {
    #[inline]
    fn of(slot: usize) -> (usize, u64) {
        (slot / 64, 1 << (slot % 64))
    }

    fn set(&self, slot: usize) {
        let (at, bit) = Self::of(slot);
        let mut words = self.words.borrow_mut();
        if at >= words.len() {
            words.resize(at + 1, 0);
        }
        if words[at] == 0 {
            self.set.borrow_mut().push(narrow(at));
        }
        words[at] |= bit;
        self.count.set(self.count.get() + 1);
    }

    #[inline]
    fn get(&self, slot: usize) -> bool {
        let (at, bit) = Self::of(slot);
        let words = self.words.borrow();
        words.get(at).is_some_and(|word| word & bit != 0)
    }

    /// Joins the marks of two slots whose values are swapped, or of which one value moves to the other
    /// slot.
    #[inline]
    fn join(&self, a: usize, b: usize) {
        if self.get(a) || self.get(b) {
            self.set(a);
            self.set(b);
        }
    }

    /// Returns the first slot at or after `from` whose bit is set, or a slot between them. Reads a limited
    /// number of words.
    fn next(&self, from: usize) -> usize {
        let words = self.words.borrow();
        let (first, bit) = Self::of(from);
        let mut below = bit - 1;
        for at in first..first + WORDS_AT_ONCE {
            match words.get(at) {
                None => return usize::MAX,
                Some(word) if word & !below != 0 => {
                    return at * 64 + (word & !below).trailing_zeros() as usize;
                }
                Some(_) => below = 0,
            }
        }
        (first + WORDS_AT_ONCE) * 64
    }

    fn shrink_to_fit(&mut self) {
        let (words, set) = (self.words.get_mut(), self.set.get_mut());
        if set.is_empty() {
            words.clear();
        }
        words.shrink_to_fit();
        set.shrink_to_fit();
    }

    fn clear(&self) {
        let mut words = self.words.borrow_mut();
        for at in self.set.borrow_mut().drain(..) {
            words[at as usize] = 0;
        }
    }
}

/// The numbers of the changes that alternately enabled and disabled a component.
#[derive(Debug)]
struct Switch {
    enabled: bool,
    numbers: SmallVec<[u64; 1]>,
}

impl Switch {
    /// Returns `true` if the component was enabled after the change with the number `count`.
    fn was_enabled_at(&self, count: u64) -> bool {
        let since = self.numbers.iter().rev();
        let since = since.take_while(|number| **number > count).count();
        self.enabled ^ (since % 2 == 1)
    }
}

/// Compiled once, since many places ask for an owner.
#[cold]
#[inline(never)]
fn is_empty() -> ! {
    unreachable!("there is a component in a slot that is asked about")
}

impl Roster {
    pub(crate) fn new(
        component: u32,
        component_name: &'static str,
        manager: ManagerNumber,
    ) -> Self {
        Self {
            component,
            component_name,
            manager: ManagerBits::new(manager),
            occupants: Vec::new(),
            active: 0,
            at_hand: Cell::new(0),
            leaving: RefCell::default(),
            kept: Cell::new(0),
            switched: RefCell::default(),
            has_exceptions: Cell::new(false),
            marks: Marks::default(),
        }
    }

    /// Returns the index of the components' type.
    #[inline]
    pub(crate) fn component(&self) -> u32 {
        self.component
    }

    /// Returns the name of the components' type.
    #[inline]
    pub(crate) fn component_name(&self) -> &'static str {
        self.component_name
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.occupants.len()
    }

    /// Returns the number of enabled components, which are at the front.
    #[inline]
    pub(crate) fn active(&self) -> usize {
        self.active
    }

    /// Returns the messagee of the component in a slot.
    #[inline]
    pub(crate) fn owner(&self, slot: usize) -> MessageeId {
        match self.occupants.get(slot) {
            Some(occupant) => occupant.owner(self.manager),
            None => is_empty(),
        }
    }

    #[inline]
    pub(super) fn occupant(&self, slot: usize) -> Option<Occupant> {
        self.occupants.get(slot).copied()
    }

    /// Returns the place of the hook of the component in a slot.
    #[inline]
    pub(crate) fn hook(&self, slot: usize) -> u32 {
        match self.occupants.get(slot) {
            Some(occupant) => occupant.hook,
            None => is_empty(),
        }
    }

    /// Returns the places of the hooks of all components, in storage order.
    pub(crate) fn hooks(&self) -> impl Iterator<Item = u32> {
        self.occupants.iter().map(|occupant| occupant.hook)
    }

    /// Returns the messagee of the component in a slot, if its hook has that place.
    pub(super) fn owner_if(&self, slot: u32, hook: u32) -> Option<MessageeId> {
        let occupant = self.occupants.get(slot as usize)?;
        (occupant.hook == hook).then(|| occupant.owner(self.manager))
    }

    /// Returns the owner of each component, in storage order.
    #[inline]
    pub(crate) fn owners(&self) -> impl Iterator<Item = MessageeId> {
        let manager = self.manager;
        let occupants = self.occupants.iter();
        occupants.map(move |occupant| occupant.owner(manager))
    }

    /// Returns `true` if a component is enabled and there are no exceptions.
    #[inline]
    pub(crate) fn is_at_hand(&self, slot: u32) -> bool {
        (slot as usize) < self.at_hand.get()
    }

    /// Returns `true` if a component may have to be passed over, or a message for it may have to wait.
    #[inline]
    pub(crate) fn has_exceptions(&self) -> bool {
        self.has_exceptions.get()
    }

    /// Returns the slots of all components that may be enabled, or only the given slot if it is one of
    /// them.
    pub(super) fn candidates(&self, slot: Option<u32>) -> Range<usize> {
        let end = if self.has_exceptions() {
            self.occupants.len()
        } else {
            self.active
        };
        match slot {
            Some(slot) => slot as usize..end.min(slot as usize + 1),
            None => 0..end,
        }
    }

    /// Returns `true` if a component is enabled, and neither leaving nor switched in this dispatch. May
    /// return `false` for such a component, too.
    #[inline]
    pub(crate) fn is_ordinary(&self, slot: usize) -> bool {
        slot < self.active && !self.marks.get(slot)
    }

    /// Returns the number of times that a component was marked as leaving or switched.
    #[inline]
    pub(crate) fn marked(&self) -> usize {
        self.marks.count.get()
    }

    /// Returns the end of a range of [ordinary](Self::is_ordinary) components that begins at `from`. The
    /// range is empty if that component is not one.
    pub(crate) fn ordinary_until(&self, from: usize) -> usize {
        self.marks.next(from).min(self.active)
    }

    pub(crate) fn is_enabled(&self, slot: usize) -> bool {
        if self.has_exceptions.get()
            && let Some(switch) = self.switched.borrow().get(&self.hook(slot))
        {
            return switch.enabled;
        }
        slot < self.active
    }

    /// Enables or disables a component at once, without moving it. `number` counts these changes. Returns
    /// `true` if it is the first change of this component since it was [settled](Self::settle_switch).
    pub(crate) fn switch(&self, slot: usize, enabled: bool, number: u64) -> bool {
        let mut switched = self.switched.borrow_mut();
        let switch = switched.entry(self.hook(slot)).or_insert_with(|| Switch {
            enabled,
            numbers: SmallVec::new(),
        });
        switch.enabled = enabled;
        switch.numbers.push(number);
        let is_first = switch.numbers.len() == 1;
        drop(switched);
        self.marks.set(slot);
        self.recount();
        is_first
    }

    /// Returns `true` if the component was switched in this dispatch, and was disabled after the change with the
    /// number `count`.
    pub(crate) fn was_disabled_at(&self, slot: usize, count: u64) -> bool {
        if !self.marks.get(slot) {
            return false;
        }
        let switched = self.switched.borrow();
        let switch = switched.get(&self.hook(slot));
        switch.is_some_and(|switch| !switch.was_enabled_at(count))
    }

    /// Forgets that the component was switched. Returns whether it is enabled now, or `None` if it was not
    /// switched.
    pub(crate) fn settle_switch(&mut self, slot: usize) -> Option<bool> {
        let hook = self.hook(slot);
        let switch = self.switched.get_mut().remove(&hook)?;
        self.recount();
        Some(switch.enabled)
    }

    pub(crate) fn mark_leaving(&self, slot: usize) {
        self.leaving.borrow_mut().insert(self.hook(slot));
        self.marks.set(slot);
        self.recount();
    }

    pub(crate) fn is_leaving(&self, slot: usize) -> bool {
        self.has_exceptions.get() && self.leaving.borrow().contains(&self.hook(slot))
    }

    /// Counts a message that is kept for a component, or no longer is.
    pub(crate) fn count_kept(&self, one_more: bool) {
        let kept = self.kept.get();
        self.kept.set(if one_more { kept + 1 } else { kept - 1 });
        self.recount();
    }

    /// Returns `true` if a message is kept for one of the components.
    pub(crate) fn has_kept(&self) -> bool {
        self.kept.get() > 0
    }

    /// Notes that a component has another place in the hook order of its messagee.
    pub(crate) fn set_order(&mut self, slot: usize, order: usize) {
        self.occupants[slot].order = bounded(order);
    }

    /// Enters an enabled component, whose value is the last and which has this place in the hook order of
    /// its messagee. Returns its slot and the last one. If they differ, their values must be swapped.
    #[inline]
    pub(super) fn enter(&mut self, owner: MessageeId, hook: u32, order: usize) -> [usize; 2] {
        if self.occupants.len() == self.occupants.capacity() {
            self.make_room();
        }
        self.occupants.push(Occupant {
            owner: owner.0.place(),
            hook,
            generation: owner.0.short_generation(),
            order: bounded(order),
        });
        let (slot, last) = (self.active, self.occupants.len() - 1);
        if slot != last {
            self.swap(slot, last);
        }
        self.active += 1;
        self.count_active();
        [slot, last]
    }

    #[cold]
    fn make_room(&mut self) {
        let more = self.occupants.len() / PARTS_OF_OCCUPANTS;
        self.occupants.reserve_exact(more.max(OCCUPANTS_AT_ONCE));
    }

    /// Moves the component to the enabled or the disabled ones, if it is not there. Returns its slot and
    /// its new one. If they differ, their values must be swapped.
    #[inline]
    pub(super) fn set_enabled(&mut self, slot: usize, enabled: bool) -> [usize; 2] {
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

    /// Disables all but the first `active` components. All were enabled before.
    #[cfg(feature = "data")]
    pub(super) fn restore_active(&mut self, active: usize) {
        self.active = active;
        self.recount();
    }

    /// Removes a component. Also returns its slot and the hole that it leaves. If these differ, their values
    /// must be swapped. Then the value at the hole must be removed, and the last one takes its place.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "its result would go through memory for each component of a despawn: W9"
    )]
    pub(super) fn leave(&mut self, slot: usize) -> (Occupant, [usize; 2]) {
        let mut hole = slot;
        if slot < self.active {
            self.active -= 1;
            // If there are disabled components, the last enabled one closes the gap, so that the enabled
            // ones stay together.
            if self.active + 1 < self.occupants.len() {
                hole = self.active;
                self.swap(slot, hole);
            }
        }
        let occupant = self.occupants.swap_remove(hole);
        if self.has_exceptions.get() {
            self.marks.join(hole, self.occupants.len());
            let hook = occupant.hook;
            self.leaving.get_mut().remove(&hook);
            self.switched.get_mut().remove(&hook);
            self.recount();
        } else {
            self.at_hand.set(self.active);
        }
        (occupant, [slot, hole])
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.occupants.shrink_to_fit();
        self.leaving.get_mut().shrink_to_fit();
        self.switched.get_mut().shrink_to_fit();
        self.marks.shrink_to_fit();
    }

    /// Updates the derived fields. Called after every change of `active`, `leaving`, `switched` and `kept`.
    fn recount(&self) {
        let has_marked = !self.leaving.borrow().is_empty() || !self.switched.borrow().is_empty();
        if !has_marked && self.has_exceptions.get() {
            self.marks.clear();
        }
        let has_exceptions = self.kept.get() > 0 || has_marked;
        self.has_exceptions.set(has_exceptions);
        self.at_hand
            .set(if has_exceptions { 0 } else { self.active });
    }

    /// Like [`recount`](Self::recount), after a change of `active` or of the components.
    #[inline]
    fn count_active(&self) {
        if self.has_exceptions.get() {
            self.recount();
        } else {
            self.at_hand.set(self.active);
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            self.occupants.swap(a, b);
            if self.has_exceptions.get() {
                self.marks.join(a, b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_mark_is_found_or_a_slot_before_it() {
        let marks = Marks::default();
        assert_eq!(marks.next(0), usize::MAX);
        for slot in [3, 64, 5_000] {
            marks.set(slot);
        }
        assert_eq!([0, 3, 4, 64].map(|from| marks.next(from)), [3, 3, 64, 64]);
        let (mut from, mut steps) = (65, 0);
        while !marks.get(from) {
            let next = marks.next(from);
            assert!((from + 1..=5_000).contains(&next), "{next}");
            (from, steps) = (next, steps + 1);
        }
        assert_eq!(from, 5_000);
        assert!(steps < 10);
        assert_eq!(marks.next(5_001), usize::MAX);
        marks.join(5_000, 7);
        assert!(marks.get(7), "what was at 5 000 may be there now");
        marks.clear();
        let places = std::iter::successors(Some(0), |&from| {
            Some(marks.next(from)).filter(|&next| next < usize::MAX)
        });
        assert!(places.take(1_000).all(|slot| !marks.get(slot)));
    }
}
