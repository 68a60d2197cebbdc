//! A module that nothing refers to.

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

#[derive(Message, Data, Serialize, Deserialize)]
#[message(name = "library.inner")]
#[data(exact)]
struct Inner {
    depth: u32,
}

/// Serialized and deserialized by name.
#[derive(Data, Serialize, Deserialize)]
#[data(name = "library.ear")]
struct Ear;

#[handlers]
impl Ear {
    #[on_receive]
    fn inner(&mut self, inner: &Inner) {
        let _ = inner.depth;
    }
}

mod deep {
    use super::Inner;
    use message_core::prelude::*;

    #[derive(Message)]
    #[message(name = "library.deep")]
    struct Deep;

    struct Ear;

    #[handlers]
    impl Ear {
        #[on_receive]
        fn deep(&mut self, _: &Deep) {}

        #[on_receive]
        fn inner(&mut self, _: &Inner) {}
    }
}
