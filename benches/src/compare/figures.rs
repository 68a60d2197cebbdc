//! The measurements of one contender.

use super::child::Told;
use super::contender::Contender;

/// The measurements of one contender, round by round.
#[derive(Debug)]
pub(super) struct Figures {
    pub(super) contender: Contender,
    /// The nanoseconds per operation in each counted round.
    times: Vec<f64>,
    peak_kib: Option<u64>,
}

impl Figures {
    pub(super) fn new(contender: Contender) -> Self {
        Self {
            contender,
            times: Vec::new(),
            peak_kib: None,
        }
    }

    /// Adds a round.
    #[allow(clippy::cast_precision_loss, reason = "both are far below 2^52")]
    pub(super) fn add(&mut self, told: Told) {
        let workload = self.contender.workload;
        let operations = workload.operations(workload.size());
        self.times.push(told.nanoseconds as f64 / operations as f64);
        self.peak_kib = self.peak_kib.max(told.peak_kib);
    }

    pub(super) fn median(&self) -> f64 {
        median(self.times.clone())
    }

    pub(super) fn min(&self) -> f64 {
        self.times.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub(super) fn max(&self) -> f64 {
        self.times.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the peak memory of any of its processes, in MiB.
    #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
    pub(super) fn peak_mib(&self) -> Option<f64> {
        self.peak_kib.map(|kib| kib as f64 / 1024.0)
    }

    /// Returns how many times as long as another contender it takes: the median over the rounds of both.
    pub(super) fn ratio(&self, to: &Self) -> f64 {
        let rounds = self.times.iter().zip(&to.times);
        median(rounds.map(|(mine, theirs)| mine / theirs).collect())
    }
}

/// Returns the median, which is the mean of the middle two if there is an even number of values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => values[half],
        _ => f64::midpoint(values[half - 1], values[half]),
    }
}

#[cfg(test)]
impl Figures {
    /// Returns the figures of a contender whose operations took these times.
    pub(super) fn of(contender: Contender, times: &[f64], peak_kib: Option<u64>) -> Self {
        Self {
            contender,
            times: times.to_vec(),
            peak_kib,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn a_median_is_the_middle_one_or_the_mean_of_two() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!((median(vec![4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < f64::EPSILON);
        assert!(median(vec![]).is_nan());
    }
}
