//! The mnemonics, groups and tags that the program declares, by name.
//!
//! A declaration is its name: two declarations of one name are the same address. So the names that are found here are
//! not a list to keep, but the names that are spelled right.

use std::collections::{BTreeMap, BTreeSet};

use message_core::internals::{Entry, Name, NameKind, entries, name};
use message_core::registry::Collected;
use message_core::{Group, Mnemonic};
use message_format::DataError;
use message_format::names::{List, Short, suggestion};

/// The declarations of one kind.
#[derive(Default)]
struct Names {
    /// The kind, as errors call it.
    what: &'static str,
    /// The declarations by their full names.
    by_name: BTreeMap<&'static str, &'static Name>,
    /// Full names by their last parts.
    short: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

/// Returns the declarations of a kind. Keys are not declared.
fn declared(kind: NameKind) -> Option<&'static Names> {
    static DECLARED: Collected<[Names; 3]> = Collected::empty();
    DECLARED.get(Names::collect).get(kind as usize)
}

pub(super) fn last_part(name: &'static str) -> &'static str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

impl Names {
    fn collect() -> [Self; 3] {
        let mut all = ["mnemonic", "group", "tag"].map(|what| Self {
            what,
            ..Self::default()
        });
        for entry in entries() {
            let (kind, name) = match entry {
                Entry::Mnemonic(it) => (NameKind::Mnemonic, it.__name()),
                Entry::Group(it) => (NameKind::Group, it.__name()),
                Entry::Tag(it) => (NameKind::Tag, it.__name()),
                _ => continue,
            };
            let (names, text) = (&mut all[kind as usize], name.text());
            names.by_name.insert(text, name);
            let short = names.short.entry(last_part(text));
            short.or_default().insert(text);
        }
        all
    }

    fn find(&self, wanted: &str) -> Result<&'static Name, DataError> {
        let what = self.what;
        if let Some(found) = self.by_name.get(wanted) {
            return Ok(*found);
        }
        let full: Vec<&str> = self
            .short
            .get(wanted)
            .into_iter()
            .flatten()
            .copied()
            .collect();
        match *full {
            [one] => Ok(self.by_name[one]),
            [] => {
                let known = self.short.keys().chain(self.by_name.keys()).copied();
                let near = suggestion(wanted, known);
                let wanted = Short(wanted);
                let what = format!("no {what} is declared as `{wanted}`{near}");
                Err(DataError::new(what))
            }
            _ => {
                let all = List(&full);
                let what =
                    format!("several {what}s are called `{wanted}`: {all}; give the full name");
                Err(DataError::new(what))
            }
        }
    }

    /// Returns the shortest name that is found again.
    fn name_in_files(&self, full: &'static str) -> &'static str {
        let short = last_part(full);
        let is_only = self.short.get(short).is_some_and(|names| names.len() == 1);
        if is_only && !self.by_name.contains_key(short) {
            short
        } else {
            full
        }
    }
}

/// Returns the full names of the declarations of a kind, sorted.
fn all(kind: NameKind) -> impl Iterator<Item = &'static Name> {
    let all = declared(kind).into_iter();
    all.flat_map(|names| names.by_name.values().copied())
}

/// Returns the mnemonics that the program declares, sorted by name.
pub fn declared_mnemonics() -> impl Iterator<Item = Mnemonic> {
    all(NameKind::Mnemonic).map(Mnemonic::__named)
}

/// Returns the groups that the program declares, sorted by name.
pub fn declared_groups() -> impl Iterator<Item = Group> {
    all(NameKind::Group).map(Group::__named)
}

/// Returns the mnemonic with this name: its full name, or the last part of it if no other mnemonic has that.
pub(crate) fn find_mnemonic(name: &str) -> Result<Mnemonic, DataError> {
    find(NameKind::Mnemonic, name).map(Mnemonic::__named)
}

/// Returns the group with this name: its full name, or the last part of it if no other group has that.
pub(crate) fn find_group(name: &str) -> Result<Group, DataError> {
    find(NameKind::Group, name).map(Group::__named)
}

/// Returns the name of a declaration in a file.
pub(crate) fn name_in_files(kind: NameKind, name: &'static str) -> &'static str {
    declared(kind).map_or(name, |names| names.name_in_files(name))
}

/// Returns the declared name with this full name, as another manager writes it. Its error costs no search for a name
/// that may have been meant.
pub(crate) fn find_exact(kind: NameKind, text: &str) -> Result<&'static Name, String> {
    let Some(names) = declared(kind) else {
        return Ok(name(text));
    };
    let found = names.by_name.get(text).copied();
    found.ok_or_else(|| format!("no {} is declared as `{}`", names.what, Short(text)))
}

/// Returns the declared name that a file gives.
pub(crate) fn find(kind: NameKind, text: &str) -> Result<&'static Name, DataError> {
    declared(kind).map_or_else(|| Ok(name(text)), |names| names.find(text))
}
