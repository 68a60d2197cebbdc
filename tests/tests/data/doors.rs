//! Wires that do what levels need: a door that closes by itself, a burning trap, a prefab, a relay.

use std::cell::Ref;
use std::time::Duration;

use message_core::prelude::*;
use message_data::{
    self as data, Data, DataError, Digest, Log, LogOptions, Replay, Selection, Wire, WireTarget,
    WorldFile,
};
use serde::{Deserialize, Serialize};

use crate::logs::Shared;

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "doors.Passed", exact)]
pub(crate) struct Passed {
    pub(super) weight: f32,
    pub(super) how: How,
}

#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq)]
pub(crate) enum How {
    Walking,
    Flying { height: u32 },
}

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "doors.Close")]
struct Close;

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "doors.Lock")]
pub(super) struct Lock;

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "doors.Burn")]
struct Burn;

/// Not `Clone`: it is written and read to be copied.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[data(name = "doors.Heal", exact)]
pub(super) struct Heal(pub(super) u32);

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "doors.Pressed", exact)]
pub(super) struct Pressed {
    power: Power,
}

#[derive(Serialize, Deserialize, Debug, Clone)]
pub(super) struct Power {
    amount: u32,
}

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "doors.Trigger", exact)]
pub(super) struct Trigger {
    pub(super) amount: u32,
    pub(super) note: String,
}

/// Counts what it receives, with who sent it.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(name = "doors.Tally")]
pub(super) struct Tally {
    closed: u32,
    burnt: u32,
    pub(super) healed: u32,
    heard: Vec<String>,
}

#[handlers]
impl Tally {
    #[on_receive]
    fn close(&mut self, _: &Close) {
        self.closed += 1;
    }

    #[on_receive]
    fn burn(&mut self, _: &Burn) {
        self.burnt += 1;
    }

    #[on_receive]
    fn heal(&mut self, heal: &Heal) {
        self.healed += heal.0;
    }

    #[on_receive]
    fn trigger(&mut self, trigger: &Trigger) {
        self.heard
            .push(format!("{} {}", trigger.note, trigger.amount));
    }
}

pub(super) const SECOND: Duration = Duration::from_secs(1);
pub(super) const WALKING: Passed = Passed {
    weight: 60.5,
    how: How::Walking,
};

pub(super) fn made(manager: &mut MessageManager, text: &str) -> data::Instance {
    let file = WorldFile::parse(text).unwrap_or_else(|error| panic!("{error}"));
    file.instantiate(manager)
        .unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn tally(manager: &MessageManager, id: MessageeId) -> Ref<'_, Tally> {
    manager.get::<Tally>(id).expect("it counts")
}

pub(super) fn refused(text: &str) -> String {
    WorldFile::parse(text).expect_err("it is wrong").to_string()
}

// holds: wires.key, wires.cancel, wires.header, time.key-replaces
#[test]
fn a_door_closes_two_seconds_after_the_last_one_passed_unless_it_is_locked() {
    let mut manager = MessageManager::new();
    let text = r#"World(version: 1, messagees: [
        Messagee(name: "door", components: [Tally], wires: [
            Wire(on: Passed, to: Me, send: Close, after: 2, key: "close"),
            Wire(on: Lock, cancel: "close"),
        ]),
    ])"#;
    let door = made(&mut manager, text).get("door").expect("it is there");
    for _ in 0..3 {
        manager.send(door, WALKING).expect("it is alive");
        manager.tick(SECOND);
    }
    assert_eq!(tally(&manager, door).closed, 0);
    manager.tick(SECOND);
    assert_eq!(tally(&manager, door).closed, 1);
    manager.send(door, WALKING).expect("it is alive");
    // The key is that of the door, as in a handler of it.
    let speaks = manager.speak_for(door).expect("it is alive");
    assert!(speaks.has_pending("close"));
    manager.send(door, Lock).expect("it is alive");
    manager.tick(3 * SECOND);
    assert_eq!(tally(&manager, door).closed, 1);
}

