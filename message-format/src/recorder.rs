//! A sink that writes onto a tape, as a text of the same value would be read.

use crate::error::DataError;
use crate::sink::{Group, Sink, Written};
use crate::tape::{Empty, Form, Kind, MAX_DEPTH, Tape};
use crate::text::is_name;
use crate::unordered::{Marks, Sorted};

/// A sink that appends what is written to a tape.
///
/// ```
/// use message_format::{Recorder, Writer, text};
/// use serde::Serialize;
///
/// let mut recorder = Recorder::new();
/// Some(8).serialize(&mut Writer::new(&mut recorder))?;
/// assert_eq!(text::print(&recorder.tape, 0), "Some(8)");
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Debug)]
pub struct Recorder {
    /// The tape with the value.
    pub tape: Tape,
    /// `true` if the value is a struct, which may have its name in front of its parentheses.
    pub is_struct: bool,
    is_gone: fn() -> bool,
    open: Vec<Open>,
    marks: Marks,
}

/// A group that has not ended.
#[derive(Debug)]
struct Open {
    /// Its container's index.
    at: usize,
    /// The number of entries so far; for a map, of keys and values.
    parts: u32,
    /// The number of marks of other groups before its own.
    marks: usize,
    kind: Kind,
    /// The map around it, with the name of a variant that is no word.
    around: Option<usize>,
}

/// Nothing on the tape comes from a source.
const NOWHERE: (u32, u32) = (0, 0);

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

impl Recorder {
    /// Creates a recorder with an empty tape.
    ///
    /// ```
    /// use message_format::Recorder;
    ///
    /// assert!(Recorder::new().tape.tokens.is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::without_gone(|| false)
    }

    /// Creates a recorder that writes `None` instead of `Some` around something that is gone.
    ///
    /// When the content of a `Some` cannot be written, it calls the function. If this returns `true`, and nothing was
    /// written yet, the error is dropped and `None` is written.
    ///
    /// ```
    /// use message_format::{Recorder, Writer, text};
    /// use serde::ser::{Error, Serialize, Serializer};
    ///
    /// struct Gone;
    ///
    /// impl Serialize for Gone {
    ///     fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
    ///         Err(S::Error::custom("it is gone"))
    ///     }
    /// }
    ///
    /// let mut recorder = Recorder::without_gone(|| true);
    /// [Some(Gone), None].serialize(&mut Writer::new(&mut recorder))?;
    /// assert_eq!(text::print(&recorder.tape, 0), "(None, None)");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn without_gone(is_gone: fn() -> bool) -> Self {
        let mut tape = Tape::default();
        tape.clear(Form::Text);
        Self {
            tape,
            is_struct: false,
            is_gone,
            open: Vec::new(),
            marks: Marks::default(),
        }
    }

    /// Appends a value of another tape.
    ///
    /// # Errors
    ///
    /// Returns an error if the tape is larger than 4 GiB.
    ///
    /// ```
    /// use message_format::{Group, Recorder, Sink, tape::Extensions, text};
    ///
    /// let eight = text::read("8", Extensions::NONE)?;
    /// let mut recorder = Recorder::new();
    /// recorder.begin(Group::Seq, None)?;
    /// recorder.value(&eight, 0)?;
    /// recorder.end()?;
    /// assert_eq!(text::print(&recorder.tape, 0), "[8]");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn value(&mut self, tape: &Tape, at: usize) -> Written {
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
        self.plain(Kind::Nil, 0);
        Ok(())
    }

    fn unit_struct(&mut self, _: &'static str) -> Written {
        self.is_struct |= self.tape.tokens.is_empty();
        self.unit()
    }

    fn unit_variant(&mut self, name: &'static str) -> Written {
        self.text(if is_name(name) { Kind::Word } else { Kind::Str }, name)
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
            Group::Some | Group::Newtype(_) => (None, Kind::Wrapped),
            Group::Seq => (None, Kind::Seq),
            Group::Tuple | Group::TupleStruct(_) => (None, Kind::Tuple),
            Group::Map => (None, Kind::Map),
            Group::Struct(_) => (None, Kind::Fields),
            Group::NewtypeVariant(name) => (Some(name), Kind::Wrapped),
            Group::TupleVariant(name) => (Some(name), Kind::Tuple),
            Group::StructVariant(name) => (Some(name), Kind::Fields),
        };
        let mut around = None;
        match name {
            Some(name) if is_name(name) => self.tape.push_str(Kind::Named, name, NOWHERE)?,
            Some(name) => {
                around = Some(self.tape.open(Kind::Map, 0));
                self.tape.push_str(Kind::Str, name, NOWHERE)?;
            }
            None if group == Group::Some => self.tape.push_str(Kind::Some, "Some", NOWHERE)?,
            None => {}
        }
        // In a map, the one value of a variant needs no parentheses.
        let (at, parts, kind) = match around.take_if(|_| kind == Kind::Wrapped) {
            Some(map) => (map, 1, Kind::Map),
            None => (self.tape.open(kind, 0), 0, kind),
        };
        self.open.push(Open {
            at,
            parts,
            marks: self.marks.len(),
            kind,
            around,
        });
        Ok(())
    }

    fn take_some_back(&mut self) -> bool {
        if !(self.is_gone)() {
            return false;
        }
        let begun = self.tape.tokens.len();
        let is_empty = |open: &&Open| open.at + 1 == begun;
        let Some(at) = self.open.last().filter(is_empty).map(|open| open.at) else {
            return false;
        };
        self.open.pop();
        // Its name is before its parentheses.
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
        let is_map = match self.open.last_mut() {
            Some(open) if open.kind == Kind::Fields && !is_name(name) => {
                open.kind = Kind::Map;
                // For a map, keys count as well.
                open.parts *= 2;
                let at = open.at;
                self.keys_to_strings(at);
                true
            }
            open => open.is_some_and(|open| open.kind == Kind::Map),
        };
        if is_map {
            return self.text(Kind::Str, name);
        }
        self.tape.push_str(Kind::Word, name, NOWHERE)
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
        let empty = match open.kind {
            Kind::Tuple => Empty::Tuple,
            _ => Empty::Fields,
        };
        if len == 0 && matches!(open.kind, Kind::Tuple | Kind::Fields) {
            let token = &mut self.tape.tokens[open.at];
            (token.kind, token.data) = (Kind::Unit, empty as u64);
        } else {
            self.tape.close(open.at, len, 0)?;
        }
        match open.around {
            Some(map) => self.tape.close(map, 1, 0),
            None => Ok(()),
        }
    }
}

impl Recorder {
    /// Converts the fields so far to a map, because one of their names is not a word.
    fn keys_to_strings(&mut self, at: usize) {
        self.tape.tokens[at].kind = Kind::Map;
        let mut key = at + 1;
        while key < self.tape.tokens.len() {
            self.tape.tokens[key].kind = Kind::Str;
            key = self.tape.behind(key + 1);
        }
    }
}
