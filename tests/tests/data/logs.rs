//! Inputs are written to a log, and repeated bit for bit.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use message_core::Recipient::Me;
use message_core::post::Posts;
use message_core::prelude::*;
use message_core::{AskError, ManagerConfig};
use message_data::{
    self as data, Data, Digest, Log, LogError, LogOptions, LogReport, Logged, LoggedInput,
    LoggedMessage, Replay, ReplayError, Replayed, SyncTest,
};
use serde::{Deserialize, Serialize};

const FRAME: Duration = Duration::from_millis(16);

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(exact, name = "logs.Hit")]
struct Hit {
    amount: i64,
}

#[derive(Message, Data, Serialize, Deserialize)]
#[message(reply = i64)]
#[data(name = "logs.GetHp")]
struct GetHp;

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "logs.Burst")]
struct Burst;

/// Has no data.
#[derive(Message)]
struct Secret;

#[derive(Data, Serialize, Deserialize, Default, Debug, PartialEq)]
#[serde(default)]
#[data(name = "logs.Body")]
struct Body {
    hp: i64,
    hits: Vec<i64>,
    killer: Option<MessageeId>,
    later: Option<Ticket>,
}

#[handlers]
impl Body {
    #[on_receive]
    fn hit(&mut self, hit: &Hit, cx: &mut Context<'_>) {
        self.hp -= hit.amount;
        self.hits.push(hit.amount);
        self.killer = cx.sender().id();
        if self.hits.len().is_multiple_of(5) {
            let header = Header::to(Me).after(Duration::from_millis(40));
            self.later = cx.post(header, Hit { amount: 1 }).ok();
        }
        if self.hp < -60 {
            let me = cx.me();
            let _ = cx.despawn(me);
        }
    }

    #[on_receive]
    fn hp(&self, _: &GetHp) -> i64 {
        self.hp
    }

    #[on_receive]
    fn burst(&mut self, _: &Burst, cx: &mut Context<'_>) {
        cx.spawn((Self {
            hp: self.hp / 2,
            ..Self::default()
        },));
    }
}

#[derive(Data, Serialize, Deserialize, Default)]
#[data(name = "logs.Hat")]
struct Hat;

/// Has no data.
struct Shadow;

/// A file in memory.
#[derive(Clone, Default)]
pub(crate) struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.lock().expect("nobody panics with it").clone()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics with it").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

mnemonic!(BOSS = "logs.boss");
group!(CROWD = "logs.crowd");

fn body(hp: i64) -> Body {
    Body {
        hp,
        ..Body::default()
    }
}

/// Runs `act` on a new manager, and returns the manager with the log of its inputs.
fn logged(
    options: LogOptions,
    act: impl FnOnce(&mut MessageManager),
) -> (MessageManager, Vec<u8>, LogReport) {
    let mut manager = MessageManager::new();
    let file = Shared::default();
    Log::start(&mut manager, file.clone(), options).expect("an empty manager can be saved");
    act(&mut manager);
    let report = Log::stop(&mut manager).expect("memory takes it");
    (manager, file.bytes(), report.expect("a log was written"))
}

fn replayed(log: &[u8]) -> Result<Replayed, ReplayError> {
    Replay::of_bytes(log.to_vec()).run()
}

fn publish_many(manager: &mut MessageManager) {
    let hits = (0..3).map(|amount| Hit { amount });
    manager.publish_each(Everyone, hits).expect("there is room");
    let mut writer = manager.writer(Everyone).expect("the type is registered");
    for amount in 0..3 {
        writer.publish(Hit { amount }).expect("there is room");
    }
}

