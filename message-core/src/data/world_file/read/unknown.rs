//! What was said of names that nothing has, so that it is found out once for each of them.

use std::collections::HashMap;

use crate::data::error::{DataError, suggestion};

/// How many unknown names are remembered. There are no suggestions for more.
const MAX_REMEMBERED: usize = crate::data::world_file::mistakes::MAX_SUGGESTIONS;

/// What a name is looked for among.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Names {
    Component,
    Message,
    Mnemonic,
    Group,
    Template,
    Messagee,
    Label,
}

/// The names that nothing has.
#[derive(Debug, Default)]
pub(super) struct UnknownNames {
    /// The errors of names that the program would have to know.
    of_program: HashMap<(Names, String), DataError>,
    /// The suggestions for names that the file would have to give.
    of_file: HashMap<(Names, String), String>,
}

impl UnknownNames {
    /// Looks for what the program has by a name.
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

    /// Returns the name of the file that was probably meant, as a question behind what is wrong.
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