// holds: wires.header, time.keep-phase
#[test]
fn a_trap_burns_each_second_for_five_seconds_and_keeps_its_beat_when_it_is_renewed() {
    let mut manager = MessageManager::new();
    let text = r#"World(version: 1,
        messagees: [
            Messagee(name: "trap", wires: [Wire(on: Passed, to: Sender, send: Lock)]),
            Messagee(name: "orc", components: [Tally], wires: [
                Wire(on: Lock, to: Me, send: Burn, every: 1, deliveries: 5, key: "burn", keep_phase: true),
            ]),
        ],
    )"#;
    let made = made(&mut manager, text);
    let [trap, orc] = ["trap", "orc"].map(|name| made.get(name).expect("it is there"));
    let step = |manager: &mut MessageManager| {
        let mut orc = manager.speak_for(orc).expect("it is alive");
        orc.send(trap, WALKING).expect("it is alive");
        // The trap's post is delivered in the next pass.
        manager.tick(Duration::ZERO);
    };
    step(&mut manager);
    let mut burnt = Vec::new();
    for half in 0..16 {
        manager.tick(SECOND / 2);
        if half == 4 {
            // After 2.5 seconds.
            step(&mut manager);
        }
        burnt.push(tally(&manager, orc).burnt);
    }
    // At 1 and 2 seconds, and five times from 3 seconds on.
    assert_eq!(burnt, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7]);
}

// holds: time.keep-phase, time.unless-pending, headers.contradiction
#[test]
fn a_renewed_message_keeps_the_moment_of_the_one_that_it_replaces_on_the_same_clock() {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Tally::default(),));
    let once = Header::to(id).after(SECOND).key("heal");
    manager.post(once, Heal(1)).expect("it is alive");
    manager.tick(SECOND / 2);
    manager
        .post(once.keep_phase(), Heal(10))
        .expect("it is alive");
    let first = manager.pending_posts("heal")[0].ticket;
    let kept = manager.post(once.unless_pending(), Heal(100));
    assert_eq!(kept.expect("it is alive"), first);
    assert_eq!(manager.pending_posts(Posts::all()).len(), 1);
    manager.tick(SECOND / 2);
    assert_eq!(tally(&manager, id).healed, 10);
    manager
        .post(once.unless_pending(), Heal(100))
        .expect("it is alive");
    manager.tick(SECOND);
    assert_eq!(tally(&manager, id).healed, 110);

    // On another clock, the delay counts from now.
    let frames = Header::to(id).after_frames(3).key("heal");
    manager.post(frames, Heal(1)).expect("it is alive");
    manager
        .post(once.keep_phase(), Heal(1_000))
        .expect("it is alive");
    manager.tick(SECOND / 2);
    manager.tick(SECOND / 2);
    assert_eq!(tally(&manager, id).healed, 1_110);
    let error = Header::to(id).after(SECOND).keep_phase().build();
    assert_eq!(
        error.expect_err("there is no key"),
        message_core::HeaderError::RenewalWithoutKey
    );
}

/// Renews itself from its own handler.
struct Beating(u32);

#[handlers]
impl Beating {
    #[on_receive]
    fn burn(&mut self, _: &Burn, cx: &mut Context<'_>) {
        self.0 += 1;
        if self.0 == 2 {
            let beat = Header::to(Recipient::Me).every(SECOND).times(2).key("beat");
            let waits = cx.pending_posts("beat")[0].ticket;
            let kept = cx.post(beat.unless_pending(), Burn).expect("it is alive");
            assert_eq!(
                kept, waits,
                "a repeating message is pending while it is delivered"
            );
            cx.post(beat.keep_phase(), Burn).expect("it is alive");
        }
    }
}

// holds: time.keep-phase, time.unless-pending
#[test]
fn a_repeating_message_that_is_renewed_while_it_is_delivered_goes_on_in_its_beat() {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Beating(0),));
    let beat = Header::to(Recipient::Me).every(SECOND).key("beat");
    let mut speaks = manager.speak_for(id).expect("it is alive");
    speaks.post(beat, Burn).expect("it is alive");
    let mut beats = Vec::new();
    // The second beat is noticed late, at 2.4 seconds.
    for millis in [1_000, 1_400, 500, 200, 900, 900] {
        manager.tick(Duration::from_millis(millis));
        beats.push(manager.get::<Beating>(id).expect("it beats").0);
    }
    assert_eq!(beats, [1, 2, 2, 3, 4, 4]);
}

