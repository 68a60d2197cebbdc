//! What a pool knows of its components without their values: whose each is, under which hook, and
//! which of them receive messages.
//!
//! None of it depends on the components' type, so it is compiled once, not for each type. The values
//! stand in the same order in the [pool](super::pool), which moves them when this table says so.
//!
//! `meta[..active]` are the enabled ones. What is here is not needed to call a component, and so it
//! is out of the way of the walk over the values. A send to one messagee finds its component by a
//! sparse set.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use crate::address::{HookId, MessageeId};
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

/// The components of one type, without their values.
#[derive(Debug)]
pub(crate) struct Roster {
    component: u32,
    component_name: &'static str,
    meta: Vec<Meta>,
    sparse: Sparse,
    active: usize,
    /// How many components, from the front, can be called without a further question: the enabled
    /// ones, or none while there are exceptions.
    at_hand: Cell<usize>,
    /// What is to be removed at the end of the outermost send.
    leaving: RefCell<HashedSet<HookId>>,
    /// The number of messages that are kept for components of the type.
    kept: Cell<usize>,
    /// What was enabled or disabled in this dispatch, and is not yet on its side of the border.
    switched: RefCell<HashedMap<HookId, Switch>>,
    /// `true` if any component is leaving, has a message kept for it, or was switched.
    has_exceptions: Cell<bool>,
    /// By the low bits of a hook's place: whether any such component is leaving or was switched. So most
    /// of the others are told from these without a look at the tables.
    marks: Marks,
    /// How many components there were at most.
    most: Peak,
}

/// A bit for each group of hooks whose places end in the same bits.
#[derive(Debug, Default)]
struct Marks(RefCell<Box<[u64]>>);

impl Marks {
    const WORDS: usize = 16;

    fn bit(hook: HookId) -> (usize, u64) {
        let place = hook.0.index();
        (place / 64 % Self::WORDS, 1 << (place % 64))
    }

    fn set(&self, hook: HookId) {
        let mut words = self.0.borrow_mut();
        if words.is_empty() {
            *words = vec![0; Self::WORDS].into();
        }
        let (word, bit) = Self::bit(hook);
        words[word] |= bit;
    }

    fn get(&self, hook: HookId) -> bool {
        let (word, bit) = Self::bit(hook);
        let words = self.0.borrow();
        words.get(word).is_some_and(|word| word & bit != 0)
    }

    fn clear(&self) {
        self.0.borrow_mut().fill(0);
    }
}

/// A component was enabled or disabled, and which change of this kind that was.
#[derive(Clone, Copy, Debug)]
struct Switch {
    enabled: bool,
    number: u64,
}

impl Roster {
    pub(super) fn new(component: u32, component_name: &'static str) -> Self {
        Self {
            component,
            component_name,
            meta: Vec::new(),
            sparse: Sparse::default(),
            active: 0,
            at_hand: Cell::new(0),
            leaving: RefCell::default(),
            kept: Cell::new(0),
            switched: RefCell::default(),
            has_exceptions: Cell::new(false),
            marks: Marks::default(),
            most: Peak::default(),
        }
    }

    /// The index of the components' type.
    #[inline]
    pub(crate) fn component(&self) -> u32 {
        self.component
    }

