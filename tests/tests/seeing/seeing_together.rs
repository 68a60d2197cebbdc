//! Tracing together with mailboxes, the inlet, keys, limits and panics: traces stay correct where
//! the parts meet.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;

use crate::chrome::chrome_of;
use crate::common::{Do, Note, Peek, Tested, Who, slot, stage};
use crate::inlets::{STEP, at, framed_with, to};
use crate::traces::{explain, recorded, told};
use message_core::PanicPolicy;
use message_core::Recipient::Me;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::trace::{SentBy, Traced};
use message_core::{PostKey, TraceId};
use message_trace::{Recorder, TraceFilter};

// With mailboxes.

// holds: seeing.numbers
#[test]
fn each_mail_has_the_number_of_its_own_publish_however_often_tracing_is_switched() -> Tested {
    let (mut manager, _, actor) = stage();
    let other = manager.spawn(());
    for many in [1, 2, 40] {
        let mut numbers = Vec::new();
        for round in 0..6 {
            if round % 2 == 0 {
                Recorder::stop(&mut manager);
            } else {
                Recorder::new(10_000).start(&mut manager);
            }
            for at in 0..many {
                let to = if at % 3 == 0 { actor } else { other };
                manager.publish(to, Note("note"))?;
            }
            if round % 2 == 0 {
                numbers.extend((0..many).map(|_| None));
            } else {
                // One that fails has a number too.
                let gone = manager.spawn(());
                manager.despawn(gone)?;
                assert!(manager.publish(gone, Note("gone")).is_err());
                let sends = told(&manager).sends::<Note>();
                let (refused, sends) = sends.split_last().ok_or("it was sent")?;
                assert_eq!(refused.by, SentBy::Publish);
                numbers.extend(sends.iter().map(|send| Some(send.number)));
                manager.publish(other, Note("behind"))?;
                let last = told(&manager).sends::<Note>().pop().ok_or("it was sent")?;
                assert!(last.number > refused.number);
                numbers.push(Some(last.number));
            }
        }
        Recorder::stop(&mut manager);
        manager.tick(STEP);
        let inbox = manager.inbox::<Note>();
        let found: Vec<_> = inbox.iter().map(|mail| mail.trace_id()).collect();
        assert_eq!(found, numbers);
        let any = manager.inbox_any();
        let found: Vec<_> = any.iter().map(|mail| mail.trace_id()).collect();
        assert_eq!(found, numbers);
        // From one place in memory or from many, by its recipient.
        let all = inbox.iter().filter(|mail| mail.recipient() == actor.into());
        let all: Vec<_> = all.map(|mail| mail.trace_id()).collect();
        let own: Vec<_> = inbox.to(actor).iter().map(|mail| mail.trace_id()).collect();
        assert_eq!(own, all);
    }
    Ok(())
}

// holds: seeing.causes-go-along, seeing.cause-of-letter
#[test]
fn explain_leads_through_a_mailbox_to_the_delivery_that_published() -> Tested {
    let (mut manager, log, actor) = recorded();
    let ear = manager.spawn((crate::common::Ear::new("ear", &log),));
    let publish = Do::new(move |cx| cx.publish(actor, Peek("mail")).expect("it is alive"));
    manager.send(actor, publish)?;
    manager.tick(STEP);
    let react = Do::new(move |cx| {
        for mail in cx.inbox::<Peek>().to(Me) {
            cx.with_cause(mail.trace_id(), |cx| cx.send(ear, Note("read")))
                .expect("it is alive");
        }
    });
    manager.send(actor, react)?;
    assert_eq!(log.take(), ["ear: read"]);
    let told = told(&manager);
    let why = explain(&manager, told.delivery::<Note>()).ok_or("it was recorded")?;
    let links: Vec<_> = why.chain.iter().map(|event| event.message).collect();
    let (doing, peek, note) = (Do::NAME, Peek::NAME, Note::NAME);
    assert_eq!(links, [doing, doing, peek, note, note]);
    assert_eq!(why.unknown_cause, None);
    chrome_of(
        &*Recorder::of(&manager).ok_or("it records")?,
        &TraceFilter::all(),
    );
    Ok(())
}

// With delays, repeats and keys.

/// Posts its beat again each time, as long as it lives.
struct Heart(Option<TraceId>);

#[derive(Message)]
struct Beat;

#[handlers]
impl Heart {
    #[on_receive]
    fn beat(&mut self, _: &Beat, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.0 = cx.trace_id();
        cx.post(&at(Stage::Update, Me), Beat).map(drop)
    }
}

