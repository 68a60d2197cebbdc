//! A program in which two message types have one id, twice over.

use std::panic::{AssertUnwindSafe, catch_unwind};

use message_core::prelude::*;
use message_core::{Registry, RegistryError};
use message_core::{
    registry::{Declared, Place},
    try_registry,
};

const FIRST_AT: u32 = line!() + 1;
#[derive(Message)]
#[message(name = "game.same")]
struct First;

mod elsewhere {
    use message_core::prelude::*;

    pub(super) const SECOND_AT: u32 = line!() + 1;
    #[derive(Message)]
    #[message(name = "game.same")]
    pub(super) struct Second;
}

use elsewhere::Second;

const LOW_AT: u32 = line!() + 1;
#[derive(Message)]
#[message(name = "game.other")]
struct Low;

const HIGH_AT: u32 = line!() + 1;
#[derive(Message)]
#[message(name = "game.other")]
struct High;

#[derive(Message)]
struct Innocent;

struct Ears {
    heard: u32,
}

#[handlers]
impl Ears {
    #[on_receive]
    fn first(&mut self, _: &First) {
        self.heard += 1;
    }

    #[on_receive]
    fn second(&mut self, _: &Second) {
        self.heard += 1;
    }

    #[on_receive]
    fn innocent(&mut self, _: &Innocent) {
        self.heard += 1;
    }
}

fn declared(name: &'static str, line: u32) -> Declared {
    let place = Place {
        file: file!(),
        line,
    };
    Declared { name, place }
}

fn text() -> String {
    let file = file!();
    let (same, other) = (First::ID, Low::ID);
    let second = elsewhere::SECOND_AT;
    format!(
        "two message types have the id {other}: `game.other` at {file}:{LOW_AT}, and \
         `game.other` at {file}:{HIGH_AT}; \
         give one of them a name of its own with `#[message(name = \"…\")]`\n\
         two message types have the id {same}: `game.same` at {file}:{FIRST_AT}, and \
         `game.same` at {file}:{second}; \
         give one of them a name of its own with `#[message(name = \"…\")]`"
    )
}

fn panic_text(call: impl FnOnce()) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(call)).err()?;
    payload.downcast_ref::<String>().cloned()
}

// holds: identity.duplicates-reported
#[test]
fn two_types_with_one_id_are_reported_with_both_places() {
    assert_eq!(First::ID, Second::ID);
    assert_eq!(Low::ID, High::ID);
    let error = try_registry().expect_err("two types have one id");
    let same = (
        First::ID,
        declared("game.same", FIRST_AT),
        declared("game.same", elsewhere::SECOND_AT),
    );
    let other = (
        Low::ID,
        declared("game.other", LOW_AT),
        declared("game.other", HIGH_AT),
    );
    assert_eq!(error, &RegistryError::DuplicateIds(vec![other, same]));
    assert_eq!(error.to_string(), text());
}

#[test]
fn the_report_is_the_same_each_time() {
    assert_eq!(
        try_registry().expect_err("two types have one id"),
        try_registry().expect_err("two types have one id")
    );
}

// holds: identity.duplicates-reported
#[test]
fn no_manager_is_made_so_no_message_flows() {
    let error = MessageManager::try_new(ManagerConfig::new()).expect_err("two types have one id");
    assert_eq!(error.to_string(), text());
    let panicked = panic_text(|| drop(MessageManager::new()));
    assert_eq!(panicked, Some(text()));
    let panicked = panic_text(|| drop(MessageManager::default()));
    assert_eq!(panicked, Some(text()));
    let panicked = panic_text(|| drop(MessageManager::with_config(ManagerConfig::new())));
    assert_eq!(panicked, Some(text()));
}

// holds: identity.duplicates-reported
#[test]
fn the_registry_itself_panics_with_the_report() {
    let panicked = panic_text(|| {
        let _ = message_core::registry();
    });
    assert_eq!(panicked, Some(text()));
}

#[test]
fn the_registry_cannot_be_published_by_hand_either() {
    let _ = try_registry();
    let refused = Registry::builder().message::<Innocent>().publish();
    assert!(refused.is_err());
}

#[test]
fn no_message_type_is_numbered() {
    let _ = try_registry();
    assert_eq!(First::index(), None);
    assert_eq!(Innocent::index(), None);
}

#[test]
fn handlers_can_still_be_called_directly() {
    let mut ears = Ears { heard: 0 };
    ears.first(&First);
    ears.second(&Second);
    ears.innocent(&Innocent);
    assert_eq!(ears.heard, 3);
}
