//! Errors in data that is read or written.

use std::fmt::{self, Display};
use std::panic::Location;
use std::sync::Arc;

use crate::names::no_such;
use crate::steps::step;
use crate::tape::MAX_DEPTH;

/// An error in a text or in bytes, or the reason why a value cannot be written, with its place.
///
/// It prints the file, the line and the column, as compilers do, followed by what was found and what was expected. In
/// bytes, the place is the byte offset. For a value built in code, the place is that of the call.
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize, Debug)]
/// struct Mind { sight: u32 }
///
/// let error = message_format::from_text::<Mind>("Mind(sigth: 3)").expect_err("it is misspelled");
/// assert_eq!((error.line(), error.column()), (Some(1), Some(6)));
/// assert_eq!(error.to_string(), "1:6: `Mind` has no field `sigth`; it has `sight`; did you mean `sight`?");
/// ```
#[derive(Clone)]
pub struct DataError(Box<Inner>);

#[derive(Clone, Default)]
struct Inner {
    what: String,
    /// The place in the source, in bytes.
    offset: Option<u32>,
    /// The line and the column, from 1, if the source is a text.
    position: Option<(u32, u32)>,
    file: Option<Arc<str>>,
}

impl DataError {
    /// Creates an error with this text and without a place.
    ///
    /// ```
    /// use message_format::DataError;
    ///
    /// let error = DataError::new("expected a number").at(2).in_text("(x)");
    /// assert_eq!(error.to_string(), "1:3: expected a number");
    /// ```
    pub fn new(what: impl Display) -> Self {
        Self(Box::new(Inner {
            what: what.to_string(),
            ..Inner::default()
        }))
    }

    /// Creates the error for data of 4 GiB or more: places have 32 bits.
    ///
    /// ```
    /// use message_format::DataError;
    ///
    /// assert_eq!(DataError::too_large().what(), "the data is too large: expected less than 4 GiB");
    /// ```
    #[cold]
    #[must_use]
    pub fn too_large() -> Self {
        Self::new("the data is too large: expected less than 4 GiB")
    }

    /// Creates the error for a value that is nested too deeply.
    ///
    /// ```
    /// use message_format::DataError;
    ///
    /// let error = DataError::too_deep();
    /// assert_eq!(error.what(), "nested too deeply: expected at most 128 levels");
    /// ```
    #[cold]
    #[must_use]
    pub fn too_deep() -> Self {
        let what = format!("nested too deeply: expected at most {MAX_DEPTH} levels");
        Self::new(what)
    }

    /// Sets the place in the source, unless a place is known already: the innermost value counts.
    ///
    /// ```
    /// use message_format::DataError;
    ///
    /// assert_eq!(DataError::new("no").at(3).at(1).offset(), Some(3));
    /// ```
    #[must_use]
    pub fn at(mut self, offset: u32) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Finds the line and the column in the source.
    ///
    /// ```
    /// use message_format::DataError;
    ///
    /// let error = DataError::new("no").at(3).in_text("1\n2 x");
    /// assert_eq!((error.line(), error.column()), (Some(2), Some(2)));
    /// ```
    #[must_use]
    pub fn in_text(self, source: &str) -> Self {
        self.in_lines(&mut Lines::of(source))
    }

    /// Finds the line and the column in the source, continuing from places that were found before.
    ///
    /// ```
    /// use message_format::{DataError, Lines};
    ///
    /// let mut lines = Lines::of("1\n2 x");
    /// assert_eq!(DataError::new("no").at(2).in_lines(&mut lines).line(), Some(2));
    /// ```
    #[must_use]
    pub fn in_lines(mut self, lines: &mut Lines<'_>) -> Self {
        if let Some(offset) = self.0.offset {
            let position = &mut self.0.position;
            position.get_or_insert_with(|| lines.position(offset));
        }
        self
    }

    /// Returns the place in the source, in bytes, or 0 if none is known.
    ///
    /// ```
    /// use message_format::DataError;
    ///
    /// assert_eq!(DataError::new("no").place(), 0);
    /// assert_eq!(DataError::new("no").at(3).place(), 3);
    /// ```
    #[must_use]
    pub fn place(&self) -> u32 {
        self.0.offset.unwrap_or(0)
    }

    /// Sets the file, unless one is known already.
    ///
    /// ```
    /// use message_format::DataError;
    ///
    /// let error = DataError::new("no").at(0).in_text("x").in_file(&"a.ron".into());
    /// assert_eq!(error.to_string(), "a.ron:1:1: no");
    /// ```
    #[must_use]
    pub fn in_file(mut self, file: &Arc<str>) -> Self {
        self.0.file.get_or_insert_with(|| Arc::clone(file));
        self
    }

