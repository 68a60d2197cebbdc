//! Opening, rotating and closing a journal on a real disk.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use message_core::prelude::*;
use message_core::report::{Report, ReportTo};
use message_data::journal::{Flush, Journal, JournalConfig, JournalError, Opened};
use message_data::{Data, Digest, Replay, SaveOptions, restore_from, save_to};
use serde::{Deserialize, Serialize};

use crate::common::Tested;
use crate::world::{Add, Counter, Reference, step};

/// A folder that is removed in the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("journal-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    /// Returns a copy, as a killed process would have left the folder. Nobody has locked it.
    fn copy(&self, name: &str) -> Self {
        let copy = Self::new(name);
        fs::create_dir_all(&copy.0).expect("it can be made");
        for file in self.files() {
            fs::copy(self.0.join(&file), copy.0.join(&file)).expect("it can be copied");
        }
        copy
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("it is there");
        let names = entries.map(|entry| entry.expect("it is read").file_name());
        let mut names: Vec<_> = names.map(|it| it.into_string().expect("ASCII")).collect();
        names.retain(|name| name != "lock");
        names.sort_unstable();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

// holds: journal.recovers, journal.new
#[test]
fn a_journal_goes_on_where_it_was_again_and_again() -> Tested {
    let (folder, mut reference) = (Folder::new("again"), Reference::new());
    let config = JournalConfig::new().segment_frames(20);
    let mut inputs = 0;
    for round in 0..8 {
        let Opened {
            mut manager,
            journal,
            recovery,
        } = Journal::open(&folder.0, &config)?;
        assert_eq!((recovery.is_new, recovery.inputs), (round == 0, inputs));
        assert_eq!(&Digest::of(&manager), reference.after(inputs));
        for _ in 0..150 {
            step(&mut manager, inputs);
            inputs += 1;
        }
        if round % 2 == 0 {
            journal.close(&mut manager)?;
        }
    }
    Ok(())
}

// holds: journal.segments, journal.kept
#[test]
fn segments_are_begun_by_frames_or_bytes_and_old_ones_are_removed() -> Tested {
    for config in [
        JournalConfig::new().segment_frames(10),
        JournalConfig::new().segment_bytes(2_000),
    ] {
        let folder = Folder::new("rotated");
        let opened = Journal::open(&folder.0, &config.keep(3).sync_in_frame())?;
        let (mut manager, journal) = (opened.manager, opened.journal);
        for number in 0..3_000 {
            step(&mut manager, number);
        }
        let status = journal.status();
        assert!(status.segments > 10, "{status:?}");
        assert_eq!(status.failure, None);
        let files = folder.files();
        assert_eq!(files.len(), 4, "{files:?}");
        assert_eq!(files.last(), Some(&status.segment));
        journal.close(&mut manager)?;
        // Each of them is a log.
        for file in files {
            Replay::open(folder.0.join(file))?.run()?;
        }
    }
    Ok(())
}

// holds: journal.flush
#[test]
fn what_was_flushed_is_there_though_the_manager_was_never_dropped() -> Tested {
    for (flush, lost) in [
        (Flush::EachInput, 0),
        (Flush::EachFrame, 2),
        (Flush::Every(Duration::from_hours(1)), 4),
    ] {
        let folder = Folder::new("flushed");
        let config = JournalConfig::new().flush(flush);
        let opened = Journal::open(&folder.0, &config)?;
        let (mut manager, journal) = (opened.manager, opened.journal);
        let spawned = |manager: &mut MessageManager| _ = manager.spawn((Counter::default(),));
        spawned(&mut manager);
        journal.flush(&mut manager)?;
        spawned(&mut manager);
        spawned(&mut manager);
        manager.tick(Duration::ZERO);
        spawned(&mut manager);
        let found = folder.copy("flushed-copy");
        let recovery = Journal::open(&found.0, &config)?.recovery;
        assert_eq!(recovery.inputs, 5 - lost, "{flush:?}");
    }
    Ok(())
}

// holds: journal.prepare
#[test]
fn a_manager_is_prepared_before_inputs_are_repeated() -> Tested {
    let folder = Folder::new("prepared");
    let config = JournalConfig::new().prepare(|manager| {
        manager.subscribe(Filter::of::<Add>(), |add: &Add, cx| {
            if add.by == 1 {
                let again = Add { by: 2, again: 0 };
                cx.send(Everyone, again).expect("it is sent");
            }
        });
    });
    let mut manager = Journal::open(&folder.0, &config)?.manager;
    manager.spawn((Counter::default(),));
    manager.send(Everyone, Add { by: 1, again: 0 })?;
    let digest = Digest::of(&manager);
    drop(manager);
    let manager = Journal::open(&folder.0, &config)?.manager;
    assert_eq!(Digest::of(&manager), digest);
    assert!(manager.iter::<Counter>().map(|(_, it)| it.sum).eq([33]));
    Ok(())
}

// holds: journal.input-not-logged
#[test]
fn an_input_that_cannot_be_logged_is_reported_and_a_new_segment_makes_up_for_it() -> Tested {
    let folder = Folder::new("impure");
    let (told, reports) = std::sync::mpsc::channel();
    let report_to = ReportTo::closure(move |report| {
        if let Report::NotLogged(what) = report {
            let _ = told.send(what.clone());
        }
    });
    let manager = ManagerConfig::new().report_to(report_to);
    let config = JournalConfig::new().manager(manager).sync_in_frame();
    let mut manager = Journal::open(&folder.0, &config)?.manager;
    manager.spawn((Counter::default(),));
    manager.subscribe(Filter::of::<Add>(), |_: &Add, _| {});
    let what = reports.try_recv()?;
    assert!(what.contains("a subscriber, which is a closure"), "{what}");
    assert!(what.contains(file!()), "{what}");
    manager.spawn((Counter::default(),));
    // The next frame begins a segment.
    assert_eq!(manager.tick(Duration::ZERO).not_logged, 1);
    assert_eq!(manager.tick(Duration::ZERO).not_logged, 0);
    manager.spawn((Counter::default(),));
    drop(manager);
    let Opened {
        manager, recovery, ..
    } = Journal::open(&folder.0, &config)?;
    assert_eq!(
        (manager.len(), recovery.inputs, recovery.repeated),
        (3, 5, 3)
    );
    assert!(reports.try_recv().is_err());
    Ok(())
}

// holds: journal.crash-loop
#[test]
fn an_input_that_kills_each_recovery_is_left_out_after_some() -> Tested {
    let folder = Folder::new("loop");
    let config = JournalConfig::new().skip_after(2);
    let mut manager = Journal::open(&folder.0, &config)?.manager;
    for _ in 0..3 {
        manager.spawn((Counter::default(),));
    }
    drop(manager);
    // A recovery that does not come to an end leaves only its count.
    let newest = folder.files().pop().expect("there is a file");
    fs::write(folder.0.join("recovering"), format!("{newest} 1"))?;
    let recovery = Journal::open(&folder.0, &config)?.recovery;
    assert_eq!((recovery.skipped, recovery.inputs), (false, 3));
    let newest = folder.files().pop().expect("there is a file");
    let before = Journal::open(&folder.0, &config)?.recovery;
    assert_eq!((before.inputs, before.repeated), (3, 0));
    drop(newest);
    let mut manager = Journal::open(&folder.0, &config)?.manager;
    manager.spawn((Counter::default(),));
    drop(manager);
    let newest = folder.files().pop().expect("there is a file");
    fs::write(folder.0.join("recovering"), format!("{newest} 2"))?;
    let Opened {
        manager, recovery, ..
    } = Journal::open(&folder.0, &config)?;
    assert_eq!(
        (recovery.skipped, recovery.inputs, manager.len()),
        (true, 3, 3)
    );
    assert!(!folder.files().contains(&"recovering".to_owned()));
    Ok(())
}

// holds: journal.locked
#[test]
fn a_journal_that_is_open_cannot_be_opened_again() -> Tested {
    let folder = Folder::new("locked");
    let config = JournalConfig::new();
    let in_use = || {
        let error = Journal::open(&folder.0, &config).expect_err("it is open");
        assert!(matches!(&error, JournalError::InUse(_)), "{error}");
        let process = format!("process {}", std::process::id());
        assert!(error.to_string().contains(&process), "{error}");
    };
    let manager = Journal::open(&folder.0, &config)?.manager;
    in_use();
    drop(manager);
    let Opened {
        mut manager,
        journal,
        ..
    } = Journal::open(&folder.0, &config)?;
    in_use();
    journal.close(&mut manager)?;
    Journal::open(&folder.0, &config)?;
    Ok(())
}

// holds: journal.panics-again
#[test]
fn the_panic_of_the_last_input_is_reported_and_not_propagated() -> Tested {
    let folder = Folder::new("panics");
    let config = JournalConfig::new();
    let mut manager = Journal::open(&folder.0, &config)?.manager;
    manager.spawn((Counter::default(), crate::failing::Bomb::default()));
    let sent = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        manager.send(Everyone, crate::failing::Explode)
    }));
    assert!(sent.is_err());
    drop(manager);
    let recovery = Journal::open(&folder.0, &config)?.recovery;
    assert_eq!(recovery.inputs, 2);
    assert_eq!(recovery.panicked.as_deref(), Some("the bomb explodes"));
    Ok(())
}

