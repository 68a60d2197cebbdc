//! Going back in a log leads to the same state as going forward, whatever a save of the state lacks.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use message_core::Recipient::Me;
use message_core::SubscriptionId;
use message_core::prelude::*;
use message_data::{Data, Digest, FlightRecorder, Log, LogOptions, Replay, WorldFile};
use serde::{Deserialize, Serialize};

use crate::logs::Shared;

const FRAME: Duration = Duration::from_millis(16);

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact, name = "back.Hit")]
struct Hit {
    by: u32,
}

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(name = "back.Learn")]
struct Learn;

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(name = "back.Hide")]
struct Hide;

/// A state in which it is pending cannot be saved.
#[derive(Message)]
struct Secret;

thread_local! {
    static WRITTEN: Cell<u64> = const { Cell::new(0) };
}

/// Counts how often it is written.
#[derive(Data, Deserialize, Default, Clone, Debug, PartialEq)]
#[serde(default)]
#[data(name = "back.Ogre")]
struct Ogre {
    hp: u32,
}

impl Serialize for Ogre {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        WRITTEN.set(WRITTEN.get() + 1);
        let mut fields = serializer.serialize_struct("Ogre", 1)?;
        fields.serialize_field("hp", &self.hp)?;
        fields.end()
    }
}

#[handlers]
impl Ogre {
    #[on_receive]
    fn hit(&mut self, hit: &Hit) {
        self.hp = self.hp.wrapping_add(hit.by);
    }

    #[on_receive]
    fn learn(&mut self, _: &Learn, cx: &mut Context<'_>) {
        cx.subscribe(Filter::of::<Hit>().before(), |hit, _| hit.by *= 2);
    }

    #[on_receive]
    fn hide(&mut self, _: &Hide, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.post(Header::to(Me).after_frames(100), Secret)?;
        Ok(())
    }

    #[on_receive]
    fn secret(&mut self, _: &Secret) {
        self.hp += 1;
    }
}

/// Returns the log of 100 frames, in each of which an ogre is hit after `act` was called.
fn log_of(
    prepare: impl Fn(&mut MessageManager),
    mut act: impl FnMut(&mut MessageManager, MessageeId, u32),
) -> Vec<u8> {
    let (mut manager, file) = (MessageManager::new(), Shared::default());
    prepare(&mut manager);
    let ogre = manager.spawn((Ogre::default(),));
    let options = LogOptions::new().digest_every(0);
    Log::start(&mut manager, file.clone(), options).expect("it can be saved");
    for frame in 0..100 {
        act(&mut manager, ogre, frame);
        manager.send(ogre, Hit { by: 1 }).expect("it is alive");
        manager.tick(FRAME);
    }
    Log::stop(&mut manager).expect("memory takes it");
    file.bytes()
}

/// Goes forward to each frame, and then back to each frame with key frames.
fn there_and_back(log: &[u8], prepare: impl Fn(&mut MessageManager) + Clone + 'static) {
    let replay = |every| {
        let replay = Replay::of_bytes(log.to_vec()).key_frames(every, usize::MAX);
        replay.prepare(prepare.clone())
    };
    let (mut forward, mut back) = (replay(0), replay(10));
    let digest = |replay: &mut Replay, frame| {
        let manager = replay.until(frame).expect("the log has the frame");
        Digest::of(manager)
    };
    let all: Vec<Digest> = (0..=100).map(|frame| digest(&mut forward, frame)).collect();
    digest(&mut back, 100);
    for frame in (0..=100).rev() {
        let digest = digest(&mut back, frame);
        assert_eq!(
            digest.difference(&all[frame as usize]),
            None,
            "frame {frame}"
        );
    }
}

// holds: logs.until
#[test]
fn a_subscription_of_the_preparation_that_has_ended_stays_ended() {
    thread_local! {
        static ID: Cell<Option<SubscriptionId>> = const { Cell::new(None) };
    }
    let prepare = |manager: &mut MessageManager| {
        let id = manager.subscribe(Filter::of::<Hit>().before(), |hit, _| hit.by *= 2);
        ID.set(Some(id));
    };
    let log = log_of(prepare, |manager, _, frame| {
        if frame == 5 {
            manager.unsubscribe(ID.get().expect("it was made"));
        }
    });
    there_and_back(&log, prepare);
}

// holds: logs.until
#[test]
fn a_subscription_of_a_handler_is_made_again() {
    let log = log_of(
        |_| {},
        |manager, ogre, frame| {
            if frame == 5 {
                manager.send(ogre, Learn).expect("it is alive");
            }
        },
    );
    there_and_back(&log, |_| {});
}

// holds: logs.until
#[test]
fn overhearing_ends_when_it_has_ended_forward() {
    let ids = RefCell::new(Vec::new());
    // A save has overhearing, so the preparation of the replay need not add it.
    let overhear = |manager: &mut MessageManager| {
        for _ in 0..2 {
            let listener = manager.spawn((Ogre::default(),));
            let id = manager.overhear(listener, Filter::of::<Hit>());
            ids.borrow_mut().push(id.expect("it is alive"));
        }
    };
    let log = log_of(overhear, |manager, _, frame| match frame {
        10 => assert!(manager.unsubscribe(ids.borrow()[0])),
        52 => assert!(manager.unsubscribe(ids.borrow()[1])),
        _ => {}
    });
    there_and_back(&log, |_| {});
}

// holds: logs.until
#[test]
fn what_waits_in_a_stage_for_a_closure_is_heard() {
    let prepare = |manager: &mut MessageManager| {
        let staged = Filter::of::<Hit>().stage(Stage::Update);
        manager.subscribe(staged, |hit, cx| {
            if hit.by == 1 {
                let _ = cx.send(Everyone, Hit { by: 10 });
            }
        });
    };
    there_and_back(&log_of(prepare, |_, _, _| {}), prepare);
}

