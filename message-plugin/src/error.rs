//! The reasons for refusing a plugin.

use std::fmt;
use std::io;
use std::path::PathBuf;

use message_core::RegistryError;

/// The reason why a plugin was not loaded. Each error names the file, what was found in it, and what was expected.
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
    /// The file does not exist or cannot be read.
    #[error("`{}` cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason why it cannot be read.
        error: io::Error,
    },
    /// The copy to be checked and loaded cannot be made.
    #[error("`{}` cannot be copied to `{}`, where it is checked: {error}", path.display(), to.display())]
    NotCopied {
        /// The file.
        path: PathBuf,
        /// The path that the copy was meant for.
        to: PathBuf,
        /// The reason why it cannot be made.
        error: io::Error,
    },
    /// The file is not a library, is only part of one, or is built for another machine.
    #[error("`{}` is not a plugin: expected {expected}, found {found}", path.display())]
    NoLibrary {
        /// The file.
        path: PathBuf,
        /// The expected kind of file.
        expected: String,
        /// A description of the file.
        found: String,
    },
    /// The file is a library, but contains no statement about itself.
    #[error(
        "`{}` is not a plugin: expected the statement that `message_core::plugin!()` leaves in a \
         library, found none", path.display()
    )]
    NoStatement {
        /// The file.
        path: PathBuf,
    },
    /// The library has a message-core of its own, so its components would never be registered.
    #[error(
        "the plugin `{plugin}` (`{}`) has its own message-core ({its}); expected that of the \
         program ({ours}): let it depend on the shared library with message-core, not on message-core \
         itself", path.display()
    )]
    OwnCore {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// The build of the plugin's copy.
        its: String,
        /// The build of the program's copy.
        ours: String,
    },
    /// The plugin was built with another compiler, another message-core, or other settings.
    #[error(
        "the plugin `{plugin}` (`{}`) is from a different build than the program: {}; build both together, with the \
         same features",
        path.display(), listed(.differences)
    )]
    OtherBuild {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// The differences; there is at least one.
        differences: Vec<Difference>,
    },
    /// The plugin was built with another build of a crate that it shares with the program.
    #[error(
        "the plugin `{plugin}` (`{}`) was built with a different build of the shared crate `{shared}` than the \
         program: {}; build both together, with the same features", path.display(), listed(.differences)
    )]
    OtherShared {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// The name of the crate.
        shared: String,
        /// The differences, also between the shared crates that this one uses; there is at least one.
        differences: Vec<Difference>,
    },
    /// The plugin was built with a shared crate that the program does not have.
    #[error(
        "the plugin `{plugin}` (`{}`) was built with the shared crate `{its}`, which the program does not \
         have; build both together", path.display()
    )]
    NoShared {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// The build of the crate.
        its: String,
    },
    /// The library contains its own copy of a shared crate that the program has, too. Neither copy would recognise
    /// the other's types.
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
    /// A plugin of the same name is already loaded.
    #[error(
        "the plugin `{plugin}` (`{}`) is already loaded: expected a plugin with another name",
        path.display()
    )]
    LoadedAlready {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
    },
    /// The checked copy is gone or has been changed since.
    #[error(
        "the plugin `{plugin}` (`{}`) was not loaded: its checked copy `{}` {}; expected it to be unchanged \
         since the check", path.display(), copy.display(), gone(.error.as_ref())
    )]
    Changed {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// The copy that was checked.
        copy: PathBuf,
        /// The reason why it cannot be read, if that is the problem.
        error: Option<io::Error>,
    },
    /// The system cannot load the library: it needs another library that is not found, or a function that this
    /// build's shared crates do not have.
    #[error(
        "the plugin `{plugin}` (`{}`) cannot be loaded: {error}; expected it to find the libraries and functions \
         of the program; build both together", path.display()
    )]
    NotLoaded {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: libloading::Error,
    },
    /// The plugin's types do not fit the program. It stays in memory, but nothing of it is registered.
    #[error("the plugin `{plugin}` (`{}`) does not fit the program: {error}", path.display())]
    DoesNotFit {
        /// The name of the plugin.
        plugin: String,
        /// The file.
        path: PathBuf,
        /// The conflict with the registry.
        error: RegistryError,
    },
    /// The program's own registry is invalid.
    #[error("no plugin can be loaded into this program: {0}")]
    Program(&'static RegistryError),
}

/// A difference between a plugin and the program.
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
    /// The [field](crate::Statement::field) of the statement, or of a build, such as `features of contract`.
    pub what: String,
    /// The plugin's value.
    pub plugin: String,
    /// The program's value.
    pub program: String,
}

impl Difference {
    /// Returns the difference between two values, or `None` if they are equal.
    pub(crate) fn between(what: &str, plugin: &str, program: &str) -> Option<Self> {
        (plugin != program).then(|| Self {
            what: what.to_owned(),
            plugin: plugin.to_owned(),
            program: program.to_owned(),
        })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |value: &str| match value {
            "" => "empty".to_owned(),
            value => format!("`{value}`"),
        };
        let (plugin, program) = (value(&self.plugin), value(&self.program));
        let what = &self.what;
        write!(
            f,
            "{what} is {plugin} in the plugin, {program} in the program"
        )
    }
}

fn listed(all: &[Difference]) -> String {
    let texts: Vec<String> = all.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

fn gone(error: Option<&io::Error>) -> String {
    match error {
        Some(error) => format!("can no longer be read ({error})"),
        None => "has been changed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::PluginError;

    /// C-GOOD-ERR: it can be boxed, sent to other threads, and wrapped by error types that require both.
    #[test]
    fn the_error_can_be_sent_to_other_threads_and_wrapped() {
        fn is_good_error<E: std::error::Error + Send + Sync + 'static>() {}
        is_good_error::<PluginError>();
    }
}
