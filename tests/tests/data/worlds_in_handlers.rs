//! World files and templates that handlers and subscribers instantiate.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use message_core::lifecycle::{Despawning, Hooked};
use message_core::prelude::*;
use message_data::{self as data, Data, Digest, Log, LogOptions, Replay, WorldError, WorldFile};
use serde::{Deserialize, Serialize};

use crate::logs::Shared;

mnemonic!(HARBOUR = "handlers.Harbour");
group!(SHIPS = "handlers.Ships");

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "handlers.Hail", exact)]
struct Hail {
    times: u32,
}

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(name = "handlers.Keel")]
struct Keel {
    hailed: u32,
    home: Option<MessageeId>,
    mast: Option<HookId>,
    hooked: Vec<String>,
    left: u32,
}

#[handlers]
impl Keel {
    #[on_receive]
    fn hail(&mut self, hail: &Hail) {
        self.hailed += hail.times;
    }

    #[on_receive]
    fn hooked(&mut self, it: &Hooked, cx: &mut Context<'_>) {
        // Everything of the file is there.
        let alive = self.home.is_none_or(|home| cx.is_alive(home));
        let mast = self.mast.is_none_or(|mast| cx.owner(mast).is_ok());
        let bound = cx.bound(HARBOUR).is_some_and(|id| cx.is_alive(id));
        let component = it.component.rsplit("::").next().unwrap_or_default();
        self.hooked
            .push(format!("{component} {alive} {mast} {bound}"));
    }
}

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "handlers.Yardarm")]
struct Yardarm {
    height: u32,
}

/// Has a handler do something with a world.
#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "handlers.Load", exact)]
struct Load {
    what: String,
    text: String,
}

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "handlers.Loader")]
struct Loader {
    made: Vec<MessageeId>,
    said: Vec<String>,
}

#[handlers]
impl Loader {
    #[on_receive]
    fn load(&mut self, load: &Load, cx: &mut Context<'_>) {
        match obey(cx, load) {
            Ok(made) => self.made = made,
            Err(error) => self.said.push(error.to_string()),
        }
    }
}

fn obey<R>(cx: &mut Context<'_, R>, load: &Load) -> Result<Vec<MessageeId>, WorldError> {
    let file = WorldFile::parse(&load.text)?;
    let instantiate = |cx: &mut Context<'_, R>| {
        let made = file.instantiate(cx)?;
        let ids: Vec<MessageeId> = made.iter().map(|(_, id)| id).collect();
        assert!(ids.iter().all(|&id| !cx.is_alive(id)), "they come later");
        Ok(ids)
    };
    match load.what.as_str() {
        "load" => instantiate(cx),
        "hail" => {
            let ids = instantiate(cx)?;
            for to in [Recipient::Id(ids[1]), HARBOUR.into(), SHIPS.into()] {
                let receipt = cx.send(to, Hail { times: 1 });
                assert_eq!(receipt.map(|it| it.received), Ok(0));
            }
            assert_eq!(cx.parent(ids[1]), Some(ids[0]));
            Ok(ids)
        }
        "twice" => {
            let ids = instantiate(cx)?;
            instantiate(cx).expect_err("the mnemonic is bound");
            let next = cx.spawn(());
            Ok([ids, vec![next]].concat())
        }
        "despawn" => {
            let ids = instantiate(cx)?;
            cx.despawn(ids[0]).expect("it is announced");
            Ok(ids)
        }
        "panic" => {
            instantiate(cx)?;
            panic!("after all is read");
        }
        template => {
            let id = file.instantiate_template(cx, template, "boat")?;
            assert_eq!(cx.name(id).as_deref(), Some("boat"));
            let receipt = cx.send(id, Hail { times: 2 });
            assert_eq!(receipt.map(|it| it.received), Ok(0));
            Ok(vec![id])
        }
    }
}

const FILE: &str = r#"World(
    version: 1,
    templates: {
        "ship": Template(
            components: [Yardarm(height: 9), Keel()],
            groups: ["Ships"],
            disabled: ["Yardarm"],
            wires: [Wire(on: Hail, to: Named("harbour"), send: Hail(times: 10))],
        ),
        "homeless": Template(components: [Keel(home: Some("tug"))]),
    },
    messagees: [
        Messagee(name: "harbour", mnemonics: ["Harbour"], components: [Keel()], children: [
            Messagee(name: "tug", from: ["ship"],
                overrides: [Keel(home: Some("harbour"), mast: Some("tug/Yardarm"))]),
        ]),
    ],
)"#;

