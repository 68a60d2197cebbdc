//! W2-dying: a send to everyone in which one messagee in a hundred despawns itself.
//!
//! The messagees that have died are replaced after each broadcast, which is counted separately. So is the
//! despawning itself: the same number of messagees with the same components are despawned from outside in the
//! same pass, and the time for that is subtracted from the broadcast's. Both lines of the row do all of this;
//! they differ in what they subtract.

use std::hint::black_box;
use std::time::{Duration, Instant};

use message_core::prelude::*;

use super::in_context::Thinker;
use crate::compare::{Size, Trial};
use crate::work::{Age, Ai, Checksum, Mortal, small};

#[handlers]
impl Mortal {
    /// Runs before the [`Thinker`], which must therefore skip the messagees that are leaving.
    #[on_receive(priority = 1)]
    fn on_age(&mut self, age: &Age, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        if self.age(age.dt) {
            let me = cx.me();
            cx.despawn(me)?;
        }
        Ok(())
    }
}

fn thinker(number: u32) -> Thinker {
    Ai::new(number).into()
}

/// Messagees of which the same share dies in each pass.
struct Dying<const DESPAWNING_INCLUDED: bool> {
    manager: MessageManager,
    objects: usize,
    /// The number of objects created so far.
    born: u32,
    /// The messagees that are despawned from outside.
    victims: Vec<MessageeId>,
    passes: usize,
    apart: Duration,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    prepare_for::<false>(size)
}

pub(super) fn prepare_with_despawning(size: Size) -> Box<dyn Trial> {
    prepare_for::<true>(size)
}

fn prepare_for<const DESPAWNING_INCLUDED: bool>(size: Size) -> Box<dyn Trial> {
    let mut manager = MessageManager::new();
    let born = small(size.objects);
    for number in 0..born {
        manager.spawn((Mortal::first(number), thinker(number)));
    }
    Box::new(Dying::<DESPAWNING_INCLUDED> {
        manager,
        objects: size.objects,
        born,
        victims: Vec::new(),
        passes: size.passes,
        apart: Duration::ZERO,
    })
}

impl<const DESPAWNING_INCLUDED: bool> Dying<DESPAWNING_INCLUDED> {
    /// Spawns as many messagees as have died.
    fn replace(&mut self) {
        for _ in self.manager.len()..self.objects {
            let number = self.born;
            self.manager
                .spawn((Mortal::newborn(number), thinker(number)));
            self.born += 1;
        }
    }

    /// Returns how long it takes to despawn as many messagees from outside as die in a broadcast.
    fn despawn_others(&mut self) -> Duration {
        for number in 0..small(self.objects) / Mortal::LIFE {
            let victim = (Mortal::newborn(number), thinker(number));
            self.victims.push(self.manager.spawn(victim));
        }
        let start = Instant::now();
        for id in self.victims.drain(..) {
            self.manager.despawn(id).expect("it is alive");
        }
        start.elapsed()
    }
}

impl<const DESPAWNING_INCLUDED: bool> Trial for Dying<DESPAWNING_INCLUDED> {
    fn run(&mut self) {
        self.apart = Duration::ZERO;
        for _ in 0..self.passes {
            let dt = black_box(0.01);
            let receipt = self.manager.send(Everyone, Age { dt });
            let start = Instant::now();
            // A messagee that despawns itself in its first component receives nothing in its second.
            let died = self.objects - self.manager.len();
            assert_eq!(died, self.objects / Mortal::LIFE as usize);
            let received = receipt.expect("everyone is there").received;
            assert_eq!(received as usize, 2 * self.objects - died);
            let despawning = self.despawn_others();
            self.replace();
            self.apart += start.elapsed();
            if !DESPAWNING_INCLUDED {
                self.apart += despawning;
            }
        }
    }

    fn apart(&self) -> Duration {
        self.apart
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (id, mortal) in self.manager.iter::<Mortal>() {
            let number = mortal.number as usize;
            sum.add(number, &*mortal);
            let thinker = self.manager.get::<Thinker>(id);
            sum.add(number, &*thinker.expect("it was spawned with one"));
        }
        sum.value()
    }
}
