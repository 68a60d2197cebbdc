//! Components of messagees that are alive: hooked, changed and unhooked by text, from outside and in handlers.

use std::collections::BTreeMap;
use std::time::Duration;

use message_core::lifecycle::{Hooked, Unhooking};
use message_core::mailbox::Cursor;
use message_core::prelude::*;
use message_data::{self as data, Actor, Data, DataError, Digest, Log, LogOptions, Replay};
use serde::{Deserialize, Serialize};

use crate::logs::Shared;

#[derive(Data, Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
#[serde(default)]
#[data(name = "by_text.Beast")]
struct Beast {
    hp: i64,
    max: i64,
    foe: Option<MessageeId>,
    parts: Vec<u8>,
}

#[handlers]
impl Beast {
    #[on_receive]
    fn hit(&mut self, hit: &Bite) {
        self.hp -= hit.amount;
    }
}

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "by_text.Bite", exact)]
struct Bite {
    amount: i64,
}

/// All that a manager can give out.
#[derive(Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "by_text.Bonds", exact)]
struct Bonds {
    strength: u8,
    to: Vec<MessageeId>,
    hook: Option<HookId>,
    until: Option<Ticket>,
    read: Cursor<Bite>,
}

#[derive(Data, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[data(name = "by_text.Pantry", exact)]
struct Pantry {
    #[serde(rename = "shelf life")]
    life: u32,
    price: u32,
    #[serde(flatten)]
    rest: BTreeMap<String, u32>,
}

#[derive(Data, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[data(name = "by_text.Whim", exact)]
enum Whim {
    Calm,
    Angry { at: MessageeId, since: u32 },
}

/// A line for a console that is a component.
#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "by_text.Typed", exact)]
struct Typed {
    what: String,
    id: MessageeId,
    text: String,
}

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "by_text.Teletype")]
struct Teletype {
    verbose: bool,
    said: Vec<String>,
}

#[handlers]
impl Teletype {
    #[on_receive]
    fn line(&mut self, line: &Typed, cx: &mut Context<'_>) {
        let said = obey(cx, line).unwrap_or_else(|error| error.to_string());
        self.said.push(said);
    }
}

fn obey<R>(cx: &mut Context<'_, R>, line: &Typed) -> Result<String, Box<dyn std::error::Error>> {
    let hook = cx.hooks(line.id).next_back();
    match line.what.as_str() {
        "hook" => {
            let hook = data::hook_from_text(cx, line.id, &line.text)?;
            cx.send(hook, Bite { amount: 1 })?;
            let known = data::component_to_text(cx, hook).is_ok();
            Ok(format!("{known}"))
        }
        "change" => {
            let hook = hook.ok_or("it has no component")?;
            data::change_from_text(cx, hook, &line.text)?;
            Ok(data::component_to_text(cx, hook)?)
        }
        "unhook" => {
            data::unhook_any(cx, hook.ok_or("it has no component")?)?;
            Ok(data::change_from_text(cx, hook.ok_or("")?, &line.text)
                .expect_err("it is leaving")
                .to_string())
        }
        _ => Err("a typo".into()),
    }
}

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "by_text.Onlooker")]
struct Onlooker {
    seen: Vec<String>,
}

#[handlers]
impl Onlooker {
    #[on_receive]
    fn hooked(&mut self, it: &Hooked, cx: &mut Context<'_>) {
        self.note("hooked", it.hook, cx);
    }

    #[on_receive]
    fn unhooking(&mut self, it: &Unhooking, cx: &mut Context<'_>) {
        self.note("unhooking", it.hook, cx);
    }

    fn note(&mut self, what: &str, hook: HookId, cx: &mut Context<'_>) {
        if hook != cx.my_hook() {
            let text = data::component_to_text(cx, hook).expect("it is attached");
            self.seen.push(format!("{what} {text}"));
        }
    }
}

fn line(what: &str, id: MessageeId, text: &str) -> Typed {
    let (what, text) = (what.to_owned(), text.to_owned());
    Typed { what, id, text }
}

