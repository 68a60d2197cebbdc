//! The answers to "why did this happen?" and "why did nothing happen?".

use std::time::Duration;

use message_core::prelude::*;
use message_inspector::Inspector;
use serde_json::{Value, json};

use crate::client::{Client, Tested, while_running};
use crate::views::{Asking, list, run, run_with};
use crate::world::{Cry, Damage, EMPTY, Ears, Health, frame, world};

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
            let _ = manager.send(Up(gate), Damage { amount: 1 });
        }
        frame(manager);
    };
    while_running(&mut manager, &mut inspector, sending, |client: Client| {
        let asking = Asking(client);
        let all = |it: &Value| list(&it["sends"]).len() == 3;
        let told = asking.until("unhandled", all)?;
        let [gate, group, family] = list(&told["sends"]) else {
            return Err(format!("three: {told}"));
        };
        assert_eq!(family["to"], json!(["gate and its ancestors"]));
        assert_eq!((&gate["count"], &gate["to"]), (&json!(4), &json!(["gate"])));
        let why = group["why"].as_str().unwrap_or_default();
        assert!(
            why.ends_with("EMPTY` handles `Damage`; `Health` would"),
            "{why}"
        );
        for row in [gate, group, family] {
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

#[test]
fn a_subscriber_is_named_by_its_owner_in_the_cause_the_timeline_and_the_flow() -> Tested {
    let mut manager = world()?;
    let gate = manager.find("gate").next().ok_or("it is there")?;
    let goblin = manager.find("goblin 1").next().ok_or("it is there")?;
    manager.subscribe_for(gate, Filter::of::<Damage>(), |_, _| {})?;
    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    let sending = |manager: &mut MessageManager| {
        let _ = manager.send(goblin, Damage { amount: 0 });
        frame(manager);
    };
    while_running(&mut manager, &mut inspector, sending, |client: Client| {
        let asking = Asking(client);
        let heard = |it: &Value| {
            let to = it["to"].as_str().unwrap_or_default();
            it["short"] == "Damage" && to.starts_with("subscription ") && to.ends_with("\"gate\"")
        };
        let timeline = asking.until("timeline", |it| deliveries(it).any(heard))?;
        let cell = deliveries(&timeline).find(|it| heard(it));
        let cell = cell.ok_or("it is there")?;
        let lane = cell["lane"]
            .as_u64()
            .and_then(|it| usize::try_from(it).ok());
        let lane = &timeline["lanes"][lane.unwrap_or(usize::MAX)];
        assert_eq!(
            (&lane["label"], &lane["id"]),
            (&json!("gate"), &json!("0v0"))
        );
        let cause = asking.get(&format!("cause/{}", cell["id"]))?;
        let called = list(&cause["chain"]).last().ok_or("it is there")?;
        assert_eq!(
            (&called["receiver_name"], &called["receiver_id"]),
            (&json!("gate"), &json!("0v0"))
        );
        let flow = asking.get("flow?by=messagee")?;
        let is_it = |it: &Value| it["to"] == "messagee 0v0" && it["short"] == "Damage";
        assert!(list(&flow["edges"]).iter().any(is_it), "{flow}");
        let received = asking.get("messagees/0v0")?["received"].clone();
        assert!(
            list(&received)
                .iter()
                .any(|it| it["message"] == Damage::NAME)
        );
        Ok(())
    })
}

#[test]
fn the_types_that_send_to_each_other_are_a_file_that_stays_the_same() -> Tested {
    let send = |manager: &mut MessageManager| {
        if let Some(to) = manager.find("goblin 1").next() {
            let _ = manager.send(to, Damage { amount: 0 });
        }
        frame(manager);
    };
    run_with(send, |asking| {
        let file = |form: &str| {
            let answer = asking.0.get(&format!("/api/v1/worlds/0/flow/{form}"));
            answer.map_err(|error| error.to_string())
        };
        let names = [
            std::any::type_name::<Health>(),
            std::any::type_name::<Ears>(),
        ];
        let [health, ears] = names;
        let hurt = format!("outside -> {} -> {health}\n", Damage::NAME);
        let cried = format!("{health} -> {} -> {ears}\n", Cry::NAME);
        asking.until("flow", |it| list(&it["edges"]).len() >= 3)?;
        let text = file("text")?;
        assert!(
            text.head.contains("filename=\"world-0.flow.txt\""),
            "{text:?}"
        );
        assert!(
            text.body.contains(&hurt) && text.body.contains(&cried),
            "{text:?}"
        );
        let mut lines: Vec<_> = text.body.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, text.body.lines().collect::<Vec<_>>());
        asking.until("now", |it| it["frame"].as_u64() > Some(50))?;
        assert_eq!(file("text")?.body, text.body, "without counts");
        let mermaid = file("mermaid")?;
        assert!(
            mermaid.head.contains("filename=\"world-0.flow.mmd\""),
            "{mermaid:?}"
        );
        assert!(mermaid.body.starts_with("flowchart LR\n"), "{mermaid:?}");
        assert_eq!(file("svg")?.status, 404);
        Ok(())
    })
}

#[test]
fn a_search_of_the_timeline_looks_through_all_that_is_kept() -> Tested {
    let cry = |manager: &mut MessageManager| {
        let _ = manager.send(Everyone, Cry);
        manager.tick(Duration::from_millis(16));
    };
    run_with(cry, |asking| {
        asking.until("now", |now| now["sampling"]["complete"] == true)?;
        asking.console("send \"goblin 1\" Damage(amount: 3)")?;
        let is_hurt = |it: &Value| it["handler"] == "hurt";
        asking.until("timeline?search=hurt", |it| deliveries(it).any(is_hurt))?;
        // It is in none of the last frames any more, but it is kept.
        asking.until("timeline?frames=5", |it| {
            list(&it["frames"]).len() == 5 && !deliveries(it).any(is_hurt)
        })?;
        let found = asking.get("timeline?frames=5&search=hurt+GOBLIN")?;
        let found: Vec<_> = deliveries(&found).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(is_hurt(found[0]));
        let others = asking.get("timeline?frames=5&search=-goblin")?;
        assert_eq!(list(&others["frames"]).len(), 5);
        assert!(!deliveries(&others).any(is_hurt));
        assert_eq!(asking.get("timeline?search=xyzzy")?["frames"], json!([]));
        Ok(())
    })
}
