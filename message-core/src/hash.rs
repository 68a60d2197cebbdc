//! A hasher for keys that are hashes already (type ids, mnemonics): it hands them on.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map whose keys write one well-mixed `u64`.
pub(crate) type HashedMap<K, V> = HashMap<K, V, BuildHasherDefault<Handed>>;

#[derive(Debug, Default)]
pub(crate) struct Handed(u64);

impl Hasher for Handed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
