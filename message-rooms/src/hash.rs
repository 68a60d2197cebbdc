//! A fast hash for keys that the program assigns itself: ids and the numbers of rooms.

use std::hash::{BuildHasherDefault, Hasher};

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

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number.cast_unsigned() as u64);
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
