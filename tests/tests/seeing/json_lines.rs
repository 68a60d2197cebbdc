//! A recording as JSON lines, parsed back.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::common::{Do, Ear, Note, Peek, Tested, first_hook, stage};
use crate::pending::{ALARM, Cargo, ms, soon};
use message_core::PanicPolicy;
use message_core::PostKey;
use message_core::prelude::*;
use message_trace::{Recorder, TraceFilter};
use serde_json::Value;

/// Returns the lines that a recorder writes.
fn lines(recorder: &Recorder, filter: &TraceFilter) -> Vec<Value> {
    let mut written = Vec::new();
    let wrote = message_trace::write_json_lines(recorder, filter, &mut written);
    wrote.expect("there is room in memory");
    let text = String::from_utf8(written).expect("it is text");
    assert!(text.is_empty() || text.ends_with('\n'));
    let lines = text.lines().map(serde_json::from_str);
    lines.map(|line| line.expect("it is JSON")).collect()
}

fn all(manager: &MessageManager) -> Vec<Value> {
    let recorder = Recorder::of(manager).expect("it records");
    lines(&recorder, &TraceFilter::all())
}

fn recorded() -> (MessageManager, MessageeId, MessageeId) {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    Recorder::new(10_000).start(&mut manager);
    (manager, actor, ear)
}

fn keys(line: &Value) -> Vec<&str> {
    let object = line.as_object().expect("a line is an object");
    object.keys().map(String::as_str).collect()
}

/// Returns the only line about an event of that kind.
fn of_kind<'l>(lines: &'l [Value], kind: &str) -> &'l Value {
    let mut of_kind = lines.iter().filter(|line| line["event"] == kind);
    let line = of_kind.next();
    let line = line.unwrap_or_else(|| panic!("{kind} is in {lines:#?}"));
    assert!(of_kind.next().is_none(), "one {kind}");
    line
}

// holds: seeing.json-lines
#[test]
fn each_event_is_an_object_on_a_line_of_its_own_the_oldest_first() -> Tested {
    let (mut manager, _, ear) = recorded();
    manager.tick(ms(10));
    manager.send(ear, Note("said"))?;
    let line = line!() - 1;
    let lines = all(&manager);
    let kinds: Vec<_> = lines.iter().map(|line| &line["event"]).collect();
    assert_eq!(kinds, ["sent", "called", "returned", "settled"]);
    let sent = &lines[0];
    assert_eq!(sent["send"], 1);
    assert_eq!(sent["message"], Note::NAME);
    assert_eq!(sent["id"], Note::ID.to_string());
    assert_eq!(sent["sender"], "outside");
    assert_eq!(sent["recipient"], "messagee 1v0");
    assert_eq!(
        (&sent["frame"], &sent["time"]),
        (&1.into(), &10_000_000.into())
    );
    assert_eq!(sent["by"], "send");
    assert_eq!(sent["stage"], "Immediate");
    let place = sent["place"].as_str().ok_or("it has a place")?;
    assert!(place.contains(&format!("json_lines.rs:{line}:")), "{place}");
    let called = &lines[1];
    assert_eq!(
        (&called["send"], &called["delivery"]),
        (&1.into(), &2.into())
    );
    assert_eq!(called["handler"], "note");
    let receiver = called["receiver"].as_str().ok_or("it has a receiver")?;
    assert!(receiver.ends_with("Ear` of messagee 1v0"), "{receiver}");
    assert_eq!(lines[2]["why"], "returned");
    assert_eq!(lines[3]["received"], 1);
    assert_eq!(lines[3]["pending"], 0);
    Ok(())
}

// holds: seeing.json-lines
#[test]
fn what_an_event_does_not_have_is_left_out() -> Tested {
    let (mut manager, _, ear) = recorded();
    manager.send(ear, Note("said"))?;
    let lines = all(&manager);
    let common = [
        "event",
        "frame",
        "id",
        "message",
        "recipient",
        "send",
        "sender",
    ];
    for line in &lines {
        for key in common.iter().chain(&["time", "wall"]) {
            assert!(keys(line).contains(key), "{key} in {line}");
        }
        assert!(!keys(line).contains(&"tags"), "{line}");
        assert!(!keys(line).contains(&"cause"), "{line}");
        assert!(!keys(line).contains(&"contents"), "{line}");
        assert!(
            line.as_object()
                .is_some_and(|line| line.values().all(|it| !it.is_null()))
        );
    }
    assert!(!keys(&lines[3]).contains(&"delivery"));
    Ok(())
}

