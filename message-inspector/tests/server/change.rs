//! Components that are changed from the page.

use message_core::prelude::*;
use message_data::{Data, Replay};
use message_inspector::{Builder, Inspector};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::client::{Client, Tested, until, while_running};
use crate::recording::{Barrel, barrel, download};
use crate::world::{Damage, Ears, Health, Secret, frame, world};

#[derive(Data, Serialize, Deserialize)]
#[data(name = "change.Mood", exact)]
enum Mood {
    Calm,
    Angry { since: u32 },
}

#[derive(Data, Serialize, Deserialize)]
#[data(name = "change.Book", exact)]
struct Book {
    lines: Vec<String>,
    pages: u32,
}

/// A page of the messagee that is called so.
struct Page<'c> {
    client: &'c Client,
    id: String,
}

impl<'c> Page<'c> {
    fn of(client: &'c Client, name: &str) -> Result<Self, String> {
        let search = name.replace(' ', "%20");
        let rows = get(client, &format!("messagees?search={search}"))?;
        let id = rows["rows"][0]["id"].as_str().ok_or("nobody")?.to_owned();
        Ok(Self { client, id })
    }

    /// Returns a component by its place.
    fn component(&self, at: usize) -> Result<Value, String> {
        Ok(get(self.client, &format!("messagees/{}", self.id))?["components"][at].clone())
    }

    fn post(&self, body: &Value) -> Result<(u16, Value), String> {
        let path = format!("/api/v1/worlds/0/messagees/{}/change", self.id);
        let answer = self.client.post(&path, &body.to_string());
        let answer = answer.map_err(|error| error.to_string())?;
        Ok((answer.status, answer.json()))
    }

    fn change(&self, at: usize, field: &str, value: &str) -> Result<(u16, Value), String> {
        let hook = &self.component(at)?["hook"];
        self.post(&json!({ "hook": hook, "field": field, "value": value }))
    }
}

fn get(client: &Client, what: &str) -> Result<Value, String> {
    let answer = client.get(&format!("/api/v1/worlds/0/{what}"));
    Ok(answer.map_err(|error| error.to_string())?.json())
}

fn run(
    builder: Builder,
    manager: &mut MessageManager,
    test: impl FnOnce(&Client) -> Result<(), String> + Send,
) -> Tested {
    let mut inspector = builder.serve("127.0.0.1:0")?;
    inspector.attach(manager, "world");
    while_running(manager, &mut inspector, frame, |client| test(&client))?;
    inspector.detach(manager);
    Ok(())
}

#[test]
fn a_field_is_changed_and_an_error_has_its_place() -> Tested {
    let mut manager = world()?;
    run(
        Inspector::builder().writable(true),
        &mut manager,
        |client| {
            let goblin = Page::of(client, "goblin 1")?;
            let values = json!([{ "field": "hp", "value": "9" }]);
            assert_eq!(goblin.component(0)?["values"], values);
            let good = json!({ "ok": true, "text": null, "line": null, "column": null });
            assert_eq!(goblin.change(0, "hp", "7")?, (200, good.clone()));
            assert_eq!(goblin.component(0)?["value"], "Health(hp: 7)");
            assert_eq!(goblin.change(0, "", "Health(hp: 6)")?, (200, good));
            for (field, value, line, column, text) in [
                ("hp", "\n much", 2, 2, "expected an integer, found `much`"),
                ("hp", "3, mp: 4", 1, 2, ""),
                ("mp", "3", 1, 1, "`Health` has no field `mp`; it has `hp`"),
                (
                    "",
                    "Health(\nmp: 3)",
                    2,
                    1,
                    "`Health` has no field `mp`; it has `hp`",
                ),
            ] {
                let (status, told) = goblin.change(0, field, value)?;
                assert_eq!((status, &told["ok"]), (200, &false.into()), "{told}");
                let place = (&told["line"], &told["column"]);
                assert_eq!(place, (&line.into(), &column.into()), "{told}");
                let why = told["text"].as_str().unwrap_or_default();
                assert!(why.starts_with(text), "{told}");
            }
            assert_eq!(goblin.component(0)?["value"], "Health(hp: 6)");
            Ok(())
        },
    )?;
    let goblin = manager.find("goblin 1").next().ok_or("it is alive")?;
    manager.send(goblin, Damage { amount: 1 })?;
    assert_eq!(manager.get::<Health>(goblin)?.hp, 5);
    Ok(())
}

