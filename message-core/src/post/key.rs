//! Names that a pending message can be found by, and of which there is never a second.

use std::fmt;

use crate::address::MessageeId;

/// What a pending message is known by, so that it can be cancelled, and so that posting again under
/// it replaces the one that is pending.
///
/// A key is a name, and if need be a number or a messagee that tells several of that name apart.
///
/// ```
/// use message_core::prelude::*;
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// assert_eq!(PostKey::from("autosave"), PostKey::from("autosave"));
/// assert_ne!(PostKey::from(("reload", 1)), PostKey::from(("reload", 2)));
/// assert_ne!(PostKey::from(("reload", orc)), PostKey::from("reload"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PostKey {
    name: &'static str,
    part: Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    Whole,
    Number(u64),
    Of(MessageeId),
}

impl PostKey {
    /// The key of that name and that messagee.
    pub(crate) fn of(self, id: MessageeId) -> Self {
        Self {
            part: Part::Of(id),
            ..self
        }
    }
}

impl From<&'static str> for PostKey {
    fn from(name: &'static str) -> Self {
        Self {
            name,
            part: Part::Whole,
        }
    }
}

impl From<(&'static str, u64)> for PostKey {
    fn from((name, number): (&'static str, u64)) -> Self {
        Self {
            name,
            part: Part::Number(number),
        }
    }
}

impl From<(&'static str, MessageeId)> for PostKey {
    fn from((name, id): (&'static str, MessageeId)) -> Self {
        Self {
            name,
            part: Part::Of(id),
        }
    }
}

impl fmt::Display for PostKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            Part::Whole => f.write_str(self.name),
            Part::Number(number) => write!(f, "{} {number}", self.name),
            Part::Of(id) => write!(f, "{} of messagee {id}", self.name),
        }
    }
}
