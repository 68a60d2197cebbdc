//! The data that each view of the page gets.

use std::thread::sleep;
use std::time::Duration;

use message_core::prelude::*;
use message_core::trace::SentElsewhere;
use message_inspector::Inspector;
use message_trace::Recorder;
use serde_json::{Value, json};

use crate::client::{Client, Tested, until, while_running};
use crate::world::{Cry, Damage, Ears, Fail, Secret, Unheard, frame, world};

const WORLD: &str = "/api/v1/worlds/0";

pub struct Asking(pub Client);

impl Asking {
    pub fn get(&self, what: &str) -> Result<Value, String> {
        let answer = self.0.get(&format!("{WORLD}/{what}"));
        let answer = answer.map_err(|error| error.to_string())?;
        match answer.status {
            200 => Ok(answer.json()),
            _ => Err(format!("{what}: {answer:?}")),
        }
    }

    pub fn post(&self, what: &str, body: &Value) -> Result<Value, String> {
        let answer = self.0.post(&format!("{WORLD}/{what}"), &body.to_string());
        let answer = answer.map_err(|error| error.to_string())?;
        match answer.status {
            200 => Ok(answer.json()),
            _ => Err(format!("{what}: {answer:?}")),
        }
    }

    /// Polls until the answer matches, with pauses, and gives up at some point.
    pub fn until(&self, what: &str, fits: impl Fn(&Value) -> bool) -> Result<Value, String> {
        until(|| self.get(what), fits)
    }

    pub fn console(&self, line: &str) -> Result<Value, String> {
        self.post("console", &json!({ "line": line }))
    }
}

pub fn run(test: impl FnOnce(Asking) -> Result<(), String> + Send) -> Tested {
    run_with(frame, test)
}

