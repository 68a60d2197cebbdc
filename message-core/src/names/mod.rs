//! The names of messagees.
//!
//! An id prints its name wherever it appears: in errors, dead letters and events, which hold only ids
//! and outlive the call that made them. The names are therefore kept in a table of the process, by the
//! number of the manager. A manager makes its own table with its first name and removes it when it is
//! dropped, before its number can be given out again.
//!
//! A table holds one name for each place, with the life that has the name. The name stays when that
//! messagee is gone, so that it can still be printed, until the place has another messagee with a name,
//! or the memory is freed. A reader copies a reference to the name and releases the locks: no user code
//! runs while one is held.
//!
//! The first search for an exact name builds an index from names to places, which is kept up to date from
//! then on. Programs that never search by an exact name never pay for it.

mod pattern;
#[cfg(feature = "data")]
mod saved;

use std::cell::OnceCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::identity::{Identity, ManagerNumber};
use crate::key::{Key, Life, MessageeId};
use pattern::Pattern;
pub(crate) use pattern::literal;

/// The tables of all managers that have named a messagee.
static TABLES: RwLock<BTreeMap<ManagerNumber, Arc<Table>>> = RwLock::new(BTreeMap::new());

/// The number of names in all tables.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Returns the name of a messagee of any manager, even if the messagee is gone, as long as the name is known.
#[inline]
pub(crate) fn name_of(id: MessageeId) -> Option<Arc<str>> {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return None;
    }
    look_up(id)
}

#[cold]
fn look_up(id: MessageeId) -> Option<Arc<str>> {
    let tables = TABLES.read().unwrap_or_else(PoisonError::into_inner);
    let table = tables.get(&id.0.manager()).cloned();
    drop(tables);
    table?.get(id)
}

/// Returns the name of a messagee of any manager, if it is the only one of its manager with that name.
#[cfg(feature = "data")]
pub(crate) fn only_name_of(id: MessageeId) -> Option<Arc<str>> {
    let name = name_of(id)?;
    let tables = TABLES.read().unwrap_or_else(PoisonError::into_inner);
    let table = tables.get(&id.0.manager()).cloned()?;
    drop(tables);
    let bearers = table.with_index(|known, index| bearers(known, index, &name).take(2).count());
    (bearers == 1).then_some(name)
}

/// A name, and the life of its place that bears it.
#[derive(Debug)]
struct Named {
    life: Life,
    name: Arc<str>,
}

/// Names with the places that bear them, in the order of names and then of places.
type Index = BTreeSet<(Arc<str>, u32)>;

/// The names of one manager's messagees.
#[derive(Debug, Default)]
struct Known {
    by_place: BTreeMap<u32, Named>,
    /// The same names the other way round. Built by the first search for an exact name.
    index: Option<Index>,
}

/// Returns the messagees with that name, in the order of their places.
fn bearers(known: &Known, index: &Index, name: &Arc<str>) -> impl Iterator<Item = MessageeId> {
    let places = index.range((Arc::clone(name), 0)..=(Arc::clone(name), u32::MAX));
    places.filter_map(|(_, place)| {
        let named = known.by_place.get(place)?;
        Some(MessageeId(Key::from_parts(*place, named.life)))
    })
}

impl Known {
    fn insert(&mut self, id: MessageeId, name: Arc<str>) -> Option<Named> {
        let (place, life) = (id.0.place(), id.0.life());
        let entry = (Arc::clone(&name), place);
        let before = self.by_place.insert(place, Named { life, name });
        if let Some(index) = &mut self.index {
            if let Some(before) = &before {
                index.remove(&(Arc::clone(&before.name), place));
            }
            index.insert(entry);
        }
        before
    }

    /// Removes the name of a messagee, if it has one.
    fn remove(&mut self, id: MessageeId) -> Option<Named> {
        let Entry::Occupied(at_place) = self.by_place.entry(id.0.place()) else {
            return None;
        };
        if at_place.get().life != id.0.life() {
            return None;
        }
        let named = at_place.remove();
        if let Some(index) = &mut self.index {
            index.remove(&(Arc::clone(&named.name), id.0.place()));
        }
        Some(named)
    }

    fn build_index(&mut self) {
        let by_place = self.by_place.iter();
        let names = by_place.map(|(&place, named)| (Arc::clone(&named.name), place));
        self.index.get_or_insert_with(|| names.collect());
    }
}

#[derive(Debug, Default)]
struct Table(RwLock<Known>);

impl Table {
    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn with_index<T>(&self, look: impl FnOnce(&Known, &Index) -> T) -> T {
        let known = self.read();
        if let Some(index) = &known.index {
            return look(&known, index);
        }
        drop(known);
        let mut known = self.write();
        known.build_index();
        let index = known.index.as_ref().expect("it was built just now");
        look(&known, index)
    }

    fn get(&self, id: MessageeId) -> Option<Arc<str>> {
        let known = self.read();
        let at_place = known.by_place.get(&id.0.place());
        let own = at_place.filter(|at_place| at_place.life == id.0.life())?;
        Some(Arc::clone(&own.name))
    }

