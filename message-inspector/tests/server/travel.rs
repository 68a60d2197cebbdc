//! Logs that are opened as worlds: any frame, what changed a value, another future, and what is refused.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use message_core::prelude::*;
use message_data::{self as data, Data, FlightRecorder, LogOptions};
use message_inspector::{Builder, Inspector};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::client::{Client, Tested, until};
use crate::recording::{Barrel, Rain, barrel};
use crate::world::{Cry, frame};

type Asked<T> = Result<T, String>;

/// An inspector of a barrel after 300 frames.
struct Rained {
    manager: MessageManager,
    inspector: Inspector,
    client: Client,
}

fn rained(builder: Builder) -> Result<Rained, Box<dyn std::error::Error>> {
    let mut manager = barrel()?;
    let mut inspector = builder.writable(true).serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "rain");
    for _ in 0..300 {
        frame(&mut manager);
        inspector.update(&mut manager);
    }
    let client = Client::new(&inspector);
    Ok(Rained {
        manager,
        inspector,
        client,
    })
}

/// A log that is open.
struct Log<'c> {
    client: &'c Client,
    world: u64,
}

impl<'c> Log<'c> {
    fn opened(client: &'c Client, answer: std::io::Result<crate::client::Answer>) -> Asked<Self> {
        let answer = answer.map_err(|error| error.to_string())?;
        let world = answer.json()["world"].as_u64();
        let world = world.ok_or_else(|| format!("{answer:?}"))?;
        let log = Self { client, world };
        log.arrived()?;
        Ok(log)
    }

    fn of_recording(client: &'c Client) -> Asked<Self> {
        Self::opened(client, client.post("/api/v1/worlds/0/recording/open", "{}"))
    }

    fn path(&self, what: &str) -> String {
        format!("/api/v1/worlds/{}/{what}", self.world)
    }

    fn get(&self, what: &str) -> Asked<Value> {
        let answer = self.client.get(&self.path(what));
        let answer = answer.map_err(|error| error.to_string())?;
        match answer.status {
            200 => Ok(answer.json()),
            _ => Err(format!("{what}: {answer:?}")),
        }
    }

    fn post(&self, what: &str, body: &Value) -> Asked<(u16, Value)> {
        let answer = self.client.post(&self.path(what), &body.to_string());
        let answer = answer.map_err(|error| error.to_string())?;
        Ok((answer.status, answer.json()))
    }

    fn until(&self, what: &str, fits: impl Fn(&Value) -> bool) -> Asked<Value> {
        until(|| self.get(what), fits)
    }

    /// Waits until the replay is where it was sent.
    fn arrived(&self) -> Asked<Value> {
        self.until("travel", |told| told["working"] == false)
    }

    fn go(&self, frame: u64) -> Asked<Value> {
        assert_eq!(self.post("travel/go", &json!({ "frame": frame }))?.0, 200);
        self.arrived()
    }

    /// Returns the value of the barrel.
    fn barrel(&self) -> Asked<Value> {
        let found = self.get("messagees?search=barrel")?;
        let id = found["rows"][0]["id"].as_str().ok_or("no barrel")?;
        let barrel = self.get(&format!("messagees/{id}"))?;
        assert_eq!(barrel["components"][0]["data"], "recording.Barrel");
        assert_eq!(barrel["components"][0]["fields"], json!(["litres"]));
        Ok(barrel["components"][0]["value"].clone())
    }

    fn who(&self, field: &str) -> Asked<Value> {
        let found = self.get("messagees?search=barrel")?;
        let body = json!({ "messagee": found["rows"][0]["id"], "component": "recording.Barrel", "field": field });
        assert_eq!(self.post("travel/who", &body)?.0, 200);
        Ok(self.arrived()?["change"].clone())
    }
}

