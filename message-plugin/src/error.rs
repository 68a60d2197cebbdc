//! Why a plugin is refused.

use std::fmt;
use std::io;
use std::path::PathBuf;

use message_core::RegistryError;

/// Why a plugin was not loaded. Each says which file, what was found in it, and what was expected.
///
/// ```
/// use message_plugin::PluginError;
///
/// let error = message_plugin::check("no/such/plugin.so").expect_err("there is no such file");
/// assert!(matches!(error, PluginError::Unreadable { .. }));
/// assert!(error.to_string().starts_with("`no/such/plugin.so` cannot be read: "));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PluginError {
    /// There is no such file, or it cannot be read.
    #[error("`{}` cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why it cannot be read.
        error: io::Error,
    },
    /// The copy that is checked and loaded cannot be made.
    #[error("`{}` cannot be copied to `{}`, where it is checked: {error}", path.display(), to.display())]
    NotCopied {
        /// The file.
        path: PathBuf,
        /// Where the copy was to be.
        to: PathBuf,
        /// Why it cannot be made.
        error: io::Error,
    },
    /// The file is no library, or only a part of one, or one for another machine.
    #[error("`{}` is no plugin: expected {expected}, found {found}", path.display())]
    NoLibrary {
        /// The file.
        path: PathBuf,
        /// What was expected.
        expected: String,
        /// What the file is.
        found: String,
    },
    /// It is a library, but says nothing of itself.
    #[error(
        "`{}` is no plugin: expected the statement that `message_core::plugin!()` leaves in a \
         library, found none", path.display()
    )]
    NoStatement {
        /// The file.
        path: PathBuf,
    },
    /// The library has a copy of message-core of its own: its components would never be heard of.
    #[error(
        "the plugin `{plugin}` (`{}`) has a message-core of its own ({its}); expected that of the \
         program ({ours}): let it depend on the shared library with message-core, not on message-core \
         itself", path.display()
    )]
    OwnCore {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// The version and sources that it has.
        its: String,
        /// The version and sources that the program has.
        ours: String,
    },
    /// It was built with another compiler, another message-core, or in another way.
    #[error(
        "the plugin `{plugin}` (`{}`) is of another build than the program: {}; build both together",
        path.display(), listed(.differences)
    )]
    OtherBuild {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// What differs. There is at least one.
        differences: Vec<Difference>,
    },
    /// It was built with another build of a crate that it shares with the program, or with one that the
    /// program does not have.
    #[error(
        "the plugin `{plugin}` (`{}`) was built with the shared crate `{its}`, {}; build both together",
        path.display(), program_has(.ours.as_deref())
    )]
    OtherShared {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// The build of the crate in the plugin: name, version, hash of the sources.
        its: String,
        /// The build of that crate in the program, if it has one.
        ours: Option<String>,
    },
    /// The library has a copy of a shared crate that the program has, too: what one of them says the
    /// other would not understand.
    #[error(
        "the plugin `{plugin}` (`{}`) contains the crate `{its}`, and the program has `{ours}`: expected \
         one for both; make the crate a shared library (`crate-type = [\"dylib\"]`)", path.display()
    )]
    CrateTwice {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// The build of the crate in the plugin.
        its: String,
        /// The build of the crate in the program.
        ours: String,
    },
    /// A plugin of that name is part of the program already.
    #[error(
        "the plugin `{plugin}` (`{}`) is loaded already: expected another name, or to load it once",
        path.display()
    )]
    LoadedAlready {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
    },
    /// What was checked is gone, or has been changed since.
    #[error(
        "the plugin `{plugin}` (`{}`) was not loaded: its checked copy `{}` {}; expected it to be as it \
         was checked", path.display(), copy.display(), gone(.error.as_ref())
    )]
    Changed {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// The copy that was checked.
        copy: PathBuf,
        /// Why it cannot be read, if it cannot.
        error: Option<io::Error>,
    },
    /// The system cannot load the library: it needs another that is not found, or a function that the
    /// shared crates of this build do not have.
    #[error(
        "the plugin `{plugin}` (`{}`) cannot be loaded: {error}; expected that it finds the libraries \
         and functions of the program, as one that was built together with it does", path.display()
    )]
    NotLoaded {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: libloading::Error,
    },
    /// What it brings does not fit the program: it stays in memory, and nothing of it is known.
    #[error("the plugin `{plugin}` (`{}`) does not fit the program: {error}", path.display())]
    DoesNotFit {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// Why not.
        error: RegistryError,
    },
    /// The registry of the program itself is an error.
    #[error("no plugin can be loaded into this program: {0}")]
    Program(&'static RegistryError),
}

/// In what a plugin and the program differ.
///
/// ```
/// use message_plugin::Difference;
///
/// let compiler = Difference {
///     what: "rustc".to_owned(),
///     plugin: "1.94.0".to_owned(),
///     program: "1.95.0".to_owned(),
/// };
/// assert_eq!(compiler.to_string(), "rustc is `1.94.0` in the plugin, `1.95.0` in the program");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The [field](message_core::plugin::Statement::field) of the statement.
    pub what: String,
    /// What the plugin says.
    pub plugin: String,
    /// What the program says.
    pub program: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            plugin,
            program,
        } = self;
        write!(
            f,
            "{what} is `{plugin}` in the plugin, `{program}` in the program"
        )
    }
}

fn listed(all: &[Difference]) -> String {
    let texts: Vec<String> = all.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

fn program_has(ours: Option<&str>) -> String {
    match ours {
        Some(ours) => format!("the program has `{ours}`"),
        None => "which the program does not have".to_owned(),
    }
}

fn gone(error: Option<&io::Error>) -> String {
    match error {
        Some(error) => format!("cannot be read any more ({error})"),
        None => "has been changed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::PluginError;

    /// C-GOOD-ERR: it can be boxed, sent to other threads, and wrapped by what asks for all of that.
    #[test]
    fn the_error_can_be_sent_to_other_threads_and_wrapped() {
        fn is_good_error<E: std::error::Error + Send + Sync + 'static>() {}
        is_good_error::<PluginError>();
    }
}
