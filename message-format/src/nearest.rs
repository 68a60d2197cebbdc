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
/// The maximum number of names compared character by character.
const MAX_COMPARED: usize = 500;

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
    let exact: Vec<char> = wanted.chars().collect();
    let mut letters = Vec::new();
    lower(wanted, usize::MAX, &mut letters);
    let wanted = std::mem::take(&mut letters);
    let most = (wanted.len() / 3).max(1);
    let (shortest, longest) = (wanted.len().saturating_sub(most), wanted.len() + most);
    let own_set = set_of(&wanted);
    let mut best: Option<([usize; 2], &str)> = None;
    let mut compared = 0;
    for name in names.into_iter().take(MAX_LOOKS) {
        // A character has at most four bytes.
        if name.len() > 4 * longest || !lower(name, longest, &mut letters) {
            continue;
        }
        let set = set_of(&letters);
        let missing = (own_set & !set)
            .count_ones()
            .max((set & !own_set).count_ones());
        if letters.len() < shortest || missing as usize > most {
            continue;
        }
        compared += 1;
        let away = distance(&wanted, &letters, most);
        if away <= most {
            let own: Vec<char> = name.chars().collect();
            let away = [away, distance(&exact, &own, usize::MAX)];
            if best.is_none_or(|(least, _)| away < least) {
                best = Some((away, name));
            }
        }
        if compared == MAX_COMPARED {
            break;
        }
    }
    best.map(|(_, name)| name)
}

/// Collects the characters in lower case. Returns `false` if there are more than `most`.
fn lower(text: &str, most: usize, letters: &mut Vec<char>) -> bool {
    letters.clear();
    step(text.len().min(most) + 1);
    for letter in text.chars().flat_map(char::to_lowercase) {
        if letters.len() == most {
            return false;
        }
        letters.push(letter);
    }
    true
}

/// Returns the set of the characters, in which some share a bit. A change of one character changes at most
/// one bit in each direction, so sets that differ more belong to names that differ more.
fn set_of(letters: &[char]) -> u64 {
    letters
        .iter()
        .fold(0, |set, &letter| set | 1 << (u32::from(letter) % 64))
}

/// Returns the distance of two names, or any number above `most` if it is larger than that.
fn distance(a: &[char], b: &[char], most: usize) -> usize {
    let mut two_above: Vec<usize> = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    let mut row = two_above.clone();
    step(a.len() * b.len());
    for (i, &from) in a.iter().enumerate() {
        row[0] = i + 1;
        let mut nearest = row[0];
        for (j, &to) in b.iter().enumerate() {
            let changed = above[j] + usize::from(from != to);
            let mut least = changed.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from == b[j - 1] && a[i - 1] == to {
                least = least.min(two_above[j - 1] + 1);
            }
            row[j + 1] = least;
            nearest = nearest.min(least);
        }
        // A row never has less than the least of the two above it.
        if nearest > most && above.iter().all(|&away| away > most) {
            return nearest;
        }
        std::mem::swap(&mut two_above, &mut above);
        std::mem::swap(&mut above, &mut row);
    }
    above.last().copied().unwrap_or(a.len())
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
        let close = std::iter::repeat("close").inspect(|_| looks += 1);
        assert_eq!(nearest("clsoe", close), Some("close"));
        assert_eq!(looks, MAX_COMPARED);
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