#[test]
fn a_recording_is_a_world_that_shows_any_frame() -> Tested {
    let Rained {
        manager,
        client,
        inspector,
    } = rained(Inspector::builder())?;
    let log = Log::of_recording(&client)?;
    let told = log.arrived()?;
    assert_eq!(
        (&told["first"], &told["last"], &told["frame"]),
        (&0.into(), &300.into(), &300.into())
    );
    for (to, litres) in [
        (300, 300),
        (0, 0),
        (9, 0),
        (11, 10),
        (155, 150),
        (154, 150),
        (299, 290),
        (9_999, 300),
    ] {
        let told = log.go(to)?;
        assert_eq!(told["frame"], to.min(300), "{told}");
        assert_eq!(told["trouble"], Value::Null);
        assert_eq!(
            log.barrel()?,
            format!("Barrel(litres: {litres})"),
            "frame {to}"
        );
        let now = log.until("now", |now| now["frame"] == to.min(300))?;
        assert_eq!(now["messagees"], 1);
    }
    // Only the events before this frame are known.
    log.go(200)?;
    let rain = format!("timeline?message={}", std::any::type_name::<Rain>());
    let timeline = log.until(&rain, |told| {
        told["frames"]
            .as_array()
            .is_some_and(|frames| frames.last().is_some_and(|it| it["frame"] == 200))
    })?;
    let frames = timeline["frames"].as_array().ok_or("no frames")?;
    assert!(frames.iter().all(|it| {
        it["frame"]
            .as_u64()
            .is_some_and(|it| (120..=200).contains(&it))
    }));
    // The world itself goes on.
    let hello = client.get("/api/v1/hello")?.json();
    assert_eq!(hello["worlds"][0]["replay"], false);
    assert_eq!(
        (&hello["worlds"][1]["replay"], &hello["worlds"][1]["name"]),
        (&true.into(), &"rain, recorded".into())
    );
    assert_eq!(manager.clock().frame(), 300);
    drop(inspector);
    Ok(())
}

#[test]
fn the_last_change_of_a_value_is_found_and_its_cause_is_known() -> Tested {
    let Rained {
        client, inspector, ..
    } = rained(Inspector::builder())?;
    let log = Log::of_recording(&client)?;
    log.go(156)?;
    let change = log.who("litres")?;
    assert_eq!(
        (&change["found"], &change["before"], &change["after"]),
        (&true.into(), &"140".into(), &"150".into()),
        "{change}"
    );
    let place = change["place"].as_str().unwrap_or_default();
    assert!(place.contains("recording.rs"), "{change}");
    let at = change["frame"].as_u64().ok_or("no frame")?;
    assert_eq!(log.get("travel")?["frame"], at);
    assert_eq!(log.barrel()?, "Barrel(litres: 150)");
    let cause = change["cause"].as_u64().ok_or("no cause")?;
    let chain = log.until(&format!("cause/{cause}"), |_| true)?;
    assert_eq!(
        chain["chain"][0]["message"]
            .as_str()
            .map(|it| it.ends_with("Rain")),
        Some(true),
        "{chain}"
    );
    // The change before it.
    log.go(at - 1)?;
    assert_eq!(log.who("")?["after"], "(litres: 140)");
    log.go(3)?;
    assert_eq!(log.who("litres")?["found"], false);
    let change = log.who("gallons")?;
    assert!(
        change["error"]
            .as_str()
            .is_some_and(|it| it.contains("litres")),
        "{change}"
    );
    drop(inspector);
    Ok(())
}

#[test]
fn a_component_is_read_before_and_after_a_delivery() -> Tested {
    let Rained {
        client, inspector, ..
    } = rained(Inspector::builder())?;
    let log = Log::of_recording(&client)?;
    log.go(200)?;
    let rain = format!("timeline?message={}", std::any::type_name::<Rain>());
    for nth in [0, 2] {
        let timeline = log.until(&rain, |told| {
            told["frames"].as_array().is_some_and(|it| it.len() > nth)
        })?;
        let frames = timeline["frames"].as_array().ok_or("no frames")?;
        let at = frames[nth]["frame"].as_u64().ok_or("no frame")?;
        let id = frames[nth]["deliveries"][0]["id"].clone();
        assert_eq!(log.post("travel/delivery", &json!({ "id": id }))?.0, 200);
        let told = log.arrived()?;
        let change = &told["change"];
        let value = |litres: u64| format!("Barrel(litres: {litres})");
        let rained = at / 10 * 10;
        assert_eq!(change["before"], value(rained - 10), "{told}");
        assert_eq!(change["after"], value(rained), "{told}");
        assert_eq!((&told["frame"], &change["frame"]), (&at.into(), &at.into()));
        let cause = change["cause"].as_u64().ok_or("no cause")?;
        let chain = log.until(&format!("cause/{cause}"), |_| true)?;
        let last = chain["chain"].as_array().and_then(|it| it.last());
        assert_eq!(last.ok_or("no chain")?["frame"], at);
    }
    assert_eq!(
        log.post("travel/delivery", &json!({ "id": 999_999 }))?.0,
        200
    );
    let error = log.arrived()?["change"]["error"].clone();
    assert!(
        error.as_str().is_some_and(|it| it.contains("#999999")),
        "{error}"
    );
    assert_eq!(log.post("travel/delivery", &json!({}))?.0, 400);
    drop(inspector);
    Ok(())
}

