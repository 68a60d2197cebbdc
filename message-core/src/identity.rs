//! What tells a manager from all others of the process.
//!
//! A [number](ManagerNumber) of 16 bits stands in every key. [`Numbers`] gives each out to one
//! manager at a time: fresh ones first, then those of dropped managers that have counted least. A
//! number comes back with how far its manager has counted, and the next manager of that number goes on
//! behind. When few generations are left, the next manager begins with the first one again, at a place
//! that none of the managers before it has used. So an old key or ticket never meets a newcomer,
//! however many come. The price is a few bytes for each place in front of that one, and some 12 million
//! managers come before the first pays it, or 65 535 if each has used a place tens of thousands of times.
//!
//! Where a manager begins is rounded up, also if the one before has used nothing. So the ids of managers
//! that are made in a row look alike, and most managers that are gone leave the same behind: their
//! numbers are remembered together, as [runs](Runs). The memory for them does not grow with how many
//! there were; it grows with how many have differed by thousands of places, hundreds of generations or
//! millions of posts.
//!
//! Those who count hold a share of the [`Identity`] and report when they are dropped; the number goes
//! back with the last share. The serial number never repeats, and is what a cursor remembers.

mod runs;
#[cfg(feature = "data")]
mod saved;

use std::collections::BTreeMap;
use std::num::{NonZeroU16, NonZeroU64};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use runs::Runs;

/// How many generations a key has.
pub(crate) const GENERATIONS: u32 = 1 << 16;
/// The generations of a manager begin at a multiple of this.
const GENERATION_STEP: u32 = 1 << 8;
/// The places of one that begins behind those of others begin at a multiple of this.
const PLACE_STEP: u32 = 1 << 10;
/// The numbers of its posts begin at a multiple of this.
const POST_STEP: u64 = 1 << 24;
/// The number of generations that a manager has at each place, at least.
const LEAST_GENERATIONS: u32 = 1 << 14;
/// The bits of a post's number below the manager's.
const POST_BITS: u32 = 48;
/// A number whose managers have posted more than this in all is not given out again.
const MOST_POSTS: u64 = 1 << (POST_BITS - 1);
/// Nor is one whose managers have used more places than this.
const MOST_PLACES: u32 = 1 << 31;

static NUMBERS: Mutex<Numbers> = Mutex::new(Numbers::new(u16::MAX));

/// Which manager gave out a key, among those that are alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ManagerNumber(pub(crate) NonZeroU16);

/// What a key is of. Keys of different kinds are counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyKind {
    Messagee,
    Hook,
    Subscription,
}

const KINDS: usize = 3;

/// Where the keys of a manager begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Begin {
    /// Its first place.
    pub(crate) place: u32,
    /// The generation in which each of its places begins.
    pub(crate) generation: u32,
}

/// Behind what the managers of a number have used: the highest place and the highest generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct End {
    pub(crate) place: u32,
    pub(crate) generation: u32,
}

/// The keys of one kind that the managers of a number have used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Used {
    begin: Begin,
    end: End,
}

impl Used {
    /// Where the next manager of the number begins. `None` if there are no places left.
    fn next(self) -> Option<Self> {
        let generation = (self.end.generation + 1).next_multiple_of(GENERATION_STEP);
        let place = self.end.place.max(1).checked_next_multiple_of(PLACE_STEP)?;
        let begin = if generation <= GENERATIONS - LEAST_GENERATIONS {
            Begin {
                generation,
                ..self.begin
            }
        } else {
            Begin {
                place,
                generation: 0,
            }
        };
        let end = End {
            place,
            generation: begin.generation,
        };
        (begin.place <= MOST_PLACES).then_some(Self { begin, end })
    }
}

/// How far the managers of a number have counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Counted {
    keys: [Used; KINDS],
    /// The number of the next post, without the manager's bits.
    post: u64,
}

impl Counted {
    /// Where the next manager of the number begins. `None` if there can be none that gives out only
    /// what is new.
    fn next(self) -> Option<Self> {
        let [messagees, hooks, subscriptions] = self.keys.map(Used::next);
        (self.post <= MOST_POSTS).then_some(Self {
            keys: [messagees?, hooks?, subscriptions?],
            post: (self.post + 1).next_multiple_of(POST_STEP),
        })
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
    /// The numbers of dropped managers, by where the next ones begin.
    returned: BTreeMap<Counted, Runs>,
}

impl Numbers {
    const fn new(last: u16) -> Self {
        Self {
            last,
            fresh: 0,
            made: 0,
            returned: BTreeMap::new(),
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
            None => self.take_returned()?,
        };
        self.made += 1;
        Some((number, begin, self.made))
    }

