//! The best plain Rust for each row: what everybody is measured against.
//!
//! Nothing here checks who is alive, keeps an order it was not asked for, or could be told to do
//! something else. A floor is never slowed down.

mod objects;
mod send;

use crate::compare::{Contender, Workload};

pub(super) fn contenders() -> Vec<Contender> {
    vec![Contender {
        workload: Workload::W1,
        name: "floor: virtual call on the right Box<dyn>",
        prepare: send::prepare,
    }]
}
