//! Posts everything, then runs the frames.

use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Health, Shot, small};

/// A queue that keeps messages until their frame.
pub(super) trait Queue: Default {
    /// Keeps the shot with this number until the given frame.
    fn post(&mut self, frame: u32, number: u32, shot: Aimed);
    /// Removes everything due in the frame, in posting order.
    fn deliver(&mut self, frame: u32, hit: impl FnMut(Aimed));
}

/// A queue whose posts can be cancelled.
pub(super) trait QueueWithCancel: Default {
    type Ticket: Copy;
    fn post(&mut self, frame: u32, number: u32, shot: Aimed) -> Self::Ticket;
    fn cancel(&mut self, ticket: Self::Ticket);
    fn deliver(&mut self, frame: u32, hit: impl FnMut(Aimed));
}

/// A shot and its target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aimed {
    at: u32,
    shot: Shot,
}

impl Aimed {
    #[inline]
    pub(super) fn new(at: u32, number: u32) -> Self {
        let shot = Shot::new(number);
        Self { at, shot }
    }

    #[inline]
    pub(super) fn hit(&self, healths: &mut [Health]) {
        healths[self.at as usize].hurt(self.shot.damage());
    }
}

/// The shots to post, and their targets.
pub(super) struct Range {
    pub(super) healths: Vec<Health>,
    /// The target of each shot, and the number of frames until it is due.
    pub(super) shots: Vec<(u32, u32)>,
    pub(super) frames: u32,
}

impl Range {
    pub(super) fn new(size: Size) -> Self {
        Self {
            healths: (0..small(size.objects)).map(Health::new).collect(),
            shots: work::shots(size.messages, size.objects, size.frames),
            frames: small(size.frames),
        }
    }

    pub(super) fn checksum(&self) -> u64 {
        let mut sum = Checksum::new();
        for (number, health) in self.healths.iter().enumerate() {
            sum.add(number, health);
        }
        sum.value()
    }
}

struct Posts<Q> {
    queue: Q,
    range: Range,
    /// The last frame that has passed: a queue may rely on time moving forward.
    now: u32,
}

pub(super) fn prepare<Q: Queue + 'static>(size: Size) -> Box<dyn Trial> {
    Box::new(Posts {
        queue: Q::default(),
        range: Range::new(size),
        now: 0,
    })
}

impl<Q: Queue> Trial for Posts<Q> {
    fn run(&mut self) {
        let Range {
            healths,
            shots,
            frames,
        } = &mut self.range;
        for (number, &(at, delay)) in (0..).zip(&*shots) {
            let shot = Aimed::new(at, number);
            self.queue.post(self.now + delay, number, shot);
        }
        for _ in 0..*frames {
            self.now += 1;
            self.queue.deliver(self.now, |shot| shot.hit(healths));
        }
    }

    fn checksum(&mut self) -> u64 {
        self.range.checksum()
    }
}

struct PostsAndCancels<Q: QueueWithCancel> {
    queue: Q,
    tickets: Vec<Q::Ticket>,
    range: Range,
    now: u32,
}

pub(super) fn prepare_with_cancel<Q: QueueWithCancel + 'static>(size: Size) -> Box<dyn Trial> {
    Box::new(PostsAndCancels {
        queue: Q::default(),
        tickets: Vec::with_capacity(size.messages),
        range: Range::new(size),
        now: 0,
    })
}

impl<Q: QueueWithCancel> Trial for PostsAndCancels<Q> {
    fn run(&mut self) {
        let Range {
            healths,
            shots,
            frames,
        } = &mut self.range;
        for (number, &(at, delay)) in (0..).zip(&*shots) {
            let shot = Aimed::new(at, number);
            let ticket = self.queue.post(self.now + delay, number, shot);
            self.tickets.push(ticket);
        }
        for &ticket in self.tickets.iter().step_by(2) {
            self.queue.cancel(ticket);
        }
        self.tickets.clear();
        for _ in 0..*frames {
            self.now += 1;
            self.queue.deliver(self.now, |shot| shot.hit(healths));
        }
    }

    fn checksum(&mut self) -> u64 {
        self.range.checksum()
    }
}
