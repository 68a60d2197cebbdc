//! Text in RON syntax: writing and reading, with the crate `ron` as the judge.

use std::collections::{BTreeMap, HashMap};

use message_core::prelude::*;
use message_data::{self as data, TextExtension, TextOptions};
use serde::{Deserialize, Serialize};

use crate::values::{Choice, Everything, Inner, Lottery, Newtype, Pair, Unit};

pub(crate) fn error<T: serde::de::DeserializeOwned>(text: &str) -> String {
    match data::from_text::<T>(text) {
        Ok(_) => panic!("this is read: {text}"),
        Err(error) => error.to_string(),
    }
}

// holds: data.read-back, data.formats
#[test]
fn random_values_are_read_as_they_were_written_by_both() {
    let mut lottery = Lottery(1);
    for _ in 0..400 {
        let value = lottery.everything();
        let ours = data::to_text(&value).expect("it can be written");
        let read: Everything = data::from_text(&ours).expect(&ours);
        assert_eq!(read, value, "{ours}");
        let by_ron: Everything = ron::from_str(&ours).expect(&ours);
        assert_eq!(by_ron, value, "{ours}");
        let pretty = ron::ser::PrettyConfig::new().struct_names(lottery.below(2) == 0);
        let theirs = ron::ser::to_string_pretty(&value, pretty).expect("it can be written");
        let read: Everything = data::from_text(&theirs).expect(&theirs);
        assert_eq!(read, value, "{theirs}");
    }
}

#[test]
fn a_value_is_written_in_one_line_if_it_fits() {
    let short = Inner {
        name: "Grom".to_owned(),
        weight: 80.5,
        marks: vec![Some(true), None],
    };
    let text = data::to_text(&short).expect("it can be written");
    assert_eq!(
        text,
        r#"(name: "Grom", weight: 80.5, marks: [Some(true), None])"#
    );
    let long = vec![short; 2];
    let text = data::to_text(&long).expect("it can be written");
    let line = r#"    (name: "Grom", weight: 80.5, marks: [Some(true), None]),"#;
    assert_eq!(text, format!("[\n{line}\n{line}\n]"));
}

