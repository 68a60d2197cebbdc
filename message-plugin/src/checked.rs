//! Plugins that have been checked, and plugins that have been loaded.

use std::fs;
use std::mem;
use std::path::{Path, PathBuf};

use crate::compare;
use crate::copy::Copy;
use crate::error::PluginError;
use crate::library;
use crate::statement::{Statement, statements_in};

/// A plugin that has been checked and can be loaded.
///
/// The file was copied and the copy was checked. [`load`](Self::load) loads that copy, so that nobody can
/// change the file in between. The copy is deleted when this value is dropped.
#[derive(Debug)]
pub struct Checked {
    path: PathBuf,
    copy: Copy,
    bytes: Vec<u8>,
    statement: Statement,
}

/// Copies a file and checks that the copy is a complete library for this machine, that it is a plugin, and that
/// its build matches the program's. No code of the library runs.
///
/// # Errors
///
/// Returns any [`PluginError`] that can be detected without running the library.
///
/// ```
/// use message_plugin::{PluginError, check};
///
/// let error = check("Cargo.toml").expect_err("it is a text");
/// assert!(matches!(error, PluginError::NoLibrary { .. }));
/// assert!(error.to_string().contains("expected a whole shared library"), "{error}");
/// ```
pub fn check(path: impl AsRef<Path>) -> Result<Checked, PluginError> {
    let path = path.as_ref().to_owned();
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => return Err(PluginError::Unreadable { path, error }),
    };
    if let Some(found) = library::flaw(&bytes) {
        let expected = library::expected();
        return Err(PluginError::NoLibrary {
            path,
            expected,
            found,
        });
    }
    let statement = compare::check(&path, &statements_in(&bytes))?;
    let copy = Copy::place(&path);
    if let Err(error) = copy.write(&bytes) {
        let to = copy.file().to_owned();
        return Err(PluginError::NotCopied { path, to, error });
    }
    Ok(Checked {
        path,
        copy,
        bytes,
        statement,
    })
}

impl Checked {
    /// Returns the plugin's statement about itself.
    ///
    /// ```no_run
    /// let checked = message_plugin::check("plugins/libfrost.so")?;
    /// println!("{} {:?}", checked.statement().name(), checked.statement().field("version"));
    /// # Ok::<(), message_plugin::PluginError>(())
    /// ```
    #[must_use]
    pub fn statement(&self) -> &Statement {
        &self.statement
    }

    /// Returns the copy that was checked.
    ///
    /// ```no_run
    /// let checked = message_plugin::check("plugins/libfrost.so")?;
    /// assert!(checked.copy().is_file());
    /// # Ok::<(), message_plugin::PluginError>(())
    /// ```
    #[must_use]
    pub fn copy(&self) -> &Path {
        self.copy.file()
    }