// holds: wires.own-names, world-files.instanced-again
#[test]
fn a_prefab_that_is_placed_twice_rings_its_own_bell() {
    let mut manager = MessageManager::new();
    let text = r#"World(version: 1, messagees: [
        Messagee(name: "lever", wires: [
            Wire(on: Passed, to: "bell", send: Burn),
            Wire(on: Lock, to: ["be*", "*"], send: Close),
        ]),
        Messagee(name: "bell", label: "Big Ben", components: [Tally]),
    ])"#;
    let [first, second] = [(); 2].map(|()| made(&mut manager, text));
    manager
        .set_name(first.get("bell").expect("it is there"), "renamed")
        .expect("it is alive");
    for (made, times) in [(&first, 1), (&second, 3)] {
        for _ in 0..times {
            let lever = made.get("lever").expect("it is there");
            manager.send(lever, WALKING).expect("it is alive");
            manager.send(lever, Lock).expect("it is alive");
        }
    }
    manager.tick(SECOND);
    for (made, times) in [(&first, 1), (&second, 3)] {
        let bell = tally(&manager, made.get("bell").expect("it is there"));
        assert_eq!((bell.burnt, bell.closed), (times, times));
    }
    let error = refused(&text.replace("\"bell\", send", "\"bel\", send"));
    let expected =
        "is called `bel` (`Named(\"…\")` is looked up in the manager); did you mean `bell`?";
    assert!(error.contains(expected), "{error}");
}

// holds: wires.activator, wires.fill
#[test]
fn a_relay_heals_whoever_pressed_the_button() {
    let mut manager = MessageManager::new();
    let text = r#"World(version: 1, messagees: [
        Messagee(name: "button", wires: [
            Wire(on: Pressed, to: "relay", send: Trigger(amount: It("power.amount"), note: "by"), after: 1),
        ]),
        Messagee(name: "relay", components: [Tally], wires: [
            Wire(on: Trigger, to: Activator, send: Heal(It("amount")), after: 1),
            Wire(on: Trigger, to: Sender, send: It),
        ]),
        Messagee(name: "player", components: [Tally]),
    ])"#;
    let made = made(&mut manager, text);
    let [button, player] = ["button", "player"].map(|name| made.get(name).expect("it is there"));
    manager.hook(button, Tally::default()).expect("it is alive");
    let press = Pressed {
        power: Power { amount: 7 },
    };
    let mut speaks = manager.speak_for(player).expect("it is alive");
    speaks.send(button, press.clone()).expect("it is alive");
    manager.tick(SECOND);
    // A save keeps who began the chain.
    let saved = data::save(&mut manager, &data::SaveOptions::new()).expect("all of it has data");
    let restored = data::restore(&saved, message_core::ManagerConfig::new())
        .expect("it was just saved")
        .manager;
    for mut manager in [manager, restored] {
        let [button, relay, player] = ["button", "relay", "player"]
            .map(|name| manager.find(name).next().expect("it is there"));
        manager.tick(SECOND);
        assert_eq!(tally(&manager, player).healed, 7);
        assert_eq!(tally(&manager, relay).heard, ["by 7"]);
        // Whatever the relay has received it has passed on.
        assert_eq!(tally(&manager, button).heard, ["by 7"]);
        // A press from outside has no sender to heal.
        manager.send(button, press.clone()).expect("it is alive");
        for dead in [0, 1] {
            assert_eq!(manager.inspect().dead_letter_count(), dead);
            manager.tick(SECOND);
        }
    }
}

// holds: wires.activator, time.take-out-header, logs.replay
#[test]
fn what_is_taken_out_of_a_chain_and_posted_again_keeps_its_activator_also_in_a_replay() {
    let mut manager = MessageManager::new();
    let players = [(); 2].map(|()| manager.spawn((Tally::default(),)));
    let [button, relay] = [(); 2].map(|()| manager.spawn(()));
    let delayed = Wire::on::<Lock>(button).send(relay, Burn);
    let answer = Wire::on::<Burn>(relay).send(WireTarget::Activator, Close);
    for wire in [delayed.header(|it| it.after(SECOND)), answer] {
        data::add_wire(&mut manager, wire).expect("it is right");
    }
    let file = Shared::default();
    Log::start(&mut manager, file.clone(), LogOptions::new()).expect("it can be saved");
    for player in players {
        let mut speaks = manager.speak_for(player).expect("it is alive");
        speaks.send(button, Lock).expect("it is alive");
    }
    for taken in manager.take_posts(Posts::all()) {
        let mut speaks = manager.speak_for(button).expect("it is alive");
        let posted = speaks.post_any(taken.header, taken.message);
        posted.expect("it is alive");
    }
    manager.tick(SECOND);
    manager.tick(SECOND);
    assert_eq!(players.map(|id| tally(&manager, id).closed), [1, 1]);
    Log::stop(&mut manager).expect("memory takes it");
    let replayed = Replay::of_bytes(file.bytes()).run();
    let replayed = replayed.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Digest::of(&replayed.manager), Digest::of(&manager));
}