// holds: data.formats
#[test]
fn comments_and_trailing_commas_and_names_may_be_left_out() {
    let text = "
        // A line.
        /* A block /* in a block */ */
        (name: \"Grom\", /* here */ weight: 1_000.5, marks: [Some(true),],) // The end.";
    let inner: Inner = data::from_text(text).expect("it is right");
    assert_eq!((inner.name.as_str(), inner.weight), ("Grom", 1000.5));
    assert_eq!(inner.marks, [Some(true)]);
}

// holds: data.formats
#[test]
fn numbers_strings_and_bytes_have_the_forms_of_rust() {
    let numbers: Vec<i64> =
        data::from_text("[0xff, 0b101, 0o17, -1_000, +3, b'a']").expect("right");
    assert_eq!(numbers, [255, 5, 15, -1000, 3, 97]);
    let floats: Vec<f64> = data::from_text("[1, .5, 2., 1e3, -1.5E-2, inf, -inf]").expect("right");
    assert_eq!(
        floats,
        [
            1.0,
            0.5,
            2.0,
            1000.0,
            -0.015,
            f64::INFINITY,
            f64::NEG_INFINITY
        ]
    );
    assert!(data::from_text::<f64>("NaN").expect("right").is_nan());
    let texts: Vec<String> =
        data::from_text("[\"\\u{e9}\\x41\\n\", r\"a\\b\", r#\"a\"b\"#, \"a\\\n   b\"]")
            .expect("right");
    assert_eq!(texts, ["éA\n", "a\\b", "a\"b", "ab"]);
    let letters: Vec<char> = data::from_text(r"['a', '\'', '\u{1f980}']").expect("right");
    assert_eq!(letters, ['a', '\'', '🦀']);
}

#[test]
fn a_float_of_32_bits_is_read_from_the_text_itself() {
    // The nearest `f64` is half way between two `f32`, and the nearest `f32` of the text is not the
    // even one of them.
    let text = "1.00000005960464477540";
    let expected: f32 = text.parse().expect("a number");
    let twice = text.parse::<f64>().expect("a number") as f32;
    assert_ne!(expected, twice, "the text shows the difference");
    assert_eq!(data::from_text::<f32>(text).expect("right"), expected);
}

// holds: data.unknown-field-in-text
#[test]
fn an_unknown_field_is_an_error_with_place_and_nearest_name_nested_too() {
    assert_eq!(
        error::<Inner>("(nane: \"x\")"),
        "1:2: `Inner` has no field `nane`; it has `name`, `weight`, `marks`; did you mean `name`?"
    );
    let text = "{\n    \"a\": (name: \"x\", weight: 1,\n        mraks: [])\n}";
    assert_eq!(
        error::<HashMap<String, Inner>>(text),
        "3:9: `Inner` has no field `mraks`; it has `name`, `weight`, `marks`; did you mean `marks`?"
    );
    assert_eq!(
        error::<Choice>("Named(x: 1, z: None)"),
        "1:13: `Named` has no field `z`; it has `x`, `y`; did you mean `x`?"
    );
}

#[test]
fn what_is_wrong_is_named_with_its_place_and_what_was_expected() {
    for (text, expected) in [
        ("", "1:1: the text ends here: expected a value"),
        (
            "(name: \"x\"",
            "1:11: the text ends here: expected `,` or `)`",
        ),
        (
            "(name: \"x)",
            "1:8: this string is not closed: expected `\"`",
        ),
        ("(name 3)", "1:7: expected `,` or `)`, found `3`"),
        (
            "(name: 3)",
            "1:8: invalid type: integer `3`, expected a string",
        ),
        (
            "(name: Grom)",
            "1:8: expected a string between `\"`, found `Grom`",
        ),
        ("Inna(name: \"x\")", "1:1: expected `Inner`, found `Inna`"),
        (
            "(name: \"x\")",
            "1:1: `Inner` is incomplete: the field `weight` is missing",
        ),
        ("(name: \"x\", name: \"y\")", "1:13: duplicate field `name`"),
        (
            "(name: \"x\") 3",
            "1:13: expected the end of the text, found `3`",
        ),
        (
            "[1]",
            "1:1: expected `Inner` with its fields in parentheses, found a list",
        ),
        (
            "(name: \"\\q\")",
            "1:9: unknown escape: expected one of \\n, \\r, \\t, \\0, \\\\, \\\", \\', \\x, \\u",
        ),
        (
            "(weight: 1u7)",
            "1:10: `1u7` is not a number: expected digits, and at most a suffix such as `u8` or `f32`",
        ),
        ("/* x", "1:1: this comment is not closed: expected `*/`"),
        (
            "#![enable(wings)] ()",
            "1:11: unknown extension `wings`; there are `implicit_some`, `unwrap_newtypes`, \
             `unwrap_variant_newtypes`, `explicit_struct_names`",
        ),
    ] {
        assert_eq!(error::<Inner>(text), expected, "{text}");
    }
    assert_eq!(
        error::<(u8, u8)>("(1, 2, 3)"),
        "1:1: this has 3 entries: expected 2"
    );
    assert_eq!(
        error::<(u8, u8)>("(1,)"),
        "1:1: invalid length 1, expected a tuple of size 2"
    );
    assert_eq!(
        error::<bool>("maybe"),
        "1:1: expected `true` or `false`, found `maybe`"
    );
    assert_eq!(
        error::<Option<u8>>("3"),
        "1:1: expected `Some(…)` or `None`, found the integer `3`"
    );
    assert_eq!(
        error::<Newtype>("3"),
        "1:1: expected `Newtype(…)`, found the integer `3`"
    );
    assert_eq!(
        error::<Pair>("Pair[1]"),
        "1:5: expected the end of the text, found `[`"
    );
    assert_eq!(error::<Unit>("Unti"), "1:1: expected `Unit`, found `Unti`");
    assert_eq!(
        error::<Choice>("Nothin"),
        "1:1: there is no variant `Nothin`; there are `Nothing`, `One`, `Deep`, `Struct`, `Two`, \
         `Named`; did you mean `Nothing`?"
    );
    assert_eq!(
        error::<Choice>("One"),
        "1:1: expected `One(…)`, found `One` alone"
    );
    assert_eq!(
        error::<Choice>("Nothing(3)"),
        "1:1: `Nothing` has no value: expected `Nothing` alone"
    );
    let large = format!("1{}", "0".repeat(40));
    let what = format!("1:1: `{large}` is too large: the largest number is 2^128 - 1");
    assert_eq!(error::<u128>(&large), what);
}

// holds: data.text-extensions, data.formats
#[test]
fn extensions_are_enabled_in_the_first_line_or_by_options() {
    let options = TextOptions::new()
        .with_default_extension(TextExtension::ImplicitSome)
        .with_default_extension(TextExtension::UnwrapNewtypes);
    let maybe: Option<Newtype> = options.from_text("3").expect("right");
    assert_eq!(maybe, Some(Newtype(3)));
    let more = "#![enable(unwrap_variant_newtypes)] Some(Two(1, 'a'))";
    let maybe: Option<Choice> = options.from_text(more).expect("right");
    assert_eq!(maybe, Some(Choice::Two(1, 'a')));
    error::<Option<Newtype>>("3");
    let maybe: Option<u8> = data::from_text("#![enable(implicit_some)] 3").expect("right");
    assert_eq!(maybe, Some(3));
    let newtype: Newtype = data::from_text("#![enable(unwrap_newtypes)] 3").expect("right");
    assert_eq!(newtype, Newtype(3));
    let text = "#![enable(unwrap_variant_newtypes)] Struct(name: \"x\", weight: 1, marks: [])";
    let choice: Choice = data::from_text(text).expect("right");
    assert!(matches!(choice, Choice::Struct(_)));
    let explicit = "#![enable(explicit_struct_names)] Inner(name: \"x\", weight: 1, marks: [])";
    data::from_text::<Inner>(explicit).expect("right");
}

// holds: data.nesting-limit, data.readers-are-safe
#[test]
fn nesting_is_limited() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let what = error::<serde::de::IgnoredAny>(&deep(129));
    assert_eq!(
        what,
        "1:129: nested too deeply: expected at most 128 levels"
    );
    data::from_text::<serde::de::IgnoredAny>(&deep(128)).expect("it is not too deep");
    error::<serde::de::IgnoredAny>(&"(".repeat(1_000_000));
    error::<serde::de::IgnoredAny>(&"Some(".repeat(100_000));

    #[derive(Serialize)]
    struct Nested(Option<Box<Nested>>);
    let nested = (0..200).fold(Nested(None), |inner, _| Nested(Some(Box::new(inner))));
    let what = data::to_text(&nested)
        .expect_err("it is too deep")
        .to_string();
    assert_eq!(what, "nested too deeply: expected at most 128 levels");
}

