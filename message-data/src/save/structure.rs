//! Messagees and hooks, families, names, mnemonics and groups.
//!
//! Messagees and hooks are identified by their places.

use message_core::internals::{Failures, HookRef, IdKeys, Key, Keyed as _, LayoutId};
use message_core::{Group, MessageeId, Mnemonic, Structure};
use serde::{Deserialize, Serialize};

use crate::save::Restoring;
use crate::save::chunks::Body;
use crate::save::error::RestoreError;
use crate::save::keys::{SavedKeys, messagee_at};

/// Marks a place without a messagee.
const NOBODY: u32 = u32::MAX;

#[derive(Serialize, Deserialize)]
pub(super) struct SavedStructure {
    pub(super) messagees: SavedKeys,
    pub(super) hooks: SavedKeys,
    /// The places of the messagees, ascending.
    alive: Vec<u32>,
    /// The number of hooks of each messagee.
    counts: Vec<u32>,
    /// All of these hooks, messagee by messagee in the order of hooking.
    hooked: Vec<u32>,
    /// Parents, with their children in order.
    families: Vec<(u32, Vec<u32>)>,
    /// Names, including those of messagees that are gone, by the numbers of their ids.
    names: Vec<(u64, String)>,
    mnemonics: Vec<(Mnemonic, u32)>,
    /// The groups, with the members in the order of joining.
    groups: Vec<(Group, Vec<u32>)>,
    dead_letters: u64,
    failures: u64,
}

impl SavedStructure {
    /// Returns the structure without these hooks, which are left out.
    pub(super) fn of(structure: &Structure, failures: &Failures, left_out: &[u32]) -> Self {
        let keys = &structure.keys;
        let [messagees, mut hooks] =
            [&keys.messagees, &keys.hooks].map(|keys| SavedKeys::of(&keys.borrow()));
        let mut is_left_out = vec![false; hooks.generations.len()];
        for &place in left_out {
            is_left_out[place as usize] = true;
            hooks.release(place);
        }
        let (mut alive, mut counts, mut hooked) = (Vec::new(), Vec::new(), Vec::new());
        for id in structure.messagees() {
            let before = hooked.len();
            let own = structure.hooks(id);
            let own = own.map(|id| id.key().place());
            hooked.extend(own.filter(|&place| !is_left_out[place as usize]));
            alive.push(id.key().place());
            counts
                .push(u32::try_from(hooked.len() - before).expect("hooks are counted in 32 bits"));
        }
        let places = |ids: Vec<message_core::MessageeId>| -> Vec<u32> {
            ids.into_iter().map(|id| id.key().place()).collect()
        };
        let families = structure.messagees().map(|id| {
            let children = structure.children(id);
            (id.key().place(), places(children.collect()))
        });
        let families = families.filter(|(_, children)| !children.is_empty());
        let names = structure.names.saved().into_iter();
        let names = names.map(|(id, name)| (id.key().number(), name.to_string()));
        let bound = structure.messagees().flat_map(|id| {
            let own = structure.mnemonics_of(id).into_iter();
            own.map(move |it| (it, id.key().place()))
        });
        let mut mnemonics: Vec<(Mnemonic, u32)> = bound.collect();
        mnemonics.sort_unstable_by_key(|(it, _)| it.name());
        let joined = structure.messagees().flat_map(|id| structure.groups_of(id));
        let mut groups: Vec<Group> = joined.collect();
        groups.sort_unstable_by_key(|it| it.name());
        groups.dedup();
        let groups = groups.into_iter();
        let groups = groups.map(|it| (it, places(structure.members(it).collect())));
        Self {
            alive,
            counts,
            hooked,
            families: families.collect(),
            names: names.collect(),
            mnemonics,
            groups: groups.collect(),
            dead_letters: failures.dead_letters.get(),
            failures: failures.total.get(),
            messagees,
            hooks,
        }
    }

    /// Checks that a manager can have this structure. Returns the owner of each hook.
    pub(super) fn check(&self, body: &Body<'_>) -> Result<Owners, RestoreError> {
        self.find_owners().map_err(|what| body.wrong(what))
    }

