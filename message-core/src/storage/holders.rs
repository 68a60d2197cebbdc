//! Mnemonics and groups, and the messagees that hold them. A mnemonic has one holder at a time.
//!
//! Each holder has a number that only grows, so that one can leave from the middle without moving the others.

use std::collections::BTreeMap;
use std::hash::Hash;

use crate::address::MessageeId;
use crate::by_field::clone_by_field;
use crate::hash::HashedMap;

#[derive(Debug)]
pub struct Holders<N> {
    /// The holders of each name, in the order in which they received it. No map is empty.
    by_name: HashedMap<N, BTreeMap<u64, MessageeId>>,
    /// The names of each messagee with their numbers, in the order in which it received them. No list is empty.
    names: HashedMap<MessageeId, Vec<(N, u64)>>,
    made: u64,
}

impl<N> Default for Holders<N> {
    fn default() -> Self {
        Self {
            by_name: HashedMap::default(),
            names: HashedMap::default(),
            made: 0,
        }
    }
}

clone_by_field!(Holders<N> { by_name, names, made });

impl<N: Copy + Eq + Hash> Holders<N> {
    /// Returns the holders of a name, in the order in which they received it.
    pub(crate) fn of(&self, name: N) -> impl Iterator<Item = MessageeId> {
        static NOBODY: BTreeMap<u64, MessageeId> = BTreeMap::new();
        let holders = self.by_name.get(&name).unwrap_or(&NOBODY);
        holders.values().copied()
    }

    /// Returns the first holder of a name. A mnemonic has only one.
    pub(crate) fn first(&self, name: N) -> Option<MessageeId> {
        let (_, id) = self.by_name.get(&name)?.first_key_value()?;
        Some(*id)
    }

    /// Returns the names of a messagee, in the order in which it received them.
    pub(crate) fn names_of(&self, id: MessageeId) -> impl Iterator<Item = N> {
        let names = self.names.get(&id).into_iter().flatten();
        names.map(|(name, _)| *name)
    }

    pub(crate) fn has(&self, name: N, id: MessageeId) -> bool {
        self.names_of(id).any(|known| known == name)
    }

    /// Gives a name to a messagee. Returns `true` if it did not have it.
    pub fn add(&mut self, name: N, id: MessageeId) -> bool {
        if self.has(name, id) {
            return false;
        }
        let number = self.made;
        self.made += 1;
        self.by_name.entry(name).or_default().insert(number, id);
        self.names.entry(id).or_default().push((name, number));
        true
    }

    /// Takes a name from a messagee. Returns `true` if it had it.
    pub(crate) fn remove(&mut self, name: N, id: MessageeId) -> bool {
        let Some(names) = self.names.get_mut(&id) else {
            return false;
        };
        let Some(at) = names.iter().position(|(known, _)| *known == name) else {
            return false;
        };
        let (_, number) = names.remove(at);
        if names.is_empty() {
            self.names.remove(&id);
        }
        self.drop_holder(name, number);
        true
    }

    /// Takes all names from a messagee that is gone.
    pub(crate) fn remove_all_of(&mut self, id: MessageeId) {
        if self.names.is_empty() {
            return;
        }
        for (name, number) in self.names.remove(&id).unwrap_or_default() {
            self.drop_holder(name, number);
        }
    }

    fn drop_holder(&mut self, name: N, number: u64) {
        if let Some(holders) = self.by_name.get_mut(&name) {
            holders.remove(&number);
            if holders.is_empty() {
                self.by_name.remove(&name);
            }
        }
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.by_name.shrink_to_fit();
        self.names.values_mut().for_each(Vec::shrink_to_fit);
        self.names.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::identity::ManagerNumber;
    use crate::key::Keys;

    // holds: messagees.mnemonic-freed
    #[test]
    fn who_goes_takes_along_its_own_names_and_no_others() {
        let mut keys = Keys::new(ManagerNumber::new(NonZeroU16::MIN));
        let (goes, stays) = (MessageeId(keys.allocate()), MessageeId(keys.allocate()));
        let mut holders = Holders::default();
        assert!([1, 2, 3].map(|name| holders.add(name, goes)) == [true; 3]);
        assert!(holders.remove(2, goes) && holders.add(2, stays));
        assert!(!holders.remove(2, goes) && !holders.add(2, stays));
        assert!(holders.add(3, stays));
        assert!(holders.of(3).eq([goes, stays]));
        holders.remove_all_of(goes);
        assert!(holders.of(1).next().is_none());
        assert!(holders.of(2).chain(holders.of(3)).eq([stays; 2]));
        holders.remove_all_of(stays);
        assert!(holders.by_name.is_empty() && holders.names.is_empty());
    }
}
