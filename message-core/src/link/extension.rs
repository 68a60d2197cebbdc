//! Extending the registry while managers run, by the types of libraries that were loaded.
//!
//! An extension is a registry of its own in front of the older one. Message types and component types
//! that were there keep their indices. The older tables of routes lead to the newer ones, and each
//! manager goes on with the indices that it knows until it takes up the new ones.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::PoisonError;

#[cfg(feature = "data")]
use crate::data;
use crate::handler::Tables;
use crate::hash::HashedMap;
use crate::link::collector::{ByHand, Collector, ComponentDraft, Numbered, indices};
use crate::link::{Entry, backend};
use crate::plugin;
use crate::registry::refused::{address, refuse};
use crate::registry::{Declared, HIGHEST, PUBLISHED, Registry, RegistryError};

/// Component types are counted in 16 bits.
const MOST_COMPONENTS: u32 = 1 << 16;

/// Adds everything that was loaded since the registry was published to the registry, and returns it.
/// Without a published registry this is [`try_registry`](crate::try_registry).
///
/// It is for libraries that are loaded while the program runs; the crate `message-plugin` calls it. The
/// entries of a library are there when it is loaded. So call
/// [`plugin::before_loading`](crate::plugin::before_loading) before, and this function behind that.
///
/// Indices that exist stay. New message types and component types are sorted by name, and come behind the
/// others; so indices depend on the order in which libraries are loaded. Ids do not. Broadcasts run in
/// the same order as if all had been linked in: by priority, then by name.
///
/// A manager that was made before takes up the new types when a component of a new type is first hooked
/// to it, or when its next frame begins.
///
/// It does nothing if there is nothing new. With the feature `linkme` a call does not compile: its slices
/// are put together by the linker, and cannot grow.
///
/// # Errors
///
/// [`RegistryError::DuplicateIds`], [`RegistryError::ContradictoryOrder`] as for
/// [`try_registry`](crate::try_registry); [`RegistryError::DuplicateNames`] when a new type has the name
/// of another; [`RegistryError::ContextTooLate`] when a new handler takes a context, and the other handlers of its
/// component type take none; [`RegistryError::TooManyComponents`]. The registry stays as it is then, and what was
/// loaded is never asked for again.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let before = message_core::registry();
/// // A library would be loaded here.
/// let after = message_core::extend_registry()?;
/// let index = |registry: &message_core::Registry| registry.message(Ping::ID).map(|it| it.index());
/// assert_eq!(index(after), index(before));
/// # Ok::<(), message_core::RegistryError>(())
/// ```
#[cfg(not(feature = "linkme"))]
pub fn extend_registry() -> Result<&'static Registry, RegistryError> {
    extend(&ByHand::default())
}

#[cfg(feature = "linkme")]
pub use refused::extend_registry;

#[cfg(feature = "linkme")]
mod refused {
    use crate::registry::{Registry, RegistryError};

    #[diagnostic::on_unimplemented(
        message = "the registry cannot be extended with the feature `linkme` of message-core",
        label = "disable the feature `linkme` of message-core"
    )]
    pub trait NotLinkme {}

    /// Cannot be called: the linker puts the slices of `linkme` together, and they cannot grow.
    ///
    /// # Errors
    ///
    /// It does not compile.
    pub fn extend_registry() -> Result<&'static Registry, RegistryError>
    where
        for<'a> Registry: NotLinkme,
    {
        Registry::builder().extend()
    }
}

/// Publishes a registry with everything that was linked in, loaded, or added by hand.
pub(super) fn extend(by_hand: &ByHand) -> Result<&'static Registry, RegistryError> {
    let highest = HIGHEST.lock().unwrap_or_else(PoisonError::into_inner);
    let collect = || {
        let mut collector = Collector::linked();
        collector.again(by_hand);
        collector
    };
    // Managers publish the registry without `HIGHEST`. If one does so at this moment, its registry lacks
    // what was added by hand, and is extended.
    let older = match PUBLISHED.make_first(|| collect().publish()) {
        Err(Ok(older)) => older,
        Ok(published) | Err(published) => return published.as_ref().map_err(Clone::clone),
    };
    let collector = collect();
    let first_component = older.end_of_components().max(*highest);
    let extended = collector.extend(older, first_component);
    #[cfg(feature = "data")]
    let extended = extended.and_then(|new| data::check_loaded().map(|()| new));
    let registry = match extended {
        Ok(new) if is_longer(&new.registry, older) => Ok(publish(new)),
        Ok(_) => Ok(older),
        Err(error) => {
            refuse(loaded_since(older));
            #[cfg(feature = "data")]
            refuse(data::loaded());
            refuse(plugin::loaded());
            Err(error)
        }
    };
    #[cfg(feature = "data")]
    data::renew();
    plugin::renew();
    registry
}

fn is_longer(new: &Registry, older: &Registry) -> bool {
    let counts = |it: &Registry| [it.messages.len(), it.components.len(), it.handlers.len()];
    counts(new) != counts(older)
}

fn publish(new: Numbered) -> &'static Registry {
    let Ok(new) = PUBLISHED.replace(Ok(new.publish())) else {
        unreachable!("a registry was put there");
    };
    new
}

/// Returns the addresses of the entries with anything that the registry does not have.
fn loaded_since(older: &'static Registry) -> impl Iterator<Item = usize> {
    let is_new = |entry: &&'static Entry| match **entry {
        Entry::Message(row) => Tables::published(row.facts.message()).is_none(),
        Entry::Handlers(rows) => rows.iter().flatten().any(|row| {
            let table = Tables::published(row.message.message());
            let component = older.component_index((row.component)());
            table.is_none_or(|table| component.is_none_or(|it| table.route_to(it).is_none()))
        }),
    };
    backend::entries().filter(is_new).map(address)
}

/// Checks the component types and returns the index of each. The types of the older registry come first.
pub(super) fn check(
    components: &[(TypeId, ComponentDraft)],
    older: &Registry,
    first_component: u32,
) -> Result<HashedMap<TypeId, u32>, RegistryError> {
    let declared = |draft: &ComponentDraft| Declared {
        name: draft.name,
        place: draft.place,
    };
    let (known, new) = components.split_at(older.components.len());
    for ((_, draft), info) in known.iter().zip(&older.components) {
        if draft.can_be_busy != info.can_be_busy {
            return Err(RegistryError::ContextTooLate(declared(draft)));
        }
    }
    let mut names: HashMap<&str, Declared> = HashMap::new();
    names.extend(known.iter().map(|(_, draft)| (draft.name, declared(draft))));
    let mut same = Vec::new();
    for (_, draft) in new {
        let newer = declared(draft);
        match names.get(draft.name) {
            Some(first) => same.push((*first, newer)),
            None => {
                names.insert(draft.name, newer);
            }
        }
    }
    if !same.is_empty() {
        return Err(RegistryError::DuplicateNames(same));
    }
    let mut types = older.component_types.clone();
    types.extend(indices(new, first_component));
    if first_component as usize + new.len() > MOST_COMPONENTS as usize {
        let limit = MOST_COMPONENTS;
        return Err(RegistryError::TooManyComponents { limit });
    }
    Ok(types)
}
