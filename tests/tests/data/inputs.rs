//! Each public method that changes a manager is an input: the log has it, and so has any other sink.

use std::any::Any;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use message_core::Recipient::Me;
use message_core::error::SnapshotError;
use message_core::input::{Input, InputSink};
use message_core::prelude::*;
use message_core::{Children, HookId, Sender, Snapshot, SpeakingFor, SubscriptionId};
use message_data::{self as data, Data, Log, LogOptions, Wire, WorldFile};
use message_net::proxy::{self, Letters, OutboxId};
use serde::{Deserialize, Serialize};

const FRAME: Duration = Duration::from_millis(16);

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[message(reply = u32)]
#[data(name = "inputs.Knock")]
struct Knock;

#[derive(Data, Serialize, Deserialize, Default, Clone)]
#[serde(default)]
#[data(name = "inputs.Door")]
struct Door {
    knocks: u32,
}

#[handlers]
impl Door {
    #[on_receive]
    fn knock(&mut self, _: &Knock) -> u32 {
        self.knocks += 1;
        self.knocks
    }
}

mnemonic!(GATE = "inputs.gate");
mnemonic!(LATCH = "inputs.latch");
group!(DOORS = "inputs.doors");

/// A manager with a door, and what its methods are called with.
struct Scene {
    manager: MessageManager,
    door: MessageeId,
    hook: HookId,
    subscription: SubscriptionId,
    outbox: OutboxId,
}

impl Scene {
    fn new() -> Self {
        let mut manager = MessageManager::new();
        let door = manager.spawn((Door::default(),));
        let hook = manager.hook_of::<Door>(door).expect("it has one");
        manager.bind(GATE, door).expect("it is free");
        let subscription = manager.subscribe(Filter::of::<Knock>(), |_, _| {});
        let outbox = proxy::open_outbox(&mut manager, 1000);
        let proxy = proxy::spawn_proxy(&mut manager, outbox).expect("it is open");
        manager.send(proxy, Knock).expect("there is room");
        Self {
            manager,
            door,
            hook,
            subscription,
            outbox,
        }
    }

    fn header(&self) -> Header {
        let header = Header::to(self.door).after_frames(2).build();
        header.expect("it is right")
    }

    fn as_door(&mut self) -> SpeakingFor<'_> {
        self.manager.speak_for(self.door).expect("it is alive")
    }
}

