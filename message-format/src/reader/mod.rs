//! The one deserializer that types are compiled against.
//!
//! It goes from token to token, either over a [`Tape`] or directly over bytes that are read as a whole, of which it
//! never reads more than one token ahead. The reader, not the type, decides what a file may leave out or add: a
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

use serde::de::{DeserializeOwned, Visitor};

use crate::bytes::Bytes;
use crate::error::DataError;
use crate::pack;
use crate::tape::{END, Form, Kind, MAX_DEPTH, NOTHING, Tape, Token, behind};
use access::{Entries, Fields, Items};
pub(crate) use wanted::Wanted;

/// The treatment of fields that a struct does not have.
///
/// ```
/// use message_format::{Reader, Unknown, tape::Extensions, text};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Health { hp: u32 }
///
/// let tape = text::read("(hp: 8, shield: 3)", Extensions::NONE)?;
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
/// use message_format::{Reader, Unknown};
///
/// let mut reader = Reader::over(&[0x92, 1, 2], Unknown::Refused);
/// let read = reader.read::<[u8; 2]>();
/// assert_eq!(reader.finish(read)?, [1, 2]);
/// # Ok::<(), message_format::DataError>(())
/// ```
pub struct Reader<'t> {
    tape: &'t Tape,
    /// The tokens of the tape, or others of the same text.
    tokens: &'t [Token],
    /// The bytes that are read without a tape.
    source: &'t [u8],
    /// The bytes after the next token.
    rest: Bytes<'t>,
    /// `true` if it reads bytes without a tape.
    straight: bool,
    /// The reason why the rest cannot be read.
    broken: Option<DataError>,
    /// How many lists and maps of bytes have begun.
    depth: u32,
    /// The next token.
    head: Token,
    /// Its place on the tape.
    at: usize,
    /// The name that the next token is, if it is one of a struct's fields.
    field: Option<&'static str>,
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
    notes: Notes,
}

/// The maximum number of fields noted for one value.
const MAX_NOTES: usize = 200;

/// The fields of a value that were passed over because its type does not have them. [`Unknown`] has an example.
///
/// ```
/// use message_format::{Reader, Unknown, tape::Extensions, text};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Health { hp: u32 }
///
/// let tape = text::read("(hp: 8, shield: 3)", Extensions::NONE)?;
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

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

