//! The components of a messagee that moves to another room.

use std::collections::HashMap;
use std::sync::Arc;

use message_core::post::PendingPost;
use message_core::{HookId, MessageManager, MessageeId, Posts, Recipient};
use message_data::{AnyComponent, DataType, component_to_bytes, component_type};

use crate::content::{Content, Written};
use crate::error::MoveError;
use crate::far::Far;
use crate::gateway::Gateway;

/// A component of a messagee that moves, as it was written.
pub(crate) struct Packed {
    of: &'static DataType,
    written: Written,
    is_enabled: bool,
}

/// Writes the components of a messagee, and checks that the pending messages to it can leave the room.
pub(crate) fn pack(here: &MessageManager, id: MessageeId) -> Result<Vec<Packed>, MoveError> {
    let room = Gateway::seen(here);
    let (mut components, mut types) = (Vec::new(), Vec::new());
    let hooks: Vec<HookId> = here.hooks(id).collect();
    for &hook in &hooks {
        let written = Written::of(room, |ids| component_to_bytes(here, hook, ids));
        match component_type(here, hook).and_then(|of| Ok((of, written?))) {
            Ok((of, written)) => components.push(Packed {
                of,
                written,
                is_enabled: here.is_enabled(hook).unwrap_or(true),
            }),
            Err(error) => {
                let name = here.component_name(hook).unwrap_or_default();
                types.push(format!("component `{name}`: {error}"));
            }
        }
    }
    for post in pending(here, id, hooks.iter().copied()) {
        // Those for others stay.
        let leaves = match post.recipient {
            Recipient::Me => true,
            Recipient::Id(to) => to == id,
            Recipient::Hook(to) => hooks.contains(&to),
            _ => false,
        };
        let message = here.inspect().pending_message(post.ticket);
        let why = match message {
            _ if !leaves => None,
            _ if post.until.is_some_and(|hook| !hooks.contains(&hook)) => {
                Some("it is tied to a component of another messagee".to_owned())
            }
            Some(message) => Content::of(&*message, room)
                .err()
                .map(|error| error.to_string()),
            None => None,
        };
        types.extend(why.map(|why| format!("pending `{}`: {why}", post.message)));
    }
    if types.is_empty() {
        return Ok(components);
    }
    types.sort();
    types.dedup();
    Err(MoveError::NotExported { id, types })
}

/// Spawns the messagee in its new room, and reads its components.
pub(crate) fn unpack(
    components: Vec<Packed>,
    there: &mut MessageManager,
    old: Far,
    id: MessageeId,
    name: Option<Arc<str>>,
) -> Result<(MessageeId, Vec<(AnyComponent, bool)>), MoveError> {
    let new = match name {
        Some(name) => there.spawn_named(name, ()),
        None => there.spawn(()),
    };
    let (mut read, mut types) = (Vec::new(), Vec::new());
    let moved = HashMap::from([(old, Gateway::seen(there).far_of(new))]);
    for Packed {
        of,
        mut written,
        is_enabled,
    } in components
    {
        written.redirect(&moved);
        match written.read(there, |bytes, ids| of.read_component(bytes, ids)) {
            Ok(component) => read.push((component, is_enabled)),
            Err(error) => types.push(format!("component `{}`: {error}", of.name())),
        }
    }
    if types.is_empty() {
        return Ok((new, read));
    }
    there.despawn(new).expect("it was just spawned");
    Err(MoveError::NotExported { id, types })
}

/// Returns the pending messages to a messagee and its components, and those that it has posted.
pub(crate) fn pending(
    here: &MessageManager,
    id: MessageeId,
    hooks: impl Iterator<Item = HookId>,
) -> Vec<PendingPost> {
    let to_hooks = hooks.map(|hook| Posts::all().to(hook));
    let posts = to_hooks.chain([Posts::all().to(id), Posts::all().from(id)]);
    posts.flat_map(|posts| here.pending_posts(posts)).collect()
}
