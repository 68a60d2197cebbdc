//! The limited recorder: it keeps the right events, and counts each call of a receiver and nothing else.

use std::collections::BTreeMap;

use crate::common::{Ear, Note, Peek, Tested, stage};
use crate::pending::ms;
use message_core::PanicPolicy;
use message_core::prelude::*;
use message_core::trace::Traced;
use message_trace::{Recorder, TraceFilter};

type Counts = BTreeMap<&'static str, u64>;

/// Returns how often receivers were called, according to a recorder that had room for all events.
fn called(recorder: &Recorder) -> Counts {
    assert_eq!(recorder.overwritten(), 0);
    let mut counts = Counts::new();
    for event in recorder.events() {
        if let Traced::Called { .. } = event.what {
            *counts.entry(event.message).or_default() += 1;
        }
    }
    counts
}

fn counted(recorder: &Recorder) -> Counts {
    let counts = recorder.deliveries();
    counts.map(|(info, count)| (info.name, count)).collect()
}

/// Does the same in separate managers under recorders of several kinds, and compares the calls with
/// the counts.
fn compare(name: &str, run: impl Fn(&mut MessageManager) -> Tested) -> Tested {
    let recorded = |recorder: Recorder| -> Result<Recorder, Box<dyn std::error::Error>> {
        let (mut manager, _, _) = stage();
        recorder.start(&mut manager);
        run(&mut manager)?;
        Ok(Recorder::stop(&mut manager).ok_or("it was started")?)
    };
    let all = recorded(Recorder::new(100_000))?;
    let wanted = called(&all);
    assert!(!wanted.is_empty(), "{name}");
    for room in [0, 1, 5, 100_000] {
        let limited = recorded(Recorder::limited(room))?;
        assert_eq!(counted(&limited), wanted, "{name}, with room for {room}");
        assert_eq!(limited.len(), room.min(all.len()), "{name}");
        assert_eq!(limited.is_full(), room <= all.len(), "{name}");
    }
    Ok(())
}

fn ears(manager: &mut MessageManager, count: usize) -> Vec<MessageeId> {
    let log = crate::common::Log::default();
    (0..count)
        .map(|_| manager.spawn((Ear::new("ear", &log),)))
        .collect()
}

// holds: seeing.limited-counts
#[test]
fn it_counts_sends_and_broadcasts() -> Tested {
    compare("sends", |manager| {
        let ears = ears(manager, 3);
        for &ear in ears.iter().cycle().take(10) {
            manager.send(ear, Note("sent"))?;
        }
        manager.send(Everyone, Peek("broadcast"))?;
        manager.despawn(ears[1])?;
        assert!(manager.send(ears[1], Note("nobody")).is_err());
        manager.send(Everyone, Peek("broadcast again"))?;
        Ok(())
    })
}

// holds: seeing.limited-counts
#[test]
fn it_counts_what_is_posted_alone_in_batches_and_again_and_again() -> Tested {
    compare("posts", |manager| {
        let ears = ears(manager, 3);
        for &ear in &ears {
            manager.post(Header::to(ear).stage(Stage::Update), Note("posted"))?;
            manager.post(
                Header::to(ear).after(ms(1)).every(ms(4)).times(3),
                Peek("again"),
            )?;
        }
        let batch = Header::to(ears[0]).after(ms(5)).build()?;
        manager.post_each(&batch, (0..50).map(|_| Note("of many")))?;
        let gone = Header::to(ears[2]).after(ms(5)).build()?;
        manager.post_each(&gone, (0..5).map(|_| Note("nobody")))?;
        manager.despawn(ears[2])?;
        let everyone = Header::to(Everyone).after(ms(2)).build()?;
        manager.post(&everyone, Note("posted broadcast"))?;
        for _ in 0..4 {
            manager.tick(ms(4));
        }
        Ok(())
    })
}

// holds: seeing.limited-counts
#[test]
fn it_counts_subscribers_and_interceptors() -> Tested {
    compare("subscribers", |manager| {
        let ears = ears(manager, 3);
        manager.subscribe(Filter::of::<Note>(), |_, _| {});
        manager.subscribe(Filter::all(), |_, _| {});
        for &ear in &ears {
            manager.send(ear, Note("heard"))?;
            manager.send(ear, Peek("heard"))?;
        }
        manager.send(Everyone, Note("heard"))?;
        manager.send(Everyone, crate::common::Do::new(|_| {}))?;
        manager
            .inlet()
            .try_post(Header::to(ears[0]), Note("from a thread"))?;
        manager.tick(ms(1));
        Ok(())
    })
}

// holds: seeing.limited-counts
#[test]
fn it_counts_in_random_programs_what_a_recorder_has_events_of() {
    for dice in 0..150 {
        for policy in [PanicPolicy::Propagate, PanicPolicy::Unhook] {
            let play = |recorder: Recorder| {
                let config = ManagerConfig::new().panic_policy(policy);
                let begin = |manager: &mut MessageManager| {
                    recorder.start(manager);
                };
                let panics = policy == PanicPolicy::Unhook;
                let (_, mut manager) = crate::programs::play(dice, config, panics, begin, |_| {});
                Recorder::stop(&mut manager).expect("it was started")
            };
            let wanted = called(&play(Recorder::new(1_000_000)));
            for room in [0, 40] {
                let counts = counted(&play(Recorder::limited(room)));
                assert_eq!(counts, wanted, "dice {dice}, {policy:?}, room for {room}");
            }
        }
    }
}

// holds: seeing.limited-recorder
#[test]
fn it_keeps_the_first_events_and_can_be_used_again() -> Tested {
    let (mut manager, _, _) = stage();
    let ears = ears(&mut manager, 1);
    Recorder::limited(3).start(&mut manager);
    manager.send(ears[0], Note("first"))?;
    manager.send(ears[0], Note("second"))?;
    let mut recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    assert!(matches!(
        recorder.events().next().map(|it| &it.what),
        Some(Traced::Sent { .. })
    ));
    assert_eq!((recorder.len(), recorder.overwritten()), (3, 0));
    recorder.clear();
    assert!(recorder.is_limited() && !recorder.is_full());
    assert_eq!(recorder.deliveries().count(), 0);
    recorder.start(&mut manager);
    manager.send(ears[0], Peek("third"))?;
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    assert_eq!(counted(&recorder), [(Peek::NAME, 1)].into());
    Ok(())
}

// holds: seeing.limited-counts
#[test]
fn its_filter_chooses_events_and_no_counts() -> Tested {
    let (mut manager, _, _) = stage();
    let ears = ears(&mut manager, 1);
    Recorder::limited(100)
        .only(TraceFilter::of::<Peek>())
        .start(&mut manager);
    manager.send(ears[0], Note("counted"))?;
    manager.send(ears[0], Peek("recorded"))?;
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    assert!(recorder.events().all(|event| event.message_id == Peek::ID));
    assert_eq!(
        counted(&recorder),
        [(Note::NAME, 1), (Peek::NAME, 1)].into()
    );
    // One that is not limited counts nothing.
    Recorder::new(100).start(&mut manager);
    manager.send(ears[0], Note("recorded"))?;
    assert_eq!(
        Recorder::of(&manager).map(|it| it.deliveries().count()),
        Some(0)
    );
    Ok(())
}
