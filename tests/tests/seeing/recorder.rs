//! The recorder: how many events it keeps, which ones, and that it changes nothing.

use crate::common::{Actor, Do, Ear, Log, Note, Peek, Tested, Tour, stage};
use crate::pending::{ALARM, Cargo, ms};
use crate::traces::{lines, told};
use message_core::PanicPolicy;
use message_core::prelude::*;
use message_core::trace::{TraceEvent, Traced};
use message_core::{TagSet, TraceId};
use message_trace::{Recorder, TraceFilter};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

tag! {
    NIGHT,
    DAY,
}

/// Without `Debug`.
#[derive(Message)]
struct Secret;

/// Returns a manager with two ears and an actor.
fn people() -> (MessageManager, MessageeId, MessageeId, MessageeId) {
    let (mut manager, log, actor) = stage();
    let one = manager.spawn((Ear::new("one", &log),));
    let two = manager.spawn((Ear::new("two", &log),));
    (manager, actor, one, two)
}

fn names(recorder: &Recorder, filter: &TraceFilter) -> Vec<&'static str> {
    let events = recorder.select(filter);
    let mut names: Vec<_> = events.map(|event| event.message).collect();
    names.dedup();
    names
        .iter()
        .map(|name| name.rsplit("::").next().unwrap_or(name))
        .collect()
}

fn count(recorder: &Recorder, filter: &TraceFilter) -> usize {
    recorder.select(filter).count()
}

// Room.

// holds: seeing.recorder-room
#[test]
fn it_keeps_the_last_events_and_counts_those_that_have_gone() -> Tested {
    let (mut manager, _, one, _) = people();
    Recorder::new(6).start(&mut manager);
    for text in ["1", "2", "3"] {
        manager.send(one, Note(text))?;
    }
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    assert_eq!((recorder.len(), recorder.capacity()), (6, 6));
    assert_eq!(recorder.overwritten(), 6);
    let events: Vec<_> = recorder.events().collect();
    assert!(matches!(events[0].what, Traced::Returned { .. }));
    assert_eq!(events[0].send.map(TraceId::get), Some(3));
    assert_eq!(events[5].send.map(TraceId::get), Some(5));
    Ok(())
}

// holds: seeing.recorder-room
#[test]
fn it_has_room_for_one_event_at_least() -> Tested {
    let (mut manager, _, one, _) = people();
    let recorder = Recorder::new(0);
    assert!(recorder.is_empty());
    assert_eq!(recorder.capacity(), 1);
    recorder.start(&mut manager);
    manager.send(one, Note("1"))?;
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    assert_eq!((recorder.len(), recorder.overwritten()), (1, 3));
    assert_eq!(lines(&recorder), ["#1 settled: received by 1"]);
    Ok(())
}

// holds: seeing.recorder-filter
#[test]
fn what_it_was_told_to_leave_out_takes_no_room() -> Tested {
    let (mut manager, _, one, _) = people();
    Recorder::new(4)
        .only(TraceFilter::of::<Note>())
        .start(&mut manager);
    manager.send(one, Note("kept"))?;
    for _ in 0..10 {
        manager.send(one, Peek("left out"))?;
    }
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    assert_eq!((recorder.len(), recorder.overwritten()), (4, 0));
    Ok(())
}

#[test]
fn clear_forgets_everything() -> Tested {
    let (mut manager, _, one, _) = people();
    Recorder::new(2).start(&mut manager);
    manager.send(one, Note("1"))?;
    let mut recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    assert!(!recorder.is_empty());
    recorder.clear();
    assert!(recorder.is_empty());
    assert_eq!(recorder.overwritten(), 0);
    Ok(())
}

// Beginning and end.

#[test]
fn nothing_is_recorded_until_it_begins_and_after_it_ends() -> Tested {
    let (mut manager, _, one, _) = people();
    manager.send(one, Note("before"))?;
    assert!(Recorder::of(&manager).is_none());
    assert!(Recorder::new(10).start(&mut manager).is_none());
    manager.send(one, Note("during"))?;
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    manager.send(one, Note("after"))?;
    assert_eq!(recorder.len(), 4);
    assert!(Recorder::of(&manager).is_none());
    assert!(Recorder::stop(&mut manager).is_none());
    Ok(())
}

