//! The state of the world as seen from outside.

use std::time::Duration;

use super::world::{Id, Life, World};

impl World {
    /// Describes the state of the world as seen from outside.
    pub(super) fn look(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let named = |id: Id| format!("m{id}");
        for (id, messagee) in self.messagees.iter().enumerate() {
            if messagee.life != Life::There {
                continue;
            }
            let children: Vec<String> = self.children(id).into_iter().map(named).collect();
            let parts = self.parts_of(id).into_iter();
            let on = parts.map(|part| {
                let stays = self.stays_hooked(part).ok();
                stays.map(|()| self.parts[part].is_enabled)
            });
            let on: Vec<Option<bool>> = on.collect();
            let name = messagee
                .name
                .map_or(String::new(), |name| format!("n{name}"));
            lines.push(format!("m{id} {name:?} {children:?} {on:?}"));
        }
        let bound = self.bound.map(|id| id.map(named));
        let members = |group: &Vec<Id>| group.iter().copied().map(named).collect::<Vec<_>>();
        let members = [members(&self.groups[0]), members(&self.groups[1])];
        lines.push(format!("{bound:?} {members:?}"));
        let [actors, calm, quick] = [0, 1, 2].map(|kind: usize| {
            let parts = self.storage[kind].parts.iter();
            parts
                .map(|&part| self.parts[part].label)
                .collect::<Vec<_>>()
        });
        lines.push(format!("{actors:?} {calm:?} {quick:?}"));
        let [now, unscaled] = [self.now, self.unscaled_now].map(Duration::from_micros);
        lines.push(format!("{now:?} {unscaled:?}"));
        lines.push(format!("{} pending", self.posts.len()));
        lines
    }
}
