//! The shapes that types read, and whether one program can read what another one writes.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::num::NonZeroU8;

use message_core::prelude::*;
use message_data::{self as data, Data, Shape};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::values::Lottery;

#[derive(Serialize, Deserialize)]
enum Kind {
    Fire,
    Ice(u8),
    Bolt { volts: f32, far: Option<bool> },
    Two(u8, String),
}

#[derive(Message, Data, Serialize, Deserialize)]
#[data(exact)]
struct Sting {
    amount: u32,
    by: MessageeId,
    kind: Kind,
    #[serde(default)]
    tags: Vec<String>,
    seen: Option<u8>,
}

fn shape<T: Data>() -> Shape {
    T::TYPE.shape()
}

fn parsed(text: &str) -> Shape {
    text.parse().expect(text)
}

// holds: data.shape
#[test]
fn a_shape_tells_the_fields_their_types_and_which_may_be_missing() {
    let expected = "Sting(amount: u32, by: MessageeId, \
                    kind: Kind{Fire, Ice(u8), Bolt(volts: f32, far?: Option<bool>), Two(u8, str)}, \
                    tags?: [str], seen?: Option<u8>)";
    assert_eq!(shape::<Sting>().to_string(), expected);
}

// holds: data.shape
#[test]
fn a_shape_is_that_of_every_form_that_serde_derives() {
    #[derive(Serialize, Deserialize)]
    struct Meters(f32);
    #[derive(Serialize, Deserialize)]
    struct Nothing;
    #[derive(Serialize, Deserialize)]
    struct Pair(i64, Meters);
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Clear {
        inner: char,
    }
    #[derive(Serialize, Deserialize)]
    struct Flat {
        id: u8,
        #[serde(flatten)]
        rest: HashMap<String, u8>,
    }
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Loose {
        Number(u8),
        Text(String),
    }
    #[derive(Data, Serialize, Deserialize)]
    #[data(exact)]
    struct Every {
        numbers: (i8, i16, i32, i64, i128, u8, u16, u32, u64, u128),
        others: (bool, f32, f64, char, String, ()),
        meters: Meters,
        nothing: Nothing,
        pair: Pair,
        clear: Clear,
        map: BTreeMap<(u8, String), Vec<Option<i8>>>,
        array: [u8; 20],
        odd: NonZeroU8,
        boxed: Box<Option<Box<str>>>,
        loose: Loose,
        hooks: Vec<HookId>,
        flat: Flat,
    }
    let expected = "Every(numbers: (i8, i16, i32, i64, i128, u8, u16, u32, u64, u128), \
                    others: (bool, f32, f64, char, str, ()), meters: Meters(f32), nothing: Nothing, \
                    pair: Pair(i64, Meters(f32)), clear: char, \
                    map: {(u8, str): [Option<i8>]}, array: (u8; 20), odd: u8, boxed?: Option<str>, \
                    loose: any, hooks: [HookId], flat: any)";
    assert_eq!(shape::<Every>().to_string(), expected);
}

// holds: data.shape
#[test]
fn a_type_that_is_no_struct_has_a_shape_too() {
    #[derive(Data, Serialize, Deserialize)]
    enum Humour {
        Calm,
        Angry(u8),
    }
    #[derive(Data, Serialize, Deserialize)]
    struct Breadth(u16);
    #[derive(Data, Serialize, Deserialize)]
    struct Buoy;
    assert_eq!(shape::<Humour>().to_string(), "Humour{Calm, Angry(u8)}");
    assert_eq!(shape::<Breadth>().to_string(), "Breadth(u16)");
    assert_eq!(shape::<Buoy>().to_string(), "Buoy");
}

