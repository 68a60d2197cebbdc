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
mod whole;
mod wires;

use std::panic::Location;
use std::sync::Arc;

use message_core::internals::{Identity, World, check_clock};
use message_core::time::Clock;
use message_core::{ManagerConfig, MessageeId, RegistryError, SubscriptionId, try_registry};

use crate::save::carrier::SavedProxies;
use crate::save::catalog::{Catalog, Types};
use crate::save::chunks::{Body, Chunk, ChunkWriter, Saved, Tag};
use crate::save::components::Components;
use crate::save::overhearing::SavedSubscriptions;
use crate::save::structure::SavedStructure;
use crate::scope::{Numbered, Scope};
use crate::wire::Wires;
pub use carrier::CarrierRow;
pub use carrier::SavedCarrier;
#[doc(hidden)]
pub(crate) use catalog::id_of;
pub use error::{RestoreError, RestoreNote, SaveError, Unsaved};
#[cfg(feature = "files")]
pub use file::write_file;
#[cfg(feature = "files")]
pub use file::{FileError, restore_from, save_to};
pub use options::SaveOptions;
pub(crate) use parts::{STRUCTURE, component_part, is_no_component, parts_of};
pub use whole::{RestoredManager, restore, save};

/// Writes everything that a manager consists of.
pub(crate) fn save_world(world: &World, options: &SaveOptions) -> Result<Vec<u8>, SaveError> {
    saved(world, options).map(|saved| saved.bytes)
}

/// Writes everything that a manager consists of. The types get their numbers on the way.
fn saved(world: &World, options: &SaveOptions) -> Result<Saved, SaveError> {
    let World {
        structure,
        listen,
        outside,
        ..
    } = world;
    Scope::numbered(&world.common.identity).during(|| {
        let (mut catalog, mut chunks) = (Catalog::new(options), ChunkWriter::default());
        let components = Components::of(structure, &mut catalog);
        chunks.value(Tag::CLOCK, &world.common.time.reading());
        let failures = &world.waiting.failures;
        let saved = SavedStructure::of(structure, failures, &components.left_out);
        chunks.value(Tag::STRUCTURE, &saved);
        chunks.chunk(Tag::POSTS, |to| posts::write(world, &mut catalog, to));
        for (pool, known) in components.saved {
            chunks.chunk(Tag::COMPONENTS, |to| components::write(pool, known, to));
        }
        let (retained, mut numbers) = (listen.retained.borrow(), Vec::new());
        chunks.chunk(Tag::RETAINED, |to| {
            retained::write(&retained, &mut numbers, &mut catalog, to)
        });
        let newcomers = retained::newcomers(structure, &retained, &numbers);
        if !newcomers.is_empty() {
            chunks.value(Tag::NEWCOMERS, &newcomers);
        }
        chunks.chunk(Tag::MAIL, |to| mail::write(&world.mail, &mut catalog, to));
        let wires = Wires::of(&outside.wires);
        match overhearing::survey(listen, wires, &numbers, &mut catalog) {
            Ok(overhearing) => {
                if !overhearing.subscriptions.is_empty() {
                    chunks.value(Tag::SUBSCRIPTIONS, &overhearing.subscriptions);
                }
                chunks.chunk(Tag::OVERHEARING, |to| overhearing::write(&overhearing, to));
            }
            Err(error) => chunks.fail(error),
        }
        chunks.chunk(Tag::WIRES, |to| wires::write(wires, &mut catalog, to));
        match SavedProxies::of(&outside.proxies, &structure.messagees) {
            Some(Ok(proxies)) => chunks.value(Tag::PROXIES, &proxies),
            Some(Err(error)) => chunks.fail(SaveError::of("a carrier")(error)),
            None => {}
        }
        catalog.check()?;
        chunks.finish(&catalog.rows)
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
    let types = Types::of(body(&chunks, Tag::TYPES).only()?)?;
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
            let body = &mut Body::new(*chunk);
            restoring.read_components(body, &mut owners)?;
            body.finish()?;
        }
        owners.check().map_err(|what| of_structure.wrong(what))?;
        restoring.restore_order(structure, &owners);
        restoring.read_posted(unread)?;
        for chunk in &chunks {
            let body = &mut Body::new(*chunk);
            match chunk.tag {
                Tag::RETAINED => restoring.read_retained(body)?,
                Tag::NEWCOMERS => restoring.read_newcomers(body)?,
                Tag::MAIL => restoring.read_mail(body)?,
                Tag::SUBSCRIPTIONS => restoring.subscriptions = body.read()?,
                Tag::OVERHEARING => restoring.read_overhearing(body)?,
                Tag::WIRES => restoring.read_wires(body)?,
                Tag::PROXIES => restoring.read_proxies(body)?,
                _ => continue,
            }
            body.finish()?;
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
