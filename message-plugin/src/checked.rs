//! A plugin between check and load.

use std::fs;
use std::mem;
use std::path::{Path, PathBuf};

use message_core::plugin::{self, Statement, statements_in};

use crate::compare;
use crate::copy::Copy;
use crate::error::PluginError;
use crate::library;

/// A plugin that was checked and can be loaded.
///
/// The file was copied, and the copy was checked; the copy is what [`load`](Self::load) loads, so that
/// nobody changes the file in between. The copy goes when this is dropped.
#[derive(Debug)]
pub struct Checked {
    path: PathBuf,
    copy: Copy,
    bytes: Vec<u8>,
    statement: Statement,
}

/// Copies a file and checks the copy: that it is a whole library for this machine, that it is a plugin, and
/// that it was built as the program was. Nothing of it is run.
///
/// # Errors
///
/// All of [`PluginError`] that can be told without running the library.
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
    /// Returns what the plugin says of itself.
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

    /// Loads the library, and takes its messages, components and handlers into the registry. It is never
    /// unloaded.
    ///
    /// Managers that exist take up its types when one of its components is first hooked, or when their
    /// next frame begins: see [`extend_registry`](message_core::extend_registry()).
    ///
    /// # Safety
    ///
    /// A library runs code when it is loaded, with all the rights of the program, and what it says of itself
    /// cannot be proved. The caller vouches for it:
    ///
    /// - The file comes from somebody who is trusted as the program's own authors are. The check finds
    ///   mistakes, not malice.
    /// - It was built by Rust from the same shared crates as the program: every crate whose types pass
    ///   between plugin and program is either a library that both load, or invokes
    ///   [`message_core::shared!`] and is listed in [`message_core::plugin!`]. A shared crate that is not
    ///   listed is not compared.
    /// - Its constructors, those that it registers besides those of message-core, can run at this moment: no
    ///   other thread loads libraries that depend on the order, and no lock is held that they take.
    ///
    /// # Errors
    ///
    /// [`PluginError::Changed`], [`PluginError::NotLoaded`], [`PluginError::DoesNotFit`],
    /// [`PluginError::LoadedAlready`], [`PluginError::Program`]. The program goes on as it was: nothing of a
    /// plugin that is refused is found by name, delivered or counted.
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
        reason = "loading a library runs its constructors; the contract stands above"
    )]
    pub unsafe fn load(self) -> Result<Loaded, PluginError> {
        plugin::before_loading().map_err(PluginError::Program)?;
        // Another of the name may have been loaded since it was checked.
        compare::check_name(&self.statement, &self.path)?;
        self.check_copy()?;
        // All symbols are found at once, before anything of the library runs: one that was built against
        // other shared crates ends here.
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
        // Entries and functions of it are referred to from now on: it is never unloaded.
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

/// A plugin that is loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    path: PathBuf,
    statement: Statement,
}

impl Loaded {
    /// Returns its name.
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

    /// Returns the file that it was copied from.
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

    /// Returns what it says of itself.
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