/// Does everything that can be done from outside.
fn everything(manager: &mut MessageManager) {
    let a = manager.spawn((body(100),));
    let b = manager.spawn_named("b", (body(50), Hat));
    let c = manager.spawn(());
    manager.bind(BOSS, b).expect("it is alive");
    manager.join(CROWD, a).expect("it is alive");
    manager.join(CROWD, b).expect("it is alive");
    manager.set_parent(c, Some(a)).expect("it is alive");
    manager.set_name(c, "c").expect("it is alive");
    let hook = manager.hook(c, body(70)).expect("it is alive");
    manager.set_enabled(hook, false).expect("it is alive");
    manager.send(a, Hit { amount: 1 }).expect("it is alive");
    manager.send(BOSS, Hit { amount: 2 }).expect("it is bound");
    manager
        .send(CROWD, Hit { amount: 3 })
        .expect("it has members");
    manager
        .send_mut(a, &mut Hit { amount: 4 })
        .expect("it is alive");
    manager.request(b, GetHp).expect("it answers");
    manager.request_all(Everyone, GetHp).expect("they answer");
    let mut from = manager.speak_for(a).expect("it is alive");
    from.send(b, Hit { amount: 5 }).expect("it is alive");
    from.post(Header::to(b).after_frames(1), Hit { amount: 6 })
        .expect("there is room");
    from.publish(b, Hit { amount: 7 }).expect("there is room");
    let header = Header::to(Everyone)
        .every(Duration::from_millis(30))
        .times(4);
    manager
        .post(header, Hit { amount: 8 })
        .expect("there is room");
    let ticket = manager.post(Header::to(a).after_frames(9), Hit { amount: 9 });
    manager.cancel(ticket.expect("there is room"));
    let taken = manager.post(Header::to(a).after_frames(9), Hit { amount: 10 });
    for post in manager.take_posts(taken.expect("there is room")) {
        let header = post.header.with_recipient(c);
        manager.post_any(header, post.message).expect("room");
    }
    let header = Header::to(a).stage(Stage::Update);
    let header = header.build().expect("it is right");
    let hits = (0..10).map(|amount| Hit { amount });
    manager.post_each(header, hits).expect("there is room");
    publish_many(manager);
    manager
        .post_any(Header::to(a).after_frames(2), Box::new(Hit { amount: 11 }))
        .expect("room");
    manager
        .send_any(a, Box::new(Hit { amount: 12 }))
        .expect("alive");
    manager.tick(FRAME);
    manager.set_time_scale(2.0).expect("it is right");
    manager.get_mut::<Body>(a).expect("it has one").hp = 1_000;
    manager.component_mut::<Body>(hook).expect("it is there").hp += 1;
    manager.tick(FRAME);
    for (_, body) in manager.iter_mut::<Body>() {
        body.hp += 10;
    }
    manager.set_enabled(hook, true).expect("it is there");
    {
        let desk = manager.desk();
        desk.get_mut::<Body>(a).expect("it has one").hits.clear();
        desk.publish(a, Hit { amount: 13 }).expect("there is room");
    }
    manager.begin_frame(FRAME);
    manager.run_stage(Stage::Update);
    manager.set_fixed_step(Duration::from_millis(5));
    manager.begin_frame_with(FRAME / 3, FRAME);
    manager.run_stage(Stage::FixedUpdate);
    manager.send(Everyone, Burst).expect("it is not nested");
    manager.set_paused(true);
    manager.tick(FRAME);
    manager.set_paused(false);
    let inlet = manager.inlet();
    std::thread::spawn(move || {
        for amount in 0..5 {
            inlet
                .try_post(Header::to(BOSS), Hit { amount })
                .expect("there is room");
            inlet
                .try_post(Header::to(Everyone).after_frames(1), Hit { amount })
                .expect("there is room");
        }
    })
    .join()
    .expect("it does not panic");
    for _ in 0..5 {
        manager.tick(FRAME);
    }
    manager.unbind(BOSS, b).expect("it is bound");
    manager.leave(CROWD, a).expect("it is alive");
    manager.unhook::<Body>(hook).expect("it is there");
    manager.set_parent(c, None).expect("it is alive");
    manager.despawn(b).expect("it is alive");
    manager.cancel(Posts::of::<Hit>().to(a));
    for _ in 0..20 {
        manager.tick(FRAME);
    }
}