// holds: data.shape
#[test]
fn a_type_in_itself_is_its_name_alone() {
    #[derive(Data, Serialize, Deserialize)]
    #[data(exact)]
    struct Chain {
        value: u8,
        next: Option<Box<Chain>>,
        children: Vec<Chain>,
    }
    #[derive(Serialize, Deserialize)]
    enum Tree {
        Leaf,
        Two(Box<Tree>, Box<Tree>),
        Named(BTreeMap<String, Tree>),
    }
    #[derive(Data, Serialize, Deserialize)]
    #[data(exact)]
    struct Grove {
        trees: Vec<Tree>,
    }
    let node = shape::<Chain>();
    let expected = "Chain(value: u8, next?: Option<Chain>, children: [Chain])";
    assert_eq!(node.to_string(), expected);
    let forest = shape::<Grove>();
    let expected = "Grove(trees: [Tree{Leaf, Two(Tree, Tree), Named({str: Tree})}])";
    assert_eq!(forest.to_string(), expected);
    for shape in [node, forest] {
        assert_eq!(shape.reads(&shape), Ok(()));
        assert_eq!(parsed(&shape.to_string()), shape);
    }
}

// holds: data.shape, data.shape-reads
#[test]
fn a_field_is_found_by_its_aliases() {
    #[derive(Data, Serialize, Deserialize)]
    #[data(exact)]
    struct Hull {
        #[serde(alias = "life", alias = "hit points")]
        hp: u8,
        max: u8,
    }
    let here = shape::<Hull>();
    assert_eq!(
        here.to_string(),
        "Hull(hp|\"hit points\"|life: u8, max: u8)"
    );
    assert_eq!(here.reads(&parsed("Hull(life: u8, max: u8)")), Ok(()));
    let error = here.reads(&parsed("Hull(max: u8)")).expect_err("no hp");
    assert_eq!(
        error.to_string(),
        "`Hull.hp` is `u8` here and missing there"
    );
}

// holds: data.shape
#[test]
fn what_is_nested_without_end_has_a_shape_that_ends() {
    // Each type is another one, so no name repeats with the same fields.
    #[derive(Serialize, Deserialize, Default)]
    struct Two<T> {
        left: T,
        right: T,
    }
    type Four<T> = Two<Two<T>>;
    #[derive(Data, Serialize, Deserialize)]
    #[data(exact)]
    struct Broad {
        tuples: Vec<((u8, u8), (u8, u8))>,
        twos: Four<Four<u8>>,
        arrays: Vec<[[[u8; 20]; 20]; 20]>,
    }
    let text = shape::<Broad>().to_string();
    assert!(text.len() < 100_000, "{}", text.len());
    assert_eq!(parsed(&text).to_string(), text);
}

/// Each case has the two shapes and the expected difference.
// holds: data.shape-reads
#[test]
fn what_differs_is_told_with_the_path_and_both_types() {
    let cases = [
        // Changed types.
        (
            "A(x: u8)",
            "A(x: u16)",
            "`A.x` is `u8` here and `u16` there",
        ),
        (
            "A(x: [(u8, str)])",
            "A(x: [(u8, char)])",
            "`A.x[].1` is `str` here and `char` there",
        ),
        (
            "A(x: {u8: str})",
            "A(x: {str: str})",
            "`A.x{}` is `u8` here and `str` there",
        ),
        (
            "A(x: Option<u8>)",
            "A(x: u8)",
            "`A.x` is `Option<u8>` here and `u8` there",
        ),
        (
            "A(x: (u8, u8))",
            "A(x: (u8; 4))",
            "`A.x` is `(u8, u8)` here and `(u8; 4)` there",
        ),
        (
            "A(x: (u8, u8, u8, u16))",
            "A(x: (u8; 4))",
            "`A.x.3` is `u16` here and `u8` there",
        ),
        (
            "A(x: MessageeId)",
            "A(x: u64)",
            "`A.x` is `MessageeId` here and `u64` there",
        ),
        ("u8", "str", "the value is `u8` here and `str` there"),
        // Fields that the reader needs.
        (
            "A(b: B(x: u8))",
            "A(b: B())",
            "`A.b.x` is `u8` here and missing there",
        ),
        // Fields that the reader lacks.
        (
            "K{Fire}",
            "K{Fire, Ice(u8)}",
            "`K::Ice` is missing here and `Ice(u8)` there",
        ),
        (
            "K{Ice}",
            "K{Ice(u8)}",
            "`K::Ice` is `Ice` here and `Ice(u8)` there",
        ),
        (
            "K{Bolt(volts: f32)}",
            "K{Bolt(volts: f64)}",
            "`K::Bolt.volts` is `f32` here and `f64` there",
        ),
        // In a type in itself, of which one side tells one turn more.
        (
            "N(v: u8, next: Option<N>)",
            "N(v: u8, next: Option<M(v: u16, next: Option<M>)>)",
            "`N.next.v` is `u8` here and `u16` there",
        ),
    ];
    for (here, there, expected) in cases {
        let difference = parsed(here).reads(&parsed(there)).expect_err(expected);
        assert_eq!(difference.to_string(), expected);
    }
}

