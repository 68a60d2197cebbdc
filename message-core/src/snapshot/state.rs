//! The state in a snapshot: how it is written, and how a world goes back to it.

use std::any::TypeId;
use std::cell::OnceCell;
use std::mem::replace;
use std::sync::Arc;

use crate::address::Recipient;
use crate::caught::FirstPanic;
use crate::error::SnapshotError;
use crate::hash::HashedMap;
use crate::mailbox::Mailboxes;
use crate::message::Facts;
use crate::names::Known;
use crate::post::{Schedule, Staged};
use crate::send::{Copies, not_cloned};
use crate::storage::{AnyValues, LayoutId, Messagees, Record, SavedPool};
use crate::structure::{Addresses, IdKeys};
use crate::subscription::{Retained, SavedSubscriptions};
use crate::time::Time;
use crate::world::{Attached, World};

/// Clones a value, into the memory of an earlier clone if there is one.
fn keep<T: Clone>(into: &mut Option<T>, from: &T) {
    match into {
        Some(into) => into.clone_from(from),
        None => *into = Some(from.clone()),
    }
}

/// The state of a world. Each part is there once it was saved.
#[derive(Default)]
pub(super) struct State {
    time: Option<Time>,
    messagees: Option<Messagees>,
    addresses: Option<Addresses>,
    keys: Option<IdKeys>,
    names: Option<Arc<Known>>,
    bundles: HashedMap<TypeId, LayoutId>,
    /// Indexed by component type.
    pools: Vec<SavedPool>,
    schedule: Option<Schedule>,
    mail: Option<Mailboxes>,
    subscriptions: SavedSubscriptions,
    staged: Staged,
    retained: Retained,
    wires: Option<Box<dyn Attached>>,
    failures: u64,
    dead_letters: u64,
}

/// The parts of a state that a world gets. They were cloned, and nothing of the world was changed.
pub(super) struct Parts {
    /// The values of each pool whose components can be cloned.
    values: Vec<Option<Box<dyn AnyValues>>>,
    schedule: Schedule,
    mail: Mailboxes,
    staged: Staged,
    retained: Retained,
    wires: Option<Box<dyn Attached>>,
}

/// Checks that everything can be cloned.
pub(super) fn check(world: &mut World) -> Result<(), SnapshotError> {
    let clonings = &world.common.registry.clonings;
    for pool in world.structure.pools.iter().filter(|pool| pool.len() > 0) {
        if !clonings.contains_key(&pool.type_of()) {
            let (component, owner) = (pool.component_name(), pool.owner(0));
            return Err(SnapshotError::ComponentNotClone { component, owner });
        }
    }
    world.mail.write_all_aside();
    let found = world.schedule.get_mut().first_not_cloned();
    let found = found.or_else(|| world.mail.first_not_cloned());
    let listen = &mut world.listen;
    let shared = listen.staged.all_mut();
    let mut shared = shared.chain(listen.retained.get_mut().all_mut());
    let found = found.or_else(|| shared.find_map(|message| not_cloned(message)));
    found.map_or(Ok(()), |(facts, to): (&Facts, Recipient)| {
        let message = facts.name;
        Err(SnapshotError::MessageNotClone { message, to })
    })
}

/// Clones messages that subscribers receive later. What several share, they share again.
fn copied(staged: &Staged, retained: &Retained) -> (Staged, Retained) {
    let (mut staged, mut retained) = (staged.clone(), retained.clone());
    let mut copies = Copies::default();
    for shared in staged.all_mut().chain(retained.all_mut()) {
        copies.replace(shared);
    }
    (staged, retained)
}