// holds: seeing.explain-chain
#[test]
fn the_explanation_of_what_leads_to_itself_for_long_takes_a_line_for_each_link() -> Tested {
    let mut manager = MessageManager::new();
    let heart = manager.spawn((Heart(None),));
    Recorder::new(100_000).start(&mut manager);
    manager.send(heart, Beat)?;
    for _ in 0..3_000 {
        manager.tick(STEP);
    }
    let last = manager.get::<Heart>(heart)?.0.ok_or("it was traced")?;
    let why = explain(&manager, last).ok_or("it was recorded")?;
    assert_eq!(why.chain.len(), 6_002);
    let text = why.to_string();
    let long = text
        .lines()
        .map(str::len)
        .max()
        .ok_or("it says something")?;
    assert!(long < 400, "{long}");
    assert_eq!(text.lines().count(), 6_003);
    Ok(())
}

/// Cancels its repeating post at the third delivery, and panics at the second.
struct Alarm(u32);

#[derive(Message, Debug)]
struct Ring;

#[handlers]
impl Alarm {
    #[on_receive]
    fn ring(&mut self, _: &Ring, cx: &mut Context<'_>) {
        self.0 += 1;
        assert!(self.0 != 2, "too loud");
        if self.0 == 3 {
            let bell = PostKey::from("bell").shared();
            assert!(cx.has_pending(bell));
            assert_eq!(cx.cancel(bell), 1);
            assert_eq!(cx.cancel(bell), 0);
        }
    }
}

// holds: seeing.repeats-one-send
#[test]
fn what_repeats_is_one_send_through_a_panic_until_its_own_handler_cancels_it() -> Tested {
    let mut manager = MessageManager::new();
    let alarm = manager.spawn((Alarm(0),));
    Recorder::new(1_000).start(&mut manager);
    let bell = Header::to(alarm)
        .every_frames(1)
        .shared_key("bell")
        .build()?;
    manager.post(&bell, Ring)?;
    for frame in 1..5 {
        let tick = catch_unwind(AssertUnwindSafe(|| manager.tick(STEP)));
        assert_eq!(tick.is_err(), frame == 2);
    }
    assert_eq!(manager.get::<Alarm>(alarm)?.0, 3);
    let told = told(&manager);
    let send = Some(told.send::<Ring>().number);
    assert!(told.calls::<Ring>().iter().all(|&(_, of)| of == send));
    let words = told.words::<Ring>();
    let ends: Vec<_> = words
        .iter()
        .filter_map(|line| line.split(' ').next_back())
        .filter(|word| !word.starts_with('`'))
        .collect();
    assert_eq!(ends, ["returned", "panicked", "cancelled", "returned"]);
    assert!(told.0.iter().all(|event| event.send.is_some()));
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn what_is_cancelled_in_the_pass_that_would_deliver_it_is_traced_as_cancelled_alone() -> Tested {
    let (mut manager, log, actor) = recorded();
    let cancel = Do::new(|cx| assert_eq!(cx.cancel(PostKey::from("key").shared()), 1));
    manager.post(&at(Stage::Update, actor), cancel)?;
    let keyed = Header::to(actor)
        .stage(Stage::Update)
        .shared_key("key")
        .build()?;
    manager.post(&keyed, Note("never"))?;
    Recorder::stop(&mut manager);
    Recorder::new(1_000).start(&mut manager);
    // It has no number any more, but it is still known.
    manager.tick(STEP);
    assert_eq!(told(&manager).words::<Note>(), ["cancelled"]);
    assert_eq!(log.take(), [""; 0]);
    Ok(())
}

// With the inlet.

// holds: seeing.causes-go-along
#[test]
fn what_comes_through_the_inlet_has_the_cause_that_it_was_given_through_stages_and_keys() -> Tested
{
    let (mut manager, log, actor) = recorded();
    let ear = manager.spawn((crate::common::Ear::new("ear", &log),));
    let (put, asked) = slot();
    manager.send(actor, Do::new(move |cx| put(cx.trace_id())))?;
    let cause = asked();
    assert!(cause.is_some());
    let inlet = manager.inlet().with_cause(cause);

    let keyed = Header::to(ear)
        .stage(Stage::LateUpdate)
        .key("answer")
        .build()?;
    for header in [to(ear), at(Stage::Update, ear), keyed, keyed] {
        inlet.try_post(&header, Note("answer"))?;
    }
    manager.tick(STEP);
    assert_eq!(log.take(), ["ear: answer"; 3]);
    let told = told(&manager);
    assert_eq!(told.causes::<Note>(), [cause; 4]);
    assert!(
        told.sends::<Note>()
            .iter()
            .all(|send| send.by == SentBy::Inlet)
    );
    let replaced = told
        .0
        .iter()
        .filter(|event| matches!(event.what, Traced::Replaced));
    let replaced: Vec<_> = replaced.map(|event| event.send).collect();
    assert_eq!(replaced, [Some(told.sends::<Note>()[2].number)]);
    let why = explain(&manager, told.deliveries::<Note>()[2]).ok_or("it was recorded")?;
    assert_eq!(why.chain.len(), 4);
    Ok(())
}

// holds: seeing.cause-of-change
#[test]
fn the_dead_letter_of_a_drained_message_is_caused_by_the_number_of_its_post() -> Tested {
    let config = ManagerConfig::new().max_pending(0);
    let (mut manager, _, _, ear) = framed_with(config);
    let (put, got) = channel();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        put.send(letter.envelope.trace).expect("it is awaited");
    });
    Recorder::new(100).start(&mut manager);
    let inlet = manager.inlet();
    let gone = manager.spawn(());
    manager.despawn(gone)?;
    inlet.try_post(&at(Stage::Update, ear), Note("no room"))?;
    inlet.try_post(&to(gone), Note("nobody"))?;
    assert_eq!(manager.begin_frame(STEP).dead_letters, 2);
    let told = told(&manager);
    let numbers: Vec<_> = told
        .sends::<Note>()
        .iter()
        .map(|send| Some(send.number))
        .collect();
    assert_eq!(told.causes::<DeadLetter>(), numbers);
    assert_eq!(got.try_iter().collect::<Vec<_>>(), numbers);
    Ok(())
}

