//! What tells a manager from all others of the process.
//!
//! A [number](ManagerNumber) of 16 bits stands in every key. [`Numbers`] gives each out to one
//! manager at a time: fresh ones first, then those of dropped managers, the one that was dropped
//! longest ago first. A number comes back with how far its manager has counted, and the next manager
//! of that number goes on behind: with the next multiple of 1 024 generations, so that the ids of
//! managers that are made in a row look alike, and with the next number of a post. So an old key or
//! ticket meets no newcomer.
//!
//! Those who count hold a share of the [`Identity`] and report when they are dropped; the number goes
//! back with the last share. The serial number never repeats, and is what a cursor remembers.

use std::collections::VecDeque;
use std::num::{NonZeroU16, NonZeroU64};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many generations a key has.
pub(crate) const GENERATIONS: u32 = 1 << 16;
/// The generations of a manager begin at a multiple of this.
const GENERATION_STEP: u32 = 1 << 10;
/// The bits of a post's number below the manager's.
const POST_BITS: u32 = 48;
/// A number whose managers have posted more than this in all begins to count posts from zero.
const MOST_POSTS: u64 = 1 << (POST_BITS - 1);

static NUMBERS: Mutex<Numbers> = Mutex::new(Numbers::new(u16::MAX));

/// Which manager gave out a key, among those that are alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ManagerNumber(pub(crate) NonZeroU16);

/// How far the managers of a number have counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counted {
    /// The generation in which the places of the next manager begin.
    generation: u32,
    /// The number of its first post, without the manager's bits.
    post: u64,
}

impl Counted {
    /// Where the next manager of the number begins, if this one has used what is before.
    fn next(self) -> Self {
        let generation = self.generation.next_multiple_of(GENERATION_STEP);
        let is_used_up = generation > GENERATIONS - GENERATION_STEP;
        Self {
            generation: if is_used_up { 0 } else { generation },
            post: if self.post > MOST_POSTS { 0 } else { self.post },
        }
    }
}

/// Gives out the numbers of managers and takes them back.
#[derive(Debug)]
struct Numbers {
    /// The highest number that there is.
    last: u16,
    /// The number of numbers that have been given out for the first time: 1 to this.
    fresh: u16,
    /// The number of managers that have been made.
    made: u64,
    /// The numbers of dropped managers, the one that was dropped longest ago first.
    returned: VecDeque<(ManagerNumber, Counted)>,
}

impl Numbers {
    const fn new(last: u16) -> Self {
        Self {
            last,
            fresh: 0,
            made: 0,
            returned: VecDeque::new(),
        }
    }

    /// A number that no manager has, where its manager begins to count, and a serial number.
    fn take(&mut self) -> Option<(ManagerNumber, Counted, u64)> {
        let fresh = self.fresh.checked_add(1).and_then(NonZeroU16::new);
        let (number, begin) = match fresh.filter(|fresh| fresh.get() <= self.last) {
            Some(fresh) => {
                self.fresh = fresh.get();
                (ManagerNumber(fresh), Counted::default())
            }
            None => self.returned.pop_front()?,
        };
        self.made += 1;
        Some((number, begin, self.made))
    }

    /// The manager of that number was dropped, and has counted so far.
    fn give_back(&mut self, number: ManagerNumber, counted: Counted) {
        self.returned.push_back((number, counted.next()));
    }
}

fn numbers() -> MutexGuard<'static, Numbers> {
    NUMBERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What tells a manager from all others. When it is dropped, the number can be given out again.
#[derive(Debug)]
pub(crate) struct Identity {
    number: ManagerNumber,
    serial: u64,
    begin: Counted,
    /// The highest generation that was given out, and one.
    generation: AtomicU32,
    /// The number of the next post, without the manager's bits.
    post: AtomicU64,
}

impl Identity {
    /// The number of managers that can be alive at once.
    pub(crate) const MOST: usize = u16::MAX as usize;

    /// The identity of a new manager; `None` when [so many](Self::MOST) are alive.
    pub(crate) fn new() -> Option<Arc<Self>> {
        let (number, begin, serial) = numbers().take()?;
        Some(Arc::new(Self {
            number,
            serial,
            begin,
            generation: begin.generation.into(),
            post: begin.post.into(),
        }))
    }

    pub(crate) fn number(&self) -> ManagerNumber {
        self.number
    }

    /// Which manager of the process it is. Never repeats.
    pub(crate) fn serial(&self) -> u64 {
        self.serial
    }

    /// The generation in which the places of this manager begin.
    pub(crate) fn first_generation(&self) -> u32 {
        self.begin.generation
    }

    /// What follows the highest generation that was reported.
    #[cfg(test)]
    pub(crate) fn generations(&self) -> u32 {
        self.generation.load(Ordering::Relaxed)
    }

