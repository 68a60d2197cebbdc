//! Bytes that are damaged are refused or read as another value.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::tape::Tape;
use crate::{DataError, Reader, Unknown, from_bytes, pack, to_bytes};

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct All {
    small: u8,
    wide: i128,
    float: f64,
    single: f32,
    letter: char,
    text: String,
    list: Vec<Kind>,
    map: BTreeMap<String, i16>,
    pair: (bool, Option<u32>),
    #[allow(clippy::option_option, reason = "it has a form of its own")]
    nothing: Option<Option<()>>,
    unit: (),
    new: New,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct New(Option<Box<New>>);

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
enum Kind {
    Plain,
    One(u64),
    Two(u8, String),
    Named { x: i8, y: Vec<u8> },
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Number(u64),
    Pair(u8, u8),
    Fields { a: Option<u8>, b: String },
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Flat {
    first: u32,
    #[serde(flatten)]
    rest: BTreeMap<String, Untagged>,
}

#[derive(Deserialize, Debug, Default, PartialEq)]
#[serde(default)]
struct Fewer {
    text: String,
    small: u8,
}

/// Returns `true` if the bytes are a value of the type. It is then written and read again. `Some` and newtypes count
/// as levels only when they are written, so it can be too deep for that.
fn is_value<T: Serialize + DeserializeOwned + Debug>(bytes: &[u8]) -> bool {
    let Ok(value) = from_bytes::<T>(bytes) else {
        return false;
    };
    if let Ok(written) = to_bytes(&value) {
        let again = from_bytes::<T>(&written).expect("it was written from a value");
        assert_eq!(format!("{value:?}"), format!("{again:?}"), "{bytes:?}");
    }
    true
}

/// Returns the number of types that the bytes are a value of.
fn count(bytes: &[u8]) -> usize {
    let _ = from_bytes::<Fewer>(bytes);
    let _ = from_bytes::<IgnoredAny>(bytes);
    let read = [
        is_value::<All>(bytes),
        is_value::<Flat>(bytes),
        is_value::<Vec<Kind>>(bytes),
        is_value::<Untagged>(bytes),
        is_value::<New>(bytes),
        is_value::<BTreeMap<String, Option<Untagged>>>(bytes),
    ];
    read.into_iter().filter(|&read| read).count()
}

fn samples() -> Vec<Vec<u8>> {
    let all = All {
        small: 200,
        wide: i128::MIN,
        float: -0.5,
        single: 1.25,
        letter: 'ß',
        text: "grüß".repeat(12),
        list: vec![
            Kind::Plain,
            Kind::One(u64::MAX),
            Kind::Two(3, "two".to_owned()),
            Kind::Named {
                x: -7,
                y: vec![1; 20],
            },
        ],
        map: BTreeMap::from([("a".to_owned(), -300), ("b".to_owned(), 5)]),
        pair: (true, None),
        nothing: Some(Some(())),
        unit: (),
        new: New(Some(Box::new(New(None)))),
    };
    let flat = Flat {
        first: 70_000,
        rest: BTreeMap::from([
            ("n".to_owned(), Untagged::Number(9)),
            ("p".to_owned(), Untagged::Pair(1, 2)),
            (
                "f".to_owned(),
                Untagged::Fields {
                    a: None,
                    b: String::new(),
                },
            ),
        ]),
    };
    vec![
        to_bytes(&all).expect("it can be written"),
        to_bytes(&all.list).expect("it can be written"),
        to_bytes(&flat).expect("it can be written"),
        to_bytes(&flat.rest).expect("it can be written"),
        vec![0x91; 200],
        [&[0x81, 0xa1, b'x'][..]; 100].concat(),
        vec![
            0x81, 0xa7, b'u', b'n', b'k', b'n', b'o', b'w', b'n', 0xa1, 0xff,
        ],
    ]
}

// holds: data.readers-are-safe
#[test]
fn damaged_bytes_are_refused_or_another_value() {
    let mut seed = 1_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).unwrap_or_default() % below.max(1)
    };
    let samples = samples();
    let whole: usize = samples.iter().map(|sample| count(sample)).sum();
    assert!(whole >= 5, "{whole} of the samples can be read");
    for sample in &samples {
        for len in 0..sample.len() {
            count(&sample[..len]);
        }
        for _ in 0..3_000 {
            let mut bytes = sample.clone();
            for _ in 0..=random(3) {
                let at = random(bytes.len());
                match random(4) {
                    0 => drop(bytes.remove(at)),
                    1 => bytes.insert(at, u8::try_from(random(256)).unwrap_or_default()),
                    _ => bytes[at] = u8::try_from(random(256)).unwrap_or_default(),
                }
            }
            count(&bytes);
        }
    }
}

