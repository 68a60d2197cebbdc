//! The same by hand: a ring of one `Vec` for each frame, and a binary heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use message_core::prelude::*;

/// What is delivered.
#[derive(Clone, Copy, Message)]
pub(crate) struct Damage(pub(crate) f32);

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
        self.hp -= damage.0;
        self.hits += 1;
    }
}

/// A `Vec` for each frame to come.
pub(crate) struct Ring {
    frames: Vec<Vec<(u32, Damage)>>,
    healths: Vec<Health>,
}

impl Ring {
    pub(crate) fn new(frames: usize, healths: usize) -> Self {
        Self {
            frames: vec![Vec::new(); frames + 1],
            healths: vec![Health::default(); healths],
        }
    }

    /// Schedules each shot, then delivers frame by frame.
    pub(crate) fn run(&mut self, shots: &[(u32, u32)]) {
        for &(at, delay) in shots {
            self.frames[delay as usize].push((at, Damage(1.0)));
        }
        for frame in &mut self.frames {
            for (at, damage) in frame.drain(..) {
                self.healths[at as usize].hurt(&damage);
            }
        }
    }
}

/// A ring whose messages can be taken back by frame and position.
pub(crate) struct RingWithCancel {
    frames: Vec<Vec<Option<(u32, Damage)>>>,
    healths: Vec<Health>,
    tickets: Vec<(u32, u32)>,
}

impl RingWithCancel {
    pub(crate) fn new(frames: usize, healths: usize) -> Self {
        Self {
            frames: vec![Vec::new(); frames + 1],
            healths: vec![Health::default(); healths],
            tickets: Vec::new(),
        }
    }

    /// As [`Ring::run`], with every other shot cancelled before the first frame.
    pub(crate) fn run(&mut self, shots: &[(u32, u32)]) {
        self.tickets.clear();
        for &(at, delay) in shots {
            let frame = &mut self.frames[delay as usize];
            let position = u32::try_from(frame.len()).expect("a small number");
            self.tickets.push((delay, position));
            frame.push(Some((at, Damage(1.0))));
        }
        for &(delay, position) in self.tickets.iter().step_by(2) {
            self.frames[delay as usize][position as usize] = None;
        }
        for frame in &mut self.frames {
            for (at, damage) in frame.drain(..).flatten() {
                self.healths[at as usize].hurt(&damage);
            }
        }
    }
}

/// The standard library's heap, ordered by frame and sequence number, with the message inline.
pub(crate) struct Queue {
    heap: BinaryHeap<Reverse<Scheduled>>,
    healths: Vec<Health>,
}

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

impl Queue {
    pub(crate) fn new(healths: usize) -> Self {
        Self {
            heap: BinaryHeap::new(),
            healths: vec![Health::default(); healths],
        }
    }

    pub(crate) fn run(&mut self, shots: &[(u32, u32)], frames: usize) {
        for (sequence, &(at, frame)) in (0..).zip(shots) {
            let damage = Damage(1.0);
            self.heap.push(Reverse(Scheduled {
                frame,
                sequence,
                at,
                damage,
            }));
        }
        for now in 1..=u32::try_from(frames).expect("a small number") {
            while let Some(Reverse(next)) = self.heap.peek()
                && next.frame <= now
            {
                let at = next.at as usize;
                let damage = next.damage;
                self.heap.pop();
                self.healths[at].hurt(&damage);
            }
        }
    }
}
