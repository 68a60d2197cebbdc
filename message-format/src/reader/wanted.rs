//! The forms that a type asks for, and descriptions of what was found instead. They are the words of errors and the
//! answer to a question on a tape.

use std::fmt;

use crate::ids::{A_HOOK, A_MESSAGEE, A_SUBSCRIPTION};
use crate::names::{List, Short};
use crate::reader::Reader;
use crate::shape::Plain;
use crate::tape::{Kind, Token};

/// The form that a type asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Plain(Plain),
    Option,
    UnitStruct(&'static str),
    Newtype(&'static str),
    Seq,
    Tuple(usize),
    TupleStruct(&'static str, usize),
    Map,
    Struct(&'static str, &'static [&'static str]),
    Enum(&'static str, &'static [&'static str]),
    /// The name of a field or a variant.
    Identifier,
    /// Nothing after the name of a variant.
    Nothing,
    /// One value in parentheses, of a newtype or a variant.
    Inside,
    /// This number of values after the name of a variant.
    Values(usize),
    /// These fields after the name of a variant.
    Fields(&'static [&'static str]),
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(plain) => f.write_str(match plain {
                Plain::Bool => "`true` or `false`",
                Plain::F32 | Plain::F64 => "a number",
                Plain::Char => "a character between `'`",
                Plain::Str => "a string between `\"`",
                Plain::Bytes => "bytes",
                Plain::Unit => "`()`",
                Plain::MessageeId => A_MESSAGEE,
                Plain::HookId => A_HOOK,
                Plain::SubscriptionId => A_SUBSCRIPTION,
                Plain::Any => "a value",
                _ => "an integer",
            }),
            Self::Option => f.write_str("`Some(…)` or `None`"),
            Self::UnitStruct(name) => write!(f, "`{name}`"),
            Self::Newtype(name) | Self::TupleStruct(name, _) => write!(f, "`{name}(…)`"),
            Self::Seq => f.write_str("a list"),
            Self::Tuple(_) | Self::Values(_) => f.write_str("values in parentheses"),
            Self::Map => f.write_str("a map"),
            Self::Struct(name, _) => write!(f, "`{name}` with its fields in parentheses"),
            Self::Enum(_, variants) => write!(f, "one of {}", List(variants)),
            Self::Identifier => f.write_str("the name of a field"),
            Self::Nothing => f.write_str("nothing"),
            Self::Inside => f.write_str("one value in parentheses"),
            Self::Fields(_) => f.write_str("fields in parentheses"),
        }
    }
}

impl Reader<'_> {
    /// Describes a token for an error.
    pub(super) fn describe(&self, token: Token) -> String {
        match token.kind {
            Kind::Unit => "`()`".to_owned(),
            Kind::Bool => format!("`{}`", token.data != 0),
            Kind::Negative => format!("the integer `{}`", token.data.cast_signed()),
            Kind::Natural => format!("the integer `{}`", token.data),
            Kind::WideNegative | Kind::WideNatural => "an integer of 128 bits".to_owned(),
            Kind::Float => format!("the number `{:?}`", f64::from_bits(token.data)),
            Kind::Single => format!("the number `{:?}`", token.single()),
            Kind::Char => format!("the character `{}`", token.character().escape_debug()),
            Kind::Str => format!("the string {:?}", Short(self.tape.str(token)).to_string()),
            Kind::Bytes => "bytes".to_owned(),
            Kind::Word => format!("`{}`", Short(self.tape.str(token))),
            Kind::Named => format!("`{}(…)`", Short(self.tape.str(token))),
            Kind::Some => "`Some(…)`".to_owned(),
            Kind::Range => format!("a `{}`", Short(self.tape.str(token))),
            Kind::Nil if self.is_packed() => "nothing".to_owned(),
            Kind::Nil => "`None`".to_owned(),
            Kind::Seq => "a list".to_owned(),
            Kind::Tuple => "values in parentheses".to_owned(),
            Kind::Wrapped => "a value in parentheses".to_owned(),
            Kind::Fields => "fields in parentheses".to_owned(),
            Kind::Map => "a map".to_owned(),
            Kind::Question => "a question".to_owned(),
            Kind::End => "nothing more".to_owned(),
        }
    }
}
