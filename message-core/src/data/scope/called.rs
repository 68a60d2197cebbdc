//! Resolves the names in a world file.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;

use crate::address::{HookId, MessageeId};
use crate::data::data_type::DataType;
use crate::data::error::{Short, no_such, suggestion};
use crate::data::types::find_component;

/// The separator between the name of a messagee and that of a component.
const SLASH: char = '/';
/// The mark before the number of a component, if it is not the first of its type.
const NUMBER: char = '#';

/// The number of prefixes of a text that are tried as the name of a messagee.
const MAX_SLASHES: usize = 16;
/// The number of unknown names whose errors are cached.
const MAX_UNKNOWN: usize = 100;

/// The messagees of a world file.
pub(crate) trait FileNames: fmt::Debug {
    /// Returns the number of the messagee with this name in the file.
    fn find(&self, name: &str) -> Option<usize>;
    /// Iterates over the names in the file, in its order.
    fn names(&self) -> Box<dyn Iterator<Item = &str> + '_>;
    fn id(&self, messagee: usize) -> MessageeId;
    /// Returns how many components of a type a messagee has, and the id of the one with the given number, which
    /// counts from 0.
    fn hook(
        &self,
        messagee: usize,
        ty: &'static DataType,
        number: usize,
    ) -> (usize, Option<HookId>);
    /// Returns the names of a messagee's components, each once, up to as many as an error lists.
    fn component_names(&self, messagee: usize) -> Vec<&'static str>;
}

/// Resolves the names in a world file.
#[derive(Debug)]
pub(crate) struct Called {
    names: Box<dyn FileNames>,
    /// The errors of names that no messagee has. They are cached because a renamed messagee is often named in
    /// many places.
    unknown: RefCell<HashMap<String, String>>,
}

impl Called {
    pub(crate) fn new(names: impl FileNames + 'static) -> Self {
        Self {
            names: Box::new(names),
            unknown: RefCell::default(),
        }
    }

    /// Returns the messagee with this name.
    ///
    /// # Errors
    ///
    /// Returns the text of an error if there is none.
    pub(super) fn messagee(&self, name: &str) -> Result<MessageeId, String> {
        match self.names.find(name) {
            Some(messagee) => Ok(self.names.id(messagee)),
            None => Err(self.nobody(name)),
        }
    }

    fn nobody(&self, name: &str) -> String {
        let mut unknown = self.unknown.borrow_mut();
        if let Some(said) = unknown.get(name) {
            return said.clone();
        }
        let said = nobody(name, self.names.names());
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
    pub(super) fn hook(&self, text: &str) -> Result<HookId, String> {
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
            .find_map(|(name, component)| Some((name, self.names.find(name)?, component)));
        let Some((name, messagee, component)) = known else {
            return Err(self.nobody(last.0));
        };
        let (component, number) = match component.rsplit_once(NUMBER) {
            Some((component, number)) => match number.parse::<usize>() {
                Ok(number) if number > 0 => (component, number),
                _ => return Err(format!("expected a number from 1 behind `{NUMBER}`")),
            },
            None => (component, 1),
        };
        let ty = find_component(component).map_err(|error| error.what().to_owned())?;
        let name = Short(name);
        match self.names.hook(messagee, ty, number - 1) {
            (_, Some(hook)) => Ok(hook),
            (0, None) => {
                let what = format!("`{name}` has no component");
                let has = self.names.component_names(messagee);
                Err(no_such(&what, component, "it has", &has).what().to_owned())
            }
            (count, None) => Err(format!(
                "`{name}` has {count} `{component}`: expected a number up to that"
            )),
        }
    }
}

/// Returns the name of a component in a world file. The messagee has `before` components of its type before it.
pub(crate) fn hook_in_files(messagee: &str, component: &str, before: u64) -> String {
    match before {
        0 => format!("{messagee}{SLASH}{component}"),
        _ => format!("{messagee}{SLASH}{component}{NUMBER}{}", before + 1),
    }
}

/// Returns the error for a name that no messagee has, with the nearest of the existing names. If several are
/// equally near, the first one is suggested.
pub(super) fn nobody<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    let near = suggestion(name, names);
    format!("no messagee is called `{}`{near}", Short(name))
}
