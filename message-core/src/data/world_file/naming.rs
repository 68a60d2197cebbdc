//! Resolves the names in a file while its values are read.

use std::sync::Arc;

use crate::address::{HookId, MessageeId};
use crate::data::data_type::DataType;
use crate::data::scope::{Called, FileNames, Scope};
use crate::data::world_file::Content;
use crate::data::world_file::outfit::MESSAGEE;
use crate::key::Key;

/// The ids that the messagees of a file and their components will have.
#[derive(Debug)]
pub(super) struct Ids {
    pub(super) messagees: Vec<MessageeId>,
    /// The ids of all components, grouped by messagee.
    pub(super) hooks: Vec<HookId>,
    /// The index of each messagee's first component in `hooks`.
    pub(super) first_hooks: Vec<usize>,
}

#[derive(Debug)]
struct Names {
    content: Arc<Content>,
    /// `None` while the file is checked, when the ids do not matter.
    ids: Option<Ids>,
}

/// Returns the scope in which names mean what the file says.
pub(super) fn scope(content: &Arc<Content>, ids: Option<Ids>) -> Scope {
    let content = Arc::clone(content);
    Scope::Named(Box::new(Called::new(Names { content, ids })))
}

/// Returns an arbitrary key, different for each index.
fn key(index: usize) -> Key {
    let place = u32::try_from(index).unwrap_or(u32::MAX);
    Key::from_halves(place, 1).expect("a life of one is not zero")
}

impl FileNames for Names {
    fn find(&self, name: &str) -> Option<usize> {
        self.content.find_messagee(name).map(|it| it as usize)
    }

    fn names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        let specs = self.content.messagees.iter();
        Box::new(specs.map(|spec| self.content.str(spec.name)))
    }

    fn id(&self, messagee: usize) -> MessageeId {
        match &self.ids {
            Some(ids) => ids.messagees[messagee],
            None => MessageeId(key(messagee)),
        }
    }

    fn hook(
        &self,
        messagee: usize,
        ty: &'static DataType,
        number: usize,
    ) -> (usize, Option<HookId>) {
        let outfit = &self.content.messagees[messagee].outfit;
        let templates = &self.content.templates;
        let (count, part) = templates.of_type(outfit, MESSAGEE, ty, number);
        let hook = part.map(|part| match &self.ids {
            None => HookId(key(number)),
            Some(ids) => {
                let position = templates.position(outfit, MESSAGEE, part);
                ids.hooks[ids.first_hooks[messagee] + position]
            }
        });
        (count, hook)
    }

    fn component_names(&self, messagee: usize) -> Vec<&'static str> {
        let outfit = &self.content.messagees[messagee].outfit;
        self.content.templates.component_names(outfit, MESSAGEE)
    }
}
