//! Determines what a type reads.
//!
//! The function that reads the type is given a tape with a question in it. It fails there, after the reader has noted
//! what was wanted. The content of a struct, a list or an enum is asked for next, by a tape with the question in that
//! place. Everything that a type reads before it comes to a place (such as the preceding values of a tuple) has to be
//! right. So the probe keeps a sample of each value: one that the type has accepted. A struct names its required
//! fields in its errors, until it is given samples of all of them.
//!
//! A type inside itself is its name the second time. The depth and the number of questions are limited.

use std::cell::Cell;

use super::value::{Content, Field, Named, Plain, Value};
use crate::error::DataError;
use crate::ids::{A_HOOK, A_MESSAGEE, A_SUBSCRIPTION};
use crate::reader::{Reader, Unknown, Wanted};
use crate::tape::{Form, Kind, Tape};

/// The maximum number of values that are asked for.
const MOST: u32 = 4_000;
/// The maximum depth at which they are nested.
const DEEPEST: usize = 32;
/// The maximum number of tokens written for the questions.
const MOST_TOKENS: usize = 1_000_000;
/// The longest tuple. A longer sequence of values is an array, and its first value represents all of them.
const LONGEST_TUPLE: usize = 16;
/// The largest sample of an array, in tokens.
const LARGEST_SAMPLE: usize = 4_096;

/// A value that a type accepts.
type Sample = Tape;

/// The response of a type to a tape.
struct Answer {
    wanted: Option<Wanted>,
    error: Option<DataError>,
    /// The tokens of the value in question.
    at: std::ops::Range<usize>,
}

impl Answer {
    /// Returns the error, if it is about the value in question and not about what is around it.
    fn own_error(&self) -> Option<&DataError> {
        let is_own = |error: &&DataError| error.offset().is_none_or(|at| self.at.contains(&at));
        self.error.as_ref().filter(is_own)
    }
}

/// The value that was determined, and a sample of it.
type Found = (Value, Option<Sample>);

/// A type by its name and its fields or variants.
type Own = (&'static str, &'static [&'static str]);

/// A type around the value that is asked for.
struct Around {
    own: Own,
    /// The sample of an enum, once it is known.
    sample: Option<Sample>,
}

/// Reads a value of the type, and drops it.
pub(super) type Read<'r> = dyn Fn(&mut Reader<'_>) -> Result<(), DataError> + 'r;

pub(super) struct Probe<'r> {
    read: &'r Read<'r>,
    /// Everything in front of the value that is asked for. The containers around it have no end.
    path: Tape,
    /// The number of values around it.
    depth: usize,
    around: Vec<Around>,
    left: u32,
    left_tokens: Cell<usize>,
}

impl<'r> Probe<'r> {
    pub(super) fn new(read: &'r Read<'r>) -> Self {
        let mut path = Tape::default();
        path.clear(Form::Compact);
        Self {
            read,
            path,
            depth: 0,
            around: Vec::new(),
            left: MOST,
            left_tokens: Cell::new(MOST_TOKENS),
        }
    }

    /// Returns what the type reads.
    pub(super) fn root(mut self) -> Value {
        self.value().0
    }

    /// Returns a value that the type accepts.
    pub(super) fn sample(mut self) -> Option<Sample> {
        self.value().1
    }