// holds: seeing.chrome
#[test]
fn a_number_of_another_manager_leaves_the_chrome_trace_connected() -> Tested {
    let (mut here, log, actor) = recorded();
    let (mut there, _, speaker) = recorded();
    let inlet = here.inlet();
    // The number there is a later one here.
    for _ in 0..3 {
        there.send(speaker, Note("before"))?;
    }
    let header = to(actor);
    let ask = Do::new(move |cx| {
        let inlet = inlet.with_cause(cx.trace_id());
        inlet
            .try_post(&header, Note("from there"))
            .expect("there is room");
    });
    there.send(speaker, ask)?;
    here.tick(STEP);
    for _ in 0..5 {
        here.send(actor, Note("here"))?;
    }
    assert_eq!(log.take().len(), 6);
    let recorder = Recorder::of(&here).ok_or("it records")?;
    chrome_of(&recorder, &TraceFilter::all());
    Ok(())
}

// With limits.

// holds: seeing.numbers
#[test]
fn what_is_refused_at_a_limit_is_traced_by_the_call_that_made_it() -> Tested {
    let config = ManagerConfig::new()
        .max_depth(1)
        .max_published(0)
        .max_pending(0);
    let (mut manager, _, actor, ear) = framed_with(config);
    Recorder::new(100).start(&mut manager);
    let all = Do::new(move |cx| {
        let now = to(ear);
        let later = at(Stage::Update, ear);
        assert!(cx.send(ear, Note("send")).is_err());
        assert!(cx.send_mut(ear, &mut Note("send_mut")).is_err());
        assert!(cx.post(&now, Note("now")).is_err());
        assert!(cx.post(&later, Note("later")).is_err());
        assert!(cx.publish(ear, Note("publish")).is_err());
        assert!(cx.request(ear, Who).is_err());
        assert!(cx.request_all(ear, Who).is_err());
    });
    manager.send(actor, all)?;
    let told = told(&manager);
    let by: Vec<_> = told.sends::<Note>().iter().map(|send| send.by).collect();
    assert_eq!(
        by,
        [
            SentBy::Plain,
            SentBy::SendMut,
            SentBy::Post,
            SentBy::Post,
            SentBy::Publish
        ]
    );
    let by: Vec<_> = told.sends::<Who>().iter().map(|send| send.by).collect();
    assert_eq!(by, [SentBy::Request, SentBy::RequestAll]);
    let refused = told
        .0
        .iter()
        .filter(|event| matches!(event.what, Traced::Refused { .. }));
    assert_eq!(refused.count(), 7);
    Ok(())
}

// With everything.

