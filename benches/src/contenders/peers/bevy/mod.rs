//! Bevy's ECS, with its clock for W5: events that observers receive, commands that run later, and
//! messages that systems read.
//!
//! A message to one object is an `EntityEvent`. One observer for its type receives it and fetches the
//! component with a query: that is how the examples do it, and it is faster than an observer for
//! each object. An observer's triggers are commands, which run after all observers of the event have
//! run. Therefore W3-in and W8 are deferred: in W3-in the reply comes back as another event.
//!
//! W5 uses `delayed()` commands of `bevy_time`. They provide no handle for cancelling, so W5-cancel is
//! left out. A timer on an entity of its own could be despawned, but entities are visited in an order
//! that changes when one of them goes, so timers that are due together would not fire in posting order.
//!
//! W6 uses `Messages` that name their recipients, and one system that reads them and gives each
//! recipient its own: with a reader for each recipient, each one would look at all messages. W6-pass is
//! what they are made for; in W6-batch they are written by `write_batch`.

mod batch;
mod broadcast;
mod cascade;
mod delayed;
mod events;
mod mail;
mod observers;
mod request;
mod send;
mod stream;
mod turnover;
mod world;

use crate::compare::{Contender, Workload};

pub(super) fn contenders() -> Vec<Contender> {
    let one = Contender::new;
    let mut all = vec![
        one(
            Workload::W1,
            "peer bevy_ecs: EntityEvent, global observer",
            send::prepare,
        ),
        one(
            Workload::W3Out,
            "peer bevy_ecs: reply written into the event",
            request::prepare_from_outside,
        ),
        one(
            Workload::W3In,
            "peer bevy_ecs: reply by event, deferred",
            request::prepare_from_inside,
        ),
        one(
            Workload::W4,
            "peer bevy_ecs: match and EntityEvent",
            send::prepare_one_object,
        ),
        one(
            Workload::W5,
            "peer bevy_ecs: delayed commands",
            delayed::prepare,
        ),
        one(
            Workload::W6,
            "peer bevy_ecs: Messages, one reader",
            mail::prepare,
        ),
        one(
            Workload::W6Pass,
            "peer bevy_ecs: Messages, one reader",
            stream::prepare,
        ),
        one(
            Workload::W6Batch,
            "peer bevy_ecs: Messages::write_batch, one reader",
            batch::prepare,
        ),
        one(
            Workload::W7,
            "peer bevy_ecs: observers of one event",
            observers::prepare,
        ),
        one(
            Workload::W8,
            "peer bevy_ecs: Commands, deferred",
            cascade::prepare,
        ),
        one(
            Workload::W9,
            "peer bevy_ecs: despawn and spawn of a bundle",
            turnover::prepare,
        ),
    ];
    let broadcast = |workload| one(workload, "peer bevy_ecs: global event", broadcast::prepare);
    all.extend(Workload::W2.map(broadcast));
    all
}
