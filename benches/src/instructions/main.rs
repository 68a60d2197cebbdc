//! The functions of message-core whose instructions are counted.

/// Declares component types with one field, each of which adds up the numbers of a message type.
macro_rules! sums {
    ($($name:ident of $message:ident),*) => {
        $(
            struct $name(u64);

            #[handlers]
            impl $name {
                #[on_receive]
                fn add(&mut self, message: &$message) {
                    self.0 = self.0.wrapping_add(message.0);
                }
            }
        )*
    };
}

mod addressing;
mod counted;
mod listening;
mod living;
mod posting;
mod sending;

use std::process::ExitCode;

use counted::{Function, OBJECTS, OPERATIONS, Round};

fn main() -> ExitCode {
    counted::run(&[
        &sending::FUNCTIONS,
        &addressing::FUNCTIONS,
        &posting::FUNCTIONS,
        &listening::FUNCTIONS,
        &living::FUNCTIONS,
    ])
}
