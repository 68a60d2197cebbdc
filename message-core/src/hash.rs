//! The hash of a name, and maps.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxBuildHasher;

/// A map with a quick hasher that is the same in each run, for keys that are numbers or hashes: ids, type ids, names.
pub(crate) type HashedMap<K, V> = HashMap<K, V, FxBuildHasher>;

/// Like [`HashedMap`], but without values.
pub(crate) type HashedSet<K> = HashSet<K, FxBuildHasher>;

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
