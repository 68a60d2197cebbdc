//! RON syntax where the crate `ron` and this reader differ, and long texts.

use message_data as data;

use crate::text::error;
use crate::values::Inner;

/// The cases that the page `text_format` lists.
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
            "1:10: `-1u8` is too small: the smallest number is 0",
        ),
        (
            "(weight: -129i8)",
            "1:10: `-129i8` is too small: the smallest number is -128",
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
