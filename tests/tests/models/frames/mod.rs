//! Frames checked against a naive list: random posts, cancels, new keys, despawns and pauses, from
//! outside and from handlers in the middle of a pass. The list is sorted by due time and number, and
//! predicts which delivery and which dead letter comes next.

mod clock;
mod hand;
mod message;
mod naive;
mod part;
mod pass;
mod people;
mod step;

use std::time::Duration;

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;

use clock::Clock;
use hand::Speaker;
use message::unless_on_purpose;
use naive::{Choice, Model};
use part::Shared;
use people::{CAPTAIN, CREW};

/// How the frames of a run go.
#[derive(Clone, Copy)]
struct Course {
    seed: u64,
    frames: usize,
    limit: usize,
    /// About how many posts are pending.
    crowd: usize,
    step: Duration,
    most_steps: u32,
    most_repeats: u32,
    /// The longest frame.
    long: Duration,
    /// `n`: one in `n` calls of a component panics, and one in three drops of cancelled messages does.
    panics: Option<usize>,
    /// Whether the host runs the stages itself, in whatever order, and leaves some out.
    in_pieces: bool,
    /// Whether many posts of types that alternate are due together.
    rains: bool,
}

impl Course {
    fn new(seed: u64) -> Self {
        Self {
            seed,
            frames: 1250,
            limit: 100_000,
            crowd: 48,
            step: Duration::from_micros(15_625),
            most_steps: 4,
            most_repeats: 1024,
            long: Duration::from_secs(3),
            panics: None,
            in_pieces: false,
            rains: false,
        }
    }
}

/// Prints where a run was when it failed.
struct Place {
    seed: u64,
    frame: usize,
}

impl Drop for Place {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("with seed {}, in frame {}", self.seed, self.frame);
        }
    }
}

/// The counts of a whole run.
#[derive(Debug, Default)]
struct Counts {
    /// How many messages were heard.
    heard: u64,
    /// How many posts were refused.
    refused: u64,
    /// How many repeats were left out.
    skipped: u64,
    /// How many components panicked.
    panics: u64,
}

/// Runs random frames.
fn run(course: Course) -> Counts {
    let clock = Clock::new(course.step, course.most_steps);
    let model = Model::new(clock, course.limit, course.most_repeats, course.crowd);
    let shared = Shared::new(course.seed, model, course.panics);
    let config = ManagerConfig::new()
        .max_pending(course.limit)
        .fixed_step(course.step)
        .max_fixed_steps(course.most_steps)
        .max_repeats_per_frame(course.most_repeats);
    let mut manager = MessageManager::with_config(config);
    let reader = shared.clone();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter: &DeadLetter, _| {
        reader.lock().model.read(letter);
    });
    let mut place = Place {
        seed: course.seed,
        frame: 0,
    };
    for frame in 1..=course.frames {
        place.frame = frame;
        for _ in 0..course.crowd.div_ceil(48) {
            act(&shared, &mut manager);
        }
        if course.crowd > 1000 && frame % 16 == 0 {
            step::flood(&shared, &mut manager);
        }
        if course.rains && frame % 4 == 0 {
            step::rain(&shared, &mut manager);
        }
        if course.in_pieces && frame % 4 > 0 {
            run_in_pieces(&shared, &mut manager, course.long);
        } else {
            tick(&shared, &mut manager, course.long);
        }
        check(&shared, &manager);
    }
    drop(manager);
    assert_eq!(shared.census.count(), 0, "a message outlived its manager");
    let run = shared.lock();
    Counts {
        heard: run.model.heard,
        refused: run.model.refused,
        skipped: run.model.skipped,
        panics: run.model.panics,
    }
}