    /// The number of a dropped manager, of those with which least was counted.
    fn take_returned(&mut self) -> Option<(ManagerNumber, Counted)> {
        let mut least = self.returned.first_entry()?;
        let begin = *least.key();
        let number = least.get_mut().pop();
        if least.get().is_empty() {
            least.remove();
        }
        number.map(|number| (ManagerNumber(number), begin))
    }

    /// The manager of that number was dropped, and has counted so far.
    fn give_back(&mut self, number: ManagerNumber, counted: Counted) {
        if let Some(next) = counted.next() {
            self.returned.entry(next).or_default().insert(number.0);
        }
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
    /// What of each kind was given out, as far as it was reported.
    ends: Mutex<[End; KINDS]>,
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
            ends: Mutex::new(begin.keys.map(|used| used.end)),
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

    /// Where the keys of a kind begin. What is in front of it is of earlier managers.
    pub(crate) fn begin(&self, of: KeyKind) -> Begin {
        self.begin.keys[of as usize].begin
    }

    /// How many messages the manager had posted before this one. `None` if another manager posted it.
    #[cfg(feature = "data")]
    pub(crate) fn posts_since_start(&self, post: NonZeroU64) -> Option<u64> {
        let manager = u64::from(self.number.0.get()) << POST_BITS;
        post.get()
            .checked_sub(manager | self.begin.post)
            .filter(|_| post.get() >> POST_BITS == u64::from(self.number.0.get()))
    }

    /// The number of the message that was posted behind so many others.
    #[cfg(feature = "data")]
    pub(crate) fn post_from_start(&self, since: u64) -> Option<NonZeroU64> {
        let post = self.begin.post.checked_add(since)?;
        let manager = u64::from(self.number.0.get()) << POST_BITS;
        (post >> POST_BITS == 0).then(|| NonZeroU64::new(manager | post))?
    }

    /// What follows the keys of a kind that were reported.
    #[cfg(test)]
    pub(crate) fn end(&self, of: KeyKind) -> End {
        self.ends()[of as usize]
    }

    /// No place and no generation from this on has been given out.
    pub(crate) fn report(&self, of: KeyKind, end: End) {
        let known = &mut self.ends()[of as usize];
        known.place = known.place.max(end.place);
        known.generation = known.generation.max(end.generation);
    }

    fn ends(&self) -> MutexGuard<'_, [End; KINDS]> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Identity {
    fn drop(&mut self) {
        let mut counted = Counted {
            post: *self.post.get_mut(),
            ..self.begin
        };
        for (used, end) in counted.keys.iter_mut().zip(*self.ends()) {
            used.end = end;
        }
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

    // holds: messagees.managers-share-no-id
    #[test]
    fn managers_that_live_at_the_same_time_never_share_a_number() {
        let mut numbers = Numbers::new(3);
        let taken: Vec<_> = std::iter::from_fn(|| numbers.take()).collect();
        let expected = [1, 2, 3].map(|serial| (number(serial), Counted::default(), serial.into()));
        assert_eq!(taken, expected);
        numbers.give_back(number(2), Counted::default());
        let again = numbers.take().map(|(number, _, serial)| (number, serial));
        assert_eq!(again, Some((number(2), 4)));
        assert_eq!(numbers.take(), None);
    }

    // holds: messagees.managers-share-no-id
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
    fn fresh_numbers_come_first_then_the_lowest_of_those_that_have_counted_least() {
        let mut numbers = Numbers::new(4);
        let mut next = || numbers.take().map(|(number, ..)| number.0.get());
        assert_eq!([next(), next(), next()], [Some(1), Some(2), Some(3)]);
        let much = Counted {
            post: POST_STEP,
            ..Counted::default()
        };
        for (at, counted) in [(1, much), (3, Counted::default()), (2, Counted::default())] {
            numbers.give_back(number(at), counted);
        }
        let mut next = || numbers.take().map(|(number, ..)| number.0.get());
        let taken = [next(), next(), next(), next(), next()];
        assert_eq!(taken, [Some(4), Some(2), Some(3), Some(1), None]);
    }

    // holds: memory.managers-gone
    #[test]
    fn what_is_remembered_does_not_grow_with_the_managers_that_are_gone() {
        let mut numbers = Numbers::new(u16::MAX);
        for manager in 0..if cfg!(miri) { 2_000 } else { 200_000_u32 } {
            let (number, mut counted, _) = numbers.take().expect("none is alive");
            for used in &mut counted.keys {
                used.end.place = used.begin.place + manager % 1_000;
                used.end.generation += manager % 200;
            }
            counted.post += u64::from(manager);
            numbers.give_back(number, counted);
            assert!(numbers.returned.len() <= 2);
        }
    }

    /// What the next manager of a number begins with.
    fn next_of(used: Used, post: u64) -> Option<(Begin, u64)> {
        let mut numbers = Numbers::new(1);
        numbers.take();
        let keys = [Used::default(), used, Used::default()];
        numbers.give_back(number(1), Counted { keys, post });
        let (_, begin, _) = numbers.take()?;
        Some((begin.keys[KeyKind::Hook as usize].begin, begin.post))
    }

    // holds: messagees.dropped-manager-ids
    #[test]
    fn a_number_that_is_given_out_again_goes_on_behind_what_its_managers_have_used() {
        let next = |place, end_place, generation| {
            let begin = Begin {
                place,
                generation: 0,
            };
            let end = End {
                place: end_place,
                generation,
            };
            let (begin, _) = next_of(Used { begin, end }, 0)?;
            Some((begin.place, begin.generation))
        };
        for (used, expected) in [
            (0, (0, 256)),
            (255, (0, 256)),
            (256, (0, 512)),
            (49_151, (0, 49_152)),
            // Fewer than 16 384 are left.
            (49_152, (1_024, 0)),
            (65_536, (1_024, 0)),
        ] {
            assert_eq!(next(0, 9, used), Some(expected), "{used}");
        }
        assert_eq!(next(5, 9, 3), Some((5, 256)));
        assert_eq!(next(5, 1_025, 65_536), Some((2_048, 0)));
        for used in [0, 7, MOST_POSTS] {
            let expected = used - used % POST_STEP + POST_STEP;
            let begin = next_of(Used::default(), used);
            assert_eq!(begin.map(|(_, post)| post), Some(expected));
        }
    }

    // holds: messagees.dropped-manager-ids
    #[test]
    fn a_number_that_has_nothing_new_left_is_not_given_out_again() {
        assert_eq!(next_of(Used::default(), MOST_POSTS + 1), None);
        let end = End {
            place: MOST_PLACES + 1,
            generation: GENERATIONS,
        };
        let begin = Begin::default();
        assert_eq!(next_of(Used { begin, end }, 0), None);
    }

    // holds: messagees.dropped-manager-ids
    #[test]
    fn no_two_managers_of_a_number_use_the_same_place_in_the_same_generation() {
        let mut numbers = Numbers::new(1);
        let mut lottery = 1_u32;
        let mut draw = |below: u32| {
            lottery = lottery.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (lottery >> 8) % below
        };
        let mut all: Vec<(Begin, End)> = Vec::new();
        // Miri takes a thousand times as long.
        for manager in 0..if cfg!(miri) { 60 } else { 3_000 } {
            let (number, mut counted, _) = numbers.take().expect("it was given back");
            for used in &mut counted.keys {
                let left = GENERATIONS - used.begin.generation;
                assert!(left >= LEAST_GENERATIONS);
                // Many managers that use little, and some that use all that there is.
                let generations = [draw(20), draw(2_000), draw(left + 1)][draw(3) as usize];
                let places = if generations == 0 { 0 } else { 1 + draw(9) };
                let end = End {
                    place: used.begin.place + places,
                    generation: used.begin.generation + generations,
                };
                if manager % 3 == 0 {
                    all.push((used.begin, end));
                }
                used.end.place = used.end.place.max(end.place);
                used.end.generation = end.generation;
            }
            numbers.give_back(number, counted);
        }
        let meet = |a: &(Begin, End), b: &(Begin, End)| {
            let places = a.0.place.max(b.0.place)..a.1.place.min(b.1.place);
            let lives = a.0.generation.max(b.0.generation)..a.1.generation.min(b.1.generation);
            !places.is_empty() && !lives.is_empty()
        };
        for kind in 0..KINDS {
            let of_kind: Vec<_> = all.iter().skip(kind).step_by(KINDS).collect();
            for (at, one) in of_kind.iter().enumerate() {
                let later = &of_kind[at + 1..];
                assert!(!later.iter().any(|other| meet(one, other)), "{one:?}");
            }
            let last = of_kind.last().expect("there are some");
            assert!(last.0.place > 100, "the generations were used up often");
        }
    }

    // holds: messagees.dropped-manager-ids
    #[test]
    fn a_manager_hands_back_how_far_it_has_counted() {
        let identity = Identity::new().expect("few managers are alive");
        let mut posts = PostNumbers::new(&identity);
        let next = posts.next().checked_add(5);
        posts.go_on_with(next.expect("there is room"));
        drop(posts);
        assert_eq!(
            identity.post.load(Ordering::Relaxed),
            identity.begin.post + 5
        );
        let begin = identity.begin(KeyKind::Hook);
        for (place, generation) in [(4, 7), (5, 3)] {
            let end = End {
                place: begin.place + place,
                generation: begin.generation + generation,
            };
            identity.report(KeyKind::Hook, end);
        }
        let end = identity.end(KeyKind::Hook);
        assert_eq!(end.place, begin.place + 5);
        assert_eq!(end.generation, begin.generation + 7);
        let untouched = identity.end(KeyKind::Messagee);
        assert_eq!(
            untouched.generation,
            identity.begin(KeyKind::Messagee).generation
        );
    }
}
