//! What is read of RON's syntax where the crate `ron` and this reader differ, or the text is long.

use message_core::data;

use crate::text::error;
use crate::values::Inner;

/// What the page `text_format` lists.
// holds: data.reads-ron
#[test]
fn a_type_that_takes_anything_is_given_what_json_has() {
    use serde_json::{Value, json};

    for (text, expected) in [
        ("Nothing", json!("Nothing")),
        ("One(1)", json!({"One": 1})),
        ("One(1,)", json!({"One": [1]})),
        ("Two(1, 2)", json!({"Two": [1, 2]})),
        ("Named(x: 1)", json!({"Named": {"x": 1}})),
        ("(1)", json!(1)),
        ("(1,)", json!([1])),
        ("()", json!(null)),
        ("( )", json!({})),
        ("(/**/)", json!([])),
        ("(x: (1))", json!({"x": 1})),
        ("r#true", json!("true")),
        ("0..5", json!({"start": 0, "end": 5})),
    ] {
        assert_eq!(
            data::from_text::<Value>(text).expect(text),
            expected,
            "{text}"
        );
    }
}

// holds: data.reads-ron
#[test]
fn a_suffix_says_what_a_number_is() {
    assert_eq!(data::from_text::<u16>("8u8").expect("right"), 8);
    let single = f64::from(0.1_f32);
    assert_eq!(data::from_text::<f64>("0.1f32").expect("right"), single);
    let what = error::<u128>("340282366920938463463374607431768211456");
    assert!(
        what.ends_with("is too large: the largest number is 2^128 - 1"),
        "{what}"
    );
    assert_eq!(
        data::from_text::<f32>("-0").expect("right").to_bits(),
        (-0.0_f32).to_bits()
    );
}

#[test]
fn suffixes_attributes_and_ranges_that_are_wrong_are_named() {
    for (text, expected) in [
        (
            "(weight: 256u8)",
            "1:10: `256u8` is too large: the largest number is 255",
        ),
        (
            "(weight: -1u8)",
            "1:10: `-1u8` is below zero: a `u8` is not",
        ),
        (
            "(weight: -129i8)",
            "1:10: `-129i8` is too small: the smallest is -128",
        ),
        (
            "#![allow(wings)] ()",
            "1:9: expected `enable(…)`, `type = \"…\"` or `schema = \"…\"`, found `(`",
        ),
        (
            "#![enable(explicit_struct_names)] (name: \"x\")",
            "1:35: expected `Inner`, found fields in parentheses: the text enables explicit_struct_names",
        ),
        ("0..5", "1:1: expected `Inner`, found `Range`"),
    ] {
        assert_eq!(error::<Inner>(text), expected, "{text}");
    }
}

/// Each text is one that a reader which looks ahead, or looks back, reads in quadratic time.
// holds: data.readers-are-linear
#[test]
fn a_long_text_of_any_kind_is_read_and_written_at_once() {
    use serde::de::IgnoredAny;

    let list = |part: &str| format!("[{}]", part.repeat(1_000_000 / part.len()));
    let texts = [
        list("1,"),
        list("1..2,"),
        list("-1.5e-3f32,"),
        list("\"a\\u{41}\\x41\\\n\","),
        list("b\"\\xff\","),
        list("r##\"\"#\"##,"),
        list("/* /* */ */(a/**/,),"),
        list("( ),(/**/),(a:(1)),"),
        list("Some(r#Some(None)),"),
        list("{\"a\":a},"),
        list("\u{e9}\u{301}(x:1),"),
        format!("\"{}\"", "\\u{41}".repeat(150_000)),
        format!("r\"{}\"", "\\".repeat(1_000_000)),
        format!("br##\"{}\"##", "\"#".repeat(500_000)),
        "1".repeat(1_000_000),
        format!("0.{}e5", "1_".repeat(500_000)),
        "#![enable(implicit_some,)]".repeat(40_000) + "1",
        " /**/\n".repeat(150_000) + "1",
    ];
    let begin = std::time::Instant::now();
    for text in &texts {
        let head: String = text.chars().take(40).collect();
        data::from_text::<IgnoredAny>(text).expect(&head);
        // Cut off in the middle, it is refused.
        let half = text.char_indices().nth(text.chars().count() / 2);
        let _ = data::from_text::<IgnoredAny>(&text[..half.expect("it is long").0]);
        if let Ok(value) = data::from_text::<serde_json::Value>(text) {
            data::to_text(&value).expect("it can be written");
        }
    }
    let spent = begin.elapsed();
    assert!(spent.as_secs() < 60, "{spent:?}");
}