// holds: seeing.numbers
#[test]
fn in_any_program_numbers_rise_and_every_cause_began_before_what_it_led_to() {
    let mut found = 0;
    for dice in 0..40 {
        for policy in [PanicPolicy::Propagate, PanicPolicy::Unhook] {
            let config = ManagerConfig::new().panic_policy(policy).max_depth(12);
            let begin = |manager: &mut MessageManager| {
                Recorder::new(1_000_000).start(manager);
            };
            let mut mail = BTreeSet::new();
            let look = |manager: &mut MessageManager| {
                let numbers = manager.inbox_any().into_iter();
                mail.extend(numbers.map(|mail| mail.trace_id().expect("it was traced")));
            };
            let (_, manager) = crate::programs::play(dice, config, true, begin, look);
            let recorder = Recorder::of(&manager).expect("it records");
            let (mut seen, mut published) = (BTreeSet::new(), BTreeSet::new());
            let mut running = Vec::new();
            for event in recorder.events() {
                let (number, before) = match event.what {
                    Traced::Sent { cause, by, .. } => {
                        let number = event.send.expect("a send has a number");
                        if by == SentBy::Publish {
                            published.insert(number);
                        }
                        (number, cause)
                    }
                    Traced::Called { delivery, .. } => {
                        running.push(delivery);
                        (delivery, event.send)
                    }
                    Traced::Returned { delivery, .. } => {
                        assert_eq!(running.pop(), Some(delivery));
                        continue;
                    }
                    Traced::Erred { delivery, .. } => {
                        assert_eq!(running.last(), Some(&delivery));
                        continue;
                    }
                    _ => {
                        assert!(event.send.is_some_and(|send| seen.contains(&send)));
                        continue;
                    }
                };
                assert!(
                    before.is_none_or(|before| seen.contains(&before)),
                    "{event:?}"
                );
                assert!(seen.last().is_none_or(|&last| last < number), "{event:?}");
                seen.insert(number);
            }
            assert_eq!(running, []);
            for &id in seen.iter().step_by(7) {
                let why = recorder.explain(id).expect("it is recorded");
                assert_eq!(why.unknown_cause, None);
            }
            assert!(mail.is_subset(&published));
            found += mail.len();
        }
    }
    assert!(found > 100, "{found}");
}

// holds: seeing.chrome, seeing.json-lines
#[test]
fn what_is_recorded_in_between_is_whole_however_often_tracing_is_switched() {
    for dice in 0..40 {
        let config = ManagerConfig::new()
            .panic_policy(PanicPolicy::Unhook)
            .max_depth(12);
        let (mut steps, mut recorded) = (0, 0);
        let switch = |manager: &mut MessageManager| {
            steps += 1;
            if steps % 3 != 0 {
                let before = Recorder::new(1_000).with_contents().start(manager);
                recorded += before.map_or(0, |before| before.len());
            } else if let Some(recorder) = Recorder::stop(manager) {
                recorded += recorder.len();
                chrome_of(&recorder, &TraceFilter::all());
                let mut lines = Vec::new();
                let written =
                    message_trace::write_json_lines(&recorder, &TraceFilter::all(), &mut lines);
                written.expect("there is room in memory");
                let text = String::from_utf8(lines).expect("it is text");
                for (line, event) in text.lines().zip(recorder.events()) {
                    let line: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
                    assert_eq!(line["send"].as_u64(), event.send.map(TraceId::get));
                    if let Some(id) = event.what.delivery() {
                        let why = recorder.explain(id).expect("it is recorded");
                        assert!(why.to_string().contains(&format!("{id} received by")));
                    }
                }
                assert_eq!(text.lines().count(), recorder.len());
            }
        };
        crate::programs::play(dice, config, true, |_| {}, switch);
        assert!(recorded > 0);
    }
}

/// Counts how often it is written to, and what.
#[derive(Default)]
struct Counted {
    calls: usize,
    bytes: usize,
    flushed: usize,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        self.bytes += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed = self.bytes;
        Ok(())
    }
}

#[test]
fn a_recording_is_written_in_few_calls_of_the_writer_and_flushed() -> Tested {
    let (mut manager, _, actor) = recorded();
    for _ in 0..500 {
        manager.send(actor, Note("note"))?;
    }
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    let (mut trace, mut lines) = (Counted::default(), Counted::default());
    message_trace::write_chrome_trace(&recorder, &TraceFilter::all(), &mut trace)?;
    message_trace::write_json_lines(&recorder, &TraceFilter::all(), &mut lines)?;
    for Counted {
        calls,
        bytes,
        flushed,
    } in [trace, lines]
    {
        assert!(calls < recorder.len() && calls < bytes / 1_000, "{calls}");
        assert_eq!(flushed, bytes);
    }
    Ok(())
}
