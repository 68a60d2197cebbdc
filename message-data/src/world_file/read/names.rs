//! The names in a file: the messagees that have them, the parents, and the order in which groups are joined.

use std::collections::HashSet;

use message_core::Group;
use message_format::DataError;
use message_format::names::Short;

use crate::declared::find_group;
use crate::world_file::read::unknown::Names;
use crate::world_file::read::{Check, RawParent, number, sorted_by_name};

/// The maximum number of names printed of a circle.
const MAX_CIRCLE: usize = 16;

/// Returns the names of a circle, one after the other. The last is the first again.
pub(super) fn circle<'n>(names: &[&'n str], between: &str) -> String {
    let quoted = |name: &&'n str| format!("`{}`", Short(name));
    let (shown, rest) = names.split_at(names.len().min(MAX_CIRCLE));
    let mut chain: Vec<String> = shown.iter().map(quoted).collect();
    if let [left_out @ .., last] = rest {
        if !left_out.is_empty() {
            chain.push(format!("{} more", left_out.len()));
        }
        chain.push(quoted(last));
    }
    chain.join(between)
}

impl Check {
    /// Sorts numbers by the names at their tokens, and notes each name that is used again.
    pub(super) fn sort_unique(
        &mut self,
        names: &[u32],
        used_again: impl Fn(Short<'_>) -> String,
    ) -> Vec<u32> {
        let name_of = |it: u32| self.content.str(names[it as usize]);
        let sorted = sorted_by_name(0..number(names.len()), name_of);
        for pair in sorted.windows(2) {
            let [first, second] = [pair[0], pair[1]].map(|it| names[it as usize]);
            if self.str(first) == self.str(second) {
                self.error_of(second, &used_again);
            }
        }
        sorted
    }

    /// Determines which messagee has which name.
    pub(super) fn sort_names(&mut self) {
        let names: Vec<u32> = self.content.messagees.iter().map(|it| it.name).collect();
        self.content.messagees_by_name = self.sort_unique(&names, |name| {
            format!(
                "two messagees are called `{name}`: expected names that differ; `label: \
                 \"{name}\"` gives another one the same name in the manager"
            )
        });
    }

    /// Notes that nothing in the file has the name at a token. The error says so, and which name is nearest.
    pub(super) fn unknown_name(
        &mut self,
        at: u32,
        which: Names,
        say: impl FnOnce(Short<'_>, &str) -> String,
    ) {
        let (content, unknown) = (&self.content, &mut self.unknown);
        let name = content.str(at);
        self.mistakes.note(content.place(at), || {
            let (templates, messagees) = match which {
                Names::Template => (&content.templates.0[..], &[][..]),
                _ => (&[][..], &content.messagees[..]),
            };
            let known = templates.iter().map(|it| it.name);
            let known = known.chain(messagees.iter().map(|it| it.name));
            let near = unknown.suggest(which, name, known.map(|it| content.str(it)));
            DataError::new(say(Short(name), &near))
        });
    }

    /// Returns the messagee that is named at a token.
    pub(super) fn find_messagee(&mut self, at: u32) -> Option<u32> {
        let found = self.content.find_messagee(self.str(at));
        if found.is_none() {
            self.unknown_name(at, Names::Messagee, |name, near| {
                format!("no messagee in this file is called `{name}`{near}")
            });
        }
        found
    }

    /// Determines the parent of each messagee.
    pub(super) fn find_parents(&mut self) {
        for index in 0..self.content.messagees.len() {
            let RawParent { named, within } = self.parents[index];
            let found = named.and_then(|named| self.find_messagee(named));
            self.content.messagees[index].parent = within.or(found);
        }
        let count = self.content.messagees.len();
        // Each is gone up from once: who was met before leads nowhere new.
        let mut met_from = vec![u32::MAX; count];
        for start in 0..number(count) {
            let mut at = start;
            while met_from[at as usize] == u32::MAX {
                met_from[at as usize] = start;
                let Some(parent) = self.content.messagees[at as usize].parent else {
                    break;
                };
                at = parent;
                if met_from[at as usize] == start {
                    self.circle_of_parents(at);
                    break;
                }
            }
        }
    }

    fn circle_of_parents(&mut self, first: u32) {
        let parent = |at: u32| self.content.messagees[at as usize].parent;
        let mut circle = vec![first];
        let mut at = parent(first);
        while let Some(next) = at.filter(|&next| next != first) {
            circle.push(next);
            at = parent(next);
        }
        let said = circle
            .iter()
            .filter_map(|&it| self.parents[it as usize].named);
        let places = said.map(|at| self.token(at as usize).start);
        let place = places.min().unwrap_or(0);
        circle.push(first);
        let names = circle.iter().map(|&it| self.content.name_of(it));
        let names: Vec<&str> = names.collect();
        let chain = self::circle(&names, " under ");
        let what = format!("`{}` is its own ancestor: {chain}", Short(names[0]));
        self.error(place, what);
    }

    /// Determines the order in which the members of groups join.
    pub(super) fn group_order(&mut self, at: Option<usize>) -> Vec<(Group, Vec<u32>)> {
        let mut order = Vec::new();
        for (group, members) in self.map(at, "groups") {
            let group = self.string(group, "the name of a group");
            let group = group.and_then(|name| self.look_up(name, Names::Group, find_group));
            let mut seen = HashSet::new();
            let mut known = Vec::new();
            for member in self.strings(Some(members), "messagee") {
                if let Some(index) = self.find_messagee(member) {
                    if seen.insert(index) {
                        known.push(index);
                    } else {
                        self.error_of(member, |name| format!("`{name}` is already in this group"));
                    }
                }
            }
            order.extend(group.map(|group| (group, known)));
        }
        order
    }
}
