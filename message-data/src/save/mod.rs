//! Saves a manager as bytes, and restores one from bytes.

mod carrier;
mod catalog;
mod chunks;
mod components;
mod error;
#[cfg(feature = "files")]
mod file;
mod keys;
mod listeners;
mod mail;
mod mailboxes;
mod options;
mod overhearing;
mod parts;
mod posts;
mod retained;
mod structure;
mod survey;
mod whole;
mod wires;

use std::panic::Location;
use std::sync::Arc;

use message_core::internals::{Identity, World, announce_restored, check_clock};
use message_core::time::Clock;
use message_core::{ManagerConfig, MessageeId, RegistryError, SubscriptionId, try_registry};

use crate::save::carrier::SavedProxies;
use crate::save::catalog::{Catalog, Types};
use crate::save::chunks::{Body, Chunk, ChunkWriter, Tag};
use crate::save::mailboxes::{OpenMailbox, SavedCounts};
use crate::save::overhearing::SavedSubscriptions;
use crate::save::structure::SavedStructure;
use crate::save::survey::Components;
use crate::scope::{Numbered, Scope};
use crate::wire::Wires;
pub use carrier::CarrierRow;
pub use carrier::SavedCarrier;
#[doc(hidden)]
pub(crate) use catalog::id_of;
pub use error::{RestoreError, RestoreNote, SaveError, Unsaved};
#[cfg(feature = "files")]
pub(crate) use file::write_file;
#[cfg(feature = "files")]
pub use file::{FileError, restore_from, save_to};
pub use options::SaveOptions;
pub(crate) use parts::{STRUCTURE, component_part, is_no_component, parts_of};
pub use whole::{RestoredManager, restore, save};

/// Writes everything that a manager consists of.
pub(crate) fn save_world(world: &World, options: &SaveOptions) -> Result<Vec<u8>, SaveError> {
    let mut catalog = Catalog::new(options);
    let components = Components::of(&world.structure, &mut catalog);
    let schedule = world.schedule.borrow();
    let posts = survey::posts(&schedule, &mut catalog);
    let retained = retained::survey(&world.listen.retained.borrow(), &mut catalog);
    let opened = OpenMailbox::all(&world.mail);
    let mail = mail::survey(&opened, &mut catalog);
    let all_wires = Wires::of(&world.outside.wires);
    let overhearing =
        overhearing::survey(&world.listen, all_wires, &retained.numbers, &mut catalog);
    let wires = wires::survey(all_wires, &mut catalog);
    catalog.check()?;
    let overhearing = overhearing?;
    let identity = &world.common.identity;
    Scope::numbered(identity).during(|| {
        let mut writer = ChunkWriter::new();
        let failures = &world.waiting.failures;
        let (structure, names) = (&world.structure, &world.structure.names);
        let structure = SavedStructure::of(structure, names, failures, &components.left_out);
        writer.value(Tag::TYPES, &catalog.rows)?;
        writer.value(Tag::CLOCK, &world.common.time.reading())?;
        writer.value(Tag::STRUCTURE, &structure)?;
        writer.chunk(Tag::POSTS, |to| {
            posts::write(&schedule, identity, &posts, to)
        })?;
        for (pool, known) in components.saved {
            writer.chunk(Tag::COMPONENTS, |to| components::write(pool, known, to))?;
        }
        writer.chunk(Tag::RETAINED, |to| {
            retained::write(&retained, &mut catalog, to)
        })?;
        let newcomers =
            retained::newcomers(&world.structure, &world.listen.retained.borrow(), &retained);
        if !newcomers.is_empty() {
            writer.value(Tag::NEWCOMERS, &newcomers)?;
        }
        let counts = SavedCounts::of(&world.mail);
        writer.chunk(Tag::MAIL, |to| mail::write(counts, mail, to))?;
        if !overhearing.subscriptions.is_empty() {
            writer.value(Tag::SUBSCRIPTIONS, &overhearing.subscriptions)?;
        }
        writer.chunk(Tag::OVERHEARING, |to| {
            overhearing::write(overhearing, &mut catalog, to)
        })?;
        writer.chunk(Tag::WIRES, |to| {
            wires::write(all_wires, wires, &mut catalog, to)
        })?;
        let (proxies, messagees) = (&world.outside.proxies, &world.structure.messagees);
        if let Some(proxies) = SavedProxies::of(proxies, messagees) {
            writer.value(Tag::PROXIES, &proxies.map_err(SaveError::of("a carrier"))?)?;
        }
        writer.finish()
    })
}

/// The result of restoring a save.
pub(crate) struct Parts {
    pub(crate) world: World,
    pub(crate) notes: Vec<RestoreNote>,
    pub(crate) overhearing: Vec<(MessageeId, SubscriptionId)>,
}

