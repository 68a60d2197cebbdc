//! Wires: when they fire, what they post, and how they end.

use std::sync::Mutex;
use std::time::Duration;

use message_core::ManagerConfig;
use message_core::Posts;
use message_core::error::Undelivered;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::report::{Report, ReportTo};
use message_data::{
    self as data, Data, DataError, Log, LogOptions, Replay, Selection, Wire, WireTarget, WorldFile,
};
use serde::{Deserialize, Serialize};

mnemonic!(RINGER = "wires.Ringer");
group!(BELLS = "wires.Bells");

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "wires.Opened")]
struct Opened;

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "wires.Ring", exact)]
struct Ring {
    times: u32,
}

/// Not `Clone`: each firing reads another one.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[data(name = "wires.Letter", exact)]
struct Letter {
    to: MessageeId,
    lines: Vec<String>,
}

/// A message that nobody waits for.
#[derive(Message, Debug, Clone)]
struct Idle;

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "wires.Bell")]
struct Bell {
    heard: Vec<String>,
}

#[handlers]
impl Bell {
    #[on_receive]
    fn ring(&mut self, ring: &Ring, cx: &mut Context<'_>) {
        self.heard
            .push(format!("{} from {:?}", ring.times, name_of(cx)));
    }

    #[on_receive]
    fn letter(&mut self, letter: &Letter, cx: &mut Context<'_>) {
        let to = cx.name(letter.to);
        self.heard
            .push(format!("{:?} to {:?}", letter.lines, to.as_deref()));
    }

    #[on_receive]
    fn idle(&mut self, _: &Idle) {}
}

fn name_of(cx: &Context<'_>) -> Option<String> {
    let sender = cx.sender().id()?;
    cx.name(sender).map(|name| name.to_string())
}

struct Consumer;

#[handlers]
impl Consumer {
    #[on_receive]
    fn opened(&mut self, _: &Opened) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Break(())
    }
}

const FRAME: Duration = Duration::from_millis(100);

fn instance(text: &str) -> MessageManager {
    let mut manager = MessageManager::new();
    let file = WorldFile::parse(text).unwrap_or_else(|error| panic!("{error}"));
    file.instantiate(&mut manager)
        .unwrap_or_else(|error| panic!("{error}"));
    manager
}

fn named(manager: &MessageManager, name: &str) -> MessageeId {
    manager.find(name).next().expect("somebody is called so")
}

fn heard(manager: &MessageManager, name: &str) -> Vec<String> {
    let bell = manager.get::<Bell>(named(manager, name));
    bell.expect("it is a bell").heard.clone()
}

/// Leaves its group and its family.
struct Leaver;

#[handlers]
impl Leaver {
    #[on_receive]
    fn opened(&mut self, _: &Opened, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        cx.leave(BELLS, cx.me())?;
        cx.set_parent(cx.me(), None)
    }
}

// holds: wires.mnemonic-when-sent
#[test]
fn a_wire_fires_for_who_leaves_the_group_or_the_family_that_a_message_was_sent_to() {
    let mut manager = MessageManager::new();
    let parent = manager.spawn(());
    let leaver = manager.spawn_named("leaver", (Leaver, Bell::default()));
    data::add_wire(
        &mut manager,
        Wire::on::<Opened>(leaver).send(WireTarget::Me, Ring { times: 1 }),
    )
    .expect("right");
    for (count, to) in [(1, Recipient::Group(BELLS)), (2, Down(parent))] {
        manager.join(BELLS, leaver).expect("it is alive");
        manager.set_parent(leaver, Some(parent)).expect("no cycle");
        manager.send(to, Opened).expect("it is alive");
        manager.tick(FRAME);
        assert_eq!(heard(&manager, "leaver").len(), count, "{to}");
    }
}

// holds: wires.times, wires.sender
#[test]
fn a_wire_posts_after_its_delay_and_so_many_times() {
    let mut manager = instance(
        r#"World(version: 1, messagees: [
            (name: "lever", wires: [
                (on: Opened, to: "bell", send: Ring(times: 3), after: 0.25, times: 2),
            ]),
            (name: "bell", components: [Bell]),
        ])"#,
    );
    let lever = named(&manager, "lever");
    for left in [Some(1), None, None] {
        manager.send(lever, Opened).expect("it is alive");
        assert_eq!(
            data::wires(&manager).first().map(|wire| wire.left),
            left.map(Some)
        );
    }
    manager.tick(2 * FRAME);
    assert!(heard(&manager, "bell").is_empty());
    manager.tick(FRAME);
    let expected = "3 from Some(\"lever\")";
    assert_eq!(heard(&manager, "bell"), [expected, expected]);
}

