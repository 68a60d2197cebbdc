//! The messagees of a manager, by index.
//!
//! A record holds the life at its index, the [layout](super::layouts) of the messagee, and the slots of its
//! components in their pools, in hook order. Up to four slots fit in the record, since most messagees have
//! few components; more are in a list. The layout names the component types, so whatever is the same for
//! all messagees of a layout can be looked up by its number.
//!
//! The life is zero unless a messagee is there and stays, so a single comparison finds a messagee that can
//! be sent to. The life of one that is leaving is in a table. A [proxy](crate::proxy) represents a messagee
//! of another manager and has no components: its life and the number of its outbox are kept in the slots.

use std::cell::{Cell, RefCell};

use smallvec::SmallVec;

use crate::address::MessageeId;
use crate::hash::HashedMap;
use crate::key::Key;
use crate::storage::layouts::{LayoutId, Layouts, MOST};

/// The number of slots that fit in a record.
pub(crate) const FEW: usize = 4;

/// The table of records grows by at least this number.
const RECORDS_AT_ONCE: usize = 64;

/// The table of records grows by at least this fraction of its length, which limits the unused part.
const PARTS_OF_RECORDS: usize = 8;

/// Stored in place of a life where no messagee is or it is leaving. No life has these bits.
const NOBODY: u32 = 0;

/// One component of a messagee: its component type, and its slot in that type's pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HookRef {
    pub(crate) component: u32,
    pub(crate) slot: u32,
}

impl HookRef {
    fn narrow_component(self) -> u16 {
        u16::try_from(self.component).expect("a pool has an index of 16 bits")
    }
}

#[derive(Debug, Default)]
pub(crate) struct Record {
    /// The bits of the life of a messagee that is here and stays, or [`NOBODY`].
    life: Cell<u32>,
    layout: LayoutId,
    /// The slots of the components. With more than [`FEW`] components, the first is the number of the list
    /// that holds them. For a proxy, the number of its outbox and the bits of its life.
    slots: [u32; FEW],
}

impl Record {
    #[inline]
    pub(crate) fn layout(&self) -> LayoutId {
        self.layout
    }

    /// Returns the slot of the component at a place below [`FEW`], of a messagee with no more components.
    #[inline]
    pub(crate) fn slot(&self, place: usize) -> Option<u32> {
        self.slots.get(place).copied()
    }

    /// Returns the number of the outbox, if it is a proxy.
    #[inline]
    pub(crate) fn outbox(&self) -> Option<u32> {
        self.is_proxy().then_some(self.slots[0])
    }

    #[inline]
    fn is_proxy(&self) -> bool {
        cfg!(feature = "data") && self.layout == LayoutId::PROXY
    }
}

#[derive(Debug, Default)]
pub(crate) struct Messagees {
    records: Vec<Record>,
    pub(crate) layouts: Layouts,
    /// By index: the bits of the lives of messagees that are leaving.
    leaving: RefCell<HashedMap<u32, u32>>,
    /// The components of messagees that have many.
    lists: Vec<Vec<HookRef>>,
    free_lists: Vec<u32>,
    alive: usize,
}

impl Messagees {
    /// Returns the record of a messagee that is alive, also if it is leaving.
    #[inline]
    pub(crate) fn get(&self, id: MessageeId) -> Option<&Record> {
        self.here(id).or_else(|| self.proxy_or_leaving(id))
    }

    /// Returns the record of a messagee that is alive, is not leaving, and is no proxy.
    #[inline]
    pub(crate) fn here(&self, id: MessageeId) -> Option<&Record> {
        let record = self.records.get(id.0.index())?;
        (record.life.get() == id.0.life_bits()).then_some(record)
    }

