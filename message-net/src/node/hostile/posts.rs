//! Posts of a hostile node: their number, their bytes, their times, and their headers.

use message_core::lifecycle::DeadLetter;
use message_core::post::HeaderBuilder;
use message_core::prelude::*;
use message_core::{PostKey, Stage};
use message_data::{Data, to_bytes_with_ids};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{Names, Note, World, header, world};
use crate::node::entry::{Address, Target};

// holds: net.bounded, net.endless-post
#[test]
fn posts_of_a_node_are_bounded_and_those_without_end_end_with_it() {
    let mut world = world(|it| it.max_posts(2).posts_outlive(true));
    let to = || Header::to(Everyone);
    let soon = header(&to().after_frames(1).build().expect("a header"));
    let endless = header(&to().every_frames(1).build().expect("a header"));
    for bytes in [&soon, &endless, &soon] {
        world.note(|say| say.header = Some(bytes));
    }
    let whys = world.refused();
    assert!(
        whys.len() == 1 && whys[0].contains("`NodeConfig::max_posts`"),
        "{whys:?}"
    );
    world.manager.tick(Duration::from_millis(16));
    world.node.round += 1;
    // The first has been delivered.
    world.note(|say| say.header = Some(&soon));
    assert!(world.refused().is_empty());
    world.down(crate::session::DownReason::Goodbye);
    // The one that would repeat; the others stay.
    assert_eq!(world.dead(), ["node `b` has gone: it has said goodbye"]);
    world.manager.tick(Duration::from_millis(16));
    let heard = world.heard();
    world.manager.tick(Duration::from_millis(16));
    assert_eq!(world.heard(), heard);
    assert!(world.dead().is_empty());
}

// holds: net.endless-post
#[test]
fn what_a_node_has_posted_is_a_dead_letter_when_it_ends_with_the_node() {
    let mut world = world(|it| it);
    let to = || Header::to(Everyone);
    let soon = header(&to().after_frames(1).build().expect("a header"));
    let late = header(&to().after_frames(9).build().expect("a header"));
    for bytes in [&soon, &late, &late] {
        world.note(|say| say.header = Some(bytes));
    }
    world.manager.tick(Duration::from_millis(16));
    let letters = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&letters);
    world
        .manager
        .subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
            let note = letter
                .message
                .as_ref()
                .and_then(|it| it.downcast_ref::<Note>());
            let what = (note.map(|note| note.0), letter.envelope.recipient);
            log.lock().expect("no panic").push(what);
        });
    world.down(crate::session::DownReason::Goodbye);
    let letters = std::mem::take(&mut *letters.lock().expect("no panic"));
    assert_eq!(letters, [(Some(7), Recipient::Id(world.ear)); 2]);
}

// holds: net.bounded
#[test]
fn posts_of_a_node_are_bounded_in_bytes_deliveries_and_time() {
    let to = || Header::to(Everyone);
    let posts = |world: &mut World, built: HeaderBuilder| {
        let bytes = header(&built.build().expect("a header"));
        world.note(|say| say.header = Some(&bytes));
    };
    let second = Duration::from_secs(1);
    let mut world = world(|it| it);
    for (times, part) in [
        (
            to().every(Duration::from_nanos(1)),
            "its period is 1ns: expected at least 10ms",
        ),
        (
            to().after(second * 3601),
            "its delay is 3601s: expected at most 3600s",
        ),
        (to().after_frames(u64::MAX / 2), "expected at most 3600s"),
        (to().every_frames(1 << 40), "expected at most 3600s"),
    ] {
        posts(&mut world, times);
        world.refuses(part);
    }
    for _ in 0..1010 {
        posts(&mut world, to().after_frames(1).every_frames(1));
    }
    let whys = world.refused();
    assert_eq!(whys.len(), 10, "{whys:?}");
    assert!(
        whys[0].contains("1000 posts of its node already repeat"),
        "{whys:?}"
    );
    for _ in 0..9010 {
        posts(&mut world, to().after(second * 3600));
    }
    let whys = world.refused();
    assert_eq!(whys.len(), 10);
    assert!(
        whys[0].contains("10000 posts of its node are pending"),
        "{whys:?}"
    );
    world.down(crate::session::DownReason::Restarted);
    assert_eq!(
        world.manager.inspect().pending_len(),
        0,
        "they end with their node"
    );
}

