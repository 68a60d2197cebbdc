//! A value that was read, as a list of tokens.
//!
//! Every text and every binary form is read into a tape first, and types are read from tapes alone. So each type is
//! compiled against one reader, whatever the form is. The tokens are in the order of the source, each container
//! before its content. A container knows where it ends, so unwanted values are skipped in one step. Every token knows
//! its place in the source.
//!
//! Strings are ranges of `text`, which begins with the source if that is a text. So a tape makes no allocation per
//! value, and can be reused.
//!
//! [`text::read`](crate::text::read) and [`pack::read`](crate::pack::read) read a form onto a tape. A
//! [`Reader`](crate::Reader) reads a type from it, and a [`Writer`](crate::Writer) writes a type onto it.
//!
//! ```
//! use message_format::{TextOptions, tape::Kind, text};
//!
//! let tape = text::read("Health(hp: 8)", TextOptions::new())?;
//! let kinds = [Kind::Named, Kind::Fields, Kind::Word, Kind::Natural];
//! assert!(tape.tokens.iter().map(|token| token.kind).eq(kinds));
//! assert_eq!((tape.tokens[3].start, tape.tokens[3].data), (11, 8));
//! # Ok::<(), message_format::DataError>(())
//! ```

use std::cmp::Ordering;
use std::ops::Range;

use crate::content::Content;
use crate::error::DataError;
use crate::memory::Memory;
use crate::options::TextOptions;

/// The kind of a token. A container is followed by its content, up to its [`end`](Token::end_of). Keys of maps
/// are sorted by kind first, so the variants for integers are in the order of their values.
///
/// ```
/// use message_format::{TextOptions, tape::Kind, text};
///
/// let kind_of = |source| text::read(source, TextOptions::new()).map(|tape| tape.tokens[0].kind);
/// assert_eq!(kind_of("8")?, Kind::Natural);
/// assert_eq!(kind_of("Roar")?, Kind::Word);
/// assert_eq!(kind_of("(8)")?, Kind::Wrapped);
/// assert_eq!(kind_of("(8,)")?, Kind::Tuple);
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `()`. The number of an [`Empty`] tells what is left out in it.
    Unit,
    /// `true` or `false`: 1 or 0.
    Bool,
    /// An integer below `i64::MIN`: a range of `bytes` with an `i128`, the most significant first.
    WideNegative,
    /// An integer below zero: the bits of an `i64`.
    Negative,
    /// An integer from zero on: a `u64`.
    Natural,
    /// An integer above `u64::MAX`: a range of `bytes` with a `u128`, the most significant first.
    WideNatural,
    /// The bits of an `f64`.
    Float,
    /// The bits of an `f32`.
    Single,
    /// A character: its number.
    Char,
    /// A range of `text`.
    Str,
    /// A range of `bytes`.
    Bytes,
    /// A word: an enum's variant or a struct without fields, or the key of a field. A range of `text`.
    Word,
    /// A word in front of parentheses, followed by what these hold: a range of `text`.
    Named,
    /// `Some` in front of parentheses, like [`Named`](Kind::Named). A variant with this name is `r#Some`.
    Some,
    /// The name of a range, such as `0..5`, which is written in front of nothing, followed by its fields. A
    /// range of `text`.
    Range,
    /// No value where an option may be: `None`, or as many `Some` around nothing as the number says. A variant with
    /// this name is `r#None`.
    Nil,
    /// `[…]`.
    Seq,
    /// `(…)` with values.
    Tuple,
    /// `(…)` with one value and no comma: what a newtype, `Some` or a variant holds. A tuple with one
    /// value may be written so, too.
    Wrapped,
    /// `(…)` with fields: a [`Word`](Kind::Word) and a value in turns.
    Fields,
    /// `{…}`: a key and a value in turns.
    Map,
    /// Asks a type what it wants here. Only on tapes that are made for such questions.
    Question,
    /// The end of the tape. On no tape.
    End,
}

impl Kind {
    /// Returns the number of values in an entry of a container: with its key or without one.
    pub(crate) fn parts(self) -> usize {
        1 + usize::from(matches!(self, Self::Fields | Self::Map))
    }
}

/// One value, or the beginning of one.
///
/// ```
/// use message_format::{TextOptions, text};
///
/// let tape = text::read("[8, 10]", TextOptions::new())?;
/// let ten = tape.tokens[2];
/// assert_eq!((ten.start, ten.end, ten.data), (4, 6, 10));
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind, which says what the data is.
    pub kind: Kind,
    /// Its place in the source, in bytes.
    pub start: u32,
    /// The place after its last byte.
    pub end: u32,
    /// The data that depends on the [`Kind`]. For a range, the upper half is the offset and the lower half the
    /// length. For a container, the upper half is the number of entries and the lower half the index after its last
    /// token.
    pub data: u64,
}

