//! Finds the name that was probably meant.
//!
//! The names can come from an untrusted file. The cost of one suggestion is therefore bounded, and so is the number
//! of suggestions for a file.

use std::cell::Cell;

use crate::steps::step;

/// The maximum length of a name that gets a suggestion or is suggested, in characters.
const MAX_LENGTH: usize = 64;
/// The maximum number of names looked at for one suggestion.
const MAX_LOOKS: usize = 10_000;
/// The maximum number of pairs of characters compared for one suggestion.
const MAX_COMPARED: usize = 2_000_000;

thread_local! {
    /// The number of suggestions that may still be looked for.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Runs a function in which at most `most` suggestions are looked for. After that, none is made.
///
/// ```
/// use message_format::names::{at_most, suggestion};
///
/// let suggest = || suggestion("sigth", ["sight"]);
/// let [first, second] = at_most(1, || [suggest(), suggest()]);
/// assert!(!first.is_empty() && second.is_empty());
/// ```
pub fn at_most<T>(most: usize, act: impl FnOnce() -> T) -> T {
    // Restores the number also when `act` panics.
    struct Before(usize);
    impl Drop for Before {
        fn drop(&mut self) {
            LEFT.set(self.0);
        }
    }
    let _before = Before(LEFT.replace(most));
    act()
}

/// Returns the name that differs least from `wanted`, if any is near: at most a third of its characters
/// have to be inserted, removed, changed or swapped with their neighbour (the distance of Damerau and
/// Levenshtein, of adjacent characters). Upper and lower case count only between names that are equally
/// near.
pub(crate) fn nearest<'n>(
    wanted: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    if LEFT.get() == 0 || wanted.chars().nth(MAX_LENGTH).is_some() {
        return None;
    }
    if LEFT.get() < usize::MAX {
        LEFT.set(LEFT.get() - 1);
    }
    let lower = wanted.to_lowercase();
    let len = lower.chars().count();
    let most = (len / 3).max(1);
    let own = letters(&lower);
    let mut best: Option<([usize; 2], &str)> = None;
    let mut compared = 0;
    for name in names.into_iter().take(MAX_LOOKS) {
        // A character has at most four bytes.
        let bytes = name.len().min(4 * (len + most) + 1);
        step(bytes);
        if bytes < name.len() {
            continue;
        }
        let other = name.to_lowercase();
        let other_len = other.chars().count();
        // A change of one character changes at most one of each.
        let [missing, added] = [own & !letters(&other), letters(&other) & !own];
        let changed = missing.count_ones().max(added.count_ones()) as usize;
        if other_len.abs_diff(len).max(changed) > most {
            continue;
        }
        let away = difference(&lower, &other);
        if away <= most {
            let away = [away, difference(wanted, name)];
            if best.is_none_or(|(least, _)| away < least) {
                best = Some((away, name));
            }
        }
        compared += len * other_len;
        if compared >= MAX_COMPARED {
            break;
        }
    }
    best.map(|(_, name)| name)
}

/// Returns the number of characters of one name to insert, remove, change or swap with their neighbour to get the other.
fn difference(one: &str, other: &str) -> usize {
    let [one, other] = [one, other].map(|name| name.chars().collect::<Vec<_>>());
    step(one.len() * other.len());
    // For each beginning of `other`, its difference from the last but one, the last and the next beginning of `one`.
    let mut rows = [0; 3].map(|_| (0..=other.len()).collect::<Vec<_>>());
    for (i, a) in one.iter().enumerate() {
        let [before, last, next] = &mut rows;
        next[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let changed = last[j] + usize::from(a != b);
            next[j + 1] = changed.min(last[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a == &other[j - 1] && b == &one[i - 1] {
                next[j + 1] = next[j + 1].min(before[j - 1] + 1);
            }
        }
        rows.rotate_left(1);
    }
    rows[1][other.len()]
}

/// Returns the set of the characters of a name, in which some share a bit.
fn letters(name: &str) -> u64 {
    name.chars()
        .fold(0, |set, letter| set | 1 << (u32::from(letter) % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_a_far_one_is_not() {
        let names = ["sight", "range", "Mind", "hp"];
        for (wanted, found) in [
            ("sigth", Some("sight")),
            ("rang", Some("range")),
            ("mind", Some("Mind")),
            ("ph", Some("hp")),
            ("colour", None),
            ("x", None),
        ] {
            assert_eq!(nearest(wanted, names), found, "{wanted}");
        }
    }

    #[test]
    fn a_difference_counts_inserted_removed_changed_and_swapped_characters() {
        for (one, other, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("on", "no", 1),
            ("ca", "abc", 3),
            ("kitten", "sitting", 3),
            ("grüße", "größe", 1),
        ] {
            assert_eq!(difference(one, other), expected, "{one} {other}");
            assert_eq!(difference(other, one), expected, "{other} {one}");
        }
    }

    #[test]
    fn of_names_that_are_equally_near_the_first_counts() {
        assert_eq!(nearest("cat", ["bat", "hat"]), Some("bat"));
        assert_eq!(nearest("Heroo", ["HERO", "Hero"]), Some("Hero"));
    }

    // holds: world-files.suggestions
    #[test]
    fn long_names_and_those_behind_many_others_are_not_looked_at() {
        let long = "n".repeat(MAX_LENGTH);
        let longer = format!("{long}n");
        assert_eq!(nearest(&long, [&*longer]), Some(&*longer));
        assert_eq!(nearest(&longer, [&*long]), None);
        let mut looks = 0;
        let far = std::iter::repeat("far away").inspect(|_| looks += 1);
        assert_eq!(nearest("near", far), None);
        assert_eq!(looks, MAX_LOOKS);
        let mut looks = 0;
        let close = std::iter::repeat(&*longer).inspect(|_| looks += 1);
        assert_eq!(nearest(&long, close), Some(&*longer));
        assert_eq!(looks, MAX_COMPARED.div_ceil(long.len() * longer.len()));
    }

    // holds: world-files.suggestions
    #[test]
    fn only_so_many_suggestions_are_looked_for() {
        let suggest = || nearest("sigth", ["sight"]);
        at_most(2, || {
            let found = [(); 3].map(|()| suggest());
            assert_eq!(found, [Some("sight"), Some("sight"), None]);
        });
        assert_eq!(suggest(), Some("sight"));
    }
}
