//! The reasons why a comparison failed.

use std::fmt;
use std::process::ExitCode;

/// The reason why a comparison failed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The command line is not understood.
    Asked(String),
    /// Something went wrong during the run.
    Ran(String),
}

impl Failure {
    /// The exit code for a command line that is not understood.
    pub(super) const ASKED: u8 = 2;

    pub(super) fn code(&self) -> ExitCode {
        match self {
            Self::Asked(_) => ExitCode::from(Self::ASKED),
            Self::Ran(_) => ExitCode::FAILURE,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked(why) => write!(f, "{why}\n\n`--help` tells what can be asked for"),
            Self::Ran(why) => f.write_str(why),
        }
    }
}
