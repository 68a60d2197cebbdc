//! The work of W10: sums of what arrives, and objects that compute.

use std::hint::black_box;

use super::{Checksum, State, small};

/// The number of rooms, and of the objects in each of them that send, and of those that receive.
pub const ROOMS: usize = 8;
/// See [`ROOMS`].
pub const EACH: usize = 100;

/// The number of turns that an object computes in a frame.
const TURNS: u32 = 1_000;

/// An object that receives.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum(pub u32);

impl Sum {
    /// Adds what a message contains.
    #[inline]
    pub fn add(&mut self, amount: u32) {
        self.0 = self.0.wrapping_add(amount);
    }
}

impl State for Sum {
    fn bits(&self) -> u64 {
        self.0.into()
    }
}

/// An object that computes.
#[derive(Clone, Copy, Debug)]
pub struct Mind(u32);

impl Mind {
    /// Returns the object with this number.
    #[must_use]
    pub fn new(number: usize) -> Self {
        Self(small(number) | 1)
    }

    /// Computes for a frame.
    pub fn compute(&mut self) {
        for _ in 0..TURNS {
            self.0 = black_box(self.0.rotate_left(7).wrapping_mul(0x9e37_79b9));
        }
    }
}

impl State for Mind {
    fn bits(&self) -> u64 {
        self.0.into()
    }
}

/// Returns which receiver of which room an object sends its messages to: one to another room, the others to its own.
#[must_use]
pub fn receivers(room: usize, sender: usize) -> Vec<(usize, usize)> {
    let other = (room + 1 + sender % (ROOMS - 1)) % ROOMS;
    let room_of = |at| if at == sender { other } else { room };
    (0..EACH).map(|at| (room_of(at), at)).collect()
}

/// Returns the checksum over the objects that compute and those that receive, room by room.
pub fn checksum<'a>(
    minds: impl IntoIterator<Item = &'a Mind>,
    sums: impl IntoIterator<Item = &'a Sum>,
) -> u64 {
    let mut checksum = Checksum::new();
    for (number, mind) in minds.into_iter().enumerate() {
        checksum.add(number, mind);
    }
    for (number, sum) in sums.into_iter().enumerate() {
        checksum.add(number, sum);
    }
    checksum.value()
}
