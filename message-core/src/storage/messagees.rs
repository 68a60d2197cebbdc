//! The messagees of a manager, by index.
//!
//! A dense list of lives holds for each index the bits of the life that is there now, or zero. An id is
//! good when it has these bits. Most of what is posted or published asks only that.
//!
//! A record holds the hooks of the messagee's components in the order of hooking, by their places: up to
//! four in the record, more in a list elsewhere, as most messagees have few. Nothing in it is aligned,
//! so that it takes less.
//!
//! A [proxy](crate::proxy) stands for somebody elsewhere: it has no life in the list, so that the short
//! ways, which look there alone, leave it to the long ones. The bits of its life are in its record, in the
//! place of hooks, which it does not have. A messagee that is leaving has no life in the list either, so that
//! the fast paths need not check for it. Its bits are in a table.

use std::cell::{Cell, RefCell};

use crate::address::{MessageeId, Recipient};
use crate::hash::HashedMap;
use crate::key::Key;
use crate::storage::Unaligned;
use crate::storage::paged::Paged;

/// How many hooks find room in a record.
const FEW: usize = 4;

/// Stands where the number of hooks would, when they are in a list elsewhere.
const MANY: u8 = u8::MAX;

/// Stands where the number of hooks would, for a proxy: it has none, and in their place the number of its
/// outbox and the bits of its life.
const PROXY: u8 = MANY - 1;

/// The list of lives grows by so many at least.
const LIVES_AT_ONCE: usize = 64;

/// The list of lives grows by one part of so many, which is the most that it takes in vain.
const PARTS_OF_LIVES: usize = 8;

/// Stands where the bits of a life would, where nobody is alive: no life has these bits.
const NOBODY: u32 = 0;

/// Where one component of a messagee is: component type and slot in that type's pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HookRef {
    pub(crate) component: u32,
    pub(crate) slot: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Free,
    Alive,
    /// Its despawning waits for the end of the outermost send.
    Leaving,
}

#[derive(Debug, Default)]
pub(crate) struct Record {
    /// The number of hooks, or [`MANY`] or [`PROXY`].
    len: u8,
    state: Cell<State>,
    /// The places of the hooks, or first the number of the list in which they are.
    hooks: [Unaligned; FEW],
}

impl Record {
    #[inline]
    pub(crate) fn is_leaving(&self) -> bool {
        self.state.get() == State::Leaving
    }

    /// The number of the outbox, if it is a proxy.
    #[inline]
    pub(crate) fn outbox(&self) -> Option<u32> {
        self.is_proxy().then(|| self.hooks[0].get())
    }

    #[inline]
    fn is_proxy(&self) -> bool {
        cfg!(feature = "data") && self.len == PROXY
    }

