//! Rows that another crate than message-core leaves in the registry.

use std::any::TypeId;
use std::sync::atomic::{AtomicU32, Ordering};

use message_core::prelude::*;
use message_core::registry::{Collected, Declared, Place, RegistryRow};
use message_core::{Registry, registry_row, registry_rows};

/// A type with an icon, and a type with a sound: rows of two types.
#[derive(Debug)]
struct Icon(fn() -> TypeId, &'static str);

#[derive(Debug)]
struct Sound(fn() -> TypeId, &'static str);

const PLACE: Place = Place {
    file: file!(),
    line: line!(),
};

impl RegistryRow for Icon {
    fn subject(&self) -> TypeId {
        (self.0)()
    }

    fn declared(&self) -> Declared {
        Declared {
            name: self.1,
            place: PLACE,
        }
    }
}

impl RegistryRow for Sound {
    fn subject(&self) -> TypeId {
        (self.0)()
    }

    fn declared(&self) -> Declared {
        Declared {
            name: self.1,
            place: PLACE,
        }
    }
}

struct Orc;
struct Elf;

registry_row!(&Icon(TypeId::of::<Orc>, "orc"));
registry_row!(&Icon(TypeId::of::<Elf>, "elf"));
// One subject is linked in twice.
registry_row!(&Icon(TypeId::of::<Elf>, "elf"));
// The name of another subject, in a row of another type.
registry_row!(&Sound(TypeId::of::<Elf>, "orc"));

#[test]
fn rows_are_found_by_their_type() {
    let mut icons: Vec<_> = registry_rows::<Icon>().map(|row| row.1).collect();
    icons.sort_unstable();
    assert_eq!(icons, ["elf", "elf", "orc"]);
    assert_eq!(registry_rows::<Sound>().count(), 1);
}

#[test]
fn rows_of_different_types_and_rows_of_one_subject_can_have_one_name() {
    assert!(message_core::try_registry().is_ok());
}

#[test]
fn a_collected_value_is_made_again_after_an_extension() {
    static MADE: AtomicU32 = AtomicU32::new(0);
    static ICONS: Collected<usize> = Collected::empty();
    let count = || {
        ICONS.get(|| {
            MADE.fetch_add(1, Ordering::Relaxed);
            registry_rows::<Icon>().count()
        })
    };
    // The first manager publishes the registry, which is no extension.
    drop(MessageManager::new());
    let first = count();
    assert_eq!((count(), MADE.load(Ordering::Relaxed)), (&3, 1));
    Registry::builder().extend().expect("nothing is new");
    assert_eq!((count(), MADE.load(Ordering::Relaxed)), (&3, 2));
    assert_eq!(*first, 3);
}
