//! The time that a child process takes: wall-clock time, and processor time of all processors.
//!
//! Processor time counts the child and all processes that it has started and waited for, in the system's
//! accounting: on Linux in ticks of a hundredth of a second. It hardly depends on other running programs.

use std::fs;
use std::time::Instant;

use crate::Failure;

/// The time that something took, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    pub(crate) wall: f64,
    /// The user and system time of all processors together, if the system reports it.
    pub(crate) cpu: Option<f64>,
}

/// Runs a closure that starts a process and waits for it, and returns the time that it took.
pub(crate) fn timed(run: impl FnOnce() -> Result<(), Failure>) -> Result<Took, Failure> {
    let (start, before) = (Instant::now(), of_children());
    run()?;
    let wall = start.elapsed().as_secs_f64();
    let cpu = before
        .zip(of_children())
        .map(|(before, after)| after - before);
    Ok(Took { wall, cpu })
}

/// Linux's unit of processor time, the same on all architectures that it exposes to programs.
const TICKS_PER_SECOND: f64 = 100.0;

/// Returns the processor time in seconds of all children so far.
fn of_children() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    read(&stat)
}

/// Reads the 16th and the 17th field: the user and system time of the children. The second field is the name of
/// the program between parentheses, and may contain anything.
fn read(stat: &str) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(13);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn the_time_of_the_children_is_in_fields_16_and_17() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 200 0 0 3 4 1250 250 20 0 1 0 9 0 0";
        assert_eq!(read(stat), Some(15.0));
        assert_eq!(read("7 (short) S 1"), None);
    }
}
