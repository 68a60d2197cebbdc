//! Causes of messages at another node.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::trace::{BackFrom, TraceEvent, TraceId, Traced};
use message_data::Data;
use message_data::ask::{Answered, Ask};
use message_trace::{Explanation, Recorder, TraceFilter, emit_tracing_events};
use serde::{Deserialize, Serialize};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::common::{
    Ear, Fails, GetHeard, Long, Net, Note, Unaccepted, accept_all, heard, note_all, two,
};

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

    #[on_receive]
    fn heard(&mut self, _: &Answered<GetHeard>) {}

    #[on_receive]
    fn failed(&mut self, _: &Answered<Fails>) {}
}

/// Answers a question by asking another messagee the same.
struct Relay(MessageeId);

#[handlers]
impl Relay {
    #[on_receive]
    fn relay(&mut self, _: &GetHeard, cx: &mut Context<'_>) -> Option<Vec<u32>> {
        cx.request(self.0, GetHeard).ok()
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
        assert!(of.place.contains(&line), "{of:?}");
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
    // A cause has six bytes, and a message with a cause is an entry of its own.
    assert!(
        traced < silent + 100 * (7 + 7) + 100,
        "{traced} bytes, {silent} without causes: the line is named once"
    );
    record(&mut net, &[b]);
    let again = sent_in(&mut net, 100);
    assert!(
        again < silent + 100 * (7 + 7) + 100,
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

/// Returns what came back from another node.
fn back(why: &Explanation) -> Option<&BackFrom> {
    why.chain.iter().find_map(|event| match &event.what {
        Traced::CameBack { from } => Some(from),
        _ => None,
    })
}

/// Returns the frame in which a delivery began.
fn frame(recorder: &Recorder, delivery: TraceId) -> u64 {
    let mut events = recorder.events();
    let called = events.find(|event| event.begun() == Some(delivery));
    called.expect("it was recorded").moment.frame
}

/// Returns the line of source of a handler.
fn line_of<M: Message>(method: &str) -> String {
    let mut handlers = message_core::registry().handlers_of(M::ID);
    let handler = handlers.find(|it| it.method == method).expect("declared");
    handler.place.to_string()
}

// holds: net.answers-lead-back
#[test]
fn explain_leads_from_an_answer_to_the_handler_on_the_other_node_and_to_the_question() {
    let (mut net, a, b) = two();
    let (watchman, ear, gate) = watch(&mut net, a, b);
    let relay = net.manager(b).spawn((Relay(ear),));
    net.places[b].export(relay, "relay");
    let relay = net.places[a].import("b/relay");
    net.run(5);
    record(&mut net, &[a, b]);
    let soon = Duration::from_secs(2);
    let mut from = net.manager(a).speak_for(watchman).expect("alive");
    let asked = line!() + 1;
    from.ask(gate, GetHeard).within(soon).expect("asked");
    from.ask(gate, Fails).within(soon).expect("asked");
    from.ask(relay, GetHeard).within(soon).expect("asked");
    net.run(5);
    let (at_a, at_b) = (stop(&mut net, a), stop(&mut net, b));

    let heard = deliveries::<Answered<GetHeard>>(&at_a);
    let failed = deliveries::<Answered<Fails>>(&at_a);
    let at_ear = deliveries::<GetHeard>(&at_b);
    // The last one is that of the ear, whom the relay asks.
    assert_eq!((heard.len(), failed.len(), at_ear.len()), (2, 1, 3));
    let expected = [
        (heard[0], at_ear[0], line_of::<GetHeard>("heard")),
        (
            failed[0],
            deliveries::<Fails>(&at_b)[0],
            line_of::<Fails>("fails"),
        ),
        (heard[1], at_ear[1], line_of::<GetHeard>("relay")),
    ];
    for (at, (answered, handled, line)) in (0..).zip(expected) {
        let why = at_a.explain(answered).expect("it was recorded");
        let from = back(&why).expect("it came back");
        let there = (&*from.manager, from.number, from.frame);
        assert_eq!(
            there,
            ("b", Some(handled.get()), frame(&at_b, handled)),
            "{why}"
        );
        assert_eq!(from.place.as_deref(), Some(&*line), "{why}");
        assert!(why.unknown_cause.is_none());
        let text = why.to_string();
        let question = format!("tests/net/causes.rs:{}:", asked + at);
        assert!(
            text.lines().next().is_some_and(|it| it.contains(&question)),
            "{text}"
        );
        assert_eq!(from.why.is_some(), at == 1, "{text}");
        assert_eq!(
            text.contains("a handler failed: it always does"),
            at == 1,
            "{text}"
        );
    }
}

// holds: net.answers-lead-back
#[test]
fn an_answer_to_a_question_that_was_not_traced_does_not_lead_back() {
    let (mut net, a, b) = two();
    let (watchman, _, gate) = watch(&mut net, a, b);
    let ask = |net: &mut Net| {
        let before = net.places[b].node().session_counters().bytes_sent;
        let mut from = net.manager(a).speak_for(watchman).expect("alive");
        for _ in 0..100 {
            let asked = from.ask(gate, GetHeard).within(Duration::from_secs(2));
            asked.expect("asked");
        }
        net.run(5);
        net.places[b].node().session_counters().bytes_sent - before
    };
    for _ in 0..3 {
        // From now on, the number of each question has three bytes.
        ask(&mut net);
    }
    let silent = ask(&mut net);
    record(&mut net, &[b]);
    let untraced = ask(&mut net);
    assert!(
        untraced.abs_diff(silent) < 50,
        "less than a byte for each answer"
    );
    let _ = stop(&mut net, b);
    // The node that answers is not traced: what is known is its frame.
    record(&mut net, &[a]);
    ask(&mut net);
    let at_a = stop(&mut net, a);
    let answered = deliveries::<Answered<GetHeard>>(&at_a);
    assert_eq!(answered.len(), 100);
    let why = at_a.explain(answered[99]).expect("it was recorded");
    let from = back(&why).expect("it came back");
    assert!(
        from.frame > 0 && from.number.is_none() && from.place.is_none(),
        "{why}"
    );
}

// holds: net.dead-letters-lead-back
#[test]
fn a_dead_letter_leads_to_the_line_that_sent_it_and_to_the_node_that_has_refused_it() {
    let mut net = Net::new();
    let a = net.add("a", |config| accept_all(config).max_message(1_000));
    let b = net.add("b", accept_all);
    let (_, _, gate) = watch(&mut net, a, b);
    note_all(net.manager(a), |letter: &DeadLetter| letter.why.to_string());
    record(&mut net, &[a, b]);
    let (note, long) = (Unaccepted(1), Long(vec![0; 2_000]));
    let line = line!() + 1;
    net.manager(a).send(gate, note).expect("sent");
    // This one does not leave.
    net.manager(a).send(gate, long).expect("sent");
    net.run(5);
    let at_a = stop(&mut net, a);
    let letters = deliveries::<DeadLetter>(&at_a);
    let letters = letters
        .iter()
        .map(|&it| at_a.explain(it).expect("recorded"));
    let letters: Vec<Explanation> = letters.collect();
    assert_eq!(letters.len(), 2);
    let is_long = |why: &&Explanation| why.chain[0].message == Long::NAME;
    for (why, line) in [
        (letters.iter().find(|it| !is_long(it)).expect("one"), line),
        (letters.iter().find(is_long).expect("one"), line + 2),
    ] {
        let text = why.to_string();
        let sent = format!("tests/net/causes.rs:{line}:");
        assert!(
            text.lines().next().is_some_and(|it| it.contains(&sent)),
            "{text}"
        );
        let Some(from) = back(why) else {
            assert!(is_long(&why), "{text}");
            // The outcome of the send is the dead letter.
            let sent = why.chain[0].send.expect("it has a number");
            let sent = at_a.explain(sent).expect("recorded").to_string();
            assert!(sent.contains("dead letter: it has 200"), "{sent}");
            continue;
        };
        assert_eq!(&*from.manager, "b");
        assert!(from.frame > 0, "{text}");
        let refused = format!("in frame {} there: node `b` does not accept", from.frame);
        assert!(text.contains(&refused), "{text}");
        let mut lines = Vec::new();
        let written = message_trace::write_json_lines(&at_a, &TraceFilter::all(), &mut lines);
        written.expect("a buffer takes all");
        let lines = String::from_utf8(lines).expect("text");
        let line = lines.lines().find(|it| it.contains("\"came back\""));
        let line = line.expect("it is written");
        assert!(line.contains("\"from\":\"b\"") && line.contains(&from.frame.to_string()));
    }
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