#[test]
fn a_new_recorder_takes_the_place_of_the_one_before_which_is_returned() -> Tested {
    let (mut manager, _, one, _) = people();
    Recorder::new(10).start(&mut manager);
    manager.send(one, Note("first"))?;
    let first = Recorder::new(20).start(&mut manager);
    manager.send(one, Peek("second"))?;
    let first = first.ok_or("it was started")?;
    assert_eq!(names(&first, &TraceFilter::all()), ["Note"]);
    let second = first.start(&mut manager).ok_or("it was started")?;
    assert_eq!(names(&second, &TraceFilter::all()), ["Peek"]);
    manager.send(one, Tour::default())?;
    let first = Recorder::stop(&mut manager).ok_or("it was started")?;
    assert_eq!(names(&first, &TraceFilter::all()), ["Note", "Tour"]);
    Ok(())
}

// The recorded events.

#[test]
fn events_stand_in_the_order_in_which_they_happened() -> Tested {
    let (mut manager, actor, one, _) = people();
    Recorder::new(100).start(&mut manager);
    let script = Do::new(move |cx| {
        cx.send(one, Note("nested")).expect("it is there");
    });
    manager.send(actor, script)?;
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    let order: Vec<_> = recorder.events().map(kind).collect();
    let expected = [
        "sent", "called", "sent", "called", "returned", "settled", "returned", "settled",
    ];
    assert_eq!(order, expected);
    let walls: Vec<_> = recorder.events().map(|event| event.wall).collect();
    assert!(walls.is_sorted());
    Ok(())
}

fn kind(event: &TraceEvent) -> &'static str {
    match event.what {
        Traced::Sent { .. } => "sent",
        Traced::Called { .. } => "called",
        Traced::Returned { .. } => "returned",
        Traced::Settled { .. } => "settled",
        Traced::Waits { .. } => "waits",
        _ => "another",
    }
}

// holds: seeing.wall-clock, seeing.later-than-before
#[test]
fn the_wall_time_is_that_of_the_clock_that_was_given() -> Tested {
    static NOW: AtomicU64 = AtomicU64::new(0);
    fn now() -> Duration {
        ms(NOW.load(Relaxed))
    }
    let mut manager = MessageManager::with_config(ManagerConfig::new().wall_clock(now));
    let mut sent_at = |shown: u64, recorded: &mut Vec<Duration>| {
        NOW.store(shown, Relaxed);
        Recorder::new(1).start(&mut manager);
        manager.send(Everyone, Note("tick"))?;
        let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
        recorded.extend(recorder.events().map(|event| event.wall));
        Tested::Ok(())
    };
    let mut recorded = Vec::new();
    sent_at(1_000, &mut recorded)?; // The first time: here it begins.
    sent_at(1_250, &mut recorded)?;
    sent_at(1_100, &mut recorded)?; // It goes backwards.
    let [first, second, third] = recorded[..] else {
        return Err(format!("expected three: {recorded:?}").into());
    };
    assert!(first < ms(1));
    assert!(second >= ms(250) && second < ms(251));
    assert!(third > second && third < ms(251));
    Ok(())
}

// holds: seeing.later-than-before
#[test]
fn a_clock_that_stands_leaves_the_events_in_order() -> Tested {
    let clock = || Duration::ZERO;
    let mut manager = MessageManager::with_config(ManagerConfig::new().wall_clock(clock));
    Recorder::new(100).start(&mut manager);
    for _ in 0..3 {
        manager.send(Everyone, Note("tick"))?;
    }
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    let walls: Vec<_> = recorder.events().map(|event| event.wall).collect();
    assert_eq!(walls.len(), 6);
    assert!(walls.is_sorted_by(|one, next| one < next));
    Ok(())
}

