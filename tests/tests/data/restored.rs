//! The actions allowed in a handler of `Restored`, and the errors for all others.

use std::time::Duration;

use message_core::Component;
use message_core::lifecycle::Restored;
use message_core::prelude::*;
use message_data::{
    self as data, Data, Log, LogOptions, Replay, ReplayError, SaveOptions, SyncTest,
};
use serde::{Deserialize, Serialize};

use crate::logs::Shared;

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "restored.Chime", exact)]
struct Chime {
    times: u32,
}

/// Counts how often it was restored, in a field that is saved.
#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "restored.Meddler")]
struct Meddler {
    wakes: u32,
    chimes: u32,
}

#[handlers]
impl Meddler {
    #[on_receive]
    fn wake(&mut self, _: &Restored) {
        self.wakes += 1;
    }

    #[on_receive]
    fn chime(&mut self, chime: &Chime) {
        self.chimes += chime.times;
    }
}

/// Changes another component when it is restored.
#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "restored.Ringer")]
struct Ringer {
    #[serde(skip)]
    is_open: bool,
}

#[handlers]
impl Ringer {
    #[on_receive]
    fn wake(&mut self, restored: &Restored, cx: &mut Context<'_>) {
        self.is_open = true;
        let to_bell = Header::to(restored.messagee);
        cx.post(to_bell, Chime { times: 1 }).expect("there is room");
    }
}

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "restored.Gong")]
struct Gong {
    chimes: u32,
    #[serde(skip)]
    is_open: bool,
}

#[handlers]
impl Gong {
    #[on_receive]
    fn wake(&mut self, _: &Restored) {
        self.is_open = true;
    }

    #[on_receive]
    fn chime(&mut self, chime: &Chime) {
        self.chimes += chime.times;
    }
}

fn replayed<C: Component + Data + Default>() -> Result<data::Replayed, ReplayError> {
    let mut manager = MessageManager::new();
    manager.spawn_named("it", (C::default(),));
    let file = Shared::default();
    let options = LogOptions::new().digest_every(1);
    Log::start(&mut manager, file.clone(), options).expect("it has data");
    for _ in 0..3 {
        manager
            .send(Everyone, Chime { times: 2 })
            .expect("it is not nested");
        manager.tick(Duration::from_millis(16));
    }
    Log::stop(&mut manager).expect("memory takes it");
    Replay::of_bytes(file.bytes()).run()
}

// holds: logs.restored
#[test]
fn a_replay_that_differs_says_what_handlers_of_restored_have_changed() {
    let Err(ReplayError::Differs(difference)) = replayed::<Meddler>() else {
        panic!("a restored meddler is another one");
    };
    assert_eq!(difference.part, "restored.Meddler");
    assert_eq!(difference.restored.as_deref(), Some("restored.Meddler"));
    let expected = "the replay differs at the digest of frame 0: `restored.Meddler`; handlers of \
                    `Restored` changed `restored.Meddler`, so the restored world differs from the saved \
                    one: they may open what is not saved, but must not change what is";
    assert_eq!(difference.to_string(), expected);
    assert!(replayed::<Gong>().is_ok());
}

fn panic_of(test: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(test).expect_err("the worlds differ");
    panic
        .downcast_ref::<String>()
        .expect("it is a text")
        .clone()
}

// holds: logs.restored
#[test]
fn a_sync_test_that_fails_says_what_handlers_of_restored_have_changed() {
    fn world<C: Component + Data + Default>() -> SyncTest {
        SyncTest::new(|| {
            let mut manager = MessageManager::new();
            manager.spawn_named("it", (C::default(),));
            manager
        })
    }
    let text = panic_of(|| world::<Meddler>().assert_deterministic(4));
    assert!(
        text.starts_with("after 2 frames the world restored from a save differs: "),
        "{text}"
    );
    assert!(
        text.contains("handlers of `Restored` changed `restored.Meddler`"),
        "{text}"
    );
    world::<Gong>().assert_deterministic(4);

    let both = || {
        let mut manager = MessageManager::new();
        manager.spawn_named("it", (Ringer::default(), Gong::default()));
        manager
    };
    let text = panic_of(move || SyncTest::new(both).assert_deterministic(4));
    assert!(
        text.contains("handlers of `Restored` changed `restored.Gong`"),
        "{text}"
    );
}

/// As another program has it: with a text instead of numbers.
#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "restored.Chest")]
struct Chest {
    inside: Vec<Item>,
}

#[derive(Serialize, Deserialize, Clone)]
struct Item {
    weight: u8,
}

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "restored.Open", exact)]
struct Open {
    key: u8,
}

/// Replaces the byte after a text with another one in all chunks, and signs them again.
fn with_byte_behind(save: &[u8], text: &str, byte: u8) -> Vec<u8> {
    crate::bad_saves::with_every_chunk(save, |content| {
        let found = content
            .windows(text.len())
            .rposition(|it| it == text.as_bytes());
        if let Some(at) = found {
            content[at + text.len()] = byte;
        }
    })
}

// holds: saves.error-names
#[test]
fn an_error_of_a_save_names_the_type_the_field_and_the_messagee() {
    const TRUE: u8 = 0xc3;
    let mut manager = MessageManager::new();
    let inside = vec![Item { weight: 1 }, Item { weight: 2 }];
    let id = manager.spawn_named("pirate", (Chest { inside },));
    manager
        .post(Header::to(id).after_frames(9), Open { key: 7 })
        .expect("there is room");
    let save = data::save(&mut manager, &SaveOptions::new()).expect("it has data");
    let wrong = with_byte_behind(&save, "weight", TRUE);
    let error = data::restore(&wrong, ManagerConfig::new()).expect_err("it is no number");
    let expected = "in `COMP`: `restored.Chest` of messagee 0v0 \"pirate\", field `inside[1].weight`: \
                    invalid type: boolean `true`, expected u8";
    assert!(error.to_string().ends_with(expected), "{error}");
    let wrong = with_byte_behind(&save, "key", TRUE);
    let error = data::restore(&wrong, ManagerConfig::new()).expect_err("it is no number");
    let expected =
        "in `POST`: `restored.Open`, field `key`: invalid type: boolean `true`, expected u8";
    assert!(error.to_string().ends_with(expected), "{error}");
}
