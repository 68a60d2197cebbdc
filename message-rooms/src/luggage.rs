//! The components of a messagee that moves to another room.

use std::sync::Arc;

use message_core::{HookId, MessageManager, MessageeId, Posts, Recipient};
use message_data::{AnyComponent, DataType, component_to_bytes, component_type};

use crate::column::check;
use crate::error::MoveError;
use crate::far::Far;
use crate::gateway::local;

/// The components of a messagee that moves.
pub(crate) struct Luggage {
    id: MessageeId,
    components: Vec<Packed>,
}

/// A component that was written.
struct Packed {
    of: &'static DataType,
    bytes: Vec<u8>,
    ids: Vec<Far>,
    is_enabled: bool,
}

impl Luggage {
    /// Writes the components of a messagee, and checks that the pending messages to it can leave the room.
    /// `far_of` returns the address of a messagee that the room knows by an id.
    pub(crate) fn pack(
        here: &MessageManager,
        id: MessageeId,
        far_of: impl Fn(MessageeId) -> Far,
    ) -> Result<Self, MoveError> {
        let (mut components, mut types) = (Vec::new(), Vec::new());
        let hooks: Vec<HookId> = here.hooks(id).collect();
        for &hook in &hooks {
            let mut ids = Vec::new();
            let of = component_type(here, hook);
            match of.and_then(|of| Ok((of, component_to_bytes(here, hook, &mut ids)?))) {
                Ok((of, bytes)) => components.push(Packed {
                    of,
                    bytes,
                    ids: ids.into_iter().map(&far_of).collect(),
                    is_enabled: here.is_enabled(hook).unwrap_or(true),
                }),
                Err(error) => {
                    let name = here.component_name(hook).unwrap_or_default();
                    types.push(format!("component `{name}`: {error}"));
                }
            }
        }
        let to_hooks = hooks.iter().map(|&hook| Posts::all().to(hook));
        let posts = to_hooks.chain([Posts::all().to(id), Posts::all().from(id)]);
        for post in posts.flat_map(|posts| here.pending_posts(posts)) {
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
                Some(message) => check(&*message).err().map(|error| error.to_string()),
                None => None,
            };
            types.extend(why.map(|why| format!("pending `{}`: {why}", post.message)));
        }
        if types.is_empty() {
            return Ok(Self { id, components });
        }
        types.sort();
        types.dedup();
        Err(MoveError::NotExported { id, types })
    }

    /// Spawns the messagee in its new room, and reads its components.
    pub(crate) fn unpack(
        self,
        there: &mut MessageManager,
        old: Far,
        name: Option<Arc<str>>,
    ) -> Result<(MessageeId, Vec<(AnyComponent, bool)>), MoveError> {
        let new = match name {
            Some(name) => there.spawn_named(name, ()),
            None => there.spawn(()),
        };
        let (mut read, mut types) = (Vec::new(), Vec::new());
        for packed in self.components {
            let local = |far| if far == old { new } else { local(there, far) };
            let ids: Vec<MessageeId> = packed.ids.into_iter().map(local).collect();
            match packed.of.read_component(&packed.bytes, &ids) {
                Ok(component) => read.push((component, packed.is_enabled)),
                Err(error) => types.push(format!("component `{}`: {error}", packed.of.name())),
            }
        }
        if types.is_empty() {
            return Ok((new, read));
        }
        there.despawn(new).expect("it was just spawned");
        Err(MoveError::NotExported { id: self.id, types })
    }
}