/// How much a send costs while nothing is traced is counted by the benchmarks; here it is what it asks for.
// holds: seeing.cost
#[test]
fn while_nothing_is_traced_no_message_is_printed_and_no_clock_is_read() -> Tested {
    static READ: AtomicU64 = AtomicU64::new(0);
    static PRINTED: AtomicU64 = AtomicU64::new(0);
    fn clock() -> Duration {
        ms(READ.fetch_add(1, Relaxed))
    }
    #[derive(Message, Clone)]
    struct Counted;
    impl std::fmt::Debug for Counted {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            PRINTED.fetch_add(1, Relaxed);
            f.write_str("Counted")
        }
    }
    let mut manager = MessageManager::with_config(ManagerConfig::new().wall_clock(clock));
    let id = manager.spawn(());
    manager.subscribe(Filter::of::<Counted>(), |_, _| {});
    let act = |manager: &mut MessageManager| {
        manager.send(id, Counted)?;
        manager.send(Everyone, Counted)?;
        manager.publish(id, Counted)?;
        manager.post(Header::to(id).after(ms(5)), Counted)?;
        manager.inlet().try_post(Header::to(id), Counted)?;
        manager.tick(ms(10));
        Tested::Ok(())
    };
    act(&mut manager)?;
    assert_eq!((READ.load(Relaxed), PRINTED.load(Relaxed)), (0, 0));
    Recorder::new(100).with_contents().start(&mut manager);
    act(&mut manager)?;
    assert!(READ.load(Relaxed) > 0 && PRINTED.load(Relaxed) > 0);
    let _ = Recorder::stop(&mut manager).ok_or("it was started")?;
    let before = (READ.load(Relaxed), PRINTED.load(Relaxed));
    act(&mut manager)?;
    assert_eq!((READ.load(Relaxed), PRINTED.load(Relaxed)), before);
    Ok(())
}

#[test]
fn each_event_tells_what_the_clock_showed() -> Tested {
    let (mut manager, _, one, _) = people();
    Recorder::new(100).start(&mut manager);
    let header = Header::to(one).after(ms(20)).build()?;
    manager.post(&header, Note("late"))?;
    for _ in 0..3 {
        manager.tick(ms(10));
    }
    let told = told(&manager).0;
    let sent = told.first().ok_or("it was posted")?;
    let called = told.iter().find(|event| kind(event) == "called");
    let called = called.ok_or("it was delivered")?;
    assert_eq!((sent.moment.frame, sent.moment.time), (0, ms(0)));
    assert_eq!((called.moment.frame, called.moment.time), (2, ms(20)));
    Ok(())
}

#[test]
fn contents_are_recorded_when_they_are_wanted_and_as_far_as_there_is_a_debug() -> Tested {
    for wanted in [false, true] {
        let (mut manager, _, one, _) = people();
        let recorder = Recorder::new(100);
        if wanted {
            recorder.with_contents()
        } else {
            recorder
        }
        .start(&mut manager);
        manager.send(one, Note("this"))?;
        manager.send(one, Secret)?;
        let contents = told(&manager).0.into_iter().filter_map(|it| match it.what {
            Traced::Sent { contents, .. } => Some(contents),
            _ => None,
        });
        let contents: Vec<_> = contents.collect();
        if wanted {
            let said = contents.into_iter().flatten().collect::<Vec<_>>();
            assert_eq!(said[0], "Note(\"this\")");
            assert!(said[1].ends_with("Secret { .. }"), "{}", said[1]);
        } else {
            assert_eq!(contents, [None, None]);
        }
    }
    Ok(())
}

#[test]
fn a_recorder_can_be_looked_at_in_between_but_not_from_the_manager_while_it_runs() -> Tested {
    let (mut manager, _, one, _) = people();
    Recorder::new(100).start(&mut manager);
    for sent in 1..4 {
        manager.send(one, Note("again"))?;
        let recorder = Recorder::of(&manager).ok_or("it records")?;
        assert_eq!(recorder.len(), 4 * sent);
    }
    Ok(())
}

// Filters.