fn last_said(manager: &MessageManager, console: MessageeId) -> String {
    let console = manager.get::<Teletype>(console).expect("it is there");
    console.said.last().expect("something was said").clone()
}

fn text_of(manager: &MessageManager, hook: HookId) -> String {
    data::component_to_text(manager, hook).expect("it has data")
}

fn refused<T>(result: Result<T, DataError>) -> String {
    result.map(drop).expect_err("it is wrong").to_string()
}

// holds: world-files.hook-from-text, world-files.message-by-name
#[test]
fn a_component_is_hooked_from_a_text_with_the_names_of_the_manager() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn_named("grib", (Onlooker::default(),));
    let mok = manager.spawn_named("mok", ());
    let hook = data::hook_from_text(&mut manager, grib, "Beast(hp: 3, foe: Some(mok))");
    let hook = hook.expect("it is right");
    let body = manager
        .get::<Beast>(grib)
        .expect("it was just hooked")
        .clone();
    assert_eq!((body.hp, body.foe), (3, Some(mok)));
    assert_eq!(manager.hook_of::<Beast>(grib), Ok(hook));
    let witness = manager.get::<Onlooker>(grib).expect("it is there");
    let seen = "hooked Beast(hp: 3, max: 0, foe: Some(\"mok\"), parts: [])";
    assert_eq!(witness.seen, [seen]);
}

// holds: world-files.hook-from-text
#[test]
fn a_text_that_is_wrong_hooks_nothing_and_uses_no_id() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn_named("grib", ());
    for (text, expected) in [
        (
            "Beest(hp: 3)",
            "1:1: no component with data is called `Beest`; did you mean `Beast`?",
        ),
        (
            "Bite(amount: 3)",
            "1:1: `Bite` is a message: expected a component",
        ),
        (
            "Beast(\n  hp: 3,\n  foe: Some(grab),\n)",
            "3:13: no messagee is called `grab`; did you mean `grib`?",
        ),
        (
            "Bonds(strength: 1)",
            "1:6: `Bonds` is incomplete: the field `to` is missing",
        ),
        (
            "Beast(hp: 3",
            "1:12: the text ends here: expected `,` or `)`",
        ),
    ] {
        let error = refused(data::hook_from_text(&mut manager, grib, text));
        assert_eq!(error, expected, "{text}");
    }
    assert_eq!(manager.hooks(grib).count(), 0);
    let hook = data::hook_from_text(&mut manager, grib, "Beast").expect("it is right");
    let mut fresh = MessageManager::new();
    let fresh_grib = fresh.spawn_named("grib", ());
    let fresh_hook = fresh
        .hook(fresh_grib, Beast::default())
        .expect("it is alive");
    assert_eq!(format!("{hook:#}"), format!("{fresh_hook:#}"));
    manager.despawn(grib).expect("it is alive");
    let error = refused(data::hook_from_text(&mut manager, grib, "Beast"));
    assert_eq!(
        error,
        format!("messagee {grib} cannot be reached: it is gone")
    );
}

// holds: world-files.change-from-text
#[test]
fn a_change_puts_the_fields_of_the_text_over_those_of_the_component() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn_named("grib", ());
    let body = Beast {
        hp: 8,
        max: 10,
        foe: Some(grib),
        parts: vec![1, 2],
    };
    let hook = manager.hook(grib, body).expect("it is alive");
    let mut change = |text: &str| {
        data::change_from_text(&mut manager, hook, text).unwrap_or_else(|it| panic!("{it}"));
        text_of(&manager, hook)
    };
    assert_eq!(
        change("Beast(parts: [3], hp: 7)"),
        "Beast(hp: 7, max: 10, foe: Some(\"grib\"), parts: [3])"
    );
    let same = "Beast(hp: 7, max: 10, foe: None, parts: [3])";
    assert_eq!(change("Beast(foe: None)"), same);
    assert_eq!(change("Beast()"), same);
    assert_eq!(change("Beast"), same);
    let changed = change("(\"by_text.Beast\", (max: 7))");
    assert!(changed.contains("max: 7"), "{changed}");
}

