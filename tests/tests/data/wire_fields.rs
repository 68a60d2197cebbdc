//! Conditions of wires on the fields of a message, and fields that are taken from it.

use std::collections::BTreeMap;
use std::time::Duration;

use message_core::prelude::*;
use message_data::{self as data, Data, Selection, Wire, WireTest};
use serde::{Deserialize, Serialize};

use crate::doors::{
    Heal, How, Lock, Passed, SECOND, Tally, Trigger, WALKING, made, refused, tally,
};

// holds: wires.conditions
#[test]
fn a_wire_fires_only_if_all_conditions_on_the_message_hold() {
    let cases = [
        ("(weight: AtLeast(60.5))", [true, false, true]),
        ("(weight: AtMost(60))", [false, true, false]),
        ("(weight: 60.5, how: Walking)", [true, false, false]),
        ("(how: Not(Walking))", [false, true, true]),
        ("(how: Flying(height: 3))", [false, true, false]),
        (
            r#"{"how": Is(Flying(height: 4)), "weight": 1e3}"#,
            [false, false, true],
        ),
    ];
    let passed = [
        WALKING,
        Passed {
            weight: 0.1,
            how: How::Flying { height: 3 },
        },
        Passed {
            weight: 1_000.0,
            how: How::Flying { height: 4 },
        },
    ];
    for (when, fires) in cases {
        let mut manager = MessageManager::new();
        let text = format!(
            r#"World(version: 1, messagees: [Messagee(name: "scale", wires: [
                Wire(on: Passed, when: {when}, to: Me, send: Lock, times: 9),
            ])])"#
        );
        let scale = made(&mut manager, &text).get("scale").expect("it is there");
        let fired = passed.clone().map(|passed| {
            let before = data::wires(&manager)[0].left;
            manager.send(scale, passed).expect("it is alive");
            data::wires(&manager)[0].left != before
        });
        assert_eq!(fired, fires, "{when}");
        let written = data::write_world(&manager, &Selection::all()).expect("it has data");
        let mut again = MessageManager::new();
        made(&mut again, &written);
        assert_eq!(
            data::wires(&again)[0].when,
            data::wires(&manager)[0].when,
            "{written}"
        );
    }
}

// holds: wires.conditions, wires.fill, wires.impossible-refused
#[test]
fn conditions_and_fields_that_do_not_fit_have_their_places() {
    let file = |wire: &str| {
        format!(
            "World(version: 1, messagees: [(name: \"a\", wires: [\nWire({wire}, to: Me, times: 1)])])"
        )
    };
    for (wire, expected) in [
        (
            "on: Passed, when: (wieght: 3), send: Lock",
            "2:25: `Passed` has no field `wieght`: expected one of `Passed(weight: f32, how: How{",
        ),
        (
            "on: Passed, when: (how: AtLeast(3)), send: Lock",
            "2:25: `AtLeast(3)` compares numbers, but `Passed.how` is `How{",
        ),
        (
            "on: Passed, when: (how: Swimming), send: Lock",
            "2:25: `Passed.how` is never `Swimming`: there is no variant `Swimming`",
        ),
        (
            "on: Passed, when: 3, send: Lock",
            "2:24: expected conditions by field, such as `(amount: AtLeast(3))`, found the integer `3`",
        ),
        (
            "on: Passed, send: Heal(It(\"weight\"))",
            "2:32: `Heal.0` is `u32`, but `Passed.weight` is `f32`",
        ),
        (
            "on: Passed, send: Heal(It(\"hp\"))",
            "2:32: `Passed` has no field `hp`",
        ),
        (
            "on: Passed, send: Trigger(note: \"\", amount: It(\"how\"), amount: It(\"how\"))",
            "2:53: `Trigger.amount` is `u32`, but `Passed.how` is `How{",
        ),
        (
            "on: Trigger, send: Trigger(amount: It(\"amount\"), note: 3)",
            "2:61: invalid type: integer `3`, expected a string",
        ),
        (
            "on: Trigger, send: Lock, keep_phase: true",
            "2:1: the header has `keep_phase` or `unless_pending`, and no key",
        ),
        (
            "on: Trigger, send: Lock, cancel: \"x\"",
            "2:25: this wire cancels: expected no `to` and no `send`",
        ),
    ] {
        let found = refused(&file(wire));
        assert!(found.starts_with(expected), "{wire}: {found}");
    }
}

fn ten() -> u32 {
    10
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_ten(number: &u32) -> bool {
    *number == 10
}

#[derive(Serialize, Deserialize, Debug, Clone)]
struct Place {
    x: i32,
    #[serde(default)]
    y: i32,
}

/// Has fields that can be written in several ways, or not at all.
#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "doors.Shot", exact)]
struct Shot {
    at: Place,
    by: BTreeMap<String, u32>,
    id: u64,
    wide: i128,
    share: f32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<u32>,
    #[serde(default = "ten", skip_serializing_if = "is_ten")]
    tenth: u32,
}

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "doors.Shown", exact)]
struct Shown {
    from: Option<u32>,
}

