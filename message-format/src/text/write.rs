//! Prints a tape as a text for people. A value that fits on one line is printed on one line.

use std::fmt::{self, Debug, Write};
use std::iter::repeat_n;

use crate::steps::step;
use crate::tape::{Empty, Kind, Tape, Token};
use crate::text::{brackets, is_word};

/// Characters in a line, if the value can be broken.
const WIDTH: usize = 90;

/// Prints the value whose first token has the index `at`.
///
/// ```
/// use message_format::{TextOptions, text};
///
/// let tape = text::read("[1, (2, 3)]", TextOptions::new())?;
/// assert_eq!(text::print(&tape, 2), "(2, 3)");
/// # Ok::<(), message_format::DataError>(())
/// ```
#[must_use]
pub fn print(tape: &Tape, at: usize) -> String {
    let mut printer = Printer {
        tape,
        text: String::new(),
        line: None,
    };
    printer.value(at, 0, 0);
    printer.text
}

struct Printer<'t> {
    tape: &'t Tape,
    text: String,
    /// Where the container that is tried on one line begins, and the number of characters that there is room for.
    line: Option<(usize, usize)>,
}

impl Printer<'_> {
    /// Prints a value after `indent` levels; `after` characters follow on its last line. Returns the index after it.
    fn value(&mut self, at: usize, indent: usize, after: usize) -> usize {
        step(1);
        let token = self.tape.tokens[at];
        if token.is_name() {
            match token.kind {
                Kind::Some => self.text.push_str("Some"),
                // Its fields say what it is.
                Kind::Range => {}
                _ => self.word(token),
            }
            return self.wrapped(at + 1, indent, after);
        }
        if token.kind == Kind::Wrapped {
            return self.wrapped(at, indent, after);
        }
        if !token.is_container() {
            self.plain(token);
            return at + 1;
        }
        if self.line.is_some() {
            // If it does not fit, the whole line is given up.
            self.flat(at);
            return token.end_of();
        }
        let begin = self.text.len();
        let line = self.text.rfind('\n').map_or(0, |end| end + 1);
        let before = self.text[line..].chars().count();
        if before + after < WIDTH {
            self.line = Some((begin, WIDTH - before - after));
            let fits = self.flat(at);
            self.line = None;
            if fits {
                return token.end_of();
            }
        }
        self.text.truncate(begin);
        let (open, close) = brackets(token.kind);
        self.text.push_str(open);
        let mut next = at + 1;
        for _ in 0..token.len() {
            self.new_line(indent + 1);
            next = self.key(next, token.kind, indent + 1);
            next = self.value(next, indent + 1, 1);
            self.text.push(',');
        }
        self.new_line(indent);
        self.text.push_str(close);
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

    /// Prints a container on one line, as long as there is room for it. Returns whether there was.
    fn flat(&mut self, at: usize) -> bool {
        let token = self.tape.tokens[at];
        let (open, close) = brackets(token.kind);
        self.text.push_str(open);
        let mut next = at + 1;
        for entry in 0..token.len() {
            if entry > 0 {
                self.text.push_str(", ");
            }
            next = self.key(next, token.kind, 0);
            next = self.value(next, 0, 0);
            if !self.has_room() {
                return false;
            }
        }
        if token.kind == Kind::Tuple && token.len() == 1 {
            // Without it the parentheses would be those of a newtype.
            self.text.push(',');
        }
        self.text.push_str(close);
        true
    }

    fn has_room(&self) -> bool {
        self.line.is_some_and(|(begin, room)| {
            let line = &self.text[begin..];
            line.len() <= 4 * room && line.chars().count() < room
        })
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
        self.text.extend(repeat_n("    ", indent));
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
            Kind::Float => float(text, f64::from_bits(token.data)),
            Kind::Single => float(text, token.single()),
            Kind::Char => write!(text, "'{}'", token.character().escape_debug()),
            Kind::Str => {
                text.push('"');
                for character in tape.str(token).chars() {
                    match character {
                        '\'' => text.push(character),
                        _ => text.extend(character.escape_debug()),
                    }
                }
                text.write_char('"')
            }
            Kind::Bytes => {
                text.push_str("b\"");
                for &byte in tape.bytes(token) {
                    let _ = match byte {
                        b'"' | b'\\' => write!(text, "\\{}", char::from(byte)),
                        b' '..=b'~' => text.write_char(byte.into()),
                        _ => write!(text, "\\x{byte:02x}"),
                    };
                }
                text.write_char('"')
            }
            Kind::Nil => {
                let somes = usize::try_from(token.data).unwrap_or(usize::MAX);
                text.extend(repeat_n("Some(", somes));
                text.push_str("None");
                text.extend(repeat_n(")", somes));
                Ok(())
            }
            Kind::Word => {
                self.word(token);
                Ok(())
            }
            _ => Ok(()),
        };
    }
}

/// Prints a number, with the sign of one that is not a number, so that it can be read again.
fn float(text: &mut String, number: impl Debug + Into<f64> + Copy) -> fmt::Result {
    let value: f64 = number.into();
    if value.is_nan() && value.is_sign_negative() {
        text.push('-');
    }
    write!(text, "{number:?}")
}
