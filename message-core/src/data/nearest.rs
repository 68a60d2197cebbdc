//! The name that was probably meant.

/// Returns the name that differs least from `wanted`, if any is near: at most a third of its characters
/// have to be inserted, removed, changed or swapped with their neighbour (the distance of Damerau and
/// Levenshtein, of adjacent characters). Upper and lower case count only between names that are equally
/// near.
pub(crate) fn nearest<'n>(
    wanted: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let lower = |text: &str| -> Vec<char> { text.chars().flat_map(char::to_lowercase).collect() };
    let (exact, wanted): (Vec<char>, _) = (wanted.chars().collect(), lower(wanted));
    let most = (wanted.len() / 3).max(1);
    let mut best: Option<([usize; 2], &str)> = None;
    for name in names {
        let letters = lower(name);
        if letters.len().abs_diff(wanted.len()) > most {
            continue;
        }
        let away = distance(&wanted, &letters);
        if away > most {
            continue;
        }
        let own: Vec<char> = name.chars().collect();
        let away = [away, distance(&exact, &own)];
        if best.is_none_or(|(least, _)| away < least) {
            best = Some((away, name));
        }
    }
    best.map(|(_, name)| name)
}

fn distance(a: &[char], b: &[char]) -> usize {
    let mut two_above: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, &from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &to) in b.iter().enumerate() {
            let changed = above[j] + usize::from(from != to);
            let mut least = changed.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from == b[j - 1] && a[i - 1] == to {
                least = least.min(two_above[j - 1] + 1);
            }
            row.push(least);
        }
        two_above = std::mem::replace(&mut above, row);
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
}
