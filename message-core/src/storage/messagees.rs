//! The messagees of a manager, by index.
//!
//! A record holds the life at its index, the [layout](super::layouts) of the messagee, and the slots of its
//! components in their pools, in hook order. Up to four slots fit in the record, since most messagees have
//! few components; more are in a list. The layout names the component types, so whatever is the same for
//! all messagees of a layout can be looked up by its number.
//!
//! The life is zero unless a messagee is there and stays, so a single comparison finds a messagee that can
//! be sent to. The life of one that is leaving is in a table. A [proxy](crate::carrier) represents a messagee
//! that lives elsewhere and has no components: its life and its destination are kept in the slots.

use std::cell::{Cell, RefCell};

use crate::address::{MessageeId, Sender};
use crate::by_field::clone_by_field;
use crate::hash::HashedMap;
use crate::key::Key;
use crate::storage::layouts::{LayoutId, Layouts, MOST};
use crate::storage::{make_room, narrow, narrow_component};

/// The number of slots that fit in a record.
pub(crate) const FEW: usize = 4;

/// Stored in place of a life where no messagee is or it is leaving. No life has these bits.
const NOBODY: u32 = 0;

/// One component of a messagee: its component type, and its slot in that type's pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HookRef {
    pub component: u32,
    pub slot: u32,
}

impl HookRef {
    fn new(component: u16, slot: u32) -> Self {
        let component = component.into();
        Self { component, slot }
    }
}

/// An attached component and its messagee.
#[derive(Clone, Copy, Debug)]
pub struct Hook {
    pub(crate) owner: MessageeId,
    pub component: u32,
    pub slot: u32,
    /// Its place in the hook order of its messagee.
    pub order: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The bits of the life of a messagee that is here and stays, or [`NOBODY`].
    life: Cell<u32>,
    layout: LayoutId,
    /// The slots of the components. With more than [`FEW`] components, the first is the number of the list
    /// that holds them. For a proxy, its destination and the bits of its life.
    slots: [u32; FEW],
}

impl Record {
    pub(crate) fn layout(&self) -> LayoutId {
        self.layout
    }

    /// Returns the slot of the component at a place below [`FEW`], of a messagee with no more components.
    pub(crate) fn slot(&self, place: usize) -> Option<u32> {
        self.slots.get(place).copied()
    }

    /// Returns where the messagee lives that it represents, if it is a proxy: a number for the
    /// [carrier](crate::carrier).
    pub fn destination(&self) -> Option<u32> {
        self.is_proxy().then_some(self.slots[0])
    }

    fn is_proxy(&self) -> bool {
        self.layout == LayoutId::PROXY
    }
}

/// The components of the messagees that have many, by number.
#[derive(Debug, Default)]
struct Lists {
    lists: Vec<Vec<HookRef>>,
    free: Vec<u32>,
}

clone_by_field!(Lists { lists, free });

impl Lists {
    fn get_mut(&mut self, number: u32) -> &mut Vec<HookRef> {
        &mut self.lists[number as usize]
    }

    /// Makes a list. Returns its number.
    fn put(&mut self, components: impl Iterator<Item = HookRef>) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.lists.push(Vec::new());
            narrow(self.lists.len() - 1)
        });
        self.get_mut(number).extend(components);
        number
    }

    fn free(&mut self, number: u32) {
        self.get_mut(number).clear();
        self.free.push(number);
    }

    fn shrink_to_fit(&mut self) {
        if self.free.len() == self.lists.len() {
            *self = Self::default();
        }
        self.lists.iter_mut().for_each(Vec::shrink_to_fit);
        self.lists.shrink_to_fit();
        self.free.shrink_to_fit();
    }
}

#[derive(Debug, Default)]
pub struct Messagees {
    records: Vec<Record>,
    pub(crate) layouts: Layouts,
    /// The bits of the lives of messagees that are leaving, by index.
    leaving: RefCell<HashedMap<u32, u32>>,
    lists: Lists,
    alive: usize,
}

clone_by_field!(Messagees {
    records,
    layouts,
    leaving,
    lists,
    alive
});

impl Messagees {
    /// Returns the record of a messagee that is alive, also if it is leaving.
    #[inline]
    pub fn get(&self, id: MessageeId) -> Option<&Record> {
        let there = self.here(id).or_else(|| self.proxy(id));
        there.or_else(|| self.leaving(id))
    }

    /// Returns the record of a messagee that is alive, is not leaving, and is no proxy.
    pub(crate) fn here(&self, id: MessageeId) -> Option<&Record> {
        let record = self.records.get(id.0.index())?;
        (record.life.get() == id.0.life_bits()).then_some(record)
    }

    /// Returns the record of a proxy that is alive, also if it is leaving.
    #[inline]
    pub(crate) fn proxy(&self, id: MessageeId) -> Option<&Record> {
        let record = self.records.get(id.0.index())?;
        (record.is_proxy() && record.slots[1] == id.0.life_bits()).then_some(record)
    }