#[test]
fn a_replay_is_changed_only_after_it_has_left_the_log() -> Tested {
    let Rained {
        client,
        inspector,
        manager,
    } = rained(Inspector::builder())?;
    let log = Log::of_recording(&client)?;
    log.go(100)?;
    let rain = json!({ "line": "send barrel Rain(litres: 5)" });
    for (what, body) in [
        ("console", &rain),
        ("clock", &json!({ "paused": true })),
        ("recording/start", &json!({})),
        (
            "messagees/0v0/change",
            &json!({ "hook": "0v0", "value": "" }),
        ),
    ] {
        let (status, told) = log.post(what, body)?;
        assert_eq!(
            (status, &told["code"]),
            (409, &"replay".into()),
            "{what}: {told}"
        );
    }
    assert_eq!(log.post("travel/on", &json!({}))?.0, 200);
    log.until("travel", |told| told["frame"].as_u64() > Some(102))?;
    assert_eq!(log.get("travel")?["forked_at"], 100);
    assert_eq!(log.post("clock", &json!({ "paused": true }))?.0, 200);
    let before = log.barrel()?;
    assert_eq!(log.post("console", &rain)?.0, 200);
    assert_ne!(log.barrel()?, before);
    assert!(log.barrel()?.as_str().is_some_and(|it| it.ends_with("5)")));
    // The log has the other future.
    let told = log.go(300)?;
    assert_eq!(
        (&told["forked_at"], &told["frame"]),
        (&Value::Null, &300.into())
    );
    assert_eq!(log.barrel()?, "Barrel(litres: 300)");
    assert_eq!(
        manager
            .iter::<Barrel>()
            .map(|(_, it)| it.litres)
            .sum::<u32>(),
        300
    );
    drop(inspector);
    Ok(())
}

#[test]
fn a_log_that_is_dropped_opens_and_what_is_no_log_says_so() -> Tested {
    let mut manager = barrel()?;
    let flight = FlightRecorder::start(&mut manager, 60)?;
    for _ in 0..50 {
        frame(&mut manager);
    }
    let inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    let client = Client::new(&inspector);
    let log = Log::opened(&client, client.upload(&flight.bytes()))?;
    assert_eq!(log.go(25)?["last"], 50);
    assert_eq!(log.barrel()?, "Barrel(litres: 20)");
    let mut changed = flight.bytes();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    for wrong in [&changed[..], b"", b"no log", b"{\"event\":\"sent\"}"] {
        let answer = client.upload(wrong)?;
        assert_eq!(answer.code(), (400, "bad".to_owned()), "{answer:?}");
    }
    // Each of them has given its room back.
    let worlds = client.get("/api/v1/hello")?.json();
    assert_eq!(
        worlds["worlds"].as_array().map(Vec::len),
        Some(1),
        "{worlds}"
    );
    Ok(())
}

#[test]
fn an_open_log_needs_room_which_closing_gives_back() -> Tested {
    let mut manager = barrel()?;
    let flight = FlightRecorder::start(&mut manager, 60)?;
    let inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    let client = Client::new(&inspector);
    let logs = (0..4).map(|_| Log::opened(&client, client.upload(&flight.bytes())));
    let logs = logs.collect::<Asked<Vec<_>>>()?;
    let refused = client.upload(&flight.bytes())?;
    assert_eq!(refused.code(), (429, "busy".to_owned()));
    assert_eq!(logs[2].post("travel/close", &json!({}))?.0, 200);
    let begun = Instant::now();
    while client.upload(&flight.bytes())?.status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(60));
        sleep(Duration::from_millis(5));
    }
    let worlds = client.get("/api/v1/hello")?.json();
    assert_eq!(worlds["worlds"].as_array().map(Vec::len), Some(4));
    let gone = client.get(&logs[2].path("messagees"))?;
    assert_eq!(gone.code(), (410, "detached".to_owned()));
    Ok(())
}

