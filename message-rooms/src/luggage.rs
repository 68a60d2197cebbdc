//! The components of a messagee that moves to another room.

use std::sync::Arc;

use message_core::{HookId, MessageManager, MessageeId, Posts, Recipient};
use message_data::{AnyComponent, DataType, component_to_bytes, component_type, message_to_bytes};

use crate::column::column_for;
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
        let recipients = hooks.iter().map(|&hook| Recipient::Hook(hook));
        for to in recipients.chain([Recipient::Id(id)]) {
            for post in here.pending_posts(Posts::all().to(to)) {
                let ends_elsewhere = post.until.is_some_and(|hook| !hooks.contains(&hook));
                let message = here.inspect().pending_message(post.ticket);
                let why = match message {
                    _ if ends_elsewhere => Some("it ends with a component of another".to_owned()),
                    Some(message) if column_for(post.id).is_none() => {
                        let written = message_to_bytes(&*message, &mut Vec::new());
                        written.err().map(|error| error.to_string())
                    }
                    _ => None,
                };
                types.extend(why.map(|why| format!("pending `{}`: {why}", post.message)));
            }
        }
        if types.is_empty() {
            return Ok(Self { id, components });
        }
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
        for Packed {
            of,
            bytes,
            ids,
            is_enabled,
        } in self.components
        {
            let ids = ids
                .into_iter()
                .map(|far| if far == old { new } else { local(there, far) });
            let ids: Vec<MessageeId> = ids.collect();
            match of.read_component(&bytes, &ids) {
                Ok(component) => read.push((component, is_enabled)),
                Err(error) => types.push(format!("component `{}`: {error}", of.name())),
            }
        }
        if types.is_empty() {
            return Ok((new, read));
        }
        there.despawn(new).expect("it was just spawned");
        Err(MoveError::NotExported { id: self.id, types })
    }
}
