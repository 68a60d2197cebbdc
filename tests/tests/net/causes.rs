//! Causes of messages at another node.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use message_core::prelude::*;
use message_core::trace::{TraceEvent, TraceId, Traced};
use message_data::Data;
use message_data::ask::Ask;
use message_trace::{Recorder, TraceFilter, emit_tracing_events};
use serde::{Deserialize, Serialize};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::common::{Ear, GetHeard, Net, Note, heard, two};

/// Tells a messagee of another node of each alarm.
#[derive(Default)]
struct Watchman {
    gate: Option<MessageeId>,
}

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "net.Alarm", exact)]
struct Alarm(u32);

const TELLS: u32 = line!() + 8;

#[handlers]
impl Watchman {
    #[on_receive]
    fn alarm(&mut self, alarm: &Alarm, cx: &mut Context<'_>) -> Result<(), SendError> {
        for number in 0..alarm.0 {
            let Some(gate) = self.gate else { continue };
            cx.send(gate, Note(number))?;
        }
        Ok(())
    }
}

/// Adds a watchman at `a`, and an ear at `b` that he tells.
fn watch(net: &mut Net, a: usize, b: usize) -> (MessageeId, MessageeId, MessageeId) {
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    net.run(10);
    let watchman = net.manager(a).spawn((Watchman { gate: Some(gate) },));
    (watchman, ear, gate)
}

fn record(net: &mut Net, places: &[usize]) {
    for &at in places {
        Recorder::new(10_000).start(net.manager(at));
    }
}

fn stop(net: &mut Net, at: usize) -> Recorder {
    Recorder::stop(net.manager(at)).expect("it was started")
}

/// Returns the numbers of the deliveries of a message.
fn deliveries<M: Message>(recorder: &Recorder) -> Vec<TraceId> {
    let of_type = TraceFilter::of::<M>();
    let events = recorder.select(&of_type);
    let called = |event: &TraceEvent| match event.what {
        Traced::Called { delivery, .. } => Some(delivery),
        _ => None,
    };
    events.filter_map(called).collect()
}

/// Returns the numbers of sends at `a` from which deliveries at `b` have come.
fn origins(recorder: &Recorder) -> Vec<(u64, String)> {
    let events = recorder.events();
    let arrived = events.filter_map(|event| match &event.what {
        Traced::Arrived { of } => Some((of.send, of.place.to_string())),
        _ => None,
    });
    arrived.collect()
}

// holds: net.causes
#[test]
fn explain_on_one_node_leads_to_the_line_of_source_on_the_other() {
    let (mut net, a, b) = two();
    let (watchman, ear, _) = watch(&mut net, a, b);
    record(&mut net, &[a, b]);
    net.manager(a).send(watchman, Alarm(3)).expect("alive");
    net.run(5);
    assert_eq!(heard(net.manager(b), ear), [0, 1, 2]);
    let (at_a, at_b) = (stop(&mut net, a), stop(&mut net, b));

    let line = format!("tests/net/causes.rs:{TELLS}:");
    let received = deliveries::<Note>(&at_b);
    assert_eq!(received.len(), 3);
    let mut sends = Vec::new();
    for delivery in received {
        let why = at_b.explain(delivery).expect("it was recorded");
        assert!(why.unknown_cause.is_none());
        let Traced::Arrived { of } = &why.chain[0].what else {
            panic!("{why}");
        };
        assert_eq!(&*of.manager, "a");
        assert!(of.place.contains(&line), "{of}");
        let text = why.to_string();
        let arrived = format!(
            "`{}` has arrived: #{} of `a`, sent at ",
            Note::NAME,
            of.send
        );
        assert!(text.contains(&arrived) && text.contains(&line), "{text}");
        sends.push(of.send);
    }
    // There, the number leads to the alarm.
    let notes = TraceFilter::of::<Note>();
    let sent = at_a.select(&notes);
    let sent: Vec<TraceId> = sent.filter_map(TraceEvent::begun).collect();
    assert!(sent.iter().map(|sent| sent.get()).eq(sends), "{sent:?}");
    let why = at_a.explain(sent[2]).expect("it was recorded").to_string();
    assert!(why.contains("Alarm` sent by outside"), "{why}");
}

// holds: net.causes
#[test]
fn posts_and_questions_have_their_causes_too() {
    let (mut net, a, b) = two();
    let (watchman, _, gate) = watch(&mut net, a, b);
    record(&mut net, &[a, b]);
    let soon = Header::to(gate).after_frames(2);
    net.manager(a).post(soon, Note(1)).expect("sent");
    let mut from = net.manager(a).speak_for(watchman).expect("alive");
    let asked = from.ask(gate, GetHeard).within(Duration::from_secs(2));
    asked.expect("there is a node");
    net.run(6);
    let at_b = stop(&mut net, b);
    let posted = deliveries::<Note>(&at_b);
    let asked = deliveries::<GetHeard>(&at_b);
    for delivery in [posted[0], asked[0]] {
        let why = at_b.explain(delivery).expect("it was recorded").to_string();
        assert!(why.contains("of `a`, sent at "), "{why}");
        assert!(why.contains("tests/net/causes.rs:"), "{why}");
    }
}

