//! Who is called how in a file, who stands under whom, and in which order groups are joined.

use std::collections::HashMap;

use crate::data::world_file::read::{Check, Placed, nearest_name};
use crate::group::Group;

impl Check {
    /// Which messagee has which name.
    pub(super) fn names(&mut self) -> HashMap<String, usize> {
        let mut names = HashMap::new();
        let mut twice = Vec::new();
        for (index, it) in self.messagees.iter().enumerate() {
            if it.name.is_empty() {
                continue;
            }
            if names.contains_key(&it.name) {
                twice.push((it.place, it.name.clone()));
            } else {
                names.insert(it.name.clone(), index);
            }
        }
        for (place, name) in twice {
            self.error(
                place,
                format_args!(
                    "two messagees are called `{name}`: expected names that differ; `label: \
                     \"{name}\"` gives another one the same name in the manager"
                ),
            );
        }
        names
    }

    pub(super) fn find_messagee(
        &mut self,
        names: &HashMap<String, usize>,
        name: &Placed,
    ) -> Option<usize> {
        let (name, place) = name;
        let found = names.get(name).copied();
        if found.is_none() {
            let near = nearest_name(name, names.keys());
            let what = format!("no messagee in this file is called `{name}`{near}");
            self.error(*place, what);
        }
        found
    }

    /// Who stands under whom.
    pub(super) fn parents(&mut self, names: &HashMap<String, usize>) -> Vec<Option<usize>> {
        let mut parents = Vec::new();
        for index in 0..self.messagees.len() {
            let it = &self.messagees[index];
            let (within, parent) = (it.within, it.parent.clone());
            let found = parent.and_then(|parent| self.find_messagee(names, &parent));
            parents.push(within.or(found));
        }
        // Each is gone up from once: who was met before leads nowhere new.
        let mut met_from = vec![usize::MAX; parents.len()];
        for start in 0..parents.len() {
            let mut at = start;
            while met_from[at] == usize::MAX {
                met_from[at] = start;
                let Some(parent) = parents[at] else { break };
                at = parent;
                if met_from[at] == start {
                    self.circle_of_parents(at, &parents);
                    break;
                }
            }
        }
        parents
    }

    fn circle_of_parents(&mut self, first: usize, parents: &[Option<usize>]) {
        let mut circle = vec![first];
        let mut at = parents[first];
        while let Some(next) = at.filter(|&next| next != first) {
            circle.push(next);
            at = parents[next];
        }
        circle.push(first);
        let text = |&index: &usize| format!("`{}`", self.messagees[index].name);
        let chain: Vec<String> = circle.iter().map(text).collect();
        let place = circle
            .iter()
            .filter_map(|&index| self.messagees[index].parent.as_ref())
            .map(|(_, place)| *place)
            .min();
        let name = &self.messagees[first].name;
        let what = format!("`{name}` is its own ancestor: {}", chain.join(" under "));
        self.error(place.unwrap_or(0), what);
    }

    /// In which order the members of groups join.
    pub(super) fn group_order(
        &mut self,
        names: &HashMap<String, usize>,
    ) -> Vec<(Group, Vec<usize>)> {
        let mut order = Vec::new();
        for (group, members) in std::mem::take(&mut self.groups) {
            let mut known = Vec::new();
            for member in members {
                if let Some(index) = self.find_messagee(names, &member) {
                    if known.contains(&index) {
                        let (name, place) = &member;
                        let what = format!("`{name}` is in this group already");
                        self.error(*place, what);
                    }
                    known.push(index);
                }
            }
            order.push((group, known));
        }
        order
    }
}