impl Token {
    /// Returns the number of values in a sequence or a tuple, of entries in a map, or of fields.
    ///
    /// ```
    /// use message_format::{TextOptions, text};
    ///
    /// let tape = text::read("[8, 10]", TextOptions::new())?;
    /// assert_eq!(tape.tokens[0].len(), 2);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[allow(clippy::len_without_is_empty, reason = "only a container has a length")]
    #[must_use]
    pub fn len(self) -> u32 {
        (self.data >> 32) as u32
    }

    /// Returns the index after a container's last token.
    ///
    /// ```
    /// use message_format::{TextOptions, text};
    ///
    /// let tape = text::read("[8, 10]", TextOptions::new())?;
    /// assert_eq!(tape.tokens[0].end_of(), 3);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[allow(clippy::cast_possible_truncation, reason = "the lower half is meant")]
    #[must_use]
    pub fn end_of(self) -> usize {
        self.data as u32 as usize
    }

    /// Returns the number of a [`Single`](Kind::Single).
    pub(crate) fn single(self) -> f32 {
        f32::from_bits(u32::try_from(self.data).unwrap_or(0))
    }

    /// Returns the character of a [`Char`](Kind::Char).
    pub(crate) fn character(self) -> char {
        let number = u32::try_from(self.data).unwrap_or(0);
        char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Returns `true` if it holds other values.
    ///
    /// ```
    /// use message_format::{TextOptions, text};
    ///
    /// let tape = text::read("[8]", TextOptions::new())?;
    /// assert!(tape.tokens[0].is_container() && !tape.tokens[1].is_container());
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn is_container(self) -> bool {
        matches!(
            self.kind,
            Kind::Seq | Kind::Tuple | Kind::Wrapped | Kind::Fields | Kind::Map
        )
    }

    /// Returns `true` if it is a name that is followed by what it names.
    ///
    /// ```
    /// use message_format::{TextOptions, text};
    ///
    /// let tape = text::read("Some(8)", TextOptions::new())?;
    /// assert!(tape.tokens[0].is_name() && !tape.tokens[1].is_name());
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn is_name(self) -> bool {
        matches!(self.kind, Kind::Named | Kind::Some | Kind::Range)
    }

    /// Returns `true` if it is one value in parentheses.
    ///
    /// ```
    /// use message_format::{TextOptions, text};
    ///
    /// let holds_one = |source| text::read(source, TextOptions::new()).map(|tape| tape.tokens[0].holds_one());
    /// assert!(holds_one("(8)")? && !holds_one("(8, 9)")?);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn holds_one(self) -> bool {
        matches!(self.kind, Kind::Tuple | Kind::Wrapped) && self.len() == 1
    }

    /// Returns `true` if it is in parentheses.
    pub(crate) fn has_parentheses(self) -> bool {
        matches!(
            self.kind,
            Kind::Unit | Kind::Tuple | Kind::Wrapped | Kind::Fields
        )
    }
}

/// The meaning of empty parentheses, for a type that accepts anything.
///
/// ```
/// use message_format::{TextOptions, tape::Empty, text};
///
/// let meaning = |source| text::read(source, TextOptions::new()).map(|tape| Empty::of(tape.tokens[0]));
/// assert_eq!(meaning("()")?, Empty::Unit);
/// assert_eq!(meaning("( )")?, Empty::Fields);
/// assert_eq!(meaning("(/**/)")?, Empty::Tuple);
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// `()`.
    Unit,
    /// `( )`: a struct that leaves out all fields.
    Fields,
    /// `(/**/)`: a tuple without values.
    Tuple,
}

impl Empty {
    /// Returns the meaning of a [`Unit`](Kind::Unit).
    ///
    /// ```
    /// use message_format::{TextOptions, tape::Empty, text};
    ///
    /// let tape = text::read("( )", TextOptions::new())?;
    /// assert_eq!(Empty::of(tape.tokens[0]), Empty::Fields);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn of(token: Token) -> Self {
        match token.data {
            1 => Self::Fields,
            2 => Self::Tuple,
            _ => Self::Unit,
        }
    }
}

/// The token after the last one.
pub(crate) const END: Token = Token {
    kind: Kind::End,
    start: 0,
    end: 0,
    data: 0,
};

/// How the source of a tape was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// Text in RON syntax.
    #[default]
    Text,
    /// `MessagePack`.
    Packed,
    /// Tokens as of a text, of a type that writes or reads its form for bytes.
    Compact,
}

