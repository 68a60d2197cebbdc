//! The plain work that every contender shares: components, messages, orders, checksums.
//!
//! A contender may wrap these types, or give its own traits to them, but a message that arrives
//! always ends in one of the methods here. So what differs between two contenders is how the
//! message came to the component, and nothing else.

mod checksum;
mod components;
mod kinds;
mod lottery;
mod messages;
mod mortal;
mod order;
mod tally;
pub mod two;

pub use checksum::{Checksum, State};
pub use components::{Ai, Health, Position, Relay, Render, Sight};
pub(crate) use kinds::with_kinds;
pub use kinds::{
    Alarm, Bless, Blink, Calm, Damage, Fade, Heal, Hear, Kind, Poison, Push, See, Stop, Teleport,
    Tint, Turn,
};
pub use lottery::Lottery;
pub use messages::{
    Advance, Age, Arrow, Beat, Bolt, FindHp, Flame, GetHp, Hit, Look, Pass, PassTwo, Shot, Spear,
    Stone, Update, Written,
};
pub use mortal::Mortal;
pub use order::{deliveries, errands, kinds, senders, shots, targets, walk};
pub use tally::{Tally, Total};
pub(crate) use two::with_twos;

/// A seed or a place in a table from the number of an object.
///
/// # Panics
///
/// When there are more than 2³² objects.
#[must_use]
pub fn small(number: usize) -> u32 {
    u32::try_from(number).expect("no workload has so many objects")
}
