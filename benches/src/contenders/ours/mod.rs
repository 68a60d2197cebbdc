//! message-core, used as its documentation recommends: spawned once, addressed by id, with every result
//! checked.

mod addresses;
mod batch;
mod broadcast;
mod cascade;
mod dying;
mod dynamic;
mod handlers;
mod hooks;
mod in_context;
mod layouts;
mod mail;
mod names;
mod newcomers;
mod one_object;
mod request;
#[cfg(feature = "rooms")]
mod rooms;
mod schedule;
mod send;
mod setting;
mod stream;
mod subscribers;
mod turnover;
mod volleys;
mod world;

use crate::compare::{Contender, Workload};
use setting::Setting;

pub(super) fn contenders() -> Vec<Contender> {
    let mut all = sends();
    all.extend(addresses());
    all.extend(broadcasts());
    all.extend(requests());
    all.extend(cascades());
    all.extend(posts());
    all.extend(mail());
    all.extend(others());
    #[cfg(feature = "rooms")]
    all.extend(rooms());
    all
}

/// Returns a line for messages between rooms, and one for those inside a room; and one for each number of threads.
#[cfg(feature = "rooms")]
fn rooms() -> Vec<Contender> {
    let one = Contender::new;
    vec![
        one(
            Workload::W10,
            "message-core: send to another room",
            rooms::prepare_between,
        ),
        one(
            Workload::W10,
            "message-core: send in the same room",
            rooms::prepare_inside,
        ),
        one(
            Workload::W10Frame,
            "message-core: two threads",
            rooms::prepare_frames::<2>,
        ),
        one(
            Workload::W10Frame,
            "message-core: one thread",
            rooms::prepare_frames::<1>,
        ),
    ]
}

fn sends() -> Vec<Contender> {
    let sends = |workload, prepare| Contender::new(workload, "message-core: send", prepare);
    vec![
        sends(Workload::W1, |size| send::prepare(size, Setting::Plain)),
        sends(Workload::W1Two, send::prepare_two),
        sends(Workload::W1Second, send::prepare_second),
        sends(Workload::W1Watched, |size| {
            send::prepare(size, Setting::Watched)
        }),
        sends(Workload::W1PastType, |size| {
            send::prepare(size, Setting::PastType)
        }),
        sends(Workload::W1PastTo, |size| {
            send::prepare(size, Setting::PastTo)
        }),
        sends(Workload::W1PastFrom, |size| {
            send::prepare(size, Setting::PastFrom)
        }),
        sends(Workload::W1PastMany, |size| {
            send::prepare(size, Setting::PastMany)
        }),
        sends(Workload::W1PastTag, |size| {
            send::prepare(size, Setting::PastTag)
        }),
        sends(Workload::W1Unhook, |size| {
            send::prepare(size, Setting::Unhook)
        }),
        sends(Workload::W1Traced, |size| {
            send::prepare(size, Setting::Traced)
        }),
        Contender::new(
            Workload::W4,
            "message-core: match and send",
            one_object::prepare,
        ),
        Contender::new(Workload::W4, "message-core: send_any", dynamic::prepare),
    ]
}

/// Returns a line that sends to addresses, and one with the equivalent plain sends, for each kind of address.
fn addresses() -> Vec<Contender> {
    let one = Contender::new;
    let plain =
        |workload, prepare| one(workload, "message-core: a send to each by its id", prepare);
    vec![
        one(
            Workload::W1Mnemonic,
            "message-core: send to a mnemonic",
            addresses::prepare_mnemonics,
        ),
        plain(Workload::W1Mnemonic, addresses::prepare_ids::<1>),
        one(
            Workload::W1Group,
            "message-core: send to a group",
            addresses::prepare_groups,
        ),
        plain(Workload::W1Group, addresses::prepare_ids::<8>),
        one(
            Workload::W1Up,
            "message-core: send to Up",
            addresses::prepare_families,
        ),
        plain(Workload::W1Up, addresses::prepare_ids::<4>),
    ]
}

fn broadcasts() -> Vec<Contender> {
    let name = "message-core: send to Everyone";
    let one = |workload, prepare| Contender::new(workload, name, prepare);
    let mut all = Workload::W2
        .map(|workload| one(workload, broadcast::prepare))
        .to_vec();
    all.extend([
        one(Workload::W2Layouts, broadcast::prepare_among_layouts),
        one(Workload::W2Context, broadcast::prepare_with_context),
        one(Workload::W2Dying, dying::prepare),
        Contender::new(
            Workload::W2Dying,
            "message-core: the same, with the despawning",
            dying::prepare_with_despawning,
        ),
    ]);
    all
}

