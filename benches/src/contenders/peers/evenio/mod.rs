//! evenio: handlers are functions whose parameters declare what they listen for and what they access.
//!
//! A message to one object is a targeted event, whose receiver names the component that it needs; a
//! message to all is a global event, whose handlers iterate over all entities with the component. An
//! event that a handler sends is queued and delivered after the handler has returned. Therefore W3-in and
//! W8 are deferred: in W3-in the reply comes back as another event.
//!
//! W5 is left out because it needs a clock or a queue, which evenio does not have. W6 is left out because
//! all events are pushed, and none is kept for reading in the next frame.

mod broadcast;
mod cascade;
mod events;
mod request;
mod send;
mod subscribers;
mod turnover;
mod world;

use crate::compare::{Contender, Workload};

pub(super) fn contenders() -> Vec<Contender> {
    let one = Contender::new;
    let mut all = vec![
        one(Workload::W1, "peer evenio: targeted event", send::prepare),
        one(
            Workload::W3Out,
            "peer evenio: reply written into the event",
            request::prepare_from_outside,
        ),
        one(
            Workload::W3In,
            "peer evenio: reply by event, deferred",
            request::prepare_from_inside,
        ),
        one(
            Workload::W4,
            "peer evenio: match and targeted event",
            send::prepare_one_object,
        ),
        one(
            Workload::W7,
            "peer evenio: handlers of one global event",
            subscribers::prepare,
        ),
        one(
            Workload::W8,
            "peer evenio: Sender, deferred",
            cascade::prepare,
        ),
        one(
            Workload::W9,
            "peer evenio: despawn, spawn and four inserts",
            turnover::prepare,
        ),
    ];
    let broadcast = |workload| one(workload, "peer evenio: global event", broadcast::prepare);
    all.extend(Workload::W2.map(broadcast));
    all
}