    #[cold]
    fn leaving(&self, id: MessageeId) -> Option<&Record> {
        let record = self.records.get(id.0.index())?;
        self.is_leaving(id).then_some(record)
    }

    /// Returns the bits of the life of a messagee that is a proxy or is leaving.
    fn hidden_life(&self, place: u32, record: &Record) -> Option<u32> {
        let leaving = self.leaving.borrow().get(&place).copied();
        leaving.or_else(|| record.is_proxy().then_some(record.slots[1]))
    }

    /// Marks a messagee that is despawned when the outermost send ends. Returns `None` if it is not alive.
    pub(crate) fn mark_leaving(&self, id: MessageeId) -> Option<&Record> {
        let record = self.get(id)?;
        record.life.set(NOBODY);
        let mut leaving = self.leaving.borrow_mut();
        leaving.insert(id.0.place(), id.0.life_bits());
        Some(record)
    }

    /// Returns `true` if the messagee is alive, and despawned when the outermost send ends.
    pub fn is_leaving(&self, id: MessageeId) -> bool {
        !self.is_here(id) && self.leaving.borrow().get(&id.0.place()) == Some(&id.0.life_bits())
    }

    /// Returns `true` if the messagee is alive, is not leaving, and is no proxy.
    #[inline]
    pub fn is_here(&self, id: MessageeId) -> bool {
        self.here(id).is_some()
    }

    /// Returns `true` if no messagee is leaving.
    #[inline]
    pub(crate) fn all_stay(&self) -> bool {
        self.leaving.borrow().is_empty()
    }

    #[inline]
    pub fn is_alive(&self, id: MessageeId) -> bool {
        self.get(id).is_some()
    }

    /// Returns `true` if the messagee represents one of another manager.
    #[inline]
    pub(crate) fn is_proxy(&self, id: MessageeId) -> bool {
        self.proxy(id).is_some()
    }

    /// Returns `true` if a sender represents a messagee of another manager.
    #[inline]
    pub(crate) fn is_by_proxy(&self, sender: Sender) -> bool {
        sender.id().is_some_and(|id| self.is_proxy(id))
    }

    /// Returns the list that holds the components of a messagee, if it has many.
    fn list(&self, record: &Record) -> Option<&Vec<HookRef>> {
        let has_list = self.layouts.has_many(record.layout);
        has_list.then(|| &self.lists.lists[record.slots[0] as usize])
    }

