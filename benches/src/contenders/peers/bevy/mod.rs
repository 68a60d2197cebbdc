//! Bevy's ECS, with its clock for W5: events that observers hear, commands that are done later, and
//! messages that systems read.
//!
//! A message to one object is an `EntityEvent`, and it is heard by one observer for its type, which
//! fetches the component by a query: so the examples do it, and it is faster than an observer for
//! each object. What an observer triggers is a command, done when all observers of the event have
//! run, so W3-in and W8 are deferred: in W3-in the reply comes back as another event.
//!
//! W5 is `delayed()` commands of `bevy_time`. They give no handle to take one back, and W5-cancel is
//! left out: a timer on an entity of its own can be despawned, but entities are visited in an order
//! that changes when one of them goes, so what falls due together would not arrive as it was posted.
//!
//! W6 is `Messages`, which carry whom they are for, and one system that reads them and gives each
//! recipient its own: with a reader for each recipient, each would look at all messages. W6-pass is
//! what they are made for.

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