/// Acts from outside: takes some steps, and changes who belongs where.
fn act(shared: &Shared, manager: &mut MessageManager) {
    let steps = shared.lock().random.below(5);
    for _ in 0..steps {
        let mut run = shared.lock();
        run.model.settle();
        let ids = run.model.people.alive();
        let speaker = run.random.one_in(2) && !ids.is_empty();
        let speaker = speaker.then(|| run.random.of(&ids));
        drop(run);
        match speaker {
            Some(id) => step::take(shared, &mut Speaker(manager, id), Some(id)),
            None => step::take(shared, manager, None),
        }
        shared.end();
    }
    if shared.lock().random.one_in(2) {
        step::spawn(shared, manager);
    }
    let mut run = shared.lock();
    run.model.settle();
    let ids = run.model.people.alive();
    if ids.is_empty() {
        return;
    }
    let (one, two) = (run.random.of(&ids), run.random.of(&ids));
    match run.random.below(6) {
        0 => {
            let changed = if run.model.people.toggle_crew(one) {
                manager.join(CREW, one)
            } else {
                manager.leave(CREW, one)
            };
            assert_eq!(changed, Ok(true));
        }
        1 if run.model.people.captain.is_none() => {
            run.model.people.captain = Some(one);
            manager.bind(CAPTAIN, one).expect("it is free");
        }
        2 if let Some(captain) = run.model.people.captain.take() => {
            manager.unbind(CAPTAIN, captain).expect("it is bound");
        }
        3 if !run.model.people.up(two).contains(&one) => {
            run.model.people.set_parent(one, Some(two));
            manager.set_parent(one, Some(two)).expect("no cycle");
        }
        _ => {}
    }
}

fn frame_time(shared: &Shared, long: Duration) -> Duration {
    let nanoseconds = [
        0,
        2,
        1_000_000,
        10_000_000,
        16_666_666,
        16_666_666,
        16_666_666,
        33_333_332,
        50_000_000,
        250_000_000,
    ];
    let mut run = shared.lock();
    match run.random.below(80) {
        0 => long,
        _ => Duration::from_nanos(run.random.of(&nanoseconds)),
    }
}

fn tick(shared: &Shared, manager: &mut MessageManager, long: Duration) {
    let dt = frame_time(shared, long);
    let mut run = shared.lock();
    let skipped = run.model.begin_frame(dt);
    let steps = run.model.clock.owed;
    let mut planned = vec![Stage::FixedUpdate; steps as usize];
    planned.extend([Stage::Update, Stage::LateUpdate, Stage::EndOfFrame]);
    run.model.planned.extend(planned);
    let skipped_before = run.model.skipped;
    drop(run);
    let report = unless_on_purpose(|| manager.tick(dt));
    let Some(report) = report else {
        return settle(shared, manager);
    };
    shared.end();
    let model = &shared.lock().model;
    assert_eq!(report.frame, model.clock.frame());
    assert_eq!(report.fixed_steps, steps);
    assert_eq!(report.skipped_steps, skipped);
    assert_eq!(report.skipped_repeats, model.skipped - skipped_before);
    assert_eq!(report.delivered, model.delivered);
    assert_eq!(report.dead_letters, model.buried);
}

/// Carries out what a panic has left, in the manager and in the model.
fn settle(shared: &Shared, manager: &mut MessageManager) {
    manager.settle();
    shared.end();
}

fn run_in_pieces(shared: &Shared, manager: &mut MessageManager, long: Duration) {
    let dt = frame_time(shared, long);
    let skipped = shared.lock().model.begin_frame(dt);
    let report = manager.begin_frame(dt);
    assert_eq!(report.fixed_steps, shared.lock().model.clock.owed);
    assert_eq!(report.skipped_steps, skipped);
    let passes = shared.lock().random.below(7);
    for _ in 0..passes {
        check(shared, manager);
        let mut run = shared.lock();
        let stage = run.random.of(&Stage::WAITING);
        run.model.planned.push_back(stage);
        run.model.delivered = 0;
        drop(run);
        match unless_on_purpose(|| manager.run_stage(stage)) {
            Some(delivered) => {
                shared.end();
                assert_eq!(delivered, shared.lock().model.delivered);
            }
            None => settle(shared, manager),
        }
        act(shared, manager);
    }
}

/// Checks the invariants that hold between two calls.
fn check(shared: &Shared, manager: &MessageManager) {
    let run = shared.lock();
    let model = &run.model;
    model.check_list(&manager.pending_posts(Posts::all()), Choice::All);
    let mut from_outside = Choice::From(Sender::Outside);
    for _ in 0..2 {
        let listed = manager.pending_posts(from_outside.posts());
        model.check_list(&listed, from_outside);
        from_outside = Choice::Key("alone".into());
    }
    let counted = model.posts.iter();
    let counted = counted.filter(|post| post.plan.kind.is_counted());
    assert_eq!(shared.census.count(), counted.count());
    let clock = manager.clock();
    assert_eq!(clock.frame(), model.clock.frame());
    assert_eq!(clock::nanoseconds(clock.now()), model.clock.now());
    assert_eq!(clock::nanoseconds(clock.delta()), model.clock.delta);
    let unscaled = clock::nanoseconds(clock.unscaled_now());
    assert_eq!(unscaled, model.clock.unscaled());
    let overstep = clock::nanoseconds(clock.fixed_overstep());
    assert_eq!(overstep, model.clock.overstep());
    assert_eq!(clock.is_paused(), model.clock.paused);
    assert_eq!(manager.inspect().skipped_repeats(), model.skipped);
}

