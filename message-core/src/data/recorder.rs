//! A sink that writes onto a tape, as a text of the same value would be read.

use crate::data::error::DataError;
use crate::data::sink::{Group, Sink, Written};
use crate::data::tape::{Form, Kind, MAX_DEPTH, Tape};
use crate::data::text::checked_word;
use crate::data::unordered::{Marks, Sorted};

/// Puts what is written at the end of a tape.
pub(crate) struct Recorder {
    pub(crate) tape: Tape,
    /// The value is written as a struct, behind its name.
    pub(crate) is_struct: bool,
    open: Vec<Open>,
    marks: Marks,
}

/// A group that has not ended.
struct Open {
    /// Its container's index; of `Some` and newtypes that of a tuple with one value.
    at: usize,
    /// Entries so far; of a map keys and values.
    parts: u32,
    /// How many marks of other groups come before its own.
    marks: usize,
    kind: Kind,
}

/// Nothing on the tape comes from a source.
const NOWHERE: (u32, u32) = (0, 0);

impl Recorder {
    pub(crate) fn new() -> Self {
        let mut tape = Tape::default();
        tape.clear(Form::Text);
        Self {
            tape,
            is_struct: false,
            open: Vec::new(),
            marks: Marks::default(),
        }
    }

    /// Appends a value of another tape.
    pub(crate) fn value(&mut self, tape: &Tape, at: usize) -> Written {
        self.count();
        self.tape.append(tape, at)
    }

    /// Sorts the entries of a map or a set by their keys.
    fn sort(&mut self, open: &Open) {
        let (tape, is_map) = (&mut self.tape, open.kind == Kind::Map);
        let end = tape.tokens.len();
        let compare = |one, other| tape.compare(one, tape, other);
        let sorted = self.marks.sort(open.marks, end, is_map, compare);
        if let Some(Sorted { begin, entries }) = sorted {
            tape.reorder(begin, &entries);
        }
    }

    fn count(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.parts += 1;
        }
    }

    fn plain(&mut self, kind: Kind, data: u64) {
        self.count();
        self.tape.push(kind, data, NOWHERE);
    }

    fn text(&mut self, kind: Kind, text: &str) -> Written {
        self.count();
        self.tape.push_str(kind, text, NOWHERE)
    }
}

impl Sink for Recorder {
    fn is_text(&self) -> bool {
        true
    }

    fn unit(&mut self) -> Written {
        self.plain(Kind::Unit, 0);
        Ok(())
    }

    fn bool(&mut self, value: bool) -> Written {
        self.plain(Kind::Bool, value.into());
        Ok(())
    }

    fn signed(&mut self, number: i128) -> Written {
        self.count();
        self.tape.push_signed(number, NOWHERE);
        Ok(())
    }

    fn unsigned(&mut self, number: u128) -> Written {
        self.count();
        self.tape.push_unsigned(number, NOWHERE);
        Ok(())
    }

    fn float(&mut self, number: f64) -> Written {
        self.plain(Kind::Float, number.to_bits());
        Ok(())
    }

    fn single(&mut self, number: f32) -> Written {
        self.plain(Kind::Single, number.to_bits().into());
        Ok(())
    }

    fn char(&mut self, character: char) -> Written {
        self.plain(Kind::Char, u32::from(character).into());
        Ok(())
    }

    fn str(&mut self, text: &str) -> Written {
        self.text(Kind::Str, text)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Written {
        self.count();
        self.tape.push_bytes(bytes, NOWHERE)
    }

    fn none(&mut self) -> Written {
        self.text(Kind::Word, "None")
    }

    fn unit_struct(&mut self, name: &'static str) -> Written {
        self.is_struct |= self.tape.tokens.is_empty();
        self.text(Kind::Word, checked_word(name)?)
    }

    fn unit_variant(&mut self, name: &'static str) -> Written {
        self.text(Kind::Word, checked_word(name)?)
    }

    fn begin(&mut self, group: Group<'_>, _: Option<usize>) -> Written {
        if self.open.len() >= MAX_DEPTH as usize {
            return Err(DataError::too_deep());
        }
        self.count();
        let is_struct = matches!(
            group,
            Group::Newtype(_) | Group::TupleStruct(_) | Group::Struct(_)
        );
        self.is_struct |= is_struct && self.tape.tokens.is_empty();
        let (name, kind) = match group {
            Group::Some => (Some("Some"), Kind::Tuple),
            Group::Seq => (None, Kind::Seq),
            Group::Tuple => (None, Kind::Tuple),
            Group::Map => (None, Kind::Map),
            Group::Newtype(name)
            | Group::TupleStruct(name)
            | Group::NewtypeVariant(name)
            | Group::TupleVariant(name) => (Some(name), Kind::Tuple),
            Group::Struct(name) | Group::StructVariant(name) => (Some(name), Kind::Fields),
        };
        if let Some(name) = name {
            self.tape
                .push_str(Kind::Named, checked_word(name)?, NOWHERE)?;
        }
        let at = self.tape.open(kind, 0);
        self.open.push(Open {
            at,
            parts: 0,
            marks: self.marks.len(),
            kind,
        });
        Ok(())
    }

    fn take_some_back(&mut self) -> bool {
        let begun = self.tape.tokens.len();
        let is_empty = |open: &&Open| open.at + 1 == begun;
        let Some(at) = self.open.last().filter(is_empty).map(|open| open.at) else {
            return false;
        };
        self.open.pop();
        // Its name stands before its parentheses.
        self.tape.tokens.truncate(at - 1);
        if let Some(around) = self.open.last_mut() {
            around.parts -= 1;
        }
        true
    }

    fn unordered(&mut self) {
        self.marks.add(self.tape.tokens.len());
    }

    fn field(&mut self, name: &'static str) -> Written {
        self.tape.push_str(Kind::Word, checked_word(name)?, NOWHERE)
    }

    fn end(&mut self) -> Written {
        let open = self.open.pop().expect("a group that ends was begun");
        if self.marks.len() > open.marks {
            self.sort(&open);
        }
        let len = match open.kind {
            Kind::Map => open.parts / 2,
            _ => open.parts,
        };
        if len == 0 && matches!(open.kind, Kind::Tuple | Kind::Fields) {
            // As `()` is read.
            self.tape.tokens[open.at].kind = Kind::Unit;
            return Ok(());
        }
        self.tape.close(open.at, len, 0)
    }
}
