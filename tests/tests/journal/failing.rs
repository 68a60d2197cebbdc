//! Disks that fail, in memory: full, silent, or without power.

use std::sync::mpsc;
use std::time::Duration;

use message_core::prelude::*;
use message_core::report::{Report, ReportTo};
use message_data::journal::{Flush, Journal, JournalConfig, Opened};
use message_data::{Data, Digest};
use serde::{Deserialize, Serialize};

use crate::common::Tested;
use crate::memory::Memory;
use crate::world::{Counter, Reference, is_frame, mix, step};

#[derive(Data, Serialize, Deserialize, Clone, Default)]
#[data(name = "journal.Bomb")]
#[serde(default)]
pub(crate) struct Bomb {
    exploded: bool,
}

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "journal.Explode", exact)]
pub(crate) struct Explode;

#[handlers]
impl Bomb {
    #[on_receive]
    fn explode(&mut self, _: &Explode) {
        self.exploded = true;
        std::panic::resume_unwind(Box::new("the bomb explodes"));
    }
}

fn quiet() -> ManagerConfig {
    ManagerConfig::new().report_to(ReportTo::Nobody)
}

fn config() -> JournalConfig {
    let config = JournalConfig::new().manager(quiet()).sync_in_frame();
    config.segment_frames(12).keep(1)
}

/// The number of programs, or that of the environment.
fn number(name: &str, otherwise: u64) -> u64 {
    let number = std::env::var(name).ok();
    number.map_or(otherwise, |it| it.parse().expect("a number"))
}

// holds: journal.power-failure
#[test]
fn after_a_power_failure_all_that_was_synced_is_recovered() {
    let mut reference = Reference::new();
    for seed in 0..number("JOURNAL_CASES", 100) {
        let mut memory = Memory::default();
        let (mut inputs, mut synced) = (0, 0);
        for life in 0..4 {
            let opened = Journal::open_in(&memory.folder(), &config());
            let Opened {
                mut manager,
                recovery,
                ..
            } = opened.unwrap_or_else(|error| panic!("{seed}, {life}: {error}"));
            assert!(
                (synced..=inputs).contains(&recovery.inputs),
                "{seed}, {life}: {} of {inputs}, {synced} synced",
                recovery.inputs
            );
            inputs = recovery.inputs;
            assert_eq!(
                &Digest::of(&manager),
                reference.after(inputs),
                "{seed}, {life}"
            );
            synced = inputs;
            let steps = 1 + mix(seed ^ life << 32) % 120;
            for _ in 0..steps {
                if is_frame(inputs) {
                    synced = inputs;
                }
                step(&mut manager, inputs);
                inputs += 1;
            }
            let after = memory.after_power_failure(seed ^ life << 40);
            std::mem::forget(manager);
            memory = after;
        }
    }
}

// holds: journal.goes-on-unlogged, journal.power-failure
#[test]
fn a_disk_that_fails_for_a_while_loses_no_state_once_it_works_again() {
    let mut reference = Reference::new();
    for seed in 0..number("JOURNAL_CASES", 100) {
        let memory = Memory::default();
        let opened = Journal::open_in(&memory.folder(), &config()).expect("it works still");
        let (mut manager, journal) = (opened.manager, opened.journal);
        let mut inputs = 0;
        for round in 0..4_u64 {
            let dice = mix(seed ^ round << 32);
            memory.fail_after(Some(u32::try_from(dice % 40).expect("small")));
            for _ in 0..dice >> 8 & 63 {
                step(&mut manager, inputs);
                inputs += 1;
            }
            memory.fail_after(None);
            if dice >> 20 & 1 == 1 {
                // At any moment: what is recovered is a state that there was.
                let found = memory.after_power_failure(dice);
                let opened = Journal::open_in(&found.folder(), &config());
                let opened = opened.unwrap_or_else(|error| panic!("{seed}, {round}: {error}"));
                let reached = opened.recovery.inputs;
                assert!(reached <= inputs, "{seed}, {round}");
                assert_eq!(
                    &Digest::of(&opened.manager),
                    reference.after(reached),
                    "{seed}"
                );
            }
            // The disk works again: after some frames the journal is complete.
            for _ in 0..300 {
                step(&mut manager, inputs);
                inputs += 1;
            }
            assert_eq!(journal.status().failure, None, "{seed}, {round}");
            journal.flush(&mut manager).expect("it works");
            let opened = Journal::open_in(&memory.after_power_failure(dice).folder(), &config());
            let opened = opened.unwrap_or_else(|error| panic!("{seed}, {round}: {error}"));
            assert_eq!(opened.recovery.inputs, inputs, "{seed}, {round}");
            assert_eq!(
                &Digest::of(&opened.manager),
                reference.after(inputs),
                "{seed}"
            );
        }
    }
}

