//! Several sinks at one manager.

use crate::common::{Actor, Do, Log, Note, Tested};
use crate::pending::heard;
use message_core::TraceId;
use message_core::prelude::*;
use message_core::registry::MessageIndex;
use message_core::trace::{TraceEvent, TraceSink, Traced};
use message_trace::{Recorder, describe};

/// Keeps the lines of the first events that it has room for.
#[derive(Default)]
struct Lines {
    texts: Vec<String>,
    room: usize,
    calls: usize,
    contents: bool,
}

impl Lines {
    fn new(room: usize) -> Self {
        Self {
            room,
            ..Self::default()
        }
    }
}

impl TraceSink for Lines {
    fn event(&mut self, event: TraceEvent) {
        self.texts.push(describe(&event));
    }

    fn is_full(&self) -> bool {
        self.texts.len() >= self.room
    }

    fn wants_contents(&self) -> bool {
        self.contents
    }

    fn called(&mut self, _: MessageIndex) {
        self.calls += 1;
    }
}

fn lines_of(recorder: &Recorder) -> Vec<String> {
    recorder.events().map(describe).collect()
}

// holds: seeing.sinks
#[test]
fn sinks_of_different_types_get_the_same_events() -> Tested {
    let (mut manager, _, actor, _) = heard();
    assert!(manager.set_trace_sink(Some(Lines::new(100))).is_none());
    Recorder::new(100).start(&mut manager);
    manager.send(actor, Note("both"))?;
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    manager.send(actor, Note("one"))?;
    let sink: Lines = manager.set_trace_sink(None).ok_or("it was set")?;
    manager.send(actor, Note("none"))?;
    assert_eq!(recorder.len(), 4);
    assert_eq!(sink.texts[..4], lines_of(&recorder));
    assert_eq!((sink.texts.len(), sink.calls), (8, 2));
    Ok(())
}

// holds: seeing.sinks
#[test]
fn a_second_sink_of_a_type_replaces_the_first() -> Tested {
    let (mut manager, _, actor, _) = heard();
    manager.set_trace_sink(Some(Lines::new(100)));
    manager.send(actor, Note("first"))?;
    let first = manager.set_trace_sink(Some(Lines::new(100)));
    manager.send(actor, Note("second"))?;
    let first = first.ok_or("it was set")?;
    let second = manager.trace_sink::<Lines>().ok_or("it is set")?;
    assert_eq!((first.texts.len(), second.texts.len()), (4, 4));
    assert!(manager.trace_sink::<Recorder>().is_none());
    Ok(())
}

// holds: seeing.sinks
#[test]
fn while_a_sink_is_borrowed_only_the_others_get_events() -> Tested {
    let mut manager = MessageManager::new();
    let actor = manager.spawn((Actor::new("actor", &Log::default()),));
    manager.set_trace_sink(Some(Lines::new(100)));
    Recorder::new(100).start(&mut manager);
    manager.send(
        actor,
        Do::new(|cx| {
            let lines = cx.trace_sink::<Lines>().expect("it is set");
            // Leaked, since the guard borrows the context, which has to send.
            std::mem::forget(lines);
            assert!(cx.trace_sink::<Lines>().is_some(), "it can still be read");
            cx.send(Everyone, Note("unseen"))
                .expect("nobody refuses it");
        }),
    )?;
    let is_seen = |lines: &[String]| lines.iter().any(|line| line.contains("Note"));
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    assert!(is_seen(&lines_of(&recorder)));
    let lines: Lines = manager.set_trace_sink(None).ok_or("it was set")?;
    assert!(!is_seen(&lines.texts));
    Ok(())
}

// holds: seeing.sinks
#[test]
fn no_events_are_made_while_all_sinks_are_full() -> Tested {
    let (mut manager, _, actor, _) = heard();
    manager.set_trace_sink(Some(Lines::new(4)));
    manager.send(actor, Note("fits"))?;
    manager.send(actor, Note("does not"))?;
    // With a second sink there are events again, which the full one gets as well.
    Recorder::new(100).start(&mut manager);
    manager.send(actor, Note("fits there"))?;
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    let numbers = recorder.events().filter_map(|event| event.send);
    assert_eq!(numbers.max().map(TraceId::get), Some(3));
    manager.send(actor, Note("fits nowhere"))?;
    let lines: Lines = manager.set_trace_sink(None).ok_or("it was set")?;
    assert_eq!((lines.texts.len(), lines.calls), (8, 4));
    Ok(())
}

// holds: seeing.sinks
#[test]
fn contents_are_printed_if_a_sink_wants_them() -> Tested {
    let (mut manager, _, actor, _) = heard();
    Recorder::new(100).start(&mut manager);
    manager.send(actor, Note("unprinted"))?;
    let contents = true;
    manager.set_trace_sink(Some(Lines {
        contents,
        ..Lines::new(100)
    }));
    manager.send(actor, Note("printed"))?;
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    let printed = recorder.events().filter_map(|event| match &event.what {
        Traced::Sent { contents, .. } => Some(contents.as_deref()),
        _ => None,
    });
    assert!(printed.eq([None, Some("Note(\"printed\")")]));
    Ok(())
}
