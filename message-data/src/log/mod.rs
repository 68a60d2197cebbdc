//! Writes every input of a manager to a log, and replays logs.

mod apply;
mod difference;
mod digest;
mod flight;
mod foreign;
mod form;
mod input;
mod key_frames;
mod noting;
mod options;
mod replay;
mod replayed;
mod run;
mod short;
mod sync;
mod watch;
mod writing;

pub use difference::Difference;
pub use digest::Digest;
pub use flight::FlightRecorder;
#[doc(hidden)]
pub use foreign::InputRow;
pub use foreign::{Logged, LoggedInput, LoggedMessage, tell_undelivered};
pub(crate) use input::{LogInput, Packed};
pub(crate) use noting::{DataInput, WireInput};
pub use options::{Impurity, LogError, LogOptions, LogReport};
pub use replay::Replay;
pub use replayed::{ReplayError, Replayed};
pub use sync::{SyncTest, assert_deterministic};
pub use watch::Change;
pub use writing::Log;
pub(crate) use writing::packed;
#[cfg(feature = "files")]
pub(crate) use {
    form::{End, Parts, next_input},
    run::{Run, Source},
    writing::Output,
};
