//! The best plain Rust for each row: the reference for all other contenders.
//!
//! Nothing here checks whether an object is alive, maintains an order that is not needed, or can be
//! reconfigured. A floor is never slowed down.

mod addresses;
mod batch;
mod broadcast;
mod cascade;
mod dying;
mod hooks;
mod mail;
mod newcomers;
mod objects;
mod request;
#[cfg(feature = "rooms")]
mod rooms;
mod schedule;
mod send;
mod stream;
mod subscribers;
mod table;
mod turnover;
mod volleys;
mod way;

use crate::compare::{Contender, Workload};
use way::{Caught, Direct, Recorded, Watched};

pub(super) fn contenders() -> Vec<Contender> {
    let mut all = sends();
    all.extend(broadcasts());
    all.extend(requests());
    all.extend(cascades());
    all.extend(posts());
    all.extend(others());
    #[cfg(feature = "rooms")]
    all.extend([
        Contender::new(
            Workload::W10,
            "floor: a Vec of messages, read once",
            rooms::prepare,
        ),
        Contender::new(
            Workload::W10Frame,
            "floor: loops over Vecs",
            rooms::prepare_frames,
        ),
    ]);
    all
}

fn sends() -> Vec<Contender> {
    let name = "floor: virtual call on the right Box<dyn>";
    let one = |workload, prepare| Contender::new(workload, name, prepare);
    vec![
        one(Workload::W1, send::prepare::<Direct>),
        Contender::new(
            Workload::W1Two,
            "floor: virtual calls on two of the Box<dyn>",
            send::prepare_two,
        ),
        one(Workload::W1Second, send::prepare::<Direct>),
        Contender::new(
            Workload::W1Watched,
            "floor: virtual call and boxed closure",
            send::prepare::<Watched>,
        ),
        one(Workload::W1PastType, send::prepare::<Direct>),
        one(Workload::W1PastTo, send::prepare::<Direct>),
        one(Workload::W1PastFrom, send::prepare::<Direct>),
        one(Workload::W1PastMany, send::prepare::<Direct>),
        one(Workload::W1PastTag, send::prepare::<Direct>),
        Contender::new(
            Workload::W1Unhook,
            "floor: virtual call in catch_unwind",
            send::prepare::<Caught>,
        ),
        Contender::new(
            Workload::W1Mnemonic,
            "floor: table of names, virtual call",
            addresses::prepare::<1>,
        ),
        Contender::new(
            Workload::W1Group,
            "floor: table of members, virtual calls",
            addresses::prepare::<8>,
        ),
        Contender::new(
            Workload::W1Up,
            "floor: table of ancestors, virtual calls",
            addresses::prepare::<4>,
        ),
        Contender::new(
            Workload::W1Traced,
            "floor: virtual call and a number in a ring",
            send::prepare::<Recorded>,
        ),
    ]
}

fn broadcasts() -> Vec<Contender> {
    let name = "floor: one Vec per component, plain loops";
    let one = |workload| Contender::new(workload, name, broadcast::prepare);
    let mut all = Workload::W2.map(one).to_vec();
    all.extend([
        one(Workload::W2Layouts),
        one(Workload::W2Context),
        Contender::new(
            Workload::W2Dying,
            "floor: one Vec per component, swap_remove",
            dying::prepare,
        ),
    ]);
    all
}

fn requests() -> Vec<Contender> {
    let name = "floor: virtual call that returns the field";
    let one = |workload, prepare| Contender::new(workload, name, prepare);
    vec![
        one(Workload::W3Out, request::prepare_from_outside::<Direct>),
        one(Workload::W3In, request::prepare_from_inside),
        Contender::new(
            Workload::W3Two,
            "floor: virtual calls that return an Option",
            request::prepare_two,
        ),
        Contender::new(
            Workload::W3Watched,
            "floor: virtual call and boxed closure",
            request::prepare_from_outside::<Watched>,
        ),
        Contender::new(
            Workload::W3Unhook,
            "floor: virtual call in catch_unwind",
            request::prepare_from_outside::<Caught>,
        ),
    ]
}

fn cascades() -> Vec<Contender> {
    let one = Contender::new;
    vec![
        one(
            Workload::W8,
            "floor: nested virtual call",
            cascade::prepare::<Direct>,
        ),
        one(
            Workload::W8Two,
            "floor: nested virtual calls on two Box<dyn>",
            cascade::prepare_two,
        ),
        one(
            Workload::W8Watched,
            "floor: nested virtual call and boxed closure",
            cascade::prepare::<Watched>,
        ),
        one(
            Workload::W8Unhook,
            "floor: nested virtual call in catch_unwind",
            cascade::prepare::<Caught>,
        ),
    ]
}

fn posts() -> Vec<Contender> {
    let name = "floor: ring of one Vec per frame";
    let one = |workload, prepare| Contender::new(workload, name, prepare);
    vec![
        one(Workload::W5, schedule::prepare),
        Contender::new(
            Workload::W5Cancel,
            "floor: ring of Option",
            schedule::prepare_with_cancel,
        ),
        one(Workload::W5Context, schedule::prepare),
        one(Workload::W5Word, schedule::prepare_words),
        Contender::new(
            Workload::W5Mixed,
            "floor: ring of one Vec of an enum per frame",
            schedule::prepare_mixed,
        ),
        Contender::new(
            Workload::W5Batch,
            "floor: ring of one Vec per frame, extended",
            volleys::prepare,
        ),
        Contender::new(
            Workload::W5Heard,
            "floor: ring of one Vec per frame and a boxed closure",
            schedule::prepare_heard,
        ),
        one(Workload::W5Header, schedule::prepare),
        one(Workload::W5Two, schedule::prepare_two),
        Contender::new(
            Workload::W5Ten,
            "floor: a BinaryHeap",
            schedule::prepare_sparse::<10>,
        ),
        Contender::new(
            Workload::W5One,
            "floor: a BinaryHeap",
            schedule::prepare_sparse::<1>,
        ),
    ]
}

fn others() -> Vec<Contender> {
    let one = Contender::new;
    vec![
        one(
            Workload::W4,
            "floor: table of 15 function pointers",
            table::prepare,
        ),
        one(
            Workload::W6,
            "floor: one Vec, indexed directly",
            mail::prepare,
        ),
        one(
            Workload::W6Pass,
            "floor: one Vec, read in one pass",
            stream::prepare,
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
        one(
            Workload::W9,
            "floor: slab of whole objects",
            turnover::prepare,
        ),
        one(
            Workload::W9Fifth,
            "floor: an Option in each whole object",
            hooks::prepare,
        ),
        one(
            Workload::W9Many,
            "floor: slab of boxed closures, table of names",
            newcomers::prepare,
        ),
    ]
}
