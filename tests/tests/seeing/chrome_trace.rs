//! The Chrome trace of a recording, parsed back: tracks, slices and arrows.

use std::io;
use std::ops::ControlFlow;

use crate::chrome::{Chrome, chrome_of};
use crate::common::{Actor, Consider, Do, Ear, Log, Note, Peek, Tested, Tour, panic_of, stage};
use crate::pending::ms;
use message_core::PanicPolicy;
use message_core::prelude::*;
use message_trace::{Recorder, TraceFilter};

#[derive(Message, Debug, Clone)]
#[message(name = "Spark")]
struct Spark;

#[derive(Message, Debug)]
#[message(name = "Flame")]
struct Flame;

#[derive(Message, Debug)]
#[message(name = "Smoke")]
struct Smoke;

mnemonic!(ROOF = "ROOF");

/// From a spark it is on fire a while later, and then smokes when it has time to.
struct House;

#[handlers]
impl House {
    #[on_receive]
    fn spark(&mut self, _: &Spark, cx: &mut Context<'_>) -> Result<(), SendError> {
        let header = Header::to(ROOF).after(ms(25)).build();
        cx.post(&header.expect("it is plain"), Flame).map(drop)
    }

    #[on_receive]
    fn flame(&mut self, _: &Flame, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(cx.me(), Smoke).map(drop)
    }

    #[on_receive]
    fn smoke(&mut self, _: &Smoke, _: &mut Context<'_>) {}
}

/// Returns the whole recording.
fn whole(manager: &MessageManager) -> Chrome {
    let recorder = Recorder::of(manager).expect("it records");
    chrome_of(&recorder, &TraceFilter::all())
}

fn recorded() -> (MessageManager, Log, MessageeId) {
    let (mut manager, log, actor) = stage();
    Recorder::new(10_000).with_contents().start(&mut manager);
    (manager, log, actor)
}

// holds: seeing.chrome
#[test]
fn the_arrows_lead_from_the_outermost_send_over_a_delay_and_a_busy_queue_to_the_last_delivery()
-> Tested {
    let mut manager = MessageManager::new();
    let (first, roof) = (manager.spawn((House,)), manager.spawn((House,)));
    manager.bind(ROOF, roof)?;
    Recorder::new(1_000).start(&mut manager);
    manager.send(first, Spark)?;
    for _ in 0..3 {
        manager.tick(ms(10));
    }
    let trace = whole(&manager);
    let from = trace.slice("send Spark", "outside");
    let path = trace.follow(from);
    let tracks = path
        .iter()
        .map(|slice| (&*slice.name, trace.track_of(slice)));
    let expected = [
        ("Spark", "messagee 0v0"),
        ("Flame", "messagee 1v0"),
        ("Smoke", "messagee 1v0"),
    ];
    assert!(tracks.eq(expected), "{path:#?}");
    let [spark, flame, smoke] = path[..] else {
        panic!("three were delivered");
    };
    assert!(from.from <= spark.from && spark.to <= from.to, "at once");
    assert!(spark.to < flame.from, "later");
    assert!(flame.from < smoke.from && smoke.to <= flame.to, "when free");
    let path = path.iter().map(|slice| slice.args["handler"].as_str());
    assert!(path.eq([Some("spark"), Some("flame"), Some("smoke")]));
    Ok(())
}

// holds: seeing.chrome
#[test]
fn there_is_one_track_for_each_messagee_that_has_to_do_with_anything() -> Tested {
    let (mut manager, log, actor) = recorded();
    let ear = manager.spawn((Ear::new("ear", &log), Ear::new("other", &log)));
    manager.send(ear, Note("1"))?;
    manager.speak_for(actor)?.send(ear, Note("2"))?;
    manager.subscribe(Filter::of::<Peek>(), |_, _| {});
    manager.send(Everyone, Peek("3"))?;
    let trace = whole(&manager);
    let names: Vec<_> = trace.tracks.values().map(|name| &**name).collect();
    let expected = [
        "outside",
        "the manager",
        "subscribers",
        "messagee 0v0",
        "messagee 1v0",
    ];
    assert_eq!(names, expected);
    let of_ear = |slice: &&crate::chrome::Slice| trace.track_of(slice) == "messagee 1v0";
    assert_eq!(trace.slices.iter().filter(of_ear).count(), 6);
    Ok(())
}

// holds: seeing.chrome
#[test]
fn a_broadcast_has_an_arrow_to_each_of_its_deliveries() -> Tested {
    let (mut manager, log, _) = recorded();
    for name in ["a", "b", "c"] {
        manager.spawn((Ear::new(name, &log),));
    }
    manager.send(Everyone, Tour::default())?;
    let trace = whole(&manager);
    let tour = format!("send {}", Tour::NAME);
    let reached = trace.leads_to(trace.slice(&tour, "outside"));
    assert_eq!(reached.len(), 4);
    assert!(reached.iter().all(|slice| slice.name == Tour::NAME));
    Ok(())
}

// holds: seeing.chrome
#[test]
fn a_slice_tells_of_its_delivery_in_its_arguments() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.send(actor, Note("said"))?;
    let trace = whole(&manager);
    let args = &trace.slice(Note::NAME, "messagee 0v0").args;
    assert_eq!(args["delivery"], 2);
    assert_eq!(args["send"], 1);
    assert_eq!(args["handler"], "note");
    assert_eq!(args["sender"], "outside");
    assert_eq!(args["contents"], "Note(\"said\")");
    assert_eq!(args["frame"], 0);
    let place = args["place"].as_str().ok_or("it has a place")?;
    assert!(place.contains("chrome_trace.rs:"), "{place}");
    Ok(())
}

