//! Caches the errors of unknown names, so that the nearest name is searched for only once.

use std::collections::HashMap;

use message_format::DataError;
use message_format::names::suggestion;

/// How many unknown names are remembered. There are no suggestions for more.
const MAX_REMEMBERED: usize = crate::world_file::mistakes::MAX_SUGGESTIONS;

/// The kind of names that a name is looked up among.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Names {
    Component,
    Message,
    Mnemonic,
    Group,
    Template,
    Messagee,
}

/// Unknown names and their errors.
#[derive(Debug, Default)]
pub(super) struct UnknownNames {
    /// The errors of names that the program does not have.
    of_program: HashMap<(Names, String), DataError>,
    /// The suggestions for names that the file does not have.
    of_file: HashMap<(Names, String), String>,
}

impl UnknownNames {
    /// Looks up a name in the program.
    pub(super) fn look_up<T>(
        &mut self,
        which: Names,
        name: &str,
        find: impl FnOnce(&str) -> Result<T, DataError>,
    ) -> Result<T, DataError> {
        if !self.of_program.is_empty()
            && let Some(error) = self.of_program.get(&(which, name.to_owned()))
        {
            return Err(error.clone());
        }
        find(name).inspect_err(|error| {
            if self.of_program.len() < MAX_REMEMBERED {
                let name = (which, name.to_owned());
                self.of_program.insert(name, error.clone());
            }
        })
    }

    /// Returns a suggestion of the nearest name in the file, to be appended to an error.
    pub(super) fn suggest<'n>(
        &mut self,
        which: Names,
        name: &str,
        known: impl Iterator<Item = &'n str>,
    ) -> String {
        if let Some(said) = self.of_file.get(&(which, name.to_owned())) {
            return said.clone();
        }
        let said = suggestion(name, known);
        if self.of_file.len() < MAX_REMEMBERED {
            self.of_file.insert((which, name.to_owned()), said.clone());
        }
        said
    }
}
