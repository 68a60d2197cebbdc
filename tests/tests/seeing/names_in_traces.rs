//! Names of messagees in traces: explanations, recordings, and the files that they are written
//! to.

use crate::chrome::chrome_of;
use crate::common::{Do, Ear, Note, Tested, stage};
use message_core::Recipient::Me;
use message_core::prelude::*;
use message_trace::{Recorder, TraceFilter};

use crate::traces::explain;
use serde_json::Value;

/// Returns a manager that has recorded how `Rook` sends a note to `the "Ear"`, which is `1v0`.
fn recorded() -> Result<(MessageManager, MessageeId), Box<dyn std::error::Error>> {
    let (mut manager, log, rook) = stage();
    let ear = manager.spawn_named("the \"Ear\"", (Ear::new("ear", &log),));
    manager.set_name(rook, "Rook")?;
    Recorder::new(100).start(&mut manager);
    manager.send(rook, Do::new(move |cx| drop(cx.send(ear, Note("hello")))))?;
    Ok((manager, ear))
}

// holds: seeing.names-printed
#[test]
fn an_explanation_says_the_names() -> Tested {
    let (manager, _) = recorded()?;
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    let last = recorder.events().filter_map(|event| event.what.delivery());
    let why = explain(&manager, last.max().ok_or("there was one")?);
    let why = why.ok_or("it is recorded")?.to_string();
    let lines: Vec<&str> = why.lines().collect();
    assert!(
        lines[1].contains("of messagee 0v0 \"Rook\" in `act`"),
        "{why}"
    );
    let sent = r#"sent by messagee 0v0 "Rook" to messagee 1v0 "the \"Ear\"" at "#;
    assert!(lines[2].contains(sent), "{why}");
    assert!(
        lines[3].contains(r#"of messagee 1v0 "the \"Ear\"" in `note`"#),
        "{why}"
    );
    Ok(())
}

// holds: seeing.names-printed, seeing.name-when-printed
#[test]
fn what_is_recorded_prints_the_name_of_the_moment_and_none_after_the_manager_is_dropped() -> Tested
{
    let (mut manager, ear) = recorded()?;
    let text = |recorder: &Recorder| {
        let lines = recorder.events().map(message_trace::describe);
        lines.collect::<Vec<_>>().join("\n")
    };
    manager.set_name(ear, "Eve")?;
    manager.despawn(ear)?;
    let recorder = Recorder::stop(&mut manager).ok_or("it records")?;
    let printed = text(&recorder);
    assert!(
        printed.contains("messagee 1v0 \"Eve\"") && !printed.contains("Ear\\\""),
        "{printed}"
    );
    drop(manager);
    assert!(!text(&recorder).contains('"'));
    Ok(())
}

// holds: seeing.names-printed
#[test]
fn the_track_of_a_messagee_has_its_name_in_its_title() -> Tested {
    let (mut manager, _) = recorded()?;
    let recorder = Recorder::stop(&mut manager).ok_or("it records")?;
    let trace = chrome_of(&recorder, &TraceFilter::all());
    let tracks: Vec<&str> = trace.tracks.values().map(String::as_str).collect();
    let expected = [
        "outside",
        "the manager",
        "subscribers",
        "messagee 0v0 \"Rook\"",
        r#"messagee 1v0 "the \"Ear\"""#,
    ];
    assert_eq!(tracks, expected);
    Ok(())
}

// holds: seeing.names-in-json
#[test]
fn json_lines_have_names_in_fields_of_their_own() -> Tested {
    let (mut manager, _) = recorded()?;
    manager.send(Everyone, Note("to all"))?;
    let recorder = Recorder::stop(&mut manager).ok_or("it records")?;
    let mut written = Vec::new();
    message_trace::write_json_lines(&recorder, &TraceFilter::all(), &mut written)?;
    let lines = written
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    let lines: Vec<Value> = lines
        .map(serde_json::from_slice)
        .collect::<Result<_, _>>()?;
    let called = |sender: &str| {
        let mut called = lines.iter().filter(|line| line["event"] == "called");
        called
            .find(|line| line["sender"] == sender)
            .ok_or("it was called")
    };
    let line = called("messagee 0v0")?;
    assert_eq!(line["sender_name"], "Rook");
    assert_eq!(
        (&line["recipient"], &line["recipient_name"]),
        (&"messagee 1v0".into(), &"the \"Ear\"".into())
    );
    let receiver = line["receiver"].as_str().ok_or("it has one")?;
    assert!(receiver.ends_with("Ear` of messagee 1v0"), "{receiver}");
    assert_eq!(line["receiver_name"], "the \"Ear\"");
    let line = called("outside")?;
    assert_eq!(
        (line.get("sender_name"), &line["recipient_name"]),
        (None, &"Rook".into())
    );
    let to_all = lines.iter().find(|line| line["recipient"] == "everyone");
    assert_eq!(to_all.ok_or("it was sent")?.get("recipient_name"), None);
    Ok(())
}

// holds: seeing.names-in-json
#[test]
fn one_without_a_name_has_no_field_for_it() -> Tested {
    let (mut manager, log, _) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    Recorder::new(100).start(&mut manager);
    manager.speak_for(ear)?.send(Me, Note("hello"))?;
    let recorder = Recorder::stop(&mut manager).ok_or("it records")?;
    let mut written = Vec::new();
    message_trace::write_json_lines(&recorder, &TraceFilter::all(), &mut written)?;
    assert!(!String::from_utf8(written)?.contains("_name"));
    Ok(())
}
