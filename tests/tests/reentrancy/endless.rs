//! Sends that could run forever or exceed a limit, and do not.

use message_core::Children;
use message_core::Recipient::{EveryoneElse, Me};
use message_core::lifecycle::{HandlerFailed, Hooked};
use message_core::prelude::*;

/// Counts down by sending to itself.
#[derive(Message)]
struct CountDown {
    left: usize,
}

#[derive(Default)]
struct Counter {
    steps: usize,
}

#[handlers]
impl Counter {
    #[on_receive]
    fn step(&mut self, count: &CountDown, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.steps += 1;
        if count.left > 0 {
            let left = count.left - 1;
            cx.send(Me, CountDown { left })?;
        }
        Ok(())
    }
}

// holds: reentrancy.busy-kept
#[test]
fn a_component_that_answers_itself_takes_no_more_of_the_stack_than_one_that_does_not() {
    let mut manager = MessageManager::new();
    let counter = manager.spawn((Counter::default(),));
    manager
        .send(counter, CountDown { left: 200_000 })
        .expect("it is alive");
    let counter = manager.get::<Counter>(counter).expect("it has one");
    assert_eq!(counter.steps, 200_001);
}

/// Hit back and forth between two players.
#[derive(Message)]
struct Ball {
    left: usize,
}

#[derive(Default)]
struct Player {
    hits: usize,
}

#[handlers]
impl Player {
    #[on_receive]
    fn hit(&mut self, ball: &Ball, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.hits += 1;
        if ball.left > 0 {
            let left = ball.left - 1;
            cx.send(EveryoneElse, Ball { left })?;
        }
        Ok(())
    }
}

// holds: reentrancy.busy-kept
#[test]
fn two_components_that_answer_each_other_are_not_nested_deeper_each_time() {
    let mut manager = MessageManager::new();
    let (first, second) = (
        manager.spawn((Player::default(),)),
        manager.spawn((Player::default(),)),
    );
    let receipt = manager.send(first, Ball { left: 100_000 });
    assert_eq!(receipt.map(|receipt| receipt.failed), Ok(0));
    let hits = |id| manager.get::<Player>(id).expect("it has one").hits;
    assert_eq!((hits(first), hits(second)), (50_001, 50_000));
}

/// Hooks itself to a newcomer, again and again, as soon as it receives `Hooked`.
struct Breeder {
    left: usize,
}

#[handlers]
impl Breeder {
    #[on_receive]
    fn hooked(&mut self, _: &Hooked, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        if let Some(left) = self.left.checked_sub(1) {
            let newcomer = cx.spawn(());
            cx.hook(newcomer, Self { left })?;
        }
        Ok(())
    }
}

// holds: reentrancy.changes-unbounded
#[test]
fn a_dispatch_can_ask_for_any_number_of_changes() {
    let config = ManagerConfig::new().max_kept(10).max_pending(10);
    let mut manager = MessageManager::with_config(config);
    manager.spawn((Breeder { left: 10_000 },));
    assert_eq!(manager.iter::<Breeder>().count(), 10_001);
}

/// A line for a log that cannot be written.
#[derive(Message)]
struct Line;

struct BrokenLog {
    reason: &'static str,
}

#[handlers]
impl BrokenLog {
    #[on_receive]
    fn write(&self, _: &Line) -> Result<(), &'static str> {
        Err(self.reason)
    }
}

#[derive(Default)]
struct Reporter {
    told: usize,
}

#[handlers]
impl Reporter {
    #[on_receive]
    fn report(&mut self, _: &HandlerFailed, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.told += 1;
        cx.send(Everyone, Line)?;
        Ok(())
    }
}

// holds: send.failure-while-telling
#[test]
fn a_failure_on_the_way_of_telling_a_failure_is_not_told() {
    let mut manager = MessageManager::new();
    let reason = "the disk is full";
    manager.spawn((BrokenLog { reason },));
    let reporter = manager.spawn((Reporter::default(),));
    let receipt = manager.send(Everyone, Line).expect("nothing can fail");
    assert_eq!((receipt.received, receipt.failed), (1, 2));
    assert_eq!(
        manager.get::<Reporter>(reporter).expect("it has one").told,
        1
    );
}

/// The steps of a dispatch that reuses the place of a messagee whose parent was to change.
#[derive(Message)]
enum Step {
    First,
    Second,
    Third,
}

struct Director {
    p: MessageeId,
    q: MessageeId,
    x: MessageeId,
}

#[handlers]
impl Director {
    #[on_receive]
    fn direct(&mut self, step: &Step, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        match step {
            Step::First => {
                cx.set_parent(self.p, Some(self.x))?;
                cx.despawn(self.p)?;
                let next = cx.spawn((Director { ..*self },));
                cx.send(next, Step::Second)?;
            }
            Step::Second => {
                let newcomer = cx.spawn(());
                cx.set_parent(self.q, Some(newcomer))?;
                cx.despawn_with(self.q, Children::Reparent)?;
                let next = cx.spawn((Director { ..*self },));
                cx.send(next, Step::Third)?;
            }
            Step::Third => cx.despawn(self.x)?,
        }
        Ok(())
    }
}

#[test]
fn a_parent_that_was_expected_for_one_who_is_gone_means_nothing_for_a_newcomer() {
    let mut manager = MessageManager::new();
    let (p, q, x) = (manager.spawn(()), manager.spawn(()), manager.spawn(()));
    let child = manager.spawn((Counter::default(),));
    manager.set_parent(child, Some(q)).expect("both are alive");
    let director = manager.spawn((Director { p, q, x },));
    let receipt = manager.send(director, Step::First).expect("it is alive");
    assert_eq!(receipt.failed, 0);
    assert!(manager.is_alive(child));
    let receipt = manager.send(child, CountDown { left: 0 });
    assert_eq!(receipt.map(|receipt| receipt.received), Ok(1));
    assert_eq!(manager.despawn(child), Ok(()));
}