// holds: logs.key-frames
#[test]
fn a_state_that_is_too_large_to_be_kept_is_not_saved_in_each_frame() {
    let log = log_of(|_| {}, |_, _, _| {});
    let mut replay = Replay::of_bytes(log).key_frames(10, 10);
    WRITTEN.set(0);
    replay.until(100).expect("the log has the frame");
    assert!(WRITTEN.get() <= 11, "{}", WRITTEN.get());
}

// holds: logs.key-frames
#[test]
fn key_frames_are_kept_again_after_a_state_that_cannot_be_saved() {
    let log = log_of(
        |_| {},
        |manager, ogre, frame| {
            if frame == 0 {
                manager.send(ogre, Hide).expect("it is alive");
            }
        },
    );
    let begun = Arc::new(AtomicU64::new(0));
    let note = Arc::clone(&begun);
    let mut replay = Replay::of_bytes(log).key_frames(1, usize::MAX);
    replay = replay.prepare(move |manager| note.store(manager.clock().frame(), Ordering::Relaxed));
    let manager = replay.until(100).expect("the log has the frame");
    for _ in 0..2 {
        manager.tick(FRAME);
    }
    assert_eq!(manager.inspect().pending_len(), 0);
    replay.until(50).expect("the log has the frame");
    assert_eq!(begun.load(Ordering::Relaxed), 0, "none could be kept");
}

// holds: logs.who-changed
#[test]
fn who_has_changed_a_field_does_not_depend_on_key_frames() {
    let log = log_of(
        |_| {},
        |manager, ogre, frame| {
            if frame == 35 {
                let hook = manager.hook_of::<Ogre>(ogre).expect("it has one");
                let _: Ogre = manager.unhook(hook).expect("it is hooked");
            }
            if frame == 45 {
                manager.hook(ogre, Ogre { hp: 35 }).expect("it is alive");
            }
        },
    );
    let found = [0, 10].map(|every| {
        let mut replay = Replay::of_bytes(log.clone()).key_frames(every, usize::MAX);
        let manager = replay.until(46).expect("the log has the frame");
        let ogre = manager.iter::<Ogre>().next().expect("it is alive").0;
        let change = replay.who_changed(ogre, "Ogre", "hp");
        change
            .expect("it can be repeated")
            .expect("it was hit")
            .to_string()
    });
    assert_eq!(found[0], found[1]);
}

#[derive(Data, Serialize, Deserialize, Default, Clone, Debug)]
#[serde(default)]
#[data(name = "back.Mind")]
struct Mind {
    mood: Mood,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
enum Mood {
    Calm(u32),
    Angry(u32),
}

impl Default for Mood {
    fn default() -> Self {
        Self::Calm(3)
    }
}

#[handlers]
impl Mind {
    #[on_receive]
    fn learn(&mut self, _: &Learn) {
        self.mood = Mood::Angry(3);
    }
}

// holds: logs.who-changed
#[test]
fn another_variant_with_the_same_content_is_a_change() {
    let log = log_of(
        |manager| {
            manager.spawn_named("mind", (Mind::default(),));
        },
        |manager, _, frame| {
            if frame == 20 {
                let mind = manager.find("mind").next().expect("it is alive");
                manager.send(mind, Learn).expect("it is alive");
            }
        },
    );
    let mut replay = Replay::of_bytes(log);
    let manager = replay.until(40).expect("the log has the frame");
    let mind = manager.find("mind").next().expect("it is alive");
    let change = replay.who_changed(mind, "back.Mind", "mood");
    let change = change.expect("it can be repeated").expect("it has changed");
    assert_eq!(change.before.as_deref(), Some("Calm(3)"));
    assert_eq!(change.after, "Angry(3)");
    let change = replay.who_changed(mind, "back.Mind", "mood.0");
    assert!(change.expect("it can be repeated").is_none());
}

// holds: logs.flight-recorder
#[test]
fn texts_of_world_files_are_dropped_with_the_inputs_that_need_them() {
    let mut manager = MessageManager::new();
    let flight = FlightRecorder::start(&mut manager, 4).expect("it can be saved");
    for number in 0..300 {
        let text = format!("World(version: 1) // {number} {}", "x".repeat(10_000));
        let file = WorldFile::parse(&text).expect("it is a world");
        file.instantiate(&mut manager).expect("it is empty");
        manager.tick(FRAME);
        let size = flight.size();
        assert!(size < 12 * 11_000, "{size} bytes after {number} texts");
    }
    let replayed = Replay::of_bytes(flight.bytes()).run();
    assert!(replayed.expect("it can be repeated").inputs >= 8);
}

// holds: logs.flight-recorder
#[test]
fn a_flight_recorder_of_a_state_that_cannot_be_saved_is_bounded() {
    let mut manager = MessageManager::new();
    let ogre = manager.spawn((Ogre::default(),));
    let flight = FlightRecorder::start(&mut manager, 10).expect("it can be saved");
    manager.send(ogre, Hide).expect("it is alive");
    let long = Header::to(ogre).after_frames(1);
    for _ in 0..40 {
        for _ in 0..50_000 {
            manager.send(ogre, Hit { by: 1 }).expect("it is alive");
        }
        manager.tick(FRAME);
    }
    manager.post(long, Hit { by: 1 }).expect("there is room");
    let bytes = flight.bytes();
    assert!(bytes.len() <= 33 << 20, "{}", bytes.len());
    let replayed = Replay::of_bytes(bytes)
        .run()
        .expect("it is the beginning of a log");
    assert!(replayed.inputs > 1_000_000, "{}", replayed.inputs);
}
