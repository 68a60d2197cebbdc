//! One random step, taken in the manager and in the model.

use std::time::Duration;

use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;
use message_core::{PostKey, TagSet};

use crate::common::variant;

use super::hand::Hand;
use super::message::{Flyer, KINDS, Kind, Leaf, Note, Pallet, Parcel, Petal, unless_on_purpose};
use super::naive::{Choice, Plan, Wait};
use super::part::{Agent, Ear, Random, Run, Shared};
use super::people::{CAPTAIN, CREW, Part};

tag!(RED, BLUE);

/// The name of the keys that each sender has of its own.
const OWN: &str = "own";
const MILLISECOND: u64 = 1_000_000;
const DELAYS: [u64; 8] = [0, 1, 3, 8, 16, 40, 100, 700];
const PERIODS: [u64; 5] = [5, 16, 33, 100, 400];

/// Takes one random step, with a hand that posts on behalf of `me`.
pub(crate) fn take(shared: &Shared, hand: &mut impl Hand, me: Option<MessageeId>) {
    let mut run = shared.lock();
    let mut choice = run.random.below(24);
    if run.model.posts.len() > run.model.crowd && choice < 12 {
        choice += 10;
    }
    drop(run);
    match choice {
        0..14 => post(shared, hand, me),
        14..19 => cancel(shared, hand),
        19 | 20 => look(shared, hand),
        21 => spawn(shared, hand),
        22 => despawn(shared, hand),
        _ => change_clock(shared, hand),
    }
}

/// Posts very many messages, and half of the time cancels them all at once.
pub(crate) fn flood(shared: &Shared, hand: &mut impl Hand) {
    for _ in 0..2000 {
        post(shared, hand, None);
    }
    if shared.lock().random.one_in(2) {
        let outside = Choice::From(Sender::Outside);
        let cancelled = hand.cancel(outside.posts());
        assert_eq!(cancelled, shared.lock().model.cancel(outside));
    }
}

/// Posts many messages of alternating types that are due together, and cancels some of them.
pub(crate) fn rain(shared: &Shared, hand: &mut impl Hand) {
    let mut run = shared.lock();
    let Run { random, .. } = &mut *run;
    let (stage, delay) = (random.of(&Stage::WAITING), random.of(&DELAYS) * MILLISECOND);
    let kinds = random.of(&[
        [Kind::Leaf, Kind::Petal, Kind::Leaf, Kind::Petal],
        [Kind::Leaf, Kind::Petal, Kind::Petal, Kind::Note],
    ]);
    let posts = 40 + random.below(200);
    let cancelled = random.of(&[0, 10, 3]);
    drop(run);
    for at in 0..posts {
        let mut run = shared.lock();
        let ids = run.model.people.alive();
        if ids.is_empty() {
            return;
        }
        let (to, in_turn) = (run.random.of(&ids), run.random.one_in(2));
        let kind = if in_turn {
            kinds[at % 4]
        } else {
            run.random.of(&kinds)
        };
        let plan = Plan {
            kind,
            to: Recipient::Id(to),
            sender: None,
            stage,
            wait: Wait::Time,
            delay: Some(delay),
            period: None,
            times: None,
            key: None,
            own_key: false,
            bound: false,
            require: 0,
            tags: TagSet::EMPTY,
        };
        drop(run);
        post_as(shared, hand, plan);
        let mut run = shared.lock();
        if cancelled > 0 && run.random.one_in(cancelled) {
            let recent = run.tickets.len().saturating_sub(30);
            let among = run.tickets[recent..].to_vec();
            let choice = Choice::Ticket(run.random.of(&among));
            let expected = run.model.cancel(choice);
            drop(run);
            assert_eq!(hand.cancel(choice.posts()), expected);
        }
    }
}

fn post(shared: &Shared, hand: &mut impl Hand, me: Option<MessageeId>) {
    let plan = plan(&mut shared.lock(), me);
    post_as(shared, hand, plan);
}