    /// Returns the components of a messagee, in hook order.
    pub(crate) fn components<'a>(
        &'a self,
        record: &'a Record,
    ) -> impl DoubleEndedIterator<Item = HookRef> + ExactSizeIterator + use<'a> {
        let list = self.list(record);
        let types = self.layouts.components(record.layout);
        let len = list.map_or(types.len(), Vec::len);
        (0..len).map(move |place| match list {
            Some(list) => list[place],
            None => HookRef::new(types[place], record.slots[place]),
        })
    }

    /// Returns the record of the messagee at a place, whether it is there or not.
    pub(crate) fn record_at(&self, place: u32) -> Option<&Record> {
        self.records.get(place as usize)
    }

    /// Like [`components`](Self::components), for an id: none if the messagee is not alive.
    pub fn components_of(&self, id: MessageeId) -> impl Iterator<Item = HookRef> {
        let components = self.get(id).map(|record| self.components(record));
        components.into_iter().flatten()
    }

    /// Returns the number of components of a messagee, which is none if it is not alive.
    pub(crate) fn count(&self, id: MessageeId) -> usize {
        let components = self.get(id).map(|record| self.components(record));
        components.map_or(0, |components| components.len())
    }

    /// Returns the component at a place of a messagee that is alive.
    #[inline(always)] // Its result stays in registers: W9.
    pub(crate) fn at(&self, id: MessageeId, place: usize) -> HookRef {
        let record = &self.records[id.0.index()];
        if let Some(list) = self.list(record) {
            return list[place];
        }
        let types = self.layouts.components(record.layout);
        HookRef::new(types[place], record.slots[place])
    }

    /// Returns the slot of the component at a place in the list of a messagee with many components.
    #[cold]
    pub(crate) fn slot_in_list(&self, record: &Record, place: usize) -> u32 {
        let at = self.components(record).nth(place);
        at.expect("its stops are among its components").slot
    }

    /// Adds a component at the end.
    #[inline]
    pub fn push(&mut self, owner: MessageeId, at: HookRef) {
        let record = self.records.get_mut(owner.0.index());
        let record = record.expect("a component is hooked to a messagee that is alive");
        let components = self.layouts.components(record.layout);
        let place = components.len();
        if place == FEW {
            let few = components.iter().zip(&record.slots);
            let few = few.map(|(&component, &slot)| HookRef::new(component, slot));
            record.slots[0] = self.lists.put(few);
        }
        if place >= FEW || record.layout == LayoutId::CROWDED {
            self.lists.get_mut(record.slots[0]).push(at);
        } else {
            record.slots[place] = at.slot;
        }
        let component = narrow_component(at.component);
        record.layout = self.layouts.push(record.layout, component);
    }

    /// Removes the component at a place of a messagee that is alive. Those behind it move up.
    #[inline]
    pub fn remove_component(&mut self, owner: MessageeId, place: usize) {
        let record = &mut self.records[owner.0.index()];
        let was = record.layout;
        if !self.layouts.has_many(was) {
            if place + 1 < self.layouts.components(was).len() {
                record.slots.copy_within(place + 1.., place);
            }
            record.layout = self.layouts.remove(was, place);
            return;
        }
        let number = record.slots[0];
        let list = self.lists.get_mut(number);
        if place + 1 < list.len() {
            list.remove(place);
        } else {
            list.pop();
        }
        record.layout = if was == LayoutId::CROWDED {
            let types = list.iter().map(|at| narrow_component(at.component));
            self.layouts.replace(was, types)
        } else {
            self.layouts.remove(was, place)
        };
        if list.len() == FEW {
            for (slot, at) in record.slots.iter_mut().zip(list) {
                *slot = at.slot;
            }
            self.lists.free(number);
        }
    }

    /// Updates a component of a messagee that has moved to another slot.
    #[inline]
    pub(crate) fn move_component(&mut self, owner: MessageeId, from: HookRef, to: u32) {
        let record = &mut self.records[owner.0.index()];
        let slot = if self.layouts.has_many(record.layout) {
            let mut list = self.lists.get_mut(record.slots[0]).iter_mut();
            list.find(|at| **at == from).map(|at| &mut at.slot)
        } else {
            let types = self.layouts.components(record.layout);
            let mut few = record.slots.iter_mut().zip(types);
            let found =
                few.find(|(slot, ty)| **slot == from.slot && u32::from(**ty) == from.component);
            found.map(|(slot, _)| slot)
        };
        *slot.expect("the owner of a component lists it") = to;
    }

    /// Returns the record for a messagee that is about to be inserted.
    #[inline(always)] // A part of each spawning: W9.
    fn put(&mut self, id: MessageeId) -> &mut Record {
        let len = id.0.index() + 1;
        if len > self.records.len() {
            make_room(&mut self.records, len);
            self.records.resize_with(len, Record::default);
        }
        &mut self.records[id.0.index()]
    }

    /// Adds a messagee with the components of a layout, which are in these slots.
    #[inline(always)] // A part of each spawning: W9.
    pub(crate) fn insert(&mut self, id: MessageeId, layout: LayoutId, slots: &[u32; MOST]) {
        let mut few: [u32; FEW] = std::array::from_fn(|place| slots[place]);
        if self.layouts.has_many(layout) {
            let all = self.layouts.components(layout).iter().zip(slots);
            let all = all.map(|(&component, &slot)| HookRef::new(component, slot));
            few[0] = self.lists.put(all);
        }
        self.layouts.acquire(layout);
        *self.put(id) = Record {
            life: Cell::new(id.0.life_bits()),
            layout,
            slots: few,
        };
        self.alive += 1;
    }

    /// Like [`insert`](Self::insert), for a proxy.
    #[cold]
    pub fn insert_proxy(&mut self, id: MessageeId, destination: u32) {
        let mut slots = [0; MOST];
        [slots[0], slots[1]] = [destination, id.0.life_bits()];
        self.insert(id, LayoutId::PROXY, &slots);
        self.put(id).life.set(NOBODY);
    }

    /// Removes a messagee whose components have been removed from their pools.
    #[inline]
    pub fn remove(&mut self, id: MessageeId) {
        let Some(record) = self.get(id) else { return };
        let (layout, first) = (record.layout, record.slots[0]);
        if self.layouts.has_many(layout) {
            self.lists.free(first);
        }
        self.layouts.release(layout);
        if !self.is_here(id) {
            self.leaving.get_mut().remove(&id.0.place());
        }
        self.records[id.0.index()] = Record::default();
        self.alive -= 1;
    }

    pub(crate) fn reserve(&mut self, additional: usize) {
        self.records.reserve(additional);
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        let last = self.iter().map(|id| id.0.index()).max();
        self.records.truncate(last.map_or(0, |last| last + 1));
        self.records.shrink_to_fit();
        self.leaving.get_mut().shrink_to_fit();
        self.lists.shrink_to_fit();
        self.layouts.shrink_to_fit();
    }

    pub(crate) fn len(&self) -> usize {
        self.alive
    }

    pub fn iter(&self) -> impl Iterator<Item = MessageeId> {
        (0..).zip(&self.records).filter_map(|(place, record)| {
            let life = match record.life.get() {
                NOBODY => self.hidden_life(place, record)?,
                life => life,
            };
            Key::from_halves(place, life).map(MessageeId)
        })
    }
}