/// A kilobyte that is made of nothing, and counts how often.
#[derive(Deserialize)]
#[serde(default)]
struct Large {
    all: [u64; 32],
    again: [u64; 32],
    more: [u64; 32],
    rest: [u64; 32],
}

thread_local! {
    static MADE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

impl Default for Large {
    fn default() -> Self {
        MADE.set(MADE.get() + 1);
        let all = [0; 32];
        Self {
            all,
            again: all,
            more: all,
            rest: all,
        }
    }
}

#[derive(Deserialize)]
struct Missing(#[serde(default)] Large);

#[derive(Deserialize)]
enum Either {
    #[serde(rename = "f")]
    Fields {
        #[serde(default)]
        large: Large,
    },
}

/// Converted to a larger type.
#[derive(Deserialize)]
#[serde(from = "()")]
struct Grown(#[allow(dead_code, reason = "only its size counts")] Large);

impl From<()> for Grown {
    fn from((): ()) -> Self {
        Self(Large::default())
    }
}

/// Reads a list of 100 000 equal values with a limit of 16 MiB, of which the tape leaves at least half.
#[track_caller]
fn refuses<T: DeserializeOwned>(value: &[u8], len_of: impl Fn(&T) -> usize) {
    let read = |times: u32, memory| {
        let mut bytes = vec![0xdd];
        bytes.extend(times.to_be_bytes());
        bytes.extend(value.repeat(times as usize));
        let mut tape = Tape::default();
        pack::read_within(&bytes, &mut tape, memory)?;
        let value = Reader::new(&tape, 0, Unknown::Passed).read::<Vec<T>>()?;
        Ok::<_, DataError>(value.iter().map(&len_of).sum::<usize>())
    };
    MADE.set(0);
    let error = read(100_000, 16 << 20).expect_err("it is too large");
    assert!(
        error
            .what()
            .contains("takes too much memory: expected at most 16777216 bytes"),
        "{error}"
    );
    assert!(error.offset().is_some_and(|at| at > 5), "{error}");
    let made = MADE.get();
    assert!((3_000..17_000).contains(&made), "{made} were made");
    assert!(read(3_000, 16 << 20).is_ok());
}

// holds: data.memory
#[test]
fn values_that_are_larger_than_their_bytes_are_limited() {
    let own = |it: &Large| it.all.len() + it.again.len() + it.more.len() + it.rest.len();
    refuses::<Large>(&[0x80], own);
    refuses::<Box<Large>>(&[0x80], |it| own(it));
    refuses::<Option<Box<Large>>>(&[0x80], |it| it.as_deref().map_or(0, own));
    refuses::<BTreeMap<u8, Large>>(&[0x81, 1, 0x80], |it| it.values().map(own).sum());
    refuses::<(u8, Large)>(&[0x92, 1, 0x80], |it| own(&it.1));
    refuses::<Box<Missing>>(&[0x90], |it| own(&it.0));
    refuses::<Grown>(&[0xc0], |it| own(&it.0));
    refuses::<Box<Either>>(&[0x81, 0xa1, b'f', 0x80], |it| match &**it {
        Either::Fields { large } => own(large),
    });
}

// holds: data.memory
#[test]
fn a_value_of_plain_values_takes_what_its_tokens_take() {
    let bytes = to_bytes(&vec![[1_u64; 3]; 1000]).expect("it can be written");
    let read = |memory| {
        let mut tape = Tape::default();
        pack::read_within(&bytes, &mut tape, memory)?;
        Reader::new(&tape, 0, Unknown::Passed).read::<Vec<[u64; 3]>>()
    };
    assert_eq!(read(4000 * 24).map(|read| read.len()).ok(), Some(1000));
    let error = read(4000 * 24 - 1).expect_err("it is too large");
    assert_eq!(error.offset(), Some(3999));
}
