//! Statements: what the macros of message-core leave in a program or in the file of a library.

use std::fmt;

use message_core::plugin::{self, BEGIN, END};

/// A longer statement is none.
const LONGEST: usize = 1 << 16;

/// The subject of a statement.
///
/// ```
/// use message_plugin::{Kind, statements};
///
/// assert!(statements().any(|statement| statement.kind() == Kind::Core));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A copy of message-core.
    Core,
    /// A crate that a program and its plugins share.
    Shared,
    /// A plugin.
    Plugin,
}

/// A description of a plugin, a shared crate or message-core, and of how it was built.
///
/// ```
/// use message_plugin::{Kind, statements};
///
/// let core = statements().find(|statement| statement.kind() == Kind::Core).expect("it is linked");
/// assert!(core.field("rustc").is_some());
/// assert!(core.to_string().starts_with("kind=core;name=message-core;"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    kind: Kind,
    text: String,
}

impl Statement {
    /// Returns the statement that a text makes: fields such as `kind=plugin;name=…;`, of which the first is the kind.
    fn of(text: &str) -> Option<Self> {
        let (kind, _) = text.strip_prefix("kind=")?.split_once(';')?;
        let kind = match kind {
            "core" => Kind::Core,
            "shared" => Kind::Shared,
            "plugin" => Kind::Plugin,
            _ => return None,
        };
        let text = text.to_owned();
        let statement = Self { kind, text };
        statement.field("name")?;
        Some(statement)
    }

    /// Returns the subject of the statement.
    ///
    /// ```
    /// use message_plugin::{Kind, statements};
    ///
    /// assert_eq!(statements().filter(|statement| statement.kind() == Kind::Core).count(), 1);
    /// ```
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the name of the plugin, or of the package.
    ///
    /// ```
    /// assert!(message_plugin::statements().any(|statement| statement.name() == "message-core"));
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        self.field("name").unwrap_or_default()
    }

    /// Returns a field: `name`, `version`, `build` (of a [shared crate](message_core::shared!)); and about
    /// message-core `core` (its build, like that of a shared crate), `rustc`, `target`, `panic`, `opt`,
    /// `debug_assertions` and `flags`.
    ///
    /// ```
    /// let core = message_plugin::statements().find(|statement| statement.name() == "message-core");
    /// let core = core.expect("it is linked");
    /// assert!(core.field("target").is_some_and(|target| target.contains('-')));
    /// assert_eq!(core.field("colour"), None);
    /// ```
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&str> {
        self.fields(key).next()
    }

    /// Returns the builds of the shared crates that a plugin uses.
    ///
    /// ```no_run
    /// let checked = message_plugin::check("plugins/libfrost.so")?;
    /// for build in checked.statement().uses() {
    ///     println!("it uses {build}");
    /// }
    /// # Ok::<(), message_plugin::PluginError>(())
    /// ```
    pub fn uses(&self) -> impl Iterator<Item = &str> {
        self.fields("uses")
    }

    fn fields<'s>(&'s self, key: &str) -> impl Iterator<Item = &'s str> {
        let fields = self.text.split_terminator(';');
        let fields = fields.filter_map(|field| field.split_once('='));
        fields.filter_map(move |(known, value)| (known == key).then_some(value))
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns the statements in this program: of message-core, of shared crates, and of the plugins that are loaded or
/// linked in, sorted by name.
///
/// ```
/// use message_plugin::{Kind, statements};
///
/// let mut plugins = statements().filter(|statement| statement.kind() == Kind::Plugin);
/// assert!(plugins.all(|plugin| plugin.name() != "a plugin that is not loaded"));
/// ```
pub fn statements() -> impl Iterator<Item = Statement> {
    let mut all: Vec<Statement> = plugin::statements().filter_map(Statement::of).collect();
    all.sort_by(|a, b| a.name().cmp(b.name()));
    all.into_iter()
}

/// Returns the statements in the bytes of a file, in their order. What looks like one and is none is passed over.
pub(crate) fn statements_in(bytes: &[u8]) -> Vec<Statement> {
    let (begin, end) = (BEGIN.as_bytes(), END.as_bytes()[0]);
    let mut found = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(begin.len()).position(|it| it == begin) {
        rest = &rest[at + begin.len()..];
        let most = &rest[..rest.len().min(LONGEST)];
        if let Some(length) = most.iter().position(|&byte| byte == end)
            && let Ok(text) = std::str::from_utf8(&most[..length])
        {
            found.extend(Statement::of(text));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_begins_with_what_it_is_about() {
        let frost =
            "kind=plugin;name=frost;version=0.2.0;uses=a 1.0.0 source=77;uses=b 0.1.0 source=78;";
        let texts = [
            frost,
            "kin=plugin;name=birds;",
            "name=birds;kind=plugin;",
            "kind=plug;name=birds;",
            "kind=plugin;colour=red;",
        ];
        let file = texts.map(|text| format!("..{BEGIN}{text}{END}..")).concat();
        let found = statements_in(file.as_bytes());
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].kind(), found[0].name()), (Kind::Plugin, "frost"));
        assert!(
            found[0]
                .uses()
                .eq(["a 1.0.0 source=77", "b 0.1.0 source=78"])
        );
        assert_eq!(found[0].to_string(), frost);
    }
}