#[test]
fn an_enum_is_changed_as_a_whole_and_what_is_long_is_not_listed() -> Tested {
    let mut manager = world()?;
    let lines = vec!["a line of the book".to_owned(); 1_000];
    manager.spawn_named("reader", (Mood::Calm, Book { lines, pages: 3 }));
    run(
        Inspector::builder().writable(true),
        &mut manager,
        |client| {
            let reader = Page::of(client, "reader")?;
            assert_eq!(reader.component(0)?["values"], json!([]));
            let (_, told) = reader.change(0, "", "Mood(Angry(since: 3))")?;
            assert_eq!(told["ok"], true, "{told}");
            assert_eq!(reader.component(0)?["value"], "Mood(Angry(since: 3))");
            let values =
                json!([{ "field": "lines", "value": null }, { "field": "pages", "value": "3" }]);
            assert_eq!(reader.component(1)?["values"], values);
            assert_eq!(reader.change(1, "pages", "4")?.1["ok"], true);
            Ok(())
        },
    )?;
    let reader = manager.find("reader").next().ok_or("it is alive")?;
    let book = manager.get::<Book>(reader)?;
    assert_eq!((book.lines.len(), book.pages), (1_000, 4));
    Ok(())
}

#[test]
fn a_change_is_an_input_of_the_log() -> Tested {
    let mut manager = barrel()?;
    let builder = Inspector::builder().writable(true);
    run(builder, &mut manager, |client| {
        let page = Page::of(client, "barrel")?;
        // Ten litres fall at a time.
        assert_eq!(page.change(0, "litres", "7")?.1["ok"], true);
        // The log has it when the next input begins.
        let recorded = || get(client, "recording");
        let at = recorded()?["to"].as_u64();
        until(recorded, |told| told["to"].as_u64() > at)?;
        let log = download(client).map_err(|error| error.to_string())?;
        let replayed = Replay::of_bytes(log).run();
        let manager = replayed.map_err(|error| error.to_string())?.manager;
        let litres: Vec<_> = manager
            .iter::<Barrel>()
            .map(|(_, it)| it.litres % 10)
            .collect();
        assert_eq!(litres, [7]);
        Ok(())
    })
}

#[test]
fn a_change_is_refused_where_the_page_may_not_see_or_write() -> Tested {
    let mut manager = world()?;
    let builder = Inspector::builder().writable(true);
    let builder = builder.hide::<Secret>().show::<Ears>();
    run(builder, &mut manager, |client| {
        let gate = Page::of(client, "gate")?;
        let hidden = gate.change(1, "word", "\"plugh\"")?;
        assert_eq!((hidden.0, &hidden.1["code"]), (403, &"hidden".into()));
        let hidden = gate.change(1, "", "Secret(")?;
        assert_eq!(hidden.0, 403, "the text is not even read");
        assert_eq!(gate.component(1)?["values"], json!([]));
        let told = gate.change(0, "heard", "3")?.1;
        assert_eq!(told["ok"], false, "it has no data: {told}");
        for (body, status) in [
            (json!({ "hook": "99v0", "field": "hp", "value": "3" }), 404),
            (json!({ "field": "hp", "value": "3" }), 400),
            (json!({ "hook": "0v0", "field": "hp" }), 400),
        ] {
            assert_eq!(gate.post(&body)?.0, status, "{body}");
        }
        let nobody = Page {
            client,
            id: "99v0".to_owned(),
        };
        assert_eq!(nobody.change(0, "hp", "3")?.0, 400);
        let goblin = Page::of(client, "goblin 1")?;
        // The component of another messagee.
        let hook = &goblin.component(0)?["hook"];
        assert_eq!(
            gate.post(&json!({ "hook": hook, "field": "hp", "value": "3" }))?
                .0,
            404
        );
        Ok(())
    })?;
    run(Inspector::builder(), &mut manager, |client| {
        let goblin = Page::of(client, "goblin 1")?;
        let (status, told) = goblin.change(0, "hp", "3")?;
        assert_eq!((status, &told["code"]), (403, &"read-only".into()));
        assert_eq!(goblin.component(0)?["value"], "Health(hp: 9)");
        Ok(())
    })?;
    Ok(())
}