// holds: logs.inputs-written, logs.replay, logs.same-inputs, logs.digest-ids
#[test]
fn everything_that_comes_from_outside_is_repeated_bit_for_bit() {
    let options = LogOptions::new().digest_every(1).keep_states(true);
    let (manager, log, report) = logged(options, everything);
    assert!(report.impure.is_empty(), "{:?}", report.impure);
    assert_eq!(report.bytes, log.len() as u64);
    let replayed = match replayed(&log) {
        Ok(replayed) => replayed,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(Digest::of(&replayed.manager), Digest::of(&manager));
    assert_eq!(replayed.inputs, report.inputs);
    assert_eq!(replayed.digests, 30);
    assert_eq!(replayed.manager.clock(), manager.clock());
    let bodies = |manager: &MessageManager| -> Vec<(i64, Vec<i64>)> {
        let bodies = manager.iter::<Body>();
        bodies
            .map(|(_, body)| (body.hp, body.hits.clone()))
            .collect()
    };
    assert_eq!(bodies(&replayed.manager), bodies(&manager));
}

// holds: logs.inputs-written, logs.replay
#[test]
fn letters_are_repeated_whichever_way_the_frame_began() {
    let frames: [fn(&mut MessageManager); 3] = [
        |manager| _ = manager.tick(FRAME),
        |manager| _ = manager.begin_frame(FRAME),
        |manager| _ = manager.begin_frame_with(FRAME, FRAME),
    ];
    for (at, begin) in frames.into_iter().enumerate() {
        let (manager, log, _) = logged(LogOptions::new(), |manager| {
            manager.spawn((body(10),));
            let letter = manager
                .inlet()
                .try_post(Header::to(Everyone), Hit { amount: 1 });
            letter.expect("there is room");
            begin(manager);
        });
        let replayed = replayed(&log).expect("it can be repeated");
        assert_eq!(
            Digest::of(&replayed.manager),
            Digest::of(&manager),
            "frame {at}"
        );
    }
}

// holds: logs.questions, logs.same-inputs
#[test]
fn questions_are_repeated_in_their_places_and_those_asked_meanwhile_are_dropped() {
    let (manager, log, report) = logged(LogOptions::new().digest_every(1), |manager| {
        let to = manager.spawn((body(10),));
        let inlet = manager.inlet();
        let hit = |amount| inlet.try_post(Header::to(to), Hit { amount }).is_ok();
        assert!(hit(1));
        let mut first = inlet.ask(to, GetHp);
        assert!(hit(2));
        // Nobody waits for this one.
        drop(inlet.ask(to, GetHp));
        let mut gone = inlet.ask(BOSS, GetHp);
        manager.tick(FRAME);
        assert_eq!(first.wait(Duration::ZERO), Ok(9));
        assert!(matches!(gone.wait(Duration::ZERO), Err(AskError::Gone(_))));
        manager.tick(FRAME);
    });
    assert!(report.impure.is_empty(), "{:?}", report.impure);
    let asked = Arc::new(Mutex::new(None));
    let asks = Arc::clone(&asked);
    let mut replay = Replay::of_bytes(log).prepare(move |manager| {
        let answer = manager.inlet().ask(Everyone, GetHp);
        *asks.lock().expect("nobody panics") = Some(answer);
    });
    let replayed = replay.run().expect("it can be repeated");
    assert_eq!(Digest::of(&replayed.manager), Digest::of(&manager));
    assert_eq!(replayed.inputs, report.inputs);
    let mut asked = asked.lock().expect("nobody panics");
    let answer = asked.as_mut().map(|answer| answer.wait(Duration::ZERO));
    assert!(matches!(answer, Some(Err(AskError::Dropped { .. }))));
}

// holds: logs.start-log, logs.replay
#[test]
fn a_log_begins_with_the_state_of_its_manager() {
    let mut manager = MessageManager::new();
    everything(&mut manager);
    let file = Shared::default();
    let options = LogOptions::new().digest_every(2);
    Log::start(&mut manager, file.clone(), options).expect("it can be saved");
    let header = Header::to(Everyone).every_frames(3);
    manager
        .post(header, Hit { amount: 1 })
        .expect("there is room");
    for _ in 0..10 {
        manager.tick(FRAME);
    }
    Log::stop(&mut manager).expect("memory takes it");
    let replayed = replayed(&file.bytes()).expect("it is the same program");
    assert_eq!(Digest::of(&replayed.manager), Digest::of(&manager));
    assert_eq!(replayed.digests, 5);
}

// holds: logs.inputs-written
#[test]
fn an_input_is_in_the_log_before_it_runs() {
    let file = Shared::default();
    let mut manager = MessageManager::new();
    Log::start(&mut manager, file.clone(), LogOptions::new()).expect("it can be saved");
    let seen = Arc::new(Mutex::new(0));
    let (length, log) = (Arc::clone(&seen), file.clone());
    let id = manager.spawn((body(1),));
    let before = file.bytes().len();
    manager.subscribe(Filter::of::<Hit>(), move |_, _| {
        *length.lock().expect("nobody panics with it") = log.bytes().len();
    });
    let subscribed = file.bytes().len();
    manager.send(id, Hit { amount: 1 }).expect("it is alive");
    let during = *seen.lock().expect("nobody panics with it");
    assert!(before < subscribed && subscribed < during);
    assert_eq!(during, file.bytes().len());
}

// holds: logs.replay-panics
#[test]
fn a_panic_that_was_caught_is_repeated_and_one_at_the_end_is_in_the_result() {
    #[derive(Message, Data, Serialize, Deserialize)]
    #[data(name = "logs.Explode")]
    struct Explode;

    #[derive(Data, Serialize, Deserialize)]
    #[data(name = "logs.Bomb")]
    struct Bomb;

    #[handlers]
    impl Bomb {
        #[on_receive]
        fn explode(&self, _: &Explode) {
            panic!("bang");
        }
    }

    let caught = |manager: &mut MessageManager| {
        let send = || manager.send(Everyone, Explode);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(send)).expect_err("it panics");
    };
    let (manager, log, _) = logged(LogOptions::new(), |manager| {
        manager.spawn((Bomb,));
        caught(manager);
        manager.tick(FRAME);
    });
    let replayed = replayed(&log).expect("it was caught");
    assert_eq!(Digest::of(&replayed.manager), Digest::of(&manager));
    assert_eq!(replayed.panicked, None);

    let (_, log, _) = logged(LogOptions::new(), |manager| {
        manager.spawn((Bomb,));
        caught(manager);
    });
    let replayed = self::replayed(&log).expect("each input is repeated");
    assert_eq!((replayed.inputs, replayed.manager.len()), (2, 1));
    assert_eq!(replayed.panicked.as_deref(), Some("bang"));
}