// holds: world-files.change-from-text
#[test]
fn one_field_is_changed_by_its_value_alone() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn_named("grib", (Beast::default(),));
    let hook = manager.hook_of::<Beast>(grib).expect("it is hooked");
    for (field, value) in [("hp", "7"), ("foe", "Some(grib)"), ("parts", "[\n  3,\n]")] {
        data::change_field_from_text(&mut manager, hook, field, value)
            .unwrap_or_else(|it| panic!("{field}: {it}"));
    }
    let before = "Beast(hp: 7, max: 0, foe: Some(\"grib\"), parts: [3])";
    assert_eq!(text_of(&manager, hook), before);
    let fields = data::component_fields(&manager, hook).expect("it has data");
    let values: Vec<_> = fields.iter().map(|(_, value)| &**value).collect();
    assert_eq!(values, ["7", "0", "Some(\"grib\")", "[3]"]);
    for (field, value, expected) in [
        ("hp", "soon", "1:1: expected an integer, found `soon`"),
        ("parts", "[1,\n  900]", "2:3: "),
        (
            "foe",
            "Some(grab)",
            "1:6: no messagee is called `grab`; did you mean `grib`?",
        ),
        ("hq", "3", "1:1: `Beast` has no field `hq`; it has `hp`"),
        // The text can change nothing but the field, and must be complete.
        ("hp", "3, max: 4", "1:2: "),
        ("hp", "3)", "1:2: "),
        ("hp", "", "1:1: "),
    ] {
        let error = refused(data::change_field_from_text(
            &mut manager,
            hook,
            field,
            value,
        ));
        assert!(error.starts_with(expected), "{field}: {value}: {error}");
    }
    assert_eq!(text_of(&manager, hook), before);
}

// holds: world-files.change-from-text
#[test]
fn the_fields_of_a_map_are_changed_and_an_enum_has_none() {
    let mut manager = MessageManager::new();
    let stock = Pantry {
        life: 3,
        price: 9,
        rest: BTreeMap::from([("apples".to_owned(), 5)]),
    };
    let shop = manager.spawn((stock, Whim::Calm));
    let [pantry, whim] = [0, 1].map(|at| manager.hooks(shop).nth(at).expect("there are two"));
    data::change_field_from_text(&mut manager, pantry, "shelf life", "4").expect("it fits");
    let fields = data::component_fields(&manager, pantry).expect("it has data");
    let expected = [("apples", "5"), ("price", "9"), ("shelf life", "4")];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(fields, expected);
    let none = data::component_fields(&manager, whim).expect("it has data");
    assert!(none.is_empty(), "{none:?}");
}

// holds: asking.component-type
#[test]
fn the_type_of_a_component_is_known_while_it_is_hooked() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn((Beast::default(), 3_u32));
    let [beast, number] = [0, 1].map(|at| manager.hooks(grib).nth(at).expect("there are two"));
    let ty = data::component_type(&manager, beast).expect("it has data");
    assert!(std::ptr::eq(ty, Beast::TYPE));
    let error = refused(data::component_type(&manager, number));
    assert_eq!(
        error,
        "the component type `u32` has no data: expected `#[derive(Data)]`"
    );
    let error = refused(data::change_from_text(&mut manager, number, "Beast()"));
    assert!(error.contains("hook 1v0, which has type `u32`"), "{error}");
    manager.despawn(grib).expect("it is alive");
    let error = refused(data::component_type(&manager, beast));
    assert!(error.ends_with("it is gone"), "{error}");
}