fn shot() -> Shot {
    Shot {
        at: Place { x: 1, y: 0 },
        by: [("a", 1), ("b", 2)]
            .map(|(by, it)| (by.to_owned(), it))
            .into(),
        id: u64::MAX,
        wide: i128::MIN,
        share: 0.1,
        from: None,
        tenth: 10,
    }
}

// holds: wires.conditions, wires.left-out
#[test]
fn a_condition_compares_a_field_as_its_type_reads_the_text() {
    for (field, test, fires) in [
        ("at", WireTest::is("(x: 1)"), true),
        ("at", WireTest::is("Place(y: 0, x: 1)"), true),
        ("at", WireTest::not("(x: 1)"), false),
        ("by", WireTest::is(r#"{"b": 2, "a": 1}"#), true),
        ("id", WireTest::at_most("18446744073709551614"), false),
        ("id", WireTest::is("18446744073709551615"), true),
        ("wide", WireTest::at_most("0"), true),
        (
            "wide",
            WireTest::at_least("-170141183460469231731687303715884105728"),
            true,
        ),
        ("share", WireTest::at_most("0.1"), true),
        ("from", WireTest::is("None"), true),
        ("from", WireTest::not("Some(1)"), true),
        ("from", WireTest::not("None"), false),
    ] {
        let mut manager = MessageManager::new();
        let id = manager.spawn(());
        let wire = Wire::on::<Shot>(id)
            .send(id, Lock)
            .when(field, test.clone());
        data::add_wire(&mut manager, wire.times(1)).expect("it can hold");
        manager.send(id, shot()).expect("it is alive");
        assert_eq!(data::wires(&manager).is_empty(), fires, "{field}: {test}");
    }
}

// holds: wires.left-out, wires.fill, wires.impossible-refused
#[test]
fn a_field_that_serde_leaves_out_is_none_or_refused() {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let tells = || Wire::on::<Shot>(id).send(id, Shown { from: Some(3) });
    for (wire, expected) in [
        (
            tells().when("tenth", WireTest::is("10")),
            "`Shot.tenth` is left out",
        ),
        (tells().fill("from", "tenth"), "`Shot.tenth` is left out"),
        (
            tells().when("at.x", WireTest::is("\"a\"")),
            "`Shot.at.x` is never `\"a\"`",
        ),
        (
            tells().when("share", WireTest::at_most("NaN")),
            "compares numbers",
        ),
    ] {
        let error = data::add_wire(&mut manager, wire).expect_err("it does not fit");
        assert!(error.to_string().contains(expected), "{error}");
    }
    data::add_wire(&mut manager, tells().fill("from", "from")).expect("it fits");
    let (tell, told) = std::sync::mpsc::channel();
    manager.subscribe(Filter::of::<Shown>(), move |shown: &Shown, _| {
        tell.send(shown.from).expect("it is listened to");
    });
    for from in [None, Some(7)] {
        manager
            .send(id, Shot { from, ..shot() })
            .expect("it is alive");
    }
    manager.tick(SECOND);
    assert!(told.try_iter().eq([None, Some(7)]));
}

// holds: wires.fill, wires.pass-on, wires.impossible-refused
#[test]
fn a_wire_in_code_takes_fields_of_the_received_message() {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Tally::default(),));
    let fill = |field: &str, from: &str| {
        let wire = Wire::on::<Trigger>(id).send(id, Heal(0));
        wire.fill(field, from)
    };
    for (wire, expected) in [
        (fill("0", "amuont"), "`Trigger` has no field `amuont`"),
        (fill("1", "amount"), "`Heal` has no field `1`"),
        (
            fill("0", "note"),
            "`Heal.0` is `u32`, but `Trigger.note` is `str`",
        ),
        (
            Wire::on::<Trigger>(id).pass_on("x").fill("0", "amount"),
            "can only fill fields of its own message: expected `send`",
        ),
        (
            fill("0", "amount").when("amount", WireTest::is("(")),
            "expected",
        ),
        (
            Wire::on::<Trigger>(id),
            "expected `send`, `pass_on` or `cancel`",
        ),
    ] {
        let error = data::add_wire(&mut manager, wire).expect_err("it does not fit");
        assert!(error.to_string().contains(expected), "{error}");
    }
    data::add_wire(&mut manager, fill("0", "amount")).expect("it fits");
    let not_too_many = fill("0", "amount").when("amount", WireTest::at_most("100"));
    data::add_wire(&mut manager, not_too_many.header(|it| it.after(SECOND))).expect("it fits");
    for amount in [3, 101] {
        let note = String::new();
        manager
            .send(id, Trigger { amount, note })
            .expect("it is alive");
    }
    manager.tick(Duration::ZERO);
    assert_eq!(tally(&manager, id).healed, 104);
    manager.tick(SECOND);
    assert_eq!(tally(&manager, id).healed, 107);
}