// holds: net.bounded
#[test]
fn long_posts_of_a_node_are_bounded_in_bytes() {
    let mut world = world(|it| it.max_post_bytes(1 << 20));
    let number = world.number(Names::TYPE);
    let late = header(
        &Header::to(Everyone)
            .after_frames(9)
            .build()
            .expect("a header"),
    );
    let ids: Vec<_> = (0..60_000)
        .map(|_| Address::Yours(Target::Export("ear")))
        .collect();
    let mut message = vec![0xdd, 0, 0, 0xea, 0x60];
    message.resize(5 + 60_000, 0);
    for _ in 0..20 {
        world.note(|say| {
            (say.of, say.header) = (number, Some(&late[..]));
            (say.message, say.ids) = (&message, ids.clone());
        });
    }
    assert_eq!(world.manager.inspect().pending_len(), 17);
    assert!(world.refused()[0].contains("at most 1048576"));
}

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "net.hostile.Crowd", exact)]
struct Crowd(Vec<Person>);

/// Half a kilobyte that is read from an empty map.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Person {
    past: [u64; 32],
    plans: [u64; 32],
}

/// Returns the bytes of a list of this many empty maps.
fn empty_maps(number: u32) -> Vec<u8> {
    let maps = usize::try_from(number).expect("it fits");
    [&[0xdd][..], &number.to_be_bytes(), &vec![0x80; maps]].concat()
}

// holds: net.message-memory
#[test]
fn a_message_is_bounded_in_the_memory_that_it_takes() {
    let mut world = world(|it| it.accept::<Crowd>().max_message_memory(4 << 20));
    let number = world.number(Crowd::TYPE);
    for (persons, is_read) in [(1_000, true), (10_000, false), (1_000_000, false)] {
        let message = empty_maps(persons);
        world.note(|say| (say.of, say.message) = (number, &message));
        let refused = world.refused();
        assert_eq!(refused.is_empty(), is_read, "{persons}: {refused:?}");
        let why = "too much memory: expected at most 4194304 bytes";
        assert!(
            refused.iter().all(|refused| refused.contains(why)),
            "{refused:?}"
        );
    }
}

// holds: net.message-memory
#[test]
fn posts_of_a_node_are_bounded_in_the_memory_that_they_take() {
    let mut world = world(|it| it.accept::<Crowd>().max_post_bytes(8 << 20));
    let number = world.number(Crowd::TYPE);
    let late = header(
        &Header::to(Everyone)
            .after_frames(9)
            .build()
            .expect("a header"),
    );
    let message = empty_maps(2_000);
    for _ in 0..20 {
        world.note(|say| {
            (say.of, say.header, say.message) = (number, Some(&late[..]), &message);
        });
    }
    // Each holds a megabyte, and counts as up to two.
    assert!((4..=8).contains(&world.manager.inspect().pending_len()));
    assert!(world.refused()[0].contains("at most 8388608"));
}

// holds: net.shared-key, net.malformed
#[test]
fn headers_that_contradict_themselves_or_touch_the_posts_of_others_are_refused() {
    #[derive(Serialize)]
    struct Repeat {
        period: u64,
        times: Option<u64>,
    }
    #[derive(Serialize)]
    struct Forged {
        to: Recipient,
        stage: Stage,
        repeat: Option<Repeat>,
    }
    let mut world = world(|it| it);
    let repeat = |times| Some(Repeat { period: 1, times });
    for (stage, repeat, part) in [
        (Stage::Update, repeat(Some(0)), "repeats zero times"),
        (
            Stage::Immediate,
            repeat(None),
            "`Immediate` and a delay or a period",
        ),
    ] {
        let to = Recipient::Everyone;
        let forged = Forged { to, stage, repeat };
        let bytes = to_bytes_with_ids(&forged, &mut Vec::new()).expect("it has no ids");
        world.note(|say| say.header = Some(&bytes));
        world.refuses(part);
    }
    let keyed = |key: PostKey| {
        let keyed = Header::to(Everyone).after_frames(1).key(key).build();
        header(&keyed.expect("a header"))
    };
    let shared = keyed(PostKey::from("net.hostile").shared());
    world.note(|say| say.header = Some(&shared));
    world.refuses("a shared key");
    let long: &'static str = Box::leak("k".repeat(300).into_boxed_str());
    let long = keyed(PostKey::from(long));
    world.note(|say| say.header = Some(&long));
    world.refuses("the name has 300 bytes: expected at most 256");
    world.note(|say| say.header = Some(&[0; 5000]));
    world.refuses("its header has 5000 bytes");
}