// holds: journal.not-saved
#[test]
fn a_manager_that_cannot_be_saved_has_no_journal() {
    struct Socket;
    let folder = Folder::new("unsaved");
    let config = JournalConfig::new().prepare(|manager| _ = manager.spawn((Socket,)));
    let error = Journal::open(&folder.0, &config).expect_err("a component has no data");
    assert!(matches!(&error, JournalError::Save(_)), "{error}");
    assert!(error.to_string().contains("Socket"), "{error}");
}

// holds: saves.to-file
#[test]
fn a_save_in_a_file_is_complete_or_the_one_from_before() -> Tested {
    let folder = Folder::new("saved");
    fs::create_dir_all(&folder.0)?;
    let file = folder.0.join("world.sav");
    let mut manager = MessageManager::new();
    manager.spawn((Counter::default(),));
    save_to(&mut manager, &file, &SaveOptions::new())?;
    let digest = Digest::of(&manager);
    // The name of the temporary file is taken by a folder.
    fs::create_dir(folder.0.join("world.sav.tmp"))?;
    manager.spawn((Counter::default(),));
    let error = save_to(&mut manager, &file, &SaveOptions::new()).expect_err("it is a folder");
    assert!(error.to_string().contains("world.sav"), "{error}");
    let restored = restore_from(&file, ManagerConfig::new())?;
    assert_eq!(Digest::of(&restored.manager), digest);
    fs::write(&file, "no save")?;
    let error = restore_from(&file, ManagerConfig::new()).expect_err("it is no save");
    assert!(error.to_string().contains("world.sav"), "{error}");
    Ok(())
}