    #[cold]
    #[inline(never)]
    fn proxy_or_leaving(&self, id: MessageeId) -> Option<&Record> {
        let record = self.records.get(id.0.index())?;
        let life = if record.is_proxy() {
            Some(record.slots[1])
        } else {
            self.leaving.borrow().get(&id.0.place()).copied()
        };
        (life == Some(id.0.life_bits())).then_some(record)
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
    #[inline]
    pub(crate) fn is_leaving(&self, id: MessageeId) -> bool {
        !self.is_here(id) && self.leaving.borrow().get(&id.0.place()) == Some(&id.0.life_bits())
    }

    /// Returns `true` if the messagee is alive, is not leaving, and is no proxy.
    #[inline]
    pub(crate) fn is_here(&self, id: MessageeId) -> bool {
        self.here(id).is_some()
    }

    pub(crate) fn is_alive(&self, id: MessageeId) -> bool {
        self.get(id).is_some()
    }

    /// Returns `true` if the messagee represents one of another manager.
    #[cfg(feature = "data")]
    pub(crate) fn is_proxy(&self, id: MessageeId) -> bool {
        self.get(id).and_then(Record::outbox).is_some()
    }

    /// Returns the list that holds the components of a messagee, if it has many.
    #[inline]
    fn list(&self, record: &Record) -> Option<&Vec<HookRef>> {
        let has_many = record.layout == LayoutId::CROWDED
            || self.layouts.components(record.layout).len() > FEW;
        has_many.then(|| &self.lists[record.slots[0] as usize])
    }

    /// Returns the components of a messagee, in hook order.
    #[inline]
    pub(crate) fn components<'a>(
        &'a self,
        record: &'a Record,
    ) -> impl Iterator<Item = HookRef> + use<'a> {
        let (few, many): (&[u16], &[HookRef]) = match self.list(record) {
            Some(list) => (&[], list),
            None => (self.layouts.components(record.layout), &[]),
        };
        let few = few
            .iter()
            .zip(record.slots)
            .map(|(&component, slot)| HookRef {
                component: component.into(),
                slot,
            });
        few.chain(many.iter().copied())
    }

    /// Like [`components`](Self::components), for an id: none if the messagee is not alive.
    pub(crate) fn components_of(&self, id: MessageeId) -> impl Iterator<Item = HookRef> {
        let components = self.get(id).map(|record| self.components(record));
        components.into_iter().flatten()
    }

    /// Returns the slot of the component at a place in the list of a messagee with many components.
    #[cold]
    pub(crate) fn slot_in_list(&self, record: &Record, place: usize) -> u32 {
        let list = self.list(record);
        list.expect("its stops were found in its list")[place].slot
    }

    /// Adds a component at the end.
    #[inline]
    pub(super) fn push(&mut self, owner: MessageeId, at: HookRef) {
        let record = self.records.get_mut(owner.0.index());
        let record = record.expect("a component is hooked to a messagee that is alive");
        let len = self.layouts.components(record.layout).len();
        if len >= FEW || record.layout == LayoutId::CROWDED {
            return self.push_to_list(owner, at);
        }
        record.slots[len] = at.slot;
        record.layout = self.layouts.push(record.layout, at.narrow_component());
    }

    /// Like [`push`](Self::push), where the record is full.
    #[cold]
    #[inline(never)]
    fn push_to_list(&mut self, owner: MessageeId, at: HookRef) {
        let record = self.records.get_mut(owner.0.index());
        let record = record.expect("its record was found full");
        let components = self.layouts.components(record.layout);
        if components.len() == FEW {
            let list = self.free_lists.pop().unwrap_or_else(|| {
                self.lists.push(Vec::new());
                u32::try_from(self.lists.len() - 1).expect("there are no more lists than messagees")
            });
            let few = components.iter().zip(record.slots);
            self.lists[list as usize].extend(few.map(|(&component, slot)| HookRef {
                component: component.into(),
                slot,
            }));
            record.slots[0] = list;
        }
        self.lists[record.slots[0] as usize].push(at);
        if record.layout != LayoutId::CROWDED {
            record.layout = self.layouts.push(record.layout, at.narrow_component());
        }
    }

    /// Removes the last component of a messagee that is alive. Returns `None` when it has none.
    #[inline]
    pub(crate) fn pop(&mut self, owner: MessageeId) -> Option<HookRef> {
        let record = self.records.get_mut(owner.0.index())?;
        let components = self.layouts.components(record.layout);
        if components.len() > FEW || record.layout == LayoutId::CROWDED {
            return self.pop_from_list(owner);
        }
        let component = u32::from(*components.last()?);
        let slot = record.slots[components.len() - 1];
        record.layout = self.layouts.pop(record.layout);
        Some(HookRef { component, slot })
    }

    #[cold]
    #[inline(never)]
    fn pop_from_list(&mut self, owner: MessageeId) -> Option<HookRef> {
        let record = self.records.get_mut(owner.0.index())?;
        let number = record.slots[0];
        let list = &mut self.lists[number as usize];
        let popped = list.pop()?;
        if record.layout != LayoutId::CROWDED {
            record.layout = self.layouts.pop(record.layout);
        } else if list.len() == MOST {
            let components = list.iter().map(|at| at.narrow_component());
            record.layout = self.layouts.replace(record.layout, components);
        }
        if list.len() == FEW {
            for (slot, at) in record.slots.iter_mut().zip(list.drain(..)) {
                *slot = at.slot;
            }
            self.free_lists.push(number);
        }
        Some(popped)
    }

    /// Removes a component of a messagee that is alive. Those behind it move up.
    pub(crate) fn remove_component(&mut self, owner: MessageeId, at: HookRef) {
        let record = self.get(owner).expect("the owner of a live hook is alive");
        let is_last = if let Some(list) = self.list(record) {
            list.last() == Some(&at)
        } else {
            let components = self.layouts.components(record.layout);
            let slot = record.slots.get(components.len().wrapping_sub(1));
            slot == Some(&at.slot) && components.last() == Some(&at.narrow_component())
        };
        if is_last {
            self.pop(owner);
            return;
        }
        let mut components: SmallVec<[HookRef; 8]> = self.components(record).collect();
        if let Some(place) = components.iter().position(|other| *other == at) {
            components.remove(place);
            self.set_components(owner, &components);
        }
    }

    /// Gives a messagee that is alive these components, instead of those that it has.
    pub(crate) fn set_components(&mut self, owner: MessageeId, components: &[HookRef]) {
        let record = self.get(owner).expect("the messagee is alive");
        let had_list = self.list(record).is_some();
        let record = self.records.get_mut(owner.0.index());
        let record = record.expect("a messagee that is alive has a record");
        if had_list {
            self.lists[record.slots[0] as usize].clear();
            self.free_lists.push(record.slots[0]);
        }
        if components.len() > FEW {
            let list = self.free_lists.pop().unwrap_or_else(|| {
                self.lists.push(Vec::new());
                u32::try_from(self.lists.len() - 1).expect("there are no more lists than messagees")
            });
            self.lists[list as usize].extend_from_slice(components);
            record.slots[0] = list;
        } else {
            for (slot, at) in record.slots.iter_mut().zip(components) {
                *slot = at.slot;
            }
        }
        let types = components.iter().map(|at| at.narrow_component());
        record.layout = self.layouts.replace(record.layout, types);
    }

    /// Returns the place of a component in hook order.
    #[inline]
    pub(super) fn place_of(&self, owner: MessageeId, at: HookRef) -> Option<usize> {
        let record = self.records.get(owner.0.index())?;
        if let Some(list) = self.list(record) {
            return list.iter().position(|other| *other == at);
        }
        let components = self.layouts.components(record.layout);
        let mut places = components.iter().zip(record.slots);
        places
            .position(|(&component, slot)| slot == at.slot && u32::from(component) == at.component)
    }

    /// Updates the slot of the component at a place.
    #[inline]
    pub(super) fn set_slot(&mut self, owner: MessageeId, place: usize, slot: u32) {
        let Some(record) = self.records.get_mut(owner.0.index()) else {
            return;
        };
        let has_many = record.layout == LayoutId::CROWDED
            || self.layouts.components(record.layout).len() > FEW;
        if has_many {
            self.lists[record.slots[0] as usize][place].slot = slot;
        } else {
            record.slots[place] = slot;
        }
    }

    /// Returns the record for a messagee that is about to be inserted.
    #[inline]
    fn put(&mut self, id: MessageeId) -> &mut Record {
        if id.0.index() >= self.records.len() {
            self.make_records(id.0.index() + 1);
        }
        &mut self.records[id.0.index()]
    }

    #[cold]
    fn make_records(&mut self, len: usize) {
        let more = (len - self.records.len()).max(self.records.len() / PARTS_OF_RECORDS);
        if len > self.records.capacity() {
            self.records.reserve_exact(more.max(RECORDS_AT_ONCE));
        }
        self.records.resize_with(len, Record::default);
    }

    pub(crate) fn insert(&mut self, id: MessageeId) {
        *self.put(id) = Record {
            life: Cell::new(id.0.life_bits()),
            ..Record::default()
        };
        self.alive += 1;
    }

    /// Like [`insert`](Self::insert), for a proxy.
    #[cfg(feature = "data")]
    pub(crate) fn insert_proxy(&mut self, id: MessageeId, outbox: u32) {
        let mut slots = [0; FEW];
        [slots[0], slots[1]] = [outbox, id.0.life_bits()];
        *self.put(id) = Record {
            life: Cell::new(NOBODY),
            layout: LayoutId::PROXY,
            slots,
        };
        self.alive += 1;
    }

    /// Removes a messagee whose components are gone.
    pub(crate) fn remove(&mut self, id: MessageeId) {
        if self.get(id).is_none() {
            return;
        }
        if !self.is_here(id) {
            self.leaving.get_mut().remove(&id.0.place());
        }
        if let Some(record) = self.records.get_mut(id.0.index()) {
            debug_assert!(record.layout == LayoutId::EMPTY || record.is_proxy());
            *record = Record::default();
            self.alive -= 1;
        }
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        let last = self.iter().map(|id| id.0.index()).max();
        self.records.truncate(last.map_or(0, |last| last + 1));
        self.records.shrink_to_fit();
        self.leaving.get_mut().shrink_to_fit();
        if self.free_lists.len() == self.lists.len() {
            self.free_lists.clear();
            self.lists.clear();
        }
        self.lists.iter_mut().for_each(Vec::shrink_to_fit);
        self.lists.shrink_to_fit();
        self.free_lists.shrink_to_fit();
        self.layouts.shrink_to_fit();
    }

    pub(crate) fn len(&self) -> usize {
        self.alive
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = MessageeId> {
        self.records
            .iter()
            .enumerate()
            .filter_map(|(index, record)| {
                let place = u32::try_from(index).expect("an index is that of an id");
                let life = if record.is_proxy() {
                    record.slots[1]
                } else if record.life.get() == NOBODY {
                    *self.leaving.borrow().get(&place)?
                } else {
                    record.life.get()
                };
                Key::from_halves(place, life).map(MessageeId)
            })
    }
}
