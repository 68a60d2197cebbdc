//! Conditions on fields of received messages.

use std::cmp::Ordering;
use std::fmt;

use message_format::tape::{Kind, Tape, Token};
use message_format::{DataError, TextOptions, text};
use serde::{Deserialize, Serialize};

/// A condition on a field of the message that a wire receives. Its value is a text as in a world file.
///
/// ```
/// use message_data::WireTest;
///
/// assert_eq!(WireTest::is("Fire").to_string(), "Is(Fire)");
/// assert_eq!(WireTest::at_least("10").to_string(), "AtLeast(10)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireTest {
    pub(crate) op: Op,
    pub(crate) value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Op {
    Is,
    Not,
    AtLeast,
    AtMost,
}

/// The names of the conditions in files.
pub(crate) const TESTS: [(&str, Op); 4] = [
    ("Is", Op::Is),
    ("Not", Op::Not),
    ("AtLeast", Op::AtLeast),
    ("AtMost", Op::AtMost),
];

impl WireTest {
    fn new(op: Op, value: impl Into<String>) -> Self {
        let value = value.into();
        Self { op, value }
    }

    /// Holds if the field has this value.
    ///
    /// ```
    /// assert_eq!(message_data::WireTest::is("\"north\"").to_string(), "Is(\"north\")");
    /// ```
    #[must_use]
    pub fn is(value: impl Into<String>) -> Self {
        Self::new(Op::Is, value)
    }

    /// Holds if the field has another value.
    ///
    /// ```
    /// assert_eq!(message_data::WireTest::not("None").to_string(), "Not(None)");
    /// ```
    #[must_use]
    pub fn not(value: impl Into<String>) -> Self {
        Self::new(Op::Not, value)
    }

    /// Holds if the field is a number that is not less than this one.
    ///
    /// ```
    /// assert_eq!(message_data::WireTest::at_least("2.5").to_string(), "AtLeast(2.5)");
    /// ```
    #[must_use]
    pub fn at_least(number: impl Into<String>) -> Self {
        Self::new(Op::AtLeast, number)
    }

    /// Holds if the field is a number that is not greater than this one.
    ///
    /// ```
    /// assert_eq!(message_data::WireTest::at_most("-1").to_string(), "AtMost(-1)");
    /// ```
    #[must_use]
    pub fn at_most(number: impl Into<String>) -> Self {
        Self::new(Op::AtMost, number)
    }

    /// Reads the value.
    pub(super) fn value(&self) -> Result<Tape, DataError> {
        let read = text::read(&self.value, TextOptions::new());
        read.map_err(|error| error.in_text(&self.value))
    }

    /// Returns `true` if the condition compares numbers.
    pub(super) fn is_of_numbers(&self) -> bool {
        matches!(self.op, Op::AtLeast | Op::AtMost)
    }

    /// Returns `true` if the value that begins at `at` of a tape satisfies the condition.
    pub(super) fn holds(&self, tape: &Tape, at: usize) -> bool {
        let Ok(value) = self.value() else {
            return false;
        };
        let order = || compare_numbers((tape, at), (&value, 0));
        match self.op {
            Op::Is => is_equal(tape, at, &value),
            Op::Not => !is_equal(tape, at, &value),
            Op::AtLeast => order().is_some_and(Ordering::is_ge),
            Op::AtMost => order().is_some_and(Ordering::is_le),
        }
    }
}

/// Formats the condition as in a world file.
impl fmt::Display for WireTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = TESTS.iter().find(|(_, op)| *op == self.op);
        let (name, _) = name.expect("each condition has a name");
        write!(f, "{name}({})", self.value)
    }
}

/// Returns the number at a token, rounded as an `f64`.
#[allow(clippy::cast_precision_loss, reason = "as said")]
pub(super) fn number(tape: &Tape, token: Token) -> Option<f64> {
    match token.kind {
        Kind::Natural => Some(token.data as f64),
        Kind::Negative => Some(token.data.cast_signed() as f64),
        Kind::WideNatural => Some(tape.wide(token) as f64),
        Kind::WideNegative => Some(tape.wide(token).cast_signed() as f64),
        Kind::Float => Some(f64::from_bits(token.data)),
        Kind::Single => Some(f32::from_bits(u32::try_from(token.data).ok()?).into()),
        _ => None,
    }
}

/// Returns the integer at a token: `true` if it is not negative, and its bits, which are ordered like the number.
fn integer(tape: &Tape, token: Token) -> Option<(bool, u128)> {
    match token.kind {
        Kind::Natural => Some((true, token.data.into())),
        Kind::Negative => Some((false, i128::from(token.data.cast_signed()).cast_unsigned())),
        Kind::WideNatural => Some((true, tape.wide(token))),
        Kind::WideNegative => Some((false, tape.wide(token))),
        _ => None,
    }
}

/// Compares a number of a written value with one that was read from a text, as the field's type would read it.
#[allow(clippy::cast_possible_truncation, reason = "as said")]
fn compare_numbers((tape, own): (&Tape, usize), (text, other): (&Tape, usize)) -> Option<Ordering> {
    let (one, another) = (tape.tokens[own], text.tokens[other]);
    if let Some((field, value)) = integer(tape, one).zip(integer(text, another)) {
        return Some(field.cmp(&value));
    }
    let (field, value) = number(tape, one).zip(number(text, another))?;
    if one.kind == Kind::Single {
        return (field as f32).partial_cmp(&(value as f32));
    }
    field.partial_cmp(&value)
}

/// Compares a written value with one that was read from a text, where the name of a struct may be given, and numbers
/// have another form.
fn is_equal(tape: &Tape, at: usize, text: &Tape) -> bool {
    let (end, mut own, mut other) = (tape.behind(at), at, 0);
    while own < end && other < text.tokens.len() {
        if text.tokens[other].is_name() && !tape.tokens[own].is_name() {
            other += 1;
        }
        if !is_equal_token(tape, own, text, other) {
            return false;
        }
        (own, other) = (own + 1, other + 1);
    }
    own == end && other == text.tokens.len()
}

/// Compares two tokens. If they begin containers, what these hold is not compared.
fn is_equal_token(tape: &Tape, own: usize, text: &Tape, other: usize) -> bool {
    if let Some(order) = compare_numbers((tape, own), (text, other)) {
        return order.is_eq();
    }
    if tape.tokens[own].holds_one() {
        return text.tokens[other].holds_one();
    }
    tape.compare(own..own + 1, text, other..other + 1).is_eq()
}