// holds: wires.family
#[test]
fn a_wire_leads_to_parent_children_and_siblings() {
    let mut manager = MessageManager::new();
    let text = r#"World(version: 1, messagees: [
        Messagee(name: "house", components: [Tally], wires: [Wire(on: Lock, to: Children, send: Lock)], children: [
            Messagee(name: "door", components: [Tally], wires: [
                Wire(on: Lock, to: Siblings, send: Burn),
                Wire(on: Lock, to: Parent, send: Close),
            ]),
            Messagee(name: "window", components: [Tally]),
            Messagee(name: "attic", components: [Tally]),
        ]),
    ])"#;
    let made = made(&mut manager, text);
    let ids = ["house", "door", "window", "attic"].map(|name| made.get(name).expect("it is there"));
    manager.send(ids[0], Lock).expect("it is alive");
    manager.tick(SECOND);
    manager.tick(SECOND);
    let counts = ids.map(|id| (tally(&manager, id).closed, tally(&manager, id).burnt));
    assert_eq!(counts, [(1, 0), (0, 0), (0, 1), (0, 1)]);
    let lone = manager.spawn(());
    let wire = Wire::on::<Lock>(lone).send(WireTarget::Parent, Close);
    data::add_wire(&mut manager, wire).expect("it is right");
    manager.send(lone, Lock).expect("it is alive");
    assert_eq!(manager.inspect().dead_letter_count(), 1);
}

// holds: wires.names-bounded, world-files.linear, world-files.expanded
#[test]
fn names_with_wildcards_and_the_targets_of_a_template_are_bounded() {
    let many = "a".repeat(2_000);
    let wire = format!("(on: Lock, to: \"*{many}\", send: Lock)");
    let too_many = "the different names with wildcards are too long at";
    let found = refused(&format!(
        "World(version: 1, messagees: [(name: \"a\", wires: [{wire}])])"
    ));
    assert!(found.contains(too_many), "{found}");

    let mut manager = MessageManager::new();
    for number in 0..100 {
        manager.spawn_named(format!("goblin {number}"), ());
    }
    let alone = |wires: &str, manager: &mut MessageManager| {
        let text = format!("World(version: 1, templates: {{\"t\": (wires: [{wires}])}})");
        let file = data::WorldOptions::new().max_expanded(10_000).parse(&text);
        let made = file
            .expect("nothing is made")
            .instantiate_template(manager, "t", "new");
        made.map_err(|error| error.to_string())
    };
    let found = alone(&wire, &mut manager).expect_err("the name is too long");
    assert!(found.contains(too_many), "{found}");
    let star = "(on: Lock, to: [\"*\", \"*\"], send: Lock),";
    alone(&star.repeat(2), &mut manager).expect("there are few");
    let found = alone(&star.repeat(100), &mut manager).expect_err("there are too many");
    assert!(found.contains("more than 10000 bytes"), "{found}");
}

// holds: world-files.write-world, wires.own-names
#[test]
fn every_kind_of_wire_is_written_to_a_world_file_and_read_back() {
    let text = r#"World(version: 1, messagees: [
        Messagee(name: "a*", wires: [
            Wire(on: Passed, when: (weight: AtLeast(2)), to: ["a\\*", "b"], send: Heal(3), after: 0.5, every: 2, deliveries: 3,
                key: "k", keep_phase: true, if_alive: true, tied_to_sender: true, times: 4, stage: LateUpdate, enabled: false),
            Wire(on: Trigger, to: Activator, send: Trigger(amount: It("amount"), note: "n"), every_frames: 2, key: "k", unless_pending: true),
            Wire(on: Trigger, to: Named("b*"), send: It, after: 3, unscaled: true),
            Wire(on: Lock, cancel: "k"),
            Wire(on: Lock, to: Parent, send: Lock, after_frames: 3, retain: true),
        ]),
        Messagee(name: "b"),
    ])"#;
    let mut manager = MessageManager::new();
    made(&mut manager, text);
    let written = data::write_world(&manager, &Selection::all()).expect("it has data");
    let mut again = MessageManager::new();
    made(&mut again, &written);
    assert_eq!(Digest::of(&again), Digest::of(&manager), "{written}");
    let shown = |manager: &MessageManager| {
        data::wires(manager)
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(&again), shown(&manager));
    assert_eq!(
        written,
        data::write_world(&again, &Selection::all()).expect("it has data")
    );
    // A header in code can say more.
    let id = manager.find("b").next().expect("it is there");
    let wire = Wire::on::<Lock>(id)
        .send("b", Lock)
        .header(|it| it.require(2));
    data::add_wire(&mut manager, wire).expect("it is right");
    let error = data::write_world(&manager, &Selection::all()).expect_err("nothing says it");
    assert!(
        error.to_string().contains("its header has a setting that"),
        "{error}"
    );
}

