//! Builds of crates, as the macros of message-core describe them.
//!
//! A build is a text: `NAME VERSION KEY=VALUE …`, followed by ` + ` and the next build for each shared crate that the
//! crate uses.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Difference;

/// Returns the name of the crate.
pub(crate) fn name(build: &str) -> &str {
    build.split(' ').next().unwrap_or(build)
}

/// Returns the values of a build: `version of NAME`, `features of NAME` and so on.
fn values(build: &str) -> BTreeMap<String, &str> {
    let mut values = BTreeMap::new();
    for build in build.split(" + ") {
        let name = name(build);
        for (at, word) in build.split(' ').skip(1).enumerate() {
            let (key, value) = match at {
                0 => ("version", word),
                _ => word.split_once('=').unwrap_or((word, "")),
            };
            values.insert(format!("{key} of {name}"), value);
        }
    }
    values
}

/// Returns the differences between two builds of a crate and of the crates that it uses.
pub(crate) fn differences(its: &str, ours: &str) -> Vec<Difference> {
    let [its, ours] = [its, ours].map(values);
    let all: BTreeSet<&String> = its.keys().chain(ours.keys()).collect();
    let differences = all.into_iter().filter_map(|what| {
        let [its, ours] = [&its, &ours].map(|it| it.get(what).copied().unwrap_or_default());
        Difference::between(what, its, ours)
    });
    differences.collect()
}

/// Leaves out the metadata, which are a hash of almost all the rest, unless nothing else differs.
pub(crate) fn named(mut differences: Vec<Difference>) -> Vec<Difference> {
    let is_named = |it: &Difference| !it.what.starts_with("metadata of ");
    if differences.iter().any(is_named) {
        differences.retain(is_named);
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(its: &str, ours: &str) -> Vec<String> {
        let all = named(differences(its, ours));
        all.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn builds_differ_in_what_is_named_and_in_metadata_only_if_nothing_else_is() {
        let ours = "a 1.0.0 source=7 features= metadata=1 + b 2.0.0 source=8 metadata=2";
        for (its, expected) in [
            (ours, &[][..]),
            (
                "a 1.0.0 source=7 features=wide metadata=3 + b 2.0.0 source=8 metadata=2",
                &["features of a is `wide` in the plugin, empty in the program"],
            ),
            (
                "a 1.0.0 source=7 features= metadata=1 + b 2.0.1 source=9 metadata=2",
                &[
                    "source of b is `9` in the plugin, `8` in the program",
                    "version of b is `2.0.1` in the plugin, `2.0.0` in the program",
                ],
            ),
            (
                "a 1.0.0 source=7 features= metadata=3 + b 2.0.0 source=8 metadata=2",
                &["metadata of a is `3` in the plugin, `1` in the program"],
            ),
            (
                "a 1.0.0 source=7 features= metadata=1",
                &[
                    "source of b is empty in the plugin, `8` in the program",
                    "version of b is empty in the plugin, `2.0.0` in the program",
                ],
            ),
        ] {
            assert_eq!(told(its, ours), expected);
        }
    }
}
