//! The one deserializer that types are compiled against.
//!
//! It goes from token to token over a [`Tape`]. The reader, not the type, decides what a file may leave out or add: a
//! strict reader rejects a field that a struct does not have, wherever it is; a lenient one notes it and goes on.

mod access;
mod any;
mod buffer;
mod deserializer;
mod parentheses;
#[cfg(test)]
mod tests;
mod wanted;

use std::fmt::Display;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed, Visitor};

use crate::error::DataError;
use crate::memory::Memory;
use crate::options::TextExtension;
use crate::tape::{END, Form, Kind, Tape, Token, behind};
use access::{Entries, Fields};
pub(crate) use wanted::Wanted;

/// The treatment of fields that a struct does not have.
///
/// ```
/// use message_format::{TextOptions, Reader, Unknown, text};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Health { hp: u32 }
///
/// let tape = text::read("(hp: 8, shield: 3)", TextOptions::new())?;
/// let mut reader = Reader::new(&tape, 0, Unknown::Noted);
/// assert_eq!(reader.read::<Health>()?.hp, 8);
/// assert_eq!(reader.into_notes().kept.len(), 1);
/// assert!(Reader::new(&tape, 0, Unknown::Refused).read::<Health>().is_err());
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// They are an error.
    Refused,
    /// They are noted and passed over.
    Noted,
    /// They are passed over.
    Passed,
}

/// Reads the parts of a value from a text or from bytes: the one deserializer that types are compiled against.
///
/// In message-core, `#[derive(Data)]` passes it to types with data, and there is nothing to call.
///
/// ```
/// use message_format::{TextOptions, Reader, Unknown, text};
///
/// let tape = text::read("(1, 2)", TextOptions::new())?;
/// assert_eq!(Reader::new(&tape, 0, Unknown::Refused).read::<[u8; 2]>()?, [1, 2]);
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Debug)]
pub struct Reader<'t> {
    tape: &'t Tape,
    /// The tokens of the tape, or others of the same text.
    tokens: &'t [Token],
    /// The place of the next token on the tape.
    at: usize,
    unknown: Unknown,
    /// The number of `Some` around nothing that were already read from the next token.
    peeled: u64,
    /// The number of `Some` read since the last token that are not in the input.
    unsaid: u32,
    /// The form that the type wanted at the question on the tape.
    wanted: Option<Wanted>,
    /// The place of a value directly inside the parentheses behind its type's name, which may be its own.
    inside_at: usize,
    /// `true` if the name is that of the variant around it, and the text unwraps the content of variants.
    is_unwrapped: bool,
    /// The place of a field's name, which can be read as a string.
    key_at: usize,
    memory: Memory,
    notes: Notes,
}

/// The maximum number of fields noted for one value.
const MAX_NOTES: usize = 200;

/// The fields of a value that were passed over because its type does not have them. [`Unknown`] has an example.
///
/// ```
/// use message_format::{TextOptions, Reader, Unknown, text};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Health { hp: u32 }
///
/// let tape = text::read("(hp: 8, shield: 3)", TextOptions::new())?;
/// let mut reader = Reader::new(&tape, 0, Unknown::Noted);
/// reader.read::<Health>()?;
/// let notes = reader.into_notes();
/// assert_eq!((notes.kept[0].offset(), notes.more), (Some(8), 0));
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Debug, Default)]
pub struct Notes {
    /// The first of them.
    pub kept: Vec<DataError>,
    /// The number of further fields.
    pub more: usize,
}

