//! Statements in the form in which they are read: from the program, or from the bytes of a file.

use std::fmt;
use std::str::FromStr;

use crate::link::stated;
use crate::plugin::build::{BEGIN, END};

/// A longer statement is none.
const LONGEST: usize = 1 << 16;

/// The subject of a statement.
///
/// ```
/// use message_core::plugin::{self, Kind};
///
/// assert_eq!(plugin::core().kind(), Kind::Core);
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
/// use message_core::plugin::{Kind, Statement};
///
/// let text = "kind=plugin;name=frost;version=0.2.0;rustc=1.95.0 59807616;uses=weather 0.1.0 3f2a;";
/// let frost: Statement = text.parse()?;
/// assert_eq!((frost.kind(), frost.name()), (Kind::Plugin, "frost"));
/// assert_eq!(frost.field("rustc"), Some("1.95.0 59807616"));
/// assert!(frost.uses().eq(["weather 0.1.0 3f2a"]));
/// assert_eq!(frost.to_string(), text);
/// # Ok::<(), message_core::plugin::NoStatement>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    kind: Kind,
    fields: Vec<(String, String)>,
}

/// The error of a text that is not a [`Statement`].
///
/// ```
/// use message_core::plugin::Statement;
///
/// let error = "name=frost;".parse::<Statement>().expect_err("it says not what it is");
/// assert_eq!(error.to_string(), "not a statement: expected `kind=plugin;name=…;`, found `name=frost;`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a statement: expected `kind=plugin;name=…;`, found `{0}`")]
pub struct NoStatement(String);

impl FromStr for Statement {
    type Err = NoStatement;

    fn from_str(text: &str) -> Result<Self, NoStatement> {
        let shown = || NoStatement(text.chars().take(80).collect());
        let mut fields = Vec::new();
        for field in text.split_terminator(';') {
            let (key, value) = field.split_once('=').ok_or_else(shown)?;
            fields.push((key.to_owned(), value.to_owned()));
        }
        let kind = match fields.first().map(|(key, kind)| (&**key, &**kind)) {
            Some(("kind", "core")) => Kind::Core,
            Some(("kind", "shared")) => Kind::Shared,
            Some(("kind", "plugin")) => Kind::Plugin,
            _ => return Err(shown()),
        };
        let statement = Self { kind, fields };
        statement.field("name").ok_or_else(shown)?;
        Ok(statement)
    }
}

impl Statement {
    /// Returns the subject of the statement.
    ///
    /// ```
    /// use message_core::plugin::{self, Kind};
    ///
    /// assert_eq!(plugin::core().kind(), Kind::Core);
    /// ```
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the name of the plugin, or of the package.
    ///
    /// ```
    /// assert_eq!(message_core::plugin::core().name(), "message-core");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        self.field("name").unwrap_or_default()
    }

    /// Returns a field: `name`, `version`, `build` (of a shared crate: name, version and a hash of its
    /// sources); and about message-core `core` (its version), `source` (a hash of its sources), `rustc`,
    /// `target`, `features`, `panic`, `opt`, `debug_assertions` and `flags`.
    ///
    /// ```
    /// let core = message_core::plugin::core();
    /// assert!(core.field("target").is_some_and(|target| target.contains('-')));
    /// assert_eq!(core.field("colour"), None);
    /// ```
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        let found = fields.find(|(known, _)| known == key);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the builds of the shared crates that a plugin uses.
    ///
    /// ```
    /// use message_core::plugin::Statement;
    ///
    /// let frost: Statement = "kind=plugin;name=frost;uses=a 1.0.0 77;uses=b 0.1.0 78;".parse()?;
    /// assert_eq!(frost.uses().count(), 2);
    /// # Ok::<(), message_core::plugin::NoStatement>(())
    /// ```
    pub fn uses(&self) -> impl Iterator<Item = &str> {
        let uses = self.fields.iter().filter(|(key, _)| key == "uses");
        uses.map(|(_, value)| value.as_str())
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, value) in &self.fields {
            write!(f, "{key}={value};")?;
        }
        Ok(())
    }
}

/// Returns the statements in the bytes of a file, in their order. What looks like one and is none is
/// passed over.
///
/// ```
/// use message_core::plugin::{Kind, statements_in};
///
/// let file = b"\x7fELF..\x01message statement 1\x01kind=plugin;name=frost;\x02..";
/// let found = statements_in(file);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].kind(), found[0].name()), (Kind::Plugin, "frost"));
/// ```
#[must_use]
pub fn statements_in(bytes: &[u8]) -> Vec<Statement> {
    let (begin, end) = (BEGIN.as_bytes(), END.as_bytes()[0]);
    let mut found = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(begin.len()).position(|it| it == begin) {
        rest = &rest[at + begin.len()..];
        let most = &rest[..rest.len().min(LONGEST)];
        if let Some(length) = most.iter().position(|&byte| byte == end)
            && let Ok(text) = std::str::from_utf8(&most[..length])
            && let Ok(statement) = text.parse()
        {
            found.push(statement);
        }
    }
    found
}

/// Returns the statements in this program: of message-core, of shared crates, and of the plugins that are
/// loaded or linked in, sorted by name. Empty with the feature `linkme`.
///
/// ```
/// use message_core::plugin::{Kind, statements};
///
/// let mut plugins = statements().filter(|it| it.kind() == Kind::Plugin);
/// assert!(plugins.all(|it| it.name() != "a plugin that is not loaded"));
/// ```
pub fn statements() -> impl Iterator<Item = Statement> {
    let mut all: Vec<Statement> = stated().flat_map(statements_in).collect();
    all.sort_by(|a, b| a.name().cmp(b.name()));
    all.into_iter()
}
