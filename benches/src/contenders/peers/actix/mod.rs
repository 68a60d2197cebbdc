//! actix: actors with mailboxes, on one thread.
//!
//! An object is an actor that owns its four components. A message that needs no answer is sent with
//! `do_send`, as the guide recommends, and waits in the actor's mailbox until the runtime gets to it.
//! Therefore a pass sends all of its messages, and then lets the actors run until all are handled; the
//! actors count the messages they handle for that purpose. W3-out awaits each reply before it sends the next
//! request. In W3-in and W8 many requests and chains are in progress at a time, each queued hop by hop.
//!
//! A message to all, in W2 and W7, is a loop over addresses. W6 uses the mailboxes that actors have.
//!
//! W5 is left out because `run_later` and `notify_later` use wall-clock time, not frames. The two larger
//! sizes of W2 are left out too: an actor is a task, a hundred thousand of them no longer fit into
//! a cache, and a run of the comparison would spend most of its time waiting for them.

mod cascade;
mod mail;
mod objects;
mod request;
mod running;
mod send;
mod subscribers;

use crate::compare::{Contender, Workload};

pub(super) fn contenders() -> Vec<Contender> {
    let one = Contender::new;
    vec![
        one(Workload::W1, "peer actix: do_send", send::prepare),
        one(
            Workload::W2Of1k,
            "peer actix: do_send to each",
            send::prepare_broadcast,
        ),
        one(
            Workload::W3Out,
            "peer actix: send and await",
            request::prepare_from_outside,
        ),
        one(
            Workload::W3In,
            "peer actix: send in a handler's future",
            request::prepare_from_inside,
        ),
        one(
            Workload::W4,
            "peer actix: match and do_send",
            send::prepare_one_object,
        ),
        one(Workload::W6, "peer actix: do_send", mail::prepare),
        one(
            Workload::W7,
            "peer actix: do_send to each Recipient",
            subscribers::prepare,
        ),
        one(
            Workload::W8,
            "peer actix: do_send in a handler, queued",
            cascade::prepare,
        ),
    ]
}
