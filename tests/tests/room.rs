//! The memory that a manager holds: after a spike, it is kept until `shrink_to_fit`.
//!
//! Counted by an allocator of its own, so each test has the process to itself.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

mod common;
#[path = "common/programs.rs"]
mod programs;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use common::{Do, Peek, Tested};
use message_core::Recipient::Me;
use message_core::prelude::*;
use message_core::{Tag, TagSet};
use peak_alloc::PeakAlloc;
use programs::play;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The number of objects in a spike.
const MANY: u32 = 20_000;
const VERY_MANY: u32 = 200_000;
/// The bytes that may remain for each of them: the generations and lives of the slots of two ids, and the
/// free lists, with the slack of lists that double.
const EACH: usize = 40;
/// The bytes that may remain for everything else.
const SLACK: usize = 64 << 10;
/// The number of frames in which nothing is needed.
const QUIET: u32 = 200;
const STEP: Duration = Duration::from_millis(16);

group!(CROWD);

/// Posted, published, and sent to a busy receiver.
#[derive(Message, Clone)]
struct Letter([u64; 3]);

/// Alone on its type, so that it keeps it busy.
struct Host;

#[handlers]
impl Host {
    #[on_receive]
    fn act(&mut self, script: &mut Do, cx: &mut Context<'_>) {
        script.run(cx);
    }

    #[on_receive]
    fn letter(&mut self, letter: &Letter) {
        assert_eq!(letter.0[1], 7);
    }
}

struct Guest([u64; 2]);

#[handlers]
impl Guest {
    #[on_receive]
    fn letter(&mut self, letter: &Letter) {
        assert_eq!(letter.0[1], self.0[1]);
    }
}

fn letter(number: u32) -> Letter {
    Letter([u64::from(number), 7, 0])
}

fn guest(number: u32) -> (Guest,) {
    (Guest([u64::from(number), 7]),)
}

/// Makes the other tests wait: their allocations would be counted.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn manager() -> (MessageManager, MessageeId) {
    let config = ManagerConfig::new();
    let config = config.max_kept(1 << 20).max_pending(1 << 20);
    let mut manager = MessageManager::with_config(config.max_published(1 << 20));
    let host = manager.spawn((Host,));
    (manager, host)
}

/// Needs much once, and leaves nothing.
type Spike = fn(&mut MessageManager, MessageeId, u32);

const SPIKES: [(&str, Spike, u32); 12] = [
    ("messagees of a handler", messagees_of_a_handler, VERY_MANY),
    ("messagees from outside", messagees_from_outside, MANY),
    ("members of a group", members, MANY),
    ("children", children, MANY),
    ("letters", letters, VERY_MANY),
    ("letters to and from many", letters_to_and_from_many, MANY),
    ("posts", posts, MANY),
    ("posts of many times", posts_of_many_times, MANY),
    ("posts that are cancelled", cancelled, MANY),
    ("posts that are bound", bound, MANY),
    ("what is kept", kept, MANY),
    ("what is staged", staged, MANY),
];