    /// Loads the library and adds its messages, components and handlers to the registry. The library is never
    /// unloaded.
    ///
    /// Existing managers adopt its types when one of its components is first hooked, or when their next frame
    /// begins: see [`extend_registry`](message_core::extend_registry()).
    ///
    /// # Safety
    ///
    /// A library runs code when it is loaded, with all the rights of the program, and its statement about itself
    /// cannot be proved. The caller must guarantee that:
    ///
    /// - The file comes from somebody who is trusted as much as the program's own authors. The check finds
    ///   mistakes, not malice.
    /// - It was built by Rust from the same shared crates as the program: every crate whose types pass
    ///   between plugin and program is either a library that both load, or invokes
    ///   [`message_core::shared!`] and is listed in [`message_core::plugin!`]. A shared crate that is not
    ///   listed is not compared.
    /// - Its constructors, meaning those that it registers in addition to those of message-core, can run at this
    ///   moment: no other thread loads libraries that depend on the order, and no lock is held that they take.
    ///
    /// # Errors
    ///
    /// Returns [`PluginError::Changed`], [`PluginError::NotLoaded`], [`PluginError::DoesNotFit`],
    /// [`PluginError::LoadedAlready`] or [`PluginError::Program`]. The program continues unchanged: nothing of a
    /// refused plugin is found by name, delivered or counted.
    ///
    /// ```no_run
    /// use message_core::prelude::*;
    ///
    /// let checked = message_plugin::check("plugins/libfrost.so")?;
    /// // SAFETY: the plugin is built with the program, and comes with it.
    /// let frost = unsafe { checked.load()? };
    /// println!("loaded {} from {}", frost.name(), frost.path().display());
    /// # Ok::<(), message_plugin::PluginError>(())
    /// ```
    #[allow(
        unsafe_code,
        reason = "loading a library runs its constructors; the docs above have the contract"
    )]
    pub unsafe fn load(self) -> Result<Loaded, PluginError> {
        // Published before, so that a library that is refused leaves nothing behind.
        message_core::try_registry().map_err(PluginError::Program)?;
        // Another plugin of the same name may have been loaded since the check.
        compare::check_name(&self.statement, &self.path)?;
        self.check_copy()?;
        // All symbols are resolved up front, before any code of the library runs: a library that was built against
        // other shared crates fails here.
        #[cfg(unix)]
        let open = |file| {
            use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
            // SAFETY: the caller vouches for what the library does when it is loaded. The copy is the
            // file that was checked.
            unsafe { Library::open(Some(file), RTLD_NOW | RTLD_LOCAL) }
        };
        #[cfg(not(unix))]
        let open = |file| {
            // SAFETY: as above.
            unsafe { libloading::Library::new(file) }
        };
        let library = open(self.copy.file());
        let name = || self.statement.name().to_owned();
        let library = match library {
            Ok(library) => library,
            Err(error) => {
                return Err(PluginError::NotLoaded {
                    plugin: name(),
                    path: self.path.clone(),
                    error,
                });
            }
        };
        // The registry refers to its entries and functions from now on, so it is never unloaded.
        mem::forget(library);
        match message_core::extend_registry() {
            Ok(_) => Ok(Loaded {
                path: self.path.clone(),
                statement: self.statement.clone(),
            }),
            Err(error) => Err(PluginError::DoesNotFit {
                plugin: name(),
                path: self.path.clone(),
                error,
            }),
        }
    }

    fn check_copy(&self) -> Result<(), PluginError> {
        let error = match fs::read(self.copy.file()) {
            Ok(bytes) if bytes == self.bytes => return Ok(()),
            Ok(_) => None,
            Err(error) => Some(error),
        };
        Err(PluginError::Changed {
            plugin: self.statement.name().to_owned(),
            path: self.path.clone(),
            copy: self.copy.file().to_owned(),
            error,
        })
    }
}

/// A plugin that has been loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    path: PathBuf,
    statement: Statement,
}

impl Loaded {
    /// Returns the plugin's name.
    ///
    /// ```no_run
    /// let checked = message_plugin::check("plugins/libfrost.so")?;
    /// // SAFETY: the plugin is built with the program, and comes with it.
    /// assert_eq!(unsafe { checked.load()? }.name(), "frost");
    /// # Ok::<(), message_plugin::PluginError>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        self.statement.name()
    }

    /// Returns the file that the plugin was copied from.
    ///
    /// ```no_run
    /// let checked = message_plugin::check("plugins/libfrost.so")?;
    /// // SAFETY: the plugin is built with the program, and comes with it.
    /// assert!(unsafe { checked.load()? }.path().ends_with("libfrost.so"));
    /// # Ok::<(), message_plugin::PluginError>(())
    /// ```
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the plugin's statement about itself.
    ///
    /// ```no_run
    /// let checked = message_plugin::check("plugins/libfrost.so")?;
    /// // SAFETY: the plugin is built with the program, and comes with it.
    /// assert!(unsafe { checked.load()? }.statement().field("rustc").is_some());
    /// # Ok::<(), message_plugin::PluginError>(())
    /// ```
    #[must_use]
    pub fn statement(&self) -> &Statement {
        &self.statement
    }
}