    /// Sets the place in a program's source, unless a place is known already.
    ///
    /// ```
    /// use std::panic::Location;
    ///
    /// use message_format::DataError;
    ///
    /// let error = DataError::new("no").in_code(Location::caller());
    /// assert_eq!(error.file(), Some(file!()));
    /// ```
    #[must_use]
    pub fn in_code(mut self, place: &Location<'_>) -> Self {
        if self.0.file.is_none() && self.0.offset.is_none() {
            self.0.file = Some(place.file().into());
            self.0.position = Some((place.line(), place.column()));
        }
        self
    }

    /// Changes the text of the error and keeps its place.
    ///
    /// ```
    /// use message_format::DataError;
    ///
    /// let error = DataError::new("no").at(3).saying(|what| format!("`hp`: {what}"));
    /// assert_eq!((error.what(), error.offset()), ("`hp`: no", Some(3)));
    /// ```
    #[must_use]
    pub fn saying(mut self, say: impl FnOnce(&str) -> String) -> Self {
        self.0.what = say(&self.0.what);
        self
    }

    /// Returns the file that was read, if there is one, or the source file of the call.
    ///
    /// ```
    /// let error = message_format::from_text::<u32>("many").expect_err("it is no number");
    /// assert_eq!(error.file(), None);
    /// ```
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// Returns the line in the text, from 1.
    ///
    /// ```
    /// let error = message_format::from_text::<[u32; 2]>("(\n    1,\n    many,\n)").expect_err("no number");
    /// assert_eq!(error.line(), Some(3));
    /// ```
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        self.0.position.map(|(line, _)| line)
    }

    /// Returns the column in the text, in characters, from 1.
    ///
    /// ```
    /// let error = message_format::from_text::<[u32; 2]>("(\n    1,\n    many,\n)").expect_err("no number");
    /// assert_eq!(error.column(), Some(5));
    /// ```
    #[must_use]
    pub fn column(&self) -> Option<u32> {
        self.0.position.map(|(_, column)| column)
    }

    /// Returns the place in the text or in the bytes, as the number of bytes before it.
    ///
    /// ```
    /// let error = message_format::from_bytes::<bool>(&[0xc1]).expect_err("no value begins so");
    /// assert_eq!(error.offset(), Some(0));
    /// ```
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.0.offset.map(|offset| offset as usize)
    }

    /// Returns the text of the error, without the place.
    ///
    /// ```
    /// let error = message_format::from_text::<u8>("300").expect_err("too large");
    /// assert_eq!(error.what(), "invalid value: integer `300`, expected u8");
    /// ```
    #[must_use]
    pub fn what(&self) -> &str {
        &self.0.what
    }
}

/// Counts lines and columns. Places in ascending order are found in one pass over the text.
///
/// ```
/// use message_format::{DataError, Lines};
///
/// let mut lines = Lines::of("(\n  x,\n  y\n)");
/// let [x, y] = [4, 9].map(|place| DataError::new("no").at(place).in_lines(&mut lines));
/// assert_eq!((x.line(), y.line()), (Some(2), Some(3)));
/// ```
#[derive(Debug)]
pub struct Lines<'s> {
    source: &'s str,
    /// The place up to which lines were counted.
    at: usize,
    /// Both from 1.
    line: u32,
    column: u32,
}

impl<'s> Lines<'s> {
    /// Begins at the first line of a text.
    ///
    /// ```
    /// use message_format::{DataError, Lines};
    ///
    /// let error = DataError::new("no").at(0).in_lines(&mut Lines::of("x"));
    /// assert_eq!((error.line(), error.column()), (Some(1), Some(1)));
    /// ```
    #[must_use]
    pub fn of(source: &'s str) -> Self {
        Self {
            source,
            at: 0,
            line: 1,
            column: 1,
        }
    }

    /// Returns the line and the column of a place, from 1.
    fn position(&mut self, offset: u32) -> (u32, u32) {
        let mut offset = (offset as usize).min(self.source.len());
        while !self.source.is_char_boundary(offset) {
            offset -= 1;
        }
        if offset < self.at {
            *self = Self::of(self.source);
        }
        step(offset - self.at);
        for character in self.source[self.at..offset].chars() {
            match character {
                '\n' => (self.line, self.column) = (self.line.saturating_add(1), 1),
                _ => self.column = self.column.saturating_add(1),
            }
        }
        self.at = offset;
        (self.line, self.column)
    }
}

impl Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.0.file {
            write!(f, "{file}:")?;
        }
        match (self.0.position, self.0.offset) {
            (Some((line, column)), _) => write!(f, "{line}:{column}: ")?,
            (None, Some(offset)) => write!(f, "byte {offset}: ")?,
            (None, None) if self.0.file.is_some() => f.write_str(" ")?,
            (None, None) => {}
        }
        f.write_str(&self.0.what)
    }
}

impl fmt::Debug for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DataError({self})")
    }
}

impl std::error::Error for DataError {}

impl serde::de::Error for DataError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        no_such("there is no variant", variant, "there are", expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        no_such("there is no field", field, "there are", expected)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(format_args!("the field `{field}` is missing"))
    }
}

impl serde::ser::Error for DataError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message)
    }
}
