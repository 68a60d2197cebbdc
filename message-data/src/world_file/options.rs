//! Options for reading world files: the limits on mistakes and on size.

use std::path::Path;
use std::sync::Arc;

use message_format::DataError;
use message_format::text::decode;

use crate::world_file::mistakes::MAX_MISTAKES;
use crate::world_file::{WorldError, WorldFile, read};

/// Options for reading a world file: how many mistakes are reported, and how large its content may become.
///
/// ```
/// use message_data::WorldOptions;
///
/// let options = WorldOptions::new().max_mistakes(10).max_expanded(1 << 20);
/// assert!(options.parse("World(version: 1)").is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct WorldOptions {
    pub(super) max_mistakes: usize,
    pub(super) max_expanded: u64,
}

impl Default for WorldOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl WorldOptions {
    /// Returns the options of [`WorldFile::read`].
    ///
    /// ```
    /// use message_data::WorldOptions;
    ///
    /// assert_eq!(WorldOptions::new(), WorldOptions::default());
    /// ```
    pub const fn new() -> Self {
        Self {
            max_mistakes: MAX_MISTAKES,
            max_expanded: 256 << 20,
        }
    }

    /// Limits the number of mistakes that are reported. The default is 100.
    ///
    /// At least one mistake is reported, even with a limit of zero. [`WorldError::more`] returns the number of
    /// mistakes beyond the limit.
    ///
    /// ```
    /// use message_data::WorldOptions;
    ///
    /// let options = WorldOptions::new().max_mistakes(1);
    /// let error = options.parse("World(versoin: 1)").expect_err("it is misspelled");
    /// assert_eq!((error.errors().len(), error.more()), (1, 1));
    /// ```
    pub const fn max_mistakes(mut self, most: usize) -> Self {
        self.max_mistakes = most;
        self
    }

    /// Limits the size of a file with the components and wires of its templates written out for each messagee.
    /// A larger file is rejected. The default is 256 MiB.
    ///
    /// Reading a file shares the templates. [`instantiate`](crate::WorldFile::instantiate) creates everything
    /// that is counted here.
    ///
    /// ```
    /// use message_data::WorldOptions;
    ///
    /// let text = r#"World(version: 1, messagees: [(name: "a", components: [Whatever])])"#;
    /// let error = WorldOptions::new().max_expanded(4).parse(text).expect_err("it comes to more");
    /// assert!(error.to_string().contains("expected at most 4 bytes"), "{error}");
    /// ```
    pub const fn max_expanded(mut self, bytes: u64) -> Self {
        self.max_expanded = bytes;
        self
    }

    /// Like [`WorldFile::read`], with these options.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`WorldFile::read`].
    ///
    /// ```
    /// use message_data::WorldOptions;
    ///
    /// assert!(WorldOptions::new().read("no/such/world.ron").is_err());
    /// ```
    pub fn read(&self, path: impl AsRef<Path>) -> Result<WorldFile, WorldError> {
        let path = path.as_ref();
        let file: Arc<str> = path.display().to_string().into();
        let bytes = std::fs::read(path).map_err(|error| {
            let what = format!("the file cannot be read: {error}");
            WorldError::of(vec![DataError::new(what)], Some(&file))
        })?;
        self.read_bytes(&bytes, Some(&file))
    }

    /// Like [`WorldFile::parse`], with these options.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`WorldFile::parse`].
    ///
    /// ```
    /// use message_data::WorldOptions;
    ///
    /// assert!(WorldOptions::new().parse("World(version: 1)").is_ok());
    /// ```
    pub fn parse(&self, text: &str) -> Result<WorldFile, WorldError> {
        read::read(text, None, self)
    }

    /// Like [`WorldFile::from_bytes`], with these options.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`WorldFile::from_bytes`].
    ///
    /// ```
    /// use message_data::WorldOptions;
    ///
    /// assert!(WorldOptions::new().from_bytes(b"World(version: \xff)").is_err());
    /// ```
    pub fn from_bytes(&self, bytes: &[u8]) -> Result<WorldFile, WorldError> {
        self.read_bytes(bytes, None)
    }

    fn read_bytes(&self, bytes: &[u8], file: Option<&Arc<str>>) -> Result<WorldFile, WorldError> {
        let text = decode(bytes).map_err(|error| WorldError::of(vec![error], file))?;
        read::read(text, file, self)
    }
}
