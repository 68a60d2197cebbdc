//! The best plain Rust for each row: what everybody is measured against.
//!
//! Nothing here checks who is alive, keeps an order it was not asked for, or could be told to do
//! something else. A floor is never slowed down.

mod batch;
mod broadcast;
mod cascade;
mod mail;
mod objects;
mod request;
mod schedule;
mod send;
mod subscribers;
mod table;

use crate::compare::{Contender, Workload};

pub(super) fn contenders() -> Vec<Contender> {
    let one = Contender::new;
    let columns = "floor: one Vec per component, plain loops";
    let mut all = vec![
        one(
            Workload::W1,
            "floor: virtual call on the right Box<dyn>",
            send::prepare,
        ),
        one(
            Workload::W3Out,
            "floor: virtual call that returns the field",
            request::prepare_from_outside,
        ),
        one(
            Workload::W3In,
            "floor: virtual call that returns the field",
            request::prepare_from_inside,
        ),
        one(
            Workload::W4,
            "floor: table of 15 function pointers",
            table::prepare,
        ),
        one(
            Workload::W5,
            "floor: ring of one Vec per frame",
            schedule::prepare,
        ),
        one(
            Workload::W5Cancel,
            "floor: ring of Option",
            schedule::prepare_with_cancel,
        ),
        one(
            Workload::W6,
            "floor: one Vec, indexed directly",
            mail::prepare,
        ),
        one(
            Workload::W6Batch,
            "floor: one Vec, extended",
            batch::prepare,
        ),
        one(
            Workload::W7,
            "floor: Vec<Box<dyn FnMut(&M)>>",
            subscribers::prepare,
        ),
        one(Workload::W8, "floor: nested virtual call", cascade::prepare),
    ];
    all.extend(Workload::W2.map(|workload| one(workload, columns, broadcast::prepare)));
    all
}
