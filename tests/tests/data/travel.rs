//! Logs with places, the last frames in memory, and replays that go to any frame.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_core::trace::{SourcePlace, Traced};
use message_data::{
    self as data, Data, Digest, FlightRecorder, Log, LogOptions, Replay, ReplayError, WorldFile,
};
use message_trace::{Recorder, TraceFilter};
use serde::{Deserialize, Serialize};

use crate::logs::Shared;

const FRAME: Duration = Duration::from_millis(16);

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact, name = "travel.Feed")]
struct Feed {
    by: u32,
}

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(name = "travel.Purr")]
struct Purr;

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(name = "travel.Fail")]
struct Fail;

/// Has no data.
#[derive(Message)]
struct Secret;

#[derive(Data, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
#[serde(default)]
#[data(name = "travel.Manner")]
struct Manner {
    level: u32,
}

#[derive(Data, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
#[serde(default)]
#[data(name = "travel.Cat")]
struct Cat {
    weight: u32,
    manner: Manner,
    meals: Vec<u32>,
    purrs: u32,
}

#[handlers]
impl Cat {
    #[on_receive]
    fn feed(&mut self, feed: &Feed, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.weight += feed.by;
        self.meals.push(feed.by);
        cx.post(Header::to(Me).after_frames(3), Purr)?;
        Ok(())
    }

    #[on_receive]
    fn purr(&mut self, _: &Purr, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.purrs += 1;
        if self.purrs.is_multiple_of(4) {
            self.manner.level += 1;
        }
        // It is over before the cat itself returns.
        cx.send(Everyone, Listen)?;
        Ok(())
    }

    #[on_receive]
    fn fail(&mut self, _: &Fail) {
        panic!("the cat is gone");
    }
}

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(name = "travel.Listen")]
struct Listen;

#[derive(Data, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
#[serde(default)]
#[data(name = "travel.Mouse")]
struct Mouse {
    heard: u32,
}

#[handlers]
impl Mouse {
    #[on_receive]
    fn listen(&mut self, _: &Listen) {
        self.heard += 1;
    }
}

/// The inputs of some frames: a meal each tenth frame, and one digest for each frame when it has ended.
fn play(manager: &mut MessageManager, frames: u64) -> Vec<Digest> {
    let cat = manager.find("cat").next();
    let cat = cat.unwrap_or_else(|| manager.spawn_named("cat", (Cat::default(), Mouse::default())));
    let mut digests = Vec::new();
    for frame in 0..frames {
        manager.tick(FRAME);
        if frame % 10 == 0 {
            manager.send(cat, Feed { by: 2 }).expect("it is alive");
        }
        digests.push(Digest::of(manager));
    }
    digests
}

fn logged<T>(act: impl FnOnce(&mut MessageManager) -> T) -> (Vec<u8>, T) {
    let mut manager = MessageManager::new();
    let file = Shared::default();
    let options = LogOptions::new().digest_every(7);
    Log::start(&mut manager, file.clone(), options).expect("it is empty");
    let result = act(&mut manager);
    Log::stop(&mut manager).expect("memory takes it");
    (file.bytes(), result)
}

fn recording(log: Vec<u8>) -> Replay {
    Replay::of_bytes(log).prepare(|manager| drop(Recorder::new(100_000).start(manager)))
}

/// Returns the places of all messages from outside, with the names of their types.
fn places(manager: &MessageManager) -> Vec<(&'static str, String)> {
    let recorder = Recorder::of(manager).expect("it was started");
    let sent = recorder.events().filter_map(|event| match &event.what {
        Traced::Sent {
            place, cause: None, ..
        } => Some((event.message, place.to_string())),
        _ => None,
    });
    sent.collect()
}