/// Makes several runs, and returns their combined counts.
fn run_all(courses: impl IntoIterator<Item = Course>) -> Counts {
    let mut all = Counts::default();
    for course in courses {
        let counts = run(course);
        let heard = counts.heard;
        assert!(heard > 3000, "{heard} heard with seed {}", course.seed);
        all.heard += heard;
        all.refused += counts.refused;
        all.skipped += counts.skipped;
        all.panics += counts.panics;
    }
    all
}

// holds: time.tick, time.due-order, time.frame-delay, time.unscaled-behind, time.fixed-follows, time.max-fixed-steps,
// time.scale-from-next-frame, time.paused, time.repeat-period, time.cancelled-never-delivered, time.cancel-by,
// time.key-replaces, time.key-is-senders, time.pending-listed, headers.post-to-gone, headers.recipient-goes-later,
// headers.mnemonic-when-delivered, headers.sender-from-outside, messagees.despawn-bound-messages,
// required.not-received
#[test]
fn every_delivery_of_random_frames_is_that_of_a_list_sorted_each_frame() {
    run_all([Course::new(1), Course::new(0x9E37_79B9)]);
}

// holds: time.frame-in-pieces
#[test]
fn so_it_is_when_the_host_leaves_stages_out_and_repeats_them() {
    run_all([0xDEAD_BEEF_CAFE, 77].map(|seed| Course {
        in_pieces: true,
        ..Course::new(seed)
    }));
}

// holds: headers.max-pending, headers.replace-is-not-more
#[test]
fn so_it_is_when_few_may_be_pending() {
    let Counts { refused, .. } = run_all([4711, 5].map(|seed| Course {
        limit: 12,
        ..Course::new(seed)
    }));
    assert!(refused > 100, "{refused}");
}

// holds: time.fixed-follows, time.max-fixed-steps
#[test]
fn so_it_is_with_long_fixed_steps_and_with_none() {
    run_all([
        Course {
            step: Duration::from_millis(40),
            most_steps: 1,
            ..Course::new(33)
        },
        Course {
            step: Duration::ZERO,
            ..Course::new(34)
        },
    ]);
}

// holds: time.due-order
#[test]
fn so_it_is_when_thousands_are_pending() {
    let course = Course {
        frames: 72,
        crowd: 4800,
        ..Course::new(4)
    };
    let Counts { heard, .. } = run(course);
    assert!(heard > 3000, "{heard}");
}

// holds: time.max-repeats, time.repeats-skipped, time.skipped-counted
#[test]
fn so_it_is_when_a_frame_may_have_few_deliveries_of_each_that_repeats() {
    for most_repeats in [0, 1, 3] {
        let Counts { skipped, .. } = run_all([false, true].map(|in_pieces| Course {
            most_repeats,
            long: 20 * Duration::from_secs(3),
            in_pieces,
            ..Course::new(u64::from(most_repeats) + 90)
        }));
        assert!(skipped > 10_000, "{skipped}");
    }
}

// holds: time.panic-in-pass
#[test]
fn so_it_is_when_components_panic_in_the_midst_of_a_pass_and_messages_when_they_are_dropped() {
    for in_pieces in [false, true] {
        let Counts { panics, .. } = run_all([60, 61].map(|seed| Course {
            panics: Some(12),
            most_repeats: 5,
            in_pieces,
            ..Course::new(seed)
        }));
        assert!(panics > 500, "{panics}");
    }
    let Counts { panics, .. } = run(Course {
        panics: Some(40),
        frames: 72,
        crowd: 4800,
        ..Course::new(62)
    });
    assert!(panics > 20, "{panics}");
}

// holds: time.due-order, time.panic-in-pass
#[test]
fn so_it_is_when_messages_of_types_that_alternate_are_due_together() {
    run_all([80, 81].map(|seed| Course {
        rains: true,
        in_pieces: seed == 81,
        frames: 600,
        ..Course::new(seed)
    }));
    let Counts { panics, .. } = run_all([82, 83].map(|seed| Course {
        rains: true,
        panics: Some(25),
        frames: 600,
        ..Course::new(seed)
    }));
    assert!(panics > 200, "{panics}");
}
