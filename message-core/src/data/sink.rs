//! Where a value is written to.
//!
//! The [writer](super::writer) calls one method for each part of a value, on a `dyn` sink: so each type
//! is compiled against one writer, whatever the form is.

use crate::data::error::DataError;

/// What is begun, and ended again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group<'n> {
    /// `Some`, with one value.
    Some,
    Seq,
    Tuple,
    /// Entries of a key and a value in turns.
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
    /// Returns `true` if people read what is written.
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
    /// A struct without fields.
    fn unit_struct(&mut self, name: &'static str) -> Written;
    /// A variant without fields.
    fn unit_variant(&mut self, name: &'static str) -> Written;
    /// Begins a group of so many entries, if that is known.
    fn begin(&mut self, group: Group<'_>, len: Option<usize>) -> Written;
    /// The name of the field whose value comes next.
    fn field(&mut self, name: &'static str) -> Written;
    /// Marks that a part of a group without order comes next: a key or a value of a map, or an element. The
    /// group is written sorted when it [ends](Self::end).
    fn unordered(&mut self);
    /// Takes back a `Some` that was begun last, if nothing was written since and the sink can. Returns
    /// whether it did.
    fn take_some_back(&mut self) -> bool;
    /// Ends the group that was begun last.
    fn end(&mut self) -> Written;
}