// holds: logs.unwritable
#[test]
fn what_cannot_be_written_marks_the_log_with_its_place() {
    let line = line!() + 5;
    let (_, log, report) = logged(LogOptions::new(), |manager| {
        let id = manager.spawn((body(1),));
        // Each of these three lines.
        manager.send(id, Hit { amount: 1 }).expect("it is alive");
        let _ = manager.send(Everyone, Secret);
        manager.spawn((Shadow,));
        manager.subscribe(Filter::all(), |_, _| {});
    });
    let lines: Vec<u32> = report.impure.iter().map(|it| it.place.line()).collect();
    assert_eq!(lines, [line, line + 1, line + 2]);
    assert!(
        report.impure[0].what.contains("Secret"),
        "{}",
        report.impure[0]
    );
    let Err(ReplayError::Impure { input, what, place }) = replayed(&log) else {
        panic!("it cannot be repeated");
    };
    assert_eq!(input, 2);
    assert!(
        what.contains("Secret") && place.contains(&format!("logs.rs:{line}")),
        "{place}"
    );
}

// holds: logs.unwritable
#[test]
fn a_component_without_data_that_is_changed_from_outside_marks_the_log() {
    let mut manager = MessageManager::new();
    let id = manager.spawn((body(1),));
    let file = Shared::default();
    Log::start(&mut manager, file, LogOptions::new()).expect("it can be saved");
    manager.hook(id, Shadow).expect("it is alive");
    let _ = manager.get_mut::<Shadow>(id).expect("it has one");
    manager.tick(FRAME);
    let report = Log::stop(&mut manager)
        .expect("memory takes it")
        .expect("a log was written");
    assert_eq!(report.impure.len(), 2, "{:?}", report.impure);
    assert!(report.impure[1].what.contains("Shadow"));
    assert_eq!(report.impure[1].place.file(), file!());
}

// holds: logs.inputs-written
#[test]
fn a_component_that_was_only_looked_at_is_not_written() {
    let (_, _, report) = logged(LogOptions::new(), |manager| {
        let id = manager.spawn((body(1),));
        let _ = manager.get_mut::<Body>(id).expect("it has one");
        manager.tick(FRAME);
        manager.get_mut::<Body>(id).expect("it has one").hp = 5;
        manager.tick(FRAME);
    });
    // The spawning, two frames, and one change.
    assert_eq!(report.inputs, 4);
}

// holds: logs.handlers-not-written
#[test]
fn what_a_handler_does_is_no_input_and_happens_again() {
    let (manager, log, report) = logged(LogOptions::new(), |manager| {
        let id = manager.spawn((body(100),));
        manager.send(id, Burst).expect("it is alive");
        for _ in 0..5 {
            manager.send(id, Hit { amount: 1 }).expect("it is alive");
        }
    });
    // The spawning and six sends; not the other body, nor the post after the fifth hit.
    assert_eq!(report.inputs, 7);
    let again = replayed(&log).expect("it is the same").manager;
    for manager in [&manager, &again] {
        assert_eq!(manager.iter::<Body>().count(), 2);
        assert_eq!(manager.inspect().pending_len(), 1);
    }
    assert_eq!(Digest::of(&again), Digest::of(&manager));
}

#[test]
fn a_second_log_is_refused_and_a_manager_that_cannot_be_saved_too() {
    let mut manager = MessageManager::new();
    Log::start(&mut manager, std::io::sink(), LogOptions::new()).expect("it can be saved");
    let again = Log::start(&mut manager, std::io::sink(), LogOptions::new());
    assert!(matches!(again, Err(LogError::Started)));
    let mut manager = MessageManager::new();
    manager.spawn((Shadow,));
    let error = Log::start(&mut manager, std::io::sink(), LogOptions::new());
    let error = error.expect_err("it cannot be saved").to_string();
    assert!(error.contains("Shadow"), "{error}");
    assert!(Log::stop(&mut manager).expect("there is none").is_none());
}

#[test]
fn the_error_of_the_writer_comes_with_the_end_of_the_log() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self
                .0
                .checked_sub(bytes.len())
                .ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut manager = MessageManager::new();
    let id = manager.spawn((body(1),));
    Log::start(&mut manager, Full(100_000), LogOptions::new()).expect("it can be saved");
    for _ in 0..10_000 {
        manager
            .send(id, Hit { amount: 0 })
            .expect("the manager goes on");
    }
    let error = Log::stop(&mut manager).expect_err("the disk is full");
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    assert_eq!(
        manager.get::<Body>(id).expect("it has one").hits.len(),
        10_000
    );
}

