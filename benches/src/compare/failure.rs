//! Why a comparison did not come about.

use std::fmt;
use std::process::ExitCode;

/// Why a comparison did not come about.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It was asked for in a way that is not understood.
    Asked(String),
    /// Something went wrong under way.
    Ran(String),
}

impl Failure {
    /// The exit code of a program that was asked for what it does not know.
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