pub fn run_with(
    frame: impl FnMut(&mut MessageManager),
    test: impl FnOnce(Asking) -> Result<(), String> + Send,
) -> Tested {
    let mut manager = world()?;
    let builder = Inspector::builder().writable(true);
    let builder = builder.hide::<Secret>().show::<Ears>();
    let mut inspector = builder.serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    while_running(&mut manager, &mut inspector, frame, |client| {
        test(Asking(client))
    })
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn hello_tells_the_version_and_the_worlds() -> Tested {
    run(|asking| {
        let hello = asking
            .0
            .get("/api/v1/hello")
            .map_err(|error| error.to_string())?
            .json();
        assert_eq!(hello["version"], 1);
        assert_eq!(hello["writable"], true);
        assert_eq!(
            hello["worlds"],
            json!([{ "id": 0, "name": "world", "attached": true, "replay": false }])
        );
        Ok(())
    })
}

#[test]
fn now_tells_the_clock_and_counts_deliveries_by_type() -> Tested {
    let mut goblin = None;
    let send = |manager: &mut MessageManager| {
        let to = *goblin.get_or_insert_with(|| manager.find("goblin 1").next());
        if let Some(to) = to {
            let _ = manager.send(to, Damage { amount: 1 });
        }
        frame(manager);
    };
    run_with(send, |asking| {
        let now = asking.until("now", |now| list(&now["messages"]).len() >= 2)?;
        assert_eq!(now["messagees"], 3);
        assert_eq!(now["pending"], 1);
        assert_eq!(now["sampling"]["complete"], true);
        let damage = list(&now["messages"])
            .iter()
            .find(|it| it["short"] == "Damage");
        assert!(
            damage.is_some_and(|it| it["total"].as_u64() > Some(0)),
            "{now}"
        );
        Ok(())
    })
}

#[test]
fn the_tree_and_the_search_find_messagees() -> Tested {
    run(|asking| {
        let roots = asking.get("messagees")?;
        assert_eq!(roots["total"], 3);
        let [gate] = list(&roots["rows"]) else {
            return Err(format!("one root: {roots}"));
        };
        assert_eq!(
            (&gate["name"], &gate["children"]),
            (&json!("gate"), &json!(2))
        );
        assert!(
            gate["mnemonics"][0]
                .as_str()
                .is_some_and(|it| it.ends_with("GATE"))
        );
        let id = gate["id"].as_str().unwrap_or_default();
        let children = asking.get(&format!("messagees?parent={id}"))?;
        assert_eq!(list(&children["rows"]).len(), 2);
        let first = asking.get(&format!("messagees?parent={id}&limit=1"))?;
        let next = first["next"].as_str().unwrap_or_default();
        let second = asking.get(&format!("messagees?parent={id}&limit=1&after={next}"))?;
        assert_eq!(second["rows"][0]["name"], "goblin 2");
        assert_eq!(second["next"], Value::Null);
        for (search, found) in [
            ("goblin*", 2),
            ("goblin", 2),
            ("Health", 2),
            ("GATE", 1),
            ("goblins", 2),
            ("nobody", 0),
            (id, 1),
        ] {
            let rows = asking.get(&format!("messagees?search={search}"))?;
            assert_eq!(list(&rows["rows"]).len(), found, "{search}");
        }
        Ok(())
    })
}

#[test]
fn a_messagee_shows_what_its_types_allow() -> Tested {
    run(|asking| {
        asking.console("send \"goblin 1\" Damage(amount: 2)")?;
        let found = asking.get("messagees?search=goblin%201")?;
        let id = found["rows"][0]["id"].as_str().unwrap_or_default();
        let fits = |it: &Value| !list(&it["sent"]).is_empty() && !list(&it["received"]).is_empty();
        let goblin = asking.until(&format!("messagees/{id}"), fits)?;
        let health = &goblin["components"][0];
        assert_eq!(health["form"], "data");
        assert_eq!(health["value"], "Health(hp: 7)");
        assert_eq!(goblin["path"][0]["name"], "gate");
        let gate = asking.get("messagees")?;
        let id = gate["rows"][0]["id"].as_str().unwrap_or_default();
        let gate = asking.get(&format!("messagees/{id}"))?;
        let [ears, secret] = list(&gate["components"]) else {
            return Err(format!("two components: {gate}"));
        };
        assert_eq!(
            (&ears["form"], &ears["value"]),
            (&json!("debug"), &json!("Ears { heard: 1 }"))
        );
        assert_eq!(
            (&secret["value"], &secret["why"]),
            (&Value::Null, &json!("hidden"))
        );
        assert!(!gate.to_string().contains("xyzzy"), "{gate}");
        assert_eq!(list(&gate["pending"]).len(), 1);
        Ok(())
    })
}

#[test]
fn a_message_from_the_console_is_in_the_timeline_and_its_cause_is_told() -> Tested {
    run(|asking| {
        // Look first, so that events are recorded.
        asking.until("now", |now| now["sampling"]["complete"] == true)?;
        let said = asking.console("send goblin* Damage(amount: 3)")?;
        assert_eq!(said["ok"], true, "{said}");
        let sent = list(&said["sent"]);
        assert_eq!(sent.len(), 2);
        assert_eq!(sent[0]["receipt"]["received"], 1);
        let trace = sent[0]["trace"].as_u64().ok_or("it is traced")?;
        let has_cry = |it: &Value| it.to_string().contains("Cry");
        let timeline = asking.until("timeline", has_cry)?;
        let frames = list(&timeline["frames"]);
        let deliveries = frames.iter().flat_map(|frame| list(&frame["deliveries"]));
        let deliveries: Vec<&Value> = deliveries.collect();
        let cry = deliveries
            .iter()
            .find(|it| it["short"] == "Cry")
            .ok_or("it is there")?;
        let damage = deliveries
            .iter()
            .find(|it| it["send"] == trace)
            .ok_or("it is there")?;
        assert_eq!(damage["handler"], "hurt");
        assert_eq!(cry["cause"], damage["id"]);
        let cause = asking.get(&format!("cause/{}", cry["id"]))?;
        let chain: Vec<_> = list(&cause["chain"])
            .iter()
            .map(|it| it["event"].clone())
            .collect();
        assert_eq!(chain, ["sent", "called", "sent", "called"]);
        assert_eq!(cause["chain"][0]["send"], trace);
        let place = cause["chain"][2]["place"].as_str().unwrap_or_default();
        assert!(place.contains("tests/server/world.rs:"), "{place}");
        let led = asking.get(&format!("cause/{trace}"))?;
        let depths: Vec<_> = list(&led["led_to"])
            .iter()
            .map(|it| it["depth"].as_u64())
            .collect();
        assert!(depths.starts_with(&[Some(1), Some(2), Some(3)]), "{led}");
        let flow = asking.get("flow")?;
        let edge = list(&flow["edges"]).iter().find(|it| it["short"] == "Cry");
        let edge = edge.ok_or("it is there")?;
        assert!(
            edge["from"]
                .as_str()
                .is_some_and(|it| it.ends_with("Health")),
            "{edge}"
        );
        let flow = asking.get("flow?by=messagee")?;
        assert!(
            list(&flow["nodes"]).iter().any(|it| it["label"] == "gate"),
            "{flow}"
        );
        Ok(())
    })
}

#[test]
fn a_line_that_cannot_be_read_sends_nothing_and_says_why() -> Tested {
    run(|asking| {
        for (line, why) in [
            ("", "missing"),
            ("dance", "there is no command `dance`"),
            ("send", "missing"),
            (
                "send ogre Damage(amount: 1)",
                "no messagee is called `ogre`",
            ),
            ("send #99v1 Damage(amount: 1)", "no messagee 99v1"),
            ("send @OGRE Damage(amount: 1)", "no mnemonic"),
            ("send %OGRES Damage(amount: 1)", "no group"),
            ("send gate Damage(amunt: 1)", "amunt"),
            ("post gate soon Damage(amount: 1)", "number of seconds"),
        ] {
            let said = asking.console(line)?;
            assert_eq!(said["ok"], false, "{line}: {said}");
            let text = said["text"].as_str().unwrap_or_default();
            assert!(text.contains(why), "{line}: {text}");
        }
        for line in [
            "send @GATE Damage(amount: 1)",
            "send %GOBLINS Damage(amount: 1)",
            "help",
        ] {
            assert_eq!(asking.console(line)?["ok"], true, "{line}");
        }
        Ok(())
    })
}

#[test]
fn the_console_completes_commands_names_messages_and_fields() -> Tested {
    run(|asking| {
        for (line, begin, word) in [
            ("se", 0, "send"),
            ("send go", 5, "\"goblin 1\""),
            ("send @GA", 5, "@GATE"),
            ("send %", 5, "%GOBLINS"),
            ("send gate Da", 10, "Damage"),
            ("send gate Damage(", 17, "amount: "),
        ] {
            let line = line.replace('%', "%25").replace(' ', "%20");
            let told = asking.get(&format!("console/complete?line={line}"))?;
            assert_eq!(told["begin"], begin, "{line}: {told}");
            let words = list(&told["words"]);
            assert!(words.iter().any(|it| it["word"] == word), "{line}: {told}");
        }
        Ok(())
    })
}

#[test]
fn what_is_pending_can_be_cancelled_and_delivered_now() -> Tested {
    run(|asking| {
        for _ in 0..2 {
            let said = asking.console("post \"goblin 1\" 500 Damage(amount: 4)")?;
            assert!(said["sent"][0]["post"].is_u64(), "{said}");
        }
        let later = asking.get("later")?;
        assert_eq!(later["total"], 3);
        let posts = list(&later["posts"]);
        assert_eq!(
            posts[2]["key"].as_str().map(|it| it.starts_with("cry")),
            Some(true)
        );
        assert_eq!(posts[0]["contents"], "Damage { amount: 4 }");
        assert_eq!(posts[0]["due"]["kind"], "time");
        let repeats = |post: &Value| (post["period"].clone(), post["deliveries"].clone());
        assert_eq!(repeats(&posts[0]), (Value::Null, json!(1)));
        assert_eq!(repeats(&posts[2]), (json!("90s"), Value::Null));
        let search = asking.get("later?search=cry")?;
        assert_eq!(
            (list(&search["posts"]).len(), &search["total"]),
            (1, &json!(3))
        );
        assert_eq!(
            (&search["left_out"], &search["cut"]),
            (&json!(0), &json!(false))
        );
        let some = asking.get("later?limit=1")?;
        assert_eq!(
            (list(&some["posts"]).len(), &some["left_out"]),
            (1, &json!(2))
        );
        assert_eq!(some["posts"][0]["post"], posts[0]["post"]);
        let (first, second) = (&posts[0]["post"], &posts[1]["post"]);
        asking.post(&format!("later/{first}/cancel"), &json!({}))?;
        assert!(
            asking
                .post(&format!("later/{first}/cancel"), &json!({}))
                .is_err()
        );
        asking.post(&format!("later/{second}/deliver"), &json!({}))?;
        asking.until("later", |it| it["total"] == 1)?;
        let found = asking.get("messagees?search=goblin%201")?;
        let id = found["rows"][0]["id"].as_str().unwrap_or_default();
        let is_hurt = |it: &Value| it["components"][0]["value"] == "Health(hp: 5)";
        asking.until(&format!("messagees/{id}"), is_hurt)?;
        Ok(())
    })
}

#[test]
fn the_clock_is_paused_stepped_and_scaled() -> Tested {
    run(|asking| {
        let paused = asking.post("clock", &json!({ "paused": true }))?;
        assert_eq!(paused["paused"], true);
        let time = asking.until("now", |now| now["paused"] == true)?["time"].clone();
        let later = asking.until("now", |now| now["frame"].as_u64() > Some(3))?;
        assert_eq!(later["time"], time);
        asking.post("clock", &json!({ "step": 2 }))?;
        let stepped = asking.until("now", |now| now["paused"] == true && now["time"] != time)?;
        let elapsed = stepped["time"].as_f64().unwrap_or(0.0) - time.as_f64().unwrap_or(0.0);
        assert!((elapsed - 0.032).abs() < 1e-6, "{elapsed}");
        asking.post("clock", &json!({ "scale": 0.5, "paused": false }))?;
        asking.until("now", |now| now["scale"] == 0.5 && now["paused"] == false)?;
        assert!(asking.post("clock", &json!({ "step": 1_001 })).is_err());
        Ok(())
    })
}

// holds: net.causes
#[test]
fn the_cause_of_a_message_from_another_node_is_its_line_there() -> Tested {
    let arrive = |manager: &mut MessageManager| {
        if let Some(to) = manager.find("goblin 1").next() {
            let of = SentElsewhere {
                manager: "zone-3".into(),
                send: 7,
                place: "src/zone.rs:12:9".into(),
                context: None,
            };
            let damage = Damage { amount: 1 };
            let cause = manager.trace_arrival(&damage, Sender::Outside, to, of);
            let _ = manager.with_cause(cause, |manager| manager.send(to, damage));
        }
        frame(manager);
    };
    run_with(arrive, |asking| {
        let has_cause = |it: &Value| it["short"] == "Damage" && it["cause"].is_u64();
        let deliveries = |timeline: &Value| -> Vec<Value> {
            let frames = list(&timeline["frames"]).iter();
            let all = frames.flat_map(|frame| list(&frame["deliveries"]));
            all.filter(|it| has_cause(it)).cloned().collect()
        };
        let timeline = asking.until("timeline", |it| !deliveries(it).is_empty())?;
        let deliveries = deliveries(&timeline);
        let last = deliveries.last().ok_or("it is there")?;
        let cause = asking.get(&format!("cause/{}", last["id"]))?;
        let chain = list(&cause["chain"]);
        let kinds: Vec<&Value> = chain.iter().map(|it| &it["event"]).collect();
        assert_eq!(kinds, ["arrived", "sent", "called"], "{cause}");
        let told = ["from", "from_send", "place"].map(|field| chain[0][field].clone());
        assert_eq!(told, [json!("zone-3"), json!(7), json!("src/zone.rs:12:9")]);
        // From there, it leads to the delivery.
        let led = asking.get(&format!("cause/{}", chain[0]["send"]))?;
        let led = list(&led["led_to"]).iter().take(2);
        assert!(
            led.map(|it| &it["event"]["event"]).eq(["sent", "called"]),
            "{cause}"
        );
        Ok(())
    })
}

#[test]
fn failures_and_dead_letters_are_grouped_with_their_place() -> Tested {
    let mut count = 0;
    let send = |manager: &mut MessageManager| {
        if let Some(to) = manager.find("goblin 1").next()
            && count < 10_000
        {
            count += 1;
            let _ = manager.send(to, Fail);
            let _ = manager.post(Header::to(to).stage(Stage::Update).require(1), Unheard);
        }
        frame(manager);
    };
    run_with(send, |asking| {
        let both = |it: &Value| !list(&it["failed"]).is_empty() && !list(&it["dead"]).is_empty();
        let letters = asking.until("letters", both)?;
        let failed = &letters["failed"][0];
        assert_eq!(failed["why"], "it failed on purpose");
        for place in ["sent_at", "handled_at"] {
            let place = failed[place].as_str().unwrap_or_default();
            assert!(place.contains("tests/server/"), "{failed}");
        }
        assert_eq!(letters["dead"][0]["short"], "Unheard");
        let last = failed["last"].as_u64().ok_or("it has a number")?;
        assert!(asking.get(&format!("cause/{last}")).is_ok());
        Ok(())
    })
}

#[test]
fn the_startup_report_and_the_types_are_told() -> Tested {
    run(|asking| {
        let report = asking.get("startup")?;
        let has = |list: &Value, field: &str, end: &str| {
            let mut all = list.as_array().into_iter().flatten();
            all.any(|it| it[field].as_str().is_some_and(|it| it.ends_with(end)))
        };
        assert!(has(&report["unhandled"], "message", "Unheard"), "{report}");
        assert!(has(&report["unbound"], "mnemonic", "NOBODY"), "{report}");
        assert!(!has(&report["unbound"], "mnemonic", "GATE"), "{report}");
        assert!(has(&report["empty_groups"], "group", "EMPTY"), "{report}");
        let types = asking.get("types")?;
        let damage = list(&types["messages"])
            .iter()
            .find(|it| it["short"] == "Damage");
        let damage = damage.ok_or("it is there")?;
        assert_eq!(
            (&damage["data"], &damage["fields"]),
            (&json!(true), &json!(["amount"]))
        );
        assert_eq!(damage["handlers"][0]["handler"], "hurt");
        assert!(has(&types["components"], "component", "Ears"));
        Ok(())
    })
}

#[test]
fn the_stream_tells_frames_events_and_what_the_console_did() -> Tested {
    run(|asking| {
        let wrong = |error: std::io::Error| error.to_string();
        let mut events = asking
            .0
            .events(&format!("{WORLD}/events?trace=1"))
            .map_err(wrong)?;
        let complete = |now: &Value| now["sampling"]["complete"] == true;
        events.until("now", complete).map_err(wrong)?;
        asking.console("send gate Damage(amount: 3)")?;
        let said = events.until("console", |_| true).map_err(wrong)?;
        assert_eq!(said["line"], "send gate Damage(amount: 3)");
        asking.console("send goblin* Damage(amount: 3)")?;
        let traced = |it: &Value| it.to_string().contains("amount: 3");
        let traced = events.until("trace", traced).map_err(wrong)?;
        assert!(
            list(&traced["events"])
                .iter()
                .any(|it| it["event"] == "sent")
        );
        Ok(())
    })
}

#[test]
fn while_nobody_looks_nothing_is_recorded_and_a_program_keeps_its_own_recorder() -> Tested {
    let mut manager = world()?;
    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    for _ in 0..10 {
        frame(&mut manager);
        inspector.update(&mut manager);
    }
    assert!(Recorder::of(&manager).is_none());
    Recorder::new(77).start(&mut manager);
    manager.send(Everyone, Unheard)?;
    while_running(&mut manager, &mut inspector, frame, |client| {
        let asking = Asking(client);
        let now = asking.until("now", |now| now["sampling"]["foreign"] == true)?;
        assert_eq!(now["sampling"]["complete"], true);
        asking.until("timeline", |it| it.to_string().contains("Unheard"))?;
        Ok(())
    })?;
    inspector.detach(&mut manager);
    assert_eq!(
        Recorder::stop(&mut manager).map(|it| it.capacity()),
        Some(77)
    );
    Ok(())
}

#[test]
fn of_many_short_frames_the_last_is_told_and_the_server_is_not_flooded() -> Tested {
    let mut manager = world()?;
    for _ in 0..1_000 {
        manager.spawn((Ears { heard: 0 },));
    }
    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    let client = Client::new(&inspector);
    let mut events = client.events(&format!("{WORLD}/events"))?;
    events.until("now", |_| true)?;
    // This exceeds the budget, so that few frames are recorded.
    for _ in 0..2_000 {
        frame(&mut manager);
        manager.send(Everyone, Cry)?;
        inspector.update(&mut manager);
    }
    // The world is paused: one update is enough.
    sleep(Duration::from_millis(20));
    inspector.update(&mut manager);
    let last = manager.clock().frame();
    let now = events.until("now", |now| now["frame"] == last)?;
    assert_eq!(now["sampling"]["complete"], false);
    assert_eq!(now["dropped"]["batches"], 0);
    inspector.detach(&mut manager);
    Ok(())
}
