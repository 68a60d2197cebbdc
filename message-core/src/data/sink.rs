//! The destination of a value that is written.
//!
//! The [writer](super::writer) calls one method for each part of a value, on a `dyn` sink. So each type is compiled
//! against one writer, whatever the form is.

use crate::data::error::DataError;

/// A part of a value that is begun and ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group<'n> {
    /// `Some`, with one value.
    Some,
    Seq,
    Tuple,
    /// Entries: alternating keys and values.
    Map,
    /// A struct with one field without a name.
    Newtype(&'n str),
    TupleStruct(&'n str),
    /// Fields, each after its [`field`](Sink::field).
    Struct(&'n str),
    NewtypeVariant(&'n str),
    TupleVariant(&'n str),
    /// Fields, each after its [`field`](Sink::field).
    StructVariant(&'n str),
}

pub(crate) type Written = Result<(), DataError>;

pub(crate) trait Sink {
    /// Returns `true` if people read the output.
    fn is_text(&self) -> bool;
    fn unit(&mut self) -> Written;
    fn bool(&mut self, value: bool) -> Written;
    fn signed(&mut self, number: i128) -> Written;
    fn unsigned(&mut self, number: u128) -> Written;
    fn float(&mut self, number: f64) -> Written;
    fn single(&mut self, number: f32) -> Written;
    fn char(&mut self, character: char) -> Written;
    fn str(&mut self, text: &str) -> Written;
    fn bytes(&mut self, bytes: &[u8]) -> Written;
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
    /// Takes back the `Some` that was begun last, if nothing has been written since and the sink supports it. Returns
    /// whether it did.
    fn take_some_back(&mut self) -> bool;
    /// Ends the group that was begun last.
    fn end(&mut self) -> Written;
}
