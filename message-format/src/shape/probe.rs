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

use super::value::{Content, Field, Plain, Value, Variant};
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
#[derive(Clone, Debug)]
enum Sample {
    Question,
    Bool,
    Natural(u64),
    Float,
    Char,
    Str(&'static str),
    Bytes,
    Unit,
    /// `None`.
    Nil,
    /// A variant without content, or a struct without fields.
    Word(&'static str),
    Named(&'static str, Box<Sample>),
    Seq(Vec<Sample>),
    Tuple(Vec<Sample>),
    Fields(Vec<(&'static str, Sample)>),
    Map(Vec<(Sample, Sample)>),
}

/// A step from a value into one that it contains.
#[derive(Clone, Debug)]
enum Step {
    /// The one value in parentheses.
    Inside,
    Some,
    Item,
    /// The value after these.
    After(Vec<Sample>),
    Key,
    /// The value of this key.
    Of(Sample),
    Field(&'static str),
    Variant(&'static str),
}

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
    path: Vec<Step>,
    around: Vec<Around>,
    left: u32,
    left_tokens: Cell<usize>,
}

impl Sample {
    /// Returns the number of tokens.
    fn size(&self) -> usize {
        let all = |samples: &[Self]| samples.iter().map(Self::size).sum();
        let inner: usize = match self {
            Self::Named(_, inner) => inner.size(),
            Self::Seq(samples) | Self::Tuple(samples) => all(samples),
            Self::Fields(fields) => fields.iter().map(|(_, it)| it.size() + 1).sum(),
            Self::Map(entries) => entries.iter().map(|(a, b)| a.size() + b.size()).sum(),
            _ => 0,
        };
        inner + 1
    }
}

impl<'r> Probe<'r> {
    pub(super) fn new(read: &'r Read<'r>) -> Self {
        Self {
            read,
            path: Vec::new(),
            around: Vec::new(),
            left: MOST,
            left_tokens: Cell::new(MOST_TOKENS),
        }
    }

    /// Returns what the type reads.
    pub(super) fn root(mut self) -> Value {
        self.value().0
    }

    /// Returns the fields of the type, if it is a struct with fields.
    pub(super) fn fields(&self) -> &'static [&'static str] {
        match self.ask(&Sample::Question).wanted {
            Some(Wanted::Struct(_, fields)) => fields,
            _ => &[],
        }
    }

    /// Lets the type read a tape with this sample at the end of the path.
    fn ask(&self, sample: &Sample) -> Answer {
        let mut tape = Tape::default();
        tape.clear(Form::Asking);
        let mut at = 0..0;
        let written = around(&mut tape, &self.path, &mut |tape| {
            at.start = tape.tokens.len();
            let written = write(tape, sample);
            at.end = tape.tokens.len();
            written
        });
        if let Err(error) = written {
            return Answer {
                wanted: None,
                error: Some(error),
                at,
            };
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

    /// Runs a function one step further down the path.
    fn below<T>(&mut self, step: Step, act: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let value = act(self);
        self.path.pop();
        value
    }

    /// Returns the first of the samples that the type accepts here.
    fn taken(&self, samples: impl IntoIterator<Item = Sample>) -> Option<Sample> {
        samples
            .into_iter()
            .find(|sample| self.ask(sample).own_error().is_none())
    }

    /// Returns `true` if the limit of questions is reached.
    fn is_exhausted(&self) -> bool {
        self.left == 0 || self.left_tokens.get() == 0
    }

    fn value(&mut self) -> Found {
        if self.is_exhausted() || self.path.len() >= DEEPEST {
            return (Value::ANY, None);
        }
        self.left -= 1;
        let answer = self.ask(&Sample::Question);
        let Some(wanted) = answer.wanted else {
            return self.unasked(&answer);
        };
        match wanted {
            Wanted::Plain(plain) => self.plain(plain),
            Wanted::Option => {
                let (value, _) = self.below(Step::Some, Self::value);
                let sample = self.taken([Sample::Nil]);
                (Value::Option(Box::new(value)), sample)
            }
            Wanted::UnitStruct(name) => {
                let sample = self.taken([Sample::Unit]);
                (Value::UnitStruct(name.to_owned()), sample)
            }
            Wanted::Newtype(name) => self.within((name, &[]), |probe| {
                let (value, inner) = probe.below(Step::Inside, Self::value);
                let sample = inner.and_then(|inner| probe.taken([Sample::Tuple(vec![inner])]));
                (Value::Newtype(name.to_owned(), Box::new(value)), sample)
            }),
            Wanted::Seq => {
                let (value, inner) = self.below(Step::Item, Self::value);
                let one = inner.map(|inner| Sample::Seq(vec![inner]));
                let sample = self.taken(std::iter::once(Sample::Seq(Vec::new())).chain(one));
                (Value::Seq(Box::new(value)), sample)
            }
            Wanted::Tuple(len) if len > LONGEST_TUPLE => self.array(len),
            Wanted::Tuple(len) => {
                let (values, sample) = self.values(len);
                (Value::tuple(values), sample)
            }
            Wanted::TupleStruct(name, len) => self.within((name, &[]), |probe| {
                let (values, sample) = probe.values(len);
                (Value::TupleStruct(name.to_owned(), values), sample)
            }),
            Wanted::Map => self.map(),
            Wanted::Struct(name, fields) => self.within((name, fields), |probe| {
                let (fields, sample) = probe.all_fields(fields);
                (Value::Struct(name.to_owned(), fields), sample)
            }),
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

    fn plain(&self, plain: Plain) -> Found {
        let samples = match plain {
            Plain::Bool => vec![Sample::Bool],
            Plain::F32 | Plain::F64 => vec![Sample::Float],
            Plain::Char => vec![Sample::Char],
            Plain::Str => vec![Sample::Str(""), Sample::Str("a"), Sample::Str("1")],
            Plain::Bytes => vec![Sample::Bytes],
            Plain::Unit => vec![Sample::Unit],
            Plain::Any => vec![
                Sample::Unit,
                Sample::Natural(0),
                Sample::Str(""),
                Sample::Seq(Vec::new()),
                Sample::Map(Vec::new()),
            ],
            _ => vec![Sample::Natural(0), Sample::Natural(1)],
        };
        (Value::Plain(plain), self.taken(samples))
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
        let (value, sample) = self.below(Step::After(Vec::new()), Self::value);
        let sample = sample.filter(|sample| sample.size().saturating_mul(len) <= LARGEST_SAMPLE);
        let sample = sample.and_then(|sample| self.taken([Sample::Tuple(vec![sample; len])]));
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
            let step = Step::After(before.clone());
            let (value, sample) = self.below(step, Self::value);
            values.push(value);
            match sample {
                Some(sample) => before.push(sample),
                None => samples = None,
            }
        }
        let sample = samples.and_then(|samples| self.taken([Sample::Tuple(samples)]));
        (values, sample)
    }

    fn map(&mut self) -> Found {
        let answer = self.below(Step::Key, |probe| probe.ask(&Sample::Question));
        if answer.wanted == Some(Wanted::Identifier) {
            // A struct that is read as a map does not name its fields.
            return (Value::ANY, None);
        }
        let (key, of) = self.below(Step::Key, Self::value);
        let (value, inner) = match of.clone() {
            Some(of) => self.below(Step::Of(of), Self::value),
            None => (Value::ANY, None),
        };
        let one = of.zip(inner).map(|entry| Sample::Map(vec![entry]));
        let sample = self.taken(std::iter::once(Sample::Map(Vec::new())).chain(one));
        (Value::Map(Box::new((key, value))), sample)
    }

    /// Determines the fields of a struct or of a variant.
    fn all_fields(&mut self, names: &'static [&'static str]) -> (Vec<Field>, Option<Sample>) {
        let mut fields: Vec<Field> = Vec::new();
        let mut samples = Vec::new();
        for &name in names {
            let (value, sample) = self.below(Step::Field(name), Self::value);
            // If a field is given twice, the error contains the name of the field, not that of an alias.
            let own = sample.clone().and_then(|sample| {
                let twice = Sample::Fields(vec![(name, sample.clone()), (name, sample)]);
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
        let mut given: Vec<(&'static str, Sample)> = Vec::new();
        loop {
            let sample = Sample::Fields(given.clone());
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
            given.push((name, sample.clone()?));
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
            let (content, inner) = self.below(Step::Variant(name), Self::content);
            if sample.is_none() {
                sample = match (&content, inner) {
                    (Content::Nothing, _) => self.taken([Sample::Word(name)]),
                    (_, inner) => {
                        inner.and_then(|inner| self.taken([Sample::Named(name, Box::new(inner))]))
                    }
                };
                if let Some(around) = self.around.last_mut() {
                    around.sample.clone_from(&sample);
                }
            }
            variants.push(Variant {
                name: name.to_owned(),
                content,
            });
        }
        if variants.len() < names.len() {
            return (Value::ANY, sample);
        }
        (Value::Enum(name.to_owned(), variants), sample)
    }

    /// Determines the content of a variant.
    fn content(&mut self) -> (Content, Option<Sample>) {
        match self.ask(&Sample::Question).wanted {
            Some(Wanted::Nothing) => (Content::Nothing, None),
            Some(Wanted::Inside) => {
                let (value, inner) = self.below(Step::Inside, Self::value);
                let sample = inner.map(|inner| Sample::Tuple(vec![inner]));
                (Content::One(value), sample)
            }
            Some(Wanted::Values(len)) => {
                let (values, sample) = self.values(len);
                (Content::Values(values), sample)
            }
            Some(Wanted::Fields(names)) => {
                let (fields, sample) = self.all_fields(names);
                (Content::Fields(fields), sample)
            }
            _ => (Content::One(Value::ANY), None),
        }
    }
}

type Written = Result<(), DataError>;

/// Writes the values on a path, with `inner` at its end.
fn around(tape: &mut Tape, path: &[Step], inner: &mut dyn FnMut(&mut Tape) -> Written) -> Written {
    let Some((step, path)) = path.split_first() else {
        return inner(tape);
    };
    let mut rest = |tape: &mut Tape| around(tape, path, inner);
    match step {
        Step::Inside => contain(tape, Kind::Tuple, 1, rest),
        Step::Some => {
            word(tape, Kind::Some, "Some")?;
            contain(tape, Kind::Tuple, 1, rest)
        }
        Step::Item => contain(tape, Kind::Seq, 1, rest),
        Step::After(before) => contain(tape, Kind::Tuple, before.len() + 1, |tape| {
            before.iter().try_for_each(|sample| write(tape, sample))?;
            rest(tape)
        }),
        Step::Key => contain(tape, Kind::Map, 1, |tape| {
            rest(tape)?;
            write(tape, &Sample::Unit)
        }),
        Step::Of(key) => contain(tape, Kind::Map, 1, |tape| {
            write(tape, key)?;
            rest(tape)
        }),
        Step::Field(name) => contain(tape, Kind::Fields, 1, |tape| {
            word(tape, Kind::Word, name)?;
            rest(tape)
        }),
        Step::Variant(name) => {
            word(tape, Kind::Named, name)?;
            rest(tape)
        }
    }
}

fn write(tape: &mut Tape, sample: &Sample) -> Written {
    let all = |tape: &mut Tape, samples: &[Sample]| {
        samples.iter().try_for_each(|sample| write(tape, sample))
    };
    match sample {
        Sample::Question => plain(tape, Kind::Question, 0),
        Sample::Bool => plain(tape, Kind::Bool, 0),
        Sample::Natural(number) => plain(tape, Kind::Natural, *number),
        Sample::Float => plain(tape, Kind::Float, 0),
        Sample::Char => plain(tape, Kind::Char, u32::from('a').into()),
        Sample::Bytes => tape.push_bytes(&[], place(tape)?),
        Sample::Unit => plain(tape, Kind::Unit, 0),
        Sample::Nil => plain(tape, Kind::Nil, 0),
        Sample::Str(text) => word(tape, Kind::Str, text),
        Sample::Word(text) => word(tape, Kind::Word, text),
        Sample::Named(name, inner) => {
            word(tape, Kind::Named, name)?;
            write(tape, inner)
        }
        Sample::Seq(samples) => contain(tape, Kind::Seq, samples.len(), |tape| all(tape, samples)),
        Sample::Tuple(samples) => {
            contain(tape, Kind::Tuple, samples.len(), |tape| all(tape, samples))
        }
        Sample::Fields(fields) => contain(tape, Kind::Fields, fields.len(), |tape| {
            fields.iter().try_for_each(|(name, sample)| {
                word(tape, Kind::Word, name)?;
                write(tape, sample)
            })
        }),
        Sample::Map(entries) => contain(tape, Kind::Map, entries.len(), |tape| {
            entries.iter().try_for_each(|(key, sample)| {
                write(tape, key)?;
                write(tape, sample)
            })
        }),
    }
}

/// Returns the place of the next token: its number, so that errors tell which value they are about.
fn place(tape: &Tape) -> Result<(u32, u32), DataError> {
    let at = u32::try_from(tape.tokens.len()).map_err(|_| DataError::too_large())?;
    Ok((at, at + 1))
}

fn plain(tape: &mut Tape, kind: Kind, data: u64) -> Written {
    let place = place(tape)?;
    tape.push(kind, data, place);
    Ok(())
}

fn word(tape: &mut Tape, kind: Kind, text: &str) -> Written {
    let place = place(tape)?;
    tape.push_str(kind, text, place)
}

fn contain(
    tape: &mut Tape,
    kind: Kind,
    len: usize,
    fill: impl FnOnce(&mut Tape) -> Written,
) -> Written {
    let (start, end) = place(tape)?;
    let opened = tape.open(kind, start);
    fill(tape)?;
    let len = u32::try_from(len).map_err(|_| DataError::too_large())?;
    tape.close(opened, len, end)
}
