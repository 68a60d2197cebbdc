//! Which types have data, and by which names.

use message_core::prelude::*;
use message_data::{self as data, Data};
use serde::{Deserialize, Serialize};

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "types.Health", alias = "Hp", alias = "Life")]
struct Health {
    hp: u32,
}

#[derive(Message, Data, Serialize, Deserialize)]
#[data(exact)]
struct Damage {
    amount: u32,
}

mod one {
    use super::*;

    #[derive(Data, Serialize, Deserialize)]
    pub(super) struct Twin;
}

mod two {
    use super::*;

    #[derive(Data, Serialize, Deserialize)]
    #[data(alias = "Lonely")]
    pub(super) struct Twin;
}

mod three {
    use super::*;

    /// Has the name that another type has as an alias.
    #[derive(Data, Serialize, Deserialize)]
    pub(super) struct Lonely;
}

#[derive(Data, Serialize, Deserialize)]
enum State {
    Idle,
    Chasing { speed: f32 },
}

// holds: data.found-by-name
#[test]
fn a_type_is_found_by_its_full_name_its_short_name_and_its_aliases() {
    for name in ["types.Health", "Health", "Hp", "Life"] {
        assert_eq!(data::find(name).expect(name).name(), "types.Health");
    }
    let damage = data::find("Damage").expect("it is there");
    assert_eq!(damage.name(), concat!(module_path!(), "::Damage"));
    assert_eq!(
        data::find(damage.name()).expect("it is there").short_name(),
        "Damage"
    );
    assert_eq!(damage.place().file, file!());
}

// holds: data.message-or-component
#[test]
fn a_type_that_is_a_message_is_a_message_and_any_other_a_component() {
    assert!(Damage::TYPE.is_message());
    assert!(!Health::TYPE.is_message());
    assert!(!State::TYPE.is_message());
}

// holds: data.duplicate-name, data.found-by-name
#[test]
fn two_of_one_name_are_reported_with_both_places_and_found_by_their_full_names() {
    let error = data::find("Twin").expect_err("there are two").to_string();
    let (one, two) = (one::Twin::TYPE, two::Twin::TYPE);
    let expected = format!(
        "several types are called `Twin`: `{}` ({}), `{}` ({}); give the full name, or another one by \
         `#[data(name = \"…\")]`",
        one.name(),
        one.place(),
        two.name(),
        two.place()
    );
    assert_eq!(error, expected);
    for ty in [one, two] {
        assert_eq!(
            data::find(ty.name()).expect("it is there").place(),
            ty.place()
        );
    }
}

// holds: data.found-by-name
#[test]
fn a_name_comes_before_an_alias() {
    let lonely = data::find("Lonely").expect("it is there");
    assert_eq!(lonely.name(), three::Lonely::TYPE.name());
}

#[test]
fn an_unknown_name_is_an_error_with_the_nearest() {
    let error = data::find("Helth").expect_err("it is misspelled");
    assert_eq!(
        error.to_string(),
        "no type with data is called `Helth`; did you mean `Health`?"
    );
    let error = data::find("Xylophone").expect_err("there is none");
    assert_eq!(error.to_string(), "no type with data is called `Xylophone`");
}

#[test]
fn all_types_are_listed_by_their_full_names() {
    let names: Vec<&str> = data::types().map(data::DataType::name).collect();
    assert!(names.is_sorted(), "{names:?}");
    assert!(names.contains(&"types.Health") && names.contains(&Damage::TYPE.name()));
}

// holds: data.id-needs-manager
#[test]
fn an_id_cannot_be_read_or_written_alone() {
    #[derive(Serialize, Deserialize, Debug)]
    struct Target {
        who: MessageeId,
    }
    let mut manager = MessageManager::new();
    let who = manager.spawn(());
    let error = data::to_text(&Target { who }).expect_err("it has no meaning");
    assert!(
        error.what().starts_with("an id only has a meaning in"),
        "{error}"
    );
    let error = data::to_bytes(&Target { who }).expect_err("it has no meaning");
    assert!(
        error.what().starts_with("an id only has a meaning in"),
        "{error}"
    );
    let error = data::from_text::<Target>("(who: \"gate\")").expect_err("it has no meaning");
    assert_eq!((error.line(), error.column()), (Some(1), Some(7)));
    assert!(
        error.what().starts_with("an id only has a meaning in"),
        "{error}"
    );
}