// holds: logs.cut-off
#[test]
fn a_log_that_is_cut_off_is_read_up_to_there() {
    let (_, log, report) = logged(LogOptions::new().digest_every(1), everything);
    let mut seen = 0;
    for cut in (1..log.len()).rev().step_by(97) {
        match replayed(&log[..cut]) {
            Ok(replayed) => {
                assert!(replayed.inputs <= report.inputs);
                seen += usize::from(replayed.is_cut);
            }
            // In the state in the beginning.
            Err(ReplayError::Read(error)) => assert!(error.offset().is_some(), "{error}"),
            Err(error) => panic!("{error}"),
        }
    }
    assert!(seen > 10, "{seen}");
}

// holds: logs.changed
#[test]
fn a_log_that_was_changed_is_refused_with_the_place() {
    let (_, log, _) = logged(LogOptions::new(), everything);
    for at in (0..log.len()).step_by(13) {
        let mut changed = log.clone();
        changed[at] ^= 0x10;
        match replayed(&changed) {
            Err(ReplayError::Read(error)) => assert!(error.offset().is_some(), "{error}"),
            // A length that reaches past the end looks like a log that is cut off.
            Ok(replayed) => assert!(replayed.is_cut, "at {at}"),
            Err(error) => panic!("at {at}: {error}"),
        }
    }
    for (bytes, what) in [
        (&b"hello"[..], "the bytes end here"),
        (
            b"hello, world, this is no log",
            "this is not a log of inputs",
        ),
        (
            b"MSGCLOG\n\x02\0\0\0",
            "this log has format version 2: expected version 3",
        ),
        (
            b"MSGCLOG\n\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            "this log does not begin with a state",
        ),
    ] {
        let error = replayed(bytes).expect_err("it is wrong").to_string();
        assert!(error.contains(what), "{error}");
    }
    let error = Replay::open("no/such.log").expect_err("there is none");
    assert!(error.to_string().starts_with("no/such.log: "), "{error}");
}

/// Counts in the process, so that each run differs.
static UNSTABLE: AtomicU32 = AtomicU32::new(0);

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "logs.Draw")]
struct Draw;

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "logs.Gambler")]
struct Gambler {
    name: String,
    luck: Luck,
}

#[derive(Serialize, Deserialize, Default)]
struct Luck {
    drawn: Vec<u32>,
}

#[handlers]
impl Gambler {
    #[on_receive]
    fn draw(&mut self, _: &Draw) {
        self.luck
            .drawn
            .push(UNSTABLE.fetch_add(1, Ordering::Relaxed));
    }
}

fn gamble(manager: &mut MessageManager) {
    manager.spawn_named("Ivan", (Gambler::default(),));
    manager.tick(FRAME);
    manager.send(Everyone, Draw).expect("it is not nested");
    for _ in 0..3 {
        manager.tick(FRAME);
    }
}

// holds: logs.difference
#[test]
fn a_replay_that_differs_names_the_frame_the_type_the_messagee_and_the_field() {
    let (_, log, _) = logged(LogOptions::new().digest_every(1), gamble);
    let Err(ReplayError::Differs(difference)) = replayed(&log) else {
        panic!("it counts on");
    };
    assert_eq!(
        (difference.frame, difference.part.as_str()),
        (1, "logs.Gambler")
    );
    assert!(
        difference
            .messagee
            .as_deref()
            .is_some_and(|it| it.contains("Ivan"))
    );
    let (field, ..) = difference.field.as_ref().expect("it was found");
    assert_eq!(field, "Gambler.luck.drawn[0]");
    assert!(difference.is_unstable);
    let text = difference.to_string();
    assert!(text.contains("two replays differ"), "{text}");
}

// holds: logs.difference
#[test]
fn a_log_with_states_tells_what_was_recorded() {
    let options = LogOptions::new().digest_every(1).keep_states(true);
    let (manager, log, _) = logged(options, gamble);
    let Err(ReplayError::Differs(difference)) = replayed(&log) else {
        panic!("it counts on");
    };
    let (field, recorded, _) = difference.field.clone().expect("it was found");
    assert_eq!(field, "Gambler.luck.drawn[0]");
    let (_, gambler) = manager.iter::<Gambler>().next().expect("it is there");
    assert_eq!(recorded, gambler.luck.drawn[0].to_string());
    assert!(!difference.is_unstable);
}

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "logs.Roulette")]
struct Roulette {
    ball: Ball,
}

#[derive(Serialize, Deserialize, Default)]
enum Ball {
    #[default]
    Held,
    Fallen {
        is_red: bool,
        number: u32,
    },
}

#[handlers]
impl Roulette {
    #[on_receive]
    fn draw(&mut self, _: &Draw) {
        let number = UNSTABLE.fetch_add(1, Ordering::Relaxed);
        let is_red = true;
        self.ball = Ball::Fallen { is_red, number };
    }
}