const FILE: &str = r#"World(version: 1,
    templates: {"shed": Template(components: [r#inputs.Door(knocks: 1)])},
    messagees: [Messagee(name: "hut", components: [r#inputs.Door(knocks: 2)])],
)"#;

fn file() -> WorldFile {
    WorldFile::parse(FILE).expect("it is right")
}

fn wire(scene: &mut Scene) -> message_data::WireId {
    let wire = Wire::on::<Knock>(scene.door).send("hut", Knock);
    data::add_wire(&mut scene.manager, wire).expect("it is right")
}

type Act = fn(&mut Scene);

/// Each public method that changes a manager, with a call of it.
const CALLS: &[(&str, Act)] = &[
    ("SpeakingFor::cancel", |it| {
        _ = it.as_door().cancel(Posts::all());
    }),
    ("SpeakingFor::post", |it| {
        let header = it.header();
        it.as_door().post(header, Knock).expect("there is room");
    }),
    ("SpeakingFor::post_any", |it| {
        let header = it.header();
        let post = it.as_door().post_any(header, Box::new(Knock));
        post.expect("there is room");
    }),
    ("SpeakingFor::post_each", |it| {
        let header = it.header();
        it.as_door()
            .post_each(header, [Knock])
            .expect("there is room");
    }),
    ("SpeakingFor::post_to", |it| {
        let header = it.header();
        it.as_door()
            .post_to(Me, header, Knock)
            .expect("there is room");
    }),
    ("SpeakingFor::publish", |it| {
        it.as_door().publish(Me, Knock).expect("there is room");
    }),
    ("SpeakingFor::publish_any", |it| {
        it.as_door()
            .publish_any(Me, Box::new(Knock))
            .expect("there is room");
    }),
    ("SpeakingFor::publish_each", |it| {
        it.as_door()
            .publish_each(Me, [Knock])
            .expect("there is room");
    }),
    ("SpeakingFor::request", |it| {
        _ = it.as_door().request(Me, Knock);
    }),
    ("SpeakingFor::request_all", |it| {
        _ = it.as_door().request_all(Me, Knock);
    }),
    ("SpeakingFor::request_any", |it| {
        _ = it.as_door().request_any(Me, Box::new(Knock));
    }),
    ("SpeakingFor::send", |it| _ = it.as_door().send(Me, Knock)),
    ("SpeakingFor::send_any", |it| {
        _ = it.as_door().send_any(Me, Box::new(Knock));
    }),
    ("SpeakingFor::send_mut", |it| {
        _ = it.as_door().send_mut(Me, &mut Knock);
    }),
    ("SpeakingFor::take_posts", |it| {
        _ = it.as_door().take_posts(Posts::all());
    }),
    ("SpeakingFor::writer", |it| {
        let mut door = it.as_door();
        let mut writer = door.writer(Me).expect("it has a mailbox");
        writer.publish(Knock).expect("there is room");
    }),
    ("Desk::get_mut", |it| {
        let desk = it.manager.desk();
        desk.get_mut::<Door>(it.door).expect("it has one").knocks = 99;
    }),
    ("Desk::iter_mut", |it| {
        for (_, mut door) in it.manager.desk().iter_mut::<Door>() {
            door.knocks = 99;
        }
    }),
    ("Desk::publish", |it| {
        it.manager
            .desk()
            .publish(it.door, Knock)
            .expect("there is room");
    }),
    ("Desk::publish_any", |it| {
        let desk = it.manager.desk();
        desk.publish_any(it.door, Box::new(Knock))
            .expect("there is room");
    }),
    ("MessageManager::begin_frame", |it| {
        _ = it.manager.begin_frame(FRAME);
    }),
    ("MessageManager::begin_frame_with", |it| {
        _ = it.manager.begin_frame_with(FRAME, FRAME);
    }),
    ("MessageManager::bind", |it| {
        it.manager.bind(LATCH, it.door).expect("it is free");
    }),
    ("MessageManager::cancel", |it| {
        _ = it.manager.cancel(Posts::all());
    }),
    ("change_field_from_text", |it| {
        let changed = data::change_field_from_text(&mut it.manager, it.hook, "knocks", "9");
        changed.expect("it fits");
    }),
    ("change_from_text", |it| {
        let changed = data::change_from_text(&mut it.manager, it.hook, "r#inputs.Door(knocks: 9)");
        changed.expect("it fits");
    }),
    ("close_outbox", |it| {
        proxy::close_outbox(&mut it.manager, it.outbox);
    }),
    ("MessageManager::despawn", |it| {
        it.manager.despawn(it.door).expect("it is alive");
    }),
    ("MessageManager::despawn_with", |it| {
        let despawned = it.manager.despawn_with(it.door, Children::Reparent);
        despawned.expect("it is alive");
    }),
    ("MessageManager::forget_retained", |it| {
        _ = it.manager.forget_retained::<Knock>(Everyone);
    }),
    ("MessageManager::get_mut", |it| {
        it.manager
            .get_mut::<Door>(it.door)
            .expect("it has one")
            .knocks = 99;
    }),
    ("MessageManager::hook", |it| {
        it.manager
            .hook(it.door, Door::default())
            .expect("it is alive");
    }),
    ("MessageManager::component_mut", |it| {
        it.manager
            .component_mut::<Door>(it.hook)
            .expect("it is hooked")
            .knocks = 99;
    }),
    ("hook", |it| {
        let door = Door::TYPE.read_component(b"\x81\xa6knocks\x09", &[]);
        let hooked = door.map(|door| door.hook(&mut it.manager, it.door));
        hooked.expect("it is a door").expect("it is alive");
    }),
    ("hook_from_text", |it| {
        let hooked = data::hook_from_text(&mut it.manager, it.door, "r#inputs.Door(knocks: 9)");
        hooked.expect("it fits");
    }),
    ("instantiate", |it| {
        _ = file().instantiate(&mut it.manager).expect("it fits");
    }),
    ("instantiate_template", |it| {
        file()
            .instantiate_template(&mut it.manager, "shed", "a shed")
            .expect("it fits");
    }),
    ("MessageManager::iter_mut", |it| {
        for (_, door) in it.manager.iter_mut::<Door>() {
            door.knocks = 99;
        }
    }),
    ("MessageManager::iter_all_mut", |it| {
        for (_, (door,)) in it.manager.iter_all_mut::<(Door,)>() {
            door.knocks = 99;
        }
    }),
    ("MessageManager::join", |it| {
        _ = it.manager.join(DOORS, it.door);
    }),
    ("MessageManager::leave", |it| {
        _ = it.manager.leave(DOORS, it.door);
    }),
    ("open_outbox", |it| {
        _ = proxy::open_outbox(&mut it.manager, 3);
    }),
    ("open_outbox_by_position", |it| {
        _ = proxy::open_outbox_by_position(&mut it.manager, 3);
    }),
    ("MessageManager::overhear", |it| {
        it.manager
            .overhear(it.door, Filter::of::<Knock>())
            .expect("it is alive");
    }),
    ("MessageManager::post", |it| {
        _ = it.manager.post(it.header(), Knock);
    }),
    ("MessageManager::post_any", |it| {
        _ = it.manager.post_any(it.header(), Box::new(Knock));
    }),
    ("MessageManager::post_each", |it| {
        _ = it.manager.post_each(it.header(), [Knock]);
    }),
    ("MessageManager::post_to", |it| {
        _ = it.manager.post_to(GATE, it.header(), Knock);
    }),
    ("MessageManager::publish", |it| {
        it.manager.publish(GATE, Knock).expect("there is room");
    }),
    ("MessageManager::publish_any", |it| {
        _ = it.manager.publish_any(GATE, Box::new(Knock));
    }),
    ("MessageManager::publish_each", |it| {
        _ = it.manager.publish_each(GATE, [Knock]);
    }),
    ("remove_wire", |it| {
        let wire = wire(it);
        data::remove_wire(&mut it.manager, wire);
    }),
    ("MessageManager::request", |it| {
        _ = it.manager.request(GATE, Knock);
    }),
    ("MessageManager::request_all", |it| {
        _ = it.manager.request_all(GATE, Knock);
    }),
    ("MessageManager::request_any", |it| {
        _ = it.manager.request_any(GATE, Box::new(Knock));
    }),
    ("MessageManager::run_stage", |it| {
        _ = it.manager.run_stage(Stage::Update);
    }),
    ("MessageManager::send", |it| {
        _ = it.manager.send(GATE, Knock);
    }),
    ("MessageManager::send_any", |it| {
        _ = it.manager.send_any(GATE, Box::new(Knock));
    }),
    ("MessageManager::send_mut", |it| {
        _ = it.manager.send_mut(GATE, &mut Knock);
    }),
    ("MessageManager::set_enabled", |it| {
        _ = it.manager.set_enabled(it.hook, false);
    }),
    ("MessageManager::shrink_to_fit", |it| {
        it.manager.shrink_to_fit();
    }),
    ("MessageManager::set_fixed_step", |it| {
        it.manager.set_fixed_step(FRAME);
    }),
    ("MessageManager::set_listening", |it| {
        _ = it.manager.set_listening(it.subscription, false);
    }),
    ("MessageManager::set_mail_retention", |it| {
        it.manager.set_mail_retention::<Knock>(3);
    }),
    ("MessageManager::set_name", |it| {
        it.manager.set_name(it.door, "door").expect("it is alive");
    }),
    ("set_outbox_blocked", |it| {
        proxy::set_outbox_blocked(&mut it.manager, it.outbox, true);
    }),
    ("MessageManager::set_parent", |it| {
        _ = it.manager.set_parent(it.door, None);
    }),
    ("MessageManager::rewind", |it| {
        let empty = it.manager.rewind(&Snapshot::new());
        assert_eq!(empty, Err(SnapshotError::Empty));
        let snapshot = it.manager.snapshot().expect("all is `Clone`");
        it.manager.rewind(&snapshot).expect("it is its own");
    }),
    ("MessageManager::set_paused", |it| {
        it.manager.set_paused(true);
    }),
    ("MessageManager::set_time_scale", |it| {
        _ = it.manager.set_time_scale(2.0);
    }),
    ("set_wire_enabled", |it| {
        let wire = wire(it);
        data::set_wire_enabled(&mut it.manager, wire, false);
    }),
    ("unhook_any", |it| {
        data::unhook_any(&mut it.manager, it.hook).expect("it is hooked");
    }),
    ("MessageManager::spawn", |it| {
        _ = it.manager.spawn((Door::default(),));
    }),
    ("MessageManager::spawn_named", |it| {
        _ = it.manager.spawn_named("side door", ());
    }),
    ("spawn_proxy", |it| {
        _ = proxy::spawn_proxy(&mut it.manager, it.outbox);
    }),
    ("MessageManager::subscribe", |it| {
        it.manager.subscribe(Filter::of::<Knock>(), |_, _| {});
    }),
    ("MessageManager::subscribe_for", |it| {
        let filter = Filter::of::<Knock>();
        it.manager
            .subscribe_for(it.door, filter, |_, _| {})
            .expect("it is alive");
    }),
    ("take_outbox", |it| {
        _ = proxy::take_outbox(&mut it.manager, it.outbox);
    }),
    ("take_outbox_into", |it| {
        proxy::take_outbox_into(&mut it.manager, it.outbox, &mut Letters::default());
    }),
    ("MessageManager::take_posts", |it| {
        _ = it.manager.take_posts(Posts::all());
    }),
    ("tell_undelivered", |it| {
        let proxy = proxy::proxies(&it.manager).next().expect("there is one");
        message_data::tell_undelivered(
            &mut it.manager,
            proxy,
            Sender::Outside,
            Box::new(Knock),
            "no road",
        );
    }),
    ("MessageManager::tick", |it| _ = it.manager.tick(FRAME)),
    ("MessageManager::unbind", |it| {
        it.manager.unbind(GATE, it.door).expect("it is bound");
    }),
    ("MessageManager::unhook", |it| {
        _ = it.manager.unhook::<Door>(it.hook);
    }),
    ("MessageManager::unsubscribe_all", |it| {
        let owner = it.door;
        let filter = Filter::of::<Knock>();
        it.manager.overhear(owner, filter).expect("it is alive");
        _ = it.manager.unsubscribe_all(owner);
    }),
    ("MessageManager::unsubscribe", |it| {
        _ = it.manager.unsubscribe(it.subscription);
    }),
    ("add_wire", |it| _ = wire(it)),
    ("MessageManager::writer", |it| {
        let mut writer = it.manager.writer(GATE).expect("it has a mailbox");
        writer.publish(Knock).expect("there is room");
    }),
];

/// Methods that a replay does not have to repeat.
const NO_INPUTS: &[&str] = &[
    // They only hand out something whose methods are inputs.
    "SpeakingFor::desk",
    "MessageManager::speak_for",
    "MessageManager::desk",
    // Every input begins with it. By itself it is one only after a panic.
    "MessageManager::settle",
    // They change who watches the manager.
    "MessageManager::reset_unhandled",
    "MessageManager::set_input_sink",
    "MessageManager::set_trace_sink",
    "start",
    "stop",
    "take_ended",
    "watch_end",
    "SpeakingFor::with_cause",
    "MessageManager::with_cause",
    // They change nothing that a program can ask for.
    "MessageManager::snapshot",
    "MessageManager::snapshot_into",
    "save",
    "save_to",
    "flush",
    "close",
    "MessageManager::reserve",
    // Its own sink knows what it is.
    "MessageManager::foreign_input",
    "MessageManager::spawn_proxy",
    "MessageManager::report_undelivered",
    // Its caller passes an input on first, by `foreign_input`.
    "MessageManager::carrier_mut",
];

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("absent.rs") {
            files.push(path);
        }
    }
}

/// Returns the types that get the methods after a line, or `None` if the line begins or ends no such block.
fn owners_of(line: &str) -> Option<Vec<&'static str>> {
    let is_impl = line.starts_with("impl") && !line.contains(" for ");
    let of = |owner: &&str| is_impl && line.contains(&format!(" {owner}"));
    match line {
        "}" => Some(Vec::new()),
        "verbs! {" | "verbs_from_outside! {" => Some(vec!["MessageManager", "SpeakingFor"]),
        "verbs_without_sender! {" => Some(vec!["MessageManager"]),
        _ => ["MessageManager", "SpeakingFor", "Desk"]
            .into_iter()
            .find(of)
            .map(|owner| vec![owner]),
    }
}

/// Returns the public methods and functions that borrow a manager mutably, and the methods of a desk that hand out
/// something to change or publish. The sources are read line by line, as `cargo fmt` leaves them.
fn methods_that_change() -> Vec<String> {
    let mut files = Vec::new();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    for sources in [
        "../message-core/src",
        "../message-data/src",
        "../message-net/src/proxy",
    ] {
        rust_files(&tests.join(sources), &mut files);
    }
    let mut methods = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).expect("the file can be read");
        let (mut owners, mut method) = (Vec::new(), None);
        for line in text.lines() {
            if let Some(begun) = owners_of(line) {
                owners = begun;
            }
            if let Some(name) = line.trim_start().strip_prefix("pub fn ") {
                method = name.split(['(', '<']).next();
            }
            let Some(name) = method else {
                continue;
            };
            let takes = ["manager: &mut MessageManager", "actor: &mut impl Actor"];
            if takes.iter().any(|it| line.contains(it)) {
                methods.push(name.to_owned());
                method = None;
                continue;
            }
            let changes = match owners[..] {
                [] => false,
                ["Desk"] => {
                    (name.starts_with("publish") && name != "published") || name.ends_with("_mut")
                }
                _ => line.contains("&mut self"),
            };
            if changes {
                methods.extend(owners.iter().map(|owner| format!("{owner}::{name}")));
            }
            if changes || line.ends_with('{') {
                method = None;
            }
        }
    }
    methods.sort();
    methods.dedup();
    methods
}