// holds: world-files.change-from-text
#[test]
fn a_wrong_change_changes_nothing() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn((Beast::default(), Whim::Calm));
    let [body, mood] = [0, 1].map(|at| manager.hooks(grib).nth(at).expect("there are two"));
    let before = text_of(&manager, body);
    for (hook, text, expected) in [
        (
            body,
            "Beast(max: 1, hq: 3)",
            "1:15: `Beast` has no field `hq`; it has `hp`, `max`, `foe`, `parts`; did you mean `hp`?"
                .to_owned(),
        ),
        (
            body,
            "Beast(max: 1,\n  hp: soon)",
            "2:7: expected an integer, found `soon`".to_owned(),
        ),
        (
            body,
            "Beast(max: 1, max: 2)",
            "1:15: duplicate field `max`".to_owned(),
        ),
        (
            body,
            "Whim(Calm)",
            format!(
                "1:1: a component of type `by_text.Whim` cannot replace that of hook {body}, which has type `by_text.Beast`"
            ),
        ),
        (
            mood,
            "Whim(Angry(at: nobody, since: 1))",
            "1:16: no messagee is called `nobody`".to_owned(),
        ),
    ] {
        let error = refused(data::change_from_text(&mut manager, hook, text));
        assert_eq!(error, expected, "{text}");
    }
    assert_eq!(text_of(&manager, body), before);
    assert_eq!(text_of(&manager, mood), "Whim(Calm)");
    data::unhook_any(&mut manager, body).expect("it is hooked");
    let error = refused(data::change_from_text(&mut manager, body, "Beast(hp: 1)"));
    assert_eq!(
        error,
        format!("the component of hook {body} cannot be reached: it is gone")
    );
    let mut other = MessageManager::new();
    let error = refused(data::change_from_text(&mut other, mood, "Whim(Calm)"));
    assert_eq!(
        error,
        format!(
            "the component of hook {mood} cannot be reached: the id belongs to another manager"
        )
    );
}

// holds: world-files.change-from-text
#[test]
fn a_text_without_fields_replaces_the_component() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn_named("grib", (Whim::Calm,));
    let hook = manager.hook_of::<Whim>(grib).expect("it is hooked");
    let angry = "Whim(Angry(at: \"grib\", since: 3))";
    data::change_from_text(&mut manager, hook, angry).expect("it fits");
    assert_eq!(text_of(&manager, hook), angry);
}

// holds: world-files.change-from-text
#[test]
fn fields_of_a_struct_that_is_written_as_a_map_are_changed_one_by_one() {
    let mut manager = MessageManager::new();
    let stock = Pantry {
        life: 3,
        price: 9,
        rest: BTreeMap::from([("apples".to_owned(), 5)]),
    };
    let shop = manager.spawn((stock.clone(),));
    let hook = manager.hook_of::<Pantry>(shop).expect("it is hooked");
    data::change_from_text(&mut manager, hook, "Pantry(price: 8, pears: 2)").expect("it fits");
    let rest = BTreeMap::from([("apples".to_owned(), 5), ("pears".to_owned(), 2)]);
    let now = manager.get::<Pantry>(shop).expect("it is hooked").clone();
    assert_eq!(
        now,
        Pantry {
            price: 8,
            rest,
            ..stock
        }
    );
}

// holds: world-files.change-keeps, world-files.message-by-name
#[test]
fn a_change_keeps_ids_tickets_and_cursors_that_no_name_means() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn_named("grib", ());
    let [rat, other_rat] = [(); 2].map(|()| manager.spawn_named("rat", ()));
    let (nobody, marked) = (manager.spawn(()), manager.spawn_named("#0v0", ()));
    let gone = manager.spawn_named("gone", ());
    manager.despawn(gone).expect("it is alive");
    let body = manager.hook(grib, Beast::default()).expect("it is alive");
    let delay = Duration::from_secs(5);
    let until = manager.post(Header::to(grib).after(delay), Bite { amount: 1 });
    let mut read = Cursor::default();
    manager
        .publish(Everyone, Bite { amount: 1 })
        .expect("there is room");
    manager.tick(Duration::ZERO);
    assert_eq!(manager.inbox::<Bite>().since(&mut read).count(), 1);
    let ties = Bonds {
        strength: 1,
        to: vec![grib, rat, other_rat, nobody, marked, gone],
        hook: Some(body),
        until: until.ok(),
        read,
    };
    let hook = manager.hook(grib, ties.clone()).expect("it is alive");
    data::change_from_text(&mut manager, hook, "Bonds(strength: 2)").expect("it fits");
    let now = manager.get::<Bonds>(grib).expect("it is hooked").clone();
    let all = |it: &Bonds| (it.to.clone(), it.hook, it.until, format!("{:?}", it.read));
    assert_eq!((now.strength, all(&now)), (2, all(&ties)));
    let pending = now.until.is_some_and(|ticket| manager.has_pending(ticket));
    assert!(pending, "the ticket is that of the posted message");
}