/// The tokens of a value, and what they refer to.
///
/// ```
/// use message_format::{tape::{Kind, Tape}, text};
///
/// let mut tape = Tape::default();
/// tape.push_str(Kind::Named, "Meters", (0, 0))?;
/// let inside = tape.open(Kind::Wrapped, 0);
/// tape.push(Kind::Natural, 8, (0, 0));
/// tape.end(inside, 0)?;
/// assert_eq!(text::print(&tape, 0), "Meters(8)");
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// The tokens, each container before its content.
    pub tokens: Vec<Token>,
    /// The source, if it is a text, followed by the strings.
    pub text: String,
    /// The length of the source, with which the text begins. The places of the tokens are in it.
    pub(crate) source_len: usize,
    pub(crate) bytes: Vec<u8>,
    pub(crate) form: Form,
    /// The extensions that the text enables, or that its reader enables for all texts.
    pub(crate) options: TextOptions,
    /// The memory that a value may take which is read from this tape.
    pub(crate) memory: Memory,
}

/// The maximum nesting depth of a value that is read or written.
pub(crate) const MAX_DEPTH: u32 = 128;

impl Tape {
    /// Returns the number of bytes that the tape has allocated, for values that were on it before, too.
    ///
    /// ```
    /// use message_format::{pack, tape::Tape};
    ///
    /// let mut tape = Tape::default();
    /// assert_eq!(tape.allocated(), 0);
    /// pack::read(&[0x92, 1, 2], &mut tape)?;
    /// assert!(tape.allocated() > 0);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn allocated(&self) -> usize {
        let tokens = self.tokens.capacity() * size_of::<Token>();
        tokens + self.text.capacity() + self.bytes.capacity()
    }

    /// Empties the tape and keeps its memory.
    pub(crate) fn clear(&mut self, form: Form) {
        self.tokens.clear();
        self.text.clear();
        self.source_len = 0;
        self.bytes.clear();
        self.form = form;
        self.options = TextOptions::new();
        self.memory = Memory::default();
    }

    /// Returns the source text of a token, or an empty string if there is no source.
    pub(crate) fn source_of(&self, token: Token) -> &str {
        let source = &self.text[..self.source_len];
        let span = token.start as usize..token.end as usize;
        source.get(span).unwrap_or_default()
    }

    /// Returns the name that a variant or a type can have here, whatever else the token can be.
    pub(crate) fn name(&self, token: Token) -> Option<&str> {
        match token.kind {
            Kind::Word | Kind::Named | Kind::Some | Kind::Str => Some(self.str(token)),
            Kind::Nil if self.form != Form::Packed => Some("None"),
            Kind::Bool | Kind::Float | Kind::Single => {
                let word = self.source_of(token);
                word.starts_with(char::is_alphabetic).then_some(word)
            }
            _ => None,
        }
    }

    /// Returns the text of a string, a word or a name.
    ///
    /// # Panics
    ///
    /// Can panic if the token is of another kind or of another tape.
    ///
    /// ```
    /// use message_format::{TextOptions, text};
    ///
    /// let tape = text::read(r#"["a", "\n"]"#, TextOptions::new())?;
    /// assert_eq!(tape.str(tape.tokens[2]), "\n");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn str(&self, token: Token) -> &str {
        let at = (token.data >> 32) as usize;
        &self.text[at..at + token.end_of()]
    }

    pub(crate) fn bytes(&self, token: Token) -> &[u8] {
        let at = (token.data >> 32) as usize;
        &self.bytes[at..at + token.end_of()]
    }

    /// Returns the index after the value that begins at `at`.
    ///
    /// ```
    /// use message_format::{TextOptions, text};
    ///
    /// let tape = text::read("[Some([1]), 2]", TextOptions::new())?;
    /// assert_eq!(tape.tokens[tape.behind(1)].data, 2);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn behind(&self, at: usize) -> usize {
        behind(&self.tokens, at)
    }

    /// Appends a token with its place: where it begins, and where it ends.
    ///
    /// ```
    /// use message_format::{tape::{Kind, Tape}, text};
    ///
    /// let mut tape = Tape::default();
    /// tape.push(Kind::Bool, 1, (0, 0));
    /// assert_eq!(text::print(&tape, 0), "true");
    /// ```
    pub fn push(&mut self, kind: Kind, data: u64, span: (u32, u32)) {
        let (start, end) = span;
        self.tokens.push(Token {
            kind,
            start,
            end,
            data,
        });
    }

    /// Appends a string, or a word.
    ///
    /// # Errors
    ///
    /// Returns an error if the tape is too large.
    ///
    /// ```
    /// use message_format::{tape::{Kind, Tape}, text};
    ///
    /// let mut tape = Tape::default();
    /// tape.push_str(Kind::Str, "a\nb", (0, 0))?;
    /// assert_eq!(text::print(&tape, 0), r#""a\nb""#);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn push_str(&mut self, kind: Kind, text: &str, span: (u32, u32)) -> Result<(), DataError> {
        let data = range(self.text.len(), text.len())?;
        self.text.push_str(text);
        self.push(kind, data, span);
        Ok(())
    }

    /// Appends a token with this content.
    pub(crate) fn put(
        &mut self,
        kind: Kind,
        content: Content<'_>,
        span: (u32, u32),
    ) -> Result<(), DataError> {
        let data = match content {
            Content::Data(data) => data,
            Content::Text(text) => return self.push_str(kind, text, span),
            Content::Bytes(bytes) => {
                let data = range(self.bytes.len(), bytes.len())?;
                self.bytes.extend_from_slice(bytes);
                data
            }
        };
        self.push(kind, data, span);
        Ok(())
    }

    /// Returns the content of a token of this tape.
    pub(crate) fn content(&self, token: Token) -> Content<'_> {
        match token.kind {
            Kind::Str | Kind::Word | Kind::Named | Kind::Some | Kind::Range => {
                Content::Text(self.str(token))
            }
            Kind::Bytes | Kind::WideNegative | Kind::WideNatural => {
                Content::Bytes(self.bytes(token))
            }
            _ => Content::Data(token.data),
        }
    }

    /// Begins a container, and returns its index for [`end`](Tape::end).
    ///
    /// ```
    /// use message_format::tape::{Kind, Tape};
    ///
    /// assert_eq!(Tape::default().open(Kind::Seq, 0), 0);
    /// ```
    pub fn open(&mut self, kind: Kind, start: u32) -> usize {
        self.push(kind, 0, (start, start));
        self.tokens.len() - 1
    }

    /// Ends the container that was begun last, at this place. Its entries are what follows it.
    ///
    /// # Errors
    ///
    /// Returns an error if the tape is too large.
    ///
    /// ```
    /// use message_format::{tape::{Kind, Tape}, text};
    ///
    /// let mut tape = Tape::default();
    /// let list = tape.open(Kind::Seq, 0);
    /// tape.push(Kind::Natural, 8, (0, 0));
    /// tape.end(list, 0)?;
    /// assert_eq!(text::print(&tape, 0), "[8]");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn end(&mut self, opened: usize, end: u32) -> Result<(), DataError> {
        self.close(opened, self.parts(opened).count(), end)
    }

    /// Like [`end`](Self::end), for a container with this number of entries.
    pub(crate) fn close(&mut self, opened: usize, len: usize, end: u32) -> Result<(), DataError> {
        let data = halves(len, self.tokens.len())?;
        let token = &mut self.tokens[opened];
        (token.data, token.end) = (data, end);
        Ok(())
    }

    /// Converts the fields of a struct that has not ended to the entries of a map.
    pub(crate) fn fields_to_map(&mut self, opened: usize) {
        self.tokens[opened].kind = Kind::Map;
        let mut key = opened + 1;
        while key < self.tokens.len() {
            self.tokens[key].kind = Kind::Str;
            key = self.behind(key + 1);
        }
    }

    /// Returns where the key of each entry of a container begins, if the entries have keys, and where its value begins. A
    /// container that has not ended goes on to the end of the tape.
    ///
    /// ```
    /// use message_format::{TextOptions, text};
    ///
    /// let tape = text::read("(hp: 8, at: [1, 2])", TextOptions::new())?;
    /// assert!(tape.parts(0).eq([(Some(1), 2), (Some(3), 4)]));
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn parts(&self, opened: usize) -> impl Iterator<Item = (Option<usize>, usize)> + Clone {
        let token = self.tokens[opened];
        let has_keys = token.kind.parts() == 2;
        let end = match token.end_of() {
            0 => self.tokens.len(),
            end => end,
        };
        let mut next = opened + 1;
        std::iter::from_fn(move || {
            let begin = next;
            if begin == end {
                return None;
            }
            let value = if has_keys { self.behind(begin) } else { begin };
            next = self.behind(value);
            Some((has_keys.then_some(begin), value))
        })
    }

    /// Reorders the values from `begin` on. `places` contains the place of each value, in the new order.
    pub(crate) fn reorder(&mut self, begin: usize, places: &[Range<usize>]) {
        let before = self.tokens.split_off(begin);
        for place in places {
            let now = self.tokens.len();
            for &(mut token) in &before[place.start - begin..place.end - begin] {
                if token.is_container() {
                    // The end is behind the beginning of the value, before and now.
                    token.data = token.data + now as u64 - place.start as u64;
                }
                self.tokens.push(token);
            }
        }
    }

    /// Compares values of two tapes: numbers by value, texts by their characters, containers by length and then
    /// by what they hold.
    ///
    /// ```
    /// use std::cmp::Ordering;
    ///
    /// use message_format::{TextOptions, text};
    ///
    /// let tape = text::read("[2, 10]", TextOptions::new())?;
    /// assert_eq!(tape.compare(1..2, &tape, 2..3), Ordering::Less);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn compare(&self, own: Range<usize>, other: &Self, others: Range<usize>) -> Ordering {
        let tokens = self.tokens[own.clone()].iter();
        let pairs = tokens.zip(&other.tokens[others.clone()]);
        pairs
            .map(|(&one, &another)| self.compare_tokens(one, other, another))
            .find(|order| order.is_ne())
            .unwrap_or(own.len().cmp(&others.len()))
    }

    fn compare_tokens(&self, own: Token, other: &Self, another: Token) -> Ordering {
        let kinds = own.kind.cmp(&another.kind);
        kinds.then_with(|| match (self.content(own), other.content(another)) {
            (Content::Text(one), Content::Text(another)) => one.cmp(another),
            // The bits of negative numbers are in the order of the numbers, too.
            (Content::Bytes(one), Content::Bytes(another)) => one.cmp(another),
            _ if own.kind == Kind::Float => {
                let [one, another] = [own, another].map(|token| f64::from_bits(token.data));
                one.total_cmp(&another)
            }
            _ if own.kind == Kind::Single => own.single().total_cmp(&another.single()),
            _ if own.is_container() => own.len().cmp(&another.len()),
            _ => own.data.cmp(&another.data),
        })
    }

    /// Returns the bits of a number of 128 bits: of a [`WideNatural`](Kind::WideNatural) or a
    /// [`WideNegative`](Kind::WideNegative).
    #[doc(hidden)]
    #[must_use]
    pub fn wide(&self, token: Token) -> u128 {
        let bytes = self.bytes(token).try_into();
        u128::from_be_bytes(bytes.expect("a number of 128 bits has 16 bytes"))
    }

    /// Appends the value that begins at `at` of another tape, with its places.
    ///
    /// # Errors
    ///
    /// Returns an error if the tape is too large.
    ///
    /// ```
    /// use message_format::{TextOptions, tape::Tape, text};
    ///
    /// let other = text::read("[1, (2, 3)]", TextOptions::new())?;
    /// let mut tape = Tape::default();
    /// tape.append(&other, 2)?;
    /// assert_eq!(text::print(&tape, 0), "(2, 3)");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn append(&mut self, other: &Self, at: usize) -> Result<(), DataError> {
        let behind = other.behind(at);
        let first = self.tokens.len();
        for &token in &other.tokens[at..behind] {
            let content = if token.is_container() {
                Content::Data(halves(token.len() as usize, token.end_of() - at + first)?)
            } else {
                other.content(token)
            };
            self.put(token.kind, content, (token.start, token.end))?;
        }
        Ok(())
    }
}