// holds: seeing.recorder-filter
#[test]
fn a_filter_chooses_by_the_types_of_messages() -> Tested {
    let (mut manager, _, one, _) = people();
    Recorder::new(100).start(&mut manager);
    manager.send(one, Note("1"))?;
    manager.send(one, Peek("2"))?;
    manager.send(one, Tour::default())?;
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    let notes = TraceFilter::of::<Note>();
    assert_eq!(names(&recorder, &notes), ["Note"]);
    let both = notes.or_of::<Tour>();
    assert_eq!(names(&recorder, &both), ["Note", "Tour"]);
    let all = TraceFilter::all();
    assert_eq!(names(&recorder, &all), ["Note", "Peek", "Tour"]);
    assert_eq!(count(&recorder, &TraceFilter::of::<Secret>()), 0);
    Ok(())
}

// holds: seeing.recorder-filter
#[test]
fn a_filter_chooses_by_messagee_as_sender_as_recipient_and_as_receiver() -> Tested {
    let (mut manager, actor, one, two) = people();
    Recorder::new(100).start(&mut manager);
    manager.speak_for(one)?.send(actor, Note("from"))?;
    manager.send(one, Peek("to"))?;
    manager.send(Everyone, Tour::default())?;
    manager.send(Down(one), Secret)?;
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    let of_one = TraceFilter::all().involving(one);
    assert_eq!(
        names(&recorder, &of_one),
        ["Note", "Peek", "Tour", "Secret"]
    );
    // The broadcast reached it: called and returned.
    let tour = TraceFilter::of::<Tour>().involving(one);
    assert_eq!(count(&recorder, &tour), 2);
    let of_two = TraceFilter::all().involving(two);
    assert_eq!(names(&recorder, &of_two), ["Tour"]);
    let of_both = TraceFilter::of::<Tour>().involving(two).involving(one);
    assert_eq!(count(&recorder, &of_both), 4);
    Ok(())
}

// holds: seeing.recorder-filter, subscriptions.same-words
#[test]
fn a_filter_chooses_by_sender_and_recipient() -> Tested {
    let (mut manager, actor, one, two) = people();
    Recorder::new(100).start(&mut manager);
    manager.speak_for(one)?.send(actor, Note("from one"))?;
    manager
        .speak_for(one)?
        .send(Recipient::Me, Peek("to itself"))?;
    manager.send(Everyone, Tour::default())?;
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    let all = TraceFilter::all;
    assert_eq!(names(&recorder, &all().from(one)), ["Note", "Peek"]);
    assert_eq!(names(&recorder, &all().from(Sender::Outside)), ["Tour"]);
    assert_eq!(names(&recorder, &all().to(one)), ["Peek"]);
    assert_eq!(names(&recorder, &all().to(Recipient::Me)), ["Peek"]);
    assert_eq!(names(&recorder, &all().to(Everyone)), ["Tour"]);
    assert_eq!(names(&recorder, &all().from(one).to(actor)), ["Note"]);
    assert_eq!(names(&recorder, &all().from(two).to(actor)), [""; 0]);
    Ok(())
}

// holds: seeing.recorder-filter
#[test]
fn a_filter_chooses_by_the_tags_of_the_type_and_of_the_header() -> Tested {
    let (mut manager, _, one, _) = people();
    Recorder::new(100).start(&mut manager);
    manager.send(one, Cargo(std::sync::Arc::default()))?;
    let night = Header::to(one).tags(NIGHT).stage(Stage::Update).build()?;
    manager.post(&night, Note("tagged"))?;
    let day = Header::to(one).tags(DAY).build()?;
    manager.post(&day, Peek("at once"))?;
    manager.send(one, Tour::default())?;
    manager.tick(ms(1));
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    let tagged = |tags: TagSet| TraceFilter::all().tagged(tags);
    assert_eq!(names(&recorder, &tagged(ALARM.into())), ["Cargo"]);
    // Posted, called, returned.
    assert_eq!(count(&recorder, &tagged(NIGHT.into())), 3);
    assert_eq!(
        names(&recorder, &tagged(NIGHT | DAY)),
        ["Note", "Peek", "Note"]
    );
    let of_type = TraceFilter::of::<Peek>().tagged(NIGHT | DAY);
    assert_eq!(names(&recorder, &of_type), ["Peek"]);
    assert_eq!(
        count(&recorder, &TraceFilter::of::<Peek>().tagged(NIGHT)),
        0
    );
    Ok(())
}

