//! The names that a world file gives to the messagees and the components in it.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use message_core::internals::{Identity, Key, Keyed as _};
use message_core::{HookId, MessageeId};

/// The names that a world file gives.
#[derive(Debug)]
pub(crate) struct Naming {
    pub(crate) messagees: HashMap<MessageeId, String>,
    pub(crate) hooks: HashMap<HookId, String>,
    /// The messagees that exist and are not written.
    pub(crate) other_messagees: HashSet<MessageeId>,
    /// The components that exist and are not written.
    pub(crate) other_hooks: HashSet<HookId>,
    pub(crate) identity: Arc<Identity>,
    /// `true` if the last id was that of something that is gone, and nobody has asked since.
    pub(crate) met_gone: Cell<bool>,
}

impl Naming {
    pub(super) fn messagee(&self, id: MessageeId) -> Result<String, String> {
        let name = self.messagees.get(&id).cloned();
        name.ok_or_else(|| {
            let (is_there, shown) = (self.other_messagees.contains(&id), format!("messagee {id}"));
            self.nameless(id.key(), is_there, &shown, "messagees")
        })
    }

    pub(super) fn hook(&self, id: HookId) -> Result<String, String> {
        let name = self.hooks.get(&id).cloned();
        name.ok_or_else(|| {
            let (is_there, shown) = (self.other_hooks.contains(&id), format!("component {id}"));
            self.nameless(id.key(), is_there, &shown, "components")
        })
    }

    /// Returns the reason why an id has no name.
    fn nameless(&self, key: Key, is_there: bool, shown: &str, all: &str) -> String {
        if key.manager() != self.identity.number {
            return format!("{shown} belongs to another manager");
        }
        if is_there {
            return format!("{shown} is not among the {all} that are written");
        }
        self.met_gone.set(true);
        format!(
            "{shown} is gone: clear the field, or make it an `Option`, which is written as `None`"
        )
    }
}