// holds: net.causes
#[test]
fn only_a_traced_sender_tells_causes_and_each_line_is_named_once() {
    let (mut net, a, b) = two();
    let (watchman, ear, _) = watch(&mut net, a, b);
    let sent_in = |net: &mut Net, alarm: u32| {
        let before = net.places[a].node().session_counters().bytes_sent;
        net.manager(a).send(watchman, Alarm(alarm)).expect("alive");
        net.run(1);
        let sent = net.places[a].node().session_counters().bytes_sent - before;
        net.run(3);
        sent
    };
    let silent = sent_in(&mut net, 100);
    // The receiver traces, and the sender does not.
    record(&mut net, &[b]);
    let untraced = sent_in(&mut net, 100);
    // Frames differ in their acknowledgements.
    assert!(
        untraced.abs_diff(silent) < 50,
        "less than a byte for each message"
    );
    let at_b = stop(&mut net, b);
    assert!(origins(&at_b).is_empty());
    assert_eq!(deliveries::<Note>(&at_b).len(), 100);
    // The sender traces, and the receiver does not: it learns the lines all the same.
    record(&mut net, &[a]);
    let traced = sent_in(&mut net, 100);
    assert!(
        traced < silent + 100 * 7 + 100,
        "{traced} bytes, {silent} without causes: the line is named once"
    );
    record(&mut net, &[b]);
    let again = sent_in(&mut net, 100);
    assert!(
        again < silent + 100 * 7 + 100,
        "{again} bytes, {silent} without causes"
    );
    let origins = origins(&stop(&mut net, b));
    assert_eq!(origins.len(), 100);
    let line = format!("tests/net/causes.rs:{TELLS}:");
    assert!(
        origins.iter().all(|(_, place)| place.contains(&line)),
        "{origins:?}"
    );
    assert!(
        origins.is_sorted_by(|a, b| a.0 < b.0),
        "each has its own number"
    );
    assert_eq!(heard(net.manager(b), ear).len(), 400);
}

// holds: net.causes
#[test]
fn a_new_session_names_the_lines_again() {
    let (mut net, a, b) = two();
    let (watchman, ..) = watch(&mut net, a, b);
    record(&mut net, &[a, b]);
    net.manager(a).send(watchman, Alarm(1)).expect("alive");
    net.run(5);
    net.network
        .cut(&[crate::common::name("a")], &[crate::common::name("b")]);
    net.run(250);
    net.network.heal();
    net.run(50);
    net.manager(a).send(watchman, Alarm(1)).expect("alive");
    net.run(5);
    let origins = origins(&stop(&mut net, b));
    let line = format!("tests/net/causes.rs:{TELLS}:");
    assert_eq!(origins.len(), 2);
    assert!(
        origins.iter().all(|(_, place)| place.contains(&line)),
        "{origins:?}"
    );
}

/// Collects the fields of events for the crate `tracing`.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<BTreeMap<&'static str, String>>>>);

impl Subscriber for Collector {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        struct Fields(BTreeMap<&'static str, String>);
        impl Visit for Fields {
            fn record_str(&mut self, field: &Field, value: &str) {
                self.0.insert(field.name(), value.to_owned());
            }

            fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
                self.0.insert(field.name(), format!("{value:?}"));
            }
        }
        let mut fields = Fields(BTreeMap::new());
        event.record(&mut fields);
        self.0.lock().expect("no panic").push(fields.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

// holds: net.trace-context, seeing.trace-context
#[test]
fn a_trace_goes_on_at_the_other_node() {
    let (mut net, a, b) = two();
    let (watchman, ..) = watch(&mut net, a, b);
    for at in [a, b] {
        emit_tracing_events(net.manager(at), true);
    }
    let collector = Collector::default();
    tracing::subscriber::with_default(collector.clone(), || {
        net.manager(a).send(watchman, Alarm(1)).expect("alive");
        net.manager(a).send(watchman, Alarm(1)).expect("alive");
        net.run(5);
    });
    let events = std::mem::take(&mut *collector.0.lock().expect("no panic"));
    // Returns the trace, the span and the span of the cause of the events that begin so.
    let steps = |message: &str, text: &str| {
        let of_message = events.iter().filter(|it| it["name"] == message);
        let steps = of_message.filter(|it| it["message"].contains(text));
        let ids = steps.map(|it| {
            let ids: Vec<&str> = it["traceparent"].split('-').collect();
            let [version, trace, span, flags] = ids[..] else {
                panic!("{ids:?}");
            };
            assert_eq!((version, flags), ("00", "01"));
            assert_eq!((trace.len(), span.len()), (32, 16));
            let parent = it.get("parent_span").map(String::as_str);
            (trace.to_owned(), span.to_owned(), parent.map(str::to_owned))
        });
        ids.collect::<Vec<_>>()
    };
    let alarms = steps(Alarm::NAME, " sent by outside");
    assert_eq!(alarms.len(), 2);
    assert_ne!(alarms[0].0, alarms[1].0, "each begins a trace");
    // Those of the watchman, and those of his proxy.
    let notes = steps(Note::NAME, " sent by messagee ");
    for (at, alarm) in alarms.iter().enumerate() {
        assert_eq!(alarm.2, None);
        let mut parent = &alarm.1;
        let chain = [
            steps(Alarm::NAME, " received by `"),
            notes[..2].to_vec(),
            steps(Note::NAME, " has arrived: "),
            notes[2..].to_vec(),
            steps(Note::NAME, " received by `"),
        ];
        for step in &chain {
            assert_eq!(step[at].0, alarm.0, "{events:#?}");
            assert_eq!(step[at].2.as_ref(), Some(parent), "{events:#?}");
            parent = &step[at].1;
        }
    }
}
