//! What the names in a world file mean.

use std::collections::HashMap;

use crate::address::{HookId, MessageeId};
use crate::data::data_type::DataType;
use crate::data::error::no_such;
use crate::data::messages::name_in_files;
use crate::data::nearest::nearest;
use crate::data::types::find_component;

/// Between the name of a messagee and that of a component.
const SLASH: char = '/';
/// Before the number of a component, if it is not the first of its type.
const NUMBER: char = '#';

/// The messagees of a world file, by their names.
#[derive(Debug, Default)]
pub(crate) struct Called(HashMap<String, Messagee>);

/// A messagee, and its components in the order of the file.
#[derive(Debug)]
struct Messagee {
    id: MessageeId,
    hooks: Vec<(&'static DataType, HookId)>,
}

impl Called {
    pub(crate) fn add(
        &mut self,
        name: String,
        id: MessageeId,
        hooks: Vec<(&'static DataType, HookId)>,
    ) {
        self.0.insert(name, Messagee { id, hooks });
    }

    /// The messagee with that name.
    ///
    /// # Errors
    ///
    /// What is said if there is none.
    pub(super) fn messagee(&self, name: &str) -> Result<MessageeId, String> {
        match self.0.get(name) {
            Some(messagee) => Ok(messagee.id),
            None => Err(nobody(name, self.0.keys())),
        }
    }

    /// The component that a text such as `grib/Health` or `grib/Health#2` says.
    ///
    /// # Errors
    ///
    /// What is said if there is none.
    pub(super) fn hook(&self, text: &str) -> Result<HookId, String> {
        // The name of a messagee may have slashes.
        let slashes = text.rmatch_indices(SLASH).map(|(at, _)| at);
        let mut parted = slashes.map(|at| (&text[..at], &text[at + SLASH.len_utf8()..]));
        let Some(last) = parted.next() else {
            return Err(format!(
                "expected the name of a messagee and of a component of it, such as \
                 \"{text}/Health\" or \"{text}/Health#2\" for the second one"
            ));
        };
        let known = std::iter::once(last)
            .chain(parted)
            .find_map(|(name, component)| Some((name, self.0.get(name)?, component)));
        let Some((name, messagee, component)) = known else {
            return Err(nobody(last.0, self.0.keys()));
        };
        let (component, number) = match component.rsplit_once(NUMBER) {
            Some((component, number)) => match number.parse::<usize>() {
                Ok(number) if number > 0 => (component, number),
                _ => return Err(format!("expected a number from 1 behind `{NUMBER}`")),
            },
            None => (component, 1),
        };
        let ty = find_component(component).map_err(|error| error.what().to_owned())?;
        let of_type = messagee
            .hooks
            .iter()
            .filter(|(of, _)| std::ptr::eq(*of, ty));
        if let Some((_, hook)) = of_type.clone().nth(number - 1) {
            return Ok(*hook);
        }
        let count = of_type.count();
        if count > 0 {
            return Err(format!(
                "`{name}` has {count} `{component}`: expected a number up to that"
            ));
        }
        let mut has: Vec<&str> = messagee
            .hooks
            .iter()
            .map(|(of, _)| name_in_files(of))
            .collect();
        has.dedup();
        let what = format!("`{name}` has no component");
        Err(no_such(&what, component, "it has", &has).what().to_owned())
    }
}

/// How a world file calls a component: so many of its type stand before it.
pub(crate) fn hook_in_files(messagee: &str, component: &str, before: u64) -> String {
    match before {
        0 => format!("{messagee}{SLASH}{component}"),
        _ => format!("{messagee}{SLASH}{component}{NUMBER}{}", before + 1),
    }
}

/// That no messagee has a name, and which of the names that there are is the nearest.
pub(super) fn nobody<'n>(name: &str, names: impl Iterator<Item = &'n String>) -> String {
    let mut known: Vec<&str> = names.map(String::as_str).collect();
    known.sort_unstable();
    let near = nearest(name, known).map(|near| format!("; did you mean `{near}`?"));
    let near = near.unwrap_or_default();
    format!("no messagee is called `{name}`{near}")
}
