//! The hash of a name, and a hasher for keys of a number or two: hashes already (type ids, names), or ids.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map whose keys write one number of 32 or 64 bits, or two.
pub type HashedMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixed>>;

/// 2^64 divided by the golden ratio: spreads what differs in a few bits over the upper ones
/// (Knuth's multiplicative hashing).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

#[derive(Debug, Default)]
pub struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = self.0.rotate_left(5) ^ number.wrapping_mul(GOLDEN);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Returns the 64-bit FNV-1a hash of a text.
pub(crate) const fn fnv1a(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut at = 0;
    while at < bytes.len() {
        hash ^= bytes[at] as u64;
        hash = hash.wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    // holds: identity.same-everywhere
    #[test]
    fn the_hash_is_fnv_1a_by_its_published_test_values() {
        assert_eq!(fnv1a(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a("foobar"), 0x8594_4171_f739_67e8);
    }
}
