//! message-core, used as its documentation advises: spawned once, addressed by id, every result
//! looked at.

mod batch;
mod broadcast;
mod cascade;
mod dynamic;
mod handlers;
mod mail;
mod one_object;
mod request;
mod schedule;
mod send;
mod subscribers;
mod world;

use crate::compare::{Contender, Workload};

pub(super) fn contenders() -> Vec<Contender> {
    let one = Contender::new;
    let mut all = vec![
        one(Workload::W1, "message-core: send", send::prepare),
        one(
            Workload::W3Out,
            "message-core: request",
            request::prepare_from_outside,
        ),
        one(
            Workload::W3In,
            "message-core: request in a handler",
            request::prepare_from_inside,
        ),
        one(
            Workload::W4,
            "message-core: match and send",
            one_object::prepare,
        ),
        one(Workload::W4, "message-core: send_any", dynamic::prepare),
        one(Workload::W5, "message-core: post", schedule::prepare),
        one(
            Workload::W5Cancel,
            "message-core: post and cancel",
            schedule::prepare_with_cancel,
        ),
        one(
            Workload::W6,
            "message-core: publish and inbox",
            mail::prepare,
        ),
        one(
            Workload::W6Batch,
            "message-core: publish_each and inbox",
            batch::prepare,
        ),
        one(
            Workload::W6Batch,
            "message-core: publish one by one and inbox",
            batch::prepare_one_by_one,
        ),
        one(
            Workload::W7,
            "message-core: subscribe",
            subscribers::prepare,
        ),
        one(
            Workload::W8,
            "message-core: send in a handler",
            cascade::prepare,
        ),
    ];
    let broadcast = |workload| {
        one(
            workload,
            "message-core: send to Everyone",
            broadcast::prepare,
        )
    };
    all.extend(Workload::W2.map(broadcast));
    all
}

pub(super) fn by_time() -> Contender {
    Contender::new(
        Workload::W5,
        "message-core: post by time",
        schedule::prepare_by_time,
    )
}
