//! Messages, handlers, data and names in several modules, which become several object files. No program
//! uses any code of it.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

use message_core::prelude::*;

mod inner;

/// Said to the crate's root.
#[derive(Message)]
#[message(name = "library.root")]
pub struct Root;

/// Listens in the crate's root.
pub struct Ear;

#[handlers]
impl Ear {
    #[on_receive]
    fn root(&mut self, _: &Root) {}
}

mnemonic! {
    /// A name that nothing else stands beside.
    #[allow(dead_code)]
    LIGHTHOUSE,
}

/// The same names in a function.
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
