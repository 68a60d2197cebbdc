//! A fast hash for keys that this program generates itself: nobody can choose them to cause collisions.

use std::hash::{BuildHasherDefault, Hasher};

/// The hasher for maps whose keys are ids of this manager, or numbers that this node has assigned.
pub(crate) type OwnKeys = BuildHasherDefault<OwnHasher>;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OwnHasher(u64);

impl Hasher for OwnHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        // The golden ratio spreads consecutive numbers over the upper bits.
        let mixed = (self.0.rotate_left(29) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
