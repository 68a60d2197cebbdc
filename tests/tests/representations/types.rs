//! Types of every representation of serde: leaves, and wrappers around any type.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A type with values to write and read.
pub(crate) trait Samples: Sized + Clone {
    fn samples() -> Vec<Self>;
}

macro_rules! samples {
    ($($type:ty: [$($sample:expr),* $(,)?];)*) => {
        $(impl Samples for $type {
            fn samples() -> Vec<Self> {
                vec![$($sample),*]
            }
        })*
    };
}

/// Derives what every type here has.
macro_rules! types {
    ($($(#[$meta:meta])* $kind:ident $name:ident $(<$t:ident>)? {$($body:tt)*})*) => {
        $(types!(@one $(#[$meta])* $kind $name $(<$t>)? {$($body)*});)*
    };
    (@one $(#[$meta:meta])* unit $name:ident {}) => {
        #[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
        $(#[$meta])* pub(crate) struct $name;
    };
    (@one $(#[$meta:meta])* tuple $name:ident $(<$t:ident>)? {$($body:tt)*}) => {
        #[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
        $(#[$meta])* pub(crate) struct $name $(<$t>)? ($($body)*);
    };
    (@one $(#[$meta:meta])* record $name:ident $(<$t:ident>)? {$($body:tt)*}) => {
        #[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
        $(#[$meta])* pub(crate) struct $name $(<$t>)? {$($body)*}
    };
    (@one $(#[$meta:meta])* variants $name:ident $(<$t:ident>)? {$($body:tt)*}) => {
        #[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
        $(#[$meta])* pub(crate) enum $name $(<$t>)? {$($body)*}
    };
}

// Leaves.
types! {
    unit Unit {}
    tuple NoTuple {}
    record NoFields {}
    tuple Newtype { pub(crate) u8 }
    tuple TwiceNew { pub(crate) Newtype }
    tuple NewTuple { pub (u8, u8) }
    tuple NewList { pub(crate) Vec<u8> }
    tuple NewMaybe { pub(crate) Option<u8> }
    tuple NewUnit { pub(crate) Unit }
    tuple Pair { pub(crate) u8, pub(crate) String }
    /// Serde writes it as a tuple with one value.
    tuple Skips { pub(crate) u8, #[serde(skip)] pub(crate) u8 }
    record Fields { pub(crate) a: u8, pub(crate) b: String }
    record Optional {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(crate) a: Option<u8>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(crate) b: Option<Newtype>,
    }
    #[serde(transparent)]
    record Transparent { pub(crate) a: Newtype }
    #[allow(non_snake_case, reason = "names that are words of the format")]
    record OddFields {
        #[serde(rename = "max-hp")]
        pub(crate) max: u8,
        pub(crate) r#type: u8,
        pub(crate) r#true: u8,
        #[serde(rename = "None")]
        pub(crate) none: u8,
        #[serde(rename = "3d")]
        pub(crate) three: u8,
        #[serde(rename = "inf")]
        pub(crate) infinite: u8,
    }
    record SpacedFields {
        pub(crate) first: u8,
        #[serde(rename = "two words")]
        pub(crate) two: Newtype,
        #[serde(rename = "")]
        pub(crate) empty: (u8,),
    }
    variants External {
        Nothing,
        One(u8),
        Two(u8, u8),
        Named { a: u8 },
        NoValues(),
        NoFields {},
        Wraps(Unit),
        Inner(Newtype),
        Tuple((u8, u8)),
        Single((u8,)),
        Skips(u8, #[serde(skip)] u8),
        List(Vec<u8>),
        Record(Fields),
        Empty(()),
    }
    #[serde(tag = "kind")]
    variants Internal {
        Nothing,
        Named { a: u8 },
        NoFields {},
        Record(Fields),
        Optional(Optional),
        Map(BTreeMap<String, u8>),
        Wraps(Unit),
    }
    #[allow(non_camel_case_types, reason = "a name that is a word of the format")]
    #[serde(tag = "kind", content = "of")]
    variants Adjacent {
        Nothing,
        One(u8),
        Two(u8, u8),
        Named { a: u8 },
        NoValues(),
        NoFields {},
        Inner(Newtype),
        Single((u8,)),
        r#true,
    }
    #[serde(untagged)]
    variants Untagged {
        Nothing,
        Two(u8, String),
        Named { a: u8 },
        Text(String),
        Inner(TwiceNew),
        List(Vec<u8>),
    }
    #[allow(non_camel_case_types, reason = "names that are words of the format")]
    variants Odd {
        r#true,
        r#false,
        inf,
        NaN,
        None,
        Some(u8),
        #[serde(rename = "inff32")]
        InfSingle,
        r#type(u8),
        #[serde(rename = "max-hp")]
        Max { a: u8 },
        #[serde(rename = "3d")]
        Three(u8, u8),
    }
    variants Spaced {
        #[serde(rename = "two words")]
        Nothing,
        #[serde(rename = "a → b")]
        One(Newtype),
        #[serde(rename = "a b")]
        Two(u8, u8),
        #[serde(rename = "a(b)")]
        Named { a: u8, #[serde(rename = "b c")] b: u8 },
        #[serde(rename = "")]
        Empty {},
        #[serde(rename = "क्या")]
        Marks(u8),
    }
    record Flat {
        pub(crate) id: u8,
        #[serde(flatten)]
        pub(crate) fields: Fields,
        #[serde(flatten)]
        pub(crate) rest: BTreeMap<String, Newtype>,
    }
    record FlatEnum {
        pub(crate) id: u8,
        #[serde(flatten)]
        pub(crate) of: External,
    }
}

samples! {
    u8: [0, 200];
    i64: [i64::MIN, 3];
    bool: [true];
    f64: [0.0, -1.5, 1e300, f64::INFINITY];
    char: ['a', '\'', '\\', 'é', '\n', '\u{301}', '\0'];
    String: [String::new(), "a\"b\\\n\t\u{7f}'\u{301}".to_owned(), "inf".to_owned()];
    (): [()];
    Option<u8>: [None, Some(1)];
    Option<Option<()>>: [None, Some(None), Some(Some(()))];
    Vec<u8>: [vec![], vec![1, 2]];
    (u8,): [(1,)];
    (u8, String): [(1, "x".to_owned())];
    [u8; 0]: [[]];
    [u8; 1]: [[1]];
    [u8; 3]: [[1, 2, 3]];
    BTreeMap<String, u8>: [BTreeMap::new(), BTreeMap::from([("a b".to_owned(), 1)])];
    Unit: [Unit];
    NoTuple: [NoTuple()];
    NoFields: [NoFields {}];
    Newtype: [Newtype(1)];
    TwiceNew: [TwiceNew(Newtype(1))];
    NewTuple: [NewTuple((1, 2))];
    NewList: [NewList(vec![]), NewList(vec![1])];
    NewMaybe: [NewMaybe(None), NewMaybe(Some(1))];
    NewUnit: [NewUnit(Unit)];
    Pair: [Pair(1, "x".to_owned())];
    Skips: [Skips(1, 0)];
    Fields: [Fields { a: 1, b: "x".to_owned() }];
    Optional: [
        Optional { a: None, b: None },
        Optional { a: Some(1), b: Some(Newtype(2)) },
    ];
    Transparent: [Transparent { a: Newtype(1) }];
    OddFields: [OddFields { max: 1, r#type: 2, r#true: 3, none: 4, three: 5, infinite: 6 }];
    SpacedFields: [SpacedFields { first: 1, two: Newtype(2), empty: (3,) }];
    External: [
        External::Nothing,
        External::One(1),
        External::Two(1, 2),
        External::Named { a: 1 },
        External::NoValues(),
        External::NoFields {},
        External::Wraps(Unit),
        External::Inner(Newtype(1)),
        External::Tuple((1, 2)),
        External::Single((1,)),
        External::Skips(1, 0),
        External::List(vec![1]),
        External::Record(Fields { a: 1, b: "x".to_owned() }),
        External::Empty(()),
    ];
    Internal: [
        Internal::Nothing,
        Internal::Named { a: 1 },
        Internal::NoFields {},
        Internal::Record(Fields { a: 1, b: "x".to_owned() }),
        Internal::Optional(Optional { a: None, b: Some(Newtype(1)) }),
        Internal::Map(BTreeMap::from([("a".to_owned(), 1)])),
        Internal::Wraps(Unit),
    ];
    Adjacent: [
        Adjacent::Nothing,
        Adjacent::One(1),
        Adjacent::Two(1, 2),
        Adjacent::Named { a: 1 },
        Adjacent::NoValues(),
        Adjacent::NoFields {},
        Adjacent::Inner(Newtype(1)),
        Adjacent::Single((1,)),
        Adjacent::r#true,
    ];
    Untagged: [
        Untagged::Nothing,
        Untagged::Two(1, "x".to_owned()),
        Untagged::Named { a: 1 },
        Untagged::Text("x".to_owned()),
        Untagged::Inner(TwiceNew(Newtype(1))),
        Untagged::List(vec![1]),
    ];
    Odd: [
        Odd::r#true,
        Odd::r#false,
        Odd::inf,
        Odd::NaN,
        Odd::None,
        Odd::Some(1),
        Odd::InfSingle,
        Odd::r#type(1),
        Odd::Max { a: 1 },
        Odd::Three(1, 2),
    ];
    Spaced: [
        Spaced::Nothing,
        Spaced::One(Newtype(1)),
        Spaced::Two(1, 2),
        Spaced::Named { a: 1, b: 2 },
        Spaced::Empty {},
        Spaced::Marks(1),
    ];
    Flat: [Flat {
        id: 1,
        fields: Fields { a: 1, b: "x".to_owned() },
        rest: BTreeMap::from([("c".to_owned(), Newtype(3))]),
    }];
    FlatEnum: [
        FlatEnum { id: 1, of: External::Nothing },
        FlatEnum { id: 1, of: External::One(1) },
        FlatEnum { id: 1, of: External::Two(1, 2) },
        FlatEnum { id: 1, of: External::Named { a: 1 } },
        FlatEnum { id: 1, of: External::Inner(Newtype(1)) },
        FlatEnum { id: 1, of: External::NoFields {} },
        FlatEnum { id: 1, of: External::NoValues() },
        FlatEnum { id: 1, of: External::Record(Fields { a: 1, b: "x".to_owned() }) },
    ];
}

// Wrappers.
types! {
    tuple New<T> { pub(crate) T }
    tuple Twice<T> { pub(crate) T, pub(crate) T }
    record InField<T> { pub(crate) id: u8, pub(crate) of: T }
    record InFlat<T> {
        pub(crate) id: u8,
        #[serde(flatten)]
        pub(crate) of: T,
    }
    /// Fields next to a flattened one are read into a buffer as well.
    record BesideFlat<T> {
        #[serde(flatten)]
        pub(crate) fields: InField<T>,
    }
    record Skipped<T> {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(crate) of: Option<T>,
    }
    variants InExternal<T> {
        One(T),
        Two(T, T),
        Named { of: T },
        Maybe(Option<T>),
    }
    #[serde(tag = "kind")]
    variants InInternal<T> {
        One(InField<T>),
        Named { of: T },
        Direct(T),
    }
    #[serde(tag = "kind", content = "content")]
    variants InAdjacent<T> {
        One(T),
        Two(T, T),
        Named { of: T },
    }
    #[serde(untagged)]
    variants InUntagged<T> {
        Named { of: T },
        Two(T, T, ()),
        One(T),
    }
    variants HalfUntagged<T> {
        Known,
        #[serde(untagged)]
        Other { of: T },
        #[serde(untagged)]
        One(T),
    }
}

pub(crate) type Values<T> = BTreeMap<String, T>;
pub(crate) type Keys<T> = BTreeMap<T, u8>;

/// Implements the samples of a wrapper from those of its content.
macro_rules! wraps {
    ($($type:ty: |$of:ident| [$($sample:expr),* $(,)?];)*) => {
        $(impl<T: Wrapped> Samples for $type {
            fn samples() -> Vec<Self> {
                let each = T::samples().into_iter();
                each.flat_map(|$of| [$($sample),*]).collect()
            }
        })*
    };
}

/// Which types the generic wrappers hold, so that the leaves can have their own samples.
pub(crate) trait Wrapped: Samples + Ord {}
impl<T: Samples + Ord> Wrapped for T {}

wraps! {
    New<T>: |of| [New(of.clone())];
    Twice<T>: |of| [Twice(of.clone(), of.clone())];
    InField<T>: |of| [InField { id: 1, of: of.clone() }];
    InFlat<T>: |of| [InFlat { id: 1, of: of.clone() }];
    BesideFlat<T>: |of| [BesideFlat { fields: InField { id: 1, of: of.clone() } }];
    Skipped<T>: |of| [Skipped { of: Some(of.clone()) }, Skipped { of: None }];
    InExternal<T>: |of| [
        InExternal::One(of.clone()),
        InExternal::Two(of.clone(), of.clone()),
        InExternal::Named { of: of.clone() },
        InExternal::Maybe(Some(of.clone())),
        InExternal::Maybe(None),
    ];
    InInternal<T>: |of| [
        InInternal::One(InField { id: 1, of: of.clone() }),
        InInternal::Named { of: of.clone() },
        InInternal::Direct(of.clone()),
    ];
    InAdjacent<T>: |of| [
        InAdjacent::One(of.clone()),
        InAdjacent::Two(of.clone(), of.clone()),
        InAdjacent::Named { of: of.clone() },
    ];
    InUntagged<T>: |of| [
        InUntagged::Named { of: of.clone() },
        InUntagged::Two(of.clone(), of.clone(), ()),
        InUntagged::One(of.clone()),
    ];
    HalfUntagged<T>: |of| [
        HalfUntagged::Known,
        HalfUntagged::Other { of: of.clone() },
        HalfUntagged::One(of.clone()),
    ];
}
