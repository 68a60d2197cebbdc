//! W10: the messages of a frame in a `Vec`, which is read once; and loops over the objects of all rooms.

use crate::compare::{Size, Trial};
use crate::work::rooms::{EACH, Mind, ROOMS, Sum, checksum, receivers};
use crate::work::{small, walk};

struct Frames {
    targets: Vec<u32>,
    sums: Vec<Sum>,
    sent: Vec<(u32, u32)>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Frames {
        targets: walk(size.objects),
        sums: vec![Sum::default(); size.objects],
        sent: Vec::with_capacity(size.objects),
        passes: size.passes,
    })
}

impl Trial for Frames {
    fn run(&mut self) {
        for _ in 0..self.passes {
            self.sent.extend(self.targets.iter().copied().zip(0..));
            for (target, amount) in self.sent.drain(..) {
                self.sums[target as usize].add(amount);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum([], &self.sums)
    }
}

struct Zones {
    minds: Vec<Mind>,
    sums: Vec<Sum>,
    /// The receivers of each object.
    targets: Vec<Vec<usize>>,
    passes: usize,
}

pub(super) fn prepare_frames(size: Size) -> Box<dyn Trial> {
    let senders = (0..ROOMS).flat_map(|room| (0..EACH).map(move |sender| (room, sender)));
    let targets = senders.map(|(room, sender)| {
        let receivers = receivers(room, sender).into_iter();
        receivers.map(|(room, at)| room * EACH + at).collect()
    });
    Box::new(Zones {
        minds: (0..ROOMS * EACH).map(Mind::new).collect(),
        sums: vec![Sum::default(); ROOMS * EACH],
        targets: targets.collect(),
        passes: size.passes,
    })
}

impl Trial for Zones {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for (mind, targets) in self.minds.iter_mut().zip(&self.targets) {
                mind.compute();
                for (at, &target) in targets.iter().enumerate() {
                    self.sums[target].add(small(at));
                }
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum(&self.minds, &self.sums)
    }
}
