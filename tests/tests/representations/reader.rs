//! Whatever the crate `ron` reads is read to the same value: generated texts, changed texts, and literals.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo};

use message_data as data;
use ron::ser::PrettyConfig;
use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::types::{Adjacent, External, Fields, Internal, Newtype, Odd, Pair, Samples, Unit};
use crate::values::{Choice, Everything, Inner, Lottery};

/// Bytes that are asked for as such.
#[derive(Debug, PartialEq)]
struct Bytes(Vec<u8>);

impl<'d> Deserialize<'d> for Bytes {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        struct Take;

        impl Visitor<'_> for Take {
            type Value = Bytes;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }
        }

        deserializer.deserialize_byte_buf(Take)
    }
}

/// The texts read by both readers.
#[derive(Default)]
struct Judged {
    texts: usize,
    accepted: usize,
    mistakes: Vec<String>,
}

impl Judged {
    /// Checks that a text accepted by the crate `ron` is accepted here with the same value.
    fn read<T: DeserializeOwned + Debug>(&mut self, text: &str) {
        self.texts += 1;
        let ours = data::from_text::<T>(text);
        let Ok(theirs) = ron::from_str::<T>(text) else {
            return;
        };
        self.accepted += 1;
        let theirs = format!("{theirs:?}");
        let ours = ours.map_or_else(|error| error.to_string(), |ours| format!("{ours:?}"));
        // A listed difference: a field that a struct does not have is an error.
        let is_strict = ours.contains("has no field") || ours.contains("there is no field");
        if ours != theirs && !is_strict {
            let name = std::any::type_name::<T>();
            let mistake = format!("{name}: {text}\n    ron  {theirs}\n    ours {ours}");
            self.mistakes.push(mistake);
        }
    }

    fn all(&mut self, text: &str) {
        macro_rules! all {
            ($($type:ty),* $(,)?) => { $(self.read::<$type>(text);)* };
        }
        all!(
            u8, i8, i64, u64, i128, u128, f32, f64, bool, char, String, Bytes, (), Unit, Newtype, Pair,
            Fields, Odd, External, Internal, Adjacent, Choice, Inner, Option<u8>, Option<Option<()>>,
            Option<Newtype>, Vec<u8>, Vec<f64>, (u8,), (u8, f32), [i16; 2], BTreeMap<String, f64>,
            BTreeMap<i8, Fields>, Range<u8>, RangeInclusive<i64>, RangeFrom<u8>, RangeTo<f64>,
        );
    }

    fn report(self) {
        let Self {
            texts,
            accepted,
            mistakes,
        } = self;
        println!("{texts} texts, {accepted} accepted by ron");
        let shown: Vec<&str> = mistakes.iter().take(40).map(String::as_str).collect();
        let (count, shown) = (mistakes.len(), shown.join("\n"));
        assert!(mistakes.is_empty(), "{count} mistakes:\n{shown}");
    }
}

const LITERALS: &[&str] = &[
    "0",
    "-0",
    "+7",
    "1u8",
    "1i8",
    "-1i8",
    "255u8",
    "-128i8",
    "1u16",
    "5u64",
    "-9i64",
    "7u128",
    "7i128",
    "0xff",
    "0xFFu8",
    "0b1010_1010",
    "0o17",
    "1_000",
    "1__0",
    "0x_f",
    "18446744073709551616",
    "-9223372036854775809",
    "340282366920938463463374607431768211455",
    "-170141183460469231731687303715884105728",
    "340282366920938463463374607431768211456",
    "1000000000000000000000000000000000000000000",
    "-1000000000000000000000000000000000000000000",
    "1.5",
    "1.",
    ".5",
    "-.5",
    "+.5",
    "1e3",
    "1E3",
    "1e-3",
    "1.5e+3",
    "1_0.5_0",
    "1.5f32",
    "0.1f32",
    "0.1f64",
    "1f32",
    "1f64",
    "-2.5f64",
    "1e3f32",
    "inf",
    "-inf",
    "+inf",
    "NaN",
    "-NaN",
    "inff32",
    "inff64",
    "-inff32",
    "NaNf32",
    "NaNf64",
    "16777217",
    "16777217.0",
    "1.00000005960464477540",
    "3.4028236e38",
    "b'a'",
    "b'\\xff'",
    "b'\\''",
    "b'\\n'",
    "'a'",
    "'\\''",
    "'''",
    "'\"'",
    "'\\x41'",
    "'\\u{1f980}'",
    "'\\u{0001f}'",
    "\"\"",
    "\"a\\x41\\u{e9}\\n\\r\\t\\0\\\\\\'\\\"\"",
    "\"\\xe2\\x82\\xac\"",
    "\"a\\\n   b\"",
    "\"a\\\r\n\t b\"",
    "\"\\\n\"",
    "\"a\\\n\\\n b\"",
    "r\"a\\b\"",
    "r#\"a\"b\"#",
    "r##\"a\"#b\"##",
    "b\"ab\\xff\\u{e9}\"",
    "b\"\"",
    "b\"a\\\n b\"",
    "br\"a\\xff\"",
    "br#\"\"\"#",
    "[1, 2, 255]",
    "[1u8]",
    "[]",
    "()",
    "( )",
    "(/**/)",
    "(1)",
    "(1,)",
    "(1, 2)",
    "(1, 2,)",
    "true",
    "false",
    "None",
    "Some(1)",
    "Some(None)",
    "Some(Some(()))",
    "Some( 1 , )",
    "r#true",
    "r#None",
    "r#Some(1)",
    "r#inf",
    "NaN ",
    "Some(3)",
    "r#type(1)",
    "r#max-hp(a: 1)",
    "r#3d(1, 2)",
    "Unit",
    "Unit ",
    "Newtype(1)",
    "Newtype (1)",
    "Newtype(1,)",
    "Pair(1, \"x\")",
    "(1, \"x\")",
    "Fields(a: 1, b: \"x\")",
    "(a: 1, b: \"x\",)",
    "(r#a: 1, r#b: \"x\")",
    "Nothing",
    "One(1)",
    "Two(1, 2)",
    "Named(a: 1)",
    "NoValues()",
    "NoFields()",
    "Wraps(())",
    "Wraps(Unit)",
    "Inner((1))",
    "Inner(Newtype(1))",
    "Tuple((1, 2))",
    "List([1, 2])",
    "Record((a: 1, b: \"x\"))",
    "Record(Fields(a: 1, b: \"x\"))",
    "Empty(())",
    "(kind: \"Nothing\")",
    "(kind: \"Named\", a: 1)",
    "(a: 1, kind: \"Named\")",
    "Internal(kind: \"Named\", a: 1)",
    "Internal(kind: \"Record\", a: 1, b: \"x\")",
    "(kind: Nothing)",
    "(kind: One, of: 1)",
    "(of: 1, kind: One)",
    "(kind: Two, of: (1, 2))",
    "Adjacent(kind: Named, of: Named(a: 1))",
    "(kind: Named, of: (a: 1))",
    "(kind: r#true)",
    "{}",
    "{\"a\": 1}",
    "{\"a\": 1.5, \"b\": inf,}",
    "{1: (a: 1, b: \"\")}",
    "0..5",
    "0..=5",
    "-3..=3",
    "2..",
    "..5",
    "..1.5",
    "..=5",
    "..",
    "1..inf",
    "0 ",
    "\u{200e}1\u{2028}",
    "// c\n1",
    "1 // c",
    "1 /* /* */ */",
];