// holds: wires.fires
#[test]
fn a_wire_fires_by_whatever_recipient_its_messagee_receives_the_message() {
    let mut manager = MessageManager::new();
    let gate = manager.spawn_named("gate", (Bell::default(),));
    let child = manager.spawn_named("child", ());
    manager
        .set_parent(child, Some(gate))
        .expect("both are alive");
    manager.join(BELLS, gate).expect("it is alive");
    manager.bind(RINGER, gate).expect("it is free");
    let hook = manager.hook_of::<Bell>(gate).expect("it is hooked");
    data::add_wire(
        &mut manager,
        Wire::on::<Opened>(gate).send(WireTarget::Me, Ring { times: 1 }),
    )
    .expect("right");
    let mut sent = 0;
    for to in [
        gate.into(),
        Everyone,
        BELLS.into(),
        RINGER.into(),
        hook.into(),
        Up(child),
        Down(gate),
    ] {
        manager.send(to, Opened).expect("it is alive");
        sent += 1;
        manager.tick(FRAME);
        assert_eq!(heard(&manager, "gate").len(), sent, "{to:?}");
    }
    manager.send(child, Opened).expect("it is alive");
    manager.tick(FRAME);
    assert_eq!(heard(&manager, "gate").len(), sent);
}

// holds: wires.sender
#[test]
fn a_target_is_a_name_with_wildcards_a_mnemonic_a_group_oneself_or_the_activator() {
    let mut manager = instance(
        r#"World(version: 1, messagees: [
            (name: "bell 1", components: [Bell], mnemonics: ["Ringer"]),
            (name: "bell 2", components: [Bell], groups: ["Bells"]),
            (name: "self", components: [Bell], wires: [
                (on: Opened, to: "bell ?", send: Ring(times: 1)),
                (on: Opened, to: Mnemonic("Ringer"), send: Ring(times: 2)),
                (on: Opened, to: Group("Bells"), send: Ring(times: 3)),
                (on: Opened, to: Me, send: Ring(times: 4)),
                (on: Opened, to: Activator, send: Ring(times: 5)),
                (on: Opened, to: "bell 2", send: Ring(times: 6), stage: FixedUpdate),
            ]),
            (name: "hand", components: [Bell]),
        ])"#,
    );
    let (own, hand) = (named(&manager, "self"), named(&manager, "hand"));
    manager
        .speak_for(hand)
        .expect("it is alive")
        .send(own, Opened)
        .expect("it is alive");
    manager.tick(FRAME);
    let rung = |times: u32| format!("{times} from Some(\"self\")");
    assert_eq!(heard(&manager, "bell 1"), [rung(1), rung(2)]);
    assert_eq!(heard(&manager, "bell 2"), [rung(6), rung(1), rung(3)]);
    assert_eq!(heard(&manager, "self"), [rung(4)]);
    assert_eq!(heard(&manager, "hand"), [rung(5)]);
}

/// The second bell has the place of one that has gone, in front of the first.
// holds: wires.name-of-several
#[test]
fn a_wire_to_a_name_that_several_have_posts_to_each_in_the_order_of_find() {
    let mut manager = MessageManager::new();
    let gone = manager.spawn(());
    let lever = manager.spawn_named("lever", ());
    manager.spawn_named("bell", (Bell::default(),));
    manager.despawn(gone).expect("it is alive");
    manager.spawn_named("bell", (Bell::default(),));
    let bells: Vec<MessageeId> = manager.find("bell").collect();
    assert!(bells[0] > bells[1], "the younger one is found first");
    let wire = Wire::on::<Opened>(lever).send("bell", Ring { times: 1 });
    data::add_wire(&mut manager, wire).expect("right");
    manager.send(lever, Opened).expect("it is alive");
    let posts = manager.pending_posts(Posts::all());
    let to: Vec<Recipient> = posts.iter().map(|post| post.recipient).collect();
    let expected: Vec<Recipient> = bells.into_iter().map(Recipient::Id).collect();
    assert_eq!(to, expected);
}