    fn find_owners(&self) -> Result<Owners, String> {
        let is_free = self.messagees.check("messagees")?;
        let mut is_alive = vec![false; is_free.len()];
        let mut last = None;
        for &place in &self.alive {
            if last.is_some_and(|last| place <= last) {
                return Err(format!("messagee {place} appears twice or out of order"));
            }
            last = Some(place);
            match is_free.get(place as usize) {
                Some(false) => is_alive[place as usize] = true,
                Some(true) => {
                    return Err(format!("messagee {place} exists, but its slot is free"));
                }
                None => return Err(format!("there is no slot {place} for messagees")),
            }
        }
        let is_there = |place: u32, what: &str| match is_alive.get(place as usize) {
            Some(true) => Ok(()),
            _ => Err(format!("{what} is messagee {place}, which does not exist")),
        };
        let owners = self.find_owner_of_each_hook()?;
        self.check_families(&is_alive)?;
        for (number, _) in &self.names {
            let place = usize::try_from(number & u64::from(u32::MAX)).unwrap_or(usize::MAX);
            let generation = self.messagees.generations.get(place);
            if generation.is_none_or(|&current| number >> 32 > current.into()) {
                return Err(format!(
                    "{number} has a name, but is not the number of a messagee"
                ));
            }
        }
        if !self
            .names
            .is_sorted_by(|(a, _), (b, _)| a & PLACE < b & PLACE)
        {
            return Err("the names are out of order".to_owned());
        }
        for (mnemonic, place) in &self.mnemonics {
            is_there(*place, &format!("bound to `{}`", mnemonic.name()))?;
        }
        if !self
            .mnemonics
            .is_sorted_by(|(a, _), (b, _)| a.name() < b.name())
        {
            return Err("a mnemonic is bound twice, or out of order".to_owned());
        }
        if !self
            .groups
            .is_sorted_by(|(a, _), (b, _)| a.name() < b.name())
        {
            return Err("a group appears twice, or out of order".to_owned());
        }
        for (group, members) in &self.groups {
            for place in members {
                is_there(*place, &format!("a member of `{}`", group.name()))?;
            }
        }
        Ok(owners)
    }

    fn find_owner_of_each_hook(&self) -> Result<Owners, String> {
        let is_free = self.hooks.check("hooks")?;
        let mut owners = vec![NOBODY; is_free.len()];
        if self.counts.len() != self.alive.len() {
            let (counts, alive) = (self.counts.len(), self.alive.len());
            return Err(format!(
                "there are {alive} messagees, but {counts} counts of hooks"
            ));
        }
        let mut rest = self.hooked.iter();
        for (&messagee, &count) in self.alive.iter().zip(&self.counts) {
            for _ in 0..count {
                let Some(&hook) = rest.next() else {
                    return Err("there are too few hooks".to_owned());
                };
                match (owners.get_mut(hook as usize), is_free.get(hook as usize)) {
                    (Some(owner), Some(false)) if *owner == NOBODY => *owner = messagee,
                    (Some(_), Some(false)) => return Err(format!("hook {hook} appears twice")),
                    (_, Some(true)) => {
                        return Err(format!("hook {hook} exists, but its slot is free"));
                    }
                    _ => return Err(format!("there is no slot {hook} for hooks")),
                }
            }
        }
        match rest.len() {
            0 => Ok(Owners {
                found: vec![Found::Missing; owners.len()],
                owners,
            }),
            left => Err(format!("{left} hooks belong to no messagee")),
        }
    }

    fn check_families(&self, is_alive: &[bool]) -> Result<(), String> {
        let is_there = |place: u32| is_alive.get(place as usize).copied().unwrap_or(false);
        let mut parents = vec![NOBODY; is_alive.len()];
        let mut last = None;
        for (parent, children) in &self.families {
            if !is_there(*parent) || last.is_some_and(|last| *parent <= last) {
                return Err(format!(
                    "messagee {parent} is listed as a parent twice, or does not exist"
                ));
            }
            last = Some(*parent);
            for &child in children {
                if !is_there(child) {
                    return Err(format!("messagee {child} is a child, but does not exist"));
                }
                if std::mem::replace(&mut parents[child as usize], *parent) != NOBODY {
                    return Err(format!("messagee {child} has two parents"));
                }
            }
        }
        // From each one up to where somebody came by before: each is passed once.
        let mut passed = vec![NOBODY; parents.len()];
        for start in 0..parents.len() {
            let own = u32::try_from(start).map_err(|_| "there are too many messagees")?;
            let mut at = own;
            while at != NOBODY && passed[at as usize] == NOBODY {
                passed[at as usize] = own;
                at = parents[at as usize];
            }
            if at != NOBODY && passed[at as usize] == own {
                return Err(format!("messagee {at} is its own ancestor"));
            }
        }
        Ok(())
    }
}