    /// The name of the components' type.
    #[inline]
    pub(crate) fn component_name(&self) -> &'static str {
        self.component_name
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.meta.len()
    }

    /// Returns how many components, from the front, are enabled.
    #[inline]
    pub(crate) fn active(&self) -> usize {
        self.active
    }

    #[inline]
    pub(crate) fn meta(&self, slot: usize) -> Meta {
        self.meta[slot]
    }

    /// The owner of each component, in storage order.
    #[inline]
    pub(crate) fn owners(&self) -> impl Iterator<Item = MessageeId> {
        self.meta.iter().map(|meta| meta.owner)
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

    /// The slot of the messagee's only component.
    pub(crate) fn slot_of(&self, id: MessageeId) -> Option<u32> {
        let slot = self.sparse.get(id)?;
        ((slot as usize) < self.meta.len()).then_some(slot)
    }

    /// Returns `true` if a component may have to be left out, or a message for it may have to wait.
    #[inline]
    pub(crate) fn has_exceptions(&self) -> bool {
        self.has_exceptions.get()
    }

    /// The slots of all components that may be enabled, or one of them if it is given and is among
    /// them.
    pub(super) fn candidates(&self, slot: Option<u32>) -> Range<usize> {
        let end = if self.has_exceptions() {
            self.meta.len()
        } else {
            self.active
        };
        match slot {
            Some(slot) => slot as usize..end.min(slot as usize + 1),
            None => 0..end,
        }
    }

    /// Returns `true` if a component is enabled, and neither leaving nor switched in this dispatch. It may
    /// be all of that also if this returns `false`.
    #[inline(never)]
    pub(crate) fn is_ordinary(&self, slot: usize) -> bool {
        slot < self.active && !self.marks.get(self.meta[slot].hook)
    }

    pub(crate) fn is_enabled(&self, slot: usize) -> bool {
        if self.has_exceptions.get()
            && let Some(switch) = self.switched.borrow().get(&self.meta[slot].hook)
        {
            return switch.enabled;
        }
        slot < self.active
    }

    /// Enables or disables a component at once; it stays on its side of the border. `number` counts
    /// these changes. Returns `true` if it is the first of this component since it was
    /// [settled](Self::settle_switch).
    pub(crate) fn switch(&self, slot: usize, enabled: bool, number: u64) -> bool {
        let switch = Switch { enabled, number };
        let before = self
            .switched
            .borrow_mut()
            .insert(self.meta[slot].hook, switch);
        self.marks.set(self.meta[slot].hook);
        self.recount();
        before.is_none()
    }

    /// Returns `true` if the component was enabled by a change with a higher number.
    pub(crate) fn was_enabled_since(&self, slot: usize, number: u64) -> bool {
        if !self.marks.get(self.meta[slot].hook) {
            return false;
        }
        let switched = self.switched.borrow();
        let switch = switched.get(&self.meta[slot].hook);
        switch.is_some_and(|switch| switch.enabled && switch.number > number)
    }

    /// Forgets that the component was switched, and tells whether it was enabled or disabled.
    pub(crate) fn settle_switch(&mut self, slot: usize) -> Option<bool> {
        let switch = self.switched.get_mut().remove(&self.meta[slot].hook)?;
        self.recount();
        Some(switch.enabled)
    }

    pub(crate) fn mark_leaving(&self, slot: usize) {
        self.leaving.borrow_mut().insert(self.meta[slot].hook);
        self.marks.set(self.meta[slot].hook);
        self.recount();
    }

    pub(crate) fn is_leaving(&self, slot: usize) -> bool {
        self.has_exceptions.get() && self.leaving.borrow().contains(&self.meta[slot].hook)
    }

    /// A message is kept for a component, or is not any more.
    pub(crate) fn count_kept(&self, one_more: bool) {
        let kept = self.kept.get();
        self.kept.set(if one_more { kept + 1 } else { kept - 1 });
        self.recount();
    }

    /// Enters an enabled component, whose value is the last. Returns its slot and the last one: where
    /// they differ, their values are to be swapped.
    #[inline]
    pub(super) fn enter(&mut self, meta: Meta) -> [usize; 2] {
        self.meta.push(meta);
        let (slot, last) = (self.active, self.meta.len() - 1);
        self.sparse.insert(meta.owner, last);
        self.swap(slot, last);
        self.active += 1;
        self.recount();
        [slot, last]
    }

    /// Moves the component to the other side of the border, if it is not there. Returns its slot and
    /// its new one: where they differ, their values are to be swapped.
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

    /// Forgets a component. Returns its slot and the hole that it leaves: where they differ, their
    /// values are to be swapped. Then the value at the hole is to be removed, and the last one takes
    /// its place.
    #[inline]
    pub(super) fn leave(&mut self, slot: usize) -> [usize; 2] {
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
        self.recount();
        [slot, hole]
    }

    /// Gives back memory. How many components there were at once since the last time.
    pub(super) fn shrink(&mut self, how: Shrink) -> usize {
        let needed = self.most.take().max(self.meta.len());
        how.room(&mut self.meta, needed);
        how.room(self.leaving.get_mut(), needed);
        let owners = self.meta.iter().map(|meta| meta.owner);
        self.sparse.shrink(how, needed, owners);
        needed
    }

    /// After every change of who is enabled, who is leaving, and what is kept.
    #[inline]
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

    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            self.meta.swap(a, b);
            for slot in [a, b] {
                self.sparse.relocate(self.meta[slot].owner, slot);
            }
        }
    }
}