impl State {
    /// Writes the state of a world in which nothing is pending and everything can be cloned.
    pub(super) fn save(&mut self, world: &mut World) {
        let World {
            structure, listen, ..
        } = world;
        keep(&mut self.time, &world.common.time);
        keep(&mut self.messagees, &structure.messagees);
        keep(&mut self.addresses, &structure.addresses);
        keep(&mut self.keys, &structure.keys);
        self.names = Some(structure.names.shared());
        self.bundles.clone_from(&structure.bundles);
        let clonings = &world.common.registry.clonings;
        let pools = structure.pools.count();
        self.pools.resize_with(pools, SavedPool::default);
        for (component, into) in (0..).zip(&mut self.pools) {
            let Some(pool) = structure.pools.get_mut(component) else {
                *into = SavedPool::NONE;
                continue;
            };
            pool.save(clonings.get(&pool.type_of()).copied(), into);
        }
        keep(&mut self.schedule, world.schedule.get_mut());
        keep(&mut self.mail, &world.mail);
        // Each has memory of its own. That of the earlier ones is free first.
        (self.staged, self.retained) = Default::default();
        (self.staged, self.retained) = copied(&listen.staged, listen.retained.get_mut());
        self.wires = world.outside.wires.get().map(|wires| wires.copied());
        let failures = &world.waiting.failures;
        self.failures = failures.total.get();
        self.dead_letters = failures.dead_letters.get();
        let unneeded = listen.subscriptions.save(&mut self.subscriptions);
        FirstPanic::dropping(unneeded);
    }

    /// Clones all that a user's code clones. Returns `None` if nothing was saved here.
    pub(super) fn parts(&self, world: &World) -> Option<Parts> {
        let (staged, retained) = copied(&self.staged, &self.retained);
        let values = world.structure.pools.iter().map(|pool| {
            let cloning = world.common.registry.clonings.get(&pool.type_of())?;
            let saved = self.pools.get(pool.component() as usize);
            Some(pool.load(cloning, saved.unwrap_or(&SavedPool::NONE)))
        });
        Some(Parts {
            values: values.collect(),
            schedule: self.schedule.clone()?,
            mail: self.mail.clone()?,
            staged,
            retained,
            wires: self.wires.as_ref().map(|wires| wires.copied()),
        })
    }

    /// Takes a world back to this state, given its parts. Returns `None` if nothing was saved here.
    pub(super) fn rewind(&self, parts: Parts, world: &mut World) -> Option<()> {
        let mut panics = FirstPanic::default();
        let World {
            structure, listen, ..
        } = world;
        let (messagees, subscriptions) = (self.messagees.as_ref()?, &mut listen.subscriptions);
        let proxies = &mut world.outside.proxies;
        if proxies.any() {
            // In another future, a proxy may have an id that is somebody else's there.
            let destination = |of: &Messagees, id| of.get(id).map(Record::destination);
            let now = &structure.messagees;
            let ended = now.iter();
            let ended = ended.filter(|&id| destination(now, id) != destination(messagees, id));
            ended.for_each(|id| {
                panics.catch(|| proxies.note_end(id));
            });
        }
        // The numbers of layouts that were made since mean others from now on.
        let plans_hold = structure.messagees.layouts.are_those_of(&messagees.layouts);
        structure.messagees.clone_from(messagees);
        structure.addresses.clone_from(self.addresses.as_ref()?);
        structure.keys.clone_from(self.keys.as_ref()?);
        structure.names.put_back(self.names.clone()?);
        structure.bundles.clone_from(&self.bundles);
        for (pool, values) in structure.pools.iter_mut().zip(parts.values) {
            let saved = self.pools.get(pool.component() as usize);
            pool.put_back(saved.unwrap_or(&SavedPool::NONE), values, &mut panics);
        }
        world.common.time.clone_from(self.time.as_ref()?);
        let mut schedule = world.schedule.get_mut().rewind(parts.schedule);
        schedule.drop_all(&mut panics);
        replace(&mut world.mail, parts.mail).drop_all(&mut panics);
        let types = world.common.registry.messages.len();
        world.mail.grow(types);
        replace(&mut listen.staged, parts.staged).drop_all(&mut panics);
        let mut retained = replace(listen.retained.get_mut(), parts.retained);
        panics.drop_each(retained.take_all());
        panics.drop_each(subscriptions.rewind(&self.subscriptions));
        if !plans_hold {
            subscriptions.renew_plans(types, &structure.messagees.layouts);
        }
        if let Some(mut wires) = world.outside.wires.take() {
            panics.drop_each(wires.take_all());
        }
        world.outside.wires = parts.wires.map_or_else(OnceCell::new, OnceCell::from);
        let failures = &world.waiting.failures;
        failures.total.set(self.failures);
        failures.dead_letters.set(self.dead_letters);
        panics.resume();
        Some(())
    }
}