// holds: logs.inputs-written
#[test]
fn every_method_that_changes_a_manager_is_known_here() {
    let found = methods_that_change();
    assert!(found.len() > 80, "only {} methods were found", found.len());
    let is_known = |name: &String| {
        NO_INPUTS.contains(&name.as_str()) || CALLS.iter().any(|(known, _)| known == name)
    };
    let unknown: Vec<&String> = found.iter().filter(|name| !is_known(name)).collect();
    assert!(unknown.is_empty(), "call them in `CALLS`: {unknown:?}");
}

// holds: logs.inputs-written
#[test]
fn every_method_that_changes_a_manager_is_in_the_log() {
    for (name, act) in CALLS {
        let mut scene = Scene::new();
        Log::start(&mut scene.manager, std::io::sink(), LogOptions::new())
            .expect("it can be saved");
        act(&mut scene);
        let report = Log::stop(&mut scene.manager).expect("nothing fails");
        let report = report.expect("a log was written");
        assert!(
            report.inputs + report.impure.len() as u64 > 0,
            "{name} is not in the log"
        );
    }
}

struct Counter(usize);

impl InputSink for Counter {
    fn input(&mut self, input: &Input<'_>, manager: &MessageManager) {
        assert!(!format!("{input:?} {manager:?}").is_empty());
        self.0 += 1;
    }
}

