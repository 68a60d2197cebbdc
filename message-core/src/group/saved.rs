//! The groups of a manager in a save.

use crate::group::{Group, Groups};
use crate::key::MessageeId;

impl Groups {
    /// Returns the groups that have members, sorted by name, with their members in the order of joining.
    pub(crate) fn saved(&self) -> Vec<(Group, Vec<MessageeId>)> {
        let mut groups: Vec<Group> = self.members.keys().copied().collect();
        groups.sort_unstable_by_key(|group| group.name());
        let with_members = groups.into_iter();
        with_members
            .map(|group| (group, self.members(group).collect()))
            .collect()
    }
}