// holds: data.shape-reads
#[test]
fn fields_that_may_be_missing_names_and_the_order_of_fields_are_no_difference() {
    let cases = [
        ("A(x: u8, y?: u8)", "A(x: u8)"),
        ("A(x: u8)", "A(x: u8, y: u8)"),
        ("A(x: u8, y: str)", "B(y: str, x: u8)"),
        ("A(x: Meters(u8))", "A(x: u8)"),
        ("A(x: u8)", "A(x: Meters(u8))"),
        ("K{Fire, Ice(u8)}", "K{Ice(u8)}"),
        ("A(x: any)", "A(x: [u8])"),
        ("A(x: [u8])", "A(x: any)"),
        ("A", "()"),
        ("A(u8, str)", "(u8, str)"),
        ("A(x: (u8, u8, u8))", "A(x: (u8; 3))"),
        ("N(next: Option<N>)", "N(next: Option<M(next: Option<M>)>)"),
        ("N(next: Option<N>)", "N(next: Option<M(next: Option<N>)>)"),
    ];
    for (here, there) in cases {
        let found = parsed(here).reads(&parsed(there));
        assert_eq!(found, Ok(()), "{here} reads {there}");
    }
}

// holds: data.shape-reads
#[test]
fn a_value_whose_shape_is_read_is_read() {
    fn goes<W: Serialize, R: DeserializeOwned + Debug>(value: &W) -> bool {
        let bytes = data::to_bytes(value).expect("it can be written");
        data::from_bytes::<R>(&bytes).is_ok()
    }
    mod old {
        use super::*;
        #[derive(Data, Serialize, Deserialize, Debug, Default)]
        #[data(name = "shapes.OldBug", exact)]
        pub(super) struct Bug {
            pub(super) legs: u8,
            pub(super) name: String,
        }
    }
    mod new {
        use super::*;
        #[derive(Data, Serialize, Deserialize, Debug, Default)]
        #[serde(default)]
        #[data(name = "shapes.NewBug")]
        pub(super) struct Bug {
            pub(super) name: String,
            pub(super) wings: u8,
        }
    }
    let (old, new) = (shape::<old::Bug>(), shape::<new::Bug>());
    assert_eq!(new.reads(&old), Ok(()));
    assert!(goes::<_, new::Bug>(&old::Bug::default()));
    assert!(old.reads(&new).is_err());
    assert!(!goes::<_, old::Bug>(&new::Bug::default()));
}

// holds: data.shape
#[test]
fn a_shape_is_read_from_its_text_and_has_one_hash() {
    for ty in data::types() {
        let shape = ty.shape();
        let text = shape.to_string();
        let again = parsed(&text);
        assert_eq!(again, shape, "{text}");
        assert_eq!(again.hash(), shape.hash());
        assert_eq!(shape.reads(&again), Ok(()), "{text}");
        assert_eq!(ty.shape(), shape, "asked again");
    }
    // On every machine, and in later versions.
    assert_eq!(parsed("Health(hp: u32)").hash(), HASH_OF_HEALTH);
}

const HASH_OF_HEALTH: u64 = 3_445_674_377_809_075_513;