// holds: journal.full-disk, journal.goes-on-unlogged
#[test]
fn a_full_disk_is_reported_at_once_and_the_world_goes_on() -> Tested {
    let (told, reports) = mpsc::channel();
    let report_to = ReportTo::closure(move |report| {
        if let Report::NotLogged(what) = report {
            let _ = told.send(what.clone());
        }
    });
    let manager = ManagerConfig::new().report_to(report_to);
    let config = config().manager(manager).flush(Flush::EachInput);
    let memory = Memory::default();
    let opened = Journal::open_in(&memory.folder(), &config)?;
    let (mut manager, journal) = (opened.manager, opened.journal);
    manager.spawn((Counter::default(),));
    memory.set_room(Some(10));
    manager.spawn((Counter::default(),));
    assert!(reports.try_recv()?.contains("the disk is full"));
    let failure = journal.status().failure;
    assert!(failure.is_some_and(|it| it.contains("the disk is full")));
    for number in 0..500 {
        step(&mut manager, number);
    }
    // Not for each input.
    assert!(reports.try_iter().count() < 10);
    memory.set_room(None);
    for number in 500..800 {
        step(&mut manager, number);
    }
    assert_eq!(journal.status().failure, None);
    journal.flush(&mut manager)?;
    let opened = Journal::open_in(&memory.folder(), &config)?;
    assert_eq!(Digest::of(&opened.manager), Digest::of(&manager));
    Ok(())
}

// holds: journal.kept
#[test]
fn a_long_life_leaves_few_files_of_bounded_size() -> Tested {
    let memory = Memory::default();
    let config = config().segment_frames(200).digest_every(0);
    let opened = Journal::open_in(&memory.folder(), &config)?;
    let mut manager = opened.manager;
    let frames = number("JOURNAL_FRAMES", 20_000);
    let (mut number, mut most) = (0, 0);
    while manager.clock().frame() < frames {
        step(&mut manager, number);
        number += 1;
        if number.is_multiple_of(1_000) {
            assert!(memory.file_names().len() <= 2);
            most = most.max(memory.total());
        }
    }
    assert!(most < 1 << 20, "{most} bytes");
    Ok(())
}

// holds: journal.full-disk, journal.flush
#[test]
fn a_flush_that_fails_is_an_error_until_a_segment_makes_up_for_it() -> Tested {
    let memory = Memory::default();
    let opened = Journal::open_in(&memory.folder(), &config())?;
    let (mut manager, journal) = (opened.manager, opened.journal);
    manager.spawn((Counter::default(),));
    memory.set_room(Some(3));
    for _ in 0..3 {
        let error = journal.flush(&mut manager).expect_err("the disk is full");
        assert!(error.to_string().contains("full"), "{error}");
        manager.spawn((Counter::default(),));
    }
    memory.set_room(None);
    manager.tick(Duration::ZERO);
    journal.flush(&mut manager)?;
    let opened = Journal::open_in(&memory.folder(), &config())?;
    assert_eq!(Digest::of(&opened.manager), Digest::of(&manager));
    Ok(())
}

/// Has no data.
#[derive(Message)]
struct Secret;

/// Posts what cannot be saved, for some frames.
#[derive(Data, Serialize, Deserialize, Clone, Default)]
#[data(name = "journal.Spy")]
#[serde(default)]
struct Spy {
    posted: u32,
}

#[handlers]
impl Spy {
    #[on_receive]
    fn explode(&mut self, _: &Explode, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.posted += 1;
        cx.post(Header::to(cx.me()).after_frames(30), Secret)
            .map(drop)
    }
}

// holds: journal.segments, journal.goes-on-unlogged
#[test]
fn a_state_that_cannot_be_saved_for_a_while_loses_nothing() -> Tested {
    let memory = Memory::default();
    let opened = Journal::open_in(&memory.folder(), &config())?;
    let (mut manager, journal) = (opened.manager, opened.journal);
    let spy = manager.spawn((Spy::default(), Counter::default()));
    manager.send(spy, Explode)?;
    for frame in 0..300 {
        manager.tick(Duration::from_millis(16));
        manager.spawn((Counter::default(),));
        if frame == 20 {
            let failure = journal.status().failure;
            assert!(failure.is_some_and(|it| it.contains("Secret")));
        }
        if frame % 50 == 49 {
            journal.flush(&mut manager)?;
            let found = memory.after_power_failure(frame).folder();
            let opened = Journal::open_in(&found, &config().accept_loss())?;
            assert_eq!(Digest::of(&opened.manager), Digest::of(&manager), "{frame}");
        }
    }
    assert_eq!(journal.status().failure, None);
    Ok(())
}