impl<'t> Reader<'t> {
    /// Begins at the value of a tape whose first token has this index.
    ///
    /// ```
    /// use message_format::{TextOptions, Reader, Unknown, text};
    ///
    /// let tape = text::read("[1, 2]", TextOptions::new())?;
    /// assert_eq!(Reader::new(&tape, 0, Unknown::Refused).read::<Vec<u8>>()?, [1, 2]);
    /// assert_eq!(Reader::new(&tape, 2, Unknown::Refused).read::<u8>()?, 2);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn new(tape: &'t Tape, at: usize, unknown: Unknown) -> Self {
        Self {
            tape,
            tokens: &tape.tokens,
            at,
            unknown,
            peeled: 0,
            unsaid: 0,
            wanted: None,
            inside_at: usize::MAX,
            is_unwrapped: false,
            key_at: usize::MAX,
            memory: tape.memory,
            notes: Notes::default(),
        }
    }

    /// Begins after the name of a type: at the parentheses of a struct, or at one value in parentheses if the type is
    /// not written as a struct.
    ///
    /// ```
    /// use message_format::{TextOptions, Reader, Unknown, text};
    ///
    /// let tape = text::read("Meters(8)", TextOptions::new())?;
    /// assert_eq!(Reader::behind_name(&tape, 1, Unknown::Refused).read::<u8>()?, 8);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn behind_name(tape: &'t Tape, at: usize, unknown: Unknown) -> Self {
        Self {
            inside_at: at,
            ..Self::new(tape, at, unknown)
        }
    }

    /// Like [`behind_name`](Self::behind_name), for a value whose tokens are not on the tape. They are of
    /// the text of the tape, and the value begins at the first of them.
    ///
    /// ```
    /// use message_format::{TextOptions, Reader, Unknown, tape::Tape, text};
    ///
    /// let mut tape = text::read("8", TextOptions::new())?;
    /// let tokens = std::mem::take(&mut tape.tokens);
    /// assert_eq!(Reader::apart(&tape, &tokens, Unknown::Refused).read::<u8>()?, 8);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn apart(tape: &'t Tape, tokens: &'t [Token], unknown: Unknown) -> Self {
        Self {
            tokens,
            ..Self::behind_name(tape, 0, unknown)
        }
    }

    /// Notes what is wanted and returns an error, if the tape asks for that.
    fn answer(&mut self, wanted: Wanted) -> Result<(), DataError> {
        if self.peek().kind == Kind::Question {
            return Err(self.unwanted(wanted));
        }
        Ok(())
    }

    /// Returns the error for a next token that does not have the wanted form. Notes the form if the token is a
    /// question.
    #[cold]
    fn unwanted(&mut self, wanted: Wanted) -> DataError {
        if self.peek().kind == Kind::Question {
            self.wanted = Some(wanted);
        }
        self.mismatch(wanted)
    }

    /// Returns the form that the type wanted at the question on the tape, if it has reached it.
    pub(crate) fn wanted(&self) -> Option<Wanted> {
        self.wanted
    }

    /// Returns the notes on the fields that were passed over. [`Unknown`] has an example.
    ///
    /// ```
    /// use message_format::{Reader, Unknown, tape::Tape};
    ///
    /// assert_eq!(Reader::new(&Tape::default(), 0, Unknown::Noted).into_notes().more, 0);
    /// ```
    #[must_use]
    pub fn into_notes(self) -> Notes {
        self.notes
    }

    /// Returns how many bytes of memory the values have taken that were read, as
    /// [`read_within`](crate::pack::read_within) counts them, without those of the tape.
    ///
    /// ```
    /// use message_format::{Reader, Unknown, pack};
    ///
    /// let tape = pack::read_all(&[0x94, 1, 2, 3, 4])?;
    /// let mut reader = Reader::new(&tape, 0, Unknown::Passed);
    /// reader.read::<[u64; 4]>()?;
    /// assert_eq!(reader.memory_taken(), size_of::<[u64; 4]>());
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn memory_taken(&self) -> usize {
        self.tape.memory.left - self.memory.left
    }

    /// Reads one value.
    ///
    /// # Errors
    ///
    /// Returns an error with the place if the value does not fit the type, or takes more memory than
    /// [`read_within`](crate::pack::read_within) allows.
    ///
    /// ```
    /// use message_format::{TextOptions, Reader, Unknown, text};
    ///
    /// let tape = text::read("'a'", TextOptions::new())?;
    /// assert_eq!(Reader::new(&tape, 0, Unknown::Refused).read::<char>()?, 'a');
    /// let error = Reader::new(&tape, 0, Unknown::Refused).read::<u8>().expect_err("no number");
    /// assert_eq!(error.what(), "invalid type: string \"a\", expected u8");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn read<T: DeserializeOwned>(&mut self) -> Result<T, DataError> {
        self.read_seed(PhantomData::<T>)
    }

    /// Reads one value. An error in it has a place.
    fn read_seed<'d, S: DeserializeSeed<'d>>(&mut self, seed: S) -> Result<S::Value, DataError> {
        let start = self.peek().start;
        let memory = self.memory.take_for::<S::Value>();
        let read = memory.and_then(|()| seed.deserialize(self));
        read.map_err(|error| error.at(start))
    }

    fn peek(&self) -> Token {
        self.tokens.get(self.at).copied().unwrap_or(END)
    }

    /// Returns the next token, and advances past it.
    fn next(&mut self) -> Token {
        let token = self.peek();
        self.go_to(self.at + 1);
        token
    }

    /// Passes over the next value.
    fn skip(&mut self) {
        self.go_to(behind(self.tokens, self.at));
    }

    fn go_to(&mut self, at: usize) {
        self.at = at;
        (self.peeled, self.unsaid) = (0, 0);
    }

    fn enables(&self, extension: TextExtension) -> bool {
        self.tape.options.has(extension)
    }

    fn is_packed(&self) -> bool {
        self.tape.form == Form::Packed
    }

    /// Passes a visitor the values of a list, and checks that it took all of them.
    fn list<'d, V: Visitor<'d>>(&mut self, visitor: V) -> Result<V::Value, DataError> {
        let mut entries = Entries::begin(self, None);
        let value = visitor.visit_seq(&mut entries)?;
        entries.end()?;
        Ok(value)
    }

    /// Passes a visitor the values of a tuple struct or a variant, which has this form.
    fn tuple<'d, V: Visitor<'d>>(
        &mut self,
        visitor: V,
        wanted: Wanted,
    ) -> Result<V::Value, DataError> {
        self.memory.take_for::<V::Value>()?;
        match self.peek().kind {
            Kind::Tuple | Kind::Wrapped | Kind::Unit => self.list(visitor),
            Kind::Seq if self.is_packed() => self.list(visitor),
            _ => Err(self.unwanted(wanted)),
        }
    }

    /// Passes a visitor the entries of a map or a struct. The fields of the struct are those that exist.
    fn entries<'d, V: Visitor<'d>>(
        &mut self,
        visitor: V,
        of: Option<Fields<'_>>,
    ) -> Result<V::Value, DataError> {
        let mut entries = Entries::begin(self, of);
        let value = visitor.visit_map(&mut entries);
        let value = value.map_err(|error| entries.error(error))?;
        entries.end()?;
        Ok(value)
    }

    /// Returns the next name.
    fn identifier(&mut self) -> Result<&'t str, DataError> {
        let Some(name) = self.tape.name(self.peek()) else {
            return Err(self.unwanted(Wanted::Identifier));
        };
        self.next();
        Ok(name)
    }

    /// Returns the error for a next value that is not what was expected.
    ///
    /// ```
    /// use message_format::{TextOptions, Reader, Unknown, text};
    ///
    /// let tape = text::read("7", TextOptions::new())?;
    /// let error = Reader::new(&tape, 0, Unknown::Refused).mismatch("a colour");
    /// assert_eq!(error.what(), "expected a colour, found the integer `7`");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[cold]
    pub fn mismatch(&self, expected: impl Display) -> DataError {
        let token = self.peek();
        let what = format!("expected {expected}, found {}", self.describe(token));
        DataError::new(what).at(token.start)
    }
}
