//! The bindings of a manager in a save.

use crate::key::MessageeId;
use crate::mnemonic::{Bindings, Mnemonic};

impl Bindings {
    /// Returns the bound mnemonics, sorted by name.
    pub(crate) fn saved(&self) -> Vec<(Mnemonic, MessageeId)> {
        let mut bound: Vec<_> = self.bound.iter().map(|(&name, &id)| (name, id)).collect();
        bound.sort_unstable_by_key(|(mnemonic, _)| mnemonic.name());
        bound
    }
}