// holds: logs.difference
#[test]
fn a_difference_in_a_variant_with_fields_is_told_by_the_field() {
    let options = LogOptions::new().digest_every(1).keep_states(true);
    let (manager, log, _) = logged(options, |manager| {
        manager.spawn((Roulette::default(),));
        manager.tick(FRAME);
        manager.send(Everyone, Draw).expect("it is not nested");
        manager.tick(FRAME);
    });
    let Err(ReplayError::Differs(difference)) = replayed(&log) else {
        panic!("it counts on");
    };
    let (field, recorded, _) = difference.field.clone().expect("it was found");
    assert_eq!(field, "Roulette.ball.number");
    let (_, roulette) = manager.iter::<Roulette>().next().expect("it is there");
    let Ball::Fallen { number, .. } = roulette.ball else {
        panic!("it has fallen");
    };
    assert_eq!(recorded, number.to_string());
}

#[test]
fn subscribers_are_made_anew_for_a_replay() {
    let tell = |manager: &mut MessageManager| {
        manager.subscribe(Filter::of::<Hit>().before(), |hit, _| hit.amount *= 2);
    };
    let mut manager = MessageManager::new();
    tell(&mut manager);
    let file = Shared::default();
    Log::start(&mut manager, file.clone(), LogOptions::new()).expect("it can be saved");
    let id = manager.spawn((body(100),));
    manager.send(id, Hit { amount: 4 }).expect("it is alive");
    Log::stop(&mut manager).expect("memory takes it");
    let replayed = Replay::of_bytes(file.bytes()).prepare(tell).run();
    let replayed = replayed.expect("it is the same program");
    let hp: Vec<i64> = replayed
        .manager
        .iter::<Body>()
        .map(|(_, body)| body.hp)
        .collect();
    assert_eq!(hp, [92]);
}

#[test]
fn a_replayed_manager_hears_other_threads_again() {
    let (_, log, _) = logged(LogOptions::new(), |manager| {
        manager.spawn((body(10),));
        manager.tick(FRAME);
    });
    let mut manager = replayed(&log).expect("it is the same program").manager;
    let posted = manager
        .inlet()
        .try_post(Header::to(Everyone), Hit { amount: 3 });
    posted.expect("there is room");
    assert_eq!(manager.tick(FRAME).drained, 1);
    let hp: Vec<i64> = manager.iter::<Body>().map(|(_, body)| body.hp).collect();
    assert_eq!(hp, [7]);
}

// holds: saves.not-saved
#[test]
fn limits_are_those_that_the_replay_is_given() {
    let config = ManagerConfig::new().max_pending(1);
    let mut manager = MessageManager::with_config(config.clone());
    let file = Shared::default();
    Log::start(
        &mut manager,
        file.clone(),
        LogOptions::new().digest_every(1),
    )
    .expect("it can be saved");
    for _ in 0..2 {
        let _ = manager.post(Header::to(Everyone).after_frames(5), Burst);
    }
    manager.tick(FRAME);
    Log::stop(&mut manager).expect("memory takes it");
    let replay = Replay::of_bytes(file.bytes());
    let replayed = replay.config(config).run().expect("it is the same");
    assert_eq!(Digest::of(&replayed.manager), Digest::of(&manager));
    let error = self::replayed(&file.bytes()).expect_err("more is pending");
    assert!(error.to_string().contains("what is pending"), "{error}");
}

// holds: logs.same-inputs, logs.digest-ids
#[test]
fn a_world_that_is_deterministic_passes_the_sync_test() {
    SyncTest::new(|| {
        let mut manager = MessageManager::new();
        everything(&mut manager);
        manager
    })
    .step(|manager, frame| {
        manager
            .send(Everyone, Hit { amount: 1 })
            .expect("it is not nested");
        if frame.is_multiple_of(4) {
            manager.spawn((body(30),));
        }
    })
    .assert_deterministic(40);
}

// holds: logs.digest
#[test]
#[should_panic(expected = "field `Gambler.luck.drawn[0]`")]
fn a_world_that_is_not_deterministic_fails_the_sync_test() {
    SyncTest::new(|| {
        let mut manager = MessageManager::new();
        manager.spawn((Gambler::default(),));
        manager
    })
    .step(|manager, _| drop(manager.send(Everyone, Draw)))
    .assert_deterministic(4);
}

