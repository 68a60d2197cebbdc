//! Prints a tape as a text for people. A value that fits on one line is printed on one line.

use std::fmt::Write;

use crate::steps::step;
use crate::tape::{Empty, Kind, Tape, Token};
use crate::text::is_word;

/// Characters in a line, if the value can be broken.
const WIDTH: usize = 90;

/// Prints the value whose first token has the index `at`.
///
/// ```
/// use message_format::{tape::Extensions, text};
///
/// let tape = text::read("[1, (2, 3)]", Extensions::NONE)?;
/// assert_eq!(text::print(&tape, 2), "(2, 3)");
/// # Ok::<(), message_format::DataError>(())
/// ```
#[must_use]
pub fn print(tape: &Tape, at: usize) -> String {
    let mut printer = Printer {
        tape,
        text: String::new(),
    };
    printer.value(at, 0, 0);
    printer.text
}

struct Printer<'t> {
    tape: &'t Tape,
    text: String,
}

impl Printer<'_> {
    /// Prints a value after `indent` levels; `after` characters follow on its last line. Returns the index after it.
    fn value(&mut self, at: usize, indent: usize, after: usize) -> usize {
        step(1);
        let token = self.tape.tokens[at];
        if token.is_name() {
            self.name(token);
            return self.wrapped(at + 1, indent, after);
        }
        if token.kind == Kind::Wrapped {
            return self.wrapped(at, indent, after);
        }
        if !token.is_container() {
            self.plain(token);
            return at + 1;
        }
        let (open, close) = ends(token);
        let begin = self.text.len();
        let line = self.text.rfind('\n').map_or(0, |end| end + 1);
        let before = self.text[line..].chars().count();
        if before + after < WIDTH {
            self.text.push(open);
            let fits = self.flat(at, WIDTH - before - after, begin);
            if fits {
                self.text.push(close);
                return token.end_of();
            }
        }
        self.text.truncate(begin);
        self.text.push(open);
        let mut next = at + 1;
        for _ in 0..token.len() {
            self.new_line(indent + 1);
            next = self.key(next, token.kind, indent + 1);
            next = self.value(next, indent + 1, 1);
            self.text.push(',');
        }
        self.new_line(indent);
        self.text.push(close);
        next
    }

    /// Prints the parentheses after a name and their content: one value, unless the parentheses are its own.
    fn wrapped(&mut self, at: usize, indent: usize, after: usize) -> usize {
        let token = self.tape.tokens[at];
        let inner = match token.kind {
            Kind::Wrapped => at + 1,
            _ if token.has_parentheses() => return self.value(at, indent, after),
            _ => at,
        };
        self.text.push('(');
        let behind = self.value(inner, indent, after + 1);
        self.text.push(')');
        behind
    }

    /// Prints the content of a container on one line, as long as there is room for it.
    fn flat(&mut self, at: usize, room: usize, begin: usize) -> bool {
        let token = self.tape.tokens[at];
        let mut next = at + 1;
        for entry in 0..token.len() {
            step(1);
            if entry > 0 {
                self.text.push_str(", ");
            }
            next = self.key(next, token.kind, 0);
            let inner = self.tape.tokens[next];
            let nested = inner.is_container() || inner.is_name();
            if nested {
                next = self.flat_value(next, room, begin);
            } else {
                self.plain(self.tape.tokens[next]);
                next += 1;
            }
            if self.text.len() - begin > 4 * room || self.text[begin..].chars().count() >= room {
                return false;
            }
        }
        if token.kind == Kind::Tuple && token.len() == 1 {
            // Without it the parentheses would be those of a newtype.
            self.text.push(',');
        }
        true
    }

    fn flat_value(&mut self, at: usize, room: usize, begin: usize) -> usize {
        let token = self.tape.tokens[at];
        let behind = self.tape.behind(at);
        if token.is_name() {
            self.name(token);
            let has_own = self.tape.tokens[at + 1].has_parentheses();
            self.text.push_str(if has_own { "" } else { "(" });
            self.flat_value(at + 1, room, begin);
            self.text.push_str(if has_own { "" } else { ")" });
        } else if token.is_container() {
            let (open, close) = ends(token);
            self.text.push(open);
            // If it does not fit, the whole line is given up.
            self.flat(at, room, begin);
            self.text.push(close);
        } else {
            self.plain(token);
        }
        behind
    }

    /// Prints the key of an entry, if its container has keys.
    fn key(&mut self, at: usize, container: Kind, indent: usize) -> usize {
        match container {
            Kind::Fields => {
                self.word(self.tape.tokens[at]);
                self.text.push_str(": ");
                at + 1
            }
            Kind::Map => {
                let behind = self.value(at, indent, 2);
                self.text.push_str(": ");
                behind
            }
            _ => at,
        }
    }

    fn new_line(&mut self, indent: usize) {
        self.text.push('\n');
        for _ in 0..indent {
            self.text.push_str("    ");
        }
    }

    /// Prints the name in front of parentheses.
    fn name(&mut self, token: Token) {
        match token.kind {
            Kind::Some => self.text.push_str("Some"),
            // Its fields say what it is.
            Kind::Range => {}
            _ => self.word(token),
        }
    }

    fn word(&mut self, token: Token) {
        let word = self.tape.str(token);
        if !is_word(word) {
            self.text.push_str("r#");
        }
        self.text.push_str(word);
    }

    /// Prints a value that contains no others.
    fn plain(&mut self, token: Token) {
        let tape = self.tape;
        let text = &mut self.text;
        // Writing to a string does not fail.
        let _ = match token.kind {
            Kind::Unit => text.write_str(match Empty::of(token) {
                Empty::Unit => "()",
                Empty::Fields => "( )",
                Empty::Tuple => "(/**/)",
            }),
            Kind::Bool => write!(text, "{}", token.data != 0),
            Kind::Negative => write!(text, "{}", token.data.cast_signed()),
            Kind::Natural => write!(text, "{}", token.data),
            Kind::WideNegative => write!(text, "{}", tape.wide(token).cast_signed()),
            Kind::WideNatural => write!(text, "{}", tape.wide(token)),
            Kind::Float => {
                let number = f64::from_bits(token.data);
                let form = (number.is_nan(), number.is_sign_negative());
                write_number(text, form, number)
            }
            Kind::Single => {
                let number = token.single();
                let form = (number.is_nan(), number.is_sign_negative());
                write_number(text, form, number)
            }
            Kind::Char => write!(text, "'{}'", token.character().escape_debug()),
            Kind::Str => write!(text, "\"{}\"", Escaped(tape.str(token))),
            Kind::Bytes => {
                text.push_str("b\"");
                for &byte in tape.bytes(token) {
                    match byte {
                        b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
                        b' '..=b'~' => text.push(char::from(byte)),
                        _ => {
                            let _ = write!(text, "\\x{byte:02x}");
                        }
                    }
                }
                text.push('"');
                Ok(())
            }
            Kind::Nil => {
                for _ in 0..token.data {
                    text.push_str("Some(");
                }
                text.push_str("None");
                for _ in 0..token.data {
                    text.push(')');
                }
                Ok(())
            }
            Kind::Word => {
                self.word(token);
                Ok(())
            }
            Kind::Named
            | Kind::Some
            | Kind::Range
            | Kind::Seq
            | Kind::Tuple
            | Kind::Wrapped
            | Kind::Fields
            | Kind::Map
            | Kind::Question
            | Kind::End => Ok(()),
        };
    }
}

/// Returns the characters that open and close a container.
fn ends(token: Token) -> (char, char) {
    match token.kind {
        Kind::Seq => ('[', ']'),
        Kind::Map => ('{', '}'),
        _ => ('(', ')'),
    }
}

/// The characters of a string, as they are written between quotation marks.
struct Escaped<'s>(&'s str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for character in self.0.chars() {
            match character {
                '"' => f.write_str("\\\"")?,
                '\'' => f.write_char('\'')?,
                other => write!(f, "{}", other.escape_debug())?,
            }
        }
        Ok(())
    }
}

/// Writes a number so that it can be read again. Only the sign of a NaN is kept.
fn write_number(
    text: &mut String,
    (is_nan, is_negative): (bool, bool),
    number: impl std::fmt::Debug,
) -> std::fmt::Result {
    match (is_nan, is_negative) {
        (true, true) => text.write_str("-NaN"),
        (true, false) => text.write_str("NaN"),
        (false, _) => write!(text, "{number:?}"),
    }
}
