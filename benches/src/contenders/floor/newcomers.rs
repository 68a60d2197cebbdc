//! W9-many: boxed closures in reusable places, and names that are places of a table.

use std::hint::black_box;

use crate::compare::{Size, Trial};
use crate::work::{self, Beat, Total, small};

type Listener = Box<dyn FnMut(&Beat)>;

struct Newcomers {
    listeners: Vec<Option<Listener>>,
    free: Vec<u32>,
    /// The bearer of each name: first the permanent names, then the temporary ones.
    bound: Vec<Option<u32>>,
    total: Total,
    /// The places of the temporary listeners, by object.
    coming: Vec<u32>,
    /// The numbers, shuffled.
    order: Vec<u32>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let total = Total::default();
    let closure = |number| -> Option<Listener> {
        let mut tally = total.tally(number);
        Some(Box::new(move |beat| tally.hear(beat)))
    };
    let staying = (0..small(size.objects)).map(Some);
    Box::new(Newcomers {
        listeners: (0..size.objects).map(closure).collect(),
        free: Vec::new(),
        bound: staying.chain((0..size.objects).map(|_| None)).collect(),
        total,
        coming: Vec::with_capacity(size.objects),
        order: work::walk(size.objects),
        passes: size.passes,
    })
}

impl Newcomers {
    fn subscribe(&mut self, listener: Listener) -> u32 {
        if let Some(place) = self.free.pop() {
            self.listeners[place as usize] = Some(listener);
            return place;
        }
        self.listeners.push(Some(listener));
        small(self.listeners.len() - 1)
    }

    fn unsubscribe(&mut self, place: u32) -> bool {
        self.free.push(place);
        self.listeners[place as usize].take().is_some()
    }
}

impl Trial for Newcomers {
    fn run(&mut self) {
        let objects = self.order.len();
        for _ in 0..self.passes {
            for number in 0..objects {
                let mut sum = 0;
                let hear = move |beat: &Beat| sum = black_box(sum + beat.0);
                let place = self.subscribe(Box::new(hear));
                self.coming.push(place);
                self.bound[objects + number] = Some(small(number));
            }
            let beat = Beat(1);
            for listener in self.listeners.iter_mut().flatten() {
                listener(&beat);
            }
            for at in 0..objects {
                let number = self.order[at] as usize;
                assert!(self.unsubscribe(self.coming[number]));
                let unbound = self.bound[objects + number].take();
                assert_eq!(unbound, Some(small(number)));
            }
            self.coming.clear();
        }
    }

    fn checksum(&mut self) -> u64 {
        self.listeners.clear();
        self.total.checksum()
    }
}
