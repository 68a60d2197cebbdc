//! Fields of earlier versions.

use message_data::{Data, DataError, Upgrade};
use serde::{Deserialize, Serialize};

#[derive(Data, Serialize, Deserialize, Default, Debug, PartialEq)]
#[serde(default)]
#[data(version = 3, upgrade = upgrade)]
struct Mind {
    sight: f32,
    friends: Vec<String>,
}

/// Upgrades the fields: version 1 had `range` in tenths, version 2 a single `friend`.
fn upgrade(fields: &mut Upgrade) -> Result<(), DataError> {
    if fields.version() < 2 && fields.has("range") {
        let range: u32 = fields.take("range")?;
        fields.set("sight", &(range as f32 / 10.0))?;
    }
    if fields.version() < 3 && fields.rename("friend", "friends") {
        let friend: String = fields.take("friends")?;
        fields.set("friends", &[friend])?;
    }
    Ok(())
}

fn read(version: u32, text: &str) -> Result<Mind, DataError> {
    Mind::TYPE.upgraded(Upgrade::of_text(version, text)?)
}

// holds: data.upgrade
#[test]
fn each_version_is_read_as_the_present_one() {
    let expected = Mind {
        sight: 2.5,
        friends: vec!["Grib".to_owned()],
    };
    let first = read(1, "Mind(range: 25, friend: \"Grib\")").expect("it is right");
    let second = read(2, "(sight: 2.5, friend: \"Grib\")").expect("it is right");
    let third = read(3, "(sight: 2.5, friends: [\"Grib\"])").expect("it is right");
    for mind in [first, second, third] {
        assert_eq!(mind, expected);
    }
}

#[test]
fn what_the_upgrade_returns_is_an_error() {
    let error = read(1, "(range: \"far\")").expect_err("it is no number");
    assert!(
        error
            .what()
            .contains("invalid type: string \"far\", expected u32"),
        "{error}"
    );
    let mut old = Upgrade::of_text(1, "(range: 3)").expect("it is right");
    let error = old.take::<u32>("rang").expect_err("it is misspelled");
    assert_eq!(
        error.to_string(),
        "there is no field `rang`; there are `range`; did you mean `range`?"
    );
    let error = Upgrade::of_text(1, "[1]").expect_err("it has no fields");
    assert_eq!(
        error.what(),
        "only a value with named fields can be upgraded"
    );
}

#[test]
#[should_panic(expected = "is not the type of")]
fn an_upgrade_for_another_type_panics() {
    #[derive(Data, Serialize, Deserialize, Default)]
    struct Other;
    let old = Upgrade::of_text(1, "()").expect("it is right");
    let _ = Mind::TYPE.upgraded::<Other>(old);
}

// holds: data.upgrade
#[test]
fn a_float_is_read_from_where_it_stands_in_the_text_that_is_upgraded() {
    let text = "(v: (2.5, \"0123456789\"))";
    let mut old = Upgrade::of_text(1, text).expect("it is right");
    let (float, _): (f32, String) = old.take("v").expect("it is there");
    assert!((float - 2.5).abs() < f32::EPSILON, "{float}");
}