impl<'t> Reader<'t> {
    /// Begins at the value of a tape whose first token has this index.
    ///
    /// ```
    /// use message_format::{Reader, Unknown, tape::Extensions, text};
    ///
    /// let tape = text::read("[1, 2]", Extensions::NONE)?;
    /// assert_eq!(Reader::new(&tape, 0, Unknown::Refused).read::<Vec<u8>>()?, [1, 2]);
    /// assert_eq!(Reader::new(&tape, 2, Unknown::Refused).read::<u8>()?, 2);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn new(tape: &'t Tape, at: usize, unknown: Unknown) -> Self {
        Self {
            tape,
            tokens: &tape.tokens,
            source: &[],
            rest: Bytes::NONE,
            straight: false,
            broken: None,
            depth: 0,
            head: tape.tokens.get(at).copied().unwrap_or(END),
            at,
            field: None,
            unknown,
            peeled: 0,
            unsaid: 0,
            wanted: None,
            inside_at: usize::MAX,
            is_unwrapped: false,
            key_at: usize::MAX,
            notes: Notes::default(),
        }
    }

    /// Begins at the first of these bytes, which are `MessagePack`.
    ///
    /// ```
    /// use message_format::{Reader, Unknown};
    ///
    /// assert_eq!(Reader::over(&[7], Unknown::Passed).read::<u8>()?, 7);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn over(source: &'t [u8], unknown: Unknown) -> Self {
        let mut reader = Self {
            source,
            straight: true,
            ..Self::new(&NOTHING, 0, unknown)
        };
        match Bytes::new(source) {
            Ok(bytes) => {
                reader.rest = bytes;
                reader.advance();
            }
            Err(error) => reader.stop(error),
        }
        reader
    }

    /// Returns `read`, or an error if the input is broken or bytes follow the value.
    ///
    /// # Errors
    ///
    /// Returns the error of `read`, or the error in the input.
    ///
    /// ```
    /// use message_format::{Reader, Unknown};
    ///
    /// let mut reader = Reader::over(&[7, 8], Unknown::Passed);
    /// let read = reader.read::<u8>();
    /// let error = reader.finish(read).expect_err("one byte is left");
    /// assert_eq!(error.to_string(), "byte 1: the value ends here, and 1 bytes follow");
    /// ```
    #[inline]
    pub fn finish<T>(&mut self, read: Result<T, DataError>) -> Result<T, DataError> {
        if let Some(broken) = self.broken.take() {
            return Err(broken);
        }
        if read.is_ok() && self.straight && self.head.kind != Kind::End {
            return Err(self.goes_on());
        }
        read
    }

    #[cold]
    fn goes_on(&self) -> DataError {
        let start = self.head.start;
        let left = self.source.len() - start as usize;
        let what = format!("the value ends here, and {left} bytes follow");
        DataError::new(what).at(start)
    }

    #[cold]
    fn ends_here(&self) -> DataError {
        DataError::new("the bytes end here: expected 1 more, found 0").at(self.head.start)
    }

    /// Advances to the token after the next one.
    #[inline]
    fn advance(&mut self) {
        if !self.straight {
            self.at += 1;
            self.head = self.tokens.get(self.at).copied().unwrap_or(END);
            return;
        }
        if self.rest.left() == 0 {
            self.head = Token {
                start: self.rest.place(),
                ..END
            };
            return;
        }
        match pack::token(&mut self.rest) {
            Ok(token) => self.head = token,
            Err(error) => self.stop(error),
        }
    }

    /// Ends reading: nothing more can be read.
    #[cold]
    fn stop(&mut self, error: DataError) {
        self.head = END;
        self.broken.get_or_insert(error);
        self.rest = Bytes::NONE;
    }

    /// Passes over the next value.
    fn skip(&mut self) {
        if self.straight {
            self.skip_bytes();
        } else {
            self.at = behind(self.tokens, self.at);
            self.head = self.tokens.get(self.at).copied().unwrap_or(END);
        }
        (self.peeled, self.unsaid, self.field) = (0, 0, None);
    }

    fn skip_bytes(&mut self) {
        let token = self.head;
        if token.kind == Kind::End {
            return self.stop(self.ends_here());
        }
        if token.kind == Kind::Str
            && let Err(error) = pack::text_of(self.source, token)
        {
            return self.stop(error);
        }
        self.advance();
        let each = match token.kind {
            Kind::Map => 2,
            Kind::Seq => 1,
            _ => return,
        };
        if let Err(error) = self.enter_list(token) {
            return self.stop(error);
        }
        for _ in 0..u64::from(token.len()) * each {
            if self.broken.is_some() {
                return;
            }
            self.skip_bytes();
        }
        self.depth -= 1;
    }

    /// Begins a list or a map, which ends when [`depth`](Self::depth) is one less.
    #[inline]
    fn enter_list(&mut self, token: Token) -> Result<(), DataError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH && self.straight {
            return Err(DataError::too_deep().at(token.start));
        }
        Ok(())
    }

    /// Returns the content of a token of bytes.
    fn bytes(&self, token: Token) -> &'t [u8] {
        if self.straight {
            pack::part_of(self.source, token)
        } else {
            self.tape.bytes(token)
        }
    }

    /// Returns the bytes of a string or a word.
    fn text_bytes(&self, token: Token) -> &'t [u8] {
        if self.straight {
            pack::part_of(self.source, token)
        } else {
            self.tape.str(token).as_bytes()
        }
    }

    /// Returns the text of a string or a word.
    fn text(&self, token: Token) -> Result<&'t str, DataError> {
        if self.straight {
            pack::text_of(self.source, token)
        } else {
            Ok(self.tape.str(token))
        }
    }

    /// Returns the name of a field or a variant that the token is, whatever else it can be.
    fn name(&self, token: Token) -> Result<Option<&'t str>, DataError> {
        if self.straight {
            let is_name = token.kind == Kind::Str;
            return is_name.then(|| self.text(token)).transpose();
        }
        Ok(self.tape.name(token))
    }

    /// Begins after the name of a type: at the parentheses of a struct, or at one value in parentheses if the type is
    /// not written as a struct.
    ///
    /// ```
    /// use message_format::{Reader, Unknown, tape::Extensions, text};
    ///
    /// let tape = text::read("Meters(8)", Extensions::NONE)?;
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
    /// use message_format::{Reader, Unknown, tape::{Extensions, Tape}, text};
    ///
    /// let mut tape = text::read("8", Extensions::NONE)?;
    /// let tokens = std::mem::take(&mut tape.tokens);
    /// assert_eq!(Reader::apart(&tape, &tokens, Unknown::Refused).read::<u8>()?, 8);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn apart(tape: &'t Tape, tokens: &'t [Token], unknown: Unknown) -> Self {
        Self {
            tokens,
            head: tokens.first().copied().unwrap_or(END),
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
    /// use message_format::{Reader, Unknown};
    ///
    /// assert_eq!(Reader::over(&[7], Unknown::Noted).into_notes().more, 0);
    /// ```
    #[must_use]
    pub fn into_notes(self) -> Notes {
        self.notes
    }

    /// Reads one value.
    ///
    /// # Errors
    ///
    /// Returns an error with the place if the value does not fit the type.
    ///
    /// ```
    /// use message_format::{Reader, Unknown};
    ///
    /// let mut reader = Reader::over(&[7, 0xa1, b'a'], Unknown::Passed);
    /// assert_eq!(reader.read::<u8>()?, 7);
    /// let error = reader.read::<u8>().expect_err("it is a string");
    /// assert_eq!(error.to_string(), "byte 1: invalid type: string \"a\", expected u8");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn read<T: DeserializeOwned>(&mut self) -> Result<T, DataError> {
        let start = self.peek().start;
        T::deserialize(&mut *self).map_err(|error| error.at(start))
    }

    fn peek(&self) -> Token {
        self.head
    }

    /// Returns the next token, and advances past it.
    fn next(&mut self) -> Token {
        let token = self.head;
        self.advance();
        (self.peeled, self.unsaid, self.field) = (0, 0, None);
        token
    }

    fn is_packed(&self) -> bool {
        self.tape.form == Form::Packed
    }

    /// Passes a visitor the values of a list, and checks that it took all of them.
    fn list<'d, V: Visitor<'d>>(&mut self, visitor: V) -> Result<V::Value, DataError> {
        let token = self.next();
        let mut items = Items {
            left: if token.kind == Kind::Unit {
                0
            } else {
                token.len()
            },
            reader: self,
        };
        items.reader.enter_list(token)?;
        let value = visitor.visit_seq(&mut items)?;
        let left = items.left;
        self.depth -= 1;
        Self::ended(left, token)?;
        Ok(value)
    }

    /// Passes a visitor the entries of a map or a struct. The fields of the struct are those that exist.
    fn entries<'d, V: Visitor<'d>>(
        &mut self,
        visitor: V,
        of: Option<Fields<'_>>,
    ) -> Result<V::Value, DataError> {
        let token = self.next();
        let mut entries = Entries {
            left: if token.is_container() { token.len() } else { 0 },
            reader: self,
            of,
            read: 0,
            key: token,
            are_fields: token.kind == Kind::Fields,
        };
        entries.reader.enter_list(token)?;
        let value = visitor.visit_map(&mut entries);
        let (left, key) = (entries.left, entries.key);
        self.depth -= 1;
        match value {
            Ok(value) => {
                Self::ended(left, token)?;
                Ok(value)
            }
            Err(error) => Err(of_entries(error, of, token, key)),
        }
    }

    /// Returns the next name.
    fn identifier(&mut self) -> Result<&'t str, DataError> {
        if let Some(field) = self.field.take() {
            self.unsaid = 0;
            self.advance();
            return Ok(field);
        }
        let Some(name) = self.name(self.peek())? else {
            return Err(self.unwanted(Wanted::Identifier));
        };
        self.next();
        Ok(name)
    }

    /// Checks that a list was read to its end.
    fn ended(left: u32, token: Token) -> Result<(), DataError> {
        if left == 0 {
            return Ok(());
        }
        let (found, read) = (token.len(), token.len() - left);
        let what = format!("this has {found} entries: expected {read}");
        Err(DataError::new(what).at(token.start))
    }

    /// Returns the error for a next value that is not what was expected.
    ///
    /// ```
    /// use message_format::{Reader, Unknown};
    ///
    /// let error = Reader::over(&[7], Unknown::Passed).mismatch("a colour");
    /// assert_eq!(error.what(), "expected a colour, found the integer `7`");
    /// ```
    #[cold]
    pub fn mismatch(&self, expected: impl Display) -> DataError {
        if let Some(broken) = &self.broken {
            return broken.clone();
        }
        if self.head.kind == Kind::End {
            return self.ends_here();
        }
        let token = self.peek();
        let what = format!("expected {expected}, found {}", self.describe(token));
        DataError::new(what).at(token.start)
    }
}

/// Describes an error in a map or a struct as a whole.
#[cold]
fn of_entries(error: DataError, of: Option<Fields<'_>>, whole: Token, key: Token) -> DataError {
    if error.what().starts_with("duplicate field") {
        return error.at(key.start);
    }
    let Some(of) = of else {
        return error;
    };
    error
        .at(whole.start)
        .saying(|what| match what.strip_prefix("the field ") {
            Some(rest) => format!("`{}` is incomplete: the field {rest}", of.name),
            None => what.to_owned(),
        })
}