    /// The number of the list in which the hooks are, if they are in one.
    #[inline]
    fn list(&self) -> Option<usize> {
        (self.len == MANY).then(|| self.hooks[0].get() as usize)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Messagees {
    /// By index: the bits of the life of who is alive there and stays, or [`NOBODY`].
    lives: Vec<Cell<u32>>,
    /// By index: the bits of the lives of those who are leaving.
    leaving: RefCell<HashedMap<u32, u32>>,
    records: Paged<Record>,
    /// The hooks of those who have many.
    lists: Vec<Vec<Unaligned>>,
    free_lists: Vec<u32>,
    alive: usize,
}

impl Messagees {
    #[inline]
    pub(crate) fn get(&self, id: MessageeId) -> Option<&Record> {
        if self.is_here(id) {
            self.of_live(id)
        } else {
            self.proxy(id).or_else(|| self.leaving(id))
        }
    }

    /// As [`get`](Self::get), of a messagee of which is known that it is alive.
    #[inline]
    pub(crate) fn of_live(&self, id: MessageeId) -> Option<&Record> {
        self.records.get(id.0.index())
    }

    /// As [`get`](Self::get), of a proxy.
    #[inline]
    fn proxy(&self, id: MessageeId) -> Option<&Record> {
        let record = self.records.get(id.0.index())?;
        let is_it = record.is_proxy() && record.hooks[1].get() == id.0.life_bits();
        is_it.then_some(record)
    }

    /// As [`get`](Self::get), of one that is leaving and no proxy.
    #[cold]
    fn leaving(&self, id: MessageeId) -> Option<&Record> {
        let record = self.records.get(id.0.index())?;
        let is_it = record.is_leaving()
            && self.leaving.borrow().get(&id.0.place()) == Some(&id.0.life_bits());
        is_it.then_some(record)
    }

    /// Marks a messagee that is despawned when the outermost send ends. `None` if it is not alive.
    pub(crate) fn mark_leaving(&self, id: MessageeId) -> Option<&Record> {
        let record = self.get(id)?;
        if !record.is_leaving() && !record.is_proxy() {
            self.lives[id.0.index()].set(NOBODY);
            let mut leaving = self.leaving.borrow_mut();
            leaving.insert(id.0.place(), id.0.life_bits());
        }
        record.state.set(State::Leaving);
        Some(record)
    }

    /// Returns `true` if the messagee is alive, is not leaving, and is no proxy.
    #[inline]
    pub(crate) fn is_here(&self, id: MessageeId) -> bool {
        let life = self.lives.get(id.0.index());
        life.is_some_and(|life| life.get() == id.0.life_bits())
    }

    pub(crate) fn is_alive(&self, id: MessageeId) -> bool {
        self.get(id).is_some()
    }

    /// Returns `true` if the messagee stands for one of another manager.
    #[cfg(feature = "data")]
    pub(crate) fn is_proxy(&self, id: MessageeId) -> bool {
        self.get(id).and_then(Record::outbox).is_some()
    }

    /// The messagee that a recipient names by its id, if it is alive.
    #[inline]
    pub(crate) fn one_recipient(&self, recipient: &Recipient) -> Option<&Record> {
        match *recipient {
            Recipient::Id(id) => self.get(id),
            _ => None,
        }
    }

    /// The places of the hooks of a messagee, in the order of hooking.
    #[inline]
    pub(crate) fn hooks<'a>(&'a self, record: &'a Record) -> impl Iterator<Item = u32> + use<'a> {
        self.hook_list(record).iter().map(|hook| hook.get())
    }

    /// As [`hooks`](Self::hooks), of the messagee with an id: none if it is not alive.
    pub(crate) fn hooks_of(&self, id: MessageeId) -> impl Iterator<Item = u32> {
        let hooks = self.get(id).map(|record| self.hooks(record));
        hooks.into_iter().flatten()
    }

    /// As [`hooks`](Self::hooks), as they stand here.
    #[inline]
    pub(crate) fn hook_list<'a>(&'a self, record: &'a Record) -> &'a [Unaligned] {
        match record.hooks.get(..usize::from(record.len)) {
            Some(hooks) => hooks,
            None => record.list().map_or(&[], |list| &self.lists[list]),
        }
    }

    /// A hook comes last in the list of its owner.
    #[inline]
    pub(super) fn push_hook(&mut self, owner: MessageeId, hook: u32) {
        let record = self.records.get_mut(owner.0.index());
        let record = record.expect("a component is hooked to a messagee that is alive");
        let len = usize::from(record.len);
        if let Some(place) = record.hooks.get_mut(len) {
            *place = Unaligned::new(hook);
            record.len += 1;
        } else {
            self.push_to_list(owner, hook);
        }
    }

    /// As [`push_hook`](Self::push_hook), where the record is full.
    #[cold]
    #[inline(never)]
    fn push_to_list(&mut self, owner: MessageeId, hook: u32) {
        let record = self.records.get_mut(owner.0.index());
        let record = record.expect("its record was found full");
        let list = record.list().unwrap_or_else(|| {
            let list = self.free_lists.pop().unwrap_or_else(|| {
                self.lists.push(Vec::new());
                u32::try_from(self.lists.len() - 1).expect("there are no more lists than messagees")
            });
            self.lists[list as usize].extend_from_slice(&record.hooks);
            record.hooks[0] = Unaligned::new(list);
            record.len = MANY;
            list as usize
        });
        self.lists[list].push(Unaligned::new(hook));
    }

    /// The last hook leaves the list of its owner, which is alive. `None` when it has none.
    #[inline]
    pub(crate) fn pop_hook(&mut self, owner: MessageeId) -> Option<u32> {
        let record = self.records.get_mut(owner.0.index())?;
        let last = record.len.checked_sub(1)?;
        if let Some(hook) = record.hooks.get(usize::from(last)) {
            record.len -= 1;
            return Some(hook.get());
        }
        self.lists
            .get_mut(record.list()?)?
            .pop()
            .map(Unaligned::get)
    }

    /// A hook leaves the list of its owner, which is alive; those behind it move up.
    pub(crate) fn remove_hook(&mut self, owner: MessageeId, hook: u32) {
        let record = self.records.get_mut(owner.0.index());
        let record = record.expect("the owner of a live hook is alive");
        if let Some(list) = record.list() {
            let list = &mut self.lists[list];
            if let Some(at) = list.iter().position(|other| other.get() == hook) {
                list.remove(at);
            }
            return;
        }
        let hooks = &mut record.hooks[..usize::from(record.len)];
        if let Some(at) = hooks.iter().position(|other| other.get() == hook) {
            hooks.copy_within(at + 1.., at);
            record.len -= 1;
        }
    }

    /// Puts the hooks of a messagee in this order. They are its own, all of them.
    #[cfg(feature = "data")]
    pub(crate) fn restore_order(&mut self, owner: MessageeId, hooks: &[u32]) {
        let record = self.records.get_mut(owner.0.index());
        let record = record.expect("the messagee was brought to life");
        let own = if let Some(list) = record.list() {
            &mut self.lists[list][..]
        } else {
            &mut record.hooks[..usize::from(record.len)]
        };
        for (own, &hook) in own.iter_mut().zip(hooks) {
            *own = Unaligned::new(hook);
        }
    }

    pub(crate) fn insert(&mut self, id: MessageeId) {
        let index = id.0.index();
        if index >= self.lives.len() {
            self.make_lives(index + 1);
        }
        self.lives[index].set(id.0.life_bits());
        *self.records.put(id.0.index()) = Record {
            state: Cell::new(State::Alive),
            ..Record::default()
        };
        self.alive += 1;
    }

    /// As [`insert`](Self::insert), of a proxy.
    #[cfg(feature = "data")]
    pub(crate) fn insert_proxy(&mut self, id: MessageeId, outbox: u32) {
        let mut hooks = [Unaligned::default(); FEW];
        [hooks[0], hooks[1]] = [outbox, id.0.life_bits()].map(Unaligned::new);
        *self.records.put(id.0.index()) = Record {
            len: PROXY,
            state: Cell::new(State::Alive),
            hooks,
        };
        self.alive += 1;
    }

    /// Makes room for so many lives, and for some more.
    #[cold]
    fn make_lives(&mut self, len: usize) {
        let more = (len - self.lives.len()).max(self.lives.len() / PARTS_OF_LIVES);
        if len > self.lives.capacity() {
            self.lives.reserve_exact(more.max(LIVES_AT_ONCE));
        }
        self.lives.resize(len, Cell::new(NOBODY));
    }

    /// Forgets a messagee, whose components are gone.
    pub(crate) fn remove(&mut self, id: MessageeId) {
        if self.is_here(id) {
            self.lives[id.0.index()].set(NOBODY);
        } else if self.proxy(id).is_none() {
            if self.leaving(id).is_none() {
                return;
            }
            self.leaving.get_mut().remove(&id.0.place());
        }
        if let Some(record) = self.records.get_mut(id.0.index()) {
            if let Some(list) = record.list() {
                self.lists[list] = Vec::new();
                self.free_lists.push(record.hooks[0].get());
            }
            *record = Record::default();
            self.alive -= 1;
        }
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.records
            .free_unused(|record| record.state.get() != State::Free);
        if self.free_lists.len() == self.lists.len() {
            self.free_lists.clear();
            self.lists.clear();
        }
        let last = self.lives.iter().rposition(|life| life.get() != NOBODY);
        self.lives.truncate(last.map_or(0, |last| last + 1));
        self.lives.shrink_to_fit();
        self.lists.iter_mut().for_each(Vec::shrink_to_fit);
        self.lists.shrink_to_fit();
        self.free_lists.shrink_to_fit();
        self.leaving.get_mut().shrink_to_fit();
    }

    pub(crate) fn len(&self) -> usize {
        self.alive
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = MessageeId> {
        let records = self.records.iter();
        let alive = records.filter(|(_, record)| record.state.get() != State::Free);
        alive.filter_map(|(index, record)| {
            let place = u32::try_from(index).expect("an index is that of an id");
            let life = if record.is_proxy() {
                record.hooks[1].get()
            } else if record.is_leaving() {
                *self.leaving.borrow().get(&place)?
            } else {
                self.lives.get(index)?.get()
            };
            Key::from_halves(place, life).map(MessageeId)
        })
    }
}
