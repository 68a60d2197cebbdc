//! A program in which two types with data have one name.

use message_core::prelude::*;
use message_core::registry::{Declared, Place};
use message_core::{RegistryError, try_registry};
use message_data::{self as data, Data, RestoreError};
use serde::{Deserialize, Serialize};

const FIRST_AT: u32 = line!() + 1;
#[derive(Data, Serialize, Deserialize)]
#[data(name = "twins.Sword")]
struct Sword;

const SECOND_AT: u32 = line!() + 1;
#[derive(Data, Serialize, Deserialize)]
#[data(name = "twins.Sword")]
struct Blade;

/// The last part of a name may be that of another: a file gives the full one then.
#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "others.Sword")]
struct Wield;

fn declared(line: u32) -> Declared {
    let place = Place {
        file: file!(),
        line,
    };
    Declared {
        name: "twins.Sword",
        place,
    }
}

// holds: data.duplicate-name
#[test]
fn two_types_with_data_of_one_name_are_refused_at_start_up() {
    let error = try_registry().expect_err("two types have one name");
    let pair = (declared(FIRST_AT), declared(SECOND_AT));
    assert_eq!(error, &RegistryError::DuplicateNames(vec![pair]));
    let file = file!();
    let text = format!(
        "two types are called `twins.Sword`: at {file}:{FIRST_AT}, and at {file}:{SECOND_AT}; \
         rename one of them, or its crate"
    );
    assert_eq!(error.to_string(), text);
    let error = MessageManager::try_new(ManagerConfig::new()).expect_err("there is no registry");
    assert_eq!(error.to_string(), text);
    assert_eq!(Wield::index(), None);
    assert_eq!(Blade::TYPE.name(), Sword::TYPE.name());
    // Without a manager the first look at the name tells.
    let error = data::find("twins.Sword").expect_err("there are two");
    assert!(
        error
            .to_string()
            .starts_with("several types are called `twins.Sword`"),
        "{error}"
    );
    assert!(matches!(
        data::restore(b"no save", ManagerConfig::new()),
        Err(RestoreError::NotASave)
    ));
}
