//! Posting many messages by one call: `post_each`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use message_core::error::Limit;
use message_core::post::PostEachError;
use message_core::prelude::*;

const FRAME: Duration = Duration::from_millis(10);

#[derive(Clone, Debug, Message)]
struct Step(u32);

#[derive(Message)]
struct March(u32);

/// Remembers the steps it receives; its handler takes no context.
#[derive(Default)]
struct Walker(Vec<u32>);

#[handlers]
impl Walker {
    #[on_receive]
    fn step(&mut self, step: &Step) {
        self.0.push(step.0);
    }
}

/// Posts to another messagee as many steps as a `March` asks for.
struct Leader(MessageeId);

#[handlers]
impl Leader {
    #[on_receive]
    fn march(&mut self, march: &March, cx: &mut Context<'_>) {
        let posted = cx.post_each(Header::to(self.0).after_frames(1), (0..march.0).map(Step));
        assert_eq!(posted.expect("there is room"), march.0 as usize);
    }
}

fn walker() -> (MessageManager, MessageeId) {
    let mut manager = MessageManager::new();
    let walker = manager.spawn((Walker::default(),));
    (manager, walker)
}

fn steps(manager: &MessageManager, walker: MessageeId) -> Vec<u32> {
    let walker = manager.get::<Walker>(walker);
    walker.expect("it was spawned with one").0.clone()
}

// holds: headers.post-each
#[test]
fn post_each_posts_in_order_as_so_many_posts_would() {
    for many in [0, 1, 2, 17, 5_000] {
        for header in [
            Header::to(Everyone).after_frames(1),
            Header::to(Everyone).after(FRAME),
            Header::to(Everyone).stage(Stage::LateUpdate),
            Header::to(Everyone).after_frames(1).require(1),
        ] {
            let [posted, alone] = [true, false].map(|together| {
                let (mut manager, walker) = walker();
                let header = header
                    .build()
                    .expect("it is complete")
                    .with_recipient(walker);
                manager
                    .post(&header, Step(u32::MAX))
                    .expect("the walker is alive");
                if together {
                    let posted = manager.post_each(&header, (0..many).map(Step));
                    assert_eq!(posted.expect("there is room"), many as usize);
                } else {
                    for number in 0..many {
                        manager
                            .post(&header, Step(number))
                            .expect("the walker is alive");
                    }
                }
                let pending = manager.pending_posts(Posts::all());
                let pending: Vec<_> = pending
                    .iter()
                    .map(|post| (post.due, post.sender, post.posted, post.tags))
                    .collect();
                manager.tick(FRAME);
                (pending, steps(&manager, walker))
            });
            assert_eq!(posted, alone);
            assert_eq!(posted.1.len(), many as usize + 1);
        }
    }
}

// holds: headers.post-each-fails
#[test]
fn at_the_first_that_fails_it_ends_and_what_was_posted_stays() {
    let config = ManagerConfig::new().max_pending(40);
    let mut manager = MessageManager::with_config(config);
    let walker = manager.spawn((Walker::default(),));
    let later = Header::to(walker).after_frames(1);
    let mut steps_to_do = (0..100).map(Step);
    let error = manager
        .post_each(later, &mut steps_to_do)
        .expect_err("40 can be pending");
    assert_eq!(error.posted, 40);
    assert!(matches!(
        error.error.kind(),
        SendErrorKind::AtLimit {
            limit: Limit::Pending { most: 40, .. },
            ..
        }
    ));
    // The one that failed is gone, those after it remain.
    assert_eq!(steps_to_do.next().map(|step| step.0), Some(41));
    manager.tick(FRAME);
    assert!(steps(&manager, walker).into_iter().eq(0..40));
}