fn load(what: &str) -> Load {
    let (what, text) = (what.to_owned(), FILE.to_owned());
    Load { what, text }
}

fn loader() -> (MessageManager, MessageeId) {
    let mut manager = MessageManager::new();
    let loader = manager.spawn((Loader::default(),));
    (manager, loader)
}

/// Has a handler act, and returns the messagees that it has made.
fn made(manager: &mut MessageManager, loader: MessageeId, what: &str) -> Vec<MessageeId> {
    manager.send(loader, load(what)).expect("it is alive");
    let loader = manager.get::<Loader>(loader).expect("it is there");
    assert!(loader.said.is_empty(), "{:?}", loader.said);
    loader.made.clone()
}

// holds: world-files.in-handler, world-files.complete-before-hooked, world-files.template-disables
#[test]
fn a_handler_instantiates_a_file_whose_messagees_come_alive_at_the_end_of_the_outermost_send() {
    let (mut manager, loader) = loader();
    let made = made(&mut manager, loader, "load");
    let [harbour, tug] = made[..] else {
        panic!("the file has two messagees");
    };
    assert_eq!(manager.find("tug").next(), Some(tug));
    assert_eq!(manager.bound(HARBOUR), Some(harbour));
    assert_eq!(manager.parent(tug), Some(harbour));
    assert!(manager.members(SHIPS).eq([tug]));
    let mast = manager.hook_of::<Yardarm>(tug).expect("it has one");
    assert_eq!(manager.is_enabled(mast), Ok(false));
    let hull = manager.get::<Keel>(tug).expect("it has one");
    assert_eq!((hull.home, hull.mast), (Some(harbour), Some(mast)));
    assert_eq!(
        hull.hooked,
        ["Yardarm true true true", "Keel true true true"]
    );
    drop(hull);
    manager.send(tug, Hail { times: 1 }).expect("it is alive");
    manager.tick(Duration::ZERO);
    let hull = manager.get::<Keel>(harbour).expect("it has one");
    assert_eq!(hull.hailed, 10, "the wire posts");
}

// holds: world-files.in-handler
#[test]
fn messages_to_what_a_handler_instantiates_wait_for_it() {
    let (mut manager, loader) = loader();
    let made = made(&mut manager, loader, "hail");
    let hailed = |id| manager.get::<Keel>(id).expect("it has one").hailed;
    // One was hailed by its id, the other by its group.
    assert_eq!((hailed(made[0]), hailed(made[1])), (1, 2));
}

// holds: world-files.in-handler, world-files.all-or-nothing, world-files.mnemonic-bound
#[test]
fn an_error_in_a_handler_is_returned_at_once_and_leaves_nothing() {
    let (mut manager, loader) = loader();
    let made = made(&mut manager, loader, "twice");
    assert_eq!(manager.len(), 4);
    let places: Vec<String> = made.iter().map(|id| format!("{id:#}")).collect();
    assert_eq!(places, ["1v0", "2v0", "3v0"]);
    manager.send(loader, load("load")).expect("it is alive");
    let said = &manager.get::<Loader>(loader).expect("it is there").said;
    assert!(
        said[0].contains("`handlers.Harbour` is already bound to"),
        "{said:?}"
    );
    assert!(said[0].starts_with("13:"), "{said:?}");
    assert_eq!(manager.len(), 4);
}

// holds: world-files.in-handler
#[test]
fn a_handler_makes_messagees_from_templates() {
    let (mut manager, loader) = loader();
    let made = made(&mut manager, loader, "ship");
    assert_eq!(manager.get::<Keel>(made[0]).expect("it has one").hailed, 2);
    assert!(manager.members(SHIPS).eq(made.iter().copied()));
    assert_eq!(data::wires(&manager).len(), 1);
    for what in ["shipp", "homeless"] {
        manager.send(loader, load(what)).expect("it is alive");
    }
    let said = &manager.get::<Loader>(loader).expect("it is there").said;
    let typo = "there is no template `shipp`; there are `ship`, `homeless`; did you mean `ship`?";
    assert_eq!(said[0], typo);
    assert!(said[1].contains("no messagee is called `tug`"), "{said:?}");
    assert_eq!(manager.len(), 2);
}