#[test]
fn flattened_and_untagged_types_are_read() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Flat {
        id: u8,
        #[serde(flatten)]
        inner: Inner,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(untagged)]
    enum Loose {
        Number(i64),
        Text(String),
        Choice(Choice),
    }
    let flat: Flat =
        data::from_text("Flat(id: 1, name: \"x\", weight: 2.5, marks: [Some(true), None])")
            .expect("right");
    assert_eq!((flat.id, flat.inner.weight), (1, 2.5));
    assert_eq!(flat.inner.marks, [Some(true), None]);
    let loose: Vec<Loose> =
        data::from_text("[3, \"x\", One(5), Named(x: 1.0, y: None)]").expect("right");
    let named = Choice::Named { x: 1.0, y: None };
    let expected = [
        Loose::Number(3),
        Loose::Text("x".to_owned()),
        Loose::Choice(Choice::One(5)),
        Loose::Choice(named),
    ];
    assert_eq!(loose, expected);
}

// holds: data.read-back
#[test]
fn names_that_are_no_words_are_written_behind_r_and_a_hash() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Odd {
        #[serde(rename = "max-hp")]
        max: u8,
        r#true: bool,
    }
    let odd = Odd {
        max: 3,
        r#true: true,
    };
    let text = data::to_text(&odd).expect("it can be written");
    assert_eq!(text, "(r#max-hp: 3, r#true: true)");
    assert_eq!(data::from_text::<Odd>(&text).expect("right"), odd);

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Spaced {
        first: u8,
        #[serde(rename = "max hp")]
        max: u8,
    }
    let spaced = Spaced { first: 1, max: 3 };
    let text = data::to_text(&spaced).expect("it can be written");
    assert_eq!(text, "{\"first\": 1, \"max hp\": 3}");
    assert_eq!(data::from_text::<Spaced>(&text).expect("right"), spaced);
}

// holds: data.readers-are-safe
#[test]
fn no_text_makes_the_reader_panic() {
    let mut lottery = Lottery(7);
    let parts = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "Some",
        "None",
        "Named",
        "x",
        "\"",
        "'",
        "\\",
        "r#\"",
        "b\"",
        "1",
        "-",
        ".",
        "e5",
        "0x",
        "//",
        "/*",
        "*/",
        "#![enable(",
        " ",
        "\n",
        "é",
        "inf",
        "true",
        "#![type = \"",
        "..",
        "..=",
        "u8",
        "f32",
        "b'",
        "br#\"",
        "\\x",
        "\\u{",
        "r#",
        "None",
    ];
    for _ in 0..20_000 {
        let text: String = (0..lottery.below(20))
            .map(|_| parts[usize::try_from(lottery.below(parts.len() as u64)).expect("small")])
            .collect();
        let _ = data::from_text::<Everything>(&text);
        let _ = data::from_text::<Choice>(&text);
        let _ = data::from_text::<Vec<Option<Inner>>>(&text);
        let _ = data::from_text::<serde_json::Value>(&text);
        let _ = data::from_text::<std::ops::Range<f32>>(&text);
    }
    // A right text with one byte changed.
    let value = Lottery(3).everything();
    let text = data::to_text(&value).expect("it can be written");
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] = lottery.draw() as u8;
        if let Ok(text) = String::from_utf8(bytes) {
            let _ = data::from_text::<Everything>(&text);
        }
    }
}