impl Restoring {
    /// Brings the messagees to life, with their names, so that later errors can name them.
    pub(super) fn restore_messagees(&mut self, saved: &mut SavedStructure) {
        let world = &mut self.world;
        let keys = &mut world.structure.keys;
        std::mem::take(&mut saved.messagees).restore(keys.messagees.get_mut());
        std::mem::take(&mut saved.hooks).restore(keys.hooks.get_mut());
        for &place in &saved.alive {
            let id = messagee_at(&world.structure.keys, place);
            world.structure.enter(id.expect(CHECKED), LayoutId::EMPTY);
        }
        for (number, name) in std::mem::take(&mut saved.names) {
            let id = Key::of_number(number, world.common.identity.number);
            world
                .structure
                .names
                .set(MessageeId::of_key(id.expect(CHECKED)), name.into());
        }
        world.waiting.failures.dead_letters.set(saved.dead_letters);
        world.waiting.failures.total.set(saved.failures);
    }

    /// Restores hooks, families and addresses. Hooks of unknown types are released.
    pub(super) fn restore_order(&mut self, saved: SavedStructure, owners: &Owners) {
        let world = &mut self.world;
        let messagee = |keys: &IdKeys, place| messagee_at(keys, place).expect(CHECKED);
        let mut rest = &saved.hooked[..];
        let mut own = Vec::new();
        for (&place, &count) in saved.alive.iter().zip(&saved.counts) {
            let (hooks, behind) = rest.split_at(count as usize);
            rest = behind;
            own.clear();
            let attached = hooks.iter().filter(|&&hook| owners.is_attached(hook));
            own.extend(attached);
            if own.len() > 1 {
                let owner = messagee(&world.structure.keys, place);
                restore_order(&mut world.structure, owner, &own);
                world.changes().follow_layouts();
            }
            for &hook in hooks.iter().filter(|&&hook| !owners.is_attached(hook)) {
                world.structure.keys.release_hook(hook);
            }
        }
        let (keys, addresses) = (&world.structure.keys, &world.structure.addresses);
        for (parent, children) in saved.families {
            let parent = messagee(keys, parent);
            for child in children {
                let mut families = addresses.families.borrow_mut();
                families.set_parent(messagee(keys, child), Some(parent));
            }
        }
        for (mnemonic, place) in saved.mnemonics {
            addresses.bind(mnemonic, messagee(keys, place));
        }
        for (group, members) in saved.groups {
            for place in members {
                addresses
                    .groups
                    .borrow_mut()
                    .add(group, messagee(keys, place));
            }
        }
    }
}

/// Puts the components of a messagee in the order of these hooks, which are all of them.
fn restore_order(structure: &mut Structure, owner: MessageeId, hooks: &[u32]) {
    for &hook in hooks {
        let hook = structure.keys.hook_at(hook);
        if let Some(at) = hook.and_then(|hook| structure.find_hook(hook)) {
            let (component, slot) = (at.component, at.slot);
            structure.messagees.remove_component(owner, at.order);
            structure.messagees.push(owner, HookRef { component, slot });
        }
    }
}

const PLACE: u64 = u32::MAX as u64;

const CHECKED: &str = "the structure of a save is checked before it is used";

/// The owner of each hook, by the hook's place.
pub(super) struct Owners {
    owners: Vec<u32>,
    found: Vec<Found>,
}

/// The state of a hook's component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Missing,
    Attached,
    /// Its type is unknown.
    PassedOver,
}

impl Owners {
    /// Records that the component of a hook was found, and returns the owner of the hook.
    ///
    /// # Errors
    ///
    /// Returns an error if nobody owns the hook, or if its component was found before.
    pub(super) fn find(&mut self, hook: u32, found: Found) -> Result<u32, String> {
        let owner = self.owners.get(hook as usize).copied();
        let owner = owner.filter(|owner| *owner != NOBODY);
        let owner =
            owner.ok_or_else(|| format!("the component of hook {hook} belongs to no messagee"))?;
        match std::mem::replace(&mut self.found[hook as usize], found) {
            Found::Missing => Ok(owner),
            _ => Err(format!("hook {hook} has two components")),
        }
    }

    fn is_attached(&self, hook: u32) -> bool {
        self.found[hook as usize] == Found::Attached
    }

    /// # Errors
    ///
    /// Returns an error if a hook has no component.
    pub(super) fn check(&self) -> Result<(), String> {
        let mut hooks = self.owners.iter().zip(&self.found);
        let missing = hooks.position(|(owner, found)| *owner != NOBODY && *found == Found::Missing);
        match missing {
            Some(hook) => Err(format!("hook {hook} has no component")),
            None => Ok(()),
        }
    }
}
