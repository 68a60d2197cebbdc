//! W5: a `Vec` for each future frame. It knows the last frame in advance, holds a single type of
//! message, and cannot tell which objects are gone. Like a ring in a long-running program, it keeps its
//! memory from one turn to the next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::compare::{Size, Trial};
use crate::work::{self, Bolt, Checksum, Flame, Health, Shot, Spear, Stone, Word, small};

struct Ring<M> {
    healths: Vec<Health>,
    shots: Vec<(u32, u32)>,
    frames: Vec<Vec<(u32, M)>>,
}

/// A message in a [`Ring`].
trait Hurts: Clone + From<Shot> + 'static {
    fn damage(&self) -> f32;
}

impl Hurts for Shot {
    #[inline]
    fn damage(&self) -> f32 {
        self.damage()
    }
}

impl Hurts for Word {
    #[inline]
    fn damage(&self) -> f32 {
        self.damage()
    }
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Ring::<Shot>::new(size))
}

pub(super) fn prepare_words(size: Size) -> Box<dyn Trial> {
    Box::new(Ring::<Word>::new(size))
}

impl<M: Hurts> Ring<M> {
    fn new(size: Size) -> Self {
        Self {
            healths: healths(size),
            shots: work::shots(size.messages, size.objects, size.frames),
            frames: vec![Vec::new(); size.frames + 1],
        }
    }
}

