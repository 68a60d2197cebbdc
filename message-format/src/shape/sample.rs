//! Values such as a program with a shape writes.

use super::probe::{SMALL, group, plain, word};
use super::value::{Content, Field, Named, Plain, Value};
use crate::pack::Pack;
use crate::tape::{Kind, Tape};

/// The maximum number of tokens in the sample of an array.
const LARGEST_ARRAY: usize = 1 << 16;

/// Returns the bytes of a value, unless the shape leaves open what a required part of it is.
pub(super) fn bytes(root: &Value) -> Option<Vec<u8>> {
    let sample = value(root)?;
    let mut pack = Pack::default();
    pack.value(&sample, 0).expect(SMALL);
    Some(pack.bytes)
}

/// Returns a sample in which options, lists and maps hold a value each, as far as one can be made.
fn value(of: &Value) -> Option<Tape> {
    match of {
        Value::Plain(form) => of_plain(*form),
        Value::Option(inner) => Some(value(inner).map_or_else(
            || plain(Kind::Nil, 0),
            |inner| behind(word(Kind::Some, "Some"), &group(Kind::Wrapped, &[inner])),
        )),
        Value::Seq(inner) => Some(group(Kind::Seq, value(inner).as_slice())),
        Value::Map(entry) => {
            let one = value(&entry.0).zip(value(&entry.1));
            let one = one.map_or_else(Vec::new, |(key, value)| vec![key, value]);
            Some(group(Kind::Map, &one))
        }
        Value::Array(inner, len) => {
            let (inner, len) = (value(inner)?, *len as usize);
            let is_small = inner.tokens.len().saturating_mul(len) <= LARGEST_ARRAY;
            is_small.then(|| group(Kind::Tuple, &vec![inner; len]))
        }
        Value::Tuple(all) => values(all),
        Value::Struct(Named(_, Content::Nothing)) => Some(plain(Kind::Unit, 0)),
        Value::Struct(Named(_, inner)) => content(inner),
        Value::Enum(_, variants) => variants.iter().find_map(variant),
        // What is around it has another way to end.
        Value::Again(_) => None,
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

fn values(all: &[Value]) -> Option<Tape> {
    let all: Option<Vec<_>> = all.iter().map(value).collect();
    Some(group(Kind::Tuple, &all?))
}

fn variant(Named(name, inner): &Named) -> Option<Tape> {
    match inner {
        Content::Nothing => Some(word(Kind::Word, name)),
        inner => Some(behind(word(Kind::Named, name), &content(inner)?)),
    }
}

fn content(of: &Content) -> Option<Tape> {
    match of {
        Content::Nothing => Some(plain(Kind::Unit, 0)),
        Content::One(inner) => Some(group(Kind::Wrapped, &[value(inner)?])),
        Content::Values(all) => values(all),
        Content::Fields(all) => fields(all),
    }
}

fn fields(all: &[Field]) -> Option<Tape> {
    let mut parts = Vec::new();
    for field in all {
        match value(&field.value) {
            Some(value) => parts.extend([word(Kind::Word, &field.name), value]),
            None if field.may_be_missing => {}
            None => return None,
        }
    }
    Some(group(Kind::Fields, &parts))
}

/// Appends a sample to a name.
fn behind(mut name: Tape, sample: &Tape) -> Tape {
    name.append(sample, 0).expect(SMALL);
    name
}
