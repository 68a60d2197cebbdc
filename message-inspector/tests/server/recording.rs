//! The flight recorder of a world: it is on from the beginning, and what it has can be taken.

use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

use message_core::prelude::*;
use message_data::{Data, Log, LogOptions, Replay};
use message_inspector::{Builder, Inspector};
use serde::{Deserialize, Serialize};

use crate::client::{Client, Tested, while_running};
use crate::world::{Ears, Secret, frame};

#[derive(Message, Data, Clone, Debug, Serialize, Deserialize)]
#[data(name = "recording.Rain", exact)]
pub struct Rain {
    pub litres: u32,
}

#[derive(Data, Serialize, Deserialize)]
#[data(name = "recording.Barrel", exact)]
pub struct Barrel {
    pub litres: u32,
}

#[handlers]
impl Barrel {
    #[on_receive]
    fn rain(&mut self, rain: &Rain) {
        assert_ne!(rain.litres, 666, "the barrel breaks");
        self.litres += rain.litres;
    }
}

/// Creates a barrel into which ten litres of rain fall in each tenth frame.
pub fn barrel() -> Result<MessageManager, Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let barrel = manager.spawn_named("barrel", (Barrel { litres: 0 },));
    let rain = Header::to(barrel).after_frames(10).every_frames(10);
    manager.post(rain, Rain { litres: 10 })?;
    Ok(manager)
}

const RECORDING: &str = "/api/v1/worlds/0/recording";

/// Downloads the log of the first world.
pub fn download(client: &Client) -> std::io::Result<Vec<u8>> {
    download_of(client, RECORDING)
}

pub fn download_of(client: &Client, recording: &str) -> std::io::Result<Vec<u8>> {
    let bytes = client.bytes(&format!("{recording}/log"))?;
    let head = bytes.windows(4).position(|it| it == b"\r\n\r\n");
    let head = head.ok_or(std::io::ErrorKind::UnexpectedEof)?;
    assert!(bytes.starts_with(b"HTTP/1.1 200"), "{:?}", &bytes[..head]);
    Ok(bytes[head + 4..].to_vec())
}

fn serve(builder: Builder) -> Result<(Inspector, Client), message_inspector::InspectorError> {
    let inspector = builder.serve("127.0.0.1:0")?;
    let client = Client::new(&inspector);
    Ok((inspector, client))
}

#[test]
fn the_last_frames_are_kept_before_the_first_look_and_can_be_taken() -> Tested {
    let mut manager = barrel()?;
    let (mut inspector, client) = serve(Inspector::builder().flight_recorder(100))?;
    inspector.attach(&mut manager, "the world");
    for _ in 0..1_000 {
        frame(&mut manager);
        inspector.update(&mut manager);
    }
    let told = client.get(RECORDING)?.json();
    assert_eq!(
        (&told["recording"], &told["to"]),
        (&true.into(), &1_000.into()),
        "{told}"
    );
    let from = told["from"].as_u64().ok_or("no frame")?;
    assert!((800..=900).contains(&from), "{from}");
    let log = download(&client)?;
    assert_eq!(told["bytes"], log.len());
    let mut replay = Replay::of_bytes(log);
    assert_eq!(replay.frames()?, from..=1_000);
    let replayed = replay.run()?;
    let litres: u32 = replayed
        .manager
        .iter::<Barrel>()
        .map(|(_, it)| it.litres)
        .sum();
    assert_eq!(litres, 1_000);
    // Even when the world is gone.
    inspector.detach(&mut manager);
    drop(manager);
    let told = client.get(RECORDING)?.json();
    assert_eq!(
        (&told["recording"], &told["to"]),
        (&false.into(), &1_000.into()),
        "{told}"
    );
    assert_eq!(Replay::of_bytes(download(&client)?).frames()?, from..=1_000);
    Ok(())
}

#[test]
fn a_log_of_the_program_stays_and_recording_starts_after_it() -> Tested {
    let mut manager = barrel()?;
    Log::start(&mut manager, std::io::sink(), LogOptions::new())?;
    let (mut inspector, _) = serve(Inspector::builder().writable(true))?;
    inspector.attach(&mut manager, "world");
    let wrong = |error: std::io::Error| error.to_string();
    while_running(&mut manager, &mut inspector, frame, |client| {
        let told = client.get(RECORDING).map_err(wrong)?.json();
        assert_eq!(
            (&told["recording"], &told["from"]),
            (&false.into(), &serde_json::Value::Null)
        );
        assert!(
            told["why"]
                .as_str()
                .is_some_and(|why| why.contains("writes a log")),
            "{told}"
        );
        let log = client.get(&format!("{RECORDING}/log")).map_err(wrong)?;
        assert_eq!(log.code(), (404, "unknown".to_owned()));
        let again = client
            .post(&format!("{RECORDING}/start"), "{}")
            .map_err(wrong)?;
        assert_eq!(again.json()["recording"], false);
        Ok(())
    })?;
    let report = Log::stop(&mut manager)?.ok_or("the log has ended")?;
    assert!(report.inputs > 0);
    while_running(&mut manager, &mut inspector, frame, |client| {
        let told = client
            .post(&format!("{RECORDING}/start"), "{}")
            .map_err(wrong)?
            .json();
        assert_eq!(told["recording"], true, "{told}");
        Ok(())
    })?;
    inspector.detach(&mut manager);
    // The inspector has ended its own log.
    Log::start(&mut manager, std::io::sink(), LogOptions::new())?;
    Ok(())
}

