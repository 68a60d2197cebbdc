//! The parts of a manager's state, each with a hash: the chunks of a save, and their checksums.

use message_core::Structure;
use message_core::internals::{Pool, World};

use crate::data_type::DataType;
use crate::save::chunks::Tag;
use crate::save::error::SaveError;
use crate::save::options::SaveOptions;
use crate::types::of_pool;

pub(crate) const STRUCTURE: &str = "the structure";

/// A part that exists only while an earlier panic has left pending changes: the state is not final then.
const UNSETTLED: &str = "the changes that wait";

/// Returns the name of a part that is not the components of a type.
fn name_of(tag: Tag) -> Option<&'static str> {
    Some(match tag {
        Tag::CLOCK => "the clock",
        Tag::STRUCTURE => STRUCTURE,
        Tag::POSTS => "what is pending",
        Tag::RETAINED => "what is retained",
        Tag::NEWCOMERS => "who came behind what is retained",
        Tag::MAIL => "what is published",
        Tag::OVERHEARING => "who overhears",
        Tag::WIRES => "the wires",
        Tag::PROXIES => "the proxies",
        _ => return None,
    })
}

/// Returns `true` if a part is not the components of a type.
pub(crate) fn is_no_component(part: &str) -> bool {
    part.starts_with("the ") || part.starts_with("what ") || part.starts_with("who ")
}

/// Returns all parts, each with its hash. Those of components are at the end, with the names of their types.
pub(crate) fn parts_of(world: &World) -> Vec<(String, u64)> {
    let sums = match super::saved(world, &SaveOptions::new().leave_out_without_data()) {
        Ok(saved) => saved.sums,
        // Something is borrowed, or cannot be written: the same each time.
        Err(error) => return vec![(STRUCTURE.to_owned(), hash_of(&error))],
    };
    let types = component_parts(&world.structure);
    let mut names = types.iter().map(|(ty, _)| ty.name().to_owned());
    let mut parts = Vec::new();
    for (tag, sum) in sums {
        let name = match tag {
            Tag::COMPONENTS => names.next(),
            _ => name_of(tag).map(str::to_owned),
        };
        parts.extend(name.map(|name| (name, sum)));
    }
    let of_components = parts.iter().position(|(name, _)| !is_no_component(name));
    let (_, components) = parts.split_at_mut(of_components.unwrap_or(0));
    components.sort_unstable();
    if world.waiting.pending.is_unsettled() {
        parts.push((UNSETTLED.to_owned(), 1));
    }
    parts.sort_by_key(|(name, _)| !is_no_component(name));
    parts
}

fn hash_of(error: &SaveError) -> u64 {
    xxhash_rust::xxh3::xxh3_64(error.to_string().as_bytes())
}

/// Returns the component types of a save, in its order, with their pools.
fn component_parts(structure: &Structure) -> Vec<(&'static DataType, &Pool)> {
    let filled = structure.pools.iter().filter(|pool| pool.len() > 0);
    let known = filled.filter_map(|pool| Some((of_pool(pool)?, pool)));
    known.collect()
}

/// Returns the components of the type with this full name.
pub(crate) fn component_part<'w>(
    structure: &'w Structure,
    name: &str,
) -> Option<(&'static DataType, &'w Pool)> {
    let mut parts = component_parts(structure).into_iter();
    parts.find(|(ty, _)| ty.name() == name)
}