impl<M: Hurts> Trial for Ring<M> {
    fn run(&mut self) {
        let (frames, healths) = (&mut self.frames[..], &mut self.healths[..]);
        for (number, &(at, delay)) in (0..).zip(&self.shots) {
            frames[delay as usize].push((at, Shot::new(number).into()));
        }
        for frame in frames {
            for (at, shot) in frame.drain(..) {
                healths[at as usize].hurt(shot.damage());
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum(&self.healths)
    }
}

/// W5-heard: a closure counts the messages.
struct HeardRing {
    ring: Ring<Shot>,
    heard: Box<dyn FnMut(&Shot)>,
}

pub(super) fn prepare_heard(size: Size) -> Box<dyn Trial> {
    let mut heard = 0_u64;
    Box::new(HeardRing {
        ring: Ring::new(size),
        heard: Box::new(move |_| heard = std::hint::black_box(heard + 1)),
    })
}

impl Trial for HeardRing {
    fn run(&mut self) {
        let (frames, healths) = (&mut self.ring.frames[..], &mut self.ring.healths[..]);
        for (number, &(at, delay)) in (0..).zip(&self.ring.shots) {
            frames[delay as usize].push((at, Shot::new(number)));
        }
        for frame in frames {
            for (at, shot) in frame.drain(..) {
                healths[at as usize].hurt(shot.damage());
                (self.heard)(&shot);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.ring.checksum()
    }
}

/// W5-two: messages that hurt two components of each object.
struct TwoRings {
    ring: Ring<Shot>,
    armours: Vec<Health>,
}

pub(super) fn prepare_two(size: Size) -> Box<dyn Trial> {
    Box::new(TwoRings {
        ring: Ring::new(size),
        armours: healths(size),
    })
}

impl Trial for TwoRings {
    fn run(&mut self) {
        let (frames, healths) = (&mut self.ring.frames[..], &mut self.ring.healths[..]);
        for (number, &(at, delay)) in (0..).zip(&self.ring.shots) {
            frames[delay as usize].push((at, Shot::new(number)));
        }
        for frame in frames {
            for (at, shot) in frame.drain(..) {
                healths[at as usize].hurt(shot.damage());
                self.armours[at as usize].hurt(shot.damage());
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.ring.checksum() ^ checksum(&self.armours).rotate_left(1)
    }
}

/// W5-ten and W5-one: a few messages are posted in each frame.
struct Heap<const IN_EACH: usize> {
    healths: Vec<Health>,
    shots: Vec<(u32, u32)>,
    frames: u32,
    posts: BinaryHeap<Reverse<(u32, u32, u32)>>,
}

pub(super) fn prepare_sparse<const IN_EACH: usize>(size: Size) -> Box<dyn Trial> {
    Box::new(Heap::<IN_EACH> {
        healths: healths(size),
        shots: work::shots(size.messages, size.objects, size.frames),
        frames: small(size.frames),
        posts: BinaryHeap::new(),
    })
}

impl<const IN_EACH: usize> Heap<IN_EACH> {
    fn deliver(&mut self, frame: u32) {
        while let Some(&Reverse((due, number, at))) = self.posts.peek()
            && due <= frame
        {
            self.posts.pop();
            self.healths[at as usize].hurt(Shot::new(number).damage());
        }
    }
}

impl<const IN_EACH: usize> Trial for Heap<IN_EACH> {
    fn run(&mut self) {
        let (mut frame, mut number) = (0, 0);
        let shots = std::mem::take(&mut self.shots);
        for shots in shots.chunks(IN_EACH) {
            for &(at, delay) in shots {
                self.posts.push(Reverse((frame + delay, number, at)));
                number += 1;
            }
            frame += 1;
            self.deliver(frame);
        }
        for _ in 0..self.frames {
            frame += 1;
            self.deliver(frame);
        }
        self.shots = shots;
    }

    fn checksum(&mut self) -> u64 {
        checksum(&self.healths)
    }
}

/// W5-mixed: a message of one of four types. Nobody asks for its sender.
#[derive(Clone, Copy)]
enum Missile {
    Bolt(Bolt),
    Stone(Stone),
    Spear(Spear),
    Flame(Flame),
}

impl Missile {
    #[inline]
    fn new(number: u32) -> Self {
        let shot = Shot::new(number);
        match number % 4 {
            0 => Self::Bolt(Bolt(shot)),
            1 => Self::Stone(Stone(shot)),
            2 => Self::Spear(Spear(shot)),
            _ => Self::Flame(Flame(shot)),
        }
    }

    #[inline]
    fn damage(&self) -> f32 {
        match self {
            Self::Bolt(it) => it.0.damage(),
            Self::Stone(it) => 2.0 * it.0.damage(),
            Self::Spear(it) => 3.0 * it.0.damage(),
            Self::Flame(it) => 4.0 * it.0.damage(),
        }
    }
}

struct MixedRing {
    healths: Vec<Health>,
    shots: Vec<(u32, u32)>,
    frames: Vec<Vec<(u32, Missile)>>,
}

pub(super) fn prepare_mixed(size: Size) -> Box<dyn Trial> {
    Box::new(MixedRing {
        healths: healths(size),
        shots: work::shots(size.messages, size.objects, size.frames),
        frames: vec![Vec::new(); size.frames + 1],
    })
}

impl Trial for MixedRing {
    fn run(&mut self) {
        let (frames, healths) = (&mut self.frames[..], &mut self.healths[..]);
        for (number, &(at, delay)) in (0..).zip(&self.shots) {
            frames[delay as usize].push((at, Missile::new(number)));
        }
        for frame in frames {
            for (at, missile) in frame.drain(..) {
                healths[at as usize].hurt(missile.damage());
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum(&self.healths)
    }
}

/// A ring whose messages can be cancelled by frame and position.
struct RingWithCancel {
    healths: Vec<Health>,
    shots: Vec<(u32, u32)>,
    frames: Vec<Vec<Option<(u32, Shot)>>>,
    tickets: Vec<(u32, u32)>,
}

pub(super) fn prepare_with_cancel(size: Size) -> Box<dyn Trial> {
    Box::new(RingWithCancel {
        healths: healths(size),
        shots: work::shots(size.messages, size.objects, size.frames),
        frames: vec![Vec::new(); size.frames + 1],
        tickets: Vec::with_capacity(size.messages),
    })
}

impl Trial for RingWithCancel {
    fn run(&mut self) {
        let (frames, healths) = (&mut self.frames[..], &mut self.healths[..]);
        let tickets = &mut self.tickets;
        for (number, &(at, delay)) in (0..).zip(&self.shots) {
            let frame = &mut frames[delay as usize];
            tickets.push((delay, small(frame.len())));
            frame.push(Some((at, Shot::new(number))));
        }
        for &(delay, position) in tickets.iter().step_by(2) {
            frames[delay as usize][position as usize] = None;
        }
        tickets.clear();
        for frame in frames {
            for (at, shot) in frame.drain(..).flatten() {
                healths[at as usize].hurt(shot.damage());
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum(&self.healths)
    }
}

pub(super) fn healths(size: Size) -> Vec<Health> {
    (0..small(size.objects)).map(Health::new).collect()
}

pub(super) fn checksum(healths: &[Health]) -> u64 {
    let mut sum = Checksum::new();
    for (number, health) in healths.iter().enumerate() {
        sum.add(number, health);
    }
    sum.value()
}