fn requests() -> Vec<Contender> {
    let requests = |workload, prepare| Contender::new(workload, "message-core: request", prepare);
    vec![
        requests(Workload::W3Out, |size| {
            request::prepare_from_outside(size, Setting::Plain)
        }),
        Contender::new(
            Workload::W3In,
            "message-core: request in a handler",
            request::prepare_from_inside,
        ),
        requests(Workload::W3Two, request::prepare_two),
        requests(Workload::W3Watched, |size| {
            request::prepare_from_outside(size, Setting::Watched)
        }),
        requests(Workload::W3Unhook, |size| {
            request::prepare_from_outside(size, Setting::Unhook)
        }),
    ]
}

fn cascades() -> Vec<Contender> {
    let name = "message-core: send in a handler";
    let cascades = |workload, prepare| Contender::new(workload, name, prepare);
    vec![
        cascades(Workload::W8, |size| cascade::prepare(size, Setting::Plain)),
        cascades(Workload::W8Two, cascade::prepare_two),
        cascades(Workload::W8Watched, |size| {
            cascade::prepare(size, Setting::Watched)
        }),
        cascades(Workload::W8Unhook, |size| {
            cascade::prepare(size, Setting::Unhook)
        }),
    ]
}

fn posts() -> Vec<Contender> {
    let posts = |workload, prepare| Contender::new(workload, "message-core: post", prepare);
    vec![
        posts(Workload::W5, schedule::prepare),
        Contender::new(
            Workload::W5,
            "message-core: post by time",
            schedule::prepare_by_time,
        ),
        Contender::new(
            Workload::W5Cancel,
            "message-core: post and cancel",
            schedule::prepare_with_cancel,
        ),
        posts(Workload::W5Context, schedule::prepare_with_context),
        posts(Workload::W5Word, schedule::prepare_words),
        posts(Workload::W5Mixed, schedule::prepare_mixed),
        Contender::new(
            Workload::W5Batch,
            "message-core: post_each",
            volleys::prepare,
        ),
        Contender::new(
            Workload::W5Batch,
            "message-core: post one by one",
            volleys::prepare_one_by_one,
        ),
        posts(Workload::W5Heard, schedule::prepare_heard),
        Contender::new(
            Workload::W5Header,
            "message-core: post if_alive",
            schedule::prepare_if_alive,
        ),
        Contender::new(
            Workload::W5Header,
            "message-core: post require",
            schedule::prepare_require,
        ),
        Contender::new(
            Workload::W5Header,
            "message-core: post bound",
            schedule::prepare_bound,
        ),
        posts(Workload::W5Two, schedule::prepare_two),
        posts(Workload::W5Ten, schedule::prepare_sparse::<10>),
        posts(Workload::W5One, schedule::prepare_sparse::<1>),
    ]
}

fn mail() -> Vec<Contender> {
    vec![
        Contender::new(
            Workload::W6,
            "message-core: publish and inbox",
            mail::prepare,
        ),
        Contender::new(
            Workload::W6Pass,
            "message-core: publish to Everyone and inbox",
            stream::prepare,
        ),
        Contender::new(
            Workload::W6Pass,
            "message-core: writer to Everyone and inbox",
            stream::prepare_writer,
        ),
        Contender::new(
            Workload::W6Pass,
            "message-core: publish to an id and inbox",
            stream::prepare_to_ids,
        ),
        Contender::new(
            Workload::W6Batch,
            "message-core: publish_each and inbox",
            batch::prepare,
        ),
        Contender::new(
            Workload::W6Batch,
            "message-core: publish one by one and inbox",
            batch::prepare_one_by_one,
        ),
    ]
}

fn others() -> Vec<Contender> {
    vec![
        Contender::new(
            Workload::W7,
            "message-core: subscribe",
            subscribers::prepare,
        ),
        Contender::new(
            Workload::W9,
            "message-core: despawn and spawn",
            turnover::prepare,
        ),
        Contender::new(
            Workload::W9Fifth,
            "message-core: hook and unhook",
            hooks::prepare,
        ),
        Contender::new(
            Workload::W9Many,
            "message-core: subscribe and bind",
            newcomers::prepare,
        ),
    ]
}
