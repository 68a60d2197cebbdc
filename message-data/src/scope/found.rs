//! Ids in a text about an existing manager: names, or ids as they print.

use std::collections::HashMap;
use std::sync::Arc;

use message_core::MessageeId;
use message_core::internals::{Key, Keyed as _, ManagerNumber, only_name_of};
use message_format::names::{Short, suggestion};

use crate::scope::{Numbered, OTHER_MANAGER};

/// The names that the messagees of a manager have.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) names: HashMap<String, Named>,
    pub(crate) manager: ManagerNumber,
    /// The meaning of tickets and cursors, if the value is one of the manager that is written to be read again at once.
    pub(crate) numbered: Option<Arc<Numbered>>,
}

impl Found {
    /// Returns the messagee with a name, or with an id as it prints. The latter comes first, since a name of that form is
    /// never written.
    pub(super) fn messagee(&self, text: &str) -> Result<MessageeId, String> {
        if let Some(key) = marked(text, self.manager) {
            return Ok(MessageeId::of_key(key));
        }
        match self.names.get(text) {
            Some(&Named::One(id)) => Ok(id),
            Some(Named::Several) => Err(format!(
                "several messagees are called `{text}`: expected a name that one has, or an id such as \"{MARK}7v2\""
            )),
            None => Err(self.nobody(text)),
        }
    }

    /// Returns the error that no messagee has a name, with the nearest one.
    fn nobody(&self, name: &str) -> String {
        let mut known: Vec<&str> = self.names.keys().map(String::as_str).collect();
        known.sort_unstable();
        nobody(name, known.into_iter())
    }

    /// Returns an id of this manager, as it prints.
    pub(super) fn exact(&self, key: Key) -> Result<String, String> {
        if key.manager() != self.manager {
            return Err(OTHER_MANAGER.to_owned());
        }
        Ok(format!("{MARK}{key}"))
    }

    /// Parses the key of a component or a subscription, as it is printed.
    pub(super) fn key(&self, text: &str) -> Result<Key, String> {
        let key = marked(text, self.manager);
        key.ok_or_else(|| {
            format!(
                "expected an id of this manager as it prints, such as \"{MARK}7v2\", found {text:?}"
            )
        })
    }
}

/// The messagees that have a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Named {
    One(MessageeId),
    Several,
}

/// Marks an id that is written the way it prints.
pub(super) const MARK: char = '#';

/// Parses an id from a text such as `#7v2`.
fn marked(text: &str, manager: ManagerNumber) -> Option<Key> {
    manager.key_in(text.strip_prefix(MARK)?)
}

/// Returns the form of an id for people.
pub(super) fn shown(id: MessageeId) -> String {
    match only_name_of(id) {
        Some(name) if !name.starts_with(MARK) => name.to_string(),
        _ => format!("{MARK}{}", id.key()),
    }
}

/// Returns the error for a name that no messagee has, with the nearest of the existing names. If several are
/// equally near, the first one is suggested.
pub(crate) fn nobody<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    let near = suggestion(name, names);
    format!("no messagee is called `{}`{near}", Short(name))
}