// holds: logs.is-replaying
#[test]
fn effects_on_the_outside_world_are_not_repeated() -> Tested {
    let folder = Folder::new("effects");
    let (sent, mails) = std::sync::mpsc::channel();
    let config = JournalConfig::new().prepare(move |manager| {
        let sent = sent.clone();
        manager.subscribe(Filter::of::<Add>(), move |add: &Add, cx| {
            if !cx.is_replaying() {
                sent.send(add.by).expect("the test receives");
            }
        });
    });
    let mut manager = Journal::open(&folder.0, &config)?.manager;
    manager.spawn((Counter::default(),));
    manager.send(Everyone, Add { by: 7, again: 1 })?;
    manager.tick(Duration::from_millis(16));
    manager.tick(Duration::from_millis(16));
    drop(manager);
    let mut manager = Journal::open(&folder.0, &config)?.manager;
    assert!(!manager.is_replaying());
    manager.send(Everyone, Add { by: 8, again: 0 })?;
    assert_eq!(mails.try_iter().collect::<Vec<_>>(), [7, 7, 8]);
    Ok(())
}

// holds: logs.not-in-replay
#[test]
fn subscribers_that_only_have_effects_are_left_out_of_a_replay() -> Tested {
    let folder = Folder::new("left-out");
    let (sent, mails) = std::sync::mpsc::channel();
    let config = JournalConfig::new().prepare(move |manager| {
        for stage in [Stage::Immediate, Stage::LateUpdate] {
            let sent = sent.clone();
            let filter = Filter::of::<Add>().stage(stage).not_in_replay();
            manager.subscribe(filter, move |add: &Add, cx| {
                assert!(!cx.is_replaying());
                sent.send((stage, add.by)).expect("the test receives");
            });
        }
    });
    let mut manager = Journal::open(&folder.0, &config)?.manager;
    let counter = manager.spawn((Counter::default(),));
    // Those that are left out count neither now nor then.
    assert_eq!(manager.send(counter, Add { by: 7, again: 1 })?.received, 1);
    manager.tick(Duration::from_millis(16));
    let digest = Digest::of(&manager);
    drop(manager);
    let expected = [
        Stage::Immediate,
        Stage::Immediate,
        Stage::LateUpdate,
        Stage::LateUpdate,
    ];
    assert_eq!(
        mails.try_iter().collect::<Vec<_>>(),
        expected.map(|stage| (stage, 7))
    );
    let mut manager = Journal::open(&folder.0, &config)?.manager;
    assert_eq!(Digest::of(&manager), digest);
    assert!(mails.try_recv().is_err());
    manager.send(Everyone, Add { by: 8, again: 0 })?;
    manager.tick(Duration::from_millis(16));
    assert_eq!(mails.try_iter().count(), 2);
    Ok(())
}