fn post_as(shared: &Shared, hand: &mut impl Hand, plan: Plan) {
    let run = shared.lock();
    let number = run.model.posted + 1;
    let refusal = run.model.refusal(&plan);
    drop(run);
    let (header, heard) = (header(&plan), 0);
    let token = || shared.census.token();
    let ticket = match plan.kind {
        Kind::Note => hand.post(&header, Note { number, heard }),
        Kind::Flyer => hand.post(
            &header,
            Flyer {
                number,
                heard,
                _token: token(),
            },
        ),
        Kind::Parcel => hand.post(
            &header,
            Parcel {
                number,
                heard,
                _token: token(),
            },
        ),
        Kind::Pallet => hand.post(
            &header,
            Pallet {
                number,
                heard,
                _load: [number; 40],
                _token: token(),
            },
        ),
        Kind::Leaf => hand.post(&header, Leaf { number, heard }),
        Kind::Petal => hand.post(
            &header,
            Petal {
                number,
                heard,
                _token: token(),
            },
        ),
    };
    let mut run = shared.lock();
    match (ticket, refusal) {
        (Ok(ticket), None) => {
            run.model.post(plan, ticket);
            run.tickets.push(ticket);
        }
        (Err(error), Some(refusal)) => {
            assert_eq!(variant(&error), refusal, "{error} for {plan:?}");
            run.model.refused += 1;
        }
        (ticket, refusal) => panic!("{ticket:?} and {refusal:?} for {plan:?}"),
    }
}

fn plan(run: &mut Run, me: Option<MessageeId>) -> Plan {
    let stage = run.random.of(&Stage::WAITING);
    let to = recipient(run);
    let random = &mut run.random;
    let wait = random.of(&[Wait::Time, Wait::Time, Wait::Unscaled, Wait::Frames]);
    let units = |random: &mut Random, choices: &[u64]| match wait {
        Wait::Frames => random.below(6) as u64,
        _ => random.of(choices) * MILLISECOND + random.of(&[0, 0, 1]),
    };
    let period = random.one_in(4).then(|| units(random, &PERIODS).max(1));
    // The passes of `FixedUpdate` do not follow the frames.
    let follows = stage != Stage::FixedUpdate || wait != Wait::Frames;
    let period = period.filter(|_| follows);
    let times = period.and_then(|_| random.of(&[Some(1), Some(2), Some(3), Some(5), None]));
    let mut delay = (!random.one_in(4)).then(|| units(random, &DELAYS));
    if wait == Wait::Unscaled && period.is_none() {
        delay = delay.or(Some(2 * MILLISECOND));
    }
    let mut key = random.one_in(4).then(|| key(random));
    let own_key = key.is_none() && random.one_in(12);
    if own_key {
        let own = PostKey::from(OWN);
        key = Some(me.map_or(own, |me| own.of(me)));
    }
    Plan {
        kind: random.of(&KINDS),
        to,
        sender: me,
        stage,
        wait,
        delay,
        period,
        times,
        key,
        own_key,
        bound: random.one_in(5),
        require: random.of(&[0, 0, 0, 1, 2]),
        tags: random.of(&[TagSet::EMPTY, TagSet::EMPTY, RED.into(), RED | BLUE]),
    }
}

fn header(plan: &Plan) -> Header {
    let (time, frames) = match plan.wait {
        Wait::Frames => (None, plan.delay),
        _ => (plan.delay, None),
    };
    let mut header = Header::to(plan.to).stage(plan.stage).tags(plan.tags);
    if plan.require > 0 {
        header = header.require(plan.require);
    }
    if let Some(time) = time {
        header = header.after(Duration::from_nanos(time));
    }
    if let Some(frames) = frames {
        header = header.after_frames(frames);
    }
    if plan.wait == Wait::Unscaled {
        header = header.unscaled();
    }
    match (plan.period, plan.wait) {
        (Some(period), Wait::Frames) => header = header.every_frames(period),
        (Some(period), _) => header = header.every(Duration::from_nanos(period)),
        (None, _) => {}
    }
    if let Some(times) = plan.times {
        header = header.times(times);
    }
    if plan.own_key {
        header = header.key(OWN);
    } else if let Some(key) = plan.key {
        header = header.key(key);
    }
    if plan.bound {
        header = header.tied_to_sender();
    }
    header.build().expect("nothing in it contradicts")
}

fn key(random: &mut Random) -> PostKey {
    match random.below(5) {
        0 => PostKey::from("alone").shared(),
        number => PostKey::from(("numbered", number as u64)).shared(),
    }
}

/// Returns usually a messagee that is alive, sometimes one that is long gone.
fn any_id(run: &mut Run) -> Option<MessageeId> {
    let people = &run.model.people;
    let ids = if run.random.one_in(8) {
        people.all.clone()
    } else {
        people.alive()
    };
    (!ids.is_empty()).then(|| run.random.of(&ids))
}