// holds: logs.places
#[test]
fn the_trace_of_a_replay_has_the_lines_of_the_recorded_program() {
    let line = line!() + 7;
    let (log, ()) = logged(|manager| {
        let cat = manager.spawn((Cat::default(), Mouse::default()));
        let mouse = manager.spawn((Mouse::default(),));
        let (inlet, now) = (manager.inlet(), Header::to(cat));
        let later = Header::to(cat).after_frames(1);
        // Each of these lines.
        manager.send(cat, Feed { by: 1 }).expect("it is alive");
        manager.post(later, Purr).expect("there is room");
        inlet.try_post(now, Feed { by: 2 }).expect("room");
        inlet.try_post(now, Feed { by: 3 }).expect("room");
        manager.tick(FRAME);
        manager.despawn(mouse).expect("it is alive");
    });
    let mut replay = recording(log);
    let manager = replay.until(1).expect("it can be repeated");
    let here = |by: u32| {
        let lines = places(manager).into_iter();
        let at = format!("{}:{}:", file!(), line + by);
        lines
            .filter(|(_, place)| place.starts_with(&at))
            .map(|it| it.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(here(0), [Feed::NAME]);
    assert_eq!(here(1), [Purr::NAME]);
    assert_eq!((here(2), here(3)), (vec![Feed::NAME], vec![Feed::NAME]));
    let all = places(manager);
    assert!(
        all.iter().all(|(_, place)| place.starts_with(file!())),
        "{all:?}"
    );
}

// holds: logs.places
#[test]
fn notices_have_the_line_of_the_call_that_led_to_them() {
    use message_core::lifecycle::{Despawning, Unhooking};

    #[derive(Data, Serialize, Deserialize, Default)]
    #[data(name = "travel.Will")]
    struct Will;

    #[handlers]
    impl Will {
        #[on_receive]
        fn despawning(&mut self, _: &Despawning) {}

        #[on_receive]
        fn unhooking(&mut self, _: &Unhooking) {}
    }

    let line = line!() + 4;
    let (log, ()) = logged(|manager| {
        let [one, two] = [(); 2].map(|()| manager.spawn((Will,)));
        let hook = manager.hook_of::<Will>(one).expect("it has one");
        manager.unhook::<Will>(hook).expect("it is hooked");
        manager.despawn(two).expect("it is alive");
    });
    let mut replay = recording(log);
    let manager = replay.until(0).expect("it can be repeated");
    let at = |by| format!("{}:{}:", file!(), line + by);
    let all = places(manager);
    let unhooking = all.iter().find(|(name, _)| name.ends_with("Unhooking"));
    assert!(
        unhooking.is_some_and(|(_, place)| place.starts_with(&at(0))),
        "{all:?}"
    );
    let despawning = all.iter().find(|(name, _)| name.ends_with("Despawning"));
    assert!(
        despawning.is_some_and(|(_, place)| place.starts_with(&at(1))),
        "{all:?}"
    );
}

// holds: logs.places
#[test]
fn a_place_is_written_once_and_takes_two_bytes_of_an_input_at_most() {
    let size = |sends: u64| {
        let mut manager = MessageManager::new();
        let file = Shared::default();
        let options = LogOptions::new().digest_every(0);
        Log::start(&mut manager, file.clone(), options).expect("it is empty");
        let cat = manager.spawn((Mouse::default(),));
        for _ in 0..sends {
            manager.send(cat, Listen).expect("it is alive");
        }
        Log::stop(&mut manager).expect("memory takes it");
        file.bytes()
    };
    let (ten, thousand) = (size(10), size(1_000));
    // 5 bytes around an input, 3 for its tag, and its parts: how, to, from, the value, the place.
    let most = 5 + 3 + 1 + 2 + 1 + 1 + 4 + 2;
    assert!(
        thousand.len() - ten.len() <= 990 * most,
        "{}",
        thousand.len() - ten.len()
    );
    let file = file!().as_bytes();
    let count = thousand
        .windows(file.len())
        .filter(|it| *it == file)
        .count();
    assert_eq!(count, 2, "a spawn and a send");
}

// holds: logs.places
#[test]
fn a_place_that_the_log_does_not_have_is_no_line_of_this_crate() {
    const FILE: &str = r#"World(version: 1, messagees: [(name: "cat", components: [r#travel.Cat()],
        wires: [(on: r#travel.Purr, to: "cat", send: r#travel.Feed(by: 1))])])"#;
    let file = WorldFile::parse(FILE).expect("it is right");
    let (log, ()) = logged(|manager| {
        file.instantiate(manager).expect("it is right");
        manager.send(Everyone, Purr).expect("it is there");
        manager.tick(FRAME);
    });
    let mut replay = recording(log);
    let manager = replay.until(1).expect("it can be repeated");
    let recorder = Recorder::of(manager).expect("it was started");
    let fed = TraceFilter::of::<Feed>();
    let place = recorder.select(&fed).find_map(|event| match &event.what {
        Traced::Sent { place, .. } => Some(place.clone()),
        _ => None,
    });
    assert_eq!(place, Some(SourcePlace::LOGGED));
}

// holds: logs.until
#[test]
fn a_replay_goes_to_any_frame_in_any_order() {
    let (log, digests) = logged(|manager| play(manager, 100));
    for every in [0, 1, 30] {
        let mut replay = Replay::of_bytes(log.clone()).key_frames(every, usize::MAX);
        for frame in [50, 100, 3, 99, 51, 50, 49, 1, 100, 70] {
            let manager = replay.until(frame).expect("it can be repeated");
            let expected = &digests[usize::try_from(frame).expect("small") - 1];
            assert_eq!(
                Digest::of(manager),
                *expected,
                "frame {frame}, every {every}"
            );
            assert!(manager.is_replaying());
        }
        assert_eq!(replay.until(0).expect("its beginning").clock().frame(), 0);
        assert_eq!(replay.until(1_000).expect("its end").clock().frame(), 100);
        let replayed = replay.run().expect("it is at its end");
        assert_eq!(Digest::of(&replayed.manager), digests[99]);
        assert_eq!((replayed.inputs, replayed.digests), (111, 15));
    }
}

// holds: logs.until
#[test]
fn going_back_begins_at_the_last_key_frame() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    let (log, _) = logged(|manager| play(manager, 1_000));
    // Each restored state is prepared: its frame tells where a key frame was.
    let begun = Arc::new(AtomicU64::new(0));
    let note = Arc::clone(&begun);
    let mut replay = Replay::of_bytes(log).key_frames(50, usize::MAX);
    replay = replay.prepare(move |manager| note.store(manager.clock().frame(), Ordering::Relaxed));
    for (frame, expected) in [(1_000, 0), (777, 750), (776, 750), (749, 700), (49, 0)] {
        let before = replay
            .until(1_000)
            .expect("it can be repeated")
            .clock()
            .frame();
        assert_eq!(before, 1_000);
        replay.until(frame).expect("it can be repeated");
        assert_eq!(begun.load(Ordering::Relaxed), expected, "back to {frame}");
    }
}

// holds: logs.run-on
#[test]
fn a_fork_goes_on_as_a_program_and_the_log_keeps_the_other_future() {
    let (log, digests) = logged(|manager| play(manager, 60));
    let mut replay = Replay::of_bytes(log).key_frames(10, usize::MAX);
    replay.until(30).expect("it can be repeated");
    let mut fork = replay.run_on().expect("it was begun");
    assert!(!fork.is_replaying());
    assert_eq!(Digest::of(&fork), digests[29]);
    // It hears other threads, and is logged like any manager.
    let cat = fork.find("cat").next().expect("it is there");
    let file = Shared::default();
    Log::start(&mut fork, file.clone(), LogOptions::new()).expect("it can be saved");
    let inlet = fork.inlet();
    inlet
        .try_post(Header::to(cat), Feed { by: 90 })
        .expect("there is room");
    assert_eq!(fork.tick(FRAME).drained, 1);
    Log::stop(&mut fork).expect("memory takes it");
    assert!(fork.get::<Cat>(cat).expect("it has one").weight > 90);
    let again = Replay::of_bytes(file.bytes()).run().expect("it is a log");
    assert_eq!(Digest::of(&again.manager), Digest::of(&fork));
    for frame in [31, 60, 30] {
        let there = replay.until(frame).expect("it can be repeated");
        assert_eq!(
            Digest::of(there),
            digests[usize::try_from(frame).expect("small") - 1]
        );
    }
}

// holds: logs.as-far-as
#[test]
fn the_manager_is_there_as_far_as_it_came() {
    // An input that could not be written.
    let (log, before) = logged(|manager| {
        play(manager, 20);
        let before = Digest::of(manager);
        let _ = manager.send(Everyone, Secret);
        play(manager, 20);
        before
    });
    let mut replay = Replay::of_bytes(log);
    for _ in 0..2 {
        for _ in 0..2 {
            let error = replay.run().expect_err("an input was not written");
            assert!(matches!(error, ReplayError::Impure { .. }), "{error}");
        }
        let reached = replay.run_on().expect("it was begun");
        assert_eq!(Digest::of(&reached), before);
        assert!(!reached.is_replaying());
    }
    let frame = replay.until(40).map(|manager| manager.clock().frame());
    assert!(
        matches!(frame, Err(ReplayError::Impure { .. })),
        "{frame:?}"
    );
    assert_eq!(
        replay.until(19).expect("it is before it").clock().frame(),
        19
    );
}

// holds: logs.who-changed, seeing.look
#[test]
fn the_last_change_of_a_field_has_its_frame_its_delivery_and_its_line() {
    let line = line!() + 5;
    let (log, id) = logged(|manager| {
        play(manager, 1);
        let cat = manager.find("cat").next().expect("it was spawned");
        for frame in 2..=500 {
            manager.get_mut::<Cat>(cat).expect("it has one").weight += u32::from(frame == 250);
            manager.tick(FRAME);
            if frame == 100 {
                manager.send(cat, Feed { by: 7 }).expect("it is alive");
            }
        }
        cat
    });
    for every in [0, 40] {
        let mut replay = Replay::of_bytes(log.clone()).key_frames(every, usize::MAX);
        replay.until(500).expect("it can be repeated");
        // A handler changed it.
        let change = replay
            .who_changed(id, "Cat", "meals")
            .expect("there is one")
            .expect("one");
        let values = (change.before.as_deref(), &*change.after);
        assert_eq!(values, (Some("[2]"), "[2, 7]"));
        assert_eq!(change.frame, 100);
        let delivery = change.delivery.as_ref().expect("it was fed");
        assert_eq!(delivery.message, Feed::NAME);
        let place = change.place.as_ref().expect("the handler has one");
        assert_eq!((&*place.file, place.column), (file!(), 0));
        let sent = change.sent_at.as_ref().expect("it was sent");
        assert_eq!((&*sent.file, sent.line), (file!(), line + 3), "{change}");
        assert_eq!(replay.until(100).expect("it is here").clock().frame(), 100);
        // From outside.
        replay.until(500).expect("it can be repeated");
        let change = replay
            .who_changed(id, "travel.Cat", "weight")
            .expect("there is one");
        let change = change.expect("it was changed");
        assert!(change.delivery.is_none());
        assert_eq!((change.frame, &*change.after), (249, "10"));
        let place = change.place.expect("it is in the log");
        assert_eq!((&*place.file, place.line), (file!(), line), "every {every}");
        // A post changed it, three frames after the meal.
        replay.until(500).expect("it can be repeated");
        let change = replay
            .who_changed(id, "Cat", "purrs")
            .expect("there is one")
            .expect("one");
        assert_eq!((change.frame, &*change.after), (103, "2"));
        // A delivery within another one changed it, not the cat, which was there first.
        replay.until(500).expect("it can be repeated");
        let change = replay
            .who_changed(id, "Mouse", "heard")
            .expect("there is one");
        let delivery = change.expect("one").delivery.expect("it heard something");
        assert_eq!(delivery.message, Listen::NAME);
        // Never.
        replay.until(500).expect("it can be repeated");
        let never = replay
            .who_changed(id, "Cat", "manner.level")
            .expect("there is one");
        assert!(never.is_some(), "the cat was spawned in the log");
        let at = replay
            .until(90)
            .expect("it can be repeated")
            .clock()
            .frame();
        assert_eq!(at, 90);
        let error = replay.who_changed(id, "Cat", "wieght").expect_err("a typo");
        assert!(error.to_string().contains("expected one of"), "{error}");
    }
}

// holds: logs.who-changed
#[test]
fn a_change_back_to_the_value_before_is_a_change_and_a_field_that_never_changed_has_none() {
    let mut manager = MessageManager::new();
    let mouse = manager.spawn((Mouse { heard: 3 },));
    let file = Shared::default();
    Log::start(&mut manager, file.clone(), LogOptions::new()).expect("it can be saved");
    for frame in 1..=300 {
        if frame == 120 || frame == 130 {
            let heard = if frame == 120 { 5 } else { 3 };
            manager.get_mut::<Mouse>(mouse).expect("it has one").heard = heard;
        }
        manager.tick(FRAME);
    }
    Log::stop(&mut manager).expect("memory takes it");
    let mut replay = Replay::of_bytes(file.bytes()).key_frames(50, usize::MAX);
    replay.until(300).expect("it can be repeated");
    let change = replay
        .who_changed(mouse, "Mouse", "heard")
        .expect("it can be repeated");
    let change = change.expect("it was changed back");
    let values = (change.before.as_deref(), &*change.after);
    assert_eq!((change.frame, values), (129, (Some("5"), "3")));
    replay.until(100).expect("it can be repeated");
    let never = replay
        .who_changed(mouse, "Mouse", "heard")
        .expect("it can be repeated");
    assert!(never.is_none());
    // The end of the messagee is no change.
    let (log, id) = logged(|manager| {
        let mouse = manager.spawn((Mouse::default(),));
        manager.send(mouse, Listen).expect("it is alive");
        manager.tick(FRAME);
        manager.despawn(mouse).expect("it is alive");
        manager.tick(FRAME);
        mouse
    });
    let mut ended = Replay::of_bytes(log);
    ended.until(2).expect("it can be repeated");
    let change = ended.who_changed(id, "Mouse", "heard");
    let change = change.expect("it can be repeated").expect("it was there");
    assert_eq!((change.frame, &*change.after), (0, "1"));
    assert_eq!(replay.run_on().expect("it stayed").clock().frame(), 100);
}

// holds: logs.flight-recorder
#[test]
fn a_flight_recorder_has_the_last_frames_and_no_more() {
    let mut manager = MessageManager::new();
    let flight = FlightRecorder::start(&mut manager, 50).expect("it can be saved");
    let mut most = 0;
    for frames in [10, 45, 100, 200, 645] {
        play(&mut manager, frames);
        let bytes = flight.bytes();
        most = most.max(bytes.len());
        let replayed = Replay::of_bytes(bytes).run().expect("it is a log");
        assert_eq!(Digest::of(&replayed.manager), Digest::of(&manager));
        // A meal each tenth frame, and once a spawn.
        let most = 111 + 1;
        assert!(replayed.inputs <= most, "{}", replayed.inputs);
    }
    let file = std::env::temp_dir().join(format!("travel-{}.log", std::process::id()));
    flight.write_to(&file).expect("the disk has room");
    assert_eq!(std::fs::read(&file).expect("it is there"), flight.bytes());
    std::fs::remove_file(&file).expect("it is there");
}

// holds: logs.flight-recorder
#[test]
fn a_flight_recorder_takes_no_more_memory_after_many_frames() {
    let mut manager = MessageManager::new();
    let flight = FlightRecorder::start(&mut manager, 20).expect("it can be saved");
    let mouse = manager.spawn((Mouse::default(),));
    let mut sizes = Vec::new();
    for frame in 0..20_000 {
        manager.send(mouse, Listen).expect("it is alive");
        manager.tick(FRAME);
        if frame % 100 == 99 {
            sizes.push(flight.bytes().len());
        }
    }
    let (early, late) = (sizes[..10].iter().max(), sizes[100..].iter().max());
    assert!(
        late.expect("many") <= &(early.expect("ten") + 200),
        "{early:?} {late:?}"
    );
}

// holds: logs.flight-recorder
#[test]
fn a_flight_recorder_begins_anew_after_an_input_that_cannot_be_logged() {
    let mut manager = MessageManager::new();
    let flight = FlightRecorder::start(&mut manager, 1_000).expect("it can be saved");
    play(&mut manager, 70);
    manager.subscribe(Filter::of::<Purr>(), |_, _| {});
    let impure = Replay::of_bytes(flight.bytes()).run();
    assert!(matches!(impure, Err(ReplayError::Impure { .. })));
    play(&mut manager, 20);
    let replayed = Replay::of_bytes(flight.bytes())
        .run()
        .expect("it is whole again");
    assert_eq!(Digest::of(&replayed.manager), Digest::of(&manager));
}

// holds: logs.flight-recorder, logs.replay-panics
#[test]
fn a_panic_writes_the_last_frames_and_the_replay_has_the_line_that_led_to_it() {
    let file = std::env::temp_dir().join(format!("travel-crash-{}.log", std::process::id()));
    let line = line!() + 6;
    let crash = || {
        let mut manager = MessageManager::new();
        let flight = FlightRecorder::start(&mut manager, 60).expect("it can be saved");
        flight.write_on_panic(&file);
        play(&mut manager, 200);
        let _ = manager.send(Everyone, Fail);
    };
    catch_unwind(AssertUnwindSafe(crash)).expect_err("the cat is gone");
    let log = std::fs::read(&file).expect("it was written");
    std::fs::remove_file(&file).expect("it is there");
    let mut replay = recording(log);
    let manager = replay.until(1_000).expect("it can be repeated");
    let recorder = Recorder::of(manager).expect("it was started");
    let last = recorder
        .events()
        .rev()
        .find_map(|event| event.send)
        .expect("one");
    let why = recorder.explain(last).expect("it was recorded").to_string();
    assert!(why.contains(&format!("{}:{line}:", file!())), "{why}");
    assert!(why.contains("panicked"), "{why}");
    drop(recorder);
    let replayed = replay.run().expect("it is at its end");
    assert_eq!(replayed.panicked.as_deref(), Some("the cat is gone"));
    assert_eq!(
        data::types().filter(|ty| ty.name() == "travel.Cat").count(),
        1
    );
}