// holds: logs.sink
#[test]
fn any_sink_receives_each_input_before_it_runs() {
    for (name, act) in CALLS {
        let mut scene = Scene::new();
        let before = scene.manager.set_input_sink(Some(Box::new(Counter(0))));
        assert!(before.is_none());
        act(&mut scene);
        let sink: Box<dyn Any> = scene.manager.set_input_sink(None).expect("it was set");
        let counter = sink.downcast::<Counter>().expect("it is a counter");
        assert!(counter.0 > 0, "{name} is no input");
    }
}

#[test]
fn a_log_is_not_started_beside_another_sink_and_does_not_end_it() {
    let mut manager = MessageManager::new();
    manager.set_input_sink(Some(Box::new(Counter(0))));
    assert!(Log::start(&mut manager, std::io::sink(), LogOptions::new()).is_err());
    assert!(Log::stop(&mut manager).expect("nothing fails").is_none());
    manager.reserve::<()>(1);
    manager.spawn(());
    let sink: Box<dyn Any> = manager.set_input_sink(None).expect("it is still there");
    assert!(
        sink.downcast::<Counter>()
            .is_ok_and(|counter| counter.0 == 1)
    );
}

/// Panics at each input that a crate has defined.
struct Refuses;

impl InputSink for Refuses {
    fn input(&mut self, input: &Input<'_>, _: &MessageManager) {
        assert!(!matches!(input, Input::Foreign(_)), "refused");
    }
}

// holds: logs.inputs-written
#[test]
fn a_sink_that_panics_leaves_the_letters_of_an_outbox_where_they_are() {
    let mut manager = MessageManager::new();
    let out = proxy::open_outbox(&mut manager, 1 << 20);
    let proxy = proxy::spawn_proxy(&mut manager, out).expect("the outbox is open");
    manager.send(proxy, Knock).expect("it fits");
    manager.set_input_sink(Some(Box::new(Refuses)));
    let taken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        proxy::take_outbox(&mut manager, out)
    }));
    assert!(taken.is_err());
    manager.set_input_sink(None);
    assert_eq!(proxy::take_outbox(&mut manager, out).len(), 1);
}