// holds: world-files.change-keeps
#[test]
fn a_component_with_an_id_of_another_manager_is_not_changed() {
    let mut other = MessageManager::new();
    let foe = Some(other.spawn_named("grib", ()));
    let mut manager = MessageManager::new();
    let beast = Beast {
        foe,
        ..Beast::default()
    };
    let grib = manager.spawn_named("grib", (beast.clone(),));
    let hook = manager.hook_of::<Beast>(grib).expect("it is hooked");
    let error = refused(data::change_from_text(&mut manager, hook, "Beast(hp: 1)"));
    assert_eq!(error, "this id belongs to another manager");
    assert_eq!(*manager.get::<Beast>(grib).expect("it is hooked"), beast);
}

// holds: world-files.change-from-text
#[test]
fn the_number_of_an_id_is_no_id_in_a_change() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn((Beast::default(),));
    let hook = manager.hook_of::<Beast>(grib).expect("it is hooked");
    let error = refused(data::change_from_text(
        &mut manager,
        hook,
        "Beast(foe: Some(0))",
    ));
    assert_eq!(
        error,
        "1:17: expected the name of a messagee, found the number 0"
    );
}

// holds: world-files.hook-in-handler, reentrancy.new-hook-send
#[test]
fn a_handler_hooks_at_the_end_of_the_outermost_send_and_sends_to_the_hook_at_once() {
    let mut manager = MessageManager::new();
    let console = manager.spawn((Teletype::default(),));
    let grib = manager.spawn_named("grib", (Onlooker::default(),));
    let told = line("hook", grib, "Beast(hp: 3, foe: Some(grib))");
    manager.send(console, told).expect("it is alive");
    assert_eq!(last_said(&manager, console), "false", "it is not there yet");
    let body = manager.get::<Beast>(grib).expect("it is hooked").clone();
    assert_eq!((body.hp, body.foe), (2, Some(grib)));
    let seen = manager
        .get::<Onlooker>(grib)
        .expect("it is there")
        .seen
        .clone();
    let hooked = "hooked Beast(hp: 3, max: 0, foe: Some(\"grib\"), parts: [])";
    assert_eq!(seen, [hooked], "before the message arrives");

    let told = line("hook", grib, "Beast(hp: 3, foe: Some(grab))");
    manager.send(console, told).expect("it is alive");
    assert_eq!(
        last_said(&manager, console),
        "1:24: no messagee is called `grab`; did you mean `grib`?"
    );
    assert_eq!(manager.hooks(grib).count(), 2);
}

// holds: world-files.change-at-once
#[test]
fn a_handler_changes_a_component_at_once_unless_it_is_running() {
    let mut manager = MessageManager::new();
    let console = manager.spawn((Teletype::default(),));
    let grib = manager.spawn((Beast::default(),));
    let told = line("change", grib, "Beast(hp: 3)");
    manager.send(console, told).expect("it is alive");
    let now = "Beast(hp: 3, max: 0, foe: None, parts: [])";
    assert_eq!(last_said(&manager, console), now);

    let told = line("change", grib, "Beast(max: 5)");
    let posted = manager.post(Header::to(console), told);
    posted.expect("there is room");
    manager.tick(Duration::ZERO);
    let now = "Beast(hp: 3, max: 5, foe: None, parts: [])";
    assert_eq!(last_said(&manager, console), now);

    let told = line("change", console, "Teletype(verbose: true)");
    manager.send(console, told).expect("it is alive");
    assert_eq!(
        last_said(&manager, console),
        "a component of type `by_text.Teletype` is borrowed"
    );
    assert!(
        !manager
            .get::<Teletype>(console)
            .expect("it is there")
            .verbose
    );
}

