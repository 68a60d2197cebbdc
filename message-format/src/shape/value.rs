//! The values of a shape: plain values, and values that contain others.

/// A value that is read in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Plain(Plain),
    Option(Box<Value>),
    Seq(Box<Value>),
    /// Key and value.
    Map(Box<(Value, Value)>),
    /// An array: a number of values of one type, in a fixed order.
    Array(Box<Value>, u32),
    Tuple(Vec<Value>),
    Struct(Named),
    Enum(String, Vec<Named>),
    /// A struct or an enum inside itself: the nearest enclosing one with this name.
    Again(String),
}

/// A field of a struct or of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    /// The other names under which it is read.
    pub(super) aliases: Vec<String>,
    /// `true` if it is not an error when the field is missing.
    pub(super) may_be_missing: bool,
    pub(super) value: Value,
}

/// A struct, or a variant of an enum: its name, and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named(pub(super) String, pub(super) Content);

/// The content of a struct or a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Nothing,
    /// One value, not in a list.
    One(Box<Value>),
    Values(Vec<Value>),
    Fields(Vec<Field>),
}

macro_rules! plain {
    ($($plain:ident $text:literal,)*) => {
        /// A value that contains no others.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
        pub(crate) enum Plain {
            $($plain,)*
        }

        impl Plain {
            const ALL: &[(&'static str, Self)] = &[$(($text, Self::$plain),)*];

            pub(super) fn text(self) -> &'static str {
                Self::ALL[self as usize].0
            }
        }
    };
}

plain! {
    Bool "bool",
    I8 "i8",
    I16 "i16",
    I32 "i32",
    I64 "i64",
    I128 "i128",
    U8 "u8",
    U16 "u16",
    U32 "u32",
    U64 "u64",
    U128 "u128",
    F32 "f32",
    F64 "f64",
    Char "char",
    Str "str",
    Bytes "bytes",
    Unit "()",
    MessageeId "MessageeId",
    HookId "HookId",
    SubscriptionId "SubscriptionId",
    Any "any",
}

impl Plain {
    pub(crate) fn is_integer(self) -> bool {
        (Self::I8..=Self::U128).contains(&self)
    }

    pub(super) fn named(text: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, plain)| *plain)
    }
}

impl Value {
    pub(super) const ANY: Self = Self::Plain(Plain::Any);

    /// Values in a fixed order.
    pub(super) fn tuple(mut values: Vec<Self>) -> Self {
        match (values.pop(), u32::try_from(values.len())) {
            (Some(last), Ok(others)) if others >= 3 && values.iter().all(|it| *it == last) => {
                Self::Array(Box::new(last), others + 1)
            }
            (last, _) => {
                values.extend(last);
                Self::Tuple(values)
            }
        }
    }

    /// Returns the value of a field, or the value with that number in parentheses.
    pub(super) fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Struct(Named(_, Content::Fields(fields))) => {
                let field = fields.iter().find(|field| field.name == name)?;
                Some(&field.value)
            }
            Self::Struct(Named(_, Content::One(value))) => (name == "0").then_some(value),
            Self::Array(value, len) => (name.parse::<u32>().ok()? < *len).then_some(value),
            _ => self.items()?.0.get(name.parse::<usize>().ok()?),
        }
    }

    /// Returns `true` if it is an id, may be one, or contains such a value.
    pub(super) fn may_have_ids(&self) -> bool {
        match self {
            Self::Plain(plain) => *plain >= Plain::MessageeId,
            Self::Option(value) | Self::Seq(value) | Self::Array(value, _) => value.may_have_ids(),
            Self::Map(entry) => entry.0.may_have_ids() || entry.1.may_have_ids(),
            Self::Tuple(values) => values.iter().any(Self::may_have_ids),
            Self::Struct(named) => named.1.may_have_ids(),
            Self::Enum(_, variants) => variants.iter().any(|named| named.1.may_have_ids()),
            // The enclosing one has been asked.
            Self::Again(_) => false,
        }
    }

    /// Returns the name of a type that can contain itself.
    pub(super) fn own_name(&self) -> Option<&str> {
        match self {
            Self::Struct(Named(name, _)) | Self::Enum(name, _) => Some(name),
            _ => None,
        }
    }

    /// Returns the values in a fixed order that this is, and their number. Those of an array are one for all.
    pub(super) fn items(&self) -> Option<(&[Self], usize)> {
        match self {
            Self::Tuple(values) | Self::Struct(Named(_, Content::Values(values))) => {
                Some((values, values.len()))
            }
            Self::Array(value, len) => Some((std::slice::from_ref(&**value), *len as usize)),
            _ => None,
        }
    }
}

impl Content {
    fn may_have_ids(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::One(value) => value.may_have_ids(),
            Self::Values(values) => values.iter().any(Value::may_have_ids),
            Self::Fields(fields) => fields.iter().any(|field| field.value.may_have_ids()),
        }
    }
}