// holds: seeing.chrome
#[test]
fn each_frame_is_marked_once() -> Tested {
    let (mut manager, _, actor) = recorded();
    for _ in 0..3 {
        manager.send(actor, Note("1"))?;
        manager.send(actor, Note("2"))?;
        manager.tick(ms(10));
    }
    let trace = whole(&manager);
    let frames = trace.instants.iter().filter(|(_, scope)| scope == "g");
    let frames: Vec<_> = frames.map(|(name, _)| &**name).collect();
    assert_eq!(frames, ["frame 0", "frame 1", "frame 2"]);
    Ok(())
}

// holds: seeing.chrome
#[test]
fn what_is_not_delivered_is_an_instant_that_says_why() -> Tested {
    let (mut manager, log, actor) = recorded();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let hook = crate::common::first_hook(&manager, ear);
    manager.set_enabled(hook, false)?;
    manager.send(ear, Note("disabled"))?;
    manager.subscribe(Filter::of::<Peek>().before(), |_, _| ControlFlow::Break(()));
    manager.send(
        actor,
        Do::new(move |cx| {
            cx.send(actor, Note("kept")).expect("it is kept");
        }),
    )?;
    let ticket = manager.post(&crate::pending::soon(ear), Note("cancelled"))?;
    manager.cancel(ticket);
    assert!(manager.send(ROOF, Note("refused")).is_err());
    let trace = whole(&manager);
    let instants = trace.instants.iter().filter(|(_, scope)| scope == "t");
    let all: Vec<_> = instants.map(|(name, _)| &**name).collect();
    for part in ["it is disabled", "waits until", " cancelled", "refused: "] {
        let found = all.iter().filter(|name| name.contains(part)).count();
        assert_eq!(found, 1, "{part} in {all:#?}");
    }
    Ok(())
}