// holds: world-files.unhook-any, world-files.change-at-once, messagees.unhook-leaving
#[test]
fn a_component_of_any_type_is_unhooked() {
    let mut manager = MessageManager::new();
    let console = manager.spawn((Teletype::default(),));
    let grib = manager.spawn((Onlooker::default(), Beast::default(), Beast::default()));
    let told = line("unhook", grib, "Beast(hp: 3)");
    let hook = manager.hooks(grib).next_back().expect("there are three");
    manager.send(console, told).expect("it is alive");
    let leaving = format!(
        "the component of hook {hook} cannot be reached: it was despawned or unhooked in this dispatch"
    );
    assert_eq!(last_said(&manager, console), leaving);
    let hook = manager.hook_of::<Beast>(grib).expect("one is left");
    assert_eq!(data::unhook_any(&mut manager, hook), Ok(()));
    let why = Absence::Gone;
    let gone = Err(MessageeError::NotHooked { hook, why });
    assert_eq!(data::unhook_any(&mut manager, hook), gone);
    let seen = manager
        .get::<Onlooker>(grib)
        .expect("it is there")
        .seen
        .clone();
    let unhooking = seen.iter().filter(|it| it.starts_with("unhooking Beast("));
    assert_eq!(unhooking.count(), 2);
}

// holds: world-files.hook-in-handler
#[test]
fn a_subscriber_hooks_and_changes_like_a_handler() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn((Beast::default(),));
    manager.subscribe(Filter::of::<Typed>(), |line, cx| {
        obey(cx, line).map_or_else(|it| panic!("{it}"), drop);
    });
    for what in ["change", "hook", "unhook"] {
        let told = line(what, grib, "Beast(hp: 3)");
        manager.send(grib, told).expect("it is alive");
    }
    assert_eq!(manager.hooks(grib).count(), 1);
    assert_eq!(manager.get::<Beast>(grib).expect("one is left").hp, 3);
}

fn play(actor: &mut impl Actor, ids: [MessageeId; 2], hook: HookId) {
    let [console, grib] = ids;
    data::change_from_text(actor, hook, "Beast(hp: 3, foe: Some(grib))").expect("it fits");
    let second = data::hook_from_text(actor, grib, "Beast(max: 5)").expect("it fits");
    data::hook_from_text(actor, console, "Beast(max: 6)").expect("it fits");
    data::unhook_any(actor, second).expect("it is hooked");
    data::change_from_text(actor, second, "Beast(hp: 1)").expect_err("it is unhooked");
}

// holds: logs.inputs-written, world-files.hook-from-text, world-files.change-from-text, world-files.unhook-any
#[test]
fn a_log_repeats_what_was_hooked_changed_and_unhooked_by_text() {
    let mut manager = MessageManager::new();
    let file = Shared::default();
    Log::start(&mut manager, file.clone(), LogOptions::new()).expect("nothing is there");
    let console = manager.spawn((Teletype::default(),));
    let grib = manager.spawn_named("grib", (Onlooker::default(), Beast::default()));
    let hook = manager.hook_of::<Beast>(grib).expect("it is hooked");
    play(&mut manager, [console, grib], hook);
    for what in ["change", "hook", "unhook", "change"] {
        let told = line(what, grib, "Beast(hp: 4)");
        manager.send(console, told).expect("it is alive");
    }
    data::change_from_text(&mut manager, hook, "Beast(max: 9)").expect("it fits");
    let report = Log::stop(&mut manager).expect("memory takes it");
    assert!(report.is_some_and(|it| it.impure.is_empty()));
    let replayed = Replay::of_bytes(file.bytes()).run();
    let replayed = replayed.expect("it can be repeated").manager;
    assert_eq!(Digest::of(&replayed), Digest::of(&manager));
    let [here, there] = [&manager, &replayed].map(|it| {
        let hooks = it.hooks(it.find("grib").next().expect("it is alive"));
        hooks.map(|hook| text_of(it, hook)).collect::<Vec<_>>()
    });
    assert_eq!(here, there);
    assert!(here.iter().any(|text| text.contains("max: 9")));
}