#[test]
fn a_recorder_that_is_off_or_impossible_says_why() -> Tested {
    let (mut off, mut unsaved) = (barrel()?, barrel()?);
    unsaved.spawn((Ears { heard: 0 },));
    for (manager, frames, wanted) in [(&mut off, 0, "switched it off"), (&mut unsaved, 60, "Ears")]
    {
        let (mut inspector, client) = serve(Inspector::builder().flight_recorder(frames))?;
        inspector.attach(manager, "world");
        let told = client.get(RECORDING)?.json();
        assert_eq!(told["recording"], false);
        assert!(
            told["why"].as_str().is_some_and(|why| why.contains(wanted)),
            "{told}"
        );
        inspector.detach(manager);
    }
    Ok(())
}

#[test]
fn a_state_that_takes_long_to_save_is_recorded_only_on_request() -> Tested {
    let wrong = |error: std::io::Error| error.to_string();
    for (frames, grows) in [(None, false), (None, true), (Some(60), false)] {
        let mut manager = barrel()?;
        let fill = |manager: &mut MessageManager| {
            let names = (0..1_200).map(|number| format!("{number:4000}"));
            for name in names {
                manager.spawn_named(name, ());
            }
        };
        let mut builder = Inspector::builder().writable(true);
        if let Some(frames) = frames {
            builder = builder.flight_recorder(frames);
        }
        let (mut inspector, client) = serve(builder)?;
        if !grows {
            fill(&mut manager);
        }
        inspector.attach(&mut manager, "world");
        if grows {
            fill(&mut manager);
            for _ in 0..3_700 {
                frame(&mut manager);
                inspector.update(&mut manager);
            }
        }
        let told = client.get(RECORDING)?.json();
        assert_eq!(told["recording"], frames.is_some(), "{told}");
        if frames.is_none() {
            assert!(
                told["why"]
                    .as_str()
                    .is_some_and(|why| why.contains("has 4 MiB")),
                "{told}"
            );
        }
        while_running(&mut manager, &mut inspector, frame, |client| {
            let told = client
                .post(&format!("{RECORDING}/start"), "{}")
                .map_err(wrong)?;
            assert_eq!(told.json()["recording"], true, "{told:?}");
            std::thread::sleep(Duration::from_millis(200));
            assert_eq!(
                client.get(RECORDING).map_err(wrong)?.json()["recording"],
                true
            );
            Ok(())
        })?;
    }
    Ok(())
}

#[test]
fn a_log_is_not_given_away_by_an_inspector_that_hides_values() -> Tested {
    for builder in [
        Inspector::builder().hide::<Secret>(),
        Inspector::builder().contents(false),
    ] {
        let mut manager = barrel()?;
        let (mut inspector, client) = serve(builder)?;
        inspector.attach(&mut manager, "world");
        let told = client.get(RECORDING)?.json();
        assert_eq!(
            (&told["recording"], &told["exportable"]),
            (&true.into(), &false.into())
        );
        let log = client.get(&format!("{RECORDING}/log"))?;
        assert_eq!(log.code(), (403, "hidden".to_owned()));
    }
    Ok(())
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_panic_writes_what_was_recorded() -> Tested {
    let folder =
        Folder(std::env::temp_dir().join(format!("inspector-crash-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0)?;
    let crashes = folder.0.clone();
    let ended = std::thread::spawn(move || {
        let mut manager = barrel().expect("it can be made");
        let builder = Inspector::builder().write_on_panic(crashes);
        let mut inspector = builder.serve("127.0.0.1:0").expect("a port is free");
        inspector.attach(&mut manager, "a/b");
        for _ in 0..50 {
            manager.tick(Duration::from_millis(16));
            inspector.update(&mut manager);
        }
        let barrel = manager.find("barrel").next().expect("it is there");
        let _ = manager.send(barrel, Rain { litres: 666 });
    });
    assert!(ended.join().is_err());
    let mut log = Vec::new();
    std::fs::File::open(folder.0.join("a-b-0.log"))?.read_to_end(&mut log)?;
    assert_eq!(Replay::of_bytes(log).frames()?, 0..=50);
    Ok(())
}