/// A world that is being restored.
struct Restoring {
    world: World,
    types: Types,
    /// The call that restores it.
    place: &'static Location<'static>,
    /// The messagees that overhear, with their subscriptions.
    overhearing: Vec<(MessageeId, SubscriptionId)>,
    /// The keys of subscriptions, once they were read.
    subscriptions: SavedSubscriptions,
}

/// Restores a world from a save, and sends [`Restored`](message_core::lifecycle::Restored) to its components.
pub(crate) fn restore_world(
    bytes: &[u8],
    config: ManagerConfig,
    place: &'static Location<'static>,
) -> Result<Parts, RestoreError> {
    let mut parts = restore_untold(bytes, config, place)?;
    announce_restored(&mut parts.world, place);
    Ok(parts)
}

/// Restores a world from a save without sending `Restored` to its components.
pub(crate) fn restore_untold(
    bytes: &[u8],
    config: ManagerConfig,
    place: &'static Location<'static>,
) -> Result<Parts, RestoreError> {
    let (chunks, unknown) = chunks::split(bytes)?;
    let unknown = unknown.into_iter();
    let mut notes: Vec<RestoreNote> = unknown
        .map(|tag| RestoreNote::UnknownChunk {
            tag: tag.to_string(),
        })
        .collect();
    let registry = try_registry()?;
    let types = Types::read(body(&chunks, Tag::TYPES))?;
    let clock = read_clock(body(&chunks, Tag::CLOCK))?;
    let mut of_structure = body(&chunks, Tag::STRUCTURE);
    let mut structure: SavedStructure = of_structure.read()?;
    of_structure.finish()?;
    let mut owners = structure.check(&of_structure)?;
    let identity = Identity::new().ok_or(&RegistryError::TooManyManagers)?;
    let mut world = World::new(Arc::clone(&identity), registry, config);
    if !world.common.time.restore(clock) {
        notes.push(RestoreNote::OtherFixedStep {
            saved: clock.fixed_step(),
            configured: world.common.time.reading().fixed_step(),
        });
    }
    world.mail.frame = world.common.time.reading().frame();
    let mut restoring = Restoring {
        world,
        types,
        place,
        overhearing: Vec::new(),
        subscriptions: SavedSubscriptions::default(),
    };
    let keys = [&structure.messagees, &structure.hooks];
    let ends = keys.map(|keys| keys.generations.len() as u64);
    restoring.restore_messagees(&mut structure);
    let mut numbered = Numbered::of(&identity);
    numbered.ends = [ends[0], ends[1], u64::MAX, u64::MAX];
    let of_posts = body(&chunks, Tag::POSTS);
    let mut unread =
        Scope::Numbered(Arc::new(numbered)).during(|| restoring.read_posts(of_posts))?;
    let mut numbered = Numbered::of(&identity);
    numbered.ends = [ends[0], ends[1], u64::MAX, unread.next];
    numbered.posts = std::mem::take(&mut unread.tickets);
    Scope::Numbered(Arc::new(numbered)).during(|| {
        for chunk in chunks.iter().filter(|chunk| chunk.tag == Tag::COMPONENTS) {
            restoring.read_components(Body::new(*chunk), &mut owners)?;
        }
        owners.check().map_err(|what| of_structure.wrong(what))?;
        restoring.restore_order(structure, &owners);
        restoring.read_posted(unread)?;
        for chunk in &chunks {
            let body = Body::new(*chunk);
            match chunk.tag {
                Tag::RETAINED => restoring.read_retained(body)?,
                Tag::NEWCOMERS => restoring.read_newcomers(body)?,
                Tag::MAIL => restoring.read_mail(body)?,
                Tag::SUBSCRIPTIONS => restoring.read_subscriptions(body)?,
                Tag::OVERHEARING => restoring.read_overhearing(body)?,
                Tag::WIRES => restoring.read_wires(body)?,
                Tag::PROXIES => restoring.read_proxies(body)?,
                _ => {}
            }
        }
        Ok::<(), RestoreError>(())
    })?;
    restoring.types.notes(&mut notes);
    Ok(Parts {
        world: restoring.world,
        notes,
        overhearing: restoring.overhearing,
    })
}

/// Returns the content of a chunk that is in every save.
fn body<'b>(chunks: &[Chunk<'b>], tag: Tag) -> Body<'b> {
    let chunk = chunks.iter().find(|chunk| chunk.tag == tag);
    Body::new(*chunk.expect("the chunks were checked when they were split"))
}

fn read_clock(mut body: Body<'_>) -> Result<Clock, RestoreError> {
    let clock = body.read()?;
    check_clock(&clock).map_err(|what| body.wrong(what))?;
    body.finish()?;
    Ok(clock)
}