// holds: wires.post-in-order
#[test]
fn wires_fire_in_the_order_in_which_they_are_written() {
    let mut manager = instance(
        r#"World(version: 1, messagees: [
            (name: "a", wires: [
                (on: Opened, to: "bell", send: Ring(times: 1)),
                (on: Opened, to: "bell", send: Ring(times: 2)),
            ]),
            (name: "b", wires: [(on: Opened, to: "bell", send: Ring(times: 3))]),
            (name: "bell", components: [Bell]),
        ], wires: [(from: "a", on: Opened, to: "bell", send: Ring(times: 4))])"#,
    );
    manager
        .send(Everyone, Opened)
        .expect("everyone can be written to");
    manager.tick(FRAME);
    let times: Vec<String> = heard(&manager, "bell")
        .iter()
        .map(|it| it[..1].to_owned())
        .collect();
    assert_eq!(times, ["1", "2", "3", "4"]);
    let again = data::write_world(&manager, &Selection::all()).expect("all of it has data");
    let again = instance(&again);
    let messages = |manager: &MessageManager| -> Vec<String> {
        data::wires(manager)
            .into_iter()
            .map(|wire| wire.message)
            .collect()
    };
    assert_eq!(messages(&again), messages(&manager));
}

#[test]
fn a_message_that_is_not_clone_is_read_again_for_each_firing() {
    let mut manager = instance(
        r#"World(version: 1, messagees: [
            (name: "lever", wires: [(on: Opened, to: "bell", send: Letter(to: "lever", lines: ["a", "b"]))]),
            (name: "bell", components: [Bell]),
        ])"#,
    );
    let lever = named(&manager, "lever");
    for _ in 0..2 {
        manager.send(lever, Opened).expect("it is alive");
    }
    manager.tick(FRAME);
    let expected = r#"["a", "b"] to Some("lever")"#;
    assert_eq!(heard(&manager, "bell"), [expected, expected]);
    assert_eq!(
        data::wires(&manager)[0].message,
        r#"Letter(to: "lever", lines: ["a", "b"])"#
    );
}

// holds: wires.fires
#[test]
fn a_message_that_is_consumed_fires_no_wire() {
    let mut manager = MessageManager::new();
    let gate = manager.spawn_named("gate", (Consumer, Bell::default()));
    data::add_wire(
        &mut manager,
        Wire::on::<Opened>(gate).send("gate", Ring { times: 1 }),
    )
    .expect("it is right");
    assert!(manager.send(gate, Opened).expect("it is alive").consumed);
    manager.tick(FRAME);
    assert!(heard(&manager, "gate").is_empty());
}

// holds: wires.not-a-receiver
#[test]
fn a_wire_does_not_count_as_a_receiver() {
    let mut manager = MessageManager::new();
    let gate = manager.spawn_named("gate", ());
    data::add_wire(
        &mut manager,
        Wire::on::<Opened>(gate).send("gate", Ring { times: 1 }),
    )
    .expect("it is right");
    let receipt = manager.send(gate, Opened).expect("it is alive");
    assert_eq!(receipt.received, 0);
    assert_eq!(
        manager
            .pending_posts(message_core::Posts::all().from(gate))
            .len(),
        1
    );
}

// holds: wires.ended-by-number
#[test]
fn a_wire_ends_with_its_messagee_and_can_be_ended_and_disabled() {
    let mut manager = MessageManager::new();
    let [gate, other] = ["gate", "other"].map(|name| manager.spawn_named(name, (Bell::default(),)));
    let wire = |id| Wire::on::<Opened>(id).send("other", Ring { times: 1 });
    let first = data::add_wire(&mut manager, wire(gate)).expect("it is right");
    let second = data::add_wire(&mut manager, wire(other)).expect("it is right");
    let fired = |manager: &mut MessageManager| {
        let before = heard(manager, "other").len();
        manager
            .send(Everyone, Opened)
            .expect("everyone can be written to");
        manager.tick(FRAME);
        heard(manager, "other").len() - before
    };
    assert_eq!(fired(&mut manager), 2);
    assert!(data::set_wire_enabled(&mut manager, second, false));
    assert!(!data::wires(&manager)[1].enabled);
    assert_eq!(fired(&mut manager), 1);
    assert!(data::set_wire_enabled(&mut manager, second, true));
    manager.despawn(gate).expect("it is alive");
    assert_eq!(fired(&mut manager), 1);
    assert!(
        !data::remove_wire(&mut manager, first)
            && !data::set_wire_enabled(&mut manager, first, true)
    );
    assert!(data::remove_wire(&mut manager, second));
    assert_eq!(fired(&mut manager), 0);
    assert!(data::wires(&manager).is_empty());
}