    /// Returns the fields of the type, if it is a struct with fields.
    pub(super) fn fields(&self) -> &'static [&'static str] {
        match self.question().wanted {
            Some(Wanted::Struct(_, fields)) => fields,
            _ => &[],
        }
    }

    /// Asks the type what it wants at the end of the path.
    fn question(&self) -> Answer {
        self.ask(&plain(Kind::Question, 0))
    }

    /// Lets the type read a tape with this sample at the end of the path.
    fn ask(&self, sample: &Sample) -> Answer {
        let mut tape = self.path.clone();
        let start = tape.tokens.len();
        tape.append(sample, 0).expect(SMALL);
        let at = start..tape.tokens.len();
        for opened in (0..start).rev() {
            let token = tape.tokens[opened];
            if !token.is_container() || token.end_of() > 0 {
                continue;
            }
            if token.kind == Kind::Map && tape.behind(opened + 1) == tape.tokens.len() {
                // Something has to follow the key.
                tape.push(Kind::Unit, 0, (0, 0));
            }
            tape.end(opened, 0).expect(SMALL);
        }
        // The place of a token is its number, so that errors tell which value they are about.
        for (place, token) in (0..).zip(&mut tape.tokens) {
            (token.start, token.end) = (place, place + 1);
        }
        let left = self.left_tokens.get();
        self.left_tokens.set(left.saturating_sub(tape.tokens.len()));
        let mut reader = Reader::new(&tape, 0, Unknown::Noted);
        let error = (self.read)(&mut reader).err();
        Answer {
            wanted: reader.wanted(),
            error,
            at,
        }
    }

    /// Runs a function one step further down the path, with what the step puts in front of the value.
    fn below<T>(&mut self, step: impl FnOnce(&mut Tape), act: impl FnOnce(&mut Self) -> T) -> T {
        let path = self.path.clone();
        step(&mut self.path);
        self.depth += 1;
        let value = act(self);
        self.depth -= 1;
        self.path = path;
        value
    }

    /// Determines the next value of a container that begins with these keys and values.
    fn inside(&mut self, kind: Kind, parts: &[Sample]) -> Found {
        self.below(|path| begin(path, kind, parts), Self::value)
    }

    /// Returns the first of the samples that the type accepts here.
    fn taken(&self, samples: impl IntoIterator<Item = Sample>) -> Option<Sample> {
        let is_taken = |sample: &Sample| self.ask(sample).own_error().is_none();
        samples.into_iter().find(is_taken)
    }

    /// Returns `true` if the limit of questions is reached.
    fn is_exhausted(&self) -> bool {
        self.left == 0 || self.left_tokens.get() == 0
    }

    fn value(&mut self) -> Found {
        if self.is_exhausted() || self.depth >= DEEPEST {
            return (Value::ANY, None);
        }
        self.left -= 1;
        let answer = self.question();
        let Some(wanted) = answer.wanted else {
            return self.unasked(&answer);
        };
        match wanted {
            Wanted::Plain(plain) => self.plain(plain),
            Wanted::Option => {
                let step = |path: &mut Tape| {
                    push_word(path, Kind::Some, "Some");
                    begin(path, Kind::Tuple, &[]);
                };
                let (value, _) = self.below(step, Self::value);
                let sample = self.taken([plain(Kind::Nil, 0)]);
                (Value::Option(Box::new(value)), sample)
            }
            Wanted::UnitStruct(name) | Wanted::Newtype(name) | Wanted::TupleStruct(name, _) => {
                self.named((name, &[]), wanted)
            }
            Wanted::Struct(name, fields) => self.named((name, fields), wanted),
            Wanted::Seq => {
                let (value, inner) = self.inside(Kind::Seq, &[]);
                let one = inner.map(|inner| group(Kind::Seq, &[inner]));
                let sample = self.taken(std::iter::once(group(Kind::Seq, &[])).chain(one));
                (Value::Seq(Box::new(value)), sample)
            }
            Wanted::Tuple(len) if len > LONGEST_TUPLE => self.array(len),
            Wanted::Tuple(len) => {
                let (values, sample) = self.values(len);
                (Value::tuple(values), sample)
            }
            Wanted::Map => self.map(),
            Wanted::Enum(name, variants) => {
                self.within((name, variants), |probe| probe.variants(name, variants))
            }
            Wanted::Identifier
            | Wanted::Nothing
            | Wanted::Inside
            | Wanted::Values(_)
            | Wanted::Fields(_) => (Value::ANY, None),
        }
    }

    /// Determines a value of any form: an id, whose error says what was expected, or one that cannot be determined.
    fn unasked(&self, answer: &Answer) -> Found {
        let what = answer.own_error().map_or("", DataError::what);
        let id = match what.rsplit_once("expected ").map(|(_, expected)| expected) {
            Some(A_MESSAGEE) => Plain::MessageeId,
            Some(A_HOOK) => Plain::HookId,
            Some(A_SUBSCRIPTION) => Plain::SubscriptionId,
            _ => Plain::Any,
        };
        self.plain(id)
    }

    fn plain(&self, form: Plain) -> Found {
        let samples = match form {
            Plain::Bool => vec![plain(Kind::Bool, 0)],
            Plain::F32 | Plain::F64 => vec![plain(Kind::Float, 0)],
            Plain::Char => vec![plain(Kind::Char, u32::from('a').into())],
            Plain::Str => ["", "a", "1"].map(|text| word(Kind::Str, text)).into(),
            Plain::Bytes => vec![plain(Kind::Bytes, 0)],
            Plain::Unit => vec![plain(Kind::Unit, 0)],
            Plain::Any => vec![
                plain(Kind::Unit, 0),
                plain(Kind::Natural, 0),
                word(Kind::Str, ""),
                group(Kind::Seq, &[]),
                group(Kind::Map, &[]),
            ],
            _ => vec![plain(Kind::Natural, 0), plain(Kind::Natural, 1)],
        };
        (Value::Plain(form), self.taken(samples))
    }

    /// Determines a struct.
    fn named(&mut self, own: Own, wanted: Wanted) -> Found {
        self.within(own, |probe| {
            let (content, sample) = probe.content(Some(wanted));
            (Value::Struct(Named(own.0.to_owned(), content)), sample)
        })
    }

    /// Determines a type that may contain itself.
    fn within(&mut self, own: Own, find: impl FnOnce(&mut Self) -> Found) -> Found {
        if let Some(around) = self.around.iter().rfind(|around| around.own == own) {
            return (Value::Again(own.0.to_owned()), around.sample.clone());
        }
        self.around.push(Around { own, sample: None });
        let found = find(self);
        self.around.pop();
        found
    }

    /// Determines an array of `len` values of one type.
    fn array(&mut self, len: usize) -> Found {
        let (value, sample) = self.inside(Kind::Tuple, &[]);
        let sample =
            sample.filter(|sample| sample.tokens.len().saturating_mul(len) <= LARGEST_SAMPLE);
        let sample = sample.and_then(|sample| self.taken([group(Kind::Tuple, &vec![sample; len])]));
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        (Value::Array(Box::new(value), len), sample)
    }

    /// Determines values in a fixed order.
    fn values(&mut self, len: usize) -> (Vec<Value>, Option<Sample>) {
        let mut values = Vec::new();
        let mut samples = Some(Vec::new());
        for _ in 0..len.min(MOST as usize) {
            // Values after one without a sample cannot be reached.
            let Some(before) = &mut samples else {
                values.push(Value::ANY);
                continue;
            };
            let (value, sample) = self.inside(Kind::Tuple, before);
            values.push(value);
            match sample {
                Some(sample) => before.push(sample),
                None => samples = None,
            }
        }
        let sample = samples.and_then(|samples| self.taken([group(Kind::Tuple, &samples)]));
        (values, sample)
    }

    fn map(&mut self) -> Found {
        let answer = self.below(|path| begin(path, Kind::Map, &[]), |probe| probe.question());
        if answer.wanted == Some(Wanted::Identifier) {
            // A struct that is read as a map does not name its fields.
            return (Value::ANY, None);
        }
        let (key, of) = self.inside(Kind::Map, &[]);
        let (value, inner) = match &of {
            Some(of) => self.inside(Kind::Map, std::slice::from_ref(of)),
            None => (Value::ANY, None),
        };
        let one = of
            .zip(inner)
            .map(|(key, value)| group(Kind::Map, &[key, value]));
        let sample = self.taken(std::iter::once(group(Kind::Map, &[])).chain(one));
        (Value::Map(Box::new((key, value))), sample)
    }

    /// Determines the fields of a struct or of a variant.
    fn all_fields(&mut self, names: &'static [&'static str]) -> (Vec<Field>, Option<Sample>) {
        let mut fields: Vec<Field> = Vec::new();
        let mut samples = Vec::new();
        for &name in names {
            let key = word(Kind::Word, name);
            let (value, sample) = self.inside(Kind::Fields, std::slice::from_ref(&key));
            // If a field is given twice, the error contains the name of the field, not that of an alias.
            let own = sample.clone().and_then(|sample| {
                let twice = [key.clone(), sample.clone(), key.clone(), sample];
                let twice = group(Kind::Fields, &twice);
                let answer = self.ask(&twice);
                let what = answer.own_error()?.what();
                let own = what.strip_prefix("duplicate field `")?.strip_suffix('`')?;
                names.iter().find(|it| **it == own)
            });
            let own = *own.unwrap_or(&name);
            let alias = (own != name).then(|| name.to_owned());
            if let Some(field) = fields.iter_mut().find(|it| it.name == own) {
                field.aliases.extend(alias);
                continue;
            }
            fields.push(Field {
                name: own.to_owned(),
                aliases: alias.into_iter().collect(),
                may_be_missing: true,
                value,
            });
            samples.push((own, sample));
        }
        let sample = self.needed_fields(&mut fields, &samples);
        (fields, sample)
    }

    /// Marks the required fields of the struct, and returns a sample of the struct with them.
    fn needed_fields(
        &self,
        fields: &mut [Field],
        samples: &[(&'static str, Option<Sample>)],
    ) -> Option<Sample> {
        let mut given: Vec<Sample> = Vec::new();
        loop {
            let sample = group(Kind::Fields, &given);
            let answer = self.ask(&sample);
            let Some(error) = answer.own_error() else {
                return Some(sample);
            };
            let is_whole = error.offset().is_none_or(|at| at == answer.at.start);
            let missing = error.what().split_once("the field `");
            let missing = missing.and_then(|(_, rest)| rest.strip_suffix("` is missing"));
            let missing = missing.filter(|_| is_whole)?;
            let at = fields.iter().position(|field| field.name == missing)?;
            if !fields[at].may_be_missing {
                return None;
            }
            fields[at].may_be_missing = false;
            let (name, sample) = &samples[at];
            given.extend([word(Kind::Word, name), sample.clone()?]);
        }
    }

    fn variants(&mut self, name: &str, names: &'static [&'static str]) -> Found {
        let mut variants = Vec::new();
        let mut sample = None;
        for &name in names {
            if self.is_exhausted() {
                break;
            }
            self.left -= 1;
            let step = |path: &mut Tape| push_word(path, Kind::Named, name);
            let (content, inner) = self.below(step, |probe| {
                let wanted = probe.question().wanted;
                probe.content(wanted)
            });
            if sample.is_none() {
                sample = inner.and_then(|inner| {
                    let mut sample = word(Kind::Named, name);
                    sample.append(&inner, 0).expect(SMALL);
                    self.taken([sample])
                });
                if let Some(around) = self.around.last_mut() {
                    around.sample.clone_from(&sample);
                }
            }
            variants.push(Named(name.to_owned(), content));
        }
        if variants.len() < names.len() {
            return (Value::ANY, sample);
        }
        (Value::Enum(name.to_owned(), variants), sample)
    }

    /// Determines the content of a struct or a variant.
    fn content(&mut self, wanted: Option<Wanted>) -> (Content, Option<Sample>) {
        match wanted {
            Some(Wanted::Nothing | Wanted::UnitStruct(_)) => {
                (Content::Nothing, self.taken([plain(Kind::Unit, 0)]))
            }
            Some(Wanted::Inside | Wanted::Newtype(_)) => {
                let (value, inner) = self.inside(Kind::Tuple, &[]);
                let sample = inner.and_then(|inner| self.taken([group(Kind::Tuple, &[inner])]));
                (Content::One(Box::new(value)), sample)
            }
            Some(Wanted::Values(len) | Wanted::TupleStruct(_, len)) => {
                let (values, sample) = self.values(len);
                (Content::Values(values), sample)
            }
            Some(Wanted::Fields(names) | Wanted::Struct(_, names)) => {
                let (fields, sample) = self.all_fields(names);
                (Content::Fields(fields), sample)
            }
            _ => (Content::One(Box::new(Value::ANY)), None),
        }
    }
}

/// The limits on questions keep samples small.
pub(super) const SMALL: &str = "the samples of a type have less than 4 GiB";

/// Begins a container with these keys and values.
fn begin(tape: &mut Tape, kind: Kind, parts: &[Sample]) {
    tape.open(kind, 0);
    for part in parts {
        tape.append(part, 0).expect(SMALL);
    }
}

fn push_word(tape: &mut Tape, kind: Kind, text: &str) {
    tape.push_str(kind, text, (0, 0)).expect(SMALL);
}

pub(super) fn group(kind: Kind, parts: &[Sample]) -> Sample {
    let mut tape = Tape::default();
    begin(&mut tape, kind, parts);
    tape.end(0, 0).expect(SMALL);
    tape
}

pub(super) fn word(kind: Kind, text: &str) -> Sample {
    let mut tape = Tape::default();
    push_word(&mut tape, kind, text);
    tape
}

pub(super) fn plain(kind: Kind, data: u64) -> Sample {
    let mut tape = Tape::default();
    tape.push(kind, data, (0, 0));
    tape
}
