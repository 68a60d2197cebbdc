//! Work that is timed in child processes, contender after contender in several turns, so that no
//! contender reuses another's heap and a disturbance of the machine affects all of them.
//!
//! A child is this program again, started with the name of the work and its size. It prints its
//! measurements as numbers on one line.

use std::path::Path;
use std::process::Command;

use crate::{Failure, growth, listeners, spawning};

/// A contender: the name it is shown under, and the name of its work.
pub(crate) type Contender = (&'static str, &'static str);

/// Does work of the given size and returns the columns of its contender.
type Work = fn(usize) -> Vec<f64>;

/// All works that a child can run.
const WORKS: &[(&str, Work)] = &[
    ("spawning-ours", spawning::ours),
    ("spawning-slab", spawning::slab),
    ("spawning-boxes", spawning::boxes),
    #[cfg(feature = "peers")]
    ("spawning-bevy", spawning::bevy),
    #[cfg(feature = "peers")]
    ("spawning-hecs", spawning::hecs),
    ("targeted-ours", growth::targeted_ours),
    ("targeted-floor", growth::targeted_floor),
    ("broadcast-ours", growth::broadcast_ours),
    ("broadcast-floor", growth::broadcast_floor),
    ("listeners-ours", listeners::ours),
    ("listeners-floor", listeners::floor),
    ("passing-ours", listeners::passing_ours),
    ("passing-floor", listeners::passing_floor),
];

/// Runs the child's side: does the work and prints its numbers.
pub(crate) fn run_child(work: &str, size: usize) -> Result<(), Failure> {
    let known = WORKS.iter().find(|(name, _)| *name == work);
    let (_, run) = known.ok_or_else(|| format!("there is no work named {work:?}"))?;
    let numbers: Vec<String> = run(size).iter().map(f64::to_string).collect();
    println!("{}", numbers.join(" "));
    Ok(())
}

/// Returns the contenders' columns, each the median over a number of turns.
pub(crate) fn in_turns(
    contenders: &[Contender],
    size: usize,
    reps: usize,
) -> Result<Vec<Vec<f64>>, Failure> {
    let own = std::env::current_exe()?;
    let size = size.to_string();
    let mut runs = vec![Vec::new(); contenders.len()];
    for _ in 0..reps {
        for ((_, work), runs) in contenders.iter().zip(&mut runs) {
            runs.push(numbers(&own, &["--child", work, &size])?);
        }
    }
    Ok(runs.iter().map(|runs| medians(runs)).collect())
}

/// Runs a program and parses the numbers that it prints.
pub(crate) fn numbers(program: &Path, arguments: &[&str]) -> Result<Vec<f64>, Failure> {
    let output = Command::new(program).args(arguments).output()?;
    let name = program.display();
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name} ended with {}: {reason}", output.status).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
    numbers.map_err(|_| format!("expected numbers from {name}, found {text:?}").into())
}

/// Returns the median of each column.
pub(crate) fn medians(runs: &[Vec<f64>]) -> Vec<f64> {
    let columns = runs.iter().map(Vec::len).min().unwrap_or(0);
    let column = |at: usize| runs.iter().map(move |run| run[at]).collect();
    (0..columns).map(|at| median(column(at))).collect()
}

/// Returns the median; for an even count, the upper of the two middle values.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_taken_of_each_column_apart() {
        let runs = [vec![3.0, 10.0], vec![1.0, 30.0], vec![2.0, 20.0]];
        assert_eq!(medians(&runs), [2.0, 20.0]);
    }
}
