//! The binary form, with the crate `rmp-serde` as the judge.

use std::collections::BTreeMap;

use message_data as data;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::values::{Choice, Everything, Lottery};

// holds: data.read-back, data.formats
#[test]
fn random_values_are_read_as_they_were_written_by_both() {
    let mut lottery = Lottery(2);
    for _ in 0..400 {
        let mut value = lottery.everything();
        let ours = data::to_bytes(&value).expect("it can be written");
        let read: Everything = data::from_bytes(&ours).expect("it can be read");
        assert_eq!(read, value);
        // Values that MessagePack has no standard form for.
        value.wide = value.wide.clamp(i64::MIN.into(), i64::MAX.into());
        value.twice = value.twice.flatten().map(Some);
        let by_us = data::to_bytes(&value).expect("it can be written");
        let by_rmp: Everything = rmp_serde::from_slice(&by_us).expect("it can be read");
        assert_eq!(by_rmp, value);
        let theirs = rmp_serde::to_vec_named(&value).expect("it can be written");
        let read: Everything = data::from_bytes(&theirs).expect("it can be read");
        assert_eq!(read, value);
    }
}

// holds: data.read-back
#[test]
fn some_around_nothing_is_kept() {
    for value in [None, Some(None), Some(Some(None)), Some(Some(Some(())))] {
        let bytes = data::to_bytes(&value).expect("it can be written");
        let read: Option<Option<Option<()>>> = data::from_bytes(&bytes).expect("it can be read");
        assert_eq!(read, value);
    }
    let values = vec![(Some(()), Some(None)), (None, Some(Some(3)))];
    let bytes = data::to_bytes(&values).expect("it can be written");
    let read: Vec<(Option<()>, Option<Option<u8>>)> =
        data::from_bytes(&bytes).expect("it can be read");
    assert_eq!(read, values);
}

// holds: data.read-back
#[test]
fn wide_numbers_have_sixteen_bytes() {
    for number in [u128::MAX, u128::from(u64::MAX) + 1, u64::MAX.into(), 0] {
        let bytes = data::to_bytes(&number).expect("it can be written");
        assert_eq!(
            data::from_bytes::<u128>(&bytes).expect("it can be read"),
            number
        );
    }
    for number in [
        i128::MIN,
        i128::from(i64::MIN) - 1,
        i64::MIN.into(),
        -1,
        i128::MAX,
    ] {
        let bytes = data::to_bytes(&number).expect("it can be written");
        assert_eq!(
            data::from_bytes::<i128>(&bytes).expect("it can be read"),
            number
        );
    }
}

// holds: data.formats
#[test]
fn numbers_and_lengths_of_every_width_are_written_as_rmp_writes_them() {
    struct Bytes(usize);
    impl Serialize for Bytes {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&vec![7; self.0])
        }
    }
    fn compare(value: &impl Serialize) {
        let theirs = rmp_serde::to_vec_named(value).expect("it can be written");
        assert_eq!(data::to_bytes(value).expect("it can be written"), theirs);
    }
    for bits in 0..64_u8 {
        for number in [1_u64 << bits, (1 << bits) - 1, u64::MAX >> bits] {
            compare(&number);
            compare(&(number >> 1).cast_signed().wrapping_neg().wrapping_sub(1));
        }
        compare(&(f64::from(bits) + 0.5));
        compare(&(f32::from(bits) + 0.5));
    }
    for len in [0, 1, 15, 16, 31, 32, 255, 256, 65_535, 65_536] {
        compare(&"n".repeat(len));
        compare(&vec![7_u8; len]);
        compare(&(0..len).map(|key| (key, true)).collect::<BTreeMap<_, _>>());
        compare(&Bytes(len));
    }
    compare(&('c', '\u{10ffff}', true, false, None::<u8>));
}

#[derive(Serialize)]
struct Old {
    a: u8,
    b: String,
    c: Vec<u8>,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(default)]
struct New {
    d: u8,
    c: Vec<u8>,
    a: u16,
}

impl Default for New {
    fn default() -> Self {
        Self {
            d: 7,
            c: Vec::new(),
            a: 0,
        }
    }
}

// holds: data.fields-may-differ, data.unknown-field-in-bytes
#[test]
fn fields_may_be_added_removed_and_moved() {
    let old = Old {
        a: 1,
        b: "gone".to_owned(),
        c: vec![2],
    };
    let bytes = data::to_bytes(&old).expect("it can be written");
    let new: New = data::from_bytes(&bytes).expect("it can be read");
    let expected = New {
        d: 7,
        c: vec![2],
        a: 1,
    };
    assert_eq!(new, expected);
}

// holds: data.formats
#[test]
fn sequences_of_unknown_length_are_written() {
    struct Even;
    impl Serialize for Even {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq((0..10).filter(|number| number % 2 == 0))
        }
    }
    let bytes = data::to_bytes(&Even).expect("it can be written");
    assert_eq!(
        data::from_bytes::<Vec<u8>>(&bytes).expect("right"),
        [0, 2, 4, 6, 8]
    );
    assert_eq!(
        rmp_serde::from_slice::<Vec<u8>>(&bytes).expect("right"),
        [0, 2, 4, 6, 8]
    );
}

// holds: data.readers-are-safe
#[test]
fn bytes_that_end_too_early_or_are_changed_are_refused_or_read_and_never_panic() {
    let value = Lottery(5).everything();
    let bytes = data::to_bytes(&value).expect("it can be written");
    for len in 0..bytes.len() {
        let error = data::from_bytes::<Everything>(&bytes[..len]).expect_err("it is cut off");
        assert!(
            error.offset().is_some_and(|offset| offset <= len),
            "{error}"
        );
    }
    let mut lottery = Lottery(6);
    for at in 0..bytes.len() {
        for _ in 0..8 {
            let mut bytes = bytes.clone();
            bytes[at] = lottery.draw() as u8;
            let _ = data::from_bytes::<Everything>(&bytes);
        }
    }
}

// holds: data.readers-are-safe, data.nesting-limit
#[test]
fn a_length_that_bytes_claim_allocates_nothing() {
    // Lists, maps, strings and bytes of four thousand million.
    for marker in [0xdd, 0xdf, 0xdb, 0xc6] {
        let bytes = [marker, 0xff, 0xff, 0xff, 0xff, 0];
        let error = data::from_bytes::<Vec<Choice>>(&bytes).expect_err("it is too short");
        assert!(error.what().contains("here"), "{error}");
    }
    let nested = [0x91; 10_000];
    let error = data::from_bytes::<IgnoredAny>(&nested).expect_err("too deep");
    assert_eq!(
        error.to_string(),
        "byte 128: nested too deeply: expected at most 128 levels"
    );
    let error = data::from_bytes::<u8>(&[1, 2]).expect_err("two values");
    assert_eq!(
        error.to_string(),
        "byte 1: the value ends here, but 1 bytes follow"
    );
    let error = data::from_bytes::<u8>(&[0xd4, 5, 5]).expect_err("an extension");
    assert!(
        error.what().starts_with("unknown MessagePack extension"),
        "{error}"
    );
}
