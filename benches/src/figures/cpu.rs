//! What a child process takes: by the clock on the wall, and of all processors.
//!
//! Processor time counts the child and all that it has started and waited for, as the system accounts it:
//! Linux in ticks of a hundredth of a second. It hardly depends on what else runs beside it.

use std::fs;
use std::time::Instant;

use crate::Failure;

/// Seconds that something has taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    pub(crate) wall: f64,
    /// Of all processors together, user and system, where the system tells.
    pub(crate) cpu: Option<f64>,
}

/// Does what starts a process and waits for it, and returns what that took.
pub(crate) fn timed(run: impl FnOnce() -> Result<(), Failure>) -> Result<Took, Failure> {
    let (start, before) = (Instant::now(), of_children());
    run()?;
    let wall = start.elapsed().as_secs_f64();
    let cpu = before
        .zip(of_children())
        .map(|(before, after)| after - before);
    Ok(Took { wall, cpu })
}

/// What Linux counts in, on all architectures that it shows to programs.
const TICKS_PER_SECOND: f64 = 100.0;

/// Seconds of processor time that all children so far have taken.
fn of_children() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    read(&stat)
}

/// The 16th and the 17th field: user and system time of the children. The second field is the name of
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