tag!(NOISE = "doors.noise");

// holds: world-files.overhear, world-files.write-world, world-files.instanced-again
#[test]
fn a_messagee_overhears_by_the_filters_of_its_file() {
    let mut manager = MessageManager::new();
    let text = r#"World(version: 1,
        templates: {"guard": Template(components: [Tally], overhear: [Close(to: Id("door"))])},
        messagees: [
            Messagee(name: "door"),
            Messagee(name: "fence"),
            Messagee(name: "one", from: ["guard"]),
            Messagee(name: "two", from: ["guard"], overhear: [
                Any(from: Messagee("one"), to: Id("fence"), hidden: true, once: true, stage: LateUpdate),
                Burn(tagged: ["doors.noise"], with_retained: true),
            ]),
        ],
    )"#;
    let first = made(&mut manager, text);
    made(&mut manager, text);
    let written = data::write_world(&manager, &Selection::all()).expect("it has data");
    let mut again = MessageManager::new();
    made(&mut again, &written);
    let id = |name| first.get(name).expect("it is there");
    let [door, fence, one, two] = ["door", "fence", "one", "two"].map(id);
    manager.send(door, Close).expect("it is alive");
    manager.send(fence, Close).expect("it is alive");
    let mut speaks = manager.speak_for(one).expect("it is alive");
    for _ in 0..2 {
        speaks.send(fence, Heal(5)).expect("it is alive");
    }
    let noise = Header::to(fence).tags(NOISE).stage(Stage::Update);
    manager.post(noise, Burn).expect("it is alive");
    manager.send(fence, Burn).expect("it is alive");
    manager.tick(SECOND);
    let counts = [one, two].map(|id| {
        let tally = tally(&manager, id);
        (tally.closed, tally.healed, tally.burnt)
    });
    assert_eq!(counts, [(1, 0, 0), (1, 5, 1)]);
    assert_eq!(
        data::write_world(&again, &Selection::all()).expect("it has data"),
        written
    );
    let all = manager.messagees().count();
    let others: u32 = manager
        .messagees()
        .filter_map(|id| Some(manager.get::<Tally>(id).ok()?.closed))
        .sum();
    assert_eq!(
        (all, others),
        (8, 2),
        "those of the other instance hear nothing"
    );
}

// holds: world-files.overhear, world-files.all-mistakes
#[test]
fn filters_that_cannot_be_read_have_their_places() {
    let file = |filter: &str| {
        format!("World(version: 1, messagees: [(name: \"a\", overhear: [\n{filter}])])")
    };
    for (filter, expected) in [
        (
            "Clos",
            "2:1: no message with data is called `Clos`; did you mean `Close`?",
        ),
        ("Close(form: Outside)", "2:7: "),
        (
            "Close(from: Messagee(\"b\"))",
            "2:22: no messagee is called `b`",
        ),
        ("Close(stage: Later)", "2:14: there is no variant `Later`"),
        ("3", "2:1: expected the name of a type with its fields"),
    ] {
        let found = refused(&file(filter));
        assert!(found.starts_with(expected), "{filter}: {found}");
    }
}