    /// No generation from this on has been given out.
    pub(crate) fn report_generations(&self, end: u32) {
        self.generation.fetch_max(end, Ordering::Relaxed);
    }
}

impl Drop for Identity {
    fn drop(&mut self) {
        let counted = Counted {
            generation: *self.generation.get_mut(),
            post: *self.post.get_mut(),
        };
        numbers().give_back(self.number, counted);
    }
}

/// The numbers of a manager's posts.
#[derive(Debug)]
pub(crate) struct PostNumbers {
    next: NonZeroU64,
    identity: Arc<Identity>,
}

impl PostNumbers {
    pub(crate) fn new(identity: &Arc<Identity>) -> Self {
        let manager = NonZeroU64::from(identity.number.0).get() << POST_BITS;
        let next = NonZeroU64::new(manager | identity.begin.post);
        Self {
            next: next.expect("a manager's number is never zero"),
            identity: Arc::clone(identity),
        }
    }

    /// The number of the next post.
    #[inline]
    pub(crate) fn next(&self) -> NonZeroU64 {
        self.next
    }

    /// The next post will have that number.
    #[inline]
    pub(crate) fn go_on_with(&mut self, next: NonZeroU64) {
        self.next = next;
    }
}

impl Drop for PostNumbers {
    fn drop(&mut self) {
        let manager = u64::from(self.identity.number.0.get()) << POST_BITS;
        let counted = self.next.get() - manager;
        self.identity.post.store(counted, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: u16) -> ManagerNumber {
        ManagerNumber(NonZeroU16::new(number).expect("it is not zero"))
    }

    fn counted(generation: u32, post: u64) -> Counted {
        Counted { generation, post }
    }

    #[test]
    fn managers_that_live_at_the_same_time_never_share_a_number() {
        let mut numbers = Numbers::new(3);
        let taken: Vec<_> = std::iter::from_fn(|| numbers.take()).collect();
        let expected = [1, 2, 3].map(|serial| (number(serial), Counted::default(), serial.into()));
        assert_eq!(taken, expected);
        numbers.give_back(number(2), Counted::default());
        assert_eq!(numbers.take(), Some((number(2), Counted::default(), 4)));
        assert_eq!(numbers.take(), None);
    }

    #[test]
    fn every_number_but_zero_is_given_out() {
        let mut numbers = Numbers::new(u16::MAX);
        for expected in 1..=u16::MAX {
            let taken = numbers.take().map(|(number, ..)| number);
            assert_eq!(taken, Some(number(expected)));
        }
        assert_eq!(numbers.take(), None);
    }

    #[test]
    fn fresh_numbers_come_first_then_the_one_whose_manager_was_dropped_longest_ago() {
        let mut numbers = Numbers::new(4);
        let mut next = || numbers.take().map(|(number, ..)| number.0.get());
        assert_eq!([next(), next(), next()], [Some(1), Some(2), Some(3)]);
        numbers.give_back(number(3), Counted::default());
        numbers.give_back(number(1), Counted::default());
        let mut next = || numbers.take().map(|(number, ..)| number.0.get());
        let taken = [next(), next(), next(), next()];
        assert_eq!(taken, [Some(4), Some(3), Some(1), None]);
    }

    #[test]
    fn a_number_that_is_given_out_again_goes_on_behind_what_its_managers_have_used() {
        let begin = |used| {
            let mut numbers = Numbers::new(1);
            numbers.take();
            numbers.give_back(number(1), used);
            numbers.take().map(|(_, begin, _)| begin)
        };
        for (used, next) in [
            (0, 0),
            (1, 1_024),
            (1_024, 1_024),
            (1_025, 2_048),
            (64_512, 64_512),
            // Fewer than 1 024 are left.
            (64_513, 0),
            (65_536, 0),
        ] {
            assert_eq!(begin(counted(used, 0)), Some(counted(next, 0)), "{used}");
        }
        for (used, next) in [(7, 7), (MOST_POSTS, MOST_POSTS), (MOST_POSTS + 1, 0)] {
            assert_eq!(begin(counted(0, used)), Some(counted(0, next)), "{used}");
        }
    }

    #[test]
    fn a_manager_hands_back_how_far_it_has_counted() {
        let identity = Identity::new().expect("few managers are alive");
        let mut posts = PostNumbers::new(&identity);
        let next = posts.next().checked_add(5);
        posts.go_on_with(next.expect("there is room"));
        drop(posts);
        identity.report_generations(identity.first_generation() + 7);
        identity.report_generations(identity.first_generation() + 3);
        let begin = identity.begin;
        assert_eq!(identity.generations(), begin.generation + 7);
        assert_eq!(identity.post.load(Ordering::Relaxed), begin.post + 5);
    }
}