// holds: data.reads-ron
#[test]
fn every_literal_of_ron_is_read() {
    let mut judged = Judged::default();
    for &literal in LITERALS {
        judged.all(literal);
        judged.all(&format!("Some({literal})"));
        judged.all(&format!("({literal})"));
        for extension in [
            "implicit_some",
            "unwrap_newtypes",
            "unwrap_variant_newtypes",
            "explicit_struct_names",
        ] {
            judged.all(&format!("#![enable({extension})]{literal}"));
            judged.all(&format!("#![enable({extension})] Some({literal})"));
        }
    }
    for attributes in [
        "#![type = \"a::B\"]",
        "#![schema = r#\"./x\"#]",
        "# ! [ enable ( implicit_some , ) ]",
        "#![enable(unwrap_newtypes, implicit_some)] #![type=\"x\"]",
    ] {
        judged.all(&format!("{attributes}\n7"));
    }
    assert!(judged.accepted > 1_500, "{} are accepted", judged.accepted);
    judged.report();
}

/// Changes or removes a character of a text, or repeats a part of it.
fn changed(text: &str, lottery: &mut Lottery) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=lottery.below(2) {
        let len = characters.len() as u64;
        let at = usize::try_from(lottery.below(len.max(1))).expect("it is small");
        let signs: Vec<char> = "()[]{},:.\"'\\#!-+_ \n/*rbx0189efNuiS\u{e9}"
            .chars()
            .collect();
        let sign = signs[usize::try_from(lottery.below(signs.len() as u64)).expect("small")];
        match lottery.below(4) {
            _ if characters.is_empty() => characters.push(sign),
            0 => drop(characters.remove(at)),
            1 => characters.insert(at, sign),
            2 => characters[at] = sign,
            _ => {
                let end = (at + 1 + usize::try_from(lottery.below(6)).expect("small"))
                    .min(characters.len());
                let part: Vec<char> = characters[at..end].to_vec();
                characters.splice(at..at, part);
            }
        }
    }
    characters.into_iter().collect()
}

fn texts_of<T: Serialize>(value: &T) -> Vec<String> {
    let plain = PrettyConfig::new;
    let all = ron::extensions::Extensions::all();
    let pretty = [
        plain(),
        plain().struct_names(true).compact_structs(true),
        plain().number_suffixes(true).escape_strings(false),
        plain().extensions(all),
    ];
    let texts = pretty.map(|pretty| ron::ser::to_string_pretty(value, pretty));
    let own = data::to_text(value).into_iter();
    own.chain(texts.into_iter().flatten()).collect()
}

// holds: data.reads-ron
#[test]
fn texts_with_a_change_are_read_as_ron_reads_them() {
    let mut lottery = Lottery(5);
    let mut judged = Judged::default();
    let rounds = std::env::var("ROUNDS")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(12_u32);
    for _ in 0..rounds {
        let everything = lottery.everything();
        for text in texts_of(&everything) {
            judged.read::<Everything>(&text);
            for _ in 0..20 {
                judged.read::<Everything>(&changed(&text, &mut lottery));
            }
        }
        macro_rules! each {
            ($($type:ty),*) => {
                $(for value in <$type>::samples() {
                    for text in texts_of(&value) {
                        for _ in 0..3 {
                            judged.read::<$type>(&changed(&text, &mut lottery));
                        }
                    }
                })*
            };
        }
        each!(
            External,
            Internal,
            Adjacent,
            Odd,
            Fields,
            Pair,
            f64,
            String,
            Option<u8>
        );
    }
    judged.report();
}
