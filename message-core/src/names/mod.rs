//! The names of messagees.
//!
//! An id prints its name wherever it appears: in errors, dead letters and events, which hold only ids
//! and outlive the call that made them. The names are therefore kept in a table of the process, by the
//! number of the manager. A manager has a table of its own and removes it when it is dropped, before its number
//! can be given out again.
//!
//! A table holds one name for each place, with the life that has the name. The name stays when that
//! messagee is gone, so that it can still be printed, until the place has another messagee with a name,
//! or the memory is freed. A reader copies a reference to the name and releases the locks: no user code
//! runs while one is held.
//!
//! The first search for an exact name builds an index from names to places, which is kept up to date from
//! then on. Programs that never search by an exact name never pay for it.

pub(crate) mod pattern;

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::identity::{Identity, ManagerNumber};
use crate::key::MessageeId;
use pattern::Pattern;
pub(crate) use pattern::literal;

/// The tables of all managers that are alive.
static TABLES: RwLock<BTreeMap<ManagerNumber, Arc<Table>>> = RwLock::new(BTreeMap::new());

/// Shared with the snapshots that were taken since the last change.
type Table = RwLock<Arc<Known>>;

/// The messagees by their names, and then by their places.
type Index = BTreeMap<(Arc<str>, u32), MessageeId>;

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

fn table_of(id: MessageeId) -> Option<Arc<Table>> {
    read(&TABLES).get(&id.0.manager()).cloned()
}

impl MessageeId {
    /// Returns the name of the messagee, whatever manager has it; also if it is gone, until its place is taken by another
    /// with a name, or the memory is freed.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn_named("Grom", ());
    /// manager.despawn(orc)?;
    /// assert_eq!(orc.name().as_deref(), Some("Grom"));
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn name(self) -> Option<Arc<str>> {
        let table = table_of(self)?;
        let known = read(&table);
        known.get(self)
    }
}

/// Returns the name of a messagee, if no other messagee of its manager has the same.
pub fn only_name_of(id: MessageeId) -> Option<Arc<str>> {
    let table = table_of(id)?;
    let mut known = write(&table);
    let name = known.get(id)?;
    let bearers = bearers(Known::index(&mut known), &name).take(2).count();
    (bearers == 1).then_some(name)
}

/// Returns the messagees with exactly this name, in the order of their places.
fn bearers(index: &Index, name: &Arc<str>) -> impl Iterator<Item = MessageeId> {
    let places = (Arc::clone(name), 0)..=(Arc::clone(name), u32::MAX);
    index.range(places).map(|(_, &id)| id)
}

/// The names of one manager.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    by_place: BTreeMap<u32, (MessageeId, Arc<str>)>,
    /// Built by the first search for an exact name.
    index: Option<Index>,
}

impl Known {
    fn get(&self, id: MessageeId) -> Option<Arc<str>> {
        let (owner, name) = self.by_place.get(&id.0.place())?;
        (*owner == id).then(|| Arc::clone(name))
    }

    /// Names a messagee. An empty name takes its own name away.
    fn set(&mut self, id: MessageeId, name: Arc<str>) {
        let place = id.0.place();
        let before = if !name.is_empty() {
            self.by_place.insert(place, (id, Arc::clone(&name)))
        } else if self.get(id).is_some() {
            self.by_place.remove(&place)
        } else {
            return;
        };
        if let Some(index) = &mut self.index {
            if let Some((_, before)) = before {
                index.remove(&(before, place));
            }
            if !name.is_empty() {
                index.insert((name, place), id);
            }
        }
    }

    /// Returns the index. One that is there already copies nothing.
    fn index(this: &mut Arc<Self>) -> &Index {
        if this.index.is_none() {
            let names = this.by_place.iter();
            let names = names.map(|(&place, (id, name))| ((Arc::clone(name), place), *id));
            let index = names.collect();
            Arc::make_mut(this).index = Some(index);
        }
        this.index.as_ref().expect("it was just made")
    }
}

/// The names of the messagees of one manager. When this is dropped, nobody finds them any more.
#[derive(Debug)]
pub struct Names {
    manager: ManagerNumber,
    /// Also in [`TABLES`].
    table: Arc<Table>,
}

impl Names {
    pub(crate) fn new(manager: &Identity) -> Self {
        let (manager, table) = (manager.number, Arc::<Table>::default());
        write(&TABLES).insert(manager, Arc::clone(&table));
        Self { manager, table }
    }

    /// Names a messagee of this manager. An empty name takes its name away.
    pub fn set(&self, id: MessageeId, name: Arc<str>) {
        Arc::make_mut(&mut write(&self.table)).set(id, name);
    }

    /// Returns the name of a messagee, even if the messagee is gone, as long as the name is known.
    pub(crate) fn get(&self, id: MessageeId) -> Option<Arc<str>> {
        read(&self.table).get(id)
    }

    /// Returns the names as they are now.
    pub(crate) fn shared(&self) -> Arc<Known> {
        Arc::clone(&read(&self.table))
    }

    /// Puts names back that were [shared](Self::shared).
    pub(crate) fn put_back(&self, known: Arc<Known>) {
        *write(&self.table) = known;
    }

    /// Returns all names that are known, including those of messagees that are gone, in the order of their
    /// places.
    pub fn saved(&self) -> Vec<(MessageeId, Arc<str>)> {
        read(&self.table).by_place.values().cloned().collect()
    }

