//! The clock of a manager and the stages of its frame.

// Times are whole nanoseconds since the manager was made, in 63 bits: what lies behind 292 years
// is at their end. Whole numbers, so that sums do not drift and runs repeat.

pub(crate) mod clock;
mod stage;
pub(crate) mod track;
mod wall;

pub use clock::{Clock, ClockError, Moment};
pub(crate) use clock::{LAST, Time, nanoseconds};
pub use stage::Stage;
pub(crate) use track::{LANES, TRACKS, Timeline, Track};
pub(crate) use wall::{WallSource, wall_time};