#[test]
fn a_text_that_is_no_shape_is_refused_with_the_place() {
    let cases = [
        ("", "byte 0: the text ends here: expected a type"),
        ("A(x: u33)", "byte 5: there is no type `u33`"),
        ("A(x: u8", "byte 7: the text ends here: expected `)`"),
        (
            "A(x: u8) B",
            "byte 9: expected the end of the shape, found `B`",
        ),
        ("K{Fire Ice}", "byte 7: expected `}`, found `I`"),
        ("(u8; x)", "byte 5: expected a number of values, found `x`"),
        (
            "(u8; 99999999999)",
            "byte 5: expected a number of values, found `9`",
        ),
        ("\"A", "byte 0: this string is not closed: expected `\"`"),
    ];
    for (text, expected) in cases {
        let error = text.parse::<Shape>().expect_err(text);
        assert_eq!(error.to_string(), expected);
    }
}

// holds: data.shape-from-stranger
#[test]
fn a_shape_from_a_stranger_is_bounded_and_never_panics() {
    for deep in ["[", "Option<", "A(", "(", "{", "A{B(", "A(x:"] {
        let error = deep.repeat(10_000).parse::<Shape>().expect_err(deep);
        assert!(error.what().starts_with("nested too deeply"), "{error}");
    }
    let error = "a".repeat(1 << 20).parse::<Shape>().expect_err("too long");
    assert!(error.what().contains("at most 262144"), "{error}");

    let mut lottery = Lottery(11);
    let parts = [
        "(", ")", "[", "]", "{", "}", "<", ">", ",", ":", ";", "?", "|", "\"", "\\", "u8", "str",
        "Option", "A", "b", " ", "3", "é", "any", "()", "\n",
    ];
    let own = shape::<Sting>();
    for _ in 0..20_000 {
        let text: String = (0..lottery.below(16))
            .map(|_| parts[usize::try_from(lottery.below(26)).expect("small")])
            .collect();
        if let Ok(shape) = text.parse::<Shape>() {
            assert_eq!(parsed(&shape.to_string()), shape, "{text}");
            let _ = (own.reads(&shape), shape.reads(&own));
        }
    }
    // A right text with one byte changed.
    let text = own.to_string();
    for at in 0..text.len() {
        let mut text = text.clone().into_bytes();
        text[at] = lottery.draw() as u8;
        if let Ok(shape) = String::from_utf8_lossy(&text).parse::<Shape>() {
            let _ = (own.reads(&shape), shape.reads(&own));
        }
    }
    // Types in themselves, in turns of 2, 3, 5 and 7: no two sides end together.
    let turns = |of: usize| {
        let inner = "X(a: Option<".repeat(of - 1);
        let ends = ">)".repeat(of - 1);
        parsed(&format!("N(a: Option<{inner}N{ends}>)"))
    };
    for (one, other) in [(2, 3), (5, 7), (7, 11)] {
        assert_eq!(turns(one).reads(&turns(other)), Ok(()));
    }
    // Many branches on each of them.
    let wide = |of: usize| {
        let inner = "X(a: N, b: N, c: ".repeat(of);
        parsed(&format!("N(a: N, b: N, c: {inner}N{})", ")".repeat(of)))
    };
    assert_eq!(wide(30).reads(&wide(31)), Ok(()));
}

// holds: data.shape
#[test]
fn a_sample_of_the_shape_of_a_message_is_read() {
    let mut manager = MessageManager::new();
    let ids = [manager.spawn(()), manager.spawn(())];
    let mut read = 0;
    for ty in data::types().filter(|ty| ty.is_message()) {
        let shape = ty.shape();
        for sample in shape.samples() {
            match ty.read_message(&sample, &ids) {
                Ok(_) => read += 1,
                // An id that is not that of a messagee.
                Err(error) => assert!(
                    error.what().contains("only has a meaning"),
                    "{shape}: {error}"
                ),
            }
        }
    }
    assert!(read > 50, "{read} were read");
}

// holds: data.shape
#[test]
fn the_shape_of_an_array_tells_its_length() {
    #[derive(Data, Serialize, Deserialize)]
    #[data(name = "shapes.Rack", exact)]
    struct Rack {
        slots: [u8; 5],
    }
    assert_eq!(shape::<Rack>().to_string(), "Rack(slots: (u8; 5))");
    assert_eq!(parsed("Rack(slots: (u8; 5))"), shape::<Rack>());
}
