//! A break pauses the world before the next frame.

use std::sync::atomic::{AtomicBool, Ordering};

use message_core::MessageManager;
use message_inspector::Inspector;
use serde_json::{Value, json};

use crate::client::{Client, Tested, while_running};
use crate::recording::barrel;
use crate::world::{frame, world};

const WORLD: &str = "/api/v1/worlds/0";

fn get(client: &Client, what: &str) -> Result<Value, String> {
    let answer = client.get(&format!("{WORLD}/{what}"));
    Ok(answer.map_err(|error| error.to_string())?.json())
}

fn post(client: &Client, what: &str, body: &Value) -> Result<(u16, Value), String> {
    let answer = client.post(&format!("{WORLD}/{what}"), &body.to_string());
    let answer = answer.map_err(|error| error.to_string())?;
    Ok((answer.status, answer.json()))
}

/// Waits until a break is met.
fn met(client: &Client) -> Result<Value, String> {
    for _ in 0..10_000 {
        let told = get(client, "breaks")?;
        if !told["met"].is_null() {
            return Ok(told["met"].clone());
        }
    }
    Err("no break is met".to_owned())
}

/// Returns the litres of the barrel.
fn litres(client: &Client) -> Result<Value, String> {
    let found = get(client, "messagees?search=barrel")?;
    let id = found["rows"][0]["id"]
        .as_str()
        .ok_or("no barrel")?
        .to_owned();
    Ok(get(client, &format!("messagees/{id}"))?["components"][0]["value"].clone())
}

#[test]
fn a_message_that_arrives_pauses_the_world_before_the_next_frame() -> Tested {
    let mut manager = barrel()?;
    let mut inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "rain");
    while_running(&mut manager, &mut inspector, frame, |client| {
        for (messagee, wanted) in [("barrel", true), ("nobody", false)] {
            let rain = json!({ "message": "Rain", "messagee": messagee });
            let (status, told) = post(&client, "break", &rain)?;
            assert_eq!(status, 200, "{told}");
            if !wanted {
                break;
            }
            let event = met(&client)?["event"].clone();
            assert_eq!(
                (&event["event"], &event["receiver_name"]),
                (&"called".into(), &"barrel".into())
            );
            // Nothing more happens in the frame in which it has arrived.
            let at = event["frame"].as_u64().ok_or("no frame")?;
            assert_eq!(litres(&client)?, format!("Barrel(litres: {at})"));
            let now = get(&client, "now")?;
            assert_eq!(
                (&now["paused"], &now["broke"]["event"]),
                (&true.into(), &event)
            );
            // Stepping ends at the next one.
            assert_eq!(post(&client, "clock", &json!({ "step": 500 }))?.0, 200);
            let next = met(&client)?["event"]["frame"].as_u64().ok_or("no frame")?;
            assert!(next > at);
            let clock = post(&client, "clock", &json!({}))?.1;
            assert_eq!(
                (&clock["paused"], &clock["stepping"]),
                (&true.into(), &0.into()),
                "{clock}"
            );
            let id = told["breaks"][0]["break"].as_u64().ok_or("no break")?;
            let (status, told) = post(&client, &format!("breaks/{id}/remove"), &json!({}))?;
            assert_eq!((status, &told["breaks"]), (200, &json!([])));
            assert_eq!(post(&client, "clock", &json!({ "paused": false }))?.0, 200);
        }
        // A break for somebody else is not met.
        let before = litres(&client)?;
        for _ in 0..1_000 {
            if litres(&client)? != before {
                break;
            }
        }
        assert_eq!(get(&client, "breaks")?["met"], Value::Null);
        assert_eq!(get(&client, "now")?["paused"], false);
        Ok(())
    })
}

#[test]
fn a_break_is_met_again_after_the_program_lets_the_world_go_on() -> Tested {
    let mut manager = barrel()?;
    let mut inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "rain");
    let goes_on = AtomicBool::new(false);
    let run = |manager: &mut MessageManager| {
        if goes_on.swap(false, Ordering::AcqRel) {
            manager.set_paused(false);
        }
        frame(manager);
    };
    while_running(&mut manager, &mut inspector, run, |client| {
        assert_eq!(
            post(&client, "break", &json!({ "message": "Rain" }))?.0,
            200
        );
        let first = met(&client)?;
        goes_on.store(true, Ordering::Release);
        for _ in 0..10_000 {
            if met(&client)? != first {
                return Ok(());
            }
        }
        Err("the break is not met again".to_owned())
    })?;
    // Nobody could let it go on any more.
    inspector.detach(&mut manager);
    assert!(!manager.clock().is_paused());
    Ok(())
}

#[test]
fn breaks_are_bounded_and_name_types_that_exist() -> Tested {
    let mut manager = world()?;
    let mut inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    while_running(&mut manager, &mut inspector, frame, |client| {
        let unheard = json!({ "message": "Unheard" });
        for count in 1..=16 {
            let (status, told) = post(&client, "break", &unheard)?;
            assert_eq!(
                (status, told["breaks"].as_array().map(Vec::len)),
                (200, Some(count))
            );
        }
        assert_eq!(post(&client, "break", &unheard)?.0, 429);
        assert_eq!(
            post(&client, "break", &json!({ "message": "Unknown" }))?.0,
            404
        );
        assert_eq!(
            post(&client, "break", &json!({ "message": "x".repeat(301) }))?.0,
            400
        );
        assert_eq!(post(&client, "break", &json!({}))?.0, 400);
        assert_eq!(post(&client, "breaks/99/remove", &json!({}))?.0, 404);
        Ok(())
    })
}