// holds: wires.fires
#[test]
fn a_typed_subscriber_and_wires_hear_the_same_messages() {
    let mut manager = MessageManager::new();
    let gate = manager.spawn_named("gate", (Bell::default(),));
    let wire = || Wire::on::<Opened>(gate).send(WireTarget::Me, Ring { times: 1 });
    let counted = std::sync::Arc::new(Mutex::new(0));
    let first = data::add_wire(&mut manager, wire()).expect("it is right");
    // The subscriber is between the two wires: the listeners of one type share one list.
    let count = std::sync::Arc::clone(&counted);
    let subscription = manager.subscribe(Filter::of::<Opened>(), move |_: &Opened, _| {
        *count.lock().expect("nobody panics") += 1;
    });
    data::add_wire(&mut manager, wire()).expect("it is right");
    manager.send(gate, Opened).expect("it is alive");
    manager.tick(FRAME);
    assert_eq!(
        (
            heard(&manager, "gate").len(),
            *counted.lock().expect("nobody panics")
        ),
        (2, 1)
    );
    data::remove_wire(&mut manager, first);
    assert!(manager.unsubscribe(subscription));
    manager.send(gate, Opened).expect("it is alive");
    manager.tick(FRAME);
    assert_eq!(
        (
            heard(&manager, "gate").len(),
            *counted.lock().expect("nobody panics")
        ),
        (3, 1)
    );
}

static REPORTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

// holds: wires.dead-letter
#[test]
fn what_a_wire_cannot_post_is_a_dead_letter_and_reported() {
    let config = ManagerConfig::new().report_to(ReportTo::Function(|report: &Report| {
        REPORTS
            .lock()
            .expect("nobody panics")
            .push(report.to_string());
    }));
    let mut manager = MessageManager::with_config(config);
    let gate = manager.spawn_named("gate", ());
    let [bell, dog] = ["bell", "dog"].map(|name| manager.spawn_named(name, ()));
    data::add_wire(
        &mut manager,
        Wire::on::<Opened>(gate).send("bell", Ring { times: 1 }),
    )
    .expect("it is right");
    let wire = Wire::on::<Opened>(gate).send(WireTarget::Activator, Ring { times: 2 });
    data::add_wire(&mut manager, wire.times(1)).expect("it is right");
    manager.despawn(bell).expect("it is alive");
    manager.send(gate, Opened).expect("it is alive");
    let reports = std::mem::take(&mut *REPORTS.lock().expect("nobody panics"));
    assert_eq!(reports.len(), 2, "{reports:?}");
    assert!(
        reports[0].contains("nobody is at its target, Named(\"bell\")"),
        "{reports:?}"
    );
    assert!(
        reports[1].contains("the message being received came from outside"),
        "{reports:?}"
    );

    let letters = std::sync::Arc::new(Mutex::new(Vec::new()));
    let kept = std::sync::Arc::clone(&letters);
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter: &DeadLetter, _| {
        let ring = letter
            .message
            .as_ref()
            .and_then(|it| it.downcast_ref::<Ring>());
        let times = ring.map(|ring| ring.times);
        kept.lock().expect("nobody panics").push((
            letter.why.clone(),
            times,
            letter.envelope.recipient,
        ));
    });
    manager
        .speak_for(dog)
        .expect("it is alive")
        .send(gate, Opened)
        .expect("it is alive");
    let why = "nobody is at its target, Named(\"bell\")".into();
    assert_eq!(
        *letters.lock().expect("nobody panics"),
        [(Undelivered::Unwired { why }, Some(1), gate.into())]
    );
}

// holds: wires.impossible-refused
#[test]
fn an_error_of_a_wire_that_is_built_in_code_has_the_place_of_the_call() {
    let mut manager = MessageManager::new();
    let gate = manager.spawn(());
    let wire = Wire::on::<Opened>(gate).send("bell", Opened).times(0);
    let line = line!() + 1;
    let error = data::add_wire(&mut manager, wire).expect_err("it could never post");
    assert_eq!((error.file(), error.line()), (Some(file!()), Some(line)));
    let place = format!("{}:{line}:", file!());
    assert!(error.to_string().starts_with(&place), "{error}");
}