// holds: seeing.chrome
#[test]
fn quotes_line_ends_and_letters_of_all_scripts_survive() -> Tested {
    const TEXT: &str = "\"quoted\"\\ \n\r\t\u{0} ünï 漢字 🚀 \u{2028}";
    #[derive(Message, Debug)]
    #[message(name = "na\"me\n漢\\字")]
    struct Odd(#[allow(dead_code, reason = "it is printed")] &'static str);

    struct Shown;
    impl std::fmt::Debug for Shown {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(TEXT)
        }
    }
    #[derive(Message, Debug)]
    struct Raw(#[allow(dead_code, reason = "it is printed")] Shown);

    struct Receives;
    #[handlers]
    impl Receives {
        #[on_receive]
        fn odd(&mut self, _: &Odd) {}
        #[on_receive]
        fn raw(&mut self, _: &Raw) -> Result<(), String> {
            Err(TEXT.to_owned())
        }
    }
    let (mut manager, ..) = recorded();
    let id = manager.spawn((Receives,));
    manager.send(id, Odd(TEXT))?;
    manager.send(id, Raw(Shown))?;
    let trace = whole(&manager);
    let odd = trace.slice(Odd::NAME, "messagee 1v0");
    assert_eq!(odd.args["contents"], format!("Odd({TEXT:?})"));
    let raw = trace.slice(Raw::NAME, "messagee 1v0");
    assert_eq!(raw.args["contents"], format!("Raw({TEXT})"));
    let failed = trace.instants.iter().find(|(name, _)| name.contains(TEXT));
    assert!(failed.is_some(), "{:?}", trace.instants);
    Ok(())
}

// holds: seeing.chrome
#[test]
fn an_empty_recording_is_a_trace_without_events() {
    let trace = chrome_of(&Recorder::new(10), &TraceFilter::all());
    assert!(trace.slices.is_empty() && trace.starts.is_empty());
    assert!(trace.instants.is_empty());
}

// holds: seeing.chrome
#[test]
fn a_delivery_that_panicked_is_a_slice_that_says_so() -> Tested {
    for policy in [PanicPolicy::Propagate, PanicPolicy::Unhook] {
        let log = Log::default();
        let config = ManagerConfig::new().panic_policy(policy);
        let mut manager = MessageManager::with_config(config);
        let actor = manager.spawn((Actor::new("actor", &log),));
        Recorder::new(100).start(&mut manager);
        let script = Do::new(|cx| {
            cx.send(Everyone, Spark).expect("nobody is there");
            panic!("oops");
        });
        if policy == PanicPolicy::Propagate {
            panic_of(|| manager.send(actor, script));
        } else {
            manager.send(actor, script)?;
        }
        manager.send(Everyone, Smoke)?;
        let trace = whole(&manager);
        let slice = trace.slice(Do::NAME, "messagee 0v0");
        assert_eq!(slice.args["outcome"], "#2 panicked");
        let next = trace.slice("send Smoke", "outside");
        assert!(slice.to < next.from);
    }
    Ok(())
}

// holds: seeing.chrome
#[test]
fn a_recording_that_is_taken_up_again_is_one_trace() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.send(actor, Note("1"))?;
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    manager.send(actor, Note("not recorded"))?;
    recorder.start(&mut manager);
    manager.send(actor, Peek("2"))?;
    let trace = whole(&manager);
    let first = trace.slice(Note::NAME, "messagee 0v0");
    let second = trace.slice(Peek::NAME, "messagee 0v0");
    assert!(first.to < second.from);
    Ok(())
}

// holds: seeing.chrome
#[test]
fn it_can_be_written_whenever_nothing_runs_and_as_often_as_wanted() -> Tested {
    let (mut manager, _, actor) = recorded();
    for sent in 1..4 {
        manager.send(actor, Consider::new(|_| {}))?;
        assert_eq!(whole(&manager).slices.len(), 2 * sent);
        assert_eq!(whole(&manager).starts.len(), sent);
    }
    Ok(())
}

#[test]
fn an_error_of_the_writer_is_returned() -> Tested {
    struct Full(usize);
    impl io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self
                .0
                .checked_sub(bytes.len())
                .ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (mut manager, _, actor) = recorded();
    manager.send(actor, Note("1"))?;
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    for room in [0, 10, 100, 500] {
        let wrote = message_trace::write_chrome_trace(&recorder, &TraceFilter::all(), Full(room));
        let error = wrote.expect_err("there is no room");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let wrote = message_trace::write_json_lines(&recorder, &TraceFilter::all(), Full(room));
        assert!(wrote.is_err());
    }
    Ok(())
}

// Random programs: everything that `chrome_of` checks.

// holds: seeing.chrome
#[test]
fn the_trace_of_any_program_is_sound_whole_truncated_or_filtered() {
    let filters = [
        TraceFilter::all(),
        TraceFilter::of::<crate::programs::Turn>(),
        TraceFilter::of::<crate::programs::Ask>().or_of::<crate::programs::Round>(),
        TraceFilter::all().tagged(crate::programs::LOUD),
    ];
    for dice in 0..30 {
        for (policy, capacity) in [
            (PanicPolicy::Propagate, 100_000),
            (PanicPolicy::Unhook, 100_000),
            (PanicPolicy::Unhook, 1),
            (PanicPolicy::Unhook, 37),
        ] {
            let config = ManagerConfig::new().panic_policy(policy).max_depth(12);
            let begin = |manager: &mut MessageManager| {
                Recorder::new(capacity).start(manager);
            };
            let (_, manager) = crate::programs::play(dice, config, true, begin, |_| {});
            let recorder = Recorder::of(&manager).expect("it records");
            for filter in &filters {
                chrome_of(&recorder, filter);
            }
            for id in manager.messagees().take(2) {
                chrome_of(&recorder, &TraceFilter::all().involving(id));
            }
        }
    }
}
