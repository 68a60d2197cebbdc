//! The plugins that a file needs.

use message_format::DataError;
use message_format::names::{Short, suggestion};

use crate::data::world_file::read::Check;
use crate::plugin::{self, Kind};

impl Check {
    /// Returns `true` if all named plugins are loaded.
    pub(super) fn plugins(&mut self, at: Option<usize>) -> bool {
        let named = self.strings(at, "plugin");
        if named.is_empty() {
            return true;
        }
        let loaded = plugin::statements().filter(|it| it.kind() == Kind::Plugin);
        let loaded: Vec<String> = loaded.map(|it| it.name().to_owned()).collect();
        let mut all = true;
        for at in named {
            let token = self.token(at as usize);
            let name = self.tape.str(token);
            if !loaded.iter().any(|it| it == name) {
                all = false;
                let error = || DataError::new(not_loaded(name, &loaded));
                self.mistakes.note(token.start, error);
            }
        }
        all
    }
}

fn not_loaded(name: &str, loaded: &[String]) -> String {
    let are = match loaded {
        [] => "no plugin is".to_owned(),
        [one] => format!("`{one}` is"),
        several => format!("`{}` are", several.join("`, `")),
    };
    let near = suggestion(name, loaded.iter().map(String::as_str));
    let name = Short(name);
    format!(
        "the plugin `{name}` is not loaded: expected the program to load it before it reads the file; \
         {are} loaded{near}"
    )
}