// holds: headers.post-each-fails, headers.post-contradiction, headers.post-to-gone
#[test]
fn what_fails_at_once_says_that_nothing_was_posted() {
    let (mut manager, walker) = walker();
    let contradicts = Header::to(walker).after_frames(1).after(FRAME);
    let error = manager.post_each(contradicts, [Step(1)]);
    let error = error.expect_err("one delay is allowed");
    assert!(matches!(error.error.kind(), SendErrorKind::Header { .. }));
    assert_eq!(error.posted, 0);

    manager.despawn(walker).expect("it is alive");
    let error = manager.post_each(Header::to(walker).after_frames(1), [Step(1)]);
    let PostEachError { posted, error, .. } = error.expect_err("nobody is there");
    assert_eq!(posted, 0);
    assert_eq!(
        error,
        SendError::new(Step::NAME, walker, SendErrorKind::Absent(Absence::Gone))
    );
    assert!(!manager.has_pending(Posts::all()));
}

// holds: headers.immediate-is-send, headers.post-each
#[test]
fn with_stage_immediate_each_is_a_send() {
    let (mut manager, walker) = walker();
    let other = manager.spawn(());
    let at_once = Header::to(walker).build().expect("it is complete");
    let sent = manager.post_each(&at_once, [Step(1), Step(2)]);
    assert_eq!(sent.expect("the walker is alive"), 2);
    let mut as_other = manager.speak_for(other).expect("it is alive");
    let sent = as_other.post_each(&at_once, [Step(3)]);
    assert_eq!(sent.expect("the walker is alive"), 1);
    assert_eq!(steps(&manager, walker), [1, 2, 3]);
}

// holds: headers.post-each, messagees.as-messagee-offers
#[test]
fn in_a_handler_and_by_speak_for_it_posts_in_their_name() {
    let (mut manager, walker) = walker();
    let leader = manager.spawn((Leader(walker),));
    manager
        .send(leader, March(30))
        .expect("the leader is alive");
    let later = Header::to(walker)
        .after_frames(1)
        .build()
        .expect("it is complete");
    let mut as_leader = manager.speak_for(leader).expect("it is alive");
    let posted = as_leader.post_each(&later, (30..50).map(Step));
    assert_eq!(posted.expect("the walker is alive"), 20);
    let own = manager.pending_posts(Posts::of::<Step>().from(leader));
    assert_eq!(own.len(), 50);
    manager.tick(FRAME);
    assert!(steps(&manager, walker).into_iter().eq(0..50));
}

// holds: headers.post-each
#[test]
fn if_the_iterator_panics_what_it_has_yielded_is_posted() {
    let (mut manager, walker) = walker();
    let later = Header::to(walker)
        .after_frames(1)
        .build()
        .expect("it is complete");
    let broken = (0..100).map(|number| {
        assert!(number < 60, "out of steps");
        Step(number)
    });
    let panic = catch_unwind(AssertUnwindSafe(|| manager.post_each(&later, broken)));
    assert!(panic.is_err());
    let posted = manager.post_each(&later, [Step(60)]);
    assert_eq!(posted.expect("the walker is alive"), 1);
    manager.tick(FRAME);
    assert!(steps(&manager, walker).into_iter().eq(0..=60));
}

// holds: time.cancel-by, time.cancelled-never-delivered
#[test]
fn the_messages_of_a_batch_can_be_cancelled_while_others_of_it_are_pending() {
    let (mut manager, walker) = walker();
    let later = Header::to(walker)
        .after_frames(1)
        .build()
        .expect("it is complete");
    manager
        .post_each(&later, (0..100).map(Step))
        .expect("there is room");
    let pending = manager.pending_posts(Posts::of::<Step>());
    for post in pending.iter().step_by(2) {
        assert_eq!(manager.cancel(post.ticket), 1);
        assert_eq!(manager.cancel(post.ticket), 0);
    }
    assert_eq!(manager.tick(FRAME).delivered, 50);
    let odd = (0..100).filter(|number| number % 2 == 1);
    assert!(steps(&manager, walker).into_iter().eq(odd));
}