/// Panics when it is hooked.
#[derive(Data, Serialize, Deserialize, Default)]
#[data(name = "journal.Fragile")]
#[serde(default)]
struct Fragile {
    broken: bool,
}

/// Spawns what is fragile, and panics.
#[derive(Data, Serialize, Deserialize)]
#[data(name = "journal.Dropper")]
struct Dropper;

#[handlers]
impl Fragile {
    #[on_receive]
    fn hooked(&mut self, _: &message_core::lifecycle::Hooked) {
        self.broken = true;
        std::panic::resume_unwind(Box::new("it breaks"));
    }
}

#[handlers]
impl Dropper {
    #[on_receive]
    fn drop_three(&mut self, _: &crate::failing::Explode, cx: &mut Context<'_>) {
        for _ in 0..3 {
            cx.spawn((Fragile::default(),));
        }
        std::panic::resume_unwind(Box::new("the dropper slips"));
    }
}

// holds: logs.settled, journal.recovers
#[test]
fn panics_in_what_an_earlier_panic_has_left_lose_no_frame() -> Tested {
    let folder = Folder::new("left");
    let config = JournalConfig::new().digest_every(1);
    let mut manager = Journal::open(&folder.0, &config)?.manager;
    manager.spawn((Dropper, Counter::default()));
    let caught = |act: &mut dyn FnMut()| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(act)).is_err()
    };
    assert!(caught(&mut || drop(
        manager.send(Everyone, crate::failing::Explode)
    )));
    let mut panics = 0;
    for _ in 0..10 {
        panics += u32::from(caught(&mut || _ = manager.tick(Duration::from_millis(16))));
    }
    assert!(panics > 0, "what is spawned breaks when a frame settles it");
    assert_eq!(manager.clock().frame(), u64::from(10 - panics));
    let digest = Digest::of(&manager);
    drop(manager);
    let Opened {
        manager, recovery, ..
    } = Journal::open(&folder.0, &config)?;
    assert_eq!(recovery.frames, u64::from(10 - panics));
    assert_eq!(Digest::of(&manager), digest);
    Ok(())
}

/// The ids of subscriptions are the same after a recovery, so that the journal ends the right one.
// holds: journal.recovers, saves.subscription-ids
#[test]
fn overhearing_that_has_ended_after_a_segment_began_ends_again() -> Tested {
    let folder = Folder::new("overhearing");
    let config = || {
        let config = JournalConfig::new().segment_frames(10);
        let config = config.sync_in_frame().flush(Flush::EachInput);
        config.prepare(|manager| {
            manager.subscribe(Filter::of::<Add>().before(), |add, _| add.by += 1);
        })
    };
    let Opened { mut manager, .. } = Journal::open(&folder.0, &config())?;
    let counters = [(); 3].map(|()| manager.spawn((Counter::default(),)));
    let [one, two] = [counters[1], counters[2]].map(|it| manager.overhear(it, Filter::of::<Add>()));
    let (one, two) = (one?, two?);
    for frame in 0..60 {
        match frame {
            30 => assert!(manager.unsubscribe(one)),
            57 => assert!(manager.unsubscribe(two)),
            _ => {}
        }
        manager.send(counters[0], Add { by: 1, again: 0 })?;
        manager.tick(Duration::from_millis(16));
    }
    let left = folder.copy("overhearing-left");
    let recovered = Journal::open(&left.0, &config())?.manager;
    let difference = Digest::of(&recovered).difference(&Digest::of(&manager));
    assert_eq!(difference, None);
    Ok(())
}

// holds: journal.no-state
#[test]
fn a_journal_does_not_go_back_to_before_its_oldest_state() -> Tested {
    let folder = Folder::new("before");
    let config = JournalConfig::new().segment_frames(1).keep(1);
    let Opened { mut manager, .. } = Journal::open(&folder.0, &config.sync_in_frame())?;
    for _ in 0..9 {
        manager.tick(Duration::from_millis(16));
    }
    drop(manager);
    let files = folder.files();
    let error = Journal::open_until(&folder.0, &JournalConfig::new(), 3);
    let error = error.expect_err("it was removed");
    assert!(matches!(error, JournalError::NoState(_)), "{error}");
    assert_eq!(folder.files(), files);
    Ok(())
}