// holds: logs.inputs-written, logs.replay
#[test]
fn world_files_templates_and_wires_are_inputs() {
    let world = r#"World(version: 1,
        templates: {"grunt": Template(components: [r#logs.Body(hp: 20)])},
        messagees: [
            Messagee(name: "one", from: ["grunt"]),
            Messagee(name: "two", components: [r#logs.Body(hp: 7)]),
        ],
        wires: [Wire(from: "one", on: r#logs.Hit, to: "two", send: r#logs.Hit(amount: 2), after: 0.05, times: 2)],
    )"#;
    let (manager, log, report) = logged(LogOptions::new().digest_every(1), |manager| {
        let file = message_data::WorldFile::parse(world).expect("it is right");
        let one = file.instantiate(manager).expect("it fits").get("one");
        let one = one.expect("it is there");
        for name in ["three", "four"] {
            file.instantiate_template(manager, "grunt", name)
                .expect("it fits");
        }
        let wire = message_data::Wire::on::<Hit>(one).send("t*", Hit { amount: 1 });
        let wire = data::add_wire(manager, wire).expect("it is right");
        manager.send(one, Hit { amount: 1 }).expect("it is alive");
        manager.tick(FRAME);
        data::set_wire_enabled(manager, wire, false);
        manager.send(one, Hit { amount: 1 }).expect("it is alive");
        data::remove_wire(manager, wire);
        for _ in 0..6 {
            manager.tick(FRAME);
        }
    });
    assert!(report.impure.is_empty(), "{:?}", report.impure);
    let replayed = match replayed(&log) {
        Ok(replayed) => replayed.manager,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(Digest::of(&replayed), Digest::of(&manager));
    let hp = |manager: &MessageManager, name: &str| {
        let id = manager.find(name).next().expect("it is there");
        manager.get::<Body>(id).expect("it has one").hp
    };
    for (name, expected) in [("one", 18), ("two", 2), ("three", 19), ("four", 20)] {
        assert_eq!((name, hp(&manager, name)), (name, expected));
        assert_eq!(hp(&replayed, name), expected, "{name}");
    }
    // The text of the file is in the log once.
    let texts = log.windows(8).filter(|part| *part == b"version:");
    assert_eq!(texts.count(), 1);
}

#[derive(Message, Data, Serialize, Deserialize)]
#[message(reply = u32)]
#[data(name = "logs.Name")]
struct GetName;

/// Remembers that it was asked.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(name = "logs.Clerk")]
struct Clerk {
    asked: u32,
    /// Is not saved.
    #[serde(skip)]
    mood: u32,
}

#[handlers]
impl Clerk {
    #[on_receive]
    fn name(&mut self, _: &GetName) -> u32 {
        self.asked += 1;
        self.asked
    }

    #[on_receive]
    fn draw(&mut self, _: &Draw) {
        self.mood += 1;
        self.asked += self.mood;
    }
}

// holds: logs.replay
#[test]
fn a_request_is_repeated_as_one_and_stops_at_the_first_answer() {
    let (manager, log, _) = logged(LogOptions::new().digest_every(1), |manager| {
        manager.spawn((Clerk::default(),));
        manager.spawn((Clerk::default(),));
        manager.request(Everyone, GetName).expect("it answers");
        manager.tick(FRAME);
    });
    let again = replayed(&log).expect("it is the same").manager;
    for manager in [&manager, &again] {
        let asked: Vec<u32> = manager.iter::<Clerk>().map(|(_, it)| it.asked).collect();
        assert_eq!(asked, [1, 0]);
    }
}

// holds: logs.inputs-written
#[test]
fn what_was_retained_and_is_forgotten_is_forgotten_again() {
    let (manager, log, _) = logged(LogOptions::new().digest_every(1), |manager| {
        let body = manager.spawn((body(10),));
        for to in [Recipient::Everyone, body.into()] {
            manager
                .post(Header::to(to).retain(), Hit { amount: 1 })
                .expect("there is room");
        }
        assert!(manager.forget_retained::<Hit>(Everyone));
        manager.tick(FRAME);
    });
    let again = replayed(&log).expect("it is the same").manager;
    for mut manager in [manager, again] {
        assert!(!manager.forget_retained::<Hit>(Everyone));
    }
}

// holds: logs.unwritable
#[test]
fn a_digest_tells_its_frame_and_what_marks_a_log_its_place() {
    let (manager, _, report) = logged(LogOptions::new(), |manager| {
        let _ = manager.send(Everyone, Secret);
        manager.tick(FRAME);
        manager.tick(FRAME);
    });
    assert_eq!(Digest::of(&manager).frame(), 2);
    let impurity = report.impure[0].to_string();
    assert!(
        impurity.contains("Secret") && impurity.contains("logs.rs"),
        "{impurity}"
    );
}

// holds: logs.digest-leaves-out
#[test]
fn what_has_no_data_and_subscriptions_are_not_in_a_digest() {
    struct Number(u32);
    let mut manager = MessageManager::new();
    let id = manager.spawn((body(1), Number(1)));
    let before = Digest::of(&manager);
    manager.get_mut::<Number>(id).expect("it has one").0 = 2;
    manager.subscribe(Filter::of::<Hit>(), |_, _| {});
    assert_eq!(Digest::of(&manager), before);
    manager.get_mut::<Body>(id).expect("it has one").hp = 2;
    assert_ne!(Digest::of(&manager), before);
    assert_eq!(manager.get::<Number>(id).expect("it has one").0, 2);
}

// holds: logs.hash-of-ids
#[test]
fn ids_hash_the_same_in_every_manager() {
    let hash = |id: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        id(&mut hasher);
        hasher.finish()
    };
    let hashes = || {
        let mut manager = MessageManager::new();
        let gone = manager.spawn((body(0),));
        manager.despawn(gone).expect("it is alive");
        let id = manager.spawn((body(1),));
        let hook = manager.hook_of::<Body>(id).expect("it has one");
        let listens = manager.subscribe(Filter::of::<Hit>(), |_, _| {});
        let hashes = [
            hash(&|hasher| id.hash(hasher)),
            hash(&|hasher| hook.hash(hasher)),
            hash(&|hasher| listens.hash(hasher)),
        ];
        (id, manager, hashes)
    };
    // Both are alive, so their ids differ.
    let ((one, _first, here), (other, _second, there)) = (hashes(), hashes());
    assert_ne!(one, other);
    assert_eq!(here, there);
}

/// It is saved in the middle: anything missing in the save shows in the frames after it.
#[test]
#[should_panic(expected = "restored from a save")]
fn a_world_that_differs_after_it_was_saved_fails_the_sync_test() {
    SyncTest::new(|| {
        let mut manager = MessageManager::new();
        manager.spawn((Clerk::default(),));
        manager
    })
    .step(|manager, _| drop(manager.send(Everyone, Draw)))
    .assert_deterministic(8);
}

#[test]
fn a_sync_test_runs_all_frames_in_two_worlds_and_the_second_half_in_a_third() {
    let frames = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&frames);
    SyncTest::new(MessageManager::new)
        .step(move |_, _| {
            counted.fetch_add(1, Ordering::Relaxed);
        })
        .assert_deterministic(8);
    assert_eq!(frames.load(Ordering::Relaxed), 8 + 8 + 4);
}

/// The force of the wind outside of all managers.
static WIND: AtomicU32 = AtomicU32::new(0);

/// The wind changes when a messagee asks for it.
#[derive(Debug, Serialize, Deserialize)]
struct SetWind {
    force: u32,
    asked_by: MessageeId,
    saying: LoggedMessage,
}

impl LoggedInput for SetWind {
    const NAME: &'static str = "logs.set_wind";

    fn repeat(self, manager: &mut MessageManager) {
        assert!(manager.is_alive(self.asked_by));
        assert_eq!(self.saying.0.name(), Hit::NAME);
        set_wind(manager, self.force, self.asked_by);
    }
}

message_data::logged_input!(SetWind);

fn set_wind(manager: &mut MessageManager, force: u32, asked_by: MessageeId) {
    let saying = LoggedMessage(Box::new(Hit { amount: 1 }));
    let input = SetWind {
        force,
        asked_by,
        saying,
    };
    manager.foreign_input(&Logged::new(&input));
    WIND.fetch_add(force, Ordering::Relaxed);
}

/// No replay knows it.
#[derive(Debug, Serialize, Deserialize)]
struct Nameless;

impl LoggedInput for Nameless {
    const NAME: &'static str = "logs.nameless";

    fn repeat(self, _: &mut MessageManager) {}
}

// holds: logs.foreign-inputs
#[test]
fn an_input_of_another_crate_is_repeated_by_it() {
    let (_, log, report) = logged(LogOptions::new(), |manager| {
        let id = manager.spawn((body(1),));
        set_wind(manager, 3, id);
        set_wind(manager, 4, id);
    });
    assert_eq!((report.inputs, report.impure.len()), (3, 0));
    assert_eq!(WIND.swap(0, Ordering::Relaxed), 7);
    assert_eq!(replayed(&log).expect("it is known").inputs, 3);
    assert_eq!(WIND.load(Ordering::Relaxed), 7);
}

// holds: logs.foreign-inputs
#[test]
fn an_input_that_the_program_does_not_know_ends_the_replay() {
    let (_, log, _) = logged(LogOptions::new(), |manager| {
        manager.foreign_input(&Logged::new(&Nameless));
    });
    let error = replayed(&log).expect_err("nobody repeats it").to_string();
    assert!(
        error.contains("no input is called `logs.nameless`"),
        "{error}"
    );
}

// holds: logs.foreign-inputs, logs.unwritable
#[test]
fn an_input_with_a_message_without_data_marks_the_log() {
    let (_, log, report) = logged(LogOptions::new(), |manager| {
        let id = manager.spawn(());
        let saying = LoggedMessage(Box::new(Secret));
        let input = SetWind {
            force: 1,
            asked_by: id,
            saying,
        };
        manager.foreign_input(&Logged::new(&input));
    });
    let [impure] = &report.impure[..] else {
        panic!("{report:?}");
    };
    assert!(impure.what.contains("has no data"), "{impure:?}");
    assert!(impure.place.file().ends_with("logs.rs"));
    assert!(matches!(
        replayed(&log),
        Err(ReplayError::Impure { input: 1, .. })
    ));
}