    fn insert(&self, id: MessageeId, name: Arc<str>) {
        let before = self.write().insert(id, name);
        if before.is_none() {
            COUNT.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn remove(&self, id: MessageeId) {
        if self.write().remove(id).is_some() {
            COUNT.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Removes the names that are not to be kept, and the index, which the next search builds again.
    fn retain(&self, mut keep: impl FnMut(MessageeId) -> bool) {
        let mut known = self.write();
        known.index = None;
        let names = &mut known.by_place;
        let before = names.len();
        names.retain(|&place, it| keep(MessageeId(Key::from_parts(place, it.life))));
        COUNT.fetch_sub(before - names.len(), Ordering::Relaxed);
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let known = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        COUNT.fetch_sub(known.by_place.len(), Ordering::Relaxed);
    }
}

/// The names of the messagees of one manager. When this is dropped, nobody finds them any more.
#[derive(Debug)]
pub(crate) struct Names {
    manager: ManagerNumber,
    /// Also in [`TABLES`]. Made with the first name.
    table: OnceCell<Arc<Table>>,
}

impl Names {
    pub(crate) fn new(manager: &Identity) -> Self {
        Self {
            manager: manager.number(),
            table: OnceCell::new(),
        }
    }

    /// Names a messagee of this manager. An empty name takes its name away.
    pub(crate) fn set(&self, id: MessageeId, name: Arc<str>) {
        if !name.is_empty() {
            self.table
                .get_or_init(|| self.make_table())
                .insert(id, name);
        } else if let Some(table) = self.table.get() {
            table.remove(id);
        }
    }

    #[cold]
    fn make_table(&self) -> Arc<Table> {
        let table = Arc::<Table>::default();
        let mut tables = TABLES.write().unwrap_or_else(PoisonError::into_inner);
        tables.insert(self.manager, Arc::clone(&table));
        table
    }

    /// Returns the name of a messagee, even if the messagee is gone, as long as the name is known.
    pub(crate) fn get(&self, id: MessageeId) -> Option<Arc<str>> {
        self.table.get()?.get(id)
    }

    /// Returns the messagees whose name matches a pattern, in the order of their places.
    pub(crate) fn find(
        &self,
        pattern: &str,
        is_alive: impl Fn(MessageeId) -> bool,
    ) -> Vec<MessageeId> {
        let Some(table) = self.table.get() else {
            return Vec::new();
        };
        if let Some(name) = literal(pattern) {
            let name: Arc<str> = name.into();
            return table.with_index(|known, index| {
                let found = bearers(known, index, &name);
                found.filter(|&id| is_alive(id)).collect()
            });
        }
        let pattern = Pattern::new(pattern);
        let known = table.read();
        let found = known.by_place.iter().filter_map(|(&place, named)| {
            let id = MessageeId(Key::from_parts(place, named.life));
            (is_alive(id) && pattern.matches(&named.name)).then_some(id)
        });
        found.collect()
    }

    /// Gives back the memory of the names of those who are gone.
    pub(crate) fn forget_gone(&mut self, is_alive: impl Fn(MessageeId) -> bool) {
        if let Some(table) = self.table.get() {
            table.retain(is_alive);
        }
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        if self.table.take().is_some() {
            let mut tables = TABLES.write().unwrap_or_else(PoisonError::into_inner);
            let table = tables.remove(&self.manager);
            drop(tables);
            drop(table);
        }
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
        let mut keys = Keys::new(manager.number());
        let old = MessageeId(keys.allocate());
        names.set(old, "old".into());
        keys.release(old.0.place());
        let newcomer = MessageeId(keys.allocate());
        assert_eq!(newcomer.0.place(), old.0.place());
        assert_eq!(text(name_of(old)), Some("old".into()));
        assert_eq!(text(name_of(newcomer)), None);
        // Taking away the name that the newcomer does not have leaves the other's.
        names.set(newcomer, "".into());
        assert_eq!(text(name_of(old)), Some("old".into()));
        names.set(newcomer, "new".into());
        assert_eq!(text(name_of(newcomer)), Some("new".into()));
        assert_eq!(text(name_of(old)), None);
    }

    // holds: messagees.name-of-gone
    #[test]
    fn the_table_is_made_with_the_first_name_and_removed_with_the_manager() {
        let has_table = |manager: &Identity| {
            let tables = TABLES.read().unwrap_or_else(PoisonError::into_inner);
            tables.contains_key(&manager.number())
        };
        let manager = manager();
        let names = Names::new(&manager);
        let id = MessageeId(Keys::new(manager.number()).allocate());
        names.set(id, "".into());
        assert!(!has_table(&manager));
        names.set(id, "it".into());
        assert!(has_table(&manager));
        drop(names);
        assert!(!has_table(&manager));
        assert_eq!(text(name_of(id)), None);
    }

    // holds: messagees.find-exact
    #[test]
    fn a_search_for_an_exact_name_looks_only_at_those_who_bear_it() {
        let manager = manager();
        let names = Names::new(&manager);
        let mut keys = Keys::new(manager.number());
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
        let mut keys = Keys::new(manager.number());
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
        let mut keys = Keys::new(manager.number());
        let [gone, alive] = [(); 2].map(|()| MessageeId(keys.allocate()));
        names.set(gone, "gone".into());
        names.set(alive, "alive".into());
        assert_eq!(names.find("*", |_| true), [gone, alive]);
        names.forget_gone(|id| id == alive);
        assert_eq!(names.find("*", |_| true), [alive]);
    }
}