// holds: world-files.in-handler
#[test]
fn what_a_handler_instantiates_and_despawns_comes_and_goes_with_the_same_send() {
    let (mut manager, loader) = loader();
    static DESPAWNED: AtomicU32 = AtomicU32::new(0);
    manager.subscribe(Filter::of::<Despawning>(), |_, _| {
        DESPAWNED.fetch_add(1, Ordering::Relaxed);
    });
    made(&mut manager, loader, "despawn");
    assert_eq!(DESPAWNED.load(Ordering::Relaxed), 2);
    assert_eq!(manager.len(), 1);
    assert!(data::wires(&manager).is_empty());
    assert_eq!(manager.bound(HARBOUR), None);
}

// holds: world-files.in-handler
#[test]
fn a_subscriber_instantiates_like_a_handler() {
    let mut manager = MessageManager::new();
    manager.subscribe(Filter::of::<Load>(), |load, cx| {
        obey(cx, load).map_or_else(|error| panic!("{error}"), drop);
    });
    manager.send(Everyone, load("load")).expect("it is right");
    assert_eq!(manager.len(), 2);
}

// holds: world-files.in-handler
#[test]
fn what_a_handler_has_instantiated_before_a_panic_comes_alive_with_the_next_call() {
    let (mut manager, loader) = loader();
    let send = AssertUnwindSafe(|| manager.send(loader, load("panic")));
    assert!(catch_unwind(send).is_err());
    assert_eq!(manager.len(), 1);
    manager.settle();
    assert_eq!(manager.len(), 3);
}

/// Panics when it is dropped, once it is lit.
#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "handlers.Fuse")]
struct Fuse {
    length: u32,
}

static LIT: AtomicBool = AtomicBool::new(false);
static BURNT: AtomicU32 = AtomicU32::new(0);

impl Drop for Fuse {
    fn drop(&mut self) {
        if LIT.load(Ordering::Relaxed) {
            BURNT.fetch_add(1, Ordering::Relaxed);
            panic!("a fuse");
        }
    }
}

// holds: world-files.in-handler
#[test]
fn a_manager_that_is_dropped_drops_each_component_that_waits() {
    let messagee = |name| format!("(name: {name:?}, components: [Fuse(), Fuse()])");
    let [a, b] = ["a", "b"].map(messagee);
    let text = format!("World(version: 1, messagees: [{a}, {b}])");
    let (mut manager, loader) = loader();
    let what = "panic".to_owned();
    let send = AssertUnwindSafe(|| manager.send(loader, Load { what, text }));
    assert!(catch_unwind(send).is_err());
    LIT.store(true, Ordering::Relaxed);
    assert!(catch_unwind(AssertUnwindSafe(|| drop(manager))).is_err());
    LIT.store(false, Ordering::Relaxed);
    assert_eq!(BURNT.load(Ordering::Relaxed), 4);
}

// holds: world-files.in-handler, logs.inputs-written
#[test]
fn a_log_repeats_what_handlers_instantiate() {
    let mut manager = MessageManager::new();
    let file = Shared::default();
    Log::start(&mut manager, file.clone(), LogOptions::new()).expect("nothing is there");
    let loader = manager.spawn((Loader::default(),));
    for what in ["hail", "ship", "load", "shipp"] {
        manager.send(loader, load(what)).expect("it is alive");
        manager.tick(Duration::from_millis(16));
    }
    WorldFile::parse(FILE)
        .and_then(|file| file.instantiate_template(&mut manager, "ship", "outside"))
        .expect("it fits");
    let report = Log::stop(&mut manager).expect("memory takes it");
    assert!(report.is_some_and(|it| it.impure.is_empty()));
    let replayed = Replay::of_bytes(file.bytes()).run();
    let replayed = replayed.expect("it can be repeated").manager;
    assert_eq!(Digest::of(&replayed), Digest::of(&manager));
    assert_eq!(replayed.len(), 5);
}