// holds: wires.impossible-refused
#[test]
fn a_wire_that_could_never_post_is_refused() {
    #[derive(Message)]
    struct Secret;
    let mut manager = MessageManager::new();
    let gate = manager.spawn(());
    let refused = |manager: &mut MessageManager, wire| {
        data::add_wire(manager, wire)
            .expect_err("it could never post")
            .to_string()
    };
    let wire = || Wire::on::<Opened>(gate).send("bell", Opened);
    assert!(refused(&mut manager, wire().times(0)).contains("expected `times: 1` or more"));
    assert!(
        refused(&mut manager, wire().header(|it| it.stage(Stage::Immediate)))
            .contains(": a wire cannot post at once:")
    );
    assert!(refused(&mut manager, Wire::on::<Opened>(gate)).contains("expected `send`"));
    let secret = Wire::on::<Opened>(gate).send("bell", Secret);
    assert!(refused(&mut manager, secret).contains("has no data"));
    manager.despawn(gate).expect("it is alive");
    refused(&mut manager, wire());
    assert!(data::wires(&manager).is_empty());
}

// holds: wires.cost
#[test]
fn only_message_types_that_wires_wait_for_are_heard_by_them() {
    let mut manager = MessageManager::new();
    let gate = manager.spawn_named("gate", (Bell::default(),));
    let is_used = |manager: &MessageManager| {
        let unused = manager.inspect().unused_messages();
        !unused.iter().any(|info| info.id == Opened::ID)
    };
    let unused_before = !is_used(&manager);
    let id = data::add_wire(
        &mut manager,
        Wire::on::<Opened>(gate).send("gate", Ring { times: 1 }),
    )
    .expect("right");
    assert!(is_used(&manager));
    data::remove_wire(&mut manager, id);
    assert_eq!(!is_used(&manager), unused_before);
    assert_eq!(manager.send(gate, Idle).expect("it is alive").received, 1);
}

// holds: logs.inputs-written, logs.replay
#[test]
fn world_files_and_wires_are_inputs_of_a_log_and_repeated() {
    #[derive(Clone, Default)]
    struct Shared(std::sync::Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("nobody panics").extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let file = WorldFile::parse(
        r#"World(version: 1, templates: {"bell": (components: [Bell])}, messagees: [
            (name: "lever", wires: [(on: Opened, to: Named("bell*"), send: Letter(to: "lever", lines: []), times: 3)]),
            (name: "bell", components: [Bell]),
        ])"#,
    )
    .expect("it is right");
    let mut manager = MessageManager::new();
    let log = Shared::default();
    Log::start(&mut manager, log.clone(), LogOptions::new())
        .expect("an empty manager can be saved");
    let lever = file
        .instantiate(&mut manager)
        .expect("it fits")
        .get("lever")
        .expect("it is there");
    file.instantiate_template(&mut manager, "bell", "bell 2")
        .expect("the file has it");
    let wire = Wire::on::<Opened>(lever).send(WireTarget::Me, Ring { times: 1 });
    let [first, second] = [(); 2].map(|()| {
        let wire = Wire::on::<Opened>(lever).send("bell", Ring { times: 2 });
        data::add_wire(&mut manager, wire).expect("it is right")
    });
    data::add_wire(&mut manager, wire).expect("it is right");
    data::set_wire_enabled(&mut manager, first, false);
    data::remove_wire(&mut manager, second);
    for _ in 0..4 {
        manager.send(lever, Opened).expect("it is alive");
        manager.tick(FRAME);
    }
    let report = Log::stop(&mut manager)
        .expect("memory takes it")
        .expect("a log was written");
    assert!(report.impure.is_empty(), "{:?}", report.impure);
    let bytes = log.0.lock().expect("nobody panics").clone();
    let replayed = Replay::of_bytes(bytes)
        .run()
        .unwrap_or_else(|error| panic!("{error}"));
    let again = &replayed.manager;
    let texts = |manager: &MessageManager| -> Vec<String> {
        data::wires(manager)
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(texts(again), texts(&manager));
    assert_eq!(heard(again, "bell"), heard(&manager, "bell"));
    assert_eq!(heard(again, "bell 2").len(), 3);
}

/// No message type of this program has fewer listeners.
#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "wires.Unheard")]
struct Unheard;

// holds: wires.cost
#[test]
fn the_last_wire_of_a_type_ends_with_the_listening_to_it() -> Result<(), DataError> {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let is_unused = |manager: &MessageManager| {
        let unused = manager.inspect().unused_messages();
        let mut unused = unused.iter();
        unused.any(|it| it.id == Unheard::ID)
    };
    assert!(is_unused(&manager));
    let wire = data::add_wire(
        &mut manager,
        Wire::on::<Unheard>(id).send(WireTarget::Me, Idle),
    )?;
    assert!(!is_unused(&manager));
    assert!(data::remove_wire(&mut manager, wire));
    assert!(is_unused(&manager));
    Ok(())
}
