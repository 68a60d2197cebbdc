//! Mistakes in a world file: the first ones of the text, and how many more there are.
//!
//! A file can have more mistakes than anybody reads, and each message can be long. Messages are therefore made only
//! for the mistakes that are reported, and lines are counted once for all of them.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use message_format::steps::step;
use message_format::{DataError, Lines};

/// The mistakes that were found so far.
#[derive(Default)]
pub(super) struct Mistakes {
    /// How many are kept.
    most: usize,
    /// The first ones of the text. Those at the same place are in the order in which they were found.
    kept: BTreeMap<(u32, usize), DataError>,
    /// How many more there are.
    more: usize,
    /// The errors of values that were noted already: a value can be read several times.
    seen: HashSet<(u32, u64)>,
}

impl Mistakes {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most: most.max(1),
            kept: BTreeMap::new(),
            more: 0,
            seen: HashSet::new(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.kept.len() + self.more
    }

    /// Notes a mistake at a place, unless the error has a place of its own. `error` is called only if the mistake
    /// is kept.
    pub(super) fn note(&mut self, place: u32, error: impl FnOnce() -> DataError) {
        let is_full = self.kept.len() == self.most;
        let last = self.kept.last_key_value().map(|(&(place, _), _)| place);
        if is_full && last.is_some_and(|last| last <= place) {
            self.more += 1;
        } else {
            self.keep(error().at(place));
        }
    }

    /// Notes an error of a value that may have been noted before.
    pub(super) fn note_once(&mut self, error: DataError) {
        let mut hasher = DefaultHasher::new();
        error.what().hash(&mut hasher);
        if self.seen.insert((error.place(), hasher.finish())) {
            self.note(error.place(), || error);
        }
    }

    /// Counts mistakes for which there is no message.
    pub(super) fn note_more(&mut self, more: usize) {
        self.more += more;
    }

    fn keep(&mut self, error: DataError) {
        let number = self.count();
        step(error.what().len());
        self.kept.insert((error.place(), number), error);
        if self.kept.len() > self.most {
            self.kept.pop_last();
            self.more += 1;
        }
    }

    /// Finds the line and the column of each mistake.
    pub(super) fn into_error(self, source: &str, file: Option<&Arc<str>>) -> WorldError {
        let mut lines = Lines::of(source);
        let errors = self.kept.into_values().map(|error| {
            let error = error.in_lines(&mut lines);
            match file {
                Some(file) => error.in_file(file),
                None => error,
            }
        });
        WorldError {
            errors: errors.collect(),
            more: self.more,
        }
    }
}

/// The mistakes in a world file, or in a world that is to be written as one.
///
/// It prints one mistake per line, like a compiler, followed by the number of further mistakes.
///
/// ```
/// use message_data::WorldFile;
///
/// let text = "World(\n    version: 2,\n    messagees: [Messagee(nam: \"a\")],\n)";
/// let error = WorldFile::parse(text).expect_err("it has mistakes");
/// let lines: Vec<_> = error.errors().iter().map(|error| error.line()).collect();
/// assert_eq!(lines, [Some(2), Some(3), Some(3)]);
/// assert_eq!(error.to_string().lines().count(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct WorldError {
    errors: Vec<DataError>,
    more: usize,
}

/// The default limit of mistakes that are reported.
pub(super) const MAX_MISTAKES: usize = 100;

/// The number of unknown names for which a suggestion is searched for.
pub(super) const MAX_SUGGESTIONS: usize = 100;

impl WorldError {
    /// Creates an error from a list that is not empty.
    pub(super) fn of(mut errors: Vec<DataError>, file: Option<&Arc<str>>) -> Self {
        let more = errors.len().saturating_sub(MAX_MISTAKES);
        errors.truncate(MAX_MISTAKES);
        if let Some(file) = file {
            let of_file = errors.into_iter().map(|error| error.in_file(file));
            errors = of_file.collect();
        }
        Self { errors, more }
    }

    /// Returns the first mistakes, in the order of the text: at least one, and at most
    /// [`max_mistakes`](crate::WorldOptions::max_mistakes).
    ///
    /// ```
    /// use message_data::WorldFile;
    ///
    /// let error = WorldFile::parse("World()").expect_err("it has no version");
    /// assert_eq!(error.errors()[0].what(), "the world has no version: expected `version: 1`");
    /// ```
    #[must_use]
    pub fn errors(&self) -> &[DataError] {
        &self.errors
    }

    /// Returns how many more mistakes there are, in addition to [`errors`](Self::errors).
    ///
    /// ```
    /// use message_data::WorldOptions;
    ///
    /// let options = WorldOptions::new().max_mistakes(1);
    /// let error = options.parse("World(version: 1, messagees: [(), (), ()])").expect_err("no names");
    /// assert_eq!((error.errors().len(), error.more()), (1, 2));
    /// assert!(error.to_string().ends_with("\nand 2 more mistakes"));
    /// ```
    #[must_use]
    pub fn more(&self) -> usize {
        self.more
    }

    /// Returns the first mistake.
    pub(super) fn into_first(self) -> Option<DataError> {
        self.errors.into_iter().next()
    }
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.errors.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            fmt::Display::fmt(error, f)?;
        }
        match self.more {
            0 => Ok(()),
            1 => f.write_str("\nand 1 more mistake"),
            more => write!(f, "\nand {more} more mistakes"),
        }
    }
}

impl std::error::Error for WorldError {}
