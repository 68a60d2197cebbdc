//! Mnemonics and groups, declared by the hundred.

use message_core::{Group, Mnemonic};

/// Declares a mnemonic or a group for each path with a letter per `x`, ten by ten by ten.
macro_rules! paths {
    ($name:ident: $declare:ident $address:ident by $letters:tt) => {
        mod $name {
            paths!(@level $declare $address $letters);
        }
    };
    (@level $declare:ident $address:ident ()) => {
        message_core::$declare!(pub(super) NAME);

        pub(super) fn add_to(names: &mut Vec<message_core::$address>) {
            names.push(NAME);
        }
    };
    (@level $declare:ident $address:ident (x $($letters:tt)*)) => {
        paths!(@ten $declare $address ($($letters)*): a b c d e f g h i j);
    };
    (@ten $declare:ident $address:ident $letters:tt: $($name:ident)*) => {
        $(
            mod $name {
                paths!(@level $declare $address $letters);
            }
        )*

        pub(super) fn add_to(names: &mut Vec<message_core::$address>) {
            $($name::add_to(names);)*
        }
    };
}
paths!(staying: mnemonic Mnemonic by (x x x));
paths!(coming: mnemonic Mnemonic by (x x x));
paths!(joined: group Group by (x x));

/// Returns the permanent mnemonics of W9-many.
pub(super) fn thousand_mnemonics() -> Vec<Mnemonic> {
    let mut names = Vec::new();
    staying::add_to(&mut names);
    names
}

/// Returns the temporary mnemonics of W9-many.
pub(super) fn another_thousand_mnemonics() -> Vec<Mnemonic> {
    let mut names = Vec::new();
    coming::add_to(&mut names);
    names
}

/// Returns the groups of W1-group.
pub(super) fn hundred_groups() -> Vec<Group> {
    let mut groups = Vec::new();
    joined::add_to(&mut groups);
    groups
}
