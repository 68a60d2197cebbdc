//! Values such as a program with a shape writes.

use super::probe::{SMALL, group, plain, word};
use super::value::{Content, Field, Named, Plain, Value};
use crate::pack::Pack;
use crate::tape::{Kind, Tape};

/// The maximum number of tokens in the sample of an array.
const LARGEST_ARRAY: usize = 1 << 16;

/// Returns the bytes of some values: in one of them, each enum has its first variant, in the next one the second, and so
/// on; in the last one, options are empty. Returns none if the shape leaves open what a required part is.
pub(super) fn all(root: &Value) -> Vec<Vec<u8>> {
    let (mut sample, mut all) = (Sample::default(), Vec::new());
    loop {
        all.extend(sample.value(root).map(|sample| {
            let mut pack = Pack::default();
            pack.value(&sample, 0).expect(SMALL);
            pack.bytes
        }));
        sample.variant += 1;
        if sample.variant >= sample.variants {
            if sample.is_bare || !sample.has_options {
                return all;
            }
            (sample.is_bare, sample.variant) = (true, 0);
            sample.variants = 0;
        }
    }
}

/// How a sample is made.
#[derive(Default)]
struct Sample {
    /// The variant that each enum has, if it has as many.
    variant: usize,
    /// Whether options are empty.
    is_bare: bool,
    /// The most variants that were met, unless options are empty.
    variants: usize,
    has_options: bool,
}

impl Sample {
    /// Returns a sample in which lists and maps hold a value each, as far as one can be made.
    fn value(&mut self, of: &Value) -> Option<Tape> {
        match of {
            Value::Plain(form) => of_plain(*form),
            Value::Option(inner) => {
                self.has_options = true;
                let inner = if self.is_bare {
                    None
                } else {
                    self.value(inner)
                };
                Some(inner.map_or_else(
                    || plain(Kind::Nil, 0),
                    |inner| behind(word(Kind::Some, "Some"), &group(Kind::Wrapped, &[inner])),
                ))
            }
            Value::Seq(inner) => Some(group(Kind::Seq, self.value(inner).as_slice())),
            Value::Map(entry) => {
                let one = self.value(&entry.0).zip(self.value(&entry.1));
                let one = one.map_or_else(Vec::new, |(key, value)| vec![key, value]);
                Some(group(Kind::Map, &one))
            }
            Value::Array(inner, len) => {
                let (inner, len) = (self.value(inner)?, *len as usize);
                let is_small = inner.tokens.len().saturating_mul(len) <= LARGEST_ARRAY;
                is_small.then(|| group(Kind::Tuple, &vec![inner; len]))
            }
            Value::Tuple(all) => self.values(all),
            Value::Struct(Named(_, Content::Nothing)) => Some(plain(Kind::Unit, 0)),
            Value::Struct(Named(_, inner)) => self.content(inner),
            Value::Enum(_, variants) => {
                if !self.is_bare {
                    self.variants = self.variants.max(variants.len());
                }
                let from = self.variant % variants.len().max(1);
                let (before, behind) = variants.split_at(from);
                behind.iter().chain(before).find_map(|it| self.named(it))
            }
            // The value around it has another way to end.
            Value::Again(_) => None,
        }
    }

    fn values(&mut self, all: &[Value]) -> Option<Tape> {
        let all: Option<Vec<_>> = all.iter().map(|it| self.value(it)).collect();
        Some(group(Kind::Tuple, &all?))
    }

    fn named(&mut self, Named(name, inner): &Named) -> Option<Tape> {
        match inner {
            Content::Nothing => Some(word(Kind::Word, name)),
            inner => Some(behind(word(Kind::Named, name), &self.content(inner)?)),
        }
    }

    fn content(&mut self, of: &Content) -> Option<Tape> {
        match of {
            Content::Nothing => Some(plain(Kind::Unit, 0)),
            Content::One(inner) => Some(group(Kind::Wrapped, &[self.value(inner)?])),
            Content::Values(all) => self.values(all),
            Content::Fields(all) => self.fields(all),
        }
    }

    fn fields(&mut self, all: &[Field]) -> Option<Tape> {
        let mut parts = Vec::new();
        for field in all {
            match self.value(&field.value) {
                Some(value) => parts.extend([word(Kind::Word, &field.name), value]),
                None if field.may_be_missing => {}
                None => return None,
            }
        }
        Some(group(Kind::Fields, &parts))
    }
}

fn of_plain(form: Plain) -> Option<Tape> {
    Some(match form {
        Plain::Any => return None,
        Plain::Bool => plain(Kind::Bool, 0),
        Plain::F32 => plain(Kind::Single, 1_f32.to_bits().into()),
        Plain::F64 => plain(Kind::Float, 1_f64.to_bits()),
        Plain::Char => plain(Kind::Char, u32::from('a').into()),
        Plain::Str => word(Kind::Str, ""),
        Plain::Bytes => plain(Kind::Bytes, 0),
        Plain::Unit => plain(Kind::Unit, 0),
        // Some types do not accept 0.
        _ => plain(Kind::Natural, 1),
    })
}

/// Appends a sample to a name.
fn behind(mut name: Tape, sample: &Tape) -> Tape {
    name.append(sample, 0).expect(SMALL);
    name
}
