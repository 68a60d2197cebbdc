//! The classic design: an object has components, and a component has a list of heap-allocated handlers.
//! A message walks the lists and asks each handler, through a virtual call, for the id of the message it
//! handles.
//!
//! This is how message systems of object-oriented engines worked before they had indices: simple, open,
//! and with a cache miss for each handler that is asked.

mod cascade;
mod handler;
mod handlers;
mod one_object;
mod request;
mod send;
mod world;

use crate::compare::{Contender, Workload};

pub(super) fn contenders() -> Vec<Contender> {
    let one = |workload, prepare| Contender::new(workload, "peer classic: handler list", prepare);
    let mut all = vec![
        one(Workload::W1, send::prepare),
        one(Workload::W3Out, request::prepare_from_outside),
        one(Workload::W3In, request::prepare_from_inside),
        one(Workload::W4, one_object::prepare),
        one(Workload::W8, cascade::prepare),
    ];
    all.extend(Workload::W2.map(|workload| one(workload, send::prepare_broadcast)));
    all
}