fn recipient(run: &mut Run) -> Recipient {
    let Some(id) = any_id(run) else {
        return Everyone;
    };
    let id_alone = Recipient::Id(id);
    run.random.of(&[
        id_alone,
        id_alone,
        id_alone,
        Me,
        Everyone,
        EveryoneElse,
        CREW.into(),
        CAPTAIN.into(),
        Up(id),
        Down(id),
    ])
}

fn choice(run: &mut Run) -> Choice {
    let (to, kind) = (recipient(run), run.random.of(&KINDS));
    let recent = run.tickets.len().saturating_sub(40);
    // Among many, seldom more than one.
    let few = run.random.one_in(run.model.crowd / 48);
    match run.random.below(if few { 16 } else { 9 }) {
        0..6 if !run.tickets.is_empty() => Choice::Ticket(run.random.of(&run.tickets[recent..])),
        6 if let Recipient::Id(id) = to => Choice::Key((OWN, id).into()),
        0..9 => Choice::Key(key(&mut run.random)),
        9 | 10 => Choice::From(any_id(run).map_or(Sender::Outside, Sender::Messagee)),
        11 | 12 => Choice::To(to, kind),
        13 => Choice::Stage(run.random.of(&Stage::WAITING), kind),
        14 => Choice::Tags(BLUE.into()),
        _ if run.random.one_in(8) => Choice::All,
        _ => Choice::From(Sender::Outside),
    }
}

fn cancel(shared: &Shared, hand: &mut impl Hand) {
    let mut run = shared.lock();
    let choice = choice(&mut run);
    let hurts = run.panics.is_some() && run.random.one_in(3);
    drop(run);
    shared.census.let_drops_panic(hurts);
    let cancelled = unless_on_purpose(|| hand.cancel(choice.posts()));
    shared.census.let_drops_panic(false);
    let meant = choice.seen_from(hand.me());
    let model = &mut shared.lock().model;
    let panics = hurts && model.drops_counted(meant);
    let expected = model.cancel(meant);
    assert_eq!(cancelled, (!panics).then_some(expected), "{choice:?}");
}

fn look(shared: &Shared, hand: &mut impl Hand) {
    let choice = choice(&mut shared.lock());
    let has = hand.has_pending(choice.posts());
    let meant = choice.seen_from(hand.me());
    assert_eq!(has, shared.lock().model.has(meant), "{choice:?}");
    let listed = hand.pending_posts(choice.posts());
    assert_eq!(!listed.is_empty(), has);
    let pending = hand.pending_posts(Posts::all());
    shared.lock().model.check_tickets(&pending);
}

pub(crate) fn spawn(shared: &Shared, hand: &mut impl Hand) {
    let mut run = shared.lock();
    if run.model.people.count() >= 10 {
        return;
    }
    let size = run.random.below(6);
    run.labels += 2;
    let (one, two) = (run.labels - 1, run.labels);
    drop(run);
    let agent = |label| Agent(label, shared.clone());
    let ear = |label| Ear(label, shared.clone());
    let (id, parts) = match size {
        0 => (hand.spawn(()), vec![]),
        1 => (hand.spawn((ear(one),)), vec![Part::Ear(one)]),
        2 => {
            let id = hand.spawn((ear(one), agent(two)));
            (id, vec![Part::Ear(one), Part::Agent(two)])
        }
        _ => (hand.spawn((agent(one),)), vec![Part::Agent(one)]),
    };
    shared.lock().model.people.spawn(id, parts);
}

fn despawn(shared: &Shared, hand: &mut impl Hand) {
    let mut run = shared.lock();
    let Some(id) = any_id(&mut run) else { return };
    if run.model.people.is_unborn(id) {
        return;
    }
    let stays = run.model.people.stays(id);
    if stays {
        run.model.people.mark_leaving(id);
        run.model.skip_leaving();
        run.model.doomed.push(id);
        if run.model.current.is_none() {
            run.model.settle();
        }
    }
    drop(run);
    assert_eq!(hand.despawn(id).is_ok(), stays);
}

fn change_clock(shared: &Shared, hand: &mut impl Hand) {
    let mut run = shared.lock();
    let paused = run.random.one_in(3);
    let halves = run.random.of(&[2, 2, 1, 4, 0]);
    (run.model.clock.paused, run.model.clock.halves) = (paused, halves);
    drop(run);
    hand.set_paused(paused);
    hand.set_time_scale([0.0, 0.5, 1.0, 1.5, 2.0][usize::try_from(halves).expect("small")]);
}
