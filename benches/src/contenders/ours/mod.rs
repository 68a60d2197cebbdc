//! message-core, used as its documentation advises: spawned once, addressed by id, every result
//! looked at.

mod handlers;
mod send;
mod world;

use crate::compare::{Contender, Workload};

pub(super) fn contenders() -> Vec<Contender> {
    vec![Contender {
        workload: Workload::W1,
        name: "message-core: send",
        prepare: send::prepare,
    }]
}
