//! The messagees of a manager, by index.
//!
//! A record holds the generation that its place is in; an id is good when it has that generation and
//! this manager's number, and somebody is alive there. Next to it stand the hooks of the messagee's
//! components in the order of hooking, by their places: up to four in the record, more in a list
//! elsewhere, as most messagees have few.
//!
//! Most of what is posted or published asks only whether somebody is alive: that is told by a dense list
//! of lives, which holds for each index the bits of the life that is there now, or zero. A
//! [proxy](crate::proxy) stands for somebody elsewhere: it has a record and no life in that list, so that
//! the short ways, which look there alone, leave it to the long ones.

use std::cell::Cell;

use crate::address::MessageeId;
use crate::identity::ManagerNumber;
use crate::key::Key;
use crate::room::{Peak, Shrink};
use crate::storage::paged::Paged;

/// How many hooks find room in a record.
const FEW: usize = 4;

/// Stands where the number of hooks would, when they are in a list elsewhere.
pub(super) const MANY: u8 = u8::MAX;

/// Stands where the number of hooks would, for a proxy: it has none, and the number of its outbox in their
/// place.
const PROXY: u8 = MANY - 1;

/// The list of lives grows by so many at least.
const LIVES_AT_ONCE: usize = 64;

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
    generation: u16,
    /// The number of hooks, or [`MANY`].
    pub(super) len: u8,
    state: Cell<State>,
    /// The places of the hooks, or first the number of the list in which they are.
    pub(super) hooks: [u32; FEW],
}

impl Record {
    #[inline]
    pub(crate) fn is_leaving(&self) -> bool {
        self.state.get() == State::Leaving
    }

    pub(crate) fn mark_leaving(&self) {
        self.state.set(State::Leaving);
    }

    /// The number of the outbox, if it is a proxy.
    #[inline]
    pub(crate) fn outbox(&self) -> Option<u32> {
        (cfg!(feature = "data") && self.len == PROXY).then(|| self.hooks[0])
    }
}

#[derive(Debug)]
pub(crate) struct Messagees {
    manager: ManagerNumber,
    /// By index: the bits of the life of who is alive there, or [`NOBODY`].
    lives: Vec<u32>,
    /// So many lives were needed: up to the highest index of who came.
    most_lives: Peak,
    pub(super) records: Paged<Record>,
    /// The hooks of those who have many.
    pub(super) lists: Vec<Vec<u32>>,
    free_lists: Vec<u32>,
    alive: usize,
    most_alive: Peak,
}

