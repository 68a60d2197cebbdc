//! Messagees that are gone.

use std::collections::VecDeque;

use message_core::prelude::*;
use message_inspector::Inspector;
use message_trace::Recorder;
use serde_json::{Value, json};

use crate::client::{Client, Tested, while_running};
use crate::views::{Asking, list};
use crate::world::{Damage, Health, Secret, frame, world};

#[test]
fn a_messagee_that_is_gone_is_found_with_its_last_values_and_its_end() -> Tested {
    let mut manager = world()?;
    let word = "xyzzy".to_owned();
    let orc = manager.spawn_named("orc", (Health { hp: 7 }, Secret { word }));
    let mut inspector = Inspector::builder().hide::<Secret>().serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    let mut frames = 0;
    let dying = |manager: &mut MessageManager| {
        if message_trace::Recorder::of(manager).is_some() {
            frames += 1;
            if frames == 3 {
                let _ = manager.send(orc, Damage { amount: 2 });
            }
            if frames == 6 {
                let _ = manager.despawn(orc);
            }
        }
        frame(manager);
    };
    while_running(&mut manager, &mut inspector, dying, |client: Client| {
        let asking = Asking(client);
        let gone = |it: &Value| !list(&it["gone"]).is_empty();
        let found = asking.until("messagees?search=orc", gone)?;
        assert_eq!(list(&found["rows"]).len(), 0);
        assert_eq!(found["gone"][0]["name"], "orc");
        let id = found["gone"][0]["id"].as_str().unwrap_or_default();
        let orc = asking.get(&format!("messagees/{id}"))?;
        assert_eq!(orc["components"][0]["value"], "Health(hp: 5)");
        let secret = &orc["components"][1];
        assert_eq!(
            (&secret["value"], &secret["why"]),
            (&Value::Null, &json!("hidden"))
        );
        assert!(!orc.to_string().contains("xyzzy"), "{orc}");
        let mut received = list(&orc["received"]).iter();
        let hurt = received.find(|it| it["handler"] == "hurt");
        assert_eq!(hurt.ok_or("it is there")?["receiver_name"], "orc");
        assert!(
            orc["gone"]["frame"].as_u64() > orc["gone"]["read"].as_u64(),
            "{orc}"
        );
        let none = asking.get("messagees?search=goblin")?;
        assert_eq!(list(&none["gone"]).len(), 0);
        Ok(())
    })?;
    inspector.detach(&mut manager);
    Ok(())
}

#[test]
fn a_messagee_that_died_before_anyone_looked_is_listed_if_the_program_recorded_it() -> Tested {
    let mut manager = world()?;
    Recorder::new(1_000).start(&mut manager);
    let orc = manager.spawn_named("orc", (Health { hp: 7 },));
    manager.send(orc, Damage { amount: 7 })?;
    manager.despawn(orc)?;
    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    while_running(&mut manager, &mut inspector, frame, |client: Client| {
        let asking = Asking(client);
        let gone = |it: &Value| !list(&it["gone"]).is_empty();
        let found = asking.until("messagees?search=orc", gone)?;
        assert_eq!(found["gone"][0]["name"], "orc");
        let id = found["gone"][0]["id"].as_str().unwrap_or_default();
        let orc = asking.get(&format!("messagees/{id}"))?;
        assert_eq!(orc["components"], json!([]));
        assert_eq!(orc["received"][0]["handler"], "hurt");
        Ok(())
    })?;
    inspector.detach(&mut manager);
    Ok(())
}

#[test]
fn of_many_that_are_gone_the_last_are_listed() -> Tested {
    let mut manager = world()?;
    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    let (mut count, mut alive) = (0, VecDeque::new());
    let dying = |manager: &mut MessageManager| {
        for _ in 0..20 {
            let name = format!("mayfly {count}");
            count += 1;
            let mayfly = manager.spawn_named(name, (Health { hp: 1 },));
            let _ = manager.send(mayfly, Damage { amount: 1 });
            alive.push_back(mayfly);
        }
        frame(manager);
        while alive.len() > 40
            && let Some(oldest) = alive.pop_front()
        {
            let _ = manager.despawn(oldest);
        }
    };
    while_running(&mut manager, &mut inspector, dying, |client: Client| {
        let asking = Asking(client);
        let many = |it: &Value| {
            list(&it["gone"]).len() == 50 && it["gone"][0]["gone"]["frame"].as_u64() > Some(200)
        };
        let told = asking.until("messagees", many)?;
        let frames: Vec<_> = list(&told["gone"])
            .iter()
            .map(|it| it["gone"]["frame"].as_u64())
            .collect();
        assert!(frames.is_sorted_by(|a, b| a >= b), "{frames:?}");
        Ok(())
    })?;
    inspector.detach(&mut manager);
    Ok(())
}
