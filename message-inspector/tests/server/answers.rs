//! The answers to "why did this happen?" and "why did nothing happen?".

use message_core::prelude::*;
use message_inspector::Inspector;
use serde_json::{Value, json};

use crate::client::{Client, Tested, while_running};
use crate::views::{Asking, list, run, run_with};
use crate::world::{Damage, EMPTY, frame, world};

fn deliveries(timeline: &Value) -> impl Iterator<Item = &Value> {
    let frames = list(&timeline["frames"]).iter();
    frames.flat_map(|frame| list(&frame["deliveries"]))
}

#[test]
fn a_send_that_nobody_handles_has_its_reason_in_the_console_the_timeline_and_the_cause() -> Tested {
    run(|asking| {
        asking.until("now", |now| now["sampling"]["complete"] == true)?;
        let said = asking.console("send gate Damage(amount: 3)")?;
        let reason = "has `Ears` and `Secret`; neither handles `Damage`; `Health` would";
        assert_eq!(said["text"], format!("nobody received it: gate {reason}"));
        let trace = said["sent"][0]["trace"].as_u64().ok_or("it is traced")?;
        let is_it = |it: &&Value| it["id"] == trace;
        let timeline = asking.until("timeline", |it| deliveries(it).any(|it| is_it(&it)))?;
        let cells: Vec<_> = deliveries(&timeline).filter(is_it).collect();
        let [cell] = cells[..] else {
            return Err(format!("one cell: {timeline}"));
        };
        assert_eq!(
            (&cell["unheard"], &cell["bad"]),
            (&json!(true), &json!(true))
        );
        assert_eq!(cell["outcome"], reason);
        let cause = asking.get(&format!("cause/{trace}"))?;
        let mut outcome = list(&cause["outcome"]).iter();
        let unhandled = outcome.find(|it| it["event"] == "unhandled");
        let unhandled = unhandled.ok_or("it is there")?;
        assert_eq!(unhandled["receiver_name"], "gate");
        assert_eq!(unhandled["why"], reason);
        Ok(())
    })
}

#[test]
fn sends_that_nobody_received_are_listed_with_those_before_anybody_looked() -> Tested {
    let mut manager = world()?;
    let gate = manager.find("gate").next().ok_or("it is there")?;
    for _ in 0..3 {
        manager.send(gate, Damage { amount: 1 })?;
    }
    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    let mut sent = false;
    let sending = |manager: &mut MessageManager| {
        if !sent && message_trace::Recorder::of(manager).is_some() {
            sent = true;
            let _ = manager.send(gate, Damage { amount: 1 });
            let _ = manager.send(EMPTY, Damage { amount: 1 });
        }
        frame(manager);
    };
    while_running(&mut manager, &mut inspector, sending, |client: Client| {
        let asking = Asking(client);
        let both = |it: &Value| list(&it["sends"]).len() == 2;
        let told = asking.until("unhandled", both)?;
        let [gate, group] = list(&told["sends"]) else {
            return Err(format!("two: {told}"));
        };
        assert_eq!((&gate["count"], &gate["to"]), (&json!(4), &json!(["gate"])));
        let why = group["why"].as_str().unwrap_or_default();
        assert!(
            why.ends_with("EMPTY` handles `Damage`; `Health` would"),
            "{why}"
        );
        for row in [gate, group] {
            assert!(row["last"].is_u64(), "{row}");
            let place = row["sent_at"].as_str().unwrap_or_default();
            assert!(place.contains("tests/server/answers.rs:"), "{row}");
        }
        Ok(())
    })?;
    inspector.detach(&mut manager);
    Ok(())
}

#[test]
fn a_call_has_the_line_of_its_handler_and_hello_has_the_editor() -> Tested {
    let send = |manager: &mut MessageManager| {
        if let Some(to) = manager.find("goblin 1").next() {
            let _ = manager.send(to, Damage { amount: 0 });
        }
        frame(manager);
    };
    run_with(send, |asking| {
        let hurt = |it: &Value| it["handler"] == "hurt";
        let timeline = asking.until("timeline", |it| deliveries(it).any(hurt))?;
        let hurt = deliveries(&timeline)
            .find(|it| hurt(it))
            .ok_or("it is there")?;
        let cause = asking.get(&format!("cause/{}", hurt["id"]))?;
        let call = list(&cause["chain"]).last().ok_or("it is there")?;
        let place = call["place"].as_str().unwrap_or_default();
        assert!(place.contains("tests/server/world.rs:"), "{call}");
        let hello = asking.0.get("/api/v1/hello").map_err(|it| it.to_string())?;
        let editor = &hello.json()["editor"];
        assert_eq!(editor["link"], "vscode://file/{file}:{line}:{column}");
        let sources = editor["sources"].as_str().unwrap_or_default();
        assert!(std::path::Path::new(sources).join("Cargo.lock").is_file());
        Ok(())
    })
}