// holds: seeing.recorder-filter
#[test]
fn all_that_a_filter_names_must_hold() -> Tested {
    let (mut manager, _, one, two) = people();
    Recorder::new(100).start(&mut manager);
    for to in [one, two] {
        manager.send(to, Note("note"))?;
        manager.send(to, Cargo(std::sync::Arc::default()))?;
    }
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    let filter = TraceFilter::of::<Note>().or_of::<Cargo>().involving(two);
    assert_eq!(names(&recorder, &filter), ["Note", "Cargo"]);
    let filter = filter.tagged(ALARM);
    assert_eq!(names(&recorder, &filter), ["Cargo"]);
    assert!(recorder.select(&filter).all(|event| filter.covers(event)));
    Ok(())
}

// It changes nothing.

// holds: seeing.changes-nothing
#[test]
fn recording_changes_nothing_of_what_is_delivered() {
    for dice in 0..120 {
        let policies = [PanicPolicy::Propagate, PanicPolicy::Unhook];
        for (policy, panics) in [
            (policies[0], false),
            (policies[0], true),
            (policies[1], true),
        ] {
            let config = ManagerConfig::new().panic_policy(policy).max_depth(12);
            let (plain, _) = crate::programs::play(dice, config.clone(), panics, |_| {}, |_| {});
            let record = |manager: &mut MessageManager| {
                Recorder::new(64).with_contents().start(manager);
            };
            let (recorded, _) = crate::programs::play(dice, config.clone(), panics, record, |_| {});
            assert_eq!(plain, recorded, "program {dice} under {policy:?}");
            let mut steps = 0;
            // On and off in turn.
            let (switched, _) = crate::programs::play(
                dice,
                config,
                panics,
                |_| {},
                |manager| {
                    steps += 1;
                    if steps % 2 == 0 {
                        Recorder::new(1_000).start(manager);
                    } else {
                        Recorder::stop(manager);
                    }
                },
            );
            assert_eq!(plain, switched, "program {dice} under {policy:?}");
        }
    }
}

#[test]
fn a_recorder_outlives_its_manager() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::new();
    let actor = manager.spawn((Actor::new("actor", &log),));
    Recorder::new(10).start(&mut manager);
    manager.send(actor, Note("heard"))?;
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    drop(manager);
    let copy = recorder.clone();
    assert_eq!(lines(&copy), lines(&recorder));
    Ok(())
}

#[test]
fn a_new_recorder_records_although_a_look_at_the_one_before_was_leaked() -> Tested {
    let (mut manager, log, actor) = stage();
    Recorder::new(10).start(&mut manager);
    manager.send(actor, Note("before"))?;
    std::mem::forget(Recorder::of(&manager));
    let before = Recorder::new(10).start(&mut manager);
    assert_eq!(before.map(|before| before.len()), Some(4));
    manager.send(actor, Note("after"))?;
    assert_eq!(
        Recorder::of(&manager).map(|recorder| recorder.len()),
        Some(4)
    );
    assert_eq!(log.take().len(), 2);
    Ok(())
}

#[test]
fn two_configurations_are_equal_if_their_clocks_are() {
    fn early() -> Duration {
        Duration::ZERO
    }
    fn late() -> Duration {
        Duration::from_secs(1)
    }
    let with = |clock: fn() -> Duration| ManagerConfig::new().wall_clock(clock);
    // Taken once: a function can have several addresses.
    let early: fn() -> Duration = early;
    assert_eq!(with(early), with(early));
    assert_ne!(with(early), with(late));
    assert_ne!(with(early), ManagerConfig::new());
}