#[test]
fn a_log_is_refused_like_every_change_and_is_bounded_in_bytes() -> Tested {
    let mut manager = barrel()?;
    let flight = FlightRecorder::start(&mut manager, 60)?;
    let log = flight.bytes();
    let read_only = Inspector::builder().serve("127.0.0.1:0")?;
    let answer = Client::new(&read_only).upload(&log)?;
    assert_eq!(answer.code(), (403, "read-only".to_owned()));

    let inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    let client = Client::new(&inspector);
    let octets = "Content-Type: application/octet-stream";
    let posting = client.posting().with("Content-Type", octets);
    let ask = |client: &Client| client.ask_with("POST", "/api/v1/logs", &log);
    for (client, status, code) in [
        (posting.with("Authorization", ""), 401, "token"),
        (
            posting.with("Origin", "Origin: http://evil.example"),
            403,
            "origin",
        ),
        (posting.with("Host", "Host: evil.example"), 421, "host"),
        (posting.with("X-Message-Inspector", ""), 403, "header"),
        (client.posting(), 415, "content-type"),
    ] {
        assert_eq!(ask(&client)?.code(), (status, code.to_owned()));
    }
    assert_eq!(
        client.get("/api/v1/logs")?.code(),
        (405, "method".to_owned())
    );
    let large = vec![0; (64 << 20) + 1];
    assert_eq!(client.upload(&large)?.code(), (413, "body".to_owned()));
    assert_eq!(client.upload(&log)?.status, 200);
    Ok(())
}

#[test]
fn a_world_that_is_no_replay_does_not_travel() -> Tested {
    let Rained {
        client, inspector, ..
    } = rained(Inspector::builder())?;
    assert_eq!(
        client.get("/api/v1/worlds/0/travel")?.code(),
        (404, "unknown".to_owned())
    );
    for (what, body) in [
        ("go", "{\"frame\": 1}"),
        ("on", "{}"),
        ("close", "{}"),
        ("who", "{}"),
    ] {
        let answer = client.post(&format!("/api/v1/worlds/0/travel/{what}"), body)?;
        assert_eq!(answer.code(), (404, "unknown".to_owned()), "{what}");
    }
    drop(inspector);
    Ok(())
}

#[test]
fn a_hidden_type_is_not_shown_by_its_changes() -> Tested {
    let Rained {
        client, inspector, ..
    } = rained(Inspector::builder().hide::<Barrel>())?;
    let log = Log::of_recording(&client)?;
    assert_eq!(log.barrel()?, Value::Null);
    let change = log.who("litres")?;
    assert!(
        change["error"]
            .as_str()
            .is_some_and(|it| it.contains("hidden")),
        "{change}"
    );
    let timeline = log.until("timeline", |told| {
        told["frames"].as_array().is_some_and(|it| !it.is_empty())
    })?;
    let id = timeline["frames"][0]["deliveries"][0]["id"].clone();
    log.post("travel/delivery", &json!({ "id": id }))?;
    let change = log.arrived()?["change"].clone();
    assert!(
        change["error"]
            .as_str()
            .is_some_and(|it| it.contains("hidden")),
        "{change}"
    );
    drop(inspector);
    Ok(())
}

/// The bytes of a log.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics with it").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_log_ends_for_the_page_where_it_cannot_be_repeated() -> Tested {
    let (mut manager, memory) = (barrel()?, Memory::default());
    data::Log::start(&mut manager, memory.clone(), LogOptions::new())?;
    for at in 0..50 {
        if at == 30 {
            // It has no data.
            manager.send(Everyone, Cry)?;
        }
        frame(&mut manager);
    }
    data::Log::stop(&mut manager)?;
    let bytes = memory.0.lock().map_err(|_| "poisoned")?.clone();
    let inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    let client = Client::new(&inspector);
    let log = Log::opened(&client, client.upload(&bytes))?;
    let told = log.arrived()?;
    assert_eq!((&told["frame"], &told["last"]), (&30.into(), &30.into()));
    let trouble = told["trouble"].as_str();
    assert!(trouble.is_some_and(|it| it.contains("Cry")), "{told}");
    assert_eq!(log.barrel()?, "Barrel(litres: 30)");
    assert_eq!(log.go(12)?["trouble"], Value::Null);
    assert_eq!(log.barrel()?, "Barrel(litres: 10)");
    // A frame that cannot be reached is not tried again.
    assert_eq!(log.go(50)?["frame"], 30);
    Ok(())
}

