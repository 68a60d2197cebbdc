//! Random programs over several rooms, on several numbers of threads.

use std::time::Duration;

use message_core::prelude::*;
use message_core::report::ReportTo;
use message_rooms::{RoomId, Rooms, RoomsDigest};

use crate::random::Random;
use crate::walker::{LEDGER, Ledger, Nudge, STUMBLED, WALKERS, Walker};

/// The digests after some frames, the panics, and the tokens that were sent, received and lost.
#[derive(Debug, PartialEq)]
struct Outcome {
    digests: Vec<RoomsDigest>,
    panics: Vec<String>,
    tokens: [u64; 3],
    moved: usize,
}

fn run(case: u64, threads: usize) -> Outcome {
    let mut random = Random::new(case);
    let len = random.between(2, 5);
    let is_fragile = random.once_in(4);
    let mut rooms = Rooms::with_threads(threads);
    for number in 0..len {
        let config = ManagerConfig::new().report_to(ReportTo::Nobody);
        let room = rooms
            .add(number.to_string(), MessageManager::with_config(config))
            .unwrap();
        let manager = rooms.manager_mut(room);
        let ledger = manager.spawn((Ledger::default(),));
        manager.bind(LEDGER, ledger).unwrap();
    }
    if random.once_in(2) {
        rooms.span(WALKERS);
    }
    let mut walkers = Vec::new();
    for _ in 0..random.between(2, 8) {
        let room = place(&mut random, len);
        let walker = Walker::new(random.next(), len, is_fragile);
        walkers.push((room, rooms.manager_mut(room).spawn((walker,))));
    }
    for _ in 0..walkers.len() * 2 {
        let [one, other] = [
            walkers[random.place(walkers.len())],
            walkers[random.place(walkers.len())],
        ];
        let known = rooms.proxy(one.0, other.0, other.1).unwrap();
        let manager = rooms.manager_mut(one.0);
        manager.get_mut::<Walker>(one.1).unwrap().meet(known);
    }
    let mut outcome = Outcome {
        digests: Vec::new(),
        panics: Vec::new(),
        tokens: [0; 3],
        moved: 0,
    };
    let frames = random.between(3, 9);
    // After the last nudge, what is pending and under way arrives.
    let (mut frame, mut quiet) = (0, 0);
    while quiet < 4 {
        let acts = frame < frames;
        for walker in &mut walkers {
            let (room, id) = *walker;
            let left = random.between(0, 3);
            if !rooms.manager(room).is_alive(id) {
                continue;
            }
            if acts && random.once_in(2) {
                let to = place(&mut random, len);
                if let Ok(new) = rooms.move_to(room, id, to) {
                    *walker = (to, new);
                    outcome.moved += 1;
                }
            } else if acts {
                let nudge = Nudge { left };
                let header = Header::to(id).stage(Stage::Update);
                drop(rooms.manager_mut(room).post(header, nudge));
            }
        }
        if let Err(error) = rooms.frame(Duration::from_millis(10)) {
            outcome.panics.push(error.to_string());
        }
        let is_quiet = |room| rooms.manager(room).inspect().pending_len() == 0;
        if acts || !rooms.ids().all(is_quiet) {
            quiet = 0;
        } else {
            quiet += 1;
        }
        if frame % 8 == 0 || quiet == 4 {
            outcome.digests.push(rooms.digest());
        }
        frame += 1;
    }
    for room in rooms.ids() {
        let manager = rooms.manager(room);
        let ledger = manager
            .get::<Ledger>(manager.bound(LEDGER).unwrap())
            .unwrap();
        let counts = [ledger.sent, ledger.received, ledger.dead];
        for (sum, count) in outcome.tokens.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    outcome
}

fn place(random: &mut Random, rooms: u32) -> RoomId {
    RoomId::new(random.between(0, rooms - 1))
}

/// Returns the numbers of threads on which a program is repeated: all for some, one for each of the others.
fn thread_counts(case: u64) -> &'static [usize] {
    match case % 8 {
        0 => &[2, 4, 8],
        1 | 2 => &[8],
        3 | 4 => &[4],
        _ => &[2],
    }
}

/// Runs a program on several numbers of threads. Returns what it has done.
fn check(case: u64) -> Outcome {
    let one = run(case, 1);
    let [sent, received, dead] = one.tokens;
    assert_eq!(
        sent,
        received + dead,
        "case {case}: tokens were lost or came twice"
    );
    for &threads in thread_counts(case) {
        let many = run(case, threads);
        let pairs = one.digests.iter().zip(&many.digests);
        for (frame, (one, many)) in pairs.enumerate() {
            let difference = one.difference(many);
            assert_eq!(
                difference, None,
                "case {case} on {threads} threads, frame {frame}"
            );
        }
        assert_eq!(one, many, "case {case} on {threads} threads");
    }
    one
}

// holds: rooms.same-result, rooms.digest, rooms.next-frame, rooms.reply, rooms.ids, rooms.ends, rooms.dead-letters,
// rooms.panics, rooms.moves-followed, rooms.moves-posts, rooms.moves-asked, rooms.groups, rooms.header
#[test]
fn random_programs_do_the_same_on_any_number_of_threads() {
    let number = |name| {
        std::env::var(name)
            .ok()
            .and_then(|number| number.parse().ok())
    };
    if let Some(case) = number("ROOMS_CASE") {
        println!("{:?}", check(case));
        return;
    }
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload_as_str() != Some(STUMBLED) {
            report(panic);
        }
    }));
    let mut panics = 0;
    let (mut tokens, mut moved) = (0, 0);
    for case in 0..number("ROOMS_CASES").unwrap_or(2_000) {
        let outcome = check(case);
        panics += outcome.panics.len();
        tokens += outcome.tokens[0];
        moved += outcome.moved;
    }
    println!("{tokens} tokens, {moved} moves, {panics} panics");
    assert!(tokens > 0 && moved > 0 && panics > 0);
}

// holds: rooms.digest
#[test]
fn a_digest_contains_what_is_under_way() {
    let mut house = crate::common::House::new(2);
    let proxy = house.proxy(0, 1);
    let before = house.rooms.digest();
    house.send(0, proxy, 1);
    let after = house.rooms.digest();
    assert_eq!(
        before.difference(&after).as_deref(),
        Some("room `0`: the proxies")
    );
}