// holds: seeing.json-lines
#[test]
fn every_kind_of_event_has_a_name_and_says_why() -> Tested {
    #[derive(Message)]
    struct Try;
    struct Clumsy;
    #[handlers]
    impl Clumsy {
        #[on_receive]
        fn fail(&mut self, _: &Try) -> Result<(), &'static str> {
            Err("it slips")
        }
    }
    let (mut manager, actor, ear) = recorded();
    let clumsy = manager.spawn((Clumsy,));
    manager.send(clumsy, Try)?;
    assert_eq!(of_kind(&all(&manager), "erred")["why"], "it slips");

    let header = Header::to(ear).after(ms(10)).key("key").build()?;
    manager.post(&header, Note("1"))?;
    manager.post(&header, Note("2"))?;
    manager.cancel(PostKey::from("key"));
    of_kind(&all(&manager), "replaced");
    of_kind(&all(&manager), "cancelled");

    let script = Do::new(move |cx| {
        cx.send(actor, Note("kept")).expect("it is kept");
    });
    manager.send(actor, script)?;
    let lines = all(&manager);
    let why = of_kind(&lines, "waits")["why"].as_str();
    assert!(why.is_some_and(|why| why.contains("is free")), "{why:?}");

    manager.set_enabled(first_hook(&manager, ear), false)?;
    manager.send(ear, Note("disabled"))?;
    assert_eq!(
        of_kind(&all(&manager), "passed over")["why"],
        "it is disabled"
    );

    manager.post(&soon(ear), Note("late"))?;
    manager.despawn(ear)?;
    manager.tick(ms(10));
    assert_eq!(
        of_kind(&all(&manager), "died")["why"],
        "messagee 1v0 is gone"
    );

    assert!(manager.send(ear, Note("refused")).is_err());
    let lines = all(&manager);
    let why = of_kind(&lines, "refused")["why"].as_str();
    assert!(why.is_some_and(|why| why.contains("1v0")), "{why:?}");
    Ok(())
}

// holds: seeing.json-lines
#[test]
fn tags_and_contents_stand_there_by_name() -> Tested {
    let (mut manager, _, ear) = recorded();
    Recorder::new(10).with_contents().start(&mut manager);
    manager.send(ear, Cargo(std::sync::Arc::default()))?;
    let header = Header::to(ear).tags(ALARM).build()?;
    manager.post(&header, Peek("said"))?;
    for line in all(&manager) {
        let tags = line["tags"].as_array().ok_or("it is tagged")?;
        assert_eq!(tags.len(), 1);
        let name = tags[0].as_str().ok_or("a tag has a name")?;
        assert!(name.ends_with("ALARM"), "{name}");
    }
    let contents: Vec<_> = all(&manager)
        .into_iter()
        .filter_map(|line| line["contents"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(contents[1], "Peek(\"said\")");
    Ok(())
}

// holds: seeing.json-lines
#[test]
fn a_line_stays_one_line_whatever_is_in_it() -> Tested {
    const TEXT: &str = "\"quoted\"\\ \n\r\t\u{0} ünï 漢字 🚀 \u{2028}";
    let (mut manager, actor, _) = recorded();
    Recorder::new(10).with_contents().start(&mut manager);
    manager.send(actor, Note(TEXT))?;
    let lines = all(&manager);
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["contents"], format!("Note({TEXT:?})"));
    Ok(())
}

// holds: seeing.json-lines, seeing.recorder-filter
#[test]
fn a_filter_chooses_the_lines() -> Tested {
    let (mut manager, _, ear) = recorded();
    assert!(all(&manager).is_empty());
    manager.send(ear, Note("1"))?;
    manager.send(ear, Peek("2"))?;
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    let notes = lines(&recorder, &TraceFilter::of::<Note>());
    assert_eq!(notes.len(), 4);
    assert!(notes.iter().all(|line| line["message"] == Note::NAME));
    assert!(lines(&Recorder::new(1), &TraceFilter::all()).is_empty());
    Ok(())
}

// holds: seeing.json-lines
#[test]
fn the_causes_can_be_walked_by_the_numbers_alone() -> Tested {
    let (mut manager, actor, ear) = recorded();
    manager.subscribe(Filter::of::<Peek>().before(), move |_, cx| {
        cx.send(ear, Note("last")).expect("it is there");
        ControlFlow::Continue(())
    });
    let header = Header::to(ear).after(ms(20)).build()?;
    let script = Do::new(move |cx| {
        cx.post(&header, Peek("later")).expect("it is accepted");
    });
    manager.send(actor, script)?;
    manager.tick(ms(30));
    let lines = all(&manager);
    let by = |kind: &str, key: &str| -> BTreeMap<u64, &Value> {
        let of_kind = lines.iter().filter(|line| line["event"] == kind);
        of_kind
            .filter_map(|line| Some((line[key].as_u64()?, line)))
            .collect()
    };
    let (sends, calls) = (by("sent", "send"), by("called", "delivery"));
    let last = lines
        .iter()
        .rfind(|line| line["event"] == "called" && line["message"] == Note::NAME);
    let mut at = last.and_then(|line| line["send"].as_u64());
    let mut walked = Vec::new();
    while let Some(send) = at {
        walked.push(sends[&send]["message"].clone());
        let cause = sends[&send]["cause"].as_u64();
        at = cause.and_then(|cause| calls[&cause]["send"].as_u64());
    }
    assert_eq!(walked, [Note::NAME, Peek::NAME, Do::NAME]);
    Ok(())
}

// holds: seeing.json-lines
#[test]
fn every_event_of_any_program_is_a_line() {
    for dice in 0..20 {
        let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
        let begin = |manager: &mut MessageManager| {
            Recorder::new(100_000).with_contents().start(manager);
        };
        let (_, manager) = crate::programs::play(dice, config, true, begin, |_| {});
        let recorder = Recorder::of(&manager).expect("it records");
        assert_eq!(all(&manager).len(), recorder.len());
    }
}