/// Returns the index after the value that begins at `at`.
#[must_use]
pub fn behind(tokens: &[Token], mut at: usize) -> usize {
    while tokens[at].is_name() {
        at += 1;
    }
    let token = tokens[at];
    if token.is_container() {
        token.end_of()
    } else {
        at + 1
    }
}

/// Returns the place after the last byte of the value that begins at `at`.
#[must_use]
pub fn end_of_value(tokens: &[Token], mut at: usize) -> u32 {
    while tokens[at].is_name() {
        at += 1;
    }
    tokens[at].end
}

/// Returns the number of bytes of a value in the text, with what separates it from the next.
#[must_use]
pub fn bytes_at(tokens: &[Token], at: usize) -> u64 {
    let end = end_of_value(tokens, at);
    u64::from(end.saturating_sub(tokens[at].start)) + 1
}

/// Returns the data of a token for a range.
fn range(at: usize, len: usize) -> Result<u64, DataError> {
    halves(at + len, 0)?;
    halves(at, len)
}

/// Packs the data of a token: of a container, the number of its entries and the index behind its last token.
///
/// # Errors
///
/// Returns an error if one of the numbers has more than 32 bits.
pub fn halves(upper: usize, lower: usize) -> Result<u64, DataError> {
    let number = |number| u32::try_from(number).map_err(|_| DataError::too_large());
    Ok(u64::from(number(upper)?) << 32 | u64::from(number(lower)?))
}