impl Messagees {
    pub(crate) fn new(manager: ManagerNumber) -> Self {
        Self {
            manager,
            lives: Vec::new(),
            most_lives: Peak::default(),
            records: Paged::default(),
            lists: Vec::new(),
            free_lists: Vec::new(),
            alive: 0,
            most_alive: Peak::default(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, id: MessageeId) -> Option<&Record> {
        let record = self.records.get(id.0.index())?;
        let life = self.manager.life_bits(record.generation);
        (life == id.0.life_bits() && record.state.get() != State::Free).then_some(record)
    }

    /// As [`get`](Self::get), of a messagee of which is known that it is alive.
    #[inline]
    pub(crate) fn of_live(&self, id: MessageeId) -> Option<&Record> {
        self.records.get(id.0.index())
    }

    /// Returns `true` if the messagee is alive and no proxy.
    #[inline]
    pub(crate) fn is_here(&self, id: MessageeId) -> bool {
        self.lives.get(id.0.index()) == Some(&id.0.life_bits())
    }

    pub(crate) fn is_alive(&self, id: MessageeId) -> bool {
        self.is_here(id) || self.get(id).is_some()
    }

    /// The places of the hooks of a messagee, in the order of hooking.
    #[inline]
    pub(crate) fn hooks<'a>(&'a self, record: &'a Record) -> &'a [u32] {
        match record.hooks.get(..usize::from(record.len)) {
            Some(hooks) => hooks,
            None if record.len == PROXY => &[],
            None => &self.lists[record.hooks[0] as usize],
        }
    }

    /// A hook comes last in the list of its owner.
    pub(super) fn push_hook(&mut self, owner: MessageeId, hook: u32) {
        let record = self.records.get_mut(owner.0.index());
        let record = record.expect("a component is hooked to a messagee that is alive");
        let len = usize::from(record.len);
        if let Some(place) = record.hooks.get_mut(len) {
            *place = hook;
            record.len += 1;
        } else if record.len == MANY {
            self.lists[record.hooks[0] as usize].push(hook);
        } else {
            let list = self.free_lists.pop().unwrap_or_else(|| {
                self.lists.push(Vec::new());
                u32::try_from(self.lists.len() - 1).expect("there are no more lists than messagees")
            });
            let hooks = &mut self.lists[list as usize];
            hooks.extend_from_slice(&record.hooks);
            hooks.push(hook);
            record.hooks[0] = list;
            record.len = MANY;
        }
    }

    /// The last hook leaves the list of its owner. `None` when it has none, or is not alive.
    pub(crate) fn pop_hook(&mut self, owner: MessageeId) -> Option<u32> {
        let record = self.records.get_mut(owner.0.index())?;
        if record.generation != owner.0.short_generation() {
            return None;
        }
        if record.len == MANY {
            return self.lists[record.hooks[0] as usize].pop();
        }
        if record.len == PROXY {
            return None;
        }
        record.len = record.len.checked_sub(1)?;
        record.hooks.get(usize::from(record.len)).copied()
    }

    /// A hook leaves the list of its owner, which is alive; those behind it move up.
    pub(crate) fn remove_hook(&mut self, owner: MessageeId, hook: u32) {
        let record = self.records.get_mut(owner.0.index());
        let record = record.expect("the owner of a live hook is alive");
        if record.len == MANY {
            let list = &mut self.lists[record.hooks[0] as usize];
            if let Some(at) = list.iter().position(|&other| other == hook) {
                list.remove(at);
            }
            return;
        }
        let hooks = &mut record.hooks[..usize::from(record.len)];
        if let Some(at) = hooks.iter().position(|&other| other == hook) {
            hooks.copy_within(at + 1.., at);
            record.len -= 1;
        }
    }

    pub(crate) fn insert(&mut self, id: MessageeId) {
        let index = id.0.index();
        if index >= self.lives.len() {
            self.make_lives(index + 1);
        }
        self.lives[index] = id.0.life_bits();
        self.most_lives.note(index + 1);
        *self.records.put(id.0.index()) = Record {
            generation: id.0.short_generation(),
            state: Cell::new(State::Alive),
            ..Record::default()
        };
        self.alive += 1;
    }

    /// As [`insert`](Self::insert), of a proxy.
    #[cfg(feature = "data")]
    pub(crate) fn insert_proxy(&mut self, id: MessageeId, outbox: u32) {
        let mut hooks = [0; FEW];
        hooks[0] = outbox;
        *self.records.put(id.0.index()) = Record {
            generation: id.0.short_generation(),
            len: PROXY,
            state: Cell::new(State::Alive),
            hooks,
        };
        self.alive += 1;
    }

    /// Makes room for so many lives; an eighth more than there are, so that many take little.
    #[cold]
    fn make_lives(&mut self, len: usize) {
        let more = (len - self.lives.len()).max(self.lives.len() / 8);
        if len > self.lives.capacity() {
            self.lives.reserve_exact(more.max(LIVES_AT_ONCE));
        }
        self.lives.resize(len, NOBODY);
    }

    /// Forgets a messagee, whose components are gone.
    pub(crate) fn remove(&mut self, id: MessageeId) {
        if !self.is_alive(id) {
            return;
        }
        if let Some(life) = self.lives.get_mut(id.0.index()) {
            *life = NOBODY;
        }
        if let Some(record) = self.records.get_mut(id.0.index()) {
            if record.len == MANY {
                let list = record.hooks[0];
                self.lists[list as usize] = Vec::new();
                self.free_lists.push(list);
            }
            *record = Record::default();
            self.most_alive.note(self.alive);
            self.alive -= 1;
        }
    }

    /// Gives back memory. How many were alive at once since the last time.
    pub(crate) fn shrink(&mut self, how: Shrink) -> usize {
        let needed = self.most_alive.take().max(self.alive);
        if self.records.is_due(how, needed) {
            self.records
                .give_back(how, |record| record.state.get() != State::Free);
        }
        if self.free_lists.len() == self.lists.len() {
            self.free_lists.clear();
            self.lists.clear();
        }
        // Indices may be high although few were alive at once.
        let lives = self.most_lives.take();
        if how.is_due(self.lives.len(), lives, size_of::<u32>()) || how == Shrink::ToFit {
            let last = self.lives.iter().rposition(|&life| life != NOBODY);
            self.lives.truncate(last.map_or(0, |last| last + 1));
        }
        how.room(&mut self.lives, lives);
        how.room(&mut self.lists, 0);
        how.room(&mut self.free_lists, 0);
        needed
    }

    pub(crate) fn len(&self) -> usize {
        self.alive
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = MessageeId> {
        let records = self.records.iter();
        let alive = records.filter(|(_, record)| record.state.get() != State::Free);
        alive.map(|(index, record)| {
            let place = u32::try_from(index).expect("an index is that of an id");
            MessageeId(Key::of_generation(self.manager, record.generation, place))
        })
    }
}
