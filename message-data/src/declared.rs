//! The mnemonics, groups and tags that the program declares, by name.
//!
//! A declaration is its name: two declarations of one name are the same address. So the names that are found here are
//! not a list to keep, but the names that are spelled right.

use std::collections::{BTreeMap, BTreeSet};

use message_core::internals::{Entry, Name, NameKind, entries, name};
use message_core::registry::Collected;
use message_core::{Group, Mnemonic, Tag};
use message_format::DataError;
use message_format::names::{List, Short, suggestion};

/// All declarations of the program.
#[derive(Default)]
struct Declared {
    mnemonics: Names<Mnemonic>,
    groups: Names<Group>,
    tags: Names<Tag>,
}

/// The declarations of one kind, by their full names.
struct Names<T> {
    by_name: BTreeMap<&'static str, T>,
    /// Full names by their last parts.
    short: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

pub(super) fn last_part(name: &'static str) -> &'static str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

impl Declared {
    fn collect() -> Self {
        let mut all = Self::default();
        for entry in entries() {
            match *entry {
                Entry::Mnemonic(it) => all.mnemonics.add(it.name(), it),
                Entry::Group(it) => all.groups.add(it.name(), it),
                Entry::Tag(it) => all.tags.add(it.name(), it),
                _ => {}
            }
        }
        all
    }
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self {
            by_name: BTreeMap::new(),
            short: BTreeMap::new(),
        }
    }
}

impl<T: Copy> Names<T> {
    fn add(&mut self, name: &'static str, it: T) {
        self.by_name.insert(name, it);
        let short = self.short.entry(last_part(name));
        short.or_default().insert(name);
    }

    fn find(&self, what: &str, wanted: &str) -> Result<T, DataError> {
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

/// Returns the mnemonics that the program declares, sorted by name.
///
/// ```
/// use message_core::prelude::*;
/// use message_data as data;
///
/// mnemonic! { HARBOUR, }
///
/// assert!(data::declared_mnemonics().any(|it| it == HARBOUR));
/// ```
pub fn declared_mnemonics() -> impl Iterator<Item = Mnemonic> {
    declared().mnemonics.by_name.values().copied()
}

/// Returns the groups that the program declares, sorted by name.
///
/// ```
/// use message_core::prelude::*;
/// use message_data as data;
///
/// group! { GULLS, }
///
/// assert!(data::declared_groups().any(|it| it == GULLS));
/// ```
pub fn declared_groups() -> impl Iterator<Item = Group> {
    declared().groups.by_name.values().copied()
}

fn declared() -> &'static Declared {
    static DECLARED: Collected<Declared> = Collected::empty();
    DECLARED.get(Declared::collect)
}

/// Returns the mnemonic with this name: its full name, or the last part of it if no other mnemonic has that.
pub(crate) fn find_mnemonic(name: &str) -> Result<Mnemonic, DataError> {
    declared().mnemonics.find("mnemonic", name)
}

/// Returns the group with this name: its full name, or the last part of it if no other group has that.
pub(crate) fn find_group(name: &str) -> Result<Group, DataError> {
    declared().groups.find("group", name)
}

/// Returns the name of a mnemonic in a file.
pub(crate) fn mnemonic_in_files(mnemonic: Mnemonic) -> &'static str {
    declared().mnemonics.name_in_files(mnemonic.name())
}

/// Returns the name of a group in a file.
pub(crate) fn group_in_files(group: Group) -> &'static str {
    declared().groups.name_in_files(group.name())
}

/// Returns the name of a declaration in a file.
pub(crate) fn name_in_files(kind: NameKind, name: &'static str) -> &'static str {
    let declared = declared();
    match kind {
        NameKind::Mnemonic => declared.mnemonics.name_in_files(name),
        NameKind::Group => declared.groups.name_in_files(name),
        NameKind::Tag => declared.tags.name_in_files(name),
        NameKind::Key => name,
    }
}

/// Returns the declared name with this full name, as another manager writes it. Its error costs no search for a name
/// that may have been meant.
pub(crate) fn find_exact(kind: NameKind, text: &str) -> Result<&'static Name, String> {
    let declared = declared();
    let (what, found) = match kind {
        NameKind::Mnemonic => (
            "mnemonic",
            declared.mnemonics.by_name.get(text).map(|it| it.__name()),
        ),
        NameKind::Group => (
            "group",
            declared.groups.by_name.get(text).map(|it| it.__name()),
        ),
        NameKind::Tag => ("tag", declared.tags.by_name.get(text).map(|it| it.__name())),
        NameKind::Key => return Ok(name(text)),
    };
    found.ok_or_else(|| format!("no {what} is declared as `{}`", Short(text)))
}

/// Returns the declared name that a file gives.
pub(crate) fn find(kind: NameKind, text: &str) -> Result<&'static Name, String> {
    let found = match kind {
        NameKind::Mnemonic => find_mnemonic(text).map(Mnemonic::__name),
        NameKind::Group => find_group(text).map(Group::__name),
        NameKind::Tag => declared().tags.find("tag", text).map(Tag::__name),
        NameKind::Key => return Ok(name(text)),
    };
    found.map_err(|error| error.to_string())
}