/// A component with another value in each run.
#[derive(Data, Serialize, Deserialize)]
#[data(name = "travel.Session", exact)]
struct Session {
    token: u64,
}

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "travel.Renew", exact)]
struct Renew;

#[handlers]
impl Session {
    #[on_receive]
    fn renew(&mut self, _: &Renew) {
        static NEXT: AtomicU64 = AtomicU64::new(7_654_321);
        self.token = NEXT.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_hidden_type_is_not_shown_by_the_error_of_a_replay() -> Tested {
    let (mut manager, memory) = (MessageManager::new(), Memory::default());
    let session = manager.spawn((Session { token: 0 },));
    let options = LogOptions::new().digest_every(10);
    data::Log::start(&mut manager, memory.clone(), options)?;
    manager.send(session, Renew)?;
    for _ in 0..30 {
        frame(&mut manager);
    }
    data::Log::stop(&mut manager)?;
    let bytes = memory.0.lock().map_err(|_| "poisoned")?.clone();
    for is_hidden in [false, true] {
        let builder = Inspector::builder().writable(true);
        let builder = if is_hidden {
            builder.hide::<Session>()
        } else {
            builder
        };
        let inspector = builder.serve("127.0.0.1:0")?;
        let client = Client::new(&inspector);
        let log = Log::opened(&client, client.upload(&bytes))?;
        let told = log.arrived()?;
        let trouble = told["trouble"].as_str().ok_or("the runs do not differ")?;
        assert_eq!(!trouble.contains("76543"), is_hidden, "{trouble}");
    }
    Ok(())
}

#[test]
fn closed_logs_do_not_push_out_a_world_that_has_ended() -> Tested {
    let Rained {
        mut manager,
        mut inspector,
        client,
    } = rained(Inspector::builder())?;
    inspector.detach(&mut manager);
    for _ in 0..12 {
        let log = Log::of_recording(&client)?;
        assert_eq!(log.post("travel/close", &json!({}))?.0, 200);
        let begun = Instant::now();
        while client.get(&log.path("messagees"))?.status == 200 {
            assert!(begun.elapsed() < Duration::from_secs(60));
        }
    }
    assert!(!crate::recording::download(&client)?.is_empty());
    Ok(())
}

#[test]
fn a_page_is_answered_while_a_long_log_is_replayed() -> Tested {
    let mut manager = barrel()?;
    let flight = FlightRecorder::start(&mut manager, 20_000)?;
    for _ in 0..20_000 {
        frame(&mut manager);
    }
    let inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    let client = Client::new(&inspector);
    let answer = client.upload(&flight.bytes())?;
    let world = answer.json()["world"].as_u64().ok_or("not opened")?;
    let log = Log {
        client: &client,
        world,
    };
    let (mut answered, mut seen) = (0, Vec::new());
    loop {
        let told = log.get("travel")?;
        if told["working"] == false {
            break;
        }
        seen.push(told["frame"].as_u64().ok_or("no frame")?);
        assert_eq!(log.get("messagees")?["total"], 1);
        answered += 1;
    }
    assert!(answered > 0 && seen.is_sorted(), "{seen:?}");
    assert_eq!(log.get("travel")?["frame"], 20_000);
    // A goal that was given up is not pursued.
    log.post("travel/go", &json!({ "frame": 0 }))?;
    log.post("travel/go", &json!({ "frame": 20_000 }))?;
    assert_eq!(log.go(7)?["frame"], 7);
    Ok(())
}

/// Lets the receiver listen.
#[derive(Message, Data, Clone, Debug, Serialize, Deserialize)]
#[data(name = "travel.Tune", exact)]
struct Tune;

#[derive(Data, Serialize, Deserialize)]
#[data(name = "travel.Radio", exact)]
struct Radio;

#[handlers]
impl Radio {
    #[on_receive]
    fn tune(&mut self, _: &Tune, cx: &mut Context<'_>) {
        cx.subscribe(Filter::of::<Cry>(), |_, _| {});
    }
}

#[test]
fn a_page_is_answered_while_a_log_without_key_frames_goes_back() -> Tested {
    const LAST: u64 = 20_000;
    let mut manager = barrel()?;
    let radio = manager.spawn((Radio,));
    let flight = FlightRecorder::start(&mut manager, LAST)?;
    // From now on, there is a subscription that no save has.
    manager.send(radio, Tune)?;
    for _ in 0..LAST {
        frame(&mut manager);
    }
    let inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    let client = Client::new(&inspector);
    let log = Log::opened(&client, client.upload(&flight.bytes()))?;
    let rain = format!("timeline?message={}", std::any::type_name::<Rain>());
    let timeline = log.until(&rain, |told| told["frames"][0].is_object())?;
    let id = &timeline["frames"][0]["deliveries"][0]["id"];
    for (what, body) in [
        ("travel/go", json!({ "frame": LAST - 1 })),
        ("travel/delivery", json!({ "id": id })),
    ] {
        log.go(LAST)?;
        log.post(what, &body)?;
        let mut least = LAST;
        loop {
            let told = log.get("travel")?;
            if told["working"] == false {
                break;
            }
            least = least.min(told["frame"].as_u64().ok_or("no frame")?);
            assert_eq!(log.get("messagees")?["total"], 2);
        }
        assert!(
            least < LAST - 100,
            "{what}: it was seen on its way from {least} on"
        );
    }
    assert_eq!(log.get("travel")?["change"]["found"], true);
    Ok(())
}

#[test]
fn what_a_delivery_changed_is_known_from_the_start_of_the_log_on() -> Tested {
    let mut manager = barrel()?;
    frame(&mut manager);
    let flight = FlightRecorder::start(&mut manager, 1_000)?;
    let barrel = manager.find("barrel").next().ok_or("no barrel")?;
    // Before the first frame of the log begins.
    for litres in [3, 4] {
        manager.send(barrel, Rain { litres })?;
    }
    for _ in 0..100 {
        frame(&mut manager);
    }
    let inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    let client = Client::new(&inspector);
    let log = Log::opened(&client, client.upload(&flight.bytes()))?;
    for (nth, before, after) in [(0, 0, 3), (1, 3, 7)] {
        assert_eq!(log.go(1)?["frame"], 1);
        let rain = format!("timeline?message={}", std::any::type_name::<Rain>());
        let timeline = log.until(&rain, |told| told["frames"][0]["frame"] == 1)?;
        let id = &timeline["frames"][0]["deliveries"][nth]["id"];
        log.post("travel/delivery", &json!({ "id": id }))?;
        let told = log.arrived()?;
        let change = &told["change"];
        let value = |litres: u64| format!("Barrel(litres: {litres})");
        assert_eq!(change["before"], value(before), "{told}");
        assert_eq!(change["after"], value(after), "{told}");
        assert_eq!(told["frame"], 1, "{told}");
    }
    Ok(())
}

#[test]
fn the_handlers_of_a_replay_may_panic() -> Tested {
    let mut manager = barrel()?;
    let flight = FlightRecorder::start(&mut manager, 600)?;
    for _ in 0..20 {
        frame(&mut manager);
    }
    let barrel = manager.find("barrel").next().ok_or("no barrel")?;
    let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = manager.send(barrel, Rain { litres: 666 });
    }));
    assert!(panics.is_err());
    let inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    let client = Client::new(&inspector);
    let log = Log::opened(&client, client.upload(&flight.bytes()))?;
    assert_eq!(log.arrived()?["frame"], 20);
    assert_eq!(log.go(15)?["frame"], 15);
    assert_eq!(log.barrel()?, "Barrel(litres: 10)");
    // A panic after the log ends this replay alone.
    assert_eq!(log.post("travel/on", &json!({}))?.0, 200);
    log.until("travel", |told| told["forked_at"] == 15)?;
    let line = json!({ "line": "send barrel Rain(litres: 666)" });
    assert_ne!(log.post("console", &line)?.0, 200);
    let told = log.until("travel", |told| told["forked_at"].is_null())?;
    let trouble = told["trouble"].as_str();
    assert!(trouble.is_some_and(|it| it.contains("panicked")), "{told}");
    assert_eq!(log.go(15)?["trouble"], Value::Null);
    assert_eq!(log.barrel()?, "Barrel(litres: 10)");
    Ok(())
}
