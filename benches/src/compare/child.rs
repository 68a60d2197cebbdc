//! Runs one repetition of one contender in a process of its own.

use std::fmt;
use std::str::FromStr;

use super::contender::Contender;
use super::failure::Failure;
use super::peak::peak_kib;
use super::workload::Workload;

/// The number of repetitions before the one that counts. There are two because a contender that swaps two lists
/// has memory for both only after two repetitions.
const WARM_UPS: usize = 2;

/// The line that a child prints for its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// The duration of the counted repetition.
    pub(super) nanoseconds: u64,
    /// The checksum of the final states.
    pub(super) checksum: u64,
    /// The peak memory of the process, if known.
    pub(super) peak_kib: Option<u64>,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:016x} ", self.nanoseconds, self.checksum)?;
        match self.peak_kib {
            Some(peak) => write!(f, "{peak}"),
            None => f.write_str("-"),
        }
    }
}

impl FromStr for Told {
    type Err = ();

    fn from_str(line: &str) -> Result<Self, ()> {
        let mut words = line.split_ascii_whitespace();
        let mut word = || words.next().ok_or(());
        let told = Self {
            nanoseconds: word()?.parse().map_err(drop)?,
            checksum: u64::from_str_radix(word()?, 16).map_err(drop)?,
            peak_kib: match word()? {
                "-" => None,
                peak => Some(peak.parse().map_err(drop)?),
            },
        };
        words.next().is_none().then_some(told).ok_or(())
    }
}

/// Prepares, warms up, times one repetition, and reports it.
pub(super) fn run(workload: Workload, name: &str, contenders: &[Contender]) -> Result<(), Failure> {
    let mut known = contenders.iter();
    let contender = known.find(|it| it.workload == workload && it.name == name);
    let contender = contender
        .ok_or_else(|| Failure::Asked(format!("nobody called `{name}` does {workload}")))?;
    println!("{}", repetition(contender));
    Ok(())
}

fn repetition(contender: &Contender) -> Told {
    let mut trial = (contender.prepare)(contender.workload.size());
    for _ in 0..WARM_UPS {
        trial.run();
    }
    let taken = trial.timed();
    let peak_kib = peak_kib();
    Told {
        nanoseconds: u64::try_from(taken.as_nanos()).unwrap_or(u64::MAX),
        checksum: trial.checksum(),
        peak_kib,
    }
}

#[cfg(test)]
mod tests {
    use super::Told;

    #[test]
    fn what_a_child_tells_is_what_its_parent_reads() {
        for peak_kib in [Some(5124), None] {
            let told = Told {
                nanoseconds: 12_345,
                checksum: 0x0bad_cafe,
                peak_kib,
            };
            assert_eq!(told.to_string().parse(), Ok(told));
        }
    }

    #[test]
    fn anything_else_is_not_read() {
        for line in ["", "1 2", "1 2 3 4", "one 2 3", "1 2 much"] {
            assert_eq!(line.parse::<Told>(), Err(()), "{line}");
        }
    }
}
