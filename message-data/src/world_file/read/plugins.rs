//! The plugins that a file needs.

use message_core::plugin;
use message_format::DataError;
use message_format::names::{Short, suggestion};

use crate::world_file::read::Check;

impl Check {
    /// Returns `true` if all named plugins are loaded.
    pub(super) fn plugins(&mut self, at: Option<usize>) -> bool {
        let named = self.strings(at, "plugin");
        if named.is_empty() {
            return true;
        }
        let plugins = plugin::statements().filter_map(|it| it.strip_prefix("kind=plugin;name="));
        let mut loaded: Vec<&str> = plugins.filter_map(|it| it.split(';').next()).collect();
        loaded.sort_unstable();
        let mut all = true;
        for at in named {
            let token = self.token(at as usize);
            let name = self.content.tape.str(token);
            if !loaded.contains(&name) {
                all = false;
                let error = || DataError::new(not_loaded(name, &loaded));
                self.mistakes.note(token.start, error);
            }
        }
        all
    }
}

fn not_loaded(name: &str, loaded: &[&str]) -> String {
    let are = match loaded {
        [] => "no plugin is".to_owned(),
        [one] => format!("`{one}` is"),
        several => format!("`{}` are", several.join("`, `")),
    };
    let near = suggestion(name, loaded.iter().copied());
    let name = Short(name);
    format!(
        "the plugin `{name}` is not loaded: expected the program to load it before it reads the file; \
         {are} loaded{near}"
    )
}
