//! Resolves the names in a file while its values are read.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use message_core::internals::{Key, Keyed as _};
use message_core::{HookId, MessageeId};
use message_format::names::{Short, no_such};

use crate::data_type::DataType;
use crate::scope::{Scope, nobody};
use crate::types::find_component;
use crate::world_file::Content;
use crate::world_file::outfit::{MESSAGEE, Outfit};

/// The separator between the name of a messagee and that of a component.
const SLASH: char = '/';
/// The mark before the number of a component, if it is not the first of its type.
const NUMBER: char = '#';

/// The number of prefixes of a text that are tried as the name of a messagee.
const MAX_SLASHES: usize = 16;
/// The number of unknown names whose errors are cached.
const MAX_UNKNOWN: usize = 100;

/// The ids that the messagees of a file and their components will have.
#[derive(Debug)]
pub(super) struct Ids {
    pub(super) messagees: Vec<MessageeId>,
    /// The ids of all components, grouped by messagee.
    pub(super) hooks: Vec<HookId>,
    /// The index of each messagee's first component in `hooks`.
    pub(super) first_hooks: Vec<usize>,
}

/// Resolves the names in a world file.
#[derive(Debug)]
pub(crate) struct Called {
    content: Arc<Content>,
    /// `None` while the file is checked, when the ids do not matter.
    ids: Option<Ids>,
    /// The errors of names that no messagee has. They are cached because a renamed messagee is often named in
    /// many places.
    unknown: RefCell<HashMap<String, String>>,
}

/// Returns the scope in which names mean what the file says.
pub(super) fn scope(content: &Arc<Content>, ids: Option<Ids>) -> Scope {
    Scope::Named(Box::new(Called {
        content: Arc::clone(content),
        ids,
        unknown: RefCell::default(),
    }))
}

/// Returns an arbitrary key, different for each index.
fn key(index: usize) -> Key {
    let place = u32::try_from(index).unwrap_or(u32::MAX);
    Key::from_halves(place, 1).expect("a life of one is not zero")
}

impl Called {
    /// Returns the messagee with this name.
    ///
    /// # Errors
    ///
    /// Returns the text of an error if there is none.
    pub(crate) fn messagee(&self, name: &str) -> Result<MessageeId, String> {
        match self.content.find_messagee(name) {
            Some(messagee) => Ok(self.id(messagee)),
            None => Err(self.nobody(name)),
        }
    }

    fn nobody(&self, name: &str) -> String {
        let mut unknown = self.unknown.borrow_mut();
        if let Some(said) = unknown.get(name) {
            return said.clone();
        }
        let specs = self.content.messagees.iter();
        let said = nobody(name, specs.map(|spec| self.content.str(spec.name)));
        if unknown.len() < MAX_UNKNOWN {
            unknown.insert(name.to_owned(), said.clone());
        }
        said
    }

    /// Returns the component that a text such as `grib/Health` or `grib/Health#2` names.
    ///
    /// # Errors
    ///
    /// Returns the text of an error if there is none.
    pub(crate) fn hook(&self, text: &str) -> Result<HookId, String> {
        // The name of a messagee may have slashes.
        let slashes = text.rmatch_indices(SLASH).map(|(at, _)| at);
        let slashes = slashes.take(MAX_SLASHES);
        let mut parted = slashes.map(|at| (&text[..at], &text[at + SLASH.len_utf8()..]));
        let Some(last) = parted.next() else {
            let text = Short(text);
            return Err(format!(
                "expected the name of a messagee and of a component of it, such as \
                 \"{text}/Health\" or \"{text}/Health#2\" for the second one"
            ));
        };
        let known = std::iter::once(last)
            .chain(parted)
            .find_map(|(name, component)| {
                Some((name, self.content.find_messagee(name)?, component))
            });
        let Some((name, messagee, component)) = known else {
            return Err(self.nobody(last.0));
        };
        let (component, number) = match component.rsplit_once(NUMBER) {
            Some((component, number)) => match number.parse::<usize>() {
                Ok(number) if number > 0 => (component, number),
                _ => return Err(format!("expected a number of at least 1 after `{NUMBER}`")),
            },
            None => (component, 1),
        };
        let ty = find_component(component).map_err(|error| error.what().to_owned())?;
        let name = Short(name);
        match self.component(messagee, ty, number - 1) {
            (_, Some(hook)) => Ok(hook),
            (0, None) => {
                let what = format!("`{name}` has no component");
                let (outfit, templates) = (self.outfit(messagee), &self.content.templates);
                let has = templates.component_names(outfit, MESSAGEE);
                Err(no_such(&what, component, "it has", &has).what().to_owned())
            }
            (count, None) => Err(format!(
                "`{name}` has {count} components `{component}`: expected a number up to {count}"
            )),
        }
    }

    fn outfit(&self, messagee: u32) -> &Outfit {
        &self.content.messagees[messagee as usize].outfit
    }

    fn id(&self, messagee: u32) -> MessageeId {
        match &self.ids {
            Some(ids) => ids.messagees[messagee as usize],
            None => MessageeId::of_key(key(messagee as usize)),
        }
    }

    /// Returns how many components of a type a messagee has, and the id of the one with the given number, which
    /// counts from 0.
    fn component(
        &self,
        messagee: u32,
        ty: &'static DataType,
        number: usize,
    ) -> (usize, Option<HookId>) {
        let (outfit, templates) = (self.outfit(messagee), &self.content.templates);
        let (count, part) = templates.of_type(outfit, MESSAGEE, ty, number);
        let hook = part.map(|part| match &self.ids {
            None => HookId::of_key(key(number)),
            Some(ids) => {
                let position = templates.position(outfit, MESSAGEE, part);
                ids.hooks[ids.first_hooks[messagee as usize] + position]
            }
        });
        (count, hook)
    }
}

/// Returns the name of a component in a world file. The messagee has `before` components of its type before it.
pub(super) fn hook_in_files(messagee: &str, component: &str, before: u64) -> String {
    match before {
        0 => format!("{messagee}{SLASH}{component}"),
        _ => format!("{messagee}{SLASH}{component}{NUMBER}{}", before + 1),
    }
}