fn stopping() -> JournalConfig {
    config().stop_on_failure()
}

/// Runs one input. Returns the panic with which it is refused.
fn refused(act: impl FnOnce()) -> Option<String> {
    let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(act));
    ran.err()
        .map(|panic| *panic.downcast::<String>().expect("a text"))
}

// holds: journal.stops
#[test]
fn a_manager_that_must_be_logged_stops_on_a_full_disk_and_goes_on_when_there_is_room() -> Tested {
    for flush in [Flush::EachInput, Flush::EachFrame] {
        let memory = Memory::default();
        let opened = Journal::open_in(&memory.folder(), &stopping().flush(flush))?;
        let (mut manager, journal) = (opened.manager, opened.journal);
        manager.spawn((Counter::default(),));
        memory.set_room(Some(3));
        // With each frame, an input may run that is only in memory so far.
        let _ = refused(|| _ = manager.spawn((Counter::default(),)));
        let digest = Digest::of(&manager);
        for _ in 0..3 {
            let why = refused(|| _ = manager.tick(Duration::ZERO)).expect("the disk is full");
            assert!(
                why.contains("accepts no inputs") && why.contains("disk is full"),
                "{why}"
            );
            let why = refused(|| _ = manager.spawn((Counter::default(),))).expect("as well");
            assert!(why.contains("disk is full"), "{why}");
        }
        assert_eq!(Digest::of(&manager), digest, "nothing has run");
        assert!(journal.status().failure.is_some());
        memory.set_room(None);
        assert!(
            refused(|| _ = manager.spawn((Counter::default(),))).is_some(),
            "no frame has tried"
        );
        manager.tick(Duration::ZERO);
        assert_eq!(journal.status().failure, None);
        manager.spawn((Counter::default(),));
        journal.flush(&mut manager)?;
        let opened = Journal::open_in(&memory.folder(), &config())?;
        assert_eq!(
            Digest::of(&opened.manager),
            Digest::of(&manager),
            "{flush:?}"
        );
    }
    Ok(())
}

// holds: journal.stops
#[test]
fn a_manager_that_must_be_logged_is_never_ahead_of_its_journal() -> Tested {
    let mut reference = Reference::new();
    for seed in 0..number("JOURNAL_CASES", 100) {
        let memory = Memory::default();
        let each = stopping().flush(Flush::EachInput);
        let opened = Journal::open_in(&memory.folder(), &each)?;
        let (mut manager, journal) = (opened.manager, opened.journal);
        let mut inputs = 0;
        for round in 0..10_u64 {
            let dice = mix(seed ^ round << 32);
            memory.fail_after(Some(u32::try_from(dice % 40).expect("small")));
            while refused(|| step(&mut manager, inputs)).is_none() {
                inputs += 1;
            }
            let found = memory.after_power_failure(dice).folder();
            memory.fail_after(None);
            // The input that was refused may have reached the disk before that failed.
            let recovered = Journal::open_in(&found, &config())?;
            let reached = recovered.recovery.inputs;
            assert!(
                (inputs..=inputs + 1).contains(&reached),
                "{seed}, {round}: {reached}"
            );
            assert_eq!(&Digest::of(&recovered.manager), reference.after(reached));
            journal.flush(&mut manager)?;
            assert_eq!(
                &Digest::of(&manager),
                reference.after(inputs),
                "{seed}, {round}"
            );
        }
    }
    Ok(())
}

// holds: journal.stops
#[test]
fn an_input_that_can_never_be_logged_is_refused_alone() -> Tested {
    let memory = Memory::default();
    let opened = Journal::open_in(&memory.folder(), &stopping())?;
    let (mut manager, journal) = (opened.manager, opened.journal);
    let spy = manager.spawn((Spy::default(),));
    let why = refused(|| drop(manager.send(spy, Secret))).expect("it has no data");
    assert!(
        why.contains("is refused") && why.contains("Secret") && why.contains(file!()),
        "{why}"
    );
    let why = refused(|| _ = manager.subscribe(Filter::all(), |_, _| {})).expect("a closure");
    assert!(why.contains("a subscriber, which is a closure"), "{why}");
    // The post of another thread has already arrived. A segment makes up for it.
    let inlet = manager.inlet();
    let second = Duration::from_secs(1);
    assert!(inlet.post(Header::to(Everyone), Secret, second).is_ok());
    assert_eq!(manager.tick(Duration::ZERO).drained, 1);
    assert!(journal.status().failure.is_some());
    manager.spawn((Counter::default(),));
    assert_eq!(journal.status().failure, None);
    journal.flush(&mut manager)?;
    let opened = Journal::open_in(&memory.folder(), &config())?;
    assert_eq!(Digest::of(&opened.manager), Digest::of(&manager));
    Ok(())
}
