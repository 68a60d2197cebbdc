//! Who gets what in which order: shuffled, and the same in every run.
//!
//! Objects are given by number. A contender turns the numbers into its own addresses before the
//! time is taken: who sends a message knows whom to.

use super::{Kind, Lottery, small};

/// W1: every one of so many objects once, in shuffled order, each with a kind of message.
#[must_use]
pub fn errands(objects: usize) -> Vec<(u32, Kind)> {
    walk(objects).into_iter().zip(kinds(objects)).collect()
}

/// W3: every one of so many objects once, in shuffled order.
#[must_use]
pub fn walk(objects: usize) -> Vec<u32> {
    let mut lottery = Lottery::new(1);
    let mut order: Vec<u32> = (0..small(objects)).collect();
    for at in (1..objects).rev() {
        order.swap(at, lottery.draw(at + 1));
    }
    order
}

/// W3-in: whom each of so many objects looks at: another one, and each at somebody else.
///
/// # Panics
///
/// When there are fewer than two.
#[must_use]
pub fn targets(objects: usize) -> Vec<u32> {
    assert!(objects > 1, "somebody else to look at");
    let mut lottery = Lottery::new(3);
    let mut targets: Vec<u32> = (0..small(objects)).collect();
    // Swapping each only with an earlier one makes a single cycle, in which nobody is their own
    // successor.
    for at in (1..objects).rev() {
        targets.swap(at, lottery.draw(at));
    }
    targets
}

/// W4: so many kinds of message in random order.
#[must_use]
pub fn kinds(messages: usize) -> Vec<Kind> {
    let mut lottery = Lottery::new(4);
    let kind = |_| Kind::ALL[lottery.draw(Kind::ALL.len())];
    (0..messages).map(kind).collect()
}

/// W5: for each of so many shots who is hit, and in how many frames: at least one, at most `frames`.
#[must_use]
pub fn shots(messages: usize, objects: usize, frames: usize) -> Vec<(u32, u32)> {
    let mut lottery = Lottery::new(5);
    let mut draw = |bound| small(lottery.draw(bound));
    let shot = |_| (draw(objects), 1 + draw(frames));
    (0..messages).map(shot).collect()
}

/// W5-mixed: for each of so many messages who sends it.
#[must_use]
pub fn senders(messages: usize, objects: usize) -> Vec<u32> {
    let mut lottery = Lottery::new(11);
    let from = |_| small(lottery.draw(objects));
    (0..messages).map(from).collect()
}

/// W6: for each of so many messages whom it is for.
#[must_use]
pub fn deliveries(messages: usize, objects: usize) -> Vec<u32> {
    let mut lottery = Lottery::new(7);
    let to = |_| small(lottery.draw(objects));
    (0..messages).map(to).collect()
}
