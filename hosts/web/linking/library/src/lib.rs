//! Messages, handlers, data and names in several modules, which become several object files. Programs
//! do not use any of its code.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

use message_core::prelude::*;

mod inner;

/// A message to the crate's root.
#[derive(Message)]
#[message(name = "library.root")]
pub struct Root;

/// A listener in the crate's root.
pub struct Ear;

#[handlers]
impl Ear {
    #[on_receive]
    fn root(&mut self, _: &Root) {}
}

mnemonic! {
    /// A mnemonic that no code uses: the program finds it with `data::declared_mnemonics`.
    #[allow(dead_code)]
    LIGHTHOUSE,
}

/// Declares the same names in a function.
pub fn function() {
    #[derive(Message)]
    #[message(name = "library.function")]
    struct Root;

    struct Ear;

    #[handlers]
    impl Ear {
        #[on_receive]
        fn function(&mut self, _: &Root) {}
    }
}
