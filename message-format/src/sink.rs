//! The destination of a value that is written.
//!
//! The [`Writer`](crate::Writer) calls one method for each part of a value, on a `dyn` sink. So each type is compiled
//! against one writer, whatever the form is.

use crate::error::DataError;

/// A part of a value that is [begun](Sink::begin) and [ended](Sink::end). [`Sink`] has an example.
///
/// ```
/// use message_format::{Group, Sink, pack::Packer};
///
/// let mut sink = Packer::default();
/// sink.begin(Group::TupleVariant("Move"), Some(2))?;
/// sink.unsigned(1)?;
/// sink.unsigned(2)?;
/// sink.end()?;
/// assert_eq!(sink.bytes, [0x81, 0xa4, b'M', b'o', b'v', b'e', 0x92, 1, 2]);
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group<'n> {
    /// `Some`, with one value.
    Some,
    /// Values, of which there can be any number.
    Seq,
    /// A fixed number of values.
    Tuple,
    /// Entries: alternating keys and values.
    Map,
    /// A struct with one field without a name.
    Newtype(&'n str),
    /// A struct with several fields without names.
    TupleStruct(&'n str),
    /// Fields, each after its [`field`](Sink::field).
    Struct(&'n str),
    /// A variant with one field without a name.
    NewtypeVariant(&'n str),
    /// A variant with several fields without names.
    TupleVariant(&'n str),
    /// Fields, each after its [`field`](Sink::field).
    StructVariant(&'n str),
}

/// The result of writing a part of a value.
///
/// ```
/// use message_format::{Sink, Written};
///
/// fn write_both(sink: &mut dyn Sink) -> Written {
///     sink.bool(true)?;
///     sink.none()
/// }
///
/// let mut packer = message_format::pack::Packer::default();
/// write_both(&mut packer)?;
/// assert_eq!(packer.bytes, [0xc3, 0xc0]);
/// # Ok::<(), message_format::DataError>(())
/// ```
pub type Written = Result<(), DataError>;

/// The destination of a value that is written. [`Writer`](crate::Writer) calls it.
///
/// # Errors
///
/// Each method returns an error if the sink has no form for the value, if the value is nested too deeply, or if the
/// output is too large.
///
/// ```
/// use message_format::{Group, Recorder, Sink, text};
///
/// let mut sink = Recorder::new();
/// sink.begin(Group::Struct("Health"), Some(1))?;
/// sink.field("hp")?;
/// sink.unsigned(8)?;
/// sink.end()?;
/// assert_eq!(text::print(&sink.tape, 0), "(hp: 8)");
/// # Ok::<(), message_format::DataError>(())
/// ```
#[allow(
    clippy::missing_errors_doc,
    reason = "all of them have the errors above"
)]
pub trait Sink {
    /// Returns `true` if people read the output.
    fn is_text(&self) -> bool;
    /// Writes `()`.
    fn unit(&mut self) -> Written;
    /// Writes a truth value.
    fn bool(&mut self, value: bool) -> Written;
    /// Writes an integer of a type with a sign.
    fn signed(&mut self, number: i128) -> Written;
    /// Writes an integer of a type without a sign.
    fn unsigned(&mut self, number: u128) -> Written;
    /// Writes an `f64`.
    fn float(&mut self, number: f64) -> Written;
    /// Writes an `f32`.
    fn single(&mut self, number: f32) -> Written;
    /// Writes a character.
    fn char(&mut self, character: char) -> Written;
    /// Writes a string.
    fn str(&mut self, text: &str) -> Written;
    /// Writes bytes that are no list of numbers.
    fn bytes(&mut self, bytes: &[u8]) -> Written;
    /// Writes `None`.
    fn none(&mut self) -> Written;
    /// Writes a struct without fields.
    fn unit_struct(&mut self, name: &'static str) -> Written;
    /// Writes a variant without fields.
    fn unit_variant(&mut self, name: &'static str) -> Written;
    /// Begins a group of `len` entries, if the number is known.
    fn begin(&mut self, group: Group<'_>, len: Option<usize>) -> Written;
    /// Writes the name of the field whose value comes next.
    fn field(&mut self, name: &'static str) -> Written;
    /// Marks that a part of a group without order comes next: a key or a value of a map, or an element. The
    /// group is written sorted when it [ends](Self::end).
    fn unordered(&mut self);
    /// Takes back the `Some` that was begun last, whose content cannot be written, if it is to be written as `None`.
    /// Returns whether it did.
    fn take_some_back(&mut self) -> bool;
    /// Ends the group that was begun last.
    fn end(&mut self) -> Written;
}