// holds: subscriptions.filter-data
#[test]
fn a_filter_without_a_predicate_is_data() {
    let filter = Filter::of::<Burn>()
        .from(Sender::Outside)
        .tagged(NOISE)
        .once()
        .hidden();
    let text = data::to_text(&filter).expect("it is data");
    assert_eq!(
        text,
        "(from: Outside, tagged: [\"doors.noise\"], hidden: true, once: true)"
    );
    let read: Filter<Burn> = data::from_text(&text).expect("it was just written");
    let mut manager = MessageManager::new();
    let (tell, told) = std::sync::mpsc::channel();
    manager.subscribe(read, move |_, _| tell.send(()).expect("it is listened to"));
    let id = manager.spawn((Tally::default(),));
    manager.send(id, Burn).expect("it is alive");
    let noise = Header::to(id).tags(NOISE);
    for _ in 0..2 {
        manager.post(noise, Burn).expect("it is alive");
    }
    assert_eq!(told.try_iter().count(), 1);
    let error = data::to_text(&Filter::of::<Burn>().when(|_| true)).expect_err("it is code");
    assert!(
        error.to_string().contains("a filter with a predicate"),
        "{error}"
    );
}

/// Makes wires, and instances of a template, on request.
struct Spawner {
    file: WorldFile,
    wire: Option<data::WireId>,
}

#[handlers]
impl Spawner {
    #[on_receive]
    fn passed(&mut self, _: &Passed, cx: &mut Context<'_>) -> Result<(), DataError> {
        let bell = cx.find("bell").next().expect("it is there");
        let wire = Wire::on::<Lock>(cx.me()).send(bell, Close);
        let id = data::add_wire(cx, wire.times(2))?;
        assert_eq!(data::wires(cx).len(), 5);
        self.wire = Some(id);
        let refused = Wire::on::<Lock>(cx.me()).send(bell, Close).times(0);
        assert!(data::add_wire(cx, refused).is_err());
        // It waits for what is sent later.
        cx.send(cx.me(), Lock).expect("it is alive");
        Ok(())
    }

    #[on_receive]
    fn burn(&mut self, _: &Burn, cx: &mut Context<'_>) {
        let id = self.wire.expect("it was made");
        assert!(data::set_wire_enabled(cx, id, false));
        assert!(data::remove_wire(cx, id) && !data::remove_wire(cx, id));
    }

    #[on_receive]
    fn trigger(&mut self, trigger: &Trigger, cx: &mut Context<'_>) -> Result<(), data::WorldError> {
        for number in 0..trigger.amount {
            let name = format!("{} {number}", trigger.note);
            let goblin = self.file.instantiate_template(cx, "goblin", name)?;
            cx.send(goblin, Heal(number)).expect("it comes alive");
        }
        Ok(())
    }
}

// holds: wires.in-handler, world-files.in-handler
#[test]
fn a_spawner_instances_a_template_and_wires_itself_to_a_bell() {
    let text = r#"World(version: 1,
        templates: {
            "goblin": Template(components: [Tally], wires: [Wire(on: Lock, to: "bell", send: Burn)]),
        },
        messagees: [
            Messagee(name: "plate", wires: [
                Wire(on: Pressed, to: "spawner", send: Trigger(amount: It("power.amount"), note: "goblin")),
            ]),
            Messagee(name: "spawner"),
            Messagee(name: "bell", components: [Tally]),
        ],
    )"#;
    let file = WorldFile::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let mut manager = MessageManager::new();
    let made = file.instantiate(&mut manager).expect("it fits");
    let [plate, spawner, bell] =
        ["plate", "spawner", "bell"].map(|name| made.get(name).expect("it is there"));
    let wire = None;
    manager
        .hook(spawner, Spawner { file, wire })
        .expect("it is alive");
    let power = Power { amount: 3 };
    manager.send(plate, Pressed { power }).expect("it is alive");
    manager.tick(SECOND);
    let goblins: Vec<MessageeId> = manager.find("goblin *").collect();
    let healed = goblins.iter().map(|&id| tally(&manager, id).healed);
    assert_eq!(healed.collect::<Vec<_>>(), [0, 1, 2]);
    manager.send(goblins[1], Lock).expect("it is alive");
    manager.tick(SECOND);
    assert_eq!(tally(&manager, bell).burnt, 1);

    manager.send(spawner, WALKING).expect("it is alive");
    manager.tick(SECOND);
    assert_eq!(tally(&manager, bell).closed, 0);
    manager.send(spawner, Lock).expect("it is alive");
    manager.send(spawner, Burn).expect("it is alive");
    manager.send(spawner, Lock).expect("it is alive");
    manager.tick(SECOND);
    assert_eq!(tally(&manager, bell).closed, 1);
    assert_eq!(
        data::wires(&manager).len(),
        4,
        "those of the file and of the goblins"
    );
}
