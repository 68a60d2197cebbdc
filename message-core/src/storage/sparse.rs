//! From a messagee to its component of one type, in one step: a sparse set, as in Briggs and
//! Torczon, "An Efficient Representation for Sparse Sets" (1993).
//!
//! An entry stands at the messagee's index and says for which of the lives of that place it holds,
//! so that one comparison tells alive, stale and foreign apart. In pages, so that a type that few
//! messagees have takes little room however many there are.

use crate::address::MessageeId;
use crate::storage::narrow;
use crate::storage::paged::Paged;

const PAGE: usize = 256;

/// Stands where a slot would, for a messagee that has, or had, several components of the type.
const SEVERAL: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The bits of the life that it holds for, or zero.
    life: u32,
    slot: u32,
}

/// The slot of each messagee's component.
#[derive(Debug, Default)]
pub(super) struct Sparse {
    entries: Paged<Entry, PAGE>,
}

impl Sparse {
    /// The slot of the messagee's component; `None` when it has none. Of one that has several, a slot
    /// that is not in use.
    #[inline]
    pub(super) fn get(&self, id: MessageeId) -> Option<u32> {
        let entry = self.entries.get(id.0.index())?;
        (entry.life == id.0.life_bits()).then_some(entry.slot)
    }

    /// A component of the messagee has come, in that slot.
    #[inline]
    pub(super) fn insert(&mut self, id: MessageeId, slot: usize) {
        let entry = self.entries.put(id.0.index());
        let life = id.0.life_bits();
        let slot = if entry.life == life {
            SEVERAL
        } else {
            narrow(slot)
        };
        *entry = Entry { life, slot };
    }

    /// A component of the messagee has gone.
    pub(super) fn remove(&mut self, id: MessageeId) {
        self.change(id, |entry| entry.life = 0);
    }

    /// A component of the messagee is in another slot now.
    pub(super) fn relocate(&mut self, id: MessageeId, slot: usize) {
        self.change(id, |entry| entry.slot = narrow(slot));
    }

    /// Frees the pages without an entry of one of these messagees: the owners of all components of the type.
    pub(super) fn shrink_to_fit(&mut self, owners: impl Iterator<Item = MessageeId>) {
        let owners = owners.map(|owner| owner.0.index());
        self.entries.free_all_but(owners);
    }

    /// Changes the entry of a messagee that has one component.
    fn change(&mut self, id: MessageeId, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.entries.get_mut(id.0.index())
            && entry.life == id.0.life_bits()
            && entry.slot != SEVERAL
        {
            change(entry);
        }
    }
}