fn script(
    manager: &mut MessageManager,
    host: MessageeId,
    run: impl FnOnce(&mut Context<'_>) + Send + 'static,
) {
    let sent = manager.send(host, Do::new(run));
    assert_eq!(sent.map(|receipt| receipt.received), Ok(1));
}

fn messagees_of_a_handler(manager: &mut MessageManager, host: MessageeId, many: u32) {
    script(manager, host, move |cx| {
        for number in 0..many {
            let id = cx.spawn(guest(number));
            assert!(cx.despawn(id).is_ok());
        }
    });
}

fn messagees_from_outside(manager: &mut MessageManager, host: MessageeId, many: u32) {
    let ids: Vec<_> = (0..many)
        .map(|number| manager.spawn(guest(number)))
        .collect();
    script(manager, host, move |cx| {
        for id in ids {
            assert!(cx.despawn(id).is_ok());
        }
    });
}

fn members(manager: &mut MessageManager, host: MessageeId, many: u32) {
    script(manager, host, move |cx| {
        for number in 0..many {
            let id = cx.spawn(guest(number));
            assert_eq!(cx.join(CROWD, id), Ok(true));
        }
    });
    let crowd: Vec<_> = manager.members(CROWD).collect();
    assert_eq!(crowd.len(), many as usize);
    for id in crowd.into_iter().rev() {
        assert_eq!(manager.despawn(id), Ok(()));
    }
}

fn children(manager: &mut MessageManager, host: MessageeId, many: u32) {
    script(manager, host, move |cx| {
        let parent = cx.spawn(());
        for number in 1..many {
            let id = cx.spawn(guest(number));
            assert_eq!(cx.set_parent(id, Some(parent)), Ok(()));
        }
    });
    let mut ids = manager.messagees();
    let parent = ids.find(|&id| manager.children(id).count() == many as usize - 1);
    let parent = parent.expect("it was spawned");
    drop(ids);
    assert_eq!(manager.despawn(parent), Ok(()));
}

fn letters(manager: &mut MessageManager, host: MessageeId, many: u32) {
    script(manager, host, move |cx| {
        for number in 0..many {
            assert!(cx.publish(Me, letter(number)).is_ok());
        }
    });
    manager.tick(STEP);
    assert_eq!(
        manager.inbox::<Letter>().to(host).count(),
        manager.inbox::<Letter>().count()
    );
}

fn letters_to_and_from_many(manager: &mut MessageManager, _: MessageeId, many: u32) {
    let ids: Vec<_> = (0..100)
        .map(|number| manager.spawn(guest(number)))
        .collect();
    for _ in 0..3 {
        for (number, &id) in (0..many).zip(ids.iter().cycle()) {
            let mut sender = manager.speak_for(id).expect("it is alive");
            let sent = if number % 2 == 0 {
                sender.publish(Me, letter(number))
            } else {
                sender.publish(Everyone, letter(number))
            };
            assert!(sent.is_ok());
        }
        manager.tick(STEP);
        let inbox = manager.inbox::<Letter>();
        assert!(inbox.to(ids[0]).count() > 0 && inbox.from(ids[1]).count() > 0);
        assert_eq!(manager.inbox_any().count(), many as usize);
    }
    for id in ids {
        assert_eq!(manager.despawn(id), Ok(()));
    }
}

fn posts(manager: &mut MessageManager, host: MessageeId, many: u32) {
    let header = Header::to(host).stage(Stage::Update).build();
    let header = header.expect("it is complete");
    script(manager, host, move |cx| {
        for number in 0..many {
            assert!(cx.post(&header, letter(number)).is_ok());
        }
    });
    assert_eq!(manager.tick(STEP).delivered, many as usize);
}

/// Not in the order of posting, and under keys.
fn posts_of_many_times(manager: &mut MessageManager, host: MessageeId, many: u32) {
    for number in 0..many {
        let after = Duration::from_micros(u64::from(number * 7 % 1_000));
        let header = Header::to(host).after(after).stage(Stage::LateUpdate);
        let header = if number % 2 == 0 {
            header.require(1)
        } else {
            header.key(("letter", u64::from(number)))
        };
        let header = header.build().expect("it is complete");
        assert!(manager.post(&header, letter(number)).is_ok());
    }
    assert_eq!(manager.tick(STEP).delivered, many as usize);
}

fn cancelled(manager: &mut MessageManager, host: MessageeId, many: u32) {
    let mut tickets = Vec::new();
    for number in 0..many {
        let header = Header::to(host).after_frames(1 + u64::from(number % 90));
        let header = header.build().expect("it is complete");
        tickets.extend(manager.post(&header, letter(number)));
    }
    for ticket in tickets {
        assert!(manager.cancel(ticket) > 0);
    }
}

fn bound(manager: &mut MessageManager, host: MessageeId, many: u32) {
    let header = Header::to(host).stage(Stage::EndOfFrame).tied_to_sender();
    let header = header.build().expect("it is complete");
    script(manager, host, move |cx| {
        for number in 0..many {
            assert!(cx.post(&header, letter(number)).is_ok());
        }
    });
    assert_eq!(manager.tick(STEP).delivered, many as usize);
}

fn kept(manager: &mut MessageManager, host: MessageeId, many: u32) {
    script(manager, host, move |cx| {
        for number in 0..many {
            assert!(cx.send(Me, letter(number)).is_ok());
        }
    });
}

fn staged(manager: &mut MessageManager, host: MessageeId, many: u32) {
    let filter = Filter::of::<Letter>().stage(Stage::Update);
    let subscription = manager.subscribe(filter, |letter: &Letter, _| {
        assert_eq!(letter.0[1], 7);
    });
    for number in 0..many {
        assert!(manager.send(host, letter(number)).is_ok());
    }
    manager.tick(STEP);
    assert!(manager.unsubscribe(subscription));
}

/// Returns how many bytes more a manager holds after a spike, and after it has given memory back.
fn measure(spike: Spike, many: u32) -> [usize; 2] {
    let (mut manager, host) = manager();
    // Everything was there once.
    spike(&mut manager, host, 8);
    be_quiet(&mut manager, QUIET);
    manager.shrink_to_fit();
    let before = ALLOCATOR.current_usage();
    spike(&mut manager, host, many);
    let after = ALLOCATOR.current_usage().saturating_sub(before);
    // Mail that was read is dropped when the frame after begins.
    be_quiet(&mut manager, 2);
    manager.shrink_to_fit();
    // Like a program that keeps running, it also needs a little.
    spike(&mut manager, host, 8);
    [after, ALLOCATOR.current_usage().saturating_sub(before)]
}

fn be_quiet(manager: &mut MessageManager, frames: u32) {
    for _ in 0..frames {
        manager.tick(STEP);
    }
}

// holds: memory.shrink-to-fit
#[test]
fn shrink_to_fit_gives_back_all_that_is_not_in_use() {
    let _alone = alone();
    for (name, spike, many) in SPIKES {
        let [after, left] = measure(spike, many);
        let spawns = ["messagees", "members", "children"];
        let spawns = spawns.iter().any(|spawning| name.starts_with(spawning));
        let places = if spawns { many as usize } else { 0 };
        println!("{name}: {after} bytes after it, {left} are left");
        assert!(left <= places * EACH + SLACK, "{name}: {left} bytes");
    }
}

// holds: memory.shrink-to-fit
#[test]
fn shrink_to_fit_shrinks_the_lists_of_subscriptions() {
    let _alone = alone();
    let (mut manager, host) = manager();
    for to_one in [false, true] {
        let filter = |to| {
            let filter = Filter::of::<Letter>();
            if to_one { filter.to(to) } else { filter }
        };
        let mut subscribe = |to| manager.subscribe(filter(to), |_: &Letter, _| {});
        let stays = subscribe(host);
        let go: Vec<_> = (0..MANY).map(|_| subscribe(host)).collect();
        for id in go {
            assert!(manager.unsubscribe(id));
        }
        let before = ALLOCATOR.current_usage();
        manager.shrink_to_fit();
        let freed = before - ALLOCATOR.current_usage();
        // A head and a closure for each.
        assert!(freed > MANY as usize * 64, "{freed} bytes");
        assert!(manager.unsubscribe(stays));
    }
}

// holds: memory.shrink-to-fit
#[test]
fn shrink_to_fit_gives_back_the_room_of_posts_at_any_distance() {
    let _alone = alone();
    let (mut manager, host) = manager();
    let before = ALLOCATOR.current_usage();
    let mut posted = 0;
    for stage in [Stage::Update, Stage::LateUpdate, Stage::EndOfFrame] {
        // From a nanosecond to decades.
        for distance in 0..11 {
            let delay = Duration::from_nanos(1 << (6 * distance));
            let header = Header::to(host).stage(stage).after(delay);
            assert!(manager.post(header, letter(posted)).is_ok());
            posted += 1;
        }
    }
    assert_eq!(manager.cancel(Posts::all()), posted as usize);
    manager.shrink_to_fit();
    let left = ALLOCATOR.current_usage().saturating_sub(before);
    println!("{left} bytes are left");
    // Less than half a kibibyte for each distance.
    assert!(left < posted as usize * 512, "{left} bytes");
}

// holds: memory.reserve
#[test]
fn spawning_what_was_reserved_for_needs_memory_for_the_ids_alone() {
    let _alone = alone();
    let (mut manager, _) = manager();
    let many = VERY_MANY as usize;
    let before = ALLOCATOR.current_usage();
    manager.reserve::<(Guest, [u64; 4])>(many);
    let reserved = ALLOCATOR.current_usage() - before;
    assert!(reserved >= many * (size_of::<Guest>() + size_of::<[u64; 4]>()));
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    for number in 0..VERY_MANY {
        manager.spawn((Guest([7, number.into()]), [0_u64; 4]));
    }
    // The place of the owner of each hook. Nothing was moved, so there were never two copies.
    let grown = ALLOCATOR.peak_usage() - before;
    assert!(grown < 2 * many * size_of::<u64>(), "{grown} bytes");
}

// holds: memory.kept-room
#[test]
fn room_is_kept_through_quiet_frames_for_the_next_spike() {
    let _alone = alone();
    for (name, spike) in [
        ("messagees of a handler", messagees_of_a_handler as Spike),
        ("children", children),
        ("letters", letters),
    ] {
        let (mut manager, host) = manager();
        let mut held = Vec::new();
        for _ in 0..4 {
            spike(&mut manager, host, 2_000);
            be_quiet(&mut manager, QUIET);
            held.push(ALLOCATOR.current_usage());
        }
        // The first spike makes room; for letters, the second makes that of one more frame.
        let held = &held[1..];
        let (least, most) = (held.iter().min(), held.iter().max());
        let differ = most.zip(least).map(|(most, least)| most - least);
        assert!(differ.is_some_and(|bytes| bytes < 4096), "{name}: {held:?}");
        manager.shrink_to_fit();
        assert!(ALLOCATOR.current_usage() + 16_384 < held[0], "{name}");
    }
}

// holds: memory.changes-nothing, memory.shrink-to-fit
#[test]
fn giving_back_memory_changes_nothing_else() -> Tested {
    let _alone = alone();
    for dice in 0..200 {
        let config = || ManagerConfig::new().max_depth(12);
        let (expected, _) = play(dice, config(), false, |_| {}, |_| {});
        let shrink = |manager: &mut MessageManager| manager.shrink_to_fit();
        let (log, mut manager) = play(dice, config(), false, |_| {}, shrink);
        assert_eq!(expected, log, "program {dice}");
        programs::check_rest(&mut manager);
    }
    let (mut manager, _) = manager();
    let ids: Vec<_> = (0..1_000)
        .map(|number| manager.spawn(guest(number)))
        .collect();
    for id in &ids[..900] {
        manager.despawn(*id)?;
    }
    let (stays, gone) = (ids[950], ids[10]);
    manager.publish(stays, Peek("mail"))?;
    manager.tick(STEP);
    manager.shrink_to_fit();
    let order: Vec<_> = manager.iter::<Guest>().map(|(id, _)| id).collect();
    assert!(order.len() == 100 && order.iter().all(|id| ids[900..].contains(id)));
    assert_eq!(manager.inbox::<Peek>().to(stays).count(), 1);
    let receipt = manager.send(stays, letter(1))?;
    assert_eq!(receipt.received, 1);
    let newcomer = manager.spawn(guest(0));
    assert!(!ids.contains(&newcomer));
    assert_eq!(
        manager.send(gone, letter(1)),
        Err(SendError::new(
            Letter::NAME,
            gone,
            SendErrorKind::Absent(Absence::Gone)
        ))
    );
    Ok(())
}

/// Makes managers and drops them: up to three are alive at a time, and none is dropped in order.
fn come_and_go(managers: u32) {
    for number in 0..managers / 3 {
        let mut alive = [(); 3].map(|()| MessageManager::new());
        for manager in &mut alive {
            // Some use a place often, some many places.
            for _ in 0..number % 5 {
                let id = manager.spawn(guest(number));
                manager.despawn(id).expect("it is alive");
            }
            for _ in 0..number % 7 {
                manager.spawn(guest(number));
            }
            let header = Header::to(Everyone).after_frames(1).build();
            let posted = manager.post(&header.expect("right"), letter(number));
            posted.expect("few are pending");
        }
        let [first, second, third] = alive;
        drop([second, third, first]);
    }
}

// holds: memory.managers-gone
#[test]
fn a_process_remembers_two_bytes_of_each_manager_that_is_gone() {
    let _alone = alone();
    come_and_go(300);
    let before = ALLOCATOR.current_usage();
    come_and_go(30_000);
    let after = ALLOCATOR.current_usage();
    // Their list doubles when it is full.
    assert!(after <= before + (64 << 10), "{before} bytes, then {after}");
}

#[test]
fn a_set_of_tags_takes_no_memory_besides_its_own_bytes() {
    tag!(A, B, C, D, E, F, G, H, I, J, K, L, M, N);
    const ALL: [Tag; 14] = [A, B, C, D, E, F, G, H, I, J, K, L, M, N];
    let _alone = alone();
    assert_eq!(size_of::<TagSet>(), size_of::<u64>());
    assert_eq!(ALL.into_iter().collect::<TagSet>().iter().count(), 14);
    let before = ALLOCATOR.current_usage();
    for bits in 0..1 << ALL.len() {
        let chosen = || {
            ALL.iter()
                .enumerate()
                .filter(move |(at, _)| bits >> at & 1 == 1)
        };
        let set = chosen().fold(TagSet::EMPTY, |set, (_, &tag)| set | tag);
        assert_eq!(set.iter().count(), chosen().count());
    }
    // Four bytes for each set would be more.
    assert!(ALLOCATOR.current_usage() < before + SLACK);
}
