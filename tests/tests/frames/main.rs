//! Frames held against a naive list: posts, cancels, new keys, despawns and pauses at random, from
//! outside and from handlers in the midst of a pass. The list is sorted by due time and number, and
//! tells which delivery and which dead letter has to come next.

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
    /// Whether the host runs the stages itself, in whatever order, and leaves some out.
    in_pieces: bool,
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
            in_pieces: false,
        }
    }
}

/// Tells where a run was when it failed.
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

/// Random frames. How many messages were heard, and how many posts refused.
fn run(course: Course) -> (u64, u64) {
    let clock = Clock::new(course.step, course.most_steps);
    let shared = Shared::new(course.seed, Model::new(clock, course.limit, course.crowd));
    let config = ManagerConfig::new()
        .max_pending(course.limit)
        .fixed_step(course.step)
        .max_fixed_steps(course.most_steps);
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
        if course.in_pieces && frame % 4 > 0 {
            run_in_pieces(&shared, &mut manager);
        } else {
            tick(&shared, &mut manager);
        }
        check(&shared, &manager);
    }
    drop(manager);
    assert_eq!(shared.census.count(), 0, "a message outlived its manager");
    let run = shared.lock();
    (run.model.heard, run.model.refused)
}

/// What is done from outside: some steps, and changes of who belongs where.
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

fn frame_time(shared: &Shared) -> Duration {
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
        0 => Duration::from_secs(3),
        _ => Duration::from_nanos(run.random.of(&nanoseconds)),
    }
}

fn tick(shared: &Shared, manager: &mut MessageManager) {
    let dt = frame_time(shared);
    let mut run = shared.lock();
    let skipped = run.model.begin_frame(dt);
    let steps = run.model.clock.owed;
    let mut planned = vec![Stage::FixedUpdate; steps as usize];
    planned.extend([Stage::Update, Stage::LateUpdate, Stage::EndOfFrame]);
    run.model.planned.extend(planned);
    drop(run);
    let report = manager.tick(dt);
    shared.end();
    let model = &shared.lock().model;
    assert_eq!(report.frame, model.clock.frame());
    assert_eq!(report.fixed_steps, steps);
    assert_eq!(report.skipped_steps, skipped);
    assert_eq!(report.delivered, model.delivered);
    assert_eq!(report.dead_letters, model.buried);
}

fn run_in_pieces(shared: &Shared, manager: &mut MessageManager) {
    let dt = frame_time(shared);
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
        let delivered = manager.run_stage(stage);
        shared.end();
        assert_eq!(delivered, shared.lock().model.delivered);
        act(shared, manager);
    }
}

/// What has to hold between two calls.
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
    let counted = counted.filter(|post| post.plan.kind != message::Kind::Note);
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
}

/// Several runs. How many posts were refused.
fn run_all(courses: [Course; 2]) -> u64 {
    let mut refused = 0;
    for course in courses {
        let (heard, more) = run(course);
        assert!(heard > 3000, "{heard} heard with seed {}", course.seed);
        refused += more;
    }
    refused
}

#[test]
fn every_delivery_of_random_frames_is_that_of_a_list_sorted_each_frame() {
    run_all([Course::new(1), Course::new(0x9E37_79B9)]);
}

#[test]
fn so_it_is_when_the_host_leaves_stages_out_and_repeats_them() {
    run_all([0xDEAD_BEEF_CAFE, 77].map(|seed| Course {
        in_pieces: true,
        ..Course::new(seed)
    }));
}

#[test]
fn so_it_is_when_few_may_be_pending() {
    let refused = run_all([4711, 5].map(|seed| Course {
        limit: 12,
        ..Course::new(seed)
    }));
    assert!(refused > 100, "{refused}");
}

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

#[test]
fn so_it_is_when_thousands_are_pending() {
    let course = Course {
        frames: 72,
        crowd: 4800,
        ..Course::new(4)
    };
    let (heard, _) = run(course);
    assert!(heard > 3000, "{heard}");
}