/// A line has at most 90 characters, including everything before and after the value in it.
#[test]
fn a_value_is_broken_only_where_its_line_would_be_too_long() {
    for length in 0..100 {
        let inner = Inner {
            name: "n".repeat(length),
            weight: 1.0,
            marks: Vec::new(),
        };
        let flat = format!("(name: {:?}, weight: 1.0, marks: [])", inner.name);
        let alone = data::to_text(&inner).expect("it can be written");
        assert_eq!(alone == flat, flat.len() <= 90, "{alone}");
        let text = data::to_text(&vec![inner; 2]).expect("it can be written");
        let line = format!("    {flat},");
        if flat.len() * 2 + 4 <= 90 {
            assert_eq!(text, format!("[{flat}, {flat}]"));
            continue;
        }
        let is_whole = text == format!("[\n{line}\n{line}\n]");
        assert_eq!(is_whole, line.len() <= 90, "{text}");
    }
}

/// Returns the lines of a map with that value, and the value's line if it is not broken.
fn lines_of(name: &str, value: &impl Serialize, flat: &str) -> (Vec<String>, String) {
    let map = BTreeMap::from([(name, value), ("z", value)]);
    let text = data::to_text(&map).expect("it can be written");
    let lines = text.lines().map(str::to_owned).collect();
    (lines, format!("    \"{name}\": {flat},"))
}

/// The list is followed by the comma of its entry; in a newtype also by `)`.
#[test]
fn what_stands_behind_a_list_counts_for_the_width_of_its_line() {
    #[derive(Serialize)]
    struct Wrap(Vec<u32>);
    let list = vec![12, 345];
    let wrapped = Wrap(list.clone());
    for length in 62..90 {
        let name = "n".repeat(length);
        for (lines, whole) in [
            lines_of(&name, &list, "[12, 345]"),
            lines_of(&name, &wrapped, "([12, 345])"),
        ] {
            assert_eq!(lines.contains(&whole), whole.len() <= 90, "{lines:#?}");
        }
    }
}

// holds: data.formats
#[test]
fn without_its_extension_a_form_is_an_error() {
    #[derive(Deserialize, Debug)]
    struct Wrapped(#[allow(dead_code, reason = "it is read, and printed")] Inner);

    let inner = "Inner(name: \"x\", weight: 1, marks: [])";
    error::<Wrapped>(inner);
    data::from_text::<Wrapped>(&format!("Wrapped({inner})")).expect("it is right");
    let unwrapped = format!("#![enable(unwrap_newtypes)] {inner}");
    data::from_text::<Wrapped>(&unwrapped).expect("it is right");
    error::<Choice>("Struct(name: \"x\", weight: 1, marks: [])");
    data::from_text::<Choice>(&format!("Struct({inner})")).expect("it is right");
    let number = "#![enable(unwrap_variant_newtypes)] One(3)";
    assert_eq!(
        data::from_text::<Choice>(number).expect("it is right"),
        Choice::One(3)
    );
}

/// Text is for people: values with a human-readable form are written in it.
#[test]
fn what_people_read_is_written_for_people() {
    let address: std::net::IpAddr = "127.0.0.1".parse().expect("it is one");
    let text = data::to_text(&address).expect("it can be written");
    assert_eq!(text, "\"127.0.0.1\"");
    let read: std::net::IpAddr = data::from_text(&text).expect("it was written");
    assert_eq!(read, address);
}

// holds: headers.contradiction
#[test]
fn a_header_that_is_read_repeats_by_frames_only_where_it_can() {
    let header = Header::to(Everyone).stage(Stage::Update).every_frames(2);
    let text = data::to_text(&header.build().expect("it is right")).expect("it can be written");
    data::from_text::<Header>(&text).expect("it was written");
    let what = error::<Header>(&text.replace("Update", "FixedUpdate"));
    assert!(
        what.contains("repeats by frames in stage `FixedUpdate`"),
        "{what}"
    );
}
