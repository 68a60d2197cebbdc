//! The same by hand: a ring of one `Vec` for each frame, and a binary heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use message_core::prelude::*;

/// What is delivered: how much, and where it hit.
#[derive(Clone, Message)]
pub(crate) struct Damage {
    amount: f32,
    at: [f32; 3],
}

impl Damage {
    pub(crate) fn new() -> Self {
        Self {
            amount: 1.0,
            at: [0.5; 3],
        }
    }
}

/// Who receives it.
#[derive(Clone, Default)]
pub(crate) struct Health {
    hp: f32,
    hits: u64,
}

#[handlers]
impl Health {
    #[on_receive]
    pub(crate) fn hurt(&mut self, damage: &Damage) {
        self.hp -= damage.amount * damage.at[1];
        self.hits += 1;
    }
}

/// A `Vec` for each frame to come. Schedules each shot, then delivers frame by frame.
pub(crate) fn ring(shots: &[(u32, u32)], frames: usize, healths: &mut [Health]) {
    let mut ring: Vec<Vec<(u32, Damage)>> = vec![Vec::new(); frames + 1];
    for &(at, delay) in shots {
        ring[delay as usize].push((at, Damage::new()));
    }
    for frame in ring {
        for (at, damage) in frame {
            healths[at as usize].hurt(&damage);
        }
    }
}

/// A ring whose messages can be taken back by frame and position: every other shot is, before the
/// first frame.
pub(crate) fn ring_with_cancel(shots: &[(u32, u32)], frames: usize, healths: &mut [Health]) {
    let mut ring: Vec<Vec<Option<(u32, Damage)>>> = vec![Vec::new(); frames + 1];
    let mut tickets = Vec::with_capacity(shots.len());
    for &(at, delay) in shots {
        let frame = &mut ring[delay as usize];
        let position = u32::try_from(frame.len()).expect("a small number");
        tickets.push((delay, position));
        frame.push(Some((at, Damage::new())));
    }
    for &(delay, position) in tickets.iter().step_by(2) {
        ring[delay as usize][position as usize] = None;
    }
    for frame in ring {
        for (at, damage) in frame.into_iter().flatten() {
            healths[at as usize].hurt(&damage);
        }
    }
}

/// One shot in the standard library's heap, with the message inline.
struct Scheduled {
    frame: u32,
    sequence: u32,
    at: u32,
    damage: Damage,
}

impl PartialEq for Scheduled {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Scheduled {}

impl PartialOrd for Scheduled {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Scheduled {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.frame, self.sequence).cmp(&(other.frame, other.sequence))
    }
}

/// The standard library's heap, ordered by frame and sequence number.
pub(crate) fn binary_heap(shots: &[(u32, u32)], frames: usize, healths: &mut [Health]) {
    let mut heap: BinaryHeap<Reverse<Scheduled>> = BinaryHeap::new();
    for (sequence, &(at, frame)) in (0..).zip(shots) {
        let damage = Damage::new();
        heap.push(Reverse(Scheduled {
            frame,
            sequence,
            at,
            damage,
        }));
    }
    for now in 1..=u32::try_from(frames).expect("a small number") {
        while heap.peek().is_some_and(|Reverse(next)| next.frame <= now)
            && let Some(Reverse(due)) = heap.pop()
        {
            healths[due.at as usize].hurt(&due.damage);
        }
    }
}