    /// Returns the messagees whose name matches a pattern, in the order of their places.
    pub(crate) fn find(
        &self,
        pattern: &str,
        is_alive: impl Fn(MessageeId) -> bool,
    ) -> Vec<MessageeId> {
        if let Some(name) = literal(pattern) {
            let mut known = write(&self.table);
            let found = bearers(Known::index(&mut known), &name.into()).collect::<Vec<_>>();
            drop(known);
            return found.into_iter().filter(|&id| is_alive(id)).collect();
        }
        let pattern = Pattern::new(pattern);
        let known = read(&self.table);
        let found = known.by_place.values();
        let found = found.filter(|(id, name)| is_alive(*id) && pattern.matches(name));
        found.map(|(id, _)| *id).collect()
    }

    /// Gives back the memory of the names of those who are gone.
    pub(crate) fn forget_gone(&mut self, is_alive: impl Fn(MessageeId) -> bool) {
        let mut known = write(&self.table);
        let known = Arc::make_mut(&mut known);
        known.by_place.retain(|_, (id, _)| is_alive(*id));
        known.index = None;
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        write(&TABLES).remove(&self.manager);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Keys;

    fn manager() -> Arc<Identity> {
        Identity::new().expect("few managers are alive")
    }

    fn text(name: Option<Arc<str>>) -> Option<String> {
        name.map(|name| name.to_string())
    }

    // holds: messagees.newcomer-has-own-name, messagees.name-of-gone
    #[test]
    fn a_name_belongs_to_one_life_of_a_place() {
        let manager = manager();
        let names = Names::new(&manager);
        let mut keys = Keys::new(manager.number);
        let old = MessageeId(keys.allocate());
        names.set(old, "old".into());
        keys.release(old.0.place());
        let newcomer = MessageeId(keys.allocate());
        assert_eq!(newcomer.0.place(), old.0.place());
        assert_eq!(text(old.name()), Some("old".into()));
        assert_eq!(text(newcomer.name()), None);
        // Taking away the name that the newcomer does not have leaves the other's.
        names.set(newcomer, "".into());
        assert_eq!(text(old.name()), Some("old".into()));
        names.set(newcomer, "new".into());
        assert_eq!(text(newcomer.name()), Some("new".into()));
        assert_eq!(text(old.name()), None);
    }

    // holds: messagees.name-of-gone
    #[test]
    fn the_table_is_removed_with_the_manager() {
        let manager = manager();
        let names = Names::new(&manager);
        let id = MessageeId(Keys::new(manager.number).allocate());
        names.set(id, "it".into());
        assert_eq!(text(id.name()), Some("it".into()));
        drop(names);
        assert_eq!(text(id.name()), None);
    }

    // holds: messagees.find-exact
    #[test]
    fn a_search_for_an_exact_name_looks_only_at_those_who_bear_it() {
        let manager = manager();
        let names = Names::new(&manager);
        let mut keys = Keys::new(manager.number);
        let ids: Vec<MessageeId> = (0..1_000).map(|_| MessageeId(keys.allocate())).collect();
        for (number, &id) in ids.iter().enumerate() {
            names.set(id, format!("{}*", number % 500).into());
        }
        for (pattern, looked_at) in [("*", 1_000), (r"7\*", 2), ("7", 0), ("7?", 1_000)] {
            let looks = std::cell::Cell::new(0);
            names.find(pattern, |_| {
                looks.set(looks.get() + 1);
                true
            });
            assert_eq!(looks.get(), looked_at, "{pattern}");
        }
        assert_eq!(names.find(r"7\*", |_| true), [ids[7], ids[507]]);
    }

    #[test]
    fn the_index_follows_the_names() {
        let manager = manager();
        let mut names = Names::new(&manager);
        let mut keys = Keys::new(manager.number);
        let [a, b] = [(); 2].map(|()| MessageeId(keys.allocate()));
        names.set(b, "x".into());
        names.set(a, "x".into());
        assert_eq!(names.find("x", |_| true), [a, b]);
        names.set(a, "x".into());
        names.set(b, "y".into());
        assert_eq!(names.find("x", |_| true), [a]);
        assert_eq!(names.find("y", |_| true), [b]);
        names.set(b, "".into());
        assert_eq!(names.find("y", |_| true), []);
        keys.release(a.0.place());
        let newcomer = MessageeId(keys.allocate());
        names.set(newcomer, "x".into());
        assert_eq!(names.find("x", |_| true), [newcomer]);
        names.forget_gone(|id| id == newcomer);
        assert_eq!(names.find("x", |_| true), [newcomer]);
    }

    // holds: messagees.name-of-gone
    #[test]
    fn the_names_of_those_who_are_gone_can_be_forgotten() {
        let manager = manager();
        let mut names = Names::new(&manager);
        let mut keys = Keys::new(manager.number);
        let [gone, alive] = [(); 2].map(|()| MessageeId(keys.allocate()));
        names.set(gone, "gone".into());
        names.set(alive, "alive".into());
        assert_eq!(names.find("*", |_| true), [gone, alive]);
        names.forget_gone(|id| id == alive);
        assert_eq!(names.find("*", |_| true), [alive]);
    }
}
